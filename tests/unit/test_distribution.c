/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `distribution`: what is in which file, targets and fakes, orders that lead nowhere,
 * what is refused, and what an audit says of a release that was changed.
 */
#define SCRATCH_IN_MEMORY
#include "jobs.h"
#include "release_files.h"

enum { ROWS_MOST = 512, FIELD_MOST = 80 };

/* ---- a table ---- */

/* Ages 20 to 59, two sexes, salaries 10 to 80, an illness. */
static const char *make_staff(uint64_t seed, int rows)
{
    static const char *const illnesses[] = {"flu", "cold", "hiv", "gout", "asthma"};
    bt_buffer text = {0};
    bauta_error error;
    assert_ok(bt_buffer_print(&text, &error, "age,sex,shift,salary,illness\n"), &error);
    for (int i = 0; i < rows; i++)
        assert_ok(bt_buffer_print(&text, &error, "%d,%c,%d,%d,%s\n",
                                  20 + (int)test_below(&seed, 40), "fm"[test_below(&seed, 2)],
                                  (int)test_below(&seed, 3), 10 * (1 + (int)test_below(&seed, 8)),
                                  illnesses[test_below(&seed, 5)]),
                  &error);
    const char *file = scratch_write("staff.csv", text.bytes, text.length);
    bt_buffer_release(&text);
    return file;
}

#define STAFF_OF_PAY                                                                               \
    {"quasi", "age,sex"}, {"other", "shift"}, {"sensitive", "salary"}, {"drop", "illness"},        \
    {                                                                                              \
        "hierarchy", "age=intervals:10,20"                                                         \
    }
#define STAFF_OF_ILLNESS                                                                           \
    {"quasi", "age,sex"}, {"other", "shift"}, {"sensitive", "illness"}, {"drop", "salary"},        \
    {                                                                                              \
        "hierarchy", "age=intervals:10,20"                                                         \
    }

/* ---- the files ---- */

typedef struct part_row {
    unsigned group;
    long low, high;
} part_row;

static size_t read_parts(part_row *rows)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, "sensitive.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_string_equal(lines[0], "group,low,high");
    assert_in_range(count, 2, ROWS_MOST);
    for (size_t i = 1; i < count; i++)
        assert_int_equal(
            sscanf(lines[i], "%u,%ld,%ld", &rows[i - 1].group, &rows[i - 1].low, &rows[i - 1].high),
            3);
    free(lines);
    bt_buffer_release(&text);
    return count - 1;
}

/* The rows of quasi.csv in each group, from 1. */
static size_t count_groups(unsigned *sizes)
{
    bt_buffer text = {0};
    size_t count;
    read_file(publish, "quasi.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_string_equal(lines[0], "age,sex,shift,group");
    memset(sizes, 0, ROWS_MOST * sizeof *sizes);
    for (size_t i = 1; i < count; i++) {
        unsigned group;
        assert_int_equal(sscanf(strrchr(lines[i], ',') + 1, "%u", &group), 1);
        assert_in_range(group, 1, ROWS_MOST - 1);
        sizes[group]++;
    }
    free(lines);
    bt_buffer_release(&text);
    return count - 1;
}

static int compare_longs(const void *a, const void *b)
{
    long x = *(const long *)a, y = *(const long *)b;
    return (x > y) - (x < y);
}

/* Every number of records of a group is in one row of bounds.csv, which says what sorting says. */
static void check_bounds(unsigned group, unsigned records, const part_row *rows, size_t count)
{
    long lows[ROWS_MOST], highs[ROWS_MOST], sum_low = 0, sum_high = 0;
    size_t parts = 0, line_count;
    unsigned next = 1;
    bt_buffer text = {0};
    for (size_t i = 0; i < count; i++)
        if (rows[i].group == group) {
            lows[parts] = rows[i].low;
            highs[parts++] = rows[i].high;
        }
    qsort(lows, parts, sizeof *lows, compare_longs);
    qsort(highs, parts, sizeof *highs, compare_longs);
    read_file(publish, "bounds.csv", &text);
    char **lines = split_lines(&text, &line_count);
    assert_string_equal(lines[0],
                        "group,selected,until,sum_low,sum_high,min_low,min_high,max_low,max_high");
    for (size_t i = 1; i < line_count; i++) {
        unsigned of, selected, until;
        long said[6];
        assert_int_equal(sscanf(lines[i], "%u,%u,%u,%ld,%ld,%ld,%ld,%ld,%ld", &of, &selected,
                                &until, &said[0], &said[1], &said[2], &said[3], &said[4], &said[5]),
                         9);
        if (of != group) continue;
        assert_int_equal(selected, next);
        for (unsigned c = selected; c <= until; c++) {
            sum_low += lows[c - 1];
            sum_high += highs[parts - c];
            assert_int_equal(said[0] + (c - selected) * said[4], sum_low);
            assert_int_equal(said[1] + (c - selected) * said[3], sum_high);
            assert_int_equal(said[2], lows[0]);
            assert_int_equal(said[3], highs[parts - c]);
            assert_int_equal(said[4], lows[c - 1]);
            assert_int_equal(said[5], highs[parts - 1]);
        }
        next = until + 1;
    }
    assert_int_equal(next, records + 1);
    free(lines);
    bt_buffer_release(&text);
}

static void files_say_what_follows(void **state)
{
    (void)state;
    static const char *const forms[] = {
        "distribution", "distribution:target=uniform,fake=3,allocation=optimal",
        "distribution:target=closest,fake=best:30%,allocation=optimal",
        "distribution:fake=20%,allocation=random"};
    static const char *const methods[] = {"whole", "columns:age@1", "identical", "identical:age@2"};
    part_row rows[ROWS_MOST];
    unsigned sizes[ROWS_MOST];
    const char *file = make_staff(7, 120);
    for (size_t i = 0; i < 16; i++) {
        use_new_folder(state);
        json_t *facts =
            anonymize(file, SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"},
                                     {"group", methods[i / 4]}, {"publish", forms[i % 4]}));
        size_t records = count_groups(sizes), parts = read_parts(rows);
        assert_int_equal(records, 120);
        assert_int_equal(parts, 120 + whole(facts, "fakes"));
        assert_int_equal(whole(facts, "classes") == 1, i / 4 == 0);
        int64_t ranges = 0, copies = 0;
        for (size_t r = 0; r < parts; r++)
            ranges += rows[r].high - rows[r].low;
        assert_int_equal(whole(facts, "sum_of_ranges"), ranges);
        const json_t *levels = json_object_get(facts, "copies");
        for (size_t l = 0; l < json_array_size(levels); l++)
            copies += json_integer_value(json_array_get(levels, l));
        assert_int_equal(copies, parts);
        for (unsigned g = 1; g <= whole(facts, "classes"); g++) {
            if (i % 4 == 1) {
                size_t here = 0;
                for (size_t r = 0; r < parts; r++)
                    here += rows[r].group == g;
                assert_int_equal(here, sizes[g] + 3); /* exactly so many */
            }
            check_bounds(g, sizes[g], rows, parts);
        }
        json_decref(facts);
    }
}

