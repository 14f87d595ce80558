/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact rationals: thresholds are parsed from their decimal text ("0.33" is 33/100) and
 * compared in integers, so that no promise hangs on rounding.
 */
#ifndef BT_RATIONAL_H
#define BT_RATIONAL_H

#include "base/status.h"

typedef struct bt_rational {
    int64_t top, bottom; /* lowest terms, bottom > 0 */
} bt_rational;

/* Decimal ("0.33", "-2", "1e-3"), fraction ("1/3") or per cent ("5%"). False: not a number, or
 * not representable in 64 bits over 64 bits. */
bool bt_rational_parse(const char *text, bt_rational *out);

/* In lowest terms; bottom > 0. */
bt_rational bt_rational_reduce(bt_rational r);

/* -1, 0, 1 */
int bt_rational_compare(bt_rational a, bt_rational b);

/* Compares count/total with r without dividing; total > 0. None of none (an empty class) is neither
 * more nor less than any share. */
int bt_ratio_compare(int64_t count, int64_t total, bt_rational r);

/* Compares a/b with c/d; b, d > 0. */
int bt_fraction_compare(unsigned __int128 a, unsigned __int128 b, unsigned __int128 c,
                        unsigned __int128 d);

/* floor(r * n) for r >= 0, n >= 0; saturates at INT64_MAX. */
int64_t bt_rational_floor_times(bt_rational r, int64_t n);

double bt_rational_double(bt_rational r); /* for printing only */

#endif
