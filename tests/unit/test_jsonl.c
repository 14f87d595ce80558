/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of JSON Lines: what a value is as text, which keys are columns, which files are such
 * tables, faults with their place; for any number of threads and any size of blocks.
 */
#include "scratch.h"

#include "io/input.h"

#include <fcntl.h>

static const unsigned threads[] = {1, 2, 7};
static const size_t blocks[] = {1, 5, 64, 1000, 0};
enum { THREADS = 3, BLOCKS = 5, MOST_COLUMNS = 16 };

typedef struct opened {
    bt_run run;
    bt_input *input;
    bt_raw *raw;
    bauta_error error;
} opened;

static bauta_status open_table(opened *o, bt_input_options options, unsigned count)
{
    bt_use uses[MOST_COLUMNS];
    *o = (opened){.run = {.memory = 1 << 20, .tmp = "/tmp"}};
    assert_ok(bt_pool_new(count, &o->run.pool, &o->error), &o->error);
    BT_TRY(bt_input_open(&options, &o->run, &o->input, &o->error));
    for (size_t i = 0; i < MOST_COLUMNS; i++)
        uses[i] = i % 2 ? BT_USE_CHECK : BT_USE_CODE;
    return bt_input_read(o->input, uses, &o->run, &o->raw, &o->error);
}

static void close_table(opened *o)
{
    bt_raw_free(o->raw);
    bt_input_close(o->input);
    bt_pool_free(o->run.pool);
}

/* ---- what was read, as text: fields with | between, rows ended by / ---- */

typedef struct collected {
    size_t columns;
    char **rows;
} collected;

static bauta_status collect(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                            size_t at, bauta_error *error)
{
    (void)worker;
    collected *c = user;
    bt_buffer line = {0};
    for (size_t i = 0; i < c->columns; i++) {
        bt_span field;
        BT_TRY(bt_batch_text(batch, i, at, &field, error));
        BT_TRY(
            bt_buffer_print(&line, error, "%s%.*s", i ? "|" : "", (int)field.length, field.bytes));
    }
    BT_TRY(bt_buffer_add(&line, "/", 2, error));
    c->rows[row] = line.bytes;
    return BAUTA_OK;
}

static void table_is(opened *o, const char *header, const char *expected)
{
    int64_t rows = bt_raw_rows(o->raw);
    collected c = {bt_input_columns(o->input), calloc((size_t)rows + 1, sizeof *c.rows)};
    bt_buffer all = {0};
    assert_non_null(c.rows);
    for (size_t i = 0; i < c.columns; i++)
        assert_ok(
            bt_buffer_print(&all, &o->error, "%s%s", i ? "|" : "", bt_input_names(o->input)[i]),
            &o->error);
    assert_string_equal(all.bytes, header);
    assert_int_equal(bt_input_delimiter(o->input), 0);
    for (int twice = 0; twice < 2; twice++) {
        all.length = 0;
        assert_ok(bt_input_scan(o->input, NULL, &o->run, "scanning", collect, &c, &o->error),
                  &o->error);
        for (int64_t i = 0; i < rows; i++) {
            assert_ok(bt_buffer_print(&all, &o->error, "%s", c.rows[i]), &o->error);
            free(c.rows[i]);
        }
        assert_ok(bt_buffer_add(&all, "", 1, &o->error), &o->error);
        assert_string_equal(all.bytes, expected);
    }
    bt_buffer_release(&all);
    free(c.rows);
}

static void reads_with(bt_input_options options, const char *header, const char *expected)
{
    for (size_t t = 0; t < THREADS; t++)
        for (size_t b = 0; b < BLOCKS; b++) {
            opened o;
            options.block_bytes = blocks[b];
            assert_ok(open_table(&o, options, threads[t]), &o.error);
            table_is(&o, header, expected);
            close_table(&o);
        }
}

static void reads(const char *text, const char *header, const char *expected)
{
    const char *file = scratch_text("table.jsonl", text);
    reads_with((bt_input_options){.files = &file, .count = 1}, header, expected);
}

