/* SPDX-License-Identifier: Apache-2.0
 *
 * The loss of a class from its boxes.
 */
#include "class/class_loss.h"

#include "base/bitset.h"
#include "class/loss.h"

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
