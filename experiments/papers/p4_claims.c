/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paper claims of experiment P4, and whether the numbers found bear it out. Where "most",
 * "least" and "slows down" must mean something, they mean what is said here.
 */
#include "papers/p4.h"

#include <stdbool.h>

static ex_claim_verdict share_of(size_t good, size_t all)
{
    return good == all ? EX_CLAIM_HOLDS : good > 0 ? EX_CLAIM_IN_PART : EX_CLAIM_FAILS;
}

/* ---- protection ---- */

static void claim_anonymity(const ex_experiment_job *job, const ex_p4_found *found)
{
    double anonymity = found->run[0].randomized[0].anonymity;
    double linkage = 0, all = 0;
    for (size_t run = 0; run < found->runs; run++) {
        linkage += found->run[run].randomized[0].linkage / (double)found->runs;
        all += found->run[run].randomized[0].linkage_knowing_all / (double)found->runs;
    }
    ex_put_claim(job, "probabilistic anonymity is 34 (section 7.2.2)",
                 anonymity >= 33.5 && anonymity < 34.5 ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "it is %.2f", anonymity);
    ex_put_claim(job,
                 "so a person is associated with the right record with a probability of 1/34 on "
                 "average",
                 all * anonymity <= 1 ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "someone who knows a person's quasi values picks the person's own row in %.1f %% "
                 "of the cases, and in %.1f %% knowing those of everyone",
                 100 * linkage, 100 * all);
}

static void claim_permutation(const ex_experiment_job *job, const ex_p4_found *found)
{
    int greatest = 0;
    for (int l = 7; l <= 10; l++)
        if (found->permuted[l]) greatest = l;
    if (greatest == 10)
        ex_put_claim(job, "permutation is done with l=8 and l=10", EX_CLAIM_HOLDS,
                     "both are possible");
    else
        ex_put_claim(job, "permutation is done with l=8 and l=10",
                     greatest >= 8 ? EX_CLAIM_IN_PART : EX_CLAIM_FAILS,
                     "the most frequent sensitive value is too frequent: the greatest l is %d",
                     greatest);
}

/* ---- queries ---- */

static double growth(const ex_p4_found *found, int series)
{
    double first = ex_p4_mean_error(found, 1, series), least = first, most = first;
    for (int j = 2; j <= EX_P4_ASKED; j++) {
        double error = ex_p4_mean_error(found, j, series);
        if (error < least) least = error;
        if (error > most) most = error;
    }
    return most - least;
}

static void claim_variation(const ex_experiment_job *job, const ex_p4_found *found)
{
    double permuted = growth(found, EX_P4_PERMUTED_7), randomized = growth(found, EX_P4_DIRECT);
    double diverse = growth(found, EX_P4_DIVERSE_10);
    ex_put_claim(job, "over j the error of permuted data varies least (figure 6a)",
                 share_of((size_t)(permuted < randomized) + (permuted < diverse), 2),
                 "between the greatest and the smallest error lie %.3f (permuted, l=7), %.3f (RA, "
                 "direct) and %.3f (diverse, l=10)",
                 permuted, randomized, diverse);
}

/* Grows: the mean of the last three points is above that of the first three. */
static void claim_growth(const ex_experiment_job *job, const ex_p4_found *found)
{
    double ends[2][2] = {{0}};
    static const int series[2] = {EX_P4_DIRECT, EX_P4_DIVERSE_10};
    size_t good = 0;
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < 3; i++) {
            ends[s][0] += ex_p4_median_error(found, 1 + i, series[s]) / 3;
            ends[s][1] += ex_p4_median_error(found, EX_P4_ASKED - i, series[s]) / 3;
        }
        good += ends[s][1] > ends[s][0];
    }
    ex_put_claim(job, "errors of RA and of l-diverse data grow with j (figure 6a)",
                 share_of(good, 2),
                 "the median goes from %.3f (j up to 3) to %.3f (j from 6) for RA, from %.3f to "
                 "%.3f for diverse, l=10",
                 ends[0][0], ends[0][1], ends[1][0], ends[1][1]);
}

