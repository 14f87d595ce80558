/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinct l-diversity: every class has at least l distinct sensitive values (Machanavajjhala,
 * Gehrke and Kifer 2006). The same test as p, under the name that the literature on diversity uses.
 *
 * Cost: constant per class.
 */
#include "require/distinct.h"

static const bt_param params[] = {
    {.name = "l",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "4294967295",
     .help = "least number of distinct sensitive values in a class"},
};

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
    .asks_nothing = bt_distinct_asks_nothing,
    .check = bt_distinct_check,
    .slack = bt_distinct_slack,
    .believe = bt_distinct_believe,
    .bound = bt_distinct_bound,
    .mixes = bt_distinct_mixes,
    .explain = bt_distinct_explain,
};
