/* SPDX-License-Identifier: Apache-2.0
 *
 * The plan calls of bauta.h: plans of rows and of counted tuples have the same bytes, go through
 * text, and recode batches as a release shows its rows.
 */
#define SCRATCH_IN_MEMORY
#include "scratch.h"

static bauta_error error;

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static bauta_recipe *make_recipe(const char *name, const char *text, const char *group,
                                 const char *require)
{
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", scratch_text(name, text));
    set(recipe, "quasi", "age,town");
    set(recipe, "sensitive", "ill");
    set(recipe, "require", require);
    set(recipe, "group", group);
    set(recipe, "seed", "7");
    return recipe;
}

enum { TUPLES = 40 };

/* A table of rows, and the same one as tuples with counts; towns are texts, whose codes go by how
 * many records have them. */
static void make_tables(char *rows, char *tuples, size_t room)
{
    uint64_t random = 5;
    size_t r = (size_t)snprintf(rows, room, "age,town,ill\n");
    size_t t = (size_t)snprintf(tuples, room, "age,town,n,ill\n");
    for (int i = 0; i < TUPLES; i++) {
        int age = 20 + i, times = 1 + (int)test_below(&random, 9);
        char town = (char)('a' + test_below(&random, 5)), ill = "xyz"[i % 3];
        t += (size_t)snprintf(tuples + t, room - t, "%d,%c,%d,%c\n", age, town, times, ill);
        for (int k = 0; k < times; k++)
            r += (size_t)snprintf(rows + r, room - r, "%d,%c,%c\n", age, town, ill);
    }
    assert_true(r < room && t < room);
}

static void rows_and_tuples_have_one_plan(void **state)
{
    (void)state;
    static const char *const asked[][2] = {
        {"mondrian", "k=5"},           {"mondrian:minimal=no", "k=5"},
        {"mondrian", "k=4,alpha=0.6"}, {"mondrian:minimal=4", "l=2"},
        {"incognito", "k=5,l=2"},      {"top-down", "k=5"}};
    static char rows[8192], tuples[8192];
    make_tables(rows, tuples, sizeof rows);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        bauta_recipe *of_rows = make_recipe("rows.csv", rows, asked[i][0], asked[i][1]);
        bauta_recipe *of_tuples = make_recipe("tuples.csv", tuples, asked[i][0], asked[i][1]);
        const bauta_plan_options options = {sizeof options, "n"};
        bauta_plan *plan[3];
        size_t length[3];
        bauta_status status = bauta_plan_make(of_rows, NULL, &plan[0], &error);
        assert_int_equal(bauta_plan_make(of_tuples, &options, &plan[1], &error), status);
        if (status == BAUTA_OK) {
            const char *text = bauta_plan_text(plan[0], &length[0]);
            const char *other = bauta_plan_text(plan[1], &length[1]);
            assert_int_equal(length[0], length[1]);
            assert_memory_equal(text, other, length[0]);
            assert_ok(bauta_plan_load(text, length[0], &plan[2], &error), &error);
            assert_memory_equal(bauta_plan_text(plan[2], &length[2]), text, length[0]);
            bauta_plan_free(plan[2]);
        }
        assert_true(status == BAUTA_OK || i == 5);
        bauta_plan_free(plan[0]);
        bauta_plan_free(plan[1]);
        bauta_recipe_free(of_rows);
        bauta_recipe_free(of_tuples);
    }
}

static void batches_are_recoded(void **state)
{
    (void)state;
    static char rows[8192], tuples[8192];
    make_tables(rows, tuples, sizeof rows);
    bauta_recipe *recipe = make_recipe("rows.csv", rows, "mondrian", "k=5");
    bauta_recipe *later =
        make_recipe("later.csv", "age,town,ill\n20,a,x\n59,b,y\n400,zz,x\n", "mondrian", "k=5");
    bauta_plan *plan;
    bauta_batch *batch;
    assert_ok(bauta_plan_make(recipe, NULL, &plan, &error), &error);
    assert_ok(bauta_plan_apply(plan, recipe, &batch, &error), &error);
    int64_t count = bauta_batch_rows(batch), most = 0;
    const int64_t *classes = bauta_batch_classes(batch);
    assert_true(count > TUPLES);
    for (int64_t i = 0; i < count; i++) {
        assert_true(classes[i] >= 0);
        if (classes[i] > most) most = classes[i];
    }
    for (int64_t c = 0; c <= most; c++) { /* every class of the table that was planned satisfies */
        int size = 0;
        for (int64_t i = 0; i < count; i++)
            size += classes[i] == c;
        assert_true(size >= 5);
        assert_non_null(bauta_batch_cell(batch, c, "age"));
        assert_non_null(bauta_batch_cell(batch, c, "town"));
    }
    assert_true(most > 3);
    assert_null(bauta_batch_cell(batch, most + 1, "age"));
    assert_null(bauta_batch_cell(batch, 0, "ill"));
    assert_null(bauta_batch_cell(batch, -1, "age"));
    bauta_batch_free(batch);
    assert_ok(bauta_plan_apply(plan, later, &batch, &error), &error);
    assert_int_equal(bauta_batch_rows(batch), 3);
    assert_int_equal(bauta_batch_classes(batch)[2], -1);
    bauta_batch_free(batch);
    bauta_plan_free(plan);
    bauta_recipe_free(recipe);
    bauta_recipe_free(later);
}

static void what_cannot_be_planned(void **state)
{
    (void)state;
    const bauta_plan_options options = {sizeof options, "n"}, smaller = {1, NULL},
                             roled = {sizeof options, "age"}, none = {sizeof options, "m"};
    bauta_plan *plan;
    bauta_recipe *recipe =
        make_recipe("tuples.csv", "age,town,n,ill\n1,a,3,x\n2,b,0,y\n", "mondrian", "k=2");
    assert_fails(bauta_plan_make(recipe, &options, &plan, &error), BAUTA_INVALID, &error,
                 "less than 1");
    assert_int_equal(error.row, 2);
    assert_fails(bauta_plan_make(recipe, &smaller, &plan, &error), BAUTA_USAGE, &error, "bytes");
    assert_fails(bauta_plan_make(recipe, &roled, &plan, &error), BAUTA_USAGE, &error, "has a role");
    assert_fails(bauta_plan_make(recipe, &none, &plan, &error), BAUTA_INVALID, &error,
                 "no column 'm'");
    assert_fails(bauta_plan_make(NULL, NULL, &plan, &error), BAUTA_USAGE, &error, "needed");
    assert_fails(bauta_plan_load("{}", 2, &plan, &error), BAUTA_INVALID, &error, "");
    bauta_recipe_free(recipe);
    recipe = make_recipe("tuples.csv", "age,town,n,ill\n1,a,3,x\n2,b,4,y\n", "anatomy", "l=2");
    assert_fails(bauta_plan_make(recipe, &options, &plan, &error), BAUTA_INVALID, &error,
                 "records are drawn");
    bauta_recipe_free(recipe);
    bauta_plan_free(NULL);
    bauta_batch_free(NULL);
    assert_int_equal(bauta_batch_rows(NULL), 0);
    assert_null(bauta_plan_text(NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_and_tuples_have_one_plan),
        cmocka_unit_test(batches_are_recoded),
        cmocka_unit_test(what_cannot_be_planned),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
