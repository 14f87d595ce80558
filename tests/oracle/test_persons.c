/* SPDX-License-Identifier: Apache-2.0
 *
 * Grouping with persons who have several rows, with min-level, max-level and weights, judged by
 * plain counting: on thousands of small random tables, for every method that divides, rows apart
 * and together, any number of threads.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "class/steer.h"
#include "class/subjects.h"
#include "group/method.h"
#include "job/check.h"
#include "job/load.h"

enum { ROWS_MOST = 60, COLUMNS_MOST = 3, VALUES = 4, ROUNDS = 6000, NONE = -1 };

/* ---- a random job, read through the front door ---- */

typedef struct asked {
    int64_t k, p;
    int64_t tenths, t_tenths; /* alpha and t; 0: not asked for */
    bool subjects, together;
    bool limits;      /* min-level and max-level */
    int64_t suppress; /* per cent */
    const char *method;
} asked;

typedef struct world {
    asked want;
    bt_run run;
    bt_loaded loaded;
    bt_people people;
    bt_requirements requirements;
    bt_arena arena;
    bauta_recipe *recipe;
    const bt_column **quasi;
    size_t columns;
    uint32_t values[ROWS_MOST]; /* sensitive codes */
    int person[ROWS_MOST];
    int rows;
} world;

static const char *const specs[] = {NULL, "balanced:2", "balanced:3", "flat", "mask"};

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static const char *write_table(uint64_t *random, size_t columns, bauta_recipe *recipe)
{
    char text[8192], spec[32];
    size_t length = 0, rows = 1 + test_below(random, ROWS_MOST);
    uint64_t persons = 1 + test_below(random, rows), many[COLUMNS_MOST];
    for (size_t c = 0; c < columns; c++) {
        const char *kind = specs[test_below(random, sizeof specs / sizeof *specs)];
        many[c] = 1 + test_below(random, 9);
        snprintf(spec, sizeof spec, "c%zu", c);
        set(recipe, "quasi", spec);
        snprintf(spec, sizeof spec, "c%zu=%s", c, kind ? kind : "");
        if (kind) set(recipe, "hierarchy", spec);
        length += (size_t)snprintf(text + length, sizeof text - length, "c%zu,", c);
    }
    length += (size_t)snprintf(text + length, sizeof text - length, "s,id\n");
    for (size_t r = 0; r < rows; r++) {
        for (size_t c = 0; c < columns; c++) {
            uint64_t value = test_below(random, many[c]);
            length += (size_t)snprintf(text + length, sizeof text - length, "%c%c,",
                                       (int)('a' + value % 3), (int)('a' + value / 3));
        }
        length += (size_t)snprintf(text + length, sizeof text - length, "%c,%d\n",
                                   (int)('a' + test_below(random, VALUES)),
                                   (int)test_below(random, persons));
    }
    assert_true(length < sizeof text);
    return scratch_text("table.csv", text);
}

static asked random_wishes(uint64_t *random)
{
    static const char *const methods[] = {"mondrian:order=gain",
                                          "mondrian:order=widest",
                                          "mondrian:order=round-robin",
                                          "mondrian:cuts=order",
                                          "top-down",
                                          "top-down:attribute=ncp"};
    asked want = {.k = 1 + (int64_t)test_below(random, 4),
                  .p = 1 + (int64_t)test_below(random, 2),
                  .tenths = test_below(random, 2) ? 4 + (int64_t)test_below(random, 6) : 0,
                  .t_tenths = test_below(random, 4) ? 0 : 3 + (int64_t)test_below(random, 5),
                  .subjects = test_below(random, 5) > 0,
                  .limits = test_below(random, 3) > 0,
                  .suppress = 10 * (int64_t)test_below(random, 6),
                  .method = methods[test_below(random, sizeof methods / sizeof *methods)]};
    want.together = want.subjects && test_below(random, 2);
    return want;
}

/* Levels and weights of columns that have any. */
static void steer(world *w, uint64_t *random)
{
    for (size_t c = 0; c < w->loaded.table.count; c++) {
        bt_column *column = &w->loaded.table.columns[c];
        if (column->role != BT_ROLE_QUASI) continue;
        if (test_below(random, 2))
            column->steering.weight = (bt_rational){(int64_t)test_below(random, 4), 4};
        if (!column->hierarchy || !w->want.limits) continue;
        uint32_t root = column->hierarchy->levels - 1;
        uint32_t least = (uint32_t)test_below(random, root + 1);
        if (test_below(random, 2)) column->steering.lowest = least;
        if (test_below(random, 2))
            column->steering.above = least + 1 + (uint32_t)test_below(random, root + 1 - least);
    }
}