static void text_is_published_by_labels(void **state)
{
    (void)state;
    bt_buffer text = {0};
    const char *tree = scratch_text("ill.csv", "flu;cough;*\ncold;cough;*\nasthma;cough;*\n"
                                               "hiv;other;*\ngout;other;*\n\"a, b\";other;*\n");
    char spec[300];
    size_t count;
    snprintf(spec, sizeof spec, "illness=%s", tree);
    use_new_folder(state);
    json_t *facts = anonymize(make_staff(3, 200),
                              SETTINGS(STAFF_OF_ILLNESS, {"hierarchy", spec}, {"require", "l=3"},
                                       {"group", "whole"}, {"publish", "distribution:fake=5%"}));
    assert_int_equal(whole(facts, "fakes"), 10);
    read_file(publish, "sensitive.csv", &text);
    char **lines = split_lines(&text, &count);
    assert_string_equal(lines[0], "group,illness");
    assert_int_equal(count, 211);
    for (size_t i = 1; i < count; i++)
        assert_true(strcmp(lines[i], "1,*") == 0 || strcmp(lines[i], "1,cough") == 0 ||
                    strcmp(lines[i], "1,other") == 0 || strcmp(lines[i], "1,flu") == 0 ||
                    strcmp(lines[i], "1,cold") == 0 || strcmp(lines[i], "1,asthma") == 0 ||
                    strcmp(lines[i], "1,hiv") == 0 || strcmp(lines[i], "1,gout") == 0);
    free(lines);
    bt_buffer_release(&text);
    json_decref(facts);
    char path[400];
    snprintf(path, sizeof path, "%s/bounds.csv", publish);
    assert_int_not_equal(access(path, F_OK), 0);
}

/* What the domain takes of a manifest is known before it is written. */
static void the_size_of_the_manifest_is_foreseen(void **state)
{
    bauta_error error;
    bt_buffer table = {0}, text = {0};
    bt_arena arena = {0};
    bt_manifest manifest;
    assert_ok(bt_buffer_print(&table, &error, "q,s\n"), &error);
    for (int i = 0; i < 700; i++)
        assert_ok(bt_buffer_print(&table, &error, "%d,%d\n", i % 3, i * 1999), &error);
    assert_ok(bt_buffer_add(&table, "", 1, &error), &error);
    use_new_folder(state);
    json_decref(anonymize(scratch_text("wide.csv", table.bytes),
                          SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"require", "l=3"},
                                   {"group", "columns:q"}, {"publish", "distribution"})));
    read_file(publish, "manifest.json", &text);
    assert_ok(bt_manifest_read(text.bytes, strlen(text.bytes), &arena, &manifest, &error), &error);
    uint64_t foreseen =
        bt_manifest_domain_bytes(manifest.columns[1].hierarchy, manifest.target_count);
    assert_in_range(foreseen, strlen(text.bytes) * 9 / 10, strlen(text.bytes));
    bt_arena_release(&arena);
    bt_buffer_release(&text);
    bt_buffer_release(&table);
}

