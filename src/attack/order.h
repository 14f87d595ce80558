/* SPDX-License-Identifier: Apache-2.0
 *
 * What `position` is made of. What rows show is counted by the audit's own code (step.h, trend.h,
 * orders.h). Only src/attack may include this.
 */
#ifndef BT_ORDER_H
#define BT_ORDER_H

#include "attack/attack.h"
#include "audit/orders.h"
#include "audit/trend.h"

/* What rows of two tables have a number of in common: classes, or with a public table sensitive
 * groups. Borrows all. */
typedef struct bt_numbered {
    uint32_t count;
    const uint32_t *number;     /* per class or group: as published */
    const uint32_t *unit_of[2]; /* per row of each file */
    const uint32_t *rows[2];    /* per class or group: its rows in each file */
} bt_numbered;

/* Row i of the one table and row i of the other are of one class or group, or rows some way off. */
BT_MUST_USE bauta_status bt_position_tables(bt_attack_job *job, const bt_numbered *units,
                                            bauta_error *error);

/* The n-th rows of a class or group in both tables may be of one record; asked for each sensitive
 * column. */
BT_MUST_USE bauta_status bt_position_within(bt_attack_job *job, const bt_numbered *units,
                                            const char *variant, const char *tries,
                                            bauta_error *error);

/* Whether numbers follow the order of records, rows or values. `place` per group of the view: where
 * its records stand; `sums` per class or group: of where its rows stand, not kept. */
BT_MUST_USE bauta_status bt_position_numbers(bt_attack_job *job, const bt_numbered *units,
                                             const double *place, double *sums,
                                             bt_attack_result *result, bauta_error *error);

/* The variants of `position` that only two tables have. */
BT_MUST_USE bauta_status bt_position_pair(bt_attack_job *job, bauta_error *error);

/* distribution: the n-th rows of a group in both tables. */
BT_MUST_USE bauta_status bt_position_within_parts(bt_attack_job *job, bauta_error *error);

/* The variants of `position` that only a release with a public table has. */
BT_MUST_USE bauta_status bt_position_join(bt_attack_job *job, bauta_error *error);

/* The variant of `position` that compares two releases. */
BT_MUST_USE bauta_status bt_position_other(bt_attack_job *job, bauta_error *error);

/* Where the people that a group of the view may be of stand in their table, on average; owned by
 * the caller. */
BT_MUST_USE bauta_status bt_position_places(const bt_view *view, double **out, bauta_error *error);

/* Tells how many rows were hit, as position.c does. */
void bt_position_hits(bt_attack_job *job, bt_attack_result *result, double expected);
/* Tells of rows that fit those that stand beside them in their units: that there are too many, or
 * what the audit judges. */
void bt_position_fits(bt_attack_job *job, bt_attack_result *result, const bt_fits *fits);
/* Tells that rows follow each other with rows of others between, as the audit finds it. */
void bt_position_drift(bt_attack_job *job, bt_attack_result *result, double expected);
void bt_position_neighbours(bt_attack_job *job, bt_attack_result *result,
                            const bt_neighbours *found);
/* Tells of rows side by side, unless they stand in step some other way, as the audit finds it. A
 * share `kept` of rows that stand in step is certain to fit. */
BT_MUST_USE bauta_status bt_position_steps(bt_attack_job *job, bt_attack_result *result,
                                           double expected, const bt_step_table tables[2],
                                           const bt_step_pairs *pairs, double kept,
                                           bauta_error *error);
void bt_position_correlation(bt_attack_job *job, bt_attack_result *result, double coefficient,
                             int64_t pairs);

#endif
