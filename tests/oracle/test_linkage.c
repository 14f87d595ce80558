/* SPDX-License-Identifier: Apache-2.0
 *
 * Linkage and posteriors against their definitions, all pairs of records and rows compared; and
 * the numbers of paper 4: Figures 1 to 5.
 */
#include "../release_files.h"

#include "class/diversity.h"
#include "class/linkage.h"

#include <math.h>

enum { COLUMNS_MOST = 5, ROWS_MOST = 40, CODES = 4 };

typedef struct world {
    size_t columns;
    int64_t rows;
    uint8_t before[COLUMNS_MOST][ROWS_MOST], after[COLUMNS_MOST][ROWS_MOST];
    double chance[COLUMNS_MOST][16];
    bt_codes records[COLUMNS_MOST], published[COLUMNS_MOST];
    double *chances[COLUMNS_MOST];
    bt_mechanism mechanism;
    bt_arena arena;
    bt_run run;
} world;

static void finish(world *w)
{
    for (size_t c = 0; c < w->columns; c++) {
        memset(w->chance[c], 0, sizeof w->chance[c]);
        for (int64_t row = 0; row < w->rows; row++)
            w->chance[c][w->before[c][row]] += 1.0 / (double)w->rows;
        w->chances[c] = w->chance[c];
        w->records[c] = (bt_codes){w->before[c], 1, 16};
        w->published[c] = (bt_codes){w->after[c], 1, 16};
    }
}

static bt_linkage_job job_of(const world *w)
{
    return (bt_linkage_job){.mechanism = &w->mechanism,
                            .records = w->records,
                            .rows = w->published,
                            .record_count = w->rows,
                            .row_count = w->rows,
                            .chance = w->chances,
                            .run = &w->run};
}

/* The definition: a sum over all sets of lambda columns. */
static double naive_transition(const world *w, const uint8_t *was, const uint8_t *is)
{
    double sum = 0, sets = 0;
    for (uint32_t set = 0; set < 1u << w->columns; set++) {
        if ((uint32_t)__builtin_popcount(set) != w->mechanism.lambda) continue;
        double product = 1;
        sets++;
        for (size_t c = 0; c < w->columns; c++) {
            if (set >> c & 1)
                product *= w->chance[c][is[c]];
            else if (was[c] != is[c])
                product = 0;
            if (w->mechanism.lambda == 1 && set >> c & 1)
                product *= bt_rational_double(w->mechanism.redrawn[c]);
        }
        sum += product;
    }
    return w->mechanism.lambda == 1 ? sum : sum / sets;
}

static void all_pairs(const world *w, double (*pairs)[ROWS_MOST])
{
    for (int64_t i = 0; i < w->rows; i++)
        for (int64_t j = 0; j < w->rows; j++) {
            uint8_t was[COLUMNS_MOST], is[COLUMNS_MOST];
            for (size_t c = 0; c < w->columns; c++) {
                was[c] = w->before[c][i];
                is[c] = w->after[c][j];
            }
            pairs[i][j] = naive_transition(w, was, is);
        }
}

/* The share of persons whose own row has the highest score, ties counted in equal parts. */
static double naive_rate(const world *w, double (*score)[ROWS_MOST])
{
    double rate = 0;
    for (int64_t i = 0; i < w->rows; i++) {
        double best = 0, ties = 0;
        for (int64_t j = 0; j < w->rows; j++)
            if (score[i][j] > best) best = score[i][j];
        for (int64_t j = 0; j < w->rows; j++)
            ties += score[i][j] >= best * (1 - 1e-9);
        if (score[i][i] >= best * (1 - 1e-9)) rate += 1 / ties;
    }
    return rate / (double)w->rows;
}

