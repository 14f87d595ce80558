/* SPDX-License-Identifier: Apache-2.0
 *
 * Taking the name of a database's table apart.
 */
#include "io/address.h"

#include <string.h>

static bauta_status refuse(const char *message, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "%s", message);
    bt_error_hint(error, "name a table: …?table=NAME, or what reads it: …?query=SELECT …");
    return status;
}

bauta_status bt_address_quote(bt_buffer *out, const char *name, size_t length, bauta_error *error)
{
    BT_TRY(bt_buffer_add(out, "\"", 1, error));
    for (size_t i = 0; i < length; i++) {
        if (name[i] == '"') BT_TRY(bt_buffer_add(out, "\"", 1, error));
        BT_TRY(bt_buffer_add(out, name + i, 1, error));
    }
    return bt_buffer_add(out, "\"", 1, error);
}

/* SELECT * FROM "schema"."table" */
static bauta_status write_query(const char *table, size_t length, bt_buffer *out,
                                bauta_error *error)
{
    static const char select[] = "SELECT * FROM ";
    const char *point = memchr(table, '.', length);
    size_t schema = point ? (size_t)(point - table) : 0;
    BT_TRY(bt_buffer_add(out, select, strlen(select), error));
    if (point) {
        BT_TRY(bt_address_quote(out, table, schema, error));
        BT_TRY(bt_buffer_add(out, ".", 1, error));
        table = point + 1;
        length -= schema + 1;
    }
    return bt_address_quote(out, table, length, error);
}

bauta_status bt_address_read(const char *name, bt_arena *arena, bt_address *out, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer place = {0}, table = {0};
    const char *rest = strchr(name, ':') + 1, *query = NULL;
    size_t length = strcspn(rest, "?");
    char mark = '?';
    BT_TRY(bt_buffer_add(&place, rest, length, error));
    for (rest += length; *rest && !query; rest += length) {
        rest++;
        length = strcspn(rest, "&");
        if (strncmp(rest, "query=", 6) == 0) {
            query = rest + 6;
        } else if (strncmp(rest, "table=", 6) == 0) {
            if (table.length > 0 || length == 6)
                return refuse("the address of a database names no table, or two", error);
            BT_TRY(write_query(rest + 6, length - 6, &table, error));
        } else {
            BT_TRY(bt_buffer_add(&place, &mark, 1, error));
            BT_TRY(bt_buffer_add(&place, rest, length, error));
            mark = '&';
        }
    }
    if (!query == (table.length == 0) || (query && !*query))
        return refuse("the address of a database names no table, or two", error);
    *out = (bt_address){bt_arena_copy(arena, place.bytes ? place.bytes : "", place.length),
                        query ? bt_arena_copy(arena, query, strlen(query))
                              : bt_arena_copy(arena, table.bytes, table.length),
                        query != NULL};
    return out->place && out->query ? BAUTA_OK : bt_fail_memory(error);
}
