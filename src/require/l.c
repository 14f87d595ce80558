/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinct l-diversity: every class has at least l distinct sensitive values (Machanavajjhala,
 * Gehrke and Kifer 2006). The same test as p, under the name that the literature on diversity uses.
 *
 * Cost: constant per class.
 */
#include "class/belief.h"
#include "require/requirement.h"

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "least number of distinct sensitive values in a class"},
};

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    return bag->distinct >= instance->values[0].integer;
}

static bauta_status believe(const bt_requirement_instance *instance, const void *prepared,
                            const bt_belief *belief, bool *holds, bauta_error *error)
{
    (void)prepared;
    (void)error;
    *holds = belief->target->leaves >= instance->values[0].integer;
    return BAUTA_OK;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error, "the number of distinct values is %u, l is %lld", bag->distinct,
                  (long long)instance->values[0].integer);
}

const bt_requirement bt_requirement_l = {
    .name = "l",
    .summary = "every class has at least l distinct sensitive values (distinct l-diversity)",
    .paper = "Machanavajjhala, Gehrke and Kifer 2006",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = true,
    .monotone_suppression = false,
    .occurrence_only = true,
    .check = check,
    .believe = believe,
    .explain = explain,
};
