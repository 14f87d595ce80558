/* SPDX-License-Identifier: Apache-2.0
 *
 * Input: one or several tables (files that are plain, gzip, zstd or standard input; or what a
 * scheme names) read as one, each by the source that it is of (source.h).
 *
 * A table is passed over twice: bt_input_read codes the columns that are grouped by, and
 * bt_input_scan gives the texts again, in the same order, when the release is written; so
 * text is never held. What cannot be read twice (compressed, piped) is spooled to an enciphered
 * temporary file, needed columns only.
 */
#ifndef BT_INPUT_H
#define BT_INPUT_H

#include "base/run.h"
#include "base/text.h"
#include "io/batch.h"
#include "table/table.h"

/* What the first record of a file is. */
typedef enum bt_header {
    BT_HEADER_EXACT, /* names, each once: our own files */
    BT_HEADER_LOOK,  /* names; what looks like a record is refused */
    BT_HEADER_YES,   /* names, whatever they look like */
    BT_HEADER_NO,    /* a record: columns are column_1, column_2, … */
} bt_header;

typedef struct bt_input_options {
    const char *const *files; /* "-": standard input; SCHEME:NAME as sources have it */
    size_t count;
    struct bt_bytes *bytes; /* of the first of them, opened before (bytes.h), whatever its name is;
                               taken over, also on failure. NULL: it is opened by its name */
    const struct bt_coded_table *coded; /* it is this table, of which `files` is the name (coded.h);
                                           borrowed. NULL: it is opened by its name */
    const struct bt_streams *streams;   /* what arrow:NAME names (table/arrow.h); NULL: nothing */
    char delimiter;                     /* 0: sniffed */
    bt_encoding encoding; /* of files; once they are opened, of the texts of the input */
    bool decimal_comma;
    bt_header header;
    bt_missing missing;
    const bt_missing *missing_of;     /* of each column, once it is set; NULL: as above for all */
    const struct bt_chain_key *chain; /* digests are made of columns that are not coded (chain.h);
                                         NULL: none */
    bool guarded; /* texts that look like formulas stand behind an apostrophe, which is taken off
                     (bt_csv_tempts) */
    bool plain;   /* only files as they are: neither compressed nor piped */
    size_t block_bytes; /* unit of parallel work; 0: default (tests use small ones) */
} bt_input_options;

typedef struct bt_input bt_input;

/* Opens the files and reads their headers, which must agree. */
BT_MUST_USE bauta_status bt_input_open(const bt_input_options *options, const bt_run *run,
                                       bt_input **out, bauta_error *error);
void bt_input_close(bt_input *input);

/* Whether it names a file, not standard input nor a table of a scheme. */
bool bt_input_is_file(const char *name);
/* Whether it can be read more than once: neither standard input nor a pipe. */
bool bt_input_is_repeatable(const char *name);

const char *bt_input_name(const bt_input *input); /* of the first file, as errors name it */
size_t bt_input_columns(const bt_input *input);
const char *const *bt_input_names(const bt_input *input);
/* How many columns have another name than in the file, where it occurs before; *first is one of
 * them. */
size_t bt_input_renamed(const bt_input *input, size_t *first);
char bt_input_delimiter(const bt_input *input); /* given or sniffed */
int64_t bt_input_bytes(const bt_input *input);  /* of the files as they are; -1 when piped */
/* Whether a column of a table that was read is held as codes of dictionaries. */
bool bt_input_codes(const bt_input *input, size_t column);
const bt_input_options *bt_input_settings(const bt_input *input);

/* What means missing in each column, as many as there are; borrowed. Before the rows are read. */
void bt_input_set_missing(bt_input *input, const bt_missing *of_columns);

static inline const bt_missing *bt_input_missing(const bt_input_options *options, size_t column)
{
    return options->missing_of ? &options->missing_of[column] : &options->missing;
}

/* What to do with a column. */
typedef enum bt_use {
    BT_USE_SKIP,      /* never looked at after splitting */
    BT_USE_CHECK,     /* published as it is: its type is found out */
    BT_USE_CODE,      /* coded */
    BT_USE_READ,      /* not published: its type is found out, for its digest */
    BT_USE_WATCH = 4, /* may be added: whether values repeat is found out */
    /* One of these may be added to BT_USE_CHECK or BT_USE_CODE: rows whose texts in all columns of
     * a set are those of no other row are counted. */
    BT_USE_FIRST_SET = 8,
    BT_USE_SECOND_SET = 16,
    /* BT_USE_CHECK alone may have these two added. */
    BT_USE_ALONE = 32,   /* rows whose text no other row has are counted */
    BT_USE_EXCERPT = 64, /* texts in a sample of the rows are kept */
} bt_use;

