/* SPDX-License-Identifier: Apache-2.0
 *
 * Intersection: the target is in two releases of overlapping tables (Ganta, Kasiviswanathan and
 * Smith 2008). Rows of the one whose sensitive values no row of the other may have drop out.
 *
 *   identity   one of the rows that are left
 *   values     the likeliest value given both; a promise is broken when it is certain, or when
 *              what is claimed beyond the promise is true more often than it allows
 *   people     with a public table: one of the people who may be in both (intersection_join.c)
 *
 * Where several sensitive columns are in both releases each is tried by itself.
 * Cost: linear in rows, and in the values of both classes for each kind of people.
 */
#include "attack/intersection.h"
#include "attack/attribute.h"
#include "attack/rate.h"
#include "attack/redrawn_attacks.h"
#include "recipe/names.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct verdict { /* on a target of both */
    double rows;         /* of the first release that are left */
    double sum;          /* of likelihoods */
    uint32_t distinct;   /* values that are left */
    uint32_t guess;
} verdict;

typedef struct intersection {
    bt_attack_job *job;
    bt_view other; /* of the same people */
    bt_secret here, there;
    uint32_t *code_there; /* code here -> code there; BT_NOT_KNOWN: it does not occur there */
    bt_attack_belief first, second;
    bt_secret_bounds bounds;
    bt_redrawn_pair *pair; /* of a randomized release; else NULL */
    bt_tuples kinds;       /* people alike in both, and in what is sought */
    uint32_t mode;         /* the most frequent value here */
    int64_t common;        /* people tried who have the value `mode` */
    int64_t certain, claims, true_claims;
    double allowed_claims; /* claims that may be true */
    verdict last;     /* distributions: the last verdict, as beliefs are often the same again */
    uint32_t left_of; /* distributions: the unit whose parts were counted last */
    double left;      /* parts of the unit `left_of` that hold possible values */
    bt_attack_result identity, values;
} intersection;

/* Parts of the domain also hold values that nobody has: those are told by their texts. */
static bauta_status match_texts(intersection *x, bauta_error *error)
{
    bt_names names = {0};
    bool added;
    bauta_status status = BAUTA_OK;
    for (uint32_t v = 0; v < x->there.values && status == BAUTA_OK; v++)
        status = bt_names_add(&names, 0, x->there.text[v], v, &added, error);
    for (uint32_t v = 0; v < x->here.values && status == BAUTA_OK; v++)
        if (x->code_there[v] == BT_NOT_KNOWN)
            (void)bt_names_find(&names, 0, x->here.text[v], &x->code_there[v]);
    bt_names_release(&names);
    return status;
}

/* The codes of the other release for the values of this one: both are ordered by text. */
static bauta_status match_values(intersection *x, bauta_error *error)
{
    const bt_table *people = x->job->view->people;
    x->code_there = bt_array(x->here.values, sizeof *x->code_there);
    if (!x->code_there) return bt_fail_memory(error);
    for (uint32_t v = 0; v < x->here.values; v++)
        x->code_there[v] = BT_NOT_KNOWN;
    for (int64_t row = 0; row < people->rows; row++)
        if (x->here.actual[row] != BT_NOT_KNOWN)
            x->code_there[x->here.actual[row]] = x->there.actual[row];
    return x->here.spread ? match_texts(x, error) : BAUTA_OK;
}

/* What the other release adds; nothing is known of values that nobody of the table has. */
static double likely_there(const void *user, uint32_t value)
{
    const intersection *x = user;
    uint32_t there = x->code_there[value];
    double prior = bt_secret_prior(&x->here, value);
    return there == BT_NOT_KNOWN || prior <= 0 ? 0 : x->second.share[there] / prior;
}

/* How likely a value is given both releases, but for a common factor: what each says on its own,
 * where what both know anyway counts once. */
static double likelihood(const intersection *x, uint32_t value)
{
    return x->first.share[value] * likely_there(x, value);
}

static verdict weigh_values(const intersection *x)
{
    verdict v = {.guess = BT_NOT_KNOWN};
    double best = 0;
    for (uint32_t i = 0; i < x->first.count; i++) {
        uint32_t value = x->first.seen[i];
        double likely = likelihood(x, value);
        if (likely <= 0) continue;
        v.distinct++;
        v.sum += likely;
        v.rows += x->first.share[value] * (double)x->first.rows;
        if (likely > best + 1e-12 || (likely > best - 1e-12 && value < v.guess)) {
            best = likely;
            v.guess = value;
        }
    }
    return v;
}

