/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the YAML of an inline hierarchy without recursion: every node knows its parent.
 */
#include "recipe/inline_tree.h"

#include <string.h>

enum { MOST_LEAVES = 1 << 20, MOST_LEVELS = 32 };

/* The node after `node` in the order of the file, within `tree`; NULL at the end. */
static const bt_yaml *following(const bt_yaml *node, const bt_yaml *tree)
{
    if (node->first) return node->first;
    while (node != tree && !node->next)
        node = node->parent;
    return node == tree ? NULL : node->next;
}

static bauta_status check_node(const bt_yaml *node, bauta_error *error)
{
    if (node->kind == BT_YAML_TEXT) {
        if (node->key || node->text) return BAUTA_OK;
        return bt_yaml_fail(node, error, "a leaf of the tree is empty");
    }
    if (!node->first) return bt_yaml_fail(node, error, "a node of the tree has no leaves");
    if (!node->key && node->kind == BT_YAML_LIST)
        return bt_yaml_fail(node, error, "a list inside a list names no node");
    return BAUTA_OK;
}

/* Labels from the leaf upwards. A text under a key ("Heart: Infarct") is a leaf below it. */
static size_t path_of(const bt_yaml *leaf, const bt_yaml *tree, const char **labels)
{
    size_t count = 0;
    if (leaf->text) labels[count++] = leaf->text;
    for (const bt_yaml *node = leaf; node != tree; node = node->parent)
        if (node->key) labels[count++] = node->key;
    return count;
}

static bauta_status add_path(const bt_yaml *leaf, const bt_yaml *tree, bt_arena *arena,
                             const char *const **path, size_t *length, bauta_error *error)
{
    const char *labels[BT_YAML_DEPTH + 2];
    *length = path_of(leaf, tree, labels);
    if (*length > MOST_LEVELS)
        return bt_yaml_fail(leaf, error, "the tree has more than %d levels", MOST_LEVELS);
    const char **copy = bt_arena_array(arena, *length, sizeof *copy);
    if (!copy) return bt_fail_memory(error);
    memcpy(copy, labels, *length * sizeof *copy);
    *path = copy;
    return BAUTA_OK;
}

bauta_status bt_inline_tree(const bt_yaml *tree, bt_arena *arena, bt_hierarchy_source *out,
                            bauta_error *error)
{
    if (tree->kind == BT_YAML_TEXT) return bt_yaml_fail(tree, error, "a tree is a map or a list");
    size_t leaves = 0, filled = 0;
    for (const bt_yaml *node = tree; node; node = following(node, tree)) {
        BT_TRY(check_node(node, error));
        leaves += node->kind == BT_YAML_TEXT;
    }
    if (leaves > MOST_LEAVES)
        return bt_yaml_fail(tree, error, "the tree has more than %d leaves", MOST_LEAVES);
    const char *const **paths = bt_arena_array(arena, leaves, sizeof *paths);
    size_t *lengths = bt_arena_array(arena, leaves, sizeof *lengths);
    if (!paths || !lengths) return bt_fail_memory(error);
    for (const bt_yaml *node = tree; node; node = following(node, tree)) {
        if (node->kind != BT_YAML_TEXT) continue;
        BT_TRY(add_path(node, tree, arena, &paths[filled], &lengths[filled], error));
        filled++;
    }
    *out = (bt_hierarchy_source){
        .spec = "tree", .paths = paths, .path_lengths = lengths, .path_count = leaves};
    return BAUTA_OK;
}
