/* SPDX-License-Identifier: Apache-2.0
 *
 * What an audit finds: in the files alone, and against the original.
 */
#include "release_files.h"

#include "audit/boxes.h"
#include "audit/flow.h"

static const char columns[] =
    TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease");

static const char good[] = "age,city,disease\n"
                           "\"[20,30]\",{Bonn|Kiel},flu\n"
                           "\"[20,30]\",{Bonn|Kiel},cold\n"
                           "40,*,flu\n"
                           "40,*,flu\n";

static const char original[] = "name;age;disease;city\n"
                               "Ann;20;cold;Kiel\n"
                               "Bob;30;flu;Bonn\n"
                               "Cem;40;flu;?\n"
                               "Dee;40;flu;Ulm\n";

/* Audits and keeps the report; the caller frees it. */
static bauta_status audit_with(const test_release *release, const char *records, bool allow,
                               const char *threads, bauta_report **report, bauta_error *error)
{
    const char *folder = test_release_write("audited", release);
    const char *file = records ? scratch_text("original.csv", records) : NULL;
    bauta_recipe *recipe = test_original(file, threads);
    if (allow) assert_ok(bauta_recipe_set(recipe, "allow-experiment", "yes", error), error);
    bauta_status status = bauta_audit(folder, recipe, report, error);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_status audit(const test_release *release, const char *records, bool allow,
                          bauta_report **report, bauta_error *error)
{
    return audit_with(release, records, allow, "1", report, error);
}

/* Audits and expects the verdict of one promise; the whole holds exactly when `holds`. Any
 * number of threads finds the same. */
static void expect(const test_release *release, const char *records, const char *promise,
                   int verdict, bool holds)
{
    static const char *const threads[] = {"1", "2", "7"};
    json_t *first = NULL;
    for (size_t i = 0; i < 3; i++) {
        bauta_error error;
        bauta_report *report = NULL;
        bauta_status status = audit_with(release, records, false, threads[i], &report, &error);
        if (status != (holds ? BAUTA_OK : BAUTA_NO)) fail_msg("%d: %s", status, error.message);
        assert_non_null(report);
        json_t *facts = report->facts.root;
        assert_int_equal(test_verdict(facts, promise), verdict);
        assert_int_equal(json_is_true(json_object_get(facts, "holds")), holds);
        if (!first) first = json_incref(facts);
        assert_true(json_equal(first, facts));
        bauta_report_free(report);
    }
    json_decref(first);
}

/* ---- the files alone ---- */

static void good_release_holds(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = good};
    static const char *const promises[] = {"k=2", "cells", "canonical text"};
    for (size_t i = 0; i < 3; i++)
        expect(&release, NULL, promises[i], 1, true);
    expect(&release, NULL, "rows", -1, true);
    expect(&release, NULL, "original records", -2, true);
}

/* A promise that any class keeps is kept, and named. */
static void vacuous_promises_are_named(void **state)
{
    (void)state;
    static const char *const values[] = {"1", "2"};
    for (size_t i = 0; i < 2; i++) {
        char promise[64], name[8];
        snprintf(promise, sizeof promise, "{\"name\":\"k\",\"value\":\"%s\"}", values[i]);
        snprintf(name, sizeof name, "k=%s", values[i]);
        const test_release release = {.columns = columns, .data = good, .promises = promise};
        bauta_error error;
        bauta_report *report = NULL;
        assert_ok(audit_with(&release, NULL, false, "1", &report, &error), &error);
        const json_t *detail = json_object_get(test_finding(report->facts.root, name), "detail");
        assert_int_equal(strstr(json_string_value(detail), "it promises nothing") != NULL, i == 0);
        bauta_report_free(report);
    }
}

static void says_what_is_not_protected_first(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = good};
    bauta_error error;
    bauta_report *report;
    assert_ok(audit(&release, NULL, false, &report, &error), &error);
    const char *first = json_object_iter_key(json_object_iter(report->facts.root));
    assert_string_equal(first, "not_protected");
    bauta_report_free(report);
}

