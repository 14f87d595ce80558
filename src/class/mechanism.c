/* SPDX-License-Identifier: Apache-2.0
 *
 * Checking a mechanism, exactly.
 */
#include "class/mechanism.h"

#include "base/natural.h"

#include <string.h>

enum { MOST_COLUMNS = 4096 };
static const uint64_t most_total = (uint64_t)1 << 62;

/* One denominator for all; 0: none that fits. */
static uint64_t common_total(const bt_rational *redrawn, size_t columns)
{
    uint64_t total = 1;
    for (size_t i = 0; i < columns; i++) {
        uint64_t bottom = (uint64_t)redrawn[i].bottom;
        if (__builtin_mul_overflow(total, bottom / bt_common_divisor(total, bottom), &total) ||
            total > most_total)
            return 0;
    }
    return total;
}

static bauta_status weigh(bt_mechanism *out, bt_arena *arena, bauta_error *error)
{
    uint64_t sum = 0;
    out->total = common_total(out->redrawn, out->columns);
    if (out->total == 0)
        return bt_fail(error, BAUTA_INVALID,
                       "the probabilities have no common denominator of at most 2^62");
    out->weight = bt_arena_array(arena, out->columns, sizeof *out->weight);
    if (!out->weight) return bt_fail_memory(error);
    for (size_t i = 0; i < out->columns; i++) {
        bt_rational share = out->redrawn[i];
        out->weight[i] = (uint64_t)share.top * (out->total / (uint64_t)share.bottom);
        if (sum <= out->total) sum += out->weight[i]; /* both below 2^62 */
    }
    if (sum == out->total) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the probabilities of the columns add up to %s than 1",
                sum < out->total ? "less" : "more");
    bt_error_hint(error, "fractions such as 1/3 are exact");
    return status;
}

bauta_status bt_mechanism_make(uint32_t lambda, const bt_rational *redrawn, size_t columns,
                               bt_arena *arena, bt_mechanism *out, bauta_error *error)
{
    *out = (bt_mechanism){.columns = columns, .lambda = lambda};
    if (columns > MOST_COLUMNS)
        return bt_fail(error, BAUTA_INVALID, "there are more than %d quasi columns", MOST_COLUMNS);
    if (lambda < 1 || lambda > columns)
        return bt_fail(error, BAUTA_INVALID,
                       "lambda is %u, but there are %zu quasi columns to draw anew", lambda,
                       columns);
    out->redrawn = bt_arena_array(arena, columns, sizeof *out->redrawn);
    if (!out->redrawn) return bt_fail_memory(error);
    memcpy(out->redrawn, redrawn, columns * sizeof *redrawn);
    for (size_t i = 0; i < columns; i++) {
        if (redrawn[i].bottom <= 0 || redrawn[i].top <= 0 || redrawn[i].top > redrawn[i].bottom)
            return bt_fail(
                error, BAUTA_INVALID,
                "the probability that a column is drawn anew must be above 0 and at most 1");
        if (lambda > 1 && bt_ratio_compare(lambda, (int64_t)columns, redrawn[i]) != 0)
            return bt_fail(error, BAUTA_INVALID,
                           "with lambda above 1 all columns are drawn anew with the same "
                           "probability, %u/%zu",
                           lambda, columns);
    }
    return lambda == 1 ? weigh(out, arena, error) : BAUTA_OK;
}
