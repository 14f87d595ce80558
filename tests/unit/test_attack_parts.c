/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on the form `distribution`: what it promises is what is believed, an optimal choice of
 * parts is read backwards as docs/distribution.md says, a random one is not, and changed files are
 * noticed. And what is left of a target beside earlier releases.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"
#include "../release_files.h"

/* ---- making releases ---- */

#define OF_VALUES                                                                                  \
    {"quasi", "q"},                                                                                \
    {                                                                                              \
        "sensitive", "s"                                                                           \
    }

/* "distribution:target=FILE,OPTIONS,allocation=optimal" with a file of these weights. */
static const char *with_target(const char *weights, const char *options)
{
    static char form[400];
    snprintf(form, sizeof form, "distribution:target=%s,%s", scratch_text("weights.csv", weights),
             options[0] ? options : "allocation=optimal");
    return form;
}

static const char even_four[] = "value,weight\n1,1\n2,1\n3,1\n4,1\n";
static const char half_three[] = "value,weight\n1,1\n2,1\n3,2\n";

/* Groups of two, all with the same two values. */
static const char *many_pairs(const char *first, const char *second, int groups)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "q,s\n"), &error);
    for (int i = 0; i < groups; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%s\n%d,%s\n", i, first, i, second), &error);
    const char *file = scratch_write("pairs.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void make(const char *table, const char *group, const char *require, const char *form)
{
    bauta_error error;
    use_new_folder(NULL);
    assert_ok(run(table,
                  SETTINGS(OF_VALUES, {"group", group}, {"require", require}, {"publish", form}),
                  NULL, &error),
              &error);
}

static int64_t tried(const json_t *result)
{
    return json_integer_value(json_object_get(result, "tried"));
}

/* ---- what is promised ---- */

static void beliefs_are_the_target(void **state)
{
    (void)state;
    const char *table = scratch_text("four.csv", "q,s\n1,1\n2,1\n3,3\n4,3\n");
    make(table, "whole", "alpha=0.5", with_target(half_three, ""));
    bauta_report *report = try_attacks(publish, table, ARGUMENTS("all=yes"), true);
    const json_t *one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "success", 0.5); /* the likeliest is 3, and two have it */
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "allowed", 0.5);
    assert_int_equal(outcome_of(one), 1);
    one = find_result(report, "skewness", NULL);
    assert_rate(one, "worst", 0); /* one target for all: nobody is told apart */
    one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "success", 1);
    assert_int_equal(outcome_of(one), -1);
    assert_rate(find_result(report, "re-identification", "linkage"), "worst", 0.25);
    bauta_report_free(report);
}

/* Groups of their own targets: what they gain over the table stays within t. */
static void gains_stay_within_t(void **state)
{
    (void)state;
    const char *table = scratch_text("t.csv", "q,s\n1,1\n1,1\n1,1\n1,2\n2,2\n2,2\n2,2\n2,1\n");
    make(table, "columns:q", "t=0.3", "distribution:target=closest,allocation=optimal");
    bauta_report *report = try_attacks(publish, table, NULL, true);
    const json_t *one = find_result(report, "skewness", NULL);
    assert_rate(one, "allowed", 0.3);
    assert_true(rate_of(one, "worst") > 0.1 && rate_of(one, "worst") <= 0.3);
    assert_true(rate_of(one, "success") > 0.1);
    assert_int_equal(outcome_of(one), 1);
    bauta_report_free(report);
}

static void categories_are_believed_too(void **state)
{
    (void)state;
    const char *table = scratch_text("ill.csv", "q,s\n1,flu\n2,hiv\n3,gout\n4,cold\n");
    const char *file = scratch_text("categories.csv", "flu,mild\ncold,mild\nhiv,bad\ngout,bad\n");
    char categories[300];
    bauta_error error;
    snprintf(categories, sizeof categories, "s=%s", file);
    assert_ok(run(table,
                  SETTINGS(OF_VALUES, {"group", "whole"}, {"require", "p-categories=2"},
                           {"publish", "distribution:target=uniform,allocation=optimal"},
                           {"hierarchy", "s=flat"}, {"categories", categories}),
                  NULL, &error),
              &error);
    bauta_report *report = try_attacks(publish, table, NULL, true);
    const json_t *one = find_result(report, "similarity", NULL);
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "allowed", 0.75); /* another category has a value, and that 1/4 at least */
    assert_rate(one, "success", 0.5);
    bauta_report_free(report);
}

