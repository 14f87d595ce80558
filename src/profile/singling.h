/* SPDX-License-Identifier: Apache-2.0
 *
 * The smallest sets of columns that single people out: those that make at least a share of the
 * rows unique while no part of them does.
 *
 * Exact, by size: all sets of one column, of two, and so on. A set that singles out is never
 * enlarged; one that cannot, because its columns together have too few different tuples, is
 * never counted. A size is searched as a whole or not at all: the search ends before a size
 * that would cost more than what is left of the budget.
 *
 * Cost: about as many steps as sets times rows; memory 12 bytes a row and worker, and 16 bytes
 * for each code of the largest column and worker.
 */
#ifndef BT_SINGLING_H
#define BT_SINGLING_H

#include "base/rational.h"
#include "base/run.h"
#include "table/tuples.h"

typedef struct bt_singling_column {
    bt_codes codes;
    uint32_t classes; /* different values, the missing one among them */
    int64_t unique;   /* rows whose value no other row has */
} bt_singling_column;

typedef struct bt_singling_set {
    size_t size;
    const uint32_t *columns; /* ascending */
    int64_t unique;          /* rows that are unique by these columns */
} bt_singling_set;

typedef struct bt_singling {
    bt_singling_set *sets; /* by size, then the most unique rows first */
    size_t count, capacity;
    size_t searched; /* all sets of up to this many columns were searched */
    bool complete;   /* and larger ones cannot be minimal, or do not exist */
} bt_singling;

enum { BT_SINGLING_BUDGET = 500000000 }; /* steps */

/* Memory of the sets from the arena; out->sets is freed by bt_singling_release. */
BT_MUST_USE bauta_status bt_singling_search(const bt_singling_column *columns, size_t count,
                                            int64_t rows, bt_rational share, int64_t budget,
                                            const bt_run *run, bt_arena *arena, bt_singling *out,
                                            bauta_error *error);
void bt_singling_release(bt_singling *singling);

#endif
