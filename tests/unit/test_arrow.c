/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables from Arrow streams: what a value of each type is as text, arrays that are parts of others,
 * several batches, streams that fail, and arrays that are not what they say.
 */
#include "scratch.h"

#include "arrows.h"

#include "io/input.h"
#include "table/arrow.h"
#include "table/print.h"

#include <math.h>

/* ---- what was read, as text: the values of a row with | between, rows ended by / ---- */

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

typedef struct opened {
    bt_streams streams;
    bt_run run;
    bt_input *input;
    bt_raw *raw;
    bauta_error error;
} opened;

/* Reads the stream as a table of which column i is used as uses[i % 2] says. */
static bauta_status open_feed(opened *o, arrow_feed *feed, unsigned threads, size_t block,
                              const bt_use *uses)
{
    static const char *const tokens[] = {"NA"};
    const char *name = "arrow:table";
    struct ArrowArrayStream stream = arrow_stream(feed);
    *o = (opened){.run = {.memory = 1 << 20, .tmp = "/tmp"}};
    assert_ok(bt_pool_new(threads, &o->run.pool, &o->error), &o->error);
    assert_ok(bt_streams_add(&o->streams, "table", &stream, &o->error), &o->error);
    assert_null(stream.release);
    const bt_input_options options = {.files = &name,
                                      .count = 1,
                                      .streams = &o->streams,
                                      .missing = {.tokens = tokens, .count = 1},
                                      .encoding = BT_LATIN1, /* of files: means nothing here */
                                      .block_bytes = block};
    BT_TRY(bt_input_open(&options, &o->run, &o->input, &o->error));
    bt_use all[ARROW_COLUMNS];
    for (size_t i = 0; i < ARROW_COLUMNS; i++)
        all[i] = uses[i % 2];
    return bt_input_read(o->input, all, &o->run, &o->raw, &o->error);
}

static void close_feed(opened *o)
{
    bt_raw_free(o->raw);
    bt_input_close(o->input);
    bt_streams_free(&o->streams);
    bt_pool_free(o->run.pool);
    assert_int_equal(arrow_living, 0);
}

