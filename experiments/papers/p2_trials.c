/* SPDX-License-Identifier: Apache-2.0
 *
 * The releases of experiment P2 and what they answer: the average loss of those aged X to X + R, as
 * an interval, for random X.
 */
#include "papers/p2.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- making a release ---- */

/* target=…: a comma in it needs a backslash. */
static const char *name_target(const ex_p2_job *job, const ex_p2_figure *figure, size_t point,
                               const ex_p2_series *series)
{
    ex_arena *arena = job->job->arena;
    double at = figure->at[point], width = EX_P2_HIGH - EX_P2_LOW;
    double middle = (EX_P2_HIGH + EX_P2_LOW) / 2.0;
    if (series->target && strcmp(series->target, "original") == 0)
        return ex_file_in(job->job, "original.csv");
    if (series->target) return series->target;
    switch (figure->axis) {
    case EX_P2_BY_SPREAD: return ex_arena_print(arena, "normal:%g,%.6g", middle, width / at);
    case EX_P2_BY_VARIANCE:
        return ex_arena_print(arena, "normal:%g,%.6g", middle, sqrt(width / at));
    default: return ex_arena_print(arena, "zipf:%g", at);
    }
}

typedef struct request {
    const char *group, *publish;
    const char *hierarchy; /* NULL: none */
} request;

