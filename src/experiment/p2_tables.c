/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of experiment P2: age and loss, from Adult or made up, with two more columns that
 * divide the records by age into 2 and into 10 groups of about the same size.
 */
#include "base/csv.h"
#include "base/random.h"
#include "base/text.h"
#include "experiment/adult.h"
#include "experiment/p2.h"

#include <string.h>

typedef struct record {
    int64_t age, loss;
} record;

typedef struct records {
    record *items;
    size_t count, capacity;
} records;

/* ---- reading ---- */

static bool read_number(bt_span field, int64_t *out)
{
    char digits[24];
    if (field.length == 0 || field.length >= sizeof digits) return false;
    memcpy(digits, field.bytes, field.length);
    digits[field.length] = '\0';
    return bt_text_integer(digits, out);
}

/* Adds the records of a file with the columns age and loss, those without a loss left out. */
static bauta_status read_records(const char *file, records *out, bauta_error *error)
{
    bt_buffer text = {0};
    bt_csv csv;
    bt_span fields[2];
    int64_t row = 0;
    bauta_status status = bt_file_read(file, &text, error);
    if (status != BAUTA_OK) goto out;
    bt_csv_open(&csv, text.bytes, text.length, ',', 2);
    bool more = bt_csv_next(&csv, fields); /* the header */
    while (more && status == BAUTA_OK && bt_csv_next(&csv, fields)) {
        record here;
        row++;
        if (!read_number(fields[0], &here.age) || !read_number(fields[1], &here.loss) ||
            here.age < 0 || here.age >= BT_P2_AGES)
            status =
                bt_fail(error, BAUTA_INVALID, "an age or a loss is not a number that P2 takes");
        if (status != BAUTA_OK || here.loss == 0) continue;
        status =
            bt_array_grow(&out->items, &out->capacity, out->count + 1, sizeof *out->items, error);
        if (status == BAUTA_OK) out->items[out->count++] = here;
    }
out:
    bt_buffer_release(&text);
    return status;
}

/* ---- writing ---- */

static int by_loss(const void *left, const void *right)
{
    int64_t a = ((const record *)left)->loss, b = ((const record *)right)->loss;
    return (a > b) - (a < b);
}

/* The values and their counts, as a target takes them. Sorts the records. */
static bauta_status write_target(const char *file, records *from, bauta_error *error)
{
    bt_buffer out = {0};
    bauta_status status = BAUTA_OK;
    qsort(from->items, from->count, sizeof *from->items, by_loss);
    for (size_t i = 0, next; i < from->count && status == BAUTA_OK; i = next) {
        for (next = i; next < from->count && from->items[next].loss == from->items[i].loss;)
            next++;
        status =
            bt_buffer_print(&out, error, "%lld,%zu\n", (long long)from->items[i].loss, next - i);
    }
    if (status == BAUTA_OK) status = bt_file_write(file, out.bytes, out.length, error);
    bt_buffer_release(&out);
    return status;
}

static void add_up(const records *from, bt_p2_totals *out)
{
    *out = (bt_p2_totals){.rows = (int64_t)from->count, .low = BT_P2_AGES};
    for (size_t i = 0; i < from->count; i++) {
        const record *here = &from->items[i];
        out->count[here->age]++;
        out->sum[here->age] += (double)here->loss;
        if (here->age < out->low) out->low = (int)here->age;
        if (here->age > out->high) out->high = (int)here->age;
        out->distinct += i == 0 || here->loss != from->items[i - 1].loss;
    }
}

/* Which of `parts` groups of about the same size an age is in. */
static int64_t part_of(const bt_p2_totals *totals, int64_t age, int64_t parts)
{
    int64_t before = 0;
    for (int64_t i = 0; i < age; i++)
        before += totals->count[i];
    return before * parts / totals->rows;
}

static bauta_status write_table(const char *file, const records *from, const bt_p2_totals *totals,
                                bauta_error *error)
{
    int64_t half[BT_P2_AGES], tenth[BT_P2_AGES];
    bt_buffer out = {0};
    for (int64_t age = 0; age < BT_P2_AGES; age++) {
        half[age] = part_of(totals, age, 2);
        tenth[age] = part_of(totals, age, 10);
    }
    bauta_status status = bt_buffer_print(&out, error, "age,half,tenth,loss\n");
    for (size_t i = 0; i < from->count && status == BAUTA_OK; i++) {
        const record *here = &from->items[i];
        status = bt_buffer_print(&out, error, "%lld,%lld,%lld,%lld\n", (long long)here->age,
                                 (long long)half[here->age], (long long)tenth[here->age],
                                 (long long)here->loss);
    }
    if (status == BAUTA_OK) status = bt_file_write(file, out.bytes, out.length, error);
    bt_buffer_release(&out);
    return status;
}

