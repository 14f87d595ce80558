/* SPDX-License-Identifier: Apache-2.0
 *
 * Domains: type, order, codes; and what belongs to a table.
 */
#include "support.h"

#include "table/table.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 5000 };

static const char *const missing_tokens[] = {"NA", "?"};
static const bt_missing missing = {.tokens = missing_tokens, .count = 2};

typedef struct fixture {
    bt_arena arena;
    bt_values values;
    bt_domain domain;
    bt_domain_options options;
    uint32_t code[MOST];
    const char *text[MOST];
    uint32_t length[MOST];
    int64_t rows[MOST];
    bauta_error error;
} fixture;

static int set_up(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    if (!f) return -1;
    f->values = (bt_values){0, f->text, f->length, f->rows};
    f->options = (bt_domain_options){.missing = &missing, .column = "c"};
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    bt_arena_release(&f->arena);
    free(f);
    return 0;
}

static void add(fixture *f, const char *text, int64_t rows)
{
    uint32_t i = f->values.count++;
    f->text[i] = text;
    f->length[i] = (uint32_t)strlen(text);
    f->rows[i] = rows;
}

static bauta_status build(fixture *f)
{
    return bt_domain_build(&f->values, &f->options, &f->arena, &f->domain, f->code, &f->error);
}

static void numbers_are_ranked(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {"10", "-3", "+7", "NA", "0", "", "7"};
    static const char *const expected[] = {"-3", "0", "7", "10", ""};
    static const uint32_t codes[] = {3, 0, 2, 4, 1, 4, 2};
    for (size_t i = 0; i < 7; i++)
        add(f, texts[i], 1);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_INTEGER);
    assert_true(f->domain.has_missing);
    assert_int_equal(f->domain.size, 5);
    assert_int_equal(bt_domain_present(&f->domain), 4);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(f->domain.text[i], expected[i]);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(f->code[i], codes[i]);
    assert_int_equal(f->domain.number[0], -3);
    assert_int_equal(f->domain.number[3], 10);
    assert_int_equal(f->domain.number[4], 0);
}

static void decimals_share_a_scale(void **state)
{
    fixture *f = *state;
    static const char *const texts[] = {"1.50", "2", "1.5", "-0.125", "1e1"};
    for (size_t i = 0; i < 5; i++)
        add(f, texts[i], 1);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_DECIMAL);
    assert_int_equal(f->domain.scale, 3);
    assert_int_equal(f->domain.size, 4);
    assert_string_equal(f->domain.text[0], "-0.125");
    assert_string_equal(f->domain.text[1], "1.5");
    assert_string_equal(f->domain.text[3], "10");
    assert_int_equal(f->domain.number[3], 10000);
    assert_int_equal(f->code[0], f->code[2]);
}

static void decimals_that_do_not_fit_together_are_text(void **state)
{
    fixture *f = *state;
    add(f, "123456789012345678", 1);
    add(f, "0.000000000000000001", 2);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_TEXT);
    assert_int_equal(f->domain.scale, 0);
    assert_null(f->domain.number);
    assert_string_equal(f->domain.text[0], "0.000000000000000001");
    f->options.has_type = true;
    f->options.type = BT_DECIMAL;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "column 'c'");
}

static void text_is_ordered_by_frequency(void **state)
{
    fixture *f = *state;
    static const char *const expected[] = {"d", "a", "ab", "b", "c", ""};
    add(f, "b", 5);
    add(f, "a", 5);
    add(f, "?", 900);
    add(f, "c", 1);
    add(f, "d", 70);
    add(f, "ab", 5);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_TEXT);
    assert_null(f->domain.number);
    assert_int_equal(f->domain.size, 6);
    for (size_t i = 0; i < 6; i++)
        assert_string_equal(f->domain.text[i], expected[i]);
    assert_int_equal(f->code[2], 5);
    assert_int_equal(f->code[4], 0);
}

static void dates_need_one_order(void **state)
{
    fixture *f = *state;
    add(f, "3/4/2024", 1);
    add(f, "5/6/2024", 1);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_TEXT);
    f->options.has_type = true;
    f->options.type = BT_DATE;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "day/month");
    add(f, "31/1/2024", 1);
    assert_ok(build(f), &f->error);
    assert_string_equal(f->domain.text[0], "2024-01-31");
    assert_int_equal(f->code[2], 0);
    f->options.has_type = false;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.date_form, BT_FORM_DMY);
}

static void a_type_that_was_asked_for_is_kept_or_refused(void **state)
{
    fixture *f = *state;
    add(f, "007", 1);
    add(f, "7", 1);
    f->options.has_type = true;
    f->options.type = BT_INTEGER;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.size, 1);
    f->options.type = BT_TEXT;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.size, 2);
    add(f, "secret", 1);
    f->options.type = BT_INTEGER;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "1 distinct values of column 'c'");
    assert_null(strstr(f->error.message, "secret"));
    assert_null(strstr(f->error.hint, "secret"));
    assert_string_equal(f->error.column, "c");
    f->options.type = BT_DATE;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "3 distinct values");
}

