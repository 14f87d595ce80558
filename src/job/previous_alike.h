/* SPDX-License-Identifier: Apache-2.0
 *
 * Which records of a new release are alike beside earlier ones. Only src/job may include this.
 */
#ifndef BT_PREVIOUS_ALIKE_H
#define BT_PREVIOUS_ALIKE_H

#include "class/grouping.h"
#include "job/check.h"
#include "job/previous_release.h"

typedef struct bt_beside { /* a new release and earlier ones */
    const bt_loaded *loaded;
    const bt_grouping *grouping;
    const bt_kept *kept;
    bt_earlier *list;
    size_t count, witnesses; /* releases in `list`; witnesses of all of them */
    const bt_run *run;
} bt_beside;

/* The input row at a place of the grouping's order. */
static inline int64_t bt_beside_row(const bt_beside *beside, uint32_t place)
{
    uint32_t row = beside->grouping->order[place];
    return beside->loaded->row_map ? beside->loaded->row_map[row] : row;
}

/* Records of a class for whom the same classes of every earlier release come into question, and who
 * have the same values to all of them. Rows of the tuples are places of the grouping's order, so
 * they are in the order of classes. With `number_of`, also the number of each place. */
BT_MUST_USE bauta_status bt_alike_beside(const bt_beside *beside, bt_tuples *out,
                                         uint32_t **number_of, bauta_error *error);

/* Records of a class that nothing tells apart, earlier releases or requirements (`profiles`: those
 * that see values). */
BT_MUST_USE bauta_status bt_alike_within(const bt_beside *beside, bool profiles, bt_tuples *out,
                                         bauta_error *error);

#endif
