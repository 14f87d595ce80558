/* SPDX-License-Identifier: Apache-2.0
 *
 * The recipe in the order of the work: the file, the columns, what is asked of the release.
 * Explanations come from the tables that the program itself works by, so that they stay true.
 */
#include "profile/draft.h"

#include "profile/yaml_text.h"
#include "require/requirement.h"

#include <stdio.h>
#include <string.h>

enum { USUAL_K = 5, MANY_QUASI = 12, MANY_SENSITIVE = 6 };

static bauta_status put(bt_buffer *out, const char *text, bauta_error *error)
{
    return bt_buffer_add(out, text, strlen(text), error);
}

/* key: value */
static bauta_status put_pair(bt_buffer *out, int indent, const char *key, const char *value,
                             bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "%*s%s: ", indent, "", key));
    BT_TRY(bt_yaml_scalar(out, value, error));
    return put(out, "\n", error);
}

static bauta_status put_list(bt_buffer *out, int indent, const char *key, const char *const *items,
                             size_t count, bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "%*s%s: [", indent, "", key));
    for (size_t i = 0; i < count; i++) {
        if (i) BT_TRY(put(out, ", ", error));
        BT_TRY(bt_yaml_scalar(out, items[i], error));
    }
    return put(out, "]\n", error);
}

static const char *help_of(const char *key)
{
    return bt_recipe_find_key(key)->key.help;
}

/* ---- head -------------------------------------------------------------------------------- */

static bauta_status put_title(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    char rows[BT_COUNT_TEXT], columns[BT_COUNT_TEXT];
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const char *file = draft->recipe->inputs.items[0];
    const char *text = bt_arena_print(
        &scratch,
        "A recipe for bauta, guessed from %s%s: %s record%s, %s column%s. It holds no record; "
        "values stand in it only where they seem to mean that something is missing.",
        strcmp(file, "-") == 0 ? "standard input" : file,
        draft->recipe->inputs.count > 1 ? " and others" : "", bt_count_text(draft->rows, rows),
        draft->rows == 1 ? "" : "s", bt_count_text((int64_t)draft->columns, columns),
        draft->columns == 1 ? "" : "s");
    BT_TRY(bt_arena_check(&scratch, error));
    return bt_yaml_comment(out, 0, text, error);
}

static bauta_status put_risk(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    char unique[BT_COUNT_TEXT], rows[BT_COUNT_TEXT], percent[BT_COUNT_TEXT], text[256];
    if (draft->quasi == 0 || draft->rows == 0) return BAUTA_OK;
    snprintf(text, sizeof text,
             "As the table stands, %s of %s records (%s) are unique to someone who knows the %zu "
             "column%s marked quasi.",
             bt_count_text(draft->unique, unique), bt_count_text(draft->rows, rows),
             bt_percent_text(draft->unique, draft->rows, percent), draft->quasi,
             draft->quasi == 1 ? "" : "s");
    BT_TRY(put(out, "#\n", error));
    return bt_yaml_comment(out, 0, text, error);
}

static bauta_status put_notes(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    for (size_t i = 0; i < draft->note_count; i++) {
        BT_TRY(put(out, "#\n", error));
        BT_TRY(bt_yaml_comment(out, 0, draft->notes[i], error));
    }
    return BAUTA_OK;
}

static bauta_status put_head(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    BT_TRY(put_title(draft, out, error));
    BT_TRY(put(out,
               "#\n"
               "# Every guess says why. Read each one, correct what is wrong, and run\n"
               "#\n"
               "#     bauta anonymize -r RECIPE -o OUT\n"
               "#\n"
               "# with the name of this file as RECIPE (--dry-run writes nothing).\n",
               error));
    BT_TRY(put_risk(draft, out, error));
    BT_TRY(put_notes(draft, out, error));
    return put(out, "\n", error);
}

/* ---- the file ---------------------------------------------------------------------------- */

static bauta_status put_input(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    const bt_list *inputs = &draft->recipe->inputs;
    if (inputs->count == 1) return put_pair(out, 0, "input", inputs->items[0], error);
    BT_TRY(put(out, "input:\n", error));
    for (size_t i = 0; i < inputs->count; i++) {
        BT_TRY(put(out, "  - ", error));
        BT_TRY(bt_yaml_scalar(out, inputs->items[i], error));
        BT_TRY(put(out, "\n", error));
    }
    return BAUTA_OK;
}

