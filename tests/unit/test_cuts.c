/* SPDX-License-Identifier: Apache-2.0
 *
 * Cut points: reading them, widening codes to them, and what cells say then.
 */
#include "support.h"

#include "class/loss.h"
#include "recipe/cell.h"
#include "recipe/cuts.h"

#include <string.h>

static bauta_error error;
static bt_arena arena;

static int release(void **state)
{
    (void)state;
    bt_arena_release(&arena);
    return 0;
}

/* A column of these texts, whose type is found from them. */
static bt_column make_column(const char *const *texts, uint32_t count)
{
    uint32_t lengths[16], codes[16];
    int64_t rows[16];
    const char *text[16];
    for (uint32_t i = 0; i < count; i++) {
        text[i] = texts[i];
        lengths[i] = (uint32_t)strlen(texts[i]);
        rows[i] = 1;
    }
    const bt_values values = {count, text, lengths, rows};
    const bt_missing missing = {0};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    bt_column column = {.name = "c", .role = BT_ROLE_QUASI};
    assert_ok(bt_domain_build(&values, &options, &arena, &column.domain, codes, &error), &error);
    return column;
}

static void cut(bt_column *column, const char *text)
{
    bt_cuts *cuts;
    assert_ok(bt_cuts_build(text, column, &arena, &cuts, &error), &error);
    column->cuts = cuts;
}

static void assert_cell(const bt_column *column, uint32_t lo, uint32_t hi, const char *expected)
{
    bt_buffer out = {0};
    assert_ok(bt_cell_write(column, lo, hi, NULL, &out, &error), &error);
    assert_int_equal(out.length, strlen(expected));
    assert_memory_equal(out.bytes, expected, out.length);
    const bt_cell_format format = {.type = column->domain.reading.type,
                                   .scale = column->domain.scale};
    bt_cell cell;
    bool memory;
    assert_true(bt_cell_read(&format, out.bytes, out.length, &arena, &cell, &memory));
    bt_buffer_release(&out);
}

static void cells_end_at_cut_points(void **state)
{
    (void)state;
    /* codes: 3, 19, 20, 21, 35, missing */
    bt_column column = make_column((const char *[]){"20", "3", "35", "19", "21", ""}, 6);
    cut(&column, "0,10,20,30,40");
    assert_cell(&column, 0, 0, "[0,9]");
    assert_cell(&column, 0, 1, "[0,19]");
    assert_cell(&column, 2, 3, "[20,29]");
    assert_cell(&column, 1, 4, "[10,39]");
    assert_cell(&column, 5, 5, "");
    assert_cell(&column, 2, 5, "*");
    uint32_t lo = 3, hi = 3;
    bt_cuts_widen(&column, &lo, &hi);
    assert_int_equal(lo, 2);
    assert_int_equal(hi, 3);
    /* A cell of the grid that holds one number alone is that number. */
    cut(&column, "0,19,20,21,100");
    assert_cell(&column, 2, 2, "20");
    assert_cell(&column, 0, 0, "[0,18]");
}

static void loss_is_that_of_the_cell(void **state)
{
    (void)state;
    bt_column column = make_column((const char *[]){"3", "19", "20", "21", "35"}, 5);
    cut(&column, "0:40:10");
    assert_int_equal(bt_loss(&column, 0, 0, 1), (uint32_t)((uint64_t)9 * BT_LOSS_ONE / 32));
    assert_int_equal(bt_loss(&column, 2, 3, 2), (uint32_t)((uint64_t)9 * BT_LOSS_ONE / 32));
    assert_int_equal(bt_loss(&column, 0, 4, 5), BT_LOSS_ONE); /* [0,39]: more than all */
    cut(&column, "3,4,100");
    assert_int_equal(bt_loss(&column, 0, 0, 1), 0);
}

static void decimals_and_dates_have_cut_points(void **state)
{
    (void)state;
    bt_column decimal = make_column((const char *[]){"1.25", "-3", "7.5"}, 3);
    cut(&decimal, "-5,0,2.5,10");
    assert_cell(&decimal, 0, 0, "[-5,-0.01]");
    assert_cell(&decimal, 1, 1, "[0,2.49]");
    assert_cell(&decimal, 1, 2, "[0,9.99]");
    bt_column date = make_column((const char *[]){"2024-02-29", "2024-03-01", "2025-07-04"}, 3);
    cut(&date, "2024-01-01,2024-03-01,2025-01-01,2026-01-01");
    assert_cell(&date, 0, 0, "[2024-01-01,2024-02-29]");
    assert_cell(&date, 1, 2, "[2024-03-01,2025-12-31]");
}

static void every_code_is_in_its_cell(void **state)
{
    (void)state;
    bt_column column =
        make_column((const char *[]){"0", "1", "5", "9", "10", "11", "24", "25", "30", "49"}, 10);
    static const char *const lists[] = {"0:50:5", "0,1,2,50", "-100,100", "0,49,50", "0:50:1"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        cut(&column, lists[i]);
        for (uint32_t a = 0; a < 10; a++)
            for (uint32_t b = a; b < 10; b++) {
                int64_t least, greatest;
                uint32_t lo = a, hi = b;
                bt_cuts_range(&column, a, b, &least, &greatest);
                bt_cuts_widen(&column, &lo, &hi);
                for (uint32_t code = 0; code < 10; code++) {
                    int64_t number = column.domain.number[code];
                    bool inside = number >= least && number <= greatest;
                    assert_int_equal(inside, code >= lo && code <= hi);
                }
            }
    }
}

static void wrong_cut_points_are_refused(void **state)
{
    (void)state;
    bt_cuts *cuts;
    bt_column column = make_column((const char *[]){"3", "19"}, 2);
    bt_column text = make_column((const char *[]){"a", "b"}, 2);
    static const char *const faults[][2] = {
        {"5", "at least two"},
        {"0,ten,20", "not of the column's type"},
        {"0,2.5,20", "not of the column's type"},
        {"0,10,10,20", "do not ascend"},
        {"20,10", "do not ascend"},
        {"4,20", "1 different values are below"},
        {"0,19", "and 1 not below the last"},
        {"0:20:7", "whole steps"},
        {"20:0:5", "whole steps"},
        {"0:20:0", "whole steps"},
        {"0:900000000000000000:1", "too many"},
        {"", "at least two"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        assert_fails(bt_cuts_build(faults[i][0], &column, &arena, &cuts, &error), BAUTA_INVALID,
                     &error, faults[i][1]);
    assert_fails(bt_cuts_build("0,1", &text, &arena, &cuts, &error), BAUTA_INVALID, &error,
                 "a column of text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_end_at_cut_points),
        cmocka_unit_test(loss_is_that_of_the_cell),
        cmocka_unit_test(decimals_and_dates_have_cut_points),
        cmocka_unit_test(every_code_is_in_its_cell),
        cmocka_unit_test(wrong_cut_points_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, release);
}
