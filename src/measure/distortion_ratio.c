/* SPDX-License-Identifier: Apache-2.0
 *
 * Distortion ratio (Wong, Li, Fu and Wang 2006): the sum of the heights to which cells were
 * generalized over what it would be with every cell at the root. A column without a hierarchy
 * is a flat tree of height 1; a dropped row is at the root in each column.
 */
#include "measure/measure.h"

static uint64_t root_height(const bt_measure_column *column)
{
    return column->hierarchy ? column->hierarchy->nodes[0].level : 1;
}

static uint64_t height(const bt_measure_column *column, const bt_cell *cell)
{
    if (cell->kind == BT_CELL_ALL) return root_height(column);
    if (cell->kind == BT_CELL_MISSING || cell->kind == BT_CELL_VALUE) return 0;
    return cell->kind == BT_CELL_NODE ? column->hierarchy->nodes[cell->node].level : 1;
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    unsigned __int128 sum = 0, most = 0;
    for (size_t i = 0; i < job->column_count; i++) {
        const bt_measure_column *column = &job->columns[i];
        sum += (unsigned __int128)job->dropped * root_height(column);
        most += (unsigned __int128)job->rows * root_height(column);
        for (uint32_t v = 0; v < column->cells; v++) {
            bt_cell cell;
            int64_t rows = column->cell(column, v, &cell);
            sum += (unsigned __int128)rows * height(column, &cell);
        }
    }
    bt_put_real(facts, at, "distortion_ratio", most > 0 ? (double)sum / (double)most : 0);
}

const bt_measure bt_measure_distortion_ratio = {
    .name = "distortion_ratio",
    .summary = "height of generalization over that of a fully generalized table, 0 to 1",
    .paper = "Wong, Li, Fu and Wang 2006",
    .direction = BT_LOWER_IS_BETTER,
    .of_grouping = true,
    .compute = compute,
};
