/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on releases with a public table, on small releases written by hand: what each comes to by
 * its definition, and that weak releases are found out.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../release_files.h"

#include "attack/attack.h"

#define PROMISE(name, value) "{\"name\":\"" name "\",\"value\":\"" value "\"}"

static const char columns[] =
    TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city") "," TEST_SENSITIVE("disease");
static const char quasi_columns[] = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("city");

static const char records[] = "name,age,city,disease\na,20,x,flu\nb,29,x,cold\nc,40,y,flu\n"
                              "d,45,y,gout\n";
static const char voters[] = "name,age,city\na,20,x\ne,25,x\nb,29,x\nf,22,x\nh,60,x\nc,40,y\n"
                             "g,41,y\nd,45,y\n";

/* Two boxes for the sensitive group of a and b, one for that of c and d. */
static const char data[] = "age,city,sensitive_group\n\"[20,22]\",x,1\n\"[40,45]\",y,2\n"
                           "\"[25,29]\",x,1\n\"[20,22]\",x,1\n\"[40,45]\",y,2\n\"[25,29]\",x,1\n"
                           "\"[40,45]\",y,2\n";
static const char values[] = "sensitive_group,disease\n2,flu\n1,flu\n1,cold\n2,gout\n";

static const test_release sound = {.columns = columns,
                                   .promises = PROMISE("k", "2") "," PROMISE("p", "2"),
                                   .join = "refine:trim=none",
                                   .data = data,
                                   .sensitive = values};

/* The report of attacks by someone who has the public table; key: NULL, none is told. */
static bauta_status try_public(const char *folder, const char *table, const char *key,
                               const char *const *arguments, bauta_report **report,
                               bauta_error *error)
{
    bauta_recipe *recipe;
    size_t count = 0;
    while (arguments && arguments[count])
        count++;
    assert_ok(bauta_recipe_new(&recipe, error), error);
    assert_ok(bauta_recipe_set(recipe, "threads", "2", error), error);
    assert_ok(bauta_recipe_set(recipe, "input", scratch_text("records.csv", records), error),
              error);
    if (table)
        assert_ok(bauta_recipe_set(recipe, "public", scratch_text("voters.csv", table), error),
                  error);
    if (key) assert_ok(bauta_recipe_set(recipe, "key", key, error), error);
    bauta_status status = bauta_attack(folder, recipe, arguments, count, report, error);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_report *attack(const test_release *release, const char *key,
                            const char *const *arguments, bauta_status expected)
{
    bauta_error error;
    bauta_report *report = NULL;
    const char *folder = test_release_write(release->sensitive ? "joined" : "alone", release);
    bauta_status status = try_public(folder, voters, key, arguments, &report, &error);
    if (!report || status != expected) fail_msg("%d: %s (%s)", status, error.message, error.hint);
    return report;
}

static const char *detail_of(const json_t *result)
{
    return json_string_value(json_object_get(result, "detail"));
}

/* ---- who is who ---- */

static void boxes_hide_among_everyone(void **state)
{
    (void)state;
    static const char *const keys[] = {"name", NULL}; /* alike in all values is the same */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        bauta_report *report = attack(&sound, keys[i], NULL, BAUTA_OK);
        const json_t *one = find_result(report, "re-identification", "prosecutor");
        assert_rate(one, "success", (0.5 + 0.5 + 1.0 / 3 + 1.0 / 3) / 4);
        assert_rate(one, "worst", 0.5);
        assert_rate(one, "allowed", 0.5);
        one = find_result(report, "re-identification", "journalist");
        assert_rate(one, "success", 3.0 / 7); /* a third of each box of three */
        assert_rate(one, "worst", 0.5);
        assert_rate(one, "chance", 1.0 / 8);
        one = find_result(report, "re-identification", "linkage");
        assert_rate(one, "success", 0.5); /* each sensitive group has two records */
        assert_int_equal(outcome_of(one), -1);
        one = find_result(report, "re-identification", "absent");
        assert_rate(one, "success", (1 + 1 + 0.5 + 0.5) / 4);
        assert_rate(one, "worst", 1);
        assert_int_equal(outcome_of(one), -1);
        bauta_report_free(report);
    }
}

