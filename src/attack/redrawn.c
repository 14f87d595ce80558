/* SPDX-License-Identifier: Apache-2.0
 *
 * Sets of columns, their units, and sums over them.
 */
#include "attack/redrawn.h"

#include <math.h>
#include <string.h>

enum { SETS_MOST = 4096 };
static const double most_places = (double)(1 << 28); /* sets times combinations */

/* ---- probabilities ----------------------------------------------------------------------- */

static double choose(size_t of, size_t count)
{
    double ways = 1;
    for (size_t i = 0; i < count; i++)
        ways = ways * (double)(of - i) / (double)(i + 1);
    return ways;
}

/* With lambda=1 the columns have probabilities of their own, which stand in the factors. */
static void weigh_sizes(bt_redrawn *redrawn, const bt_redrawn_plan *plan)
{
    size_t drawn = plan->drawn, unknown = plan->all - drawn, lambda = plan->lambda;
    redrawn->most = lambda < drawn ? plan->lambda : (uint32_t)drawn;
    if (lambda == 1) {
        double known = 0;
        for (size_t c = 0; c < drawn; c++)
            known += plan->redrawn[c];
        redrawn->by_size[0] = unknown ? fmax(1 - known, 0) : 0;
        redrawn->by_size[1] = 1;
        return;
    }
    for (size_t size = 0; size <= redrawn->most; size++)
        if (lambda - size <= unknown)
            redrawn->by_size[size] = choose(unknown, lambda - size) / choose(plan->all, lambda);
}

static bauta_status make_factors(bt_redrawn *redrawn, const bt_redrawn_plan *plan,
                                 bauta_error *error)
{
    size_t drawn = plan->drawn;
    redrawn->factor = bt_array((size_t)plan->rows.count * drawn, sizeof *redrawn->factor);
    if (!redrawn->factor) return bt_fail_memory(error);
    for (size_t c = 0; c < drawn; c++) {
        const bt_codes *codes = &plan->rows.codes[c];
        double times = plan->lambda == 1 ? plan->redrawn[c] : 1;
        for (uint32_t row = 0; row < plan->rows.count; row++)
            redrawn->factor[row * drawn + c] =
                times * plan->share[c][bt_code_at(codes->codes, codes->width, row)];
    }
    return BAUTA_OK;
}

/* The product of the row's factors in some columns. */
static inline double product(const bt_redrawn *redrawn, uint64_t columns, uint32_t row)
{
    const double *factor = redrawn->factor + row * redrawn->drawn;
    double result = 1;
    for (; columns; columns &= columns - 1)
        result *= factor[__builtin_ctzll(columns)];
    return result;
}

double bt_redrawn_term(const bt_redrawn *redrawn, const bt_redrawn_set *set, uint32_t row)
{
    return redrawn->by_size[set->size] * product(redrawn, set->columns, row);
}

/* Any set that contains this one will do: the products over the columns that it has beside are
 * summed by how many these are, column by column. */
double bt_redrawn_chance(const bt_redrawn *redrawn, const bt_redrawn_set *set, uint32_t row)
{
    const double *factor = redrawn->factor + row * redrawn->drawn;
    double sums[BT_REDRAWN_MOST + 1], chance = 0;
    uint32_t more = redrawn->most - set->size;
    sums[0] = 1;
    for (uint32_t k = 1; k <= more; k++)
        sums[k] = 0;
    for (size_t c = 0; more > 0 && c < redrawn->drawn; c++) {
        if (set->columns >> c & 1) continue;
        for (uint32_t k = more; k >= 1; k--)
            sums[k] += sums[k - 1] * factor[c];
    }
    for (uint32_t k = 0; k <= more; k++)
        chance += redrawn->by_size[set->size + k] * sums[k];
    return chance * product(redrawn, set->columns, row);
}

/* ---- sets -------------------------------------------------------------------------------- */

/* What helps depends on who asks: an attacker may know fewer columns, a publisher has no choice. */
static bauta_status refuse(const bt_redrawn_plan *plan, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "there are too many sets of columns that may be drawn anew");
    bt_error_place(error, plan->folder, -1, NULL);
    return status;
}

static bauta_status list_sets(bt_redrawn *redrawn, const bt_redrawn_plan *plan, bauta_error *error)
{
    double count = 0;
    size_t made = 0, drawn = plan->drawn;
    bool all = plan->lambda == plan->all; /* nothing depends on the record: one set, that of all */
    for (uint32_t size = 0; size <= redrawn->most; size++)
        count += all ? (size == redrawn->most) : choose(drawn, size);
    double places = count * ((double)plan->rows.count + (double)plan->people.count);
    if (count > SETS_MOST || places > most_places) return refuse(plan, error);
    redrawn->sets = bt_array_zero((size_t)count, sizeof *redrawn->sets);
    if (!redrawn->sets) return bt_fail_memory(error);
    redrawn->sets[redrawn->set_count++] =
        all ? (bt_redrawn_set){.columns = drawn == 64 ? UINT64_MAX : ((uint64_t)1 << drawn) - 1,
                               .size = (uint32_t)drawn}
            : (bt_redrawn_set){0};
    for (uint32_t size = 1; !all && size <= redrawn->most; size++) { /* each with one more, above */
        size_t end = redrawn->set_count;
        for (; made < end; made++) {
            uint64_t set = redrawn->sets[made].columns;
            size_t above = set ? 64 - (size_t)__builtin_clzll(set) : 0;
            for (size_t c = above; c < drawn; c++)
                redrawn->sets[redrawn->set_count++] =
                    (bt_redrawn_set){.columns = set | (uint64_t)1 << c, .size = size};
        }
    }
    return BAUTA_OK;
}

