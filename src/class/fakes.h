/* SPDX-License-Identifier: Apache-2.0
 *
 * Fake values: which values to add to a group so that its allocation has the least sum of ranges
 * (Algorithm 2, minSORFake, corrected; Problem 5.1), or values drawn from the target, which say
 * nothing about the group.
 *
 * Growth: the table of a node has a row per number of steps that may be taken there, at most
 * (values below it + t) / (sum of weights) and at most t + 1 more than its parent's has, of at most
 * t + 1 entries and no more than nodes are published inside it; a row of a node costs the product
 * of the rows of its children. So the upper levels, where t is the limit, cost t^3 per node and the
 * lower ones no more for a larger t: time grows with t to the power of 2 to 3, memory with t to
 * the power of 1 to 2, and both are linear in the size of the domain. Theorem 2 has t^2 times
 * (values * log of the domain + t * domain) for time and t times that for memory.
 */
#ifndef BT_FAKES_H
#define BT_FAKES_H

#include "class/allocate.h"

typedef struct bt_fakes_wish {
    uint32_t most;  /* fakes */
    bool exactly;   /* exactly so many; else the number from 0 to `most` that costs least, the
                       smallest of equals */
    uint32_t leave; /* values to leave out again afterwards (r of Algorithm 2); 0 in a release */
} bt_fakes_wish;

typedef struct bt_fakes { /* zeroed: none */
    bt_held *items;       /* each code once, in the order of the domain */
    size_t count, capacity;
    uint32_t total;
    uint64_t cost; /* sum of ranges with them; from bt_fakes_best only */
} bt_fakes;

void bt_fakes_release(bt_fakes *fakes);

/* Replaces *out by the best fakes for a group. Exact. BAUTA_INVALID, with a hint, when the tables
 * would take more than BT_FAKES_BYTES_MOST, or more than BT_FAKES_WORK_MOST steps: fewer fakes or
 * smaller groups are needed; also when ranges times records do not fit 60 bits. */
enum { BT_FAKES_BYTES_MOST = 1 << 30 };
#define BT_FAKES_WORK_MOST 400000000000U
BT_MUST_USE bauta_status bt_fakes_best(const bt_target *target, const bt_held *held,
                                       size_t distinct, const bt_fakes_wish *wish, bt_fakes *out,
                                       bauta_error *error);

/* Replaces *out by `number` values drawn from the target: what the release shows of them is
 * independent of the group. For allocation=random, and nothing else is offered there. BAUTA_INVALID
 * when they take more than BT_FAKES_BYTES_MOST. */
BT_MUST_USE bauta_status bt_fakes_draw(const bt_target *target, uint32_t number, bt_stream *stream,
                                       bt_fakes *out, bauta_error *error);

/* Adds the fakes to the values of a group: both ascending or not, each code once in each. `held`
 * has room for distinct + fakes->count. Returns the new number of distinct values. */
size_t bt_fakes_add(const bt_fakes *fakes, bt_held *held, size_t distinct);

#endif
