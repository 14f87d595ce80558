/* SPDX-License-Identifier: Apache-2.0
 *
 * Downcoding: undoing generalization (Cohen 2022). A release that generalizes no more than needed
 * says more than its cells do:
 *
 *   [lo,hi], the tight range of a class     someone has exactly lo, someone else exactly hi
 *   {a|b|c}, the values of a class          someone has each of them
 *   a node, the lowest that covers a class  someone is under each of two of its children
 *
 * The attacker makes one row of each: a table that is finer than the release. In every class the
 * column is taken that refines most rows; of the children those that most people are under.
 * Success is the share of all rows that were refined rightly; chance, what the same claims would
 * come to in cells that say nothing of their ends. k says nothing about it.
 *
 * Cost: linear in rows, and in the classes times columns.
 */
#include "attack/attack.h"
#include "attack/members.h"

#include <math.h>
#include <stdio.h>

enum { CLAIMS_MOST = 64 }; /* per class and column */

typedef struct claim { /* someone of the class has one of these codes */
    uint32_t from, to;
    double chance;
} claim;

typedef struct downcoding {
    bt_attack_job *job;
    bt_members members;
    int64_t **below; /* per known column and position: people before it */
    int64_t classes, claims, right;
    bt_attack_result result;
    double chance;
} downcoding;

/* ---- claims of a cell -------------------------------------------------------------------- */

static int64_t people_in(const downcoding *d, size_t column, uint32_t from, uint32_t to)
{
    return d->below[column][to] - d->below[column][from];
}

/* How likely it is that one of `size` random people out of those in a cell is where it is claimed.
 */
static double chance_of(const downcoding *d, size_t column, const claim *one, const bt_side *side,
                        uint32_t size)
{
    int64_t all = people_in(d, column, side->from, side->to);
    int64_t in = people_in(d, column, one->from, one->to);
    return all ? 1 - pow(1 - (double)in / (double)all, size) : 0;
}

static size_t claim_ends(const bt_side *side, claim *out)
{
    if (side->members) {
        size_t count = 0;
        for (; count < side->count && count < CLAIMS_MOST; count++)
            out[count] = (claim){side->members[count], side->members[count] + 1, 0};
        return count;
    }
    out[0] = (claim){side->from, side->from + 1, 0};
    out[1] = (claim){side->to - 1, side->to, 0};
    return 2;
}

/* The two children of the covering node that most people are under. */
static size_t claim_children(const downcoding *d, size_t column, const bt_hierarchy *tree,
                             const bt_side *side, claim *out)
{
    uint32_t last = (side->to < tree->leaves ? side->to : tree->leaves) - 1; /* "*" goes beyond */
    if (last <= side->from) return 0;
    const bt_node *node = &tree->nodes[bt_hierarchy_cover(tree, side->from, last)];
    int64_t most[2] = {0, 0};
    size_t count = 0;
    for (uint32_t c = 0; c < node->children; c++) {
        const bt_node *child = &tree->nodes[node->first + c];
        int64_t people = people_in(d, column, child->lo, child->hi);
        if (people == 0 || people <= most[1]) continue;
        size_t at = people > most[0] ? 0 : 1;
        if (at == 0) {
            most[1] = most[0];
            out[1] = out[0];
        }
        most[at] = people;
        out[at] = (claim){child->lo, child->hi, 0};
        count += count < 2;
    }
    return count == 2 ? 2 : 0;
}

/* What a cell says of its class; 0: nothing finer. */
static size_t make_claims(const downcoding *d, size_t column, uint32_t group, claim *out)
{
    const bt_view *view = d->job->view;
    const bt_release_column *published = view->published[column];
    uint32_t code = bt_code_at(published->codes, published->width, view->groups.row[group]);
    const bt_side *side = &view->placings[column].sides[code];
    bt_cell_kind kind = published->cells[code].kind;
    size_t count = 0;
    if (side->to - side->from < 2) return 0;
    if (kind == BT_CELL_RANGE || kind == BT_CELL_SET)
        count = claim_ends(side, out);
    else if (published->manifest->hierarchy)
        count = claim_children(d, column, published->manifest->hierarchy, side, out);
    else if (view->known[column]->hierarchy)
        count = claim_children(d, column, view->known[column]->hierarchy, side, out);
    for (size_t i = 0; i < count; i++)
        out[i].chance = chance_of(d, column, &out[i], side, view->groups.size[group]);
    return count;
}

/* ---- classes ----------------------------------------------------------------------------- */

