/* SPDX-License-Identifier: Apache-2.0
 *
 * Supports in randomized tables: expectation and variance against every table that can come out,
 * against the corrected equations 10 and 11 of paper 4, and against what many drawings give.
 */
#include "../release_files.h"

#include "measure/associations.h"
#include "publish/redraw.h"

#include <math.h>

enum { COLUMNS_MOST = 3, ROWS_MOST = 4, CODES = 3 };

typedef struct tiny {
    size_t columns;
    int64_t rows;
    uint8_t cells[COLUMNS_MOST][400];
    bt_mechanism mechanism;
    bt_arena arena;
} tiny;

static double share_of(const tiny *t, size_t column, uint32_t code)
{
    double count = 0;
    for (int64_t row = 0; row < t->rows; row++)
        count += t->cells[column][row] == code;
    return count / (double)t->rows;
}

typedef struct combination {
    size_t count, columns[COLUMNS_MOST];
    uint32_t codes[COLUMNS_MOST];
    double chance[COLUMNS_MOST];
} combination;

static uint32_t differences(const tiny *t, const combination *q, int64_t row)
{
    uint32_t differs = 0;
    for (size_t i = 0; i < q->count; i++)
        differs |= (uint32_t)(t->cells[q->columns[i]][row] != q->codes[i]) << i;
    return differs;
}

/* Expectation and variance of the number of rows with q, as supports.c has them. */
static void predict(const tiny *t, const combination *q, double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int64_t row = 0; row < t->rows; row++) {
        double chance =
            bt_becomes(&t->mechanism, q->columns, q->chance, q->count, differences(t, q, row));
        *mean += chance;
        *variance += chance * (1 - chance);
    }
}

/* ---- every table that can come out ---- */

/* What a record may become: rows of codes, and the probability of each. */
typedef struct outcomes {
    size_t count;
    uint8_t cells[64][COLUMNS_MOST];
    double chance[64];
} outcomes;

static void list_outcomes(const tiny *t, int64_t row, outcomes *to)
{
    double sets = 0;
    to->count = 0;
    for (uint32_t set = 0; set < 1u << t->columns; set++)
        sets += (uint32_t)__builtin_popcount(set) == t->mechanism.lambda;
    size_t all = 1;
    for (size_t c = 0; c < t->columns; c++)
        all *= CODES;
    for (size_t number = 0; number < all; number++) {
        uint8_t cells[COLUMNS_MOST];
        double sum = 0;
        size_t rest = number;
        for (size_t c = 0; c < t->columns; c++, rest /= CODES)
            cells[c] = (uint8_t)(rest % CODES);
        for (uint32_t set = 0; set < 1u << t->columns; set++) {
            if ((uint32_t)__builtin_popcount(set) != t->mechanism.lambda) continue;
            double product = t->mechanism.lambda > 1 ? 1 / sets : 1;
            for (size_t c = 0; c < t->columns; c++) {
                bool drawn = set >> c & 1;
                if (drawn) product *= share_of(t, c, cells[c]);
                if (drawn && t->mechanism.lambda == 1)
                    product *= bt_rational_double(t->mechanism.redrawn[c]);
                if (!drawn && cells[c] != t->cells[c][row]) product = 0;
            }
            sum += product;
        }
        if (sum == 0) continue;
        memcpy(to->cells[to->count], cells, sizeof cells);
        to->chance[to->count++] = sum;
    }
}

/* Sums over all tables: a number for each record, like a counter that turns. */
static void enumerate(const tiny *t, const combination *q, double *mean, double *variance)
{
    static outcomes lists[ROWS_MOST];
    size_t at[ROWS_MOST] = {0};
    double squares = 0, total = 0;
    *mean = 0;
    for (int64_t row = 0; row < t->rows; row++)
        list_outcomes(t, row, &lists[row]);
    for (int64_t turned = 0; turned < t->rows;) {
        double chance = 1, count = 0;
        for (int64_t row = 0; row < t->rows; row++) {
            bool has = true;
            chance *= lists[row].chance[at[row]];
            for (size_t i = 0; i < q->count; i++)
                has &= lists[row].cells[at[row]][q->columns[i]] == q->codes[i];
            count += has;
        }
        total += chance;
        *mean += chance * count;
        squares += chance * count * count;
        for (turned = 0; turned < t->rows && ++at[turned] == lists[turned].count; turned++)
            at[turned] = 0;
    }
    assert_true(fabs(total - 1) < 1e-9);
    *variance = squares - *mean * *mean;
}

