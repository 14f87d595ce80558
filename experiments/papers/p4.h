/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P4 share: the settings of the paper and what was found for them.
 * Only p4*.c include this.
 */
#ifndef EX_P4_H
#define EX_P4_H

#include "papers/experiment.h"

/* ---- settings ---- */

typedef enum ex_p4_release {
    EX_P4_RANDOMIZED, /* lambda = 1 */
    EX_P4_PERMUTED_5, /* anatomy, two tables */
    EX_P4_PERMUTED_7,
    EX_P4_DIVERSE_5, /* mondrian with entropy l-diversity, one generalized table */
    EX_P4_DIVERSE_8,
    EX_P4_DIVERSE_10,
    EX_P4_RELEASES,
} ex_p4_release;

/* Who answers: a release, and the randomized one in two ways. */
typedef enum ex_p4_series { EX_P4_DIRECT = EX_P4_RELEASES, EX_P4_SERIES } ex_p4_series;
extern const char *const ex_p4_names[EX_P4_SERIES];

/* j: quasi columns in a query; lambda = 1, 3, 5, 7, 9. */
enum { EX_P4_ASKED = 8, EX_P4_LAMBDAS = 5, EX_P4_PERMUTED = 2, EX_P4_LENGTHS = 9 };

static inline int ex_p4_lambda(size_t number)
{
    return 1 + 2 * (int)number;
}

/* ---- what was found ---- */

typedef struct ex_p4_answers { /* of one series to one workload */
    double mean_error, median_error, contained;
} ex_p4_answers;

typedef struct ex_p4_trial {
    ex_p4_answers of[EX_P4_SERIES];
    int64_t empty;
} ex_p4_trial;

typedef struct ex_p4_rules { /* associations of a release against those of the original */
    int64_t original, recovered, artificial;
} ex_p4_rules;

typedef struct ex_p4_mined { /* of one release */
    ex_p4_rules all, by_length[EX_P4_LENGTHS];
} ex_p4_mined;

typedef struct ex_p4_randomized { /* with one lambda */
    double anonymity, linkage, linkage_knowing_all;
    ex_p4_mined mined;
} ex_p4_randomized;

typedef struct ex_p4_run {
    ex_p4_trial asked[EX_P4_ASKED]; /* j - 1 */
    int64_t classes[EX_P4_RELEASES];
    ex_p4_randomized randomized[EX_P4_LAMBDAS];
    ex_p4_mined expected[EX_P4_PERMUTED], sampled[EX_P4_PERMUTED]; /* l = 5, 7 */
} ex_p4_run;

typedef struct ex_p4_found {
    int64_t rows, dropped; /* of the table: used, and with unknown values */
    size_t runs;
    const char *queries; /* asked in each trial */
    ex_p4_run *run;
    /* of the original: */
    double *pairs; /* chi-square over n of each quasi column with the sensitive one */
    size_t pair_count;
    bool permuted[11]; /* per l: whether anatomy can do it at all; 7 to 10 are tried */
} ex_p4_found;

/* Over all runs; j from 1. */
double ex_p4_mean_error(const ex_p4_found *found, int j, int series);
double ex_p4_median_error(const ex_p4_found *found, int j, int series);

/* Sums of rules over all runs. */
typedef ex_p4_mined (*ex_p4_pick)(const ex_p4_run *run, size_t number);
ex_p4_mined ex_p4_pick_randomized(const ex_p4_run *run, size_t number);
ex_p4_mined ex_p4_pick_expected(const ex_p4_run *run, size_t number);
ex_p4_mined ex_p4_pick_sampled(const ex_p4_run *run, size_t number);
ex_p4_mined ex_p4_sum(const ex_p4_found *found, ex_p4_pick pick, size_t number);

/* The share of the original's associations that were recovered, and the share of those found that
 * are artificial. 0 where there are none. */
double ex_p4_recovered(const ex_p4_rules *rules);
double ex_p4_artificial(const ex_p4_rules *rules);

/* ---- the table and runs of the library (p4_trials.c) ---- */

EX_MUST_USE bauta_status ex_p4_prepare(const ex_experiment_job *job, int64_t most,
                                       ex_p4_found *found, bauta_error *error);

/* Makes all releases with a seed, asks and mines them. */
EX_MUST_USE bauta_status ex_p4_try(const ex_experiment_job *job, const ex_p4_found *found,
                                   const char *seed, ex_p4_run *out, bauta_error *error);

/* What is said of the original alone, and for which l anatomy is possible. */
EX_MUST_USE bauta_status ex_p4_look(const ex_experiment_job *job, const char *seed,
                                    ex_p4_found *found, bauta_error *error);

/* ---- verdicts (p4_claims.c) ---- */

void ex_p4_put_claims(const ex_experiment_job *job, const ex_p4_found *found);

#endif
