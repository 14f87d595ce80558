/* SPDX-License-Identifier: Apache-2.0
 *
 * Sources: where bytes come from. Plain files are read by position, any part at any time;
 * everything else (gzip, zstd, pipes, standard input) is a stream that can be read once.
 */
#ifndef BT_SOURCE_H
#define BT_SOURCE_H

#include "base/memory.h"
#include "base/run.h"

typedef struct bt_source bt_source;

/* "-" is standard input. Compression is recognised by content. Whoever waits for a pipe asks now
 * and then whether to go on (bt_run_progress); the run must live as long as the source. */
BT_MUST_USE bauta_status bt_source_open(const char *name, const bt_run *run, bt_source **out,
                                        bauta_error *error);
void bt_source_close(bt_source *source);

/* A plain file that can be read by position; its descriptor and size. */
bool bt_source_plain(const bt_source *source, int *descriptor, int64_t *size);

/* Size of the file as it is on disk; -1 when it has none. */
int64_t bt_source_bytes(const bt_source *source);

/* Reads the next bytes of the (decompressed) stream; *got is 0 at the end. Works for plain
 * files too. */
BT_MUST_USE bauta_status bt_source_read(bt_source *source, char *bytes, size_t room, size_t *got,
                                        bauta_error *error);

/* Reads [offset, offset + length) of a plain file; *got is less only at the end of the file. */
BT_MUST_USE bauta_status bt_read_at(int descriptor, const char *name, int64_t offset, char *bytes,
                                    size_t length, size_t *got, bauta_error *error);

#endif