static void scan_is(opened *o, const char *expected)
{
    int64_t rows = bt_raw_rows(o->raw);
    collected c = {bt_input_columns(o->input), calloc((size_t)rows + 1, sizeof *c.rows)};
    bt_buffer all = {0};
    assert_non_null(c.rows);
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

/* ---- one column of each type ---- */

typedef void (*filler)(arrow_column *column);

/* The column is read alone, whole and as a part of a larger array, in blocks of any size, coded and
 * not. */
static void reads_as(arrow_column made, filler fill, const char *expected)
{
    static const bt_use uses[][2] = {{BT_USE_CODE, BT_USE_CODE}, {BT_USE_CHECK, BT_USE_CHECK}};
    static const size_t blocks[] = {1, 3, 0};
    for (int64_t skipped = 0; skipped < 12; skipped += 11)
        for (size_t b = 0; b < 3; b++)
            for (size_t u = 0; u < 2; u++) {
                opened o;
                arrow_feed *feed = arrow_feed_new();
                arrow_column column = made;
                if (made.dictionary) {
                    column.dictionary = malloc(sizeof *column.dictionary);
                    assert_non_null(column.dictionary);
                    *column.dictionary = *made.dictionary;
                }
                for (int64_t i = 0; i < skipped; i++)
                    arrow_put_null(&column);
                fill(&column);
                /* Of the rows that are left out, five are before those of the batch. */
                arrow_feed_add(feed, &column, 1, skipped ? skipped - 5 : 0, skipped ? 5 : 0);
                arrow_release_column(&column);
                assert_ok(open_feed(&o, feed, (unsigned)b + 1, blocks[b], uses[u]), &o.error);
                scan_is(&o, expected);
                close_feed(&o);
            }
    free(made.dictionary);
}

static void fill_numbers(arrow_column *column)
{
    static const int64_t numbers[] = {0, 1, -1, 127, -128};
    for (size_t i = 0; i < 5; i++)
        arrow_put_number(column, numbers[i]);
    arrow_put_null(column);
}

static void integers(void **state)
{
    (void)state;
    static const char *const formats[] = {"c", "s", "i", "l"};
    for (size_t i = 0; i < 4; i++)
        reads_as(arrow_new("n", formats[i]), fill_numbers, "0/1/-1/127/-128//");
    reads_as(arrow_new("n", "C"), fill_numbers, "0/1/255/127/128//");
    reads_as(arrow_new("n", "S"), fill_numbers, "0/1/65535/127/65408//");
    reads_as(arrow_new("n", "I"), fill_numbers, "0/1/4294967295/127/4294967168//");
    reads_as(arrow_new("n", "L"), fill_numbers,
             "0/1/18446744073709551615/127/18446744073709551488//");
}

static void fill_texts(arrow_column *column)
{
    arrow_put_text(column, "");
    arrow_put_text(column, "a");
    arrow_put_null(column);
    arrow_put_text(column, "twelve bytes");
    arrow_put_text(column, "thirteen byte");
    arrow_put_text(column, "sixteen bytes it");
    arrow_put_text(column, "more than sixteen bytes, \"quoted\"");
    arrow_put_text(column, " \xc3\xa4 ");
    arrow_put_text(column, "z");
}

static void texts(void **state)
{
    (void)state;
    static const char *const formats[] = {"u", "U", "vu"};
    for (size_t i = 0; i < 3; i++)
        reads_as(arrow_new("t", formats[i]), fill_texts,
                 "/a//twelve bytes/thirteen byte/sixteen bytes it/"
                 "more than sixteen bytes, \"quoted\"/ \xc3\xa4 /z/");
}

static void fill_words(arrow_column *column)
{
    arrow_put_number(column, 1);
    arrow_put_null(column);
    arrow_put_number(column, 0);
}

static void fill_nothing(arrow_column *column)
{
    arrow_put_null(column);
    arrow_put_null(column);
}

static void booleans_and_nothing(void **state)
{
    (void)state;
    reads_as(arrow_new("b", "b"), fill_words, "true//false/");
    reads_as(arrow_new("n", "n"), fill_nothing, "//");
}

static void fill_days(arrow_column *column)
{
    arrow_put_number(column, 0);
    arrow_put_number(column, -719162);
    arrow_put_null(column);
    arrow_put_number(column, 2932896);
}

/* Times just before and after midnight, in the units of the column. */
static void fill_times(arrow_column *column)
{
    const char *units = "smun", *unit = strchr(units, column->format[2]);
    int64_t second = 1;
    for (; unit > units; unit--)
        second *= 1000;
    if (strcmp(column->format, "tdm") == 0) second = 1000;
    arrow_put_number(column, 0);
    arrow_put_number(column, -1);
    arrow_put_null(column);
    arrow_put_number(column, 86400 * second - 1);
    arrow_put_number(column, 86400 * second);
}

static void dates(void **state)
{
    (void)state;
    static const char *const formats[] = {"tdm", "tss:", "tsm:", "tsu:UTC", "tsn:+00:00"};
    reads_as(arrow_new("d", "tdD"), fill_days, "1970-01-01/0001-01-01//9999-12-31/");
    for (size_t i = 0; i < 5; i++)
        reads_as(arrow_new("d", formats[i]), fill_times,
                 "1970-01-01/1969-12-31//1970-01-01/1970-01-02/");
    reads_as(arrow_new("d", "tsu:+00:01"), fill_times,
             "1970-01-01/1970-01-01//1970-01-02/1970-01-02/");
    reads_as(arrow_new("d", "tsn:-02:30"), fill_times,
             "1969-12-31/1969-12-31//1970-01-01/1970-01-01/");
}

static void fill_decimals(arrow_column *column)
{
    arrow_put_number(column, 0);
    arrow_put_number(column, 150);
    arrow_put_number(column, -1205);
    arrow_put_null(column);
    arrow_put_number(column, 99999);
    arrow_put_number(column, 7);
}

static void fill_wide(arrow_column *column)
{
    arrow_put_number(column, (__int128)1000000000000000000 * 1000000000000000000);
    arrow_put_number(column, -(__int128)123456789012345678 * 1000000000000000000 - 5);
    arrow_put_null(column);
}

static void decimals(void **state)
{
    (void)state;
    static const char *const formats[] = {"d:5,2", "d:5,2,128", "d:18,2,64", "d:9,2,32", "d:30,2"};
    for (size_t i = 0; i < 5; i++)
        reads_as(arrow_new("d", formats[i]), fill_decimals, "0/1.5/-12.05//999.99/0.07/");
    reads_as(arrow_new("d", "d:38,0"), fill_wide,
             "1000000000000000000000000000000000000/-123456789012345678000000000000000005//");
    reads_as(arrow_new("d", "d:38,38"), fill_wide,
             "0.01/-0.00123456789012345678000000000000000005//");
}

static void fill_floats(arrow_column *column)
{
    static const double numbers[] = {0, -0.0, 1, -2.5, 0.1, 1e-7, 123456.75, 1e15, 1e-16};
    for (size_t i = 0; i < 9; i++)
        arrow_put_float(column, numbers[i]);
    arrow_put_float(column, NAN);
    arrow_put_null(column);
}

static void floats(void **state)
{
    (void)state;
    reads_as(arrow_new("f", "g"), fill_floats,
             "0/0/1/-2.5/0.1/0.0000001/123456.75/1000000000000000/0.0000000000000001///");
    reads_as(arrow_new("f", "f"), fill_floats,
             "0/0/1/-2.5/0.1/0.0000001/123456.75/1000000000000000/0.0000000000000001///");
}

static void fill_codes(arrow_column *column)
{
    static const int codes[] = {2, 0, 0, 1, 3};
    if (column->dictionary->rows == 0) {
        bool text = column->dictionary->format[0] == 'u';
        for (int i = 0; i < 3; i++)
            if (text)
                arrow_put_text(column->dictionary, (const char *const[]){"one", "", "one"}[i]);
            else
                arrow_put_number(column->dictionary, (const int[]){0, 7, 0}[i]);
        arrow_put_null(column->dictionary);
    }
    for (size_t i = 0; i < 5; i++)
        arrow_put_number(column, codes[i]);
    arrow_put_null(column);
}

static void dictionaries(void **state)
{
    (void)state;
    static const char *const formats[] = {"c", "C", "s", "I", "l", "L"};
    for (size_t i = 0; i < 6; i++) {
        reads_as(arrow_new_dictionary("w", formats[i], "u"), fill_codes, "one/one/one////");
        reads_as(arrow_new_dictionary("w", formats[i], "i"), fill_codes, "0/0/0/7///");
        reads_as(arrow_new_dictionary("w", formats[i], "tdD"), fill_codes,
                 "1970-01-01/1970-01-01/1970-01-01/1970-01-08///");
        reads_as(arrow_new_dictionary("w", formats[i], "b"), fill_codes,
                 "false/false/false/true///");
    }
}

/* ---- several batches ---- */

static void fill_batch(arrow_column columns[3], int number)
{
    columns[0] = arrow_new("age", "i");
    columns[1] = arrow_new_dictionary("word", "c", "u");
    columns[2] = arrow_new("age", "u");
    arrow_put_text(columns[1].dictionary, number == 1 ? "blue" : "red");
    arrow_put_text(columns[1].dictionary, number == 1 ? "red" : "blue");
    for (int i = 0; number != 2 && i < 3; i++) {
        arrow_put_number(&columns[0], 40 + i * number);
        arrow_put_number(&columns[1], i % 2);
        arrow_put_text(&columns[2], i == 1 ? "NA" : "x");
    }
}

/* Dictionaries differ from batch to batch; one batch is empty; names that occur twice get a
 * number. */
static void batches(void **state)
{
    (void)state;
    static const bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
    for (unsigned threads = 1; threads < 4; threads++) {
        opened o;
        arrow_feed *feed = arrow_feed_new();
        for (int number = 0; number < 4; number++) {
            arrow_column columns[3];
            fill_batch(columns, number);
            arrow_feed_add(feed, columns, 3, 0, 0);
            for (size_t c = 0; c < 3; c++)
                arrow_release_column(&columns[c]);
        }
        assert_ok(open_feed(&o, feed, threads, 2, uses), &o.error);
        assert_string_equal(bt_input_names(o.input)[2], "age_2");
        assert_int_equal(bt_input_delimiter(o.input), 0);
        assert_int_equal(bt_input_bytes(o.input), -1);
        scan_is(&o, "40|red|x/40|blue|NA/40|red|x/40|blue|x/41|red|NA/42|blue|x/"
                    "40|red|x/43|blue|NA/46|red|x/");
        const bt_values *words = bt_raw_values(o.raw, 1);
        assert_int_equal(words->count, 2);
        for (uint32_t i = 0; i < 2; i++)
            assert_int_equal(words->rows[i], words->length[i] == 3 ? 5 : 4);
        const bt_values *ages = bt_raw_values(o.raw, 0);
        assert_int_equal(ages->count, 5);
        int64_t rows = 0;
        for (uint32_t i = 0; i < 5; i++)
            rows += ages->rows[i];
        assert_int_equal(rows, 9);
        close_feed(&o);
    }
}

/* ---- what is refused ---- */

static arrow_feed *feed_of(const char *format, filler fill)
{
    arrow_feed *feed = arrow_feed_new();
    arrow_column column = arrow_new("c", format);
    if (strcmp(format, "dictionary") == 0) column = arrow_new_dictionary("c", "i", "u");
    fill(&column);
    arrow_feed_add(feed, &column, 1, 0, 0);
    arrow_release_column(&column);
    return feed;
}

static void refuses(arrow_feed *feed, const char *message, int64_t row)
{
    static const bt_use uses[] = {BT_USE_CODE, BT_USE_CODE};
    opened o;
    bauta_status status = open_feed(&o, feed, 2, 2, uses);
    assert_int_equal(status, BAUTA_INVALID);
    assert_string_equal(o.error.message, message);
    assert_int_equal(o.error.row, row);
    if (row > 0) assert_string_equal(o.error.column, "c");
    close_feed(&o);
}

static void types_that_are_not_read(void **state)
{
    (void)state;
    static const char *const kinds[][2] = {
        {"+l", "lists"},
        {"+s", "structures"},
        {"z", "binary"},
        {"w:16", "binary"},
        {"ttm", "times of day"},
        {"e", "half-precision numbers"},
        {"tsu:Europe/Nowhere", "timestamps of a time zone that is not known here"},
        {"tsu:+2:0:", "timestamps of a time zone that is not known here"},
        {"d:40,2", "decimals of a kind that is not read"},
        {"d:76,2,256", "decimals of a kind that is not read"},
        {"d:9,-2", "decimals of a kind that is not read"},
        {"what", "values of an unknown type"},
        {"", "values of an unknown type"},
    };
    static const bt_use skip[] = {BT_USE_SKIP, BT_USE_SKIP};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        char message[256];
        snprintf(message, sizeof message, "the column holds %s, which are not read", kinds[i][1]);
        arrow_feed *feed = feed_of("i", fill_numbers);
        free((void *)(uintptr_t)feed->schema.children[0]->format);
        feed->schema.children[0]->format = arrow_copy(kinds[i][0]);
        refuses(feed, message, -1);
        /* A column that is dropped may be anything. */
        opened o;
        feed = feed_of("i", fill_numbers);
        free((void *)(uintptr_t)feed->schema.children[0]->format);
        feed->schema.children[0]->format = arrow_copy(kinds[i][0]);
        assert_ok(open_feed(&o, feed, 1, 0, skip), &o.error);
        assert_int_equal(bt_raw_rows(o.raw), 6);
        close_feed(&o);
    }
}

