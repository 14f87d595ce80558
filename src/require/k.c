/* SPDX-License-Identifier: Apache-2.0
 *
 * k-anonymity: every class has at least k records (Samarati and Sweeney 1998).
 *
 * The teaching copy: a whole requirement on one screen. To add one, copy this file, rename
 * the entry, add its line to requirements.def and run the contract tests.
 *
 * Cost: constant per class.
 */
#include "require/requirement.h"

static const bt_param params[] = {
    {.name = "k",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "least number of records in a class"},
};

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    return bag->size >= instance->values[0].integer;
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return instance->values[0].integer <= 1;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    bt_error_hint(error, "the table has %lld %s%s, k is %lld", (long long)bag->size,
                  bag->of_subjects ? "person" : "record", bag->size == 1 ? "" : "s",
                  (long long)instance->values[0].integer);
}

const bt_requirement bt_requirement_k = {
    .name = "k",
    .summary = "every class has at least k records",
    .paper = "Samarati and Sweeney 1998",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = true,
    .monotone_suppression = false,
    .size_only = true,
    .asks_nothing = asks_nothing,
    .check = check,
    .explain = explain,
};