static void values_are_their_text(void **state)
{
    (void)state;
    reads("{\"a\":1,\"b\":\"x\"}\n{\"a\":2,\"b\":\"y\"}\n", "a|b", "1|x/2|y/");
    reads("{\"a\":0}\n{\"a\":-0.50}\n{\"a\":1e5}\n{\"a\":12.5E-3}\n{\"a\":-7}", "a",
          "0/-0.50/1e5/12.5E-3/-7/");
    reads("{\"a\":true,\"b\":false}\n{\"a\":null,\"b\":\"\"}\n{\"a\":\" x \",\"b\":\"007\"}\n",
          "a|b", "true|false/|/ x |007/");
    reads("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t|\\u0041\\u00e9\\u20AC\\ud83d\\uDE00.\"}\n", "a",
          "\"\\/\b\f\n\r\t|A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80./");
    reads("{\"a\":\"gr\xc3\xbc\xc3\x9f Gott, \\u00fc and \xe2\x82\xac\"}", "a",
          "gr\xc3\xbc\xc3\x9f Gott, \xc3\xbc and \xe2\x82\xac/");
    /* Eight bytes at a time: a quote, a backslash, a letter above 127 at each place. */
    reads("{\"a\":\"1234567\\n\"}\n{\"a\":\"12345678\\n9\"}\n{\"a\":\"1234567\xc3\xa9\"}\n", "a",
          "1234567\n/12345678\n9/1234567\xc3\xa9/");
}

static void lines_may_be_spaced(void **state)
{
    (void)state;
    reads(" \t{ \"a\" : 1 ,\t\"b\" : \"x\" } \r\n\n \r\n{\"a\":2,\"b\":\"y\"}\r\n", "a|b",
          "1|x/2|y/");
    reads("\xef\xbb\xbf{\"a\":1}\n\n\n", "a", "1/");
    reads("\n\n{\"a\":1}\n{}\n", "a", "1//");
}

static void keys_are_columns(void **state)
{
    (void)state;
    reads("{\"b\":1,\"a\":2}\n{\"a\":3,\"b\":4}\n{\"a\":5}\n", "b|a", "1|2/4|3/|5/");
    reads("{}\n{\"x\":1}\n{\"y\":2,\"x\":3}\n{\"z\":4}\n", "x|y|z", "||/1||/3|2|/||4/");
    reads("{\"a b\":1,\"\\u00e9\\\"\":2}\n{\"\xc3\xa9\\u0022\":3}\n", "a b|\xc3\xa9\"", "1|2/|3/");
}

/* As many lines name columns as are said to; a key that comes later is refused. */
static void later_keys_are_refused(void **state)
{
    (void)state;
    for (int lines = 999; lines <= 1000; lines++) {
        bt_buffer text = {0};
        opened o;
        for (int i = 0; i < lines; i++)
            assert_ok(bt_buffer_print(&text, &o.error, "{\"a\":%d}\n", i), &o.error);
        assert_ok(bt_buffer_print(&text, &o.error, "{\"a\":1,\"SECRET\":2}\n"), &o.error);
        const char *file = scratch_write("table.jsonl", text.bytes, text.length);
        bauta_status status =
            open_table(&o, (bt_input_options){.files = &file, .count = 1, .block_bytes = 100}, 2);
        if (lines < 1000) {
            assert_ok(status, &o.error);
            assert_int_equal(bt_input_columns(o.input), 2);
        } else {
            assert_int_equal(status, BAUTA_INVALID);
            assert_non_null(strstr(o.error.message, "none of the first 1,000 lines"));
            assert_int_equal(o.error.row, 1001);
            assert_null(strstr(o.error.hint, "SECRET"));
            assert_string_equal(o.error.column, "");
        }
        close_table(&o);
        bt_buffer_release(&text);
    }
}

static void many_columns_are_found(void **state)
{
    (void)state;
    enum { COLUMNS = 3000 };
    bt_buffer text = {0};
    bauta_error error;
    for (int row = 0; row < 2; row++) /* the second has them in another order */
        for (int i = 0; i < COLUMNS; i++)
            assert_ok(bt_buffer_print(&text, &error, "%s\"c%d\":%d%s", i ? "," : "{",
                                      row ? COLUMNS - 1 - i : i, i, i + 1 == COLUMNS ? "}\n" : ""),
                      &error);
    const char *file = scratch_write("wide.jsonl", text.bytes, text.length);
    const bt_input_options options = {.files = &file, .count = 1};
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    bt_use *uses = calloc(COLUMNS, sizeof *uses);
    bt_input *input;
    bt_raw *raw;
    assert_non_null(uses);
    assert_ok(bt_pool_new(1, &run.pool, &error), &error);
    assert_ok(bt_input_open(&options, &run, &input, &error), &error);
    assert_int_equal(bt_input_columns(input), COLUMNS);
    assert_string_equal(bt_input_names(input)[2999], "c2999");
    uses[1] = BT_USE_CODE;
    assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
    const bt_values *values = bt_raw_values(raw, 1);
    assert_int_equal(values->count, 2);
    assert_memory_equal(values->text[0], "1", 1);
    assert_memory_equal(values->text[1], "2998", 4);
    bt_raw_free(raw);
    bt_input_close(input);
    bt_pool_free(run.pool);
    free(uses);
    bt_buffer_release(&text);
}

