/* SPDX-License-Identifier: Apache-2.0
 *
 * The Adult table for the experiments that use it: some of its columns, without the records that
 * have an unknown value anywhere.
 */
#ifndef EX_ADULT_H
#define EX_ADULT_H

#include "papers/experiment.h"

typedef struct ex_adult {
    const char *experiment; /* the experiment that needs it, for hints */
    const char *const *columns;
    size_t count;
    int64_t most;          /* rows to look at, from the first; 0: all */
    int64_t rows, dropped; /* found: records that are used, and those with unknown values */
} ex_adult;

/* Writes clean.csv. Faults are told with the name, row and column of the table that was given. */
EX_MUST_USE bauta_status ex_adult_clean(const ex_experiment_job *job, ex_adult *adult,
                                        bauta_error *error);

/* Puts the numbers of records and begins the notes with them and with the paper's; returns the
 * notes. */
json_t *ex_put_adult_notes(const ex_experiment_job *job, int64_t rows, int64_t dropped,
                           int64_t paper);

#endif
