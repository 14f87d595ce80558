/* SPDX-License-Identifier: Apache-2.0
 *
 * Hierarchies: trees over a column's domain, laid out so that every node is a contiguous run
 * of codes.
 *
 * Level 0 is the value itself, the top node is "*". Trees may be ragged: the path of a value
 * may skip levels (a value whose path has no node at some level keeps the highest node below
 * it). The missing value is a leaf directly under "*", the last one; its label is empty.
 *
 * Where a tree is given (a file, an inline tree), two nodes are the same when they have the
 * same label under the same parent; a label that stands at one level under two parents is an
 * error. A node whose only child has its label is that child. A label that occurs more than
 * once in the tree stays with the lowest node; the others get "@" and their level.
 */
#ifndef BT_HIERARCHY_H
#define BT_HIERARCHY_H

#include "table/table.h"

enum { BT_LEVELS_MOST = 1000 }; /* levels of a tree, the values and "*" included */

typedef struct bt_node {
    uint32_t lo, hi;          /* codes lo..hi-1 */
    uint32_t parent;          /* index; the root is its own parent */
    uint32_t first, children; /* children are nodes first..first+children-1, in code order */
    uint32_t level;           /* 0: a value */
    const char *label;        /* unique within the hierarchy */
    const char *name;         /* as given: the label before "@level" was added */
} bt_node;

typedef struct bt_hierarchy {
    const char *spec; /* "intervals:5,10", "file", "tree", … as the manifest names it */
    bool given;       /* whole tree from the user (file, inline) */
    bool chosen;      /* the recipe does not name it: it follows from the values of the table */
    bool is_public;   /* the recipe says that it is a public classification: published whole */
    uint32_t levels;  /* level of the root + 1 */
    uint32_t count;   /* nodes; 0 is the root; breadth-first, so children are contiguous */
    bt_node *nodes;
    uint32_t leaves;     /* number of leaves = domain size, the missing leaf included */
    uint32_t *leaf_node; /* code -> its level-0 node; NULL in a partial hierarchy */
    uint32_t *index;     /* private: hash table of labels, index_mask + 1 places */
    uint32_t index_mask;
} bt_hierarchy;

/* Where the tree comes from. */
typedef struct bt_hierarchy_source {
    const char *spec; /* a file, or intervals:…, mask, balanced:N, date, flat; or none */
    /* what such a file would hold, BT_CSV_PADDING bytes behind it, or NULL; `spec` names it */
    const char *text;
    size_t length;
    /* an inline tree from YAML, or NULL: rows of labels from leaf upwards, "*" left out */
    const char *const *const *paths;
    const size_t *path_lengths;
    size_t path_count;
    bool loose; /* values that no row has are leaves directly under "*", too */
} bt_hierarchy_source;

/* Builds the tree for a domain in natural order. The domain is replaced by one in layout order
 * that also holds the leaves that do not occur in the data; new_code[old code] is filled (room
 * for old domain size). Errors name the column and how many values the tree does not cover, never
 * the values. All memory from the arena. */
BT_MUST_USE bauta_status bt_hierarchy_build(const bt_hierarchy_source *source, const char *column,
                                            bt_domain *domain, uint32_t *new_code, bt_arena *arena,
                                            bt_hierarchy **out, bauta_error *error);

/* True: the spec names a scheme (intervals:…, mask, …); false: it names a file. */
bool bt_hierarchy_is_derived(const char *spec);
/* Whether it says that there is to be no tree: "none". */
bool bt_hierarchy_is_none(const bt_hierarchy_source *source);

/* ---- from a manifest: hostile input, BAUTA_INVALID when it is not a tree ---- */

/* A given tree from the paths of its leaves in code order, as bt_hierarchy_path gives them. */
BT_MUST_USE bauta_status bt_hierarchy_from_paths(const char *const *const *paths,
                                                 const size_t *path_lengths, size_t path_count,
                                                 const char *spec, const char *column,
                                                 bt_arena *arena, bt_hierarchy **out,
                                                 bauta_error *error);

