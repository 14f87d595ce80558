/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `generalized`: one table, quasi values replaced by the cells of their class.
 *
 * Rows are written in input order into a shuffle, which puts them into random order. Columns
 * keep the order of the input; identifiers and dropped columns are left out; every text is
 * canonical, so that no source formatting shines through.
 *
 * Promises: identity k, and every requirement per class.
 */
#include "publish/cells.h"
#include "publish/folder.h"
#include "publish/form.h"
#include "publish/shuffle.h"

#include <string.h>
#include <unistd.h>

typedef struct out_column {
    bt_role role;
    size_t source;             /* place in the input */
    size_t place;              /* quasi: place among the quasi columns */
    const bt_column *column;   /* quasi, sensitive */
    bt_cell_texts values;      /* sensitive: text of each code */
    const bt_reading *reading; /* other */
} out_column;

typedef struct out_worker {
    bt_buffer row, text, utf8, field;
} out_worker;

typedef struct writer {
    const bt_form_job *job;
    const bt_column **quasi;
    size_t quasi_count;
    out_column *columns;
    size_t column_count;
    bt_cells cells;
    uint32_t *class_of;  /* table row -> class, UINT32_MAX: suppressed */
    uint32_t *table_row; /* input row -> table row when some were dropped, else NULL */
    int64_t input_rows;
    bool plain_source; /* one file, UTF-8 with commas: unquoted text is canonical already */
    size_t room;       /* for all cells and separators of a row, `other` ones aside */
    bt_shuffle *shuffle;
    out_worker *workers;
    unsigned worker_count;
} writer;

/* Short texts are copied as one block of fixed size, which the compiler turns into a move. */
static inline char *put_bytes(char *out, const char *bytes, size_t length)
{
    if (length <= BT_CELL_SLACK)
        memcpy(out, bytes, BT_CELL_SLACK);
    else
        memcpy(out, bytes, length);
    return out + length;
}

static inline char *put_text(char *out, const bt_cell_texts *texts, uint32_t number)
{
    size_t from = number ? texts->ends[number - 1] : 0;
    return put_bytes(out, texts->bytes.bytes + from, texts->ends[number] - from);
}

/* Whether a value of an `other` column is canonical as it stands. Fields of an unquoted source
 * with the same delimiter hold nothing that would need quotes but, perhaps, a carriage return. */
static inline bool is_canonical(const writer *out, const out_column *column, const bt_span *field)
{
    if (column->reading->type == BT_INTEGER)
        return field->bytes[0] >= '0' && field->bytes[0] <= '9';
    return column->reading->type == BT_TEXT && out->plain_source && !field->quoted &&
           !memchr(field->bytes, '\r', field->length);
}

/* A value that is published as it is: UTF-8, canonical, missing as the empty text. Leaves it in
 * worker->field, quoted. */
static bauta_status make_other(const writer *out, const out_column *column, bt_span *field,
                               out_worker *worker, bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(out->job->input);
    char number[BT_NUMBER_TEXT];
    size_t length;
    worker->field.length = worker->utf8.length = 0;
    const char *text =
        bt_value_canonical(column->reading, field->bytes, field->length, number, &length);
    if (options->encoding != BT_UTF8 && text == field->bytes) {
        BT_TRY(bt_buffer_reserve(&worker->utf8, length * 3, error));
        length = bt_encoding_to_utf8(options->encoding, text, length, worker->utf8.bytes);
        text = worker->utf8.bytes;
    }
    BT_TRY(bt_csv_put(&worker->field, text, length, error));
    return bt_buffer_reserve(&worker->field, BT_CELL_SLACK, error);
}

static bauta_status add_other(const writer *out, const out_column *column, bt_span *field,
                              out_worker *worker, bauta_error *error)
{
    bt_buffer *row = &worker->row;
    if (field->doubled) BT_TRY(bt_span_text(field, &worker->text, error));
    if (bt_is_missing(&bt_input_settings(out->job->input)->missing, field->bytes, field->length))
        return BAUTA_OK;
    const char *bytes = field->bytes;
    size_t length = field->length;
    if (!is_canonical(out, column, field)) {
        BT_TRY(make_other(out, column, field, worker, error));
        bytes = worker->field.bytes;
        length = worker->field.length;
    }
    BT_TRY(bt_buffer_reserve(row, length + out->room, error));
    row->length = (size_t)(put_bytes(row->bytes + row->length, bytes, length) - row->bytes);
    return BAUTA_OK;
}

