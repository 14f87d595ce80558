/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paper claims of experiment P5, and whether the numbers found bear it out. Its figures
 * stand in pictures; the text gives factors and trends. Where "about" and "almost" must mean
 * something, they mean what is said here.
 */
#include "papers/p5.h"

typedef double (*part)(const ex_p5_loss *loss);

static ex_claim_verdict share_of(size_t good, size_t all)
{
    return good == all ? EX_CLAIM_HOLDS : good > 0 ? EX_CLAIM_IN_PART : EX_CLAIM_FAILS;
}

static ex_claim_verdict both_of(bool one, bool other)
{
    size_t good = one;
    good += other;
    return share_of(good, 2);
}

static double ratio_of(double top, double bottom)
{
    return bottom > 0 ? top / bottom : 0;
}

static double at_defaults(const ex_p5_found *found, ex_p5_method method, ex_p5_variant variant,
                          part of)
{
    ex_p5_loss mean = ex_p5_mean(found->at_defaults, found->runs, method, variant);
    return of(&mean);
}

static double at_point(const ex_p5_found *found, ex_p5_axis axis, size_t point, ex_p5_method method,
                       ex_p5_variant variant, part of)
{
    ex_p5_loss mean = ex_p5_mean(found->series[axis].trials[point], found->runs, method, variant);
    return of(&mean);
}

/* How many times less a variant loses than the plain method. */
static double factor_of(const ex_p5_found *found, ex_p5_method method, ex_p5_variant variant,
                        part of)
{
    return ratio_of(at_defaults(found, method, EX_P5_PLAIN, of),
                    at_defaults(found, method, variant, of));
}

/* ---- factors ---- */

static const double paper_factors[EX_P5_METHODS][EX_P5_VARIANTS][2] = {
    [EX_P5_MONDRIAN] = {[EX_P5_DIRECT] = {3.04, 14.35}, [EX_P5_REFINE] = {2.15, 4.96}},
    [EX_P5_CLUSTER] = {[EX_P5_DIRECT] = {2.1, 2.22}, [EX_P5_REFINE] = {3.51, 3.4}},
};

static const double paper_errors[EX_P5_METHODS][2] = {{21.1, 7.7}, {6.1, 3.5}};

static void put_factors(const ex_experiment_job *job, const ex_p5_found *found)
{
    ex_facts *facts = job->facts;
    json_t *rows = ex_put_table(job, "factors",
                                "how many times less is lost than by the method alone, at the "
                                "greatest ratio (the paper's: at ratio 100, on IPUMS)");
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
        for (ex_p5_variant variant = EX_P5_DIRECT; variant < EX_P5_VARIANTS; variant++) {
            if (!found->tried[method]) continue;
            json_t *row = ex_put_object(facts, rows, NULL);
            ex_put_text(facts, row, "method", ex_p5_method_names[method]);
            ex_put_text(facts, row, "join", ex_p5_variant_names[variant]);
            json_t *ncp = ex_put_object(facts, row, "ncp");
            ex_put_real(facts, ncp, "found", factor_of(found, method, variant, ex_p5_ncp));
            ex_put_real(facts, ncp, "paper", paper_factors[method][variant][0]);
            json_t *dm = ex_put_object(facts, row, "dm");
            ex_put_real(facts, dm, "found", factor_of(found, method, variant, ex_p5_dm));
            ex_put_real(facts, dm, "paper", paper_factors[method][variant][1]);
        }
    rows = ex_put_table(job, "errors",
                        "average relative error of range-count queries at the defaults");
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
        if (!found->tried[method]) continue;
        json_t *row = ex_put_object(facts, rows, NULL);
        ex_put_text(facts, row, "method", ex_p5_method_names[method]);
        json_t *ours = ex_put_object(facts, row, "found");
        ex_put_real(facts, ours, "plain", at_defaults(found, method, EX_P5_PLAIN, ex_p5_error));
        ex_put_real(facts, ours, "refine", at_defaults(found, method, EX_P5_REFINE, ex_p5_error));
        ex_put_real(facts, ours, "factor", factor_of(found, method, EX_P5_REFINE, ex_p5_error));
        json_t *paper = ex_put_object(facts, row, "paper");
        ex_put_real(facts, paper, "plain", paper_errors[method][0]);
        ex_put_real(facts, paper, "refine", paper_errors[method][1]);
        ex_put_real(facts, paper, "factor", paper_errors[method][0] / paper_errors[method][1]);
    }
}

