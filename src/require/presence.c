/* SPDX-License-Identifier: Apache-2.0
 *
 * presence: nobody of a public table can be believed to be in the table with more than this, the
 * upper bound of delta-presence (Nergiz, Atzori and Clifton 2007).
 *
 * A release with a public table has boxes of persons who are in the table (its records) and of
 * persons who are only in the public one, and nothing tells them apart: of someone in a box an
 * attacker believes the share of its records. So that share is bounded in every box. It is compared
 * exactly: 1/3 is more than 0.33. That everyone else of the public table is in no box, and so not
 * in the table, is not hidden: there is no lower bound.
 *
 * Two boxes that satisfy do so together, since their share lies between theirs.
 *
 * Cost: constant per class.
 */
#include "require/requirement.h"

static const bt_param params[] = {
    {.name = "presence",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "1",
     .help = "greatest share of a class that may be records; needs a public table"},
};

static bool check(const bt_requirement_instance *instance, const void *prepared, const bt_bag *bag)
{
    (void)prepared;
    int64_t records = bt_bag_records(bag);
    return records == 0 ||
           bt_ratio_compare(records, records + bag->external, instance->values[0].rational) <= 0;
}

static bt_rational most_records(const bt_requirement_instance *instance)
{
    return instance->values[0].rational;
}

static bool asks_nothing(const bt_requirement_instance *instance)
{
    return bt_ratio_compare(1, 1, instance->values[0].rational) <= 0;
}

static void explain(const bt_requirement_instance *instance, const void *prepared,
                    const bt_bag *bag, bauta_error *error)
{
    (void)prepared;
    int64_t records = bt_bag_records(bag), all = records + bag->external;
    bt_error_hint(error,
                  "of %lld persons in both tables %lld are in the table (%.4g), presence is %s",
                  (long long)all, (long long)records, all > 0 ? (double)records / (double)all : 0.0,
                  instance->values[0].text);
}

const bt_requirement bt_requirement_presence = {
    .name = "presence",
    .summary = "nobody of a public table can be believed to be in the table with more than this",
    .paper = "Nergiz, Atzori and Clifton 2007",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .monotone_merging = true,
    .monotone_growing = false,
    .monotone_suppression = false,
    .most_records = most_records,
    .asks_nothing = asks_nothing,
    .check = check,
    .explain = explain,
};
