/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P5 share: the settings of the paper and what was found for them.
 * Only p5*.c include this.
 */
#ifndef EX_P5_H
#define EX_P5_H

#include "papers/experiment.h"

/* ---- settings ---- */

typedef enum ex_p5_method { EX_P5_MONDRIAN, EX_P5_CLUSTER, EX_P5_METHODS } ex_p5_method;
typedef enum ex_p5_variant {
    EX_P5_PLAIN,
    EX_P5_DIRECT,
    EX_P5_REFINE,
    EX_P5_VARIANTS
} ex_p5_variant;
extern const char *const ex_p5_method_names[EX_P5_METHODS];
extern const char *const ex_p5_variant_names[EX_P5_VARIANTS];

/* What changes from point to point: figures a, b and c. */
typedef enum ex_p5_axis { EX_P5_BY_RATIO, EX_P5_BY_K, EX_P5_BY_D, EX_P5_AXES } ex_p5_axis;

enum { EX_P5_MOST_POINTS = 5, EX_P5_RANGES = 5, EX_P5_MOST_COLUMNS = 6 };
enum { EX_P5_RATIO = 100, EX_P5_K = 50, EX_P5_D = 4, EX_P5_RANGE = 2 }; /* the default of each */

/* Shares of the space that a query asks for, in per cent. */
extern const int ex_p5_ranges[EX_P5_RANGES];

typedef struct ex_p5_setting {
    int64_t ratio; /* public records for each record of the microdata */
    int64_t k, d;
} ex_p5_setting;

/* ---- what was found ---- */

typedef struct ex_p5_loss { /* of one release */
    double ncp, dm, seconds;
    double error[EX_P5_RANGES]; /* of queries; `direct` answers none */
    double contained;           /* share of the intervals that held the true answer */
} ex_p5_loss;

/* The parts of it that are shown and judged. */
double ex_p5_ncp(const ex_p5_loss *loss);
double ex_p5_dm(const ex_p5_loss *loss);
double ex_p5_error(const ex_p5_loss *loss); /* of queries for the usual share of the space */
double ex_p5_seconds(const ex_p5_loss *loss);

typedef struct ex_p5_trial {
    ex_p5_loss of[EX_P5_METHODS][EX_P5_VARIANTS];
} ex_p5_trial;

typedef struct ex_p5_series {
    ex_p5_setting settings[EX_P5_MOST_POINTS];
    ex_p5_trial *trials[EX_P5_MOST_POINTS]; /* per run */
    size_t count;
} ex_p5_series;

typedef struct ex_p5_found {
    size_t runs;
    int64_t microdata, most; /* records; the greatest ratio */
    const char *queries;
    const char *names[EX_P5_MOST_COLUMNS]; /* quasi columns */
    size_t columns;
    bool uniform;
    bool tried[EX_P5_METHODS];
    ex_p5_setting defaults;
    ex_p5_series series[EX_P5_AXES];
    ex_p5_trial *at_defaults; /* per run: the last point of the ratio's series */
} ex_p5_found;

/* Means over all runs. */
ex_p5_loss ex_p5_mean(const ex_p5_trial *trials, size_t runs, ex_p5_method method,
                      ex_p5_variant variant);

/* ---- people (p5_people.c) ---- */

/* Finds out which quasi columns the table has, and whether it is large enough. */
EX_MUST_USE bauta_status ex_p5_prepare(const ex_experiment_job *job, const char *quasi,
                                       ex_p5_found *found, bauta_error *error);

/* people.csv: random people, the column id first, as many as the greatest ratio needs. */
EX_MUST_USE bauta_status ex_p5_draw(const ex_experiment_job *job, const ex_p5_found *found,
                                    const char *seed, bauta_error *error);

/* The first so many of them, in a file of that name. */
EX_MUST_USE bauta_status ex_p5_take(const ex_experiment_job *job, int64_t rows, const char *name,
                                    bauta_error *error);

/* ---- runs of the library (p5_trials.c) ---- */

/* Makes the releases of a setting, measures and asks them. `ranges`: all of ex_p5_ranges, not the
 * default alone. */
EX_MUST_USE bauta_status ex_p5_try(const ex_experiment_job *job, const ex_p5_found *found,
                                   const ex_p5_setting *setting, bool ranges, const char *seed,
                                   ex_p5_trial *out, bauta_error *error);

/* ---- verdicts (p5_claims.c) ---- */

void ex_p5_put_claims(const ex_experiment_job *job, const ex_p5_found *found);

#endif
