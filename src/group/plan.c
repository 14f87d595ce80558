/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `plan`: records are recoded as a plan says that was made before (plan.h),
 * with the cells of the plan.
 *
 * The classes of the plan are the parts that group.c begins with. So what to do with those that do
 * not satisfy, and with records that are in none, is decided there.
 *
 * Cost: as that of bt_plan_parts.
 */
#include "group/plan.h"

#include <string.h>

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    const bt_column **quasi;
    int64_t rows = job->table->rows;
    *out = (bt_grouping){0};
    if (!job->plan) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "method 'plan' needs a plan");
        bt_error_hint(error, "name it with --plan; --save-plan makes one");
        return status;
    }
    BT_TRY(bt_table_select(job->table, BT_ROLE_QUASI, &quasi, &out->columns, error));
    out->rows = out->kept = rows;
    out->classes = job->parts->count;
    out->order = bt_array((size_t)rows, sizeof *out->order);
    out->starts = bt_array((size_t)out->classes + 1, sizeof *out->starts);
    out->boxes = bt_array((size_t)out->classes * out->columns, sizeof *out->boxes);
    bauta_status status =
        out->order && out->starts && out->boxes ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        memcpy(out->order, job->parts->order, (size_t)rows * sizeof *out->order);
        memcpy(out->starts, job->parts->starts, ((size_t)out->classes + 1) * sizeof *out->starts);
    }
    for (size_t c = 0; c < out->columns && status == BAUTA_OK; c++)
        for (uint32_t i = 0; i < out->classes; i++)
            out->boxes[(size_t)i * out->columns + c] = bt_tight_box(out, quasi[c], i);
    if (status == BAUTA_OK) status = bt_plan_cells(job->plan, job->parts, out, error);
    free(quasi);
    return status;
}

static bt_retrace retrace(const bt_value *options)
{
    (void)options;
    return (bt_retrace){.why = "classes are those of a plan, and nothing says how that was made"};
}

const bt_method bt_method_plan = {
    .name = "plan",
    .summary = "recodes as a plan says that an earlier run saved (--plan)",
    .paper = "",
    .divides = true,
    .planned = true,
    .no_plan = "the classes are those of a plan already",
    .retrace = retrace,
    .group = group,
};
