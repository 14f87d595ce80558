/* SPDX-License-Identifier: Apache-2.0
 *
 * The people of experiment P5: made up, or random records of a table. The microdata are the first
 * of them, a public table of ratio r the first r times as many, so that it contains the microdata,
 * as in the paper. Records of a table are shuffled; those that are made up are independent anyway.
 */
#include "base/csv.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/p5.h"

#include <string.h>

static const char people_file[] = "people.csv";

/* ---- made up ---- */

static const char *const made_up[BT_P5_MOST_COLUMNS] = {"age",       "income", "family",
                                                        "education", "rent",   "sex"};

static bauta_status make_up(const bt_experiment_job *job, const bt_p5_found *found,
                            const char *seed, bauta_error *error)
{
    char rows[64], key[128], threads[64];
    const char *file = bt_file_in(job, people_file);
    if (!file) return bt_fail_memory(error);
    long long records = (long long)found->microdata, most = (long long)found->most;
    snprintf(rows, sizeof rows, "rows=%lld", records * most);
    snprintf(key, sizeof key, "seed=%s", seed);
    snprintf(threads, sizeof threads, "threads=%s", job->values[BT_EXPERIMENT_THREADS].text);
    const char *const arguments[] = {
        rows, key, threads, "id=yes", "names=age,income,family,education,rent,sex", "columns=6"};
    return bauta_synth(found->uniform ? "uniform" : "ipums", arguments, found->uniform ? 6 : 4,
                       file, error);
}

/* ---- from a table ---- */

typedef struct records { /* of a CSV file */
    bt_buffer text;
    size_t *starts; /* count + 1 */
    size_t count, capacity;
    size_t fields;
    size_t place[BT_P5_MOST_COLUMNS]; /* of the quasi columns */
} records;

static bool is_called(const bt_span *field, const char *name)
{
    return field->length == strlen(name) && memcmp(field->bytes, name, field->length) == 0;
}

/* Places of the wanted columns in a header. */
static bauta_status find_places(const bt_experiment_job *job, const bt_p5_found *found,
                                const bt_span *fields, records *out, bauta_error *error)
{
    for (size_t i = 0; i < found->columns; i++) {
        size_t at = 0;
        while (at < out->fields && !is_called(&fields[at], found->names[i]))
            at++;
        out->place[i] = at;
        if (at < out->fields) continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID, "the table has no such column");
        bt_error_place(error, job->values[BT_EXPERIMENT_DATA].text, 0, found->names[i]);
        return status;
    }
    return BAUTA_OK;
}

static size_t count_fields(const bt_buffer *text)
{
    size_t count = 1;
    const char *end = memchr(text->bytes, '\n', text->length);
    size_t length = end ? (size_t)(end - text->bytes) : text->length;
    for (size_t i = 0; i < length; i++)
        count += text->bytes[i] == ',';
    return count;
}

static bauta_status read_records(const bt_experiment_job *job, const bt_p5_found *found,
                                 records *out, bauta_error *error)
{
    bt_csv csv;
    BT_TRY(bt_file_read(job->values[BT_EXPERIMENT_DATA].text, &out->text, error));
    out->fields = count_fields(&out->text);
    bt_span *fields = bt_arena_array(job->arena, out->fields, sizeof *fields);
    if (!fields) return bt_fail_memory(error);
    bt_csv_open(&csv, out->text.bytes, out->text.length, ',', out->fields);
    if (!bt_csv_next(&csv, fields)) return bt_fail(error, BAUTA_INVALID, "the table is empty");
    BT_TRY(find_places(job, found, fields, out, error));
    for (const char *from = csv.at; bt_csv_next(&csv, fields); from = csv.at) {
        BT_TRY(bt_array_grow(&out->starts, &out->capacity, out->count + 1, sizeof *out->starts,
                             error));
        out->starts[out->count++] = (size_t)(from - out->text.bytes);
    }
    return BAUTA_OK;
}

static bauta_status write_record(const records *from, const bt_p5_found *found, size_t number,
                                 bt_span *fields, bt_buffer *text, bt_buffer *out,
                                 bauta_error *error)
{
    bt_csv csv;
    size_t start = from->starts[number];
    bt_csv_open(&csv, from->text.bytes + start, from->text.length - start, ',', from->fields);
    if (!bt_csv_next(&csv, fields))
        return bt_fail(error, BAUTA_INVALID, "the table cannot be read as CSV");
    BT_TRY(bt_buffer_print(out, error, "%zu", number + 1));
    for (size_t i = 0; i < found->columns; i++) {
        bt_span *field = &fields[from->place[i]];
        BT_TRY(bt_buffer_add(out, ",", 1, error));
        BT_TRY(bt_span_text(field, text, error));
        BT_TRY(bt_csv_put(out, field->bytes, field->length, error));
    }
    return bt_buffer_add(out, "\n", 1, error);
}

