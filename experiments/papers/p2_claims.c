/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paper claims of experiment P2, and whether the numbers found bear it out. It states no
 * numbers; where "steeply", "flat" and "a few" must mean something, they mean what is said here.
 */
#include "papers/p2.h"

#include <stdbool.h>

enum { SA, QI }; /* series of most figures */
enum { NONE, FIVE, TEN, TWENTY, FAKE_SERIES };

static ex_claim_verdict share_of(size_t good, size_t all)
{
    return good == all ? EX_CLAIM_HOLDS : good > 0 ? EX_CLAIM_IN_PART : EX_CLAIM_FAILS;
}

static double first_of(const ex_p2_found *found, size_t figure, size_t series)
{
    return ex_p2_error(found, figure, 0, series);
}

static double last_of(const ex_p2_found *found, size_t figure, size_t series)
{
    return ex_p2_error(found, figure, ex_p2_figures[figure].points - 1, series);
}

/* The mean over all points. */
static double level_of(const ex_p2_found *found, size_t figure, size_t series)
{
    double sum = 0;
    size_t points = ex_p2_figures[figure].points;
    for (size_t point = 0; point < points; point++)
        sum += ex_p2_error(found, figure, point, series);
    return sum / (double)points;
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : 1;
}

/* ---- figure 5, SA-only and QI-SA ---- */

static const char *const tables[] = {"figure_5_real", "figure_5_independent",
                                     "figure_5_correlated"};
enum { TABLES = sizeof tables / sizeof *tables };

static void claim_shapes(const ex_experiment_job *job, const ex_p2_found *found)
{
    size_t steep = 0, flat = 0;
    double fall[TABLES], change[TABLES];
    for (size_t i = 0; i < TABLES; i++) {
        size_t figure = ex_p2_figure_named(tables[i]);
        fall[i] = ratio(last_of(found, figure, SA), first_of(found, figure, SA));
        change[i] = ratio(last_of(found, figure, QI), first_of(found, figure, QI));
        steep += fall[i] <= 0.5;
        flat += change[i] >= 0.67 && change[i] <= 1.5;
    }
    ex_put_claim(job,
                 "the error of SA-only drops steeply as the range of the query grows (figure 5)",
                 share_of(steep, TABLES),
                 "at R=60 it is %.2f (Adult), %.2f (independent) and %.2f (correlated) times that "
                 "at R=10; up to 0.5 is taken as steeply",
                 fall[0], fall[1], fall[2]);
    ex_put_claim(job, "the error of QI-SA does not change much with it (figure 5)",
                 share_of(flat, TABLES),
                 "at R=60 it is %.2f (Adult), %.2f (independent) and %.2f (correlated) times that "
                 "at R=10; 0.67 to 1.5 is taken as not much",
                 change[0], change[1], change[2]);
}

/* How many of the first points QI-SA has the smaller error at. */
static size_t points_of_qi(const ex_p2_found *found, size_t figure)
{
    size_t good = 0;
    for (size_t point = 0; point < ex_p2_figures[figure].points; point++)
        good += ex_p2_error(found, figure, point, QI) < ex_p2_error(found, figure, point, SA);
    return good;
}

static void claim_orders(const ex_experiment_job *job, const ex_p2_found *found)
{
    size_t real = ex_p2_figure_named(tables[0]), apart = ex_p2_figure_named(tables[1]);
    size_t together = ex_p2_figure_named(tables[2]);
    size_t points = ex_p2_figures[apart].points, qi = points_of_qi(found, apart);
    bool last = last_of(found, apart, SA) < last_of(found, apart, QI);
    ex_put_claim(job,
                 "independent: QI-SA is more accurate until most records are selected, then "
                 "SA-only (figure 5)",
                 qi + 1 >= points && last ? EX_CLAIM_HOLDS
                 : qi > 0                 ? EX_CLAIM_IN_PART
                                          : EX_CLAIM_FAILS,
                 "QI-SA has the smaller error at %zu of %zu ranges; at R=60 it is %.3f, that of "
                 "SA-only %.3f",
                 qi, points, last_of(found, apart, QI), last_of(found, apart, SA));
    size_t sa = points - points_of_qi(found, together);
    ex_put_claim(job, "correlated: SA-only is always more accurate (figure 5)",
                 share_of(sa, points), "at %zu of %zu ranges", sa, points);
    qi = points_of_qi(found, real);
    last = last_of(found, real, SA) < last_of(found, real, QI);
    ex_put_claim(job,
                 "Adult: SA-only is inaccurate for small ranges and better than QI-SA for large "
                 "ones (figure 5)",
                 qi > 0 && last ? EX_CLAIM_HOLDS
                 : last         ? EX_CLAIM_IN_PART
                                : EX_CLAIM_FAILS,
                 "QI-SA has the smaller error at %zu of %zu ranges; SA-only %.3f at R=10 and %.3f "
                 "at R=60, QI-SA %.3f and %.3f",
                 qi, points, first_of(found, real, SA), last_of(found, real, SA),
                 first_of(found, real, QI), last_of(found, real, QI));
}