enum { AHEAD = 8 }; /* rows: a class's cells are anywhere in memory, so they are fetched early */

static bauta_status format_row(const writer *out, int64_t table_row, bt_span *fields,
                               out_worker *worker, bauta_error *error)
{
    const uint32_t *ids = out->cells.ids + (size_t)out->class_of[table_row] * out->quasi_count;
    if (table_row + AHEAD < out->job->grouping->rows)
        __builtin_prefetch(out->cells.ids +
                           (size_t)out->class_of[table_row + AHEAD] * out->quasi_count);
    bt_buffer *row = &worker->row;
    row->length = 0;
    BT_TRY(bt_buffer_reserve(row, out->room, error));
    for (size_t i = 0; i < out->column_count; i++) {
        const out_column *column = &out->columns[i];
        char *end = row->bytes + row->length;
        if (column->role == BT_ROLE_QUASI) {
            end = put_text(end, &out->cells.texts[column->place], ids[column->place]);
        } else if (column->role == BT_ROLE_SENSITIVE) {
            end = put_text(end, &column->values, bt_column_code(column->column, table_row));
        } else if (fields) { /* always, when there are other columns */
            BT_TRY(add_other(out, column, &fields[column->source], worker, error));
            end = row->bytes + row->length;
        }
        *end++ = i + 1 < out->column_count ? ',' : '\n';
        row->length = (size_t)(end - row->bytes);
    }
    return BAUTA_OK;
}

static bauta_status write_row(void *user, unsigned number, int64_t input_row, bt_span *fields,
                              bauta_error *error)
{
    writer *out = user;
    out_worker *worker = &out->workers[number];
    int64_t row = input_row;
    if (out->table_row) {
        if (out->table_row[input_row] == UINT32_MAX) return BAUTA_OK;
        row = out->table_row[input_row];
    }
    if (out->class_of[row] == UINT32_MAX) return BAUTA_OK;
    BT_TRY(format_row(out, row, fields, worker, error));
    return bt_shuffle_add(out->shuffle, number, input_row, worker->row.bytes, worker->row.length,
                          error);
}

/* Without `other` columns the input need not be read again. */
enum { ROWS_PER_TASK = 1 << 14 };

static bauta_status write_range(void *user, size_t task, unsigned number, bauta_error *error)
{
    writer *out = user;
    int64_t from = (int64_t)task * ROWS_PER_TASK, to = from + ROWS_PER_TASK;
    if (to > out->input_rows) to = out->input_rows;
    for (int64_t row = from; row < to; row++)
        BT_TRY(write_row(out, number, row, NULL, error));
    return bt_run_progress(out->job->run, number, "publishing", to, out->input_rows, error);
}

