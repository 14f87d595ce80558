/* SPDX-License-Identifier: Apache-2.0
 *
 * Publishing `randomized`: what is in the file and the manifest, what is reported of it, and what
 * is refused.
 */
#define SCRATCH_IN_MEMORY
#include "../jobs.h"

#include "base/rational.h"

#include <math.h>

/* Figure 1 of paper 4. */
static const char figure_1[] = "name,age,job,country,disease\n"
                               "Christopher,[50-60],Doctor,USA,Hypertension\n"
                               "William,[40-50],Clerk,USA,Hypertension\n"
                               "Jacob,[30-40],Clerk,USA,Hypertension\n"
                               "Isabella,[30-40],Clerk,Germany,Hypertension\n"
                               "Michael,[50-60],Trader,USA,Diabetes\n"
                               "Hannah,[30-40],Clerk,UK,Diabetes\n"
                               "Olivia,[50-60],Engineer,USA,Diabetes\n"
                               "Madison,[20-30],Trader,UK,Heart Disease\n"
                               "Matthew,[60-70],Banker,USA,Cancer\n"
                               "Andrew,[30-40],Banker,India,Cancer\n";

#define ROLES                                                                                      \
    {"identifier", "name"}, {"quasi", "age,job,country"},                                          \
    {                                                                                              \
        "sensitive", "disease"                                                                     \
    }

/* ---- what comes out ---- */

/* The column of each line, counted from the right, put in front; lines are sorted. */
static char **last_fields(bt_buffer *text, size_t *count)
{
    char **lines = split_lines(text, count);
    for (size_t i = 0; i < *count; i++)
        lines[i] = strrchr(lines[i], ',') + 1;
    qsort(lines, *count, sizeof *lines, compare_lines);
    return lines;
}

static void sensitive_values_stay(void **state)
{
    (void)state;
    static const char *const options[] = {"randomized", "randomized:lambda=3",
                                          "randomized:p=entropy", "randomized:p=0.5|1/4|25%"};
    const char *input = scratch_text("figure1.csv", figure_1);
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        bt_buffer before = {0}, after = {0};
        size_t count, again;
        bauta_error error;
        use_new_folder(NULL);
        json_decref(anonymize(input, SETTINGS(ROLES, {"publish", options[i]})));
        assert_ok(bt_buffer_print(&before, &error, "%s", figure_1), &error);
        before.bytes[before.length] = '\0';
        read_file(publish, "data.csv", &after);
        assert_memory_equal(after.bytes, "age,job,country,disease\n", 24);
        char **was = last_fields(&before, &count), **is = last_fields(&after, &again);
        assert_int_equal(count, again);
        for (size_t row = 0; row < count; row++)
            assert_string_equal(was[row], is[row]);
        free(was);
        free(is);
        bt_buffer_release(&before);
        bt_buffer_release(&after);
    }
}

/* The manifest has the mechanism, and nothing that says how common values are. */
static void the_manifest_has_the_mechanism(void **state)
{
    (void)state;
    const char *input = scratch_text("figure1.csv", figure_1);
    json_decref(anonymize(input, SETTINGS(ROLES, {"publish", "randomized:lambda=2"})));
    json_t *manifest = load_json(publish, "manifest.json");
    const json_t *columns = json_object_get(manifest, "columns");
    assert_int_equal(json_object_size(manifest), 12);
    assert_int_equal(whole(manifest, "lambda"), 2);
    assert_int_equal(json_array_size(json_object_get(manifest, "promises")), 0);
    assert_string_equal(json_string_value(json_object_get(manifest, "method")), "none");
    assert_string_equal(json_string_value(json_object_get(manifest, "form")),
                        "randomized:lambda=2,p=uniform,rare=0");
    for (size_t i = 0; i < 4; i++) {
        const json_t *column = json_array_get(columns, i);
        const char *redrawn = json_string_value(json_object_get(column, "redrawn"));
        assert_int_equal(json_object_size(column), i < 3 ? 4 : 3);
        if (i < 3)
            assert_string_equal(redrawn, "2/3");
        else
            assert_null(redrawn);
    }
    json_decref(manifest);
    json_t *summary = load_json(out, "private/summary.json");
    assert_non_null(json_object_get(summary, "linkage_rate"));
    json_decref(summary);
}

/* Probabilities in proportion to the diversities 4.131, 4.353 and 2.971, in hundredths: they follow
 * from the values, and tell no more of them. */
