/* SPDX-License-Identifier: Apache-2.0
 *
 * What a grouping does to persons who have several rows.
 */
#ifndef BT_SUBJECTS_H
#define BT_SUBJECTS_H

#include "class/grouping.h"

typedef struct bt_subject_counts {
    int64_t persons;    /* persons who have a row in a class */
    int64_t several;    /* persons who have several rows in classes */
    int64_t smallest;   /* persons in the class that has fewest */
    int64_t told_apart; /* persons who share the sequence of classes of their rows with nobody:
                           whoever knows all rows of such a person in their order, and so the
                           classes, knows that nobody else fits */
} bt_subject_counts;

/* The rows of the grouping are those of `table`, which has subjects. */
BT_MUST_USE bauta_status bt_subjects_count(const bt_grouping *grouping, const bt_table *table,
                                           bt_subject_counts *out, bauta_error *error);

#endif
