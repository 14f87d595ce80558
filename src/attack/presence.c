/* SPDX-License-Identifier: Apache-2.0
 *
 * Presence: who of a public table is in the release (Nergiz, Atzori and Clifton 2007). Of the
 * people whose values a group's cells contain as many are in the table as the group has rows; so
 * each is with that probability, and whom no cell contains is surely absent. Cells that are no
 * wider than needed say more: whoever alone can stand on a face of one is surely present
 * (presence_faces.c).
 *
 * What is tried are the records of the original: how sure someone who has the public table is that
 * each of them is in it. Nothing is promised about that; in two-tables everyone can be seen.
 */
#include "attack/presence.h"
#include "attack/redrawn_attacks.h"

#include <stdio.h>

static const char *excuse(const bt_attacker *attacker)
{
    return attacker->crowd ? NULL : "it needs a public table";
}

typedef struct crowd_counts {
    int64_t *people; /* per group of the release: people of the public table */
    int64_t absent;  /* people whom no group contains */
    bool *alone;     /* per target of the public table: alone on a face of a cell */
    bool *found;     /* per target of the original: alone on a face of a cell */
    int64_t sure;    /* people in groups that have rows for all of them */
    int64_t faces;   /* people not among `sure` who are alone on a face */
} crowd_counts;

static void count_people(const bt_view *crowd, crowd_counts *counts)
{
    for (uint32_t t = 0; t < crowd->targets.count; t++) {
        if (crowd->first[t] == crowd->first[t + 1]) counts->absent += crowd->targets.size[t];
        for (size_t i = crowd->first[t]; i < crowd->first[t + 1]; i++)
            counts->people[crowd->candidates[i]] += crowd->targets.size[t];
    }
}

/* How sure one can be that a person of the target's values is in the table: where groups overlap,
 * what the surest of them says. */
static double sureness(const bt_view *view, const crowd_counts *counts, uint32_t target)
{
    double best = 0;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        int64_t people = counts->people[group], rows = view->groups.size[group];
        double share = people > rows ? (double)rows / (double)people : 1;
        if (share > best) best = share;
    }
    return best;
}

static void tell(bt_attack_job *job, const bt_view *crowd, crowd_counts *counts)
{
    const bt_view *view = job->view;
    int64_t rows = job->attacker->release->rows, people = job->attacker->crowd->rows;
    bool overlap = false;
    bt_attack_result result = {
        .knows = "a public table of people with their quasi values",
        .tries = "to find out who of them is in the table",
        .chance = people > rows ? (double)rows / (double)people : 1,
        .allowed = BT_NO_RATE,
    };
    for (uint32_t t = 0; t < view->targets.count; t++) {
        double sure = counts->found[t] ? 1 : sureness(view, counts, t);
        if (sure == 0) continue;
        result.tried += view->targets.size[t];
        result.hits += sure * view->targets.size[t];
        overlap = overlap || view->first[t + 1] - view->first[t] > 1;
        if (sure > result.worst) result.worst = sure;
        bt_worst_add(&result.hit, sure, (int64_t)view->targets.row[t] + 1);
    }
    for (uint32_t t = 0; t < crowd->targets.count; t++) {
        bool all = sureness(crowd, counts, t) >= 1;
        if (all) counts->sure += crowd->targets.size[t];
        if (!all && counts->alone[t]) counts->faces++;
    }
    snprintf(result.detail, sizeof result.detail,
             "of %lld people of the public table %lld are surely absent, %lld surely present, %lld "
             "of them alone at an edge of a cell%s",
             (long long)people, (long long)counts->absent,
             (long long)counts->sure + (long long)counts->faces, (long long)counts->faces,
             overlap ? "; boxes overlap: one is at least so sure" : "");
    bt_attack_put(job, &result);
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    const bt_view *crowd = NULL;
    crowd_counts counts = {0};
    if (job->view->redrawn) return bt_redrawn_presence(job, error);
    if (attacker->joined) return bt_presence_joined(job, error);
    bauta_status status = bt_attack_crowd(job, &crowd, error);
    if (status == BAUTA_OK) {
        counts.people = bt_array_zero(crowd->groups.count, sizeof *counts.people);
        counts.alone = bt_array_zero(crowd->targets.count, sizeof *counts.alone);
        counts.found = bt_array_zero(job->view->targets.count, sizeof *counts.found);
        if (!counts.people || !counts.alone || !counts.found) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK)
        status = bt_presence_faces(crowd, job->view, counts.alone, counts.found, error);
    if (status == BAUTA_OK) {
        count_people(crowd, &counts);
        tell(job, crowd, &counts);
    }
    free(counts.people);
    free(counts.alone);
    free(counts.found);
    return status;
}

const bt_attack bt_attack_presence = {
    .name = "presence",
    .summary = "who of a public table is in the release",
    .paper = "Nergiz, Atzori and Clifton 2007",
    .excuse = excuse,
    .run = run,
};
