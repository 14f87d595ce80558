/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways through the cells of records. Where a record's left part is cells, each of its columns may
 * have any value that the cell allows; so a diagram is followed over the cells by all ways that
 * they leave open, once for all records that share them, and from where that ends once per right
 * part. Only forms of src/query may include this.
 */
#ifndef BT_WAYS_H
#define BT_WAYS_H

#include "query/form.h"

/* A way through some cells: where in the diagram it ends, and how likely it is. */
typedef struct bt_way {
    uint32_t node;
    uint32_t signature; /* of the target, when it is on the left */
    double share;
} bt_way;

typedef struct bt_walker {
    const bt_queryable *queryable;
    const bt_question *question;
    bt_evaluation *out;
    bauta_error *error;
    bt_chances *chances;       /* per left slot */
    struct bt_left_step *left; /* of the nodes on the left */
    bt_step *steps;            /* of the nodes on the right */
    uint32_t *target_of;       /* right target: signatures of its codes */
    uint32_t ends;             /* nodes below this are decided on the right, or ends */
    double *reach;             /* per node */
    bool *reached;
    bt_way *ways; /* of the last left part */
    size_t way_count, way_capacity;
    bool left_target, right_target;
} bt_walker;

/* The first four fields are set; what chances are loose makes the evaluation not tight. */
BT_MUST_USE bauta_status bt_walker_open(bt_walker *walker, bt_question *question);
void bt_walker_close(bt_walker *walker);

/* Finds all ways of a left part; with a target among the cells, apart for each of its signatures.
 */
BT_MUST_USE bauta_status bt_walker_follow(bt_walker *walker, size_t left);

/* Whether no record with these ways matches. */
static inline bool bt_walker_never(const bt_walker *walker)
{
    return walker->way_count == 1 && walker->ways[0].node == BT_NEVER;
}

/* The one node that the ways leave open on the right; BT_NEVER: there is none, and all records are
 * alike; BT_ALWAYS: there are several, or records differ in the target. */
uint32_t bt_walker_open_node(const bt_walker *walker);

/* Records that are judged at once: those with the right part at `place`, or so many like it. */
typedef struct bt_judged {
    size_t place, count;
    double weight;         /* as how many they count in the estimate */
    bool settled, matches; /* settled: all that is open on the right is, and it matches or not */
} bt_judged;

typedef struct bt_judgement { /* on each of them */
    bool must, may;
    double expected;
    int64_t lo, hi; /* of the target */
} bt_judgement;

/* Judges records with this left part, whose ways were followed last; adds to the weights of the
 * target. */
bt_judgement bt_walker_judge(const bt_walker *walker, size_t left, const bt_judged *records);

#endif
