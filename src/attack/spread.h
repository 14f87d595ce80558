/* SPDX-License-Identifier: Apache-2.0
 *
 * What a release of the form `distribution` says of values: a group shows parts of the domain, and
 * inside a part values are spread as the group's target says. Only src/attack and src/job may
 * include this.
 *
 * Whoever thinks every part of a group equally likely for each of its records believes a
 * distribution over the values: the target's own where the parts are in proportion to it, as is
 * promised. Groups that believe alike share one belief here, so that its size does not multiply
 * with their number.
 *
 * Cost: linear in rows and in the nodes of the targets.
 */
#ifndef BT_SPREAD_H
#define BT_SPREAD_H

#include "attack/view.h"
#include "class/grouped.h"

typedef struct bt_spread {
    const bt_release *release;
    const bt_hierarchy *tree; /* codes of values are its leaves */
    bt_weighted *targets;
    double **chance;     /* per target and node of it: 1 at the root */
    bt_grouped groups;   /* per unit: its parts */
    uint32_t *belief_of; /* per unit */
    size_t *first;       /* beliefs + 1: where the values of each belief begin */
    uint32_t *value;     /* values of belief b, ascending: at first[b]..first[b + 1]-1 */
    double *share;       /* per entry of `value`: the share believed */
    double *prior;       /* per value: its share of the table, as far as the release tells it */
    double least;        /* the smallest share that a target gives to a value */
    uint32_t unequal;    /* units whose parts are not in proportion to their target */
    bt_arena arena;
} bt_spread;

/* `code` turns leaves into values (NULL: the same); `values` are those. BAUTA_INVALID when parts
 * and targets do not fit each other. Released by the caller, also after a failure. */
BT_MUST_USE bauta_status bt_spread_open(const bt_release *release, const uint32_t *code,
                                        uint32_t values, bt_spread *out, bauta_error *error);
void bt_spread_close(bt_spread *spread);

static inline const bt_target *bt_spread_target(const bt_spread *spread, uint32_t unit)
{
    return &spread->targets[spread->release->distribution.target_of[unit]].target;
}

/* Per node of the unit's target. */
static inline const double *bt_spread_chance(const bt_spread *spread, uint32_t unit)
{
    return spread->chance[spread->release->distribution.target_of[unit]];
}

/* The node of the unit's target that a row of sensitive.csv names. */
uint32_t bt_spread_node(const bt_spread *spread, uint32_t unit, int64_t row);

/* The belief of all units that may hold a target; BT_NOT_KNOWN: there are several. */
uint32_t bt_spread_only(const bt_spread *spread, const bt_view *view, uint32_t target);

#endif
