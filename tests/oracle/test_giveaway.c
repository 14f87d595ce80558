/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns that give cells away, against a naive twin that looks at every pair of rows; and what is
 * found in tables that were made to hold something, or nothing.
 */
#include "scratch.h"

#include "base/memory.h"
#include "profile/giveaway.h"

enum { ROWS_MOST = 600, VALUES = 40 };

typedef struct world {
    size_t rows;
    uint32_t codes[2][ROWS_MOST], lo[ROWS_MOST], hi[ROWS_MOST], truth[ROWS_MOST];
    int64_t numbers[2][ROWS_MOST], values[VALUES];
    bool known[2][ROWS_MOST];
    bt_clue clues[2];
    bt_domain domain;
    bt_veiled veiled;
    uint32_t members[ROWS_MOST][VALUES];
    bt_veiled_set sets[ROWS_MOST];
} world;

/* Of a row's set only the true value and every second other one. */
static void draw_sets(world *w)
{
    for (size_t r = 0; r < w->rows; r++) {
        w->sets[r] = (bt_veiled_set){w->members[r], 0};
        for (uint32_t code = w->lo[r]; code <= w->hi[r]; code++)
            if (code == w->truth[r] || (code + w->lo[r]) % 2)
                w->members[r][w->sets[r].count++] = code;
    }
    w->veiled.sets = w->sets;
}

static bool is_in_cell(const world *w, size_t row, uint32_t code)
{
    if (!w->veiled.sets) return code >= w->lo[row] && code <= w->hi[row];
    for (uint32_t i = 0; i < w->sets[row].count; i++)
        if (w->members[row][i] == code) return true;
    return false;
}

static void open_world(world *w, bool clue_numbers, bool numbers)
{
    w->domain = (bt_domain){.reading = {.type = numbers ? BT_INTEGER : BT_TEXT},
                            .size = VALUES,
                            .number = numbers ? w->values : NULL};
    w->veiled = (bt_veiled){.domain = &w->domain, .codes = w->truth, .lo = w->lo, .hi = w->hi};
    for (size_t i = 0; i < 2; i++)
        w->clues[i] = (bt_clue){.codes = w->codes[i],
                                .numbers = clue_numbers ? w->numbers[i] : NULL,
                                .known = w->known[i],
                                .type = clue_numbers ? BT_INTEGER : BT_TEXT};
    for (size_t i = 0; i < VALUES; i++)
        w->values[i] = (int64_t)i * 3 - 20;
}

/* ---- the twin ---- */

/* The most frequent true value inside the cell of a row (-1: of all values) among the even rows
 * whose key is `key`; -1: none. `agreed`: nine in ten of these rows have it. */
static int64_t usual(const world *w, const int64_t *keys, const bool *known, int64_t key,
                     int64_t row, bool *agreed)
{
    int64_t best = -1, most = 0, all = 0;
    for (uint32_t code = 0; code < VALUES; code++) {
        int64_t count = 0;
        if (row >= 0 && !is_in_cell(w, (size_t)row, code)) continue;
        for (size_t r = 0; r < w->rows; r += 2)
            count += w->truth[r] == code && (!keys || (known[r] && keys[r] == key));
        all += count;
        if (count > most) {
            most = count;
            best = code;
        }
    }
    *agreed = 10 * most >= 9 * all;
    return best;
}

static bool nearest(const world *w, const int64_t *keys, const bool *known, int64_t key,
                    int64_t *out)
{
    bool any = false;
    for (size_t r = 0; r < w->rows; r += 2) {
        if (!known[r]) continue;
        int64_t a = llabs(keys[r] - key), b = llabs(*out - key);
        if (!any || a < b || (a == b && keys[r] < *out)) *out = keys[r];
        any = true;
    }
    return any;
}

