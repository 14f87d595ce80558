/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of measures, and the few numbers about the original that they need.
 */
#include "measure/measure.h"

#include "reading/compared.h"

#define BT_MEASURE(name) extern const bt_measure bt_measure_##name;
#include "measure/measures.def"
#undef BT_MEASURE

const bt_measure *const bt_measure_registry[] = {
#define BT_MEASURE(name) &bt_measure_##name,
#include "measure/measures.def"
#undef BT_MEASURE
};
const size_t bt_measure_registry_count = sizeof bt_measure_registry / sizeof *bt_measure_registry;

bauta_status bt_measure_attack(const bt_release *release, const bt_run *run, bt_facts *facts,
                               json_t *at, bauta_error *error)
{
    const bt_measure_job job = {.release = release, .run = run};
    if (release->form->parts)
        return bt_fail(error, BAUTA_INVALID,
                       "the release shows parts of the domain, not values that could be similar");
    for (size_t i = 0; i < release->column_count; i++) {
        if (!release->columns[i].category) continue;
        bt_measure_similarity.compute(&job, facts, at);
        return bt_facts_check(facts, error);
    }
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the release has no categories of sensitive values");
    bt_error_hint(error, "give them when it is made, with --categories COL=FILE or in the recipe");
    return status;
}

void bt_shown_cell(const bt_release_column *column, uint32_t code, bt_cell *out)
{
    *out = column->well_formed[code] ? column->cells[code] : (bt_cell){.kind = BT_CELL_ALL};
}

static int64_t distinct_cell(const bt_measure_column *column, uint32_t number, bt_cell *out)
{
    const bt_release_column *shown = column->source;
    bt_shown_cell(shown, number, out);
    return shown->values->rows[number];
}

bt_measure_column *bt_measure_columns(const bt_release *release, const bt_original_facts *original,
                                      bt_arena *arena, size_t *count)
{
    bt_measure_column *columns = bt_arena_array(arena, release->column_count, sizeof *columns);
    *count = 0;
    for (size_t i = 0; columns && i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        columns[*count] = (bt_measure_column){.name = column->manifest->name,
                                              .hierarchy = column->format.hierarchy,
                                              .type = column->manifest->type,
                                              .scale = column->manifest->scale,
                                              .values_shown = column->values_shown,
                                              .original = original->columns[*count],
                                              .cells = column->values->count,
                                              .cell = distinct_cell,
                                              .source = column,
                                              .place = i};
        ++*count;
    }
    return columns;
}

bauta_status bt_measure_all(const bt_release *release, const bt_original_facts *original,
                            const bt_run *run, bt_facts *facts, json_t *at, bauta_error *error)
{
    int64_t dropped = release->manifest.dropped_rows;
    int64_t records = bt_records_hidden(release) ? original->rows - dropped /* not published */
                                                 : bt_release_records(release);
    if (original->rows - records != dropped)
        return bt_fail(error, BAUTA_INVALID,
                       "the original has %lld records, the release has %lld rows and says that "
                       "%lld were dropped",
                       (long long)original->rows, (long long)records, (long long)dropped);
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_measure_job job = {.sizes = release->classes.size,
                          .classes = release->classes.count,
                          .rows = release->rows + dropped,
                          .dropped = dropped,
                          .least = bt_requirements_least_size(&release->manifest.promises),
                          .release = release,
                          .run = run};
    job.columns = bt_measure_columns(release, original, &scratch, &job.column_count);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t i = 0; i < bt_measure_registry_count; i++)
        bt_measure_registry[i]->compute(&job, facts, at);
    bt_weighted_put(&job, facts, at);
    return bt_facts_check(facts, error);
}

/* A number of the original at the scale that both need. */
static bauta_status rescale(const bt_release_column *column, const bt_domain *domain, int scale,
                            int64_t number, int64_t *out, bauta_error *error)
{
    bool fits = true;
    *out = number;
    for (int i = domain->scale; fits && i < scale; i++)
        fits = !__builtin_mul_overflow(*out, (int64_t)10, out);
    if (fits) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID,
                   "the numbers of column '%s' do not fit those of the release",
                   column->manifest->name);
}

static bauta_status describe_column(const bt_release_column *column, const bt_table *table,
                                    bt_original_column *out, bauta_error *error)
{
    const bt_column *original = bt_table_find(table, column->manifest->name);
    if (original) out->weight = original->steering.weight;
    if (column->format.hierarchy) return BAUTA_OK; /* its leaves say all that is needed */
    BT_TRY(bt_original_find(table, column->manifest->name, &original, error));
    const bt_domain *domain = &original->domain;
    out->values = bt_domain_present(domain);
    if (!domain->number || out->values == 0) return BAUTA_OK;
    int scale = column->manifest->scale;
    out->scale = domain->scale > scale ? domain->scale : scale;
    BT_TRY(rescale(column, domain, out->scale, domain->number[0], &out->least, error));
    return rescale(column, domain, out->scale, domain->number[out->values - 1], &out->greatest,
                   error);
}

bauta_status bt_original_describe(const bt_release *release, const bt_table *table, int64_t rows,
                                  bt_arena *arena, bt_original_facts *out, bauta_error *error)
{
    bt_original_column *columns = bt_arena_array(arena, release->column_count, sizeof *columns);
    size_t count = 0;
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < release->column_count; i++)
        if (release->columns[i].manifest->role == BT_ROLE_QUASI)
            BT_TRY(describe_column(&release->columns[i], table, &columns[count++], error));
    *out = (bt_original_facts){rows, columns};
    return BAUTA_OK;
}
