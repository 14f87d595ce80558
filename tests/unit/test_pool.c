/* SPDX-License-Identifier: Apache-2.0
 *
 * The thread pool and the worklist: every task once, the lowest error wins, nothing hangs.
 */
#include "support.h"

#include "base/pool.h"
#include "base/temporary.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const unsigned sizes[] = {1, 2, 7, 16};
enum { SIZES = sizeof sizes / sizeof *sizes, MANY = 5000 };

static bt_pool *pool_of(unsigned threads)
{
    bauta_error error;
    bt_pool *pool = NULL;
    assert_ok(bt_pool_new(threads, &pool, &error), &error);
    return pool;
}

static void size_is_what_was_asked_for(void **state)
{
    (void)state;
    for (size_t i = 0; i < SIZES; i++) {
        bt_pool *pool = pool_of(sizes[i]);
        assert_int_equal(bt_pool_size(pool), sizes[i]);
        bt_pool_free(pool);
    }
    bt_pool *pool = pool_of(0);
    assert_true(bt_pool_size(pool) >= 1);
    bt_pool_free(pool);
    bt_pool_free(NULL);
}

typedef struct tally {
    atomic_int done[MANY];
    unsigned workers;
} tally;

static bauta_status count_task(void *user, size_t task, unsigned worker, bauta_error *error)
{
    tally *t = user;
    if (worker >= t->workers) return bt_fail(error, BAUTA_INTERNAL, "no such worker");
    atomic_fetch_add(&t->done[task], 1);
    return BAUTA_OK;
}

static void every_task_runs_once(void **state)
{
    (void)state;
    bauta_error error;
    for (size_t i = 0; i < SIZES; i++) {
        bt_pool *pool = pool_of(sizes[i]);
        static const size_t runs[] = {0, 1, 2, 3, MANY};
        for (size_t r = 0; r < sizeof runs / sizeof *runs; r++) {
            static tally t;
            memset(&t, 0, sizeof t);
            t.workers = sizes[i];
            assert_ok(bt_pool_run(pool, runs[r], count_task, &t, &error), &error);
            for (size_t task = 0; task < MANY; task++)
                assert_int_equal(t.done[task], task < runs[r]);
        }
        bt_pool_free(pool);
    }
}

static bauta_status fail_some(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    size_t first = *(const size_t *)user;
    if (task < first) {
        if (task % 5 == 0) sched_yield(); /* let later ones fail before earlier ones end */
        return BAUTA_OK;
    }
    if (task == first) usleep(200);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "task %zu", task);
    bt_error_place(error, NULL, (int64_t)task, NULL);
    return status;
}

static void the_lowest_error_wins(void **state)
{
    (void)state;
    static const size_t firsts[] = {0, 1, 17, 999};
    for (size_t i = 0; i < SIZES; i++) {
        bt_pool *pool = pool_of(sizes[i]);
        for (size_t f = 0; f < sizeof firsts / sizeof *firsts; f++) {
            bauta_error error;
            size_t first = firsts[f];
            assert_int_equal(bt_pool_run(pool, 1000, fail_some, &first, &error), BAUTA_INVALID);
            assert_int_equal(error.row, (int64_t)first);
            assert_int_equal(bt_pool_run(pool, 1000, fail_some, &first, NULL), BAUTA_INVALID);
        }
        static tally t; /* the pool goes on working after a failure */
        memset(&t, 0, sizeof t);
        t.workers = sizes[i];
        bauta_error error;
        assert_ok(bt_pool_run(pool, MANY, count_task, &t, &error), &error);
        bt_pool_free(pool);
    }
}

typedef struct part {
    uint32_t from, to;
} part;

typedef struct halving {
    atomic_int visited[MANY];
    uint32_t fail_at; /* MANY: nowhere */
} halving;

