/* SPDX-License-Identifier: Apache-2.0
 *
 * A question from its text to its answer.
 */
#include "query/query.h"

#include "query/form.h"

#include <stdio.h>
#include <string.h>

/* Digits of estimates: without the noise of floating point, and where they are a matter of chance
 * without more than that leaves; of standard errors and factors. */
enum { DIGITS = 12, CHANCE_DIGITS = 9, ERROR_DIGITS = 6 };

/* ---- answering ---- */

/* A form knows its usual estimator, and perhaps others. */
static bauta_status choose_estimator(const bt_query_form *form, bt_question *question,
                                     bauta_error *error)
{
    bt_estimator wanted = question->options.estimator;
    const char *usual = form->usual ? form->usual : "spread";
    question->assumptions = form->assumptions;
    if (wanted == BT_ESTIMATE_PAPER) question->assumptions = form->paper;
    if (wanted == BT_ESTIMATE_DIRECT) question->assumptions = form->direct;
    if (wanted == BT_ESTIMATE_SPREAD || wanted == BT_ESTIMATE_UNBIASED) {
        if (strcmp(bt_estimator_names[wanted], usual) != 0) question->assumptions = NULL;
        question->options.estimator = BT_ESTIMATE_USUAL;
    }
    if (question->assumptions) return BAUTA_OK;
    return bt_fail(error, BAUTA_USAGE, "the estimator '%s' is not for releases of the form '%s'",
                   bt_estimator_names[wanted], form->name);
}

static bauta_status understand(const bt_queryable *queryable, const char *text,
                               bt_question *question, bauta_error *error)
{
    BT_TRY(bt_select_parse(text, &question->select, error));
    BT_TRY(choose_estimator(queryable->form, question, error));
    BT_TRY(bt_predicate_bind(&question->select, &queryable->columns, &question->predicate, error));
    return bt_diagram_make(&question->predicate, &question->diagram, error);
}

static bauta_status make_weights(bt_question *question, bt_evaluation *evaluation,
                                 bauta_error *error)
{
    bt_predicate *predicate = &question->predicate;
    if (!bt_has_target(question)) return BAUTA_OK;
    const bt_slot *slot = &predicate->slots[predicate->target];
    size_t count;
    if (!bt_size_mul(slot->column->meaning_count, slot->signatures, &count))
        return bt_fail_memory(error);
    evaluation->weights = bt_arena_array(&predicate->arena, count, sizeof *evaluation->weights);
    return evaluation->weights ? BAUTA_OK : bt_fail_memory(error);
}

static double between(double number, double lower, double upper)
{
    return number < lower ? lower : number > upper ? upper : number;
}

/* In the column's unit, with so many digits. */
static double finish(double number, int scale, int digits)
{
    char text[32];
    for (int i = 0; i < scale; i++)
        number /= 10;
    snprintf(text, sizeof text, "%.*g", digits, number);
    return strtod(text, NULL);
}

/* Not outside the interval, where that is certain. */
static void finish_estimate(bt_answer *out, double estimate, bool inside)
{
    bool chance = out->statistics.used && out->statistics.confidence < 1;
    out->estimate = finish(estimate, out->scale, chance ? CHANCE_DIGITS : DIGITS);
    if (inside && !out->lower.open && !out->upper.open)
        out->estimate = between(out->estimate, bt_bound_round(&out->lower, out->scale, false),
                                bt_bound_round(&out->upper, out->scale, true));
}

static bauta_status answer(bt_question *question, const bt_evaluation *evaluation, bt_answer *out,
                           double *estimate, bauta_error *error)
{
    out->statistics = evaluation->statistics;
    if (evaluation->answered) {
        out->lower = evaluation->lower;
        out->upper = evaluation->upper;
        out->has_estimate = evaluation->known;
        *estimate = evaluation->estimate;
        return BAUTA_OK;
    }
    bt_bounds_close(&evaluation->bounds, &out->lower, &out->upper);
    return bt_estimate(question, evaluation, &out->has_estimate, estimate, error);
}

static bool is_point(const bt_answer *answer)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    return !low->open && !high->open && low->top * high->bottom == high->top * low->bottom;
}

/* Where every value of a column is as possible as any other, or some cells may hold values of which
 * nobody says how many there are, nothing tells one answer from another, unless all of them give
 * the same. An end that there is not cannot be attained. */