/* ---- figures 5 and 6, fakes ---- */

typedef struct fake_levels {
    double of[FAKE_SERIES];
} fake_levels;

static fake_levels levels_of(const ex_p2_found *found, const char *name)
{
    fake_levels levels;
    size_t figure = ex_p2_figure_named(name);
    for (size_t series = 0; series < FAKE_SERIES; series++)
        levels.of[series] = level_of(found, figure, series);
    return levels;
}

static void put_fake_claim(const ex_experiment_job *job, const char *claim, size_t good, size_t all,
                           const fake_levels *l)
{
    ex_put_claim(job, claim, share_of(good, all),
                 "errors over all ranges: %.3f without fakes, %.3f with up to 5 %%, %.3f with 10 "
                 "%%, %.3f with 20 %%",
                 l->of[NONE], l->of[FIVE], l->of[TEN], l->of[TWENTY]);
}

/* A few help, and 20 % are worse than the best of the fewer. */
static size_t few_help_many_hurt(const fake_levels *l)
{
    double fewer = l->of[FIVE] < l->of[TEN] ? l->of[FIVE] : l->of[TEN];
    return (size_t)(l->of[FIVE] < l->of[NONE]) + (size_t)(l->of[TWENTY] > fewer);
}

static void claim_fakes(const ex_experiment_job *job, const ex_p2_found *found)
{
    fake_levels l = levels_of(found, "figure_5_real_fakes");
    put_fake_claim(job, "Adult, QI-SA: a few fakes help, 20 % are too many (figure 5)",
                   few_help_many_hurt(&l), 2, &l);
    l = levels_of(found, "figure_5_independent_fakes");
    size_t good = (size_t)(l.of[FIVE] < l.of[NONE]) + (size_t)(l.of[TEN] > l.of[FIVE]) +
                  (size_t)(l.of[TWENTY] > l.of[FIVE]);
    put_fake_claim(job, "independent, QI-SA: 5 % of fakes help, more hurt (figure 5)", good, 3, &l);
    l = levels_of(found, "figure_5_correlated_fakes");
    good = (size_t)(l.of[FIVE] < l.of[NONE]) + (size_t)(l.of[TEN] < l.of[FIVE]) +
           (size_t)(l.of[TWENTY] < l.of[TEN]);
    put_fake_claim(job, "correlated, QI-SA: more fakes keep helping (figure 5)", good, 3, &l);
    l = levels_of(found, "figure_6_real");
    put_fake_claim(job, "Adult without a tenth, SA-only: as with QI-SA (figure 6)",
                   few_help_many_hurt(&l), 2, &l);
    l = levels_of(found, "figure_6_made");
    put_fake_claim(job, "independent without a tenth, SA-only: as with QI-SA (figure 6)",
                   few_help_many_hurt(&l), 2, &l);
}

/* ---- figures 7 to 12 ---- */

/* The error grows from the first point to the last, for both methods. */
static void claim_grows(const ex_experiment_job *job, const ex_p2_found *found, const char *name,
                        const char *claim)
{
    size_t figure = ex_p2_figure_named(name), good = 0, steps = 0, rises = 0;
    size_t points = ex_p2_figures[figure].points;
    for (size_t series = SA; series <= QI; series++) {
        good += last_of(found, figure, series) > first_of(found, figure, series);
        for (size_t point = 1; point < points; point++, steps++)
            rises += ex_p2_error(found, figure, point, series) >
                     ex_p2_error(found, figure, point - 1, series);
    }
    ex_put_claim(job, claim, share_of(good, 2),
                 "SA-only %.3f to %.3f, QI-SA %.3f to %.3f; it grows in %zu of %zu steps",
                 first_of(found, figure, SA), last_of(found, figure, SA),
                 first_of(found, figure, QI), last_of(found, figure, QI), rises, steps);
}

