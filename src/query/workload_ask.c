/* SPDX-License-Identifier: Apache-2.0
 *
 * How well a release answers a workload.
 */
#include "query/form.h"
#include "query/workload.h"

#include <math.h>
#include <stdlib.h>

typedef struct score {
    bt_estimator estimator;
    double *errors; /* per query */
    double widths;  /* the sum of the widths of intervals, each relative to the true answer */
    int64_t contained;
    int64_t open;       /* queries without an interval */
    int64_t unanswered; /* queries without an estimate: as wrong as the answer 0 */
} score;

/* Truths are those of all records of the original, answers of the published ones: any record that
 * was dropped may match. */
static void count_dropped(bt_answer *answer)
{
    answer->upper.top += (__int128)answer->dropped * answer->upper.bottom;
}

/* Exact: a bound is a fraction. */
static bool holds(const bt_answer *answer, int64_t truth)
{
    bool above = answer->lower.open || answer->lower.top <= (__int128)truth * answer->lower.bottom;
    bool below = answer->upper.open || answer->upper.top >= (__int128)truth * answer->upper.bottom;
    return above && below;
}

static double width_of(const bt_answer *answer)
{
    return bt_bound_round(&answer->upper, 0, true) - bt_bound_round(&answer->lower, 0, false);
}

static bauta_status ask(const bt_workload *workload, const bt_queryable *queryable, size_t number,
                        score *out, bauta_error *error)
{
    const bt_query_options options = {.estimator = out->estimator};
    BT_OWN(bt_answer_release) bt_answer answer = {0};
    int64_t truth = workload->answers[number];
    BT_TRY(bt_query(queryable, workload->texts[number], &options, &answer, error));
    count_dropped(&answer);
    out->unanswered += !answer.has_estimate;
    double estimate = answer.has_estimate ? answer.estimate : 0;
    out->errors[number] = fabs(estimate - (double)truth) / (double)truth;
    if (answer.lower.open || answer.upper.open)
        out->open++;
    else
        out->widths += width_of(&answer) / (double)truth;
    out->contained += holds(&answer, truth);
    return BAUTA_OK;
}

static int compare(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static void put_errors(size_t count, score *found, bt_facts *facts, json_t *at)
{
    double sum = 0;
    qsort(found->errors, count, sizeof *found->errors, compare);
    for (size_t i = 0; i < count; i++)
        sum += found->errors[i];
    bt_put_real(facts, at, "mean_error", sum / (double)count);
    bt_put_real(facts, at, "median_error",
                (found->errors[(count - 1) / 2] + found->errors[count / 2]) / 2);
}

static json_t *put(const bt_workload *workload, score *found, bt_facts *facts, json_t *at)
{
    size_t count = workload->count;
    json_t *object = bt_put_object(facts, at, "workload");
    bt_put_text(facts, object, "name", workload->name);
    bt_put_text(facts, object, "seed", workload->seed);
    bt_put_int(facts, object, "queries", (int64_t)count);
    bt_put_int(facts, object, "empty", workload->empty);
    bt_put_int(facts, object, "unanswered", found->unanswered);
    put_errors(count, found, facts, object);
    bt_put_real(facts, object, "contained", (double)found->contained / (double)count);
    if (found->open > 0)
        bt_put_null(facts, object, "mean_width");
    else
        bt_put_real(facts, object, "mean_width", found->widths / (double)count);
    return object;
}

static bauta_status ask_all(const bt_workload *workload, const bt_queryable *queryable,
                            const bt_run *run, score *found, bauta_error *error)
{
    for (size_t i = 0; i < workload->count; i++) {
        BT_TRY(
            bt_run_progress(run, 0, "asking queries", (int64_t)i, (int64_t)workload->count, error));
        BT_TRY(ask(workload, queryable, i, found, error));
    }
    return BAUTA_OK;
}

bauta_status bt_workload_ask(const bt_workload *workload, const bt_queryable *queryable,
                             const bt_run *run, bt_facts *facts, json_t *at, bauta_error *error)
{
    BT_OWN(bt_free) double *errors = bt_array(workload->count, sizeof *errors);
    score usual = {.errors = errors}, direct = {.estimator = BT_ESTIMATE_DIRECT, .errors = errors};
    if (!errors) return bt_fail_memory(error);
    BT_TRY(ask_all(workload, queryable, run, &usual, error));
    json_t *object = put(workload, &usual, facts, at);
    if (!queryable->form->direct) return BAUTA_OK;
    BT_TRY(ask_all(workload, queryable, run, &direct, error));
    put_errors(workload->count, &direct, facts, bt_put_object(facts, object, "direct"));
    return BAUTA_OK;
}
