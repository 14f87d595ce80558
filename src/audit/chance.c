/* SPDX-License-Identifier: Apache-2.0
 *
 * Bernstein's inequality, and how likely counts are to repeat.
 *
 * The counts of a column after the drawing are those before it, less the records that were chosen,
 * plus a multinomial draw of as many. Whatever was chosen, no list of counts is therefore likelier
 * than the likeliest one of a multinomial draw; and that one is the less likely the more is drawn.
 * A multinomial draw of K is independent Poisson draws given that their sum is K, which happens
 * with a chance of at least e^(-1/12K) / sqrt(2 pi K); so the likeliest list is at most as likely
 * as the likeliest number of each Poisson draw, multiplied, over that.
 */
#include "audit/chance.h"

#include "base/gamma.h"

#include <math.h>

const char bt_chance_hint[] =
    "chance alone does so in less than one audit in a billion: should nothing else be wrong, "
    "another seed helps";

static const double rounding = 1e-9; /* of sums of up to 2^32 terms, all of one sign, with room */
static const double pi = 3.14159265358979323846;

double bt_alarm_log(size_t tests)
{
    return log(BT_DRAWING_FAMILIES * (double)tests / BT_FALSE_ALARM_DRAWING);
}

double bt_sum_reach(const bt_sum *sum, double alarm)
{
    double step = sum->most * alarm / 3;
    return step + sqrt(step * step + 2 * sum->variance * alarm) +
           rounding * (fabs(sum->mean) + sum->variance + 1);
}

/* ln(1 + x) <= x (6 + x) / (6 + 4 x). */
double bt_beyond_log(double x)
{
    return 3 * x * x / (6 + 4 * x);
}

double bt_average_logs(const double *logs, size_t count)
{
    double most = logs[0], sum = 0;
    for (size_t i = 1; i < count; i++)
        most = fmax(most, logs[i]);
    for (size_t i = 0; i < count; i++)
        sum += exp(logs[i] - most);
    return most + log(sum / (double)count);
}

static double log_factorial(double number)
{
    return bt_log_gamma(number + 1);
}

bt_counts bt_counts_bound(const int64_t *held, uint32_t size, double share, double alarm)
{
    bt_counts out = {0};
    double records = 0;
    for (uint32_t code = 0; code < size; code++) {
        records += (double)held[code];
        out.free += held[code] > 0;
    }
    double chosen = records * share; /* on average; hardly ever fewer than `drawn` (Chernoff) */
    double drawn = floor(chosen - sqrt(2 * chosen * alarm));
    if (out.free > 0) out.free--;
    if (drawn < 1) return out;
    out.likeliest = log(2 * pi * drawn) / 2 + 1 / (12 * drawn);
    for (uint32_t code = 0; code < size; code++) {
        double mean = drawn * (double)held[code] / records, mode = floor(mean);
        if (held[code] > 0) out.likeliest += mode * log(mean) - mean - log_factorial(mode);
    }
    out.likeliest = fmin(out.likeliest + rounding, 0);
    return out;
}

/* ln of how many lists of `places` whole numbers there are whose absolute values add up to at most
 * `distance`: k of them are not 0, each of either sign. */
static double log_lists(size_t places, size_t distance)
{
    double term = 0, most = 0, sum = 1; /* the sum of e^(term - most) */
    for (size_t k = 1; k <= places && k <= distance; k++) {
        double left = (double)(places - k + 1), away = (double)(distance - k + 1);
        term += log(2 * left * away / ((double)k * (double)k));
        if (term > most) {
            sum = sum * exp(most - term) + 1;
            most = term;
        } else {
            sum += exp(term - most);
        }
    }
    return most + log(sum);
}

double bt_counts_near(const bt_counts *counts, int64_t distance)
{
    return counts->likeliest + log_lists(counts->free, (size_t)distance);
}
