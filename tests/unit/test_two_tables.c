/* SPDX-License-Identifier: Apache-2.0
 *
 * Publishing in two tables: Tables 4 to 7 of paper 1, what is in which file, orders and numbers
 * that lead nowhere, and what is refused.
 */
#define SCRATCH_IN_MEMORY
#include "../jobs.h"

enum { ROWS_MOST = 64, FIELD_MOST = 80 };

/* ---- the two files ---- */

typedef struct pair { /* records without line ends inside; the class is a number */
    char quasi_header[FIELD_MOST], sensitive_header[FIELD_MOST];
    char quasi[ROWS_MOST][FIELD_MOST];     /* without the class */
    char sensitive[ROWS_MOST][FIELD_MOST]; /* without the class */
    unsigned quasi_class[ROWS_MOST], sensitive_class[ROWS_MOST];
    size_t rows;
} pair;

static void read_pair(pair *to)
{
    bt_buffer text = {0};
    size_t count, again;
    read_file(publish, "quasi.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_in_range(count, 1, ROWS_MOST);
    to->rows = count - 1;
    snprintf(to->quasi_header, FIELD_MOST, "%s", lines[0]);
    for (size_t i = 0; i < to->rows; i++) {
        char *comma = strrchr(lines[i + 1], ',');
        *comma = '\0';
        snprintf(to->quasi[i], FIELD_MOST, "%s", lines[i + 1]);
        assert_int_equal(sscanf(comma + 1, "%u", &to->quasi_class[i]), 1);
    }
    free(lines);
    read_file(publish, "sensitive.csv", &text);
    lines = split_lines(&text, &again);
    assert_int_equal(count, again);
    snprintf(to->sensitive_header, FIELD_MOST, "%s", lines[0]);
    for (size_t i = 0; i < to->rows; i++) {
        assert_int_equal(sscanf(lines[i + 1], "%u", &to->sensitive_class[i]), 1);
        snprintf(to->sensitive[i], FIELD_MOST, "%s", strchr(lines[i + 1], ',') + 1);
    }
    free(lines);
    bt_buffer_release(&text);
}

static int compare_fields(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* ---- Tables 4 to 7 of paper 1 ---- */

static const char table_1[] = "Name,Job,Birth,Postcode,Illness\n"
                              "A,clerk,1975,4350,HIV\n"
                              "B,manager,1955,4350,flu\n"
                              "C,clerk,1955,5432,flu\n"
                              "D,factory worker,1955,5432,fever\n"
                              "E,factory worker,1975,4350,flu\n"
                              "F,technical supporter,1940,4350,fever\n";

/* Which class of Table 4 a row is in, by what makes it unique there. */
static unsigned class_in_table_4(const char *quasi)
{
    static const char *const rows[] = {"clerk,1975,4350",          "manager,1955,4350",
                                       "clerk,1955,5432",          "factory worker,1955,5432",
                                       "factory worker,1975,4350", "technical supporter,1940,4350"};
    for (unsigned i = 0; i < 6; i++)
        if (strcmp(rows[i], quasi) == 0) return i / 2 + 1;
    fail_msg("'%s' is not in Table 4", quasi);
    return 0;
}

static const char table_7[][FIELD_MOST] = {
    "clerk,1955,5432,fever,2",
    "clerk,1955,5432,flu,2",
    "clerk,1975,4350,HIV,1",
    "clerk,1975,4350,flu,1",
    "factory worker,1955,5432,fever,2",
    "factory worker,1955,5432,flu,2",
    "factory worker,1975,4350,fever,3",
    "factory worker,1975,4350,flu,3",
    "manager,1955,4350,HIV,1",
    "manager,1955,4350,flu,1",
    "technical supporter,1940,4350,fever,3",
    "technical supporter,1940,4350,flu,3",
};

/* Joins the files; classes get the numbers that they have in the paper. */
static size_t join(const pair *p, const unsigned *number, char (*to)[FIELD_MOST])
{
    size_t joined = 0;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t j = 0; j < p->rows; j++)
            if (p->quasi_class[i] == p->sensitive_class[j])
                assert_true(snprintf(to[joined++], FIELD_MOST, "%s,%s,%u", p->quasi[i],
                                     p->sensitive[j], number[p->quasi_class[i]]) < FIELD_MOST);
    qsort(to, joined, FIELD_MOST, compare_fields);
    return joined;
}

static void tables_4_to_7_of_paper_1(void **state)
{
    (void)state;
    static char joined[ROWS_MOST][FIELD_MOST];
    char job[300];
    pair p;
    unsigned number[4] = {0};
    snprintf(job, sizeof job, "Job=%s",
             scratch_text("job.csv", "clerk;white-collar;*\n"
                                     "manager;white-collar;*\n"
                                     "factory worker;blue-collar;*\n"
                                     "technical supporter;blue-collar;*\n"));
    const char *input = scratch_text("table1.csv", table_1);
    json_t *facts = anonymize(
        input,
        SETTINGS({"identifier", "Name"}, {"quasi", "Job,Birth,Postcode"}, {"sensitive", "Illness"},
                 {"hierarchy", job}, {"hierarchy", "Birth=flat"}, {"hierarchy", "Postcode=flat"},
                 {"require", "k=2,alpha=0.5"}, {"group", "top-down"}, {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "classes"), 3);
    const json_t *measures = json_object_get(facts, "measures");
    assert_true(real(measures, "ncp") == 0);
    /* The size of the join: the sum of squared class sizes. */
    assert_int_equal(whole(measures, "discernibility"), 12);
    json_decref(facts);
    read_pair(&p);
    assert_string_equal(p.quasi_header, "Job,Birth,Postcode,class");
    assert_string_equal(p.sensitive_header, "class,Illness");
    assert_int_equal(p.rows, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_in_range(p.quasi_class[i], 1, 3);
        unsigned paper = class_in_table_4(p.quasi[i]);
        assert_true(number[p.quasi_class[i]] == 0 || number[p.quasi_class[i]] == paper);
        number[p.quasi_class[i]] = paper;
    }
    assert_int_equal(join(&p, number, joined), 12);
    assert_memory_equal(joined, table_7, sizeof table_7);
}

/* ---- what is in which file ---- */

static void values_are_undisturbed(void **state)
{
    (void)state;
    pair p;
    bt_buffer text = {0};
    const char *input = scratch_text("kinds.csv", "id,s,age,visits,city,pay,t\n"
                                                  "a,flu,030,1,*,1.50,x\n"
                                                  "b,cold,31,02,[1],+2,y\n"
                                                  "c,NA,32,3,,-0.0,x\n"
                                                  "d,flu,33,?,{a|b},4,y\n");
    json_decref(anonymize(input, SETTINGS({"identifier", "id"}, {"quasi", "age,city,pay"},
                                          {"sensitive", "s,t"}, {"other", "visits"},
                                          {"require", "k=4"}, {"publish", "two-tables"},
                                          {"unique-limit", "1"}, {"type", "age=integer"})));
    read_pair(&p);
    assert_string_equal(p.quasi_header, "age,visits,city,pay,class");
    assert_string_equal(p.sensitive_header, "class,s,t");
    qsort(p.quasi, 4, FIELD_MOST, compare_fields);
    qsort(p.sensitive, 4, FIELD_MOST, compare_fields);
    assert_string_equal(p.quasi[0], "30,1,*,1.5");
    assert_string_equal(p.quasi[1], "31,02,[1],2");
    assert_string_equal(p.quasi[2], "32,3,,0");
    assert_string_equal(p.quasi[3], "33,,{a|b},4");
    assert_string_equal(p.sensitive[0], ",x");
    assert_string_equal(p.sensitive[1], "cold,y");
    assert_string_equal(p.sensitive[2], "flu,x");
    assert_string_equal(p.sensitive[3], "flu,y");
    json_t *manifest = load_json(publish, "manifest.json");
    const char *remark = json_string_value(json_object_get(manifest, "remark"));
    assert_non_null(strstr(remark, "each row of quasi.csv and each row of sensitive.csv is one "
                                   "record of the original"));
    const char *open = json_string_value(json_object_get(manifest, "not_protected"));
    assert_non_null(strstr(open, "Anyone can see who is in the table"));
    assert_non_null(strstr(open, "presence and identity are not protected"));
    json_decref(manifest);
    bt_buffer_release(&text);
}

/* A column that has the name gets to keep it. */
static void the_class_has_a_name_of_its_own(void **state)
{
    (void)state;
    pair p;
    const char *input = scratch_text("names.csv", "class,class_2,s\n1,1,x\n1,2,y\n3,4,x\n3,5,y\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "class,class_2"}, {"sensitive", "s"},
                                          {"require", "k=2"}, {"publish", "two-tables"})));
    read_pair(&p);
    assert_string_equal(p.quasi_header, "class,class_2,class_3");
    assert_string_equal(p.sensitive_header, "class_3,s");
    use_new_folder(NULL);
    /* What is not published has no name to keep. */
    json_decref(
        anonymize(input, SETTINGS({"quasi", "class_2"}, {"sensitive", "s"}, {"drop", "class"},
                                  {"require", "k=2"}, {"publish", "two-tables"})));
    read_pair(&p);
    assert_string_equal(p.quasi_header, "class_2,class");
}