static bauta_status put_encoding(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    if (draft->encoding_guessed && draft->encoding != BT_UTF8)
        BT_TRY(bt_yaml_comment(out, 0, "A guess: look at a word with an accent in the release.",
                               error));
    return put_pair(out, 0, "encoding", bt_encoding_name(draft->encoding), error);
}

static bauta_status put_decimal(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    return put_pair(out, 0, "decimal", draft->settings->decimal_comma ? "comma" : "point", error);
}

static bauta_status put_missing(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    const bt_settings *settings = draft->settings;
    char text[160];
    snprintf(text, sizeof text, "An empty field is always missing.%s",
             settings->found > 0
                 ? " The usual texts are listed, and those found in the file: leave "
                   "out what is a value."
                 : "");
    BT_TRY(bt_yaml_comment(out, 0, text, error));
    BT_TRY(put_list(out, 0, "missing-values", settings->tokens, settings->token_count, error));
    bool drop = draft->recipe->missing_drop;
    if (!draft->missing && !drop) return BAUTA_OK;
    BT_TRY(bt_yaml_comment(out, 0, help_of("missing"), error));
    return put_pair(out, 0, "missing", drop ? "drop" : "value", error);
}

static bauta_status put_file(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    BT_TRY(put_input(draft, out, error));
    char delimiter[2] = {draft->delimiter, '\0'};
    if (draft->delimiter)
        BT_TRY(put_pair(out, 0, "delimiter", draft->delimiter == '\t' ? "tab" : delimiter, error));
    if (draft->recipe->has_header)
        BT_TRY(put_pair(out, 0, "header", draft->recipe->no_header ? "no" : "yes", error));
    BT_TRY(put_encoding(draft, out, error));
    BT_TRY(put_decimal(draft, out, error));
    return put_missing(draft, out, error);
}

/* ---- columns ----------------------------------------------------------------------------- */

static bauta_status put_roles(bt_buffer *out, bauta_error *error)
{
    static const char *const roles[][2] = {{"identifier", "identifier"},
                                           {"quasi", "quasi"},
                                           {"sensitive", "sensitive"},
                                           {"other", "other"},
                                           {"dropped", "drop"}};
    BT_TRY(put(out, "\n# Roles:\n", error));
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++) {
        const char *help = help_of(roles[i][1]);
        BT_TRY(bt_buffer_print(out, error, "#   %-12s %.*s\n", roles[i][0], (int)strcspn(help, ";"),
                               help));
    }
    BT_TRY(bt_buffer_print(out, error, "# Hierarchies of quasi columns:\n#   %s\n",
                           help_of("hierarchy")));
    return put(out,
               "#   without one, cells are ranges of numbers and dates, and sets of texts\n"
               "#   (bauta hierarchy FILE --column NAME shows what one looks like)\n",
               error);
}

static bool has_details(const bt_draft *draft, size_t column)
{
    const bt_guess *guess = &draft->guesses[column];
    const bt_column_recipe *plan = &draft->plan[column];
    return guess->has_type || guess->hierarchy || plan->has_type || plan->hierarchy.spec ||
           guess->missing_count > 0;
}

/* A scheme's own words are plain; a file name is whatever it is. */
static bauta_status put_hierarchy(bt_buffer *out, const char *spec, bauta_error *error)
{
    if (!bt_hierarchy_is_derived(spec)) return put_pair(out, 4, "hierarchy", spec, error);
    return bt_buffer_print(out, error, "    hierarchy: %s\n", spec);
}

static bauta_status put_column(const bt_draft *draft, size_t column, bt_buffer *out,
                               bauta_error *error)
{
    const bt_guess *guess = &draft->guesses[column];
    const bt_column_recipe *plan = &draft->plan[column];
    BT_TRY(bt_yaml_comment(out, 2, guess->reason, error));
    BT_TRY(bt_yaml_key(out, 2, plan->name, error));
    const char *role = bt_role_name(guess->role);
    if (!has_details(draft, column)) return bt_buffer_print(out, error, " %s\n", role);
    BT_TRY(bt_buffer_print(out, error, "\n    role: %s\n", role));
    if (plan->has_type || guess->has_type)
        BT_TRY(put_pair(out, 4, "type", bt_type_name(plan->has_type ? plan->type : guess->type),
                        error));
    if (guess->missing_count > 0)
        BT_TRY(put_list(out, 4, "missing-values", guess->missing, guess->missing_count, error));
    const char *spec = plan->has_hierarchy ? plan->hierarchy.spec : guess->hierarchy;
    return spec ? put_hierarchy(out, spec, error) : BAUTA_OK;
}