static void judge_values(intersection *x, const verdict *v, uint32_t kind)
{
    int64_t row = x->kinds.row[kind], people = x->kinds.size[kind];
    uint32_t target = x->job->view->target_of[row];
    bool right = v->guess == x->here.actual[row];
    double share = likelihood(x, v->guess) / v->sum;
    double allowed =
        fmin(x->bounds.share[v->guess], bt_bounds_distinct(&x->bounds, x->job->view, target));
    x->values.tried += people;
    x->values.hits += right ? (double)people : 0;
    x->common += x->here.actual[row] == x->mode ? people : 0;
    if (share > x->values.worst) x->values.worst = share;
    bt_worst_add(&x->values.hit, share, row + 1);
    if (v->distinct == 1) x->certain += people;
    if (!x->bounds.any) return;
    if (allowed > x->values.allowed) x->values.allowed = allowed;
    if (v->distinct == 1 && allowed < 1) x->values.outcome = BT_BROKEN;
    if (share <= allowed + 1e-12) return;
    x->claims += people;
    x->true_claims += right ? people : 0;
    x->allowed_claims += (double)people * allowed;
}

/* distribution: parts of a unit that hold a value which the other release leaves possible. */
static double parts_left(intersection *x, uint32_t unit)
{
    if (x->left_of == unit) return x->left;
    const bt_target *target = bt_spread_target(x->here.spread, unit);
    double left = 0;
    size_t count;
    const bt_part *parts = bt_grouped_parts(&x->here.spread->groups, unit, &count);
    for (size_t i = 0; i < count; i++) {
        const bt_target_node *node = &target->nodes[parts[i].node];
        uint32_t code = node->low;
        while (code <= node->high && likelihood(x, code) <= 0)
            code++;
        if (code <= node->high) left += parts[i].copies;
    }
    x->left_of = unit;
    x->left = left;
    return left;
}

/* Rows of a unit whose values the other release leaves possible. */
static double rows_left(const intersection *x, uint32_t unit)
{
    double left = 0;
    for (size_t i = x->here.first[unit]; i < x->here.first[unit + 1]; i++)
        if (likelihood(x, x->here.value[i]) > 0) left += x->here.count[i];
    return left;
}

/* two-tables: the class that the target is in most likely, and one of its rows that are left. */
static double link_value(intersection *x, uint32_t target)
{
    const bt_view *view = x->job->view;
    double best = 0;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            double left = x->here.spread ? parts_left(x, one->unit) : rows_left(x, one->unit);
            if (left > 0) best = fmax(best, one->rows / (double)x->first.rows / left);
        }
    }
    return best;
}

static void weigh_kind(intersection *x, uint32_t kind)
{
    const bt_view *view = x->job->view;
    int64_t row = x->kinds.row[kind], people = x->kinds.size[kind];
    if (x->here.actual[row] == BT_NOT_KNOWN) return;
    bt_attack_belief_form(&x->first, view, &x->here, view->target_of[row]);
    bt_attack_belief_form(&x->second, &x->other, &x->there, x->other.target_of[row]);
    if (!x->first.same || !x->second.same) {
        x->last.sum = 0;
        x->left_of = BT_NOT_KNOWN;
    }
    if (likelihood(x, x->here.actual[row]) <= 0) return; /* not in both */
    if (x->last.sum <= 0) x->last = weigh_values(x);
    verdict v = x->last;
    judge_values(x, &v, kind);
    double link = x->pair ? bt_redrawn_pair_link(x->pair, row, likely_there, x)
                  : bt_sensitive_apart(view->release) ? link_value(x, view->target_of[row])
                                                      : 1 / v.rows;
    x->identity.tried += people;
    x->identity.hits += (double)people * link;
    if (link > x->identity.worst) x->identity.worst = link;
    bt_worst_add(&x->identity.hit, link, row + 1);
}

static bauta_status group_people(intersection *x, bauta_error *error)
{
    const bt_view *view = x->job->view, *other = &x->other;
    uint32_t values = x->here.values;
    uint32_t *actual = bt_array((size_t)view->people->rows, sizeof *actual);
    if (!actual) return bt_fail_memory(error);
    for (int64_t row = 0; row < view->people->rows; row++)
        actual[row] = x->here.actual[row] == BT_NOT_KNOWN ? values : x->here.actual[row];
    const bt_codes codes[] = {{view->target_of, 4, view->targets.count},
                              {other->target_of, 4, other->targets.count},
                              {actual, 4, values + 1}};
    bauta_status status =
        bt_tuples_group(codes, 3, view->people->rows, x->job->attacker->run, &x->kinds, error);
    free(actual);
    return status;
}

