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

#endif
