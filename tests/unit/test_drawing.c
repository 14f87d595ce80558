/* SPDX-License-Identifier: Apache-2.0
 *
 * What the audit says of how values were drawn anew: faults of the drawing are noticed, honest
 * releases are not refused, and the owner's key shows every row.
 */
#define SCRATCH_IN_MEMORY
#include "../drawn_world.h"
#include "../jobs.h"

/* Few combinations that go together; as many rows as a table of the census has in the papers, of
 * eight columns; columns that have nothing to do with each other. */
static const world few = {
    .rows = 2000, .columns = 2, .lambda = 1, .values = {3, 2, 3}, .together = 60, .random = 1};
static const world wide = {.rows = 20000,
                           .columns = 8,
                           .lambda = 1,
                           .values = {70, 7, 16, 7, 6, 5, 2, 40, 14},
                           .together = 60,
                           .random = 2};
static const world apart = {
    .rows = 3000, .columns = 3, .lambda = 1, .values = {6, 5, 7, 3}, .together = 0, .random = 3};

static bool refuses(const json_t *facts, const char *promise)
{
    return test_verdict(facts, promise) == 0;
}

/* Whether any test of the drawing fails; what else the audit looks at has its own tests. */
static bool is_noticed(world w, world_fault fault)
{
    bauta_report *report = NULL;
    world_fill(&w);
    world_draw(&w, fault);
    const json_t *facts = world_audit(&w, &report);
    bool noticed = refuses(facts, "drawing") || refuses(facts, "distributions");
    bauta_report_free(report);
    world_free(&w);
    return noticed;
}

static void the_original_itself_is_noticed(void **state)
{
    (void)state;
    assert_false(is_noticed(few, WORLD_HONEST));
    assert_true(is_noticed(few, WORLD_UNTOUCHED));
    assert_true(is_noticed(wide, WORLD_UNTOUCHED));
}

/* Where nothing goes together every count is as it was on average: but not exactly. */
static void counts_that_are_too_close_are_noticed(void **state)
{
    (void)state;
    assert_false(is_noticed(apart, WORLD_HONEST));
    assert_true(is_noticed(apart, WORLD_UNTOUCHED));
}

static void faults_of_the_drawing_are_noticed(void **state)
{
    (void)state;
    assert_false(is_noticed(wide, WORLD_HONEST));
    for (world_fault fault = WORLD_UNTOUCHED; fault <= WORLD_FLAT; fault++)
        if (!is_noticed(wide, fault)) fail_msg("fault %d is not noticed", (int)fault);
}

static void faults_of_several_columns_are_noticed(void **state)
{
    (void)state;
    world w = wide;
    w.lambda = 3;
    assert_false(is_noticed(w, WORLD_HONEST));
    for (world_fault fault = WORLD_UNTOUCHED; fault <= WORLD_FLAT; fault++)
        if (!is_noticed(w, fault)) fail_msg("fault %d is not noticed", (int)fault);
    w.columns = w.lambda = 2; /* all of them are drawn */
    w.values[2] = 6;
    assert_false(is_noticed(w, WORLD_HONEST));
    assert_true(is_noticed(w, WORLD_UNTOUCHED));
    assert_true(is_noticed(w, WORLD_TENTH));
}

/* Rows in the order of the records, or backwards, where most rows are like most records. */
static void orders_of_few_combinations_are_noticed(void **state)
{
    (void)state;
    for (int how = 0; how < 3; how++) {
        world w = {.rows = 6000, .columns = 2, .lambda = 1, .values = {5, 2, 2}, .random = 4};
        bauta_report *report = NULL;
        world_fill(&w);
        if (how == 0) world_draw(&w, WORLD_HONEST);
        for (size_t r = 0; how > 0 && r < w.rows; r++) {
            unsigned *row = &w.drawn[3 * (how == 1 ? r : w.rows - 1 - r)];
            memcpy(row, &w.records[3 * r], 3 * sizeof *row);
            world_draw_row(&w, row, WORLD_HONEST);
        }
        assert_int_equal(test_verdict(world_audit(&w, &report), "order"), how == 0);
        bauta_report_free(report);
        world_free(&w);
    }
}

