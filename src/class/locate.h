/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the boxes that hold a point, however many there are and however they overlap.
 *
 * A tree of boxes: each node has a box around those below it, and the boxes of a node are parted at
 * the middle of the column in which their centres spread most. Whole branches are passed over that
 * do not hold the point, or that have nothing better than what was found.
 *
 * Cost: n log n for making it, 8 bytes per box and column for nodes; of disjoint boxes about log n
 * for each point.
 */
#ifndef BT_LOCATE_H
#define BT_LOCATE_H

#include "class/grouping.h"

typedef struct bt_locator bt_locator;

enum { BT_NOWHERE = UINT32_MAX };

/* `boxes`: count * columns, box by box; borrowed. */
BT_MUST_USE bauta_status bt_locator_make(const bt_box *boxes, uint32_t count, size_t columns,
                                         bt_locator **out, bauta_error *error);
void bt_locator_free(bt_locator *locator);

/* The first box, by its number, that holds the point and that `accepts` (NULL: any) does not
 * refuse; BT_NOWHERE: none. */
uint32_t bt_locate(const bt_locator *locator, const uint32_t *point,
                   bool (*accepts)(const void *user, uint32_t box), const void *user);

#endif
