/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `generalized` with a public table (k-join-anonymity, paper 5): data.csv has the cells of
 * records of the microdata and of external persons, and the sensitive group of each; sensitive.csv
 * has the sensitive group and the sensitive values of each record of the microdata.
 *
 * Nothing tells rows of the microdata from the others: they have the same columns, and one shuffle
 * goes over all. Sensitive groups are numbered by a random permutation, and sensitive.csv has an
 * order of its own.
 *
 * With `direct` a class may have a single record of the microdata, whose values sensitive.csv would
 * publish. So it is refused, unless the records of the microdata satisfy all requirements in each
 * class by themselves; without sensitive columns there is nothing to put into it.
 *
 * Promises: k counts the rows of a class; all other requirements hold for the records of each
 * sensitive group.
 */
#include "publish/describe.h"
#include "require/judge.h"

static const char data_file[] = "data.csv", sensitive_file[] = "sensitive.csv";

typedef struct writer {
    const bt_form_job *job;
    bt_form_job joined; /* the job as data.csv sees it: rows are those of the join */
    const bt_column **quasi;
    size_t quasi_count;
    const char *group_name;
    uint32_t *numbers;       /* of sensitive groups, from 1 */
    uint32_t *class_numbers; /* of classes: those of their sensitive groups */
    bt_cells cells;
    bt_row_map joined_map, map;
    bt_sheet data, sensitive;
} writer;

/* ---- what may be published ---------------------------------------------------------------- */

static bool has_sensitive(const bt_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].role == BT_ROLE_SENSITIVE) return true;
    return false;
}

/* How many classes do not satisfy a requirement by their records of the microdata alone. */
static bauta_status count_short(const bt_form_job *job, const bt_row_map *map, uint32_t *out,
                                bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_requirements own;
    const bt_grouping *grouping = &job->join->sensitive;
    BT_TRY(bt_requirements_of_records(job->requirements, job->arena, &own, error));
    uint32_t *sizes = bt_arena_array(&scratch, grouping->classes, sizeof *sizes);
    bt_shortfall *found = bt_arena_array(&scratch, own.count, sizeof *found);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t c = 0; c < grouping->classes; c++)
        sizes[c] = grouping->starts[c + 1] - grouping->starts[c];
    const bt_judged_classes classes = {grouping->classes, sizes, map->class_of};
    BT_TRY(bt_requirements_judge(&own, &classes, job->run, found, error));
    *out = 0;
    for (size_t i = 0; i < own.count; i++)
        if (found[i].classes > *out) *out = found[i].classes;
    return BAUTA_OK;
}

bauta_status bt_join_check(const bt_form_job *job, bauta_error *error)
{
    uint32_t wanting = 0;
    BT_OWN(bt_row_map_release) bt_row_map map = {0};
    if (job->join->kind != BT_JOIN_DIRECT || !has_sensitive(job->table)) return BAUTA_OK;
    BT_TRY(bt_row_map_make(job, &map, error));
    BT_TRY(count_short(job, &map, &wanting, error));
    if (wanting == 0) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_NO,
                "sensitive values cannot be published with 'direct': in %u of %u classes the "
                "records of the microdata do not satisfy the requirements without external "
                "persons, and a class with one such record would publish that person's values",
                wanting, job->join->sensitive.classes);
    bt_error_hint(error, "say --join refine, or --drop the sensitive columns");
    return status;
}

/* ---- columns and manifest ----------------------------------------------------------------- */

static bauta_status name_group(writer *out, bauta_error *error)
{
    const bt_table *table = out->job->table;
    bt_arena *arena = out->job->arena;
    bool both = out->job->options[0].integer == BT_PUBLISH_BOTH;
    const char **names = bt_arena_array(arena, 2 * table->count, sizeof *names);
    size_t count = 0;
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < table->count; i++) {
        names[count++] = table->columns[i].name;
        if (!both || table->columns[i].role != BT_ROLE_SENSITIVE) continue;
        names[count] = bt_companion_name(table->columns[i].name, arena);
        if (!names[count++]) return bt_fail_memory(error);
    }
    out->group_name = bt_sensitive_group_name(names, count, arena);
    return out->group_name ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status number_classes(writer *out, bauta_error *error)
{
    const bt_join *join = out->job->join;
    BT_TRY(bt_form_numbers(out->job->run, &join->sensitive, &out->numbers, error));
    out->class_numbers = bt_array(join->grouping.classes, sizeof *out->class_numbers);
    if (!out->class_numbers) return bt_fail_memory(error);
    for (uint32_t c = 0; c < join->grouping.classes; c++)
        out->class_numbers[c] = out->numbers[join->group_of[c]];
    return BAUTA_OK;
}

/* The columns of the manifest stand in the order of the input. The sensitive group stands last in
 * data.csv, and first in sensitive.csv. */
