/* SPDX-License-Identifier: Apache-2.0
 *
 * Cluster against its brute-force twin: the same rules written down as plainly as possible, with
 * every loss counted anew from the records and every pair of groups looked at, on thousands of
 * small random tables, for both ways to merge and any number of threads; with requirements of
 * sizes alone and of sensitive values too.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "api/api.h"
#include "group/method.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 4 };

/* ---- a random table, read through the front door ---- */

static const char *const specs[] = {NULL, NULL, "balanced:2", "balanced:3", "flat"};

static bauta_recipe *random_recipe(uint64_t *state, const char *threads)
{
    bauta_error error;
    bauta_recipe *recipe;
    char text[8192], setting[64];
    size_t length = 0, count = 1 + test_below(state, COLUMNS_MOST),
           rows = 1 + test_below(state, ROWS_MOST);
    bool is_text[COLUMNS_MOST], gaps[COLUMNS_MOST];
    uint64_t values[COLUMNS_MOST];
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    for (size_t c = 0; c < count; c++) {
        is_text[c] = test_below(state, 3) == 0;
        gaps[c] = test_below(state, 4) == 0;
        values[c] = 1 + test_below(state, 15);
        snprintf(setting, sizeof setting, "c%zu", c);
        assert_ok(bauta_recipe_set(recipe, "quasi", setting, &error), &error);
        const char *spec = specs[test_below(state, 5)];
        if (spec) {
            snprintf(setting, sizeof setting, "c%zu=%s", c, spec);
            assert_ok(bauta_recipe_set(recipe, "hierarchy", setting, &error), &error);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "c%zu,", c);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "s\n");
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < count; c++) {
            int value = (int)test_below(state, values[c]);
            const char *format = is_text[c] ? "v%d," : "%d,";
            if (gaps[c] && test_below(state, 4) == 0) format = ",";
            length += (size_t)snprintf(text + length, sizeof text - length, format,
                                       is_text[c] ? value : value * value);
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%c\n",
                                   (int)('a' + test_below(state, 4)));
    }
    assert_true(length < sizeof text);
    assert_ok(bauta_recipe_set(recipe, "input", scratch_text("table.csv", text), &error), &error);
    assert_ok(bauta_recipe_set(recipe, "sensitive", "s", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", threads, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "seed", "5", &error), &error);
    return recipe;
}

/* ---- the twin ---- */

typedef struct rows {
    int row[ROWS_MOST];
    int count;
} rows;

typedef struct twin {
    const bt_table *table;
    size_t columns; /* quasi ones; the sensitive one comes after them */
    int64_t least;
    int64_t distinct, tenths; /* p and alpha; 0: not asked for */
    bool borrow;
    rows groups[ROWS_MOST];
    int count;
} twin;

static uint32_t code(const twin *t, size_t column, int row)
{
    return bt_column_code(&t->table->columns[column], row);
}

static bool satisfies(const twin *t, const rows *r)
{
    int64_t counts[8] = {0}, distinct = 0;
    for (int i = 0; i < r->count; i++)
        distinct += counts[code(t, t->columns, r->row[i])]++ == 0;
    for (int i = 0; i < 8 && t->tenths; i++)
        if (10 * counts[i] > t->tenths * r->count) return false;
    return r->count >= t->least && distinct >= t->distinct;
}

/* Where a number lies between the least and the greatest, in units of 2^-30. */
static uint64_t place(const bt_domain *domain, uint32_t at)
{
    uint64_t range = (uint64_t)(domain->number[bt_domain_present(domain) - 1] - domain->number[0]);
    return range ? ((uint64_t)(domain->number[at] - domain->number[0]) << 30) / range : 0;
}

/* NCP of the cell of some rows, in units of 2^-30. */
static uint64_t cell_loss(const twin *t, size_t column, const rows *r)
{
    const bt_column *c = &t->table->columns[column];
    uint32_t lo = UINT32_MAX, hi = 0, different = 0, present = bt_domain_present(&c->domain);
    for (int i = 0; i < r->count; i++) {
        uint32_t mine = code(t, column, r->row[i]);
        bool seen = false;
        for (int j = 0; j < i; j++)
            seen = seen || code(t, column, r->row[j]) == mine;
        different += !seen;
        lo = mine < lo ? mine : lo;
        hi = mine > hi ? mine : hi;
    }
    if (different == 1) return 0;
    if (hi >= present) return 1 << 30;
    if (!c->hierarchy && c->domain.reading.type == BT_TEXT)
        return ((uint64_t)(different - 1) << 30) / (present - 1);
    if (!c->hierarchy) return place(&c->domain, hi) - place(&c->domain, lo);
    uint32_t least = c->hierarchy->leaves;
    for (uint32_t n = 0; n < c->hierarchy->count; n++) {
        const bt_node *node = &c->hierarchy->nodes[n];
        if (node->lo <= lo && hi < node->hi && node->hi - node->lo < least)
            least = node->hi - node->lo;
    }
    return ((uint64_t)least << 30) / c->hierarchy->leaves;
}

static uint64_t loss(const twin *t, const rows *r)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < t->columns; c++)
        sum += cell_loss(t, c, r);
    return sum;
}

