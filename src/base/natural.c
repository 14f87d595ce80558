/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole numbers of many words: school methods, which are the fastest at these sizes.
 */
#include "base/natural.h"

#include "base/assert.h"

#include <string.h>

typedef unsigned __int128 wide;

void bt_natural_set(uint64_t *out, size_t words, uint64_t value)
{
    memset(out, 0, words * sizeof *out);
    out[0] = value;
}

int bt_natural_compare(const uint64_t *a, const uint64_t *b, size_t words)
{
    for (size_t i = words; i-- > 0;)
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

void bt_natural_add(uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < words; i++) {
        wide sum = (wide)a[i] + b[i] + carry;
        a[i] = (uint64_t)sum;
        carry = (uint64_t)(sum >> 64);
    }
}

void bt_natural_subtract(uint64_t *a, const uint64_t *b, size_t words)
{
    uint64_t borrow = 0;
    for (size_t i = 0; i < words; i++) {
        wide difference = (wide)a[i] - b[i] - borrow;
        a[i] = (uint64_t)difference;
        borrow = (uint64_t)(difference >> 64) != 0;
    }
    BT_ASSERT(borrow == 0);
}

void bt_natural_multiply(uint64_t *a, uint64_t factor, size_t words)
{
    uint64_t carry = 0;
    for (size_t i = 0; i < words; i++) {
        wide product = (wide)a[i] * factor + carry;
        a[i] = (uint64_t)product;
        carry = (uint64_t)(product >> 64);
    }
}

uint64_t bt_natural_divide(uint64_t *a, uint64_t divisor, size_t words)
{
    BT_ASSERT(divisor > 0);
    uint64_t rest = 0;
    for (size_t i = words; i-- > 0;) {
        wide here = (wide)rest << 64 | a[i];
        a[i] = (uint64_t)(here / divisor);
        rest = (uint64_t)(here % divisor);
    }
    return rest;
}

uint64_t bt_natural_remainder(const uint64_t *a, uint64_t divisor, size_t words)
{
    uint64_t rest = 0;
    for (size_t i = words; i-- > 0;)
        rest = (uint64_t)(((wide)rest << 64 | a[i]) % divisor);
    return rest;
}

size_t bt_natural_bits(const uint64_t *a, size_t words)
{
    while (words > 0 && a[words - 1] == 0)
        words--;
    return words == 0 ? 0 : words * 64 - (size_t)__builtin_clzll(a[words - 1]);
}

/* The two highest words of `b` and what stands there in `a`. */
double bt_natural_ratio(const uint64_t *a, const uint64_t *b, size_t words)
{
    size_t top = words;
    double above = 0, below = 0;
    while (top > 0 && b[top - 1] == 0)
        top--;
    size_t from = top > 2 ? top - 2 : 0;
    for (size_t i = words; i-- > from;) {
        above = above * 0x1p64 + (double)a[i];
        below = below * 0x1p64 + (double)b[i];
    }
    return above / below;
}

uint64_t bt_common_divisor(uint64_t a, uint64_t b)
{
    while (b > 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}
