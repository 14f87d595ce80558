/* SPDX-License-Identifier: Apache-2.0
 *
 * A tree of boxes.
 */
#include "class/locate.h"

#include "base/assert.h"

enum { LEAF_BOXES = 8, DEPTH_MOST = 192 };

typedef struct node {
    uint32_t from, to; /* places in `order` */
    uint32_t second;   /* its second child; the first one follows it. 0: a leaf */
    uint32_t least;    /* the first box below it */
} node;

struct bt_locator {
    const bt_box *boxes;
    size_t columns;
    uint32_t *order; /* boxes, leaf by leaf */
    node *nodes;
    bt_box *around; /* nodes * columns */
    uint32_t node_count, *spare;
    bt_arena arena;
};

static const bt_box *box_at(const bt_locator *l, uint32_t place)
{
    return l->boxes + (size_t)l->order[place] * l->columns;
}

static uint64_t centre(const bt_box *box)
{
    return (uint64_t)box->lo + box->hi;
}

/* Surrounds the boxes of a node; returns the column in which their centres spread most. */
static size_t surround(bt_locator *l, uint32_t number, uint64_t *least, uint64_t *greatest)
{
    node *n = &l->nodes[number];
    bt_box *around = l->around + (size_t)number * l->columns;
    uint64_t most = 0;
    size_t widest = 0;
    n->least = UINT32_MAX;
    for (uint32_t i = n->from; i < n->to; i++)
        if (l->order[i] < n->least) n->least = l->order[i];
    *least = *greatest = centre(box_at(l, n->from));
    for (size_t c = 0; c < l->columns; c++) {
        uint64_t first = UINT64_MAX, last = 0;
        around[c] = (bt_box){UINT32_MAX, 0};
        for (uint32_t i = n->from; i < n->to; i++) {
            const bt_box *box = &box_at(l, i)[c];
            if (box->lo < around[c].lo) around[c].lo = box->lo;
            if (box->hi > around[c].hi) around[c].hi = box->hi;
            if (centre(box) < first) first = centre(box);
            if (centre(box) > last) last = centre(box);
        }
        if (last - first <= most) continue;
        most = last - first;
        widest = c;
        *least = first;
        *greatest = last;
    }
    return widest;
}

/* Parts the boxes of a node at the middle of a column's centres, or in halves where that leaves one
 * side empty or nearly so. Returns where the second part begins. */
static uint32_t part(bt_locator *l, const node *n, size_t column, uint64_t middle)
{
    uint32_t left = n->from, right = 0;
    for (uint32_t i = n->from; i < n->to; i++) {
        uint32_t box = l->order[i];
        if (centre(&l->boxes[(size_t)box * l->columns + column]) <= middle)
            l->order[left++] = box;
        else
            l->spare[right++] = box;
    }
    memcpy(l->order + left, l->spare, right * sizeof *l->order);
    uint32_t size = n->to - n->from, few = size / 8 + 1;
    return left - n->from < few || right < few ? n->from + size / 2 : left;
}

static void grow(bt_locator *l, uint32_t count)
{
    uint32_t stack[DEPTH_MOST][3], depth = 0; /* where a node begins and ends, and its parent + 1 */
    stack[0][0] = stack[0][2] = 0;
    stack[0][1] = count;
    depth = 1;
    while (depth > 0) {
        uint64_t least, greatest;
        const uint32_t *item = stack[--depth];
        uint32_t number = l->node_count++;
        node *n = &l->nodes[number];
        *n = (node){.from = item[0], .to = item[1]};
        if (item[2] > 0) l->nodes[item[2] - 1].second = number;
        size_t column = surround(l, number, &least, &greatest);
        if (n->to - n->from <= LEAF_BOXES) continue;
        uint32_t middle = part(l, n, column, least + (greatest - least) / 2);
        uint32_t second[3] = {middle, n->to, number + 1}, first[3] = {n->from, middle, 0};
        memcpy(stack[depth++], second, sizeof second);
        memcpy(stack[depth++], first, sizeof first); /* so that it is the next node */
        BT_ASSERT(depth < DEPTH_MOST);
    }
}

bauta_status bt_locator_make(const bt_box *boxes, uint32_t count, size_t columns, bt_locator **out,
                             bauta_error *error)
{
    size_t nodes = 2 * (size_t)count + 1, sides;
    *out = NULL;
    bt_locator *l = bt_array_zero(1, sizeof *l);
    if (!l) return bt_fail_memory(error);
    *l = (bt_locator){.boxes = boxes, .columns = columns};
    l->order = bt_arena_array(&l->arena, count, sizeof *l->order);
    l->spare = bt_arena_array(&l->arena, count, sizeof *l->spare);
    l->nodes = bt_arena_array(&l->arena, nodes, sizeof *l->nodes);
    bool fits = bt_size_mul(nodes, columns, &sides);
    if (fits) l->around = bt_arena_array(&l->arena, sides, sizeof *l->around);
    if (!fits || bt_arena_check(&l->arena, NULL) != BAUTA_OK) {
        bt_locator_free(l);
        return bt_fail_memory(error);
    }
    for (uint32_t i = 0; i < count; i++)
        l->order[i] = i;
    if (count > 0) grow(l, count);
    *out = l;
    return BAUTA_OK;
}

void bt_locator_free(bt_locator *locator)
{
    if (!locator) return;
    bt_arena_release(&locator->arena);
    free(locator);
}

static bool holds(const bt_box *box, size_t columns, const uint32_t *point)
{
    for (size_t c = 0; c < columns; c++)
        if (point[c] < box[c].lo || point[c] > box[c].hi) return false;
    return true;
}

uint32_t bt_locate(const bt_locator *l, const uint32_t *point,
                   bool (*accepts)(const void *user, uint32_t box), const void *user)
{
    uint32_t stack[DEPTH_MOST], depth = 0, found = BT_NOWHERE;
    if (l->node_count > 0) stack[depth++] = 0;
    while (depth > 0) {
        uint32_t number = stack[--depth];
        const node *n = &l->nodes[number];
        if (n->least >= found || !holds(l->around + (size_t)number * l->columns, l->columns, point))
            continue;
        if (n->second > 0) {
            stack[depth++] = n->second;
            stack[depth++] = number + 1;
            continue;
        }
        for (uint32_t i = n->from; i < n->to; i++)
            if (l->order[i] < found && holds(box_at(l, i), l->columns, point) &&
                (!accepts || accepts(user, l->order[i])))
                found = l->order[i];
    }
    return found;
}
