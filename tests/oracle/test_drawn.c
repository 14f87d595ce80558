/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit of randomized releases against brute force: whether rows can each be a record of their
 * own with few values drawn anew, by all orders of the records; and how many rows equal a record on
 * average, by all ways to draw.
 */
#include "../release_files.h"

#include <math.h>

enum { ROWS = 5, COLUMNS = 3, VALUES = 3, SENSITIVE = 2, CASES = 300 };

typedef struct world {
    unsigned lambda;
    unsigned records[ROWS][COLUMNS + 1], rows[ROWS][COLUMNS + 1]; /* the last column is sensitive */
} world;

static void fill(world *w, uint64_t *state)
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

static bool may_be(const world *w, size_t row, size_t record)
{
    unsigned differ = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        differ += w->rows[row][c] != w->records[record][c];
    return differ <= w->lambda && w->rows[row][COLUMNS] == w->records[record][COLUMNS];
}

/* Whether some order of the records goes with the rows: all of them are tried. */
static bool can_be_matched(const world *w)
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

static bool is_record(const world *w, const unsigned *row)
{
    for (size_t r = 0; r < ROWS; r++)
        if (memcmp(w->records[r], row, sizeof w->records[r]) == 0) return true;
    return false;
}

/* The mean number of rows that equal a record: every set of columns, every record to draw each of
 * its values from. */
static double expected_equal(const world *w)
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

static json_t *audit(const world *w, bauta_report **report)
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
        world w;
        bauta_report *report = NULL;
        fill(&w, &random);
        bool wanted = can_be_matched(&w);
        matched += wanted;
        const json_t *facts = audit(&w, &report);
        if (test_verdict(facts, "original records") != wanted)
            fail_msg("case %zu: %s", i, wanted ? "can be matched" : "cannot be matched");
        const char *detail =
            json_string_value(json_object_get(test_finding(facts, "drawing"), "detail"));
        const char *number = detail ? strstr(detail, "drawn anew: ") : NULL;
        if (number)
            assert_true(fabs(atof(number + strlen("drawn anew: ")) - expected_equal(&w)) < 0.051);
        else
            assert_int_equal(test_verdict(facts, "drawing"), 0);
        bauta_report_free(report);
    }
    assert_in_range(matched, CASES / 10, CASES - CASES / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_matched_with_records)};
    return cmocka_run_group_tests_name("drawn", tests, scratch_make, scratch_empty);
}
