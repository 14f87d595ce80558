/* SPDX-License-Identifier: Apache-2.0
 *
 * What a randomized release says of which row is whose: the chance that a record became a row. Only
 * src/attack and src/job may include this.
 *
 * In each record lambda quasi columns, others in every one, were drawn anew from the values that
 * the columns have. So a record q became row r by one of the sets of columns that contain all in
 * which both differ; each has its probability, and gives r with the product of the shares that r's
 * values have in the release (equation 6 of paper 4; docs/randomized.md). Of columns that the
 * attacker does not know nothing is said: what may have happened there is summed up.
 *
 * The chance depends on the row and on where both differ alone. So no pairs are kept: for each set,
 * rows that are alike in all columns outside of it are a unit, and people are in the unit of the
 * rows that are alike with them there. Sums go over the sets that may have been drawn; the largest
 * chance of a person is found set by set, since a row that differs in fewer columns has a larger
 * one in a set of its own.
 *
 * Rows and people are given as combinations of values. Beside the columns that may have been drawn
 * anew there may be others, in which a row is as its record: these keep more apart.
 *
 * Cost: for each set of at most lambda columns linear in combinations; memory 4 bytes for each.
 */
#ifndef BT_REDRAWN_H
#define BT_REDRAWN_H

#include "reading/release.h"

enum { BT_REDRAWN_MOST = 64 }; /* columns */

typedef struct bt_redrawn_set {
    uint64_t columns;    /* bits: those that may have been drawn anew */
    uint32_t size;       /* of them */
    uint32_t units;      /* combinations of the other columns that rows have */
    uint32_t *of_row;    /* per combination of rows */
    uint32_t *of_person; /* per combination of people; BT_TUPLE_NONE: no row is alike */
} bt_redrawn_set;

typedef struct bt_redrawn_side { /* rows, or people */
    uint32_t count;              /* combinations */
    const uint32_t *size;        /* rows or people of each */
    const bt_codes *codes;       /* per column: of each combination; a person's value that no row
                                    has is a code that is not below the count of the rows' */
} bt_redrawn_side;

typedef struct bt_redrawn_plan {
    const char *folder; /* of the release; NULL: not known */
    bt_redrawn_side rows, people;
    size_t columns; /* of both sides: those that may have been drawn anew, then the others */
    size_t drawn;
    uint32_t lambda;
    size_t all;            /* quasi columns of the release: lambda of these were drawn */
    const double *redrawn; /* per column: the probability that it was */
    double *const *share;  /* per column and code of the rows: of the release */
} bt_redrawn_plan;

typedef struct bt_redrawn {
    bt_redrawn_plan plan;
    bt_redrawn_side rows, people; /* the plan's */
    size_t drawn;
    uint32_t most;                       /* columns in which a row may differ from its record */
    double by_size[BT_REDRAWN_MOST + 1]; /* of each set of so many columns: the probability that
                                            these were drawn, beside unknown ones */
    double *factor;                      /* rows times drawn: share of the row's value; with
                                            lambda=1 times the probability of the column */
    bt_redrawn_set *sets;                /* of at most `most` columns; smaller ones come first */
    size_t set_count;
} bt_redrawn;

/* Borrows what the plan points to. BAUTA_INVALID where there are too many sets. Released by the
 * caller, also after a failure. */
BT_MUST_USE bauta_status bt_redrawn_open(const bt_redrawn_plan *plan, const bt_run *run,
                                         bt_redrawn *out, bauta_error *error);
void bt_redrawn_close(bt_redrawn *redrawn);

/* Finds the units of all sets, as a step of bt_redrawn_open. For redrawn.c. */
BT_MUST_USE bauta_status bt_redrawn_find_units(const bt_redrawn_plan *plan, const bt_run *run,
                                               bt_redrawn_set *sets, size_t count,
                                               bauta_error *error);

/* Whether just the columns of a set may have been drawn, beside unknown ones. */
static inline bool bt_redrawn_counts(const bt_redrawn *redrawn, const bt_redrawn_set *set)
{
    return redrawn->by_size[set->size] > 0;
}

/* The probability that just these columns were drawn, and gave the row. */
double bt_redrawn_term(const bt_redrawn *redrawn, const bt_redrawn_set *set, uint32_t row);

/* The chance that a record became the row which differs from it in all columns of the set. */
double bt_redrawn_chance(const bt_redrawn *redrawn, const bt_redrawn_set *set, uint32_t row);

/* For each combination of people the sum over rows of weight times chance; the weights, per
 * combination of rows, count for each row of it. */
BT_MUST_USE bauta_status bt_redrawn_sum_rows(const bt_redrawn *redrawn, const double *weight,
                                             double *out, bauta_error *error);
/* For each combination of rows the sum over people; NULL: all weights are 1. */
BT_MUST_USE bauta_status bt_redrawn_sum_people(const bt_redrawn *redrawn, const double *weight,
                                               double *out, bauta_error *error);

/* Per combination of people: the rows that may be theirs. */
BT_MUST_USE bauta_status bt_redrawn_reach(const bt_redrawn *redrawn, double *out,
                                          bauta_error *error);

static const double bt_redrawn_tie = 1e-9; /* relative: what rounding may tell apart */

#endif
