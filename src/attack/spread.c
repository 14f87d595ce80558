/* SPDX-License-Identifier: Apache-2.0
 *
 * From parts and targets to beliefs.
 */
#include "attack/spread.h"

#include "base/assert.h"
#include "class/privacy.h"

#include <string.h>

static bauta_status not_whole(bauta_error *error)
{
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "the parts of the domain do not fit the groups and their targets");
    bt_error_hint(error, "'bauta audit' says what is wrong with the release");
    return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bauta_status read_target(bt_spread *s, const int64_t *numbers, size_t t, bauta_error *error)
{
    const bt_manifest_target *from = &s->release->manifest.targets[t];
    BT_TRY(bt_weighted_make(s->tree, numbers, from->weights, from->weight_count, &s->arena,
                            &s->targets[t], error));
    const bt_target *target = &s->targets[t].target;
    double *chance = s->chance[t] = bt_arena_array(&s->arena, target->count, sizeof *chance);
    if (!chance) return bt_fail_memory(error);
    bt_target_chances(target, chance);
    for (uint32_t node = 0; node < target->count; node++)
        if (target->nodes[node].children == 0 && chance[node] < s->least) s->least = chance[node];
    return BAUTA_OK;
}

static bauta_status read_targets(bt_spread *s, bauta_error *error)
{
    const bt_manifest *manifest = &s->release->manifest;
    const bt_manifest_column *column = s->release->distribution.sensitive->manifest;
    int64_t *numbers = NULL;
    s->targets = bt_arena_array(&s->arena, manifest->target_count, sizeof *s->targets);
    s->chance = bt_arena_array(&s->arena, manifest->target_count, sizeof *s->chance);
    if (!s->targets || !s->chance) return bt_fail_memory(error);
    BT_TRY(bt_leaf_numbers(s->tree, column->type, column->scale, &s->arena, &numbers, error));
    for (size_t t = 0; t < manifest->target_count; t++)
        BT_TRY(read_target(s, numbers, t, error));
    return BAUTA_OK;
}

static bauta_status read_groups(bt_spread *s, bauta_error *error)
{
    const bt_release *release = s->release;
    const bt_release_distribution *shown = &release->distribution;
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (shown->target_of[c] == BT_NOT_KNOWN) return not_whole(error);
    if (release->bags.unequal > 0) return not_whole(error);
    const bt_grouped_rows rows = {.class_of = release->files[BT_SENSITIVE_FILE].bag_of,
                                  .part_of = shown->part_of,
                                  .rows = bt_sensitive_rows(release),
                                  .classes = release->classes.count,
                                  .parts = shown->parts,
                                  .part_count = shown->part_count,
                                  .targets = s->targets,
                                  .target_of = shown->target_of};
    BT_TRY(bt_grouped_make(&rows, &s->groups, error));
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (s->groups.foreign[c]) return not_whole(error);
    return BAUTA_OK;
}

/* ---- beliefs ----------------------------------------------------------------------------- */

typedef struct listing {
    bt_spread *spread;
    const uint32_t *code;
    double *dense; /* per value; all 0 between calls */
    uint32_t values;
    size_t beliefs, room;   /* of `first` */
    size_t count, capacity; /* of `value` */
    size_t shares;          /* capacity of `share` */
} listing;

/* Adds what a node that has this share of a belief says of values. */
static void add_node(listing *l, const bt_target *target, const double *chance, uint32_t node,
                     double share)
{
    const bt_target_node *part = &target->nodes[node];
    for (uint32_t leaf = part->low; leaf <= part->high; leaf++) {
        uint32_t at = target->leaf_of[leaf];
        if (at == BT_NO_NODE) continue;
        if (chance[node] > 0) /* may be too small for a number */
            l->dense[l->code ? l->code[leaf] : leaf] += share * chance[at] / chance[node];
    }
}

/* Keeps the dense belief as a list. */
static bauta_status keep_belief(listing *l, bauta_error *error)
{
    bt_spread *s = l->spread;
    size_t room = l->count + l->values;
    BT_TRY(bt_array_grow(&s->value, &l->capacity, room, sizeof *s->value, error));
    BT_TRY(bt_array_grow(&s->share, &l->shares, room, sizeof *s->share, error));
    BT_TRY(bt_array_grow(&s->first, &l->room, l->beliefs + 2, sizeof *s->first, error));
    if (l->beliefs == 0) s->first[0] = 0;
    for (uint32_t v = 0; v < l->values; v++) {
        if (l->dense[v] <= 0) continue;
        s->value[l->count] = v;
        s->share[l->count++] = l->dense[v];
        l->dense[v] = 0;
    }
    s->first[++l->beliefs] = l->count;
    BT_ASSERT(bt_ascend(s->value + s->first[l->beliefs - 1], l->count - s->first[l->beliefs - 1]));
    return BAUTA_OK;
}

