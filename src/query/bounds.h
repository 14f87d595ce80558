/* SPDX-License-Identifier: Apache-2.0
 *
 * From what single records may contribute to what an aggregate may be. Exact: sums are 128-bit
 * integers, averages fractions.
 *
 * A form offers two lists of the same records, once each with the least value it may have and once
 * with the greatest: those that must match, and those that may. Every choice of values and of
 * those that may match is allowed, so that both ends are attained:
 *
 *   SUM   all that must, and of the others those that lower (raise) the sum
 *   AVG   the same, against the average itself: it is lowered until no record below it is left
 *         (Dinkelbach's method: each step is a sum, and steps are few)
 *   MIN   from the least of all to the least of the greatest that must; MAX likewise
 *
 * This is section 3 of paper 2, where c of a group's values are selected: the c smallest or
 * largest are then those that must.
 */
#ifndef BT_BOUNDS_H
#define BT_BOUNDS_H

#include "base/memory.h"
#include "query/select.h"

typedef struct bt_bound { /* top / bottom, in the column's scale */
    bool open;            /* there is no bound */
    __int128 top;
    int64_t bottom;
} bt_bound;

typedef struct bt_item {
    int64_t value, count;
    bool must;
} bt_item;

typedef struct bt_end { /* the list of least values, or of greatest */
    __int128 sum;
    bool open; /* some value has no bound */
    int64_t least, greatest;
    int64_t must_least, must_greatest;
    bool any, any_must;
    bt_item *items; /* for averages */
    size_t count, capacity;
} bt_end;

typedef struct bt_bounds {
    bt_aggregate aggregate;
    int64_t must, may; /* records */
    bt_end low, high;
} bt_bounds;

void bt_bounds_open(bt_bounds *bounds, bt_aggregate aggregate);
void bt_bounds_release(bt_bounds *bounds);

/* `count` records with this value at the low or the high end. */
BT_MUST_USE bauta_status bt_bounds_low(bt_bounds *bounds, int64_t value, int64_t count, bool must,
                                       bauta_error *error);
BT_MUST_USE bauta_status bt_bounds_high(bt_bounds *bounds, int64_t value, int64_t count, bool must,
                                        bauta_error *error);

/* The interval. Where no record may match, a count and a sum are 0 and the others open. */
void bt_bounds_close(const bt_bounds *bounds, bt_bound *lower, bt_bound *upper);

/* Whether a bound, divided by 10^scale, is a whole number of 64 bits. */
bool bt_bound_is_whole(const bt_bound *bound, int scale, int64_t *out);

/* The bound divided by 10^scale, rounded up or down to the 15 significant digits that a double
 * keeps: printed with as many, it is on the safe side of the bound. */
double bt_bound_round(const bt_bound *bound, int scale, bool up);

#endif
