/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `columns`: records that agree in some quasi columns, each at a level of its
 * hierarchy, are a class ("columns:age@2,sex"). With the form `distribution` these are the groups
 * that the owner of the data gives (paper 2, SA-only).
 *
 * Cost: linear in rows times the columns named.
 */
#include "group/method.h"

static const bt_param params[] = {
    {.name = "by",
     .type = BT_PARAM_TEXT,
     .fallback = "",
     .list = true,
     .help = "quasi columns, each with a level of its hierarchy: age@2,sex"},
};

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    const char *list = job->options[0].text;
    if (list[0] == '\0') {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "method 'columns' needs the columns to group by");
        bt_error_hint(error, "write columns:age@2,sex; or take the method 'whole'");
        return status;
    }
    bt_arena arena = {0};
    bt_levels levels;
    bauta_status status = bt_levels_make(job->table, "columns", list, &arena, &levels, error);
    if (status == BAUTA_OK)
        status = bt_group_equal(job, "columns", levels.codes, levels.count, out, error);
    bt_levels_release(&levels);
    bt_arena_release(&arena);
    return status;
}

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.factor = 1,
                        .why = "classes follow from quasi values, whatever the sensitive ones are"};
}

const bt_method bt_method_columns = {
    .name = "columns",
    .summary = "records that agree in given columns, at given levels, are a class",
    .paper = "paper 2, SA-only",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .overlaps = true,
    .as_given = true,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
