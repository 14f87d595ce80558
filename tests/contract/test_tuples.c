/* SPDX-License-Identifier: Apache-2.0
 *
 * Every method plans counted tuples as it plans the records that they count: the same bytes, or
 * refused for the same reason. On random tables whose records repeat, with every choice that an
 * option of a method has, and with numbers of records that no table has.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

#include "group/plan.h"
#include "job/load.h"

enum { ROWS = 61, TABLES = 6 };

static bauta_error error;

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

/* ---- what is asked for ---- */

typedef struct variant {
    const char *require, *hierarchy_a, *hierarchy_b, *max_level, *cut_points, *suppress;
} variant;

static const variant variants[] = {
    {"k=3", "a=intervals:3,6", "b=intervals:5,10", NULL, NULL, "0"},
    {"k=1,t=1", "a=intervals:3,6", "b=intervals:5,10", NULL, NULL, "0"},
    {"k=4", "a=none", "b=none", NULL, NULL, "0"},
    {"l=2", "a=intervals:3,6", "b=balanced:3", NULL, NULL, "0"},
    {"k=2,alpha=0.6", "a=none", "b=intervals:5,10", NULL, NULL, "0"},
    {"k=2,entropy-l=2", "a=intervals:3,6", "b=intervals:5,10", NULL, NULL, "0.1"},
    {"k=2,t=0.6", "a=intervals:3,6", "b=none", NULL, NULL, "0.1"},
    {"k=2,beta=2", "a=intervals:3,6", "b=intervals:5,10", NULL, NULL, "0"},
    {"k=2", "a=intervals:3,6", "b=intervals:5,10", "b=2", NULL, "0.3"},
    {"k=2,l=2", "a=intervals:3,6", "b=intervals:5,10", "b=2", NULL, "0.3"},
    {"k=2", "a=intervals:3,6", "b=none", NULL, "b=0:20:2", "0"},
};

/* Few different records, each several times; some values are missing. */
static const char *random_table(uint64_t *random, bool second)
{
    static char text[8192];
    size_t length = (size_t)snprintf(text, sizeof text, "a,b,c,s,u\n");
    int a[ROWS], b[ROWS], c[ROWS];
    for (int r = 0; r < ROWS; r++) {
        int from = r > 10 && test_below(random, 2) ? (int)test_below(random, (uint64_t)r) : -1;
        a[r] = from < 0 ? (int)test_below(random, 12) : a[from];
        b[r] = from < 0 ? (int)test_below(random, 20) : b[from];
        c[r] = from < 0 ? (int)test_below(random, 3) : c[from];
        char missing[16];
        snprintf(missing, sizeof missing, "%d", b[r]);
        length += (size_t)snprintf(text + length, sizeof text - length, "%d,%s,%c,%c,%c\n", a[r],
                                   b[r] == 7 ? "" : missing, 'x' + c[r],
                                   (char)('a' + test_below(random, 3)),
                                   second ? (char)('p' + test_below(random, 2)) : 'p');
    }
    assert_true(length < sizeof text);
    return text;
}

static bauta_recipe *make_recipe(const char *table, const bt_method *method, const variant *asked,
                                 bool second)
{
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", scratch_text("table.csv", table));
    set(recipe, "quasi", "a,b,c");
    set(recipe, "sensitive", second ? "s,u" : "s");
    set(recipe, second ? "missing" : "drop", second ? "value" : "u");
    set(recipe, "seed", "1");
    set(recipe, "hierarchy", method->fixed ? "a=intervals:3,6" : asked->hierarchy_a);
    set(recipe, "hierarchy", method->fixed ? "b=intervals:5,10" : asked->hierarchy_b);
    if (method->fixed) {
        set(recipe, "hierarchy", "c=flat");
        set(recipe, "levels", "a=2");
        set(recipe, "levels", "b=2");
        set(recipe, "levels", "c=1");
    } else {
        if (asked->max_level) set(recipe, "max-level", asked->max_level);
        if (asked->cut_points) set(recipe, "cut-points", asked->cut_points);
    }
    return recipe;
}