static void fill_late(arrow_column *column)
{
    arrow_put_number(column, 1);
    arrow_put_number(column, 2);
    arrow_put_number(column, 3);
    arrow_put_number(column, 2932897);
}

static void fill_infinite(arrow_column *column)
{
    arrow_put_float(column, 0.5);
    arrow_put_float(column, -INFINITY);
}

static void fill_fine(arrow_column *column)
{
    arrow_put_float(column, 0.5);
    arrow_put_null(column);
    arrow_put_float(column, 1e-20);
}

static void fill_no_text(arrow_column *column)
{
    arrow_put_text(column, "fine");
    arrow_put_bytes(column, "a\0b", 3);
}

static void fill_no_utf8(arrow_column *column)
{
    arrow_put_text(column, "fine");
    arrow_put_text(column, "fine");
    arrow_put_text(column, "\xc3");
    arrow_put_text(column, "\xa4");
}

static void values_that_cannot_be(void **state)
{
    (void)state;
    refuses(feed_of("tdD", fill_late), "the date is not in the years 1 to 9999", 4);
    refuses(feed_of("d:1,0", fill_wide), "the decimal has more digits than its type", 1);
    refuses(feed_of("g", fill_infinite), "the number is no decimal of up to 18 digits", 2);
    refuses(feed_of("f", fill_infinite), "the number is no decimal of up to 18 digits", 2);
    refuses(feed_of("g", fill_fine), "the number is no decimal of up to 18 digits", 3);
    refuses(feed_of("f", fill_fine), "the number is no decimal of up to 18 digits", 3);
    refuses(feed_of("u", fill_no_text), "the text holds a NUL byte", 2);
    refuses(feed_of("vu", fill_no_text), "the text holds a NUL byte", 2);
    refuses(feed_of("u", fill_no_utf8), "the text is not valid UTF-8", 3);
    refuses(feed_of("vu", fill_no_utf8), "the text is not valid UTF-8", 3);
    arrow_feed *feed = feed_of("tss:+10:00", fill_late);
    int64_t latest = INT64_MAX;
    memcpy((char *)(uintptr_t)feed->batches[0].children[0]->buffers[1] + 16, &latest, 8);
    refuses(feed, "the date is not in the years 1 to 9999", 3);
}

