/* SPDX-License-Identifier: Apache-2.0
 *
 * The mechanism of `randomized`: which are none, that values are drawn with the probabilities that
 * it names (chi-square), for any number of threads alike, and what becomes of rare values.
 */
#include "../release_files.h"

#include "base/bitset.h"
#include "class/linkage.h"
#include "publish/rare.h"
#include "publish/redraw.h"

enum { COLUMNS = 3, ROWS_MOST = 60000 };

/* ---- mechanisms ---- */

static bauta_status make(uint32_t lambda, const char *const *shares, size_t count,
                         bt_mechanism *out, bt_arena *arena, bauta_error *error)
{
    bt_rational redrawn[8];
    for (size_t i = 0; i < count; i++)
        assert_true(bt_rational_parse(shares[i], &redrawn[i]));
    return bt_mechanism_make(lambda, redrawn, count, arena, out, error);
}

#define MAKE(lambda, ...)                                                                          \
    make((lambda), (const char *const[]){__VA_ARGS__},                                             \
         sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *), &mechanism, &arena, &error)

static void what_is_no_mechanism_is_refused(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bauta_error error;
    assert_ok(MAKE(1, "1/3", "1/3", "1/3"), &error);
    assert_int_equal(mechanism.total, 3);
    assert_ok(MAKE(1, "0.5", "0.3", "0.2"), &error);
    assert_int_equal(mechanism.total, 10);
    assert_int_equal(mechanism.weight[1], 3);
    assert_ok(MAKE(2, "2/3", "2/3", "2/3"), &error);
    assert_ok(MAKE(1, "1"), &error);
    assert_fails(MAKE(1, "0.33", "0.33", "0.33"), BAUTA_INVALID, &error, "add up to less than 1");
    assert_fails(MAKE(1, "1/2", "1/2", "1/2"), BAUTA_INVALID, &error, "add up to more than 1");
    assert_fails(MAKE(1, "1", "0"), BAUTA_INVALID, &error, "must be above 0");
    assert_fails(MAKE(1, "3/2", "-1/2"), BAUTA_INVALID, &error, "at most 1");
    assert_fails(MAKE(3, "1", "1"), BAUTA_INVALID, &error, "lambda is 3, but there are 2");
    assert_fails(MAKE(0, "1/2", "1/2"), BAUTA_INVALID, &error, "lambda is 0");
    assert_fails(MAKE(2, "1/2", "3/4", "3/4"), BAUTA_INVALID, &error, "same probability, 2/3");
    assert_fails(MAKE(1, "1/4611686018427387847", "1/4611686018427387817"), BAUTA_INVALID, &error,
                 "no common denominator");
    bt_arena_release(&arena);
}

/* ---- drawing ---- */

typedef struct small_table {
    bt_column columns[COLUMNS], drawn[COLUMNS];
    const bt_column *from[COLUMNS];
    bt_column *to[COLUMNS];
    uint8_t codes[2][COLUMNS][ROWS_MOST];
    uint64_t dropped[ROWS_MOST / 64 + 1];
    int64_t rows;
} small_table;

/* Column c has 2 + c values, skewed; row 0's record is repeated in every third row. */
static void fill(small_table *table, int64_t rows)
{
    uint64_t random = 5;
    memset(table, 0, sizeof *table);
    table->rows = rows;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        table->columns[c] = (bt_column){.domain = {.size = 2 + c}, .width = 1};
        table->drawn[c] = table->columns[c];
        table->columns[c].codes = table->codes[0][c];
        table->drawn[c].codes = table->codes[1][c];
        table->from[c] = &table->columns[c];
        table->to[c] = &table->drawn[c];
        for (int64_t row = 0; row < rows; row++) {
            uint64_t a = test_below(&random, 2 + c), b = test_below(&random, 2 + c);
            table->codes[0][c][row] = row % 3 ? (uint8_t)(a < b ? a : b) : (uint8_t)c;
        }
    }
}

static double share_of(const small_table *table, size_t column, uint32_t code)
{
    int64_t count = 0;
    for (int64_t row = 0; row < table->rows; row++)
        count += table->codes[0][column][row] == code;
    return (double)count / (double)table->rows;
}

