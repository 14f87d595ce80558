/* SPDX-License-Identifier: Apache-2.0
 *
 * Comparing the other columns of two tables row by row without holding their text: each row's
 * texts become a 128-bit keyed hash, and equal hashes one number. Only src/audit may include
 * this.
 *
 * The hash alone decides, since to compare the texts themselves those of both tables would have to
 * be held, or read again row by row. It is enough: the key is drawn for each comparison and never
 * leaves it, so that whoever made the files cannot prepare two rows that look alike, and that any
 * two of 2^32 rows do so by chance has a probability below 2^-64.
 */
#ifndef BT_TEXTS_H
#define BT_TEXTS_H

#include "reading/release.h"

typedef struct bt_texts {
    bt_input *input;
    int64_t rows;
    const size_t *columns; /* places in the input, in the same order for both tables */
    size_t count;
    const bt_reading *readings; /* per column of the input: texts are made canonical first */
} bt_texts;

/* Numbers the rows of both tables: rows get the same number exactly when their texts are
 * equal. The arrays are the caller's to free; *distinct numbers are used. */
BT_MUST_USE bauta_status bt_texts_number(const bt_texts *one, const bt_texts *other,
                                         const bt_run *run, uint32_t **of_one, uint32_t **of_other,
                                         uint32_t *distinct, bauta_error *error);

#endif
