/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P1 share: the settings of the paper and what was found for them.
 * Only p1*.c include this.
 */
#ifndef EX_P1_H
#define EX_P1_H

#include "papers/experiment.h"

/* ---- settings ---- */

typedef enum ex_p1_method {              /* in the order of errors that the paper finds */
                            EX_P1_LOSSY, /* its own: top-down, two tables */
                            EX_P1_ANATOMY,
                            EX_P1_GENERALIZED, /* top-down, one generalized table */
                            EX_P1_METHODS,
} ex_p1_method;
extern const char *const ex_p1_method_names[EX_P1_METHODS];

/* The figures 2 to 5: what changes from point to point. */
typedef enum ex_p1_axis { EX_P1_BY_D, EX_P1_BY_QD, EX_P1_BY_S, EX_P1_BY_N, EX_P1_AXES } ex_p1_axis;

enum { EX_P1_QUASI = 8, EX_P1_ASKED = 4, EX_P1_PERCENT = 5, EX_P1_MOST_POINTS = 10 };

typedef struct ex_p1_setting {
    int quasi;    /* d: the first columns of the paper's table 8 */
    int asked;    /* qd: those in a query */
    int percent;  /* s */
    int64_t rows; /* n: so many random records; 0: all */
} ex_p1_setting;

/* ---- what was found ---- */

typedef struct ex_p1_answers { /* of one release to one workload */
    double mean_error, median_error, mean_width, contained;
} ex_p1_answers;

typedef struct ex_p1_trial {
    ex_p1_answers of[EX_P1_METHODS];
    int64_t empty;
} ex_p1_trial;

typedef struct ex_p1_series {
    ex_p1_setting settings[EX_P1_MOST_POINTS];
    ex_p1_trial *trials[EX_P1_MOST_POINTS]; /* per run */
    size_t count;
} ex_p1_series;

typedef struct ex_p1_found {
    int64_t rows, dropped; /* of the table: used, and with unknown values */
    size_t runs;
    const char *queries;   /* asked in each trial */
    ex_p1_trial *defaults; /* per run: d=8, qd=4, s=5 %, all records */
    ex_p1_series series[EX_P1_AXES];
} ex_p1_found;

/* Over all runs. */
double ex_p1_mean_error(const ex_p1_trial *trials, size_t runs, ex_p1_method method);

/* ---- the table and runs of the library (p1_trials.c) ---- */

/* clean.csv, and the recipe, as recipe.yaml and under the name that the caller wants, if any. */
EX_MUST_USE bauta_status ex_p1_prepare(const ex_experiment_job *job, const char *recipe,
                                       ex_p1_found *found, bauta_error *error);

/* Makes the three releases and asks them. */
EX_MUST_USE bauta_status ex_p1_try(const ex_experiment_job *job, const ex_p1_found *found,
                                   const ex_p1_setting *setting, const char *seed, ex_p1_trial *out,
                                   bauta_error *error);

/* ---- verdicts (p1_claims.c) ---- */

void ex_p1_put_claims(const ex_experiment_job *job, const ex_p1_found *found);

#endif
