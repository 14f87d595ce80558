/* SPDX-License-Identifier: Apache-2.0
 *
 * What an order tells: no probability that is given for an order is below the true one, against all
 * orders of small tables; orders that follow another one are told from random ones.
 */
#include "support.h"

#include "audit/drift.h"
#include "audit/orders.h"
#include "audit/trend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 8, ALL_ORDERS = 40320 };

/* ---- all orders -------------------------------------------------------------------------- */

typedef struct chances {
    double seen[ALL_ORDERS];
    size_t count;
} chances;

static int compare_doubles(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Of all orders no larger a share may have a chance as low than that chance says. */
static void expect_true(chances *all, const char *what)
{
    qsort(all->seen, all->count, sizeof *all->seen, compare_doubles);
    for (size_t i = 0; i < all->count; i++) {
        if (i + 1 < all->count && all->seen[i + 1] == all->seen[i]) continue;
        double share = log((double)(i + 1) / (double)all->count);
        if (share > all->seen[i] + 1e-9)
            fail_msg("%s: %f, but that is %f", what, all->seen[i], share);
    }
}

typedef void (*judged)(const uint32_t *place, uint32_t count, chances *out);

static void each_order(uint32_t *place, uint32_t count, uint32_t from, judged judge, chances *out)
{
    if (from == count) judge(place, count, out);
    for (uint32_t i = from; i < count; i++) {
        uint32_t kept = place[from];
        place[from] = place[i];
        place[i] = kept;
        each_order(place, count, from + 1, judge, out);
        place[i] = place[from];
        place[from] = kept;
    }
}

static void judge_whole(const uint32_t *place, uint32_t count, chances *out)
{
    bt_order order;
    bauta_error error;
    assert_ok(bt_orders_whole(place, count, &order, &error), &error);
    out->seen[out->count++] = order.chance;
}

/* Two units: the first three rows and the others. */
static void judge_units(const uint32_t *place, uint32_t count, chances *out)
{
    const size_t first[] = {0, 3, count};
    out->seen[out->count++] = bt_orders_within(place, first, 2).chance;
}

/* Two units, in which places below 2 are alike, and those of the next 3. */
static void judge_fits(const uint32_t *place, uint32_t count, chances *out)
{
    static const uint32_t kind[MOST] = {0, 0, 1, 1, 1, 2, 3, 4};
    static const size_t first[] = {0, 4, MOST};
    bt_fits all = {0};
    uint32_t used[MOST] = {0};
    (void)count;
    for (size_t u = 0; u < 2; u++) {
        bt_fit rows[MOST] = {{0}};
        size_t size = first[u + 1] - first[u];
        for (size_t n = 0; n < size; n++) {
            uint32_t wanted = kind[first[u] + n], there = 0;
            for (size_t i = first[u]; i < first[u + 1]; i++)
                there += kind[i] == wanted;
            rows[n] = (bt_fit){.partners = there, .ways = there - used[wanted]++};
            /* the order of a unit is that of the places in it */
            rows[n].forwards = kind[place[first[u] + n]] == wanted;
            rows[n].backwards = kind[place[first[u + 1] - 1 - n]] == wanted;
        }
        memset(used, 0, sizeof used);
        bt_fits_add(&all, rows, size);
    }
    out->seen[out->count++] = bt_fits_judge(&all).chance;
}

/* One unit, in which the n-th record fits all places from lowest[n] on. */
static void judge_wide(const uint32_t *place, uint32_t count, chances *out)
{
    static const uint32_t lowest[MOST] = {5, 0, 3, 3, 1, 5, 2, 0};
    bt_fits all = {0};
    bt_fit rows[MOST] = {{0}};
    for (uint32_t n = 0; n < count; n++)
        rows[n] = (bt_fit){.partners = count - lowest[n],
                           .ways = count - lowest[n],
                           .forwards = place[n] >= lowest[n],
                           .backwards = place[count - 1 - n] >= lowest[n]};
    bt_fits_add(&all, rows, count);
    out->seen[out->count++] = bt_fits_judge(&all).chance;
}

/* Orders that keep the two units of judge_fits apart. */
static void judge_apart(const uint32_t *place, uint32_t count, chances *out)
{
    for (uint32_t i = 0; i < 4; i++)
        if (place[i] >= 4) return;
    judge_fits(place, count, out);
}

/* Places below 3 are marked; units are the first 5 rows and the others. */
static void judge_marks(const uint32_t *place, uint32_t count, chances *out)
{
    uint32_t rows[] = {5, count - 5}, marks[] = {0, 0}, changes[] = {0, 0};
    int64_t early = 0;
    for (uint32_t i = 0; i < count; i++) {
        marks[i >= 5] += place[i] < 3;
        if (i > 0 && i != 5) changes[i >= 5] += (place[i] < 3) != (place[i - 1] < 3);
        early += place[i] < 3 && i < count / 2;
    }
    const bool together[] = {changes[0] == 1, changes[1] == 1};
    out->seen[out->count++] = bt_orders_marked(rows, marks, together, 2, early).chance;
}

/* Row i is of the kind of its place; rows of kinds 0 to 3 stand among others, and nothing is known
 * of the last kind. */
static const uint32_t places_of_kinds[] = {0, 1, 9, 1, 2, 9, 9, 2, 0, 3, 9, 3, 3};
static const uint32_t kind_of_place[MOST] = {0, 0, 1, 2, 2, 3, 3, 4};

static void judge_drift(const uint32_t *place, uint32_t count, chances *out)
{
    const bt_step_table table = {13, places_of_kinds, 10};
    bt_heading headings[10];
    uint32_t kinds[MOST];
    bt_drift whole = {0};
    bt_headings_of_rows(&table, headings);
    bt_headings_mean(headings, 10);
    for (uint32_t i = 0; i < count; i++)
        kinds[i] = kind_of_place[place[i]];
    bt_drift_add(&whole, headings, kinds, count, true);
    out->seen[out->count++] = bt_drift_judge(&whole).chance;
}

/* The first three rows and the others, each in any order of their own. */
static void judge_drift_within(const uint32_t *place, uint32_t count, chances *out)
{
    const bt_step_table table = {13, places_of_kinds, 10};
    bt_heading headings[10];
    uint32_t kinds[MOST];
    bt_drift units = {0};
    bt_headings_of_rows(&table, headings);
    bt_headings_mean(headings, 10);
    for (uint32_t i = 0; i < count; i++) {
        if ((i < 3) != (place[i] < 3)) return;
        kinds[i] = kind_of_place[place[i]];
    }
    bt_drift_add(&units, headings, kinds, 3, false);
    bt_drift_add(&units, headings, kinds + 3, count - 3, false);
    out->seen[out->count++] = bt_drift_judge(&units).chance;
}

static void no_chance_is_below_the_true_one(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        judged judge;
        uint32_t least;
    } kinds[] = {{"whole", judge_whole, 2},
                 {"units", judge_units, 4},
                 {"rows alike", judge_apart, MOST},
                 {"rows that fit many", judge_wide, MOST},
                 {"marks", judge_marks, 7},
                 {"rows between", judge_drift, 2},
                 {"rows between, in units", judge_drift_within, 5}};
    chances *all = malloc(sizeof *all);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint32_t count = kinds[k].least; count <= MOST; count++) {
            uint32_t place[MOST];
            for (uint32_t i = 0; i < count; i++)
                place[i] = i;
            all->count = 0;
            each_order(place, count, 0, kinds[k].judge, all);
            expect_true(all, kinds[k].what);
        }
    free(all);
}

