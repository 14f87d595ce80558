/* SPDX-License-Identifier: Apache-2.0
 *
 * Local recoding: units that were left. Each joins the class where it costs least. Where records
 * may be dropped it is, if that costs less; except when classes are compared with the whole table,
 * which would change. Units that no class can take become classes of their own, as few as can be,
 * which take in others until they satisfy, and in the end those that were dropped.
 *
 * Cost: units that are left times classes.
 */
#include "group/incognito.h"

static const uint64_t ANYTHING = (uint64_t)1 << 62; /* more than all records can lose */

typedef struct leftover {
    bt_local *local;
    bt_mover *mover;
    int64_t allowed; /* records that may still be dropped */
    uint32_t *units; /* units that are in no class */
    size_t count;
    uint32_t *rest; /* units that no class can take */
    size_t rest_count;
    bool *barred; /* by class: it does not take a unit with the value that is placed */
    size_t classes;
} leftover;

/* What requirements see of a unit; units are placed in its order. */
static uint32_t value_of(const bt_local *local, uint32_t unit)
{
    const bt_counts *units = &local->units;
    return units->counts && units->starts[unit + 1] > units->starts[unit]
               ? units->values[units->starts[unit]]
               : 0;
}

/* Puts a unit into the class that can take it at the least cost. */
static bauta_status place_unit(leftover *l, uint32_t unit, bauta_error *error)
{
    uint64_t size = l->local->units.sizes[unit];
    bool may_drop = (int64_t)size <= l->allowed;
    uint64_t most = may_drop ? l->local->full * size : ANYTHING;
    bt_home to;
    while (bt_mover_find(l->mover, unit, l->barred, most, &to)) {
        bool good;
        BT_TRY(bt_mover_holds(l->mover, to.class_number, unit, true, &good, error));
        if (good) return bt_mover_join(l->mover, unit, to.class_number, error);
        l->barred[to.class_number] = true;
    }
    if (may_drop)
        l->allowed -= (int64_t)size;
    else
        l->rest[l->rest_count++] = unit;
    return BAUTA_OK;
}

typedef struct placed {
    uint32_t value, unit;
} placed;

static int compare_placed(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? -1 : 1;
    return (x->unit > y->unit) - (x->unit < y->unit);
}

/* Places units, those with the same value one after the other: a class that cannot take one cannot
 * take another. */
static bauta_status place_units(leftover *l, bauta_error *error)
{
    bt_local *local = l->local;
    placed *order = bt_array(l->count, sizeof *order);
    bauta_status status = order ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; order && i < l->count; i++)
        order[i] = (placed){value_of(local, l->units[i]), l->units[i]};
    if (order && l->count > 1) qsort(order, l->count, sizeof *order, compare_placed);
    for (size_t i = 0; i < l->count && status == BAUTA_OK; i++) {
        bool rows = local->judge->count.counted == BT_COUNT_ROWS;
        if (i == 0 || rows || order[i].value != order[i - 1].value)
            memset(l->barred, false, l->classes * sizeof *l->barred);
        status = place_unit(l, order[i].unit, error);
    }
    free(order);
    return status;
}

/* Takes in the class that costs least; *found: there is one. */
static bauta_status take_in(leftover *l, uint32_t class_number, bool *found, bauta_error *error)
{
    bt_local *local = l->local;
    const bt_local_class *mine = &local->classes[class_number];
    uint32_t best = BT_NO_CLASS;
    uint64_t least = UINT64_MAX;
    for (uint32_t i = 0; i < local->count; i++) {
        const bt_local_class *other = &local->classes[i];
        if (i == class_number || other->units == 0) continue;
        uint64_t loss = bt_mover_together(l->mover, class_number, i);
        if (loss == UINT64_MAX) continue;
        uint64_t costs = loss * ((uint64_t)mine->size + other->size) - other->loss * other->size;
        if (costs >= least) continue;
        least = costs;
        best = i;
    }
    *found = best != BT_NO_CLASS;
    if (!*found) return BAUTA_OK;
    size_t count = bt_local_list(local, best, local->list);
    for (size_t i = 0; i < count; i++) {
        bt_local_take(local, local->list[i]);
        bt_local_put(local, class_number, local->list[i]);
    }
    return bt_mover_tighten(l->mover, class_number, error);
}

