/* SPDX-License-Identifier: Apache-2.0
 *
 * Attacks on releases of the form `distribution` that go another way than those on bags of values.
 * Only src/attack may include this.
 */
#ifndef BT_PARTS_ATTACKS_H
#define BT_PARTS_ATTACKS_H

#include "attack/attribute.h"

/* minimality: what is learnt from knowing how parts are chosen; NULL, or why that is not known. */
const char *bt_minimality_parts_excuse(const bt_attacker *attacker);
BT_MUST_USE bauta_status bt_minimality_parts(bt_attack_job *job, const bt_secret *secret,
                                             bt_promises *promises, bauta_error *error);

/* background: the values of others of the group are known; and which parts are made up. */
BT_MUST_USE bauta_status bt_background_parts(bt_attack_job *job, const bt_secret *secret,
                                             bauta_error *error);
BT_MUST_USE bauta_status bt_background_fakes(bt_attack_job *job, const bt_secret *secret,
                                             bauta_error *error);

#endif
