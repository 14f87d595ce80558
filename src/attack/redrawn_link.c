/* SPDX-License-Identifier: Apache-2.0
 *
 * Re-identification in a randomized release (Yang and Qiao 2010):
 *
 *   prosecutor   the row that the target's record is most likely to have become
 *   marketer     knows everyone's quasi values, so that a row counts the less the likelier it is
 *                somebody else's
 *   journalist   the person of a public table who is most likely to have become the row
 *
 * Among equals one is picked at random. Whether a pick is right is what the original makes likely
 * (redrawn_truth.h). Nothing is promised about it.
 *
 * Cost: linear in rows and people for each set of columns.
 */
#include "attack/redrawn_attacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct best { /* of a unit, or of a target */
    double chance;    /* the largest chance */
    double ties;      /* how many rows have that chance */
    double credit;    /* what the tied rows are worth, if they are the right ones */
} best;

static void take(best *at, double chance, double ties, double credit)
{
    if (chance > at->chance * (1 + bt_redrawn_tie))
        *at = (best){chance, ties, credit};
    else if (chance >= at->chance * (1 - bt_redrawn_tie)) {
        at->ties += ties;
        at->credit += credit;
    }
}

static double one_of(int64_t count)
{
    return count > 0 ? 1 / (double)count : 0;
}

static best *unit_room(const bt_redrawn *redrawn)
{
    uint32_t most = 0;
    for (size_t i = 0; i < redrawn->set_count; i++)
        if (redrawn->sets[i].units > most) most = redrawn->sets[i].units;
    return bt_array(most, sizeof(best));
}

/* ---- picking rows for people ------------------------------------------------------------- */

/* The likeliest rows of each combination of people; `worth` is per combination of rows, or NULL;
 * chances are divided by `discount`, per combination; NULL: by nothing. */
static bauta_status find_rows(const bt_redrawn *redrawn, const double *worth,
                              const double *discount, best *out, bauta_error *error)
{
    best *units = unit_room(redrawn);
    if (!units) return bt_fail_memory(error);
    memset(out, 0, redrawn->people.count * sizeof *out);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        memset(units, 0, set->units * sizeof *units);
        for (uint32_t row = 0; row < redrawn->rows.count; row++) {
            double chance = bt_redrawn_chance(redrawn, set, row), size = redrawn->rows.size[row];
            take(&units[set->of_row[row]], chance / (discount ? discount[row] : 1), size,
                 worth ? size * worth[row] * chance : 0);
        }
        for (uint32_t person = 0; person < redrawn->people.count; person++) {
            uint32_t unit = set->of_person[person];
            if (unit == BT_TUPLE_NONE) continue;
            take(&out[person], units[unit].chance, units[unit].ties, units[unit].credit);
        }
    }
    free(units);
    return BAUTA_OK;
}

/* What is divided by for kinds of rows is that of their groups. */
static double *spread(const bt_redrawn_truth *truth, const double *discount)
{
    double *out = bt_array(truth->rows.count, sizeof *out);
    for (uint32_t k = 0; out && k < truth->rows.count; k++)
        out[k] = discount[truth->row_group[k]];
    return out;
}

/* What a person's picks are worth: the rows that are as likely as the likeliest. */
static double paired_credit(const bt_redrawn_truth *truth, uint32_t kind, double chance,
                            const double *discount)
{
    double credit = 0;
    for (size_t e = truth->pair_first[kind]; e < truth->pair_first[kind + 1]; e++) {
        const bt_redrawn_match *pair = &truth->pairs[e];
        double found = pair->chance / (discount ? discount[pair->row] : 1);
        if (found >= chance * (1 - bt_redrawn_tie))
            credit += truth->rows.size[pair->row] * pair->own;
    }
    return credit;
}

/* Adds up, over people, the probability that their pick is right. */
static void settle(const bt_redrawn_truth *truth, const best *picks, const best *own,
                   const double *discount, bt_attack_result *result)
{
    for (uint32_t k = 0; k < truth->people.count; k++) {
        const best *pick = &picks[truth->target[k]];
        if (pick->chance <= 0) continue;
        result->tried += truth->people.size[k];
        if (own[k].chance < pick->chance * (1 - bt_redrawn_tie)) continue;
        double right = truth->pairs ? paired_credit(truth, k, pick->chance, discount)
                                    : truth->person_weight[k] * own[k].credit;
        right /= pick->ties;
        result->hits += truth->people.size[k] * fmin(right, 1);
    }
}

