/* SPDX-License-Identifier: Apache-2.0
 *
 * Spreadsheets: the tables of a release once more, with an apostrophe before every text that one of
 * them may take for a formula. Files are those just written: quoted only where they must be, with
 * commas and line feeds.
 *
 * Cost: linear in bytes; memory for one field.
 */
#include "base/csv.h"
#include "publish/sheet.h"

#include <string.h>

enum { PIECE = 1 << 20 };

typedef struct guard {
    bt_bytes *from;
    bt_store_file to;
    bt_buffer in, out, field; /* `field` as it stands in the file */
    bool inside;              /* of quotes */
    int64_t written;
} guard;

static bauta_status flush(guard *g, bauta_error *error)
{
    BT_TRY(bt_store_put(&g->to, g->written, g->out.bytes, g->out.length, error));
    g->written += (int64_t)g->out.length;
    g->out.length = 0;
    return BAUTA_OK;
}

static bauta_status end_field(guard *g, char end, bauta_error *error)
{
    size_t quoted = g->field.length > 0 && g->field.bytes[0] == '"', length = g->field.length;
    bool tempts = length > quoted && bt_csv_tempts(g->field.bytes + quoted, length - 2 * quoted);
    BT_TRY(bt_buffer_add(&g->out, g->field.bytes, quoted, error));
    if (tempts) BT_TRY(bt_buffer_add(&g->out, "'", 1, error));
    BT_TRY(bt_buffer_add(&g->out, g->field.bytes + quoted, length - quoted, error));
    BT_TRY(bt_buffer_add(&g->out, &end, 1, error));
    g->field.length = 0;
    return g->out.length >= PIECE ? flush(g, error) : BAUTA_OK;
}

static bauta_status take_piece(guard *g, bauta_error *error)
{
    for (size_t i = 0; i < g->in.length; i++) {
        char c = g->in.bytes[i];
        if (!g->inside && (c == ',' || c == '\n')) {
            BT_TRY(end_field(g, c, error));
            continue;
        }
        g->inside ^= c == '"';
        BT_TRY(bt_buffer_add(&g->field, &c, 1, error));
    }
    return BAUTA_OK;
}

static bauta_status guard_all(guard *g, bauta_error *error)
{
    BT_TRY(bt_buffer_reserve(&g->in, PIECE, error));
    BT_TRY(bt_buffer_reserve(&g->field, 1, error));
    for (;;) {
        BT_TRY(bt_bytes_read(g->from, g->in.bytes, PIECE, &g->in.length, error));
        if (g->in.length == 0) return flush(g, error);
        BT_TRY(take_piece(g, error));
    }
}

static bauta_status guard_table(bt_store *store, const char *name, bauta_error *error)
{
    static const char fresh[] = "fresh";
    guard g = {.from = NULL};
    BT_TRY(bt_store_read(store, BT_SHELF_PUBLISH, name, &g.from, error));
    if (!g.from) return BAUTA_OK;
    bauta_status status = bt_store_create(store, BT_SHELF_PUBLISH, fresh, &g.to, error);
    if (status == BAUTA_OK) status = bt_store_finish(&g.to, guard_all(&g, error), error);
    bt_bytes_close(g.from);
    bt_buffer_release(&g.in);
    bt_buffer_release(&g.out);
    bt_buffer_release(&g.field);
    return status == BAUTA_OK ? bt_store_rename(store, fresh, name, error) : status;
}

bauta_status bt_guard_tables(bt_store *store, bauta_error *error)
{
    static const char *const tables[] = {"data.csv", "quasi.csv", "sensitive.csv"};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        BT_TRY(guard_table(store, tables[i], error));
    return BAUTA_OK;
}