static void broken_k_names_the_class(void **state)
{
    (void)state;
    const test_release release = {.columns = columns,
                                  .data = "age,city,disease\n1,a,x\n2,a,x\n1,a,y\n3,a,y\n3,a,y\n"};
    bauta_error error;
    bauta_report *report;
    assert_fails(audit(&release, NULL, false, &report, &error), BAUTA_NO, &error,
                 "does not keep what it promises");
    const json_t *finding = test_finding(report->facts.root, "k=2");
    assert_true(json_is_false(json_object_get(finding, "holds")));
    assert_int_equal(json_integer_value(json_object_get(finding, "class")), 2);
    assert_string_equal(json_string_value(json_object_get(finding, "detail")),
                        "1 of 3 classes do not satisfy it; this one has 1 rows, the smallest 1");
    bauta_report_free(report);
}

static void unknown_promises_do_not_pass(void **state)
{
    (void)state;
    test_release release = {.columns = columns, .data = good};
    release.promises = "{\"name\":\"luck\",\"value\":\"7\"}";
    expect(&release, NULL, "luck=7", 0, false);
    release.promises = "{\"name\":\"k\",\"value\":\"2,k=1\"}";
    expect(&release, NULL, "k=2,k=1", 0, false);
    release.promises = "";
    expect(&release, NULL, "promises", 0, false);
}

static void experiments_need_to_be_allowed(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = good, .experiment = true};
    bauta_error error;
    bauta_report *report;
    expect(&release, NULL, "experiment", 0, false);
    assert_ok(audit(&release, NULL, true, &report, &error), &error);
    assert_int_equal(test_verdict(report->facts.root, "experiment"), 1);
    bauta_report_free(report);
}

static void source_formatting_is_noticed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "age,city,disease\n\"1\",a,x\n1,a,x\n",         /* needless quotes */
        "age,city,disease\n1, a,x\n1,a,x\n",            /* a blank */
        "age,city,disease\r\n1,a,x\n1,a,x\n",           /* a carriage return */
        "age,city,disease\n1,a,x\n\n1,a,x\n",           /* an empty line */
        "age,city,disease\n1,a,x\n1,a,x",               /* no end of line */
        "age,city,disease\n1,a,x\n1, a,x",              /* one byte too many and one too few */
        "\357\273\277age,city,disease\n1,a,x\n1,a,x\n", /* a byte-order mark */
    };
    test_release release = {.columns = columns};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        release.data = texts[i];
        expect(&release, NULL, "canonical text", 0, false);
    }
    release.columns = TEST_QUASI_INTEGER("age") "," TEST_OTHER("note", "text");
    release.data = "age,note\n1,\"a,b\"\n1,\" a\"\"b\"\n1,c d\n";
    expect(&release, NULL, "canonical text", 1, true);
    release.data = "age,note\n1,\"ab\"\n1,c\n";
    expect(&release, NULL, "canonical text", 0, false);
}

static void malformed_cells_are_noticed(void **state)
{
    (void)state;
    test_release release = {.columns = columns};
    release.data = "age,city,disease\n\"[2,1]\",a,x\n\"[2,1]\",a,x\n";
    expect(&release, NULL, "cells", 0, false);
    release.data = "age,city,disease\n1,{a},x\n1,{a},x\n";
    expect(&release, NULL, "cells", 0, false);
    release.columns = TEST_QUASI_INTEGER("age") "," TEST_OTHER("day", "date");
    release.data = "age,day\n1,31.12.2020\n1,30.12.2020\n";
    expect(&release, NULL, "cells", 0, false);
    release.data = "age,day\n1,2020-12-31\n1,\n";
    expect(&release, NULL, "cells", 1, true);
}

static void other_columns_are_told(void **state)
{
    (void)state;
    const test_release release = {.columns = TEST_QUASI_INTEGER("age") "," TEST_OTHER(
                                      "visits", "integer") "," TEST_OTHER("note", "text"),
                                  .data = "age,visits,note\n1,5,a\n1,6,a\n1,7,a\n1,7,b\n"};
    bauta_error error;
    bauta_report *report;
    assert_ok(audit(&release, NULL, false, &report, &error), &error);
    const json_t *finding = test_finding(report->facts.root, "other columns");
    assert_string_equal(json_string_value(json_object_get(finding, "detail")),
                        "published unprotected; rows with a value of their own: 'visits' 50.0 %, "
                        "'note' 25.0 %; together 100 %");
    bauta_report_free(report);
}

/* ---- against the original ---- */

static void original_is_covered(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = good};
    expect(&release, original, "original records", 1, true);
    expect(&release, original, "rows", 1, true);
}

