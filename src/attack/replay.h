/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading a release of the form `distribution` backwards: which values could a group have had for
 * its parts to be chosen as they were? The manifest says how they are chosen (paper 2: Koudas,
 * Srivastava, Yu and Zhang 2009); this is the attacker's own small version of it. Only src/attack
 * may include this.
 *
 * Before seeing the parts the attacker thinks of the records as drawn from the target, one by one.
 *
 *   replay_steps.c   no made-up values, or ones drawn from the target (allocation=random): at each
 *                    node as many steps as possible were taken, or at random some less. Exact, by
 *                    counting from the leaves up how many values may lie under each node
 *   replay_worlds.c  made-up values that were chosen for the group: every bag of values is tried
 *                    whose best choice costs as much as the parts that are seen
 *
 * Both are for small groups: what is too large is left alone, and said to be.
 */
#ifndef BT_REPLAY_H
#define BT_REPLAY_H

#include "attack/spread.h"
#include "recipe/fake_rule.h"

enum {
    BT_REPLAY_MOST = 100,       /* values of a group */
    BT_REPLAY_WORK = 1 << 23,   /* steps of one group */
    BT_REPLAY_WORLDS = 1 << 14, /* bags of values of one group */
};

typedef struct bt_replay_rule { /* how parts are chosen */
    bool random;                /* allocation=random */
    bt_fake_rule fakes;
} bt_replay_rule;

/* False: the form does not say it. */
bool bt_replay_rule_read(const char *form, bt_replay_rule *out);

typedef struct bt_replay {
    const bt_spread *spread;
    bt_replay_rule rule;
    /* the group at hand */
    const bt_target *target;
    const double *chance; /* per node */
    const bt_part *parts;
    size_t part_count;
    uint32_t records, total; /* total: parts */
    uint64_t *copies;        /* per node: parts that are the node; all 0 between groups */
    uint64_t *inside;        /* per node: parts that are the node or inside it */
    uint64_t work;           /* steps so far, of all groups */
    uint64_t limit;          /* steps that the groups may take together */
    /* what is found */
    double *share;   /* per value: what is believed of each record */
    double *made_up; /* per part: copies that stand for nobody, in expectation at least */
    double *alike; /* per part: how likely all values under it are under one of its children; below
                      0: nothing is known of that */
    bt_arena arena;
} bt_replay;

/* Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_replay_open(const bt_spread *spread, const bt_replay_rule *rule,
                                        bt_replay *out, bauta_error *error);
void bt_replay_close(bt_replay *replay);

/* Replays a group. *done: something is found; false: the group is too large, or no values can be
 * told from others. */
BT_MUST_USE bauta_status bt_replay_group(bt_replay *replay, uint32_t unit, bool *done,
                                         bauta_error *error);

/* Copies of each part that hold none of the given values (per code, `counts`), at least. */
void bt_replay_surplus(const bt_replay *replay, const uint32_t *counts, double *surplus);

/* Adds the values under a node, of which this many are expected, to what is believed. */
void bt_replay_believe(bt_replay *replay, uint32_t node, double expected);

/* The made-up values that the rule has for the group at hand, at most. */
uint64_t bt_replay_made_up(const bt_replay *replay);

/* For replay.c: the two ways. */
BT_MUST_USE bauta_status bt_replay_steps(bt_replay *replay, bool *done, bauta_error *error);
BT_MUST_USE bauta_status bt_replay_worlds(bt_replay *replay, bool *done, bauta_error *error);

#endif
