/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta init`: a recipe to start from, guessed from the table.
 */
#include "group/method.h"
#include "io/bytes.h"
#include "io/sniff.h"
#include "job/alone.h"
#include "job/commands.h"
#include "job/rehearse.h"
#include "job/reveal.h"
#include "profile/draft.h"
#include "profile/lexicon.h"
#include "profile/missing_codes.h"
#include "profile/risk.h"
#include "publish/form.h"

#include <string.h>

enum { SNIFF_BYTES = 1 << 20 };

typedef struct job {
    bauta_recipe recipe; /* the caller's, with what was found out; owns nothing */
    bt_run run;
    bt_loaded loaded;
    bt_arena arena;
    bt_settings settings;
    bt_column_profile *profiles;
    bt_missing_codes *codes; /* of each column */
    bt_guess *guesses;
    bt_choice *methods, *forms;
    bt_draft draft;
} job;

static bool is_given(const bauta_recipe *recipe, const char *key)
{
    return recipe->given >> (bt_recipe_find_key(key) - bt_recipe_keys) & 1;
}

/* ---- encoding ---------------------------------------------------------------------------- */

static bauta_status sniff_file(const char *file, const bt_run *run, bt_buffer *head,
                               bt_encoding *out, bauta_error *error)
{
    bt_bytes *bytes;
    size_t got = 1;
    bauta_status status = bt_buffer_reserve(head, SNIFF_BYTES, error);
    if (status != BAUTA_OK) return status;
    BT_TRY(bt_bytes_open(file, run, &bytes, error));
    head->length = 0;
    while (status == BAUTA_OK && got > 0 && head->length < SNIFF_BYTES) {
        status = bt_bytes_read(bytes, head->bytes + head->length, SNIFF_BYTES - head->length, &got,
                               error);
        if (status == BAUTA_OK) head->length += got;
    }
    bt_bytes_close(bytes);
    if (status == BAUTA_OK) *out = bt_sniff_encoding(head->bytes, head->length);
    return status;
}

/* Windows-1252 holds all that Latin-1 holds of text, so one file that needs it decides. Standard
 * input and pipes can be read only once and are taken as it was said; other tables have no
 * encoding. */
static bauta_status sniff_encoding(job *j, bauta_error *error)
{
    bt_buffer head = {0};
    bt_encoding most = BT_UTF8;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < j->recipe.inputs.count && status == BAUTA_OK; i++) {
        const char *file = j->recipe.inputs.items[i];
        bt_encoding found = BT_UTF8;
        if (bt_input_is_file(file) && bt_input_is_repeatable(file))
            status = sniff_file(file, &j->run, &head, &found, error);
        if (found > most) most = found;
    }
    bt_buffer_release(&head);
    j->recipe.encoding = most;
    j->recipe.has_encoding = true;
    return status;
}

static bool is_used(bt_role role)
{
    return role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE || role == BT_ROLE_OTHER;
}

/* ---- columns ----------------------------------------------------------------------------- */

/* What means missing in a column: what was said or found for all of them, and codes of its own. */
static bauta_status list_missing(job *j, const char *const *codes, size_t count, bt_missing *out,
                                 bauta_error *error)
{
    size_t used = j->settings.token_count;
    const char **tokens = bt_arena_array(&j->arena, used + count, sizeof *tokens);
    if (!tokens) return bt_fail_memory(error);
    for (size_t i = 0; i < used; i++)
        tokens[i] = j->settings.tokens[i];
    for (size_t i = 0; i < count; i++)
        tokens[used + i] = codes[i];
    *out = (bt_missing){.tokens = tokens,
                        .count = used + count,
                        .typed = count,
                        .decimal_comma = j->settings.decimal_comma};
    return BAUTA_OK;
}

/* The codes of a column, of which some are now known to mean missing: columns are compared without
 * these. Settings that are found make more values missing and never fewer, so
 * values that had one code have one again. */
static bauta_status encode_again(job *j, size_t column, const char *const *taken, size_t count,
                                 bauta_error *error)
{
    const bt_input_options *read = bt_input_settings(j->loaded.input);
    const bt_values *values = bt_raw_values(j->loaded.raw, column);
    const char *name = j->loaded.plan[column].name;
    bt_missing missing;
    BT_TRY(list_missing(j, taken, count, &missing, error));
    const bt_domain_options then = {.missing = bt_input_missing(read, column),
                                    .decimal_comma = read->decimal_comma,
                                    .column = name};
    const bt_domain_options now = {
        .missing = &missing, .decimal_comma = j->settings.decimal_comma, .column = name};
    bt_column *coded = &j->loaded.table.columns[column];
    bt_arena scratch = {0};
    bt_domain before, after;
    uint32_t *old_of = bt_arena_array(&scratch, values->count, sizeof *old_of);
    uint32_t *new_of = bt_arena_array(&scratch, values->count, sizeof *new_of);
    uint32_t *map = bt_arena_array(&scratch, coded->domain.size, sizeof *map);
    bauta_status status = old_of && new_of && map ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_domain_build(values, &then, &scratch, &before, old_of, error);
    if (status == BAUTA_OK)
        status = bt_domain_build(values, &now, &j->arena, &after, new_of, error);
    if (status == BAUTA_OK) {
        uint32_t *codes = bt_array((size_t)j->loaded.table.rows, sizeof *codes);
        if (!codes) status = bt_fail_memory(error);
        for (uint32_t i = 0; i < values->count; i++)
            map[old_of[i]] = new_of[i];
        for (int64_t row = 0; codes && row < j->loaded.table.rows; row++)
            codes[row] = map[bt_column_code(coded, row)];
        if (codes) {
            free(coded->codes);
            coded->codes = codes;
            coded->width = sizeof *codes;
            coded->domain = after;
        }
    }
    bt_arena_release(&scratch);
    return status;
}

static bauta_status profile_again(job *j, size_t column, const char *const *codes, size_t count,
                                  bauta_error *error)
{
    bt_missing missing;
    BT_TRY(list_missing(j, codes, count, &missing, error));
    bt_domain_options options = {.missing = &missing,
                                 .decimal_comma = j->settings.decimal_comma,
                                 .column = j->loaded.plan[column].name};
    return bt_profile_values(bt_raw_values(j->loaded.raw, column), &options, j->loaded.table.rows,
                             &j->arena, &j->profiles[column], error);
}

/* Reads values again where other settings, or codes for missing ones, change what they are. */
static bauta_status profile_columns(job *j, bauta_error *error)
{
    const bt_loaded *loaded = &j->loaded;
    const bt_table *table = &loaded->table;
    bool look = j->recipe.missing_values.count == 0;
    BT_TRY(bt_profile_table(table, &j->arena, &j->profiles, error));
    j->codes = bt_arena_array(&j->arena, table->count, sizeof *j->codes);
    if (!j->codes) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        const bt_column_recipe *plan = &loaded->plan[i];
        bt_missing_codes *codes = &j->codes[i];
        if (plan->has_type || plan->has_hierarchy) continue;
        if (j->settings.changed[i])
            BT_TRY(profile_again(j, i, plan->missing, plan->missing_count, error));
        bool nominal = bt_lexicon_look_up(plan->name).nominal;
        if (look && plan->missing_count == 0)
            BT_TRY(bt_missing_codes_find(&j->profiles[i], nominal, &j->arena, codes, error));
        if (codes->taken_count > 0) {
            BT_TRY(profile_again(j, i, codes->taken, codes->taken_count, error));
            BT_TRY(encode_again(j, i, codes->taken, codes->taken_count, error));
        } else if (j->settings.changed[i])
            BT_TRY(encode_again(j, i, plan->missing, plan->missing_count, error));
    }
    return BAUTA_OK;
}

/* "97, 98, 99" */
static bauta_status join_codes(const char *const *codes, size_t count, bt_buffer *out,
                               bauta_error *error)
{
    for (size_t i = 0; i < count; i++)
        BT_TRY(bt_buffer_print(out, error, "%s%s", i ? ", " : "", codes[i]));
    return BAUTA_OK;
}

static bauta_status put_codes(const bt_missing_codes *codes, const char *reason, bt_buffer *out,
                              bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "%s", reason));
    if (codes->taken_count > 0) {
        BT_TRY(bt_buffer_print(out, error, " Taken as codes for a missing value: "));
        BT_TRY(join_codes(codes->taken, codes->taken_count, out, error));
        BT_TRY(bt_buffer_print(out, error, ". Leave out what is a value."));
    }
    if (codes->doubtful_count > 0) {
        BT_TRY(bt_buffer_print(out, error, " A code for a missing value, or a value: "));
        BT_TRY(join_codes(codes->doubtful, codes->doubtful_count, out, error));
        BT_TRY(bt_buffer_print(out, error, ". If it means missing, name it as missing-values."));
    }
    return bt_buffer_add(out, "", 1, error);
}

/* Says of columns that are published what means missing in them. */
static bauta_status tell_codes(job *j, size_t column, bauta_error *error)
{
    const bt_missing_codes *codes = &j->codes[column];
    const bt_column_recipe *plan = &j->loaded.plan[column];
    bt_guess *guess = &j->guesses[column];
    guess->missing = plan->missing_count > 0 ? plan->missing : codes->taken;
    guess->missing_count = plan->missing_count + codes->taken_count;
    if (codes->taken_count + codes->doubtful_count == 0) return BAUTA_OK;
    if (!is_used(guess->role)) {
        guess->missing_count = 0;
        return BAUTA_OK;
    }
    bt_buffer text = {0};
    bauta_status status = put_codes(codes, guess->reason, &text, error);
    if (status == BAUTA_OK) {
        guess->reason = bt_arena_copy(&j->arena, text.bytes, text.length - 1);
        if (!guess->reason) status = bt_fail_memory(error);
    }
    bt_buffer_release(&text);
    return status;
}

static bauta_status guess(job *j, bauta_error *error)
{
    const bt_loaded *loaded = &j->loaded;
    const bt_settings_asked asked = {.missing = &bt_input_settings(loaded->input)->missing,
                                     .missing_given = j->recipe.missing_values.count > 0,
                                     .decimal_comma = j->recipe.decimal_comma,
                                     .decimal_given = is_given(&j->recipe, "decimal")};
    BT_TRY(bt_settings_guess(loaded->table.columns, loaded->table.count, &asked, &j->arena,
                             &j->settings, error));
    BT_TRY(profile_columns(j, error));
    BT_TRY(
        bt_guess_columns(j->profiles, &loaded->table, loaded->plan, &j->arena, &j->guesses, error));
    for (size_t i = 0; i < loaded->table.count; i++)
        BT_TRY(tell_codes(j, i, error));
    return BAUTA_OK;
}

/* ---- what singles out --------------------------------------------------------------------- */

/* The column's reason, with why it is dropped and how it can be kept. */
static const char *explain_drop(job *j, size_t column, bt_role was, const bt_kept_column *found,
                                bt_rational limit)
{
    char share[BT_COUNT_TEXT], most[BT_COUNT_TEXT];
    const char *before = j->guesses[column].reason;
    return bt_arena_print(
        &j->arena,
        "%s%sBy itself it makes %s of the records unique, and with the columns that are published "
        "as they are too many (more than %s): so it is dropped. To keep it, coarsen it, make it "
        "quasi, or make it %s and write below: accept: [its name].",
        before ? before : "", before && before[0] ? " " : "",
        bt_percent_text(found->alone, j->loaded.input_rows, share),
        bt_percent_text(limit.top, limit.bottom, most), bt_role_name(was));
}

/* Columns that would be published as they are and single people out are dropped, so that the recipe
 * runs as it is: accepting them is for the owner to say. */
static bauta_status drop_alone(job *j, const bauta_recipe *asked, bauta_error *error)
{
    size_t columns = j->loaded.columns;
    bool *raw = bt_arena_array(&j->arena, columns, sizeof *raw);
    bt_kept_column *found = bt_arena_array(&j->arena, columns, sizeof *found);
    if (!raw || !found) return bt_fail_memory(error);
    for (size_t i = 0; i < columns; i++) {
        bt_role role = j->guesses[i].role;
        raw[i] = (role == BT_ROLE_OTHER || role == BT_ROLE_SENSITIVE) &&
                 !bt_is_accepted(asked, j->loaded.plan[i].name);
    }
    BT_TRY(bt_choose_alone(&j->loaded, &j->run, raw, asked->unique_limit, found, NULL, error));
    for (size_t i = 0; i < columns; i++) {
        bt_guess *guess = &j->guesses[i];
        if (!raw[i] || found[i].kept) continue;
        guess->reason = explain_drop(j, i, guess->role, &found[i], asked->unique_limit);
        if (!guess->reason) return bt_fail_memory(error);
        guess->role = BT_ROLE_DROPPED;
    }
    return BAUTA_OK;
}

/* Why a column that gives others away is dropped, and how it can be kept. */
static bauta_status drop_column(job *j, const bt_giveaway *found, const char *where,
                                bauta_error *error)
{
    bt_guess *guess = &j->guesses[found->clue];
    const char *column = j->loaded.plan[found->veiled].name;
    const char *other = found->sign ? j->loaded.plan[found->other].name : "";
    char share[BT_COUNT_TEXT];
    bt_percent_text(found->given, found->tried, share);
    const char *why =
        found->follows
            ? bt_arena_print(&j->arena,
                             "It follows from %s: published as it is, whoever knows that one finds "
                             "%s of the records among fewer than their cells show",
                             column, share)
            : bt_arena_print(&j->arena,
                             "Published as it is it would tell %s%s%s for %s of the records, %s",
                             column, found->sign ? ", together with " : "", other, share, where);
    guess->reason = bt_arena_print(&j->arena,
                                   "%s%s%s: so it is dropped. To keep it, coarsen it, make it "
                                   "quasi, or make it %s and write below: accept: [its name].",
                                   guess->reason ? guess->reason : "",
                                   guess->reason && *guess->reason ? " " : "", why ? why : "",
                                   bt_role_name(guess->role));
    guess->role = BT_ROLE_DROPPED;
    return why && guess->reason ? BAUTA_OK : bt_fail_memory(error);
}

/* Columns that would give away what is generalized are dropped, too: the worst one, and again until
 * none is left. */
static bauta_status drop_revealing(job *j, const bauta_recipe *asked, bauta_error *error)
{
    size_t columns = j->loaded.columns, count = 1;
    bt_role *roles = bt_arena_array(&j->arena, columns, sizeof *roles);
    if (!roles) return bt_fail_memory(error);
    while (count > 0) {
        bt_giveaway *found;
        for (size_t i = 0; i < columns; i++)
            roles[i] =
                bt_is_accepted(asked, j->loaded.plan[i].name) ? BT_ROLE_NONE : j->guesses[i].role;
        BT_TRY(bt_find_revealed(&j->loaded, roles, &j->run, &found, &count, error));
        bauta_status status =
            count > 0 ? drop_column(j, found, "whatever the cells hide", error) : BAUTA_OK;
        free(found);
        if (status != BAUTA_OK) return status;
    }
    return BAUTA_OK;
}

/* A text that few records have must not be readable in a set: such a column is its value or "*". */
static bauta_status hide_rare(job *j, const bauta_recipe *asked, bauta_error *error)
{
    for (size_t i = 0; i < j->loaded.columns; i++) {
        bt_guess *guess = &j->guesses[i];
        const bt_column_profile *profile = &j->profiles[i];
        const bt_column_recipe *plan = &j->loaded.plan[i];
        char share[BT_COUNT_TEXT];
        int64_t rare = 0;
        bt_type type = plan->has_type    ? plan->type
                       : guess->has_type ? guess->type
                                         : profile->domain->reading.type;
        if (guess->role != BT_ROLE_QUASI || guess->hierarchy || plan->has_hierarchy ||
            type != BT_TEXT || bt_is_accepted(asked, plan->name))
            continue;
        for (uint32_t code = 0; code < bt_domain_present(profile->domain); code++)
            if (profile->counts[code] < BT_ENOUGH_RECORDS) rare += profile->counts[code];
        if (bt_ratio_compare(rare, profile->rows, asked->unique_limit) <= 0) continue;
        guess->hierarchy = "flat";
        guess->reason = bt_arena_print(
            &j->arena,
            "%s%sFewer than %d records share the texts of %s of the records, which sets would "
            "show: "
            "so a cell is a text or *. A hierarchy of its own would keep more.",
            guess->reason ? guess->reason : "", guess->reason && *guess->reason ? " " : "",
            BT_ENOUGH_RECORDS, bt_percent_text(rare, profile->rows, share));
        if (!guess->reason) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

/* ---- the recipe -------------------------------------------------------------------------- */

#define CHOICES(function, registry)                                                                \
    static bauta_status function(bt_arena *arena, bt_choice **out, size_t *count,                  \
                                 bauta_error *error)                                               \
    {                                                                                              \
        bt_choice *all = bt_arena_array(arena, registry##_count, sizeof *all);                     \
        if (!all) return bt_fail_memory(error);                                                    \
        for (size_t i = 0; i < registry##_count; i++)                                              \
            all[i] = (bt_choice){.name = registry[i]->name, .summary = registry[i]->summary};      \
        *out = all;                                                                                \
        *count = registry##_count;                                                                 \
        return BAUTA_OK;                                                                           \
    }

CHOICES(list_methods, bt_method_registry)
CHOICES(list_forms, bt_form_registry)

static bauta_status count_risk(job *j, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    const bt_column **quasi = bt_arena_array(&j->arena, table->count, sizeof *quasi);
    bt_risk risk;
    if (!quasi) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        bt_role role = j->guesses[i].role;
        if (role == BT_ROLE_QUASI) quasi[j->draft.quasi++] = &table->columns[i];
        j->draft.missing = j->draft.missing || (is_used(role) && j->profiles[i].missing > 0);
    }
    if (j->draft.quasi == 0) return BAUTA_OK;
    BT_TRY(bt_risk_measure(quasi, j->draft.quasi, table->rows, &j->run, &risk, error));
    j->draft.unique = risk.unique;
    return BAUTA_OK;
}

static bauta_status guess_subject(job *j, const bauta_recipe *asked, bauta_error *error)
{
    if (asked->subject_none || asked->subject.count > 0) {
        j->draft.subject = (bt_subject_guess){true, asked->subject.items, asked->subject.count,
                                              "Who is a person was given."};
        return BAUTA_OK;
    }
    return bt_guess_subject(j->profiles, &j->loaded.table, j->guesses, &j->run, &j->arena,
                            &j->draft.subject, error);
}

/* The default method; where requirements are about sensitive values, with options that bound what
 * whoever replays it may conclude, if they can. */
static bauta_status choose_group(job *j, const bauta_recipe *asked, bauta_error *error)
{
    const bt_method *method = bt_method_registry[0];
    bt_requirements wanted = {.size_only = true};
    size_t sensitive = 0;
    j->draft.group = method->name;
    if (asked->require) BT_TRY(bt_requirements_ask(asked->require, &j->arena, &wanted, error));
    for (size_t i = 0; i < j->loaded.columns; i++)
        sensitive += j->guesses[i].role == BT_ROLE_SENSITIVE;
    bool joint = sensitive > 1 && !asked->joint_none;
    if (wanted.size_only || !method->bounded || joint || j->draft.subject.count > 0)
        return BAUTA_OK;
    j->draft.group = bt_arena_print(&j->arena, "%s:%s", method->name, method->bounded);
    return j->draft.group ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status fill_draft(job *j, const bauta_recipe *asked, bauta_error *error)
{
    bt_draft *draft = &j->draft;
    *draft = (bt_draft){.recipe = asked,
                        .plan = j->loaded.plan,
                        .guesses = j->guesses,
                        .columns = j->loaded.columns,
                        .settings = &j->settings,
                        .encoding = j->recipe.encoding,
                        .encoding_guessed = !asked->has_encoding,
                        .delimiter = bt_input_delimiter(j->loaded.input),
                        .rows = j->loaded.table.rows};
    BT_TRY(list_methods(&j->arena, &j->methods, &draft->method_count, error));
    BT_TRY(list_forms(&j->arena, &j->forms, &draft->form_count, error));
    draft->methods = j->methods;
    draft->forms = j->forms;
    BT_TRY(guess_subject(j, asked, error));
    BT_TRY(choose_group(j, asked, error));
    BT_TRY(count_risk(j, error));
    return bt_draft_note(draft, &j->arena, error);
}

/* ---- trying it ---------------------------------------------------------------------------- */

/* Tries the recipe as it stands, with another form if `form` is not NULL. */
static bauta_status try_form(job *j, const bauta_recipe *asked, const char *form, bool whole,
                             bt_rehearsal *out, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    BT_TRY(bt_draft_write(&j->draft, &text, error));
    return bt_rehearse(asked, &text, form, whole, &j->arena, out, error);
}

/* The recipe runs as it is: what gives cells away in the classes that it makes is dropped. */
static bauta_status mend(job *j, const bauta_recipe *asked, bool whole, bauta_error *error)
{
    bt_rehearsal found;
    do {
        BT_TRY(try_form(j, asked, NULL, whole, &found, error));
        for (size_t i = 0; i < found.drop_count; i++)
            BT_TRY(drop_column(j, &found.drop[i], "beyond what their cells tell", error));
        if (found.drop_count > 0) BT_TRY(fill_draft(j, asked, error));
    } while (found.drop_count > 0);
    j->draft.refused = found.refused;
    return BAUTA_OK;
}

/* Says with which forms the recipe runs. A table that can be read only once cannot be tried. */
static bauta_status try_forms(job *j, const bauta_recipe *asked, bauta_error *error)
{
    const char *wanted = asked->publish ? asked->publish : j->forms[0].name;
    bool whole = true;
    if (j->draft.rows < 2 || j->draft.quasi == 0) return BAUTA_OK; /* it cannot run at all */
    for (size_t i = 0; i < asked->inputs.count; i++)
        whole = whole && bt_input_is_repeatable(asked->inputs.items[i]);
    BT_TRY(mend(j, asked, whole, error));
    for (size_t i = 0; i < j->draft.form_count; i++) {
        bt_rehearsal found = {.refused = j->draft.refused};
        size_t length = strlen(j->forms[i].name);
        bool is_wanted =
            strcspn(wanted, ":") == length && strncmp(wanted, j->forms[i].name, length) == 0;
        if (!is_wanted) BT_TRY(try_form(j, asked, j->forms[i].name, whole, &found, error));
        j->forms[i].refused = found.refused;
    }
    j->draft.tried = whole;
    return bt_draft_note(&j->draft, &j->arena, error);
}

static bauta_status tell(const job *j, bt_facts *facts, bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = bt_draft_write(&j->draft, &text, error);
    if (status == BAUTA_OK) status = bt_buffer_add(&text, "", 1, error);
    if (status == BAUTA_OK) {
        bt_put_text(facts, facts->root, "recipe", text.bytes);
        json_t *notes = bt_put_array(facts, facts->root, "notes");
        for (size_t i = 0; i < j->draft.note_count; i++)
            bt_put_text(facts, notes, NULL, j->draft.notes[i]);
    }
    bt_buffer_release(&text);
    return status;
}

static bauta_status make_recipe(job *j, const bauta_recipe *asked, bt_facts *facts,
                                bauta_error *error)
{
    j->recipe = *asked;
    BT_TRY(bt_run_open(asked, &j->run, error));
    if (!asked->has_encoding) BT_TRY(sniff_encoding(j, error));
    BT_TRY(bt_load(&j->recipe, &j->run, true, &j->loaded, error));
    BT_TRY(guess(j, error));
    if (j->loaded.input_rows > 0) {
        BT_TRY(hide_rare(j, asked, error));
        BT_TRY(drop_alone(j, asked, error));
        BT_TRY(drop_revealing(j, asked, error));
    }
    BT_TRY(fill_draft(j, asked, error));
    BT_TRY(try_forms(j, asked, error));
    return tell(j, facts, error);
}

bauta_status bt_do_init(const bauta_recipe *recipe, bt_facts *facts, bauta_error *error)
{
    job j = {0};
    bauta_status status = make_recipe(&j, recipe, facts, error);
    bt_loaded_release(&j.loaded);
    bt_run_close(&j.run);
    bt_arena_release(&j.arena);
    return status;
}