/* Slows down: it rises by less from j=5 to 8 than from 1 to 4. */
static void claim_slower(const ex_experiment_job *job, const ex_p4_found *found)
{
    enum { HALF = EX_P4_ASKED / 2 };
    double mean[2], median[2];
    for (int i = 0; i < 2; i++) {
        int from = 1 + i * HALF, to = HALF + i * HALF;
        mean[i] =
            ex_p4_mean_error(found, to, EX_P4_DIRECT) - ex_p4_mean_error(found, from, EX_P4_DIRECT);
        median[i] = ex_p4_median_error(found, to, EX_P4_DIRECT) -
                    ex_p4_median_error(found, from, EX_P4_DIRECT);
    }
    ex_put_claim(job, "the rise of the error of RA slows down (figure 6a)",
                 share_of((size_t)(mean[1] < mean[0]) + (median[1] < median[0]), 2),
                 "from j=1 to 4 it rises by %.3f (the median by %.3f), from j=5 to 8 by %.3f "
                 "(%.3f)",
                 mean[0], median[0], mean[1], median[1]);
}

static void claim_l(const ex_experiment_job *job, const ex_p4_found *found)
{
    double d5 = ex_p4_mean_error(found, 5, EX_P4_DIVERSE_5);
    double d8 = ex_p4_mean_error(found, 5, EX_P4_DIVERSE_8);
    double d10 = ex_p4_mean_error(found, 5, EX_P4_DIVERSE_10);
    double p5 = ex_p4_mean_error(found, 5, EX_P4_PERMUTED_5);
    double p7 = ex_p4_mean_error(found, 5, EX_P4_PERMUTED_7);
    ex_put_claim(job, "errors of l-diverse and permuted data fall as l does (figure 6b)",
                 share_of((size_t)(d5 < d8 && d8 < d10) + (p5 < p7), 2),
                 "at j=5 %.2f, %.2f and %.2f for diverse, l=10, 8 and 5; %.3f and %.3f for "
                 "permuted, l=7 and 5",
                 d10, d8, d5, p7, p5);
}

static void claim_least(const ex_experiment_job *job, const ex_p4_found *found, int series,
                        const char *claim)
{
    size_t means = 0, medians = 0;
    for (int j = 1; j <= EX_P4_ASKED; j++) {
        bool mean = true, median = true;
        for (int other = EX_P4_PERMUTED_5; other <= EX_P4_DIVERSE_10; other++) {
            mean &= ex_p4_mean_error(found, j, series) < ex_p4_mean_error(found, j, other);
            median &= ex_p4_median_error(found, j, series) < ex_p4_median_error(found, j, other);
        }
        means += mean;
        medians += median;
    }
    ex_put_claim(job, claim, share_of(means + medians, 2 * EX_P4_ASKED),
                 "on average at %zu of %d points, by medians at %zu", means, EX_P4_ASKED, medians);
}

/* ---- associations ---- */

static void claim_recovered(const ex_experiment_job *job, const ex_p4_found *found)
{
    ex_p4_mined randomized = ex_p4_sum(found, ex_p4_pick_randomized, 0);
    double least = ex_p4_recovered(&randomized.all), most = 0;
    for (size_t i = 0; i < EX_P4_PERMUTED; i++) {
        ex_p4_mined expected = ex_p4_sum(found, ex_p4_pick_expected, i);
        ex_p4_mined sampled = ex_p4_sum(found, ex_p4_pick_sampled, i);
        double one = ex_p4_recovered(&expected.all), other = ex_p4_recovered(&sampled.all);
        most = one > most ? one : most;
        most = other > most ? other : most;
    }
    ex_put_claim(job, "RA recovers more associations than permutation (figure 7)",
                 least > most ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "%.0f %% of %lld against %.0f %% at most", 100 * least,
                 (long long)randomized.all.original / (long long)found->runs, 100 * most);
}

static void claim_lambda(const ex_experiment_job *job, const ex_p4_found *found)
{
    size_t falls = 0, grows = 0;
    ex_p4_mined first = ex_p4_sum(found, ex_p4_pick_randomized, 0), last = first;
    for (size_t i = 1; i < EX_P4_LAMBDAS; i++) {
        ex_p4_mined next = ex_p4_sum(found, ex_p4_pick_randomized, i);
        falls += next.all.recovered <= last.all.recovered;
        grows += next.all.artificial >= last.all.artificial;
        last = next;
    }
    bool fewer = last.all.recovered < first.all.recovered;
    ex_put_claim(job, "with lambda fewer associations are recovered (figure 8a)",
                 fewer ? share_of(falls, EX_P4_LAMBDAS - 1) : EX_CLAIM_FAILS,
                 "%.0f %% with lambda=1, %.0f %% with 9; no step up in %zu of %d steps",
                 100 * ex_p4_recovered(&first.all), 100 * ex_p4_recovered(&last.all), falls,
                 EX_P4_LAMBDAS - 1);
    bool more = last.all.artificial > first.all.artificial;
    ex_put_claim(job, "… and more artificial ones appear (figure 8a)",
                 more ? share_of(grows, EX_P4_LAMBDAS - 1) : EX_CLAIM_FAILS,
                 "%.1f with lambda=1, %.1f with 9; no step down in %zu of %d steps",
                 (double)first.all.artificial / (double)found->runs,
                 (double)last.all.artificial / (double)found->runs, grows, EX_P4_LAMBDAS - 1);
}

