/* SPDX-License-Identifier: Apache-2.0
 *
 * Randomized releases written by hand: opening them, what an audit finds in them, and what can
 * still be learnt from them and from others.
 */
#include "release_files.h"

#include "reading/release.h"

#include <math.h>

#define MERGED(name, type, how)                                                                    \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"" type "\",\"redrawn\":\"1/1\","         \
    "\"merged\":\"" how "\"}"
#define REDRAWN(name, share)                                                                       \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"" share "\"}"

static const char columns[] = REDRAWN("age", "1/3") "," REDRAWN("job", "1/3") "," REDRAWN(
    "country", "1/3") "," TEST_SENSITIVE("disease");

/* Figures 1 and 5 of paper 4, the latter in another order. */
static const char figure_1[] = "age,job,country,disease\n"
                               "50-60,Doctor,USA,Hypertension\n"
                               "40-50,Clerk,USA,Hypertension\n"
                               "30-40,Clerk,USA,Hypertension\n"
                               "30-40,Clerk,Germany,Hypertension\n"
                               "50-60,Trader,USA,Diabetes\n"
                               "30-40,Clerk,UK,Diabetes\n"
                               "50-60,Engineer,USA,Diabetes\n"
                               "20-30,Trader,UK,Heart Disease\n"
                               "60-70,Banker,USA,Cancer\n"
                               "30-40,Banker,India,Cancer\n";
static const char figure_5[] = "age,job,country,disease\n"
                               "30-40,Banker,India,Cancer\n"
                               "20-30,Clerk,UK,Heart Disease\n"
                               "50-60,Trader,USA,Diabetes\n"
                               "20-30,Clerk,USA,Hypertension\n"
                               "40-50,Clerk,UK,Diabetes\n"
                               "60-70,Trader,USA,Cancer\n"
                               "50-60,Doctor,USA,Hypertension\n"
                               "30-40,Clerk,USA,Hypertension\n"
                               "50-60,Engineer,Germany,Diabetes\n"
                               "40-50,Clerk,USA,Hypertension\n";

static const test_release good = {.form = "randomized:lambda=1,p=uniform,rare=0",
                                  .promises = "",
                                  .lambda = 1,
                                  .columns = columns,
                                  .data = figure_5};

/* ---- auditing ---- */

static void expect(const test_release *release, const char *records, const char *promise,
                   int verdict, bool holds)
{
    const char *folder = test_release_write("release", release);
    const char *file = records ? scratch_text("original.csv", records) : NULL;
    for (int threads = 1; threads <= 2; threads++) {
        bauta_recipe *recipe = test_original(file, threads == 1 ? "1" : "2");
        bauta_report *report = NULL;
        bauta_error error;
        bauta_status status = bauta_audit(folder, recipe, &report, &error);
        if (status != (holds ? BAUTA_OK : BAUTA_NO)) fail_msg("%d: %s", status, error.message);
        assert_int_equal(test_verdict(report->facts.root, promise), verdict);
        bauta_report_free(report);
        bauta_recipe_free(recipe);
    }
}

static void what_files_cannot_show_is_unverifiable(void **state)
{
    (void)state;
    expect(&good, NULL, "mechanism", -1, true);
    expect(&good, NULL, "rows", -1, true);
    expect(&good, NULL, "cells", 1, true);
    expect(&good, NULL, "sensitive values", -2, true);
    test_release release = good;
    release.promises = "{\"name\":\"k\",\"value\":\"2\"}";
    expect(&release, NULL, "promises", 0, false);
}

static void the_original_shows_more(void **state)
{
    (void)state;
    static const char *const promises[] = {"sensitive values", "original records", "distributions",
                                           "rows"};
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        expect(&good, figure_1, promises[i], 1, true);
    expect(&good, figure_1, "order", -1, true); /* of ten rows nobody can tell */
    test_release release = good;
    release.form = "randomized:lambda=1,p=uniform,rare=2"; /* but rare values are still there */
    expect(&release, figure_1, "rare values", 0, false);
    expect(&release, figure_1, "original records", -1, false);
    expect(&release, figure_1, "distributions", -1, false);
    expect(&release, figure_1, "sensitive values", 1, false);
}

/* The good rows with one exchanged for another. */
static const char *exchange(const char *row, const char *with)
{
    static char text[1024];
    const char *at = strstr(figure_5, row);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - figure_5), figure_5, with, at + strlen(row));
    return text;
}

