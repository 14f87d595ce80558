/* SPDX-License-Identifier: Apache-2.0
 *
 * The boxes of classes, and finding those that contain a point. Only src/audit and
 * src/attack may include this.
 *
 * A box has one side per quasi column: an interval of positions, or some of the positions in
 * it. Boxes may overlap. They are kept in a tree of cuts: those before the cut, behind it, and
 * across it; a point goes to one side and to those across. What no cut separates well is
 * filtered by sets of boxes, one for each stretch of positions of each column.
 *
 * Cost: building about C log C columns; a point that lies in few boxes of a disjoint
 * partition takes log C steps, in the worst case C/64 words per column.
 */
#ifndef BT_BOXES_H
#define BT_BOXES_H

#include "base/memory.h"

typedef struct bt_side {
    uint32_t from, to;       /* positions from..to-1; empty when from == to */
    const uint32_t *members; /* ascending; NULL: all in between */
    uint32_t count;
} bt_side;

typedef struct bt_boxes bt_boxes;

/* The box of class c has in column j the side sides[j][place[j][c]]; both are borrowed.
 * positions[j]: all positions of column j are below. */
BT_MUST_USE bauta_status bt_boxes_new(const bt_side *const *sides, uint32_t *const *place,
                                      const uint32_t *positions, size_t columns, uint32_t classes,
                                      bt_boxes **out, bauta_error *error);
void bt_boxes_free(bt_boxes *boxes);

/* Calls `found` for every class whose box contains the point, in an order that depends on the
 * boxes alone. Several threads may ask at once. */
typedef bauta_status (*bt_box_found)(void *user, uint32_t class_number, bauta_error *error);
BT_MUST_USE bauta_status bt_boxes_at(const bt_boxes *boxes, const uint32_t *point,
                                     bt_box_found found, void *user, bauta_error *error);

#endif
