/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recipe can do against attackers, on many small random tables: cells on cut points, levels
 * that are fixed and random non-minimal recoding against their definitions.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "class/steer.h"
#include "group/method.h"
#include "job/load.h"
#include "recipe/cell.h"
#include "recipe/cuts.h"

enum { ROWS_MOST = 80 };

static bauta_error error;

/* ---- tables ---- */

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

/* Column a has numbers below 50, b some below 64, some missing, and s four values. */
static bauta_recipe *random_recipe(uint64_t *random, bool grid, const char *threads)
{
    char text[4096];
    size_t rows = 6 + test_below(random, ROWS_MOST - 6), length = 0;
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    length += (size_t)snprintf(text, sizeof text, "a,b,s\n");
    for (size_t r = 0; r < rows; r++) {
        char b[16] = "";
        if (test_below(random, 10) > 0) snprintf(b, sizeof b, "%d", (int)test_below(random, 64));
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%d,%s,%c\n",
                             (int)test_below(random, 50), b, (int)('a' + test_below(random, 4)));
    }
    assert_true(length < sizeof text);
    set(recipe, "input", scratch_text("table.csv", text));
    set(recipe, "quasi", "a,b");
    set(recipe, "sensitive", "s");
    set(recipe, "hierarchy", "b=intervals:4,16");
    set(recipe, grid ? "cut-points" : "hierarchy", grid ? "a=0:60:5" : "a=intervals:5,10");
    set(recipe, "threads", threads);
    snprintf(text, sizeof text, "%x", 1 + (unsigned)test_below(random, 1000000));
    set(recipe, "seed", text);
    return recipe;
}

typedef struct grouped {
    bt_arena arena;
    bt_run run;
    bt_loaded loaded;
    bt_requirements requirements;
    bt_people people;
    bt_grouping grouping;
} grouped;

static bauta_status group(const bauta_recipe *recipe, const char *require, const char *method_text,
                          grouped *g)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    *g = (grouped){0};
    assert_ok(bt_run_open(recipe, &g->run, &error), &error);
    assert_ok(bt_load(recipe, &g->run, false, &g->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &g->arena, &g->requirements, &error), &error);
    assert_ok(bt_people_of_table(&g->loaded.table, &g->people, &error), &error);
    assert_ok(bt_requirements_bind(&g->requirements, &g->people, &g->arena, &error), &error);
    assert_ok(bt_method_parse(method_text, &g->arena, &method, &options, &canonical, &error),
              &error);
    const bt_method_job job = {.table = &g->loaded.table,
                               .requirements = &g->requirements,
                               .options = options,
                               .suppress = {0, 1},
                               .records = g->loaded.table.rows,
                               .run = &g->run};
    return bt_group(method, &job, &g->grouping, &error);
}

static void ungroup(grouped *g)
{
    bt_grouping_release(&g->grouping);
    bt_people_release(&g->people);
    bt_loaded_release(&g->loaded);
    bt_run_close(&g->run);
    bt_arena_release(&g->arena);
}

/* The cell of a class, as text. */
static void spell(const grouped *g, uint32_t class_number, size_t column, bt_buffer *out)
{
    const bt_column *quasi = &g->loaded.table.columns[column];
    bt_box box = bt_published_box(&g->grouping, quasi, column, class_number);
    if (quasi->hierarchy) {
        uint32_t node = bt_published_node(&g->grouping, quasi, column, class_number);
        const char *label = quasi->hierarchy->nodes[node].label;
        assert_ok(bt_buffer_add(out, label, strlen(label), &error), &error);
    } else {
        assert_ok(bt_cell_write(quasi, box.lo, box.hi, NULL, out, &error), &error);
    }
    assert_ok(bt_buffer_add(out, "", 1, &error), &error);
}

static void assert_classes(const grouped *g, int64_t k)
{
    const bt_grouping *grouping = &g->grouping;
    bt_buffer *cells = calloc(grouping->classes, sizeof *cells);
    for (uint32_t c = 0; c < grouping->classes; c++) {
        assert_true(bt_class_size(grouping, c) >= k);
        spell(g, c, 0, &cells[c]);
        spell(g, c, 1, &cells[c]);
        for (uint32_t before = 0; before < c; before++)
            assert_false(cells[before].length == cells[c].length &&
                         memcmp(cells[before].bytes, cells[c].bytes, cells[c].length) == 0);
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            for (size_t column = 0; column < 2; column++) {
                const bt_column *quasi = &g->loaded.table.columns[column];
                uint32_t code = bt_column_code(quasi, grouping->order[i]);
                bt_box box = bt_published_box(grouping, quasi, column, c);
                if (quasi->hierarchy) {
                    const bt_node *node =
                        &quasi->hierarchy->nodes[bt_published_node(grouping, quasi, column, c)];
                    box = (bt_box){node->lo, node->hi - 1};
                }
                assert_true(code >= box.lo && code <= box.hi);
            }
    }
    for (uint32_t c = 0; c < grouping->classes; c++)
        bt_buffer_release(&cells[c]);
    free(cells);
}

/* ---- cut points ---- */

