/* SPDX-License-Identifier: Apache-2.0
 *
 * weight, min-level and max-level, from the recipe to the cells.
 */
#include "jobs.h"

#include "class/loss.h"
#include "class/steer.h"
#include "job/load.h"

/* Twelve ages in a tree of decades and of halves of a century, two of each. */
static const char *write_ages(void)
{
    static const char tree[] = "20;twenties;young;*\n25;twenties;young;*\n30;thirties;young;*\n"
                               "35;thirties;young;*\n60;sixties;old;*\n65;sixties;old;*\n";
    scratch_text("age.csv", tree);
    return scratch_text("ages.csv", "age,sex,s\n20,f,a\n20,m,b\n25,f,a\n25,m,b\n30,f,a\n30,m,b\n"
                                    "35,f,a\n35,m,b\n60,f,a\n60,m,b\n65,f,a\n65,m,b\n");
}

static const char *age_tree(void)
{
    static char spec[300];
    snprintf(spec, sizeof spec, "age=%s/age.csv", scratch_path);
    return spec;
}

#define AGES                                                                                       \
    {"quasi", "age,sex"}, {"sensitive", "s"},                                                      \
    {                                                                                              \
        "hierarchy", age_tree()                                                                    \
    }

static void load_ages(const setting *settings, bt_run *run, bt_loaded *loaded)
{
    bauta_error error;
    const char *file = write_ages();
    bauta_recipe *recipe = make_recipe(file, settings);
    assert_ok(bt_run_open(recipe, run, &error), &error);
    assert_ok(bt_load(recipe, run, false, loaded, &error), &error);
    bauta_recipe_free(recipe);
}

static const char *label(const bt_column *column, uint32_t node)
{
    return column->hierarchy->nodes[node].label;
}

/* ---- what methods ask ---- */

static void levels_bound_the_nodes_of_a_value(void **unused)
{
    (void)unused;
    bt_run run;
    bt_loaded loaded;
    load_ages(SETTINGS(AGES, {"min-level", "age=1"}, {"max-level", "age=2"}), &run, &loaded);
    const bt_column *age = &loaded.table.columns[0], *sex = &loaded.table.columns[1];
    uint32_t code = bt_column_code(age, 3); /* 25 */
    assert_int_equal(bt_lowest_level(age), 1);
    assert_int_equal(bt_highest_level(age), 2);
    assert_true(bt_is_limited(age));
    assert_string_equal(label(age, bt_lowest_node(age, code)), "twenties");
    assert_string_equal(label(age, bt_highest_node(age, code)), "young");
    assert_string_equal(label(age, bt_cover_node(age, code, code)), "twenties");
    assert_string_equal(label(age, bt_cover_node(age, code, code + 1)), "young");
    assert_int_equal(bt_cell_loss(age, code, code, 1), BT_LOSS_ONE / 3);
    assert_int_equal(bt_lowest_level(sex), 0);
    assert_int_equal(bt_highest_level(sex), 1);
    assert_false(bt_is_limited(sex));
    bt_loaded_release(&loaded);
    bt_run_close(&run);
}

static void codes_below_one_node_become_one(void **unused)
{
    (void)unused;
    bauta_error error;
    bt_run run;
    bt_loaded loaded;
    load_ages(SETTINGS(AGES, {"min-level", "age=1"}), &run, &loaded);
    const bt_column *age = &loaded.table.columns[0];
    uint8_t codes[] = {0, 1, 2, 3, 4, 5};
    static const uint8_t raised[] = {0, 0, 2, 2, 4, 4};
    assert_ok(bt_raise_codes(age, codes, 6, &error), &error);
    assert_memory_equal(codes, raised, sizeof raised);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
}

/* Only what a column weighs against the heaviest one counts. */
static void weights_are_shares_of_the_heaviest(void **unused)
{
    (void)unused;
    bt_run run;
    bt_loaded loaded;
    load_ages(SETTINGS(AGES, {"weight", "age=3/2"}, {"weight", "sex=0.5"}), &run, &loaded);
    const bt_column *age = &loaded.table.columns[0], *sex = &loaded.table.columns[1];
    assert_int_equal(bt_weighed(age, BT_LOSS_ONE), BT_LOSS_ONE);
    assert_int_equal(bt_weighed(sex, BT_LOSS_ONE), BT_LOSS_ONE / 3);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
    load_ages(SETTINGS(AGES, {"weight", "age=7"}, {"weight", "sex=7"}), &run, &loaded);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(bt_weighed(&loaded.table.columns[i], BT_LOSS_ONE), BT_LOSS_ONE);
    bt_loaded_release(&loaded);
    bt_run_close(&run);
}