static void some_rows_may_have_values_of_another_type(void **state)
{
    fixture *f = *state;
    add(f, "7", 3);
    add(f, "secret", 2);
    add(f, "8", 1);
    f->options.has_type = true;
    f->options.type = BT_INTEGER;
    f->options.misfits_most = 1;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "1 distinct values of column 'c'");
    f->options.misfits_most = 2;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.size, 3);
    assert_true(f->domain.has_missing);
    assert_string_equal(f->domain.text[0], "7");
    assert_string_equal(f->domain.text[1], "8");
}

/* A table of which nothing fits is another one. */
static void not_all_rows_may_have_values_of_another_type(void **state)
{
    fixture *f = *state;
    add(f, "secret", 2);
    f->options.has_type = true;
    f->options.type = BT_INTEGER;
    f->options.misfits_most = 5;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "1 distinct values of column 'c'");
}

static void whole_numbers_may_be_written_as_decimals(void **state)
{
    fixture *f = *state;
    add(f, "8.0", 1);
    add(f, "7", 3);
    add(f, "7.5", 1);
    f->options.has_type = true;
    f->options.type = BT_INTEGER;
    f->options.misfits_most = 1;
    assert_fails(build(f), BAUTA_INVALID, &f->error, "2 distinct values of column 'c'");
    f->options.whole = true;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.size, 3);
    assert_true(f->domain.has_missing);
    assert_string_equal(f->domain.text[0], "7");
    assert_string_equal(f->domain.text[1], "8");
}

static void a_column_without_values_is_text(void **state)
{
    fixture *f = *state;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.size, 0);
    assert_false(f->domain.has_missing);
    add(f, "", 3);
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_TEXT);
    assert_int_equal(f->domain.size, 1);
    assert_int_equal(f->code[0], 0);
    f->options.has_type = true;
    f->options.type = BT_DATE;
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_DATE);
}

static void many_numbers_are_ranked(void **state)
{
    fixture *f = *state;
    uint64_t random = 3;
    static char texts[MOST][24];
    for (int i = 0; i < MOST; i++) {
        int64_t number = (int64_t)test_below(&random, 1999999999999999999) - 999999999999999999;
        if (i % 3 == 0) number /= 1000000000000;
        snprintf(texts[i], sizeof *texts, "%lld", (long long)number);
        add(f, texts[i], 1);
    }
    assert_ok(build(f), &f->error);
    assert_int_equal(f->domain.reading.type, BT_INTEGER);
    for (uint32_t code = 1; code < f->domain.size; code++)
        assert_true(f->domain.number[code - 1] < f->domain.number[code]);
    for (int i = 0; i < MOST; i++)
        assert_string_equal(f->domain.text[f->code[i]], texts[i]);
}

static void a_table_selects_by_role(void **state)
{
    (void)state;
    bauta_error error;
    bt_table table = {.count = 3};
    table.columns = bt_arena_array(&table.arena, 3, sizeof *table.columns);
    assert_non_null(table.columns);
    table.columns[0].role = table.columns[2].role = BT_ROLE_QUASI;
    table.columns[1].role = BT_ROLE_SENSITIVE;
    table.columns[1].codes = malloc(16);
    const bt_column **found;
    size_t count;
    assert_ok(bt_table_select(&table, BT_ROLE_QUASI, &found, &count, &error), &error);
    assert_int_equal(count, 2);
    assert_ptr_equal(found[1], &table.columns[2]);
    free(found);
    assert_ok(bt_table_select(&table, BT_ROLE_OTHER, &found, &count, &error), &error);
    assert_int_equal(count, 0);
    free(found);
    bt_table_release(&table);
    assert_int_equal(table.count, 0);
    bt_table_release(&table);
}

static void roles_have_names(void **state)
{
    (void)state;
    assert_string_equal(bt_role_name(BT_ROLE_NONE), "none");
    assert_string_equal(bt_role_name(BT_ROLE_IDENTIFIER), "identifier");
    assert_string_equal(bt_role_name(BT_ROLE_DROPPED), "dropped");
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(numbers_are_ranked),
        WITH_FIXTURE(decimals_share_a_scale),
        WITH_FIXTURE(decimals_that_do_not_fit_together_are_text),
        WITH_FIXTURE(text_is_ordered_by_frequency),
        WITH_FIXTURE(dates_need_one_order),
        WITH_FIXTURE(a_type_that_was_asked_for_is_kept_or_refused),
        WITH_FIXTURE(some_rows_may_have_values_of_another_type),
        WITH_FIXTURE(not_all_rows_may_have_values_of_another_type),
        WITH_FIXTURE(whole_numbers_may_be_written_as_decimals),
        WITH_FIXTURE(a_column_without_values_is_text),
        WITH_FIXTURE(many_numbers_are_ranked),
        cmocka_unit_test(a_table_selects_by_role),
        cmocka_unit_test(roles_have_names),
    };
    return cmocka_run_group_tests_name("domain", tests, NULL, NULL);
}
