/* SPDX-License-Identifier: Apache-2.0
 *
 * A grouping as a source of cells. Only src/measure may include this.
 */
#ifndef BT_MEASURE_GROUPING_H
#define BT_MEASURE_GROUPING_H

#include "measure/measure.h"

typedef struct bt_grouping_cells {
    const bt_grouping *grouping;
    const bt_column *const *quasi;
    const uint32_t *rows;       /* per class: rows that show its cells */
    bt_measure_column *columns; /* made: one for each quasi column, which borrow this */
    uint64_t *seen;             /* a bit for each code of any column; all zero between calls */
} bt_grouping_cells;

/* Makes the columns, with memory from the arena. */
BT_MUST_USE bauta_status bt_grouping_show(bt_grouping_cells *cells, bt_arena *arena,
                                          bauta_error *error);

#endif