/* ---- arrays that are not what they say ---- */

static struct ArrowArray *column_of(arrow_feed *feed)
{
    return feed->batches[0].children[0];
}

static void drop_buffer(struct ArrowArray *array, size_t number)
{
    free((void *)(uintptr_t)array->buffers[number]);
    array->buffers[number] = NULL;
}

static void set_offset(struct ArrowArray *array, size_t place, int32_t offset)
{
    memcpy((char *)(uintptr_t)array->buffers[1] + place * 4, &offset, 4);
}

static void hostile_lengths(void **state)
{
    (void)state;
    static const int64_t lengths[] = {-1, INT64_MIN, INT64_MAX};
    for (size_t i = 0; i < 3; i++) {
        arrow_feed *feed = feed_of("i", fill_numbers);
        column_of(feed)->length = lengths[i];
        refuses(feed, "the length of a batch cannot be", -1);
        feed = feed_of("i", fill_numbers);
        column_of(feed)->offset = lengths[i];
        refuses(feed, "the length of a batch cannot be", -1);
        feed = feed_of("i", fill_numbers);
        feed->batches[0].length = lengths[i];
        refuses(feed, "the length of a batch cannot be", -1);
        feed = feed_of("i", fill_numbers);
        feed->batches[0].offset = lengths[i];
        refuses(feed, "the length of a batch cannot be", -1);
    }
    arrow_feed *feed = feed_of("i", fill_numbers);
    column_of(feed)->length--;
    refuses(feed, "the column is shorter than its batch", -1);
    feed = feed_of("i", fill_numbers);
    feed->batches[0].offset++;
    refuses(feed, "the column is shorter than its batch", -1);
}