static void judge(const bt_evaluation *evaluation, bt_answer *out)
{
    if (is_point(out) || evaluation->bounds.may == 0) return;
    out->blank = evaluation->blank;
    if (out->blank) out->has_estimate = false;
    if (out->blank || out->lower.open || out->upper.open) out->tight = false;
}

/* The answer about values whose type nobody can tell. */
static void know_nothing(bt_answer *out)
{
    out->type = BT_DECIMAL;
    out->lower.open = out->upper.open = true;
    out->has_estimate = out->tight = false;
}

static bauta_status give(const bt_queryable *queryable, bt_question *question,
                         bt_evaluation *evaluation, bt_answer *out, bauta_error *error)
{
    const bt_predicate *predicate = &question->predicate;
    const bt_bounds *bounds = &evaluation->bounds;
    double estimate = 0;
    bool counts = question->select.aggregate == BT_COUNT;
    bool paper = question->options.estimator == BT_ESTIMATE_PAPER;
    out->aggregate = question->select.aggregate;
    out->type = BT_INTEGER;
    if (!counts) {
        out->type = predicate->slots[predicate->target].column->type;
        out->scale = predicate->slots[predicate->target].column->scale;
    }
    BT_TRY(answer(question, evaluation, out, &estimate, error));
    out->published = bt_release_records(queryable->release);
    out->dropped = queryable->release->manifest.dropped_rows;
    out->tight = evaluation->tight;
    if (!evaluation->answered) judge(evaluation, out);
    if (out->type == BT_TEXT) know_nothing(out);
    if (out->has_estimate) finish_estimate(out, estimate, !paper && !evaluation->answered);
    out->may_be_empty = bounds->must == 0;
    for (size_t s = 0, known = 0; s < predicate->slot_count && known < BT_UNKNOWN_MOST; s++)
        if (predicate->slots[s].column->unknown)
            out->unknown[known++] = predicate->slots[s].column->name;
    out->explained = question->options.explain;
    out->classes = queryable->classes;
    out->assumptions = question->assumptions;
    out->contributions = evaluation->contributions;
    out->contribution_count = evaluation->contribution_count;
    evaluation->contributions = NULL;
    return BAUTA_OK;
}

static void question_release(bt_question *question)
{
    bt_predicate_release(&question->predicate);
    bt_select_release(&question->select);
}

static void evaluation_release(bt_evaluation *evaluation)
{
    free(evaluation->contributions);
    bt_bounds_release(&evaluation->bounds);
}

bauta_status bt_query(const bt_queryable *queryable, const char *text,
                      const bt_query_options *options, bt_answer *out, bauta_error *error)
{
    BT_OWN(question_release) bt_question question = {.options = *options};
    BT_OWN(evaluation_release) bt_evaluation evaluation = {.explain = options->explain};
    *out = (bt_answer){0};
    BT_TRY(understand(queryable, text, &question, error));
    bt_bounds_open(&evaluation.bounds, question.select.aggregate);
    BT_TRY(make_weights(&question, &evaluation, error));
    BT_TRY(queryable->form->evaluate(queryable, &question, &evaluation, error));
    return give(queryable, &question, &evaluation, out, error);
}

void bt_answer_release(bt_answer *answer)
{
    free(answer->contributions);
    *answer = (bt_answer){0};
}

/* ---- facts ---- */

static void put_date(bt_facts *facts, json_t *at, const char *key, int64_t day)
{
    char text[BT_NUMBER_TEXT + 1];
    size_t length = bt_number_print(BT_DATE, 0, day, text);
    text[length] = '\0';
    bt_put_text(facts, at, key, text);
}

static void put_bound(const bt_answer *answer, const bt_bound *bound, bool up, const char *key,
                      bt_facts *facts, json_t *at)
{
    int64_t number;
    if (bound->open)
        bt_put_null(facts, at, key);
    else if (answer->type == BT_DATE)
        put_date(facts, at, key, (int64_t)bound->top);
    else if (bt_bound_is_whole(bound, answer->scale, &number))
        bt_put_int(facts, at, key, number);
    else
        bt_put_real(facts, at, key, bt_bound_round(bound, answer->scale, up));
}

static void put_or_null(bt_facts *facts, json_t *at, const char *key, bool known, double number)
{
    if (known)
        bt_put_real(facts, at, key, number);
    else
        bt_put_null(facts, at, key);
}

