/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole way with a public table: random people are anonymized by both methods and both joins,
 * with all kinds of columns. The audit finds nothing wrong with the original and the public table
 * at hand, answers contain those of the microdata, over all the space they are exact, measures are
 * those of a recount, and no key gets into what is published.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "questions.h"

enum { ROUNDS = 500, QUERIES = 12, PEOPLE = 90, FIELDS = 6 };

/* Numbers first, which may be targets. */
enum { AGE, PAY, ZIP, CITY, DAY, DISEASE };

static const char *const zips[] = {"01000", "01001", "01010", "01100", "02000", "11", "12", "0100"};
static const char *const cities[] = {"Bonn", "Kiel", "Ulm", "{x|", "a..b"};
static const char *const days[] = {"1999-12-31", "2000-01-01", "2000-01-31",
                                   "2000-02-01", "2001-05-05", "2010-10-10"};
static const char *const diseases[] = {"flu", "cold", "gout", "hiv"};

static const test_field fields[FIELDS] = {
    [AGE] = {.name = "age", .least = -3, .most = 25},
    [PAY] = {.name = "pay", .least = -3, .most = 5},
    [ZIP] = {.name = "zip", .texts = zips, .text_count = 8},
    [CITY] = {.name = "\"ci ty\"", .texts = cities, .text_count = 5},
    [DAY] = {.name = "day", .texts = days, .text_count = 6},
    [DISEASE] = {.name = "disease", .texts = diseases, .text_count = 4},
};

typedef struct world {
    test_value people[PEOPLE][FIELDS];
    int rows, all; /* the first `rows` are the microdata */
    bool drops;    /* some records are not published */
    bool values;   /* sensitive columns are published */
    char microdata[300], voters[300];
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- tables ---- */

static void print_value(bt_buffer *text, const test_value *value)
{
    bauta_error error;
    if (value->missing) return;
    if (value->text)
        assert_ok(bt_buffer_print(text, &error, "%s", value->text), &error);
    else
        assert_ok(bt_buffer_print(text, &error, "%lld", (long long)value->number), &error);
}

static void print_person(bt_buffer *text, const test_value *person, int number, bool whole)
{
    bauta_error error;
    assert_ok(bt_buffer_print(text, &error, "key%dyek", number), &error);
    for (int f = 0; f < FIELDS; f++) {
        if (!whole && (f == PAY || f == DISEASE)) continue;
        assert_ok(bt_buffer_print(text, &error, ","), &error);
        print_value(text, &person[f]);
    }
    assert_ok(bt_buffer_print(text, &error, "\n"), &error);
}

/* Texts must be known from the microdata, unless a tree has them. */
static bool is_known(const world *w, const test_value *value, int field)
{
    for (int i = 0; i < w->rows; i++) {
        const test_value *other = &w->people[i][field];
        if (other->missing == value->missing &&
            (other->missing || strcmp(other->text, value->text) == 0))
            return true;
    }
    return false;
}

static void make_people(world *w)
{
    int missing = below(w, 3) ? 0 : 12; /* in how many fields one is */
    w->rows = 8 + below(w, 22);
    w->all = w->rows + below(w, PEOPLE - w->rows);
    for (int i = 0; i < w->all; i++) {
        do {
            for (int f = 0; f < FIELDS; f++) {
                w->people[i][f] = test_literal(&fields[f], &w->random);
                if (missing && below(w, missing) == 0)
                    w->people[i][f] = (test_value){.missing = true};
            }
        } while (i >= w->rows &&
                 !(is_known(w, &w->people[i][CITY], CITY) && is_known(w, &w->people[i][ZIP], ZIP)));
    }
}

/* Some of the microdata are not in the public table. */
static void write_tables(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "id,age,pay,zip,ci ty,day,disease\n"), &error);
    for (int i = 0; i < w->rows; i++)
        print_person(&text, w->people[i], i, true);
    snprintf(w->microdata, sizeof w->microdata, "%s",
             scratch_write("microdata.csv", text.bytes, text.length));
    text.length = 0;
    assert_ok(bt_buffer_print(&text, &error, "id,age,zip,ci ty,day\n"), &error);
    for (int i = w->all; i-- > 0;)
        if (i >= w->rows || below(w, 4)) print_person(&text, w->people[i], i, false);
    snprintf(w->voters, sizeof w->voters, "%s",
             scratch_write("voters.csv", text.bytes, text.length));
    bt_buffer_release(&text);
}