enum { BT_USE_SETS = 2 };

static inline bt_use bt_use_plain(bt_use use)
{
    return (bt_use)(use & ~(unsigned)(BT_USE_WATCH | BT_USE_FIRST_SET | BT_USE_SECOND_SET |
                                      BT_USE_ALONE | BT_USE_EXCERPT));
}

typedef struct bt_check { /* what is known of a column that is not coded */
    unsigned forms;       /* BT_FORM_*: those that fit all present values */
    int64_t missing;
    int64_t bytes; /* bytes that the values take in CSV, quoted only where they must be */
    bool verbatim; /* read as text or integer, every value is in canonical form already, with
                      nothing to quote and no mark of the missing ones */
} bt_check;

typedef struct bt_repeats { /* what is known of a column that is watched */
    int64_t present;        /* rows whose value is not missing */
    int64_t distinct;
    int64_t sharing; /* rows whose value another row has too */
} bt_repeats;

typedef struct bt_raw bt_raw; /* coded columns whose domains are not laid out yet */

/* Reads all rows; uses[i] says what to do with column i. */
BT_MUST_USE bauta_status bt_input_read(bt_input *input, const bt_use *uses, const bt_run *run,
                                       bt_raw **out, bauta_error *error);
void bt_raw_free(bt_raw *raw);
int64_t bt_raw_rows(const bt_raw *raw);
const bt_values *bt_raw_values(const bt_raw *raw, size_t column); /* BT_USE_CODE */
/* The rows that no other row equals in the columns of a set (from 0), exactly; all marks of a
 * missing value are one text. 0 when the set has no columns. */
int64_t bt_raw_alone(const bt_raw *raw, size_t set);
/* The rows that no other row equals in one BT_USE_ALONE column, and in all of them together (0:
 * there are none). */
int64_t bt_raw_alone_in(const bt_raw *raw, size_t column);
int64_t bt_raw_alone_together(const bt_raw *raw);
/* Some thousand rows (excerpt.h), ascending, with their texts in the BT_USE_CHECK columns of the
 * sets; of other columns NULL. */
size_t bt_raw_excerpt_count(const bt_raw *raw);
int64_t bt_raw_excerpt_row(const bt_raw *raw, size_t number);
const char *bt_raw_excerpt_text(const bt_raw *raw, size_t number, size_t column, uint32_t *length);
const bt_check *bt_raw_check(const bt_raw *raw, size_t column); /* BT_USE_CHECK, BT_USE_READ */
/* The digest of such a column's values in the order of rows, as `reading` says they are to be read;
 * the same for any source of the same values. The input was opened with a key for it. */
enum { BT_CHAIN_BYTES = 16 };
void bt_raw_chain(const bt_raw *raw, const bt_input *input, size_t column,
                  const bt_reading *reading, unsigned char out[BT_CHAIN_BYTES]);

const bt_repeats *bt_raw_repeats(const bt_raw *raw, size_t column); /* BT_USE_WATCH */
/* Finds the rows in which no column is missing that has an entry in `missing` (of BT_USE_CODE;
 * NULL: it may be), ascending, and counts the values of every column in those alone: a value that
 * no such row has then has 0 rows, and no place in a domain. *rows is the caller's to free; NULL:
 * all are. */
BT_MUST_USE bauta_status bt_raw_keep_complete(bt_raw *raw, const bt_missing *const *missing,
                                              int64_t **rows, int64_t *count, bauta_error *error);

/* Rows that stand for several records: the rows of each value of a column (bt_raw_values) become
 * these. Before the column is encoded. */
void bt_raw_weigh(bt_raw *raw, size_t column, const uint64_t *times);

/* Makes out->codes (width from out->domain.size, freed by bt_table_release) by mapping
 * values->text[i] to code_of_value[i], and drops the raw codes of the column. */
BT_MUST_USE bauta_status bt_raw_encode(bt_raw *raw, size_t column, const uint32_t *code_of_value,
                                       const bt_run *run, bt_column *out, bauta_error *error);

/* Visits every row: it is that with number `at` in the batch (bt_batch_text, in the input's
 * encoding); columns that are not `wanted` may be empty (NULL: all are). Rows are numbered from 0
 * as bt_input_read counted them; several workers visit at once, each its rows in ascending order.
 * Fails if the file has changed since. */
typedef bauta_status (*bt_visit_row)(void *user, unsigned worker, int64_t row,
                                     const bt_batch *batch, size_t at, bauta_error *error);
BT_MUST_USE bauta_status bt_input_scan(bt_input *input, const bool *wanted, const bt_run *run,
                                       const char *stage, bt_visit_row visit, void *user,
                                       bauta_error *error);

#endif