static void draw_tiny(tiny *t, uint64_t *random, bool uniform)
{
    bt_rational redrawn[COLUMNS_MOST];
    bauta_error error;
    t->columns = 2 + (size_t)test_below(random, 2);
    t->rows = 2 + (int64_t)test_below(random, t->columns == 3 ? 2 : 3);
    uint32_t lambda = uniform ? 1 : 1 + (uint32_t)test_below(random, t->columns);
    int64_t left = 12;
    for (size_t c = 0; c < t->columns; c++) {
        redrawn[c] = bt_rational_reduce((bt_rational){lambda, (int64_t)t->columns});
        if (lambda > 1 || uniform) continue;
        int64_t part = c + 1 == t->columns ? left : 1 + (int64_t)test_below(random, 4);
        left -= part;
        redrawn[c] = bt_rational_reduce((bt_rational){part, 12});
    }
    assert_ok(bt_mechanism_make(lambda, redrawn, t->columns, &t->arena, &t->mechanism, &error),
              &error);
    for (size_t c = 0; c < t->columns; c++)
        for (int64_t row = 0; row < t->rows; row++)
            t->cells[c][row] = (uint8_t)test_below(random, CODES);
}

/* The values of the first record in some columns. */
static void choose(const tiny *t, uint32_t set, combination *q)
{
    q->count = 0;
    for (size_t c = 0; c < t->columns; c++) {
        if (!(set >> c & 1)) continue;
        q->columns[q->count] = c;
        q->codes[q->count] = t->cells[c][0];
        q->chance[q->count++] = share_of(t, c, t->cells[c][0]);
    }
}

static void as_every_table_says(void **state)
{
    (void)state;
    static tiny t;
    uint64_t random = 21;
    for (int round = 0; round < 60; round++) {
        draw_tiny(&t, &random, false);
        for (uint32_t set = 1; set < 1u << t.columns; set++) {
            combination q;
            double mean, variance, true_mean, true_variance;
            choose(&t, set, &q);
            predict(&t, &q, &mean, &variance);
            enumerate(&t, &q, &true_mean, &true_variance);
            assert_true(fabs(mean - true_mean) < 1e-9);
            assert_true(fabs(variance - true_variance) < 1e-9);
            double count = 0; /* a single column is unbiased for every m and p */
            for (int64_t row = 0; row < t.rows; row++)
                count += differences(&t, &q, row) == 0;
            if (q.count == 1) assert_true(fabs(mean - count) < 1e-9);
        }
        bt_arena_release(&t.arena);
    }
}

/* ---- the paper's equations, corrected ---- */

static double support(const tiny *t, const combination *q, uint32_t but)
{
    double count = 0;
    for (int64_t row = 0; row < t->rows; row++)
        count += (differences(t, q, row) & ~but) == 0;
    return count / (double)t->rows;
}

/* lambda = 1: E R(q) = sum of p_i (1/lift_i - 1), (10) with p_i in place of 1/m; Var R(q) = [supp
 * pi0 (1 - pi0) + sum of (supp(q - q_i) - supp) x_i (1 - x_i)] / (n supp^2), in place of (11). */
