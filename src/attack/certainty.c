/* SPDX-License-Identifier: Apache-2.0
 *
 * For each target the likeliest value among the rows that may be theirs. The guess is compared
 * with the original; the belief with what the promises allow for that value.
 */
#include "attack/certainty.h"

#include "attack/attribute.h"

#include <math.h>
#include <stdio.h>

typedef struct certainty {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_attack_belief belief;
    uint32_t *guess; /* per target */
    uint32_t top;    /* of the belief */
    int64_t certain; /* people of whom the value is sure */
    bt_attack_result result;
} certainty;

static void weigh_target(certainty *c, uint32_t target)
{
    const bt_view *view = c->job->view;
    bt_attack_result *result = &c->result;
    bt_attack_belief *belief = &c->belief;
    c->guess[target] = BT_NOT_KNOWN;
    bt_attack_belief_form(belief, view, c->secret, target);
    if (belief->rows == 0) return;
    if (!belief->same) c->top = bt_attack_belief_top(belief);
    uint32_t top = c->guess[target] = c->top;
    double distinct = bt_bounds_distinct(&c->bounds, view, target);
    double allowed = fmin(c->bounds.share[top], distinct);
    if (belief->count == 1) c->certain += view->targets.size[target];
    if (belief->share[top] > result->worst) result->worst = belief->share[top];
    bt_worst_add(&result->hit, belief->share[top], (int64_t)view->targets.row[target] + 1);
    if (!c->bounds.any) return;
    if (allowed > result->allowed) result->allowed = allowed;
    for (uint32_t i = 0; i < belief->count && !belief->same; i++) {
        uint32_t value = belief->seen[i];
        if (bt_attack_judge(belief->share[value], fmin(c->bounds.share[value], distinct)) ==
            BT_BROKEN)
            result->outcome = BT_BROKEN;
    }
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    certainty c = {
        .job = job,
        .secret = secret,
        .guess = bt_array(job->view->targets.count, sizeof *c.guess),
        .result = {.variant = job->narrow ? "narrow cells" : NULL,
                   .column = secret->column->manifest->name,
                   .knows = job->narrow
                                ? "quasi values of the target, and that the target is in the "
                                  "table, most likely where cells are narrowest"
                                : "quasi values of the target, and that the target is in the table",
                   .tries = secret->categories ? "to guess the category of the target's value"
                                               : "to guess the target's value",
                   .allowed = BT_NO_RATE},
    };
    bauta_status status = c.guess ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_promises_bound(promises, secret, &c.bounds, error);
    if (status == BAUTA_OK) status = bt_attack_belief_new(&c.belief, secret->values, error);
    if (c.bounds.any) c.result.outcome = BT_WITHIN;
    if (secret->spread && secret->spread->unequal > 0) c.result.outcome = BT_BROKEN;
    for (uint32_t t = 0; t < job->view->targets.count && status == BAUTA_OK; t++) {
        weigh_target(&c, t);
        status = bt_attack_step(job, t, job->view->targets.count, error);
    }
    if (status == BAUTA_OK) {
        c.result.hits =
            (double)bt_attribute_hits(job->view, secret->actual, c.guess, &c.result.tried);
        c.result.chance = bt_attribute_chance(job->view, secret);
        if (c.result.tried > 0)
            snprintf(c.result.detail, sizeof c.result.detail, "certain for %lld of %lld",
                     (long long)c.certain, (long long)c.result.tried);
        status = bt_attribute_of_rows(promises, secret, &c.result, error);
    }
    if (status == BAUTA_OK) bt_attack_put(job, &c.result);
    free(c.guess);
    bt_attack_belief_free(&c.belief);
    return status;
}

/* Where cells overlap, all rows are alike to some, and others prefer narrow cells. */
static bauta_status try_narrow(bt_attack_job *job, bool categories, bauta_error *error)
{
    bt_view narrow;
    bool narrower;
    bauta_status status = bt_view_narrow(job->view, &narrow, &narrower, error);
    if (status == BAUTA_OK && narrower) {
        const bt_view *whole = job->view;
        job->view = &narrow;
        job->narrow = true;
        status = bt_attribute_each(job, categories, try_secret, error);
        job->view = whole;
        job->narrow = false;
    }
    bt_view_widen(&narrow);
    return status;
}

bauta_status bt_certainty_try(bt_attack_job *job, bool categories, bauta_error *error)
{
    BT_TRY(bt_attribute_each(job, categories, try_secret, error));
    return job->view->boxes ? try_narrow(job, categories, error) : BAUTA_OK;
}