static bauta_status add_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    size_t quasi = 0, count = 2 * job->table->count;
    manifest->columns = bt_arena_array(job->arena, count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    BT_TRY(bt_sheet_add_class(&out->sensitive, out->group_name, out->numbers, error));
    for (size_t i = 0; i < job->table->count; i++) {
        const bt_column *column = &job->table->columns[i];
        bool cell = column->role == BT_ROLE_QUASI;
        bt_sheet *sheet = cell ? &out->data : &out->sensitive;
        size_t before = sheet->column_count;
        BT_TRY(cell ? bt_sheet_add_cell(sheet, out->quasi[quasi], quasi, error)
                    : bt_sheet_add_sensitive(sheet, column, job->options[0].integer, error));
        quasi += cell;
        for (size_t at = before; at < sheet->column_count; at++) {
            bt_manifest_column *to = &manifest->columns[manifest->column_count++];
            const bt_sheet_column *from = &sheet->columns[at];
            BT_TRY(cell ? bt_describe_cells(&out->joined, from, &out->cells, to, error)
                        : bt_describe_column(job, from, to, error));
        }
    }
    return bt_sheet_add_class(&out->data, out->group_name, out->class_numbers, error);
}

static bauta_status prepare(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    const bt_join *join = job->join;
    out->joined = *job;
    out->joined.table = &join->table;
    out->joined.grouping = &join->grouping;
    out->joined.row_map = NULL;
    out->joined.input_rows = join->table.rows;
    out->data = (bt_sheet){.job = &out->joined, .map = &out->joined_map, .cells = &out->cells};
    out->sensitive = (bt_sheet){.job = job, .map = &out->map};
    BT_TRY(bt_row_map_make(job, &out->map, error));
    BT_TRY(bt_row_map_make(&out->joined, &out->joined_map, error));
    BT_TRY(bt_table_select(&join->table, BT_ROLE_QUASI, &out->quasi, &out->quasi_count, error));
    BT_TRY(bt_cells_narrow(&join->grouping, out->quasi, job->arena, error));
    BT_TRY(bt_cells_make(&join->grouping, out->quasi, job->run, &out->cells, error));
    BT_TRY(name_group(out, error));
    BT_TRY(number_classes(out, error));
    return add_columns(out, manifest, error);
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void release(writer *out)
{
    bt_sheet_release(&out->data);
    bt_sheet_release(&out->sensitive);
    bt_row_map_release(&out->joined_map);
    bt_row_map_release(&out->map);
    bt_cells_release(&out->cells);
    free(out->quasi);
    free(out->numbers);
    free(out->class_numbers);
}

bauta_status bt_join_publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    BT_OWN(release) writer out = {.job = job};
    BT_TRY(prepare(&out, manifest, error));
    BT_TRY(bt_sheet_write(&out.data, data_file, data_file, error));
    if (bt_join_has_table(manifest))
        BT_TRY(bt_sheet_write(&out.sensitive, sensitive_file, sensitive_file, error));
    bt_describe_promises(job, manifest);
    return BAUTA_OK;
}

/* ---- the order of classes ----------------------------------------------------------------- */

typedef struct placed {
    uint64_t key; /* of its first row */
    uint32_t class_number;
} placed;

static int compare_placed(const void *left, const void *right)
{
    const placed *a = left, *b = right;
    return (a->key > b->key) - (a->key < b->key);
}

/* Per row of the join: its place among those that are published, which persons who were left out do
 * not have. NULL: out of memory. */
static uint32_t *find_places(const bt_grouping *grouping)
{
    uint32_t next = 0, *place = bt_array_zero((size_t)grouping->rows, sizeof *place);
    for (int64_t i = 0; place && i < grouping->kept; i++)
        place[grouping->order[i]] = 1;
    for (int64_t row = 0; place && row < grouping->rows; row++)
        if (place[row]) place[row] = next++;
    return place;
}

bauta_status bt_form_join_places(const bt_run *run, const bt_join *join, uint32_t **out,
                                 bauta_error *error)
{
    const bt_grouping *grouping = &join->grouping;
    BT_OWN(bt_free) placed *classes = bt_array(grouping->classes, sizeof *classes);
    BT_OWN(bt_free) uint32_t *place = find_places(grouping);
    bt_stream stream;
    *out = NULL;
    if (!classes || !place) return bt_fail_memory(error);
    *out = bt_array(grouping->classes, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    bt_stream_init(&stream, &run->seed, data_file, 0);
    for (uint32_t c = 0; c < grouping->classes; c++) {
        classes[c] = (placed){UINT64_MAX, c};
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            bt_stream_seek(&stream, place[grouping->order[i]]);
            uint64_t key = bt_stream_next(&stream);
            if (key < classes[c].key) classes[c].key = key;
        }
    }
    qsort(classes, grouping->classes, sizeof *classes, compare_placed);
    for (uint32_t i = 0; i < grouping->classes; i++)
        (*out)[classes[i].class_number] = i;
    return BAUTA_OK;
}
