/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree that is being grown, and its layout as a hierarchy. Only the hierarchy*.c files
 * include this.
 *
 * Growing: parents come before their children, the root is node 0, children are in the order
 * in which they were added. Names and results live in the arena, the rest is freed by
 * bt_tree_release.
 */
#ifndef BT_TREE_H
#define BT_TREE_H

#include "recipe/hierarchy.h"

enum { BT_NO_LEAF = UINT32_MAX };

typedef struct bt_tree_node {
    const char *name;
    uint32_t parent, level;
    uint32_t leaf; /* its number among the leaves, BT_NO_LEAF for inner nodes */
    uint32_t row;  /* where it was first seen, from 1, for errors */
} bt_tree_node;

typedef struct bt_tree {
    bt_tree_node *nodes;
    size_t count, capacity;
    uint32_t leaves;
    bt_arena *arena;
    const char *column, *file; /* for errors; file may be NULL */
} bt_tree;

/* Starts a tree with its root. */
BT_MUST_USE bauta_status bt_tree_init(bt_tree *tree, bt_arena *arena, const char *column,
                                      const char *file, bauta_error *error);
void bt_tree_release(bt_tree *tree);

/* Adds a node; the name must live as long as the arena. */
BT_MUST_USE bauta_status bt_tree_add(bt_tree *tree, uint32_t parent, uint32_t level,
                                     const char *name, uint32_t *out, bauta_error *error);
/* Adds a leaf: its number is tree->leaves before the call. */
BT_MUST_USE bauta_status bt_tree_leaf(bt_tree *tree, uint32_t parent, const char *name,
                                      bauta_error *error);

/* Lays the tree out. `numbers` (per leaf number, or NULL) orders siblings by their least number
 * instead of by age. code_of_leaf[leaf number] is filled. The tree itself is changed. */
BT_MUST_USE bauta_status bt_tree_lay_out(bt_tree *tree, const int64_t *numbers, const char *spec,
                                         bool given, uint32_t *code_of_leaf, bt_hierarchy **out,
                                         bauta_error *error);

/* Gives every node of a hierarchy a label of its own, made from its name, and fills the index.
 * In a given tree one name at one level under two parents is an error (`rows` per node). */
BT_MUST_USE bauta_status bt_tree_label(const bt_tree *tree, bt_hierarchy *hierarchy,
                                       const uint32_t *rows, bauta_error *error);

/* ---- sources ---- */

typedef struct bt_hierarchy_job {
    const char *column;
    bt_domain *domain;
    uint32_t *new_code;
    bt_arena *arena;
    bt_hierarchy **out;
} bt_hierarchy_job;

/* A given tree: a CSV text (followed by BT_CSV_PADDING readable bytes) or rows of labels. */
BT_MUST_USE bauta_status bt_hierarchy_from_csv(const bt_hierarchy_job *job, const char *file,
                                               const char *bytes, size_t length,
                                               bauta_error *error);
BT_MUST_USE bauta_status bt_hierarchy_from_file(const bt_hierarchy_job *job, const char *file,
                                                bauta_error *error);
BT_MUST_USE bauta_status bt_hierarchy_from_rows(const bt_hierarchy_job *job,
                                                const bt_hierarchy_source *source,
                                                bauta_error *error);

/* Sets *known to whether `spec` names a scheme; if so, derives the tree from the domain. */
BT_MUST_USE bauta_status bt_hierarchy_derive(const bt_hierarchy_job *job, const char *spec,
                                             bool *known, bauta_error *error);

/* Puts the old domain's values into the order of the hierarchy: old_of_leaf[leaf number] is the
 * old code. */
BT_MUST_USE bauta_status bt_hierarchy_reorder(const bt_hierarchy_job *job,
                                              const uint32_t *old_of_leaf,
                                              const uint32_t *code_of_leaf, bauta_error *error);

#endif
