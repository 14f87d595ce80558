/* SPDX-License-Identifier: Apache-2.0
 *
 * Scoring a grouping from its boxes.
 */
#include "class/score.h"

#include "base/bitset.h"
#include "class/loss.h"
#include "class/steer.h"

/* How many codes of a text column occur in a class. `seen` is all zero before and after. */
static uint32_t count_distinct(const bt_grouping *grouping, const bt_column *column,
                               uint32_t class_number, bt_box box, uint64_t *seen)
{
    const uint32_t *rows = grouping->order + grouping->starts[class_number];
    int64_t size = bt_class_size(grouping, class_number);
    uint32_t distinct = 0;
    if (box.hi - box.lo <= 1) return box.hi - box.lo + 1;
    for (int64_t i = 0; i < size; i++) {
        uint32_t code = bt_column_code(column, rows[i]);
        distinct += !bt_bitset_has(seen, code);
        bt_bitset_add(seen, code);
    }
    for (int64_t i = 0; i < size; i++)
        seen[bt_column_code(column, rows[i]) / 64] = 0;
    return distinct;
}

static uint32_t loss_of(const bt_grouping *grouping, const bt_column *column, size_t place,
                        uint32_t class_number, uint32_t distinct)
{
    bt_box box = bt_published_box(grouping, column, place, class_number);
    if (!column->hierarchy) return bt_loss(column, box.lo, box.hi, distinct);
    return bt_node_loss(column->hierarchy,
                        bt_published_node(grouping, column, place, class_number));
}

/* Height of a class's cell, and of the root: a column without a hierarchy is a flat tree. */
static uint32_t height_of(const bt_grouping *grouping, const bt_column *column, size_t place,
                          uint32_t class_number)
{
    bt_box box = bt_published_box(grouping, column, place, class_number);
    if (column->cuts) return loss_of(grouping, column, place, class_number, 0) > 0;
    if (!column->hierarchy) return box.lo != box.hi;
    return column->hierarchy->nodes[bt_published_node(grouping, column, place, class_number)].level;
}

static uint32_t root_height(const bt_column *column)
{
    return column->hierarchy ? column->hierarchy->levels - 1 : 1;
}

typedef struct sums {
    unsigned __int128 loss, weighed, height;
} sums;

static uint32_t cell_loss(const bt_grouping *grouping, const bt_column *const *quasi, size_t c,
                          uint32_t number, uint64_t *seen)
{
    bt_box box = bt_class_box(grouping, number)[c];
    bool set = !quasi[c]->hierarchy && quasi[c]->domain.reading.type == BT_TEXT;
    uint32_t distinct = set ? count_distinct(grouping, quasi[c], number, box, seen) : 0;
    return loss_of(grouping, quasi[c], c, number, distinct);
}

uint64_t bt_class_loss(const bt_grouping *grouping, const bt_column *const *quasi,
                       uint32_t class_number, uint64_t *seen)
{
    uint64_t loss = 0;
    for (size_t c = 0; c < grouping->columns; c++)
        loss += cell_loss(grouping, quasi, c, class_number, seen);
    return loss;
}

static void add_class(const bt_grouping *grouping, const bt_column *const *quasi, uint32_t number,
                      uint64_t *seen, sums *total)
{
    uint64_t size = (uint64_t)bt_class_size(grouping, number);
    for (size_t c = 0; c < grouping->columns; c++) {
        uint32_t loss = cell_loss(grouping, quasi, c, number, seen);
        total->loss += size * loss;
        total->weighed += size * bt_weighed(quasi[c], loss);
        total->height += size * height_of(grouping, quasi[c], c, number);
    }
}

bauta_status bt_grouping_score(const bt_grouping *grouping, const bt_column *const *quasi,
                               int64_t records, bt_score *out, bauta_error *error)
{
    uint32_t largest = 1;
    uint64_t heights = 0, weights = 0, dropped = (uint64_t)(records - grouping->kept);
    for (size_t c = 0; c < grouping->columns; c++) {
        if (quasi[c]->domain.size > largest) largest = quasi[c]->domain.size;
        heights += root_height(quasi[c]);
        weights += bt_weighed(quasi[c], BT_LOSS_ONE);
    }
    uint64_t *seen = bt_array_zero(bt_bitset_words(largest), sizeof *seen);
    if (!seen) return bt_fail_memory(error);
    sums total = {.loss = (unsigned __int128)dropped * grouping->columns * BT_LOSS_ONE,
                  .weighed = (unsigned __int128)dropped * weights,
                  .height = (unsigned __int128)dropped * heights};
    unsigned __int128 squares = (unsigned __int128)dropped * (uint64_t)records;
    for (uint32_t i = 0; i < grouping->classes; i++) {
        uint64_t size = (uint64_t)bt_class_size(grouping, i);
        squares += (unsigned __int128)size * size;
        add_class(grouping, quasi, i, seen, &total);
    }
    free(seen);
    double cells = (double)records * (double)grouping->columns;
    out->ncp = (double)total.loss / BT_LOSS_ONE / cells;
    out->weighted_ncp = (double)total.weighed / ((double)records * (double)weights);
    out->discernibility = squares > INT64_MAX ? INT64_MAX : (int64_t)squares;
    out->mean_class = (double)grouping->kept / grouping->classes;
    out->distortion_ratio = (double)total.height / ((double)records * (double)heights);
    return BAUTA_OK;
}