static bauta_status write_rows(writer *out, bauta_error *error)
{
    for (size_t i = 0; i < out->column_count; i++)
        if (out->columns[i].role == BT_ROLE_OTHER)
            return bt_input_scan(out->job->input, out->job->run, "publishing", write_row, out,
                                 error);
    size_t tasks = (size_t)((out->input_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK);
    return bt_pool_run(out->job->run->pool, tasks, write_range, out, error);
}

/* ---- preparing --------------------------------------------------------------------------- */

static bauta_status sensitive_texts(out_column *column, bauta_error *error)
{
    const bt_domain *domain = &column->column->domain;
    for (uint32_t code = 0; code < domain->size; code++)
        BT_TRY(bt_cell_texts_add(&column->values, domain->text[code], strlen(domain->text[code]),
                                 error));
    return BAUTA_OK;
}

static bauta_status plan_columns(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    size_t count = bt_input_columns(job->input), coded = 0, quasi = 0;
    out->columns = bt_array_zero(count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_role role = job->roles[i];
        if (role != BT_ROLE_QUASI && role != BT_ROLE_SENSITIVE && role != BT_ROLE_OTHER) continue;
        out_column *column = &out->columns[out->column_count++];
        *column = (out_column){.role = role, .source = i, .reading = &job->readings[i]};
        if (role == BT_ROLE_OTHER) continue;
        column->column = &job->table->columns[coded++];
        if (role == BT_ROLE_QUASI)
            column->place = quasi++;
        else
            BT_TRY(sensitive_texts(column, error));
    }
    return BAUTA_OK;
}

enum { CLASSES_PER_TASK = 4096 };

static bauta_status map_classes(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    (void)error;
    const writer *out = user;
    const bt_grouping *grouping = out->job->grouping;
    size_t from = task * CLASSES_PER_TASK, to = from + CLASSES_PER_TASK;
    if (to > grouping->classes) to = grouping->classes;
    for (size_t c = from; c < to; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            out->class_of[grouping->order[i]] = (uint32_t)c;
    return BAUTA_OK;
}

static bauta_status map_rows(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    const bt_grouping *grouping = job->grouping;
    out->class_of = bt_array((size_t)grouping->rows, sizeof *out->class_of);
    if (!out->class_of) return bt_fail_memory(error);
    if (grouping->kept < grouping->rows)
        memset(out->class_of, 0xff, (size_t)grouping->rows * sizeof *out->class_of);
    size_t tasks = ((size_t)grouping->classes + CLASSES_PER_TASK - 1) / CLASSES_PER_TASK;
    BT_TRY(bt_pool_run(job->run->pool, tasks, map_classes, out, error));
    if (!job->row_map) return BAUTA_OK;
    out->table_row = bt_array((size_t)out->input_rows, sizeof *out->table_row);
    if (!out->table_row) return bt_fail_memory(error);
    memset(out->table_row, 0xff, (size_t)out->input_rows * sizeof *out->table_row);
    for (int64_t row = 0; row < grouping->rows; row++)
        out->table_row[job->row_map[row]] = (uint32_t)row;
    return BAUTA_OK;
}

static bauta_status prepare(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    out->input_rows = job->input_rows;
    out->worker_count = bt_pool_size(job->run->pool);
    out->workers = bt_array_zero(out->worker_count, sizeof *out->workers);
    if (!out->workers) return bt_fail_memory(error);
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &out->quasi, &out->quasi_count, error));
    BT_TRY(plan_columns(out, error));
    BT_TRY(map_rows(out, error));
    BT_TRY(bt_cells_make(job->grouping, out->quasi, job->run, &out->cells, error));
    const bt_input_options *source = bt_input_settings(job->input);
    out->plain_source =
        source->encoding == BT_UTF8 && source->count == 1 && bt_input_delimiter(job->input) == ',';
    out->room = out->column_count + BT_CELL_SLACK;
    for (size_t i = 0; i < out->column_count; i++)
        out->room += out->columns[i].values.longest;
    for (size_t i = 0; i < out->quasi_count; i++)
        out->room += out->cells.texts[i].longest;
    return bt_shuffle_new(job->run, "data.csv", out->input_rows, &out->shuffle, error);
}

static void release(writer *out)
{
    for (unsigned w = 0; out->workers && w < out->worker_count; w++) {
        bt_buffer_release(&out->workers[w].row);
        bt_buffer_release(&out->workers[w].text);
        bt_buffer_release(&out->workers[w].utf8);
        bt_buffer_release(&out->workers[w].field);
    }
    for (size_t i = 0; i < out->column_count; i++)
        bt_cell_texts_release(&out->columns[i].values);
    free(out->workers);
    free(out->columns);
    free(out->quasi);
    free(out->class_of);
    free(out->table_row);
    bt_cells_release(&out->cells);
    bt_shuffle_free(out->shuffle);
}

/* ---- the file and the manifest ----------------------------------------------------------- */