/* ---- what is published ---- */

static const char *const methods[] = {"mondrian", "mondrian:cuts=order", "top-down",
                                      "top-down:attribute=ncp"};
enum { METHODS = sizeof methods / sizeof *methods };

static void cells_are_not_below_min_level(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < METHODS; i++) {
        use_new_folder(NULL);
        json_t *facts =
            anonymize(write_ages(), SETTINGS(AGES, {"require", "k=2"}, {"min-level", "age=1"},
                                             {"group", methods[i]}));
        assert_rows("age,sex,s", "sixties,f,a", "sixties,f,a", "sixties,m,b", "sixties,m,b",
                    "thirties,f,a", "thirties,f,a", "thirties,m,b", "thirties,m,b", "twenties,f,a",
                    "twenties,f,a", "twenties,m,b", "twenties,m,b");
        assert_int_equal(whole(facts, "classes"), 6);
        json_decref(facts);
    }
}

static void cells_are_not_above_max_level(void **unused)
{
    (void)unused;
    bauta_error error;
    for (size_t i = 0; i < METHODS; i++) {
        use_new_folder(NULL);
        /* Five of either sex in a decade cannot be without going above. */
        assert_refused(
            write_ages(),
            SETTINGS(AGES, {"require", "k=5"}, {"max-level", "age=1"}, {"group", methods[i]}),
            BAUTA_NO, &error,
            "'max-level' keeps 3 groups of records apart that do not satisfy 'k=5'");
        assert_string_equal(error.hint, "that is 12 records, and 0 may be dropped: raise "
                                        "'max-level', or allow more with --suppress");
        json_t *facts =
            anonymize(write_ages(), SETTINGS(AGES, {"require", "k=4"}, {"max-level", "age=1"},
                                             {"group", methods[i]}));
        assert_int_equal(whole(facts, "classes"), 3);
        json_decref(facts);
    }
}

/* Four old people are too few, and a third of all. */
static void what_max_level_leaves_alone_is_suppressed(void **unused)
{
    (void)unused;
    bauta_error error;
    for (size_t i = 0; i < METHODS; i++) {
        use_new_folder(NULL);
        assert_refused(write_ages(),
                       SETTINGS(AGES, {"require", "k=5"}, {"max-level", "age=2"},
                                {"suppress", "33%"}, {"group", methods[i]}),
                       BAUTA_NO, &error, "1 group of records apart");
        json_t *facts =
            anonymize(write_ages(), SETTINGS(AGES, {"require", "k=5"}, {"max-level", "age=2"},
                                             {"suppress", "1/3"}, {"group", methods[i]}));
        assert_int_equal(whole(facts, "suppressed"), 4);
        assert_int_equal(whole(facts, "published"), 8);
        json_t *manifest = load_json(publish, "manifest.json");
        assert_int_equal(whole(manifest, "dropped_rows"), 4);
        json_decref(manifest);
        json_decref(facts);
    }
}

/* t compares with what is published: without the old all are as the rest. */
static void what_is_left_is_judged_as_a_table_of_its_own(void **unused)
{
    (void)unused;
    const char *file = scratch_text("t.csv", "q,s\na1,x\na1,y\na2,x\na2,y\nb1,z\n");
    for (size_t i = 0; i < METHODS; i++) {
        use_new_folder(NULL);
        json_t *facts =
            anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=mask"},
                                     {"max-level", "q=1"}, {"require", "k=2,t=0.2"},
                                     {"suppress", "20%"}, {"group", methods[i]}));
        assert_int_equal(whole(facts, "published"), 4);
        assert_int_equal(whole(facts, "classes"), 2);
        json_decref(facts);
    }
}

