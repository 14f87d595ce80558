/* SPDX-License-Identifier: Apache-2.0
 *
 * A table of a PostgreSQL database: postgresql://HOST/BASE?table=NAME or ?query=SELECT …
 *
 * All rows come from one snapshot (a transaction that is REPEATABLE READ and READ ONLY), by COPY as
 * CSV, which is spooled with the columns that are needed, so that the table is read once: a second
 * reading may give the rows in another order. A query with ORDER BY gives the same order every
 * time; without it a seed repeats a release only as long as the database repeats the order. NULL is
 * the missing value. The catalogue names the columns and their types; types that are no text,
 * number, date or truth value are refused.
 *
 * libpq finds credentials in its own places (a service file, PGPASSFILE, the environment). An
 * address with a password in it is refused, since it would be seen in lists of processes, histories
 * and recipes. What the server says while rows are read may hold values, so that only its code is
 * printed.
 */
#include "base/csv.h"
#include "io/address.h"
#include "io/source.h"

#ifdef BT_WITH_POSTGRESQL
#include <libpq-fe.h>
#include <poll.h>
#include <string.h>

typedef struct copy {
    bt_arena arena;
    const char *name;
    const bt_run *run;
    PGconn *server;
    bt_buffer line; /* the names, then the record that the server sent last */
    size_t used;    /* bytes of it that were handed on */
    int64_t rows;
    bool ended;
} copy;

/* ---- talking to the server --------------------------------------------------------------- */

static bauta_status placed(const copy *c, bauta_status status, bauta_error *error)
{
    bt_error_place(error, c->name, -1, NULL);
    return status;
}

/* `text`: of the server or of libpq, which ends with a line feed. */
static bauta_status refuse(const copy *c, bauta_status kind, const char *what, const char *text,
                           bauta_error *error)
{
    int length = (int)strcspn(text, "\n");
    return placed(c, bt_fail(error, kind, "%s: %.*s", what, length, text), error);
}

/* Waits until the server can be read from, or written to; asks meanwhile whether to go on. */
static bauta_status await(const copy *c, bool writing, bauta_error *error)
{
    struct pollfd waiting = {.fd = PQsocket(c->server), .events = writing ? POLLOUT : POLLIN};
    if (!writing) return bt_run_await(c->run, waiting.fd, c->name, error);
    while (poll(&waiting, 1, 100) <= 0)
        BT_TRY(bt_run_progress(c->run, 0, "reading", 0, 0, error));
    return BAUTA_OK;
}

static bauta_status connect_server(copy *c, const char *place, bauta_error *error)
{
    const char *const keys[] = {"dbname", "client_encoding", "fallback_application_name", NULL};
    const char *address = bt_arena_print(&c->arena, "postgresql:%s", place);
    const char *const values[] = {address, "UTF8", "bauta", NULL};
    if (!address) return bt_fail_memory(error);
    c->server = PQconnectStartParams(keys, values, 1);
    if (!c->server) return bt_fail_memory(error);
    PostgresPollingStatusType state = PGRES_POLLING_WRITING;
    while (PQstatus(c->server) != CONNECTION_BAD && state != PGRES_POLLING_OK &&
           state != PGRES_POLLING_FAILED) {
        BT_TRY(await(c, state == PGRES_POLLING_WRITING, error));
        state = PQconnectPoll(c->server);
    }
    if (state == PGRES_POLLING_OK) return BAUTA_OK;
    bauta_status status =
        refuse(c, BAUTA_SYSTEM, "cannot connect", PQerrorMessage(c->server), error);
    bt_error_hint(error, "try it with: psql 'postgresql://…'");
    return status;
}

/* The next result of what was sent. */
static bauta_status await_result(copy *c, PGresult **out, bauta_error *error)
{
    while (PQisBusy(c->server)) {
        BT_TRY(await(c, false, error));
        if (!PQconsumeInput(c->server))
            return refuse(c, BAUTA_SYSTEM, "the server is gone", PQerrorMessage(c->server), error);
    }
    *out = PQgetResult(c->server);
    return BAUTA_OK;
}

