/* SPDX-License-Identifier: Apache-2.0
 *
 * Homogeneity: whoever finds that all rows that may be the target's have one sensitive value knows
 * it, and whoever finds that most of them have it nearly does.
 *
 * Cost: linear in rows, and in the values of the classes of each target.
 */
#include "attack/attribute.h"
#include "attack/certainty.h"
#include "attack/persons.h"

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    BT_TRY(bt_certainty_try(job, false, error));
    return bt_attack_persons(job, error);
}

const bt_attack bt_attack_homogeneity = {
    .name = "homogeneity",
    .summary = "the sensitive value is certain, or likelier than allowed",
    .paper = "Machanavajjhala, Gehrke, Kifer and Venkitasubramaniam 2006",
    .excuse = bt_attribute_excuse,
    .run = run,
};