/* Each factor is at least what the paper found. */
static void claim_factors(const ex_experiment_job *job, const ex_p5_found *found)
{
    size_t less = 0, reached = 0, all = 0;
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
        for (ex_p5_variant variant = EX_P5_DIRECT; variant < EX_P5_VARIANTS; variant++) {
            if (!found->tried[method]) continue;
            double ncp = factor_of(found, method, variant, ex_p5_ncp);
            double dm = factor_of(found, method, variant, ex_p5_dm);
            all += 2;
            less += (ncp > 1) + (dm > 1);
            reached += (ncp >= paper_factors[method][variant][0]) +
                       (dm >= paper_factors[method][variant][1]);
        }
    ex_put_claim(job, "a public table lowers NCP and DM, with both methods and both joins",
                 share_of(less, all), "%zu of %zu factors are above 1", less, all);
    ex_put_claim(job, "the factors are those of the paper at least (its figures 10 to 13)",
                 share_of(reached, all), "%zu of %zu factors are as large as in the paper", reached,
                 all);
}

/* ---- direct against refine ---- */

static void claim_better(const ex_experiment_job *job, const ex_p5_found *found,
                         ex_p5_method method, ex_p5_variant better, const char *claim)
{
    ex_p5_variant other = better == EX_P5_DIRECT ? EX_P5_REFINE : EX_P5_DIRECT;
    if (!found->tried[method]) return;
    double ncp = ratio_of(at_defaults(found, method, other, ex_p5_ncp),
                          at_defaults(found, method, better, ex_p5_ncp));
    double dm = ratio_of(at_defaults(found, method, other, ex_p5_dm),
                         at_defaults(found, method, better, ex_p5_dm));
    ex_put_claim(job, claim, both_of(ncp > 1, dm > 1),
                 "the other has %.2f times its NCP and %.2f times its DM", ncp, dm);
}

/* Almost the same: within a fifth. */
static void claim_equal(const ex_experiment_job *job, const ex_p5_found *found)
{
    size_t good = 0, all = 0;
    double ratios[EX_P5_METHODS] = {0};
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
        if (!found->tried[method]) continue;
        ratios[method] = ratio_of(at_defaults(found, method, EX_P5_REFINE, ex_p5_ncp),
                                  at_defaults(found, method, EX_P5_DIRECT, ex_p5_ncp));
        good += ratios[method] > 1 / 1.2 && ratios[method] < 1.2;
        all++;
    }
    ex_put_claim(job,
                 "on uniform data 'direct' and 'refine' lose almost the same NCP (figures 16, 17)",
                 share_of(good, all),
                 "'refine' has %.2f (mondrian) and %.2f (cluster; 0: not tried) times that of "
                 "'direct'; less than 1.2 either way is taken as almost",
                 ratios[EX_P5_MONDRIAN], ratios[EX_P5_CLUSTER]);
}

/* ---- trends ---- */

typedef struct trend {
    ex_p5_axis axis;
    part of;
    ex_p5_variant from, to; /* the first and the last variant that is meant */
    bool direct;            /* also `direct` */
    bool rises;
    ex_p5_method first, last;
} trend;

static bool is_meant(const ex_p5_found *found, const trend *what, ex_p5_method method,
                     ex_p5_variant variant)
{
    return found->tried[method] && (what->direct || variant != EX_P5_DIRECT);
}

/* From the first point of a series to its last. */
static void claim_trend(const ex_experiment_job *job, const ex_p5_found *found, const trend *what,
                        const char *claim)
{
    size_t good = 0, all = 0, count = found->series[what->axis].count;
    double least = 0, most = 0;
    for (ex_p5_method method = what->first; method <= what->last; method++)
        for (ex_p5_variant variant = what->from; variant <= what->to; variant++) {
            if (!is_meant(found, what, method, variant)) continue;
            double change =
                ratio_of(at_point(found, what->axis, count - 1, method, variant, what->of),
                         at_point(found, what->axis, 0, method, variant, what->of));
            if (all == 0 || change < least) least = change;
            if (all == 0 || change > most) most = change;
            good += what->rises ? change > 1 : change < 1;
            all++;
        }
    if (all == 0 || count < 2) return;
    ex_put_claim(job, claim, share_of(good, all),
                 "in %zu of %zu series; at the last point it is %.2f to %.2f times that at the "
                 "first",
                 good, all, least, most);
}

