/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of bounds.csv (form `distribution`): what can be said of any number of records of a
 * group. It follows from quasi.csv and sensitive.csv, so that an audit can make it anew.
 *
 *   group,selected,until,sum_low,sum_high,min_low,min_high,max_low,max_high
 *
 * A row is for all numbers of records from `selected` to `until` for which the next least low and
 * the next greatest high are the same. The sums are those of `selected` records; for c records in
 * that run they are sum_low + (c - selected) * max_low and sum_high + (c - selected) * min_high.
 * Dates have no sums. Rows are in the order of groups.
 */
#ifndef BT_BOUNDS_TEXT_H
#define BT_BOUNDS_TEXT_H

#include "class/subdomains.h"
#include "table/value.h"

typedef struct bt_bounds_format {
    const char *group_name; /* of the column */
    bt_type type;           /* not BT_TEXT */
    int scale;
} bt_bounds_format;

BT_MUST_USE bauta_status bt_bounds_head(const bt_bounds_format *format, bt_buffer *out,
                                        bauta_error *error);

/* The rows of one group, of which `records` (1 to group->total) can be selected. */
BT_MUST_USE bauta_status bt_bounds_rows(const bt_bounds_format *format, uint32_t number,
                                        uint64_t records, const bt_subdomains *group,
                                        bt_buffer *out, bauta_error *error);

#endif
