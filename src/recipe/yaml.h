/* SPDX-License-Identifier: Apache-2.0
 *
 * YAML as a tree of texts, lists and maps, each with its place in the file.
 *
 * Scalars stay text: a recipe decides by itself what a value means, so that 007, no and 1e5
 * are what they look like. Refused, with line and column: duplicate keys, keys that are not
 * text, aliases, a second document, zero bytes, what is not UTF-8, and more than
 * BT_YAML_DEPTH levels.
 */
#ifndef BT_YAML_H
#define BT_YAML_H

#include "base/memory.h"

enum { BT_YAML_DEPTH = 48, BT_YAML_BYTES = 16 * 1024 * 1024 };

typedef enum bt_yaml_kind { BT_YAML_TEXT, BT_YAML_LIST, BT_YAML_MAP } bt_yaml_kind;

typedef struct bt_yaml {
    bt_yaml_kind kind;
    const char *text; /* BT_YAML_TEXT; NULL for nothing at all (null, ~ or an empty place) */
    const char *key;  /* its name in the map above, or NULL */
    struct bt_yaml *parent, *first, *last, *next; /* children in the order of the file */
    int line, column;                             /* from 1; of the key where there is one */
} bt_yaml;

/* *out is NULL for a file without content. Memory from the arena. */
BT_MUST_USE bauta_status bt_yaml_parse(const char *text, size_t length, bt_arena *arena,
                                       bt_yaml **out, bauta_error *error);

/* Puts "line L, column C: " before the message of an error that is filled already. */
void bt_yaml_place(bauta_error *error, int line, int column);

/* BAUTA_INVALID at a node. */
BT_MUST_USE bauta_status bt_yaml_fail(const bt_yaml *node, bauta_error *error, const char *format,
                                      ...) BT_PRINTF(3, 4);

#endif
