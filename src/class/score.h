/* SPDX-License-Identifier: Apache-2.0
 *
 * What a grouping loses, before anything is published. The same definitions as the measures of
 * a release, which are computed from its files.
 */
#ifndef BT_SCORE_H
#define BT_SCORE_H

#include "class/grouping.h"

typedef struct bt_score {
    double ncp;              /* mean over all quasi cells of all records */
    double weighted_ncp;     /* the same with the weights of the columns (class/steer.h) */
    int64_t discernibility;  /* saturates */
    double mean_class;       /* records per class */
    double distortion_ratio; /* heights over the heights of everything at the root */
} bt_score;

/* `records`: of the input; those in no class count as fully generalized. */
BT_MUST_USE bauta_status bt_grouping_score(const bt_grouping *grouping,
                                           const bt_column *const *quasi, int64_t records,
                                           bt_score *out, bauta_error *error);

/* What the cells of one class lose, unweighed, in 1/BT_LOSS_ONE of a cell. `seen` has a bit for
 * each code of any column (base/bitset.h); all are zero before and after. */
uint64_t bt_class_loss(const bt_grouping *grouping, const bt_column *const *quasi,
                       uint32_t class_number, uint64_t *seen);

#endif
