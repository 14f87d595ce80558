/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures of small releases, with numbers worked out by hand.
 */
#include "release_files.h"

#include "measure/measure.h"

static const char columns[] = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT(
    "city") ",{\"name\":\"zip\",\"role\":\"quasi\","
            "\"type\":\"text\",\"hierarchy\":{\"spec\":\"file\",\"paths\":[[\"a1\",\"a\"],[\"a2\","
            "\"a\"],"
            "[\"b1\",\"b\"],[\"b2\",\"b\"]]}}";

/* Two classes of two, one row dropped. */
static const char data[] = "age,city,zip\n"
                           "\"[20,30]\",{x|y},a1\n"
                           "\"[20,30]\",{x|y},a1\n"
                           "40,*,a\n"
                           "40,*,a\n";

static const char original[] = "age,city,zip\n20,x,a1\n30,y,a1\n40,z,a1\n40,x,a2\n60,y,b1\n";

static bauta_report *measure(const char *const *folders, size_t count, const char *records)
{
    bauta_recipe *recipe = test_original(scratch_text("original.csv", records), "2");
    bauta_report *report = NULL;
    bauta_error error;
    assert_ok(bauta_measure(folders, count, recipe, &report, &error), &error);
    bauta_recipe_free(recipe);
    return report;
}

static double number(const json_t *facts, const char *key)
{
    const json_t *value = json_object_get(facts, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static void assert_near(double value, double expected)
{
    double off = value - expected;
    if (off > 1e-12 || off < -1e-12) fail_msg("%.17g is not %.17g", value, expected);
}

static void check_facts(const json_t *facts)
{
    const json_t *ncp = json_object_get(facts, "ncp_by_column");
    const json_t *sizes = json_object_get(facts, "class_sizes");
    const json_t *cells = json_object_get(facts, "distinct_cells");
    assert_int_equal(number(facts, "rows"), 5);
    assert_int_equal(number(facts, "published"), 4);
    assert_near(number(ncp, "age"), (2 * 10.0 / 40 + 1) / 5);
    assert_near(number(ncp, "city"), (2 * 0.5 + 2 + 1) / 5);
    assert_near(number(ncp, "zip"), (2 * 0.5 + 1) / 5);
    assert_near(number(facts, "ncp"), (1.5 + 4 + 2) / 15);
    assert_int_equal(number(facts, "discernibility"), 4 + 4 + 5);
    assert_near(number(facts, "average_class"), 1);
    /* heights: age 1 1 0 0, city 1 1 1 1, zip 0 0 1 1 of at most 1, 1, 2; the dropped row 4 */
    assert_near(number(facts, "distortion_ratio"), (2.0 + 4 + 2 + 4) / (5 * 4));
    assert_int_equal(number(sizes, "classes"), 2);
    assert_int_equal(number(sizes, "min"), 2);
    assert_near(number(sizes, "mean"), 2);
    assert_int_equal(number(cells, "age"), 2);
}

static void one_release_is_at_the_top(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = data, .dropped = 1};
    const char *folder = test_release_write("one", &release);
    bauta_report *report = measure(&folder, 1, original);
    check_facts(report->facts.root);
    bauta_report_free(report);
}

static void several_are_side_by_side(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = data, .dropped = 1};
    const char *folder = test_release_write("one", &release);
    const char *folders[] = {folder, folder};
    bauta_report *report = measure(folders, 2, original);
    const json_t *all = json_object_get(report->facts.root, "releases");
    assert_int_equal(json_array_size(all), 2);
    check_facts(json_array_get(all, 0));
    check_facts(json_array_get(all, 1));
    assert_string_equal(json_string_value(json_object_get(json_array_get(all, 1), "release")),
                        folder);
    bauta_report_free(report);
}

static void nothing_lost_and_everything_lost(void **state)
{
    (void)state;
    test_release release = {.columns = columns,
                            .promises = "{\"name\":\"k\",\"value\":\"1\"}",
                            .data = "age,city,zip\n20,x,a1\n60,,b1\n"};
    const char *folder = test_release_write("exact", &release);
    bauta_report *report = measure(&folder, 1, "age,city,zip\n20,x,a1\n60,,b1\n");
    assert_near(number(report->facts.root, "ncp"), 0);
    assert_near(number(report->facts.root, "distortion_ratio"), 0);
    assert_near(number(report->facts.root, "average_class"), 1);
    bauta_report_free(report);
    release.data = "age,city,zip\n*,*,*\n";
    release.dropped = 1;
    folder = test_release_write("nothing", &release);
    report = measure(&folder, 1, "age,city,zip\n20,x,a1\n60,,b1\n");
    assert_near(number(report->facts.root, "ncp"), 1);
    assert_near(number(report->facts.root, "distortion_ratio"), 1);
    assert_int_equal(number(report->facts.root, "discernibility"), 1 + 2);
    bauta_report_free(report);
}

static void decimals_are_scaled(void **state)
{
    (void)state;
    const test_release release = {
        .columns = "{\"name\":\"pay\",\"role\":\"quasi\",\"type\":\"decimal\",\"scale\":2}",
        .promises = "{\"name\":\"k\",\"value\":\"1\"}",
        .data = "pay\n\"[1.5,2]\"\n\"[1.5,2]\"\n11.25\n"};
    const char *folder = test_release_write("decimal", &release);
    bauta_report *report = measure(&folder, 1, "pay\n1.50\n2\n11.25\n");
    assert_near(number(report->facts.root, "ncp"), 2 * 0.5 / 9.75 / 3);
    bauta_report_free(report);
}

