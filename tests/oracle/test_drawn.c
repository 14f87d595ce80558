/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit of randomized releases against brute force: whether rows can each be a record of their
 * own with few values drawn anew, by all orders of the records; how many rows equal a record on
 * average, by all ways to draw; and which share of rows left as they were would be noticed, from
 * the distribution of what becomes of each record.
 */
#include "../drawn_world.h"

#include "audit/chance.h"

#include <math.h>

enum { ROWS = 5, COLUMNS = 3, VALUES = 3, SENSITIVE = 2, CASES = 300 };

typedef struct small {
    unsigned lambda;
    unsigned records[ROWS][COLUMNS + 1], rows[ROWS][COLUMNS + 1]; /* the last column is sensitive */
} small;

static void fill(small *w, uint64_t *state)
{
    w->lambda = 1 + (unsigned)test_below(state, 2);
    for (size_t r = 0; r < ROWS; r++) {
        for (size_t c = 0; c < COLUMNS; c++)
            w->records[r][c] = (unsigned)test_below(state, VALUES);
        w->records[r][COLUMNS] = (unsigned)test_below(state, SENSITIVE);
    }
    for (size_t r = 0; r < ROWS; r++) {
        memcpy(w->rows[r], w->records[(r + 2) % ROWS], sizeof w->rows[r]);
        for (unsigned i = 0; i < w->lambda + (test_below(state, 4) == 0); i++)
            w->rows[r][test_below(state, COLUMNS)] =
                w->records[test_below(state, ROWS)][test_below(state, COLUMNS)];
    }
}

static bool may_be(const small *w, size_t row, size_t record)
{
    unsigned differ = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        differ += w->rows[row][c] != w->records[record][c];
    return differ <= w->lambda && w->rows[row][COLUMNS] == w->records[record][COLUMNS];
}

/* Whether some order of the records goes with the rows: all of them are tried. */
static bool can_be_matched(const small *w)
{
    for (size_t order = 0; order < ROWS * ROWS * ROWS * ROWS * ROWS; order++) {
        unsigned taken = 0;
        bool fits = true;
        for (size_t row = 0, rest = order; row < ROWS && fits; row++, rest /= ROWS) {
            fits = !(taken >> rest % ROWS & 1) && may_be(w, row, rest % ROWS);
            taken |= 1u << rest % ROWS;
        }
        if (fits) return true;
    }
    return false;
}

static bool is_record(const small *w, const unsigned *row)
{
    for (size_t r = 0; r < ROWS; r++)
        if (memcmp(w->records[r], row, sizeof w->records[r]) == 0) return true;
    return false;
}

/* The mean number of rows that equal a record: every set of columns, every record to draw each of
 * its values from. */
static double expected_equal(const small *w)
{
    double sum = 0;
    size_t sets = 0;
    for (unsigned set = 0; set < 1u << COLUMNS; set++) {
        if ((unsigned)__builtin_popcount(set) != w->lambda) continue;
        sets++;
        for (size_t r = 0; r < ROWS; r++)
            for (size_t from = 0; from < ROWS * ROWS * ROWS; from++) {
                unsigned row[COLUMNS + 1];
                memcpy(row, w->records[r], sizeof row);
                for (size_t c = 0, rest = from; c < COLUMNS; c++, rest /= ROWS)
                    if (set >> c & 1) row[c] = w->records[rest % ROWS][c];
                sum += is_record(w, row) / (double)(ROWS * ROWS * ROWS);
            }
    }
    return sum / (double)sets;
}

static void print_rows(char *out, const unsigned rows[ROWS][COLUMNS + 1])
{
    char *at = out + sprintf(out, "a,b,c,s\n");
    for (size_t r = 0; r < ROWS; r++)
        at += sprintf(at, "v%u,v%u,v%u,s%u\n", rows[r][0], rows[r][1], rows[r][2], rows[r][3]);
}

#define COLUMN(name, share)                                                                        \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"" share "\"},"
static const char *const columns[] = {
    COLUMN("a", "1/3") COLUMN("b", "1/3") COLUMN("c", "1/3") TEST_SENSITIVE("s"),
    COLUMN("a", "2/3") COLUMN("b", "2/3") COLUMN("c", "2/3") TEST_SENSITIVE("s")};

static json_t *audit(const small *w, bauta_report **report)
{
    char data[512], original[512];
    bauta_error error;
    print_rows(data, w->rows);
    print_rows(original, w->records);
    const test_release release = {.form = "randomized",
                                  .promises = "",
                                  .lambda = w->lambda,
                                  .columns = columns[w->lambda - 1],
                                  .data = data};
    bauta_recipe *recipe = test_original(scratch_text("original.csv", original), "2");
    bauta_status status =
        bauta_audit(test_release_write("drawn", &release), recipe, report, &error);
    bauta_recipe_free(recipe);
    if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
    return (*report)->facts.root;
}

static void rows_are_matched_with_records(void **state)
{
    (void)state;
    uint64_t random = 8;
    size_t matched = 0;
    for (size_t i = 0; i < CASES; i++) {
        small w;
        bauta_report *report = NULL;
        fill(&w, &random);
        bool wanted = can_be_matched(&w);
        matched += wanted;
        const json_t *facts = audit(&w, &report);
        if (test_verdict(facts, "original records") != wanted)
            fail_msg("case %zu: %s", i, wanted ? "can be matched" : "cannot be matched");
        const char *detail =
            json_string_value(json_object_get(test_finding(facts, "drawing"), "detail"));
        /* So few rows tell nothing, but how many are expected is told. */
        assert_int_equal(test_verdict(facts, "drawing"), -1);
        const char *number = strstr(detail, "original record, ");
        assert_non_null(number);
        assert_true(fabs(atof(number + strlen("original record, ")) - expected_equal(&w)) < 0.051);
        bauta_report_free(report);
    }
    assert_in_range(matched, CASES / 10, CASES - CASES / 10);
}