/* The owner's mapping has the numbers of the release. */
static void the_mapping_leads_to_the_classes(void **state)
{
    (void)state;
    pair p;
    bt_buffer text = {0};
    size_t count;
    char private_folder[300];
    const char *input =
        scratch_text("eight.csv", "age,s\n1,a\n2,b\n3,a\n4,b\n5,a\n6,b\n7,a\n8,b\n");
    json_decref(anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"},
                                          {"publish", "two-tables"}, {"keep-mapping", "yes"})));
    read_pair(&p);
    snprintf(private_folder, sizeof private_folder, "%s/private", out);
    read_file(private_folder, "mapping.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_int_equal(count, 9);
    for (size_t i = 1; i < count; i++) {
        char row[16];
        unsigned number;
        assert_int_equal(sscanf(lines[i], "%15[0-9],%u", row, &number), 2);
        for (size_t j = 0; j < p.rows; j++) /* the age is the row */
            if (strcmp(p.quasi[j], row) == 0) assert_int_equal(p.quasi_class[j], number);
    }
    free(lines);
    bt_buffer_release(&text);
}

/* Trees and categories of sensitive values are there for those who check. */
static void requirements_of_every_kind(void **state)
{
    (void)state;
    char tree[300], categories[300];
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,s\n"), &error);
    for (int i = 0; i < 60; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%c\n", i, "abcd"[i % 4]), &error);
    const char *input = scratch_write("kinds.csv", text.bytes, text.length);
    snprintf(tree, sizeof tree, "s=%s", scratch_text("tree.csv", "a;u;*\nb;u;*\nc;v;*\nd;v;*\n"));
    snprintf(categories, sizeof categories, "s=%s",
             scratch_text("categories.csv", "a;one\nb;one\nc;two\nd;two\n"));
    static const char *const required[] = {"k=4,alpha=0.5,p=2",  "l=3",
                                           "entropy-l=2",        "recursive-l=2:1.5",
                                           "t=0.3:hierarchical", "p-categories=2",
                                           "k=2,weight=1",       "k=2,alpha=0.3:a|b"};
    for (size_t i = 0; i < sizeof required / sizeof *required; i++) {
        use_new_folder(NULL);
        json_t *facts =
            anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"hierarchy", tree},
                                      {"categories", categories}, {"require", required[i]},
                                      {"publish", "two-tables"}));
        assert_in_range(whole(facts, "classes"), 2, 30);
        json_decref(facts);
    }
    bt_buffer_release(&text);
}