/* Sends a command and waits for its result; `wanted` is what it must be. */
static bauta_status command(copy *c, const char *text, ExecStatusType wanted, PGresult **out,
                            bauta_error *error)
{
    *out = NULL;
    if (!PQsendQuery(c->server, text))
        return refuse(c, BAUTA_SYSTEM, "the server is gone", PQerrorMessage(c->server), error);
    BT_TRY(await_result(c, out, error));
    if (*out && PQresultStatus(*out) == wanted) return BAUTA_OK;
    const char *said = *out ? PQresultErrorField(*out, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    bauta_status status =
        refuse(c, BAUTA_INVALID, "the server refuses", said ? said : "it gives no reason", error);
    PQclear(*out);
    *out = NULL;
    return status;
}

/* Whatever else a command gives; there is nothing. */
static bauta_status finish_command(copy *c, PGresult *result, bauta_error *error)
{
    while (result) {
        PQclear(result);
        BT_TRY(await_result(c, &result, error));
    }
    return BAUTA_OK;
}

static bauta_status run_command(copy *c, const char *text, bauta_error *error)
{
    PGresult *result;
    BT_TRY(command(c, text, PGRES_COMMAND_OK, &result, error));
    return finish_command(c, result, error);
}

/* ---- the query --------------------------------------------------------------------------- */

/* The types that become values of a table, by the numbers that every server gives them
 * (pg_type.dat). */
typedef enum value_kind { FOREIGN, PLAIN, TEXT, TRUTH } value_kind;

static value_kind kind_of(Oid type)
{
    switch (type) {
    case 16: return TRUTH; /* boolean */
    case 20:               /* bigint */
    case 21:               /* smallint */
    case 23:               /* integer */
    case 26:               /* oid */
    case 700:              /* real */
    case 701:              /* double precision */
    case 1082:             /* date */
    case 1114:             /* timestamp */
    case 1184:             /* timestamp with time zone */
    case 1700:             /* numeric */
    case 2950: /* uuid */ return PLAIN;
    case 18:   /* "char" */
    case 19:   /* name */
    case 25:   /* text */
    case 1042: /* character */
    case 1043: /* character varying */
    case 705: /* a constant without a type */ return TEXT;
    default: return FOREIGN;
    }
}

/* An enum is text too, but has a number of its own in every database. */
static bauta_status is_enum(copy *c, Oid type, bool *out, bauta_error *error)
{
    PGresult *result;
    const char *query =
        bt_arena_print(&c->arena, "SELECT 1 FROM pg_type WHERE oid = %u AND typtype = 'e'", type);
    if (!query) return bt_fail_memory(error);
    BT_TRY(command(c, query, PGRES_TUPLES_OK, &result, error));
    *out = PQntuples(result) == 1;
    return finish_command(c, result, error);
}

/* Asks the catalogue for the columns of the query. */
static bauta_status describe(copy *c, const char *query, PGresult **out, bauta_error *error)
{
    PGresult *result;
    if (!PQsendPrepare(c->server, "", query, 0, NULL))
        return refuse(c, BAUTA_SYSTEM, "the server is gone", PQerrorMessage(c->server), error);
    BT_TRY(await_result(c, &result, error));
    if (PQresultStatus(result) != PGRES_COMMAND_OK) {
        const char *said = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
        bauta_status status = refuse(c, BAUTA_INVALID, "the server refuses the query",
                                     said ? said : "it gives no reason", error);
        PQclear(result);
        return status;
    }
    BT_TRY(finish_command(c, result, error));
    if (!PQsendDescribePrepared(c->server, ""))
        return refuse(c, BAUTA_SYSTEM, "the server is gone", PQerrorMessage(c->server), error);
    BT_TRY(await_result(c, out, error));
    PGresult *rest = NULL;
    BT_TRY(await_result(c, &rest, error));
    PQclear(rest);
    if (*out && PQresultStatus(*out) == PGRES_COMMAND_OK && PQnfields(*out) > 0) return BAUTA_OK;
    return placed(c, bt_fail(error, BAUTA_INVALID, "the query reads no rows"), error);
}

/* COPY (SELECT … FROM (query)) TO STDOUT: truth values as true and false, texts in quotes, so that
 * spaces around them stay. The columns get numbers for names, since two may have the same. */
static bauta_status write_copy(copy *c, const char *query, const PGresult *columns, bt_buffer *out,
                               bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer names = {0}, quoted = {0};
    int count = PQnfields(columns);
    BT_TRY(bt_buffer_print(out, error, "COPY (SELECT "));
    for (int i = 0; i < count; i++) {
        value_kind kind = kind_of(PQftype(columns, i));
        bool text = kind == TEXT;
        if (kind == FOREIGN) BT_TRY(is_enum(c, PQftype(columns, i), &text, error));
        if (kind == FOREIGN && !text) {
            bauta_status status =
                bt_fail(error, BAUTA_INVALID, "the type of the column is not one of a table");
            bt_error_place(error, c->name, -1, PQfname(columns, i));
            bt_error_hint(error, "leave it out, or cast it in a query: ?query=SELECT …::text …");
            return status;
        }
        const char *comma = i > 0 ? ", " : "";
        BT_TRY(bt_buffer_print(out, error, "%sc%d%s AS c%d", comma, i,
                               kind == TRUTH ? "::text" : "", i));
        BT_TRY(bt_buffer_print(&names, error, "%sc%d", comma, i));
        if (text) BT_TRY(bt_buffer_print(&quoted, error, "%sc%d", quoted.length ? ", " : "", i));
    }
    BT_TRY(bt_buffer_print(out, error, " FROM (%s\n) AS q(%s)) TO STDOUT (FORMAT csv", query,
                           names.bytes));
    if (quoted.length > 0) BT_TRY(bt_buffer_print(out, error, ", FORCE_QUOTE (%s)", quoted.bytes));
    return bt_buffer_print(out, error, ")");
}

/* The line of names, and the command that the rows come by. */
static bauta_status start_copy(copy *c, const char *query, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    PGresult *columns = NULL, *result;
    bauta_status status = describe(c, query, &columns, error);
    for (int i = 0; status == BAUTA_OK && i < PQnfields(columns); i++) {
        const char *name = PQfname(columns, i);
        status = i > 0 ? bt_buffer_add(&c->line, ",", 1, error) : BAUTA_OK;
        if (status == BAUTA_OK) status = bt_csv_put(&c->line, name, strlen(name), error);
    }
    if (status == BAUTA_OK) status = bt_buffer_add(&c->line, "\n", 1, error);
    if (status == BAUTA_OK) status = write_copy(c, query, columns, &text, error);
    PQclear(columns);
    BT_TRY(status);
    BT_TRY(command(c, text.bytes, PGRES_COPY_OUT, &result, error));
    PQclear(result);
    return BAUTA_OK;
}

/* ---- the rows ---------------------------------------------------------------------------- */

/* After the last row: whether the server sent all of them. */
static bauta_status end_copy(copy *c, bauta_error *error)
{
    PGresult *result;
    BT_TRY(await_result(c, &result, error));
    c->ended = PQresultStatus(result) == PGRES_COMMAND_OK;
    if (c->ended) return finish_command(c, result, error);
    const char *code = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the server stops after %lld rows (SQLSTATE %s)",
                (long long)c->rows, code ? code : "unknown");
    PQclear(result);
    bt_error_hint(error, "psql says why, when it runs the same query");
    return placed(c, status, error);
}

