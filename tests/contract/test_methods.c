/* SPDX-License-Identifier: Apache-2.0
 *
 * Every method keeps what its entry declares, on random tables: what has a say in its classes, how
 * many there are, how high their cells are, and that classes satisfy also a requirement by which
 * nothing can be pruned.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "group/method.h"
#include "job/load.h"

enum { TABLES = 60, ROWS = 61 };

static bauta_error error;

/* ---- tables ---- */

typedef struct table_texts { /* rows with the same quasi values and others that are shuffled */
    int a[ROWS], b[ROWS];
    char s[ROWS], shuffled[ROWS];
} table_texts;

static table_texts random_texts(uint64_t *random)
{
    table_texts t;
    for (int r = 0; r < ROWS; r++) {
        t.a[r] = (int)test_below(random, 12);
        t.b[r] = (int)test_below(random, 20);
        t.s[r] = t.shuffled[r] = (char)('a' + test_below(random, 3));
    }
    for (int r = ROWS - 1; r > 0; r--) {
        int other = (int)test_below(random, (uint64_t)r + 1);
        char kept = t.shuffled[r];
        t.shuffled[r] = t.shuffled[other];
        t.shuffled[other] = kept;
    }
    return t;
}

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static bauta_recipe *bare_recipe(const table_texts *t, bool shuffled)
{
    char text[4096];
    size_t length = (size_t)snprintf(text, sizeof text, "a,b,s\n");
    bauta_recipe *recipe;
    for (int r = 0; r < ROWS; r++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%d,%c\n", t->a[r],
                                   t->b[r], shuffled ? t->shuffled[r] : t->s[r]);
    assert_true(length < sizeof text);
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", scratch_text("table.csv", text));
    set(recipe, "quasi", "a,b");
    set(recipe, "sensitive", "s");
    set(recipe, "seed", "1");
    return recipe;
}

static bauta_recipe *make_recipe(const table_texts *t, bool shuffled, const bt_method *method)
{
    bauta_recipe *recipe = bare_recipe(t, shuffled);
    set(recipe, "hierarchy", "a=intervals:3,6");
    set(recipe, "hierarchy", "b=intervals:5,10");
    if (method->fixed) {
        set(recipe, "levels", "a=2");
        set(recipe, "levels", "b=2");
    }
    return recipe;
}

/* ---- grouping ---- */

typedef struct grouped {
    bt_arena arena;
    bt_run run;
    bt_loaded loaded;
    bt_requirements requirements;
    bt_people people;
    bt_grouping grouping;
} grouped;

static bool needs_columns(const bt_method *method)
{
    return method->as_given && method->param_count > 0 && method->params[0].list;
}

/* `option_text` follows the name of the method; `odd`: instead of what is required, a requirement
 * of the test's own. */
static bauta_status group_with(const bt_method *method, const char *option_text,
                               const bauta_recipe *recipe, const char *require,
                               const bt_requirement *odd, grouped *g)
{
    const bt_method *found;
    bt_value *options;
    const char *canonical;
    *g = (grouped){0};
    assert_ok(bt_run_open(recipe, &g->run, &error), &error);
    assert_ok(bt_load(recipe, &g->run, false, &g->loaded, &error), &error);
    assert_ok(bt_requirements_parse(require, &g->arena, &g->requirements, &error), &error);
    if (odd) {
        g->requirements.items[0] = (bt_requirement_instance){.type = odd, .text = "odd=1"};
        g->requirements.size_only = false;
    }
    assert_ok(bt_people_of_table(&g->loaded.table, &g->people, &error), &error);
    assert_ok(bt_requirements_bind(&g->requirements, &g->people, &g->arena, &error), &error);
    const char *text = bt_arena_print(&g->arena, "%s%s", method->name, option_text);
    assert_ok(bt_method_parse(text, &g->arena, &found, &options, &canonical, &error), &error);
    const bt_method_job job = {.table = &g->loaded.table,
                               .requirements = &g->requirements,
                               .options = options,
                               .suppress = {0, 1},
                               .records = g->loaded.table.rows,
                               .unchecked = method->as_given && !odd,
                               .run = &g->run};
    return bt_group(method, &job, &g->grouping, &error);
}

