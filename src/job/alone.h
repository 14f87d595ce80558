/* SPDX-License-Identifier: Apache-2.0
 *
 * Stops a release whose columns that are published as they are lead back to people. Only src/job
 * may include this.
 */
#ifndef BT_JOB_ALONE_H
#define BT_JOB_ALONE_H

#include "job/load.h"
#include "profile/keep.h"

enum { BT_ENOUGH_RECORDS = 5 }; /* a text that fewer records have leads back to them */

/* BAUTA_INVALID when more than the recipe's unique-limit of the records have values of their own in
 * what is published as it is, all columns together: with that no column and no smaller set of them
 * singles out more. Names the columns that do most of it. Columns that the recipe accepts are not
 * looked at, alone or with others: beside a column that singles out, all columns would. */
BT_MUST_USE bauta_status bt_check_alone(const bauta_recipe *recipe, const bt_loaded *loaded,
                                        const bt_run *run, bauta_error *error);

/* Which of some columns (`raw`, per input column) can be published as they are, beside each other,
 * with at most `limit` of the records unique. Reads them once more, as codes of what would be
 * published (dates without a time of day); found[i] is of input column i. *together: the records
 * that are unique by all of these columns; NULL: nobody asks. */
BT_MUST_USE bauta_status bt_choose_alone(const bt_loaded *loaded, const bt_run *run,
                                         const bool *raw, bt_rational limit, bt_kept_column *found,
                                         int64_t *together, bauta_error *error);

#endif
