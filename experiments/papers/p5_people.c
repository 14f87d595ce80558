/* SPDX-License-Identifier: Apache-2.0
 *
 * The people of experiment P5: made up, or random records of a table. The microdata are the first
 * of them, a public table of ratio r the first r times as many, so that it contains the microdata,
 * as in the paper. Records of a table are shuffled; those that are made up are independent anyway.
 */
#include "papers/p5.h"

#include <string.h>

static const char people_file[] = "people.csv";

/* ---- made up ---- */

static const char *const made_up[EX_P5_MOST_COLUMNS] = {"age",       "income", "family",
                                                        "education", "rent",   "sex"};

static bauta_status make_up(const ex_experiment_job *job, const ex_p5_found *found,
                            const char *seed, bauta_error *error)
{
    char rows[64], key[128], threads[64];
    const char *file = ex_file_in(job, people_file);
    if (!file) return ex_fail_memory(error);
    long long records = (long long)found->microdata, most = (long long)found->most;
    snprintf(rows, sizeof rows, "rows=%lld", records * most);
    snprintf(key, sizeof key, "seed=%s", seed);
    snprintf(threads, sizeof threads, "threads=%s", job->values[EX_EXPERIMENT_THREADS].text);
    const char *const arguments[] = {
        rows, key, threads, "id=yes", "names=age,income,family,education,rent,sex", "columns=6"};
    return ex_synth(found->uniform ? "uniform" : "ipums", arguments, found->uniform ? 6 : 4, file,
                    error);
}

/* ---- from a table ---- */

typedef struct records { /* of a CSV file */
    ex_buffer text;      /* their quasi columns, a line each */
    ex_buffer starts;    /* where they begin in it: numbers of type size_t */
} records;

static bauta_status find_places(const ex_csv *csv, const ex_p5_found *found, size_t *places,
                                bauta_error *error)
{
    for (size_t i = 0; i < found->columns; i++) {
        places[i] = ex_csv_column(csv, found->names[i]);
        if (places[i] < csv->columns) continue;
        bauta_status status = ex_fail(error, BAUTA_INVALID, "the table has no such column");
        ex_error_place(error, csv->name, 0, found->names[i]);
        return status;
    }
    return BAUTA_OK;
}

static bauta_status read_records(ex_csv *csv, const ex_p5_found *found, records *out,
                                 bauta_error *error)
{
    size_t places[EX_P5_MOST_COLUMNS];
    EX_TRY(find_places(csv, found, places, error));
    for (bool more = true;;) {
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) break;
        ex_add(&out->starts, &out->text.length, sizeof out->text.length);
        for (size_t i = 0; i < found->columns; i++) {
            ex_add(&out->text, ",", 1);
            ex_csv_put(&out->text, csv->fields[places[i]], ",");
        }
        ex_add(&out->text, "\n", 2); /* with the zero byte */
    }
    EX_TRY(ex_buffer_check(&out->text, error));
    return ex_buffer_check(&out->starts, error);
}

/* The first `wanted` of a random order of `count`, each with its number. */
static bauta_status pick(const ex_p5_found *found, const records *from, size_t count, size_t wanted,
                         const char *seed, ex_buffer *out, bauta_error *error)
{
    ex_seed key;
    ex_stream stream;
    size_t *starts = (size_t *)(void *)from->starts.bytes;
    if (!ex_seed_parse(seed, &key)) return ex_fail(error, BAUTA_USAGE, "the seed is too long");
    ex_stream_init(&stream, &key, "people", 0);
    ex_print(out, "id");
    for (size_t i = 0; i < found->columns; i++)
        ex_print(out, ",%s", found->names[i]);
    ex_print(out, "\n");
    for (size_t i = 0; i < wanted; i++) {
        size_t other = i + (size_t)ex_stream_below(&stream, count - i), start = starts[other];
        starts[other] = starts[i];
        starts[i] = start;
        ex_print(out, "%zu%s", i + 1, from->text.bytes + start);
    }
    return BAUTA_OK;
}

