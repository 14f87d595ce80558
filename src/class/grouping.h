/* SPDX-License-Identifier: Apache-2.0
 *
 * A grouping: the partition of the records into classes.
 *
 * Rows are arranged so that each class is a run of `order`. Rows that were suppressed are in
 * no class.
 */
#ifndef BT_GROUPING_H
#define BT_GROUPING_H

#include "base/assert.h"
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
    uint32_t *starts;   /* classes + 1 places in `order` */
    size_t columns;     /* quasi columns of the table */
    bt_box *boxes;      /* classes * columns: the tight box of each class, class by class */
    uint32_t *floors;   /* per column: cells are nodes of at least this level; in one without a
                           hierarchy "*" when it is not 0. NULL: the lowest that cover */
    uint32_t *nodes;    /* classes * columns: the node that is published in a column with a
                           hierarchy, which may be higher than the lowest that covers; NULL: as
                           boxes and floors say */
    const char **texts; /* classes * columns: the cell that is published in a column without a
                           hierarchy, whatever the box is; NULL: as boxes and floors say. The texts
                           are borrowed */
    bool merged;        /* classes that a method made were made one */
    /* Classes that are parts of wider groups (identical:within=…): those have a target
     * distribution each. */
    uint32_t *wider_of; /* per class: 0..wider-1; NULL: each class is a group of its own */
    uint32_t wider;
} bt_grouping;

void bt_grouping_release(bt_grouping *grouping);

static inline int64_t bt_class_size(const bt_grouping *grouping, uint32_t class_number)
{
    BT_ASSERT(class_number < grouping->classes);
    return (int64_t)grouping->starts[class_number + 1] - grouping->starts[class_number];
}

static inline const bt_box *bt_class_box(const bt_grouping *grouping, uint32_t class_number)
{
    BT_ASSERT(class_number < grouping->classes);
    return grouping->boxes + (size_t)class_number * grouping->columns;
}

/* What must hold of any grouping, whatever made it; for BT_ASSERT. */
bool bt_grouping_is_sound(const bt_grouping *grouping);

/* The least and the greatest code of a column that occur in a class. */
bt_box bt_tight_box(const bt_grouping *grouping, const bt_column *column, uint32_t class_number);

/* The node that is published for a class in a column with a hierarchy. */
uint32_t bt_published_node(const bt_grouping *grouping, const bt_column *column, size_t place,
                           uint32_t class_number);

/* Whether a class has more texts in a column without a hierarchy than a set may have (BT_SET_MOST),
 * so that "*" is published for them. */
bool bt_set_is_wide(const bt_grouping *grouping, const bt_column *column, size_t place,
                    uint32_t class_number);

/* The box that is published for a class in a column without a hierarchy. That of everything, "*",
 * reaches past the values that are present. */
bt_box bt_published_box(const bt_grouping *grouping, const bt_column *column, size_t place,
                        uint32_t class_number);

/* Widens the boxes of columns with cut points (recipe/cuts.h) to these. False: there are none. */
bool bt_grouping_widen(bt_grouping *grouping, const bt_column *const *quasi);

/* Makes one class of those with the same target, of which there are `count`. target[c] is the first
 * class that becomes one with class c. Boxes become those of the new classes; nodes stay those of
 * the first. */
BT_MUST_USE bauta_status bt_grouping_merge(bt_grouping *grouping, const uint32_t *target,
                                           uint32_t count, bauta_error *error);

/* Unites classes that are published alike, until there are none: those whose cells, the published
 * node in a column with a hierarchy and the published box elsewhere, are the same in every column.
 * Boxes become those of the united classes. */
BT_MUST_USE bauta_status bt_grouping_unite(bt_grouping *grouping, const bt_column *const *quasi,
                                           const bt_run *run, bauta_error *error);

#endif
