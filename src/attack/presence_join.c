/* SPDX-License-Identifier: Apache-2.0
 *
 * Presence in a release with a public table: who of both tables is in the original. Of the N rows
 * of a sensitive group n are records, so whoever has a row is one with probability n/N, and surely
 * where there is no row of anyone else. Each box has a record at least: that of a box with r rows
 * is one of r. Where more people than rows fit a box, some have no row there.
 *
 * Without sensitive.csv the attacker takes the number of all records, which is often known.
 *
 * Cost: linear in people and the boxes they may be in.
 */
#include "attack/presence.h"

#include "attack/promises.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

double bt_presence_share(const bt_view *view, uint32_t group, int64_t people)
{
    const bt_release *release = view->release;
    double records = 0, rows = view->groups.size[group];
    for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
        const bt_candidate *one = &view->group_units[u];
        records += bt_records_hidden(release)
                       ? 0
                       : (double)one->rows * release->bags.values[one->unit] /
                             release->bags.rows[one->unit];
    }
    return fmin(1, fmax(1, records) / fmax(rows, (double)people));
}

typedef struct presence {
    bt_attack_job *job;
    const bt_view *crowd;
    double *share;   /* per group: of whoever is in its cells */
    double anywhere; /* without sensitive.csv: of any row */
    int64_t absent, sure;
    bt_attack_result result;
} presence;

static bauta_status weigh_groups(presence *p, bauta_error *error)
{
    const bt_view *crowd = p->crowd;
    int64_t *people = bt_array_zero(crowd->groups.count, sizeof *people);
    p->share = bt_array(crowd->groups.count, sizeof *p->share);
    bauta_status status = people && p->share ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t t = 0; status == BAUTA_OK && t < crowd->targets.count; t++)
        for (size_t i = crowd->first[t]; i < crowd->first[t + 1]; i++)
            people[crowd->candidates[i]] += crowd->targets.size[t];
    for (uint32_t g = 0; status == BAUTA_OK && g < crowd->groups.count; g++) {
        double rows = crowd->groups.size[g], most = fmax(rows, (double)people[g]);
        p->share[g] = fmax(bt_presence_share(crowd, g, people[g]), p->anywhere * rows / most);
    }
    free(people);
    return status;
}

/* Where boxes overlap, what the surest of them says. */
static double sureness(const presence *p, const bt_view *view, uint32_t target)
{
    double best = 0;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++)
        best = fmax(best, p->share[view->candidates[i]]);
    return best;
}

static void try_records(presence *p)
{
    const bt_view *view = p->job->view;
    for (uint32_t t = 0; t < view->targets.count; t++) {
        double sure = sureness(p, view, t);
        if (sure == 0) continue;
        p->result.tried += view->targets.size[t];
        p->result.hits += sure * view->targets.size[t];
        if (sure > p->result.worst) p->result.worst = sure;
        bt_worst_add(&p->result.hit, sure, (int64_t)view->targets.row[t] + 1);
    }
    for (uint32_t t = 0; t < p->crowd->targets.count; t++) {
        double sure = sureness(p, p->crowd, t);
        if (sure == 0) p->absent += p->crowd->targets.size[t];
        if (sure >= 1) p->sure += p->crowd->targets.size[t];
        if (sure > p->result.worst) p->result.worst = sure;
    }
}

bauta_status bt_presence_joined(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker;
    const bt_release *release = attacker->release;
    double records = (double)attacker->original->rows, people = (double)attacker->crowd->rows;
    presence p = {.job = job,
                  .result = {.knows = "everyone of both tables with their quasi values",
                             .tries = "to find out who of them is in the table",
                             .chance = people > 0 ? records / people : 0}};
    if (bt_records_hidden(release) && release->rows > 0)
        p.anywhere = fmin(1, records / (double)release->rows);
    BT_TRY(bt_attack_crowd(job, &p.crowd, error));
    const bt_requirement_instance *promise = bt_requirements_public(&release->manifest.promises);
    p.result.allowed =
        promise ? bt_rational_double(promise->type->most_records(promise)) : BT_NO_RATE;
    bauta_status status = weigh_groups(&p, error);
    if (status == BAUTA_OK) {
        try_records(&p);
        snprintf(p.result.detail, sizeof p.result.detail,
                 "of %lld people of both tables %lld are surely absent, %lld surely present",
                 (long long)attacker->crowd->rows, (long long)p.absent, (long long)p.sure);
        p.result.outcome = bt_attack_judge(p.result.worst, p.result.allowed);
        bt_attack_put(job, &p.result);
    }
    double *prior = NULL;
    bool all = !attacker->known; /* columns */
    /* Where presence is promised, sensitive groups are made of people of both tables. */
    bool tight = bt_is_refined(&release->manifest) && p.result.allowed < 0;
    if (status == BAUTA_OK && all && tight) status = bt_presence_edges(job, p.crowd, &prior, error);
    if (status == BAUTA_OK && all) status = bt_presence_trimmed(job, p.crowd, prior, error);
    free(prior);
    free(p.share);
    return status;
}
