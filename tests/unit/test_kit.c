/* SPDX-License-Identifier: Apache-2.0
 *
 * The tools of the experiments beside those of the library: what both do, they do alike. Names cut
 * short, tables of random bytes, streams and numbers.
 */
#include "scratch.h"

#include "base/csv.h"
#include "base/random.h"
#include "base/text.h"
#include "kit/kit.h"

#include <string.h>

static bauta_error error;

/* ---- CSV ---- */

/* The fields of a span, as the experiments have them. */
static bool same_field(bt_span span, const char *field)
{
    bt_buffer scratch = {0};
    assert_ok(bt_span_text(&span, &scratch, NULL), &error);
    bool same = strlen(field) == span.length && memcmp(field, span.bytes, span.length) == 0;
    bt_buffer_release(&scratch);
    return same;
}

/* Reads a table in both ways, to its end or to the first fault. */
static void compare_table(const char *text, size_t length)
{
    enum { MOST = 64 };
    char padded[256 + BT_CSV_PADDING] = {0};
    bt_csv csv;
    bt_span fields[MOST];
    ex_csv mine;
    memcpy(padded, text, length);
    bauta_status status = ex_csv_open(&mine, scratch_text("table.csv", padded), ',', &error);
    bt_csv_open(&csv, padded, length, ',', 1);
    size_t columns = bt_csv_any(&csv, fields, MOST);
    int64_t row = 0;
    for (bool more = true; more; row++) {
        if (status != BAUTA_OK) {
            assert_int_equal(error.row, csv.fault == BT_CSV_FINE ? -1 : row);
            assert_string_equal(error.message, csv.fault == BT_CSV_FINE
                                                   ? "the table is empty"
                                                   : bt_csv_fault_text(csv.fault));
            break;
        }
        assert_int_equal(csv.fault, BT_CSV_FINE);
        assert_int_equal(mine.row, row);
        assert_int_equal(mine.columns, columns);
        for (size_t i = 0; i < columns; i++)
            assert_true(same_field(fields[i], mine.fields[i]));
        if (row == 0) bt_csv_open(&csv, csv.at, (size_t)(csv.end - csv.at), ',', columns);
        bool found = bt_csv_next(&csv, fields);
        status = ex_csv_next(&mine, &more, &error);
        if (status == BAUTA_OK) assert_int_equal(more, found);
    }
    ex_csv_close(&mine);
}

static void tables_are_read_as_the_library_does(void **state)
{
    (void)state;
    static const char bytes[] = "ab ,,\"\"\n\n\r\t";
    enum { ROUNDS = 20000, LONGEST = 24 };
    uint64_t random = 11;
    for (int round = 0; round < ROUNDS; round++) {
        char text[LONGEST];
        size_t length = (size_t)test_below(&random, LONGEST);
        for (size_t i = 0; i < length; i++)
            text[i] = bytes[test_below(&random, sizeof bytes - 1)];
        compare_table(text, length);
    }
}

static void fields_are_written_as_the_library_does(void **state)
{
    (void)state;
    static const char *const texts[] = {"",    "a",  "a b",  " a",   "a\t",
                                        "a,b", "\"", "a\"b", "a\nb", "\r"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        bt_buffer theirs = {0};
        ex_buffer mine = {0};
        assert_ok(bt_csv_put(&theirs, texts[i], strlen(texts[i]), &error), &error);
        ex_csv_put(&mine, texts[i], ",");
        assert_int_equal(mine.length, theirs.length);
        if (mine.length) assert_memory_equal(mine.bytes, theirs.bytes, mine.length);
        bt_buffer_release(&theirs);
        ex_buffer_release(&mine);
    }
}

/* ---- streams ---- */

