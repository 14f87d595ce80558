/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting distinct sensitive values: p.c does it, and l.c under another name. Only src/require may
 * include this.
 */
#ifndef BT_DISTINCT_H
#define BT_DISTINCT_H

#include "require/requirement.h"

/* As bt_requirement has them; the first parameter is the least number. */
bool bt_distinct_asks_nothing(const bt_requirement_instance *instance);
bool bt_distinct_check(const bt_requirement_instance *instance, const void *prepared,
                       const bt_bag *bag);
BT_MUST_USE bauta_status bt_distinct_believe(const bt_requirement_instance *instance,
                                             const void *prepared, const struct bt_belief *belief,
                                             bool *holds, bauta_error *error);
/* All but so many less one of the records of a class may have one value. */
BT_MUST_USE bauta_status bt_distinct_bound(const bt_requirement_instance *instance,
                                           bt_ceiling *ceiling, bt_arena *arena,
                                           bauta_error *error);
/* Persons of the rarest values, so many that without these too few values are left, less one. */
int64_t bt_distinct_slack(const bt_requirement_instance *instance, const void *prepared,
                          const bt_bag *bag);
bool bt_distinct_mixes(const bt_requirement_instance *instance);
void bt_distinct_explain(const bt_requirement_instance *instance, const void *prepared,
                         const bt_bag *bag, bauta_error *error);

/* The greatest count of a bag, and the sum of all counts but the `leading` greatest. */
uint64_t bt_bag_greatest(const bt_bag *bag);
int64_t bt_bag_rest(const bt_bag *bag, uint32_t leading);

#endif
