/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of the form `distribution` that are not sheets of records: sensitive.csv and
 * bounds.csv. Only src/publish may include this.
 */
#ifndef BT_SPREAD_H
#define BT_SPREAD_H

#include "class/weights.h"
#include "publish/allotment.h"
#include "publish/sheet.h"

typedef struct bt_spread_files {
    const bt_form_job *job;
    const bt_allotment *plan;
    const char *group_name;
} bt_spread_files;

/* Names the random streams of quasi.csv and sensitive.csv. */
BT_MUST_USE bauta_status bt_spread_orders(const bt_spread_files *files, const bt_row_map *map,
                                          const char *labels[2], bauta_error *error);

/* Writes sensitive.csv: group,low,high; of text the group and, under the name of the column, the
 * label of the node. Rows that stand for made-up values are like the others. */
BT_MUST_USE bauta_status bt_spread_write(const bt_spread_files *files, const char *stream,
                                         bauta_error *error);

/* Writes bounds.csv (class/bounds_text.h); of text nothing. */
BT_MUST_USE bauta_status bt_spread_bounds(const bt_spread_files *files, bauta_error *error);

#endif
