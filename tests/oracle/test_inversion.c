/* SPDX-License-Identifier: Apache-2.0
 *
 * Undoing a randomization, against every release that could have been made of tiny tables, and
 * against many simulated ones of larger tables.
 */
#include "support.h"

#include "query/inversion.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 5, VALUES = 4, RECORDS = 400, CELLS = 1 << 10 };

/* A table whose first `redrawn` columns are drawn anew, the first of them with a number. */
typedef struct world {
    size_t columns, redrawn, records;
    size_t sizes[COLUMNS];               /* values of each column */
    uint32_t signature[COLUMNS][VALUES]; /* of values */
    uint32_t signatures[COLUMNS];
    double number[VALUES]; /* of the first column */
    uint8_t values[RECORDS][COLUMNS];
    double chances[1 << COLUMNS]; /* per set of columns: drawn anew, these and no others */
    double keep[1 << COLUMNS];
    bool target;
    uint64_t random;
} world;

static bauta_error error;

static size_t below(world *w, size_t bound)
{
    return (size_t)test_below(&w->random, bound);
}

static double unit(world *w)
{
    return (double)(test_random(&w->random) >> 11) / 9007199254740992.0;
}

/* ---- making ---- */

/* Values of a record have to do with each other. */
static void fill(world *w, size_t records)
{
    w->records = records;
    for (size_t r = 0; r < records; r++) {
        double common = unit(w);
        for (size_t c = 0; c < w->columns; c++) {
            double own = below(w, 2) ? common : unit(w);
            w->values[r][c] = (uint8_t)(own * (double)w->sizes[c]);
        }
    }
    for (size_t v = 0; v < VALUES; v++)
        w->number[v] = (double)below(w, 9) - 3;
}

static void shape(world *w, size_t redrawn, size_t fixed, size_t sizes)
{
    w->redrawn = redrawn;
    w->columns = redrawn + fixed;
    for (size_t c = 0; c < w->columns; c++) {
        w->sizes[c] = sizes;
        w->signatures[c] = 2 + (uint32_t)below(w, sizes - 1);
        for (size_t v = 0; v < sizes; v++)
            w->signature[c][v] =
                v < w->signatures[c] ? (uint32_t)v : (uint32_t)below(w, w->signatures[c]);
    }
}

/* How often none of a set is drawn anew follows from how often each set is. */
static void follow(world *w)
{
    for (uint32_t set = 0; set < 1u << COLUMNS; set++) {
        w->keep[set] = 0;
        for (uint32_t drawn = 0; drawn < 1u << w->redrawn; drawn++)
            if ((drawn & set) == 0) w->keep[set] += w->chances[drawn];
        if (w->keep[set] < 1e-12) w->keep[set] = 0;
    }
}

/* One column, with unlike chances; the last `others` of them are for columns nobody asks about. */
static void draw_one(world *w, double others)
{
    double total = others;
    memset(w->chances, 0, sizeof w->chances);
    for (size_t c = 0; c < w->redrawn; c++)
        total += w->chances[1u << c] = 1 + (double)below(w, 3);
    w->chances[0] = others;
    for (uint32_t set = 0; set < 1u << COLUMNS; set++)
        w->chances[set] /= total;
    follow(w);
}

static double choose(size_t n, size_t k)
{
    double ways = 1;
    if (k > n) return 0;
    for (size_t i = 0; i < k; i++)
        ways = ways * (double)(n - i) / (double)(i + 1);
    return ways;
}

/* `lambda` of all quasi columns, of which there are `others` more. */
static void draw_some(world *w, size_t lambda, size_t others)
{
    memset(w->chances, 0, sizeof w->chances);
    for (uint32_t set = 0; set < 1u << w->redrawn; set++) {
        size_t drawn = (size_t)__builtin_popcount(set);
        if (drawn <= lambda)
            w->chances[set] = choose(others, lambda - drawn) / choose(w->redrawn + others, lambda);
    }
    follow(w);
}

/* ---- spaces ---- */

static void open_space(world *w, bt_inverse_space *space, bt_arena *arena)
{
    *space = (bt_inverse_space){.count = w->columns,
                                .redrawn = (1u << w->redrawn) - 1,
                                .target = w->target ? 0 : w->columns,
                                .keep = w->keep};
    for (size_t c = 0; c < w->columns; c++)
        space->size[c] = w->signatures[c];
    assert_true(bt_inverse_space_fits(space));
    assert_ok(bt_inverse_space_make(space, arena, &error), &error);
}

