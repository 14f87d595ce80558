/* SPDX-License-Identifier: Apache-2.0
 *
 * Categories of sensitive values, ordered from the most to the least sensitive (paper 3).
 *
 * Every value that occurs belongs to exactly one category. In a file each row is a value and the
 * name of its category, and categories rank in the order in which they first appear; in a recipe
 * they are written down in order.
 */
#ifndef BT_CATEGORIES_H
#define BT_CATEGORIES_H

#include "table/table.h"

typedef struct bt_categories { /* ordered, 0 is the most sensitive */
    uint32_t count;
    const uint32_t *of_code; /* per code of the column; UINT32_MAX: none, see may_lack */
    const char *const *names;
} bt_categories;

/* A category and its values, as a recipe or a manifest writes them down. */
typedef struct bt_category {
    const char *name;
    const char *const *values; /* "" is the missing value */
    size_t count;
} bt_category;

/* Where they come from. */
typedef struct bt_categories_source {
    const char *file; /* NULL: written down below */
    const char *text; /* what the file would hold, as in a bt_hierarchy_source; or NULL */
    size_t length;
    const bt_category *items; /* the most sensitive first */
    size_t count;
} bt_categories_source;

typedef struct bt_categories_job {
    const char *column;
    const bt_domain *domain;
    const uint64_t *occurs;    /* bitset of the codes that the data has; NULL: all. Others, leaves
                                  of a given hierarchy, may have a category but need none */
    const bt_missing *missing; /* texts that mean the missing value */
    bool may_exceed;           /* values may be named that are not in the domain */
    bool may_lack;             /* values of the data may have no category: UINT32_MAX */
    bt_arena *arena;
} bt_categories_job;

/* Refuses categories that lack a value of the data, and those that name a value which is not in
 * the domain; errors count them and never show one. */
BT_MUST_USE bauta_status bt_categories_build(const bt_categories_job *job,
                                             const bt_categories_source *source,
                                             bt_categories **out, bauta_error *error);

/* Categories from the bytes of a file, followed by BT_CSV_PADDING readable ones; `file` is its name
 * in errors. */
BT_MUST_USE bauta_status bt_categories_from_csv(const bt_categories_job *job, const char *file,
                                                const char *bytes, size_t length,
                                                bt_categories **out, bauta_error *error);

/* What of the categories a release may show: each with those of its values whose code is in
 * `shown` (a bitset over the domain), in the order of their bytes: codes may tell how frequent
 * they are in the input. *out has categories->count entries. */
BT_MUST_USE bauta_status bt_categories_list(const bt_categories *categories,
                                            const bt_domain *domain, const uint64_t *shown,
                                            bt_arena *arena, bt_category **out, bauta_error *error);

#endif
