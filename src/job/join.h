/* SPDX-License-Identifier: Apache-2.0
 *
 * What is asked of a run with a public table, and what is told of it. Only src/job may include
 * this.
 */
#ifndef BT_JOB_JOIN_H
#define BT_JOB_JOIN_H

#include "base/facts.h"
#include "group/join.h"
#include "measure/measure.h"
#include "publish/form.h"
#include "recipe/recipe.h"

/* out->kind is BT_JOIN_NONE when the recipe names no public table. Refuses what does not go with
 * one, and what does not go without. */
BT_MUST_USE bauta_status bt_join_request(const bauta_recipe *recipe,
                                         const bt_requirements *requirements,
                                         const bt_method *method, const bt_form *form,
                                         bt_arena *arena, bt_join_choice *out, bauta_error *error);

/* Puts counts of external persons, and the losses of paper 5, as "join". */
void bt_join_put(const bt_join *join, const bt_join_choice *choice, const bt_join_score *score,
                 bt_facts *facts, json_t *at);

#endif
