/* SPDX-License-Identifier: Apache-2.0
 *
 * Associations against the definition: every combination of values counted by looking at every row.
 */
#include "../support.h"

#include "measure/mine.h"

#include <math.h>
#include <string.h>

enum { COLUMNS_MOST = 4, ROWS_MOST = 120, CODES = 3, VALUES = 3, CLASSES = 7, RULES_MOST = 1024 };

typedef struct small_table {
    size_t columns;
    int64_t rows;
    uint8_t quasi[COLUMNS_MOST][ROWS_MOST];
    uint32_t sensitive[ROWS_MOST], class_of[ROWS_MOST];
    double share[CLASSES * VALUES];
    bool left_out[COLUMNS_MOST][CODES];
    bool *left_outs[COLUMNS_MOST];
    bt_codes codes[COLUMNS_MOST];
} small_table;

static void draw_table(small_table *t, uint64_t *random)
{
    memset(t, 0, sizeof *t);
    t->columns = 1 + (size_t)test_below(random, COLUMNS_MOST);
    t->rows = 1 + (int64_t)test_below(random, ROWS_MOST);
    for (int64_t row = 0; row < t->rows; row++) {
        t->sensitive[row] = (uint32_t)test_below(random, VALUES);
        t->class_of[row] = (uint32_t)test_below(random, CLASSES);
        for (size_t c = 0; c < t->columns; c++)
            t->quasi[c][row] = test_below(random, 3) ? (uint8_t)(t->sensitive[row] % CODES)
                                                     : (uint8_t)test_below(random, CODES);
    }
    for (size_t c = 0; c < t->columns; c++) {
        t->codes[c] = (bt_codes){t->quasi[c], 1, CODES};
        t->left_outs[c] = t->left_out[c];
        t->left_out[c][0] = test_below(random, 4) == 0;
    }
    for (size_t c = 0; c < CLASSES; c++) { /* shares that add up to 1 */
        uint64_t first = test_below(random, 5), second = test_below(random, 5 - first);
        t->share[c * VALUES] = (double)first / 4;
        t->share[c * VALUES + 1] = (double)second / 4;
        t->share[c * VALUES + 2] = 1 - (double)(first + second) / 4;
    }
}

static double weight(const small_table *t, bool expected, int64_t row, uint32_t value)
{
    if (expected) return t->share[t->class_of[row] * VALUES + value];
    return t->sensitive[row] == value;
}

/* Counts rows with these values, CODES standing for any; with s too, and with s alone. */
static void count(const small_table *t, bool expected, const uint32_t *codes, uint32_t value,
                  double *left, double *both, double *right)
{
    *left = *both = *right = 0;
    for (int64_t row = 0; row < t->rows; row++) {
        bool has = true;
        for (size_t c = 0; c < t->columns; c++)
            has &= codes[c] == CODES || t->quasi[c][row] == codes[c];
        *left += has;
        *both += has * weight(t, expected, row, value);
        *right += weight(t, expected, row, value);
    }
}

static size_t find_rule(const bt_rules *rules, const uint32_t *codes, uint32_t value)
{
    uint32_t items[COLUMNS_MOST + 1] = {value};
    for (size_t c = 0; c < rules->columns; c++)
        items[c + 1] = codes[c] == CODES ? BT_NO_ITEM : codes[c];
    for (size_t i = 0; i < rules->count; i++)
        if (bt_rule_compare(bt_rule_items(rules, i), items, rules->columns) == 0) return i;
    return SIZE_MAX;
}

static void check(const small_table *t, const bt_mine_job *job, bool expected)
{
    bt_rules rules;
    bauta_error error;
    size_t found = 0, combinations = 1;
    assert_ok(bt_mine(job, &rules, &error), &error);
    for (size_t c = 0; c < t->columns; c++)
        combinations *= CODES + 1;
    for (size_t number = 0; number < combinations * VALUES; number++) {
        uint32_t codes[COLUMNS_MOST], value = (uint32_t)(number / combinations);
        size_t rest = number % combinations, length = 0;
        bool may = true;
        double left, both, right;
        for (size_t c = 0; c < t->columns; c++, rest /= CODES + 1) {
            codes[c] = (uint32_t)(rest % (CODES + 1));
            length += codes[c] != CODES;
            may &= codes[c] == CODES || !job->left_out || !t->left_out[c][codes[c]];
        }
        count(t, expected, codes, value, &left, &both, &right);
        bool wanted = may && length > 0 && both > 1e-12 &&
                      both * (double)job->support.bottom >=
                          (double)job->support.top * (double)t->rows * (1 - 1e-9) &&
                      both * (double)job->confidence.bottom >=
                          (double)job->confidence.top * left * (1 - 1e-9);
        size_t at = find_rule(&rules, codes, value);
        assert_int_equal(wanted, at != SIZE_MAX);
        if (!wanted) continue;
        found++;
        assert_int_equal(bt_rule_length(&rules, at), length);
        assert_true(fabs(rules.both[at] - both) < 1e-9);
        assert_true(fabs(rules.left[at] - left) < 1e-9);
        assert_true(fabs(rules.right[at] - right) < 1e-9);
    }
    assert_int_equal(found, rules.count);
    for (size_t i = 1; i < rules.count; i++)
        assert_int_equal(
            bt_rule_compare(bt_rule_items(&rules, i - 1), bt_rule_items(&rules, i), rules.columns),
            -1);
    bt_rules_release(&rules);
}

static void as_counting_says(void **state)
{
    (void)state;
    static small_table t;
    uint64_t random = 9;
    for (int round = 0; round < 600; round++) {
        draw_table(&t, &random);
        bt_mine_job job = {.quasi = t.codes,
                           .left_out = round % 3 ? NULL : t.left_outs,
                           .columns = t.columns,
                           .rows = t.rows,
                           .values = VALUES,
                           .support = {1 + (int64_t)test_below(&random, 10), 20},
                           .confidence = {(int64_t)test_below(&random, 10), 10}};
        job.sensitive = t.sensitive;
        check(&t, &job, false);
        job.sensitive = NULL;
        job.class_of = t.class_of;
        job.share = t.share;
        check(&t, &job, true);
    }
}

/* A share that is reached exactly is reached: 2 of 10 at support 0.2, 2 of 3 at confidence 2/3. */
static void thresholds_are_exact(void **state)
{
    (void)state;
    static const uint8_t quasi[] = {1, 1, 1, 0, 0, 0, 0, 0, 0, 0};
    static const uint32_t sensitive[] = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0};
    const bt_codes codes = {quasi, 1, 2};
    bt_rules rules;
    bauta_error error;
    bt_mine_job job = {.quasi = &codes,
                       .columns = 1,
                       .rows = 10,
                       .values = 2,
                       .sensitive = sensitive,
                       .support = {1, 5},
                       .confidence = {2, 3}};
    assert_ok(bt_mine(&job, &rules, &error), &error);
    assert_int_equal(rules.count, 2); /* 0 -> 0 and 1 -> 1 */
    bt_rules_release(&rules);
    job.support = (bt_rational){2001, 10000};
    assert_ok(bt_mine(&job, &rules, &error), &error);
    assert_int_equal(rules.count, 1);
    bt_rules_release(&rules);
    job.support = (bt_rational){1, 5};
    job.confidence = (bt_rational){6667, 10000};
    assert_ok(bt_mine(&job, &rules, &error), &error);
    assert_int_equal(rules.count, 1);
    bt_rules_release(&rules);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_counting_says),
        cmocka_unit_test(thresholds_are_exact),
    };
    return cmocka_run_group_tests_name("mine", tests, NULL, NULL);
}
