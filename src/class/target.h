/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets: the distribution that the sensitive values of a group shall seem to follow, as a tree
 * over the values with a whole-number weight at every child (Koudas, Srivastava, Yu and Zhang
 * 2009, "privacy-annotated hierarchy").
 *
 * A record that is published as a node is a child of it with the probability weight / sum of the
 * weights of the node's children. All weights are at least 1; those of one node's children have no
 * common divisor. A value that shall have probability 0 is not in the tree: the tree is that of the
 * column's hierarchy over the values that are left, nodes without such values and nodes that say
 * the same as their only child left out. So every inner node has at least two children.
 *
 * Codes are places in the domain of a bt_space (below), which holds the values of the sensitive
 * column and perhaps more. For numbers and dates a node stands for [least, greatest].
 */
#ifndef BT_TARGET_H
#define BT_TARGET_H

#include "recipe/hierarchy.h"

enum { BT_NO_NODE = UINT32_MAX };

/* The values that a target is over, and the tree that it is on. */
typedef struct bt_space {
    const char *column; /* for errors */
    bt_domain domain;
    const bt_hierarchy *hierarchy; /* its leaves are the codes of the domain */
    uint32_t source;               /* values of the sensitive column's own domain */
    uint32_t *code_of;             /* per code of the column: its code here */
} bt_space;

typedef struct bt_target_node {
    uint32_t low, high;       /* its first and its last code, both included */
    uint32_t parent;          /* the root is its own */
    uint32_t first, children; /* nodes first..first+children-1, in code order; 0: a value */
    uint32_t values;          /* leaves under it; 1: a value */
    uint32_t origin;          /* node of the hierarchy: the lowest with these values */
    uint64_t weight;          /* among its siblings; the root's is 1 */
    uint64_t sum;             /* of the weights of its children; 0: a value */
    int64_t least, greatest;  /* numbers and dates: the least and the greatest value under it */
    uint64_t range;           /* numbers: greatest - least; else values - 1 */
} bt_target_node;

typedef struct bt_target {
    bool numbers;   /* the values are numbers or dates */
    uint32_t count; /* nodes; 0 is the root; breadth-first: children after parents, contiguous */
    uint32_t depth; /* edges on the longest path */
    uint32_t leaves;
    bt_target_node *nodes;
    uint32_t codes;    /* size of the domain */
    uint32_t *leaf_of; /* per code: its leaf, BT_NO_NODE: not in the tree */
} bt_target;

/* The tree over the codes with weights[code] > 0 (one per code of the space's domain), where the
 * weight of a child is the sum of those under it: the distribution is exactly that of `weights`.
 * BAUTA_INVALID when all are 0 or their sum reaches 2^62. Owned by the arena. */
BT_MUST_USE bauta_status bt_target_make(const bt_space *space, const uint64_t *weights,
                                        bt_arena *arena, bt_target *out, bauta_error *error);

/* Rounds the weights of every node's children so that their sum is at most `cap` (at least the
 * number of children, each having at least 1): the nearest such ratio, see target_round.c. cap 0:
 * nothing is rounded. At most 4096. */
BT_MUST_USE bauta_status bt_target_round(bt_target *target, uint64_t cap, bauta_error *error);

/* Divides the weights of a node's children by their greatest common divisor, which is returned, and
 * sums them up. For those who change weights. */
uint64_t bt_target_reduce(bt_target *target, uint32_t node);

/* A tree as a manifest gives it: node by node in the order of target->nodes the number of children
 * and the weight (the root's is 1). Its leaves in the order of the tree are the codes with
 * present[code] (NULL: all) of a domain of `codes`, with these numbers per code (NULL: categories).
 * `origin` of a node is its own place. */
typedef struct bt_target_shape {
    size_t count;
    const uint32_t *children;
    const uint64_t *weights;
    uint32_t codes;
    const bool *present;
    const int64_t *numbers;
} bt_target_shape;

/* Hostile input: BAUTA_INVALID when it is not such a tree, or the weights are not all >= 1, not
 * reduced, or too large. */
BT_MUST_USE bauta_status bt_target_restore(const bt_target_shape *shape, bt_arena *arena,
                                           bt_target *out, bauta_error *error);

/* The node whose least and greatest number are these; BT_NO_NODE: there is none. */
uint32_t bt_target_find_numbers(const bt_target *target, int64_t least, int64_t greatest);

/* The probability of each node, for estimates and reports only: chance[node], 1 at the root.
 * class/shares.h has the exact ones. */
void bt_target_chances(const bt_target *target, double *chance);

/* Half the sum of the absolute differences between the target and the distribution of `weights`
 * (per code, not all 0): how far the one is from the other, from 0 to 1. For reports. */
double bt_target_distance(const bt_target *target, const uint64_t *weights);

#endif
