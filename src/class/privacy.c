/* SPDX-License-Identifier: Apache-2.0
 *
 * P-privacy: counts inside nodes against weights, multiplied out.
 */
#include "class/privacy.h"

#include <string.h>

bauta_status bt_privacy_init(bt_privacy *privacy, uint32_t nodes, bauta_error *error)
{
    *privacy = (bt_privacy){0};
    privacy->inside = bt_array_zero(nodes, sizeof *privacy->inside);
    privacy->queue = bt_array(nodes, sizeof *privacy->queue);
    return privacy->inside && privacy->queue ? BAUTA_OK : bt_fail_memory(error);
}

void bt_privacy_release(bt_privacy *privacy)
{
    free(privacy->inside);
    free(privacy->queue);
    *privacy = (bt_privacy){0};
}

static bool in_proportion(const bt_privacy *privacy, const bt_target *target, uint32_t node)
{
    const bt_target_node *above = &target->nodes[node];
    const uint64_t *inside = privacy->inside + above->first;
    bt_wide all = 0;
    for (uint32_t i = 0; i < above->children; i++)
        all += inside[i];
    for (uint32_t i = 0; i < above->children; i++)
        if ((bt_wide)inside[i] * above->sum != all * target->nodes[above->first + i].weight)
            return false;
    return true;
}

/* Each part adds to all nodes above it, or, when there are many, the nodes are gone through. */
static void count_inside(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                         size_t count, bool many)
{
    uint64_t *inside = privacy->inside;
    for (size_t i = 0; i < count; i++) {
        uint32_t node = parts[i].node;
        inside[node] += parts[i].copies;
        for (; !many && node > 0; node = target->nodes[node].parent)
            inside[target->nodes[node].parent] += parts[i].copies;
    }
    for (uint32_t node = target->count; many && node-- > 1;)
        inside[target->nodes[node].parent] += inside[node];
}

/* From the root down, where something is inside. */
static bool all_in_proportion(const bt_privacy *privacy, const bt_target *target, uint32_t *node)
{
    uint32_t head = 0, tail = 1;
    privacy->queue[0] = 0;
    while (head < tail) {
        *node = privacy->queue[head++];
        const bt_target_node *above = &target->nodes[*node];
        if (!in_proportion(privacy, target, *node)) return false;
        for (uint32_t i = above->first; i < above->first + above->children; i++)
            if (privacy->inside[i] > 0) privacy->queue[tail++] = i;
    }
    return true;
}

static void clear_inside(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                         size_t count, bool many)
{
    if (many) memset(privacy->inside, 0, target->count * sizeof *privacy->inside);
    for (size_t i = 0; !many && i < count; i++)
        for (uint32_t node = parts[i].node;; node = target->nodes[node].parent) {
            privacy->inside[node] = 0;
            if (node == 0) break;
        }
}

bool bt_privacy_check(bt_privacy *privacy, const bt_target *target, const bt_part *parts,
                      size_t count, uint32_t *node)
{
    enum { MANY = 8 }; /* a part for so many nodes */
    bool many = count >= target->count / MANY;
    count_inside(privacy, target, parts, count, many);
    bool holds = all_in_proportion(privacy, target, node);
    clear_inside(privacy, target, parts, count, many);
    return holds;
}
