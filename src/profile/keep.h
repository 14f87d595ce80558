/* SPDX-License-Identifier: Apache-2.0
 *
 * Which columns can be published as they are, beside each other, without making more than a share
 * of the rows unique.
 *
 * Greedy: columns come one by one, those first that make the fewest rows unique by themselves (then
 * those with the fewest values), and each stays if the rows that are unique by all that stay do not
 * become too many. So nothing that is left out could be added. Linear in rows for each column.
 */
#ifndef BT_KEEP_H
#define BT_KEEP_H

#include "table/tuples.h"

typedef struct bt_kept_column {
    int64_t alone; /* rows whose value no other row has */
    bool kept;
} bt_kept_column;

/* `most`: unique rows that are allowed. `out` has room for `count`. */
BT_MUST_USE bauta_status bt_keep_columns(const bt_codes *columns, size_t count, int64_t rows,
                                         int64_t most, bt_kept_column *out, bauta_error *error);

/* Rows that are unique by all columns together. */
BT_MUST_USE bauta_status bt_count_alone(const bt_codes *columns, size_t count, int64_t rows,
                                        int64_t *out, bauta_error *error);

#endif
