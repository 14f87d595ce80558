/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets: trees and weights, rounding, exact probabilities, files, and what requirements say of
 * them.
 */
#include "scratch.h"
#include "trees.h"

#include "base/csv.h"
#include "base/natural.h"
#include "class/space.h"
#include "require/targets.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a sensitive column by hand ---- */

enum { MOST = 16 };

typedef struct sample {
    bt_column column;
    const char *text[MOST];
    int64_t number[MOST];
    char digits[MOST][24];
    uint8_t codes[256];
    int64_t rows;
    bt_arena arena;
} sample;

/* Numbers first, first + step, …, counts[i] rows of each. */
static void numbers(sample *s, uint32_t size, int64_t first, int64_t step, const uint32_t *counts)
{
    *s = (sample){0};
    for (uint32_t code = 0; code < size; code++) {
        s->number[code] = first + code * step;
        snprintf(s->digits[code], sizeof s->digits[code], "%lld", (long long)s->number[code]);
        s->text[code] = s->digits[code];
        for (uint32_t i = 0; i < counts[code]; i++)
            s->codes[s->rows++] = (uint8_t)code;
    }
    s->column = (bt_column){.name = "salary",
                            .role = BT_ROLE_SENSITIVE,
                            .domain = {.reading = {.type = BT_INTEGER},
                                       .size = size,
                                       .text = s->text,
                                       .number = s->number},
                            .width = 1,
                            .codes = s->codes};
}

static void texts(sample *s, uint32_t size, const char *const *text, const uint32_t *counts)
{
    numbers(s, size, 0, 1, counts);
    for (uint32_t code = 0; code < size; code++)
        s->text[code] = text[code];
    s->column.domain.reading.type = BT_TEXT;
    s->column.domain.number = NULL;
}

static bauta_status init(bt_target_maker *maker, sample *s, const char *target, uint64_t cap,
                         bool per_group, const char *require, bauta_error *error)
{
    bt_target_options options = {.per_group = per_group, .cap = cap};
    *maker = (bt_target_maker){0};
    bt_requirements asked;
    BT_TRY(bt_wanted_parse(target, &s->arena, &options.wanted, error));
    BT_TRY(bt_requirements_parse(require, &s->arena, &asked, error));
    return bt_target_maker_init(maker, &options, &s->column, s->rows, &asked, error);
}

static void release(bt_target_maker *maker, sample *s)
{
    bt_target_maker_release(maker);
    bt_arena_release(&s->arena);
}

/* The probability of a code is top / bottom, exactly. */
static void assert_share(const bt_target *target, uint32_t code, uint64_t top, uint64_t bottom)
{
    bauta_error error = {0};
    bt_arena arena = {0};
    bt_shares shares;
    uint64_t left[BT_SHARES_ROOM], right[BT_SHARES_ROOM];
    assert_ok(bt_shares_make(&target, 1, &arena, &shares, &error), &error);
    memcpy(left, bt_share(&shares, code), shares.words * sizeof *left);
    memcpy(right, shares.total, shares.words * sizeof *right);
    bt_natural_multiply(left, bottom, shares.words);
    bt_natural_multiply(right, top, shares.words);
    assert_int_equal(bt_natural_compare(left, right, shares.words), 0);
    bt_arena_release(&arena);
}

/* ---- trees and weights ---- */

static const uint32_t even[MOST] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};

