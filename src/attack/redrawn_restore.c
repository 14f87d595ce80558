/* SPDX-License-Identifier: Apache-2.0
 *
 * Two versions of a randomized table: each draws anew for itself, so values on which both versions
 * agree are most likely true. Nothing is known of anybody: for each row of the one the row of the
 * other is taken that is most likely of the same record; where both agree is claimed.
 *
 * How likely a claim is true is what the original says (redrawn_truth.h), by its factors.
 *
 * Cost: for each set of at most twice lambda columns linear in the rows of both.
 */
#include "attack/redrawn_attacks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct restoring {
    bt_attack_job *job;
    const bt_redrawn_truth *truth;
    const bt_redrawn_versions *versions;
    size_t *place;   /* per quasi column of the view: its place among those of both; or SIZE_MAX */
    double *is_true; /* rows of the truth times columns of the view: the value is the record's */
    double values, right; /* of the first version, and how many are true */
    double claims, true_claims;
    bt_arena arena;
} restoring;

/* The columns of the view, which is of all quasi columns that are known. */
static bauta_status find_places(restoring *r, bauta_error *error)
{
    const bt_view *view = r->job->view;
    r->place = bt_array(view->columns, sizeof *r->place);
    if (!r->place) return bt_fail_memory(error);
    for (size_t i = 0; i < view->columns; i++) {
        r->place[i] = SIZE_MAX;
        for (size_t c = 0; c < r->versions->quasi; c++)
            if (r->versions->here[c] == view->published[i]) r->place[i] = c;
    }
    return BAUTA_OK;
}

/* The place of a set without one of its columns. */
static size_t find_without(const bt_redrawn *redrawn, size_t place, size_t column)
{
    uint64_t columns = redrawn->sets[place].columns & ~((uint64_t)1 << column);
    size_t at = place;
    while (redrawn->sets[at].columns != columns)
        at--; /* smaller sets come first */
    return at;
}

/* Per set and unit: the people who are in it, each by their factor. */
static bauta_status count_people(const bt_redrawn_truth *truth, bt_arena *arena, double ***out,
                                 bauta_error *error)
{
    const bt_redrawn *redrawn = &truth->redrawn;
    double **people = *out = bt_arena_array(arena, redrawn->set_count, sizeof *people);
    if (!people) return bt_fail_memory(error);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        people[i] = bt_arena_array(arena, set->units, sizeof **people);
        if (!people[i]) return bt_fail_memory(error);
        for (uint32_t p = 0; p < redrawn->people.count; p++)
            if (set->of_person[p] != BT_TUPLE_NONE)
                people[i][set->of_person[p]] += redrawn->people.size[p] * truth->person_weight[p];
    }
    return BAUTA_OK;
}

/* The records that a row may be of by a set of columns, and those of them that have its value in a
 * column: these are alike with it outside the set without that column. */
static bauta_status weigh_values(restoring *r, bauta_error *error)
{
    const bt_redrawn *redrawn = &r->truth->redrawn;
    size_t columns = redrawn->drawn;
    uint32_t rows = redrawn->rows.count;
    double **people, *total = bt_array_zero(rows, sizeof *total);
    r->is_true = bt_array_zero((size_t)rows * columns, sizeof *r->is_true);
    bauta_status status = total && r->is_true ? count_people(r->truth, &r->arena, &people, error)
                                              : bt_fail_memory(error);
    for (size_t i = 0; i < redrawn->set_count && status == BAUTA_OK; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        if (!bt_redrawn_counts(redrawn, set)) continue;
        for (uint32_t k = 0; k < rows; k++)
            total[k] += bt_redrawn_term(redrawn, set, k) * people[i][set->of_row[k]];
        for (size_t c = 0; c < columns; c++) {
            size_t with = find_without(redrawn, i, c);
            for (uint32_t k = 0; k < rows; k++)
                r->is_true[k * columns + c] +=
                    bt_redrawn_term(redrawn, set, k) * people[with][redrawn->sets[with].of_row[k]];
        }
    }
    for (uint32_t k = 0; k < rows && status == BAUTA_OK; k++)
        for (size_t c = 0; c < columns; c++)
            r->is_true[k * columns + c] /= total[k] > 0 ? total[k] : 1;
    free(total);
    return status;
}

