/* SPDX-License-Identifier: Apache-2.0
 *
 * What an order of rows tells, where it is known which row stands for which place of another order:
 * how likely a random order is to look as much like it. Nothing here knows where the rows come
 * from. Every answer is the logarithm of a probability, never below the true one, over all
 * questions that were asked for it; what is no more likely than BT_ORDER_CHANCE (step.h) is no
 * chance.
 *
 * Units are classes, or the whole file. In a random order the places of a unit's rows are a random
 * permutation, and those of several units are independent. Asked is
 *
 *   - how many rows come after the one before them, over all units: the descents of a permutation
 *     are distributed like a sum of independent indicators, since Eulerian polynomials have real
 *     roots, with mean (n - 1) / 2: P(X >= x) <= exp(-N KL(x/N, 1/2)) over N pairs of neighbours;
 *   - which units are in order (probability 1 / n!), or backwards, or rotated (2 / (n - 1)! for
 * both): the least likely one alone; and all of them together, each by the logarithm of its
 * probability (Chernoff's bound with the exact moment generating function);
 *   - of a whole file: how many rows stand at one distance from their places (X rows: at most 1 /
 * X!, for each distance and direction), and how many of the first half of places are in the first
 *     half of the file (exactly hypergeometric).
 *
 * Only src/audit and src/attack may include this.
 */
#ifndef BT_AUDIT_ORDERS_H
#define BT_AUDIT_ORDERS_H

#include "audit/step.h"

typedef struct bt_order {
    double chance; /* ln of how likely a random order is to be as far from random */
    double least;  /* the chance of rows all in order: above BT_ORDER_CHANCE nothing can be told */
} bt_order;

static inline bool bt_order_broken(bt_order order)
{
    return order.chance <= BT_ORDER_CHANCE;
}

static inline bool bt_order_told(bt_order order)
{
    return order.least <= BT_ORDER_CHANCE;
}

/* The rows of unit u are first[u]..first[u + 1]-1 in their order in the file; place[i] is where row
 * i stands in the other order. No two rows of a unit have one place. */
bt_order bt_orders_within(const uint32_t *place, const size_t *first, uint32_t units);

/* The places of a whole file, which are 0 to count-1 in any order. */
BT_MUST_USE bauta_status bt_orders_whole(const uint32_t *place, uint32_t count, bt_order *out,
                                         bauta_error *error);

/* Where rows are alike, or a record may be one of several: the n-th row of a unit should be one
 * that fits the n-th record, in some other order. Asked is whether all rows of a unit fit, forwards
 * or backwards, and how many do, over all units. */
typedef struct bt_fit { /* the n-th row of a unit */
    uint32_t partners;  /* rows of the unit that fit the n-th record; 0: nothing is known of it */
    uint32_t ways;      /* partners left for the n-th record when those before it have one each */
    bool forwards;      /* the n-th row is a partner */
    bool backwards;     /* the n-th row from the end is a partner */
} bt_fit;

enum { BT_EVENT_STEPS = 6 };
typedef struct bt_events { /* independent events of known probabilities */
    double means[BT_EVENT_STEPS];
    double weight, most, full, heaviest, count;
} bt_events;

typedef struct bt_fits { /* begins as zero */
    bt_events whole[2];  /* units of which all rows fit, forwards and backwards */
    double known, expected, hits[2];
} bt_fits;

void bt_fits_add(bt_fits *all, const bt_fit *rows, size_t count);
/* Adds a unit of which it is only known how likely it is that all its rows fit (a logarithm), and
 * whether they do. */
void bt_fits_add_unit(bt_fits *all, double chance, bool forwards, bool backwards);
bt_order bt_fits_judge(const bt_fits *all);
/* The hits, forwards or backwards, up to which their number alone is chance. */
double bt_fits_limit(const bt_fits *all);

/* Whether rows that are marked stand together at the end of their units, or at the beginning; and
 * of all rows in one half of the file. marks[u] of the rows of unit u are marked; together[u]: they
 * are its first or last ones. `early` of all marked rows are in the first half of the file's. */
bt_order bt_orders_marked(const uint32_t *rows, const uint32_t *marks, const bool *together,
                          uint32_t units, int64_t early);

#endif