static void test_tree(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_space space;
    bt_target target;
    numbers(&s, 5, 10, 10, even);
    assert_ok(bt_space_make(&s.column, &s.arena, &space, &error), &error);
    const uint64_t weights[] = {6, 2, 0, 4, 12};
    assert_ok(bt_target_make(&space, weights, &s.arena, &target, &error), &error);
    /* 10 20 (30) | 40 50: without 30 the node over 10..30 is that over 10 and 20 */
    assert_int_equal(target.count, 7);
    assert_int_equal(target.leaves, 4);
    assert_int_equal(target.depth, 2);
    assert_int_equal(target.leaf_of[2], BT_NO_NODE);
    assert_int_equal(target.nodes[0].range, 40);
    assert_int_equal(target.nodes[0].sum, 3);
    assert_int_equal(target.nodes[1].weight, 1);
    assert_int_equal(target.nodes[2].weight, 2);
    assert_int_equal(target.nodes[1].greatest, 20);
    assert_int_equal(target.nodes[1].range, 10);
    assert_int_equal(target.nodes[target.leaf_of[0]].weight, 3);
    assert_int_equal(bt_target_find_numbers(&target, 10, 20), 1);
    assert_int_equal(bt_target_find_numbers(&target, 10, 30), BT_NO_NODE);
    assert_int_equal(bt_target_find_numbers(&target, 40, 50), 2);
    assert_int_equal(bt_target_find_numbers(&target, 40, 40), target.leaf_of[3]);
    assert_int_equal(bt_target_find_numbers(&target, 45, 50), BT_NO_NODE);
    assert_share(&target, 0, 1, 4);
    assert_share(&target, 1, 1, 12);
    assert_share(&target, 2, 0, 1);
    assert_share(&target, 4, 1, 2);
    assert_true(fabs(bt_target_distance(&target, weights)) < 1e-12);
    const uint64_t nothing[5] = {0}, huge[5] = {UINT64_C(1) << 61, UINT64_C(1) << 61};
    assert_fails(bt_target_make(&space, nothing, &s.arena, &target, &error), BAUTA_INVALID, &error,
                 "no value");
    assert_fails(bt_target_make(&space, huge, &s.arena, &target, &error), BAUTA_INVALID, &error,
                 "too large");
    bt_arena_release(&s.arena);
}

static void test_rounding(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_space space;
    bt_target target;
    numbers(&s, 2, 0, 1, even);
    assert_ok(bt_space_make(&s.column, &s.arena, &space, &error), &error);
    const uint64_t adult[] = {579, 848}; /* the root of the paper's data */
    static const uint64_t caps[] = {0, 2, 8, 16, 4096}, lefts[] = {579, 1, 2, 2, 579},
                          rights[] = {848, 1, 3, 3, 848};
    for (size_t i = 0; i < 5; i++) {
        assert_ok(bt_target_make(&space, adult, &s.arena, &target, &error), &error);
        assert_ok(bt_target_round(&target, caps[i], &error), &error);
        assert_int_equal(target.nodes[1].weight, lefts[i]);
        assert_int_equal(target.nodes[2].weight, rights[i]);
        assert_int_equal(target.nodes[0].sum, lefts[i] + rights[i]);
    }
    const uint64_t rare[] = {1, 1000000};
    assert_ok(bt_target_make(&space, rare, &s.arena, &target, &error), &error);
    assert_ok(bt_target_round(&target, 16, &error), &error);
    assert_int_equal(target.nodes[1].weight, 1);
    assert_int_equal(target.nodes[2].weight, 15);
    assert_true(fabs(bt_target_distance(&target, rare) - (1.0 / 16 - 1.0 / 1000001)) < 1e-12);
    assert_fails(bt_target_round(&target, 4097, &error), BAUTA_INVALID, &error, "weight-cap");
    bt_arena_release(&s.arena);
}

/* No other weights within the cap are nearer. */
static void test_rounding_is_best(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 1;
    for (int round = 0; round < 300; round++) {
        bt_arena arena = {0};
        bt_target target;
        tree_shape shape = {.count = 4, .children = {3}, .weights = {1, 1, 1, 1}};
        for (int i = 1; i < 4; i++)
            shape.weights[i] = 1 + test_below(&random, 60);
        tree_reduce(&shape, 1, 3);
        double sum = (double)(shape.weights[1] + shape.weights[2] + shape.weights[3]), best = 9;
        uint64_t cap = 3 + test_below(&random, 10);
        for (uint64_t a = 1; a < cap; a++)
            for (uint64_t b = 1; a + b < cap; b++)
                for (uint64_t c = 1; a + b + c <= cap; c++) {
                    double q = (double)(a + b + c);
                    double here = fabs((double)a / q - (double)shape.weights[1] / sum) +
                                  fabs((double)b / q - (double)shape.weights[2] / sum) +
                                  fabs((double)c / q - (double)shape.weights[3] / sum);
                    if (here < best) best = here;
                }
        const uint64_t wanted[] = {shape.weights[1], shape.weights[2], shape.weights[3]};
        tree_restore(&shape, 3, false, &arena, &target);
        assert_ok(bt_target_round(&target, cap, &error), &error);
        assert_true(target.nodes[0].sum <= cap);
        assert_true(fabs(bt_target_distance(&target, wanted) - best / 2) < 1e-9);
        bt_arena_release(&arena);
    }
}

