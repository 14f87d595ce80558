/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON Lines (NDJSON) as a source: one object per line, its members are the cells of a row.
 *
 * The columns are the keys of the first 1,000 lines in the order in which they appear there; a key
 * that a line lacks is a missing value, and a new one in a later line is refused. A string is its
 * text; a number, true and false are what stands in the file, as they would in CSV; null is the
 * missing value. Whatever JSON (RFC 8259) does not allow is refused, and so are objects and arrays
 * as values, keys that occur twice and NUL characters, with row and column.
 *
 * Written by hand because jansson makes a tree of every line, which costs several times as much as
 * reading CSV does. Cells are spans of the block: escapes are undone where they stand, since no
 * character is longer than its escape. A line feed is never part of a value, so that blocks are cut
 * without knowing what is before them.
 */
#include "base/hash.h"
#include "io/source.h"

#include <string.h>

enum {
    DEFAULT_BLOCK = 1 << 20,
    SEARCH_BYTES = 1 << 14,
    SPOOL_BYTES = 1 << 20,
    LINE_LIMIT = 1 << 26,
    NAMING_LINES = 1000,
};

typedef struct jsonl_state {
    bt_arena arena; /* names */
    char **names;
    size_t *lengths;
    size_t count, name_room, length_room;
    size_t *slots; /* a hash table of the names: number + 1; 0: free */
    size_t slot_count;
    int64_t body; /* offset of the first line */
    int64_t block_bytes;
    bool prepared;
} jsonl_state;

/* ---- one line ---------------------------------------------------------------------------- */

typedef struct scan {
    char *at, *end;    /* zero bytes follow the end */
    const char *fault; /* what is wrong; NULL: nothing so far */
    const char *hint;  /* or NULL */
    bool first;        /* no member of the object was read yet */
} scan;

static bool fail(scan *s, const char *fault, const char *hint)
{
    s->fault = fault;
    s->hint = hint;
    return false;
}

static const char lines_hint[] = "every line is one object: 'jq -c .' writes them so";

static void skip_blanks(scan *s)
{
    while (*s->at == ' ' || *s->at == '\t' || *s->at == '\r')
        s->at++;
}

/* A byte that may not be in a string: the end of the line, or a control character. */
static bool fail_at_control(scan *s)
{
    if (*s->at == '\n' || s->at >= s->end)
        return fail(s, "the line ends inside a string", lines_hint);
    return fail(s, "a string holds a bare control character",
                "JSON writes it as an escape: \\t, \\u0001");
}