static void put_explanation(const bt_answer *answer, bt_facts *facts, json_t *at)
{
    json_t *explain = bt_put_object(facts, at, "explain");
    json_t *assumptions = bt_put_array(facts, explain, "assumptions");
    for (size_t i = 0; answer->assumptions[i]; i++)
        bt_put_text(facts, assumptions, NULL, answer->assumptions[i]);
    bt_put_int(facts, explain, "classes", answer->classes);
    bt_put_int(facts, explain, "contributing", (int64_t)answer->contribution_count);
    json_t *list = bt_put_array(facts, explain, "contributions");
    for (size_t i = 0; i < answer->contribution_count; i++) {
        const bt_contribution *one = &answer->contributions[i];
        json_t *object = bt_put_object(facts, list, NULL);
        if (one->class_number) bt_put_int(facts, object, "class", one->class_number);
        bt_put_int(facts, object, "row", one->row);
        bt_put_int(facts, object, "records", one->records);
        put_or_null(facts, object, "estimate", !answer->blank, finish(one->expected, 0, DIGITS));
        bt_put_int(facts, object, "lower", one->must);
        bt_put_int(facts, object, "upper", one->may);
    }
}

static void put_statistics(const bt_answer *answer, bt_facts *facts, json_t *at)
{
    const bt_statistics *statistics = &answer->statistics;
    if (!statistics->used) return;
    put_or_null(facts, at, "standard_error", statistics->confidence > 0,
                finish(statistics->standard_error, answer->scale, ERROR_DIGITS));
    put_or_null(facts, at, "confidence", statistics->confidence > 0, statistics->confidence);
    if (statistics->inflation > 0)
        bt_put_real(facts, at, "inflation", finish(statistics->inflation, 0, ERROR_DIGITS));
    if (statistics->warning) bt_put_text(facts, at, "warning", statistics->warning);
    if (statistics->merged) bt_put_int(facts, at, "merged", (int64_t)statistics->merged);
}

static bool is_unknown(const bt_answer *answer, const char *column)
{
    for (size_t i = 0; i < BT_UNKNOWN_MOST && answer->unknown[i]; i++)
        if (strcmp(answer->unknown[i], column) == 0) return true;
    return false;
}

static void put_blank(const bt_answer *answer, bt_facts *facts, json_t *at)
{
    char text[512];
    if (!answer->blank) return;
    snprintf(text, sizeof text,
             is_unknown(answer, answer->blank)
                 ? "column '%.400s': there is no estimate, since nothing says which of the values "
                   "that its cells may hold are likelier"
                 : "column '%.400s' shows only '*': there is no estimate, since nothing says which "
                   "values are likelier",
             answer->blank);
    bt_put_text(facts, at, "warning", text);
}

void bt_answer_put(const bt_answer *answer, bt_facts *facts, json_t *at)
{
    if (!answer->has_estimate)
        bt_put_null(facts, at, "estimate");
    else if (answer->type == BT_DATE)
        put_date(facts, at, "estimate", (int64_t)answer->estimate);
    else
        bt_put_real(facts, at, "estimate", answer->estimate);
    put_bound(answer, &answer->lower, false, "lower", facts, at);
    put_bound(answer, &answer->upper, true, "upper", facts, at);
    bt_put_bool(facts, at, "tight", answer->tight);
    put_statistics(answer, facts, at);
    put_blank(answer, facts, at);
    if (answer->unknown[0]) {
        json_t *list = bt_put_array(facts, at, "not_known");
        for (size_t i = 0; i < BT_UNKNOWN_MOST && answer->unknown[i]; i++)
            bt_put_text(facts, list, NULL, answer->unknown[i]);
    }
    if (answer->aggregate >= BT_AVG) bt_put_bool(facts, at, "may_be_empty", answer->may_be_empty);
    json_t *population = bt_put_object(facts, at, "population");
    bt_put_int(facts, population, "published", answer->published);
    bt_put_int(facts, population, "dropped", answer->dropped);
    if (answer->dropped > 0) {
        bt_put_int(facts, at, "dropped_rows", answer->dropped);
        bt_put_text(facts, at, "scope", "published records only");
    }
    if (answer->explained) put_explanation(answer, facts, at);
}