typedef struct world {
    bt_arena arena;
    bt_run run;
    bt_loaded loaded;
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    bt_rational suppress;
} world;

static void open_world(const bauta_recipe *recipe, const char *method, const variant *asked,
                       world *w)
{
    *w = (world){0};
    assert_ok(bt_run_open(recipe, &w->run, &error), &error);
    assert_ok(bt_load(recipe, &w->run, false, &w->loaded, &error), &error);
    assert_ok(bt_requirements_parse(asked->require, &w->arena, &w->requirements, &error), &error);
    assert_ok(bt_method_parse(method, &w->arena, &w->method, &w->options, &w->canonical, &error),
              &error);
    bool drops = !w->method->as_given;
    assert_ok(bt_rational_parse(drops ? asked->suppress : "0", &w->suppress) ? BAUTA_OK
                                                                             : BAUTA_INTERNAL,
              &error);
}

static void close_world(world *w)
{
    bt_loaded_release(&w->loaded);
    bt_run_close(&w->run);
    bt_arena_release(&w->arena);
}

/* ---- plans ---- */

typedef struct spelled {
    bauta_status status;
    bauta_error error;
    bt_buffer text;
} spelled;

static bt_tuple_job job_of(const world *w, const bt_table *table, const uint64_t *counts)
{
    return (bt_tuple_job){.table = table,
                          .counts = counts,
                          .method = w->method,
                          .options = w->options,
                          .method_text = w->canonical,
                          .requirements = &w->requirements,
                          .suppress = w->suppress,
                          .run = &w->run};
}

/* Of the records, as a job makes it. */
static spelled plan_rows(world *w)
{
    spelled out = {0};
    bt_people people = {0};
    bt_requirements requirements;
    bt_grouping grouping = {0};
    bt_plan plan;
    const bt_table *table = &w->loaded.table;
    assert_ok(bt_requirements_copy(&w->requirements, &w->arena, &requirements, &error), &error);
    assert_ok(requirements.size_only ? bt_people_counted(table, &people, &error)
                                     : bt_people_of_table(table, &people, &error),
              &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &w->arena, &error), &error);
    const bt_method_job job = {.table = table,
                               .requirements = &requirements,
                               .options = w->options,
                               .suppress = w->suppress,
                               .records = table->rows,
                               .run = &w->run};
    const bt_plan_source source = {.table = table,
                                   .grouping = &grouping,
                                   .method = w->method,
                                   .method_text = w->canonical,
                                   .requirements = &requirements,
                                   .run = &w->run};
    out.status = bt_plan_admit(w->method, &out.error);
    if (out.status == BAUTA_OK && (w->method->divides || w->suppress.top == 0))
        out.status = bt_requirements_feasible(&requirements, &out.error);
    if (out.status == BAUTA_OK) out.status = bt_group(w->method, &job, &grouping, &out.error);
    if (out.status == BAUTA_OK && w->method->overlaps) {
        const bt_column **quasi;
        size_t count;
        assert_ok(bt_table_select(table, BT_ROLE_QUASI, &quasi, &count, &error), &error);
        assert_ok(bt_grouping_unite(&grouping, quasi, &w->run, &error), &error);
        free(quasi);
    }
    if (out.status == BAUTA_OK) out.status = bt_plan_make(&source, &w->arena, &plan, &out.error);
    if (out.status == BAUTA_OK) out.status = bt_plan_write(&plan, &out.text, &out.error);
    bt_grouping_release(&grouping);
    bt_people_release(&people);
    return out;
}

/* The different records of a table, in an order of their own, and how often each occurs; the
 * sensitive values only where a requirement looks at them. */