/* ---- faults ---- */

/* `line` is refused as the third row, in the first lines and behind them; `column` may be "". */
static void refused(const char *line, size_t length, const char *message, const char *column)
{
    for (int before = 2; before <= 1200; before += 1198)
        for (size_t b = 0; b < BLOCKS; b++) {
            opened o;
            bt_buffer text = {0};
            for (int i = 0; i < before; i++)
                assert_ok(bt_buffer_print(&text, &o.error, "{\"a\":%d,\"b\":\"SECRET\"}\n", i),
                          &o.error);
            assert_ok(bt_buffer_add(&text, line, length, &o.error), &o.error);
            assert_ok(bt_buffer_add(&text, "\n{\"a\":5}\n", 9, &o.error), &o.error);
            const char *file = scratch_write("table.jsonl", text.bytes, text.length);
            bauta_status status = open_table(
                &o, (bt_input_options){.files = &file, .count = 1, .block_bytes = blocks[b]},
                threads[b % THREADS]);
            assert_int_equal(status, BAUTA_INVALID);
            if (!strstr(o.error.message, message))
                fail_msg("%s: '%s', not '%s'", line, o.error.message, message);
            assert_int_equal(o.error.row, before + 1);
            assert_string_equal(o.error.column, column);
            assert_string_equal(o.error.file, file);
            assert_null(strstr(o.error.message, "SECRET"));
            assert_null(strstr(o.error.hint, "SECRET"));
            close_table(&o);
            bt_buffer_release(&text);
        }
}

#define REFUSED(line, message, column) refused(line, sizeof(line) - 1, message, column)

