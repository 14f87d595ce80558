/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions to an opened release: an estimate, and an interval that contains the true answer over
 * the published records, whatever these were in the original. Records that were dropped are not
 * part of any answer.
 *
 * A release is read once (bt_queryable_open); then every question costs time in proportion to its
 * classes and rows. Nothing here knows how the release was made.
 */
#ifndef BT_QUERY_H
#define BT_QUERY_H

#include "base/facts.h"
#include "query/bounds.h"
#include "reading/release.h"
#include "recipe/recipe.h"

typedef struct bt_queryable bt_queryable;

/* Borrows the release, which must stay open. *out is to be closed also after a failure. */
BT_MUST_USE bauta_status bt_queryable_open(const bt_release *release, const bt_run *run,
                                           bt_queryable **out, bauta_error *error);
void bt_queryable_close(bt_queryable *queryable);

typedef struct bt_query_options {
    bt_estimator estimator;
    bool explain;
} bt_query_options;

/* What one class contributes to an answer. */
typedef struct bt_contribution {
    uint32_t class_number; /* as published; 0: classes have no numbers */
    uint32_t row;          /* the first of the class in the release's first file, from 1 */
    int64_t records, must, may;
    double expected;
} bt_contribution;

/* Statistics of answers that rest on chance. */
typedef struct bt_statistics {
    bool used;             /* false: lower and upper are certain */
    double confidence;     /* how often an interval like this holds the true answer; 0: there is no
                              interval */
    double standard_error; /* where there is one */
    double inflation;      /* 0: not known. By how much parts of the randomization's noise had to be
                              multiplied to undo it */
    const char *warning;   /* NULL: none */
    uint64_t merged;       /* values that fewer records held were merged with others, which matters
                              here; 0: no */
} bt_statistics;

enum { BT_UNKNOWN_MOST = 16 }; /* columns that are named; more are not */

typedef struct bt_answer {
    bt_bound lower, upper; /* open: there is no bound, or no record can match */
    double estimate;
    int64_t published; /* the records that the answer is about */
    int64_t dropped;   /* records of the original that are not in the release */
    bt_aggregate aggregate;
    bt_type type; /* of the answer */
    int scale;
    bool has_estimate; /* false: no record can match, or `blank` */
    bool tight;        /* both ends are attained by records that the release allows */
    bool may_be_empty; /* perhaps no record matches: AVG, MIN and MAX are then nothing */
    bool explained;    /* there are contributions and assumptions */
    const char *blank; /* a column on which the answer hangs and that shows only '*', or, if it is
                          among `unknown`, not which values are likelier; NULL: none */
    const char *unknown[BT_UNKNOWN_MOST]; /* columns of the query in which the release does not say
                                             what some texts stand for; the rest is NULL */
    bt_statistics statistics;
    bt_contribution *contributions; /* of the classes that may contribute, in their order; owned */
    size_t contribution_count;
    const char *const *assumptions; /* the last is NULL */
    uint32_t classes;
} bt_answer;

/* BAUTA_INVALID with the column of the query when it cannot be understood. The answer is to be
 * released, also after a failure. Several threads may ask at once. */
BT_MUST_USE bauta_status bt_query(const bt_queryable *queryable, const char *text,
                                  const bt_query_options *options, bt_answer *out,
                                  bauta_error *error);
void bt_answer_release(bt_answer *answer);

/* Puts estimate, lower, upper, tight and what else is to be said into the object `at`. */
void bt_answer_put(const bt_answer *answer, bt_facts *facts, json_t *at);

#endif
