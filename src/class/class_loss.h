/* SPDX-License-Identifier: Apache-2.0
 *
 * What the cells of a class lose, for methods that choose between classes. What a whole grouping
 * loses is measured as that of its release is (measure/grouping.c).
 */
#ifndef BT_CLASS_LOSS_H
#define BT_CLASS_LOSS_H

#include "class/grouping.h"

/* Unweighed, in 1/BT_LOSS_ONE of a cell. `seen` has a bit for each code of any column
 * (base/bitset.h); all are zero before and after. */
uint64_t bt_class_loss(const bt_grouping *grouping, const bt_column *const *quasi,
                       uint32_t class_number, uint64_t *seen);

#endif
