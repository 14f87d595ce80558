/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian against its brute-force twin: the same rules written down as plainly as possible,
 * on thousands of small random tables, for every order, every kind of cut, any number of
 * threads; with requirements of sizes alone and of sensitive values too.
 */
#include "scratch.h"

#include "api/api.h"
#include "group/method.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 4 };

/* ---- a random table, read through the front door ---- */

static const char *const specs[] = {NULL, "balanced:2", "balanced:3", "flat", "mask"};

static bauta_recipe *random_recipe(uint64_t *state, const char *threads)
{
    bauta_error error;
    bauta_recipe *recipe;
    char text[8192], number[32];
    size_t length = 0, count = 1 + test_below(state, COLUMNS_MOST),
           rows = 1 + test_below(state, ROWS_MOST);
    bool is_text[COLUMNS_MOST], gaps[COLUMNS_MOST];
    uint64_t values[COLUMNS_MOST];
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    for (size_t c = 0; c < count; c++) {
        is_text[c] = test_below(state, 2);
        gaps[c] = test_below(state, 3) == 0;
        values[c] = 1 + test_below(state, 12);
        snprintf(number, sizeof number, "c%zu", c);
        assert_ok(bauta_recipe_set(recipe, "quasi", number, &error), &error);
        const char *spec = specs[test_below(state, is_text[c] ? 5 : 4)];
        if (spec) {
            snprintf(number, sizeof number, "c%zu=%s", c, spec);
            assert_ok(bauta_recipe_set(recipe, "hierarchy", number, &error), &error);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "c%zu,", c);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "s\n");
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++) {
            uint64_t value = test_below(state, values[c]);
            if (gaps[c] && test_below(state, 4) == 0)
                length += (size_t)snprintf(text + length, sizeof text - length, ",");
            else if (is_text[c])
                length += (size_t)snprintf(text + length, sizeof text - length, "%c%c,",
                                           (int)('a' + value % 3), (int)('a' + value / 3));
            else
                length += (size_t)snprintf(text + length, sizeof text - length, "%d,",
                                           (int)(value * value));
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%c\n",
                                   (int)('a' + test_below(state, 4)));
    }
    assert_true(length < sizeof text);
    assert_ok(bauta_recipe_set(recipe, "input", scratch_text("table.csv", text), &error), &error);
    assert_ok(bauta_recipe_set(recipe, "sensitive", "s", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    return recipe;
}

/* ---- the twin ---- */

typedef struct twin {
    const bt_table *table;
    size_t columns; /* quasi ones; the sensitive one comes after them */
    int64_t order, cuts, least;
    int64_t distinct, tenths; /* p and alpha; 0: not asked for */
    int class_of[ROWS_MOST];
    int classes;
} twin;

static uint32_t code(const twin *t, size_t column, int row)
{
    return bt_column_code(&t->table->columns[column], row);
}

static bool satisfies(const twin *t, const int *rows, int count)
{
    int64_t counts[8] = {0}, distinct = 0;
    for (int i = 0; i < count; i++)
        distinct += counts[code(t, t->columns, rows[i])]++ == 0;
    for (int i = 0; i < 8 && t->tenths; i++)
        if (10 * counts[i] > t->tenths * count) return false;
    return count >= t->least && distinct >= t->distinct;
}

/* NCP of the cell of some rows, in units of 2^-30, rounded down. */
static uint64_t loss(const twin *t, size_t column, const int *rows, int count)
{
    const bt_column *c = &t->table->columns[column];
    uint32_t lo = UINT32_MAX, hi = 0, different = 0, present = bt_domain_present(&c->domain);
    for (int i = 0; i < count; i++) {
        uint32_t mine = code(t, column, rows[i]);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || code(t, column, rows[j]) == mine;
        different += !seen;
        lo = mine < lo ? mine : lo;
        hi = mine > hi ? mine : hi;
    }
    uint64_t top, bottom;
    if (different == 1) return 0;
    if (hi >= present) return 1 << 30;
    if (c->hierarchy) {
        uint32_t least = c->hierarchy->leaves;
        for (uint32_t n = 0; n < c->hierarchy->count; n++) {
            const bt_node *node = &c->hierarchy->nodes[n];
            if (node->lo <= lo && hi < node->hi && node->hi - node->lo < least)
                least = node->hi - node->lo;
        }
        top = least;
        bottom = c->hierarchy->leaves;
    } else if (c->domain.reading.type == BT_TEXT) {
        top = different - 1;
        bottom = present - 1;
    } else {
        top = (uint64_t)(c->domain.number[hi] - c->domain.number[lo]);
        bottom = (uint64_t)(c->domain.number[present - 1] - c->domain.number[0]);
    }
    return (top << 30) / bottom;
}

/* Whether a cut before `at` may be made in a part whose codes lie in lo..hi. */
static bool may_cut(const twin *t, size_t column, uint32_t lo, uint32_t hi, uint32_t before,
                    uint32_t at)
{
    const bt_hierarchy *tree = t->table->columns[column].hierarchy;
    if (!tree || t->cuts == 1) return true;
    /* The lowest node over all; a child of it must begin after `before` and at or before `at`. */
    uint32_t cover = 0;
    for (uint32_t n = 0; n < tree->count; n++)
        if (tree->nodes[n].lo <= lo && hi < tree->nodes[n].hi &&
            (tree->nodes[n].hi - tree->nodes[n].lo <
                 tree->nodes[cover].hi - tree->nodes[cover].lo ||
             (tree->nodes[n].hi - tree->nodes[n].lo ==
                  tree->nodes[cover].hi - tree->nodes[cover].lo &&
              n > cover)))
            cover = n;
    for (uint32_t n = 0; n < tree->count; n++)
        if (n != cover && tree->nodes[n].parent == cover && tree->nodes[n].lo > before &&
            tree->nodes[n].lo <= at)
            return true;
    return false;
}

static void divide(const twin *t, size_t column, uint32_t at, const int *rows, int count, int *left,
                   int *left_count, int *right, int *right_count)
{
    *left_count = *right_count = 0;
    for (int i = 0; i < count; i++)
        if (code(t, column, rows[i]) < at)
            left[(*left_count)++] = rows[i];
        else
            right[(*right_count)++] = rows[i];
}

/* The code that begins the right side of the column's best cut; 0: none (no cut begins at 0). */
static uint32_t best_cut(const twin *t, size_t column, const int *rows, int count)
{
    const bt_column *c = &t->table->columns[column];
    uint32_t lo = UINT32_MAX, hi = 0, present = bt_domain_present(&c->domain);
    for (int i = 0; i < count; i++) {
        uint32_t mine = code(t, column, rows[i]);
        lo = mine < lo ? mine : lo;
        hi = mine > hi ? mine : hi;
    }
    uint32_t best = 0;
    int best_distance = INT32_MAX;
    for (uint32_t at = lo + 1; at <= hi; at++) {
        int left[ROWS_MOST], right[ROWS_MOST], l, r;
        uint32_t before = lo;
        bool occurs = false;
        for (int i = 0; i < count; i++) {
            uint32_t mine = code(t, column, rows[i]);
            occurs = occurs || mine == at;
            if (mine < at && mine > before) before = mine;
        }
        divide(t, column, at, rows, count, left, &l, right, &r);
        if (!occurs || !satisfies(t, left, l) || !satisfies(t, right, r)) continue;
        if (at == present) return at; /* missing against present goes first */
        int distance = abs(2 * l - count);
        if (distance >= best_distance || !may_cut(t, column, lo, hi, before, at)) continue;
        best = at;
        best_distance = distance;
    }
    return best;
}

static uint64_t loss_after(const twin *t, size_t column, uint32_t at, const int *rows, int count)
{
    int left[ROWS_MOST], right[ROWS_MOST], l, r;
    uint64_t total = 0;
    divide(t, column, at, rows, count, left, &l, right, &r);
    for (size_t c = 0; c < t->columns; c++)
        total += (uint64_t)l * loss(t, c, left, l) + (uint64_t)r * loss(t, c, right, r);
    return total;
}

static bool varies(const twin *t, size_t column, const int *rows, int count)
{
    for (int i = 1; i < count; i++)
        if (code(t, column, rows[i]) != code(t, column, rows[0])) return true;
    return false;
}

/* The column to cut and where; -1: none. */
static int choose(const twin *t, size_t turn, const int *rows, int count, uint32_t *at)
{
    size_t columns = t->columns;
    bool tried[COLUMNS_MOST] = {false};
    int chosen = -1, looked = 0;
    uint64_t least = UINT64_MAX;
    for (size_t round = 0; round < columns; round++) {
        size_t next = columns;
        if (t->order == 2) {
            next = (turn + round) % columns;
        } else {
            for (size_t c = 0; c < columns; c++)
                if (!tried[c] && varies(t, c, rows, count) &&
                    (next == columns || loss(t, c, rows, count) > loss(t, next, rows, count)))
                    next = c;
            if (next == columns) break;
            tried[next] = true;
        }
        uint32_t cut = best_cut(t, next, rows, count);
        if (cut == 0) continue;
        if (t->order == 1 || t->order == 2 || count >= 16 * t->least) {
            *at = cut;
            return (int)next;
        }
        uint64_t after = loss_after(t, next, cut, rows, count);
        if (after < least) {
            least = after;
            chosen = (int)next;
            *at = cut;
        }
        if (++looked == 3) break;
    }
    return chosen;
}

static void split(twin *t, size_t turn, const int *rows, int count)
{
    uint32_t at = 0;
    int column = choose(t, turn, rows, count, &at);
    if (column < 0) {
        for (int i = 0; i < count; i++)
            t->class_of[rows[i]] = t->classes;
        t->classes++;
        return;
    }
    int left[ROWS_MOST], right[ROWS_MOST], l, r;
    divide(t, (size_t)column, at, rows, count, left, &l, right, &r);
    split(t, ((size_t)column + 1) % t->columns, left, l);
    split(t, ((size_t)column + 1) % t->columns, right, r);
}

/* ---- comparing ---- */

/* Without hierarchies the classes are the twin's; with them some may have been united. */
static void compare(const twin *t, const bt_grouping *g, bool exact)
{
    int seen = 0, united[ROWS_MOST];
    for (int i = 0; i < t->classes; i++)
        united[i] = -1;
    for (uint32_t c = 0; c < g->classes; c++) {
        int members[ROWS_MOST], size = 0;
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            int row = (int)g->order[i], of = t->class_of[row];
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            assert_true(united[of] == -1 || united[of] == (int)c);
            united[of] = (int)c;
            members[size++] = row;
            seen++;
        }
        if (g->classes > 1) assert_true(satisfies(t, members, size));
    }
    assert_int_equal(seen, t->table->rows);
    if (exact) assert_int_equal(g->classes, t->classes);
}

