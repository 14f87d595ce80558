/* SPDX-License-Identifier: Apache-2.0
 *
 * NCP of one cell: 0 for an original value; with a hierarchy the leaves of the covering node
 * over all leaves; for numbers (hi - lo) / (max - min); for sets (members - 1) / (values - 1);
 * 1 for "*", which is also the cell of a class that mixes missing and present values, and that of a
 * set with more members than are published.
 */
#include "class/loss.h"

#include "recipe/cell.h"
#include "recipe/cuts.h"

static uint32_t fraction(uint64_t top, uint64_t bottom)
{
    if (bottom == 0) return 0;
    return (uint32_t)((unsigned __int128)top * BT_LOSS_ONE / bottom);
}

uint32_t bt_node_loss(const bt_hierarchy *hierarchy, uint32_t node)
{
    const bt_node *covering = &hierarchy->nodes[node];
    if (node == 0) return BT_LOSS_ONE;
    return covering->level == 0 ? 0 : fraction(covering->hi - covering->lo, hierarchy->leaves);
}

/* A grid may reach further than the values do: such a cell loses everything. */
static uint32_t grid_loss(const bt_column *column, uint32_t lo, uint32_t hi)
{
    const bt_domain *domain = &column->domain;
    int64_t least, greatest;
    bt_cuts_range(column, lo, hi, &least, &greatest);
    uint64_t part = (uint64_t)greatest - (uint64_t)least;
    uint64_t whole =
        (uint64_t)domain->number[bt_domain_present(domain) - 1] - (uint64_t)domain->number[0];
    if (part == 0) return 0;
    return part < whole ? fraction(part, whole) : BT_LOSS_ONE;
}

uint32_t bt_loss(const bt_column *column, uint32_t lo, uint32_t hi, uint32_t distinct)
{
    const bt_domain *domain = &column->domain;
    uint32_t present = bt_domain_present(domain);
    if (column->cuts && hi < present) return grid_loss(column, lo, hi);
    if (lo == hi) return 0;
    if (hi >= present) return BT_LOSS_ONE;
    if (column->hierarchy)
        return bt_node_loss(column->hierarchy, bt_hierarchy_cover(column->hierarchy, lo, hi));
    if (domain->reading.type == BT_TEXT)
        return distinct > BT_SET_MOST ? BT_LOSS_ONE : fraction(distinct - 1, present - 1);
    const int64_t *number = domain->number;
    return fraction((uint64_t)number[hi] - (uint64_t)number[lo],
                    (uint64_t)number[present - 1] - (uint64_t)number[0]);
}
