/* SPDX-License-Identifier: Apache-2.0
 *
 * An index of names: finds in constant time whether a name was seen and what number goes with
 * it, so that ten thousand columns or a hostile file cost no quadratic search.
 */
#ifndef BT_NAMES_H
#define BT_NAMES_H

#include "base/memory.h"

typedef struct bt_name {
    const char *text; /* borrowed; NULL: an empty slot */
    uint64_t scope;
    uint32_t value;
} bt_name;

/* A zeroed bt_names is empty and usable. */
typedef struct bt_names {
    bt_name *slots;
    size_t capacity, count;
} bt_names;

/* Names are equal when scope and text are: one index can serve many lists. */
bool bt_names_find(const bt_names *names, uint64_t scope, const char *text, uint32_t *value);

/* `text` must outlive the index. *added is false when the name was there; it keeps its number. */
BT_MUST_USE bauta_status bt_names_add(bt_names *names, uint64_t scope, const char *text,
                                      uint32_t value, bool *added, bauta_error *error);

void bt_names_release(bt_names *names);

#endif
