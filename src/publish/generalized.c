/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `generalized`: one table, quasi values replaced by the cells of their class.
 *
 * Columns keep the order of the input; identifiers and dropped columns are left out. With
 * sensitive=category the category of a sensitive value stands in its place, with sensitive=both
 * behind it.
 *
 * Promises: identity k, and every requirement per class.
 */
#include "publish/describe.h"

#include <string.h>

enum { OPTION_SENSITIVE, OPTION_BOX };
enum { BOX_TIGHT, BOX_GRID };

static const bt_param params[] = {
    {.name = "sensitive",
     .type = BT_PARAM_CHOICE,
     .choices = "value|category|both",
     .fallback = "value",
     .help = "what is published of sensitive columns: values, their categories, or both"},
    {.name = "box",
     .type = BT_PARAM_CHOICE,
     .choices = "tight|grid",
     .fallback = "tight",
     .help = "cells without a hierarchy end where values of the class are, or at cut points",
     .quiet = true},
};

typedef struct writer {
    const bt_form_job *job;
    const bt_column **quasi;
    size_t quasi_count;
    bt_cells cells;
    bt_row_map map;
    bt_sheet sheet;
} writer;

/* ---- columns ----------------------------------------------------------------------------- */

static bauta_status add_columns(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    size_t coded = 0, quasi = 0;
    for (size_t i = 0; i < bt_input_columns(job->input); i++) {
        if (job->roles[i] == BT_ROLE_QUASI)
            BT_TRY(bt_sheet_add_cell(&out->sheet, &job->table->columns[coded++], quasi++, error));
        else if (job->roles[i] == BT_ROLE_SENSITIVE)
            BT_TRY(bt_sheet_add_sensitive(&out->sheet, &job->table->columns[coded++],
                                          job->options[0].integer, error));
        else if (job->roles[i] == BT_ROLE_OTHER)
            BT_TRY(bt_sheet_add_text(&out->sheet, i, error));
    }
    return BAUTA_OK;
}

static bauta_status prepare(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    out->sheet = (bt_sheet){.job = job, .map = &out->map, .cells = &out->cells};
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &out->quasi, &out->quasi_count, error));
    BT_TRY(add_columns(out, error));
    BT_TRY(bt_row_map_make(job, &out->map, error));
    BT_TRY(bt_cells_narrow(job->grouping, out->quasi, job->arena, error));
    return bt_cells_make(job->grouping, out->quasi, job->run, &out->cells, error);
}

static void release(writer *out)
{
    bt_sheet_release(&out->sheet);
    bt_row_map_release(&out->map);
    bt_cells_release(&out->cells);
    free(out->quasi);
}

/* ---- the manifest ------------------------------------------------------------------------ */

static bauta_status describe_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    size_t count = out->sheet.column_count;
    manifest->column_count = count;
    manifest->columns = bt_arena_array(job->arena, count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const bt_sheet_column *from = &out->sheet.columns[i];
        bt_manifest_column *to = &manifest->columns[i];
        BT_TRY(from->shown == BT_SHOW_CELL ? bt_describe_cells(job, from, &out->cells, to, error)
                                           : bt_describe_column(job, from, to, error));
    }
    return BAUTA_OK;
}

/* Where cells are to end at cut points every column needs some, or a hierarchy; and cut points that
 * would do nothing are refused, since whoever declares them counts on them. */
static bauta_status check_box(const bt_table *table, bool grid, bauta_error *error)
{
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role != BT_ROLE_QUASI || column->hierarchy) continue;
        if (grid == (column->cuts != NULL)) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID,
                    grid ? "a column without a hierarchy needs cut points for box=grid"
                         : "cut points are declared, but the boxes are tight");
        bt_error_place(error, NULL, -1, column->name);
        if (grid)
            bt_error_hint(error, "declare them with --cut-points, or give it a hierarchy");
        else
            bt_error_hint(error, "say --publish generalized:box=grid");
        return status;
    }
    return BAUTA_OK;
}

/* Both need categories of each sensitive column, and `both` a name for the one behind it. */
static bauta_status check(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error)
{
    BT_TRY(check_box(table, options[OPTION_BOX].integer == BOX_GRID, error));
    if (options[OPTION_SENSITIVE].integer == BT_PUBLISH_VALUE) return BAUTA_OK;
    size_t sensitive = 0;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role != BT_ROLE_SENSITIVE) continue;
        sensitive++;
        bauta_status status = BAUTA_OK;
        const char *companion = bt_companion_name(column->name, arena);
        if (!companion) return bt_fail_memory(error);
        if (!column->categories) {
            status = bt_fail(error, BAUTA_INVALID, "there are no categories to publish");
            bt_error_hint(error, "give them with --categories COL=FILE or in the recipe");
        }
        for (size_t i = 0; i < count && status == BAUTA_OK; i++)
            if (options[OPTION_SENSITIVE].integer == BT_PUBLISH_BOTH &&
                strcmp(names[i], companion) == 0)
                status =
                    bt_fail(error, BAUTA_INVALID,
                            "the categories would be column '%s', but there is one", companion);
        if (status == BAUTA_OK) continue;
        bt_error_place(error, NULL, -1, column->name);
        return status;
    }
    if (sensitive > 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "there is no sensitive column to publish categories of");
}

/* Nothing is decided but whether it may be published. */
static bauta_status make_plan(const bt_form_job *job, bt_facts *facts, json_t *at,
                              const char **notice, void **plan, bauta_error *error)
{
    (void)facts, (void)at, (void)notice, (void)plan;
    return job->join ? bt_join_check(job, error) : BAUTA_OK;
}

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    BT_OWN(release) writer out = {.job = job};
    if (job->join) return bt_join_publish(job, manifest, error);
    BT_TRY(prepare(&out, error));
    BT_TRY(bt_sheet_write(&out.sheet, "data.csv", "data.csv", error));
    BT_TRY(describe_columns(&out, manifest, error));
    bt_describe_promises(job, manifest);
    return BAUTA_OK;
}

/* Categories are what the owner made of the values in order to publish them. */
static bt_sensitive_shown shows_sensitive(const bt_value *options)
{
    return options[OPTION_SENSITIVE].integer == BT_PUBLISH_CATEGORY ? BT_SENSITIVE_HIDDEN
                                                                    : BT_SENSITIVE_BESIDE;
}

const bt_form bt_form_generalized = {
    .name = "generalized",
    .summary = "one table whose quasi values are replaced by ranges, sets or hierarchy nodes",
    .paper = "Samarati and Sweeney 1998; papers 1, 3 and 5",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .joins = true,
    .shows_sensitive = shows_sensitive,
    .check = check,
    .plan = make_plan,
    .publish = publish,
};
