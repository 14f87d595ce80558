/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree of cuts over the boxes of classes.
 */
#include "audit/boxes.h"

#include "base/assert.h"
#include "base/bitset.h"
#include "base/sort.h"

#include <string.h>

enum {
    LEAF_BOXES = 8,    /* so few are looked at one by one */
    FILTER_BOXES = 64, /* so many that no cut separates are filtered by sets */
    STRETCHES = 256,   /* sets per column of a filter, at most */
    SAMPLE = 1024,     /* boxes from which a cut is chosen */
    SMALL = 64,        /* so few are sorted by insertion */
    DEPTH = 768,       /* of the tree: every cut leaves at most 31/32 of fewer than 2^32 boxes */
    NO_NODE = UINT32_MAX,
};

typedef struct bounds {
    uint32_t from, to;
} bounds;

typedef struct box_node {
    uint32_t column, cut; /* before: to <= cut, behind: from >= cut, across: the rest */
    uint32_t before, behind, across;
    uint32_t first, count; /* a leaf's part of `items`; an inner node's count is 0 */
    uint64_t *sets;        /* of a filtered leaf */
} box_node;

struct bt_boxes {
    const bt_side *const *sides;
    uint32_t *const *place;
    size_t columns;
    bounds *bounds;      /* in column j: [c * columns + j] of class c while the tree is built,
                            then [i * columns + j] of items[i], so that a leaf is one stretch */
    bool *has_members;   /* per column: some side is not a whole interval */
    unsigned *shift;     /* per column: position to stretch */
    size_t *first_set;   /* per column: its first set in a filter */
    size_t set_count;    /* in a filter */
    uint32_t *items;     /* classes, arranged by the tree */
    uint32_t item_count; /* boxes that are not empty */
    box_node *nodes;
    size_t node_count, node_capacity;
    uint32_t roots[SAMPLE + 1]; /* see price_of */
    bt_arena arena;             /* sets */
};

static inline const bounds *bounds_at(const bt_boxes *boxes, size_t place)
{
    return boxes->bounds + place * boxes->columns;
}

/* ---- choosing a cut ---- */

static void sort_values(uint32_t *values, uint32_t count)
{
    if (count > SMALL) {
        uint32_t spare[SAMPLE], all = 0;
        for (uint32_t i = 0; i < count; i++)
            all |= values[i];
        bt_sort_numbers(values, spare, count, all);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = values[i], j = i;
        for (; j > 0 && values[j - 1] > value; j--)
            values[j] = values[j - 1];
        values[j] = value;
    }
}

/* The square root of each number of the sample's boxes, in units of 1/1024. */
static void find_roots(uint32_t *roots)
{
    for (uint32_t number = 0, root = 0; number <= SAMPLE; number++) {
        while ((root + 1) * (root + 1) <= number << 20)
            root++;
        roots[number] = root;
    }
}

/* Whether a cut leaves nearly all boxes to look at. */
static bool is_vain(uint32_t left, uint32_t count)
{
    return left >= count - count / 32;
}

/* How good a cut is, the less the better. A point goes to one side and to the boxes across. Where
 * none are, as in a tree of disjoint boxes, it takes one step more however uneven the sides are; so
 * these cuts come first, the most even one before others. Else, were the steps that n boxes take
 * some power of n, a cut is good that makes the sum of that power over both small. */
static uint32_t price_of(const uint32_t *roots, uint32_t fuller, uint32_t across, uint32_t count)
{
    enum { CROSSING = 1 << 18, VAIN = 1 << 20 };
    if (is_vain(fuller + across, count)) return VAIN + fuller + across;
    return across == 0 ? fuller : CROSSING + roots[fuller] + roots[across];
}

/* The price of the best cut of one column. A cut just before some box is never worse than one
 * elsewhere. */
static uint32_t best_cut(const uint32_t *roots, uint32_t *from, uint32_t *to, uint32_t count,
                         uint32_t *cut)
{
    uint32_t best = UINT32_MAX;
    sort_values(from, count);
    sort_values(to, count);
    for (uint32_t i = 0, before = 0; i < count; i++) {
        if (i > 0 && from[i] == from[i - 1]) continue;
        while (before < count && to[before] <= from[i])
            before++;
        uint32_t behind = count - i, fuller = before > behind ? before : behind;
        uint32_t price = price_of(roots, fuller, count - before - behind, count);
        if (price >= best) continue;
        best = price;
        *cut = from[i];
    }
    return best;
}

