/* SPDX-License-Identifier: Apache-2.0
 *
 * What a published group says about some of its records: bounds of SUM, MIN, MAX and AVG
 * when `selected` of them are asked for and nobody knows which of the nodes are theirs. Exact: each
 * bound is reached by a table that fits the release, fakes or not.
 *
 * With selected = c records of a group:
 *   SUM    the c smallest lows .. the c greatest highs
 *   MIN    the smallest low     .. the c-th greatest high
 *   MAX    the c-th smallest low .. the greatest high
 *   AVG    SUM / c (over several groups: the sums of all over the records of all)
 * All are kept as runs of equal lows and equal highs with prefix sums, so a group of any size takes
 * as much room as it has distinct nodes, and a question costs a binary search.
 */
#ifndef BT_SUBDOMAINS_H
#define BT_SUBDOMAINS_H

#include "base/memory.h"

/* A published node, numbers in the column's fixed point. */
typedef struct bt_subdomain {
    int64_t low, high;
    uint64_t copies;
} bt_subdomain;

/* A part of the domain of the sensitive column, as sensitive.csv names it. */
typedef struct bt_shown_part {
    bool well_formed;        /* a node's label; numbers or dates in their order, canonical */
    uint32_t node;           /* text: of the hierarchy */
    int64_t least, greatest; /* numbers and dates */
} bt_shown_part;

typedef struct bt_edge { /* a run of equal lows or highs */
    int64_t value;
    uint64_t before;     /* nodes in the runs before this one */
    __int128 sum_before; /* the sum of the values of the nodes before */
} bt_edge;

typedef struct bt_subdomains { /* of one group */
    uint64_t total;            /* nodes: records and fakes */
    size_t low_count, high_count;
    const bt_edge *lows;  /* ascending */
    const bt_edge *highs; /* descending */
} bt_subdomains;

/* `items` is sorted in place. Owned by the arena. copies >= 1, low <= high, total < 2^62. */
BT_MUST_USE bauta_status bt_subdomains_make(bt_subdomain *items, size_t count, bt_arena *arena,
                                            bt_subdomains *out, bauta_error *error);

typedef struct bt_aggregates { /* of the selected records */
    uint64_t selected;
    __int128 sum_low, sum_high;
    int64_t min_low, min_high;
    int64_t max_low, max_high;
} bt_aggregates;

/* The bounds for 1 <= selected <= total records of a group. */
bt_aggregates bt_subdomains_select(const bt_subdomains *group, uint64_t selected);

#endif
