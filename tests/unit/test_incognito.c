/* SPDX-License-Identifier: Apache-2.0
 *
 * Full-domain recoding from a table to a release: the examples of papers 1 and 3 that concern the
 * lattice, what is dropped and when, budgets, and local recoding. The search itself is compared
 * with exhaustive search in tests/oracle.
 */
#include "jobs.h"

#define INCOGNITO                                                                                  \
    {                                                                                              \
        "group", "incognito"                                                                       \
    }

/* private/lattice.csv has exactly these lines. */
static void assert_lattice(const char *expected)
{
    bt_buffer text = {0};
    read_file(out, "private/lattice.csv", &text);
    assert_string_equal(text.bytes, expected);
    bt_buffer_release(&text);
}

static int64_t level_of(const json_t *facts, const char *column)
{
    return whole(json_object_get(facts, "levels"), column);
}

static bool is_proven(const json_t *facts)
{
    const json_t *proven = json_object_get(json_object_get(facts, "lattice"), "proven");
    assert_true(json_is_boolean(proven));
    return json_is_true(proven);
}

/* ---- the papers ---- */

static void table_2_of_paper_1_is_the_only_minimal_node(void **unused)
{
    (void)unused;
    char job[300];
    snprintf(job, sizeof job, "job=%s",
             scratch_text("job.csv", "clerk;white-collar;*\n"
                                     "manager;white-collar;*\n"
                                     "factory worker;blue-collar;*\n"
                                     "technical supporter;blue-collar;*\n"));
    const char *table = scratch_text("raw.csv", "job,birth,postcode,illness\n"
                                                "clerk,1975,4350,HIV\n"
                                                "manager,1955,4350,flu\n"
                                                "clerk,1955,5432,flu\n"
                                                "factory worker,1955,5432,fever\n"
                                                "factory worker,1975,4350,flu\n"
                                                "technical supporter,1940,4350,fever\n");
    json_t *facts =
        anonymize(table, SETTINGS({"quasi", "job,birth,postcode"}, {"sensitive", "illness"},
                                  {"hierarchy", job}, {"hierarchy", "postcode=none"},
                                  {"require", "k=2,alpha=0.5"}, INCOGNITO));
    /* Birth and postcode have no hierarchy: a value or "*". */
    assert_rows("job,birth,postcode,illness", "*,*,4350,HIV", "*,*,4350,fever", "*,*,4350,flu",
                "*,*,4350,flu", "*,*,5432,fever", "*,*,5432,flu");
    assert_lattice("job,birth,postcode,height,classes,smallest_class,suppressed,ncp,"
                   "discernibility,distortion_ratio,minimal,chosen\n"
                   "2,1,0,3,2,2,0,0.666666667,20,0.75,yes,yes\n");
    assert_int_equal(level_of(facts, "job"), 2);
    assert_int_equal(level_of(facts, "birth"), 1);
    assert_int_equal(level_of(facts, "postcode"), 0);
    assert_int_equal(whole(json_object_get(facts, "lattice"), "nodes"), 12);
    assert_int_equal(whole(json_object_get(facts, "lattice"), "minimal"), 1);
    assert_true(is_proven(facts));
    json_decref(facts);
}

static const char *health_table(void)
{
    return scratch_text("health.csv", "age,country,zip,condition\n"
                                      "27,USA,14248,HIV\n"
                                      "28,Canada,14207,HIV\n"
                                      "26,USA,14246,Cancer\n"
                                      "25,Canada,14249,Cancer\n"
                                      "41,China,13053,Hepatitis\n"
                                      "48,Japan,13074,Phthisis\n"
                                      "45,India,13064,Asthma\n"
                                      "42,India,13062,Heart Disease\n"
                                      "33,USA,14242,Flu\n"
                                      "37,Canada,14204,Flu\n"
                                      "36,Canada,14205,Flu\n"
                                      "35,USA,14248,Indigestion\n");
}

#define HEALTH                                                                                     \
    {"quasi", "age,country,zip"}, {"sensitive", "condition"}, {"hierarchy", health.age},           \
        {"hierarchy", health.country}, {"hierarchy", "zip=mask"},                                  \
        {"categories", health.categories}, INCOGNITO

static struct {
    char age[300], country[300], categories[300];
} health;

