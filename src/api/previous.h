/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a grouping keeps its promises beside earlier releases. Only src/api may include this.
 *
 * Someone may know that a person is in several releases. Of each earlier one they know the classes
 * whose cells contain the person's quasi values, and which sensitive values stand in those; so of
 * the rows of the person's class in the new release only those are left whose sensitive values
 * stand there too. What is left must satisfy the requirements as a class of its own.
 *
 * Nobody but the owner knows who is in both tables, and without a common key not even the owner:
 * every record counts whose quasi and sensitive values an earlier release may have, once.
 */
#ifndef BT_PREVIOUS_H
#define BT_PREVIOUS_H

#include "api/api.h"
#include "api/check.h"

/* Opens the recipe's earlier releases and puts "previous" into `at`: of each its id, records that
 * may be in it, and records of which it narrows the class. BAUTA_NO with counts when a promise
 * would be broken. `requirements` are bound to the people of the table. */
BT_MUST_USE bauta_status bt_check_previous(const bauta_recipe *recipe, const bt_loaded *loaded,
                                           const bt_grouping *grouping,
                                           const bt_requirements *requirements, const bt_run *run,
                                           bt_facts *facts, json_t *at, bauta_error *error);

#endif
