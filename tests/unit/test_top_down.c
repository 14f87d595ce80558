/* SPDX-License-Identifier: Apache-2.0
 *
 * The worked examples of papers 1 and 3, as the exact tables that come out, and the rules that
 * they do not show: how records go back, and what is published for those that stay.
 */
#include "scratch.h"

#include "group/method.h"
#include "job/load.h"
#include "measure/measure.h"

enum { CELLS = 400 };

typedef struct example {
    const char *table; /* CSV; the last column is sensitive, the others are quasi */
    const char *quasi, *sensitive;
    const char *hierarchies[4];
    const char *require;
    const char *method;
    const char *light; /* values of category 1, as "|a|b|"; NULL: no categories */
} example;

/* What comes of an example: the cells of each row, joined by spaces, one row per line; and NCP. */
typedef struct outcome {
    char cells[CELLS];
    double ncp;
    uint32_t classes;
} outcome;

/* Two categories: 0, and 1 for the values listed. */
static void add_categories(const example *e, bt_people *people, bt_categories *made)
{
    static uint32_t of_code[64];
    bt_sensitive *column = &people->sensitive[0];
    for (uint32_t code = 0; code < column->size; code++) {
        char listed[64];
        snprintf(listed, sizeof listed, "|%s|", column->text[code]);
        of_code[code] = strstr(e->light, listed) != NULL;
    }
    *made = (bt_categories){.count = 2, .of_code = of_code};
    column->categories = made;
}

static void write_cells(const bt_grouping *g, const bt_column *const *quasi, char *out)
{
    uint32_t class_of[64];
    size_t length = 0;
    for (uint32_t c = 0; c < g->classes; c++)
        for (uint32_t i = g->starts[c]; i < g->starts[c + 1]; i++)
            class_of[g->order[i]] = c;
    for (int64_t row = 0; row < g->rows; row++) {
        for (size_t c = 0; c < g->columns; c++) {
            uint32_t node = bt_published_node(g, quasi[c], c, class_of[row]);
            length += (size_t)snprintf(out + length, CELLS - length, c ? " %s" : "%s",
                                       quasi[c]->hierarchy->nodes[node].label);
        }
        length += (size_t)snprintf(out + length, CELLS - length, "\n");
    }
    assert_true(length < CELLS);
}

