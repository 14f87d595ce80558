/* SPDX-License-Identifier: Apache-2.0
 *
 * Logarithms of factorials, for chances that are printed or bound with room for rounding.
 */
#ifndef BT_GAMMA_H
#define BT_GAMMA_H

#include <math.h>

/* log((x - 1)!), x > 0. That of the C library notes the sign in a variable that threads share. */
static inline double bt_log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

#endif