static void claim_length(const ex_experiment_job *job, const ex_p4_found *found)
{
    ex_p4_mined sum = ex_p4_sum(found, ex_p4_pick_randomized, EX_P4_LAMBDAS / 2);
    ex_p4_rules shorter = {0}, longer = {0};
    bool falls = true;
    double before = 1;
    size_t lengths = 0;
    for (size_t i = 0; i < EX_P4_LENGTHS; i++) {
        const ex_p4_rules *rules = &sum.by_length[i];
        ex_p4_rules *to = i < 3 ? &shorter : &longer;
        to->original += rules->original;
        to->recovered += rules->recovered;
        if (rules->original == 0) continue;
        falls &= ex_p4_recovered(rules) <= before;
        before = ex_p4_recovered(rules);
        lengths++;
    }
    ex_put_claim(job, "at lambda=5 shorter associations are recovered better (figure 8b)",
                 falls                                                  ? EX_CLAIM_HOLDS
                 : ex_p4_recovered(&shorter) > ex_p4_recovered(&longer) ? EX_CLAIM_IN_PART
                                                                        : EX_CLAIM_FAILS,
                 "%.0f %% of those with up to three quasi columns, %.0f %% of the longer ones; %s "
                 "with every one of %zu lengths",
                 100 * ex_p4_recovered(&shorter), 100 * ex_p4_recovered(&longer),
                 falls ? "falling" : "not falling", lengths);
    ex_put_claim(job, "… and most of those with one to three are (figure 8b)",
                 2 * shorter.recovered > shorter.original ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "%.0f %%", 100 * ex_p4_recovered(&shorter));
}

static void claim_pairs(const ex_experiment_job *job, const ex_p4_found *found)
{
    size_t below = 0;
    double most = 0;
    for (size_t i = 0; i < found->pair_count; i++) {
        below += found->pairs[i] < 0.2;
        if (found->pairs[i] > most) most = found->pairs[i];
    }
    ex_put_claim(job,
                 "chi-square over n of a quasi column and the sensitive one is mostly below 0.2",
                 2 * below > found->pair_count ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "of %zu of %zu columns; %.2f at most", below, found->pair_count, most);
}

/* ---- what this project adds ---- */

static void claim_unbiased(const ex_experiment_job *job, const ex_p4_found *found)
{
    size_t means = 0, medians = 0;
    double contained = 0;
    for (int j = 1; j <= EX_P4_ASKED; j++) {
        means +=
            ex_p4_mean_error(found, j, EX_P4_RANDOMIZED) < ex_p4_mean_error(found, j, EX_P4_DIRECT);
        medians += ex_p4_median_error(found, j, EX_P4_RANDOMIZED) <
                   ex_p4_median_error(found, j, EX_P4_DIRECT);
        for (size_t run = 0; run < found->runs; run++)
            contained += found->run[run].asked[j - 1].of[EX_P4_RANDOMIZED].contained;
    }
    contained /= (double)found->runs * EX_P4_ASKED;
    ex_put_claim(job, "undoing the randomization has smaller errors than counting directly (ours)",
                 share_of(means + medians, 2 * EX_P4_ASKED),
                 "on average at %zu of %d points, by medians at %zu", means, EX_P4_ASKED, medians);
    ex_put_claim(job, "its 95 % intervals hold the true answer of 93 to 97 % of the queries (ours)",
                 contained >= 0.93 && contained <= 0.97 ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "of %.1f %%, those with answers below 20 included", 100 * contained);
}

void ex_p4_put_claims(const ex_experiment_job *job, const ex_p4_found *found)
{
    claim_anonymity(job, found);
    claim_permutation(job, found);
    claim_variation(job, found);
    claim_growth(job, found);
    claim_slower(job, found);
    claim_l(job, found);
    claim_least(job, found, EX_P4_DIRECT, "RA has the least error (figures 6a and 6b)");
    claim_least(job, found, EX_P4_RANDOMIZED, "… and with the randomization undone it has (ours)");
    claim_pairs(job, found);
    claim_recovered(job, found);
    claim_lambda(job, found);
    claim_length(job, found);
    claim_unbiased(job, found);
}