/* Picks for everyone, and settles. */
static bauta_status pick_rows(const bt_view *view, const bt_redrawn_truth *truth,
                              const double *discount, best *picks, bt_attack_result *result,
                              bauta_error *error)
{
    best *own = bt_array(truth->people.count, sizeof *own);
    double *spread_out = discount ? spread(truth, discount) : NULL;
    bauta_status status = own && (!discount || spread_out) ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = find_rows(view->redrawn, NULL, discount, picks, error);
    if (status == BAUTA_OK)
        status = find_rows(&truth->redrawn, truth->row_weight, spread_out, own, error);
    if (status == BAUTA_OK) settle(truth, picks, own, spread_out, result);
    free(own);
    free(spread_out);
    return status;
}

/* How sure the attacker is of the picks. */
static bauta_status weigh_picks(const bt_view *view, const best *picks, bt_attack_result *result,
                                bauta_error *error)
{
    double believed = 0, *sum = bt_array(view->targets.count, sizeof *sum);
    bauta_status status =
        sum ? bt_redrawn_sum_rows(view->redrawn, NULL, sum, error) : bt_fail_memory(error);
    for (uint32_t t = 0; t < view->targets.count && status == BAUTA_OK; t++) {
        if (sum[t] <= 0) continue;
        double probability = fmin(picks[t].chance / sum[t], 1);
        believed += probability * view->targets.size[t];
        if (probability > result->worst) result->worst = probability;
        bt_worst_add(&result->hit, probability, (int64_t)view->targets.row[t] + 1);
    }
    snprintf(result->detail, sizeof result->detail,
             "the likeliest row is believed in with %.3g on average",
             result->tried ? believed / (double)result->tried : 0);
    free(sum);
    return status;
}

static bauta_status prosecute(bt_attack_job *job, const bt_redrawn_truth *truth, best *picks,
                              bauta_error *error)
{
    bt_attack_result result = {
        .variant = "prosecutor",
        .knows = "quasi values of the target, and that the target is in the table",
        .tries = "to find the target's row",
        .chance = one_of(job->attacker->release->rows),
        .allowed = BT_NO_RATE,
    };
    BT_TRY(pick_rows(job->view, truth, NULL, picks, &result, error));
    BT_TRY(weigh_picks(job->view, picks, &result, error));
    bt_attack_put(job, &result);
    return BAUTA_OK;
}

static bauta_status market(bt_attack_job *job, const bt_redrawn_truth *truth, best *picks,
                           bauta_error *error)
{
    const bt_redrawn *redrawn = job->view->redrawn;
    bt_attack_result result = {
        .variant = "marketer",
        .knows = "quasi values of everyone in the table",
        .tries = "to link as many people as possible to their rows",
        .chance = one_of(job->attacker->release->rows),
        .worst = BT_NO_RATE,
        .allowed = BT_NO_RATE,
    };
    double *all = bt_array(redrawn->rows.count, sizeof *all);
    bauta_status status =
        all ? bt_redrawn_sum_people(redrawn, NULL, all, error) : bt_fail_memory(error);
    for (uint32_t row = 0; row < redrawn->rows.count && status == BAUTA_OK; row++)
        if (all[row] <= 0) all[row] = 1; /* nobody's: nobody picks it */
    if (status == BAUTA_OK) status = pick_rows(job->view, truth, all, picks, &result, error);
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    free(all);
    return status;
}

/* ---- picking people for rows ------------------------------------------------------------- */

typedef struct suspect { /* of a combination of rows */
    double chance;       /* of the likeliest people */
    double people;       /* how many they are */
} suspect;

/* The likeliest people of the public table: all in the unit of a set have the same chance. */
static bauta_status find_people(const bt_redrawn *crowd, suspect *out, bauta_error *error)
{
    double *count = NULL;
    for (size_t i = 0; i < crowd->set_count; i++) {
        const bt_redrawn_set *set = &crowd->sets[i];
        count = bt_array_zero(set->units, sizeof *count);
        if (!count) return bt_fail_memory(error);
        for (uint32_t p = 0; p < crowd->people.count; p++)
            if (set->of_person[p] != BT_TUPLE_NONE)
                count[set->of_person[p]] += crowd->people.size[p];
        for (uint32_t row = 0; row < crowd->rows.count; row++) {
            double chance = bt_redrawn_chance(crowd, set, row), people = count[set->of_row[row]];
            if (people <= 0) continue;
            if (chance > out[row].chance * (1 + bt_redrawn_tie))
                out[row] = (suspect){chance, people};
            else if (chance >= out[row].chance * (1 - bt_redrawn_tie))
                out[row].people += people;
        }
        free(count);
    }
    return BAUTA_OK;
}

