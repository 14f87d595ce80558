/* SPDX-License-Identifier: Apache-2.0
 *
 * Workloads: queries are as the papers define them, their answers are those of counting one record
 * at a time, and what is said of a release follows from them.
 */
#include "release_files.h"

#include "query/workload.h"

#include <stdlib.h>

enum { ROWS = 120, AGES = 11, CITIES = 4, JOBS = 3 };

static bauta_error error;
static bt_run run;

/* ---- a table: age 20, 30, ... 110 or missing; cities with quotes; jobs ---- */

static const char *age_texts[AGES] = {"20", "30", "40",  "50",  "60", "70",
                                      "80", "90", "100", "110", ""};
static const int64_t age_numbers[AGES] = {20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 0};
static const char *city_texts[CITIES] = {"Aix", "it's", "St. \"X\"", "a,b"};
static const char *job_texts[JOBS] = {"cook", "guard", "judge"};
static uint8_t codes[3][ROWS];
static bt_column columns[3];
static bt_table table;

static int prepare(void **state)
{
    uint64_t random = 5;
    for (size_t row = 0; row < ROWS; row++) {
        codes[0][row] = (uint8_t)test_below(&random, AGES);
        codes[1][row] = (uint8_t)test_below(&random, CITIES);
        codes[2][row] = (uint8_t)test_below(&random, JOBS);
    }
    columns[0] = (bt_column){.name = "age", .role = BT_ROLE_QUASI, .width = 1, .codes = codes[0]};
    columns[0].domain = (bt_domain){.size = AGES,
                                    .has_missing = true,
                                    .text = age_texts,
                                    .number = age_numbers,
                                    .reading.type = BT_INTEGER};
    columns[1] =
        (bt_column){.name = "home \"town\"", .role = BT_ROLE_QUASI, .width = 1, .codes = codes[1]};
    columns[1].domain = (bt_domain){.size = CITIES, .text = city_texts, .reading.type = BT_TEXT};
    columns[2] =
        (bt_column){.name = "job", .role = BT_ROLE_SENSITIVE, .width = 1, .codes = codes[2]};
    columns[2].domain = (bt_domain){.size = JOBS, .text = job_texts, .reading.type = BT_TEXT};
    table = (bt_table){.rows = ROWS, .count = 3, .columns = columns};
    test_run_open(&run, 1);
    return scratch_make(state);
}

static int finish(void **state)
{
    bt_pool_free(run.pool);
    return scratch_empty(state);
}

static bauta_status draw(const char *name, const char *seed, size_t count, bt_workload *out)
{
    const bt_workload_wish wish = {.name = name, .seed = seed, .count = count};
    return bt_workload_draw(&wish, &table, &run, out, &error);
}

/* ---- counting one record at a time ---- */

static const bt_column *column_named(const char *name)
{
    for (size_t i = 0; i < 3; i++)
        if (strcmp(columns[i].name, name) == 0) return &columns[i];
    fail_msg("'%s'", name);
    return NULL;
}

static bool satisfies(const bt_select *select, const bt_atom *atom, size_t row)
{
    const bt_column *column = column_named(atom->name.text);
    const bt_literal *literals = &select->literals[atom->first];
    const char *text = column->domain.text[bt_column_code(column, (int64_t)row)];
    if (*text == '\0') return false;
    if (atom->comparison == BT_BETWEEN)
        return atoi(text) >= atoi(literals[0].text) && atoi(text) <= atoi(literals[1].text);
    for (size_t i = 0; i < atom->count; i++)
        if (strcmp(literals[i].text, text) == 0) return true;
    return false;
}

static int64_t count_matches(const bt_select *select)
{
    int64_t count = 0;
    for (size_t row = 0; row < ROWS; row++) {
        size_t good = 0;
        while (good < select->atom_count && satisfies(select, &select->atoms[good], row))
            good++;
        count += good == select->atom_count;
    }
    return count;
}

/* Parses query `number` and checks its answer and that values are distinct. */
static void open_query(const bt_workload *workload, size_t number, bt_select *out)
{
    assert_ok(bt_select_parse(workload->texts[number], out, &error), &error);
    assert_int_equal(out->aggregate, BT_COUNT);
    assert_int_equal(count_matches(out), workload->answers[number]);
    assert_true(workload->answers[number] > 0);
    for (size_t a = 0; a < out->atom_count; a++)
        for (size_t i = 0; i < out->atoms[a].count; i++)
            for (size_t j = 0; j < i && out->atoms[a].comparison == BT_IN; j++)
                assert_string_not_equal(out->literals[out->atoms[a].first + i].text,
                                        out->literals[out->atoms[a].first + j].text);
}

