/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading input: headers, encodings, compression, several files, faults with their place; for
 * any number of threads and any size of blocks.
 */
#include "scratch.h"

#include "base/foreign.h"
#include "io/input.h"
#include "io/sniff.h"

#include <fcntl.h>
#include <zlib.h>
#include <zstd.h>

static const unsigned threads[] = {1, 2, 7};
static const size_t blocks[] = {1, 7, 64, 1000, 0};
enum { THREADS = 3, BLOCKS = 5, MOST_COLUMNS = 16 };

static bt_run run_with(unsigned count)
{
    bauta_error error;
    bt_run run = {.memory = 1 << 20, .tmp = "/tmp"};
    assert_ok(bt_pool_new(count, &run.pool, &error), &error);
    return run;
}

static bt_input_options options_for(const char *const *files, size_t count)
{
    static const char *const missing[] = {"NA", "?"};
    return (bt_input_options){
        .files = files, .count = count, .missing = {.tokens = missing, .count = 2}};
}

/* ---- what was read, as text: the rows in order, fields separated by |, rows ended by / ---- */

typedef struct collected {
    const bt_input *input;
    char **rows;
    int64_t room;
} collected;

static bauta_status collect(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                            size_t at, bauta_error *error)
{
    (void)worker;
    collected *c = user;
    if (row < 0 || row >= c->room || c->rows[row])
        return bt_fail(error, BAUTA_INTERNAL, "row %lld", (long long)row);
    bt_buffer line = {0};
    for (size_t i = 0; i < bt_input_columns(c->input); i++) {
        bt_span field;
        BT_TRY(bt_batch_text(batch, i, at, &field, error));
        BT_TRY(
            bt_buffer_print(&line, error, "%s%.*s", i ? "|" : "", (int)field.length, field.bytes));
    }
    BT_TRY(bt_buffer_add(&line, "", 1, error));
    c->rows[row] = line.bytes;
    return BAUTA_OK;
}

static void scan_is(bt_input *input, const bt_run *run, int64_t rows, const char *expected)
{
    bauta_error error;
    collected c = {.input = input, .room = rows, .rows = calloc((size_t)rows + 1, sizeof(char *))};
    assert_non_null(c.rows);
    assert_ok(bt_input_scan(input, NULL, run, "scanning", collect, &c, &error), &error);
    bt_buffer all = {0};
    for (int64_t i = 0; i < rows; i++) {
        assert_non_null(c.rows[i]);
        assert_ok(bt_buffer_print(&all, &error, "%s/", c.rows[i]), &error);
        free(c.rows[i]);
    }
    assert_ok(bt_buffer_add(&all, "", 1, &error), &error);
    assert_string_equal(all.bytes, expected);
    bt_buffer_release(&all);
    free(c.rows);
}

static void all_uses(bt_use *uses, bt_use use)
{
    for (size_t i = 0; i < MOST_COLUMNS; i++)
        uses[i] = use;
}

/* Reads the files with every number of threads and size of blocks and compares header and rows. */
static void reads_with(bt_input_options options, const char *header, const char *expected)
{
    int64_t rows = 0;
    for (const char *p = expected; *p; p++)
        rows += *p == '/';
    for (size_t t = 0; t < THREADS; t++)
        for (size_t b = 0; b < BLOCKS; b++) {
            bauta_error error;
            bt_run run = run_with(threads[t]);
            bt_input *input;
            bt_raw *raw;
            bt_use uses[MOST_COLUMNS];
            all_uses(uses, BT_USE_CODE);
            options.block_bytes = blocks[b];
            assert_ok(bt_input_open(&options, &run, &input, &error), &error);
            bt_buffer names = {0};
            for (size_t i = 0; i < bt_input_columns(input); i++)
                assert_ok(
                    bt_buffer_print(&names, &error, "%s%s", i ? "|" : "", bt_input_names(input)[i]),
                    &error);
            assert_string_equal(names.bytes, header);
            bt_buffer_release(&names);
            assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
            assert_int_equal(bt_raw_rows(raw), rows);
            if (options.encoding == BT_UTF8) scan_is(input, &run, rows, expected);
            bt_raw_free(raw);
            bt_input_close(input);
            bt_pool_free(run.pool);
        }
}

static void reads(const char *text, const char *header, const char *expected)
{
    const char *file = scratch_text("table.csv", text);
    reads_with(options_for(&file, 1), header, expected);
}

