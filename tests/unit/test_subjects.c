/* SPDX-License-Identifier: Apache-2.0
 *
 * Persons who have several rows, from the recipe to the audit.
 */
#include "jobs.h"

#include "group/method.h"
#include "job/load.h"
#include "release_files.h"

/* Two visits of ann and of bob, one of each of the others. */
static const char visits[] = "id,age,city,disease\n"
                             "ann,20,Rome,flu\n"
                             "bob,21,Rome,cough\n"
                             "ann,22,Rome,flu\n"
                             "bob,60,Bari,cough\n"
                             "cid,61,Bari,flu\n"
                             "dan,62,Bari,cough\n"
                             "eve,63,Bari,flu\n"
                             "fay,64,Bari,cough\n";

#define VISITS                                                                                     \
    {"subject", "id"}, {"quasi", "age,city"},                                                      \
    {                                                                                              \
        "sensitive", "disease"                                                                     \
    }

static const char *write_visits(void)
{
    return scratch_text("visits.csv", visits);
}

static json_t *subjects_of(const json_t *facts)
{
    json_t *found = json_object_get(facts, "subjects");
    assert_non_null(found);
    return found;
}

/* ---- counting ---- */

/* Three rows of two persons are two. */
static void k_counts_persons(void **unused)
{
    (void)unused;
    json_t *facts = anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2"}));
    const json_t *subjects = subjects_of(facts);
    assert_int_equal(whole(facts, "classes"), 3);
    assert_int_equal(whole(facts, "smallest_class"), 2);
    assert_int_equal(whole(subjects, "persons"), 6);
    assert_int_equal(whole(subjects, "several_rows"), 2);
    assert_int_equal(whole(subjects, "smallest_class"), 2);
    assert_rows("age,city,disease", "\"[20,22]\",Rome,cough", "\"[20,22]\",Rome,flu",
                "\"[20,22]\",Rome,flu", "\"[60,61]\",Bari,cough", "\"[60,61]\",Bari,flu",
                "\"[62,64]\",Bari,cough", "\"[62,64]\",Bari,cough", "\"[62,64]\",Bari,flu");
    json_decref(facts);
}

static const char names[] = "first,last,age,disease\n"
                            "ann,lee,20,flu\n"
                            "bob,lee,21,cough\n"
                            "ann,poe,22,flu\n"
                            "ann,lee,23,cough\n";

