/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffling through random buckets. A row in a bucket is its key, its length and its bytes.
 */
#include "publish/shuffle.h"

#include "base/assert.h"
#include "base/temporary.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum {
    ROWS_PER_BUCKET = 1 << 14,
    BUCKET_BITS_MOST = 10,
    EXTENT_BYTES = 1 << 15, /* what a worker collects for a bucket before it hands it over */
    ROW_HEAD = sizeof(uint64_t) + sizeof(uint32_t),
};

typedef struct extent { /* a run of rows of one bucket */
    char *bytes;        /* in memory, or NULL: in the temporary file */
    int64_t offset;
    size_t length;
} extent;

typedef struct bucket {
    pthread_mutex_t lock;
    extent *extents;
    size_t count, capacity;
    int64_t rows, bytes; /* bytes: with the heads of the rows */
    int64_t text_bytes;  /* bytes of text that will be written */
} bucket;

typedef struct shuffle_worker {
    bt_stream keys;
    struct open_rows *open; /* per bucket */
    bt_buffer gathered, sorted;
    bt_shuffle_row *index, *spread;
    size_t index_capacity, spread_capacity;
    uint32_t *starts;
    size_t starts_capacity;
} shuffle_worker;

typedef struct open_rows { /* what a worker has not handed over yet */
    bt_buffer packed;
    int64_t rows, text_bytes;
} open_rows;

struct bt_shuffle {
    const bt_run *run;
    bt_shuffle_text text;
    const void *text_user;
    unsigned bits; /* log2(number of buckets) */
    bucket *buckets;
    shuffle_worker *workers;
    unsigned worker_count;
    _Atomic int64_t held;  /* bytes of extents in memory */
    _Atomic int64_t spill; /* end of the temporary file */
    bt_temporary temporary;
    pthread_mutex_t opening;
    /* while writing */
    int64_t *offsets;
    const bt_store_file *file;
    bt_shuffle_take take; /* NULL: they are written to the file */
    void *take_user;
};

/* ---- making and freeing ------------------------------------------------------------------ */