static void entropy_makes_the_most_anonymous(void **state)
{
    (void)state;
    static const double expected[] = {0.36, 0.38, 0.26};
    const char *input = scratch_text("figure1.csv", figure_1);
    json_t *facts = anonymize(input, SETTINGS(ROLES, {"publish", "randomized:p=entropy"}));
    assert_true(fabs(real(facts, "probabilistic_anonymity") - 11.455) < 0.005);
    assert_true(fabs(real(facts, "probabilistic_anonymity_best") - 11.455) < 0.005);
    json_decref(facts);
    json_t *manifest = load_json(publish, "manifest.json");
    for (size_t i = 0; i < 3; i++) {
        const json_t *column = json_array_get(json_object_get(manifest, "columns"), i);
        bt_rational redrawn;
        assert_true(
            bt_rational_parse(json_string_value(json_object_get(column, "redrawn")), &redrawn));
        assert_true(fabs(bt_rational_double(redrawn) - expected[i]) < 1e-12);
        assert_true(100 % redrawn.bottom == 0);
    }
    json_decref(manifest);
}

static void anonymity_and_linkage_stand_side_by_side(void **state)
{
    (void)state;
    const char *input = scratch_text("figure1.csv", figure_1);
    json_t *facts = anonymize(input, SETTINGS(ROLES, {"publish", "randomized"}));
    assert_true(fabs(real(facts, "probabilistic_anonymity") - 11.30) < 0.005);
    assert_in_range((int)(real(facts, "linkage_rate") * 1000), 1, 1000);
    const char *key, *before = "";
    json_t *value;
    json_object_foreach(facts, key, value)
    {
        if (strcmp(key, "linkage_rate") == 0)
            assert_string_equal(before, "probabilistic_anonymity");
        before = key;
    }
    assert_int_equal(whole(json_object_get(facts, "linkage"), "looked_at"), 10);
    assert_null(json_object_get(facts, "classes"));
    json_decref(facts);
    /* What is drawn from all columns tells nothing of whose a row is. */
    use_new_folder(NULL);
    facts = anonymize(input, SETTINGS(ROLES, {"publish", "randomized:lambda=3"}));
    assert_true(real(facts, "linkage_rate") <= 0.2);
    assert_true(fabs(real(json_object_get(facts, "linkage"), "rate_knowing_all") - 0.1) < 1e-9);
    json_decref(facts);
}

/* Of many records some are looked at. */
static void of_many_records_some_are_looked_at(void **state)
{
    (void)state;
    enum { ROWS = 200500 };
    bt_buffer text = {0};
    bauta_error error;
    uint64_t random = 8;
    assert_ok(bt_buffer_print(&text, &error, "a,b,c,s\n"), &error);
    for (int i = 0; i < ROWS; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%d,%d,%d\n", (int)test_below(&random, 60),
                                  (int)test_below(&random, 60), (int)test_below(&random, 60),
                                  i % 3),
                  &error);
    const char *input = scratch_write("many.csv", text.bytes, text.length);
    json_t *facts;
    assert_ok(run(input,
                  SETTINGS({"quasi", "a,b,c"}, {"sensitive", "s"}, {"publish", "randomized"}),
                  &facts, &error),
              &error);
    assert_int_equal(whole(json_object_get(facts, "linkage"), "looked_at"), 200000);
    /* A combination has about one record: mostly its row is not the likeliest, or not alone. */
    assert_true(real(facts, "linkage_rate") > 0.0001 && real(facts, "linkage_rate") < 0.2);
    assert_null(json_object_get(json_object_get(facts, "linkage"), "rate_knowing_all"));
    json_decref(facts);
    bt_buffer_release(&text);
}

/* Where there are too many sets of columns the linkage is not known, and said not to be. */
static void a_linkage_that_takes_too_long_is_not_computed(void **state)
{
    (void)state;
    enum { COLUMNS = 24, ROWS = 30 };
    bt_buffer text = {0}, names = {0};
    bauta_error error;
    uint64_t random = 6;
    for (int c = 0; c < COLUMNS; c++)
        assert_ok(bt_buffer_print(&names, &error, "%sq%d", c ? "," : "", c), &error);
    assert_ok(bt_buffer_print(&text, &error, "%.*s,s\n", (int)names.length, names.bytes), &error);
    for (int i = 0; i < ROWS; i++) {
        for (int c = 0; c < COLUMNS; c++)
            assert_ok(bt_buffer_print(&text, &error, "%d,", (int)test_below(&random, 3)), &error);
        assert_ok(bt_buffer_print(&text, &error, "%d\n", i % 4), &error);
    }
    const char *input = scratch_write("wide.csv", text.bytes, text.length);
    names.bytes[names.length] = '\0';
    json_t *facts = anonymize(input, SETTINGS({"quasi", names.bytes}, {"sensitive", "s"},
                                              {"publish", "randomized:lambda=12"}));
    assert_true(json_is_null(json_object_get(facts, "linkage_rate")));
    assert_null(json_object_get(facts, "linkage"));
    assert_true(real(facts, "probabilistic_anonymity") > 1e6);
    json_decref(facts);
    bt_buffer_release(&text);
    bt_buffer_release(&names);
}