/* ann lee has two rows; ann poe and bob lee are others. */
static void several_columns_name_a_person(void **unused)
{
    (void)unused;
    const char *file = scratch_text("names.csv", names);
    json_t *facts = anonymize(file, SETTINGS({"subject", "first,last"}, {"quasi", "age"},
                                             {"sensitive", "disease"}, {"require", "k=3"}));
    assert_int_equal(whole(subjects_of(facts), "persons"), 3);
    assert_int_equal(whole(subjects_of(facts), "several_rows"), 1);
    json_decref(facts);
    use_new_folder(NULL);
    /* One of them may be generalized: the name is not published by it. */
    facts = anonymize(file, SETTINGS({"subject", "first,age"}, {"quasi", "age"}, {"drop", "last"},
                                     {"sensitive", "disease"}, {"require", "k=4"}));
    assert_int_equal(whole(subjects_of(facts), "persons"), 4);
    json_decref(facts);
    bauta_error error;
    use_new_folder(NULL);
    assert_refused(file,
                   SETTINGS({"subject", "first,disease"}, {"quasi", "age"}, {"drop", "last"},
                            {"sensitive", "disease"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "would be published as sensitive");
}

/* Equal identifiers stop the run until it is said what they mean. */
static void repeating_identifiers_stop(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file = scratch_text("names.csv", names);
    assert_refused(file,
                   SETTINGS({"identifier", "first,last"}, {"quasi", "age"},
                            {"sensitive", "disease"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "3 of 4 records share their value here");
    assert_string_equal(error.column, "first");
    assert_non_null(strstr(error.hint, "--subject none"));
    use_new_folder(NULL);
    json_t *facts =
        anonymize(file, SETTINGS({"identifier", "first,last"}, {"subject", "none"},
                                 {"quasi", "age"}, {"sensitive", "disease"}, {"require", "k=2"}));
    assert_null(json_object_get(facts, "subjects"));
    json_decref(facts);
}

/* By rows flu has two of three. */
static void alpha_is_a_share_of_persons(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file = scratch_text("flu.csv", "id,age,s\nann,20,flu\nann,21,flu\nbob,22,cough\n");
    assert_refused(file,
                   SETTINGS({"identifier", "id"}, {"subject", "none"}, {"quasi", "age"},
                            {"sensitive", "s"}, {"require", "k=2,alpha=0.5"}),
                   BAUTA_NO, &error, "'alpha=0.5'");
    json_t *facts = anonymize(file, SETTINGS({"subject", "id"}, {"quasi", "age"},
                                             {"sensitive", "s"}, {"require", "k=2,alpha=0.5"}));
    assert_int_equal(whole(facts, "classes"), 1);
    json_decref(facts);
}

static void too_few_persons_are_refused(void **unused)
{
    (void)unused;
    bauta_error error;
    assert_refused(write_visits(), SETTINGS(VISITS, {"require", "k=7"}), BAUTA_NO, &error,
                   "does not satisfy 'k=7'");
    assert_string_equal(error.hint, "the table has 6 persons, k is 7");
}

/* ann alone has two rows in one class, bob alone one in each of two, and cid shares a class with
 * nobody but bob; dan, eve and fay are alike. */
static void sequences_of_classes_tell_persons_apart(void **unused)
{
    (void)unused;
    json_t *facts = anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2"}));
    assert_int_equal(whole(subjects_of(facts), "told_apart"), 3);
    assert_true(json_is_false(json_object_get(subjects_of(facts), "together")));
    json_decref(facts);
}

/* ---- together ---- */

static void rows_of_a_person_stay_together(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"mondrian", "top-down"};
    for (size_t i = 0; i < 2; i++) {
        use_new_folder(NULL);
        json_t *facts = anonymize(write_visits(),
                                  SETTINGS(VISITS, {"require", "k=2"}, {"subject-rows", "together"},
                                           {"group", methods[i]}));
        const json_t *subjects = subjects_of(facts);
        assert_true(json_is_true(json_object_get(subjects, "together")));
        assert_null(json_object_get(subjects, "told_apart"));
        assert_int_equal(whole(facts, "classes"), i == 0 ? 3 : 2);
        json_decref(facts);
    }
}

/* ---- what is published ---- */

static void the_identifier_is_never_published(void **unused)
{
    (void)unused;
    bt_buffer text = {0};
    json_decref(anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2"})));
    read_file(publish, "data.csv", &text);
    assert_null(strstr(text.bytes, "ann"));
    assert_null(strstr(text.bytes, "id"));
    read_file(publish, "manifest.json", &text);
    assert_null(strstr(text.bytes, "\"id\""));
    assert_non_null(strstr(text.bytes, "\"persons\": \"apart\""));
    assert_non_null(strstr(text.bytes, "may tell the person apart"));
    bt_buffer_release(&text);
}

/* ---- the audit ---- */

static json_t *audit_facts(const setting *settings, const char *original, bauta_status expected)
{
    bauta_error error;
    bauta_report *report = NULL;
    bauta_recipe *recipe = make_recipe(original, settings);
    bauta_status status = bauta_audit(publish, recipe, &report, &error);
    if (status != expected) fail_msg("%d %s", status, error.message);
    bauta_recipe_free(recipe);
    return take_facts(report);
}

static const json_t *finding(const json_t *facts, const char *promise)
{
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(facts, "findings"), i, one)
    {
        if (strcmp(json_string_value(json_object_get(one, "promise")), promise) == 0)
            return json_object_get(one, "holds");
    }
    fail_msg("no finding '%s'", promise);
    return NULL;
}

static void the_release_alone_does_not_say_who(void **unused)
{
    (void)unused;
    json_decref(anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2,alpha=0.5,p=2"})));
    json_t *facts = audit_facts(SETTINGS({NULL, NULL}), NULL, BAUTA_OK);
    assert_string_equal(json_string_value(finding(facts, "k=2")), "unverifiable");
    assert_string_equal(json_string_value(finding(facts, "alpha=0.5")), "unverifiable");
    assert_true(json_is_true(finding(facts, "p=2")));
    json_decref(facts);
    facts = audit_facts(SETTINGS({NULL, NULL}), write_visits(), BAUTA_OK);
    assert_string_equal(json_string_value(finding(facts, "k=2")), "unverifiable");
    json_decref(facts);
}

static void the_original_says_who(void **unused)
{
    (void)unused;
    json_decref(anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2,alpha=0.5,p=2"},
                                                   {"subject-rows", "together"})));
    json_t *facts = audit_facts(SETTINGS({"subject", "id"}), write_visits(), BAUTA_OK);
    assert_true(json_is_true(finding(facts, "k=2")));
    assert_true(json_is_true(finding(facts, "alpha=0.5")));
    assert_true(json_is_true(finding(facts, "p=2")));
    assert_true(json_is_true(finding(facts, "rows together")));
    json_decref(facts);
}

/* The words that follow from a manifest. */
static void put_words(json_t *manifest)
{
    bt_arena arena = {0};
    bt_manifest read;
    bauta_error error;
    char *text = json_dumps(manifest, 0);
    assert_non_null(text);
    assert_ok(bt_manifest_read(text, strlen(text), &arena, &read, &error), &error);
    bt_words words = test_words(&read, &arena);
    assert_int_equal(json_object_set_new(manifest, "protected", json_string(words.protects)), 0);
    assert_int_equal(
        json_object_set_new(manifest, "not_protected", json_string(words.not_protected)), 0);
    free(text);
    bt_arena_release(&arena);
}

/* A release that counted rows, whose manifest says that it counted persons. */
static void pretend(const char *persons)
{
    json_t *manifest = load_json(publish, "manifest.json");
    char path[400];
    assert_int_equal(json_object_set_new(manifest, "persons", json_string(persons)), 0);
    assert_int_equal(json_object_set_new(manifest, "counts", json_string("persons")), 0);
    put_words(manifest);
    snprintf(path, sizeof path, "%s/manifest.json", publish);
    assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
    json_decref(manifest);
}

static void too_few_persons_are_found(void **unused)
{
    (void)unused;
    const char *file = scratch_text("pairs.csv", "id,age,disease\nann,20,flu\nann,21,cough\n"
                                                 "bob,60,flu\nbob,61,cough\n");
    json_decref(
        anonymize(file, SETTINGS({"identifier", "id"}, {"subject", "none"}, {"quasi", "age"},
                                 {"sensitive", "disease"}, {"require", "k=2"})));
    pretend("together");
    json_t *facts = audit_facts(SETTINGS({NULL, NULL}), file, BAUTA_OK);
    assert_string_equal(json_string_value(finding(facts, "k=2")), "unverifiable");
    json_decref(facts);
    facts = audit_facts(SETTINGS({"subject", "id"}), file, BAUTA_NO);
    assert_true(json_is_false(finding(facts, "k=2")));
    assert_true(json_is_true(finding(facts, "rows together")));
    json_decref(facts);
}

/* A release that counts rows is judged by persons too, if the original says who they are. */
static void rows_that_pass_for_persons_are_found(void **unused)
{
    (void)unused;
    const char *file = scratch_text("pairs.csv", "id,age,disease\nann,20,flu\nann,21,cough\n"
                                                 "bob,60,flu\nbob,61,cough\n");
    const char *single = scratch_text("single.csv", "id,age,disease\nann,20,flu\nbob,21,cough\n"
                                                    "cid,60,flu\ndan,61,cough\n");
    json_decref(
        anonymize(file, SETTINGS({"identifier", "id"}, {"subject", "none"}, {"quasi", "age"},
                                 {"sensitive", "disease"}, {"require", "k=2,p=2"})));
    json_t *facts = audit_facts(SETTINGS({NULL, NULL}), file, BAUTA_OK);
    assert_true(json_is_true(finding(facts, "k=2")));
    json_decref(facts);
    facts = audit_facts(SETTINGS({"subject", "id"}), file, BAUTA_NO);
    assert_true(json_is_true(finding(facts, "k=2")));
    assert_true(json_is_false(finding(facts, "k=2 by persons")));
    assert_true(json_is_true(finding(facts, "p=2 by persons")));
    json_decref(facts);
    facts = audit_facts(SETTINGS({"subject", "id"}), single, BAUTA_OK);
    assert_true(json_is_true(finding(facts, "k=2 by persons")));
    json_decref(facts);
    facts = audit_facts(SETTINGS({"subject", "id"}),
                        scratch_text("other.csv", "id,age,disease\nann,20,flu\nbob,21,cough\n"
                                                  "cid,30,flu\ndan,61,cough\n"),
                        BAUTA_NO);
    assert_string_equal(json_string_value(finding(facts, "persons")), "unverifiable");
    json_decref(facts);
}

/* Any of four records may be the rows of the first class, two of them of one person; the other
 * class has two persons that nobody else can be. */
static void whose_rows_they_are_may_be_open(void **unused)
{
    (void)unused;
    test_release release = {.columns = TEST_QUASI_INTEGER("age") "," TEST_SENSITIVE("disease"),
                            .data = "age,disease\n\"[3,5]\",flu\n\"[3,5]\",gout\n"
                                    "\"[1,9]\",flu\n\"[1,9]\",gout\n\"[1,9]\",cold\n"
                                    "\"[1,9]\",cough\n"};
    snprintf(publish, sizeof publish, "%s", test_release_write("open", &release));
    json_t *facts = audit_facts(SETTINGS({"subject", "id"}),
                                scratch_text("open.csv", "id,age,disease\nann,3,flu\nbob,3,flu\n"
                                                         "ann,3,gout\ncid,3,gout\ndan,8,cold\n"
                                                         "eve,8,cough\n"),
                                BAUTA_OK);
    assert_string_equal(json_string_value(finding(facts, "k=2 by persons")), "unverifiable");
    json_decref(facts);
}

static void torn_rows_are_found(void **unused)
{
    (void)unused;
    json_decref(anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2"})));
    pretend("together");
    json_t *facts = audit_facts(SETTINGS({"subject", "id"}), write_visits(), BAUTA_NO);
    assert_true(json_is_true(finding(facts, "k=2")));
    assert_true(json_is_false(finding(facts, "rows together")));
    json_decref(facts);
}

/* Fewer rows than persons are needed are too few whoever they are. */
static void too_few_rows_are_found_without_the_original(void **unused)
{
    (void)unused;
    json_decref(anonymize(write_visits(), SETTINGS(VISITS, {"require", "k=2"})));
    json_t *manifest = load_json(publish, "manifest.json");
    json_t *promise = json_array_get(json_object_get(manifest, "promises"), 0);
    char path[400];
    assert_int_equal(json_object_set_new(promise, "value", json_string("3")), 0);
    snprintf(path, sizeof path, "%s/manifest.json", publish);
    assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
    json_decref(manifest);
    json_t *facts = audit_facts(SETTINGS({NULL, NULL}), NULL, BAUTA_NO);
    assert_true(json_is_false(finding(facts, "k=3")));
    json_decref(facts);
}

/* A broken promise is found also where the original leaves open whose rows they are. */
static void too_few_rows_are_found_whoever_they_are(void **unused)
{
    (void)unused;
    const char *file = scratch_text("alike.csv", "id,age,disease\nann,20,flu\nbob,20,flu\n"
                                                 "cem,20,flu\nann,20,flu\n");
    json_decref(anonymize(file, SETTINGS({"subject", "id"}, {"quasi", "age"},
                                         {"sensitive", "disease"}, {"require", "k=3"})));
    char path[400];
    snprintf(path, sizeof path, "%s/data.csv", publish);
    FILE *data = fopen(path, "w");
    assert_non_null(data);
    fputs("age,disease\n20,flu\n20,flu\n20,flu\n\"[19,20]\",flu\n", data);
    assert_int_equal(fclose(data), 0);
    json_t *facts = audit_facts(SETTINGS({"subject", "id"}), file, BAUTA_NO);
    assert_true(json_is_false(finding(facts, "k=3")));
    json_decref(facts);
}

/* ---- classes that look alike ---- */

/* The two halves of group 1 satisfy, but share both persons, and as one class all have x. */
static void classes_that_share_persons_are_judged_again(void **unused)
{
    (void)unused;
    const char *file = scratch_text("shared.csv", "id,g,q,s\n"
                                                  "1,1,a,x\n2,1,b,y\n1,1,c,y\n2,1,d,x\n"
                                                  "3,2,a,z\n4,2,b,w\n5,2,c,z\n6,2,d,w\n");
    json_t *facts =
        anonymize(file, SETTINGS({"subject", "id"}, {"quasi", "g,q"}, {"sensitive", "s"},
                                 {"hierarchy", "q=flat"}, {"hierarchy", "g=flat"},
                                 {"require", "k=2,alpha=0.5"}));
    assert_int_equal(whole(facts, "classes"), 1);
    json_decref(facts);
}

/* ---- bad input ---- */

static void wrong_subjects_are_refused(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file = write_visits();
    assert_refused(
        file, SETTINGS({"subject", "name"}, {"quasi", "age"}, {"drop", "rest"}, {"require", "k=2"}),
        BAUTA_INVALID, &error, "no column 'name'");
    assert_refused(file,
                   SETTINGS({"subject-rows", "together"}, {"quasi", "age"}, {"drop", "rest"},
                            {"require", "k=2"}),
                   BAUTA_INVALID, &error, "needs a column that tells persons apart");
    assert_refused(
        file, SETTINGS({"subject", "id"}, {"quasi", "id"}, {"drop", "rest"}, {"require", "k=2"}),
        BAUTA_INVALID, &error, "names persons by itself and would be published as quasi");
    bauta_recipe *recipe = make_recipe(file, SETTINGS({"quasi", "id"}));
    assert_fails(bauta_recipe_set(recipe, "subject", "", &error), BAUTA_USAGE, &error,
                 "names no column");
    assert_fails(bauta_recipe_set(recipe, "subject-rows", "near", &error), BAUTA_USAGE, &error,
                 "apart|together");
    bauta_recipe_free(recipe);
}

/* Who is nobody must not be counted as somebody. */
static void records_without_a_person(void **unused)
{
    (void)unused;
    bauta_error error;
    const char *file = scratch_text("some.csv", "id,age\n7,20\n7,21\n,22\n8,23\n9,24\n");
    assert_refused(file, SETTINGS({"subject", "id"}, {"quasi", "age"}, {"require", "k=2"}),
                   BAUTA_INVALID, &error, "1 record does not say which person it is about");
    json_t *facts = anonymize(file, SETTINGS({"subject", "id"}, {"quasi", "age"},
                                             {"require", "k=2"}, {"missing", "drop"}));
    assert_int_equal(whole(facts, "published"), 4);
    assert_int_equal(whole(facts, "missing_dropped"), 1);
    assert_int_equal(whole(subjects_of(facts), "persons"), 3);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(k_counts_persons, use_new_folder),
        cmocka_unit_test_setup(several_columns_name_a_person, use_new_folder),
        cmocka_unit_test_setup(repeating_identifiers_stop, use_new_folder),
        cmocka_unit_test_setup(alpha_is_a_share_of_persons, use_new_folder),
        cmocka_unit_test_setup(too_few_persons_are_refused, use_new_folder),
        cmocka_unit_test_setup(sequences_of_classes_tell_persons_apart, use_new_folder),
        cmocka_unit_test_setup(rows_of_a_person_stay_together, use_new_folder),
        cmocka_unit_test_setup(the_identifier_is_never_published, use_new_folder),
        cmocka_unit_test_setup(the_release_alone_does_not_say_who, use_new_folder),
        cmocka_unit_test_setup(the_original_says_who, use_new_folder),
        cmocka_unit_test_setup(too_few_persons_are_found, use_new_folder),
        cmocka_unit_test_setup(rows_that_pass_for_persons_are_found, use_new_folder),
        cmocka_unit_test_setup(whose_rows_they_are_may_be_open, use_new_folder),
        cmocka_unit_test_setup(torn_rows_are_found, use_new_folder),
        cmocka_unit_test_setup(too_few_rows_are_found_without_the_original, use_new_folder),
        cmocka_unit_test_setup(too_few_rows_are_found_whoever_they_are, use_new_folder),
        cmocka_unit_test_setup(classes_that_share_persons_are_judged_again, use_new_folder),
        cmocka_unit_test_setup(wrong_subjects_are_refused, use_new_folder),
        cmocka_unit_test_setup(records_without_a_person, use_new_folder),
    };
    return cmocka_run_group_tests_name("subjects", tests, job_prepare, scratch_empty);
}
