/* SPDX-License-Identifier: Apache-2.0
 *
 * Random questions to many small releases: a test makes a release and knows every table that may be
 * behind it; here each question is asked, and its interval is compared with the answers of those
 * tables.
 */
#ifndef BT_TEST_TRIALS_H
#define BT_TEST_TRIALS_H

#include "questions.h"
#include "release_files.h"

#include "reading/release.h"

typedef struct test_trials {
    int releases, queries; /* of each */
    const test_field *fields;
    size_t field_count, targets; /* as test_question_make takes them */
    void *world;                 /* of the test, for the two below */
    const char *(*make)(void *world);
    /* Complains of an answer, which it may change. */
    void (*check)(void *world, const test_question *question, bt_answer *answer);
} test_trials;

static inline bool test_ask(const test_trials *trials, const bt_queryable *queryable,
                            const test_question *question)
{
    static const bt_query_options options = {0};
    bt_answer answer;
    bauta_error error;
    if (bt_query(queryable, question->text.bytes, &options, &answer, &error) != BAUTA_OK)
        test_complain(question, error.message);
    bool tight = answer.tight;
    trials->check(trials->world, question, &answer);
    bt_answer_release(&answer);
    return tight;
}

/* How many answers claim to be tight. */
static inline int test_try(const test_trials *trials, uint64_t *random)
{
    test_question question = {0};
    bt_run run;
    bauta_error error;
    int tight = 0;
    test_run_open(&run, 1);
    for (int i = 0; i < trials->releases; i++) {
        bt_release release;
        bt_queryable *queryable;
        assert_ok(bt_release_open(trials->make(trials->world), &run, &release, &error), &error);
        assert_ok(bt_release_code_others(&release, &run, &error), &error);
        assert_ok(bt_queryable_open(&release, &run, &queryable, &error), &error);
        for (int j = 0; j < trials->queries; j++) {
            test_question_make(&question, trials->fields, trials->field_count, trials->targets,
                               random);
            tight += test_ask(trials, queryable, &question);
        }
        bt_queryable_close(queryable);
        bt_release_close(&release);
    }
    bt_buffer_release(&question.text);
    bt_pool_free(run.pool);
    return tight;
}

/* ---- comparing ---- */

/* No table has an answer outside of the interval. An end that is open bounds nothing. */
static inline void test_check_inside(const test_question *question, const bt_answer *answer,
                                     const test_extremes *found)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    if (!low->open && test_below_bound(found->low_top, found->low_bottom, low))
        test_complain(question, "below the interval");
    if (!high->open && test_above_bound(found->high_top, found->high_bottom, high))
        test_complain(question, "above the interval");
    if (found->empty && !answer->may_be_empty) test_complain(question, "may be empty");
}

/* Both ends of the interval are answers of tables. */
static inline void test_check_attained(const test_question *question, const bt_answer *answer,
                                       const test_extremes *found)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    if (low->open || high->open) test_complain(question, "without a bound");
    if (test_above_bound(found->low_top, found->low_bottom, low))
        test_complain(question, "the lower end is not attained");
    if (test_below_bound(found->high_top, found->high_bottom, high))
        test_complain(question, "the upper end is not attained");
}

/* Of forms that bound everything, and counts tightly. */
static inline void test_check_interval(const test_question *question, const bt_answer *answer,
                                       const test_extremes *found)
{
    const bt_bound *low = &answer->lower, *high = &answer->upper;
    if (!found->any && (!low->open || !high->open)) test_complain(question, "not empty");
    if (!found->any) return;
    if (low->open || high->open) test_complain(question, "without a bound");
    test_check_inside(question, answer, found);
    if (question->aggregate == BT_COUNT && !answer->tight) test_complain(question, "a loose count");
    if (!answer->tight) return;
    if (found->empty != answer->may_be_empty) test_complain(question, "is never empty");
    test_check_attained(question, answer, found);
}

#endif
