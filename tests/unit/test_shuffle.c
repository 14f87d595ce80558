/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffling: nothing is lost, the order depends on seed and label alone, every order is as likely
 * as any other, and failing writes are reported.
 */
#include "../scratch.h"

#include "io/bytes.h"
#include "publish/shuffle.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>

enum { ROWS = 40000, ROWS_PER_TASK = 500, PLENTY = 1 << 28 };
static const char header[] = "a header\n";

/* ---- one shuffle ---- */

typedef struct settings {
    unsigned threads;
    size_t memory;
    const char *seed, *label; /* NULL: "1", "data.csv" */
    int64_t rows, step;       /* adds rows 0, step, 2 step … */
    size_t long_row;          /* every thousandth row is this long; 0: none */
} settings;

typedef struct job {
    const settings *given;
    bt_run run;
    bt_shuffle *shuffle;
    bauta_error error;
} job;

/* "NUMBER:xxxx\n", with a length that follows from the number. */
static void make_row(const settings *given, int64_t row, bt_buffer *out)
{
    bauta_error error;
    size_t filling = given->long_row && row % 1000 == 7 ? given->long_row : (size_t)(row * 7 % 41);
    out->length = 0;
    assert_ok(bt_buffer_print(out, &error, "%lld:", (long long)row), &error);
    assert_ok(bt_buffer_reserve(out, filling + 1, &error), &error);
    memset(out->bytes + out->length, 'a' + (int)(row % 26), filling);
    out->length += filling;
    out->bytes[out->length++] = '\n';
}

static bauta_status add_rows(void *user, size_t task, unsigned worker, bauta_error *error)
{
    job *j = user;
    bt_buffer row = {0};
    bauta_status status = BAUTA_OK;
    int64_t step = j->given->step ? j->given->step : 1;
    int64_t from = (int64_t)task * ROWS_PER_TASK, to = from + ROWS_PER_TASK;
    if (to > j->given->rows) to = j->given->rows;
    for (int64_t i = from; i < to && status == BAUTA_OK; i++) {
        if (i % step != 0) continue;
        make_row(j->given, i, &row);
        status = bt_shuffle_add(j->shuffle, worker, i, row.bytes, row.length, row.length, error);
    }
    bt_buffer_release(&row);
    return status;
}

static void open_job(job *j, const settings *given)
{
    *j = (job){.given = given, .run = {.memory = given->memory, .tmp = scratch_path}};
    assert_true(bt_seed_parse(given->seed ? given->seed : "1", &j->run.seed));
    assert_ok(bt_pool_new(given->threads, &j->run.pool, &j->error), &j->error);
}

static void copy_rows(const void *user, const bt_shuffle_row *rows, size_t count, char *out)
{
    assert_non_null(user);
    for (size_t i = 0; i < count; i++) {
        memcpy(out, rows[i].packed, rows[i].length);
        out += rows[i].length;
    }
}

static void make_shuffle(job *j)
{
    const char *label = j->given->label ? j->given->label : "data.csv";
    assert_ok(bt_shuffle_new(&j->run, label, j->given->rows, copy_rows, j, &j->shuffle, &j->error),
              &j->error);
}

