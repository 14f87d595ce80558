/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized, row by row and record by record: whether each row may be a record of its own in which
 * at most lambda quasi values were drawn anew, and how many rows can be expected to equal a record.
 * Only src/audit may include this.
 *
 * Cost: linear in rows for each set of lambda columns; the matching (flow.h) also in the pairs of
 * rows and records that go together, and where these are too many it is left out.
 */
#ifndef BT_DRAWN_H
#define BT_DRAWN_H

#include "release/compared.h"

/* The next larger set of columns, as bits, that has as many of them; none is empty. */
static inline uint64_t bt_set_next(uint64_t set)
{
    uint64_t lowest = set & (0 - set), carried = set + lowest;
    return carried | (set ^ carried) >> __builtin_ctzll(set) >> 2;
}

typedef struct bt_drawn {
    bool matched;    /* the two below are known */
    int64_t lacking; /* rows that are left without a record of their own, at least */
    int64_t first;   /* one of them */
    int64_t equal;   /* rows that equal a record in all columns */
    double expected; /* … when every record was drawn anew as the mechanism says */
} bt_drawn;

BT_MUST_USE bauta_status bt_drawn_find(bt_compared *compared, const bt_mechanism *mechanism,
                                       int64_t rows, const bt_run *run, bt_drawn *out,
                                       bauta_error *error);

#endif