static bool is_tie(double chance, double largest)
{
    return chance >= largest * (1 - bt_redrawn_tie) && chance <= largest * (1 + bt_redrawn_tie);
}

/* Per kind of rows: the probability that it is of the suspect who is picked. */
static void find_owners_paired(const bt_redrawn_truth *truth, const suspect *suspects,
                               double *right)
{
    for (uint32_t p = 0; p < truth->people.count; p++)
        for (size_t e = truth->pair_first[p]; e < truth->pair_first[p + 1]; e++) {
            const bt_redrawn_match *pair = &truth->pairs[e];
            const suspect *at = &suspects[truth->row_group[pair->row]];
            if (at->people > 0 && is_tie(pair->chance, at->chance))
                right[pair->row] += truth->people.size[p] * pair->own / at->people;
        }
}

/* The probabilities of find_owners_paired where there are no pairs: by the factors of all records
 * that are as likely. */
static bauta_status find_owners(const bt_redrawn_truth *truth, const suspect *suspects,
                                double *right, bauta_error *error)
{
    const bt_redrawn *redrawn = &truth->redrawn;
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        double *owners = bt_array_zero(set->units, sizeof *owners);
        if (!owners) return bt_fail_memory(error);
        for (uint32_t p = 0; p < redrawn->people.count; p++)
            if (set->of_person[p] != BT_TUPLE_NONE)
                owners[set->of_person[p]] += redrawn->people.size[p] * truth->person_weight[p];
        for (uint32_t row = 0; row < redrawn->rows.count; row++) {
            const suspect *at = &suspects[truth->row_group[row]];
            double chance = bt_redrawn_chance(redrawn, set, row);
            if (at->people <= 0 || !is_tie(chance, at->chance)) continue;
            right[row] += owners[set->of_row[row]] * chance * truth->row_weight[row] / at->people;
        }
        free(owners);
    }
    return BAUTA_OK;
}

static bauta_status investigate_with(bt_attack_job *job, const bt_view *crowd,
                                     const bt_redrawn_truth *truth, bauta_error *error)
{
    bt_attack_result result = {
        .variant = "journalist",
        .knows = "a public table of people with their quasi values",
        .tries = "to find out whose row a row is",
        .chance = one_of(crowd->people->rows),
        .allowed = BT_NO_RATE,
    };
    suspect *suspects = bt_array_zero(crowd->groups.count, sizeof *suspects);
    double *sum = bt_array(crowd->groups.count, sizeof *sum);
    double *right = bt_array_zero(truth->rows.count, sizeof *right);
    bauta_status status = suspects && sum && right ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = find_people(crowd->redrawn, suspects, error);
    if (status == BAUTA_OK) status = bt_redrawn_sum_people(crowd->redrawn, NULL, sum, error);
    if (status == BAUTA_OK && truth->pairs)
        find_owners_paired(truth, suspects, right);
    else if (status == BAUTA_OK)
        status = find_owners(truth, suspects, right, error);
    for (uint32_t k = 0; k < truth->rows.count && status == BAUTA_OK; k++) {
        uint32_t group = truth->row_group[k];
        if (sum[group] <= 0) continue;
        result.tried += truth->rows.size[k];
        result.hits += truth->rows.size[k] * fmin(right[k], 1);
        result.worst = fmax(result.worst, fmin(suspects[group].chance / sum[group], 1));
    }
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    free(suspects);
    free(sum);
    free(right);
    return status;
}

static bauta_status investigate(bt_attack_job *job, const bt_redrawn_truth *truth,
                                bauta_error *error)
{
    const bt_view *crowd;
    if (!job->attacker->crowd) return BAUTA_OK;
    BT_TRY(bt_attack_crowd(job, &crowd, error));
    return investigate_with(job, crowd, truth, error);
}

bauta_status bt_redrawn_link(bt_attack_job *job, bauta_error *error)
{
    bt_redrawn_truth truth = {0};
    best *picks = bt_array(job->view->targets.count, sizeof *picks);
    bauta_status status = picks
                              ? bt_redrawn_truth_open(job->view, job->attacker->run, &truth, error)
                              : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_redrawn_truth_balance(&truth, job->view, error);
    if (status == BAUTA_OK) status = prosecute(job, &truth, picks, error);
    if (status == BAUTA_OK) status = market(job, &truth, picks, error);
    if (status == BAUTA_OK) status = investigate(job, &truth, error);
    bt_redrawn_truth_close(&truth);
    free(picks);
    return status;
}
