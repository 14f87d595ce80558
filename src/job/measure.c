/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta measure`: the measures of one release, or of several side by side.
 *
 * Facts of a release: `release` (as it was named), `rows` (of the original), `published`, and
 * every measure under its name; for the similarity attack alone, which needs no original, only
 * `release`, `published` and `similarity`. Of a join `join` has the measures of the records of the
 * microdata, or is null where private/mapping.csv is not there to tell them. Several releases:
 * `releases`, a list of these. A workload is drawn from the original as the first release describes
 * it; all are asked the same.
 */
#include "measure/measure.h"
#include "measure/knowledge.h"
#include "query/workload.h"

#include "job/commands.h"
#include "job/joined.h"
#include "job/original.h"
#include "job/whole.h"

#include <string.h>

static bauta_status draw_workload(const bauta_recipe *recipe, const bt_table *table,
                                  const bt_run *run, bt_workload *out, bauta_error *error)
{
    enum { QUERIES = 1000 };
    const bt_workload_wish wish = {
        .name = recipe->workload,
        .seed = recipe->seed ? recipe->seed : "1",
        .count = recipe->queries ? (size_t)recipe->queries : QUERIES,
    };
    return bt_workload_draw(&wish, table, run, out, error);
}

/* The release is asked as whoever receives it would: without the trees that only the owner has. */
static bauta_status ask_workload(const bt_workload *workload, const char *folder, const bt_run *run,
                                 bt_facts *facts, json_t *at, bauta_error *error)
{
    bt_queryable *queryable = NULL;
    bt_release release = {0};
    bauta_status status = bt_release_open(folder, run, &release, error);
    if (status == BAUTA_OK) status = bt_release_code_others(&release, run, error);
    if (status == BAUTA_OK) status = bt_queryable_open(&release, run, &queryable, error);
    if (status == BAUTA_OK) status = bt_workload_ask(workload, queryable, run, facts, at, error);
    bt_queryable_close(queryable);
    bt_release_close(&release);
    return status;
}

/* What needs the original records. Samples are drawn with the seed that was given, or with 1. */
static bauta_status put_knowledge(const bauta_recipe *recipe, const bt_release *release,
                                  const bt_table *original, const bt_run *run, bt_facts *facts,
                                  json_t *at, bauta_error *error)
{
    bt_compared compared;
    bt_run own = *run;
    bt_knowledge_job job = {release, &compared, recipe->associations, &own, facts, at};
    if (!recipe->seed && !bt_seed_parse("1", &own.seed))
        return bt_fail(error, BAUTA_INTERNAL, "a seed cannot be read");
    bauta_status status = bt_compared_make(release, original, &compared, error);
    if (status == BAUTA_OK && release->form->redrawn) status = bt_measure_disclosure(&job, error);
    if (status == BAUTA_OK && recipe->associations) status = bt_measure_associations(&job, error);
    if (status == BAUTA_OK && recipe->pairs) status = bt_measure_pairs(&job, error);
    bt_compared_release(&compared);
    return status == BAUTA_OK ? bt_facts_check(facts, error) : status;
}

/* The losses of paper 5, if the owner kept what they need. */
static bauta_status put_join(const bt_release *release, const bt_original_facts *about,
                             const bt_run *run, bt_facts *facts, json_t *at, bauta_error *error)
{
    uint32_t *records;
    bauta_status status = BAUTA_OK;
    if (!release->form->join) return BAUTA_OK;
    BT_TRY(bt_joined_records(release, run, &records, error));
    if (records)
        status = bt_measure_join(release, about, records, facts, at, error);
    else
        bt_put_null(facts, at, "join");
    free(records);
    return status;
}

/* The trees that the release lacks, without which nothing can be said of how much a node is. */
static bauta_status complete(bt_release *release, const bauta_recipe *recipe, const bt_run *run,
                             bt_original *trees, bauta_error *error)
{
    bool asked = false;
    if (release->form->redrawn) return BAUTA_OK;
    BT_TRY(bt_whole_find(release, true, error));
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (release->manifest.format == 0 || !bt_release_lacks_tree(column)) continue;
        const char *name = column->manifest->name;
        /* What rows were dropped for only the recipe says, and so which values there were. */
        bool follows = bt_whole_follows(&release->manifest, column->manifest) &&
                       (release->manifest.dropped_rows == 0 || bt_recipe_has_tree(recipe, name));
        if (!follows && !bt_whole_given(recipe, name))
            return bt_whole_lacking(release, name, "the loss of a column", error);
        asked = true;
    }
    return asked ? bt_original_load(recipe, release, BT_NEED_TREES, run, trees, error) : BAUTA_OK;
}

static bauta_status put_release(const char *folder, const bauta_recipe *recipe, const bt_run *run,
                                bt_workload *workload, bt_facts *facts, json_t *at,
                                bauta_error *error)
{
    bool draw = recipe->workload && !workload->seed;
    bt_release release = {0};
    bt_original original = {0}, trees = {0};
    bt_arena arena = {0};
    bt_original_facts about;
    bauta_status status = bt_release_open(folder, run, &release, error);
    if (status == BAUTA_OK) status = complete(&release, recipe, run, &trees, error);
    if (status != BAUTA_OK) goto out;
    bool records = recipe->associations || recipe->pairs || release.form->redrawn;
    status = bt_original_load(recipe, &release, draw || records ? BT_NEED_VALUES : BT_NEED_DOMAINS,
                              run, &original, error);
    if (status != BAUTA_OK) goto out;
    status = bt_original_describe(&release, &original.loaded.table, original.loaded.input_rows,
                                  &arena, &about, error);
    if (status != BAUTA_OK) goto out;
    bt_put_text(facts, at, "release", folder);
    bt_put_int(facts, at, "rows", about.rows);
    bt_put_int(facts, at, "published", release.rows);
    /* The measures are about classes and cells, of which a randomized release has none. */
    if (!release.form->redrawn) status = bt_measure_all(&release, &about, run, facts, at, error);
    if (status == BAUTA_OK && records)
        status = put_knowledge(recipe, &release, &original.loaded.table, run, facts, at, error);
    if (status == BAUTA_OK) status = put_join(&release, &about, run, facts, at, error);
    if (status == BAUTA_OK && draw)
        status = draw_workload(recipe, &original.loaded.table, run, workload, error);
    if (status == BAUTA_OK && recipe->workload)
        status = ask_workload(workload, folder, run, facts, at, error);
    if (status == BAUTA_INVALID && error && error->file[0] == '\0')
        bt_error_place(error, folder, error->row, NULL);
out:
    bt_original_release(&original);
    bt_original_release(&trees);
    bt_release_close(&release);
    bt_arena_release(&arena);
    return status;
}

static bauta_status put_attack(const char *folder, const bt_run *run, bt_facts *facts, json_t *at,
                               bauta_error *error)
{
    bt_release release = {0};
    bauta_status status = bt_release_open(folder, run, &release, error);
    if (status == BAUTA_OK) {
        bt_put_text(facts, at, "release", folder);
        bt_put_int(facts, at, "published", release.rows);
        status = bt_measure_attack(&release, run, facts, at, error);
        if (status == BAUTA_INVALID) bt_error_place(error, folder, -1, NULL);
    }
    bt_release_close(&release);
    return status;
}

/* What would be ignored is refused. */
static bauta_status check_workload(const bauta_recipe *recipe, bauta_error *error)
{
    if (recipe && recipe->workload && recipe->similarity)
        return bt_fail(error, BAUTA_USAGE,
                       "a workload needs the original records, which "
                       "'similarity' does without");
    if (recipe && (recipe->associations || recipe->pairs) && recipe->similarity)
        return bt_fail(error, BAUTA_USAGE,
                       "associations and pairs need the original records, which 'similarity' does "
                       "without");
    if (recipe && recipe->associations) BT_TRY(bt_associations_check(recipe->associations, error));
    if (recipe && recipe->workload) return bt_workload_check(recipe->workload, error);
    if (recipe && recipe->queries) return bt_fail(error, BAUTA_USAGE, "'queries' needs a workload");
    return BAUTA_OK;
}

static bauta_status check_inputs(const bauta_recipe *recipe, size_t releases, bauta_error *error)
{
    bauta_status status;
    if (recipe && recipe->similarity) return BAUTA_OK;
    if (!recipe || recipe->inputs.count == 0) {
        status = bt_fail(error, BAUTA_USAGE, "the original records are needed");
        bt_error_hint(error, "name their file with --original");
        return status;
    }
    for (size_t i = 0; releases > 1 && i < recipe->inputs.count; i++)
        if (strcmp(recipe->inputs.items[i], "-") == 0) {
            status =
                bt_fail(error, BAUTA_USAGE,
                        "standard input can be read only once, there are %zu releases", releases);
            bt_error_hint(error, "write the original records to a file first");
            return status;
        }
    return BAUTA_OK;
}

bauta_status bt_do_measure(const char *const *releases, size_t count, const bauta_recipe *recipe,
                           bt_facts *facts, bauta_error *error)
{
    bt_run run = {0};
    bt_workload workload = {0};
    BT_TRY(check_inputs(recipe, count, error));
    BT_TRY(check_workload(recipe, error));
    json_t *list = count > 1 ? bt_put_array(facts, facts->root, "releases") : NULL;
    bauta_status status = bt_run_open(recipe, &run, error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        json_t *at = count > 1 ? bt_put_object(facts, list, NULL) : facts->root;
        status = recipe->similarity
                     ? put_attack(releases[i], &run, facts, at, error)
                     : put_release(releases[i], recipe, &run, &workload, facts, at, error);
    }
    bt_workload_release(&workload);
    bt_run_close(&run);
    return status;
}