static void choose_cut(const bt_boxes *boxes, box_node *node)
{
    uint32_t from[SAMPLE], to[SAMPLE], count = node->count < SAMPLE ? node->count : SAMPLE;
    uint32_t best = UINT32_MAX;
    for (size_t column = 0; column < boxes->columns; column++) {
        uint32_t cut = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint64_t item = node->first + (uint64_t)i * node->count / count;
            const bounds *side = bounds_at(boxes, boxes->items[item]) + column;
            from[i] = side->from;
            to[i] = side->to;
        }
        uint32_t price = best_cut(boxes->roots, from, to, count, &cut);
        if (price >= best) continue;
        best = price;
        node->column = (uint32_t)column;
        node->cut = cut;
    }
}

typedef struct cut_sides { /* of a cut */
    uint32_t before, across, behind;
    uint32_t lowest; /* where the first box across begins */
} cut_sides;

static cut_sides count_sides(const bt_boxes *boxes, const box_node *node, uint32_t cut)
{
    cut_sides count = {.lowest = cut};
    for (uint32_t i = 0; i < node->count; i++) {
        const bounds *side = bounds_at(boxes, boxes->items[node->first + i]) + node->column;
        bool before = side->to <= cut, behind = side->from >= cut;
        count.before += before;
        count.behind += !before && behind;
        if (before || behind) continue;
        count.across++;
        if (side->from < count.lowest) count.lowest = side->from;
    }
    return count;
}

/* A cut that separates well may lie just before the one that the sample shows: where boxes begin
 * that the sample does not have. Each one that is left across costs all points below it. */
static void refine_cut(const bt_boxes *boxes, box_node *node)
{
    cut_sides now = count_sides(boxes, node, node->cut);
    while (now.across > 0) {
        cut_sides next = count_sides(boxes, node, now.lowest);
        uint32_t fuller = next.before > next.behind ? next.before : next.behind;
        if (next.across >= now.across || is_vain(fuller + next.across, node->count)) return;
        node->cut = now.lowest;
        now = next;
    }
}

/* ---- building ---- */

static bauta_status add_node(bt_boxes *boxes, uint32_t first, uint32_t count, uint32_t *number,
                             bauta_error *error)
{
    *number = NO_NODE;
    if (count == 0) return BAUTA_OK;
    BT_TRY(bt_array_grow(&boxes->nodes, &boxes->node_capacity, boxes->node_count + 1,
                         sizeof *boxes->nodes, error));
    *number = (uint32_t)boxes->node_count++;
    boxes->nodes[*number] = (box_node){.first = first, .count = count};
    return BAUTA_OK;
}

/* Arranges a node's items: before, across, behind the cut. */
static void arrange(const bt_boxes *boxes, const box_node *node, uint32_t *across, uint32_t *behind)
{
    uint32_t *items = boxes->items, low = node->first, at = low, high = low + node->count;
    while (at < high) {
        uint32_t item = items[at];
        const bounds *side = bounds_at(boxes, item) + node->column;
        if (side->to <= node->cut) {
            items[at++] = items[low];
            items[low++] = item;
        } else if (side->from >= node->cut) {
            items[at] = items[--high];
            items[high] = item;
        } else {
            at++;
        }
    }
    *across = low;
    *behind = high;
}

/* Cuts a leaf in three unless no cut is worth it; the parts are new leaves. */
static bauta_status split(bt_boxes *boxes, uint32_t number, bool *done, bauta_error *error)
{
    box_node node = boxes->nodes[number];
    uint32_t across, behind;
    choose_cut(boxes, &node);
    if (node.count > SAMPLE) refine_cut(boxes, &node);
    arrange(boxes, &node, &across, &behind);
    uint32_t end = node.first + node.count;
    uint32_t n_before = across - node.first, n_across = behind - across, n_behind = end - behind;
    *done = !is_vain((n_before > n_behind ? n_before : n_behind) + n_across, node.count);
    if (!*done) return BAUTA_OK;
    BT_TRY(add_node(boxes, node.first, n_before, &node.before, error));
    BT_TRY(add_node(boxes, across, n_across, &node.across, error));
    BT_TRY(add_node(boxes, behind, n_behind, &node.behind, error));
    node.count = 0;
    boxes->nodes[number] = node;
    return BAUTA_OK;
}