static bauta_status group(const bt_method *method, const bauta_recipe *recipe, const char *require,
                          const bt_requirement *odd, grouped *g)
{
    return group_with(method, needs_columns(method) ? ":a@1" : "", recipe, require, odd, g);
}

static void ungroup(grouped *g)
{
    bt_grouping_release(&g->grouping);
    bt_people_release(&g->people);
    bt_loaded_release(&g->loaded);
    bt_run_close(&g->run);
    bt_arena_release(&g->arena);
}

/* Whether both put the same rows together. */
static bool are_same(const bt_grouping *a, const bt_grouping *b)
{
    uint32_t first[2][ROWS];
    const bt_grouping *both[] = {a, b};
    if (a->kept != ROWS || b->kept != ROWS || a->classes != b->classes) return false;
    for (int i = 0; i < 2; i++)
        for (uint32_t c = 0; c < both[i]->classes; c++)
            for (uint32_t at = both[i]->starts[c]; at < both[i]->starts[c + 1]; at++)
                first[i][both[i]->order[at]] = both[i]->order[both[i]->starts[c]];
    return memcmp(first[0], first[1], sizeof first[0]) == 0;
}

/* Adds up the cells, and those that are the lowest nodes that cover their classes. */
static void count_lowest(const grouped *g, int *cells, int *lowest)
{
    for (uint32_t c = 0; c < g->grouping.classes; c++)
        for (size_t place = 0; place < 2; place++) {
            const bt_column *column = &g->loaded.table.columns[place];
            bt_box box = bt_tight_box(&g->grouping, column, c);
            ++*cells;
            *lowest += bt_published_node(&g->grouping, column, place, c) ==
                       bt_hierarchy_cover(column->hierarchy, box.lo, box.hi);
        }
}

/* ---- the tests ---- */

static void declarations_hold(void **state)
{
    (void)state;
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        const bt_method *method = bt_method_registry[m];
        if (method->planned) continue; /* it has classes of a plan, or none */
        bool differs = false, several = false;
        int made = 0, cells = 0, lowest = 0;
        uint64_t random = 11 + m;
        for (int table = 0; table < TABLES; table++) {
            table_texts texts = random_texts(&random);
            grouped g[2];
            bool both = true;
            for (int i = 0; i < 2; i++) {
                bauta_recipe *recipe = make_recipe(&texts, i == 1, method);
                both &= group(method, recipe, "l=2", NULL, &g[i]) == BAUTA_OK;
                bauta_recipe_free(recipe);
            }
            if (both) {
                made++;
                differs |= !are_same(&g[0].grouping, &g[1].grouping);
                several |= g[0].grouping.classes > 1;
                count_lowest(&g[0], &cells, &lowest);
            }
            ungroup(&g[0]);
            ungroup(&g[1]);
        }
        assert_true(made > TABLES / 4);
        if (method->lowest && 10 * lowest < 9 * cells)
            fail_msg("'%s': %d of %d cells are the lowest", method->name, lowest, cells);
        if (differs != bt_decides_by_values(method))
            fail_msg("'%s': sensitive values %s", method->name,
                     differs ? "matter" : "do not matter");
        if (several == method->one_class)
            fail_msg("'%s' makes %s", method->name, several ? "several classes" : "one class");
    }
}

