/* SPDX-License-Identifier: Apache-2.0
 *
 * Which forms a text fits, what number stands behind it, and canonical texts.
 */
#include "support.h"

#include "table/value.h"

#include <stdio.h>
#include <string.h>

enum { NUMBER = BT_FORM_INTEGER | BT_FORM_DECIMAL, SLASHES = BT_FORM_DMY | BT_FORM_MDY };

typedef struct expectation {
    const char *text;
    unsigned forms;
    const char *canonical; /* NULL: not looked at */
} expectation;

static void check_forms(const expectation *cases, size_t count, bool decimal_comma)
{
    for (size_t i = 0; i < count; i++) {
        const char *text = cases[i].text;
        size_t length = strlen(text), canonical_length;
        char out[BT_NUMBER_TEXT];
        unsigned forms = bt_value_forms(text, length, decimal_comma);
        if (forms != cases[i].forms) fail_msg("'%s' fits %u, not %u", text, forms, cases[i].forms);
        if (!cases[i].canonical) continue;
        bt_reading reading = bt_reading_of(forms, decimal_comma, true);
        const char *canonical = bt_value_canonical(&reading, text, length, out, &canonical_length);
        assert_int_equal(canonical_length, strlen(cases[i].canonical));
        assert_memory_equal(canonical, cases[i].canonical, canonical_length);
    }
}

#define CHECK_FORMS(cases, comma) check_forms(cases, sizeof cases / sizeof *cases, comma)

static void integers_have_their_form(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"0", NUMBER, "0"},
        {"-0", NUMBER, "0"},
        {"+5", NUMBER, "5"},
        {"-17", NUMBER, "-17"},
        {"123456789012345678", NUMBER, "123456789012345678"},
        {"-999999999999999999", NUMBER, "-999999999999999999"},
        {"1234567890123456789", 0, "1234567890123456789"},
        {"05", 0, "05"},
        {"00", 0, "00"},
        {"-05", 0, "-05"},
        {"", 0, ""},
        {"-", 0, "-"},
        {"+", 0, "+"},
        {"--1", 0, NULL},
        {"1 2", 0, NULL},
        {"1a", 0, NULL},
        {"a", 0, NULL},
        {"0x10", 0, NULL},
        {"\xD9\xA1", 0, NULL}, /* a digit of another script */
    };
    CHECK_FORMS(cases, false);
    CHECK_FORMS(cases, true);
}

static void decimals_have_their_form(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"1.5", BT_FORM_DECIMAL, "1.5"},
        {"1.50", BT_FORM_DECIMAL, "1.5"},
        {"-0.25", BT_FORM_DECIMAL, "-0.25"},
        {"-0.0", BT_FORM_DECIMAL, "0"},
        {".5", BT_FORM_DECIMAL, "0.5"},
        {"5.", BT_FORM_DECIMAL, "5"},
        {"100.00", BT_FORM_DECIMAL, "100"},
        {"1e3", BT_FORM_DECIMAL, "1000"},
        {"1.25E-2", BT_FORM_DECIMAL, "0.0125"},
        {"1e+2", BT_FORM_DECIMAL, "100"},
        {"0e9999", BT_FORM_DECIMAL, "0"},
        {"1e17", BT_FORM_DECIMAL, "100000000000000000"},
        {"1e-18", BT_FORM_DECIMAL, "0.000000000000000001"},
        {"0.123456789012345678", BT_FORM_DECIMAL, "0.123456789012345678"},
        {"1.00000000000000000000000000000", BT_FORM_DECIMAL, "1"},
        {"0.00000000000000000000000000000", BT_FORM_DECIMAL, "0"},
        {"1e18", 0, NULL},
        {"1e-19", 0, NULL},
        {"0.1234567890123456789", 0, NULL},
        {"123456789012345678.5", 0, NULL},
        {"1e99999", 0, NULL},
        {"1e", 0, NULL},
        {"1e+", 0, NULL},
        {"1e5x", 0, NULL},
        {".", 0, NULL},
        {"-.", 0, NULL},
        {".e1", 0, NULL},
        {"1.2.3", 0, NULL},
        {"1,5", 0, NULL},
        {"00.5", 0, NULL},
        {"01e5", 0, NULL},
        {"1.5 ", 0, NULL},
    };
    CHECK_FORMS(cases, false);
    static const expectation comma[] = {
        {"1,5", BT_FORM_DECIMAL, "1.5"},
        {"-0,250", BT_FORM_DECIMAL, "-0.25"},
        {"1,5e2", BT_FORM_DECIMAL, "150"},
        {"1.5", 0, NULL},
        {"1.234,5", 0, NULL},
        {"1.2.2024", BT_FORM_DMY | BT_FORM_DAY, "2024-02-01"},
    };
    CHECK_FORMS(comma, true);
}

