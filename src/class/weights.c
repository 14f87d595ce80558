/* SPDX-License-Identifier: Apache-2.0
 *
 * From the weights of a manifest to the target, and back. The parent of a node that has a weight
 * is the lowest node above it that has one.
 *
 * Cost: nodes times the depth of the tree, and sorting the nodes.
 */
#include "class/weights.h"

#include <string.h>

void bt_target_weights(const bt_target *target, const bt_hierarchy *hierarchy, uint64_t *weights)
{
    memset(weights, 0, hierarchy->count * sizeof *weights);
    for (uint32_t i = 0; i < target->count; i++)
        weights[target->nodes[i].origin] = target->nodes[i].weight;
}

static bauta_status not_a_target(bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID,
                   "the weights of a target do not fit the hierarchy of its column");
}

typedef struct used { /* a node of the hierarchy that has a weight */
    uint32_t node, parent, low;
} used;

typedef struct weighing {
    const bt_hierarchy *hierarchy;
    const uint64_t *weights;
    used *nodes; /* by parent, then in code order */
    uint32_t count;
    uint32_t *order;    /* those nodes breadth-first */
    uint32_t *children; /* parallel to order */
    uint64_t *weight;   /* parallel to order */
    bool *present;      /* per code */
} weighing;

static int compare_used(const void *left, const void *right)
{
    const used *a = left, *b = right;
    if (a->parent != b->parent) return a->parent < b->parent ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
}

/* The root of the target is its own parent. */
static uint32_t parent_of(const weighing *r, uint32_t node)
{
    const bt_node *nodes = r->hierarchy->nodes;
    for (uint32_t at = node; at != 0;) {
        at = nodes[at].parent;
        if (r->weights[at] > 0) return at;
    }
    return node;
}

static void list_used(weighing *r)
{
    const bt_hierarchy *hierarchy = r->hierarchy;
    for (uint32_t node = 0; node < hierarchy->count; node++)
        if (r->weights[node] > 0)
            r->nodes[r->count++] = (used){node, parent_of(r, node), hierarchy->nodes[node].lo};
    qsort(r->nodes, r->count, sizeof *r->nodes, compare_used);
    for (uint32_t code = 0; code < hierarchy->leaves; code++)
        r->present[code] = r->weights[hierarchy->leaf_node[code]] > 0;
}

/* The first of the nodes with this parent, or one behind the last before. */
static uint32_t first_child(const weighing *r, uint32_t parent)
{
    uint32_t lo = 0, hi = r->count;
    while (lo < hi) {
        uint32_t middle = lo + (hi - lo) / 2;
        if (r->nodes[middle].parent < parent)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

/* Puts the nodes into the order of a target; false: there is not one root. */
static bool walk(weighing *r)
{
    uint32_t tail = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->nodes[i].parent == r->nodes[i].node) r->order[tail++] = r->nodes[i].node;
    if (tail != 1) return false;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t node = r->order[head];
        r->weight[head] = r->weights[node];
        for (uint32_t i = first_child(r, node); i < r->count && r->nodes[i].parent == node; i++) {
            if (r->nodes[i].node == node) continue;
            r->order[tail++] = r->nodes[i].node;
            r->children[head]++;
        }
    }
    return tail == r->count;
}

/* Every node is the lowest one that has its values. */
static bool fits(const weighing *r, const bt_target *target)
{
    const bt_hierarchy *hierarchy = r->hierarchy;
    for (uint32_t i = 0; i < target->count; i++) {
        const bt_target_node *node = &target->nodes[i];
        if (bt_hierarchy_cover(hierarchy, node->low, node->high) != r->order[i]) return false;
    }
    return true;
}

bauta_status bt_weighted_make(const bt_hierarchy *hierarchy, const int64_t *numbers,
                              const uint64_t *weights, size_t count, bt_arena *arena,
                              bt_weighted *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t room = hierarchy->count;
    weighing r = {.hierarchy = hierarchy,
                  .weights = weights,
                  .nodes = bt_arena_array(&scratch, room, sizeof *r.nodes),
                  .order = bt_arena_array(&scratch, room, sizeof *r.order),
                  .children = bt_arena_array(&scratch, room, sizeof *r.children),
                  .weight = bt_arena_array(&scratch, room, sizeof *r.weight),
                  .present = bt_arena_array(&scratch, hierarchy->leaves, sizeof *r.present)};
    *out = (bt_weighted){.node_of = bt_arena_array(arena, room, sizeof *out->node_of)};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(arena, error));
    if (count != hierarchy->count) return not_a_target(error);
    list_used(&r);
    if (r.count == 0 || !walk(&r)) return not_a_target(error);
    const bt_target_shape shape = {.count = r.count,
                                   .children = r.children,
                                   .weights = r.weight,
                                   .codes = hierarchy->leaves,
                                   .present = r.present,
                                   .numbers = numbers};
    BT_TRY(bt_target_restore(&shape, arena, &out->target, error));
    if (!fits(&r, &out->target)) return not_a_target(error);
    for (uint32_t node = 0; node < hierarchy->count; node++)
        out->node_of[node] = BT_NO_NODE;
    for (uint32_t i = 0; i < r.count; i++) {
        out->node_of[r.order[i]] = i;
        out->target.nodes[i].origin = r.order[i];
    }
    return BAUTA_OK;
}

bauta_status bt_leaf_numbers(const bt_hierarchy *hierarchy, bt_type type, int scale,
                             bt_arena *arena, int64_t **out, bauta_error *error)
{
    const bt_reading reading = {.type = type, .date_form = BT_FORM_YMD};
    *out = NULL;
    if (type == BT_TEXT) return BAUTA_OK;
    int64_t *numbers = bt_arena_array(arena, hierarchy->leaves, sizeof *numbers);
    if (!numbers) return bt_fail_memory(error);
    for (uint32_t code = 0; code < hierarchy->leaves; code++) {
        const char *name = hierarchy->nodes[hierarchy->leaf_node[code]].name;
        if (!bt_value_number(&reading, name, strlen(name), scale, &numbers[code]))
            return bt_fail(error, BAUTA_INVALID, "a value that the manifest lists is not a %s",
                           bt_type_name(type));
    }
    *out = numbers;
    return BAUTA_OK;
}
