/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow arrays made by hand, in blocks of memory that are as large as they must be and no larger,
 * and streams of them.
 */
#ifndef BT_TEST_ARROWS_H
#define BT_TEST_ARROWS_H

#include "support.h"

#include "base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { ARROW_COLUMNS = 12, ARROW_BATCHES = 8, ARROW_BUFFERS = 5 };

typedef struct arrow_column { /* being filled, value by value */
    char name[32], format[32];
    int64_t rows, nulls;
    bt_buffer valid, data, text, offsets;
    struct arrow_column *dictionary;
} arrow_column;

/* ---- filling ---- */

static inline void arrow_add(bt_buffer *to, const void *bytes, size_t length)
{
    bauta_error error;
    assert_ok(bt_buffer_add(to, bytes, length, &error), &error);
}

static inline void arrow_bit(bt_buffer *bits, int64_t place, bool set)
{
    if (place % 8 == 0) arrow_add(bits, "", 1);
    if (set) bits->bytes[place / 8] = (char)(bits->bytes[place / 8] | 1 << place % 8);
}

static inline size_t arrow_width(const char *format)
{
    if (strncmp(format, "ts", 2) == 0 || strcmp(format, "tdm") == 0) return 8;
    if (strcmp(format, "tdD") == 0) return 4;
    if (strncmp(format, "d:", 2) == 0) {
        const char *bits = strrchr(format, ',');
        return strcmp(bits, ",32") == 0 ? 4 : strcmp(bits, ",64") == 0 ? 8 : 16;
    }
    switch (format[0]) {
    case 'c':
    case 'C': return 1;
    case 's':
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    default: return 8;
    }
}

static inline bool arrow_has_text(const char *format)
{
    return strcmp(format, "u") == 0 || strcmp(format, "U") == 0;
}

static inline void arrow_end_text(arrow_column *column)
{
    int64_t end = (int64_t)column->text.length;
    arrow_add(&column->offsets, &end, column->format[0] == 'u' ? 4 : 8);
}

static inline void arrow_note(arrow_column *column, bool valid)
{
    if (column->rows == 0 && arrow_has_text(column->format)) arrow_end_text(column);
    arrow_bit(&column->valid, column->rows, valid);
    column->rows++;
    column->nulls += !valid;
}

/* An integer, a date, a decimal, true or false, a code: as many of its bytes as the type has. */
static inline void arrow_put_number(arrow_column *column, __int128 number)
{
    arrow_note(column, true);
    if (column->format[0] == 'b')
        arrow_bit(&column->data, column->rows - 1, number != 0);
    else
        arrow_add(&column->data, &number, arrow_width(column->format));
}

static inline void arrow_put_float(arrow_column *column, double number)
{
    float single = (float)number;
    arrow_note(column, true);
    if (column->format[0] == 'f')
        arrow_add(&column->data, &single, sizeof single);
    else
        arrow_add(&column->data, &number, sizeof number);
}

static inline void arrow_put_view(arrow_column *column, const char *text, size_t length)
{
    unsigned char view[16] = {0};
    int32_t size = (int32_t)length, at = (int32_t)column->text.length;
    memcpy(view, &size, 4);
    memcpy(view + 4, text, length <= 12 ? length : 4);
    if (length > 12) {
        memcpy(view + 12, &at, 4); /* of buffer 0 */
        arrow_add(&column->text, text, length);
    }
    arrow_add(&column->data, view, sizeof view);
}

static inline void arrow_put_bytes(arrow_column *column, const char *text, size_t length)
{
    arrow_note(column, true);
    if (strcmp(column->format, "vu") == 0) {
        arrow_put_view(column, text, length);
        return;
    }
    arrow_add(&column->text, text, length);
    arrow_end_text(column);
}

static inline void arrow_put_text(arrow_column *column, const char *text)
{
    arrow_put_bytes(column, text, strlen(text));
}

/* What stands in the place of a missing value means nothing. */
static inline void arrow_put_null(arrow_column *column)
{
    const __int128 rubbish = -1;
    if (strcmp(column->format, "n") == 0) {
        column->rows++;
        column->nulls++;
        return;
    }
    arrow_note(column, false);
    if (arrow_has_text(column->format)) {
        arrow_add(&column->text, "\xff", 1);
        arrow_end_text(column);
    } else if (strcmp(column->format, "vu") == 0) {
        arrow_put_view(column, "", 0);
    } else if (column->format[0] == 'b') {
        arrow_bit(&column->data, column->rows - 1, true);
    } else {
        arrow_add(&column->data, &rubbish, arrow_width(column->format));
    }
}

