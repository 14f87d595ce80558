/* SPDX-License-Identifier: Apache-2.0
 *
 * Releases in two tables, written by hand: opening them, and what an audit finds in them. Tables
 * are those of paper 1.
 */
#include "release_files.h"

#include "reading/release.h"

static const char columns[] = TEST_QUASI_TEXT("Job") "," TEST_QUASI_INTEGER(
    "Birth") "," TEST_QUASI_INTEGER("Postcode") "," TEST_SENSITIVE("Illness");

static const char promises[] =
    "{\"name\":\"k\",\"value\":\"2\"},{\"name\":\"alpha\",\"value\":\"0.5\"}";

/* Tables 5 and 6 as they are printed: line by line they are the original. */
static const char nss[] = "Job,Birth,Postcode,class\n"
                          "clerk,1975,4350,1\n"
                          "manager,1955,4350,1\n"
                          "clerk,1955,5432,2\n"
                          "factory worker,1955,5432,2\n"
                          "factory worker,1975,4350,3\n"
                          "technical supporter,1940,4350,3\n";
static const char ss[] = "class,Illness\n1,HIV\n1,flu\n2,flu\n2,fever\n3,flu\n3,fever\n";

/* The same in orders that tell nothing. */
static const char shuffled_nss[] = "Job,Birth,Postcode,class\n"
                                   "factory worker,1975,4350,3\n"
                                   "clerk,1975,4350,1\n"
                                   "technical supporter,1940,4350,3\n"
                                   "clerk,1955,5432,2\n"
                                   "manager,1955,4350,1\n"
                                   "factory worker,1955,5432,2\n";
static const char shuffled_ss[] = "class,Illness\n2,flu\n3,fever\n1,flu\n1,HIV\n2,fever\n3,flu\n";

static const char original[] = "Job,Birth,Postcode,Illness\n"
                               "clerk,1975,4350,HIV\n"
                               "manager,1955,4350,flu\n"
                               "clerk,1955,5432,flu\n"
                               "factory worker,1955,5432,fever\n"
                               "factory worker,1975,4350,flu\n"
                               "technical supporter,1940,4350,fever\n";

/* Audits a folder and expects the verdict of one promise; the whole holds exactly when `holds`.
 * Any number of threads finds the same. */
static void expect_folder(const char *folder, const char *records, const char *promise, int verdict,
                          bool holds)
{
    static const char *const threads[] = {"1", "2", "7"};
    json_t *first = NULL;
    const char *file = records ? scratch_text("original.csv", records) : NULL;
    for (size_t i = 0; i < 3; i++) {
        bauta_error error;
        bauta_report *report = NULL;
        bauta_recipe *recipe = test_original(file, threads[i]);
        bauta_status status = bauta_audit(folder, recipe, &report, &error);
        if (status != (holds ? BAUTA_OK : BAUTA_NO)) fail_msg("%d: %s", status, error.message);
        json_t *facts = report->facts.root;
        assert_int_equal(test_verdict(facts, promise), verdict);
        assert_string_equal(json_string_value(json_object_get(facts, "form")), "two-tables");
        if (!first) first = json_incref(facts);
        assert_true(json_equal(first, facts));
        bauta_report_free(report);
        bauta_recipe_free(recipe);
    }
    json_decref(first);
}

static void expect(const char *quasi, const char *sensitive, const char *records,
                   const char *promise, int verdict, bool holds)
{
    const test_release files = {
        .columns = columns, .promises = promises, .quasi = quasi, .sensitive = sensitive};
    expect_folder(test_release_write("audited", &files), records, promise, verdict, holds);
}

/* ---- opening ---- */

