/* SPDX-License-Identifier: Apache-2.0
 *
 * P-privacy of a published group, exactly (Definition 3.2). It knows nothing of how the group was
 * made.
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
    uint32_t *queue;  /* nodes to visit */
} bt_privacy;

BT_MUST_USE bauta_status bt_privacy_init(bt_privacy *privacy, uint32_t nodes, bauta_error *error);
void bt_privacy_release(bt_privacy *privacy);

/* Whether the parts are P-private; else *node is the first node whose children are not in
 * proportion. Parts are hostile: nodes in any order and more than once, totals below 2^62. Costs a
 * walk up to the root for each part, or a pass over all nodes when that is less. */
bool bt_privacy_check(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                      size_t count, uint32_t *node);

#endif