static bauta_status next_record(copy *c, bauta_error *error)
{
    char *record;
    int length;
    while ((length = PQgetCopyData(c->server, &record, 1)) == 0) {
        BT_TRY(await(c, false, error));
        if (!PQconsumeInput(c->server))
            return refuse(c, BAUTA_SYSTEM, "the server is gone", PQerrorMessage(c->server), error);
    }
    if (length < 0) return end_copy(c, error);
    c->rows++;
    bauta_status status = bt_buffer_add(&c->line, record, (size_t)length, error);
    PQfreemem(record);
    return status;
}

static bauta_status next_bytes(void *user, char *bytes, size_t room, size_t *got,
                               bauta_error *error)
{
    enum { AT_ONCE = 1 << 16 };
    copy *c = user;
    if (c->used == c->line.length) {
        c->used = c->line.length = 0;
        while (c->line.length < AT_ONCE && !c->ended)
            BT_TRY(next_record(c, error));
    }
    *got = c->line.length - c->used;
    if (*got > room) *got = room;
    if (*got > 0) memcpy(bytes, c->line.bytes + c->used, *got);
    c->used += *got;
    return BAUTA_OK;
}

static void close_copy(void *user)
{
    copy *c = user;
    PQfinish(c->server);
    bt_buffer_release(&c->line);
    bt_arena_release(&c->arena);
    free(c);
}

