/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether a grouping keeps its promises beside earlier releases. Only src/job may include this.
 *
 * Someone may know that a person is in several releases. Of each earlier one they know the classes
 * whose cells contain the person's quasi values, and which sensitive values stand in those; so of
 * the rows of the person's class in the new release only those are left whose sensitive values
 * stand there too. What is left must satisfy the requirements as a class of its own. And the other
 * way round: what the new release leaves of an earlier one must satisfy what that promised
 * (previous_pledge.h).
 *
 * Of a distribution, before or now, the values that come into question are those that lie in parts
 * of the group: of a new one the target is narrowed to what every earlier release leaves possible,
 * and what is left of it must satisfy the requirements.
 *
 * With a public table the classes for this are the sensitive groups of the new release. And of the
 * people in a box, of both tables, only those are left whom a box of each earlier release contains
 * that the person may be in: they must still be as many as `k` asks for.
 *
 * Nobody but the owner knows who is in both tables, and without a common key not even the owner:
 * every record counts whose quasi and sensitive values an earlier release may have, once.
 *
 * An earlier `randomized` release shows records one by one, most of their values true: beside it
 * nothing may be published of anyone who may be in it.
 */
#ifndef BT_PREVIOUS_H
#define BT_PREVIOUS_H

#include "job/check.h"
#include "job/load.h"
#include "publish/form.h"

/* Opens the recipe's earlier releases and puts "previous" into `at`: of each its id, records that
 * may be in it, of how many it narrows the class, and of how many the class there is narrowed.
 * BAUTA_NO with counts when a promise would be broken. `requirements` are bound to the people of
 * the table. `beliefs` and its plan: of a form whose promise is its own; NULL: it is about classes.
 */
typedef struct bt_previous_request {
    const bauta_recipe *recipe;
    const bt_loaded *loaded;
    const bt_grouping *grouping;
    const bt_requirements *requirements;
    const bt_form_beliefs *beliefs;
    const void *plan;
    bool presence; /* who is in the table must not be told: nobody may be in both */
    const bt_run *run;
} bt_previous_request;

BT_MUST_USE bauta_status bt_check_previous(const bt_previous_request *request, bt_facts *facts,
                                           json_t *at, bauta_error *error);

/* bt_check_previous for a new release that shows records one by one (randomized): none of them may
 * be in an earlier release, since there are no classes that could keep a promise. */
BT_MUST_USE bauta_status bt_check_apart(const bauta_recipe *recipe, const bt_loaded *loaded,
                                        const bt_run *run, bt_facts *facts, json_t *at,
                                        bauta_error *error);

/* Earlier releases that have the id of one that is to be written, and what is in them. */
typedef struct bt_same_ids {
    struct bt_same_id {
        const char *release;
        bt_seed contents; /* their digest */
    } * items;
    size_t count;
} bt_same_ids;

/* Looks for the id in the recipe's earlier releases, before anything is written: one of them may be
 * in the store that the new release goes to. */
BT_MUST_USE bauta_status bt_note_same_id(const bauta_recipe *recipe, const char *id,
                                         const bt_run *run, bt_same_ids *out, bt_arena *arena,
                                         bauta_error *error);
/* BAUTA_NO: an earlier release has the id of the one that was written to `store`, and other
 * contents. With the same contents it is the same release made again. */
BT_MUST_USE bauta_status bt_check_same_id(const bt_same_ids *noted, const bt_store *store,
                                          const bt_run *run, bauta_error *error);

/* BAUTA_NO: two earlier releases that have one id have different contents. */
BT_MUST_USE bauta_status bt_check_same_earlier(const char *one, const char *other,
                                               const bt_run *run, bauta_error *error);

#endif