static void tables_are_read(void **state)
{
    (void)state;
    reads("a,b\n1,2\n3,4\n", "a|b", "1|2/3|4/");
    reads("a,b\n1,2\n3,4", "a|b", "1|2/3|4/");
    reads("a,b\r\n1,2\r\n3,4\r\n", "a|b", "1|2/3|4/");
    reads("a,b\n", "a|b", "");
    reads("a,b", "a|b", "");
    reads("a,b\n\n1,2\n\n\n3,4\n\n", "a|b", "1|2/3|4/");
    reads("\xef\xbb\xbf"
          "a,b\n1,2\n",
          "a|b", "1|2/");
    reads("\n\na,b\n1,2\n", "a|b", "1|2/");
    reads("a,,b\n1,2,3\n", "a|column_2|b", "1|2|3/");
    reads("a\n1\n2\n", "a", "1/2/");
    reads("\"a,x\",\"b\nb\"\n1,2\n", "a,x|b\nb", "1|2/");
}

static void delimiters_are_sniffed(void **state)
{
    (void)state;
    reads("a;b\n1,5;2\n3;4\n", "a|b", "1,5|2/3|4/");
    reads("a\tb\n1\t2\n", "a|b", "1|2/");
    reads("a|b\n1|2\n", "a|b", "1|2/");
    reads("a;b\n\"x;y\";2\n", "a|b", "x;y|2/");
}

static void quotes_cross_blocks(void **state)
{
    (void)state;
    reads("a,b\n\"x\ny\",1\n\"p\"\"q\",2\n\"\n\n\n\n\n\n\n\n\n\n\n\n\n\",3\nz,4\n", "a|b",
          "x\ny|1/p\"q|2/\n\n\n\n\n\n\n\n\n\n\n\n\n|3/z|4/");
}

static void options_change_the_reading(void **state)
{
    (void)state;
    const char *file = scratch_text("table.csv", "1,2\n3,4\n");
    bt_input_options options = options_for(&file, 1);
    options.header = BT_HEADER_NO;
    reads_with(options, "column_1|column_2", "1|2/3|4/");
    file = scratch_text("table.csv", "a;b,c\n1;2,3\n");
    options = options_for(&file, 1);
    options.delimiter = ',';
    reads_with(options, "a;b|c", "1;2|3/");
    file = scratch_text("table.csv", "na\xefve,caf\xe9\n1,2\n");
    options = options_for(&file, 1);
    options.encoding = BT_LATIN1;
    reads_with(options, "na\xc3\xafve|caf\xc3\xa9", "1|2/");
}

static void several_files_are_one_table(void **state)
{
    (void)state;
    const char *files[] = {scratch_text("1.csv", "a,b\n1,2\n3,4"), scratch_text("2.csv", "a,b\n"),
                           scratch_text("3.csv", "a;b\n5;6\n")};
    reads_with(options_for(files, 3), "a|b", "1|2/3|4/5|6/");
    bauta_error error;
    bt_run run = run_with(1);
    bt_input *input;
    files[1] = scratch_text("2.csv", "a,c\n");
    bt_input_options options = options_for(files, 3);
    assert_fails(bt_input_open(&options, &run, &input, &error), BAUTA_INVALID, &error,
                 "the header differs");
    assert_string_equal(error.file, files[1]);
    files[1] = scratch_text("2.csv", "a,b,c\n");
    assert_fails(bt_input_open(&options, &run, &input, &error), BAUTA_INVALID, &error,
                 "the header differs");
    options.count = 0;
    assert_fails(bt_input_open(&options, &run, &input, &error), BAUTA_USAGE, &error, "no input");
    bt_pool_free(run.pool);
}

/* ---- compression ---- */

static size_t gzip(const char *text, char *out, size_t room)
{
    z_stream z = {0};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = (Bytef *)out;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return room - z.avail_out;
}

static void compressed_files_are_read(void **state)
{
    (void)state;
    char packed[4000];
    size_t length = gzip("a,b\n1,\"2\n2\"\n", packed, sizeof packed);
    length += gzip("3,4\n", packed + length, sizeof packed - length); /* a second member */
    const char *file = scratch_write("table.csv.gz", packed, length);
    reads_with(options_for(&file, 1), "a|b", "1|2\n2/3|4/");
    length = ZSTD_compress(packed, sizeof packed, "a,b\n1,2\n", 8, 3);
    length += ZSTD_compress(packed + length, sizeof packed - length, "3,4\n", 4, 3);
    file = scratch_write("table.csv.zst", packed, length);
    reads_with(options_for(&file, 1), "a|b", "1|2/3|4/");
}

