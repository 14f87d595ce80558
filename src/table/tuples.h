/* SPDX-License-Identifier: Apache-2.0
 *
 * Groups rows by the tuple of their codes in several columns.
 *
 * Exact: the codes of a tuple are packed into as few 64-bit words as they need (mixed radix) and
 * compared as a whole; a hash only says where to look. Groups are numbered in the order of
 * their first rows, so the result does not depend on the number of threads.
 *
 * Cost: linear in rows times columns; memory (words + 1) * 8 bytes for each distinct tuple that
 * a worker sees, at a load between 0.35 and 0.7, and nothing per row but its number if that is
 * asked for.
 */
#ifndef BT_TUPLES_H
#define BT_TUPLES_H

#include "base/run.h"
#include "table/table.h"

typedef struct bt_codes { /* a column as a tuple sees it */
    const void *codes;
    unsigned width; /* bytes per code: 1, 2 or 4 */
    uint32_t count; /* every code is below */
} bt_codes;

typedef struct bt_tuples {
    uint32_t count; /* distinct tuples */
    uint32_t *size; /* rows of each */
    uint32_t *row;  /* its first row */
} bt_tuples;

/* Finds the number of a tuple again. */
typedef struct bt_tuple_index bt_tuple_index;
enum { BT_TUPLE_NONE = UINT32_MAX };

/* At most UINT32_MAX rows; without columns all rows are one tuple. */
BT_MUST_USE bauta_status bt_tuples_group(const bt_codes *columns, size_t count, int64_t rows,
                                         const bt_run *run, bt_tuples *out, bauta_error *error);

/* Groups as bt_tuples_group does, and puts the number of each row's tuple into tuple_of, and what
 * finds a number again into *index, which the caller frees. Either may be NULL. */
BT_MUST_USE bauta_status bt_tuples_number(const bt_codes *columns, size_t count, int64_t rows,
                                          const bt_run *run, bt_tuples *out, uint32_t *tuple_of,
                                          bt_tuple_index **index, bauta_error *error);
void bt_tuples_release(bt_tuples *tuples);

/* The tuples by what their rows belong to (unit_of, below `units`): those of unit u are
 * list[first[u]..first[u + 1]), ascending. `first` has room for units + 2, `list` for all. */
void bt_tuples_gather(const bt_tuples *tuples, const uint32_t *unit_of, uint32_t units,
                      size_t *first, uint32_t *list);

void bt_tuple_index_free(bt_tuple_index *index);
static inline void bt_tuple_index_drop(bt_tuple_index **index) /* for BT_OWN */
{
    bt_tuple_index_free(*index);
}

/* codes[i] is the code in column i; a code that is not below the column's count is in no
 * tuple. Several threads may ask at once. */
uint32_t bt_tuple_index_find(const bt_tuple_index *index, const uint32_t *codes);

/* The numbers of at most BT_TUPLES_AT_ONCE tuples, whose codes follow each other: several times as
 * fast as one by one, since their places in memory are fetched together. */
enum { BT_TUPLES_AT_ONCE = 64 };
void bt_tuple_index_find_all(const bt_tuple_index *index, const uint32_t *codes, size_t count,
                             uint32_t *numbers);

#endif
