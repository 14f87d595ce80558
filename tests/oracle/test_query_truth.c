/* SPDX-License-Identifier: Apache-2.0
 *
 * The whole way: random tables are anonymized in every form, by every method, with all kinds of
 * hierarchies, and the answers of the library's own calls contain those of the original.
 */
#define SCRATCH_IN_MEMORY
#include "town.h"

enum { ROUNDS = 1200, QUERIES = 30, ROWS = 40, FIELDS = 7 };

/* Numbers first, which may be targets. */
enum { AGE, VISITS, PAY, ZIP, CITY, DAY, DISEASE };

static const test_field fields[FIELDS] = {
    [AGE] = TOWN_AGE,         [VISITS] = {.name = "visits", .least = 0, .most = 3},
    [PAY] = TOWN_PAY,         [ZIP] = TOWN_ZIP,
    [CITY] = TOWN_CITY,       [DAY] = TOWN_DAY,
    [DISEASE] = TOWN_DISEASE,
};

typedef struct world {
    test_value records[ROWS][FIELDS];
    int rows;
    bool suppress;  /* some records are not published, nobody knows which */
    bool drop;      /* those with a missing value are not published */
    unsigned other; /* the set of fields that may be missing all the same */
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

/* ---- tables ---- */

static const char *make_table(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    uint64_t missing = below(w, 3) ? 0 : 12;
    w->rows = 8 + below(w, ROWS - 7);
    assert_ok(bt_buffer_print(&text, &error, "age,visits,pay,zip,ci ty,day,disease\n"), &error);
    for (int i = 0; i < w->rows; i++) {
        town_record(w->records[i], fields, FIELDS, missing, &w->random);
        for (size_t f = 0; f < FIELDS; f++)
            test_print_field(&text, &w->records[i][f], f + 1 < FIELDS ? "," : "\n");
    }
    const char *file = scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

/* ---- releases ---- */

static void set_hierarchies(world *w, bauta_recipe *recipe, bool all)
{
    for (size_t i = 0; i < TOWN_QUASI; i++)
        if (all || below(w, 3)) town_hierarchy(recipe, i, &w->random);
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
    int form = below(w, 4), method = below(w, form == 3 ? 4 : 3);
    bool suppress = method < 2 && below(w, 3) == 0, drop = below(w, 4) == 0;
    bauta_recipe *recipe = town_recipe(table, "1");
    set(recipe, "sensitive", method == 3 ? "disease" : "pay,disease");
    set(recipe, "other", method == 3 ? "visits,pay" : "visits");
    set(recipe, "joint", "none");
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
    w->suppress = suppress;
    w->drop = drop;
    w->other = method == 3 ? 1u << VISITS | 1u << PAY : 1u << VISITS;
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
    bool pay = below(w, 2), random = below(w, 2);
    const char *fake = fakes[below(w, 5)];
    if (random && fake[0] == 'b') fake = "2";
    snprintf(form, sizeof form, "distribution:target=%s,fake=%s,allocation=%s,weight-cap=%d",
             targets[below(w, 5)], fake, random ? "random" : "optimal", 2 + below(w, 9));
    bauta_recipe *recipe = town_recipe(table, "1");
    set(recipe, "sensitive", pay ? "pay" : "disease");
    set(recipe, "other", pay ? "visits,disease" : "visits,pay");
    set(recipe, "accept-other", pay ? "visits,disease" : "visits,pay");
    set(recipe, "require", below(w, 2) ? "alpha=0.8" : "l=2");
    set(recipe, "group", methods[below(w, 6)]);
    set(recipe, "publish", form);
    if (pay && below(w, 3) == 0) set(recipe, "hierarchy", "pay=balanced:3");
    bool drop = pay || below(w, 4) == 0; /* no range of numbers can be missing */
    if (drop) set(recipe, "missing", "drop");
    w->suppress = false;
    w->drop = drop;
    w->other = 1u << VISITS | 1u << (pay ? DISEASE : PAY);
    set_hierarchies(w, recipe, true);
    return recipe;
}

/* ---- answers ---- */

static bool is_kept(const world *w, const test_value *record)
{
    for (size_t f = 0; f < FIELDS && w->drop; f++)
        if (record[f].missing && !(w->other >> f & 1)) return false;
    return true;
}

/* The answer is about the published records. After suppression only counts can be compared: those
 * that were dropped may all have matched. */
static void compare(const world *w, const test_question *question, const json_t *answer)
{
    const json_t *population = json_object_get(answer, "population");
    test_result result = {0};
    int64_t top = 0, bottom = 1, kept = 0;
    for (int i = 0; i < w->rows; i++) {
        if (!is_kept(w, w->records[i])) continue;
        kept++;
        if (test_matches(question, w->records[i]))
            test_take(&result, question->star ? 0 : w->records[i][question->target].number);
    }
    double published = town_number(population, "published", -1);
    assert_true(w->suppress ? published <= (double)kept : published == (double)kept);
    assert_true(published + town_number(population, "dropped", -1) == (double)w->rows);
    if (w->suppress && question->aggregate != BT_COUNT) return;
    bool there = test_answer(&result, question->aggregate, &top, &bottom);
    if (!there && !json_is_true(json_object_get(answer, "may_be_empty")))
        test_complain(question, "nothing matches, but something must");
    if (!there) return;
    double truth = (double)top / (double)bottom;
    town_check(question, w->suppress ? town_published(truth, answer) : truth, answer, false);
}

static void ask_all(world *w, test_question *question)
{
    bauta_release *release;
    bauta_error error;
    assert_ok(bauta_release_open(publish, NULL, &release, &error), &error);
    for (int i = 0; i < QUERIES; i++) {
        test_question_make(question, fields, FIELDS, ZIP, &w->random);
        json_t *answer = town_ask(release, question);
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
