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

/* Whether an entry has the name that the first bytes of a text are. */
bool bt_entry_is(const bt_entry *entry, const char *text, size_t length);

typedef enum bt_entry_fault {
    BT_ENTRY_FINE,
    BT_ENTRY_NO_OPTION, /* an option that the entry does not have, or not there */
    BT_ENTRY_NO_VALUE,  /* a value that the option cannot have */
} bt_entry_fault;

/* Reads the options that a manifest has of an entry, ":option=value,…" or "", as anybody may have
 * written them: in the order of the params, each at most once. *values are parallel to the params
 * and owned by the arena; what is not written is the default, or without a text if there is none.
 * After a fault it is as if nothing were written. BAUTA_SYSTEM alone fails. */
BT_MUST_USE bauta_status bt_entry_read(const bt_entry *entry, const char *text, bt_arena *arena,
                                       const bt_value **values, bt_entry_fault *fault,
                                       bauta_error *error);

/* Reads "name=value" arguments into *values, parallel to the params and owned by the arena. Wrong
 * ones are BAUTA_USAGE; `command` names the one that lists them in hints ("attack"). */
BT_MUST_USE bauta_status bt_entry_arguments(const bt_entry *entry, const char *command,
                                            const char *const *arguments, size_t count,
                                            bt_arena *arena, bt_value **values, bauta_error *error);

#endif