/* ---- queries ---- */

/* ceil(|A| 0.05^(1/3)), and 0.05^(1/2) with one column, which is any of the two. */
static void paper1_asks_for_a_share(void **state)
{
    (void)state;
    bt_workload workload;
    bt_select select;
    size_t ages = 0;
    assert_ok(draw("paper1:qd=2", "7", 50, &workload), &error);
    assert_string_equal(workload.name, "paper1:qd=2,s=0.05");
    for (size_t i = 0; i < workload.count; i++) {
        open_query(&workload, i, &select);
        assert_int_equal(select.atom_count, 3);
        for (size_t a = 0; a < 3; a++) {
            const bt_column *column = column_named(select.atoms[a].name.text);
            assert_int_equal(select.atoms[a].count, column == &columns[0] ? 4 : 2);
        }
        bt_select_release(&select);
    }
    bt_workload_release(&workload);
    assert_ok(draw("paper1:qd=1,s=5%", "7", 50, &workload), &error);
    for (size_t i = 0; i < workload.count; i++) {
        open_query(&workload, i, &select);
        assert_int_equal(select.atom_count, 2);
        bool age = column_named(select.atoms[0].name.text) == &columns[0];
        assert_int_equal(select.atoms[0].count, age ? 3 : 1);
        assert_ptr_equal(column_named(select.atoms[1].name.text), &columns[2]);
        ages += age;
        bt_select_release(&select);
    }
    assert_in_range(ages, 10, 40);
    bt_workload_release(&workload);
}

static void paper4_asks_for_any_number(void **state)
{
    (void)state;
    bt_workload workload;
    bt_select select;
    size_t seen[CITIES + 1] = {0};
    assert_ok(draw("paper4:j=2", "1", 100, &workload), &error);
    for (size_t i = 0; i < workload.count; i++) {
        open_query(&workload, i, &select);
        assert_int_equal(select.atom_count, 3);
        for (size_t a = 0; a < 3; a++)
            if (column_named(select.atoms[a].name.text) == &columns[1])
                seen[select.atoms[a].count]++;
        bt_select_release(&select);
    }
    for (size_t i = 1; i <= CITIES; i++)
        assert_true(seen[i] > 0);
    bt_workload_release(&workload);
}

/* A quarter of the space of two columns is half of each: 46 of the numbers 20 to 110. */
static void paper5_asks_for_boxes(void **state)
{
    (void)state;
    bt_workload workload;
    bt_select select;
    assert_ok(draw("paper5:range=1/4", "1", 50, &workload), &error);
    for (size_t i = 0; i < workload.count; i++) {
        open_query(&workload, i, &select);
        assert_int_equal(select.atom_count, 2);
        const bt_atom *range = &select.atoms[0], *list = &select.atoms[1];
        assert_int_equal(range->comparison, BT_BETWEEN);
        int from = atoi(select.literals[range->first].text);
        int to = atoi(select.literals[range->first + 1].text);
        assert_int_equal(to - from + 1, 46);
        assert_true(from >= 20 && to <= 110);
        assert_int_equal(list->count, 2);
        bt_select_release(&select);
    }
    bt_workload_release(&workload);
}

static void seeds_repeat(void **state)
{
    (void)state;
    bt_workload one, same, other;
    size_t different = 0;
    assert_ok(draw("paper1:qd=2", "abc", 20, &one), &error);
    assert_ok(draw("paper1:qd=2", "0ABC", 20, &same), &error);
    assert_ok(draw("paper1:qd=2", "abd", 20, &other), &error);
    for (size_t i = 0; i < 20; i++) {
        assert_string_equal(one.texts[i], same.texts[i]);
        different += strcmp(one.texts[i], other.texts[i]) != 0;
    }
    assert_true(different > 10);
    assert_int_equal(one.empty, same.empty);
    bt_workload_release(&one);
    bt_workload_release(&same);
    bt_workload_release(&other);
}

