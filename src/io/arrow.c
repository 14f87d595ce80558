/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrow batches as a source: arrow:NAME is a stream that the recipe has taken over
 * (table/arrow.h).
 *
 * Text is handed out where it lies, integers, decimals and dates as numbers, dictionaries as codes;
 * floating point numbers, and what does not fit 64 bits, are written out as text
 * (arrow_column.h).
 */
#include "table/arrow.h"
#include "base/hash.h"
#include "io/arrow_column.h"
#include "io/header.h"
#include "io/source.h"

#include <string.h>

enum { BLOCK_ROWS = 1 << 15 };

typedef struct arrow_block {
    size_t batch;
    int64_t first, rows;
} arrow_block;

typedef struct arrow_state {
    bt_arena arena;
    bt_stream_kept *stream;
    bt_arrow_type *types; /* per column */
    bool *used;
    const bt_dictionary **dictionaries; /* per batch and column that has one */
    arrow_block *blocks;
} arrow_state;

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status invalid(const bt_reader *reader, const char *message, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", message);
    bt_error_place(error, reader->name, -1, NULL);
    return status;
}

static bauta_status read_column(bt_reader *reader, bt_arena *arena, size_t column,
                                const struct ArrowSchema *schema, bauta_error *error)
{
    arrow_state *state = reader->state;
    if (!schema || !schema->format) return invalid(reader, "the schema has no formats", error);
    const char *name = schema->name ? schema->name : "";
    size_t length = strlen(name);
    if (bt_utf8_valid_prefix(name, length) != length)
        return invalid(reader, "the name of a column is not valid UTF-8", error);
    reader->columns[column] = length > 0 ? bt_arena_copy(arena, name, length)
                                         : bt_arena_print(arena, "column_%zu", column + 1);
    if (!reader->columns[column]) return bt_fail_memory(error);
    return bt_arrow_type_read(schema, &state->arena, &state->types[column], error);
}

static bauta_status find_stream(bt_reader *reader, bauta_error *error)
{
    arrow_state *state = reader->state;
    const char *name = strchr(reader->name, ':') + 1;
    state->stream =
        reader->options->streams ? bt_streams_find(reader->options->streams, name) : NULL;
    if (state->stream) return bt_stream_schema(state->stream, error);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "there is no stream '%s'", name);
    bt_error_hint(error,
                  "a program hands it over with bauta_recipe_add_stream; a file of this "
                  "name is ./%s",
                  reader->name);
    return status;
}

static bauta_status arrow_open(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    arrow_state *state = reader->state = bt_array_zero(1, sizeof *state);
    if (!state) return bt_fail_memory(error);
    BT_TRY(find_stream(reader, error));
    const struct ArrowSchema *schema = &state->stream->schema;
    if (!schema->format || strcmp(schema->format, "+s") != 0 || schema->n_children < 1 ||
        !schema->children)
        return invalid(reader, "the stream is not one of tables with columns", error);
    reader->column_count = (size_t)schema->n_children;
    reader->columns = bt_arena_array(arena, reader->column_count, sizeof *reader->columns);
    state->types = bt_arena_array(&state->arena, reader->column_count, sizeof *state->types);
    state->used = bt_arena_array(&state->arena, reader->column_count, sizeof *state->used);
    if (!reader->columns || !state->types || !state->used) return bt_fail_memory(error);
    for (size_t i = 0; i < reader->column_count; i++)
        BT_TRY(read_column(reader, arena, i, schema->children[i], error));
    return bt_header_rename(reader->columns, reader->column_count, arena, &reader->first_renamed,
                            &reader->renamed, error);
}

static void arrow_close(bt_reader *reader)
{
    arrow_state *state = reader->state;
    if (!state) return;
    free(state->blocks);
    bt_arena_release(&state->arena);
    free(state);
    reader->state = NULL;
}

/* ---- batches ----------------------------------------------------------------------------- */

static bauta_status invalid_column(const bt_reader *reader, size_t column, const char *message,
                                   bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", message);
    bt_error_place(error, reader->name, -1, reader->columns[column]);
    return status;
}

static bauta_status choose_columns(const bt_reader *reader, const bt_use *uses, bauta_error *error)
{
    arrow_state *state = reader->state;
    for (size_t i = 0; i < reader->column_count; i++) {
        state->used[i] = uses[i] != BT_USE_SKIP;
        if (!state->used[i] || state->types[i].layout != BT_LAYOUT_FOREIGN) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the column holds %s, which are not read",
                    state->types[i].foreign);
        bt_error_place(error, reader->name, -1, reader->columns[i]);
        bt_error_hint(error, "drop it, or make it text, numbers or dates first");
        return status;
    }
    return BAUTA_OK;
}