static bauta_status halve(void *user, bt_worklist *list, const void *item, unsigned worker,
                          bauta_error *error)
{
    (void)worker;
    halving *h = user;
    part p;
    memcpy(&p, item, sizeof p);
    if (p.to - p.from == 1) {
        if (p.from == h->fail_at) return bt_fail(error, BAUTA_INVALID, "part %u", p.from);
        atomic_fetch_add(&h->visited[p.from], 1);
        return BAUTA_OK;
    }
    part left = {p.from, p.from + (p.to - p.from) / 2}, right = {left.to, p.to};
    BT_TRY(bt_worklist_push(list, &left, error));
    return bt_worklist_push(list, &right, error);
}

static void worklist_visits_all_that_is_pushed(void **state)
{
    (void)state;
    bauta_error error;
    for (size_t i = 0; i < SIZES; i++) {
        bt_pool *pool = pool_of(sizes[i]);
        static halving h;
        memset(&h, 0, sizeof h);
        h.fail_at = MANY;
        part whole = {0, MANY};
        assert_ok(bt_worklist_run(pool, &whole, sizeof whole, halve, &h, &error), &error);
        for (size_t j = 0; j < MANY; j++)
            assert_int_equal(h.visited[j], 1);
        part single = {5, 6};
        assert_ok(bt_worklist_run(pool, &single, sizeof single, halve, &h, &error), &error);
        assert_int_equal(h.visited[5], 2);
        bt_pool_free(pool);
    }
}

static void worklist_stops_at_a_failure(void **state)
{
    (void)state;
    bauta_error error;
    for (size_t i = 0; i < SIZES; i++) {
        bt_pool *pool = pool_of(sizes[i]);
        for (uint32_t at = 0; at < MANY; at += 611) {
            static halving h;
            memset(&h, 0, sizeof h);
            h.fail_at = at;
            part whole = {0, MANY};
            assert_int_equal(bt_worklist_run(pool, &whole, sizeof whole, halve, &h, &error),
                             BAUTA_INVALID);
            char expected[32];
            snprintf(expected, sizeof expected, "part %u", at);
            assert_string_equal(error.message, expected);
            assert_int_equal(h.visited[at], 0);
        }
        bt_pool_free(pool);
    }
}

/* ---- run ---- */

typedef struct listener {
    int calls, answer;
    int64_t done, total;
    char stage[32];
} listener;

static int listen(void *user, const char *stage, int64_t done, int64_t total)
{
    listener *l = user;
    l->calls++;
    l->done = done;
    l->total = total;
    strncpy(l->stage, stage, sizeof l->stage - 1);
    return l->answer;
}

static void progress_comes_from_worker_0_and_can_cancel(void **state)
{
    (void)state;
    bauta_error error;
    listener l = {0};
    bt_run run = {.progress = listen, .progress_user = &l};
    assert_ok(bt_run_progress(&run, 0, "read", 5, 10, &error), &error);
    assert_int_equal(l.calls, 1);
    assert_int_equal(l.done, 5);
    assert_int_equal(l.total, 10);
    assert_string_equal(l.stage, "read");
    assert_ok(bt_run_progress(&run, 1, "read", 6, 10, &error), &error);
    assert_int_equal(l.calls, 1);
    l.answer = 1;
    assert_fails(bt_run_progress(&run, 0, "read", 7, 10, &error), BAUTA_CANCELLED, &error,
                 "cancelled by the caller");
    run.progress = NULL;
    assert_ok(bt_run_progress(&run, 0, "read", 8, 10, &error), &error);
}