/* ---- arrays ---- */

static int arrow_living; /* structures of arrays and schemas that were not released */

/* A block of just this size. */
static inline void *arrow_block(const void *bytes, size_t length)
{
    void *block = malloc(length ? length : 1);
    assert_non_null(block);
    if (length > 0) memcpy(block, bytes, length);
    return block;
}

static inline void arrow_release_array(struct ArrowArray *array)
{
    for (int64_t i = 0; i < array->n_buffers; i++)
        free((void *)(uintptr_t)array->buffers[i]);
    for (int64_t i = 0; i < array->n_children; i++) {
        if (array->children[i]->release) array->children[i]->release(array->children[i]);
        free(array->children[i]);
    }
    if (array->dictionary) {
        array->dictionary->release(array->dictionary);
        free(array->dictionary);
    }
    free(array->buffers);
    free(array->children);
    array->release = NULL;
    arrow_living--;
}

static inline void arrow_release_schema(struct ArrowSchema *schema)
{
    for (int64_t i = 0; i < schema->n_children; i++) {
        schema->children[i]->release(schema->children[i]);
        free(schema->children[i]);
    }
    if (schema->dictionary) {
        schema->dictionary->release(schema->dictionary);
        free(schema->dictionary);
    }
    free(schema->children);
    free((void *)(uintptr_t)schema->format);
    free((void *)(uintptr_t)schema->name);
    schema->release = NULL;
    arrow_living--;
}

static inline char *arrow_copy(const char *text)
{
    return arrow_block(text, strlen(text) + 1);
}

static inline void arrow_make_schema(const char *format, const char *name, struct ArrowSchema *made)
{
    *made = (struct ArrowSchema){.format = arrow_copy(format),
                                 .name = arrow_copy(name),
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .release = arrow_release_schema};
    arrow_living++;
}

static inline void arrow_column_schema(const arrow_column *column, struct ArrowSchema *made)
{
    arrow_make_schema(column->format, column->name, made);
    if (!column->dictionary) return;
    made->dictionary = malloc(sizeof *made->dictionary);
    assert_non_null(made->dictionary);
    arrow_column_schema(column->dictionary, made->dictionary);
}

/* The rows from `skipped` on; those before stay in the buffers. */
static inline void arrow_finish_column(arrow_column *column, int64_t skipped,
                                       struct ArrowArray *made)
{
    *made = (struct ArrowArray){.length = column->rows - skipped,
                                .offset = skipped,
                                .null_count = column->nulls > 0 ? -1 : 0,
                                .release = arrow_release_array};
    arrow_living++;
    made->buffers = calloc(ARROW_BUFFERS, sizeof *made->buffers);
    assert_non_null(made->buffers);
    if (column->format[0] != 'n') {
        made->n_buffers = 2;
        if (column->nulls > 0)
            made->buffers[0] = arrow_block(column->valid.bytes, column->valid.length);
        made->buffers[1] = arrow_block(column->data.bytes, column->data.length);
    }
    if (arrow_has_text(column->format)) {
        if (column->rows == 0) arrow_end_text(column);
        free((void *)(uintptr_t)made->buffers[1]);
        made->n_buffers = 3;
        made->buffers[1] = arrow_block(column->offsets.bytes, column->offsets.length);
        made->buffers[2] = arrow_block(column->text.bytes, column->text.length);
    } else if (strcmp(column->format, "vu") == 0) {
        int64_t size = (int64_t)column->text.length;
        made->n_buffers = 4;
        made->buffers[2] = arrow_block(column->text.bytes, column->text.length);
        made->buffers[3] = arrow_block(&size, sizeof size);
    }
    if (!column->dictionary) return;
    made->dictionary = malloc(sizeof *made->dictionary);
    assert_non_null(made->dictionary);
    arrow_finish_column(column->dictionary, 0, made->dictionary);
}

static inline void arrow_release_column(arrow_column *column)
{
    bt_buffer_release(&column->valid);
    bt_buffer_release(&column->data);
    bt_buffer_release(&column->text);
    bt_buffer_release(&column->offsets);
    if (column->dictionary) arrow_release_column(column->dictionary);
    free(column->dictionary);
    column->dictionary = NULL;
}