static uint64_t *count_tuples(const world *w, uint64_t *random, bt_table *out)
{
    const bt_table *table = &w->loaded.table;
    bt_codes codes[8];
    size_t columns = 0;
    bt_tuples tuples;
    for (size_t c = 0; c < table->count; c++) {
        const bt_column *column = &table->columns[c];
        if (column->role == BT_ROLE_QUASI || !w->requirements.size_only)
            codes[columns++] = (bt_codes){column->codes, column->width, column->domain.size};
    }
    assert_ok(bt_tuples_group(codes, columns, table->rows, &w->run, &tuples, &error), &error);
    uint32_t rows[ROWS];
    uint64_t *counts = bt_array(tuples.count, sizeof *counts);
    for (uint32_t i = 0; i < tuples.count; i++) {
        uint32_t place = (uint32_t)test_below(random, (uint64_t)i + 1);
        rows[i] = rows[place];
        counts[i] = counts[place];
        rows[place] = tuples.row[i];
        counts[place] = tuples.size[i];
    }
    assert_ok(bt_table_pick(table, rows, tuples.count, out, &error), &error);
    bt_tuples_release(&tuples);
    return counts;
}

static spelled plan_tuples(const bt_tuple_job *job, bt_arena *arena)
{
    spelled out = {0};
    bt_plan plan;
    out.status = bt_plan_of_tuples(job, arena, &plan, &out.error);
    if (out.status == BAUTA_OK) out.status = bt_plan_write(&plan, &out.text, &out.error);
    return out;
}

/* ---- the tests ---- */

static int compared, planned;

static void compare(const bt_method *method, const char *options, const variant *asked, bool second,
                    uint64_t *random)
{
    world w;
    bt_table tuples;
    char text[192];
    snprintf(text, sizeof text, "%s%s", method->name, options);
    bauta_recipe *recipe = make_recipe(random_table(random, second), method, asked, second);
    open_world(recipe, text, asked, &w);
    uint64_t *counts = count_tuples(&w, random, &tuples);
    const bt_tuple_job job = job_of(&w, &tuples, counts);
    spelled rows = plan_rows(&w), counted = plan_tuples(&job, &w.arena);
    /* Which class is named that does not satisfy may depend on the order of rows. */
    if (rows.status != counted.status ||
        (rows.status != BAUTA_NO && strcmp(rows.error.message, counted.error.message) != 0))
        fail_msg("'%s' with '%s': %d '%s' of rows, %d '%s' of tuples", text, asked->require,
                 rows.status, rows.error.message, counted.status, counted.error.message);
    if (rows.text.length != counted.text.length ||
        memcmp(rows.text.bytes ? rows.text.bytes : "", counted.text.bytes ? counted.text.bytes : "",
               rows.text.length) != 0)
        fail_msg("'%s' with '%s': tuples have another plan than rows", text, asked->require);
    compared++;
    planned += rows.status == BAUTA_OK;
    bt_buffer_release(&rows.text);
    bt_buffer_release(&counted.text);
    free(counts);
    bt_table_release(&tuples);
    close_world(&w);
    bauta_recipe_free(recipe);
}

/* With every choice of an option, and numbers where an option takes them. */
static void compare_choices(const bt_method *method, size_t param, uint64_t *random)
{
    const bt_param *options = param < method->param_count ? &method->params[param] : NULL;
    char choices[128] = "none", *rest = choices, *one;
    if (options && options->type == BT_PARAM_INTEGER && options->choices)
        snprintf(choices, sizeof choices, "%s|3", options->choices);
    else if (options)
        snprintf(choices, sizeof choices, "%s",
                 options->choices   ? options->choices
                 : options->minimum ? options->minimum
                                    : "1");
    if (options && options->list) snprintf(choices, sizeof choices, "a@1|a@1,c");
    while ((one = strsep(&rest, "|")) != NULL) {
        char text[160] = "";
        if (options && options->list)
            snprintf(text, sizeof text, ":%s", one);
        else if (options)
            snprintf(text, sizeof text, ":%s=%s", options->name, one);
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
            for (int table = 0; table < TABLES; table++)
                compare(method, text, &variants[v], table % 3 == 2, random);
    }
}

