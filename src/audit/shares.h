/* SPDX-License-Identifier: Apache-2.0
 *
 * randomized:p=entropy, with the original: the probabilities that the rule makes of it. Only
 * src/audit may include this.
 *
 * Columns are drawn anew in proportion to their diversities, 2 to the entropy of their values. The
 * probabilities are hundredths, with more than ten columns parts of ten times as many: each
 * rounded, halves upwards, none less than one part; then parts are added or taken, one at a time,
 * where most parts are, in the first of several such columns, until they add up. A half is met
 * exactly, as when columns are equally diverse; how it was rounded then hangs on the last bit of a
 * sum of logarithms, so either way counts as the rule.
 */
#ifndef BT_SHARES_TWIN_H
#define BT_SHARES_TWIN_H

#include "reading/compared.h"

typedef enum bt_shares_verdict {
    BT_SHARES_FOLLOW,
    BT_SHARES_DIFFER,
    BT_SHARES_TOO_NEAR, /* too many halves to try all ways of rounding */
} bt_shares_verdict;

/* Whether the mechanism's probabilities follow from these records. */
BT_MUST_USE bauta_status bt_shares_check(const bt_compared *compared, const bt_mechanism *mechanism,
                                         bt_shares_verdict *out, bauta_error *error);

#endif