static void hostile_buffers(void **state)
{
    (void)state;
    arrow_feed *feed = feed_of("i", fill_numbers);
    drop_buffer(column_of(feed), 1);
    refuses(feed, "the column lacks a buffer", -1);
    feed = feed_of("i", fill_numbers);
    drop_buffer(column_of(feed), 0);
    column_of(feed)->null_count = 1;
    refuses(feed, "the column lacks the buffer that says what is missing", -1);
    feed = feed_of("u", fill_texts);
    drop_buffer(column_of(feed), 2);
    refuses(feed, "the column has no text", 1);
    feed = feed_of("u", fill_texts);
    drop_buffer(column_of(feed), 2);
    column_of(feed)->n_buffers = 2;
    refuses(feed, "the column has not as many buffers as its type", -1);
    feed = feed_of("vu", fill_texts);
    drop_buffer(column_of(feed), 2);
    refuses(feed, "the text is in no buffer", 5);
    feed = feed_of("vu", fill_texts);
    drop_buffer(column_of(feed), 3);
    refuses(feed, "the text is in no buffer", 5);
    feed = feed_of("vu", fill_texts);
    *(int64_t *)(uintptr_t)column_of(feed)->buffers[3] = 12;
    refuses(feed, "the text is not in its buffer", 5);
}

