/* SPDX-License-Identifier: Apache-2.0
 *
 * The SQL files of two tables as text; tests/sql runs them for real.
 */
#include "support.h"

#include "spec/sql.h"

#include <stdio.h>
#include <string.h>

enum { COLUMNS_MOST = 12 };

/* Writes the files for columns of these names, the last of which is sensitive. */
static void write_files(const char *const *names, size_t count, bt_buffer *files)
{
    bt_manifest_column columns[COLUMNS_MOST] = {{0}};
    bauta_error error;
    for (size_t i = 0; i < count; i++)
        columns[i] = (bt_manifest_column){.name = names[i],
                                          .role = i + 1 < count ? BT_ROLE_QUASI : BT_ROLE_SENSITIVE,
                                          .type = BT_TEXT};
    const bt_manifest manifest = {.columns = columns, .column_count = count, .dropped_rows = 17};
    assert_ok(bt_sql_write(&manifest, files, &error), &error);
    for (size_t i = 0; i < BT_SQL_FILES; i++)
        assert_ok(bt_buffer_add(&files[i], "", 1, &error), &error);
}

static void release(bt_buffer *files)
{
    for (size_t i = 0; i < BT_SQL_FILES; i++)
        bt_buffer_release(&files[i]);
}

/* The definitions are these, in each of the files. */
static void expect_tables(const char *const *names, size_t count, const char *tables)
{
    bt_buffer files[BT_SQL_FILES] = {{0}};
    write_files(names, count, files);
    for (size_t i = 0; i < BT_SQL_FILES; i++)
        if (!strstr(files[i].bytes, tables)) fail_msg("%s:\n%s", bt_sql_names[i], files[i].bytes);
    release(files);
}

static void names_are_quoted(void **state)
{
    (void)state;
    static const char *const names[] = {"say \"hi\"", "two\nlines; DROP TABLE x", "", "ill'ness"};
    expect_tables(names, 4,
                  "CREATE TABLE IF NOT EXISTS \"quasi\" (\n"
                  "    \"say \"\"hi\"\"\" TEXT,\n"
                  "    \"two\nlines; DROP TABLE x\" TEXT,\n"
                  "    \"column\" TEXT,\n"
                  "    \"class\" BIGINT NOT NULL\n"
                  ");\n"
                  "\n"
                  "CREATE TABLE IF NOT EXISTS \"sensitive\" (\n"
                  "    \"class\" BIGINT NOT NULL,\n"
                  "    \"ill'ness\" TEXT\n"
                  ");\n");
}

/* What SQLite or PostgreSQL would take for the same name, or for one of its own. */
static void names_are_unique(void **state)
{
    (void)state;
    static const char *const names[] = {"a", "A", "a_2", "CLASS", "ctid", "Xmin", "Records"};
    expect_tables(names, 7,
                  "    \"a\" TEXT,\n"
                  "    \"A_2\" TEXT,\n"
                  "    \"a_2_3\" TEXT,\n"
                  "    \"CLASS_4\" TEXT,\n"
                  "    \"ctid_5\" TEXT,\n"
                  "    \"Xmin_6\" TEXT,\n"
                  "    \"class\" BIGINT NOT NULL\n"
                  ");\n"
                  "\n"
                  "CREATE TABLE IF NOT EXISTS \"sensitive\" (\n"
                  "    \"class\" BIGINT NOT NULL,\n"
                  "    \"Records_2\" TEXT\n");
}

/* Cut to 63 bytes, between characters. */
static void long_names_are_cut(void **state)
{
    (void)state;
    char one[80], other[80], wide[80], tables[600];
    memset(one, 'x', 70);
    one[70] = '\0';
    memcpy(other, one, 71);
    other[69] = 'y';
    memset(wide, 'w', 62);
    memcpy(wide + 62, "ü and more", sizeof "ü and more");
    const char *const names[] = {one, other, wide, "s"};
    snprintf(tables, sizeof tables,
             "    \"%.63s\" TEXT,\n    \"%.42s_2\" TEXT,\n    \"%.62s\" TEXT,\n    \"class\"", one,
             one, wide);
    expect_tables(names, 4, tables);
}

static void types_are_those_of_the_values(void **state)
{
    (void)state;
    bt_manifest_column columns[] = {
        {.name = "i", .role = BT_ROLE_QUASI, .type = BT_INTEGER},
        {.name = "d", .role = BT_ROLE_QUASI, .type = BT_DECIMAL, .scale = 2},
        {.name = "day", .role = BT_ROLE_QUASI, .type = BT_DATE},
        {.name = "o", .role = BT_ROLE_OTHER, .type = BT_DECIMAL},
        {.name = "s", .role = BT_ROLE_SENSITIVE, .type = BT_TEXT},
    };
    const bt_manifest manifest = {.columns = columns, .column_count = 5};
    bt_buffer files[BT_SQL_FILES] = {{0}};
    bauta_error error;
    assert_ok(bt_sql_write(&manifest, files, &error), &error);
    assert_ok(bt_buffer_add(&files[0], "", 1, &error), &error);
    assert_non_null(strstr(files[0].bytes, "    \"i\" BIGINT,\n"
                                           "    \"d\" DECIMAL(19,2),\n"
                                           "    \"day\" DATE,\n"
                                           "    \"o\" DECIMAL(36,18),\n"));
    release(files);
}

/* No name can end a comment or begin a command: comments do not hold any. */
static void comments_hold_no_names(void **state)
{
    (void)state;
    static const char *const names[] = {"needle\n.shell x", "needle\n\\! x", "needle"};
    bt_buffer files[BT_SQL_FILES] = {{0}};
    write_files(names, 3, files);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        bool quoted = false;
        for (const char *p = files[i].bytes; *p; p++) {
            if (!quoted && strncmp(p, "--", 2) == 0) {
                const char *end = strchr(p, '\n'), *found = strstr(p, "needle");
                assert_true(!found || found > end);
                p = end;
            }
            quoted ^= *p == '"';
            if (strncmp(p, "needle", 6) == 0) assert_true(quoted);
        }
        assert_false(quoted);
    }
    assert_non_null(strstr(files[0].bytes, "ELSE \"s\".\"matching\" END), 0) + 17 AS \"upper\""));
    release(files);
}

static void both_tables_need_columns(void **state)
{
    (void)state;
    bt_manifest_column columns[] = {{.name = "q", .role = BT_ROLE_QUASI, .type = BT_TEXT},
                                    {.name = "s", .role = BT_ROLE_SENSITIVE, .type = BT_TEXT}};
    bt_buffer files[BT_SQL_FILES] = {{0}};
    bauta_error error;
    for (size_t i = 0; i < 2; i++) {
        const bt_manifest manifest = {.columns = &columns[i], .column_count = 1};
        assert_fails(bt_sql_write(&manifest, files, &error), BAUTA_INVALID, &error,
                     "two tables need quasi and sensitive columns");
    }
    release(files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_quoted),       cmocka_unit_test(names_are_unique),
        cmocka_unit_test(long_names_are_cut),     cmocka_unit_test(types_are_those_of_the_values),
        cmocka_unit_test(comments_hold_no_names), cmocka_unit_test(both_tables_need_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
