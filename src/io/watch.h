/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the values of a column that is not coded repeat. Only src/io may include this.
 *
 * Each worker keeps 64-bit hashes of its values under a secret key, apart by their first bits, so
 * that what is compared in the end fits a cache. A value that repeats is never missed; of n
 * different values any two pass for one with a chance below n^2 / 2^63, whatever they are.
 *
 * Cost: linear in rows; 8 bytes a row and column until they are counted.
 */
#ifndef BT_WATCH_H
#define BT_WATCH_H

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

/* The watcher gets the first two of hashes that repeat soon. */
enum { BT_LATELY_BITS = 10 };

typedef struct bt_lately {
    uint64_t hashes[1 << BT_LATELY_BITS];
    bool again[1 << BT_LATELY_BITS];
} bt_lately;

static inline BT_MUST_USE bauta_status bt_lately_add(bt_lately *lately, bt_watcher *watcher,
                                                     uint64_t hash, bauta_error *error)
{
    size_t place = hash >> (64 - BT_LATELY_BITS);
    bool same = lately->hashes[place] == hash;
    if (same && lately->again[place]) return BAUTA_OK;
    lately->hashes[place] = hash;
    lately->again[place] = same;
    return bt_watcher_add(watcher, hash, error);
}

/* Counts what several workers kept in one part of a column, and frees it. */
BT_MUST_USE bauta_status bt_watch_count(bt_watcher *const *watchers, size_t count, size_t part,
                                        bt_repeats *out, bauta_error *error);

void bt_watcher_release(bt_watcher *watcher);

#endif
