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
    .believe = bt_distinct_believe,
    .bound = bt_distinct_bound,
    .mixes = bt_distinct_mixes,
    .explain = bt_distinct_explain,
};