static void dropped_rows_are_in_neither_file(void **state)
{
    (void)state;
    pair p;
    const char *input =
        scratch_text("gaps.csv", "age,n,s\n1,1,a\n,2,b\n1,3,c\n9,4,d\n9,5,e\n9,6,\n");
    json_t *facts = anonymize(input, SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"other", "n"},
                                              {"require", "k=2"}, {"publish", "two-tables"},
                                              {"missing", "drop"}, {"unique-limit", "1"}));
    assert_int_equal(whole(facts, "published"), 4);
    assert_int_equal(whole(facts, "missing_dropped"), 2);
    json_decref(facts);
    read_pair(&p);
    qsort(p.quasi, p.rows, FIELD_MOST, compare_fields);
    qsort(p.sensitive, p.rows, FIELD_MOST, compare_fields);
    static const char *const quasi[] = {"1,1", "1,3", "9,4", "9,5"};
    static const char *const sensitive[] = {"a", "c", "d", "e"};
    assert_int_equal(p.rows, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(p.quasi[i], quasi[i]);
        assert_string_equal(p.sensitive[i], sensitive[i]);
    }
    json_t *manifest = load_json(publish, "manifest.json");
    assert_int_equal(whole(manifest, "dropped_rows"), 2);
    json_decref(manifest);
}

