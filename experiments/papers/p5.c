/* SPDX-License-Identifier: Apache-2.0
 *
 * Experiment P5: figures 10 to 19 of Sacharidis, Mouratidis and Papadias, "k-Anonymity in the
 * Presence of External Databases": what is lost by mondrian and cluster (TopDown) alone, on the
 * microdata joined with a public table (direct), and refined by it, against the size of the public
 * table (ratio), k and the number of quasi columns (d); the error of range-count queries; and
 * times.
 *
 * The paper's table, IPUMS, cannot be had: the default is made up with its columns and its skew.
 * Losses are those of the microdata: the mean normalized certainty penalty of their cells, divided
 * by the ranges of the microdata, and the sum over them of the microdata in their class.
 */
#include "papers/p5.h"

#include <string.h>

enum { QUASI = EX_EXPERIMENT_OWN, METHODS, MICRODATA, MOST, RUNS, QUERIES, SEED };

static const ex_param params[] = {
    {.name = "data",
     .type = EX_PARAM_TEXT,
     .fallback = "ipums",
     .help = "ipums or uniform, which are made up, or a CSV file with a header"},
    {.name = "threads",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1024",
     .fallback = "1",
     .help = "threads to use; one by default, so that times can be compared"},
    {.name = "tmp",
     .type = EX_PARAM_TEXT,
     .fallback = "/tmp",
     .help = "where the folder for temporary files goes, which is removed at the end"},
    {.name = "quasi",
     .type = EX_PARAM_TEXT,
     .fallback = "",
     .help = "of a file: its quasi columns, up to six; the first d of them are used"},
    {.name = "methods",
     .type = EX_PARAM_CHOICE,
     .choices = "both|mondrian|cluster",
     .fallback = "both",
     .help = "which methods to try"},
    {.name = "microdata",
     .type = EX_PARAM_INTEGER,
     .minimum = "20",
     .maximum = "1000000",
     .fallback = "10000",
     .help = "records of the microdata"},
    {.name = "most",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "100",
     .fallback = "100",
     .help = "greatest number of public records for each of them"},
    {.name = "runs",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000",
     .fallback = "5",
     .help = "times that each point is tried, each with people of its own"},
    {.name = "queries",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "100",
     .help = "queries of each trial"},
    {.name = "seed",
     .type = EX_PARAM_TEXT,
     .fallback = "5035",
     .help = "hexadecimal, up to 60 digits; run n uses the seed with n behind it"},
};

static const struct axis {
    const char *name, *title;
    int64_t points[EX_P5_MOST_POINTS];
} axes[EX_P5_AXES] = {
    [EX_P5_BY_RATIO] = {"ratio", "public records for each of the microdata", {1, 5, 10, 50, 100}},
    [EX_P5_BY_K] = {"k", "k", {5, 10, 50, 100, 500}},
    [EX_P5_BY_D] = {"d", "the number of quasi columns", {2, 3, 4, 5, 6}},
};

/* ---- settings ---- */

static int64_t *part_of(ex_p5_setting *setting, ex_p5_axis axis)
{
    switch (axis) {
    case EX_P5_BY_RATIO: return &setting->ratio;
    case EX_P5_BY_K: return &setting->k;
    default: return &setting->d;
    }
}

/* Four classes at least, and no more columns and people than there are. */
static void plan(ex_p5_found *found)
{
    int64_t largest[EX_P5_AXES] = {found->most, found->microdata / 4, (int64_t)found->columns};
    const ex_p5_setting wanted = {EX_P5_RATIO, EX_P5_K, EX_P5_D};
    found->defaults = wanted;
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++) {
        int64_t *part = part_of(&found->defaults, axis), best = axes[axis].points[0];
        for (size_t i = 0; i < EX_P5_MOST_POINTS; i++)
            if (axes[axis].points[i] <= largest[axis] && axes[axis].points[i] <= *part)
                best = axes[axis].points[i];
        *part = best;
    }
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < EX_P5_MOST_POINTS; i++) {
            ex_p5_series *series = &found->series[axis];
            if (axes[axis].points[i] > largest[axis]) continue;
            series->settings[series->count] = found->defaults;
            *part_of(&series->settings[series->count++], axis) = axes[axis].points[i];
        }
}