/* ---- other columns, missing values, rare ones ---- */

static void other_columns_pass(void **state)
{
    (void)state;
    bt_buffer text = {0};
    const char *input = make_census("census.csv", 4, 0, 3000, &text);
    json_t *facts = anonymize(
        input, SETTINGS(CENSUS_ROLES, {"publish", "randomized"}, {"accept-other", "visits"}));
    assert_int_equal(whole(facts, "published"), 3000);
    json_decref(facts);
    bt_buffer_release(&text);
}

static void rows_with_missing_values_are_dropped_beforehand(void **state)
{
    (void)state;
    const char *input = scratch_text("gaps.csv", "a,b,s\n1,x,p\n2,y,q\n,y,p\n2,x,p\n1,NA,q\n");
    json_t *facts = anonymize(input, SETTINGS({"quasi", "a,b"}, {"sensitive", "s"},
                                              {"missing", "drop"}, {"publish", "randomized"}));
    assert_int_equal(whole(facts, "published"), 3);
    assert_int_equal(whole(facts, "missing_dropped"), 2);
    assert_int_equal(whole(facts, "suppressed"), 0);
    json_decref(facts);
    json_t *manifest = load_json(publish, "manifest.json");
    assert_int_equal(whole(manifest, "dropped_rows"), 2);
    json_decref(manifest);
}

static void rare_values_are_merged_or_dropped(void **state)
{
    (void)state;
    const char *input =
        scratch_text("rare.csv", "age,town,s\n20,x,p\n20,x,q\n20,x,p\n21,x,q\n50,x,p\n50,y,q\n"
                                 "50,y,p\n50,y,q\n90,y,p\n50,z,q\n");
    json_t *facts = anonymize(input, SETTINGS({"quasi", "age,town"}, {"sensitive", "s"},
                                              {"publish", "randomized:rare=3"}));
    assert_int_equal(whole(facts, "published"), 9);
    assert_int_equal(whole(facts, "suppressed"), 1);
    assert_int_equal(whole(json_object_get(facts, "rare"), "merged"), 2);
    assert_int_equal(whole(json_object_get(facts, "rare"), "dropped"), 1);
    json_decref(facts);
    bt_buffer text = {0};
    read_file(publish, "data.csv", &text);
    assert_null(strstr(text.bytes, "90"));
    assert_null(strstr(text.bytes, "21"));
    assert_null(strstr(text.bytes, "z"));
    bt_buffer_release(&text);
    json_t *manifest = load_json(publish, "manifest.json");
    const json_t *columns = json_object_get(manifest, "columns"), *age = json_array_get(columns, 0);
    assert_string_equal(json_string_value(json_object_get(age, "merged")), "neighbours");
    assert_null(json_object_get(json_array_get(columns, 1), "merged"));
    json_decref(manifest);
}

/* ---- refused ---- */

static void what_it_cannot_promise_is_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("figure1.csv", figure_1);
#define REFUSE(text, ...)                                                                          \
    assert_refused(input, SETTINGS(ROLES, {"publish", "randomized"}, __VA_ARGS__), BAUTA_INVALID,  \
                   &error, (text))
    REFUSE("a requirement does not go with 'randomized'", {"require", "k=2"});
    assert_non_null(strstr(error.hint, "never k-anonymous"));
    REFUSE("a grouping does not go with 'randomized'", {"group", "mondrian"});
    REFUSE("suppression does not go with 'randomized'", {"suppress", "0.1"});
    REFUSE("'keep-mapping' does not go with 'randomized'", {"keep-mapping", "yes"});
    assert_refused(input,
                   SETTINGS({"quasi", "age,job,country"}, {"sensitive", "disease"},
                            {"subject", "name"}, {"drop", "rest"}, {"publish", "randomized"}),
                   BAUTA_INVALID, &error, "'subject' does not go with 'randomized'");
    REFUSE("'min-level' cannot be kept", {"hierarchy", "job=flat"}, {"min-level", "job=1"});
    bauta_recipe *recipe = make_recipe(input, SETTINGS(ROLES, {"publish", "randomized"}));
    assert_ok(bauta_preview(recipe, NULL, NULL, &error), &error);
    assert_fails(bauta_preview(recipe, "k=2,3", NULL, &error), BAUTA_INVALID, &error,
                 "a requirement does not go with");
    bauta_recipe_free(recipe);
}