static bauta_status too_few(const ex_experiment_job *job, size_t rows, size_t wanted,
                            bauta_error *error)
{
    bauta_status status =
        ex_fail(error, BAUTA_INVALID, "the table has %zu records, P5 needs %zu", rows, wanted);
    ex_error_place(error, job->values[EX_EXPERIMENT_DATA].text, -1, NULL);
    ex_error_hint(error, "ask for fewer microdata, or for a smaller ratio (--microdata, --most)");
    return status;
}

static bauta_status draw_records(const ex_experiment_job *job, const ex_p5_found *found,
                                 const char *seed, bauta_error *error)
{
    records from = {0};
    ex_csv csv;
    ex_buffer out = {0};
    size_t wanted = (size_t)(found->microdata * found->most);
    bauta_status status = ex_csv_open(&csv, job->values[EX_EXPERIMENT_DATA].text, ',', error);
    if (status == BAUTA_OK) status = read_records(&csv, found, &from, error);
    size_t count = from.starts.length / sizeof(size_t);
    if (status == BAUTA_OK && count < wanted) status = too_few(job, count, wanted, error);
    if (status == BAUTA_OK) status = pick(found, &from, count, wanted, seed, &out, error);
    if (status == BAUTA_OK) status = ex_file_put(ex_file_in(job, people_file), &out, error);
    ex_csv_close(&csv);
    ex_buffer_release(&from.text);
    ex_buffer_release(&from.starts);
    ex_buffer_release(&out);
    return status;
}

/* ---- both ---- */

static bool is_made_up(const ex_experiment_job *job)
{
    const char *data = job->values[EX_EXPERIMENT_DATA].text;
    return strcmp(data, "ipums") == 0 || strcmp(data, "uniform") == 0;
}

bauta_status ex_p5_prepare(const ex_experiment_job *job, const char *quasi, ex_p5_found *found,
                           bauta_error *error)
{
    char **names;
    size_t count;
    found->uniform = strcmp(job->values[EX_EXPERIMENT_DATA].text, "uniform") == 0;
    if (is_made_up(job)) {
        if (*quasi)
            return ex_fail(error, BAUTA_USAGE, "'quasi' of 'P5' goes with a table of your own");
        memcpy(found->names, made_up, sizeof made_up);
        found->columns = EX_P5_MOST_COLUMNS;
        return BAUTA_OK;
    }
    EX_TRY(ex_split(job->arena, quasi, ',', &names, &count, error));
    if (count < 2 || count > EX_P5_MOST_COLUMNS)
        return ex_fail(error, BAUTA_USAGE, "'quasi' of 'P5' must name 2 to %d columns of the table",
                       EX_P5_MOST_COLUMNS);
    for (size_t i = 0; i < count; i++)
        found->names[i] = names[i];
    found->columns = count;
    return BAUTA_OK;
}

bauta_status ex_p5_draw(const ex_experiment_job *job, const ex_p5_found *found, const char *seed,
                        bauta_error *error)
{
    return is_made_up(job) ? make_up(job, found, seed, error)
                           : draw_records(job, found, seed, error);
}

bauta_status ex_p5_take(const ex_experiment_job *job, int64_t rows, const char *name,
                        bauta_error *error)
{
    ex_csv csv;
    ex_buffer text = {0};
    bauta_status status = ex_csv_open(&csv, ex_file_in(job, people_file), ',', error);
    for (bool more = true; status == BAUTA_OK; rows--) {
        ex_add(&text, csv.text, csv.length); /* the header first */
        if (rows == 0) break;
        status = ex_csv_next(&csv, &more, error);
        if (status == BAUTA_OK && !more)
            status = ex_fail(error, BAUTA_INTERNAL, "there are too few people");
    }
    if (status == BAUTA_OK) status = ex_file_put(ex_file_in(job, name), &text, error);
    ex_csv_close(&csv);
    ex_buffer_release(&text);
    return status;
}
