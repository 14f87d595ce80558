/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables that are held column by column: making, printing, and reading them as a source.
 */
#include "io/coded.h"

#include "base/hash.h"
#include "io/source.h"

#include <string.h>

/* ---- making ------------------------------------------------------------------------------ */

bauta_status bt_coded_new(size_t columns, size_t parts, bt_coded_table **out, bauta_error *error)
{
    bt_coded_table *table = *out = bt_array_zero(1, sizeof *table);
    if (!table) return bt_fail_memory(error);
    table->column_count = columns;
    table->columns = bt_arena_array(&table->arena, columns, sizeof *table->columns);
    table->parts = bt_arena_array(&table->arena, parts, sizeof *table->parts);
    if (!table->arena.failed) table->part_count = parts;
    return bt_arena_check(&table->arena, error);
}

void bt_coded_free(bt_coded_table *table)
{
    if (!table) return;
    for (size_t p = 0; p < table->part_count; p++) {
        bt_coded_part *part = &table->parts[p];
        for (size_t c = 0; part->cells && c < table->column_count; c++) {
            free(part->cells[c].codes);
            free(part->cells[c].ends);
            free(part->cells[c].bytes);
        }
        free(part->cells);
    }
    bt_arena_release(&table->arena);
    free(table);
}

bauta_status bt_coded_reserve(bt_coded_table *table, size_t column, uint32_t count,
                              bauta_error *error)
{
    static const char nothing[BT_WORDS];
    bt_span *texts = bt_arena_array(&table->arena, (size_t)count + 1, sizeof *texts);
    if (!texts) return bt_fail_memory(error);
    texts[count] = (bt_span){.bytes = nothing};
    table->columns[column].coded = true;
    table->columns[column].dictionary = (bt_dictionary){texts, count};
    return BAUTA_OK;
}

bauta_status bt_coded_set_text(bt_coded_table *table, size_t column, uint32_t code,
                               const char *bytes, size_t length, bauta_error *error)
{
    bt_span *texts = (bt_span *)table->columns[column].dictionary.texts;
    char *copy = bt_arena_array(&table->arena, length + BT_WORDS, 1);
    if (!copy) return bt_fail_memory(error);
    memcpy(copy, bytes, length);
    texts[code] = (bt_span){.bytes = copy, .length = (uint32_t)length};
    return BAUTA_OK;
}

