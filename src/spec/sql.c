/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing the SQL files. Nothing of a column's name ever stands outside of quotes, and none in a
 * comment: a name may hold anything, line ends included.
 */
#include "spec/sql.h"

#include "base/text.h"
#include "recipe/names.h"

#include <string.h>

const char *const bt_sql_names[BT_SQL_FILES] = {"query.sql", "load.sqlite", "load.psql"};

enum { MOST_NAME = 63, MOST_BOUNDS = 9 }; /* bytes of a name in PostgreSQL; columns of bounds */

typedef struct sql_column {
    const char *name; /* in the database */
    const char *type;
} sql_column;

typedef struct sql_table {
    const char *name;
    sql_column *columns;
    size_t count, class_place;
} sql_table;

typedef struct sql_writer {
    const bt_manifest *manifest;
    bt_arena *arena;
    sql_table quasi, sensitive;
    sql_table bounds; /* distribution of numbers or dates; else it has no columns */
    const bt_manifest_column *distributed; /* distribution: the sensitive column; else NULL */
    const char *class_name;                /* as in the files, and in the database */
    bauta_error *error;
} sql_writer;

/* ---- names ------------------------------------------------------------------------------- */

/* Names that no column of a table can have in PostgreSQL. */
static const char *const own_columns[] = {"tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"};

static void fold(char *text)
{
    for (; *text; text++)
        if (*text >= 'A' && *text <= 'Z') *text = (char)(*text - 'A' + 'a');
}

/* At most so many bytes of a name, whole characters. */
static size_t cut(const char *name, size_t most)
{
    size_t length = strlen(name);
    return length <= most ? length : bt_utf8_valid_prefix(name, most);
}

static bauta_status take_name(const sql_writer *w, bt_names *taken, const char *name, bool *got,
                              const char **out)
{
    char *folded = bt_arena_copy(w->arena, name, strlen(name));
    if (!folded) return bt_fail_memory(w->error);
    fold(folded);
    *out = name;
    return bt_names_add(taken, 0, folded, 0, got, w->error);
}

/* A name for the column at `place`, from 1, that is not taken. */
static bauta_status choose_name(const sql_writer *w, bt_names *taken, const char *wanted,
                                size_t place, const char **out)
{
    bool got = false;
    if (!*wanted) wanted = "column";
    const char *name = bt_arena_copy(w->arena, wanted, cut(wanted, MOST_NAME));
    if (!name) return bt_fail_memory(w->error);
    BT_TRY(take_name(w, taken, name, &got, out));
    for (size_t number = place; !got; number++) {
        name =
            bt_arena_print(w->arena, "%.*s_%zu", (int)cut(wanted, MOST_NAME - 21), wanted, number);
        if (!name) return bt_fail_memory(w->error);
        BT_TRY(take_name(w, taken, name, &got, out));
    }
    return BAUTA_OK;
}

static const char *type_of(const sql_writer *w, const bt_manifest_column *column)
{
    switch (column->type) {
    case BT_INTEGER: return "BIGINT";
    case BT_DATE: return "DATE";
    case BT_TEXT: return "TEXT";
    case BT_DECIMAL: break;
    }
    /* Numbers have at most 18 digits before the point and behind it; coded ones 19 in all. */
    if (column->role == BT_ROLE_OTHER) return "DECIMAL(36,18)";
    return bt_arena_print(w->arena, "DECIMAL(19,%d)", column->scale);
}

static void add_class(const sql_writer *w, sql_table *table)
{
    table->class_place = table->count;
    table->columns[table->count++] = (sql_column){w->class_name, "BIGINT NOT NULL"};
}

static bauta_status add_plain(const sql_writer *w, sql_table *table, const char *name,
                              const char *type)
{
    if (!type) return bt_fail_memory(w->error);
    table->columns[table->count++] = (sql_column){name, type};
    return BAUTA_OK;
}

/* distribution: the least and the greatest value of a part of the domain. */
static bauta_status add_ends(const sql_writer *w, sql_table *table)
{
    BT_TRY(add_plain(w, table, "low", type_of(w, w->distributed)));
    return add_plain(w, table, "high", type_of(w, w->distributed));
}