/* ---- large tables ------------------------------------------------------------------------ */

static void shuffle(uint32_t *rows, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)test_below(random, i);
        uint32_t kept = rows[i - 1];
        rows[i - 1] = rows[j];
        rows[j] = kept;
    }
}

static bt_order judge_all(const uint32_t *place, uint32_t count)
{
    bt_order order;
    bauta_error error;
    assert_ok(bt_orders_whole(place, count, &order, &error), &error);
    return order;
}

enum { ROWS = 400 };

static void orders_are_told(void **state)
{
    (void)state;
    uint64_t random = 3;
    uint32_t place[ROWS];
    for (uint32_t turn = 0; turn < 6; turn++) {
        for (uint32_t i = 0; i < ROWS; i++) {
            uint32_t rotated = (i + (turn % 3) * 77) % ROWS;
            place[i] = turn < 3 ? rotated : ROWS - 1 - rotated;
        }
        assert_true(bt_order_broken(judge_all(place, ROWS)));
    }
    /* Half of the rows anywhere, the others in order; and each in its half of the file. */
    for (uint32_t i = 0; i < ROWS; i++)
        place[i] = i;
    for (uint32_t i = 1; i < ROWS; i += 2) {
        uint32_t j = (uint32_t)test_below(&random, ROWS / 2) * 2 + 1, kept = place[i];
        place[i] = place[j];
        place[j] = kept;
    }
    assert_true(bt_order_broken(judge_all(place, ROWS)));
    for (uint32_t i = 0; i < ROWS; i++)
        place[i] = i;
    shuffle(place, ROWS / 2, &random);
    shuffle(place + ROWS / 2, ROWS / 2, &random);
    assert_true(bt_order_broken(judge_all(place, ROWS)));
}

