/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the entropy of a bag reaches that of l equally frequent values: decided, not estimated.
 */
#ifndef BT_ENTROPY_H
#define BT_ENTROPY_H

#include "base/rational.h"
#include "class/people.h"

enum { BT_ENTROPY_BOTTOM_MOST = 1000000000 }; /* of l as a fraction: it must be factored */

/* Made once, used by any number of threads. */
typedef struct bt_entropy {
    bt_rational least;   /* l */
    double near_top;     /* the logarithm of the numerator of l */
    double near_bottom;  /* the logarithm of the denominator of l */
    const double *small; /* n * log2(n) for n < small_count */
    uint32_t small_count;
} bt_entropy;

/* l >= 1, with a denominator of at most BT_ENTROPY_BOTTOM_MOST; `largest` is the total of the
 * largest bag. */
BT_MUST_USE bauta_status bt_entropy_init(bt_entropy *entropy, bt_rational least, int64_t largest,
                                         bt_arena *arena, bauta_error *error);

/* The entropy of the bag's distribution is at least ln(l). An empty bag has none. */
bool bt_entropy_reached(const bt_entropy *entropy, const bt_bag *bag);

/* e to the entropy: as many equally frequent values are as diverse. For printing only. */
double bt_entropy_perplexity(const bt_bag *bag);

#endif
