/* SPDX-License-Identifier: Apache-2.0
 *
 * Who is left of a class with people of a public table when someone of it is known to be in earlier
 * releases: those whose quasi values are inside a box of each of them.
 *
 * Cost: linear in people, for each earlier release.
 */
#include "job/previous_join.h"

#include "attack/view.h"
#include "job/everyone.h"

/* ---- who may be in an earlier release ---------------------------------------------------- */

static bool is_inside(const bt_view *view, uint32_t row)
{
    uint32_t target = view->target_of[row];
    return view->first[target] < view->first[target + 1];
}

static bauta_status mark(const bt_loaded *loaded, const bt_original *everyone, const bt_view *view,
                         uint64_t bit, uint64_t *boxes_of, bauta_error *error)
{
    const bt_join *join = loaded->join;
    uint32_t *to = bt_array((size_t)join->counts.external, sizeof *to);
    if (!to) return bt_fail_memory(error);
    bt_everyone_match(join, everyone, to);
    for (int64_t i = 0; i < join->microdata; i++) {
        int64_t row = loaded->row_map ? loaded->row_map[i] : i;
        if (is_inside(view, (uint32_t)row)) boxes_of[i] |= bit;
    }
    for (int64_t i = 0; i < join->counts.external; i++)
        if (to[i] != UINT32_MAX && is_inside(view, to[i])) boxes_of[join->microdata + i] |= bit;
    free(to);
    return BAUTA_OK;
}

bauta_status bt_previous_mark(const bauta_recipe *recipe, const bt_loaded *loaded,
                              bt_release *release, const bt_run *run, uint64_t bit,
                              uint64_t *boxes_of, bauta_error *error)
{
    bt_original everyone = {0};
    bt_view view = {0};
    bauta_status status = bt_everyone_load(recipe, NULL, release, run, &everyone, error);
    if (status == BAUTA_OK && everyone.loaded.table.rows != loaded->input_rows)
        status = bt_fail(error, BAUTA_INVALID, "the input changed while it was read");
    if (status == BAUTA_OK)
        status = bt_view_open(release, bt_everyone_table(&everyone), NULL, run, &view, error);
    if (status == BAUTA_OK) status = mark(loaded, &everyone, &view, bit, boxes_of, error);
    bt_view_close(&view);
    bt_original_release(&everyone);
    return status;
}

/* ---- who is left ------------------------------------------------------------------------- */

static int64_t count_left(const bt_grouping *grouping, uint32_t number, const uint64_t *boxes_of,
                          uint64_t mask)
{
    int64_t left = 0;
    for (uint32_t i = grouping->starts[number]; i < grouping->starts[number + 1]; i++)
        left += (boxes_of[grouping->order[i]] & mask) == mask;
    return left;
}

int64_t bt_previous_exposed(const bt_join *join, const uint64_t *boxes_of, const uint64_t *masks,
                            int64_t least)
{
    const bt_grouping *grouping = &join->grouping;
    int64_t exposed = 0;
    for (uint32_t c = 0; c < grouping->classes; c++) {
        uint64_t judged = 0;
        int64_t left = least;
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            uint32_t row = grouping->order[i];
            if (row >= join->microdata || masks[row] == 0) continue;
            if (masks[row] != judged) left = count_left(grouping, c, boxes_of, masks[row]);
            judged = masks[row];
            exposed += left < least;
        }
    }
    return exposed;
}
