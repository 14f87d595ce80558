/* SPDX-License-Identifier: Apache-2.0
 *
 * The bounds that the audit judges chance by, against exact probabilities.
 */
#include "../support.h"

#include "audit/chance.h"

#include <math.h>

/* Probabilities of 0 to `count` successes of independent trials. */
static void add_trial(double *chance, size_t count, double p)
{
    for (size_t i = count + 1; i-- > 0;)
        chance[i] = chance[i] * (1 - p) + (i > 0 ? chance[i - 1] * p : 0);
}

/* Beyond what the bound says lies no more than the chance that it was asked for, on either side. */
static void sums_keep_within_their_reach(void **state)
{
    (void)state;
    enum { TRIALS = 200, CASES = 60 };
    uint64_t random = 4;
    for (size_t i = 0; i < CASES; i++) {
        double chance[TRIALS + 1] = {1};
        bt_sum sum = {.most = 1};
        uint64_t bottom = 1 + test_below(&random, 50);
        for (size_t t = 0; t < TRIALS; t++) {
            double p = (double)test_below(&random, 100) / (100.0 * (double)bottom);
            add_trial(chance, t + 1, p);
            sum.mean += p;
            sum.variance += p * (1 - p);
        }
        for (double alarm = 1; alarm < 30; alarm *= 2) {
            double reach = bt_sum_reach(&sum, alarm), above = 0, below = 0;
            for (size_t k = 0; k <= TRIALS; k++) {
                if ((double)k > sum.mean + reach) above += chance[k];
                if ((double)k < sum.mean - reach) below += chance[k];
            }
            assert_true(above <= exp(-alarm) && below <= exp(-alarm));
        }
    }
}

/* The bound is not so wide that nothing would ever be beyond it. */
static void the_reach_is_that_of_bernstein(void **state)
{
    (void)state;
    const bt_sum sum = {.mean = 0, .variance = 5000, .most = 1};
    double reach = bt_sum_reach(&sum, 20);
    assert_true(fabs(reach * reach / (2 * (sum.variance + reach / 3)) - 20) < 1e-3);
    assert_true(reach < 7 * sqrt(sum.variance));
}

/* ---- products ---- */

static void logarithms_are_bounded(void **state)
{
    (void)state;
    for (double x = 1e-6; x < 1e6; x *= 1.5) {
        assert_true(bt_beyond_log(x) <= x - log1p(x) + 1e-15 * x);
        if (x < 1) assert_true(bt_beyond_log(x) > 0.9 * (x - log1p(x)));
    }
    const double logs[] = {log(1), log(2), log(6)}, far[] = {1000, 1001};
    assert_true(fabs(bt_average_logs(logs, 3) - log(3)) < 1e-12);
    assert_true(fabs(bt_average_logs(far, 2) - 1001 - log((1 + exp(-1)) / 2)) < 1e-9);
}

/* A small table of two columns, of which one is drawn anew for each record, from its own values.
 * What a record becomes is known exactly, and so is the mean of the product that drawing.c looks
 * at, which must not exceed its bound. */
enum { TABLE = 5, SIDE = 3, CELLS = SIDE * SIDE };

static double chance_to_become(const unsigned *cells, unsigned record, unsigned cell, double first)
{
    unsigned column[2][SIDE] = {{0}};
    for (unsigned r = 0; r < TABLE; r++) {
        column[0][cells[r] / SIDE]++;
        column[1][cells[r] % SIDE]++;
    }
    bool same[] = {cells[record] / SIDE == cell / SIDE, cells[record] % SIDE == cell % SIDE};
    return (same[1] ? first * column[0][cell / SIDE] / TABLE : 0) +
           (same[0] ? (1 - first) * column[1][cell % SIDE] / TABLE : 0);
}

static void products_have_no_greater_mean(void **state)
{
    (void)state;
    uint64_t random = 9;
    for (int trial = 0; trial < 3000; trial++) {
        unsigned cells[TABLE], held[CELLS] = {0}, value;
        double first = (double)(1 + test_below(&random, 9)) / 10, expected[CELLS] = {0}, h[CELLS];
        double cap = (double)(1 + test_below(&random, 4)), t = 1 / (double)(1 + trial % 7);
        double bound = 0, mean = 0;
        for (unsigned r = 0; r < TABLE; r++)
            held[cells[r] = (unsigned)test_below(&random, CELLS)]++;
        value = cells[0] / SIDE; /* in the first column */
        for (unsigned c = 0; c < CELLS; c++)
            for (unsigned r = 0; r < TABLE; r++)
                expected[c] += chance_to_become(cells, r, c, first);
        for (unsigned c = 0; c < CELLS; c++) {
            h[c] = held[c] ? fmin(held[c] / expected[c], cap) : 0;
            if (c / SIDE == value) bound += t * expected[c] * h[c];
        }
        for (unsigned r = 0; r < TABLE; r++) {
            double all = 1, kept = 0;
            for (unsigned c = value * SIDE; c < (value + 1) * SIDE; c++) {
                all += t * chance_to_become(cells, r, c, first) * h[c];
                if (cells[r] / SIDE == value) kept += chance_to_become(cells, r, c, first) * h[c];
            }
            mean += log(all);
            bound -= bt_beyond_log(t * kept);
        }
        assert_true(mean <= bound + 1e-12);
    }
}

