/* SPDX-License-Identifier: Apache-2.0
 *
 * What attacks on `randomized` compute set by set, against its definition: all pairs of people and
 * rows, all sets of columns, and all ways in which rows may belong to records.
 */
#include "../attacks.h"
#include "../release_files.h"

#include "attack/redrawn.h"

#include <math.h>

enum { COLUMNS_MOST = 5, ROWS_MOST = 30, CODES = 4 };

/* ---- chances ---- */

typedef struct world {
    size_t all, known; /* quasi columns; the first of them are known */
    uint32_t lambda, rows, people;
    uint32_t row[COLUMNS_MOST + 1][ROWS_MOST], person[COLUMNS_MOST + 1][ROWS_MOST];
    uint32_t row_size[ROWS_MOST], person_size[ROWS_MOST];
    double redrawn[COLUMNS_MOST], share[COLUMNS_MOST][CODES];
    double *shares[COLUMNS_MOST];
    bt_codes row_codes[COLUMNS_MOST + 1], person_codes[COLUMNS_MOST + 1];
    bool fixed; /* one more column, which is never drawn anew */
} world;

/* The sum over all sets of lambda columns; what happened in unknown ones does not matter. */
static double naive_chance(const world *w, uint32_t person, uint32_t row)
{
    double sum = 0, sets = 0;
    if (w->fixed && w->person[w->known][person] != w->row[w->known][row]) return 0;
    for (uint32_t set = 0; set < 1u << w->all; set++) {
        double product = 1;
        if ((uint32_t)__builtin_popcount(set) != w->lambda) continue;
        sets++;
        for (size_t c = 0; c < w->all; c++) {
            bool drawn = set >> c & 1;
            if (drawn && w->lambda == 1) product *= w->redrawn[c];
            if (c >= w->known) continue;
            if (drawn)
                product *= w->share[c][w->row[c][row]];
            else if (w->person[c][person] != w->row[c][row])
                product = 0;
        }
        sum += product;
    }
    return w->lambda == 1 ? sum : sum / sets;
}

static void draw_world(world *w, uint64_t *random)
{
    *w = (world){.all = 1 + (size_t)test_below(random, COLUMNS_MOST),
                 .rows = 1 + (uint32_t)test_below(random, ROWS_MOST),
                 .people = 1 + (uint32_t)test_below(random, ROWS_MOST),
                 .fixed = test_below(random, 2)};
    /* With wide columns a combination does not fit one word. */
    uint32_t count = test_below(random, 3) ? CODES : 1u << 30;
    double left = 1;
    w->known = 1 + (size_t)test_below(random, w->all);
    w->lambda = 1 + (uint32_t)test_below(random, w->all);
    for (uint32_t i = 0; i < ROWS_MOST; i++) {
        w->row_size[i] = 1 + (uint32_t)test_below(random, 3);
        w->person_size[i] = 1 + (uint32_t)test_below(random, 3);
    }
    for (size_t c = 0; c < w->known + w->fixed; c++) {
        for (uint32_t i = 0; i < ROWS_MOST; i++) {
            w->row[c][i] = (uint32_t)test_below(random, CODES - 1);
            w->person[c][i] = (uint32_t)test_below(random, CODES - 1);
            if (test_below(random, 20) == 0) w->person[c][i] = BT_TUPLE_NONE;
        }
        w->row_codes[c] = (bt_codes){w->row[c], 4, count};
        w->person_codes[c] = (bt_codes){w->person[c], 4, count};
    }
    for (size_t c = 0; c < w->all; c++) {
        w->redrawn[c] = c + 1 == w->all ? left : left * 0.3;
        left -= w->redrawn[c];
        w->shares[c] = w->share[c];
        for (uint32_t v = 0; v < CODES; v++)
            w->share[c][v] = (double)(1 + test_below(random, 9)) / 10;
    }
}

static void assert_close(double found, double expected)
{
    if (fabs(found - expected) > 1e-9 * (1 + fabs(expected)))
        fail_msg("%.12g, not %.12g", found, expected);
}

