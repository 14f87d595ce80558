/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging a grouping before it is published. Only src/job may include this.
 */
#ifndef BT_CHECK_GROUPING_H
#define BT_CHECK_GROUPING_H

#include "class/join.h"
#include "require/requirement.h"

/* The records that are published, and the requirements bound to them: what a class is compared with
 * is what is published. */
typedef struct bt_kept {
    bt_requirements requirements;
    const uint32_t *order; /* as that of the grouping, but records are numbered as people are */
    uint32_t *numbered;    /* where records were dropped */
    bt_table rest;
    bt_people people;
    bt_arena arena;
} bt_kept;

/* `asked` are bound to the people of the table. Borrows all; released by the caller, also after a
 * failure. */
BT_MUST_USE bauta_status bt_kept_bind(const bt_table *table, const bt_grouping *grouping,
                                      const bt_requirements *asked, bt_kept *out,
                                      bauta_error *error);
void bt_kept_release(bt_kept *kept);

/* No method is trusted: every class is judged again, and where records were dropped by what is
 * left of the table. BAUTA_INTERNAL when one does not satisfy the requirements (bound to the
 * people of the table). */
BT_MUST_USE bauta_status bt_check_grouping(const bt_table *table, const bt_grouping *grouping,
                                           const bt_requirements *requirements, const bt_run *run,
                                           bauta_error *error);

/* Checks the classes of a join against the requirement that needs a public table, if any. */
BT_MUST_USE bauta_status bt_check_presence(const bt_join *join, const bt_requirements *requirements,
                                           bauta_error *error);

#endif