/* Too few rows to tell: that is said, and is not a fault. */
static void what_cannot_be_told_is_unverifiable(void **state)
{
    (void)state;
    for (size_t rows = 1; rows <= 60; rows += 7) {
        world w = few;
        bauta_report *report = NULL;
        w.rows = rows;
        world_fill(&w);
        world_draw(&w, WORLD_UNTOUCHED);
        const json_t *facts = world_audit(&w, &report);
        assert_int_equal(test_verdict(facts, "drawing"), -1);
        assert_int_equal(test_verdict(facts, "distributions"), 1);
        bauta_report_free(report);
        world_free(&w);
    }
}

/* The share that is said to be noticed is: a little more of the rows is left as they were. */
static void the_share_that_is_told_is_noticed(void **state)
{
    (void)state;
    world w = wide;
    bauta_report *report = NULL;
    world_fill(&w);
    world_draw(&w, WORLD_HONEST);
    const json_t *facts = world_audit(&w, &report);
    const char *detail =
        json_string_value(json_object_get(test_finding(facts, "drawing"), "detail"));
    const char *share = strstr(detail, "that ");
    assert_non_null(share);
    double least = atof(share + strlen("that ")) / 100;
    assert_true(least > 0.001 && least < 0.1);
    bauta_report_free(report);
    size_t width = w.columns + 1;
    for (size_t r = 0; r < w.rows; r++) {
        unsigned *row = &w.drawn[r * width];
        bool left = (double)(r * 7919 % w.rows) < 1.02 * least * (double)w.rows;
        memcpy(row, &w.records[r * width], width * sizeof *row);
        world_draw_row(&w, row, left ? WORLD_UNTOUCHED : WORLD_HONEST);
    }
    facts = world_audit(&w, &report);
    assert_true(refuses(facts, "drawing"));
    bauta_report_free(report);
    world_free(&w);
}

/* What is said of single values is so: all records with a value that more records hold than those
 * of which nothing can be told are left as they were, one value after the other. */
static void values_left_as_they_were_are_noticed(void **state)
{
    (void)state;
    world w = wide;
    size_t width = w.columns + 1;
    bauta_report *report = NULL;
    unsigned told = 0;
    w.rows = 8000;
    w.values[7] = 900;
    world_fill(&w);
    world_draw(&w, WORLD_HONEST);
    const json_t *facts = world_audit(&w, &report);
    assert_int_equal(test_verdict(facts, "drawing by value"), -1);
    const char *detail =
        json_string_value(json_object_get(test_finding(facts, "drawing by value"), "detail"));
    const char *most = strstr(detail, "at most ");
    assert_non_null(most);
    unsigned long least = strtoul(most + strlen("at most "), NULL, 10) + 1;
    assert_true(least > 2 && least < 40);
    bauta_report_free(report);
    for (unsigned value = w.values[7] - 1; value > 0 && told < 3; value--) {
        unsigned long held = 0;
        for (size_t r = 0; r < w.rows; r++)
            held += w.records[r * width + 7] == value;
        if (held < least || held > 2 * least) continue;
        told++;
        for (size_t r = 0; r < w.rows; r++) {
            unsigned *row = &w.drawn[r * 7919 % w.rows * width];
            memcpy(row, &w.records[r * width], width * sizeof *row);
            world_draw_row(&w, row, row[7] == value ? WORLD_UNTOUCHED : WORLD_HONEST);
        }
        facts = world_audit(&w, &report);
        if (!refuses(facts, "drawing")) fail_msg("value %u of %lu records", value, held);
        bauta_report_free(report);
    }
    assert_int_equal(told, 3);
    world_free(&w);
}

