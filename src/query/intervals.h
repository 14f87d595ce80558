/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of small integers as intervals: ascending, apart from each other, both ends included.
 */
#ifndef BT_INTERVALS_H
#define BT_INTERVALS_H

#include "base/memory.h"

typedef struct bt_interval {
    uint32_t from, to;
} bt_interval;

typedef struct bt_intervals {
    bt_interval *items;
    size_t count;
} bt_intervals;

/* Sorts and joins what overlaps or touches; any order and overlap before. */
void bt_intervals_settle(bt_intervals *set);

/* The other numbers of 0..last. Memory from the arena. */
BT_MUST_USE bauta_status bt_intervals_complement(const bt_intervals *set, uint32_t last,
                                                 bt_arena *arena, bt_intervals *out,
                                                 bauta_error *error);

/* All or any of the sets, which are subsets of 0..last. */
BT_MUST_USE bauta_status bt_intervals_combine(const bt_intervals *const *sets, size_t count,
                                              bool all, uint32_t last, bt_arena *arena,
                                              bt_intervals *out, bauta_error *error);

#endif
