/* SPDX-License-Identifier: Apache-2.0
 *
 * The mechanism of the form `randomized`: in each record `lambda` different quasi columns are drawn
 * anew, each from its own distribution over the records. Everybody may know it; it stands in the
 * manifest.
 */
#ifndef BT_MECHANISM_H
#define BT_MECHANISM_H

#include "base/memory.h"
#include "base/rational.h"

typedef struct bt_mechanism {
    size_t columns;       /* quasi columns, in the order of the table */
    uint32_t lambda;      /* so many of them are drawn anew in each record */
    bt_rational *redrawn; /* per column: the probability that it is among them. They add up to
                             lambda; if that is more than 1 all are alike, as are all sets of
                             lambda columns */
    uint64_t total;       /* lambda = 1: redrawn[i] is weight[i] / total */
    uint64_t *weight;
} bt_mechanism;

/* Refuses (BAUTA_INVALID) what is not such a mechanism. Copies `redrawn`; memory from the arena. */
BT_MUST_USE bauta_status bt_mechanism_make(uint32_t lambda, const bt_rational *redrawn,
                                           size_t columns, bt_arena *arena, bt_mechanism *out,
                                           bauta_error *error);

#endif
