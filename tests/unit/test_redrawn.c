/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on `randomized` releases: they succeed as often as the report of the release says who
 * knows which row is whose; two versions say more than one; and `previous` lets no second one out.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"

#include <math.h>

/* ---- tables and releases ---- */

enum { TEXT_MOST = 1 << 18, COLUMNS = 6 };

/* People with six quasi columns, some of them bound to each other, and a value. */
static const char *write_people(const char *name, int people, uint64_t seed)
{
    static char text[TEXT_MOST];
    uint64_t random = seed;
    size_t at = (size_t)snprintf(text, sizeof text, "a,b,c,d,e,f,s\n");
    for (int i = 0; i < people; i++) {
        unsigned a = (unsigned)test_below(&random, 30),
                 b = a / 6 + (unsigned)test_below(&random, 2);
        unsigned c = (unsigned)test_below(&random, 12),
                 d = (c + (unsigned)test_below(&random, 3)) % 12;
        unsigned e = (unsigned)(test_below(&random, 8) * test_below(&random, 8) / 4);
        unsigned f = (unsigned)test_below(&random, 2);
        unsigned s = (a / 10 + (unsigned)test_below(&random, 3)) % 5;
        at += (size_t)snprintf(text + at, sizeof text - at, "%u,%u,c%u,d%u,e%u,f%u,s%u\n", a, b, c,
                               d, e, f, s);
    }
    return scratch_text(name, text);
}

#define ROLES                                                                                      \
    {"quasi", "a,b,c,d,e,f"}, {"sensitive", "s"},                                                  \
    {                                                                                              \
        "threads", "2"                                                                             \
    }

/* A release in a folder of its own, whose path is copied; each has its own seed. */
static json_t *release_of(const char *input, const char *form, char *folder, size_t room)
{
    static int number;
    char seed[40];
    bauta_error error;
    json_t *facts;
    snprintf(seed, sizeof seed, "%032d", ++number);
    char name[16];
    snprintf(name, sizeof name, "seed%d", number);
    char path[256];
    snprintf(path, sizeof path, "%s", scratch_text(name, seed));
    use_new_folder(NULL);
    assert_ok(run(input,
                  ((const setting[SETTINGS_MOST]){{"seed-file", path}, ROLES, {"publish", form}}),
                  &facts, &error),
              &error);
    snprintf(folder, room, "%s", publish);
    return facts;
}

static void forget_release(const char *input, const char *form, char *folder, size_t room)
{
    json_decref(release_of(input, form, folder, room));
}

static double success_of(const bauta_report *report, const char *attack, const char *variant)
{
    return rate_of(find_result(report, attack, variant), "success");
}

/* ---- re-identification ---- */

static void assert_within(const json_t *result, double rate, const char *form)
{
    const json_t *ends = json_object_get(result, "interval");
    double low = json_number_value(json_array_get(ends, 0));
    double high = json_number_value(json_array_get(ends, 1));
    if (rate < low || rate > high)
        fail_msg("%s: %.4f is not in %.4f to %.4f", form, rate, low, high);
}

/* The report of a release knows which row is whose; an attack has to do without. */
static void success_is_the_linkage_rate(void **state)
{
    (void)state;
    static const char *const forms[] = {"randomized", "randomized:p=entropy", "randomized:lambda=2",
                                        "randomized:lambda=3",
                                        "randomized:p=1/2|1/10|1/10|1/10|1/10|1/10"};
    char input[256], folder[300];
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        json_t *facts = release_of(input, forms[i], folder, sizeof folder);
        const json_t *linkage = json_object_get(facts, "linkage");
        bauta_report *report =
            try_attacks(folder, input, ARGUMENTS("attack=re-identification"), true);
        const json_t *one = find_result(report, "re-identification", "prosecutor");
        assert_within(one, json_number_value(json_object_get(facts, "linkage_rate")), forms[i]);
        assert_int_equal(outcome_of(one), -1);
        assert_within(find_result(report, "re-identification", "marketer"),
                      json_number_value(json_object_get(linkage, "rate_knowing_all")), forms[i]);
        bauta_report_free(report);
        json_decref(facts);
    }
}

/* With most columns drawn anew so many rows may be whose that pairs are not looked at one by one.
 */
