/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the values of a column that is not coded repeat. Only src/io may include this.
 *
 * Each worker keeps the keyed 64-bit hashes of its values, apart by their first bits, so that
 * what is compared in the end fits a cache. A value that repeats is never missed; two values that
 * differ pass for one with a chance of rows^2 / 2^64, and all that comes of it is a question to
 * the owner.
 *
 * Cost: linear in rows; 8 bytes a row and column until they are counted.
 */
#ifndef BT_WATCH_H
#define BT_WATCH_H

#include "base/hash.h"
#include "base/memory.h"
#include "io/input.h"

enum { BT_WATCH_PARTS = 256 };

typedef struct bt_watched_part {
    uint64_t *hashes;
    size_t count, capacity;
} bt_watched_part;

typedef struct bt_watcher { /* one column, one worker */
    bt_watched_part parts[BT_WATCH_PARTS];
} bt_watcher;

typedef struct bt_watch_key {
    uint64_t first, second;
} bt_watch_key;

/* BT_WORDS bytes must be readable at `text` whatever the length. */
static inline uint64_t bt_watch_hash(const bt_watch_key *key, const char *text, uint32_t length)
{
    if (length > BT_WORDS) return XXH3_64bits_withSeed(text, length, key->first);
    bt_words words = bt_words_of(text, length);
    unsigned __int128 product = (unsigned __int128)(words.first ^ key->first) *
                                (words.second ^ key->second ^ ((uint64_t)length << 32));
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline BT_MUST_USE bauta_status bt_watcher_add(bt_watcher *watcher, uint64_t hash,
                                                      bauta_error *error)
{
    bt_watched_part *part = &watcher->parts[hash >> 56];
    if (part->count == part->capacity)
        BT_TRY(bt_array_grow(&part->hashes, &part->capacity, part->count + 1, sizeof *part->hashes,
                             error));
    part->hashes[part->count++] = hash;
    return BAUTA_OK;
}

/* Counts what several workers kept in one part of a column, and frees it. */
BT_MUST_USE bauta_status bt_watch_count(bt_watcher *const *watchers, size_t count, size_t part,
                                        bt_repeats *out, bauta_error *error);

void bt_watcher_release(bt_watcher *watcher);

#endif
