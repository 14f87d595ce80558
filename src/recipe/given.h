/* SPDX-License-Identifier: Apache-2.0
 *
 * A given tree that is being read row by row. Only the hierarchy*.c files include this.
 */
#ifndef BT_GIVEN_H
#define BT_GIVEN_H

#include "recipe/label_map.h"
#include "recipe/tree.h"

typedef struct bt_label {
    const char *bytes; /* not zero-terminated, no zero byte inside */
    uint32_t length;
} bt_label;

typedef struct bt_given {
    bt_tree tree;
    bt_label_map map;        /* inner nodes by parent and label, leaves by canonical text */
    const bt_domain *domain; /* how leaves are read; NULL: as text */
    bool missing;            /* without a domain: a row said that there is a missing value */
} bt_given;

BT_MUST_USE bauta_status bt_given_init(bt_given *given, const bt_domain *domain, bt_arena *arena,
                                       const char *column, const char *file, bauta_error *error);
void bt_given_release(bt_given *given);

/* One leaf with its labels upwards; "*" and empty labels at the end may be there or not, empty
 * ones in between skip a level. */
BT_MUST_USE bauta_status bt_given_row(bt_given *given, const bt_label *labels, size_t count,
                                      uint32_t row, bauta_error *error);

/* Lays the tree out as it was read, without a domain. */
BT_MUST_USE bauta_status bt_given_lay_out(bt_given *given, const char *spec, bt_hierarchy **out,
                                          bauta_error *error);

/* Checks that the tree covers the domain, lays it out and replaces the domain. */
BT_MUST_USE bauta_status bt_given_finish(bt_given *given, const bt_hierarchy_job *job,
                                         const char *spec, bauta_error *error);

#endif