/* For each stretch of positions of each column the set of the leaf's boxes that reach it. */
static bauta_status make_filter(bt_boxes *boxes, box_node *node, bauta_error *error)
{
    size_t words = bt_bitset_words(node->count), all;
    if (!bt_size_mul(boxes->set_count, words, &all)) return bt_fail_memory(error);
    node->sets = bt_arena_array(&boxes->arena, all, sizeof *node->sets);
    if (!node->sets) return bt_fail_memory(error);
    for (uint32_t i = 0; i < node->count; i++) {
        const bounds *box = bounds_at(boxes, boxes->items[node->first + i]);
        for (size_t j = 0; j < boxes->columns; j++) {
            size_t last = (box[j].to - 1) >> boxes->shift[j];
            for (size_t s = box[j].from >> boxes->shift[j]; s <= last; s++)
                bt_bitset_add(node->sets + (boxes->first_set[j] + s) * words, i);
        }
    }
    return BAUTA_OK;
}

static bauta_status build_tree(bt_boxes *boxes, bauta_error *error)
{
    uint32_t root;
    BT_TRY(add_node(boxes, 0, boxes->item_count, &root, error));
    /* New leaves are appended, so one pass visits all of them. */
    for (size_t i = 0; i < boxes->node_count; i++) {
        bool done = false;
        if (boxes->nodes[i].count <= LEAF_BOXES) continue;
        BT_TRY(split(boxes, (uint32_t)i, &done, error));
        if (!done && boxes->nodes[i].count >= FILTER_BOXES)
            BT_TRY(make_filter(boxes, &boxes->nodes[i], error));
    }
    return BAUTA_OK;
}

static bauta_status arrange_bounds(bt_boxes *boxes, bauta_error *error)
{
    size_t bytes = boxes->columns * sizeof *boxes->bounds; /* known to fit */
    bounds *arranged = bt_array(boxes->item_count, bytes);
    if (!arranged) return bt_fail_memory(error);
    for (uint32_t i = 0; i < boxes->item_count; i++)
        memcpy(arranged + i * boxes->columns, bounds_at(boxes, boxes->items[i]), bytes);
    free(boxes->bounds);
    boxes->bounds = arranged;
    return BAUTA_OK;
}

static void lay_out_filters(bt_boxes *boxes, const uint32_t *positions)
{
    for (size_t j = 0; j < boxes->columns; j++) {
        uint32_t highest = positions[j] ? positions[j] - 1 : 0;
        while (highest >> boxes->shift[j] >= STRETCHES)
            boxes->shift[j]++;
        boxes->first_set[j] = boxes->set_count;
        boxes->set_count += ((size_t)highest >> boxes->shift[j]) + 1;
    }
}

static void take_boxes(bt_boxes *boxes, uint32_t classes)
{
    for (uint32_t c = 0; c < classes; c++) {
        bounds *box = boxes->bounds + (size_t)c * boxes->columns;
        bool empty = false;
        for (size_t j = 0; j < boxes->columns; j++) {
            const bt_side *side = &boxes->sides[j][boxes->place[j][c]];
            box[j] = (bounds){side->from, side->to};
            empty |= side->from >= side->to;
            boxes->has_members[j] |= side->members != NULL;
        }
        if (!empty) boxes->items[boxes->item_count++] = c;
    }
}

static bool side_fits(const bt_side *side, uint32_t positions)
{
    return side->from <= side->to && side->to <= positions &&
           (!side->members || bt_ascend(side->members, side->count));
}