static void parse(world *w)
{
    char text[128];
    const asked *want = &w->want;
    bauta_error error;
    int length = snprintf(text, sizeof text, "k=%d,p=%d", (int)want->k, (int)want->p);
    if (want->tenths)
        length +=
            snprintf(text + length, sizeof text - (size_t)length, ",alpha=0.%d", (int)want->tenths);
    if (want->t_tenths)
        snprintf(text + length, sizeof text - (size_t)length, ",t=0.%d", (int)want->t_tenths);
    assert_ok(bt_requirements_parse(text, &w->arena, &w->requirements, &error), &error);
}

static void open_world(world *w, const asked *want, uint64_t *random)
{
    bauta_error error;
    *w = (world){.want = *want};
    assert_ok(bauta_recipe_new(&w->recipe, &error), &error);
    set(w->recipe, "input", write_table(random, 1 + test_below(random, COLUMNS_MOST), w->recipe));
    set(w->recipe, "sensitive", "s");
    if (!want->subjects) set(w->recipe, "drop", "id");
    set(w->recipe, "subject", want->subjects ? "id" : "none");
    set(w->recipe, "threads", test_below(random, 2) ? "1" : "3");
    assert_ok(bt_run_open(w->recipe, &w->run, &error), &error);
    assert_ok(bt_load(w->recipe, &w->run, false, &w->loaded, &error), &error);
    steer(w, random);
    const bt_table *table = &w->loaded.table;
    assert_ok(bt_table_select(table, BT_ROLE_QUASI, &w->quasi, &w->columns, &error), &error);
    assert_ok(bt_people_of_table(table, &w->people, &error), &error);
    w->people.together = want->together;
    parse(w);
    assert_ok(bt_requirements_bind(&w->requirements, &w->people, &w->arena, &error), &error);
    w->rows = (int)table->rows;
    for (int row = 0; row < w->rows; row++) {
        w->values[row] = bt_column_code(&table->columns[w->columns], row);
        w->person[row] = want->subjects ? (int)table->subject_of[row] : row;
    }
}

static void close_world(world *w)
{
    free(w->quasi);
    bt_people_release(&w->people);
    bt_loaded_release(&w->loaded);
    bt_run_close(&w->run);
    bt_arena_release(&w->arena);
    bauta_recipe_free(w->recipe);
}

/* ---- counting ---- */

typedef struct count {
    int64_t persons, of_value[VALUES], total;
} count;

