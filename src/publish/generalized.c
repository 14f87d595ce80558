/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `generalized`: one table, quasi values replaced by the cells of their class.
 *
 * Rows are packed in input order into a shuffle, which puts them into random order and has them
 * written out. Columns keep the order of the input; identifiers and dropped columns are left out;
 * every text is canonical, so that no source formatting shines through. With sensitive=category
 * the category of a sensitive value stands in its place, with sensitive=both behind it.
 *
 * Promises: identity k, and every requirement per class.
 */
#include "base/bitset.h"
#include "publish/cells.h"
#include "publish/folder.h"
#include "publish/form.h"
#include "publish/shuffle.h"

#include <string.h>
#include <unistd.h>

enum { SHOW_VALUE, SHOW_CATEGORY, SHOW_BOTH };

static const bt_param params[] = {
    {.name = "sensitive",
     .type = BT_PARAM_CHOICE,
     .choices = "value|category|both",
     .fallback = "value",
     .help = "what is published of sensitive columns: values, their categories, or both"},
};

typedef struct out_column {
    const char *name;
    bt_role role;
    bool category;                        /* sensitive: categories, not values */
    bool companion;                       /* … beside a column that shows the values */
    size_t source;                        /* place in the input */
    size_t place;                         /* quasi: place among the quasi columns */
    const bt_column *column;              /* quasi, sensitive */
    bt_cell_texts values;                 /* sensitive: what is published for each code */
    const bt_reading *reading;            /* other */
    bool verbatim;                        /* other: what stands in the source is canonical */
    size_t together;                      /* other: columns from here on that are copied at once */
    const struct out_column *packed_next; /* the next that is packed */
} out_column;

typedef struct out_worker {
    bt_buffer packed, others, text, utf8, field;
} out_worker;

typedef struct writer {
    const bt_form_job *job;
    const bt_column **quasi;
    size_t quasi_count;
    out_column *columns;
    size_t column_count;
    const out_column *packed; /* the first column that is packed */
    size_t separators;        /* in a row, those within joined columns left out */
    size_t room;              /* for the numbers of a packed row */
    bt_cells cells;
    uint32_t *class_of;  /* table row -> class, UINT32_MAX: suppressed */
    uint32_t *table_row; /* input row -> table row when some were dropped, else NULL */
    int64_t input_rows;
    bt_shuffle *shuffle;
    out_worker *workers;
    unsigned worker_count;
} writer;

enum { AHEAD = 8 }; /* rows: a class's cells are anywhere in memory, so they are fetched early */

/* ---- packing rows ------------------------------------------------------------------------
 *
 * A packed row is its class, then for each column but the quasi ones in turn: of a sensitive
 * column the code; of `other` columns that stand together the length of their text, then the
 * text with the commas between them. */

static inline void put_number(bt_buffer *packed, uint32_t number)
{
    memcpy(packed->bytes + packed->length, &number, sizeof number);
    packed->length += sizeof number;
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
    BT_TRY(bt_span_text(field, &worker->text, error));
    if (bt_is_missing(&options->missing, field->bytes, field->length)) return BAUTA_OK;
    const char *text =
        bt_value_canonical(column->reading, field->bytes, field->length, number, &length);
    if (options->encoding != BT_UTF8 && text == field->bytes) {
        BT_TRY(bt_buffer_reserve(&worker->utf8, length * 3, error));
        length = bt_encoding_to_utf8(options->encoding, text, length, worker->utf8.bytes);
        text = worker->utf8.bytes;
    }
    return bt_csv_put(&worker->field, text, length, error);
}

/* Whether nothing but one delimiter stands between each of the fields. */
static inline bool is_unbroken(const bt_span *fields, size_t count)
{
    bool unbroken = true;
    for (size_t i = 1; i < count; i++)
        unbroken &= fields[i - 1].bytes + fields[i - 1].length + 1 == fields[i].bytes;
    return unbroken;
}

