/* SPDX-License-Identifier: Apache-2.0
 *
 * Undoing a known randomization (paper 4): what the answer over the original records is, when those
 * of the release had some of their columns redrawn, each from its own distribution.
 *
 * The signatures of the columns that a condition names are axes; a cell is one signature of each.
 * A function of a record is a number per cell, and with a target a polynomial in its value v per
 * cell: plane p holds what is multiplied by v^p. Along an axis a function has a mean (by the
 * column's own distribution) and what deviates from it, so that over all axes it falls into parts,
 * one for each set of axes along which it deviates. Redrawing a column replaces the function by its
 * mean along that axis. So, on average, a part over the set A is multiplied by
 *
 *     keep(A) = the chance that no column of A was redrawn
 *
 * and dividing each part by it gives a function whose expected sum over the released records is the
 * sum of the wanted one over the original records. That is a sum over supports of sub-combinations.
 * Where keep(A) is 0 the release says nothing about the part: it is lost. A part over one redrawn
 * column alone adds up to 0 over the original, whatever the column holds, and needs no dividing.
 *
 * The distributions are those of the release itself. They are unbiased, but they are noise as well:
 * the variance counts it in (by the derivative of the answer after each share), and the product of
 * several leaves a bias far below one record, which goes to 0 as records grow more.
 *
 * Cost: the number of parts, times axes.
 */
#ifndef BT_INVERSION_H
#define BT_INVERSION_H

#include "base/memory.h"

enum { BT_INVERSE_AXES = 12, BT_INVERSE_PARTS = 1 << 20, BT_INVERSE_PLANES = 3 };

typedef struct bt_inverse_space {
    size_t count;                   /* axes */
    uint32_t size[BT_INVERSE_AXES]; /* of each: signatures */
    uint32_t redrawn;               /* the set of axes whose columns may have been redrawn */
    size_t target;                  /* the axis of v; `count`: there is none */
    const double *keep;             /* per set of axes */
    /* filled by bt_inverse_space_make: */
    size_t planes;       /* of the records: 1, or with a target BT_INVERSE_PLANES */
    size_t cells, parts; /* products of the sizes, and of the sizes + 1 */
    double *records;     /* per plane and cell: released records, sums of v, of v^2 */
    /* filled by bt_inverse_space_learn: */
    double total;                    /* records */
    double *shares[BT_INVERSE_AXES]; /* per signature, of the target for each plane: records there,
                                     or sums of the powers of v, over all records */
    double *supports;                /* per plane and part: of the sub-combinations */
    uint16_t *sets;                  /* per part: its axes */
    double *undo;                    /* per set: what a part is multiplied by */
    double *work[2], *means, *function, *slopes; /* room */
} bt_inverse_space;

/* Whether so many parts are few enough. */
bool bt_inverse_space_fits(const bt_inverse_space *space);

/* Makes room for the records; the caller counts them into their cells. Memory from the arena. */
BT_MUST_USE bauta_status bt_inverse_space_make(bt_inverse_space *space, bt_arena *arena,
                                               bauta_error *error);

/* What follows from the records. */
BT_MUST_USE bauta_status bt_inverse_space_learn(bt_inverse_space *space, bt_arena *arena,
                                                bauta_error *error);

typedef struct bt_inverted {
    double sum;       /* over the original records, estimated */
    double variance;  /* of that; never below 0 */
    double inflation; /* the largest 1 / keep of a part that mattered; 1: nothing was undone */
    bool lost;        /* some part was: the sum is without it */
    bool rough;       /* the variance cannot be undone: what stands there is more than it */
} bt_inverted;

/* The sum of a function with two planes, or without a target one, at [plane * cells + cell]. */
void bt_invert(bt_inverse_space *space, const double *function, bt_inverted *out);

#endif
