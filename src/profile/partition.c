/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups are worked off one by one with a table over the codes of the column. Its entries carry
 * the stamp of the group that wrote them, so that nothing has to be cleared in between.
 */
#include "profile/partition.h"

bauta_status bt_partition_init(bt_partition *partition, int64_t rows, uint32_t codes,
                               bauta_error *error)
{
    size_t places = (size_t)rows, borders = (size_t)rows / 2 + 2;
    bt_arena arena = {0};
    *partition = (bt_partition){
        .all = rows,
        .rows = bt_arena_array(&arena, places, sizeof *partition->rows),
        .next = bt_arena_array(&arena, places, sizeof *partition->next),
        .starts = bt_arena_array(&arena, borders, sizeof *partition->starts),
        .next_start = bt_arena_array(&arena, borders, sizeof *partition->next_start),
        .slots = bt_arena_array(&arena, codes, sizeof *partition->slots),
        .seen = bt_arena_array(&arena, codes, sizeof *partition->seen),
    };
    partition->arena = arena;
    if (arena.failed) {
        bt_partition_release(partition);
        return bt_fail_memory(error);
    }
    bt_partition_reset(partition);
    return BAUTA_OK;
}

void bt_partition_release(bt_partition *partition)
{
    bt_arena_release(&partition->arena);
    *partition = (bt_partition){0};
}

void bt_partition_reset(bt_partition *partition)
{
    partition->unique = partition->all == 1;
    partition->groups = partition->all > 1;
    partition->starts[0] = 0;
    if (partition->all < 2) return;
    partition->starts[1] = (uint32_t)partition->all;
    for (int64_t row = 0; row < partition->all; row++)
        partition->rows[row] = (uint32_t)row;
}

/* Counts the codes of the group rows[from..end) and lists them; returns how many there are. */
static inline uint32_t count_codes(bt_partition *partition, const bt_codes *column, uint32_t from,
                                   uint32_t end, unsigned width)
{
    uint64_t stamp = ++partition->stamp;
    uint32_t codes = 0;
    for (uint32_t i = from; i < end; i++) {
        uint32_t code = bt_code_at(column->codes, width, partition->rows[i]);
        bt_partition_slot *slot = &partition->slots[code];
        if (slot->stamp != stamp) {
            *slot = (bt_partition_slot){.stamp = stamp};
            partition->seen[codes++] = code;
        }
        slot->count++;
    }
    return codes;
}

static inline void split_groups(bt_partition *partition, const bt_codes *column, unsigned width)
{
    uint32_t groups = 0, used = 0;
    for (uint32_t g = 0; g < partition->groups; g++) {
        uint32_t from = partition->starts[g], end = partition->starts[g + 1];
        uint32_t codes = count_codes(partition, column, from, end, width);
        for (uint32_t i = 0; i < codes; i++) {
            bt_partition_slot *slot = &partition->slots[partition->seen[i]];
            if (slot->count == 1) {
                partition->unique++;
                continue;
            }
            partition->next_start[groups++] = slot->place = used;
            used += slot->count;
        }
        for (uint32_t i = from; i < end; i++) {
            uint32_t row = partition->rows[i];
            bt_partition_slot *slot = &partition->slots[bt_code_at(column->codes, width, row)];
            if (slot->count > 1) partition->next[slot->place++] = row;
        }
    }
    partition->next_start[groups] = used;
    partition->groups = groups;
}

static inline bt_partition_count look_at_groups(bt_partition *partition, const bt_codes *column,
                                                unsigned width)
{
    bt_partition_count found = {partition->unique, partition->unique};
    for (uint32_t g = 0; g < partition->groups; g++) {
        uint32_t from = partition->starts[g], end = partition->starts[g + 1];
        uint64_t stamp = ++partition->stamp;
        for (uint32_t i = from; i < end; i++) {
            uint32_t code = bt_code_at(column->codes, width, partition->rows[i]);
            bt_partition_slot *slot = &partition->slots[code];
            bool fresh = slot->stamp != stamp;
            slot->count = fresh ? 1 : slot->count + 1;
            slot->stamp = stamp;
            found.classes += fresh;
            found.unique += slot->count == 1 ? 1 : slot->count == 2 ? -1 : 0;
        }
    }
    return found;
}

/* The width is a constant in each branch, so that the loops need not ask for it. */

void bt_partition_split(bt_partition *partition, const bt_codes *column)
{
    switch (column->width) {
    case 1: split_groups(partition, column, 1); break;
    case 2: split_groups(partition, column, 2); break;
    default: split_groups(partition, column, 4);
    }
    uint32_t *rows = partition->rows, *starts = partition->starts;
    partition->rows = partition->next;
    partition->starts = partition->next_start;
    partition->next = rows;
    partition->next_start = starts;
}

bt_partition_count bt_partition_look(bt_partition *partition, const bt_codes *column)
{
    switch (column->width) {
    case 1: return look_at_groups(partition, column, 1);
    case 2: return look_at_groups(partition, column, 2);
    default: return look_at_groups(partition, column, 4);
    }
}
