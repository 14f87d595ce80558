/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiment P2: figures 5 to 13 of Koudas, Srivastava, Yu and Zhang, "Distribution-based
 * Microdata Anonymization": how wide the guaranteed bounds of an average are, relative to the
 * answer, on the records of Adult with a capital loss and on tables that are made up.
 *
 * SA-only takes the whole table as one group, QI-SA every age as one. The paper does not say how
 * weights become whole numbers: here every node's are rounded to a sum of at most 16, but for
 * SA-only with the table's own distribution, which the paper describes as a permutation and
 * nothing else.
 */
#include "papers/p2.h"

#include <string.h>

enum { RUNS = EX_EXPERIMENT_OWN, QUERIES, ROWS, SEED };

static const ex_param params[] = {
    EX_EXPERIMENT_COMMON_PARAMS(
        "the Adult table, a CSV file with a header (docs/reproductions.md)"),
    {.name = "runs",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000",
     .fallback = "3",
     .help = "times that each figure is tried, each with a seed of its own"},
    {.name = "queries",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "100",
     .help = "queries for each point of a figure"},
    {.name = "rows",
     .type = EX_PARAM_INTEGER,
     .minimum = "100",
     .maximum = "1000000",
     .fallback = "10000",
     .help = "records of the tables that are made up"},
    {.name = "seed",
     .type = EX_PARAM_TEXT,
     .fallback = "5032",
     .help = "hexadecimal, up to 60 digits; run n uses the seed with n behind it"},
};

/* ---- figures ---- */

#define RANGES .axis = EX_P2_BY_RANGE, .points = 6, .at = {10, 20, 30, 40, 50, 60}

#define BOTH_METHODS                                                                               \
    .count = 2, .series = {{"SA-only", "whole", ",weight-cap=none", "source", NULL},               \
                           {"QI-SA", "identical", "", "source", NULL}}

#define FAKES(method, target)                                                                      \
    .count = 4, .series = {{"+0%", method, "", target, NULL},                                      \
                           {"+5%", method, ",fake=best:5%", target, NULL},                         \
                           {"+10%", method, ",fake=best:10%", target, NULL},                       \
                           {"+20%", method, ",fake=best:20%", target, NULL}}

#define POINT_TARGETS                                                                              \
    .count = 2,                                                                                    \
    .series = {{"SA-only", "whole", "", NULL, NULL}, {"QI-SA", "identical", "", NULL, NULL}}

#define PARTS(target)                                                                              \
    .count = 4, .series = {{"SA-only-2", "columns:half", ",per=group", target, NULL},              \
                           {"SA-only-10", "columns:tenth", ",per=group", target, NULL},            \
                           {"QI-SA-2", "identical:within=half", ",per=group", target, NULL},       \
                           {"QI-SA-10", "identical:within=tenth", ",per=group", target, NULL}}