/* Per kind of rows of the first version: the set outside of which it agrees with the row of the
 * other that is most likely of the same record, each being weighed by whose else it may be;
 * set_count: there is none. */
static bauta_status pair_rows(const restoring *r, const double *others, size_t *set_of,
                              bauta_error *error)
{
    const bt_redrawn *redrawn = &r->versions->redrawn;
    double *nearest = bt_array(redrawn->rows.count, sizeof *nearest);
    double *best = bt_array_zero(redrawn->rows.count, sizeof *best);
    bauta_status status = nearest && best ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t k = 0; k < redrawn->rows.count && status == BAUTA_OK; k++)
        set_of[k] = redrawn->set_count;
    for (size_t i = 0; i < redrawn->set_count && status == BAUTA_OK; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        memset(nearest, 0, set->units * sizeof *nearest);
        for (uint32_t p = 0; p < redrawn->people.count; p++) {
            uint32_t unit = set->of_person[p];
            if (unit != BT_TUPLE_NONE && others[p] > 0)
                nearest[unit] = fmax(nearest[unit], 1 / others[p]);
        }
        for (uint32_t k = 0; k < redrawn->rows.count; k++) {
            double likely = nearest[set->of_row[k]] * bt_redrawn_chance(redrawn, set, k);
            if (likely <= best[k] * (1 + bt_redrawn_tie)) continue;
            best[k] = likely;
            set_of[k] = i;
        }
    }
    free(nearest);
    free(best);
    return status;
}

static void claim(restoring *r, const size_t *set_of)
{
    const bt_redrawn_truth *truth = r->truth;
    const bt_redrawn *redrawn = &r->versions->redrawn;
    size_t columns = truth->redrawn.drawn;
    for (uint32_t k = 0; k < truth->rows.count; k++) {
        size_t set = set_of[r->versions->row_kind[truth->rows.row[k]]];
        double rows = truth->rows.size[k];
        for (size_t c = 0; c < columns; c++) {
            double right = rows * r->is_true[k * columns + c];
            if (r->place[c] == SIZE_MAX) continue;
            r->values += rows;
            r->right += right;
            if (set == redrawn->set_count || (redrawn->sets[set].columns >> r->place[c] & 1))
                continue;
            r->claims += rows;
            r->true_claims += right;
        }
    }
}

static void tell(const restoring *r)
{
    bt_attack_result result = {
        .variant = "restored",
        .knows = "nothing but both releases",
        .tries = "to tell which quasi values are true: those on which both agree",
        .tried = (int64_t)r->claims,
        .hits = r->true_claims,
        .chance = r->values > 0 ? r->right / r->values : 0,
        .worst = BT_NO_RATE,
        .allowed = BT_NO_RATE,
    };
    snprintf(result.detail, sizeof result.detail,
             "%lld of %lld quasi values are claimed; by chance: those of one version that are true",
             (long long)r->claims, (long long)r->values);
    bt_attack_put(r->job, &result);
}

static bauta_status claim_all(restoring *r, bauta_error *error)
{
    BT_TRY(find_places(r, error));
    BT_TRY(weigh_values(r, error));
    size_t *set_of = bt_array(r->versions->rows.count, sizeof *set_of);
    double *others = bt_array(r->versions->others.count, sizeof *others);
    bauta_status status = set_of && others
                              ? bt_redrawn_sum_rows(&r->versions->redrawn, NULL, others, error)
                              : bt_fail_memory(error);
    if (status == BAUTA_OK) status = pair_rows(r, others, set_of, error);
    if (status == BAUTA_OK) claim(r, set_of);
    free(set_of);
    free(others);
    return status;
}

bauta_status bt_redrawn_restore(bt_attack_job *job, const bt_redrawn_truth *truth,
                                const bt_redrawn_versions *versions, bauta_error *error)
{
    restoring r = {.job = job, .truth = truth, .versions = versions};
    bauta_status status = claim_all(&r, error);
    if (status == BAUTA_OK) tell(&r);
    free(r.place);
    free(r.is_true);
    bt_arena_release(&r.arena);
    return status;
}