/* ---- releases ---- */

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static void set_hierarchies(world *w, bauta_recipe *recipe)
{
    static const char *const specs[][4] = {
        {"age=intervals:5,10", "age=balanced:2", "age=flat", "age=mask"},
        {"zip=mask", "zip=balanced:3", "zip=mask", "zip=balanced:2"},
        {"ci ty=balanced:2", NULL, NULL, "ci ty=flat"},
        {"day=date", "day=intervals:30", "day=balanced:2", "day=date"},
    };
    static const char *const names[] = {"age", "zip", "ci ty", "day"};
    char given[300];
    for (size_t i = 0; i < 4; i++) {
        const char *spec = specs[i][below(w, 4)];
        snprintf(given, sizeof given, "ci ty=%s", scratch_name("cities.csv"));
        if (i != 1 && below(w, 2)) continue;
        set(recipe, "hierarchy", spec ? spec : given);
        snprintf(given, sizeof given, "%s=1", names[i]);
        if (below(w, 6) == 0) set(recipe, "min-level", given);
    }
}

static bauta_recipe *make_request(world *w)
{
    static const char *const requirements[] = {"k=2", "k=3", "k=2,p=2", "k=4,alpha=0.7"};
    static const char *const methods[] = {"mondrian:order=round-robin", "mondrian",
                                          "mondrian:cuts=order", "cluster", "cluster:merge=borrow"};
    static const char *const joins[] = {"refine", "refine:trim=safe", "refine:trim=paper", "direct",
                                        "direct:trim=safe"};
    bauta_recipe *recipe;
    bauta_error error;
    int join = below(w, 5);
    w->values = join < 3 ? below(w, 4) > 0 : below(w, 6) == 0;
    w->drops = below(w, 4) == 0;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", w->microdata);
    set(recipe, "public", w->voters);
    set(recipe, "key", "id");
    set(recipe, "quasi", "age,zip,ci ty,day");
    set(recipe, w->values ? "sensitive" : "drop", "pay,disease");
    set(recipe, "type", "zip=text");
    set(recipe, "joint", "none");
    set(recipe, "seed-file", seed_file);
    set(recipe, "threads", "2");
    set(recipe, "tmp", scratch_path);
    set(recipe, "keep-mapping", "yes");
    set(recipe, "require", requirements[below(w, w->values ? 4 : 2)]);
    set(recipe, "group", methods[below(w, 5)]);
    set(recipe, "join", joins[join]);
    if (w->drops) set(recipe, "missing", "drop");
    set_hierarchies(w, recipe);
    return recipe;
}

/* ---- what is asked of a release ---- */

static double number_at(const json_t *answer, const char *key, double none)
{
    const json_t *value = json_object_get(answer, key);
    return json_is_number(value) ? json_number_value(value) : none;
}

static void compare(const world *w, const test_question *question, const json_t *answer)
{
    test_result result = {0};
    int64_t top = 0, bottom = 1;
    for (int i = 0; i < w->rows; i++)
        if (test_matches(question, w->people[i]))
            test_take(&result, question->star ? 0 : w->people[i][question->target].number);
    if (w->drops && question->aggregate != BT_COUNT) return;
    if (!test_answer(&result, question->aggregate, &top, &bottom)) return;
    double truth = (double)top / (double)bottom;
    double lower = number_at(answer, "lower", -1e9), upper = number_at(answer, "upper", 1e9);
    if (lower > truth + 1e-9 || upper < truth - 1e-9) test_complain(question, "not contained");
    double estimate = number_at(answer, "estimate", truth);
    if (estimate < lower - 1e-9 || estimate > upper + 1e-9)
        test_complain(question, "the estimate is outside");
    if (question->always && question->star && !w->drops && (lower != truth || upper != truth))
        test_complain(question, "not exact over all the space");
}

