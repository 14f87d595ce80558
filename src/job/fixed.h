/* SPDX-License-Identifier: Apache-2.0
 *
 * What a recipe fixes before any data are seen: levels and cut points. Only src/job may include
 * this.
 */
#ifndef BT_JOB_FIXED_H
#define BT_JOB_FIXED_H

#include "group/method.h"
#include "job/load.h"
#include "publish/form.h"

/* The grouping method that the recipe names, or that its levels stand for; NULL: the default. */
const char *bt_group_wanted(const bauta_recipe *recipe);

/* Levels go with the method that takes them, for every quasi column and from trees that are not
 * made from the data; cut points with a form that shows cells. */
BT_MUST_USE bauta_status bt_check_fixed(const bt_method *method, const bt_form *form,
                                        const bt_loaded *loaded, bauta_error *error);

#endif