/* ---- making ---- */

static bauta_status synthesize(const bt_experiment_job *job, bt_p2_table table, int64_t rows,
                               const char *seed, bauta_error *error)
{
    const char *file = bt_file_in(job, "made.csv");
    const char *count = bt_arena_print(job->arena, "rows=%lld", (long long)rows);
    const char *key = bt_arena_print(job->arena, "seed=%s", seed);
    const char *low = bt_arena_print(job->arena, "low=%d", BT_P2_LOW);
    const char *high = bt_arena_print(job->arena, "high=%d", BT_P2_HIGH);
    if (!file || !count || !key || !low || !high) return bt_fail_memory(error);
    const char *arguments[8] = {count, key, low, high};
    size_t used = 4;
    const char *kind = "normal";
    if (table == BT_P2_CORRELATED) kind = "correlated";
    if (table == BT_P2_ZIPF) kind = "zipf";
    if (table == BT_P2_ZIPF_CORRELATED) {
        kind = "correlated";
        arguments[used++] = "loss=zipf";
    }
    if (table == BT_P2_UNIFORM) {
        kind = "uniform";
        arguments[used++] = "columns=1";
        arguments[used++] = "names=loss";
        arguments[used++] = "digits=0";
        arguments[used++] = "age=yes";
    }
    return bauta_synth(kind, arguments, used, file, error);
}

/* Leaves out a tenth of the records at random. */
static bauta_status cut(records *all, const char *seed, bauta_error *error)
{
    bt_seed key;
    bt_stream stream;
    size_t kept = 0, left = all->count - all->count / 10;
    if (!bt_seed_parse(seed, &key)) return bt_fail(error, BAUTA_USAGE, "the seed is too long");
    bt_stream_init(&stream, &key, "cut", 0);
    for (size_t i = 0; i < all->count; i++)
        if (bt_stream_below(&stream, all->count - i) < left) {
            all->items[kept++] = all->items[i];
            left--;
        }
    all->count = kept;
    return BAUTA_OK;
}

bauta_status bt_p2_table_make(const bt_experiment_job *job, bt_p2_table table, int64_t rows,
                              const char *seed, bt_p2_totals *out, bauta_error *error)
{
    records all = {0};
    bool real = table == BT_P2_REAL || table == BT_P2_REAL_CUT;
    const char *from = bt_file_in(job, real ? "clean.csv" : "made.csv");
    const char *to = bt_file_in(job, "table.csv"), *target = bt_file_in(job, "original.csv");
    bauta_status status = from && to && target ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && !real) status = synthesize(job, table, rows, seed, error);
    if (status == BAUTA_OK) status = read_records(from, &all, error);
    if (status == BAUTA_OK && all.count == 0)
        status = bt_fail(error, BAUTA_INVALID, "no record has a loss");
    if (status == BAUTA_OK) status = write_target(target, &all, error);
    if (status == BAUTA_OK && (table == BT_P2_REAL_CUT || table == BT_P2_NORMAL_CUT))
        status = cut(&all, seed, error);
    if (status == BAUTA_OK) {
        add_up(&all, out);
        status = write_table(to, &all, out, error);
    }
    free(all.items);
    return status;
}

bauta_status bt_p2_prepare(const bt_experiment_job *job, bt_p2_found *found, bauta_error *error)
{
    static const char *const columns[] = {"age", "capital-loss"};
    bt_adult adult = {.experiment = "P2", .columns = columns, .count = 2, .most = BT_P2_TRAINING};
    BT_TRY(bt_adult_clean(job, &adult, error));
    found->dropped = adult.dropped;
    bauta_status status = bt_p2_table_make(job, BT_P2_REAL, 0, "0", &found->real, error);
    if (status == BAUTA_INVALID)
        bt_error_place(error, job->values[BT_EXPERIMENT_DATA].text, -1, "capital-loss");
    return status;
}
