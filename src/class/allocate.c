/* SPDX-License-Identifier: Apache-2.0
 *
 * Algorithm 1: how many values lie under each node, then from the root down how many of them are
 * published inside each child. A group of few values touches only the nodes above them.
 */
#include "class/allocate.h"

#include <string.h>

struct bt_allocator {
    uint32_t nodes, codes;
    uint64_t *under;  /* per node: values of the group; all 0 between calls */
    uint64_t *inside; /* per node: records published inside it; set when the parent is visited */
    uint32_t *queue;  /* nodes to visit */
    uint32_t *tally;  /* per code; all 0 between calls */
    bt_arena arena;
};

bauta_status bt_allocator_new(uint32_t nodes, uint32_t codes, bt_allocator **out,
                              bauta_error *error)
{
    bt_allocator *made = *out = bt_array_zero(1, sizeof *made);
    if (!made) return bt_fail_memory(error);
    made->nodes = nodes;
    made->codes = codes;
    made->under = bt_arena_array(&made->arena, nodes, sizeof *made->under);
    made->inside = bt_arena_array(&made->arena, nodes, sizeof *made->inside);
    made->queue = bt_arena_array(&made->arena, nodes, sizeof *made->queue);
    made->tally = bt_arena_array(&made->arena, codes, sizeof *made->tally);
    if (!made->arena.failed) return BAUTA_OK;
    bt_allocator_free(made);
    *out = NULL;
    return bt_fail_memory(error);
}

void bt_allocator_free(bt_allocator *allocator)
{
    if (!allocator) return;
    bt_arena_release(&allocator->arena);
    free(allocator);
}

void bt_allocation_release(bt_allocation *parts)
{
    free(parts->items);
    *parts = (bt_allocation){0};
}

/* ---- counting a group ---- */

size_t bt_allocator_hold(bt_allocator *allocator, const bt_space *space, const bt_column *column,
                         const uint32_t *rows, size_t count, bt_held *held)
{
    uint32_t *tally = allocator->tally;
    size_t distinct = 0;
    if (count >= allocator->codes / 4) { /* a pass over the domain costs no more */
        for (size_t i = 0; i < count; i++)
            tally[space->code_of[bt_column_code(column, rows[i])]]++;
        for (uint32_t code = 0; code < allocator->codes; code++)
            if (tally[code] > 0) held[distinct++] = (bt_held){code, tally[code]};
    } else {
        for (size_t i = 0; i < count; i++) {
            uint32_t code = space->code_of[bt_column_code(column, rows[i])];
            if (tally[code]++ == 0) held[distinct++].code = code;
        }
        for (size_t i = 0; i < distinct; i++)
            held[i].count = tally[held[i].code];
    }
    for (size_t i = 0; i < distinct; i++)
        tally[held[i].code] = 0;
    return distinct;
}

/* ---- values under nodes ---- */

enum { DENSE_FACTOR = 8 }; /* a walk up costs about this many steps of a pass over all nodes */

static bool is_dense(const bt_target *target, size_t distinct)
{
    return distinct >= target->count / DENSE_FACTOR;
}

static void count_under(const bt_target *target, bt_allocator *a, const bt_held *held,
                        size_t distinct)
{
    if (is_dense(target, distinct)) {
        for (size_t i = 0; i < distinct; i++)
            a->under[target->leaf_of[held[i].code]] += held[i].count;
        for (uint32_t node = target->count; node-- > 1;)
            a->under[target->nodes[node].parent] += a->under[node];
        return;
    }
    for (size_t i = 0; i < distinct; i++) {
        uint32_t node = target->leaf_of[held[i].code];
        for (; node > 0; node = target->nodes[node].parent)
            a->under[node] += held[i].count;
        a->under[0] += held[i].count;
    }
}

static void clear_under(const bt_target *target, bt_allocator *a, const bt_held *held,
                        size_t distinct)
{
    if (is_dense(target, distinct)) {
        memset(a->under, 0, target->count * sizeof *a->under);
        return;
    }
    for (size_t i = 0; i < distinct; i++)
        for (uint32_t node = target->leaf_of[held[i].code]; node > 0;
             node = target->nodes[node].parent)
            a->under[node] = 0;
    a->under[0] = 0;
}

/* ---- from the root down ---- */

/* How often every child can get its weight in records. */
static uint64_t greatest_steps(const bt_target *target, const bt_allocator *a, uint32_t node)
{
    const bt_target_node *above = &target->nodes[node], *child = target->nodes + above->first;
    const uint64_t *under = a->under + above->first;
    uint64_t steps = a->inside[node] / above->sum;
    for (uint32_t i = 0; i < above->children && steps > 0; i++) {
        uint64_t reach = child[i].weight == 1 ? under[i] : under[i] / child[i].weight;
        if (reach < steps) steps = reach;
    }
    return steps;
}

/* Less a geometric number: the ones at the end of random words. */
static uint64_t fewer_steps(uint64_t steps, bt_stream *stream)
{
    uint64_t fewer = 0, word;
    do {
        word = bt_stream_next(stream);
        unsigned ones = word == UINT64_MAX ? 64 : (unsigned)__builtin_ctzll(~word);
        fewer += ones;
    } while (word == UINT64_MAX && fewer < steps);
    return fewer < steps ? steps - fewer : 0;
}

static bauta_status add_part(bt_allocation *parts, uint32_t node, uint64_t copies,
                             bauta_error *error)
{
    if (parts->count == parts->capacity)
        BT_TRY(bt_array_grow(&parts->items, &parts->capacity, parts->count + 1,
                             sizeof *parts->items, error));
    parts->items[parts->count++] = (bt_part){node, (uint32_t)copies};
    parts->total += copies;
    return BAUTA_OK;
}

static bauta_status go_down(const bt_target *target, bt_allocator *a, bt_stream *stream,
                            bt_allocation *out, bauta_error *error)
{
    uint32_t head = 0, tail = 0;
    a->inside[0] = a->under[0];
    if (a->inside[0] > 0) a->queue[tail++] = 0;
    while (head < tail) { /* breadth-first, as the nodes are numbered */
        uint32_t node = a->queue[head++];
        const bt_target_node *here = &target->nodes[node];
        uint64_t steps = here->children > 0 ? greatest_steps(target, a, node) : 0;
        if (stream && steps > 0) steps = fewer_steps(steps, stream);
        uint64_t rest = a->inside[node] - steps * here->sum;
        if (rest > 0) BT_TRY(add_part(out, node, rest, error));
        for (uint32_t i = 0; steps > 0 && i < here->children; i++) {
            a->inside[here->first + i] = steps * target->nodes[here->first + i].weight;
            a->queue[tail++] = here->first + i;
        }
    }
    return BAUTA_OK;
}

bauta_status bt_allocate(const bt_target *target, bt_allocator *allocator, const bt_held *held,
                         size_t distinct, bt_stream *stream, bt_allocation *out, bauta_error *error)
{
    out->count = 0;
    out->total = 0;
    for (size_t i = 0; i < distinct; i++)
        if (target->leaf_of[held[i].code] == BT_NO_NODE)
            return bt_fail(error, BAUTA_INVALID,
                           "the target gives a value of the group probability 0");
    count_under(target, allocator, held, distinct);
    bauta_status status = go_down(target, allocator, stream, out, error);
    clear_under(target, allocator, held, distinct);
    return status;
}
