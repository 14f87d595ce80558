/* SPDX-License-Identifier: Apache-2.0
 *
 * Re-identification: which row is whose. The three attackers of the literature (El Emam 2013):
 *
 *   prosecutor   knows that the target is in the table: one of the rows that may be theirs
 *   journalist   does not; but a public table says who else a row may be of
 *   marketer     wants as many right links as possible: the prosecutor's mean
 *
 * Of `two-tables` and `distribution` the rows of quasi.csv show raw values, so finding a person's
 * row there is no art and nothing is promised about it; `linkage` is the step from there to the
 * person's own row of sensitive.csv, which is one of the class; in a distribution some of these are
 * made up. With a public table the prosecutor's rows are those of everyone in the boxes, and
 * `linkage` is the step to the row of sensitive.csv, which is one of the sensitive group.
 *
 *   absent       with a public table: knows who of it is not in the table, so that in a box only
 *                the records of the table come into question. Nothing is promised about that
 *
 * Cost: linear in targets and candidates.
 */
#include "attack/attack.h"
#include "attack/persons.h"
#include "attack/promises.h"
#include "attack/redrawn_attacks.h"

#include <stdio.h>

static double one_of(int64_t rows)
{
    return rows ? 1 / (double)rows : 0;
}

/* The probability that a link of target t is right. */
typedef double (*link_of)(const bt_view *view, uint32_t target);

static double link_row(const bt_view *view, uint32_t target)
{
    return one_of(bt_view_rows(view, target));
}

/* Two tables: the class that the target is in most likely, and one of its rows. */
static double link_value(const bt_view *view, uint32_t target)
{
    double best = 0, rows = (double)bt_view_rows(view, target);
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            double link = one->rows / rows / view->release->bags.values[one->unit];
            if (link > best) best = link;
        }
    }
    return best;
}

/* Tries every target. */
static void try_all(const bt_attack_job *job, link_of link, bt_attack_result *out)
{
    const bt_view *view = job->view;
    for (uint32_t t = 0; t < view->targets.count; t++) {
        double probability = link(view, t);
        if (probability <= 0) continue;
        out->tried += view->targets.size[t];
        out->hits += probability * view->targets.size[t];
        if (probability > out->worst) out->worst = probability;
        bt_worst_add(&out->hit, probability, (int64_t)view->targets.row[t] + 1);
    }
}

static void prosecute(bt_attack_job *job, int64_t k)
{
    bool pair = job->attacker->release->form->pair;
    bt_attack_result result = {
        .variant = "prosecutor",
        .knows = "quasi values of the target, and that the target is in the table",
        .tries = pair ? "to find the target's row of quasi.csv" : "to find the target's row",
        .chance = one_of(job->attacker->release->rows),
        .allowed = pair || k == 0 ? BT_NO_RATE : 1 / (double)k,
    };
    try_all(job, link_row, &result);
    result.outcome = bt_attack_judge(result.worst, result.allowed);
    int64_t people = job->view->people->rows;
    if (result.tried > 0 && result.tried < people)
        snprintf(result.detail, sizeof result.detail,
                 "%lld of %lld original records cannot be in the release",
                 (long long)(people - result.tried), (long long)people);
    bt_attack_put(job, &result);
    result.detail[0] = '\0';
    result.variant = "marketer";
    result.knows = "quasi values of everyone in the table";
    result.tries = "to link as many people as possible to their rows";
    result.worst = BT_NO_RATE;
    result.hit.count = 0;
    result.outcome =
        bt_attack_judge(result.tried ? result.hits / (double)result.tried : 0, result.allowed);
    bt_attack_put(job, &result);
    if (!bt_sensitive_apart(job->attacker->release)) return;
    bool told = pair || !bt_is_refined(&job->attacker->release->manifest);
    bt_attack_result link = {
        .variant = "linkage",
        .knows = "quasi values of the target, and that the target is in the table",
        .tries = "to find the target's row of sensitive.csv",
        .chance = one_of(bt_sensitive_rows(job->attacker->release)),
        .allowed = k == 0 || !told ? BT_NO_RATE : 1 / (double)k,
    };
    try_all(job, link_value, &link);
    link.outcome = bt_attack_judge(link.worst, link.allowed);
    bt_attack_put(job, &link);
}

