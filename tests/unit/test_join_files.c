/* SPDX-License-Identifier: Apache-2.0
 *
 * Releases with a public table, written by hand: how they are opened, and what the audit says of
 * their groups. Whatever stands in the files, they are refused or judged, and answered.
 */
#define SCRATCH_IN_MEMORY
#include "release_files.h"

#include "audit/audit.h"
#include "query/query.h"

static const char columns[] =
    TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease");

static const char data[] = "age,city,sensitive_group\n"
                           "\"[1,3]\",x,2\n\"[1,3]\",x,2\n4,{x|y},1\n4,{x|y},1\n"
                           "\"[1,3]\",x,1\n\"[1,3]\",x,1\n4,{x|y},1\n";
static const char sensitive[] = "sensitive_group,disease\n1,flu\n2,cold\n1,cold\n2,flu\n";

static const char promises[] = "{\"name\":\"k\",\"value\":\"2\"},{\"name\":\"p\",\"value\":\"2\"}";

/* ---- opening ---- */

static void classes_are_cells_within_groups(void **state)
{
    (void)state;
    const test_release written = {
        .columns = columns, .join = "refine", .data = data, .sensitive = sensitive};
    bt_release release;
    bt_run run;
    bauta_error error;
    uint32_t *bag_of, bags;
    test_run_open(&run, 2);
    assert_ok(bt_release_open(test_release_write("release", &written), &run, &release, &error),
              &error);
    assert_true(release.form->join && !release.form->pair);
    assert_int_equal(release.rows, 7);
    assert_int_equal(bt_release_records(&release), 4);
    assert_int_equal(release.classes.count, 3);
    assert_int_equal(release.bags.count, 2);
    assert_string_equal(release.bags.name, "sensitive_group");
    /* In the order of data.csv: group 2 comes first. */
    assert_int_equal(release.bags.number[0], 2);
    assert_int_equal(release.bags.rows[0], 2);
    assert_int_equal(release.bags.values[0], 2);
    assert_int_equal(release.bags.rows[1], 5);
    assert_int_equal(release.bags.values[1], 2);
    assert_int_equal(release.bags.of_class[0], 0);
    assert_int_equal(release.bags.of_class[2], 1);
    assert_ok(bt_release_bags(&release, &run, &bag_of, &bags, &error), &error);
    assert_int_equal(bags, 2);
    assert_int_equal(bag_of[0], 1);
    assert_int_equal(bag_of[1], 0);
    free(bag_of);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

/* A column that has the name of the group's. */
static void the_group_gets_a_name_of_its_own(void **state)
{
    (void)state;
    const test_release written = {.columns = TEST_QUASI_INTEGER("sensitive_group"),
                                  .join = "direct:trim=none",
                                  .data = "sensitive_group,sensitive_group_2\n1,1\n1,1\n"};
    bt_release release;
    bt_run run;
    bauta_error error;
    test_run_open(&run, 1);
    assert_ok(bt_release_open(test_release_write("named", &written), &run, &release, &error),
              &error);
    assert_string_equal(release.bags.name, "sensitive_group_2");
    assert_int_equal(release.file_count, 1);
    assert_int_equal(bt_release_records(&release), 0);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

/* ---- the audit ---- */

static json_t *audit(const test_release *written)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_recipe *recipe = test_original(NULL, "1");
    bauta_status status =
        bauta_audit(test_release_write("audited", written), recipe, &report, &error);
    if (!report) fail_msg("%d: %s", status, error.message);
    char *text;
    assert_ok(bauta_report_json(report, &text, &error), &error);
    json_t *facts = json_loads(text, 0, NULL);
    bauta_text_free(text);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return facts;
}

#define assert_verdict(written, promise, expected)                                                 \
    do {                                                                                           \
        json_t *facts_ = audit(written);                                                           \
        assert_int_equal(test_verdict(facts_, (promise)), (expected));                             \
        json_decref(facts_);                                                                       \
    } while (0)

static void sizes_count_rows_and_values_count_records(void **state)
{
    (void)state;
    test_release written = {.columns = columns,
                            .join = "refine",
                            .promises = promises,
                            .data = data,
                            .sensitive = sensitive};
    assert_verdict(&written, "k=2", 1);
    assert_verdict(&written, "p=2", 1);
    assert_verdict(&written, "sensitive groups", 1);
    assert_verdict(&written, "group numbers", 1);
    json_t *facts = audit(&written);
    const json_t *presence = test_finding(facts, "presence");
    assert_int_equal(json_integer_value(json_object_get(presence, "class")), 1);
    json_decref(facts);
    written.promises = "{\"name\":\"k\",\"value\":\"3\"}";
    assert_verdict(&written, "k=3", 0);
    written.promises = promises;
    written.sensitive = "sensitive_group,disease\n1,flu\n2,cold\n1,cold\n2,cold\n";
    assert_verdict(&written, "p=2", 0);
    /* A box has a record at least, and no more than rows. */
    written.sensitive = "sensitive_group,disease\n1,flu\n2,cold\n2,flu\n";
    assert_verdict(&written, "sensitive groups", 0);
    written.sensitive = "sensitive_group,disease\n1,flu\n2,cold\n1,cold\n2,flu\n2,flu\n";
    assert_verdict(&written, "sensitive groups", 0);
}

/* With `direct` groups are boxes, and what is said of values must not need external persons. */
static void direct_needs_its_records_alone(void **state)
{
    (void)state;
    test_release written = {.columns = columns,
                            .join = "direct",
                            .promises = promises,
                            .data = "age,city,sensitive_group\n1,x,1\n1,x,1\n1,x,1\n2,x,2\n2,x,2\n",
                            .sensitive = "sensitive_group,disease\n1,flu\n1,cold\n2,flu\n2,cold\n"};
    assert_verdict(&written, "k=2", 1);
    assert_verdict(&written, "p=2", 1);
    assert_verdict(&written, "sensitive groups", 1);
    written.sensitive = "sensitive_group,disease\n1,flu\n1,cold\n2,flu\n";
    assert_verdict(&written, "k=2", 0);
    written.data = "age,city,sensitive_group\n1,x,1\n1,x,1\n2,x,1\n2,x,1\n";
    written.sensitive = "sensitive_group,disease\n1,flu\n1,cold\n";
    assert_verdict(&written, "sensitive groups", 0);
}

/* What an option means that there is not, nobody can know. */
static void options_of_a_join_are_those_that_there_are(void **state)
{
    (void)state;
    static const struct {
        const char *join;
        int verdict;
    } cases[] = {{"refine", -2},
                 {"refine:trim=safe", -2},
                 {"refine:trim=paper", -2},
                 {"refine:trim=most", 0},
                 {"refine:cut=safe", 0},
                 {"refine:trim=none,trim=safe", 0},
                 {"refine:trim", 0},
                 {"refine:", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const test_release written = {.columns = columns,
                                      .join = cases[i].join,
                                      .promises = promises,
                                      .data = data,
                                      .sensitive = sensitive};
        assert_verdict(&written, "manifest", cases[i].verdict);
    }
}

/* ---- hostile files ---- */

static void judge(const char *folder, const bt_run *run)
{
    static const char *const queries[] = {"SELECT COUNT(*)",
                                          "SELECT COUNT(*) WHERE age < 3 AND disease = 'flu'",
                                          "SELECT AVG(age) WHERE disease <> 'flu' OR city = 'x'"};
    const bt_query_options options = {.explain = true};
    const bt_audit_options how = {.run = run};
    bt_release release = {0};
    bauta_error error;
    bt_facts facts;
    bool holds;
    bauta_status status = bt_release_open(folder, run, &release, &error);
    bt_facts_init(&facts);
    if (status == BAUTA_OK) {
        bt_queryable *queryable = NULL;
        status = bt_audit(&release, &how, &facts, &holds, &error);
        assert_true(status == BAUTA_OK || status == BAUTA_INVALID);
        status = bt_queryable_open(&release, run, &queryable, &error);
        for (size_t i = 0; status == BAUTA_OK && i < 3; i++) {
            bt_answer answer;
            status = bt_query(queryable, queries[i], &options, &answer, &error);
            bt_answer_release(&answer);
        }
        bt_queryable_close(queryable);
    }
    if (status != BAUTA_OK) assert_true(error.message[0] != '\0');
    bt_facts_release(&facts);
    bt_release_close(&release);
}

static void no_byte_does_harm(void **state)
{
    enum { ROUNDS = 3000 };
    (void)state;
    static const char letters[] = "0123456789,\"\n[]{}|* xy";
    char changed[2][sizeof data > sizeof sensitive ? sizeof data : sizeof sensitive];
    uint64_t random = 12;
    bt_run run;
    test_run_open(&run, 1);
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(changed[0], data, sizeof data);
        memcpy(changed[1], sensitive, sizeof sensitive);
        for (uint64_t i = 1 + test_below(&random, 3); i > 0; i--) {
            size_t file = test_below(&random, 2);
            size_t length = file ? sizeof sensitive - 1 : sizeof data - 1;
            changed[file][test_below(&random, length)] =
                letters[test_below(&random, sizeof letters - 1)];
        }
        const test_release written = {.columns = columns,
                                      .join = test_below(&random, 4) ? "refine" : "direct",
                                      .promises = promises,
                                      .data = changed[0],
                                      .sensitive = changed[1]};
        judge(test_release_write("changed", &written), &run);
    }
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_cells_within_groups),
        cmocka_unit_test(the_group_gets_a_name_of_its_own),
        cmocka_unit_test(sizes_count_rows_and_values_count_records),
        cmocka_unit_test(direct_needs_its_records_alone),
        cmocka_unit_test(options_of_a_join_are_those_that_there_are),
        cmocka_unit_test(no_byte_does_harm),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
