/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact rationals: parsing and comparing at the edges of 64 bits.
 */
#include "support.h"

#include "base/rational.h"

#include <string.h>

static void numbers_are_parsed_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t top, bottom;
    } cases[] = {
        {"0", 0, 1},
        {"-0", 0, 1},
        {"0.33", 33, 100},
        {"0.5", 1, 2},
        {".5", 1, 2},
        {"5.", 5, 1},
        {"+2", 2, 1},
        {"-2.25", -9, 4},
        {"1/3", 1, 3},
        {"2/6", 1, 3},
        {"0.5/0.25", 2, 1},
        {"1/0.5", 2, 1},
        {"5%", 1, 20},
        {"12.5%", 1, 8},
        {"100%", 1, 1},
        {"1e-3", 1, 1000},
        {"1E3", 1000, 1},
        {"1e+3", 1000, 1},
        {"10.05", 201, 20},
        {"0.50000000000000000000000000000000000000000", 1, 2},
        {"0.00000000000000000000000000000000000000000", 0, 1},
        {"0e40", 0, 1},
        {"0e-40", 0, 1},
        {"9223372036854775807", INT64_MAX, 1},
        {"-9223372036854775807", -INT64_MAX, 1},
        {"1/9223372036854775807", 1, INT64_MAX},
        {"0.000000000000000001", 1, 1000000000000000000},
        {"5000000000000000000%", 50000000000000000, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_rational r;
        if (!bt_rational_parse(cases[i].text, &r)) fail_msg("'%s'", cases[i].text);
        assert_int_equal(r.top, cases[i].top);
        assert_int_equal(r.bottom, cases[i].bottom);
    }
}

static void other_text_is_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"",
                                        "-",
                                        ".",
                                        "+.",
                                        "a",
                                        "1a",
                                        "1 ",
                                        " 1",
                                        "1..2",
                                        "1.2.",
                                        "1/0",
                                        "1/",
                                        "/2",
                                        "1/-3",
                                        "--1",
                                        "1e",
                                        "1e+",
                                        "1e41",
                                        "%",
                                        "5%%",
                                        "1/3%",
                                        "0x10",
                                        "1,5",
                                        "nan",
                                        "inf",
                                        "1e-x",
                                        "9223372036854775808",
                                        "1e19",
                                        "1/1e",
                                        "1e-19",
                                        "0.1e41",
                                        "0.00000000000000000000000000000000000000000000000001"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bt_rational r;
        if (bt_rational_parse(cases[i], &r)) fail_msg("'%s' was accepted", cases[i]);
    }
}

static void comparison_is_exact(void **state)
{
    (void)state;
    bt_rational third = {1, 3}, decimal = {333333333333333333, 1000000000000000000};
    assert_int_equal(bt_rational_compare(third, decimal), 1);
    assert_int_equal(bt_rational_compare(decimal, third), -1);
    assert_int_equal(bt_rational_compare(third, third), 0);
    bt_rational least = {-INT64_MAX, 1}, most = {INT64_MAX, 1};
    assert_int_equal(bt_rational_compare(least, most), -1);
    bt_rational a = {INT64_MAX, INT64_MAX - 1}, b = {INT64_MAX - 1, INT64_MAX - 2};
    assert_int_equal(bt_rational_compare(a, b), -1);
}

static void ratios_compare_without_dividing(void **state)
{
    (void)state;
    bt_rational half = {1, 2}, third = {33, 100};
    assert_int_equal(bt_ratio_compare(1, 2, half), 0);
    assert_int_equal(bt_ratio_compare(1, 3, third), 1);
    assert_int_equal(bt_ratio_compare(33, 100, third), 0);
    assert_int_equal(bt_ratio_compare(32, 97, third), -1);
    assert_int_equal(bt_ratio_compare(INT64_MAX, INT64_MAX, (bt_rational){1, 1}), 0);
    assert_int_equal(bt_ratio_compare(INT64_MAX - 1, INT64_MAX, (bt_rational){1, 1}), -1);
}

static void floor_times_is_exact_and_saturates(void **state)
{
    (void)state;
    assert_int_equal(bt_rational_floor_times((bt_rational){5, 100}, 99), 4);
    assert_int_equal(bt_rational_floor_times((bt_rational){5, 100}, 100), 5);
    assert_int_equal(bt_rational_floor_times((bt_rational){0, 1}, INT64_MAX), 0);
    assert_int_equal(bt_rational_floor_times((bt_rational){1, 3}, INT64_MAX), INT64_MAX / 3);
    assert_int_equal(bt_rational_floor_times((bt_rational){3, 2}, INT64_MAX), INT64_MAX);
    assert_true(bt_rational_double((bt_rational){1, 4}) == 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_parsed_exactly),
        cmocka_unit_test(other_text_is_refused),
        cmocka_unit_test(comparison_is_exact),
        cmocka_unit_test(ratios_compare_without_dividing),
        cmocka_unit_test(floor_times_is_exact_and_saturates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
