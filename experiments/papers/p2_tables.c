/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of experiment P2: age and loss, from Adult or made up, with two more columns that
 * divide the records by age into 2 and into 10 groups of about the same size.
 */
#include "papers/adult.h"
#include "papers/p2.h"

#include <stdlib.h>

typedef struct record {
    int64_t age, loss;
} record;

typedef struct records {
    ex_buffer bytes;
    record *items; /* in it */
    size_t count;
} records;

/* ---- reading ---- */

/* The records of a file with the columns age and loss, those without a loss left out. */
static bauta_status read_records(ex_csv *csv, records *out, bauta_error *error)
{
    for (bool more = true;;) {
        record here;
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) break;
        if (!ex_integer(csv->fields[0], &here.age) || !ex_integer(csv->fields[1], &here.loss) ||
            here.age < 0 || here.age >= EX_P2_AGES)
            return ex_fail(error, BAUTA_INVALID, "an age or a loss is not a number that P2 takes");
        if (here.loss != 0) ex_add(&out->bytes, &here, sizeof here);
    }
    EX_TRY(ex_buffer_check(&out->bytes, error));
    out->items = (record *)(void *)out->bytes.bytes;
    out->count = out->bytes.length / sizeof *out->items;
    if (out->count == 0) return ex_fail(error, BAUTA_INVALID, "no record has a loss");
    return BAUTA_OK;
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
    ex_buffer out = {0};
    qsort(from->items, from->count, sizeof *from->items, by_loss);
    for (size_t i = 0, next; i < from->count; i = next) {
        for (next = i; next < from->count && from->items[next].loss == from->items[i].loss;)
            next++;
        ex_print(&out, "%lld,%zu\n", (long long)from->items[i].loss, next - i);
    }
    bauta_status status = ex_file_put(file, &out, error);
    ex_buffer_release(&out);
    return status;
}

static void add_up(const records *from, ex_p2_totals *out)
{
    *out = (ex_p2_totals){.rows = (int64_t)from->count, .low = EX_P2_AGES};
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
static int64_t part_of(const ex_p2_totals *totals, int64_t age, int64_t parts)
{
    int64_t before = 0;
    for (int64_t i = 0; i < age; i++)
        before += totals->count[i];
    return before * parts / totals->rows;
}

static bauta_status write_table(const char *file, const records *from, const ex_p2_totals *totals,
                                bauta_error *error)
{
    int64_t half[EX_P2_AGES], tenth[EX_P2_AGES];
    ex_buffer out = {0};
    for (int64_t age = 0; age < EX_P2_AGES; age++) {
        half[age] = part_of(totals, age, 2);
        tenth[age] = part_of(totals, age, 10);
    }
    ex_print(&out, "age,half,tenth,loss\n");
    for (size_t i = 0; i < from->count; i++) {
        const record *here = &from->items[i];
        ex_print(&out, "%lld,%lld,%lld,%lld\n", (long long)here->age, (long long)half[here->age],
                 (long long)tenth[here->age], (long long)here->loss);
    }
    bauta_status status = ex_file_put(file, &out, error);
    ex_buffer_release(&out);
    return status;
}

/* ---- making ---- */

static bauta_status synthesize(const ex_experiment_job *job, ex_p2_table table, int64_t rows,
                               const char *seed, bauta_error *error)
{
    const char *file = ex_file_in(job, "made.csv");
    const char *count = ex_arena_print(job->arena, "rows=%lld", (long long)rows);
    const char *key = ex_arena_print(job->arena, "seed=%s", seed);
    const char *low = ex_arena_print(job->arena, "low=%d", EX_P2_LOW);
    const char *high = ex_arena_print(job->arena, "high=%d", EX_P2_HIGH);
    if (!file || !count || !key || !low || !high) return ex_fail_memory(error);
    const char *arguments[8] = {count, key, low, high};
    size_t used = 4;
    const char *kind = "normal";
    if (table == EX_P2_CORRELATED) kind = "correlated";
    if (table == EX_P2_ZIPF) kind = "zipf";
    if (table == EX_P2_ZIPF_CORRELATED) {
        kind = "correlated";
        arguments[used++] = "loss=zipf";
    }
    if (table == EX_P2_UNIFORM) {
        kind = "uniform";
        arguments[used++] = "columns=1";
        arguments[used++] = "names=loss";
        arguments[used++] = "digits=0";
        arguments[used++] = "age=yes";
    }
    return ex_synth(kind, arguments, used, file, error);
}

/* Leaves out a tenth of the records at random. */
static bauta_status cut(records *all, const char *seed, bauta_error *error)
{
    ex_seed key;
    ex_stream stream;
    size_t kept = 0, left = all->count - all->count / 10;
    if (!ex_seed_parse(seed, &key)) return ex_fail(error, BAUTA_USAGE, "the seed is too long");
    ex_stream_init(&stream, &key, "cut", 0);
    for (size_t i = 0; i < all->count; i++)
        if (ex_stream_below(&stream, all->count - i) < left) {
            all->items[kept++] = all->items[i];
            left--;
        }
    all->count = kept;
    return BAUTA_OK;
}

bauta_status ex_p2_table_make(const ex_experiment_job *job, ex_p2_table table, int64_t rows,
                              const char *seed, ex_p2_totals *out, bauta_error *error)
{
    records all = {0};
    ex_csv csv = {0};
    bool real = table == EX_P2_REAL || table == EX_P2_REAL_CUT;
    if (!real) EX_TRY(synthesize(job, table, rows, seed, error));
    bauta_status status =
        ex_csv_open(&csv, ex_file_in(job, real ? "clean.csv" : "made.csv"), ',', error);
    if (status == BAUTA_OK) status = read_records(&csv, &all, error);
    if (status == BAUTA_OK) status = write_target(ex_file_in(job, "original.csv"), &all, error);
    if (status == BAUTA_OK && (table == EX_P2_REAL_CUT || table == EX_P2_NORMAL_CUT))
        status = cut(&all, seed, error);
    if (status == BAUTA_OK) {
        add_up(&all, out);
        status = write_table(ex_file_in(job, "table.csv"), &all, out, error);
    }
    ex_csv_close(&csv);
    ex_buffer_release(&all.bytes);
    return status;
}

bauta_status ex_p2_prepare(const ex_experiment_job *job, ex_p2_found *found, bauta_error *error)
{
    static const char *const columns[] = {"age", "capital-loss"};
    ex_adult adult = {.experiment = "P2", .columns = columns, .count = 2, .most = EX_P2_TRAINING};
    EX_TRY(ex_adult_clean(job, &adult, error));
    found->dropped = adult.dropped;
    bauta_status status = ex_p2_table_make(job, EX_P2_REAL, 0, "0", &found->real, error);
    if (status == BAUTA_INVALID)
        ex_error_place(error, job->values[EX_EXPERIMENT_DATA].text, -1, "capital-loss");
    return status;
}