/* Parts that are not in proportion to the target tell more than it. */
static void parts_out_of_proportion_are_noticed(void **state)
{
    (void)state;
    static const char path[] = "changed/publish/sensitive.csv";
    const char *table = scratch_text("four.csv", "q,s\n1,1\n2,2\n3,3\n4,4\n");
    bauta_error error;
    use_folder("changed");
    assert_ok(run(table,
                  SETTINGS(OF_VALUES, {"group", "whole"}, {"require", "alpha=0.8"},
                           {"publish", with_target(even_four, "")}),
                  NULL, &error),
              &error);
    scratch_text(path, "group,low,high\n1,1,1\n1,1,1\n1,1,1\n1,4,4\n");
    bauta_report *report = try_attacks(publish, table, NULL, false);
    const json_t *one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "worst", 0.75);
    assert_int_equal(outcome_of(one), 0);
    bauta_report_free(report);
    scratch_text(path, "group,low,high\n1,2,3\n1,1,1\n1,1,1\n1,4,4\n");
    bauta_recipe *recipe = test_original(table, "1");
    assert_fails(bauta_attack(publish, recipe, NULL, 0, NULL, &error), BAUTA_INVALID, &error,
                 "do not fit");
    bauta_recipe_free(recipe);
}

/* ---- positions ---- */

enum { EVERYONE = 64, DIFFERENT = 16 };

/* Records 0 to 63 whose values go round. */
static const char *make_round(void)
{
    char text[1024] = "q,s\n";
    size_t length = strlen(text);
    for (int i = 0; i < EVERYONE; i++)
        length +=
            (size_t)snprintf(text + length, sizeof text - length, "%d,%d\n", i, i % DIFFERENT);
    return scratch_text("round.csv", text);
}

static void orders_lead_nowhere(void **state)
{
    (void)state;
    static const char *const forms[] = {"distribution:target=uniform,allocation=optimal",
                                        "distribution:target=uniform,fake=5,allocation=random"};
    const char *table = make_round();
    for (int i = 0; i < 20; i++) {
        char seed[16];
        bauta_error error;
        snprintf(seed, sizeof seed, "%d", i);
        use_new_folder(NULL);
        assert_ok(run(table,
                      (const setting[SETTINGS_MOST]){OF_VALUES,
                                                     {"seed", seed},
                                                     {"group", "whole"},
                                                     {"require", "alpha=0.5"},
                                                     {"accept", "q"},
                                                     {"publish", forms[i % 2]}},
                      NULL, &error),
                  &error);
        bauta_report_free(try_attacks(publish, table, ARGUMENTS("attack=position"), true));
    }
}

/* Files that somebody put into an order, one way or another. */
static void orders_are_noticed(void **state)
{
    (void)state;
    bt_buffer quasi = {0}, sorted = {0}, paired = {0};
    bauta_error error;
    const char *table = make_round();
    use_folder("ordered");
    assert_ok(run(table,
                  SETTINGS(OF_VALUES, {"group", "whole"}, {"require", "alpha=0.5"}, {"accept", "q"},
                           {"publish", "distribution:target=uniform,allocation=optimal"}),
                  NULL, &error),
              &error);
    assert_ok(bt_buffer_print(&quasi, &error, "q,group\n"), &error);
    assert_ok(bt_buffer_print(&sorted, &error, "group,low,high\n"), &error);
    assert_ok(bt_buffer_print(&paired, &error, "group,low,high\n"), &error);
    for (int i = 0; i < EVERYONE; i++) {
        int same = i * 37 % EVERYONE, value = i / (EVERYONE / DIFFERENT);
        assert_ok(bt_buffer_print(&quasi, &error, "%d,1\n", same), &error);
        assert_ok(bt_buffer_print(&sorted, &error, "1,%d,%d\n", value, value), &error);
        assert_ok(bt_buffer_print(&paired, &error, "1,%d,%d\n", same % DIFFERENT, same % DIFFERENT),
                  &error);
    }
    scratch_text("ordered/publish/quasi.csv", quasi.bytes);
    scratch_text("ordered/publish/sensitive.csv", sorted.bytes);
    bauta_report *report = try_attacks(publish, table, ARGUMENTS("attack=position"), false);
    assert_int_equal(outcome_of(find_result(report, "position", "within classes")), 1);
    bauta_report_free(report);
    scratch_text("ordered/publish/sensitive.csv", paired.bytes);
    report = try_attacks(publish, table, ARGUMENTS("attack=position"), false);
    const json_t *one = find_result(report, "position", "within classes");
    assert_rate(one, "success", 1);
    assert_rate(one, "chance", 1.0 / DIFFERENT);
    assert_int_equal(outcome_of(one), 0);
    bauta_report_free(report);
    bt_buffer_release(&quasi);
    bt_buffer_release(&sorted);
    bt_buffer_release(&paired);
}