/* The record (0,1,2) stands in every third row: what it became, against the probabilities. */
static void check_transitions(const bt_mechanism *mechanism, unsigned threads)
{
    static small_table table;
    bt_run run;
    bauta_error error;
    double seen[2][3][4] = {{{0}}}, square = 0, trials = ROWS_MOST / 3, sum = 0;
    int cells = 0;
    fill(&table, ROWS_MOST);
    test_run_open(&run, threads);
    assert_true(bt_seed_parse("11", &run.seed));
    assert_ok(bt_redraw(mechanism, table.from, table.to, table.rows, table.dropped, &run, &error),
              &error);
    for (int64_t row = 0; row < table.rows; row += 3)
        seen[table.codes[1][0][row]][table.codes[1][1][row]][table.codes[1][2][row]]++;
    for (uint32_t a = 0; a < 2; a++)
        for (uint32_t b = 0; b < 3; b++)
            for (uint32_t c = 0; c < 4; c++) {
                const double chance[] = {share_of(&table, 0, a), share_of(&table, 1, b),
                                         share_of(&table, 2, c)};
                uint64_t differs =
                    (uint64_t)(a != 0) | (uint64_t)(b != 1) << 1 | (uint64_t)(c != 2) << 2;
                double expected = trials * bt_transition(mechanism, chance, differs);
                double off = seen[a][b][c] - expected;
                sum += expected;
                if (expected == 0) assert_true(seen[a][b][c] == 0);
                if (expected == 0) continue;
                assert_true(expected > 5);
                square += off * off / expected;
                cells++;
            }
    assert_true(sum > trials * (1 - 1e-9) && sum < trials * (1 + 1e-9));
    /* Of so many degrees of freedom chi-square is beyond this once in 10,000 times. */
    static const double most[24] = {[6] = 25.7, [17] = 48, [23] = 57};
    assert_true(cells - 1 < 24 && most[cells - 1] > 0);
    if (square > most[cells - 1]) fail_msg("chi-square %f of %d cells", square, cells);
    bt_pool_free(run.pool);
}

static void values_are_drawn_with_these_probabilities(void **state)
{
    (void)state;
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bauta_error error;
    assert_ok(MAKE(1, "1/3", "1/3", "1/3"), &error);
    check_transitions(&mechanism, 1);
    assert_ok(MAKE(1, "1/2", "3/8", "1/8"), &error);
    check_transitions(&mechanism, 2);
    assert_ok(MAKE(2, "2/3", "2/3", "2/3"), &error);
    check_transitions(&mechanism, 1);
    assert_ok(MAKE(3, "1", "1", "1"), &error);
    check_transitions(&mechanism, 1);
    bt_arena_release(&arena);
}

static void records_that_are_left_out_are_not_drawn_from(void **state)
{
    (void)state;
    static small_table table;
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bt_run run;
    bauta_error error;
    fill(&table, 20000);
    test_run_open(&run, 2);
    for (int64_t row = 0; row < table.rows; row++)
        if (table.codes[0][2][row] != 1) bt_bitset_add(table.dropped, (size_t)row);
    assert_ok(MAKE(3, "1", "1", "1"), &error);
    assert_ok(bt_redraw(&mechanism, table.from, table.to, table.rows, table.dropped, &run, &error),
              &error);
    for (int64_t row = 0; row < table.rows; row++)
        if (!bt_bitset_has(table.dropped, (size_t)row)) assert_int_equal(table.codes[1][2][row], 1);
    bt_pool_free(run.pool);
    bt_arena_release(&arena);
}

/* What is drawn for a record depends on its place among those that are published, not on how many
 * are left out before it. */
