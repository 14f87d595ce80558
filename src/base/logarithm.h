/* SPDX-License-Identifier: Apache-2.0
 *
 * Logarithms of whole numbers with proven error bounds, for decisions that must not hang on
 * rounding. Nothing here relies on the accuracy of the C library.
 */
#ifndef BT_LOGARITHM_H
#define BT_LOGARITHM_H

#include <stddef.h>
#include <stdint.h>

/* log2(x), x > 0, with a relative error below 2^-46. */
double bt_log2_near(uint64_t x);

enum { BT_LOG_WORDS_MOST = 64 };

/* log2(x), x > 0, in fixed point: out[0..words-1] are the fraction, least significant word
 * first, out[words] is the whole part. The true value is at least `out` and less than 4 units
 * in the last place above it. 0 < words <= BT_LOG_WORDS_MOST. */
void bt_log2_fixed(uint64_t x, size_t words, uint64_t *out);

#endif
