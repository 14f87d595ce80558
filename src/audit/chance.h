/* SPDX-License-Identifier: Apache-2.0
 *
 * What chance allows: bounds that are proven, not approximations. Only src/audit may include this.
 *
 * Of all honest releases at most one in a billion may be refused for what chance did, all tests of
 * one audit together. Half of that is for the tests of redrawing, a quarter of the half for each of
 * their families; the tests of a family share alike. The other half is for those of orders.
 */
#ifndef BT_CHANCE_H
#define BT_CHANCE_H

#include <stddef.h>
#include <stdint.h>

#define BT_FALSE_ALARM 1e-9
#define BT_FALSE_ALARM_DRAWING (BT_FALSE_ALARM / 2)
enum { BT_DRAWING_FAMILIES = 4 };

/* What is said after a test has failed. */
extern const char bt_chance_hint[];

/* -ln of the chance that each of the tests of a family may have to fail an honest release. */
double bt_alarm_log(size_t tests);

/* A sum of independent terms. */
typedef struct bt_sum {
    double mean;
    double variance; /* or more than that */
    double most;     /* no term is farther from its own mean */
} bt_sum;

/* How far such a sum is from its mean, on one side, with a chance of at most e^-alarm (Bernstein).
 * What rounding may do is added. */
double bt_sum_reach(const bt_sum *sum, double alarm);

/* At most x - ln(1 + x), for x >= 0. */
double bt_beyond_log(double x);

/* ln of the average of numbers of which the logarithms are given. */
double bt_average_logs(const double *logs, size_t count);

/* Counts of values: those of a column of which so many records, chosen at random, got a value drawn
 * from `held` (per code: the records that hold it), all draws being independent. */
typedef struct bt_counts {
    double likeliest; /* ln of a bound on the chance of any list of counts */
    size_t free;      /* counts that are not given by the others */
} bt_counts;

/* `share` of the records are drawn, each for itself; the bound fails with a chance of at most
 * e^-alarm. */
bt_counts bt_counts_bound(const int64_t *held, uint32_t size, double share, double alarm);

/* ln of a bound on the chance that the counts differ from given ones by at most `distance`, summed
 * over all values. */
double bt_counts_near(const bt_counts *counts, int64_t distance);

#endif
