/* SPDX-License-Identifier: Apache-2.0
 *
 * Spreadsheets: the tables of a release once more, with an apostrophe before every text that one of
 * them may take for a formula. Files are those just written: quoted only where they must be, with
 * commas and line feeds.
 *
 * Cost: linear in bytes; memory for one field.
 */
#include "base/csv.h"
#include "publish/folder.h"
#include "publish/shuffle.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 1 << 20 };

typedef struct guard {
    const char *name;
    int from, to;
    bt_buffer in, out, field; /* `field` as it stands in the file */
    bool inside;              /* of quotes */
    int64_t written;
} guard;

static bauta_status flush(guard *g, bauta_error *error)
{
    BT_TRY(bt_write_at(g->to, g->name, g->written, g->out.bytes, g->out.length, error));
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
        ssize_t got = read(g->from, g->in.bytes, PIECE);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, "cannot read", g->name);
        if (got == 0) return flush(g, error);
        g->in.length = (size_t)got;
        BT_TRY(take_piece(g, error));
    }
}

static bauta_status guard_table(const char *path, const char *fresh, bauta_error *error)
{
    guard g = {.name = path, .from = open(path, O_RDONLY | O_CLOEXEC), .to = -1};
    if (g.from < 0) return errno == ENOENT ? BAUTA_OK : bt_fail_errno(error, "cannot open", path);
    g.to = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
    bauta_status status =
        g.to >= 0 ? guard_all(&g, error) : bt_fail_errno(error, "cannot create", fresh);
    if (g.to >= 0 && close(g.to) != 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot close", fresh);
    if (status == BAUTA_OK && rename(fresh, path) != 0)
        status = bt_fail_errno(error, "cannot rename to", path);
    close(g.from);
    bt_buffer_release(&g.in);
    bt_buffer_release(&g.out);
    bt_buffer_release(&g.field);
    return status;
}

bauta_status bt_guard_tables(const char *folder, bauta_error *error)
{
    static const char *const tables[] = {"data.csv", "quasi.csv", "sensitive.csv"};
    bt_arena arena = {0};
    bauta_status status = BAUTA_OK;
    const char *fresh = bt_arena_print(&arena, "%s/fresh", folder);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && status == BAUTA_OK; i++) {
        const char *path = bt_arena_print(&arena, "%s/%s", folder, tables[i]);
        status = path && fresh ? guard_table(path, fresh, error) : bt_fail_memory(error);
    }
    bt_arena_release(&arena);
    return status;
}
