/* SPDX-License-Identifier: Apache-2.0
 *
 * A batch of rows recoded by a plan: the class of each row, and the cells of each class.
 */
#include "job/load.h"
#include "job/plan.h"
#include "recipe/hierarchy.h"

#include <string.h>

/* The cell of a class: as the plan spells it; with levels, what the level makes of any value. */
static const char *cell_of(const bt_grouping *grouping, const bt_column *column, size_t place,
                           uint32_t class_number)
{
    size_t at = (size_t)class_number * grouping->columns + place;
    if (column->hierarchy) return column->hierarchy->nodes[grouping->nodes[at]].label;
    if (grouping->texts) return grouping->texts[at];
    return grouping->floors[place] > 0 ? "*" : column->domain.text[grouping->boxes[at].lo];
}

/* The parts as classes with tight boxes, which cells of levels follow from. */
static bauta_status make_classes(const bt_column *const *quasi, const bt_parts *parts,
                                 bt_grouping *out, bauta_error *error)
{
    uint32_t kept = parts->starts[parts->count];
    out->kept = kept;
    out->classes = parts->count;
    out->order = bt_array(kept, sizeof *out->order);
    out->starts = bt_array((size_t)out->classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)out->classes * out->columns, sizeof *out->boxes);
    if (!out->order || !out->starts || !out->boxes) return bt_fail_memory(error);
    memcpy(out->order, parts->order, kept * sizeof *out->order);
    memcpy(out->starts, parts->starts, ((size_t)out->classes + 1) * sizeof *out->starts);
    for (uint32_t i = 0; i < out->classes; i++)
        for (size_t c = 0; c < out->columns; c++)
            out->boxes[(size_t)i * out->columns + c] = bt_tight_box(out, quasi[c], i);
    return BAUTA_OK;
}

static bauta_status fill(const bt_column *const *quasi, const bt_grouping *grouping,
                         bt_recoded *out, bauta_error *error)
{
    out->classes = grouping->classes;
    out->columns = grouping->columns;
    out->class_of = bt_arena_array(&out->arena, (size_t)out->rows, sizeof *out->class_of);
    out->names = bt_arena_array(&out->arena, out->columns, sizeof *out->names);
    out->cells = bt_arena_array(&out->arena, out->classes * out->columns, sizeof *out->cells);
    BT_TRY(bt_arena_check(&out->arena, error));
    for (int64_t row = 0; row < out->rows; row++)
        out->class_of[row] = -1;
    for (size_t c = 0; c < out->columns; c++)
        out->names[c] = bt_arena_copy(&out->arena, quasi[c]->name, strlen(quasi[c]->name));
    for (uint32_t i = 0; i < out->classes; i++) {
        for (uint32_t at = grouping->starts[i]; at < grouping->starts[i + 1]; at++)
            out->class_of[grouping->order[at]] = i;
        for (size_t c = 0; c < out->columns; c++) {
            const char *cell = cell_of(grouping, quasi[c], c, i);
            out->cells[i * out->columns + c] = bt_arena_copy(&out->arena, cell, strlen(cell));
        }
    }
    return bt_arena_check(&out->arena, error);
}

static bauta_status recode(const bt_plan *plan, const bt_table *table, const bt_run *run,
                           bt_recoded *out, bauta_error *error)
{
    BT_OWN(bt_free) const bt_column **quasi = NULL;
    bt_bound_plan *bound = NULL;
    bt_parts parts = {0};
    bt_grouping grouping = {.rows = table->rows};
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, &grouping.columns, error));
    out->rows = table->rows;
    bauta_status status = bt_plan_bind(plan, table, false, run, &bound, error);
    if (status == BAUTA_OK) status = bt_plan_parts(bound, table, run, &parts, error);
    if (status == BAUTA_OK) status = make_classes(quasi, &parts, &grouping, error);
    if (status == BAUTA_OK) status = bt_plan_cells(bound, &parts, &grouping, error);
    if (status == BAUTA_OK) status = fill(quasi, &grouping, out, error);
    bt_grouping_release(&grouping);
    bt_parts_release(&parts);
    bt_bound_plan_free(bound);
    return status;
}

bauta_status bt_plan_batch(const bt_plan *plan, const bauta_recipe *recipe, bt_recoded *out,
                           bauta_error *error)
{
    bt_run run = {0};
    bt_loaded loaded = {0};
    bauta_recipe *planned = NULL;
    *out = (bt_recoded){0};
    bauta_status status = BAUTA_OK;
    if (recipe->missing_drop)
        status = bt_fail(error, BAUTA_INVALID, "a batch keeps all its rows: 'missing' is 'value'");
    if (status == BAUTA_OK) status = bt_plan_recipe(recipe, plan, &planned, error);
    if (status == BAUTA_OK) status = bt_run_open(recipe, &run, error);
    if (status == BAUTA_OK) status = bt_load(planned, &run, false, &loaded, error);
    if (status == BAUTA_OK) status = recode(plan, &loaded.table, &run, out, error);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(planned);
    return status;
}

void bt_recoded_release(bt_recoded *batch)
{
    bt_arena_release(&batch->arena);
    *batch = (bt_recoded){0};
}
