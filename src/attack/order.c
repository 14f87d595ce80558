/* SPDX-License-Identifier: Apache-2.0
 *
 * Telling what orders give away.
 */
#include "attack/order.h"

#include "attack/rate.h"

#include <math.h>
#include <stdio.h>

void bt_position_hits(bt_attack_job *job, bt_attack_result *result, double expected)
{
    double limit = bt_rate_chance_limit(expected), tried = (double)result->tried;
    if (result->tried == 0) return;
    result->chance = fmin(1, expected / tried); /* rounding */
    result->allowed = fmin(1, limit / tried);
    result->worst = BT_NO_RATE;
    result->outcome = bt_rate_above_chance(result->hits, expected) ? BT_BROKEN : BT_WITHIN;
    bt_attack_put(job, result);
}

void bt_position_neighbours(bt_attack_job *job, bt_attack_result *result,
                            const bt_neighbours *found)
{
    result->tried = found->tried;
    result->hits = (double)found->hits;
    bt_position_hits(job, result, found->expected);
}

void bt_position_drift(bt_attack_job *job, bt_attack_result *result, double expected)
{
    double tried = (double)result->tried;
    result->chance = fmin(1, expected / tried);
    result->allowed = fmin(1, bt_rate_chance_limit(expected) / tried);
    result->worst = BT_NO_RATE;
    result->outcome = BT_BROKEN;
    snprintf(result->detail, sizeof result->detail, "in one order, with rows of others between");
    bt_attack_put(job, result);
}

void bt_position_fits(bt_attack_job *job, bt_attack_result *result, const bt_fits *fits)
{
    bool broken = bt_order_broken(bt_fits_judge(fits));
    bool backwards = broken && fits->hits[1] > fits->hits[0];
    result->hits = fits->hits[backwards];
    if (!broken || bt_rate_above_chance(result->hits, fits->expected)) {
        bt_position_hits(job, result, fits->expected);
        return;
    }
    double tried = (double)result->tried;
    result->chance = fmin(1, fits->expected / tried);
    result->allowed = fmin(1, bt_fits_limit(fits) / tried);
    result->worst = BT_NO_RATE;
    result->outcome = BT_BROKEN;
    snprintf(result->detail, sizeof result->detail, "%s, all rows of some",
             backwards ? "backwards" : "forwards");
    bt_attack_put(job, result);
}

bauta_status bt_position_steps(bt_attack_job *job, bt_attack_result *result, double expected,
                               const bt_step_table tables[2], const bt_step_pairs *pairs,
                               double kept, bauta_error *error)
{
    bt_steps steps;
    BT_TRY(bt_steps_find_kept(tables, pairs, kept, job->attacker->run, &steps, error));
    if (!steps.in_step || bt_rate_above_chance(result->hits, expected)) {
        bt_position_hits(job, result, expected);
        return BAUTA_OK;
    }
    result->tried = steps.tried;
    result->hits = (double)steps.hits;
    result->chance = steps.expected / (double)steps.tried;
    result->allowed = steps.limit / (double)steps.tried;
    result->worst = BT_NO_RATE;
    result->outcome = BT_BROKEN;
    snprintf(result->detail, sizeof result->detail, "%s%s",
             steps.backwards ? "backwards" : "forwards", steps.distance ? ", some rows off" : "");
    bt_attack_put(job, result);
    return BAUTA_OK;
}

void bt_position_correlation(bt_attack_job *job, bt_attack_result *result, double coefficient,
                             int64_t pairs)
{
    if (pairs < 3) return;
    result->tried = pairs;
    result->hits = fabs(coefficient) * (double)pairs;
    result->is_coefficient = true;
    result->chance = 0;
    result->worst = BT_NO_RATE;
    result->allowed = bt_rate_correlation_limit(pairs);
    result->outcome = fabs(coefficient) > result->allowed ? BT_BROKEN : BT_WITHIN;
    bt_attack_put(job, result);
}
