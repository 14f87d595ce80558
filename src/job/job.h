/* SPDX-License-Identifier: Apache-2.0
 *
 * What bauta_anonymize and bauta_preview have in common: a recipe on its way to a release. Only
 * src/job may include this.
 */
#ifndef BT_JOB_JOB_H
#define BT_JOB_JOB_H

#include "class/subjects.h"
#include "job/join.h"
#include "job/load.h"
#include "job/plan.h"
#include "measure/measure.h"
#include "profile/giveaway.h"
#include "reading/words.h"

/* What the recipe asks for, parsed. */
typedef struct bt_request {
    bt_requirements requirements;
    const bt_method *method;
    bt_value *method_options;
    const char *method_text;
    const bt_form *form;
    bt_value *form_options;
    const char *form_text;
    const bt_plan *plan; /* that the recipe names; NULL: none */
    bt_join_choice join; /* kind BT_JOIN_NONE: without a public table */
} bt_request;

typedef struct bt_job {
    const bauta_recipe *recipe;
    bt_arena arena;
    bt_run run;   /* run.seed is what streams are keyed by, after bt_job_key */
    bt_seed seed; /* the recipe's own seed, or a fresh one */
    bt_request request;
    bt_buffer plan_text;   /* of the plan that is saved */
    bauta_recipe *planned; /* with a plan: the recipe, with its columns */
    bt_loaded loaded;
    bt_people people;
    bt_grouping grouping;
    bt_method_notes notes;
    void *plan;     /* of the form, if it makes one */
    bt_words words; /* as the manifest says them */
    int64_t rows, published, dropped, smallest;
    uint32_t classes;
    bt_subject_counts subjects;
    bt_join_score join_score;
    bt_giveaway revealed;             /* the worst that was refused; `given` 0: nothing was */
    const bt_original_column *ranges; /* with a public table: of the microdata alone */
    double read, group, publish, audit, start;
} bt_job;

/* Refuses what does not go together before anything is read. `require`: the requirements, instead
 * of those of the recipe. */
BT_MUST_USE bauta_status bt_request_parse(const bauta_recipe *recipe, const char *require,
                                          bt_arena *arena, bt_request *out, bauta_error *error);

/* The steps, in this order, once the request is parsed and the run open. */
BT_MUST_USE bauta_status bt_job_load(bt_job *j, bauta_error *error);
/* Keys all random streams by the seed, the table as it was read and what the request asks for:
 * two releases that differ in either have nothing random in common. */
BT_MUST_USE bauta_status bt_job_key(bt_job *j, bauta_error *error);
BT_MUST_USE bauta_status bt_job_group(bt_job *j, bauta_error *error);
/* Refuses columns that give cells away; the two that load and group do so by themselves. */
BT_MUST_USE bauta_status bt_job_check_revealed(bt_job *j, bauta_error *error);
/* What the form will publish is told before anything is written. */
BT_MUST_USE bauta_status bt_job_plan(bt_job *j, bt_facts *facts, json_t *at, bauta_error *error);

/* The job as forms see it, but for the folder and the facts. */
bt_form_job bt_job_form(bt_job *j);

/* What the owner would regret not to be told of the classes: all records in one, suppression that
 * changed nothing. Before anything is published. */
BT_MUST_USE bauta_status bt_job_tell(const bt_job *j, bt_facts *facts, json_t *at,
                                     bauta_error *error);

void bt_job_put_counts(const bt_job *j, bt_facts *facts, json_t *at);

void bt_job_forget_plan(bt_job *j);
void bt_job_release(bt_job *j);

#endif
