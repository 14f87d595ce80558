/* SPDX-License-Identifier: Apache-2.0
 *
 * Cells on cut points: where the manifest declares some, every cell of the column begins at one
 * and ends right before another, so that its ends are nobody's values.
 *
 * Cost: one step per distinct cell.
 */
#include "audit/finding.h"

static bool is_cut(const bt_cuts *cuts, int64_t number)
{
    size_t last = cuts->count - 1;
    return number == cuts->number[last] || cuts->number[bt_cuts_find(cuts, number)] == number;
}

static bool is_on_grid(const bt_release_column *column, uint32_t code)
{
    const bt_cell *cell = &column->cells[code];
    const bt_cuts *cuts = column->manifest->cuts;
    if (cell->kind != BT_CELL_VALUE && cell->kind != BT_CELL_RANGE) return true;
    return is_cut(cuts, cell->lo) && cell->hi < INT64_MAX && is_cut(cuts, cell->hi + 1);
}

static void check_column(bt_audit_job *job, const bt_release_column *column)
{
    int64_t off = 0;
    for (uint32_t i = 0; i < column->values->count; i++)
        if (column->well_formed[i] && !is_on_grid(column, i)) off += column->values->rows[i];
    if (off == 0)
        bt_finding_put(job, "cut points", BT_HOLDS, BT_NO_ROW,
                       "every cell of column '%s' lies between declared cut points",
                       column->manifest->name);
    else
        bt_finding_put(job, "cut points", BT_FAILS, BT_NO_ROW,
                       "column '%s': %lld rows hold a cell that does not lie between declared cut "
                       "points",
                       column->manifest->name, (long long)off);
}

void bt_audit_grid(bt_audit_job *job)
{
    for (size_t i = 0; i < job->release->column_count; i++)
        if (job->release->columns[i].manifest->cuts) check_column(job, &job->release->columns[i]);
}