static void opening_fails(const char *file, bauta_status status, const char *message)
{
    bauta_error error;
    bt_run run = run_with(2);
    bt_input *input = NULL;
    bt_raw *raw = NULL;
    bt_use uses[MOST_COLUMNS];
    all_uses(uses, BT_USE_CODE);
    bt_input_options options = options_for(&file, 1);
    bt_error_clear(&error);
    bauta_status found = bt_input_open(&options, &run, &input, &error);
    if (found == BAUTA_OK) found = bt_input_read(input, uses, &run, &raw, &error);
    assert_int_equal(found, status);
    if (!strstr(error.message, message)) fail_msg("message '%s'", error.message);
    assert_null(raw);
    bt_input_close(input);
    bt_pool_free(run.pool);
}

static void damaged_compression_is_refused(void **state)
{
    (void)state;
    char packed[4000], text[3000];
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = i % 20 == 19 ? '\n' : "abcdefgh"[test_below(&random, 8)];
    text[sizeof text - 1] = '\0';
    size_t length = gzip(text, packed, sizeof packed);
    opening_fails(scratch_write("cut.gz", packed, length / 2), BAUTA_INVALID, "gzip data");
    packed[length / 2] ^= 0x55;
    opening_fails(scratch_write("bad.gz", packed, length), BAUTA_INVALID, "gzip data");
    length = ZSTD_compress(packed, sizeof packed, text, strlen(text), 3);
    opening_fails(scratch_write("cut.zst", packed, length / 2), BAUTA_INVALID, "zstd data");
    packed[length / 2] ^= 0x55;
    packed[5] ^= 0x55;
    opening_fails(scratch_write("bad.zst", packed, length), BAUTA_INVALID, "zstd data");
}

static void files_that_cannot_be_opened(void **state)
{
    (void)state;
    opening_fails(scratch_name("absent.csv"), BAUTA_INVALID, "cannot open");
    opening_fails(scratch_path, BAUTA_INVALID, "is a folder");
    opening_fails(scratch_text("empty.csv", ""), BAUTA_INVALID, "the file is empty");
    opening_fails(scratch_text("blank.csv", "\n\r\n\n"), BAUTA_INVALID, "the file is empty");
    opening_fails(scratch_write("wide.csv",
                                "\xff\xfe"
                                "a\0",
                                4),
                  BAUTA_INVALID, "UTF-16");
    opening_fails(scratch_text("twice.csv", "a,b,a\n1,2,3\n"), BAUTA_INVALID, "the same name");
    opening_fails(scratch_text("quote.csv", "a,\"b\n1,2\n"), BAUTA_INVALID, "not closed");
    opening_fails(scratch_write("nul.csv", "a,b\0\n1,2\n", 9), BAUTA_INVALID, "NUL");
    opening_fails(scratch_text("latin.csv", "a,caf\xe9\n1,2\n"), BAUTA_INVALID, "not valid UTF-8");
}

/* Standard input is replaced by a pipe that holds the text. */
static void pipes_are_read(void **state)
{
    (void)state;
    static const char text[] = "a,b\n1,\"2\"\n3,4\n";
    for (size_t t = 0; t < THREADS; t++) {
        bauta_error error;
        int ends[2], saved = dup(STDIN_FILENO);
        assert_int_equal(pipe(ends), 0);
        assert_int_equal(write(ends[1], text, sizeof text - 1), sizeof text - 1);
        close(ends[1]);
        dup2(ends[0], STDIN_FILENO);
        close(ends[0]);
        bt_run run = run_with(threads[t]);
        const char *file = "-";
        bt_input_options options = options_for(&file, 1);
        bt_input *input;
        bt_raw *raw;
        bt_use uses[] = {BT_USE_CODE, BT_USE_CHECK};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_int_equal(bt_input_bytes(input), -1);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        scan_is(input, &run, 2, "1|2/3|4/");
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
        dup2(saved, STDIN_FILENO);
        close(saved);
    }
}

/* ---- faults have a place ---- */