/* What a release says of a node of a tree that it does not publish whole. */
typedef struct bt_node_summary {
    const char *label;
    uint32_t leaves, level; /* leaves: format 0 */
    const char *parent;     /* label of the node above; NULL: "*", or not said */
} bt_node_summary;

/* A partial hierarchy: "*" and the nodes that a release shows, each label once. Of its nodes only
 * label, level and parent mean something. Format 0 also says how many leaves and levels there are,
 * and "*" may be among its nodes: hi - lo are then the leaves of a node. Else both are 0. */
BT_MUST_USE bauta_status bt_hierarchy_from_nodes(const bt_node_summary *nodes, size_t count,
                                                 uint32_t leaves, uint32_t levels, const char *spec,
                                                 const char *column, bt_arena *arena,
                                                 bt_hierarchy **out, bauta_error *error);

/* A whole tree as bt_hierarchy_write wrote it with `missing`, whatever the type of its values;
 * BT_CSV_PADDING readable bytes follow. `file` names it in errors. */
BT_MUST_USE bauta_status bt_hierarchy_read(const char *file, const char *bytes, size_t length,
                                           const char *spec, const char *column, bt_arena *arena,
                                           bt_hierarchy **out, bauta_error *error);

/* ---- questions ---- */

/* The lowest node that covers codes lo..hi (both included). */
uint32_t bt_hierarchy_cover(const bt_hierarchy *hierarchy, uint32_t lo, uint32_t hi);

/* The child of a node that holds `code`, which the node holds. */
uint32_t bt_hierarchy_child(const bt_hierarchy *hierarchy, uint32_t parent, uint32_t code);

/* The node of `code` at `level`: the highest one on its path with at most that level. */
uint32_t bt_hierarchy_at(const bt_hierarchy *hierarchy, uint32_t code, uint32_t level);

/* Finds a node by its label; UINT32_MAX when there is none. */
uint32_t bt_hierarchy_find(const bt_hierarchy *hierarchy, const char *label, size_t length);

/* The names (in derived trees labels) on the path of `code` from the leaf upwards, "*" left out,
 * with "" at levels that the path skips. `names` has room for hierarchy->levels; returns how many
 * there are. */
size_t bt_hierarchy_path(const bt_hierarchy *hierarchy, uint32_t code, const char **names);

/* The usual CSV form, leaf;level1;…;* (fields quoted when they must be, empty at levels that a
 * path skips). Of the missing value there is a row, which those who read the form pass over, only
 * with `missing`. */
BT_MUST_USE bauta_status bt_hierarchy_write(const bt_hierarchy *hierarchy, bool missing,
                                            bt_buffer *out, bauta_error *error);

/* ---- what a release shows ---- */

/* Whether labels of a scheme end at values of the data, as those of `balanced` do. */
bool bt_spec_shows_values(const char *spec);

/* The levels under which a release names its nodes: those of the tree. Where they would tell how
 * many values there were (bt_spec_shows_values), how many nodes that are shown lie one in another.
 * `shown` and `levels` are per node. */
void bt_hierarchy_levels(const bt_hierarchy *hierarchy, const bool *shown, uint32_t *levels);

/* Gives nodes other labels: names[node], and if that is taken name@level; nodes without a name keep
 * what they have as far as it is free. Leaves keep theirs. Memory from the arena. */
BT_MUST_USE bauta_status bt_hierarchy_relabel(bt_hierarchy *hierarchy, const char *const *names,
                                              const uint32_t *levels, bt_arena *arena,
                                              bauta_error *error);

/* The label of a range of texts: "17..32", of long ones the beginnings. NULL: out of memory. */
const char *bt_range_label(const char *first, const char *last, bt_arena *arena);

/* A tree of some leaves (true in `kept`, per code) and the nodes above them, as high as it was. */
BT_MUST_USE bauta_status bt_hierarchy_prune(const bt_hierarchy *hierarchy, const bool *kept,
                                            const char *column, bt_arena *arena, bt_hierarchy **out,
                                            bauta_error *error);

#endif
