/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates of a population: against values worked out by hand, against slow sums, and against
 * simulated populations whose uniques can be counted.
 */
#include "support.h"

#include "profile/population.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bauta_error error;
static bt_run run;

static int open_run(void **state)
{
    (void)state;
    run = (bt_run){.memory = 1 << 20, .tmp = "/tmp"};
    if (bt_seed_fresh(&run.seed, &error) != BAUTA_OK) return -1;
    return bt_pool_new(2, &run.pool, &error) == BAUTA_OK ? 0 : -1;
}

static int close_run(void **state)
{
    (void)state;
    bt_pool_free(run.pool);
    return 0;
}

static void assert_close(double value, double expected, double tolerance)
{
    if (fabs(value - expected) > tolerance)
        fail_msg("%.12g instead of %.12g (within %g)", value, expected, tolerance);
}

/* ---- counting ---- */

static bt_column column_of(uint32_t *codes, uint32_t size)
{
    return (bt_column){.domain = {.size = size}, .width = 4, .codes = codes};
}

static void sizes_are_counted(void **state)
{
    (void)state;
    uint32_t a[] = {0, 0, 1, 1, 1, 2, 3, 3}, b[] = {0, 0, 0, 0, 1, 1, 1, 1};
    bt_column columns[] = {column_of(a, 4), column_of(b, 2)};
    const bt_column *const both[] = {&columns[0], &columns[1]};
    bt_size_counts counts;
    /* 00 00 10 10 11 21 31 31: pairs 00, 10 and 31, alone 11 and 21 */
    assert_int_equal(bt_size_counts_make(both, 2, SIZE_MAX, 8, &run, &counts, &error), BAUTA_OK);
    assert_int_equal(counts.classes, 5);
    assert_int_equal(counts.count, 2);
    assert_int_equal(bt_size_counts_of(&counts, 1), 2);
    assert_int_equal(bt_size_counts_of(&counts, 2), 3);
    assert_int_equal(bt_size_counts_of(&counts, 3), 0);
    bt_size_counts_release(&counts);
    assert_int_equal(bt_size_counts_make(both, 2, 0, 8, &run, &counts, &error), BAUTA_OK);
    assert_int_equal(counts.classes, 2);
    assert_int_equal(bt_size_counts_of(&counts, 4), 2);
    bt_size_counts_release(&counts);
    /* Without columns all rows are alike; without rows there is nothing. */
    assert_int_equal(bt_size_counts_make(both, 1, 0, 8, &run, &counts, &error), BAUTA_OK);
    assert_int_equal(bt_size_counts_of(&counts, 8), 1);
    bt_size_counts_release(&counts);
    assert_int_equal(bt_size_counts_make(both, 2, SIZE_MAX, 0, &run, &counts, &error), BAUTA_OK);
    assert_int_equal(counts.count, 0);
    bt_size_counts_release(&counts);
}

/* ---- journalist risk ---- */

static void risk_of_one_and_two_by_hand(void **state)
{
    (void)state;
    uint32_t size[] = {1, 2}, classes[] = {1, 1};
    bt_size_counts counts = {3, 2, 2, size, classes};
    double risks[2];
    const bt_population half = {.size = 6}, tenth = {.size = 30}, all = {.size = 3};
    bt_population_risks(&counts, &half, risks);
    assert_close(risks[0], 0.693147180560, 1e-12); /* log 2 */
    assert_close(risks[1], 0.306852819440, 1e-12); /* 1 - log 2 */
    bt_population_risks(&counts, &tenth, risks);
    assert_close(risks[0], 0.255842788110, 1e-12); /* log(10) / 9 */
    assert_close(risks[1], 0.082684134654, 1e-12); /* (1 - log(10) / 9) / 9 */
    bt_population_risks(&counts, &all, risks);
    assert_close(risks[0], 1, 1e-15);
    assert_close(risks[1], 0.5, 1e-15);
}

