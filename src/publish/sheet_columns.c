/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a sheet column by column, for stores that hold tables so (io/coded.h).
 *
 * A packed row is its class, the code of each column that shows values, and of each `other` column
 * its code where the source has it as codes; then the other ones: length and text. Texts of `other`
 * columns that are codes are made canonical once for each code and worker, and numbered in one
 * dictionary for all workers. Those numbers depend on who came first, and show nowhere: who reads a
 * table asks for texts.
 */
#include "base/csv.h"
#include "io/coder.h"
#include "publish/sheet.h"
#include "publish/shuffle.h"

#include <pthread.h>
#include <string.h>

typedef struct bt_sheet_texts { /* of an `other` column, for all workers */
    pthread_mutex_t lock;
    bt_coder coder;
} bt_sheet_texts;

/* ---- packing rows ------------------------------------------------------------------------ */

bauta_status bt_sheet_begin_columns(bt_sheet *sheet, bauta_error *error)
{
    size_t columns = sheet->column_count;
    sheet->dictionaries = bt_array_zero(columns, sizeof *sheet->dictionaries);
    if (!sheet->dictionaries) return bt_fail_memory(error);
    for (size_t i = 0; i < columns; i++)
        pthread_mutex_init(&sheet->dictionaries[i].lock, NULL);
    for (unsigned w = 0; w < bt_pool_size(sheet->job->run->pool); w++) {
        bt_sheet_worker *worker = &sheet->workers[w];
        worker->codes = bt_array_zero(columns, sizeof *worker->codes);
        worker->text_bytes = bt_array_zero(columns, sizeof *worker->text_bytes);
        if (!worker->codes || !worker->text_bytes) return bt_fail_memory(error);
    }
    size_t number = 1; /* after the class */
    for (size_t i = 0; i < columns; i++) {
        bt_sheet_column *column = &sheet->columns[i];
        column->coded =
            column->shown == BT_SHOW_TEXT && bt_input_codes(sheet->job->input, column->source);
        if (column->shown == BT_SHOW_VALUE || column->coded) column->number = number++;
        sheet->texts |= column->shown == BT_SHOW_TEXT && !column->coded;
    }
    sheet->numbers = number;
    return BAUTA_OK;
}

void bt_sheet_end_columns(bt_sheet *sheet)
{
    for (size_t i = 0; sheet->dictionaries && i < sheet->column_count; i++) {
        bt_coder_release(&sheet->dictionaries[i].coder);
        pthread_mutex_destroy(&sheet->dictionaries[i].lock);
    }
    unsigned workers = sheet->workers ? bt_pool_size(sheet->job->run->pool) : 0;
    for (unsigned w = 0; w < workers; w++) {
        bt_sheet_worker *worker = &sheet->workers[w];
        for (size_t i = 0; worker->codes && i < sheet->column_count; i++)
            free(worker->codes[i].code_of);
        free(worker->codes);
        free(worker->text_bytes);
        free(worker->classes);
    }
    free(sheet->dictionaries);
}

/* The code of a text in the dictionary that all workers share. */
static bauta_status share_text(bt_sheet_texts *texts, bt_buffer *text, uint32_t *code,
                               bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    uint32_t length = (uint32_t)text->length;
    BT_TRY(bt_buffer_reserve(text, BT_WORDS, error));
    pthread_mutex_lock(&texts->lock);
    *code = bt_coder_count(&texts->coder, text->bytes, length, 1);
    if (*code == BT_CODER_FULL)
        status = bt_coder_add(&texts->coder, text->bytes, length, true, 1, code, error);
    pthread_mutex_unlock(&texts->lock);
    return status;
}

static bauta_status find_code(bt_sheet *sheet, size_t number, const bt_batch *batch, size_t at,
                              bt_sheet_worker *worker, uint32_t *code, bauta_error *error)
{
    const bt_sheet_column *column = &sheet->columns[number];
    const bt_vector *vector = &batch->columns[column->source];
    bt_sheet_codes *known = &worker->codes[number];
    if (known->dictionary != vector->dictionary) {
        free(known->code_of);
        known->code_of =
            bt_array_zero((size_t)vector->dictionary->count + 1, sizeof *known->code_of);
        known->dictionary = known->code_of ? vector->dictionary : NULL;
        if (!known->code_of) return bt_fail_memory(error);
    }
    uint32_t *found = &known->code_of[vector->codes[at]];
    if (*found == 0) {
        BT_TRY(bt_sheet_make_other(sheet, column, batch, at, worker, error));
        BT_TRY(share_text(&sheet->dictionaries[number], &worker->plain, code, error));
        *found = *code + 1;
    }
    *code = *found - 1;
    return BAUTA_OK;
}

