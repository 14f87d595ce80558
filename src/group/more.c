/* SPDX-License-Identifier: Apache-2.0
 *
 * Random non-minimal recoding: minimal=no. A method that generalizes no more than needed says with
 * every class that it could not be divided (minimality), and with every cell that people are at its
 * ends (downcoding). So it generalizes more than needed, now and then, and nobody can tell where:
 *
 *   parts   one of s records that could be divided stays as it is with chance m/s, where m is the
 *           size of the smallest class that may be: of parts that make two classes one in two or
 *           three, of large ones hardly any. Whoever sees a class of s records undivided may take
 *           it to be s/m times as likely that it could not be divided, not as certain.
 *   cells   of a column with a hierarchy one in four is one step more general than its class needs.
 *
 * Cells on cut points (box=grid) reach further than their class needs whatever the method is: else
 * someone would be in the first and in the last cell of the grid of each, and whoever is the only
 * one who can be there would be known to be in the table.
 */
#include "class/steer.h"
#include "group/method.h"
#include "recipe/cuts.h"

bool bt_part_stays(const bt_method_job *job, uint64_t stays, uint64_t of, uint64_t first,
                   uint64_t end)
{
    bt_stream stream;
    bt_stream_init(&stream, &job->run->seed, "part stays", first << 32 ^ end);
    return bt_stream_below(&stream, of) < stays;
}

/* ---- cells ---- */

enum { ONE_IN = 4 };

static void raise_node(const bt_column *column, uint32_t *node, bt_stream *stream)
{
    const bt_node *nodes = column->hierarchy->nodes;
    uint32_t parent = nodes[*node].parent;
    bool up = bt_stream_below(stream, ONE_IN) == 0;
    if (up && nodes[parent].level <= bt_highest_level(column)) *node = parent;
}

bauta_status bt_cells_raise(const bt_run *run, const bt_column *const *quasi, bt_grouping *grouping,
                            bauta_error *error)
{
    size_t columns = grouping->columns, count = (size_t)grouping->classes * columns;
    uint32_t *nodes = bt_array_zero(count, sizeof *nodes);
    bt_stream stream;
    if (!nodes) return bt_fail_memory(error);
    bt_stream_init(&stream, &run->seed, "raised cells", 0);
    for (uint32_t i = 0; i < grouping->classes; i++)
        for (size_t c = 0; c < columns; c++) {
            size_t at = i * columns + c;
            if (!quasi[c]->hierarchy) continue;
            nodes[at] = bt_published_node(grouping, quasi[c], c, i);
            raise_node(quasi[c], &nodes[at], &stream);
        }
    free(grouping->nodes);
    grouping->nodes = nodes;
    return BAUTA_OK;
}

/* Each end of a box goes on by one more cell of the grid that holds values, with a chance of one in
 * four, again and again: how far the class itself reaches nobody can tell. */
static void spread_box(const bt_column *column, bt_box *box, bt_stream *stream)
{
    uint32_t present = bt_domain_present(&column->domain), same;
    if (box->hi >= present) return;
    while (box->lo > 0 && bt_stream_below(stream, ONE_IN) == 0) {
        same = --box->lo;
        bt_cuts_widen(column, &box->lo, &same);
    }
    while (box->hi + 1 < present && bt_stream_below(stream, ONE_IN) == 0) {
        same = ++box->hi;
        bt_cuts_widen(column, &same, &box->hi);
    }
}

void bt_cells_spread(const bt_run *run, const bt_column *const *quasi, bt_grouping *grouping)
{
    for (uint32_t i = 0; i < grouping->classes; i++) {
        bt_stream stream;
        bt_stream_init(&stream, &run->seed, "cells on cut points", i);
        for (size_t c = 0; c < grouping->columns; c++)
            if (quasi[c]->cuts)
                spread_box(quasi[c], &grouping->boxes[i * grouping->columns + c], &stream);
    }
}
