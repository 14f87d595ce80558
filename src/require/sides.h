/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting a list of records in two so that both sides satisfy the requirements.
 */
#ifndef BT_SIDES_H
#define BT_SIDES_H

#include "require/requirement.h"

typedef struct bt_sides bt_sides; /* one per worker */

BT_MUST_USE bauta_status bt_sides_new(const bt_people *people, bt_sides **out, bauta_error *error);
void bt_sides_free(bt_sides *sides);

typedef struct bt_sides_job {
    const bt_requirements *requirements;
    const uint32_t
        *records; /* profiles; where persons are counted by rows (bt_people_by_row), rows */
    const uint64_t *times;   /* how many records each of them stands for; NULL: one */
    uint32_t count;          /* of `records` */
    uint64_t size;           /* records that they stand for */
    const uint32_t *borders; /* ascending numbers of `records` on the left side */
    const uint64_t *left;    /* records that these stand for */
    uint32_t border_count;
} bt_sides_job;

/* Among the borders the one nearest to the middle that leaves two satisfying sides, ties to the
 * smaller left side. *found is false when there is none. */
BT_MUST_USE bauta_status bt_sides_best(bt_sides *sides, const bt_sides_job *job, bool *found,
                                       uint32_t *best, bauta_error *error);

/* The slack (bt_requirements_slack) of the side that has less of it, at the first border. */
BT_MUST_USE bauta_status bt_sides_slack(bt_sides *sides, const bt_sides_job *job, int64_t *out,
                                        bauta_error *error);

#endif
