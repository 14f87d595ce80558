/* SPDX-License-Identifier: Apache-2.0
 *
 * distribution: whether the weights of the manifest are those that target= of the form leads to,
 * and whether the reference, with which `t` compares targets, is the distribution of the original.
 *
 *   uniform       all values are equally likely; of a group's own target those from its least to
 * its greatest, and whether the group has these no file can show zipf, normal  by the parameters in
 * the form, over the values in the order of the hierarchy source        by the original; from the
 * files alone where they show all values of the groups that a target is for, or where there is a
 * reference, which is the same thing closest, file unverifiable
 *
 * What is wanted is rounded once more as the form says. Where it is in whole numbers the weights
 * must be the same. A density is not: the last bit of it may decide between two ways to round that
 * are equally near, so weights that are as near to it as the best pass.
 *
 * Cost: linear in records, and in the nodes of the tree for each target.
 */
#include "audit/finding.h"
#include "recipe/names.h"
#include "require/targets.h"
#include "spec/words.h"

#include <math.h>
#include <string.h>

static const double nearly = 1e-6; /* sums of shares that differ by less are the same */
static const double most_weight = 0x1p40, least_density = 0x1p-200;

typedef struct wanted_check {
    bt_audit_job *job;
    const bt_hierarchy *tree;
    bt_wanted wanted;
    uint64_t *weights; /* per leaf: what is wanted of one target */
    uint64_t *shown;   /* source, from the files: per target and leaf the rows that show it */
    bool *hidden; /* source, per target: not all rows of its groups show a value and are records */
} wanted_check;

static const bt_hierarchy *tree_of(const bt_audit_job *job)
{
    return job->release->distribution.sensitive->manifest->hierarchy;
}

/* ---- weights that are wanted, rounded ---------------------------------------------------- */

/* The target that wanted weights of leaves lead to, before it is rounded and after. */
static bauta_status make_target(const bt_audit_job *job, const uint64_t *wanted, bt_arena *arena,
                                bt_target *exact, bt_target *rounded, bauta_error *error)
{
    const bt_hierarchy *tree = tree_of(job);
    const bt_space space = {
        .column = "", .domain = {.size = tree->leaves, .number = job->numbers}, .hierarchy = tree};
    BT_TRY(bt_target_make(&space, wanted, arena, exact, error));
    BT_TRY(bt_target_make(&space, wanted, arena, rounded, error));
    return bt_target_round(rounded, bt_form_number(job->release->manifest.form, "weight-cap"),
                           error);
}

static bool are_equal(const bt_hierarchy *tree, const bt_target *made,
                      const bt_manifest_target *stated, uint64_t *scratch)
{
    bt_target_weights(made, tree, scratch);
    return stated->weight_count == tree->count &&
           memcmp(stated->weights, scratch, tree->count * sizeof *scratch) == 0;
}

/* How far the shares of a node's children are from those that are wanted. */
static double distance(const bt_target *exact, const bt_target *other, uint32_t node)
{
    const bt_target_node *above = &exact->nodes[node];
    double sum = 0;
    for (uint32_t i = above->first; i < above->first + above->children; i++)
        sum += fabs((double)exact->nodes[i].weight / (double)above->sum -
                    (double)other->nodes[i].weight / (double)other->nodes[node].sum);
    return sum;
}

static bool is_as_near(const bt_target *exact, const bt_target *rounded, const bt_target *stated)
{
    if (stated->count != exact->count) return false;
    for (uint32_t node = 0; node < exact->count; node++)
        if (stated->nodes[node].low != exact->nodes[node].low ||
            stated->nodes[node].high != exact->nodes[node].high ||
            stated->nodes[node].children != exact->nodes[node].children ||
            distance(exact, stated, node) > distance(exact, rounded, node) + nearly)
            return false;
    return true;
}

/* Whether a target (NULL: the reference) has the weights that are wanted. BAUTA_INVALID: these are
 * not those of any. */
