/* SPDX-License-Identifier: Apache-2.0
 *
 * The space of the methods `cluster` and `least`: coordinates, distances, extents, and the boxes of
 * the classes that come of it.
 */
#include "group/cluster.h"

#include "base/sort.h"
#include "recipe/cell.h"

static bt_cluster_axis_kind kind_of(const bt_column *column)
{
    if (column->hierarchy) return BT_AXIS_TREE;
    return column->domain.reading.type == BT_TEXT ? BT_AXIS_SET : BT_AXIS_NUMBER;
}

static uint32_t place_of(const bt_cluster_axis *axis, uint32_t code)
{
    const bt_column *column = axis->column;
    if (axis->kind == BT_AXIS_TREE)
        return column->hierarchy->nodes[bt_lowest_node(column, code)].lo;
    if (axis->kind == BT_AXIS_SET) return code;
    if (code >= axis->present) return BT_NOWHERE;
    return bt_weighed(column, bt_loss(column, 0, code, 0));
}

static bauta_status make_axis(const bt_column *column, size_t *sets, bt_cluster_axis *out,
                              bauta_error *error)
{
    *out = (bt_cluster_axis){.kind = kind_of(column),
                             .column = column,
                             .all = bt_weighed(column, BT_LOSS_ONE),
                             .present = bt_domain_present(&column->domain)};
    if (out->kind == BT_AXIS_SET) out->set = (*sets)++;
    out->place = bt_array(column->domain.size, sizeof *out->place);
    if (!out->place) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->domain.size; code++)
        out->place[code] = place_of(out, code);
    return BAUTA_OK;
}

bauta_status bt_cluster_space_make(const bt_table *table, bt_cluster_space *out, bauta_error *error)
{
    *out = (bt_cluster_space){0};
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &out->quasi, &out->axes, error));
    out->axis = bt_array_zero(out->axes, sizeof *out->axis);
    if (!out->axis) return bt_fail_memory(error);
    for (size_t c = 0; c < out->axes; c++)
        BT_TRY(make_axis(out->quasi[c], &out->sets, &out->axis[c], error));
    return BAUTA_OK;
}

void bt_cluster_space_release(bt_cluster_space *space)
{
    for (size_t c = 0; space->axis && c < space->axes; c++)
        free(space->axis[c].place);
    free(space->axis);
    free(space->quasi);
    *space = (bt_cluster_space){0};
}

uint32_t bt_cluster_node_loss(const bt_cluster_axis *axis, uint32_t node)
{
    return bt_weighed(axis->column, bt_node_loss(axis->column->hierarchy, node));
}

uint32_t bt_cluster_members_loss(const bt_cluster_axis *axis, uint32_t members, bool missing)
{
    if (members <= 1) return 0;
    if (missing || members > BT_SET_MOST) return axis->all;
    uint64_t loss = (uint64_t)(members - 1) * BT_LOSS_ONE / (axis->present - 1);
    return bt_weighed(axis->column, (uint32_t)loss);
}

uint32_t bt_cluster_node_over(const bt_cluster_axis *axis, uint32_t node, uint32_t code)
{
    const bt_node *nodes = axis->column->hierarchy->nodes;
    while (code < nodes[node].lo || code >= nodes[node].hi)
        node = nodes[node].parent;
    return node;
}

uint32_t bt_cluster_node_with(const bt_cluster_axis *axis, uint32_t node, uint32_t other)
{
    const bt_node *nodes = axis->column->hierarchy->nodes;
    while (nodes[other].lo < nodes[node].lo || nodes[other].hi > nodes[node].hi)
        node = nodes[node].parent;
    return node;
}

static uint32_t axis_distance(const bt_cluster_axis *axis, uint32_t a, uint32_t b)
{
    if (a == b) return 0;
    switch (axis->kind) {
    case BT_AXIS_NUMBER:
        return bt_cluster_number_loss(axis, a < b ? (bt_box){a, b} : (bt_box){b, a});
    case BT_AXIS_TREE: return bt_cell_loss(axis->column, a < b ? a : b, a < b ? b : a, 0);
    default: return bt_cluster_members_loss(axis, 2, a >= axis->present || b >= axis->present);
    }
}

uint64_t bt_cluster_distance(const bt_cluster_space *space, const uint32_t *a, const uint32_t *b)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < space->axes; c++)
        sum += axis_distance(&space->axis[c], a[c], b[c]);
    return sum;
}

void bt_cluster_extent(const bt_cluster_space *space, const uint32_t *point, bt_box *extent)
{
    for (size_t c = 0; c < space->axes; c++) {
        const bt_cluster_axis *axis = &space->axis[c];
        extent[c] = (bt_box){point[c], point[c]};
        if (axis->kind == BT_AXIS_TREE) extent[c].lo = bt_lowest_node(axis->column, point[c]);
    }
}

/* ---- the classes ---- */

enum { CLASSES_AT_ONCE = 256 };

typedef struct boxer {
    const bt_cluster_space *space;
    bt_grouping *grouping;
} boxer;

static bauta_status box_some(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    (void)error;
    const boxer *b = user;
    bt_grouping *grouping = b->grouping;
    size_t from = task * CLASSES_AT_ONCE, to = from + CLASSES_AT_ONCE;
    if (to > grouping->classes) to = grouping->classes;
    for (size_t i = from; i < to; i++) {
        qsort(grouping->order + grouping->starts[i], (size_t)bt_class_size(grouping, (uint32_t)i),
              sizeof *grouping->order, bt_compare_uint32);
        for (size_t c = 0; c < grouping->columns; c++)
            grouping->boxes[i * grouping->columns + c] =
                bt_tight_box(grouping, b->space->quasi[c], (uint32_t)i);
    }
    return BAUTA_OK;
}

bauta_status bt_cluster_boxes(const bt_cluster_space *space, const bt_run *run,
                              bt_grouping *grouping, bauta_error *error)
{
    boxer b = {space, grouping};
    size_t tasks = ((size_t)grouping->classes + CLASSES_AT_ONCE - 1) / CLASSES_AT_ONCE;
    return bt_pool_run(run->pool, tasks, box_some, &b, error);
}
