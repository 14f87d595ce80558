/* SPDX-License-Identifier: Apache-2.0
 *
 * How far some columns of a table tell its records apart.
 */
#ifndef BT_RISK_H
#define BT_RISK_H

#include "base/run.h"
#include "table/table.h"

typedef struct bt_risk {
    int64_t classes;  /* different tuples */
    int64_t unique;   /* rows whose tuple no other row has */
    int64_t smallest; /* rows of the smallest class; 0 without rows */
} bt_risk;

BT_MUST_USE bauta_status bt_risk_measure(const bt_column *const *columns, size_t count,
                                         int64_t rows, const bt_run *run, bt_risk *out,
                                         bauta_error *error);

/* How many classes there are of each size. */
typedef struct bt_size_counts {
    int64_t rows, classes;
    size_t count;         /* of different sizes */
    uint32_t *size;       /* ascending */
    uint32_t *classes_of; /* of each size, never 0 */
} bt_size_counts;

/* Groups the rows by these columns, but for the one at `without` (any other place: none). */
BT_MUST_USE bauta_status bt_size_counts_make(const bt_column *const *columns, size_t count,
                                             size_t without, int64_t rows, const bt_run *run,
                                             bt_size_counts *out, bauta_error *error);
void bt_size_counts_release(bt_size_counts *counts);

/* Classes of this size. */
int64_t bt_size_counts_of(const bt_size_counts *counts, uint32_t size);

#endif
