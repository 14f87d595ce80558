/* SPDX-License-Identifier: Apache-2.0
 *
 * Minimality of full-domain recoding (incognito): none of the levels that a release has could have
 * been lower, or lower ones would have been published. So with one column at the next lower level
 * some class somewhere failed. That it was a given one is the likelier the fewer others it may have
 * been: what is believed of a class depends on all.
 *
 * A finer recoding tells something only where all its classes are large enough; else their size may
 * be the reason. For each class worlds are drawn, and in which of the finer recodings some part of
 * it fails in each of them: the world's mask. Classes do not depend on each other, so the
 * probability that the masks of all others and this one are whole together is a sum over sets of
 * recodings of products over classes (inclusion and exclusion); it is the weight of the world.
 *
 * Cost: at most about WORK values drawn. As soon as the classes seen fail nearly surely in every
 * finer recoding the others need not be drawn: nothing is learnt of anybody. Memory: 2^FINER_MOST
 * numbers at most for each class that is drawn, of which the work leaves few: 150 MB where all
 * classes are single records, a k-th of it where they have k.
 */
#include "attack/minimality.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    FINER_MOST = 8, /* finer recodings that are looked at */
    WORLDS_FEWEST = 100,
    WORK = 30000000, /* values of members drawn, times finer recodings: worlds are chosen by it */
    WORK_MOST = 2 * WORK, /* work at which the attack gives up */
};

typedef struct finer { /* one column at a lower level than published */
    size_t column;
    uint32_t level;
} finer;

typedef struct levels {
    bt_minimality *m;
    finer finer[FINER_MOST];
    unsigned count;
    uint32_t *order; /* units, the smallest first */
    uint32_t *seen;  /* per place at a level: members of the class at hand */
    uint64_t *parts; /* per recoding: the members of the class at hand, part by part: the place
                        there << 32 | the member */
    uint32_t worlds; /* per class */
    double *fine;    /* per unit of `order` and set of recodings: the probability that the class
                        satisfies in all of the set */
    double *product; /* per set: the product of the probabilities in `fine` that are not 0 */
    uint32_t *zeros; /* per set: how many probabilities in `fine` are 0 */
    double *whole;   /* per mask of the class at hand: that with those of all others it is whole */
} levels;