/* The mean of 1/F over the negative binomial distribution, term by term. */
static double slow_risk(double size, double alpha, double seen)
{
    double chance = pow(seen, size - alpha), sum = 0;
    for (double more = 0; more < 4000; more++) {
        sum += chance / (size + more);
        chance *= (size - alpha + more) / (more + 1) * (1 - seen);
    }
    return sum;
}

static void risk_is_the_mean_of_one_over_the_population(void **state)
{
    (void)state;
    static const double fractions[] = {0.03, 0.1, 0.3, 0.49, 0.5, 0.51, 0.8, 0.99};
    uint32_t size[] = {1, 2, 3, 5, 8, 20}, classes[] = {1, 1, 1, 1, 1, 1};
    bt_size_counts counts = {39, 6, 6, size, classes};
    double risks[6];
    for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++)
        for (double alpha = 0; alpha < 1; alpha += 0.3) {
            double theta = 10 * alpha, seen = (39 + theta) / (39 / fractions[f] + theta);
            const bt_population population = {.size = 39 / fractions[f],
                                              .pitman = {.alpha = alpha, .theta = theta}};
            bt_population_risks(&counts, &population, risks);
            for (size_t i = 0; i < 6; i++)
                assert_close(risks[i] / slow_risk(size[i], alpha, seen), 1, 1e-8);
        }
}

/* A class of a million is a millionth of itself either way. */
static void risk_of_large_classes_is_stable(void **state)
{
    (void)state;
    static const double fractions[] = {1e-6, 0.01, 0.499, 0.5, 0.999};
    uint32_t size[] = {1000000}, classes[] = {1};
    bt_size_counts counts = {1000000, 1, 1, size, classes};
    double risk;
    for (size_t f = 0; f < sizeof fractions / sizeof *fractions; f++) {
        const bt_population population = {.size = 1e6 / fractions[f], .pitman = {.alpha = 0.4}};
        bt_population_risks(&counts, &population, &risk);
        assert_close(risk / (fractions[f] / 1e6), 1, 1e-4);
    }
}

/* ---- uniqueness ---- */

static void zayatz_by_hand(void **state)
{
    (void)state;
    /* Two records alone and a pair, of a population of 8: P(f=1|F=1) = 1/2, P(f=1|F=2) = 4/7, so
     * P(F=1|f=1) = (1/2 2/3) / (1/2 2/3 + 4/7 1/3) = 7/11, and 2 of 4 records are alone. */
    uint32_t size[] = {1, 2}, classes[] = {2, 1};
    bt_size_counts counts = {4, 3, 2, size, classes};
    bt_population population;
    bt_population_estimate(&counts, 0.5, &population);
    assert_close(population.size, 8, 0);
    assert_close(population.zayatz, 7.0 / 22, 1e-12);
    assert_false(population.unbounded);
}

static double slow_likelihood(const bt_size_counts *counts, double alpha, double theta)
{
    double sum = 0;
    for (int64_t i = 1; i < counts->classes; i++)
        sum += log(theta + (double)i * alpha);
    for (int64_t i = 1; i < counts->rows; i++)
        sum -= log(theta + (double)i);
    for (size_t c = 0; c < counts->count; c++)
        for (uint32_t i = 1; i < counts->size[c]; i++)
            sum += counts->classes_of[c] * log(i - alpha);
    return sum;
}

/* Nothing on a fine grid around the estimate is likelier, and neither is anything far off. */
static void pitman_is_the_likeliest(void **state)
{
    (void)state;
    uint32_t size[] = {1, 2, 3, 4, 7, 15}, classes[] = {60, 21, 10, 4, 3, 2};
    bt_size_counts counts = {0, 0, 6, size, classes};
    for (size_t i = 0; i < 6; i++) {
        counts.rows += (int64_t)size[i] * classes[i];
        counts.classes += classes[i];
    }
    bt_population population;
    bt_population_estimate(&counts, 0.1, &population);
    const bt_pitman *pitman = &population.pitman;
    double top = slow_likelihood(&counts, pitman->alpha, pitman->theta);
    for (double alpha = 0.01; alpha < 1; alpha += 0.01)
        for (double theta = 0.25; theta < 400; theta *= 1.05)
            assert_true(slow_likelihood(&counts, alpha, theta) <= top + 1e-6);
    for (int i = -5; i <= 5; i++)
        for (int k = -5; k <= 5; k++)
            assert_true(slow_likelihood(&counts, pitman->alpha + i * 1e-3,
                                        pitman->theta + k * 0.02) <= top + 1e-6);
    /* The chance of being alone, by its product. */
    double alone = 1;
    for (double i = 0; i < population.size - 1; i++)
        alone *= (pitman->theta + pitman->alpha + i) / (pitman->theta + 1 + i);
    assert_close(pitman->share, alone, 1e-9);
}

