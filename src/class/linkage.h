/* SPDX-License-Identifier: Apache-2.0
 *
 * What a randomized release gives away (Yang and Qiao 2010): how often someone who knows a person's
 * quasi values, and the mechanism, picks the person's own row; and what a row tells of the record
 * that it came from.
 *
 * The chance that a record becomes a row depends on the set of columns in which they differ, and on
 * the row: a sum over the sets of lambda columns that contain it. It is the smaller the larger the
 * set is. So what is asked of all pairs is answered set by set, from records and rows grouped by
 * the columns outside the set, and no two of them need be compared.
 *
 * Cost: for each set of at most lambda columns linear in records and rows, with lambda above 1
 * times columns and lambda. Ask bt_linkage_feasible first.
 *
 * For reports: nothing is decided by it.
 */
#ifndef BT_LINKAGE_H
#define BT_LINKAGE_H

#include "class/mechanism.h"
#include "table/tuples.h"

enum {
    BT_LINKAGE_SETS_MOST = 4096,
    BT_LINKAGE_RECORDS_MOST = 200000,
    BT_LINKAGE_ALL_MOST = 1 << 24, /* records times sets */
};

typedef struct bt_linkage_job {
    const bt_mechanism *mechanism;
    const bt_codes *records; /* quasi columns of the original, those of dropped rows left out */
    const bt_codes *rows;    /* of the release: the same columns with the same codes */
    int64_t record_count;
    int64_t row_count;
    double *const *chance; /* per column and code: its share of the records */
    const bt_run *run;
} bt_linkage_job;

/* Whether so many rows can be looked at in a time that someone may wait for. */
bool bt_linkage_feasible(const bt_mechanism *mechanism, int64_t rows);

/* Row i is that of record i. Of more than BT_LINKAGE_RECORDS_MOST records some are looked at, drawn
 * at random; the rows are always all of them. */
typedef struct bt_linkage {
    int64_t looked_at;
    double rate;    /* share of them whose own row is picked by someone who knows the person's quasi
                       values and the mechanism: one of the rows that the record is most likely to
                       have become, each with equal chances */
    double own;     /* mean probability of the own row, all rows weighed by how likely the record is
                       to have become each of them */
    bool all_known; /* `all_rate` was computed: it is where it does not take too long */
    double all_rate; /* share of them whose own row is picked by someone who knows the quasi values
                        of all records, and so can weigh a row by whose else it may be */
} bt_linkage;

BT_MUST_USE bauta_status bt_linkage_find(const bt_linkage_job *job, bt_linkage *out,
                                         bauta_error *error);

/* Which row is whose need not be known. */
typedef struct bt_posterior {
    int64_t looked_at;    /* rows */
    double worst, mean;   /* probability of the likeliest original combination, given a row (eq. 6):
                             the largest, and the mean over rows */
    double amplification; /* the largest ratio between the chances of two combinations to become a
                             row, both above 0 */
    double excluded;      /* mean share of the records that cannot have become a row: if it is above
                             0 there is no bound to the amplification */
} bt_posterior;

BT_MUST_USE bauta_status bt_posterior_find(const bt_linkage_job *job, bt_posterior *out,
                                           bauta_error *error);

/* The chance that a record becomes a row which differs from it in the columns `differs` (bits);
 * chance[i] is the share of the row's value in column i. At most 64 columns. */
double bt_transition(const bt_mechanism *mechanism, const double *chance, uint64_t differs);

#endif