static void many_pairs_are_weighed_by_factors(void **state)
{
    (void)state;
    char input[256], first[300], second[300], other[320], public_table[320];
    snprintf(input, sizeof input, "%s", write_people("many.csv", 6000, 4));
    json_t *facts = release_of(input, "randomized:lambda=5", first, sizeof first);
    forget_release(input, "randomized:lambda=5", second, sizeof second);
    snprintf(other, sizeof other, "other-release=%s", second);
    snprintf(public_table, sizeof public_table, "public=%s", input);
    bauta_report *report = try_attacks(first, input, ARGUMENTS(other, public_table), true);
    double truth = json_number_value(json_object_get(facts, "linkage_rate"));
    assert_true(fabs(success_of(report, "re-identification", "prosecutor") - truth) < 0.002);
    double journalist = success_of(report, "re-identification", "journalist");
    assert_true(journalist > 0 && journalist < 0.01);
    double both = success_of(report, "intersection", "identity");
    assert_true(both > 0 && both < 0.05);
    bauta_report_free(report);
    json_decref(facts);
}

/* Where all columns are drawn anew a row says nothing of whose it is. */
static void nothing_is_found_where_all_is_drawn(void **state)
{
    (void)state;
    char input[256], folder[300];
    snprintf(input, sizeof input, "%s", write_people("few.csv", 300, 2));
    forget_release(input, "randomized:lambda=6", folder, sizeof folder);
    bauta_report *report = try_attacks(folder, input, NULL, true);
    assert_true(success_of(report, "re-identification", "prosecutor") < 0.02);
    assert_true(fabs(success_of(report, "skewness", NULL)) < 0.05);
    bauta_report_free(report);
}

static void knowing_less_finds_less(void **state)
{
    (void)state;
    char input[256], folder[300];
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    forget_release(input, "randomized", folder, sizeof folder);
    bauta_report *all = try_attacks(folder, input, NULL, true);
    bauta_report *some = try_attacks(folder, input, ARGUMENTS("know=a,c,e"), true);
    bauta_report *one = try_attacks(folder, input, ARGUMENTS("know=f"), true);
    const char *attack = "re-identification";
    assert_true(success_of(all, attack, "prosecutor") > success_of(some, attack, "prosecutor"));
    assert_true(success_of(some, attack, "prosecutor") > success_of(one, attack, "prosecutor"));
    assert_true(success_of(one, attack, "prosecutor") < 0.01);
    const json_t *value = find_result(all, "homogeneity", NULL);
    assert_true(rate_of(value, "success") > rate_of(value, "chance") + 0.1);
    assert_true(rate_of(value, "success") > success_of(one, "homogeneity", NULL));
    bauta_report_free(all);
    bauta_report_free(some);
    bauta_report_free(one);
}

/* ---- public tables ---- */

/* The first half is published; the public table has everyone. */
static void people_of_a_public_table_are_found(void **state)
{
    (void)state;
    static char text[TEXT_MOST];
    char everyone[256], half[256], folder[300], argument[300];
    bt_buffer all = {0};
    snprintf(everyone, sizeof everyone, "%s", write_people("everyone.csv", 1600, 3));
    read_file(scratch_path, "everyone.csv", &all);
    char *end = all.bytes;
    for (int line = 0; line <= 800; line++)
        end = strchr(end, '\n') + 1;
    snprintf(text, sizeof text, "%.*s", (int)(end - all.bytes), all.bytes);
    bt_buffer_release(&all);
    snprintf(half, sizeof half, "%s", scratch_text("half.csv", text));
    forget_release(half, "randomized", folder, sizeof folder);
    snprintf(argument, sizeof argument, "public=%s", everyone);
    bauta_report *report = try_attacks(folder, half, ARGUMENTS(argument), true);
    const json_t *presence = find_result(report, "presence", NULL);
    assert_rate(presence, "chance", 0.5);
    assert_true(rate_of(presence, "success") > 0.7);
    assert_int_equal(json_integer_value(json_object_get(presence, "tried")), 800);
    double journalist = success_of(report, "re-identification", "journalist");
    assert_true(journalist > 0.2);
    assert_true(journalist < success_of(report, "re-identification", "marketer"));
    bauta_report_free(report);
}

/* ---- position ---- */

static void rows_in_their_order_are_noticed(void **state)
{
    (void)state;
    char input[256], folder[300], path[400];
    bt_buffer rows = {0};
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    forget_release(input, "randomized", folder, sizeof folder);
    bauta_report *report = try_attacks(folder, input, ARGUMENTS("attack=position"), true);
    assert_int_equal(outcome_of(find_result(report, "position", "rows")), 1);
    bauta_report_free(report);
    read_file(scratch_path, "people.csv", &rows); /* what became of them, had nothing been drawn */
    snprintf(path, sizeof path, "%s/data.csv", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(rows.bytes, 1, rows.length, file), rows.length);
    fclose(file);
    bt_buffer_release(&rows);
    report = try_attacks(folder, input, ARGUMENTS("attack=position"), false);
    assert_int_equal(outcome_of(find_result(report, "position", "rows")), 0);
    assert_int_equal(outcome_of(find_result(report, "position", "order")), 0);
    bauta_report_free(report);
}

/* ---- several releases ---- */

