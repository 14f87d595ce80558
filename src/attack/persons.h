/* SPDX-License-Identifier: Apache-2.0
 *
 * Beliefs about persons who may have several rows each. Only src/attack may include this.
 */
#ifndef BT_ATTACK_PERSONS_H
#define BT_ATTACK_PERSONS_H

#include "attack/attack.h"

/* Where promises count persons and the original says whose its records are: one result for each
 * sensitive column; else nothing. */
BT_MUST_USE bauta_status bt_attack_persons(bt_attack_job *job, bauta_error *error);

#endif
