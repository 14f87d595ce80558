/* SPDX-License-Identifier: Apache-2.0
 *
 * Entropy l-diversity: the entropy of the sensitive values of every class is at least ln(l)
 * (Machanavajjhala, Gehrke and Kifer 2006), so that l equally frequent values just satisfy.
 *
 * The decision is exact, see class/entropy.h. A person with several values counts for each.
 *
 * Cost: linear in the values that occur in the class.
 */
#include "class/entropy.h"
#include "require/requirement.h"

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_RATIONAL,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "number of equally frequent values that have the least entropy"},
};

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    bt_rational least = instance->values[0].rational;
    if (least.top == least.bottom)
        return bt_fail(error, BAUTA_INVALID, "'entropy-l' must be more than 1");
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

/* Too few values, even if all were equally frequent. */
static bool hopeless(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    (void)prepared;
    return bt_ratio_compare(bag->distinct, 1, instance->values[0].rational) < 0;
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
    .check = check,
    .hopeless = hopeless,
    .explain = explain,
};