static int64_t guess(const world *w, const int64_t *keys, const bool *known, bool number, size_t r,
                     int kind, bool *agreed)
{
    int64_t near = keys[r];
    if (number && !nearest(w, keys, known, keys[r], &near)) return -1;
    if (kind == 0) return usual(w, keys, known, near, (int64_t)r, agreed);
    int64_t code = usual(w, keys, known, near, -1, agreed);
    if (code < 0) return -1;
    int64_t wanted = w->values[code] + kind * (keys[r] - near);
    for (uint32_t v = w->lo[r]; v <= w->hi[r]; v++)
        if (w->values[v] == wanted) return v;
    return -1;
}

static bool is_beyond(int64_t won, int64_t lost, int64_t tried, int64_t one_in)
{
    int64_t more = won - lost;
    return more > 0 && more * more > 16 * (won + lost) && one_in * more > tried;
}

/* The most rows that a kind of guess gives away; 0: not too many. */
static int64_t given_away(const world *w, const int64_t *keys, const bool *known, bool number,
                          int64_t *by_majority)
{
    int64_t given = 0, tried = (int64_t)w->rows / 2;
    static const int kinds[] = {0, 1, -1};
    *by_majority = 0;
    for (int k = 0; k < (number && w->domain.number ? 3 : 1); k++) {
        int64_t won[2] = {0}, lost[2] = {0}; /* determined, and all */
        for (size_t r = 1; r < w->rows; r += 2) {
            bool agreed, ignored;
            if (w->lo[r] == w->hi[r] || !known[r]) continue;
            int64_t usually = usual(w, NULL, NULL, 0, (int64_t)r, &ignored);
            int64_t code = guess(w, keys, known, number, r, kinds[k], &agreed);
            if (code < 0 || code == usually) continue;
            for (int all = agreed ? 0 : 1; all < 2; all++) {
                won[all] += code == w->truth[r];
                lost[all] += usually == w->truth[r];
            }
        }
        int64_t here = 0;
        if (is_beyond(won[0], lost[0], tried, 20))
            here = won[0] - lost[0];
        else if (is_beyond(won[1], lost[1], tried, 4))
            *by_majority = here = won[1] - lost[1];
        if (here > given) given = here;
    }
    return given;
}

/* ---- worlds ---- */

static size_t search(const world *w, size_t clues, unsigned threads, bt_giveaway **found)
{
    bauta_error error;
    bt_run run = {0};
    size_t count;
    assert_ok(bt_pool_new(threads, &run.pool, &error), &error);
    const bt_giveaway_job job = {.clues = w->clues,
                                 .clue_count = clues,
                                 .veiled = &w->veiled,
                                 .veiled_count = 1,
                                 .rows = w->rows,
                                 .limit = {1, 20},
                                 .both_ways = true,
                                 .run = &run};
    assert_ok(bt_giveaways_find(&job, found, &count, &error), &error);
    bt_pool_free(run.pool);
    return count;
}

/* A clue that says the value, or something near it, or nothing, for a share of the rows. */
static void draw_world(world *w, uint64_t *random)
{
    uint64_t noise = test_below(random, 11), cells = 1 + test_below(random, 12);
    int sign = test_below(random, 2) ? 1 : -1;
    w->rows = 2 + test_below(random, ROWS_MOST - 1);
    for (size_t r = 0; r < w->rows; r++) {
        uint32_t code = (uint32_t)test_below(random, VALUES);
        bool says = test_below(random, 10) >= noise;
        w->truth[r] = code;
        w->lo[r] = code - code % (uint32_t)cells;
        w->hi[r] =
            w->lo[r] + (uint32_t)cells - 1 < VALUES ? w->lo[r] + (uint32_t)cells - 1 : VALUES - 1;
        uint32_t said = says ? code / 2 : (uint32_t)test_below(random, VALUES);
        w->codes[0][r] = said;
        w->numbers[0][r] = says ? 1000 + sign * w->values[code] : (int64_t)test_below(random, 2000);
        w->known[0][r] = !w->clues[0].numbers || test_below(random, 20) > 0;
    }
}