static bauta_status compare(const bt_audit_job *job, const uint64_t *wanted, size_t target,
                            bool whole, bool *same, bauta_error *error)
{
    const bt_manifest *manifest = &job->release->manifest;
    bool reference = target == manifest->target_count;
    bt_arena arena = {0};
    bt_target exact, rounded;
    uint64_t *scratch = bt_arena_array(&arena, tree_of(job)->count, sizeof *scratch);
    bauta_status status =
        scratch ? make_target(job, wanted, &arena, &exact, &rounded, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        *same = are_equal(tree_of(job), &rounded,
                          reference ? manifest->reference : &manifest->targets[target], scratch) ||
                (!whole && is_as_near(&exact, &rounded, &job->targets[target].target));
    bt_arena_release(&arena);
    return status;
}

/* ---- the original ------------------------------------------------------------------------ */

/* The original records of each leaf. *all: every value is a leaf. */
static bauta_status count_records(const bt_audit_job *job, uint64_t *counts, bool *all,
                                  bauta_error *error)
{
    const bt_hierarchy *tree = tree_of(job);
    const bt_table *table = job->options->original->table;
    const bt_column *column =
        bt_table_find(table, job->release->distribution.sensitive->manifest->name);
    bt_names names = {0};
    bool added;
    uint32_t leaf;
    bauta_status status = BAUTA_OK;
    *all = column != NULL;
    for (uint32_t i = 0; i < tree->leaves && status == BAUTA_OK; i++)
        status = bt_names_add(&names, 0, tree->nodes[tree->leaf_node[i]].name, i, &added, error);
    for (int64_t row = 0; *all && row < table->rows && status == BAUTA_OK; row++) {
        const char *text = column->domain.text[bt_column_code(column, row)];
        *all = bt_names_find(&names, 0, text, &leaf);
        if (*all) counts[leaf]++;
    }
    bt_names_release(&names);
    return status;
}

bauta_status bt_audit_reference(bt_audit_job *job, bauta_error *error)
{
    bool all = false, same = false;
    uint64_t *counts = bt_array_zero(tree_of(job)->leaves, sizeof *counts);
    bauta_status status = counts ? count_records(job, counts, &all, error) : bt_fail_memory(error);
    if (status == BAUTA_OK && all)
        status = compare(job, counts, job->release->manifest.target_count, true, &same, error);
    free(counts);
    if (bt_is_stop(status)) return status;
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

/* ---- source, from the files -------------------------------------------------------------- */

/* The leaf that a part is; BT_NO_NODE: it is more than one, or none. */
static uint32_t leaf_of_part(const wanted_check *w, const bt_shown_part *part, size_t target)
{
    const bt_target *one = &w->job->targets[target].target;
    if (!part->well_formed) return BT_NO_NODE;
    if (!w->job->numbers) {
        const bt_node *node = &w->tree->nodes[part->node];
        return node->hi - node->lo == 1 ? node->lo : BT_NO_NODE;
    }
    uint32_t found = bt_target_find_numbers(one, part->least, part->greatest);
    return found == BT_NO_NODE || one->nodes[found].values > 1 ? BT_NO_NODE : one->nodes[found].low;
}

static bauta_status count_shown(wanted_check *w, bauta_error *error)
{
    const bt_release *release = w->job->release;
    const bt_release_distribution *shown = &release->distribution;
    const uint32_t *class_of = release->files[BT_SENSITIVE_FILE].bag_of;
    size_t targets = release->manifest.target_count, cells;
    if (!bt_size_mul(targets, w->tree->leaves, &cells)) return bt_fail_memory(error);
    w->shown = bt_array_zero(cells, sizeof *w->shown);
    w->hidden = bt_array_zero(targets, sizeof *w->hidden);
    if (!w->shown || !w->hidden) return bt_fail_memory(error);
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (shown->target_of[c] != BT_NOT_KNOWN && release->bags.values[c] != release->bags.rows[c])
            w->hidden[shown->target_of[c]] = true;
    for (int64_t row = 0; row < bt_sensitive_rows(release); row++) {
        uint32_t target = shown->target_of[class_of[row]];
        if (target == BT_NOT_KNOWN || w->hidden[target]) continue;
        uint32_t leaf = leaf_of_part(w, &shown->parts[shown->part_of[row]], target);
        w->hidden[target] = leaf == BT_NO_NODE;
        if (leaf != BT_NO_NODE) w->shown[(size_t)target * w->tree->leaves + leaf]++;
    }
    return BAUTA_OK;
}

/* ---- what is wanted of a target ---------------------------------------------------------- */

static void want_even(wanted_check *w, size_t target, bool own)
{
    const bt_target *one = &w->job->targets[target].target;
    for (uint32_t leaf = 0; leaf < w->tree->leaves; leaf++)
        w->weights[leaf] = !own || (leaf >= one->nodes[0].low && leaf <= one->nodes[0].high);
}

static double density(const wanted_check *w, uint32_t leaf)
{
    if (w->wanted.kind == BT_WANTED_ZIPF) return pow((double)leaf + 1, -w->wanted.first);
    double unit = pow(10, w->job->release->distribution.sensitive->manifest->scale);
    double off = ((double)w->job->numbers[leaf] / unit - w->wanted.first) / w->wanted.second;
    return exp(-off * off / 2);
}

/* The likeliest value has the most weight, the least likely one has some. */
static void want_density(wanted_check *w)
{
    double most = least_density;
    for (uint32_t leaf = 0; leaf < w->tree->leaves; leaf++)
        most = fmax(most, density(w, leaf));
    for (uint32_t leaf = 0; leaf < w->tree->leaves; leaf++)
        w->weights[leaf] = (uint64_t)fmax(density(w, leaf) / most * most_weight, 1);
}

/* *known: w->weights are those that are wanted of the target. */
static bauta_status want(wanted_check *w, size_t target, bool *known, bauta_error *error)
{
    const bt_release *release = w->job->release;
    bool own = release->manifest.targets[target].groups != NULL;
    memset(w->weights, 0, w->tree->leaves * sizeof *w->weights);
    *known = true;
    switch (w->wanted.kind) {
    case BT_WANTED_UNIFORM: want_even(w, target, own); return BAUTA_OK;
    case BT_WANTED_NORMAL:
        *known = w->job->numbers != NULL;
        if (*known) want_density(w);
        return BAUTA_OK;
    case BT_WANTED_ZIPF: want_density(w); return BAUTA_OK;
    case BT_WANTED_SOURCE: break;
    default: *known = false; return BAUTA_OK;
    }
    if (w->job->options->original && (!own || release->classes.count == 1)) {
        bool all;
        BT_TRY(count_records(w->job, w->weights, &all, error));
        if (!all) memset(w->weights, 0, w->tree->leaves * sizeof *w->weights); /* no target */
        return BAUTA_OK;
    }
    if (!w->shown) BT_TRY(count_shown(w, error));
    *known = !w->hidden[target];
    memcpy(w->weights, w->shown + target * w->tree->leaves, w->tree->leaves * sizeof *w->weights);
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

typedef struct tally {
    size_t wrong, unknown;
    size_t first; /* wrong one */
} tally;

/* Where there is a reference, a target=source for all is that. */
static bool is_reference(const wanted_check *w, size_t target)
{
    const bt_manifest *manifest = &w->job->release->manifest;
    const bt_manifest_target *one = &manifest->targets[target];
    return w->wanted.kind == BT_WANTED_SOURCE && manifest->reference && !one->groups &&
           one->weight_count == manifest->reference->weight_count &&
           memcmp(one->weights, manifest->reference->weights,
                  one->weight_count * sizeof *one->weights) == 0;
}

static bauta_status check_targets(wanted_check *w, tally *out, bauta_error *error)
{
    const bt_manifest *manifest = &w->job->release->manifest;
    bool whole = w->wanted.kind == BT_WANTED_UNIFORM || w->wanted.kind == BT_WANTED_SOURCE;
    for (size_t t = manifest->target_count; t-- > 0;) {
        bool known, same = false;
        BT_TRY(want(w, t, &known, error));
        if (known) {
            bauta_status status = compare(w->job, w->weights, t, whole, &same, error);
            if (bt_is_stop(status)) return status;
        } else if (w->wanted.kind == BT_WANTED_SOURCE && !w->job->options->original &&
                   manifest->reference && !manifest->targets[t].groups) {
            known = true;
            same = is_reference(w, t);
        }
        out->unknown += !known;
        out->wrong += known && !same;
        if (known && !same) out->first = t;
    }
    return BAUTA_OK;
}

static void tell(const wanted_check *w, const tally *found, const char *text)
{
    const bt_manifest *manifest = &w->job->release->manifest;
    const bt_manifest_target *first = &manifest->targets[found->first];
    bool dropped = w->wanted.kind == BT_WANTED_SOURCE && manifest->dropped_rows > 0;
    if (found->wrong > 0 && !dropped)
        bt_finding_put(w->job, "target", BT_FAILS,
                       first->group_count > 0 ? (int64_t)first->groups[0] - 1 : BT_NO_ROW,
                       "the weights of %zu of %zu targets are not those that target=%s makes",
                       found->wrong, manifest->target_count, text);
    else if (found->wrong > 0)
        bt_finding_put(w->job, "target", BT_UNVERIFIABLE, BT_NO_ROW,
                       "records were dropped: of which target=%s made the weights is not known",
                       text);
    else if (found->unknown > 0)
        bt_finding_put(w->job, "target", BT_UNVERIFIABLE, BT_NO_ROW,
                       "that the weights of %zu of %zu targets came about as target=%s says cannot "
                       "be computed from %s; the promises are judged by the weights themselves",
                       found->unknown, manifest->target_count, text,
                       w->job->options->original ? "the files and the original" : "the files");
    else
        bt_finding_put(w->job, "target", BT_HOLDS, BT_NO_ROW,
                       "each of %zu targets has the weights that target=%s makes%s",
                       manifest->target_count, text,
                       w->wanted.kind == BT_WANTED_UNIFORM && first->groups
                           ? " between its least and its greatest value"
                           : "");
}

/* The option as it stands in the form: a normal distribution has two parameters, with the comma of
 * options between them. NULL: out of memory. */
static const char *option_text(bt_audit_job *job, const char *at, size_t length)
{
    if (length >= 7 && strncmp(at, "normal:", 7) == 0 && at[length] == ',')
        length += 1 + strcspn(at + length + 1, ",");
    return bt_arena_copy(&job->arena, at, length);
}

bauta_status bt_audit_wanted(bt_audit_job *job, bauta_error *error)
{
    size_t length = 0;
    const char *at = bt_form_option(job->release->manifest.form, "target", &length), *text;
    wanted_check w = {.job = job, .tree = tree_of(job)};
    tally found = {0};
    if (!at || !job->targets) return BAUTA_OK;
    text = option_text(job, at, length);
    bauta_status status =
        text ? bt_wanted_parse(text, &job->arena, &w.wanted, error) : bt_fail_memory(error);
    if (status == BAUTA_INVALID) {
        bt_finding_put(job, "target", BT_FAILS, BT_NO_ROW,
                       "the form names a target that there is "
                       "not");
        return BAUTA_OK;
    }
    if (job->release->manifest.format == 0) w.wanted.kind = BT_WANTED_FILE;
    if (status == BAUTA_OK) {
        w.weights = bt_array(w.tree->leaves, sizeof *w.weights);
        status = w.weights ? check_targets(&w, &found, error) : bt_fail_memory(error);
    }
    if (status == BAUTA_OK) tell(&w, &found, text);
    free(w.weights);
    free(w.shown);
    free(w.hidden);
    return status;
}
