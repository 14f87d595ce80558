/* SPDX-License-Identifier: Apache-2.0
 *
 * Stops a release in which columns that are published as they are give cells away (what that means:
 * profile/giveaway.h), and finds such columns in a table. Only src/api may include this.
 */
#ifndef BT_API_REVEAL_H
#define BT_API_REVEAL_H

#include "api/api.h"
#include "profile/giveaway.h"

/* BAUTA_INVALID when what stands beside the cells of a grouping, and was not accepted, gives more
 * than 5 % of the rows away. Looks at a sample that follows from the table alone. */
BT_MUST_USE bauta_status bt_check_revealed(const bt_loaded *loaded, const bt_grouping *grouping,
                                           const bt_run *run, bauta_error *error);

/* The same of a table with all columns coded, in which nothing can be seen of the columns that will
 * be generalized (roles[i] of column i): clue, other and veiled are numbers of columns. The list is
 * the caller's to free. */
BT_MUST_USE bauta_status bt_find_revealed(const bt_loaded *loaded, const bt_role *roles,
                                          const bt_run *run, bt_giveaway **out, size_t *count,
                                          bauta_error *error);

#endif
