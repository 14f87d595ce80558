/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that occur once: hashes in pages by their first byte, then one table per first byte.
 */
#include "base/singles.h"

#include "base/memory.h"
#include "base/temporary.h"

#include <sodium.h>
#include <stdatomic.h>
#include <string.h>

enum { PARTS = 256, PAGE_HASHES = 255 };

typedef struct hash128 {  /* both 0: none */
    uint64_t place, rest; /* the last bit of `rest` is not of the hash: it occurs more than once */
} hash128;

typedef struct page {
    struct page *next;
    size_t used;
    hash128 hashes[PAGE_HASHES];
} page;

typedef struct extent { /* hashes of a part in the temporary file */
    int64_t offset;
    uint32_t count;
    uint8_t part;
} extent;

typedef struct gatherer { /* of one worker */
    page *parts[PARTS];
    size_t pages;
    extent *extents;
    size_t extent_count, extent_capacity;
} gatherer;

enum { HASHES = 2 };

typedef struct addends { /* what is added to the words of a text before they are multiplied */
    uint64_t first[HASHES], second[HASHES];
} addends;

struct bt_singles {
    const bt_run *run;
    size_t texts;
    addends *addends;                         /* per text */
    unsigned __int128 multilinear[HASHES][3]; /* of the two halves of a sum */
    unsigned char key[crypto_shorthash_siphashx24_KEYBYTES];
    unsigned worker_count;
    gatherer *workers;
    size_t most_pages; /* pages that a worker may hold */
    bt_temporary file; /* open from the beginning when the memory is limited */
    _Atomic int64_t file_size;
    int64_t unique[PARTS];
};

static unsigned __int128 draw_wide(bt_stream *stream)
{
    unsigned __int128 high = bt_stream_next(stream);
    return high << 64 | bt_stream_next(stream);
}

/* Keys that do not depend on the run's seed: the result does not depend on them either. */
static bauta_status draw_keys(bt_singles *singles, bauta_error *error)
{
    bt_seed seed;
    bt_stream stream;
    BT_TRY(bt_seed_fresh(&seed, error));
    bt_stream_init(&stream, &seed, "singles", 0);
    for (size_t i = 0; i < sizeof singles->key; i++)
        singles->key[i] = (unsigned char)bt_stream_next(&stream);
    for (size_t i = 0; i < singles->texts; i++)
        for (size_t h = 0; h < HASHES; h++) {
            singles->addends[i].first[h] = bt_stream_next(&stream);
            singles->addends[i].second[h] = bt_stream_next(&stream);
        }
    for (size_t h = 0; h < HASHES; h++)
        for (size_t i = 0; i < 3; i++)
            singles->multilinear[h][i] = draw_wide(&stream);
    sodium_memzero(&seed, sizeof seed);
    sodium_memzero(&stream, sizeof stream);
    return BAUTA_OK;
}

/* A limited memory needs a file to spill to. */
static bauta_status limit_memory(bt_singles *singles, bauta_error *error)
{
    const bt_run *run = singles->run;
    singles->most_pages = SIZE_MAX;
    if (!run->memory_given) return BAUTA_OK;
    size_t most = run->memory / 4 / singles->worker_count / sizeof(page);
    singles->most_pages = most > PARTS ? most : PARTS;
    return bt_temporary_open(run, &singles->file, error);
}

