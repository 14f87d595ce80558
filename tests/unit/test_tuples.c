/* SPDX-License-Identifier: Apache-2.0
 *
 * Grouping rows by tuples of codes.
 */
#include "release_files.h"

#include "table/tuples.h"

enum { ROWS = 3000, COLUMNS = 5 };

typedef struct codes_case {
    bt_codes columns[COLUMNS];
    size_t count;
} codes_case;

static void make_codes(codes_case *c, uint64_t *random, uint32_t distinct)
{
    static const unsigned widths[] = {1, 2, 4, 1, 2};
    for (size_t i = 0; i < c->count; i++) {
        unsigned width = widths[i];
        char *codes = malloc((size_t)ROWS * width);
        assert_non_null(codes);
        for (int row = 0; row < ROWS; row++) {
            uint32_t code = (uint32_t)test_below(random, distinct);
            memcpy(codes + (size_t)row * width, &code, width);
        }
        c->columns[i] = (bt_codes){codes, width, distinct};
    }
}

static void free_codes(codes_case *c)
{
    for (size_t i = 0; i < c->count; i++)
        free((void *)(uintptr_t)c->columns[i].codes);
}

static bool same_tuple(const codes_case *c, int64_t a, int64_t b)
{
    for (size_t i = 0; i < c->count; i++) {
        const bt_codes *column = &c->columns[i];
        if (bt_code_at(column->codes, column->width, a) !=
            bt_code_at(column->codes, column->width, b))
            return false;
    }
    return true;
}

/* Against a search through all earlier groups. */
static void check_groups(const codes_case *c, const bt_tuples *tuples, const uint32_t *tuple_of)
{
    uint32_t found = 0, size[ROWS] = {0};
    for (int64_t row = 0; row < ROWS; row++) {
        uint32_t group = 0;
        while (group < found && !same_tuple(c, tuples->row[group], row))
            group++;
        if (group == found) {
            assert_true(found < tuples->count);
            assert_int_equal(tuples->row[found++], row);
        }
        assert_int_equal(tuple_of[row], group);
        size[group]++;
    }
    assert_int_equal(found, tuples->count);
    for (uint32_t i = 0; i < found; i++)
        assert_int_equal(size[i], tuples->size[i]);
}

static void check_index(const codes_case *c, const bt_tuple_index *index, const uint32_t *tuple_of)
{
    size_t count = 0, at_once = 1; /* then 2, 3, …, and again */
    for (int64_t row = 0; row < ROWS; row += (int64_t)count) {
        uint32_t codes[BT_TUPLES_AT_ONCE * COLUMNS], found[BT_TUPLES_AT_ONCE];
        for (count = 0; count < at_once && row + (int64_t)count < ROWS; count++)
            for (size_t i = 0; i < c->count; i++)
                codes[count * c->count + i] =
                    bt_code_at(c->columns[i].codes, c->columns[i].width, row + (int64_t)count);
        bt_tuple_index_find_all(index, codes, count, found);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(found[i], tuple_of[row + (int64_t)i]);
            assert_int_equal(bt_tuple_index_find(index, codes + i * c->count), found[i]);
        }
        at_once = at_once % BT_TUPLES_AT_ONCE + 1;
    }
}

static void groups_are_exact(void **state)
{
    (void)state;
    static const uint32_t distinct[] = {1, 2, 4, 200};
    static const unsigned threads[] = {1, 2, 7};
    static uint32_t tuple_of[ROWS];
    uint64_t random = 1;
    bauta_error error;
    for (size_t d = 0; d < 4; d++)
        for (size_t t = 0; t < 3; t++)
            for (size_t columns = 0; columns <= COLUMNS; columns++) {
                codes_case c = {.count = columns};
                bt_run run;
                bt_tuples tuples;
                bt_tuple_index *index;
                make_codes(&c, &random, distinct[d]);
                test_run_open(&run, threads[t]);
                assert_ok(bt_tuples_number(c.columns, c.count, ROWS, &run, &tuples, tuple_of,
                                           &index, &error),
                          &error);
                check_groups(&c, &tuples, tuple_of);
                check_index(&c, index, tuple_of);
                bt_tuple_index_free(index);
                bt_tuples_release(&tuples);
                assert_ok(bt_tuples_group(c.columns, c.count, ROWS, &run, &tuples, &error), &error);
                check_groups(&c, &tuples, tuple_of);
                bt_tuples_release(&tuples);
                bt_pool_free(run.pool);
                free_codes(&c);
            }
}

