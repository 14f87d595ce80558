/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules of base/csv.h one by one. The twin on random text is in tests/oracle.
 */
#include "support.h"

#include "base/csv.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 8 };

/* A block with its padding, so that nothing outside it is read. */
static char *block_of(const char *text)
{
    size_t length = strlen(text);
    char *block = malloc(length + BT_CSV_PADDING);
    assert_non_null(block);
    memcpy(block, text, length);
    memset(block + length, '"', BT_CSV_PADDING);
    return block;
}

/* Reads `text` with `columns` and compares with the records given as "a|b;c|d" (; ends one). */
static void reads(const char *text, size_t columns, const char *expected)
{
    bauta_error error;
    char *block = block_of(text);
    bt_csv csv;
    bt_span fields[MOST];
    bt_buffer scratch = {0}, found = {0};
    bt_csv_open(&csv, block, strlen(text), ',', columns);
    while (bt_csv_next(&csv, fields)) {
        for (size_t i = 0; i < columns; i++) {
            assert_ok(bt_span_text(&fields[i], &scratch, &error), &error);
            assert_ok(bt_buffer_print(&found, &error, "%.*s%s", (int)fields[i].length,
                                      fields[i].bytes, i + 1 < columns ? "|" : ";"),
                      &error);
        }
    }
    assert_int_equal(csv.fault, BT_CSV_FINE);
    assert_ok(bt_buffer_add(&found, "", 1, &error), &error);
    assert_string_equal(found.bytes, expected);
    bt_buffer_release(&found);
    bt_buffer_release(&scratch);
    free(block);
}

static void faults(const char *text, size_t columns, bt_csv_fault fault, size_t column,
                   size_t offset)
{
    char *block = block_of(text);
    bt_csv csv;
    bt_span fields[MOST];
    bt_csv_open(&csv, block, strlen(text), ',', columns);
    while (bt_csv_next(&csv, fields))
        ;
    assert_int_equal(csv.fault, fault);
    assert_int_equal(csv.fault_column, column);
    assert_int_equal(csv.fault_byte - block, offset);
    free(block);
}

static void records_and_line_ends(void **state)
{
    (void)state;
    reads("", 2, "");
    reads("a,b\nc,d\n", 2, "a|b;c|d;");
    reads("a,b\r\nc,d\r\n", 2, "a|b;c|d;");
    reads("a,b\nc,d", 2, "a|b;c|d;");
    reads(",\n", 2, "|;");
    reads(",", 2, "|;");
    reads(" a , b c\t\n", 2, "a|b c;");
}

static void blank_lines(void **state)
{
    (void)state;
    reads("\n\r\na,b\n\n\nc,d\n\n", 2, "a|b;c|d;");
    reads("a\n\nb\n", 1, "a;;b;"); /* a table of one column: a missing value */
}

static void quoted_fields(void **state)
{
    (void)state;
    reads("\"a,b\",c\n", 2, "a,b|c;");
    reads("\"a\nb\",\"c\r\nd\"\n", 2, "a\nb|c\r\nd;");
    reads("\"say \"\"hi\"\"\",\"\"\"\"\n", 2, "say \"hi\"|\";");
    reads("\"\",\"\"\n", 2, "|;");
    reads("  \"a\"  ,\t\"b\"\r\n", 2, "a|b;");
    reads("\" a \",b\n", 2, " a |b;");
    reads("a,\"b\"", 2, "a|b;");
}

static void long_fields_cross_the_window(void **state)
{
    (void)state;
    for (size_t length = 50; length < 200; length++) {
        char text[1000], expected[1000];
        memset(text, 'x', length);
        strcpy(text + length, ",b\nc,d\n");
        memset(expected, 'x', length);
        strcpy(expected + length, "|b;c|d;");
        reads(text, 2, expected);
        text[0] = '"';
        memset(text + 1, 'x', length);
        strcpy(text + 1 + length, "\",b\nc,d\n");
        reads(text, 2, expected);
    }
}

static void faults_have_a_place(void **state)
{
    (void)state;
    faults("a,b\nc\n", 2, BT_CSV_FEW, 0, 5);
    faults("a,b\nc", 2, BT_CSV_FEW, 0, 5);
    faults("a,b\nc,d,e\n", 2, BT_CSV_MANY, 1, 7);
    faults("a,\"b\nc,d\n", 2, BT_CSV_UNCLOSED, 1, 2);
    faults("a,\"b\"\"\n", 2, BT_CSV_UNCLOSED, 1, 2);
    faults("a,b\"c\n", 2, BT_CSV_STRAY, 1, 3);
    faults("a,\"b\"c\n", 2, BT_CSV_STRAY, 1, 5);
    faults("   \n", 2, BT_CSV_FEW, 0, 3);
    for (int fault = BT_CSV_FINE; fault <= BT_CSV_LONG; fault++)
        assert_true(strlen(bt_csv_fault_text((bt_csv_fault)fault)) > 5);
    assert_string_equal(bt_csv_fault_text((bt_csv_fault)99), "unknown fault");
}

