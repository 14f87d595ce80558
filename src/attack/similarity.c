/* SPDX-License-Identifier: Apache-2.0
 *
 * Similarity: values that differ may still be alike. Where all rows that may be the target's have
 * values of one category, that category is known.
 */
#include "attack/certainty.h"
#include "attack/secret.h"

static const char *excuse(const bt_attacker *attacker)
{
    for (size_t i = 0; i < attacker->release->column_count; i++)
        if (bt_secret_exists(&attacker->release->columns[i], true)) return NULL;
    return "the release has no categories of sensitive values";
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    return bt_certainty_try(job, true, error);
}

const bt_attack bt_attack_similarity = {
    .name = "similarity",
    .summary = "the category of the sensitive value is certain, or likelier than allowed",
    .paper = "Sun, Wang, Li and Truta 2008",
    .excuse = excuse,
    .run = run,
};