/* How a method can be tried out, or why not. */
static void what_can_be_tried_out_is_said(void **state)
{
    (void)state;
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        bt_arena arena = {0};
        bt_named_method method;
        assert_ok(bt_method_read(bt_method_registry[m]->name, &arena, &method, &error), &error);
        assert_non_null(method.type->retrace);
        bt_retrace retrace = bt_method_retrace(&method);
        assert_int_equal(retrace.kind == BT_RETRACE_NONE, retrace.why != NULL);
        assert_false(retrace.coins);
        if (!bt_decides_by_values(method.type)) assert_int_equal(retrace.kind, BT_RETRACE_NONE);
        bt_arena_release(&arena);
    }
    const bt_named_method unknown = {.text = "luck"};
    assert_int_equal(bt_method_retrace(&unknown).kind, BT_RETRACE_NONE);
    assert_non_null(bt_method_retrace(&unknown).why);
}

static bool is_odd(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)instance;
    (void)prepared;
    return bag->size % 2 == 1;
}

static bool asks(const bt_requirement_instance *instance)
{
    (void)instance;
    return false;
}

static void say_size(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag, bauta_error *to)
{
    (void)instance;
    (void)prepared;
    bt_error_hint(to, "%lld", (long long)bag->size);
}

/* That a class has an odd number of records says nothing of its parts, nor of two of them together.
 * A method that finds classes finds ones that satisfy. */
static void what_is_not_monotone_is_kept(void **state)
{
    (void)state;
    static const bt_requirement odd = {
        .name = "odd", .check = is_odd, .asks_nothing = asks, .explain = say_size};
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        const bt_method *method = bt_method_registry[m];
        if (method->planned) continue; /* it has classes of a plan, or none */
        uint64_t random = 31 + m;
        for (int table = 0; table < TABLES; table++) {
            table_texts texts = random_texts(&random);
            grouped g;
            bauta_recipe *recipe = make_recipe(&texts, false, method);
            bauta_status status = group(method, recipe, "k=1", &odd, &g);
            assert_true(status == BAUTA_OK || status == BAUTA_NO || status == BAUTA_INVALID);
            for (uint32_t c = 0; status == BAUTA_OK && c < g.grouping.classes; c++)
                if (bt_class_size(&g.grouping, c) % 2 == 0)
                    fail_msg("'%s': a class does not satisfy", method->name);
            bauta_recipe_free(recipe);
            ungroup(&g);
        }
    }
}

/* ---- the order of rows ---- */

typedef struct variant { /* of what is asked for */
    const char *require, *hierarchy_a, *hierarchy_b, *max_level, *cut_points;
} variant;

static const variant variants[] = {
    {"k=3", "a=intervals:3,6", "b=intervals:5,10", NULL, NULL},
    {"l=2", "a=intervals:3,6", "b=balanced:3", NULL, NULL},
    {"k=2,alpha=0.6", "a=none", "b=intervals:5,10", NULL, NULL},
    {"k=2,t=0.6", "a=intervals:3,6", "b=none", NULL, NULL},
    {"k=2", "a=intervals:3,6", "b=intervals:5,10", "b=2", NULL},
    {"k=2", "a=intervals:3,6", "b=none", NULL, "b=0:20:2"},
};

static bauta_recipe *make_variant(const table_texts *t, const int *order, const variant *asked,
                                  const bt_method *method)
{
    table_texts moved;
    for (int r = 0; r < ROWS; r++) {
        moved.a[r] = t->a[order[r]];
        moved.b[r] = t->b[order[r]];
        moved.s[r] = t->s[order[r]];
    }
    bauta_recipe *recipe = bare_recipe(&moved, false);
    set(recipe, "hierarchy", method->fixed ? "a=intervals:3,6" : asked->hierarchy_a);
    set(recipe, "hierarchy", method->fixed ? "b=intervals:5,10" : asked->hierarchy_b);
    if (method->fixed) {
        set(recipe, "levels", "a=2");
        set(recipe, "levels", "b=2");
    } else {
        if (asked->max_level) set(recipe, "max-level", asked->max_level);
        if (asked->cut_points) set(recipe, "cut-points", asked->cut_points);
    }
    return recipe;
}