static bool is_default(const ex_p5_found *found, const ex_p5_setting *setting)
{
    return setting->ratio == found->defaults.ratio && setting->k == found->defaults.k &&
           setting->d == found->defaults.d;
}

/* ---- runs ---- */

/* Points at the defaults, of which each series has one, are tried once. */
static bauta_status make_room(const ex_experiment_job *job, ex_p5_found *found, bauta_error *error)
{
    found->at_defaults = ex_arena_array(job->arena, found->runs, sizeof *found->at_defaults);
    if (!found->at_defaults) return ex_fail_memory(error);
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++) {
            ex_p5_series *series = &found->series[axis];
            series->trials[i] =
                is_default(found, &series->settings[i])
                    ? found->at_defaults
                    : ex_arena_array(job->arena, found->runs, sizeof *series->trials[i]);
            if (!series->trials[i]) return ex_fail_memory(error);
        }
    return BAUTA_OK;
}

static bauta_status try_run(const ex_experiment_job *job, ex_p5_found *found, size_t run,
                            bauta_error *error)
{
    char seed[EX_RUN_SEED_ROOM];
    ex_run_seed(job->values[SEED].text, run, seed);
    EX_TRY(ex_p5_draw(job, found, seed, error));
    EX_TRY(ex_p5_try(job, found, &found->defaults, true, seed, &found->at_defaults[run], error));
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++) {
            ex_p5_series *series = &found->series[axis];
            if (is_default(found, &series->settings[i])) continue;
            EX_TRY(ex_p5_try(job, found, &series->settings[i], false, seed, &series->trials[i][run],
                             error));
        }
    return BAUTA_OK;
}

ex_p5_loss ex_p5_mean(const ex_p5_trial *trials, size_t runs, ex_p5_method method,
                      ex_p5_variant variant)
{
    ex_p5_loss mean = {.contained = 1};
    double share = 1 / (double)runs;
    for (size_t run = 0; run < runs; run++) {
        const ex_p5_loss *one = &trials[run].of[method][variant];
        mean.ncp += one->ncp * share;
        mean.dm += one->dm * share;
        mean.seconds += one->seconds * share;
        for (size_t range = 0; range < EX_P5_RANGES; range++)
            mean.error[range] += one->error[range] * share;
        if (one->contained < mean.contained) mean.contained = one->contained;
    }
    return mean;
}

/* ---- facts ---- */

double ex_p5_ncp(const ex_p5_loss *loss)
{
    return loss->ncp;
}

double ex_p5_dm(const ex_p5_loss *loss)
{
    return loss->dm;
}

double ex_p5_error(const ex_p5_loss *loss)
{
    return loss->error[EX_P5_RANGE];
}

double ex_p5_seconds(const ex_p5_loss *loss)
{
    return loss->seconds;
}

static const struct measured {
    const char *name, *title;
    double (*of)(const ex_p5_loss *loss);
    bool direct; /* also of `direct` */
} measured[] = {
    {"ncp", "NCP of the microdata", ex_p5_ncp, true},
    {"dm", "DM of the microdata", ex_p5_dm, true},
    {"error", "average relative error of queries for 10 % of the space", ex_p5_error, false},
    {"seconds", "seconds that grouping takes", ex_p5_seconds, true},
};

static void put_row(const ex_experiment_job *job, const ex_p5_found *found,
                    const ex_p5_trial *trials, const struct measured *what, json_t *row)
{
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
        if (!found->tried[method]) continue;
        json_t *to = ex_put_object(job->facts, row, ex_p5_method_names[method]);
        for (ex_p5_variant variant = 0; variant < EX_P5_VARIANTS; variant++) {
            ex_p5_loss mean = ex_p5_mean(trials, found->runs, method, variant);
            if (what->direct || variant != EX_P5_DIRECT)
                ex_put_real(job->facts, to, ex_p5_variant_names[variant], what->of(&mean));
        }
    }
}