static void faults_have_a_place(void **state)
{
    (void)state;
    REFUSED("{\"a\":{\"SECRET\":1}}", "an object or an array", "a");
    REFUSED("{\"a\":1,\"b\":[\"SECRET\"]}", "an object or an array", "b");
    REFUSED("{\"a\":[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", "an object or an array",
            "a");
    REFUSED("{\"a\":1,\"a\":2}", "a key twice", "a");
    REFUSED("{\"a\":1,\"\\u0061\":2}", "a key twice", "a");
    REFUSED("{\"a\":null,\"a\":null}", "a key twice", "a");
    REFUSED("{\"a\":\"SECRET\xff\"}", "not valid UTF-8", "a");
    REFUSED("{\"a\":\"\xed\xa0\x80\"}", "not valid UTF-8", "a");
    REFUSED("{\"a\":\"\xc3\"}", "not valid UTF-8", "a");
    REFUSED("{\"\xff\":1}", "not valid UTF-8", "");
    REFUSED("{\"a\":\"SEC\tRET\"}", "bare control character", "a");
    REFUSED("{\"a\":\"SEC\0RET\"}", "bare control character", "a");
    REFUSED("{\"a\":\"\\u0000\"}", "a NUL character", "a");
    REFUSED("{\"a\":\"\\ud800\"}", "half of a surrogate pair", "a");
    REFUSED("{\"a\":\"\\ud800\\u0041\"}", "half of a surrogate pair", "a");
    REFUSED("{\"a\":\"\\ud800\\udbff\"}", "half of a surrogate pair", "a");
    REFUSED("{\"a\":\"\\udc00\\ud800\"}", "half of a surrogate pair", "a");
    REFUSED("{\"a\":\"\\x41\"}", "an escape that JSON does not have", "a");
    REFUSED("{\"a\":\"\\u12g4\"}", "an escape that JSON does not have", "a");
    REFUSED("{\"a\":\"\\u12", "an escape that JSON does not have", "a");
    REFUSED("{\"a\":\"\\", "an escape that JSON does not have", "a");
    REFUSED("{\"a\":\"SECRET", "ends inside a string", "a");
    REFUSED("{\"a", "ends inside a string", "");
    REFUSED("{\"a\":", "ends before a value", "a");
    REFUSED("{\"a\"", "lacks its colon", "");
    REFUSED("{\"a\" 1}", "lacks its colon", "");
    REFUSED("{", "lacks a key", "");
    REFUSED("{\"a\":1,}", "lacks a key", "");
    REFUSED("{,\"a\":1}", "lacks a key", "");
    REFUSED("{a:1}", "lacks a key", "");
    REFUSED("{\"a\":1", "lacks a comma or its end", "");
    REFUSED("{\"a\":1 \"b\":2}", "lacks a comma or its end", "");
    REFUSED("{\"a\":truest}", "lacks a comma or its end", "");
    REFUSED("{\"a\":1]}", "lacks a comma or its end", "");
    REFUSED("{\"a\":1}{\"a\":2}", "something follows", "");
    REFUSED("{\"a\":1},", "something follows", "");
    REFUSED("{\"a\":1}\0", "something follows", "");
    REFUSED("[1,2]", "no object", "");
    REFUSED("5", "no object", "");
    REFUSED("SECRET", "no object", "");
    REFUSED("\0", "no object", "");
    REFUSED("{\"a\":01}", "no number", "a");
    REFUSED("{\"a\":-}", "no number", "a");
    REFUSED("{\"a\":1.}", "no number", "a");
    REFUSED("{\"a\":1e}", "no number", "a");
    REFUSED("{\"a\":1e+}", "no number", "a");
    REFUSED("{\"a\":NaN}", "neither a string", "a");
    REFUSED("{\"a\":nul}", "neither a string", "a");
    REFUSED("{\"a\":+1}", "neither a string", "a");
    REFUSED("{\"a\":.5}", "neither a string", "a");
    REFUSED("{\"a\":tru\ne}", "neither a string", "a");
    REFUSED("{\"a\":'x'}", "neither a string", "a");
}

static void opening_fails(const char *text, const char *message)
{
    opened o;
    const char *file = scratch_text("table.jsonl", text);
    assert_fails(open_table(&o, (bt_input_options){.files = &file, .count = 1}, 1), BAUTA_INVALID,
                 &o.error, message);
    close_table(&o);
}

static void other_files_are_refused(void **state)
{
    (void)state;
    opened o;
    opening_fails("[{\"a\":1}]\n", "a JSON array");
    opening_fails(" [\n {\"a\":1}\n]\n", "a JSON array");
    opening_fails("{\n  \"a\": 1\n}\n", "lacks a key"); /* the extension says what it is */
    opening_fails("{}\n{}\n", "no keys");
    opening_fails("{\"\":1}\n", "a key is empty");
    const char *file = scratch_text("table.jsonl", "{\"a\":1}\n");
    assert_fails(
        open_table(&o, (bt_input_options){.files = &file, .count = 1, .encoding = BT_LATIN1}, 1),
        BAUTA_INVALID, &o.error, "are UTF-8");
    close_table(&o);
}

/* A line of more than 64 MiB, alone and behind others. */
static void endless_lines_are_refused(void **state)
{
    (void)state;
    enum { LONG = (1 << 26) + (1 << 25) };
    char *line = malloc(LONG + 100);
    assert_non_null(line);
    for (int before = 0; before < 3; before += 2) {
        opened o;
        size_t used = 0;
        for (int i = 0; i < before * 600; i++)
            used += (size_t)sprintf(line + used, "{\"a\":1}\n");
        used += (size_t)sprintf(line + used, "{\"a\":\"");
        memset(line + used, 'x', LONG - used);
        memcpy(line + LONG, "\"}\n", 3);
        const char *file = scratch_write("long.jsonl", line, LONG + 3);
        assert_fails(open_table(&o, (bt_input_options){.files = &file, .count = 1}, 2),
                     BAUTA_INVALID, &o.error, "longer than 64 MiB");
        assert_int_equal(o.error.row, before * 600 + 1);
        close_table(&o);
        unlink(file);
    }
    free(line);
}

/* ---- which files are JSON Lines ---- */

