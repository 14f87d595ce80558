/* SPDX-License-Identifier: Apache-2.0
 *
 * One pass over the codes for the counts, one over the distinct texts for what they look like.
 */
#include "profile/column.h"

#include <string.h>

/* ---- what a value looks like ------------------------------------------------------------- */

static bool is_digit(char c)
{
    return (unsigned char)(c - '0') < 10;
}

static bool is_letter(char c)
{
    return (unsigned char)((c | 0x20) - 'a') < 26;
}

static bool is_email(const char *text)
{
    const char *at = strchr(text, '@');
    if (!at || at == text || strchr(at + 1, '@') || strpbrk(text, " \t")) return false;
    const char *dot = strrchr(at, '.');
    return dot && dot > at + 1 && dot[1] != '\0';
}

static bool is_url(const char *text)
{
    return strncmp(text, "http://", 7) == 0 || strncmp(text, "https://", 8) == 0 ||
           strncmp(text, "www.", 4) == 0;
}

static bool is_uuid(const char *text)
{
    static const char pattern[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
    for (size_t i = 0; i < sizeof pattern - 1; i++) {
        char c = text[i];
        bool hexadecimal = is_digit(c) || (is_letter(c) && (c | 0x20) <= 'f');
        if (pattern[i] == '-' ? c != '-' : !hexadecimal) return false;
    }
    return text[sizeof pattern - 1] == '\0';
}

static bool is_network_address(const char *text)
{
    for (int part = 0; part < 4; part++) {
        int number = 0, digits = 0;
        for (; is_digit(*text) && digits < 4; text++, digits++)
            number = number * 10 + (*text - '0');
        if (digits == 0 || digits > 3 || number > 255) return false;
        if (part < 3 && *text++ != '.') return false;
    }
    return *text == '\0';
}

static bool is_phone(const char *text)
{
    int digits = 0, marks = 0;
    if (*text != '+' && *text != '(' && !is_digit(*text)) return false;
    for (; *text; text++) {
        if (is_digit(*text))
            digits++;
        else if (strchr("+()-/. ", *text))
            marks++;
        else
            return false;
        if (digits + marks > 24) return false;
    }
    return digits >= 7 && digits <= 15 && marks > 0;
}

/* 2024-05-02 11:30 and the like: a date and more digits after a blank or T. */
static bool is_moment(const char *text)
{
    static const char pattern[] = "dddd-dd-dd";
    for (size_t i = 0; i < sizeof pattern - 1; i++)
        if (pattern[i] == 'd' ? !is_digit(text[i]) : text[i] != '-' && text[i] != '/') return false;
    const char *rest = text + sizeof pattern - 1;
    return (*rest == ' ' || *rest == 'T') && is_digit(rest[1]);
}

static bt_shape shape_of(const char *text)
{
    if (is_email(text)) return BT_SHAPE_EMAIL;
    if (is_url(text)) return BT_SHAPE_URL;
    if (is_uuid(text)) return BT_SHAPE_UUID;
    if (is_network_address(text)) return BT_SHAPE_ADDRESS;
    if (is_moment(text)) return BT_SHAPE_MOMENT;
    bool number = bt_value_forms(text, strlen(text), false) != 0; /* or a date */
    return !number && is_phone(text) ? BT_SHAPE_PHONE : BT_SHAPE_NONE;
}

/* ---- what a column looks like ------------------------------------------------------------ */

typedef struct looks {
    uint64_t characters; /* of all values */
    uint32_t shapes[BT_SHAPE_MOMENT + 1];
} looks;

static void look_at(bt_column_profile *profile, const char *text, looks *so_far)
{
    uint32_t characters = 0;
    for (const char *p = text; *p; p++) {
        characters += ((unsigned char)*p & 0xC0) != 0x80 && characters < UINT32_MAX;
        profile->spaces = profile->spaces || *p == ' ';
        profile->codes = profile->codes &&
                         (is_digit(*p) || (*p >= 'A' && *p <= 'Z') || (strchr("-./_", *p) != NULL));
    }
    if (characters > profile->longest) profile->longest = characters;
    if (characters < profile->shortest) profile->shortest = characters;
    so_far->characters += characters;
    if (profile->domain->reading.type == BT_TEXT) so_far->shapes[shape_of(text)]++;
}

/* Looks at the values that occur: a hierarchy may bring others. */
static void look_at_values(bt_column_profile *profile)
{
    const bt_domain *domain = profile->domain;
    uint32_t present = bt_domain_present(domain);
    looks so_far = {0};
    profile->shortest = UINT32_MAX;
    profile->codes = true;
    for (uint32_t code = 0; code < present; code++) {
        if (profile->counts[code] == 0) continue;
        profile->distinct++;
        profile->unique += profile->counts[code] == 1;
        look_at(profile, domain->text[code], &so_far);
    }
    if (domain->has_missing) profile->missing = profile->counts[present];
    profile->unique += profile->missing == 1;
    profile->codes = profile->codes && profile->distinct > 0;
    if (profile->distinct == 0) profile->shortest = 0;
    if (profile->distinct) profile->usual = (uint32_t)(so_far.characters / profile->distinct);
    for (bt_shape shape = BT_SHAPE_EMAIL; shape <= BT_SHAPE_MOMENT; shape++)
        if (so_far.shapes[shape] > 0 &&
            (uint64_t)so_far.shapes[shape] * 20 >= (uint64_t)profile->distinct * 19)
            profile->shape = shape;
}

bauta_status bt_profile_column(const bt_column *column, int64_t rows, bt_arena *arena,
                               bt_column_profile *out, bauta_error *error)
{
    int64_t *counts = bt_arena_array(arena, column->domain.size, sizeof *counts);
    if (!counts) return bt_fail_memory(error);
    for (int64_t row = 0; row < rows; row++)
        counts[bt_column_code(column, row)]++;
    *out = (bt_column_profile){
        .name = column->name, .domain = &column->domain, .counts = counts, .rows = rows};
    look_at_values(out);
    return BAUTA_OK;
}

bauta_status bt_profile_values(const bt_values *values, const bt_domain_options *options,
                               int64_t rows, bt_arena *arena, bt_column_profile *out,
                               bauta_error *error)
{
    bt_domain *domain = bt_arena_alloc(arena, sizeof *domain);
    BT_OWN(bt_free) uint32_t *code_of = bt_array(values->count, sizeof *code_of);
    if (!domain || !code_of) return bt_fail_memory(error);
    BT_TRY(bt_domain_build(values, options, arena, domain, code_of, error));
    int64_t *counts = bt_arena_array(arena, domain->size, sizeof *counts);
    BT_TRY(bt_arena_check(arena, error));
    for (uint32_t i = 0; i < values->count; i++)
        counts[code_of[i]] += values->rows[i];
    *out = (bt_column_profile){
        .name = options->column, .domain = domain, .counts = counts, .rows = rows};
    look_at_values(out);
    return BAUTA_OK;
}

bauta_status bt_profile_table(const bt_table *table, bt_arena *arena, bt_column_profile **out,
                              bauta_error *error)
{
    *out = bt_arena_array(arena, table->count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        BT_TRY(bt_profile_column(&table->columns[i], table->rows, arena, &(*out)[i], error));
    return BAUTA_OK;
}
