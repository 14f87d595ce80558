/* SPDX-License-Identifier: Apache-2.0
 *
 * Entropy against a threshold, exactly.
 *
 * With counts c_i, their sum n and l = a/b the question is whether
 *
 *     (n b)^n >= a^n * product of c_i^c_i,
 *
 * that is, whether n (log n + log b) - n log a - sum of c_i log c_i is at least zero. It is asked
 * in turn of
 *   1. double precision with a proven margin, which decides almost always;
 *   2. fixed-point logarithms of 64 and 128 bits with proven bounds;
 *   3. arithmetic: the two sides are equal exactly when every prime has the same exponent in
 *      both. A prime of the right side that does not divide n or b settles it, so only the
 *      primes of these two are needed, and both are small enough to be factored;
 *   4. fixed-point logarithms of up to 4096 bits. The sides are known to differ now, by at least
 *      one in (n b)^n, so this decides for every n with n log2(n b) < 4000. For greater n no
 *      bag is known to come so close; one that did would count as not diverse enough.
 *
 * Cost: linear in the values that occur; steps 2 to 4 are for bags within 10^-12 of the threshold.
 */
#include "class/entropy.h"

#include "base/logarithm.h"

#include <math.h>

enum { SMALL_COUNTS = 4096 };

bauta_status bt_entropy_init(bt_entropy *entropy, bt_rational least, int64_t largest,
                             bt_arena *arena, bauta_error *error)
{
    uint32_t count = largest < SMALL_COUNTS ? (uint32_t)largest + 1 : SMALL_COUNTS;
    double *small = bt_arena_array(arena, count, sizeof *small);
    if (!small) return bt_fail_memory(error);
    for (uint32_t n = 2; n < count; n++)
        small[n] = n * bt_log2_near(n);
    *entropy = (bt_entropy){.least = least,
                            .near_top = bt_log2_near((uint64_t)least.top),
                            .near_bottom = bt_log2_near((uint64_t)least.bottom),
                            .small = small,
                            .small_count = count};
    return BAUTA_OK;
}

double bt_entropy_perplexity(const bt_bag *bag)
{
    if (bag->total == 0) return 0;
    double sum = 0;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint64_t count = bag->counts[bag->codes[i]];
        sum += (double)count * bt_log2_near(count);
    }
    return exp2(bt_log2_near((uint64_t)bag->total) - sum / (double)bag->total);
}

/* ---- double precision ---- */

static inline double times_log(const bt_entropy *entropy, uint64_t n)
{
    return n < entropy->small_count ? entropy->small[n] : (double)n * bt_log2_near(n);
}

/* 1: reached, -1: not reached, 0: too close to tell. Each term is off by less than 2^-45 of
 * itself, each addition by 2^-53 of what was added so far. */
static int compare_near(const bt_entropy *entropy, const bt_bag *bag)
{
    double n = (double)bag->total, right = 0;
    for (uint32_t i = 0; i < bag->distinct; i++)
        right += times_log(entropy, bag->counts[bag->codes[i]]);
    right += n * entropy->near_top;
    double left = n * (bt_log2_near((uint64_t)bag->total) + entropy->near_bottom);
    double margin = (left + right) * (0x1p-44 + 0x1p-52 * (bag->distinct + 4.0));
    if (left - right > margin) return 1;
    return right - left > margin ? -1 : 0;
}

/* ---- fixed point ---- */

enum { SUM_WORDS = BT_LOG_WORDS_MOST + 3 };

/* sum (words + 3) += log2(x) * times */
static void add_log(uint64_t *sum, size_t words, uint64_t x, uint64_t times)
{
    uint64_t logarithm[BT_LOG_WORDS_MOST + 3] = {0}, carry = 0;
    bt_log2_fixed(x, words, logarithm);
    for (size_t i = 0; i < words + 3; i++) {
        unsigned __int128 part = (unsigned __int128)logarithm[i] * times + sum[i] + carry;
        sum[i] = (uint64_t)part;
        carry = (uint64_t)(part >> 64);
    }
}