/* Probabilities of deep trees do not fit 64 bits; their sum is still exactly one. */
static void test_shares_of_deep_trees(void **state)
{
    (void)state;
    bauta_error error = {0};
    uint64_t random = 2, longest = 0;
    for (int round = 0; round < 100; round++) {
        bt_arena arena = {0};
        bt_target target[2];
        bt_shares shares[2];
        tree_shape shape;
        uint64_t sum[BT_SHARES_ROOM];
        const bt_target *both[] = {&target[0], &target[1]};
        for (int i = 0; i < 2; i++) {
            tree_random(&random, 60, 16, &shape);
            tree_restore(&shape, 60, false, &arena, &target[i]);
        }
        assert_ok(bt_shares_make(both, 2, &arena, shares, &error), &error);
        for (int i = 0; i < 2; i++) {
            double chance[TREE_NODES];
            bt_target_chances(&target[i], chance);
            bt_natural_set(sum, shares[i].words, 0);
            for (uint32_t code = 0; code < 60; code++) {
                bt_natural_add(sum, bt_share(&shares[i], code), shares[i].words);
                double near =
                    bt_natural_ratio(bt_share(&shares[i], code), shares[i].total, shares[i].words);
                assert_true(fabs(near - chance[target[i].leaf_of[code]]) < 1e-12);
            }
            assert_int_equal(bt_natural_compare(sum, shares[i].total, shares[i].words), 0);
        }
        if (shares[0].words > longest) longest = shares[0].words;
        bt_arena_release(&arena);
    }
    assert_true(longest > 4);
}

