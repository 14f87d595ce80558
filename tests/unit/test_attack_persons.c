/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on persons with several rows. Where promises count persons, shares of rows are not
 * judged; shares of persons are, as soon as the original says whose its records are.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"

static const char four_persons[] = "id,q,s\na,1,x\nb,1,y\nc,1,x\nd,1,y\na,1,x\na,1,x\n";
/* The same records, but both with y are of one person: x is what two persons of three have. */
static const char three_persons[] = "id,q,s\na,1,x\nb,1,y\nc,1,x\nb,1,y\na,1,x\na,1,x\n";

static bauta_report *attack_with(const char *attack, const char *original, const char *subject,
                                 bool expected)
{
    bauta_recipe *recipe;
    bauta_report *report = NULL;
    bauta_error error;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", original, &error), &error);
    if (subject) assert_ok(bauta_recipe_set(recipe, "subject", subject, &error), &error);
    bauta_status status = bauta_attack(publish, recipe, ARGUMENTS(attack), 1, &report, &error);
    bauta_recipe_free(recipe);
    if (!report) fail_msg("%s", error.message);
    assert_int_equal(status, expected ? BAUTA_OK : BAUTA_NO);
    return report;
}

static bauta_report *attack_persons(const char *original, const char *subject, bool expected)
{
    return attack_with("attack=homogeneity", original, subject, expected);
}

static void make_release(const char *file)
{
    json_decref(anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"subject", "id"},
                                         {"require", "k=2,alpha=0.5"})));
}

static void persons_are_counted_once(void **state)
{
    (void)state;
    const char *file = scratch_text("four.csv", four_persons);
    make_release(file);
    bauta_report *report = attack_persons(file, "id", true);
    assert_int_equal(json_array_size(report->facts.root), 2);
    const json_t *rows = json_array_get(report->facts.root, 0);
    assert_int_equal(outcome_of(rows), -1); /* four rows of six have x, and nobody promised */
    assert_rate(rows, "worst", 4.0 / 6);
    const json_t *one = find_result(report, "homogeneity", "persons");
    assert_int_equal(outcome_of(one), 1);
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "allowed", 0.5);
    assert_rate(one, "success", 0.5);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 4);
    assert_string_equal(json_string_value(json_object_get(one, "detail")),
                        "members are known of 1 of 1 classes");
    bauta_report_free(report);
}

static void more_than_allowed_is_noticed(void **state)
{
    (void)state;
    make_release(scratch_text("four.csv", four_persons));
    bauta_report *report = attack_persons(scratch_text("three.csv", three_persons), "id", false);
    const json_t *one = find_result(report, "homogeneity", "persons");
    assert_int_equal(outcome_of(one), 0);
    assert_rate(one, "worst", 2.0 / 3);
    bauta_report_free(report);
}

/* A person with two values counts for both: y is what two persons of three have. */
static void all_values_of_a_person_count(void **state)
{
    (void)state;
    const char *file = scratch_text("both.csv", "id,q,s\na,1,x\na,1,y\nb,1,y\nc,1,z\n");
    json_decref(anonymize(
        file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"subject", "id"}, {"require", "k=2"})));
    bauta_report *report = attack_persons(file, "id", true);
    const json_t *one = find_result(report, "homogeneity", "persons");
    assert_rate(one, "worst", 2.0 / 3);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 3);
    bauta_report_free(report);
}

static void nobody_knows_without_the_column(void **state)
{
    (void)state;
    const char *file = scratch_text("four.csv", four_persons);
    make_release(file);
    bauta_report *report = attack_persons(file, NULL, true);
    assert_int_equal(json_array_size(report->facts.root), 1);
    assert_int_equal(outcome_of(json_array_get(report->facts.root, 0)), -1);
    bauta_report_free(report);
}

/* Two rows in a class are of one person, whom anyone finds. */
static void persons_are_found_by_all_their_rows(void **state)
{
    (void)state;
    const char *file = scratch_text("pairs.csv", "id,q,s\na,1,x\na,1,y\nb,2,x\nc,2,y\n");
    json_decref(anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"identifier", "id"},
                                         {"subject", "none"}, {"require", "k=2,alpha=0.5"})));
    bauta_report *report = attack_with("attack=re-identification", file, "id", false);
    const json_t *one = find_result(report, "re-identification", "persons");
    assert_int_equal(outcome_of(one), 0);
    assert_rate(one, "worst", 1);
    assert_rate(one, "allowed", 0.5);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 3);
    assert_int_equal(outcome_of(find_result(report, "re-identification", "prosecutor")), 1);
    bauta_report_free(report);
    report = attack_with("attack=homogeneity", file, "id", false);
    assert_rate(find_result(report, "homogeneity", "persons"), "worst", 1);
    bauta_report_free(report);
    report = attack_with("attack=re-identification", file, NULL, true);
    bauta_report_free(report);
    use_new_folder(NULL);
    json_decref(anonymize(
        file, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"subject", "id"}, {"require", "k=2"})));
    report = attack_with("attack=re-identification", file, "id", true);
    assert_rate(find_result(report, "re-identification", "persons"), "worst", 1.0 / 3);
    bauta_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(persons_are_counted_once, use_new_folder),
        cmocka_unit_test_setup(more_than_allowed_is_noticed, use_new_folder),
        cmocka_unit_test_setup(all_values_of_a_person_count, use_new_folder),
        cmocka_unit_test_setup(nobody_knows_without_the_column, use_new_folder),
        cmocka_unit_test_setup(persons_are_found_by_all_their_rows, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