static bauta_status fill(job *j)
{
    size_t tasks = (size_t)((j->given->rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK);
    return bt_pool_run(j->run.pool, tasks, add_rows, j, &j->error);
}

static void close_job(job *j)
{
    bt_shuffle_free(j->shuffle);
    bt_pool_free(j->run.pool);
}

extern const bt_store_type bt_store_folder;

/* A file that a store might have made. */
static bt_store_file file_of(int descriptor, char *name)
{
    return (bt_store_file){.type = &bt_store_folder, .path = name, .descriptor = descriptor};
}

static int create(void)
{
    int descriptor = memfd_create("shuffled", MFD_CLOEXEC);
    assert_true(descriptor >= 0);
    return descriptor;
}

static void read_back(int descriptor, bt_buffer *out)
{
    bauta_error error;
    struct stat facts;
    assert_int_equal(fstat(descriptor, &facts), 0);
    assert_ok(bt_buffer_reserve(out, (size_t)facts.st_size + 1, &error), &error);
    assert_int_equal(pread(descriptor, out->bytes, (size_t)facts.st_size, 0), facts.st_size);
    out->length = (size_t)facts.st_size;
    out->bytes[out->length] = '\0';
}

/* Shuffles and reads the file, which must begin with the header; *out is what follows it. */
static void shuffle(const settings *given, bt_buffer *out)
{
    job j;
    open_job(&j, given);
    make_shuffle(&j);
    int descriptor = create();
    const bt_store_file file = file_of(descriptor, "file");
    assert_ok(bt_store_put(&file, 0, header, strlen(header), &j.error), &j.error);
    assert_ok(fill(&j), &j.error);
    assert_ok(bt_shuffle_write(j.shuffle, &file, (int64_t)strlen(header), &j.error), &j.error);
    out->length = 0;
    read_back(descriptor, out);
    assert_memory_equal(out->bytes, header, strlen(header));
    out->length -= strlen(header);
    memmove(out->bytes, out->bytes + strlen(header), out->length + 1);
    close(descriptor);
    close_job(&j);
}

/* The numbers of the rows in the order of the file; each row is compared with what it was. */
static int64_t *order_of(const settings *given, const bt_buffer *text, int64_t *count)
{
    int64_t *order = bt_array((size_t)given->rows + 1, sizeof *order);
    bt_buffer row = {0};
    const char *p = text->bytes, *end = text->bytes + text->length;
    for (*count = 0; p < end; ++*count) {
        assert_true(*count < given->rows);
        order[*count] = strtoll(p, NULL, 10);
        make_row(given, order[*count], &row);
        assert_true((size_t)(end - p) >= row.length);
        assert_memory_equal(p, row.bytes, row.length);
        p += row.length;
    }
    bt_buffer_release(&row);
    return order;
}

/* ---- nothing is lost ---- */

static void check_all_there(const settings *given)
{
    bt_buffer text = {0};
    int64_t count, step = given->step ? given->step : 1;
    shuffle(given, &text);
    int64_t *order = order_of(given, &text, &count);
    bool *seen = bt_array_zero((size_t)given->rows + 1, sizeof *seen);
    assert_int_equal(count, (given->rows + step - 1) / step);
    for (int64_t i = 0; i < count; i++) {
        assert_in_range(order[i], 0, given->rows - 1);
        assert_int_equal(order[i] % step, 0);
        assert_false(seen[order[i]]);
        seen[order[i]] = true;
    }
    free(seen);
    free(order);
    bt_buffer_release(&text);
}

static void every_row_appears_once(void **state)
{
    (void)state;
    check_all_there(&(settings){.threads = 7, .memory = PLENTY, .rows = ROWS});
    check_all_there(&(settings){.threads = 2, .memory = 0, .rows = ROWS, .step = 3});
}

static void few_rows(void **state)
{
    (void)state;
    for (int64_t rows = 0; rows < 4; rows++)
        for (size_t memory = 0; memory <= PLENTY; memory += PLENTY)
            check_all_there(&(settings){.threads = 2, .memory = memory, .rows = rows});
}

/* Longer than what is collected for a bucket, and than the memory. */
static void long_rows(void **state)
{
    (void)state;
    for (size_t memory = 0; memory <= PLENTY; memory += PLENTY / 2)
        check_all_there(&(settings){
            .threads = 2, .memory = memory, .rows = ROWS, .long_row = 300000, .step = 7});
}

/* ---- the order ---- */

static void same_order_for_any_threads_and_memory(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7};
    static const size_t memory[] = {PLENTY, 0, 300000, SIZE_MAX};
    bt_buffer first = {0}, other = {0};
    shuffle(&(settings){.threads = 1, .memory = PLENTY, .rows = ROWS}, &first);
    for (size_t t = 0; t < 3; t++)
        for (size_t m = 0; m < 4; m++) {
            shuffle(&(settings){.threads = threads[t], .memory = memory[m], .rows = ROWS}, &other);
            assert_int_equal(other.length, first.length);
            assert_memory_equal(other.bytes, first.bytes, first.length);
        }
    bt_buffer_release(&first);
    bt_buffer_release(&other);
}

/* The order does not depend on how many rows there are: it follows the keys. */
static void rows_left_out_change_nothing(void **state)
{
    (void)state;
    const settings all = {.threads = 2, .memory = PLENTY, .rows = 3000};
    settings some = all;
    some.step = 5;
    bt_buffer all_text = {0}, some_text = {0};
    int64_t all_count, some_count, next = 0;
    shuffle(&all, &all_text);
    shuffle(&some, &some_text);
    int64_t *all_order = order_of(&all, &all_text, &all_count);
    int64_t *some_order = order_of(&some, &some_text, &some_count);
    assert_int_equal(some_count, 600);
    for (int64_t i = 0; i < all_count; i++)
        if (all_order[i] % 5 == 0) assert_int_equal(all_order[i], some_order[next++]);
    free(all_order);
    free(some_order);
    bt_buffer_release(&all_text);
    bt_buffer_release(&some_text);
}