static void test_hostile_shapes(void **state)
{
    (void)state;
    bauta_error error = {0};
    bt_arena arena = {0};
    bt_target target;
    static const struct {
        uint32_t children[4];
        uint64_t weights[4];
        size_t count;
        uint32_t codes;
        const char *what;
    } wrong[] = {
        {{0}, {1}, 0, 1, "not one"},
        {{1, 0}, {1, 1}, 2, 1, "not one"},
        {{2, 0, 0}, {1, 1, 1}, 3, 3, "not one"},
        {{3, 0, 0}, {1, 1, 1}, 3, 2, "not one"},
        {{0, 2, 0}, {1, 1, 1}, 3, 2, "not one"},
        {{2, 0, 0, 0}, {1, 1, 1, 1}, 4, 2, "not one"},
        {{2, 0, 0}, {1, 0, 1}, 3, 2, "a weight"},
        {{2, 0, 0}, {2, 1, 1}, 3, 2, "a weight"},
        {{2, 0, 0}, {1, 2, 4}, 3, 2, "not reduced"},
        {{2, 0, 0}, {1, (UINT64_C(1) << 62) - 1, 1}, 3, 2, "too large"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bt_target_shape shape = {.count = wrong[i].count,
                                 .children = wrong[i].children,
                                 .weights = wrong[i].weights,
                                 .codes = wrong[i].codes};
        assert_fails(bt_target_restore(&shape, &arena, &target, &error), BAUTA_INVALID, &error,
                     wrong[i].what);
    }
    bt_arena_release(&arena);
}

/* ---- spaces ---- */

static bauta_status from_text(sample *s, const char *text, bt_space *space, uint64_t **weights,
                              bauta_error *error)
{
    char padded[512] = {0};
    snprintf(padded, sizeof padded - BT_CSV_PADDING, "%s", text);
    return bt_space_from_csv(&s->column, "target.csv", padded, strlen(text), &s->arena, space,
                             weights, error);
}

static void test_file(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_space space;
    uint64_t *weights;
    numbers(&s, 3, 10, 10, even);
    assert_ok(from_text(&s, "value,weight\n30,3\n010,1\n15,2\n20,4\n", &space, &weights, &error),
              &error);
    assert_int_equal(space.domain.size, 4);
    static const int64_t values[] = {10, 15, 20, 30};
    static const uint64_t expected[] = {1, 2, 4, 3};
    for (uint32_t code = 0; code < 4; code++) {
        assert_int_equal(space.domain.number[code], values[code]);
        assert_int_equal(weights[code], expected[code]);
    }
    assert_int_equal(space.code_of[0], 0);
    assert_int_equal(space.code_of[2], 3);
    assert_ok(from_text(&s, "10,1\n20,1\n", &space, &weights, &error), &error);
    assert_int_equal(space.code_of[2], BT_NO_NODE);
    static const struct {
        const char *text, *what;
    } wrong[] = {
        {"10,0\n", "weight"},
        {"10,x\n", "weight"},
        {"10,1.5\n", "weight"},
        {"10,-1\n", "weight"},
        {"10,\n", "weight"},
        {"ten,1\n", "type"},
        {"10,1\n10.0,2\n", "type"},
        {"10;1;2\n", "two fields"},
        {"10,1\n010,2\n", "twice"},
        {"value,weight\n", "no values"},
        {"10,99999999999999999999\n", "weight"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(from_text(&s, wrong[i].text, &space, &weights, &error), BAUTA_INVALID, &error,
                     wrong[i].what);
    bt_arena_release(&s.arena);
}

static void test_space_refusals(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_space space;
    numbers(&s, 3, 0, 1, even);
    s.column.domain.has_missing = true;
    s.text[2] = "";
    assert_fails(bt_space_make(&s.column, &s.arena, &space, &error), BAUTA_INVALID, &error,
                 "missing");
    bt_arena_release(&s.arena);
    numbers(&s, 3, 0, -1, even);
    assert_fails(bt_space_make(&s.column, &s.arena, &space, &error), BAUTA_INVALID, &error,
                 "order");
    bt_arena_release(&s.arena);
    numbers(&s, 0, 0, 1, even);
    assert_fails(bt_space_make(&s.column, &s.arena, &space, &error), BAUTA_INVALID, &error,
                 "no values");
    bt_arena_release(&s.arena);
}

/* Text gets a tree over the sorted values; the missing one is a value like others. */
static void test_text_space(void **state)
{
    (void)state;
    static const char *const names[] = {"flu", "cold", "angina", ""};
    bauta_error error = {0};
    sample s;
    bt_space space;
    bt_target target;
    texts(&s, 4, names, even);
    s.column.domain.has_missing = true;
    assert_ok(bt_space_make(&s.column, &s.arena, &space, &error), &error);
    assert_string_equal(space.domain.text[0], "angina");
    assert_int_equal(space.code_of[0], 2);
    assert_int_equal(space.code_of[3], 3);
    const uint64_t weights[] = {1, 1, 2, 4};
    assert_ok(bt_target_make(&space, weights, &s.arena, &target, &error), &error);
    assert_int_equal(target.nodes[0].range, 3);
    assert_share(&target, 3, 1, 2);
    assert_share(&target, 0, 1, 8);
    bt_arena_release(&s.arena);
}

/* ---- what is wanted ---- */

static void test_wanted(void **state)
{
    (void)state;
    bauta_error error = {0};
    bt_arena arena = {0};
    bt_wanted wanted;
    assert_ok(bt_wanted_parse("normal:2000,300.5", &arena, &wanted, &error), &error);
    assert_int_equal(wanted.kind, BT_WANTED_NORMAL);
    assert_true(wanted.first == 2000 && wanted.second == 300.5);
    assert_ok(bt_wanted_parse("normal:-1\\,2", &arena, &wanted, &error), &error);
    assert_true(wanted.first == -1 && wanted.second == 2);
    assert_ok(bt_wanted_parse("zipf:0.1", &arena, &wanted, &error), &error);
    assert_int_equal(wanted.kind, BT_WANTED_ZIPF);
    assert_ok(bt_wanted_parse("a file.csv", &arena, &wanted, &error), &error);
    assert_string_equal(wanted.file, "a file.csv");
    static const char *const wrong[] = {"normal:",    "normal:1", "normal:1,0", "normal:1,2,3",
                                        "normal:x,1", "zipf:",    "zipf:-1",    "zipf:x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(bt_wanted_parse(wrong[i], &arena, &wanted, &error), BAUTA_INVALID, &error,
                     "takes");
    bt_arena_release(&arena);
}

static void test_shared_targets(void **state)
{
    (void)state;
    static const uint32_t counts[] = {4, 2, 1, 1};
    bauta_error error = {0};
    sample s;
    bt_target_maker maker;
    numbers(&s, 4, 1, 1, counts);
    assert_ok(init(&maker, &s, "source", 0, false, "l=4", &error), &error);
    assert_false(maker.own);
    assert_share(&maker.shared, 0, 1, 2);
    assert_share(&maker.shared, 3, 1, 8);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "uniform", 16, false, "alpha=0.25", &error), &error);
    assert_share(&maker.shared, 0, 1, 4);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "zipf:1", 0, false, "l=2", &error), &error);
    double chance[8];
    bt_target_chances(&maker.shared, chance);
    for (uint32_t code = 0; code < 4; code++)
        assert_true(fabs(chance[maker.shared.leaf_of[code]] - 12.0 / 25 / (code + 1)) < 1e-9);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "normal:2,1", 0, false, "l=2", &error), &error);
    bt_target_chances(&maker.shared, chance);
    assert_true(
        fabs(chance[maker.shared.leaf_of[0]] / chance[maker.shared.leaf_of[1]] - exp(-0.5)) < 1e-9);
    assert_true(fabs(chance[maker.shared.leaf_of[3]] / chance[maker.shared.leaf_of[1]] - exp(-2)) <
                1e-9);
    release(&maker, &s);
}

