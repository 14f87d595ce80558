/* SPDX-License-Identifier: Apache-2.0
 *
 * Intersection where people of public tables are known. Only src/attack may include this.
 */
#ifndef BT_INTERSECTION_H
#define BT_INTERSECTION_H

#include "attack/attack.h"

/* Who of a box is left when the other release must hold them too. */
BT_MUST_USE bauta_status bt_intersect_people(bt_attack_job *job, bauta_error *error);

#endif
