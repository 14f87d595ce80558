/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels that end at values of the data, as those of `balanced` do, are narrowed to values that
 * published rows have: to those of the rows whose cell is the node or one below it. What a label
 * ends at is then never a value that only a dropped record has, or one whose own cell hides it.
 *
 * Cost: linear in rows and nodes.
 */
#include "publish/cells.h"

#include "recipe/hierarchy.h"

typedef struct span { /* codes; lo > hi: none */
    uint32_t lo, hi;
} span;

typedef struct narrowing { /* of one column */
    const bt_column *column;
    bt_hierarchy *tree;
    bool *shown;
    span *spans;
    uint32_t *levels;
    const char **names;
} narrowing;

static void take_class(const bt_grouping *grouping, size_t place, uint32_t class_number,
                       narrowing *n)
{
    const uint32_t *rows = grouping->order + grouping->starts[class_number];
    uint32_t node = bt_published_node(grouping, n->column, place, class_number);
    span *at = &n->spans[node];
    n->shown[node] = true;
    for (int64_t i = 0; node > 0 && i < bt_class_size(grouping, class_number); i++) {
        uint32_t code = bt_column_code(n->column, rows[i]);
        if (code < at->lo) at->lo = code;
        if (code > at->hi) at->hi = code;
    }
}

static bauta_status name_nodes(narrowing *n, bt_arena *arena, bauta_error *error)
{
    const bt_hierarchy *tree = n->tree;
    const char *const *text = n->column->domain.text;
    for (uint32_t i = tree->count; i-- > 1;) { /* children before their parents */
        span own = n->spans[i], *above = &n->spans[tree->nodes[i].parent];
        if (own.lo < above->lo) above->lo = own.lo;
        if (own.hi > above->hi && own.lo <= own.hi) above->hi = own.hi;
        if (!n->shown[i] || tree->nodes[i].children == 0) continue;
        n->names[i] = bt_range_label(text[own.lo], text[own.hi], arena);
        if (!n->names[i]) return bt_fail_memory(error);
    }
    bt_hierarchy_levels(tree, n->shown, n->levels);
    return bt_hierarchy_relabel(n->tree, n->names, n->levels, arena, error);
}

static bauta_status narrow_column(const bt_grouping *grouping, const bt_column *column,
                                  size_t place, bt_arena *arena, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_hierarchy *tree = (bt_hierarchy *)(uintptr_t)column->hierarchy; /* only its labels change */
    narrowing n = {.column = column,
                   .tree = tree,
                   .shown = bt_arena_array(&scratch, tree->count, sizeof *n.shown),
                   .spans = bt_arena_array(&scratch, tree->count, sizeof *n.spans),
                   .levels = bt_arena_array(&scratch, tree->count, sizeof *n.levels),
                   .names = bt_arena_array(&scratch, tree->count, sizeof *n.names)};
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t i = 0; i < tree->count; i++)
        n.spans[i] = (span){UINT32_MAX, 0};
    for (uint32_t c = 0; c < grouping->classes; c++)
        take_class(grouping, place, c, &n);
    return name_nodes(&n, arena, error);
}

bauta_status bt_cells_narrow(const bt_grouping *grouping, const bt_column *const *quasi,
                             bt_arena *arena, bauta_error *error)
{
    for (size_t c = 0; c < grouping->columns; c++)
        if (quasi[c]->hierarchy && bt_spec_shows_values(quasi[c]->hierarchy->spec))
            BT_TRY(narrow_column(grouping, quasi[c], c, arena, error));
    return BAUTA_OK;
}