/* Hardly changes: the greatest of a series is at most 1.5 times the least. */
static void claim_flat(const ex_experiment_job *job, const ex_p5_found *found, const trend *what,
                       const char *claim)
{
    size_t good = 0, all = 0;
    double widest = 0;
    for (ex_p5_method method = what->first; method <= what->last; method++)
        for (ex_p5_variant variant = what->from; variant <= what->to; variant++) {
            if (!is_meant(found, what, method, variant)) continue;
            double least = 0, most = 0;
            for (size_t i = 0; i < found->series[what->axis].count; i++) {
                double here = at_point(found, what->axis, i, method, variant, what->of);
                if (i == 0 || here < least) least = here;
                if (i == 0 || here > most) most = here;
            }
            double spread = ratio_of(most, least);
            if (spread > widest) widest = spread;
            good += spread <= 1.5;
            all++;
        }
    if (all == 0) return;
    ex_put_claim(job, claim, share_of(good, all),
                 "in %zu of %zu series the greatest is at most 1.5 times the least; %.2f times in "
                 "the widest",
                 good, all, widest);
}

/* No trend: a series neither rises nor falls all the way. */
static void claim_no_trend(const ex_experiment_job *job, const ex_p5_found *found,
                           const trend *what, const char *claim)
{
    size_t good = 0, all = 0, count = found->series[what->axis].count;
    for (ex_p5_method method = what->first; method <= what->last; method++)
        for (ex_p5_variant variant = what->from; variant <= what->to; variant++) {
            if (!is_meant(found, what, method, variant)) continue;
            size_t rises = 0, falls = 0;
            for (size_t i = 1; i < count; i++) {
                double before = at_point(found, what->axis, i - 1, method, variant, what->of);
                double here = at_point(found, what->axis, i, method, variant, what->of);
                rises += here > before;
                falls += here < before;
            }
            good += rises > 0 && falls > 0;
            all++;
        }
    if (all == 0 || count < 3) return;
    ex_put_claim(job, claim, share_of(good, all), "%zu of %zu series go up and down", good, all);
}

/* About six times: from 3 to 12. */
static void claim_six(const ex_experiment_job *job, const ex_p5_found *found)
{
    const ex_p5_series *series = &found->series[EX_P5_BY_K];
    size_t last = series->count - 1;
    if (!found->tried[EX_P5_MONDRIAN] || series->settings[last].k < 500) return;
    double direct =
        ratio_of(at_point(found, EX_P5_BY_K, last, EX_P5_MONDRIAN, EX_P5_DIRECT, ex_p5_dm),
                 at_point(found, EX_P5_BY_K, 0, EX_P5_MONDRIAN, EX_P5_DIRECT, ex_p5_dm));
    double refine =
        ratio_of(at_point(found, EX_P5_BY_K, last, EX_P5_MONDRIAN, EX_P5_REFINE, ex_p5_dm),
                 at_point(found, EX_P5_BY_K, 0, EX_P5_MONDRIAN, EX_P5_REFINE, ex_p5_dm));
    ex_put_claim(job, "with a public table DM of mondrian at k=500 is about six times that at k=5",
                 both_of(direct >= 3 && direct <= 12, refine >= 3 && refine <= 12),
                 "%.2f times (direct) and %.2f times (refine); 3 to 12 is taken as about", direct,
                 refine);
}

/* ---- queries ---- */

static void claim_errors(const ex_experiment_job *job, const ex_p5_found *found)
{
    size_t good = 0, all = 0;
    double least = 0, most = 0;
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++)
            for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
                if (!found->tried[method]) continue;
                double plain = at_point(found, axis, i, method, EX_P5_PLAIN, ex_p5_error);
                double refined = at_point(found, axis, i, method, EX_P5_REFINE, ex_p5_error);
                double factor = ratio_of(plain, refined);
                if (found->series[axis].settings[i].ratio == 1) continue; /* nobody external */
                if (all == 0 || factor < least) least = factor;
                if (all == 0 || factor > most) most = factor;
                good += plain > refined;
                all++;
            }
    if (all == 0) return;
    ex_put_claim(
        job, "'refine' answers more accurately in all cases, 1.66 to 4 times (figures 14, 15)",
        share_of(good, all), "at %zu of %zu points, %.2f to %.2f times", good, all, least, most);
}

