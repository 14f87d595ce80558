/* SPDX-License-Identifier: Apache-2.0
 *
 * P-privacy of a published group, exactly (Definition 3.2), and whether it can stand for given
 * values (Definition 3.1). It knows nothing of how the group was made.
 *
 * A multiset of nodes is P-private if and only if at every node the numbers of published nodes
 * inside its children are in the ratio of their weights.
 */
#ifndef BT_PRIVACY_H
#define BT_PRIVACY_H

#include "class/allocate.h"

/* Working memory for targets of at most so many nodes; one per worker. */
typedef struct bt_privacy {
    uint64_t *inside; /* per node: published nodes inside it; all 0 between calls */
    uint64_t *left;   /* per node: values that are still without a part */
    uint32_t *queue;  /* nodes to visit */
} bt_privacy;

BT_MUST_USE bauta_status bt_privacy_init(bt_privacy *privacy, uint32_t nodes, bauta_error *error);
void bt_privacy_release(bt_privacy *privacy);

/* Whether the parts are P-private; else *node is the first node whose children are not in
 * proportion. Parts are hostile: nodes in any order and more than once, totals below 2^62. Costs a
 * walk up to the root for each part, or a pass over all nodes when that is less. */
bool bt_privacy_check(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                      size_t count, uint32_t *node);

/* Whether the values can each have a part of their own that they lie in. As many parts as values:
 * a generalization of exactly these; more: the rest are fakes, any others. False also when a value
 * is not in the target's tree. */
bool bt_privacy_covers(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                       size_t count, const bt_held *held, size_t distinct);

#endif