/* The first `wanted` of a random order, each with its number. */
static bauta_status pick(const bt_experiment_job *job, const bt_p5_found *found, records *from,
                         size_t wanted, const char *seed, bt_buffer *text, bt_buffer *out,
                         bauta_error *error)
{
    bt_seed key;
    bt_stream stream;
    bt_span *fields = bt_arena_array(job->arena, from->fields, sizeof *fields);
    if (!fields) return bt_fail_memory(error);
    if (!bt_seed_parse(seed, &key)) return bt_fail(error, BAUTA_USAGE, "the seed is too long");
    bt_stream_init(&stream, &key, "people", 0);
    BT_TRY(bt_buffer_print(out, error, "id"));
    for (size_t i = 0; i < found->columns; i++)
        BT_TRY(bt_buffer_print(out, error, ",%s", found->names[i]));
    BT_TRY(bt_buffer_add(out, "\n", 1, error));
    for (size_t i = 0; i < wanted; i++) {
        size_t other = i + (size_t)bt_stream_below(&stream, from->count - i);
        size_t start = from->starts[other];
        from->starts[other] = from->starts[i];
        from->starts[i] = start;
        BT_TRY(write_record(from, found, i, fields, text, out, error));
    }
    return BAUTA_OK;
}

static bauta_status too_few(const bt_experiment_job *job, size_t rows, size_t wanted,
                            bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the table has %zu records, P5 needs %zu", rows, wanted);
    bt_error_place(error, job->values[BT_EXPERIMENT_DATA].text, -1, NULL);
    bt_error_hint(error, "ask for fewer microdata, or for a smaller ratio (--microdata, --most)");
    return status;
}

static bauta_status draw_records(const bt_experiment_job *job, const bt_p5_found *found,
                                 const char *seed, bauta_error *error)
{
    records from = {0};
    bt_buffer out = {0}, text = {0};
    size_t wanted = (size_t)(found->microdata * found->most);
    const char *file = bt_file_in(job, people_file);
    bauta_status status = file ? read_records(job, found, &from, error) : bt_fail_memory(error);
    if (status == BAUTA_OK && from.count < wanted) status = too_few(job, from.count, wanted, error);
    if (status == BAUTA_OK) status = pick(job, found, &from, wanted, seed, &text, &out, error);
    if (status == BAUTA_OK) status = bt_file_write(file, out.bytes, out.length, error);
    bt_buffer_release(&from.text);
    free(from.starts);
    bt_buffer_release(&text);
    bt_buffer_release(&out);
    return status;
}

/* ---- both ---- */

static bool is_made_up(const bt_experiment_job *job)
{
    const char *data = job->values[BT_EXPERIMENT_DATA].text;
    return strcmp(data, "ipums") == 0 || strcmp(data, "uniform") == 0;
}

bauta_status bt_p5_prepare(const bt_experiment_job *job, const char *quasi, bt_p5_found *found,
                           bauta_error *error)
{
    char **names;
    size_t count;
    found->uniform = strcmp(job->values[BT_EXPERIMENT_DATA].text, "uniform") == 0;
    if (is_made_up(job)) {
        if (*quasi)
            return bt_fail(error, BAUTA_USAGE, "'quasi' of 'P5' goes with a table of your own");
        memcpy(found->names, made_up, sizeof made_up);
        found->columns = BT_P5_MOST_COLUMNS;
        return BAUTA_OK;
    }
    BT_TRY(bt_text_split(job->arena, quasi, ',', &names, &count, error));
    if (count < 2 || count > BT_P5_MOST_COLUMNS)
        return bt_fail(error, BAUTA_USAGE, "'quasi' of 'P5' must name 2 to %d columns of the table",
                       BT_P5_MOST_COLUMNS);
    for (size_t i = 0; i < count; i++)
        found->names[i] = names[i];
    found->columns = count;
    return BAUTA_OK;
}

bauta_status bt_p5_draw(const bt_experiment_job *job, const bt_p5_found *found, const char *seed,
                        bauta_error *error)
{
    return is_made_up(job) ? make_up(job, found, seed, error)
                           : draw_records(job, found, seed, error);
}

bauta_status bt_p5_take(const bt_experiment_job *job, int64_t rows, const char *name,
                        bauta_error *error)
{
    bt_buffer text = {0};
    const char *from = bt_file_in(job, people_file), *to = bt_file_in(job, name);
    bauta_status status = from && to ? bt_file_read(from, &text, error) : bt_fail_memory(error);
    size_t length = 0;
    for (int64_t line = 0; status == BAUTA_OK && line <= rows; line++) { /* the header too */
        const char *end = memchr(text.bytes + length, '\n', text.length - length);
        if (!end) status = bt_fail(error, BAUTA_INTERNAL, "there are too few people");
        if (end) length = (size_t)(end + 1 - text.bytes);
    }
    if (status == BAUTA_OK) status = bt_file_write(to, text.bytes, length, error);
    bt_buffer_release(&text);
    return status;
}
