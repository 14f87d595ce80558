/* SPDX-License-Identifier: Apache-2.0
 *
 * distribution: whether the parts of every group are such that whoever sees them believes its
 * target (P-privacy, Definition 3.2 of paper 2), whether every target satisfies what is required,
 * and whether nothing else in the files tells more. All of it in whole numbers.
 *
 * Cost: linear in rows; in nodes times groups for P-privacy.
 */
#include "audit/finding.h"
#include "audit/people.h"

#include "class/bounds_text.h"
#include "class/grouped.h"
#include "class/privacy.h"
#include "recipe/fake_rule.h"
#include "require/targets.h"

#include <stdio.h>
#include <string.h>

/* ---- targets ----------------------------------------------------------------------------- */

static const bt_hierarchy *tree_of(const bt_release *release)
{
    return release->distribution.sensitive->manifest->hierarchy;
}

static bauta_status read_target(bt_audit_job *job, const bt_manifest_target *from, bt_weighted *out,
                                bauta_error *error)
{
    return bt_weighted_make(tree_of(job->release), job->numbers, from->weights, from->weight_count,
                            &job->arena, out, error);
}

static bauta_status read_targets(bt_audit_job *job, bt_weighted *targets, bauta_error *error)
{
    const bt_manifest *manifest = &job->release->manifest;
    const bt_manifest_column *column = job->release->distribution.sensitive->manifest;
    BT_TRY(bt_leaf_numbers(column->hierarchy, column->type, column->scale, &job->arena,
                           &job->numbers, error));
    for (size_t t = 0; t < manifest->target_count; t++)
        BT_TRY(read_target(job, &manifest->targets[t], &targets[t], error));
    return BAUTA_OK;
}

bauta_status bt_audit_targets(bt_audit_job *job, bauta_error *error)
{
    size_t count = job->release->manifest.target_count;
    bt_weighted *targets = bt_arena_array(&job->arena, count, sizeof *targets);
    if (!targets) return bt_fail_memory(error);
    bauta_status status = read_targets(job, targets, error);
    if (bt_is_stop(status)) return status;
    if (status == BAUTA_OK) job->targets = targets;
    return BAUTA_OK;
}

/* Every group has one target, and every target is for groups that there are. */
static bool tell_targets(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_manifest *manifest = &release->manifest;
    uint32_t without = 0, first = 0;
    size_t named = 0;
    for (uint32_t c = release->classes.count; c-- > 0;) {
        if (release->distribution.target_of[c] != BT_NOT_KNOWN) continue;
        without++;
        first = c;
    }
    for (size_t t = 0; t < manifest->target_count; t++)
        named += manifest->targets[t].group_count;
    bool all = manifest->targets[0].groups == NULL || named == release->classes.count;
    if (!job->targets)
        bt_finding_put(job, "targets", BT_FAILS, BT_NO_ROW,
                       "the weights in the manifest are not those of target distributions on the "
                       "hierarchy");
    else if (without > 0)
        bt_finding_put(job, "targets", BT_FAILS, bt_class_place(release, first),
                       "%u of %u groups have no target, or several", without,
                       release->classes.count);
    else if (!all)
        bt_finding_put(job, "targets", BT_FAILS, BT_NO_ROW,
                       "the manifest has targets for groups that are not there");
    else
        bt_finding_put(job, "targets", BT_HOLDS, BT_NO_ROW,
                       "each of %u groups has one of %zu target distributions",
                       release->classes.count, manifest->target_count);
    return job->targets && without == 0 && all;
}

/* ---- requirements ------------------------------------------------------------------------ */

typedef struct judged {
    bt_audit_job *job;
    bt_requirements requirements;
    bt_people people;
    bt_weighted reference;
    bool has_reference;
    bt_arena arena;
} judged;

