/* SPDX-License-Identifier: Apache-2.0
 *
 * Plans against a brute-force twin. On random tables a method makes classes, of which a plan is
 * made, written and read again. Applied to the same table it gives the same classes. Applied to
 * another one, with values that moved and values that nobody had, each record goes where its texts
 * lead when all classes are looked through one by one.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "class/locate.h"
#include "job/load.h"
#include "job/plan.h"
#include "table/order.h"

enum { ROWS = 60, COLUMNS = 4, TABLES = 60, TEXT = 12 };

static bauta_error error;

/* ---- tables ---- */

typedef struct texts { /* n: a number; w: one with intervals; t: a text; c: a leaf of a given tree
                        */
    char cell[ROWS][COLUMNS][TEXT];
} texts;

static const char *const names[COLUMNS] = {"n", "w", "t", "c"};

static void random_table(uint64_t *random, bool moved, texts *out)
{
    for (int r = 0; r < ROWS; r++) {
        unsigned most = moved ? 14 : 10;
        snprintf(out->cell[r][0], TEXT, "%d",
                 3 * (int)test_below(random, 9) + (int)(moved ? test_below(random, 3) : 0));
        snprintf(out->cell[r][1], TEXT, "%d", (int)test_below(random, moved ? 30 : 24));
        snprintf(out->cell[r][2], TEXT, "%c", "abcdefghij"[test_below(random, moved ? 7 : 6)]);
        snprintf(out->cell[r][3], TEXT, "l%d", (int)test_below(random, most));
        for (int c = 0; c < COLUMNS; c++)
            if (test_below(random, 30) == 0) out->cell[r][c][0] = '\0';
    }
}

static void write_tables(const texts *t)
{
    bt_buffer text = {0};
    assert_ok(bt_buffer_print(&text, &error, "n,w,t,c,s\n"), &error);
    for (int r = 0; r < ROWS; r++)
        assert_ok(bt_buffer_print(&text, &error, "%s,%s,%s,%s,x\n", t->cell[r][0], t->cell[r][1],
                                  t->cell[r][2], t->cell[r][3]),
                  &error);
    scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
}

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static bauta_recipe *new_recipe(bool first, bool levels)
{
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", scratch_name("table.csv"));
    set(recipe, "sensitive", "s");
    set(recipe, "seed", "1");
    if (!first) return recipe;
    char tree[320] = "";
    /* leaves 0..11: the others of a moved table are strangers to it */
    for (int i = 0; i < 12; i++)
        snprintf(tree + strlen(tree), sizeof tree - strlen(tree), "l%d;N%d;*\n", i, i / 4);
    char given[300];
    snprintf(given, sizeof given, "c=%s", scratch_text("tree.csv", tree));
    set(recipe, "quasi", "n,w,t,c");
    set(recipe, "type", "n=integer");
    set(recipe, "hierarchy", "w=intervals:5,10");
    set(recipe, "hierarchy", given);
    if (levels) {
        set(recipe, "hierarchy", "n=flat");
        set(recipe, "hierarchy", "t=flat");
    }
    return recipe;
}

typedef struct night {
    bt_arena arena;
    bt_run run;
    bauta_recipe *recipe, *planned;
    bt_loaded loaded;
    bt_requirements requirements;
    bt_people people;
    bt_grouping grouping;
    bt_parts parts;
} night;

static void begin(bauta_recipe *recipe, const bt_plan *plan, night *n)
{
    *n = (night){.recipe = recipe};
    assert_ok(bt_run_open(recipe, &n->run, &error), &error);
    if (plan) assert_ok(bt_plan_recipe(recipe, plan, &n->planned, &error), &error);
    assert_ok(bt_load(plan ? n->planned : recipe, &n->run, false, &n->loaded, &error), &error);
}

static void end(night *n)
{
    bt_parts_release(&n->parts);
    bt_grouping_release(&n->grouping);
    bt_people_release(&n->people);
    bt_loaded_release(&n->loaded);
    bt_run_close(&n->run);
    bt_arena_release(&n->arena);
    bauta_recipe_free(n->planned);
    bauta_recipe_free(n->recipe);
}

