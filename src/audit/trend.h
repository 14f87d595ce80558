/* SPDX-License-Identifier: Apache-2.0
 *
 * What an order of rows tells of what stands in them, whoever they are of: whether later rows have
 * greater values, and whether rows of one kind stand next to each other. Nothing here knows where
 * the rows come from. Only src/audit and src/attack may include this.
 *
 * Trends. Let r be the coefficient of correlation between the places of n rows and numbers c of
 * them. If the order is a random permutation, then P(|r| >= x) <= 2 exp(-n x^2 / 4). Rows with c
 * above its mean and those below are two sums of places, each with weights of one sign. Places of a
 * permutation are negatively associated (Joag-Dev and Proschan 1983), so the moment generating
 * function of each sum is at most what independent places would have, and that of one place, which
 * is uniform, is at most that of the normal distribution with its variance. The inequality of
 * Cauchy and Schwarz puts the two sums together.
 *
 * Neighbours. Of the rows 0 and 1, 2 and 3, … the second ones are a random permutation of
 * themselves, whatever the first ones are: how many pairs are of one kind step.h bounds; so too of
 * the rows 1 and 2, 3 and 4, …. More than both limits together there are only if more than one of
 * them are.
 */
#ifndef BT_AUDIT_TREND_H
#define BT_AUDIT_TREND_H

#include "audit/step.h"
#include "reading/release.h"

typedef struct bt_moments { /* running means, so that long files lose no digits */
    double count, x, y, xx, yy, xy;
} bt_moments;

void bt_moments_add(bt_moments *moments, double x, double y);
double bt_moments_correlation(const bt_moments *moments); /* 0 when one of them does not vary */

/* How many rows of a file are looked at, from its first: enough to see any order that goes through
 * the file, and few enough that an audit of millions of rows does not feel it. */
enum { BT_ORDER_ROWS = 1 << 16 };
static inline int64_t bt_order_rows(const bt_release *release, size_t file)
{
    int64_t rows = release->files[file].rows;
    return rows < BT_ORDER_ROWS ? rows : (int64_t)BT_ORDER_ROWS;
}

/* How far from 0 the coefficients of `questions` trends over `count` rows may all be by chance; at
 * most 1. */
double bt_trend_limit(int64_t count, size_t questions);

/* The place of each text of a column among them, by number or by bytes; owned by the caller. */
BT_MUST_USE bauta_status bt_trend_ranks(const bt_release_column *column, double **out,
                                        bauta_error *error);

typedef struct bt_trend { /* the column in whose order the rows of a file stand most nearly */
    double strongest;     /* coefficient, from 0 to 1 */
    const char *column;   /* NULL: there is none */
    size_t questions;     /* columns that were looked at; of parts, their ends and their width */
} bt_trend;

BT_MUST_USE bauta_status bt_trend_find(const bt_release *release, size_t file, bt_trend *out,
                                       bauta_error *error);

typedef struct bt_neighbours {
    int64_t tried; /* rows that have a row before them */
    int64_t hits;  /* rows whose neighbour before them is of their kind */
    double expected;
    int64_t limit; /* the most that chance may bring about */
} bt_neighbours;

BT_MUST_USE bauta_status bt_neighbours_find(const bt_step_table *rows, bt_neighbours *out,
                                            bauta_error *error);
/* Neighbours among a file's rows by their classes; in sensitive.csv of a join, by their sensitive
 * groups. */
BT_MUST_USE bauta_status bt_neighbours_of(const bt_release *release, size_t file, const bt_run *run,
                                          bt_neighbours *out, bauta_error *error);

#endif