static bauta_status make_worker(const bt_shuffle *shuffle, shuffle_worker *worker,
                                const char *label, bauta_error *error)
{
    size_t buckets = (size_t)1 << shuffle->bits;
    bt_stream_init(&worker->keys, &shuffle->run->seed, label, 0);
    worker->open = bt_array_zero(buckets, sizeof *worker->open);
    return worker->open ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_shuffle_new(const bt_run *run, const char *label, int64_t rows,
                            bt_shuffle_text text, const void *user, bt_shuffle **out,
                            bauta_error *error)
{
    *out = NULL;
    bt_shuffle *shuffle = bt_array_zero(1, sizeof *shuffle);
    if (!shuffle) return bt_fail_memory(error);
    shuffle->run = run;
    shuffle->text = text;
    shuffle->text_user = user;
    shuffle->temporary.descriptor = -1;
    shuffle->worker_count = bt_pool_size(run->pool);
    while (shuffle->bits < BUCKET_BITS_MOST && rows >> shuffle->bits > ROWS_PER_BUCKET)
        shuffle->bits++;
    pthread_mutex_init(&shuffle->opening, NULL);
    size_t buckets = (size_t)1 << shuffle->bits;
    shuffle->buckets = bt_array_zero(buckets, sizeof *shuffle->buckets);
    shuffle->workers = bt_array_zero(shuffle->worker_count, sizeof *shuffle->workers);
    bauta_status status = shuffle->buckets && shuffle->workers ? BAUTA_OK : bt_fail_memory(error);
    for (size_t b = 0; shuffle->buckets && b < buckets; b++)
        pthread_mutex_init(&shuffle->buckets[b].lock, NULL);
    for (unsigned w = 0; w < shuffle->worker_count && status == BAUTA_OK; w++)
        status = make_worker(shuffle, &shuffle->workers[w], label, error);
    if (status != BAUTA_OK) {
        bt_shuffle_free(shuffle);
        return status;
    }
    *out = shuffle;
    return BAUTA_OK;
}

static void free_bucket(bucket *b)
{
    for (size_t i = 0; i < b->count; i++)
        free(b->extents[i].bytes);
    free(b->extents);
    pthread_mutex_destroy(&b->lock);
}

static void free_worker(shuffle_worker *worker, size_t buckets)
{
    for (size_t b = 0; worker->open && b < buckets; b++)
        bt_buffer_release(&worker->open[b].packed);
    free(worker->open);
    bt_buffer_release(&worker->gathered);
    bt_buffer_release(&worker->sorted);
    free(worker->index);
    free(worker->spread);
    free(worker->starts);
}

void bt_shuffle_free(bt_shuffle *shuffle)
{
    if (!shuffle) return;
    size_t buckets = (size_t)1 << shuffle->bits;
    for (size_t b = 0; shuffle->buckets && b < buckets; b++)
        free_bucket(&shuffle->buckets[b]);
    for (unsigned w = 0; shuffle->workers && w < shuffle->worker_count; w++)
        free_worker(&shuffle->workers[w], buckets);
    bt_temporary_close(&shuffle->temporary);
    pthread_mutex_destroy(&shuffle->opening);
    free(shuffle->buckets);
    free(shuffle->workers);
    free(shuffle->offsets);
    free(shuffle);
}

/* ---- throwing rows into buckets ---------------------------------------------------------- */

static bauta_status open_temporary(bt_shuffle *shuffle, bauta_error *error)
{
    pthread_mutex_lock(&shuffle->opening);
    bauta_status status = BAUTA_OK;
    if (shuffle->temporary.descriptor < 0)
        status = bt_temporary_open(shuffle->run, &shuffle->temporary, error);
    pthread_mutex_unlock(&shuffle->opening);
    return status;
}

/* Keeps the open rows of a bucket in memory while the budget lasts, else in the file. */
static bauta_status store(bt_shuffle *shuffle, bt_buffer *open, extent *out, bauta_error *error)
{
    *out = (extent){.length = open->length};
    int64_t held = atomic_fetch_add(&shuffle->held, (int64_t)open->length);
    if ((uint64_t)held + open->length <= shuffle->run->memory) {
        out->bytes = open->bytes;
        *open = (bt_buffer){0};
        return BAUTA_OK;
    }
    atomic_fetch_sub(&shuffle->held, (int64_t)open->length);
    BT_TRY(open_temporary(shuffle, error));
    out->offset = atomic_fetch_add(&shuffle->spill, (int64_t)open->length);
    bauta_status status =
        bt_temporary_write(&shuffle->temporary, out->offset, open->bytes, open->length, error);
    open->length = 0;
    return status;
}

static bauta_status hand_over(bt_shuffle *shuffle, shuffle_worker *worker, size_t number,
                              bauta_error *error)
{
    bucket *b = &shuffle->buckets[number];
    open_rows *open = &worker->open[number];
    size_t length = open->packed.length;
    extent made;
    BT_TRY(store(shuffle, &open->packed, &made, error));
    pthread_mutex_lock(&b->lock);
    bauta_status status =
        bt_array_grow(&b->extents, &b->capacity, b->count + 1, sizeof *b->extents, error);
    if (status == BAUTA_OK) {
        b->extents[b->count++] = made;
        b->rows += open->rows;
        b->bytes += (int64_t)length;
        b->text_bytes += open->text_bytes;
    } else {
        free(made.bytes);
    }
    pthread_mutex_unlock(&b->lock);
    open->rows = open->text_bytes = 0;
    return status;
}

bauta_status bt_shuffle_add(bt_shuffle *shuffle, unsigned number, int64_t row, const char *packed,
                            size_t length, size_t text_length, bauta_error *error)
{
    shuffle_worker *worker = &shuffle->workers[number];
    if (length > UINT32_MAX || text_length > UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "a record is longer than 4 GiB");
    bt_stream_seek(&worker->keys, (uint64_t)row);
    uint64_t key = bt_stream_next(&worker->keys);
    size_t place = shuffle->bits ? (size_t)(key >> (64 - shuffle->bits)) : 0;
    open_rows *open = &worker->open[place];
    if (open->packed.length + ROW_HEAD + length > EXTENT_BYTES && open->rows > 0)
        BT_TRY(hand_over(shuffle, worker, place, error));
    BT_TRY(bt_buffer_reserve(&open->packed, ROW_HEAD + length, error));
    char *out = open->packed.bytes + open->packed.length;
    uint32_t short_length = (uint32_t)length;
    memcpy(out, &key, sizeof key);
    memcpy(out + sizeof key, &short_length, sizeof short_length);
    memcpy(out + ROW_HEAD, packed, length);
    open->packed.length += ROW_HEAD + length;
    open->rows++;
    open->text_bytes += (int64_t)text_length;
    return BAUTA_OK;
}

/* ---- writing buckets in order ------------------------------------------------------------ */

static bauta_status read_extent(const bt_temporary *file, const extent *from, char *out,
                                bauta_error *error)
{
    if (from->bytes) {
        memcpy(out, from->bytes, from->length);
        return BAUTA_OK;
    }
    size_t got;
    BT_TRY(bt_temporary_read(file, from->offset, out, from->length, &got, error));
    if (got == from->length) return BAUTA_OK;
    errno = EIO; /* somebody cut it off */
    return bt_fail_errno(error, "cannot read back", "temporary file");
}

static bauta_status gather(const bt_shuffle *shuffle, const bucket *b, shuffle_worker *worker,
                           bauta_error *error)
{
    worker->gathered.length = 0;
    BT_TRY(bt_buffer_reserve(&worker->gathered, (size_t)b->bytes, error));
    for (size_t i = 0; i < b->count; i++) {
        BT_TRY(read_extent(&shuffle->temporary, &b->extents[i],
                           worker->gathered.bytes + worker->gathered.length, error));
        worker->gathered.length += b->extents[i].length;
    }
    return BAUTA_OK;
}

static bauta_status index_rows(const bucket *b, shuffle_worker *worker, bauta_error *error)
{
    size_t rows = (size_t)b->rows;
    BT_TRY(
        bt_array_grow(&worker->index, &worker->index_capacity, rows, sizeof *worker->index, error));
    BT_TRY(bt_array_grow(&worker->spread, &worker->spread_capacity, rows, sizeof *worker->spread,
                         error));
    const char *at = worker->gathered.bytes;
    for (size_t i = 0; i < rows; i++) {
        bt_shuffle_row *entry = &worker->index[i];
        memcpy(&entry->key, at, sizeof entry->key);
        memcpy(&entry->length, at + sizeof entry->key, sizeof entry->length);
        entry->packed = at + ROW_HEAD;
        at += ROW_HEAD + entry->length;
    }
    BT_ASSERT(rows == 0 || at == worker->gathered.bytes + worker->gathered.length);
    return BAUTA_OK;
}

/* Keys are random, so spreading by their next bits leaves runs of one or two, and insertion
 * puts those in order. Equal keys are ordered by content, which hides where they came from. */
static bool comes_after(const bt_shuffle_row *a, const bt_shuffle_row *b)
{
    if (a->key != b->key) return a->key > b->key;
    size_t common = a->length < b->length ? a->length : b->length;
    int order = memcmp(a->packed, b->packed, common);
    return order ? order > 0 : a->length > b->length;
}

static bauta_status sort_rows(const bucket *b, unsigned bits, shuffle_worker *worker,
                              bauta_error *error)
{
    size_t rows = (size_t)b->rows;
    unsigned more = 1;
    while (more < 24 && (size_t)1 << more < rows)
        more++;
    size_t slots = (size_t)1 << more;
    BT_TRY(bt_array_grow(&worker->starts, &worker->starts_capacity, slots + 1,
                         sizeof *worker->starts, error));
    memset(worker->starts, 0, (slots + 1) * sizeof *worker->starts);
    for (size_t i = 0; i < rows; i++)
        worker->starts[(worker->index[i].key << bits >> (64 - more)) + 1]++;
    for (size_t i = 1; i <= slots; i++)
        worker->starts[i] += worker->starts[i - 1];
    for (size_t i = 0; i < rows; i++)
        worker->spread[worker->starts[worker->index[i].key << bits >> (64 - more)]++] =
            worker->index[i];
    for (size_t i = 1; i < rows; i++) {
        bt_shuffle_row moving = worker->spread[i];
        size_t j = i;
        for (; j > 0 && comes_after(&worker->spread[j - 1], &moving); j--)
            worker->spread[j] = worker->spread[j - 1];
        worker->spread[j] = moving;
    }
    return BAUTA_OK;
}

static bauta_status write_texts(const bt_shuffle *shuffle, size_t number, shuffle_worker *worker,
                                bauta_error *error)
{
    const bucket *b = &shuffle->buckets[number];
    worker->sorted.length = 0;
    BT_TRY(bt_buffer_reserve(&worker->sorted, (size_t)b->text_bytes + BT_SHUFFLE_SLACK, error));
    shuffle->text(shuffle->text_user, worker->spread, (size_t)b->rows, worker->sorted.bytes);
    return bt_store_put(shuffle->file, shuffle->offsets[number], worker->sorted.bytes,
                        (size_t)b->text_bytes, error);
}

static bauta_status write_bucket(void *user, size_t number, unsigned w, bauta_error *error)
{
    bt_shuffle *shuffle = user;
    shuffle_worker *worker = &shuffle->workers[w];
    bucket *b = &shuffle->buckets[number];
    BT_TRY(gather(shuffle, b, worker, error));
    BT_TRY(index_rows(b, worker, error));
    BT_TRY(sort_rows(b, shuffle->bits, worker, error));
    BT_TRY(shuffle->take ? shuffle->take(shuffle->take_user, number, w, worker->spread,
                                         (size_t)b->rows, error)
                         : write_texts(shuffle, number, worker, error));
    for (size_t i = 0; i < b->count; i++) {
        free(b->extents[i].bytes);
        b->extents[i].bytes = NULL;
    }
    b->count = 0;
    return bt_run_progress(shuffle->run, w, "writing", (int64_t)number + 1,
                           (int64_t)1 << shuffle->bits, error);
}

static bauta_status hand_over_all(bt_shuffle *shuffle, bauta_error *error)
{
    for (unsigned w = 0; w < shuffle->worker_count; w++)
        for (size_t b = 0; b < bt_shuffle_parts(shuffle); b++) {
            if (shuffle->workers[w].open[b].rows > 0)
                BT_TRY(hand_over(shuffle, &shuffle->workers[w], b, error));
            bt_buffer_release(&shuffle->workers[w].open[b].packed);
        }
    return BAUTA_OK;
}

size_t bt_shuffle_parts(const bt_shuffle *shuffle)
{
    return (size_t)1 << shuffle->bits;
}

bauta_status bt_shuffle_visit(bt_shuffle *shuffle, bt_shuffle_take take, void *user,
                              bauta_error *error)
{
    BT_TRY(hand_over_all(shuffle, error));
    shuffle->take = take;
    shuffle->take_user = user;
    return bt_pool_run(shuffle->run->pool, bt_shuffle_parts(shuffle), write_bucket, shuffle, error);
}

bauta_status bt_shuffle_write(bt_shuffle *shuffle, const bt_store_file *file, int64_t offset,
                              bauta_error *error)
{
    size_t buckets = (size_t)1 << shuffle->bits;
    BT_TRY(hand_over_all(shuffle, error));
    shuffle->offsets = bt_array(buckets, sizeof *shuffle->offsets);
    if (!shuffle->offsets) return bt_fail_memory(error);
    for (size_t b = 0; b < buckets; b++) {
        shuffle->offsets[b] = offset;
        offset += shuffle->buckets[b].text_bytes;
    }
    shuffle->file = file;
    return bt_pool_run(shuffle->run->pool, buckets, write_bucket, shuffle, error);
}