static void opens_with_classes_rows_and_bags(void **state)
{
    (void)state;
    const test_release files = {
        .columns = columns, .quasi = shuffled_nss, .sensitive = shuffled_ss};
    bauta_error error;
    bt_run run;
    bt_release release;
    bt_class_rows rows;
    test_run_open(&run, 2);
    assert_ok(bt_release_open(test_release_write("pair", &files), &run, &release, &error), &error);
    assert_true(release.form->pair && !release.form->join);
    assert_int_equal(release.rows, 6);
    assert_int_equal(bt_sensitive_rows(&release), 6);
    assert_int_equal(release.classes.count, 3);
    assert_string_equal(release.bags.name, "class");
    static const uint32_t numbers[] = {3, 1, 2}, first_rows[] = {0, 1, 3};
    assert_memory_equal(release.bags.number, numbers, sizeof numbers);
    assert_memory_equal(release.classes.row, first_rows, sizeof first_rows);
    assert_int_equal(release.bags.unequal, 0);
    assert_null(release.foreign);
    static const uint32_t quasi_order[] = {0, 2, 1, 4, 3, 5},
                          sensitive_order[] = {1, 5, 2, 3, 0, 4};
    static const size_t starts[] = {0, 2, 4, 6};
    assert_ok(bt_release_arrange(&release, BT_QUASI_FILE, &run, &rows, &error), &error);
    assert_memory_equal(rows.order, quasi_order, sizeof quasi_order);
    assert_memory_equal(rows.starts, starts, sizeof starts);
    bt_class_rows_release(&rows);
    assert_ok(bt_release_arrange(&release, BT_SENSITIVE_FILE, &run, &rows, &error), &error);
    assert_memory_equal(rows.order, sensitive_order, sizeof sensitive_order);
    assert_memory_equal(rows.starts, starts, sizeof starts);
    bt_class_rows_release(&rows);
    assert_int_equal(release.columns[1].file, BT_QUASI_FILE);
    assert_int_equal(release.columns[1].place, 1);
    assert_int_equal(release.columns[3].file, BT_SENSITIVE_FILE);
    assert_int_equal(release.columns[3].place, 1);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

/* Quasi texts are values, whatever they look like. */
static void values_are_not_cells(void **state)
{
    (void)state;
    const test_release files = {.columns = TEST_QUASI_TEXT("city") "," TEST_QUASI_INTEGER(
                                    "age") "," TEST_SENSITIVE("class"),
                                .quasi = "city,age,class_2\n*,4,1\n{a|b},,1\n,x,2\n\\*,5,2\n",
                                .sensitive = "class_2,class\n1,u\n2,v\n1,v\n2,u\n"};
    bauta_error error;
    bt_run run;
    bt_release release;
    bt_arena arena = {0};
    bt_cell cell;
    test_run_open(&run, 1);
    assert_ok(bt_release_open(test_release_write("values", &files), &run, &release, &error),
              &error);
    const bt_release_column *city = &release.columns[0], *age = &release.columns[1];
    for (int64_t row = 0; row < 4; row++) {
        uint32_t code = bt_code_at(city->codes, city->width, row);
        assert_true(city->well_formed[code]);
        assert_int_equal(city->cells[code].kind, row == 2 ? BT_CELL_MISSING : BT_CELL_VALUE);
        assert_ok(bt_release_cell(city, code, &arena, &cell, &error), &error);
        if (row == 1) assert_string_equal(cell.text[0], "{a|b}");
        assert_int_equal(cell.count, row != 2);
    }
    static const bool formed[] = {true, true, false, true};
    for (int64_t row = 0; row < 4; row++) {
        uint32_t code = bt_code_at(age->codes, age->width, row);
        assert_int_equal(age->well_formed[code], formed[row]);
        if (row == 3) assert_int_equal(age->cells[code].lo, 5);
    }
    bt_arena_release(&arena);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

static void not_opened(const test_release *files, const char *text)
{
    bauta_error error;
    bt_run run;
    bt_release release;
    test_run_open(&run, 1);
    assert_fails(bt_release_open(test_release_write("wrong", files), &run, &release, &error),
                 BAUTA_INVALID, &error, text);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

static void what_is_no_release_is_refused(void **state)
{
    (void)state;
    test_release files = {.columns = columns, .quasi = shuffled_nss, .sensitive = shuffled_ss};
    files.remark = "join them as you like";
    not_opened(&files, "lacks the remark");
    files.remark = NULL;
    files.quasi = "Job,Birth,class,Postcode\n";
    not_opened(&files, "the header is not");
    files.quasi = shuffled_nss;
    files.sensitive = "Illness,class\nflu,1\n";
    not_opened(&files, "the header is not");
    files.sensitive = shuffled_ss;
    files.columns =
        "{\"name\":\"Job\",\"role\":\"quasi\",\"type\":\"text\",\"hierarchy\":{\"spec\":\"flat\","
        "\"leaves\":2,\"levels\":2,\"nodes\":[]}}," TEST_SENSITIVE("Illness");
    not_opened(&files, "has a hierarchy");
}

/* ---- Definition 1, from the files alone ---- */

static void shuffled_tables_hold(void **state)
{
    (void)state;
    static const char *const found[] = {
        "k=2", "alpha=0.5", "classes", "class numbers", "query files", "linkage", "canonical text"};
    for (size_t i = 0; i < sizeof found / sizeof *found; i++)
        expect(shuffled_nss, shuffled_ss, NULL, found[i], 1, true);
    expect(shuffled_nss, shuffled_ss, NULL, "rows", -1, true);
    expect(shuffled_nss, shuffled_ss, NULL, "order", -1, true); /* too few rows to tell */
}

static void printed_tables_are_refused(void **state)
{
    (void)state;
    expect(nss, ss, NULL, "order", 0, false);
    expect(nss, shuffled_ss, NULL, "order", 0, false); /* the one is sorted */
    expect(shuffled_nss, ss, NULL, "order", 0, false);
    /* in the same order, though not sorted */
    expect(shuffled_nss, "class,Illness\n3,flu\n1,HIV\n3,fever\n2,flu\n1,flu\n2,fever\n", NULL,
           "order", 0, false);
    /* in the same order, but backwards */
    expect(shuffled_nss, "class,Illness\n2,flu\n1,HIV\n2,fever\n3,flu\n1,flu\n3,fever\n", NULL,
           "order", 0, false);
}

static void bags_are_judged(void **state)
{
    (void)state;
    /* two of two are flu */
    expect(shuffled_nss, "class,Illness\n2,flu\n3,fever\n1,flu\n1,HIV\n2,flu\n3,flu\n", NULL,
           "alpha=0.5", 0, false);
    /* a class of one */
    expect("Job,Birth,Postcode,class\nclerk,1975,4350,2\nmanager,1955,4350,1\nclerk,1955,5432,2\n",
           "class,Illness\n2,flu\n2,HIV\n1,flu\n", NULL, "linkage", 0, false);
    expect("Job,Birth,Postcode,class\nclerk,1975,4350,2\nmanager,1955,4350,1\nclerk,1955,5432,2\n",
           "class,Illness\n2,flu\n2,HIV\n1,flu\n", NULL, "k=2", 0, false);
}

static void classes_must_agree(void **state)
{
    (void)state;
    /* one row fewer; a row of another class; a class that the other file does not have */
    expect(shuffled_nss, "class,Illness\n2,flu\n3,fever\n1,flu\n1,HIV\n2,fever\n", NULL, "classes",
           0, false);
    expect(shuffled_nss, "class,Illness\n2,flu\n3,fever\n1,flu\n1,HIV\n2,fever\n1,flu\n", NULL,
           "classes", 0, false);
    expect(shuffled_nss, "class,Illness\n2,flu\n4,fever\n1,flu\n1,HIV\n2,fever\n4,flu\n", NULL,
           "classes", 0, false);
}

static void numbers_must_be_a_permutation(void **state)
{
    (void)state;
    static const char *const tables[][2] = {
        {"Job,Birth,Postcode,class\na,1,1,7\nb,1,1,2\nc,1,1,2\nd,1,1,7\n",
         "class,Illness\n2,x\n7,x\n7,y\n2,y\n"},
        {"Job,Birth,Postcode,class\na,1,1,01\nb,1,1,2\nc,1,1,2\nd,1,1,01\n",
         "class,Illness\n2,x\n01,x\n01,y\n2,y\n"},
        {"Job,Birth,Postcode,class\na,1,1,\nb,1,1,2\nc,1,1,2\nd,1,1,\n",
         "class,Illness\n2,x\n,x\n,y\n2,y\n"},
        {"Job,Birth,Postcode,class\na,1,1,0\nb,1,1,1\nc,1,1,1\nd,1,1,0\n",
         "class,Illness\n1,x\n0,x\n0,y\n1,y\n"},
        {"Job,Birth,Postcode,class\na,1,1,zip 4\nb,1,1,1\nc,1,1,1\nd,1,1,zip 4\n",
         "class,Illness\n1,x\nzip 4,x\nzip 4,y\n1,y\n"},
    };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        expect(tables[i][0], tables[i][1], NULL, "class numbers", 0, false);
}

static void one_class_has_no_order(void **state)
{
    (void)state;
    expect("Job,Birth,Postcode,class\na,1,1,1\nb,1,1,1\n", "class,Illness\n1,x\n1,y\n", NULL,
           "order", 1, true);
}

/* Most lines in the same order are as bad as all of them. */
static void nearly_the_same_order_is_refused(void **state)
{
    (void)state;
    enum { ROWS = 600, MOVED = 60 };
    bt_buffer quasi = {0}, sensitive = {0};
    bauta_error error;
    uint64_t random = 9;
    unsigned classes[ROWS];
    for (unsigned i = 0; i < ROWS; i++)
        classes[i] = i / 3 + 1;
    for (unsigned i = ROWS; i > 1; i--) {
        unsigned j = (unsigned)test_below(&random, i), swap = classes[i - 1];
        classes[i - 1] = classes[j];
        classes[j] = swap;
    }
    unsigned other[ROWS];
    for (unsigned i = 0; i < ROWS; i++)
        other[i] = i;
    for (unsigned i = ROWS; i > 1; i--) {
        unsigned j = (unsigned)test_below(&random, i), swap = other[i - 1];
        other[i - 1] = other[j];
        other[j] = swap;
    }
    for (int round = 0; round < 3; round++) {
        quasi.length = sensitive.length = 0;
        assert_ok(bt_buffer_print(&quasi, &error, "Job,Birth,Postcode,class\n"), &error);
        assert_ok(bt_buffer_print(&sensitive, &error, "class,Illness\n"), &error);
        for (unsigned i = 0; i < ROWS; i++) {
            unsigned from = i < ROWS - MOVED ? i : 2 * ROWS - MOVED - 1 - i;
            assert_ok(bt_buffer_print(&quasi, &error, "j%u,1,1,%u\n", i * 287 % ROWS, classes[i]),
                      &error);
            if (round == 1) from = (i + ROWS / 2) % ROWS; /* no line is left where it was */
            if (round == 2) from = other[i];
            assert_ok(
                bt_buffer_print(&sensitive, &error, "%u,v%u\n", classes[from], i * 287 % ROWS),
                &error);
        }
        assert_ok(bt_buffer_add(&quasi, "", 1, &error), &error);
        assert_ok(bt_buffer_add(&sensitive, "", 1, &error), &error);
        expect(quasi.bytes, sensitive.bytes, NULL, "order", round == 2, round == 2);
    }
    bt_buffer_release(&quasi);
    bt_buffer_release(&sensitive);
}

static void values_must_be_canonical(void **state)
{
    (void)state;
    expect("Job,Birth,Postcode,class\na,01,1,2\nb,1,1,1\nc,1,1,1\nd,1,1,2\n",
           "class,Illness\n2,x\n1,x\n2,y\n1,y\n", NULL, "cells", 0, false);
    expect("Job,Birth,Postcode,class\n\"a\",1,1,2\nb,1,1,1\nc,1,1,1\nd,1,1,2\n",
           "class,Illness\n2,x\n1,x\n2,y\n1,y\n", NULL, "canonical text", 0, false);
}

static void sql_files_follow_from_the_manifest(void **state)
{
    (void)state;
    const test_release files = {
        .columns = columns, .promises = promises, .quasi = shuffled_nss, .sensitive = shuffled_ss};
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        char name[64];
        const char *folder = test_release_write("altered", &files);
        snprintf(name, sizeof name, "altered/%s", bt_sql_names[i]);
        FILE *file = fopen(scratch_name(name), "ab");
        assert_non_null(file);
        fputs("-- the clerk has HIV\n", file);
        fclose(file);
        expect_folder(folder, NULL, "query files", 0, false);
        scratch_text(name, "");
        expect_folder(folder, NULL, "query files", 0, false);
    }
}

/* Categories beside the values, and files that are not as long as each other: whatever a manifest
 * says, nothing is read that is not there. */
static void unequal_files_with_categories(void **state)
{
    (void)state;
    static const char with_categories[] =
        TEST_QUASI_TEXT("q") ",{\"name\":\"s\",\"role\":\"sensitive\",\"type\":\"text\","
                             "\"categories\":[{\"name\":\"one\",\"values\":[\"x\"]},"
                             "{\"name\":\"two\",\"values\":[\"y\"]}]},"
                             "{\"name\":\"c\",\"role\":\"sensitive\",\"type\":\"text\","
                             "\"category_of\":\"s\"}";
    test_release files = {.columns = with_categories,
                          .quasi = "q,class\na,1\nb,2\na,1\nc,2\nd,1\n",
                          .sensitive = "class,s,c\n2,y,two\n1,x,one\n"};
    bauta_error error;
    bauta_report *report;
    const char *folder = test_release_write("categories", &files);
    expect_folder(folder, NULL, "categories", 1, false);
    bauta_recipe *recipe = test_original(NULL, "2");
    assert_ok(bauta_recipe_set(recipe, "similarity", "yes", &error), &error);
    assert_ok(bauta_measure(&folder, 1, recipe, &report, &error), &error);
    bauta_report_free(report);
    files.quasi = "q,class\na,1\n";
    files.sensitive = "class,s,c\n2,y,one\n1,x,one\n1,y,two\n3,x,one\n";
    folder = test_release_write("categories", &files);
    expect_folder(folder, NULL, "categories", 0, false);
    expect_folder(folder, "q,s\na,x\n", "original bags", 0, false);
    assert_ok(bauta_measure(&folder, 1, recipe, &report, &error), &error);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
}

/* ---- against the original ---- */

static void original_records(void **state)
{
    (void)state;
    expect(shuffled_nss, shuffled_ss, original, "original records", 1, true);
    expect(shuffled_nss, shuffled_ss, original, "original bags", 1, true);
    expect(shuffled_nss, shuffled_ss, original, "rows", 1, true);
    /* a quasi value that no record has */
    const char *other = "Job,Birth,Postcode,class\n"
                        "factory worker,1975,4350,3\n"
                        "clerk,1975,4350,1\n"
                        "technical supporter,1940,4350,3\n"
                        "clerk,1955,5432,2\n"
                        "manager,1955,4351,1\n"
                        "factory worker,1955,5432,2\n";
    expect(other, shuffled_ss, original, "original records", 0, false);
    expect(other, shuffled_ss, original, "original bags", 0, false);
    /* the bags of classes 2 and 3 would do, those of 1 and 2 not */
    expect(shuffled_nss, "class,Illness\n3,flu\n2,fever\n1,flu\n1,HIV\n3,fever\n2,flu\n", original,
           "original bags", 1, true);
    expect(shuffled_nss, "class,Illness\n1,flu\n3,fever\n2,flu\n2,HIV\n1,fever\n3,flu\n", original,
           "original bags", 0, false);
}

static void other_columns_are_compared(void **state)
{
    (void)state;
    const char *with_other =
        TEST_QUASI_TEXT("q") "," TEST_SENSITIVE("s") "," TEST_OTHER("n", "integer");
    const test_release files = {.columns = with_other,
                                .quasi = "q,n,class\na,1,1\nb,2,2\na,3,1\nc,4,2\n",
                                .sensitive = "class,s\n2,y\n1,x\n1,y\n2,x\n"};
    const char *folder = test_release_write("other", &files);
    static const struct {
        const char *records;
        int verdict;
    } cases[] = {{"q,s,n\na,x,1\nb,y,2\na,y,3\nc,x,4\n", 1},
                 {"q,s,n\na,x,1\nb,y,2\na,y,1\nc,x,4\n", 0}};
    for (size_t i = 0; i < 2; i++)
        expect_folder(folder, cases[i].records, "original records", cases[i].verdict,
                      cases[i].verdict == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_with_classes_rows_and_bags),
        cmocka_unit_test(values_are_not_cells),
        cmocka_unit_test(what_is_no_release_is_refused),
        cmocka_unit_test(shuffled_tables_hold),
        cmocka_unit_test(printed_tables_are_refused),
        cmocka_unit_test(bags_are_judged),
        cmocka_unit_test(classes_must_agree),
        cmocka_unit_test(numbers_must_be_a_permutation),
        cmocka_unit_test(one_class_has_no_order),
        cmocka_unit_test(nearly_the_same_order_is_refused),
        cmocka_unit_test(values_must_be_canonical),
        cmocka_unit_test(sql_files_follow_from_the_manifest),
        cmocka_unit_test(unequal_files_with_categories),
        cmocka_unit_test(original_records),
        cmocka_unit_test(other_columns_are_compared),
    };
    return cmocka_run_group_tests(tests, scratch_make, scratch_empty);
}