/* Units of five rows: all in order, or one of twenty in order or rotated. */
static void units_in_order_are_told(void **state)
{
    (void)state;
    uint64_t random = 8;
    uint32_t place[ROWS];
    size_t first[ROWS / 5 + 1];
    for (size_t u = 0; u <= ROWS / 5; u++)
        first[u] = 5 * u;
    for (uint32_t i = 0; i < ROWS; i++)
        place[i] = i;
    assert_true(bt_order_broken(bt_orders_within(place, first, ROWS / 5)));
    for (size_t u = 0; u < ROWS / 5; u++)
        shuffle(place + first[u], 5, &random);
    assert_true(bt_order_told(bt_orders_within(place, first, ROWS / 5)));
    assert_false(bt_order_broken(bt_orders_within(place, first, ROWS / 5)));
    for (size_t u = 0; u <= 20; u++)
        first[u] = 20 * u;
    for (uint32_t turn = 0; turn < 3; turn++) {
        shuffle(place, ROWS, &random);
        assert_false(bt_order_broken(bt_orders_within(place, first, 20)));
        for (uint32_t i = 0; i < 20; i++)
            place[i] = turn == 0 ? i : turn == 1 ? 20 - i : (i + 7) % 20;
        assert_true(bt_order_broken(bt_orders_within(place, first, 20)));
    }
}

static void small_tables_are_not_told(void **state)
{
    (void)state;
    static const uint32_t place[] = {0, 1, 2, 3, 4, 5, 6, 7};
    static const size_t first[] = {0, 4, 8};
    bt_order whole = judge_all(place, 8), units = bt_orders_within(place, first, 2);
    assert_false(bt_order_told(whole) || bt_order_broken(whole));
    assert_false(bt_order_told(units) || bt_order_broken(units));
    assert_false(bt_order_told(bt_fits_judge(&(bt_fits){0})));
    assert_false(bt_order_told(judge_all(place, 0)));
}

/* Six rows of which each fits in one place are in order once in 720 times. */
static void one_way_of_all_is_counted_exactly(void **state)
{
    (void)state;
    bt_fits all = {0};
    bt_fit rows[6];
    for (size_t i = 0; i < 6; i++)
        rows[i] = (bt_fit){.partners = 1, .ways = 1, .forwards = true};
    bt_fits_add(&all, rows, 6);
    assert_true(fabs(all.whole[0].full - log(720)) < 1e-9);
    assert_true(fabs(all.whole[0].weight - log(720)) < 1e-9);
    assert_true(all.whole[1].weight <= 0 && all.known == 6 && fabs(all.expected - 1) < 1e-9);
    for (int way = 0; way < 2; way++) { /* as unlikely backwards as forwards */
        bt_fits one = {0};
        for (size_t i = 0; i < 6; i++) {
            rows[i].forwards = way == 0;
            rows[i].backwards = way == 1;
        }
        for (int unit = 0; unit < 20; unit++)
            bt_fits_add(&one, rows, 6);
        bt_order found = bt_fits_judge(&one);
        assert_true(fabs(found.chance - found.least) < 1e-9 && bt_order_broken(found));
    }
}

/* Where half of the records fit three of five rows, and the others all of them, it is told from 150
 * rows on that all fit: the number of orders in which they do is at most a product of means. */