static void ask_all(world *w, test_question *question)
{
    /* Without sensitive columns the questions are about the others. */
    static const test_field left[] = {{.name = "age", .least = -3, .most = 25}};
    bauta_release *release;
    bauta_error error;
    assert_ok(bauta_release_open(publish, NULL, &release, &error), &error);
    for (int i = 0; i < QUERIES; i++) {
        bauta_report *report = NULL;
        if (w->values)
            test_question_make(question, fields, FIELDS, ZIP, &w->random);
        else
            test_question_make(question, left, 1, 1, &w->random);
        if (bauta_release_query(release, question->text.bytes, &report, &error) != BAUTA_OK)
            test_complain(question, error.message);
        json_t *answer = take_facts(report);
        compare(w, question, answer);
        json_decref(answer);
    }
    bauta_release_free(release);
}

static void check_audit(const world *w)
{
    bauta_error error;
    bauta_report *report;
    bauta_recipe *recipe = make_recipe(
        w->microdata, (const setting[SETTINGS_MOST]){{"public", w->voters}, {"key", "id"}});
    bauta_status status = bauta_audit(publish, recipe, &report, &error);
    json_t *facts = take_facts(report);
    const json_t *findings = json_object_get(facts, "findings");
    for (size_t i = 0; status != BAUTA_OK && i < json_array_size(findings); i++) {
        const json_t *finding = json_array_get(findings, i);
        if (json_is_false(json_object_get(finding, "holds")))
            fail_msg("%s: %s", json_string_value(json_object_get(finding, "promise")),
                     json_string_value(json_object_get(finding, "detail")));
    }
    assert_ok(status, &error);
    json_decref(facts);
    bauta_recipe_free(recipe);
}

/* Those of the report of the run, and those that `measure` finds from the files. */
static void check_measures(const world *w, const json_t *run_facts)
{
    bauta_error error;
    bauta_report *report;
    const char *const releases[] = {publish};
    bauta_recipe *recipe = make_recipe(w->microdata, (const setting[SETTINGS_MOST]){{0}});
    assert_ok(bauta_measure(releases, 1, recipe, &report, &error), &error);
    json_t *facts = take_facts(report);
    const json_t *there = json_object_get(run_facts, "join"),
                 *here = json_object_get(facts, "join");
    assert_int_equal(json_is_object(there), json_is_object(here));
    if (there && !w->drops) {
        assert_int_equal(whole(there, "discernibility"), whole(here, "discernibility"));
        assert_float_equal(real(there, "ncp"), real(here, "ncp"), 1e-5);
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
}

static bool has_table(void)
{
    char file[400];
    snprintf(file, sizeof file, "%s/sensitive.csv", publish);
    return access(file, F_OK) == 0;
}

static void check_keys(void)
{
    static const char *const names[] = {"manifest.json", "data.csv", "sensitive.csv"};
    bt_buffer text = {0};
    for (size_t i = 0; i < (has_table() ? 3 : 2); i++) {
        read_file(publish, names[i], &text);
        assert_null(strstr(text.bytes, "yek"));
    }
    bt_buffer_release(&text);
}

static void releases_are_what_they_promise(void **state)
{
    world w = {.random = 8};
    test_question question = {0};
    bauta_error error;
    int made = 0, asked = 0;
    scratch_text("cities.csv", "Bonn;N\nKiel;N\nUlm;S\n{x|;S\na..b;T\n");
    for (int round = 0; round < ROUNDS; round++) {
        make_people(&w);
        write_tables(&w);
        bauta_recipe *recipe = make_request(&w);
        bauta_report *report = NULL;
        use_new_folder(state);
        bauta_status status = bauta_anonymize(recipe, out, &report, &error);
        if (status != BAUTA_OK && status != BAUTA_NO)
            fail_msg("%s (%s)", error.message, error.hint);
        bauta_recipe_free(recipe);
        if (status != BAUTA_OK) continue;
        json_t *facts = take_facts(report);
        check_keys();
        if (json_object_get(facts, "join")) check_audit(&w);
        check_measures(&w, facts);
        if (has_table()) {
            ask_all(&w, &question);
            asked++;
        }
        json_decref(facts);
        made++;
    }
    assert_true(made > ROUNDS / 2);
    assert_true(asked > ROUNDS / 4);
    bt_buffer_release(&question.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_are_what_they_promise),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
