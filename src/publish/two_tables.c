/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `two-tables` (lossy join): quasi.csv has the quasi values as they are, `other` columns
 * and the class of each record, sensitive.csv the class and the sensitive values. What links a
 * person to a value is the class alone, so each person is linked to the whole bag of the class.
 *
 * Each file has a random order of its own, and classes are numbered by a random permutation: in
 * one order, line would lead to line and restore every record (as the tables that the paper prints
 * do), and numbers in the order of grouping would tell where in the table a class comes from. In
 * small tables chance alone may sort a file or make both alike; another order is drawn then.
 *
 * Promises: linkage k, which is that each person is linked to a bag that at least k share, and
 * every requirement per class. Presence and identity are not protected.
 */
#include "publish/describe.h"
#include "publish/orders.h"

typedef struct writer {
    const bt_form_job *job;
    uint32_t *numbers; /* of classes, from 1 */
    const char *class_name;
    bt_row_map map;
    bt_sheet quasi, sensitive;
} writer;

/* ---- classes ----------------------------------------------------------------------------- */

/* Whether all records of a class are those of one person, who would be linked to them alone. */
static bool is_one_person(const bt_form_job *job, uint32_t class_number)
{
    const bt_grouping *grouping = job->grouping;
    const uint32_t *subject_of = job->table->subject_of;
    uint32_t from = grouping->starts[class_number], to = grouping->starts[class_number + 1];
    if (!subject_of) return to - from == 1;
    for (uint32_t i = from + 1; i < to; i++)
        if (subject_of[grouping->order[i]] != subject_of[grouping->order[from]]) return false;
    return true;
}

static bauta_status check_linkage(const bt_form_job *job, bauta_error *error)
{
    uint32_t alone = 0;
    for (uint32_t c = 0; c < job->grouping->classes; c++)
        alone += is_one_person(job, c);
    if (alone == 0) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_NO,
                                  "%u of %u classes are of one person each: there the two tables "
                                  "together would be the original",
                                  alone, job->grouping->classes);
    bt_error_hint(error, "require k=2 or more");
    return status;
}

/* ---- orders ------------------------------------------------------------------------------ */

static bauta_status choose_orders(const writer *out, const char *labels[2], bauta_error *error)
{
    const bt_form_job *job = out->job;
    const bt_grouping *grouping = job->grouping;
    int64_t next = 0;
    labels[0] = "quasi.csv";
    labels[1] = "sensitive.csv";
    if (grouping->classes < 2 || grouping->kept > BT_SMALL_FILE) return BAUTA_OK;
    BT_OWN(bt_free) uint32_t *numbers = bt_array((size_t)grouping->kept, sizeof *numbers);
    if (!numbers) return bt_fail_memory(error);
    for (int64_t row = 0; row < grouping->rows; row++)
        if (out->map.class_of[row] != UINT32_MAX)
            numbers[next++] = out->numbers[out->map.class_of[row]];
    const bt_order_rows rows[2] = {{labels[0], numbers, next}, {labels[1], numbers, next}};
    return bt_orders_choose(job->run, rows, false, job->arena, labels, error);
}

/* ---- columns and manifest ---------------------------------------------------------------- */

/* The columns of the manifest stand in the order of the input. */
static bauta_status add_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    size_t count = bt_input_columns(job->input), coded = 0;
    manifest->columns = bt_arena_array(job->arena, count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_role role = job->roles[i];
        bool values = role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE;
        if (!values && role != BT_ROLE_OTHER) continue;
        bt_sheet *sheet = role == BT_ROLE_SENSITIVE ? &out->sensitive : &out->quasi;
        const bt_column *column = values ? &job->table->columns[coded++] : NULL;
        BT_TRY(values ? bt_sheet_add_value(sheet, column, column->name, false, error)
                      : bt_sheet_add_text(sheet, i, error));
        BT_TRY(bt_describe_column(job, &sheet->columns[sheet->column_count - 1],
                                  &manifest->columns[manifest->column_count++], error));
    }
    return BAUTA_OK;
}

/* The class stands last in the one file and first in the other. */
static bauta_status prepare(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    out->quasi = out->sensitive = (bt_sheet){.job = job, .map = &out->map};
    BT_TRY(check_linkage(job, error));
    BT_TRY(bt_row_map_make(job, &out->map, error));
    BT_TRY(bt_form_numbers(job->run, job->grouping, &out->numbers, error));
    BT_TRY(bt_describe_class(job, bt_class_name, &out->class_name, error));
    BT_TRY(bt_sheet_add_class(&out->sensitive, out->class_name, out->numbers, error));
    BT_TRY(add_columns(out, manifest, error));
    return bt_sheet_add_class(&out->quasi, out->class_name, out->numbers, error);
}

/* ---- the whole --------------------------------------------------------------------------- */

static void release(writer *out)
{
    bt_sheet_release(&out->quasi);
    bt_sheet_release(&out->sensitive);
    bt_row_map_release(&out->map);
    free(out->numbers);
}

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    BT_OWN(release) writer out = {.job = job};
    const char *labels[2];
    BT_TRY(prepare(&out, manifest, error));
    BT_TRY(choose_orders(&out, labels, error));
    BT_TRY(bt_sheet_write(&out.quasi, "quasi.csv", labels[0], error));
    bt_describe_others(&out.quasi, manifest);
    bt_sheet_release(&out.quasi); /* its memory is needed */
    BT_TRY(bt_sheet_write(&out.sensitive, "sensitive.csv", labels[1], error));
    bt_describe_promises(job, manifest);
    return bt_sql_publish(job, manifest, error);
}

/* What is to be hidden must be there, and no cell can be as general as `min-level` wants it. */
static bauta_status check(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error)
{
    (void)names;
    (void)count;
    (void)options;
    (void)arena;
    size_t sensitive = 0;
    bauta_status status;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        sensitive += column->role == BT_ROLE_SENSITIVE;
        if (column->role != BT_ROLE_QUASI || column->steering.lowest == 0) continue;
        status = bt_fail(error, BAUTA_INVALID,
                         "'min-level' cannot be kept: two-tables publishes values as they are");
        bt_error_place(error, NULL, -1, column->name);
        return status;
    }
    if (sensitive > 0) return BAUTA_OK;
    status = bt_fail(error, BAUTA_INVALID, "there is no sensitive column to publish apart");
    bt_error_hint(error, "name it with --sensitive, or publish 'generalized'");
    return status;
}

static bt_sensitive_shown shows_sensitive(const bt_value *options)
{
    (void)options;
    return BT_SENSITIVE_APART;
}

const bt_form bt_form_two_tables = {
    .name = "two-tables",
    .summary = "quasi values and sensitive values in two tables that share only the class",
    .paper = "paper 1; Xiao and Tao 2006",
    .shows_values = true,
    .shows_sensitive = shows_sensitive,
    .check = check,
    .publish = publish,
};
