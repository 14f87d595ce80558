/* SPDX-License-Identifier: Apache-2.0
 *
 * Packing and writing the rows of a sheet.
 *
 * Cost: linear in rows; memory as shuffle.h says, and 4 or 8 bytes a row for the map.
 */
#include "publish/sheet.h"

#include "publish/shuffle.h"

#include <string.h>

enum { AHEAD = 8 }; /* rows: a class's cells are anywhere in memory, so they are fetched early */

/* ---- packing rows ------------------------------------------------------------------------
 *
 * A packed row is its class, then for each column in turn: of one that shows values the code; of
 * `other` columns that stand together the length of their text, then the text with the commas
 * between them. */

static inline void put_number(bt_buffer *packed, uint32_t number)
{
    memcpy(packed->bytes + packed->length, &number, sizeof number);
    packed->length += sizeof number;
}

bauta_status bt_sheet_make_other(const bt_sheet *sheet, const bt_sheet_column *column,
                                 const bt_batch *batch, size_t at, bt_sheet_worker *worker,
                                 bauta_error *error)
{
    const bt_input_options *options = bt_input_settings(sheet->job->input);
    char number[BT_NUMBER_TEXT];
    size_t length;
    bt_span field;
    worker->plain.length = worker->utf8.length = 0;
    BT_TRY(bt_buffer_reserve(&worker->plain, 1, error)); /* there is one also for no bytes */
    BT_TRY(bt_batch_text(batch, column->source, at, &field, error));
    if (column->verbatim) return bt_buffer_add(&worker->plain, field.bytes, field.length, error);
    if (bt_is_missing(bt_input_missing(options, column->source), field.bytes, field.length))
        return BAUTA_OK;
    const char *text =
        bt_value_canonical(column->reading, field.bytes, field.length, number, &length);
    if (column->watched) worker->types[column - sheet->columns] &= bt_canonical_types(text, length);
    if (options->encoding != BT_UTF8 && text == field.bytes) {
        BT_TRY(bt_buffer_reserve(&worker->utf8, length * 3, error));
        length = bt_encoding_to_utf8(options->encoding, text, length, worker->utf8.bytes);
        text = worker->utf8.bytes;
    }
    return bt_buffer_add(&worker->plain, text, length, error);
}

/* The texts of columns that stand together: as they are, or made canonical one by one. */
static bauta_status make_others(const bt_sheet *sheet, const bt_sheet_column *columns,
                                const bt_batch *batch, size_t at, bt_sheet_worker *worker,
                                bauta_error *error)
{
    worker->others.length = 0;
    for (size_t i = 0; i < columns->together; i++) {
        if (i > 0) BT_TRY(bt_buffer_add(&worker->others, ",", 1, error));
        if (columns->verbatim) {
            bt_span field;
            BT_TRY(bt_batch_text(batch, columns[i].source, at, &field, error));
            BT_TRY(bt_buffer_add(&worker->others, field.bytes, field.length, error));
            continue;
        }
        BT_TRY(bt_sheet_make_other(sheet, &columns[i], batch, at, worker, error));
        BT_TRY(bt_csv_put(&worker->others, worker->plain.bytes, worker->plain.length, error));
    }
    return BAUTA_OK;
}

static bauta_status pack_others(const bt_sheet *sheet, const bt_sheet_column *columns,
                                const bt_batch *batch, size_t at, bt_sheet_worker *worker,
                                size_t *text_length, bauta_error *error)
{
    bt_buffer *packed = &worker->packed;
    bt_span all;
    const char *bytes;
    size_t length;
    if (columns->verbatim &&
        bt_batch_unbroken(batch, columns->source, columns->together, at, &all)) {
        bytes = all.bytes;
        length = all.length;
    } else {
        BT_TRY(make_others(sheet, columns, batch, at, worker, error));
        bytes = worker->others.bytes;
        length = worker->others.length;
    }
    if (length > UINT32_MAX) return bt_fail(error, BAUTA_INVALID, "a record is longer than 4 GiB");
    BT_TRY(bt_buffer_reserve(packed, length + sheet->room, error));
    put_number(packed, (uint32_t)length);
    if (length > 0) memcpy(packed->bytes + packed->length, bytes, length);
    packed->length += length;
    *text_length += length;
    return BAUTA_OK;
}

