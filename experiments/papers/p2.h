/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P2 share: the figures of the paper and what was found for them. Only
 * p2*.c include this.
 */
#ifndef EX_P2_H
#define EX_P2_H

#include "papers/experiment.h"

enum {
    EX_P2_MOST_POINTS = 8,
    EX_P2_MOST_SERIES = 4,
    EX_P2_AGES = 151, /* ages from 0 on that a table may have */
    EX_P2_WIDE = 50,  /* the range of queries where it does not change */
    EX_P2_LOW = 1024, /* least and greatest loss of tables that are made up */
    EX_P2_HIGH = 3072,
    EX_P2_TRAINING = 32561, /* records of Adult before those for testing */
};

/* ---- tables ---- */

typedef enum ex_p2_table {
    EX_P2_REAL,     /* the records of Adult with a loss */
    EX_P2_REAL_CUT, /* the records of EX_P2_REAL without a tenth of them, at random */
    EX_P2_NORMAL,   /* age and loss independent */
    EX_P2_NORMAL_CUT,
    EX_P2_CORRELATED, /* the loss grows with the age */
    EX_P2_UNIFORM,
    EX_P2_ZIPF,            /* s=0.1 */
    EX_P2_ZIPF_CORRELATED, /* s=0.1, and the age grows with the loss */
} ex_p2_table;

typedef struct ex_p2_totals { /* of a table, by age: for the true answers */
    int64_t rows, distinct;
    int low, high; /* ages */
    int64_t count[EX_P2_AGES];
    double sum[EX_P2_AGES];
} ex_p2_totals;

/* ---- figures ---- */

typedef enum ex_p2_axis {
    EX_P2_BY_RANGE,    /* of the query: R */
    EX_P2_BY_SPREAD,   /* target normal with the deviation range / r */
    EX_P2_BY_VARIANCE, /* target normal with the variance range / r */
    EX_P2_BY_SKEW,     /* target Zipf with s */
} ex_p2_axis;

typedef struct ex_p2_series {
    const char *name;
    const char *group;
    const char *publish; /* options of the form behind the target */
    const char *target;  /* NULL: that of the point; "original": that of the table before the cut */
    const char *hierarchy; /* of the loss; NULL: that of the form */
} ex_p2_series;

typedef struct ex_p2_figure {
    const char *name, *title;
    ex_p2_table table;
    ex_p2_axis axis;
    size_t points;
    double at[EX_P2_MOST_POINTS];
    size_t count;
    ex_p2_series series[EX_P2_MOST_SERIES];
} ex_p2_figure;

extern const ex_p2_figure ex_p2_figures[];
extern const size_t ex_p2_figure_count;
enum { EX_P2_MOST_FIGURES = 16 };

/* ---- what was found ---- */

typedef struct ex_p2_answers { /* of all queries of a point */
    double error;              /* sum of (upper - lower) / answer */
    int64_t asked, empty;      /* answered, and without an answer */
    int64_t contained;         /* queries whose answer lies inside the bounds */
} ex_p2_answers;

typedef ex_p2_answers ex_p2_grid[EX_P2_MOST_POINTS][EX_P2_MOST_SERIES];

enum { EX_P2_TIMES = 5, EX_P2_METHODS = 2 };

typedef struct ex_p2_found {
    ex_p2_totals real;
    int64_t dropped; /* records of Adult with unknown values */
    int64_t rows;    /* of the tables that are made up */
    size_t runs, queries;
    ex_p2_grid *grids;                          /* runs * figures */
    int64_t times_rows[EX_P2_TIMES];            /* figure 13 */
    double seconds[EX_P2_TIMES][EX_P2_METHODS]; /* the fastest: SA-only, QI-SA */
} ex_p2_found;

/* All runs together: the mean error of a point; 0 when nothing could be asked. */
double ex_p2_error(const ex_p2_found *found, size_t figure, size_t point, size_t series);
/* The number of the figure with a name. */
size_t ex_p2_figure_named(const char *name);

/* ---- tables (p2_tables.c) ---- */

/* real.csv of Adult. */
EX_MUST_USE bauta_status ex_p2_prepare(const ex_experiment_job *job, ex_p2_found *found,
                                       bauta_error *error);

/* table.csv and original.csv, the latter with the values and weights before a cut. */
EX_MUST_USE bauta_status ex_p2_table_make(const ex_experiment_job *job, ex_p2_table table,
                                          int64_t rows, const char *seed, ex_p2_totals *out,
                                          bauta_error *error);

/* ---- runs of the library (p2_trials.c) ---- */

typedef struct ex_p2_job {
    const ex_experiment_job *job;
    const ex_p2_found *found;
    const char *seed;
} ex_p2_job;

/* Makes the releases of a figure and asks them. */
EX_MUST_USE bauta_status ex_p2_try(const ex_p2_job *job, const ex_p2_figure *figure,
                                   ex_p2_grid *out, bauta_error *error);

/* Seconds for grouping and allocation of a table of independent columns with so many records. */
EX_MUST_USE bauta_status ex_p2_time(const ex_p2_job *job, int64_t rows,
                                    double seconds[EX_P2_METHODS], bauta_error *error);

/* ---- verdicts (p2_claims.c) ---- */

void ex_p2_put_claims(const ex_experiment_job *job, const ex_p2_found *found);

#endif
