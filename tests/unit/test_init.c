/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_init, bauta_describe and bauta_hierarchy on files: what is guessed, whether the recipe
 * loads and runs as it is, and what is told of tables of every size.
 */
#include "scratch.h"

#include "recipe/recipe.h"
#include "report/report.h"

#include <fcntl.h>

static bauta_error error;

static bauta_recipe *recipe_for(const char *file)
{
    bauta_recipe *recipe;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "input", file, &error), &error);
    assert_ok(bauta_recipe_set(recipe, "threads", "2", &error), &error);
    assert_ok(bauta_recipe_set(recipe, "unique-limit", "1", &error), &error);
    return recipe;
}

/* The recipe that init writes for a file, loaded again; the caller frees it. */
static bauta_recipe *guessed_with(const char *file, const char *header, char **text)
{
    bauta_recipe *asked = recipe_for(file), *made;
    bauta_report *report;
    if (header) assert_ok(bauta_recipe_set(asked, "header", header, &error), &error);
    assert_ok(bauta_init(asked, &report, &error), &error);
    assert_ok(bauta_report_text(report, text, &error), &error);
    bauta_report_free(report);
    bauta_recipe_free(asked);
    const char *path = scratch_text("recipe.yaml", *text);
    assert_ok(bauta_recipe_new(&made, &error), &error);
    assert_ok(bauta_recipe_load(made, path, &error), &error);
    return made;
}

static bauta_recipe *guessed(const char *file, char **text)
{
    return guessed_with(file, NULL, text);
}

static const bt_column_recipe *column_of(const bauta_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->column_count; i++)
        if (strcmp(recipe->columns[i].name, name) == 0) return &recipe->columns[i];
    fail_msg("no column '%s'", name);
    return NULL;
}

static void assert_role(const bauta_recipe *recipe, const char *name, bt_role role)
{
    if (column_of(recipe, name)->role != role)
        fail_msg("'%s' is %s, not %s", name, bt_role_name(column_of(recipe, name)->role),
                 bt_role_name(role));
}

static void assert_holds(const char *text, const char *part)
{
    if (!strstr(text, part)) fail_msg("'%s' is not in\n%s", part, text);
}

/* ---- a typical table ---- */

enum { PATIENTS = 400 };

static const char *write_patients(void)
{
    static char text[PATIENTS * 200];
    static const char *const jobs[] = {"baker", "nurse", "teacher", "smith"};
    uint64_t random = 3;
    size_t used = (size_t)snprintf(text, sizeof text,
                                   "patient_id,name,age,sex,zip,born,job,job_number,ward_id,bmi,"
                                   "disease,income,notes,site,flag,contact,empty\n");
    for (int i = 0; i < PATIENTS; i++) {
        int job = (int)test_below(&random, 4);
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "%d,Person %d,%d,%s,%05d,%d-%02d-%02d,%s,%d,%d,%d.%d,%s,%d,"
            "saw the doctor %d times and was told to come again,A,%s,p%d@example.org,\n",
            1000 + i, i, 18 + (int)test_below(&random, 70), i % 2 ? "f" : "m",
            1000 + (int)test_below(&random, 300), 1940 + (int)test_below(&random, 60),
            1 + (int)test_below(&random, 12), 1 + (int)test_below(&random, 28), jobs[job], 10 + job,
            1 + (int)test_below(&random, 3), 18 + (int)test_below(&random, 20),
            (int)test_below(&random, 10), i % 3 ? "flu" : "cold",
            1000 * (1 + (int)test_below(&random, 9)), i, i % 7 ? "yes" : "no", i);
    }
    return scratch_write("patients.csv", text, used);
}

