/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_describe: the columns of a table, and how far they single people out.
 */
#include "api/api.h"
#include "profile/guess.h"
#include "profile/risk.h"
#include "profile/singling.h"

#include <string.h>

enum { MOST_SETS = 15 }; /* that are told */

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
    bt_facts facts;
    json_t *notes;
} job;

/* ---- columns ----------------------------------------------------------------------------- */

static double share_of(int64_t count, int64_t rows)
{
    return rows ? (double)count / (double)rows : 0;
}

static void put_columns(job *j)
{
    bt_facts *facts = &j->facts;
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
    bt_put_text(&j->facts, j->notes, NULL,
                j->quasi_count
                    ? "quasi columns were not given but guessed, by their names and "
                      "contents (name them with --quasi; 'bauta init' says why)"
                    : "no quasi columns were given, and none could be guessed (name them "
                      "with --quasi)");
    return BAUTA_OK;
}

static bauta_status put_risk(job *j, bauta_error *error)
{
    bt_facts *facts = &j->facts;
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

/* ---- sets that single out ---------------------------------------------------------------- */

static void note_search(job *j, const bt_singling *found)
{
    char text[160], number[BT_COUNT_TEXT];
    if (found->count > 0)
        bt_put_text(&j->facts, j->notes, NULL,
                    "columns single out when together they make at least 10 % of the records "
                    "unique, and fewer of them do not");
    if (found->count > MOST_SETS) {
        snprintf(text, sizeof text, "%s further sets of columns that single out are not listed",
                 bt_count_text((int64_t)(found->count - MOST_SETS), number));
        bt_put_text(&j->facts, j->notes, NULL, text);
    }
    if (found->complete) return;
    snprintf(text, sizeof text,
             "sets of more than %zu column%s were not searched: that would take too long",
             found->searched, found->searched == 1 ? "" : "s");
    bt_put_text(&j->facts, j->notes, NULL, text);
}

static void put_sets(job *j, const bt_singling *found)
{
    bt_facts *facts = &j->facts;
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

/* ------------------------------------------------------------------------------------------ */

static bauta_status describe(job *j, bauta_error *error)
{
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_load(j->recipe, &j->run, true, &j->loaded, error));
    BT_TRY(bt_profile_table(&j->loaded.table, &j->arena, &j->profiles, error));
    bt_put_int(&j->facts, j->facts.root, "rows", j->loaded.table.rows);
    j->notes = json_array();
    BT_TRY(choose_quasi(j, error));
    put_columns(j);
    BT_TRY(put_risk(j, error));
    BT_TRY(search_sets(j, error));
    bt_put_json(&j->facts, j->facts.root, "notes", json_incref(j->notes));
    return BAUTA_OK;
}

bauta_status bauta_describe(const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    if (report) *report = NULL;
    if (!recipe) return bt_fail(error, BAUTA_USAGE, "a recipe is needed");
    job j = {.recipe = recipe};
    bt_facts_init(&j.facts);
    bauta_status status = describe(&j, error);
    json_decref(j.notes);
    bt_loaded_release(&j.loaded);
    bt_run_close(&j.run);
    bt_arena_release(&j.arena);
    if (status == BAUTA_OK) return bt_report_give(BT_REPORT_DESCRIBE, &j.facts, report, error);
    bt_facts_release(&j.facts);
    return status;
}