static void tuples_have_the_plan_of_their_records(void **state)
{
    (void)state;
    int all = 0;
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        const bt_method *method = bt_method_registry[m];
        uint64_t random = 71 + m;
        compared = planned = 0;
        if (method->planned) continue; /* it has classes of a plan, or none */
        for (size_t p = 0; p <= method->param_count; p++)
            compare_choices(method, p, &random);
        if (method->no_plan)
            assert_int_equal(planned, 0);
        else if (planned == 0)
            fail_msg("'%s': %d plans of %d", method->name, planned, compared);
        all += compared;
    }
    assert_true(all > 1500);
}

/* Twelve billion records: sizes exceed 32 bits, and classes are those of as many times fewer. */
static void more_records_than_a_table_has(void **state)
{
    (void)state;
    const uint64_t times = 200000000;
    uint64_t random = 7;
    for (size_t m = 0; m < bt_method_registry_count; m++) {
        const bt_method *method = bt_method_registry[m];
        if (method->planned || method->no_plan) continue;
        bool lists = method->param_count > 0 && method->params[0].list && method->as_given;
        bauta_recipe *recipe =
            make_recipe(random_table(&random, false), method, &variants[0], false);
        bt_plan plan[2];
        world w;
        bt_table tuples;
        char text[64];
        snprintf(text, sizeof text, "%s%s", method->name, lists ? ":a@2" : "");
        variant asked[2] = {variants[0], variants[0]};
        asked[0].require = "k=1,alpha=1";
        asked[1].require = "k=200000000,alpha=1";
        open_world(recipe, text, &asked[0], &w);
        uint64_t *counts = count_tuples(&w, &random, &tuples);
        bt_tuple_job job = job_of(&w, &tuples, counts);
        bauta_status status = bt_plan_of_tuples(&job, &w.arena, &plan[0], &error);
        for (int64_t i = 0; i < tuples.rows; i++)
            counts[i] *= times;
        assert_ok(bt_requirements_parse(asked[1].require, &w.arena, &w.requirements, &error),
                  &error);
        bool each = !method->tuples || (method->by_place && method->by_place(w.options));
        if (each) {
            assert_fails(bt_plan_of_tuples(&job, &w.arena, &plan[1], &error), BAUTA_INVALID, &error,
                         "looks at every record by itself");
        } else {
            assert_int_equal(bt_plan_of_tuples(&job, &w.arena, &plan[1], &error), status);
            assert_int_equal(plan[0].class_count, plan[1].class_count);
            assert_int_equal(plan[0].records * (int64_t)times, plan[1].records);
            for (uint32_t c = 0; c < plan[0].class_count; c++)
                assert_int_equal(plan[0].sizes[c] * times, plan[1].sizes[c]);
            for (size_t c = 0; c < plan[0].class_count * plan[0].column_count; c++) {
                assert_int_equal(plan[0].boxes[c].lo, plan[1].boxes[c].lo);
                assert_int_equal(plan[0].boxes[c].hi, plan[1].boxes[c].hi);
            }
        }
        counts[0] = 0;
        assert_fails(bt_plan_of_tuples(&job, &w.arena, &plan[1], &error), BAUTA_INVALID, &error,
                     "at least 1");
        counts[0] = UINT64_MAX / 4;
        assert_fails(bt_plan_of_tuples(&job, &w.arena, &plan[1], &error), BAUTA_INVALID, &error,
                     "2^61");
        free(counts);
        bt_table_release(&tuples);
        close_world(&w);
        bauta_recipe_free(recipe);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tuples_have_the_plan_of_their_records),
        cmocka_unit_test(more_records_than_a_table_has),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
