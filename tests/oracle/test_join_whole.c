/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole way with a public table: random people are anonymized by both methods and both joins,
 * with all kinds of columns. The audit finds nothing wrong with the original and the public table
 * at hand, answers contain those of the microdata, over all the space they are exact, measures are
 * those of a recount, and no key gets into what is published.
 */
#define SCRATCH_IN_MEMORY
#include "town.h"

enum { ROUNDS = 500, QUERIES = 12, PEOPLE = 90, FIELDS = 6 };

/* Numbers first, which may be targets. */
enum { AGE, PAY, ZIP, CITY, DAY, DISEASE };

static const test_field fields[FIELDS] = {
    [AGE] = TOWN_AGE,   [PAY] = TOWN_PAY, [ZIP] = TOWN_ZIP,
    [CITY] = TOWN_CITY, [DAY] = TOWN_DAY, [DISEASE] = TOWN_DISEASE,
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

static void print_person(bt_buffer *text, const test_value *person, int number, bool whole)
{
    bauta_error error;
    assert_ok(bt_buffer_print(text, &error, "key%dyek", number), &error);
    for (int f = 0; f < FIELDS; f++) {
        if (!whole && (f == PAY || f == DISEASE)) continue;
        assert_ok(bt_buffer_print(text, &error, ","), &error);
        test_print_field(text, &person[f], "");
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
    uint64_t missing = below(w, 3) ? 0 : 12;
    w->rows = 8 + below(w, 22);
    w->all = w->rows + below(w, PEOPLE - w->rows);
    for (int i = 0; i < w->all; i++) {
        do {
            town_record(w->people[i], fields, FIELDS, missing, &w->random);
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

static void set_hierarchies(world *w, bauta_recipe *recipe)
{
    char given[32];
    for (size_t i = 0; i < TOWN_QUASI; i++) {
        if (i != 1 && below(w, 2)) continue;
        town_hierarchy(recipe, i, &w->random);
        snprintf(given, sizeof given, "%s=1", town_quasi[i]);
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
    int join = below(w, 5);
    w->values = join < 3 ? below(w, 4) > 0 : below(w, 6) == 0;
    w->drops = below(w, 4) == 0;
    bauta_recipe *recipe = town_recipe(w->microdata, "2");
    set(recipe, "public", w->voters);
    set(recipe, "key", "id");
    set(recipe, w->values ? "sensitive" : "drop", "pay,disease");
    set(recipe, "joint", "none");
    set(recipe, "keep-mapping", "yes");
    set(recipe, "require", requirements[below(w, w->values ? 4 : 2)]);
    set(recipe, "group", methods[below(w, 5)]);
    set(recipe, "join", joins[join]);
    if (!strchr(joins[join], ':') && below(w, 3) == 0) set(recipe, "require", "presence=3/4");
    if (w->drops) set(recipe, "missing", "drop");
    set_hierarchies(w, recipe);
    return recipe;
}

/* ---- what is asked of a release ---- */

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
    town_check(question, w->drops ? town_published(truth, answer) : truth, answer, !w->drops);
}

static void ask_all(world *w, test_question *question)
{
    /* Without sensitive columns the questions are about the others. */
    static const test_field left[] = {TOWN_AGE};
    bauta_release *release;
    bauta_error error;
    assert_ok(bauta_release_open(publish, NULL, &release, &error), &error);
    for (int i = 0; i < QUERIES; i++) {
        if (w->values)
            test_question_make(question, fields, FIELDS, ZIP, &w->random);
        else
            test_question_make(question, left, 1, 1, &w->random);
        json_t *answer = town_ask(release, question);
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

/* Checks the measures in the report of the run, and those that `measure` finds from the files. */
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
    for (int round = 0; round < ROUNDS; round++) {
        make_people(&w);
        write_tables(&w);
        bauta_recipe *recipe = make_request(&w);
        bauta_report *report = NULL;
        use_new_folder(state);
        bauta_status status = bauta_anonymize(recipe, out, &report, &error);
        bool flat = status == BAUTA_INVALID && strstr(error.message, "'min-level' cannot be kept");
        if (status != BAUTA_OK && status != BAUTA_NO && !flat)
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
