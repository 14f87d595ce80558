/* SPDX-License-Identifier: Apache-2.0
 *
 * Normalized certainty penalty (Xu et al. 2006), as the whole project defines it: of a cell 0 if
 * it is the original value; of a node the leaves under it over all leaves; otherwise for
 * numbers and dates (hi - lo) / (max - min) of the original, for sets (members - 1) / (values - 1);
 * of "*" 1. Of a release the mean over all quasi cells of all original records, a dropped one
 * counting 1 in each.
 *
 * All cells of a column have one denominator, so sums are exact integers; only the last
 * division rounds. Cost: one step per distinct cell.
 */
#include "measure/measure.h"

uint64_t bt_ncp_whole(const bt_release_column *column, const bt_original_column *original)
{
    uint64_t whole;
    if (column->format.hierarchy)
        whole = column->format.hierarchy->leaves;
    else if (column->manifest->type == BT_TEXT)
        whole = original->values ? original->values - 1 : 0;
    else
        whole = (uint64_t)original->greatest - (uint64_t)original->least;
    return whole ? whole : 1;
}

uint64_t bt_ncp_part(const bt_release_column *column, uint32_t code,
                     const bt_original_column *original, uint64_t whole)
{
    const bt_cell *cell = &column->cells[code];
    const bt_node *node;
    uint64_t part = whole;
    if (!column->well_formed[code]) return whole;
    switch (cell->kind) {
    case BT_CELL_ALL: break;
    case BT_CELL_MISSING:
    case BT_CELL_VALUE: part = 0; break;
    case BT_CELL_RANGE: part = bt_range_length(column, cell, original); break;
    case BT_CELL_SET: part = cell->count - 1; break;
    case BT_CELL_NODE:
        node = &column->format.hierarchy->nodes[cell->node];
        part = node->hi - node->lo;
        break;
    }
    return part < whole ? part : whole;
}

static double column_ncp(const bt_measure_job *job, const bt_release_column *column,
                         const bt_original_column *original)
{
    uint64_t whole = bt_ncp_whole(column, original);
    unsigned __int128 sum = (unsigned __int128)job->dropped * whole;
    for (uint32_t i = 0; i < column->values->count; i++)
        sum += (unsigned __int128)column->values->rows[i] * bt_ncp_part(column, i, original, whole);
    return job->rows > 0 ? (double)sum / ((double)whole * (double)job->rows) : 0;
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    const bt_release *release = job->release;
    json_t *by_column = json_object();
    double total = 0;
    size_t count = 0;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        double ncp = column_ncp(job, column, &job->original->columns[count++]);
        bt_put_real(facts, by_column, column->manifest->name, ncp);
        total += ncp;
    }
    bt_put_real(facts, at, "ncp", count > 0 ? total / (double)count : 0);
    bt_put_json(facts, at, "ncp_by_column", by_column);
}

const bt_measure bt_measure_ncp = {
    .name = "ncp",
    .summary = "normalized certainty penalty, 0 (nothing lost) to 1; also by column",
    .paper = "Xu, Wang, Pei, Wang, Shi and Fu 2006",
    .direction = BT_LOWER_IS_BETTER,
    .compute = compute,
};
