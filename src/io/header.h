/* SPDX-License-Identifier: Apache-2.0
 *
 * The first record of a table: whether it names the columns, and names that occur twice. Only
 * src/io may include this.
 */
#ifndef BT_HEADER_H
#define BT_HEADER_H

#include "base/csv.h"

typedef struct bt_header_look {
    const bt_span *fields; /* of the first record */
    size_t count;
    const char *rest; /* the bytes behind it, and BT_CSV_PADDING more */
    size_t length;
    bool whole; /* up to the end of the file */
    char delimiter;
    bool decimal_comma;
} bt_header_look;

/* Whether it looks like a record: a name is a number, a date, a mail address, "?" or "-"; or, among
 * the records that are at hand, a value of its own column or of the same shape as half of them; or
 * two columns of words have the same one. */
BT_MUST_USE bauta_status bt_header_is_record(const bt_header_look *look, bool *out,
                                             bauta_error *error);

/* Gives names that occur again a number, from _2 on, that no other name has; *first is the first
 * column that was renamed, or `count`. */
BT_MUST_USE bauta_status bt_header_rename(char **names, size_t count, bt_arena *arena,
                                          size_t *first, size_t *renamed, bauta_error *error);

#endif
