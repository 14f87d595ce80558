/* SPDX-License-Identifier: Apache-2.0
 *
 * The inside of the method `mondrian` (mondrian*.c). Only these files include this.
 */
#ifndef BT_MONDRIAN_H
#define BT_MONDRIAN_H

#include "group/method.h"
#include "require/sides.h"

enum { BT_MONDRIAN_ORDER, BT_MONDRIAN_CUTS, BT_MONDRIAN_MINIMAL }; /* options */
enum { BT_CUTS_HIERARCHY, BT_CUTS_ORDER };
enum { BT_NO_CUT = UINT32_MAX };

/* What a cut above a part told of its column (minimal=FACTOR). */
typedef struct bt_mondrian_told {
    const struct bt_mondrian_told *above; /* NULL: it was the first */
    uint32_t column;
    uint32_t apart; /* of sensitive values on both sides, of BT_APART_ALL */
} bt_mondrian_told;

enum { BT_APART_BITS = 16, BT_APART_ALL = 1 << BT_APART_BITS };

typedef struct bt_mondrian_part {
    uint32_t start, end; /* places */
    uint64_t first;      /* records before it; as many as places, unless these are counted tuples */
    uint64_t size;       /* records of it */
    uint32_t turn;       /* order=round-robin: the column to begin with */
    double left;         /* minimal=FACTOR: what cuts above left of the factor */
    const bt_mondrian_told *told;
} bt_mondrian_part;

typedef struct bt_mondrian_cut {
    uint32_t column;
    uint32_t code,
        last;         /* rows with codes from the one to the other go right; BT_NO_CUT: none do */
    uint32_t left;    /* places that go left */
    uint64_t records; /* records that go left */
} bt_mondrian_cut;

typedef struct bt_mondrian_worker {
    uint64_t *counts; /* as many as the largest domain has codes; all zero between uses */
    bt_code_counts view;
    bt_box *ranges; /* order=widest: per column */
    uint64_t *widths;
    uint8_t *goes_right; /* per row: 0 or 0xff */
    uint32_t *places;    /* of the rows of both sides within the part */
    uint64_t *moved;     /* room for any column's codes that go right, or their times */
    size_t goes_capacity, places_capacity, moved_capacity;
    /* when requirements ask for more than sizes */
    bt_sides *sides;
    uint64_t *border_sizes;           /* records left of each border of the column in view */
    uint32_t *border_codes, *borders; /* its different codes, and places, left of each */
    uint32_t *sorted;                 /* profiles of the part in its order, or rows */
    uint64_t *sorted_times;           /* how many records each stands for; or unused */
    size_t sorted_capacity, sorted_times_capacity;
    uint64_t *tallied;          /* minimal=FACTOR: per profile, of both sides; zero between uses */
    bt_arena told;              /* what cuts told */
    bt_mondrian_cut *proposals; /* at most one per column */
    double *grown;              /* of each of them, mondrian_draw.c */
    size_t proposal_count;
    uint32_t *ranked; /* codes of a part, and room to sort them */
    size_t ranked_capacity;
    bt_mondrian_part *stack;
    size_t stack_count, stack_capacity;
} bt_mondrian_worker;

typedef struct bt_mondrian {
    const bt_method_job *job;
    size_t columns;
    const bt_column **quasi;
    bt_runs runs;
    bool by_row;      /* persons are counted by rows, not by profiles */
    uint64_t *starts; /* a bit per row: a class begins here; set atomically */
    int64_t least;    /* size of the smallest class that satisfies the requirements */
    uint64_t factor;  /* minimal=FACTOR, where requirements ask for more than sizes; else 0 */
    bt_mondrian_worker *workers;
    unsigned worker_count;
} bt_mondrian;

/* Puts the column in view. */
BT_MUST_USE bauta_status bt_mondrian_look(const bt_mondrian *m, const bt_mondrian_part *p,
                                          size_t column, bt_box range, bt_mondrian_worker *w,
                                          bauta_error *error);

/* The best cut of a column; its code is BT_NO_CUT when there is none. */
BT_MUST_USE bauta_status bt_mondrian_find_cut(const bt_mondrian *m, const bt_mondrian_part *p,
                                              size_t column, bt_box range, bt_mondrian_worker *w,
                                              bt_mondrian_cut *out, bauta_error *error);

/* The cut of a part; its code is BT_NO_CUT when the part becomes a class. Sets w->ranges. */
BT_MUST_USE bauta_status bt_mondrian_choose(const bt_mondrian *m, const bt_mondrian_part *p,
                                            bt_mondrian_worker *w, bt_mondrian_cut *out,
                                            bauta_error *error);

/* minimal=FACTOR: how far apart the last cut of a column above a part set its sides. */
uint32_t bt_mondrian_apart(const bt_mondrian_part *p, uint32_t column);

/* minimal=FACTOR: cuts that quasi values propose go into w->proposals, at most one for each column,
 * the best first; none when the part is too small. Sets w->ranges. */
BT_MUST_USE bauta_status bt_mondrian_propose(const bt_mondrian *m, const bt_mondrian_part *p,
                                             bt_mondrian_worker *w, bauta_error *error);
/* After that: all that there are, those from before first. */
BT_MUST_USE bauta_status bt_mondrian_propose_others(const bt_mondrian *m, const bt_mondrian_part *p,
                                                    bt_mondrian_worker *w, bauta_error *error);

/* What a table begins with of minimal=FACTOR. */
double bt_mondrian_factor(uint64_t factor);

/* minimal=FACTOR: one of the cuts that are proposed is drawn, or none: then its code is BT_NO_CUT.
 * What cuts tell and what is left of the factor become, in *p, those of the parts that come of it.
 */
BT_MUST_USE bauta_status bt_mondrian_draw(const bt_mondrian *m, bt_mondrian_part *p,
                                          bt_mondrian_worker *w, bt_mondrian_cut *out,
                                          bauta_error *error);

/* Marks in w->goes_right the rows that a cut sends right. */
BT_MUST_USE bauta_status bt_mondrian_mark_right(const bt_mondrian *m, const bt_mondrian_part *p,
                                                const bt_mondrian_cut *chosen,
                                                bt_mondrian_worker *w, bauta_error *error);

#endif
