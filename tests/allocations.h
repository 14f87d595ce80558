/* SPDX-License-Identifier: Apache-2.0
 *
 * Definitions of paper 2 about parts, as tests need them.
 */
#ifndef BT_TEST_ALLOCATIONS_H
#define BT_TEST_ALLOCATIONS_H

#include "class/allocate.h"
#include "class/subdomains.h"

#include "support.h"

/* The sum of copies times range. */
static inline uint64_t parts_cost(const bt_target *target, const bt_part *parts, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += parts[i].copies * target->nodes[parts[i].node].range;
    return sum;
}

/* Whether the values can each have a part of their own that they lie in (Definition 3.1); parts
 * that are left over are of made-up values. From the leaves up: values take the parts of their own
 * node, and what is left goes on to the node above. */
static inline bool parts_cover(const bt_target *target, const bt_part *parts, size_t count,
                               const bt_held *held, size_t distinct)
{
    uint64_t *values = bt_array_zero(target->count, sizeof *values);
    uint64_t *room = bt_array_zero(target->count, sizeof *room);
    bool known = true;
    assert_true(values && room);
    for (size_t i = 0; i < count; i++)
        room[parts[i].node] += parts[i].copies;
    for (size_t i = 0; i < distinct; i++) {
        uint32_t leaf = target->leaf_of[held[i].code];
        known = known && leaf != BT_NO_NODE;
        if (leaf != BT_NO_NODE) values[leaf] += held[i].count;
    }
    for (uint32_t node = target->count; node-- > 0;) {
        values[node] = values[node] > room[node] ? values[node] - room[node] : 0;
        if (node > 0) values[target->nodes[node].parent] += values[node];
    }
    bool covered = known && values[0] == 0;
    free(values);
    free(room);
    return covered;
}

/* Adds the records selected in another group: *into becomes the bounds of both together. */
static inline void aggregates_add(bt_aggregates *into, const bt_aggregates *other)
{
    bool first = into->selected == 0;
    into->selected += other->selected;
    into->sum_low += other->sum_low;
    into->sum_high += other->sum_high;
    if (first || other->min_low < into->min_low) into->min_low = other->min_low;
    if (first || other->min_high < into->min_high) into->min_high = other->min_high;
    if (first || other->max_low > into->max_low) into->max_low = other->max_low;
    if (first || other->max_high > into->max_high) into->max_high = other->max_high;
}

#endif
