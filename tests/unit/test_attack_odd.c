/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks in odd cases: more others known than a class has, bets that lose, tables of unequal
 * length, an original of someone else, lists that name nothing, promises that count persons. What
 * is said then must not look like protection.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"
#include "../release_files.h"

#include <math.h>

#define PROMISE(name, value) "{\"name\":\"" name "\",\"value\":\"" value "\"}"
#define PLACES TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease")
#define COLUMNS TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease")

static const char *detail_of(const json_t *result)
{
    const char *text = json_string_value(json_object_get(result, "detail"));
    return text ? text : "";
}

static int64_t tried_of(const json_t *result)
{
    return json_integer_value(json_object_get(result, "tried"));
}

/* ---- others of a class are known ---- */

static const char two_and_four[] =
    "age,disease\n20,flu\n20,cold\n30,flu\n30,flu\n30,cold\n30,gout\n";

/* Of four with flu twice, m others known; of two the other: one value is left. */
static double worst_share(int m, int size, int most)
{
    int known = m < size ? m : size - 1;
    return fmin(1, most / (double)(size - known));
}

static void more_are_known_than_a_class_has(void **state)
{
    (void)state;
    const test_release release = {
        .columns = COLUMNS, .promises = PROMISE("alpha", "0.5"), .data = two_and_four};
    const char *folder = test_release_write("classes", &release);
    const char *original = scratch_text("classes.csv", two_and_four);
    for (int m = 1; m <= 6; m++) {
        char members[40];
        snprintf(members, sizeof members, "members=%d", m == 6 ? 1000000 : m);
        bauta_report *report =
            try_attacks(folder, original, ARGUMENTS("attack=background", members), true);
        const json_t *one = find_result(report, "background", NULL);
        assert_int_equal(tried_of(one), 6);
        assert_rate(one, "worst", fmax(worst_share(m, 2, 1), worst_share(m, 4, 2)));
        assert_rate(one, "allowed", 1);
        assert_int_equal(outcome_of(one), 1);
        if (m >= 3) assert_rate(one, "success", 1);
        assert_true(rate_of(one, "success") >= 2.0 / 6); /* the class of two, always */
        assert_true(strstr(detail_of(one), m == 1 ? "1 other known" : "one value is left"));
        bauta_report_free(report);
    }
}

/* Knowing everyone else breaks no promise by itself; too few values do, whatever is known. */
static void short_classes_stay_broken(void **state)
{
    (void)state;
    const test_release release = {.columns = COLUMNS,
                                  .promises = PROMISE("l", "3"),
                                  .data = "age,disease\n20,flu\n20,cold\n"};
    const char *folder = test_release_write("short", &release);
    const char *original = scratch_text("short.csv", release.data);
    bauta_report *report =
        try_attacks(folder, original, ARGUMENTS("attack=background", "members=5"), false);
    assert_int_equal(outcome_of(find_result(report, "background", NULL)), 0);
    bauta_report_free(report);
    const test_release enough = {.columns = COLUMNS,
                                 .promises = PROMISE("l", "2"),
                                 .data = "age,disease\n20,flu\n20,cold\n"};
    folder = test_release_write("enough", &enough);
    report = try_attacks(folder, original, ARGUMENTS("attack=background", "members=5"), true);
    assert_int_equal(outcome_of(find_result(report, "background", NULL)), 1);
    bauta_report_free(report);
}

static void groups_of_a_distribution_have_members(void **state)
{
    (void)state;
    const char *file = scratch_text("groups.csv", "q,s\n1,a\n1,b\n2,a\n2,b\n2,a\n2,b\n");
    json_decref(
        anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"require", "l=2"},
                                 {"group", "columns:q"}, {"hierarchy", "s=flat"},
                                 {"publish", "distribution:target=uniform,allocation=optimal"})));
    static const struct {
        const char *members, *detail;
        double success;
    } cases[] = {
        {"members=3", "3 others known, or all others of a smaller group", 1},
        {"members=40", "40 others known (12 of them are used), or all others of a smaller", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bauta_report *report =
            try_attacks(publish, file, ARGUMENTS("attack=background", cases[i].members), true);
        const json_t *one = find_result(report, "background", "members");
        assert_int_equal(tried_of(one), 6);
        assert_rate(one, "success", cases[i].success); /* one part is left */
        assert_rate(one, "worst", 1);
        assert_int_equal(outcome_of(one), -1);
        assert_true(strstr(detail_of(one), cases[i].detail));
        bauta_report_free(report);
    }
}