static void cells_lie_on_the_grid(void **state)
{
    (void)state;
    static const char *const methods[] = {
        "mondrian",  "mondrian:order=widest", "top-down",
        "incognito", "mondrian:minimal=no",   "top-down:minimal=no"};
    uint64_t random = 3;
    for (int trial = 0; trial < 300; trial++) {
        bauta_recipe *recipe = random_recipe(&random, true, "1");
        grouped g;
        assert_ok(group(recipe, "k=3", methods[trial % 6], &g), &error);
        assert_classes(&g, 3);
        const bt_column *a = &g.loaded.table.columns[0];
        for (uint32_t c = 0; c < g.grouping.classes; c++) {
            bt_box box = bt_published_box(&g.grouping, a, 0, c), wide = box;
            if (box.hi >= bt_domain_present(&a->domain)) continue; /* "*" */
            bt_cuts_widen(a, &wide.lo, &wide.hi);
            assert_int_equal(wide.lo, box.lo);
            assert_int_equal(wide.hi, box.hi);
        }
        ungroup(&g);
        bauta_recipe_free(recipe);
    }
}

/* ---- levels ---- */

static bool alike_at(const bt_column *column, int64_t one, int64_t two, uint32_t level)
{
    return bt_hierarchy_at(column->hierarchy, bt_column_code(column, one), level) ==
           bt_hierarchy_at(column->hierarchy, bt_column_code(column, two), level);
}

static void levels_make_the_classes_of_the_definition(void **state)
{
    (void)state;
    uint64_t random = 9;
    int made = 0, refused = 0;
    for (int trial = 0; trial < 300; trial++) {
        char text[16];
        uint32_t level_a = (uint32_t)test_below(&random, 4),
                 level_b = (uint32_t)test_below(&random, 4);
        bauta_recipe *recipe = random_recipe(&random, false, "1");
        snprintf(text, sizeof text, "a=%u", level_a);
        set(recipe, "levels", text);
        snprintf(text, sizeof text, "b=%u", level_b);
        set(recipe, "levels", text);
        grouped g;
        bauta_status status = group(recipe, "k=2", "levels", &g);
        const bt_table *table = &g.loaded.table;
        bool fine = true;
        for (int64_t i = 0; i < table->rows; i++) {
            int company = 0;
            for (int64_t k = 0; k < table->rows; k++)
                company += alike_at(&table->columns[0], i, k, level_a) &&
                           alike_at(&table->columns[1], i, k, level_b);
            fine = fine && company >= 2;
        }
        assert_int_equal(status, fine ? BAUTA_OK : BAUTA_NO);
        made += fine;
        refused += !fine;
        if (fine) assert_classes(&g, 2);
        for (uint32_t c = 0; fine && c < g.grouping.classes; c++)
            for (uint32_t i = g.grouping.starts[c]; i < g.grouping.starts[c + 1]; i++) {
                int64_t first = g.grouping.order[g.grouping.starts[c]];
                assert_true(alike_at(&table->columns[0], first, g.grouping.order[i], level_a));
                assert_true(alike_at(&table->columns[1], first, g.grouping.order[i], level_b));
            }
        ungroup(&g);
        bauta_recipe_free(recipe);
    }
    assert_true(made > 50 && refused > 50);
}

/* ---- minimal=no ---- */

/* How many cells of b are above the lowest node that covers their class, of those that could be. */
static void count_raised(const grouped *g, int *raised, int *could)
{
    const bt_column *b = &g->loaded.table.columns[1];
    for (uint32_t c = 0; c < g->grouping.classes; c++) {
        bt_box box = bt_tight_box(&g->grouping, b, c);
        uint32_t cover = bt_hierarchy_cover(b->hierarchy, box.lo, box.hi);
        *raised += bt_published_node(&g->grouping, b, 1, c) != cover;
        *could += cover != 0;
    }
}

static void recoding_is_not_minimal_where_nobody_can_tell(void **state)
{
    (void)state;
    static const char *const methods[] = {"mondrian", "top-down"};
    uint64_t random = 21;
    int raised = 0, could = 0, classes = 0, plain_classes = 0;
    for (int trial = 0; trial < 300; trial++) {
        char method[32];
        uint64_t again = random;
        grouped g, plain, threads;
        bauta_recipe *recipe = random_recipe(&random, false, "1");
        snprintf(method, sizeof method, "%s:minimal=no", methods[trial % 2]);
        assert_ok(group(recipe, "k=3,l=2", method, &g), &error);
        assert_ok(group(recipe, "k=3,l=2", methods[trial % 2], &plain), &error);
        bauta_recipe_free(recipe);
        recipe = random_recipe(&again, false, "3");
        assert_ok(group(recipe, "k=3,l=2", method, &threads), &error);
        assert_classes(&g, 3);
        assert_true(g.grouping.classes <= plain.grouping.classes);
        assert_int_equal(g.grouping.classes, threads.grouping.classes);
        assert_memory_equal(g.grouping.order, threads.grouping.order,
                            (size_t)g.grouping.kept * sizeof *g.grouping.order);
        assert_memory_equal(g.grouping.nodes, threads.grouping.nodes,
                            (size_t)g.grouping.classes * 2 * sizeof *g.grouping.nodes);
        classes += (int)g.grouping.classes;
        plain_classes += (int)plain.grouping.classes;
        count_raised(&g, &raised, &could);
        ungroup(&g);
        ungroup(&plain);
        ungroup(&threads);
        bauta_recipe_free(recipe);
    }
    assert_true(classes < plain_classes);
    /* One in four, less those of classes that became one with others. */
    assert_true(raised > could / 16 && raised < could * 35 / 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_lie_on_the_grid),
        cmocka_unit_test(levels_make_the_classes_of_the_definition),
        cmocka_unit_test(recoding_is_not_minimal_where_nobody_can_tell),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