/* A table of `rows` good rows with `fault` as row `at`. */
static const char *table_with(const char *fault, size_t length, int rows, int at)
{
    bauta_error error;
    bt_buffer text = {0};
    assert_ok(bt_buffer_print(&text, &error, "a,b,c\n"), &error);
    for (int row = 1; row <= rows; row++) {
        if (row == at)
            assert_ok(bt_buffer_add(&text, fault, length, &error), &error);
        else
            assert_ok(bt_buffer_print(&text, &error, "%d,\"x\ny\",%d\n", row, row * 3), &error);
    }
    const char *file = scratch_write("faulty.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void fault_at(const char *fault, size_t length, int64_t row_least, int64_t row_most,
                     const char *column, const char *message)
{
    for (int at = 1; at <= 50; at += 7)
        for (size_t t = 0; t < THREADS; t++)
            for (size_t b = 0; b < BLOCKS; b++) {
                bauta_error error;
                const char *file = table_with(fault, length, 50, at);
                bt_run run = run_with(threads[t]);
                bt_input_options options = options_for(&file, 1);
                options.block_bytes = blocks[b];
                bt_input *input;
                bt_raw *raw;
                bt_use uses[MOST_COLUMNS];
                all_uses(uses, BT_USE_CODE);
                assert_ok(bt_input_open(&options, &run, &input, &error), &error);
                assert_fails(bt_input_read(input, uses, &run, &raw, &error), BAUTA_INVALID, &error,
                             message);
                assert_string_equal(error.file, file);
                if (error.row < at + row_least || error.row > at + row_most)
                    fail_msg("%s: row %lld for %d, threads %u, block %zu", message,
                             (long long)error.row, at, threads[t], blocks[b]);
                assert_string_equal(error.column, column);
                bt_input_close(input);
                bt_pool_free(run.pool);
            }
}

static void faults_have_a_place(void **state)
{
    (void)state;
    fault_at("1,2\n", 4, 0, 0, "", "fewer fields");
    fault_at("1,2,3,4\n", 8, 0, 0, "", "more fields");
    fault_at("1,2\"x,3\n", 8, 0, 0, "b", "quote");
    fault_at("1,\"2\"x,3\n", 9, 0, 0, "b", "quote");
    fault_at("1,2\0,3\n", 7, 0, 0, "b", "NUL");
    fault_at("1,2,\xe9\n", 6, 0, 0, "c", "UTF-8");
}

static void an_unclosed_quote_has_a_place(void **state)
{
    (void)state;
    for (size_t t = 0; t < THREADS; t++)
        for (size_t b = 0; b < BLOCKS; b++) {
            bauta_error error;
            const char *file = scratch_text("open.csv", "a,b\n1,2\n3,4\n5,\"6\n7,8\n9,10\n");
            bt_run run = run_with(threads[t]);
            bt_input_options options = options_for(&file, 1);
            options.block_bytes = blocks[b];
            bt_input *input;
            bt_raw *raw;
            bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
            assert_ok(bt_input_open(&options, &run, &input, &error), &error);
            assert_fails(bt_input_read(input, uses, &run, &raw, &error), BAUTA_INVALID, &error,
                         "not closed");
            assert_int_equal(error.row, 3);
            assert_string_equal(error.column, "b");
            bt_input_close(input);
            bt_pool_free(run.pool);
        }
}

/* ---- first lines ---- */

static bauta_status open_looking(const char *text, bt_header header, bt_input **input,
                                 bauta_error *error)
{
    static const char *file;
    file = scratch_text("first.csv", text);
    bt_run run = run_with(1);
    bt_input_options options = options_for(&file, 1);
    options.header = header;
    bauta_status status = bt_input_open(&options, &run, input, error);
    bt_pool_free(run.pool);
    return status;
}

static void records_are_not_names(void **state)
{
    (void)state;
    static const char *const records[] = {
        "a,1\nb,2\n",                           /* a number */
        "a,-1.5\nb,2\n",                        /* a number with a sign */
        "a,2001-02-03\nb,\n",                   /* a date */
        "a,3/2/2001 10:00\nb,\n",               /* a moment */
        "a,00123\nb,c\n",                       /* a code of digits */
        "x,Rome\ny,Bari\nz,Rome\n",             /* a value of the column */
        "\"x\",\"Ro\"\"me\"\ny,\"Ro\"\"me\"\n", /* a value of the column, with quotes */
        "a,a,7\nb,c,d\n",                       /* names that occur twice, and a number */
        "5\n6\n",
    };
    static const char *const names[] = {
        "a,b\n1,2\n", "a,a\n1,2\n",         "a,,b\n,,\n", "Rome,x\nx,Rome\n", "a 1,b2\n1,2\n",
        "%,#\n1,2\n", "\303\2511,b\n1,2\n", "a,b",        "1st,x\n1,2\n",
    };
    bauta_error error;
    bt_input *input;
    for (size_t i = 0; i < sizeof records / sizeof *records; i++) {
        assert_fails(open_looking(records[i], BT_HEADER_LOOK, &input, &error), BAUTA_INVALID,
                     &error, "the first line looks like a record");
        assert_string_equal(error.column, "");
        assert_non_null(strstr(error.hint, "--header no"));
        assert_ok(open_looking(records[i], BT_HEADER_YES, &input, &error), &error);
        bt_input_close(input);
        assert_ok(open_looking(records[i], BT_HEADER_NO, &input, &error), &error);
        assert_string_equal(bt_input_names(input)[0], "column_1");
        bt_input_close(input);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_ok(open_looking(names[i], BT_HEADER_LOOK, &input, &error), &error);
        bt_input_close(input);
    }
    assert_fails(open_looking("a,b\r1,2\r3,4\r", BT_HEADER_YES, &input, &error), BAUTA_INVALID,
                 &error, "carriage return");
    assert_string_equal(error.column, "");
    assert_ok(open_looking("a,\"b\r\nc\"\r\n1,2\r\n", BT_HEADER_LOOK, &input, &error), &error);
    bt_input_close(input);
}

static void names_that_occur_twice_are_numbered(void **state)
{
    (void)state;
    static const struct {
        const char *text, *names;
        size_t renamed, first;
    } cases[] = {
        {"a,b\n", "a|b|", 0, 2},
        {"a,a\n", "a|a_2|", 1, 1},
        {"a,a,a\n", "a|a_2|a_3|", 2, 1},
        {"a,a,a_2\n", "a|a_3|a_2|", 1, 1},
        {"a_2,a,a,a_2,a\n", "a_2|a|a_3|a_2_2|a_4|", 3, 2},
        {"column_2,\n", "column_2|column_2_2|", 1, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        bt_input *input;
        bt_buffer found = {0};
        size_t first;
        assert_ok(open_looking(cases[i].text, BT_HEADER_LOOK, &input, &error), &error);
        for (size_t c = 0; c < bt_input_columns(input); c++)
            assert_ok(bt_buffer_print(&found, &error, "%s|", bt_input_names(input)[c]), &error);
        assert_string_equal(found.bytes, cases[i].names);
        assert_int_equal(bt_input_renamed(input, &first), cases[i].renamed);
        assert_int_equal(first, cases[i].first);
        bt_buffer_release(&found);
        bt_input_close(input);
        if (cases[i].renamed > 0)
            assert_fails(open_looking(cases[i].text, BT_HEADER_EXACT, &input, &error),
                         BAUTA_INVALID, &error, "two columns of the same name");
    }
}

/* ---- what is found out about columns ---- */

static void checks_find_types_and_uniqueness(void **state)
{
    (void)state;
    const char *file = scratch_text("table.csv", "n,d,t,m\n1,1.5,x,NA\n2,2,x,?\n3,3,y,\n");
    for (size_t t = 0; t < THREADS; t++) {
        bauta_error error;
        bt_run run = run_with(threads[t]);
        bt_input_options options = options_for(&file, 1);
        options.block_bytes = 8;
        bt_input *input;
        bt_raw *raw;
        bt_use alone = (bt_use)(BT_USE_CHECK | BT_USE_ALONE);
        bt_use uses[] = {alone, alone, alone, alone};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_int_equal(bt_input_delimiter(input), ',');
        assert_int_equal(bt_input_bytes(input), 34);
        assert_int_equal(bt_input_settings(input)->block_bytes, 8);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        assert_int_equal(bt_raw_check(raw, 0)->forms, BT_FORM_INTEGER | BT_FORM_DECIMAL);
        assert_int_equal(bt_raw_alone_in(raw, 0), 3);
        assert_int_equal(bt_raw_check(raw, 1)->forms, BT_FORM_DECIMAL);
        assert_int_equal(bt_raw_check(raw, 2)->forms, 0);
        assert_int_equal(bt_raw_alone_in(raw, 2), 1);
        assert_int_equal(bt_raw_check(raw, 3)->missing, 3);
        assert_int_equal(bt_raw_alone_together(raw), 3);
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
    }
}

/* Short and long values, once, twice and often, in many blocks. */
static void rows_alone_are_counted(void **state)
{
    (void)state;
    enum { ROWS = 60000 };
    static const char word[] = "a text of more than sixteen bytes";
    bauta_error error;
    bt_buffer text = {0};
    assert_ok(bt_buffer_print(&text, &error, "id,twice,long,few\n"), &error);
    for (int i = 0; i < ROWS; i++)
        assert_ok(bt_buffer_print(&text, &error, "person-%d,%d,%s %d,%d\n", i, i / 2, word,
                                  i < 10  ? i
                                  : i % 2 ? 3
                                          : 10 + i,
                                  i % 3),
                  &error);
    const char *file = scratch_write("many.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    for (size_t t = 0; t < THREADS; t++) {
        bt_run run = run_with(threads[t]);
        bt_input_options options = options_for(&file, 1);
        options.block_bytes = 10000;
        bt_input *input;
        bt_raw *raw;
        bt_use alone = (bt_use)(BT_USE_CHECK | BT_USE_ALONE);
        bt_use uses[] = {BT_USE_CHECK, alone, alone, alone};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        assert_int_equal(bt_raw_alone_in(raw, 1), 0);
        assert_int_equal(bt_raw_alone_in(raw, 2), ROWS / 2 + 4); /* and 0 to 9, but for 3 */
        assert_int_equal(bt_raw_alone_in(raw, 3), 0);
        assert_int_equal(bt_raw_alone_together(raw), ROWS);
        bt_raw_free(raw);
        bt_input_close(input);
        uses[0] = alone;
        uses[1] = uses[2] = uses[3] = BT_USE_CHECK;
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        assert_int_equal(bt_raw_alone_together(raw), ROWS);
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
    }
}

/* Texts longer than a word, quotes in them, missing ones, and beside being coded or checked. */
static void repeats_are_counted(void **state)
{
    (void)state;
    bauta_error error;
    bt_buffer text = {0};
    assert_ok(bt_buffer_print(&text, &error, "own,pairs,one,some\n"), &error);
    for (int i = 0; i < 3000; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,\"a \"\"long\"\" name of %d\",x,%s\n", i,
                                  i / 2,
                                  i % 3 == 0   ? "NA"
                                  : i % 3 == 1 ? ""
                                  : i == 2     ? "again"
                                  : i == 5     ? "again"
                                               : "?"),
                  &error);
    const char *file = scratch_write("repeats.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    for (size_t t = 0; t < THREADS; t++) {
        bt_run run = run_with(threads[t]);
        bt_input_options options = options_for(&file, 1);
        options.block_bytes = 1000;
        bt_input *input;
        bt_raw *raw;
        bt_use uses[] = {BT_USE_WATCH, (bt_use)(BT_USE_CHECK | BT_USE_WATCH),
                         (bt_use)(BT_USE_CODE | BT_USE_WATCH), BT_USE_WATCH};
        static const bt_repeats expected[] = {
            {3000, 3000, 0}, {3000, 1500, 3000}, {3000, 1, 3000}, {2, 1, 2}};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        for (size_t i = 0; i < 4; i++)
            assert_memory_equal(bt_raw_repeats(raw, i), &expected[i], sizeof *expected);
        assert_int_equal(bt_raw_values(raw, 2)->count, 1);
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
    }
}

/* Dictionary codes of every width, mapped to the final ones. */
/* Rows that stand alone in sets of columns are counted exactly, and some rows are kept, the same
 * for any number of threads. */
static void sets_are_counted_and_excerpted(void **state)
{
    (void)state;
    enum { ROWS = 30000, KEPT = 8192 };
    static int64_t first[KEPT];
    bauta_error error;
    bt_buffer text = {0};
    assert_ok(bt_buffer_print(&text, &error, "a,b,c,d\n"), &error);
    for (int i = 0; i < ROWS; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,\"%d\"\"\",%d,%d\n", i % 100, i / 100,
                                  i < 7 ? i : 7 + i % 2, i),
                  &error);
    const char *file = scratch_write("sets.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    for (size_t t = 0; t < THREADS; t++) {
        bt_run run = run_with(threads[t]);
        bt_input_options options = options_for(&file, 1);
        options.block_bytes = 10000;
        bt_input *input;
        bt_raw *raw;
        bt_use uses[] = {BT_USE_CODE | BT_USE_FIRST_SET,
                         BT_USE_CHECK | BT_USE_FIRST_SET | BT_USE_EXCERPT,
                         BT_USE_CODE | BT_USE_SECOND_SET, BT_USE_CHECK};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
        assert_int_equal(bt_raw_alone(raw, 0), ROWS);
        assert_int_equal(bt_raw_alone(raw, 1), 7);
        assert_int_equal(bt_raw_excerpt_count(raw), KEPT);
        for (size_t i = 0; i < KEPT; i++) {
            int64_t row = bt_raw_excerpt_row(raw, i);
            char expected[16];
            uint32_t length;
            const char *found = bt_raw_excerpt_text(raw, i, 1, &length);
            snprintf(expected, sizeof expected, "%d\"", (int)row / 100);
            assert_int_equal(length, strlen(expected));
            assert_memory_equal(found, expected, length);
            assert_null(bt_raw_excerpt_text(raw, i, 3, &length));
            if (t == 0) first[i] = row;
            assert_int_equal(row, first[i]);
            assert_true(i == 0 || row > first[i - 1]);
        }
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
    }
}