/* A person alone in a group has no others. */
static void one_record_has_no_others(void **state)
{
    (void)state;
    const char *file = scratch_text("alone.csv", "q,s\n1,a\n2,a\n2,b\n");
    json_decref(
        anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"require", "l=2"},
                                 {"group", "columns:q"}, {"hierarchy", "s=flat"},
                                 {"publish", "distribution:target=uniform,allocation=optimal"})));
    bauta_report *report =
        try_attacks(publish, file, ARGUMENTS("attack=background", "members=1"), true);
    const json_t *one = find_result(report, "background", "members");
    assert_int_equal(tried_of(one), 3);
    assert_rate(one, "worst", 1);
    bauta_report_free(report);
}

/* ---- gains and chances ---- */

/* The release has the values the other way round: whoever bets on them would have lost. */
static void losing_bets_are_no_gain(void **state)
{
    (void)state;
    const test_release release = {.columns = COLUMNS,
                                  .data = "age,disease\n20,flu\n20,flu\n30,cold\n30,cold\n"};
    const char *folder = test_release_write("turned", &release);
    const char *original =
        scratch_text("turned.csv", "age,disease\n20,cold\n20,cold\n30,flu\n30,flu\n");
    bauta_report *report = try_attacks(folder, original, ARGUMENTS("attack=skewness"), true);
    const json_t *one = find_result(report, "skewness", NULL);
    assert_rate(one, "chance", 0.5);
    assert_rate(one, "success", 0);
    assert_rate(one, "worst", 0.5);
    assert_true(json_number_value(json_array_get(json_object_get(one, "interval"), 0)) == 0);
    assert_true(strstr(detail_of(one), "no gain"));
    bauta_report_free(report);
}

/* Four rows of quasi.csv and one of sensitive.csv: the one pair is right whatever the order. */
static void chances_are_chances(void **state)
{
    (void)state;
    static const struct {
        const char *quasi, *sensitive;
        double tables, within;
    } cases[] = {
        {"age,class\n20,1\n20,1\n30,1\n30,1\n", "class,disease\n1,flu\n", 1, 0.5},
        {"age,class\n20,1\n", "class,disease\n1,flu\n1,flu\n1,cold\n1,cold\n", 1, 0.5},
        {"age,class\n20,1\n20,1\n20,1\n30,2\n", "class,disease\n1,flu\n2,cold\n", 0.5, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const test_release release = {
            .columns = COLUMNS, .quasi = cases[i].quasi, .sensitive = cases[i].sensitive};
        const char *folder = test_release_write("tables", &release);
        const char *original = scratch_text("tables.csv", "age,disease\n20,flu\n20,flu\n30,cold\n");
        bauta_report *report = try_attacks(folder, original, ARGUMENTS("attack=position"), true);
        assert_rate(find_result(report, "position", "tables"), "chance", cases[i].tables);
        assert_rate(find_result(report, "position", "within classes"), "chance", cases[i].within);
        bauta_report_free(report);
    }
}

/* ---- the original of another release ---- */

static bauta_status ask(const char *folder, const char *original, const char *const *arguments,
                        bauta_report **report, bauta_error *error)
{
    bauta_recipe *recipe;
    size_t count = 0;
    while (arguments && arguments[count])
        count++;
    assert_ok(bauta_recipe_new(&recipe, error), error);
    assert_ok(bauta_recipe_set(recipe, "input", original, error), error);
    bauta_status status = bauta_attack(folder, recipe, arguments, count, report, error);
    bauta_recipe_free(recipe);
    return status;
}

static void assert_not_of_others(const char *folder)
{
    const char *original = scratch_text("others.csv", "age,disease\n60,flu\n61,cold\n62,gout\n");
    bauta_error error;
    bauta_report *report = NULL;
    assert_fails(ask(folder, original, NULL, &report, &error), BAUTA_INVALID, &error,
                 "none of the original records can be in the release");
    assert_string_equal(error.hint, "is this the original of that release?");
    assert_null(report);
}

static void another_original_is_noticed(void **state)
{
    (void)state;
    const test_release release = {.columns = COLUMNS, .data = two_and_four};
    assert_not_of_others(test_release_write("theirs", &release));
    const test_release pair = {.columns = COLUMNS,
                               .quasi = "age,class\n20,1\n30,1\n",
                               .sensitive = "class,disease\n1,flu\n1,cold\n"};
    assert_not_of_others(test_release_write("pair", &pair));
    const char *file = scratch_text("classes.csv", two_and_four);
    json_decref(anonymize(
        file, SETTINGS({"quasi", "age"}, {"sensitive", "disease"}, {"publish", "randomized"})));
    assert_not_of_others(publish);
}

/* Nobody is there, yet the files tell something: that is shown, and nothing else holds. */
static void nobody_tried_is_no_promise_kept(void **state)
{
    (void)state;
    const test_release release = {.columns = COLUMNS,
                                  .data = "age,disease\n\"20\",flu\n20,flu\n20,cold\n"};
    const char *folder = test_release_write("quoted", &release);
    const char *others = scratch_text("others.csv", "age,disease\n60,flu\n61,cold\n62,gout\n");
    bauta_report *report = try_attacks(folder, others, NULL, false);
    char *text;
    bauta_error error;
    assert_int_equal(outcome_of(find_result(report, "position", "files")), 0);
    static const char *const attacks[][2] = {{"re-identification", "prosecutor"},
                                             {"re-identification", "marketer"},
                                             {"homogeneity", NULL},
                                             {"skewness", NULL},
                                             {"background", NULL}};
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        const json_t *one = find_result(report, attacks[i][0], attacks[i][1]);
        assert_int_equal(tried_of(one), 0);
        assert_int_equal(outcome_of(one), -1);
        assert_true(json_is_null(json_object_get(one, "success")));
        assert_true(json_is_null(json_object_get(one, "worst")));
        assert_true(strstr(detail_of(one), "nobody to try"));
    }
    assert_ok(bauta_report_text(report, &text, &error), &error);
    assert_non_null(strstr(text, "not tried: re-identification (2), homogeneity, skewness, "));
    bauta_text_free(text);
    bauta_report_free(report);
}

