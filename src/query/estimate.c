/* SPDX-License-Identifier: Apache-2.0
 *
 * Estimates of SUM, AVG, MIN and MAX from the number of matching records that is expected for each
 * text of the column.
 *
 * SUM and AVG take the mean of what a text may stand for. The estimate of MIN is the least number
 * up to which half a record is expected, that of MAX likewise from above: where some record
 * certainly is, no other is needed to find it.
 */
#include "query/form.h"

/* ---- numbers with their weights ---- */

typedef struct mass {
    int64_t lo, hi;
    double weight;
} mass;

typedef struct masses {
    const bt_slot *slot;
    const double *weights; /* weights of the text that is visited, per signature */
    double *totals;        /* totals of that text's pieces, per signature */
    bool weighing;         /* the totals are being found */
    mass *items;
    size_t count, capacity;
    bauta_status status;
    bauta_error *error;
} masses;

static void add_mass(void *user, uint32_t segment, int64_t lo, int64_t hi, double weight)
{
    masses *all = user;
    uint32_t signature = all->slot->signature[segment];
    if (all->weighing) {
        all->totals[signature] += weight;
        return;
    }
    if (all->status != BAUTA_OK || weight == 0 || all->weights[signature] == 0) return;
    all->status =
        bt_array_grow(&all->items, &all->capacity, all->count + 1, sizeof *all->items, all->error);
    if (all->status != BAUTA_OK) return;
    all->items[all->count++] =
        (mass){lo, hi, all->weights[signature] * weight / all->totals[signature]};
}

static bauta_status collect(masses *all, bt_arena *arena, const double *weights, bauta_error *error)
{
    const bt_slot *slot = all->slot;
    bt_pieces pieces;
    BT_TRY(bt_pieces_open(slot, arena, &pieces, error));
    all->totals = bt_arena_array(arena, slot->signatures, sizeof *all->totals);
    if (!all->totals) return bt_fail_memory(error);
    for (uint32_t code = 0; code < slot->column->meaning_count; code++) {
        const bt_meaning *meaning = &slot->column->meanings[code];
        bool any = false;
        all->weights = weights + (size_t)code * slot->signatures;
        for (uint32_t s = 0; s < slot->signatures; s++) {
            any |= all->weights[s] > 0;
            all->totals[s] = 0;
        }
        all->weighing = true;
        if (!any || !bt_pieces_visit(&pieces, meaning, add_mass, all)) continue;
        all->weighing = false;
        bt_pieces_visit(&pieces, meaning, add_mass, all);
        BT_TRY(all->status);
    }
    return BAUTA_OK;
}

/* ---- the number up to which half a record is expected ---- */

static double mass_up_to(const masses *all, int64_t number)
{
    double sum = 0;
    for (size_t i = 0; i < all->count; i++) {
        const mass *one = &all->items[i];
        if (one->hi <= number)
            sum += one->weight;
        else if (one->lo <= number)
            sum += one->weight * (((double)number - (double)one->lo + 1) /
                                  ((double)one->hi - (double)one->lo + 1));
    }
    return sum;
}

/* The least number with `wanted` up to it. */
static int64_t find_number(const masses *all, double wanted)
{
    int64_t lo = INT64_MAX, hi = INT64_MIN;
    for (size_t i = 0; i < all->count; i++) {
        if (all->items[i].lo < lo) lo = all->items[i].lo;
        if (all->items[i].hi > hi) hi = all->items[i].hi;
    }
    while (lo < hi) {
        int64_t middle = lo + (int64_t)(((uint64_t)hi - (uint64_t)lo) / 2);
        if (mass_up_to(all, middle) >= wanted)
            hi = middle;
        else
            lo = middle + 1;
    }
    return lo;
}

/* From above: the same with all numbers turned round. */
static void turn_round(masses *all)
{
    for (size_t i = 0; i < all->count; i++) {
        int64_t lo = all->items[i].lo;
        all->items[i].lo = -all->items[i].hi;
        all->items[i].hi = -lo;
    }
}

static void free_masses(masses *all)
{
    free(all->items);
}

static bauta_status estimate_end(bt_question *question, const bt_evaluation *evaluation,
                                 bool *known, double *out, bauta_error *error)
{
    bt_predicate *predicate = &question->predicate;
    bool least = question->select.aggregate == BT_MIN;
    BT_OWN(free_masses) masses all = {.slot = &predicate->slots[predicate->target], .error = error};
    double total = 0;
    *known = false;
    BT_TRY(collect(&all, &predicate->arena, evaluation->weights, error));
    if (all.count == 0) return BAUTA_OK;
    for (size_t i = 0; i < all.count; i++)
        total += all.items[i].weight;
    if (!least) turn_round(&all);
    int64_t number = find_number(&all, total < 1 ? total / 2 : 0.5);
    *out = (double)(least ? number : -number);
    *known = true;
    return BAUTA_OK;
}

/* ---- sums ---- */

static bauta_status estimate_sum(bt_question *question, const bt_evaluation *evaluation,
                                 bool *known, double *out, bauta_error *error)
{
    bt_predicate *predicate = &question->predicate;
    const bt_slot *slot = &predicate->slots[predicate->target];
    bt_chances chances;
    double sum = 0;
    BT_TRY(bt_chances_make(slot, true, &predicate->arena, &chances, error));
    for (size_t i = 0; i < (size_t)slot->column->meaning_count * slot->signatures; i++)
        if (evaluation->weights[i] > 0) sum += evaluation->weights[i] * chances.mean[i];
    *known = question->select.aggregate == BT_SUM || evaluation->expected > 0;
    *out = question->select.aggregate == BT_SUM ? sum : sum / evaluation->expected;
    return BAUTA_OK;
}

bauta_status bt_estimate(bt_question *question, const bt_evaluation *evaluation, bool *known,
                         double *out, bauta_error *error)
{
    switch (question->select.aggregate) {
    case BT_COUNT:
        *known = true;
        *out = evaluation->expected;
        return BAUTA_OK;
    case BT_SUM:
    case BT_AVG: return estimate_sum(question, evaluation, known, out, error);
    default: return estimate_end(question, evaluation, known, out, error);
    }
}
