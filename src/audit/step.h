/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the rows of two tables stand in step: whether row i of the shorter table, of n rows, and
 * row i + d of the longer one, which has m, may be of one record more often than chance brings
 * about, for any rotation d, forwards or backwards. Nothing here knows where the tables come from.
 *
 * If the order of the longer table is a random permutation, the number X of the first w rows that
 * fit theirs at a rotation d is a sum over the permutation of numbers 0 and 1 that do not depend on
 * it. Let e be the mean of X, which is known exactly. Then for all x, whatever fits what,
 *
 *   P(X >= x) <= e^x / x! * m^x (m - x)! / m!      (the mean number of sets of x rows that all fit)
 *   P(X >= x) <= 2 exp(-(x - e)^2 / (2 e + 2 x))   (Chatterjee 2007, proposition 1.1)
 *   P(X >= x) <= m^w (m - w)! / m! * exp(-w KL(x/w, e/w))
 *
 * The last is Chernoff's bound: any set of rows all fit with at most m^w (m - w)! / m! times the
 * probability that they would have independently (Panconesi and Srinivasan 1997). The first is
 * sharp where little fits, the second where much does, the third where w is small beside m. Where
 * both tables have the same kinds, equally often, and only rows of one kind fit, the probability
 * that all rows fit is known: it is one over the number of different orders.
 *
 * Rows that one of the tables lacks move all that follow. So the first 64, 1024, … rows are looked
 * at by themselves, and in tables of different lengths row i * m / n + d as well as row i + d. All
 * that is tried together may only be as likely as BT_ORDER_CHANCE.
 *
 * Cost: linear in rows. Only src/audit and src/attack may include this.
 */
#ifndef BT_STEP_H
#define BT_STEP_H

#include "table/tuples.h"

/* ln(10^-9 / 2 / 21): an audit asks at most 20 questions about orders, and those about rows of
 * others between (drift.h), which share one part; together with those about drawing (chance.h),
 * which have the other half, it raises a false alarm in one of a billion. */
#define BT_ORDER_CHANCE (-24.46093545522978)
enum { BT_NO_KIND = UINT32_MAX };

typedef struct bt_step_table {
    int64_t rows;
    const uint32_t *kind_of; /* per row: rows of one kind fit the same ones; BT_NO_KIND: none */
    uint32_t kinds;
} bt_step_table;

typedef struct bt_steps {
    int64_t tried;    /* rows that were looked at, where most fit beyond what chance allows */
    int64_t hits;     /* rows tried that fit the row beside them */
    double expected;  /* by chance */
    double limit;     /* the most that chance may bring about */
    int64_t distance; /* from row i to the one beside it; backwards from the end of the table */
    bool backwards;
    bool told; /* tables in step would be told; else they have too few rows, or too many fit */
    bool in_step;
} bt_steps;

typedef struct bt_step_pairs {
    const uint32_t *kinds[2]; /* kinds[0][i] of the one table fits kinds[1][i] of the other */
    int64_t count;
    bool distinct; /* no pair is there twice */
} bt_step_pairs;

/* Without pairs a kind fits itself alone. */
BT_MUST_USE bauta_status bt_steps_find(const bt_step_table tables[2], const bt_step_pairs *pairs,
                                       const bt_run *run, bt_steps *out, bauta_error *error);
/* Finds the same where only a share `kept` of rows that stand in step is certain to fit, and the
 * others do as often as any: more rows are looked at then, before it is taken for told. */
BT_MUST_USE bauta_status bt_steps_find_kept(const bt_step_table tables[2],
                                            const bt_step_pairs *pairs, double kept,
                                            const bt_run *run, bt_steps *out, bauta_error *error);

/* The logarithm of a bound for the probability of x hits or more of `tried` rows, in a table of
 * `rows`; at most 0. For tests. */
double bt_steps_chance(double x, double expected, int64_t tried, int64_t rows);

/* The most hits that are likelier than `chance`, a logarithm. */
int64_t bt_steps_limit(double expected, int64_t tried, int64_t rows, double chance);

#endif