static void claim_ranges(const ex_experiment_job *job, const ex_p5_found *found)
{
    size_t good = 0, all = 0;
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
        for (ex_p5_variant variant = 0; variant < EX_P5_VARIANTS; variant++) {
            if (!found->tried[method] || variant == EX_P5_DIRECT) continue;
            ex_p5_loss mean = ex_p5_mean(found->at_defaults, found->runs, method, variant);
            good += mean.error[EX_P5_RANGES - 1] < mean.error[0];
            all++;
        }
    ex_put_claim(job, "errors fall as queries ask for more of the space (figures 14c, 15c)",
                 share_of(good, all), "from 2 to 50 per cent in %zu of %zu series", good, all);
}

static void claim_cluster(const ex_experiment_job *job, const ex_p5_found *found)
{
    if (!found->tried[EX_P5_MONDRIAN] || !found->tried[EX_P5_CLUSTER]) return;
    double plain = ratio_of(at_defaults(found, EX_P5_MONDRIAN, EX_P5_PLAIN, ex_p5_error),
                            at_defaults(found, EX_P5_CLUSTER, EX_P5_PLAIN, ex_p5_error));
    double refined = ratio_of(at_defaults(found, EX_P5_MONDRIAN, EX_P5_REFINE, ex_p5_error),
                              at_defaults(found, EX_P5_CLUSTER, EX_P5_REFINE, ex_p5_error));
    ex_put_claim(job, "cluster answers more accurately than mondrian, plain and refined",
                 both_of(plain > 1, refined > 1),
                 "the error of mondrian is %.2f times that of cluster alone, %.2f times refined",
                 plain, refined);
}

/* ---- times ---- */

/* About twice: from 1.5 to 3 times. About the same: less than 1.5 times either way. */
static void claim_times(const ex_experiment_job *job, const ex_p5_found *found)
{
    double slower[EX_P5_METHODS];
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
        slower[method] = ratio_of(at_defaults(found, method, EX_P5_REFINE, ex_p5_seconds),
                                  at_defaults(found, method, EX_P5_DIRECT, ex_p5_seconds));
    if (found->tried[EX_P5_MONDRIAN])
        ex_put_claim(job, "mondrian takes about two times as long to refine as directly",
                     slower[EX_P5_MONDRIAN] >= 1.5 && slower[EX_P5_MONDRIAN] <= 3 ? EX_CLAIM_HOLDS
                                                                                  : EX_CLAIM_FAILS,
                     "%.2f times; 1.5 to 3 is taken as about", slower[EX_P5_MONDRIAN]);
    if (found->tried[EX_P5_CLUSTER])
        ex_put_claim(job, "cluster takes roughly the same time either way",
                     slower[EX_P5_CLUSTER] > 1 / 1.5 && slower[EX_P5_CLUSTER] < 1.5
                         ? EX_CLAIM_HOLDS
                         : EX_CLAIM_FAILS,
                     "to refine takes %.2f times as long; less than 1.5 either way is taken as "
                     "roughly",
                     slower[EX_P5_CLUSTER]);
}

/* ---- what this project promises ---- */

static void claim_bounds(const ex_experiment_job *job, const ex_p5_found *found)
{
    size_t good = 0, all = 0;
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++)
            for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
                for (ex_p5_variant variant = 0; variant < EX_P5_VARIANTS; variant++) {
                    if (!found->tried[method] || variant == EX_P5_DIRECT) continue;
                    ex_p5_loss mean =
                        ex_p5_mean(found->series[axis].trials[i], found->runs, method, variant);
                    good += mean.contained >= 1;
                    all++;
                }
    ex_put_claim(job, "the guaranteed interval contains the true answer of every query (ours)",
                 good == all ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS,
                 "of all %s queries in %zu of %zu cases", found->queries, good, all);
}