const ex_p2_figure ex_p2_figures[] = {
    {.name = "figure_5_real",
     .title = "Figure 5: relative error of the bounds against R, the range of ages in a query; "
              "records of Adult with a capital loss, target: the distribution of the table",
     .table = EX_P2_REAL,
     RANGES,
     BOTH_METHODS},
    {.name = "figure_5_independent",
     .title = "Figure 5: the same, age and a normal loss independent",
     .table = EX_P2_NORMAL,
     RANGES,
     BOTH_METHODS},
    {.name = "figure_5_correlated",
     .title = "Figure 5: the same, the loss grows with the age",
     .table = EX_P2_CORRELATED,
     RANGES,
     BOTH_METHODS},
    {.name = "figure_5_real_fakes",
     .title = "Figure 5: QI-SA with the best number of fakes up to a share of each group, Adult",
     .table = EX_P2_REAL,
     RANGES,
     FAKES("identical", "source")},
    {.name = "figure_5_independent_fakes",
     .title = "Figure 5: the same, age and loss independent",
     .table = EX_P2_NORMAL,
     RANGES,
     FAKES("identical", "source")},
    {.name = "figure_5_correlated_fakes",
     .title = "Figure 5: the same, the loss grows with the age",
     .table = EX_P2_CORRELATED,
     RANGES,
     FAKES("identical", "source")},
    {.name = "figure_6_real",
     .title = "Figure 6: SA-only with fakes on Adult without a tenth of the records, at random; "
              "target: the distribution before",
     .table = EX_P2_REAL_CUT,
     RANGES,
     FAKES("whole", "original")},
    {.name = "figure_6_made",
     .title = "Figure 6: the same, age and a normal loss independent",
     .table = EX_P2_NORMAL_CUT,
     RANGES,
     FAKES("whole", "original")},
    {.name = "figure_7",
     .title = "Figure 7: uniform losses from 1024 to 3072, target normal with the standard "
              "deviation range / r; R=50",
     .table = EX_P2_UNIFORM,
     .axis = EX_P2_BY_SPREAD,
     .points = 6,
     .at = {2, 4, 6, 8, 10, 12},
     POINT_TARGETS},
    {.name = "figure_7_variance",
     .title = "Figure 7, as the paper says it: target normal with the variance range / r",
     .table = EX_P2_UNIFORM,
     .axis = EX_P2_BY_VARIANCE,
     .points = 6,
     .at = {2, 4, 6, 8, 10, 12},
     POINT_TARGETS},
    {.name = "figure_8",
     .title = "Figure 8: losses Zipf with s=0.1, target Zipf with s; R=50",
     .table = EX_P2_ZIPF,
     .axis = EX_P2_BY_SKEW,
     .points = 6,
     .at = {0.1, 0.3, 0.5, 0.7, 0.9, 1.1},
     POINT_TARGETS},
    {.name = "figure_9",
     .title = "Figure 9: the same, age and loss correlated",
     .table = EX_P2_ZIPF_CORRELATED,
     .axis = EX_P2_BY_SKEW,
     .points = 6,
     .at = {0.1, 0.3, 0.5, 0.7, 0.9, 1.1},
     POINT_TARGETS},
    {.name = "figure_10",
     .title = "Figure 10: binary (2) and ternary (3) trees; uniform losses, target uniform",
     .table = EX_P2_UNIFORM,
     RANGES,
     .count = 4,
     .series = {{"SA-only(2)", "whole", "", "uniform", "loss=balanced:2"},
                {"SA-only(3)", "whole", "", "uniform", "loss=balanced:3"},
                {"QI-SA(2)", "identical", "", "uniform", "loss=balanced:2"},
                {"QI-SA(3)", "identical", "", "uniform", "loss=balanced:3"}}},
    {.name = "figure_11",
     .title = "Figure 11: 2 and 10 groups by age, each with its own distribution as target; Adult",
     .table = EX_P2_REAL,
     RANGES,
     PARTS("source")},
    {.name = "figure_12",
     .title = "Figure 12: the same, each with the uniform distribution on its own range as target; "
              "the loss grows with the age",
     .table = EX_P2_CORRELATED,
     RANGES,
     PARTS("uniform")},
};
const size_t ex_p2_figure_count = sizeof ex_p2_figures / sizeof *ex_p2_figures;
_Static_assert(sizeof ex_p2_figures / sizeof *ex_p2_figures <= EX_P2_MOST_FIGURES, "figures");

size_t ex_p2_figure_named(const char *name)
{
    size_t figure = 0;
    while (strcmp(ex_p2_figures[figure].name, name) != 0)
        figure++;
    return figure;
}

/* ---- runs ---- */

