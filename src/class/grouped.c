/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting the parts of every group.
 *
 * Cost: linear in rows, and for each different part of a group what it takes to find its node.
 */
#include "class/grouped.h"

static uint32_t find_node(const bt_grouped_rows *rows, uint32_t class_number, uint32_t part)
{
    const bt_weighted *target = &rows->targets[rows->target_of[class_number]];
    const bt_shown_part *shown = &rows->parts[part];
    if (!shown->well_formed) return BT_NO_NODE;
    if (target->target.numbers)
        return bt_target_find_numbers(&target->target, shown->least, shown->greatest);
    return target->node_of[shown->node];
}

typedef struct counting {
    const bt_grouped_rows *rows;
    bt_grouped *out;
    uint32_t *parts;  /* of the rows, class by class */
    uint32_t *counts; /* per part; zero between classes */
    uint32_t *touched;
} counting;

static size_t count_class(counting *c, uint32_t class_number, size_t from, size_t to, size_t at)
{
    size_t touched = 0;
    for (size_t i = from; i < to; i++)
        if (c->counts[c->parts[i]]++ == 0) c->touched[touched++] = c->parts[i];
    for (size_t i = 0; i < touched; i++) {
        uint32_t part = c->touched[i], node = find_node(c->rows, class_number, part);
        if (node == BT_NO_NODE)
            c->out->foreign[class_number] = true;
        else
            c->out->items[at++] = (bt_part){node, c->counts[part]};
        c->counts[part] = 0;
    }
    return at;
}

bauta_status bt_grouped_make(const bt_grouped_rows *rows, bt_grouped *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t *starts = bt_arena_array(&scratch, (size_t)rows->classes + 2, sizeof *starts), at = 0;
    counting c = {.rows = rows,
                  .out = out,
                  .parts = bt_arena_array(&scratch, (size_t)rows->rows, sizeof *c.parts),
                  .counts = bt_arena_array(&scratch, rows->part_count, sizeof *c.counts),
                  .touched = bt_arena_array(&scratch, rows->part_count, sizeof *c.touched)};
    *out = (bt_grouped){.targets = rows->targets, .target_of = rows->target_of};
    out->items = bt_array((size_t)rows->rows, sizeof *out->items);
    out->starts = bt_array_zero((size_t)rows->classes + 1, sizeof *out->starts);
    out->foreign = bt_array_zero(rows->classes, sizeof *out->foreign);
    if (scratch.failed || !out->items || !out->starts || !out->foreign)
        return bt_fail_memory(error);
    /* starts[c + 1] walks through class c while it is filled, and ends where c + 1 starts. */
    for (int64_t row = 0; row < rows->rows; row++)
        starts[(size_t)rows->class_of[row] + 2]++;
    for (size_t i = 2; i <= (size_t)rows->classes + 1; i++)
        starts[i] += starts[i - 1];
    for (int64_t row = 0; row < rows->rows; row++)
        c.parts[starts[(size_t)rows->class_of[row] + 1]++] = rows->part_of[row];
    for (uint32_t i = 0; i < rows->classes; i++)
        out->starts[i + 1] = at = count_class(&c, i, starts[i], starts[i + 1], at);
    return BAUTA_OK;
}

void bt_grouped_release(bt_grouped *grouped)
{
    free(grouped->items);
    free(grouped->starts);
    free(grouped->foreign);
    *grouped = (bt_grouped){0};
}

const bt_part *bt_grouped_parts(const bt_grouped *grouped, uint32_t class_number, size_t *count)
{
    *count = grouped->starts[class_number + 1] - grouped->starts[class_number];
    return grouped->foreign[class_number] ? NULL : grouped->items + grouped->starts[class_number];
}

bauta_status bt_grouped_bound(const bt_grouped *grouped, uint32_t class_number, bt_arena *arena,
                              bt_subdomains *out, bauta_error *error)
{
    const bt_target *target = &grouped->targets[grouped->target_of[class_number]].target;
    size_t count;
    const bt_part *parts = bt_grouped_parts(grouped, class_number, &count);
    bt_subdomain *items = bt_arena_array(arena, count, sizeof *items);
    if (!items) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bt_target_node *node = &target->nodes[parts[i].node];
        items[i] = (bt_subdomain){node->least, node->greatest, parts[i].copies};
    }
    return bt_subdomains_make(items, count, arena, out, error);
}
