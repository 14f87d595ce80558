/* SPDX-License-Identifier: Apache-2.0
 *
 * Groupings of joined tables: what is dropped, who is in which sensitive group, what is lost.
 */
#include "class/join.h"

#include "base/bitset.h"
#include "class/loss.h"

#include <string.h>

void bt_join_ungroup(bt_join *join)
{
    bt_join_unrefine(join);
    bt_grouping_release(&join->sensitive);
}

void bt_join_unrefine(bt_join *join)
{
    bt_grouping_release(&join->grouping);
    free(join->records);
    free(join->group_of);
    join->records = join->group_of = NULL;
    join->counts.used = 0;
}

void bt_join_release(bt_join *join)
{
    bt_join_ungroup(join);
    bt_table_release(&join->table);
    free(join->origin);
    *join = (bt_join){0};
}

/* Rows of the microdata have the lower numbers, and those of a class ascend. */
static uint32_t count_records(const bt_join *join, uint32_t class_number)
{
    const uint32_t *order = join->grouping.order;
    uint32_t start = join->grouping.starts[class_number];
    uint32_t low = start, high = join->grouping.starts[class_number + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (order[middle] < join->microdata)
            low = middle + 1;
        else
            high = middle;
    }
    return low - start;
}

void bt_join_drop(bt_join *join)
{
    bt_grouping *g = &join->grouping;
    uint32_t kept = 0, end = 0;
    for (uint32_t c = 0; c < g->classes; c++) {
        uint32_t start = g->starts[c], size = g->starts[c + 1] - start;
        if (count_records(join, c) == 0) continue;
        memmove(g->order + end, g->order + start, size * sizeof *g->order);
        memmove(g->boxes + (size_t)kept * g->columns, g->boxes + (size_t)c * g->columns,
                g->columns * sizeof *g->boxes);
        if (g->nodes)
            memmove(g->nodes + (size_t)kept * g->columns, g->nodes + (size_t)c * g->columns,
                    g->columns * sizeof *g->nodes);
        if (join->group_of) join->group_of[kept] = join->group_of[c];
        g->starts[kept++] = end;
        end += size;
    }
    g->starts[kept] = end;
    g->classes = kept;
    g->kept = end;
}

/* One sensitive group for each class. */
static bauta_status own_groups(bt_join *join, bauta_error *error)
{
    const bt_grouping *g = &join->grouping;
    bt_grouping *s = &join->sensitive;
    *s = (bt_grouping){.rows = join->microdata,
                       .kept = join->microdata,
                       .classes = g->classes,
                       .columns = g->columns};
    size_t sides = (size_t)g->classes * g->columns;
    s->order = bt_array((size_t)join->microdata, sizeof *s->order);
    s->starts = bt_array_zero((size_t)g->classes + 1, sizeof *s->starts);
    s->boxes = bt_array(sides, sizeof *s->boxes);
    join->group_of = bt_array(g->classes, sizeof *join->group_of);
    if (g->floors) s->floors = bt_array(g->columns, sizeof *s->floors);
    if (!s->order || !s->starts || !s->boxes || !join->group_of || (g->floors && !s->floors))
        return bt_fail_memory(error);
    memcpy(s->boxes, g->boxes, sides * sizeof *s->boxes);
    if (g->floors) memcpy(s->floors, g->floors, g->columns * sizeof *s->floors);
    for (uint32_t c = 0; c < g->classes; c++) {
        join->group_of[c] = c;
        s->starts[c + 1] = s->starts[c] + join->records[c];
        memcpy(s->order + s->starts[c], g->order + g->starts[c],
               join->records[c] * sizeof *s->order);
    }
    return BAUTA_OK;
}

bauta_status bt_join_settle(bt_join *join, bauta_error *error)
{
    const bt_grouping *g = &join->grouping;
    join->records = bt_array(g->classes, sizeof *join->records);
    if (!join->records) return bt_fail_memory(error);
    for (uint32_t c = 0; c < g->classes; c++)
        join->records[c] = count_records(join, c);
    join->counts.used = g->kept - join->microdata;
    return join->group_of ? BAUTA_OK : own_groups(join, error);
}
