/* SPDX-License-Identifier: Apache-2.0
 *
 * Judging a grouping before it is published. Only src/api may include this.
 */
#ifndef BT_CHECK_GROUPING_H
#define BT_CHECK_GROUPING_H

#include "class/grouping.h"
#include "require/requirement.h"

/* No method is trusted: every class is judged again, and where records were dropped by what is
 * left of the table. BAUTA_INTERNAL when one does not satisfy the requirements (bound to the
 * people of the table). */
BT_MUST_USE bauta_status bt_check_grouping(const bt_table *table, const bt_grouping *grouping,
                                           const bt_requirements *requirements, const bt_run *run,
                                           bauta_error *error);

#endif
