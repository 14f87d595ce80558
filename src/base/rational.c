/* SPDX-License-Identifier: Apache-2.0
 *
 * Exact rationals in 64 over 64 bits; products are formed in 128 bits and cannot overflow.
 * Larger fractions are compared by their continued fractions, which needs no products.
 */
#include "base/rational.h"

#include "base/assert.h"

static int64_t greatest_common_divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool reduce(int64_t top, int64_t bottom, bt_rational *out)
{
    if (bottom <= 0) return false;
    int64_t divisor = greatest_common_divisor(top < 0 ? -top : top, bottom);
    *out = (bt_rational){top / divisor, bottom / divisor};
    return true;
}

bt_rational bt_rational_reduce(bt_rational r)
{
    bt_rational reduced = r;
    return reduce(r.top, r.bottom, &reduced) ? reduced : r;
}

static bool times_ten(int64_t *n)
{
    return !__builtin_mul_overflow(*n, (int64_t)10, n);
}

/* Digits with at most one point; returns the position after them, or NULL. Zeros at the end of
 * the decimals are not counted, so that "0.50000000000000000000" fits. */
static const char *parse_digits(const char *p, int64_t *value, int *decimals)
{
    bool any = false, point = false;
    size_t pending = 0; /* decimals since the last one that was not zero */
    *value = 0;
    *decimals = 0;
    for (;; p++) {
        if (*p == '.' && !point) {
            point = true;
        } else if (*p >= '0' && *p <= '9') {
            any = true;
            pending += point;
            if (point && *p == '0') continue;
            if (pending > 40) return NULL;
            for (size_t i = point ? pending : 1; i > 0; i--)
                if (!times_ten(value)) return NULL;
            if (__builtin_add_overflow(*value, (int64_t)(*p - '0'), value)) return NULL;
            *decimals += (int)pending;
            pending = 0;
        } else {
            return any ? p : NULL;
        }
    }
}

static const char *parse_exponent(const char *p, int *decimals)
{
    if (*p != 'e' && *p != 'E') return p;
    int sign = 1, exponent = 0;
    p++;
    if (*p == '+' || *p == '-') sign = *p++ == '-' ? -1 : 1;
    if (*p < '0' || *p > '9') return NULL;
    for (; *p >= '0' && *p <= '9'; p++) {
        exponent = exponent * 10 + (*p - '0');
        if (exponent > 40) return NULL;
    }
    *decimals -= sign * exponent;
    return p;
}

bool bt_rational_parse(const char *text, bt_rational *out)
{
    const char *p = text;
    bool negative = *p == '-';
    if (*p == '-' || *p == '+') p++;
    int64_t top, bottom = 1;
    int decimals;
    p = parse_digits(p, &top, &decimals);
    if (p) p = parse_exponent(p, &decimals);
    if (!p) return false;
    if (*p == '/') {
        int more;
        p = parse_digits(p + 1, &bottom, &more);
        if (!p || bottom == 0) return false;
        decimals -= more;
    } else if (*p == '%') {
        decimals += 2;
        p++;
    }
    if (*p != '\0') return false;
    if (top == 0) decimals = 0;
    /* Reduce before scaling, so that "5000%" and the like fit whenever their value does. */
    for (; decimals > 0 && top % 10 == 0; decimals--)
        top /= 10;
    for (; decimals > 0; decimals--)
        if (!times_ten(&bottom)) return false;
    for (; decimals < 0; decimals++)
        if (!times_ten(&top)) return false;
    return reduce(negative ? -top : top, bottom, out);
}

int bt_rational_compare(bt_rational a, bt_rational b)
{
    BT_ASSERT(a.bottom > 0 && b.bottom > 0);
    __int128 left = (__int128)a.top * b.bottom, right = (__int128)b.top * a.bottom;
    return (left > right) - (left < right);
}

int bt_ratio_compare(int64_t count, int64_t total, bt_rational r)
{
    BT_ASSERT((total > 0 || (total == 0 && count == 0)) && r.bottom > 0);
    __int128 left = (__int128)count * r.bottom, right = (__int128)r.top * total;
    return (left > right) - (left < right);
}

static int bits_of(unsigned __int128 n)
{
    uint64_t high = (uint64_t)(n >> 64), low = (uint64_t)n;
    if (high) return 128 - __builtin_clzll(high);
    return low ? 64 - __builtin_clzll(low) : 0;
}

int bt_fraction_compare(unsigned __int128 a, unsigned __int128 b, unsigned __int128 c,
                        unsigned __int128 d)
{
    BT_ASSERT(b > 0 && d > 0);
    for (int sign = 1;; sign = -sign) {
        if (bits_of(a) + bits_of(d) <= 128 && bits_of(b) + bits_of(c) <= 128)
            return a * d == b * c ? 0 : a * d > b * c ? sign : -sign;
        unsigned __int128 left = a / b, right = c / d, swap;
        if (left != right) return left > right ? sign : -sign;
        /* The whole parts are equal: the fraction that is left over and has the smaller
         * reciprocal is the greater one. */
        a %= b;
        c %= d;
        if (a == 0 || c == 0) return a == c ? 0 : a != 0 ? sign : -sign;
        swap = a, a = b, b = swap;
        swap = c, c = d, d = swap;
    }
}

int64_t bt_rational_floor_times(bt_rational r, int64_t n)
{
    BT_ASSERT(r.top >= 0 && r.bottom > 0 && n >= 0);
    __int128 product = (__int128)r.top * n / r.bottom;
    return product > INT64_MAX ? INT64_MAX : (int64_t)product;
}

double bt_rational_double(bt_rational r)
{
    return (double)r.top / (double)r.bottom;
}
