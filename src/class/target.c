/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of a target: made from a hierarchy and weights, restored from a manifest, asked.
 * Everything goes over the nodes in the order of the array, so depth costs no stack.
 */
#include "class/target.h"

#include "base/natural.h"

#include <string.h>

#define WEIGHT_LIMIT (UINT64_C(1) << 62)

/* ---- weights ---- */

uint64_t bt_target_reduce(bt_target *target, uint32_t node)
{
    bt_target_node *above = &target->nodes[node], *child = target->nodes + above->first;
    uint64_t divisor = 0;
    for (uint32_t i = 0; i < above->children; i++)
        divisor = bt_common_divisor(child[i].weight, divisor);
    above->sum = 0;
    if (divisor == 0) return 1; /* no children */
    for (uint32_t i = 0; i < above->children; i++)
        above->sum += child[i].weight /= divisor;
    return divisor;
}

/* ---- what follows from the children ---- */

static void finish_leaf(bt_target *target, uint32_t node, uint32_t code, const int64_t *numbers)
{
    bt_target_node *leaf = &target->nodes[node];
    leaf->low = leaf->high = code;
    leaf->values = 1;
    leaf->least = leaf->greatest = numbers ? numbers[code] : 0;
    target->leaf_of[code] = node;
    target->leaves++;
}

static void finish_inner(bt_target *target, uint32_t node)
{
    bt_target_node *above = &target->nodes[node];
    const bt_target_node *child = target->nodes + above->first, *last = child + above->children - 1;
    above->low = child->low;
    above->high = last->high;
    above->values = 0;
    for (const bt_target_node *next = child; next <= last; next++)
        above->values += next->values;
    above->least = child->least; /* numbers are in the order of codes */
    above->greatest = last->greatest;
    above->range = target->numbers ? (uint64_t)above->greatest - (uint64_t)above->least
                                   : (uint64_t)above->values - 1;
}

static bauta_status finish_depth(bt_target *target, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    uint32_t *depth_of = bt_arena_array(&scratch, target->count, sizeof *depth_of);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t node = 1; node < target->count; node++) {
        depth_of[node] = depth_of[target->nodes[node].parent] + 1;
        if (depth_of[node] > target->depth) target->depth = depth_of[node];
    }
    return BAUTA_OK;
}

/* ---- from a hierarchy ---- */

typedef struct making {
    const bt_hierarchy *tree;
    const uint64_t *up_to;   /* per code: the weights before it */
    const uint32_t *present; /* per code: how many before it have a weight */
    bt_target *target;
} making;

static uint32_t present_in(const making *m, uint32_t node)
{
    const bt_node *nodes = m->tree->nodes;
    return m->present[nodes[node].hi] - m->present[nodes[node].lo];
}

/* The lowest node with the same values that have a weight. */
static uint32_t lowest_alike(const making *m, uint32_t node)
{
    for (;;) {
        const bt_node *here = &m->tree->nodes[node];
        uint32_t child = here->first, after = here->first + here->children;
        while (child < after && present_in(m, child) == 0)
            child++;
        if (child == after || present_in(m, child) < present_in(m, node)) return node;
        node = child;
    }
}

static void append(making *m, uint32_t parent, uint32_t node)
{
    const bt_node *from = &m->tree->nodes[node];
    m->target->nodes[m->target->count++] =
        (bt_target_node){.parent = parent,
                         .origin = lowest_alike(m, node),
                         .weight = m->up_to[from->hi] - m->up_to[from->lo]};
}

static void append_children(making *m, uint32_t node)
{
    bt_target_node *above = &m->target->nodes[node];
    const bt_node *from = &m->tree->nodes[above->origin];
    above->first = m->target->count;
    for (uint32_t child = from->first; child < from->first + from->children; child++)
        if (present_in(m, child) > 0) append(m, node, child);
    above->children = m->target->count - above->first;
}

static void build(making *m, const int64_t *numbers)
{
    bt_target *target = m->target;
    append(m, 0, 0);
    for (uint32_t node = 0; node < target->count; node++)
        append_children(m, node);
    for (uint32_t node = target->count; node-- > 0;) {
        bt_target_node *here = &target->nodes[node];
        if (here->children > 0) {
            finish_inner(target, node);
            bt_target_reduce(target, node);
            continue;
        }
        uint32_t code = m->tree->nodes[here->origin].lo;
        while (m->present[code + 1] == m->present[code])
            code++;
        finish_leaf(target, node, code, numbers);
    }
    target->nodes[0].weight = 1;
}

static bauta_status start(bt_target *target, uint32_t codes, size_t nodes, bt_arena *arena,
                          bauta_error *error)
{
    target->codes = codes;
    target->nodes = bt_arena_array(arena, nodes, sizeof *target->nodes);
    target->leaf_of = bt_arena_array(arena, codes, sizeof *target->leaf_of);
    BT_TRY(bt_arena_check(arena, error));
    memset(target->leaf_of, 0xff, codes * sizeof *target->leaf_of);
    return BAUTA_OK;
}

static bauta_status sum_weights(const bt_space *space, const uint64_t *weights, uint64_t *up_to,
                                uint32_t *present, bauta_error *error)
{
    for (uint32_t code = 0; code < space->domain.size; code++) {
        if (weights[code] >= WEIGHT_LIMIT - up_to[code])
            return bt_fail(error, BAUTA_INVALID, "the weights of the target are too large");
        up_to[code + 1] = up_to[code] + weights[code];
        present[code + 1] = present[code] + (weights[code] > 0);
    }
    if (present[space->domain.size] == 0)
        return bt_fail(error, BAUTA_INVALID, "the target gives no value a weight");
    return BAUTA_OK;
}

