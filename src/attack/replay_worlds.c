/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up values that were chosen for a group: every bag of values that the parts can hold is
 * tried. It remains when its best choice of made-up values costs exactly what the parts that are
 * seen cost (the sum of their ranges), and with `best:` when fewer made-up values would have cost
 * more and others not less. Which of equally good choices is taken is not assumed to be known.
 *
 * Let b(D, k, s) be the least cost of s parts inside D with k made-up values under it. Each number
 * of steps is tried, and every way to share the k among the children.
 *
 * Cost: the bags of as many values as the group has records, times the nodes of the target.
 */
#include "attack/replay.h"

#include <string.h>

#define IMPOSSIBLE (UINT64_MAX / 4)

enum { TABLE_MOST = 1 << 22, RANGE_BITS = 48 };

typedef struct worlds {
    bt_replay *replay;
    uint32_t most, seen;    /* made-up values: at most, and as the parts have it */
    uint64_t cost;          /* of the parts */
    uint32_t *leaves;       /* codes of the target's values */
    uint32_t *counts;       /* per code: the bag at hand */
    uint64_t *under, *left; /* per node: values; and those without a part */
    uint64_t *best;         /* per node, number of made-up values and of parts */
    uint64_t *among;        /* of the children: per number of made-up values */
    double *surplus;        /* per part */
    double all;             /* how likely the bags that remain are */
    uint64_t work;
} worlds;

static size_t row_length(const worlds *w)
{
    return (size_t)w->replay->records + w->most + 1;
}

static uint64_t *best_of(const worlds *w, uint32_t node, uint32_t made_up)
{
    return w->best + ((size_t)node * (w->most + 1) + made_up) * row_length(w);
}

/* ---- one bag ----------------------------------------------------------------------------- */

static void count_under(worlds *w)
{
    const bt_target *target = w->replay->target;
    memset(w->under, 0, target->count * sizeof *w->under);
    for (uint32_t i = 0; i < target->leaves; i++)
        w->under[target->leaf_of[w->leaves[i]]] = w->counts[w->leaves[i]];
    for (uint32_t node = target->count; node-- > 1;)
        w->under[target->nodes[node].parent] += w->under[node];
}

/* Whether each value can have a part of its own that it lies in. */
static bool is_held(worlds *w)
{
    const bt_target *target = w->replay->target;
    memset(w->left, 0, target->count * sizeof *w->left);
    for (uint32_t node = target->count; node-- > 0;) {
        uint64_t open = target->nodes[node].children ? w->left[node] : w->under[node];
        uint64_t parts = w->replay->copies[node];
        open = open > parts ? open - parts : 0;
        if (node == 0) return open == 0;
        w->left[target->nodes[node].parent] += open;
    }
    return false;
}

/* The least cost of the parts inside the children after so many steps, per number of made-up
 * values. */
static void try_steps(worlds *w, const bt_target_node *node, uint64_t steps)
{
    uint64_t before[BT_REPLAY_MOST + 1];
    memset(w->among, 0, (w->most + 1) * sizeof *w->among);
    for (uint32_t i = 0; i < node->children; i++) {
        uint32_t child = node->first + i;
        uint64_t parts = steps * w->replay->target->nodes[child].weight;
        memcpy(before, w->among, (w->most + 1) * sizeof *before);
        for (uint32_t k = 0; k <= w->most; k++) {
            uint64_t least = IMPOSSIBLE;
            for (uint32_t x = 0; x <= k; x++) {
                uint64_t cost = parts < row_length(w) ? best_of(w, child, x)[parts] : IMPOSSIBLE;
                if (before[k - x] + cost < least) least = before[k - x] + cost;
            }
            w->among[k] = least;
        }
    }
}

static void weigh_node(worlds *w, uint32_t number)
{
    const bt_target_node *node = &w->replay->target->nodes[number];
    size_t length = row_length(w);
    for (uint32_t k = 0; k <= w->most; k++)
        for (size_t s = 0; s < length; s++)
            best_of(w, number, k)[s] = s <= w->under[number] + k ? s * node->range : IMPOSSIBLE;
    for (uint64_t steps = 1; node->children > 0 && steps * node->sum < length; steps++) {
        uint64_t taken = steps * node->sum;
        try_steps(w, node, steps);
        for (uint32_t k = 0; k <= w->most; k++)
            for (size_t s = taken; s < length && s <= w->under[number] + k; s++) {
                uint64_t cost = (s - taken) * node->range + w->among[k];
                if (cost < best_of(w, number, k)[s]) best_of(w, number, k)[s] = cost;
            }
        w->work += (uint64_t)node->children * (w->most + 1) * (w->most + 1);
    }
    w->work += (w->most + 1) * length;
}

