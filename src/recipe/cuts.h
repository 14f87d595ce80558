/* SPDX-License-Identifier: Apache-2.0
 *
 * Cut points of a column of numbers or dates without a hierarchy, as the recipe declares them:
 * cells then are whole cells of this grid, "[20,39]" for values from 23 to 34 with cuts at every
 * tenth, and say nothing of where the values are that they stand for.
 *
 * Cell i of the grid holds the numbers from cut i up to, but not including, cut i + 1; every value
 * lies in one. The missing value has no place on the grid and stays what it is.
 */
#ifndef BT_CUTS_H
#define BT_CUTS_H

#include "table/table.h"

typedef struct bt_cuts {
    size_t count;          /* at least 2 */
    const int64_t *number; /* ascending, in the column's scale */
    const uint32_t *first; /* with a domain: the first code of each cell of the grid (count of
                              them; the last: behind all that are present); NULL: without */
} bt_cuts;

enum { BT_CUTS_MOST = 1 << 20 };

/* Reads "0,10,20", or "0:120:10" for 0, 10, … 120. Dates are written as in the data or as
 * 2024-02-29. BAUTA_INVALID also when the column has text or a value lies outside. Memory from
 * the arena. */
BT_MUST_USE bauta_status bt_cuts_build(const char *text, const bt_column *column, bt_arena *arena,
                                       bt_cuts **out, bauta_error *error);

/* The cell of the grid that holds a number: 0..count-2. The number lies within. */
size_t bt_cuts_find(const bt_cuts *cuts, int64_t number);

/* The codes of all grid cells that codes lo..hi, all present, touch. */
void bt_cuts_widen(const bt_column *column, uint32_t *lo, uint32_t *hi);

/* What their cell says: the least and the greatest number, both included. */
void bt_cuts_range(const bt_column *column, uint32_t lo, uint32_t hi, int64_t *least,
                   int64_t *greatest);

#endif