static int compare_bytes(const void *a, const void *b)
{
    return memcmp(a, b, 3 * ROWS);
}

static int compare_records(const void *a, const void *b)
{
    return memcmp(a, b, 3);
}

/* The classes as sets of records, which have no places: each a sorted list, and those sorted. Where
 * only sizes matter, records that are alike in quasi values are dealt out at random. */
static void spell_classes(const grouped *g, unsigned char out[ROWS][3 * ROWS])
{
    const bt_column *columns = g->loaded.table.columns;
    memset(out, 0, ROWS * sizeof out[0]);
    for (uint32_t c = 0; c < g->grouping.classes; c++) {
        size_t size = 0;
        for (uint32_t i = g->grouping.starts[c]; i < g->grouping.starts[c + 1]; i++, size++)
            for (int k = 0; k < (g->requirements.size_only ? 2 : 3); k++)
                out[c][3 * size + (size_t)k] =
                    (unsigned char)(1 + bt_column_code(&columns[k], g->grouping.order[i]));
        qsort(out[c], size, 3, compare_records);
    }
    qsort(out, g->grouping.classes, sizeof out[0], compare_bytes);
}

static void try_orders(const bt_method *method, const char *options, const variant *asked,
                       uint64_t *random, int *made)
{
    unsigned char classes[2][ROWS][3 * ROWS];
    table_texts texts = random_texts(random);
    int order[ROWS];
    bauta_status status[2];
    for (int r = 0; r < ROWS; r++)
        order[r] = r;
    for (int i = 0; i < 2; i++) {
        grouped g;
        bauta_recipe *recipe = make_variant(&texts, order, asked, method);
        status[i] = group_with(method, options, recipe, asked->require, NULL, &g);
        if (status[i] == BAUTA_OK) spell_classes(&g, classes[i]);
        bauta_recipe_free(recipe);
        ungroup(&g);
        for (int r = ROWS - 1; r > 0; r--) {
            int other = (int)test_below(random, (uint64_t)r + 1), kept = order[r];
            order[r] = order[other];
            order[other] = kept;
        }
    }
    assert_int_equal(status[0], status[1]);
    *made += status[0] == BAUTA_OK;
    if (status[0] == BAUTA_OK && memcmp(classes[0], classes[1], sizeof classes[0]) != 0)
        fail_msg("'%s%s' with '%s', %s: the order of rows decides", method->name, options,
                 asked->require, asked->max_level ? asked->max_level : asked->hierarchy_b);
}

/* Ties are broken by codes and random decisions follow from them, so the same records in another
 * order make the same classes: with every choice that an option of a method has. */
static void rows_in_any_order_make_the_same_classes(void **state)
{
    (void)state;
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        const bt_method *method = bt_method_registry[m];
        if (method->planned) continue; /* it has classes of a plan, or none */
        uint64_t random = 51 + m;
        int made = 0;
        for (size_t p = 0; p <= method->param_count; p++) {
            bool choice = p < method->param_count && method->params[p].type == BT_PARAM_CHOICE;
            if (p < method->param_count && !choice) continue;
            char choices[128], *rest = choices, *one;
            snprintf(choices, sizeof choices, "%s", choice ? method->params[p].choices : "none");
            while ((one = strsep(&rest, "|")) != NULL) {
                char options[160] = "";
                if (choice)
                    snprintf(options, sizeof options, ":%s=%s", method->params[p].name, one);
                else if (needs_columns(method))
                    snprintf(options, sizeof options, ":a@1");
                for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
                    for (int table = 0; table < 8; table++)
                        try_orders(method, options, &variants[v], &random, &made);
            }
        }
        assert_true(made > 8);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(declarations_hold),
        cmocka_unit_test(what_can_be_tried_out_is_said),
        cmocka_unit_test(what_is_not_monotone_is_kept),
        cmocka_unit_test(rows_in_any_order_make_the_same_classes),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
