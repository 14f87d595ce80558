/* SPDX-License-Identifier: Apache-2.0
 *
 * What is learnt from a release being no more general than needed, from jobs that really ran: where
 * it succeeds, and what stops it.
 */
#define SCRATCH_IN_MEMORY
#include "../attacks.h"
#include "../jobs.h"

#define PRINT(text, ...)                                                                           \
    do {                                                                                           \
        bauta_error print_error_;                                                                  \
        assert_ok(bt_buffer_print((text), &print_error_, __VA_ARGS__), &print_error_);             \
    } while (0)

static const char *write_table(const char *name, bt_buffer *text)
{
    static char path[300];
    snprintf(path, sizeof path, "%s", scratch_write(name, text->bytes, text->length));
    bt_buffer_release(text);
    return path;
}

static const char *detail_of(const json_t *result)
{
    return json_string_value(json_object_get(result, "detail"));
}

static void assert_skipped(const char *file, const char *text)
{
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("all=yes"), true);
    const char *reason =
        json_string_value(json_object_get(find_result(report, "minimality", NULL), "skipped"));
    if (!reason || strcmp(reason, text) != 0) fail_msg("%s", reason ? reason : "it is tried");
    bauta_report_free(report);
}

/* ---- full-domain recoding ---- */

/* All 60 persons of q=1 have HIV, 40 of the 140 others: at the level of values q=1 fails. */
static const char *make_levels_table(void)
{
    bt_buffer text = {0};
    PRINT(&text, "q,s\n");
    for (int i = 0; i < 200; i++)
        PRINT(&text, "%d,%s\n", i < 60 ? 1 : 2, i < 100 ? "HIV" : i % 2 ? "flu" : "cold");
    return write_table("levels.csv", &text);
}

#define LEVELS                                                                                     \
    {"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=flat"},                                   \
    {                                                                                              \
        "require", "k=2,alpha=0.58:HIV"                                                            \
    }

