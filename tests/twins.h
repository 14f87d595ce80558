/* SPDX-License-Identifier: Apache-2.0
 *
 * Small random tables for grouping methods, and what their brute-force twins share: requirements
 * that are judged one record at a time, and a method that is run by its name.
 */
#ifndef BT_TEST_TWINS_H
#define BT_TEST_TWINS_H

#include "scratch.h"

#include "group/method.h"
#include "job/load.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 4 };

/* ---- a random table, read through the front door ---- */

typedef struct twin_hierarchies { /* to draw from; NULL: none */
    const char *const *specs;
    size_t count, of_numbers; /* the first ones are for numbers too */
} twin_hierarchies;

static inline void twin_set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static inline void twin_add_column(bauta_recipe *recipe, size_t column, const char *spec)
{
    char setting[64];
    snprintf(setting, sizeof setting, "c%zu", column);
    twin_set(recipe, "quasi", setting);
    snprintf(setting, sizeof setting, "c%zu=%s", column, spec ? spec : "");
    if (spec) twin_set(recipe, "hierarchy", setting);
}

/* Quasi columns c0, c1, …, and a sensitive one behind them. */
static inline bauta_recipe *twin_recipe(const twin_hierarchies *trees, const char *threads,
                                        uint64_t *state)
{
    bauta_error error;
    bauta_recipe *recipe;
    bt_buffer text = {0};
    size_t count = 1 + test_below(state, COLUMNS_MOST), rows = 1 + test_below(state, ROWS_MOST);
    bool is_text[COLUMNS_MOST], gaps[COLUMNS_MOST];
    uint64_t values[COLUMNS_MOST];
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    for (size_t c = 0; c < count; c++) {
        is_text[c] = test_below(state, 5) < 2;
        gaps[c] = test_below(state, 3) == 0;
        values[c] = 1 + test_below(state, 15);
        twin_add_column(
            recipe, c,
            trees->specs[test_below(state, is_text[c] ? trees->count : trees->of_numbers)]);
        assert_ok(bt_buffer_print(&text, &error, "c%zu,", c), &error);
    }
    assert_ok(bt_buffer_print(&text, &error, "s\n"), &error);
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++) {
            int value = (int)test_below(state, values[c]);
            if (gaps[c] && test_below(state, 4) == 0)
                assert_ok(bt_buffer_print(&text, &error, ","), &error);
            else if (is_text[c])
                assert_ok(bt_buffer_print(&text, &error, "%c%c,", 'a' + value % 3, 'a' + value / 3),
                          &error);
            else
                assert_ok(bt_buffer_print(&text, &error, "%d,", value * value), &error);
        }
        assert_ok(bt_buffer_print(&text, &error, "%c\n", (int)('a' + test_below(state, 4))),
                  &error);
    }
    twin_set(recipe, "input", scratch_write("table.csv", text.bytes, text.length));
    twin_set(recipe, "sensitive", "s");
    twin_set(recipe, "threads", threads);
    twin_set(recipe, "seed", "5");
    bt_buffer_release(&text);
    return recipe;
}

typedef void (*twin_check)(const bt_loaded *loaded, const bt_run *run, int setting,
                           uint64_t *state);

/* Makes tables and checks each in so many settings. */
static inline void twin_tables(int tables, int settings, const twin_hierarchies *trees,
                               twin_check check)
{
    static const char *const threads[] = {"1", "2", "7"};
    uint64_t state = 1;
    for (int i = 0; i < tables; i++) {
        bauta_error error;
        bauta_recipe *recipe = twin_recipe(trees, threads[i % 3], &state);
        bt_run run;
        bt_loaded loaded;
        assert_ok(bt_run_open(recipe, &run, &error), &error);
        assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
        for (int setting = 0; setting < settings; setting++)
            check(&loaded, &run, setting, &state);
        bt_loaded_release(&loaded);
        bt_run_close(&run);
        bauta_recipe_free(recipe);
    }
}

/* ---- requirements, judged naively ---- */

typedef struct twin_needs {
    const bt_table *table;
    size_t columns;                  /* quasi ones; the sensitive one comes after them */
    int64_t least, distinct, tenths; /* k, p and alpha; 0: not asked for */
    char text[64];
} twin_needs;

static inline uint32_t twin_code(const twin_needs *needs, size_t column, int row)
{
    return bt_column_code(&needs->table->columns[column], row);
}

static inline bool twin_satisfies(const twin_needs *needs, const int *rows, int count)
{
    int64_t counts[8] = {0}, distinct = 0;
    for (int i = 0; i < count; i++)
        distinct += counts[twin_code(needs, needs->columns, rows[i])]++ == 0;
    for (int i = 0; i < 8 && needs->tenths; i++)
        if (10 * counts[i] > needs->tenths * count) return false;
    return count >= needs->least && distinct >= needs->distinct;
}

/* Sizes alone in half of the cases. */
static inline twin_needs twin_draw_needs(const bt_table *table, uint64_t *state)
{
    twin_needs needs = {.table = table, .columns = table->count - 1};
    needs.least = 1 + (int64_t)test_below(state, 6);
    if (needs.least > table->rows) needs.least = table->rows;
    if (test_below(state, 2)) {
        needs.distinct = 1 + (int64_t)test_below(state, 3);
        if (test_below(state, 2)) needs.tenths = 4 + (int64_t)test_below(state, 6);
    }
    int length = snprintf(needs.text, sizeof needs.text, "k=%d", (int)needs.least);
    if (needs.distinct)
        length += snprintf(needs.text + length, sizeof needs.text - (size_t)length, ",p=%d",
                           (int)needs.distinct);
    if (needs.tenths)
        snprintf(needs.text + length, sizeof needs.text - (size_t)length, ",alpha=0.%d",
                 (int)needs.tenths);
    return needs;
}

/* ---- loss: the number of different codes, and the size of the node that covers ---- */

typedef struct twin_extent {
    uint32_t lo, hi, different;
} twin_extent;

static inline twin_extent twin_extent_of(const twin_needs *needs, size_t column, const int *rows,
                                         int count)
{
    twin_extent out = {.lo = UINT32_MAX};
    for (int i = 0; i < count; i++) {
        uint32_t mine = twin_code(needs, column, rows[i]);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || twin_code(needs, column, rows[j]) == mine;
        out.different += !seen;
        out.lo = mine < out.lo ? mine : out.lo;
        out.hi = mine > out.hi ? mine : out.hi;
    }
    return out;
}

/* The leaves of the lowest node over codes. */
static inline uint32_t twin_leaves(const bt_hierarchy *tree, uint32_t lo, uint32_t hi)
{
    uint32_t least = tree->leaves;
    for (uint32_t n = 0; n < tree->count; n++) {
        const bt_node *node = &tree->nodes[n];
        if (node->lo <= lo && hi < node->hi && node->hi - node->lo < least)
            least = node->hi - node->lo;
    }
    return least;
}

/* ---- the method ---- */

/* The caller releases *out. */
static inline void twin_group(const bt_loaded *loaded, const bt_run *run, const char *require,
                              const char *by, bt_grouping *out)
{
    bauta_error error;
    bt_arena arena = {0};
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    assert_ok(bt_requirements_parse(require, &arena, &requirements, &error), &error);
    bt_people people = bt_people_plain(loaded->table.rows);
    if (!requirements.size_only)
        assert_ok(bt_people_of_table(&loaded->table, &people, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(by, &arena, &method, &options, &canonical, &error), &error);
    bt_method_job job = {
        .table = &loaded->table, .requirements = &requirements, .options = options, .run = run};
    assert_ok(method->group(&job, out, &error), &error);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

#endif
