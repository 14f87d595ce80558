/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over the segments of a slot of numbers, so that a range that spans hundreds of them (a long
 * IN list against a wide cell) costs as much as one that spans three.
 *
 * Memory: segments times signatures; where that is much, or there are few segments, there are none.
 */
#ifndef BT_SEGMENTS_H
#define BT_SEGMENTS_H

#include "query/predicate.h"

/* The numbers of a segment within from..to; false: there are none. */
bool bt_segment_numbers(const bt_slot *slot, uint32_t segment, int64_t from, int64_t to,
                        int64_t *lo, int64_t *hi);

typedef struct bt_segment_sums { /* per segment and signature, over the inner segments: those that
                                    have a cut on both sides */
    uint32_t signatures;
    double *count, *total; /* numbers in the segments before, and their sum */
    uint32_t *next, *last; /* the nearest segment from here on, or down, with the signature */
} bt_segment_sums;

/* out->count is NULL when there are no sums. */
BT_MUST_USE bauta_status bt_segment_sums_make(const bt_slot *slot, bt_arena *arena,
                                              bt_segment_sums *out, bauta_error *error);

/* Numbers of a signature in the inner segments from..to. */
typedef struct bt_stretch {
    double count, total;
    int64_t lo, hi;
} bt_stretch;

/* False: there are none. */
bool bt_segment_sum(const bt_slot *slot, const bt_segment_sums *sums, uint32_t from, uint32_t to,
                    uint32_t signature, bt_stretch *out);

#endif
