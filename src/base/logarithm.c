/* SPDX-License-Identifier: Apache-2.0
 *
 * Logarithms with proven error bounds.
 *
 * Near: x = m * 2^e with m between 0.7 and 1.42, z = (m-1)/(m+1), |z| < 0.1725, and
 * ln m = 2z (1 + z^2/3 + z^4/5 + ...). Ten terms leave less than z^20/20 < 2^-54 of the sum;
 * all terms are positive, so the roundings of Horner's scheme, of z and of the last products stay
 * below 2^-48 of ln m, which is at most half of log2(x) for any x > 1 here; the final
 * addition adds 2^-53 of the result, reading x as a double at most 2^-52.
 *
 * Fixed: squaring y (1 <= y < 2) doubles its logarithm, so the bit that the square carries is the
 * next bit of log2(y). Cutting a square to P bits lowers its logarithm by less than
 * 1.45 * 2^(1-P), and what happens at bit j counts 2^-j: altogether less than 2.9 * 2^-P, and
 * the bits after the P-th are worth less than 1 * 2^-P.
 */
#include "base/logarithm.h"

#include <string.h>

typedef unsigned __int128 wide;

double bt_log2_near(uint64_t x)
{
    enum { TERMS = 10 };
    const double per_ln2 = 1.4426950408889634;
    int exponent = 63 - __builtin_clzll(x);
    double m = (double)x / (double)((uint64_t)1 << exponent);
    if (m > 1.4142) {
        m /= 2;
        exponent++;
    }
    double z = (m - 1) / (m + 1), square = z * z, sum = 0;
    for (int term = TERMS - 1; term >= 0; term--)
        sum = sum * square + 1.0 / (2 * term + 1);
    return exponent + 2 * z * sum * per_ln2;
}

/* product (2 * words) = y * y */
static void square_words(const uint64_t *y, size_t words, uint64_t *product)
{
    memset(product, 0, 2 * words * sizeof *product);
    for (size_t i = 0; i < words; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < words; j++) {
            wide sum = (wide)y[i] * y[j] + product[i + j] + carry;
            product[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        product[i + words] = carry;
    }
}

/* Squares y, which has its highest bit set and stands for y / 2^(64*words-1), and cuts it to
 * the same form. Returns the bit that the square carries. */
static unsigned square_and_cut(uint64_t *y, size_t words)
{
    uint64_t product[2 * BT_LOG_WORDS_MOST];
    square_words(y, words, product);
    unsigned carries = (unsigned)(product[2 * words - 1] >> 63);
    if (carries) {
        memcpy(y, product + words, words * sizeof *y);
        return 1;
    }
    for (size_t i = 0; i < words; i++)
        y[i] = product[words + i] << 1 | product[words + i - 1] >> 63;
    return 0;
}

void bt_log2_fixed(uint64_t x, size_t words, uint64_t *out)
{
    uint64_t y[BT_LOG_WORDS_MOST] = {0};
    int zeros = __builtin_clzll(x);
    memset(out, 0, words * sizeof *out);
    out[words] = (uint64_t)(63 - zeros);
    y[words - 1] = x << zeros;
    for (size_t bit = 64 * words; bit-- > 0;)
        out[bit / 64] |= (uint64_t)square_and_cut(y, words) << (bit % 64);
}