/* The texts of columns that stand together, made canonical one by one. */
static bauta_status make_others(const writer *out, const out_column *columns, bt_span *fields,
                                out_worker *worker, bauta_error *error)
{
    worker->others.length = 0;
    for (size_t i = 0; i < columns->together; i++) {
        if (i > 0) BT_TRY(bt_buffer_add(&worker->others, ",", 1, error));
        BT_TRY(make_other(out, &columns[i], &fields[i], worker, error));
        BT_TRY(bt_buffer_add(&worker->others, worker->field.bytes, worker->field.length, error));
    }
    return BAUTA_OK;
}

static bauta_status pack_others(const writer *out, const out_column *columns, bt_span *fields,
                                out_worker *worker, size_t *text_length, bauta_error *error)
{
    bt_buffer *packed = &worker->packed;
    const bt_span *last = &fields[columns->together - 1];
    const char *bytes = fields->bytes;
    size_t length = (size_t)(last->bytes - bytes) + last->length;
    if (!columns->verbatim || !is_unbroken(fields, columns->together)) {
        BT_TRY(make_others(out, columns, fields, worker, error));
        bytes = worker->others.bytes;
        length = worker->others.length;
    }
    if (length > UINT32_MAX) return bt_fail(error, BAUTA_INVALID, "a record is longer than 4 GiB");
    BT_TRY(bt_buffer_reserve(packed, length + out->room, error));
    put_number(packed, (uint32_t)length);
    memcpy(packed->bytes + packed->length, bytes, length);
    packed->length += length;
    *text_length += length;
    return BAUTA_OK;
}

/* Packs a row; *text_length is that of its text with all separators. */
static bauta_status pack_row(const writer *out, int64_t table_row, bt_span *fields,
                             out_worker *worker, size_t *text_length, bauta_error *error)
{
    bt_buffer *packed = &worker->packed;
    uint32_t class_number = out->class_of[table_row];
    if (table_row + AHEAD < out->job->grouping->rows)
        __builtin_prefetch(&out->cells.lengths[out->class_of[table_row + AHEAD]]);
    packed->length = 0;
    BT_TRY(bt_buffer_reserve(packed, out->room, error));
    put_number(packed, class_number);
    *text_length = out->cells.lengths[class_number] + out->separators;
    for (const out_column *column = out->packed; column; column = column->packed_next) {
        if (column->role == BT_ROLE_SENSITIVE) {
            uint32_t code = bt_column_code(column->column, table_row);
            put_number(packed, code);
            *text_length += bt_cell_text_length(&column->values, code);
        } else if (fields) { /* always, when there are such columns */
            BT_TRY(pack_others(out, column, &fields[column->source], worker, text_length, error));
        }
    }
    return BAUTA_OK;
}

static bauta_status pack(void *user, unsigned number, int64_t input_row, bt_span *fields,
                         bauta_error *error)
{
    writer *out = user;
    out_worker *worker = &out->workers[number];
    int64_t row = input_row;
    size_t text_length;
    if (out->table_row) {
        if (out->table_row[input_row] == UINT32_MAX) return BAUTA_OK;
        row = out->table_row[input_row];
    }
    if (out->class_of[row] == UINT32_MAX) return BAUTA_OK;
    BT_TRY(pack_row(out, row, fields, worker, &text_length, error));
    return bt_shuffle_add(out->shuffle, number, input_row, worker->packed.bytes,
                          worker->packed.length, text_length, error);
}

/* ---- writing texts ----------------------------------------------------------------------- */

/* Short texts are copied as one block of fixed size, which the compiler turns into a move. */
static inline char *put_text(char *out, const bt_cell_texts *texts, uint32_t number)
{
    size_t from = number ? texts->ends[number - 1] : 0, length = texts->ends[number] - from;
    const char *bytes = texts->bytes.bytes + from;
    if (length <= BT_CELL_SLACK)
        memcpy(out, bytes, BT_CELL_SLACK);
    else
        memcpy(out, bytes, length);
    return out + length;
}

