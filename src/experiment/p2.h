/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P2 share: the figures of the paper and what was found for them. Only
 * p2*.c include this.
 */
#ifndef BT_P2_H
#define BT_P2_H

#include "experiment/experiment.h"

enum {
    BT_P2_MOST_POINTS = 8,
    BT_P2_MOST_SERIES = 4,
    BT_P2_AGES = 151, /* ages from 0 on that a table may have */
    BT_P2_WIDE = 50,  /* the range of queries where it does not change */
    BT_P2_LOW = 1024, /* least and greatest loss of tables that are made up */
    BT_P2_HIGH = 3072,
    BT_P2_TRAINING = 32561, /* records of Adult before those for testing */
};

/* ---- tables ---- */

typedef enum bt_p2_table {
    BT_P2_REAL,     /* the records of Adult with a loss */
    BT_P2_REAL_CUT, /* … without a tenth of them, at random */
    BT_P2_NORMAL,   /* age and loss independent */
    BT_P2_NORMAL_CUT,
    BT_P2_CORRELATED, /* the loss grows with the age */
    BT_P2_UNIFORM,
    BT_P2_ZIPF,            /* s=0.1 */
    BT_P2_ZIPF_CORRELATED, /* … and the age grows with the loss */
} bt_p2_table;

typedef struct bt_p2_totals { /* of a table, by age: for the true answers */
    int64_t rows, distinct;
    int low, high; /* ages */
    int64_t count[BT_P2_AGES];
    double sum[BT_P2_AGES];
} bt_p2_totals;

/* ---- figures ---- */

typedef enum bt_p2_axis {
    BT_P2_BY_RANGE,    /* of the query: R */
    BT_P2_BY_SPREAD,   /* target normal with the deviation range / r */
    BT_P2_BY_VARIANCE, /* … with the variance range / r */
    BT_P2_BY_SKEW,     /* target Zipf with s */
} bt_p2_axis;

typedef struct bt_p2_series {
    const char *name;
    const char *group;
    const char *publish; /* options of the form behind the target */
    const char *target;  /* NULL: that of the point; "original": that of the table before the cut */
    const char *hierarchy; /* of the loss; NULL: that of the form */
} bt_p2_series;

typedef struct bt_p2_figure {
    const char *name, *title;
    bt_p2_table table;
    bt_p2_axis axis;
    size_t points;
    double at[BT_P2_MOST_POINTS];
    size_t count;
    bt_p2_series series[BT_P2_MOST_SERIES];
} bt_p2_figure;

extern const bt_p2_figure bt_p2_figures[];
extern const size_t bt_p2_figure_count;
enum { BT_P2_MOST_FIGURES = 16 };

/* ---- what was found ---- */

typedef struct bt_p2_answers { /* of all queries of a point */
    double error;              /* sum of (upper - lower) / answer */
    int64_t asked, empty;      /* answered, and without an answer */
    int64_t contained;         /* … inside the bounds */
} bt_p2_answers;

typedef bt_p2_answers bt_p2_grid[BT_P2_MOST_POINTS][BT_P2_MOST_SERIES];

enum { BT_P2_TIMES = 5, BT_P2_METHODS = 2 };

typedef struct bt_p2_found {
    bt_p2_totals real;
    int64_t dropped; /* records of Adult with unknown values */
    int64_t rows;    /* of the tables that are made up */
    size_t runs, queries;
    bt_p2_grid *grids;                          /* runs * figures */
    int64_t times_rows[BT_P2_TIMES];            /* figure 13 */
    double seconds[BT_P2_TIMES][BT_P2_METHODS]; /* the fastest: SA-only, QI-SA */
} bt_p2_found;

/* All runs together: the mean error of a point; 0 when nothing could be asked. */
double bt_p2_error(const bt_p2_found *found, size_t figure, size_t point, size_t series);
/* The number of the figure with a name. */
size_t bt_p2_figure_named(const char *name);

/* ---- tables (p2_tables.c) ---- */

/* real.csv of Adult. */
BT_MUST_USE bauta_status bt_p2_prepare(const bt_experiment_job *job, bt_p2_found *found,
                                       bauta_error *error);

/* table.csv and original.csv, the latter with the values and weights before a cut. */
BT_MUST_USE bauta_status bt_p2_table_make(const bt_experiment_job *job, bt_p2_table table,
                                          int64_t rows, const char *seed, bt_p2_totals *out,
                                          bauta_error *error);

/* ---- runs of the library (p2_trials.c) ---- */

typedef struct bt_p2_job {
    const bt_experiment_job *job;
    const bt_p2_found *found;
    const char *seed;
} bt_p2_job;

/* Makes the releases of a figure and asks them. */
BT_MUST_USE bauta_status bt_p2_try(const bt_p2_job *job, const bt_p2_figure *figure,
                                   bt_p2_grid *out, bauta_error *error);

/* Seconds for grouping and allocation of a table of independent columns with so many records. */
BT_MUST_USE bauta_status bt_p2_time(const bt_p2_job *job, int64_t rows,
                                    double seconds[BT_P2_METHODS], bauta_error *error);

/* ---- verdicts (p2_claims.c) ---- */

void bt_p2_put_claims(const bt_experiment_job *job, const bt_p2_found *found);

#endif