/* The set of columns in which both differ; set_count: more than there may be. */
static size_t set_of(const world *w, const bt_redrawn *redrawn, uint32_t person, uint32_t row)
{
    uint64_t differ = 0;
    size_t i = 0;
    for (size_t c = 0; c < w->known && c < COLUMNS_MOST; c++)
        differ |= (uint64_t)(w->person[c][person] != w->row[c][row]) << c;
    if (redrawn->set_count == 1) return 0; /* of all columns */
    while (i < redrawn->set_count && redrawn->sets[i].columns != differ)
        i++;
    return i;
}

static void check_world(const world *w, const bt_redrawn *redrawn)
{
    double rows[ROWS_MOST], people[ROWS_MOST], reach[ROWS_MOST], weight[ROWS_MOST];
    double row_sum[ROWS_MOST] = {0};
    bauta_error error;
    for (uint32_t i = 0; i < ROWS_MOST; i++)
        weight[i] = 1 + i * 0.25;
    assert_ok(bt_redrawn_sum_rows(redrawn, weight, people, &error), &error);
    assert_ok(bt_redrawn_sum_people(redrawn, NULL, rows, &error), &error);
    assert_ok(bt_redrawn_reach(redrawn, reach, &error), &error);
    for (uint32_t p = 0; p < w->people; p++) {
        double sum = 0, within = 0;
        for (uint32_t r = 0; r < w->rows; r++) {
            double chance = naive_chance(w, p, r);
            size_t set = set_of(w, redrawn, p, r);
            sum += w->row_size[r] * weight[r] * chance;
            row_sum[r] += w->person_size[p] * chance;
            if (chance > 0) within += w->row_size[r];
            if (chance <= 0) continue;
            assert_true(set < redrawn->set_count);
            assert_int_equal(redrawn->sets[set].of_person[p], redrawn->sets[set].of_row[r]);
            assert_close(bt_redrawn_chance(redrawn, &redrawn->sets[set], r), chance);
        }
        assert_close(people[p], sum);
        assert_close(reach[p], within);
    }
    for (uint32_t r = 0; r < w->rows; r++)
        assert_close(rows[r], row_sum[r]);
}

static void as_all_sets_say(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 7;
    for (int round = 0; round < 600; round++) {
        bt_run run;
        bt_redrawn redrawn;
        bauta_error error;
        test_run_open(&run, 1);
        draw_world(&w, &random);
        const bt_redrawn_plan plan = {.rows = {w.rows, w.row_size, w.row_codes},
                                      .people = {w.people, w.person_size, w.person_codes},
                                      .columns = w.known + w.fixed,
                                      .drawn = w.known,
                                      .lambda = w.lambda,
                                      .all = w.all,
                                      .redrawn = w.redrawn,
                                      .share = w.shares};
        assert_ok(bt_redrawn_open(&plan, &run, &redrawn, &error), &error);
        check_world(&w, &redrawn);
        bt_redrawn_close(&redrawn);
        bt_pool_free(run.pool);
    }
}

/* ---- success ---- */

enum { PEOPLE = 7, QUASI = 3 };

typedef struct small {
    int record[PEOPLE][QUASI], row[PEOPLE][QUASI], secret[PEOPLE]; /* row i is that of record i */
    double chance[PEOPLE][PEOPLE];                                 /* of record and row */
    double own[PEOPLE][PEOPLE]; /* the same given all of both: over all ways to belong */
} small;

static void draw_small(small *s, uint64_t *random)
{
    for (int i = 0; i < PEOPLE; i++) {
        s->secret[i] = (int)test_below(random, 2);
        for (int c = 0; c < QUASI; c++)
            s->record[i][c] = (int)test_below(random, 3);
    }
    for (int i = 0; i < PEOPLE; i++) {
        size_t drawn = (size_t)test_below(random, QUASI);
        memcpy(s->row[i], s->record[i], sizeof s->row[i]);
        s->row[i][drawn] = s->record[test_below(random, PEOPLE)][drawn];
    }
}

