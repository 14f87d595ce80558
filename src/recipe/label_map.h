/* SPDX-License-Identifier: Apache-2.0
 *
 * A map from (scope, text) to a number, used while a hierarchy is read.
 */
#ifndef BT_LABEL_MAP_H
#define BT_LABEL_MAP_H

#include "base/memory.h"

typedef struct bt_label_entry {
    const char *text; /* NULL: the place is free */
    uint32_t length, scope, value, hash;
} bt_label_entry;

/* A zeroed map is empty and usable. */
typedef struct bt_label_map {
    bt_label_entry *entries;
    size_t count, capacity; /* the capacity is a power of two, or 0 */
} bt_label_map;

void bt_label_map_release(bt_label_map *map);

/* The entry of a text, or NULL. */
bt_label_entry *bt_label_map_find(const bt_label_map *map, uint32_t scope, const char *text,
                                  size_t length);

/* Finds or adds. When *fresh is set the entry is new: the caller puts a value, and a text that
 * lasts if the one it asked with does not. Valid until the next call. */
BT_MUST_USE bauta_status bt_label_map_put(bt_label_map *map, uint32_t scope, const char *text,
                                          size_t length, bt_label_entry **out, bool *fresh,
                                          bauta_error *error);

#endif