static void headers_of_unknown_width(void **state)
{
    (void)state;
    const char *text = "a,\"b\",c\nd\n\n,\ne,\"";
    char *block = block_of(text);
    bt_csv csv;
    bt_span fields[2];
    bt_csv_open(&csv, block, strlen(text), ',', 1);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 3);
    assert_memory_equal(fields[1].bytes, "b", 1);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 1);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 1);
    assert_int_equal(fields[0].length, 0);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 2);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 0);
    assert_int_equal(csv.fault, BT_CSV_UNCLOSED);
    free(block);
    block = block_of("");
    bt_csv_open(&csv, block, 0, ',', 1);
    assert_int_equal(bt_csv_any(&csv, fields, 2), 0);
    assert_int_equal(csv.fault, BT_CSV_FINE);
    free(block);
}

static void survey_counts(void **state)
{
    (void)state;
    uint64_t random = 5;
    for (int round = 0; round < 500; round++) {
        char text[2000];
        size_t length = test_below(&random, sizeof text), quotes = 0;
        bool nul = false, high = false;
        int kind = round % 4;
        for (size_t i = 0; i < length; i++) {
            uint64_t draw = test_below(&random, 500);
            text[i] = draw < 250                ? '"'
                      : draw == 250 && kind & 1 ? '\0'
                      : draw == 251 && kind & 2 ? '\x80'
                                                : 'a';
            quotes += text[i] == '"';
            nul |= text[i] == '\0';
            high |= text[i] == '\x80';
        }
        bt_csv_census census = bt_csv_survey(text, length);
        assert_int_equal(census.quotes, quotes);
        assert_int_equal(census.nul, nul);
        assert_int_equal(census.high, high);
    }
}

static void put_quotes_when_it_must(void **state)
{
    (void)state;
    static const struct {
        const char *text, *field;
    } cases[] = {
        {"", ""},
        {"abc", "abc"},
        {"a b", "a b"},
        {"a,b", "\"a,b\""},
        {"a\"b", "\"a\"\"b\""},
        {"a\nb", "\"a\nb\""},
        {"a\rb", "\"a\rb\""},
        {" a", "\" a\""},
        {"a\t", "\"a\t\""},
        {"a;b|c", "a;b|c"},
        {"[1,2]", "\"[1,2]\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_buffer out = {0};
        assert_ok(bt_csv_put(&out, cases[i].text, strlen(cases[i].text), &error), &error);
        assert_int_equal(out.length, strlen(cases[i].field));
        if (out.length) assert_memory_equal(out.bytes, cases[i].field, out.length);
        bt_buffer_release(&out);
    }
}

static void what_is_put_can_be_read(void **state)
{
    (void)state;
    uint64_t random = 6;
    for (int round = 0; round < 5000; round++) {
        bauta_error error;
        char value[100];
        size_t length = test_below(&random, sizeof value);
        for (size_t i = 0; i < length; i++)
            value[i] = "ab,\"\r\n \t;"[test_below(&random, 9)];
        bt_buffer out = {0}, scratch = {0};
        assert_ok(bt_csv_put(&out, value, length, &error), &error);
        assert_ok(bt_buffer_add(&out, ",x\n", 3, &error), &error);
        size_t written = out.length;
        assert_ok(bt_buffer_reserve(&out, BT_CSV_PADDING, &error), &error);
        memset(out.bytes + written, 0, BT_CSV_PADDING);
        bt_csv csv;
        bt_span fields[2];
        bt_csv_open(&csv, out.bytes, written, ',', 2);
        assert_true(bt_csv_next(&csv, fields));
        assert_ok(bt_span_text(&fields[0], &scratch, &error), &error);
        assert_int_equal(fields[0].length, length);
        if (length) assert_memory_equal(fields[0].bytes, value, length);
        assert_false(bt_csv_next(&csv, fields));
        assert_int_equal(csv.fault, BT_CSV_FINE);
        bt_buffer_release(&out);
        bt_buffer_release(&scratch);
    }
}

static void texts_that_tempt(void **state)
{
    (void)state;
    static const char *const tempting[] = {"=1",     "+1", "+",  "-",   "--1",  "-1-2",
                                           "-1.2.3", "@a", "'",  "'a",  "\t=1", "\r=1",
                                           "\n=1",   "-a", "-.", "-1e5"};
    static const char *const plain[] = {"",  "a=1", "1",      "-1", "-0.5",
                                        "0", " =1", "[-5,3]", "*",  "{=a|b}"};
    for (size_t i = 0; i < sizeof tempting / sizeof *tempting; i++)
        assert_true(bt_csv_tempts(tempting[i], strlen(tempting[i])));
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        assert_false(bt_csv_tempts(plain[i], strlen(plain[i])));
    assert_false(bt_csv_tempts("\0=1", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_that_tempt),
        cmocka_unit_test(records_and_line_ends),
        cmocka_unit_test(blank_lines),
        cmocka_unit_test(quoted_fields),
        cmocka_unit_test(long_fields_cross_the_window),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(headers_of_unknown_width),
        cmocka_unit_test(survey_counts),
        cmocka_unit_test(put_quotes_when_it_must),
        cmocka_unit_test(what_is_put_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
