/* SPDX-License-Identifier: Apache-2.0
 *
 * The form `distribution` before anything is written: the targets of the groups, and for each
 * class (what the release calls a group) the nodes that will be published instead of its values.
 * Only src/publish may include this.
 *
 * Every class has its random streams, named by the number that it is published under, so that
 * neither threads nor the order in which classes were found change what is drawn.
 */
#ifndef BT_ALLOTMENT_H
#define BT_ALLOTMENT_H

#include "publish/form.h"
#include "recipe/fake_rule.h"
#include "require/targets.h"

typedef struct bt_allotment_options {
    bt_target_options target;
    bt_fake_rule fake;
    bool random; /* allocation=random */
} bt_allotment_options;

typedef struct bt_allotment {
    bt_allotment_options options;
    bt_column column; /* the sensitive one; its codes are the table's */
    bt_target_maker maker;
    bt_target *targets;
    /* The tree as published, whose nodes are the origins of those of the targets, and per code of
     * the space whether it has the value. */
    const bt_hierarchy *tree;
    bool *listed;
    uint32_t *target_of; /* per class */
    uint32_t *numbers;   /* per class: as published, from 1 */
    uint32_t *class_of;  /* per number - 1 */
    bt_part *parts;      /* nodes of the class's target, class by class */
    size_t *starts;      /* classes + 1: places in `parts` */
    uint32_t *fakes;     /* per class */
    uint32_t target_count, classes;
    uint64_t rows; /* of sensitive.csv */
    /* to be told */
    uint64_t all_fakes;
    uint64_t *levels;     /* copies per level of the hierarchy */
    double mean, largest; /* distances of the targets from what was wanted */
    uint32_t general;     /* classes that are fully generalized */
    unsigned arena_count;
    bt_arena *arenas; /* one per worker, for targets */
    bt_arena arena;
    bt_wide sum_of_ranges;
} bt_allotment;

/* BAUTA_INVALID when the manifest, which lists every value that the sensitive column may have,
 * would be too large: known before anything is grouped. */
BT_MUST_USE bauta_status bt_allotment_check_domain(const bt_allotment_options *options,
                                                   const bt_column *sensitive, bauta_error *error);

/* Makes the plan; store and plan of the job are not set. Released by the caller, also after a
 * failure. */
BT_MUST_USE bauta_status bt_allotment_make(bt_allotment *plan, const bt_allotment_options *options,
                                           const bt_form_job *job, bauta_error *error);
void bt_allotment_release(bt_allotment *plan);

static inline const bt_target *bt_allotment_target(const bt_allotment *plan, uint32_t class_number)
{
    return &plan->targets[plan->target_of[class_number]];
}

#endif
