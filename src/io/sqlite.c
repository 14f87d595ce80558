/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of an SQLite database: sqlite:FILE?table=NAME or sqlite:FILE?query=SELECT …
 *
 * The database is opened for reading only, and all rows come from one read transaction, which is
 * one state of it whoever writes meanwhile. They are handed on as CSV, which is spooled with the
 * columns that are needed, so that the database is read once. NULL is the missing value, numbers
 * are the shortest decimals that read back the same, a BLOB is refused. Names and values are
 * hostile: neither the schema's own functions nor extensions run.
 */
#include "base/csv.h"
#include "io/address.h"
#include "io/source.h"
#include "table/print.h"

#ifdef BT_WITH_SQLITE
#include <sqlite3.h>
#include <string.h>

enum { TEXT_BYTES = 1 << 16, PATIENCE = 5000 /* milliseconds */, STEPS = 100000 };

typedef struct dump { /* rows on their way to CSV */
    bt_arena arena;
    const char *name;
    const bt_run *run;
    sqlite3 *base;
    sqlite3_stmt *rows;
    bt_buffer text;
    size_t used; /* bytes of it that were handed on */
    int64_t row;
    bool ended;
} dump;

static bauta_status invalid(const dump *d, int column, const char *message, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", message);
    bt_error_place(error, d->name, column < 0 ? -1 : d->row,
                   column < 0 ? NULL : sqlite3_column_name(d->rows, column));
    return status;
}

static bauta_status put_value(dump *d, int column, bauta_error *error)
{
    char number[BT_PRINT_TEXT];
    const char *bytes;
    double real;
    switch (sqlite3_column_type(d->rows, column)) {
    case SQLITE_NULL: return BAUTA_OK;
    case SQLITE_FLOAT:
        real = sqlite3_column_double(d->rows, column);
        return bt_csv_put(&d->text, number, bt_print_float(real, false, false, number), error);
    case SQLITE_BLOB: return invalid(d, column, "the value is a BLOB, which is no text", error);
    default: break;
    }
    bytes = (const char *)sqlite3_column_text(d->rows, column);
    if (!bytes) return bt_fail_memory(error);
    return bt_csv_put(&d->text, bytes, (size_t)sqlite3_column_bytes(d->rows, column), error);
}

static bauta_status put_row(dump *d, bauta_error *error)
{
    int count = sqlite3_column_count(d->rows);
    d->row++;
    for (int i = 0; i < count; i++) {
        if (i > 0) BT_TRY(bt_buffer_add(&d->text, ",", 1, error));
        BT_TRY(put_value(d, i, error));
    }
    return bt_buffer_add(&d->text, "\n", 1, error);
}

/* What the database says of a failure may hold values, so that its kind is said instead. */
static bauta_status read_row(dump *d, bauta_error *error)
{
    int result = sqlite3_step(d->rows);
    d->ended = result == SQLITE_DONE;
    if (d->ended) return BAUTA_OK;
    if (result == SQLITE_ROW) return put_row(d, error);
    if (result == SQLITE_NOMEM) return bt_fail_memory(error);
    if (result == SQLITE_INTERRUPT) return bt_run_progress(d->run, 0, "reading", 0, 0, error);
    return invalid(d, -1, sqlite3_errstr(result), error);
}

static bauta_status next_bytes(void *user, char *bytes, size_t room, size_t *got,
                               bauta_error *error)
{
    dump *d = user;
    if (d->used == d->text.length) {
        d->used = d->text.length = 0;
        while (d->text.length < TEXT_BYTES && !d->ended)
            BT_TRY(read_row(d, error));
    }
    *got = d->text.length - d->used;
    if (*got > room) *got = room;
    if (*got > 0) memcpy(bytes, d->text.bytes + d->used, *got);
    d->used += *got;
    return BAUTA_OK;
}

static void close_dump(void *user)
{
    dump *d = user;
    sqlite3_finalize(d->rows);
    sqlite3_close_v2(d->base);
    bt_buffer_release(&d->text);
    bt_arena_release(&d->arena);
    free(d);
}

/* Asked while a statement runs. */
static int is_cancelled(void *user)
{
    const dump *d = user;
    return bt_run_progress(d->run, 0, "reading", d->row, 0, NULL) != BAUTA_OK;
}

static bauta_status open_base(dump *d, const char *file, bauta_error *error)
{
    int result = sqlite3_open_v2(file, &d->base, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK) {
        sqlite3_busy_timeout(d->base, PATIENCE);
        sqlite3_db_config(d->base, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(d->base, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_progress_handler(d->base, STEPS, is_cancelled, d);
        result = sqlite3_exec(d->base, "BEGIN; SELECT 1 FROM sqlite_schema", NULL, NULL, NULL);
    }
    if (result == SQLITE_OK) return BAUTA_OK;
    if (result == SQLITE_NOMEM) return bt_fail_memory(error);
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "cannot open the database: %s", sqlite3_errstr(result));
    bt_error_place(error, d->name, -1, NULL);
    return status;
}

static bauta_status prepare_rows(dump *d, const char *query, bauta_error *error)
{
    const char *rest = "";
    int result = sqlite3_prepare_v2(d->base, query, -1, &d->rows, &rest);
    if (result == SQLITE_NOMEM) return bt_fail_memory(error);
    if (result != SQLITE_OK) return invalid(d, -1, sqlite3_errmsg(d->base), error);
    rest += strspn(rest, " \t\r\n;");
    if (*rest || !d->rows || !sqlite3_stmt_readonly(d->rows) || sqlite3_column_count(d->rows) == 0)
        return invalid(d, -1, "the query is not one statement that reads rows", error);
    for (int i = 0; i < sqlite3_column_count(d->rows); i++) {
        const char *name = sqlite3_column_name(d->rows, i);
        if (!name) return bt_fail_memory(error);
        if (i > 0) BT_TRY(bt_buffer_add(&d->text, ",", 1, error));
        BT_TRY(bt_csv_put(&d->text, name, strlen(name), error));
    }
    return bt_buffer_add(&d->text, "\n", 1, error);
}

static bauta_status open_dump(dump *d, bauta_error *error)
{
    bt_address address;
    BT_TRY(bt_address_read(d->name, &d->arena, &address, error));
    BT_TRY(open_base(d, address.place, error));
    return prepare_rows(d, address.query, error);
}

static bauta_status sqlite_stream(const char *name, const bt_run *run, bt_bytes **out,
                                  bauta_error *error)
{
    dump *d = bt_array_zero(1, sizeof *d);
    if (!d) return bt_fail_memory(error);
    d->name = name;
    d->run = run;
    bauta_status status = open_dump(d, error);
    if (status == BAUTA_OK)
        return bt_bytes_stream(&(bt_bytes_flow){next_bytes, close_dump, d}, name, out, error);
    close_dump(d);
    return status;
}

#else

static bauta_status sqlite_stream(const char *name, const bt_run *run, bt_bytes **out,
                                  bauta_error *error)
{
    (void)name, (void)run, (void)out;
    return bt_source_left_out("sqlite", error);
}

#endif

const bt_source bt_source_sqlite = {
    .name = "sqlite",
    .summary = "a table of an SQLite database: sqlite:FILE?table=NAME or ?query=SELECT …",
    .extensions = "",
    .scheme = "sqlite",
    .stream = sqlite_stream,
};
