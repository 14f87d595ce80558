/* SPDX-License-Identifier: Apache-2.0
 *
 * Open addressing with linear probing, at most half full.
 */
#include "recipe/label_map.h"

#include "base/hash.h"

#include <string.h>

void bt_label_map_release(bt_label_map *map)
{
    free(map->entries);
    *map = (bt_label_map){0};
}

static uint32_t hash_of(uint32_t scope, const char *text, size_t length)
{
    return (uint32_t)bt_hash_mix(bt_hash(text, length), scope);
}

/* The entry that has the key, or the free one where it belongs. */
static bt_label_entry *probe(const bt_label_map *map, uint32_t hash, uint32_t scope,
                             const char *text, size_t length)
{
    for (size_t i = hash & (map->capacity - 1);; i = (i + 1) & (map->capacity - 1)) {
        bt_label_entry *entry = &map->entries[i];
        if (!entry->text) return entry;
        if (entry->hash == hash && entry->scope == scope && entry->length == length &&
            memcmp(entry->text, text, length) == 0)
            return entry;
    }
}

static bauta_status grow(bt_label_map *map, bauta_error *error)
{
    bt_label_map wider = {.count = map->count, .capacity = map->capacity ? map->capacity * 2 : 64};
    wider.entries = bt_array_zero(wider.capacity, sizeof *wider.entries);
    if (!wider.entries) return bt_fail_memory(error);
    for (size_t i = 0; i < map->capacity; i++) {
        const bt_label_entry *entry = &map->entries[i];
        if (entry->text)
            *probe(&wider, entry->hash, entry->scope, entry->text, entry->length) = *entry;
    }
    free(map->entries);
    *map = wider;
    return BAUTA_OK;
}

bt_label_entry *bt_label_map_find(const bt_label_map *map, uint32_t scope, const char *text,
                                  size_t length)
{
    if (map->count == 0) return NULL;
    bt_label_entry *entry = probe(map, hash_of(scope, text, length), scope, text, length);
    return entry->text ? entry : NULL;
}

bauta_status bt_label_map_put(bt_label_map *map, uint32_t scope, const char *text, size_t length,
                              bt_label_entry **out, bool *fresh, bauta_error *error)
{
    if (2 * (map->count + 1) > map->capacity) BT_TRY(grow(map, error));
    uint32_t hash = hash_of(scope, text, length);
    *out = probe(map, hash, scope, text, length);
    *fresh = (*out)->text == NULL;
    if (!*fresh) return BAUTA_OK;
    **out = (bt_label_entry){text, (uint32_t)length, scope, 0, hash};
    map->count++;
    return BAUTA_OK;
}