/* Where the rows of `a` stand in `b`: of unrelated orders hardly any stand at the same place. */
static int64_t same_places(const settings *a, const settings *b)
{
    bt_buffer a_text = {0}, b_text = {0};
    int64_t count, same = 0;
    shuffle(a, &a_text);
    shuffle(b, &b_text);
    int64_t *a_order = order_of(a, &a_text, &count), *b_order = order_of(b, &b_text, &count);
    for (int64_t i = 0; i < count; i++)
        same += a_order[i] == b_order[i];
    free(a_order);
    free(b_order);
    bt_buffer_release(&a_text);
    bt_buffer_release(&b_text);
    return same;
}

static void labels_and_seeds_give_orders_of_their_own(void **state)
{
    (void)state;
    const settings data = {.threads = 2, .memory = PLENTY, .rows = 5000};
    settings seed = data, label = data;
    seed.seed = "2";
    label.label = "sensitive.csv";
    assert_int_equal(same_places(&data, &data), 5000);
    /* Matches of unrelated orders are Poisson with mean 1: more than 9 in a run of 10 million. */
    assert_in_range(same_places(&data, &seed), 0, 9);
    assert_in_range(same_places(&data, &label), 0, 9);
}

/* ---- every order is as likely ---- */

enum { FEW = 16, SEEDS = 4800 };

static void count_places(const bt_buffer *text, const settings *given, int64_t places[FEW][FEW],
                         int64_t *followed)
{
    int64_t count, *order = order_of(given, text, &count);
    assert_int_equal(count, FEW);
    for (int64_t i = 0; i < FEW; i++) {
        places[order[i]][i]++;
        if (i > 0) *followed += order[i] == order[i - 1] + 1;
    }
    free(order);
}

/* Over many seeds every row stands at every place equally often: (FEW-1)/FEW times the usual
 * sum has (FEW-1)^2 = 225 degrees of freedom; it is between 157 and 304 with probability 0.9993.
 * A row follows the one before it in the input (FEW-1)/FEW = 0.94 times on average, with about
 * the same variance: 4500 times in all, and within 4 * 67 of it. */
static void places_are_uniform(void **state)
{
    (void)state;
    static int64_t places[FEW][FEW];
    int64_t followed = 0;
    settings given = {.threads = 1, .memory = PLENTY, .rows = FEW};
    bt_buffer text = {0};
    for (int s = 0; s < SEEDS; s++) {
        char seed[16];
        snprintf(seed, sizeof seed, "%x", (unsigned)s);
        given.seed = seed;
        shuffle(&given, &text);
        count_places(&text, &given, places, &followed);
    }
    double sum = 0, expected = (double)SEEDS / FEW;
    for (int i = 0; i < FEW; i++)
        for (int j = 0; j < FEW; j++)
            sum += ((double)places[i][j] - expected) * ((double)places[i][j] - expected) / expected;
    sum *= (FEW - 1.0) / FEW;
    if (sum < 157 || sum > 304) fail_msg("chi-square %.1f", sum);
    assert_in_range(followed, 4500 - 268, 4500 + 268);
    bt_buffer_release(&text);
}

/* Through several buckets: eighths of the input against eighths of the output, 49 degrees of
 * freedom; between 21 and 87 with probability 0.999. */
static void buckets_are_uniform(void **state)
{
    (void)state;
    const settings given = {.threads = 2, .memory = 100000, .rows = ROWS, .seed = "b0"};
    bt_buffer text = {0};
    int64_t count, places[8][8] = {{0}};
    shuffle(&given, &text);
    int64_t *order = order_of(&given, &text, &count);
    for (int64_t i = 0; i < ROWS; i++)
        places[order[i] * 8 / ROWS][i * 8 / ROWS]++;
    double sum = 0, expected = ROWS / 64.0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            sum += ((double)places[i][j] - expected) * ((double)places[i][j] - expected) / expected;
    if (sum < 21 || sum > 87) fail_msg("chi-square %.1f", sum);
    free(order);
    bt_buffer_release(&text);
}