/* Packs a row; *text_length is that of its text with all separators. */
static bauta_status pack_row(const bt_sheet *sheet, int64_t table_row, const bt_batch *batch,
                             size_t at, bt_sheet_worker *worker, size_t *text_length,
                             bauta_error *error)
{
    bt_buffer *packed = &worker->packed;
    const uint32_t *class_of = sheet->map->class_of;
    uint32_t class_number = class_of[table_row];
    *text_length = sheet->separators;
    packed->length = 0;
    BT_TRY(bt_buffer_reserve(packed, sheet->room, error));
    put_number(packed, class_number);
    if (sheet->cells) {
        if (table_row + AHEAD < sheet->job->grouping->rows &&
            class_of[table_row + AHEAD] != UINT32_MAX)
            __builtin_prefetch(&sheet->cells->lengths[class_of[table_row + AHEAD]]);
        *text_length += sheet->cells->lengths[class_number];
    }
    if (sheet->class_shown)
        *text_length += bt_cell_text_length(&sheet->class_shown->texts, class_number);
    for (const bt_sheet_column *column = sheet->packed; column; column = column->packed_next) {
        if (column->shown == BT_SHOW_VALUE) {
            uint32_t code = bt_column_code(column->column, table_row);
            put_number(packed, code);
            *text_length += bt_cell_text_length(&column->texts, code);
        } else if (batch) { /* always, when there are such columns */
            BT_TRY(pack_others(sheet, column, batch, at, worker, text_length, error));
        }
    }
    return BAUTA_OK;
}

