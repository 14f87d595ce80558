/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality on the form `distribution`: an optimal choice of parts can be read backwards, since
 * other values would have been published otherwise (replay.h).
 *
 *   values   what is then believed of each record, against what the requirements allow
 *   alike    that all values under a part lie under one of its children
 *
 * A claim goes beyond the promise when its probability is above what is allowed, or fewer values
 * are left than are required; the promise is broken when such claims are true more often than it
 * allows. Where values are alike, whoever knows one of them knows more about all; the target says
 * what is believed of each record, not of several together: nothing is promised about that.
 *
 * In at most GROUPS groups that are spread over the release.
 */
#include "attack/members.h"
#include "attack/parts_attacks.h"
#include "attack/rate.h"
#include "attack/replay.h"

#include <math.h>
#include <stdio.h>

enum { GROUPS = 4000, WORK = 1 << 28 };

typedef struct reading {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_members members;
    bt_replay replay;
    uint32_t *counts; /* per value: records of the group at hand; all 0 between groups */
    uint32_t groups;  /* groups that could be read */
    int64_t claims, true_claims, ruled_out, plain, undivided;
    double allowed_claims, alike_chance;
    bt_attack_result values, alike;
} reading;

/* ---- values ------------------------------------------------------------------------------ */

static uint32_t likeliest(const reading *m)
{
    uint32_t top = 0;
    for (uint32_t v = 1; v < m->secret->values; v++)
        if (m->replay.share[v] > m->replay.share[top] + 1e-12) top = v;
    return top;
}

/* The likeliest value by the target alone. */
static uint32_t likeliest_before(const reading *m, uint32_t unit)
{
    const bt_spread *spread = m->secret->spread;
    uint32_t of = spread->belief_of[unit];
    size_t top = spread->first[of];
    for (size_t i = top + 1; i < spread->first[of + 1]; i++)
        if (spread->share[i] > spread->share[top] + 1e-12) top = i;
    return spread->value[top];
}

typedef struct values_left { /* values that are left of those that the target has */
    uint32_t before, count;
    double share;    /* share that the target gives to the values left */
    int64_t records; /* records of the group that have one of the values left */
} values_left;

static values_left count_values(const reading *m, uint32_t unit)
{
    const bt_spread *spread = m->secret->spread;
    uint32_t of = spread->belief_of[unit];
    values_left left = {.before = (uint32_t)(spread->first[of + 1] - spread->first[of])};
    for (size_t i = spread->first[of]; i < spread->first[of + 1]; i++) {
        uint32_t value = spread->value[i];
        if (m->replay.share[value] <= 0) continue;
        left.count++;
        left.share += spread->share[i];
        left.records += m->counts[value];
    }
    return left;
}

static void claim(reading *m, int64_t claims, int64_t right, double allowed)
{
    m->claims += claims;
    m->true_claims += right;
    m->allowed_claims += (double)claims * allowed;
}

static void guess_values(reading *m, uint32_t unit, const uint32_t *rows, uint32_t size)
{
    uint32_t top = likeliest(m), plain = likeliest_before(m, unit);
    double share = m->replay.share[top];
    double allowed = fmin(m->bounds.share[top], bt_bounds_distinct(&m->bounds, m->job->view, 0));
    values_left left = count_values(m, unit);
    if (m->bounds.any && allowed > m->values.allowed) m->values.allowed = allowed;
    if (share > m->values.worst) m->values.worst = share;
    if (left.count < left.before) m->ruled_out += size;
    m->values.tried += size;
    m->values.hits += m->counts[top];
    m->plain += m->counts[plain];
    for (uint32_t i = 0; i < size; i++)
        bt_worst_add(&m->values.hit, share, (int64_t)rows[i] + 1);
    if (m->bounds.any && left.count <= m->bounds.distinct)
        claim(m, size, left.records, left.share); /* that it is one of those */
    else if (m->bounds.any && share > allowed + 1e-12)
        claim(m, size, m->counts[top], allowed);
}

/* ---- alike ------------------------------------------------------------------------------- */

/* Whether all values of the group under a node lie under one of its children. */
static bool are_alike(const reading *m, uint32_t node)
{
    const bt_target *target = m->replay.target;
    const bt_target_node *part = &target->nodes[node];
    uint32_t with = 0;
    for (uint32_t i = 0; i < part->children; i++) {
        const bt_target_node *child = &target->nodes[part->first + i];
        uint64_t under = 0;
        for (uint32_t code = child->low; code <= child->high; code++)
            under += m->counts[code];
        with += under > 0;
    }
    return with == 1;
}

/* How likely that is by the target alone. */
static double alike_before(const reading *m, const bt_part *part)
{
    const bt_target *target = m->replay.target;
    const bt_target_node *node = &target->nodes[part->node];
    double sum = 0;
    for (uint32_t i = 0; i < node->children; i++)
        sum += pow((double)target->nodes[node->first + i].weight / (double)node->sum, part->copies);
    return sum;
}

