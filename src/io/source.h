/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a source: a kind of table that can be read. One file per source, one line in
 * sources.def.
 *
 * A source cuts a table into blocks of rows that several workers visit at once, and hands out
 * batches of typed columns (batch.h). It is visited at least once from the first block to the last,
 * block numbers handed out in ascending order; later visits may come in any order.
 *
 * Which source reads a table is found out by the scheme of its name (`arrow:NAME`), else by its
 * first bytes; where these may be of several sources, the extension decides.
 */
#ifndef BT_SOURCE_H
#define BT_SOURCE_H

#include "base/temporary.h"
#include "io/bytes.h"
#include "io/input.h"

struct bt_source;

typedef struct bt_reader { /* one table opened by a source */
    const struct bt_source *source;
    const char *name; /* as it was given, but for "standard input" */
    bool scheme;      /* it names no file */
    const bt_input_options *options;
    bt_bytes *bytes; /* NULL: the source has a scheme */
    bt_buffer head;  /* what was read of them so far (bt_reader_head) */
    bool head_whole; /* that is all */
    bool spooled;    /* they are read by position from `spool`; else from the file itself */
    bt_temporary spool;
    int64_t size;   /* of what is read by position */
    char **columns; /* names, UTF-8 */
    size_t column_count;
    size_t renamed, first_renamed; /* columns whose name occurs before; the first of them */
    char delimiter;                /* given or sniffed; 0 for sources without one */
    size_t blocks;
    void *state; /* the source's own */
} bt_reader;

/* Reads until `head` holds `want` bytes, or all there are; BT_CSV_PADDING zero bytes follow. */
BT_MUST_USE bauta_status bt_reader_head(bt_reader *reader, size_t want, bauta_error *error);

/* Bytes by position; *got is less than `length` at the end only. */
BT_MUST_USE bauta_status bt_reader_read(const bt_reader *reader, int64_t offset, char *bytes,
                                        size_t length, size_t *got, bauta_error *error);

typedef struct bt_scratch { /* one per worker */
    bt_buffer block, text;
    bt_span *fields; /* of `rows` rows, one after the other: for sources that split rows */
    size_t rows;     /* at most so many are in a batch */
    bt_batch batch;  /* for the source to fill */
    size_t columns;
    const bool *wanted; /* others may be left empty; NULL: all are */
} bt_scratch;

/* Takes several rows at once, so that a column can be gone through in one loop. */
typedef bauta_status (*bt_take_batch)(void *user, bt_batch *batch, bauta_error *error);

typedef enum bt_likeness { BT_LOOKS_FOREIGN, BT_LOOKS_POSSIBLE, BT_LOOKS_CERTAIN } bt_likeness;

typedef struct bt_source {
    const char *name, *summary;
    const char *extensions; /* "csv tsv txt" */
    const char *scheme;     /* names that begin with it and a colon are no files; NULL: none do */
    /* With a scheme: the table as CSV in UTF-8, with commas and a line of names, for the source
     * that reads files of it; all else is NULL then. */
    bauta_status (*stream)(const char *name, const bt_run *run, bt_bytes **out, bauta_error *error);
    /* Whether the first bytes of a file are such a table's; NULL with a scheme. */
    bt_likeness (*recognize)(const char *head, size_t length, const bt_input_options *options);
    /* Reads what names the columns (of files: reader->head), and fills columns. */
    bauta_status (*open)(bt_reader *reader, bt_arena *arena, bauta_error *error);
    /* Makes the rows readable any number of times (spools a stream: columns whose uses[i] is
     * BT_USE_SKIP may be left out) and fills blocks. */
    bauta_status (*prepare)(bt_reader *reader, const bt_use *uses, const bt_run *run,
                            bauta_error *error);
    /* Calls `take` for the rows of a block, at most scratch->rows at a time; *rows counts them,
     * also on failure, when an error's row is relative to the block. */
    bauta_status (*visit)(bt_reader *reader, size_t block, bt_scratch *scratch, bt_take_batch take,
                          void *user, int64_t *rows, bauta_error *error);
    /* After the last block of a visit: fails when the table is not what it was when opened. */
    bauta_status (*finish)(const bt_reader *reader, bauta_error *error);
    void (*close)(bt_reader *reader); /* of one that has a state */
    /* Whether a column of a table that is prepared is yielded as codes. NULL: none is. */
    bool (*codes)(const bt_reader *reader, size_t column);
} bt_source;

extern const bt_source *const bt_source_registry[];
extern const size_t bt_source_registry_count;

extern const bt_source bt_source_coded; /* of options->coded: it has no name */

/* The source with the scheme that a name begins with; NULL: it has none. */
const bt_source *bt_source_with_scheme(const char *name);

/* Says that a source was left out of this build. */
BT_MUST_USE bauta_status bt_source_left_out(const char *feature, bauta_error *error);

/* The source whose tables begin as a file does whose head was read; of several the one with its
 * extension. NULL: there is none. */
const bt_source *bt_source_of_content(const bt_reader *reader, const char *file);

#endif