static void make_health(void)
{
    snprintf(health.age, sizeof health.age, "age=%s",
             scratch_text("age.csv", "25;<30;*\n26;<30;*\n27;<30;*\n28;<30;*\n33;3*;*\n35;3*;*\n"
                                     "36;3*;*\n37;3*;*\n41;>40;*\n42;>40;*\n45;>40;*\n48;>40;*\n"));
    snprintf(health.country, sizeof health.country, "country=%s",
             scratch_text("country.csv", "USA;America;*\nCanada;America;*\nChina;Asia;*\n"
                                         "Japan;Asia;*\nIndia;Asia;*\n"));
    snprintf(health.categories, sizeof health.categories, "condition=%s",
             scratch_text("categories.csv", "HIV;One\nCancer;One\nPhthisis;Two\nHepatitis;Two\n"
                                            "Heart Disease;Three\nAsthma;Three\nFlu;Four\n"
                                            "Indigestion;Four\n"));
}

/* Node (1,1,2), two of whose classes fall within one category: eight of the twelve people. */
static void table_5_of_paper_3_is_a_minimal_node_open_to_the_similarity_attack(void **unused)
{
    (void)unused;
    make_health();
    json_t *facts = anonymize(health_table(), SETTINGS(HEALTH, {"require", "k=4,p=2"}));
    assert_int_equal(level_of(facts, "age"), 1);
    assert_int_equal(level_of(facts, "country"), 1);
    assert_int_equal(level_of(facts, "zip"), 2);
    assert_lattice("age,country,zip,height,classes,smallest_class,suppressed,ncp,discernibility,"
                   "distortion_ratio,similar_classes:condition,similar_records:condition,minimal,"
                   "chosen\n"
                   "1,1,2,4,3,4,0,0.448484848,48,0.444444444,2,8,yes,yes\n");
    json_decref(facts);
}

/* The same with categories: no class within one is left, at any minimal node. */
static void categories_exclude_the_similarity_attack(void **unused)
{
    (void)unused;
    make_health();
    json_t *facts =
        anonymize(health_table(), SETTINGS(HEALTH, {"require", "k=4,p-categories=2,weight=2"}));
    bt_buffer text = {0};
    size_t lines;
    read_file(out, "private/lattice.csv", &text);
    char **nodes = split_lines(&text, &lines);
    assert_int_equal(lines, whole(json_object_get(facts, "lattice"), "minimal") + 1);
    assert_true(lines > 1);
    for (size_t i = 1; i < lines; i++)
        assert_true(strstr(nodes[i], ",0,0,yes,yes") || strstr(nodes[i], ",0,0,yes,no"));
    free(nodes);
    bt_buffer_release(&text);
    json_decref(facts);
}

/* ---- levels ---- */

/* The missing value hangs directly under "*": it stays what it is until everything is "*". */
static void missing_value_stays_below_the_top(void **unused)
{
    (void)unused;
    const char *table = scratch_text("gaps.csv", "zip,s\n11,a\n12,b\n21,a\n22,b\n,a\n,b\n");
    json_t *facts =
        anonymize(table, SETTINGS({"quasi", "zip"}, {"sensitive", "s"}, {"hierarchy", "zip=mask"},
                                  {"require", "k=2"}, INCOGNITO));
    assert_int_equal(level_of(facts, "zip"), 1);
    assert_rows("zip,s", ",a", ",b", "1*,a", "1*,b", "2*,a", "2*,b");
    json_decref(facts);
}

static void levels_are_kept_within_their_limits(void **unused)
{
    (void)unused;
    const char *table = scratch_text("zips.csv", "zip,s\n111,a\n111,b\n112,a\n112,b\n211,a\n");
    bauta_error error;
    json_t *facts =
        anonymize(table, SETTINGS({"quasi", "zip"}, {"sensitive", "s"}, {"hierarchy", "zip=mask"},
                                  {"require", "alpha=1/2:b"}, {"min-level", "zip=2"}, INCOGNITO));
    assert_int_equal(level_of(facts, "zip"), 2);
    assert_int_equal(whole(json_object_get(facts, "lattice"), "nodes"), 2);
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    assert_refused(table,
                   SETTINGS({"quasi", "zip"}, {"sensitive", "s"}, {"hierarchy", "zip=mask"},
                            {"require", "k=2"}, {"max-level", "zip=2"}, INCOGNITO),
                   BAUTA_NO, &error, "at no level of the columns do all classes satisfy");
    assert_non_null(strstr(error.hint, "max-level"));
    facts = anonymize(table, SETTINGS({"quasi", "zip"}, {"sensitive", "s"},
                                      {"hierarchy", "zip=mask"}, {"require", "k=2"},
                                      {"max-level", "zip=2"}, {"suppress", "0.2"}, INCOGNITO));
    assert_int_equal(level_of(facts, "zip"), 0);
    assert_int_equal(whole(facts, "suppressed"), 1);
    json_decref(facts);
}

