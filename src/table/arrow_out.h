/* SPDX-License-Identifier: Apache-2.0
 *
 * Making a stream of one Arrow batch (the Arrow C data and stream interfaces, bauta.h).
 *
 * Columns are added one by one; then the table is handed out as a stream. All of it lives in one
 * block of memory, which is freed with the last schema or array that was taken from the stream,
 * whoever has moved it where.
 */
#ifndef BT_ARROW_OUT_H
#define BT_ARROW_OUT_H

#include "table/table.h"

typedef struct bt_arrow_table bt_arrow_table;

BT_MUST_USE bauta_status bt_arrow_new(size_t columns, int64_t rows, bt_arrow_table **out,
                                      bauta_error *error);
void bt_arrow_free(bt_arrow_table **table); /* for BT_OWN; NULL is none */

/* A column of distinct texts, of which row i has the one with number bt_code_at(codes, width, i).
 */
typedef struct bt_arrow_texts {
    const bt_values *values;
    const void *codes;
    unsigned width;
} bt_arrow_texts;

/* Adds a column of texts, the empty ones missing. Where texts repeat it is a dictionary of those
 * that occur, in the order of their first rows. `name` is copied. */
BT_MUST_USE bauta_status bt_arrow_add_texts(bt_arrow_table *table, const char *name,
                                            const bt_arrow_texts *texts, bauta_error *error);

/* Adds a column of numbers, of which row i has that of number bt_code_at(codes, width, i); missing
 * where `present` is false. Integers are int64, decimals (times 10^scale) decimal128, dates date32.
 */
typedef struct bt_arrow_numbers {
    bt_type type; /* not BT_TEXT */
    int scale;
    const int64_t *numbers;
    const bool *present;
    const void *codes;
    unsigned width;
} bt_arrow_numbers;
BT_MUST_USE bauta_status bt_arrow_add_numbers(bt_arrow_table *table, const char *name,
                                              const bt_arrow_numbers *numbers, bauta_error *error);

/* Hands the table out as a stream, whose it is from then on: *table is NULL afterwards. */
void bt_arrow_hand_out(bt_arrow_table **table, struct ArrowArrayStream *out);

#endif