static void corruptions_are_noticed(void **state)
{
    (void)state;
    static const char *const texts[] = {
        /* a cell made finer */
        "age,city,disease\n\"[20,30]\",Bonn,flu\n\"[20,30]\",Bonn,cold\n40,*,flu\n40,*,flu\n",
        "age,city,disease\n\"[21,30]\",*,flu\n\"[21,30]\",*,cold\n40,*,flu\n40,*,flu\n",
        /* a value changed */
        "age,city,disease\n\"[20,30]\",*,flu\n\"[20,30]\",*,flu\n40,*,flu\n40,*,flu\n",
        "age,city,disease\n\"[20,30]\",*,flu\n\"[20,30]\",*,cold\n40,*,flu\n40,*,gout\n",
        /* a row twice, instead of another */
        "age,city,disease\n*,*,flu\n*,*,flu\n*,*,flu\n*,*,flu\n",
    };
    test_release release = {.columns = columns};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        release.data = texts[i];
        expect(&release, original, "original records", 0, false);
    }
}

static void removed_rows_are_noticed(void **state)
{
    (void)state;
    test_release release = {.columns = columns, .data = "age,city,disease\n40,*,flu\n40,*,flu\n"};
    expect(&release, original, "rows", 0, false);
    expect(&release, original, "original records", 1, false);
    release.dropped = 2;
    expect(&release, original, "rows", 1, true);
}

/* Who gets which record matters: the first class can only take what the second could, too. */
static void overlapping_boxes_are_solved(void **state)
{
    (void)state;
    const test_release release = {
        .columns = columns,
        .data = "age,city,disease\n\"[20,40]\",*,flu\n\"[20,40]\",*,flu\n\"[20,40]\",*,cold\n"
                "\"[30,40]\",*,flu\n\"[30,40]\",*,flu\n"};
    static const char enough[] = "age,city,disease\n20,a,flu\n40,a,flu\n30,a,flu\n40,b,flu\n"
                                 "20,c,cold\n";
    static const char wanting[] = "age,city,disease\n20,a,flu\n20,b,flu\n20,a,flu\n40,b,flu\n"
                                  "20,c,cold\n";
    expect(&release, enough, "original records", 1, true);
    expect(&release, wanting, "original records", 0, false);
}

static void nothing_is_covered_by_nothing(void **state)
{
    (void)state;
    test_release release = {.columns = columns, .data = "age,city,disease\n", .dropped = 4};
    expect(&release, original, "original records", 1, true);
    release = (test_release){.columns = TEST_SENSITIVE("disease"), .data = "disease\nflu\nflu\n"};
    expect(&release, "disease\nflu\nflu\n", "original records", 1, true);
    expect(&release, "disease\nflu\ncold\n", "original records", 0, false);
}

static void other_columns_are_compared(void **state)
{
    (void)state;
    test_release files = {.columns =
                              TEST_QUASI_INTEGER("age") ",{\"name\":\"pay\",\"role\":\"other\","
                                                        "\"type\":\"decimal\",\"scale\":1}",
                          .data = "age,pay\n*,1.5\n*,\n*,20\n"};
    expect(&files, "pay;age\n1.50;7\nNA;8\n20.0;9\n", "original records", 1, true);
    expect(&files, "pay;age\n1.50;7\nNA;8\n20.1;9\n", "original records", 0, false);
    files.columns = TEST_QUASI_INTEGER("age") "," TEST_OTHER("note", "text");
    files.data = "age,note\n*,\"say \"\"a\"\"\"\n*,b\n";
    expect(&files, "age,note\n1,b\n2,\"say \"\"a\"\"\"\n", "original records", 1, true);
    expect(&files, "age,note\n1,b\n2,say a\n", "original records", 0, false);
}

static void given_hierarchies_are_compared(void **state)
{
    (void)state;
    test_release release = {
        .columns = "{\"name\":\"zip\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":"
                   "{\"spec\":\"file\",\"paths\":[[\"a1\",\"a\"],[\"a2\",\"a\"],[\"b1\",\"b\"],"
                   "[\"b2\",\"b\"],[\"\"]]}}",
        .data = "zip\na\na\nb\nb\n*\n*\n"};
    expect(&release, "zip\na1\nb1\na2\nb2\nb1\n\"\"\n", "original records", 1, true);
    expect(&release, "zip\na1\nb1\na2\nb2\nc1\n\"\"\n", "original records", 1, true);
    expect(&release, "zip\na1\nb1\na2\na2\nb1\na1\n", "original records", 1, true);
    expect(&release, "zip\na1\na1\na2\na2\nb1\na1\n", "original records", 0, false);
    release.data = "zip\na1\na1\n\n\n";
    expect(&release, "zip\na1\n\"\"\na1\n\"\"\n", "original records", 1, true);
    expect(&release, "zip\na1\n\"\"\na2\n\"\"\n", "original records", 0, false);
}