static void nothing_is_known_where_all_are_unique(void **state)
{
    (void)state;
    uint32_t size[] = {1}, classes[] = {50};
    bt_size_counts counts = {50, 50, 1, size, classes};
    bt_population population;
    bt_population_estimate(&counts, 0.1, &population);
    assert_true(population.unbounded);
    assert_close(population.zayatz, 1, 0);
    assert_close(population.pitman.share, 1, 0);
}

static void nobody_is_unique_where_no_record_is(void **state)
{
    (void)state;
    uint32_t size[] = {2, 9}, classes[] = {50, 3};
    bt_size_counts counts = {127, 53, 2, size, classes};
    bt_population population;
    bt_population_estimate(&counts, 0.1, &population);
    assert_close(population.zayatz, 0, 0);
    assert_close(population.pitman.share, 0, 0);
    assert_false(population.pitman.fits);
}

/* ---- simulated populations ---- */

enum { PEOPLE = 60000 };

typedef struct world {
    uint32_t class_of[PEOPLE];
    uint32_t size[PEOPLE];
    uint32_t classes;
    double unique; /* share */
} world;

static void count_world(world *w)
{
    memset(w->size, 0, sizeof w->size);
    for (size_t i = 0; i < PEOPLE; i++)
        w->size[w->class_of[i]]++;
    double alone = 0;
    for (size_t i = 0; i < PEOPLE; i++)
        alone += w->size[i] == 1;
    w->unique = alone / PEOPLE;
}

/* Pitman's own process: the next person is alike someone or new. */
static void make_pitman_world(world *w, double alpha, double theta, uint64_t *random)
{
    w->classes = 0;
    uint32_t *sizes = w->size;
    memset(sizes, 0, sizeof w->size);
    for (uint32_t i = 0; i < PEOPLE; i++) {
        double at = (double)test_below(random, 1u << 30) / (1u << 30) * (theta + i);
        if (at < theta + alpha * w->classes) {
            w->class_of[i] = w->classes++;
        } else { /* by size - alpha: someone at random, again with chance alpha / size */
            uint32_t other;
            do
                other = w->class_of[test_below(random, i)];
            while ((double)test_below(random, 1u << 30) / (1u << 30) < alpha / sizes[other]);
            w->class_of[i] = other;
        }
        sizes[w->class_of[i]]++;
    }
    count_world(w);
}

/* Four columns, each skewed: what tables of people look like. */
static void make_skewed_world(world *w, uint64_t *random)
{
    static const uint32_t values[] = {90, 2, 40, 12};
    for (uint32_t i = 0; i < PEOPLE; i++) {
        uint32_t code = 0;
        for (size_t c = 0; c < 4; c++) {
            double draw = (double)test_below(random, 1u << 30) / (1u << 30);
            code = code * values[c] + (uint32_t)(draw * draw * values[c]);
        }
        w->class_of[i] = code % PEOPLE; /* 86,400 tuples; those that coincide are alike */
    }
    count_world(w);
}

static void draw_sample(const world *w, uint32_t rows, uint64_t *random, bt_size_counts *out)
{
    uint32_t *order = calloc(PEOPLE, sizeof *order), *codes = calloc(rows, sizeof *codes);
    for (uint32_t i = 0; i < PEOPLE; i++)
        order[i] = i;
    for (uint32_t i = 0; i < rows; i++) {
        uint32_t other = i + (uint32_t)test_below(random, PEOPLE - i), keep = order[other];
        order[other] = order[i];
        codes[i] = w->class_of[keep];
    }
    bt_column column = column_of(codes, PEOPLE);
    const bt_column *const one[] = {&column};
    assert_int_equal(bt_size_counts_make(one, 1, SIZE_MAX, rows, &run, out, &error), BAUTA_OK);
    free(order);
    free(codes);
}