static void hostile_offsets(void **state)
{
    (void)state;
    arrow_feed *feed = feed_of("u", fill_texts);
    set_offset(column_of(feed), 1, 100);
    refuses(feed, "the offsets of texts are out of order", 1);
    feed = feed_of("u", fill_texts);
    set_offset(column_of(feed), 2, -1);
    refuses(feed, "the offsets of texts are out of order", 2);
    feed = feed_of("u", fill_texts);
    set_offset(column_of(feed), 3, 1 << 30);
    refuses(feed, "the offsets of texts are out of order", 3);
    feed = feed_of("u", fill_texts);
    set_offset(column_of(feed), 9, 3);
    refuses(feed, "the offsets of texts are out of order", 4);
    feed = feed_of("u", fill_texts);
    set_offset(column_of(feed), 9, INT32_MIN);
    refuses(feed, "the offsets of texts are out of order", 1);
}

static void hostile_dictionaries(void **state)
{
    (void)state;
    arrow_feed *feed = feed_of("dictionary", fill_codes);
    set_offset(column_of(feed), 3, 4);
    refuses(feed, "the code is not in the dictionary", 4);
    feed = feed_of("dictionary", fill_codes);
    set_offset(column_of(feed), 0, -1);
    refuses(feed, "the code is not in the dictionary", 1);
    feed = feed_of("dictionary", fill_codes);
    struct ArrowArray *values = column_of(feed)->dictionary;
    column_of(feed)->dictionary = NULL;
    values->release(values);
    free(values);
    refuses(feed, "a batch lacks the column", -1);
    feed = feed_of("dictionary", fill_codes);
    set_offset(column_of(feed)->dictionary, 1, 77);
    refuses(feed, "the offsets of texts are out of order", -1);
}

static void hostile_schemas(void **state)
{
    (void)state;
    arrow_feed *feed = feed_of("i", fill_numbers);
    free((void *)(uintptr_t)feed->schema.format);
    feed->schema.format = arrow_copy("i");
    refuses(feed, "the stream is not one of tables with columns", -1);
    feed = feed_of("i", fill_numbers);
    free((void *)(uintptr_t)feed->schema.children[0]->format);
    feed->schema.children[0]->format = NULL;
    refuses(feed, "the schema has no formats", -1);
    feed = feed_of("i", fill_numbers);
    free((void *)(uintptr_t)feed->schema.children[0]->name);
    feed->schema.children[0]->name = arrow_copy("\xff");
    refuses(feed, "the name of a column is not valid UTF-8", -1);
    feed = feed_of("i", fill_numbers);
    feed->batches[0].buffers[0] = arrow_block("\xfe", 1);
    feed->batches[0].null_count = -1;
    refuses(feed, "a batch lacks whole rows", -1);
    feed = feed_of("i", fill_numbers);
    arrow_column two[2] = {arrow_new("a", "i"), arrow_new("b", "i")};
    fill_numbers(&two[0]);
    fill_numbers(&two[1]);
    arrow_feed_add(feed, two, 2, 0, 0);
    arrow_release_column(&two[0]);
    arrow_release_column(&two[1]);
    refuses(feed, "a batch has other columns than the schema", -1);
}

static void streams_that_fail(void **state)
{
    (void)state;
    char message[64];
    arrow_feed *feed = feed_of("i", fill_numbers);
    feed->fails_at = 2;
    snprintf(message, sizeof message, "the stream ended with an error (%d) of its own", EIO);
    refuses(feed, message, -1);
    snprintf(message, sizeof message, "the stream ended with an error (%d) of its own", EINVAL);
    refuses(arrow_feed_new(), message, -1);
}

/* ---- the call ---- */

static int stop(void *user, const char *stage, int64_t done, int64_t total)
{
    (void)user;
    (void)stage;
    (void)done;
    (void)total;
    return 1;
}

