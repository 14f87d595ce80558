/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to `randomized` releases of which rare values were merged beforehand. Of small ones
 * made by hand, in which hardly anything was drawn anew, against a twin that tries every table that
 * may have become them: the interval holds its answer, and is no wider than it says. And of many
 * releases of one table, made by the library, whether their intervals hold the true answer.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "questions.h"
#include "release_files.h"

#include <math.h>

enum { NEAR, EXTRA, TREE, WORD, FIELDS }; /* numbers first; targets are the first two */
enum { TABLES = 1000, QUERIES = 30, ROWS = 3, OPTIONS = 12 };

static const char *const words[] = {"a", "b", "c"};
static const char *const between[] = {"A", "aa", "bb", "cc"}; /* those that no query names */
enum { BETWEEN = 4 };
static const test_field fields[FIELDS] = {
    [NEAR] = {.name = "near", .least = 0, .most = 5},
    [EXTRA] = {.name = "extra", .least = 0, .most = 3},
    [TREE] = {.name = "tree", .least = 0, .most = 3},
    [WORD] = {.name = "word", .texts = words, .text_count = 3},
};

#define QUASI(name, type, share, merged)                                                           \
    "{\"name\":\"" name "\",\"role\":\"quasi\",\"type\":\"" type "\",\"redrawn\":\"" share         \
    "/100000\"" merged "},"
#define COLUMNS(near, tree)                                                                        \
    QUASI("near", "integer", "1", near)                                                            \
    QUASI("tree", "integer", "1", tree)                                                            \
    QUASI("word", "text", "1", "")                                                                 \
    QUASI("spare", "text", "99997", "") TEST_OTHER("extra", "integer") "," TEST_SENSITIVE("sick")

typedef struct world {
    test_value shown[ROWS][FIELDS];
    int rows;
    int64_t least; /* rare */
    bool told;     /* the manifest says how values were merged */
    uint64_t random;
} world;

static int below(world *w, int bound)
{
    return (int)test_below(&w->random, (uint64_t)bound);
}

static const char *make_release(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    char form[64];
    w->rows = 1 + below(w, ROWS);
    w->told = below(w, 4) > 0;
    w->least = 2 + below(w, 3);
    assert_ok(bt_buffer_print(&text, &error, "near,tree,word,spare,extra,sick\n"), &error);
    for (int i = 0; i < w->rows; i++) {
        test_value *record = w->shown[i];
        for (size_t f = 0; f < FIELDS; f++) {
            record[f] = test_literal(&fields[f], &w->random);
            if (below(w, 8) == 0) record[f] = (test_value){.missing = true};
        }
        test_print_field(&text, &record[NEAR], ",");
        test_print_field(&text, &record[TREE], ",");
        test_print_field(&text, &record[WORD], ",x,");
        test_print_field(&text, &record[EXTRA], ",s\n");
    }
    snprintf(form, sizeof form, "randomized:rare=%lld", (long long)w->least);
    const test_release release = {
        .format = w->told,
        .form = form,
        .promises = "",
        .columns = w->told ? COLUMNS(",\"merged\":\"neighbours\"", ",\"merged\":\"hierarchy\"")
                           : COLUMNS("", ""),
        .data = text.bytes,
        .lambda = 1};
    const char *folder = test_release_write("release", &release);
    bt_buffer_release(&text);
    return folder;
}

/* ---- the twin: what each row may have been ---- */

static bool is_shown(const world *w, size_t field, const test_value *value)
{
    for (int i = 0; i < w->rows; i++) {
        const test_value *shown = &w->shown[i][field];
        if (!shown->missing && test_compare(shown, value) == 0) return true;
    }
    return false;
}

/* No shown value lies between the two, the second with it. */
static bool is_next_to(const world *w, size_t field, int64_t shown, int64_t value)
{
    int64_t step = value > shown ? 1 : -1;
    for (int64_t number = shown; number != value;) {
        number += step;
        if (is_shown(w, field, &(test_value){.number = number})) return false;
    }
    return true;
}

/* The texts of queries, and then those in between. */
static test_value text_of(size_t number)
{
    size_t count = fields[WORD].text_count;
    return (test_value){.text = number < count ? words[number] : between[number - count]};
}

/* The values that a row may have had in a field, its own first. Numbers from one below to one above
 * all that queries name stand for all of theirs; so do texts between those that queries name. */
