/* SPDX-License-Identifier: Apache-2.0
 *
 * From a grown tree to a hierarchy: collapse, order, number breadth-first, give codes, label.
 * Everything is passes over arrays; parents stand before children, so one pass upwards or
 * downwards does what recursion would.
 */
#include "recipe/tree.h"

#include "base/assert.h"

#include <string.h>

/* ---- growing ---- */

bauta_status bt_tree_init(bt_tree *tree, bt_arena *arena, const char *column, const char *file,
                          bauta_error *error)
{
    *tree = (bt_tree){.arena = arena, .column = column, .file = file};
    return bt_tree_add(tree, 0, 0, "*", &(uint32_t){0}, error);
}

void bt_tree_release(bt_tree *tree)
{
    free(tree->nodes);
    tree->nodes = NULL;
}

bauta_status bt_tree_add(bt_tree *tree, uint32_t parent, uint32_t level, const char *name,
                         uint32_t *out, bauta_error *error)
{
    /* Twice the nodes must fit the index of labels. */
    if (tree->count >= UINT32_MAX / 4) return bt_fail_memory(error);
    BT_TRY(
        bt_array_grow(&tree->nodes, &tree->capacity, tree->count + 1, sizeof *tree->nodes, error));
    tree->nodes[tree->count] = (bt_tree_node){name, parent, level, BT_NO_LEAF, 0};
    *out = (uint32_t)tree->count++;
    return BAUTA_OK;
}

bauta_status bt_tree_leaf(bt_tree *tree, uint32_t parent, const char *name, bauta_error *error)
{
    uint32_t node = 0;
    BT_TRY(bt_tree_add(tree, parent, 0, name, &node, error));
    tree->nodes[node].leaf = tree->leaves++;
    return BAUTA_OK;
}

/* ---- layout ---- */

typedef struct sort_item {
    int64_t key;
    uint32_t node;
} sort_item;

typedef struct layout {
    bt_tree *tree;
    uint32_t *order; /* nodes that are left, siblings in their final order */
    uint32_t count;
    uint32_t *start;    /* per node of the tree: place of its first child in `kids` */
    uint32_t *kids;     /* children, parent by parent */
    uint32_t *original; /* node of the hierarchy -> node of the tree */
    uint32_t *rows;     /* node of the hierarchy -> row */
} layout;

/* Drops inner nodes whose only child has the same name (name becomes NULL). */
static bauta_status collapse(bt_tree *tree, bt_arena *scratch, bauta_error *error)
{
    uint32_t *children = bt_arena_array(scratch, tree->count, sizeof *children);
    uint32_t *only = bt_arena_array(scratch, tree->count, sizeof *only);
    BT_TRY(bt_arena_check(scratch, error));
    for (size_t i = 1; i < tree->count; i++) {
        children[tree->nodes[i].parent]++;
        only[tree->nodes[i].parent] = (uint32_t)i;
    }
    for (size_t i = tree->count; i-- > 1;) {
        bt_tree_node *node = &tree->nodes[i];
        if (children[i] != 1 || strcmp(node->name, tree->nodes[only[i]].name) != 0) continue;
        tree->nodes[only[i]].parent = node->parent;
        if (only[node->parent] == i) only[node->parent] = only[i];
        node->name = NULL;
    }
    return BAUTA_OK;
}

static int compare_items(const void *left, const void *right)
{
    const sort_item *a = left, *b = right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Nodes by the least number under them, ties by age. */
static bauta_status order_by_number(layout *l, const int64_t *numbers, bt_arena *scratch,
                                    bauta_error *error)
{
    const bt_tree_node *nodes = l->tree->nodes;
    sort_item *items = bt_arena_array(scratch, l->tree->count, sizeof *items);
    BT_TRY(bt_arena_check(scratch, error));
    for (size_t i = 0; i < l->tree->count; i++)
        items[i] = (sort_item){nodes[i].leaf == BT_NO_LEAF ? INT64_MAX : numbers[nodes[i].leaf],
                               (uint32_t)i};
    for (size_t i = l->tree->count; i-- > 1;)
        if (items[i].key < items[nodes[i].parent].key) items[nodes[i].parent].key = items[i].key;
    qsort(items, l->tree->count, sizeof *items, compare_items);
    for (size_t i = 0; i < l->tree->count; i++)
        if (nodes[items[i].node].name) l->order[l->count++] = items[i].node;
    return BAUTA_OK;
}

static void order_by_age(layout *l)
{
    for (size_t i = 0; i < l->tree->count; i++)
        if (l->tree->nodes[i].name) l->order[l->count++] = (uint32_t)i;
}

/* Children of each node together, in the order of l->order. */
static void gather_children(layout *l)
{
    const bt_tree_node *nodes = l->tree->nodes;
    for (uint32_t i = 0; i < l->count; i++)
        if (l->order[i] != 0) l->start[nodes[l->order[i]].parent + 1]++;
    for (size_t i = 0; i < l->tree->count; i++)
        l->start[i + 1] += l->start[i];
    /* start[p] runs over the children of p and ends as start[p + 1] was; shifted back below. */
    for (uint32_t i = 0; i < l->count; i++)
        if (l->order[i] != 0) l->kids[l->start[nodes[l->order[i]].parent]++] = l->order[i];
    memmove(l->start + 1, l->start, l->tree->count * sizeof *l->start);
    l->start[0] = 0;
}

static void number_breadth_first(layout *l, bt_hierarchy *hierarchy)
{
    uint32_t next = 1, levels = 0;
    l->original[0] = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t from = l->original[i];
        const bt_tree_node *source = &l->tree->nodes[from];
        bt_node *node = &hierarchy->nodes[i];
        node->name = source->name;
        node->level = source->level;
        node->first = next;
        node->children = l->start[from + 1] - l->start[from];
        l->rows[i] = source->row;
        if (node->level > levels) levels = node->level;
        for (uint32_t k = l->start[from]; k < l->start[from + 1]; k++, next++) {
            l->original[next] = l->kids[k];
            hierarchy->nodes[next].parent = i;
        }
    }
    hierarchy->nodes[0].level = levels + 1;
    hierarchy->levels = levels + 2;
}

