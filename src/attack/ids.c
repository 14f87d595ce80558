/* SPDX-License-Identifier: Apache-2.0
 *
 * Ids: two releases that are not the same have one id. The id follows from the seed, the table and
 * the recipe; where it does not, as in version 0.1.0, both were made with one seed file, and their
 * rows may stand in the same places.
 */
#include "attack/attack.h"

static const char *excuse(const bt_attacker *attacker)
{
    return attacker->other ? NULL : "it needs another release";
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    bool one = job->attacker->one_id;
    bt_attack_result result = {
        .knows = "both releases",
        .tries = "to see from their ids that they were made with one seed",
        .tried = 1,
        .hits = one,
        .chance = 0,
        .worst = BT_NO_RATE,
        .allowed = 0,
        .outcome = one ? BT_BROKEN : BT_WITHIN,
    };
    (void)error;
    bt_attack_put(job, &result);
    return BAUTA_OK;
}

const bt_attack bt_attack_ids = {
    .name = "ids",
    .summary = "two releases that were made with one seed, by their ids",
    .paper = "ours",
    .excuse = excuse,
    .run = run,
};
