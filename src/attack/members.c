/* SPDX-License-Identifier: Apache-2.0
 *
 * Members of classes.
 */
#include "attack/members.h"

uint32_t bt_view_unit(const bt_view *view, uint32_t target)
{
    if (view->first[target + 1] - view->first[target] != 1) return BT_NOT_KNOWN;
    uint32_t group = view->candidates[view->first[target]];
    if (view->unit_first[group + 1] - view->unit_first[group] != 1) return BT_NOT_KNOWN;
    return view->group_units[view->unit_first[group]].unit;
}

bauta_status bt_members_find(const bt_view *view, bt_members *out, bauta_error *error)
{
    int64_t people = view->people->rows;
    size_t units = view->units;
    size_t *next = bt_array_zero(units + 2, sizeof *next);
    *out = (bt_members){.row = bt_array((size_t)people, sizeof *out->row),
                        .first = next,
                        .settled = bt_array_zero(units, sizeof *out->settled)};
    if (!out->row || !next || !out->settled) return bt_fail_memory(error);
    next++; /* becomes `first` as places are taken */
    for (int64_t row = 0; row < people; row++) {
        uint32_t unit = bt_view_unit(view, view->target_of[row]);
        if (unit != BT_NOT_KNOWN) next[unit + 1]++;
    }
    for (size_t u = 0; u < units; u++)
        next[u + 1] += next[u];
    for (int64_t row = 0; row < people; row++) {
        uint32_t unit = bt_view_unit(view, view->target_of[row]);
        if (unit != BT_NOT_KNOWN) out->row[next[unit]++] = (uint32_t)row;
    }
    for (size_t u = 0; u < units; u++)
        out->settled[u] = out->first[u + 1] - out->first[u] == view->unit_size[u];
    return BAUTA_OK;
}

void bt_members_release(bt_members *members)
{
    free(members->row);
    free(members->first);
    free(members->settled);
    *members = (bt_members){0};
}