static size_t cell_of(const world *w, const uint8_t *record)
{
    size_t cell = 0;
    for (size_t c = 0; c < w->columns; c++)
        cell = cell * w->signatures[c] + w->signature[c][record[c]];
    return cell;
}

static void put(const world *w, bt_inverse_space *space, const uint8_t *record, double share)
{
    size_t cell = cell_of(w, record);
    double number = w->number[record[0]];
    space->records[cell] += share;
    if (!w->target) return;
    space->records[space->cells + cell] += share * number;
    space->records[2 * space->cells + cell] += share * number * number;
}

static void invert(bt_inverse_space *space, bt_arena *arena, const double *function,
                   bt_inverted *out)
{
    assert_ok(bt_inverse_space_learn(space, arena, &error), &error);
    bt_invert(space, function, out);
}

static double truth_of(const world *w, size_t cells, const double *function)
{
    double sum = 0;
    for (size_t r = 0; r < w->records; r++) {
        size_t cell = cell_of(w, w->values[r]);
        sum += function[cell];
        if (w->target) sum += function[cells + cell] * w->number[w->values[r][0]];
    }
    return sum;
}

/* ---- what may become of a record ---- */

typedef struct outcome {
    uint8_t values[COLUMNS];
    double chance;
} outcome;

enum { OUTCOMES = 1 << 12 };
static outcome outcomes[RECORDS][OUTCOMES];
static size_t outcome_counts[RECORDS];

static double share_of(const world *w, size_t column, size_t value)
{
    size_t count = 0;
    for (size_t r = 0; r < w->records; r++)
        count += w->values[r][column] == value;
    return (double)count / (double)w->records;
}

static void add_outcome(size_t r, const outcome *one)
{
    for (size_t i = 0; i < outcome_counts[r]; i++)
        if (memcmp(outcomes[r][i].values, one->values, COLUMNS) == 0) {
            outcomes[r][i].chance += one->chance;
            return;
        }
    assert_true(outcome_counts[r] < OUTCOMES);
    outcomes[r][outcome_counts[r]++] = *one;
}

static void redraw(const world *w, size_t r, uint32_t set, size_t column, outcome one)
{
    if (one.chance == 0) return;
    if (column == w->redrawn) {
        add_outcome(r, &one);
        return;
    }
    if (!(set >> column & 1)) {
        redraw(w, r, set, column + 1, one);
        return;
    }
    double chance = one.chance;
    for (size_t v = 0; v < w->sizes[column]; v++) {
        one.values[column] = (uint8_t)v;
        one.chance = chance * share_of(w, column, v);
        redraw(w, r, set, column + 1, one);
    }
}

static void list_outcomes(const world *w)
{
    for (size_t r = 0; r < w->records; r++) {
        outcome_counts[r] = 0;
        for (uint32_t set = 0; set < 1u << w->redrawn; set++) {
            outcome one = {.chance = w->chances[set]};
            memcpy(one.values, w->values[r], COLUMNS);
            redraw(w, r, set, 0, one);
        }
    }
}

typedef struct moments {
    double mean, variance, told; /* told: the mean of the variances that the estimator tells */
} moments;

/* Over all releases, each with its chance. */
static moments over_all_releases(world *w, const double *function)
{
    size_t at[RECORDS] = {0}, r;
    double squares = 0;
    moments found = {0};
    list_outcomes(w);
    do {
        bt_arena arena = {0};
        bt_inverse_space space;
        bt_inverted out;
        double chance = 1;
        open_space(w, &space, &arena);
        for (r = 0; r < w->records; r++) {
            put(w, &space, outcomes[r][at[r]].values, 1);
            chance *= outcomes[r][at[r]].chance;
        }
        invert(&space, &arena, function, &out);
        found.mean += chance * out.sum;
        squares += chance * out.sum * out.sum;
        found.told += chance * out.variance;
        bt_arena_release(&arena);
        for (r = 0; r < w->records && ++at[r] == outcome_counts[r]; r++)
            at[r] = 0;
    } while (r < w->records);
    found.variance = squares - found.mean * found.mean;
    return found;
}

static void random_function(world *w, double *function)
{
    for (size_t i = 0; i < CELLS; i++)
        function[i] = (double)below(w, 7) - 3;
}

static void assert_close(double found, double wanted, double slack)
{
    if (!(fabs(found - wanted) <= slack)) fail_msg("%.12g instead of %.12g", found, wanted);
}

/* ---- tests ---- */

/* Given the shares of the original, the estimator is linear in the released records: what is
 * expected of them goes in, and the truth must come out, for every function and mechanism. */
