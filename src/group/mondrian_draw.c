/* SPDX-License-Identifier: Apache-2.0
 *
 * Mondrian with minimal=FACTOR: whether a part is cut, and which of the cuts that quasi values
 * propose is made, is drawn. No one sensitive value has much of a say in what comes out;
 * docs/minimality.md proves how much.
 *
 * A cut has slack s: so many persons' values could be any others, and both sides would satisfy the
 * requirements still (bt_requirements_slack); -1 if a side does not satisfy. In a round there are
 * cuts i with weights w_i that come to 1, and a number x that says how much the round may tell. Let
 * G_i be (1 + x)^(s_i + 1), but at most GROWN_MOST, and Z the sum of all w_i G_i. Then cut i is
 * made with chance w_i (G_i - 1) / Z, and none with 1 / Z. If an exchange of two persons' values
 * moves no slack by more than one, it multiplies Z by at most 1 + x. Of the cut that is made the
 * slack is published, as it were: its sides are unions of classes.
 *
 * The first round has one cut, the second all others. So nothing is told by a first round in which
 * the cut is made, and each other round is told to all classes below it: what a part has left of
 * the factor is divided by 1 + x, and a class has at least 1 left.
 *
 * Weights are powers of two, and what is done with doubles besides is a single operation each, so
 * that every machine comes to the same numbers; SPARE covers what they are rounded by.
 */
#include "base/hash.h"
#include "group/mondrian.h"

#include <math.h>

/* What only decides how much is lost, not what is proven. */
static const double GROWN_MOST =
    4096; /* a round in which all is well makes no cut once in so many */
static const double FIRST_SHARE = 0.75; /* of what is left, for the first round */
/* Large parts have much slack, and need to tell little: x is at most so much, times the size of the
 * smallest class over that of the part. */
static const double ENOUGH = 200;

static const double SPARE = 1.0 / (1 << 30);

double bt_mondrian_factor(uint64_t factor)
{
    return (double)factor * (1 - SPARE);
}

/* ---- what cuts told ---------------------------------------------------------------------- */

uint32_t bt_mondrian_apart(const bt_mondrian_part *p, uint32_t column)
{
    for (const bt_mondrian_told *told = p->told; told; told = told->above)
        if (told->column == column) return told->apart;
    return 0;
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

static bauta_status tell(const bt_mondrian *m, bt_mondrian_part *p, const bt_mondrian_cut *made,
                         bt_mondrian_worker *w, bauta_error *error)
{
    BT_TRY(bt_mondrian_mark_right(m, p, made, w, error));
    bt_mondrian_told *one = bt_arena_array(&w->told, 1, sizeof *one);
    if (!one) return bt_fail_memory(error);
    *one = (bt_mondrian_told){p->told, made->column, measure_apart(m, p, made, w)};
    p->told = one;
    return BAUTA_OK;
}

/* ---- slack ------------------------------------------------------------------------------- */

/* Puts the profiles of the part, or its rows, into w->sorted: the left side, then the right. */
static bauta_status sort_sides(const bt_mondrian *m, const bt_mondrian_part *p,
                               bt_mondrian_worker *w, const bt_mondrian_cut *cut,
                               bauta_error *error)
{
    uint32_t size = p->end - p->start, left = 0, right = cut->left;
    const uint32_t *records = m->by_row ? m->runs.rows : m->runs.profiles;
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

/* base^exponent, or `most` if that is less; base >= 1. */
static double power(double base, int64_t exponent, double most)
{
    double result = 1;
    for (; exponent > 0 && result < most; exponent /= 2) {
        if (exponent % 2) result *= base;
        base = base < most ? base * base : most;
    }
    return result < most ? result : most;
}

/* G of the header comment. */
static bauta_status grow(const bt_mondrian *m, const bt_mondrian_part *p, bt_mondrian_worker *w,
                         const bt_mondrian_cut *cut, double x, double *out, bauta_error *error)
{
    int64_t slack;
    BT_TRY(sort_sides(m, p, w, cut, error));
    const bt_sides_job sides = {.requirements = m->job->requirements,
                                .records = w->sorted,
                                .times = m->runs.times ? w->sorted_times : NULL,
                                .count = p->end - p->start,
                                .size = p->size,
                                .borders = &cut->left,
                                .left = &cut->records,
                                .border_count = 1};
    BT_TRY(bt_sides_slack(w->sides, &sides, &slack, error));
    *out = power(1 + x, slack < INT64_MAX ? slack + 1 : slack, GROWN_MOST);
    return BAUTA_OK;
}

/* ---- drawing ----------------------------------------------------------------------------- */

/* 1/2, 1/4 and so on; the last has what is left. */
static double weight(size_t place, size_t count)
{
    return 1 / (double)((uint64_t)1 << (place + 1 < count ? place + 1 : place));
}

/* A number from 0 to 1 for a round of a part. No two parts of a run agree in box and size. */
static double draw(const bt_mondrian *m, const bt_mondrian_part *p, const bt_mondrian_worker *w,
                   uint64_t round)
{
    bt_stream stream;
    uint64_t box = bt_hash_fixed(w->ranges, m->columns * sizeof *w->ranges);
    bt_stream_init(&stream, &m->job->run->seed, "cut of a part", box);
    bt_stream_seek(&stream, 2 * p->size + round);
    return (double)(bt_stream_next(&stream) >> 11) / (double)((uint64_t)1 << 53);
}

/* Draws one of the proposals from..to-1; *made is `to` when it is none of them. */
static bauta_status play_round(const bt_mondrian *m, const bt_mondrian_part *p,
                               bt_mondrian_worker *w, size_t from, size_t to, double x,
                               size_t *made, bauta_error *error)
{
    double all = 0, so_far = 0, drawn = draw(m, p, w, from > 0);
    for (size_t i = from; i < to; i++) {
        BT_TRY(grow(m, p, w, &w->proposals[i], x, &w->grown[i], error));
        all += weight(i - from, to - from) * w->grown[i];
    }
    for (*made = from; *made < to; ++*made) {
        so_far += weight(*made - from, to - from) * (w->grown[*made] - 1);
        if (drawn * all < so_far) break;
    }
    return BAUTA_OK;
}

bauta_status bt_mondrian_draw(const bt_mondrian *m, bt_mondrian_part *p, bt_mondrian_worker *w,
                              bt_mondrian_cut *out, bauta_error *error)
{
    double enough = ENOUGH * (double)m->least / (double)p->size;
    size_t made;
    *out = (bt_mondrian_cut){.code = BT_NO_CUT};
    if (p->left <= 1) return BAUTA_OK;
    BT_TRY(bt_mondrian_propose(m, p, w, error));
    if (w->proposal_count == 0) return BAUTA_OK;
    double x = fmin(FIRST_SHARE * (p->left - 1), enough);
    BT_TRY(play_round(m, p, w, 0, 1, x, &made, error));
    if (made == 1) {
        p->left = fmax(p->left / (1 + x), 1);
        x = fmin(p->left - 1, enough);
        BT_TRY(bt_mondrian_propose_others(m, p, w, error));
        BT_TRY(play_round(m, p, w, 1, w->proposal_count, x, &made, error));
        p->left = fmax(p->left / (1 + x), 1);
    }
    if (made == w->proposal_count) return BAUTA_OK;
    *out = w->proposals[made];
    return tell(m, p, out, w, error);
}
