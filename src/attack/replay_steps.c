/* SPDX-License-Identifier: Apache-2.0
 *
 * How many values may lie under each node, given how many steps were taken there.
 *
 * At a node with s parts inside, whose children have the weights w_i and W in all, a step gives w_i
 * parts to each child; with u_i values under the children at most
 *   m = min(s / W, u_1 / w_1, …)
 * steps are possible. The optimal choice takes m; a random one takes n < m with a probability that
 * halves with every step left out. So n steps are as likely as f(m - n): where the choice is
 * optimal 1 for n = m and 0 for less, where it is random 1, 1/2, 1/4 and so on.
 *
 * Let e(u) be how likely what is seen below a node is when u values lie under it, over u!; then
 *   e(u) = sum over u_1 + … = u of f(m - n) * product of q_i^u_i * e_i(u_i)
 * where q_i is the child's share of its parent, and e_i(u) = 1 / u! where nothing is to be seen.
 * From the root down, o(u) is how likely all the rest is, so that e(u) * o(u) is that of u values
 * under the node. m - n is followed up to `reach`, beyond which f does not matter.
 *
 * Cost: for each node on which something is seen its children times the square of the group's size.
 */
#include "attack/replay.h"

#include <math.h>
#include <string.h>

enum { REACH_MOST = 40 }; /* 2^-40 is nothing */

typedef struct steps {
    bt_replay *replay;
    uint32_t size;                      /* values of the group */
    double inverse[BT_REPLAY_MOST + 1]; /* 1 / u! */
    uint32_t slots, *slot_of;           /* per node: its place below, + 1; 0: nothing is seen */
    double *below, *rest;               /* per slot: e and o, size + 1 each */
    double *before, *after, *next;      /* of the node at hand: per child, sum and reach */
    double all;                         /* how likely everything is */
} steps;

typedef struct stage { /* a node at hand */
    const bt_target_node *node;
    uint64_t taken; /* steps */
    uint32_t reach;
    size_t width; /* entries of a table: (size + 1) * (reach + 1) */
} stage;

static stage stage_of(const steps *s, uint32_t number)
{
    const bt_replay *r = s->replay;
    const bt_target_node *node = &r->target->nodes[number];
    stage g = {.node = node};
    if (node->children == 0 || r->inside[number] == 0) return g;
    g.taken = (r->inside[number] - r->copies[number]) / node->sum;
    uint64_t more = r->inside[number] / node->sum - g.taken;
    uint32_t most = r->rule.random ? REACH_MOST : 1;
    g.reach = more < most ? (uint32_t)more : most;
    g.width = ((size_t)s->size + 1) * (g.reach + 1);
    return g;
}

static bool is_telling(const stage *g)
{
    return g->taken > 0 || g->reach > 0;
}

/* f: how likely the steps taken are when so many more were possible. */
static double likelihood(const steps *s, uint32_t more)
{
    return s->replay->rule.random ? ldexp(1, -(int)more) : more == 0;
}

static double below_child(const steps *s, uint32_t child, uint32_t values)
{
    uint32_t slot = s->slot_of[child];
    return slot ? s->below[(slot - 1) * ((size_t)s->size + 1) + values] : s->inverse[values];
}

typedef struct offspring { /* a child of the node at hand */
    uint32_t number;
    double share; /* of its parent */
    uint32_t least, weight;
} offspring;

static offspring child_of(const steps *s, const stage *g, uint32_t i)
{
    const bt_target_node *child = &s->replay->target->nodes[g->node->first + i];
    uint64_t least = g->taken * child->weight;
    return (offspring){
        .number = g->node->first + i,
        .share = (double)child->weight / (double)g->node->sum,
        .least = least > s->size ? s->size + 1 : (uint32_t)least,
        .weight = child->weight > BT_REPLAY_MOST ? BT_REPLAY_MOST + 1 : (uint32_t)child->weight,
    };
}

static uint32_t reach_with(const offspring *child, uint32_t values, uint32_t reach)
{
    uint32_t more = (values - child->least) / child->weight;
    return more < reach ? more : reach;
}

/* Tables of the children before each: `before` holds children + 1 of them. */
static void go_forward(steps *s, const stage *g)
{
    memset(s->before, 0, g->width * (g->node->children + 1) * sizeof *s->before);
    s->before[g->reach] = 1;
    for (uint32_t i = 0; i < g->node->children; i++) {
        offspring child = child_of(s, g, i);
        const double *from = s->before + i * g->width;
        double *to = s->before + (i + 1) * g->width;
        double power = pow(child.share, child.least);
        for (uint32_t x = child.least; x <= s->size; x++) {
            double weight = power * below_child(s, child.number, x);
            for (uint32_t u = 0; u + x <= s->size; u++)
                for (uint32_t r = 0; r <= g->reach; r++)
                    to[(u + x) * (g->reach + 1) + reach_with(&child, x, r)] +=
                        from[u * (g->reach + 1) + r] * weight;
            power *= child.share;
        }
    }
}

static void sum_up(steps *s, const stage *g, double *below)
{
    const double *last = s->before + g->node->children * g->width;
    for (uint32_t u = 0; u <= s->size; u++) {
        below[u] = 0;
        for (uint32_t r = 0; r <= g->reach; r++)
            below[u] += last[u * (g->reach + 1) + r] * likelihood(s, r);
    }
}

/* What is expected under a child, or what it needs for its own children. */
static void leave_child(steps *s, const offspring *child, const double *rest)
{
    uint32_t slot = s->slot_of[child->number];
    double expected = 0;
    if (slot) {
        memcpy(s->rest + (slot - 1) * ((size_t)s->size + 1), rest,
               ((size_t)s->size + 1) * sizeof *rest);
        return;
    }
    for (uint32_t x = 1; x <= s->size; x++)
        expected += x * rest[x] * s->inverse[x];
    bt_replay_believe(s->replay, child->number, expected / s->all / s->size);
}

