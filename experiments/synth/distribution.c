/* SPDX-License-Identifier: Apache-2.0
 *
 * Distributions in integers: alias tables, and the exponential and logarithm that normal and
 * Zipf weights need, in fixed point, because the C library's may differ in the last bit from
 * one machine to the next.
 *
 * Alias method: Walker 1977, in Vose's linear form (1991). Building costs O(2^bits), drawing
 * one look-up; a weight is met within 2^-16 of an entry's share.
 */
#include "synth/synth.h"

#include <stdlib.h>

typedef unsigned __int128 wide;

/* ---- fixed point: Q56 has 56 binary places ---- */

static const uint64_t LN2_Q56 = 49946518145322874u;

enum { VANISHING = 44 }; /* exp(-44) is below 2^-62 */

/* exp(-x) with 62 binary places, for x >= 0 with 56. */
static uint64_t exp_minus(wide x)
{
    if (x >> 56 >= VANISHING) return 0;
    unsigned halvings = (unsigned)(x / LN2_Q56);
    wide fraction = x % LN2_Q56, term = (wide)1 << 62, sum = term;
    for (unsigned k = 1; k <= 20; k++) {
        term = term * fraction / ((wide)k << 56);
        sum = k % 2 ? sum - term : sum + term;
    }
    return (uint64_t)sum >> halvings;
}

/* The natural logarithm of k >= 1 with 56 binary places: the bits of the binary logarithm come
 * out one by one as its mantissa is squared. */
static uint64_t log_of(uint64_t k)
{
    unsigned exponent = 63 - (unsigned)__builtin_clzll(k);
    uint64_t mantissa = k << (63 - exponent), binary = exponent;
    for (int i = 0; i < 56; i++) {
        wide square = (wide)mantissa * mantissa >> 63;
        unsigned bit = square >> 64 != 0;
        mantissa = (uint64_t)(square >> bit);
        binary = binary << 1 | bit;
    }
    return (uint64_t)((wide)binary * LN2_Q56 >> 56);
}

void ex_weights_normal(int64_t low, size_t count, int64_t mean, int64_t deviation,
                       uint64_t *weights)
{
    for (size_t i = 0; i < count; i++) {
        int64_t from_mean = low + (int64_t)i - mean;
        wide square = (wide)((__int128)from_mean * from_mean);
        weights[i] = exp_minus((square << 56) / ((wide)deviation * (wide)deviation * 2)) >> 22;
    }
}

void ex_weights_zipf(size_t count, ex_rational s, uint64_t *weights)
{
    for (size_t i = 0; i < count; i++)
        weights[i] = exp_minus((wide)log_of(i + 1) * (wide)s.top / (wide)s.bottom) >> 22;
}

/* ---- alias tables ---- */

static void pair_up(uint64_t *shares, size_t size, uint64_t total, uint32_t *order,
                    uint32_t *entries)
{
    /* Entries with less than their fair share at the front of `order`, the others at its end;
     * each poor one is filled up from a rich one, which may become poor by it. */
    size_t poor = 0, rich = size;
    for (uint32_t i = 0; i < size; i++)
        order[shares[i] < total ? poor++ : --rich] = i;
    size_t next = 0;
    while (next < rich && rich < size) {
        uint32_t low = order[next++], high = order[rich];
        uint32_t threshold = (uint32_t)(((wide)shares[low] << 16) / total);
        entries[low] = threshold | high << 16;
        shares[high] -= total - shares[low];
        if (shares[high] < total) rich++; /* it is now the next poor one */
    }
    /* What is left is full but for rounding: its own alias. */
    for (; next < size; next++)
        entries[order[next]] = order[next] << 16;
}

bauta_status ex_alias_build(const uint64_t *weights, size_t count, unsigned bits, uint32_t *entries,
                            bauta_error *error)
{
    size_t size = (size_t)1 << bits;
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    if (total == 0 || count > size)
        return ex_fail(error, BAUTA_INTERNAL, "a distribution has no weight or too many values");
    uint64_t *shares = calloc(size, sizeof *shares);
    uint32_t *order = calloc(size, sizeof *order);
    bauta_status status = BAUTA_OK;
    if (!shares || !order) {
        status = ex_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < count; i++)
        shares[i] = weights[i] << bits;
    pair_up(shares, size, total, order, entries);
out:
    free(shares);
    free(order);
    return status;
}

bauta_status ex_values_build(ex_arena *arena, int64_t low, const uint64_t *weights, size_t count,
                             ex_values_model *out, bauta_error *error)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    if (total == 0) {
        bauta_status status =
            ex_fail(error, BAUTA_USAGE, "no value from 'low' to 'high' is likely enough to occur");
        ex_error_hint(error, "choose a mean between them or a larger deviation");
        return status;
    }
    *out = (ex_values_model){.low = low};
    while ((size_t)1 << out->bits < count)
        out->bits++;
    out->entries = ex_arena_array(arena, (size_t)1 << out->bits, sizeof *out->entries);
    if (!out->entries) return ex_fail_memory(error);
    return ex_alias_build(weights, count, out->bits, out->entries, error);
}

/* ---- noise ---- */

/* Steps of a sixteenth of a standard deviation from -4 to 4. */
enum { NOISE_STEPS = 129, NOISE_MIDDLE = 64, NOISE_PER_DEVIATION = 16 };

bauta_status ex_noise_build(ex_noise *noise, ex_rational sigma, bauta_error *error)
{
    uint64_t weights[NOISE_STEPS];
    ex_weights_normal(-NOISE_MIDDLE, NOISE_STEPS, 0, NOISE_PER_DEVIATION, weights);
    for (int i = 0; i <= NOISE_STEPS; i++) {
        bool up = i > NOISE_MIDDLE;
        wide steps = (wide)(up ? i - NOISE_MIDDLE : NOISE_MIDDLE - i);
        wide power = (steps << 56) / NOISE_PER_DEVIATION * (wide)sigma.top / (wide)sigma.bottom;
        uint64_t shrunk = exp_minus(power);
        noise->factors[i] = (uint32_t)(up ? ((wide)1 << 74) / shrunk : shrunk >> 50);
    }
    return ex_alias_build(weights, NOISE_STEPS, 8, noise->entries, error);
}
