/* SPDX-License-Identifier: Apache-2.0
 *
 * Beliefs about persons who may have several rows each. Only src/attack may include this.
 */
#ifndef BT_ATTACK_PERSONS_H
#define BT_ATTACK_PERSONS_H

#include "attack/attack.h"

/* Attacks on persons: where the original says whose its records are and classes have members, one
 * result for each sensitive column; else nothing. */
BT_MUST_USE bauta_status bt_attack_persons(bt_attack_job *job, bauta_error *error);

/* Re-identification of persons: one person of a class is the one whose row it is. `k` persons are
 * promised; 0: none. */
BT_MUST_USE bauta_status bt_attack_link_persons(bt_attack_job *job, int64_t k, bauta_error *error);

#endif