/* One requirement against every target. */
static bauta_status judge(judged *j, size_t item, bauta_error *error)
{
    const bt_release *release = j->job->release;
    const bt_requirement_instance *told = &j->requirements.items[item];
    size_t count = release->manifest.target_count, fails = 0, first = 0;
    bt_requirements one = j->requirements;
    one.items = &j->requirements.items[item];
    one.count = 1;
    for (size_t t = count; t-- > 0;) {
        bool holds;
        BT_TRY(bt_target_judge(&one, &j->job->targets[t].target,
                               j->has_reference ? &j->reference.target : NULL, &holds, NULL,
                               error));
        if (holds) continue;
        fails++;
        first = t;
    }
    const bt_manifest_target *target = &release->manifest.targets[first];
    if (fails > 0)
        bt_finding_put(j->job, told->text, BT_FAILS,
                       target->group_count > 0 ? (int64_t)target->groups[0] - 1 : BT_NO_ROW,
                       "%zu of %zu target distributions do not satisfy it", fails, count);
    else
        bt_finding_put(j->job, told->text, BT_HOLDS, BT_NO_ROW,
                       "every target distribution satisfies it: what is believed about each "
                       "record");
    return BAUTA_OK;
}

static bauta_status judge_all(judged *j, bauta_error *error)
{
    const bt_manifest *manifest = &j->job->release->manifest;
    BT_TRY(bt_audit_believed(j->job->release, &j->arena, &j->people, &j->requirements, error));
    if (manifest->reference) {
        BT_TRY(read_target(j->job, manifest->reference, &j->reference, error));
        j->has_reference = true;
    }
    if (bt_target_needs_reference(&j->requirements) != j->has_reference)
        return bt_fail(error, BAUTA_INVALID, "a reference is for 't' and only for it");
    for (size_t i = 0; i < j->requirements.count; i++)
        BT_TRY(judge(j, i, error));
    if (j->has_reference && j->job->options->original) return bt_audit_reference(j->job, error);
    if (j->has_reference)
        bt_finding_put(j->job, "reference", BT_UNVERIFIABLE, BT_NO_ROW,
                       "that 't' compares with the distribution of the table only the original can "
                       "show");
    return BAUTA_OK;
}

/* What cannot be checked must not pass for checked. */
static bauta_status check_promises(bt_audit_job *job, bauta_error *error)
{
    judged j = {.job = job};
    bauta_error reason;
    bauta_status status = judge_all(&j, &reason);
    if (bt_is_stop(status)) {
        if (error) *error = reason;
    } else if (status != BAUTA_OK) {
        bt_finding_put(job, "promises", BT_FAILS, BT_NO_ROW,
                       "the promises do not fit the targets: %s", reason.message);
        status = BAUTA_OK;
    }
    bt_people_release(&j.people);
    bt_arena_release(&j.arena);
    return status;
}

/* ---- groups ------------------------------------------------------------------------------ */

static void check_groups(bt_audit_job *job)
{
    const bt_release *release = job->release;
    const bt_bags *bags = &release->bags;
    uint32_t first = bags->first_unequal;
    int64_t surplus = bt_sensitive_rows(release) - release->rows;
    if (bags->unequal > 0)
        bt_finding_put(job, "groups", BT_FAILS, bt_class_place(release, first),
                       "%u of %u groups have no rows in quasi.csv or fewer in sensitive.csv; this "
                       "one has %u and %u",
                       bags->unequal, release->classes.count, bags->rows[first],
                       bags->values[first]);
    else
        bt_finding_put(job, "groups", BT_HOLDS, BT_NO_ROW,
                       "each of %u groups has at least as many rows in sensitive.csv as in "
                       "quasi.csv; %lld rows more stand for made-up values",
                       release->classes.count, (long long)surplus);
}

/* ---- P-privacy --------------------------------------------------------------------------- */

typedef struct private_check {
    bt_audit_job *job;
    bt_grouped groups;
    bt_privacy privacy;
    uint32_t foreign, wrong; /* groups with parts that are not of the target; not in proportion */
    uint32_t first_foreign, first_wrong;
    uint64_t general, nodes; /* groups that show nothing but their target; parts in all */
} private_check;

static void check_group(private_check *p, uint32_t group)
{
    const bt_release *release = p->job->release;
    const bt_target *target = &p->job->targets[release->distribution.target_of[group]].target;
    size_t count;
    uint32_t node;
    const bt_part *parts = bt_grouped_parts(&p->groups, group, &count);
    if (!parts) {
        if (p->foreign++ == 0) p->first_foreign = group;
        return;
    }
    p->nodes += count;
    p->general += count == 1 && parts[0].node == 0 && target->count > 1;
    if (bt_privacy_check(&p->privacy, target, parts, count, &node)) return;
    if (p->wrong++ == 0) p->first_wrong = group;
}

