/* SPDX-License-Identifier: Apache-2.0
 *
 * The grouping method `identical`: records with equal quasi values are a class. With the form
 * `distribution` that is paper 2's QI-SA: the groups that the owner gives (within=COL@LEVEL,…; all
 * records when none are) are divided into these classes, each is allocated alone, and those of a
 * group share its target distribution.
 *
 * Cost: linear in rows times quasi columns.
 */
#include "group/method.h"

static const bt_param params[] = {
    {.name = "within",
     .type = BT_PARAM_TEXT,
     .fallback = "",
     .list = true,
     .help = "quasi columns, each with a level, whose groups share a target: age@2,sex"},
};

static bauta_status find_codes(const bt_table *table, bt_codes **out, size_t *count,
                               bauta_error *error)
{
    const bt_column **quasi;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, count, error));
    *out = bt_array(*count, sizeof **out);
    for (size_t i = 0; *out && i < *count; i++)
        (*out)[i] = (bt_codes){quasi[i]->codes, quasi[i]->width, quasi[i]->domain.size};
    free(quasi);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

/* The wider group of each class, by its first row: equal values have equal nodes. */
static bauta_status find_wider(const bt_method_job *job, const bt_levels *levels, bt_grouping *out,
                               bauta_error *error)
{
    bt_parts parts;
    bauta_status status =
        bt_parts_group(levels->codes, levels->count, job->table->rows, job->run, &parts, error);
    uint32_t *part_of = bt_array((size_t)job->table->rows, sizeof *part_of);
    out->wider = parts.count;
    out->wider_of = bt_array(out->classes, sizeof *out->wider_of);
    if (status == BAUTA_OK && (!part_of || !out->wider_of)) status = bt_fail_memory(error);
    bool made = status == BAUTA_OK;
    for (uint32_t p = 0; made && p < parts.count; p++)
        for (uint32_t i = parts.starts[p]; i < parts.starts[p + 1]; i++)
            part_of[parts.order[i]] = p;
    for (uint32_t c = 0; made && c < out->classes; c++)
        out->wider_of[c] = part_of[out->order[out->starts[c]]];
    free(part_of);
    bt_parts_release(&parts);
    return status;
}

static bauta_status group(const bt_method_job *job, bt_grouping *out, bauta_error *error)
{
    bt_arena arena = {0};
    bt_levels levels;
    bt_codes *codes = NULL;
    size_t count;
    bauta_status status =
        bt_levels_make(job->table, "identical", job->options[0].text, &arena, &levels, error);
    if (status == BAUTA_OK) status = find_codes(job->table, &codes, &count, error);
    if (status == BAUTA_OK) status = bt_group_equal(job, "identical", codes, count, out, error);
    if (status == BAUTA_OK) status = find_wider(job, &levels, out, error);
    free(codes);
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

const bt_method bt_method_identical = {
    .name = "identical",
    .summary = "records with equal quasi values are a class",
    .paper = "paper 2, QI-SA",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .overlaps = true,
    .as_given = true,
    .tuples = true,
    .retrace = retrace,
    .group = group,
};
