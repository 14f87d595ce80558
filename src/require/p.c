/* SPDX-License-Identifier: Apache-2.0
 *
 * p-sensitivity: every class has at least p distinct sensitive values (Truta and Bindu 2006). With
 * k it is p-sensitive k-anonymity.
 *
 * Cost: constant per class.
 */
#include "require/distinct.h"

#include "class/belief.h"

static const bt_param params[] = {
    {.name = "p",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "least number of distinct sensitive values in a class"},
};

/* ---- counts in their order ---- */

uint64_t bt_bag_greatest(const bt_bag *bag)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < bag->distinct; i++)
        if (bag->counts[bag->codes[i]] > most) most = bag->counts[bag->codes[i]];
    return most;
}

/* How many values have a count above `bound`, and the sum of these counts. */
static uint32_t count_above(const bt_bag *bag, uint64_t bound, int64_t *sum)
{
    uint32_t above = 0;
    *sum = 0;
    for (uint32_t i = 0; i < bag->distinct; i++) {
        uint64_t count = bag->counts[bag->codes[i]];
        if (count <= bound) continue;
        above++;
        *sum += (int64_t)count;
    }
    return above;
}

/* The count at the border is found by bisection, so that nothing need be sorted. */
int64_t bt_bag_rest(const bt_bag *bag, uint32_t leading)
{
    int64_t sum;
    if (leading >= bag->distinct) return 0;
    uint64_t few = bt_bag_greatest(bag),
             many = 0; /* at most, more than `leading` counts above it */
    while (few - many > 1) {
        uint64_t middle = many + (few - many) / 2;
        if (count_above(bag, middle, &sum) <= leading)
            few = middle;
        else
            many = middle;
    }
    uint32_t above = count_above(bag, few, &sum);
    return bag->total - sum - (int64_t)(leading - above) * (int64_t)few;
}

/* ---- the requirement ---- */

bool bt_distinct_asks_nothing(const bt_requirement_instance *instance)
{
    return instance->values[0].integer <= 1;
}

bool bt_distinct_check(const bt_requirement_instance *instance, const void *prepared,
                       const bt_bag *bag)
{
    (void)prepared;
    return bag->distinct >= instance->values[0].integer;
}

int64_t bt_distinct_slack(const bt_requirement_instance *instance, const void *prepared,
                          const bt_bag *bag)
{
    (void)prepared;
    return bt_bag_rest(bag, (uint32_t)instance->values[0].integer - 1) - 1;
}

bauta_status bt_distinct_believe(const bt_requirement_instance *instance, const void *prepared,
                                 const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)prepared;
    (void)error;
    *holds = belief->target->leaves >= instance->values[0].integer;
    return BAUTA_OK;
}

bauta_status bt_distinct_bound(const bt_requirement_instance *instance, bt_ceiling *ceiling,
                               bt_arena *arena, bauta_error *error)
{
    (void)arena;
    (void)error;
    double others = (double)(instance->values[0].integer - 1);
    if (ceiling->distinct < others) ceiling->distinct = others;
    ceiling->any = true;
    return BAUTA_OK;
}

bool bt_distinct_mixes(const bt_requirement_instance *instance)
{
    return instance->values[0].integer > 1;
}

void bt_distinct_explain(const bt_requirement_instance *instance, const void *prepared,
                         const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error, "the number of distinct values is %u, %s is %lld", bag->distinct,
                  instance->type->name, (long long)instance->values[0].integer);
}

const bt_requirement bt_requirement_p = {
    .name = "p",
    .summary = "every class has at least p distinct sensitive values",
    .paper = "Truta and Bindu 2006",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = true,
    .monotone_suppression = false,
    .occurrence_only = true,
    .asks_nothing = bt_distinct_asks_nothing,
    .check = bt_distinct_check,
    .slack = bt_distinct_slack,
    .believe = bt_distinct_believe,
    .bound = bt_distinct_bound,
    .mixes = bt_distinct_mixes,
    .explain = bt_distinct_explain,
};
