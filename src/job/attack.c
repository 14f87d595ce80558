/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta attack`: opens a release, the original and what else the attacker has, and tries to learn
 * more. Facts: see attack/attack.h.
 */
#include "attack/attack.h"

#include "base/entry.h"
#include "job/commands.h"
#include "job/everyone.h"
#include "job/load.h"
#include "job/previous.h"
#include "job/reveal.h"
#include "job/whole.h"

#include <stdio.h>
#include <string.h>

enum { PUBLIC, OTHER_RELEASE, KNOW, MEMBERS, ATTACK, ALL, PARAMS };

static const bt_param params[] = {
    [PUBLIC] = {.name = "public",
                .type = BT_PARAM_TEXT,
                .fallback = "",
                .help = "a table of people with the quasi columns"},
    [OTHER_RELEASE] = {.name = "other-release",
                       .type = BT_PARAM_TEXT,
                       .fallback = "",
                       .help = "another release of an overlapping table"},
    [KNOW] = {.name = "know",
              .type = BT_PARAM_TEXT,
              .fallback = "",
              .help = "the columns that the attacker knows: quasi ones, or published as they are"},
    [MEMBERS] = {.name = "members",
                 .type = BT_PARAM_INTEGER,
                 .minimum = "1",
                 .maximum = "1000000",
                 .fallback = "1",
                 .help = "others of a class whose sensitive values are known"},
    [ATTACK] = {.name = "attack",
                .type = BT_PARAM_TEXT,
                .fallback = "",
                .help = "only these attacks"},
    [ALL] = {.name = "all",
             .type = BT_PARAM_CHOICE,
             .choices = "no|yes",
             .fallback = "no",
             .help = "say also of those that do not apply why not"},
};

typedef struct attack_job {
    const bauta_recipe *recipe;
    bt_value *values; /* of params */
    bt_run run;
    bt_release release, other;
    bt_original original, other_original, crowd, other_crowd;
    bt_original whole;   /* the original with `other` columns */
    uint32_t *other_row; /* per person of the crowd */
    bauta_recipe *public_recipe;
    bool *known; /* per column of the release */
    bt_attacker attacker;
    bt_arena arena;
} attack_job;

static bauta_status no_quasi_column(const attack_job *j, const char *name, bauta_error *error)
{
    const char **names = bt_array(j->release.column_count, sizeof *names);
    size_t count = 0;
    bauta_status status = bt_fail(
        error, BAUTA_USAGE, "the release has no quasi column '%s', nor one beside them", name);
    for (size_t i = 0; names && i < j->release.column_count; i++)
        if (j->release.columns[i].manifest->role == BT_ROLE_QUASI)
            names[count++] = j->release.columns[i].manifest->name;
    const char *near = names ? bt_text_nearest(name, names, count) : NULL;
    if (near) bt_error_hint(error, "did you mean '%s'?", near);
    free(names);
    return status;
}

/* Whether a column is published as it is, row by row beside the quasi columns. */
static bool is_raw(const bt_release *release, const bt_release_column *column)
{
    bt_role role = column->manifest->role;
    bool sensitive = role == BT_ROLE_SENSITIVE && !column->manifest->category_of;
    return column->file == BT_QUASI_FILE && !release->form->redrawn &&
           (role == BT_ROLE_OTHER || sensitive);
}

/* A column that is published as it is, and that the attacker knows, leads to people as a quasi
 * column does. What the manifest promises is said of someone who does not know it. */
static bauta_status know_raw(attack_job *j, size_t column, bauta_error *error)
{
    bt_release_column *known = &j->release.columns[column];
    BT_TRY(bt_release_code_others(&j->release, &j->run, error));
    known->values_shown = true;
    j->release.manifest.promises.count = 0;
    return BAUTA_OK;
}

static bauta_status choose_known(attack_job *j, bauta_error *error)
{
    char **names;
    size_t count;
    BT_TRY(bt_text_split(&j->arena, j->values[KNOW].text, ',', &names, &count, error));
    if (count == 0) return BAUTA_OK;
    j->known = bt_arena_array(&j->arena, j->release.column_count, sizeof *j->known);
    if (!j->known) return bt_fail_memory(error);
    for (size_t n = 0; n < count; n++) {
        size_t i = 0;
        bt_text_unescape(names[n]);
        while (i < j->release.column_count &&
               strcmp(j->release.columns[i].manifest->name, names[n]) != 0)
            i++;
        if (i < j->release.column_count && j->known[i])
            return bt_fail(error, BAUTA_USAGE, "'know' of 'attack' names column '%s' twice",
                           names[n]);
        bool quasi =
            i < j->release.column_count && j->release.columns[i].manifest->role == BT_ROLE_QUASI;
        if (!quasi &&
            (i == j->release.column_count || !is_raw(&j->release, &j->release.columns[i])))
            return no_quasi_column(j, names[n], error);
        if (!quasi) BT_TRY(know_raw(j, i, error));
        j->known[i] = true;
    }
    return BAUTA_OK;
}

/* The public table; NULL: there is none. */
static const char *public_file(const attack_job *j)
{
    const char *file = j->values[PUBLIC].text;
    if (file[0]) return file;
    return j->recipe->publics.count > 0 ? j->recipe->publics.items[0] : NULL;
}

/* Loads everyone of the public tables and of the original, where a release was made with them. */
static bauta_status load_everyone(attack_job *j, bauta_error *error)
{
    const char *file = j->values[PUBLIC].text, *only = file[0] ? file : NULL;
    BT_TRY(bt_everyone_load(j->recipe, only, &j->release, &j->run, &j->crowd, error));
    j->attacker.crowd = bt_everyone_table(&j->crowd);
    j->attacker.joined = true;
    if (!j->attacker.other) return BAUTA_OK;
    BT_TRY(bt_everyone_load(j->recipe, only, &j->other, &j->run, &j->other_crowd, error));
    j->other_row = bt_array((size_t)j->attacker.crowd->rows, sizeof *j->other_row);
    if (!j->other_row) return bt_fail_memory(error);
    int64_t records = j->crowd.loaded.table.rows;
    for (int64_t row = 0; row < records; row++)
        j->other_row[row] = (uint32_t)row;
    if (j->crowd.loaded.join)
        bt_everyone_match(j->crowd.loaded.join, &j->other_crowd, j->other_row + records);
    j->attacker.other_crowd = bt_everyone_table(&j->other_crowd);
    j->attacker.other_row = j->other_row;
    return BAUTA_OK;
}

/* A public table alone cannot name who is also in the original. */
static bauta_status check_public(const attack_job *j, bauta_error *error)
{
    const bauta_recipe *recipe = j->recipe;
    if (!recipe->key && !recipe->key_none && recipe->publics.count < 2) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "the release was made without a public table");
    bt_error_hint(error, "give one at most, and leave --key out");
    return status;
}

/* The public table is read as the original is. */
static bauta_status load_public(attack_job *j, bauta_error *error)
{
    const char *file = public_file(j);
    if (!file) return BAUTA_OK;
    if (j->release.form->join) return load_everyone(j, error);
    BT_TRY(check_public(j, error));
    BT_TRY(bauta_recipe_new(&j->public_recipe, error));
    bauta_recipe *plan = j->public_recipe;
    plan->streams = j->recipe->streams;
    plan->streams_borrowed = true;
    plan->has_encoding = j->recipe->has_encoding;
    plan->encoding = j->recipe->encoding;
    plan->decimal_comma = j->recipe->decimal_comma;
    plan->delimiter = j->recipe->delimiter;
    plan->has_header = j->recipe->has_header;
    plan->no_header = j->recipe->no_header;
    BT_TRY(bt_recipe_copy_missing(j->recipe, true, plan, error));
    bauta_status status = bauta_recipe_set(plan, "input", file, error);
    if (status == BAUTA_OK)
        status = bt_original_load(plan, &j->release, BT_NEED_QUASI, &j->run, &j->crowd, error);
    j->attacker.crowd = &j->crowd.loaded.table;
    return status;
}

/* The columns of the other release that the attacker knows: those of the same names. */
static bauta_status choose_other_known(attack_job *j, bauta_error *error)
{
    if (!j->known) return BAUTA_OK;
    bool *known = bt_arena_array(&j->arena, j->other.column_count, sizeof *known);
    if (!known) return bt_fail_memory(error);
    for (size_t i = 0; i < j->other.column_count; i++)
        for (size_t n = 0; n < j->release.column_count; n++)
            known[i] =
                known[i] || (j->known[n] && strcmp(j->other.columns[i].manifest->name,
                                                   j->release.columns[n].manifest->name) == 0);
    j->attacker.other_known = known;
    return BAUTA_OK;
}

/* Releases with one id have one content, or were made with one seed when that decided it alone. */
static bauta_status compare_ids(attack_job *j, const char *folder, bauta_error *error)
{
    bauta_error differ;
    if (strcmp(j->release.manifest.release, j->other.manifest.release) != 0) return BAUTA_OK;
    bauta_status status =
        bt_check_same_earlier(j->release.manifest.folder, folder, &j->run, &differ);
    j->attacker.one_id = status == BAUTA_NO;
    if (status == BAUTA_OK || status == BAUTA_NO) return BAUTA_OK;
    if (error) *error = differ;
    return status;
}

static bauta_status load_other(attack_job *j, bauta_error *error)
{
    const char *folder = j->values[OTHER_RELEASE].text;
    if (!folder[0]) return BAUTA_OK;
    BT_TRY(bt_release_open(folder, &j->run, &j->other, error));
    BT_TRY(bt_original_fits(&j->other.manifest, folder, error));
    BT_TRY(compare_ids(j, folder, error));
    BT_TRY(bt_original_load(j->recipe, &j->other, BT_NEED_RECORDS, &j->run, &j->other_original,
                            error));
    for (size_t i = 0; i < j->other.column_count; i++)
        if (bt_whole_absent(&j->other.columns[i], &j->other_original.loaded.table))
            return bt_whole_lacking(&j->other, j->other.columns[i].manifest->name,
                                    "the comparison with another release", error);
    j->attacker.other = &j->other;
    j->attacker.other_original = &j->other_original.loaded.table;
    return choose_other_known(j, error);
}

static void put_untried(const attack_job *j, const char *column, const char *what, bt_facts *facts)
{
    char text[1024];
    json_t *at = bt_put_object(facts, facts->root, NULL);
    bt_put_text(facts, at, "attack", "hierarchies");
    snprintf(text, sizeof text,
             "nothing was tried with column '%.200s': %s is neither in %.300s/%s nor in a recipe "
             "(-r), and an attacker may have it",
             column, what, j->release.manifest.folder, bt_whole_folder);
    bt_put_text(facts, at, "skipped", text);
}

/* An attacker has the whole hierarchies. Where they are not at hand the column is left out, and
 * that is said. */
static bauta_status leave_out(attack_job *j, bt_facts *facts, bauta_error *error)
{
    size_t left = 0, absent = 0, count = j->release.column_count;
    bool chosen = j->known != NULL;
    for (size_t i = 0; i < count; i++) {
        const bt_release_column *column = &j->release.columns[i];
        const char *name = column->manifest->name;
        bool quasi = column->manifest->role == BT_ROLE_QUASI;
        if (bt_release_lacks_categories(column))
            put_untried(j, name, "which values have which category", facts);
        if (!bt_whole_absent(column, &j->original.loaded.table)) {
            left += quasi && (!j->known || j->known[i]);
            continue;
        }
        if (chosen && j->known[i]) return bt_whole_lacking(&j->release, name, "the attack", error);
        put_untried(j, name, "its whole hierarchy", facts);
        if (absent++ == 0 && !chosen) {
            j->attacker.known = j->known = bt_arena_array(&j->arena, count, sizeof *j->known);
            if (!j->known) return bt_fail_memory(error);
            for (size_t c = 0; c < count; c++)
                j->known[c] = j->release.columns[c].manifest->role == BT_ROLE_QUASI;
        }
        j->known[i] = false;
    }
    if (absent == 0 || left > 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "no quasi column is left that could be attacked");
}

static bauta_status open_all(attack_job *j, const char *publish, bt_facts *facts,
                             bauta_error *error)
{
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_release_open(publish, &j->run, &j->release, error));
    if (j->release.form->join || public_file(j))
        BT_TRY(bt_original_fits(&j->release.manifest, publish, error));
    BT_TRY(choose_known(j, error));
    BT_TRY(bt_original_load(j->recipe, &j->release, BT_NEED_RECORDS, &j->run, &j->original, error));
    j->attacker = (bt_attacker){.folder = publish,
                                .release = &j->release,
                                .original = &j->original.loaded.table,
                                .known = j->known,
                                .members = j->values[MEMBERS].integer,
                                .run = &j->run};
    BT_TRY(leave_out(j, facts, error));
    BT_TRY(load_other(j, error));
    return load_public(j, error);
}

/* Whether an attack is among those asked for. */
static bool is_asked(const bt_attack_wish *wish, const char *name)
{
    for (size_t i = 0; i < wish->only_count; i++)
        if (strcmp(wish->only[i], name) == 0) return true;
    return wish->only_count == 0;
}

/* Which columns that are published as they are tell quasi columns, as `anonymize` and `describe`
 * find it; what the cells say of their values is left out. */
static bauta_status find_revealed(attack_job *j, bauta_error *error)
{
    enum { MOST = 5 };
    bt_giveaway *found = NULL;
    size_t count = 0;
    bool apart = bt_sensitive_apart(&j->release);
    BT_TRY(bt_original_load(j->recipe, &j->release, BT_NEED_CODED, &j->run, &j->whole, error));
    const bt_loaded *loaded = &j->whole.loaded;
    bt_role *roles = bt_arena_array(&j->arena, loaded->columns, sizeof *roles);
    bt_revealed *list = bt_arena_array(&j->arena, MOST, sizeof *list);
    if (!roles || !list) return bt_fail_memory(error);
    for (size_t i = 0; i < loaded->columns; i++)
        roles[i] = apart && loaded->plan[i].role == BT_ROLE_SENSITIVE ? BT_ROLE_DROPPED
                                                                      : loaded->plan[i].role;
    bauta_status status = bt_find_revealed(loaded, roles, &j->run, &found, &count, error);
    for (size_t i = 0; status == BAUTA_OK && i < count && i < MOST; i++)
        list[i] = (bt_revealed){.by = loaded->plan[found[i].clue].name,
                                .other = loaded->plan[found[i].other].name,
                                .sign = found[i].sign,
                                .column = loaded->plan[found[i].veiled].name,
                                .tried = found[i].tried,
                                .told = found[i].given};
    j->attacker.revealed = list;
    j->attacker.revealed_count = count < MOST ? count : MOST;
    free(found);
    return status;
}

/* What the attack on columns that are published as they are needs. */
static bauta_status prepare_raw(attack_job *j, const bt_attack_wish *wish, bauta_error *error)
{
    bool any = false;
    if (!is_asked(wish, "raw")) return BAUTA_OK;
    BT_TRY(bt_release_code_others(&j->release, &j->run, error));
    for (size_t i = 0; i < j->release.column_count; i++)
        any = any || j->release.columns[i].manifest->role == BT_ROLE_OTHER ||
              j->release.columns[i].manifest->role == BT_ROLE_SENSITIVE;
    return any && !j->release.form->values_shown ? find_revealed(j, error) : BAUTA_OK;
}

static void close_all(attack_job *j)
{
    bt_original_release(&j->whole);
    bt_original_release(&j->original);
    bt_original_release(&j->other_original);
    bt_original_release(&j->crowd);
    bt_original_release(&j->other_crowd);
    free(j->other_row);
    bauta_recipe_free(j->public_recipe);
    bt_release_close(&j->other);
    bt_release_close(&j->release);
    bt_run_close(&j->run);
    bt_arena_release(&j->arena);
}

/* What cannot be compared with the records is named as the command names it. */
static void hint_at_option(const attack_job *j, bauta_error *error)
{
    const char *other = j->other.manifest.folder;
    if (!error || !error->file[0] || error->hint[0]) return;
    if (strcmp(error->file, j->release.manifest.folder) == 0)
        bt_error_hint(error, "let the attacker know fewer columns (--know)");
    else if (other && strcmp(error->file, other) == 0)
        bt_error_hint(error, "leave --other-release out");
}

static bauta_status attack(attack_job *j, const char *publish, bt_facts *facts, bool *broken,
                           bauta_error *error)
{
    bt_attack_wish wish = {.excuses = j->values[ALL].integer == 1};
    char **only;
    BT_TRY(bt_text_split(&j->arena, j->values[ATTACK].text, ',', &only, &wish.only_count, error));
    wish.only = only;
    BT_TRY(open_all(j, publish, facts, error));
    BT_TRY(prepare_raw(j, &wish, error));
    bauta_status status = bt_attack_all(&j->attacker, &wish, facts, broken, error);
    if (status == BAUTA_INVALID) hint_at_option(j, error);
    return status;
}

/* What is given names something: an empty list is a mistake, perhaps of a script, and must not pass
 * for one that was left out. */
static bauta_status check_given(const char *const *arguments, size_t count, bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        size_t length = strcspn(arguments[i], "=");
        if (arguments[i][length] != '=' || arguments[i][length + 1]) continue;
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "'%.*s' of 'attack' is empty", (int)length, arguments[i]);
        bt_error_hint(error, "name something, or leave it out");
        return status;
    }
    return BAUTA_OK;
}

bauta_status bt_do_attack(const char *publish, const bauta_recipe *recipe,
                          const char *const *arguments, size_t count, bt_facts *facts, bool *broken,
                          bauta_error *error)
{
    static const bt_entry entry = {"attack", params, PARAMS};
    attack_job j = {.recipe = recipe};
    if (!recipe || recipe->inputs.count == 0) {
        bauta_status status = bt_fail(error, BAUTA_USAGE, "the original records are needed");
        bt_error_hint(error, "name their file with --original");
        return status;
    }
    bauta_status status = check_given(arguments, count, error);
    if (status == BAUTA_OK)
        status = bt_entry_arguments(&entry, "attack", arguments, count, &j.arena, &j.values, error);
    if (status == BAUTA_OK) status = attack(&j, publish, facts, broken, error);
    close_all(&j);
    return status;
}