static void find_chances(small *s)
{
    for (int p = 0; p < PEOPLE; p++)
        for (int r = 0; r < PEOPLE; r++) {
            s->chance[p][r] = 0;
            for (int drawn = 0; drawn < QUASI; drawn++) {
                double share = 0;
                bool same = true;
                for (int i = 0; i < PEOPLE; i++)
                    share += (s->row[i][drawn] == s->row[r][drawn]) / (double)PEOPLE;
                for (int c = 0; c < QUASI; c++)
                    same = same && (c == drawn || s->record[p][c] == s->row[r][c]);
                if (same) s->chance[p][r] += share / QUASI;
            }
        }
}

/* Adds the weight of every permutation of rows that begins with these to what it says. */
static void permute(small *s, int *row_of, int done, double weight)
{
    if (weight <= 0) return;
    if (done == PEOPLE) {
        for (int p = 0; p < PEOPLE; p++)
            s->own[p][row_of[p]] += weight;
        return;
    }
    for (int r = 0; r < PEOPLE; r++) {
        bool free_row = s->secret[r] == s->secret[done];
        for (int p = 0; p < done; p++)
            free_row = free_row && row_of[p] != r;
        row_of[done] = r;
        if (free_row) permute(s, row_of, done + 1, weight * s->chance[done][r] * 10);
    }
}

/* The share of people whose likeliest row is their own. */
static double exact_rate(small *s)
{
    int row_of[PEOPLE];
    double rate = 0;
    memset(s->own, 0, sizeof s->own);
    permute(s, row_of, 0, 1);
    for (int p = 0; p < PEOPLE; p++) {
        double best = 0, ties = 0, right = 0, sum = 0;
        for (int r = 0; r < PEOPLE; r++)
            best = fmax(best, s->chance[p][r]);
        for (int r = 0; r < PEOPLE; r++) {
            bool tie = s->chance[p][r] > best * (1 - 1e-9);
            ties += tie;
            right += tie ? s->own[p][r] : 0;
            sum += s->own[p][r];
        }
        rate += right / ties / sum / PEOPLE;
    }
    return rate;
}

static const char *write_small(const small *s, const int (*rows)[QUASI], char *text, size_t room)
{
    size_t at = (size_t)snprintf(text, room, "a,b,c,s\n");
    for (int i = 0; i < PEOPLE; i++)
        at += (size_t)snprintf(text + at, room - at, "x%d,x%d,x%d,y%d\n", rows[i][0], rows[i][1],
                               rows[i][2], s->secret[i]);
    return text;
}

#define REDRAWN(name)                                                                              \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"1/3\"},"

static void success_is_what_all_ways_make_likely(void **state)
{
    (void)state;
    uint64_t random = 11;
    double bias = 0, apart = 0;
    enum { ROUNDS = 150 };
    for (int round = 0; round < ROUNDS; round++) {
        small s;
        char text[2][400];
        draw_small(&s, &random);
        find_chances(&s);
        const test_release release = {.form = "randomized:lambda=1,p=uniform,rare=0",
                                      .promises = "",
                                      .lambda = 1,
                                      .columns = REDRAWN("a") REDRAWN("b") REDRAWN("c")
                                          TEST_SENSITIVE("s"),
                                      .data = write_small(&s, s.row, text[0], sizeof text[0])};
        const char *folder = test_release_write("small", &release);
        const char *original =
            scratch_text("small.csv", write_small(&s, s.record, text[1], sizeof text[1]));
        bauta_report *report =
            try_attacks(folder, original, ARGUMENTS("attack=re-identification"), true);
        double found = rate_of(find_result(report, "re-identification", "prosecutor"), "success");
        double off = found - exact_rate(&s);
        bias += off / ROUNDS;
        apart += fabs(off) / ROUNDS;
        bauta_report_free(report);
    }
    /* The approximation is a little too sure where so few people are mixed up with each other. */
    if (fabs(bias) > 0.012 || apart > 0.015) fail_msg("bias %g, apart %g", bias, apart);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_all_sets_say),
        cmocka_unit_test(success_is_what_all_ways_make_likely),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
