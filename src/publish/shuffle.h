/* SPDX-License-Identifier: Apache-2.0
 *
 * Shuffling rows into a file.
 *
 * Every row gets a random 64-bit key; the file holds the rows in the order of their keys.
 * Rows are thrown into buckets by the first bits of the key as they come, a bucket is sorted
 * and written at a time, and full buckets spill to an enciphered temporary file once the budget
 * is used up. So the order does not depend on threads or memory, and all access is sequential.
 *
 * What is moved about is not the text of a row but what the caller packs into it, mostly
 * numbers; the text is made when a bucket is written.
 */
#ifndef BT_SHUFFLE_H
#define BT_SHUFFLE_H

#include "base/memory.h"
#include "base/run.h"
#include "store/store.h"

typedef struct bt_shuffle bt_shuffle;

typedef struct bt_shuffle_row {
    uint64_t key;
    const char *packed;
    uint32_t length;
} bt_shuffle_row;

/* Writes the texts of rows one after the other, each as long as was said when it was added;
 * BT_SHUFFLE_SLACK bytes behind the last may be written too. */
typedef void (*bt_shuffle_text)(const void *user, const bt_shuffle_row *rows, size_t count,
                                char *out);
enum { BT_SHUFFLE_SLACK = 16 };

/* `label` names the random stream: each published file has its own. */
BT_MUST_USE bauta_status bt_shuffle_new(const bt_run *run, const char *label, int64_t rows,
                                        bt_shuffle_text text, const void *user, bt_shuffle **out,
                                        bauta_error *error);
void bt_shuffle_free(bt_shuffle *shuffle);

/* Adds row number `row` of those that are published (each from 0 to rows-1 once); `text_length` is
 * that of its text. */
BT_MUST_USE bauta_status bt_shuffle_add(bt_shuffle *shuffle, unsigned worker, int64_t row,
                                        const char *packed, size_t length, size_t text_length,
                                        bauta_error *error);

/* Writes all rows to `file` from `offset` on. */
BT_MUST_USE bauta_status bt_shuffle_write(bt_shuffle *shuffle, const bt_store_file *file,
                                          int64_t offset, bauta_error *error);

/* In place of that: hands out the rows of one part of all after the other, in order, from several
 * threads at once; `part` is below bt_shuffle_parts. Their packed bytes are there until it returns.
 */
typedef bauta_status (*bt_shuffle_take)(void *user, size_t part, unsigned worker,
                                        const bt_shuffle_row *rows, size_t count,
                                        bauta_error *error);
size_t bt_shuffle_parts(const bt_shuffle *shuffle);
BT_MUST_USE bauta_status bt_shuffle_visit(bt_shuffle *shuffle, bt_shuffle_take take, void *user,
                                          bauta_error *error);

#endif
