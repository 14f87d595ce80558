/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream of two Arrow batches that allocates nothing itself.
 */
#ifndef BT_FAULT_STREAM_H
#define BT_FAULT_STREAM_H

#include <bauta.h>
#include <string.h>

enum { STREAM_ROWS = 8, STREAM_COLUMNS = 6 };

static inline void stream_release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

static inline void stream_release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static inline int stream_get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *made)
{
    static const char *const formats[STREAM_COLUMNS] = {"i",     "c", "u", "g", "tss:Europe/Rome",
                                                        "d:30,2"};
    static const char *const names[STREAM_COLUMNS] = {"age", "word", "note", "share", "day", "sum"};
    static struct ArrowSchema words = {.format = "l", .release = stream_release_schema};
    static struct ArrowSchema columns[STREAM_COLUMNS], *children[STREAM_COLUMNS];
    (void)stream;
    for (int i = 0; i < STREAM_COLUMNS; i++) {
        columns[i] = (struct ArrowSchema){.format = formats[i],
                                          .name = names[i],
                                          .dictionary = i == 1 ? &words : NULL,
                                          .release = stream_release_schema};
        children[i] = &columns[i];
    }
    *made = (struct ArrowSchema){.format = "+s",
                                 .n_children = STREAM_COLUMNS,
                                 .children = children,
                                 .release = stream_release_schema};
    return 0;
}

static inline int stream_get_next(struct ArrowArrayStream *stream, struct ArrowArray *made)
{
    static const int32_t ages[STREAM_ROWS] = {20, 30, 20, 30, 40, 40, 20, 30};
    static const int8_t codes[STREAM_ROWS] = {0, 1, 0, 1, 1, 0, 0, 1};
    static const int64_t words[] = {7, -7};
    static const int32_t offsets[STREAM_ROWS + 1] = {0, 2, 4, 4, 6, 8, 10, 12, 14};
    static const char texts[] = "abcdefghijklmn";
    static const double shares[STREAM_ROWS] = {0.5, 1e-9, 1e15, 2, 3, 4, 0.1, 5};
    static const int64_t days[STREAM_ROWS] = {0, 86400, 172800, 259200, 1, 2, 3, 4};
    static const int64_t sums[2 * STREAM_ROWS] = {1};
    static const unsigned char valid = 0x7f;
    static const void *buffers[STREAM_COLUMNS][3] = {{&valid, ages},         {NULL, codes},
                                                     {NULL, offsets, texts}, {&valid, shares},
                                                     {NULL, days},           {NULL, sums}};
    static const void *word_buffers[] = {NULL, words};
    static struct ArrowArray values = {
        .length = 2, .n_buffers = 2, .buffers = word_buffers, .release = stream_release_array};
    static struct ArrowArray columns[STREAM_COLUMNS], *children[STREAM_COLUMNS];
    int *left = stream->private_data;
    memset(made, 0, sizeof *made);
    if (*left == 0) return 0;
    --*left;
    for (int i = 0; i < STREAM_COLUMNS; i++) {
        columns[i] = (struct ArrowArray){.length = STREAM_ROWS,
                                         .null_count = -1,
                                         .n_buffers = i == 2 ? 3 : 2,
                                         .buffers = buffers[i],
                                         .dictionary = i == 1 ? &values : NULL,
                                         .release = stream_release_array};
        children[i] = &columns[i];
    }
    *made = (struct ArrowArray){.length = STREAM_ROWS,
                                .n_children = STREAM_COLUMNS,
                                .children = children,
                                .release = stream_release_array};
    return 0;
}

static inline void stream_release(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* `left` is the number of batches, and lives as long as the stream. */
static inline struct ArrowArrayStream stream_of(int *left)
{
    return (struct ArrowArrayStream){.get_schema = stream_get_schema,
                                     .get_next = stream_get_next,
                                     .release = stream_release,
                                     .private_data = left};
}

#endif
