/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest: everything a release says about itself, and nothing else. docs/release-format.md
 * lists its fields; writing and reading are here so that they cannot part.
 */
#ifndef BT_MANIFEST_H
#define BT_MANIFEST_H

#include "recipe/hierarchy.h"

typedef bt_node_summary bt_manifest_node; /* derived hierarchies: a node that occurs in cells */

typedef struct bt_manifest_column {
    const char *name;
    bt_role role; /* quasi, sensitive or other */
    bt_type type;
    int scale;
    const bt_hierarchy *hierarchy; /* given: whole, with leaves; NULL otherwise */
    const char *derived;           /* spec of a derived hierarchy, or NULL */
    uint32_t derived_leaves, derived_levels;
    bt_manifest_node *nodes; /* derived: the nodes that occur */
    size_t node_count;
} bt_manifest_column;

typedef struct bt_manifest_promise {
    const char *name;  /* "k" */
    const char *value; /* "5" */
} bt_manifest_promise;

typedef struct bt_manifest {
    const char *release; /* random id, 32 hexadecimal digits */
    const char *version; /* of bauta */
    const char *form,
        *method; /* with all options spelled out: "mondrian:order=gain,cuts=hierarchy" */
    bool experiment;
    int64_t dropped_rows;
    bt_manifest_promise *promises;
    size_t promise_count;
    const char *not_protected;   /* plain words */
    bt_manifest_column *columns; /* in the order of data.csv */
    size_t column_count;
} bt_manifest;

BT_MUST_USE bauta_status bt_manifest_write(const bt_manifest *manifest, bt_buffer *out,
                                           bauta_error *error);

/* Hostile input: every field is checked, unknown ones are refused. Memory from the arena. */
BT_MUST_USE bauta_status bt_manifest_read(const char *text, size_t length, bt_arena *arena,
                                          bt_manifest *out, bauta_error *error);

#endif
