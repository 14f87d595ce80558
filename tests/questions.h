/* SPDX-License-Identifier: Apache-2.0
 *
 * Random queries, as text for the library and as trees for a twin that judges one record at a time
 * with SQL's three truth values.
 */
#ifndef BT_TEST_QUESTIONS_H
#define BT_TEST_QUESTIONS_H

#include "support.h"

#include "base/memory.h"
#include "query/query.h"

#include <stdio.h>
#include <string.h>

enum { QUESTION_COLUMNS = 8, QUESTION_NODES = 24, QUESTION_LIST = 12 };

typedef struct test_value { /* missing: text NULL and no number */
    bool missing;
    const char *text; /* NULL: a number */
    int64_t number;
} test_value;

typedef struct test_field {   /* a column that may be asked about */
    const char *name;         /* as it stands in a query */
    const char *const *texts; /* literals; NULL: numbers from `least` to `most` */
    size_t text_count;
    int64_t least, most;
} test_field;

typedef enum test_kind { TEST_AND, TEST_OR, TEST_NOT, TEST_ATOM } test_kind;

typedef struct test_node {
    test_kind kind;
    int left, right;
    size_t field;
    bt_comparison comparison;
    bool negated;
    test_value values[QUESTION_LIST];
    size_t value_count;
} test_node;

typedef struct test_question {
    bt_aggregate aggregate;
    bool star;
    size_t target;
    bool always; /* no condition */
    test_node nodes[QUESTION_NODES];
    int count, root;
    bt_buffer text;
} test_question;

/* As a field of a table, with what comes after it. */
static inline void test_print_field(bt_buffer *text, const test_value *value, const char *end)
{
    bauta_error error;
    if (value->missing)
        assert_ok(bt_buffer_print(text, &error, "%s", end), &error);
    else if (value->text)
        assert_ok(bt_buffer_print(text, &error, "%s%s", value->text, end), &error);
    else
        assert_ok(bt_buffer_print(text, &error, "%lld%s", (long long)value->number, end), &error);
}

/* ---- making ---- */

static inline test_value test_literal(const test_field *field, uint64_t *random)
{
    if (field->texts)
        return (test_value){.text = field->texts[test_below(random, field->text_count)]};
    uint64_t width = (uint64_t)(field->most - field->least) + 1;
    return (test_value){.number = field->least + (int64_t)test_below(random, width)};
}

static inline int test_atom(test_question *question, const test_field *fields, size_t count,
                            uint64_t *random)
{
    test_node *node = &question->nodes[question->count];
    *node = (test_node){.kind = TEST_ATOM, .field = test_below(random, count)};
    node->comparison = (bt_comparison)test_below(random, BT_IS_NULL + 1);
    bool list = node->comparison == BT_IN, between = node->comparison == BT_BETWEEN;
    bool null = node->comparison == BT_IS_NULL;
    node->negated = (list || between || null) && test_below(random, 3) == 0;
    node->value_count = null ? 0 : between ? 2 : list ? 1 + test_below(random, QUESTION_LIST) : 1;
    for (size_t i = 0; i < node->value_count; i++)
        node->values[i] = test_literal(&fields[node->field], random);
    return question->count++;
}

/* A tree with about `size` atoms. */
static inline int test_tree(test_question *question, const test_field *fields, size_t count,
                            int size, uint64_t *random)
{
    if (size <= 1 && test_below(random, 4) > 0) return test_atom(question, fields, count, random);
    if (question->count + 2 * size + 4 > QUESTION_NODES)
        return test_atom(question, fields, count, random);
    if (size <= 1 || test_below(random, 5) == 0) {
        int inner = test_tree(question, fields, count, size, random), at = question->count++;
        question->nodes[at] = (test_node){.kind = TEST_NOT, .left = inner};
        return at;
    }
    int left = test_tree(question, fields, count, size / 2, random);
    int right = test_tree(question, fields, count, size - size / 2, random);
    int at = question->count++;
    question->nodes[at] = (test_node){
        .kind = test_below(random, 2) ? TEST_AND : TEST_OR, .left = left, .right = right};
    return at;
}

/* ---- as text ---- */

#define TEST_PRINT(question, ...)                                                                  \
    do {                                                                                           \
        bauta_error error_;                                                                        \
        assert_ok(bt_buffer_print(&(question)->text, &error_, __VA_ARGS__), &error_);              \
    } while (0)

static inline void test_print_value(test_question *question, const test_value *value)
{
    if (!value->text) {
        TEST_PRINT(question, "%lld", (long long)value->number);
        return;
    }
    TEST_PRINT(question, "'");
    for (const char *p = value->text; *p; p++)
        TEST_PRINT(question, *p == '\'' ? "''" : "%c", *p);
    TEST_PRINT(question, "'");
}

static inline void test_print_atom(test_question *question, const test_node *node,
                                   const test_field *fields)
{
    static const char *const signs[] = {"=", "<>", "<", "<=", ">", ">="};
    const char *turned = node->negated ? "not " : "";
    TEST_PRINT(question, "%s ", fields[node->field].name);
    switch (node->comparison) {
    case BT_IS_NULL: TEST_PRINT(question, "IS %sNULL", turned); return;
    case BT_BETWEEN:
        TEST_PRINT(question, "%sBETWEEN ", turned);
        test_print_value(question, &node->values[0]);
        TEST_PRINT(question, " AND ");
        test_print_value(question, &node->values[1]);
        return;
    case BT_IN:
        TEST_PRINT(question, "%sIN (", turned);
        for (size_t i = 0; i < node->value_count; i++) {
            TEST_PRINT(question, i ? ", " : "");
            test_print_value(question, &node->values[i]);
        }
        TEST_PRINT(question, ")");
        return;
    default: break;
    }
    TEST_PRINT(question, "%s ", signs[node->comparison]);
    test_print_value(question, &node->values[0]);
}