/* `facts` may be NULL. */
static bauta_status make_release(const ex_p2_job *job, const request *asked, json_t **facts,
                                 bauta_error *error)
{
    const ex_setting settings[] = {
        {"input", ex_file_in(job->job, "table.csv")},
        {"quasi", "age,half,tenth"},
        {"sensitive", "loss"},
        {"hierarchy", asked->hierarchy ? asked->hierarchy : ""},
        {"require", "l=2"},
        {"group", asked->group},
        {"publish", asked->publish},
        {"seed", job->seed},
        {"force", "yes"},
    };
    bauta_recipe *made = NULL;
    bauta_status status = ex_trial_recipe(job->job, &made, error);
    if (status == BAUTA_OK)
        status = ex_trial_set(made, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = ex_trial_anonymize(job->job, made, EX_TRIAL, facts, error);
    bauta_recipe_free(made);
    return status;
}

/* ---- asking it ---- */

typedef struct question {
    int from, to;
    const char *text;
} question;

/* Random X for one range R; the same for every series and figure of a run. */
static bauta_status draw(const ex_p2_job *job, const ex_p2_totals *totals, int range,
                         question *questions, bauta_error *error)
{
    ex_seed key;
    ex_stream stream;
    if (!ex_seed_parse(job->seed, &key)) return ex_fail(error, BAUTA_USAGE, "the seed is too long");
    ex_stream_init(&stream, &key, "queries", (uint64_t)range);
    int last = totals->high - range > totals->low ? totals->high - range : totals->low;
    for (size_t i = 0; i < job->found->queries; i++) {
        question *q = &questions[i];
        q->from = totals->low + (int)ex_stream_below(&stream, (uint64_t)(last - totals->low) + 1);
        q->to = q->from + range;
        q->text = ex_arena_print(job->job->arena, "SELECT AVG(loss) WHERE age BETWEEN %d AND %d",
                                 q->from, q->to);
        if (!q->text) return ex_fail_memory(error);
    }
    return BAUTA_OK;
}

static void judge(const question *q, const ex_p2_totals *totals, const json_t *answer,
                  ex_p2_answers *out)
{
    double sum = 0;
    int64_t count = 0;
    for (int age = q->from; age <= q->to && age < EX_P2_AGES; age++) {
        count += totals->count[age];
        sum += totals->sum[age];
    }
    if (count == 0) {
        out->empty++;
        return;
    }
    double truth = sum / (double)count;
    double lower = ex_number_at(answer, "lower"), upper = ex_number_at(answer, "upper");
    double slack = 1e-9 * truth;
    out->asked++;
    out->contained += lower <= truth + slack && truth <= upper + slack;
    if (upper - lower > slack) out->error += (upper - lower) / truth; /* not what printing adds */
}

static bauta_status ask(const ex_p2_job *job, const ex_p2_totals *totals, int range,
                        bauta_release *release, question *questions, ex_p2_answers *out,
                        bauta_error *error)
{
    if (!questions) return ex_fail_memory(error);
    EX_TRY(draw(job, totals, range, questions, error));
    for (size_t i = 0; i < job->found->queries; i++) {
        bauta_report *report = NULL;
        json_t *facts = NULL;
        bauta_status status = bauta_release_query(release, questions[i].text, &report, error);
        if (status == BAUTA_OK) status = ex_report_read(report, &facts, error);
        bauta_report_free(report);
        if (status != BAUTA_OK) return status;
        judge(&questions[i], totals, json_is_array(facts) ? json_array_get(facts, 0) : facts, out);
        json_decref(facts);
    }
    return BAUTA_OK;
}

/* Asks at one point, or, where only the range changes, at all. */
static bauta_status ask_points(const ex_p2_job *job, const ex_p2_figure *figure, size_t point,
                               const ex_p2_totals *totals, size_t series, ex_p2_grid *out,
                               bauta_error *error)
{
    const char *publish = ex_file_in(job->job, EX_TRIAL "/publish");
    question *questions = calloc(job->found->queries, sizeof *questions);
    bauta_release *release = NULL;
    bauta_status status = publish && questions ? bauta_release_open(publish, NULL, &release, error)
                                               : ex_fail_memory(error);
    if (figure->axis != EX_P2_BY_RANGE && status == BAUTA_OK)
        status = ask(job, totals, EX_P2_WIDE, release, questions, &(*out)[point][series], error);
    for (size_t i = 0; figure->axis == EX_P2_BY_RANGE && status == BAUTA_OK && i < figure->points;
         i++)
        status =
            ask(job, totals, (int)figure->at[i], release, questions, &(*out)[i][series], error);
    bauta_release_free(release);
    free(questions);
    return status;
}

bauta_status ex_p2_try(const ex_p2_job *job, const ex_p2_figure *figure, ex_p2_grid *out,
                       bauta_error *error)
{
    ex_p2_totals totals;
    EX_TRY(ex_p2_table_make(job->job, figure->table, job->found->rows, job->seed, &totals, error));
    for (size_t s = 0; s < figure->count; s++) {
        const ex_p2_series *series = &figure->series[s];
        size_t releases = figure->axis == EX_P2_BY_RANGE ? 1 : figure->points;
        for (size_t point = 0; point < releases; point++) {
            const char *target = name_target(job, figure, point, series);
            if (!target) return ex_fail_memory(error);
            request asked = {series->group,
                             ex_arena_print(job->job->arena,
                                            "distribution:target=%s%s,allocation=optimal", target,
                                            series->publish),
                             series->hierarchy};
            EX_TRY(make_release(job, &asked, NULL, error));
            EX_TRY(ask_points(job, figure, point, &totals, s, out, error));
        }
    }
    return BAUTA_OK;
}

/* ---- times ---- */

static double seconds_of(const json_t *facts)
{
    const json_t *seconds = json_object_get(facts, "seconds");
    return ex_number_at(seconds, "group") + ex_number_at(seconds, "publish");
}

bauta_status ex_p2_time(const ex_p2_job *job, int64_t rows, double seconds[EX_P2_METHODS],
                        bauta_error *error)
{
    static const request methods[EX_P2_METHODS] = {
        {"whole", "distribution:target=source,weight-cap=none,allocation=optimal", NULL},
        {"identical", "distribution:target=source,allocation=optimal", NULL},
    };
    ex_p2_totals totals;
    EX_TRY(ex_p2_table_make(job->job, EX_P2_NORMAL, rows, job->seed, &totals, error));
    for (size_t m = 0; m < EX_P2_METHODS; m++) {
        json_t *facts = NULL;
        EX_TRY(make_release(job, &methods[m], &facts, error));
        double here = seconds_of(facts);
        if (seconds[m] <= 0 || here < seconds[m]) seconds[m] = here;
        json_decref(facts);
    }
    return BAUTA_OK;
}