static bauta_status pack(void *user, unsigned number, int64_t input_row, const bt_batch *batch,
                         size_t at, bauta_error *error)
{
    bt_sheet *sheet = user;
    bt_sheet_worker *worker = &sheet->workers[number];
    int64_t row = input_row;
    size_t text_length = 0;
    if (sheet->map->table_row) {
        if (sheet->map->table_row[input_row] == UINT32_MAX) return BAUTA_OK;
        row = sheet->map->table_row[input_row];
    }
    if (sheet->map->class_of[row] == UINT32_MAX) return BAUTA_OK;
    BT_TRY(sheet->dictionaries ? bt_sheet_pack_columns(sheet, row, batch, at, worker, error)
                               : pack_row(sheet, row, batch, at, worker, &text_length, error));
    return bt_shuffle_add(sheet->shuffle, number, sheet->map->place ? sheet->map->place[row] : row,
                          worker->packed.bytes, worker->packed.length, text_length, error);
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

static char *write_row(const bt_sheet *sheet, const char *packed, char *text)
{
    uint32_t class_number = take_number(&packed), length;
    const bt_cells *cells = sheet->cells;
    const uint32_t *ids = cells ? cells->ids + (size_t)class_number * cells->columns : NULL;
    for (size_t i = 0; i < sheet->column_count; i++) {
        const bt_sheet_column *column = &sheet->columns[i];
        switch (column->shown) {
        case BT_SHOW_CELL:
            if (cells) text = put_text(text, &cells->texts[column->place], ids[column->place]);
            break;
        case BT_SHOW_VALUE: text = put_text(text, &column->texts, take_number(&packed)); break;
        case BT_SHOW_CLASS: text = put_text(text, &column->texts, class_number); break;
        case BT_SHOW_TEXT:
            length = take_number(&packed);
            memcpy(text, packed, length);
            text += length;
            packed += length;
            i += column->together - 1;
            break;
        }
        *text++ = i + 1 < sheet->column_count ? ',' : '\n';
    }
    return text;
}

static void write_texts(const void *user, const bt_shuffle_row *rows, size_t count, char *text)
{
    const bt_sheet *sheet = user;
    const bt_cells *cells = sheet->cells;
    for (size_t i = 0; i < count; i++) {
        if (cells && i + AHEAD < count) {
            const char *packed = rows[i + AHEAD].packed;
            __builtin_prefetch(cells->ids + (size_t)take_number(&packed) * cells->columns);
        }
        text = write_row(sheet, rows[i].packed, text);
    }
}

/* ---- all rows ---------------------------------------------------------------------------- */

/* Without `other` columns the input need not be read again. */
enum { ROWS_PER_TASK = 1 << 14 };

static bauta_status pack_range(void *user, size_t task, unsigned number, bauta_error *error)
{
    bt_sheet *sheet = user;
    int64_t from = (int64_t)task * ROWS_PER_TASK, to = from + ROWS_PER_TASK;
    if (to > sheet->job->input_rows) to = sheet->job->input_rows;
    for (int64_t row = from; row < to; row++)
        BT_TRY(pack(sheet, number, row, NULL, 0, error));
    return bt_run_progress(sheet->job->run, number, "publishing", to, sheet->job->input_rows,
                           error);
}

static bauta_status pack_rows(bt_sheet *sheet, bauta_error *error)
{
    const bt_form_job *job = sheet->job;
    BT_OWN(bt_free) bool *wanted = bt_array_zero(bt_input_columns(job->input), sizeof *wanted);
    bool any = false;
    if (!wanted) return bt_fail_memory(error);
    for (size_t i = 0; i < sheet->column_count; i++)
        if (sheet->columns[i].shown == BT_SHOW_TEXT) any = wanted[sheet->columns[i].source] = true;
    if (any) return bt_input_scan(job->input, wanted, job->run, "publishing", pack, sheet, error);
    size_t tasks = (size_t)((job->input_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK);
    return bt_pool_run(job->run->pool, tasks, pack_range, sheet, error);
}

/* ---- types of what is written ------------------------------------------------------------ */

enum { NOTHING_SEEN = 1U << BT_TEXT };

static bauta_status watch(bt_sheet *sheet, bauta_error *error)
{
    for (unsigned w = 0; w < bt_pool_size(sheet->job->run->pool); w++) {
        unsigned *types = bt_array(sheet->column_count, sizeof *types);
        if (!types) return bt_fail_memory(error);
        for (size_t i = 0; i < sheet->column_count; i++)
            types[i] = BT_TYPES_ANY | NOTHING_SEEN;
        sheet->workers[w].types = types;
    }
    return BAUTA_OK;
}

static void find_types(bt_sheet *sheet)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        bt_sheet_column *column = &sheet->columns[i];
        unsigned types = BT_TYPES_ANY | NOTHING_SEEN;
        for (unsigned w = 0; w < bt_pool_size(sheet->job->run->pool); w++)
            types &= sheet->workers[w].types[i];
        if (column->watched) column->type = types & NOTHING_SEEN ? BT_TEXT : bt_type_of(types);
    }
}

/* Joins `other` columns that stand beside each other in the input, all verbatim or none, and
 * links what is packed. */
static void join_columns(bt_sheet *sheet)
{
    bt_sheet_column *next = NULL;
    sheet->packed = sheet->class_shown = NULL;
    sheet->separators = 0;
    for (size_t i = sheet->column_count; i-- > 0; next = &sheet->columns[i]) {
        bt_sheet_column *column = &sheet->columns[i];
        bool joins = !sheet->dictionaries && column->shown == BT_SHOW_TEXT && next &&
                     next->shown == BT_SHOW_TEXT && next->source == column->source + 1 &&
                     next->verbatim == column->verbatim;
        column->together = joins ? next->together + 1 : 1;
        sheet->separators += !joins;
        if (column->shown == BT_SHOW_CLASS) sheet->class_shown = column;
        if (column->shown != BT_SHOW_VALUE && column->shown != BT_SHOW_TEXT) continue;
        column->packed_next = joins ? next->packed_next : sheet->packed;
        sheet->packed = column;
    }
    sheet->room = (sheet->column_count + 1) * sizeof(uint32_t);
}

