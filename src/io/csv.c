/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV as a source: header, blocks, and the visit of a block.
 *
 * A file is cut at multiples of the block size. Whether a cut lies inside a quoted field
 * follows from the number of quotes before it, so each worker counts the quotes of its block
 * as soon as it has read it and passes the state on to the next block (`starts_inside`);
 * then it parses the records that begin in its block. The borders found on the first visit are
 * kept for later ones. Streams are first spooled to an enciphered temporary file, with the
 * fields of columns that nobody needs left empty.
 */
#include "io/header.h"
#include "io/sniff.h"
#include "io/source.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    DEFAULT_BLOCK = 1 << 20,
    SEARCH_BYTES = 1 << 14,
    SPOOL_BYTES = 1 << 20,
    HEADER_LIMIT = 1 << 28,
    RECORD_LIMIT = 1 << 28, /* of a stream; in a file a record may be as long as the file */
};

typedef enum start_state { START_UNKNOWN, START_OUTSIDE, START_INSIDE, START_BROKEN } start_state;

typedef struct csv_block {
    _Atomic int start; /* start_state at the nominal border */
    int64_t from, to;  /* its records, once visited */
    bool visited;
} csv_block;

typedef struct csv_state {
    char delimiter;
    int64_t body; /* offset of the first record */
    int64_t block_bytes;
    csv_block *blocks;
} csv_state;

/* ---- header ------------------------------------------------------------------------------ */

static bauta_status invalid(const bt_reader *reader, const char *message, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", message);
    bt_error_place(error, reader->name, -1, NULL);
    return status;
}

static bool has_names(const bt_reader *reader)
{
    return reader->options->header != BT_HEADER_NO;
}

/* Length of the first record with its line end; 0: not all of it is here yet. */
static size_t first_record(const bt_buffer *head, size_t from)
{
    bool inside = false;
    for (size_t i = from; i < head->length; i++) {
        inside ^= head->bytes[i] == '"';
        if (head->bytes[i] == '\n' && !inside) return i + 1 - from;
    }
    return 0;
}

static bool has_bare_return(const bt_span *span)
{
    for (uint32_t i = 0; i < span->length; i++)
        if (span->bytes[i] == '\r' && (i + 1 == span->length || span->bytes[i + 1] != '\n'))
            return true;
    return false;
}

/* The text behind the apostrophe, where one must stand; false: it stands where none must, or not
 * where one must. */
static bool take_guard(bt_span *field)
{
    bool guarded = field->length > 0 && field->bytes[0] == '\'';
    field->bytes += guarded;
    field->length -= guarded;
    return bt_csv_tempts(field->bytes, field->length) == guarded;
}

static bauta_status name_column(bt_reader *reader, bt_arena *arena, size_t column, bt_span span,
                                bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = bt_span_text(&span, &text, error);
    if (reader->options->guarded && status == BAUTA_OK && !take_guard(&span))
        status = invalid(reader, "the header is not written as 'spreadsheet_safe' says", error);
    if (status == BAUTA_OK && span.length > 0 && memchr(span.bytes, 0, span.length))
        status = invalid(reader, "the header holds a NUL byte", error);
    if (status == BAUTA_OK && reader->options->encoding == BT_UTF8 &&
        bt_utf8_valid_prefix(span.bytes, span.length) != span.length) {
        status = invalid(reader, "the header is not valid UTF-8", error);
        bt_error_hint(error, "say --encoding latin-1 or windows-1252");
    }
    if (status == BAUTA_OK) {
        char *name = span.length == 0 ? bt_arena_print(arena, "column_%zu", column + 1)
                                      : bt_arena_alloc(arena, (size_t)span.length * 3 + 1);
        if (!name) status = bt_fail_memory(error);
        if (name && span.length > 0)
            name[bt_encoding_to_utf8(reader->options->encoding, span.bytes, span.length, name)] = 0;
        reader->columns[column] = name;
    }
    bt_buffer_release(&text);
    return status;
}