static void refuse(const char *name, const char *seed, bauta_status status, const char *message)
{
    bt_workload workload;
    assert_fails(draw(name, seed, 10, &workload), status, &error, message);
    bt_workload_release(&workload);
}

static void refuses(void **state)
{
    (void)state;
    refuse("paper1:qd=3", "1", BAUTA_INVALID, "asks for 3 quasi columns, the release has 2");
    assert_string_equal(error.hint, "give it a smaller 'qd'");
    refuse("paper1:qd=2", "green", BAUTA_USAGE, "hexadecimal");
    assert_int_not_equal(bt_workload_check("paper2", &error), BAUTA_OK);
    assert_int_not_equal(bt_workload_check("paper1:s=2", &error), BAUTA_OK);
    assert_ok(bt_workload_check("paper4", &error), &error);
    table.count = 2;
    refuse("paper4:j=1", "1", BAUTA_INVALID, "needs a sensitive column");
    table.count = 3;
    table.rows = 0;
    refuse("paper1:qd=1", "1", BAUTA_INVALID, "hardly any query of the workload has an answer");
    table.rows = ROWS;
}

/* ---- releases ---- */

#define COLUMNS TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT("zip") "," TEST_SENSITIVE("job")

static const char records[] = "age,zip,job\n20,a,cook\n20,a,judge\n30,b,cook\n30,c,judge\n";

static json_t *measure(const char *const *folders, size_t count)
{
    static const char *const settings[][2] = {
        {"workload", "paper1:qd=1,s=0.2"}, {"queries", "40"}, {"seed", "9"}};
    bauta_recipe *recipe = test_original(scratch_text("original.csv", records), "1");
    bauta_report *report = NULL;
    for (size_t i = 0; i < 3; i++)
        assert_ok(bauta_recipe_set(recipe, settings[i][0], settings[i][1], &error), &error);
    assert_ok(bauta_measure(folders, count, recipe, &report, &error), &error);
    json_t *facts = json_incref(report->facts.root);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return facts;
}

static double number(const json_t *facts, const char *key)
{
    const json_t *value = json_object_get(json_object_get(facts, "workload"), key);
    if (!json_is_number(value)) fail_msg("no number '%s'", key);
    return json_number_value(value);
}

static void releases_are_compared(void **state)
{
    (void)state;
    char exact[256];
    test_release release = {.columns = COLUMNS, .data = records};
    snprintf(exact, sizeof exact, "%s", test_release_write("exact", &release));
    release.data = "age,zip,job\n\"[20,30]\",*,cook\n\"[20,30]\",*,judge\n"
                   "\"[20,30]\",*,cook\n\"[20,30]\",*,judge\n";
    const char *folders[] = {exact, test_release_write("vague", &release)};
    json_t *facts = measure(folders, 2), *alone = measure(folders, 1);
    const json_t *list = json_object_get(facts, "releases");
    const json_t *first = json_array_get(list, 0), *second = json_array_get(list, 1);
    assert_int_equal(number(first, "queries"), 40);
    assert_true(number(first, "mean_error") == 0 && number(first, "mean_width") == 0);
    assert_true(number(first, "contained") == 1 && number(second, "contained") == 1);
    assert_true(number(second, "mean_error") > 0 && number(second, "mean_width") > 0);
    assert_true(number(first, "empty") == number(second, "empty"));
    assert_true(json_equal(json_object_get(first, "workload"), json_object_get(alone, "workload")));
    json_decref(facts);
    json_decref(alone);
}

/* A release that does not come from these records is found out. */
static void what_is_not_contained_counts(void **state)
{
    (void)state;
    test_release release = {.columns = COLUMNS,
                            .data = "age,zip,job\n20,a,cook\n20,a,cook\n30,b,cook\n30,c,cook\n"};
    const char *folder = test_release_write("wrong", &release);
    json_t *facts = measure(&folder, 1);
    assert_true(number(facts, "contained") < 1);
    json_decref(facts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paper1_asks_for_a_share),
        cmocka_unit_test(paper4_asks_for_any_number),
        cmocka_unit_test(paper5_asks_for_boxes),
        cmocka_unit_test(seeds_repeat),
        cmocka_unit_test(refuses),
        cmocka_unit_test(releases_are_compared),
        cmocka_unit_test(what_is_not_contained_counts),
    };
    return cmocka_run_group_tests(tests, prepare, finish);
}