/* Puts units that no class can take into new ones, as few as max-level leaves. */
static bauta_status gather_rest(leftover *l, bauta_error *error)
{
    bt_local *local = l->local;
    uint32_t before = (uint32_t)local->count, made;
    for (size_t i = 0; i < l->rest_count; i++) {
        for (made = before; made < local->count; made++)
            if (bt_mover_may_meet(l->mover, l->rest[i], local->classes[made].first)) break;
        if (made == local->count) BT_TRY(bt_local_add(local, local->units.levels, 0, &made, error));
        bt_local_put(local, made, l->rest[i]);
    }
    for (made = before; made < local->count; made++)
        BT_TRY(bt_mover_tighten(l->mover, made, error));
    return BAUTA_OK;
}

static bauta_status refuse(const leftover *l, bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_NO, "%zu records fit no class that satisfies", l->rest_count);
    bt_error_hint(error, "raise 'max-level', or allow more rows to be dropped with --suppress");
    return status;
}

/* Takes in the units that were dropped; *found: there are any. */
static bauta_status take_back(leftover *l, uint32_t class_number, bool *found, bauta_error *error)
{
    bt_local *local = l->local;
    *found = false;
    for (uint32_t unit = 0; unit < local->units.groups; unit++) {
        if (local->class_of[unit] != BT_NO_CLASS) continue;
        if (!bt_mover_may_meet(l->mover, unit, local->classes[class_number].first)) continue;
        bt_local_put(local, class_number, unit);
        *found = true;
    }
    return bt_mover_tighten(l->mover, class_number, error);
}

/* Lets a class take in others until it satisfies. */
static bauta_status grow(leftover *l, uint32_t class_number, bauta_error *error)
{
    bt_local *local = l->local;
    for (bool good, found;;) {
        size_t count = bt_local_list(local, class_number, local->list);
        BT_TRY(bt_try_together(local->judge, &local->units, local->list, count, &local->juror,
                               &good, error));
        if (good) return BAUTA_OK;
        BT_TRY(take_in(l, class_number, &found, error));
        if (!found) BT_TRY(take_back(l, class_number, &found, error));
        if (!found) return refuse(l, error);
    }
}

static bauta_status join_all(leftover *l, bauta_error *error)
{
    bt_local *local = l->local;
    for (uint32_t unit = 0; unit < local->units.groups; unit++)
        if (local->class_of[unit] == BT_NO_CLASS) l->units[l->count++] = unit;
    BT_TRY(place_units(l, error));
    uint32_t before = (uint32_t)local->count;
    BT_TRY(gather_rest(l, error));
    for (uint32_t i = before; i < local->count; i++)
        if (local->classes[i].units > 0) BT_TRY(grow(l, i, error));
    return BAUTA_OK;
}

bauta_status bt_local_join(bt_local *local, bt_mover *mover, bauta_error *error)
{
    uint32_t units = local->units.groups;
    leftover l = {.local = local,
                  .mover = mover,
                  .allowed = local->judge->rebinds ? 0 : local->judge->allowed,
                  .units = bt_array(units, sizeof *l.units),
                  .rest = bt_array(units, sizeof *l.rest),
                  .barred = bt_array_zero(local->count, sizeof *l.barred),
                  .classes = local->count};
    bauta_status status =
        l.units && l.rest && l.barred ? join_all(&l, error) : bt_fail_memory(error);
    free(l.units);
    free(l.rest);
    free(l.barred);
    return status;
}
