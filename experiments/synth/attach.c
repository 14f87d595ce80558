/* SPDX-License-Identifier: Apache-2.0
 *
 * Adds a column of random values to a CSV table, each value equally likely and independent of
 * all else, as the experiments of "Enhanced P-Sensitive K-Anonymity Models for Privacy
 * Preserving Data Publishing" do with health conditions. All other bytes of the table stay as
 * they are: quotes, line ends, blank lines, a byte-order mark.
 *
 * The table is read record by record; memory is the longest one.
 */
#include "synth/synth.h"

#include <sys/stat.h>

enum { TABLE = EX_SYNTH_THREADS + 1, COLUMN, VALUES, DELIMITER };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    {.name = "table", .type = EX_PARAM_TEXT, .help = "CSV file with a header; - is standard input"},
    {.name = "column", .type = EX_PARAM_TEXT, .help = "name of the new column"},
    {.name = "values",
     .type = EX_PARAM_TEXT,
     .help = "what it may hold, separated by commas; a backslash keeps a comma"},
    {.name = "delimiter",
     .type = EX_PARAM_CHOICE,
     .choices = "sniff|comma|semicolon|tab|pipe",
     .fallback = "sniff",
     .help = "what separates fields; sniff: what the header has most of"},
};

enum { WRITE_AT = 1 << 20 };

static bauta_status refuse_overwriting(const ex_csv *csv, const char *file, bauta_error *error)
{
    struct stat table, out;
    if (stat(file, &out) == 0 && fstat(fileno(csv->file), &table) == 0 && S_ISREG(out.st_mode) &&
        out.st_dev == table.st_dev && out.st_ino == table.st_ino)
        return ex_fail(error, BAUTA_USAGE, "'attach' cannot write over the table that it reads");
    return BAUTA_OK;
}

static bauta_status check_name(const ex_csv *csv, const char *name, bauta_error *error)
{
    if (ex_csv_column(csv, name) == csv->columns) return BAUTA_OK;
    bauta_status status = ex_fail(error, BAUTA_USAGE, "the table has a column '%s' already", name);
    ex_error_place(error, csv->name, 0, name);
    return status;
}

/* Copies the record with `text` behind the delimiter before its line end. */
static void put_record(const ex_csv *csv, const char *text, ex_buffer *out)
{
    size_t body = csv->length;
    if (body > 0 && csv->text[body - 1] == '\n') body--;
    if (body > 0 && body < csv->length && csv->text[body - 1] == '\r') body--;
    ex_add(out, csv->text, body);
    ex_add(out, &csv->delimiter, 1);
    ex_csv_put(out, text, ",;\t|"); /* as any of the delimiters would have it */
    ex_add(out, csv->text + body, csv->length - body);
}

static bauta_status write_out(const ex_synth_job *job, ex_buffer *out, bauta_error *error)
{
    EX_TRY(ex_buffer_check(out, error));
    EX_TRY(ex_sink_write(job->sink, out->bytes, out->length, error));
    out->length = 0;
    return BAUTA_OK;
}

static bauta_status attach(const ex_synth_job *job, ex_csv *csv, ex_buffer *out, bauta_error *error)
{
    static const char delimiters[] = {'\0', ',', ';', '\t', '|'};
    const ex_value *given = job->values;
    char **values;
    size_t count;
    ex_stream stream;
    EX_TRY(ex_csv_open(csv, given[TABLE].text, delimiters[given[DELIMITER].integer], error));
    EX_TRY(refuse_overwriting(csv, job->out, error));
    EX_TRY(check_name(csv, given[COLUMN].text, error));
    put_record(csv, given[COLUMN].text, out);
    EX_TRY(ex_split(job->arena, given[VALUES].text, ',', &values, &count, error));
    if (count == 0)
        return ex_fail(error, BAUTA_USAGE, "'values' of 'attach' must hold at least one value");
    ex_stream_init(&stream, &job->seed, "attach", 0);
    for (bool more = true;;) {
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) break;
        put_record(csv, values[ex_stream_below(&stream, count)], out);
        if (out->length >= WRITE_AT) EX_TRY(write_out(job, out, error));
    }
    ex_add(out, csv->text, csv->length); /* blank lines may be left */
    return write_out(job, out, error);
}

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    ex_csv csv = {0};
    ex_buffer out = {0};
    bauta_status status = attach(job, &csv, &out, error);
    ex_csv_close(&csv);
    ex_buffer_release(&out);
    return status;
}

const ex_entry ex_synth_attach = {
    .name = "attach",
    .summary = "a table of yours with a random column added",
    .paper = "Enhanced P-Sensitive K-Anonymity Models for Privacy Preserving Data Publishing",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
