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
#include "base/text.h"
#include "recipe/fake_rule.h"
#include "recipe/names.h"
#include "spec/words.h"

#include <string.h>

static void tell(bt_audit_job *job, const char *what)
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

/* ---- options ----------------------------------------------------------------------------- */

/* sensitive=value|category|both, box=tight|grid. */
static void check_generalized(bt_audit_job *job)
{
    const bt_manifest *manifest = &job->release->manifest;
    bool category = bt_form_says(manifest->form, "sensitive", "category");
    bool both = bt_form_says(manifest->form, "sensitive", "both");
    bool grid = bt_form_says(manifest->form, "box", "grid");
    size_t sensitive = 0, shown = 0, companions = 0, loose = 0;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        bool companion = bt_is_companion(column);
        companions += companion;
        sensitive += column->role == BT_ROLE_SENSITIVE && !companion;
        shown += bt_shows_categories(column);
        bool quasi = column->role == BT_ROLE_QUASI && !column->hierarchy && !column->partial;
        loose += quasi && grid != (column->cuts != NULL);
    }
    if (shown != (category ? sensitive : 0) || companions != (both ? sensitive : 0))
        tell(job, "the form says something else of what is published of sensitive columns than the "
                  "columns do");
    if (loose > 0)
        tell(job, grid ? "the form puts cells on cut points, but a column has none"
                       : "a column has cut points, but the form does not use them");
}

/* per=release|group: targets say which groups they are for, or there is one for all. The closest
 * one is always a group's own; those that do not depend on the data never are. */
static void check_distribution(bt_audit_job *job)
{
    const bt_manifest *manifest = &job->release->manifest;
    size_t length;
    bool varies = bt_form_says(manifest->form, "target", "source") ||
                  bt_form_says(manifest->form, "target", "uniform");
    bool own = (varies && bt_form_says(manifest->form, "per", "group")) ||
               bt_form_says(manifest->form, "target", "closest");
    if (bt_form_option(manifest->form, "per", &length) &&
        own != (manifest->targets[0].groups != NULL))
        tell(job, "the form says something else of whom the targets are for than the targets do");
}

/* weight-cap=N|none: the weights below a node add up to no more, or are all 1. */
static void check_cap(bt_audit_job *job)
{
    const bt_manifest *manifest = &job->release->manifest;
    size_t length;
    uint64_t cap = bt_form_number(manifest->form, "weight-cap");
    bool above = false;
    if (!bt_form_option(manifest->form, "weight-cap", &length) || !job->targets ||
        bt_form_says(manifest->form, "weight-cap", "none"))
        return;
    for (size_t t = 0; t < manifest->target_count; t++)
        for (uint32_t n = 0; n < job->targets[t].target.count; n++) {
            const bt_target_node *node = &job->targets[t].target.nodes[n];
            above |= node->sum > cap && node->sum > node->children;
        }
    if (above) tell(job, "weights of a target add up to more than the form allows");
}

/* fake=3, fake=5%, fake=best:3 … */
static void check_fakes(bt_audit_job *job)
{
    const bt_release_pair *pair = &job->release->pair;
    uint32_t wrong = 0, first = 0;
    size_t length = 0;
    bt_fake_rule rule;
    const char *text = bt_form_option(job->release->manifest.form, "fake", &length);
    if (text && !bt_fake_rule_parse(text, length, &rule)) {
        tell(job, "the form does not say how many made-up values there are");
        return;
    }
    if (!text || pair->unequal > 0) return;
    for (uint32_t c = job->release->classes.count; c-- > 0;) {
        int64_t there = (int64_t)pair->part_size[c] - pair->quasi_size[c];
        int64_t said = bt_fake_rule_count(&rule, pair->quasi_size[c]);
        if (rule.best ? there <= said : there == said) continue;
        wrong++;
        first = c;
    }
    if (wrong > 0)
        bt_finding_put(job, "made-up values", BT_FAILS, bt_class_place(job->release, first),
                       "%u of %u groups have another number of made-up values than the form says",
                       wrong, job->release->classes.count);
}

/* Whether the probabilities are those that p= lists. */
static bauta_status has_shares(const bt_audit_job *job, const char *text, size_t length, bool *same,
                               bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    bt_arena arena = {0};
    char **items = NULL;
    size_t count = 0;
    bt_rational share;
    const char *list = bt_arena_copy(&arena, text, length);
    bauta_status status =
        list ? bt_text_split(&arena, list, '|', &items, &count, error) : bt_fail_memory(error);
    *same = status == BAUTA_OK && count == mechanism->columns;
    for (size_t i = 0; *same && i < count; i++)
        *same = bt_rational_parse(items[i], &share) &&
                bt_rational_compare(share, mechanism->redrawn[i]) == 0;
    bt_arena_release(&arena);
    return status == BAUTA_SYSTEM ? status : BAUTA_OK;
}

/* lambda=N, p=uniform|entropy|LIST; with p=entropy the probabilities follow from the original
 * (randomized.c). */
static bauta_status check_randomized(bt_audit_job *job, bauta_error *error)
{
    const bt_mechanism *mechanism = &job->release->mechanism;
    const char *form = job->release->manifest.form, *p;
    char lambda[BT_NUMBER_TEXT + 1];
    size_t length = 0;
    bool same = true;
    lambda[bt_number_print(BT_INTEGER, 0, mechanism->lambda, lambda)] = '\0';
    if (bt_form_option(form, "lambda", &length) && !bt_form_says(form, "lambda", lambda))
        tell(job, "the form says another lambda than the manifest does");
    p = bt_form_option(form, "p", &length);
    if (bt_form_says(form, "p", "uniform"))
        for (size_t i = 0; i < mechanism->columns; i++)
            same &= bt_ratio_compare(mechanism->lambda, (int64_t)mechanism->columns,
                                     mechanism->redrawn[i]) == 0;
    else if (p && !bt_form_says(form, "p", "entropy"))
        BT_TRY(has_shares(job, p, length, &same, error));
    if (!same) tell(job, "the form says other probabilities than the columns do");
    for (size_t i = 0; i < job->release->manifest.column_count; i++)
        if (job->release->manifest.columns[i].merged && bt_form_number(form, "rare") < 2)
            tell(job, "a column says that rare values were merged, and the form that none were");
    return BAUTA_OK;
}

static bauta_status check_options(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    const bt_manifest *manifest = &release->manifest;
    if (bt_is_randomized(release) != (strcmp(manifest->method, "none") == 0))
        tell(job, bt_is_randomized(release) ? "it names a grouping method, but there are no classes"
                                            : "it names no grouping method, but there are classes");
    if (bt_is_randomized(release)) return check_randomized(job, error);
    const char *fault = bt_method_fault(manifest);
    if (fault && strcmp(manifest->method, "none") != 0) tell(job, fault);
    if (bt_form_is(manifest->method, "whole") && release->classes.count > 1)
        tell(job, "the method makes one class of all records, but there are several");
    if (bt_is_distribution(release)) {
        check_distribution(job);
        check_cap(job);
        check_fakes(job);
        return bt_audit_wanted(job, error);
    }
    if (bt_form_is(manifest->form, "generalized")) check_generalized(job);
    return BAUTA_OK;
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
