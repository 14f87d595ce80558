/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P4 share: the settings of the paper and what was found for them.
 * Only p4*.c include this.
 */
#ifndef BT_P4_H
#define BT_P4_H

#include "experiment/experiment.h"

/* ---- settings ---- */

typedef enum bt_p4_release {
    BT_P4_RANDOMIZED, /* lambda = 1 */
    BT_P4_PERMUTED_5, /* anatomy, two tables */
    BT_P4_PERMUTED_7,
    BT_P4_DIVERSE_5, /* mondrian with entropy l-diversity, one generalized table */
    BT_P4_DIVERSE_8,
    BT_P4_DIVERSE_10,
    BT_P4_RELEASES,
} bt_p4_release;

/* Who answers: a release, and the randomized one in two ways. */
typedef enum bt_p4_series { BT_P4_DIRECT = BT_P4_RELEASES, BT_P4_SERIES } bt_p4_series;
extern const char *const bt_p4_names[BT_P4_SERIES];

/* j: quasi columns in a query; lambda = 1, 3, 5, 7, 9. */
enum { BT_P4_ASKED = 8, BT_P4_LAMBDAS = 5, BT_P4_PERMUTED = 2, BT_P4_LENGTHS = 9 };

static inline int bt_p4_lambda(size_t number)
{
    return 1 + 2 * (int)number;
}

/* ---- what was found ---- */

typedef struct bt_p4_answers { /* of one series to one workload */
    double mean_error, median_error, contained;
} bt_p4_answers;

typedef struct bt_p4_trial {
    bt_p4_answers of[BT_P4_SERIES];
    int64_t empty;
} bt_p4_trial;

typedef struct bt_p4_rules { /* associations of a release against those of the original */
    int64_t original, recovered, artificial;
} bt_p4_rules;

typedef struct bt_p4_mined { /* of one release */
    bt_p4_rules all, by_length[BT_P4_LENGTHS];
} bt_p4_mined;

typedef struct bt_p4_randomized { /* with one lambda */
    double anonymity, linkage, linkage_knowing_all;
    bt_p4_mined mined;
} bt_p4_randomized;

typedef struct bt_p4_run {
    bt_p4_trial asked[BT_P4_ASKED]; /* j - 1 */
    int64_t classes[BT_P4_RELEASES];
    bt_p4_randomized randomized[BT_P4_LAMBDAS];
    bt_p4_mined expected[BT_P4_PERMUTED], sampled[BT_P4_PERMUTED]; /* l = 5, 7 */
} bt_p4_run;

typedef struct bt_p4_found {
    int64_t rows, dropped; /* of the table: used, and with unknown values */
    size_t runs;
    const char *queries; /* asked in each trial */
    bt_p4_run *run;
    /* of the original: */
    double *pairs; /* chi-square over n of each quasi column with the sensitive one */
    size_t pair_count;
    bool permuted[11]; /* per l: whether anatomy can do it at all; 7 to 10 are tried */
} bt_p4_found;

/* Over all runs; j from 1. */
double bt_p4_mean_error(const bt_p4_found *found, int j, int series);
double bt_p4_median_error(const bt_p4_found *found, int j, int series);

/* Sums of rules over all runs. */
typedef bt_p4_mined (*bt_p4_pick)(const bt_p4_run *run, size_t number);
bt_p4_mined bt_p4_pick_randomized(const bt_p4_run *run, size_t number);
bt_p4_mined bt_p4_pick_expected(const bt_p4_run *run, size_t number);
bt_p4_mined bt_p4_pick_sampled(const bt_p4_run *run, size_t number);
bt_p4_mined bt_p4_sum(const bt_p4_found *found, bt_p4_pick pick, size_t number);

/* Of the original's associations, those that were recovered; of those found, the artificial ones.
 * 0 where there are none. */
double bt_p4_recovered(const bt_p4_rules *rules);
double bt_p4_artificial(const bt_p4_rules *rules);

/* ---- the table and runs of the library (p4_trials.c) ---- */

BT_MUST_USE bauta_status bt_p4_prepare(const bt_experiment_job *job, int64_t most,
                                       bt_p4_found *found, bauta_error *error);

/* Makes all releases with a seed, asks and mines them. */
BT_MUST_USE bauta_status bt_p4_try(const bt_experiment_job *job, const bt_p4_found *found,
                                   const char *seed, bt_p4_run *out, bauta_error *error);

/* What is said of the original alone, and for which l anatomy is possible. */
BT_MUST_USE bauta_status bt_p4_look(const bt_experiment_job *job, const char *seed,
                                    bt_p4_found *found, bauta_error *error);

/* ---- verdicts (p4_claims.c) ---- */

void bt_p4_put_claims(const bt_experiment_job *job, const bt_p4_found *found);

#endif
