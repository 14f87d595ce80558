/* SPDX-License-Identifier: Apache-2.0
 *
 * A release and the original records with common codes, where columns show values as they are.
 *
 * A text that both have is one code: first those of the original under the codes they have there,
 * then those of the release alone.
 */
#ifndef BT_COMPARED_H
#define BT_COMPARED_H

#include "reading/release.h"

/* The column of the original with a name; BAUTA_INVALID: there is none. */
BT_MUST_USE bauta_status bt_original_find(const bt_table *original, const char *name,
                                          const bt_column **out, bauta_error *error);

typedef struct bt_compared_column {
    const bt_release_column *published;
    const bt_column *original;
    uint32_t size;      /* codes of both: below original->domain.size those of the original */
    uint32_t *of_value; /* per value of the release: its code */
    uint32_t *rows;     /* per row of the file that the column is in: the code */
} bt_compared_column;

typedef struct bt_compared {
    bt_compared_column *columns; /* the quasi columns, then the sensitive ones; those that only show
                                  categories are left out */
    size_t quasi, count;
    int64_t record_count;
    bt_arena arena;
} bt_compared;

/* Borrows both. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_compared_make(const bt_release *release, const bt_table *original,
                                          bt_compared *out, bauta_error *error);
void bt_compared_release(bt_compared *compared);

/* The code of a record of the original. */
static inline uint32_t bt_compared_record(const bt_compared_column *column, int64_t record)
{
    return bt_column_code(column->original, record);
}

/* The columns of either side as tuples see them: `from` to `to` - 1. Memory from the arena, or
 * NULL. */
bt_codes *bt_compared_records(bt_compared *compared, size_t from, size_t to);
bt_codes *bt_compared_rows(bt_compared *compared, size_t from, size_t to);

/* randomized: rows and records by what they have in the sensitive columns, and in as many quasi
 * columns, of those with the most values, as mostly keep it. */
typedef struct bt_kinds {
    uint32_t *row_kind;    /* per row */
    uint32_t *record_kind; /* per record: that of rows like it; BT_NOT_KNOWN: there are none */
    uint32_t count;
    double kept; /* the share of records of which no such quasi value was drawn anew, at least */
} bt_kinds;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_kinds_make(const bt_release *release, bt_compared *compared,
                                       const bt_run *run, bt_kinds *out, bauta_error *error);
void bt_kinds_release(bt_kinds *kinds);

#endif
