/* SPDX-License-Identifier: Apache-2.0
 *
 * Intervals and tails (Wilson 1927; Chernoff 1952).
 */
#include "attack/rate.h"

#include <math.h>

static const double unlikely = 20.7232658369464; /* ln 10^9 */

bt_confidence bt_rate_interval(double hits, int64_t tried)
{
    const double z = 1.959963984540054, n = (double)tried;
    if (tried <= 0) return (bt_confidence){0, 1};
    double p = hits / n, scale = 1 + z * z / n;
    double middle = (p + z * z / (2 * n)) / scale;
    double half = z / scale * sqrt(fmax(p * (1 - p) / n + z * z / (4 * n * n), 0));
    return (bt_confidence){hits > 0 ? fmax(middle - half, 0) : 0,
                           p < 1 ? fmin(middle + half, 1) : 1};
}

bt_confidence bt_rate_correlation_interval(double hits, int64_t tried)
{
    if (tried <= 1) return (bt_confidence){0, 1};
    double r = hits / (double)tried, half = 1.959963984540054 / sqrt((double)(tried - 1));
    return (bt_confidence){fmax(r - half, 0), fmin(r + half, 1)};
}

bool bt_rate_above_chance(double hits, double expected)
{
    if (hits <= expected || hits <= 0) return false;
    if (expected <= 0) return true;
    return hits * log(hits / expected) - hits + expected > unlikely;
}

bool bt_rate_above(double hits, int64_t tried, double probability)
{
    double n = (double)tried, rate = tried > 0 ? hits / n : 0;
    if (rate <= probability) return false;
    if (probability <= 0) return true;
    double miss = rate < 1 ? (1 - rate) * log((1 - rate) / (1 - probability)) : 0;
    return n * (rate * log(rate / probability) + miss) > unlikely;
}

bool bt_rate_above_sum(double hits, int64_t tried, double expected)
{
    return tried > 0 && bt_rate_above(hits, tried, expected / (double)tried);
}

double bt_rate_chance_limit(double expected)
{
    double low = expected, high = 2 * expected + 100;
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (bt_rate_above_chance(middle, expected))
            high = middle;
        else
            low = middle;
    }
    return low;
}

double bt_rate_correlation_limit(int64_t count)
{
    const double far = 6.2; /* standard deviations: as unlikely, on both sides */
    return count > 2 ? fmin(1, far / sqrt((double)(count - 1))) : 1;
}
