/* SPDX-License-Identifier: Apache-2.0
 *
 * Which table of a database a name means: SCHEME:PLACE?table=NAME or SCHEME:PLACE?query=SELECT …
 * Only src/io may include this.
 */
#ifndef BT_ADDRESS_H
#define BT_ADDRESS_H

#include "base/memory.h"

typedef struct bt_address {
    const char *place; /* the name without its scheme, table and query */
    const char *query; /* that reads the table */
    bool queried;      /* the query was given; else it reads the table that was named */
} bt_address;

/* Other parameters stay in the place: `host/base?sslmode=require&table=t` is a table of
 * `host/base?sslmode=require`. A query is the last parameter and goes on to the end, as it is. A
 * table may stand behind its schema: `table=staff.people`. */
BT_MUST_USE bauta_status bt_address_read(const char *name, bt_arena *arena, bt_address *out,
                                         bauta_error *error);

/* A name as SQL writes it: in quotes, and a quote inside doubled. */
BT_MUST_USE bauta_status bt_address_quote(bt_buffer *out, const char *name, size_t length,
                                          bauta_error *error);

#endif
