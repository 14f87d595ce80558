/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole way: random tables are anonymized in every form, by every method, with all kinds of
 * hierarchies, and the answers of the library's own calls contain those of the original.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "questions.h"

enum { ROUNDS = 1200, QUERIES = 30, ROWS = 40, FIELDS = 7 };

/* Numbers first, which may be targets. */
enum { AGE, VISITS, PAY, ZIP, CITY, DAY, DISEASE };

static const char *const zips[] = {"01000", "01001", "01010", "01100", "02000", "11", "12", "0100"};
static const char *const cities[] = {"Bonn", "Kiel", "Ulm", "{x|", "a..b"};
static const char *const days[] = {"1999-12-31", "2000-01-01", "2000-01-31",
                                   "2000-02-01", "2001-05-05", "2010-10-10"};
static const char *const diseases[] = {"flu", "cold", "gout", "hiv"};

static const test_field fields[FIELDS] = {
    [AGE] = {.name = "age", .least = -3, .most = 25},
    [VISITS] = {.name = "visits", .least = 0, .most = 3},
    [PAY] = {.name = "pay", .least = -3, .most = 5},
    [ZIP] = {.name = "zip", .texts = zips, .text_count = 8},
    [CITY] = {.name = "\"ci ty\"", .texts = cities, .text_count = 5},
    [DAY] = {.name = "day", .texts = days, .text_count = 6},
    [DISEASE] = {.name = "disease", .texts = diseases, .text_count = 4},
};