/* Many shapes; how many are tried, BAUTA_HONEST says. */
static void honest_releases_are_not_refused(void **state)
{
    (void)state;
    const char *wanted = getenv("BAUTA_HONEST");
    size_t times = wanted ? strtoul(wanted, NULL, 10) : 400;
    uint64_t random = 11;
    for (size_t i = 0; i < times; i++) {
        world w = {.rows = 1 + test_below(&random, 4) * test_below(&random, 300),
                   .columns = 2 + test_below(&random, 4),
                   .together = (unsigned)test_below(&random, 101),
                   .random = test_random(&random)};
        w.lambda = 1 + (unsigned)test_below(&random, w.columns);
        for (size_t c = 0; c <= w.columns; c++)
            w.values[c] = 2 + (unsigned)test_below(&random, test_below(&random, 2) ? 60 : 4);
        if (is_noticed(w, WORLD_HONEST)) fail_msg("release %zu is refused", i);
    }
}

/* ---- the owner ---- */

static int audit_again(const char *input, const setting *settings, json_t **findings)
{
    bauta_recipe *recipe = make_recipe(input, settings);
    bauta_report *report = NULL;
    bauta_error error;
    bauta_status status = bauta_audit(publish, recipe, &report, &error);
    bauta_recipe_free(recipe);
    assert_true(status == BAUTA_OK || status == BAUTA_NO);
    *findings = take_facts(report);
    return test_verdict(*findings, "mechanism");
}

static int verdict_again(const char *input, const setting *settings)
{
    json_t *facts;
    int verdict = audit_again(input, settings, &facts);
    json_decref(facts);
    return verdict;
}

#define DRAWN(form)                                                                                \
    SETTINGS(CENSUS_ROLES, {"publish", form}, {"hierarchy", "city=balanced:2"},                    \
             {"accept-other", "visits"})

static void the_owner_sees_every_row(void **state)
{
    (void)state;
    static const char *const forms[] = {"randomized", "randomized:lambda=2", "randomized:lambda=3",
                                        "randomized:p=entropy", "randomized:p=1/7|2/7|4/7"};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        bt_buffer text = {0};
        const char *input = make_census("census.csv", 4, 0, 40000, &text);
        use_new_folder(NULL);
        json_decref(anonymize(input, DRAWN(forms[i])));
        assert_int_equal(verdict_again(input, DRAWN(forms[i])), 1);
        bt_buffer_release(&text);
    }
}

/* Records that were dropped for what is missing have no part in what is drawn. */
static void dropped_records_are_left_out(void **state)
{
    (void)state;
    bt_buffer text = {0};
    bauta_error error;
    uint64_t random = 6;
    assert_ok(bt_buffer_print(&text, &error, "a,b,c,s\n"), &error);
    for (int i = 0; i < 5000; i++) {
        unsigned common = (unsigned)test_below(&random, 9);
        assert_ok(bt_buffer_print(&text, &error, "%s,x%u,y%u,s%u\n", i % 50 ? "1" : "9", common,
                                  common / 2 + (unsigned)test_below(&random, 2),
                                  (unsigned)test_below(&random, 3)),
                  &error);
        if (i % 10 == 3) assert_ok(bt_buffer_print(&text, &error, "5,,z%d,s0\n", i % 7), &error);
    }
    assert_ok(bt_buffer_add(&text, "", 1, &error), &error);
    const char *input = scratch_text("gaps.csv", text.bytes);
    const setting *settings = SETTINGS({"quasi", "a,b,c"}, {"sensitive", "s"}, {"missing", "drop"},
                                       {"hierarchy", "b=balanced:2"}, {"publish", "randomized"});
    use_new_folder(NULL);
    json_decref(anonymize(input, settings));
    json_t *facts;
    assert_int_equal(audit_again(input, settings, &facts), 1);
    assert_int_equal(test_verdict(facts, "drawing"), 1);
    assert_int_equal(test_verdict(facts, "distributions"), 1);
    assert_int_equal(test_verdict(facts, "rows"), 1);
    json_decref(facts);
    bt_buffer_release(&text);
}