static void temporary_files_have_no_name(void **state)
{
    (void)state;
    bauta_error error;
    char folder[] = "/tmp/bauta-test-XXXXXX";
    assert_non_null(mkdtemp(folder));
    bt_run run = {.tmp = folder};
    int descriptor = -1;
    assert_ok(bt_run_temporary(&run, &descriptor, &error), &error);
    assert_int_equal(write(descriptor, "abc", 3), 3);
    struct stat facts;
    assert_int_equal(fstat(descriptor, &facts), 0);
    assert_int_equal(facts.st_nlink, 0);
    assert_int_equal(facts.st_mode & 0777, 0600);
    close(descriptor);
    assert_int_equal(rmdir(folder), 0); /* empty */
    assert_fails(bt_run_temporary(&run, &descriptor, &error), BAUTA_SYSTEM, &error,
                 "cannot make a temporary file");
    /* A file system without unnamed files, where none can be made by name either. */
    run.tmp = "/proc";
    assert_fails(bt_run_temporary(&run, &descriptor, &error), BAUTA_SYSTEM, &error,
                 "cannot make a temporary file");
    char *endless = malloc(6000);
    assert_non_null(endless);
    memset(endless, '/', 5000);
    memcpy(endless + 5000, "proc", 5);
    run.tmp = endless;
    assert_int_not_equal(bt_run_temporary(&run, &descriptor, &error), BAUTA_OK);
    free(endless);
}

/* Parts of any length at any place read back; what the disk has is something else. */
static void temporary_files_are_enciphered(void **state)
{
    enum { LENGTH = 1000 };
    (void)state;
    bauta_error error;
    bt_run run = {.tmp = "/tmp"};
    bt_temporary file, other;
    char plain[LENGTH], bytes[LENGTH], raw[LENGTH];
    size_t got;
    for (size_t i = 0; i < LENGTH; i++)
        plain[i] = (char)('a' + i % 23);
    assert_ok(bt_temporary_open(&run, &file, &error), &error);
    for (size_t from = 0, step = 1; from < LENGTH; from += step, step = step % 200 + 37) {
        size_t length = step < LENGTH - from ? step : LENGTH - from;
        memcpy(bytes, plain + from, length);
        assert_ok(bt_temporary_write(&file, (int64_t)from, bytes, length, &error), &error);
    }
    for (size_t from = 0; from < LENGTH; from += 61)
        for (size_t length = 0; length <= LENGTH - from; length += 53) {
            assert_ok(bt_temporary_read(&file, (int64_t)from, bytes, length, &got, &error), &error);
            assert_int_equal(got, length);
            assert_memory_equal(bytes, plain + from, length);
        }
    assert_ok(bt_temporary_read(&file, LENGTH - 5, bytes, LENGTH, &got, &error), &error);
    assert_int_equal(got, 5);
    assert_memory_equal(bytes, plain + LENGTH - 5, 5);
    assert_int_equal(pread(file.descriptor, raw, LENGTH, 0), LENGTH);
    for (size_t from = 0; from + 8 <= LENGTH; from++)
        assert_memory_not_equal(raw + from, plain + from, 8);
    /* The key is the file's own. */
    assert_ok(bt_temporary_open(&run, &other, &error), &error);
    memcpy(bytes, plain, LENGTH);
    assert_ok(bt_temporary_write(&other, 0, bytes, LENGTH, &error), &error);
    assert_memory_not_equal(bytes, raw, LENGTH);
    bt_temporary_close(&other);
    bt_temporary_close(&file);
    assert_int_equal(file.descriptor, -1);
}

static void the_clock_does_not_go_back(void **state)
{
    (void)state;
    double before = bt_seconds();
    usleep(2000);
    double after = bt_seconds();
    assert_true(after - before >= 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(size_is_what_was_asked_for),
        cmocka_unit_test(every_task_runs_once),
        cmocka_unit_test(the_lowest_error_wins),
        cmocka_unit_test(worklist_visits_all_that_is_pushed),
        cmocka_unit_test(worklist_stops_at_a_failure),
        cmocka_unit_test(progress_comes_from_worker_0_and_can_cancel),
        cmocka_unit_test(temporary_files_have_no_name),
        cmocka_unit_test(temporary_files_are_enciphered),
        cmocka_unit_test(the_clock_does_not_go_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