static void a_file_defines_the_domain(void **state)
{
    (void)state;
    char form[300];
    const char *file = scratch_text(
        "pay.csv", "value,weight\n0,1\n10,1\n20,1\n30,1\n40,1\n50,1\n60,1\n70,1\n80,1\n90,1\n");
    snprintf(form, sizeof form, "distribution:target=%s", file);
    use_new_folder(state);
    json_decref(anonymize(make_staff(5, 200), SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.2"},
                                                       {"group", "whole"}, {"publish", form})));
    json_t *manifest = load_json(publish, "manifest.json");
    assert_string_equal(json_string_value(json_object_get(manifest, "form")),
                        "distribution:target=file,per=release,weight-cap=16,fake=0,"
                        "allocation=random");
    const json_t *column = json_array_get(json_object_get(manifest, "columns"), 3);
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(column, "hierarchy"), "paths")), 10);
    json_decref(manifest);
}

/* How many values the manifest lists of the last column. */
static size_t count_listed(const char *key)
{
    json_t *manifest = load_json(publish, "manifest.json");
    const json_t *columns = json_object_get(manifest, "columns");
    const json_t *column = json_array_get(columns, json_array_size(columns) - 1);
    size_t count = json_array_size(json_object_get(json_object_get(column, "hierarchy"), "paths"));
    assert_string_equal(json_string_value(json_object_get(column, "name")), key);
    json_decref(manifest);
    return count;
}

/* Of a tree that is given only the values that a target gives a weight are published. The label of
 * a part is the one that it has in that tree: "cough", though a value that is not listed has it. */
static void values_without_weight_are_not_listed(void **state)
{
    static const struct {
        const char *form;
        bool whole; /* the hierarchy is public */
        size_t listed;
    } cases[] = {{"distribution", false, 5},
                 {"distribution:target=closest", false, 5},
                 {"distribution", true, 7},
                 {"distribution:target=uniform", false, 7}};
    char spec[300];
    snprintf(spec, sizeof spec, "illness=%s",
             scratch_text("ill.csv", "flu;cough;*\ncold;cough;*\nasthma;cough;*\nplague;rare;*\n"
                                     "hiv;other;*\ngout;other;*\ncough;rare;*\n"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        use_new_folder(state);
        json_decref(anonymize(make_staff(3, 200),
                              SETTINGS(STAFF_OF_ILLNESS, {"hierarchy", spec}, {"require", "t=0.8"},
                                       {"group", "whole"}, {"publish", cases[i].form},
                                       {cases[i].whole ? "public-hierarchy" : NULL, "illness"})));
        assert_int_equal(count_listed("illness"), cases[i].listed);
    }
}

/* Decimals have as many places as a file has that defines the domain. */
static void a_file_may_be_finer_than_the_table(void **state)
{
    char form[300];
    snprintf(form, sizeof form, "distribution:target=%s",
             scratch_text("fine.csv", "value,weight\n1.5,1\n2.5,1\n3.00125,1\n"));
    use_new_folder(state);
    json_decref(anonymize(scratch_text("decimals.csv", "q,s\n1,1.5\n2,2.5\n1,2.5\n2,1.5\n"),
                          SETTINGS({"quasi", "q"}, {"sensitive", "s"}, {"require", "alpha=0.5"},
                                   {"group", "whole"}, {"publish", form})));
    assert_int_equal(count_listed("s"), 3);
}

/* ---- orders and numbers ---- */

/* What stands in line i of the one file is independent of line i of the other: over many seeds the
 * published part of a record does not depend on its value. */
static void parts_do_not_depend_on_values(void **state)
{
    enum { SEEDS = 400, RECORDS = 8 };
    bt_buffer text = {0};
    part_row rows[ROWS_MOST];
    size_t count;
    double seen[RECORDS][RECORDS] = {{0}}, chi = 0;
    const char *file = scratch_text("eight.csv", "age,salary\n21,1\n22,2\n23,3\n24,4\n25,5\n26,6\n"
                                                 "27,7\n28,8\n");
    for (unsigned seed = 1; seed <= SEEDS; seed++) {
        char hex[16];
        bauta_error error;
        snprintf(hex, sizeof hex, "%x", seed);
        use_new_folder(state);
        bauta_recipe *recipe =
            make_recipe(file, (const setting[SETTINGS_MOST]){
                                  {"seed", hex},
                                  {"quasi", "age"},
                                  {"sensitive", "salary"},
                                  {"threads", "1"},
                                  {"require", "alpha=0.5"},
                                  {"group", "whole"},
                                  {"publish", "distribution:target=uniform,allocation=optimal"}});
        assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
        bauta_recipe_free(recipe);
        assert_int_equal(read_parts(rows), RECORDS);
        read_file(publish, "quasi.csv", &text);
        char **lines = split_lines(&text, &count);
        for (size_t i = 0; i < RECORDS; i++) {
            assert_int_equal(rows[i].low, rows[i].high); /* all go down to values */
            seen[atoi(lines[i + 1]) - 21][rows[i].low - 1]++;
        }
        free(lines);
    }
    for (size_t i = 0; i < RECORDS; i++)
        for (size_t j = 0; j < RECORDS; j++) {
            double expected = (double)SEEDS / RECORDS, off = seen[i][j] - expected;
            chi += off * off / expected;
        }
    /* 49 degrees of freedom: mean 49, and beyond 95 once in ten thousand */
    assert_true(chi > 20 && chi < 95);
    bt_buffer_release(&text);
}

static void threads_and_memory_do_not_matter(void **state)
{
    static const char *const names[] = {"quasi.csv", "sensitive.csv", "bounds.csv", "manifest.json",
                                        "query.sql"};
    static const char *const threads[] = {"1", "3"};
    bt_buffer texts[2][5] = {{{0}}};
    const char *file = make_staff(11, 400);
    for (size_t i = 0; i < 2; i++) {
        use_new_folder(state);
        json_decref(anonymize(
            file, SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "identical:age@1"},
                           {"publish", "distribution:target=closest,fake=2,allocation=random"},
                           {"threads", threads[i]}, {"memory", i ? "1M" : "64M"})));
        for (size_t f = 0; f < 5; f++)
            read_file(publish, names[f], &texts[i][f]);
    }
    for (size_t f = 0; f < 5; f++) {
        assert_string_equal(texts[0][f].bytes, texts[1][f].bytes);
        bt_buffer_release(&texts[0][f]);
        bt_buffer_release(&texts[1][f]);
    }
}

