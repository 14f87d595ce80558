/* SPDX-License-Identifier: Apache-2.0
 *
 * What writing a plan and reading it share. Only these two files include this.
 */
#ifndef BT_PLAN_JSON_H
#define BT_PLAN_JSON_H

#include "base/facts.h"
#include "group/plan.h"

/* Of all fields but "digest", however they are ordered or spaced. `digest` has room for
 * BT_PLAN_DIGEST digits and a zero. It shows damage; it is no signature. */
BT_MUST_USE bauta_status bt_plan_digest(const json_t *root, char *digest, bauta_error *error);

/* What `kind` may be, by bt_plan_kind. */
extern const char *const bt_plan_kinds[2];

#endif