static bauta_status put_header(const bt_sheet *sheet, bt_buffer *out, bauta_error *error)
{
    for (size_t i = 0; i < sheet->column_count; i++) {
        const char *name = sheet->columns[i].name;
        BT_TRY(bt_csv_put(out, name, strlen(name), error));
        BT_TRY(bt_buffer_add(out, i + 1 < sheet->column_count ? "," : "\n", 1, error));
    }
    return BAUTA_OK;
}

static bauta_status write_rows(bt_sheet *sheet, const bt_store_file *file, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer header = {0};
    BT_TRY(put_header(sheet, &header, error));
    BT_TRY(bt_store_put(file, 0, header.bytes, header.length, error));
    BT_TRY(pack_rows(sheet, error));
    return bt_shuffle_write(sheet->shuffle, file, (int64_t)header.length, error);
}

bauta_status bt_sheet_write(bt_sheet *sheet, const char *file, const char *stream,
                            bauta_error *error)
{
    const bt_form_job *job = sheet->job;
    bt_store_file made;
    sheet->workers = bt_array_zero(bt_pool_size(job->run->pool), sizeof *sheet->workers);
    if (!sheet->workers) return bt_fail_memory(error);
    if (bt_store_holds_columns(job->store)) BT_TRY(bt_sheet_begin_columns(sheet, error));
    join_columns(sheet);
    BT_TRY(watch(sheet, error));
    BT_TRY(bt_shuffle_new(job->run, stream, job->grouping->kept, write_texts, sheet,
                          &sheet->shuffle, error));
    if (sheet->dictionaries) {
        BT_TRY(pack_rows(sheet, error));
        BT_TRY(bt_sheet_write_columns(sheet, file, error));
    } else {
        BT_TRY(bt_store_create(job->store, BT_SHELF_PUBLISH, file, &made, error));
        BT_TRY(bt_store_finish(&made, write_rows(sheet, &made, error), error));
    }
    find_types(sheet);
    return BAUTA_OK;
}

void bt_sheet_release(bt_sheet *sheet)
{
    unsigned workers = sheet->workers ? bt_pool_size(sheet->job->run->pool) : 0;
    for (unsigned w = 0; w < workers; w++) {
        bt_buffer_release(&sheet->workers[w].packed);
        bt_buffer_release(&sheet->workers[w].others);
        bt_buffer_release(&sheet->workers[w].utf8);
        bt_buffer_release(&sheet->workers[w].plain);
        free(sheet->workers[w].types);
    }
    bt_sheet_end_columns(sheet);
    for (size_t i = 0; i < sheet->column_count; i++)
        bt_cell_texts_release(&sheet->columns[i].texts);
    free(sheet->workers);
    free(sheet->columns);
    bt_shuffle_free(sheet->shuffle);
    *sheet = (bt_sheet){0};
}

/* ---- columns ----------------------------------------------------------------------------- */

static bauta_status add_column(bt_sheet *sheet, const bt_sheet_column *column,
                               bt_sheet_column **out, bauta_error *error)
{
    BT_TRY(bt_array_grow(&sheet->columns, &sheet->capacity, sheet->column_count + 1,
                         sizeof *sheet->columns, error));
    sheet->columns[sheet->column_count] = *column;
    *out = &sheet->columns[sheet->column_count++];
    return BAUTA_OK;
}

bauta_status bt_sheet_add_cell(bt_sheet *sheet, const bt_column *column, size_t place,
                               bauta_error *error)
{
    bt_sheet_column *made;
    const bt_sheet_column wanted = {
        .name = column->name, .shown = BT_SHOW_CELL, .place = place, .column = column};
    return add_column(sheet, &wanted, &made, error);
}

bauta_status bt_sheet_add_value(bt_sheet *sheet, const bt_column *column, const char *name,
                                bool category, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    const bt_categories *categories = column->categories;
    bt_sheet_column *made;
    const bt_sheet_column wanted = {
        .name = name, .shown = BT_SHOW_VALUE, .column = column, .category = category};
    BT_TRY(add_column(sheet, &wanted, &made, error));
    for (uint32_t code = 0; code < domain->size; code++) {
        const char *text =
            category ? categories->names[categories->of_code[code]] : domain->text[code];
        BT_TRY(bt_cell_texts_add(&made->texts, text, strlen(text), error));
    }
    return BAUTA_OK;
}