static void values_are_coded(void **state)
{
    (void)state;
    static const uint32_t distinct[] = {3, 1000, 70000};
    for (size_t d = 0; d < 3; d++)
        for (size_t t = 0; t < THREADS; t++) {
            bauta_error error;
            bt_buffer text = {0};
            int64_t rows = (int64_t)distinct[d] * 2;
            assert_ok(bt_buffer_print(&text, &error, "skip,v\n"), &error);
            for (int64_t i = 0; i < rows; i++)
                assert_ok(
                    bt_buffer_print(&text, &error, "s,%lld\n", (long long)(i * 7919 % distinct[d])),
                    &error);
            const char *file = scratch_write("coded.csv", text.bytes, text.length);
            bt_buffer_release(&text);
            bt_run run = run_with(threads[t]);
            bt_input_options options = options_for(&file, 1);
            options.block_bytes = 5000;
            bt_input *input;
            bt_raw *raw;
            bt_use uses[] = {BT_USE_SKIP, BT_USE_CODE};
            assert_ok(bt_input_open(&options, &run, &input, &error), &error);
            assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
            const bt_values *values = bt_raw_values(raw, 1);
            assert_int_equal(values->count, distinct[d]);
            uint32_t *code = calloc(values->count, sizeof *code);
            assert_non_null(code);
            for (uint32_t i = 0; i < values->count; i++) {
                assert_int_equal(values->rows[i], 2);
                for (uint32_t j = 0; j < values->length[i]; j++)
                    code[i] = code[i] * 10 + (uint32_t)(values->text[i][j] - '0');
            }
            bt_column column = {.domain.size = distinct[d]};
            assert_ok(bt_raw_encode(raw, 1, code, &run, &column, &error), &error);
            assert_int_equal(column.width, bt_code_width(distinct[d]));
            for (int64_t i = 0; i < rows; i++)
                assert_int_equal(bt_column_code(&column, i), i * 7919 % distinct[d]);
            free(code);
            free(column.codes);
            bt_raw_free(raw);
            bt_input_close(input);
            bt_pool_free(run.pool);
        }
}