static void tell_private(private_check *p)
{
    const bt_release *release = p->job->release;
    if (p->foreign > 0)
        bt_finding_put(p->job, "P-privacy", BT_FAILS, bt_class_place(release, p->first_foreign),
                       "%u of %u groups have rows in sensitive.csv that are not nodes of their "
                       "target",
                       p->foreign, release->classes.count);
    if (p->wrong > 0)
        bt_finding_put(p->job, "P-privacy", BT_FAILS, bt_class_place(release, p->first_wrong),
                       "the parts of %u of %u groups are not in the ratio of the weights: they "
                       "tell more than the target",
                       p->wrong, release->classes.count);
    if (p->foreign + p->wrong == 0)
        bt_finding_put(p->job, "P-privacy", BT_HOLDS, BT_NO_ROW,
                       "in each of %u groups every value has exactly the probability of the "
                       "target; %llu groups show nothing but that",
                       release->classes.count, (unsigned long long)p->general);
}

static bauta_status check_privacy(private_check *p, bauta_error *error)
{
    const bt_release *release = p->job->release;
    const bt_release_distribution *shown = &release->distribution;
    const bt_grouped_rows rows = {.class_of = release->files[BT_SENSITIVE_FILE].bag_of,
                                  .part_of = shown->part_of,
                                  .rows = bt_sensitive_rows(release),
                                  .classes = release->classes.count,
                                  .parts = shown->parts,
                                  .part_count = shown->part_count,
                                  .targets = p->job->targets,
                                  .target_of = shown->target_of};
    BT_TRY(bt_grouped_make(&rows, &p->groups, error));
    BT_TRY(bt_privacy_init(&p->privacy, tree_of(release)->count, error));
    for (uint32_t group = 0; group < release->classes.count; group++)
        check_group(p, group);
    tell_private(p);
    return BAUTA_OK;
}

/* ---- bounds.csv -------------------------------------------------------------------------- */

static bauta_status make_bounds(const private_check *p, bt_buffer *out, bauta_error *error)
{
    const bt_release *release = p->job->release;
    const bt_manifest_column *column = release->distribution.sensitive->manifest;
    const bt_bounds_format format = {release->bags.name, column->type, column->scale};
    uint32_t count = release->classes.count;
    uint32_t *class_of = bt_array(count, sizeof *class_of);
    bauta_status status = class_of ? bt_bounds_head(&format, out, error) : bt_fail_memory(error);
    for (uint32_t c = 0; status == BAUTA_OK && c < count; c++)
        class_of[release->bags.number[c] - 1] = c;
    for (uint32_t i = 0; status == BAUTA_OK && i < count; i++) {
        bt_arena scratch = {0};
        bt_subdomains group;
        status = bt_grouped_bound(&p->groups, class_of[i], &scratch, &group, error);
        if (status == BAUTA_OK)
            status =
                bt_bounds_rows(&format, i + 1, release->bags.rows[class_of[i]], &group, out, error);
        bt_arena_release(&scratch);
    }
    free(class_of);
    return status;
}

