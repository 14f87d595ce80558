/* SPDX-License-Identifier: Apache-2.0
 *
 * Hierarchies: trees over a column's domain, laid out so that every node is a contiguous run
 * of codes.
 *
 * Level 0 is the value itself, the top node is "*". Trees may be ragged: the path of a value
 * may skip levels (a value whose path has no node at some level keeps the highest node below
 * it). The missing value is a leaf directly under "*".
 */
#ifndef BT_HIERARCHY_H
#define BT_HIERARCHY_H

#include "table/table.h"

typedef struct bt_node {
    uint32_t lo, hi;          /* codes lo..hi-1 */
    uint32_t parent;          /* index; the root is its own parent */
    uint32_t first, children; /* children are nodes first..first+children-1, in code order */
    uint32_t level;           /* 0: a value */
    const char *label;        /* unique within the hierarchy */
} bt_node;

typedef struct bt_hierarchy {
    const char *spec; /* "intervals:5,10", "file", "tree", … as the manifest names it */
    bool given;       /* whole tree from the user (file, inline): published whole */
    uint32_t levels;  /* level of the root + 1 */
    uint32_t count;   /* nodes; 0 is the root; breadth-first, so children are contiguous */
    bt_node *nodes;
    uint32_t leaves;     /* number of leaves = domain size, the missing leaf included */
    uint32_t *leaf_node; /* code -> its level-0 node */
} bt_hierarchy;

/* Where the tree comes from. */
typedef struct bt_hierarchy_source {
    const char *spec; /* a file, or intervals:…, mask, balanced:N, date, flat */
    /* an inline tree from YAML, or NULL: rows of labels from leaf upwards, "*" left out */
    const char *const *const *paths;
    const size_t *path_lengths;
    size_t path_count;
} bt_hierarchy_source;

/* Builds the tree for a domain in natural order. The domain is replaced by one in layout order
 * that also holds the leaves that do not occur in the data; new_code[old code] is filled (room
 * for old domain size). Errors name the column and how many values the tree does not cover, never
 * the values. All memory from the arena. */
BT_MUST_USE bauta_status bt_hierarchy_build(const bt_hierarchy_source *source, const char *column,
                                            bt_domain *domain, uint32_t *new_code, bt_arena *arena,
                                            bt_hierarchy **out, bauta_error *error);

/* The lowest node that covers codes lo..hi (both included). */
uint32_t bt_hierarchy_cover(const bt_hierarchy *hierarchy, uint32_t lo, uint32_t hi);

/* The node of `code` at `level`: the highest one on its path with at most that level. */
uint32_t bt_hierarchy_at(const bt_hierarchy *hierarchy, uint32_t code, uint32_t level);

/* Finds a node by its label; UINT32_MAX when there is none. */
uint32_t bt_hierarchy_find(const bt_hierarchy *hierarchy, const char *label, size_t length);

/* The usual CSV form, leaf;level1;…;* (fields quoted when they must be). */
BT_MUST_USE bauta_status bt_hierarchy_write(const bt_hierarchy *hierarchy, bt_buffer *out,
                                            bauta_error *error);

#endif
