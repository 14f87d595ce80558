/* SPDX-License-Identifier: Apache-2.0
 *
 * The rule of a release, and its groups one by one.
 */
#include "attack/replay.h"

#include "spec/words.h"

#include <string.h>

/* ---- the rule ---------------------------------------------------------------------------- */

bool bt_replay_rule_read(const char *form, bt_replay_rule *out)
{
    size_t length = 0;
    *out = (bt_replay_rule){.random = bt_form_says(form, "allocation", "random")};
    const char *fake =
        bt_form_option(form, "allocation", &length) ? bt_form_option(form, "fake", &length) : NULL;
    return fake && bt_fake_rule_parse(fake, length, &out->fakes);
}

/* ---- groups ------------------------------------------------------------------------------ */

bauta_status bt_replay_open(const bt_spread *spread, const bt_replay_rule *rule, bt_replay *out,
                            bauta_error *error)
{
    size_t nodes = spread->tree->count;
    *out = (bt_replay){.spread = spread, .rule = *rule, .limit = UINT64_MAX};
    out->copies = bt_arena_array(&out->arena, nodes, sizeof *out->copies);
    out->inside = bt_arena_array(&out->arena, nodes, sizeof *out->inside);
    out->share = bt_arena_array(&out->arena, spread->tree->leaves, sizeof *out->share);
    out->made_up = bt_arena_array(&out->arena, nodes, sizeof *out->made_up);
    out->alike = bt_arena_array(&out->arena, nodes, sizeof *out->alike);
    return out->copies && out->inside && out->share && out->made_up && out->alike
               ? BAUTA_OK
               : bt_fail_memory(error);
}

void bt_replay_close(bt_replay *replay)
{
    bt_arena_release(&replay->arena);
    *replay = (bt_replay){0};
}

static void enter_group(bt_replay *r, uint32_t unit)
{
    r->target = bt_spread_target(r->spread, unit);
    r->chance = bt_spread_chance(r->spread, unit);
    r->parts = bt_grouped_parts(&r->spread->groups, unit, &r->part_count);
    r->records = r->spread->release->bags.rows[unit];
    r->total = r->spread->release->bags.values[unit];
    memset(r->share, 0, r->spread->tree->leaves * sizeof *r->share);
    memset(r->inside, 0, r->target->count * sizeof *r->inside);
    for (size_t i = 0; i < r->part_count; i++) {
        r->copies[r->parts[i].node] += r->parts[i].copies;
        r->inside[r->parts[i].node] += r->parts[i].copies;
        r->made_up[i] = 0;
        r->alike[i] = -1;
    }
    for (uint32_t node = r->target->count; node-- > 1;)
        r->inside[r->target->nodes[node].parent] += r->inside[node];
}

bauta_status bt_replay_group(bt_replay *replay, uint32_t unit, bool *done, bauta_error *error)
{
    const bt_spread *spread = replay->spread;
    *done = false;
    if (spread->release->bags.values[unit] > BT_REPLAY_MOST || replay->work > replay->limit)
        return BAUTA_OK;
    if (spread->belief_of[unit] != spread->release->distribution.target_of[unit])
        return BAUTA_OK; /* not made by the method */
    enter_group(replay, unit);
    bool chosen = !replay->rule.random && bt_replay_made_up(replay) > 0;
    bauta_status status =
        chosen ? bt_replay_worlds(replay, done, error) : bt_replay_steps(replay, done, error);
    for (size_t i = 0; i < replay->part_count; i++)
        replay->copies[replay->parts[i].node] = 0;
    return status;
}

uint64_t bt_replay_made_up(const bt_replay *replay)
{
    return (uint64_t)bt_fake_rule_count(&replay->rule.fakes, replay->records);
}

void bt_replay_surplus(const bt_replay *replay, const uint32_t *counts, double *surplus)
{
    for (size_t i = 0; i < replay->part_count; i++) {
        const bt_target_node *node = &replay->target->nodes[replay->parts[i].node];
        uint64_t under = 0;
        for (uint32_t code = node->low; code <= node->high; code++)
            under += counts[code];
        surplus[i] =
            under < replay->parts[i].copies ? (double)(replay->parts[i].copies - under) : 0;
    }
}

void bt_replay_believe(bt_replay *replay, uint32_t node, double expected)
{
    const bt_target *target = replay->target;
    const bt_target_node *part = &target->nodes[node];
    if (expected <= 0 || replay->chance[node] <= 0) return;
    for (uint32_t code = part->low; code <= part->high; code++)
        if (target->leaf_of[code] != BT_NO_NODE)
            replay->share[code] +=
                expected * replay->chance[target->leaf_of[code]] / replay->chance[node];
    replay->work += part->high - part->low + 1;
}
