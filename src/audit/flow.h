/* SPDX-License-Identifier: Apache-2.0
 *
 * Matching in numbers: groups of demands are served from groups of supplies, as many as
 * possible (maximum flow in a bipartite graph; Dinic 1970, Hopcroft and Karp 1973). Only
 * src/audit may include this.
 *
 * Cost: every phase is linear in the edges it reaches; there are at most O(sqrt(units)) phases,
 * and none when every supply can serve only one demand. Parts of the graph that do not touch
 * each other are solved in parallel. Memory about 30 bytes per edge. No recursion.
 */
#ifndef BT_FLOW_H
#define BT_FLOW_H

#include "base/run.h"

typedef struct bt_flow {
    uint32_t demands, supplies;
    const uint32_t *wanted; /* per demand */
    const uint32_t *there;  /* per supply */
    const size_t *first;    /* supplies + 1: its edges are first[s]..first[s + 1]-1 */
    const uint32_t *demand; /* per edge: the demand that it can serve */
} bt_flow;

/* Edges that are listed at most. Where rows fit in few boxes there are some for each; a release
 * made to hurt has one for each pair, and what hangs on them stays unverifiable. */
static inline size_t bt_flow_most(size_t demands, size_t supplies)
{
    return ((size_t)1 << 22) + 64 * (demands + supplies);
}

/* Puts what each demand lacks in a largest matching into `lacking`. */
BT_MUST_USE bauta_status bt_flow_run(const bt_flow *flow, const bt_run *run, uint32_t *lacking,
                                     bauta_error *error);

#endif