bauta_status bt_singles_new(const bt_run *run, size_t texts, bt_singles **out, bauta_error *error)
{
    *out = NULL;
    bt_singles *singles = bt_array_zero(1, sizeof *singles);
    if (!singles) return bt_fail_memory(error);
    singles->run = run;
    singles->texts = texts;
    singles->worker_count = bt_pool_size(run->pool);
    singles->file.descriptor = -1;
    atomic_init(&singles->file_size, 0);
    singles->workers = bt_array_zero(singles->worker_count, sizeof *singles->workers);
    singles->addends = bt_array_zero(texts, sizeof *singles->addends);
    bauta_status status =
        singles->workers && singles->addends ? draw_keys(singles, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = limit_memory(singles, error);
    if (status != BAUTA_OK) {
        bt_singles_free(singles);
        return status;
    }
    *out = singles;
    return BAUTA_OK;
}

static void free_pages(gatherer *worker, size_t part)
{
    while (worker->parts[part]) {
        page *next = worker->parts[part]->next;
        free(worker->parts[part]);
        worker->parts[part] = next;
        worker->pages--;
    }
}

void bt_singles_free(bt_singles *singles)
{
    if (!singles) return;
    for (unsigned w = 0; singles->workers && w < singles->worker_count; w++) {
        for (size_t part = 0; part < PARTS; part++)
            free_pages(&singles->workers[w], part);
        free(singles->workers[w].extents);
    }
    free(singles->workers);
    free(singles->addends);
    if (singles->file.descriptor >= 0) bt_temporary_close(&singles->file);
    sodium_memzero(singles->key, sizeof singles->key);
    free(singles);
}

static bauta_status spill(bt_singles *singles, gatherer *worker, bauta_error *error)
{
    for (size_t part = 0; part < PARTS; part++) {
        for (page *at = worker->parts[part]; at; at = at->next) {
            size_t bytes = at->used * sizeof *at->hashes;
            extent put = {.offset = atomic_fetch_add(&singles->file_size, (int64_t)bytes),
                          .count = (uint32_t)at->used,
                          .part = (uint8_t)part};
            BT_TRY(
                bt_temporary_write(&singles->file, put.offset, (char *)at->hashes, bytes, error));
            BT_TRY(bt_array_grow(&worker->extents, &worker->extent_capacity,
                                 worker->extent_count + 1, sizeof *worker->extents, error));
            worker->extents[worker->extent_count++] = put;
        }
        free_pages(worker, part);
    }
    return BAUTA_OK;
}

bt_words bt_singles_long(const bt_singles *singles, const char *text, size_t length)
{
    bt_words words;
    _Static_assert(sizeof words == crypto_shorthash_siphashx24_BYTES, "a hash is two words");
    crypto_shorthash_siphashx24((unsigned char *)&words, (const unsigned char *)text, length,
                                singles->key);
    return words;
}

static uint64_t shorten(const unsigned __int128 *by, unsigned __int128 sum)
{
    return (uint64_t)((by[0] + by[1] * (uint64_t)sum + by[2] * (uint64_t)(sum >> 64)) >> 64);
}

static hash128 hash_row(const bt_singles *singles, const bt_words *row)
{
    unsigned __int128 one = 0, two = 0;
    for (size_t i = 0; i < singles->texts; i++) {
        const addends *to = &singles->addends[i];
        one += (unsigned __int128)(row[i].first + to->first[0]) * (row[i].second + to->second[0]);
        two += (unsigned __int128)(row[i].first + to->first[1]) * (row[i].second + to->second[1]);
    }
    return (hash128){shorten(singles->multilinear[0], one), shorten(singles->multilinear[1], two)};
}

bauta_status bt_singles_add(bt_singles *singles, unsigned worker_number, const bt_words *row,
                            bauta_error *error)
{
    gatherer *worker = &singles->workers[worker_number];
    hash128 hash = hash_row(singles, row);
    hash.rest &= ~(uint64_t)1;
    page **at = &worker->parts[hash.place % PARTS];
    if (!*at || (*at)->used == PAGE_HASHES) {
        if (worker->pages == singles->most_pages) BT_TRY(spill(singles, worker, error));
        page *fresh = malloc(sizeof *fresh);
        if (!fresh) return bt_fail_memory(error);
        fresh->next = *at;
        fresh->used = 0;
        *at = fresh;
        worker->pages++;
    }
    (*at)->hashes[(*at)->used++] = hash;
    return BAUTA_OK;
}

/* ---- counting ---------------------------------------------------------------------------- */

typedef struct slots {
    hash128 *at;
    size_t mask;
} slots;

static void place(slots *all, const hash128 *hashes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t slot = (hashes[i].place / PARTS) & all->mask;
        hash128 *found = &all->at[slot];
        while ((found->place | found->rest) != 0 &&
               (found->place != hashes[i].place || (found->rest & ~(uint64_t)1) != hashes[i].rest))
            found = &all->at[slot = (slot + 1) & all->mask];
        if ((found->place | found->rest) == 0)
            *found = hashes[i];
        else
            found->rest |= 1;
    }
}

static size_t size_of(const bt_singles *singles, size_t part)
{
    size_t count = 0;
    for (unsigned w = 0; w < singles->worker_count; w++) {
        const gatherer *worker = &singles->workers[w];
        for (const page *at = worker->parts[part]; at; at = at->next)
            count += at->used;
        for (size_t i = 0; i < worker->extent_count; i++)
            if (worker->extents[i].part == part) count += worker->extents[i].count;
    }
    return count;
}

static bauta_status place_extents(const bt_singles *singles, const gatherer *worker, size_t part,
                                  slots *all, bauta_error *error)
{
    hash128 hashes[PAGE_HASHES];
    size_t got;
    for (size_t i = 0; i < worker->extent_count; i++) {
        const extent *from = &worker->extents[i];
        size_t bytes = from->count * sizeof *hashes;
        if (from->part != part) continue;
        BT_TRY(bt_temporary_read(&singles->file, from->offset, (char *)hashes, bytes, &got, error));
        if (got != bytes) return bt_fail(error, BAUTA_SYSTEM, "a temporary file was cut short");
        place(all, hashes, from->count);
    }
    return BAUTA_OK;
}

static bauta_status count_part(void *user, size_t part, unsigned worker_number, bauta_error *error)
{
    (void)worker_number;
    bt_singles *singles = user;
    size_t count = size_of(singles, part), size = 2;
    while (size < count * 3 / 2)
        size *= 2;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    slots all = {bt_arena_array(&scratch, size, sizeof *all.at), size - 1};
    BT_TRY(bt_arena_check(&scratch, error));
    for (unsigned w = 0; w < singles->worker_count; w++) {
        gatherer *worker = &singles->workers[w];
        for (const page *at = worker->parts[part]; at; at = at->next)
            place(&all, at->hashes, at->used);
        BT_TRY(place_extents(singles, worker, part, &all, error));
    }
    for (size_t i = 0; i < size; i++)
        singles->unique[part] += (all.at[i].place | all.at[i].rest) != 0 && !(all.at[i].rest & 1);
    return BAUTA_OK;
}

bauta_status bt_singles_count(bt_singles *singles, int64_t *out, bauta_error *error)
{
    *out = 0;
    memset(singles->unique, 0, sizeof singles->unique);
    BT_TRY(bt_pool_run(singles->run->pool, PARTS, count_part, singles, error));
    for (size_t part = 0; part < PARTS; part++)
        *out += singles->unique[part];
    return BAUTA_OK;
}