static void records_that_are_left_out_take_no_draws(void **state)
{
    (void)state;
    static small_table table, rest;
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bt_run run;
    bauta_error error;
    int64_t next = 0;
    fill(&table, ROWS_MOST);
    fill(&rest, ROWS_MOST);
    for (int64_t row = 0; row < table.rows; row++) {
        if (row % 7 == 2) bt_bitset_add(table.dropped, (size_t)row);
        for (size_t c = 0; c < COLUMNS && row % 7 != 2; c++)
            rest.codes[0][c][next] = table.codes[0][c][row];
        next += row % 7 != 2;
    }
    rest.rows = next;
    test_run_open(&run, 2);
    for (uint32_t lambda = 1; lambda < 3; lambda++) {
        assert_ok(lambda == 1 ? MAKE(1, "1/3", "1/3", "1/3") : MAKE(2, "2/3", "2/3", "2/3"),
                  &error);
        assert_ok(
            bt_redraw(&mechanism, table.from, table.to, table.rows, table.dropped, &run, &error),
            &error);
        assert_ok(bt_redraw(&mechanism, rest.from, rest.to, rest.rows, rest.dropped, &run, &error),
                  &error);
        next = 0;
        for (int64_t row = 0; row < table.rows; row++) {
            for (size_t c = 0; c < COLUMNS && row % 7 != 2; c++)
                assert_int_equal(rest.codes[1][c][next], table.codes[1][c][row]);
            next += row % 7 != 2;
        }
    }
    bt_pool_free(run.pool);
    bt_arena_release(&arena);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    static small_table table, other;
    bt_arena arena = {0};
    bt_mechanism mechanism;
    bauta_error error;
    for (uint32_t lambda = 1; lambda <= 2; lambda++) {
        if (lambda == 1)
            assert_ok(MAKE(1, "0.7", "0.2", "0.1"), &error);
        else
            assert_ok(MAKE(2, "2/3", "2/3", "2/3"), &error);
        for (unsigned threads = 1; threads <= 4; threads += 3) {
            small_table *to = threads == 1 ? &table : &other;
            bt_run run;
            fill(to, 50001);
            test_run_open(&run, threads);
            assert_true(bt_seed_parse("abc", &run.seed));
            assert_ok(bt_redraw(&mechanism, to->from, to->to, to->rows, to->dropped, &run, &error),
                      &error);
            bt_pool_free(run.pool);
        }
        assert_memory_equal(table.codes[1], other.codes[1], sizeof table.codes[1]);
    }
    bt_arena_release(&arena);
}

/* ---- rare values ---- */

typedef struct rare_case {
    bt_column column;
    bt_domain domain;
    uint8_t codes[256];
    int64_t numbers[16], rows;
    uint64_t dropped[4];
    bt_rare found;
} rare_case;

/* counts[i] records hold value i. */
static void count_out(rare_case *to, const int *counts, size_t values)
{
    *to = (rare_case){0};
    to->column = (bt_column){.name = "c", .width = 1, .domain = {.size = (uint32_t)values}};
    to->column.codes = to->codes;
    for (size_t i = 0; i < values; i++) {
        to->numbers[i] = (int64_t)i * 10;
        for (int n = 0; n < counts[i]; n++)
            to->codes[to->rows++] = (uint8_t)i;
    }
}

static void treat(rare_case *of, int64_t least)
{
    bt_column *columns[] = {&of->column};
    bauta_error error;
    assert_ok(bt_rare_remove(columns, 1, of->rows, least, of->dropped, &of->found, &error), &error);
}

static void assert_held(const rare_case *of, const int *expected, size_t values)
{
    int held[16] = {0};
    for (int64_t row = 0; row < of->rows; row++)
        if (!bt_bitset_has(of->dropped, (size_t)row)) held[of->codes[row]]++;
    for (size_t i = 0; i < values; i++)
        assert_int_equal(held[i], expected[i]);
}

static void rare_text_is_dropped(void **state)
{
    (void)state;
    rare_case of;
    count_out(&of, (const int[]){20, 9, 2, 1}, 4);
    treat(&of, 3);
    assert_held(&of, (const int[]){20, 9, 0, 0}, 4);
    assert_int_equal(of.found.dropped, 3);
    assert_int_equal(of.found.merged, 0);
    bt_column *columns[] = {&of.column};
    bauta_error error;
    count_out(&of, (const int[]){1, 2, 2}, 3);
    assert_fails(bt_rare_remove(columns, 1, of.rows, 3, of.dropped, &of.found, &error),
                 BAUTA_INVALID, &error, "every record has a value that fewer than 3 hold");
}

