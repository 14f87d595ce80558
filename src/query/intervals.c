/* SPDX-License-Identifier: Apache-2.0
 *
 * Union by sorting; everything else through complements.
 */
#include "query/intervals.h"

#include "base/assert.h"

static int compare(const void *left, const void *right)
{
    const bt_interval *a = left, *b = right;
    return (a->from > b->from) - (a->from < b->from);
}

/* Ascending and apart from each other. */
static bool settled(const bt_intervals *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->items[i].from > set->items[i].to ||
            (i > 0 && set->items[i].from <= (uint64_t)set->items[i - 1].to + 1))
            return false;
    return true;
}

void bt_intervals_settle(bt_intervals *set)
{
    size_t count = 0;
    if (set->count == 0) return;
    qsort(set->items, set->count, sizeof *set->items, compare);
    for (size_t i = 1; i < set->count; i++) {
        bt_interval next = set->items[i], *last = &set->items[count];
        if (next.from > last->to && next.from - last->to > 1)
            set->items[++count] = next;
        else if (next.to > last->to)
            last->to = next.to;
    }
    set->count = count + 1;
    BT_ASSERT(settled(set));
}

bauta_status bt_intervals_complement(const bt_intervals *set, uint32_t last, bt_arena *arena,
                                     bt_intervals *out, bauta_error *error)
{
    uint64_t from = 0;
    BT_ASSERT(settled(set) && (set->count == 0 || set->items[set->count - 1].to <= last));
    bt_interval *items = bt_arena_array(arena, set->count + 1, sizeof *items);
    if (!items) return bt_fail_memory(error);
    size_t count = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i].from > from)
            items[count++] = (bt_interval){(uint32_t)from, set->items[i].from - 1};
        from = (uint64_t)set->items[i].to + 1;
    }
    if (from <= last) items[count++] = (bt_interval){(uint32_t)from, last};
    *out = (bt_intervals){items, count};
    return BAUTA_OK;
}

static bauta_status unite(const bt_intervals *sets, size_t count, bt_arena *arena,
                          bt_intervals *out, bauta_error *error)
{
    size_t total = 0, at = 0;
    for (size_t i = 0; i < count; i++)
        total += sets[i].count;
    bt_interval *items = bt_arena_array(arena, total, sizeof *items);
    if (!items) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < sets[i].count; j++)
            items[at++] = sets[i].items[j];
    *out = (bt_intervals){items, total};
    bt_intervals_settle(out);
    return BAUTA_OK;
}

bauta_status bt_intervals_combine(const bt_intervals *const *sets, size_t count, bool all,
                                  uint32_t last, bt_arena *arena, bt_intervals *out,
                                  bauta_error *error)
{
    bt_intervals *parts = bt_arena_array(arena, count, sizeof *parts);
    if (!parts) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        parts[i] = *sets[i];
        if (all) BT_TRY(bt_intervals_complement(sets[i], last, arena, &parts[i], error));
    }
    BT_TRY(unite(parts, count, arena, out, error));
    if (!all) return BAUTA_OK;
    bt_intervals others = *out;
    return bt_intervals_complement(&others, last, arena, out, error);
}
