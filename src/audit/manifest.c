/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest against itself and against the files: what it says in plain words follows from its
 * other fields, the options of the form are those that the fields show, and it lists nothing of
 * hierarchies and categories that the files do not hold, since that may be a dropped record's.
 *
 * Nothing is told where all is well: these are no promises, but what makes promises readable.
 *
 * Cost: linear in distinct texts.
 */
#include "audit/finding.h"
#include "audit/method.h"

#include "base/bitset.h"
#include "recipe/names.h"

#include <string.h>

void bt_manifest_wrong(bt_audit_job *job, const char *what)
{
    bt_finding_put(job, "manifest", BT_FAILS, BT_NO_ROW, "%s", what);
}

/* ---- words ------------------------------------------------------------------------------- */

/* Two texts, either of which may be missing. */
static bool is_same(const char *one, const char *other)
{
    return one && other ? strcmp(one, other) == 0 : !one && !other;
}

static void check_words(bt_audit_job *job, const bt_words *words)
{
    const bt_manifest *manifest = &job->release->manifest;
    if (!is_same(manifest->protects, words->protects) ||
        !is_same(manifest->not_protected, words->not_protected))
        bt_finding_put(
            job, "words", BT_FAILS, BT_NO_ROW,
            "the manifest says something else of what is protected and what is not than what "
            "follows from the rest of it");
    if (!is_same(manifest->remark, words->remark))
        bt_finding_put(job, "words", BT_FAILS, BT_NO_ROW,
                       "the manifest has another remark than the one that follows from the rest of "
                       "it");
}

/* ---- odds -------------------------------------------------------------------------------- */

/* What is stated of whoever replays the method follows from it; a release that cannot state
 * anything must not. */
static void check_odds(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_manifest *manifest = &release->manifest;
    bt_retrace retrace = bt_method_retrace(&manifest->method);
    if (manifest->replayer == 0) return;
    if (retrace.factor == 0 || manifest->persons || manifest->join.text ||
        release->distribution.sensitive || release->form->redrawn) {
        bt_manifest_wrong(job, "it states a factor of odds, and nothing is proven that it follows "
                               "from");
        return;
    }
    if (manifest->replayer != retrace.factor)
        bt_manifest_wrong(job, "it states another factor of odds than follows from the method");
}

/* ---- options ----------------------------------------------------------------------------- */

static bauta_status check_options(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_manifest *manifest = &release->manifest;
    bool redrawn = release->form->redrawn;
    const char *fault = redrawn ? NULL : bt_method_fault(manifest);
    bool none = strcmp(manifest->method.text, "none") == 0;
    if (redrawn != none)
        bt_manifest_wrong(job, redrawn ? "it names a grouping method, but there are no classes"
                                       : "it names no grouping method, but there are classes");
    if (fault && !none) bt_manifest_wrong(job, fault);
    if (manifest->join.fault) bt_manifest_wrong(job, manifest->join.fault);
    if (!redrawn && manifest->method.type && manifest->method.type->one_class &&
        release->classes.count > 1)
        bt_manifest_wrong(job, "the method makes one class of all records, but there are several");
    check_odds(job);
    return job->form->options ? job->form->options(job, error) : BAUTA_OK;
}

/* ---- what it lists ----------------------------------------------------------------------- */

/* Nodes of a hierarchy that are neither a cell of any row nor, from format 1 on, above one. */
static bauta_status check_nodes(bt_audit_job *job, const bt_release_column *column,
                                bauta_error *error)
{
    const bt_hierarchy *tree = column->format.hierarchy;
    uint64_t *seen = bt_array_zero(bt_bitset_words(tree->count), sizeof *seen);
    size_t unseen = 0;
    if (!seen) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->values->count; i++) {
        uint32_t node = bt_hierarchy_find(tree, column->values->text[i], column->values->length[i]);
        if (node == UINT32_MAX) continue;
        bt_bitset_add(seen, node);
        for (; job->release->manifest.format > 0 && node != 0; node = tree->nodes[node].parent)
            bt_bitset_add(seen, node);
    }
    for (size_t i = 0; i < column->manifest->node_count; i++) {
        const char *label = column->manifest->nodes[i].label;
        uint32_t node = bt_hierarchy_find(tree, label, strlen(label));
        unseen += node == UINT32_MAX || !bt_bitset_has(seen, node);
    }
    free(seen);
    if (unseen > 0)
        bt_finding_put(job, "manifest", BT_FAILS, BT_NO_ROW,
                       "column '%s': %zu nodes of its hierarchy are listed that no cell is",
                       column->manifest->name, unseen);
    return BAUTA_OK;
}

/* Values that are listed as those of categories or as leaves, and that no row has. Where only
 * categories are shown no value may be listed: nobody could tell; in format 0 some are. */
static bauta_status check_values(bt_audit_job *job, const bt_release_column *column,
                                 bauta_error *error)
{
    const bt_manifest_column *manifest = column->manifest;
    const bt_hierarchy *tree = manifest->hierarchy;
    bt_arena arena = {0};
    bt_names names = {0};
    bauta_status status = BAUTA_OK;
    size_t unseen = 0, leaves = 0;
    bool added, old = job->release->manifest.format == 0;
    uint32_t at;
    for (uint32_t i = 0; i < column->values->count && !manifest->category_of && status == BAUTA_OK;
         i++) {
        const char *text =
            bt_arena_copy(&arena, column->values->text[i], column->values->length[i]);
        status = text ? bt_names_add(&names, 0, text, i, &added, error) : bt_fail_memory(error);
    }
    uint32_t categories = manifest->categories ? manifest->category_count : 0;
    for (uint32_t i = 0; i < categories && status == BAUTA_OK; i++)
        for (size_t v = 0; v < manifest->categories[i].count; v++)
            unseen += !bt_names_find(&names, 0, manifest->categories[i].values[v], &at);
    for (uint32_t i = 0; tree && !old && !tree->is_public && i < tree->leaves; i++)
        leaves += !bt_names_find(&names, 0, tree->nodes[tree->leaf_node[i]].name, &at);
    bt_names_release(&names);
    bt_arena_release(&arena);
    if (status == BAUTA_OK && unseen > 0)
        bt_finding_put(job, "manifest", BT_FAILS, BT_NO_ROW,
                       "column '%s': %zu values of its categories are listed that no row has",
                       manifest->name, unseen);
    if (status == BAUTA_OK && leaves > 0)
        bt_finding_put(job, "manifest", BT_FAILS, BT_NO_ROW,
                       "column '%s': %zu leaves of its hierarchy are listed that no row has",
                       manifest->name, leaves);
    return status;
}

static bauta_status check_lists(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (!column->values) continue;
        if (column->manifest->nodes && !column->values_shown)
            BT_TRY(check_nodes(job, column, error));
        bool categories = column->manifest->categories &&
                          (!column->manifest->category_of || release->manifest.format > 0);
        if (categories || (column->manifest->role == BT_ROLE_SENSITIVE && column->leaf))
            BT_TRY(check_values(job, column, error));
    }
    return BAUTA_OK;
}

bauta_status bt_audit_manifest(bt_audit_job *job, const bt_words *words, bauta_error *error)
{
    check_words(job, words);
    BT_TRY(check_options(job, error));
    return check_lists(job, error);
}
