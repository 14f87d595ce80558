/* SPDX-License-Identifier: Apache-2.0
 *
 * distribution with the promise `t`: whether the reference that the manifest has, with which
 * targets are compared, is the distribution of the original records, rounded as the form says.
 *
 * Cost: linear in records.
 */
#include "audit/finding.h"
#include "recipe/names.h"
#include "spec/words.h"

#include <string.h>

static const bt_column *find_column(const bt_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->columns[i].name, name) == 0) return &table->columns[i];
    return NULL;
}

/* The original records of each leaf. *all: every value is a leaf. */
static bauta_status count_leaves(const bt_table *table, const bt_column *column,
                                 const bt_hierarchy *tree, uint64_t *counts, bool *all,
                                 bauta_error *error)
{
    bt_names names = {0};
    bool added;
    uint32_t leaf;
    bauta_status status = BAUTA_OK;
    *all = true;
    for (uint32_t i = 0; i < tree->leaves && status == BAUTA_OK; i++)
        status = bt_names_add(&names, 0, tree->nodes[tree->leaf_node[i]].name, i, &added, error);
    for (int64_t row = 0; row < table->rows && status == BAUTA_OK; row++) {
        const char *text = column->domain.text[bt_column_code(column, row)];
        if (bt_names_find(&names, 0, text, &leaf))
            counts[leaf]++;
        else
            *all = false;
    }
    bt_names_release(&names);
    return status;
}

static bauta_status compare(const bt_audit_job *job, const uint64_t *counts, bt_arena *arena,
                            bool *same, bauta_error *error)
{
    const bt_manifest *manifest = &job->release->manifest;
    const bt_hierarchy *tree = job->release->distribution.sensitive->manifest->hierarchy;
    const bt_space space = {
        .column = "", .domain = {.size = tree->leaves, .number = job->numbers}, .hierarchy = tree};
    bt_target target;
    uint64_t *weights = bt_arena_array(arena, tree->count, sizeof *weights);
    if (!weights) return bt_fail_memory(error);
    BT_TRY(bt_target_make(&space, counts, arena, &target, error));
    BT_TRY(bt_target_round(&target, bt_form_number(manifest->form, "weight-cap"), error));
    bt_target_weights(&target, tree, weights);
    *same = manifest->reference->weight_count == tree->count &&
            memcmp(manifest->reference->weights, weights, tree->count * sizeof *weights) == 0;
    return BAUTA_OK;
}

bauta_status bt_audit_reference(bt_audit_job *job, bauta_error *error)
{
    const bt_manifest_column *shown = job->release->distribution.sensitive->manifest;
    const bt_table *table = job->options->original->table;
    const bt_column *column = find_column(table, shown->name);
    bt_arena arena = {0};
    bool all = false, same = false;
    uint64_t *counts = bt_arena_array(&arena, shown->hierarchy->leaves, sizeof *counts);
    bauta_status status = counts ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK && column)
        status = count_leaves(table, column, shown->hierarchy, counts, &all, error);
    if (status == BAUTA_OK && all) status = compare(job, counts, &arena, &same, error);
    bt_arena_release(&arena);
    if (status == BAUTA_SYSTEM) return status;
    if (status == BAUTA_OK && same)
        bt_finding_put(job, "reference", BT_HOLDS, BT_NO_ROW,
                       "'t' compares with the distribution of the original records");
    else if (job->release->manifest.dropped_rows > 0)
        bt_finding_put(job, "reference", BT_UNVERIFIABLE, BT_NO_ROW,
                       "records were dropped: which of them 't' compares with is not known");
    else
        bt_finding_put(job, "reference", BT_FAILS, BT_NO_ROW,
                       "'t' compares with something else than the distribution of the original "
                       "records");
    return BAUTA_OK;
}