static size_t options_of(const world *w, int row, size_t field, test_value *list)
{
    const test_field *one = &fields[field];
    const test_value *shown = &w->shown[row][field];
    bool near = field == NEAR && w->told, tree = field == TREE || (field == NEAR && !w->told);
    bool text = field == WORD && !w->told;
    size_t count = 0;
    list[count++] = *shown;
    if (shown->missing) return count;
    for (int64_t n = one->least - 1; (near || tree) && n <= one->most + 1; n++) {
        const test_value value = {.number = n};
        if (is_shown(w, field, &value) || (near && !is_next_to(w, field, shown->number, n)))
            continue;
        list[count++] = value;
    }
    for (size_t i = 0; text && i < one->text_count + BETWEEN; i++) {
        const test_value value = text_of(i);
        if (!is_shown(w, field, &value)) list[count++] = value;
    }
    return count;
}

/* Whether a value stands for many that no query names. */
static bool is_many(size_t field, const test_value *value)
{
    for (size_t i = 0; value->text && i < BETWEEN; i++)
        if (strcmp(value->text, between[i]) == 0) return true;
    if (value->text) return false;
    return value->number < fields[field].least || value->number > fields[field].most;
}

typedef struct row_options { /* those of a row, one of each field, that the question uses */
    test_value list[OPTIONS * OPTIONS * OPTIONS][FIELDS];
    bool matches[OPTIONS * OPTIONS * OPTIONS];
    size_t count;
    bool must, may, shown;
} row_options;

static bool uses(const test_question *question, size_t field)
{
    if (!question->star && question->target == field) return true;
    for (int i = 0; i < question->count && !question->always; i++)
        if (question->nodes[i].kind == TEST_ATOM && question->nodes[i].field == field) return true;
    return false;
}

static void list_options(const world *w, int row, const test_question *question, row_options *all)
{
    test_value options[FIELDS][OPTIONS];
    size_t counts[FIELDS], at[FIELDS] = {0}, f;
    for (f = 0; f < FIELDS; f++)
        counts[f] = uses(question, f) ? options_of(w, row, f, options[f])
                                      : (options[f][0] = w->shown[row][f], 1);
    *all = (row_options){.must = true};
    do {
        test_value *record = all->list[all->count];
        for (f = 0; f < FIELDS; f++)
            record[f] = options[f][at[f]];
        bool matches = test_matches(question, record);
        if (all->count == 0) all->shown = matches;
        all->matches[all->count++] = matches;
        all->must &= matches;
        all->may |= matches;
        for (f = 0; f < FIELDS && ++at[f] == counts[f]; f++)
            at[f] = 0;
    } while (f < FIELDS);
}

/* Each value that no row shows had fewer records than `rare`. */
static bool is_allowed(const world *w, const row_options *rows, const size_t *at)
{
    for (size_t f = 0; f < FIELDS; f++)
        for (int i = 0; i < w->rows; i++) {
            const test_value *value = &rows[i].list[at[i]][f];
            int64_t held = 0;
            if (value->missing || is_many(f, value) || is_shown(w, f, value)) continue;
            for (int k = 0; k < w->rows; k++) {
                const test_value *other = &rows[k].list[at[k]][f];
                held += !other->missing && test_compare(other, value) == 0;
            }
            if (held >= w->least) return false;
        }
    return true;
}

/* ---- comparing ---- */

static void compare_to_all(const world *w, const test_question *question, const row_options *rows,
                           double lower, double upper)
{
    size_t at[ROWS] = {0}, tried = 0;
    int i;
    do {
        double sum = 0;
        for (i = 0; i < w->rows; i++)
            if (rows[i].matches[at[i]])
                sum += question->aggregate == BT_COUNT
                           ? 1
                           : (double)rows[i].list[at[i]][question->target].number;
        bool outside = sum < lower - 1e-2 || sum > upper + 1e-2;
        if (outside && is_allowed(w, rows, at)) test_complain(question, "a table is outside");
        for (i = 0; i < w->rows && ++at[i] == rows[i].count; i++)
            at[i] = 0;
    } while (i < w->rows && ++tried < 300000);
}

/* How many values that no row shows let a record match, or not: each in some field, with anything
 * in the others. */