static bauta_status make_bounds(const sql_writer *w, sql_table *table)
{
    static const char *const ends[] = {"min_low", "min_high", "max_low", "max_high"};
    if (!w->distributed || w->distributed->type == BT_TEXT) return BAUTA_OK;
    *table = (sql_table){.name = "bounds"};
    table->columns = bt_arena_array(w->arena, MOST_BOUNDS, sizeof *table->columns);
    if (!table->columns) return bt_fail_memory(w->error);
    add_class(w, table);
    BT_TRY(add_plain(w, table, "selected", "BIGINT NOT NULL"));
    BT_TRY(add_plain(w, table, "until", "BIGINT NOT NULL"));
    const char *sum = bt_arena_print(w->arena, "DECIMAL(38,%d)", w->distributed->scale);
    if (w->distributed->type != BT_DATE) {
        BT_TRY(add_plain(w, table, "sum_low", sum));
        BT_TRY(add_plain(w, table, "sum_high", sum));
    }
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        BT_TRY(add_plain(w, table, ends[i], type_of(w, w->distributed)));
    return BAUTA_OK;
}

static bauta_status name_columns(const sql_writer *w, sql_table *table, bool sensitive,
                                 bt_names *taken)
{
    const char *name;
    bool got;
    for (size_t i = 0; i < sizeof own_columns / sizeof *own_columns; i++)
        BT_TRY(take_name(w, taken, own_columns[i], &got, &name));
    BT_TRY(take_name(w, taken, w->class_name, &got, &name));
    if (sensitive) BT_TRY(take_name(w, taken, "records", &got, &name)); /* of the view "bags" */
    if (sensitive) add_class(w, table);
    if (sensitive && w->distributed && w->distributed->type != BT_TEXT) return add_ends(w, table);
    for (size_t i = 0; i < w->manifest->column_count; i++) {
        const bt_manifest_column *column = &w->manifest->columns[i];
        if ((column->role == BT_ROLE_SENSITIVE) != sensitive) continue;
        sql_column *to = &table->columns[table->count++];
        to->type = type_of(w, column);
        if (!to->type) return bt_fail_memory(w->error);
        BT_TRY(choose_name(w, taken, column->name, table->count, &to->name));
    }
    if (!sensitive) add_class(w, table);
    return BAUTA_OK;
}

static bauta_status make_table(const sql_writer *w, sql_table *table, const char *name,
                               bool sensitive)
{
    BT_OWN(bt_names_release) bt_names taken = {0};
    *table = (sql_table){.name = name};
    table->columns =
        bt_arena_array(w->arena, w->manifest->column_count + 2, sizeof *table->columns);
    BT_TRY(bt_arena_check(w->arena, w->error));
    return name_columns(w, table, sensitive, &taken);
}

/* ---- statements -------------------------------------------------------------------------- */

static bauta_status put(const sql_writer *w, bt_buffer *out, const char *text)
{
    return bt_buffer_add(out, text, strlen(text), w->error);
}

static bauta_status put_name(const sql_writer *w, bt_buffer *out, const char *name)
{
    BT_TRY(put(w, out, "\""));
    for (const char *quote; (quote = strchr(name, '"')); name = quote + 1) {
        BT_TRY(bt_buffer_add(out, name, (size_t)(quote - name), w->error));
        BT_TRY(put(w, out, "\"\""));
    }
    BT_TRY(put(w, out, name));
    return put(w, out, "\"");
}

/* In format 0 the upper bound of a count holds the rows that were dropped. */
static bauta_status put_dropped(const sql_writer *w, bt_buffer *out)
{
    const char *text =
        "Records of the original\n-- that are not in the release (%lld) are not counted.";
    if (w->manifest->format == 0)
        text = w->distributed ? "The upper bound counts the records of the original\n"
                                "-- that are not in the release (%lld)."
                              : "The upper bound counts the\n"
                                "-- records of the original that are not in the release (%lld).";
    return bt_buffer_print(out, w->error, text, (long long)w->manifest->dropped_rows);
}

static bauta_status put_added(const sql_writer *w, bt_buffer *out)
{
    if (w->manifest->format > 0) return BAUTA_OK;
    return bt_buffer_print(out, w->error, " + %lld", (long long)w->manifest->dropped_rows);
}

/* A template in which $c is the class, $q and $s the first quasi and sensitive column, $v all
 * sensitive columns. $n says whether the dropped rows are counted, which $u does. */