static bool read_unit(const char *at, uint32_t *unit)
{
    *unit = 0;
    for (int i = 0; i < 4; i++) {
        unsigned char c = (unsigned char)at[i], letter = c | 0x20;
        if (c >= '0' && c <= '9')
            *unit = *unit << 4 | (uint32_t)(c - '0');
        else if (letter >= 'a' && letter <= 'f')
            *unit = *unit << 4 | (uint32_t)(letter - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* The character of \uXXXX, or of two of them that are a pair of surrogates. */
static bool read_character(scan *s, uint32_t *character)
{
    uint32_t low;
    if (!read_unit(s->at + 2, character))
        return fail(s, "a string holds an escape that JSON does not have", NULL);
    s->at += 6;
    if (*character == 0) return fail(s, "a string holds a NUL character", NULL);
    if (*character < 0xD800 || *character > 0xDFFF) return true;
    if (*character > 0xDBFF || s->at[0] != '\\' || s->at[1] != 'u' || !read_unit(s->at + 2, &low) ||
        low < 0xDC00 || low > 0xDFFF)
        return fail(s, "a string holds half of a surrogate pair", NULL);
    s->at += 6;
    *character = 0x10000 + ((*character - 0xD800) << 10) + (low - 0xDC00);
    return true;
}

static char *put_utf8(char *out, uint32_t character)
{
    if (character < 0x80) {
        *out++ = (char)character;
        return out;
    }
    if (character < 0x800) {
        *out++ = (char)(0xC0 | character >> 6);
    } else {
        if (character < 0x10000) {
            *out++ = (char)(0xE0 | character >> 12);
        } else {
            *out++ = (char)(0xF0 | character >> 18);
            *out++ = (char)(0x80 | (character >> 12 & 0x3F));
        }
        *out++ = (char)(0x80 | (character >> 6 & 0x3F));
    }
    *out++ = (char)(0x80 | (character & 0x3F));
    return out;
}

static bool undo_escape(scan *s, char **out)
{
    static const char marks[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    uint32_t character;
    if (s->at[1] == 'u') {
        if (!read_character(s, &character)) return false;
        *out = put_utf8(*out, character);
        return true;
    }
    const char *mark = s->at[1] ? strchr(marks, s->at[1]) : NULL;
    if (!mark) return fail(s, "a string holds an escape that JSON does not have", NULL);
    *(*out)++ = meant[mark - marks];
    s->at += 2;
    return true;
}

/* Goes on to the next quote, backslash or control character, eight bytes at a time; *high: a byte
 * above 127 was passed, or stands right behind. */
static void pass_plain(scan *s, uint64_t *high)
{
    const uint64_t ones = 0x0101010101010101, tops = ones << 7;
    for (;; s->at += 8) {
        uint64_t word, quote, slash;
        memcpy(&word, s->at, sizeof word);
        quote = word ^ ones * '"';
        slash = word ^ ones * '\\';
        *high |= word & tops;
        if (((quote - ones) & ~quote & tops) | ((slash - ones) & ~slash & tops) |
            ((word - ones * 0x20) & ~word & tops))
            break;
    }
    while (*s->at != '"' && *s->at != '\\' && (unsigned char)*s->at >= 0x20)
        s->at++;
}

/* The string that begins with the quote in view; its text is put together where it stands. */
static bool read_string(scan *s, bt_span *text)
{
    uint64_t high = 0;
    char *from = ++s->at, *out;
    pass_plain(s, &high);
    for (out = s->at; *s->at != '"';) {
        if (*s->at != '\\') return fail_at_control(s);
        if (!undo_escape(s, &out)) return false;
        char *plain = s->at;
        pass_plain(s, &high);
        memmove(out, plain, (size_t)(s->at - plain));
        out += s->at - plain;
    }
    s->at++;
    *text = (bt_span){from, (uint32_t)(out - from), false, true};
    if (high && bt_utf8_valid_prefix(from, text->length) != text->length)
        return fail(s, "a string is not valid UTF-8", "JSON is UTF-8: iconv -t UTF-8 makes it so");
    return true;
}

static bool pass_digits(scan *s)
{
    const char *from = s->at;
    while (*s->at >= '0' && *s->at <= '9')
        s->at++;
    return s->at > from;
}

static bool read_number(scan *s, bool decimal_comma, bt_span *text)
{
    static const char fault[] = "a value is no number as JSON writes them";
    char *from = s->at, *point = NULL;
    s->at += *s->at == '-';
    bool zero = *s->at == '0';
    const char *digits = s->at;
    if (!pass_digits(s) || (zero && s->at > digits + 1)) return fail(s, fault, NULL);
    if (*s->at == '.') {
        point = s->at++;
        if (!pass_digits(s)) return fail(s, fault, NULL);
    }
    if (*s->at == 'e' || *s->at == 'E') {
        s->at++;
        s->at += *s->at == '+' || *s->at == '-';
        if (!pass_digits(s)) return fail(s, fault, NULL);
    }
    if (point && decimal_comma) *point = ',';
    *text = (bt_span){from, (uint32_t)(s->at - from), false, false};
    return true;
}

static bool read_word(scan *s, const char *word, bt_span *text)
{
    size_t length = strlen(word);
    if (memcmp(s->at, word, length) != 0)
        return fail(s, "a value is neither a string, a number, true, false nor null", NULL);
    *text = (bt_span){s->at, (uint32_t)length, false, false};
    s->at += length;
    return true;
}

static bool read_value(scan *s, bool decimal_comma, bt_span *text)
{
    switch (*s->at) {
    case '"': return read_string(s, text);
    case 't': return read_word(s, "true", text);
    case 'f': return read_word(s, "false", text);
    case '{':
    case '[':
        return fail(s, "the value is an object or an array, which a table cannot hold",
                    "leave it out, or make members of its parts: jq -c 'del(.KEY)'");
    case '\n': return fail(s, "the line ends before a value", lines_hint);
    default: break;
    }
    if (*s->at == '-' || (*s->at >= '0' && *s->at <= '9'))
        return read_number(s, decimal_comma, text);
    if (!read_word(s, "null", text)) return false;
    text->length = 0;
    return true;
}

/* Goes to the next object; false: there is none, or what is there is none. */
static bool next_row(scan *s)
{
    for (skip_blanks(s); *s->at == '\n'; skip_blanks(s))
        s->at++;
    if (s->at >= s->end) return false;
    if (*s->at != '{') return fail(s, "the line is no object", lines_hint);
    s->at++;
    s->first = true;
    return true;
}

/* Goes to the value of the next member; false: the object ends, and the line with it, or something
 * is wrong. */
static bool next_member(scan *s, bt_span *key)
{
    skip_blanks(s);
    if (*s->at == '}') {
        s->at++;
        skip_blanks(s);
        if (*s->at == '\n' || s->at >= s->end) return false;
        return fail(s, "something follows the object of the line", lines_hint);
    }
    if (!s->first) {
        if (*s->at != ',') return fail(s, "the object lacks a comma or its end", lines_hint);
        s->at++;
        skip_blanks(s);
    }
    s->first = false;
    if (*s->at != '"') return fail(s, "the object lacks a key", lines_hint);
    if (!read_string(s, key)) return false;
    skip_blanks(s);
    if (*s->at != ':') return fail(s, "a key lacks its colon", NULL);
    s->at++;
    skip_blanks(s);
    return true;
}

/* ---- columns ----------------------------------------------------------------------------- */

static bool is_named(const jsonl_state *state, size_t column, const bt_span *key)
{
    return state->lengths[column] == key->length &&
           memcmp(state->names[column], key->bytes, key->length) == 0;
}

/* The slot of a name, or the free one where it would be. */
static size_t *find_slot(const jsonl_state *state, const bt_span *key)
{
    size_t at = (size_t)bt_hash(key->bytes, key->length) & (state->slot_count - 1);
    while (state->slots[at] != 0 && !is_named(state, state->slots[at] - 1, key))
        at = (at + 1) & (state->slot_count - 1);
    return &state->slots[at];
}

/* Twice as many slots. */
static bauta_status grow_slots(jsonl_state *state, bauta_error *error)
{
    size_t wanted = state->slot_count ? 2 * state->slot_count : 64;
    size_t *made = bt_array_zero(wanted, sizeof *made);
    if (!made) return bt_fail_memory(error);
    free(state->slots);
    state->slots = made;
    state->slot_count = wanted;
    for (size_t i = 0; i < state->count; i++) {
        const bt_span name = {.bytes = state->names[i], .length = (uint32_t)state->lengths[i]};
        *find_slot(state, &name) = i + 1;
    }
    return BAUTA_OK;
}

static bauta_status add_column(jsonl_state *state, const bt_span *key, size_t *column,
                               bauta_error *error)
{
    if (2 * (state->count + 1) > state->slot_count) BT_TRY(grow_slots(state, error));
    size_t *slot = find_slot(state, key);
    if (*slot == 0) {
        BT_TRY(bt_array_grow(&state->names, &state->name_room, state->count + 1,
                             sizeof *state->names, error));
        BT_TRY(bt_array_grow(&state->lengths, &state->length_room, state->count + 1,
                             sizeof *state->lengths, error));
        state->names[state->count] = bt_arena_copy(&state->arena, key->bytes, key->length);
        if (!state->names[state->count]) return bt_fail_memory(error);
        state->lengths[state->count] = key->length;
        *slot = ++state->count;
    }
    *column = *slot - 1;
    return BAUTA_OK;
}

/* What the scan found wrong with a row. `column` SIZE_MAX: of no column. */
static bauta_status scan_error(const bt_reader *reader, const scan *s, int64_t row, size_t column,
                               bauta_error *error)
{
    const jsonl_state *state = reader->state;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", s->fault);
    bt_error_place(error, reader->name, row, column == SIZE_MAX ? NULL : state->names[column]);
    if (s->hint) bt_error_hint(error, "%s", s->hint);
    return status;
}

static bauta_status invalid(const bt_reader *reader, const char *message, int64_t row,
                            bauta_error *error)
{
    return scan_error(reader, &(scan){.fault = message}, row, SIZE_MAX, error);
}

static const char twice[] = "the object has a key twice",
                  too_long[] = "the line is longer than 64 MiB";

/* ---- opening ----------------------------------------------------------------------------- */

static const char *after_blanks(const char *at, const char *end)
{
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
        at++;
    return at;
}

static size_t mark_length(const char *head, size_t length)
{
    return length >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* A brace and a quote on one line begin no CSV file: there a quote may not stand inside a field
 * that began without one. An array is not read either, but then it can be said what to do. The
 * files of a release are CSV. */
static bt_likeness jsonl_recognize(const char *head, size_t length, const bt_input_options *options)
{
    const char *end = head + length, *at = after_blanks(head + mark_length(head, length), end);
    if (options->plain) return BT_LOOKS_FOREIGN;
    if (at < end && *at == '[') at = after_blanks(at + 1, end);
    if (at == end || *at != '{') return BT_LOOKS_FOREIGN;
    for (at++; at < end && (*at == ' ' || *at == '\t');)
        at++;
    return at < end && *at == '"' ? BT_LOOKS_CERTAIN : BT_LOOKS_POSSIBLE;
}

/* Reads the lines that name the columns; *end is behind the last of them that is whole. */
static bauta_status read_naming_lines(bt_reader *reader, size_t *end, bauta_error *error)
{
    for (;;) {
        const bt_buffer *head = &reader->head;
        size_t lines = 0;
        *end = 0;
        for (const char *at = head->bytes, *stop = at + head->length;
             lines < NAMING_LINES && (at = memchr(at, '\n', (size_t)(stop - at))); lines++)
            *end = (size_t)(++at - head->bytes);
        if (lines == NAMING_LINES) return BAUTA_OK;
        if (reader->head_whole) {
            *end = head->length;
            return BAUTA_OK;
        }
        if (head->length >= LINE_LIMIT)
            return *end > 0 ? BAUTA_OK : invalid(reader, too_long, 1, error);
        size_t more = head->length < LINE_LIMIT / 4 ? head->length * 4 : LINE_LIMIT;
        BT_TRY(bt_reader_head(reader, more, error));
    }
}

/* A member of one of the first lines. `seen`: the last row that had each column. */
static bauta_status name_member(jsonl_state *state, scan *s, const bt_span *key, int64_t row,
                                int64_t **seen, size_t *room, size_t *column, bauta_error *error)
{
    bt_span value;
    if (key->length == 0) {
        fail(s, "a key is empty", "columns have names");
        return BAUTA_OK;
    }
    size_t before = state->count;
    BT_TRY(add_column(state, key, column, error));
    BT_TRY(bt_array_grow(seen, room, state->count, sizeof **seen, error));
    if (state->count > before) (*seen)[*column] = 0;
    if ((*seen)[*column] == row)
        fail(s, twice, NULL);
    else
        read_value(s, false, &value);
    (*seen)[*column] = row;
    return BAUTA_OK;
}

static bauta_status name_columns(bt_reader *reader, const bt_buffer *lines, bauta_error *error)
{
    jsonl_state *state = reader->state;
    BT_OWN(bt_free) int64_t *seen = NULL;
    size_t room = 0;
    scan s = {.at = lines->bytes, .end = lines->bytes + lines->length};
    int64_t row = 1;
    for (; next_row(&s); row++) {
        bt_span key;
        size_t column = SIZE_MAX;
        while (next_member(&s, &key)) {
            BT_TRY(name_member(state, &s, &key, row, &seen, &room, &column, error));
            if (s.fault) break;
            column = SIZE_MAX;
        }
        if (s.fault) return scan_error(reader, &s, row, column, error);
    }
    if (s.fault) return scan_error(reader, &s, row, SIZE_MAX, error);
    return state->count > 0 ? BAUTA_OK : invalid(reader, "the first lines have no keys", -1, error);
}

static bauta_status jsonl_open(bt_reader *reader, bt_arena *arena, bauta_error *error)
{
    jsonl_state *state = reader->state = bt_array_zero(1, sizeof *state);
    if (!state) return bt_fail_memory(error);
    BT_OWN(bt_buffer_release) bt_buffer lines = {0};
    size_t asked = reader->options->block_bytes, end;
    state->block_bytes = asked ? (int64_t)asked : DEFAULT_BLOCK;
    state->body = (int64_t)mark_length(reader->head.bytes, reader->head.length);
    if (reader->options->encoding != BT_UTF8) {
        bauta_status status =
            invalid(reader, "JSON Lines are UTF-8, not another encoding", -1, error);
        bt_error_hint(error, "leave 'encoding' out");
        return status;
    }
    if (*after_blanks(reader->head.bytes + state->body, reader->head.bytes + reader->head.length) ==
        '[') {
        bauta_status status = invalid(reader, "the file is a JSON array", -1, error);
        bt_error_hint(error, "every line is one object: jq -c '.[]' writes them so");
        return status;
    }
    BT_TRY(read_naming_lines(reader, &end, error));
    /* The head is read again where a stream is spooled: only a copy has its escapes undone. */
    BT_TRY(bt_buffer_reserve(&lines, end + BT_CSV_PADDING, error));
    lines.length = end - (size_t)state->body;
    memcpy(lines.bytes, reader->head.bytes + state->body, lines.length);
    memset(lines.bytes + lines.length, 0, BT_CSV_PADDING);
    BT_TRY(name_columns(reader, &lines, error));
    reader->column_count = reader->first_renamed = state->count;
    reader->columns = bt_arena_array(arena, state->count, sizeof *reader->columns);
    if (!reader->columns) return bt_fail_memory(error);
    memcpy(reader->columns, state->names, state->count * sizeof *state->names);
    return BAUTA_OK;
}

static void jsonl_close(bt_reader *reader)
{
    jsonl_state *state = reader->state;
    if (!state) return;
    free(state->names);
    free(state->lengths);
    free(state->slots);
    bt_arena_release(&state->arena);
    free(state);
    reader->state = NULL;
}

/* ---- blocks ------------------------------------------------------------------------------ */

/* Writes all of a stream to a temporary file. */
static bauta_status spool(bt_reader *reader, const bt_run *run, bauta_error *error)
{
    bt_buffer *buffer = &reader->head;
    BT_TRY(bt_temporary_open(run, &reader->spool, error));
    reader->spooled = true;
    reader->size = 0;
    do {
        BT_TRY(
            bt_temporary_write(&reader->spool, reader->size, buffer->bytes, buffer->length, error));
        reader->size += (int64_t)buffer->length;
        buffer->length = 0;
        BT_TRY(bt_run_progress(run, 0, "reading", reader->size, 0, error));
        BT_TRY(bt_reader_head(reader, SPOOL_BYTES, error));
    } while (buffer->length > 0);
    return BAUTA_OK;
}

static bauta_status jsonl_prepare(bt_reader *reader, const bt_use *uses, const bt_run *run,
                                  bauta_error *error)
{
    (void)uses;
    jsonl_state *state = reader->state;
    if (state->prepared) return BAUTA_OK;
    if (!bt_bytes_plain(reader->bytes, &reader->size)) BT_TRY(spool(reader, run, error));
    bt_buffer_release(&reader->head);
    int64_t body = reader->size - state->body;
    reader->blocks = body <= 0 ? 0 : (size_t)((body - 1) / state->block_bytes + 1);
    state->prepared = true;
    return BAUTA_OK;
}

static int64_t border(const bt_reader *reader, size_t block)
{
    const jsonl_state *state = reader->state;
    int64_t offset = state->body + (int64_t)block * state->block_bytes;
    return offset < reader->size ? offset : reader->size;
}

static bauta_status add_bytes(const bt_reader *reader, int64_t from, size_t length,
                              bt_buffer *buffer, bauta_error *error)
{
    size_t got;
    BT_TRY(bt_buffer_reserve(buffer, length + BT_CSV_PADDING, error));
    BT_TRY(bt_reader_read(reader, from, buffer->bytes + buffer->length, length, &got, error));
    if (got != length) return invalid(reader, "the file changed while it was read", -1, error);
    buffer->length += length;
    return BAUTA_OK;
}

/* Adds what is left of the last line of a block that ends at `to`. *endless: the line is too long,
 * and is left out. */
static bauta_status end_line(const bt_reader *reader, int64_t to, bt_buffer *buffer, size_t start,
                             bool *endless, bauta_error *error)
{
    size_t line = buffer->length, chunk = SEARCH_BYTES;
    const char *end = NULL;
    while (line > start && buffer->bytes[line - 1] != '\n')
        line--;
    if (line == buffer->length) return BAUTA_OK;
    for (; !end && to < reader->size; chunk *= 2) {
        size_t before = buffer->length, room = LINE_LIMIT + 1 - (before - line);
        if (chunk > room) chunk = room;
        if ((int64_t)chunk > reader->size - to) chunk = (size_t)(reader->size - to);
        if (chunk == 0) break;
        BT_TRY(add_bytes(reader, to, chunk, buffer, error));
        to += (int64_t)chunk;
        end = memchr(buffer->bytes + before, '\n', chunk);
    }
    if (end) buffer->length = (size_t)(end + 1 - buffer->bytes);
    *endless = !end && to < reader->size;
    if (*endless) buffer->length = line;
    return BAUTA_OK;
}

/* The lines that begin in a block, from *start on; zero bytes follow. */
static bauta_status load_lines(const bt_reader *reader, size_t number, bt_buffer *buffer,
                               size_t *start, bool *endless, bauta_error *error)
{
    /* A line end right before the border counts too. */
    int64_t from = border(reader, number) - (number > 0), to = border(reader, number + 1);
    buffer->length = *start = 0;
    *endless = false;
    BT_TRY(add_bytes(reader, from, (size_t)(to - from), buffer, error));
    if (number > 0) {
        const char *end = memchr(buffer->bytes, '\n', buffer->length);
        *start = end ? (size_t)(end + 1 - buffer->bytes) : buffer->length;
    }
    if (*start < buffer->length) BT_TRY(end_line(reader, to, buffer, *start, endless, error));
    memset(buffer->bytes + buffer->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

/* Whether the file is unchanged; nobody else knows a spool. */
static bauta_status check_unchanged(const bt_reader *reader, bauta_error *error)
{
    return reader->spooled ? BAUTA_OK : bt_bytes_unchanged(reader->bytes, error);
}

/* The cells of a row; *column is that of a fault. Keys mostly come in the order of columns. */
static void read_cells(const bt_reader *reader, scan *s, bt_span *fields, size_t *column)
{
    static const char nothing[BT_WORDS];
    const jsonl_state *state = reader->state;
    bt_span key;
    size_t next = 0;
    for (size_t i = 0; i < state->count; i++)
        fields[i].bytes = NULL;
    for (*column = SIZE_MAX; next_member(s, &key); *column = SIZE_MAX) {
        if (next == state->count || !is_named(state, next, &key))
            next = *find_slot(state, &key) - 1;
        *column = next++;
        if (*column == SIZE_MAX)
            fail(s, "the object has a key that none of the first 1,000 lines has",
                 "columns are the keys of these: let one of them have it, as null");
        else if (fields[*column].bytes)
            fail(s, twice, NULL);
        else
            read_value(s, reader->options->decimal_comma, &fields[*column]);
        if (s->fault) return;
    }
    for (size_t i = 0; i < state->count; i++)
        if (!fields[i].bytes) fields[i] = (bt_span){.bytes = nothing};
}

static bauta_status jsonl_visit(bt_reader *reader, size_t number, bt_scratch *scratch,
                                bt_take_batch take, void *user, int64_t *rows, bauta_error *error)
{
    bt_buffer *buffer = &scratch->block;
    size_t start, column = SIZE_MAX;
    bool endless;
    *rows = 0;
    BT_TRY(load_lines(reader, number, buffer, &start, &endless, error));
    if (number == 0 || number + 1 == reader->blocks) BT_TRY(check_unchanged(reader, error));
    for (size_t i = 0; i < reader->column_count; i++) {
        bt_vector *vector = &scratch->batch.columns[i];
        *vector = (bt_vector){.yields = BT_YIELD_TEXT,
                              .texts = &scratch->fields[i],
                              .step = reader->column_count,
                              .room = vector->room};
    }
    scratch->batch.between = 0;
    scan s = {.at = buffer->bytes + start, .end = buffer->bytes + buffer->length};
    for (bool more = true; more; *rows += (int64_t)scratch->batch.rows) {
        size_t count = 0;
        while (count < scratch->rows && (more = next_row(&s))) {
            read_cells(reader, &s, scratch->fields + count * reader->column_count, &column);
            if (s.fault) break;
            count++;
        }
        if (s.fault) return scan_error(reader, &s, *rows + (int64_t)count + 1, column, error);
        scratch->batch.rows = count;
        if (count > 0) BT_TRY(take(user, &scratch->batch, error));
    }
    return endless ? invalid(reader, too_long, *rows + 1, error) : BAUTA_OK;
}

const bt_source bt_source_jsonl = {
    .name = "jsonl",
    .summary =
        "JSON Lines (NDJSON): one object per line, whose members are strings, numbers, true, "
        "false or null",
    .extensions = "jsonl ndjson json",
    .recognize = jsonl_recognize,
    .open = jsonl_open,
    .prepare = jsonl_prepare,
    .visit = jsonl_visit,
    .finish = check_unchanged,
    .close = jsonl_close,
};
