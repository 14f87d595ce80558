/* SPDX-License-Identifier: Apache-2.0
 *
 * Rates of success: intervals, and whether hits are more than chance. Only src/attack may include
 * this.
 */
#ifndef BT_RATE_H
#define BT_RATE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct bt_confidence {
    double low, high;
} bt_confidence;

/* Wilson's score interval at 95 % for a rate of which `hits` of `tried` were seen; hits may be an
 * expectation. Without tries nothing is known: [0, 1]. */
bt_confidence bt_rate_interval(double hits, int64_t tried);

/* An interval, roughly, for a coefficient of correlation, |hits| / tried, over so many pairs. */
bt_confidence bt_rate_correlation_interval(double hits, int64_t tried);

/* Whether so many hits are far above what is expected by chance: less likely than one in a billion
 * by Chernoff's bound, which holds for sums of independent or negatively dependent trials. */
bool bt_rate_above_chance(double hits, double expected);

/* bt_rate_above_chance for independent guesses, each right with at most this probability. */
bool bt_rate_above(double hits, int64_t tried, double probability);

/* bt_rate_above where probabilities differ and add up to `expected` (Hoeffding 1963: their mean
 * does). */
bool bt_rate_above_sum(double hits, int64_t tried, double expected);

/* The number of hits up to which bt_rate_above_chance is false. */
double bt_rate_chance_limit(double expected);

/* How far from 0 a coefficient of correlation over `count` pairs may be by chance, as unlikely as
 * that, as if it were normally distributed: at most 1. What is proven (audit/trend.h) is a half
 * more, and tells nothing of fewer than a hundred. */
double bt_rate_correlation_limit(int64_t count);

#endif
