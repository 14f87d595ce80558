/* SPDX-License-Identifier: Apache-2.0
 *
 * How diverse a column is, and the probabilistic anonymity of randomizing it (Yang and Qiao 2010,
 * definition 6 and equations 1 to 3). For reports: nothing is decided by it.
 */
#ifndef BT_DIVERSITY_H
#define BT_DIVERSITY_H

#include "class/mechanism.h"

/* e to the entropy of a distribution: as many equally frequent values are as diverse. held[i] is
 * how many records hold value i; at least one does. */
double bt_diversity(const int64_t *held, uint32_t size);

/* The perplexity of what is drawn: which columns, and which values. diversity[i] is that of the
 * i-th quasi column. */
double bt_probabilistic_anonymity(const bt_mechanism *mechanism, const double *diversity);

/* The most that it can be with lambda = 1: the sum of the diversities, when the probabilities are
 * proportional to them. */
double bt_probabilistic_anonymity_best(const double *diversity, size_t columns);

#endif
