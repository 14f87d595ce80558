/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffling rows of text into a file.
 *
 * Every row gets a random 64-bit key; the file holds the rows in the order of their keys.
 * Rows are thrown into buckets by the first bits of the key as they come, a bucket is sorted
 * and written at a time, and full buckets spill to an unlinked temporary file once the budget
 * is used up. So the order does not depend on threads or memory, and all access is sequential.
 */
#ifndef BT_SHUFFLE_H
#define BT_SHUFFLE_H

#include "base/memory.h"
#include "base/run.h"

typedef struct bt_shuffle bt_shuffle;

/* `label` names the random stream: each published file has its own. */
BT_MUST_USE bauta_status bt_shuffle_new(const bt_run *run, const char *label, int64_t rows,
                                        bt_shuffle **out, bauta_error *error);
void bt_shuffle_free(bt_shuffle *shuffle);

/* Adds row number `row` (each from 0 to rows-1 at most once) with its text, a whole line. */
BT_MUST_USE bauta_status bt_shuffle_add(bt_shuffle *shuffle, unsigned worker, int64_t row,
                                        const char *bytes, size_t length, bauta_error *error);

/* Writes all rows to `descriptor` from `offset` on. */
BT_MUST_USE bauta_status bt_shuffle_write(bt_shuffle *shuffle, int descriptor, const char *name,
                                          int64_t offset, bauta_error *error);

/* Writes all of `bytes` at `offset`. */
BT_MUST_USE bauta_status bt_write_at(int descriptor, const char *name, int64_t offset,
                                     const char *bytes, size_t length, bauta_error *error);

#endif