static void small_boxes_are_found(void **state)
{
    (void)state;
    test_release weak = sound;
    weak.data = "age,city,sensitive_group\n\"[20,22]\",x,1\n\"[40,45]\",y,2\n\"[20,22]\",x,1\n"
                "\"[40,45]\",y,2\n29,x,1\n\"[40,45]\",y,2\n";
    bauta_report *report = attack(&weak, "name", ARGUMENTS("attack=re-identification"), BAUTA_NO);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "worst", 1);
    assert_int_equal(outcome_of(one), 0);
    assert_int_equal(outcome_of(find_result(report, "re-identification", "journalist")), 0);
    bauta_report_free(report);
}

/* ---- values ---- */

static void values_are_those_of_the_group(void **state)
{
    (void)state;
    bauta_report *report = attack(&sound, "name", NULL, BAUTA_OK);
    const json_t *one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "worst", 0.5);
    assert_rate(one, "success", 0.5); /* of equals the first by text: cold, and flu */
    assert_int_equal(outcome_of(one), 1);
    assert_int_equal(outcome_of(find_result(report, "background", NULL)), 1);
    bauta_report_free(report);
    test_release weak = sound;
    weak.sensitive = "sensitive_group,disease\n2,flu\n1,flu\n1,flu\n2,gout\n";
    report = attack(&weak, "name", ARGUMENTS("attack=homogeneity"), BAUTA_NO);
    one = find_result(report, "homogeneity", NULL);
    assert_rate(one, "worst", 1);
    assert_string_equal(detail_of(one), "certain for 2 of 4");
    bauta_report_free(report);
}

/* Who knows the city alone finds both boxes of a group to be one. */
static void knowing_less_leaves_the_group(void **state)
{
    (void)state;
    bauta_report *report = attack(&sound, "name", ARGUMENTS("know=city"), BAUTA_OK);
    const json_t *one = find_result(report, "re-identification", "prosecutor");
    assert_rate(one, "success", (0.25 + 0.25 + 1.0 / 3 + 1.0 / 3) / 4);
    assert_rate(find_result(report, "homogeneity", NULL), "worst", 0.5);
    one = find_result(report, "presence", NULL);
    assert_rate(one, "success", (2.0 / 5 * 2 + 2.0 / 3 * 2) / 4); /* h has the city, too */
    bauta_report_free(report);
}

/* ---- presence ---- */

static void presence_is_the_share_of_records(void **state)
{
    (void)state;
    bauta_report *report = attack(&sound, "name", ARGUMENTS("attack=presence"), BAUTA_OK);
    const json_t *one = find_result(report, "presence", NULL);
    assert_rate(one, "success", (0.5 + 0.5 + 2.0 / 3 + 2.0 / 3) / 4);
    assert_rate(one, "worst", 2.0 / 3);
    assert_rate(one, "chance", 0.5);
    assert_int_equal(outcome_of(one), -1);
    assert_string_equal(detail_of(one),
                        "of 8 people of both tables 1 are surely absent, 0 surely present");
    bauta_report_free(report);
}

/* Everyone is a record where a sensitive group has no row of anyone else. */
static void groups_without_others_are_certain(void **state)
{
    (void)state;
    test_release full = sound;
    full.data = "age,city,sensitive_group\n\"[20,29]\",x,1\n\"[40,45]\",y,2\n\"[20,29]\",x,1\n"
                "\"[40,45]\",y,2\n\"[40,45]\",y,2\n";
    bauta_error error;
    bauta_report *report = NULL;
    const char *folder = test_release_write("full", &full);
    assert_ok(try_public(folder, "name,age,city\na,20,x\nb,29,x\nc,40,y\ng,41,y\nd,45,y\n", "name",
                         ARGUMENTS("attack=presence"), &report, &error),
              &error);
    const json_t *one = find_result(report, "presence", NULL);
    assert_rate(one, "worst", 1);
    assert_string_equal(detail_of(one),
                        "of 5 people of both tables 0 are surely absent, 2 surely present");
    bauta_report_free(report);
}

/* a and b alone are at the ends of their group, c and d at those of theirs. */
static void ends_of_groups_are_records(void **state)
{
    (void)state;
    bauta_report *report = attack(&sound, "name", ARGUMENTS("attack=presence"), BAUTA_OK);
    const json_t *one = find_result(report, "presence", "edges");
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 4);
    assert_rate(one, "success", 1);
    assert_rate(one, "chance", (0.5 + 0.5 + 2.0 / 3 + 2.0 / 3) / 4);
    assert_rate(one, "worst", 1);
    assert_int_equal(json_array_size(json_object_get(one, "worst_records")), 4);
    bauta_report_free(report);
    /* if nobody of the public table is in the other, there are two of each at every end */
    report = attack(&sound, "none", ARGUMENTS("attack=presence"), BAUTA_OK);
    one = find_result(report, "presence", "edges");
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 0);
    bauta_report_free(report);
}

