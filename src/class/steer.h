/* SPDX-License-Identifier: Apache-2.0
 *
 * How the recipe steers what quasi columns lose: `weight`, `min-level` and `max-level`. Every
 * method asks here, so that they mean the same to all.
 *
 *   weight     choices between columns weigh losses: bt_weighed. Weights say nothing about NCP
 *              itself, which is what it is.
 *   min-level  the cell of a value is bt_lowest_node or above. So values below one such node are
 *              never told apart: a method may work on codes that bt_raise_codes has made equal,
 *              and publishes bt_cover_node, or sets grouping->floors to bt_lowest_level.
 *   max-level  the cell of a value is bt_highest_node or below. So no class holds values of two
 *              such nodes: a method that divides begins with the parts of group/method.h; one
 *              that chooses levels chooses none above bt_highest_level.
 *
 * Trees may be ragged (`balanced` ones are): the node of a value at a level is the highest one on
 * its path with at most that level. Where a path has no node at min-level, the next one above it is
 * the lowest cell of all values under it: were it that of this value alone, it would tell the
 * value. Only the missing value, which hangs directly under "*", is shown as it is.
 */
#ifndef BT_STEER_H
#define BT_STEER_H

#include "class/grouping.h"
#include "recipe/hierarchy.h"

/* Levels of the cells that a column may have; without a hierarchy 0, a value, and 1. */
uint32_t bt_lowest_level(const bt_column *column);
uint32_t bt_highest_level(const bt_column *column);

/* Whether max-level says anything: not every cell may be "*". */
bool bt_is_limited(const bt_column *column);

/* The cell of `code` at a level, within min-level, of a column with a hierarchy. */
uint32_t bt_node_at(const bt_column *column, uint32_t code, uint32_t level);

/* Finds the lowest cells of a ragged tree (steering.lowest_of). BAUTA_INVALID when values would
 * only have "*" left, or cells above max-level. */
BT_MUST_USE bauta_status bt_steer_ragged(bt_column *column, bt_arena *arena, bauta_error *error);

/* The lowest and the highest node that cells of `code` may have. */
uint32_t bt_lowest_node(const bt_column *column, uint32_t code);
uint32_t bt_highest_node(const bt_column *column, uint32_t code);

/* The lowest node that covers codes lo..hi and is not below min-level. */
uint32_t bt_cover_node(const bt_column *column, uint32_t lo, uint32_t hi);

/* What a loss in a column counts for in a choice between columns. */
static inline uint32_t bt_weighed(const bt_column *column, uint32_t loss)
{
    const bt_rational *weight = &column->steering.weight;
    if (weight->top == weight->bottom) return loss;
    return (uint32_t)((unsigned __int128)loss * (uint64_t)weight->top / (uint64_t)weight->bottom);
}

/* bt_loss of the cell that codes lo..hi get, weighed. */
uint32_t bt_cell_loss(const bt_column *column, uint32_t lo, uint32_t hi, uint32_t distinct);

/* Replaces each of `rows` codes by the first code of its lowest node, or of its cell of the grid
 * where the column has cut points. `codes` have the column's
 * width. */
BT_MUST_USE bauta_status bt_raise_codes(const bt_column *column, void *codes, int64_t rows,
                                        bauta_error *error);

/* Recomputes the boxes of columns whose codes were raised from the codes of the table. */
void bt_grouping_tighten(bt_grouping *grouping, const bt_column *const *quasi);

/* Sets grouping->floors to min-level where a column has one. */
BT_MUST_USE bauta_status bt_grouping_floors(bt_grouping *grouping, const bt_column *const *quasi,
                                            bauta_error *error);

#endif
