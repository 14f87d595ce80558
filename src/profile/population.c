/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates of a population from the class sizes of a sample; the header has the formulas.
 *
 * Cost: a few thousand evaluations of the likelihood, each linear in the number of different
 * class sizes, which is below the square root of twice the rows.
 */
#include "profile/population.h"

#include <math.h>

/* ---- journalist risk ---- */

/* p * sum over k of (1+a)_k q^k / (f (f+1) ... (f+k)), which is the integral of the header
 * integrated by parts again and again; quick for q <= 1/2. */
static double risk_by_series(double size, double alpha, double seen)
{
    double term = seen / size, sum = 0;
    for (int k = 0; term > sum * 1e-17; k++) {
        sum += term;
        term *= (1 - seen) * (k + 1 + alpha) / (size + k + 1);
    }
    return sum;
}

/* From I(1) = p (p^-a - 1) / (q a) by I(f+1) = p (1/f - I(f)) / (q (1 - a/f)), integrated by parts
 * once, which is stable for p <= q. */
static void risks_by_steps(const bt_size_counts *counts, double alpha, double seen, double *out)
{
    double odds = seen / (1 - seen), grown = -log(seen);
    double risk = odds * (alpha > 0 ? expm1(alpha * grown) / alpha : grown);
    size_t next = 0;
    for (uint32_t size = 1; next < counts->count; size++) {
        if (counts->size[next] == size) out[next++] = risk;
        risk = odds * (1.0 / size - risk) / (1 - alpha / size);
    }
}

void bt_population_risks(const bt_size_counts *counts, const bt_population *population, double *out)
{
    double alpha = population->pitman.alpha, theta = population->pitman.theta;
    double seen = ((double)counts->rows + theta) / (population->size + theta);
    if (!population->unbounded && seen < 0.5) {
        risks_by_steps(counts, alpha, seen, out);
        return;
    }
    for (size_t i = 0; i < counts->count; i++)
        out[i] = population->unbounded ? 1 : risk_by_series(counts->size[i], alpha, seen);
}

/* ---- Zayatz ---- */

/* The share of records that are unique in the population: s_1 P(F=1 | f=1) / n. P(f=1 | F=i) is
 * i n/N q_i with q_1 = 1 and q_(i+1) = q_i (N-n-i+1) / (N-i). */
static double estimate_zayatz(const bt_size_counts *counts, double size)
{
    double rows = (double)counts->rows, seen = 0, missed = 1;
    int64_t unique = bt_size_counts_of(counts, 1);
    size_t next = 0;
    if (unique == 0) return 0;
    for (uint32_t i = 1; next < counts->count && missed > 0; i++) {
        if (counts->size[next] == i) seen += (double)counts->classes_of[next++] * i * missed;
        missed *= fmax(size - rows - i + 1, 0) / (size - i);
        if (missed < 1e-300) missed = 0;
    }
    return (double)unique / seen * (double)unique / rows;
}

/* ---- Pitman ---- */

/* The logarithm of x (x+1) ... (x+m-1), by Stirling's series in a form that does not cancel. */
static double log_rising(double x, double m)
{
    double sum = 0;
    while (x < 12 && m > 0) {
        sum += log(x);
        x += 1;
        m -= 1;
    }
    if (m <= 0) return sum;
    double y = x + m, a = 1 / (x * x), b = 1 / (y * y);
    double low = (1.0 / 12 - a * (1.0 / 360 - a * (1.0 / 1260 - a / 1680))) / x;
    double high = (1.0 / 12 - b * (1.0 / 360 - b * (1.0 / 1260 - b / 1680))) / y;
    return sum + (x - 0.5) * log1p(m / x) + m * (log(y) - 1) + high - low;
}

typedef struct likelihood {
    const bt_size_counts *counts;
    double alpha, within; /* what the classes' own sizes add, which theta does not change */
} likelihood;

typedef double (*curve)(void *user, double at);

/* The place of a maximum: the best of a grid, then golden sections around it. */
static double climb(curve height, void *user, double low, double high)
{
    enum { GRID = 24, STEPS = 60 };
    static const double golden = 0.6180339887498949;
    double best = low, top = height(user, low), step = (high - low) / GRID;
    for (int i = 1; i <= GRID; i++) {
        double here = height(user, low + i * step);
        if (here > top) {
            top = here;
            best = low + i * step;
        }
    }
    low = fmax(low, best - step);
    high = fmin(high, best + step);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = height(user, left), at_right = height(user, right);
    for (int i = 0; i < STEPS && right > left; i++)
        if (at_left >= at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = height(user, left);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = height(user, right);
        }
    return (low + high) / 2;
}

/* By the logarithm of theta + alpha, for a given alpha. */
static double height_of_theta(void *user, double at)
{
    const likelihood *l = user;
    double theta = exp(at) - l->alpha, others = (double)l->counts->classes - 1;
    return others * log(l->alpha) + log_rising(theta / l->alpha + 1, others) -
           log_rising(theta + 1, (double)l->counts->rows - 1) + l->within;
}

static double best_theta(likelihood *l)
{
    return climb(height_of_theta, l, log(1e-6), log(1e3 * ((double)l->counts->rows + 1)));
}

static void set_alpha(likelihood *l, double alpha)
{
    l->alpha = alpha;
    l->within = 0;
    for (size_t i = 0; i < l->counts->count; i++)
        l->within += (double)l->counts->classes_of[i] *
                     log_rising(1 - alpha, (double)l->counts->size[i] - 1);
}

static double height_of_alpha(void *user, double at)
{
    likelihood *l = user;
    set_alpha(l, at);
    return height_of_theta(l, best_theta(l));
}

/* Near, but for a tenth and what chance may do. */
static bool is_near(double expected, double seen)
{
    return fabs(expected - seen) <= 0.1 * seen + 3 * sqrt(seen + 1);
}

static void fit_pitman(const bt_size_counts *counts, double size, bt_pitman *out)
{
    likelihood l = {.counts = counts};
    double rows = (double)counts->rows;
    double alpha = climb(height_of_alpha, &l, 1e-6, 1 - 1e-6);
    set_alpha(&l, alpha);
    double theta = exp(best_theta(&l)) - alpha;
    *out = (bt_pitman){.alpha = alpha, .theta = theta};
    out->share = exp(log_rising(theta + alpha, size - 1) - log_rising(theta + 1, size - 1));
    /* Whoever is unique in the population is unique in the table. */
    out->share = fmin(out->share, (double)bt_size_counts_of(counts, 1) / rows);
    out->uniques =
        rows * exp(log_rising(theta + alpha, rows - 1) - log_rising(theta + 1, rows - 1));
    if (rows > 1)
        out->pairs = rows * (rows - 1) / 2 * (1 - alpha) *
                     exp(log_rising(theta + alpha, rows - 2) - log_rising(theta + 1, rows - 1));
    out->fits = is_near(out->uniques, (double)bt_size_counts_of(counts, 1)) &&
                is_near(out->pairs, (double)bt_size_counts_of(counts, 2));
}

void bt_population_estimate(const bt_size_counts *counts, double fraction, bt_population *out)
{
    *out = (bt_population){.size = floor((double)counts->rows / fraction + 0.5)};
    out->unbounded = counts->classes == counts->rows;
    if (out->unbounded) {
        out->zayatz = out->pitman.share = 1;
        return;
    }
    out->zayatz = estimate_zayatz(counts, out->size);
    fit_pitman(counts, out->size, &out->pitman);
}
