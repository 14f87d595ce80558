/* SPDX-License-Identifier: Apache-2.0
 *
 * Any Arrow arrays as an input, whatever they say of themselves, in buffers that are no larger than
 * that: reading gives a table or BAUTA_INVALID; the verdict and every row are the same for any size
 * of blocks and number of threads, and every text is UTF-8.
 *
 * What the C data interface cannot say, the sizes of buffers, is always true here.
 */
#include "fuzz.h"

#include "base/hash.h"
#include "io/input.h"
#include "table/arrow.h"

#include <stdatomic.h>
#include <string.h>

enum { COLUMNS = 3, BATCHES = 3, BUFFERS = 5, ROWS = 48, TEXT = 256, BLOCKS = 512 };

typedef struct maker {
    const uint8_t *data;
    size_t size, at;
    void *blocks[BLOCKS]; /* to be freed */
    size_t count;
} maker;

static uint8_t take(maker *m)
{
    return m->at < m->size ? m->data[m->at++] : 0;
}

static void *make(maker *m, size_t size)
{
    void *block = calloc(size ? size : 1, 1);
    fuzz_check(block && m->count < BLOCKS, "memory");
    return m->blocks[m->count++] = block;
}

static void *make_filled(maker *m, size_t size)
{
    uint8_t *block = make(m, size);
    for (size_t i = 0; i < size; i++)
        block[i] = take(m);
    return block;
}

/* ---- arrays ---- */

static const char *const formats[] = {"i", "u",  "c",   "l",   "g",    "f",       "b",      "n",
                                      "U", "vu", "tdD", "tdm", "tsn:", "d:9,2",   "d:38,9", "L",
                                      "S", "C",  "I",   "+l",  "z",    "d:5,2,32"};
enum { FORMATS = sizeof formats / sizeof *formats };

static size_t width_of(const char *format)
{
    switch (format[0]) {
    case 'c':
    case 'C':
    case 'b': return 1;
    case 'S': return 2;
    case 'i':
    case 'I':
    case 'f': return 4;
    case 'd': return strstr(format, ",32") ? 4 : 16;
    case 'v': return 16;
    default: return strcmp(format, "tdD") == 0 ? 4 : 8;
    }
}

static void release_array(struct ArrowArray *array)
{
    array->release = NULL;
}

static void release_schema(struct ArrowSchema *schema)
{
    schema->release = NULL;
}

/* A number of rows that an array may have, or one that none has. */
static int64_t make_length(maker *m, int64_t most)
{
    uint8_t byte = take(m);
    return byte == 255 ? INT64_MAX : byte == 254 ? -1 : byte % (most + 1);
}

/* Texts: their last offset is the size of the buffer. */
static void make_texts(maker *m, size_t rows, size_t width, struct ArrowArray *out)
{
    uint8_t *offsets = make(m, (rows + 1) * width);
    int64_t end = 0;
    for (size_t i = 0; i <= rows; i++) {
        uint8_t step = take(m);
        end = step == 255 ? -end : step == 254 ? INT32_MAX : end + step % 20;
        if (i == rows) end = end < 0 ? -1 : end % TEXT;
        memcpy(offsets + i * width, &end, width);
    }
    out->n_buffers = 3;
    out->buffers[1] = offsets;
    out->buffers[2] = end > 0 ? make_filled(m, (size_t)end) : NULL;
}

static void make_array(maker *m, const char *format, const char *values, struct ArrowArray *out)
{
    *out = (struct ArrowArray){.length = make_length(m, ROWS),
                               .offset = make_length(m, 9),
                               .null_count = (int8_t)take(m) % 3,
                               .n_buffers = 2,
                               .release = release_array};
    bool real = out->length >= 0 && out->offset >= 0 && out->length <= ROWS && out->offset <= 9;
    size_t rows = real ? (size_t)(out->length + out->offset) : 0;
    uint8_t flags = take(m);
    out->buffers = make(m, BUFFERS * sizeof *out->buffers);
    if (flags & 1) out->buffers[0] = make_filled(m, (rows + 7) / 8);
    if (strcmp(format, "u") == 0 || strcmp(format, "U") == 0) {
        make_texts(m, rows, format[0] == 'u' ? 4 : 8, out);
    } else {
        out->buffers[1] = make_filled(m, rows * width_of(format));
        if (strcmp(format, "vu") == 0) {
            int64_t *sizes = make(m, 2 * sizeof *sizes);
            sizes[0] = take(m);
            sizes[1] = take(m);
            out->n_buffers = 5;
            out->buffers[2] = make_filled(m, (size_t)sizes[0]);
            out->buffers[3] = make_filled(m, (size_t)sizes[1]);
            out->buffers[4] = sizes;
        }
    }
    if (flags >> 1 == 1) {
        out->n_buffers--;
        if (out->n_buffers == 4) out->buffers[3] = out->buffers[4]; /* sizes come last */
    }
    if (flags >> 1 == 2) out->buffers[1] = NULL;
    if (flags >> 1 == 3) out->buffers = NULL;
    if (!values || flags >> 1 == 4) return;
    out->dictionary = make(m, sizeof *out->dictionary);
    make_array(m, values, NULL, out->dictionary);
}

/* ---- the stream ---- */

