/* SPDX-License-Identifier: Apache-2.0
 *
 * Of persons who may have many rows shares of rows say nothing. Someone who knows everyone's quasi
 * values, and which records are one person's, knows the persons of each class whose members are
 * known; what is then believed of one of them is the share of these persons who have a value, and
 * `alpha` bounds just that. The other requirements bound no share of persons, who may have several
 * values each, so that nothing is judged by them.
 *
 * Cost: members of classes, sorted by person.
 */
#include "attack/persons.h"

#include "attack/attribute.h"
#include "attack/members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct holding { /* a person of the class at hand who has a value */
    uint32_t person, value, row;
} holding;

typedef struct persons {
    bt_attack_job *job;
    const bt_secret *secret;
    bt_secret_bounds bounds;
    bt_members members;
    holding *held;
    uint32_t *holders; /* per value: persons of the class at hand */
    uint32_t classes;  /* classes that were judged */
    bool others;       /* something but `alpha` is promised of the values */
    bt_attack_result result;
} persons;

static int compare_holdings(const void *left, const void *right)
{
    const holding *a = left, *b = right;
    if (a->person != b->person) return a->person < b->person ? -1 : 1;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

/* Takes the different values of the persons of a class; false: not all of them are published. */
static bool take_class(persons *p, uint32_t unit, size_t *count, int64_t *people)
{
    const uint32_t *subject_of = p->job->attacker->original->subject_of;
    size_t taken = 0;
    *people = *count = 0;
    for (size_t i = p->members.first[unit]; i < p->members.first[unit + 1]; i++) {
        uint32_t row = p->members.row[i], value = p->secret->actual[row];
        if (value == BT_NOT_KNOWN) return false;
        p->held[taken++] = (holding){subject_of[row], value, row};
    }
    qsort(p->held, taken, sizeof *p->held, compare_holdings);
    for (size_t i = 0; i < taken; i++) {
        bool same = i > 0 && p->held[i].person == p->held[i - 1].person;
        *people += !same;
        if (same && p->held[i].value == p->held[*count - 1].value) continue;
        p->held[(*count)++] = p->held[i];
    }
    return taken > 0;
}

static void judge_class(persons *p, size_t count, int64_t people)
{
    bt_attack_result *result = &p->result;
    uint32_t top = p->held[0].value;
    for (size_t i = 0; i < count; i++) {
        uint32_t value = p->held[i].value;
        if (++p->holders[value] > p->holders[top] ||
            (value < top && p->holders[value] == p->holders[top]))
            top = value;
    }
    result->tried += people;
    result->hits += p->holders[top];
    for (size_t i = 0; i < count; i++) {
        uint32_t value = p->held[i].value;
        double share = p->holders[value] / (double)people, allowed = p->bounds.share[value];
        if (share > result->worst) result->worst = share;
        bt_worst_add(&result->hit, share, (int64_t)p->held[i].row + 1);
        if (!p->bounds.any) continue;
        if (allowed > result->allowed) result->allowed = allowed;
        if (result->outcome != BT_BROKEN) result->outcome = bt_attack_judge(share, allowed);
    }
    for (size_t i = 0; i < count; i++)
        p->holders[p->held[i].value] = 0;
    p->classes++;
}

/* What is allowed of shares of persons: `alpha` says it. */
static bauta_status bound_shares(persons *p, bt_promises *promises, bauta_error *error)
{
    const bt_promises all = *promises;
    bt_requirements *kept = &promises->requirements;
    kept->items = bt_arena_array(&promises->arena, all.requirements.count, sizeof *kept->items);
    if (!kept->items) return bt_fail_memory(error);
    kept->count = 0;
    for (size_t i = 0; i < all.requirements.count; i++) {
        const bt_requirement_instance *item = &all.requirements.items[i];
        bool here = !item->column || strcmp(item->column, p->secret->column->manifest->name) == 0;
        if (item->type->bounds_persons)
            kept->items[kept->count++] = *item;
        else if (here && bt_is_about_values(item->type))
            p->others = true;
    }
    promises->persons = false;
    bauta_status status = bt_promises_bound(promises, p->secret, &p->bounds, error);
    promises->requirements = all.requirements;
    promises->persons = all.persons;
    return status;
}

static bauta_status judge_classes(persons *p, bauta_error *error)
{
    const bt_view *view = p->job->view;
    for (uint32_t unit = 0; unit < view->units; unit++) {
        size_t count;
        int64_t people;
        BT_TRY(bt_attack_step(p->job, unit, view->units, error));
        if (p->members.settled[unit] && take_class(p, unit, &count, &people))
            judge_class(p, count, people);
    }
    p->result.unjudged = p->others && !p->bounds.any;
    snprintf(p->result.detail, sizeof p->result.detail, "members are known of %u of %u classes%s",
             p->classes, view->units,
             p->result.unjudged ? "; of shares of persons only 'alpha' says something" : "");
    bt_attack_put(p->job, &p->result);
    return BAUTA_OK;
}

static bauta_status try_secret(bt_attack_job *job, const bt_secret *secret, bt_promises *promises,
                               bauta_error *error)
{
    uint32_t largest = 1;
    for (uint32_t unit = 0; unit < job->view->units; unit++)
        if (job->view->unit_size[unit] > largest) largest = job->view->unit_size[unit];
    persons p = {.job = job,
                 .secret = secret,
                 .held = bt_array(largest, sizeof *p.held),
                 .holders = bt_array_zero(secret->values, sizeof *p.holders),
                 .result = {.variant = "persons",
                            .column = secret->column->manifest->name,
                            .knows = "everyone's quasi values, and which records are one person's",
                            .tries = "to guess a value of a person",
                            .chance = bt_attribute_chance(job->view, secret),
                            .allowed = BT_NO_RATE}};
    bauta_status status = p.held && p.holders ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) status = bound_shares(&p, promises, error);
    if (status == BAUTA_OK) status = bt_members_find(job->view, &p.members, error);
    if (status == BAUTA_OK) status = judge_classes(&p, error);
    bt_members_release(&p.members);
    free(p.held);
    free(p.holders);
    return status;
}

