/* SPDX-License-Identifier: Apache-2.0
 *
 * The columns of a release as queries see them: for every published text the values that the
 * record may have had there. That is all that bounds rest on, so it is never narrower than what the
 * release says.
 *
 *   value, missing                     itself
 *   [lo,hi], a node of intervals, …    every number or date of the column's scale in between
 *   {a|b}, a node of a whole tree      the members, the leaves
 *   another node                       anything but the missing value and what the manifest names
 *                                      elsewhere
 *   a category                         the values that the manifest lists for it; if none, anything
 *   130**                              every text that begins so and has as many characters
 *   * without a whole tree             anything, the missing value included
 *
 * That both ends of a range and all members of a set occur in a class is not used: of a release
 * alone nobody can check it.
 */
#ifndef BT_QUERY_COLUMN_H
#define BT_QUERY_COLUMN_H

#include "reading/release.h"
#include "recipe/names.h"

typedef enum bt_meaning_kind {
    BT_MEANING_MISSING,
    BT_MEANING_NUMBERS, /* lo..hi, in the column's scale; members first and first+1 are these */
    BT_MEANING_LISTED,  /* members first..first+count-1, each as likely as the others */
    BT_MEANING_TEXTS,   /* texts from `from` to `to` in the order of bytes, both included */
    BT_MEANING_MASK,    /* texts that are `from` and then `hidden` characters */
    BT_MEANING_ANY,
} bt_meaning_kind;

typedef struct bt_meaning {
    bt_meaning_kind kind;
    bool missing; /* BT_MEANING_ANY: also the missing value */
    bool loose;   /* what the text stands for is not known exactly: less than this */
    uint32_t first, count;
    uint32_t hidden;
    uint32_t leaves; /* TEXTS, MASK: how many values there were, if the manifest says */
    uint32_t node;   /* BT_MEANING_ANY: of column->tree, which may hold what that does not name
                        elsewhere; 0: all that can be */
    int64_t lo, hi;
    const char *from, *to;
} bt_meaning;

enum { BT_MEMBER_MISSING = UINT32_MAX };

/* Which file or level of the release a column belongs to: conditions on the left side are decided
 * before those on the right. */
typedef enum bt_query_side { BT_LEFT, BT_RIGHT } bt_query_side;

typedef struct bt_query_column {
    const char *name;
    bt_type type;
    int scale;
    bt_query_side side;
    bool exact;               /* every text stands for one value */
    bool blank;               /* every text is '*': the column shows nothing */
    bool unseen;              /* no text shows a value: a text may then be of any type */
    bool unknown;             /* what some texts stand for the manifest does not say */
    const bt_hierarchy *tree; /* not whole: the nodes that the manifest names */
    bt_meaning *meanings;     /* per code */
    uint32_t meaning_count;
    const char **texts; /* BT_TEXT: the listed values, in the order of bytes, each once */
    int64_t *numbers;   /* otherwise, ascending */
    uint32_t value_count;
    uint32_t *members; /* places among them, or BT_MEMBER_MISSING */
    void *codes;       /* per place of its side; owned */
    unsigned width;
} bt_query_column;

typedef struct bt_query_columns {
    bt_query_column *items;
    size_t count;
    bt_names names; /* name -> place */
} bt_query_columns;

/* Fills all but side and codes. `cells`: the texts are cells, otherwise values. BAUTA_INVALID for
 * a text that is not well formed. Memory from the arena. */
BT_MUST_USE bauta_status bt_query_column_build(const bt_release_column *column, bool cells,
                                               bt_arena *arena, bt_query_column *out,
                                               bauta_error *error);

/* What a node of a derived hierarchy stands for, from its label. A label that cannot be read
 * stands for any present value. */
BT_MUST_USE bauta_status bt_label_meaning(const bt_manifest_column *column, const bt_node *node,
                                          bt_arena *arena, bt_meaning *out, bauta_error *error);

#endif