static void single_clues_are_as_the_twin_says(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 5;
    int given = 0, by_majority = 0, rounds = 90;
    for (int round = 0; round < rounds; round++) {
        bool numbers = round % 3 != 0;
        open_world(&w, numbers, round % 3 != 1);
        draw_world(&w, &random);
        w.veiled.sets = NULL;
        if (round % 6 == 3) draw_sets(&w);
        static int64_t keys[ROWS_MOST];
        for (size_t r = 0; r < w.rows; r++) {
            keys[r] = numbers ? w.numbers[0][r] : w.codes[0][r];
            w.known[0][r] = numbers ? w.known[0][r] : true;
        }
        bt_giveaway *found;
        int64_t majority, expected = given_away(&w, keys, w.known[0], numbers, &majority);
        size_t count = search(&w, 1, 1 + (unsigned)round % 3, &found);
        assert_int_equal(count, expected > 0);
        if (count > 0) {
            assert_int_equal(found->given, expected);
            assert_int_equal(found->tried, w.rows / 2);
        }
        given += expected > 0;
        by_majority += majority > 0;
        free(found);
    }
    assert_true(given > rounds / 10 && given < rounds && by_majority > 0);
}

/* A value in ten tells all, the others say nothing: a tenth of the rows is given away, although
 * nine guesses in ten are wrong. And a majority of six in ten, for a fifth of the rows, is no
 * clue. */
static void values_that_determine_are_told_from_majorities(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 77;
    for (int determined = 0; determined < 2; determined++) {
        open_world(&w, false, false);
        w.rows = ROWS_MOST;
        for (size_t r = 0; r < w.rows; r++) {
            bool special = test_below(&random, 10) < (determined ? 1 : 2);
            bool says = special && (determined || test_below(&random, 10) < 6);
            w.lo[r] = 0;
            w.hi[r] = 9;
            w.truth[r] = says ? 7 : (uint32_t)test_below(&random, 10);
            w.codes[0][r] = special ? 10 : (uint32_t)test_below(&random, 10);
            w.known[0][r] = true;
        }
        for (size_t r = 0; r < w.rows; r++) /* so that the cell alone says something else */
            if (w.codes[0][r] != 10 && test_below(&random, 3) == 0) w.truth[r] = 2;
        bt_giveaway *found;
        size_t count = search(&w, 1, 1, &found);
        assert_int_equal(count > 0 && !found->follows, determined);
        if (determined) assert_true(20 * found->given > found->tried);
        free(found);
    }
}

/* Neither of two columns says anything, their sum or their difference says all. */
static void sums_and_differences_are_found(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 9;
    for (int sign = -1; sign <= 1; sign += 2) {
        open_world(&w, true, true);
        w.rows = ROWS_MOST;
        for (size_t r = 0; r < w.rows; r++) {
            w.truth[r] = (uint32_t)test_below(&random, VALUES);
            w.lo[r] = 0;
            w.hi[r] = VALUES - 1;
            w.numbers[1][r] = (int64_t)test_below(&random, 100000);
            w.numbers[0][r] = w.values[w.truth[r]] - sign * w.numbers[1][r];
            w.known[0][r] = w.known[1][r] = true;
        }
        bt_giveaway *found;
        assert_int_equal(search(&w, 2, 2, &found), 1);
        assert_int_equal(found->sign, sign);
        assert_true(found->given > (int64_t)w.rows / 2 - 40);
        free(found);
    }
}

/* Values that occur once determine everything, and tell nothing. */
static void unique_noise_is_no_clue(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 21;
    for (int numbers = 0; numbers < 2; numbers++) {
        open_world(&w, numbers, true);
        w.rows = ROWS_MOST;
        for (size_t r = 0; r < w.rows; r++) {
            w.truth[r] = (uint32_t)test_below(&random, VALUES);
            w.lo[r] = w.truth[r] / 10 * 10;
            w.hi[r] = w.lo[r] + 9;
            w.codes[0][r] = (uint32_t)r;
            w.numbers[0][r] = (int64_t)test_below(&random, 1000000);
            w.known[0][r] = true;
        }
        bt_giveaway *found;
        assert_int_equal(search(&w, 1, 2, &found), 0);
        free(found);
    }
}

