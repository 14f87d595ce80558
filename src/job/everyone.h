/* SPDX-License-Identifier: Apache-2.0
 *
 * Everyone who is in the table or in a public one, as a release describes them: what an attacker
 * knows who has the public tables. Only src/job may include this.
 */
#ifndef BT_EVERYONE_H
#define BT_EVERYONE_H

#include "job/original.h"

/* Reads the inputs of `recipe` and its public tables, or `file` as the only one of these (NULL:
 * as the recipe says). Persons of both are told by the recipe's key; without one, people who are
 * alike in all quasi columns are taken to be the same as far as there are both. `out` is released
 * by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_everyone_load(const bauta_recipe *recipe, const char *file,
                                          bt_release *release, const bt_run *run, bt_original *out,
                                          bauta_error *error);

/* Everyone: the records first, then those who are in public tables alone. */
const bt_table *bt_everyone_table(const bt_original *everyone);

/* Matches external persons of a join with the same people as another manifest describes them: per
 * person the row of that table, or UINT32_MAX. */
void bt_everyone_match(const bt_join *from, const bt_original *to, uint32_t *out);

#endif
