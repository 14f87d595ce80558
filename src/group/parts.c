/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts: the records by the highest nodes that max-level allows for their values. A class within
 * one part can be published within the limits, and one that mixes two cannot.
 *
 * Cost: linear in rows times limited columns.
 */
#include "class/steer.h"
#include "group/method.h"
#include "table/order.h"
#include "table/tuples.h"

bool bt_parts_needed(const bt_table *table)
{
    for (size_t c = 0; c < table->count; c++)
        if (table->columns[c].role == BT_ROLE_QUASI && bt_is_limited(&table->columns[c]))
            return true;
    return false;
}

/* The highest node of each row's value. */
static bauta_status find_nodes(const bt_column *column, int64_t rows, bt_codes *out,
                               bauta_error *error)
{
    uint32_t *highest = bt_array(column->domain.size, sizeof *highest);
    uint32_t *nodes = bt_array((size_t)rows, sizeof *nodes);
    *out = (bt_codes){nodes, sizeof *nodes, column->hierarchy->count};
    bool made = highest && nodes;
    for (uint32_t code = 0; made && code < column->domain.size; code++)
        highest[code] = bt_highest_node(column, code);
    for (int64_t row = 0; made && row < rows; row++)
        nodes[row] = highest[bt_column_code(column, row)];
    free(highest);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

/* Puts the rows into the order of their parts, which are numbered by their first rows. */
static bauta_status arrange(const bt_tuples *tuples, const uint32_t *part_of, int64_t rows,
                            bt_parts *out, bauta_error *error)
{
    uint32_t *next = bt_array_zero((size_t)tuples->count + 1, sizeof *next);
    out->count = tuples->count;
    out->order = bt_array((size_t)rows, sizeof *out->order);
    out->starts = bt_array_zero((size_t)tuples->count + 1, sizeof *out->starts);
    bool made = next && out->order && out->starts;
    for (uint32_t i = 0; made && i < tuples->count; i++)
        out->starts[i + 1] = next[i + 1] = out->starts[i] + tuples->size[i];
    for (int64_t row = 0; made && row < rows; row++)
        out->order[next[part_of[row]]++] = (uint32_t)row;
    free(next);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_parts_group(const bt_codes *nodes, size_t count, int64_t rows, const bt_run *run,
                            bt_parts *out, bauta_error *error)
{
    *out = (bt_parts){0};
    bt_tuples tuples = {0};
    uint32_t *part_of = bt_array((size_t)rows, sizeof *part_of);
    bauta_status status = part_of ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_tuples_number(nodes, count, rows, run, &tuples, part_of, NULL, error);
    if (status == BAUTA_OK) status = arrange(&tuples, part_of, rows, out, error);
    bt_tuples_release(&tuples);
    free(part_of);
    return status;
}

/* Puts parts, which are numbered by their first rows, into the order of their nodes. */
static bauta_status order_parts(const bt_codes *nodes, size_t count, bt_parts *parts,
                                bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t rows = parts->starts[parts->count];
    uint32_t *first = bt_arena_array(&scratch, parts->count, sizeof *first);
    uint32_t *sorted = bt_arena_array(&scratch, parts->count, sizeof *sorted);
    bt_parts made = {.count = parts->count};
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t p = 0; p < parts->count; p++)
        first[p] = parts->order[parts->starts[p]];
    BT_TRY(bt_order_rows(nodes, count, first, parts->count, sorted, error));
    made.order = bt_array(rows, sizeof *made.order);
    made.starts = bt_array_zero((size_t)parts->count + 1, sizeof *made.starts);
    if (!made.order || !made.starts) {
        bt_parts_release(&made);
        return bt_fail_memory(error);
    }
    for (uint32_t p = 0; p < parts->count; p++) {
        uint32_t from = parts->starts[sorted[p]], size = parts->starts[sorted[p] + 1] - from;
        memcpy(made.order + made.starts[p], parts->order + from, size * sizeof *made.order);
        made.starts[p + 1] = made.starts[p] + size;
    }
    bt_parts_release(parts);
    *parts = made;
    return BAUTA_OK;
}

bauta_status bt_parts_make(const bt_table *table, const bt_run *run, bt_parts *out,
                           bauta_error *error)
{
    size_t count = 0;
    bauta_status status = BAUTA_OK;
    *out = (bt_parts){0};
    bt_codes *nodes = bt_array_zero(table->count, sizeof *nodes);
    if (!nodes) return bt_fail_memory(error);
    for (size_t c = 0; c < table->count && status == BAUTA_OK; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role == BT_ROLE_QUASI && bt_is_limited(column))
            status = find_nodes(column, table->rows, &nodes[count++], error);
    }
    if (status == BAUTA_OK) status = bt_parts_group(nodes, count, table->rows, run, out, error);
    if (status == BAUTA_OK) status = order_parts(nodes, count, out, error);
    for (size_t i = 0; i < count; i++)
        free((void *)(uintptr_t)nodes[i].codes);
    free(nodes);
    return status;
}

void bt_parts_release(bt_parts *parts)
{
    free(parts->order);
    free(parts->starts);
    free(parts->of);
    *parts = (bt_parts){0};
}

static bauta_status put_in_order(const bt_parts *parts, int64_t rows, const bt_runs *runs,
                                 bauta_error *error)
{
    void *aside = bt_array((size_t)rows, runs->times ? sizeof(uint64_t) : sizeof(uint32_t));
    if (!aside) return bt_fail_memory(error);
    bt_runs_arrange(runs, 0, (uint32_t)rows, parts->order, aside);
    free(aside);
    return BAUTA_OK;
}

bauta_status bt_parts_runs(const bt_method_job *job, const bt_column *const *quasi, size_t columns,
                           bt_runs *out, bauta_error *error)
{
    int64_t rows = job->table->rows;
    const bt_people *people = job->requirements->people;
    BT_TRY(bt_runs_make(rows, quasi, columns, people->profile_of, people->counts, out, error));
    if (job->parts) BT_TRY(put_in_order(job->parts, rows, out, error));
    for (size_t c = 0; c < columns; c++)
        BT_TRY(bt_raise_codes(quasi[c], out->codes[c], rows, error));
    return BAUTA_OK;
}
