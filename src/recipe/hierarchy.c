/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to a hierarchy, and its text form. Walks go upwards from a leaf, so they cost at
 * most the number of levels.
 */
#include "recipe/hierarchy.h"

#include "base/assert.h"
#include "base/hash.h"
#include "recipe/tree.h"

#include <string.h>

bauta_status bt_hierarchy_build(const bt_hierarchy_source *source, const char *column,
                                bt_domain *domain, uint32_t *new_code, bt_arena *arena,
                                bt_hierarchy **out, bauta_error *error)
{
    const bt_hierarchy_job job = {column, domain, new_code, arena, out};
    if (source->paths) return bt_hierarchy_from_rows(&job, source, error);
    if (source->text)
        return bt_hierarchy_from_csv(&job, source->spec, source->text, source->length, error);
    bool known = false;
    BT_TRY(bt_hierarchy_derive(&job, source->spec, &known, error));
    return known ? BAUTA_OK : bt_hierarchy_from_file(&job, source->spec, error);
}

uint32_t bt_hierarchy_cover(const bt_hierarchy *hierarchy, uint32_t lo, uint32_t hi)
{
    const bt_node *nodes = hierarchy->nodes;
    BT_ASSERT(lo <= hi && hi < nodes[0].hi);
    uint32_t node = hierarchy->leaf_node[lo];
    while (nodes[node].hi <= hi)
        node = nodes[node].parent;
    return node;
}

uint32_t bt_hierarchy_child(const bt_hierarchy *hierarchy, uint32_t parent, uint32_t code)
{
    const bt_node *node = &hierarchy->nodes[parent];
    BT_ASSERT(node->lo <= code && code < node->hi && node->children > 0);
    uint32_t first = node->first, last = node->first + node->children;
    while (last - first > 1) {
        uint32_t middle = first + (last - first) / 2;
        if (hierarchy->nodes[middle].lo <= code)
            first = middle;
        else
            last = middle;
    }
    return first;
}

uint32_t bt_hierarchy_at(const bt_hierarchy *hierarchy, uint32_t code, uint32_t level)
{
    const bt_node *nodes = hierarchy->nodes;
    uint32_t node = hierarchy->leaf_node[code];
    while (node != 0 && nodes[nodes[node].parent].level <= level)
        node = nodes[node].parent;
    return node;
}

uint32_t bt_hierarchy_find(const bt_hierarchy *hierarchy, const char *label, size_t length)
{
    uint32_t place = (uint32_t)bt_hash(label, length) & hierarchy->index_mask;
    for (;; place = (place + 1) & hierarchy->index_mask) {
        uint32_t node = hierarchy->index[place];
        if (node == UINT32_MAX) return node;
        const char *known = hierarchy->nodes[node].label;
        if (strlen(known) == length && memcmp(known, label, length) == 0) return node;
    }
}

size_t bt_hierarchy_path(const bt_hierarchy *hierarchy, uint32_t code, const char **names)
{
    size_t count = 0;
    uint32_t place = hierarchy->leaf_node[code];
    for (const bt_node *node; place != 0; place = node->parent) {
        node = &hierarchy->nodes[place];
        while (count < node->level)
            names[count++] = "";
        /* Only in a given tree do names and levels tell all nodes apart. */
        names[count++] = hierarchy->given || node->level == 0 ? node->name : node->label;
    }
    return count;
}

/* Commas too, so that the separator is never in doubt; a byte-order mark at the beginning of a
 * file would be dropped. */
static bool needs_quotes(const char *text, size_t length)
{
    if (length == 0) return false;
    return strpbrk(text, ";,\"\r\n") || strchr(" \t", text[0]) || strchr(" \t", text[length - 1]) ||
           strncmp(text, "\xEF\xBB\xBF", 3) == 0;
}

static bauta_status put_field(bt_buffer *out, const char *text, bauta_error *error)
{
    size_t length = strlen(text);
    if (!needs_quotes(text, length)) return bt_buffer_add(out, text, length, error);
    BT_TRY(bt_buffer_add(out, "\"", 1, error));
    for (const char *next; (next = strchr(text, '"')) != NULL; text = next + 1) {
        BT_TRY(bt_buffer_add(out, text, (size_t)(next - text) + 1, error));
        BT_TRY(bt_buffer_add(out, "\"", 1, error));
    }
    return bt_buffer_print(out, error, "%s\"", text);
}

static bauta_status put_row(const bt_hierarchy *hierarchy, uint32_t code, bool missing,
                            const char **names, bt_buffer *out, bauta_error *error)
{
    size_t count = bt_hierarchy_path(hierarchy, code, names);
    if (names[0][0] == '\0' && !missing) return BAUTA_OK;
    for (size_t i = 0; i + 1 < hierarchy->levels; i++) {
        if (i < count) BT_TRY(put_field(out, names[i], error));
        BT_TRY(bt_buffer_add(out, ";", 1, error));
    }
    return bt_buffer_add(out, "*\n", 2, error);
}

bauta_status bt_hierarchy_write(const bt_hierarchy *hierarchy, bool missing, bt_buffer *out,
                                bauta_error *error)
{
    BT_OWN(bt_free) const char **names = bt_array(hierarchy->levels, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (uint32_t code = 0; code < hierarchy->leaves; code++)
        BT_TRY(put_row(hierarchy, code, missing, names, out, error));
    return BAUTA_OK;
}

bool bt_hierarchy_is_none(const bt_hierarchy_source *source)
{
    return !source->paths && source->spec && strcmp(source->spec, "none") == 0;
}

/* ---- what a release shows ---------------------------------------------------------------- */

bool bt_spec_shows_values(const char *spec)
{
    return strncmp(spec, "balanced:", 9) == 0;
}

void bt_hierarchy_levels(const bt_hierarchy *hierarchy, const bool *shown, uint32_t *levels)
{
    const bt_node *nodes = hierarchy->nodes;
    bool counted = bt_spec_shows_values(hierarchy->spec);
    for (uint32_t i = 0; i < hierarchy->count; i++)
        levels[i] = counted ? nodes[i].level > 0 : nodes[i].level;
    for (uint32_t i = hierarchy->count; counted && i-- > 1;) { /* children before their parents */
        uint32_t here = levels[i] + (shown[i] && nodes[i].level > 0),
                 *above = &levels[nodes[i].parent];
        if (here > *above) *above = here;
    }
}

bauta_status bt_hierarchy_prune(const bt_hierarchy *hierarchy, const bool *kept, const char *column,
                                bt_arena *arena, bt_hierarchy **out, bauta_error *error)
{
    const char *const **paths = bt_arena_array(arena, hierarchy->leaves, sizeof *paths);
    size_t *lengths = bt_arena_array(arena, hierarchy->leaves, sizeof *lengths), count = 0;
    if (!paths || !lengths) return bt_fail_memory(error);
    for (uint32_t code = 0; code < hierarchy->leaves; code++) {
        if (!kept[code]) continue;
        const char **names = bt_arena_array(arena, hierarchy->levels, sizeof *names);
        if (!names) return bt_fail_memory(error);
        lengths[count] = bt_hierarchy_path(hierarchy, code, names);
        paths[count++] = names;
    }
    BT_TRY(
        bt_hierarchy_from_paths(paths, lengths, count, hierarchy->spec, column, arena, out, error));
    (*out)->given = hierarchy->given;
    (*out)->levels = hierarchy->levels;
    (*out)->nodes[0].level = hierarchy->levels - 1;
    return BAUTA_OK;
}