static inline void test_print_node(test_question *question, int at, const test_field *fields)
{
    const test_node *node = &question->nodes[at];
    if (node->kind == TEST_ATOM) {
        test_print_atom(question, node, fields);
        return;
    }
    TEST_PRINT(question, node->kind == TEST_NOT ? "NOT (" : "(");
    test_print_node(question, node->left, fields);
    if (node->kind != TEST_NOT) {
        TEST_PRINT(question, node->kind == TEST_AND ? " AND " : " OR ");
        test_print_node(question, node->right, fields);
    }
    TEST_PRINT(question, ")");
}

/* `targets`: fields from 0 on that are numbers. */
static inline void test_question_make(test_question *question, const test_field *fields,
                                      size_t count, size_t targets, uint64_t *random)
{
    question->count = 0;
    question->text.length = 0;
    question->aggregate = (bt_aggregate)test_below(random, BT_MAX + 1);
    if (test_below(random, 3) == 0) question->aggregate = BT_COUNT;
    question->star = question->aggregate == BT_COUNT && test_below(random, 3) > 0;
    question->target = test_below(random, targets);
    TEST_PRINT(question, "SELECT %s(%s)", bt_aggregate_name(question->aggregate),
               question->star ? "*" : fields[question->target].name);
    question->always = test_below(random, 12) == 0;
    if (question->always) return;
    question->root = test_tree(question, fields, count, 1 + (int)test_below(random, 4), random);
    TEST_PRINT(question, " WHERE ");
    test_print_node(question, question->root, fields);
}

/* ---- judging: 1 true, 0 false, -1 unknown ---- */

static inline int test_compare(const test_value *a, const test_value *b)
{
    if (a->text) return strcmp(a->text, b->text);
    return (a->number > b->number) - (a->number < b->number);
}

static inline int test_judge_atom(const test_node *node, const test_value *value)
{
    if (node->comparison == BT_IS_NULL) return value->missing != node->negated;
    if (value->missing) return -1;
    bool found = false;
    int order = test_compare(value, &node->values[0]);
    switch (node->comparison) {
    case BT_EQUAL: found = order == 0; break;
    case BT_UNEQUAL: found = order != 0; break;
    case BT_LESS: found = order < 0; break;
    case BT_AT_MOST: found = order <= 0; break;
    case BT_GREATER: found = order > 0; break;
    case BT_AT_LEAST: found = order >= 0; break;
    case BT_BETWEEN: found = order >= 0 && test_compare(value, &node->values[1]) <= 0; break;
    default:
        for (size_t i = 0; i < node->value_count; i++)
            found |= test_compare(value, &node->values[i]) == 0;
    }
    return found != node->negated;
}

static inline int test_judge(const test_question *question, int at, const test_value *record)
{
    const test_node *node = &question->nodes[at];
    if (node->kind == TEST_ATOM) return test_judge_atom(node, &record[node->field]);
    int left = test_judge(question, node->left, record);
    if (node->kind == TEST_NOT) return left < 0 ? -1 : !left;
    int right = test_judge(question, node->right, record);
    int decisive = node->kind == TEST_OR;
    if (left == decisive || right == decisive) return decisive;
    return left < 0 || right < 0 ? -1 : !decisive;
}

static inline bool test_matches(const test_question *question, const test_value *record)
{
    if (!question->star && record[question->target].missing) return false;
    return question->always || test_judge(question, question->root, record) == 1;
}

/* ---- aggregating ---- */

typedef struct test_result {
    int64_t count, sum, min, max;
} test_result;

static inline void test_take(test_result *result, int64_t number)
{
    if (result->count == 0 || number < result->min) result->min = number;
    if (result->count == 0 || number > result->max) result->max = number;
    result->sum += number;
    result->count++;
}

/* The answer as a fraction; false: there is none. */
static inline bool test_answer(const test_result *result, bt_aggregate aggregate, int64_t *top,
                               int64_t *bottom)
{
    *bottom = 1;
    switch (aggregate) {
    case BT_COUNT: *top = result->count; return true;
    case BT_SUM: *top = result->sum; return true;
    case BT_AVG:
        *top = result->sum;
        *bottom = result->count;
        break;
    case BT_MIN: *top = result->min; break;
    case BT_MAX: *top = result->max; break;
    }
    return result->count > 0;
}

typedef struct test_extremes { /* over tables */
    bool any, empty;
    int64_t low_top, low_bottom, high_top, high_bottom;
} test_extremes;

static inline void test_take_table(test_extremes *found, const test_result *result,
                                   bt_aggregate aggregate)
{
    int64_t top = 0, bottom = 1;
    found->empty |= result->count == 0;
    if (!test_answer(result, aggregate, &top, &bottom)) return;
    if (!found->any || top * found->low_bottom < found->low_top * bottom) {
        found->low_top = top;
        found->low_bottom = bottom;
    }
    if (!found->any || top * found->high_bottom > found->high_top * bottom) {
        found->high_top = top;
        found->high_bottom = bottom;
    }
    found->any = true;
}

/* ---- comparing ---- */

static inline bool test_below_bound(int64_t top, int64_t bottom, const bt_bound *bound)
{
    return (__int128)top * bound->bottom < bound->top * bottom;
}

static inline bool test_above_bound(int64_t top, int64_t bottom, const bt_bound *bound)
{
    return (__int128)top * bound->bottom > bound->top * bottom;
}

static inline void test_complain(const test_question *question, const char *what)
{
    fail_msg("%s: %.*s", what, (int)question->text.length, question->text.bytes);
}

#endif