/* ---- requirements ---- */

static void check_judged(sample *s, const char *target, const char *require, bool holds)
{
    bauta_error error = {0};
    bt_target_maker maker;
    bauta_status status = init(&maker, s, target, 0, false, require, &error);
    if (status != (holds ? BAUTA_OK : BAUTA_NO))
        fail_msg("%s with %s: %d %s", target, require, status, error.message);
    if (!holds) assert_non_null(strstr(error.message, "does not satisfy"));
    release(&maker, s);
}

static void test_requirements(void **state)
{
    (void)state;
    static const uint32_t counts[] = {4, 2, 1, 1};
    static const struct {
        const char *target, *require;
        bool holds;
    } cases[] = {
        {"source", "alpha=0.5", true},
        {"source", "alpha=0.4999999", false},
        {"uniform", "alpha=1/4", true},
        {"source", "alpha=0.25:2", true},
        {"source", "alpha=0.24:2", false},
        {"source", "l=4", true},
        {"source", "l=5", false},
        {"source", "p=4", true},
        {"source", "p=5", false},
        {"source", "t=0", true},
        {"uniform", "t=0.25", true}, /* 4/8 - 2/8 */
        {"uniform", "t=0.2499", false},
        {"uniform", "t=0.25:ordered", true}, /* (2 + 2 + 1) / 8 / 3 = 5/24 */
        {"uniform", "t=5/24:ordered", true},
        {"uniform", "t=0.2083:ordered", false},
        {"source", "recursive-l=2:1.01", true}, /* 4 < c * 4 */
        {"source", "recursive-l=2:1", false},
        {"uniform", "entropy-l=4", true},
        {"uniform", "entropy-l=4.001", false},
        {"source", "entropy-l=3.36", true}, /* 1.75 bits */
        {"source", "entropy-l=3.37", false},
        {"source", "alpha=0.5,l=4,t=0", true},
        {"source", "alpha=0.5,l=5", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        numbers(&s, 4, 1, 1, counts);
        check_judged(&s, cases[i].target, cases[i].require, cases[i].holds);
    }
    /* The weights of a deep tree have totals of many bits: 3.75 bits of 4. */
    static const uint32_t deep[MOST] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    for (int i = 0; i < 2; i++) {
        sample s;
        numbers(&s, MOST, 1, 1, deep);
        check_judged(&s, "source", i ? "entropy-l=12" : "entropy-l=15.9", i == 1);
        numbers(&s, MOST, 1, 1, even);
        check_judged(&s, "normal:8,3", i ? "entropy-l=8" : "entropy-l=15.9", i == 1);
    }
}

static void test_refused_requirements(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_target_maker maker;
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, "source", 16, false, "", &error), BAUTA_INVALID, &error,
                 "needs a requirement");
    release(&maker, &s);
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, "source", 16, false, "k=2", &error), BAUTA_INVALID, &error,
                 "'k' says nothing");
    release(&maker, &s);
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, "source", 0, true, "l=2", &error), BAUTA_INVALID, &error,
                 "weight-cap=none");
    release(&maker, &s);
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, "closest", 0, false, "l=2", &error), BAUTA_INVALID, &error,
                 "weight-cap=none");
    release(&maker, &s);
    static const char *const names[] = {"a", "b"};
    texts(&s, 2, names, even);
    assert_fails(init(&maker, &s, "normal:1,1", 16, false, "l=2", &error), BAUTA_INVALID, &error,
                 "for numbers");
    release(&maker, &s);
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, "no such file", 16, false, "l=2", &error), BAUTA_INVALID, &error,
                 "cannot open target");
    release(&maker, &s);
}