/* Two minimal nodes: "*" for r is one step, but a whole column; q needs two steps for half of one.
 */
static void objective_decides_between_minimal_nodes(void **unused)
{
    (void)unused;
    char tree[300];
    snprintf(tree, sizeof tree, "q=%s",
             scratch_text("q.csv", "a;m;t;*\nb;m;t;*\nc;n;t;*\nd;n;t;*\ne;o;u;*\nf;o;u;*\n"
                                   "g;p;u;*\nh;p;u;*\n"));
    const char *table = scratch_text("steps.csv", "q,r,s\na,1,x\na,2,x\nc,1,x\nc,2,x\n");
    static const struct {
        const char *group;
        int64_t q, r;
    } cases[] = {{"incognito:objective=ncp", 2, 0},
                 {"incognito:objective=height", 0, 1},
                 {"incognito:objective=distortion", 0, 1},
                 {"incognito:objective=classes", 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        json_t *facts = anonymize(table, SETTINGS({"quasi", "q,r"}, {"sensitive", "s"},
                                                  {"hierarchy", tree}, {"hierarchy", "r=flat"},
                                                  {"require", "k=2"}, {"group", cases[i].group}));
        assert_int_equal(whole(json_object_get(facts, "lattice"), "minimal"), 2);
        assert_int_equal(level_of(facts, "q"), cases[i].q);
        assert_int_equal(level_of(facts, "r"), cases[i].r);
        json_decref(facts);
        assert_int_equal(use_new_folder(NULL), 0);
    }
}

/* ---- dropping records ---- */

/* Four agree and one is alone: dropping it costs a whole row, "*" for all costs five. */
static void record_is_dropped_when_that_costs_less(void **unused)
{
    (void)unused;
    const char *table = scratch_text("alone.csv", "q,s\na,x\na,x\na,x\na,x\nb,x\n");
    const setting *without = SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=flat"},
                                      {"require", "k=2"}, INCOGNITO);
    json_t *facts = anonymize(table, without);
    assert_int_equal(level_of(facts, "q"), 1);
    assert_int_equal(whole(facts, "suppressed"), 0);
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    facts = anonymize(table, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=flat"},
                                      {"require", "k=2"}, {"suppress", "0.2"}, INCOGNITO));
    assert_int_equal(level_of(facts, "q"), 0);
    assert_int_equal(whole(facts, "suppressed"), 1);
    assert_float_equal(real(json_object_get(facts, "measures"), "ncp"), 0.2, 1e-6);
    assert_true(json_is_null(json_object_get(json_object_get(facts, "lattice"), "minimal")));
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    /* One record too few may be dropped. */
    facts = anonymize(table, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=flat"},
                                      {"require", "k=2"}, {"suppress", "0.19"}, INCOGNITO));
    assert_int_equal(level_of(facts, "q"), 1);
    json_decref(facts);
}

/* What classes are compared with is what is published: once b is gone, a and c are not like it. */
static void closeness_is_judged_among_what_is_left(void **unused)
{
    (void)unused;
    const char *table = scratch_text(
        "close.csv", "q,s\na,x\na,x\na,x\na,y\nc,x\nc,x\nc,x\nc,y\nb,y\nb,y\nb,y\nb,x\n");
    json_t *facts =
        anonymize(table, SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"hierarchy", "q=flat"},
                                  {"require", "t=0.2"}, {"suppress", "0.4"}, INCOGNITO));
    assert_int_equal(level_of(facts, "q"), 0);
    assert_int_equal(whole(facts, "suppressed"), 4);
    assert_rows("q,s", "a,x", "a,x", "a,x", "a,y", "c,x", "c,x", "c,x", "c,y");
    json_decref(facts);
}