static void source_is(const char *name, const char *text, bool plain, const char *first)
{
    opened o;
    const char *file = scratch_text(name, text);
    assert_ok(open_table(&o, (bt_input_options){.files = &file, .count = 1, .plain = plain}, 1),
              &o.error);
    assert_string_equal(bt_input_names(o.input)[0], first);
    close_table(&o);
}

static void files_are_recognized(void **state)
{
    (void)state;
    source_is("t.jsonl", "{\"a\":1}\n", false, "a");
    source_is("t.csv", "{\"a\":1}\n", false, "a"); /* no CSV: a quote is inside a field */
    source_is("t", "\n { \"a\":1}\n", false, "a");
    source_is("t.NDJSON", "{}\n{\"a\":1}\n", false, "a");
    source_is("t.json", "{}\n{\"a\":1}\n", false, "a");
    source_is("t.csv", "{}\n1\n", false, "{}"); /* may be both: the extension decides */
    source_is("t", "{}\n1\n", false, "{}");
    source_is("t.csv", "{\n\"a\"\n", false, "{");
    source_is("t.jsonl", "a,b\n1,2\n", false, "a");
    source_is("t.jsonl", "[\n1\n", false, "[");
    source_is("t.jsonl", "{}\n1\n", true, "{}"); /* files of a release are CSV */
}

static void options_change_the_reading(void **state)
{
    (void)state;
    const char *file = scratch_text("table.jsonl", "{\"a\":1.5,\"b\":\"1.5\"}\n{\"a\":-2}\n");
    reads_with((bt_input_options){.files = &file,
                                  .count = 1,
                                  .decimal_comma = true,
                                  .delimiter = ';',
                                  .header = BT_HEADER_NO},
               "a|b", "1,5|1.5/-2|/");
}

static void several_files_are_one_table(void **state)
{
    (void)state;
    const char *files[] = {scratch_text("1.jsonl", "{\"a\":1,\"b\":2}"),
                           scratch_text("2.csv", "a,b\n3,4\n"),
                           scratch_text("3.ndjson", "{\"a\":5}\n{\"b\":6}\n")};
    reads_with((bt_input_options){.files = files, .count = 3}, "a|b", "1|2/3|4/5|/|6/");
    opened o;
    files[1] = scratch_text("4.jsonl", "{\"b\":1,\"a\":2}");
    assert_fails(open_table(&o, (bt_input_options){.files = files, .count = 2}, 1), BAUTA_INVALID,
                 &o.error, "the header differs");
    close_table(&o);
}

static void pipes_are_read(void **state)
{
    (void)state;
    static const char text[] = "{\"a\":1,\"b\":\"\\u00e9\"}\n{\"b\":\"\\\"\",\"a\":2}\n";
    for (size_t b = 0; b < BLOCKS; b++) {
        opened o;
        int ends[2];
        char name[32];
        const char *file = name;
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
        close(ends[1]);
        snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
        assert_ok(
            open_table(&o, (bt_input_options){.files = &file, .count = 1, .block_bytes = blocks[b]},
                       2),
            &o.error);
        table_is(&o, "a|b", "1|\xc3\xa9/2|\"/");
        close_table(&o);
        close(ends[0]);
    }
}

static void a_file_that_changes_is_noticed(void **state)
{
    (void)state;
    opened o;
    collected c = {1, calloc(4, sizeof *c.rows)};
    const char *file = scratch_text("table.jsonl", "{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n");
    assert_non_null(c.rows);
    assert_ok(open_table(&o, (bt_input_options){.files = &file, .count = 1}, 1), &o.error);
    scratch_text("table.jsonl", "{\"a\":1}\n");
    assert_fails(bt_input_scan(o.input, NULL, &o.run, "scanning", collect, &c, &o.error),
                 BAUTA_INVALID, &o.error, "changed while it was read");
    close_table(&o);
    free(c.rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_their_text),
        cmocka_unit_test(lines_may_be_spaced),
        cmocka_unit_test(keys_are_columns),
        cmocka_unit_test(later_keys_are_refused),
        cmocka_unit_test(many_columns_are_found),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(endless_lines_are_refused),
        cmocka_unit_test(files_are_recognized),
        cmocka_unit_test(options_change_the_reading),
        cmocka_unit_test(several_files_are_one_table),
        cmocka_unit_test(pipes_are_read),
        cmocka_unit_test(a_file_that_changes_is_noticed),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