static bauta_status put_subject(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    const bt_subject_guess *subject = &draft->subject;
    if (!subject->said) return BAUTA_OK;
    BT_TRY(put(out, "\n", error));
    BT_TRY(bt_yaml_comment(out, 0, subject->reason, error));
    if (subject->count == 0) return put(out, "subject: none\n", error);
    return put_list(out, 0, "subject", subject->columns, subject->count, error);
}

static bauta_status put_columns(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    BT_TRY(put_roles(out, error));
    BT_TRY(put(out, "columns:\n", error));
    for (size_t i = 0; i < draft->columns; i++)
        BT_TRY(put_column(draft, i, out, error));
    return put_subject(draft, out, error);
}

/* ---- the release ------------------------------------------------------------------------- */

static bauta_status put_choices(bt_buffer *out, const bt_choice *choices, size_t count,
                                bauta_error *error)
{
    for (size_t i = 0; i < count; i++)
        BT_TRY(bt_buffer_print(out, error, "#   %-12s %s\n", choices[i].name, choices[i].summary));
    return BAUTA_OK;
}

/* Forms with which the recipe runs as it is, then those that refuse it, with the reason. */
static bauta_status put_forms(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    size_t refused = 0;
    for (size_t i = 0; i < draft->form_count; i++)
        refused += draft->forms[i].refused != NULL;
    bool runs = draft->tried && refused < draft->form_count;
    BT_TRY(put(out, "\n# In what form they are published (options: bauta list forms/NAME)", error));
    BT_TRY(put(out, runs ? ".\n# This recipe runs as it is with:\n" : ":\n", error));
    for (size_t i = 0; i < draft->form_count; i++)
        if (!draft->forms[i].refused) BT_TRY(put_choices(out, &draft->forms[i], 1, error));
    if (refused > 0) BT_TRY(put(out, "# These refuse it, and need other lines:\n", error));
    for (size_t i = 0; i < draft->form_count; i++) {
        const bt_choice *form = &draft->forms[i];
        BT_OWN(bt_buffer_release) bt_buffer text = {0};
        if (!form->refused) continue;
        BT_TRY(
            bt_buffer_print(&text, error, "%s (%s): %s", form->name, form->summary, form->refused));
        BT_TRY(bt_buffer_add(&text, "", 1, error));
        BT_TRY(bt_yaml_comment(out, 0, text.bytes, error));
    }
    return BAUTA_OK;
}

static bauta_status put_require(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    BT_TRY(put(
        out,
        "\n# What every class of records that look alike must satisfy (commas between several):\n",
        error));
    for (size_t i = 0; i < bt_requirement_registry_count; i++)
        BT_TRY(bt_buffer_print(out, error, "#   %-12s %s\n", bt_requirement_registry[i]->name,
                               bt_requirement_registry[i]->summary));
    BT_TRY(
        put(out,
            "# Choosing k: 3 among people who are bound to secrecy, 5 for most purposes, 10 and\n"
            "# more for the public. A larger k hides better and loses more; to compare:\n"
            "#     bauta anonymize -r RECIPE --try k=3,5,10,20\n",
            error));
    const char *given = draft->recipe->require;
    if (given) return put_pair(out, 0, "require", given, error);
    bool small = draft->rows >= 2 && draft->rows < USUAL_K;
    if (small) BT_TRY(put(out, "# The table has no more records than this.\n", error));
    return bt_buffer_print(out, error, "require: k=%d\n", small ? (int)draft->rows : USUAL_K);
}

/* Where there are several sensitive columns, whether one may tell of another is to be decided. */
static bauta_status put_joint(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    size_t sensitive = 0;
    for (size_t i = 0; i < draft->columns; i++)
        sensitive += draft->guesses[i].role == BT_ROLE_SENSITIVE;
    if (sensitive < 2) return BAUTA_OK;
    BT_TRY(put(
        out,
        "\n# Requirements on sensitive values hold in every class. With pairwise they also hold\n"
        "# among those of a class who share a value of another sensitive column, so that who\n"
        "# knows one value of a person does not learn another from it. With none they need not:\n"
        "# classes are smaller and less is lost, and that is no longer protected.\n",
        error));
    return bt_buffer_print(out, error, "joint: %s\n",
                           draft->recipe->joint_none ? "none" : "pairwise");
}

