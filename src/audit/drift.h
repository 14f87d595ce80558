/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether rows keep an order although rows of others stand between them: in a join the public ones,
 * in a distribution the made-up ones, among the records those that were dropped. What stands beside
 * what tells nothing then, since everything is moved; but early rows are still of early ones. It is
 * also asked of rows that may be of several. Nothing here knows where the rows come from. Only
 * src/audit and src/attack may include this.
 *
 * Each kind of row has a heading: the mean of the places that rows of this kind may have in the
 * other order, on a line from -1/2 to 1/2 and on a circle, on which a rotation is a turn. Let a(i)
 * be the place of row i of n, or its cosine or sine on the circle, w(i) the heading of its kind
 * less the mean heading, and T the sum of a(i) w(i). If the order of the rows is a random
 * permutation, then with the variance v of a
 *
 *   P(|T| >= x) <= 2 exp(-x^2 / (4 v sum of w(i)^2))
 *
 * Rows with a positive w and those with a negative one are two sums of places with weights of one
 * sign. Places of a permutation are negatively associated (Joag-Dev and Proschan 1983), so the
 * moment generating function of each sum is at most what independent places would have, and that of
 * one place is at most that of the normal distribution with the variance v: for a uniform place on
 * a line, and for the cosine of an even number of places on a circle, whose moments of order 2j are
 * at most (2j)! / (4^j j!) (an odd row is left out there). The inequality of Cauchy and Schwarz
 * puts both sums together. Units with orders of their own add up: v sum w^2 of each.
 */
#ifndef BT_AUDIT_DRIFT_H
#define BT_AUDIT_DRIFT_H

#include "audit/orders.h"

typedef struct bt_heading {
    double line, turn[2]; /* sums over `count` places, then means */
    double count;         /* 0: nothing is known of rows of this kind */
} bt_heading;

/* The places 0 to count-1 one after the other: walk.place begins at 0. */
typedef struct bt_walk {
    bt_heading place;
    double step[2];
    int64_t at, count;
} bt_walk;

bt_walk bt_walk_begin(int64_t count);
void bt_walk_next(bt_walk *walk);

void bt_heading_add(bt_heading *sum, const bt_heading *other);
/* Makes means of sums. */
void bt_headings_mean(bt_heading *headings, size_t count);

/* Where the rows of each kind stand, as sums. `headings` has room for all kinds. */
void bt_headings_of_rows(const bt_step_table *rows, bt_heading *headings);

enum {
    BT_DRIFTS = 10,         /* are asked about in one audit, at most: they share one chance */
    BT_DRIFT_QUESTIONS = 5, /* on the line; cosine and sine against cosine and sine */
};
typedef struct bt_drift { /* begins as zero */
    double sum[BT_DRIFT_QUESTIONS], spread[BT_DRIFT_QUESTIONS];
    double kept;   /* the sum on the line that rows in order have on average */
    bool circular; /* the circle was asked about, too */
} bt_drift;

/* Adds a unit: its rows in their order, by kinds. Rows of which nothing is known are passed over.
 * `circular`: also whether they are rotated. */
void bt_drift_add(bt_drift *all, const bt_heading *headings, const uint32_t *kind_of, int64_t rows,
                  bool circular);

/* `least` is the chance that rows in order have, unless chance moves them by more than three
 * standard deviations. */
bt_order bt_drift_judge(const bt_drift *all);

/* Whether the rows of the second table follow those of the first that are of their kind. */
BT_MUST_USE bauta_status bt_drift_tables(const bt_step_table tables[2], bt_order *out,
                                         bauta_error *error);

#endif
