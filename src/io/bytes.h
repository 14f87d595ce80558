/* SPDX-License-Identifier: Apache-2.0
 *
 * The bytes of a file. Plain files, and bytes in memory or of a store that stand for one, are read
 * by position, any part at any time; everything else (gzip, zstd, pipes, standard input) is a
 * stream that can be read once.
 */
#ifndef BT_BYTES_H
#define BT_BYTES_H

#include "base/memory.h"
#include "base/run.h"

typedef struct bt_bytes bt_bytes;

/* "-" is standard input. Compression is recognised by content. Whoever waits for a pipe asks now
 * and then whether to go on (bt_run_progress); the run must live as long as they are read. */
BT_MUST_USE bauta_status bt_bytes_open(const char *name, const bt_run *run, bt_bytes **out,
                                       bauta_error *error);
/* Takes over the descriptor of a plain file, also on failure. `name` is copied. */
BT_MUST_USE bauta_status bt_bytes_take(int descriptor, const char *name, bt_bytes **out,
                                       bauta_error *error);
/* Bytes in memory, which stay as they are as long as they are read. `own`: a block that is freed
 * with them, also on failure; NULL: none is. `name` is copied. */
BT_MUST_USE bauta_status bt_bytes_in_memory(const char *bytes, size_t length, void *own,
                                            const char *name, bt_bytes **out, bauta_error *error);
/* Bytes that somebody else hands out: `read` gives any part of them, from any thread, and the
 * length is what it can; `close` frees `user`, also on failure. `name` is copied. */
typedef struct bt_bytes_calls {
    bauta_status (*read)(void *user, int64_t offset, char *bytes, size_t length,
                         bauta_error *error);
    void (*close)(void *user);
    void *user;
} bt_bytes_calls;
BT_MUST_USE bauta_status bt_bytes_by_calls(const bt_bytes_calls *calls, int64_t length,
                                           const char *name, bt_bytes **out, bauta_error *error);
/* A stream that somebody else makes, as it is: `next` gives up to `room` bytes, 0 at the end;
 * `close` frees `user`, also on failure. `name` is copied. */
typedef struct bt_bytes_flow {
    bauta_status (*next)(void *user, char *bytes, size_t room, size_t *got, bauta_error *error);
    void (*close)(void *user);
    void *user;
} bt_bytes_flow;
BT_MUST_USE bauta_status bt_bytes_stream(const bt_bytes_flow *flow, const char *name,
                                         bt_bytes **out, bauta_error *error);
void bt_bytes_close(bt_bytes *from);

/* Whether they are plain, so that they can be read by position; and their size. */
bool bt_bytes_plain(const bt_bytes *from, int64_t *size);

/* Reads [offset, offset + length) of plain ones, from any thread; *got is less only at their end.
 */
BT_MUST_USE bauta_status bt_bytes_read_at(const bt_bytes *from, int64_t offset, char *bytes,
                                          size_t length, size_t *got, bauta_error *error);

/* Size of the file as it is on disk; -1 when it has none. */
int64_t bt_bytes_on_disk(const bt_bytes *from);

/* Fails when a file is not what it was when it was opened, before anything of it was read. */
BT_MUST_USE bauta_status bt_bytes_unchanged(const bt_bytes *from, bauta_error *error);

/* Reads the next bytes of the (decompressed) stream; *got is 0 at the end. Works for plain
 * files too. */
BT_MUST_USE bauta_status bt_bytes_read(bt_bytes *from, char *bytes, size_t room, size_t *got,
                                       bauta_error *error);

/* Reads bytes at a position of a plain file, by its descriptor. */
BT_MUST_USE bauta_status bt_read_at(int descriptor, const char *name, int64_t offset, char *bytes,
                                    size_t length, size_t *got, bauta_error *error);

/* Writes bytes at a position of a file. */
BT_MUST_USE bauta_status bt_write_at(int descriptor, const char *name, int64_t offset,
                                     const char *bytes, size_t length, bauta_error *error);

#endif