static void a_file_that_changes_is_noticed(void **state)
{
    (void)state;
    bauta_error error;
    const char *file = scratch_text("table.csv", "a,b\n1,2\n3,4\n");
    bt_run run = run_with(2);
    bt_input_options options = options_for(&file, 1);
    bt_input *input;
    bt_raw *raw;
    bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
    assert_ok(bt_input_open(&options, &run, &input, &error), &error);
    assert_ok(bt_input_read(input, uses, &run, &raw, &error), &error);
    FILE *changed = fopen(file, "r+b");
    assert_non_null(changed);
    fputs("a,b\n1,2\n\n\n\n\n", changed);
    fclose(changed);
    collected c = {.input = input, .room = 2, .rows = calloc(3, sizeof(char *))};
    assert_int_equal(bt_input_scan(input, NULL, &run, "scanning", collect, &c, &error),
                     BAUTA_INVALID);
    for (int i = 0; i < 2; i++)
        free(c.rows[i]);
    free(c.rows);
    bt_raw_free(raw);
    bt_input_close(input);
    bt_pool_free(run.pool);
}

/* Writes other values over those of a file, as many bytes as before. */
static void change_values(const char *file)
{
    usleep(20000); /* the clock of file systems ticks every few milliseconds */
    FILE *changed = fopen(file, "r+b");
    assert_non_null(changed);
    fputs("a,b\n5,6\n7,8\n", changed);
    assert_int_equal(fclose(changed), 0);
}

