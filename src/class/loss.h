/* SPDX-License-Identifier: Apache-2.0
 *
 * NCP of a side of a box, as DESIGN and docs define it for the whole project, in fixed point:
 * an integer between 0 and BT_LOSS_ONE, so that choices between cuts are the same everywhere.
 */
#ifndef BT_LOSS_H
#define BT_LOSS_H

#include "recipe/hierarchy.h"

enum { BT_LOSS_ONE = 1 << 30 };

/* `distinct`: how many codes of lo..hi occur (only used for text without a hierarchy). */
uint32_t bt_loss(const bt_column *column, uint32_t lo, uint32_t hi, uint32_t distinct);

/* That of a node of a hierarchy. */
uint32_t bt_node_loss(const bt_hierarchy *hierarchy, uint32_t node);

#endif