/* ---- budgets ---- */

static void search_that_is_cut_short_says_so(void **unused)
{
    (void)unused;
    make_health();
    json_t *facts =
        anonymize(health_table(), SETTINGS(HEALTH, {"require", "k=4,p=2"}, {"nodes", "1"}));
    assert_false(is_proven(facts));
    assert_int_equal(whole(json_object_get(facts, "lattice"), "evaluated"), 1);
    assert_int_equal(level_of(facts, "age"), 2);
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    facts = anonymize(health_table(), SETTINGS(HEALTH, {"require", "k=4,p=2"}, {"nodes", "1000"}));
    assert_true(is_proven(facts));
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    /* However little time there is, at least one batch of nodes is tried, or nothing is found. */
    bauta_error error;
    bauta_status status =
        run(health_table(), SETTINGS(HEALTH, {"require", "k=4,p=2"}, {"time", "0.000001"}), &facts,
            &error);
    if (status == BAUTA_OK) {
        assert_false(is_proven(facts));
        json_decref(facts);
    } else {
        assert_int_equal(status, BAUTA_NO);
        assert_non_null(strstr(error.message, "in time"));
    }
}

/* Whether a line of lattice.csv, up to its classes, is one of `all`. */
static bool is_among(const char *line, char *const *all, size_t count)
{
    size_t length = 0;
    for (int commas = 0; commas < 3; length++)
        commas += line[length] == ',';
    for (size_t i = 1; i < count; i++)
        if (strncmp(line, all[i], length) == 0) return true;
    return false;
}

/* What a search that was cut calls minimal is so; of the rest it says that nothing is proven. */
static void minimal_nodes_are_proven(void **unused)
{
    (void)unused;
    bt_buffer whole_text = {0};
    size_t all, yes = 0, unproven = 0;
    char tree[300], table[300];
    snprintf(tree, sizeof tree, "q=%s",
             scratch_text("steep.csv", "a;m;t;*\nb;m;t;*\nc;n;t;*\nd;n;t;*\n"));
    /* (t,1) and (a,*): what is below the first is known to fail before the second is reached */
    snprintf(table, sizeof table, "%s",
             scratch_text("steep-rows.csv", "r,q,s\n1,a,x\n2,a,x\n1,c,x\n2,c,x\n"));
#define STEEP                                                                                      \
    {"quasi", "q,r"}, {"sensitive", "s"}, {"hierarchy", tree}, {"hierarchy", "r=flat"},            \
        {"require", "k=2"}, INCOGNITO
    json_decref(anonymize(table, SETTINGS(STEEP)));
    read_file(out, "private/lattice.csv", &whole_text);
    char **nodes = split_lines(&whole_text, &all);
    assert_true(all > 1);
    for (int budget = 1; budget < 12; budget++) {
        bt_buffer text = {0};
        char number[16];
        size_t lines, proven = 0;
        snprintf(number, sizeof number, "%d", budget);
        assert_int_equal(use_new_folder(NULL), 0);
        json_t *facts = anonymize(table, SETTINGS(STEEP, {"nodes", number}));
        read_file(out, "private/lattice.csv", &text);
        char **found = split_lines(&text, &lines);
        for (size_t i = 1; i < lines; i++) {
            bool minimal = strstr(found[i], ",yes,") != NULL;
            if (minimal) assert_true(is_among(found[i], nodes, all));
            proven += minimal;
            unproven += strstr(found[i], ",unproven,") != NULL;
        }
        assert_int_equal(whole(json_object_get(facts, "lattice"), "minimal"), proven);
        if (is_proven(facts))
            assert_int_equal(proven, all - 1);
        else
            yes += proven;
        free(found);
        bt_buffer_release(&text);
        json_decref(facts);
    }
    assert_true(yes > 0);
    assert_true(unproven > 0);
#undef STEEP
    free(nodes);
    bt_buffer_release(&whole_text);
}