static void tampering_is_found(void **state)
{
    (void)state;
    test_release release = good;
    release.data = exchange("30-40,Banker,India,Cancer", "30-40,Banker,India,Diabetes");
    expect(&release, figure_1, "sensitive values", 0, false);
    release.data = exchange("30-40,Banker,India,Cancer", "50-60,Doctor,India,Cancer");
    expect(&release, figure_1, "original records", 0, false);
    release.data = exchange("30-40,Banker,India,Cancer", "30-40,Banker,France,Cancer");
    expect(&release, figure_1, "distributions", 0, false);
    release.data = exchange("30-40,Banker,India,Cancer\n", "");
    expect(&release, figure_1, "rows", 0, false);
}

/* Many rows in the order of the records; and a value that is far too common. */
static void orders_and_distributions_are_seen(void **state)
{
    (void)state;
    enum { ROWS = 400 };
    static char records[ROWS * 24 + 64], rows[ROWS * 24 + 64];
    static const char narrow[] =
        REDRAWN("a", "1/2") "," REDRAWN("b", "1/2") "," TEST_SENSITIVE("s");
    uint64_t random = 2;
    size_t length = (size_t)sprintf(records, "a,b,s\n"), again = (size_t)sprintf(rows, "a,b,s\n");
    for (int i = 0; i < ROWS; i++) {
        int a = (int)test_below(&random, 9), b = (int)test_below(&random, 9);
        length += (size_t)sprintf(records + length, "v%d,w%d,%d\n", a, b, i % 7);
        again +=
            (size_t)sprintf(rows + again, "v%d,w%d,%d\n", (int)test_below(&random, 9), b, i % 7);
    }
    test_release release = good;
    release.columns = narrow;
    release.data = rows;
    expect(&release, records, "order", 0, false);
    release.data = records;
    expect(&release, records, "order", 0, false);
    again = (size_t)sprintf(rows, "a,b,s\n");
    const char *at = records + strlen("a,b,s\n");
    for (int i = 0; i < ROWS; i++, at = strchr(at, '\n') + 1)
        again += (size_t)sprintf(rows + again, "v0%.*s\n", (int)(strcspn(at, "\n") - 2), at + 2);
    release.data = rows;
    expect(&release, records, "distributions", 0, false);
}

static void a_mechanism_that_is_none_is_no_release(void **state)
{
    (void)state;
    static const struct {
        const char *form, *columns;
        unsigned lambda;
        const char *message;
    } wrong[] = {
        {"randomized", columns, 0, "lambda is 0"},
        {"randomized", columns, 4, "lambda is 4, but there are 3"},
        {"randomized", columns, 2, "same probability, 2/3"},
        {"randomized", REDRAWN("age", "1/3") "," REDRAWN("job", "1/3"), 1, "less than 1"},
        {"randomized", REDRAWN("age", "2/3") "," TEST_QUASI_TEXT("job"), 1, "must be above 0"},
        {"randomized", REDRAWN("age", "0.5") "," REDRAWN("job", "1/2"), 1, "is not a fraction"},
        {"randomized", REDRAWN("age", "1/-1"), 1, "is not a fraction"},
        {"generalized", REDRAWN("age", "1/1"), 0, "is drawn anew, but the form does not do that"},
        {"generalized", TEST_QUASI_TEXT("age"), 1, "has a lambda, but the form has none"},
        {"randomized",
         "{\"name\":\"age\",\"role\":\"sensitive\",\"type\":\"text\",\"redrawn\":\"1/1\"}", 1,
         "goes with the role 'quasi' only"},
        {"randomized",
         "{\"name\":\"age\",\"role\":\"other\",\"type\":\"text\",\"merged\":\"hierarchy\"}", 1,
         "goes with 'redrawn' only"},
        {"randomized", MERGED("age", "text", "somehow"), 1, "is not neighbours or hierarchy"},
        {"randomized", MERGED("age", "text", "neighbours"), 1, "says neighbours of a text"},
    };
    bt_run run;
    test_run_open(&run, 1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const test_release release = {.form = wrong[i].form,
                                      .promises = "",
                                      .lambda = wrong[i].lambda,
                                      .columns = wrong[i].columns,
                                      .data = "age\nx\n"};
        bt_release opened;
        bauta_error error;
        const char *folder = test_release_write("release", &release);
        assert_fails(bt_release_open(folder, &run, &opened, &error), BAUTA_INVALID, &error,
                     wrong[i].message);
        bt_release_close(&opened);
    }
    bt_pool_free(run.pool);
}

/* ---- measuring ---- */

static bauta_report *measure(const char *folder, const char *records, const char *key,
                             const char *value)
{
    bauta_recipe *recipe = test_original(scratch_text("original.csv", records), "2");
    bauta_report *report = NULL;
    bauta_error error;
    if (key) assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
    assert_ok(bauta_measure(&folder, 1, recipe, &report, &error), &error);
    bauta_recipe_free(recipe);
    return report;
}

