/* SPDX-License-Identifier: Apache-2.0
 *
 * A grouping: the partition of the records into classes.
 *
 * Rows are arranged so that each class is a run of `order`. Rows that were suppressed are in
 * no class.
 */
#ifndef BT_GROUPING_H
#define BT_GROUPING_H

#include "table/table.h"

typedef struct bt_grouping {
    int64_t rows;    /* of the table */
    int64_t kept;    /* length of `order` */
    uint32_t *order; /* row numbers, class by class; ascending within a class */
    uint32_t classes;
    uint32_t *starts; /* classes + 1 places in `order` */
} bt_grouping;

void bt_grouping_release(bt_grouping *grouping);

static inline int64_t bt_class_size(const bt_grouping *grouping, uint32_t class_number)
{
    return (int64_t)grouping->starts[class_number + 1] - grouping->starts[class_number];
}

/* What a requirement sees of a class. */
typedef struct bt_class_view {
    int64_t size; /* records */
} bt_class_view;

#endif