static void dates_have_their_forms(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"2024-02-29", BT_FORM_YMD | BT_FORM_DAY, "2024-02-29"},
        {"2024/02/29", BT_FORM_YMD | BT_FORM_DAY, "2024-02-29"},
        {"29.02.2024", BT_FORM_DMY | BT_FORM_DAY, "2024-02-29"},
        {"1.2.2024", BT_FORM_DMY | BT_FORM_DAY, "2024-02-01"},
        {"01.02.0024", BT_FORM_DMY | BT_FORM_DAY, "0024-02-01"},
        {"3/4/2024", SLASHES | BT_FORM_DAY, "3/4/2024"},
        {"03/04/2024", SLASHES | BT_FORM_DAY, NULL},
        {"13/4/2024", BT_FORM_DMY | BT_FORM_DAY, "2024-04-13"},
        {"4/13/2024", BT_FORM_MDY | BT_FORM_DAY, "2024-04-13"},
        {"0001-01-01", BT_FORM_YMD | BT_FORM_DAY, "0001-01-01"},
        {"9999-12-31", BT_FORM_YMD | BT_FORM_DAY, "9999-12-31"},
        {"2000-02-29", BT_FORM_YMD | BT_FORM_DAY, NULL},
        {"1900-02-29", 0, NULL},
        {"2023-02-29", 0, NULL},
        {"2024-13-01", 0, NULL},
        {"2024-00-01", 0, NULL},
        {"2024-01-00", 0, NULL},
        {"2024-04-31", 0, NULL},
        {"0000-01-01", 0, NULL},
        {"2024-1-1", 0, NULL},
        {"2024-01/01", 0, NULL},
        {"2024.01.01", 0, NULL},
        {"4-13-2024", 0, NULL},
        {"1.2.24", 0, NULL},
        {"1.2.20245", 0, NULL},
        {"+1.2.2024", 0, NULL},
        {"32.1.2024", 0, NULL},
        {"5-", 0, NULL},
        {"5/", 0, NULL},
    };
    CHECK_FORMS(cases, false);
}