/* Exchanges two lines of data.csv, of which the first is line number `line`. */
static void exchange_lines(size_t line)
{
    bt_buffer text = {0};
    read_file(publish, "data.csv", &text);
    char *first = text.bytes;
    while (line-- > 0)
        first = strchr(first, '\n') + 1;
    char *second = strchr(first, '\n') + 1, *end = strchr(second, '\n') + 1;
    size_t one = (size_t)(second - first), other = (size_t)(end - second);
    char *copy = malloc(one + other);
    memcpy(copy, second, other);
    memcpy(copy + other, first, one);
    memcpy(first, copy, one + other);
    char path[400];
    snprintf(path, sizeof path, "%s/data.csv", publish);
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(text.bytes, 1, text.length, file), text.length);
    fclose(file);
    free(copy);
    bt_buffer_release(&text);
}

static void the_owner_sees_two_rows_exchanged(void **state)
{
    (void)state;
    bt_buffer text = {0};
    const char *input = make_census("census.csv", 4, 0, 3000, &text);
    use_new_folder(NULL);
    json_decref(anonymize(input, DRAWN("randomized")));
    exchange_lines(41);
    json_t *facts;
    assert_int_equal(audit_again(input, DRAWN("randomized"), &facts), 0);
    const json_t *finding = test_finding(facts, "mechanism");
    assert_int_equal(json_integer_value(json_object_get(finding, "class")), 41);
    assert_non_null(strstr(json_string_value(json_object_get(finding, "detail")), "2 of 3000"));
    json_decref(facts);
    bt_buffer_release(&text);
}

/* Without the folder, or with that of another release, there is nothing to draw with. */
static void only_the_owner_can_draw_again(void **state)
{
    (void)state;
    bt_buffer text = {0};
    char here[400], there[400];
    const char *input = make_census("census.csv", 4, 0, 300, &text);
    use_folder("other");
    json_decref(anonymize(input, SETTINGS(CENSUS_ROLES, {"publish", "randomized:lambda=2"},
                                          {"accept-other", "visits"})));
    snprintf(there, sizeof there, "%s/private/summary.json", out);
    use_folder("own");
    json_decref(anonymize(input, DRAWN("randomized")));
    snprintf(here, sizeof here, "%s/private/summary.json", out);
    assert_int_equal(rename(there, here), 0);
    assert_int_equal(verdict_again(input, DRAWN("randomized")), -1);
    assert_int_equal(remove(here), 0);
    assert_int_equal(verdict_again(input, DRAWN("randomized")), -1);
    bt_buffer_release(&text);
}

/* ---- rare values ---- */

/* A release of whole numbers, of which the greatest are rare and became 9. */
typedef struct merged_world {
    bt_buffer original, data;
} merged_world;

static const char merged_columns[] =
    "{\"name\":\"a\",\"role\":\"quasi\",\"type\":\"integer\",\"redrawn\":\"1/2\",\"merged\":"
    "\"neighbours\"},{\"name\":\"b\",\"role\":\"quasi\",\"type\":\"text\",\"redrawn\":\"1/2\"},"
    "{\"name\":\"s\",\"role\":\"sensitive\",\"type\":\"text\"}";

enum { MERGED_ROWS = 4000, MERGED_RARE = 4 };

static void fill_merged(merged_world *w, bool drawn, bool merged)
{
    uint64_t random = 8;
    bauta_error error;
    assert_ok(bt_buffer_print(&w->original, &error, "a,b,s\n"), &error);
    assert_ok(bt_buffer_print(&w->data, &error, "a,b,s\n"), &error);
    for (unsigned r = 0; r < MERGED_ROWS; r++) {
        unsigned record = r * 7919 % MERGED_ROWS, values[2];
        values[0] = record < MERGED_RARE ? 10 + record : record * 31 % 3999 % 10;
        assert_ok(bt_buffer_print(&w->original, &error, "%u,x%u,s%u\n",
                                  r < MERGED_RARE ? 10 + r : r * 31 % 3999 % 10, r * 31 % 3999 % 10,
                                  r % 3),
                  &error);
        values[1] = record * 31 % 3999 % 10;
        if (merged && values[0] > 9) values[0] = 9;
        if (drawn) values[test_below(&random, 2)] = (unsigned)test_below(&random, 10);
        assert_ok(
            bt_buffer_print(&w->data, &error, "%u,x%u,s%u\n", values[0], values[1], record % 3),
            &error);
    }
    assert_ok(bt_buffer_add(&w->original, "", 1, &error), &error);
    assert_ok(bt_buffer_add(&w->data, "", 1, &error), &error);
}