/* A batch is an array of structures, none of which is missing. */
static const char *batch_fault(const bt_reader *reader, const struct ArrowArray *batch)
{
    const bt_arrow_type structures = {.layout = BT_LAYOUT_NULL};
    const char *fault = bt_arrow_fault(&structures, batch, 0);
    if (fault) return fault;
    if (batch->n_children != (int64_t)reader->column_count || !batch->children)
        return "a batch has other columns than the schema";
    const unsigned char *bits =
        batch->n_buffers > 0 && batch->buffers && batch->null_count != 0 ? batch->buffers[0] : NULL;
    for (int64_t i = batch->offset; bits && i < batch->offset + batch->length; i++)
        if (!(bits[i >> 3] >> (i & 7) & 1)) return "a batch lacks whole rows";
    return NULL;
}

static bauta_status fail_part(const bt_arrow_part *part, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", part->message);
    if (part->type->layout == BT_LAYOUT_FLOAT || part->type->layout == BT_LAYOUT_DOUBLE)
        bt_error_hint(error, "round the column, or make it text, first");
    return status;
}

enum { VALUES_AT_ONCE = 64 };

/* The texts of some of a dictionary's values. Those that were written out for the occasion are
 * copied. */
static bauta_status list_values(const bt_reader *reader, bt_arrow_part *part, bt_vector *vector,
                                bt_span *texts, bauta_error *error)
{
    arrow_state *state = reader->state;
    const char *slots = vector->room.slots;
    const bt_batch batch = {
        .columns = vector, .rows = part->rows, .decimal_comma = reader->options->decimal_comma};
    if (!bt_arrow_decode(part, vector)) return fail_part(part, error);
    bt_batch_texts(&batch, 0);
    for (size_t r = 0; r < part->rows; r++) {
        texts[r] = vector->texts[r];
        bool written = texts[r].bytes >= slots && texts[r].bytes < slots + part->rows * BT_SLOT;
        if (!written) continue;
        char *copy = bt_arena_array(&state->arena, texts[r].length + BT_WORDS, 1);
        if (!copy) return bt_fail_memory(error);
        memcpy(copy, texts[r].bytes, texts[r].length);
        texts[r].bytes = copy;
    }
    return BAUTA_OK;
}

static bauta_status make_dictionary(const bt_reader *reader, const bt_arrow_type *type,
                                    const struct ArrowArray *array, const bt_dictionary **out,
                                    bauta_error *error)
{
    static const char nothing[BT_WORDS];
    arrow_state *state = reader->state;
    if (array->length >= UINT32_MAX - 1)
        return bt_fail(error, BAUTA_INVALID, "the dictionary has more than 4 billion values");
    bt_span *texts = bt_arena_array(&state->arena, (size_t)array->length + 1, sizeof *texts);
    bt_dictionary *made = bt_arena_array(&state->arena, 1, sizeof *made);
    if (!texts || !made) return bt_fail_memory(error);
    bt_vector vector = {0};
    bauta_status status = bt_vector_reserve(&vector, VALUES_AT_ONCE, error);
    for (int64_t at = 0; status == BAUTA_OK && at < array->length; at += VALUES_AT_ONCE) {
        int64_t left = array->length - at;
        bt_arrow_part part = {.type = type,
                              .array = array,
                              .first = array->offset + at,
                              .rows = left < VALUES_AT_ONCE ? (size_t)left : VALUES_AT_ONCE,
                              .comma = reader->options->decimal_comma};
        status = list_values(reader, &part, &vector, texts + at, error);
    }
    bt_vector_release(&vector);
    texts[array->length] = (bt_span){.bytes = nothing};
    *made = (bt_dictionary){texts, (uint32_t)array->length};
    *out = made;
    return status;
}

/* Whether two arrays are the same, seen from outside. */
static bool is_same(const struct ArrowArray *a, const struct ArrowArray *b)
{
    bool same = a->length == b->length && a->offset == b->offset && a->n_buffers == b->n_buffers &&
                a->null_count == b->null_count && a->buffers && b->buffers;
    for (int64_t i = 0; same && i < a->n_buffers; i++)
        same = a->buffers[i] == b->buffers[i];
    return same;
}

static bauta_status check_column(const bt_reader *reader, size_t number, size_t column,
                                 bauta_error *error)
{
    arrow_state *state = reader->state;
    const bt_arrow_type *type = &state->types[column];
    const struct ArrowArray *batch = &state->stream->batches[number];
    const struct ArrowArray *array = batch->children[column];
    const char *fault = bt_arrow_fault(type, array, batch->offset + batch->length);
    if (!fault && type->value) fault = bt_arrow_fault(type->value, array->dictionary, 0);
    if (fault) return invalid_column(reader, column, fault, error);
    const bt_dictionary **place = &state->dictionaries[number * reader->column_count + column];
    if (!type->value || *place) return BAUTA_OK;
    if (number > 0 && place[-(ptrdiff_t)reader->column_count] &&
        is_same(batch[-1].children[column]->dictionary, array->dictionary)) {
        *place = place[-(ptrdiff_t)reader->column_count];
        return BAUTA_OK;
    }
    bauta_status status = make_dictionary(reader, type->value, array->dictionary, place, error);
    if (status == BAUTA_INVALID) bt_error_place(error, reader->name, -1, reader->columns[column]);
    return status;
}

