/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a column of random values to a CSV table, each value equally likely and independent of
 * all else, as the experiments of "Enhanced P-Sensitive K-Anonymity Models for Privacy
 * Preserving Data Publishing" do with health conditions. All other bytes of the table stay as
 * they are: quotes, line ends, blank lines, a byte-order mark.
 *
 * The table is read in pieces of at least one record; memory is the longest record.
 */
#include "base/csv.h"
#include "base/text.h"
#include "synth/synth.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TABLE = BT_SYNTH_THREADS + 1, COLUMN, VALUES, DELIMITER };

static const bt_param params[] = {
    BT_SYNTH_COMMON_PARAMS,
    {.name = "table", .type = BT_PARAM_TEXT, .help = "CSV file with a header; - is standard input"},
    {.name = "column", .type = BT_PARAM_TEXT, .help = "name of the new column"},
    {.name = "values",
     .type = BT_PARAM_TEXT,
     .help = "what it may hold, separated by commas; a backslash keeps a comma"},
    {.name = "delimiter",
     .type = BT_PARAM_CHOICE,
     .choices = "sniff|comma|semicolon|tab|pipe",
     .fallback = "sniff",
     .help = "what separates fields; sniff: what the header has most of"},
};

enum { PIECE = 1 << 20, WRITE_AT = 1 << 20 };
static const char delimiters[] = {',', ';', '\t', '|'};

/* The delimiter and a value, quoted when it must be. */
typedef struct cell {
    const char *bytes;
    size_t length;
} cell;

typedef struct attachment {
    const bt_synth_job *job;
    const char *table;
    int input;
    /* unread text: text[at..length), more to come unless `whole` */
    char *text;
    size_t at, length, capacity;
    bool whole;
    char delimiter;
    size_t columns;
    bt_span *fields;
    cell *cells; /* per value */
    size_t cell_count;
    bt_stream stream;
    int64_t rows;
    bt_buffer out;
} attachment;

static const char *shown_name(const char *table)
{
    return strcmp(table, "-") == 0 ? "standard input" : table;
}

/* ---- reading ---- */

static bauta_status open_table(attachment *job, bauta_error *error)
{
    struct stat table, out;
    job->table = job->job->values[TABLE].text;
    job->input =
        strcmp(job->table, "-") == 0 ? STDIN_FILENO : open(job->table, O_RDONLY | O_CLOEXEC);
    if (job->input < 0) return bt_fail_errno(error, "cannot open", job->table);
    if (stat(job->job->out, &out) == 0 && fstat(job->input, &table) == 0 && S_ISREG(out.st_mode) &&
        out.st_dev == table.st_dev && out.st_ino == table.st_ino)
        return bt_fail(error, BAUTA_USAGE, "'attach' cannot write over the table that it reads");
    return BAUTA_OK;
}

