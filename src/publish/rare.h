/* SPDX-License-Identifier: Apache-2.0
 *
 * Values that few records hold, merged with others or dropped with their records. Only src/publish
 * may include this.
 *
 * A value under a hierarchy becomes the commonest one under the lowest node, "*" excepted, that
 * enough records are under. A number or date without one becomes the commonest of its neighbours:
 * values are taken in ascending order into runs of enough records, and what is left at the end
 * goes to the last run. Everything else (text without a hierarchy, the missing value, what has no
 * such node) is dropped with its records, which may make further values rare.
 */
#ifndef BT_RARE_H
#define BT_RARE_H

#include "spec/manifest.h"
#include "table/table.h"

typedef struct bt_rare {
    int64_t merged;  /* cells whose value became another one */
    int64_t dropped; /* records */
} bt_rare;

/* Changes the codes of `columns`, and marks in `dropped` (rows bits, none set) the records to
 * leave out: then every value that is left is held by at least `least` of the others.
 * BAUTA_INVALID when no record is left. */
BT_MUST_USE bauta_status bt_rare_remove(bt_column *const *columns, size_t count, int64_t rows,
                                        int64_t least, uint64_t *dropped, bt_rare *out,
                                        bauta_error *error);

/* What becomes of the rare values of a column. */
bt_merging bt_rare_merging(const bt_column *column);

#endif
