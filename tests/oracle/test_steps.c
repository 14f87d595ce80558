/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows in step: the bounds on what chance brings about, against all orders of small tables; and
 * tables that stand in step, side by side or with rows left out, against shuffled ones.
 */
#include "support.h"

#include "audit/step.h"

#include <math.h>

/* ---- bounds ---- */

enum { SMALL = 7 };

/* Counts the orders of m rows in which so many fit: counts[x]. */
static void all_orders(const bool fits[SMALL][SMALL], int m, int row, unsigned used, int hits,
                       double counts[SMALL + 1])
{
    if (row == m) counts[hits]++;
    for (int j = 0; row < m && j < m; j++)
        if (!(used >> j & 1))
            all_orders(fits, m, row + 1, used | 1U << j, hits + fits[row][j], counts);
}

static void nothing_is_likelier_than_its_bound(void **state)
{
    (void)state;
    uint64_t random = 3;
    for (int trial = 0; trial < 400; trial++) {
        int m = 2 + (int)test_below(&random, SMALL - 1), blocks = 1 + (int)test_below(&random, 4);
        int tried = trial % 3 ? m : 1 + (int)test_below(&random, (uint64_t)m);
        bool fits[SMALL][SMALL];
        double counts[SMALL + 1] = {0}, orders = 0, mean = 0, tail = 0;
        for (int i = 0; i < m; i++)
            for (int j = 0; j < m; j++) {
                fits[i][j] = trial % 2 ? i % blocks == j % blocks : test_below(&random, 3) == 0;
                fits[i][j] &= i < tried; /* the others are not looked at */
                mean += fits[i][j];
            }
        mean /= m;
        all_orders(fits, m, 0, 0, 0, counts);
        for (int x = 0; x <= m; x++)
            orders += counts[x];
        for (int x = m; x >= 0; x--) {
            tail += counts[x];
            if (tail == 0) continue;
            double chance = log(tail / orders);
            if (chance > bt_steps_chance(x, mean, tried, m) + 1e-9)
                fail_msg("%d rows, %d hits: %f", m, x, chance);
        }
    }
}

/* ---- tables ---- */

typedef struct world {
    uint32_t *kind_of[2];
    int64_t rows[2];
    uint32_t kinds;
} world;

static void shuffle(uint32_t *rows, int64_t count, uint64_t *random)
{
    for (int64_t i = count - 1; i > 0; i--) {
        int64_t j = (int64_t)test_below(random, (uint64_t)i + 1);
        uint32_t kept = rows[i];
        rows[i] = rows[j];
        rows[j] = kept;
    }
}

/* Two tables of the same records in one order; each leaves out some of its own, one in `leave`. */
static world make_world(int64_t records, uint32_t kinds, uint64_t leave, uint64_t *random)
{
    world w = {.kinds = kinds};
    uint32_t *kind_of = malloc((size_t)records * sizeof *kind_of);
    for (int64_t i = 0; i < records; i++)
        kind_of[i] = (uint32_t)test_below(random, kinds);
    for (int t = 0; t < 2; t++) {
        w.kind_of[t] = malloc((size_t)records * sizeof *w.kind_of[t]);
        for (int64_t i = 0; i < records; i++)
            if (leave == 0 || test_below(random, leave) > 0) w.kind_of[t][w.rows[t]++] = kind_of[i];
    }
    free(kind_of);
    return w;
}

/* Kind i of the one fits kinds i and i + 1 of the other. */
static bt_steps find_steps(const world *w, bool swapped)
{
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    bauta_error error;
    bt_steps steps;
    uint32_t *pairs[2] = {malloc(2 * w->kinds * sizeof **pairs),
                          malloc(2 * w->kinds * sizeof **pairs)};
    for (uint32_t i = 0; i < 2 * w->kinds; i++) {
        pairs[swapped][i] = i / 2;
        pairs[!swapped][i] = (i / 2 + i % 2) % w->kinds;
    }
    const bt_step_table tables[2] = {{w->rows[swapped], w->kind_of[swapped], w->kinds},
                                     {w->rows[!swapped], w->kind_of[!swapped], w->kinds}};
    const bt_step_pairs fitting = {{pairs[0], pairs[1]}, 2 * w->kinds, false};
    assert_ok(bt_pool_new(2, &run.pool, &error), &error);
    assert_ok(bt_steps_find(tables, &fitting, &run, &steps, &error), &error);
    bt_pool_free(run.pool);
    free(pairs[0]);
    free(pairs[1]);
    return steps;
}

static void free_world(world *w)
{
    free(w->kind_of[0]);
    free(w->kind_of[1]);
}

static void rows_in_step_are_found(void **state)
{
    (void)state;
    uint64_t random = 17;
    static const struct {
        int64_t records;
        uint32_t kinds;
        uint64_t leave;
    } tries[] = {{40, 40, 0}, {300, 20, 0}, {300, 100, 50}, {3000, 30, 100}, {20000, 500, 20}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            world w = make_world(tries[i].records, tries[i].kinds, tries[i].leave, &random);
            bt_steps steps = find_steps(&w, swapped);
            assert_true(steps.told);
            assert_true(steps.in_step);
            if (tries[i].leave == 0) assert_int_equal(steps.hits, tries[i].records);
            shuffle(w.kind_of[1], w.rows[1], &random);
            steps = find_steps(&w, swapped);
            assert_true(steps.told);
            assert_false(steps.in_step);
            free_world(&w);
        }
}

/* By nature of the bound this fails once in a billion runs. */
static void shuffled_rows_are_not(void **state)
{
    (void)state;
    uint64_t random = 99;
    for (int trial = 0; trial < 200; trial++) {
        world w =
            make_world(30 + (int64_t)test_below(&random, 200),
                       2 + (uint32_t)test_below(&random, 60), test_below(&random, 9), &random);
        shuffle(w.kind_of[trial % 2], w.rows[trial % 2], &random);
        bt_steps steps = find_steps(&w, false);
        assert_false(steps.in_step);
        free_world(&w);
    }
}

static void small_or_coarse_tables_do_not_tell(void **state)
{
    (void)state;
    uint64_t random = 5;
    world small = make_world(9, 9, 0, &random), coarse = make_world(2000, 2, 0, &random);
    assert_false(find_steps(&small, false).told);
    assert_false(find_steps(&coarse, false).told); /* every row fits every other */
    small.rows[0] = 0;
    assert_false(find_steps(&small, false).told);
    free_world(&small);
    free_world(&coarse);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_likelier_than_its_bound),
        cmocka_unit_test(rows_in_step_are_found),
        cmocka_unit_test(shuffled_rows_are_not),
        cmocka_unit_test(small_or_coarse_tables_do_not_tell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