typedef struct feed {
    maker *m;
    const char *format[COLUMNS], *values[COLUMNS];
    size_t columns;
    int batches;
} feed;

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    feed *f = stream->private_data;
    struct ArrowSchema **children = make(f->m, COLUMNS * sizeof *children);
    for (size_t i = 0; i < f->columns; i++) {
        children[i] = make(f->m, sizeof *children[i]);
        *children[i] = (struct ArrowSchema){.format = f->format[i], .release = release_schema};
        if (!f->values[i]) continue;
        children[i]->dictionary = make(f->m, sizeof *children[i]);
        *children[i]->dictionary =
            (struct ArrowSchema){.format = f->values[i], .release = release_schema};
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .n_children = (int64_t)f->columns,
                                .children = children,
                                .release = release_schema};
    return 0;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    feed *f = stream->private_data;
    *out = (struct ArrowArray){0};
    if (f->batches-- == 0) return take(f->m) == 255;
    struct ArrowArray **children = make(f->m, COLUMNS * sizeof *children);
    *out = (struct ArrowArray){.length = make_length(f->m, ROWS),
                               .offset = make_length(f->m, 9),
                               .n_children = (int64_t)f->columns,
                               .children = children,
                               .release = release_array};
    for (size_t i = 0; i < f->columns; i++) {
        if (take(f->m) == 255) continue;
        children[i] = make(f->m, sizeof *children[i]);
        make_array(f->m, f->format[i], f->values[i], children[i]);
    }
    return 0;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream->release = NULL;
}

/* ---- reading ---- */

typedef struct outcome {
    bauta_status status;
    int64_t rows;
    uint64_t digest; /* of all rows with their numbers, in any order */
} outcome;

typedef struct digester {
    size_t columns;
    atomic_ullong sum;
} digester;

static bauta_status digest_row(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                               size_t at, bauta_error *error)
{
    (void)worker;
    digester *d = user;
    uint64_t hash = (uint64_t)row;
    for (size_t i = 0; i < d->columns; i++) {
        bt_span field;
        BT_TRY(bt_batch_text(batch, i, at, &field, error));
        fuzz_check(bt_utf8_valid_prefix(field.bytes, field.length) == field.length, "no UTF-8");
        fuzz_check(!memchr(field.bytes, 0, field.length), "a NUL byte");
        hash = bt_hash_mix(hash, bt_hash(field.bytes, field.length));
    }
    atomic_fetch_add(&d->sum, hash);
    return BAUTA_OK;
}

static outcome read_stream(const bt_streams *streams, size_t columns, size_t block, bt_pool *pool)
{
    const char *name = "arrow:x";
    bauta_error error;
    bt_error_clear(&error);
    bt_run run = {.pool = pool, .memory = 1 << 20, .tmp = "/tmp"};
    bt_input_options options = {
        .files = &name, .count = 1, .streams = streams, .block_bytes = block};
    bt_use uses[COLUMNS] = {BT_USE_CODE, BT_USE_CHECK, BT_USE_CODE};
    bt_input *input = NULL;
    bt_raw *raw = NULL;
    outcome out = {.rows = -1};
    digester d = {.columns = columns};
    out.status = bt_input_open(&options, &run, &input, &error);
    if (out.status == BAUTA_OK) out.status = bt_input_read(input, uses, &run, &raw, &error);
    fuzz_check(out.status == BAUTA_OK || out.status == BAUTA_INVALID, error.message);
    if (out.status == BAUTA_OK) {
        out.rows = bt_raw_rows(raw);
        fuzz_check(bt_input_scan(input, NULL, &run, "scanning", digest_row, &d, &error) == BAUTA_OK,
                   "what was read cannot be scanned");
        out.digest = d.sum;
    }
    bt_raw_free(raw);
    bt_input_close(input);
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bt_pool *one, *three;
    if (!one) {
        fuzz_check(bt_pool_new(1, &one, NULL) == BAUTA_OK, "threads");
        fuzz_check(bt_pool_new(3, &three, NULL) == BAUTA_OK, "threads");
    }
    maker m = {.data = data, .size = size};
    feed f = {.m = &m, .columns = 1U + take(&m) % COLUMNS, .batches = 1 + take(&m) % BATCHES};
    for (size_t i = 0; i < f.columns; i++) {
        uint8_t value = take(&m);
        f.format[i] = formats[take(&m) % FORMATS];
        f.values[i] = value % 4 == 1 ? formats[value / 4 % FORMATS] : NULL;
    }
    struct ArrowArrayStream stream = {.get_schema = get_schema,
                                      .get_next = get_next,
                                      .release = release_stream,
                                      .private_data = &f};
    bt_streams streams = {0};
    fuzz_check(bt_streams_add(&streams, "x", &stream, NULL) == BAUTA_OK, "memory");
    outcome whole = read_stream(&streams, f.columns, 0, one);
    outcome parts = read_stream(&streams, f.columns, 1 + size % 7, three);
    fuzz_check(whole.status == parts.status, "the verdict depends on blocks or threads");
    fuzz_check(whole.rows == parts.rows && whole.digest == parts.digest,
               "the rows depend on blocks or threads");
    bt_streams_free(&streams);
    for (size_t i = 0; i < m.count; i++)
        free(m.blocks[i]);
    return 0;
}