/* How many members a claim is true of; *row is one of them. */
static uint32_t count_true(const downcoding *d, size_t column, uint32_t group, const claim *one,
                           uint32_t *row)
{
    const bt_view *view = d->job->view;
    uint32_t count = 0;
    for (size_t i = d->members.first[group]; i < d->members.first[group + 1]; i++) {
        uint32_t person = d->members.row[i];
        uint32_t position = bt_placing_position(&view->placings[column],
                                                bt_column_code(view->known[column], person));
        if (position < one->from || position >= one->to) continue;
        count++;
        *row = person;
    }
    return count;
}

static void attack_class(downcoding *d, uint32_t group)
{
    const bt_view *view = d->job->view;
    claim claims[CLAIMS_MOST], best[CLAIMS_MOST];
    size_t best_count = 0, best_column = 0;
    for (size_t column = 0; column < view->columns; column++) {
        size_t count = make_claims(d, column, group, claims);
        if (count <= best_count) continue;
        best_count = count;
        best_column = column;
        for (size_t i = 0; i < count; i++)
            best[i] = claims[i];
    }
    d->classes++;
    d->result.tried += view->groups.size[group];
    for (size_t i = 0; i < best_count; i++) {
        uint32_t row = 0, holds = count_true(d, best_column, group, &best[i], &row);
        d->claims++;
        d->right += holds > 0;
        d->chance += best[i].chance;
        if (holds == 1 && (int64_t)row < d->job->attacker->original->rows)
            bt_worst_add(&d->result.hit, 1, (int64_t)row + 1);
    }
}

static bauta_status count_values(downcoding *d, bt_arena *arena, bauta_error *error)
{
    const bt_view *view = d->job->view;
    d->below = bt_arena_array(arena, view->columns, sizeof *d->below);
    if (!d->below) return bt_fail_memory(error);
    for (size_t c = 0; c < view->columns; c++) {
        size_t positions = view->placings[c].positions;
        int64_t *below = d->below[c] = bt_arena_array(arena, positions + 1, sizeof *below);
        if (!below) return bt_fail_memory(error);
        for (uint32_t t = 0; t < view->targets.count; t++) {
            uint32_t code = bt_column_code(view->known[c], view->targets.row[t]);
            below[bt_placing_position(&view->placings[c], code) + 1] += view->targets.size[t];
        }
        for (size_t p = 0; p < positions; p++)
            below[p + 1] += below[p];
    }
    return BAUTA_OK;
}

static bauta_status attack_view(bt_attack_job *job, bauta_error *error)
{
    bool joined = job->attacker->joined;
    bt_arena arena = {0};
    downcoding d = {.job = job,
                    .result = {.knows = "the release and its method",
                               .tries = "to make cells finer than they are published",
                               .worst = BT_NO_RATE,
                               .allowed = BT_NO_RATE}};
    bauta_status status = count_values(&d, &arena, error);
    if (status == BAUTA_OK)
        status = (joined ? bt_members_inside : bt_members_find)(job->view, &d.members, error);
    for (uint32_t g = 0; g < job->view->groups.count && status == BAUTA_OK; g++) {
        if (d.members.settled[g]) attack_class(&d, g);
        status = bt_attack_step(job, g, job->view->groups.count, error);
    }
    if (status == BAUTA_OK) {
        d.result.hits = (double)d.right;
        d.result.chance = d.result.tried ? d.chance / (double)d.result.tried : 0;
        snprintf(d.result.detail, sizeof d.result.detail,
                 "%lld of %lld claims are true; members are known of %lld of %u classes",
                 (long long)d.right, (long long)d.claims, (long long)d.classes,
                 job->view->groups.count);
        bt_attack_put(job, &d.result);
    }
    bt_members_release(&d.members);
    bt_arena_release(&arena);
    return status;
}

/* With a public table someone of either is at each end. */
static bauta_status run(bt_attack_job *job, bauta_error *error)
{
    bt_attack_job everyone = *job;
    if (job->attacker->joined) BT_TRY(bt_attack_crowd(job, &everyone.view, error));
    return attack_view(&everyone, error);
}

static const char *excuse(const bt_attacker *attacker)
{
    if (attacker->release->form->redrawn) return "nothing is generalized";
    if (attacker->release->form->join && !attacker->joined) return "it needs the public table";
    if (attacker->release->form->values_shown) return "quasi values are published as they are";
    return attacker->known ? "it needs all quasi columns" : NULL;
}

const bt_attack bt_attack_downcoding = {
    .name = "downcoding",
    .summary = "cells made finer than they are published, as no more was generalized than needed",
    .paper = "Cohen 2022",
    .excuse = excuse,
    .run = run,
};
