/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the Adult table and leaving out records with unknown values.
 */
#include "papers/adult.h"

#include <string.h>

static bauta_status no_column(const ex_csv *csv, const ex_adult *adult, const char *column,
                              bauta_error *error)
{
    ex_buffer names = {0};
    for (size_t i = 0; i < adult->count; i++) {
        const char *before = i == 0 ? "" : i + 1 < adult->count ? ", " : " and ";
        ex_print(&names, "%s%s", before, adult->columns[i]);
    }
    bauta_status status = ex_buffer_check(&names, error);
    if (status == BAUTA_OK) {
        status = ex_fail(error, BAUTA_INVALID, "the table has no such column");
        ex_error_place(error, csv->name, 0, column);
        ex_error_hint(error, "%s needs the Adult table with a header that names %s",
                      adult->experiment, names.bytes);
    }
    ex_buffer_release(&names);
    return status;
}

static void put_row(const ex_csv *csv, const ex_adult *adult, const size_t *places, ex_buffer *out)
{
    for (size_t i = 0; i < adult->count; i++) {
        if (i > 0) ex_add(out, ",", 1);
        ex_csv_put(out, csv->fields[places[i]], ",");
    }
    ex_add(out, "\n", 1);
}

/* "We eliminated the records with unknown values": in any column of the table. */
static bool has_unknown(const ex_csv *csv)
{
    for (size_t i = 0; i < csv->columns; i++)
        if (strcmp(csv->fields[i], "?") == 0 || *csv->fields[i] == '\0') return true;
    return false;
}

static bauta_status clean(ex_csv *csv, ex_adult *adult, ex_arena *arena, ex_buffer *out,
                          bauta_error *error)
{
    size_t *places = ex_arena_array(arena, adult->count, sizeof *places);
    if (!places) return ex_fail_memory(error);
    for (size_t i = 0; i < adult->count; i++) {
        places[i] = ex_csv_column(csv, adult->columns[i]);
        if (places[i] == csv->columns) return no_column(csv, adult, adult->columns[i], error);
    }
    put_row(csv, adult, places, out); /* the header */
    for (bool more = true; adult->most == 0 || csv->row < adult->most;) {
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) break;
        if (has_unknown(csv)) {
            adult->dropped++;
            continue;
        }
        put_row(csv, adult, places, out);
        adult->rows++;
    }
    if (adult->rows > 0) return BAUTA_OK;
    bauta_status status = ex_fail(error, BAUTA_INVALID, "the table has no records");
    ex_error_place(error, csv->name, -1, NULL);
    return status;
}

bauta_status ex_adult_clean(const ex_experiment_job *job, ex_adult *adult, bauta_error *error)
{
    ex_csv csv;
    ex_buffer out = {0};
    bauta_status status = ex_csv_open(&csv, job->values[EX_EXPERIMENT_DATA].text, ',', error);
    if (status == BAUTA_OK) status = clean(&csv, adult, job->arena, &out, error);
    if (status == BAUTA_OK) status = ex_file_put(ex_file_in(job, "clean.csv"), &out, error);
    ex_csv_close(&csv);
    ex_buffer_release(&out);
    return status;
}

json_t *ex_put_adult_notes(const ex_experiment_job *job, int64_t rows, int64_t dropped,
                           int64_t paper)
{
    ex_facts *facts = job->facts;
    char text[128];
    ex_put_int(facts, facts->root, "rows", rows);
    ex_put_int(facts, facts->root, "dropped", dropped);
    json_t *notes = ex_put_array(facts, facts->root, "notes");
    snprintf(text, sizeof text,
             "%lld records are used; %lld with unknown values are left out (paper: %lld used).",
             (long long)rows, (long long)dropped, (long long)paper);
    ex_put_text(facts, notes, NULL, text);
    return notes;
}
