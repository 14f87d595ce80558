/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a release cold.
 */
#include "release_files.h"

#include "reading/release.h"

static const char columns[] = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT(
    "city") "," TEST_SENSITIVE("disease") "," TEST_OTHER("visits", "integer");

static const char data[] = "age,city,disease,visits\n"
                           "\"[20,30]\",{Bonn|Kiel},flu,1\n"
                           "*,\\*star,cold,2\n"
                           "\"[20,30]\",{Bonn|Kiel},cold,2\n"
                           "*,\\*star,flu,\n"
                           "40,,flu,3\n"
                           "40,,flu,4\n";

static void opens_and_regroups(void **state)
{
    (void)state;
    static const unsigned threads[] = {1, 2, 7};
    const test_release files = {.columns = columns, .data = data, .dropped = 3};
    const char *folder = test_release_write("plain", &files);
    for (size_t t = 0; t < 3; t++) {
        bauta_error error;
        bt_run run;
        bt_release release;
        uint32_t *class_of;
        test_run_open(&run, threads[t]);
        assert_ok(bt_release_open(folder, &run, &release, &error), &error);
        assert_int_equal(release.rows, 6);
        assert_int_equal(release.manifest.dropped_rows, 3);
        assert_int_equal(release.classes.count, 3);
        for (uint32_t i = 0; i < 3; i++)
            assert_int_equal(release.classes.size[i], 2);
        assert_int_equal(release.classes.row[1], 1);
        assert_int_equal(release.classes.row[2], 4);
        assert_ok(bt_release_number(&release, 0, &run, &class_of, &error), &error);
        static const uint32_t expected[] = {0, 1, 0, 1, 2, 2};
        assert_memory_equal(class_of, expected, sizeof expected);
        free(class_of);
        assert_int_equal(release.columns[3].check->missing, 1);
        assert_int_equal(release.files[0].shape.bytes, sizeof data - 1);
        assert_int_equal(release.files[0].shape.canonical, sizeof data - 1);
        assert_true(release.files[0].shape.ends_well);
        bt_release_close(&release);
        bt_pool_free(run.pool);
    }
}

static uint32_t code_of(const bt_release_column *column, const char *text)
{
    for (uint32_t i = 0; i < column->values->count; i++)
        if (column->values->length[i] == strlen(text) &&
            memcmp(column->values->text[i], text, strlen(text)) == 0)
            return i;
    fail_msg("no cell '%s'", text);
    return 0;
}

