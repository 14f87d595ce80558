/* SPDX-License-Identifier: Apache-2.0
 *
 * What attacks on sensitive values share. Only src/attack may include this.
 */
#ifndef BT_ATTRIBUTE_H
#define BT_ATTRIBUTE_H

#include "attack/attack.h"
#include "attack/promises.h"

/* Why there is nothing to attack; NULL: there is. */
const char *bt_attribute_excuse(const bt_attacker *attacker);

/* Calls `attempt` for each sensitive column (with `categories`, that has them). */
typedef bauta_status (*bt_attribute_try)(bt_attack_job *job, const bt_secret *secret,
                                         bt_promises *promises, bauta_error *error);
BT_MUST_USE bauta_status bt_attribute_each(bt_attack_job *job, bool categories,
                                           bt_attribute_try attempt, bauta_error *error);

/* Counts the people whose value is the one guessed for their target; BT_NOT_KNOWN: no guess. */
int64_t bt_attribute_hits(const bt_view *view, const uint32_t *actual, const uint32_t *guess,
                          int64_t *tried);

/* The share of people who have the value that is most frequent in the release. */
double bt_attribute_chance(const bt_view *view, const bt_secret *secret);

/* Judges claims that go beyond what is allowed, and says how many there are: a promise is broken
 * when they are true more often than `allowed` of them may be. */
typedef struct bt_claims {
    int64_t made, right;
    double allowed;
} bt_claims;
void bt_attribute_judge(const bt_claims *claims, bt_attack_result *result);

/* Where promises about the column count persons, says that the result, which counts rows, is not
 * judged. */
BT_MUST_USE bauta_status bt_attribute_of_rows(bt_promises *promises, const bt_secret *secret,
                                              bt_attack_result *result, bauta_error *error);

#endif