static void claim_alike(reading *m, uint32_t first_row)
{
    const bt_replay *replay = &m->replay;
    for (size_t i = 0; i < replay->part_count; i++) {
        if (replay->alike[i] < 0) continue;
        m->undivided++;
        if (replay->alike[i] <= 0.5) continue; /* it is likelier that they are not */
        m->alike.tried++;
        m->alike.hits += are_alike(m, replay->parts[i].node);
        m->alike_chance += alike_before(m, &replay->parts[i]);
        if (replay->alike[i] > m->alike.worst) m->alike.worst = replay->alike[i];
        bt_worst_add(&m->alike.hit, replay->alike[i], (int64_t)first_row + 1);
    }
}

/* ------------------------------------------------------------------------------------------ */

static bauta_status read_group(reading *m, uint32_t unit, bauta_error *error)
{
    const uint32_t *rows = m->members.row + m->members.first[unit];
    uint32_t size = m->job->view->unit_size[unit];
    bool done;
    for (uint32_t i = 0; i < size; i++)
        if (m->secret->actual[rows[i]] == BT_NOT_KNOWN) return BAUTA_OK;
    BT_TRY(bt_replay_group(&m->replay, unit, &done, error));
    if (!done) return BAUTA_OK;
    for (uint32_t i = 0; i < size; i++)
        m->counts[m->secret->actual[rows[i]]]++;
    m->groups++;
    guess_values(m, unit, rows, size);
    claim_alike(m, rows[0]);
    for (uint32_t i = 0; i < size; i++)
        m->counts[m->secret->actual[rows[i]]] = 0;
    return BAUTA_OK;
}

static bool is_fit(const reading *m, uint32_t unit)
{
    return m->members.settled[unit] &&
           m->secret->spread->release->bags.values[unit] <= BT_REPLAY_MOST;
}

static bauta_status read_groups(reading *m, bauta_error *error)
{
    const bt_view *view = m->job->view;
    uint32_t fit = 0, number = 0;
    for (uint32_t unit = 0; unit < view->units; unit++)
        fit += is_fit(m, unit);
    uint32_t step = fit > GROUPS ? fit / GROUPS : 1;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        if (!is_fit(m, unit) || number++ % step != 0) continue;
        BT_TRY(bt_attack_step(m->job, unit, view->units, error));
        BT_TRY(read_group(m, unit, error));
    }
    return BAUTA_OK;
}

static void tell(reading *m)
{
    bt_attack_result *values = &m->values, *alike = &m->alike;
    const bt_claims claims = {m->claims, m->true_claims, m->allowed_claims};
    values->chance = values->tried ? (double)m->plain / (double)values->tried : BT_NO_RATE;
    values->outcome = m->bounds.any ? BT_WITHIN : BT_NOT_PROMISED;
    if (m->bounds.any && values->tried > 0) bt_attribute_judge(&claims, values);
    size_t length = strlen(values->detail);
    snprintf(values->detail + length, sizeof values->detail - length,
             "%svalues of the target ruled out for %lld; %u of %u groups tell something",
             length ? "; " : "", (long long)m->ruled_out, m->groups, m->job->view->units);
    bt_attack_put(m->job, values);
    alike->chance = alike->tried ? m->alike_chance / (double)alike->tried : BT_NO_RATE;
    snprintf(alike->detail, sizeof alike->detail,
             "claimed of %lld of %lld parts that stand for several records",
             (long long)alike->tried, (long long)m->undivided);
    bt_attack_put(m->job, alike);
}

const char *bt_minimality_parts_excuse(const bt_attacker *attacker)
{
    bt_replay_rule rule;
    bool known = bt_replay_rule_read(attacker->release->manifest.form, &rule);
    return known ? NULL : "the manifest does not say how parts are chosen";
}

bauta_status bt_minimality_parts(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                                 bauta_error *error)
{
    const char *name = secret->column->manifest->name;
    const char *knows = "everyone's quasi values, and how parts are chosen";
    reading m = {
        .job = job,
        .secret = secret,
        .counts = bt_array_zero(secret->values, sizeof *m.counts),
        .values = {.variant = "values",
                   .column = name,
                   .knows = knows,
                   .tries = "to conclude values from a part not being finer",
                   .allowed = BT_NO_RATE},
        .alike = {.variant = "alike",
                  .column = name,
                  .knows = knows,
                  .tries = "to conclude that the values under a part are alike",
                  .allowed = BT_NO_RATE},
    };
    bt_replay_rule rule;
    bauta_status status = m.counts ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_promises_bound(promises, secret, &m.bounds, error);
    if (status == BAUTA_OK) status = bt_members_find(job->view, &m.members, error);
    if (status == BAUTA_OK && bt_replay_rule_read(job->attacker->release->manifest.form, &rule)) {
        status = bt_replay_open(secret->spread, &rule, &m.replay, error);
        m.replay.limit = WORK;
        if (status == BAUTA_OK) status = read_groups(&m, error);
        if (status == BAUTA_OK) tell(&m);
    }
    bt_replay_close(&m.replay);
    bt_members_release(&m.members);
    free(m.counts);
    return status;
}