static void some_who_are_not_there_are_counted(void **state)
{
    (void)state;
    const test_release release = {.columns = COLUMNS, .data = two_and_four};
    const char *folder = test_release_write("some", &release);
    const char *some = scratch_text("some.csv", "age,disease\n20,flu\n61,cold\n62,gout\n");
    bauta_report *report = try_attacks(folder, some, ARGUMENTS("attack=re-identification"), true);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_int_equal(tried_of(one), 1);
    assert_string_equal(detail_of(one), "2 of 3 original records cannot be in the release");
    bauta_report_free(report);
}

/* ---- lists ---- */

static void lists_name_something_once(void **state)
{
    (void)state;
    bauta_error error;
    const test_release release = {.columns = COLUMNS, .data = two_and_four};
    const char *folder = test_release_write("asked", &release);
    const char *original = scratch_text("asked.csv", two_and_four);
    assert_fails(ask(folder, original, ARGUMENTS("know=age,age"), NULL, &error), BAUTA_USAGE,
                 &error, "'know' of 'attack' names column 'age' twice");
    static const char *const empty[] = {"know=", "attack=", "other-release=", "public="};
    for (size_t i = 0; i < sizeof empty / sizeof *empty; i++) {
        assert_fails(ask(folder, original, (const char *const[]){empty[i], NULL}, NULL, &error),
                     BAUTA_USAGE, &error, "of 'attack' is empty");
        assert_string_equal(error.hint, "name something, or leave it out");
    }
    assert_fails(ask(folder, original, ARGUMENTS("know=age,"), NULL, &error), BAUTA_USAGE, &error,
                 "no quasi column ''");
}

static void releases_without_a_common_column_say_so(void **state)
{
    (void)state;
    bauta_error error;
    char other[300], same[300];
    const test_release release = {.columns = COLUMNS, .data = "age,disease\n20,flu\n20,cold\n"};
    const test_release salaries = {.columns = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("pay"),
                                   .data = "age,pay\n20,low\n20,high\n"};
    const char *original = scratch_text("both.csv", "age,disease,pay\n20,flu,low\n20,cold,high\n");
    static const char why[] = "no sensitive column is shown by both releases";
    snprintf(other, sizeof other, "other-release=%s", test_release_write("pay", &salaries));
    const char *folder = test_release_write("health", &release);
    /* both are written with one id */
    bauta_report *report = try_attacks(folder, original, ARGUMENTS(other, "all=yes"), false);
    const json_t *one = find_result(report, "intersection", NULL);
    assert_string_equal(json_string_value(json_object_get(one, "skipped")), why);
    assert_int_equal(outcome_of(find_result(report, "ids", NULL)), 0);
    bauta_report_free(report);
    snprintf(same, sizeof same, "other-release=%s", folder);
    report = try_attacks(folder, original, ARGUMENTS(same, "attack=ids"), true);
    assert_int_equal(outcome_of(find_result(report, "ids", NULL)), 1);
    bauta_report_free(report);
    assert_fails(ask(folder, original, ARGUMENTS(other, "attack=intersection"), NULL, &error),
                 BAUTA_USAGE, &error, why);
}