/* ---- refusals ---- */

static void what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *require, *publish, *key, *value, *message;
        bauta_status status;
    } wrong[] = {
        {"k=2,alpha=0.5", "distribution", "threads", "1", "does not take 'k=2'", BAUTA_INVALID},
        {"alpha=0.5", "distribution", "suppress", "0.1", "does not drop records", BAUTA_INVALID},
        {"alpha=0.5", "distribution:fake=best:2,allocation=random", "threads", "1",
         "does not go with 'fake=best:'", BAUTA_INVALID},
        {"alpha=0.5", "distribution:fake=200%,allocation=optimal", "threads", "1", "'fake'",
         BAUTA_INVALID},
        {"alpha=0.5", "distribution:fake=-1,allocation=optimal", "threads", "1", "'fake'",
         BAUTA_INVALID},
        {"alpha=0.5", "distribution:weight-cap=1,allocation=optimal", "threads", "1",
         "'weight-cap'", BAUTA_INVALID},
        {"alpha=0.5", "distribution:target=source,per=group,weight-cap=none,allocation=optimal",
         "threads", "1", "", BAUTA_INVALID},
        {"alpha=0.01", "distribution", "threads", "1", "alpha=0.01", BAUTA_NO},
        {"weight=2", "distribution", "threads", "1", "", BAUTA_INVALID},
        {"alpha=0.5", "distribution:target=/nowhere/at/all.csv,allocation=optimal", "threads", "1",
         "", BAUTA_INVALID},
    };
    bauta_error error;
    const char *file = make_staff(9, 60);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        use_new_folder(state);
        assert_refused(file,
                       SETTINGS(STAFF_OF_PAY, {"group", "whole"}, {"require", wrong[i].require},
                                {"publish", wrong[i].publish}, {wrong[i].key, wrong[i].value}),
                       wrong[i].status, &error, wrong[i].message);
    }
}

static void a_value_without_probability_is_refused(void **state)
{
    char form[300];
    bauta_error error;
    snprintf(form, sizeof form, "distribution:target=%s",
             scratch_text("few.csv", "value,weight\n10,1\n20,1\n30,1\n"));
    use_new_folder(state);
    assert_refused(
        make_staff(9, 60),
        SETTINGS(STAFF_OF_PAY, {"group", "whole"}, {"require", "alpha=0.5"}, {"publish", form}),
        BAUTA_INVALID, &error, "");
}

static void two_sensitive_columns_are_refused(void **state)
{
    bauta_error error;
    use_new_folder(state);
    assert_refused(make_staff(9, 60),
                   SETTINGS({"quasi", "age,sex"}, {"drop", "shift"},
                            {"sensitive", "salary,illness"}, {"group", "whole"},
                            {"require", "alpha=0.5"}, {"publish", "distribution"}),
                   BAUTA_INVALID, &error, "exactly one sensitive column, there are 2");
}

