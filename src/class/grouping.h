/* SPDX-License-Identifier: Apache-2.0
 *
 * A grouping: the partition of the records into classes.
 *
 * Rows are arranged so that each class is a run of `order`. Rows that were suppressed are in
 * no class.
 */
#ifndef BT_GROUPING_H
#define BT_GROUPING_H

#include "base/run.h"
#include "table/table.h"

typedef struct bt_box { /* one side of a class's box: the least and greatest code that occur */
    uint32_t lo, hi;
} bt_box;

typedef struct bt_grouping {
    int64_t rows;    /* of the table */
    int64_t kept;    /* length of `order` */
    uint32_t *order; /* row numbers, class by class; ascending within a class */
    uint32_t classes;
    uint32_t *starts; /* classes + 1 places in `order` */
    size_t columns;   /* quasi columns of the table */
    bt_box *boxes;    /* classes * columns: the tight box of each class, class by class */
} bt_grouping;

void bt_grouping_release(bt_grouping *grouping);

static inline int64_t bt_class_size(const bt_grouping *grouping, uint32_t class_number)
{
    return (int64_t)grouping->starts[class_number + 1] - grouping->starts[class_number];
}

static inline const bt_box *bt_class_box(const bt_grouping *grouping, uint32_t class_number)
{
    return grouping->boxes + (size_t)class_number * grouping->columns;
}

/* Unites classes that are published alike: those whose cells, the lowest covering node in a
 * column with a hierarchy and the box itself elsewhere, are the same in every column. Boxes
 * become those of the united classes. */
BT_MUST_USE bauta_status bt_grouping_unite(bt_grouping *grouping, const bt_column *const *quasi,
                                           const bt_run *run, bauta_error *error);

/* What a requirement sees of a class. */
typedef struct bt_class_view {
    int64_t size; /* records */
} bt_class_view;

#endif