/* A value of the data that the file does not list has probability 0. */
static void test_zero_probability(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_target_maker maker;
    static const char rows[] = "1,1\n2,1\n3,2\n9,4\n";
    const char *file = scratch_write("target.csv", rows, sizeof rows - 1);
    numbers(&s, 4, 1, 1, even);
    assert_fails(init(&maker, &s, file, 16, false, "l=2", &error), BAUTA_INVALID, &error,
                 "probability 0: 1 of them");
    release(&maker, &s);
    numbers(&s, 3, 1, 1, even);
    assert_ok(init(&maker, &s, file, 16, false, "alpha=0.5", &error), &error);
    assert_share(&maker.shared, 3, 1, 2);
    release(&maker, &s);
}

/* ---- given trees ---- */

/* flu, cold | HIV, cancer */
static void give_tree(sample *s)
{
    static const char *const flu[] = {"flu", "light"}, *const cold[] = {"cold", "light"};
    static const char *const hiv[] = {"HIV", "grave"}, *const cancer[] = {"cancer", "grave"};
    static const char *const *const paths[] = {flu, cold, hiv, cancer};
    static const size_t lengths[] = {2, 2, 2, 2};
    const bt_hierarchy_source source = {.paths = paths, .path_lengths = lengths, .path_count = 4};
    bauta_error error = {0};
    bt_hierarchy *made;
    uint32_t new_code[4];
    assert_ok(bt_hierarchy_build(&source, "disease", &s->column.domain, new_code, &s->arena, &made,
                                 &error),
              &error);
    for (int64_t row = 0; row < s->rows; row++)
        s->codes[row] = (uint8_t)new_code[s->codes[row]];
    s->column.hierarchy = made;
}

static void test_given_tree(void **state)
{
    (void)state;
    static const char *const names[] = {"HIV", "cancer", "cold", "flu"};
    static const uint32_t counts[] = {1, 1, 3, 3};
    bauta_error error = {0};
    sample s;
    bt_space space;
    uint64_t *weights;
    texts(&s, 4, names, counts);
    give_tree(&s);
    assert_ok(from_text(&s, "flu,1\ncancer,2\nHIV,1\n", &space, &weights, &error), &error);
    assert_ptr_equal(space.hierarchy, s.column.hierarchy);
    bt_target target;
    assert_ok(bt_target_make(&space, weights, &s.arena, &target, &error), &error);
    assert_int_equal(target.leaves, 3);
    assert_share(&target, space.code_of[0], 1, 2 + 2); /* cold is not among them */
    assert_fails(from_text(&s, "flu,1\nplague,2\n", &space, &weights, &error), BAUTA_INVALID,
                 &error, "not in the hierarchy");
    assert_null(strstr(error.message, "plague"));
    bt_arena_release(&s.arena);
    static const struct {
        const char *target, *require;
        bool holds;
    } cases[] = {
        {"uniform", "t=0.25:hierarchical", true}, /* 1/4 moves from light to grave */
        {"uniform", "t=0.2499:hierarchical", false}, {"source", "t=0:hierarchical", true},
        {"uniform", "t=1/6:ordered", true}, /* (1/8 + 1/4 + 1/8) / 3 */
        {"uniform", "t=0.1666:ordered", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        texts(&s, 4, names, counts);
        give_tree(&s);
        check_judged(&s, cases[i].target, cases[i].require, cases[i].holds);
    }
}

/* ---- targets of groups ---- */

static double group_target(bt_target_maker *maker, const bt_held *held, size_t distinct,
                           bt_arena *arena, bt_target *target)
{
    bauta_error error = {0};
    double distance = -1;
    assert_ok(bt_target_maker_group(maker, held, distinct, arena, target, &distance, &error),
              &error);
    return distance;
}

static void test_own_targets(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_target_maker maker;
    bt_target target;
    double distance;
    const bt_held held[] = {{1, 2}, {5, 1}}, alike[] = {{3, 4}};
    numbers(&s, 8, 1, 1, even);
    assert_ok(init(&maker, &s, "source", 16, true, "l=2", &error), &error);
    assert_true(maker.own);
    assert_true(group_target(&maker, held, 2, &s.arena, &target) < 1e-12);
    assert_int_equal(target.leaves, 2);
    assert_share(&target, 1, 2, 3);
    assert_fails(bt_target_maker_group(&maker, alike, 1, &s.arena, &target, &distance, &error),
                 BAUTA_NO, &error, "of a group does not satisfy 'l=2'");
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "uniform", 16, true, "l=2", &error), &error);
    group_target(&maker, held, 2, &s.arena, &target);
    assert_int_equal(target.leaves, 5); /* from the group's least to its greatest */
    assert_int_equal(target.nodes[0].least, 2);
    assert_int_equal(target.nodes[0].greatest, 6);
    release(&maker, &s);
}