static void two_versions_undo_each_other(void **state)
{
    (void)state;
    char input[256], first[300], second[300], argument[320];
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    forget_release(input, "randomized:lambda=2", first, sizeof first);
    forget_release(input, "randomized:lambda=2", second, sizeof second);
    snprintf(argument, sizeof argument, "other-release=%s", second);
    bauta_report *report = try_attacks(first, input, ARGUMENTS(argument), true);
    double one = success_of(report, "re-identification", "prosecutor");
    double both = success_of(report, "intersection", "identity");
    if (both < one + 0.1) fail_msg("%.3f, and with both %.3f", one, both);
    assert_true(success_of(report, "intersection", "values") >
                success_of(report, "homogeneity", NULL) + 0.05);
    const json_t *restored = find_result(report, "intersection", "restored");
    assert_true(rate_of(restored, "success") > rate_of(restored, "chance") + 0.05);
    bauta_report_free(report);
}

/* Several sensitive columns: each is guessed by itself, all tell whose row a row is. */
static void all_sensitive_columns_count(void **state)
{
    (void)state;
    char input[256], argument[320];
    size_t restored = 0, identity = 0;
    bauta_error error;
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    use_new_folder(NULL);
    assert_ok(run(input,
                  SETTINGS({"quasi", "a,b,c,d,e"}, {"sensitive", "s,f"}, {"publish", "randomized"}),
                  NULL, &error),
              &error);
    snprintf(argument, sizeof argument, "other-release=%s", publish);
    bauta_report *report = try_attacks(publish, input, ARGUMENTS(argument), true);
    const json_t *list = report->facts.root;
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *variant =
            json_string_value(json_object_get(json_array_get(list, i), "variant"));
        restored += variant && strcmp(variant, "restored") == 0;
        identity += variant && strcmp(variant, "identity") == 0;
    }
    assert_int_equal(restored, 1);
    assert_int_equal(identity, 2);
    bauta_report_free(report);
}

/* A second version that is the same bytes tells nothing new. */
static void the_same_once_more_tells_nothing(void **state)
{
    (void)state;
    char input[256], first[300], argument[320];
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    forget_release(input, "randomized", first, sizeof first);
    snprintf(argument, sizeof argument, "other-release=%s", first);
    bauta_report *report = try_attacks(first, input, ARGUMENTS(argument), true);
    const json_t *restored = find_result(report, "intersection", "restored");
    assert_rate(restored, "success", rate_of(restored, "chance"));
    bauta_report_free(report);
}

/* Randomized rows beside classes of k: who is in both is no longer one of k. */
static void other_forms_are_narrowed(void **state)
{
    (void)state;
    char input[256], classes[300], rows[300], argument[320];
    bauta_error error;
    snprintf(input, sizeof input, "%s", write_people("people.csv", 1500, 1));
    use_new_folder(NULL);
    assert_ok(run(input, SETTINGS(ROLES, {"require", "k=5"}), NULL, &error), &error);
    snprintf(classes, sizeof classes, "%s", publish);
    forget_release(input, "randomized", rows, sizeof rows);
    snprintf(argument, sizeof argument, "other-release=%s", rows);
    bauta_report *report = try_attacks(classes, input, ARGUMENTS(argument), false);
    assert_int_equal(outcome_of(find_result(report, "intersection", "identity")), 0);
    double values = success_of(report, "intersection", "values");
    assert_true(values > success_of(report, "homogeneity", NULL));
    bauta_report_free(report);
    snprintf(argument, sizeof argument, "other-release=%s", classes);
    report = try_attacks(rows, input, ARGUMENTS(argument), true);
    assert_true(success_of(report, "intersection", "identity") >
                success_of(report, "re-identification", "prosecutor"));
    assert_rate(find_result(report, "intersection", "values"), "success", values);
    bauta_report_free(report);
}

static void what_does_not_apply_says_why(void **state)
{
    (void)state;
    static const char *const names[] = {"minimality", "downcoding", "background"};
    char input[256], folder[300];
    snprintf(input, sizeof input, "%s", write_people("few.csv", 300, 2));
    forget_release(input, "randomized", folder, sizeof folder);
    bauta_report *report = try_attacks(folder, input, ARGUMENTS("all=yes"), true);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_non_null(json_object_get(find_result(report, names[i], NULL), "skipped"));
    bauta_report_free(report);
}

