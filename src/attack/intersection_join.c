/* SPDX-License-Identifier: Apache-2.0
 *
 * Two releases of the same records, the first with a public table: a record of both is of someone
 * whom boxes of both contain. Of the people who may be in a box of the first release
 * those drop out who are in no box of the second.
 *
 * Cost: linear in people and the boxes they may be in.
 */
#include "attack/intersection.h"

#include "attack/promises.h"

typedef struct people_left {
    const bt_view *crowd;
    bt_view other;      /* the same people in the other release */
    const uint32_t *to; /* rows of the people in the other release */
    int64_t *left;      /* per group of the first release */
    bool *strange; /* per record: no row of the other release that may be theirs has its values */
} people_left;

static bool is_in_other(const people_left *p, int64_t row)
{
    uint32_t there = p->to[row];
    if (there == BT_NOT_KNOWN) return true; /* nothing is concluded */
    uint32_t target = p->other.target_of[there];
    return p->other.first[target] < p->other.first[target + 1];
}

/* Marks the records whose value of a column the other release rules out. */
static bauta_status mark_column(people_left *p, const bt_view *records,
                                const bt_release_column *column, const bt_run *run,
                                bauta_error *error)
{
    bt_secret secret = {0};
    bt_attack_belief belief = {0};
    uint32_t formed = BT_NOT_KNOWN;
    bauta_status status = bt_secret_open(records, column, false, run, &secret, error);
    if (status == BAUTA_OK) status = bt_attack_belief_new(&belief, secret.values, error);
    for (int64_t row = 0; status == BAUTA_OK && row < records->people->rows; row++) {
        uint32_t target = records->target_of[row], value = secret.actual[row];
        if (target != formed) bt_attack_belief_form(&belief, records, &secret, target);
        formed = target;
        if (value == BT_NOT_KNOWN || belief.share[value] <= 0) p->strange[row] = true;
    }
    bt_attack_belief_free(&belief);
    bt_secret_close(&secret);
    return status;
}

static bauta_status mark_strange(people_left *p, const bt_attacker *attacker, bauta_error *error)
{
    const bt_release *other = attacker->other;
    bt_view records = {0};
    p->strange = bt_array_zero((size_t)attacker->other_original->rows, sizeof *p->strange);
    if (!p->strange) return bt_fail_memory(error);
    bauta_status status = bt_view_open(other, attacker->other_original, attacker->other_known,
                                       attacker->run, &records, error);
    for (size_t i = 0; i < other->column_count && status == BAUTA_OK; i++)
        if (bt_secret_exists(&other->columns[i], false))
            status = mark_column(p, &records, &other->columns[i], attacker->run, error);
    bt_view_close(&records);
    return status;
}

static void count_left(people_left *p)
{
    const bt_view *crowd = p->crowd;
    for (int64_t row = 0; row < crowd->people->rows; row++) {
        uint32_t target = crowd->target_of[row];
        if (!is_in_other(p, row)) continue;
        for (size_t i = crowd->first[target]; i < crowd->first[target + 1]; i++)
            p->left[crowd->candidates[i]]++;
    }
}

/* The records are the first people. */
static void try_records(const people_left *p, const bt_attack_job *job, bt_attack_result *result)
{
    const bt_view *view = job->view;
    for (int64_t row = 0; row < view->people->rows; row++) {
        uint32_t target = view->target_of[row];
        int64_t left = 0;
        for (size_t i = view->first[target]; i < view->first[target + 1]; i++)
            left += p->left[view->candidates[i]];
        if (left == 0 || p->strange[row] || !is_in_other(p, row)) continue;
        double probability = 1 / (double)left;
        result->tried++;
        result->hits += probability;
        if (probability > result->worst) result->worst = probability;
        bt_worst_add(&result->hit, probability, row + 1);
    }
}

bauta_status bt_intersect_people(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    people_left p = {.to = attacker->other_row};
    int64_t k = bt_promised_k(&attacker->release->manifest);
    bt_attack_result result = {
        .variant = "people",
        .knows = "everyone of both tables with their quasi values, and that the target is in both "
                 "releases",
        .tries = "to find out which of those in the box it is",
        .chance = attacker->crowd->rows ? 1 / (double)attacker->crowd->rows : 0,
    };
    BT_TRY(bt_attack_crowd(job, &p.crowd, error));
    bauta_status status = bt_view_open(attacker->other, attacker->other_crowd,
                                       attacker->other_known, attacker->run, &p.other, error);
    if (status == BAUTA_OK) {
        p.left = bt_array_zero(p.crowd->groups.count, sizeof *p.left);
        if (!p.left) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) status = mark_strange(&p, attacker, error);
    if (status == BAUTA_OK) {
        count_left(&p);
        try_records(&p, job, &result);
        result.allowed = k > 0 ? 1 / (double)k : BT_NO_RATE;
        result.outcome = bt_attack_judge(result.worst, result.allowed);
        bt_attack_put(job, &result);
    }
    free(p.left);
    free(p.strange);
    bt_view_close(&p.other);
    return status;
}
