/* SPDX-License-Identifier: Apache-2.0
 *
 * A target as a manifest has it: one weight for every node of the hierarchy of the sensitive
 * column, 0 for those that the target does not use.
 */
#ifndef BT_WEIGHTS_H
#define BT_WEIGHTS_H

#include "class/target.h"

/* Fills `weights`, one per node of the hierarchy that the target was made on. */
void bt_target_weights(const bt_target *target, const bt_hierarchy *hierarchy, uint64_t *weights);

typedef struct bt_weighted { /* a target that was read */
    bt_target target;
    uint32_t *node_of; /* per node of the hierarchy: that of the target, or BT_NO_NODE */
} bt_weighted;

/* Hostile input: BAUTA_INVALID when the weights are not those of a target on this hierarchy.
 * `numbers` are those of its leaves (NULL: categories). Owned by the arena. */
BT_MUST_USE bauta_status bt_weighted_make(const bt_hierarchy *hierarchy, const int64_t *numbers,
                                          const uint64_t *weights, size_t count, bt_arena *arena,
                                          bt_weighted *out, bauta_error *error);

/* The numbers that the leaves stand for, from their names; NULL for texts. BAUTA_INVALID when one
 * is not of the type. Owned by the arena. */
BT_MUST_USE bauta_status bt_leaf_numbers(const bt_hierarchy *hierarchy, bt_type type, int scale,
                                         bt_arena *arena, int64_t **out, bauta_error *error);

#endif