static bauta_status try_all(const ex_experiment_job *job, ex_p2_found *found, bauta_error *error)
{
    char seed[EX_RUN_SEED_ROOM];
    for (size_t run = 0; run < found->runs; run++) {
        ex_run_seed(job->values[SEED].text, run, seed);
        ex_p2_job one = {job, found, seed};
        for (size_t figure = 0; figure < ex_p2_figure_count; figure++)
            EX_TRY(ex_p2_try(&one, &ex_p2_figures[figure],
                             &found->grids[run * ex_p2_figure_count + figure], error));
        for (size_t i = 0; i < EX_P2_TIMES; i++) {
            found->times_rows[i] = found->rows * 10 * (int64_t)(i + 1);
            EX_TRY(ex_p2_time(&one, found->times_rows[i], found->seconds[i], error));
        }
    }
    return BAUTA_OK;
}

/* ---- facts ---- */

double ex_p2_error(const ex_p2_found *found, size_t figure, size_t point, size_t series)
{
    double error = 0;
    int64_t asked = 0;
    for (size_t run = 0; run < found->runs; run++) {
        const ex_p2_answers *here = &found->grids[run * ex_p2_figure_count + figure][point][series];
        error += here->error;
        asked += here->asked;
    }
    return asked > 0 ? error / (double)asked : 0;
}

static const char *axis_name(ex_p2_axis axis)
{
    return axis == EX_P2_BY_RANGE ? "R" : axis == EX_P2_BY_SKEW ? "s" : "r";
}

static void put_place(ex_facts *facts, json_t *row, const ex_p2_figure *figure, size_t point)
{
    if (figure->axis == EX_P2_BY_SKEW)
        ex_put_real(facts, row, axis_name(figure->axis), figure->at[point]);
    else
        ex_put_int(facts, row, axis_name(figure->axis), (int64_t)figure->at[point]);
}

static void put_figure(const ex_experiment_job *job, const ex_p2_found *found, size_t figure)
{
    const ex_p2_figure *f = &ex_p2_figures[figure];
    json_t *rows = ex_put_table(job, f->name, f->title);
    for (size_t point = 0; point < f->points; point++) {
        json_t *row = ex_put_object(job->facts, rows, NULL);
        put_place(job->facts, row, f, point);
        for (size_t series = 0; series < f->count; series++)
            ex_put_real(job->facts, row, f->series[series].name,
                        ex_p2_error(found, figure, point, series));
    }
}

static void put_times(const ex_experiment_job *job, const ex_p2_found *found)
{
    json_t *rows = ex_put_table(job, "figure_13",
                                "Figure 13: seconds for grouping, allocation and writing against "
                                "n, the records of a table with an independent normal loss");
    for (size_t i = 0; i < EX_P2_TIMES; i++) {
        json_t *row = ex_put_object(job->facts, rows, NULL);
        ex_put_int(job->facts, row, "n", found->times_rows[i]);
        ex_put_real(job->facts, row, "SA-only", found->seconds[i][0]);
        ex_put_real(job->facts, row, "QI-SA", found->seconds[i][1]);
    }
}

/* Every point of every run, for whoever wants to repeat one. */
static void put_trials(const ex_experiment_job *job, const ex_p2_found *found)
{
    ex_facts *facts = job->facts;
    json_t *list = ex_put_array(facts, facts->root, "trials");
    char seed[EX_RUN_SEED_ROOM];
    for (size_t run = 0; run < found->runs; run++)
        for (size_t figure = 0; figure < ex_p2_figure_count; figure++) {
            const ex_p2_figure *f = &ex_p2_figures[figure];
            ex_run_seed(job->values[SEED].text, run, seed);
            for (size_t at = 0; at < f->points * f->count; at++) {
                size_t point = at / f->count, series = at % f->count;
                const ex_p2_answers *here =
                    &found->grids[run * ex_p2_figure_count + figure][point][series];
                json_t *row = ex_put_object(facts, list, NULL);
                ex_put_text(facts, row, "table", f->name);
                ex_put_text(facts, row, "series", f->series[series].name);
                put_place(facts, row, f, point);
                ex_put_text(facts, row, "seed", seed);
                ex_put_int(facts, row, "asked", here->asked);
                ex_put_int(facts, row, "empty", here->empty);
                ex_put_int(facts, row, "contained", here->contained);
                ex_put_real(facts, row, "error",
                            here->asked > 0 ? here->error / (double)here->asked : 0);
            }
        }
}

