/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P5 share: the settings of the paper and what was found for them.
 * Only p5*.c include this.
 */
#ifndef BT_P5_H
#define BT_P5_H

#include "experiment/experiment.h"

/* ---- settings ---- */

typedef enum bt_p5_method { BT_P5_MONDRIAN, BT_P5_CLUSTER, BT_P5_METHODS } bt_p5_method;
typedef enum bt_p5_variant {
    BT_P5_PLAIN,
    BT_P5_DIRECT,
    BT_P5_REFINE,
    BT_P5_VARIANTS
} bt_p5_variant;
extern const char *const bt_p5_method_names[BT_P5_METHODS];
extern const char *const bt_p5_variant_names[BT_P5_VARIANTS];

/* What changes from point to point: figures a, b and c. */
typedef enum bt_p5_axis { BT_P5_BY_RATIO, BT_P5_BY_K, BT_P5_BY_D, BT_P5_AXES } bt_p5_axis;

enum { BT_P5_MOST_POINTS = 5, BT_P5_RANGES = 5, BT_P5_MOST_COLUMNS = 6 };
enum { BT_P5_RATIO = 100, BT_P5_K = 50, BT_P5_D = 4, BT_P5_RANGE = 2 }; /* the default of each */

/* Shares of the space that a query asks for, in per cent. */
extern const int bt_p5_ranges[BT_P5_RANGES];

typedef struct bt_p5_setting {
    int64_t ratio; /* public records for each record of the microdata */
    int64_t k, d;
} bt_p5_setting;

/* ---- what was found ---- */

typedef struct bt_p5_loss { /* of one release */
    double ncp, dm, seconds;
    double error[BT_P5_RANGES]; /* of queries; `direct` answers none */
    double contained;           /* share of the intervals that held the true answer */
} bt_p5_loss;

/* The parts of it that are shown and judged. */
double bt_p5_ncp(const bt_p5_loss *loss);
double bt_p5_dm(const bt_p5_loss *loss);
double bt_p5_error(const bt_p5_loss *loss); /* of queries for the usual share of the space */
double bt_p5_seconds(const bt_p5_loss *loss);

typedef struct bt_p5_trial {
    bt_p5_loss of[BT_P5_METHODS][BT_P5_VARIANTS];
} bt_p5_trial;

typedef struct bt_p5_series {
    bt_p5_setting settings[BT_P5_MOST_POINTS];
    bt_p5_trial *trials[BT_P5_MOST_POINTS]; /* per run */
    size_t count;
} bt_p5_series;

typedef struct bt_p5_found {
    size_t runs;
    int64_t microdata, most; /* records; the greatest ratio */
    const char *queries;
    const char *names[BT_P5_MOST_COLUMNS]; /* quasi columns */
    size_t columns;
    bool uniform;
    bool tried[BT_P5_METHODS];
    bt_p5_setting defaults;
    bt_p5_series series[BT_P5_AXES];
    bt_p5_trial *at_defaults; /* per run: the last point of the ratio's series */
} bt_p5_found;

/* Means over all runs. */
bt_p5_loss bt_p5_mean(const bt_p5_trial *trials, size_t runs, bt_p5_method method,
                      bt_p5_variant variant);

/* ---- people (p5_people.c) ---- */

/* Finds out which quasi columns the table has, and whether it is large enough. */
BT_MUST_USE bauta_status bt_p5_prepare(const bt_experiment_job *job, const char *quasi,
                                       bt_p5_found *found, bauta_error *error);

/* people.csv: random people, the column id first, as many as the greatest ratio needs. */
BT_MUST_USE bauta_status bt_p5_draw(const bt_experiment_job *job, const bt_p5_found *found,
                                    const char *seed, bauta_error *error);

/* The first so many of them, in a file of that name. */
BT_MUST_USE bauta_status bt_p5_take(const bt_experiment_job *job, int64_t rows, const char *name,
                                    bauta_error *error);

/* ---- runs of the library (p5_trials.c) ---- */

/* Makes the releases of a setting, measures and asks them. `ranges`: all of bt_p5_ranges, not the
 * default alone. */
BT_MUST_USE bauta_status bt_p5_try(const bt_experiment_job *job, const bt_p5_found *found,
                                   const bt_p5_setting *setting, bool ranges, const char *seed,
                                   bt_p5_trial *out, bauta_error *error);

/* ---- verdicts (p5_claims.c) ---- */

void bt_p5_put_claims(const bt_experiment_job *job, const bt_p5_found *found);

#endif