static inline uint32_t take_number(const char **packed)
{
    uint32_t number;
    memcpy(&number, *packed, sizeof number);
    *packed += sizeof number;
    return number;
}

static char *write_row(const writer *out, const char *packed, char *text)
{
    const uint32_t *ids = out->cells.ids + (size_t)take_number(&packed) * out->quasi_count;
    for (size_t i = 0; i < out->column_count; i++) {
        const out_column *column = &out->columns[i];
        if (column->role == BT_ROLE_QUASI) {
            text = put_text(text, &out->cells.texts[column->place], ids[column->place]);
        } else if (column->role == BT_ROLE_SENSITIVE) {
            text = put_text(text, &column->values, take_number(&packed));
        } else {
            uint32_t length = take_number(&packed);
            memcpy(text, packed, length);
            text += length;
            packed += length;
            i += column->together - 1;
        }
        *text++ = i + 1 < out->column_count ? ',' : '\n';
    }
    return text;
}

static void write_texts(const void *user, const bt_shuffle_row *rows, size_t count, char *text)
{
    const writer *out = user;
    for (size_t i = 0; i < count; i++) {
        if (i + AHEAD < count) {
            const char *packed = rows[i + AHEAD].packed;
            __builtin_prefetch(out->cells.ids + (size_t)take_number(&packed) * out->quasi_count);
        }
        text = write_row(out, rows[i].packed, text);
    }
}

/* ---- all rows ---------------------------------------------------------------------------- */

/* Without `other` columns the input need not be read again. */
enum { ROWS_PER_TASK = 1 << 14 };

static bauta_status pack_range(void *user, size_t task, unsigned number, bauta_error *error)
{
    writer *out = user;
    int64_t from = (int64_t)task * ROWS_PER_TASK, to = from + ROWS_PER_TASK;
    if (to > out->input_rows) to = out->input_rows;
    for (int64_t row = from; row < to; row++)
        BT_TRY(pack(out, number, row, NULL, error));
    return bt_run_progress(out->job->run, number, "publishing", to, out->input_rows, error);
}