bauta_status bt_sheet_pack_columns(bt_sheet *sheet, int64_t table_row, const bt_batch *batch,
                                   size_t at, bt_sheet_worker *worker, bauta_error *error)
{
    bt_buffer *packed = &worker->packed;
    packed->length = 0;
    BT_TRY(bt_buffer_reserve(packed, sheet->numbers * sizeof(uint32_t), error));
    memcpy(packed->bytes, &sheet->map->class_of[table_row], sizeof(uint32_t));
    packed->length = sheet->numbers * sizeof(uint32_t);
    for (const bt_sheet_column *column = sheet->packed; column; column = column->packed_next) {
        size_t i = (size_t)(column - sheet->columns);
        uint32_t code = 0;
        if (column->number == 0) continue;
        if (!column->coded)
            code = bt_column_code(column->column, table_row);
        else if (batch) /* always, when there are such columns */
            BT_TRY(find_code(sheet, i, batch, at, worker, &code, error));
        memcpy(packed->bytes + column->number * sizeof code, &code, sizeof code);
    }
    for (size_t i = 0; sheet->texts && batch && i < sheet->column_count; i++) {
        const bt_sheet_column *column = &sheet->columns[i];
        if (column->shown != BT_SHOW_TEXT || column->coded) continue;
        BT_TRY(bt_sheet_make_other(sheet, column, batch, at, worker, error));
        uint32_t length = (uint32_t)worker->plain.length;
        BT_TRY(bt_buffer_add(packed, (const char *)&length, sizeof length, error));
        BT_TRY(bt_buffer_add(packed, worker->plain.bytes, length, error));
    }
    return BAUTA_OK;
}

/* ---- parts ------------------------------------------------------------------------------- */

/* One loop for each width, so that the compiler can make each of them tight. */
#define FILL(type, value)                                                                          \
    do {                                                                                           \
        type *out = cells->codes;                                                                  \
        for (size_t r = 0; r < count; r++)                                                         \
            out[r] = (type)(value);                                                                \
    } while (0)
#define FILL_ANY(value)                                                                            \
    do {                                                                                           \
        if (cells->width == 1)                                                                     \
            FILL(uint8_t, value);                                                                  \
        else if (cells->width == 2)                                                                \
            FILL(uint16_t, value);                                                                 \
        else                                                                                       \
            FILL(uint32_t, value);                                                                 \
    } while (0)

static inline uint32_t number_at(const bt_shuffle_row *row, size_t number)
{
    uint32_t found;
    memcpy(&found, row->packed + number * sizeof found, sizeof found);
    return found;
}

static void fill_codes(const bt_sheet *sheet, const bt_sheet_column *column,
                       const bt_shuffle_row *rows, const uint32_t *classes, size_t count,
                       bt_coded_cells *cells)
{
    if (column->shown == BT_SHOW_CELL) {
        const uint32_t *ids = sheet->cells->ids + column->place;
        size_t step = sheet->cells->columns;
        FILL_ANY(ids[classes[r] * step]);
    } else if (column->shown == BT_SHOW_CLASS) {
        FILL_ANY(classes[r]);
    } else {
        size_t number = column->number;
        FILL_ANY(number_at(&rows[r], number));
    }
}

/* Copies the texts of all rows into a part; NULL: finds out how many bytes they have. */
static void fill_texts(const bt_sheet *sheet, const bt_shuffle_row *rows, size_t count,
                       size_t *text_bytes, bt_coded_part *part)
{
    memset(text_bytes, 0, sheet->column_count * sizeof *text_bytes);
    for (size_t r = 0; r < count; r++) {
        const char *at = rows[r].packed + sheet->numbers * sizeof(uint32_t);
        for (size_t i = 0; i < sheet->column_count; i++) {
            uint32_t length;
            if (sheet->columns[i].shown != BT_SHOW_TEXT || sheet->columns[i].coded) continue;
            memcpy(&length, at, sizeof length);
            at += sizeof length;
            if (part) memcpy(part->cells[i].bytes + text_bytes[i], at, length);
            text_bytes[i] += length;
            if (part) part->cells[i].ends[r] = text_bytes[i];
            at += length;
        }
    }
}