bauta_status bt_boxes_new(const bt_side *const *sides, uint32_t *const *place,
                          const uint32_t *positions, size_t columns, uint32_t classes,
                          bt_boxes **out, bauta_error *error)
{
    size_t bounds_count;
    *out = NULL;
    for (size_t j = 0; j < columns; j++)
        for (uint32_t c = 0; c < classes; c++)
            BT_ASSERT(side_fits(&sides[j][place[j][c]], positions[j]));
    bt_boxes *boxes = bt_array_zero(1, sizeof *boxes);
    if (!boxes) return bt_fail_memory(error);
    boxes->sides = sides;
    boxes->place = place;
    boxes->columns = columns;
    boxes->has_members = bt_arena_array(&boxes->arena, columns, sizeof *boxes->has_members);
    boxes->shift = bt_arena_array(&boxes->arena, columns, sizeof *boxes->shift);
    boxes->first_set = bt_arena_array(&boxes->arena, columns, sizeof *boxes->first_set);
    boxes->items = bt_array(classes, sizeof *boxes->items);
    if (bt_size_mul(classes, columns, &bounds_count))
        boxes->bounds = bt_array(bounds_count, sizeof *boxes->bounds);
    bauta_status status = BAUTA_OK;
    if (!boxes->has_members || !boxes->shift || !boxes->first_set || !boxes->items ||
        !boxes->bounds)
        status = bt_fail_memory(error);
    if (status == BAUTA_OK) {
        take_boxes(boxes, classes);
        lay_out_filters(boxes, positions);
        find_roots(boxes->roots);
        status = build_tree(boxes, error);
    }
    if (status == BAUTA_OK) status = arrange_bounds(boxes, error);
    if (status == BAUTA_OK)
        *out = boxes;
    else
        bt_boxes_free(boxes);
    return status;
}

void bt_boxes_free(bt_boxes *boxes)
{
    if (!boxes) return;
    free(boxes->bounds);
    free(boxes->items);
    free(boxes->nodes);
    bt_arena_release(&boxes->arena);
    free(boxes);
}

/* ---- asking ---- */

static bool is_member(const bt_side *side, uint32_t position)
{
    uint32_t low = 0, high = side->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (side->members[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low < side->count && side->members[low] == position;
}

static bool contains(const bt_boxes *boxes, size_t place, const uint32_t *point)
{
    const bounds *box = bounds_at(boxes, place);
    for (size_t j = 0; j < boxes->columns; j++)
        if (point[j] < box[j].from || point[j] >= box[j].to) return false;
    for (size_t j = 0; j < boxes->columns; j++) {
        if (!boxes->has_members[j]) continue;
        const bt_side *side = &boxes->sides[j][boxes->place[j][boxes->items[place]]];
        if (side->members && !is_member(side, point[j])) return false;
    }
    return true;
}

static bauta_status ask_items(const bt_boxes *boxes, const box_node *node, const uint32_t *point,
                              bt_box_found found, void *user, bauta_error *error)
{
    size_t end = (size_t)node->first + node->count;
    for (size_t place = node->first; place < end; place++)
        if (contains(boxes, place, point)) BT_TRY(found(user, boxes->items[place], error));
    return BAUTA_OK;
}

static bauta_status ask_filter(const bt_boxes *boxes, const box_node *node, const uint32_t *point,
                               bt_box_found found, void *user, bauta_error *error)
{
    size_t words = bt_bitset_words(node->count);
    for (size_t w = 0; w < words; w++) {
        uint64_t left = ~(uint64_t)0;
        for (size_t j = 0; j < boxes->columns && left; j++) {
            size_t set = boxes->first_set[j] + (point[j] >> boxes->shift[j]);
            left &= node->sets[set * words + w];
        }
        for (; left; left &= left - 1) {
            size_t place = node->first + w * 64 + (size_t)__builtin_ctzll(left);
            if (contains(boxes, place, point)) BT_TRY(found(user, boxes->items[place], error));
        }
    }
    return BAUTA_OK;
}

bauta_status bt_boxes_at(const bt_boxes *boxes, const uint32_t *point, bt_box_found found,
                         void *user, bauta_error *error)
{
    uint32_t later[DEPTH], waiting = 0;
    uint32_t at = boxes->node_count > 0 ? 0 : NO_NODE;
    for (;;) {
        if (at == NO_NODE) {
            if (waiting == 0) return BAUTA_OK;
            at = later[--waiting];
        }
        const box_node *node = &boxes->nodes[at];
        if (node->count == 0) {
            if (node->across != NO_NODE) later[waiting++] = node->across;
            at = point[node->column] < node->cut ? node->before : node->behind;
            continue;
        }
        if (node->sets)
            BT_TRY(ask_filter(boxes, node, point, found, user, error));
        else
            BT_TRY(ask_items(boxes, node, point, found, user, error));
        at = NO_NODE;
    }
}
