/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta describe`: the columns of a table, and how far they single people out.
 */
#include "job/commands.h"
#include "job/load.h"
#include "job/reveal.h"
#include "job/risk.h"
#include "profile/guess.h"
#include "profile/risk.h"
#include "profile/same.h"
#include "profile/singling.h"
#include "require/judge.h"
#include "table/tuples.h"

#include <string.h>

enum { MOST_SETS = 15, MOST_PAIRS = 20 }; /* sets and pairs that are told */

static const bt_rational singling_share = {1, 10};

typedef struct job {
    const bauta_recipe *recipe;
    bt_run run;
    bt_loaded loaded;
    bt_arena arena;
    bt_column_profile *profiles;
    bt_guess *guesses;       /* NULL: quasi columns were given */
    const bt_column **quasi; /* given or guessed */
    size_t quasi_count;
    bt_facts *facts;
    json_t *notes;
} job;

/* ---- columns ----------------------------------------------------------------------------- */

static double share_of(int64_t count, int64_t rows)
{
    return rows ? (double)count / (double)rows : 0;
}

static void put_columns(job *j)
{
    bt_facts *facts = j->facts;
    json_t *columns = bt_put_array(facts, facts->root, "columns");
    for (size_t i = 0; i < j->loaded.table.count; i++) {
        const bt_column_profile *profile = &j->profiles[i];
        json_t *at = bt_put_object(facts, columns, NULL);
        bt_put_text(facts, at, "name", profile->name);
        bt_put_text(facts, at, "type", bt_type_name(profile->domain->reading.type));
        bt_put_text(facts, at, "role", bt_role_name(j->loaded.plan[i].role));
        if (j->guesses) bt_put_text(facts, at, "guess", bt_role_name(j->guesses[i].role));
        bt_put_int(facts, at, "distinct", profile->distinct);
        bt_put_int(facts, at, "missing", profile->missing);
        bt_put_int(facts, at, "unique", profile->unique);
        bt_put_real(facts, at, "share_unique", share_of(profile->unique, profile->rows));
    }
}

/* ---- quasi columns ----------------------------------------------------------------------- */

static bauta_status choose_quasi(job *j, bauta_error *error)
{
    const bt_loaded *loaded = &j->loaded;
    bool given = false;
    for (size_t i = 0; i < loaded->columns; i++)
        given = given || loaded->plan[i].role == BT_ROLE_QUASI;
    if (!given)
        BT_TRY(bt_guess_columns(j->profiles, &loaded->table, loaded->plan, &j->arena, &j->guesses,
                                error));
    j->quasi = bt_arena_array(&j->arena, loaded->columns, sizeof *j->quasi);
    if (!j->quasi) return bt_fail_memory(error);
    for (size_t i = 0; i < loaded->columns; i++) {
        bt_role role = given ? loaded->plan[i].role : j->guesses[i].role;
        if (role == BT_ROLE_QUASI) j->quasi[j->quasi_count++] = &loaded->table.columns[i];
    }
    if (given) return BAUTA_OK;
    bt_put_text(j->facts, j->notes, NULL,
                j->quasi_count
                    ? "quasi columns were not given but guessed, by their names and "
                      "contents (name them with --quasi; 'bauta init' says why)"
                    : "no quasi columns were given, and none could be guessed (name them "
                      "with --quasi)");
    return BAUTA_OK;
}

static bauta_status put_risk(job *j, bauta_error *error)
{
    bt_facts *facts = j->facts;
    bt_risk risk;
    int64_t rows = j->loaded.table.rows;
    if (j->quasi_count == 0) return BAUTA_OK;
    BT_TRY(bt_risk_measure(j->quasi, j->quasi_count, rows, &j->run, &risk, error));
    json_t *at = bt_put_object(facts, facts->root, "quasi");
    json_t *names = bt_put_array(facts, at, "columns");
    for (size_t i = 0; i < j->quasi_count; i++)
        bt_put_text(facts, names, NULL, j->quasi[i]->name);
    bt_put_int(facts, at, "classes", risk.classes);
    bt_put_int(facts, at, "unique", risk.unique);
    bt_put_real(facts, at, "share_unique", share_of(risk.unique, rows));
    bt_put_int(facts, at, "smallest_class", risk.smallest);
    return BAUTA_OK;
}

/* ---- requirements ------------------------------------------------------------------------ */

/* What someone who knows the quasi columns can tell apart. */
static bauta_status number_classes(const job *j, bt_tuples *classes, uint32_t **class_of,
                                   bauta_error *error)
{
    int64_t rows = j->loaded.table.rows;
    bt_codes *codes = bt_array(j->quasi_count, sizeof *codes);
    *class_of = bt_array((size_t)rows, sizeof **class_of);
    bauta_status status = codes && *class_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < j->quasi_count && codes; i++)
        codes[i] = (bt_codes){j->quasi[i]->codes, j->quasi[i]->width, j->quasi[i]->domain.size};
    if (status == BAUTA_OK)
        status =
            bt_tuples_number(codes, j->quasi_count, rows, &j->run, classes, *class_of, NULL, error);
    free(codes);
    return status;
}

/* What the table as one class has: a requirement that even this does not satisfy cannot be met. */
static void put_figures(job *j, const bt_requirement_instance *item, const bt_figure *figures,
                        size_t count, json_t *at)
{
    bt_facts *facts = j->facts;
    json_t *list = bt_put_array(facts, at, "whole_table");
    for (size_t i = 0; i < count; i++) {
        if (figures[i].item != item) continue;
        json_t *to = bt_put_object(facts, list, NULL);
        if (figures[i].column) bt_put_text(facts, to, "column", figures[i].column);
        bt_put_bool(facts, to, "holds", figures[i].holds);
        if (figures[i].known) bt_put_text(facts, to, "given", figures[i].known);
        bt_put_text(facts, to, "detail", figures[i].text);
    }
}

static void put_shortfalls(job *j, const bt_requirements *requirements,
                           const bt_shortfall *shortfalls, uint32_t classes,
                           const bt_figure *figures, size_t figure_count)
{
    bt_facts *facts = j->facts;
    json_t *list = bt_put_array(facts, facts->root, "requirements");
    for (size_t i = 0; i < requirements->count; i++) {
        json_t *at = bt_put_object(facts, list, NULL);
        bt_put_text(facts, at, "requirement", requirements->items[i].text);
        bt_put_int(facts, at, "classes", classes);
        bt_put_int(facts, at, "failing_classes", shortfalls[i].classes);
        bt_put_int(facts, at, "failing_records", shortfalls[i].records);
        bt_put_real(facts, at, "share_classes", share_of(shortfalls[i].classes, classes));
        bt_put_real(facts, at, "share_records",
                    share_of(shortfalls[i].records, j->loaded.table.rows));
        put_figures(j, &requirements->items[i], figures, figure_count, at);
    }
}

static bauta_status judge(job *j, bt_requirements *requirements, const bt_people *people,
                          bauta_error *error)
{
    bt_tuples classes = {0};
    uint32_t *class_of = NULL;
    bt_figure *figures;
    size_t count;
    bt_shortfall *shortfalls = bt_arena_array(&j->arena, requirements->count, sizeof *shortfalls);
    if (!shortfalls) return bt_fail_memory(error);
    BT_TRY(bt_requirements_bind(requirements, people, &j->arena, error));
    BT_TRY(bt_requirements_figures(requirements, &j->arena, &figures, &count, error));
    bauta_status status = number_classes(j, &classes, &class_of, error);
    const bt_judged_classes judged = {classes.count, classes.size, class_of};
    if (status == BAUTA_OK)
        status = bt_requirements_judge(requirements, &judged, &j->run, shortfalls, error);
    if (status == BAUTA_OK)
        put_shortfalls(j, requirements, shortfalls, classes.count, figures, count);
    bt_tuples_release(&classes);
    free(class_of);
    return status;
}

static bool lacks_value(const bt_column *column, int64_t row)
{
    return column->domain.has_missing &&
           bt_column_code(column, row) == bt_domain_present(&column->domain);
}

static bool is_complete(const job *j, int64_t row)
{
    const bt_table *table = &j->loaded.table;
    for (size_t i = 0; i < j->recipe->subject.count; i++)
        if (lacks_value(&table->columns[j->loaded.subject[i]], row)) return false;
    for (size_t i = 0; i < j->quasi_count; i++)
        if (lacks_value(j->quasi[i], row)) return false;
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_SENSITIVE && lacks_value(&table->columns[c], row))
            return false;
    return true;
}

/* missing=drop: what would be dropped is not judged. Nothing looks at the table after that. */
static bauta_status drop_incomplete(job *j, bauta_error *error)
{
    char note[120], number[BT_COUNT_TEXT];
    bt_table *table = &j->loaded.table;
    int64_t kept = 0, rows = table->rows;
    int64_t *complete = bt_array((size_t)rows, sizeof *complete);
    if (!complete) return bt_fail_memory(error);
    for (int64_t row = 0; row < rows; row++)
        if (is_complete(j, row)) complete[kept++] = row;
    if (kept < rows) {
        bt_table_keep(table, complete, kept);
        snprintf(note, sizeof note,
                 "requirements are judged without %s record%s that lack%s a value",
                 bt_count_text(rows - kept, number), rows - kept == 1 ? "" : "s",
                 rows - kept == 1 ? "s" : "");
        bt_put_text(j->facts, j->notes, NULL, note);
    }
    free(complete);
    return bt_table_number_subjects(table, error);
}

/* How far the table as it stands is from what is required. */
static bauta_status put_requirements(job *j, bauta_error *error)
{
    bt_requirements requirements;
    bt_people people;
    if (!j->recipe->require) return BAUTA_OK;
    BT_TRY(bt_requirements_ask(j->recipe->require, &j->arena, &requirements, error));
    BT_TRY(bt_requirements_settle(&requirements, &j->loaded.table, &j->arena, error));
    requirements.joint = !j->recipe->joint_none;
    if (j->quasi_count == 0) {
        bt_put_text(j->facts, j->notes, NULL,
                    "without quasi columns there are no classes that could satisfy a requirement");
        return BAUTA_OK;
    }
    if (bt_requirements_public(&requirements)) {
        bt_put_text(j->facts, j->notes, NULL,
                    "a requirement about a public table is not judged here: 'bauta anonymize "
                    "--dry-run' tells");
        BT_TRY(bt_requirements_of_records(&requirements, &j->arena, &requirements, error));
    }
    if (j->recipe->missing_drop) BT_TRY(drop_incomplete(j, error));
    BT_TRY(requirements.size_only ? bt_people_counted(&j->loaded.table, &people, error)
                                  : bt_people_of_table(&j->loaded.table, &people, error));
    bauta_status status = judge(j, &requirements, &people, error);
    bt_people_release(&people);
    return status;
}

/* ---- sets that single out ---------------------------------------------------------------- */

static void note_search(job *j, const bt_singling *found)
{
    char text[160], number[BT_COUNT_TEXT];
    if (found->count > 0)
        bt_put_text(j->facts, j->notes, NULL,
                    "columns single out when together they make at least 10 % of the records "
                    "unique, and fewer of them do not");
    if (found->count > MOST_SETS) {
        snprintf(text, sizeof text, "%s further sets of columns that single out are not listed",
                 bt_count_text((int64_t)(found->count - MOST_SETS), number));
        bt_put_text(j->facts, j->notes, NULL, text);
    }
    if (found->complete) return;
    snprintf(text, sizeof text,
             "sets of more than %zu column%s were not searched: that would take too long",
             found->searched, found->searched == 1 ? "" : "s");
    bt_put_text(j->facts, j->notes, NULL, text);
}

static void put_sets(job *j, const bt_singling *found)
{
    bt_facts *facts = j->facts;
    json_t *sets = bt_put_array(facts, facts->root, "singling_out");
    for (size_t i = 0; i < found->count && i < MOST_SETS; i++) {
        const bt_singling_set *set = &found->sets[i];
        json_t *at = bt_put_object(facts, sets, NULL);
        json_t *names = bt_put_array(facts, at, "columns");
        for (size_t c = 0; c < set->size; c++)
            bt_put_text(facts, names, NULL, j->quasi[set->columns[c]]->name);
        bt_put_int(facts, at, "unique", set->unique);
        bt_put_real(facts, at, "share_unique", share_of(set->unique, j->loaded.table.rows));
    }
}

static bauta_status search_sets(job *j, bauta_error *error)
{
    bt_singling_column *columns = bt_arena_array(&j->arena, j->quasi_count, sizeof *columns);
    if (!columns) return bt_fail_memory(error);
    for (size_t i = 0; i < j->quasi_count; i++) {
        const bt_column *column = j->quasi[i];
        const bt_column_profile *profile = &j->profiles[column->source];
        columns[i] = (bt_singling_column){{column->codes, column->width, column->domain.size},
                                          bt_profile_classes(profile),
                                          profile->unique};
    }
    bt_singling found;
    BT_TRY(bt_singling_search(columns, j->quasi_count, j->loaded.table.rows, singling_share,
                              BT_SINGLING_BUDGET, &j->run, &j->arena, &found, error));
    put_sets(j, &found);
    note_search(j, &found);
    bt_singling_release(&found);
    return BAUTA_OK;
}

/* ---- columns that say the same ----------------------------------------------------------- */

static bool goes(const bt_follows *pair, size_t from, size_t of)
{
    return (pair->from == from && pair->of == of) ||
           (pair->back && pair->from == of && pair->of == from);
}

/* Whether a pair is said by two others: the age class follows from the age, and that from the date
 * of birth. */
static bool is_implied(const bt_follows *pairs, size_t count, const bt_follows *pair)
{
    for (size_t i = 0; i < count; i++) {
        if (pair->back || pairs[i].back || pairs[i].from != pair->from) continue;
        for (size_t k = 0; k < count; k++)
            if (!pairs[k].back && goes(&pairs[k], pairs[i].of, pair->of)) return true;
    }
    return false;
}

static bauta_status put_same(job *j, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    bt_facts *facts = j->facts;
    bt_follows *pairs;
    size_t count;
    bool *all = bt_arena_array(&j->arena, table->count, sizeof *all);
    if (!all) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++)
        all[i] = true;
    BT_TRY(bt_same_find(table, all, &j->arena, &pairs, &count, error));
    json_t *list = bt_put_array(facts, facts->root, "follows");
    for (size_t i = 0; i < count && json_array_size(list) < MOST_PAIRS; i++) {
        if (is_implied(pairs, count, &pairs[i])) continue;
        json_t *at = bt_put_object(facts, list, NULL);
        bt_put_text(facts, at, "column", table->columns[pairs[i].of].name);
        bt_put_text(facts, at, "from", table->columns[pairs[i].from].name);
        bt_put_bool(facts, at, "back", pairs[i].back);
    }
    if (json_array_size(list) == MOST_PAIRS)
        bt_put_text(facts, j->notes, NULL,
                    "further columns that follow from another are not listed");
    return BAUTA_OK;
}

/* ---- columns that give others away ------------------------------------------------------- */

static void put_giveaway(job *j, const bt_giveaway *found, json_t *list)
{
    bt_facts *facts = j->facts;
    const bt_column_recipe *plan = j->loaded.plan;
    json_t *at = bt_put_object(facts, list, NULL);
    json_t *names = bt_put_array(facts, at, "columns");
    bt_put_text(facts, names, NULL, plan[found->clue].name);
    if (found->sign) bt_put_text(facts, names, NULL, plan[found->other].name);
    if (found->sign) bt_put_text(facts, at, "by", found->sign > 0 ? "sum" : "difference");
    bt_put_text(facts, at, "gives_away", plan[found->veiled].name);
    bt_put_int(facts, at, "tried", found->tried);
    bt_put_int(facts, at, "guessed", found->given);
    bt_put_real(facts, at, "share_guessed", share_of(found->given, found->tried));
}

static bauta_status put_giveaways(job *j, bauta_error *error)
{
    bt_giveaway *found;
    size_t count;
    bt_role *roles = bt_arena_array(&j->arena, j->loaded.columns, sizeof *roles);
    if (!roles) return bt_fail_memory(error);
    for (size_t i = 0; i < j->loaded.columns; i++)
        roles[i] = j->guesses ? j->guesses[i].role : j->loaded.plan[i].role;
    bauta_status status = bt_find_revealed(&j->loaded, roles, &j->run, &found, &count, error);
    if (status == BAUTA_OK && count > 0) {
        json_t *list = bt_put_array(j->facts, j->facts->root, "giveaways");
        for (size_t i = 0; i < count && i < MOST_SETS; i++)
            put_giveaway(j, &found[i], list);
    }
    free(found);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

static bauta_status describe(job *j, bauta_error *error)
{
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_load(j->recipe, &j->run, true, &j->loaded, error));
    BT_TRY(bt_profile_table(&j->loaded.table, &j->arena, &j->profiles, error));
    bt_put_int(j->facts, j->facts->root, "rows", j->loaded.table.rows);
    j->notes = json_array();
    BT_TRY(choose_quasi(j, error));
    put_columns(j);
    BT_TRY(put_risk(j, error));
    BT_TRY(search_sets(j, error));
    BT_TRY(put_same(j, error));
    BT_TRY(put_giveaways(j, error));
    if (j->loaded.table.rows == 0)
        bt_put_text(j->facts, j->notes, NULL, "the table has no records");
    if (j->recipe->risk)
        BT_TRY(bt_put_table_risk(j->recipe, j->quasi, j->quasi_count, j->loaded.table.rows, &j->run,
                                 j->facts, j->notes, error));
    BT_TRY(put_requirements(j, error));
    bt_put_json(j->facts, j->facts->root, "notes", json_incref(j->notes));
    return BAUTA_OK;
}

bauta_status bt_do_describe(const bauta_recipe *recipe, bt_facts *facts, bauta_error *error)
{
    job j = {.recipe = recipe, .facts = facts};
    bauta_status status = describe(&j, error);
    json_decref(j.notes);
    bt_loaded_release(&j.loaded);
    bt_run_close(&j.run);
    bt_arena_release(&j.arena);
    return status;
}