/* What the attacker does not know of people helps with neither release. */
static void unknown_columns_are_unknown_in_both(void **state)
{
    (void)state;
    static const struct {
        const char *know;
        double worst;
    } cases[] = {{"know=age", 0.5}, {"know=city", 1}, {"know=age,city", 1}};
    char other[300];
    const test_release first = {.columns = PLACES,
                                .data = "age,city,disease\n*,*,flu\n*,*,cold\n*,*,flu\n*,*,cold\n"};
    const test_release second = {.columns = PLACES,
                                 .data = "age,city,disease\n*,Bonn,flu\n*,Bonn,flu\n"
                                         "*,Kiel,cold\n*,Kiel,cold\n"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(other, sizeof other, "other-release=%s", test_release_write("second", &second));
        const char *folder = test_release_write("first", &first);
        const char *original =
            scratch_text("four.csv", "age,city,disease\n20,Bonn,flu\n20,Kiel,cold\n30,Bonn,flu\n"
                                     "30,Kiel,cold\n");
        bauta_report *report = try_attacks(
            folder, original, ARGUMENTS(other, "attack=intersection", cases[i].know), true);
        assert_rate(find_result(report, "intersection", "values"), "worst", cases[i].worst);
        bauta_report_free(report);
    }
    bauta_error error;
    const test_release third = {.columns = TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease"),
                                .data = "city,disease\nBonn,flu\nBonn,flu\n"};
    snprintf(other, sizeof other, "other-release=%s", test_release_write("third", &third));
    const char *folder = test_release_write("first", &first);
    const char *original = scratch_text("one.csv", "age,city,disease\n20,Bonn,flu\n");
    assert_fails(
        ask(folder, original, ARGUMENTS(other, "attack=intersection", "know=age"), NULL, &error),
        BAUTA_USAGE, &error, "no known column is a quasi column of both releases");
}

/* ---- persons ---- */

static void shares_of_rows_are_not_judged(void **state)
{
    (void)state;
    const char *file = scratch_text("persons.csv", "id,q,s\na,1,x\nb,1,y\nc,1,x\nd,1,y\na,1,x\n");
    char categories[300];
    snprintf(categories, sizeof categories, "s=%s",
             scratch_text("categories.csv", "x,grave\ny,slight\n"));
    json_decref(anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"subject", "id"},
                                         {"categories", categories},
                                         {"require", "k=2,alpha=0.5,p-categories=2,t=0.5"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("all=yes"), true);
    static const char *const attacks[] = {"homogeneity", "similarity", "skewness", "background"};
    for (size_t i = 0; i < sizeof attacks / sizeof *attacks; i++) {
        const json_t *one = find_result(report, attacks[i], NULL);
        assert_int_equal(outcome_of(one), -1);
        assert_true(json_is_false(json_object_get(one, "judged")));
        assert_true(strstr(detail_of(one), "shares of rows, the promises count persons"));
    }
    const char *why =
        json_string_value(json_object_get(find_result(report, "minimality", NULL), "skipped"));
    assert_non_null(why);
    assert_true(strstr(why, "the promises count persons"));
    bauta_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_are_known_than_a_class_has),
        cmocka_unit_test(short_classes_stay_broken),
        cmocka_unit_test_setup(groups_of_a_distribution_have_members, use_new_folder),
        cmocka_unit_test_setup(one_record_has_no_others, use_new_folder),
        cmocka_unit_test(losing_bets_are_no_gain),
        cmocka_unit_test(chances_are_chances),
        cmocka_unit_test_setup(another_original_is_noticed, use_new_folder),
        cmocka_unit_test(nobody_tried_is_no_promise_kept),
        cmocka_unit_test(some_who_are_not_there_are_counted),
        cmocka_unit_test(lists_name_something_once),
        cmocka_unit_test(releases_without_a_common_column_say_so),
        cmocka_unit_test(unknown_columns_are_unknown_in_both),
        cmocka_unit_test_setup(shares_of_rows_are_not_judged, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
