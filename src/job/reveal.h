/* SPDX-License-Identifier: Apache-2.0
 *
 * Stops a release in which columns that are published as they are give cells away (what that means:
 * profile/giveaway.h), and finds such columns in a table. Only src/job may include this.
 */
#ifndef BT_JOB_REVEAL_H
#define BT_JOB_REVEAL_H

#include "job/load.h"
#include "profile/giveaway.h"
#include "publish/form.h"

typedef struct bt_reveal_request {
    const bauta_recipe *recipe; /* what it accepts */
    const bt_loaded *loaded;
    const bt_form *form;
    bt_sensitive_shown shown;
    const bt_grouping *grouping; /* NULL: the form makes none, and draws values anew instead */
    size_t redrawn; /* quasi values of each record that are drawn anew, where `grouping` is NULL */
    const bt_run *run;
} bt_reveal_request;

/* BAUTA_INVALID when what is published as it is, and was not accepted, gives away more than 5 % of
 * the rows: of a generalized column the value inside the cell; of a sensitive one whose values are
 * published by class or category, whose they are; of one that is drawn anew, the value. Looks at a
 * sample that follows from the table alone. The worst is left in *worst, columns as in
 * bt_find_revealed; `given` 0: there is none. */
BT_MUST_USE bauta_status bt_check_revealed(const bt_reveal_request *asked, bt_giveaway *worst,
                                           bauta_error *error);

/* bt_check_revealed of a table with all columns coded, in which nothing can be seen of the columns
 * that will be generalized (roles[i] of column i): clue, other and veiled are numbers of columns.
 * The list is the caller's to free. */
BT_MUST_USE bauta_status bt_find_revealed(const bt_loaded *loaded, const bt_role *roles,
                                          const bt_run *run, bt_giveaway **out, size_t *count,
                                          bauta_error *error);

#endif