/* Whether a >= b + more. */
static bool exceeds(const uint64_t *a, const uint64_t *b, size_t words, unsigned __int128 more)
{
    for (size_t i = 0; i < words;
         i++) { /* a - b - more: what is still to be taken stays in `more` */
        unsigned __int128 take = (unsigned __int128)b[i] + (uint64_t)more;
        more = (more >> 64) + (take >> 64) + ((uint64_t)take > a[i]);
    }
    return more == 0;
}

/* As compare_near. Every logarithm is low by less than 4 units, and each side has logarithms of
 * a weight of 2n altogether: each side is low by less than 8n units. */
static int compare_fixed(const bt_entropy *entropy, const bt_bag *bag, size_t words)
{
    uint64_t left[SUM_WORDS] = {0}, right[SUM_WORDS] = {0}, n = (uint64_t)bag->total;
    add_log(left, words, n, n);
    add_log(left, words, (uint64_t)entropy->least.bottom, n);
    add_log(right, words, (uint64_t)entropy->least.top, n);
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint64_t count = bag->counts[bag->codes[i]];
        add_log(right, words, count, count);
    }
    unsigned __int128 margin = (unsigned __int128)n * 8;
    if (exceeds(left, right, words + 3, margin)) return 1;
    return exceeds(right, left, words + 3, margin) ? -1 : 0;
}

/* ---- equality ---- */

typedef struct prime_set {
    size_t count;
    uint64_t primes[32]; /* two numbers below 2^63 have at most 30 together */
    __int128 excess[32]; /* exponent on the left minus exponent on the right */
} prime_set;

static void add_prime(prime_set *set, uint64_t prime)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->primes[i] == prime) return;
    set->primes[set->count++] = prime;
}

static void add_primes_of(prime_set *set, uint64_t n)
{
    for (uint64_t p = 2; p <= n / p; p += 1 + (p > 2)) {
        if (n % p != 0) continue;
        add_prime(set, p);
        while (n % p == 0)
            n /= p;
    }
    if (n > 1) add_prime(set, n);
}

/* Multiplies the left side by x^times; false when x has a prime that is not in the set. */
static bool put_power(prime_set *set, uint64_t x, __int128 times)
{
    for (size_t i = 0; i < set->count && x > 1; i++)
        for (; x % set->primes[i] == 0; x /= set->primes[i])
            set->excess[i] += times;
    return x == 1;
}

static bool sides_are_equal(const bt_entropy *entropy, const bt_bag *bag)
{
    prime_set set = {0};
    uint64_t top = (uint64_t)entropy->least.top, bottom = (uint64_t)entropy->least.bottom;
    add_primes_of(&set, (uint64_t)bag->total);
    add_primes_of(&set, bottom);
    bool known = put_power(&set, (uint64_t)bag->total, bag->total) &&
                 put_power(&set, bottom, bag->total) && put_power(&set, top, -bag->total);
    for (uint32_t i = 0; i < bag->distinct && known; i++) {
        uint64_t count = bag->counts[bag->codes[i]];
        known = put_power(&set, count, -(__int128)count);
    }
    for (size_t i = 0; i < set.count && known; i++)
        known = set.excess[i] == 0;
    return known;
}

/* ---- the decision ---- */

static bool all_equal(const bt_bag *bag)
{
    for (uint32_t i = 1; i < bag->distinct; i++)
        if (bag->counts[bag->codes[i]] != bag->counts[bag->codes[0]]) return false;
    return true;
}

bool bt_entropy_reached(const bt_entropy *entropy, const bt_bag *bag)
{
    /* The most that `distinct` values can have is ln(distinct), when all are equally frequent. */
    int most = bt_ratio_compare(bag->distinct, 1, entropy->least);
    if (most <= 0) return most == 0 && all_equal(bag);
    int verdict = compare_near(entropy, bag);
    for (size_t words = 1; verdict == 0 && words <= 2; words++)
        verdict = compare_fixed(entropy, bag, words);
    if (verdict == 0 && sides_are_equal(entropy, bag)) return true;
    for (size_t words = 4; verdict == 0 && words <= BT_LOG_WORDS_MOST; words *= 2)
        verdict = compare_fixed(entropy, bag, words);
    return verdict > 0;
}
