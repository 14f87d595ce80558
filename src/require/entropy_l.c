/* SPDX-License-Identifier: Apache-2.0
 *
 * Entropy l-diversity: the entropy of the sensitive values of every class is at least ln(l)
 * (Machanavajjhala, Gehrke and Kifer 2006), so that l equally frequent values just satisfy.
 *
 * The decision is exact, see class/entropy.h. A person with several values counts for each.
 *
 * Cost: linear in the values that occur in the class.
 */
#include "base/natural.h"
#include "class/belief.h"
#include "class/entropy.h"
#include "require/requirement.h"

#include <math.h>

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_RATIONAL,
     .above = true,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "number of equally frequent values that have the least entropy"},
};

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    bt_rational least = instance->values[0].rational;
    if (least.bottom > BT_ENTROPY_BOTTOM_MOST) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "'entropy-l' is written with too many digits");
        bt_error_hint(error, "give at most nine decimals");
        return status;
    }
    bt_entropy *entropy = *prepared = bt_arena_array(arena, 1, sizeof *entropy);
    if (!entropy) return bt_fail_memory(error);
    return bt_entropy_init(entropy, least, column->total, arena, error);
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)instance;
    return bt_entropy_reached(prepared, bag);
}

/* With n persons and counts c, n log n less the sum of c log c is n times the entropy. One change
 * moves the sum by less than what the last of n persons adds to n log n, and that by less than
 * log2(n) + 1.45. The step is taken a little larger, so that rounding has no say. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    double size = (double)bag->total, sum = 0;
    if (!check(instance, prepared, bag)) return -1;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        double count = (double)bag->counts[bag->codes[i]];
        sum += count * log2(count);
    }
    double least = bt_rational_double(instance->values[0].rational);
    double spare = (size * (log2(size) - log2(least)) - sum) / (log2(size) + 1.5);
    return spare < 1 ? 0 : (int64_t)spare;
}

/* Too few values, even if all were equally frequent. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    (void)prepared;
    return bt_ratio_compare(bag->distinct, 1, instance->values[0].rational) < 0;
}

/* Probabilities over a total of 32 bits are a bag, and decided like one. */
static bauta_status believe_bag(const bt_requirement_instance *instance, const bt_belief *belief,
                                bool *holds, bauta_error *error)
{
    const bt_shares *shares = belief->shares;
    bt_arena arena = {0};
    bt_entropy entropy;
    uint32_t *codes = bt_arena_array(&arena, shares->codes, sizeof *codes);
    uint64_t *counts = bt_arena_array(&arena, shares->codes, sizeof *counts);
    bt_bag bag = {.size = (int64_t)shares->total[0], .of = belief->of, .codes = codes};
    bauta_status status = BAUTA_OK;
    if (!codes || !counts) {
        status = bt_fail_memory(error);
        goto out;
    }
    bag.counts = counts;
    bag.total = bag.size;
    for (uint32_t code = 0; code < shares->codes; code++) {
        counts[code] = *bt_share(shares, code);
        if (counts[code] > 0) codes[bag.distinct++] = code;
    }
    status = bt_entropy_init(&entropy, instance->values[0].rational, bag.total, &arena, error);
    if (status == BAUTA_OK) *holds = bt_entropy_reached(&entropy, &bag);
out:
    bt_arena_release(&arena);
    return status;
}

/* Finer ones are estimated; what is too near to tell does not satisfy. */
static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    static const double margin = 1e-9;
    (void)prepared;
    const bt_shares *shares = belief->shares;
    double entropy = 0;
    if (bt_natural_bits(shares->total, shares->words) < 32)
        return believe_bag(instance, belief, holds, error);
    for (uint32_t code = 0; code < shares->codes; code++) {
        double share = bt_natural_ratio(bt_share(shares, code), shares->total, shares->words);
        if (share > 0) entropy -= share * log2(share);
    }
    *holds = entropy >= log2(bt_rational_double(instance->values[0].rational)) + margin;
    return BAUTA_OK;
}

/* The largest share p with -p ln p - (1-p) ln((1-p)/(values-1)) >= ln l, with which the others can
 * still make up the entropy: it falls with p from an even spread on. */
static double largest_share(double l, uint32_t values)
{
    double low = 1.0 / values, high = 1;
    for (int i = 0; values > 1 && i < 60; i++) {
        double p = (low + high) / 2;
        double entropy = -p * log(p) - (p < 1 ? (1 - p) * log((1 - p) / (values - 1)) : 0);
        if (entropy >= log(l) - 1e-12)
            low = p;
        else
            high = p;
    }
    return high;
}

static bauta_status bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                          bt_arena *arena, bauta_error *error)
{
    (void)arena;
    (void)error;
    double l = bt_rational_double(instance->values[0].rational);
    bt_ceiling_lower(ceiling, largest_share(l, ceiling->values));
    return BAUTA_OK;
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return bt_ratio_compare(1, 1, instance->values[0].rational) >= 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error,
                  "the values are as diverse as %.6g equally frequent ones, "
                  "entropy-l is %s",
                  bt_entropy_perplexity(bag), instance->values[0].text);
}

static bool mixes(const bt_requirement_instance *instance)
{
    return instance->values[0].rational.top > instance->values[0].rational.bottom;
}

const bt_requirement bt_requirement_entropy_l = {
    .name = "entropy-l",
    .summary = "the sensitive values of every class are as diverse as l equally frequent ones",
    .paper = "Machanavajjhala, Gehrke and Kifer 2006",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .hopeless = hopeless,
    .believe = believe,
    .bound = bound,
    .mixes = mixes,
    .explain = explain,
};
