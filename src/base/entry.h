/* SPDX-License-Identifier: Apache-2.0
 *
 * Naming a registry entry with options, alike for every registry: "name:option=value,…" in a
 * recipe, or a name and "option=value" arguments in a call.
 */
#ifndef BT_ENTRY_H
#define BT_ENTRY_H

#include "base/params.h"

typedef struct bt_entry { /* what all entries have */
    const char *name;
    const bt_param *params;
    size_t param_count;
} bt_entry;

typedef bt_entry (*bt_entry_of)(const void *const *registry, size_t number);

/* Finds the entry (text NULL: the first) and parses its options. *canonical spells all options
 * out, defaults included. `kind` names the registry in errors ("grouping method"). */
BT_MUST_USE bauta_status bt_entry_parse(const char *kind, const char *text,
                                        const void *const *registry, size_t count,
                                        bt_entry_of entry_of, bt_arena *arena, size_t *found,
                                        bt_value **options, const char **canonical,
                                        bauta_error *error);

/* Reads "name=value" arguments into *values, parallel to the params and owned by the arena. Wrong
 * ones are BAUTA_USAGE; `command` names the one that lists them in hints ("attack"). */
BT_MUST_USE bauta_status bt_entry_arguments(const bt_entry *entry, const char *command,
                                            const char *const *arguments, size_t count,
                                            bt_arena *arena, bt_value **values, bauta_error *error);

#endif