/* Names that occur twice are told apart; in our own files there are none. */
static bauta_status check_duplicates(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    BT_TRY(bt_header_rename(reader->columns, reader->column_count, arena, &reader->first_renamed,
                            &reader->renamed, error));
    if (reader->renamed == 0 || reader->options->header != BT_HEADER_EXACT) return BAUTA_OK;
    return invalid(reader, "the header has two columns of the same name", error);
}

/* A line that may be a record is never shown. */
static bauta_status check_names(const bt_reader *reader, const bt_span *fields, size_t behind,
                                bauta_error *error)
{
    const csv_state *state = reader->state;
    const bt_header_look look = {.fields = fields,
                                 .count = reader->column_count,
                                 .rest = reader->head.bytes + behind,
                                 .length = reader->head.length - behind,
                                 .whole = reader->head_whole,
                                 .delimiter = state->delimiter,
                                 .decimal_comma = reader->options->decimal_comma};
    bool record = false;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < look.count && status == BAUTA_OK; i++)
        if (has_bare_return(&fields[i])) {
            status =
                invalid(reader, "the header holds a carriage return without a line feed", error);
            bt_error_hint(error, "if lines end with it, as on old Macintoshes, change them: "
                                 "tr '\\r' '\\n' <FILE");
        }
    if (status == BAUTA_OK && reader->options->header == BT_HEADER_LOOK)
        status = bt_header_is_record(&look, &record, error);
    if (!record) return status;
    status =
        invalid(reader, "the first line looks like a record, not like the names of columns", error);
    bt_error_hint(error, "say --header no if the table has no names (columns are then column_1, "
                         "column_2, ...), or --header yes if these are their names");
    return status;
}

/* Splits the first record into names (or numbers the columns). */
static bauta_status read_names(bt_reader *reader, bt_arena *arena, size_t from, size_t length,
                               bauta_error *error)
{
    csv_state *state = reader->state;
    bt_csv csv;
    bt_csv_open(&csv, reader->head.bytes + from, length, state->delimiter, 1);
    size_t count = bt_csv_any(&csv, NULL, 0);
    if (csv.fault) {
        bauta_status status = invalid(reader, bt_csv_fault_text(csv.fault), error);
        bt_error_place(error, reader->name, !has_names(reader), NULL);
        return status;
    }
    reader->column_count = count;
    reader->columns = bt_arena_array(arena, count, sizeof *reader->columns);
    bt_span *fields = bt_array_zero(count, sizeof *fields);
    if (!reader->columns || !fields) {
        free(fields);
        return bt_fail_memory(error);
    }
    bauta_status status = BAUTA_OK;
    if (has_names(reader)) {
        bt_csv_open(&csv, reader->head.bytes + from, length, state->delimiter, 1);
        bt_csv_any(&csv, fields, count);
        status = check_names(reader, fields, from + length, error);
    }
    for (size_t i = 0; i < reader->column_count && status == BAUTA_OK; i++)
        status = name_column(reader, arena, i, fields[i], error);
    free(fields);
    return status == BAUTA_OK ? check_duplicates(reader, arena, error) : status;
}