/* ---- counts that repeat ---- */

enum { RECORDS = 6, VALUES = 3 };

static double choose(unsigned n, unsigned k)
{
    double ways = 1;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

/* The chance that a draw of `drawn` values has each list of counts, at most. */
static double likeliest_list(const int64_t *held, unsigned drawn)
{
    double most = 0;
    for (unsigned a = 0; a <= drawn; a++)
        for (unsigned b = 0; a + b <= drawn; b++) {
            unsigned c = drawn - a - b;
            double chance = choose(drawn, a) * choose(drawn - a, b) *
                            pow((double)held[0] / RECORDS, a) * pow((double)held[1] / RECORDS, b) *
                            pow((double)held[2] / RECORDS, c);
            if (chance > most) most = chance;
        }
    return most;
}

/* All records are drawn, so that it is certain how many are. */
static void no_list_is_likelier_than_said(void **state)
{
    (void)state;
    static const int64_t lists[][VALUES] = {{2, 2, 2}, {4, 1, 1}, {1, 3, 2}, {3, 3, 0}};
    for (size_t i = 0; i < 4; i++) {
        int64_t held[VALUES];
        for (unsigned times = 1; times <= 40; times *= 2) {
            for (size_t v = 0; v < VALUES; v++)
                held[v] = lists[i][v] * times;
            bt_counts bound = bt_counts_bound(held, VALUES, 1, 0);
            double exact = log(likeliest_list(lists[i], RECORDS * times));
            assert_true(bound.likeliest >= exact - 1e-9);
            assert_true(bound.likeliest <= fmin(exact + 0.6, 0) + 1e-9);
            assert_int_equal(bound.free, i == 3 ? 1 : 2);
        }
    }
}

/* Lists of `free` whole numbers whose absolute values add up to at most `distance`. */
static size_t count_lists(size_t free, int64_t distance)
{
    size_t count = 0;
    if (free == 0) return 1;
    for (int64_t first = -distance; first <= distance; first++)
        count += count_lists(free - 1, distance - (first < 0 ? -first : first));
    return count;
}

static void near_lists_are_counted(void **state)
{
    (void)state;
    for (size_t free = 0; free <= 4; free++)
        for (int64_t distance = 0; distance <= 6; distance++) {
            const bt_counts counts = {.likeliest = -3, .free = free};
            double exact = log((double)count_lists(free, distance)) - 3;
            assert_true(fabs(bt_counts_near(&counts, distance) - exact) < 1e-9);
        }
}

/* Half of one in a billion, over all families and tests. */
static void the_budget_is_shared_out(void **state)
{
    (void)state;
    assert_true(fabs(BT_DRAWING_FAMILIES * 7 * exp(-bt_alarm_log(7)) - 0.5e-9) < 1e-15);
}

/* Of a hundred tosses fifty: the bound is hardly above the true probability. */
static void the_likeliest_counts_are_hardly_overrated(void **state)
{
    (void)state;
    static const int64_t held[] = {50, 50};
    bt_counts found = bt_counts_bound(held, 2, 1, 0);
    double exact = lgamma(101) - 2 * lgamma(51) - 100 * log(2);
    assert_true(found.likeliest >= exact && found.likeliest < exact + 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_keep_within_their_reach),
        cmocka_unit_test(the_reach_is_that_of_bernstein),
        cmocka_unit_test(logarithms_are_bounded),
        cmocka_unit_test(products_have_no_greater_mean),
        cmocka_unit_test(no_list_is_likelier_than_said),
        cmocka_unit_test(near_lists_are_counted),
        cmocka_unit_test(the_budget_is_shared_out),
        cmocka_unit_test(the_likeliest_counts_are_hardly_overrated),
    };
    return cmocka_run_group_tests_name("chance", tests, NULL, NULL);
}
