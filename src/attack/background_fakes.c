/* SPDX-License-Identifier: Apache-2.0
 *
 * Made-up values recognised, of the form `distribution`: which rows of sensitive.csv stand for
 * nobody? Whoever knows everyone's quasi values knows how many a group has, but not which; whoever
 * also knows how they are chosen reads the parts backwards (replay.h) and names those that are
 * likeliest. A part is surely made up when fewer values of the group lie under it than it has
 * copies. Nothing is promised about it by itself.
 */
#include "attack/members.h"
#include "attack/parts_attacks.h"
#include "attack/replay.h"

#include <math.h>
#include <stdio.h>

enum { GROUPS = 4000, WORK = 1 << 27 };

typedef struct naming {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_members members;
    bt_replay replay;
    uint32_t *counts; /* per value: records of the group at hand; all 0 between groups */
    double *surplus;  /* per part: copies that are surely made up, in truth */
    bool *named;      /* per part */
    uint32_t groups;
    double chance;
    bt_attack_result result;
} naming;

/* The part that is not yet named whose copies are likeliest made up. */
static size_t find_likeliest(const naming *n)
{
    const bt_replay *r = &n->replay;
    size_t best = SIZE_MAX;
    double most = -1;
    for (size_t i = 0; i < r->part_count; i++) {
        double share = r->made_up[i] / r->parts[i].copies;
        if (n->named[i] || share <= most + 1e-12) continue;
        most = share;
        best = i;
    }
    return best;
}

/* Names as many rows as the group has made-up values. */
static void name_rows(naming *n, uint32_t first_row)
{
    const bt_replay *r = &n->replay;
    double left = r->total - r->records, sure = 0;
    bt_replay_surplus(r, n->counts, n->surplus);
    for (size_t i = 0; i < r->part_count; i++) {
        n->named[i] = false;
        sure += n->surplus[i];
    }
    n->groups++;
    n->result.tried += r->total - r->records;
    n->chance += left * sure / r->total;
    for (size_t i = find_likeliest(n); left > 0 && i != SIZE_MAX; i = find_likeliest(n)) {
        double copies = r->parts[i].copies, taken = fmin(left, copies);
        double probability = fmin(1, r->made_up[i] / copies);
        n->named[i] = true;
        n->result.hits += n->surplus[i] * taken / copies;
        if (probability > n->result.worst) n->result.worst = probability;
        bt_worst_add(&n->result.hit, probability, (int64_t)first_row + 1);
        left -= taken;
    }
}

static bauta_status try_group(naming *n, uint32_t unit, bauta_error *error)
{
    const uint32_t *rows = n->members.row + n->members.first[unit];
    uint32_t size = n->job->view->unit_size[unit];
    bool done;
    BT_TRY(bt_replay_group(&n->replay, unit, &done, error));
    if (!done) return BAUTA_OK;
    for (uint32_t i = 0; i < size; i++)
        if (n->secret->actual[rows[i]] != BT_NOT_KNOWN) n->counts[n->secret->actual[rows[i]]]++;
    name_rows(n, rows[0]);
    for (uint32_t i = 0; i < size; i++)
        if (n->secret->actual[rows[i]] != BT_NOT_KNOWN) n->counts[n->secret->actual[rows[i]]] = 0;
    return BAUTA_OK;
}

static bool is_fit(const naming *n, uint32_t unit)
{
    const bt_bags *bags = &n->secret->spread->release->bags;
    return n->members.settled[unit] && bags->values[unit] > bags->rows[unit] &&
           bags->values[unit] <= BT_REPLAY_MOST;
}

static bauta_status try_groups(naming *n, bauta_error *error)
{
    const bt_view *view = n->job->view;
    uint32_t fit = 0, number = 0;
    for (uint32_t unit = 0; unit < view->units; unit++)
        fit += is_fit(n, unit);
    uint32_t step = fit > GROUPS ? fit / GROUPS : 1;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        if (!is_fit(n, unit) || number++ % step != 0) continue;
        BT_TRY(bt_attack_step(n->job, unit, view->units, error));
        BT_TRY(try_group(n, unit, error));
    }
    n->result.chance = n->result.tried ? n->chance / (double)n->result.tried : BT_NO_RATE;
    snprintf(n->result.detail, sizeof n->result.detail,
             "rows that surely stand for nobody, in %u of %u groups that have any and are known",
             n->groups, fit);
    bt_attack_put(n->job, &n->result);
    return BAUTA_OK;
}

bauta_status bt_background_fakes(bt_attack_job *job, const bt_secret *secret, bauta_error *error)
{
    size_t nodes = secret->spread->tree->count;
    naming n = {.job = job,
                .secret = secret,
                .counts = bt_array_zero(secret->values, sizeof *n.counts),
                .surplus = bt_array_zero(nodes, sizeof *n.surplus),
                .named = bt_array_zero(nodes, sizeof *n.named),
                .result = {.variant = "fakes",
                           .column = secret->column->manifest->name,
                           .knows = "everyone's quasi values, and how parts are chosen",
                           .tries = "to find the rows of sensitive.csv that are made up",
                           .allowed = BT_NO_RATE}};
    bt_replay_rule rule;
    bauta_status status = n.counts && n.surplus && n.named ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK &&
        bt_sensitive_rows(job->attacker->release) > job->attacker->release->rows &&
        bt_replay_rule_read(job->attacker->release->manifest.form, &rule)) {
        status = bt_members_find(job->view, &n.members, error);
        if (status == BAUTA_OK) status = bt_replay_open(secret->spread, &rule, &n.replay, error);
        n.replay.limit = WORK;
        if (status == BAUTA_OK) status = try_groups(&n, error);
    }
    bt_replay_close(&n.replay);
    bt_members_release(&n.members);
    free(n.counts);
    free(n.surplus);
    free(n.named);
    return status;
}
