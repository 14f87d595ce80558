/* SPDX-License-Identifier: Apache-2.0
 *
 * A randomized release as someone sees it who knows some columns of some people: combinations of
 * both under the codes of the release, the shares of its values, the probabilities of its columns.
 */
#include "attack/view.h"

/* The codes of each combination in the column that stands at `place`. */
static uint32_t *row_codes(bt_view *view, size_t place)
{
    const bt_release_column *column = view->published[place];
    uint32_t *codes = bt_arena_array(&view->arena, view->groups.count, sizeof *codes);
    for (uint32_t g = 0; codes && g < view->groups.count; g++)
        codes[g] = bt_code_at(column->codes, column->width, view->groups.row[g]);
    return codes;
}

static uint32_t *person_codes(bt_view *view, size_t place)
{
    const bt_placing *placing = &view->placings[place];
    uint32_t *codes = bt_arena_array(&view->arena, view->targets.count, sizeof *codes);
    for (uint32_t t = 0; codes && t < view->targets.count; t++)
        codes[t] =
            bt_placing_position(placing, bt_column_code(view->known[place], view->targets.row[t]));
    return codes;
}

static double *shares_of(bt_view *view, size_t place)
{
    const bt_values *values = view->published[place]->values;
    double *share = bt_arena_array(&view->arena, values->count, sizeof *share);
    for (uint32_t v = 0; share && v < values->count; v++)
        share[v] = (double)values->rows[v] / (double)view->release->rows;
    return share;
}

static bauta_status make_sides(bt_view *view, bt_redrawn_plan *plan, bauta_error *error)
{
    bt_codes *rows = bt_arena_array(&view->arena, view->columns, sizeof *rows);
    bt_codes *people = bt_arena_array(&view->arena, view->columns, sizeof *people);
    double *redrawn = bt_arena_array(&view->arena, view->columns, sizeof *redrawn);
    double **share = bt_arena_array(&view->arena, view->columns, sizeof *share);
    if (!rows || !people || !redrawn || !share) return bt_fail_memory(error);
    for (size_t i = 0; i < view->columns; i++) {
        uint32_t count = view->published[i]->values->count;
        rows[i] = (bt_codes){row_codes(view, i), 4, count};
        people[i] = (bt_codes){person_codes(view, i), 4, count};
        redrawn[i] = bt_rational_double(view->published[i]->manifest->redrawn);
        share[i] = shares_of(view, i);
        if (!rows[i].codes || !people[i].codes || !share[i]) return bt_fail_memory(error);
    }
    *plan = (bt_redrawn_plan){
        .folder = view->release->manifest.folder,
        .rows = {view->groups.count, view->groups.size, rows},
        .people = {view->targets.count, view->targets.size, people},
        .columns = view->columns,
        .drawn = view->columns,
        .lambda = view->release->mechanism.lambda,
        .all = view->release->mechanism.columns,
        .redrawn = redrawn,
        .share = share,
    };
    return BAUTA_OK;
}

bauta_status bt_view_redraw(bt_view *view, const bt_run *run, bauta_error *error)
{
    bt_redrawn_plan plan;
    BT_TRY(make_sides(view, &plan, error));
    view->first = bt_arena_array(&view->arena, (size_t)view->targets.count + 1, sizeof(size_t));
    view->redrawn = bt_arena_array(&view->arena, 1, sizeof *view->redrawn);
    if (!view->first || !view->redrawn) return bt_fail_memory(error);
    return bt_redrawn_open(&plan, run, view->redrawn, error);
}
