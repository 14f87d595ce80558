/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of sensitive.csv (form `distribution`) group by group, as nodes of the group's target:
 * what audits and queries know of a group.
 */
#ifndef BT_GROUPED_H
#define BT_GROUPED_H

#include "class/allocate.h"
#include "class/subdomains.h"
#include "class/weights.h"

typedef struct bt_grouped_rows {
    const uint32_t *class_of, *part_of; /* per row */
    int64_t rows;
    uint32_t classes;
    const bt_shown_part *parts;
    uint32_t part_count;
    const bt_weighted *targets;
    const uint32_t *target_of; /* per class */
} bt_grouped_rows;

typedef struct bt_grouped {
    bt_part *items; /* nodes of the class's target, class by class */
    size_t *starts; /* classes + 1 */
    bool *foreign;  /* per class: a row is not a node of the target */
    const bt_weighted *targets;
    const uint32_t *target_of;
} bt_grouped;

/* Borrows targets and target_of; released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_grouped_make(const bt_grouped_rows *rows, bt_grouped *out,
                                         bauta_error *error);
void bt_grouped_release(bt_grouped *grouped);

/* The nodes of a class, each once; NULL: some row is not a node of its target. */
const bt_part *bt_grouped_parts(const bt_grouped *grouped, uint32_t class_number, size_t *count);

/* Numbers and dates: what can be said of the records of a class; it has no foreign rows. Owned by
 * the arena. */
BT_MUST_USE bauta_status bt_grouped_bound(const bt_grouped *grouped, uint32_t class_number,
                                          bt_arena *arena, bt_subdomains *out, bauta_error *error);

#endif
