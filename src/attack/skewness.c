/* SPDX-License-Identifier: Apache-2.0
 *
 * Skewness: what a release says of a target beyond what it says of everyone. The attacker bets on
 * the value whose share among the rows that may be the target's is most above its share in the
 * table; success is how much oftener the bet is right than the table's own shares would make it.
 * Bets that come right less often than that (where the release is not what happened, but drawn at
 * random) are no gain: anyone can do without them.
 */
#include "attack/attribute.h"

#include <stdio.h>

typedef struct bets {
    bt_attack_belief belief;
    uint32_t *value; /* per target */
    uint32_t last;   /* the bet before, and its gain */
    double last_gain;
} bets;

/* The bet on a target, and by how much it is above the table's share. */
static double place_bet(bets *b, const bt_view *view, const bt_secret *secret, uint32_t target)
{
    double best = -1;
    b->value[target] = BT_NOT_KNOWN;
    bt_attack_belief_form(&b->belief, view, secret, target);
    if (b->belief.same) {
        b->value[target] = b->last;
        return b->last_gain;
    }
    for (uint32_t i = 0; i < b->belief.count; i++) {
        uint32_t value = b->belief.seen[i];
        double gain = b->belief.share[value] - bt_secret_prior(secret, value);
        bool same = gain > best - 1e-12 && gain < best + 1e-12;
        if (same ? value > b->value[target] : gain < best) continue;
        best = gain;
        b->value[target] = value;
    }
    b->last = b->value[target];
    b->last_gain = best;
    return best;
}

static bauta_status settle_bets(const bt_attack_job *job, bets *b, const bt_secret *secret,
                                bt_attack_result *result, bauta_error *error)
{
    const bt_view *view = job->view;
    double chance = 0;
    for (uint32_t t = 0; t < view->targets.count; t++) {
        BT_TRY(bt_attack_step(job, t, view->targets.count, error));
        double gain = place_bet(b, view, secret, t);
        if (b->value[t] == BT_NOT_KNOWN) continue;
        chance += bt_secret_prior(secret, b->value[t]) * view->targets.size[t];
        if (gain > result->worst) result->worst = gain;
        bt_worst_add(&result->hit, gain, (int64_t)view->targets.row[t] + 1);
    }
    result->hits = (double)bt_attribute_hits(view, secret->actual, b->value, &result->tried);
    result->chance = result->tried ? chance / (double)result->tried : 0;
    if (result->hits < chance - 1e-9 * (double)result->tried)
        snprintf(result->detail, sizeof result->detail,
                 "no gain: the bets come right less often than the table's own shares would");
    return BAUTA_OK;
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    bt_secret_bounds bounds;
    bets b = {.value = bt_array(job->view->targets.count, sizeof *b.value)};
    bt_attack_result result = {
        .column = secret->column->manifest->name,
        .knows = "quasi values of the target, and how frequent each value is in the table",
        .tries = "to gain over the table's own shares",
        .is_gain = true,
    };
    bauta_status status = b.value ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_promises_bound(promises, secret, &bounds, error);
    if (status == BAUTA_OK) status = bt_attack_belief_new(&b.belief, secret->values, error);
    if (status == BAUTA_OK) status = settle_bets(job, &b, secret, &result, error);
    if (status == BAUTA_OK) {
        result.allowed = bounds.gain <= 1 ? bounds.gain : BT_NO_RATE;
        result.outcome = bt_attack_judge(result.worst, result.allowed);
        status = bt_attribute_of_rows(promises, secret, &result, error);
    }
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    free(b.value);
    bt_attack_belief_free(&b.belief);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_attribute_each(job, false, try_secret, error);
}

const bt_attack bt_attack_skewness = {
    .name = "skewness",
    .summary = "what is learnt beyond the table's own distribution",
    .paper = "Li, Li and Venkatasubramanian 2007",
    .excuse = bt_attribute_excuse,
    .run = run,
};