static void claim_losses(const ex_experiment_job *job, const ex_p5_found *found)
{
    const ex_p5_method one = EX_P5_MONDRIAN, two = EX_P5_CLUSTER;
    const ex_p5_variant plain = EX_P5_PLAIN, direct = EX_P5_DIRECT, refine = EX_P5_REFINE;
    const trend ratio_plain = {EX_P5_BY_RATIO, ex_p5_ncp, plain, plain, true, true, one, two};
    const trend ratio_ncp = {EX_P5_BY_RATIO, ex_p5_ncp, direct, refine, true, false, one, two};
    const trend ratio_dm = {EX_P5_BY_RATIO, ex_p5_dm, direct, refine, true, false, one, two};
    const trend k_ncp = {EX_P5_BY_K, ex_p5_ncp, plain, refine, true, true, one, two};
    const trend k_dm = {EX_P5_BY_K, ex_p5_dm, plain, refine, true, true, one, two};
    const trend d_ncp = {EX_P5_BY_D, ex_p5_ncp, plain, refine, true, true, one, two};
    const trend d_dm = {EX_P5_BY_D, ex_p5_dm, plain, refine, true, true, one, one};
    const trend d_dm_cluster = {EX_P5_BY_D, ex_p5_dm, plain, refine, true, true, two, two};
    claim_flat(job, found, &ratio_plain, "alone, losses do not depend on the public table");
    claim_trend(job, found, &ratio_ncp,
                "with a public table NCP falls as it grows (figures 10a, 12a)");
    claim_trend(job, found, &ratio_dm, "… and so does DM (figures 11a, 13a)");
    claim_trend(job, found, &k_ncp, "NCP grows with k (figures 10b, 12b)");
    claim_trend(job, found, &k_dm, "… and so does DM (figures 11b, 13b)");
    claim_six(job, found);
    claim_trend(job, found, &d_ncp, "NCP grows with d (figures 10c, 12c)");
    claim_flat(job, found, &d_dm, "DM of mondrian does not depend on d (figure 11c)");
    claim_no_trend(job, found, &d_dm_cluster, "DM of cluster has no trend in d (figure 13c)");
}

static void claim_accuracy(const ex_experiment_job *job, const ex_p5_found *found)
{
    const ex_p5_method one = EX_P5_MONDRIAN, two = EX_P5_CLUSTER;
    const ex_p5_variant plain = EX_P5_PLAIN, refine = EX_P5_REFINE;
    const trend k_error = {EX_P5_BY_K, ex_p5_error, plain, refine, false, true, one, two};
    const trend ratio_error = {EX_P5_BY_RATIO, ex_p5_error, refine, refine, false, false, one, two};
    claim_errors(job, found);
    claim_trend(job, found, &ratio_error,
                "errors of 'refine' fall as the public table grows (figures 14a, 15a)");
    claim_trend(job, found, &k_error, "errors grow with k (figures 14b, 15b)");
    claim_ranges(job, found);
    claim_cluster(job, found);
}

static void claim_speed(const ex_experiment_job *job, const ex_p5_found *found)
{
    const ex_p5_method one = EX_P5_MONDRIAN, two = EX_P5_CLUSTER;
    const ex_p5_variant plain = EX_P5_PLAIN, direct = EX_P5_DIRECT, refine = EX_P5_REFINE;
    const trend ratio = {EX_P5_BY_RATIO, ex_p5_seconds, direct, refine, true, true, one, two};
    const trend k_one = {EX_P5_BY_K, ex_p5_seconds, plain, refine, true, false, one, one};
    const trend d_one = {EX_P5_BY_D, ex_p5_seconds, plain, refine, true, true, one, one};
    const trend k_two = {EX_P5_BY_K, ex_p5_seconds, plain, plain, true, false, two, two};
    const trend d_two = {EX_P5_BY_D, ex_p5_seconds, plain, plain, true, true, two, two};
    claim_trend(job, found, &ratio, "times grow with the public table (figures 18a, 19a)");
    claim_trend(job, found, &k_one, "times of mondrian fall as k grows (figure 18b)");
    claim_flat(job, found, &d_one, "times of mondrian do not depend on d (figure 18c)");
    claim_trend(job, found, &k_two, "times of cluster alone fall as k grows (figure 19b)");
    claim_trend(job, found, &d_two, "times of cluster alone grow with d (figure 19c)");
    claim_times(job, found);
}

void ex_p5_put_claims(const ex_experiment_job *job, const ex_p5_found *found)
{
    put_factors(job, found);
    claim_factors(job, found);
    if (found->uniform) {
        claim_equal(job, found);
    } else {
        claim_better(job, found, EX_P5_MONDRIAN, EX_P5_DIRECT,
                     "with mondrian 'direct' loses less than 'refine' (figures 10, 11)");
        claim_better(job, found, EX_P5_CLUSTER, EX_P5_REFINE,
                     "with cluster 'refine' loses less than 'direct' (figures 12, 13)");
    }
    claim_losses(job, found);
    claim_accuracy(job, found);
    claim_speed(job, found);
    claim_bounds(job, found);
}
