/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the Adult table and leaving out records with unknown values.
 */
#include "experiment/adult.h"

#include "base/csv.h"

#include <string.h>

typedef struct cleaning {
    const char *file;
    bt_adult *adult;
    bt_csv csv;
    size_t columns; /* of the file */
    size_t *places; /* where ours are */
    bt_span *fields;
    bt_buffer scratch, out;
    int64_t row;
} cleaning;

static bauta_status fail_at(const cleaning *job, int64_t row, const char *column, const char *what,
                            bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, job->file, row, column);
    return status;
}

static bool is_text(const bt_span *span, const char *text)
{
    return span->length == strlen(text) && memcmp(span->bytes, text, span->length) == 0;
}

static bauta_status no_column(const cleaning *job, const char *column, bauta_error *error)
{
    bt_buffer names = {0};
    const bt_adult *adult = job->adult;
    bauta_status status = fail_at(job, 0, column, "the table has no such column", error), added;
    for (size_t i = 0; i < adult->count; i++) {
        const char *before = i == 0 ? "" : i + 1 < adult->count ? ", " : " and ";
        added = bt_buffer_print(&names, error, "%s%s", before, adult->columns[i]);
        if (added != BAUTA_OK) status = added;
    }
    if (status == BAUTA_INVALID)
        bt_error_hint(error, "%s needs the Adult table with a header that names %s",
                      adult->experiment, names.bytes);
    bt_buffer_release(&names);
    return status;
}

static bauta_status read_header(cleaning *job, bt_arena *arena, bauta_error *error)
{
    bt_csv header = job->csv;
    job->columns = bt_csv_any(&header, NULL, 0);
    if (header.fault != BT_CSV_FINE)
        return fail_at(job, 0, NULL, bt_csv_fault_text(header.fault), error);
    job->fields = bt_arena_array(arena, job->columns, sizeof *job->fields);
    job->places = bt_arena_array(arena, job->adult->count, sizeof *job->places);
    if (!job->fields || !job->places) return bt_fail_memory(error);
    bt_csv_any(&job->csv, job->fields, job->columns);
    for (size_t i = 0; i < job->adult->count; i++) {
        size_t place = 0;
        while (place < job->columns && !is_text(&job->fields[place], job->adult->columns[i]))
            place++;
        job->places[i] = place;
        if (place < job->columns) continue;
        return no_column(job, job->adult->columns[i], error);
    }
    return BAUTA_OK;
}

static bauta_status put_row(cleaning *job, bauta_error *error)
{
    for (size_t i = 0; i < job->adult->count; i++) {
        bt_span field = job->fields[job->places[i]];
        job->scratch.length = 0;
        BT_TRY(bt_span_text(&field, &job->scratch, error));
        if (i > 0) BT_TRY(bt_buffer_add(&job->out, ",", 1, error));
        BT_TRY(bt_csv_put(&job->out, field.bytes, field.length, error));
    }
    return bt_buffer_add(&job->out, "\n", 1, error);
}

/* "We eliminated the records with unknown values": in any column of the table. */
static bool has_unknown(const cleaning *job)
{
    for (size_t i = 0; i < job->columns; i++)
        if (is_text(&job->fields[i], "?") || job->fields[i].length == 0) return true;
    return false;
}

static bauta_status clean_rows(cleaning *job, bt_arena *arena, bauta_error *error)
{
    BT_TRY(read_header(job, arena, error));
    BT_TRY(put_row(job, error)); /* the header */
    bt_csv rows;
    bt_csv_open(&rows, job->csv.at, (size_t)(job->csv.end - job->csv.at), ',', job->columns);
    int64_t most = job->adult->most > 0 ? job->adult->most : INT64_MAX;
    while (job->row < most && bt_csv_next(&rows, job->fields)) {
        job->row++;
        if (has_unknown(job)) {
            job->adult->dropped++;
            continue;
        }
        BT_TRY(put_row(job, error));
        job->adult->rows++;
    }
    if (rows.fault != BT_CSV_FINE)
        return fail_at(job, job->row + 1, NULL, bt_csv_fault_text(rows.fault), error);
    if (job->adult->rows == 0) return fail_at(job, -1, NULL, "the table has no records", error);
    return BAUTA_OK;
}

bauta_status bt_adult_clean(const bt_experiment_job *job, bt_adult *adult, bauta_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    cleaning work = {.file = job->values[BT_EXPERIMENT_DATA].text, .adult = adult};
    bt_buffer text = {0};
    const char *file = bt_file_in(job, "clean.csv");
    bauta_status status = file ? bt_file_read(work.file, &text, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        size_t skip = text.length >= 3 && memcmp(text.bytes, mark, 3) == 0 ? 3 : 0;
        bt_csv_open(&work.csv, text.bytes + skip, text.length - skip, ',', 1);
        status = clean_rows(&work, job->arena, error);
    }
    if (status == BAUTA_OK) status = bt_file_write(file, work.out.bytes, work.out.length, error);
    bt_buffer_release(&text);
    bt_buffer_release(&work.scratch);
    bt_buffer_release(&work.out);
    return status;
}

json_t *bt_put_adult_notes(const bt_experiment_job *job, int64_t rows, int64_t dropped,
                           int64_t paper)
{
    bt_facts *facts = job->facts;
    char text[128];
    bt_put_int(facts, facts->root, "rows", rows);
    bt_put_int(facts, facts->root, "dropped", dropped);
    json_t *notes = bt_put_array(facts, facts->root, "notes");
    snprintf(text, sizeof text,
             "%lld records are used; %lld with unknown values are left out (paper: %lld used).",
             (long long)rows, (long long)dropped, (long long)paper);
    bt_put_text(facts, notes, NULL, text);
    return notes;
}