static bauta_recipe *recipe_of(const example *e)
{
    bauta_error error;
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", scratch_text("table.csv", e->table), &error),
              &error);
    assert_ok(bauta_recipe_set(recipe, "quasi", e->quasi, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "sensitive", e->sensitive, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "drop", "rest", &error), &error);
    for (size_t i = 0; i < 4 && e->hierarchies[i]; i++)
        assert_ok(bauta_recipe_set(recipe, "hierarchy", e->hierarchies[i], &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", "1", &error), &error);
    return recipe;
}

static void run_example(const example *e, outcome *out)
{
    bauta_error error;
    bauta_recipe *recipe = recipe_of(e);
    bt_run run;
    bt_loaded loaded;
    bt_arena arena = {0};
    bt_people people;
    bt_categories categories;
    bt_requirements requirements;
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    const bt_column **quasi;
    size_t columns;
    bt_grouping grouping;
    assert_ok(bt_run_open(recipe, &run, &error), &error);
    assert_ok(bt_load(recipe, &run, false, &loaded, &error), &error);
    assert_ok(bt_people_of_table(&loaded.table, &people, &error), &error);
    if (e->light) add_categories(e, &people, &categories);
    assert_ok(bt_requirements_parse(e->require, &arena, &requirements, &error), &error);
    assert_ok(bt_requirements_bind(&requirements, &people, &arena, &error), &error);
    assert_ok(bt_method_parse(e->method ? e->method : "top-down", &arena, &method, &options,
                              &canonical, &error),
              &error);
    bt_method_job job = {
        .table = &loaded.table, .requirements = &requirements, .options = options, .run = &run};
    assert_ok(method->group(&job, &grouping, &error), &error);
    assert_ok(bt_table_select(&loaded.table, BT_ROLE_QUASI, &quasi, &columns, &error), &error);
    bt_facts facts;
    bt_facts_init(&facts);
    const bt_measured_grouping asked = {
        .grouping = &grouping, .quasi = quasi, .records = grouping.rows, .least = 1};
    assert_ok(bt_measure_grouping(&asked, &facts, facts.root, &error), &error);
    write_cells(&grouping, quasi, out->cells);
    out->ncp = json_number_value(json_object_get(facts.root, "ncp"));
    bt_facts_release(&facts);
    out->classes = grouping.classes;
    bt_grouping_release(&grouping);
    free(quasi);
    bt_people_release(&people);
    bt_arena_release(&arena);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    bauta_recipe_free(recipe);
}

/* ---- the papers ---- */

static void table_1_of_paper_1_gives_table_3(void **unused)
{
    (void)unused;
    char job[300];
    snprintf(job, sizeof job, "job=%s",
             scratch_text("job.csv", "clerk;white-collar;*\n"
                                     "manager;white-collar;*\n"
                                     "factory worker;blue-collar;*\n"
                                     "technical supporter;blue-collar;*\n"));
    example e = {.table = "job,birth,postcode,illness\n"
                          "clerk,1975,4350,HIV\n"
                          "manager,1955,4350,flu\n"
                          "clerk,1955,5432,flu\n"
                          "factory worker,1955,5432,fever\n"
                          "factory worker,1975,4350,flu\n"
                          "technical supporter,1940,4350,fever\n",
                 .quasi = "job,birth,postcode",
                 .sensitive = "illness",
                 .hierarchies = {job, "birth=flat", "postcode=flat"},
                 .require = "k=2,alpha=0.5"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "white-collar * 4350\n"
                                   "white-collar * 4350\n"
                                   "* 1955 5432\n"
                                   "* 1955 5432\n"
                                   "blue-collar * 4350\n"
                                   "blue-collar * 4350\n");
    assert_int_equal(out.classes, 3);
    /* How the postcode is divided on the way makes no difference. */
    e.hierarchies[2] = "postcode=mask";
    outcome again;
    run_example(&e, &again);
    assert_string_equal(out.cells, again.cells);
}

static const example figure_1 = {.table = "gender,zipcode,disease\n"
                                          "Male,4351,HIV\n"
                                          "Male,4351,Flu\n"
                                          "Female,4351,HIV\n"
                                          "Female,4352,Flu\n",
                                 .quasi = "zipcode",
                                 .sensitive = "disease",
                                 .hierarchies = {"zipcode=mask"},
                                 .require = "k=2,p=2,weight=1",
                                 .light = "|Flu|"};

static void figure_1_and_table_8_of_paper_3(void **unused)
{
    (void)unused;
    outcome out;
    run_example(&figure_1, &out);
    assert_string_equal(out.cells, "4351\n4351\n435*\n435*\n");
}

/* The alpha that is printed is too much for any class but the whole. */
static void alpha_2_stops_figure_1_at_435(void **unused)
{
    (void)unused;
    example e = figure_1;
    e.require = "k=2,p=2,weight=2";
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "435*\n435*\n435*\n435*\n");
}

/* Requirements that also accept HIV, Flu and HIV as one class. */
static void other_requirements_give_table_8_too(void **unused)
{
    (void)unused;
    static const char *const others[] = {"k=2,l=2", "k=2,p=2", "k=2,p-categories=2",
                                         "k=2,alpha=2/3,p=2"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        example e = figure_1;
        e.require = others[i];
        outcome out;
        run_example(&e, &out);
        assert_string_equal(out.cells, "4351\n4351\n435*\n435*\n");
    }
}

/* ---- records that go back ---- */

/* b has one record and needs another. All values of a are as rare in the trunk, which has none
 * of them: the heavier goes, then the later. */
static void heavier_then_later_records_go_back(void **unused)
{
    (void)unused;
    example e = {.table = "q,s\na,1\na,2\na,3\na,1\nb,4\n",
                 .quasi = "q",
                 .sensitive = "s",
                 .hierarchies = {"q=flat"},
                 .require = "k=2,p=2"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "a\na\na\n*\n*\n");
    e.light = "|2|3|";
    run_example(&e, &out);
    assert_string_equal(out.cells, "a\na\n*\na\n*\n");
    e.light = "|2|";
    run_example(&e, &out);
    assert_string_equal(out.cells, "a\n*\na\na\n*\n");
}