static void streams_are_those_of_the_library(void **state)
{
    (void)state;
    static const char *const seeds[] = {"0", "f", "6261757461", "0123456789abcdefABCDEF"};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        bt_seed theirs;
        ex_seed mine;
        bt_stream expected;
        ex_stream stream;
        assert_true(bt_seed_parse(seeds[i], &theirs) && ex_seed_parse(seeds[i], &mine));
        assert_memory_equal(theirs.bytes, mine.bytes, sizeof mine.bytes);
        bt_stream_init(&expected, &theirs, "label", 3 + i);
        ex_stream_init(&stream, &mine, "label", 3 + i);
        for (uint64_t n = 1; n < 400; n++)
            assert_true(bt_stream_below(&expected, n << 55) == ex_stream_below(&stream, n << 55));
    }
    char longest[66];
    ex_seed seed;
    memset(longest, 'a', sizeof longest);
    longest[64] = '\0';
    assert_true(ex_seed_parse(longest, &seed));
    longest[64] = 'a';
    longest[65] = '\0';
    assert_false(ex_seed_parse(longest, &seed) || ex_seed_parse("", &seed));
    assert_false(ex_seed_parse("g", &seed) || ex_seed_parse("a a", &seed));
}

/* ---- texts ---- */

static void numbers_are_those_of_the_library(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0",
        "-0",
        "+7",
        "9223372036854775807",
        "-9223372036854775808",
        "",
        "-",
        "+",
        "9223372036854775808",
        "-9223372036854775809",
        " 1",
        "1 ",
        "--1",
        "0x10",
        "1e3",
        "+-12",
        "12.0",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        int64_t theirs = 0, mine = 0;
        bool number = bt_text_integer(texts[i], &theirs);
        if (ex_integer(texts[i], &mine) != number) fail_msg("'%s'", texts[i]);
        if (number) assert_int_equal(mine, theirs);
    }
}

static void lists_are_split_as_the_library_does(void **state)
{
    (void)state;
    static const char bytes[] = "ab,,\\ ";
    uint64_t random = 5;
    for (int round = 0; round < 2000; round++) {
        char text[16] = "", **theirs, **mine;
        size_t expected, count, length = (size_t)test_below(&random, sizeof text);
        bt_arena arena = {0};
        ex_arena own = {0};
        for (size_t i = 0; i < length; i++)
            text[i] = bytes[test_below(&random, sizeof bytes - 1)];
        assert_ok(bt_text_split(&arena, text, ',', &theirs, &expected, &error), &error);
        assert_ok(ex_split(&own, text, ',', &mine, &count, &error), &error);
        assert_int_equal(count, expected);
        for (size_t i = 0; i < count; i++)
            assert_string_equal(mine[i], theirs[i]);
        bt_arena_release(&arena);
        ex_arena_release(&own);
    }
}

static void names_cannot_write_to_the_terminal(void **state)
{
    (void)state;
    ex_buffer out = {0};
    ex_print_text(&out, "a\x1b[2J\n\x7f\xC2\x9B\xC3\xA9");
    ex_add(&out, "", 1);
    assert_string_equal(out.bytes, "a\\x1b[2J\\x0a\\x7f\\x9b\xC3\xA9");
    assert_int_equal(ex_width("\xC3\xA9t\xC3\xA9"), 3);
    ex_buffer_release(&out);
}

static void names_of_files_need_not_be_utf8(void **state)
{
    (void)state;
    ex_facts facts = {.root = json_object()};
    ex_put_text(&facts, facts.root, "file", "a\xff\xC3\xA9");
    ex_put_text(&facts, facts.root, "other", "\xC3\xA9");
    assert_false(facts.failed);
    assert_string_equal(ex_text_at(facts.root, "file"), "a???");
    assert_string_equal(ex_text_at(facts.root, "other"), "\xC3\xA9");
    json_decref(facts.root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read_as_the_library_does),
        cmocka_unit_test(fields_are_written_as_the_library_does),
        cmocka_unit_test(streams_are_those_of_the_library),
        cmocka_unit_test(numbers_are_those_of_the_library),
        cmocka_unit_test(lists_are_split_as_the_library_does),
        cmocka_unit_test(names_cannot_write_to_the_terminal),
        cmocka_unit_test(names_of_files_need_not_be_utf8),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