static void check_linkage(const world *w, double (*pairs)[ROWS_MOST])
{
    static double weighed[ROWS_MOST][ROWS_MOST];
    bt_linkage_job job = job_of(w);
    bt_linkage found;
    bauta_error error;
    double own = 0;
    assert_ok(bt_linkage_find(&job, &found, &error), &error);
    for (int64_t i = 0; i < w->rows; i++) {
        double sum = 0, column = 0;
        for (int64_t j = 0; j < w->rows; j++)
            sum += pairs[i][j];
        own += pairs[i][i] / sum / (double)w->rows;
        for (int64_t j = 0; j < w->rows; j++)
            column += pairs[j][i];
        for (int64_t j = 0; j < w->rows; j++)
            weighed[j][i] = pairs[j][i] / column;
    }
    assert_int_equal(found.looked_at, w->rows);
    assert_true(fabs(found.rate - naive_rate(w, pairs)) < 1e-9);
    assert_true(fabs(found.own - own) < 1e-9);
    assert_true(found.all_known);
    assert_true(fabs(found.all_rate - naive_rate(w, weighed)) < 1e-9);
}

static bool is_same(const world *w, int64_t i, int64_t j)
{
    for (size_t c = 0; c < w->columns; c++)
        if (w->before[c][i] != w->before[c][j]) return false;
    return true;
}

static void check_posterior(const world *w, double (*pairs)[ROWS_MOST])
{
    bt_linkage_job job = job_of(w);
    bt_posterior found;
    bauta_error error;
    double worst = 0, mean = 0, excluded = 0;
    assert_ok(bt_posterior_find(&job, &found, &error), &error);
    for (int64_t j = 0; j < w->rows; j++) {
        double sum = 0, top = 0;
        for (int64_t i = 0; i < w->rows; i++) {
            double alike = 0;
            for (int64_t other = 0; other < w->rows; other++)
                if (is_same(w, i, other)) alike += pairs[other][j];
            sum += pairs[i][j];
            excluded += (pairs[i][j] == 0) / (double)(w->rows * w->rows);
            if (alike > top) top = alike;
        }
        mean += top / sum / (double)w->rows;
        if (top / sum > worst) worst = top / sum;
        for (int64_t i = 0; i < w->rows; i++) /* at most so amplifying */
            for (int64_t other = 0; other < w->rows; other++)
                if (pairs[other][j] > 0)
                    assert_true(pairs[i][j] / pairs[other][j] <= found.amplification * (1 + 1e-9));
    }
    assert_int_equal(found.looked_at, w->rows);
    assert_true(fabs(found.worst - worst) < 1e-9);
    assert_true(fabs(found.mean - mean) < 1e-9);
    assert_true(fabs(found.excluded - excluded) < 1e-9);
}

static void draw_world(world *w, uint64_t *random)
{
    bt_rational redrawn[COLUMNS_MOST];
    bauta_error error;
    w->columns = 1 + (size_t)test_below(random, COLUMNS_MOST);
    w->rows = 2 + (int64_t)test_below(random, ROWS_MOST - 2);
    uint32_t lambda = 1 + (uint32_t)test_below(random, w->columns);
    int64_t left = 1000;
    for (size_t c = 0; c < w->columns; c++) {
        redrawn[c] = bt_rational_reduce((bt_rational){lambda, (int64_t)w->columns});
        if (lambda > 1 || w->columns == 1) continue;
        int64_t part = c + 1 == w->columns ? left : 1 + (int64_t)test_below(random, 200);
        left -= part;
        redrawn[c] = bt_rational_reduce((bt_rational){part, 1000});
    }
    assert_ok(bt_mechanism_make(lambda, redrawn, w->columns, &w->arena, &w->mechanism, &error),
              &error);
    for (int64_t row = 0; row < w->rows; row++) {
        for (size_t c = 0; c < w->columns; c++)
            w->after[c][row] = w->before[c][row] = (uint8_t)test_below(random, CODES);
    }
    for (int64_t row = 0; row < w->rows; row++)
        for (uint32_t n = 0; n < lambda; n++) {
            size_t c = (size_t)test_below(random, w->columns);
            w->after[c][row] = w->before[c][test_below(random, (uint64_t)w->rows)];
        }
    finish(w);
}

static void as_all_pairs_say(void **state)
{
    (void)state;
    static world w;
    static double pairs[ROWS_MOST][ROWS_MOST];
    uint64_t random = 3;
    for (int round = 0; round < 400; round++) {
        test_run_open(&w.run, 1 + (unsigned)round % 2);
        draw_world(&w, &random);
        all_pairs(&w, pairs);
        check_linkage(&w, pairs);
        check_posterior(&w, pairs);
        bt_pool_free(w.run.pool);
        bt_arena_release(&w.arena);
    }
}

