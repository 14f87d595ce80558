/* SPDX-License-Identifier: Apache-2.0
 *
 * Answers over releases of the form `distribution` against a twin that tries every table that a
 * small release allows: every way to give each record of a group one of its parts of the domain,
 * and every value in it. And the estimate against the mean over the target.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "trials.h"

enum { TABLES = 120, QUERIES = 40, RECORDS = 5, PARTS = 8, VALUES = 4, FIELDS = 2 };
enum { AGE, PAY };

static const test_field fields[FIELDS] = {
    [AGE] = {.name = "age", .least = 0, .most = 5},
    [PAY] = {.name = "pay", .least = -2, .most = 6},
};

typedef struct world {
    uint64_t random;
    /* what the files show */
    int64_t age[RECORDS];
    int group[RECORDS], records;
    int part_group[PARTS], parts;
    int64_t low[PARTS], high[PARTS];
    int64_t values[VALUES];
    int value_count;
} world;

/* Values 0 to 3, perhaps shifted and spread; every one occurs. */
static const char *make_table(world *w)
{
    bt_buffer text = {0};
    bauta_error error;
    int64_t step = 1 + (int64_t)test_below(&w->random, 2),
            from = (int64_t)test_below(&w->random, 4);
    w->value_count = 2 + (int)test_below(&w->random, VALUES - 1);
    w->records =
        w->value_count + (int)test_below(&w->random, (uint64_t)(RECORDS - w->value_count + 1));
    for (int v = 0; v < w->value_count; v++)
        w->values[v] = from - 2 + step * v;
    assert_ok(bt_buffer_print(&text, &error, "age,pay\n"), &error);
    for (int i = 0; i < w->records; i++) {
        int v = i < w->value_count ? i : (int)test_below(&w->random, (uint64_t)w->value_count);
        assert_ok(bt_buffer_print(&text, &error, "%d,%lld\n", (int)test_below(&w->random, 6),
                                  (long long)w->values[v]),
                  &error);
    }
    const char *file = scratch_write("table.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

static void read_files(world *w)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, "quasi.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_int_equal(count, w->records + 1);
    for (int i = 0; i < w->records; i++)
        assert_int_equal(sscanf(lines[i + 1], "%ld,%d", &w->age[i], &w->group[i]), 2);
    free(lines);
    read_file(publish, "sensitive.csv", &text);
    lines = split_lines(&text, &count);
    w->parts = (int)count - 1;
    assert_in_range(w->parts, w->records, PARTS);
    for (int i = 0; i < w->parts; i++)
        assert_int_equal(
            sscanf(lines[i + 1], "%d,%ld,%ld", &w->part_group[i], &w->low[i], &w->high[i]), 3);
    free(lines);
    bt_buffer_release(&text);
}

static const char *make_release(void *user)
{
    world *w = user;
    static const char *const methods[] = {"whole", "columns:age@1"};
    static const char *const forms[] = {"distribution:target=uniform,allocation=optimal",
                                        "distribution:target=uniform,fake=1,allocation=optimal",
                                        "distribution:target=uniform,allocation=random"};
    bauta_recipe *recipe;
    bauta_error error;
    const char *table = make_table(w);
    use_new_folder(NULL);
    assert_ok(bauta_recipe_new(&recipe, &error), &error);
    set(recipe, "input", table);
    set(recipe, "quasi", "age");
    set(recipe, "sensitive", "pay");
    set(recipe, "hierarchy", "age=intervals:3");
    set(recipe, "require", "alpha=0.9");
    set(recipe, "threads", "1");
    set(recipe, "tmp", scratch_path);
    set(recipe, "group", methods[test_below(&w->random, 2)]);
    set(recipe, "publish", forms[test_below(&w->random, 3)]);
    assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
    bauta_recipe_free(recipe);
    read_files(w);
    return publish;
}

/* ---- every table ---- */

typedef struct trying {
    const world *w;
    const test_question *question;
    test_value records[RECORDS][FIELDS];
    bool used[PARTS];
    test_extremes found;
} trying;

static void take_table(trying *t)
{
    test_result result = {0};
    for (int i = 0; i < t->w->records; i++)
        if (test_matches(t->question, t->records[i]))
            test_take(&result, t->question->star ? 0 : t->records[i][t->question->target].number);
    test_take_table(&t->found, &result, t->question->aggregate);
}

/* Depth: at most RECORDS. */
static void try_record(trying *t, int record)
{
    const world *w = t->w;
    if (record == w->records) {
        take_table(t);
        return;
    }
    for (int p = 0; p < w->parts; p++) {
        if (t->used[p] || w->part_group[p] != w->group[record]) continue;
        t->used[p] = true;
        for (int v = 0; v < w->value_count; v++) {
            if (w->values[v] < w->low[p] || w->values[v] > w->high[p]) continue;
            t->records[record][PAY] = (test_value){.number = w->values[v]};
            try_record(t, record + 1);
        }
        t->used[p] = false;
    }
}

static test_extremes try_all(const world *w, const test_question *question)
{
    trying t = {.w = w, .question = question};
    for (int i = 0; i < w->records; i++)
        t.records[i][AGE] = (test_value){.number = w->age[i]};
    try_record(&t, 0);
    return t.found;
}

/* What each record adds when every value is as likely as the others. */
static void expect(const world *w, const test_question *question, double *count, double *sum)
{
    *count = *sum = 0;
    for (int i = 0; i < w->records; i++)
        for (int v = 0; v < w->value_count; v++) {
            const test_value record[FIELDS] = {
                [AGE] = {.number = w->age[i]}, [PAY] = {.number = w->values[v]}};
            if (!test_matches(question, record)) continue;
            *count += 1.0 / w->value_count;
            *sum += (double)record[question->target].number / w->value_count;
        }
}

/* ---- comparing ---- */

static void compare_estimate(const world *w, const test_question *question, const bt_answer *answer)
{
    double count, sum, wanted;
    expect(w, question, &count, &sum);
    if (question->aggregate != BT_COUNT && question->aggregate != BT_SUM) return;
    wanted = question->aggregate == BT_COUNT ? count : sum;
    double low = bt_bound_round(&answer->lower, 0, false);
    double high = bt_bound_round(&answer->upper, 0, true);
    wanted = wanted < low ? low : wanted > high ? high : wanted; /* never outside the interval */
    if (answer->estimate > wanted + 1e-6 || answer->estimate < wanted - 1e-6)
        test_complain(question, "the estimate is not the mean over the target");
}

static void check(void *user, const test_question *question, bt_answer *answer)
{
    test_extremes found = try_all(user, question);
    test_check_interval(question, answer, &found);
    if (found.any) compare_estimate(user, question, answer);
}

static void answers_are_those_of_all_tables(void **state)
{
    (void)state;
    world w = {.random = 19};
    const test_trials trials = {TABLES, QUERIES, fields, FIELDS, FIELDS, &w, make_release, check};
    assert_true(test_try(&trials, &w.random) > TABLES * QUERIES * 8 / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_all_tables),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
