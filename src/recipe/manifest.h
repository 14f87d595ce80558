/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest: everything a release says about itself, and nothing else. docs/release-format.md
 * lists its fields; writing and reading are here so that they cannot part.
 */
#ifndef BT_MANIFEST_H
#define BT_MANIFEST_H

#include "recipe/categories.h"
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
    /* sensitive columns */
    const bt_category *categories; /* the most sensitive first; NULL: none */
    uint32_t category_count;
    const char *category_of; /* the column shows the categories of the values of that one, which has
                                `categories`. Itself: its values are not published, and type and
                                scale are theirs. NULL: the column shows values */
} bt_manifest_column;

/* Whether a column shows only the categories of its own values. */
static inline bool bt_shows_categories(const bt_manifest_column *column)
{
    return column->category_of && column->categories;
}

/* Whether a column shows the categories of another one, beside it. */
static inline bool bt_is_companion(const bt_manifest_column *column)
{
    return column->category_of && !column->categories;
}

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
    const char *joint;   /* "pairwise" or "none": see bt_requirements; NULL: it does not matter */
    const char *persons; /* requirements count persons, who may have several rows each, which are
                            "apart" or "together" in one class; NULL: every row is a person */
    const char *not_protected;   /* plain words */
    const char *remark;          /* how the files are to be read; NULL: nothing needs saying */
    bt_manifest_column *columns; /* in the order of the input; data.csv has them all, quasi.csv
                                    and sensitive.csv those of their roles */
    size_t column_count;
} bt_manifest;

/* The remark of two-tables: each row of each table is one record of the original. */
extern const char bt_two_tables_remark[];

/* The name of the column that holds the class, where a form has one: "class", or if a column is
 * called so "class_2", … NULL: out of memory. */
const char *bt_class_name(const char *const *names, size_t count, bt_arena *arena);

BT_MUST_USE bauta_status bt_manifest_write(const bt_manifest *manifest, bt_buffer *out,
                                           bauta_error *error);

/* Hostile input: every field is checked, unknown ones are refused. Memory from the arena. */
BT_MUST_USE bauta_status bt_manifest_read(const char *text, size_t length, bt_arena *arena,
                                          bt_manifest *out, bauta_error *error);

#endif