static void too_many_sets_are_refused(void **state)
{
    (void)state;
    bt_rational redrawn[24];
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bauta_error error;
    for (size_t c = 0; c < 24; c++)
        redrawn[c] = (bt_rational){1, 2};
    assert_ok(bt_mechanism_make(12, redrawn, 24, &arena, &mechanism, &error), &error);
    assert_false(bt_linkage_feasible(&mechanism, 1));
    bt_linkage_job job = {.mechanism = &mechanism};
    bt_posterior found;
    assert_fails(bt_posterior_find(&job, &found, &error), BAUTA_INVALID, &error, "too many sets");
    bt_arena_release(&arena);
}

/* ---- paper 4 ---- */

/* Ages 20-30 … 60-70 are 2 … 6; Doctor, Clerk, Trader, Engineer, Banker; USA, Germany, UK, India.
 */
static const uint8_t figure_1[10][3] = {{5, 0, 0}, {4, 1, 0}, {3, 1, 0}, {3, 1, 1}, {5, 2, 0},
                                        {3, 1, 2}, {5, 3, 0}, {2, 2, 2}, {6, 4, 0}, {3, 4, 3}};
static const uint8_t figure_5[10][3] = {{5, 0, 0}, {4, 1, 0}, {2, 1, 0}, {3, 1, 0}, {5, 2, 0},
                                        {4, 1, 2}, {5, 3, 1}, {2, 1, 2}, {6, 2, 0}, {3, 4, 3}};

static void open_figures(world *w)
{
    static const bt_rational third[] = {{1, 3}, {1, 3}, {1, 3}};
    bauta_error error;
    *w = (world){.columns = 3, .rows = 10};
    assert_ok(bt_mechanism_make(1, third, 3, &w->arena, &w->mechanism, &error), &error);
    for (int64_t row = 0; row < 10; row++)
        for (size_t c = 0; c < 3; c++) {
            w->before[c][row] = figure_1[row][c];
            w->after[c][row] = figure_5[row][c];
        }
    finish(w);
    test_run_open(&w->run, 1);
}

static void close_figures(world *w)
{
    bt_pool_free(w->run.pool);
    bt_arena_release(&w->arena);
}

static void distributions_and_anonymity_of_figure_5(void **state)
{
    (void)state;
    static world w;
    static const double dist[3][7] = {
        {0, 0, .1, .4, .1, .3, .1}, {.1, .4, .2, .1, .2}, {.6, .1, .2, .1}};
    double diversity[3];
    open_figures(&w);
    for (size_t c = 0; c < 3; c++) {
        int64_t held[16] = {0};
        for (size_t code = 0; code < 7; code++)
            assert_true(fabs(w.chance[c][code] - dist[c][code]) < 1e-12);
        for (int64_t row = 0; row < 10; row++)
            held[w.before[c][row]]++;
        diversity[c] = bt_diversity(held, 16);
    }
    /* 11.30 with equal probabilities; the best that there are give the sum of the diversities,
     * 11.45, whatever way they are found. */
    assert_true(fabs(bt_probabilistic_anonymity(&w.mechanism, diversity) - 11.30) < 0.005);
    double best = bt_probabilistic_anonymity_best(diversity, 3), found = 0;
    assert_true(fabs(best - 11.455) < 0.005);
    for (int64_t a = 1; a < 100; a++)
        for (int64_t b = 1; a + b < 100; b++) {
            const bt_rational shares[] = {{a, 100}, {b, 100}, {100 - a - b, 100}};
            bt_mechanism mechanism;
            bauta_error error;
            assert_ok(bt_mechanism_make(1, shares, 3, &w.arena, &mechanism, &error), &error);
            double here = bt_probabilistic_anonymity(&mechanism, diversity);
            assert_true(here <= best);
            if (here > found) found = here;
        }
    assert_true(best - found < 0.01);
    close_figures(&w);
}

