/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the rows of two tables stand in step: row i of the one, of n rows, and row i * m / n + d
 * of the other, which has m, no fewer, may be of one record more often than chance brings about.
 * Nothing here knows where the tables come from.
 *
 * If the order of the longer table is a random permutation, the number X of rows that fit theirs at
 * a distance d is a sum over the permutation of numbers 0 and 1 that do not depend on it. Let e be
 * the mean of X, which is known exactly. Then for all x
 *
 *   P(X >= x) <= e^x / x! * m^x (m - x)! / m!      (the mean number of sets of x rows that all fit)
 *   P(X >= x) <= 2 exp(-(x - e)^2 / (2 e + 2 x))   (Chatterjee 2007, proposition 1.1)
 *
 * whatever fits what. The first is sharp where little fits, the second where much does. Every
 * distance of a band is tried, and each may only be as likely as one in a billion over their
 * number. Records that one of the tables has not move all that follow; where these are at random
 * places, as in tables that were shuffled alike, the distance walks about 0, and some distance
 * still has a large part of the rows.
 *
 * Only src/attack may include this.
 */
#ifndef BT_STEP_H
#define BT_STEP_H

#include "table/tuples.h"

typedef struct bt_step_table {
    int64_t rows;
    const uint32_t *kind_of; /* per row: rows of one kind fit the same ones */
    uint32_t kinds;
} bt_step_table;

typedef struct bt_steps {
    int64_t tried;    /* rows that have one beside them, at the distance where most fit */
    int64_t hits;     /* of them that fit it */
    double expected;  /* by chance */
    double limit;     /* the most that chance may bring about */
    int64_t distance; /* there, in the longer table */
    bool told; /* tables in step would be told; else they have too few rows, or too many fit */
    bool in_step;
} bt_steps;

/* Kind pairs[0][i] of the one table fits pairs[1][i] of the other, for i < count; a pair may be
 * there several times. */
BT_MUST_USE bauta_status bt_steps_find(const bt_step_table tables[2],
                                       const uint32_t *const pairs[2], int64_t count,
                                       const bt_run *run, bt_steps *out, bauta_error *error);

/* The logarithm of a bound for the probability of x hits or more; at most 0. For tests. */
double bt_steps_chance(double x, double expected, int64_t rows);

#endif