/* Sizes upwards, places downwards. */
static void give_codes(layout *l, bt_hierarchy *hierarchy, uint32_t *code_of_leaf)
{
    bt_node *nodes = hierarchy->nodes;
    for (uint32_t i = l->count; i-- > 1;) {
        if (l->tree->nodes[l->original[i]].leaf != BT_NO_LEAF) nodes[i].hi = 1;
        nodes[nodes[i].parent].hi += nodes[i].hi;
    }
    for (uint32_t i = 0; i < l->count; i++) {
        uint32_t place = nodes[i].lo;
        for (uint32_t k = nodes[i].first; k < nodes[i].first + nodes[i].children; k++) {
            nodes[k].lo = place;
            place = nodes[k].hi += place;
            BT_ASSERT(nodes[k].lo < nodes[k].hi && k > i);
        }
        BT_ASSERT(nodes[i].children == 0 || place == nodes[i].hi);
        uint32_t leaf = l->tree->nodes[l->original[i]].leaf;
        if (leaf == BT_NO_LEAF) continue;
        code_of_leaf[leaf] = nodes[i].lo;
        hierarchy->leaf_node[nodes[i].lo] = i;
    }
}

static bauta_status allocate(layout *l, bt_hierarchy *hierarchy, bauta_error *error)
{
    bt_arena *arena = l->tree->arena;
    hierarchy->count = l->count;
    hierarchy->leaves = l->tree->leaves;
    hierarchy->nodes = bt_arena_array(arena, l->count, sizeof *hierarchy->nodes);
    hierarchy->leaf_node = bt_arena_array(arena, l->tree->leaves, sizeof *hierarchy->leaf_node);
    if (!hierarchy->nodes || !hierarchy->leaf_node) return bt_fail_memory(error);
    return BAUTA_OK;
}

bauta_status bt_tree_lay_out(bt_tree *tree, const int64_t *numbers, const char *spec, bool given,
                             uint32_t *code_of_leaf, bt_hierarchy **out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    layout l = {.tree = tree,
                .order = bt_arena_array(&scratch, tree->count, sizeof *l.order),
                .start = bt_arena_array(&scratch, tree->count + 1, sizeof *l.start),
                .kids = bt_arena_array(&scratch, tree->count, sizeof *l.kids),
                .original = bt_arena_array(&scratch, tree->count, sizeof *l.original),
                .rows = bt_arena_array(&scratch, tree->count, sizeof *l.rows)};
    bt_hierarchy *hierarchy = bt_arena_array(tree->arena, 1, sizeof *hierarchy);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(bt_arena_check(tree->arena, error));
    BT_TRY(collapse(tree, &scratch, error));
    hierarchy->spec = spec;
    hierarchy->given = given;
    if (numbers)
        BT_TRY(order_by_number(&l, numbers, &scratch, error));
    else
        order_by_age(&l);
    BT_TRY(allocate(&l, hierarchy, error));
    gather_children(&l);
    number_breadth_first(&l, hierarchy);
    give_codes(&l, hierarchy, code_of_leaf);
    *out = hierarchy;
    return bt_tree_label(tree, hierarchy, l.rows, error);
}

bauta_status bt_hierarchy_reorder(const bt_hierarchy_job *job, const uint32_t *old_of_leaf,
                                  const uint32_t *code_of_leaf, bauta_error *error)
{
    bt_domain *domain = job->domain;
    const char **text = bt_arena_array(job->arena, domain->size, sizeof *text);
    int64_t *number = NULL;
    if (domain->number) number = bt_arena_array(job->arena, domain->size, sizeof *number);
    if (!text || (domain->number && !number)) return bt_fail_memory(error);
    for (uint32_t leaf = 0; leaf < domain->size; leaf++) {
        uint32_t old = old_of_leaf[leaf], code = code_of_leaf[leaf];
        job->new_code[old] = code;
        text[code] = domain->text[old];
        if (number) number[code] = domain->number[old];
    }
    domain->text = text;
    domain->number = number;
    return BAUTA_OK;
}
