/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing values anew (Yang and Qiao 2010, algorithms 1 and 2). Only src/publish may include this.
 *
 * Exact: which columns, and which value each gets, are drawn with whole numbers from streams of the
 * seed, one stream for each stretch of rows, so that the result does not depend on threads.
 */
#ifndef BT_REDRAW_H
#define BT_REDRAW_H

#include "base/run.h"
#include "class/mechanism.h"
#include "table/table.h"

/* Draws the columns of each record anew as the mechanism says, each from the distribution of its
 * values among the records that are not in `dropped` (rows bits; at least one is not). `from` are
 * the columns as they are, `to` the same with codes of their own, which are all written. */
BT_MUST_USE bauta_status bt_redraw(const bt_mechanism *mechanism, const bt_column *const *from,
                                   bt_column *const *to, int64_t rows, const uint64_t *dropped,
                                   const bt_run *run, bauta_error *error);

/* Per code of a column: records that are not in `dropped` and hold it. The caller's to free. */
BT_MUST_USE bauta_status bt_redraw_count(const bt_column *column, int64_t rows,
                                         const uint64_t *dropped, int64_t **out,
                                         bauta_error *error);

#endif
