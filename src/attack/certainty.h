/* SPDX-License-Identifier: Apache-2.0
 *
 * What homogeneity and similarity share: guessing the likeliest value, or category. Only
 * src/attack may include this.
 */
#ifndef BT_CERTAINTY_H
#define BT_CERTAINTY_H

#include "attack/attack.h"

/* One result for each sensitive column (with `categories`, that has them). */
BT_MUST_USE bauta_status bt_certainty_try(bt_attack_job *job, bool categories, bauta_error *error);

#endif