static bauta_status check_batches(bt_reader *reader, bauta_error *error)
{
    arrow_state *state = reader->state;
    for (size_t i = 0; i < state->stream->count; i++) {
        const char *fault = batch_fault(reader, &state->stream->batches[i]);
        if (fault) return invalid(reader, fault, error);
        for (size_t c = 0; c < reader->column_count; c++)
            if (state->used[c]) BT_TRY(check_column(reader, i, c, error));
    }
    return BAUTA_OK;
}

/* Cuts batches into blocks. */
static bauta_status cut_blocks(bt_reader *reader, bauta_error *error)
{
    arrow_state *state = reader->state;
    int64_t most =
        reader->options->block_bytes ? (int64_t)reader->options->block_bytes : BLOCK_ROWS;
    size_t capacity = 0;
    reader->blocks = 0;
    free(state->blocks);
    state->blocks = NULL;
    for (size_t i = 0; i < state->stream->count; i++) {
        int64_t length = state->stream->batches[i].length;
        for (int64_t at = 0; at < length; at += most) {
            BT_TRY(bt_array_grow(&state->blocks, &capacity, reader->blocks + 1,
                                 sizeof *state->blocks, error));
            state->blocks[reader->blocks++] =
                (arrow_block){i, at, length - at < most ? length - at : most};
        }
    }
    return BAUTA_OK;
}

static bauta_status arrow_prepare(bt_reader *reader, const bt_use *uses, const bt_run *run,
                                  bauta_error *error)
{
    arrow_state *state = reader->state;
    BT_TRY(choose_columns(reader, uses, error));
    BT_TRY(bt_stream_read(state->stream, run, error));
    size_t places;
    if (!state->dictionaries) {
        if (!bt_size_mul(state->stream->count, reader->column_count, &places))
            return bt_fail_memory(error);
        state->dictionaries = bt_arena_array(&state->arena, places, sizeof *state->dictionaries);
        if (!state->dictionaries) return bt_fail_memory(error);
    }
    BT_TRY(check_batches(reader, error));
    return cut_blocks(reader, error);
}

/* ---- visiting ---------------------------------------------------------------------------- */

/* Some rows of a block; columns that nobody asks for are empty. */
static bauta_status fill_batch(const bt_reader *reader, const arrow_block *block, int64_t from,
                               bt_scratch *scratch, bauta_error *error)
{
    static const bt_arrow_type nothing = {.layout = BT_LAYOUT_NULL};
    const arrow_state *state = reader->state;
    const struct ArrowArray *batch = &state->stream->batches[block->batch];
    for (size_t c = 0; c < reader->column_count; c++) {
        bt_vector *vector = &scratch->batch.columns[c];
        const struct ArrowArray *array = batch->children[c];
        bool used = state->used[c] && (!scratch->wanted || scratch->wanted[c]);
        bt_arrow_part part = {
            .type = used ? &state->types[c] : &nothing,
            .array = array,
            .first = used ? array->offset + batch->offset + block->first + from : 0,
            .rows = scratch->batch.rows,
            .comma = reader->options->decimal_comma,
            .dictionary = state->dictionaries[block->batch * reader->column_count + c]};
        BT_TRY(bt_vector_reserve(vector, scratch->rows, error));
        if (bt_arrow_decode(&part, vector)) continue;
        bauta_status status = fail_part(&part, error);
        bt_error_place(error, reader->name, from + (int64_t)part.fault + 1, reader->columns[c]);
        return status;
    }
    return BAUTA_OK;
}

static bauta_status arrow_visit(bt_reader *reader, size_t number, bt_scratch *scratch,
                                bt_take_batch take, void *user, int64_t *rows, bauta_error *error)
{
    const arrow_state *state = reader->state;
    const arrow_block *block = &state->blocks[number];
    scratch->batch.between = 0;
    for (*rows = 0; *rows < block->rows; *rows += (int64_t)scratch->batch.rows) {
        int64_t left = block->rows - *rows;
        scratch->batch.rows = left < (int64_t)scratch->rows ? (size_t)left : scratch->rows;
        BT_TRY(fill_batch(reader, block, *rows, scratch, error));
        BT_TRY(take(user, &scratch->batch, error));
    }
    return BAUTA_OK;
}

static bool arrow_codes(const bt_reader *reader, size_t column)
{
    const arrow_state *state = reader->state;
    return state->types[column].yields == BT_YIELD_CODES;
}

/* Batches are the recipe's: nobody else changes them. */
static bauta_status arrow_finish(const bt_reader *reader, bauta_error *error)
{
    (void)reader;
    (void)error;
    return BAUTA_OK;
}

const bt_source bt_source_arrow = {
    .name = "arrow",
    .summary = "batches of an Arrow C stream that a program hands over (arrow:NAME)",
    .extensions = "",
    .scheme = "arrow",
    .open = arrow_open,
    .prepare = arrow_prepare,
    .visit = arrow_visit,
    .finish = arrow_finish,
    .close = arrow_close,
    .codes = arrow_codes,
};
