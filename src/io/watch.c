/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting values that repeat, by their hashes.
 */
#include "io/watch.h"

/* Slots hold hashes without their last bit, which says that the value was seen again. */
static void take(uint64_t *slots, size_t size, uint64_t hash, bt_repeats *out)
{
    uint64_t clean = hash & ~(uint64_t)1;
    if (clean == 0) clean = 2;
    size_t at = (clean >> 1) & (size - 1);
    while (slots[at] != 0 && (slots[at] & ~(uint64_t)1) != clean)
        at = (at + 1) & (size - 1);
    out->present++;
    if (slots[at] == 0) {
        slots[at] = clean;
        out->distinct++;
    } else {
        out->sharing += slots[at] & 1 ? 1 : 2;
        slots[at] |= 1;
    }
}

bauta_status bt_watch_count(bt_watcher *const *watchers, size_t count, size_t part, bt_repeats *out,
                            bauta_error *error)
{
    size_t values = 0, size = 16;
    for (size_t w = 0; w < count; w++)
        values += watchers[w]->parts[part].count;
    while (size < 2 * values)
        size *= 2;
    uint64_t *slots = bt_array_zero(size, sizeof *slots);
    if (!slots) return bt_fail_memory(error);
    *out = (bt_repeats){0};
    for (size_t w = 0; w < count; w++) {
        bt_watched_part *kept = &watchers[w]->parts[part];
        for (size_t i = 0; i < kept->count; i++)
            take(slots, size, kept->hashes[i], out);
        free(kept->hashes);
        *kept = (bt_watched_part){0};
    }
    free(slots);
    return BAUTA_OK;
}

void bt_watcher_release(bt_watcher *watcher)
{
    for (size_t i = 0; i < BT_WATCH_PARTS; i++)
        free(watcher->parts[i].hashes);
}