static void audit_merged(bool drawn, bool merged, int verdicts[3])
{
    merged_world w = {0};
    bauta_report *report = NULL;
    bauta_error error;
    fill_merged(&w, drawn, merged);
    const test_release release = {.form = "randomized:lambda=1,p=uniform,rare=3",
                                  .promises = "",
                                  .lambda = 1,
                                  .columns = merged_columns,
                                  .data = w.data.bytes};
    bauta_recipe *recipe = test_original(scratch_text("original.csv", w.original.bytes), "2");
    bauta_status status =
        bauta_audit(test_release_write("merged", &release), recipe, &report, &error);
    bauta_recipe_free(recipe);
    if (status != BAUTA_OK && status != BAUTA_NO) fail_msg("%s", error.message);
    json_t *facts = take_facts(report);
    verdicts[0] = test_verdict(facts, "rare values");
    verdicts[1] = test_verdict(facts, "drawing");
    verdicts[2] = test_verdict(facts, "distributions");
    json_decref(facts);
    bt_buffer_release(&w.original);
    bt_buffer_release(&w.data);
}

static void merged_values_are_what_they_became(void **state)
{
    (void)state;
    int verdicts[3];
    audit_merged(true, true, verdicts);
    assert_int_equal(verdicts[0], 1);
    assert_int_equal(verdicts[1], 1);
    assert_int_equal(verdicts[2], 1);
    audit_merged(false, true, verdicts); /* nothing was drawn anew */
    assert_int_equal(verdicts[1], 0);
    audit_merged(true, false, verdicts); /* rare values are still there */
    assert_int_equal(verdicts[2], 0);
}

static void the_owner_sees_every_row_of_merged_values(void **state)
{
    (void)state;
    bt_buffer text = {0};
    const char *input = make_census("census.csv", 4, 0, 20000, &text);
    use_new_folder(NULL);
    json_decref(anonymize(input, DRAWN("randomized:rare=230")));
    json_t *facts;
    assert_int_equal(audit_again(input, DRAWN("randomized:rare=230"), &facts), 1);
    assert_int_equal(test_verdict(facts, "rare values"), 1);
    json_decref(facts);
    exchange_lines(41);
    assert_int_equal(verdict_again(input, DRAWN("randomized:rare=230")), 0);
    bt_buffer_release(&text);
}

/* ---- probabilities by entropy ---- */