/* The later record would go, but its value is not rare among those that are back. */
static void rarest_records_go_back_first(void **unused)
{
    (void)unused;
    const example e = {.table = "q,s\na,1\na,2\na,1\na,2\na,3\nb,3\n",
                       .quasi = "q",
                       .sensitive = "s",
                       .hierarchies = {"q=flat"},
                       .require = "k=2"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "a\na\na\n*\na\n*\n");
}

/* c is too small; a and b have no record to spare, so the smaller of them goes back whole; of
 * equal ones the first. */
static void smallest_branch_goes_back_whole(void **unused)
{
    (void)unused;
    example e = {.table = "q,s\na,1\na,1\na,2\na,2\nb,1\nb,2\nc,3\n",
                 .quasi = "q",
                 .sensitive = "s",
                 .hierarchies = {"q=flat"},
                 .require = "k=2,alpha=0.5"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "a\na\na\na\n*\n*\n*\n");
    e.table = "q,s\na,1\na,2\nb,1\nb,2\nc,3\n";
    run_example(&e, &out);
    assert_string_equal(out.cells, "*\n*\nb\nb\n*\n");
}

/* ---- what is published ---- */

/* The records of x go down in the first column. Those that stay all have `u` in the second,
 * but are published, and scored, with the node that their part had there. */
static void what_stays_keeps_the_nodes_of_its_part(void **unused)
{
    (void)unused;
    const example e = {.table = "q,r,s\nx,u,1\nx,u,1\nx,v,1\ny,u,1\nz,u,1\n",
                       .quasi = "q,r",
                       .sensitive = "s",
                       .hierarchies = {"q=flat", "r=flat"},
                       .require = "k=2"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "x *\nx *\nx *\n* *\n* *\n");
    assert_float_equal(out.ncp, 0.7, 1e-9);
}

/* All six go down in q, where each saves a half; four go down in r, where each saves one. */
static void columns_are_chosen_as_asked(void **unused)
{
    (void)unused;
    char tree[300];
    snprintf(tree, sizeof tree, "q=%s",
             scratch_text("q.csv", "a;first;*\nb;first;*\nc;first;*\n"
                                   "d;second;*\ne;second;*\nf;second;*\n"));
    example e = {.table = "q,r,s\na,u,1\nb,v,1\nc,w,1\nd,u,1\ne,v,1\nf,x,1\n",
                 .quasi = "q,r",
                 .sensitive = "s",
                 .hierarchies = {tree, "r=flat"},
                 .require = "k=2"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "first *\nfirst *\nfirst *\nsecond *\nsecond *\nsecond *\n");
    e.method = "top-down:attribute=ncp";
    run_example(&e, &out);
    assert_string_equal(out.cells, "* u\n* v\n* *\n* u\n* v\n* *\n");
}

/* As many records go down in either: fewer branches first, then the first column. */
static void ties_go_to_fewer_branches_then_the_first_column(void **unused)
{
    (void)unused;
    example e = {.table = "q,r,s\na,u,1\na,v,1\nb,u,1\nb,v,1\nc,u,1\nc,v,1\n",
                 .quasi = "q,r",
                 .sensitive = "s",
                 .hierarchies = {"q=flat", "r=flat"},
                 .require = "k=2"};
    outcome out;
    run_example(&e, &out);
    assert_string_equal(out.cells, "* u\n* v\n* u\n* v\n* u\n* v\n");
    e.table = "q,r,s\na,u,1\na,v,1\nb,u,1\nb,v,1\n";
    run_example(&e, &out);
    assert_string_equal(out.cells, "a *\na *\nb *\nb *\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_1_of_paper_1_gives_table_3),
        cmocka_unit_test(figure_1_and_table_8_of_paper_3),
        cmocka_unit_test(alpha_2_stops_figure_1_at_435),
        cmocka_unit_test(other_requirements_give_table_8_too),
        cmocka_unit_test(heavier_then_later_records_go_back),
        cmocka_unit_test(rarest_records_go_back_first),
        cmocka_unit_test(smallest_branch_goes_back_whole),
        cmocka_unit_test(what_stays_keeps_the_nodes_of_its_part),
        cmocka_unit_test(columns_are_chosen_as_asked),
        cmocka_unit_test(ties_go_to_fewer_branches_then_the_first_column),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