bauta_status bt_coded_open_part(bt_coded_table *table, size_t part, size_t rows,
                                const size_t *text_bytes, bauta_error *error)
{
    bt_coded_part *to = &table->parts[part];
    to->rows = rows;
    to->cells = bt_array_zero(table->column_count, sizeof *to->cells);
    if (!to->cells) return bt_fail_memory(error);
    for (size_t c = 0; c < table->column_count; c++) {
        bt_coded_cells *cells = &to->cells[c];
        size_t bytes;
        if (table->columns[c].coded) {
            cells->width = bt_code_width(table->columns[c].dictionary.count);
            cells->codes = bt_array(rows, cells->width);
            if (!cells->codes) return bt_fail_memory(error);
            continue;
        }
        if (!bt_size_add(text_bytes[c], BT_WORDS, &bytes)) return bt_fail_memory(error);
        cells->ends = bt_array(rows, sizeof *cells->ends);
        cells->bytes = bt_array_zero(bytes, 1);
        if (!cells->ends || !cells->bytes) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

/* The text of a cell; BT_WORDS bytes are readable there. */
static bt_span text_at(const bt_coded_column *column, const bt_coded_cells *cells, size_t row)
{
    if (column->coded)
        return column->dictionary.texts[bt_code_at(cells->codes, cells->width, (int64_t)row)];
    size_t from = row > 0 ? cells->ends[row - 1] : 0;
    return (bt_span){.bytes = cells->bytes + from, .length = (uint32_t)(cells->ends[row] - from)};
}

/* ---- printing ---------------------------------------------------------------------------- */

bauta_status bt_coded_print_names(const bt_coded_table *table, bt_buffer *out, bauta_error *error)
{
    for (size_t c = 0; c < table->column_count; c++) {
        const char *name = table->columns[c].name;
        BT_TRY(bt_csv_put(out, name, strlen(name), error));
        BT_TRY(bt_buffer_add(out, c + 1 < table->column_count ? "," : "\n", 1, error));
    }
    return BAUTA_OK;
}

bauta_status bt_coded_print(const bt_coded_table *table, size_t part, bt_buffer *out,
                            bauta_error *error)
{
    const bt_coded_part *from = &table->parts[part];
    for (size_t row = 0; row < from->rows; row++)
        for (size_t c = 0; c < table->column_count; c++) {
            bt_span text = text_at(&table->columns[c], &from->cells[c], row);
            BT_TRY(bt_csv_put(out, text.bytes, text.length, error));
            BT_TRY(bt_buffer_add(out, c + 1 < table->column_count ? "," : "\n", 1, error));
        }
    return BAUTA_OK;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bauta_status coded_open(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    const bt_coded_table *table = reader->options->coded;
    reader->column_count = table->column_count;
    reader->columns = bt_arena_array(arena, table->column_count, sizeof *reader->columns);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t c = 0; c < table->column_count; c++)
        reader->columns[c] =
            bt_arena_copy(arena, table->columns[c].name, strlen(table->columns[c].name));
    return bt_arena_check(arena, error);
}

static bauta_status coded_prepare(bt_reader *reader, const bt_use *uses, const bt_run *run,
                                  bauta_error *error)
{
    (void)uses;
    (void)run;
    (void)error;
    reader->blocks = reader->options->coded->part_count;
    return BAUTA_OK;
}

static void yield_codes(const bt_coded_column *column, const bt_coded_cells *cells, size_t from,
                        size_t rows, bt_vector *vector)
{
    uint32_t *codes = vector->room.codes;
    const uint8_t *narrow = cells->codes;
    const uint16_t *middle = cells->codes;
    if (cells->width == 1)
        for (size_t r = 0; r < rows; r++)
            codes[r] = narrow[from + r];
    else if (cells->width == 2)
        for (size_t r = 0; r < rows; r++)
            codes[r] = middle[from + r];
    else
        memcpy(codes, (const uint32_t *)cells->codes + from, rows * sizeof *codes);
    *vector = (bt_vector){.yields = BT_YIELD_CODES,
                          .codes = codes,
                          .dictionary = &column->dictionary,
                          .room = vector->room};
}

static void yield_texts(const bt_coded_column *column, const bt_coded_cells *cells, size_t from,
                        size_t rows, bt_vector *vector)
{
    for (size_t r = 0; r < rows; r++)
        vector->room.texts[r] = text_at(column, cells, from + r);
    *vector = (bt_vector){
        .yields = BT_YIELD_TEXT, .texts = vector->room.texts, .step = 1, .room = vector->room};
}

static bauta_status coded_visit(bt_reader *reader, size_t block, bt_scratch *scratch,
                                bt_take_batch take, void *user, int64_t *rows, bauta_error *error)
{
    const bt_coded_table *table = reader->options->coded;
    const bt_coded_part *part = &table->parts[block];
    scratch->batch.between = 0;
    *rows = 0;
    for (size_t from = 0; from < part->rows; from += scratch->batch.rows) {
        size_t left = part->rows - from;
        scratch->batch.rows = left < scratch->rows ? left : scratch->rows;
        for (size_t c = 0; c < table->column_count; c++) {
            bt_vector *vector = &scratch->batch.columns[c];
            BT_TRY(bt_vector_reserve(vector, scratch->rows, error));
            (table->columns[c].coded ? yield_codes : yield_texts)(
                &table->columns[c], &part->cells[c], from, scratch->batch.rows, vector);
        }
        BT_TRY(take(user, &scratch->batch, error));
        *rows += (int64_t)scratch->batch.rows;
    }
    return BAUTA_OK;
}

/* Nobody changes a table that is held. */
static bauta_status coded_finish(const bt_reader *reader, bauta_error *error)
{
    (void)reader;
    (void)error;
    return BAUTA_OK;
}

const bt_source bt_source_coded = {
    .name = "coded",
    .summary = "a table of a release that is held in memory",
    .extensions = "",
    .open = coded_open,
    .prepare = coded_prepare,
    .visit = coded_visit,
    .finish = coded_finish,
};
