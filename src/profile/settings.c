/* SPDX-License-Identifier: Apache-2.0
 *
 * Only text columns are looked at: whatever else a column was read as, it was read well.
 */
#include "profile/settings.h"

#include <string.h>

/* Plain ones mean missing wherever they stand; the others only among numbers or dates, where
 * they cannot be a value. */
static const struct token {
    const char *text;
    bool plain;
} known_tokens[] = {
    {"N/A", true},         {"n/a", true},         {"#N/A", true},        {"NULL", true},
    {"null", true},        {"Null", true},        {"(null)", true},      {"NaN", true},
    {"nan", true},         {"<NA>", true},        {"-", false},          {"--", false},
    {".", false},          {"..", false},         {"*", false},          {"na", false},
    {"None", false},       {"none", false},       {"nil", false},        {"unknown", false},
    {"Unknown", false},    {"UNKNOWN", false},    {"missing", false},    {"Missing", false},
    {"MISSING", false},    {"#VALUE!", false},    {"#DIV/0!", false},    {"#REF!", false},
    {"9999-99-99", false}, {"0000-00-00", false}, {"9999/99/99", false}, {"0000/00/00", false},
    {"99.99.9999", false}, {"00.00.0000", false}, {"99/99/9999", false}, {"00/00/0000", false},
};
enum { KNOWN_TOKENS = sizeof known_tokens / sizeof *known_tokens, TOKEN_LENGTH = 10 };
_Static_assert(KNOWN_TOKENS <= 64, "a bit for each token");

typedef struct looks {     /* of a text column */
    uint64_t tokens;       /* bit per known token that occurs */
    uint32_t values;       /* other values */
    unsigned point, comma; /* forms that fit all other values */
    bool has_comma;        /* a value has a comma that can only be decimal */
    bool has_thousands;    /* a value has a comma that can also part thousands */
} looks;

static bool find_token(const char *text, size_t *out)
{
    if (strnlen(text, TOKEN_LENGTH + 1) > TOKEN_LENGTH) return false;
    for (size_t i = 0; i < KNOWN_TOKENS; i++)
        if (strcmp(known_tokens[i].text, text) == 0) {
            *out = i;
            return true;
        }
    return false;
}

static void look_at_comma(looks *found, const char *text)
{
    const char *comma = strchr(text, ',');
    if (!comma) return;
    bool thousands = strlen(comma + 1) == 3 && comma > text && comma - text <= 4;
    found->has_thousands = found->has_thousands || thousands;
    found->has_comma = found->has_comma || !thousands;
}

static looks look_at(const bt_domain *domain)
{
    looks found = {.point = BT_FORM_ANY, .comma = BT_FORM_ANY};
    for (uint32_t i = 0; i < bt_domain_present(domain); i++) {
        const char *text = domain->text[i];
        size_t token;
        if (find_token(text, &token)) {
            found.tokens |= UINT64_C(1) << token;
            continue;
        }
        found.values++;
        if (found.point) found.point &= bt_value_forms(text, strlen(text), false);
        if (!found.comma) continue;
        found.comma &= bt_value_forms(text, strlen(text), true);
        look_at_comma(&found, text);
    }
    return found;
}

static bool is_read(const looks *found, bool decimal_comma)
{
    unsigned forms = decimal_comma ? found->comma : found->point;
    return found->values > 0 && bt_reading_of(forms, decimal_comma, true).type != BT_TEXT;
}

/* Tokens of a column that mean missing. */
static uint64_t missing_tokens(const looks *found, bool decimal_comma)
{
    uint64_t tokens = 0;
    for (size_t i = 0; i < KNOWN_TOKENS; i++)
        if (known_tokens[i].plain || is_read(found, decimal_comma)) tokens |= UINT64_C(1) << i;
    return found->values > 1 ? tokens & found->tokens : 0;
}

static void decide_decimal(const bt_column *columns, size_t count, const looks *all,
                           bt_settings *out)
{
    bool comma = false, thousands = false, point = false;
    for (size_t i = 0; i < count; i++) {
        const bt_domain *domain = &columns[i].domain;
        point = point || (domain->reading.type == BT_DECIMAL && domain->scale > 0);
        point = point || (is_read(&all[i], false) &&
                          bt_reading_of(all[i].point, false, true).type == BT_DECIMAL);
        if (domain->reading.type != BT_TEXT || !is_read(&all[i], true)) continue;
        comma = comma || all[i].has_comma;
        thousands = thousands || all[i].has_thousands;
    }
    out->decimal_mixed = comma && point;
    out->decimal_comma = comma && !point;
    out->thousands = thousands && !comma;
}

static bauta_status list_tokens(const bt_settings_asked *asked, uint64_t tokens, bt_arena *arena,
                                bt_settings *out, bauta_error *error)
{
    size_t used = asked->missing->count;
    out->tokens = bt_arena_array(arena, used + KNOWN_TOKENS, sizeof *out->tokens);
    if (!out->tokens) return bt_fail_memory(error);
    for (size_t i = 0; i < used; i++)
        out->tokens[i] = asked->missing->tokens[i];
    for (size_t i = 0; i < KNOWN_TOKENS; i++)
        if (tokens >> i & 1) out->tokens[used + out->found++] = known_tokens[i].text;
    out->token_count = used + out->found;
    return BAUTA_OK;
}

bauta_status bt_settings_guess(const bt_column *columns, size_t count,
                               const bt_settings_asked *asked, bt_arena *arena, bt_settings *out,
                               bauta_error *error)
{
    *out = (bt_settings){.decimal_comma = asked->decimal_comma,
                         .changed = bt_arena_array(arena, count, sizeof *out->changed)};
    BT_OWN(bt_free) looks *all = bt_array_zero(count, sizeof *all);
    uint64_t tokens = 0;
    if (!all || !out->changed) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (columns[i].domain.reading.type == BT_TEXT) all[i] = look_at(&columns[i].domain);
    if (!asked->decimal_given && !asked->decimal_comma) decide_decimal(columns, count, all, out);
    for (size_t i = 0; i < count && !asked->missing_given; i++)
        tokens |= missing_tokens(&all[i], out->decimal_comma);
    for (size_t i = 0; i < count; i++)
        out->changed[i] = (all[i].tokens & tokens) != 0 ||
                          (out->decimal_comma != asked->decimal_comma && is_read(&all[i], true));
    return list_tokens(asked, tokens, arena, out, error);
}
