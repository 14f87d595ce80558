/* SPDX-License-Identifier: Apache-2.0
 *
 * Whose row each row of a randomized release is, as far as the original tells: what guesses are
 * compared with. The release does not say it, and an attack has no other source; but the original
 * has everyone's quasi values and sensitive values together, and each row is one record's. Only
 * src/attack may include this.
 *
 * The chance that record q's row is r, given all rows and all records, is a ratio of permanents,
 * which are approximated pair by pair (redrawn_matches.c). Where there are too many pairs it is
 * taken to be a_q * chance(q, r) * b_r, with factors such that every row is one record's and every
 * record has one row (Sinkhorn 1964): that is a little less sure than it could be, and the closer
 * the more rows may be whose.
 */
#ifndef BT_REDRAWN_TRUTH_H
#define BT_REDRAWN_TRUTH_H

#include "attack/secret.h"

typedef struct bt_redrawn_match { /* a kind of rows that may be those of a kind of people */
    uint32_t row;
    double own;    /* the probability that a row of it is that of one of them */
    double chance; /* the chance that a record of theirs became it */
} bt_redrawn_match;

typedef struct bt_redrawn_truth {
    bt_redrawn redrawn;     /* rows and people that are alike in the view and in all sensitive
                               columns: kinds. Its sets are those of the view */
    bt_tuples rows, people; /* the kinds of rows and of people */
    uint32_t *row_group;    /* per kind of rows: its group in the view */
    uint32_t *target;       /* per kind of people: its target in the view */
    uint32_t *row_mark;     /* per kind of rows: the mark, a number for its sensitive values */
    uint32_t *person_mark;  /* per kind of people: its mark; BT_TUPLE_NONE: no row has it */
    uint32_t marks;         /* every mark is below */
    uint32_t *mark_of;      /* per row of the release: its mark */
    uint32_t *row_kind, *person_kind;   /* per row, per person */
    double *row_weight, *person_weight; /* b and a, after bt_redrawn_truth_balance */
    bt_redrawn_match *pairs; /* of kind p of people: pairs[pair_first[p]..pair_first[p + 1]); NULL:
                                there are too many */
    size_t *pair_first;
    bt_arena arena;
} bt_redrawn_truth;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_redrawn_truth_open(const bt_view *view, const bt_run *run,
                                               bt_redrawn_truth *out, bauta_error *error);
/* Finds the factors, and the pairs. */
BT_MUST_USE bauta_status bt_redrawn_truth_balance(bt_redrawn_truth *truth, const bt_view *view,
                                                  bauta_error *error);
/* Finds the pairs from the factors, as a step of bt_redrawn_truth_balance. For redrawn_truth.c. */
BT_MUST_USE bauta_status bt_redrawn_truth_pair(bt_redrawn_truth *truth, bool everyone,
                                               bauta_error *error);
void bt_redrawn_truth_close(bt_redrawn_truth *truth);

#endif