/* The mean of estimates over several samples, over the truth. */
static void compare(const world *w, double fraction, uint64_t *random, double *zayatz,
                    double *pitman)
{
    enum { SAMPLES = 8 };
    *zayatz = *pitman = 0;
    for (int i = 0; i < SAMPLES; i++) {
        bt_size_counts counts;
        bt_population population;
        draw_sample(w, (uint32_t)(fraction * PEOPLE), random, &counts);
        bt_population_estimate(&counts, fraction, &population);
        *zayatz += population.zayatz / w->unique / SAMPLES;
        *pitman += population.pitman.share / w->unique / SAMPLES;
        bt_size_counts_release(&counts);
    }
}

static void pitman_finds_what_follows_it(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 11;
    double zayatz, pitman;
    make_pitman_world(&w, 0.5, 300, &random);
    compare(&w, 0.05, &random, &zayatz, &pitman);
    assert_close(pitman, 1, 0.15);
    assert_true(zayatz > 1.2); /* too much: what the header says of small fractions */
    make_pitman_world(&w, 0.2, 2000, &random);
    compare(&w, 0.1, &random, &zayatz, &pitman);
    assert_close(pitman, 1, 0.1);
}

/* Models are not the world: what is asked for is the right order of magnitude. */
static void estimates_are_near_for_skewed_tables(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 5;
    double zayatz, pitman;
    make_skewed_world(&w, &random);
    for (int percent = 5; percent <= 50; percent += 15) {
        compare(&w, percent / 100.0, &random, &zayatz, &pitman);
        assert_true(pitman > 0.8 && pitman < 2);
        assert_true(zayatz > 0.8 && zayatz < (percent < 20 ? 4 : 2));
        assert_true(percent < 35 || zayatz < 1.5);
    }
}

/* What the records of a sample risk, against what they do. */
static void risk_is_near_on_average(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 7;
    make_skewed_world(&w, &random);
    for (int percent = 5; percent <= 65; percent += 20) {
        double fraction = percent / 100.0, risks[PEOPLE / 100], guess = 0, truth = 0;
        uint32_t rows = (uint32_t)(fraction * PEOPLE);
        bt_size_counts counts;
        draw_sample(&w, rows, &random, &counts);
        assert_true(counts.count < sizeof risks / sizeof *risks);
        bt_population population;
        bt_population_estimate(&counts, fraction, &population);
        bt_population_risks(&counts, &population, risks);
        for (size_t i = 0; i < counts.count; i++)
            guess += risks[i] * counts.size[i] * counts.classes_of[i] / rows;
        for (size_t i = 0; i < PEOPLE; i++) /* of a person drawn at random */
            truth += 1.0 / w.size[w.class_of[i]] / PEOPLE;
        assert_true(guess > 0.95 * truth && guess < 1.3 * truth); /* rather too much */
        bt_size_counts_release(&counts);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_counted),
        cmocka_unit_test(risk_of_one_and_two_by_hand),
        cmocka_unit_test(risk_is_the_mean_of_one_over_the_population),
        cmocka_unit_test(risk_of_large_classes_is_stable),
        cmocka_unit_test(zayatz_by_hand),
        cmocka_unit_test(pitman_is_the_likeliest),
        cmocka_unit_test(nothing_is_known_where_all_are_unique),
        cmocka_unit_test(nobody_is_unique_where_no_record_is),
        cmocka_unit_test(pitman_finds_what_follows_it),
        cmocka_unit_test(estimates_are_near_for_skewed_tables),
        cmocka_unit_test(risk_is_near_on_average),
    };
    return cmocka_run_group_tests(tests, open_run, close_run);
}