/* ---- streams ---- */

typedef struct arrow_feed { /* what a stream hands out */
    struct ArrowSchema schema;
    struct ArrowArray batches[ARROW_BATCHES];
    size_t count, next;
    int fails_at; /* get_next that fails; 0: none */
    int calls;
} arrow_feed;

/* A batch of columns, taken from their buffers; the first one gives the schema. `rows` is that of
 * all, from the row `from` of each. */
static inline void arrow_feed_add(arrow_feed *feed, arrow_column *columns, size_t count,
                                  int64_t skipped, int64_t from)
{
    if (feed->count == 0) {
        arrow_make_schema("+s", "", &feed->schema);
        feed->schema.n_children = (int64_t)count;
        feed->schema.children = calloc(count, sizeof *feed->schema.children);
        assert_non_null(feed->schema.children);
        for (size_t c = 0; c < count; c++) {
            feed->schema.children[c] = malloc(sizeof *feed->schema.children[c]);
            assert_non_null(feed->schema.children[c]);
            arrow_column_schema(&columns[c], feed->schema.children[c]);
        }
    }
    assert_true(feed->count < ARROW_BATCHES);
    struct ArrowArray *batch = &feed->batches[feed->count++];
    *batch = (struct ArrowArray){.length = columns[0].rows - skipped - from,
                                 .offset = from,
                                 .n_buffers = 1,
                                 .buffers = calloc(1, sizeof *batch->buffers),
                                 .n_children = (int64_t)count,
                                 .children = calloc(count, sizeof *batch->children),
                                 .release = arrow_release_array};
    arrow_living++;
    for (size_t c = 0; c < count; c++) {
        batch->children[c] = malloc(sizeof *batch->children[c]);
        assert_non_null(batch->children[c]);
        arrow_finish_column(&columns[c], skipped, batch->children[c]);
    }
}

static inline int arrow_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *made)
{
    arrow_feed *feed = stream->private_data;
    if (!feed->schema.release) return EINVAL;
    *made = feed->schema;
    feed->schema.release = NULL;
    return 0;
}

static inline int arrow_get_next(struct ArrowArrayStream *stream, struct ArrowArray *to)
{
    arrow_feed *feed = stream->private_data;
    if (++feed->calls == feed->fails_at) return EIO;
    *to = (struct ArrowArray){0};
    if (feed->next == feed->count) return 0;
    *to = feed->batches[feed->next];
    feed->batches[feed->next++].release = NULL;
    return 0;
}

static inline const char *arrow_last_error(struct ArrowArrayStream *stream)
{
    (void)stream;
    return "value 'HIV' is bad";
}

static inline void arrow_release_stream(struct ArrowArrayStream *stream)
{
    arrow_feed *feed = stream->private_data;
    if (feed->schema.release) feed->schema.release(&feed->schema);
    for (size_t i = feed->next; i < feed->count; i++)
        feed->batches[i].release(&feed->batches[i]);
    free(feed);
    stream->release = NULL;
    arrow_living--;
}

/* The feed is the stream's from now on. */
static inline struct ArrowArrayStream arrow_stream(arrow_feed *feed)
{
    arrow_living++;
    return (struct ArrowArrayStream){.get_schema = arrow_get_schema,
                                     .get_next = arrow_get_next,
                                     .get_last_error = arrow_last_error,
                                     .release = arrow_release_stream,
                                     .private_data = feed};
}

static inline arrow_feed *arrow_feed_new(void)
{
    arrow_feed *feed = calloc(1, sizeof *feed);
    assert_non_null(feed);
    return feed;
}

static inline arrow_column arrow_new(const char *name, const char *format)
{
    arrow_column column = {0};
    snprintf(column.name, sizeof column.name, "%s", name);
    snprintf(column.format, sizeof column.format, "%s", format);
    return column;
}

static inline arrow_column arrow_new_dictionary(const char *name, const char *format,
                                                const char *values)
{
    arrow_column column = arrow_new(name, format);
    column.dictionary = malloc(sizeof *column.dictionary);
    assert_non_null(column.dictionary);
    *column.dictionary = arrow_new("", values);
    return column;
}

#endif
