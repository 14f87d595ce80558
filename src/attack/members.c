/* SPDX-License-Identifier: Apache-2.0
 *
 * Members of classes.
 */
#include "attack/members.h"

uint32_t bt_view_unit(const bt_view *view, uint32_t target)
{
    uint32_t unit = BT_NOT_KNOWN;
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            uint32_t one = view->group_units[u].unit;
            if (unit != BT_NOT_KNOWN && unit != one) return BT_NOT_KNOWN;
            unit = one;
        }
    }
    return unit;
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

bauta_status bt_members_inside(const bt_view *view, bt_members *out, bauta_error *error)
{
    int64_t people = view->people->rows;
    size_t groups = view->groups.count, count = 0;
    size_t *next = bt_array_zero(groups + 2, sizeof *next);
    for (uint32_t t = 0; t < view->targets.count; t++)
        count += (view->first[t + 1] - view->first[t]) * view->targets.size[t];
    *out = (bt_members){.row = bt_array(count, sizeof *out->row),
                        .first = next,
                        .settled = bt_array_zero(groups, sizeof *out->settled)};
    if (!out->row || !next || !out->settled) return bt_fail_memory(error);
    next++; /* becomes `first` as places are taken */
    for (uint32_t t = 0; t < view->targets.count; t++)
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            next[view->candidates[i] + 1] += view->targets.size[t];
    for (size_t g = 0; g < groups; g++)
        next[g + 1] += next[g];
    for (int64_t row = 0; row < people; row++) {
        uint32_t t = view->target_of[row];
        for (size_t i = view->first[t]; i < view->first[t + 1]; i++)
            out->row[next[view->candidates[i]]++] = (uint32_t)row;
    }
    for (size_t g = 0; g < groups; g++)
        out->settled[g] = out->first[g + 1] - out->first[g] == view->groups.size[g];
    return BAUTA_OK;
}

void bt_members_release(bt_members *members)
{
    free(members->row);
    free(members->first);
    free(members->settled);
    *members = (bt_members){0};
}
