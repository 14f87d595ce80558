/* SPDX-License-Identifier: Apache-2.0
 *
 * Anatomy through the front door: what it is refused with, and what comes out of small tables.
 */
#include "../jobs.h"

static const char patients[] = "age,zip,disease,debt\n"
                               "20,1,flu,1\n21,1,cold,2\n22,2,gout,3\n23,2,flu,1\n"
                               "24,3,cold,2\n25,3,gout,3\n26,4,flu,1\n";

#define ROLES                                                                                      \
    {"quasi", "age,zip"}, {"sensitive", "disease"},                                                \
    {                                                                                              \
        "drop", "rest"                                                                             \
    }

static void classes_have_different_values(void **state)
{
    (void)state;
    bt_buffer text = {0};
    size_t count;
    const char *input = scratch_text("patients.csv", patients);
    json_t *facts = anonymize(input, SETTINGS(ROLES, {"require", "k=2,l=2,alpha=0.5"},
                                              {"group", "anatomy:l=2"}, {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "classes"), 3);
    assert_int_equal(whole(facts, "smallest_class"), 2);
    assert_int_equal(whole(facts, "published"), 7);
    json_decref(facts);
    read_file(publish, "sensitive.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_int_equal(count, 8);
    qsort(lines + 1, count - 1, sizeof *lines, compare_lines);
    for (size_t i = 2; i < count; i++) /* a class and a value never come twice */
        assert_string_not_equal(lines[i], lines[i - 1]);
    free(lines);
    bt_buffer_release(&text);
}

/* The same classes can be published in cells: those that look alike are one then. */
static void any_form_will_do(void **state)
{
    (void)state;
    const char *input = scratch_text("same.csv", "age,disease\n20,flu\n20,cold\n20,flu\n20,cold\n");
    json_t *facts = anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "disease"},
                                              {"require", "k=2,alpha=0.5"}, {"group", "anatomy"}));
    assert_int_equal(whole(facts, "classes"), 1);
    json_decref(facts);
    use_new_folder(NULL);
    facts = anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "disease"},
                                      {"require", "k=2,alpha=0.5"}, {"group", "anatomy"},
                                      {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "classes"), 2);
    json_decref(facts);
}

static void too_frequent_values_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("patients.csv", patients);
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"group", "anatomy:l=3"}), BAUTA_NO,
                   &error, "a sensitive value is too frequent: more than one record in 3 has it");
    assert_string_equal(error.hint, "the greatest l that this table allows is 2");
    assert_string_equal(error.column, "disease");
    input = scratch_text("most.csv", "age,disease\n20,flu\n21,flu\n22,cold\n");
    assert_refused(input,
                   SETTINGS({"quasi", "age"}, {"sensitive", "disease"}, {"require", "k=2"},
                            {"group", "anatomy"}),
                   BAUTA_NO, &error, "too frequent");
    assert_string_equal(error.hint, "more than half of the records have it: no l is possible");
}

/* What its classes do not satisfy it does not look for. */
static void requirements_beyond_l_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("patients.csv", patients);
    assert_refused(input, SETTINGS(ROLES, {"require", "k=3"}, {"group", "anatomy:l=2"}), BAUTA_NO,
                   &error, "classes of 2 different values do not satisfy 'k=3'");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2,p=3"}, {"group", "anatomy:l=2"}),
                   BAUTA_NO, &error, "classes of 2 different values do not satisfy 'p=3'");
    assert_non_null(strstr(error.hint, "k=2, l=2 and alpha=1/2"));
}

static void what_it_does_not_know_is_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("patients.csv", patients);
    assert_refused(input,
                   SETTINGS(ROLES, {"require", "k=2"}, {"group", "anatomy"}, {"suppress", "0.1"}),
                   BAUTA_INVALID, &error, "does not drop records");
    assert_refused(input,
                   SETTINGS({"quasi", "age,zip"}, {"sensitive", "disease,debt"}, {"require", "k=2"},
                            {"group", "anatomy"}),
                   BAUTA_INVALID, &error, "needs exactly one sensitive column, there are 2");
    assert_refused(
        input,
        SETTINGS({"quasi", "age"}, {"drop", "rest"}, {"require", "k=2"}, {"group", "anatomy"}),
        BAUTA_INVALID, &error, "needs exactly one sensitive column, there are 0");
    assert_refused(input,
                   SETTINGS({"quasi", "age"}, {"sensitive", "disease"}, {"identifier", "zip"},
                            {"subject", "zip"}, {"drop", "rest"}, {"require", "k=2"},
                            {"group", "anatomy"}),
                   BAUTA_INVALID, &error, "does not know of persons with several rows");
    assert_refused(input,
                   SETTINGS(ROLES, {"require", "k=2"}, {"group", "anatomy"},
                            {"hierarchy", "age=balanced:2"}, {"max-level", "age=1"}),
                   BAUTA_INVALID, &error, "'max-level' cannot be kept");
    assert_refused(input, SETTINGS(ROLES, {"require", "k=2"}, {"group", "anatomy:l=1"}),
                   BAUTA_INVALID, &error, "'l' of 'anatomy' must be at least 2");
}

/* The missing value is a value of its own. */
static void missing_values_are_values(void **state)
{
    (void)state;
    const char *input = scratch_text("gaps.csv", "age,disease\n20,flu\n21,\n22,NA\n23,flu\n");
    json_t *facts = anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "disease"},
                                              {"require", "k=2,alpha=0.5"}, {"group", "anatomy"},
                                              {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "classes"), 2);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(classes_have_different_values, use_new_folder),
        cmocka_unit_test_setup(any_form_will_do, use_new_folder),
        cmocka_unit_test_setup(too_frequent_values_are_refused, use_new_folder),
        cmocka_unit_test_setup(requirements_beyond_l_are_refused, use_new_folder),
        cmocka_unit_test_setup(what_it_does_not_know_is_refused, use_new_folder),
        cmocka_unit_test_setup(missing_values_are_values, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
