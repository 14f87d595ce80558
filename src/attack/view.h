/* SPDX-License-Identifier: Apache-2.0
 *
 * A release as someone sees it who knows some columns of some people: which published rows may be
 * whose. Only src/attack and src/job may include this.
 *
 * Targets are people who are alike in the known columns. Published rows that are alike there are
 * one group; a group is a candidate for a target when its cells contain the target's values. What
 * stands in the sensitive columns is known of units: of `generalized` these are the groups
 * themselves, of `two-tables` the classes and of `distribution` the groups of the release, over
 * which the rows of a group may be spread. With a public table rows are of records and of others,
 * and units are the sensitive groups, whose bags have the values of the records alone. Of
 * `randomized` any row may be anyone's with some chance (redrawn.h): there are neither.
 *
 * Cost: linear in rows and columns, plus an index over the distinct boxes (audit/boxes.h) that is
 * asked once for each target; memory 8 bytes per candidate.
 */
#ifndef BT_VIEW_H
#define BT_VIEW_H

#include "attack/redrawn.h"
#include "audit/placing.h"

typedef struct bt_candidate {
    uint32_t unit;
    uint32_t rows; /* of the unit that may be the target's */
} bt_candidate;

typedef struct bt_view {
    const bt_release *release;
    const bt_table *people;
    size_t columns; /* known ones */
    bool boxes;     /* some of them have cells, not values */
    const bt_release_column **published;
    const bt_column **known; /* of people */
    bt_placing *placings;
    bt_tuples groups;          /* published rows alike in the known columns */
    uint32_t *group_of;        /* per row of the first file */
    uint32_t units;            /* what has a bag of sensitive values of its own */
    uint32_t *unit_of;         /* per row of the file with the sensitive columns */
    uint32_t *unit_size;       /* rows there */
    size_t *unit_first;        /* groups + 1: where the units of each group begin in group_units */
    bt_candidate *group_units; /* units of group g, with its rows in each:
                                  group_units[unit_first[g]..unit_first[g + 1]) */
    bt_tuples targets;         /* people alike in the known columns */
    uint32_t *target_of;       /* per person */
    size_t *first;        /* targets + 1: where the groups of each target begin in `candidates` */
    uint32_t *candidates; /* groups that may hold target t: candidates[first[t]..first[t + 1]) */
    bt_redrawn *redrawn;  /* randomized: chances, instead of units and candidates */
    bt_arena arena;
} bt_view;

/* `known` per column of the release; NULL: all quasi columns. Released by the caller, also after a
 * failure. BAUTA_INVALID when the people lack a known column. */
BT_MUST_USE bauta_status bt_view_open(const bt_release *release, const bt_table *people,
                                      const bool *known, const bt_run *run, bt_view *out,
                                      bauta_error *error);
void bt_view_close(bt_view *view);

/* randomized: the chances of targets and groups, in view->redrawn. For view.c. */
BT_MUST_USE bauta_status bt_view_redraw(bt_view *view, const bt_run *run, bauta_error *error);

/* What someone sees who takes each person to be where cells are narrowest: of the groups that may
 * hold a target those whose cells hold the fewest combinations of values. `out` shares everything
 * else with the view and is closed before it by bt_view_widen, also after a failure. *narrower:
 * someone has fewer groups than before. */
BT_MUST_USE bauta_status bt_view_narrow(const bt_view *view, bt_view *out, bool *narrower,
                                        bauta_error *error);
void bt_view_widen(bt_view *narrow);

/* Published rows that may be those of a target; 0: the target is not in the release. */
int64_t bt_view_rows(const bt_view *view, uint32_t target);

#endif