static void a_time_of_day_may_follow_a_date(void **state)
{
    (void)state;
    static const expectation cases[] = {
        {"2021-03-04T12:30:00Z", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04 12:30", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04 00:00:00", BT_FORM_YMD, "2021-03-04"},
        {"2021/03/04 23:59:60", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04T12:30:15.250+02:00", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04T23:30:15,123456789-0530", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04 12:30:15 +02", BT_FORM_YMD, "2021-03-04"},
        {"2021-03-04 12:30:15 UTC", BT_FORM_YMD, "2021-03-04"},
        {"04.03.2021 7:05", BT_FORM_DMY, "2021-03-04"},
        {"13/4/2024 1:05 PM", BT_FORM_DMY, "2024-04-13"},
        {"4/13/2024 11:05:30 AM", BT_FORM_MDY, "2024-04-13"},
        {"3/4/2024 11:05", SLASHES, NULL},
        {"2021-03-04T", 0, NULL},
        {"2021-03-04 ", 0, NULL},
        {"2021-03-04T12", 0, NULL},
        {"2021-03-04T12:3", 0, NULL},
        {"2021-03-04T24:00", 0, NULL},
        {"2021-03-04T12:60", 0, NULL},
        {"2021-03-04T12:30:61", 0, NULL},
        {"2021-03-04T12:30:", 0, NULL},
        {"2021-03-04T12:30:15.", 0, NULL},
        {"2021-03-04T12:30+", 0, NULL},
        {"2021-03-04T12:30+1", 0, NULL},
        {"2021-03-04T12:30+01:60", 0, NULL},
        {"2021-03-04T12:30 about", 0, NULL},
        {"2021-03-04  12:30", 0, NULL},
        {"2021-02-30 12:30", 0, NULL},
        {"2021-03-04-12:30", 0, NULL},
    };
    CHECK_FORMS(cases, false);
    assert_true(bt_reading_of(BT_FORM_YMD, false, true).timed);
    assert_false(bt_reading_of(BT_FORM_YMD | BT_FORM_DAY, false, true).timed);
}

/* What a release holds is read without them: there it would be a fault. */
static void a_time_of_day_is_read_where_it_is_asked_for(void **state)
{
    (void)state;
    static const char text[] = "2021-03-04 12:30";
    bt_reading reading = {.type = BT_DATE, .date_form = BT_FORM_YMD};
    int64_t number;
    assert_false(bt_value_number(&reading, text, strlen(text), 0, &number));
    reading.timed = true;
    assert_true(bt_value_number(&reading, text, strlen(text), 0, &number));
    assert_true(bt_value_number(&reading, text, 10, 0, &number));
}

static void forms_lead_to_a_type(void **state)
{
    (void)state;
    assert_int_equal(bt_reading_of(NUMBER, false, true).type, BT_INTEGER);
    assert_int_equal(bt_reading_of(BT_FORM_DECIMAL, true, true).type, BT_DECIMAL);
    assert_true(bt_reading_of(BT_FORM_DECIMAL, true, true).decimal_comma);
    assert_int_equal(bt_reading_of(BT_FORM_MDY, false, true).type, BT_DATE);
    assert_int_equal(bt_reading_of(BT_FORM_MDY, false, true).date_form, BT_FORM_MDY);
    assert_int_equal(bt_reading_of(SLASHES, false, true).type, BT_TEXT);
    assert_int_equal(bt_reading_of(0, false, true).type, BT_TEXT);
    assert_int_equal(bt_reading_of(BT_FORM_ANY, false, false).type, BT_TEXT);
}

static void types_have_names(void **state)
{
    (void)state;
    static const bt_type types[] = {BT_TEXT, BT_INTEGER, BT_DECIMAL, BT_DATE};
    for (size_t i = 0; i < 4; i++) {
        bt_type found = BT_TEXT;
        assert_true(bt_type_parse(bt_type_name(types[i]), &found));
        assert_int_equal(found, types[i]);
    }
    assert_false(bt_type_parse("number", &(bt_type){BT_TEXT}));
}

static bool number_of(bt_type type, const char *text, int scale, int64_t *out)
{
    bt_reading reading = {.type = type, .date_form = BT_FORM_YMD};
    return bt_value_number(&reading, text, strlen(text), scale, out);
}

static void numbers_are_exact(void **state)
{
    (void)state;
    int64_t number;
    assert_true(number_of(BT_INTEGER, "0012", 0, &number) && number == 12);
    assert_true(number_of(BT_INTEGER, "-000000000000000000000", 0, &number) && number == 0);
    assert_false(number_of(BT_INTEGER, "1000000000000000000", 0, &number));
    assert_false(number_of(BT_INTEGER, "1.5", 0, &number));
    assert_true(number_of(BT_DECIMAL, "1.5", 3, &number) && number == 1500);
    assert_true(number_of(BT_DECIMAL, "-0.001", 3, &number) && number == -1);
    assert_true(number_of(BT_DECIMAL, "0", 18, &number) && number == 0);
    assert_false(number_of(BT_DECIMAL, "0.0001", 3, &number));
    assert_false(number_of(BT_DECIMAL, "10", 18, &number)); /* does not fit 64 bits */
    assert_true(number_of(BT_DATE, "1970-01-01", 0, &number) && number == 0);
    assert_true(number_of(BT_DATE, "2000-03-01", 0, &number) && number == 11017);
    assert_true(number_of(BT_DATE, "0001-01-01", 0, &number) && number == BT_FIRST_DAY);
    assert_true(number_of(BT_DATE, "9999-12-31", 0, &number) && number == BT_LAST_DAY);
    assert_false(number_of(BT_TEXT, "1", 0, &number));
    assert_int_equal(bt_value_scale("1.2500", 6, false), 2);
    assert_int_equal(bt_value_scale("125e-5", 6, false), 5);
    assert_int_equal(bt_value_scale("1e5", 3, false), 0);
    assert_int_equal(bt_value_scale("x", 1, false), 0);
}

static void every_day_follows_the_day_before(void **state)
{
    (void)state;
    const bt_reading reading = {.type = BT_DATE, .date_form = BT_FORM_YMD};
    int64_t expected = BT_FIRST_DAY, number;
    for (int year = 1; year <= 9999; year += year < 3000 ? 1 : 7) {
        for (int month = 1; month <= 12; month++)
            for (int day = 1; day <= 31; day++) {
                char text[40], again[BT_NUMBER_TEXT];
                int length = snprintf(text, sizeof text, "%04d-%02d-%02d", year, month, day);
                if (!bt_value_number(&reading, text, (size_t)length, 0, &number)) continue;
                if (month == 1 && day == 1 && year > 3000) expected = number;
                assert_int_equal(number, expected++);
                assert_int_equal(bt_number_print(BT_DATE, 0, number, again), 10);
                assert_memory_equal(again, text, 10);
            }
    }
}

static void extreme_numbers_are_printed(void **state)
{
    (void)state;
    static const struct {
        bt_type type;
        int scale;
        int64_t number;
        const char *text;
    } cases[] = {
        {BT_INTEGER, 0, INT64_MIN, "-9223372036854775808"},
        {BT_INTEGER, 5, 10, "10"},
        {BT_DECIMAL, 18, INT64_MIN, "-9.223372036854775808"},
        {BT_DECIMAL, 18, INT64_MAX, "9.223372036854775807"},
        {BT_DECIMAL, 18, 1, "0.000000000000000001"},
        {BT_DECIMAL, 2, -5, "-0.05"},
        {BT_DECIMAL, 2, 0, "0"},
        {BT_DATE, 0, INT64_MAX, "9223372036854775807"},
        {BT_DATE, 0, BT_FIRST_DAY - 1, "-719163"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[BT_NUMBER_TEXT];
        size_t length = bt_number_print(cases[i].type, cases[i].scale, cases[i].number, out);
        assert_int_equal(length, strlen(cases[i].text));
        assert_memory_equal(out, cases[i].text, length);
    }
}

/* A canonical text is its own canonical text, and has the same number. */
static void canonical_texts_are_stable(void **state)
{
    (void)state;
    uint64_t random = 7;
    static const char alphabet[] = "0123456789.,+-eE/";
    for (int round = 0; round < 200000; round++) {
        char text[24], first[BT_NUMBER_TEXT], second[BT_NUMBER_TEXT];
        size_t length = test_below(&random, 12), once, twice;
        for (size_t i = 0; i < length; i++)
            text[i] = alphabet[test_below(&random, sizeof alphabet - 1)];
        bool comma = test_below(&random, 2);
        bt_reading reading = bt_reading_of(bt_value_forms(text, length, comma), comma, true);
        if (reading.type == BT_TEXT) continue;
        const char *canonical = bt_value_canonical(&reading, text, length, first, &once);
        assert_ptr_equal(canonical, first);
        unsigned forms = bt_value_forms(first, once, false);
        bt_reading again = bt_reading_of(forms, false, true);
        if (reading.type == BT_DECIMAL && again.type == BT_INTEGER) again.type = BT_DECIMAL;
        assert_int_equal(again.type, reading.type);
        canonical = bt_value_canonical(&again, first, once, second, &twice);
        assert_ptr_equal(canonical, second);
        assert_int_equal(twice, once);
        assert_memory_equal(first, second, once);
        int64_t a, b;
        int scale = bt_value_scale(first, once, false);
        assert_true(bt_value_number(&reading, text, length, scale, &a));
        assert_true(bt_value_number(&again, first, once, scale, &b));
        assert_int_equal(a, b);
    }
}

static void missing_tokens_are_known(void **state)
{
    (void)state;
    static const char *const tokens[] = {"NA", "?"};
    const bt_missing missing = {.tokens = tokens, .count = 2};
    assert_true(bt_is_missing(&missing, "", 0));
    assert_true(bt_is_missing(&missing, "NA", 2));
    assert_true(bt_is_missing(&missing, "?x", 1));
    assert_false(bt_is_missing(&missing, "N", 1));
    assert_false(bt_is_missing(&missing, "NAN", 3));
    assert_false(bt_is_missing(&missing, "na", 2));
    assert_false(bt_is_missing(&(bt_missing){0}, "NA", 2));
    static const char *const codes[] = {"5", "99", "9999-99-99", "-9.50"};
    const bt_missing numbers = {.tokens = codes, .count = 4, .typed = 3};
    assert_true(bt_is_missing(&numbers, "99", 2));
    assert_true(bt_is_missing(&numbers, "99.0", 4));
    assert_true(bt_is_missing(&numbers, "-9.5", 4));
    assert_true(bt_is_missing(&numbers, "9999-99-99", 10));
    assert_false(bt_is_missing(&numbers, "099", 3)); /* a code that is text */
    assert_false(bt_is_missing(&numbers, "5.0", 3)); /* of all columns: as it is written */
    assert_false(bt_is_missing(&numbers, "9", 1));
    static const char *const dates[] = {"9999-12-31"};
    const bt_missing typed = {.tokens = dates, .count = 1, .typed = 1};
    assert_true(bt_is_missing(&typed, "31.12.9999", 10));
    assert_true(bt_is_missing(&typed, "12/31/9999", 10));
    assert_true(bt_is_missing(&typed, "9999-12-31 00:00:00", 19));
    assert_false(bt_is_missing(&typed, "30.12.9999", 10));
    static const char *const half[] = {"-9.5"};
    const bt_missing comma = {.tokens = half, .count = 1, .typed = 1, .decimal_comma = true};
    assert_true(bt_is_missing(&comma, "-9,50", 5));
}

/* What a text that is published is canonical of, and what a column of such texts is. */
static void published_texts_have_types(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        unsigned types;
    } cases[] = {{"12", 1 << BT_INTEGER | 1 << BT_DECIMAL},
                 {"-12", 1 << BT_INTEGER | 1 << BT_DECIMAL},
                 {"3.5", 1 << BT_DECIMAL},
                 {"2024-02-29", 1 << BT_DATE},
                 {"+12", 0},
                 {"012", 0},
                 {"12.0", 0},
                 {"1e3", 0},
                 {"29.02.2024", 0},
                 {"2024-02-30", 0},
                 {"x", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(bt_canonical_types(cases[i].text, strlen(cases[i].text)), cases[i].types);
    assert_int_equal(bt_type_of(BT_TYPES_ANY), BT_INTEGER);
    assert_int_equal(bt_type_of(1 << BT_DECIMAL), BT_DECIMAL);
    assert_int_equal(bt_type_of(1 << BT_DATE), BT_DATE);
    assert_int_equal(bt_type_of(0), BT_TEXT);
}

/* Of a table that is compared with a release "1.0" is a whole number; 1.5 is none. */
static void whole_decimals_are_read_where_it_is_asked_for(void **state)
{
    (void)state;
    bt_reading reading = {.type = BT_INTEGER};
    int64_t number = 0;
    assert_false(bt_value_number(&reading, "7.0", 3, 0, &number));
    reading.whole = true;
    assert_true(bt_value_number(&reading, "7.0", 3, 0, &number));
    assert_int_equal(number, 7);
    assert_true(bt_value_number(&reading, "2e2", 3, 0, &number));
    assert_int_equal(number, 200);
    assert_false(bt_value_number(&reading, "7.5", 3, 0, &number));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers_have_their_form),
        cmocka_unit_test(decimals_have_their_form),
        cmocka_unit_test(dates_have_their_forms),
        cmocka_unit_test(a_time_of_day_may_follow_a_date),
        cmocka_unit_test(a_time_of_day_is_read_where_it_is_asked_for),
        cmocka_unit_test(forms_lead_to_a_type),
        cmocka_unit_test(types_have_names),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(every_day_follows_the_day_before),
        cmocka_unit_test(extreme_numbers_are_printed),
        cmocka_unit_test(canonical_texts_are_stable),
        cmocka_unit_test(missing_tokens_are_known),
        cmocka_unit_test(published_texts_have_types),
        cmocka_unit_test(whole_decimals_are_read_where_it_is_asked_for),
    };
    return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
