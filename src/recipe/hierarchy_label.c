/* SPDX-License-Identifier: Apache-2.0
 *
 * Labels: one of its own for every node, and the index that finds a node by its label.
 */
#include "base/hash.h"
#include "recipe/tree.h"

#include <string.h>

/* Allocates the index for hierarchy->count labels. */
static bauta_status make_index(bt_hierarchy *hierarchy, bt_arena *arena, bauta_error *error)
{
    uint32_t places = 8;
    while (places < 2 * hierarchy->count)
        places *= 2;
    hierarchy->index = bt_arena_alloc(arena, places * sizeof *hierarchy->index);
    if (!hierarchy->index) return bt_fail_memory(error);
    memset(hierarchy->index, 0xff, places * sizeof *hierarchy->index);
    hierarchy->index_mask = places - 1;
    return BAUTA_OK;
}

/* Puts a label in; false when it is there already (*other is then its node). */
static bool put_label(bt_hierarchy *hierarchy, uint32_t node, uint32_t *other)
{
    const char *label = hierarchy->nodes[node].label;
    uint32_t place = (uint32_t)bt_hash(label, strlen(label)) & hierarchy->index_mask;
    for (; hierarchy->index[place] != UINT32_MAX; place = (place + 1) & hierarchy->index_mask) {
        *other = hierarchy->index[place];
        if (strcmp(hierarchy->nodes[*other].label, label) == 0) return false;
    }
    hierarchy->index[place] = node;
    return true;
}

typedef struct labeller {
    const bt_tree *tree;
    bt_hierarchy *hierarchy;
    const uint32_t *rows;
    uint32_t *suffix; /* per node: the next number to try after its label */
} labeller;

/* One name twice at a level above 0: siblings have different names, so the parents differ. */
static bauta_status check_parents(const labeller *l, uint32_t a, uint32_t b, bauta_error *error)
{
    const bt_node *first = &l->hierarchy->nodes[a], *second = &l->hierarchy->nodes[b];
    if (!l->hierarchy->given || first->level == 0 || first->level != second->level ||
        strcmp(first->name, second->name) != 0)
        return BAUTA_OK;
    bool swap = l->rows[a] > l->rows[b];
    uint32_t early = l->rows[swap ? b : a], late = l->rows[swap ? a : b];
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the label at level %u of row %u has another parent in row %u",
                                  first->level, late, early);
    bt_error_place(error, l->tree->file, late, l->tree->column);
    bt_error_hint(error, "give the two nodes labels of their own, or the same parent");
    return status;
}

/* Tries the name, then name@level, then name@level.2 and so on. The number to go on with is kept
 * at the node that has name@level, so that many equal names cost no more than few. */
static bauta_status label_node(const labeller *l, uint32_t index, bauta_error *error)
{
    bt_node *node = &l->hierarchy->nodes[index];
    uint32_t other = 0;
    node->label = node->name;
    if (put_label(l->hierarchy, index, &other)) return BAUTA_OK;
    BT_TRY(check_parents(l, other, index, error));
    const char *base = bt_arena_print(l->tree->arena, "%s@%u", node->name, node->level);
    if (!base) return bt_fail_memory(error);
    node->label = base;
    if (put_label(l->hierarchy, index, &other)) return BAUTA_OK;
    BT_TRY(check_parents(l, other, index, error));
    uint32_t owner = other, number = l->suffix[owner] ? l->suffix[owner] : 2;
    do {
        node->label = bt_arena_print(l->tree->arena, "%s.%u", base, number++);
        if (!node->label) return bt_fail_memory(error);
    } while (!put_label(l->hierarchy, index, &other));
    l->suffix[owner] = number;
    return BAUTA_OK;
}

bauta_status bt_tree_label(const bt_tree *tree, bt_hierarchy *hierarchy, const uint32_t *rows,
                           bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_TRY(make_index(hierarchy, tree->arena, error));
    labeller l = {tree, hierarchy, rows,
                  bt_arena_array(&scratch, hierarchy->count, sizeof *l.suffix)};
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(label_node(&l, 0, error));
    /* Values keep their texts before anything else; then nodes from the bottom upwards. */
    for (uint32_t code = 0; code < hierarchy->leaves; code++)
        BT_TRY(label_node(&l, hierarchy->leaf_node[code], error));
    for (uint32_t i = hierarchy->count; i-- > 1;)
        if (hierarchy->nodes[i].children > 0) BT_TRY(label_node(&l, i, error));
    return BAUTA_OK;
}

static bauta_status bad_summary(const char *column, size_t entry, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "node %zu of the hierarchy of column '%s' is invalid",
                entry + 1, column);
    bt_error_place(error, NULL, -1, column);
    return status;
}

/* ---- other labels ---- */

enum { LABEL_PART = 60 }; /* bytes of a long text that a label shows */

static int label_bytes(const char *text)
{
    size_t bytes = strnlen(text, LABEL_PART + 1);
    if (bytes <= LABEL_PART) return (int)bytes;
    for (bytes = LABEL_PART; bytes > 0 && ((unsigned char)text[bytes] & 0xC0) == 0x80; bytes--)
        ; /* not inside a character */
    return (int)bytes;
}

const char *bt_range_label(const char *first, const char *last, bt_arena *arena)
{
    int a = label_bytes(first), b = label_bytes(last);
    return bt_arena_print(arena, "%.*s%s..%.*s%s", a, first, first[a] ? "…" : "", b, last,
                          last[b] ? "…" : "");
}