/* Of 30 columns 15 are drawn anew: that may have gone in too many ways, unless few are known. */
static void too_many_sets_are_refused(void **state)
{
    (void)state;
    char text[4000], quasi[200] = "", folder[300];
    size_t at = 0, end = 0;
    for (int c = 0; c < 30; c++) {
        at += (size_t)snprintf(text + at, sizeof text - at, "q%d,", c);
        end += (size_t)snprintf(quasi + end, sizeof quasi - end, "%sq%d", c ? "," : "", c);
    }
    at += (size_t)snprintf(text + at, sizeof text - at, "s\n");
    for (int row = 0; row < 20; row++) {
        for (int c = 0; c < 30; c++)
            at += (size_t)snprintf(text + at, sizeof text - at, "%d,", (row >> c % 4) & 1);
        at += (size_t)snprintf(text + at, sizeof text - at, "v\n");
    }
    const char *input = scratch_text("wide.csv", text);
    bauta_error error;
    use_new_folder(NULL);
    assert_ok(
        run(input,
            SETTINGS({"quasi", quasi}, {"sensitive", "s"}, {"publish", "randomized:lambda=15"}),
            NULL, &error),
        &error);
    snprintf(folder, sizeof folder, "%s", publish);
    bauta_recipe *recipe = make_recipe(input, SETTINGS({"threads", "1"}));
    bauta_report *report = NULL;
    assert_fails(bauta_attack(folder, recipe, NULL, 0, &report, &error), BAUTA_INVALID, &error,
                 "too many sets of columns");
    bauta_recipe_free(recipe);
    report = try_attacks(folder, input, ARGUMENTS("know=q0,q1,q2"), true);
    assert_true(success_of(report, "re-identification", "prosecutor") > 0);
    bauta_report_free(report);
}

/* ---- previous ---- */

static void nothing_is_published_beside_randomized_rows(void **state)
{
    (void)state;
    char input[256], rows[300], classes[300];
    bauta_error error;
    json_t *facts;
    snprintf(input, sizeof input, "%s", write_people("few.csv", 300, 2));
    forget_release(input, "randomized", rows, sizeof rows);
    use_new_folder(NULL);
    assert_ok(run(input, SETTINGS(ROLES, {"require", "k=5"}), NULL, &error), &error);
    snprintf(classes, sizeof classes, "%s", publish);
    use_new_folder(NULL);
    assert_refused(input, SETTINGS(ROLES, {"publish", "randomized"}, {"previous", rows}), BAUTA_NO,
                   &error, "300 of 300 records may be in the earlier release");
    assert_refused(input, SETTINGS(ROLES, {"publish", "randomized"}, {"previous", classes}),
                   BAUTA_NO, &error, "300 of 300 records may be in the earlier release");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=5"}, {"previous", rows}), BAUTA_NO, &error,
                   "undo each other");
    const char *strangers = scratch_text("strangers.csv", "a,b,c,d,e,f,s\n"
                                                          "91,91,x,y,z,f0,s0\n"
                                                          "92,92,u,v,w,f1,s1\n");
    assert_ok(
        run(strangers,
            SETTINGS(ROLES, {"publish", "randomized"}, {"previous", rows}, {"previous", classes}),
            &facts, &error),
        &error);
    const json_t *one = json_array_get(json_object_get(facts, "previous"), 0);
    assert_int_equal(json_integer_value(json_object_get(one, "records_in_both")), 0);
    json_decref(facts);
}

/* Merged values hide who was there: then everyone may have been. */
static void merged_values_may_be_anyones(void **state)
{
    (void)state;
    char input[256], rows[300];
    bauta_error error;
    snprintf(input, sizeof input, "%s", write_people("few.csv", 300, 2));
    forget_release(input, "randomized:rare=5", rows, sizeof rows);
    const char *strangers = scratch_text("strangers.csv", "a,b,c,d,e,f,s\n"
                                                          "91,91,x,y,z,f0,s0\n"
                                                          "92,92,u,v,w,f1,s1\n");
    use_new_folder(NULL);
    assert_refused(strangers, SETTINGS(ROLES, {"publish", "randomized"}, {"previous", rows}),
                   BAUTA_NO, &error, "2 of 2 records may be in the earlier release");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(success_is_the_linkage_rate),
        cmocka_unit_test(many_pairs_are_weighed_by_factors),
        cmocka_unit_test(nothing_is_found_where_all_is_drawn),
        cmocka_unit_test(knowing_less_finds_less),
        cmocka_unit_test(people_of_a_public_table_are_found),
        cmocka_unit_test(rows_in_their_order_are_noticed),
        cmocka_unit_test(two_versions_undo_each_other),
        cmocka_unit_test(all_sensitive_columns_count),
        cmocka_unit_test(the_same_once_more_tells_nothing),
        cmocka_unit_test(other_forms_are_narrowed),
        cmocka_unit_test(what_does_not_apply_says_why),
        cmocka_unit_test(too_many_sets_are_refused),
        cmocka_unit_test(nothing_is_published_beside_randomized_rows),
        cmocka_unit_test(merged_values_may_be_anyones),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