/* ---- opening ----------------------------------------------------------------------------- */

/* `//name:password@host` and `?password=…`. */
static bool has_password(const char *place)
{
    const char *host = strncmp(place, "//", 2) == 0 ? place + 2 : place;
    size_t length = strcspn(host, "/?");
    const char *at = memchr(host, '@', length), *question = strchr(place, '?');
    return (at && memchr(host, ':', (size_t)(at - host))) ||
           (question && strstr(question, "password="));
}

static bauta_status open_copy(copy *c, bauta_error *error)
{
    bt_address address;
    BT_TRY(bt_address_read(c->name, &c->arena, &address, error));
    if (has_password(address.place)) {
        c->name = "postgresql";
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "the address of the database holds a password");
        bt_error_hint(error, "put it into ~/.pgpass (PGPASSFILE) or a service file; addresses are "
                             "seen in lists of processes and histories");
        return status;
    }
    size_t length = strlen(address.query);
    while (length > 0 && strchr("; \t\r\n", address.query[length - 1]))
        length--;
    const char *query = bt_arena_copy(&c->arena, address.query, length);
    if (!query) return bt_fail_memory(error);
    BT_TRY(connect_server(c, address.place, error));
    BT_TRY(run_command(c, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", error));
    BT_TRY(run_command(c, "SET LOCAL DateStyle = ISO, YMD", error));
    BT_TRY(run_command(c, "SET LOCAL extra_float_digits = 1", error));
    BT_TRY(run_command(c, "SET LOCAL TimeZone = 'UTC'", error));
    return start_copy(c, query, error);
}

static bauta_status postgresql_stream(const char *name, const bt_run *run, bt_bytes **out,
                                      bauta_error *error)
{
    copy *c = bt_array_zero(1, sizeof *c);
    if (!c) return bt_fail_memory(error);
    c->name = name;
    c->run = run;
    bauta_status status = open_copy(c, error);
    if (status == BAUTA_OK)
        return bt_bytes_stream(&(bt_bytes_flow){next_bytes, close_copy, c}, name, out, error);
    close_copy(c);
    return status;
}

#else

static bauta_status postgresql_stream(const char *name, const bt_run *run, bt_bytes **out,
                                      bauta_error *error)
{
    (void)name, (void)run, (void)out;
    return bt_source_left_out("postgresql", error);
}

#endif

const bt_source bt_source_postgresql = {
    .name = "postgresql",
    .summary = "a table of a PostgreSQL database: postgresql://HOST/BASE?table=NAME or "
               "?query=SELECT …",
    .extensions = "",
    .scheme = "postgresql",
    .stream = postgresql_stream,
};