static void suppressed_rows_too(void **state)
{
    (void)state;
    pair p;
    const char *input = scratch_text("lonely.csv", "zip,s\n1,a\n1,b\n1,c\n1,d\n2,e\n");
    json_t *facts =
        anonymize(input, SETTINGS({"quasi", "zip"}, {"sensitive", "s"}, {"hierarchy", "zip=flat"},
                                  {"max-level", "zip=0"}, {"require", "k=2"}, {"suppress", "0.2"},
                                  {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "suppressed"), 1);
    json_decref(facts);
    read_pair(&p);
    assert_int_equal(p.rows, 4);
    for (size_t i = 0; i < 4; i++)
        assert_string_equal(p.quasi[i], "1");
}

/* Persons are counted by the grouping; the files do not tell them, the original does. */
static void persons_with_several_rows(void **state)
{
    (void)state;
    bauta_error error;
    bauta_report *report;
    const char *input = scratch_text("visits.csv", "who,age,s\np,1,a\np,2,b\nq,1,b\nq,2,a\n"
                                                   "r,3,c\nr,4,d\nt,3,d\nt,4,c\n");
    const setting *settings = SETTINGS(
        {"identifier", "who"}, {"subject", "who"}, {"subject-rows", "together"}, {"quasi", "age"},
        {"sensitive", "s"}, {"require", "k=2"}, {"publish", "two-tables"});
    json_decref(anonymize(input, settings));
    bauta_recipe *recipe = make_recipe(input, settings);
    assert_ok(bauta_audit(publish, recipe, &report, &error), &error);
    bauta_recipe_free(recipe);
    json_t *facts = take_facts(report);
    const json_t *first = json_array_get(json_object_get(facts, "findings"), 0);
    assert_string_equal(json_string_value(json_object_get(first, "promise")), "k=2");
    assert_true(json_is_true(json_object_get(first, "holds")));
    json_decref(facts);
}

/* ---- orders and numbers ---- */

/* Makes a release of an experiment. */
static void publish_with(unsigned seed, const char *input, const char *require, pair *to)
{
    bauta_error error;
    char hex[16];
    snprintf(hex, sizeof hex, "%x", seed + 1);
    use_folder("seeded");
    const setting settings[SETTINGS_MOST] = {
        {"seed", hex},        {"quasi", "age"},          {"sensitive", "s"},
        {"require", require}, {"publish", "two-tables"}, {"threads", "1"},
        {"force", "yes"}};
    assert_ok(run(input, settings, NULL, &error), &error);
    read_pair(to);
}

static bool is_sorted(const unsigned *classes, size_t count)
{
    bool up = true, down = true;
    for (size_t i = 1; i < count; i++) {
        up &= classes[i - 1] <= classes[i];
        down &= classes[i - 1] >= classes[i];
    }
    return up || down;
}

/* Where chance would often sort four rows, or make both files alike, another order is drawn. */
static void small_tables_are_never_sorted(void **state)
{
    (void)state;
    pair p;
    const char *input = scratch_text("four.csv", "age,s\n1,a\n2,b\n8,a\n9,b\n");
    for (unsigned seed = 0; seed < 120; seed++) {
        publish_with(seed, input, "k=2", &p);
        assert_int_equal(p.rows, 4);
        assert_false(is_sorted(p.quasi_class, 4));
        assert_false(is_sorted(p.sensitive_class, 4));
        assert_memory_not_equal(p.quasi_class, p.sensitive_class, 4 * sizeof(unsigned));
    }
}

/* Pairing line i with line i finds a record as often as chance does: once in a release. And every
 * class has every number, and every record is on every line, about equally often. */
static void lines_and_numbers_lead_nowhere(void **state)
{
    (void)state;
    enum { RECORDS = 12, SEEDS = 400 };
    pair p;
    bt_buffer text = {0};
    bauta_error error;
    unsigned linked = 0, numbered[RECORDS][5] = {{0}}, placed[RECORDS][RECORDS] = {{0}};
    assert_ok(bt_buffer_print(&text, &error, "age,s\n"), &error);
    for (unsigned i = 0; i < RECORDS; i++)
        assert_ok(bt_buffer_print(&text, &error, "%u,v%u\n", i, i), &error);
    const char *input = scratch_write("twelve.csv", text.bytes, text.length);
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        publish_with(seed, input, "k=3", &p);
        assert_int_equal(p.rows, RECORDS);
        for (unsigned line = 0; line < RECORDS; line++) {
            unsigned record, value;
            assert_int_equal(sscanf(p.quasi[line], "%u", &record), 1);
            assert_int_equal(sscanf(p.sensitive[line], "v%u", &value), 1);
            assert_in_range(p.quasi_class[line], 1, 4);
            linked += record == value;
            numbered[record][p.quasi_class[line]]++;
            placed[record][line]++;
        }
    }
    assert_in_range(linked, SEEDS - 6 * 20, SEEDS + 6 * 20); /* six standard deviations */
    for (unsigned i = 0; i < RECORDS; i++) {
        for (unsigned number = 1; number <= 4; number++)
            assert_in_range(numbered[i][number], 48, 152);
        for (unsigned line = 0; line < RECORDS; line++)
            assert_in_range(placed[i][line], 4, 70);
    }
    bt_buffer_release(&text);
}

