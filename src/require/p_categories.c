/* SPDX-License-Identifier: Apache-2.0
 *
 * p-categories: every class has sensitive values of at least p distinct categories: the p+ of
 * (p+,alpha)-sensitive k-anonymity (Sun, Wang, Li and Truta 2008).
 *
 * Cost: linear in the values that occur in the class.
 */
#include "base/bitset.h"
#include "class/belief.h"
#include "require/distinct.h"

enum { CATEGORIES_MOST = 65536, CATEGORY_WORDS = CATEGORIES_MOST / 64 };

static const bt_param params[] = {
    {.name = "p",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "least number of distinct categories in a class"},
};

static bauta_status prepare(const bt_requirement_instance *instance, const bt_sensitive *column,
                            bt_arena *arena, void **prepared, bauta_error *error)
{
    (void)instance;
    (void)arena;
    (void)prepared;
    if (column->categories->count > CATEGORIES_MOST)
        return bt_fail(error, BAUTA_INVALID, "'p-categories' takes at most %d categories",
                       CATEGORIES_MOST);
    return BAUTA_OK;
}

static uint32_t count_categories(const bt_bag *bag)
{
    const bt_categories *categories = bag->of->categories;
    uint64_t seen[CATEGORY_WORDS];
    uint32_t count = 0;
    for (size_t i = 0; i < bt_bitset_words(categories->count); i++)
        seen[i] = 0;
    for (uint32_t i = 0; i < bag->distinct && count < categories->count; i++) {
        uint32_t category = categories->of_code[bag->codes[i]];
        count += !bt_bitset_has(seen, category);
        bt_bitset_add(seen, category);
    }
    return count;
}

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    if (bag->distinct < instance->values[0].integer) return false;
    return count_categories(bag) >= instance->values[0].integer;
}

/* One change adds or takes one category at most. */
static int64_t slack(const bt_requirement_instance *instance, const void *prepared,
                     const bt_bag *bag)
{
    (void)prepared;
    int64_t spare = (int64_t)count_categories(bag) - instance->values[0].integer;
    return spare < 0 ? -1 : spare;
}

static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)prepared;
    (void)error;
    const bt_categories *categories = belief->of->categories;
    const bt_target *target = belief->target;
    uint64_t seen[CATEGORY_WORDS] = {0};
    int64_t count = 0;
    for (uint32_t code = 0; code < target->codes; code++) {
        if (target->leaf_of[code] == BT_NO_NODE) continue;
        count += !bt_bitset_has(seen, categories->of_code[code]);
        bt_bitset_add(seen, categories->of_code[code]);
    }
    *holds = count >= instance->values[0].integer;
    return BAUTA_OK;
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return instance->values[0].integer <= 1;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error, "the number of categories is %u, p-categories is %lld",
                  count_categories(bag), (long long)instance->values[0].integer);
}

const bt_requirement bt_requirement_p_categories = {
    .name = "p-categories",
    .summary = "every class has sensitive values of at least p distinct categories",
    .paper = "Sun, Wang, Li and Truta 2008",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = true,
    .monotone_suppression = false,
    .occurrence_only = true,
    .needs_categories = true,
    .prepare = prepare,
    .asks_nothing = asks_nothing,
    .check = check,
    .slack = slack,
    .believe = believe,
    .bound = bt_distinct_bound,
    .mixes = bt_distinct_mixes,
    .explain = explain,
};