static void derived_nodes_count_leaves(void **state)
{
    (void)state;
    const test_release release = {
        .columns = "{\"name\":\"zip\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":"
                   "{\"spec\":\"mask\",\"leaves\":8,\"levels\":4,\"nodes\":["
                   "{\"label\":\"12*\",\"level\":1,\"leaves\":2},"
                   "{\"label\":\"1**\",\"level\":2,\"leaves\":4}]}}",
        .data = "zip\n12*\n12*\n1**\n1**\n"};
    const char *folder = test_release_write("derived", &release);
    bauta_report *report = measure(&folder, 1, "zip\n129\n125\n139\n125\n");
    assert_near(number(report->facts.root, "ncp"), (2 * 2.0 / 8 + 2 * 4.0 / 8) / 4);
    assert_near(number(report->facts.root, "distortion_ratio"), (1.0 + 1 + 2 + 2) / (4 * 3));
    bauta_report_free(report);
}

static void class_sizes_have_quartiles(void **state)
{
    (void)state;
    const test_release release = {.columns = TEST_QUASI_INTEGER("age"),
                                  .data = "age\n1\n2\n2\n3\n3\n3\n4\n4\n4\n4\n"};
    const char *folder = test_release_write("sizes", &release);
    bauta_report *report = measure(&folder, 1, "age\n1\n2\n2\n3\n3\n3\n4\n4\n4\n4\n");
    const json_t *sizes = json_object_get(report->facts.root, "class_sizes");
    static const char *const names[] = {"min", "q1", "median", "q3", "max"};
    static const int expected[] = {1, 1, 2, 3, 4};
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(number(sizes, names[i]), expected[i]);
    assert_near(number(sizes, "mean"), 2.5);
    assert_near(number(report->facts.root, "average_class"), 10.0 / 4 / 2);
    bauta_report_free(report);
}

/* Classes of 2, of 2 and of `largest` rows. */
static bauta_report *measure_sizes(int largest)
{
    bt_buffer rows = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&rows, &error, "age\n1\n1\n2\n2\n"), &error);
    for (int i = 0; i < largest; i++)
        assert_ok(bt_buffer_print(&rows, &error, "3\n"), &error);
    assert_ok(bt_buffer_add(&rows, "", 1, &error), &error);
    const test_release release = {.columns = TEST_QUASI_INTEGER("age"), .data = rows.bytes};
    const char *folder = test_release_write("bins", &release);
    bauta_report *report = measure(&folder, 1, rows.bytes);
    bt_buffer_release(&rows);
    return report;
}

static void bins_hold_every_class_once(void **state)
{
    (void)state;
    static const struct {
        int largest;
        size_t bins;
        int last_from; /* where the last bin begins */
    } cases[] = {{2, 1, 2}, {5, 4, 5}, {61, 60, 61}, {62, 5, 32}, {128, 7, 128}, {200, 7, 128}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_report *report = measure_sizes(cases[i].largest);
        const json_t *bins = json_object_get(report->facts.root, "class_histogram");
        size_t count = json_array_size(bins);
        int64_t next = 2, classes = 0;
        assert_int_equal(count, cases[i].bins);
        for (size_t b = 0; b < count; b++) {
            const json_t *bin = json_array_get(bins, b);
            assert_int_equal(number(bin, "from"), next);
            assert_true(number(bin, "to") >= number(bin, "from"));
            next = (int64_t)number(bin, "to") + 1;
            classes += (int64_t)number(bin, "classes");
        }
        assert_int_equal(next, cases[i].largest + 1);
        assert_int_equal(classes, 3);
        assert_int_equal(number(json_array_get(bins, count - 1), "from"), cases[i].last_from);
        assert_int_equal(number(json_array_get(bins, 0), "classes"), 2 + (cases[i].largest == 2));
        bauta_report_free(report);
    }
}

static void wrong_originals_are_refused(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = data, .dropped = 1};
    const char *folder = test_release_write("wrong", &release);
    bauta_error error;
    bauta_report *report;
    bauta_recipe *recipe = test_original(NULL, "2");
    assert_fails(bauta_measure(&folder, 1, recipe, &report, &error), BAUTA_USAGE, &error,
                 "original records are needed");
    assert_fails(bauta_measure(&folder, 0, recipe, &report, &error), BAUTA_USAGE, &error,
                 "a release is needed");
    bauta_recipe_free(recipe);
    recipe = test_original(scratch_text("original.csv", "age,city,zip\n20,x,a1\n"), "2");
    assert_fails(bauta_measure(&folder, 1, recipe, &report, &error), BAUTA_INVALID, &error,
                 "the original has 1 records");
    bauta_recipe_free(recipe);
    recipe = test_original(scratch_text("original.csv", "age,zip\n20,a1\n"), "2");
    assert_fails(bauta_measure(&folder, 1, recipe, &report, &error), BAUTA_INVALID, &error,
                 "no column 'city'");
    bauta_recipe_free(recipe);
    assert_null(report);
}

static void registry_is_complete(void **state)
{
    (void)state;
    assert_true(bt_measure_registry_count >= 6);
    for (size_t i = 0; i < bt_measure_registry_count; i++) {
        assert_non_null(bt_measure_registry[i]->name);
        assert_non_null(bt_measure_registry[i]->summary);
        assert_non_null(bt_measure_registry[i]->compute);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_release_is_at_the_top),
        cmocka_unit_test(several_are_side_by_side),
        cmocka_unit_test(nothing_lost_and_everything_lost),
        cmocka_unit_test(decimals_are_scaled),
        cmocka_unit_test(derived_nodes_count_leaves),
        cmocka_unit_test(class_sizes_have_quartiles),
        cmocka_unit_test(bins_hold_every_class_once),
        cmocka_unit_test(wrong_originals_are_refused),
        cmocka_unit_test(registry_is_complete),
    };
    return cmocka_run_group_tests_name("measure", tests, scratch_make, scratch_empty);
}
