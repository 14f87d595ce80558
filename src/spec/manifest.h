/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest: everything a release says about itself, and nothing else. docs/release-format.md
 * lists its fields.
 */
#ifndef BT_MANIFEST_H
#define BT_MANIFEST_H

#include "class/mechanism.h"
#include "recipe/categories.h"
#include "recipe/cuts.h"
#include "recipe/hierarchy.h"
#include "recipe/join.h"
#include "recipe/method.h"
#include "require/requirement.h"

typedef bt_node_summary bt_manifest_node; /* a node that occurs in cells, or above one that does */

/* randomized with `rare`: what became of the rare values of a quasi column before the drawing. */
typedef enum bt_merging {
    BT_MERGED_NONE,       /* they were dropped with their records */
    BT_MERGED_NEIGHBOURS, /* the commonest number or date around them */
    BT_MERGED_HIERARCHY,  /* the commonest value under a node of a hierarchy */
} bt_merging;

static inline const char *bt_merging_name(bt_merging merging)
{
    return merging == BT_MERGED_NEIGHBOURS ? "neighbours" : "hierarchy";
}

typedef struct bt_manifest_column {
    const char *name;
    bt_role role; /* quasi, sensitive or other */
    bt_type type;
    int scale; /* decimals: places behind the point. Format 0 has it; else it follows from texts:
                  here from those of the manifest, in a release also from those of the rows */
    const bt_hierarchy *hierarchy; /* with leaves: all of them, if it is public or of format 0; of a
                                      sensitive column those that the release shows; or NULL */
    const char *partial;           /* spec of a hierarchy of which only nodes are known, or NULL */
    uint32_t partial_leaves, partial_levels; /* format 0; else 0 */
    bt_manifest_node *nodes; /* partial: the nodes that occur in cells, and those above */
    size_t node_count;
    const bt_cuts *cuts; /* quasi columns: where cells begin and end; NULL: anywhere */
    /* sensitive columns */
    const bt_category *categories; /* the most sensitive first; NULL: none */
    uint32_t category_count;
    const char *category_of; /* the column shows the categories of the values of that one, which has
                                `categories`. Itself: its values are not published, and type and
                                scale are theirs. NULL: the column shows values */
    /* quasi columns of `randomized` */
    bt_rational redrawn; /* the probability that it is drawn anew; bottom 0: it never is */
    bt_merging merged;   /* format 1 and later */
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

/* Whether promises also hold among those who share a value of another sensitive column. */
typedef enum bt_joint {
    BT_JOINT_UNSAID, /* there is no other */
    BT_JOINT_PAIRWISE,
    BT_JOINT_NONE,
} bt_joint;

/* What promises count. */
typedef enum bt_counting {
    BT_COUNT_ROWS,     /* every row is a person */
    BT_COUNT_APART,    /* persons, whose rows may be in several classes */
    BT_COUNT_TOGETHER, /* persons, whose rows are in one class each */
} bt_counting;

/* A target distribution (form `distribution`) on the hierarchy of the sensitive column. */
typedef struct bt_manifest_target {
    const uint32_t *groups; /* numbers of those that have it; NULL: all */
    size_t group_count;
    const uint64_t *weights; /* per node of the hierarchy, in its order: among the children of its
                                parent; 0: the node is not used */
    size_t weight_count;
} bt_manifest_target;

/* The format that this version writes. A manifest without a number has format 0, that of version
 * 0.1.0; tests/formats keeps releases of every format, which must be read as long as Bauta lives.
 */
enum { BT_FORMAT_NEWEST = 1 };

/* How they are written, by number; those of 0 are not. */
extern const char *const bt_joint_names[], *const bt_counting_names[];

typedef struct bt_manifest {
    const char *folder;  /* where it was read, for errors; NULL: nowhere */
    uint32_t format;     /* which fields it has, and the words and the SQL that follow from it */
    const char *release; /* random id, 32 hexadecimal digits */
    const char *version; /* of bauta */
    const char *form;    /* with all options spelled out: "generalized:sensitive=value" */
    bt_named_method method;
    bool experiment;
    bool spreadsheet_safe; /* texts that look like formulas stand behind an apostrophe:
                              bt_csv_tempts */
    int64_t dropped_rows;
    bt_requirements promises; /* not bound; none where there is something unread */
    const char *unread;       /* the promises, "k=5,luck=7", where this version does not know them
                                 all; NULL: `promises` has them */
    bt_joint joint;
    bt_counting persons;
    uint32_t lambda;   /* randomized: columns that are drawn anew in each record; 0: other forms */
    uint32_t replayer; /* by how much whoever replays the method may multiply the odds of what
                          someone in a class has; 0: nothing is stated */
    bt_join_choice join;       /* with a public table; without: the rows are records of the original
                                  alone */
    const char *protects;      /* plain words, which follow from the rest; NULL in format 0 */
    const char *not_protected; /* likewise */
    const char *remark;        /* how the files are to be read; NULL: nothing needs saying */
    bt_manifest_column *columns; /* in the order of the input; data.csv has them all, quasi.csv
                                    and sensitive.csv those of their roles */
    size_t column_count;
    bt_manifest_target *targets; /* distribution; else none */
    size_t target_count;
    bt_manifest_target *reference; /* what `t` compares targets with; NULL: nothing does */
} bt_manifest;

/* The name of the column that holds the class, where a form has one: "class", or if a column is
 * called so "class_2", … NULL: out of memory. */
const char *bt_class_name(const char *const *names, size_t count, bt_arena *arena);
/* The name of the column that holds the group, likewise: "group", "group_2", … */
const char *bt_group_name(const char *const *names, size_t count, bt_arena *arena);

/* Whether a form, with its options, is this one. NULL is none. */
bool bt_form_is(const char *form, const char *name);

/* The name of the column that holds the sensitive group of a join, likewise: "sensitive_group",
 * "sensitive_group_2", … */
const char *bt_sensitive_group_name(const char *const *names, size_t count, bt_arena *arena);

/* Whether a join has sensitive.csv: always when it is refined, else when there is a sensitive
 * column. */
bool bt_join_has_table(const bt_manifest *manifest);

static inline bool bt_is_refined(const bt_manifest *manifest)
{
    return manifest->join.kind == BT_JOIN_REFINE;
}

/* The mechanism of `randomized`: manifest->lambda, and `redrawn` of its quasi columns. */
BT_MUST_USE bauta_status bt_mechanism_of(const bt_manifest *manifest, bt_arena *arena,
                                         bt_mechanism *out, bauta_error *error);

/* What cannot be written was not read whole: BAUTA_INVALID. */
BT_MUST_USE bauta_status bt_manifest_write(const bt_manifest *manifest, bt_buffer *out,
                                           bauta_error *error);

/* A manifest may be as large as this. */
enum { BT_MANIFEST_MOST = 256 * 1024 * 1024 };

/* How many bytes a hierarchy that is published whole takes of a manifest, with the weights of so
 * many targets over its nodes: a little less than it will be, for what JSON escapes is not
 * counted. */
uint64_t bt_manifest_domain_bytes(const bt_hierarchy *hierarchy, uint64_t targets);

/* Whether a text is a manifest; fails when the system does. */
BT_MUST_USE bauta_status bt_manifest_is(const char *text, size_t length, bool *is,
                                        bauta_error *error);

/* Hostile input: every field is checked, unknown ones are refused. Memory from the arena. */
BT_MUST_USE bauta_status bt_manifest_read(const char *text, size_t length, bt_arena *arena,
                                          bt_manifest *out, bauta_error *error);

#endif
