/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paper claims of experiment P1, and whether the numbers found bear it out. It states no
 * numbers, only orders and trends; where "little" and "slightly" must mean something, they mean
 * what is said here.
 */
#include "papers/p1.h"

#include <stdbool.h>

static ex_claim_verdict share_of(size_t good, size_t all)
{
    return good == all ? EX_CLAIM_HOLDS : good > 0 ? EX_CLAIM_IN_PART : EX_CLAIM_FAILS;
}

double ex_p1_mean_error(const ex_p1_trial *trials, size_t runs, ex_p1_method method)
{
    double sum = 0;
    for (size_t run = 0; run < runs; run++)
        sum += trials[run].of[method].mean_error;
    return sum / (double)runs;
}

static bool in_order(double lossy, double anatomy, double generalized)
{
    return lossy < anatomy && anatomy < generalized;
}

/* ---- the order at the defaults ---- */

static void claim_order(const ex_experiment_job *job, const ex_p1_found *found)
{
    size_t good = 0;
    double mean[EX_P1_METHODS];
    for (ex_p1_method method = 0; method < EX_P1_METHODS; method++)
        mean[method] = ex_p1_mean_error(found->defaults, found->runs, method);
    for (size_t run = 0; run < found->runs; run++) {
        const ex_p1_answers *of = found->defaults[run].of;
        good += in_order(of[EX_P1_LOSSY].mean_error, of[EX_P1_ANATOMY].mean_error,
                         of[EX_P1_GENERALIZED].mean_error);
    }
    ex_put_claim(job,
                 "two tables from top-down classes have the smallest error, anatomy has the next, "
                 "one generalized table the greatest",
                 share_of(good, found->runs),
                 "in %zu of %zu runs at the defaults; %.4f, %.4f and %.4f on average", good,
                 found->runs, mean[EX_P1_LOSSY], mean[EX_P1_ANATOMY], mean[EX_P1_GENERALIZED]);
}

/* By how much the paper's method is better than anatomy. */
static void claim_factor(const ex_experiment_job *job, const ex_p1_found *found)
{
    size_t good = 0, known = 0;
    double least = 0, most = 0;
    for (size_t run = 0; run < found->runs; run++) {
        const ex_p1_answers *of = found->defaults[run].of;
        if (of[EX_P1_LOSSY].mean_error <= 0) continue; /* no error: better by any factor */
        double factor = of[EX_P1_ANATOMY].mean_error / of[EX_P1_LOSSY].mean_error;
        if (known == 0 || factor < least) least = factor;
        if (known == 0 || factor > most) most = factor;
        known++;
        good += factor >= 1.5;
    }
    good += found->runs - known;
    ex_put_claim(job, "the error of anatomy is at least 1.5 times that of two tables (ours)",
                 share_of(good, found->runs),
                 "in %zu of %zu runs at the defaults; %.2f to %.2f times", good, found->runs, least,
                 most);
}

/* ---- figures ---- */

static double error_at(const ex_p1_found *found, ex_p1_axis axis, size_t point, ex_p1_method method)
{
    return ex_p1_mean_error(found->series[axis].trials[point], found->runs, method);
}

static void claim_figure_order(const ex_experiment_job *job, const ex_p1_found *found,
                               ex_p1_axis axis, const char *claim)
{
    size_t good = 0, count = found->series[axis].count;
    for (size_t i = 0; i < count; i++)
        good +=
            in_order(error_at(found, axis, i, EX_P1_LOSSY), error_at(found, axis, i, EX_P1_ANATOMY),
                     error_at(found, axis, i, EX_P1_GENERALIZED));
    ex_put_claim(job, claim, share_of(good, count), "at %zu of %zu points", good, count);
}

/* Little effect: the greatest error of a series is at most 1.5 times the smallest. */
static void claim_flat(const ex_experiment_job *job, const ex_p1_found *found, ex_p1_axis axis,
                       const char *claim)
{
    size_t good = 0;
    double ratios[EX_P1_METHODS];
    for (ex_p1_method method = 0; method < EX_P1_METHODS; method++) {
        double least = error_at(found, axis, 0, method), most = least;
        for (size_t i = 1; i < found->series[axis].count; i++) {
            double error = error_at(found, axis, i, method);
            if (error < least) least = error;
            if (error > most) most = error;
        }
        ratios[method] = least > 0 ? most / least : 1;
        good += ratios[method] <= 1.5;
    }
    ex_put_claim(job, claim, share_of(good, EX_P1_METHODS),
                 "the greatest error is %.2f (two-tables), %.2f (anatomy) and %.2f (generalized) "
                 "times the smallest; up to 1.5 is taken as little",
                 ratios[EX_P1_LOSSY], ratios[EX_P1_ANATOMY], ratios[EX_P1_GENERALIZED]);
}

/* Errors fall: from the first point to the last, of every series. */
static void claim_falls(const ex_experiment_job *job, const ex_p1_found *found, ex_p1_axis axis,
                        const char *claim)
{
    size_t good = 0, falls = 0, steps = 0, count = found->series[axis].count;
    double ratios[EX_P1_METHODS];
    for (ex_p1_method method = 0; method < EX_P1_METHODS; method++) {
        double first = error_at(found, axis, 0, method);
        double last = error_at(found, axis, count - 1, method);
        good += last < first;
        ratios[method] = first > 0 ? last / first : 1;
        for (size_t i = 1; i < count; i++, steps++)
            falls += error_at(found, axis, i, method) < error_at(found, axis, i - 1, method);
    }
    ex_put_claim(job, claim, share_of(good, EX_P1_METHODS),
                 "at the last point %.2f (two-tables), %.2f (anatomy) and %.2f (generalized) "
                 "times that at the first; it falls in %zu of %zu steps",
                 ratios[EX_P1_LOSSY], ratios[EX_P1_ANATOMY], ratios[EX_P1_GENERALIZED], falls,
                 steps);
}

/* ---- what this project promises ---- */

static void claim_bounds(const ex_experiment_job *job, const ex_p1_found *found)
{
    size_t good = 0, all = 0;
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++)
            for (size_t run = 0; run < found->runs; run++)
                for (ex_p1_method method = 0; method < EX_P1_METHODS; method++, all++)
                    good += found->series[axis].trials[i][run].of[method].contained >= 1;
    ex_put_claim(job, "the guaranteed interval contains the true answer of every query (ours)",
                 good == all ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "of all %s queries in %zu of %zu cases", found->queries, good, all);
}

void ex_p1_put_claims(const ex_experiment_job *job, const ex_p1_found *found)
{
    claim_order(job, found);
    claim_factor(job, found);
    claim_figure_order(job, found, EX_P1_BY_D, "the order is the same for every d (figure 2)");
    claim_flat(job, found, EX_P1_BY_D, "d has little effect on the errors (figure 2)");
    claim_figure_order(job, found, EX_P1_BY_QD, "the order is the same for every qd (figure 3)");
    claim_flat(job, found, EX_P1_BY_QD, "qd has little effect on the errors (figure 3)");
    claim_figure_order(job, found, EX_P1_BY_S, "the order is the same for every s (figure 4)");
    claim_falls(job, found, EX_P1_BY_S, "errors fall as s grows (figure 4)");
    claim_figure_order(job, found, EX_P1_BY_N, "the order is the same for every n (figure 5)");
    claim_falls(job, found, EX_P1_BY_N, "errors fall slightly as n grows (figure 5)");
    claim_bounds(job, found);
}