/* Cutting at alpha is as near as can be; t is reached along the straight line. */
static void test_closest(void **state)
{
    (void)state;
    bauta_error error = {0};
    sample s;
    bt_target_maker maker;
    bt_target target;
    const bt_held held[] = {{0, 6}, {1, 1}, {2, 1}}, alike[] = {{3, 4}};
    numbers(&s, 4, 1, 1, even);
    assert_ok(init(&maker, &s, "closest", 16, false, "alpha=0.5", &error), &error);
    double distance = group_target(&maker, held, 3, &s.arena, &target);
    assert_true(fabs(distance - 0.25) < 0.01);
    bool holds;
    assert_ok(bt_target_judge(&maker.requirements, &target, NULL, &holds, NULL, &error), &error);
    assert_true(holds);
    distance = group_target(&maker, alike, 1, &s.arena, &target);
    assert_true(fabs(distance - 0.5) < 0.02);
    const bt_held fine[] = {{0, 1}, {1, 1}, {2, 1}};
    assert_true(group_target(&maker, fine, 3, &s.arena, &target) < 0.02);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "closest", 16, false, "t=0.25", &error), &error);
    distance = group_target(&maker, held, 3, &s.arena, &target); /* its own is 0.5 away */
    assert_in_range((int)(distance * 1000), 240, 330);
    assert_ok(bt_target_judge(&maker.requirements, &target, &maker.reference, &holds, NULL, &error),
              &error);
    assert_true(holds);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "closest", 16, false, "l=3", &error), &error);
    group_target(&maker, alike, 1, &s.arena, &target);
    assert_true(target.leaves >= 3);
    bt_target_maker_release(&maker);
    assert_ok(init(&maker, &s, "closest", 16, false, "alpha=0.2", &error), &error);
    assert_fails(bt_target_maker_group(&maker, alike, 1, &s.arena, &target, &distance, &error),
                 BAUTA_NO, &error, "no target between");
    release(&maker, &s);
    /* Only alpha cuts: what another requirement asks for is between the group and the table. */
    const uint32_t skewed[] = {15, 1};
    const bt_held first[] = {{0, 4}};
    numbers(&s, 2, 1, 1, skewed);
    assert_ok(init(&maker, &s, "closest", 16, false, "entropy-l=1.5", &error), &error);
    assert_fails(bt_target_maker_group(&maker, first, 1, &s.arena, &target, &distance, &error),
                 BAUTA_NO, &error, "no target between");
    release(&maker, &s);
    /* Nothing is to be cut, and there would be nowhere to put it: no record has the third value. */
    const uint32_t halves[] = {4, 4, 0};
    const bt_held both[] = {{0, 1}, {1, 1}};
    numbers(&s, 3, 1, 1, halves);
    assert_ok(init(&maker, &s, "closest", 16, false, "alpha=0.5", &error), &error);
    assert_true(group_target(&maker, both, 2, &s.arena, &target) < 1e-12);
    assert_share(&target, 0, 1, 2);
    assert_share(&target, 1, 1, 2);
    release(&maker, &s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tree),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_rounding_is_best),
        cmocka_unit_test(test_shares_of_deep_trees),
        cmocka_unit_test(test_hostile_shapes),
        cmocka_unit_test(test_file),
        cmocka_unit_test(test_space_refusals),
        cmocka_unit_test(test_text_space),
        cmocka_unit_test(test_wanted),
        cmocka_unit_test(test_shared_targets),
        cmocka_unit_test(test_requirements),
        cmocka_unit_test(test_refused_requirements),
        cmocka_unit_test(test_zero_probability),
        cmocka_unit_test(test_given_tree),
        cmocka_unit_test(test_own_targets),
        cmocka_unit_test(test_closest),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