/* ---- reading backwards: the two examples of docs/distribution.md ---- */

static void pairs_that_are_not_divided_are_equal(void **state)
{
    (void)state;
    const char *table = scratch_text("four.csv", "q,s\n1,1\n2,1\n3,3\n4,3\n");
    make(table, "whole", "alpha=0.5", with_target(even_four, ""));
    bauta_report *report = try_attacks(publish, table, ARGUMENTS("attack=minimality"), true);
    const json_t *one = find_result(report, "minimality", "alike");
    assert_int_equal(tried(one), 2);
    assert_rate(one, "success", 1);
    assert_rate(one, "worst", 1); /* for certain */
    assert_rate(one, "chance", 0.5);
    assert_rate(find_result(report, "minimality", "values"), "worst", 0.25);
    bauta_report_free(report);
    make(table, "whole", "alpha=0.5", with_target(even_four, "allocation=random"));
    report = try_attacks(publish, table, ARGUMENTS("attack=minimality"), true);
    one = find_result(report, "minimality", "alike");
    assert_true(rate_of(one, "worst") < 0.7); /* two to one at most */
    bauta_report_free(report);
}

static void chosen_fakes_are_recognised(void **state)
{
    (void)state;
    const char *table = scratch_text("ones.csv", "q,s\n1,1\n2,1\n");
    make(table, "whole", "alpha=0.5", with_target(half_three, "fake=best:2,allocation=optimal"));
    bauta_report *report =
        try_attacks(publish, table, ARGUMENTS("attack=background,minimality"), true);
    const json_t *one = find_result(report, "background", "fakes");
    assert_int_equal(tried(one), 2);
    assert_rate(one, "success", 1); /* the threes */
    assert_rate(one, "worst", 1);
    assert_rate(one, "chance", 0.5);
    assert_int_equal(outcome_of(one), -1);
    one = find_result(report, "minimality", "values");
    assert_rate(one, "worst",
                0.5); /* 1 or 2; a 3, which the target makes likeliest, is not there */
    assert_rate(one, "success", 1);
    assert_rate(one, "chance", 0);
    bauta_report_free(report);
}

/* Three values are required, and two are left: claimed of everyone, and true of everyone. */
static void chosen_fakes_break_a_promise(void **state)
{
    (void)state;
    const char *table = many_pairs("1", "1", 40);
    make(table, "identical", "l=3", with_target(half_three, "fake=best:2,allocation=optimal"));
    bauta_report *report = try_attacks(publish, table, NULL, false);
    const json_t *one = find_result(report, "minimality", "values");
    assert_int_equal(tried(one), 80);
    assert_int_equal(outcome_of(one), 0);
    assert_rate(one, "allowed", 0.5);
    bauta_report_free(report);
    make(table, "identical", "l=3", with_target(half_three, "fake=2,allocation=random"));
    report = try_attacks(publish, table, NULL, true);
    one = find_result(report, "minimality", "values");
    assert_int_equal(outcome_of(one), 1);
    one = find_result(report, "background", "fakes");
    assert_rate(one, "worst", 0.5); /* every row alike */
    bauta_report_free(report);
}