typedef struct world {
    test_value records[ROWS][FIELDS];
    int rows;
    bool drops; /* some records are not published */
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- tables ---- */

static void print_record(bt_buffer *text, const test_value *record)
{
    bauta_error error;
    for (size_t f = 0; f < FIELDS; f++) {
        const char *end = f + 1 < FIELDS ? "," : "\n";
        if (record[f].missing)
            assert_ok(bt_buffer_print(text, &error, "%s", end), &error);
        else if (record[f].text)
            assert_ok(bt_buffer_print(text, &error, "%s%s", record[f].text, end), &error);
        else
            assert_ok(bt_buffer_print(text, &error, "%lld%s", (long long)record[f].number, end),
                      &error);
    }
}

static const char *make_table(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    int missing = below(w, 3) ? 0 : 12; /* in how many fields one is */
    w->rows = 8 + below(w, ROWS - 7);
    assert_ok(bt_buffer_print(&text, &error, "age,visits,pay,zip,ci ty,day,disease\n"), &error);
    for (int i = 0; i < w->rows; i++) {
        for (size_t f = 0; f < FIELDS; f++) {
            w->records[i][f] = test_literal(&fields[f], &w->random);
            if (missing && below(w, missing) == 0) w->records[i][f] = (test_value){.missing = true};
        }
        print_record(&text, w->records[i]);
    }
    const char *file = scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

/* ---- releases ---- */

static void set(bauta_recipe *recipe, const char *key, const char *value)
{
    bauta_error error;
    assert_ok(bauta_recipe_set(recipe, key, value, &error), &error);
}

static void set_hierarchies(world *w, bauta_recipe *recipe, bool all)
{
    static const char *const specs[][4] = {
        {"age=intervals:5,10", "age=balanced:2", "age=flat", "age=mask"},
        {"zip=mask", "zip=balanced:3", "zip=mask", "zip=balanced:2"},
        {"ci ty=balanced:2", NULL, NULL, "ci ty=flat"},
        {"day=date", "day=intervals:30", "day=balanced:2", "day=date"},
    };
    char given[300];
    for (size_t i = 0; i < 4; i++) {
        const char *spec = specs[i][below(w, 4)];
        snprintf(given, sizeof given, "ci ty=%s", scratch_name("cities.csv"));
        if (all || below(w, 3)) set(recipe, "hierarchy", spec ? spec : given);
    }
}

/* Two categories and one more for the missing value: a file names what the data have, once. */
static void set_categories(const world *w, bauta_recipe *recipe, size_t field, const char *name)
{
    bt_buffer text = {0};
    bauta_error error;
    char file[32], given[300];
    for (int i = 0; i < w->rows; i++) {
        const test_value *value = &w->records[i][field];
        bool seen = false;
        for (int j = 0; j < i && !seen; j++) {
            const test_value *other = &w->records[j][field];
            seen = value->missing == other->missing &&
                   (value->missing || test_compare(value, other) == 0);
        }
        if (seen) continue;
        if (value->missing)
            assert_ok(bt_buffer_print(&text, &error, ",none\n"), &error);
        else if (value->text)
            assert_ok(bt_buffer_print(&text, &error, "%s,%c\n", value->text, value->text[1]),
                      &error);
        else
            assert_ok(bt_buffer_print(&text, &error, "%lld,%s\n", (long long)value->number,
                                      value->number < 1 ? "low" : "high"),
                      &error);
    }
    snprintf(file, sizeof file, "%s.csv", name);
    snprintf(given, sizeof given, "%s=%s", name, scratch_write(file, text.bytes, text.length));
    set(recipe, "categories", given);
    bt_buffer_release(&text);
}

static bauta_recipe *make_request(world *w, const char *table)
{
    static const char *const requirements[] = {"k=2", "k=3", "k=2,p=2", "k=2,alpha=0.7"};
    static const char *const forms[] = {"generalized", "generalized:sensitive=category",
                                        "generalized:sensitive=both", "two-tables"};
    static const char *const methods[] = {"mondrian", "mondrian:cuts=order", "top-down",
                                          "anatomy:l=2"};
    bauta_recipe *recipe;
    bauta_error error;
    int form = below(w, 4), method = below(w, form == 3 ? 4 : 3);
    bool suppress = method < 2 && below(w, 3) == 0, drop = below(w, 4) == 0;
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", table);
    set(recipe, "quasi", "age,zip,ci ty,day");
    set(recipe, "sensitive", method == 3 ? "disease" : "pay,disease");
    set(recipe, "other", method == 3 ? "visits,pay" : "visits");
    set(recipe, "type", "zip=text");
    set(recipe, "joint", "none");
    set(recipe, "seed-file", seed_file);
    set(recipe, "threads", "1");
    set(recipe, "tmp", scratch_path);
    set(recipe, "accept-other", method == 3 ? "visits,pay" : "visits");
    set(recipe, "require", requirements[below(w, 4)]);
    set(recipe, "group", methods[method]);
    set(recipe, "publish", forms[form]);
    if (form == 1 || form == 2) {
        set_categories(w, recipe, PAY, "pay");
        set_categories(w, recipe, DISEASE, "disease");
        drop = false; /* or the values would not be there */
    }
    if (suppress) set(recipe, "suppress", "0.2");
    if (drop) set(recipe, "missing", "drop");
    w->drops = suppress || drop;
    set_hierarchies(w, recipe, method == 2);
    return recipe;
}

/* distribution: one sensitive column, groups of any size, fakes or not. */
static bauta_recipe *make_distribution(world *w, const char *table)
{
    static const char *const targets[] = {"uniform", "source", "closest", "zipf:0.5",
                                          "uniform,per=group"};
    static const char *const fakes[] = {"0", "1", "20%", "best:2", "3"};
    static const char *const methods[] = {"whole",     "columns:zip@1",   "columns:day@1,age@1",
                                          "identical", "identical:age@1", "mondrian"};
    char form[200];
    bauta_recipe *recipe;
    bauta_error error;
    bool pay = below(w, 2), random = below(w, 2);
    const char *fake = fakes[below(w, 5)];
    if (random && fake[0] == 'b') fake = "2";
    snprintf(form, sizeof form, "distribution:target=%s,fake=%s,allocation=%s,weight-cap=%d",
             targets[below(w, 5)], fake, random ? "random" : "optimal", 2 + below(w, 9));
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", table);
    set(recipe, "quasi", "age,zip,ci ty,day");
    set(recipe, "sensitive", pay ? "pay" : "disease");
    set(recipe, "other", pay ? "visits,disease" : "visits,pay");
    set(recipe, "accept-other", pay ? "visits,disease" : "visits,pay");
    set(recipe, "type", "zip=text");
    set(recipe, "seed-file", seed_file);
    set(recipe, "threads", "1");
    set(recipe, "tmp", scratch_path);
    set(recipe, "require", below(w, 2) ? "alpha=0.8" : "l=2");
    set(recipe, "group", methods[below(w, 6)]);
    set(recipe, "publish", form);
    if (pay && below(w, 3) == 0) set(recipe, "hierarchy", "pay=balanced:3");
    bool drop = pay || below(w, 4) == 0; /* no range of numbers can be missing */
    if (drop) set(recipe, "missing", "drop");
    w->drops = false;
    for (int i = 0; i < w->rows && drop; i++)
        for (size_t f = 0; f < FIELDS; f++)
            w->drops |= w->records[i][f].missing;
    set_hierarchies(w, recipe, true);
    return recipe;
}

/* ---- answers ---- */

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
        if (test_matches(question, w->records[i]))
            test_take(&result, question->star ? 0 : w->records[i][question->target].number);
    if (w->drops && question->aggregate != BT_COUNT) return;
    bool there = test_answer(&result, question->aggregate, &top, &bottom);
    if (!there && !json_is_true(json_object_get(answer, "may_be_empty")))
        test_complain(question, "nothing matches, but something must");
    if (!there) return;
    double truth = (double)top / (double)bottom;
    double lower = number_at(answer, "lower", -1e9), upper = number_at(answer, "upper", 1e9);
    if (lower > truth + 1e-9 || upper < truth - 1e-9) test_complain(question, "not contained");
    double estimate = number_at(answer, "estimate", truth);
    if (estimate < lower - 1e-9 || estimate > upper + 1e-9)
        test_complain(question, "the estimate is outside");
}

static void ask_all(world *w, test_question *question)
{
    bauta_release *release;
    bauta_error error;
    assert_ok(bauta_release_open(publish, NULL, &release, &error), &error);
    for (int i = 0; i < QUERIES; i++) {
        bauta_report *report = NULL;
        test_question_make(question, fields, FIELDS, ZIP, &w->random);
        if (bauta_release_query(release, question->text.bytes, &report, &error) != BAUTA_OK)
            test_complain(question, error.message);
        json_t *answer = take_facts(report);
        compare(w, question, answer);
        json_decref(answer);
    }
    bauta_release_free(release);
}

static void answers_contain_the_truth(void **state)
{
    world w = {.random = 3};
    test_question question = {0};
    bauta_error error;
    int asked = 0, distributed = 0;
    scratch_text("cities.csv", "Bonn;N\nKiel;N\nUlm;S\n{x|;S\na..b;T\n");
    for (int round = 0; round < ROUNDS; round++) {
        const char *table = make_table(&w);
        bauta_recipe *recipe =
            round % 3 == 2 ? make_distribution(&w, table) : make_request(&w, table);
        use_new_folder(state);
        bauta_status status = bauta_anonymize(recipe, out, NULL, &error);
        if (status != BAUTA_OK && status != BAUTA_NO)
            fail_msg("%s (%s)", error.message, error.hint);
        if (status == BAUTA_OK) {
            ask_all(&w, &question);
            asked++;
            distributed += round % 3 == 2;
        }
        bauta_recipe_free(recipe);
    }
    assert_true(asked > ROUNDS / 2);
    assert_true(distributed > ROUNDS / 8);
    bt_buffer_release(&question.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_contain_the_truth),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
