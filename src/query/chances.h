/* SPDX-License-Identifier: Apache-2.0
 *
 * What the published texts of a column mean for one query: which signatures each text leaves
 * possible, which share of it falls on each, and what numbers those are.
 *
 * Whether something is possible is exact. Shares are for estimates only: values are spread evenly
 * over the numbers of a range, the leaves of a node and the members of a set (paper 4, eq. 12).
 */
#ifndef BT_CHANCES_H
#define BT_CHANCES_H

#include "query/predicate.h"

/* A value that has no bound on one side. Numbers of a release have 18 digits at most. */
#define BT_LOWEST INT64_MIN
#define BT_HIGHEST INT64_MAX

typedef struct bt_chances { /* per code and signature: at [code * signatures + signature] */
    uint32_t signatures;
    double *share; /* of each code: add up to 1 */
    bool *can;
    /* of the target: the numbers that it then has; the mean as they are spread */
    int64_t *lo, *hi;
    double *mean;
    bool *guessed; /* per code, of a column of which the manifest does not say in full what texts
                      stand for: shares or the mean are no more than a guess; else NULL */
    bool loose;    /* what is called possible may not all be */
} bt_chances;

BT_MUST_USE bauta_status bt_chances_make(const bt_slot *slot, bool target, bt_arena *arena,
                                         bt_chances *out, bauta_error *error);

/* The signature of each code of a column that is exact. */
BT_MUST_USE bauta_status bt_chances_exact(const bt_slot *slot, bt_arena *arena, uint32_t **out,
                                          bauta_error *error);

/* The number of a code of such a column; 0 for the missing value. */
int64_t bt_column_number(const bt_query_column *column, uint32_t code);

/* ---- pieces: for what needs more than sums ---- */

/* Numbers lo..hi of one segment, with a weight that is comparable within a code. */
typedef void (*bt_piece_visit)(void *user, uint32_t segment, int64_t lo, int64_t hi, double weight);

typedef struct bt_pieces {
    const bt_slot *slot;
    uint32_t *segment_of_value; /* per listed value */
} bt_pieces;

BT_MUST_USE bauta_status bt_pieces_open(const bt_slot *slot, bt_arena *arena, bt_pieces *out,
                                        bauta_error *error);

/* Visits all that a text may stand for. False: nothing is known that would weigh one against the
 * other, and all weights are 0. */
bool bt_pieces_visit(const bt_pieces *pieces, const bt_meaning *meaning, bt_piece_visit visit,
                     void *user);

#endif