static void equations_10_and_11_corrected(void **state)
{
    (void)state;
    static tiny t;
    uint64_t random = 5;
    for (int round = 0; round < 400; round++) {
        draw_tiny(&t, &random, round % 2);
        for (uint32_t set = 1; set < 1u << t.columns && t.mechanism.lambda == 1; set++) {
            combination q;
            double mean, variance, bias = 0, stays = 1, sum = 0;
            choose(&t, set, &q);
            predict(&t, &q, &mean, &variance);
            double here = support(&t, &q, 0), n = (double)t.rows;
            for (size_t i = 0; i < q.count; i++) {
                double p = bt_rational_double(t.mechanism.redrawn[q.columns[i]]);
                double without = support(&t, &q, 1u << i), x = p * q.chance[i];
                bias += p * (without * q.chance[i] / here - 1); /* 1 / lift */
                stays -= p * (1 - q.chance[i]);
                sum += (without - here) * x * (1 - x);
            }
            sum += here * stays * (1 - stays);
            assert_true(fabs((mean / n - here) / here - bias) < 1e-9);
            assert_true(fabs(variance / (n * n * here * here) - sum / (n * here * here)) < 1e-9);
        }
        bt_arena_release(&t.arena);
    }
}

/* ---- many drawings ---- */

/* Mean and variance of the support of the first record's values, over 2,000 seeds. The mean must be
 * within 4.5 of its standard errors, the variance within 15 %. */
static void check_drawings(tiny *t, const combination *q)
{
    enum { SEEDS = 2000 };
    static uint8_t drawn[COLUMNS_MOST][400];
    static const uint64_t none[8];
    bt_column from[COLUMNS_MOST], to[COLUMNS_MOST];
    const bt_column *before[COLUMNS_MOST];
    bt_column *after[COLUMNS_MOST];
    double mean, variance, sum = 0, squares = 0;
    bt_run run;
    bauta_error error;
    test_run_open(&run, 1);
    for (size_t c = 0; c < t->columns; c++) {
        from[c] = to[c] = (bt_column){.domain = {.size = CODES}, .width = 1};
        from[c].codes = t->cells[c];
        to[c].codes = drawn[c];
        before[c] = &from[c];
        after[c] = &to[c];
    }
    for (int seed = 0; seed < SEEDS; seed++) {
        char text[16];
        double count = 0;
        snprintf(text, sizeof text, "%x", seed + 1);
        assert_true(bt_seed_parse(text, &run.seed));
        assert_ok(bt_redraw(&t->mechanism, before, after, t->rows, none, &run, &error), &error);
        for (int64_t row = 0; row < t->rows; row++) {
            bool has = true;
            for (size_t i = 0; i < q->count; i++)
                has &= drawn[q->columns[i]][row] == q->codes[i];
            count += has;
        }
        sum += count;
        squares += count * count;
    }
    predict(t, q, &mean, &variance);
    double seen = sum / SEEDS, spread = squares / SEEDS - seen * seen;
    assert_true(variance > 1);
    assert_true(fabs(seen - mean) < 4.5 * sqrt(variance / SEEDS));
    assert_true(fabs(spread / variance - 1) < 0.15);
    bt_pool_free(run.pool);
}

static void as_many_drawings_say(void **state)
{
    (void)state;
    static tiny t;
    static const bt_rational shares[3][3] = {
        {{1, 2}, {3, 10}, {1, 5}}, {{2, 3}, {2, 3}, {2, 3}}, {{1, 1}, {1, 1}, {1, 1}}};
    bauta_error error;
    uint64_t random = 1;
    t = (tiny){.columns = 3, .rows = 400};
    for (int64_t row = 0; row < t.rows; row++) {
        uint64_t kind = test_below(&random, CODES);
        for (size_t c = 0; c < 3; c++)
            t.cells[c][row] =
                test_below(&random, 2) ? (uint8_t)kind : (uint8_t)test_below(&random, CODES);
    }
    for (uint32_t lambda = 1; lambda <= 3; lambda++) {
        assert_ok(bt_mechanism_make(lambda, shares[lambda - 1], 3, &t.arena, &t.mechanism, &error),
                  &error);
        for (uint32_t set = 1; set < 8; set += 2) {
            combination q;
            choose(&t, set, &q);
            check_drawings(&t, &q);
        }
    }
    bt_arena_release(&t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_every_table_says),
        cmocka_unit_test(equations_10_and_11_corrected),
        cmocka_unit_test(as_many_drawings_say),
    };
    return cmocka_run_group_tests_name("supports", tests, NULL, NULL);
}