/* The persons in some rows, and of those how many have each value. */
static count count_rows(const world *w, const bool *in)
{
    count out = {0};
    for (int row = 0; row < w->rows; row++) {
        bool person = in[row], value = in[row];
        for (int before = 0; before < row; before++) {
            if (!in[before] || w->person[before] != w->person[row]) continue;
            person = false;
            if (w->values[before] == w->values[row]) value = false;
        }
        out.persons += person;
        out.of_value[w->values[row]] += value;
        out.total += value;
    }
    return out;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

/* `all`: the records that are compared with. */
static bool satisfies(const world *w, const bool *in, const count *all)
{
    const asked *want = &w->want;
    count c = count_rows(w, in);
    int64_t distinct = 0, apart = 0;
    for (int v = 0; v < VALUES; v++) {
        distinct += c.of_value[v] > 0;
        if (want->tenths && 10 * c.of_value[v] > want->tenths * c.persons) return false;
        apart += distance(c.of_value[v] * all->total, all->of_value[v] * c.total);
    }
    if (want->t_tenths && 10 * apart > 2 * want->t_tenths * c.total * all->total) return false;
    return c.persons >= want->k && distinct >= want->p;
}

/* ---- what max-level keeps apart ---- */

static bool same_part(const world *w, int a, int b)
{
    for (size_t c = 0; c < w->columns; c++) {
        const bt_column *column = w->quasi[c];
        if (column->hierarchy && bt_hierarchy_at(column->hierarchy, bt_column_code(column, a),
                                                 bt_highest_level(column)) !=
                                     bt_hierarchy_at(column->hierarchy, bt_column_code(column, b),
                                                     bt_highest_level(column)))
            return false;
    }
    return true;
}

static bool is_torn(const world *w, int row)
{
    for (int other = 0; w->want.together && other < w->rows; other++)
        if (w->person[other] == w->person[row] && !same_part(w, row, other)) return true;
    return false;
}

/* Drops persons that are torn and parts that do not satisfy, compared with what is there, until
 * nothing more is dropped. False: nothing is left, or more was dropped than may be. */
static bool drop_rows(const world *w, bool *left)
{
    int gone = 0;
    for (int row = 0; row < w->rows; row++)
        left[row] = true;
    for (bool settled = false; !settled;) {
        bool whole[ROWS_MOST], part[ROWS_MOST], able[ROWS_MOST];
        memcpy(whole, left, sizeof whole);
        count all = count_rows(w, whole);
        settled = true;
        for (int row = 0; row < w->rows; row++)
            able[row] = whole[row] && !is_torn(w, row);
        for (int row = 0; row < w->rows; row++) {
            for (int other = 0; other < w->rows; other++)
                part[other] = able[other] && same_part(w, row, other);
            left[row] = able[row] && satisfies(w, part, &all);
            settled = settled && left[row] == whole[row];
        }
    }
    for (int row = 0; row < w->rows; row++)
        gone += !left[row];
    return gone < w->rows && 100 * gone <= w->want.suppress * w->rows;
}

/* ---- what a grouping must be ---- */

static void assert_cells(const world *w, const bt_grouping *g, uint32_t number)
{
    for (size_t c = 0; c < w->columns; c++) {
        const bt_column *column = w->quasi[c];
        bt_box box = bt_class_box(g, number)[c], tight = {UINT32_MAX, 0};
        for (uint32_t i = g->starts[number]; i < g->starts[number + 1]; i++) {
            uint32_t code = bt_column_code(column, g->order[i]);
            tight.lo = code < tight.lo ? code : tight.lo;
            tight.hi = code > tight.hi ? code : tight.hi;
            if (!column->hierarchy) continue;
            const bt_node *nodes = column->hierarchy->nodes;
            const bt_node *node = &nodes[bt_published_node(g, column, c, number)];
            const bt_node *low =
                &nodes[bt_hierarchy_at(column->hierarchy, code, column->steering.lowest)];
            const bt_node *high =
                &nodes[bt_hierarchy_at(column->hierarchy, code, bt_highest_level(column))];
            assert_true(node->lo <= low->lo && low->hi <= node->hi);
            assert_true(high->lo <= node->lo && node->hi <= high->hi);
        }
        assert_int_equal(box.lo, tight.lo);
        assert_int_equal(box.hi, tight.hi);
    }
}

static bool look_alike(const world *w, const bt_grouping *g, uint32_t a, uint32_t b)
{
    for (size_t c = 0; c < w->columns; c++) {
        const bt_column *column = w->quasi[c];
        const bt_box *x = &bt_class_box(g, a)[c], *y = &bt_class_box(g, b)[c];
        bool same = column->hierarchy
                        ? bt_published_node(g, column, c, a) == bt_published_node(g, column, c, b)
                        : x->lo == y->lo && x->hi == y->hi;
        if (!same) return false;
    }
    return true;
}

static void assert_grouping(const world *w, const bt_grouping *g)
{
    int class_of[ROWS_MOST];
    bool all[ROWS_MOST] = {false}, in[ROWS_MOST];
    for (int row = 0; row < w->rows; row++)
        class_of[row] = NONE;
    assert_int_equal(g->rows, w->rows);
    assert_int_equal(g->starts[g->classes], g->kept);
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            assert_int_equal(class_of[g->order[i]], NONE);
            assert_true(i == g->starts[c] || g->order[i - 1] < g->order[i]);
            class_of[g->order[i]] = (int)c;
            all[g->order[i]] = true;
        }
    count whole = count_rows(w, all);
    for (uint32_t c = 0; c < g->classes; c++) {
        for (int row = 0; row < w->rows; row++)
            in[row] = class_of[row] == (int)c;
        assert_true(satisfies(w, in, &whole));
        assert_cells(w, g, c);
        for (uint32_t other = 0; other < c; other++)
            assert_false(look_alike(w, g, c, other));
    }
    for (int a = 0; a < w->rows; a++)
        for (int b = 0; w->want.together && b < a; b++)
            if (w->person[a] == w->person[b]) assert_int_equal(class_of[a], class_of[b]);
}

/* ---- persons told apart ---- */

