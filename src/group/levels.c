/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `levels`: full-domain recoding at the levels that the recipe gives, one for
 * each quasi column. Nothing is chosen by looking at the data, so cells say nothing but what they
 * say, and tables that come later are recoded alike.
 *
 * The levels are both min-level and max-level (class/steer.h). So the parts that group.c begins
 * with are the classes, and what to do with those that do not satisfy is decided there.
 *
 * Cost: linear in rows and columns.
 */
#include "class/steer.h"
#include "group/method.h"

#include <string.h>

static bauta_status take_parts(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    int64_t rows = job->table->rows;
    const uint32_t whole[] = {0, (uint32_t)rows};
    out->rows = out->kept = rows;
    out->classes = job->parts ? job->parts->count : 1;
    out->order = bt_array((size_t)rows, sizeof *out->order);
    out->starts = bt_array((size_t)out->classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)out->classes * out->columns, sizeof *out->boxes);
    if (!out->order || !out->starts || !out->boxes) return bt_fail_memory(error);
    memcpy(out->starts, job->parts ? job->parts->starts : whole,
           ((size_t)out->classes + 1) * sizeof *out->starts);
    for (int64_t i = 0; i < rows; i++)
        out->order[i] = job->parts ? job->parts->order[i] : (uint32_t)i;
    return BAUTA_OK;
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    const bt_column **quasi;
    *out = (bt_grouping){0};
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &quasi, &out->columns, error));
    bauta_status status = take_parts(job, out, error);
    for (size_t c = 0; c < out->columns && status == BAUTA_OK; c++)
        for (uint32_t i = 0; i < out->classes; i++)
            out->boxes[(size_t)i * out->columns + c] = bt_tight_box(out, quasi[c], i);
    if (status == BAUTA_OK) status = bt_grouping_floors(out, quasi, error);
    free(quasi);
    return status;
}

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.factor = 1, .why = "levels were fixed whatever the data are"};
}

const bt_method bt_method_levels = {
    .name = "levels",
    .summary = "full-domain recoding at the levels that the recipe gives, whatever the data are",
    .paper = "Samarati and Sweeney 1998",
    .divides = true,
    .fixed = true,
    .full_domain = true,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
