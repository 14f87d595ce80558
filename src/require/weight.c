/* SPDX-License-Identifier: Apache-2.0
 *
 * weight: the sensitive values of every class weigh at least this much altogether: the alpha of
 * (p,alpha)-sensitive k-anonymity (Sun, Wang, Li and Truta 2008).
 *
 * A value of category i of m weighs (i-1)/(m-1), where the first category is the most sensitive
 * one. The weight of a class is a sum over its persons (and a person's values, when there are
 * several), not a mean: large classes reach it easily. What is summed are the whole numbers i-1.
 *
 * Cost: linear in the values that occur in the class.
 */
#include "require/requirement.h"

static const bt_param params[] = {
    {.name = "weight",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0",
     .help = "least sum of the category weights of a class"},
};

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    (void)instance;
    (void)arena;
    (void)prepared;
    if (column->categories->count < 2)
        return bt_fail(error, BAUTA_INVALID,
                       "'weight' needs at least two categories, one alone has no weight");
    return BAUTA_OK;
}

/* The sum of i-1, below 2^64. */
static unsigned __int128 sum_of(const bt_bag *bag)
{
    const uint32_t *of_code = bag->of->categories->of_code;
    unsigned __int128 sum = 0;
    for (uint32_t i = 0; i < bag->distinct; i++)
        sum += (uint64_t)of_code[bag->codes[i]] * bag->counts[bag->codes[i]];
    return sum;
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    bt_rational least = instance->values[0].rational;
    return bt_fraction_compare(sum_of(bag), bag->of->categories->count - 1,
                               (unsigned __int128)least.top, (unsigned __int128)least.bottom) >= 0;
}

/* One change moves the weight by one at most. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    bt_rational least = instance->values[0].rational;
    unsigned __int128 heaviest = bag->of->categories->count - 1;
    if (!check(instance, prepared, bag)) return -1;
    return (int64_t)((sum_of(bag) * (uint64_t)least.bottom - heaviest * (uint64_t)least.top) /
                     (heaviest * (uint64_t)least.bottom));
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return instance->values[0].rational.top == 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error, "the values weigh %.6g altogether, weight is %s",
                  (double)sum_of(bag) / (bag->of->categories->count - 1.0),
                  instance->values[0].text);
}

const bt_requirement bt_requirement_weight = {
    .name = "weight",
    .summary = "the category weights of every class add up to at least this",
    .paper = "Sun, Wang, Li and Truta 2008",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = true,
    .monotone_suppression = false,
    .needs_categories = true,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .explain = explain,
};