static bauta_status open_header(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    csv_state *state = reader->state;
    size_t from =
        reader->head.length >= 3 && memcmp(reader->head.bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    while (from < reader->head.length &&
           (reader->head.bytes[from] == '\n' || reader->head.bytes[from] == '\r'))
        from++;
    if (from == reader->head.length) return invalid(reader, "the file is empty", error);
    size_t length;
    while ((length = first_record(&reader->head, from)) == 0 && !reader->head_whole) {
        if (reader->head.length >= HEADER_LIMIT)
            return invalid(reader, "the header is longer than 256 MiB", error);
        BT_TRY(bt_reader_head(reader, reader->head.length * 4, error));
    }
    if (length == 0) length = reader->head.length - from;
    state->delimiter = reader->options->delimiter;
    if (!state->delimiter)
        state->delimiter = bt_sniff_delimiter(reader->head.bytes + from, reader->head.length - from,
                                              reader->head_whole);
    reader->delimiter = state->delimiter;
    state->body = (int64_t)(from + (has_names(reader) ? length : 0));
    return read_names(reader, arena, from, length, error);
}

/* Any text may be one. */
static bt_likeness csv_recognize(const char *head, size_t length, const bt_input_options *options)
{
    return bt_sniff_text(NULL, head, length, options->encoding, NULL) == BAUTA_OK
               ? BT_LOOKS_POSSIBLE
               : BT_LOOKS_FOREIGN;
}

static bauta_status csv_open(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    csv_state *state = reader->state = bt_array_zero(1, sizeof *state);
    if (!state) return bt_fail_memory(error);
    size_t asked = reader->options->block_bytes;
    state->block_bytes = asked ? (int64_t)asked : DEFAULT_BLOCK;
    return open_header(reader, arena, error);
}

static void csv_close(bt_reader *reader)
{
    csv_state *state = reader->state;
    if (!state) return;
    free(state->blocks);
    free(state);
    reader->state = NULL;
}

/* ---- spooling a stream ------------------------------------------------------------------- */

/* Where the last complete record of the buffer ends; the whole buffer at the end of the stream. */
static size_t last_record_end(const bt_buffer *buffer, bool ended)
{
    if (ended) return buffer->length;
    bool inside = false;
    size_t end = 0;
    for (size_t i = 0; i < buffer->length; i++) {
        inside ^= buffer->bytes[i] == '"';
        if (buffer->bytes[i] == '\n' && !inside) end = i + 1;
    }
    return end;
}

static void hint_at_fault(const bt_reader *reader, const bt_csv *csv, bauta_error *error)
{
    if (csv->fault == BT_CSV_FEW || csv->fault == BT_CSV_MANY)
        bt_error_hint(error, "the header has %zu columns; is '%s' the delimiter?",
                      reader->column_count,
                      csv->delimiter == '\t' ? "tab" : (char[]){csv->delimiter, 0});
    else if (csv->fault == BT_CSV_STRAY)
        bt_error_hint(error, "a field that holds a quote is quoted, and the quote doubled");
    else if (csv->fault == BT_CSV_UNCLOSED)
        bt_error_hint(error, "the file is cut off, or a quote within the field is not doubled");
}

static bauta_status fault_error(const bt_reader *reader, const bt_csv *csv, int64_t row,
                                bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", bt_csv_fault_text(csv->fault));
    bool short_or_long = csv->fault == BT_CSV_FEW || csv->fault == BT_CSV_MANY;
    bt_error_place(error, reader->name, row,
                   short_or_long ? NULL : reader->columns[csv->fault_column]);
    hint_at_fault(reader, csv, error);
    return status;
}

typedef struct spooler {
    bt_reader *reader;
    const bt_use *uses;
    bt_buffer out;
    bt_span *fields;
    int64_t rows;
} spooler;

/* Writes the needed fields of the records in [bytes, bytes + length). */
static bauta_status spool_records(spooler *spool, const char *bytes, size_t length,
                                  bauta_error *error)
{
    bt_reader *reader = spool->reader;
    const csv_state *state = reader->state;
    bt_buffer text = {0};
    bt_csv csv;
    bt_csv_open(&csv, bytes, length, state->delimiter, reader->column_count);
    bauta_status status = BAUTA_OK;
    spool->out.length = 0;
    while (status == BAUTA_OK && bt_csv_next(&csv, spool->fields)) {
        for (size_t i = 0; i < reader->column_count && status == BAUTA_OK; i++) {
            bt_span *field = &spool->fields[i];
            if (i > 0) status = bt_buffer_add(&spool->out, ",", 1, error);
            if (spool->uses[i] == BT_USE_SKIP || status != BAUTA_OK) continue;
            status = bt_span_text(field, &text, error);
            if (status == BAUTA_OK)
                status = bt_csv_put(&spool->out, field->bytes, field->length, error);
        }
        if (status == BAUTA_OK) status = bt_buffer_add(&spool->out, "\n", 1, error);
        spool->rows++;
    }
    if (status == BAUTA_OK && csv.fault) status = fault_error(reader, &csv, spool->rows + 1, error);
    if (status == BAUTA_OK)
        status = bt_temporary_write(&reader->spool, reader->size, spool->out.bytes,
                                    spool->out.length, error);
    if (status == BAUTA_OK) reader->size += (int64_t)spool->out.length;
    bt_buffer_release(&text);
    return status;
}

/* What is read of it tells what is wrong with it, if a quote is. */
static bauta_status endless_record(spooler *spool, bauta_error *error)
{
    const bt_reader *reader = spool->reader;
    BT_TRY(spool_records(spool, reader->head.bytes, reader->head.length, error));
    /* Taken as it is, it was counted. */
    bauta_status status = invalid(reader, "the record is longer than 256 MiB", error);
    bt_error_place(error, reader->name, spool->rows, NULL);
    return status;
}

static bauta_status spool_stream(spooler *spool, const bt_run *run, bauta_error *error)
{
    bt_reader *reader = spool->reader;
    csv_state *state = reader->state;
    bt_buffer *buffer = &reader->head;
    size_t want = SPOOL_BYTES;
    memmove(buffer->bytes, buffer->bytes + state->body, buffer->length - (size_t)state->body);
    buffer->length -= (size_t)state->body;
    do {
        BT_TRY(bt_reader_head(reader, want, error));
        size_t end = last_record_end(buffer, reader->head_whole);
        if (end == 0) {
            /* A record longer than the buffer. */
            if (want >= RECORD_LIMIT) return endless_record(spool, error);
            want *= 2;
            continue;
        }
        BT_TRY(spool_records(spool, buffer->bytes, end, error));
        memmove(buffer->bytes, buffer->bytes + end, buffer->length - end);
        buffer->length -= end;
        want = SPOOL_BYTES;
        BT_TRY(bt_run_progress(run, 0, "reading", spool->rows, 0, error));
    } while (!reader->head_whole || buffer->length > 0);
    return BAUTA_OK;
}

static bauta_status spool(bt_reader *reader, const bt_use *uses, const bt_run *run,
                          bauta_error *error)
{
    csv_state *state = reader->state;
    spooler spool = {.reader = reader, .uses = uses};
    BT_TRY(bt_temporary_open(run, &reader->spool, error));
    reader->spooled = true;
    reader->size = 0;
    spool.fields = bt_array(reader->column_count, sizeof *spool.fields);
    bauta_status status = spool.fields ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = spool_stream(&spool, run, error);
    free(spool.fields);
    bt_buffer_release(&spool.out);
    bt_buffer_release(&reader->head);
    if (status != BAUTA_OK) return status;
    state->body = 0;
    state->delimiter = ',';
    return BAUTA_OK;
}

/* ---- blocks ------------------------------------------------------------------------------ */

static bauta_status csv_prepare(bt_reader *reader, const bt_use *uses, const bt_run *run,
                                bauta_error *error)
{
    csv_state *state = reader->state;
    if (state->blocks) return BAUTA_OK;
    if (!bt_bytes_plain(reader->bytes, &reader->size)) BT_TRY(spool(reader, uses, run, error));
    bt_buffer_release(&reader->head);
    int64_t body = reader->size - state->body;
    reader->blocks = body <= 0 ? 0 : (size_t)((body - 1) / state->block_bytes + 1);
    state->blocks = bt_array_zero(reader->blocks + 1, sizeof *state->blocks);
    if (!state->blocks) return bt_fail_memory(error);
    for (size_t i = 0; i <= reader->blocks; i++)
        atomic_init(&state->blocks[i].start, i == 0 ? START_OUTSIDE : START_UNKNOWN);
    return BAUTA_OK;
}

static int64_t border(const bt_reader *reader, size_t block)
{
    const csv_state *state = reader->state;
    int64_t offset = state->body + (int64_t)block * state->block_bytes;
    return offset < reader->size ? offset : reader->size;
}

/* Reads [from, to) into the scratch block, zero-padded. */
static bauta_status read_range(const bt_reader *reader, int64_t from, int64_t to, bt_buffer *buffer,
                               bauta_error *error)
{
    size_t got, length = (size_t)(to - from);
    buffer->length = 0;
    BT_TRY(bt_buffer_reserve(buffer, length + BT_CSV_PADDING, error));
    BT_TRY(bt_reader_read(reader, from, buffer->bytes, length, &got, error));
    if (got != length) return invalid(reader, "the file changed while it was read", error);
    memset(buffer->bytes + length, 0, BT_CSV_PADDING);
    buffer->length = length;
    return BAUTA_OK;
}

/* The first record that begins at or after `offset`, where the state is `inside`, and before
 * `limit`; `limit` when there is none. *opened is the last quote passed that opens a field, if
 * any. */
static bauta_status find_record(const bt_reader *reader, int64_t offset, int64_t limit,
                                bool *inside, int64_t *out, int64_t *opened, bauta_error *error)
{
    const csv_state *state = reader->state;
    char bytes[SEARCH_BYTES];
    /* A line end right before the border counts too; a quote there is in `inside` already. */
    bool before = offset > state->body;
    offset -= before;
    for (*out = limit; offset < limit; before = false) {
        size_t got, wanted = sizeof bytes;
        if ((int64_t)wanted > limit - offset) wanted = (size_t)(limit - offset);
        BT_TRY(bt_reader_read(reader, offset, bytes, wanted, &got, error));
        if (got == 0) return invalid(reader, "the file changed while it was read", error);
        for (size_t i = 0; i < got; i++) {
            if (bytes[i] == '"' && !(before && i == 0)) {
                *inside = !*inside;
                if (*inside) *opened = offset + (int64_t)i;
            }
            if (bytes[i] == '\n' && !*inside) {
                *out = offset + (int64_t)i + 1;
                return BAUTA_OK;
            }
        }
        offset += (int64_t)got;
    }
    return BAUTA_OK;
}

/* Waits until the worker of the block before has passed its state on. */
static start_state await_start(csv_block *block)
{
    int start;
    while ((start = atomic_load_explicit(&block->start, memory_order_acquire)) == START_UNKNOWN)
        sched_yield();
    return (start_state)start;
}

/* First visit: finds out where the block's records begin and end. Leaves [from, to) of the
 * nominal block in the scratch buffer. */
static bauta_status find_borders(bt_reader *reader, size_t number, bt_buffer *buffer,
                                 bt_csv_census *census, bauta_error *error)
{
    csv_state *state = reader->state;
    csv_block *block = &state->blocks[number];
    int64_t from = border(reader, number), to = border(reader, number + 1);
    bauta_status status = read_range(reader, from, to, buffer, error);
    *census = (bt_csv_census){0};
    if (status == BAUTA_OK) *census = bt_csv_survey(buffer->bytes, buffer->length);
    start_state start = await_start(block);
    bool inside = start == START_INSIDE, inside_after = inside ^ (census->quotes & 1);
    int after = status != BAUTA_OK || start == START_BROKEN ? START_BROKEN
                : inside_after                              ? START_INSIDE
                                                            : START_OUTSIDE;
    atomic_store_explicit(&state->blocks[number + 1].start, after, memory_order_release);
    BT_TRY(status);
    if (start == START_BROKEN) return invalid(reader, "an earlier part could not be read", error);
    block->from = from;
    int64_t opened = to - 1, size = reader->size;
    if (number > 0) BT_TRY(find_record(reader, from, to, &inside, &block->from, &opened, error));
    block->to = block->from;
    /* Only a block in which a record begins looks beyond its border: a long field is passed once.
     */
    if (block->from < to) {
        opened = to - 1;
        BT_TRY(find_record(reader, to, size, &inside_after, &block->to, &opened, error));
        /* A quote that never closes: do not read the rest of the file to report it. */
        if (block->to == size && inside_after) block->to = opened + 1;
    }
    block->visited = true;
    return BAUTA_OK;
}

/* The column of the byte `at` in the record that begins at `start`. */
static size_t column_at(const bt_reader *reader, const char *start, const char *at)
{
    const csv_state *state = reader->state;
    size_t column = 0;
    bool inside = false;
    for (; start < at; start++) {
        inside ^= *start == '"';
        column += *start == state->delimiter && !inside;
    }
    return column < reader->column_count ? column : reader->column_count - 1;
}

/* A byte that may not be there, unless the records before it have a fault of their own. */
static bauta_status byte_error(const bt_reader *reader, bt_scratch *scratch, size_t at,
                               const char *message, const char *hint, bauta_error *error)
{
    const csv_state *state = reader->state;
    const char *byte = scratch->block.bytes + at, *start;
    int64_t row = 0;
    bt_csv csv;
    bt_csv_open(&csv, scratch->block.bytes, scratch->block.length, state->delimiter,
                reader->column_count);
    do {
        row++;
        start = csv.at;
    } while (bt_csv_next(&csv, scratch->fields) && csv.at <= byte);
    if (csv.fault && csv.fault_byte < byte) return fault_error(reader, &csv, row, error);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", message);
    bt_error_place(error, reader->name, row, reader->columns[column_at(reader, start, byte)]);
    bt_error_hint(error, "%s", hint);
    return status;
}

/* `census` is that of the nominal block; what its last record has beyond that is added here. */
static bauta_status check_bytes(const bt_reader *reader, size_t number, bt_scratch *scratch,
                                bt_csv_census census, bauta_error *error)
{
    const bt_buffer *buffer = &scratch->block;
    const csv_state *state = reader->state;
    const csv_block *block = &state->blocks[number];
    int64_t beyond = block->to - border(reader, number + 1);
    size_t tail = beyond <= 0                       ? 0
                  : (size_t)beyond < buffer->length ? (size_t)beyond
                                                    : buffer->length;
    bt_csv_census more = bt_csv_survey(buffer->bytes + buffer->length - tail, tail);
    census.nul |= more.nul;
    census.high |= more.high;
    const char *nul = census.nul ? memchr(buffer->bytes, 0, buffer->length) : NULL;
    if (nul)
        return byte_error(
            reader, scratch, (size_t)(nul - buffer->bytes), "the record holds a NUL byte",
            "the file may be damaged; tr -d '\\000' <FILE takes such bytes out", error);
    if (!census.high || reader->options->encoding != BT_UTF8) return BAUTA_OK;
    size_t valid = bt_utf8_valid_prefix(buffer->bytes, buffer->length);
    if (valid == buffer->length) return BAUTA_OK;
    return byte_error(reader, scratch, valid, "the record is not valid UTF-8",
                      "say --encoding latin-1 or --encoding windows-1252 if it is one of these",
                      error);
}

/* The block's records in the scratch buffer: what find_borders left there is moved or added
 * to, not read again. */
static bauta_status load_records(const bt_reader *reader, size_t number, bool first,
                                 bt_buffer *buffer, bauta_error *error)
{
    const csv_state *state = reader->state;
    const csv_block *block = &state->blocks[number];
    int64_t from = border(reader, number), to = border(reader, number + 1);
    if (!first || block->from >= to)
        return read_range(reader, block->from, block->to, buffer, error);
    size_t skip = (size_t)(block->from - from),
           more = (size_t)(block->to > to ? block->to - to : 0);
    if (block->to < to) buffer->length -= (size_t)(to - block->to);
    BT_TRY(bt_buffer_reserve(buffer, more + BT_CSV_PADDING, error));
    size_t got = 0;
    if (more > 0)
        BT_TRY(bt_reader_read(reader, to, buffer->bytes + buffer->length, more, &got, error));
    if (got != more) return invalid(reader, "the file changed while it was read", error);
    buffer->length += more;
    memmove(buffer->bytes, buffer->bytes + skip, buffer->length - skip);
    buffer->length -= skip;
    memset(buffer->bytes + buffer->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

/* Whether the file is unchanged; nobody else knows a spool. */
static bauta_status check_unchanged(const bt_reader *reader, bauta_error *error)
{
    return reader->spooled ? BAUTA_OK : bt_bytes_unchanged(reader->bytes, error);
}

static bauta_status take_guards(const bt_reader *reader, bt_span *fields, size_t rows,
                                int64_t before, bauta_error *error)
{
    for (size_t i = 0; i < rows * reader->column_count; i++) {
        if (take_guard(&fields[i])) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the field is not written as 'spreadsheet_safe' says");
        bt_error_place(error, reader->name, before + (int64_t)(i / reader->column_count) + 1,
                       reader->columns[i % reader->column_count]);
        return status;
    }
    return BAUTA_OK;
}

/* The fields of a row lie one after the other, those of a column as many apart as there are
 * columns. */
static void lay_out(const bt_reader *reader, bt_scratch *scratch)
{
    const csv_state *state = reader->state;
    for (size_t i = 0; i < reader->column_count; i++) {
        bt_vector *vector = &scratch->batch.columns[i];
        *vector = (bt_vector){.yields = BT_YIELD_TEXT,
                              .texts = &scratch->fields[i],
                              .step = reader->column_count,
                              .room = vector->room};
    }
    scratch->batch.between = state->delimiter;
}

static bauta_status csv_visit(bt_reader *reader, size_t number, bt_scratch *scratch,
                              bt_take_batch take, void *user, int64_t *rows, bauta_error *error)
{
    csv_state *state = reader->state;
    bt_buffer *buffer = &scratch->block;
    bool first = !state->blocks[number].visited;
    *rows = 0;
    bt_csv_census census;
    if (first) BT_TRY(find_borders(reader, number, buffer, &census, error));
    BT_TRY(load_records(reader, number, first, buffer, error));
    if (first) BT_TRY(check_bytes(reader, number, scratch, census, error));
    if (number == 0 || number + 1 == reader->blocks) BT_TRY(check_unchanged(reader, error));
    lay_out(reader, scratch);
    bt_csv csv;
    bt_csv_open(&csv, buffer->bytes, buffer->length, state->delimiter, reader->column_count);
    for (size_t count = scratch->rows; count == scratch->rows; *rows += (int64_t)count) {
        count = scratch->batch.rows = bt_csv_batch(&csv, scratch->fields, scratch->rows);
        if (reader->options->guarded)
            BT_TRY(take_guards(reader, scratch->fields, count, *rows, error));
        if (count > 0) BT_TRY(take(user, &scratch->batch, error));
    }
    return csv.fault ? fault_error(reader, &csv, *rows + 1, error) : BAUTA_OK;
}

const bt_source bt_source_csv = {
    .name = "csv",
    .summary = "comma-, semicolon-, tab- or bar-separated text (RFC 4180)",
    .extensions = "csv tsv txt",
    .recognize = csv_recognize,
    .open = csv_open,
    .prepare = csv_prepare,
    .visit = csv_visit,
    .finish = check_unchanged,
    .close = csv_close,
};
