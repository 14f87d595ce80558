/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns that give cells away: values that are published as they are and from which the true value
 * behind a cell can be guessed, more often than from the cell alone.
 *
 * A clue is a column, or the sum or difference of two columns of numbers or dates (the date of an
 * admission less an age in days is a date of birth). What a clue says of a generalized column is
 * learned from one half of a sample and tried on the other, since values that occur once determine
 * everything. A guess is:
 *
 *   - from a text: of the values inside the cell the most frequent one that came with this text;
 *   - from a number: the same for the nearest number that was learned; or what came with that
 *     number, plus or minus the difference (so one date tells another even when both are new);
 *   - where that says nothing, or something outside the cell: the most frequent value inside it.
 *
 * Compared with always guessing the last, some rows are won and some are lost; rows whose cell is a
 * value are neither. The rows won, less those lost, are given away. A clue gives a column away when
 * chance does not explain it, (won - lost)^2 > 16 (won + lost), which is four standard deviations,
 * and
 *
 *   - more than a share of all rows that were tried are given away by determination: nine in ten of
 *     the rows learned from that have this value of the clue, and lie inside the cell, agree. A
 *     majority of less is a correlation (income and occupation), which a release is made for;
 *   - or more than a quarter of the rows are given away, whatever the majorities.
 *
 * The other way round, a clue may follow from a generalized column: the month of a birth date
 * beside ranges of birth dates. Whoever knows the date knows the month, and finds the row among
 * fewer than its cells show. What the value of the column says of the clue is learned and tried in
 * the same way, and compared with what the cell says: the most frequent value of the clue among
 * rows inside it. Here guesses must be right nine times in ten in any case.
 *
 * All of it is decided in integers.
 *
 * Cost: clues times columns times sample size times its logarithm; sums and differences are tried
 * on a small part of the sample first.
 */
#ifndef BT_GIVEAWAY_H
#define BT_GIVEAWAY_H

#include "base/rational.h"
#include "base/run.h"
#include "table/table.h"

typedef struct bt_clue {    /* of each row of the sample */
    const uint32_t *codes;  /* equal for equal values */
    const int64_t *numbers; /* values as numbers; NULL: the column is text */
    const bool *known;      /* there is a number */
    bt_type type;
    int scale; /* numbers are values times 10^scale */
} bt_clue;

typedef struct bt_veiled_set { /* codes, ascending */
    const uint32_t *codes;
    uint32_t count; /* 0: it is no set */
} bt_veiled_set;

typedef struct bt_veiled { /* a column that is not published as it is; of each row of the sample */
    const bt_domain *domain;
    const uint32_t *codes;     /* the true value */
    const uint32_t *lo, *hi;   /* its cell: codes from the one to the other */
    const bt_veiled_set *sets; /* the codes of the cell that may be; NULL: all, in every row */
    const uint32_t *usual;     /* the most frequent value inside it; NULL: it is not published how
                                  often values occur, and learned from the sample */
} bt_veiled;

typedef struct bt_giveaway {
    size_t clue, other; /* `other` is used when sign is not 0: clue + sign * other */
    int sign;
    size_t veiled;
    int64_t tried, given; /* rows, and those of them that are given away */
    bool follows;         /* the other way round: the column tells the clue */
} bt_giveaway;

typedef struct bt_giveaway_job {
    const bt_clue *clues;
    size_t clue_count;
    const bt_veiled *veiled;
    size_t veiled_count;
    size_t rows; /* of the sample */
    bt_rational limit;
    bool both_ways; /* clues that follow from a column are looked for, too */
    const bt_run *run;
} bt_giveaway_job;

/* Clues that give a column away, the worst first. A sum or difference is not told of where one of
 * its columns gives the same column away by itself. The list is the caller's to free. */
BT_MUST_USE bauta_status bt_giveaways_find(const bt_giveaway_job *job, bt_giveaway **out,
                                           size_t *count, bauta_error *error);

#endif
