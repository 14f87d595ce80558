/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P1 share: the settings of the paper and what was found for them.
 * Only p1*.c include this.
 */
#ifndef BT_P1_H
#define BT_P1_H

#include "experiment/experiment.h"

/* ---- settings ---- */

typedef enum bt_p1_method {              /* in the order of errors that the paper finds */
                            BT_P1_LOSSY, /* its own: top-down, two tables */
                            BT_P1_ANATOMY,
                            BT_P1_GENERALIZED, /* top-down, one generalized table */
                            BT_P1_METHODS,
} bt_p1_method;
extern const char *const bt_p1_method_names[BT_P1_METHODS];

/* The figures 2 to 5: what changes from point to point. */
typedef enum bt_p1_axis { BT_P1_BY_D, BT_P1_BY_QD, BT_P1_BY_S, BT_P1_BY_N, BT_P1_AXES } bt_p1_axis;

enum { BT_P1_QUASI = 8, BT_P1_ASKED = 4, BT_P1_PERCENT = 5, BT_P1_MOST_POINTS = 10 };

typedef struct bt_p1_setting {
    int quasi;    /* d: the first columns of the paper's table 8 */
    int asked;    /* qd: those in a query */
    int percent;  /* s */
    int64_t rows; /* n: so many random records; 0: all */
} bt_p1_setting;

/* ---- what was found ---- */

typedef struct bt_p1_answers { /* of one release to one workload */
    double mean_error, median_error, mean_width, contained;
} bt_p1_answers;

typedef struct bt_p1_trial {
    bt_p1_answers of[BT_P1_METHODS];
    int64_t empty;
} bt_p1_trial;

typedef struct bt_p1_series {
    bt_p1_setting settings[BT_P1_MOST_POINTS];
    bt_p1_trial *trials[BT_P1_MOST_POINTS]; /* per run */
    size_t count;
} bt_p1_series;

typedef struct bt_p1_found {
    int64_t rows, dropped; /* of the table: used, and with unknown values */
    size_t runs;
    const char *queries;   /* asked in each trial */
    bt_p1_trial *defaults; /* per run: d=8, qd=4, s=5 %, all records */
    bt_p1_series series[BT_P1_AXES];
} bt_p1_found;

/* Over all runs. */
double bt_p1_mean_error(const bt_p1_trial *trials, size_t runs, bt_p1_method method);

/* ---- the table and runs of the library (p1_trials.c) ---- */

/* clean.csv, and the recipe, as recipe.yaml and under the name that the caller wants, if any. */
BT_MUST_USE bauta_status bt_p1_prepare(const bt_experiment_job *job, const char *recipe,
                                       bt_p1_found *found, bauta_error *error);

/* Makes the three releases and asks them. */
BT_MUST_USE bauta_status bt_p1_try(const bt_experiment_job *job, const bt_p1_found *found,
                                   const bt_p1_setting *setting, const char *seed, bt_p1_trial *out,
                                   bauta_error *error);

/* ---- verdicts (p1_claims.c) ---- */

void bt_p1_put_claims(const bt_experiment_job *job, const bt_p1_found *found);

#endif
