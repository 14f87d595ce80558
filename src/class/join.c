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

/* ---- losses ------------------------------------------------------------------------------ */

/* A quasi column as the microdata by themselves have it: what external persons add to the domain
 * must not make the loss look smaller. */
typedef struct own_column {
    const bt_column *column;
    uint64_t range;  /* of numbers */
    uint32_t values; /* of sets: how many there are */
} own_column;

static bool is_set(const bt_column *column)
{
    return !column->hierarchy && column->domain.reading.type == BT_TEXT;
}

/* How many different codes some rows have. `seen` is all zero before and after. */
static uint32_t count_distinct(const bt_column *column, const uint32_t *rows, int64_t count,
                               uint64_t *seen)
{
    uint32_t distinct = 0;
    for (int64_t i = 0; i < count; i++) {
        uint32_t code = bt_column_code(column, rows ? rows[i] : i);
        distinct += !bt_bitset_has(seen, code);
        bt_bitset_add(seen, code);
    }
    for (int64_t i = 0; i < count; i++)
        seen[bt_column_code(column, rows ? rows[i] : i) / 64] = 0;
    return distinct;
}

static own_column own_extent(const bt_join *join, const bt_column *column, uint64_t *seen)
{
    own_column own = {.column = column};
    uint32_t present = bt_domain_present(&column->domain), least = UINT32_MAX, most = 0;
    bool missing = false;
    if (column->hierarchy) return own;
    for (int64_t row = 0; row < join->microdata; row++) {
        uint32_t code = bt_column_code(column, row);
        missing = missing || code >= present;
        if (code < present && code < least) least = code;
        if (code < present && code > most) most = code;
    }
    if (is_set(column))
        own.values = count_distinct(column, NULL, join->microdata, seen) - missing;
    else if (least <= most)
        own.range = (uint64_t)column->domain.number[most] - (uint64_t)column->domain.number[least];
    return own;
}

static double share(uint64_t top, uint64_t bottom)
{
    if (top == 0) return 0;
    return top >= bottom ? 1 : (double)top / (double)bottom;
}

static double cell_loss(const bt_grouping *g, const own_column *own, size_t place, uint32_t number,
                        uint64_t *seen)
{
    const bt_column *column = own->column;
    if (column->hierarchy)
        return (double)bt_node_loss(column->hierarchy,
                                    bt_published_node(g, column, place, number)) /
               BT_LOSS_ONE;
    bt_box box = bt_published_box(g, column, place, number);
    if (box.lo == box.hi) return 0;
    if (box.hi >= bt_domain_present(&column->domain)) return 1;
    if (!is_set(column))
        return share((uint64_t)column->domain.number[box.hi] -
                         (uint64_t)column->domain.number[box.lo],
                     own->range);
    uint32_t members =
        count_distinct(column, g->order + g->starts[number], bt_class_size(g, number), seen);
    return share(members - 1, own->values - (own->values > 0));
}

bauta_status bt_join_measure(const bt_join *join, bt_join_score *out, bauta_error *error)
{
    size_t columns = join->table.count;
    uint32_t largest = 1;
    double loss = 0;
    unsigned __int128 squares = 0;
    for (size_t c = 0; c < columns; c++)
        if (join->table.columns[c].domain.size > largest)
            largest = join->table.columns[c].domain.size;
    own_column *own = bt_array(columns, sizeof *own);
    uint64_t *seen = bt_array_zero(bt_bitset_words(largest), sizeof *seen);
    bool made = own && seen;
    for (size_t c = 0; made && c < columns; c++)
        own[c] = own_extent(join, &join->table.columns[c], seen);
    for (uint32_t i = 0; made && i < join->grouping.classes; i++) {
        uint64_t records = join->records[i];
        for (size_t c = 0; c < columns; c++)
            loss += (double)records * cell_loss(&join->grouping, &own[c], c, i, seen);
        squares += (unsigned __int128)records * records;
    }
    free(own);
    free(seen);
    if (!made) return bt_fail_memory(error);
    out->ncp = loss / ((double)join->microdata * (double)columns);
    out->discernibility = squares > INT64_MAX ? INT64_MAX : (int64_t)squares;
    return BAUTA_OK;
}