static void tell(intersection *x, int64_t k)
{
    bool told = !bt_is_refined(&x->job->attacker->release->manifest);
    x->identity.allowed = k > 0 && told ? 1 / (double)k : BT_NO_RATE;
    if (bt_sensitive_apart(x->job->attacker->release))
        x->identity.tries = "to find the target's row of sensitive.csv";
    x->identity.outcome = bt_attack_judge(x->identity.worst, x->identity.allowed);
    bt_attack_put(x->job, &x->identity);
    const bt_claims claims = {x->claims, x->true_claims, x->allowed_claims};
    int64_t tried = x->values.tried;
    x->values.chance = tried > 0 ? (double)x->common / (double)tried : BT_NO_RATE;
    if (tried > 0)
        snprintf(x->values.detail, sizeof x->values.detail, "certain for %lld of %lld",
                 (long long)x->certain, (long long)tried);
    if (x->bounds.any && tried > 0) bt_attribute_judge(&claims, &x->values);
    bt_attack_put(x->job, &x->values);
}

static bauta_status try_column(intersection *x, const bt_release_column *there,
                               bt_promises *promises, bauta_error *error)
{
    const bt_view *view = x->job->view;
    bt_attack_belief *beliefs[] = {&x->first, &x->second};
    BT_TRY(bt_secret_open(&x->other, there, false, x->job->attacker->run, &x->there, error));
    BT_TRY(match_values(x, error));
    BT_TRY(bt_promises_bound(promises, &x->here, &x->bounds, error));
    BT_TRY(bt_attack_belief_new(beliefs[0], x->here.values, error));
    BT_TRY(bt_attack_belief_new(beliefs[1], x->there.values, error));
    BT_TRY(group_people(x, error));
    if (view->redrawn) BT_TRY(bt_redrawn_pair_open(x->job, &x->here, &x->pair, error));
    if (x->bounds.any) x->values.outcome = BT_WITHIN;
    x->mode = bt_secret_mode(&x->here);
    for (uint32_t kind = 0; kind < x->kinds.count; kind++) {
        BT_TRY(bt_attack_step(x->job, kind, x->kinds.count, error));
        weigh_kind(x, kind);
    }
    tell(x, promises->k);
    return x->pair ? bt_redrawn_pair_restore(x->pair, x->job, error) : BAUTA_OK;
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    const char *name = secret->column->manifest->name;
    const char *knows = "quasi values of the target, and that the target is in both tables";
    const bt_release_column *there = bt_secret_there(job->attacker->other, name);
    intersection x = {.job = job,
                      .here = *secret,
                      .identity = {.variant = "identity",
                                   .column = name,
                                   .knows = knows,
                                   .tries = "to find the target's row",
                                   .chance = BT_NO_RATE},
                      .values = {.variant = "values",
                                 .column = name,
                                 .knows = knows,
                                 .tries = "to guess the target's value",
                                 .allowed = BT_NO_RATE}};
    if (!there) return BAUTA_OK;
    bauta_status status =
        bt_view_open(job->attacker->other, job->attacker->other_original,
                     job->attacker->other_known, job->attacker->run, &x.other, error);
    if (status == BAUTA_OK) status = try_column(&x, there, promises, error);
    bt_secret_close(&x.there);
    bt_view_close(&x.other);
    bt_attack_belief_free(&x.first);
    bt_attack_belief_free(&x.second);
    bt_tuples_release(&x.kinds);
    free(x.code_there);
    bt_redrawn_pair_free(x.pair);
    return status;
}

static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    const bt_attacker *attacker = job->attacker; /* of randomized nobody is ever out of question */
    if (attacker->other_crowd && !attacker->other->form->redrawn)
        BT_TRY(bt_intersect_people(job, error));
    return bt_attribute_each(job, false, try_secret, error);
}

static bool has_common_column(const bt_attacker *attacker)
{
    for (size_t i = 0; i < attacker->release->column_count; i++) {
        const bt_release_column *here = &attacker->release->columns[i];
        if (bt_secret_exists(here, false) && bt_secret_there(attacker->other, here->manifest->name))
            return true;
    }
    return false;
}

static bool knows_column_there(const bt_attacker *attacker)
{
    const bt_release *other = attacker->other;
    for (size_t i = 0; i < other->column_count; i++)
        if (other->columns[i].manifest->role == BT_ROLE_QUASI &&
            (!attacker->other_known || attacker->other_known[i]))
            return true;
    return false;
}

static const char *excuse(const bt_attacker *attacker)
{
    if (!attacker->other) return "it needs another release of an overlapping table";
    if (!knows_column_there(attacker)) return "no known column is a quasi column of both releases";
    if (attacker->other_crowd && !attacker->other->form->redrawn) return NULL;
    if (has_common_column(attacker)) return NULL;
    const char *none = bt_attribute_excuse(attacker);
    return none ? none : "no sensitive column is shown by both releases";
}

const bt_attack bt_attack_intersection = {
    .name = "intersection",
    .summary = "what two releases of overlapping tables say together",
    .paper = "Ganta, Kasiviswanathan and Smith 2008",
    .excuse = excuse,
    .run = run,
};