bauta_status bt_sheet_add_class(bt_sheet *sheet, const char *name, const uint32_t *numbers,
                                bauta_error *error)
{
    bt_sheet_column *made;
    const bt_sheet_column wanted = {.name = name, .shown = BT_SHOW_CLASS};
    char text[BT_NUMBER_TEXT];
    BT_TRY(add_column(sheet, &wanted, &made, error));
    for (uint32_t c = 0; c < sheet->job->grouping->classes; c++) {
        size_t length = bt_number_print(BT_INTEGER, 0, numbers[c], text);
        BT_TRY(bt_cell_texts_add(&made->texts, text, length, error));
    }
    return BAUTA_OK;
}

bauta_status bt_sheet_add_text(bt_sheet *sheet, size_t source, bauta_error *error)
{
    const bt_form_job *job = sheet->job;
    bool plain = bt_input_settings(job->input)->encoding == BT_UTF8;
    /* The type was found from the rows that the grouping is of, and decimals may be written whole.
     */
    const bt_reading *reading = &job->readings[source];
    bool watched = !reading->said &&
                   (job->grouping->kept < job->grouping->rows || reading->type == BT_DECIMAL);
    bt_sheet_column *made;
    const bt_sheet_column wanted = {.name = bt_input_names(job->input)[source],
                                    .shown = BT_SHOW_TEXT,
                                    .source = source,
                                    .reading = reading,
                                    .type = reading->type,
                                    .watched = watched,
                                    .verbatim = plain && !watched && job->verbatim[source]};
    return add_column(sheet, &wanted, &made, error);
}

/* ---- which class each record is in ------------------------------------------------------- */

enum { CLASSES_PER_TASK = 4096 };

typedef struct mapping {
    const bt_grouping *grouping;
    uint32_t *class_of;
} mapping;

static bauta_status map_classes(void *user, size_t task, unsigned number, bauta_error *error)
{
    (void)number;
    (void)error;
    const mapping *m = user;
    const bt_grouping *grouping = m->grouping;
    size_t from = task * CLASSES_PER_TASK, to = from + CLASSES_PER_TASK;
    if (to > grouping->classes) to = grouping->classes;
    for (size_t c = from; c < to; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            m->class_of[grouping->order[i]] = (uint32_t)c;
    return BAUTA_OK;
}

bauta_status bt_row_map_make(const bt_form_job *job, bt_row_map *out, bauta_error *error)
{
    const bt_grouping *grouping = job->grouping;
    *out = (bt_row_map){.class_of = bt_array((size_t)grouping->rows, sizeof *out->class_of)};
    if (!out->class_of) return bt_fail_memory(error);
    if (grouping->kept < grouping->rows)
        memset(out->class_of, 0xff, (size_t)grouping->rows * sizeof *out->class_of);
    mapping m = {grouping, out->class_of};
    size_t tasks = ((size_t)grouping->classes + CLASSES_PER_TASK - 1) / CLASSES_PER_TASK;
    BT_TRY(bt_pool_run(job->run->pool, tasks, map_classes, &m, error));
    if (grouping->kept < grouping->rows) {
        uint32_t next = 0;
        out->place = bt_array((size_t)grouping->rows, sizeof *out->place);
        if (!out->place) return bt_fail_memory(error);
        for (int64_t row = 0; row < grouping->rows; row++)
            if (out->class_of[row] != UINT32_MAX) out->place[row] = next++;
    }
    if (!job->row_map) return BAUTA_OK;
    out->table_row = bt_array((size_t)job->input_rows, sizeof *out->table_row);
    if (!out->table_row) return bt_fail_memory(error);
    memset(out->table_row, 0xff, (size_t)job->input_rows * sizeof *out->table_row);
    for (int64_t row = 0; row < grouping->rows; row++)
        out->table_row[job->row_map[row]] = (uint32_t)row;
    return BAUTA_OK;
}

void bt_row_map_release(bt_row_map *map)
{
    free(map->class_of);
    free(map->table_row);
    free(map->place);
    *map = (bt_row_map){0};
}
