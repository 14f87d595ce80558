/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds from promises.
 */
#include "attack/promises.h"

#include <math.h>
#include <string.h>

int64_t bt_promised_k(const bt_manifest *manifest)
{
    for (size_t i = 0; i < manifest->promises.count; i++)
        if (manifest->promises.items[i].type->size_only)
            return bt_requirements_least_size(&manifest->promises);
    return 0;
}

void bt_promises_open(const bt_manifest *manifest, bt_promises *out)
{
    *out = (bt_promises){.requirements = manifest->promises,
                         .k = bt_promised_k(manifest),
                         .persons = manifest->persons};
}

void bt_promises_release(bt_promises *promises)
{
    bt_arena_release(&promises->arena);
    *promises = (bt_promises){0};
}

bauta_status bt_promises_bound(bt_promises *promises, const bt_secret *secret,
                               bt_secret_bounds *out, bauta_error *error)
{
    const bt_requirements *all = &promises->requirements;
    double *table = bt_arena_array(&promises->arena, secret->values, sizeof *table);
    bt_ceiling ceiling = {
        .values = secret->values,
        .text = secret->text,
        .table = table,
        .share = bt_arena_array(&promises->arena, secret->values, sizeof *ceiling.share),
        .gain = 2,
        .set_gain = HUGE_VAL,
        .moved = HUGE_VAL};
    if (!table || !ceiling.share) return bt_fail_memory(error);
    for (uint32_t v = 0; v < secret->values; v++) {
        table[v] = bt_secret_prior(secret, v);
        ceiling.share[v] = 1;
    }
    for (size_t i = 0; i < all->count && !promises->persons; i++) {
        const bt_requirement_instance *item = &all->items[i];
        if (item->column && strcmp(item->column, secret->column->manifest->name) != 0) continue;
        if (!item->type->bound || (secret->categories && !item->type->needs_categories)) continue;
        BT_TRY(item->type->bound(item, &ceiling, &promises->arena, error));
    }
    *out = (bt_secret_bounds){.any = ceiling.any,
                              .share = ceiling.share,
                              .distinct = ceiling.distinct,
                              .gain = ceiling.gain,
                              .set_gain = ceiling.set_gain,
                              .moved = ceiling.moved,
                              .least = secret->spread ? secret->spread->least : 0};
    return BAUTA_OK;
}

double bt_bounds_distinct(const bt_secret_bounds *bounds, const bt_view *view, uint32_t target)
{
    double sum = 0;
    int64_t rows = 0;
    if (bounds->distinct == 0) return 1;
    if (bounds->least > 0) return fmax(0, 1 - bounds->distinct * bounds->least);
    for (size_t i = view->first[target]; i < view->first[target + 1]; i++) {
        uint32_t group = view->candidates[i];
        for (size_t u = view->unit_first[group]; u < view->unit_first[group + 1]; u++) {
            const bt_candidate *one = &view->group_units[u];
            sum += one->rows * fmax(0, 1 - bounds->distinct / view->unit_size[one->unit]);
            rows += one->rows;
        }
    }
    return rows ? sum / (double)rows : 1;
}