/* Group 1 is a (20) and b (29), with i (20), f (22) and j between; f holds an end of a box of three
 * and was not left out. */
static void who_was_spared_is_a_record(void **state)
{
    (void)state;
    test_release trimmed = sound;
    trimmed.join = "refine:trim=paper";
    trimmed.data = "age,city,sensitive_group\n\"[20,22]\",x,1\n\"[20,22]\",x,1\n\"[20,22]\",x,1\n"
                   "\"[25,29]\",x,1\n\"[25,29]\",x,1\n\"[40,45]\",y,2\n\"[40,45]\",y,2\n";
    static const char crowd[] = "name,age,city\ni,20,x\nf,22,x\nj,27,x\n";
    bauta_error error;
    bauta_report *report = NULL;
    const char *folder = test_release_write("trimmed", &trimmed);
    assert_ok(try_public(folder, crowd, "name", ARGUMENTS("attack=presence"), &report, &error),
              &error);
    const json_t *one = find_result(report, "presence", "trimming");
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 1);
    assert_rate(one, "success", 0); /* this release was not trimmed as it says: f is public */
    assert_rate(one, "worst", 1);
    assert_int_equal(outcome_of(one), -1);
    bauta_report_free(report);
    trimmed.join = "refine:trim=safe";
    folder = test_release_write("trimmed", &trimmed);
    assert_ok(try_public(folder, crowd, "name", ARGUMENTS("attack=presence"), &report, &error),
              &error);
    one = find_result(report, "presence", "trimming");
    assert_rate(one, "chance", 2.0 / 5);        /* two records in five rows */
    assert_rate(one, "worst", 2 * 0.4 / (1.4)); /* twice the odds */
    assert_int_equal(outcome_of(one), -1);      /* of so few nobody can tell */
    bauta_report_free(report);
}

/* ---- direct ---- */

static void without_values_there_is_less(void **state)
{
    (void)state;
    const test_release direct = {.columns = quasi_columns,
                                 .join = "direct:trim=none",
                                 .data = "age,city,sensitive_group\n\"[20,22]\",x,1\n"
                                         "\"[40,45]\",y,3\n\"[25,29]\",x,2\n\"[20,22]\",x,1\n"
                                         "\"[40,45]\",y,3\n\"[25,29]\",x,2\n\"[40,45]\",y,3\n"};
    bauta_report *report = attack(&direct, "name", ARGUMENTS("all=yes"), BAUTA_OK);
    assert_rate(find_result(report, "re-identification", "prosecutor"), "worst", 0.5);
    assert_rate(find_result(report, "presence", NULL), "success", 4.0 / 7);
    assert_non_null(json_object_get(find_result(report, "homogeneity", NULL), "skipped"));
    assert_non_null(json_object_get(find_result(report, "minimality", NULL), "skipped"));
    const json_t *one = find_result(report, "downcoding", NULL);
    assert_rate(one, "success", 6.0 / 7); /* both ends of three boxes */
    assert_string_equal(detail_of(one),
                        "6 of 6 claims are true; members are known of 3 of 3 classes");
    bauta_report_free(report);
}

/* ---- position ---- */