static bauta_status pack_rows(writer *out, bauta_error *error)
{
    for (size_t i = 0; i < out->column_count; i++)
        if (out->columns[i].role == BT_ROLE_OTHER)
            return bt_input_scan(out->job->input, out->job->run, "publishing", pack, out, error);
    size_t tasks = (size_t)((out->input_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK);
    return bt_pool_run(out->job->run->pool, tasks, pack_range, out, error);
}

/* ---- preparing --------------------------------------------------------------------------- */

static bauta_status sensitive_texts(out_column *column, bauta_error *error)
{
    const bt_domain *domain = &column->column->domain;
    const bt_categories *categories = column->column->categories;
    for (uint32_t code = 0; code < domain->size; code++) {
        const char *text =
            column->category ? categories->names[categories->of_code[code]] : domain->text[code];
        BT_TRY(bt_cell_texts_add(&column->values, text, strlen(text), error));
    }
    return BAUTA_OK;
}

static const char *companion_name(const char *column, bt_arena *arena)
{
    return bt_arena_print(arena, "%s_category", column);
}

/* The category of a sensitive value behind it. */
static bauta_status plan_companion(writer *out, bauta_error *error)
{
    const out_column *beside = &out->columns[out->column_count - 1];
    out_column *column = &out->columns[out->column_count++];
    *column = (out_column){.name = companion_name(beside->name, out->job->arena),
                           .role = BT_ROLE_SENSITIVE,
                           .category = true,
                           .companion = true,
                           .source = beside->source,
                           .column = beside->column};
    if (!column->name) return bt_fail_memory(error);
    return sensitive_texts(column, error);
}

static bauta_status plan_columns(writer *out, bauta_error *error)
{
    const bt_form_job *job = out->job;
    const bt_input_options *source = bt_input_settings(job->input);
    bool plain =
        source->encoding == BT_UTF8 && source->count == 1 && bt_input_delimiter(job->input) == ',';
    size_t count = bt_input_columns(job->input), coded = 0, quasi = 0, room;
    int64_t show = job->options[0].integer;
    out->columns = bt_size_mul(count, 2, &room) ? bt_array_zero(room, sizeof *out->columns) : NULL;
    if (!out->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_role role = job->roles[i];
        if (role != BT_ROLE_QUASI && role != BT_ROLE_SENSITIVE && role != BT_ROLE_OTHER) continue;
        out_column *column = &out->columns[out->column_count++];
        *column = (out_column){.name = bt_input_names(job->input)[i],
                               .role = role,
                               .category = role == BT_ROLE_SENSITIVE && show == SHOW_CATEGORY,
                               .source = i,
                               .reading = &job->readings[i],
                               .verbatim = plain && job->verbatim[i]};
        if (role == BT_ROLE_OTHER) continue;
        column->column = &job->table->columns[coded++];
        if (role == BT_ROLE_QUASI) {
            column->place = quasi++;
            continue;
        }
        BT_TRY(sensitive_texts(column, error));
        if (show == SHOW_BOTH) BT_TRY(plan_companion(out, error));
    }
    return BAUTA_OK;
}

/* Joins `other` columns that stand beside each other in the input, all verbatim or none, and
 * links what is packed. */
static void join_columns(writer *out)
{
    out_column *next = NULL;
    for (size_t i = out->column_count; i-- > 0; next = &out->columns[i]) {
        out_column *column = &out->columns[i];
        bool joins = column->role == BT_ROLE_OTHER && next && next->role == BT_ROLE_OTHER &&
                     next->source == column->source + 1 && next->verbatim == column->verbatim;
        column->together = joins ? next->together + 1 : 1;
        out->separators += !joins;
        if (column->role == BT_ROLE_QUASI) continue;
        column->packed_next = joins ? next->packed_next : out->packed;
        out->packed = column;
    }
    out->room = (out->column_count + 1) * sizeof(uint32_t);
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
    join_columns(out);
    return bt_shuffle_new(job->run, "data.csv", out->input_rows, write_texts, out, &out->shuffle,
                          error);
}

static void release(writer *out)
{
    for (unsigned w = 0; out->workers && w < out->worker_count; w++) {
        bt_buffer_release(&out->workers[w].packed);
        bt_buffer_release(&out->workers[w].others);
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
        const char *name = out->columns[i].name;
        status = bt_csv_put(&header, name, strlen(name), error);
        if (status == BAUTA_OK)
            status = bt_buffer_add(&header, i + 1 < out->column_count ? "," : "\n", 1, error);
    }
    if (status == BAUTA_OK)
        status = bt_write_at(descriptor, path, 0, header.bytes, header.length, error);
    if (status == BAUTA_OK) status = pack_rows(out, error);
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

/* Of the categories only the values that the published rows have: others may be those of rows that
 * were dropped. */
static bauta_status describe_categories(const writer *out, const bt_column *column,
                                        bt_manifest_column *to, bauta_error *error)
{
    const bt_grouping *grouping = out->job->grouping;
    const bt_categories *categories = column->categories;
    bt_category *list;
    uint64_t *shown = bt_array_zero(bt_bitset_words(column->domain.size), sizeof *shown);
    if (!shown) return bt_fail_memory(error);
    for (int64_t i = 0; i < grouping->kept; i++)
        bt_bitset_add(shown, bt_column_code(column, grouping->order[i]));
    bauta_status status =
        bt_categories_list(categories, &column->domain, shown, out->job->arena, &list, error);
    free(shown);
    to->categories = list;
    to->category_count = categories->count;
    return status;
}

static bauta_status describe_sensitive(const writer *out, const out_column *from,
                                       const bt_column *column, bt_manifest_column *to,
                                       bauta_error *error)
{
    if (from->category) to->category_of = column->name;
    if (from->companion) {
        to->type = BT_TEXT;
        to->scale = 0;
        return BAUTA_OK;
    }
    if (column->hierarchy && column->hierarchy->given && !from->category)
        to->hierarchy = column->hierarchy;
    return column->categories ? describe_categories(out, column, to, error) : BAUTA_OK;
}

static bauta_status describe_columns(writer *out, bt_manifest *manifest, bauta_error *error)
{
    const bt_form_job *job = out->job;
    manifest->column_count = out->column_count;
    manifest->columns = bt_arena_array(job->arena, out->column_count, sizeof *manifest->columns);
    if (!manifest->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < out->column_count; i++) {
        const out_column *from = &out->columns[i];
        const bt_column *column = from->column;
        bt_manifest_column *to = &manifest->columns[i];
        to->name = from->name;
        to->role = from->role;
        if (!column) { /* published as it is */
            to->type = from->reading->type;
            continue;
        }
        to->type = column->domain.reading.type;
        to->scale = column->domain.scale;
        if (from->role == BT_ROLE_SENSITIVE)
            BT_TRY(describe_sensitive(out, from, column, to, error));
        else if (column->hierarchy && column->hierarchy->given)
            to->hierarchy = column->hierarchy;
        else if (column->hierarchy)
            BT_TRY(describe_derived(column, &out->cells.texts[from->place], job->arena, to, error));
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
        const char *text = requirements->items[i].text, *equals = strchr(text, '=');
        const char *name = bt_arena_copy(job->arena, text, (size_t)(equals - text));
        if (!name) return bt_fail_memory(error);
        manifest->promises[i] = (bt_manifest_promise){name, equals + 1};
    }
    if (!requirements->size_only && requirements->people->columns > 1)
        manifest->joint = requirements->joint ? "pairwise" : "none";
    return BAUTA_OK;
}

/* Both need categories of each sensitive column, and `both` a name for the one behind it. */
static bauta_status check(const bt_table *table, const char *const *names, size_t count,
                          const bt_value *options, bt_arena *arena, bauta_error *error)
{
    if (options[0].integer == SHOW_VALUE) return BAUTA_OK;
    size_t sensitive = 0;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role != BT_ROLE_SENSITIVE) continue;
        sensitive++;
        bauta_status status = BAUTA_OK;
        const char *companion = companion_name(column->name, arena);
        if (!companion) return bt_fail_memory(error);
        if (!column->categories) {
            status = bt_fail(error, BAUTA_INVALID, "there are no categories to publish");
            bt_error_hint(error, "give them with --categories COL=FILE or in the recipe");
        }
        for (size_t i = 0; i < count && status == BAUTA_OK; i++)
            if (options[0].integer == SHOW_BOTH && strcmp(names[i], companion) == 0)
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

static bauta_status publish(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    writer out = {.job = job};
    bauta_status status = prepare(&out, error);
    if (status == BAUTA_OK) status = write_data(&out, error);
    if (status == BAUTA_OK) status = describe_columns(&out, manifest, error);
    if (status == BAUTA_OK) status = describe_promises(job, manifest, error);
    if (job->options[0].integer == SHOW_CATEGORY)
        manifest->not_protected =
            "whoever is known to be in the table shares a class with at least k-1 others, but "
            "the categories of sensitive values and other columns are published as they are: a "
            "class whose records agree there tells it of everyone in the class";
    release(&out);
    return status;
}

const bt_form bt_form_generalized = {
    .name = "generalized",
    .summary = "one table whose quasi values are replaced by ranges, sets or hierarchy nodes",
    .paper = "Samarati and Sweeney 1998; papers 1, 3 and 5",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .not_protected = "whoever is known to be in the table shares a class with at least k-1 others, "
                     "but sensitive and other columns are published as they are: a class whose "
                     "records agree there tells it of everyone in the class",
    .check = check,
    .publish = publish,
};