static void a_typical_table_is_understood(void **state)
{
    (void)state;
    char *text;
    bauta_recipe *made = guessed(write_patients(), &text);
    assert_role(made, "patient_id", BT_ROLE_IDENTIFIER);
    assert_role(made, "name", BT_ROLE_IDENTIFIER);
    assert_role(made, "age", BT_ROLE_QUASI);
    assert_role(made, "sex", BT_ROLE_QUASI);
    assert_role(made, "zip", BT_ROLE_QUASI);
    assert_role(made, "born", BT_ROLE_QUASI);
    assert_role(made, "job", BT_ROLE_QUASI);
    assert_role(made, "job_number", BT_ROLE_DROPPED);
    assert_role(made, "ward_id", BT_ROLE_QUASI);
    assert_role(made, "bmi", BT_ROLE_SENSITIVE);
    assert_role(made, "disease", BT_ROLE_SENSITIVE);
    assert_role(made, "income", BT_ROLE_SENSITIVE);
    assert_role(made, "notes", BT_ROLE_DROPPED);
    assert_role(made, "site", BT_ROLE_OTHER);
    assert_role(made, "flag", BT_ROLE_QUASI);
    assert_role(made, "contact", BT_ROLE_IDENTIFIER);
    assert_role(made, "empty", BT_ROLE_DROPPED);
    assert_string_equal(column_of(made, "age")->hierarchy.spec, "intervals:5,10,20");
    assert_string_equal(column_of(made, "zip")->hierarchy.spec, "mask");
    assert_string_equal(column_of(made, "born")->hierarchy.spec, "date");
    assert_false(column_of(made, "sex")->has_hierarchy);
    assert_int_equal(column_of(made, "age")->type, BT_INTEGER);
    assert_int_equal(column_of(made, "ward_id")->type, BT_TEXT);
    assert_holds(text, "same as column 'job'");
    assert_holds(text, "require: k=5\n");
    assert_holds(text, "group: mondrian\n");
    assert_holds(text, "publish: generalized\n");
    assert_ok(bauta_anonymize(made, scratch_name("patients-out"), NULL, &error), &error);
    bauta_text_free(text);
    bauta_recipe_free(made);
}

