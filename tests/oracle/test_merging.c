/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized:rare=N, twice: whatever the library makes of rare values under random trees, of
 * numbers and of text, with missing values and without, the audit makes of them too, so that it
 * draws the very rows of the release from the original once more.
 */
#include "../jobs.h"
#include "../release_files.h"

enum { CASES = 300, LEAVES = 24 };

/* A ragged tree: groups of leaves, some of them in groups of groups. */
static void write_tree(uint64_t *random, bt_buffer *tree)
{
    bauta_error error;
    unsigned group = 0, above = 0;
    tree->length = 0;
    for (unsigned leaf = 0; leaf < LEAVES; leaf++) {
        group += test_below(random, 4) == 0;
        above += test_below(random, 9) == 0;
        assert_ok(bt_buffer_print(tree, &error, "t%02u;g%u.%u;", leaf, above, group), &error);
        assert_ok(above % 3 ? bt_buffer_print(tree, &error, "h%u;*\n", above)
                            : bt_buffer_print(tree, &error, ";*\n"),
                  &error);
    }
}

/* Low numbers are the more common. */
static unsigned skewed(uint64_t *random, unsigned bound)
{
    uint64_t one = test_below(random, bound), other = test_below(random, bound);
    return (unsigned)(one < other ? one : other);
}

static void write_table(uint64_t *random, size_t rows, bool gaps, bt_buffer *table)
{
    bauta_error error;
    table->length = 0;
    assert_ok(bt_buffer_print(table, &error, "tree,number,text,s,free\n"), &error);
    for (size_t r = 0; r < rows; r++) {
        unsigned leaf = skewed(random, LEAVES) * 7 % LEAVES;
        bool gap = gaps && test_below(random, 8) == 0;
        assert_ok(gap ? bt_buffer_print(table, &error, ",")
                      : bt_buffer_print(table, &error, "t%02u,", leaf),
                  &error);
        assert_ok(bt_buffer_print(table, &error, "%u,x%u,s%u,%s\n", skewed(random, 30) * 11 % 30,
                                  skewed(random, 9), skewed(random, 4),
                                  test_below(random, 5) ? "yes" : ""),
                  &error);
    }
}

static void assert_seen_again(const char *input, const setting *settings, size_t number)
{
    bauta_recipe *recipe = make_recipe(input, settings);
    bauta_report *report = NULL;
    bauta_error error = {0};
    if (bauta_audit(publish, recipe, &report, &error) != BAUTA_OK)
        fail_msg("case %zu: %s", number, error.message);
    json_t *facts = take_facts(report);
    if (test_verdict(facts, "rare values") != 1 || test_verdict(facts, "mechanism") != 1)
        fail_msg("case %zu: %s", number,
                 json_string_value(json_object_get(test_finding(facts, "rare values"), "detail")));
    assert_int_not_equal(test_verdict(facts, "distributions"), -1);
    if (number % 3 == 0) assert_int_equal(test_verdict(facts, "shares"), 1);
    json_decref(facts);
    bauta_recipe_free(recipe);
}

static void the_audit_merges_as_the_library_does(void **state)
{
    (void)state;
    bt_buffer tree = {0}, table = {0};
    uint64_t random = 17;
    size_t made = 0, dropped = 0;
    for (size_t i = 0; i < CASES; i++) {
        size_t rows = 20 + test_below(&random, 400);
        bool gaps = test_below(&random, 2) == 0, drop = test_below(&random, 2) == 0;
        char form[64], hierarchy[300];
        bauta_error error;
        json_t *facts;
        snprintf(form, sizeof form, "randomized:lambda=%zu,p=%s,rare=%zu", 1 + i % 3,
                 i % 3 ? "uniform" : "entropy", 2 + (size_t)test_below(&random, 1 + rows / 15));
        write_tree(&random, &tree);
        write_table(&random, rows, gaps, &table);
        snprintf(hierarchy, sizeof hierarchy, "tree=%s",
                 scratch_write("tree.csv", tree.bytes, tree.length));
        const char *input = scratch_write("table.csv", table.bytes, table.length);
        const setting *settings = SETTINGS({"quasi", "tree,number,text"}, {"sensitive", "s"},
                                           {"other", "free"}, {"hierarchy", hierarchy},
                                           {"publish", form}, {"missing", drop ? "drop" : "value"});
        use_new_folder(NULL);
        bauta_status status = run(input, settings, &facts, &error);
        if (status == BAUTA_INVALID) continue; /* nothing is left, or one value of a column */
        assert_ok(status, &error);
        dropped += json_integer_value(json_object_get(facts, "suppressed")) > 0;
        made++;
        json_decref(facts);
        /* What is not in a recipe stands in ../private. */
        assert_seen_again(input, i % 2 ? settings : SETTINGS({"threads", "1"}), i);
    }
    assert_true(made > CASES / 2 && dropped > CASES / 8);
    bt_buffer_release(&tree);
    bt_buffer_release(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_audit_merges_as_the_library_does)};
    return cmocka_run_group_tests_name("merging", tests, job_prepare, scratch_empty);
}