/* 2/3 is promised, and 9/14 is believed by who knows the method. */
static void beliefs_move_by_known_amounts(void **state)
{
    (void)state;
    const char *table = scratch_text("four.csv", "q,s\n1,1\n2,1\n3,1\n4,2\n");
    make(table, "whole", "alpha=0.7", with_target("value,weight\n1,2\n2,1\n", ""));
    bauta_report *report = try_attacks(publish, table, ARGUMENTS("attack=minimality"), true);
    assert_rate(find_result(report, "minimality", "values"), "worst", 9.0 / 14);
    bauta_report_free(report);
}

/* ---- several releases ---- */

static const char two_classes[] = "q,s\n1,1\n2,2\n3,3\n4,4\n";
#define INTEGERS                                                                                   \
    TEST_QUASI_INTEGER("q") ",{\"name\":\"s\",\"role\":\"sensitive\",\"type\":\"integer\"}"

static const char *write_two_classes(void)
{
    const test_release release = {.columns = INTEGERS,
                                  .quasi = "q,class\n3,2\n1,1\n4,2\n2,1\n",
                                  .sensitive = "class,s\n2,4\n1,1\n1,2\n2,3\n"};
    return test_release_write("classes", &release);
}

static void intersections_meet_distributions(void **state)
{
    (void)state;
    char here[300], there[400];
    const char *table = scratch_text("two.csv", two_classes);
    snprintf(here, sizeof here, "%s", write_two_classes());
    make(table, "whole", "alpha=0.5", with_target("value,weight\n1,3\n2,1\n3,1\n4,3\n", ""));
    snprintf(there, sizeof there, "other-release=%s", publish);
    bauta_report *report = try_attacks(here, table, ARGUMENTS("attack=intersection", there), true);
    assert_rate(find_result(report, "intersection", "values"), "worst", 0.75);
    bauta_report_free(report);
    snprintf(there, sizeof there, "other-release=%s", here);
    report = try_attacks(publish, table, ARGUMENTS("attack=intersection", there), true);
    assert_rate(find_result(report, "intersection", "values"), "worst", 0.5);
    assert_int_equal(outcome_of(find_result(report, "intersection", "identity")), -1);
    bauta_report_free(report);
}

static void targets_are_narrowed_by_earlier_releases(void **state)
{
    (void)state;
    static const struct {
        const char *require;
        bool holds;
    } cases[] = {{"alpha=0.5", true}, {"alpha=0.49", false}, {"l=2", true},
                 {"l=3", false},      {"entropy-l=2", true}, {"t=0.9", false}};
    char earlier[300];
    const char *table = scratch_text("five.csv", "q,s\n1,1\n2,2\n3,3\n4,4\n5,4\n");
    snprintf(earlier, sizeof earlier, "%s", write_two_classes());
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const setting *settings = SETTINGS(
            OF_VALUES, {"group", "whole"}, {"require", cases[i].require},
            {"publish", "distribution:target=uniform,allocation=optimal"}, {"previous", earlier});
        json_t *facts = NULL;
        bauta_error error;
        use_new_folder(NULL);
        bauta_status status = run(table, settings, &facts, &error);
        if (status != (cases[i].holds ? BAUTA_OK : BAUTA_NO))
            fail_msg("%s: %s", cases[i].require, error.message);
        if (!cases[i].holds) {
            assert_non_null(strstr(error.message, "4 of 4 records"));
            continue;
        }
        const json_t *one = json_array_get(json_object_get(facts, "previous"), 0);
        assert_int_equal(whole(one, "records_in_both"), 4);
        assert_int_equal(whole(one, "narrowed"), 4);
        json_decref(facts);
    }
}

