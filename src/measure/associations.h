/* SPDX-License-Identifier: Apache-2.0
 *
 * Supports in a randomized release: how far they are off on average, and how much that varies, by
 * the mechanism; and how far they are off indeed. Only src/measure may include this.
 *
 * A record that differs from a combination q in the columns A becomes q with a probability that
 * follows from the mechanism. Records are drawn independently, so that the expected support of q is
 * the mean of these, and its variance the sum of their p (1 - p), over all records: exact, for
 * every lambda and all probabilities, where equations 10 and 11 of the paper are for lambda = 1,
 * equal probabilities, and (11) not right.
 */
#ifndef BT_ASSOCIATIONS_H
#define BT_ASSOCIATIONS_H

#include "measure/knowledge.h"
#include "measure/mine.h"

enum { BT_SUPPORT_COLUMNS_MOST = 16, BT_SUPPORTS_MOST = 1000 };

/* Sums over combinations, of (supp' - supp) / supp. */
typedef struct bt_support_sums {
    int64_t count;
    double bias, variance;        /* as the mechanism has them */
    double difference, deviation; /* as they are, and squared from the bias */
    int64_t within;               /* combinations at most two standard deviations from it */
} bt_support_sums;

/* Whether the released records are those of the original, one each. */
bool bt_supports_apply(const bt_knowledge_job *job);

/* Adds rules of the original, some of them if there are more than BT_SUPPORTS_MOST. */
BT_MUST_USE bauta_status bt_supports_add(const bt_knowledge_job *job,
                                         const bt_compared_column *sensitive, const bt_rules *rules,
                                         bt_support_sums *sums, bauta_error *error);
void bt_supports_put(const bt_support_sums *sums, bt_facts *facts, json_t *at);

/* The probability that a record becomes a combination of values that it differs from in the columns
 * `differs` (bits). The combination is of `count` columns, `columns` (places among the quasi
 * columns, which the mechanism has); `chance` has the shares of its values. */
double bt_becomes(const bt_mechanism *mechanism, const size_t *columns, const double *chance,
                  size_t count, uint32_t differs);

#endif