/* ---- failures ---- */

static void a_record_of_4_gib(void **state)
{
    (void)state;
    const settings given = {.threads = 1, .memory = PLENTY, .rows = 1};
    job j;
    open_job(&j, &given);
    make_shuffle(&j);
    assert_fails(bt_shuffle_add(j.shuffle, 0, 0, "", (size_t)UINT32_MAX + 1, 0, &j.error),
                 BAUTA_INVALID, &j.error, "longer than 4 GiB");
    assert_fails(bt_shuffle_add(j.shuffle, 0, 0, "", 0, (size_t)UINT32_MAX + 1, &j.error),
                 BAUTA_INVALID, &j.error, "longer than 4 GiB");
    close_job(&j);
}

static void check_write_fails(const char *file, int flags)
{
    const settings given = {.threads = 2, .memory = PLENTY, .rows = 2000};
    job j;
    open_job(&j, &given);
    make_shuffle(&j);
    assert_ok(fill(&j), &j.error);
    int descriptor = open(file, flags | O_CLOEXEC);
    assert_true(descriptor >= 0);
    const bt_store_file made = file_of(descriptor, "data.csv");
    assert_fails(bt_shuffle_write(j.shuffle, &made, 0, &j.error), BAUTA_SYSTEM, &j.error,
                 "cannot write 'data.csv'");
    close(descriptor);
    close_job(&j);
}

static void files_that_cannot_be_written(void **state)
{
    (void)state;
    check_write_fails(scratch_text("readonly", ""), O_RDONLY);
    check_write_fails("/dev/full", O_WRONLY);
}

/* A limit on the size of files stands for a disk of that size. */
static void a_full_disk_while_spilling(void **state)
{
    (void)state;
    const settings given = {.threads = 2, .memory = 0, .rows = ROWS};
    struct rlimit before, little;
    job j;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 100000;
    open_job(&j, &given);
    make_shuffle(&j);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    bauta_status status = fill(&j);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, BAUTA_SYSTEM);
    assert_string_equal(j.error.message, "cannot write 'temporary file': File too large");
    close_job(&j);
}

static void no_folder_for_temporary_files(void **state)
{
    (void)state;
    settings given = {.threads = 2, .memory = PLENTY, .rows = ROWS};
    for (int spill = 0; spill < 2; spill++) {
        job j;
        given.memory = spill ? 1000 : PLENTY;
        open_job(&j, &given);
        j.run.tmp = scratch_name("absent");
        make_shuffle(&j);
        /* Nothing is spilled while the memory lasts. */
        if (spill)
            assert_int_equal(fill(&j), BAUTA_SYSTEM);
        else
            assert_ok(fill(&j), &j.error);
        close_job(&j);
    }
}

static int cancel(void *user, const char *stage, int64_t done, int64_t total)
{
    int *calls = user;
    assert_string_equal(stage, "writing");
    assert_in_range(done, 1, total);
    return ++*calls == 2;
}

static void cancelling(void **state)
{
    (void)state;
    const settings given = {.threads = 1, .memory = PLENTY, .rows = ROWS};
    int calls = 0;
    job j;
    open_job(&j, &given);
    j.run.progress = cancel;
    j.run.progress_user = &calls;
    make_shuffle(&j);
    assert_ok(fill(&j), &j.error);
    int descriptor = create();
    const bt_store_file file = file_of(descriptor, "file");
    assert_fails(bt_shuffle_write(j.shuffle, &file, 0, &j.error), BAUTA_CANCELLED, &j.error,
                 "cancelled by the caller");
    assert_int_equal(calls, 2);
    close(descriptor);
    close_job(&j);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_appears_once),
        cmocka_unit_test(few_rows),
        cmocka_unit_test(long_rows),
        cmocka_unit_test(same_order_for_any_threads_and_memory),
        cmocka_unit_test(rows_left_out_change_nothing),
        cmocka_unit_test(labels_and_seeds_give_orders_of_their_own),
        cmocka_unit_test(places_are_uniform),
        cmocka_unit_test(buckets_are_uniform),
        cmocka_unit_test(a_record_of_4_gib),
        cmocka_unit_test(files_that_cannot_be_written),
        cmocka_unit_test(a_full_disk_while_spilling),
        cmocka_unit_test(no_folder_for_temporary_files),
        cmocka_unit_test(cancelling),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
