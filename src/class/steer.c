/* SPDX-License-Identifier: Apache-2.0
 *
 * What steers the loss of quasi columns.
 */
#include "class/steer.h"

#include "class/loss.h"
#include "recipe/cuts.h"

uint32_t bt_lowest_level(const bt_column *column)
{
    return column->hierarchy ? column->steering.lowest : 0;
}

uint32_t bt_highest_level(const bt_column *column)
{
    uint32_t root = column->hierarchy ? column->hierarchy->levels - 1 : 1;
    uint32_t above = column->steering.above;
    return above > 0 && above <= root ? above - 1 : root;
}

bool bt_is_limited(const bt_column *column)
{
    return column->hierarchy && bt_highest_level(column) + 1 < column->hierarchy->levels;
}

uint32_t bt_node_at(const bt_column *column, uint32_t code, uint32_t level)
{
    const bt_node *nodes = column->hierarchy->nodes;
    uint32_t at = bt_hierarchy_at(column->hierarchy, code, level);
    if (!column->steering.lowest_of) return at;
    uint32_t lowest = column->steering.lowest_of[code];
    return nodes[lowest].level > nodes[at].level ? lowest : at;
}

uint32_t bt_lowest_node(const bt_column *column, uint32_t code)
{
    return bt_node_at(column, code, bt_lowest_level(column));
}

uint32_t bt_highest_node(const bt_column *column, uint32_t code)
{
    return bt_hierarchy_at(column->hierarchy, code, bt_highest_level(column));
}

/* ---- ragged trees ------------------------------------------------------------------------ */

static bauta_status refuse_level(const bt_column *column, const char *what, uint32_t values,
                                 const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "'min-level' cannot be kept: %u value%s no node at level %u %s",
        values, values == 1 ? " has" : "s have", column->steering.lowest, what);
    bt_error_place(error, NULL, -1, column->name);
    bt_error_hint(error, "%s", hint);
    return status;
}

bauta_status bt_steer_ragged(bt_column *column, bt_arena *arena, bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    uint32_t present = bt_domain_present(&column->domain), level = column->steering.lowest;
    uint32_t ragged = 0, under_top = 0, above = 0;
    uint32_t *lowest = bt_arena_array(arena, column->domain.size, sizeof *lowest);
    BT_OWN(bt_free)
    uint32_t *of_node = bt_array(tree->count, sizeof *of_node); /* UINT32_MAX: none */
    if (!lowest || !of_node) return bt_fail_memory(error);
    for (uint32_t node = 0; node < tree->count; node++)
        of_node[node] = UINT32_MAX;
    for (uint32_t code = 0; code < present; code++) {
        uint32_t node = tree->leaf_node[code];
        while (tree->nodes[node].level < level)
            node = tree->nodes[node].parent;
        ragged += tree->nodes[node].level > level;
        under_top += node == 0;
        of_node[node] = node;
    }
    /* What is under a lowest cell has no lower one; parents stand before their children. */
    for (uint32_t node = 1; node < tree->count; node++) {
        uint32_t parent = tree->nodes[node].parent;
        if (of_node[parent] != UINT32_MAX) of_node[node] = of_node[parent];
    }
    for (uint32_t code = 0; code < column->domain.size; code++) {
        uint32_t leaf = tree->leaf_node[code];
        lowest[code] = of_node[leaf] == UINT32_MAX ? leaf : of_node[leaf];
        above += tree->nodes[lowest[code]].level > bt_highest_level(column);
    }
    if (ragged > 0) column->steering.lowest_of = lowest;
    if (level + 1 < tree->levels && under_top > 0)
        return refuse_level(column, "or above, but '*'", under_top,
                            "give these values a node below '*' in the hierarchy, or leave "
                            "'min-level' out",
                            error);
    if (above > 0)
        return refuse_level(column, "and those above are above 'max-level'", ragged,
                            "give these values a node at that level in the hierarchy, or a higher "
                            "'max-level'",
                            error);
    return BAUTA_OK;
}

uint32_t bt_cover_node(const bt_column *column, uint32_t lo, uint32_t hi)
{
    uint32_t cover = bt_hierarchy_cover(column->hierarchy, lo, hi);
    if (bt_lowest_level(column) == 0) return cover;
    uint32_t lowest = bt_lowest_node(column, lo);
    const bt_node *nodes = column->hierarchy->nodes;
    return nodes[lowest].level > nodes[cover].level ? lowest : cover;
}

uint32_t bt_cell_loss(const bt_column *column, uint32_t lo, uint32_t hi, uint32_t distinct)
{
    if (bt_lowest_level(column) == 0) return bt_weighed(column, bt_loss(column, lo, hi, distinct));
    return bt_weighed(column, bt_node_loss(column->hierarchy, bt_cover_node(column, lo, hi)));
}

/* ---- codes that are never told apart ----------------------------------------------------- */

#define RAISE(type)                                                                                \
    do {                                                                                           \
        type *raised = codes;                                                                      \
        for (int64_t i = 0; i < rows; i++)                                                         \
            raised[i] = (type)first[raised[i]];                                                    \
    } while (0)

/* The first code that is never told from this one. */
static uint32_t first_alike(const bt_column *column, uint32_t code)
{
    uint32_t last = code;
    if (column->hierarchy) return column->hierarchy->nodes[bt_lowest_node(column, code)].lo;
    if (code < bt_domain_present(&column->domain)) bt_cuts_widen(column, &code, &last);
    return code;
}

bauta_status bt_raise_codes(const bt_column *column, void *codes, int64_t rows, bauta_error *error)
{
    if (bt_lowest_level(column) == 0 && !column->cuts) return BAUTA_OK;
    BT_OWN(bt_free) uint32_t *first = bt_array(column->domain.size, sizeof *first);
    if (!first) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->domain.size; code++)
        first[code] = first_alike(column, code);
    switch (column->width) {
    case 1: RAISE(uint8_t); break;
    case 2: RAISE(uint16_t); break;
    default: RAISE(uint32_t); break;
    }
    return BAUTA_OK;
}

void bt_grouping_tighten(bt_grouping *grouping, const bt_column *const *quasi)
{
    for (size_t c = 0; c < grouping->columns; c++) {
        if (bt_lowest_level(quasi[c]) == 0) continue;
        for (uint32_t i = 0; i < grouping->classes; i++)
            grouping->boxes[(size_t)i * grouping->columns + c] =
                bt_tight_box(grouping, quasi[c], i);
    }
}

bauta_status bt_grouping_floors(bt_grouping *grouping, const bt_column *const *quasi,
                                bauta_error *error)
{
    bool any = false;
    for (size_t c = 0; c < grouping->columns; c++)
        any = any || bt_lowest_level(quasi[c]) > 0;
    if (!any) return BAUTA_OK;
    grouping->floors = bt_array(grouping->columns, sizeof *grouping->floors);
    if (!grouping->floors) return bt_fail_memory(error);
    for (size_t c = 0; c < grouping->columns; c++)
        grouping->floors[c] = bt_lowest_level(quasi[c]);
    return BAUTA_OK;
}
