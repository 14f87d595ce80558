/* SPDX-License-Identifier: Apache-2.0
 *
 * Presence in a randomized release: who of a public table is in it. Every row is one person's;
 * whose, is shared out among the people of the public table by their chances. Whoever gets most is
 * claimed to be in the table: as many people as there are rows.
 *
 * Right are as many of the people with the same values as records of the original have these.
 *
 * Cost: linear in rows and people for each set of columns, and sorting people.
 */
#include "attack/redrawn_attacks.h"

#include <math.h>
#include <stdio.h>

typedef struct claim { /* people of the public table who are alike */
    double score;      /* rows that are thought to be theirs, per person */
    uint32_t target;
} claim;

static int compare_claims(const void *left, const void *right)
{
    const claim *a = left, *b = right;
    if (a->score != b->score) return a->score > b->score ? -1 : 1;
    return a->target < b->target ? -1 : a->target > b->target;
}

/* Per combination of rows: 1 over the chances of all people of the public table. */
static bauta_status share_out(const bt_redrawn *crowd, double *out, bauta_error *error)
{
    BT_TRY(bt_redrawn_sum_people(crowd, NULL, out, error));
    for (uint32_t row = 0; row < crowd->rows.count; row++)
        out[row] = out[row] > 0 ? 1 / out[row] : 0;
    return BAUTA_OK;
}

/* ---- what is right ----------------------------------------------------------------------- */

/* Codes of people with a place for values that no row has. */
static bauta_status known_codes(const bt_redrawn_plan *plan, bt_arena *arena, bt_codes **out,
                                bauta_error *error)
{
    *out = bt_arena_array(arena, plan->columns, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t c = 0; c < plan->columns; c++) {
        const bt_codes *from = &plan->people.codes[c];
        uint32_t *codes = bt_arena_array(arena, plan->people.count, sizeof *codes);
        if (!codes) return bt_fail_memory(error);
        for (uint32_t t = 0; t < plan->people.count; t++) {
            uint32_t code = bt_code_at(from->codes, from->width, t);
            codes[t] = code < from->count ? code : from->count;
        }
        (*out)[c] = (bt_codes){codes, 4, from->count + 1};
    }
    return BAUTA_OK;
}

/* Per target of the public table: the share of these people who are in the original. */
static bauta_status find_members(const bt_redrawn_plan *original, const bt_redrawn_plan *crowd,
                                 const bt_run *run, double *out, bauta_error *error)
{
    bt_arena arena = {0};
    bt_codes *inside = NULL, *outside = NULL;
    bt_tuples tuples = {0};
    bt_tuple_index *index = NULL;
    uint32_t *number = NULL, point[BT_REDRAWN_MOST];
    double *people = bt_array_zero(original->people.count, sizeof *people);
    bauta_status status =
        people ? known_codes(original, &arena, &inside, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = known_codes(crowd, &arena, &outside, error);
    number = bt_arena_array(&arena, original->people.count, sizeof *number);
    if (status == BAUTA_OK)
        status = number ? bt_tuples_number(inside, original->columns, original->people.count, run,
                                           &tuples, number, &index, error)
                        : bt_fail_memory(error);
    for (uint32_t t = 0; t < original->people.count && status == BAUTA_OK; t++)
        people[number[t]] += original->people.size[t];
    for (uint32_t t = 0; t < crowd->people.count && status == BAUTA_OK; t++) {
        for (size_t c = 0; c < crowd->columns; c++)
            point[c] = bt_code_at(outside[c].codes, 4, t);
        uint32_t found = bt_tuple_index_find(index, point);
        out[t] = found == BT_TUPLE_NONE ? 0 : fmin(people[found] / crowd->people.size[t], 1);
    }
    free(people);
    bt_tuple_index_free(index);
    bt_tuples_release(&tuples);
    bt_arena_release(&arena);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

/* Claims as many people as there are rows; of equals at the end, a share of each. */
static void settle(const bt_view *crowd, claim *claims, const double *members, int64_t rows,
                   bt_attack_result *result)
{
    double left = (double)rows, claimed = 0;
    qsort(claims, crowd->targets.count, sizeof *claims, compare_claims);
    for (uint32_t i = 0; i < crowd->targets.count && left > 0 && claims[i].score > 0; i++) {
        double people = fmin(crowd->targets.size[claims[i].target], left);
        claimed += people;
        left -= people;
        result->hits += people * members[claims[i].target];
    }
    result->tried = llround(claimed);
}

static bauta_status score_members(const bt_view *view, const double *weight,
                                  bt_attack_result *result, bauta_error *error)
{
    double *score = bt_array(view->targets.count, sizeof *score);
    bauta_status status =
        score ? bt_redrawn_sum_rows(view->redrawn, weight, score, error) : bt_fail_memory(error);
    for (uint32_t t = 0; t < view->targets.count && status == BAUTA_OK; t++) {
        double sure = fmin(score[t], 1);
        if (sure > result->worst) result->worst = sure;
        bt_worst_add(&result->hit, sure, (int64_t)view->targets.row[t] + 1);
    }
    free(score);
    return status;
}

static bauta_status score_crowd(const bt_attack_job *job, const bt_view *crowd,
                                bt_attack_result *result, bauta_error *error)
{
    uint32_t targets = crowd->targets.count;
    double *weight = bt_array(crowd->groups.count, sizeof *weight);
    double *score = bt_array(targets, sizeof *score), *members = bt_array(targets, sizeof *members);
    claim *claims = bt_array(targets, sizeof *claims);
    bauta_status status = weight && score && members && claims ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = share_out(crowd->redrawn, weight, error);
    if (status == BAUTA_OK) status = bt_redrawn_sum_rows(crowd->redrawn, weight, score, error);
    if (status == BAUTA_OK)
        status = find_members(&job->view->redrawn->plan, &crowd->redrawn->plan, job->attacker->run,
                              members, error);
    for (uint32_t t = 0; t < targets && status == BAUTA_OK; t++)
        claims[t] = (claim){score[t], t};
    if (status == BAUTA_OK) settle(crowd, claims, members, crowd->release->rows, result);
    if (status == BAUTA_OK) status = score_members(job->view, weight, result, error);
    free(weight);
    free(score);
    free(members);
    free(claims);
    return status;
}

bauta_status bt_redrawn_presence(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    int64_t rows = attacker->release->rows, people = attacker->crowd->rows;
    const bt_view *crowd;
    bt_attack_result result = {
        .knows = "a public table of people with their quasi values",
        .tries = "to find out who of them is in the table",
        .chance = people > rows ? (double)rows / (double)people : 1,
        .allowed = BT_NO_RATE,
    };
    BT_TRY(bt_attack_crowd(job, &crowd, error));
    BT_TRY(score_crowd(job, crowd, &result, error));
    snprintf(result.detail, sizeof result.detail,
             "of %lld people of the public table %lld are claimed to be in it", (long long)people,
             (long long)result.tried);
    bt_attack_put(job, &result);
    return BAUTA_OK;
}
