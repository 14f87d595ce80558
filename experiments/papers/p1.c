/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiment P1: figures 2 to 5 of Wong, Liu, Yin, Huang, Fu and Pei, "(alpha,k)-anonymity Based
 * Privacy Preservation by Lossy Join", on the Adult table: the average relative error of COUNT
 * queries against the number of quasi columns (d), of those in a query (qd), the share of
 * combinations that a query asks for (s) and the number of records (n).
 *
 * The ranges stand in figures that the text does not give; these are ours. The estimates are the
 * proportional ones for two tables and the uniform spread for the generalized table: the SQL that
 * the paper prints counts a class as soon as one of its members matches.
 */
#include "papers/p1.h"
#include "papers/adult.h"

enum { RUNS = EX_EXPERIMENT_OWN, QUERIES, SEED, RECIPE };

static const ex_param params[] = {
    EX_EXPERIMENT_COMMON_PARAMS(
        "the Adult table, a CSV file with a header (docs/reproductions.md)"),
    {.name = "runs",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000",
     .fallback = "5",
     .help = "times that each point is tried, each with a seed of its own"},
    {.name = "queries",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "1000",
     .help = "queries of each trial"},
    {.name = "seed",
     .type = EX_PARAM_TEXT,
     .fallback = "5031",
     .help = "hexadecimal, up to 60 digits; run n uses the seed with n behind it"},
    {.name = "recipe",
     .type = EX_PARAM_TEXT,
     .fallback = "",
     .help = "also write the recipe, with our trees, to this file"},
};

static const ex_p1_setting defaults = {EX_P1_QUASI, EX_P1_ASKED, EX_P1_PERCENT, 0};

static const struct figure {
    const char *name, *title, *axis;
} figures[EX_P1_AXES] = {
    [EX_P1_BY_D] = {"figure_2",
                    "Figure 2: average relative error and width of the guaranteed interval against "
                    "d, the number of quasi columns (qd=4, but 3 where d is 3; s=5 %)",
                    "d"},
    [EX_P1_BY_QD] = {"figure_3", "Figure 3: against qd, the quasi columns in a query (d=8, s=5 %)",
                     "qd"},
    [EX_P1_BY_S] = {"figure_4",
                    "Figure 4: against s, the combinations of values asked for, in per cent (d=8, "
                    "qd=4)",
                    "s"},
    [EX_P1_BY_N] = {"figure_5", "Figure 5: against n, random records (d=8, qd=4, s=5 %)", "n"},
};

/* ---- settings ---- */

static void add_point(ex_p1_series *series, ex_p1_setting setting)
{
    series->settings[series->count++] = setting;
}

/* n goes in nine steps up to 45,000 or, of a smaller table, to all of it. */
static void plan(ex_p1_found *found)
{
    enum { STEP = 5000, STEPS = 9 };
    int64_t step = found->rows >= (int64_t)STEP * STEPS ? STEP : found->rows / STEPS;
    ex_p1_setting setting = defaults;
    for (setting.quasi = 3; setting.quasi <= EX_P1_QUASI; setting.quasi++) {
        setting.asked = setting.quasi < EX_P1_ASKED ? setting.quasi : EX_P1_ASKED;
        add_point(&found->series[EX_P1_BY_D], setting);
    }
    setting = defaults;
    for (setting.asked = 1; setting.asked < EX_P1_QUASI; setting.asked++)
        add_point(&found->series[EX_P1_BY_QD], setting);
    setting = defaults;
    for (setting.percent = 1; setting.percent <= 10; setting.percent++)
        add_point(&found->series[EX_P1_BY_S], setting);
    setting = defaults;
    for (int i = 1; i <= STEPS; i++) {
        setting.rows = i * step;
        add_point(&found->series[EX_P1_BY_N], setting);
    }
}

static int64_t place_of(const ex_p1_setting *setting, ex_p1_axis axis)
{
    switch (axis) {
    case EX_P1_BY_D: return setting->quasi;
    case EX_P1_BY_QD: return setting->asked;
    case EX_P1_BY_S: return setting->percent;
    default: return setting->rows;
    }
}

/* ---- runs ---- */

static bauta_status try_all(const ex_experiment_job *job, ex_p1_found *found, bauta_error *error)
{
    char seed[EX_RUN_SEED_ROOM];
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++) {
            ex_p1_series *series = &found->series[axis];
            series->trials[i] = ex_arena_array(job->arena, found->runs, sizeof *series->trials[i]);
            if (!series->trials[i]) return ex_fail_memory(error);
            for (size_t run = 0; run < found->runs; run++) {
                ex_run_seed(job->values[SEED].text, run, seed);
                EX_TRY(ex_p1_try(job, found, &series->settings[i], seed, &series->trials[i][run],
                                 error));
            }
        }
    found->defaults = found->series[EX_P1_BY_QD].trials[EX_P1_ASKED - 1];
    return BAUTA_OK;
}

/* ---- facts ---- */

static double mean_width(const ex_p1_trial *trials, size_t runs, ex_p1_method method)
{
    double sum = 0;
    for (size_t run = 0; run < runs; run++)
        sum += trials[run].of[method].mean_width;
    return sum / (double)runs;
}