/* ---- what cannot be ---- */

static void what_cannot_be_kept_is_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("some.csv", "age,s\n1,a\n2,b\n3,c\n4,d\n");
    assert_refused(input,
                   SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "alpha=0.5:a"},
                            {"publish", "two-tables"}),
                   BAUTA_NO, &error, "2 of 3 classes are of one person");
    assert_string_equal(error.hint, "require k=2 or more");
    assert_refused(input,
                   SETTINGS({"quasi", "age,s"}, {"require", "k=2"}, {"publish", "two-tables"}),
                   BAUTA_INVALID, &error, "there is no sensitive column to publish apart");
    assert_refused(input,
                   SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"},
                            {"hierarchy", "age=balanced:2"}, {"min-level", "age=1"},
                            {"publish", "two-tables"}),
                   BAUTA_INVALID, &error, "'min-level' cannot be kept");
    assert_string_equal(error.column, "age");
    assert_refused(input,
                   SETTINGS({"quasi", "age"}, {"sensitive", "s"}, {"require", "k=2"},
                            {"publish", "two-tables:sensitive=both"}),
                   BAUTA_INVALID, &error, "'two-tables' has no option 'sensitive'");
}

/* Several rows of one person are one person too. */
static void a_class_of_one_person_is_refused(void **state)
{
    (void)state;
    bauta_error error;
    const char *input = scratch_text("one.csv", "who,age,s\np,1,a\np,1,b\nq,9,a\nr,9,b\n");
    assert_refused(input,
                   SETTINGS({"identifier", "who"}, {"subject", "who"}, {"quasi", "age"},
                            {"sensitive", "s"}, {"require", "p=2"}, {"publish", "two-tables"}),
                   BAUTA_NO, &error, "1 of 2 classes are of one person");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(tables_4_to_7_of_paper_1, use_new_folder),
        cmocka_unit_test_setup(values_are_undisturbed, use_new_folder),
        cmocka_unit_test_setup(the_class_has_a_name_of_its_own, use_new_folder),
        cmocka_unit_test_setup(the_mapping_leads_to_the_classes, use_new_folder),
        cmocka_unit_test_setup(requirements_of_every_kind, use_new_folder),
        cmocka_unit_test_setup(dropped_rows_are_in_neither_file, use_new_folder),
        cmocka_unit_test_setup(suppressed_rows_too, use_new_folder),
        cmocka_unit_test_setup(persons_with_several_rows, use_new_folder),
        cmocka_unit_test(small_tables_are_never_sorted),
        cmocka_unit_test(lines_and_numbers_lead_nowhere),
        cmocka_unit_test_setup(what_cannot_be_kept_is_refused, use_new_folder),
        cmocka_unit_test_setup(a_class_of_one_person_is_refused, use_new_folder),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
