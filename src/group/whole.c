/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `whole`: all records are one class. With the form `distribution` that is
 * paper 2's SA-only with a single group.
 *
 * Cost: linear in rows.
 */
#include "group/method.h"

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    return bt_group_equal(job, "whole", NULL, 0, out, error);
}

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.factor = 1, .why = "all records are one class whatever they are"};
}

const bt_method bt_method_whole = {
    .name = "whole",
    .summary = "all records are one class",
    .paper = "paper 2, SA-only",
    .overlaps = true,
    .as_given = true,
    .one_class = true,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