static void no_value_of_the_data_is_repeated(void **state)
{
    (void)state;
    char *text;
    bauta_recipe *made = guessed(write_patients(), &text);
    static const char *const values[] = {"Person", "baker", "flu", "@example", "told to come"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_null(strstr(text, values[i]));
    bauta_text_free(text);
    bauta_recipe_free(made);
}

static void given_roles_and_requests_stay(void **state)
{
    (void)state;
    bauta_recipe *asked = recipe_for(write_patients()), *made;
    bauta_report *report;
    char *text;
    static const char *const keys[][2] = {
        {"other", "age"},   {"quasi", "notes"},    {"hierarchy", "notes=flat"},
        {"require", "k=7"}, {"suppress", "1/20"},  {"missing", "drop"},
        {"delimiter", ","}, {"encoding", "utf-8"}, {"missing-values", "none,-"},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_ok(bauta_recipe_set(asked, keys[i][0], keys[i][1], &error), &error);
    assert_ok(bauta_init(asked, &report, &error), &error);
    assert_ok(bauta_report_text(report, &text, &error), &error);
    assert_ok(bauta_recipe_new(&made, &error), &error);
    assert_ok(bauta_recipe_load(made, scratch_text("given.yaml", text), &error), &error);
    assert_role(made, "age", BT_ROLE_OTHER);
    assert_role(made, "notes", BT_ROLE_QUASI);
    assert_string_equal(column_of(made, "notes")->hierarchy.spec, "flat");
    assert_string_equal(made->require, "k=7");
    assert_int_equal(made->suppress.bottom, 20);
    assert_true(made->missing_drop);
    assert_int_equal(made->missing_values.count, 2);
    bauta_text_free(text);
    bauta_report_free(report);
    bauta_recipe_free(asked);
    bauta_recipe_free(made);
}

/* What init groups by when this is required. */
static void assert_grouped(const char *require, const char *sensitive, const char *group)
{
    static const char table[] =
        "age,sex,disease,job\n1,f,flu,a\n2,m,flu,b\n3,f,cold,a\n4,m,cold,b\n";
    bauta_recipe *asked = recipe_for(scratch_text("few.csv", table)), *made;
    bauta_report *report;
    char *text;
    assert_ok(bauta_recipe_set(asked, "require", require, &error), &error);
    assert_ok(bauta_recipe_set(asked, "sensitive", sensitive, &error), &error);
    assert_ok(bauta_recipe_set(asked, "subject", "none", &error), &error);
    assert_ok(bauta_init(asked, &report, &error), &error);
    assert_ok(bauta_report_text(report, &text, &error), &error);
    assert_ok(bauta_recipe_new(&made, &error), &error);
    assert_ok(bauta_recipe_load(made, scratch_text("grouped.yaml", text), &error), &error);
    assert_string_equal(made->group, group);
    bauta_text_free(text);
    bauta_report_free(report);
    bauta_recipe_free(asked);
    bauta_recipe_free(made);
}

/* Where requirements are about values, the method has a proven bound if it can. */
static void replays_are_bounded(void **state)
{
    (void)state;
    assert_grouped("k=2", "disease", "mondrian");
    assert_grouped("k=2,l=2", "disease", "mondrian:minimal=4");
    assert_grouped("k=2,l=2", "disease,job", "mondrian");
}

/* ---- columns that lead back to people ---- */

/* What init writes runs as it is; what it dropped can be kept by saying so. */
static void what_singles_out_is_dropped(void **state)
{
    (void)state;
    static char table[60000];
    size_t used =
        (size_t)snprintf(table, sizeof table, "age,city,household,disease,income,rooms\n");
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(table + used, sizeof table - used, "%d,town%d,%d,%s,%d,%d\n",
                                 20 + i % 50, i % 7 ? i % 10 : 100 + i, i % 6,
                                 i % 3 ? "flu" : "cold", 1000 + i, i % 6 + 2);
    bauta_recipe *asked = recipe_for(scratch_text("people.csv", table)), *made;
    bauta_report *report;
    char *text;
    static const char *const keys[][2] = {{"unique-limit", "0.05"},
                                          {"quasi", "age,city,household"},
                                          {"sensitive", "disease,income"},
                                          {"other", "rooms"}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_ok(bauta_recipe_set(asked, keys[i][0], keys[i][1], &error), &error);
    for (int accept = 0; accept < 2; accept++) {
        if (accept) assert_ok(bauta_recipe_set(asked, "accept", "income,rooms", &error), &error);
        assert_ok(bauta_init(asked, &report, &error), &error);
        assert_ok(bauta_report_text(report, &text, &error), &error);
        bauta_report_free(report);
        assert_ok(bauta_recipe_new(&made, &error), &error);
        assert_ok(bauta_recipe_load(made, scratch_text("runs.yaml", text), &error), &error);
        assert_role(made, "income", accept ? BT_ROLE_SENSITIVE : BT_ROLE_DROPPED);
        assert_role(made, "rooms", accept ? BT_ROLE_OTHER : BT_ROLE_DROPPED);
        assert_role(made, "disease", BT_ROLE_SENSITIVE);
        assert_string_equal(column_of(made, "city")->hierarchy.spec, "flat");
        assert_int_equal(made->accept.count, 2 * accept);
        if (!accept) {
            assert_holds(text, "makes 100 %");
            assert_holds(text, "accept:");
            assert_holds(text, "would tell");
        }
        bauta_text_free(text);
        assert_ok(bauta_anonymize(made, scratch_name(accept ? "kept" : "dropped"), NULL, &error),
                  &error);
        bauta_recipe_free(made);
    }
    bauta_recipe_free(asked);
}

/* ---- files of all kinds ---- */

/* Who is a person is guessed from what repeats; the recipe runs as it is. */
static void persons_are_guessed(void **unused)
{
    (void)unused;
    static const struct {
        const char *header, *row; /* of record i: i, then i / 2, i % 9 and i */
        const char *subject;      /* NULL: nothing is said */
    } cases[] = {
        {"encounter_id,patient_nbr,age,x", "%d,%d,%d,a%d", "patient_nbr"},
        {"patient_id,surname,age,x", "%d,s%d,%d,a%d", "none"},
        {"encounter_id,surname,age,x", "%d,s%d,%d,a%d", "surname"},
        {"firstname,surname,age,x", "f%d,s%d,%d,a%d", "none"},
        {"patient_id,height,age,x", "%d,%d,%d,a%d", NULL},
        {"score,email,age,x", "%d,p%d@example.org,%d,a%d", "email"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[8000], *made;
        size_t used = (size_t)snprintf(text, sizeof text, "%s\n", cases[c].header);
        for (int i = 0; i < 100; i++) {
            used +=
                (size_t)snprintf(text + used, sizeof text - used, cases[c].row, i, i / 2, i % 9, i);
            used += (size_t)snprintf(text + used, sizeof text - used, "\n");
        }
        const char *file = scratch_text("persons.csv", text);
        bauta_recipe *recipe = guessed(file, &made);
        const char *subject = cases[c].subject;
        bool none = subject && strcmp(subject, "none") == 0;
        assert_int_equal(recipe->subject_none, none);
        assert_int_equal(recipe->subject.count, subject && !none);
        if (subject && !none) assert_string_equal(recipe->subject.items[0], subject);
        bauta_report *report;
        assert_ok(bauta_preview(recipe, NULL, &report, &error), &error);
        bauta_report_free(report);
        bauta_text_free(made);
        bauta_recipe_free(recipe);
    }
}

static void encoding_delimiter_and_decimal_comma_are_found(void **state)
{
    (void)state;
    char *text, table[8000];
    size_t used = (size_t)snprintf(table, sizeof table,
                                   "gr\xf6\xdf"
                                   "e;einkommen;ort;region\n");
    for (int i = 0; i < 100; i++)
        used += (size_t)snprintf(table + used, sizeof table - used, "1,%d;%s;K\xf6ln %d;%d\n",
                                 60 + i % 30,
                                 i % 9 == 0 ? "-"
                                 : i % 2    ? "2000"
                                            : "3000",
                                 i % 4, i % 5);
    bauta_recipe *made = guessed(scratch_write("latin.csv", table, used), &text);
    assert_true(made->has_encoding);
    assert_int_equal(made->encoding, BT_LATIN1);
    assert_int_equal(made->delimiter, ';');
    assert_true(made->decimal_comma);
    assert_int_equal(made->missing_values.count, 3);
    assert_string_equal(made->missing_values.items[2], "-");
    assert_int_equal(column_of(made, "größe")->type, BT_DECIMAL);
    assert_int_equal(column_of(made, "einkommen")->type, BT_INTEGER);
    assert_role(made, "einkommen", BT_ROLE_SENSITIVE);
    assert_ok(bauta_anonymize(made, scratch_name("latin-out"), NULL, &error), &error);
    bauta_text_free(text);
    bauta_recipe_free(made);
}

static void hostile_column_names_survive(void **state)
{
    (void)state;
    static const char *const names[] = {
        "a:b",         "say \"hi\"", "#x",      "- d", "ünï",  "new\nline", "it's",
        "null",        "rest",       "*",       "? q", "k: v", "a=b",       "a,b",
        "back\\slash", "\x01",       "\u202ex", "12",  "[z]",  "same #c",
    };
    enum { NAMES = sizeof names / sizeof *names };
    bt_buffer table = {0};
    for (int row = 0; row < 41; row++)
        for (int i = 0; i < NAMES; i++) {
            char value[2] = {(char)('a' + row * (i + 3) / 5 % 3), '\0'};
            const char *field = row == 0 ? names[i] : value;
            assert_ok(bt_buffer_print(&table, &error, "%s\"", i ? "," : ""), &error);
            for (const char *p = field; *p; p++)
                assert_ok(bt_buffer_print(&table, &error, *p == '"' ? "\"\"" : "%c", *p), &error);
            assert_ok(bt_buffer_print(&table, &error, i + 1 == NAMES ? "\"\n" : "\""), &error);
        }
    char *text;
    bauta_recipe *made =
        guessed_with(scratch_write("hostile: \"#\n'.csv", table.bytes, table.length), "yes", &text);
    assert_int_equal(made->column_count, NAMES);
    for (int i = 0; i < NAMES; i++)
        assert_string_equal(made->columns[i].name, names[i]);
    assert_ok(bauta_anonymize(made, scratch_name("hostile-out"), NULL, &error), &error);
    bt_buffer_release(&table);
    bauta_text_free(text);
    bauta_recipe_free(made);
}

static json_t *described(const char *file, const char *quasi, bauta_report **report)
{
    bauta_recipe *asked = recipe_for(file);
    if (quasi) assert_ok(bauta_recipe_set(asked, "quasi", quasi, &error), &error);
    assert_ok(bauta_describe(asked, report, &error), &error);
    bauta_recipe_free(asked);
    return (*report)->facts.root;
}

static int64_t number(const json_t *at, const char *key)
{
    assert_true(json_is_integer(json_object_get(at, key)));
    return json_integer_value(json_object_get(at, key));
}

static void empty_and_tiny_tables_have_answers(void **state)
{
    (void)state;
    static const char *const tables[] = {"age,sex\n", "age,sex\n7,f\n", "age,sex\n7,f\n7,f\n9,m\n"};
    for (int rows = 0; rows < 3; rows++) {
        const char *file = scratch_text("tiny.csv", tables[rows]);
        bauta_report *report;
        char *text;
        const json_t *facts = described(file, NULL, &report);
        assert_int_equal(number(facts, "rows"), rows == 2 ? 3 : rows);
        const json_t *quasi = json_object_get(facts, "quasi");
        assert_int_equal(number(quasi, "unique"), rows > 0);
        assert_int_equal(number(quasi, "smallest_class"), rows > 0);
        assert_int_equal(number(quasi, "classes"), rows);
        bauta_report_free(report);
        bauta_recipe *made = guessed(file, &text);
        assert_role(made, "age", BT_ROLE_QUASI);
        assert_int_equal(made->missing_values.count, 2);
        bauta_text_free(text);
        if (rows == 2)
            assert_ok(bauta_anonymize(made, scratch_name("tiny-out"), NULL, &error), &error);
        bauta_recipe_free(made);
    }
}

static void thousands_of_columns_are_described(void **state)
{
    (void)state;
    enum { COLUMNS = 3000 };
    bt_buffer table = {0};
    char *text;
    for (int row = 0; row < 31; row++)
        for (int i = 0; i < COLUMNS; i++)
            assert_ok(bt_buffer_print(&table, &error, row ? "%d%s" : "age %d%s",
                                      row ? i * row % 7 : i, i + 1 == COLUMNS ? "\n" : ","),
                      &error);
    const char *file = scratch_write("wide.csv", table.bytes, table.length);
    bauta_report *report;
    const json_t *facts = described(file, NULL, &report);
    assert_int_equal(json_array_size(json_object_get(facts, "columns")), COLUMNS);
    assert_true(json_array_size(json_object_get(facts, "notes")) > 0);
    bauta_report_free(report);
    bauta_recipe_free(guessed(file, &text));
    bauta_text_free(text);
    bt_buffer_release(&table);
}

/* ---- describe ---- */

static void describe_counts_and_names_what_singles_out(void **state)
{
    (void)state;
    const char *file = scratch_text("d.csv", "a,b,c\n1,x,\n1,y,\n2,x,u\n2,y,NA\n3,x,?\n3,x,v\n");
    bauta_report *report;
    const json_t *facts = described(file, "a,b", &report);
    const json_t *a = json_array_get(json_object_get(facts, "columns"), 0);
    const json_t *c = json_array_get(json_object_get(facts, "columns"), 2);
    assert_string_equal(json_string_value(json_object_get(a, "name")), "a");
    assert_string_equal(json_string_value(json_object_get(a, "type")), "integer");
    assert_string_equal(json_string_value(json_object_get(a, "role")), "quasi");
    assert_int_equal(number(a, "distinct"), 3);
    assert_int_equal(number(a, "unique"), 0);
    assert_int_equal(number(c, "distinct"), 2);
    assert_int_equal(number(c, "missing"), 4);
    assert_int_equal(number(c, "unique"), 2);
    assert_string_equal(json_string_value(json_object_get(c, "role")), "none");
    const json_t *quasi = json_object_get(facts, "quasi");
    assert_int_equal(number(quasi, "classes"), 5);
    assert_int_equal(number(quasi, "unique"), 4);
    assert_int_equal(number(quasi, "smallest_class"), 1);
    const json_t *sets = json_object_get(facts, "singling_out");
    assert_int_equal(json_array_size(sets), 1);
    assert_int_equal(number(json_array_get(sets, 0), "unique"), 4);
    assert_int_equal(json_array_size(json_object_get(json_array_get(sets, 0), "columns")), 2);
    bauta_report_free(report);
}

/* ---- hierarchy ---- */

static void a_hierarchy_is_shown_written_and_read_again(void **state)
{
    (void)state;
    bauta_recipe *asked = recipe_for(write_patients());
    bauta_report *report;
    const char *file = scratch_name("age.csv");
    assert_ok(bauta_hierarchy(asked, "age", file, &report, &error), &error);
    const json_t *facts = report->facts.root;
    assert_int_equal(number(facts, "levels"), 5);
    assert_int_equal(json_array_size(json_object_get(facts, "per_level")), 5);
    assert_string_equal(json_string_value(json_object_get(facts, "hierarchy")),
                        "intervals:5,10,20");
    assert_string_equal(json_string_value(json_object_get(facts, "written")), file);
    int64_t nodes = number(facts, "nodes");
    bauta_report_free(report);
    assert_fails(bauta_hierarchy(asked, "age", file, &report, &error), BAUTA_USAGE, &error,
                 "exists");
    assert_ok(bauta_recipe_set(asked, "force", "yes", &error), &error);
    assert_ok(bauta_hierarchy(asked, "age", file, NULL, &error), &error);
    char spec[300];
    snprintf(spec, sizeof spec, "age=%s", file);
    assert_ok(bauta_recipe_set(asked, "hierarchy", spec, &error), &error);
    assert_ok(bauta_hierarchy(asked, "age", NULL, &report, &error), &error);
    assert_int_equal(number(report->facts.root, "nodes"), nodes);
    bauta_report_free(report);
    assert_ok(bauta_hierarchy(asked, "ward_id", NULL, &report, &error), &error);
    assert_string_equal(json_string_value(json_object_get(report->facts.root, "hierarchy")),
                        "flat");
    bauta_report_free(report);
    bauta_recipe_free(asked);
}

static void mistakes_are_errors(void **state)
{
    (void)state;
    bauta_recipe *asked = recipe_for(write_patients());
    bauta_report *report = (bauta_report *)asked;
    assert_fails(bauta_hierarchy(asked, "agee", NULL, &report, &error), BAUTA_INVALID, &error,
                 "'agee'");
    assert_null(report);
    assert_holds(error.hint, "'age'");
    assert_ok(bauta_recipe_set(asked, "hierarchy", "disease=intervals:5", &error), &error);
    assert_fails(bauta_hierarchy(asked, "disease", NULL, &report, &error), BAUTA_INVALID, &error,
                 "intervals");
    assert_null(strstr(error.message, "flu"));
    assert_fails(bauta_hierarchy(asked, "age", "/no/such/folder/x", NULL, &error), BAUTA_SYSTEM,
                 &error, "/no/such/folder/x");
    bauta_recipe_free(asked);
    asked = recipe_for(scratch_name("not there.csv"));
    assert_fails(bauta_init(asked, &report, &error), BAUTA_INVALID, &error, "not there.csv");
    assert_fails(bauta_describe(asked, &report, &error), BAUTA_INVALID, &error, "not there.csv");
    bauta_recipe_free(asked);
    assert_int_equal(bauta_init(NULL, &report, &error), BAUTA_USAGE);
    assert_int_equal(bauta_describe(NULL, &report, &error), BAUTA_USAGE);
    assert_int_equal(bauta_hierarchy(NULL, "x", NULL, &report, &error), BAUTA_USAGE);
    assert_ok(bauta_recipe_new(&asked, &error), &error);
    assert_int_equal(bauta_init(asked, &report, &error), BAUTA_USAGE);
    bauta_recipe_free(asked);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_typical_table_is_understood),
        cmocka_unit_test(no_value_of_the_data_is_repeated),
        cmocka_unit_test(given_roles_and_requests_stay),
        cmocka_unit_test(replays_are_bounded),
        cmocka_unit_test(persons_are_guessed),
        cmocka_unit_test(what_singles_out_is_dropped),
        cmocka_unit_test(encoding_delimiter_and_decimal_comma_are_found),
        cmocka_unit_test(hostile_column_names_survive),
        cmocka_unit_test(empty_and_tiny_tables_have_answers),
        cmocka_unit_test(thousands_of_columns_are_described),
        cmocka_unit_test(describe_counts_and_names_what_singles_out),
        cmocka_unit_test(a_hierarchy_is_shown_written_and_read_again),
        cmocka_unit_test(mistakes_are_errors),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