static void parses_cells(void **state)
{
    (void)state;
    const test_release files = {.columns = columns, .data = data};
    bauta_error error;
    bt_run run;
    bt_release release;
    bt_arena arena = {0};
    bt_cell cell;
    test_run_open(&run, 1);
    assert_ok(bt_release_open(test_release_write("cells", &files), &run, &release, &error), &error);
    const bt_release_column *age = &release.columns[0], *city = &release.columns[1];
    uint32_t range = code_of(age, "[20,30]"), set = code_of(city, "{Bonn|Kiel}");
    assert_int_equal(age->cells[range].kind, BT_CELL_RANGE);
    assert_int_equal(age->cells[range].lo, 20);
    assert_int_equal(age->cells[range].hi, 30);
    assert_int_equal(age->values->rows[range], 2);
    assert_int_equal(age->cells[code_of(age, "*")].kind, BT_CELL_ALL);
    assert_int_equal(city->cells[code_of(city, "")].kind, BT_CELL_MISSING);
    assert_int_equal(city->cells[set].count, 2);
    assert_null(city->cells[set].text);
    assert_ok(bt_release_cell(city, set, &arena, &cell, &error), &error);
    assert_string_equal(cell.text[0], "Bonn");
    assert_string_equal(cell.text[1], "Kiel");
    for (size_t c = 0; c < 3; c++)
        for (uint32_t i = 0; i < release.columns[c].values->count; i++)
            assert_true(release.columns[c].well_formed[i]);
    bt_arena_release(&arena);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

static void marks_what_is_no_cell(void **state)
{
    (void)state;
    const test_release files = {
        .columns = TEST_QUASI_INTEGER("age") "," TEST_QUASI_TEXT(
            "city") ",{\"name\":\"pay\","
                    "\"role\":\"sensitive\",\"type\":\"decimal\",\"scale\":1}",
        .data = "age,city,pay\n\"[30,20]\",{a},1.50\n+5,\\a,x\n5,b,1.5\n"};
    bauta_error error;
    bt_run run;
    bt_release release;
    test_run_open(&run, 1);
    assert_ok(bt_release_open(test_release_write("malformed", &files), &run, &release, &error),
              &error);
    for (size_t c = 0; c < 3; c++) {
        const bt_release_column *column = &release.columns[c];
        for (int64_t row = 0; row < 3; row++)
            assert_int_equal(column->well_formed[bt_code_at(column->codes, column->width, row)],
                             row == 2);
    }
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

/* ---- what is not a release ---- */

static void refuses(const char *folder, const char *text)
{
    bauta_error error;
    bt_run run;
    bt_release release;
    test_run_open(&run, 2);
    assert_fails(bt_release_open(folder, &run, &release, &error), BAUTA_INVALID, &error, text);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

static void refuses_other_files(void **state)
{
    (void)state;
    const test_release files = {.columns = columns, .data = data};
    char path[300];
    refuses(scratch_name("nowhere"), "there is no such folder");
    const char *folder = test_release_write("extra", &files);
    scratch_text("extra/notes.txt", "secret");
    refuses(folder, "it also holds 'notes.txt'");
    unlink(scratch_name("extra/notes.txt"));
    assert_int_equal(mkdir(scratch_name("extra/sub"), 0700), 0);
    refuses(folder, "it also holds 'sub'");
    assert_int_equal(rmdir(scratch_name("extra/sub")), 0);
    snprintf(path, sizeof path, "%s/data.csv", folder);
    assert_int_equal(rename(path, scratch_name("elsewhere.csv")), 0);
    refuses(folder, "files are missing");
    assert_int_equal(symlink(scratch_name("elsewhere.csv"), path), 0);
    refuses(folder, "not a plain file: 'data.csv'");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    refuses(folder, "not a plain file: 'data.csv'");
}

static void refuses_other_contents(void **state)
{
    (void)state;
    test_release files = {.columns = columns, .data = "city,age,disease,visits\n"};
    refuses(test_release_write("header", &files), "not the manifest's list of columns");
    files.data = "age,city,disease\n";
    refuses(test_release_write("short", &files), "not the manifest's list of columns");
    files = (test_release){.columns = columns, .data = data, .form = "origami:folds=3"};
    refuses(test_release_write("form", &files), "does not know the form");
    files.form = "generalized:sensitive=value";
    files.data = "age,city,disease,visits\n1,2\n";
    refuses(test_release_write("ragged", &files), "fewer fields");
    scratch_text("ragged/manifest.json", "{\"release\":");
    refuses(scratch_name("ragged"), "not a manifest");
}

static void empty_release_opens(void **state)
{
    (void)state;
    const test_release files = {.columns = columns, .data = "age,city,disease,visits\n"};
    bauta_error error;
    bt_run run;
    bt_release release;
    test_run_open(&run, 2);
    assert_ok(bt_release_open(test_release_write("empty", &files), &run, &release, &error), &error);
    assert_int_equal(release.rows, 0);
    assert_int_equal(release.classes.count, 0);
    assert_int_equal(release.files[0].shape.canonical, release.files[0].shape.bytes);
    bt_release_close(&release);
    bt_pool_free(run.pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(opens_and_regroups),     cmocka_unit_test(parses_cells),
        cmocka_unit_test(marks_what_is_no_cell),  cmocka_unit_test(refuses_other_files),
        cmocka_unit_test(refuses_other_contents), cmocka_unit_test(empty_release_opens),
    };
    return cmocka_run_group_tests_name("release", tests, scratch_make, scratch_empty);
}