/* Moves what is unread to the front and reads on, at least doubling when nothing was read. */
static bauta_status read_more(attachment *job, bauta_error *error)
{
    size_t unread = job->length - job->at, need;
    if (unread) memmove(job->text, job->text + job->at, unread);
    job->at = 0;
    job->length = unread;
    if (!bt_size_add(unread, PIECE + BT_CSV_PADDING, &need)) return bt_fail_memory(error);
    BT_TRY(bt_array_grow(&job->text, &job->capacity, need, 1, error));
    while (job->length < job->capacity - BT_CSV_PADDING) {
        ssize_t got =
            read(job->input, job->text + job->length, job->capacity - BT_CSV_PADDING - job->length);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", shown_name(job->table));
        if (got == 0) {
            job->whole = true;
            break;
        }
        job->length += (size_t)got;
    }
    memset(job->text + job->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

static bauta_status fail_record(const attachment *job, bt_csv_fault fault, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", bt_csv_fault_text(fault));
    bt_error_place(error, shown_name(job->table), job->rows + 1, NULL);
    return status;
}

/* ---- the header ---- */

/* The byte of the four that occurs most often outside quotes in the first line; comma wins a
 * tie. */
static char sniff(const char *text, size_t length)
{
    size_t counts[sizeof delimiters] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < length && (quoted || text[i] != '\n'); i++) {
        quoted ^= text[i] == '"';
        for (size_t d = 0; d < sizeof delimiters && !quoted; d++)
            counts[d] += text[i] == delimiters[d];
    }
    for (size_t d = 1; d < sizeof delimiters; d++)
        if (counts[d] > counts[best]) best = d;
    return delimiters[best];
}

static bool must_quote(const char *text)
{
    size_t length = strlen(text);
    if (strpbrk(text, ",;\t|\"\r\n")) return true;
    return length > 0 && (text[0] == ' ' || text[length - 1] == ' ');
}

static bauta_status make_cell(const attachment *job, const char *text, cell *out,
                              bauta_error *error)
{
    char *bytes = bt_arena_alloc(job->job->arena, 2 * strlen(text) + 3), *end = bytes;
    if (!bytes) return bt_fail_memory(error);
    bool quote = must_quote(text);
    *end++ = job->delimiter;
    if (quote) *end++ = '"';
    for (const char *p = text; *p; p++) {
        if (*p == '"') *end++ = '"';
        *end++ = *p;
    }
    if (quote) *end++ = '"';
    *out = (cell){bytes, (size_t)(end - bytes)};
    return BAUTA_OK;
}

/* Copies the record text[from..to) with `added` before its line end. */
static bauta_status put_record(attachment *job, size_t from, size_t to, const cell *added,
                               bauta_error *error)
{
    size_t body = to;
    if (body > from && job->text[body - 1] == '\n') body--;
    if (body < to && body > from && job->text[body - 1] == '\r') body--;
    BT_TRY(bt_buffer_add(&job->out, job->text + from, body - from, error));
    BT_TRY(bt_buffer_add(&job->out, added->bytes, added->length, error));
    return bt_buffer_add(&job->out, job->text + body, to - body, error);
}

static bauta_status check_name(const attachment *job, const char *name, bauta_error *error)
{
    bt_buffer scratch = {0};
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < job->columns && status == BAUTA_OK; i++) {
        bt_span span = job->fields[i];
        status = bt_span_text(&span, &scratch, error);
        if (status == BAUTA_OK && span.length == strlen(name) &&
            memcmp(span.bytes, name, span.length) == 0) {
            status = bt_fail(error, BAUTA_USAGE, "the table has a column '%s' already", name);
            bt_error_place(error, shown_name(job->table), 0, name);
        }
    }
    bt_buffer_release(&scratch);
    return status;
}

/* Scans the header as soon as it is there whole. */
static bauta_status scan_header(attachment *job, bt_csv *csv, bauta_error *error)
{
    for (;;) {
        int64_t choice = job->job->values[DELIMITER].integer;
        size_t left = job->length - job->at;
        job->delimiter = choice > 0 ? delimiters[choice - 1] : sniff(job->text + job->at, left);
        bt_csv_open(csv, job->text + job->at, left, job->delimiter, 1);
        job->columns = bt_csv_any(csv, NULL, 0);
        bool ended = csv->fault == BT_CSV_FINE && job->columns > 0 && csv->at[-1] == '\n';
        if (job->whole || ended) break;
        BT_TRY(read_more(job, error));
    }
    job->rows = -1; /* a fault is in the header */
    if (csv->fault != BT_CSV_FINE) return fail_record(job, csv->fault, error);
    job->rows = 0;
    if (job->columns > 0) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the table is empty");
    bt_error_place(error, shown_name(job->table), -1, NULL);
    return status;
}

