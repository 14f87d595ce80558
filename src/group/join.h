/* SPDX-License-Identifier: Apache-2.0
 *
 * Grouping microdata joined with a public database (k-join-anonymity, paper 5), by any method that
 * `joins`.
 */
#ifndef BT_GROUP_JOIN_H
#define BT_GROUP_JOIN_H

#include "class/join.h"
#include "group/method.h"

/* Fills join->grouping and what follows from it; what was there is released. job->table are the
 * microdata and job->requirements are bound to them. Of a class those of the requirements that are
 * about sizes count all persons, as does the one that needs a public table; the others count
 * records of the microdata of a sensitive group. `direct` does not see to the others. BAUTA_NO when
 * it cannot be. */
BT_MUST_USE bauta_status bt_join_group(const bt_method *method, const bt_method_job *job,
                                       const bt_join_choice *choice, bt_join *join,
                                       bauta_error *error);

/* ---- what bt_join_group is made of ---- */

/* A table whose numbers have the domains of its own records; subjects and the rest are shared. */
typedef struct bt_own_domains {
    bt_table table; /* not to be released by itself */
    uint32_t *
        *codes; /* per column: of each code there the one in the first table; NULL: the same */
} bt_own_domains;

/* Borrows `microdata`; released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_own_domains_make(const bt_table *microdata, bt_own_domains *out,
                                             bauta_error *error);
/* Tells the boxes of a grouping of out->table in codes of the first table. */
void bt_own_domains_restore(const bt_own_domains *own, bt_grouping *grouping);
void bt_own_domains_release(bt_own_domains *own);

/* Finds a class of `grouping` (of the microdata) inside whose cells each external person is: of
 * several the one whose cells lose least, of those the first. class_of has room for
 * join->counts.external numbers; UINT32_MAX: none. */
BT_MUST_USE bauta_status bt_join_inside(const bt_join *join, const bt_grouping *grouping,
                                        const bt_table *microdata, const bt_run *run,
                                        uint32_t *class_of, bauta_error *error);

/* Leaves external persons out of the classes, which keep at least `least` persons each. Each class
 * has a record of the microdata. */
BT_MUST_USE bauta_status bt_join_trim(bt_join *join, bt_trim how, int64_t least, const bt_run *run,
                                      bauta_error *error);

#endif