static double diversity_of(const int64_t *counts, uint32_t values)
{
    return bt_diversity(counts, values);
}

/* The diseases of the groups of Figures 2 to 4. */
static void diversities_of_figures_2_to_4(void **state)
{
    (void)state;
    static const int64_t first[] = {2, 2, 1}, last_of_2[] = {2, 1}, second_of_2[] = {1, 1},
                         second_of_3[] = {1, 1, 2, 1}, first_of_4[] = {1, 2, 1, 1};
    assert_true(fabs(diversity_of(first, 3) - 2.872) < 0.001); /* of all three */
    assert_true(fabs(diversity_of(second_of_2, 2) - 2) < 1e-12);
    assert_true(fabs(diversity_of(last_of_2, 2) - 1.890) < 0.001); /* "more than 66 % confidence" */
    assert_true(fabs(diversity_of(second_of_3, 4) - 3.789) < 0.001);
    assert_true(fabs(diversity_of(first_of_4, 4) - 3.789) < 0.001);
}

/* An attacker who knows a person's quasi values finds 7 of 10 rows, against the advertised 1/11;
 * one who knows those of all finds every row. */
static void linkage_of_figure_5(void **state)
{
    (void)state;
    static world w;
    bt_linkage found;
    bauta_error error;
    open_figures(&w);
    bt_linkage_job job = job_of(&w);
    assert_ok(bt_linkage_find(&job, &found, &error), &error);
    assert_true(fabs(found.rate - 0.7) < 1e-9);
    assert_true(fabs(found.own - 0.6728) < 0.0001);
    assert_true(fabs(found.all_rate - 1) < 1e-9);
    close_figures(&w);
}

/* The released (20-30, Clerk, USA): proposition 10 bounds the posterior by 1/11, section 6 by 17 %.
 * It is 50 %. */
static void posterior_of_a_row_of_figure_5(void **state)
{
    (void)state;
    static world w;
    bt_posterior found;
    bauta_error error;
    open_figures(&w);
    bt_linkage_job job = job_of(&w);
    for (size_t c = 0; c < 3; c++)
        w.after[c][0] = figure_5[2][c];
    job.row_count = 1;
    assert_ok(bt_posterior_find(&job, &found, &error), &error);
    assert_true(fabs(found.worst - 0.5) < 1e-9);
    assert_true(fabs(found.mean - 0.5) < 1e-9);
    close_figures(&w);
}

/* D = {aaa, aab, bbb}, released aba: only bbb cannot, aab cannot, so aaa it was for certain. */
static void a_posterior_of_one(void **state)
{
    (void)state;
    static world w;
    static const uint8_t table[3][3] = {{0, 0, 0}, {0, 0, 1}, {1, 1, 1}};
    static const bt_rational third[] = {{1, 3}, {1, 3}, {1, 3}};
    bt_posterior found;
    bauta_error error;
    w = (world){.columns = 3, .rows = 3};
    assert_ok(bt_mechanism_make(1, third, 3, &w.arena, &w.mechanism, &error), &error);
    for (int64_t row = 0; row < 3; row++)
        for (size_t c = 0; c < 3; c++)
            w.before[c][row] = table[row][c];
    w.after[0][0] = w.after[2][0] = 0;
    w.after[1][0] = 1;
    finish(&w);
    test_run_open(&w.run, 1);
    bt_linkage_job job = job_of(&w);
    job.row_count = 1;
    assert_ok(bt_posterior_find(&job, &found, &error), &error);
    assert_true(fabs(found.worst - 1) < 1e-9);
    assert_true(fabs(found.excluded - 2.0 / 3) < 1e-9);
    close_figures(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_all_pairs_say),
        cmocka_unit_test(too_many_sets_are_refused),
        cmocka_unit_test(distributions_and_anonymity_of_figure_5),
        cmocka_unit_test(diversities_of_figures_2_to_4),
        cmocka_unit_test(linkage_of_figure_5),
        cmocka_unit_test(posterior_of_a_row_of_figure_5),
        cmocka_unit_test(a_posterior_of_one),
    };
    return cmocka_run_group_tests_name("linkage", tests, NULL, NULL);
}