static bauta_status make_plan(night *n, const char *group, const char *require, bt_plan *out)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_plan made;
    bt_buffer text = {0}, again = {0};
    assert_ok(bt_requirements_parse(require, &n->arena, &n->requirements, &error), &error);
    assert_ok(bt_people_of_table(&n->loaded.table, &n->people, &error), &error);
    assert_ok(bt_requirements_bind(&n->requirements, &n->people, &n->arena, &error), &error);
    assert_ok(bt_method_parse(group, &n->arena, &method, &options, &canonical, &error), &error);
    const bt_method_job job = {.table = &n->loaded.table,
                               .requirements = &n->requirements,
                               .options = options,
                               .suppress = {0, 1},
                               .records = ROWS,
                               .unchecked = method->as_given,
                               .run = &n->run};
    bauta_status status = bt_group(method, &job, &n->grouping, &error);
    if (status != BAUTA_OK) return status;
    const bt_plan_source source = {.table = &n->loaded.table,
                                   .grouping = &n->grouping,
                                   .method = method,
                                   .method_text = canonical,
                                   .requirements = &n->requirements,
                                   .run = &n->run};
    status = bt_plan_make(&source, &n->arena, &made, &error);
    if (status != BAUTA_OK) return status;
    assert_ok(bt_plan_write(&made, &text, &error), &error);
    assert_ok(bt_plan_read("plan", text.bytes, text.length, &n->arena, out, &error), &error);
    assert_ok(bt_plan_write(out, &again, &error), &error);
    assert_int_equal(text.length, again.length);
    assert_memory_equal(text.bytes, again.bytes, text.length);
    bt_buffer_release(&text);
    bt_buffer_release(&again);
    return BAUTA_OK;
}

static void apply(night *n, const bt_plan *plan)
{
    bt_bound_plan *bound;
    assert_ok(bt_plan_bind(plan, &n->loaded.table, false, &n->run, &bound, &error), &error);
    assert_ok(bt_plan_parts(bound, &n->loaded.table, &n->run, &n->parts, &error), &error);
    bt_bound_plan_free(bound);
}

/* Per row: the part that it is in; UINT32_MAX: none. */
static void list_parts(const bt_parts *parts, uint32_t out[ROWS])
{
    memset(out, 0xff, ROWS * sizeof *out);
    for (uint32_t p = 0; p < parts->count; p++)
        for (uint32_t i = parts->starts[p]; i < parts->starts[p + 1]; i++)
            out[parts->order[i]] = p;
}

/* ---- the twin ---- */

/* The number in a text, behind a letter or not. */
static int number_in(const char *text)
{
    int number = 0;
    for (text += *text == 'l'; *text >= '0' && *text <= '9'; text++)
        number = 10 * number + (*text - '0');
    return number;
}

static const bt_plan_column *column_of(const bt_plan *plan, int c)
{
    for (size_t i = 0; i < plan->column_count; i++)
        if (strcmp(plan->columns[i].name, names[c]) == 0) return &plan->columns[i];
    fail();
    return NULL;
}

/* Whether a cell stands for a text. */
static bool covers(const char *cell, int c, const char *text)
{
    int lo, hi, number = number_in(text);
    if (strcmp(cell, "*") == 0) return true;
    if (strcmp(cell, text) == 0) return true;
    if (text[0] == '\0') return false;
    if (c < 2 && sscanf(cell, c == 0 ? "[%d,%d]" : "%d-%d", &lo, &hi) == 2)
        return lo <= number && number <= hi;
    if (c == 2 && cell[0] == '{') return strchr(cell, text[0]) != NULL;
    return c == 3 && cell[0] == 'N' && number < 12 && number / 4 == cell[1] - '0';
}

/* Where a text stands among the values of a column, twice, or between two of them; -1: nowhere. */
static int place_of(const bt_plan_column *column, int c, const char *text)
{
    int count = (int)column->value_count;
    if (text[0] == '\0') return column->has_missing ? 2 * count : -1;
    for (int i = 0; i < count; i++) {
        if (strcmp(column->values[i], text) == 0) return 2 * i;
        if (c < 2 && i > 0 && number_in(column->values[i - 1]) < number_in(text) &&
            number_in(text) < number_in(column->values[i]))
            return 2 * i - 1;
    }
    return -1;
}

static bool cells_cover(const bt_plan *plan, uint32_t number, char cells[COLUMNS][TEXT])
{
    for (int c = 0; c < COLUMNS; c++) {
        const bt_plan_column *column = column_of(plan, c);
        size_t at = number * plan->column_count + (size_t)(column - plan->columns);
        if (!covers(column->cells[plan->cells[at]], c, cells[c])) return false;
    }
    return true;
}

static bool box_holds(const bt_plan *plan, uint32_t number, char cells[COLUMNS][TEXT])
{
    for (int c = 0; c < COLUMNS; c++) {
        const bt_plan_column *column = column_of(plan, c);
        bt_box box = plan->boxes[number * plan->column_count + (size_t)(column - plan->columns)];
        int place = place_of(column, c, cells[c]);
        if (place < 2 * (int)box.lo || place > 2 * (int)box.hi) return false;
    }
    return true;
}

