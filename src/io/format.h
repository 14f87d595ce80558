/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of an input format. One file per format, one line in formats.def.
 *
 * A format cuts a file into blocks of rows that several workers visit at once, and gives each
 * row as the spans of its fields. It is visited at least once from the first block to the
 * last, block numbers handed out in ascending order; later visits may come in any order.
 */
#ifndef BT_FORMAT_H
#define BT_FORMAT_H

#include "base/temporary.h"
#include "io/input.h"
#include "io/source.h"

struct bt_format;

typedef struct bt_reader { /* one file opened by a format */
    const struct bt_format *format;
    const char *name; /* for errors */
    const bt_input_options *options;
    bt_source *source;
    int descriptor; /* read by position: the file itself, or its spool */
    bool spooled;   /* then `descriptor` is that of `spool` */
    bt_temporary spool;
    int64_t size;   /* of what `descriptor` reads */
    char **columns; /* names, UTF-8 */
    size_t column_count;
    size_t renamed, first_renamed; /* columns whose name occurs before; the first of them */
    char delimiter;                /* given or sniffed; 0 for formats without one */
    size_t blocks;
    void *state; /* the format's own */
} bt_reader;

/* Bytes by position; *got is less than `length` at the end only. */
BT_MUST_USE bauta_status bt_reader_read(const bt_reader *reader, int64_t offset, char *bytes,
                                        size_t length, size_t *got, bauta_error *error);

typedef struct bt_scratch { /* one per worker */
    bt_buffer block, text;
    bt_span *fields; /* of `rows` rows, one after the other */
    size_t rows;
} bt_scratch;

/* Takes several rows at once, so that a column can be gone through in one loop. */
typedef bauta_status (*bt_rows)(void *user, bt_span *fields, size_t rows, bauta_error *error);

typedef struct bt_format {
    const char *name, *summary;
    const char *extensions; /* "csv tsv txt" */
    /* Reads the head of reader->source and fills columns. */
    bauta_status (*open)(bt_reader *reader, bt_arena *arena, bauta_error *error);
    /* Makes the rows readable by position (spools a stream: columns whose uses[i] is
     * BT_USE_SKIP may be left out) and fills blocks. */
    bauta_status (*prepare)(bt_reader *reader, const bt_use *uses, const bt_run *run,
                            bauta_error *error);
    /* Calls `take` for the rows of a block, at most scratch->rows at a time; *rows counts them,
     * also on failure, when an error's row is relative to the block. */
    bauta_status (*visit)(bt_reader *reader, size_t block, bt_scratch *scratch, bt_rows take,
                          void *user, int64_t *rows, bauta_error *error);
    /* After the last block of a visit: fails when the file is not what it was when opened. */
    bauta_status (*finish)(const bt_reader *reader, bauta_error *error);
    void (*close)(bt_reader *reader);
} bt_format;

extern const bt_format *const bt_format_registry[];
extern const size_t bt_format_registry_count;

#endif
