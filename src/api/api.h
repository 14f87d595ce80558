/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files that implement bauta.h: opening a run from a recipe, loading its table,
 * and handing out reports. Only src/api may include this.
 */
#ifndef BT_API_H
#define BT_API_H

#include "base/facts.h"
#include "base/run.h"
#include "io/input.h"
#include "recipe/recipe.h"
#include "report/report.h"
#include "table/table.h"

/* Threads, seed (fresh unless the recipe names one), budget and temporary folder. */
BT_MUST_USE bauta_status bt_run_open(const bauta_recipe *recipe, bt_run *out, bauta_error *error);
/* Fits a budget that the recipe leaves open to the size of the table. */
void bt_run_fit(bt_run *run, const bauta_recipe *recipe, int64_t rows);
void bt_run_close(bt_run *run);

/* An input read into a table of coded columns. */
typedef struct bt_loaded {
    bt_arena arena;
    bt_input *input;
    bt_raw *raw;            /* facts about columns that are not coded (bt_raw_check) */
    bt_column_recipe *plan; /* per input column: role, type, hierarchy */
    bt_role *roles;         /* per input column */
    bt_reading *readings;   /* per input column that is BT_USE_CHECK: how it is read */
    bool *verbatim;         /* … and whether its texts are published as they stand */
    size_t columns;         /* of the input */
    size_t subject;         /* the one that tells persons apart; `columns`: there is none */
    int64_t input_rows;
    bt_table table; /* quasi and sensitive columns; with `all_columns` its subjects are not numbered
                       yet, and UINT32_MAX is nobody */
    int64_t *row_map;   /* table row -> input row when rows with missing values were
                           dropped (missing=drop); NULL: the same */
    bool drops_missing; /* missing=drop; with `all_columns` the rows are still there */
    int64_t missing_dropped;
    double seconds;
} bt_loaded;

/* Opens the recipe's inputs, resolves roles and reads; a table without records is refused. With
 * `all_columns` every column is coded, roles need not be given (describe, init; columns without
 * one keep BT_ROLE_NONE) and there may be no records. Released by the caller, also after a
 * failure. */
BT_MUST_USE bauta_status bt_load(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                                 bt_loaded *out, bauta_error *error);
void bt_loaded_release(bt_loaded *loaded);

/* Gives `facts` (stolen, also on failure) to a new report of `kind`; `out` may be NULL. */
BT_MUST_USE bauta_status bt_report_give(bt_report_kind kind, bt_facts *facts, bauta_report **out,
                                        bauta_error *error);

#endif
