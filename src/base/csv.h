/* SPDX-License-Identifier: Apache-2.0
 *
 * CSV records (RFC 4180): splitting a block of bytes into fields, and quoting.
 *
 * Written by hand because nothing packaged splits at memory speed and reports the exact place
 * of a fault: the scanner finds delimiters, line ends and quotes 64 bytes at a time and gives
 * fields as spans of the block, copying nothing. It does no I/O and knows no types.
 *
 * Rules: fields are separated by one delimiter byte; a record ends with LF or CR LF; a field
 * that begins with a quote ends with the next quote that is not doubled and may hold
 * delimiters and line ends; a quote anywhere else is a fault. White space around a field (not
 * inside its quotes) is dropped. Blank lines are skipped when the table has more than one column.
 */
#ifndef BT_CSV_H
#define BT_CSV_H

#include "base/memory.h"

enum { BT_CSV_PADDING = 64 }; /* readable bytes that must follow a block */

typedef struct bt_span {
    const char *bytes; /* all that is inside the quotes, or without outer white space */
    uint32_t length;
    bool doubled; /* holds doubled quotes: see bt_span_text */
    bool quoted;  /* stood in quotes */
} bt_span;

typedef enum bt_csv_fault {
    BT_CSV_FINE,
    BT_CSV_FEW,      /* the record has fewer fields than columns */
    BT_CSV_MANY,     /* the record has more fields than columns */
    BT_CSV_UNCLOSED, /* a quoted field does not end */
    BT_CSV_STRAY,    /* a quote inside an unquoted field, or text after a closing quote */
    BT_CSV_LONG,     /* a field of more than 4 GiB */
} bt_csv_fault;

typedef struct bt_csv {
    const char *at, *end; /* next record; end of the block */
    char delimiter;
    size_t columns; /* fields expected in a record */
    /* private: structural bytes of the 64 bytes from `window` on */
    const char *window;
    uint64_t mask;
    bool blank; /* they hold white space too */
    /* after a fault */
    bt_csv_fault fault;
    size_t fault_column;    /* from 0 */
    const char *fault_byte; /* where */
} bt_csv;

/* The block is [bytes, bytes + length), followed by BT_CSV_PADDING readable bytes. It begins at
 * a record and ends after one (the last line end may be missing). */
void bt_csv_open(bt_csv *csv, const char *bytes, size_t length, char delimiter, size_t columns);

/* Puts the next record into fields[0..columns-1]; false at the end of the block or on a fault
 * (then csv->fault is set). */
bool bt_csv_next(bt_csv *csv, bt_span *fields);

/* Puts up to `most` records into fields, one after the other; how many there were before the end
 * of the block or a fault. */
size_t bt_csv_batch(bt_csv *csv, bt_span *fields, size_t most);

/* One record whose number of fields is not known; used for headers and small files. Returns
 * the number of fields, at most `most` of them stored; 0 at the end or on a fault. */
size_t bt_csv_any(bt_csv *csv, bt_span *fields, size_t most);

/* The text of a span: itself, or with doubled quotes undone in `scratch`; either way
 * BT_CSV_PADDING readable bytes follow it. */
BT_MUST_USE bauta_status bt_span_text(bt_span *span, bt_buffer *scratch, bauta_error *error);

const char *bt_csv_fault_text(bt_csv_fault fault);

/* Number of quotes, NUL bytes present?, bytes above 127 present? - one fast pass. */
typedef struct bt_csv_census {
    size_t quotes;
    bool nul, high;
} bt_csv_census;
bt_csv_census bt_csv_survey(const char *bytes, size_t length);

/* Whether a spreadsheet may take a text for a formula, or for text that says it is none: it begins
 * with one of = + - @, a tab, a line end or an apostrophe, and is no plain number. In a release
 * that is made for spreadsheets such a text stands behind an apostrophe, and no other does. */
bool bt_csv_tempts(const char *bytes, size_t length);

/* Bytes that bt_csv_put appends for a field. */
size_t bt_csv_size(const char *bytes, size_t length);

/* Appends a field, quoted when it must be (delimiter comma, quote, line end, outer space). */
BT_MUST_USE bauta_status bt_csv_put(bt_buffer *out, const char *bytes, size_t length,
                                    bauta_error *error);

#endif