static void persons_are_refused(void **state)
{
    bauta_error error;
    use_new_folder(state);
    assert_refused(make_staff(9, 60),
                   SETTINGS({"quasi", "age,sex"}, {"drop", "shift"}, {"sensitive", "salary"},
                            {"subject", "illness"}, {"group", "whole"}, {"require", "alpha=0.5"},
                            {"publish", "distribution"}),
                   BAUTA_INVALID, &error, "persons with several rows");
}

/* Groups that are too small for the weights are fully generalized, and that is said. */
static void small_groups_are_fully_generalized(void **state)
{
    part_row rows[ROWS_MOST];
    use_new_folder(state);
    const char *file =
        scratch_text("small.csv", "age,salary\n20,1\n21,2\n22,3\n23,4\n24,5\n25,6\n");
    json_t *facts = anonymize(file, SETTINGS({"quasi", "age"}, {"sensitive", "salary"},
                                             {"require", "alpha=0.5"}, {"group", "identical"},
                                             {"publish", "distribution"}));
    assert_int_equal(whole(facts, "fully_generalized"), 6);
    assert_int_equal(read_parts(rows), 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(rows[i].low == 1 && rows[i].high == 6);
    json_decref(facts);
}

/* ---- other groupings, other forms ---- */

static void groupings_go_with_other_forms(void **state)
{
    bauta_error error;
    const char *file = make_staff(13, 200);
    use_new_folder(state);
    json_t *facts =
        anonymize(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5,l=2"},
                                 {"group", "columns:age@1"}, {"publish", "two-tables"}));
    assert_int_equal(whole(facts, "classes"), 4);
    json_decref(facts);
    use_new_folder(state);
    json_decref(anonymize(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "whole"},
                                         {"publish", "generalized"})));
    use_new_folder(state);
    assert_refused(file,
                   SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "identical"},
                            {"publish", "generalized"}),
                   BAUTA_NO, &error, "do not satisfy 'k=5'");
    use_new_folder(state);
    assert_refused(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "columns:age@7"}),
                   BAUTA_INVALID, &error, "the highest is 3");
    use_new_folder(state);
    assert_refused(file,
                   SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "columns:illness"}),
                   BAUTA_INVALID, &error, "would tell them");
    use_new_folder(state);
    assert_refused(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "columns:agee"}),
                   BAUTA_INVALID, &error, "no quasi column 'agee'");
    use_new_folder(state);
    assert_refused(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "k=5"}, {"group", "columns"}),
                   BAUTA_INVALID, &error, "needs the columns");
}

static void other_groupings_go_with_the_form(void **state)
{
    static const char *const methods[] = {"mondrian", "anatomy:l=2"};
    const char *file = make_staff(17, 200);
    for (size_t i = 0; i < 2; i++) {
        use_new_folder(state);
        json_t *facts =
            anonymize(file, SETTINGS(STAFF_OF_ILLNESS, {"require", "l=2"}, {"group", methods[i]},
                                     {"publish", "distribution:target=closest"}));
        assert_true(whole(facts, "classes") > 3);
        json_decref(facts);
    }
}

/* ---- tampering ---- */

static json_t *audit_facts(void)
{
    bauta_report *report;
    bauta_error error;
    bauta_status status = bauta_audit(publish, NULL, &report, &error);
    assert_true(status == BAUTA_OK || status == BAUTA_NO);
    return take_facts(report);
}

/* Replaces the first occurrence of a text in a published file by one of any length. */
static void change(const char *name, const char *from, const char *to)
{
    bt_buffer text = {0}, made = {0};
    bauta_error error;
    char path[512];
    read_file(publish, name, &text);
    char *at = strstr(text.bytes, from);
    assert_non_null(at);
    assert_ok(bt_buffer_print(&made, &error, "%.*s%s%s", (int)(at - text.bytes), text.bytes, to,
                              at + strlen(from)),
              &error);
    snprintf(path, sizeof path, "%s/%s", publish, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(made.bytes, 1, made.length, file), made.length);
    assert_int_equal(fclose(file), 0);
    bt_buffer_release(&text);
    bt_buffer_release(&made);
}

