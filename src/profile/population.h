/* SPDX-License-Identifier: Apache-2.0
 *
 * What a table tells of the population that it was drawn from: estimates, for reports only.
 *
 * The table is taken for a simple random sample without replacement of n out of N people; f is
 * the size of a class in the table, F that of the same class in the population, s_i the number
 * of classes of size i in the table, u their number in all.
 *
 * - Pitman (Hoshino 2001): sizes follow Pitman's sampling formula with 0 <= alpha < 1 and
 *   theta > -alpha, fitted by maximum likelihood; a person of the population is then unique with
 *   probability (theta+alpha)_(N-1) / (theta+1)_(N-1), where (x)_m = x (x+1) ... (x+m-1).
 * - F given f (journalist and marketer risk): people who are not in the table join a class with
 *   weight f - alpha against n + theta in all, so F - f is, but for a negligible finite correction,
 *   negative binomial with shape f - alpha and p = (n+theta)/(N+theta). Then, with q = 1 - p,
 *   E(1/F | f) = integral over s in [0,1] of p s^(f-1) / (p + q s)^(1+alpha).
 *   With alpha = theta = 0 this is the individual risk of mu-Argus (Benedetti, Franconi 1998),
 *   which is far too low for small fractions.
 * - Zayatz (1991): P(F=1 | f=1) by Bayes' rule from P(F=i) = s_i/u and the hypergeometric
 *   P(f=1 | F=i). Classes of the population are taken to be as large as those of the table, so
 *   for small fractions it says too much.
 */
#ifndef BT_POPULATION_H
#define BT_POPULATION_H

#include "profile/risk.h"

typedef struct bt_pitman {
    double alpha, theta;
    double uniques,
        pairs;    /* classes of one and of two records that the model expects in the table */
    bool fits;    /* `uniques` and `pairs` are near those that are there */
    double share; /* of the population that is unique */
} bt_pitman;

typedef struct bt_population {
    double size;   /* N */
    double zayatz; /* share of the population that is unique */
    bt_pitman pitman;
    bool unbounded; /* every record is unique: both shares are 1, for want of any evidence */
} bt_population;

/* At least one row; `fraction` in (0, 1). */
void bt_population_estimate(const bt_size_counts *counts, double fraction, bt_population *out);

/* E(1/F | f) for every size of the counts, into `out`; 1 when nothing is known. */
void bt_population_risks(const bt_size_counts *counts, const bt_population *population,
                         double *out);

#endif