static int64_t count_empty(const ex_p2_found *found)
{
    int64_t empty = 0;
    for (size_t i = 0; i < found->runs * ex_p2_figure_count; i++)
        for (size_t point = 0; point < EX_P2_MOST_POINTS; point++)
            for (size_t series = 0; series < EX_P2_MOST_SERIES; series++)
                empty += found->grids[i][point][series].empty;
    return empty;
}

static void put_notes(const ex_experiment_job *job, const ex_p2_found *found)
{
    ex_facts *facts = job->facts;
    char first[EX_RUN_SEED_ROOM], last[EX_RUN_SEED_ROOM], text[512];
    ex_run_seed(job->values[SEED].text, 0, first);
    ex_run_seed(job->values[SEED].text, found->runs - 1, last);
    ex_put_int(facts, facts->root, "rows", found->real.rows);
    ex_put_int(facts, facts->root, "dropped", found->dropped);
    json_t *notes = ex_put_array(facts, facts->root, "notes");
    snprintf(text, sizeof text,
             "%lld records of Adult have a capital loss, with %lld distinct values (paper: 1427 "
             "and 89); %lld of the first %d records have unknown values and are left out. Tables "
             "that are made up have %lld records.",
             (long long)found->real.rows, (long long)found->real.distinct,
             (long long)found->dropped, EX_P2_TRAINING, (long long)found->rows);
    ex_put_text(facts, notes, NULL, text);
    ex_put_text(facts, notes, NULL,
                "Errors are (upper - lower) / answer for AVG(loss) of the ages X to X + R. Trees "
                "are balanced over the values that occur, binary where nothing else is said. The "
                "weights of a node are rounded to a sum of at most 16, but for SA-only with the "
                "distribution of the table in figure 5, where they are exact; the paper does not "
                "say how it makes them whole. The requirement is l=2.");
    snprintf(text, sizeof text,
             "Means over %zu %s of %zu queries for each point, seeds %s to %s. Queries that select "
             "no record, %lld in all, are left out.",
             found->runs, found->runs == 1 ? "run" : "runs", found->queries, first, last,
             (long long)count_empty(found));
    ex_put_text(facts, notes, NULL, text);
}

static bauta_status run(const ex_experiment_job *job, bauta_error *error)
{
    enum { FEWEST = 100 };
    ex_p2_found found = {.runs = (size_t)job->values[RUNS].integer,
                         .queries = (size_t)job->values[QUERIES].integer,
                         .rows = job->values[ROWS].integer};
    EX_TRY(ex_run_seed_check("P2", job->values[SEED].text, error));
    EX_TRY(ex_p2_prepare(job, &found, error));
    if (found.real.rows < FEWEST) {
        bauta_status status = ex_fail(
            error, BAUTA_INVALID, "the table has %lld records with a loss, P2 needs %d at least",
            (long long)found.real.rows, FEWEST);
        ex_error_place(error, job->values[EX_EXPERIMENT_DATA].text, -1, "capital-loss");
        return status;
    }
    found.grids = ex_arena_array(job->arena, found.runs * ex_p2_figure_count, sizeof *found.grids);
    if (!found.grids) return ex_fail_memory(error);
    EX_TRY(try_all(job, &found, error));
    put_notes(job, &found);
    for (size_t figure = 0; figure < ex_p2_figure_count; figure++)
        put_figure(job, &found, figure);
    put_times(job, &found);
    ex_p2_put_claims(job, &found);
    put_trials(job, &found);
    return BAUTA_OK;
}

const ex_entry ex_experiment_p2 = {
    .name = "P2",
    .summary = "width of the guaranteed bounds of distribution-based releases",
    .paper = "Distribution-based Microdata Anonymization",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .run = run,
};