static int compare_keys(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* ---- finer recodings --------------------------------------------------------------------- */

/* Where a member is at the level of a recoding: a node, or without a tree the value. */
static uint32_t place_of(const levels *l, const finer *one, uint32_t member)
{
    const bt_hierarchy *tree = l->m->layouts[one->column].tree;
    uint32_t code = bt_minimality_code(l->m, one->column, member);
    return tree ? bt_hierarchy_at(tree, code, one->level) : code;
}

/* The least of the parts of the class at hand. */
static uint32_t least_part(levels *l, const finer *one)
{
    uint32_t least = l->m->size;
    for (uint32_t i = 0; i < l->m->size; i++)
        l->seen[place_of(l, one, i)]++;
    for (uint32_t i = 0; i < l->m->size; i++) {
        uint32_t *seen = &l->seen[place_of(l, one, i)];
        if (*seen > 0 && *seen < least) least = *seen;
        *seen = 0;
    }
    return least;
}

/* Whether a finer recoding divides something, and only into parts that are large enough. */
static bool tells(levels *l, const finer *one, int64_t least, bool *divides)
{
    bool large = true;
    *divides = false;
    for (uint32_t unit = 0; unit < l->m->job->view->units && large; unit++) {
        bt_minimality_take(l->m, unit, unit);
        uint32_t part = least_part(l, one);
        *divides |= part < l->m->size;
        large = part == l->m->size || part >= least;
    }
    return *divides && large;
}

/* Finds the highest level of each column at which something would have been divided. */
static void find_finer(levels *l)
{
    bt_minimality *m = l->m;
    int64_t least = bt_requirements_least_size(&m->requirements);
    for (size_t c = 0; c < m->job->view->columns && l->count < FINER_MOST; c++) {
        const bt_hierarchy *tree = m->layouts[c].tree;
        bool divides = false;
        for (uint32_t level = tree ? tree->levels - 1 : 1; level-- > 0 && !divides;) {
            const finer one = {c, level};
            if (tells(l, &one, least, &divides)) l->finer[l->count++] = one;
        }
    }
}

/* ---- masks ------------------------------------------------------------------------------- */

static void take_class(levels *l, uint32_t unit)
{
    bt_minimality *m = l->m;
    bt_minimality_take(m, unit, unit);
    for (unsigned f = 0; f < l->count; f++) {
        uint64_t *parts = l->parts + (size_t)f * m->size;
        for (uint32_t i = 0; i < m->size; i++)
            parts[i] = (uint64_t)place_of(l, &l->finer[f], i) << 32 | i;
        qsort(parts, m->size, sizeof *parts, compare_keys);
    }
}

/* Whether some part of the class fails in a finer recoding, in the world at hand. */
static bauta_status class_fails(levels *l, unsigned number, bool *out, bauta_error *error)
{
    bt_minimality *m = l->m;
    const uint64_t *parts = l->parts + (size_t)number * m->size;
    *out = false;
    bt_tally_clear(m->tally);
    for (uint32_t i = 0; i < m->size && !*out; i++) {
        BT_TRY(bt_tally_add_row(m->tally, m->published[m->world[(uint32_t)parts[i]]], error));
        if (i + 1 < m->size && parts[i + 1] >> 32 == parts[i] >> 32) continue;
        *out = !bt_requirements_check(&m->requirements, m->tally, NULL);
        bt_tally_clear(m->tally);
    }
    return BAUTA_OK;
}

/* Draws a world; the mask has the recodings in which the class fails. */
static bauta_status draw_mask(levels *l, unsigned *mask, bauta_error *error)
{
    *mask = 0;
    bt_minimality_draw(l->m);
    for (unsigned f = 0; f < l->count; f++) {
        bool fails;
        BT_TRY(class_fails(l, f, &fails, error));
        *mask |= (unsigned)fails << f;
    }
    return BAUTA_OK;
}

static bauta_status draw_class(levels *l, uint32_t unit, double *fine, bauta_error *error)
{
    unsigned sets = 1u << l->count;
    take_class(l, unit);
    for (uint32_t w = 0; w < l->worlds; w++) {
        unsigned mask;
        BT_TRY(draw_mask(l, &mask, error));
        fine[~mask & (sets - 1)] += 1.0 / l->worlds;
    }
    for (unsigned f = 0; f < l->count; f++) /* sums over all sets that contain each */
        for (unsigned set = 0; set < sets; set++)
            if (!(set >> f & 1)) fine[set] += fine[set | 1u << f];
    for (unsigned set = 0; set < sets; set++) {
        l->zeros[set] += fine[set] <= 0;
        if (fine[set] > 0) l->product[set] *= fine[set];
    }
    return BAUTA_OK;
}

/* Whether the classes drawn so far fail in every finer recoding, nearly surely: what was never
 * drawn may still happen once in so many worlds. */
static bool is_explained(const levels *l)
{
    const double nearly = 1e-3;
    for (unsigned f = 0; f < l->count; f++)
        if (l->product[1u << f] * pow(1.0 / l->worlds, l->zeros[1u << f]) > nearly) return false;
    return true;
}

static int64_t work_of(const levels *l, uint32_t size)
{
    return (int64_t)size * l->count * l->worlds;
}

static bauta_status draw_classes(levels *l, const char **remark, bauta_error *error)
{
    const bt_view *view = l->m->job->view;
    int64_t work = 0;
    for (uint32_t i = 0; i < view->units && !*remark; i++) {
        BT_TRY(bt_run_progress(l->m->job->attacker->run, 0, "minimality", i, view->units, error));
        BT_TRY(draw_class(l, l->order[i], l->fine + ((size_t)i << l->count), error));
        work += work_of(l, l->m->size);
        if (!l->m->retrace.coins && is_explained(l))
            *remark = "so many classes may fail at lower levels that nobody learns which did";
        else if (work > WORK_MOST)
            *remark = "the classes are too many to be replayed";
    }
    return BAUTA_OK;
}

/* ---- beliefs ----------------------------------------------------------------------------- */

/* The probability that no other class fails in any recoding of the set. */
static double others_fine(const levels *l, uint32_t place, unsigned set)
{
    double own = l->fine[((size_t)place << l->count) + set];
    if (l->zeros[set] > (own <= 0)) return 0;
    return own > 0 ? l->product[set] / own : l->product[set];
}

/* The probability that of these recodings each fails in some other class. */
static double others_fail(const levels *l, uint32_t place, unsigned recodings)
{
    double sum = 0;
    for (unsigned set = recodings;; set = (set - 1) & recodings) {
        double fine = others_fine(l, place, set);
        sum += __builtin_popcount(set) % 2 ? -fine : fine;
        if (set == 0) break;
    }
    return fmax(0, sum);
}

/* How likely the published levels are given the mask of a class: all finer recodings fail. With
 * minimal=no that is so in half of the cases; in the other half one column was raised that did not
 * need it, one of all at random: so one recoding does not fail. */
static void weigh_masks(levels *l, uint32_t place)
{
    unsigned sets = 1u << l->count;
    double columns = (double)l->m->job->view->columns;
    for (unsigned mask = 0; mask < sets; mask++) {
        unsigned rest = ~mask & (sets - 1);
        double all = others_fail(l, place, rest), raised = 0;
        for (unsigned f = 0; f < l->count; f++)
            if (rest >> f & 1) raised += others_fail(l, place, rest & ~(1u << f)) - all;
        double weight = l->m->retrace.coins ? all / 2 + raised / (2 * columns) : all;
        l->whole[mask] = weight > 1e-12 ? weight : 0;
    }
}

static bauta_status believe_class(levels *l, uint32_t place, bauta_error *error)
{
    bt_minimality *m = l->m;
    uint32_t unit = l->order[place];
    if (m->job->view->unit_size[unit] > BT_MEMBERS_MOST) return BAUTA_OK;
    weigh_masks(l, place);
    take_class(l, unit);
    for (uint32_t w = 0; w < l->worlds; w++) { /* the same worlds as before */
        unsigned mask;
        BT_TRY(draw_mask(l, &mask, error));
        if (l->whole[mask] > 0) bt_minimality_believe(m, l->whole[mask]);
    }
    bt_minimality_guess(m, unit);
    return BAUTA_OK;
}

/* ------------------------------------------------------------------------------------------ */

/* Units by size, those of equal size as they are numbered. */
static void order_units(levels *l, uint64_t *keys)
{
    const bt_view *view = l->m->job->view;
    for (uint32_t u = 0; u < view->units; u++)
        keys[u] = (uint64_t)view->unit_size[u] << 32 | u;
    qsort(keys, view->units, sizeof *keys, compare_keys);
    for (uint32_t u = 0; u < view->units; u++)
        l->order[u] = (uint32_t)keys[u];
}

static bauta_status make_levels(levels *l, bauta_error *error)
{
    const bt_view *view = l->m->job->view;
    bt_arena *arena = &l->m->arena;
    size_t largest = 1, places = 1;
    for (uint32_t u = 0; u < view->units; u++)
        if (view->unit_size[u] > largest) largest = view->unit_size[u];
    for (size_t c = 0; c < view->columns; c++) {
        const bt_hierarchy *tree = l->m->layouts[c].tree;
        size_t all = tree ? tree->count : view->known[c]->domain.size;
        if (all > places) places = all;
    }
    uint64_t *keys = bt_arena_array(arena, view->units, sizeof *keys);
    l->order = bt_arena_array(arena, view->units, sizeof *l->order);
    l->seen = bt_arena_array(arena, places, sizeof *l->seen);
    l->parts = bt_arena_array(arena, largest, FINER_MOST * sizeof *l->parts);
    if (!keys || !l->order || !l->seen || !l->parts) return bt_fail_memory(error);
    order_units(l, keys);
    return BAUTA_OK;
}

/* The classes that are drawn before the work is too much. */
static uint32_t count_drawn(const levels *l)
{
    const bt_view *view = l->m->job->view;
    uint32_t drawn = 0;
    for (int64_t work = 0; drawn < view->units && work <= WORK_MOST; drawn++)
        work += work_of(l, view->unit_size[l->order[drawn]]);
    return drawn;
}

static bauta_status make_sets(levels *l, bauta_error *error)
{
    size_t sets = (size_t)1 << l->count;
    bt_arena *arena = &l->m->arena;
    l->fine = bt_arena_array(arena, count_drawn(l), sets * sizeof *l->fine);
    l->product = bt_arena_array(arena, sets, sizeof *l->product);
    l->zeros = bt_arena_array(arena, sets, sizeof *l->zeros);
    l->whole = bt_arena_array(arena, sets, sizeof *l->whole);
    if (!l->fine || !l->product || !l->zeros || !l->whole) return bt_fail_memory(error);
    for (size_t set = 0; set < sets; set++)
        l->product[set] = 1;
    return BAUTA_OK;
}

static bauta_status replay(levels *l, const char **remark, bauta_error *error)
{
    bt_minimality *m = l->m;
    BT_TRY(make_levels(l, error));
    find_finer(l);
    if (l->count == 0) {
        *remark = "at lower levels classes are too small";
        return BAUTA_OK;
    }
    int64_t once = m->secret->rows * l->count;
    l->worlds = once > WORK / BT_WORLDS ? (uint32_t)(WORK / once) : BT_WORLDS;
    if (l->worlds < WORLDS_FEWEST) l->worlds = WORLDS_FEWEST;
    BT_TRY(make_sets(l, error));
    BT_TRY(draw_classes(l, remark, error));
    for (uint32_t i = 0; i < m->job->view->units && !*remark; i++)
        BT_TRY(believe_class(l, i, error));
    return BAUTA_OK;
}

bauta_status bt_minimality_levels(bt_minimality *m, bauta_error *error)
{
    levels l = {.m = m};
    const char *remark = NULL;
    for (uint32_t u = 0; u < m->job->view->units; u++)
        if (!m->members.settled[u]) remark = "not all members of classes are known";
    if (!remark) BT_TRY(replay(&l, &remark, error));
    if (remark) snprintf(m->result.detail, sizeof m->result.detail, "%s", remark);
    return BAUTA_OK;
}