static bauta_status put_release(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    const bauta_recipe *recipe = draft->recipe;
    BT_TRY(put_require(draft, out, error));
    BT_TRY(put_joint(draft, out, error));
    BT_TRY(put(out, "\n# How records are grouped (options: bauta list methods/NAME):\n", error));
    BT_TRY(put_choices(out, draft->methods, draft->method_count, error));
    BT_TRY(put_pair(out, 0, "group", recipe->group ? recipe->group : draft->group, error));
    BT_TRY(put_forms(draft, out, error));
    BT_TRY(put_pair(out, 0, "publish", recipe->publish ? recipe->publish : draft->forms[0].name,
                    error));
    BT_TRY(bt_buffer_print(out, error, "\n# %s\n", help_of("suppress")));
    BT_TRY(bt_buffer_print(out, error, "suppress: %lld", (long long)recipe->suppress.top));
    if (recipe->suppress.bottom != 1)
        BT_TRY(bt_buffer_print(out, error, "/%lld", (long long)recipe->suppress.bottom));
    BT_TRY(put(out, "\n", error));
    bt_rational limit = recipe->unique_limit;
    if (recipe->given >> (bt_recipe_find_key("unique-limit") - bt_recipe_keys) & 1)
        BT_TRY(bt_buffer_print(out, error, "\n# %s\nunique-limit: %lld/%lld\n",
                               help_of("unique-limit"), (long long)limit.top,
                               (long long)limit.bottom));
    if (recipe->accept.count == 0) return BAUTA_OK;
    BT_TRY(bt_buffer_print(out, error, "\n# %s\n", help_of("accept")));
    return put_list(out, 0, "accept", (const char *const *)recipe->accept.items,
                    recipe->accept.count, error);
}

bauta_status bt_draft_write(const bt_draft *draft, bt_buffer *out, bauta_error *error)
{
    BT_TRY(put_head(draft, out, error));
    BT_TRY(put_file(draft, out, error));
    BT_TRY(put_columns(draft, out, error));
    return put_release(draft, out, error);
}

/* ---- notes ------------------------------------------------------------------------------- */

bauta_status bt_draft_note(bt_draft *draft, bt_arena *arena, bauta_error *error)
{
    enum { MOST = 10 };
    const bt_settings *settings = draft->settings;
    const char **notes = bt_arena_array(arena, MOST, sizeof *notes);
    size_t used = 0, trees = 0, sensitive = 0;
    if (!notes) return bt_fail_memory(error);
    for (size_t i = 0; i < draft->columns; i++)
        trees += draft->plan[i].hierarchy.paths != NULL;
    for (size_t i = 0; i < draft->columns; i++)
        sensitive += draft->guesses[i].role == BT_ROLE_SENSITIVE;
    if (draft->encoding_guessed && draft->encoding != BT_UTF8) {
        notes[used] = bt_arena_print(arena, "The file is not UTF-8; it was read as %s.",
                                     bt_encoding_name(draft->encoding));
        if (!notes[used++]) return bt_fail_memory(error);
    }
    if (settings->decimal_comma && !draft->recipe->decimal_comma)
        notes[used++] = "Numbers are written with a decimal comma.";
    if (settings->decimal_mixed)
        notes[used++] = "Numbers are written with a comma in some columns and with a point in "
                        "others; the former are read as text.";
    if (settings->thousands)
        notes[used++] = "Numbers with a comma before three digits may be thousands; they are read "
                        "as text.";
    if (draft->rows < 2) notes[used++] = "The table is too small for a release.";
    if (draft->quasi == 0)
        notes[used++] = "No column was taken as quasi. Name at least one before you anonymize.";
    if (draft->quasi > MANY_QUASI)
        notes[used++] = "There are many quasi columns, and each costs detail: drop what is not "
                        "needed.";
    if (sensitive > MANY_SENSITIVE)
        notes[used++] = "There are many sensitive columns. Their values are published as they are, "
                        "and who knows some of a person can find the rest: keep what is studied.";
    if (draft->refused) {
        notes[used] =
            bt_arena_print(arena, "As it is, the recipe does not run: %s.", draft->refused);
        if (!notes[used++]) return bt_fail_memory(error);
    }
    if (trees > 0) notes[used++] = "Hierarchies given as trees are not repeated here.";
    draft->notes = notes;
    draft->note_count = used;
    return BAUTA_OK;
}