static bauta_status change_at_the_end(void *user, unsigned worker, int64_t row,
                                      const bt_batch *batch, size_t at, bauta_error *error)
{
    (void)worker;
    (void)batch;
    (void)at;
    (void)error;
    if (row == 1 && user) change_values(user);
    return BAUTA_OK;
}

/* After it was opened, after the first pass, and while the last row is handed out. */
static void other_values_are_noticed(void **state)
{
    (void)state;
    for (int moment = 0; moment < 4; moment++) {
        bauta_error error;
        const char *file = scratch_text("table.csv", "a,b\n1,2\n3,4\n");
        bt_run run = run_with(2);
        bt_input_options options = options_for(&file, 1);
        bt_input *input;
        bt_raw *raw = NULL;
        bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
        assert_ok(bt_input_open(&options, &run, &input, &error), &error);
        if (moment == 0) change_values(file);
        bauta_status status = bt_input_read(input, uses, &run, &raw, &error);
        assert_int_equal(status, moment == 0 ? BAUTA_INVALID : BAUTA_OK);
        if (moment == 1) change_values(file);
        if (status == BAUTA_OK)
            status = bt_input_scan(input, NULL, &run, "scanning", change_at_the_end,
                                   moment == 2 ? (void *)(uintptr_t)file : NULL, &error);
        assert_int_equal(status, moment < 3 ? BAUTA_INVALID : BAUTA_OK);
        if (moment < 3) assert_string_equal(error.message, "the file changed while it was read");
        bt_raw_free(raw);
        bt_input_close(input);
        bt_pool_free(run.pool);
    }
}