/* A person with rows on both sides of what is kept apart cannot be published together. */
static void torn_persons_are_suppressed(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file = scratch_text("torn.csv", "id,q\n1,a1\n2,a2\n3,b1\n4,b2\n5,a1\n5,b1\n");
    assert_refused(file,
                   SETTINGS({"subject", "id"}, {"quasi", "q"}, {"hierarchy", "q=mask"},
                            {"max-level", "q=1"}, {"require", "k=2"}, {"subject-rows", "together"}),
                   BAUTA_NO, &error, "'max-level' keeps the rows of 1 person apart");
    json_t *facts =
        anonymize(file, SETTINGS({"subject", "id"}, {"quasi", "q"}, {"hierarchy", "q=mask"},
                                 {"max-level", "q=1"}, {"require", "k=2"},
                                 {"subject-rows", "together"}, {"suppress", "1/3"}));
    assert_rows("q", "a*", "a*", "b*", "b*");
    json_decref(facts);
}

/* The third of five values has no node at level 1; neither it nor its neighbours are told apart. */
static void ragged_trees_keep_min_level(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file =
        scratch_text("five.csv", "q,s\n1,x\n1,y\n2,x\n2,y\n3,x\n3,y\n4,x\n4,y\n5,x\n5,y\n,x\n,y\n");
    for (size_t i = 0; i < METHODS; i++) {
        use_new_folder(NULL);
        json_decref(anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"},
                                             {"hierarchy", "q=balanced:2"}, {"min-level", "q=1"},
                                             {"require", "k=2"}, {"group", methods[i]})));
        assert_rows("q,s", ",x", ",y", "1..3,x", "1..3,x", "1..3,x", "1..3,y", "1..3,y", "1..3,y",
                    "4..5,x", "4..5,x", "4..5,y", "4..5,y");
    }
    use_new_folder(NULL);
    assert_refused(file,
                   SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=balanced:2"},
                            {"min-level", "q=1"}, {"max-level", "q=1"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "those above are above 'max-level'");
    char tree[300];
    snprintf(tree, sizeof tree, "q=%s",
             scratch_text("ragged.csv", "1;a;*\n2;a;*\n3;*\n4;b;*\n5;b;*\n"));
    assert_refused(file,
                   SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", tree},
                            {"min-level", "q=1"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "1 value has no node at level 1 or above, but '*'");
}

/* ---- weights decide ---- */

/* Either column can be divided, and both cannot: the heavier one is kept whole. */
static void the_heavier_column_loses_less(void **unused)
{
    (void)unused;
    const char *file = scratch_text("two.csv", "a,b,s\n1,1,x\n1,2,y\n2,1,x\n2,2,y\n");
    for (size_t i = 0; i < METHODS; i++)
        for (int heavy = 0; heavy < 2; heavy++) {
            use_new_folder(NULL);
            json_t *facts = anonymize(
                file, SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"hierarchy", "a=flat"},
                               {"hierarchy", "b=flat"}, {"require", "k=2"},
                               {"weight", heavy ? "b=2" : "a=2"}, {"group", methods[i]}));
            const json_t *measures = json_object_get(facts, "measures");
            if (heavy)
                assert_rows("a,b,s", "*,1,x", "*,1,x", "*,2,y", "*,2,y");
            else
                assert_rows("a,b,s", "1,*,x", "1,*,y", "2,*,x", "2,*,y");
            assert_true(real(measures, "ncp") == 0.5);
            assert_true(real(measures, "weighted_ncp") > 0.333 &&
                        real(measures, "weighted_ncp") < 0.334);
            json_decref(facts);
        }
}

static void without_weights_there_is_no_weighted_loss(void **unused)
{
    (void)unused;
    json_t *facts = anonymize(write_ages(), SETTINGS(AGES, {"require", "k=2"}));
    assert_null(json_object_get(json_object_get(facts, "measures"), "weighted_ncp"));
    json_decref(facts);
}

/* ---- the recipe ---- */

