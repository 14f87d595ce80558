/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian with minimal=FACTOR: one cut of each part is tried, and sensitive values have no say but
 * whether it is made. docs/minimality.md proves what that gives away.
 *
 * Which cut is tried follows from the quasi values of the part, from sizes, and from how far apart
 * the cuts above it set the sensitive values of their sides; whoever sees the classes knows all of
 * that. A cut that is tried is not made when a side of it would not satisfy, and by chance: of s
 * records with m in the smallest class that may be, 2m in FACTOR * s. So a class of s records says
 * of what is in it that the cut failed FACTOR * s / 2m times as likely as before, and not more.
 */
#include "group/mondrian.h"

#include <math.h>

/* ---- what cuts told ---------------------------------------------------------------------- */

uint32_t bt_mondrian_apart(const bt_mondrian_part *p, uint32_t column)
{
    for (const bt_mondrian_told *told = p->told; told; told = told->above)
        if (told->column == column) return told->apart;
    return 0;
}

/* ---- trying ------------------------------------------------------------------------------ */

/* Puts the profiles of the part, or its rows, into w->sorted: the left side, then the right. */
static bauta_status sort_sides(const bt_mondrian *m, const bt_mondrian_part *p,
                               const uint32_t *records, bt_mondrian_worker *w,
                               const bt_mondrian_cut *cut, bauta_error *error)
{
    uint32_t size = p->end - p->start, left = 0, right = cut->left;
    BT_TRY(bt_array_grow(&w->sorted, &w->sorted_capacity, size, sizeof *w->sorted, error));
    BT_TRY(bt_mondrian_mark_right(m, p, cut, w, error));
    const uint64_t *times = m->runs.times;
    if (times)
        BT_TRY(bt_array_grow(&w->sorted_times, &w->sorted_times_capacity, size,
                             sizeof *w->sorted_times, error));
    for (uint32_t i = 0; i < size; i++) {
        uint32_t place = w->goes_right[i] ? right++ : left++;
        w->sorted[place] = records[p->start + i];
        if (times) w->sorted_times[place] = times[p->start + i];
    }
    return BAUTA_OK;
}

/* How far apart the values of the two sides are, beyond what chance sets apart: half the sum of the
 * differences of shares. Whole numbers, so that the order of records does not matter. */
static uint32_t measure_apart(const bt_mondrian *m, const bt_mondrian_part *p,
                              const bt_mondrian_cut *cut, bt_mondrian_worker *w)
{
    uint32_t size = p->end - p->start;
    uint64_t left = cut->records, right = p->size - left;
    const uint64_t *times = m->runs.times ? m->runs.times + p->start : NULL;
    const uint32_t *profiles = m->runs.profiles + p->start;
    unsigned __int128 sum = 0, all = (unsigned __int128)2 * left * right;
    for (uint32_t i = 0; i < size; i++)
        w->tallied[2 * (size_t)profiles[i] + (w->goes_right[i] & 1)] += times ? times[i] : 1;
    for (uint32_t i = 0; i < size; i++) {
        uint64_t *both = w->tallied + 2 * (size_t)profiles[i];
        unsigned __int128 here = (unsigned __int128)both[0] * right;
        unsigned __int128 there = (unsigned __int128)both[1] * left;
        unsigned __int128 differ = here > there ? here - there : there - here;
        double count = (double)both[0] + (double)both[1];
        unsigned __int128 chance =
            (unsigned __int128)(0.8 * sqrt(count * (double)left * (double)right));
        if (differ > chance) sum += differ - chance;
        both[0] = both[1] = 0;
    }
    return (uint32_t)((sum << BT_APART_BITS) / all);
}

bauta_status bt_mondrian_try(const bt_mondrian *m, const bt_mondrian_part *p, bt_mondrian_worker *w,
                             bt_mondrian_cut *cut, const bt_mondrian_told **told,
                             bauta_error *error)
{
    uint32_t best;
    bool found = false;
    if (!bt_part_stays(m->job, 2 * (uint64_t)m->least, m->factor * p->size, p->first,
                       p->first + p->size)) {
        const uint32_t *records = m->by_row ? m->runs.rows : m->runs.profiles;
        BT_TRY(sort_sides(m, p, records, w, cut, error));
        const bt_sides_job sides = {.requirements = m->job->requirements,
                                    .records = w->sorted,
                                    .times = m->runs.times ? w->sorted_times : NULL,
                                    .count = p->end - p->start,
                                    .size = p->size,
                                    .borders = &cut->left,
                                    .left = &cut->records,
                                    .border_count = 1};
        BT_TRY(bt_sides_best(w->sides, &sides, &found, &best, error));
    }
    if (!found) {
        cut->code = BT_NO_CUT;
        return BAUTA_OK;
    }
    bt_mondrian_told *one = bt_arena_array(&w->told, 1, sizeof *one);
    if (!one) return bt_fail_memory(error);
    *one = (bt_mondrian_told){p->told, cut->column, measure_apart(m, p, cut, w)};
    *told = one;
    return BAUTA_OK;
}