/* Groups numbered, and rows written, in the order of the records; each group has one value. */
static void orders_are_noticed(void **state)
{
    (void)state;
    enum { GROUPS = 120 };
    bauta_error error;
    bt_buffer people = {0}, rows = {0}, bags = {0};
    assert_ok(bt_buffer_print(&people, &error, "age,city,disease\n"), &error);
    assert_ok(bt_buffer_print(&rows, &error, "age,city,sensitive_group\n"), &error);
    assert_ok(bt_buffer_print(&bags, &error, "sensitive_group,disease\n"), &error);
    for (int g = 0; g < GROUPS; g++)
        for (int i = 0; i < 2; i++) {
            assert_ok(bt_buffer_print(&people, &error, "%d,x,v%d\n", 10 * g + i, i), &error);
            assert_ok(bt_buffer_print(&rows, &error, "%d,x,%d\n", 10 * g + i, g + 1), &error);
            assert_ok(bt_buffer_print(&bags, &error, "%d,v%d\n", g + 1, i), &error);
        }
    test_release ordered = sound;
    ordered.data = rows.bytes;
    ordered.sensitive = bags.bytes;
    const char *original = scratch_write("ordered.csv", people.bytes, people.length);
    bauta_report *report = try_attacks(test_release_write("ordered", &ordered), original,
                                       ARGUMENTS("attack=position"), false);
    static const char *const variants[] = {"rows",   "order",         "sorted",       "groups",
                                           "tables", "within groups", "group numbers"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        if (outcome_of(find_result(report, "position", variants[i])) != 0)
            fail_msg("%s", variants[i]);
    assert_rate(find_result(report, "position", "tables"), "success", 1);
    assert_rate(find_result(report, "position", "within groups"), "success", 1);
    assert_rate(find_result(report, "position", "within groups"), "chance", 0.5);
    bauta_report_free(report);
    bt_buffer_release(&people);
    bt_buffer_release(&rows);
    bt_buffer_release(&bags);
}

/* ---- two releases ---- */

static void boxes_of_two_releases_are_intersected(void **state)
{
    (void)state;
    char other[300];
    const test_release plain = {.columns = columns,
                                .data = "age,city,disease\n20,x,flu\n\"[27,29]\",x,cold\n"
                                        "\"[40,45]\",y,flu\n\"[40,45]\",y,gout\n"};
    snprintf(other, sizeof other, "other-release=%s", test_release_write("plain", &plain));
    bauta_report *report =
        attack(&sound, "name", ARGUMENTS(other, "attack=intersection"), BAUTA_NO);
    const json_t *one = find_result(report, "intersection", "people");
    assert_rate(one, "worst", 1); /* neither e nor f can be in the other release */
    assert_rate(one, "success", (1 + 1 + 1.0 / 3 + 1.0 / 3) / 4);
    assert_int_equal(outcome_of(one), 0);
    bauta_report_free(report);
    snprintf(other, sizeof other, "other-release=%s", test_release_write("again", &sound));
    report = attack(&sound, "name", ARGUMENTS(other, "attack=intersection"), BAUTA_OK);
    assert_rate(find_result(report, "intersection", "people"), "worst", 0.5);
    assert_rate(find_result(report, "intersection", "identity"), "worst", 0.5);
    bauta_report_free(report);
}

/* ---- what is asked for ---- */

static void wrong_tables_are_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *folder = test_release_write("asked", &sound);
    assert_fails(try_public(folder, "name,age\na,20\n", "name", NULL, NULL, &error), BAUTA_INVALID,
                 &error, "no column 'city'");
    assert_fails(try_public(folder, "name,age,city\na,21,x\n", "name", NULL, NULL, &error),
                 BAUTA_INVALID, &error, "other quasi values");
    assert_fails(try_public(folder, NULL, NULL, ARGUMENTS("attack=downcoding"), NULL, &error),
                 BAUTA_USAGE, &error, "it needs the public table");
    const test_release plain = {.columns = columns,
                                .data = "age,city,disease\n\"[20,45]\",{x|y},flu\n"
                                        "\"[20,45]\",{x|y},cold\n"};
    folder = test_release_write("plain", &plain);
    assert_fails(try_public(folder, voters, "name", NULL, NULL, &error), BAUTA_USAGE, &error,
                 "without a public table");
}

/* A group of which data.csv has rows and sensitive.csv nothing holds no target. */
static void groups_without_records_are_nobodys(void **state)
{
    (void)state;
    test_release odd = sound;
    odd.sensitive = "sensitive_group,disease\n1,flu\n1,cold\n";
    bauta_report *report = attack(&odd, "name", NULL, BAUTA_OK);
    assert_rate(find_result(report, "re-identification", "linkage"), "worst", 0.5);
    assert_int_equal(
        json_integer_value(json_object_get(find_result(report, "homogeneity", NULL), "tried")), 2);
    bauta_report_free(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_hide_among_everyone),
        cmocka_unit_test(small_boxes_are_found),
        cmocka_unit_test(values_are_those_of_the_group),
        cmocka_unit_test(knowing_less_leaves_the_group),
        cmocka_unit_test(presence_is_the_share_of_records),
        cmocka_unit_test(groups_without_others_are_certain),
        cmocka_unit_test(ends_of_groups_are_records),
        cmocka_unit_test(who_was_spared_is_a_record),
        cmocka_unit_test(without_values_there_is_less),
        cmocka_unit_test(orders_are_noticed),
        cmocka_unit_test(boxes_of_two_releases_are_intersected),
        cmocka_unit_test(wrong_tables_are_refused),
        cmocka_unit_test(groups_without_records_are_nobodys),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