static void rows_that_fit_many_are_told(void **state)
{
    (void)state;
    enum { MANY = 150 };
    bt_fit rows[MANY];
    for (size_t hits = MANY - 1; hits <= MANY; hits++) {
        bt_fits all = {0};
        for (size_t i = 0; i < MANY; i++) {
            uint32_t partners = i % 2 ? MANY : MANY / 5 * 3;
            rows[i] = (bt_fit){.partners = partners, .ways = partners, .forwards = i < hits};
        }
        bt_fits_add(&all, rows, MANY);
        assert_true(bt_order_told(bt_fits_judge(&all)));
        assert_int_equal(bt_order_broken(bt_fits_judge(&all)), hits == MANY);
    }
}

/* Classes that are all in order are the least likely of all, upwards and downwards. */
static void sorted_classes_are_the_least_likely(void **state)
{
    (void)state;
    uint32_t place[60];
    size_t first[11];
    for (size_t u = 0; u <= 10; u++)
        first[u] = 6 * u;
    for (int way = 0; way < 2; way++) {
        for (uint32_t i = 0; i < 60; i++)
            place[i] = way ? 60 - i : i;
        bt_order found = bt_orders_within(place, first, 10);
        assert_true(fabs(found.chance - found.least) < 1e-9);
    }
}

/* By nature of the bounds this fails once in a billion runs. */
static void random_orders_are_not_refused(void **state)
{
    (void)state;
    uint64_t random = 1;
    uint32_t *place = malloc(5000 * sizeof *place);
    size_t *first = malloc(5001 * sizeof *first);
    for (int trial = 0; trial < 5000; trial++) {
        uint32_t count = 2 + (uint32_t)test_below(&random, trial % 100 ? 200 : 4998), units = 0;
        for (uint32_t i = 0; i < count; i++)
            place[i] = i;
        shuffle(place, count, &random);
        assert_false(bt_order_broken(judge_all(place, count)));
        for (size_t at = 0; at < count; at += 1 + test_below(&random, 9))
            first[units++] = at;
        first[units] = count;
        assert_false(bt_order_broken(bt_orders_within(place, first, units)));
    }
    free(place);
    free(first);
}

/* ---- rows between ------------------------------------------------------------------------- */

enum { LONG_ROWS = 4000, PEOPLE = 1500, GROUP = 6 };

/* Where row i of a table stands on the line and the circle, against the plain formula. */
static void places_are_walked(void **state)
{
    (void)state;
    for (int64_t count = 1; count < 20000; count = 3 * count + 1) {
        bt_walk walk = bt_walk_begin(count);
        for (; walk.at < count; bt_walk_next(&walk)) {
            double share = ((double)walk.at + 0.5) / (double)count, turn = 2 * M_PI * share;
            assert_true(fabs(walk.place.line - (share - 0.5)) < 1e-9);
            assert_true(fabs(walk.place.turn[0] - cos(turn)) < 1e-9);
            assert_true(fabs(walk.place.turn[1] - sin(turn)) < 1e-9);
        }
    }
}

/* Some rows of a long table, by the groups that all its rows have: in its order, rotated or
 * backwards; or in any. */
static void orders_with_rows_between_are_told(void **state)
{
    (void)state;
    static uint32_t group_of[LONG_ROWS], kept[PEOPLE], rows[LONG_ROWS];
    uint64_t random = 6;
    for (int trial = 0; trial < 40; trial++) {
        bt_order order;
        bauta_error error;
        uint32_t count = 0, turn = (uint32_t)test_below(&random, PEOPLE);
        for (uint32_t i = 0; i < LONG_ROWS; i++) {
            group_of[i] = i / GROUP;
            rows[i] = i;
        }
        shuffle(group_of, LONG_ROWS, &random);
        shuffle(rows, LONG_ROWS, &random);
        bool is_kept[LONG_ROWS] = {false};
        for (uint32_t i = 0; i < PEOPLE; i++)
            is_kept[rows[i]] = true;
        for (uint32_t i = 0; i < LONG_ROWS; i++)
            if (is_kept[i]) rows[count++] = group_of[i];
        for (uint32_t i = 0; i < PEOPLE; i++) {
            uint32_t at = (i + turn) % PEOPLE;
            kept[i] = rows[trial % 4 == 0 ? i : trial % 4 == 1 ? at : PEOPLE - 1 - at];
        }
        if (trial % 4 == 3) shuffle(kept, PEOPLE, &random);
        const bt_step_table tables[] = {{LONG_ROWS, group_of, LONG_ROWS / GROUP + 1},
                                        {PEOPLE, kept, LONG_ROWS / GROUP + 1}};
        assert_ok(bt_drift_tables(tables, &order, &error), &error);
        assert_true(bt_order_told(order));
        if (bt_order_broken(order) != (trial % 4 != 3)) fail_msg("trial %d", trial);
    }
}

