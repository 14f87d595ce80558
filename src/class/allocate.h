/* SPDX-License-Identifier: Apache-2.0
 *
 * From the values of a group to the nodes of a target that are published instead of them: the
 * allocation with the least sum of ranges (Algorithm 1, MinSumOfRange), or a random one below it.
 *
 * At each node as many records as possible go down to its children, in the ratio of their
 * weights; the rest is published as the node itself. So whatever the values were, someone who
 * sees the nodes believes the target (P-privacy, Definition 3.2).
 *
 * Random (`allocation=random`): at each node the number of steps (a step: every child gets its
 * weight in records) is the greatest possible less a geometric number, 0 with probability 1/2, 1
 * with 1/4 and so on, but not less than none. Then a node that is published says no more that its
 * values could not have been spread over the children: of two groups whose greatest numbers of
 * steps at a node differ by one, an output that both allow is twice as likely for the one as for
 * the other there, where the optimal allocation tells them apart for certain. It costs one step per
 * node in the mean.
 */
#ifndef BT_ALLOCATE_H
#define BT_ALLOCATE_H

#include "base/random.h"
#include "class/target.h"

typedef unsigned __int128 bt_wide;

/* A value in a group. */
typedef struct bt_held {
    uint32_t code;  /* of the space */
    uint32_t count; /* at least 1 */
} bt_held;

/* A node in a published group. */
typedef struct bt_part {
    uint32_t node;   /* of the target */
    uint32_t copies; /* at least 1 */
} bt_part;

typedef struct bt_allocation { /* zeroed: empty */
    bt_part *items;            /* each node once, in the order of the target's nodes */
    size_t count, capacity;
    uint64_t total; /* copies of all */
} bt_allocation;

void bt_allocation_release(bt_allocation *parts);

/* Working memory, one per worker, for targets of at most `nodes` nodes and a domain of `codes`. */
typedef struct bt_allocator bt_allocator;
BT_MUST_USE bauta_status bt_allocator_new(uint32_t nodes, uint32_t codes, bt_allocator **out,
                                          bauta_error *error);
void bt_allocator_free(bt_allocator *allocator);

/* Counts the values of a group: codes[rows[i]] through space->code_of (the column is that of the
 * space). held has room for `count` or for the domain, whichever is less; its codes come in the
 * order of the domain or in that of first occurrence. Returns how many there are. Linear in
 * `count`. */
size_t bt_allocator_hold(bt_allocator *allocator, const bt_space *space, const bt_column *column,
                         const uint32_t *rows, size_t count, bt_held *held);

/* Replaces *out by the allocation of a group whose values are held[0..distinct-1], all of them in
 * the target's tree and each code once (the total is below 2^32). `stream` NULL: the one with the
 * least sum of ranges; else a random one. Linear in the distinct values times the depth of the
 * tree, or in the nodes of the tree when that is less. BAUTA_INVALID when a value has probability
 * 0 (without naming it). */
BT_MUST_USE bauta_status bt_allocate(const bt_target *target, bt_allocator *allocator,
                                     const bt_held *held, size_t distinct, bt_stream *stream,
                                     bt_allocation *out, bauta_error *error);

#endif