static double count_unshown(const world *w, const test_question *question, bool match)
{
    double count = 0;
    for (size_t f = 0; f < FIELDS; f++) {
        test_value all[FIELDS][OPTIONS];
        size_t counts[FIELDS];
        for (size_t g = 0; g < FIELDS; g++) { /* every value, and the missing one */
            counts[g] = 0;
            for (size_t i = 0; fields[g].texts && i < fields[g].text_count + BETWEEN; i++)
                all[g][counts[g]++] = text_of(i);
            for (int64_t n = fields[g].least - 1; !fields[g].texts && n <= fields[g].most + 1; n++)
                all[g][counts[g]++] = (test_value){.number = n};
            all[g][counts[g]++] = (test_value){.missing = true};
            if (!uses(question, g)) counts[g] = 1;
        }
        bool merged = w->told ? f == NEAR || f == TREE : f == NEAR || f == TREE || f == WORD;
        for (size_t v = 0; merged && uses(question, f) && v + 1 < counts[f]; v++) {
            size_t at[FIELDS] = {0}, g;
            bool found = false;
            if (is_shown(w, f, &all[f][v])) continue;
            do {
                test_value record[FIELDS];
                for (g = 0; g < FIELDS; g++)
                    record[g] = all[g][g == f ? v : at[g]];
                found |= test_matches(question, record) == match;
                for (g = 0; g < FIELDS && (g == f || ++at[g] == counts[g]); g++)
                    at[g] = 0;
            } while (g < FIELDS && !found);
            if (found) count += is_many(f, &all[f][v]) ? INFINITY : 1;
        }
    }
    return count;
}

static void compare(const world *w, const test_question *question, const bt_answer *answer)
{
    static row_options rows[ROWS];
    double must = 0, may = 0, shown = 0, sums[3] = {0};
    bool open = false, negative = question->aggregate != BT_COUNT && question->target != EXTRA;
    for (int i = 0; i < w->rows; i++) {
        list_options(w, i, question, &rows[i]);
        double value = question->star ? 1 : (double)w->shown[i][question->target].number;
        must += rows[i].must;
        may += rows[i].may;
        shown += rows[i].shown;
        sums[0] += rows[i].must ? value : 0;
        sums[1] += rows[i].may ? value : 0;
        open |= rows[i].must != rows[i].may;
    }
    bool interval = answer->statistics.confidence > 0;
    if (open && answer->statistics.merged != (uint64_t)w->least)
        test_complain(question, "nothing said of merging");
    if (question->aggregate == BT_AVG) {
        if (open && interval) test_complain(question, "an interval of an average");
        return;
    }
    if (!interval) {
        if (!negative) test_complain(question, "no interval");
        return;
    }
    double lower = bt_bound_round(&answer->lower, 0, false);
    double upper = bt_bound_round(&answer->upper, 0, true);
    compare_to_all(w, question, rows, lower, upper);
    double each = (double)w->least - 1;
    double least = question->aggregate == BT_COUNT
                       ? fmax(must, shown - each * count_unshown(w, question, false))
                       : sums[0];
    double most = question->aggregate == BT_COUNT
                      ? fmin(may, shown + each * count_unshown(w, question, true))
                      : sums[1];
    if (open && (fabs(lower - least) > 0.2 || fabs(upper - most) > 0.2))
        test_complain(question, "wider or narrower than it says");
}

static void ask(const world *w, const bt_queryable *queryable, const test_question *question)
{
    static const bt_query_options usual = {0};
    bt_answer answer;
    bauta_error error;
    bool quasi = uses(question, NEAR) || uses(question, TREE) || uses(question, WORD);
    if (!quasi || question->aggregate >= BT_MIN) return;
    bauta_status status = bt_query(queryable, question->text.bytes, &usual, &answer, &error);
    if (status != BAUTA_OK) test_complain(question, error.message);
    compare(w, question, &answer);
    bt_answer_release(&answer);
}

static void answers_hold_all_tables_that_may_have_been(void **state)
{
    (void)state;
    static world w = {.random = 5};
    test_question question = {0};
    bt_run all;
    bauta_error error;
    test_run_open(&all, 1);
    for (int table = 0; table < TABLES; table++) {
        bt_release release;
        bt_queryable *queryable;
        assert_ok(bt_release_open(make_release(&w), &all, &release, &error), &error);
        assert_ok(bt_release_code_others(&release, &all, &error), &error);
        assert_ok(bt_queryable_open(&release, &all, &queryable, &error), &error);
        for (int i = 0; i < QUERIES; i++) {
            test_question_make(&question, fields, FIELDS, TREE, &w.random);
            ask(&w, queryable, &question);
        }
        bt_queryable_close(queryable);
        bt_release_close(&release);
    }
    bt_buffer_release(&question.text);
    bt_pool_free(all.pool);
}

/* ---- many releases of one table ---- */

enum { PEOPLE = 240, SEEDS = 60 };