static bauta_status put_figure(const ex_experiment_job *job, const ex_p5_found *found,
                               const struct measured *what, ex_p5_axis axis, bauta_error *error)
{
    const ex_p5_series *series = &found->series[axis];
    const char *name = ex_arena_print(job->arena, "%s_by_%s", what->name, axes[axis].name);
    const char *title = ex_arena_print(job->arena, "%s against %s", what->title, axes[axis].title);
    if (!name || !title) return ex_fail_memory(error);
    json_t *rows = ex_put_table(job, name, title);
    for (size_t i = 0; i < series->count; i++) {
        ex_p5_setting setting = series->settings[i];
        json_t *row = ex_put_object(job->facts, rows, NULL);
        ex_put_int(job->facts, row, axes[axis].name, *part_of(&setting, axis));
        put_row(job, found, series->trials[i], what, row);
    }
    return BAUTA_OK;
}

static void put_ranges(const ex_experiment_job *job, const ex_p5_found *found)
{
    static const ex_p5_variant variants[] = {EX_P5_PLAIN, EX_P5_REFINE};
    json_t *rows = ex_put_table(job, "error_by_range",
                                "average relative error of queries against the share of the space "
                                "that they ask for, in per cent");
    for (size_t range = 0; range < EX_P5_RANGES; range++) {
        json_t *row = ex_put_object(job->facts, rows, NULL);
        ex_put_int(job->facts, row, "range", ex_p5_ranges[range]);
        for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
            if (!found->tried[method]) continue;
            json_t *to = ex_put_object(job->facts, row, ex_p5_method_names[method]);
            for (size_t i = 0; i < 2; i++) {
                ex_p5_loss mean = ex_p5_mean(found->at_defaults, found->runs, method, variants[i]);
                ex_put_real(job->facts, to, ex_p5_variant_names[variants[i]], mean.error[range]);
            }
        }
    }
}

static void put_notes(const ex_experiment_job *job, const ex_p5_found *found)
{
    char text[512], first[EX_RUN_SEED_ROOM], last[EX_RUN_SEED_ROOM];
    json_t *notes = ex_put_array(job->facts, job->facts->root, "notes");
    long long records = (long long)found->microdata, most = (long long)found->most;
    ex_run_seed(job->values[SEED].text, 0, first);
    ex_run_seed(job->values[SEED].text, found->runs - 1, last);
    ex_put_int(job->facts, job->facts->root, "rows", found->microdata);
    snprintf(text, sizeof text,
             "%lld records of the microdata and up to %lld of the public table, which contains "
             "them (paper: 10000 and 1000000); where it is not said otherwise ratio %lld, k=%lld, "
             "d=%lld.",
             records, records * most, (long long)found->defaults.ratio,
             (long long)found->defaults.k, (long long)found->defaults.d);
    ex_put_text(job->facts, notes, NULL, text);
    snprintf(text, sizeof text, "Data: %s. Columns, the first d of which are used: ",
             job->values[EX_EXPERIMENT_DATA].text);
    for (size_t i = 0; i < found->columns; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s%s", found->names[i],
                 i + 1 < found->columns ? ", " : ".");
    }
    ex_put_text(job->facts, notes, NULL, text);
    ex_put_text(job->facts, notes, NULL,
                "NCP is divided by the ranges of the microdata; the paper prints the unnormalized "
                "sum, but with income next to sex that would be income alone. DM counts records "
                "of the microdata. Errors are ratios: the paper does not say what its 21.1 is. "
                "Queries without an answer were drawn again.");
    snprintf(text, sizeof text,
             "Means over %zu %s of %s queries each, seeds %s to %s; times on %s thread%s.",
             found->runs, found->runs == 1 ? "run" : "runs", found->queries, first, last,
             job->values[EX_EXPERIMENT_THREADS].text,
             job->values[EX_EXPERIMENT_THREADS].integer == 1 ? "" : "s");
    ex_put_text(job->facts, notes, NULL, text);
}