static rows with(const rows *a, const rows *b)
{
    rows both = *a;
    for (int i = 0; i < b->count; i++)
        both.row[both.count++] = b->row[i];
    return both;
}

static rows one(int row)
{
    return (rows){.row = {row}, .count = 1};
}

/* By how much the loss of all rows grows when two groups become one. */
static uint64_t merging_cost(const twin *t, const rows *a, const rows *b)
{
    rows both = with(a, b);
    return (uint64_t)both.count * loss(t, &both) - (uint64_t)a->count * loss(t, a) -
           (uint64_t)b->count * loss(t, b);
}

static void split(twin *t, const rows *r)
{
    uint64_t most = 0;
    int ends[2] = {0, 0};
    for (int i = 0; i < r->count; i++)
        for (int j = i + 1; j < r->count; j++) {
            rows a = one(r->row[i]), b = one(r->row[j]), pair = with(&a, &b);
            uint64_t distance = loss(t, &pair);
            if (distance <= most) continue;
            most = distance;
            ends[0] = i;
            ends[1] = j;
        }
    if (r->count <= t->least || !satisfies(t, r) || most == 0) {
        t->groups[t->count++] = *r;
        return;
    }
    rows grown[2] = {one(r->row[ends[0]]), one(r->row[ends[1]])};
    bool right[ROWS_MOST] = {false};
    right[ends[1]] = true;
    for (int i = 0; i < r->count; i++) {
        if (i == ends[0] || i == ends[1]) continue;
        rows more = one(r->row[i]);
        uint64_t first = merging_cost(t, &grown[0], &more);
        uint64_t second = merging_cost(t, &grown[1], &more);
        right[i] = first != second ? second < first : grown[1].count < grown[0].count;
        grown[right[i]] = with(&grown[right[i]], &more);
    }
    rows sides[2] = {{.count = 0}, {.count = 0}}; /* in their order */
    for (int i = 0; i < r->count; i++)
        sides[right[i]].row[sides[right[i]].count++] = r->row[i];
    split(t, &sides[0]);
    split(t, &sides[1]);
}

/* Takes the records that `to` lacks from `from`, the nearest first. */
static void borrow(const twin *t, rows *to, rows *from)
{
    while (to->count < t->least) {
        int best = 0;
        uint64_t least = UINT64_MAX;
        for (int i = 0; i < from->count; i++) {
            rows more = one(from->row[i]), both = with(to, &more);
            uint64_t after = loss(t, &both);
            if (after >= least) continue;
            least = after;
            best = i;
        }
        to->row[to->count++] = from->row[best];
        from->count--;
        for (int i = best; i < from->count; i++)
            from->row[i] = from->row[i + 1];
    }
}

static void unite_two(twin *t, int from, int to)
{
    t->groups[to] = with(&t->groups[to], &t->groups[from]);
    t->groups[from].count = 0;
}

static void merge(twin *t)
{
    for (;;) {
        int smallest = -1, nearest = -1;
        uint64_t least = UINT64_MAX;
        for (int i = 0; i < t->count; i++)
            if (t->groups[i].count > 0 && !satisfies(t, &t->groups[i]) &&
                (smallest < 0 || t->groups[i].count < t->groups[smallest].count))
                smallest = i;
        if (smallest < 0) return;
        for (int i = 0; i < t->count; i++) {
            if (i == smallest || t->groups[i].count == 0) continue;
            uint64_t cost = merging_cost(t, &t->groups[smallest], &t->groups[i]);
            if (cost >= least) continue;
            least = cost;
            nearest = i;
        }
        assert_true(nearest >= 0);
        rows a = t->groups[smallest], b = t->groups[nearest];
        if (t->borrow && t->distinct == 0 && a.count + b.count >= 2 * t->least) {
            uint64_t before = (uint64_t)a.count * loss(t, &a) + (uint64_t)b.count * loss(t, &b);
            borrow(t, &a, &b);
            t->groups[smallest] = a;
            t->groups[nearest] = b;
            uint64_t after = (uint64_t)a.count * loss(t, &a) + (uint64_t)b.count * loss(t, &b);
            if (after < before + least) continue;
        }
        unite_two(t, smallest, nearest);
    }
}

/* ---- classes that look alike ---- */