/* A table of that many columns, each with a number of values of its own or all equally diverse. */
static const char *write_columns(size_t columns, bool alike, uint64_t *random, char *names)
{
    bt_buffer text = {0};
    bauta_error error;
    unsigned values[16];
    size_t length = 0;
    for (size_t c = 0; c < columns; c++) {
        values[c] = alike ? 4 : 2 + (unsigned)test_below(random, 90);
        length += (size_t)sprintf(names + length, "%sq%zu", c ? "," : "", c);
    }
    assert_ok(bt_buffer_print(&text, &error, "%s,s\n", names), &error);
    for (unsigned r = 0; r < 256; r++) {
        for (size_t c = 0; c < columns; c++)
            assert_ok(bt_buffer_print(&text, &error, "v%u,",
                                      alike ? r >> c % 7 & 3
                                            : (unsigned)(test_below(random, values[c]) *
                                                         test_below(random, 4) / 3)),
                      &error);
        assert_ok(bt_buffer_print(&text, &error, "s%u\n", r % 3), &error);
    }
    const char *path = scratch_write("columns.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return path;
}

/* Exchanges two probabilities that differ; false: there are none. */
static bool exchange_shares(void)
{
    json_t *manifest = load_json(publish, "manifest.json");
    json_t *columns = json_object_get(manifest, "columns");
    json_t *first = json_object_get(json_array_get(columns, 0), "redrawn");
    bool exchanged = false;
    for (size_t i = 1; i < json_array_size(columns) && !exchanged; i++) {
        json_t *other = json_object_get(json_array_get(columns, i), "redrawn");
        if (!other || json_equal(first, other)) continue;
        char *text = strdup(json_string_value(first));
        assert_int_equal(json_string_set(first, json_string_value(other)), 0);
        assert_int_equal(json_string_set(other, text), 0);
        free(text);
        exchanged = true;
    }
    char path[400];
    snprintf(path, sizeof path, "%s/manifest.json", publish);
    assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
    json_decref(manifest);
    return exchanged;
}

static int verdict_of_shares(const char *input)
{
    json_t *facts;
    audit_again(input, SETTINGS({"threads", "2"}), &facts);
    int verdict = test_verdict(facts, "shares");
    json_decref(facts);
    return verdict;
}

static void shares_follow_from_the_original(void **state)
{
    (void)state;
    uint64_t random = 21;
    size_t exchanged = 0;
    for (size_t columns = 2; columns <= 15; columns++)
        for (int alike = 0; alike < 2; alike++) {
            char names[100];
            const char *input = write_columns(columns, alike, &random, names);
            use_new_folder(NULL);
            json_decref(anonymize(input, SETTINGS({"quasi", names}, {"sensitive", "s"},
                                                  {"publish", "randomized:p=entropy"})));
            assert_int_equal(verdict_of_shares(NULL), -1);
            assert_int_equal(verdict_of_shares(input), 1);
            if (alike || !exchange_shares()) continue;
            exchanged++;
            assert_int_equal(verdict_of_shares(input), 0);
        }
    assert_true(exchanged > 10);
}

/* Thirteen columns of 19 values and one of 33 have 9.5 parts of 140 each, and 16.5. */
static void too_many_halves_are_not_tried(void **state)
{
    (void)state;
    bt_buffer text = {0};
    bauta_error error;
    const char names[] = "q0,q1,q2,q3,q4,q5,q6,q7,q8,q9,q10,q11,q12,q13";
    assert_ok(bt_buffer_print(&text, &error, "%s,s\n", names), &error);
    for (unsigned r = 0; r < 19 * 33; r++) {
        for (unsigned c = 0; c < 13; c++)
            assert_ok(bt_buffer_print(&text, &error, "v%u,", r * (c + 1) % 19), &error);
        assert_ok(bt_buffer_print(&text, &error, "v%u,s%u\n", r % 33, r % 3), &error);
    }
    const char *input = scratch_write("halves.csv", text.bytes, text.length);
    use_new_folder(NULL);
    json_decref(anonymize(input, SETTINGS({"quasi", names}, {"sensitive", "s"},
                                          {"publish", "randomized:p=entropy"})));
    assert_int_equal(verdict_of_shares(input), -1);
    bt_buffer_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_original_itself_is_noticed),
        cmocka_unit_test(counts_that_are_too_close_are_noticed),
        cmocka_unit_test(faults_of_the_drawing_are_noticed),
        cmocka_unit_test(faults_of_several_columns_are_noticed),
        cmocka_unit_test(orders_of_few_combinations_are_noticed),
        cmocka_unit_test(what_cannot_be_told_is_unverifiable),
        cmocka_unit_test(the_share_that_is_told_is_noticed),
        cmocka_unit_test(values_left_as_they_were_are_noticed),
        cmocka_unit_test(honest_releases_are_not_refused),
        cmocka_unit_test(the_owner_sees_every_row),
        cmocka_unit_test(dropped_records_are_left_out),
        cmocka_unit_test(the_owner_sees_two_rows_exchanged),
        cmocka_unit_test(only_the_owner_can_draw_again),
        cmocka_unit_test(shares_follow_from_the_original),
        cmocka_unit_test(too_many_halves_are_not_tried),
        cmocka_unit_test(merged_values_are_what_they_became),
        cmocka_unit_test(the_owner_sees_every_row_of_merged_values),
    };
    return cmocka_run_group_tests_name("drawing", tests, job_prepare, scratch_empty);
}