static void check_boxes(const bt_table *table, size_t columns, const bt_grouping *g)
{
    for (uint32_t c = 0; c < g->classes; c++)
        for (size_t q = 0; q < columns; q++) {
            uint32_t lo = UINT32_MAX, hi = 0;
            for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
                uint32_t mine = bt_column_code(&table->columns[q], g->order[i]);
                lo = mine < lo ? mine : lo;
                hi = mine > hi ? mine : hi;
            }
            assert_int_equal(bt_class_box(g, c)[q].lo, lo);
            assert_int_equal(bt_class_box(g, c)[q].hi, hi);
        }
}

/* Requirements as the twin is to judge them; sizes alone in half of the cases. */
static void draw_requirements(uint64_t *state, twin *t, char *text, size_t size)
{
    t->least = 1 + (int64_t)test_below(state, 5);
    if (t->least > t->table->rows) t->least = t->table->rows;
    size_t length = (size_t)snprintf(text, size, "k=%d", (int)t->least);
    if (test_below(state, 2)) return;
    t->distinct = 1 + (int64_t)test_below(state, 3);
    length += (size_t)snprintf(text + length, size - length, ",p=%d", (int)t->distinct);
    if (test_below(state, 2)) return;
    t->tenths = 4 + (int64_t)test_below(state, 6);
    snprintf(text + length, size - length, ",alpha=0.%d", (int)t->tenths);
}