static bauta_status write_data(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    const char *path;
    int descriptor;
    bt_buffer header = {0};
    BT_TRY(bt_create_file(job->folder, "data.csv", job->arena, &path, &descriptor, error));
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < out->column_count && status == BAUTA_OK; i++) {
        const char *name = bt_input_names(job->input)[out->columns[i].source];
        status = bt_csv_put(&header, name, strlen(name), error);
        if (status == BAUTA_OK)
            status = bt_buffer_add(&header, i + 1 < out->column_count ? "," : "\n", 1, error);
    }
    if (status == BAUTA_OK)
        status = bt_write_at(descriptor, path, 0, header.bytes, header.length, error);
    if (status == BAUTA_OK) status = write_rows(out, error);
    if (status == BAUTA_OK)
        status = bt_shuffle_write(out->shuffle, descriptor, path, (int64_t)header.length, error);
    bt_buffer_release(&header);
    if (close(descriptor) != 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot close", path);
    return status;
}

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of a derived hierarchy only the nodes that occur in cells are published. */
static bauta_status describe_derived(const bt_column *column, bt_cell_texts *texts, bt_arena *arena,
                                     bt_manifest_column *out, bauta_error *error)
{
    const bt_hierarchy *hierarchy = column->hierarchy;
    out->derived = hierarchy->spec;
    out->derived_leaves = hierarchy->leaves;
    out->derived_levels = hierarchy->levels;
    out->nodes = bt_arena_array(arena, texts->count, sizeof *out->nodes);
    if (!out->nodes) return bt_fail_memory(error);
    qsort(texts->nodes, texts->count, sizeof *texts->nodes, compare_numbers);
    for (uint32_t i = 0; i < texts->count; i++) {
        const bt_node *node = &hierarchy->nodes[texts->nodes[i]];
        out->nodes[out->node_count++] =
            (bt_manifest_node){node->label, node->hi - node->lo, node->level};
    }
    return BAUTA_OK;
}

static bauta_status describe_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    manifest->column_count = out->column_count;
    manifest->columns = bt_arena_array(job->arena, out->column_count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < out->column_count; i++) {
        const out_column *from = &out->columns[i];
        bt_manifest_column *to = &manifest->columns[i];
        const bt_reading *reading = from->column ? &from->column->domain.reading : from->reading;
        to->name = bt_input_names(job->input)[from->source];
        to->role = from->role;
        to->type = reading->type;
        if (from->column) to->scale = from->column->domain.scale;
        if (from->role != BT_ROLE_QUASI || !from->column) continue;
        const bt_hierarchy *hierarchy = from->column->hierarchy;
        if (hierarchy && hierarchy->given)
            to->hierarchy = hierarchy;
        else if (hierarchy)
            BT_TRY(describe_derived(from->column, &out->cells.texts[from->place], job->arena, to,
                                    error));
    }
    return BAUTA_OK;
}

static bauta_status describe_promises(const bt_form_job *job, bt_manifest *manifest,
                                      bauta_error *error)
{
    const bt_requirements *requirements = job->requirements;
    manifest->promise_count = requirements->count;
    manifest->promises =
        bt_arena_array(job->arena, requirements->count, sizeof *manifest->promises);
    if (!manifest->promises) return bt_fail_memory(error);
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        manifest->promises[i] =
            (bt_manifest_promise){item->type->name, strchr(item->text, '=') + 1};
    }
    return BAUTA_OK;
}

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    writer out = {.job = job};
    bauta_status status = prepare(&out, error);
    if (status == BAUTA_OK) status = write_data(&out, error);
    if (status == BAUTA_OK) status = describe_columns(&out, manifest, error);
    if (status == BAUTA_OK) status = describe_promises(job, manifest, error);
    release(&out);
    return status;
}

const bt_form bt_form_generalized = {
    .name = "generalized",
    .summary = "one table whose quasi values are replaced by ranges, sets or hierarchy nodes",
    .paper = "Samarati and Sweeney 1998; papers 1, 3 and 5",
    .not_protected = "whoever is known to be in the table shares a class with at least k-1 others, "
                     "but sensitive and other columns are published as they are: a class whose "
                     "records agree there tells it of everyone in the class",
    .publish = publish,
};