/* Levels of persons say nothing of cells, which cover all rows of a person. */
static void levels_are_those_of_the_cells(void **unused)
{
    (void)unused;
    const char *table = scratch_text("persons.csv", "id,age,s\n1,20,a\n1,21,b\n2,20,a\n2,27,b\n"
                                                    "3,33,a\n3,34,b\n4,33,a\n4,39,b\n");
    char missing[400];
    json_t *facts = anonymize(
        table, SETTINGS({"identifier", "id"}, {"subject", "id"}, {"subject-rows", "together"},
                        {"quasi", "age"}, {"sensitive", "s"},
                        {"hierarchy", "age=intervals:2,10,20"}, {"require", "k=2"}, INCOGNITO));
    assert_rows("age,s", "20-29,a", "20-29,a", "20-29,b", "20-29,b", "30-39,a", "30-39,a",
                "30-39,b", "30-39,b");
    assert_int_equal(level_of(facts, "age"), 2);
    assert_false(is_proven(facts));
    assert_true(json_is_null(json_object_get(json_object_get(facts, "lattice"), "minimal")));
    snprintf(missing, sizeof missing, "%s/private/lattice.csv", out);
    assert_int_not_equal(access(missing, F_OK), 0);
    json_decref(facts);
}

/* ---- local recoding ---- */

/* Both pairs stay as they are; only what has no partner is generalized. */
static void local_recoding_generalizes_what_must_be(void **unused)
{
    (void)unused;
    const char *table = scratch_text("local.csv", "zip,s\n11,a\n11,b\n12,a\n12,b\n21,a\n22,b\n");
    json_t *facts =
        anonymize(table, SETTINGS({"quasi", "zip"}, {"sensitive", "s"}, {"hierarchy", "zip=mask"},
                                  {"require", "k=2"}, {"group", "incognito:local=yes"}));
    assert_rows("zip,s", "11,a", "11,b", "12,a", "12,b", "2*,a", "2*,b");
    assert_null(json_object_get(facts, "levels"));
    assert_false(is_proven(facts));
    json_decref(facts);
}

/* The record that is left joins where it costs least; where it may be dropped and that costs less,
 * it is. */
static void what_is_left_joins_or_is_dropped(void **unused)
{
    (void)unused;
    const char *table = scratch_text(
        "left.csv", "zip,sex,s\n11,m,a\n11,m,b\n11,m,a\n11,m,b\n11,m,a\n11,m,b\n12,m,a\n12,m,b\n"
                    "31,f,a\n");
#define LEFT(...)                                                                                  \
    SETTINGS({"quasi", "zip,sex"}, {"sensitive", "s"}, {"hierarchy", "zip=mask"},                  \
             {"hierarchy", "sex=flat"}, {"require", "k=2"}, {"group", "incognito:local=yes"},      \
             __VA_ARGS__)
    json_t *facts = anonymize(table, LEFT({"suppress", "0"}));
    assert_int_equal(whole(facts, "suppressed"), 0);
    assert_int_equal(whole(facts, "published"), 9);
    json_decref(facts);
    assert_int_equal(use_new_folder(NULL), 0);
    facts = anonymize(table, LEFT({"suppress", "0.2"}));
    assert_int_equal(whole(facts, "suppressed"), 1);
    assert_rows("zip,sex,s", "11,m,a", "11,m,a", "11,m,a", "11,m,b", "11,m,b", "11,m,b", "12,m,a",
                "12,m,b");
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(table_2_of_paper_1_is_the_only_minimal_node, use_new_folder),
        cmocka_unit_test_setup(table_5_of_paper_3_is_a_minimal_node_open_to_the_similarity_attack,
                               use_new_folder),
        cmocka_unit_test_setup(categories_exclude_the_similarity_attack, use_new_folder),
        cmocka_unit_test_setup(missing_value_stays_below_the_top, use_new_folder),
        cmocka_unit_test_setup(levels_are_kept_within_their_limits, use_new_folder),
        cmocka_unit_test_setup(objective_decides_between_minimal_nodes, use_new_folder),
        cmocka_unit_test_setup(record_is_dropped_when_that_costs_less, use_new_folder),
        cmocka_unit_test_setup(closeness_is_judged_among_what_is_left, use_new_folder),
        cmocka_unit_test_setup(search_that_is_cut_short_says_so, use_new_folder),
        cmocka_unit_test_setup(minimal_nodes_are_proven, use_new_folder),
        cmocka_unit_test_setup(levels_are_those_of_the_cells, use_new_folder),
        cmocka_unit_test_setup(local_recoding_generalizes_what_must_be, use_new_folder),
        cmocka_unit_test_setup(what_is_left_joins_or_is_dropped, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