static void derived_hierarchies_are_built_anew(void **state)
{
    (void)state;
    test_release release = {
        .columns = "{\"name\":\"zip\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":"
                   "{\"spec\":\"mask\",\"leaves\":4,\"levels\":4,\"nodes\":["
                   "{\"label\":\"12*\",\"level\":1,\"leaves\":2},"
                   "{\"label\":\"1**\",\"level\":2,\"leaves\":3}]}}",
        .data = "zip\n12*\n12*\n1**\n1**\n"};
    expect(&release, "zip\n129\n125\n139\n125\n", "original records", 1, true);
    expect(&release, "zip\n129\n135\n139\n225\n", "original records", 0, false);
    bauta_error error;
    bauta_report *report;
    release.columns = "{\"name\":\"zip\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":"
                      "{\"spec\":\"/etc/passwd\",\"leaves\":4,\"levels\":4,\"nodes\":["
                      "{\"label\":\"12*\",\"level\":1,\"leaves\":2},"
                      "{\"label\":\"1**\",\"level\":2,\"leaves\":3}]}}";
    assert_fails(audit(&release, "zip\n129\n125\n139\n125\n", false, &report, &error),
                 BAUTA_INVALID, &error, "a scheme that this version does not know");
}

static void missing_columns_are_errors(void **state)
{
    (void)state;
    const test_release release = {.columns = columns, .data = good};
    bauta_error error;
    bauta_report *report;
    assert_fails(audit(&release, "age,city\n1,a\n", false, &report, &error), BAUTA_INVALID, &error,
                 "no column 'disease'");
    assert_null(report);
}

/* ---- the index of boxes ---- */

typedef struct found {
    bool *classes;
} found;

static bauta_status note_class(void *user, uint32_t class_number, bauta_error *error)
{
    (void)error;
    bool *classes = ((found *)user)->classes;
    assert_false(classes[class_number]);
    classes[class_number] = true;
    return BAUTA_OK;
}

enum { BOXES = 700, SIDES = 3, POSITIONS = 1000, MEMBERS = 4 };

static bt_side random_side(uint64_t *random, uint32_t width, uint32_t *members)
{
    uint32_t from = (uint32_t)test_below(random, POSITIONS);
    uint32_t to = from + (uint32_t)test_below(random, width);
    if (to > POSITIONS) to = POSITIONS;
    bt_side side = {from, to, NULL, 0};
    if (to - from < MEMBERS * 2 || test_below(random, 3)) return side;
    for (uint32_t i = 0; i < MEMBERS; i++)
        members[i] = i == MEMBERS - 1 ? to - 1 : from + i * 2;
    side.members = members;
    side.count = MEMBERS;
    return side;
}

static bool side_contains(const bt_side *side, uint32_t at)
{
    if (at < side->from || at >= side->to) return false;
    for (uint32_t i = 0; i < side->count; i++)
        if (side->members[i] == at) return true;
    return side->members == NULL;
}

/* Widths from points to everything: trees of cuts, filters, and both. */
static void boxes_are_found(void **state)
{
    (void)state;
    static bt_side sides[SIDES][BOXES];
    static uint32_t members[SIDES][BOXES][MEMBERS], places[SIDES][BOXES];
    static const uint32_t positions[SIDES] = {POSITIONS, POSITIONS, POSITIONS};
    static const uint32_t widths[] = {3, 50, 400, 2000};
    const bt_side *const all_sides[SIDES] = {sides[0], sides[1], sides[2]};
    uint32_t *const all_places[SIDES] = {places[0], places[1], places[2]};
    uint64_t random = 7;
    bauta_error error;
    for (size_t w = 0; w < 4; w++) {
        bt_boxes *boxes;
        for (size_t j = 0; j < SIDES; j++)
            for (uint32_t i = 0; i < BOXES; i++) {
                sides[j][i] = random_side(&random, widths[w], members[j][i]);
                places[j][i] = i;
            }
        assert_ok(bt_boxes_new(all_sides, all_places, positions, SIDES, BOXES, &boxes, &error),
                  &error);
        for (int round = 0; round < 300; round++) {
            bool classes[BOXES] = {false};
            const bt_side *near = &sides[0][test_below(&random, BOXES)];
            uint32_t at = (uint32_t)(near - sides[0]), point[SIDES];
            for (size_t j = 0; j < SIDES; j++)
                point[j] = sides[j][at].from % POSITIONS;
            assert_ok(bt_boxes_at(boxes, point, note_class, &(found){classes}, &error), &error);
            for (uint32_t i = 0; i < BOXES; i++) {
                bool expected = true;
                for (size_t j = 0; j < SIDES; j++)
                    expected &= side_contains(&sides[j][i], point[j]);
                assert_int_equal(classes[i], expected);
            }
        }
        bt_boxes_free(boxes);
    }
}