static void put_loss(ex_facts *facts, json_t *at, const ex_p5_loss *loss, ex_p5_variant variant)
{
    json_t *to = ex_put_object(facts, at, ex_p5_variant_names[variant]);
    ex_put_real(facts, to, "ncp", loss->ncp);
    ex_put_real(facts, to, "dm", loss->dm);
    ex_put_real(facts, to, "seconds", loss->seconds);
    if (variant == EX_P5_DIRECT) return;
    ex_put_real(facts, to, "error", loss->error[EX_P5_RANGE]);
    ex_put_real(facts, to, "contained", loss->contained);
}

/* Every trial, for whoever wants to repeat one. */
static void put_trials(const ex_experiment_job *job, const ex_p5_found *found,
                       const ex_p5_setting *setting, const ex_p5_trial *trials, json_t *list)
{
    ex_facts *facts = job->facts;
    char seed[EX_RUN_SEED_ROOM];
    for (size_t run = 0; run < found->runs; run++) {
        json_t *row = ex_put_object(facts, list, NULL);
        ex_run_seed(job->values[SEED].text, run, seed);
        ex_put_int(facts, row, "ratio", setting->ratio);
        ex_put_int(facts, row, "k", setting->k);
        ex_put_int(facts, row, "d", setting->d);
        ex_put_text(facts, row, "seed", seed);
        for (ex_p5_method method = 0; method < EX_P5_METHODS; method++) {
            if (!found->tried[method]) continue;
            json_t *to = ex_put_object(facts, row, ex_p5_method_names[method]);
            for (ex_p5_variant variant = 0; variant < EX_P5_VARIANTS; variant++)
                put_loss(facts, to, &trials[run].of[method][variant], variant);
        }
    }
}

static void put_all_trials(const ex_experiment_job *job, const ex_p5_found *found)
{
    json_t *list = ex_put_array(job->facts, job->facts->root, "trials");
    put_trials(job, found, &found->defaults, found->at_defaults, list);
    for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
        for (size_t i = 0; i < found->series[axis].count; i++) {
            const ex_p5_series *series = &found->series[axis];
            if (!is_default(found, &series->settings[i]))
                put_trials(job, found, &series->settings[i], series->trials[i], list);
        }
}

static bauta_status put_all(const ex_experiment_job *job, const ex_p5_found *found,
                            bauta_error *error)
{
    enum { MEASURED = sizeof measured / sizeof *measured };
    put_notes(job, found);
    ex_p5_put_claims(job, found);
    for (size_t what = 0; what < MEASURED; what++) {
        for (ex_p5_axis axis = 0; axis < EX_P5_AXES; axis++)
            EX_TRY(put_figure(job, found, &measured[what], axis, error));
        if (measured[what].of == ex_p5_error) put_ranges(job, found);
    }
    put_all_trials(job, found);
    return BAUTA_OK;
}

static bauta_status run(const ex_experiment_job *job, bauta_error *error)
{
    enum { BOTH, ONLY_MONDRIAN, ONLY_CLUSTER };
    int64_t methods = job->values[METHODS].integer;
    ex_p5_found found = {.runs = (size_t)job->values[RUNS].integer,
                         .microdata = job->values[MICRODATA].integer,
                         .most = job->values[MOST].integer,
                         .queries = job->values[QUERIES].text,
                         .tried = {methods != ONLY_CLUSTER, methods != ONLY_MONDRIAN}};
    EX_TRY(ex_run_seed_check("P5", job->values[SEED].text, error));
    EX_TRY(ex_p5_prepare(job, job->values[QUASI].text, &found, error));
    plan(&found);
    EX_TRY(make_room(job, &found, error));
    for (size_t run = 0; run < found.runs; run++)
        EX_TRY(try_run(job, &found, run, error));
    return put_all(job, &found, error);
}

const ex_entry ex_experiment_p5 = {
    .name = "P5",
    .summary = "losses, query errors and times with and without a public table",
    .paper = "k-Anonymity in the Presence of External Databases",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .run = run,
};