static bool is_tuple(const bt_plan *plan, uint32_t tuple, char cells[COLUMNS][TEXT])
{
    for (int c = 0; c < COLUMNS; c++) {
        const bt_plan_column *column = column_of(plan, c);
        uint32_t code = plan->tuples[tuple * plan->column_count + (size_t)(column - plan->columns)];
        if (place_of(column, c, cells[c]) != 2 * (int)code) return false;
    }
    return true;
}

static bool same_cells(const bt_plan *plan, uint32_t a, uint32_t b)
{
    return memcmp(plan->cells + a * plan->column_count, plan->cells + b * plan->column_count,
                  plan->column_count * sizeof *plan->cells) == 0;
}

static uint32_t class_of(const bt_plan *plan, char cells[COLUMNS][TEXT])
{
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < plan->tuple_count && found == UINT32_MAX; i++)
        if (is_tuple(plan, i, cells) && cells_cover(plan, plan->class_of[i], cells))
            found = plan->class_of[i];
    for (uint32_t i = 0; i < plan->class_count && found == UINT32_MAX; i++)
        if (box_holds(plan, i, cells) && cells_cover(plan, i, cells)) found = i;
    for (uint32_t i = 0; i < plan->class_count && found == UINT32_MAX; i++)
        if (cells_cover(plan, i, cells)) found = i;
    for (uint32_t i = 0; found != UINT32_MAX && i < found; i++)
        if (same_cells(plan, i, found)) return i;
    return found;
}

/* What a level makes of a text; UINT32_MAX: it is in no class. */
static uint32_t node_of(const bt_plan *plan, int c, const char *text)
{
    uint32_t level = column_of(plan, c)->level, number = (uint32_t)number_in(text);
    uint32_t top = c == 1 ? 3 : c == 3 ? 2 : 1;
    if (level == top) return 0;
    if (text[0] == '\0') return 1;
    if (c == 3 && number >= 12) return UINT32_MAX;
    if (level == 0) return 2 + (c == 2 ? (uint32_t)text[0] : number);
    return 2 + (c == 3 ? number / 4 : number / (level == 1 ? 5 : 10));
}

/* ---- the tests ---- */

/* Applied to the table that it was made of, a plan gives its classes back. */
static void check_same(const night *first, const bt_plan *plan)
{
    night again;
    uint32_t part[ROWS];
    begin(new_recipe(false, false), plan, &again);
    apply(&again, plan);
    list_parts(&again.parts, part);
    assert_int_equal(again.parts.count, first->grouping.classes);
    for (uint32_t c = 0; c < first->grouping.classes; c++)
        for (uint32_t i = first->grouping.starts[c]; i < first->grouping.starts[c + 1]; i++)
            assert_int_equal(part[first->grouping.order[i]],
                             part[first->grouping.order[first->grouping.starts[c]]]);
    end(&again);
}

static void check_moved(const bt_plan *plan, texts *t, int *outside, int *inside)
{
    night other;
    uint32_t part[ROWS];
    write_tables(t);
    begin(new_recipe(false, false), plan, &other);
    apply(&other, plan);
    list_parts(&other.parts, part);
    for (int r = 0; r < ROWS; r++) {
        if (plan->kind == BT_PLAN_BOXES) {
            uint32_t expected = class_of(plan, t->cell[r]);
            uint32_t found = part[r] == UINT32_MAX ? UINT32_MAX : other.parts.of[part[r]];
            assert_int_equal(found, expected);
        }
        bool in = true;
        for (int c = 0; c < COLUMNS && plan->kind == BT_PLAN_LEVELS; c++)
            in = in && node_of(plan, c, t->cell[r][c]) != UINT32_MAX;
        if (plan->kind == BT_PLAN_LEVELS) assert_int_equal(in, part[r] != UINT32_MAX);
        for (int other_row = 0; other_row < r && plan->kind == BT_PLAN_LEVELS && in; other_row++) {
            bool same = true;
            for (int c = 0; c < COLUMNS; c++)
                same = same &&
                       node_of(plan, c, t->cell[r][c]) == node_of(plan, c, t->cell[other_row][c]);
            assert_int_equal(same, part[r] == part[other_row]);
        }
        *outside += part[r] == UINT32_MAX;
        *inside += part[r] != UINT32_MAX;
    }
    end(&other);
}