/* Only if q=1 by itself has more than 58 % with HIV could the column not stay as it was. */
static void levels_tell_why(void **state)
{
    (void)state;
    const char *file = make_levels_table();
    json_decref(anonymize(file, SETTINGS(LEVELS, {"group", "incognito"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), false);
    const json_t *one = find_result(report, "minimality", NULL);
    assert_int_equal(outcome_of(one), 0);
    assert_true(rate_of(one, "worst") > 0.59 && rate_of(one, "worst") < 0.65);
    assert_string_equal(detail_of(one),
                        "60 claims beyond what is allowed, 60 of them true; 1 of 1 classes tried");
    bauta_report_free(report);
}

/* Coins make it likelier that nothing needed the level; fixed levels leave nothing to conclude. */
static void levels_by_coins_tell_nothing(void **state)
{
    (void)state;
    const char *file = make_levels_table();
    json_decref(anonymize(file, SETTINGS(LEVELS, {"group", "incognito:minimal=no"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    const json_t *one = find_result(report, "minimality", NULL);
    assert_int_equal(outcome_of(one), 1);
    assert_true(rate_of(one, "worst") < 0.55);
    assert_string_equal(detail_of(one),
                        "0 claims beyond what is allowed, 0 of them true; 1 of 1 classes tried");
    bauta_report_free(report);
    use_new_folder(NULL);
    json_decref(anonymize(file, SETTINGS(LEVELS, {"levels", "q=1"})));
    assert_skipped(file, "levels were fixed whatever the data are");
}

/* Several classes fail at the lower level, so nobody learns which would have to. */
static void many_reasons_are_none(void **state)
{
    (void)state;
    bt_buffer text = {0};
    PRINT(&text, "b,q,s\n");
    for (int i = 0; i < 1200; i++) /* of each b: 10 of q=1 have one value */
        PRINT(&text, "%d,%d,%s\n", i / 20, i % 20 < 10 ? 1 : 2, i % 20 < 10 ? "x" : "y");
    const char *file = write_table("reasons.csv", &text);
    json_decref(anonymize(file, SETTINGS({"quasi", "b,q"}, {"sensitive", "s"},
                                         {"require", "k=2,alpha=0.65"}, {"group", "incognito"},
                                         {"accept", "s"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    const json_t *one = find_result(report, "minimality", NULL);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 0);
    assert_true(strncmp(detail_of(one), "so many classes may fail at lower levels", 40) == 0);
    bauta_report_free(report);
}

/* Mondrian cuts ages 20-23 from 26-29, and both parts are published as 20-29: one class, of
 * which it only seems that it could not be divided. */
static void classes_made_one_tell_nothing(void **state)
{
    (void)state;
    bt_buffer text = {0};
    PRINT(&text, "age,s\n");
    for (int i = 0; i < 16; i++)
        PRINT(&text, "%d,%s\n", (i < 8 ? 20 : 26) + i % 4, i % 8 == 0 ? "y" : "x");
    const char *file = write_table("merged.csv", &text);
    json_t *facts = anonymize(file, SETTINGS({"quasi", "age"}, {"sensitive", "s"},
                                             {"hierarchy", "age=intervals:10"},
                                             {"require", "k=5,l=2"}, {"group", "mondrian"}));
    assert_int_equal(whole(facts, "classes"), 1);
    json_decref(facts);
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    const json_t *one = find_result(report, "minimality", NULL);
    assert_int_equal(json_integer_value(json_object_get(one, "tried")), 0);
    bauta_report_free(report);
}

/* Sizes alone are a reason. */
static void small_classes_tell_nothing(void **state)
{
    (void)state;
    const char *file =
        scratch_text("small.csv", "q,s\n1,a\n2,b\n2,b\n2,a\n2,c\n2,c\n2,b\n2,a\n2,b\n2,c\n");
    json_decref(anonymize(file, SETTINGS({"quasi", "q"}, {"sensitive", "s"},
                                         {"require", "k=3,alpha=0.5"}, {"group", "incognito"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    assert_string_equal(detail_of(find_result(report, "minimality", NULL)),
                        "at lower levels classes are too small; nothing to conclude from: members "
                        "are known of 1 of 1 classes");
    bauta_report_free(report);
}

/* Classes of eight: four of q=1, who all have x, and four of q=2; the last one has `rows` of them.
 */
static const char *replay_classes(int rows)
{
    static char said[200];
    bt_buffer text = {0};
    PRINT(&text, "b,q,s\n");
    for (int i = 0; i < 16 + rows; i++)
        PRINT(&text, "%d,%d,%s\n", i / 8, i % 8 < 4 ? 1 : 2, i % 8 < 4 ? "x" : i % 2 ? "y" : "z");
    const char *file = write_table("classes.csv", &text);
    json_t *facts =
        anonymize(file, SETTINGS({"quasi", "b,q"}, {"sensitive", "s"}, {"hierarchy", "b=flat"},
                                 {"hierarchy", "q=flat"}, {"require", "k=3,l=2"},
                                 {"group", "incognito"}, {"accept", "s"}));
    assert_int_equal(whole(facts, "classes"), 3);
    json_decref(facts);
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    snprintf(said, sizeof said, "%s", detail_of(find_result(report, "minimality", NULL)));
    bauta_report_free(report);
    return said;
}

/* Each class is looked at by itself, at the level at hand: of five one would stand alone, however
 * many of other classes have the same value. */
static void classes_are_looked_at_one_by_one(void **state)
{
    (void)state;
    assert_string_equal(replay_classes(5),
                        "at lower levels classes are too small; nothing to conclude from: members "
                        "are known of 3 of 3 classes");
    use_new_folder(NULL);
    assert_string_equal(replay_classes(8),
                        "0 claims beyond what is allowed, 0 of them true; 3 of 3 classes tried");
}

/* ---- categories and trees ---- */

enum { BLOCKS = 100 };

/* In each block two persons of q=1 with light diseases, and of q=2 three with light and two with
 * grave ones. That q=1 has one category is why the block is not divided. */
static const char *make_category_table(void)
{
    static const char *const values[] = {"flu", "cold", "flu", "cold", "cold", "HIV", "cancer"};
    bt_buffer text = {0};
    PRINT(&text, "block,q,s\n");
    for (int i = 0; i < BLOCKS * 7; i++)
        PRINT(&text, "%d,%d,%s\n", i / 7, i % 7 < 2 ? 1 : 2, values[i % 7]);
    return write_table("categories.csv", &text);
}

static void categories_tell_why(void **state)
{
    (void)state;
    char categories[300], file[300];
    snprintf(categories, sizeof categories, "s=%s",
             scratch_text("groups.csv", "HIV;grave\ncancer;grave\nflu;light\ncold;light\n"));
    snprintf(file, sizeof file, "%s", make_category_table());
    for (int coins = 0; coins < 2; coins++) {
        use_new_folder(NULL);
        json_decref(
            anonymize(file, SETTINGS({"quasi", "block,q"}, {"sensitive", "s"},
                                     {"categories", categories}, {"require", "k=2,p-categories=2"},
                                     {"group", coins ? "mondrian:minimal=no" : "mondrian"})));
        bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), coins);
        const json_t *one = find_result(report, "minimality", "categories");
        assert_int_equal(outcome_of(one), coins);
        if (!coins) assert_true(rate_of(one, "worst") > 0.9);
        if (!coins) assert_int_equal(json_integer_value(json_object_get(one, "tried")), 7 * BLOCKS);
        bauta_report_free(report);
    }
}

static void trees_are_replayed(void **state)
{
    (void)state;
    char tree[300], file[300];
    snprintf(tree, sizeof tree, "s=%s",
             scratch_text("tree.csv", "HIV;grave;*\ncancer;grave;*\nflu;light;*\ncold;light;*\n"));
    snprintf(file, sizeof file, "%s", make_category_table());
    json_decref(
        anonymize(file, SETTINGS({"quasi", "block,q"}, {"sensitive", "s"}, {"hierarchy", tree},
                                 {"require", "k=2,t=0.2:hierarchical"}, {"group", "mondrian"})));
    bauta_report *report = try_attacks(publish, file, ARGUMENTS("attack=minimality"), true);
    assert_true(rate_of(find_result(report, "minimality", NULL), "tried") > 0);
    bauta_report_free(report);
}

/* ---- where nothing can be concluded ---- */

static void excuses_are_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *group, *publish, *excuse;
    } cases[] = {
        {"anatomy:l=2", "two-tables",
         "the method looks at no quasi values: members of a class could be exchanged"},
        {"incognito:local=yes", "generalized",
         "with local=yes levels were the best for the records left then, which nobody knows"},
        {"cluster", "generalized",
         "the method divides around random records, and nobody knows where"},
    };
    const char *file = make_category_table();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        use_new_folder(NULL);
        json_decref(
            anonymize(file, SETTINGS({"quasi", "block,q"}, {"sensitive", "s"},
                                     {"require", "k=2,alpha=0.7"}, {"threads", "1"},
                                     {"group", cases[i].group}, {"publish", cases[i].publish})));
        assert_skipped(file, cases[i].excuse);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(levels_tell_why, use_new_folder),
        cmocka_unit_test_setup(levels_by_coins_tell_nothing, use_new_folder),
        cmocka_unit_test_setup(many_reasons_are_none, use_new_folder),
        cmocka_unit_test_setup(small_classes_tell_nothing, use_new_folder),
        cmocka_unit_test_setup(classes_are_looked_at_one_by_one, use_new_folder),
        cmocka_unit_test_setup(classes_made_one_tell_nothing, use_new_folder),
        cmocka_unit_test(categories_tell_why),
        cmocka_unit_test_setup(trees_are_replayed, use_new_folder),
        cmocka_unit_test(excuses_are_in_words),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