static void changes_are_found(void **state)
{
    static const struct {
        const char *file, *from, *to, *promise;
    } changes[] = {
        {"sensitive.csv", ",10,40\n", ",50,80\n", "P-privacy"},
        {"sensitive.csv", ",10,40\n", ",10,50\n", "P-privacy"},
        {"sensitive.csv", ",10,40\n", ",10,040\n", "P-privacy"},
        {"sensitive.csv", ",10,40\n", ",40,10\n", "P-privacy"},
        {"bounds.csv", "\n1,1,", "\n1,2,", "bounds"},
        {"query.sql", "max_low", "min_low", "query files"},
        {"manifest.json", "\"value\": \"0.6\"", "\"value\": \"0.01\"", "alpha=0.01"},
        {"manifest.json", "\"name\": \"alpha\"", "\"name\": \"k\"", "promises"},
    };
    const char *file = make_staff(21, 300);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        use_new_folder(state);
        json_decref(anonymize(
            file, SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "columns:age@1"},
                           {"publish", "distribution:target=uniform,allocation=random"})));
        change(changes[i].file, changes[i].from, changes[i].to);
        json_t *facts = audit_facts();
        assert_false(json_is_true(json_object_get(facts, "holds")));
        if (test_verdict(facts, changes[i].promise) != 0) fail_msg("change %zu is not found", i);
        json_decref(facts);
    }
}

/* Weights that are not those of a target, or not for these groups. */
static void changed_targets_are_found(void **state)
{
    bauta_error error;
    const char *file = make_staff(23, 300);
    for (int kind = 0; kind < 4; kind++) {
        use_new_folder(state);
        json_decref(anonymize(
            file, SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "columns:age@1"},
                           {"publish", "distribution:target=closest,allocation=optimal"})));
        json_t *manifest = load_json(publish, "manifest.json");
        json_t *target = json_array_get(json_object_get(manifest, "targets"), 0);
        json_t *weights = json_object_get(target, "weights");
        if (kind == 0) json_array_set_new(weights, 1, json_integer(4001));
        if (kind == 1) json_array_remove(weights, 3);
        if (kind == 2) json_array_clear(json_object_get(target, "groups"));
        if (kind == 3) json_object_del(target, "groups");
        char path[512];
        snprintf(path, sizeof path, "%s/manifest.json", publish);
        assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
        json_decref(manifest);
        if (kind == 3) {
            assert_fails(bauta_audit(publish, NULL, NULL, &error), BAUTA_INVALID, &error,
                         "which groups");
            continue;
        }
        json_t *facts = audit_facts();
        assert_false(json_is_true(json_object_get(facts, "holds")));
        assert_int_equal(test_verdict(facts, kind == 0 ? "P-privacy" : "targets"), 0);
        json_decref(facts);
    }
}

/* A record whose value no part of its group holds. */
static void another_original_is_found(void **state)
{
    bauta_error error;
    const setting *settings =
        SETTINGS({"quasi", "age"}, {"sensitive", "salary"}, {"require", "alpha=0.5"},
                 {"group", "whole"}, {"publish", "distribution:target=uniform,allocation=optimal"});
    const char *file = scratch_text("four.csv", "age,salary\n20,1\n21,2\n22,3\n23,4\n");
    const char *other = scratch_text("five.csv", "age,salary\n20,1\n21,1\n22,3\n23,4\n");
    use_new_folder(state);
    json_decref(anonymize(file, settings));
    bauta_recipe *recipe = make_recipe(other, settings);
    bauta_report *report;
    assert_int_equal(bauta_audit(publish, recipe, &report, &error), BAUTA_NO);
    json_t *facts = take_facts(report);
    assert_int_equal(test_verdict(facts, "original parts"), 0);
    assert_int_equal(test_verdict(facts, "original records"), 1);
    json_decref(facts);
    bauta_recipe_free(recipe);
}

/* What `t` compares with is shown to be the original's, or not. */
static void the_reference_is_checked(void **state)
{
    bauta_error error;
    bauta_report *report;
    const setting *settings =
        SETTINGS(STAFF_OF_PAY, {"require", "t=0.5:ordered"}, {"group", "columns:age@1"},
                 {"publish", "distribution:target=closest,weight-cap=9,allocation=optimal"});
    const char *file = make_staff(27, 150);
    use_new_folder(state);
    json_decref(anonymize(file, settings));
    json_t *facts = audit_facts();
    assert_int_equal(test_verdict(facts, "reference"), -1);
    assert_int_equal(test_verdict(facts, "t=0.5:ordered"), 1);
    json_decref(facts);
    for (int changed = 0; changed < 2; changed++) {
        if (changed) {
            json_t *manifest = load_json(publish, "manifest.json");
            json_t *weights = json_object_get(json_object_get(manifest, "reference"), "weights");
            for (size_t i = 0; i < json_array_size(weights); i++)
                json_array_set_new(weights, i, json_integer(1));
            char path[512];
            snprintf(path, sizeof path, "%s/manifest.json", publish);
            assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
            json_decref(manifest);
        }
        bauta_recipe *recipe = make_recipe(file, settings);
        assert_int_equal(bauta_audit(publish, recipe, &report, &error),
                         changed ? BAUTA_NO : BAUTA_OK);
        facts = take_facts(report);
        assert_int_equal(test_verdict(facts, "reference"), !changed);
        json_decref(facts);
        bauta_recipe_free(recipe);
    }
}