/* ---- clues that follow from a column ---- */

/* The most frequent value of the clue among even rows inside the cell of row r, or with the true
 * value `code`; -1: none. */
static int64_t usual_clue(const world *w, size_t row, int64_t code)
{
    int64_t best = -1, most = 0;
    for (uint32_t said = 0; said < VALUES; said++) {
        int64_t count = 0;
        for (size_t r = 0; r < w->rows; r += 2)
            count += w->codes[0][r] == said &&
                     (code < 0 ? is_in_cell(w, row, w->truth[r]) : w->truth[r] == code);
        if (count > most) {
            most = count;
            best = said;
        }
    }
    return best;
}

typedef struct tally {
    int64_t said, won, lost;
} tally;

static tally follow(const world *w, bool nearby)
{
    tally out = {0};
    for (size_t r = 1; r < w->rows; r += 2) {
        int64_t code = w->truth[r];
        if (w->lo[r] == w->hi[r]) continue;
        for (size_t e = 0; e < w->rows && nearby; e += 2) {
            int64_t a = llabs((int64_t)w->truth[e] - w->truth[r]), b = llabs(code - w->truth[r]);
            if (e == 0 || a < b || (a == b && w->truth[e] < code)) code = w->truth[e];
        }
        int64_t said = usual_clue(w, r, code), cell = usual_clue(w, r, -1);
        if (said < 0 || said == cell) continue;
        out.said++;
        out.won += said == w->codes[0][r];
        out.lost += cell == w->codes[0][r];
    }
    return out;
}

static bool is_sure(const tally *t)
{
    return 10 * t->won >= 9 * t->said;
}

static void what_follows_is_as_the_twin_says(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 42;
    int times = 0, not = 0;
    for (int round = 0; round < 400; round++) {
        bool numbers = round % 2;
        bt_giveaway *found;
        open_world(&w, false, numbers);
        draw_world(&w, &random);
        uint32_t width = 1 + (uint32_t)test_below(&random, 8);
        uint64_t noise = test_below(&random, 4);
        for (size_t r = 0; r < w.rows; r++)
            w.codes[0][r] = test_below(&random, 20) < noise ? (uint32_t)test_below(&random, VALUES)
                                                            : w.truth[r] / width % 3;
        if (!numbers && round % 3 == 0) draw_sets(&w);
        tally best = follow(&w, false), near = follow(&w, true);
        if (numbers && is_sure(&near) && near.won - near.lost > best.won - best.lost) best = near;
        bool wanted = is_sure(&best) && is_beyond(best.won, best.lost, (int64_t)w.rows / 2, 20);
        size_t count = search(&w, 1, 1 + (unsigned)round % 3, &found), back = 0;
        for (size_t i = 0; i < count; i++)
            back += found[i].follows;
        if (count > back) wanted = false; /* it tells the cell, and is told of for that */
        assert_int_equal(back, wanted);
        for (size_t i = 0; i < count && wanted; i++) {
            assert_int_equal(found[i].given, best.won - best.lost);
            assert_int_equal(found[i].tried, w.rows / 2);
        }
        times += wanted;
        not += !wanted;
        free(found);
    }
    assert_true(times > 30 && not > 30);
}

/* A cell that is a value hides nothing. */
static void values_are_not_given_away(void **state)
{
    (void)state;
    static world w;
    open_world(&w, false, true);
    w.rows = ROWS_MOST;
    for (size_t r = 0; r < w.rows; r++)
        w.truth[r] = w.codes[0][r] = w.lo[r] = w.hi[r] = (uint32_t)(r * 7 % VALUES);
    bt_giveaway *found;
    assert_int_equal(search(&w, 1, 1, &found), 0);
    free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_clues_are_as_the_twin_says),
        cmocka_unit_test(values_that_determine_are_told_from_majorities),
        cmocka_unit_test(sums_and_differences_are_found),
        cmocka_unit_test(unique_noise_is_no_clue),
        cmocka_unit_test(what_follows_is_as_the_twin_says),
        cmocka_unit_test(values_are_not_given_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
