/* SPDX-License-Identifier: Apache-2.0
 *
 * The tree is walked without a stack: a node knows its parent, and children stand together. The
 * number of children shown under a node is the largest for which the text fits; a tree that is
 * too deep even with one child each is cut.
 */
#include "profile/tree_text.h"

#include <string.h>

typedef struct walk {
    const bt_hierarchy *tree;
    uint32_t most; /* children shown under a node */
    uint32_t node;
    size_t depth;
} walk;

static uint32_t place_of(const walk *w)
{
    const bt_node *node = &w->tree->nodes[w->node];
    return w->node - w->tree->nodes[node->parent].first;
}

/* Children that are shown: all, or so many that one line more says how many are not. */
static uint32_t shown(const walk *w, uint32_t node)
{
    uint32_t children = w->tree->nodes[node].children;
    return children <= w->most + 1 ? children : w->most;
}

/* What comes next: a node, or the end of a shortened row of children. */
typedef enum stop { STOP_NODE, STOP_REST, STOP_END } stop;

static stop next_stop(walk *w, bool after_rest)
{
    if (!after_rest && w->tree->nodes[w->node].children > 0) {
        w->node = w->tree->nodes[w->node].first;
        w->depth++;
        return STOP_NODE;
    }
    for (;; w->node = w->tree->nodes[w->node].parent, w->depth--, after_rest = false) {
        if (w->node == 0) return STOP_END;
        uint32_t parent = w->tree->nodes[w->node].parent;
        if (after_rest) continue;
        if (place_of(w) + 1 < shown(w, parent)) {
            w->node++;
            return STOP_NODE;
        }
        if (shown(w, parent) < w->tree->nodes[parent].children) return STOP_REST;
    }
}

static bool fits(const bt_hierarchy *tree, uint32_t most, size_t lines)
{
    walk w = {.tree = tree, .most = most};
    size_t used = 1;
    for (stop at = STOP_NODE; used <= lines; used++) {
        at = next_stop(&w, at == STOP_REST);
        if (at == STOP_END) return true;
    }
    return false;
}

static bauta_status put_label(const bt_node *node, bool root, bt_buffer *out, bauta_error *error)
{
    const char *label = node->label;
    if (!root && node->level == 0 && *label == '\0')
        return bt_buffer_print(out, error, "(missing)");
    while (*label) {
        size_t length = strcspn(label, "\n");
        BT_TRY(bt_buffer_add(out, label, length, error));
        label += length;
        if (*label == '\n') {
            BT_TRY(bt_buffer_add(out, "\\n", 2, error));
            label++;
        }
    }
    uint32_t leaves = node->hi - node->lo;
    if (node->level == 0) return BAUTA_OK;
    return bt_buffer_print(out, error, "  (%u %s)", leaves, leaves == 1 ? "value" : "values");
}

static bauta_status put_line(const walk *w, stop at, bt_buffer *out, bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "%*s", (int)(2 * w->depth), ""));
    if (at == STOP_REST) {
        uint32_t parent = w->tree->nodes[w->node].parent;
        BT_TRY(bt_buffer_print(out, error, "... %u more",
                               w->tree->nodes[parent].children - shown(w, parent)));
    } else {
        BT_TRY(put_label(&w->tree->nodes[w->node], w->node == 0, out, error));
    }
    return bt_buffer_add(out, "\n", 1, error);
}

bauta_status bt_tree_text(const bt_hierarchy *hierarchy, size_t lines, bt_buffer *out,
                          bauta_error *error)
{
    static const uint32_t limits[] = {UINT32_MAX - 1, 24, 16, 12, 8, 6, 5, 4, 3, 2, 1};
    size_t limit = 0;
    while (limit + 1 < sizeof limits / sizeof *limits && !fits(hierarchy, limits[limit], lines))
        limit++;
    walk w = {.tree = hierarchy, .most = limits[limit]};
    stop at = STOP_NODE;
    for (size_t used = 0; at != STOP_END; used++) {
        if (used + 1 == lines && !fits(hierarchy, w.most, lines))
            return bt_buffer_print(out, error, "... and more below\n");
        BT_TRY(put_line(&w, at, out, error));
        at = next_stop(&w, at == STOP_REST);
    }
    return BAUTA_OK;
}