static bauta_status keep_parts(listing *l, uint32_t unit, bauta_error *error)
{
    bt_spread *s = l->spread;
    size_t count;
    const bt_part *parts = bt_grouped_parts(&s->groups, unit, &count);
    for (size_t i = 0; i < count; i++)
        add_node(l, bt_spread_target(s, unit), bt_spread_chance(s, unit), parts[i].node,
                 parts[i].copies / (double)s->release->bags.values[unit]);
    return keep_belief(l, error);
}

static bauta_status find_beliefs(listing *l, bauta_error *error)
{
    bt_spread *s = l->spread;
    bt_privacy privacy;
    uint32_t node, units = s->release->classes.count;
    s->belief_of = bt_arena_array(&s->arena, units, sizeof *s->belief_of);
    bauta_status status = bt_privacy_init(&privacy, s->tree->count, error);
    if (status == BAUTA_OK && !s->belief_of) status = bt_fail_memory(error);
    for (size_t t = 0; t < s->release->manifest.target_count && status == BAUTA_OK; t++) {
        add_node(l, &s->targets[t].target, s->chance[t], 0, 1);
        status = keep_belief(l, error);
    }
    for (uint32_t unit = 0; unit < units && status == BAUTA_OK; unit++) {
        size_t count;
        const bt_part *parts = bt_grouped_parts(&s->groups, unit, &count);
        s->belief_of[unit] = s->release->distribution.target_of[unit];
        if (bt_privacy_check(&privacy, bt_spread_target(s, unit), parts, count, &node)) continue;
        s->belief_of[unit] = (uint32_t)l->beliefs;
        s->unequal++;
        status = keep_parts(l, unit, error);
    }
    bt_privacy_release(&privacy);
    return status;
}

/* The shares of the table: those that `t` compares with, else the mean over all records. */
static bauta_status find_prior(listing *l, bauta_error *error)
{
    bt_spread *s = l->spread;
    const bt_manifest_target *reference = s->release->manifest.reference;
    bt_weighted made;
    s->prior = bt_arena_array(&s->arena, l->values, sizeof *s->prior);
    if (!s->prior) return bt_fail_memory(error);
    if (reference) {
        BT_TRY(bt_weighted_make(s->tree, NULL, reference->weights, reference->weight_count,
                                &s->arena, &made, error));
        double *chance = bt_arena_array(&s->arena, made.target.count, sizeof *chance);
        if (!chance) return bt_fail_memory(error);
        bt_target_chances(&made.target, chance);
        add_node(l, &made.target, chance, 0, 1);
        memcpy(s->prior, l->dense, l->values * sizeof *s->prior);
        return BAUTA_OK;
    }
    double *records = bt_arena_array(&s->arena, l->beliefs, sizeof *records);
    if (!records) return bt_fail_memory(error);
    for (uint32_t unit = 0; unit < s->release->classes.count; unit++)
        records[s->belief_of[unit]] += s->release->classes.size[unit];
    for (size_t b = 0; b < l->beliefs; b++)
        for (size_t i = s->first[b]; i < s->first[b + 1]; i++)
            s->prior[s->value[i]] += s->share[i] * records[b] / (double)s->release->rows;
    return BAUTA_OK;
}

bauta_status bt_spread_open(const bt_release *release, const uint32_t *code, uint32_t values,
                            bt_spread *out, bauta_error *error)
{
    *out = (bt_spread){.release = release,
                       .tree = release->distribution.sensitive->manifest->hierarchy,
                       .least = 1};
    listing l = {.spread = out, .code = code, .values = values};
    BT_TRY(read_targets(out, error));
    BT_TRY(read_groups(out, error));
    l.dense = bt_arena_array(&out->arena, values, sizeof *l.dense);
    if (!l.dense) return bt_fail_memory(error);
    BT_TRY(find_beliefs(&l, error));
    return find_prior(&l, error);
}

void bt_spread_close(bt_spread *spread)
{
    bt_grouped_release(&spread->groups);
    free(spread->first);
    free(spread->value);
    free(spread->share);
    bt_arena_release(&spread->arena);
    *spread = (bt_spread){0};
}

uint32_t bt_spread_node(const bt_spread *spread, uint32_t unit, int64_t row)
{
    const bt_release_distribution *shown = &spread->release->distribution;
    const bt_shown_part *part = &shown->parts[shown->part_of[row]];
    const bt_weighted *target = &spread->targets[shown->target_of[unit]];
    if (!target->target.numbers) return target->node_of[part->node];
    return bt_target_find_numbers(&target->target, part->least, part->greatest);
}

uint32_t bt_spread_only(const bt_spread *spread, const bt_view *view, uint32_t target)
{
    uint32_t only = BT_NOT_KNOWN;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            uint32_t belief = spread->belief_of[view->group_units[u].unit];
            if (only != BT_NOT_KNOWN && only != belief) return BT_NOT_KNOWN;
            only = belief;
        }
    }
    return only;
}