static void options_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"randomized:lambda=4", "lambda is 4, but there are 3 quasi columns"},
        {"randomized:lambda=0", "'lambda' of 'randomized' must be at least 1"},
        {"randomized:p=0.5|0.5", "a probability for each of the 3 quasi columns"},
        {"randomized:p=0.3|0.3|0.3", "add up to less than 1"},
        {"randomized:p=0.5|0.5|0.5", "add up to more than 1"},
        {"randomized:p=1|0|0", "must be above 0"},
        {"randomized:p=a|b|c", "holds what is not a number"},
        {"randomized:lambda=2,p=entropy", "goes with lambda=1"},
        {"randomized:rare=11", "every record has a value that fewer than 11 hold"},
        {"randomized:rare=-1", "'rare' of 'randomized' must be at least 0"},
    };
    const char *input = scratch_text("figure1.csv", figure_1);
    bauta_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_refused(input, SETTINGS(ROLES, {"publish", wrong[i][0]}), BAUTA_INVALID, &error,
                       wrong[i][1]);
}

static void a_column_with_one_value_is_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("one.csv", "a,b,s\n1,x,p\n2,x,q\n");
    assert_refused(input, SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"publish", "randomized"}),
                   BAUTA_INVALID, &error, "all records have the same value");
    assert_string_equal(error.column, "b");
    /* One value is refused also when it comes of merging, or its hierarchy has others. */
    input = scratch_text("merged.csv", "a,b,s\n1,x,p\n2,y,q\n1,x,p\n1,y,p\n");
    assert_refused(input,
                   SETTINGS({"quasi", "a,b"}, {"sensitive", "s"}, {"publish", "randomized:rare=2"}),
                   BAUTA_INVALID, &error, "all records have the same value");
    assert_string_equal(error.column, "a");
}

/* ---- real data, where it is ---- */

static FILE *open_adult(void)
{
    const char *source = getenv("BAUTA_SOURCE");
    char path[512];
    snprintf(path, sizeof path, "%s/../shared/data/adult/adult.csv", source ? source : ".");
    return fopen(path, "r");
}

/* Probabilistic anonymity 33.99 ("34") of the 30,162 rows of Adult's first part without missing
 * values, nine quasi columns, equal probabilities. The data is not part of the project. */
static void anonymity_of_adult(void **state)
{
    (void)state;
    enum { TRAINING = 32561 };
    char path[512], line[1024];
    FILE *from = open_adult(), *to;
    assert_non_null(from);
    snprintf(path, sizeof path, "%s", scratch_name("adult.csv"));
    to = fopen(path, "w");
    assert_non_null(to);
    for (int i = 0; i <= TRAINING && fgets(line, sizeof line, from); i++)
        if (!strchr(line, '?')) fputs(line, to);
    fclose(from);
    assert_int_equal(fclose(to), 0);
    json_t *facts = anonymize(
        path, SETTINGS({"quasi", "education,race,sex,workclass,marital-status,age,relationship,"
                                 "native-country,salary-class"},
                       {"sensitive", "occupation"}, {"drop", "rest"}, {"publish", "randomized"}));
    assert_int_equal(whole(facts, "rows"), 30162);
    assert_true(fabs(real(facts, "probabilistic_anonymity") - 33.99) < 0.005);
    assert_true(real(facts, "linkage_rate") > 0.25);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(sensitive_values_stay, use_new_folder),
        cmocka_unit_test_setup(the_manifest_has_the_mechanism, use_new_folder),
        cmocka_unit_test_setup(entropy_makes_the_most_anonymous, use_new_folder),
        cmocka_unit_test_setup(anonymity_and_linkage_stand_side_by_side, use_new_folder),
        cmocka_unit_test_setup(of_many_records_some_are_looked_at, use_new_folder),
        cmocka_unit_test_setup(a_linkage_that_takes_too_long_is_not_computed, use_new_folder),
        cmocka_unit_test_setup(other_columns_pass, use_new_folder),
        cmocka_unit_test_setup(rows_with_missing_values_are_dropped_beforehand, use_new_folder),
        cmocka_unit_test_setup(rare_values_are_merged_or_dropped, use_new_folder),
        cmocka_unit_test_setup(what_it_cannot_promise_is_refused, use_new_folder),
        cmocka_unit_test_setup(options_that_do_not_fit_are_refused, use_new_folder),
        cmocka_unit_test_setup(a_column_with_one_value_is_refused, use_new_folder),
        cmocka_unit_test_setup(anonymity_of_adult, use_new_folder),
    };
    size_t count = sizeof tests / sizeof *tests;
    FILE *adult = open_adult();
    if (adult)
        fclose(adult);
    else
        count--; /* the last one: a skipped test is a failed one in cmocka's TAP */
    return _cmocka_run_group_tests("randomized", tests, count, job_prepare, scratch_empty);
}
