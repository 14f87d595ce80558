/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging all classes of a table, each requirement by itself: for those who want to know how far a
 * table is from what is required, not only whether it is there.
 */
#ifndef BT_JUDGE_H
#define BT_JUDGE_H

#include "require/requirement.h"

typedef struct bt_shortfall { /* of one requirement */
    uint32_t classes;         /* classes that do not satisfy it */
    uint32_t first;           /* the first of them */
    int64_t records;          /* in all of them */
} bt_shortfall;

typedef struct bt_judged_classes {
    uint32_t count;
    const uint32_t *sizes;    /* records of each */
    const uint32_t *class_of; /* per record; may be NULL when only sizes matter */
} bt_judged_classes;

/* The requirements are bound to people whose records these are. out[i] is for items[i]. */
BT_MUST_USE bauta_status bt_requirements_judge(const bt_requirements *requirements,
                                               const bt_judged_classes *classes, const bt_run *run,
                                               bt_shortfall *out, bauta_error *error);

#endif