static void look_of(const twin *t, size_t column, const rows *r, uint32_t *lo, uint32_t *hi)
{
    const bt_column *c = &t->table->columns[column];
    *lo = UINT32_MAX;
    *hi = 0;
    for (int i = 0; i < r->count; i++) {
        uint32_t mine = code(t, column, r->row[i]);
        *lo = mine < *lo ? mine : *lo;
        *hi = mine > *hi ? mine : *hi;
    }
    if (c->hierarchy) {
        *lo = bt_hierarchy_cover(c->hierarchy, *lo, *hi);
        *hi = UINT32_MAX;
    } else if (*lo != *hi && *hi >= bt_domain_present(&c->domain)) {
        *lo = 0;
    }
}

static void unite_alike(twin *t)
{
    rows first[ROWS_MOST]; /* as they were: what is united may look otherwise */
    memcpy(first, t->groups, sizeof first);
    for (int i = 0; i < t->count; i++)
        for (int j = 0; j < i && t->groups[i].count > 0; j++) {
            bool alike = t->groups[j].count > 0;
            for (size_t c = 0; alike && c < t->columns; c++) {
                uint32_t a[2], b[2];
                look_of(t, c, &first[i], &a[0], &a[1]);
                look_of(t, c, &first[j], &b[0], &b[1]);
                alike = a[0] == b[0] && a[1] == b[1];
            }
            if (alike) unite_two(t, i, j);
        }
}

/* ---- comparing ---- */

static void compare(const twin *t, const bt_grouping *g)
{
    uint32_t class_of[ROWS_MOST], classes = 0;
    assert_int_equal(g->kept, t->table->rows);
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            assert_true(i == g->starts[c] || g->order[i] > g->order[i - 1]);
            class_of[g->order[i]] = c;
        }
    for (int i = 0; i < t->count; i++) {
        const rows *r = &t->groups[i];
        if (r->count == 0) continue;
        classes++;
        assert_true(satisfies(t, r));
        assert_int_equal(bt_class_size(g, class_of[r->row[0]]), r->count);
        for (int j = 1; j < r->count; j++)
            assert_int_equal(class_of[r->row[j]], class_of[r->row[0]]);
    }
    assert_int_equal(g->classes, classes);
    for (uint32_t c = 0; c < g->classes; c++)
        for (size_t q = 0; q < t->columns; q++) {
            bt_box tight = bt_tight_box(g, &t->table->columns[q], c);
            assert_int_equal(bt_class_box(g, c)[q].lo, tight.lo);
            assert_int_equal(bt_class_box(g, c)[q].hi, tight.hi);
        }
}

static bool draw_requirements(uint64_t *state, twin *t, char *text, size_t size)
{
    rows all = {.count = (int)t->table->rows};
    for (int i = 0; i < all.count; i++)
        all.row[i] = i;
    t->least = 1 + (int64_t)test_below(state, 6);
    size_t length = (size_t)snprintf(text, size, "k=%d", (int)t->least);
    if (test_below(state, 2)) {
        t->distinct = 1 + (int64_t)test_below(state, 3);
        length += (size_t)snprintf(text + length, size - length, ",p=%d", (int)t->distinct);
        if (test_below(state, 2)) {
            t->tenths = 4 + (int64_t)test_below(state, 6);
            snprintf(text + length, size - length, ",alpha=0.%d", (int)t->tenths);
        }
    }
    return satisfies(t, &all);
}

static void check_setting(const bt_loaded *loaded, const bt_run *run, bool borrows, uint64_t *state)
{
    bauta_error error;
    char text[64];
    bt_arena arena = {0};
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_grouping grouping;
    static twin t;
    t = (twin){.table = &loaded->table, .columns = loaded->table.count - 1, .borrow = borrows};
    if (!draw_requirements(state, &t, text, sizeof text)) return;
    assert_ok(bt_requirements_parse(text, &arena, &requirements, &error), &error);
    bt_people people = bt_people_plain(loaded->table.rows);
    if (!requirements.size_only)
        assert_ok(bt_people_of_table(&loaded->table, &people, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(borrows ? "cluster:merge=borrow" : "cluster", &arena, &method,
                              &options, &canonical, &error),
              &error);
    bt_method_job job = {
        .table = &loaded->table, .requirements = &requirements, .options = options, .run = run};
    assert_ok(method->group(&job, &grouping, &error), &error);
    rows all = {.count = (int)loaded->table.rows};
    uint32_t order[ROWS_MOST];
    bt_stream stream;
    bt_stream_init(&stream, &run->seed, "cluster", 0);
    bt_stream_permutation(&stream, order, (uint32_t)all.count);
    for (int i = 0; i < all.count; i++)
        all.row[i] = (int)order[i];
    split(&t, &all);
    merge(&t);
    unite_alike(&t);
    compare(&t, &grouping);
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
    for (int i = 0; i < 4; i++)
        check_setting(&loaded, &run, i % 2, state);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

static void equals_the_twin(void **unused)
{
    (void)unused;
    static const char *const threads[] = {"1", "2", "7"};
    uint64_t state = 1;
    for (int i = 0; i < 500; i++)
        check_table(&state, threads[i % 3]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_the_twin)};
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
