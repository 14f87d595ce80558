/* SPDX-License-Identifier: Apache-2.0
 *
 * Prices of nodes, compared exactly.
 *
 * The fractions of a sum have denominators without much in common, so there is none for the whole
 * sum that would fit a word. They are divided out instead, 32 bits at a time. Two of these give
 * the approximation that settles nearly every comparison; the rest are only asked for when two
 * prices are as good as equal, and there are enough of them once two different sums of such
 * fractions must differ.
 */
#include "group/incognito.h"

enum { DIGIT = 32 };

bt_wide bt_near(uint64_t term, uint64_t top, bt_wide bottom)
{
    bt_wide product = (bt_wide)term * top;
    if (bottom == 1) return product << 64;
    bt_wide near = product / bottom << 64, rest = product % bottom << DIGIT;
    near |= rest / bottom << DIGIT;
    return near | (rest % bottom << DIGIT) / bottom;
}

bt_wide bt_near_all(const bt_lattice *lattice, const uint64_t *terms)
{
    bt_wide near = 0;
    if (!lattice->separable) return (bt_wide)terms[0] << 64;
    for (size_t c = 0; c < lattice->columns; c++)
        near += bt_near(terms[c], lattice->scales[c].top, lattice->scales[c].bottom);
    return near;
}

/* When there is a term for each column. Denominators are below 2^96. */
static int compare_terms(const bt_lattice *lattice, const uint64_t *a, const uint64_t *b,
                         bt_wide *scratch)
{
    size_t terms = lattice->terms;
    bt_wide *left = scratch, *right = scratch + terms; /* what is still to be divided */
    __int128 ahead = 0; /* of a, as far as it was divided; what is left is less than `terms` */
    for (size_t i = 0; i < terms; i++) {
        const bt_scale *scale = &lattice->scales[i];
        left[i] = (bt_wide)a[i] * scale->top;
        right[i] = (bt_wide)b[i] * scale->top;
        ahead += (__int128)(left[i] / scale->bottom) - (__int128)(right[i] / scale->bottom);
        left[i] %= scale->bottom;
        right[i] %= scale->bottom;
    }
    __int128 limit = (__int128)terms;
    for (size_t digit = 0; digit < 3 * terms + 2 && ahead > -limit && ahead < limit; digit++) {
        ahead *= (__int128)1 << DIGIT;
        for (size_t i = 0; i < terms; i++) {
            bt_wide bottom = lattice->scales[i].bottom;
            left[i] <<= DIGIT;
            right[i] <<= DIGIT;
            ahead += (__int128)(left[i] / bottom) - (__int128)(right[i] / bottom);
            left[i] %= bottom;
            right[i] %= bottom;
        }
    }
    return ahead >= limit ? 1 : ahead <= -limit ? -1 : 0;
}

int bt_price_compare(const bt_lattice *lattice, const bt_price *a, const bt_price *b,
                     bt_wide *scratch)
{
    if (!lattice->separable) return (a->near > b->near) - (a->near < b->near);
    if (a->near >= b->near + lattice->terms) return 1;
    if (b->near >= a->near + lattice->terms) return -1;
    return compare_terms(lattice, a->terms, b->terms, scratch);
}

bt_wide bt_near_at_least(const bt_lattice *lattice, const uint16_t *levels, int64_t least)
{
    uint64_t rows = (uint64_t)lattice->kept, records = (uint64_t)lattice->records;
    bt_wide near = 0;
    switch (lattice->goal) {
    case BT_GOAL_DISCERNIBILITY:
        return ((bt_wide)rows * (uint64_t)least + (records - rows) * records) << 64;
    case BT_GOAL_CLASSES: return (bt_wide)(records - rows / (uint64_t)least) << 64;
    default:
        for (size_t c = 0; c < lattice->columns; c++)
            near += bt_rung_at(&lattice->scales[c], levels[c])->near;
        return near;
    }
}