/* Whether the original says whose its records are, and classes have members. */
static bool knows_persons(const bt_attack_job *job)
{
    return job->attacker->original->subject_of && job->attacker->release->form->class_values;
}

bauta_status bt_attack_persons(bt_attack_job *job, bauta_error *error)
{
    return knows_persons(job) ? bt_attribute_each(job, false, try_secret, error) : BAUTA_OK;
}

/* ---- whose row --------------------------------------------------------------------------- */

bauta_status bt_attack_link_persons(bt_attack_job *job, int64_t k, bauta_error *error)
{
    if (!knows_persons(job)) return BAUTA_OK;
    const bt_view *view = job->view;
    const bt_table *original = job->attacker->original;
    bt_attack_result result = {
        .variant = "persons",
        .knows = "everyone's quasi values, and which records are one person's",
        .tries = "to find out whose a row is",
        .chance = original->subjects ? 1 / (double)original->subjects : 0,
        .allowed = k == 0 ? BT_NO_RATE : 1 / (double)k,
    };
    bt_members members = {0};
    uint32_t classes = 0, *seen = bt_array_zero(original->subjects, sizeof *seen);
    bauta_status status = seen ? bt_members_find(view, &members, error) : bt_fail_memory(error);
    for (uint32_t unit = 0; unit < view->units && status == BAUTA_OK; unit++) {
        int64_t people = 0;
        if (!members.settled[unit]) continue;
        for (size_t i = members.first[unit]; i < members.first[unit + 1]; i++) {
            uint32_t *person = &seen[original->subject_of[members.row[i]]];
            people += *person != unit + 1;
            *person = unit + 1;
        }
        if (people == 0) continue;
        double link = 1 / (double)people;
        classes++;
        result.tried += people;
        result.hits += 1;
        if (link > result.worst) result.worst = link;
        bt_worst_add(&result.hit, link, (int64_t)members.row[members.first[unit]] + 1);
    }
    result.outcome = bt_attack_judge(result.worst, result.allowed);
    snprintf(result.detail, sizeof result.detail, "members are known of %u of %u classes", classes,
             view->units);
    if (status == BAUTA_OK) bt_attack_put(job, &result);
    bt_members_release(&members);
    free(seen);
    return status;
}