static double number(const json_t *facts, const char *part, const char *key)
{
    const json_t *value = json_object_get(part ? json_object_get(facts, part) : facts, key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static void assert_near(double value, double expected)
{
    if (fabs(value - expected) > 1e-6) fail_msg("%.9g is not %.9g", value, expected);
}

/* What figure 5 tells of the records behind it. */
static void posteriors_are_measured(void **state)
{
    (void)state;
    bauta_report *report = measure(test_release_write("release", &good), figure_1, NULL, NULL);
    const json_t *facts = report->facts.root;
    assert_true(fabs(number(facts, NULL, "probabilistic_anonymity") - 11.30) < 0.005);
    assert_near(number(facts, "posterior", "worst"), 1);
    assert_true(number(facts, "posterior", "mean") > 0.5);
    assert_true(number(facts, NULL, "amplification") >= 1);
    assert_null(json_object_get(facts, "ncp"));
    bauta_report_free(report);
}

/* The rule of the original with these two sides. */
static const json_t *find_rule(const json_t *facts, const char *column, const char *value,
                               size_t length, const char *then)
{
    const json_t *rules = json_object_get(facts, "association_rules");
    for (size_t i = 0; i < json_array_size(rules); i++) {
        const json_t *rule = json_array_get(rules, i), *left = json_object_get(rule, "if");
        const char *right = json_string_value(
            json_object_iter_value(json_object_iter(json_object_get(rule, "then"))));
        const char *has = json_string_value(json_object_get(left, column));
        if (json_object_size(left) == length && has && strcmp(has, value) == 0 && right &&
            strcmp(right, then) == 0)
            return rule;
    }
    fail_msg("there is no rule %s -> %s", value, then);
    return NULL;
}

/* "Clerk -> Hypertension (75 %)", "30-40, Clerk -> Hypertension (67 %)". */
static void associations_of_figure_1(void **state)
{
    (void)state;
    bauta_report *report = measure(test_release_write("release", &good), figure_1, "associations",
                                   "support=0.2,confidence=0.5");
    const json_t *facts = report->facts.root;
    const json_t *clerk = find_rule(facts, "job", "Clerk", 1, "Hypertension");
    assert_near(number(clerk, NULL, "confidence"), 0.75);
    assert_near(number(clerk, NULL, "support"), 0.3);
    assert_near(number(clerk, NULL, "lift"), 0.75 / 0.4);
    /* In figure 5: three of five clerks. */
    assert_near(number(clerk, "released", "confidence"), 0.6);
    const json_t *both = find_rule(facts, "age", "30-40", 2, "Hypertension");
    assert_near(number(both, NULL, "confidence"), 2.0 / 3);
    assert_null(json_object_get(both, "released"));
    const json_t *all = json_object_get(facts, "associations");
    assert_true(number(all, NULL, "original") ==
                (double)json_array_size(json_object_get(facts, "association_rules")));
    assert_near(number(all, NULL, "released"),
                number(all, NULL, "recovered") + number(all, NULL, "artificial"));
    assert_true(number(facts, "supports", "combinations") == number(all, NULL, "original"));
    bauta_report_free(report);
}

/* "Clerk, USA -> 30-40 (50 %)", with the age as what is learnt. */
static void half_of_the_clerks_of_the_usa(void **state)
{
    (void)state;
    static const char narrow[] =
        TEST_SENSITIVE("age") "," REDRAWN("job", "1/2") "," REDRAWN("country", "1/2");
    test_release release = good;
    release.columns = narrow;
    release.data = "age,job,country\n30-40,Clerk,USA\n";
    bauta_report *report = measure(test_release_write("release", &release), figure_1,
                                   "associations", "support=0.1,confidence=0.5");
    const json_t *rule = find_rule(report->facts.root, "country", "USA", 2, "30-40");
    assert_near(number(rule, NULL, "confidence"), 0.5);
    bauta_report_free(report);
}

/* Eq. 13: within a class of two every row has either value by half. */
static void two_tables_are_counted_on_average(void **state)
{
    (void)state;
    static const char pair[] = TEST_QUASI_TEXT("a") "," TEST_SENSITIVE("s");
    static const char records[] = "a,s\nx,p\ny,q\nx,p\ny,q\n";
    const test_release release = {.columns = pair,
                                  .quasi = "a,class\nx,1\ny,2\ny,1\nx,2\n",
                                  .sensitive = "class,s\n2,p\n1,q\n1,p\n2,q\n"};
    const char *folder = test_release_write("pair", &release);
    bauta_report *report = measure(folder, records, "associations", "support=0.2,confidence=0.1");
    const json_t *facts = report->facts.root;
    const json_t *rule = find_rule(facts, "a", "x", 1, "p");
    assert_near(number(rule, NULL, "support"), 0.5);
    assert_near(number(rule, "released", "support"), 0.25);
    assert_near(number(rule, "released", "confidence"), 0.5);
    assert_near(number(rule, "released", "lift"), 1);
    assert_near(number(facts, "associations", "released"),
                4); /* x -> q and y -> p are artificial */
    assert_near(number(facts, "associations", "artificial"), 2);
    assert_null(json_object_get(facts, "supports"));
    bauta_report_free(report);
    /* A sample is one permutation, the same each time. */
    double first = -1;
    for (int i = 0; i < 2; i++) {
        report = measure(folder, records, "associations",
                         "support=0.2,confidence=0.1,from=permuted-sample");
        double released = number(report->facts.root, "associations", "released");
        assert_true(released == 2 || released == 4);
        if (i) assert_near(released, first);
        first = released;
        bauta_report_free(report);
    }
}

/* Chi-square over n: 1 where a tells s, 0 where it tells nothing; between two tables on average. */
static void pairs_of_columns(void **state)
{
    (void)state;
    static const char three[] = REDRAWN("a", "1/2") "," REDRAWN("b", "1/2") "," TEST_SENSITIVE("s");
    static const char records[] = "a,b,s\nx,1,p\ny,1,q\nx,2,p\ny,2,q\n";
    test_release release = good;
    release.columns = three;
    release.data = "a,b,s\ny,1,p\nx,2,q\nx,1,p\ny,2,q\n";
    bauta_report *report =
        measure(test_release_write("release", &release), records, "pairs", "yes");
    const json_t *facts = report->facts.root;
    assert_near(number(facts, "pairs_original", "a, s"), 1);
    assert_near(number(facts, "pairs_original", "a, b"), 0);
    assert_near(number(facts, "pairs_original", "b, s"), 0);
    assert_near(number(facts, "pairs", "a, s"), 0);
    assert_near(number(facts, "pairs", "b, s"), 1);
    assert_near(number(facts, NULL, "pairs_difference"), 2.0 / 3);
    bauta_report_free(report);
    static const char pair[] = TEST_QUASI_TEXT("a") "," TEST_SENSITIVE("s");
    const test_release apart = {.columns = pair,
                                .quasi = "a,class\nx,1\ny,2\nx,1\ny,2\n",
                                .sensitive = "class,s\n2,q\n1,p\n1,p\n2,q\n"};
    report =
        measure(test_release_write("pair", &apart), "a,s\nx,p\ny,q\nx,p\ny,q\n", "pairs", "yes");
    assert_near(number(report->facts.root, "pairs", "a, s"), 1);
    bauta_report_free(report);
}

static void wishes_that_are_none(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"support=2", "'support' of 'associations' must be at most 1"},
        {"support=0", "must be at least"},
        {"confidence=x", "must be a number"},
        {"from=thin-air", "must be one of expected|permuted-sample"},
        {"depth=3", "no option 'depth'"},
    };
    const char *folder = test_release_write("release", &good);
    bauta_error error;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        bauta_recipe *recipe = test_original(scratch_text("original.csv", figure_1), "1");
        assert_ok(bauta_recipe_set(recipe, "associations", wrong[i][0], &error), &error);
        assert_fails(bauta_measure(&folder, 1, recipe, NULL, &error), BAUTA_USAGE, &error,
                     wrong[i][1]);
        bauta_recipe_free(recipe);
    }
    bauta_recipe *recipe = test_original(NULL, "1");
    assert_ok(bauta_recipe_set(recipe, "pairs", "yes", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "similarity", "yes", &error), &error);
    assert_fails(bauta_measure(&folder, 1, recipe, NULL, &error), BAUTA_USAGE, &error,
                 "need the original records");
    bauta_recipe_free(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_files_cannot_show_is_unverifiable),
        cmocka_unit_test(the_original_shows_more),
        cmocka_unit_test(tampering_is_found),
        cmocka_unit_test(orders_and_distributions_are_seen),
        cmocka_unit_test(a_mechanism_that_is_none_is_no_release),
        cmocka_unit_test(posteriors_are_measured),
        cmocka_unit_test(associations_of_figure_1),
        cmocka_unit_test(half_of_the_clerks_of_the_usa),
        cmocka_unit_test(two_tables_are_counted_on_average),
        cmocka_unit_test(pairs_of_columns),
        cmocka_unit_test(wishes_that_are_none),
    };
    return cmocka_run_group_tests_name("knowledge", tests, scratch_make, scratch_empty);
}