static bauta_status put_template(const sql_writer *w, bt_buffer *out, const char *text)
{
    const sql_table *sensitive = &w->sensitive;
    for (const char *mark; (mark = strchr(text, '$')); text = mark + 2) {
        BT_TRY(bt_buffer_add(out, text, (size_t)(mark - text), w->error));
        if (mark[1] == 'c')
            BT_TRY(put_name(w, out, w->class_name));
        else if (mark[1] == 'q')
            BT_TRY(put_name(w, out, w->quasi.columns[0].name));
        else if (mark[1] == 's')
            BT_TRY(put_name(w, out, sensitive->columns[1].name));
        else if (mark[1] == 'n')
            BT_TRY(put_dropped(w, out));
        else if (mark[1] == 'u')
            BT_TRY(put_added(w, out));
        else
            for (size_t i = 1; i < sensitive->count; i++) {
                if (i > 1) BT_TRY(put(w, out, ", "));
                BT_TRY(put_name(w, out, sensitive->columns[i].name));
            }
    }
    return put(w, out, text);
}

static bauta_status put_table(const sql_writer *w, bt_buffer *out, const sql_table *table)
{
    BT_TRY(put(w, out, "CREATE TABLE IF NOT EXISTS "));
    BT_TRY(put_name(w, out, table->name));
    for (size_t i = 0; i < table->count; i++) {
        BT_TRY(put(w, out, i == 0 ? " (\n    " : ",\n    "));
        BT_TRY(put_name(w, out, table->columns[i].name));
        BT_TRY(bt_buffer_print(out, w->error, " %s", table->columns[i].type));
    }
    return put(w, out, "\n);\n");
}

/* The empty field is the missing value: SQLite's shell loads it as an empty text. */
static bauta_status put_nulls(const sql_writer *w, bt_buffer *out, const sql_table *table)
{
    const char *before = "";
    BT_TRY(put(w, out, "UPDATE "));
    BT_TRY(put_name(w, out, table->name));
    BT_TRY(put(w, out, " SET"));
    for (size_t i = 0; i < table->count; i++) {
        if (i == table->class_place) continue;
        BT_TRY(bt_buffer_print(out, w->error, "%s\n    ", before));
        BT_TRY(put_name(w, out, table->columns[i].name));
        BT_TRY(put(w, out, " = NULLIF("));
        BT_TRY(put_name(w, out, table->columns[i].name));
        BT_TRY(put(w, out, ", '')"));
        before = ",";
    }
    return put(w, out, ";\n");
}

/* ---- files ------------------------------------------------------------------------------- */

static const char views[] =
    "-- What an earlier run has left.\n"
    "DROP VIEW IF EXISTS \"answer\";\n"
    "DROP VIEW IF EXISTS \"matching_sensitive\";\n"
    "DROP VIEW IF EXISTS \"matching_quasi\";\n"
    "DROP VIEW IF EXISTS \"bags\";\n"
    "DROP VIEW IF EXISTS \"classes\";\n"
    "\n"
    "-- The classes, and how many records each has.\n"
    "CREATE VIEW \"classes\" AS\n"
    "SELECT $c, COUNT(*) AS \"size\" FROM \"sensitive\" GROUP BY $c;\n"
    "\n"
    "-- The bag of each class: its sensitive values, and how many records have them.\n"
    "CREATE VIEW \"bags\" AS\n"
    "SELECT $c, $v, COUNT(*) AS \"records\" FROM \"sensitive\" GROUP BY $c, $v;\n"
    "\n"
    "-- A query is a condition on quasi and other columns and one on sensitive columns. Put your\n"
    "-- own in the place of these two, which ask for the most frequent values.\n"
    "CREATE VIEW \"matching_quasi\" AS\n"
    "SELECT $c, COUNT(*) AS \"matching\" FROM \"quasi\"\n"
    "WHERE $q IN (\n"
    "    SELECT $q FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q\n"
    "    HAVING COUNT(*) = (SELECT MAX(\"n\") FROM (\n"
    "        SELECT COUNT(*) AS \"n\" FROM \"quasi\" WHERE $q IS NOT NULL GROUP BY $q) AS \"t\"))\n"
    "GROUP BY $c;\n"
    "\n"
    "CREATE VIEW \"matching_sensitive\" AS\n"
    "SELECT $c, COUNT(*) AS \"matching\" FROM \"sensitive\"\n"
    "WHERE $s IN (\n"
    "    SELECT $s FROM \"sensitive\" WHERE $s IS NOT NULL GROUP BY $s\n"
    "    HAVING COUNT(*) = (SELECT MAX(\"n\") FROM (\n"
    "        SELECT COUNT(*) AS \"n\" FROM \"sensitive\" WHERE $s IS NOT NULL GROUP BY $s) AS "
    "\"t\"))\n"
    "GROUP BY $c;\n"
    "\n"
    "-- How many records satisfy both. Of a class of n records, q of which satisfy the one and s "
    "the\n"
    "-- other, q * s / n do on average over all ways in which the rows may belong together; at "
    "least\n"
    "-- q + s - n and at most the smaller of q and s do in any of them. $n\n"
    "CREATE VIEW \"answer\" AS\n"
    "SELECT\n"
    "    COALESCE(SUM(CAST(\"q\".\"matching\" * \"s\".\"matching\" AS DOUBLE PRECISION)\n"
    "        / \"c\".\"size\"), 0) AS \"estimate\",\n"
    "    COALESCE(SUM(CASE WHEN \"q\".\"matching\" + \"s\".\"matching\" > \"c\".\"size\"\n"
    "        THEN \"q\".\"matching\" + \"s\".\"matching\" - \"c\".\"size\" ELSE 0 END), 0) AS "
    "\"lower\",\n"
    "    COALESCE(SUM(CASE WHEN \"q\".\"matching\" < \"s\".\"matching\"\n"
    "        THEN \"q\".\"matching\" ELSE \"s\".\"matching\" END), 0)$u AS \"upper\"\n"
    "FROM \"matching_quasi\" AS \"q\"\n"
    "JOIN \"matching_sensitive\" AS \"s\" ON \"s\".$c = \"q\".$c\n"
    "JOIN \"classes\" AS \"c\" ON \"c\".$c = \"q\".$c;\n"
    "\n"
    "SELECT COUNT(*) AS \"classes\", MIN(\"size\") AS \"smallest\", MAX(\"size\") AS \"largest\"\n"
    "FROM \"classes\";\n"
    "\n"
    "SELECT \"estimate\", \"lower\", \"upper\" FROM \"answer\";\n";