/* How many people of the public table the rows of each group may be of. */
static void count_crowd(const bt_view *crowd, int64_t *people)
{
    for (uint32_t t = 0; t < crowd->targets.count; t++)
        for (size_t i = crowd->first[t]; i < crowd->first[t + 1]; i++)
            people[crowd->candidates[i]] += crowd->targets.size[t];
}

/* Attacks with the people of the table who may be in the boxes of each target. */
static bauta_status know_absent(bt_attack_job *job, bauta_error *error)
{
    const bt_view *view = job->view;
    bt_attack_result result = {
        .variant = "absent",
        .knows = "quasi values of the target and of everyone in the table, and who is not in it",
        .tries = "to find out which record is the target's",
        .chance = one_of(view->people->rows),
        .allowed = BT_NO_RATE,
    };
    int64_t *people = bt_array_zero(view->groups.count, sizeof *people);
    if (!people) return bt_fail_memory(error);
    count_crowd(view, people);
    for (uint32_t t = 0; t < view->targets.count; t++) {
        int64_t sum = 0;
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            sum += people[view->candidates[i]];
        if (sum == 0) continue;
        result.tried += view->targets.size[t];
        result.hits += view->targets.size[t] / (double)sum;
        if (1 / (double)sum > result.worst) result.worst = 1 / (double)sum;
        bt_worst_add(&result.hit, 1 / (double)sum, (int64_t)view->targets.row[t] + 1);
    }
    bt_attack_put(job, &result);
    free(people);
    return BAUTA_OK;
}

static bauta_status investigate(bt_attack_job *job, int64_t k, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    bool pair = attacker->release->form->pair;
    const bt_view *crowd = NULL;
    bt_attack_result result = {
        .variant = "journalist",
        .knows = attacker->joined ? "everyone of both tables with their quasi values"
                                  : "a public table of people with their quasi values",
        .tries = "to find out whose row a row is",
        .chance = one_of(attacker->crowd->rows),
        .allowed = pair || k == 0 ? BT_NO_RATE : 1 / (double)k,
    };
    int64_t lost = 0, *people = NULL;
    bauta_status status = bt_attack_crowd(job, &crowd, error);
    if (status == BAUTA_OK) people = bt_array_zero(crowd->groups.count, sizeof *people);
    if (status == BAUTA_OK && !people) status = bt_fail_memory(error);
    if (status == BAUTA_OK) count_crowd(crowd, people);
    for (uint32_t g = 0; status == BAUTA_OK && g < crowd->groups.count; g++) {
        uint32_t rows = crowd->groups.size[g];
        lost += people[g] < rows; /* the public table lacks some of them */
        double probability = 1 / (double)(people[g] < rows ? rows : people[g]);
        result.tried += rows;
        result.hits += probability * rows;
        if (probability > result.worst) result.worst = probability;
    }
    if (lost > 0)
        snprintf(result.detail, sizeof result.detail,
                 "%lld groups have more rows than the public table has people for them: it lacks "
                 "some",
                 (long long)lost);
    result.outcome = bt_attack_judge(result.worst, result.allowed);
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    free(people);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    int64_t k = bt_promised_k(&job->attacker->release->manifest);
    if (job->view->redrawn) return bt_redrawn_link(job, error);
    prosecute(job, k);
    bauta_status status = bt_attack_link_persons(job, k, error);
    if (status == BAUTA_OK && job->attacker->crowd) status = investigate(job, k, error);
    if (status == BAUTA_OK && job->attacker->release->form->join) status = know_absent(job, error);
    return status;
}

const bt_attack bt_attack_reidentification = {
    .name = "re-identification",
    .summary = "which row is whose: prosecutor, journalist and marketer",
    .paper = "El Emam 2013",
    .run = run,
};