static void plans_are_applied_as_their_texts_say(void **state)
{
    (void)state;
    static const char *const groups[][2] = {
        {"mondrian", "k=3"},
        {"mondrian:minimal=no", "k=2"},
        {"mondrian:cuts=order", "k=3"},
        {"columns:w@1,t", "k=1"},
        {"whole", "k=2"},
        {"cluster", "k=3"},
        {"incognito", "k=3"},
        {"identical", "k=1"},
        {"top-down", "k=2"},
    };
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++) {
        uint64_t random = 7 + g;
        int made = 0, outside = 0, inside = 0;
        bool levels = g == 6;
        for (int table = 0; table < TABLES; table++) {
            texts t;
            night first;
            bt_plan plan;
            random_table(&random, false, &t);
            write_tables(&t);
            begin(new_recipe(true, levels), NULL, &first);
            if (make_plan(&first, groups[g][0], groups[g][1], &plan) == BAUTA_OK) {
                made++;
                assert_int_equal(plan.kind, levels ? BT_PLAN_LEVELS : BT_PLAN_BOXES);
                check_same(&first, &plan);
                random_table(&random, true, &t);
                check_moved(&plan, &t, &outside, &inside);
            }
            end(&first);
        }
        assert_true(made > 0);
        assert_true(inside > 0);
        assert_true(outside > 0 || g == 4 || g == 8);
    }
}

/* The first of random boxes that hold a point, against all of them. */
static void boxes_are_found(void **state)
{
    (void)state;
    enum { MOST = 300 };
    bt_box boxes[MOST * 2];
    uint64_t random = 3;
    for (int trial = 0; trial < 200; trial++) {
        bt_locator *locator;
        uint32_t count = (uint32_t)test_below(&random, MOST);
        uint32_t side = 1 + (uint32_t)test_below(&random, 40);
        for (uint32_t i = 0; i < 2 * count; i++) {
            boxes[i].lo = (uint32_t)test_below(&random, 50);
            boxes[i].hi = boxes[i].lo + (uint32_t)test_below(&random, side);
        }
        assert_ok(bt_locator_make(boxes, count, 2, &locator, &error), &error);
        for (int i = 0; i < 100; i++) {
            uint32_t point[2] = {(uint32_t)test_below(&random, 60),
                                 (uint32_t)test_below(&random, 60)};
            uint32_t expected = BT_NOWHERE;
            for (uint32_t b = count; b-- > 0;)
                if (boxes[2 * b].lo <= point[0] && point[0] <= boxes[2 * b].hi &&
                    boxes[2 * b + 1].lo <= point[1] && point[1] <= boxes[2 * b + 1].hi)
                    expected = b;
            assert_int_equal(bt_locate(locator, point, NULL, NULL), expected);
        }
        bt_locator_free(locator);
    }
}

static int compare_rows(const uint8_t *a, const uint16_t *b, const uint32_t *c, uint32_t x,
                        uint32_t y)
{
    if (a[x] != a[y]) return a[x] < a[y] ? -1 : 1;
    if (b[x] != b[y]) return b[x] < b[y] ? -1 : 1;
    if (c[x] != c[y]) return c[x] < c[y] ? -1 : 1;
    return 0;
}

/* Columns of all widths, with domains that fit a key together, alone and not at all. */
static void rows_are_ordered_by_their_codes(void **state)
{
    (void)state;
    enum { MANY = 500 };
    uint64_t random = 5;
    for (int trial = 0; trial < 50; trial++) {
        uint8_t a[MANY];
        uint16_t b[MANY];
        uint32_t c[MANY], order[MANY], rows[MANY];
        bool seen[MANY] = {false};
        uint32_t sizes[3] = {1 + (uint32_t)test_below(&random, 4),
                             1 + (uint32_t)test_below(&random, trial % 2 ? 300 : 65536),
                             trial % 3 ? 5 : 70000 + (uint32_t)test_below(&random, 200000)};
        for (uint32_t i = 0; i < MANY; i++) {
            a[i] = (uint8_t)test_below(&random, sizes[0]);
            b[i] = (uint16_t)test_below(&random, sizes[1]);
            c[i] = (uint32_t)test_below(&random, sizes[2]);
            rows[i] = MANY - 1 - i;
        }
        const bt_codes columns[] = {{a, 1, sizes[0]}, {b, 2, sizes[1]}, {c, 4, sizes[2]}};
        bool turned = trial % 4 == 0;
        assert_ok(bt_order_rows(columns, 3, turned ? rows : NULL, MANY, order, &error), &error);
        for (uint32_t i = 0; i < MANY; i++) {
            assert_false(seen[order[i]]);
            seen[order[i]] = true;
            if (i == 0) continue;
            uint32_t x = turned ? rows[order[i - 1]] : order[i - 1];
            uint32_t y = turned ? rows[order[i]] : order[i];
            int compared = compare_rows(a, b, c, x, y);
            assert_true(compared < 0 || (compared == 0 && order[i - 1] < order[i]));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_applied_as_their_texts_say),
        cmocka_unit_test(boxes_are_found),
        cmocka_unit_test(rows_are_ordered_by_their_codes),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