static bauta_status put_tables(const sql_writer *w, bt_buffer *out)
{
    BT_TRY(put_table(w, out, &w->quasi));
    BT_TRY(put(w, out, "\n"));
    BT_TRY(put_table(w, out, &w->sensitive));
    if (w->bounds.count == 0) return BAUTA_OK;
    BT_TRY(put(w, out, "\n"));
    return put_table(w, out, &w->bounds);
}

static bauta_status put_views(const sql_writer *w, bt_buffer *out)
{
    if (!w->distributed) return put_template(w, out, views);
    switch (w->distributed->type) {
    case BT_TEXT: return put_template(w, out, bt_sql_views_of_texts);
    case BT_DATE: return put_template(w, out, bt_sql_views_of_dates);
    default: return put_template(w, out, bt_sql_views_of_numbers);
    }
}

static const char head[] =
    "-- A release in two tables, for SQLite and PostgreSQL. Load it first, in its folder:\n"
    "--   sqlite3 release.db < load.sqlite     then  sqlite3 release.db < query.sql\n"
    "--   psql -f load.psql                    then  psql -f query.sql\n"
    "--\n"
    "-- Each row of each table is one record of the original. Which rows of a class\n"
    "-- belong together is not published: a join of the tables is not the original.\n"
    "\n";

static bauta_status put_query(const sql_writer *w, bt_buffer *out)
{
    BT_TRY(put(w, out, w->distributed ? bt_sql_head_of_distribution : head));
    BT_TRY(put_tables(w, out));
    BT_TRY(put(w, out, "\n"));
    return put_views(w, out);
}
/* Loading twice would double every answer. */
static const char guard[] =
    "CREATE TEMPORARY TABLE \"loaded\" (\n"
    "    \"rows\" BIGINT CONSTRAINT \"the tables are loaded already\" CHECK (\"rows\" = 0)\n"
    ");\n"
    "INSERT INTO \"loaded\" SELECT COUNT(*) FROM \"quasi\";\n"
    "INSERT INTO \"loaded\" SELECT COUNT(*) FROM \"sensitive\";\n"
    "DROP TABLE \"loaded\";\n";

static bauta_status put_load_sqlite(const sql_writer *w, bt_buffer *out)
{
    BT_TRY(put(w, out,
               "-- Loads the release into SQLite, in its folder: sqlite3 release.db < load.sqlite\n"
               ".bail on\n"
               "BEGIN;\n"));
    BT_TRY(put_tables(w, out));
    BT_TRY(put(w, out, guard));
    BT_TRY(put(w, out,
               ".import --csv --skip 1 quasi.csv quasi\n"
               ".import --csv --skip 1 sensitive.csv sensitive\n"));
    if (w->bounds.count > 0) BT_TRY(put(w, out, ".import --csv --skip 1 bounds.csv bounds\n"));
    BT_TRY(put_nulls(w, out, &w->quasi));
    BT_TRY(put_nulls(w, out, &w->sensitive));
    return put(w, out, "COMMIT;\n");
}

