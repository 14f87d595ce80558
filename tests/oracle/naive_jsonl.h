/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON Lines read twice: by the source, whole and in small blocks, and line by line by jansson,
 * which knows nothing of tables. Verdicts, columns and cells must agree.
 */
#ifndef BT_NAIVE_JSONL_H
#define BT_NAIVE_JSONL_H

#include "io/input.h"

#include <jansson.h>
#include <stdio.h>

enum { NAIVE_NAMING_LINES = 1000 };

typedef struct naive_table {
    bool valid;
    bool unknown;    /* jansson cannot tell: a number is too large for it */
    json_t *columns; /* name: number */
    json_t *rows;    /* objects */
} naive_table;

/* Whether the bytes are certainly of such a file; *from is where they begin. */
static bool naive_is_jsonl(const char *bytes, size_t length, size_t *from)
{
    size_t at = *from = length >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (at < length && memchr(" \t\r\n", bytes[at], 4))
        at++;
    if (at == length || bytes[at++] != '{') return false;
    while (at < length && memchr(" \t", bytes[at], 2))
        at++;
    return at < length && bytes[at] == '"';
}

static bool naive_is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!memchr(" \t\r", line[i], 3)) return false;
    return true;
}

/* Adds a row, and its columns if the line is one of those that name them. */
static bool naive_add(naive_table *table, const char *line, size_t length, bool naming)
{
    json_error_t error;
    const char *key;
    json_t *value,
        *row = json_loadb(line, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!row) table->unknown = json_error_code(&error) == json_error_numeric_overflow;
    if (!row || !json_is_object(row)) {
        json_decref(row);
        return false;
    }
    json_array_append_new(table->rows, row);
    json_object_foreach(row, key, value)
    {
        if (json_is_object(value) || json_is_array(value) || key[0] == '\0') return false;
        if (json_object_get(table->columns, key)) continue;
        if (!naming) return false;
        json_object_set_new(table->columns, key,
                            json_integer((json_int_t)json_object_size(table->columns)));
    }
    return true;
}

static naive_table naive_read(const char *bytes, size_t length)
{
    naive_table made = {.valid = true, .columns = json_object(), .rows = json_array()};
    const char *end = bytes + length;
    for (size_t number = 0; bytes < end && made.valid; number++) {
        const char *stop = memchr(bytes, '\n', (size_t)(end - bytes));
        size_t size = (size_t)((stop ? stop : end) - bytes);
        if (!naive_is_blank(bytes, size))
            made.valid = naive_add(&made, bytes, size, number < NAIVE_NAMING_LINES);
        bytes += size + 1;
    }
    made.valid = made.valid && json_object_size(made.columns) > 0;
    return made;
}

static bool naive_cell_is(const json_t *value, const bt_span *cell)
{
    char text[400];
    if (!value || json_is_null(value)) return cell->length == 0;
    if (json_is_string(value))
        return cell->length == json_string_length(value) &&
               memcmp(cell->bytes, json_string_value(value), cell->length) == 0;
    if (json_is_boolean(value)) {
        const char *word = json_is_true(value) ? "true" : "false";
        return cell->length == strlen(word) && memcmp(cell->bytes, word, cell->length) == 0;
    }
    if (cell->length == 0 || cell->length >= sizeof text) return cell->length > 0;
    memcpy(text, cell->bytes, cell->length);
    text[cell->length] = '\0';
    return strtod(text, NULL) == json_real_value(value);
}

typedef struct naive_visit {
    const bt_input *input;
    const naive_table *table;
} naive_visit;

static bauta_status naive_visit_row(void *user, unsigned worker, int64_t row, const bt_batch *batch,
                                    size_t at, bauta_error *error)
{
    (void)worker;
    const naive_visit *visit = user;
    const json_t *object = json_array_get(visit->table->rows, (size_t)row);
    for (size_t i = 0; i < bt_input_columns(visit->input); i++) {
        bt_span cell;
        BT_TRY(bt_batch_text(batch, i, at, &cell, error));
        if (!naive_cell_is(json_object_get(object, bt_input_names(visit->input)[i]), &cell))
            return bt_fail(error, BAUTA_INTERNAL, "a cell differs");
    }
    return BAUTA_OK;
}

/* Reads the file and compares it with the table, which is valid. */
static const char *naive_compare_rows(bt_input *input, const bt_run *run, const naive_table *table,
                                      bauta_error *error)
{
    naive_visit visit = {input, table};
    bt_raw *raw = NULL;
    size_t columns = bt_input_columns(input);
    if (columns != json_object_size(table->columns)) return "the number of columns differs";
    for (size_t i = 0; i < columns; i++) {
        json_t *number = json_object_get(table->columns, bt_input_names(input)[i]);
        if (!number || (size_t)json_integer_value(number) != i) return "the columns differ";
    }
    bt_use *uses = calloc(columns, sizeof *uses);
    for (size_t i = 0; i < columns; i++)
        uses[i] = i % 3 == 1 ? BT_USE_CHECK : BT_USE_CODE;
    bauta_status status = bt_input_read(input, uses, run, &raw, error);
    free(uses);
    const char *difference = status != BAUTA_OK ? "a row is refused" : NULL;
    if (!difference && bt_raw_rows(raw) != (int64_t)json_array_size(table->rows))
        difference = "the number of rows differs";
    if (!difference &&
        bt_input_scan(input, NULL, run, "scanning", naive_visit_row, &visit, error) != BAUTA_OK)
        difference = "the cells differ";
    bt_raw_free(raw);
    return difference;
}

/* What is different between the source and the twin; NULL: nothing. The file holds the bytes; the
 * blocks are of so many bytes (0: large). */
static const char *naive_compare_jsonl(const char *bytes, size_t length, const char *file,
                                       size_t block, bt_pool *pool)
{
    size_t from;
    if (!naive_is_jsonl(bytes, length, &from)) return NULL;
    naive_table table = naive_read(bytes + from, length - from);
    bauta_error error;
    bt_error_clear(&error);
    bt_run run = {.pool = pool, .memory = 1 << 20, .tmp = "/tmp"};
    const bt_input_options options = {
        .files = &file, .count = 1, .header = BT_HEADER_LOOK, .block_bytes = block};
    bt_input *input = NULL;
    const char *difference = NULL;
    bauta_status status = bt_input_open(&options, &run, &input, &error);
    if (table.unknown) {
        difference = NULL;
    } else if (table.valid) {
        difference = status == BAUTA_OK ? naive_compare_rows(input, &run, &table, &error)
                                        : "the first lines are refused";
    } else if (status == BAUTA_OK) {
        bt_raw *raw = NULL;
        bt_use *uses = calloc(bt_input_columns(input), sizeof *uses);
        status = bt_input_read(input, uses, &run, &raw, &error);
        bt_raw_free(raw);
        free(uses);
    }
    if (!table.unknown && !table.valid && status != BAUTA_INVALID)
        difference = "a fault was overlooked";
    if (!table.unknown && !table.valid && status == BAUTA_INVALID && error.file[0] == '\0')
        difference = "an error without a file";
    bt_input_close(input);
    json_decref(table.columns);
    json_decref(table.rows);
    return difference;
}

#endif
