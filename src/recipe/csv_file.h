/* SPDX-License-Identifier: Apache-2.0
 *
 * Small CSV files that go with a recipe (hierarchies, categories): UTF-8, ';' or ',', no header.
 */
#ifndef BT_CSV_FILE_H
#define BT_CSV_FILE_H

#include "base/csv.h"

/* Reads the whole file; BT_CSV_PADDING readable bytes follow. `kind` names it in errors
 * ("hierarchy"); *absent tells a wrong name from other faults. */
BT_MUST_USE bauta_status bt_csv_file_read(const char *file, const char *kind, bt_buffer *out,
                                          bool *absent, bauta_error *error);

typedef struct bt_csv_rows { /* a file that is being walked through */
    bt_csv csv;
    const char *file, *column; /* for errors; file may be NULL */
    uint32_t row;              /* the last one read, from 1 */
    bt_csv_census census;
} bt_csv_rows;

/* Skips a byte-order mark and finds the delimiter: the one that splits more of the first rows;
 * labels such as [20,24] make ';' win ties. */
void bt_csv_rows_open(bt_csv_rows *rows, const char *bytes, size_t length, const char *file,
                      const char *column);

/* The next record, as bt_csv_any; *count is 0 at the end. */
BT_MUST_USE bauta_status bt_csv_rows_next(bt_csv_rows *rows, bt_span *fields, size_t most,
                                          size_t *count, bauta_error *error);

/* Undoes doubled quotes and refuses what is not plain UTF-8 text. */
BT_MUST_USE bauta_status bt_csv_rows_text(const bt_csv_rows *rows, bt_span *field,
                                          bt_buffer *scratch, bauta_error *error);

/* BAUTA_INVALID at the last row; `hint` may be NULL. */
BT_MUST_USE bauta_status bt_csv_rows_fail(const bt_csv_rows *rows, const char *what,
                                          const char *hint, bauta_error *error);

/* Hands every row, which must have two fields, to `take`, as text. `form` says in hints how such a
 * row looks. */
typedef bauta_status (*bt_csv_pair)(void *user, const bt_csv_rows *rows, const bt_span *fields,
                                    bauta_error *error);
BT_MUST_USE bauta_status bt_csv_rows_pairs(bt_csv_rows *rows, const char *form, bt_csv_pair take,
                                           void *user, bauta_error *error);

#endif