/* So many rows that each worker has tables of its own, against a list of all codes. */
static void many_rows_are_grouped_as_one(void **state)
{
    (void)state;
    enum { MANY = 400000, MOST = 1 << 20 };
    static const unsigned threads[] = {1, 2, 7};
    static const uint32_t distinct[] = {1, 50, 1000, MOST};
    static uint32_t codes[MANY], tuple_of[MANY], number[MOST], size[MOST];
    uint64_t random = 3;
    bauta_error error;
    for (size_t d = 0; d < 4; d++)
        for (size_t t = 0; t < 3; t++) {
            bt_run run;
            bt_tuples tuples;
            bt_tuple_index *index;
            uint32_t found = 0;
            memset(number, 0, sizeof number);
            for (size_t row = 0; row < MANY; row++)
                codes[row] = (uint32_t)test_below(&random, distinct[d]);
            const bt_codes column = {codes, 4, distinct[d]};
            test_run_open(&run, threads[t]);
            assert_ok(bt_tuples_number(&column, 1, MANY, &run, &tuples, tuple_of, &index, &error),
                      &error);
            for (size_t row = 0; row < MANY; row++) {
                if (number[codes[row]] == 0) {
                    assert_true(found < tuples.count);
                    assert_int_equal(tuples.row[found], row);
                    size[found++] = 0;
                    number[codes[row]] = found;
                }
                uint32_t own = number[codes[row]] - 1;
                size[own]++;
                assert_int_equal(tuple_of[row], own);
            }
            assert_int_equal(tuples.count, found);
            assert_memory_equal(tuples.size, size, found * sizeof *size);
            for (uint32_t code = 0; code < distinct[d]; code++)
                assert_int_equal(bt_tuple_index_find(index, &code),
                                 number[code] ? number[code] - 1 : BT_TUPLE_NONE);
            bt_tuple_index_free(index);
            bt_tuples_release(&tuples);
            bt_pool_free(run.pool);
        }
}

/* Counts so large that a tuple needs several words. */
static void wide_tuples_are_found(void **state)
{
    (void)state;
    static const uint32_t a[] = {4000000000u, 7, 4000000000u, 7};
    static const uint32_t b[] = {1, 2, 1, 3999999999u};
    const bt_codes columns[] = {{a, 4, 4000000001u}, {b, 4, 4000000000u}, {a, 4, 4000000001u}};
    bauta_error error;
    bt_run run;
    bt_tuples tuples;
    bt_tuple_index *index;
    test_run_open(&run, 2);
    assert_ok(bt_tuples_number(columns, 3, 4, &run, &tuples, NULL, &index, &error), &error);
    assert_int_equal(tuples.count, 3);
    assert_int_equal(tuples.size[0], 2);
    assert_int_equal(tuples.row[2], 3);
    assert_int_equal(bt_tuple_index_find(index, (uint32_t[]){7, 3999999999u, 7}), 2);
    assert_int_equal(bt_tuple_index_find(index, (uint32_t[]){4000000000u, 1, 4000000000u}), 0);
    assert_int_equal(bt_tuple_index_find(index, (uint32_t[]){7, 2, 8}), BT_TUPLE_NONE);
    assert_int_equal(bt_tuple_index_find(index, (uint32_t[]){7, 4000000000u, 7}), BT_TUPLE_NONE);
    bt_tuple_index_free(index);
    bt_tuples_release(&tuples);
    bt_pool_free(run.pool);
}

static void no_rows_are_no_tuples(void **state)
{
    (void)state;
    const bt_codes column = {"", 1, 0};
    bauta_error error;
    bt_run run;
    bt_tuples tuples;
    test_run_open(&run, 2);
    assert_ok(bt_tuples_group(&column, 1, 0, &run, &tuples, &error), &error);
    assert_int_equal(tuples.count, 0);
    bt_tuples_release(&tuples);
    assert_fails(bt_tuples_group(&column, 1, (int64_t)1 << 33, &run, &tuples, &error),
                 BAUTA_INVALID, &error, "more than 2^32 rows");
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_are_exact),
        cmocka_unit_test(many_rows_are_grouped_as_one),
        cmocka_unit_test(wide_tuples_are_found),
        cmocka_unit_test(no_rows_are_no_tuples),
    };
    return cmocka_run_group_tests_name("tuples", tests, NULL, NULL);
}
