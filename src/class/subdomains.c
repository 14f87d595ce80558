/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds of aggregates over a published group: sorted lows and highs with prefix sums.
 */
#include "class/subdomains.h"

#include "base/assert.h"

static int by_low(const void *left, const void *right)
{
    const bt_subdomain *a = left, *b = right;
    return (a->low > b->low) - (a->low < b->low);
}

static int by_high(const void *left, const void *right) /* descending */
{
    const bt_subdomain *a = left, *b = right;
    return (a->high < b->high) - (a->high > b->high);
}

static size_t make_edges(const bt_subdomain *items, size_t count, bool high, bt_edge *edges)
{
    size_t made = 0;
    uint64_t before = 0;
    __int128 sum = 0;
    for (size_t i = 0; i < count; i++) {
        int64_t value = high ? items[i].high : items[i].low;
        if (made == 0 || edges[made - 1].value != value)
            edges[made++] = (bt_edge){value, before, sum};
        before += items[i].copies;
        sum += (__int128)value * (__int128)items[i].copies;
    }
    return made;
}

bauta_status bt_subdomains_make(bt_subdomain *items, size_t count, bt_arena *arena,
                                bt_subdomains *out, bauta_error *error)
{
    bt_edge *lows = bt_arena_array(arena, count, sizeof *lows);
    bt_edge *highs = bt_arena_array(arena, count, sizeof *highs);
    if (!lows || !highs) return bt_fail_memory(error);
    *out = (bt_subdomains){.lows = lows, .highs = highs};
    for (size_t i = 0; i < count; i++) {
        BT_ASSERT(items[i].copies > 0 && items[i].low <= items[i].high);
        out->total += items[i].copies;
    }
    qsort(items, count, sizeof *items, by_high);
    out->high_count = make_edges(items, count, true, highs);
    qsort(items, count, sizeof *items, by_low);
    out->low_count = make_edges(items, count, false, lows);
    return BAUTA_OK;
}

/* The run that the selected-th node is in. */
static const bt_edge *edge_of(const bt_edge *edges, size_t count, uint64_t selected)
{
    while (count > 1) {
        size_t half = count / 2;
        if (edges[half].before < selected) {
            edges += half;
            count -= half;
        } else {
            count = half;
        }
    }
    return edges;
}

bt_aggregates bt_subdomains_select(const bt_subdomains *group, uint64_t selected)
{
    BT_ASSERT(selected > 0 && selected <= group->total);
    const bt_edge *low = edge_of(group->lows, group->low_count, selected);
    const bt_edge *high = edge_of(group->highs, group->high_count, selected);
    return (bt_aggregates){
        .selected = selected,
        .sum_low = low->sum_before + (__int128)low->value * (__int128)(selected - low->before),
        .sum_high = high->sum_before + (__int128)high->value * (__int128)(selected - high->before),
        .min_low = group->lows->value,
        .min_high = high->value,
        .max_low = low->value,
        .max_high = group->highs->value,
    };
}