/* One child: `after` is of those behind it, and becomes its own. */
static void go_back(steps *s, const stage *g, uint32_t i)
{
    double rest[BT_REPLAY_MOST + 1] = {0};
    offspring child = child_of(s, g, i);
    const double *from = s->before + i * g->width;
    double power = pow(child.share, child.least);
    memset(s->next, 0, g->width * sizeof *s->next);
    for (uint32_t x = child.least; x <= s->size; x++) {
        double weight = power * below_child(s, child.number, x);
        for (uint32_t u = 0; u + x <= s->size; u++)
            for (uint32_t r = 0; r <= g->reach; r++) {
                double behind = s->after[(u + x) * (g->reach + 1) + reach_with(&child, x, r)];
                rest[x] += power * from[u * (g->reach + 1) + r] * behind;
                s->next[u * (g->reach + 1) + r] += weight * behind;
            }
        power *= child.share;
    }
    leave_child(s, &child, rest);
    double *kept = s->after;
    s->after = s->next;
    s->next = kept;
}

/* How likely all values under a node that shows no parts below are under one child. */
static double find_alike(const steps *s, const stage *g, const double *rest)
{
    double sum = 0;
    for (uint32_t i = 0; i < g->node->children; i++) {
        offspring child = child_of(s, g, i);
        double power = 1;
        for (uint32_t u = 1; u <= s->size; u++) {
            power *= child.share;
            sum += rest[u] * power * s->inverse[u];
        }
    }
    return sum / s->all;
}

static void go_down(steps *s, uint32_t number)
{
    bt_replay *r = s->replay;
    stage g = stage_of(s, number);
    const double *rest = s->rest + (s->slot_of[number] - 1) * ((size_t)s->size + 1);
    for (size_t i = 0; i < r->part_count && g.taken == 0; i++)
        if (r->parts[i].node == number && r->parts[i].copies > 1)
            r->alike[i] = find_alike(s, &g, rest);
    go_forward(s, &g);
    for (uint32_t u = 0; u <= s->size; u++)
        for (uint32_t reach = 0; reach <= g.reach; reach++)
            s->after[u * (g.reach + 1) + reach] = rest[u] * likelihood(s, reach);
    for (uint32_t i = g.node->children; i-- > 0;)
        go_back(s, &g, i);
}

/* ---- the whole --------------------------------------------------------------------------- */

/* Places for all nodes that tell something, and tables for the largest; false: too much. */
static bool measure(steps *s, size_t *table, size_t *widest)
{
    const bt_replay *r = s->replay;
    uint64_t work = 0;
    *table = *widest = 0;
    for (uint32_t number = 0; number < r->target->count; number++) {
        stage g = stage_of(s, number);
        if (!is_telling(&g)) continue;
        s->slot_of[number] = ++s->slots;
        uint64_t each = (uint64_t)g.width * (s->size + 1);
        if (each > BT_REPLAY_WORK || g.node->children > BT_REPLAY_WORK / each) return false;
        work += each * g.node->children;
        if (work > BT_REPLAY_WORK) return false;
        if (g.width > *widest) *widest = g.width;
        if (g.width * (g.node->children + 1) > *table) *table = g.width * (g.node->children + 1);
    }
    s->replay->work += work;
    return s->slots > 0;
}

static bauta_status run_steps(steps *s, bt_arena *arena, bool *done, bauta_error *error)
{
    const bt_target *target = s->replay->target;
    size_t table, widest, room = (size_t)s->size + 1;
    s->slot_of = bt_arena_array(arena, target->count, sizeof *s->slot_of);
    if (!s->slot_of) return bt_fail_memory(error);
    if (!measure(s, &table, &widest)) return BAUTA_OK;
    s->below = bt_arena_array(arena, s->slots * room, sizeof *s->below);
    s->rest = bt_arena_array(arena, s->slots * room, sizeof *s->rest);
    s->before = bt_arena_array(arena, table, sizeof *s->before);
    s->after = bt_arena_array(arena, widest, sizeof *s->after);
    s->next = bt_arena_array(arena, widest, sizeof *s->next);
    if (!s->below || !s->rest || !s->before || !s->after || !s->next) return bt_fail_memory(error);
    for (uint32_t number = target->count; number-- > 0;) {
        if (!s->slot_of[number]) continue;
        stage g = stage_of(s, number);
        go_forward(s, &g);
        sum_up(s, &g, s->below + (s->slot_of[number] - 1) * room);
    }
    s->all = s->below[s->size]; /* of the root, the first */
    if (s->all <= 0) return BAUTA_OK;
    s->rest[s->size] = 1;
    for (uint32_t number = 0; number < target->count; number++)
        if (s->slot_of[number]) go_down(s, number);
    *done = true;
    return BAUTA_OK;
}

/* Made-up values are drawn like records: each part stands for one with the same probability. */
bauta_status bt_replay_steps(bt_replay *replay, bool *done, bauta_error *error)
{
    steps s = {.replay = replay, .size = replay->total, .inverse = {1}};
    bt_arena arena = {0};
    for (uint32_t u = 1; u <= s.size; u++)
        s.inverse[u] = s.inverse[u - 1] / u;
    bauta_status status = run_steps(&s, &arena, done, error);
    for (size_t i = 0; i < replay->part_count && *done; i++)
        replay->made_up[i] =
            (double)replay->parts[i].copies * (replay->total - replay->records) / replay->total;
    bt_arena_release(&arena);
    return status;
}