/* ---- what target= says ---- */

/* What the audit says of the target, with the original (NULL: from the files alone). */
static int verdict_of_target(const char *original)
{
    bauta_recipe *recipe = make_recipe(original, SETTINGS({"threads", "2"}));
    bauta_report *report;
    bauta_error error;
    bauta_status status = bauta_audit(publish, recipe, &report, &error);
    bauta_recipe_free(recipe);
    assert_true(status == BAUTA_OK || status == BAUTA_NO);
    json_t *facts = take_facts(report);
    int verdict = test_verdict(facts, "target");
    json_decref(facts);
    return verdict;
}

/* Lets the manifest say another target. */
static void rename_target(const char *from, const char *to)
{
    char path[512], text[FIELD_MOST];
    json_t *manifest = load_json(publish, "manifest.json");
    const char *form = json_string_value(json_object_get(manifest, "form"));
    const char *at = strstr(form, from);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s", (int)(at - form), form, to, at + strlen(from));
    json_object_set_new(manifest, "form", json_string(text));
    snprintf(path, sizeof path, "%s/manifest.json", publish);
    assert_int_equal(json_dump_file(manifest, path, JSON_INDENT(2)), 0);
    json_decref(manifest);
}

static void targets_follow_from_the_form(void **state)
{
    static const struct {
        const char *target, *other; /* that it is not */
        bool pay;
        int files, original; /* verdicts */
    } cases[] = {
        {"uniform", "zipf:1", true, 1, 1},
        {"uniform,per=group", NULL, true, 1, 1},
        {"uniform,weight-cap=3", "zipf:2", false, 1, 1},
        {"uniform,weight-cap=none", "normal:40,2", true, 1, 1},
        {"zipf:1", "uniform", true, 1, 1},
        {"zipf:0.5", "zipf:2", false, 1, 1},
        {"zipf:0.7,weight-cap=none", "zipf:0.8", false, 1, 1},
        {"normal:40,12", "normal:50,12", true, 1, 1},
        {"normal:40,12,weight-cap=7", "normal:40,50", true, 1, 1},
        {"normal:40,12,weight-cap=none", "normal:40.1,12", true, 1, 1},
        {"source", "uniform", true, -1, 1},
        {"source,weight-cap=none", "zipf:1", false, -1, 1},
        {"source,per=group", NULL, true, -1, -1},
        {"closest", NULL, true, -1, -1},
    };
    char file[300], spec[300];
    snprintf(file, sizeof file, "%s", make_staff(31, 400));
    snprintf(spec, sizeof spec, "illness=%s",
             scratch_text("ill.csv", "flu;cough;*\ncold;cough;*\nasthma;cough;*\n"
                                     "plague;rare;*\nhiv;other;*\ngout;other;*\n"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char form[100], name[40];
        snprintf(form, sizeof form, "distribution:target=%s,allocation=optimal", cases[i].target);
        use_new_folder(state);
        json_decref(anonymize(file, cases[i].pay
                                        ? SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.8"},
                                                   {"group", "columns:age@1"}, {"publish", form})
                                        : SETTINGS(STAFF_OF_ILLNESS, {"hierarchy", spec},
                                                   {"require", "alpha=0.8"},
                                                   {"group", "columns:age@1"}, {"publish", form})));
        if (verdict_of_target(NULL) != cases[i].files ||
            verdict_of_target(file) != cases[i].original)
            fail_msg("target=%s: %d and %d", cases[i].target, verdict_of_target(NULL),
                     verdict_of_target(file));
        if (!cases[i].other) continue;
        snprintf(name, sizeof name, "%s", cases[i].target);
        if (strstr(name, ",weight-cap")) *strstr(name, ",weight-cap") = '\0';
        rename_target(name, cases[i].other);
        if (verdict_of_target(NULL) != 0)
            fail_msg("target=%s is taken for %s", cases[i].target, cases[i].other);
    }
}