/* Up to version 17, psql takes a line \. for the end of a file even within quotes, and the copy
 * fails. Then, and where nothing was read, it is done again through sed, which puts quotes around
 * the two characters where a line begins with them: within quotes these close and open, elsewhere
 * they open and close, and what is read is the same. */
static const char again[] =
    "SAVEPOINT \"plain\";\n"
    "\\set again true\n"
    "\\set ON_ERROR_STOP off\n"
    "%1$s"
    "SELECT COUNT(*) = 0 AS \"again\" FROM \"%2$s\" \\gset\n"
    "\\set ON_ERROR_STOP on\n"
    "\\if :again\n"
    "\\echo 'again, through sed: is there a line \\\\. in a cell?'\n"
    "ROLLBACK TO SAVEPOINT \"plain\";\n"
    "\\copy \"%2$s\" FROM PROGRAM 'sed ''s/^\\\\\\./\"&\"/'' %2$s.csv' WITH (FORMAT csv, HEADER "
    "true)\n"
    "\\endif\n"
    "RELEASE SAVEPOINT \"plain\";\n";

static bauta_status put_copy(const sql_writer *w, bt_buffer *out, const char *table)
{
    const char *copy = bt_arena_print(
        w->arena, "\\copy \"%s\" FROM '%s.csv' WITH (FORMAT csv, HEADER true)\n", table, table);
    if (!copy) return bt_fail_memory(w->error);
    if (w->manifest->format == 0) return put(w, out, copy);
    return bt_buffer_print(out, w->error, again, copy, table);
}

static bauta_status put_load_psql(const sql_writer *w, bt_buffer *out)
{
    BT_TRY(put(w, out,
               "-- Loads the release into PostgreSQL, in its folder: psql -f load.psql\n"
               "\\set ON_ERROR_STOP on\n"
               "\\encoding UTF8\n"
               "BEGIN;\n"));
    BT_TRY(put_tables(w, out));
    BT_TRY(put(w, out, guard));
    BT_TRY(put_copy(w, out, "quasi"));
    BT_TRY(put_copy(w, out, "sensitive"));
    if (w->bounds.count > 0) BT_TRY(put_copy(w, out, "bounds"));
    return put(w, out, "COMMIT;\n");
}

static bauta_status name_class(sql_writer *w)
{
    size_t count = w->manifest->column_count;
    const char **names = bt_arena_array(w->arena, count, sizeof *names);
    if (!names) return bt_fail_memory(w->error);
    for (size_t i = 0; i < count; i++)
        names[i] = w->manifest->columns[i].name;
    w->class_name = w->distributed ? bt_group_name(names, count, w->arena)
                                   : bt_class_name(names, count, w->arena);
    return w->class_name ? BAUTA_OK : bt_fail_memory(w->error);
}

static void find_distributed(sql_writer *w)
{
    if (w->manifest->target_count == 0) return;
    for (size_t i = 0; i < w->manifest->column_count; i++)
        if (w->manifest->columns[i].role == BT_ROLE_SENSITIVE)
            w->distributed = &w->manifest->columns[i];
}

static bauta_status write_all(sql_writer *w, bt_buffer out[BT_SQL_FILES])
{
    find_distributed(w);
    BT_TRY(name_class(w));
    BT_TRY(make_table(w, &w->quasi, "quasi", false));
    BT_TRY(make_table(w, &w->sensitive, "sensitive", true));
    BT_TRY(make_bounds(w, &w->bounds));
    if (w->quasi.count < 2 || w->sensitive.count < 2)
        return bt_fail(w->error, BAUTA_INVALID, "two tables need quasi and sensitive columns");
    BT_TRY(put_query(w, &out[0]));
    BT_TRY(put_load_sqlite(w, &out[1]));
    return put_load_psql(w, &out[2]);
}

bauta_status bt_sql_write(const bt_manifest *manifest, bt_buffer out[BT_SQL_FILES],
                          bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    sql_writer w = {.manifest = manifest, .arena = &scratch, .error = error};
    return write_all(&w, out);
}
