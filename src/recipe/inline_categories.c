/* SPDX-License-Identifier: Apache-2.0
 *
 * From the YAML of categories to lists of values.
 */
#include "recipe/inline_categories.h"

static size_t count_children(const bt_yaml *node)
{
    size_t count = 0;
    for (const bt_yaml *child = node->first; child; child = child->next)
        count++;
    return count;
}

static bauta_status read_value(const bt_yaml *node, const char **out, bauta_error *error)
{
    if (node->kind != BT_YAML_TEXT)
        return bt_yaml_fail(node, error, "a value of a category must be text");
    *out = node->text;
    if (node->text) return BAUTA_OK;
    bauta_status status = bt_yaml_fail(node, error, "a value of a category is nothing");
    bt_error_hint(error, "put quotes around null, ~ or an empty text if that is meant");
    return status;
}

static bauta_status read_category(const bt_yaml *node, bt_arena *arena, bt_category *out,
                                  bauta_error *error)
{
    bool single = node->kind == BT_YAML_TEXT;
    out->count = single ? 1 : count_children(node);
    if (node->kind == BT_YAML_MAP || out->count == 0)
        return bt_yaml_fail(node, error, "a category must be a list of values");
    if (node->key && node->key[0] == '\0')
        return bt_yaml_fail(node, error, "a category has no name");
    const char **values = bt_arena_array(arena, out->count, sizeof *values);
    if (!values) return bt_fail_memory(error);
    out->values = values;
    if (single) return read_value(node, values, error);
    for (const bt_yaml *child = node->first; child; child = child->next)
        BT_TRY(read_value(child, values++, error));
    return BAUTA_OK;
}

bauta_status bt_inline_categories(const bt_yaml *node, bt_arena *arena, bt_categories_source *out,
                                  bauta_error *error)
{
    size_t count = count_children(node), at = 0;
    if (node->kind == BT_YAML_TEXT || count == 0)
        return bt_yaml_fail(node, error, "categories are a file, a list of lists, or a map");
    bt_category *items = bt_arena_array(arena, count, sizeof *items);
    if (!items) return bt_fail_memory(error);
    for (const bt_yaml *child = node->first; child; child = child->next, at++) {
        BT_TRY(read_category(child, arena, &items[at], error));
        items[at].name = child->key ? child->key : bt_arena_print(arena, "%zu", at + 1);
        if (!items[at].name) return bt_fail_memory(error);
    }
    *out = (bt_categories_source){.items = items, .count = count};
    return BAUTA_OK;
}