static bool same_sequence(const world *w, const int *class_of, int a, int b)
{
    int mine = -1, theirs = -1;
    for (;;) {
        do
            mine++;
        while (mine < w->rows && (w->person[mine] != a || class_of[mine] == NONE));
        do
            theirs++;
        while (theirs < w->rows && (w->person[theirs] != b || class_of[theirs] == NONE));
        if (mine == w->rows || theirs == w->rows) return mine == theirs;
        if (class_of[mine] != class_of[theirs]) return false;
    }
}

static void assert_subjects(const world *w, const bt_grouping *g)
{
    bauta_error error;
    bt_subject_counts found;
    int class_of[ROWS_MOST], rows_of[ROWS_MOST] = {0};
    bt_subject_counts expected = {.smallest = INT64_MAX};
    for (int row = 0; row < w->rows; row++)
        class_of[row] = NONE;
    for (uint32_t c = 0; c < g->classes; c++) {
        bool in[ROWS_MOST] = {false};
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++) {
            class_of[g->order[i]] = (int)c;
            in[g->order[i]] = true;
            rows_of[w->person[g->order[i]]]++;
        }
        int64_t persons = count_rows(w, in).persons;
        if (persons < expected.smallest) expected.smallest = persons;
    }
    for (int p = 0; p < w->rows; p++) {
        bool alone = rows_of[p] > 0;
        expected.persons += rows_of[p] > 0;
        expected.several += rows_of[p] > 1;
        for (int other = 0; other < w->rows && alone; other++)
            alone = other == p || rows_of[other] == 0 || !same_sequence(w, class_of, p, other);
        expected.told_apart += alone;
    }
    assert_ok(bt_subjects_count(g, &w->loaded.table, &found, &error), &error);
    assert_int_equal(found.persons, expected.persons);
    assert_int_equal(found.several, expected.several);
    assert_int_equal(found.smallest, expected.smallest);
    assert_int_equal(found.told_apart, expected.told_apart);
}

/* ---- the test ---- */

typedef struct tried {
    int grouped, refused, dropped;
} tried;

static bauta_status group(const world *w, bt_grouping *out, bauta_error *error)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_arena arena = {0};
    assert_ok(bt_method_parse(w->want.method, &arena, &method, &options, &canonical, error), error);
    bt_method_job job = {.table = &w->loaded.table,
                         .requirements = &w->requirements,
                         .options = options,
                         .suppress = {w->want.suppress, 100},
                         .records = w->rows,
                         .run = &w->run};
    bauta_status status = bt_group(method, &job, out, error);
    bt_arena_release(&arena);
    return status;
}

static void try_one(uint64_t *random, tried *total)
{
    world w;
    bauta_error error;
    bt_grouping grouping;
    bool left[ROWS_MOST];
    const asked want = random_wishes(random);
    open_world(&w, &want, random);
    if (bt_requirements_feasible(&w.requirements, &error) != BAUTA_OK) {
        close_world(&w);
        return;
    }
    bool possible = drop_rows(&w, left);
    bauta_status status = group(&w, &grouping, &error);
    if (possible != (status == BAUTA_OK))
        fail_msg("%s: %s", possible ? "refused" : "not refused", error.message);
    if (status == BAUTA_OK) {
        int64_t rows = 0;
        for (int row = 0; row < w.rows; row++)
            rows += left[row];
        assert_int_equal(grouping.kept, rows);
        assert_grouping(&w, &grouping);
        assert_ok(bt_check_grouping(&w.loaded.table, &grouping, &w.requirements, &w.run, &error),
                  &error);
        if (want.subjects) assert_subjects(&w, &grouping);
        total->dropped += grouping.kept < w.rows;
    } else {
        assert_int_equal(status, BAUTA_NO);
    }
    total->grouped += status == BAUTA_OK && grouping.classes > 1;
    total->refused += status != BAUTA_OK;
    bt_grouping_release(&grouping);
    close_world(&w);
}

static void every_class_is_what_was_asked_for(void **unused)
{
    (void)unused;
    uint64_t random = 20260;
    tried total = {0};
    for (int i = 0; i < ROUNDS; i++)
        try_one(&random, &total);
    /* Each outcome was seen often enough to mean something. */
    assert_true(total.grouped > ROUNDS / 3);
    assert_true(total.refused > ROUNDS / 20);
    assert_true(total.dropped > ROUNDS / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_is_what_was_asked_for),
    };
    return cmocka_run_group_tests_name("persons", tests, scratch_make, scratch_empty);
}