static void put_figure(const ex_experiment_job *job, const ex_p1_found *found, ex_p1_axis axis)
{
    ex_facts *facts = job->facts;
    const ex_p1_series *series = &found->series[axis];
    json_t *rows = ex_put_table(job, figures[axis].name, figures[axis].title);
    for (size_t i = 0; i < series->count; i++) {
        json_t *row = ex_put_object(facts, rows, NULL);
        ex_put_int(facts, row, figures[axis].axis, place_of(&series->settings[i], axis));
        json_t *errors = ex_put_object(facts, row, "error");
        for (ex_p1_method method = 0; method < EX_P1_METHODS; method++)
            ex_put_real(facts, errors, ex_p1_method_names[method],
                        ex_p1_mean_error(series->trials[i], found->runs, method));
        json_t *widths = ex_put_object(facts, row, "width");
        for (ex_p1_method method = 0; method < EX_P1_METHODS; method++)
            ex_put_real(facts, widths, ex_p1_method_names[method],
                        mean_width(series->trials[i], found->runs, method));
    }
}

/* Every trial, for whoever wants to repeat one. */
static void put_trials(const ex_experiment_job *job, const ex_p1_found *found, ex_p1_axis axis,
                       json_t *list)
{
    ex_facts *facts = job->facts;
    const ex_p1_series *series = &found->series[axis];
    char seed[EX_RUN_SEED_ROOM];
    for (size_t i = 0; i < series->count; i++)
        for (size_t run = 0; run < found->runs; run++) {
            const ex_p1_trial *trial = &series->trials[i][run];
            json_t *row = ex_put_object(facts, list, NULL);
            ex_run_seed(job->values[SEED].text, run, seed);
            ex_put_text(facts, row, "table", figures[axis].name);
            ex_put_int(facts, row, figures[axis].axis, place_of(&series->settings[i], axis));
            ex_put_text(facts, row, "seed", seed);
            ex_put_int(facts, row, "empty", trial->empty);
            for (ex_p1_method method = 0; method < EX_P1_METHODS; method++) {
                json_t *at = ex_put_object(facts, row, ex_p1_method_names[method]);
                ex_put_real(facts, at, "mean_error", trial->of[method].mean_error);
                ex_put_real(facts, at, "median_error", trial->of[method].median_error);
                ex_put_real(facts, at, "mean_width", trial->of[method].mean_width);
                ex_put_real(facts, at, "contained", trial->of[method].contained);
            }
        }
}

static int64_t count_empty(const ex_p1_found *found)
{
    int64_t empty = 0;
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++)
            for (size_t run = 0; run < found->runs; run++)
                empty += found->series[axis].trials[i][run].empty;
    return empty;
}

static void put_notes(const ex_experiment_job *job, const ex_p1_found *found)
{
    ex_facts *facts = job->facts;
    char first[EX_RUN_SEED_ROOM], last[EX_RUN_SEED_ROOM], text[512];
    ex_run_seed(job->values[SEED].text, 0, first);
    ex_run_seed(job->values[SEED].text, found->runs - 1, last);
    json_t *notes = ex_put_adult_notes(job, found->rows, found->dropped, 45222);
    ex_put_text(facts, notes, NULL,
                "k=2, alpha=0.33, sensitive is the occupation. The paper does not show its "
                "hierarchies: these are ours, with its heights (age 4, workclass 3, education 4, "
                "marital status 3, race 2, sex 1, country 3, salary 1). Other trees give other "
                "numbers.");
    ex_put_text(facts, notes, NULL,
                "two-tables: top-down classes in two tables, the paper's method; anatomy: classes "
                "of anatomy with l=4, as alpha=0.33 asks for, in two tables; generalized: top-down "
                "classes in one generalized table. Estimates are proportional in two tables and "
                "spread evenly over a generalized cell.");
    snprintf(text, sizeof text,
             "Means over %zu %s of %s queries each, seeds %s to %s. Queries without an answer, "
             "%lld in all, were drawn again.",
             found->runs, found->runs == 1 ? "run" : "runs", found->queries, first, last,
             (long long)count_empty(found));
    ex_put_text(facts, notes, NULL, text);
}

static void put_all(const ex_experiment_job *job, const ex_p1_found *found)
{
    put_notes(job, found);
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        put_figure(job, found, axis);
    ex_p1_put_claims(job, found);
    json_t *list = ex_put_array(job->facts, job->facts->root, "trials");
    for (ex_p1_axis axis = 0; axis < EX_P1_AXES; axis++)
        put_trials(job, found, axis, list);
}

static bauta_status too_few(const ex_experiment_job *job, int64_t rows, int least,
                            bauta_error *error)
{
    bauta_status status = ex_fail(
        error, BAUTA_INVALID, "the table has %lld records that can be used, P1 needs %d at least",
        (long long)rows, least);
    ex_error_place(error, job->values[EX_EXPERIMENT_DATA].text, -1, NULL);
    return status;
}

static bauta_status run(const ex_experiment_job *job, bauta_error *error)
{
    enum { FEWEST = 90 }; /* ten records a step of n */
    ex_p1_found found = {.runs = (size_t)job->values[RUNS].integer,
                         .queries = job->values[QUERIES].text};
    EX_TRY(ex_run_seed_check("P1", job->values[SEED].text, error));
    EX_TRY(ex_p1_prepare(job, job->values[RECIPE].text, &found, error));
    if (found.rows < FEWEST) return too_few(job, found.rows, FEWEST, error);
    plan(&found);
    bauta_status status = try_all(job, &found, error);
    if (status == BAUTA_INVALID)
        ex_error_hint(error, "P1 is for the Adult table: values spelt as there, and all of it");
    if (status == BAUTA_OK) put_all(job, &found);
    return status;
}

const ex_entry ex_experiment_p1 = {
    .name = "P1",
    .summary = "error of queries over two tables, anatomy and a generalized table",
    .paper = "(alpha,k)-anonymity Based Privacy Preservation by Lossy Join",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .run = run,
};