/* ---- what would be noticed ---- */

enum { MOST_KINDS = 256 }; /* combinations that records of a world may have */

typedef struct kinds {
    size_t count, width;
    const unsigned *of[MOST_KINDS]; /* a record of each kind */
    double size[MOST_KINDS];
    double chance[MOST_KINDS][MOST_KINDS]; /* that a record of the first kind becomes the second */
} kinds;

static void find_kinds(const world *w, kinds *out)
{
    out->width = w->columns + 1;
    for (size_t r = 0; r < w->rows; r++) {
        const unsigned *record = &w->records[r * out->width];
        size_t k = 0;
        while (k < out->count && memcmp(out->of[k], record, out->width * sizeof *record) != 0)
            k++;
        assert_true(k < MOST_KINDS);
        if (k == out->count) out->of[out->count++] = record;
        out->size[k]++;
    }
}

/* The chance that one record becomes another: over all sets of columns. */
static double transition(const world *w, const kinds *all, size_t from, size_t to)
{
    double sum = 0;
    size_t sets = 0;
    for (unsigned set = 0; set < 1u << w->columns; set++) {
        if ((unsigned)__builtin_popcount(set) != w->lambda) continue;
        double chance = 1;
        sets++;
        for (size_t c = 0; c < all->width; c++) {
            double holding = 0;
            for (size_t k = 0; k < all->count; k++)
                holding += all->of[k][c] == all->of[to][c] ? all->size[k] : 0;
            if (c < w->columns && set >> c & 1)
                chance *= holding / (double)w->rows;
            else
                chance *= all->of[from][c] == all->of[to][c];
        }
        sum += chance;
    }
    return sum / (double)sets;
}

/* The smallest share, with the values that are capped there. */
static double share_noticed(const world *w, const kinds *all, double cap, bool exact)
{
    bt_sum sum = {.most = cap};
    double untouched = 0, value[MOST_KINDS], alarm = bt_alarm_log(2 + 2 * w->columns);
    for (size_t k = 0; k < all->count; k++) {
        double expected = 0;
        for (size_t from = 0; from < all->count; from++)
            expected += all->size[from] * all->chance[from][k];
        value[k] = fmin(all->size[k] / expected, cap);
        untouched += all->size[k] * value[k];
    }
    for (size_t from = 0; from < all->count; from++) {
        double mean = 0, square = 0, there = 0;
        for (size_t k = 0; k < all->count; k++) {
            double chance = all->chance[from][k], off = exact ? value[k] : value[k] - 1;
            mean += chance * value[k];
            square += chance * off * off;
            there += chance;
        }
        sum.mean += all->size[from] * mean;
        sum.variance += all->size[from] * (exact ? square - mean * mean : square + 1 - there);
    }
    double far = bt_sum_reach(&sum, alarm) + bt_sum_reach(&sum, 4.6);
    return untouched > sum.mean ? far / (untouched - sum.mean) : INFINITY;
}

static double best_share(const world *w, const kinds *all)
{
    double best = INFINITY, chosen = 1;
    for (int i = 0; i <= 16; i++) {
        double share = share_noticed(w, all, ldexp(1, i), false);
        if (share >= best) continue;
        best = share;
        chosen = ldexp(1, i);
    }
    return share_noticed(w, all, chosen, true);
}

static void the_share_that_would_be_noticed_is_exact(void **state)
{
    (void)state;
    uint64_t random = 5;
    size_t told = 0;
    for (size_t i = 0; i < 40; i++) {
        world w = {.rows = 500 + test_below(&random, 4000),
                   .columns = 2 + test_below(&random, 2),
                   .together = 30 + (unsigned)test_below(&random, 60),
                   .random = test_random(&random)};
        w.lambda = 1 + (unsigned)test_below(&random, w.columns);
        for (size_t c = 0; c <= w.columns; c++)
            w.values[c] = 2 + (unsigned)test_below(&random, 3);
        kinds *all = bt_array_zero(1, sizeof *all);
        bauta_report *report = NULL;
        world_fill(&w);
        world_draw(&w, WORLD_HONEST);
        find_kinds(&w, all);
        for (size_t from = 0; from < all->count; from++)
            for (size_t to = 0; to < all->count; to++)
                all->chance[from][to] = transition(&w, all, from, to);
        double wanted = 100 * best_share(&w, all);
        const json_t *facts = world_audit(&w, &report);
        const char *detail =
            json_string_value(json_object_get(test_finding(facts, "drawing"), "detail"));
        const char *share = strstr(detail, "expected; that ");
        assert_int_equal(share ? 1 : -1, test_verdict(facts, "drawing"));
        if (share) {
            assert_true(fabs(atof(share + strlen("expected; that ")) - wanted) < 0.051);
            told++;
        } else {
            assert_true(wanted > 25);
        }
        bauta_report_free(report);
        world_free(&w);
        free(all);
    }
    assert_in_range(told, 10, 39);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_matched_with_records),
        cmocka_unit_test(the_share_that_would_be_noticed_is_exact),
    };
    return cmocka_run_group_tests_name("drawn", tests, scratch_make, scratch_empty);
}