/* Whether the parts would have been chosen for the bag at hand. */
static bool is_chosen(worlds *w)
{
    uint32_t records = w->replay->records;
    for (uint32_t node = w->replay->target->count; node-- > 0;)
        weigh_node(w, node);
    if (best_of(w, 0, w->seen)[records + w->seen] != w->cost) return false;
    for (uint32_t k = 0; k <= w->most && w->replay->rule.fakes.best; k++) {
        uint64_t cost = best_of(w, 0, k)[records + k];
        if (k < w->seen ? cost <= w->cost : cost < w->cost) return false;
    }
    return true;
}

/* ---- all bags ---------------------------------------------------------------------------- */

static void keep_bag(worlds *w)
{
    bt_replay *r = w->replay;
    double likely = 1;
    for (uint32_t i = 0; i < r->target->leaves; i++)
        for (uint32_t c = w->counts[w->leaves[i]]; c > 0; c--)
            likely *= r->chance[r->target->leaf_of[w->leaves[i]]] / c;
    w->all += likely;
    for (uint32_t i = 0; i < r->target->leaves; i++)
        r->share[w->leaves[i]] += likely * w->counts[w->leaves[i]] / r->records;
    bt_replay_surplus(r, w->counts, w->surplus);
    for (size_t i = 0; i < r->part_count; i++)
        r->made_up[i] += likely * w->surplus[i];
}

/* The next bag of as many values; false: there is none. */
static bool next_bag(worlds *w)
{
    uint32_t i = 0, leaves = w->replay->target->leaves;
    while (w->counts[w->leaves[i]] == 0)
        i++;
    if (i + 1 == leaves) return false;
    uint32_t moved = w->counts[w->leaves[i]];
    w->counts[w->leaves[i]] = 0;
    w->counts[w->leaves[0]] = moved - 1;
    w->counts[w->leaves[i + 1]]++;
    return true;
}

static void try_bags(worlds *w, bool *done)
{
    bt_replay *r = w->replay;
    w->counts[w->leaves[0]] = r->records;
    do {
        count_under(w);
        w->work += r->target->count;
        if (is_held(w) && is_chosen(w)) keep_bag(w);
    } while (w->work <= BT_REPLAY_WORK && next_bag(w));
    r->work += w->work;
    *done = w->work <= BT_REPLAY_WORK && w->all > 0;
    for (uint32_t i = 0; i < r->target->leaves && *done; i++)
        r->share[w->leaves[i]] /= w->all;
    for (size_t i = 0; i < r->part_count && *done; i++)
        r->made_up[i] /= w->all;
}

/* ---- what is too large ------------------------------------------------------------------- */

/* Whether there are few enough bags of the records' number of values. */
static bool are_few(const bt_replay *r)
{
    double bags = 1;
    for (uint32_t i = 1; i <= r->records && bags <= BT_REPLAY_WORLDS; i++)
        bags *= (double)(r->target->leaves - 1 + i) / i;
    return bags <= BT_REPLAY_WORLDS;
}

/* False: the parts are not such as the rule makes them, or too many. */
static bool set_up(worlds *w)
{
    const bt_replay *r = w->replay;
    uint64_t most = bt_replay_made_up(r);
    if (r->total < r->records || most > BT_REPLAY_MOST) return false;
    w->most = (uint32_t)most;
    w->seen = r->total - r->records;
    if (w->seen > w->most || (!r->rule.fakes.best && w->seen != w->most) || !are_few(r))
        return false;
    if (r->target->nodes[0].range >> RANGE_BITS) return false;
    size_t each = (w->most + 1) * row_length(w);
    if (r->target->count > TABLE_MOST / each) return false;
    for (size_t i = 0; i < r->part_count; i++)
        w->cost += r->parts[i].copies * r->target->nodes[r->parts[i].node].range;
    return true;
}

bauta_status bt_replay_worlds(bt_replay *replay, bool *done, bauta_error *error)
{
    worlds w = {.replay = replay};
    const bt_target *target = replay->target;
    bt_arena arena = {0};
    if (!set_up(&w)) return BAUTA_OK;
    size_t nodes = target->count, leaves = 0;
    w.leaves = bt_arena_array(&arena, target->leaves, sizeof *w.leaves);
    w.counts = bt_arena_array(&arena, target->codes, sizeof *w.counts);
    w.under = bt_arena_array(&arena, nodes, sizeof *w.under);
    w.left = bt_arena_array(&arena, nodes, sizeof *w.left);
    w.best = bt_arena_array(&arena, nodes * (w.most + 1) * row_length(&w), sizeof *w.best);
    w.among = bt_arena_array(&arena, w.most + 1, sizeof *w.among);
    w.surplus = bt_arena_array(&arena, replay->part_count, sizeof *w.surplus);
    bauta_status status = BAUTA_OK;
    if (w.leaves && w.counts && w.under && w.left && w.best && w.among && w.surplus) {
        for (uint32_t code = 0; code < target->codes; code++)
            if (target->leaf_of[code] != BT_NO_NODE) w.leaves[leaves++] = code;
        try_bags(&w, done);
    } else {
        status = bt_fail_memory(error);
    }
    bt_arena_release(&arena);
    return status;
}