static void a_recipe_file_says_it_column_by_column(void **unused)
{
    (void)unused;
    bauta_error error;
    bauta_recipe *recipe = make_recipe(NULL, SETTINGS({"weight", "sex=5"}));
    const char *file =
        scratch_text("recipe.yaml", "columns:\n"
                                    "  age: {role: quasi, weight: 1/2, min-level: 1, "
                                    "max-level: 3}\n"
                                    "  sex: {role: quasi, weight: 2}\n"
                                    "min-level: {sex: 1}\n"
                                    "max-level: [sex=1]\n");
    assert_ok(bauta_recipe_load(recipe, file, &error), &error);
    bt_column_recipe *age, *sex;
    assert_ok(bt_recipe_column(recipe, "age", &age, &error), &error);
    assert_ok(bt_recipe_column(recipe, "sex", &sex, &error), &error);
    assert_int_equal(age->steers[BT_STEER_WEIGHT].top, 1);
    assert_int_equal(age->steers[BT_STEER_WEIGHT].bottom, 2);
    assert_int_equal(age->steers[BT_STEER_MIN_LEVEL].top, 1);
    assert_int_equal(age->steers[BT_STEER_MAX_LEVEL].top, 3);
    assert_int_equal(sex->steers[BT_STEER_WEIGHT].top, 5); /* the flag wins */
    assert_int_equal(sex->steers[BT_STEER_MIN_LEVEL].top, 1);
    assert_int_equal(sex->steers[BT_STEER_MAX_LEVEL].top, 1);
    bauta_recipe_free(recipe);
}

static void slips_are_refused(void **unused)
{
    (void)unused;
    bauta_error error;
    static const setting wrong[] = {{"weight", "age=-1"},      {"weight", "age=heavy"},
                                    {"weight", "age=1000001"}, {"weight", "age=1e-9"},
                                    {"weight", "age"},         {"min-level", "age=1.5"},
                                    {"max-level", "age=-1"},   {"max-level", "age=1000"}};
    bauta_recipe *recipe = make_recipe(NULL, SETTINGS({"weight", "sex=5"}));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_fails(bauta_recipe_set(recipe, wrong[i].key, wrong[i].value, &error), BAUTA_USAGE,
                     &error, wrong[i].key);
    assert_fails(bauta_recipe_set(recipe, "weight", "sex=4", &error), BAUTA_USAGE, &error,
                 "two weights");
    bauta_recipe_free(recipe);
    const char *file = write_ages();
    assert_refused(file, SETTINGS(AGES, {"require", "k=2"}, {"min-level", "sex=1"}), BAUTA_INVALID,
                   &error, "without a hierarchy has no levels");
    assert_refused(file, SETTINGS(AGES, {"require", "k=2"}, {"max-level", "age=4"}), BAUTA_INVALID,
                   &error, "level 4 is asked for, and the highest is 3");
    assert_refused(
        file, SETTINGS(AGES, {"require", "k=2"}, {"min-level", "age=2"}, {"max-level", "age=1"}),
        BAUTA_INVALID, &error, "'min-level' is above 'max-level'");
    assert_refused(file, SETTINGS(AGES, {"require", "k=2"}, {"weight", "s=2"}), BAUTA_INVALID,
                   &error, "'weight' goes with quasi columns");
    assert_refused(file,
                   SETTINGS(AGES, {"require", "k=2"}, {"weight", "age=0"}, {"weight", "sex=0"}),
                   BAUTA_INVALID, &error, "the weights of all quasi columns are 0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_bound_the_nodes_of_a_value),
        cmocka_unit_test(codes_below_one_node_become_one),
        cmocka_unit_test(weights_are_shares_of_the_heaviest),
        cmocka_unit_test(cells_are_not_below_min_level),
        cmocka_unit_test(cells_are_not_above_max_level),
        cmocka_unit_test(what_max_level_leaves_alone_is_suppressed),
        cmocka_unit_test(what_is_left_is_judged_as_a_table_of_its_own),
        cmocka_unit_test_setup(ragged_trees_keep_min_level, use_new_folder),
        cmocka_unit_test_setup(torn_persons_are_suppressed, use_new_folder),
        cmocka_unit_test(the_heavier_column_loses_less),
        cmocka_unit_test_setup(without_weights_there_is_no_weighted_loss, use_new_folder),
        cmocka_unit_test(a_recipe_file_says_it_column_by_column),
        cmocka_unit_test_setup(slips_are_refused, use_new_folder),
    };
    return cmocka_run_group_tests_name("steer", tests, job_prepare, scratch_empty);
}