static void check_setting(const bt_loaded *loaded, const bt_run *run, int setting, uint64_t *state)
{
    static const char *const orders[] = {"gain", "widest", "round-robin"};
    bauta_error error;
    char text[64];
    bt_arena arena = {0};
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_grouping grouping;
    int rows[ROWS_MOST];
    bool exact = true;
    twin t = {.table = &loaded->table,
              .columns = loaded->table.count - 1,
              .order = setting % 3,
              .cuts = setting / 3};
    for (size_t c = 0; c < t.columns; c++)
        exact = exact && !loaded->table.columns[c].hierarchy;
    draw_requirements(state, &t, text, sizeof text);
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    bt_people people = bt_people_plain(loaded->table.rows);
    if (!requirements.size_only)
        assert_ok(bt_people_of_table(&loaded->table, &people, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    snprintf(text, sizeof text, "mondrian:order=%s,cuts=%s", orders[t.order],
             t.cuts ? "order" : "hierarchy");
    assert_ok(bt_method_parse(text, &arena, &method, &options, &canonical, &error), &error);
    bt_method_job job = {
        .table = &loaded->table, .requirements = &requirements, .options = options, .run = run};
    assert_ok(method->group(&job, &grouping, &error), &error);
    for (int i = 0; i < loaded->table.rows; i++)
        rows[i] = i;
    split(&t, 0, rows, (int)loaded->table.rows);
    compare(&t, &grouping, exact);
    check_boxes(&loaded->table, t.columns, &grouping);
    bt_grouping_release(&grouping);
    bt_people_release(&people);
    bt_arena_release(&arena);
}

static void check_table(uint64_t *state, const char *threads)
{
    bauta_error error;
    bauta_recipe *recipe = random_recipe(state, threads);
    bt_run run;
    bt_loaded loaded;
    assert_ok(bt_run_open(recipe, &run, &error), &error);
    assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
    for (int setting = 0; setting < 6; setting++)
        check_setting(&loaded, &run, setting, state);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

static void equals_the_twin(void **unused)
{
    (void)unused;
    static const char *const threads[] = {"1", "2", "7"};
    uint64_t state = 1;
    for (int i = 0; i < 1200; i++)
        check_table(&state, threads[i % 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_twin)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