/* ---- the flow ---- */

enum { NODES = 12, MOST_EDGES = NODES * NODES };

/* Largest flow by pushing units along any path, on a matrix. */
static bool push_unit(uint32_t d, bool can[NODES][NODES], uint32_t given[NODES][NODES],
                      uint32_t left[NODES], bool *seen)
{
    for (uint32_t s = 0; s < NODES; s++) {
        if (!can[s][d] || seen[s]) continue;
        seen[s] = true;
        if (left[s] > 0) {
            left[s]--;
            given[s][d]++;
            return true;
        }
        for (uint32_t other = 0; other < NODES; other++)
            if (given[s][other] > 0 && push_unit(other, can, given, left, seen)) {
                given[s][other]--;
                given[s][d]++;
                return true;
            }
    }
    return false;
}

static void flows_are_largest(void **state)
{
    (void)state;
    uint64_t random = 3;
    bauta_error error;
    bt_run run;
    test_run_open(&run, 2);
    for (int round = 0; round < 3000; round++) {
        bool can[NODES][NODES] = {{false}};
        uint32_t given[NODES][NODES] = {{0}}, there[NODES], left[NODES], wanted[NODES];
        uint32_t lacking[NODES], demand[MOST_EDGES], most = 1 + (uint32_t)test_below(&random, 5);
        size_t first[NODES + 1] = {0}, edges = 0;
        uint64_t density = 1 + test_below(&random, 9), lack = 0, reached = 0, total = 0;
        for (uint32_t i = 0; i < NODES; i++) {
            left[i] = there[i] = (uint32_t)test_below(&random, most + 1);
            wanted[i] = (uint32_t)test_below(&random, most + 1);
            total += wanted[i];
            for (uint32_t d = 0; d < NODES; d++) {
                can[i][d] = test_below(&random, 10) < density;
                if (can[i][d]) demand[edges++] = d;
            }
            first[i + 1] = edges;
        }
        const bt_flow flow = {NODES, NODES, wanted, there, first, demand};
        assert_ok(bt_flow_run(&flow, &run, lacking, &error), &error);
        for (uint32_t d = 0; d < NODES; d++) {
            lack += lacking[d];
            for (uint32_t unit = 0; unit < wanted[d]; unit++)
                reached += push_unit(d, can, given, left, (bool[NODES]){false});
        }
        assert_int_equal(total - lack, reached);
    }
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_release_holds),
        cmocka_unit_test(vacuous_promises_are_named),
        cmocka_unit_test(says_what_is_not_protected_first),
        cmocka_unit_test(broken_k_names_the_class),
        cmocka_unit_test(unknown_promises_do_not_pass),
        cmocka_unit_test(experiments_need_to_be_allowed),
        cmocka_unit_test(source_formatting_is_noticed),
        cmocka_unit_test(malformed_cells_are_noticed),
        cmocka_unit_test(other_columns_are_told),
        cmocka_unit_test(original_is_covered),
        cmocka_unit_test(corruptions_are_noticed),
        cmocka_unit_test(removed_rows_are_noticed),
        cmocka_unit_test(overlapping_boxes_are_solved),
        cmocka_unit_test(nothing_is_covered_by_nothing),
        cmocka_unit_test(other_columns_are_compared),
        cmocka_unit_test(given_hierarchies_are_compared),
        cmocka_unit_test(derived_hierarchies_are_built_anew),
        cmocka_unit_test(missing_columns_are_errors),
        cmocka_unit_test(boxes_are_found),
        cmocka_unit_test(flows_are_largest),
    };
    return cmocka_run_group_tests_name("audit", tests, scratch_make, scratch_empty);
}
