/* SPDX-License-Identifier: Apache-2.0
 *
 * Normalized certainty penalty (Xu et al. 2006), as the whole project defines it: of a cell 0 if
 * it is the original value; of a node the leaves under it over all leaves; otherwise for
 * numbers and dates (hi - lo) / (max - min) of the original, for sets (members - 1) / (values - 1);
 * of "*" 1. Of a release the mean over all quasi cells of all original records, a dropped one
 * counting 1 in each.
 *
 * All cells of a column have one denominator, so sums are exact integers; only the last
 * division rounds. Cost: one step per distinct cell, or per class of a grouping.
 */
#include "measure/measure.h"

static uint64_t whole_of(const bt_measure_column *column)
{
    const bt_original_column *original = &column->original;
    uint64_t whole;
    if (column->hierarchy)
        whole = column->hierarchy->leaves;
    else if (column->type == BT_TEXT)
        whole = original->values ? original->values - 1 : 0;
    else
        whole = (uint64_t)original->greatest - (uint64_t)original->least;
    return whole ? whole : 1;
}

static uint64_t part_of(const bt_measure_column *column, const bt_cell *cell, uint64_t whole)
{
    const bt_node *node;
    uint64_t part = whole;
    switch (cell->kind) {
    case BT_CELL_ALL: break;
    case BT_CELL_MISSING:
    case BT_CELL_VALUE: part = 0; break;
    case BT_CELL_RANGE: part = bt_range_length(column, cell); break;
    case BT_CELL_SET: part = cell->count - 1; break;
    case BT_CELL_NODE:
        node = &column->hierarchy->nodes[cell->node];
        part = node->hi - node->lo;
        break;
    }
    return part < whole ? part : whole;
}

static double column_ncp(const bt_measure_job *job, const bt_measure_column *column)
{
    uint64_t whole = whole_of(column);
    unsigned __int128 sum = (unsigned __int128)job->dropped * whole;
    for (uint32_t i = 0; i < column->cells; i++) {
        bt_cell cell;
        int64_t rows = column->cell(column, i, &cell);
        sum += (unsigned __int128)rows * part_of(column, &cell, whole);
    }
    return job->rows > 0 ? (double)sum / ((double)whole * (double)job->rows) : 0;
}

double bt_ncp(const bt_measure_job *job)
{
    double sum = 0;
    for (size_t i = 0; i < job->column_count; i++)
        sum += column_ncp(job, &job->columns[i]);
    return job->column_count > 0 ? sum / (double)job->column_count : 0;
}

void bt_weighted_put(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    double sum = 0, weights = 0;
    bool differ = false;
    for (size_t i = 0; i < job->column_count; i++) {
        bt_rational given = job->columns[i].original.weight;
        double weight = given.bottom ? (double)given.top / (double)given.bottom : 1;
        differ = differ || given.top != given.bottom;
        sum += weight * column_ncp(job, &job->columns[i]);
        weights += weight;
    }
    if (differ) bt_put_real(facts, at, "weighted_ncp", weights > 0 ? sum / weights : 0);
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    double sum = 0;
    json_t *by_column = json_object();
    for (size_t i = 0; i < job->column_count; i++) {
        double ncp = column_ncp(job, &job->columns[i]);
        bt_put_real(facts, by_column, job->columns[i].name, ncp);
        sum += ncp;
    }
    bt_put_real(facts, at, "ncp", job->column_count > 0 ? sum / (double)job->column_count : 0);
    bt_put_json(facts, at, "ncp_by_column", by_column);
}

const bt_measure bt_measure_ncp = {
    .name = "ncp",
    .summary = "normalized certainty penalty, 0 (nothing lost) to 1; also by column",
    .paper = "Xu, Wang, Pei, Wang, Shi and Fu 2006",
    .direction = BT_LOWER_IS_BETTER,
    .of_grouping = true,
    .compute = compute,
};