static void claim_skew(const ex_experiment_job *job, const ex_p2_found *found)
{
    size_t figure = ex_p2_figure_named("figure_9"), points = ex_p2_figures[figure].points;
    size_t good = points - points_of_qi(found, figure);
    ex_put_claim(job, "Zipf, correlated: SA-only is more accurate (figure 9)",
                 share_of(good, points), "at %zu of %zu values of s", good, points);
}

static void claim_arity(const ex_experiment_job *job, const ex_p2_found *found)
{
    size_t figure = ex_p2_figure_named("figure_10");
    double sa[] = {level_of(found, figure, 0), level_of(found, figure, 1)};
    double qi[] = {level_of(found, figure, 2), level_of(found, figure, 3)};
    ex_put_claim(job, "a binary tree gives smaller errors than a ternary one (figure 10)",
                 share_of((size_t)(sa[0] < sa[1]) + (size_t)(qi[0] < qi[1]), 2),
                 "over all ranges SA-only %.3f and %.3f, QI-SA %.3f and %.3f", sa[0], sa[1], qi[0],
                 qi[1]);
}

static void claim_groups(const ex_experiment_job *job, const ex_p2_found *found, const char *name,
                         const char *claim)
{
    size_t figure = ex_p2_figure_named(name);
    double sa[] = {level_of(found, figure, 0), level_of(found, figure, 1)};
    double qi[] = {level_of(found, figure, 2), level_of(found, figure, 3)};
    ex_put_claim(job, claim, share_of((size_t)(sa[1] < sa[0]) + (size_t)(qi[1] < qi[0]), 2),
                 "over all ranges SA-only %.3f with 2 groups and %.3f with 10, QI-SA %.3f and %.3f",
                 sa[0], sa[1], qi[0], qi[1]);
}

/* ---- figure 13 ---- */

static void claim_linear(const ex_experiment_job *job, const ex_p2_found *found)
{
    size_t good = 0;
    double growth[EX_P2_METHODS];
    double rows = (double)found->times_rows[EX_P2_TIMES - 1] / (double)found->times_rows[0];
    for (size_t m = 0; m < EX_P2_METHODS; m++) {
        growth[m] = ratio(found->seconds[EX_P2_TIMES - 1][m], found->seconds[0][m]);
        good += growth[m] <= 1.5 * rows;
    }
    ex_put_claim(
        job, "time is linear in the number of records (figure 13)", share_of(good, EX_P2_METHODS),
        "for %.0f times the records SA-only takes %.1f times as long, QI-SA %.1f times; up "
        "to 1.5 times more is taken as linear",
        rows, growth[0], growth[1]);
}

/* ---- what this project promises ---- */

static void claim_bounds(const ex_experiment_job *job, const ex_p2_found *found)
{
    int64_t good = 0, all = 0;
    for (size_t i = 0; i < found->runs * ex_p2_figure_count; i++)
        for (size_t point = 0; point < EX_P2_MOST_POINTS; point++)
            for (size_t series = 0; series < EX_P2_MOST_SERIES; series++) {
                good += found->grids[i][point][series].contained;
                all += found->grids[i][point][series].asked;
            }
    ex_put_claim(job, "the guaranteed interval contains the true answer of every query (ours)",
                 good == all ? EX_CLAIM_HOLDS : EX_CLAIM_FAILS, "of %lld in %lld queries",
                 (long long)good, (long long)all);
}

void ex_p2_put_claims(const ex_experiment_job *job, const ex_p2_found *found)
{
    claim_shapes(job, found);
    claim_orders(job, found);
    claim_fakes(job, found);
    claim_grows(job, found, "figure_7",
                "the error grows with r, as the target moves away from the data (figure 7)");
    claim_grows(job, found, "figure_7_variance", "the same with the variance range / r (figure 7)");
    claim_grows(job, found, "figure_8",
                "the error is smallest at s=0.1, where data and target agree, and grows with s "
                "(figure 8)");
    claim_skew(job, found);
    claim_arity(job, found);
    claim_groups(job, found, "figure_11",
                 "Adult: the error falls with more groups, each with its own target (figure 11)");
    claim_groups(job, found, "figure_12",
                 "correlated: the error falls with more groups, each with its own target "
                 "(figure 12)");
    claim_linear(job, found);
    claim_bounds(job, found);
}