/* Rows of which nothing can be told: too few, all of one kind, none known. */
static void too_few_rows_between_are_not_told(void **state)
{
    (void)state;
    static const uint32_t kinds[40] = {0, 1, 2, 3};
    static const int64_t sizes[] = {0, 1, 4, 40};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const bt_step_table tables[] = {{sizes[i], kinds, 4}, {sizes[i], kinds, 4}};
        bt_order order;
        bauta_error error;
        assert_ok(bt_drift_tables(tables, &order, &error), &error);
        assert_false(bt_order_told(order) || bt_order_broken(order));
    }
}

/* ---- trends and neighbours --------------------------------------------------------------- */

static const double scores[MOST] = {0, 0, 0, 1, 1, 7, 7, 40};

/* The bound that bt_trend_limit turns around. */
static void judge_trend(const uint32_t *place, uint32_t count, chances *out)
{
    bt_moments moments = {0};
    for (uint32_t i = 0; i < count; i++)
        bt_moments_add(&moments, place[i], scores[i]);
    double r = bt_moments_correlation(&moments);
    out->seen[out->count++] = fmin(0, log(2) - count * r * r / 4);
}

static void trends_are_no_likelier_than_told(void **state)
{
    (void)state;
    static chances all;
    for (uint32_t count = 4; count <= MOST; count++) {
        uint32_t place[MOST];
        all.count = 0;
        for (uint32_t i = 0; i < count; i++)
            place[i] = i;
        each_order(place, count, 0, judge_trend, &all);
        expect_true(&all, "trend");
    }
    double limit = bt_trend_limit(10000, 3);
    assert_true(fabs(log(2 * 3) - 10000 * limit * limit / 4 - BT_ORDER_CHANCE) < 1e-9);
    assert_true(bt_trend_limit(50, 1) == 1);
}

/* Against a plain count; rows in runs are told, and random ones are not. */
static void neighbours_are_counted(void **state)
{
    (void)state;
    enum { LONG = 3000, KINDS = 400 };
    static uint32_t kind_of[LONG];
    uint64_t random = 4;
    for (int round = 0; round < 40; round++) {
        int64_t rows = round < 20 ? 2 + (int64_t)test_below(&random, 40) : LONG, hits = 0;
        uint32_t sizes[KINDS] = {0};
        double expected = 0;
        bool runs = round % 2;
        for (int64_t i = 0; i < rows; i++) {
            bool same = runs && i > 0 && test_below(&random, 4) == 0;
            kind_of[i] = same ? kind_of[i - 1] : (uint32_t)test_below(&random, KINDS);
            sizes[kind_of[i]]++;
            hits += i > 0 && kind_of[i] == kind_of[i - 1];
        }
        for (uint32_t k = 0; k < KINDS; k++)
            expected += sizes[k] * (sizes[k] - 1.0) / (double)rows;
        const bt_step_table table = {rows, kind_of, KINDS};
        bt_neighbours found;
        bauta_error error;
        assert_ok(bt_neighbours_find(&table, &found, &error), &error);
        assert_int_equal(found.tried, rows - 1);
        assert_int_equal(found.hits, hits);
        assert_true(fabs(found.expected - expected) < 1e-9);
        assert_int_equal(found.hits > found.limit, runs && rows == LONG);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trends_are_no_likelier_than_told),
        cmocka_unit_test(neighbours_are_counted),
        cmocka_unit_test(no_chance_is_below_the_true_one),
        cmocka_unit_test(places_are_walked),
        cmocka_unit_test(orders_with_rows_between_are_told),
        cmocka_unit_test(too_few_rows_between_are_not_told),
        cmocka_unit_test(orders_are_told),
        cmocka_unit_test(units_in_order_are_told),
        cmocka_unit_test(small_tables_are_not_told),
        cmocka_unit_test(one_way_of_all_is_counted_exactly),
        cmocka_unit_test(rows_that_fit_many_are_told),
        cmocka_unit_test(sorted_classes_are_the_least_likely),
        cmocka_unit_test(random_orders_are_not_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