/* Of weights 1, 2, 3, 2 those of 2 and 3 are left: 2/5 and 3/5. */
static void what_is_left_is_judged_exactly(void **state)
{
    (void)state;
    static const struct {
        const char *require;
        bool holds;
    } cases[] = {{"alpha=0.6", true},          {"alpha=0.59", false},
                 {"alpha=0.59:2|4", true},     {"recursive-l=2:1.6", true},
                 {"recursive-l=2:1.5", false}, {"p=2", true},
                 {"entropy-l=1.9", true},      {"entropy-l=2", false}};
    char earlier[300], form[400];
    const char *table = scratch_text("four.csv", "q,s\n1,2\n2,3\n5,1\n6,4\n");
    const test_release release = {.columns = INTEGERS,
                                  .quasi = "q,class\n1,1\n4,2\n2,1\n3,2\n",
                                  .sensitive = "class,s\n2,4\n1,3\n1,2\n2,1\n"};
    snprintf(earlier, sizeof earlier, "%s", test_release_write("halves", &release));
    snprintf(form, sizeof form, "%s",
             with_target("value,weight\n1,1\n2,2\n3,3\n4,2\n", "weight-cap=none"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_error error;
        use_new_folder(NULL);
        bauta_status status =
            run(table,
                SETTINGS(OF_VALUES, {"group", "whole"}, {"require", cases[i].require},
                         {"publish", form}, {"previous", earlier}),
                NULL, &error);
        if (status != (cases[i].holds ? BAUTA_OK : BAUTA_NO))
            fail_msg("%s: %d %s", cases[i].require, status, error.message);
        if (!cases[i].holds) assert_non_null(strstr(error.message, "2 of 2 records"));
    }
}

/* A distribution that was published before leaves all its values possible, and no others. Two of
 * four values are left of it: its own promise must stand that, too. */
static void distributions_narrow_later_releases(void **state)
{
    (void)state;
    static const struct {
        const char *promised;
        bool holds;
    } cases[] = {{"alpha=0.5", true}, {"alpha=0.49", false}, {"l=2", true}, {"l=3", false}};
    char earlier[400], table[400];
    snprintf(table, sizeof table, "%s", scratch_text("two.csv", two_classes));
    bauta_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *facts = NULL;
        make(table, "whole", cases[i].promised, with_target(even_four, ""));
        snprintf(earlier, sizeof earlier, "%s", publish);
        use_new_folder(NULL);
        bauta_status status = run(table,
                                  SETTINGS(OF_VALUES, {"require", "k=2,l=2"},
                                           {"publish", "two-tables"}, {"previous", earlier}),
                                  cases[i].holds ? &facts : NULL, &error);
        if (!cases[i].holds) {
            assert_int_equal(status, BAUTA_NO);
            assert_non_null(strstr(error.message, "beside this one, 4 of 4 records"));
            assert_non_null(strstr(error.message, cases[i].promised));
            continue;
        }
        assert_ok(status, &error);
        const json_t *one = json_array_get(json_object_get(facts, "previous"), 0);
        assert_int_equal(whole(one, "records_in_both"), 4);
        assert_int_equal(whole(one, "narrowed"), 0);
        assert_int_equal(whole(one, "narrowed_there"), 4);
        json_decref(facts);
    }
    make(table, "columns:q", "t=0.8", "distribution:target=uniform,per=group,allocation=optimal");
    snprintf(earlier, sizeof earlier, "%s", publish);
    use_new_folder(NULL);
    assert_fails(run(table,
                     SETTINGS(OF_VALUES, {"require", "k=2,l=2"}, {"publish", "two-tables"},
                              {"previous", earlier}),
                     NULL, &error),
                 BAUTA_NO, &error, "4 of 4 records");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(beliefs_are_the_target, use_new_folder),
        cmocka_unit_test_setup(gains_stay_within_t, use_new_folder),
        cmocka_unit_test_setup(categories_are_believed_too, use_new_folder),
        cmocka_unit_test_setup(parts_out_of_proportion_are_noticed, use_new_folder),
        cmocka_unit_test_setup(orders_lead_nowhere, use_new_folder),
        cmocka_unit_test_setup(orders_are_noticed, use_new_folder),
        cmocka_unit_test_setup(pairs_that_are_not_divided_are_equal, use_new_folder),
        cmocka_unit_test_setup(chosen_fakes_are_recognised, use_new_folder),
        cmocka_unit_test_setup(chosen_fakes_break_a_promise, use_new_folder),
        cmocka_unit_test_setup(beliefs_move_by_known_amounts, use_new_folder),
        cmocka_unit_test_setup(intersections_meet_distributions, use_new_folder),
        cmocka_unit_test_setup(targets_are_narrowed_by_earlier_releases, use_new_folder),
        cmocka_unit_test_setup(what_is_left_is_judged_exactly, use_new_folder),
        cmocka_unit_test_setup(distributions_narrow_later_releases, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