static bauta_status read_header(attachment *job, bauta_error *error)
{
    bt_csv csv;
    const char *name = job->job->values[COLUMN].text;
    BT_TRY(read_more(job, error));
    if (job->length >= 3 && memcmp(job->text, "\xEF\xBB\xBF", 3) == 0) {
        BT_TRY(bt_buffer_add(&job->out, job->text, 3, error));
        job->at = 3;
    }
    BT_TRY(scan_header(job, &csv, error));
    job->fields = bt_arena_array(job->job->arena, job->columns, sizeof *job->fields);
    if (!job->fields) return bt_fail_memory(error);
    size_t end = (size_t)(csv.at - job->text);
    bt_csv_open(&csv, job->text + job->at, end - job->at, job->delimiter, job->columns);
    bt_csv_any(&csv, job->fields, job->columns);
    BT_TRY(check_name(job, name, error));
    cell added;
    BT_TRY(make_cell(job, name, &added, error));
    BT_TRY(put_record(job, job->at, end, &added, error));
    job->at = end;
    return BAUTA_OK;
}

/* ---- the records ---- */

/* Whether what stopped the scanner may only be the end of the piece. */
static bool cut_short(const attachment *job, const bt_csv *csv, bool found)
{
    if (job->whole) return false;
    if (found) return csv->at[-1] != '\n';
    return csv->fault == BT_CSV_UNCLOSED ||
           (csv->fault == BT_CSV_FEW && csv->fault_byte == csv->end);
}

/* All records that are there whole; job->at is then the first that is not. */
static bauta_status attach_piece(attachment *job, bauta_error *error)
{
    bt_csv csv;
    bt_csv_open(&csv, job->text + job->at, job->length - job->at, job->delimiter, job->columns);
    for (;;) {
        bool found = bt_csv_next(&csv, job->fields);
        if (cut_short(job, &csv, found)) return BAUTA_OK;
        size_t end = (size_t)(csv.at - job->text);
        if (!found && csv.fault != BT_CSV_FINE) return fail_record(job, csv.fault, error);
        if (!found) { /* blank lines may be left */
            BT_TRY(bt_buffer_add(&job->out, job->text + job->at, end - job->at, error));
            job->at = end;
            return BAUTA_OK;
        }
        const cell *added = &job->cells[bt_stream_below(&job->stream, job->cell_count)];
        BT_TRY(put_record(job, job->at, end, added, error));
        job->at = end;
        job->rows++;
        if (job->out.length < WRITE_AT) continue;
        BT_TRY(bt_sink_write(job->job->sink, job->out.bytes, job->out.length, error));
        job->out.length = 0;
    }
}

static bauta_status make_cells(attachment *job, bauta_error *error)
{
    char **texts;
    BT_TRY(bt_text_split(job->job->arena, job->job->values[VALUES].text, ',', &texts,
                         &job->cell_count, error));
    if (job->cell_count == 0)
        return bt_fail(error, BAUTA_USAGE, "'values' of 'attach' must hold at least one value");
    job->cells = bt_arena_array(job->job->arena, job->cell_count, sizeof *job->cells);
    if (!job->cells) return bt_fail_memory(error);
    for (size_t i = 0; i < job->cell_count; i++)
        BT_TRY(make_cell(job, texts[i], &job->cells[i], error));
    return BAUTA_OK;
}

static bauta_status attach_all(attachment *job, bauta_error *error)
{
    BT_TRY(open_table(job, error));
    BT_TRY(read_header(job, error));
    BT_TRY(make_cells(job, error));
    for (;;) {
        BT_TRY(attach_piece(job, error));
        if (job->whole) break;
        BT_TRY(read_more(job, error));
    }
    return bt_sink_write(job->job->sink, job->out.bytes, job->out.length, error);
}

static bauta_status make(const bt_synth_job *job, bauta_error *error)
{
    attachment work = {.job = job, .input = -1};
    bt_stream_init(&work.stream, &job->seed, "attach", 0);
    bauta_status status = attach_all(&work, error);
    if (work.input > STDIN_FILENO) close(work.input);
    bt_buffer_release(&work.out);
    free(work.text);
    return status;
}

const bt_synth_kind bt_synth_attach = {
    .name = "attach",
    .summary = "a table of yours with a random column added",
    .paper = "Enhanced P-Sensitive K-Anonymity Models for Privacy Preserving Data Publishing",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