static void is_unbiased_for_any_mechanism(void **state)
{
    (void)state;
    world w = {.random = 1};
    double function[CELLS];
    for (int round = 0; round < 400; round++) {
        shape(&w, 1 + below(&w, 3), below(&w, 3), 2 + below(&w, 3));
        fill(&w, 2 + below(&w, 6));
        w.target = below(&w, 2);
        if (below(&w, 2))
            draw_one(&w, 0.5);
        else
            draw_some(&w, 1 + below(&w, 2), 2 + below(&w, 3));
        random_function(&w, function);
        list_outcomes(&w);
        bt_arena arena = {0};
        bt_inverse_space space;
        bt_inverted out;
        open_space(&w, &space, &arena);
        for (size_t r = 0; r < w.records; r++)
            for (size_t i = 0; i < outcome_counts[r]; i++)
                put(&w, &space, outcomes[r][i].values, outcomes[r][i].chance);
        invert(&space, &arena, function, &out);
        assert_false(out.lost);
        assert_close(out.sum, truth_of(&w, space.cells, function), 1e-9);
        bt_arena_release(&arena);
    }
}

/* With the shares of the release itself nothing is lost as long as one column was redrawn, of
 * those that are asked about: the sensitive ones do not move. */
static void is_unbiased_with_its_own_shares(void **state)
{
    (void)state;
    world w = {.random = 2};
    double function[CELLS];
    for (int round = 0; round < 60; round++) {
        shape(&w, 1, 1 + below(&w, 2), 2 + below(&w, 2));
        fill(&w, 2 + below(&w, 4));
        w.target = below(&w, 2);
        draw_one(&w, 1 + (double)below(&w, 3));
        random_function(&w, function);
        size_t cells = 1;
        for (size_t c = 0; c < w.columns; c++)
            cells *= w.signatures[c];
        moments found = over_all_releases(&w, function);
        assert_close(found.mean, truth_of(&w, cells, function), 1e-9);
    }
}

/* Of two columns the product of their shares is off by what they have in common, divided by the
 * number of records: (keep(ab) - keep(a) keep(b)) (1 - 1/keep(ab)) G / n, where G is the sum of
 * (a - share)(b - share) over the original. */
static void is_off_by_next_to_nothing_for_two_columns(void **state)
{
    (void)state;
    world w = {.random = 3};
    for (int round = 0; round < 20; round++) {
        double function[CELLS] = {0}, common = 0;
        shape(&w, 2, 0, 2);
        fill(&w, 2 + below(&w, 4));
        draw_one(&w, 1 + (double)below(&w, 3));
        function[3] = 1;
        double a = share_of(&w, 0, 1), b = share_of(&w, 1, 1);
        for (size_t r = 0; r < w.records; r++)
            common += (w.values[r][0] - a) * (w.values[r][1] - b);
        double both = w.keep[3], off = (both - w.keep[1] * w.keep[2]) * (1 - 1 / both);
        moments found = over_all_releases(&w, function);
        assert_close(found.mean, truth_of(&w, 4, function) + off * common / (double)w.records,
                     1e-9);
    }
}

/* With more columns the bias is a small part of the standard error, on tables of six. */
static void is_off_by_little_for_more_columns(void **state)
{
    (void)state;
    world w = {.random = 4};
    for (int round = 0; round < 6; round++) {
        double function[CELLS] = {0};
        shape(&w, 2, 1, 2);
        fill(&w, 5);
        draw_some(&w, 1, 3);
        function[7] = 1;
        moments found = over_all_releases(&w, function);
        assert_close(found.mean, truth_of(&w, 8, function), 0.03 * sqrt(found.variance) + 1e-9);
    }
}

/* The variance that is told is, on average, the one that releases have. */
static void tells_its_variance(void **state)
{
    (void)state;
    world w = {.random = 5};
    double told = 0, had = 0;
    for (int round = 0; round < 12; round++) {
        double function[CELLS] = {0};
        bool two = round % 2;
        shape(&w, two ? 2 : 1, 1, 2);
        fill(&w, two ? 5 : 9);
        draw_one(&w, 3);
        function[two ? 7 : 3] = 1;
        moments found = over_all_releases(&w, function);
        told += found.told;
        had += found.variance;
    }
    if (!(told > 0.8 * had && told < 1.25 * had)) fail_msg("told %g, had %g", told, had);
}

/* A part over columns of which one is always redrawn is lost, and is said to be; of what is left
 * the largest factor is told. */