static int stop(void *user, const char *stage, int64_t done, int64_t total)
{
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return 1;
}

static void reading_can_be_cancelled(void **state)
{
    (void)state;
    bauta_error error;
    const char *file = scratch_text("table.csv", "a,b\n1,2\n3,4\n");
    bt_run run = run_with(1);
    run.progress = stop;
    bt_input_options options = options_for(&file, 1);
    bt_input *input;
    bt_raw *raw;
    bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
    assert_ok(bt_input_open(&options, &run, &input, &error), &error);
    assert_fails(bt_input_read(input, uses, &run, &raw, &error), BAUTA_CANCELLED, &error,
                 "cancelled by the caller");
    bt_input_close(input);
    bt_pool_free(run.pool);
}

/* ---- what is no text ---- */

static void other_files_are_told_from_text(void **state)
{
    (void)state;
    static const char zip[] = "PK\x03\x04\x14\0\0\0\x08\0\0\0\0\0\0\0";
    static const char parquet[] = "PAR1\x15\x04\x15\x10\x15\x14\x4c\x15\x02\x15\0\x12\0\0";
    char text[8192];
    bauta_error error;
    assert_non_null(strstr(bt_foreign_content(zip, sizeof zip, true), "workbook"));
    assert_string_equal(bt_foreign_content(parquet, sizeof parquet, false), "a Parquet file");
    assert_string_equal(bt_foreign_content(zip + 4, sizeof zip - 4, false), "binary data");
    assert_null(bt_foreign_content("PAR1,PAR2\n1,2\n", 14, true));
    assert_null(bt_foreign_content("", 0, true));
    /* What can be read is text; a few bytes that cannot be there are a fault of a text. */
    memset(text, 1, sizeof text);
    assert_null(bt_foreign_content(text, sizeof text, true));
    text[100] = '\xff';
    assert_non_null(bt_foreign_content(text, sizeof text, true));
    assert_null(bt_foreign_content(text, sizeof text, false));
    text[100] = 0;
    assert_fails(bt_sniff_text("f", text, sizeof text, BT_LATIN1, &error), BAUTA_INVALID, &error,
                 "the file is binary data, not text");
    assert_string_equal(error.file, "f");
    memset(text + 150, 'x', sizeof text - 150);
    assert_ok(bt_sniff_text("f", text, sizeof text, BT_LATIN1, &error), &error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_read),
        cmocka_unit_test(delimiters_are_sniffed),
        cmocka_unit_test(quotes_cross_blocks),
        cmocka_unit_test(options_change_the_reading),
        cmocka_unit_test(several_files_are_one_table),
        cmocka_unit_test(compressed_files_are_read),
        cmocka_unit_test(damaged_compression_is_refused),
        cmocka_unit_test(files_that_cannot_be_opened),
        cmocka_unit_test(pipes_are_read),
        cmocka_unit_test(faults_have_a_place),
        cmocka_unit_test(an_unclosed_quote_has_a_place),
        cmocka_unit_test(checks_find_types_and_uniqueness),
        cmocka_unit_test(rows_alone_are_counted),
        cmocka_unit_test(repeats_are_counted),
        cmocka_unit_test(records_are_not_names),
        cmocka_unit_test(names_that_occur_twice_are_numbered),
        cmocka_unit_test(sets_are_counted_and_excerpted),
        cmocka_unit_test(values_are_coded),
        cmocka_unit_test(a_file_that_changes_is_noticed),
        cmocka_unit_test(other_values_are_noticed),
        cmocka_unit_test(reading_can_be_cancelled),
        cmocka_unit_test(other_files_are_told_from_text),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
