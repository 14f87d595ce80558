/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of experiment P3 share: the settings of the paper and what was found for them.
 * Only p3*.c include this.
 */
#ifndef EX_P3_H
#define EX_P3_H

#include "papers/experiment.h"

/* ---- settings ---- */

typedef enum ex_p3_model {                  /* in the order of the paper */
                           EX_P3_SENSITIVE, /* p-sensitive: at least p values */
                           EX_P3_ALPHA,     /* (p,alpha): and a weight of at least alpha */
                           EX_P3_PLUS,      /* (p+,alpha): at least p categories, and that weight */
                           EX_P3_MODELS,
} ex_p3_model;
extern const char *const ex_p3_model_names[EX_P3_MODELS];

enum { EX_P3_K = 4, EX_P3_QUASI = 7, EX_P3_MOST_POINTS = 8 };

typedef struct ex_p3_setting {
    int size; /* of the quasi-identifier: the first columns of the paper's table 9 */
    int p, alpha;
} ex_p3_setting;

/* ---- what was found ---- */

typedef struct ex_p3_attack { /* on the minimal nodes of one assignment */
    int64_t minimal;
    int64_t vulnerable;   /* of these: with a class within one category */
    int64_t most_records; /* in such classes of one node */
    double distortion;    /* of the best node */
} ex_p3_attack;

typedef struct ex_p3_local { /* on the classes of one local recoding */
    int64_t classes;
    int64_t vulnerable; /* within one category */
    int64_t records;    /* in these */
} ex_p3_local;

typedef struct ex_p3_point { /* of one search */
    double seconds;
    int64_t nodes, evaluated;
    double distortion;
} ex_p3_point;

typedef struct ex_p3_series {
    ex_p3_setting settings[EX_P3_MOST_POINTS];
    size_t count;
    ex_p3_point points[EX_P3_MOST_POINTS][EX_P3_MODELS];
} ex_p3_series;

typedef struct ex_p3_found {
    int64_t rows, dropped;                 /* of the table: used, and with unknown values */
    size_t runs;                           /* assignments */
    ex_p3_attack (*attacks)[EX_P3_MODELS]; /* per run */
    ex_p3_local (*locals)[EX_P3_MODELS];
    ex_p3_series sizes, values, weights; /* against s, p and alpha, on the first assignment */
    int64_t example_classes[2];          /* of the paper's table 8 with alpha 1 and 2 */
} ex_p3_found;

/* ---- the table (p3_table.c) ---- */

/* Table 9's columns of the table without the rows that have an unknown value, as clean.csv; and
 * the recipe, as recipe.yaml and under the name that the caller wants, if any. */
EX_MUST_USE bauta_status ex_p3_prepare(const ex_experiment_job *job, const char *recipe,
                                       ex_p3_found *found, bauta_error *error);

/* Gives every record of clean.csv a random health condition: table.csv. */
EX_MUST_USE bauta_status ex_p3_assign(const ex_experiment_job *job, const char *seed,
                                      bauta_error *error);

/* Columns behind the first `size`, for the role "dropped"; "" when there are none. */
const char *ex_p3_dropped(int size);

/* The four records of table 8: example.csv and example_categories.csv. */
EX_MUST_USE bauta_status ex_p3_write_example(const ex_experiment_job *job, bauta_error *error);

/* ---- runs of the library (p3_trials.c) ---- */

/* All minimal nodes, and how many of them fall to the similarity attack. */
EX_MUST_USE bauta_status ex_p3_attack_nodes(const ex_experiment_job *job, ex_p3_model model,
                                            const ex_p3_setting *setting, ex_p3_attack *out,
                                            bauta_error *error);

/* Local recoding (top-down), and how many of its classes fall to the similarity attack. */
EX_MUST_USE bauta_status ex_p3_attack_classes(const ex_experiment_job *job, ex_p3_model model,
                                              const ex_p3_setting *setting, ex_p3_local *out,
                                              bauta_error *error);

/* Time and distortion of one search. */
EX_MUST_USE bauta_status ex_p3_measure(const ex_experiment_job *job, ex_p3_model model,
                                       const ex_p3_setting *setting, ex_p3_point *out,
                                       bauta_error *error);

/* How many classes top-down recoding makes of table 8. */
EX_MUST_USE bauta_status ex_p3_example(const ex_experiment_job *job, int alpha, int64_t *classes,
                                       bauta_error *error);

/* ---- verdicts (p3_claims.c) ---- */

void ex_p3_put_claims(const ex_experiment_job *job, const ex_p3_found *found);

#endif
