/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that occur once, against counting every pair: for any number of workers, whether the hashes
 * fit into memory or not.
 */
#include "scratch.h"

#include "base/memory.h"
#include "base/singles.h"

enum { ROWS_MOST = 3000, TEXTS_MOST = 3, ROOM = 40 };

typedef struct world {
    size_t rows, texts;
    char text[ROWS_MOST][TEXTS_MOST][ROOM];
} world;

typedef struct adding {
    const world *w;
    bt_singles *singles;
} adding;

/* Short texts, texts of 16 and 17 bytes, and such that differ in their last byte only. */
static void draw_text(uint64_t *state, uint64_t values, char *out)
{
    static const char *const heads[] = {"", "fifteen bytes, a", "a text of 16 byt",
                                        "a long text that goes on"};
    uint64_t value = test_below(state, values);
    memset(out, 0, ROOM);
    if (value > 0) snprintf(out, ROOM, "%s%llu", heads[value % 4], (unsigned long long)value);
}

static bauta_status add_row(void *user, size_t row, unsigned worker, bauta_error *error)
{
    const adding *a = user;
    bt_words words[TEXTS_MOST];
    for (size_t i = 0; i < a->w->texts; i++)
        words[i] = bt_singles_text(a->singles, a->w->text[row][i], strlen(a->w->text[row][i]));
    return bt_singles_add(a->singles, worker, words, error);
}

static int64_t count_naively(const world *w)
{
    int64_t alone = 0;
    for (size_t i = 0; i < w->rows; i++) {
        bool found = false;
        for (size_t j = 0; j < w->rows && !found; j++)
            found = i != j && memcmp(w->text[i], w->text[j], w->texts * ROOM) == 0;
        alone += !found;
    }
    return alone;
}

static int64_t count(const world *w, unsigned threads, size_t memory)
{
    bauta_error error;
    int64_t alone;
    bt_run run = {.memory = memory, .memory_given = memory > 0, .tmp = scratch_path};
    assert_ok(bt_pool_new(threads, &run.pool, &error), &error);
    adding a = {.w = w};
    assert_ok(bt_singles_new(&run, w->texts, &a.singles, &error), &error);
    assert_ok(bt_pool_run(run.pool, w->rows, add_row, &a, &error), &error);
    assert_ok(bt_singles_count(a.singles, &alone, &error), &error);
    bt_singles_free(a.singles);
    bt_pool_free(run.pool);
    return alone;
}

static void rows_that_occur_once_are_counted(void **state)
{
    (void)state;
    static world w;
    uint64_t random = 11;
    for (int round = 0; round < 12; round++) {
        w.rows = round == 0 ? 0 : 1 + test_below(&random, ROWS_MOST);
        w.texts = 1 + test_below(&random, TEXTS_MOST);
        uint64_t values = 1 + test_below(&random, 1000);
        for (size_t i = 0; i < w.rows; i++)
            for (size_t c = 0; c < w.texts; c++)
                draw_text(&random, values, w.text[i][c]);
        int64_t truth = count_naively(&w);
        assert_int_equal(count(&w, 1, 0), truth);
        assert_int_equal(count(&w, 3, 0), truth);
    }
}

/* With so little memory that pages are written again and again. */
static void what_does_not_fit_is_spilled(void **state)
{
    (void)state;
    bauta_error error;
    enum { MANY = 400000 };
    bt_run run = {.memory = 1, .memory_given = true, .tmp = scratch_path};
    bt_singles *singles;
    int64_t alone;
    assert_ok(bt_pool_new(2, &run.pool, &error), &error);
    assert_ok(bt_singles_new(&run, 1, &singles, &error), &error);
    for (uint64_t i = 0; i < MANY; i++) { /* every tenth of them twice */
        const bt_words words = {i % (MANY / 11 * 10), 7};
        assert_ok(bt_singles_add(singles, i % 2, &words, &error), &error);
    }
    assert_ok(bt_singles_count(singles, &alone, &error), &error);
    assert_int_equal(alone, 2 * (MANY / 11 * 10) - MANY);
    bt_singles_free(singles);
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_that_occur_once_are_counted),
        cmocka_unit_test(what_does_not_fit_is_spilled),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