static bauta_status check_bounds(private_check *p, bauta_error *error)
{
    const bt_release *release = p->job->release;
    bt_buffer text = {0};
    bool same = false;
    if (!release->distribution.bounds) return BAUTA_OK;
    bauta_status status = make_bounds(p, &text, error);
    if (status == BAUTA_OK) status = bt_release_holds(release, "bounds.csv", &text, &same, error);
    bt_buffer_release(&text);
    if (status != BAUTA_OK) return status;
    if (same)
        bt_finding_put(p->job, "bounds", BT_HOLDS, BT_NO_ROW,
                       "bounds.csv follows from quasi.csv and sensitive.csv");
    else
        bt_finding_put(p->job, "bounds", BT_FAILS, BT_NO_ROW,
                       "bounds.csv holds something else than what follows from quasi.csv and "
                       "sensitive.csv");
    return BAUTA_OK;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bool numbers_fit(const bt_release *release)
{
    uint32_t count = release->classes.count;
    for (uint32_t c = 0; c < count; c++)
        if (release->bags.number[c] < 1 || release->bags.number[c] > count) return false;
    return true;
}

static bauta_status check_parts(bt_audit_job *job, bauta_error *error)
{
    private_check p = {.job = job};
    bauta_status status = check_privacy(&p, error);
    bool sound = p.foreign == 0 && job->release->bags.unequal == 0 && numbers_fit(job->release);
    if (status == BAUTA_OK && sound) status = check_bounds(&p, error);
    bt_privacy_release(&p.privacy);
    bt_grouped_release(&p.groups);
    return status;
}

static bauta_status audit_promises(bt_audit_job *job, bauta_error *error)
{
    bool fits = tell_targets(job);
    if (job->targets) BT_TRY(check_promises(job, error));
    check_groups(job);
    if (fits) BT_TRY(check_parts(job, error));
    BT_TRY(bt_audit_numbers(job, error));
    BT_TRY(bt_audit_order(job, error));
    bt_audit_sql(job);
    return BAUTA_OK;
}

/* ---- options ----------------------------------------------------------------------------- */

/* per=release|group: targets say which groups they are for, or there is one for all. The closest
 * one is always a group's own; those that do not depend on the data never are. */
static void check_whom(bt_audit_job *job)
{
    const bt_manifest *manifest = &job->release->manifest;
    size_t length;
    bool varies = bt_form_says(manifest->form, "target", "source") ||
                  bt_form_says(manifest->form, "target", "uniform");
    bool own = (varies && bt_form_says(manifest->form, "per", "group")) ||
               bt_form_says(manifest->form, "target", "closest");
    if (bt_form_option(manifest->form, "per", &length) &&
        own != (manifest->targets[0].groups != NULL))
        bt_manifest_wrong(
            job, "the form says something else of whom the targets are for than the targets do");
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
    if (above) bt_manifest_wrong(job, "weights of a target add up to more than the form allows");
}

/* fake=3, fake=5%, fake=best:3 … */
static void check_fakes(bt_audit_job *job)
{
    const bt_bags *bags = &job->release->bags;
    uint32_t wrong = 0, first = 0;
    size_t length = 0;
    bt_fake_rule rule;
    const char *text = bt_form_option(job->release->manifest.form, "fake", &length);
    if (text && !bt_fake_rule_parse(text, length, &rule)) {
        bt_manifest_wrong(job, "the form does not say how many made-up values there are");
        return;
    }
    if (!text || bags->unequal > 0) return;
    for (uint32_t c = job->release->classes.count; c-- > 0;) {
        int64_t there = (int64_t)bags->values[c] - bags->rows[c];
        int64_t said = bt_fake_rule_count(&rule, bags->rows[c]);
        if (rule.best ? there <= said : there == said) continue;
        wrong++;
        first = c;
    }
    if (wrong > 0)
        bt_finding_put(job, "made-up values", BT_FAILS, bt_class_place(job->release, first),
                       "%u of %u groups have another number of made-up values than the form says",
                       wrong, job->release->classes.count);
}

static bauta_status check_options(bt_audit_job *job, bauta_error *error)
{
    check_whom(job);
    check_cap(job);
    check_fakes(job);
    return bt_audit_wanted(job, error);
}

/* ---- with the original ------------------------------------------------------------------- */

/* Where in a group a part is without a record is not known: it may be one of the made-up. */
static void tell_parts(bt_audit_job *job)
{
    long long rows = (long long)job->release->rows;
    if (!job->targets)
        bt_finding_put(job, "original parts", BT_FAILS, BT_NO_ROW,
                       "without targets nothing can be said of the parts of the domain");
    else if (job->unmatched == 0)
        bt_finding_put(job, "original parts", BT_HOLDS, BT_NO_ROW,
                       "each of the %lld records has a part of the domain of its own in its group "
                       "that holds its value",
                       rows);
    else
        bt_finding_put(
            job, "original parts", BT_FAILS, BT_NO_ROW,
            "%lld of %lld records have no part of the domain of their own in their group "
            "that holds their value",
            (long long)job->unmatched, rows);
}

static void tell_matched(bt_audit_job *job)
{
    if (job->too_many) bt_tell_too_many(job, "original bags");
    bt_tell_quasi_rows(job);
    if (!job->too_many) tell_parts(job);
}

const bt_audit_form bt_audit_form_distribution = {
    .prepare = bt_audit_targets,
    .promises = audit_promises,
    .options = check_options,
    .matched = tell_matched,
};