static void handing_over(void **state)
{
    (void)state;
    bauta_error error;
    bauta_recipe *recipe;
    bauta_report *report = NULL;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    struct ArrowArrayStream stream = arrow_stream(feed_of("i", fill_numbers));
    assert_fails(bauta_recipe_add_stream(recipe, "", &stream, &error), BAUTA_USAGE, &error,
                 "the name of a stream is empty");
    assert_null(stream.release);
    assert_fails(bauta_recipe_add_stream(recipe, "table", &stream, &error), BAUTA_USAGE, &error,
                 "the stream was released");
    assert_int_equal(arrow_living, 0);
    stream = arrow_stream(feed_of("i", fill_numbers));
    assert_ok(bauta_recipe_add_stream(recipe, "table", &stream, &error), &error);
    stream = arrow_stream(feed_of("i", fill_numbers));
    assert_fails(bauta_recipe_add_stream(recipe, "table", &stream, &error), BAUTA_USAGE, &error,
                 "there is a stream 'table' already");
    assert_ok(bauta_recipe_set(recipe, "input", "arrow:table", &error), &error);
    bauta_recipe_on_progress(recipe, stop, NULL);
    assert_fails(bauta_describe(recipe, NULL, &error), BAUTA_CANCELLED, &error, "cancelled");
    bauta_recipe_on_progress(recipe, NULL, NULL);
    for (int twice = 0; twice < 2; twice++) {
        assert_ok(bauta_describe(recipe, &report, &error), &error);
        bauta_report_free(report);
    }
    bauta_recipe_free(recipe);
    assert_int_equal(arrow_living, 0);
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", "arrow:other", &error), &error);
    assert_fails(bauta_describe(recipe, NULL, &error), BAUTA_INVALID, &error,
                 "there is no stream 'other'");
    bauta_recipe_free(recipe);
}

/* ---- floating point numbers ---- */

/* The fewest digits that read back the same, one more at a time. */
static int digits_needed(double value, bool single)
{
    char text[64];
    for (int digits = 1;; digits++) {
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (single ? strtof(text, NULL) == (float)value : strtod(text, NULL) == value)
            return digits;
    }
}

static void prints_back(double value, bool single)
{
    char text[BT_PRINT_TEXT + 1];
    size_t length = bt_print_float(value, single, false, text);
    assert_true(length < BT_PRINT_TEXT);
    text[length] = '\0';
    double back = single ? (double)strtof(text, NULL) : strtod(text, NULL);
    if (back != value) fail_msg("%s is not %a", text, value);
    int digits = 0, zeros = 0;
    for (const char *p = text; *p && *p != 'e'; p++) {
        if (*p < '0' || *p > '9' || (digits == 0 && *p == '0')) continue;
        digits++;
        zeros = *p == '0' ? zeros + 1 : 0;
    }
    if (value != 0) assert_int_equal(digits - zeros, digits_needed(value, single));
}

static void numbers_that_read_back(void **state)
{
    (void)state;
    uint64_t random = 4;
    for (int i = 0; i < 60000; i++) {
        uint64_t bits = test_random(&random);
        double value;
        float small;
        memcpy(&value, &bits, sizeof value);
        memcpy(&small, &bits, sizeof small);
        if (isfinite(value)) prints_back(value, false);
        if (isfinite(small)) prints_back((double)small, true);
        double cents = (double)(int64_t)test_below(&random, 2000000000) / 100 - 1e7;
        prints_back(cents, false);
        prints_back((double)(float)cents, true);
        double share = (double)test_below(&random, 1 << 20) / (1 << 20);
        prints_back(share, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),
        cmocka_unit_test(texts),
        cmocka_unit_test(booleans_and_nothing),
        cmocka_unit_test(dates),
        cmocka_unit_test(decimals),
        cmocka_unit_test(floats),
        cmocka_unit_test(dictionaries),
        cmocka_unit_test(batches),
        cmocka_unit_test(types_that_are_not_read),
        cmocka_unit_test(values_that_cannot_be),
        cmocka_unit_test(hostile_lengths),
        cmocka_unit_test(hostile_buffers),
        cmocka_unit_test(hostile_offsets),
        cmocka_unit_test(hostile_dictionaries),
        cmocka_unit_test(hostile_schemas),
        cmocka_unit_test(streams_that_fail),
        cmocka_unit_test(handing_over),
        cmocka_unit_test(numbers_that_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