static void says_what_is_lost(void **state)
{
    (void)state;
    world w = {.random = 6};
    double function[CELLS] = {0};
    bt_arena arena = {0};
    bt_inverse_space space;
    bt_inverted out;
    shape(&w, 2, 1, 2);
    fill(&w, 40);
    draw_some(&w, 1, 0);
    open_space(&w, &space, &arena);
    for (size_t r = 0; r < w.records; r++)
        put(&w, &space, w.values[r], 1);
    function[7] = 1; /* a AND b AND s */
    invert(&space, &arena, function, &out);
    assert_true(out.lost);
    function[7] = 0;
    function[2] = function[3] = function[6] = function[7] = 1; /* b alone */
    bt_invert(&space, function, &out);
    assert_false(out.lost);
    assert_close(out.inflation, 1, 0);
    assert_close(out.sum, truth_of(&w, 8, function), 1e-9);
    memset(function, 0, sizeof function);
    function[3] = function[7] = 1; /* b AND s */
    bt_invert(&space, function, &out);
    assert_false(out.lost);
    assert_close(out.inflation, 2, 1e-12);
    bt_arena_release(&arena);
}

/* ---- many releases of larger tables ---- */

/* The first column to be drawn anew is that of the random set of columns. */
static void release_one(world *w, bt_inverse_space *space, bt_arena *arena)
{
    open_space(w, space, arena);
    for (size_t r = 0; r < w->records; r++) {
        uint8_t record[COLUMNS];
        double left = unit(w);
        uint32_t set = 0;
        memcpy(record, w->values[r], COLUMNS);
        while (set + 1 < 1u << w->redrawn && left >= w->chances[set])
            left -= w->chances[set++];
        for (size_t c = 0; c < w->redrawn; c++)
            if (set >> c & 1) record[c] = w->values[below(w, w->records)][c];
        put(w, space, record, 1);
    }
}

typedef struct tally {
    size_t intervals, held, queries;
    double score; /* sum over queries of the squared bias in its own standard errors */
} tally;

static void simulate(world *w, const double *function, double truth, tally *out)
{
    enum { SEEDS = 200 };
    double sum = 0, squares = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
        bt_arena arena = {0};
        bt_inverse_space space;
        bt_inverted found;
        release_one(w, &space, &arena);
        invert(&space, &arena, function, &found);
        sum += found.sum;
        squares += found.sum * found.sum;
        out->held += fabs(found.sum - truth) <= 1.96 * sqrt(found.variance) + 1e-9;
        out->intervals++;
        bt_arena_release(&arena);
    }
    double mean = sum / SEEDS, variance = (squares - sum * mean) / (SEEDS - 1);
    if (variance > 1e-9) out->score += (mean - truth) * (mean - truth) / (variance / SEEDS);
    out->queries++;
}

/* Of 95 % intervals, from 93 to 97 in 100 hold the truth. Biases in units of their standard errors
 * have the mean square 1. */
static void covers_the_truth(void **state)
{
    (void)state;
    world w = {.random = 7};
    tally found = {0};
    while (found.queries < 60) {
        double function[CELLS] = {0};
        shape(&w, 1 + below(&w, 4), 1, 4);
        for (size_t c = 0; c < w.columns; c++)
            w.signatures[c] = 2;
        for (size_t c = 0; c < w.columns; c++)
            for (size_t v = 0; v < VALUES; v++)
                w.signature[c][v] = below(&w, 2) && v ? 1 : v > 1;
        fill(&w, 250 + below(&w, 150));
        w.target = below(&w, 4) == 0;
        if (below(&w, 2))
            draw_one(&w, 3);
        else
            draw_some(&w, 1 + below(&w, 2), 3);
        size_t cells = (size_t)1 << w.columns;
        function[cells - 1] = 1;
        double expected = truth_of(&w, cells, function);
        if (expected < 20) continue;
        if (w.target) function[2 * cells - 1] = 1;
        simulate(&w, function, truth_of(&w, cells, function), &found);
    }
    double held = (double)found.held / (double)found.intervals;
    if (!(held >= 0.93 && held <= 0.97)) fail_msg("%.4f of the intervals hold the truth", held);
    double score = found.score / (double)found.queries;
    if (!(score < 1.6)) fail_msg("mean square of the biases %.3f", score);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_unbiased_for_any_mechanism),
        cmocka_unit_test(is_unbiased_with_its_own_shares),
        cmocka_unit_test(is_off_by_next_to_nothing_for_two_columns),
        cmocka_unit_test(is_off_by_little_for_more_columns),
        cmocka_unit_test(tells_its_variance),
        cmocka_unit_test(says_what_is_lost),
        cmocka_unit_test(covers_the_truth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
