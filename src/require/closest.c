/* SPDX-License-Identifier: Apache-2.0
 *
 * target=closest: the distribution nearest to a group's own that satisfies the requirements.
 *
 * Distance is half the sum of absolute differences. Two steps lead from the group's own
 * distribution to one that is allowed, and each by itself is as short as possible:
 *   alpha  probabilities above alpha are cut to alpha, and what is cut goes to the other values,
 *          in proportion to the whole table. No distribution without more than alpha is nearer.
 *   t      a mixture with the distribution of the whole table. As distances shrink in proportion
 *          to the share of the mixture, the smallest share that satisfies is the nearest
 *          distribution, whatever the distance is.
 * With both, the mixture is that of the cut distributions, which again has at most alpha. Other
 * requirements (l, entropy-l, …) are met by the mixture too. The share is found by bisection, to
 * 1/32, on the rounded targets, which are what is judged; when rounding lifts a probability above
 * alpha, the cut is made deeper by 1/16.
 */
#include "require/wanted.h"

#include <string.h>

enum { MIXTURES = 32, CUTS = 16, CUTS_TRIED = 8 };

typedef struct finding {
    const bt_target_maker *maker;
    uint32_t codes;
    double *own, *table;         /* shares of values in the group and in the whole table */
    double *cut_own, *cut_table; /* `own` and `table` without what is above the cut */
    double *mixed;
    uint64_t *weights;
    bt_arena arena; /* of the targets that are tried */
} finding;

/* The least bound of all values; 1 when there is none. */
static double least_bound(const bt_requirements *requirements)
{
    double least = 1;
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        double most = item->type->most ? bt_rational_double(item->type->most(item)) : 1;
        if (most < least) least = most;
    }
    return least;
}

/* Cuts `from` to at most `most`; what is cut goes to those below, in proportion to `table` and to
 * all alike where that has nothing. */
static void cut(const finding *f, const double *from, double most, double *out)
{
    memcpy(out, from, f->codes * sizeof *out);
    for (uint32_t round = 0; round < f->codes; round++) {
        double excess = 0, room = 0;
        for (uint32_t code = 0; code < f->codes; code++) {
            if (out[code] > most) {
                excess += out[code] - most;
                out[code] = most;
            }
            if (out[code] < most) room += f->table[code];
        }
        if (excess <= 1e-12 || room <= 0) return;
        for (uint32_t code = 0; code < f->codes; code++)
            if (out[code] < most) out[code] += excess * f->table[code] / room;
    }
}

static bauta_status try_mixture(finding *f, uint32_t mixture, bt_target *tried, bool *holds,
                                const bt_requirement_instance **failed, bauta_error *error)
{
    double share = (double)mixture / MIXTURES;
    for (uint32_t code = 0; code < f->codes; code++)
        f->mixed[code] = (1 - share) * f->cut_own[code] + share * f->cut_table[code];
    bt_wanted_scaled(f->mixed, f->codes, f->weights);
    bt_arena_release(&f->arena);
    return bt_target_try(f->maker, f->weights, &f->arena, tried, holds, failed, error);
}

/* The least share of the table that satisfies, by bisection between one that does not and one that
 * does; f->weights are those of it. */
static bauta_status bisect(finding *f, uint32_t fails, uint32_t satisfies, bauta_error *error)
{
    const bt_requirement_instance *failed;
    bt_target tried;
    bool holds;
    while (satisfies - fails > 1) {
        uint32_t middle = fails + (satisfies - fails) / 2;
        BT_TRY(try_mixture(f, middle, &tried, &holds, &failed, error));
        *(holds ? &satisfies : &fails) = middle;
    }
    return try_mixture(f, satisfies, &tried, &holds, &failed, error);
}

/* Leaves in f->weights what satisfies when it is rounded. */
static bauta_status find(finding *f, bauta_error *error)
{
    const bt_requirement_instance *failed = NULL;
    double alpha = least_bound(&f->maker->requirements);
    bt_target tried;
    bool holds;
    for (uint32_t cuts = 0; cuts < CUTS_TRIED; cuts++) {
        double most = alpha * (CUTS - cuts) / CUTS;
        cut(f, f->own, most, f->cut_own);
        cut(f, f->table, most, f->cut_table);
        BT_TRY(try_mixture(f, 0, &tried, &holds, &failed, error));
        if (holds) return BAUTA_OK;
        BT_TRY(try_mixture(f, MIXTURES, &tried, &holds, &failed, error));
        if (holds) return bisect(f, 0, MIXTURES, error);
        if (alpha >= 1) break;
    }
    bauta_status status = bt_fail(
        error, BAUTA_NO, "no target between a group's distribution and the table's satisfies '%s'",
        failed->text);
    bt_error_place(error, NULL, -1, f->maker->space.column);
    bt_error_hint(error, "weaken the requirement, or give a larger weight-cap");
    return status;
}

static void fill(finding *f, const bt_held *held, size_t distinct)
{
    double rows = 0, size = 0;
    for (uint32_t code = 0; code < f->codes; code++)
        rows += (double)f->maker->source[code];
    for (size_t i = 0; i < distinct; i++)
        size += held[i].count;
    for (uint32_t code = 0; code < f->codes; code++)
        f->table[code] = (double)f->maker->source[code] / rows;
    for (size_t i = 0; i < distinct; i++)
        f->own[held[i].code] = held[i].count / size;
}

static bauta_status measure(const finding *f, const bt_held *held, size_t distinct,
                            const bt_target *target, double *distance, bauta_error *error)
{
    uint64_t *own = bt_array_zero(f->codes, sizeof *own);
    if (!own) return bt_fail_memory(error);
    for (size_t i = 0; i < distinct; i++)
        own[held[i].code] = held[i].count;
    *distance = bt_target_distance(target, own);
    free(own);
    return BAUTA_OK;
}

bauta_status bt_closest(const bt_target_maker *maker, const bt_held *held, size_t distinct,
                        bt_arena *arena, bt_target *out, double *distance, bauta_error *error)
{
    size_t codes = maker->space.domain.size;
    double *numbers = bt_array_zero(codes, 5 * sizeof *numbers);
    finding f = {.maker = maker,
                 .codes = (uint32_t)codes,
                 .weights = bt_array_zero(codes, sizeof *f.weights)};
    bauta_status status = numbers && f.weights ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        f.own = numbers;
        f.table = numbers + codes;
        f.cut_own = numbers + 2 * codes;
        f.cut_table = numbers + 3 * codes;
        f.mixed = numbers + 4 * codes;
        fill(&f, held, distinct);
        status = find(&f, error);
    }
    if (status == BAUTA_OK) status = bt_target_make(&maker->space, f.weights, arena, out, error);
    if (status == BAUTA_OK) status = bt_target_round(out, maker->options.cap, error);
    if (status == BAUTA_OK) status = measure(&f, held, distinct, out, distance, error);
    bt_arena_release(&f.arena);
    free(numbers);
    free(f.weights);
    return status;
}