/* A target of the original's values is not that of another table; with `t` the files tell it. */
static void the_source_is_the_original(void **state)
{
    const char *form = "distribution:target=source,allocation=optimal";
    char four[300];
    snprintf(four, sizeof four, "%s",
             scratch_text("four.csv", "age,salary\n20,1\n21,2\n22,3\n23,4\n"));
    const char *other = scratch_text("five.csv", "age,salary\n20,1\n21,1\n22,3\n23,4\n");
    use_new_folder(state);
    json_decref(
        anonymize(four, SETTINGS({"quasi", "age"}, {"sensitive", "salary"},
                                 {"require", "alpha=0.5"}, {"group", "whole"}, {"publish", form})));
    assert_int_equal(verdict_of_target(NULL), 1); /* all values show */
    assert_int_equal(verdict_of_target(four), 1);
    assert_int_equal(verdict_of_target(other), 0);
    use_new_folder(state);
    json_decref(
        anonymize(make_staff(33, 300), SETTINGS(STAFF_OF_PAY, {"require", "t=0.5:ordered"},
                                                {"group", "columns:age@1"}, {"publish", form})));
    assert_int_equal(verdict_of_target(NULL), 1);
    use_new_folder(state);
    json_decref(
        anonymize(make_staff(33, 300),
                  SETTINGS(STAFF_OF_PAY, {"require", "t=0.9:ordered"}, {"group", "columns:age@1"},
                           {"publish", "distribution:target=zipf:1,allocation=optimal"})));
    rename_target("zipf:1", "source");
    assert_int_equal(verdict_of_target(NULL), 0);
    rename_target("source", "normal");
    assert_int_equal(verdict_of_target(NULL), -1); /* the name of a file, for all one knows */
    rename_target("normal", "zipf:-1");
    assert_int_equal(verdict_of_target(NULL), 0);
}

/* ---- before anything is written ---- */

/* A file that is read for the target is not written over. */
static void a_target_is_not_written_over(void **state)
{
    bauta_error error;
    char form[500], file[400];
    const char *staff = make_staff(5, 100);
    use_new_folder(state);
    const setting *settings = SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "whole"},
                                       {"publish", "distribution:allocation=optimal"});
    json_decref(anonymize(staff, settings));
    snprintf(file, sizeof file, "%s/sensitive.csv", publish);
    snprintf(form, sizeof form, "distribution:allocation=optimal,target=%s", file);
    assert_fails(run(staff,
                     SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "whole"},
                              {"publish", form}, {"force", "yes"}),
                     NULL, &error),
                 BAUTA_USAGE, &error, "would be written over");
    assert_int_equal(access(file, F_OK), 0);
}

static void keep_notice(void *user, const char *text)
{
    assert_int_not_equal(access(publish, F_OK), 0);
    snprintf(user, FIELD_MOST, "%s", text);
}

static void targets_are_told_before_anything_is_written(void **state)
{
    char notice[FIELD_MOST] = "";
    bauta_error error;
    bauta_report *report;
    const char *file = make_staff(25, 100);
    bauta_recipe *recipe = make_recipe(
        file, SETTINGS(STAFF_OF_PAY, {"require", "alpha=0.6"}, {"group", "whole"},
                       {"publish", "distribution:target=normal:40,20,allocation=optimal"}));
    use_new_folder(state);
    bauta_recipe_on_notice(recipe, keep_notice, notice);
    assert_ok(bauta_anonymize(recipe, out, NULL, &error), &error);
    assert_non_null(strstr(notice, "the target distribution is 0."));
    bauta_recipe_on_notice(recipe, NULL, NULL);
    assert_ok(bauta_preview(recipe, NULL, &report, &error), &error);
    json_t *facts = take_facts(report);
    const json_t *only = json_array_get(json_object_get(facts, "tries"), 0);
    const json_t *shares = json_object_get(json_object_get(only, "targets"), "distribution");
    assert_int_equal(json_array_size(shares), 8);
    double realised = 0, wanted = 0;
    for (size_t i = 0; i < 8; i++) {
        realised += real(json_array_get(shares, i), "realised");
        wanted += real(json_array_get(shares, i), "wanted");
    }
    assert_true(realised > 0.999 && realised < 1.001 && wanted > 0.999 && wanted < 1.001);
    json_decref(facts);
    bauta_recipe_free(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_say_what_follows),
        cmocka_unit_test(text_is_published_by_labels),
        cmocka_unit_test(the_size_of_the_manifest_is_foreseen),
        cmocka_unit_test(a_file_defines_the_domain),
        cmocka_unit_test(values_without_weight_are_not_listed),
        cmocka_unit_test(a_file_may_be_finer_than_the_table),
        cmocka_unit_test(parts_do_not_depend_on_values),
        cmocka_unit_test(threads_and_memory_do_not_matter),
        cmocka_unit_test(what_cannot_be_is_refused),
        cmocka_unit_test(a_value_without_probability_is_refused),
        cmocka_unit_test(two_sensitive_columns_are_refused),
        cmocka_unit_test(persons_are_refused),
        cmocka_unit_test(small_groups_are_fully_generalized),
        cmocka_unit_test(groupings_go_with_other_forms),
        cmocka_unit_test(other_groupings_go_with_the_form),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(changed_targets_are_found),
        cmocka_unit_test(another_original_is_found),
        cmocka_unit_test(the_reference_is_checked),
        cmocka_unit_test(targets_follow_from_the_form),
        cmocka_unit_test(the_source_is_the_original),
        cmocka_unit_test(a_target_is_not_written_over),
        cmocka_unit_test(targets_are_told_before_anything_is_written),
    };
    return cmocka_run_group_tests(tests, job_prepare, scratch_empty);
}