static const char *const asked[] = {
    "SELECT COUNT(*) WHERE age = 23",
    "SELECT COUNT(*) WHERE age > 71",
    "SELECT COUNT(*) WHERE age BETWEEN 22 AND 60 AND sex = 'F'",
    "SELECT COUNT(*) WHERE city = 'Kehl'",
    "SELECT COUNT(*) WHERE city <> 'Bonn'",
    "SELECT SUM(visits) WHERE city IN ('Bonn', 'Aachen') AND age < 60",
};
enum { QUESTIONS = sizeof asked / sizeof *asked };

typedef struct person {
    int age, sex, visits;
    const char *city;
} person;

static double truth_of(const person *people, int number)
{
    double sum = 0;
    for (int i = 0; i < PEOPLE; i++) {
        const person *p = &people[i];
        bool bonn = strcmp(p->city, "Bonn") == 0, aachen = strcmp(p->city, "Aachen") == 0;
        switch (number) {
        case 0: sum += p->age == 23; break;
        case 1: sum += p->age > 71; break;
        case 2: sum += p->age >= 22 && p->age <= 60 && p->sex == 0; break;
        case 3: sum += strcmp(p->city, "Kehl") == 0; break;
        case 4: sum += !bonn; break;
        default: sum += (bonn || aachen) && p->age < 60 ? p->visits : 0; break;
        }
    }
    return sum;
}

static void make_people(person *people, bt_buffer *text)
{
    static const char *const cities[] = {"Bonn", "Bonn", "Koeln", "Ulm"};
    uint64_t random = 9;
    bauta_error error;
    assert_ok(bt_buffer_print(text, &error, "age,sex,city,visits,disease\n"), &error);
    for (int i = 0; i < PEOPLE; i++) {
        person *one = &people[i];
        one->age = i < 4 ? 23 : i < 12 ? 72 + i : 30 + (int)test_below(&random, 20);
        one->sex = (int)test_below(&random, 2);
        one->visits = (int)test_below(&random, 4);
        one->city = i % 60 == 5 ? "Aachen" : i % 60 == 7 ? "Kehl" : cities[test_below(&random, 4)];
        assert_ok(bt_buffer_print(text, &error, "%d,%s,%s,%d,%s\n", one->age, one->sex ? "M" : "F",
                                  one->city, one->visits, test_below(&random, 2) ? "flu" : "cold"),
                  &error);
    }
}

/* 360 intervals of 95 %: those with merged values reach further, so that at least 95 in 100 hold
 * the truth. */
static void covers_what_was_merged(void **state)
{
    (void)state;
    static person people[PEOPLE];
    bt_buffer text = {0};
    bauta_error error;
    int held = 0;
    make_people(people, &text);
    char input[256], hierarchy[300];
    snprintf(input, sizeof input, "%s", scratch_text("people.csv", text.bytes));
    snprintf(hierarchy, sizeof hierarchy, "city=%s",
             scratch_text("cities.csv", "Bonn;N\nKoeln;N\nAachen;N\nUlm;S\nKehl;S\n"));
    for (int number = 0; number < SEEDS; number++) {
        char seed[16];
        bauta_report *report;
        snprintf(seed, sizeof seed, "%x", number + 1);
        use_folder("many");
        const setting settings[SETTINGS_MOST] = {{"seed", seed},
                                                 {"threads", "1"},
                                                 {"force", "yes"},
                                                 {"quasi", "age,sex,city"},
                                                 {"other", "visits"},
                                                 {"accept-other", "visits"},
                                                 {"sensitive", "disease"},
                                                 {"hierarchy", hierarchy},
                                                 {"publish", "randomized:rare=5"}};
        assert_ok(run(input, settings, NULL, &error), &error);
        assert_ok(bauta_query(publish, asked, QUESTIONS, NULL, &report, &error), &error);
        json_t *facts = take_facts(report);
        for (int q = 0; q < QUESTIONS; q++) {
            const json_t *answer = json_array_get(facts, (size_t)q);
            double truth = truth_of(people, q);
            assert_true(json_is_number(json_object_get(answer, "lower")));
            held += json_number_value(json_object_get(answer, "lower")) <= truth &&
                    json_number_value(json_object_get(answer, "upper")) >= truth;
        }
        json_decref(facts);
    }
    if (held < 0.95 * SEEDS * QUESTIONS)
        fail_msg("%d of %d intervals hold the truth", held, SEEDS * QUESTIONS);
    bt_buffer_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_hold_all_tables_that_may_have_been),
        cmocka_unit_test(covers_what_was_merged),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