bauta_status bt_redrawn_open(const bt_redrawn_plan *plan, const bt_run *run, bt_redrawn *out,
                             bauta_error *error)
{
    *out = (bt_redrawn){
        .plan = *plan, .rows = plan->rows, .people = plan->people, .drawn = plan->drawn};
    if (plan->drawn > BT_REDRAWN_MOST) return refuse(plan, error);
    weigh_sizes(out, plan);
    BT_TRY(list_sets(out, plan, error));
    BT_TRY(make_factors(out, plan, error));
    return bt_redrawn_find_units(plan, run, out->sets, out->set_count, error);
}

void bt_redrawn_close(bt_redrawn *redrawn)
{
    for (size_t i = 0; i < redrawn->set_count; i++) {
        free(redrawn->sets[i].of_row);
        free(redrawn->sets[i].of_person);
    }
    free(redrawn->sets);
    free(redrawn->factor);
    *redrawn = (bt_redrawn){0};
}

/* ---- sums -------------------------------------------------------------------------------- */

/* Room for one number per unit of any set. */
static double *unit_room(const bt_redrawn *redrawn)
{
    uint32_t most = 0;
    for (size_t i = 0; i < redrawn->set_count; i++)
        if (redrawn->sets[i].units > most) most = redrawn->sets[i].units;
    return bt_array(most, sizeof(double));
}

bauta_status bt_redrawn_sum_rows(const bt_redrawn *redrawn, const double *weight, double *out,
                                 bauta_error *error)
{
    double *sum = unit_room(redrawn);
    if (!sum) return bt_fail_memory(error);
    memset(out, 0, redrawn->people.count * sizeof *out);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        if (!bt_redrawn_counts(redrawn, set)) continue;
        memset(sum, 0, set->units * sizeof *sum);
        for (uint32_t row = 0; row < redrawn->rows.count; row++)
            sum[set->of_row[row]] += redrawn->rows.size[row] * (weight ? weight[row] : 1) *
                                     bt_redrawn_term(redrawn, set, row);
        for (uint32_t person = 0; person < redrawn->people.count; person++)
            if (set->of_person[person] != BT_TUPLE_NONE) out[person] += sum[set->of_person[person]];
    }
    free(sum);
    return BAUTA_OK;
}

bauta_status bt_redrawn_sum_people(const bt_redrawn *redrawn, const double *weight, double *out,
                                   bauta_error *error)
{
    double *sum = unit_room(redrawn);
    if (!sum) return bt_fail_memory(error);
    memset(out, 0, redrawn->rows.count * sizeof *out);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        if (!bt_redrawn_counts(redrawn, set)) continue;
        memset(sum, 0, set->units * sizeof *sum);
        for (uint32_t person = 0; person < redrawn->people.count; person++)
            if (set->of_person[person] != BT_TUPLE_NONE)
                sum[set->of_person[person]] +=
                    redrawn->people.size[person] * (weight ? weight[person] : 1);
        for (uint32_t row = 0; row < redrawn->rows.count; row++)
            out[row] += sum[set->of_row[row]] * bt_redrawn_term(redrawn, set, row);
    }
    free(sum);
    return BAUTA_OK;
}

/* With (-1)^(most - size) * C(drawn - 1 - size, most - size) the rows that are alike outside a set,
 * summed over sets, count each that differs in at most `most` columns once. */
static double reach_weight(const bt_redrawn *redrawn, uint32_t size)
{
    uint32_t more = redrawn->most - size;
    if (redrawn->most == redrawn->drawn) return more == 0; /* all rows */
    return (more % 2 ? -1 : 1) * choose(redrawn->drawn - 1 - size, more);
}

bauta_status bt_redrawn_reach(const bt_redrawn *redrawn, double *out, bauta_error *error)
{
    double *sum = unit_room(redrawn);
    if (!sum) return bt_fail_memory(error);
    memset(out, 0, redrawn->people.count * sizeof *out);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        const bt_redrawn_set *set = &redrawn->sets[i];
        memset(sum, 0, set->units * sizeof *sum);
        for (uint32_t row = 0; row < redrawn->rows.count; row++)
            sum[set->of_row[row]] += redrawn->rows.size[row];
        double weight = reach_weight(redrawn, set->size);
        for (uint32_t person = 0; person < redrawn->people.count; person++)
            if (set->of_person[person] != BT_TUPLE_NONE)
                out[person] += weight * sum[set->of_person[person]];
    }
    free(sum);
    return BAUTA_OK;
}