static void rare_numbers_go_to_their_neighbours(void **state)
{
    (void)state;
    rare_case of;
    /* The last ones go to the run before; a run of rare ones makes its commonest common. */
    count_out(&of, (const int[]){2, 9, 3, 2, 1, 7, 1, 2}, 8);
    of.column.domain.number = of.numbers;
    treat(&of, 5);
    assert_held(&of, (const int[]){0, 11, 5, 0, 0, 11, 0, 0}, 8);
    assert_int_equal(of.found.merged, 8);
    assert_int_equal(of.found.dropped, 0);
    /* The missing value is no neighbour of anything. */
    count_out(&of, (const int[]){6, 1, 2}, 3);
    of.column.domain.number = of.numbers;
    of.column.domain.has_missing = true;
    treat(&of, 3);
    assert_held(&of, (const int[]){7, 0, 0}, 3);
    assert_int_equal(of.found.dropped, 2);
}

static void rare_values_go_to_relatives(void **state)
{
    (void)state;
    rare_case of;
    bt_arena arena = {0};
    bauta_error error;
    bt_hierarchy *tree;
    /* a b | c d e | f, the last of which has no relatives; under the first two a node. */
    static const char *const paths[][3] = {{"a", "P", "Z"}, {"b", "P", "Z"}, {"c", "Q", "Z"},
                                           {"d", "Q", "Z"}, {"e", "Q", "Z"}, {"f", "R", "Y"}};
    const char *const *list[6];
    size_t lengths[6];
    for (size_t i = 0; i < 6; i++) {
        list[i] = paths[i];
        lengths[i] = 3;
    }
    assert_ok(bt_hierarchy_from_paths(list, lengths, 6, "tree", "c", &arena, &tree, &error),
              &error);
    count_out(&of, (const int[]){4, 3, 9, 1, 1, 2}, 6);
    of.column.hierarchy = tree;
    treat(&of, 5);
    assert_held(&of, (const int[]){7, 0, 11, 0, 0, 0}, 6);
    assert_int_equal(of.found.dropped, 2);
    /* d is the commonest of its node, but those beside it are enough by themselves only together
     * with the node above. */
    count_out(&of, (const int[]){2, 2, 1, 2, 1, 9}, 6);
    of.column.hierarchy = tree;
    treat(&of, 6);
    assert_held(&of, (const int[]){8, 0, 0, 0, 0, 9}, 6);
    assert_int_equal(of.found.dropped, 0);
    bt_arena_release(&arena);
}

/* Whatever the counts: what is left is not rare, and nothing is lost but what is counted. */
static void nothing_rare_is_left(void **state)
{
    (void)state;
    uint64_t random = 77;
    for (int round = 0; round < 3000; round++) {
        rare_case of[2];
        int counts[2][8], rows[2] = {0, 0};
        for (int c = 0; c < 2; c++) {
            for (int i = 0; i < 8; i++)
                rows[c] += counts[c][i] = (int)test_below(&random, 9);
            count_out(&of[c], counts[c], 8);
            if (c == 0 && round % 2) of[c].column.domain.number = of[c].numbers;
        }
        int64_t all = rows[0] < rows[1] ? rows[0] : rows[1];
        bt_column *columns[] = {&of[0].column, &of[1].column};
        uint64_t dropped[4] = {0};
        bt_rare found;
        bauta_error error;
        int64_t least = 1 + (int64_t)test_below(&random, 6);
        bauta_status status = bt_rare_remove(columns, 2, all, least, dropped, &found, &error);
        if (status == BAUTA_INVALID) continue;
        assert_int_equal(status, BAUTA_OK);
        int64_t kept = 0, held[2][8] = {{0}};
        for (int64_t row = 0; row < all; row++) {
            if (bt_bitset_has(dropped, (size_t)row)) continue;
            kept++;
            for (int c = 0; c < 2; c++)
                held[c][of[c].codes[row]]++;
        }
        assert_int_equal(kept, all - found.dropped);
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < 8; i++)
                assert_true(held[c][i] == 0 || held[c][i] >= least);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_mechanism_is_refused),
        cmocka_unit_test(values_are_drawn_with_these_probabilities),
        cmocka_unit_test(records_that_are_left_out_are_not_drawn_from),
        cmocka_unit_test(records_that_are_left_out_take_no_draws),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(rare_text_is_dropped),
        cmocka_unit_test(rare_numbers_go_to_their_neighbours),
        cmocka_unit_test(rare_values_go_to_relatives),
        cmocka_unit_test(nothing_rare_is_left),
    };
    return cmocka_run_group_tests_name("redraw", tests, scratch_make, scratch_empty);
}
