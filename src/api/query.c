/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_query and the handle behind it: a release is opened once, answers many questions and hands
 * out its tables. Nothing of it changes then, so any number of threads may use it.
 */
#include "query/query.h"

#include "api/api.h"
#include "job/load.h"
#include "reading/tables.h"

struct bauta_release {
    bt_release release;
    bt_queryable *queryable;
    bt_query_options options;
    bt_buffer bounds; /* the text of bounds.csv, where there is one */
};

/* ---- opening ---- */

static bauta_status open_release(const char *publish, const bauta_recipe *recipe, const bt_run *run,
                                 bauta_release *out, bauta_error *error)
{
    out->options.explain = recipe->explain;
    out->options.estimator = recipe->estimator;
    bauta_status status = bt_release_open(publish, run, &out->release, error);
    if (status == BAUTA_OK) status = bt_release_code_others(&out->release, run, error);
    if (status == BAUTA_OK) status = bt_queryable_open(&out->release, run, &out->queryable, error);
    if (status == BAUTA_INVALID && error && error->file[0] == '\0')
        bt_error_place(error, publish, error->row, NULL);
    return status;
}

static void close_release(bauta_release *release)
{
    bt_queryable_close(release->queryable);
    bt_buffer_release(&release->bounds);
    bt_release_close(&release->release);
}

/* A release is replaced, or a store ends: what a stream may be asked for is read now. */
static bauta_status keep_bounds(bauta_release *release, bauta_error *error)
{
    bool found;
    if (!release->release.distribution.bounds) return BAUTA_OK;
    return bt_store_text(release->release.store, BT_SHELF_PUBLISH, "bounds.csv", SIZE_MAX,
                         &release->bounds, &found, error);
}

static bauta_status open_handle(const char *publish, const bauta_recipe *recipe,
                                bauta_release **out, bauta_error *error)
{
    bt_run run = {0};
    bauta_release *release = bt_array_zero(1, sizeof *release);
    bauta_status status = release ? bt_run_open(recipe, &run, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = open_release(publish, recipe, &run, release, error);
    if (status == BAUTA_OK) status = keep_bounds(release, error);
    bt_run_close(&run);
    if (status == BAUTA_OK)
        *out = release;
    else
        bauta_release_free(release);
    return status;
}

bauta_status bauta_release_open(const char *publish, const bauta_recipe *recipe,
                                bauta_release **out, bauta_error *error)
{
    bauta_recipe *empty = NULL;
    bauta_status status = BAUTA_OK;
    bt_error_clear(error);
    *out = NULL;
    if (!publish) return bt_fail(error, BAUTA_USAGE, "a release is needed");
    if (!recipe) status = bauta_recipe_new(&empty, error);
    if (status == BAUTA_OK) status = open_handle(publish, recipe ? recipe : empty, out, error);
    bauta_recipe_free(empty);
    return status;
}

void bauta_release_free(bauta_release *release)
{
    if (!release) return;
    close_release(release);
    free(release);
}

/* ---- tables ---- */

const char *bauta_release_table_name(const bauta_release *release, size_t index)
{
    if (!release || index >= bt_tables_count(&release->release)) return NULL;
    return bt_table_name(&release->release, index);
}

bauta_status bauta_release_table(const bauta_release *release, const char *table, unsigned options,
                                 struct ArrowArrayStream *out, bauta_error *error)
{
    bt_error_clear(error);
    if (!release || !table || !out)
        return bt_fail(error, BAUTA_USAGE, "a release, a table and a stream are needed");
    *out = (struct ArrowArrayStream){.release = NULL};
    if (options & ~(unsigned)BAUTA_TABLE_RANGES)
        return bt_fail(error, BAUTA_USAGE, "there are no such options");
    const char *name;
    for (size_t i = 0; (name = bauta_release_table_name(release, i)); i++)
        if (strcmp(name, table) == 0)
            return bt_table_stream(&release->release, i, (options & BAUTA_TABLE_RANGES) != 0,
                                   &release->bounds, out, error);
    return bt_fail(error, BAUTA_USAGE, "the release has no table '%s'", table);
}

/* ---- one query ---- */

static void put_answer(const char *query, const bt_answer *answer, bt_facts *facts, json_t *at)
{
    bt_put_text(facts, at, "query", query);
    bt_answer_put(answer, facts, at);
}

bauta_status bauta_release_query(bauta_release *release, const char *query, bauta_report **report,
                                 bauta_error *error)
{
    bt_facts facts;
    bt_answer answer;
    bt_error_clear(error);
    if (report) *report = NULL;
    if (!release || !query) return bt_fail(error, BAUTA_USAGE, "a release and a query are needed");
    bauta_status status = bt_query(release->queryable, query, &release->options, &answer, error);
    if (status == BAUTA_OK) {
        bt_facts_init(&facts);
        put_answer(query, &answer, &facts, facts.root);
        status = bt_report_give(BT_REPORT_QUERY, &facts, report, error);
    }
    bt_answer_release(&answer);
    return status;
}

/* ---- several, as many at once as there are threads ---- */

typedef struct asking {
    bauta_release release;
    const char *const *queries;
    bt_answer *answers;
} asking;

static bauta_status ask(void *user, size_t number, unsigned worker, bauta_error *error)
{
    (void)worker;
    asking *all = user;
    if (!all->queries[number]) return bt_fail(error, BAUTA_USAGE, "a query is needed");
    bauta_status status = bt_query(all->release.queryable, all->queries[number],
                                   &all->release.options, &all->answers[number], error);
    if (status != BAUTA_OK && error) error->row = (int64_t)number + 1;
    return status;
}

static bauta_status give_answers(const asking *all, size_t count, bauta_report **report,
                                 bauta_error *error)
{
    bt_facts facts;
    bt_facts_init_array(&facts);
    for (size_t i = 0; i < count; i++)
        put_answer(all->queries[i], &all->answers[i], &facts,
                   bt_put_object(&facts, facts.root, NULL));
    return bt_report_give(BT_REPORT_QUERY, &facts, report, error);
}

static bauta_status answer_all(const char *publish, const bauta_recipe *recipe, asking *all,
                               size_t count, bauta_report **report, bauta_error *error)
{
    bt_run run = {0};
    all->answers = bt_array_zero(count, sizeof *all->answers);
    bauta_status status = all->answers ? bt_run_open(recipe, &run, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = open_release(publish, recipe, &run, &all->release, error);
    if (status == BAUTA_OK) status = bt_pool_run(run.pool, count, ask, all, error);
    if (status == BAUTA_OK) status = give_answers(all, count, report, error);
    for (size_t i = 0; all->answers && i < count; i++)
        bt_answer_release(&all->answers[i]);
    free(all->answers);
    close_release(&all->release);
    bt_run_close(&run);
    return status;
}

bauta_status bauta_query(const char *publish, const char *const *queries, size_t count,
                         const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    bauta_recipe *empty = NULL;
    asking all = {.queries = queries};
    bauta_status status = BAUTA_OK;
    bt_error_clear(error);
    if (report) *report = NULL;
    if (!publish || (count > 0 && !queries))
        return bt_fail(error, BAUTA_USAGE, "a release and queries are needed");
    if (!recipe) status = bauta_recipe_new(&empty, error);
    if (status == BAUTA_OK)
        status = answer_all(publish, recipe ? recipe : empty, &all, count, report, error);
    bauta_recipe_free(empty);
    return status;
}
