/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the method `top-down` (top_down*.c). Only these files include this.
 */
#ifndef BT_TOP_DOWN_H
#define BT_TOP_DOWN_H

#include "group/method.h"
#include "require/branches.h"

enum { BT_TOP_DOWN_ATTRIBUTE, BT_TOP_DOWN_MINIMAL }; /* options */

typedef struct bt_top_down_part {
    uint32_t start, end; /* both 0: all that the job begins with */
} bt_top_down_part;

/* What specializing in a column comes to if all children that are large enough satisfy. */
typedef struct bt_top_down_prospect {
    uint64_t worth;
    uint32_t branches; /* 0: nothing, or it was looked into */
} bt_top_down_prospect;

/* A specialization of a part. */
typedef struct bt_top_down_plan {
    size_t column;
    uint64_t worth;
    uint32_t grown; /* children that become parts; 0: there is no such specialization */
    uint32_t left;  /* records that do not go down */
    bt_branch *branches;
    uint32_t branch_count;
    uint32_t *branch_of; /* by code, of those that occur */
    uint32_t *returned;  /* records that went back alone */
    uint32_t returned_count;
    size_t branches_capacity, returned_capacity;
} bt_top_down_plan;

typedef struct bt_top_down_worker {
    uint64_t *zeros;                 /* as many as the largest domain has codes, between uses */
    bt_code_counts view;             /* of the column in view */
    bt_box *ranges;                  /* per column: of the part */
    bt_top_down_prospect *prospects; /* per column */
    bt_top_down_plan *best, *tried, plans[2];
    bt_branches *judge;
    uint32_t *order, *aside; /* as many as the largest part had records */
    uint64_t *returned;      /* a bit per record, zero between uses */
    uint32_t *group, *next;  /* per branch: where its records go */
    uint32_t *kept;          /* classes that were left: start, then the node of each column */
    bt_top_down_part *stack;
    size_t order_capacity, aside_capacity, returned_capacity, group_capacity, next_capacity;
    size_t kept_count, kept_capacity, stack_count, stack_capacity;
} bt_top_down_worker;

typedef struct bt_top_down {
    const bt_method_job *job;
    bool by_ncp;
    size_t columns;
    const bt_column **quasi;
    bt_runs runs;
    uint64_t *starts; /* a bit per record: a class begins here; set atomically */
    int64_t least;    /* size of the smallest class that satisfies the requirements */
    bt_top_down_worker *workers;
    unsigned worker_count;
} bt_top_down;

/* Leaves the best specialization of a part in w->best; its `grown` is 0 when there is none. Fills
 * w->ranges where there is one. */
BT_MUST_USE bauta_status bt_top_down_choose(const bt_top_down *t, const bt_top_down_part *p,
                                            bt_top_down_worker *w, bauta_error *error);

#endif
