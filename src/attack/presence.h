/* SPDX-License-Identifier: Apache-2.0
 *
 * What attacks on presence share. Only src/attack may include this.
 */
#ifndef BT_PRESENCE_H
#define BT_PRESENCE_H

#include "attack/attack.h"

/* For each person of both tables the belief that they are in the original. */
BT_MUST_USE bauta_status bt_presence_joined(bt_attack_job *job, bauta_error *error);

/* How likely it is that someone in a group of the view is in the original, if all people in its
 * cells are alike. */
double bt_presence_share(const bt_view *view, uint32_t group, int64_t people);

/* The level of a column's tree below which it has no cell: if that was asked for, cells may cover
 * more than their people need. */
uint32_t bt_presence_lowest(const bt_view *view, size_t column, const bt_hierarchy *tree);

/* What the edges of sensitive groups give away. `prior` is the caller's to free, also after a
 * failure: per person what is believed from that; 0: nothing. */
BT_MUST_USE bauta_status bt_presence_edges(bt_attack_job *job, const bt_view *crowd, double **prior,
                                           bauta_error *error);

/* What trimming gives away beyond that; without edges `prior` is NULL. */
BT_MUST_USE bauta_status bt_presence_trimmed(bt_attack_job *job, const bt_view *crowd,
                                             const double *prior, bauta_error *error);

/* What tight cells of `generalized` give away (presence_faces.c): `alone` per target of the public
 * table, `found` per target of the original; both are all false before. */
BT_MUST_USE bauta_status bt_presence_faces(const bt_view *crowd, const bt_view *view, bool *alone,
                                           bool *found, bauta_error *error);

#endif
