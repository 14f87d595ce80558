/* SPDX-License-Identifier: Apache-2.0
 *
 * What `position` is made of: correlation, ranks of a column's texts, and what two tables give
 * away together. Only src/attack may include this.
 */
#ifndef BT_ORDER_H
#define BT_ORDER_H

#include "attack/attack.h"

typedef struct bt_moments { /* running means, so that long files lose no digits */
    double count, x, y, xx, yy, xy;
} bt_moments;

void bt_moments_add(bt_moments *moments, double x, double y);
double bt_moments_correlation(const bt_moments *moments); /* 0 when one of them does not vary */

/* The place of each text of a column among them, by number or by bytes; owned by the caller. */
BT_MUST_USE bauta_status bt_order_ranks(const bt_release_column *column, double **out,
                                        bauta_error *error);

/* The variants of `position` that only two-tables has. */
BT_MUST_USE bauta_status bt_position_pair(bt_attack_job *job, bauta_error *error);

/* Telling, as position.c does. */
void bt_position_hits(bt_attack_job *job, bt_attack_result *result, double expected);
void bt_position_correlation(bt_attack_job *job, bt_attack_result *result, double coefficient,
                             int64_t pairs);

#endif