bauta_status bt_target_make(const bt_space *space, const uint64_t *weights, bt_arena *arena,
                            bt_target *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t codes = space->domain.size;
    uint64_t *up_to = bt_arena_array(&scratch, codes + 1, sizeof *up_to);
    uint32_t *present = bt_arena_array(&scratch, codes + 1, sizeof *present);
    making m = {space->hierarchy, up_to, present, out};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(sum_weights(space, weights, up_to, present, error));
    *out = (bt_target){.numbers = space->domain.number != NULL};
    /* inner nodes have two children at least */
    BT_TRY(start(out, space->domain.size, 2 * (size_t)present[codes] - 1, arena, error));
    build(&m, space->domain.number);
    return finish_depth(out, error);
}

/* ---- from a manifest ---- */

static bauta_status misshapen(bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID, "the tree of the target is not one");
}

/* Children of the nodes so far must follow at once, and end with the last node. */
static bauta_status copy_shape(const bt_target_shape *shape, bt_target *target, bauta_error *error)
{
    size_t next = 1;
    for (uint32_t node = 0; node < shape->count; node++) {
        uint32_t children = shape->children[node];
        if (node >= next || children == 1 || children > shape->count - next)
            return misshapen(error);
        bt_target_node *here = &target->nodes[node];
        here->origin = node;
        here->first = (uint32_t)next;
        here->children = children;
        here->weight = shape->weights[node];
        if (here->weight == 0 || here->weight >= WEIGHT_LIMIT || (node == 0 && here->weight != 1))
            return bt_fail(error, BAUTA_INVALID, "a weight of the target is not one");
        for (uint32_t i = 0; i < children; i++)
            target->nodes[next++].parent = node;
    }
    target->count = (uint32_t)shape->count;
    return next == shape->count ? BAUTA_OK : misshapen(error);
}

static bauta_status check_weights(bt_target *target, uint32_t node, bauta_error *error)
{
    const bt_target_node *above = &target->nodes[node];
    uint64_t sum = 0;
    for (uint32_t i = 0; i < above->children; i++)
        if (__builtin_add_overflow(sum, target->nodes[above->first + i].weight, &sum) ||
            sum >= WEIGHT_LIMIT)
            return bt_fail(error, BAUTA_INVALID, "the weights of the target are too large");
    if (bt_target_reduce(target, node) != 1)
        return bt_fail(error, BAUTA_INVALID, "the weights of the target are not reduced");
    return BAUTA_OK;
}

/* `before` is per node how many leaves stand before its own; all zero when this is called. */
static bauta_status place_leaves(const bt_target_shape *shape, bt_target *target,
                                 const uint32_t *code_at, uint32_t present, uint32_t *before,
                                 bauta_error *error)
{
    for (uint32_t node = target->count; node-- > 0;) { /* the numbers of leaves */
        bt_target_node *here = &target->nodes[node];
        here->values = here->children == 0;
        for (uint32_t i = 0; i < here->children; i++)
            here->values += target->nodes[here->first + i].values;
    }
    if (target->nodes[0].values != present) return misshapen(error);
    for (uint32_t node = 0; node < target->count; node++) {
        const bt_target_node *here = &target->nodes[node];
        uint32_t next = before[node];
        for (uint32_t i = 0; i < here->children; i++) {
            before[here->first + i] = next;
            next += target->nodes[here->first + i].values;
        }
    }
    for (uint32_t node = target->count; node-- > 0;) {
        if (target->nodes[node].children == 0) {
            finish_leaf(target, node, code_at[before[node]], shape->numbers);
            continue;
        }
        finish_inner(target, node);
        BT_TRY(check_weights(target, node, error));
    }
    return BAUTA_OK;
}

bauta_status bt_target_restore(const bt_target_shape *shape, bt_arena *arena, bt_target *out,
                               bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    if (shape->count == 0 || shape->count >= BT_NO_NODE) return misshapen(error);
    uint32_t present = 0;
    uint32_t *before = bt_arena_array(&scratch, shape->count, sizeof *before);
    uint32_t *code_at = bt_arena_array(&scratch, shape->codes, sizeof *code_at);
    *out = (bt_target){.numbers = shape->numbers != NULL};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(start(out, shape->codes, shape->count, arena, error));
    for (uint32_t code = 0; code < shape->codes; code++)
        if (!shape->present || shape->present[code]) code_at[present++] = code;
    BT_TRY(copy_shape(shape, out, error));
    BT_TRY(place_leaves(shape, out, code_at, present, before, error));
    return finish_depth(out, error);
}

/* ---- questions ---- */

/* The last child that begins at or before `least`. */
static uint32_t child_from(const bt_target *target, uint32_t node, int64_t least)
{
    uint32_t from = target->nodes[node].first, count = target->nodes[node].children;
    while (count > 1) {
        uint32_t half = count / 2;
        if (target->nodes[from + half].least <= least) {
            from += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return from;
}

uint32_t bt_target_find_numbers(const bt_target *target, int64_t least, int64_t greatest)
{
    uint32_t node = 0;
    for (;;) {
        const bt_target_node *here = &target->nodes[node];
        if (here->least == least && here->greatest == greatest) return node;
        if (least < here->least || greatest > here->greatest || here->children == 0)
            return BT_NO_NODE;
        node = child_from(target, node, least);
    }
}

void bt_target_chances(const bt_target *target, double *chance)
{
    chance[0] = 1;
    for (uint32_t node = 1; node < target->count; node++) {
        const bt_target_node *here = &target->nodes[node];
        chance[node] =
            chance[here->parent] * (double)here->weight / (double)target->nodes[here->parent].sum;
    }
}