static bauta_status put_name(bt_hierarchy *hierarchy, uint32_t index, const char *name,
                             uint32_t level, bt_arena *arena, bauta_error *error)
{
    bt_node *node = &hierarchy->nodes[index];
    uint32_t other;
    node->label = name;
    for (uint32_t number = 1; !put_label(hierarchy, index, &other); number++) {
        node->label = number == 1 ? bt_arena_print(arena, "%s@%u", name, level)
                                  : bt_arena_print(arena, "%s@%u.%u", name, level, number);
        if (!node->label) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

bauta_status bt_hierarchy_relabel(bt_hierarchy *hierarchy, const char *const *names,
                                  const uint32_t *levels, bt_arena *arena, bauta_error *error)
{
    bt_node *nodes = hierarchy->nodes;
    uint32_t other;
    memset(hierarchy->index, 0xff, ((size_t)hierarchy->index_mask + 1) * sizeof *hierarchy->index);
    put_label(hierarchy, 0, &other);
    for (uint32_t code = 0; code < hierarchy->leaves; code++)
        put_label(hierarchy, hierarchy->leaf_node[code], &other);
    for (uint32_t i = hierarchy->count; i-- > 1;) /* the lowest first */
        if (nodes[i].children > 0 && names[i])
            BT_TRY(put_name(hierarchy, i, names[i], levels[i], arena, error));
    for (uint32_t i = hierarchy->count; i-- > 1;)
        if (nodes[i].children > 0 && !names[i])
            BT_TRY(put_name(hierarchy, i, nodes[i].label, nodes[i].level, arena, error));
    return BAUTA_OK;
}

/* ---- from a manifest ---- */

static bool summary_fits(const bt_node_summary *node, uint32_t leaves, uint32_t levels)
{
    if (leaves == 0) /* not said, and "*" is not listed */
        return node->label[0] && strcmp(node->label, "*") != 0 && node->level < BT_LEVELS_MOST - 1;
    if (strcmp(node->label, "*") == 0) return node->leaves == leaves && node->level == levels - 1;
    if (node->level == 0) return node->leaves == 1;
    return node->label[0] && node->leaves >= 1 && node->leaves <= leaves &&
           node->level < levels - 1;
}

/* Finds the nodes that are named as parents; each is above its child. */
static bauta_status find_parents(bt_hierarchy *hierarchy, const bt_node_summary *nodes,
                                 size_t count, const char *column, bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!nodes[i].parent) continue;
        uint32_t node = bt_hierarchy_find(hierarchy, nodes[i].label, strlen(nodes[i].label));
        uint32_t parent = bt_hierarchy_find(hierarchy, nodes[i].parent, strlen(nodes[i].parent));
        if (parent == UINT32_MAX || parent == 0 ||
            hierarchy->nodes[parent].level <= hierarchy->nodes[node].level)
            return bad_summary(column, i, error);
        hierarchy->nodes[node].parent = parent;
    }
    return BAUTA_OK;
}

bauta_status bt_hierarchy_from_nodes(const bt_node_summary *nodes, size_t count, uint32_t leaves,
                                     uint32_t levels, const char *spec, const char *column,
                                     bt_arena *arena, bt_hierarchy **out, bauta_error *error)
{
    if (count >= UINT32_MAX / 4) return bt_fail_memory(error);
    for (size_t i = 0; leaves == 0 && i < count; i++)
        if (nodes[i].level + 2 > levels) levels = nodes[i].level + 2;
    if (leaves == 0 && levels < 2) levels = 2;
    if (levels < 2 || levels > BT_LEVELS_MOST) {
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "the hierarchy of column '%s' has an invalid height", column);
        bt_error_place(error, NULL, -1, column);
        return status;
    }
    bt_hierarchy *hierarchy = bt_arena_array(arena, 1, sizeof *hierarchy);
    if (!hierarchy) return bt_fail_memory(error);
    *hierarchy = (bt_hierarchy){
        .spec = spec, .levels = levels, .count = (uint32_t)count + 1, .leaves = leaves};
    hierarchy->nodes = bt_arena_array(arena, count + 1, sizeof *hierarchy->nodes);
    if (!hierarchy->nodes) return bt_fail_memory(error);
    BT_TRY(make_index(hierarchy, arena, error));
    uint32_t used = 1, other;
    bool top = false;
    hierarchy->nodes[0] = (bt_node){.hi = leaves, .level = levels - 1, .label = "*", .name = "*"};
    put_label(hierarchy, 0, &other);
    for (size_t i = 0; i < count; i++) {
        const bt_node_summary *node = &nodes[i];
        bool is_top = strcmp(node->label, "*") == 0;
        if (!summary_fits(node, leaves, levels) || (is_top && top))
            return bad_summary(column, i, error);
        top |= is_top;
        if (is_top) continue;
        const char *label = bt_arena_copy(arena, node->label, strlen(node->label));
        if (!label) return bt_fail_memory(error);
        hierarchy->nodes[used] =
            (bt_node){.hi = node->leaves, .level = node->level, .label = label, .name = label};
        if (!put_label(hierarchy, used++, &other)) return bad_summary(column, i, error);
    }
    hierarchy->count = used;
    *out = hierarchy;
    return find_parents(hierarchy, nodes, count, column, error);
}