static bauta_status fill_part(void *user, size_t number, unsigned w, const bt_shuffle_row *rows,
                              size_t count, bauta_error *error)
{
    const bt_sheet *sheet = user;
    bt_sheet_worker *worker = &sheet->workers[w];
    bt_coded_part *part = &sheet->table->parts[number];
    BT_TRY(bt_array_grow(&worker->classes, &worker->classes_capacity, count,
                         sizeof *worker->classes, error));
    if (sheet->texts) fill_texts(sheet, rows, count, worker->text_bytes, NULL);
    BT_TRY(bt_coded_open_part(sheet->table, number, count, worker->text_bytes, error));
    if (sheet->texts) fill_texts(sheet, rows, count, worker->text_bytes, part);
    for (size_t r = 0; r < count; r++)
        worker->classes[r] = number_at(&rows[r], 0);
    for (size_t i = 0; i < sheet->column_count; i++)
        if (sheet->table->columns[i].coded)
            fill_codes(sheet, &sheet->columns[i], rows, worker->classes, count, &part->cells[i]);
    return BAUTA_OK;
}

/* ---- the table --------------------------------------------------------------------------- */

/* A text that stands as it would in a file, without its quotes. */
static bauta_status set_unquoted(bt_coded_table *table, size_t column, uint32_t code,
                                 const char *bytes, size_t length, bt_buffer *scratch,
                                 bauta_error *error)
{
    if (length < 2 || bytes[0] != '"')
        return bt_coded_set_text(table, column, code, bytes, length, error);
    scratch->length = 0;
    for (size_t i = 1; i + 1 < length; i++) {
        BT_TRY(bt_buffer_add(scratch, &bytes[i], 1, error));
        i += bytes[i] == '"'; /* it is doubled */
    }
    return bt_coded_set_text(table, column, code, scratch->length > 0 ? scratch->bytes : "",
                             scratch->length, error);
}

static bauta_status take_cell_texts(bt_coded_table *table, size_t column,
                                    const bt_cell_texts *texts, bt_buffer *scratch,
                                    bauta_error *error)
{
    BT_TRY(bt_coded_reserve(table, column, texts->count, error));
    for (uint32_t i = 0; i < texts->count; i++) {
        size_t length = bt_cell_text_length(texts, i);
        const char *bytes = texts->bytes.bytes + (texts->ends[i] - length);
        BT_TRY(set_unquoted(table, column, i, bytes, length, scratch, error));
    }
    return BAUTA_OK;
}

static bauta_status take_shared_texts(bt_coded_table *table, size_t column, const bt_coder *coder,
                                      bauta_error *error)
{
    BT_TRY(bt_coded_reserve(table, column, coder->count, error));
    for (uint32_t i = 0; i < coder->count; i++)
        BT_TRY(bt_coded_set_text(table, column, i, coder->text[i], coder->length[i], error));
    return BAUTA_OK;
}

static bauta_status make_table(const bt_sheet *sheet, bt_coded_table *table, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer scratch = {0};
    for (size_t i = 0; i < sheet->column_count; i++) {
        const bt_sheet_column *column = &sheet->columns[i];
        table->columns[i].name = bt_arena_copy(&table->arena, column->name, strlen(column->name));
        BT_TRY(bt_arena_check(&table->arena, error));
        if (column->shown == BT_SHOW_CELL)
            BT_TRY(take_cell_texts(table, i, &sheet->cells->texts[column->place], &scratch, error));
        else if (column->shown != BT_SHOW_TEXT)
            BT_TRY(take_cell_texts(table, i, &column->texts, &scratch, error));
        else if (column->coded)
            BT_TRY(take_shared_texts(table, i, &sheet->dictionaries[i].coder, error));
    }
    return BAUTA_OK;
}

bauta_status bt_sheet_write_columns(bt_sheet *sheet, const char *file, bauta_error *error)
{
    bauta_status status =
        bt_coded_new(sheet->column_count, bt_shuffle_parts(sheet->shuffle), &sheet->table, error);
    if (status == BAUTA_OK) status = make_table(sheet, sheet->table, error);
    if (status == BAUTA_OK) status = bt_shuffle_visit(sheet->shuffle, fill_part, sheet, error);
    if (status == BAUTA_OK) return bt_store_hold(sheet->job->store, file, sheet->table, error);
    bt_coded_free(sheet->table);
    return status;
}
