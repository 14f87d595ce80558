/* SPDX-License-Identifier: Apache-2.0
 *
 * A belief: a distribution over the values of a sensitive column, as requirements judge it.
 */
#ifndef BT_BELIEF_H
#define BT_BELIEF_H

#include "class/people.h"
#include "class/shares.h"

typedef struct bt_belief {
    const bt_sensitive *of;     /* every value occurs once in it */
    const bt_target *target;    /* the values that are possible */
    const bt_shares *shares;    /* their probabilities */
    const bt_shares *reference; /* those of the whole table, over the same total; may be NULL for
                                   requirements that look at a class alone */
} bt_belief;

#endif
