/* SPDX-License-Identifier: Apache-2.0
 *
 * Bounds from promises.
 */
#include "attack/promises.h"

#include "base/text.h"

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

/* ---- bounds of one column ---------------------------------------------------------------- */

static void lower_all(bt_secret_bounds *bounds, const bt_secret *secret, double bound)
{
    for (uint32_t v = 0; v < secret->values; v++)
        bounds->share[v] = fmin(bounds->share[v], bound);
    bounds->any = true;
}

static bauta_status bound_alpha(bt_promises *promises, const bt_requirement_instance *item,
                                const bt_secret *secret, bt_secret_bounds *bounds,
                                bauta_error *error)
{
    double alpha = bt_rational_double(item->values[0].rational);
    char **texts;
    size_t count;
    BT_TRY(bt_text_split(&promises->arena, item->values[1].text, '|', &texts, &count, error));
    if (count == 0) lower_all(bounds, secret, alpha);
    for (size_t i = 0; i < count; i++) {
        bt_text_unescape(texts[i]);
        for (uint32_t v = 0; v < secret->values; v++)
            if (strcmp(secret->text[v], texts[i]) == 0)
                bounds->share[v] = fmin(bounds->share[v], alpha);
    }
    bounds->any = true;
    return BAUTA_OK;
}

/* The largest share p with -p ln p - (1-p) ln((1-p)/(values-1)) >= ln l: it falls with p from an
 * even spread on. */
static double largest_share(double l, uint32_t values)
{
    double low = 1.0 / values, high = 1;
    for (int i = 0; values > 1 && i < 60; i++) {
        double p = (low + high) / 2;
        double entropy = -p * log(p) - (p < 1 ? (1 - p) * log((1 - p) / (values - 1)) : 0);
        if (entropy >= log(l) - 1e-12)
            low = p;
        else
            high = p;
    }
    return high;
}

static void bound_t(const bt_requirement_instance *item, const bt_secret *secret,
                    bt_secret_bounds *bounds)
{
    enum { EQUAL, ORDERED };
    double t = bt_rational_double(item->values[0].rational);
    int64_t distance = item->values[1].integer;
    if (distance == ORDERED) t *= secret->values > 1 ? secret->values - 1 : 1;
    if (distance > ORDERED) return; /* depends on the tree */
    for (uint32_t v = 0; v < secret->values; v++)
        bounds->share[v] = fmin(bounds->share[v], bt_secret_prior(secret, v) + t);
    bounds->gain = fmin(bounds->gain, t);
    bounds->any = true;
}

static void need_distinct(bt_secret_bounds *bounds, int64_t distinct)
{
    bounds->distinct = fmax(bounds->distinct, (double)(distinct - 1));
    bounds->any = true;
}

static bauta_status bound_item(bt_promises *promises, const bt_requirement_instance *item,
                               const bt_secret *secret, bt_secret_bounds *bounds,
                               bauta_error *error)
{
    const char *name = item->type->name;
    if (strcmp(name, "p-categories") == 0) need_distinct(bounds, item->values[0].integer);
    if (secret->categories) return BAUTA_OK; /* the others are about values */
    if (strcmp(name, "alpha") == 0) return bound_alpha(promises, item, secret, bounds, error);
    if (strcmp(name, "l") == 0 || strcmp(name, "p") == 0)
        need_distinct(bounds, item->values[0].integer);
    if (strcmp(name, "entropy-l") == 0)
        lower_all(bounds, secret,
                  largest_share(bt_rational_double(item->values[0].rational), secret->values));
    if (strcmp(name, "recursive-l") == 0) {
        double c = bt_rational_double(item->values[1].rational);
        lower_all(bounds, secret, c / (1 + c));
    }
    if (strcmp(name, "t") == 0) bound_t(item, secret, bounds);
    return BAUTA_OK;
}

bauta_status bt_promises_bound(bt_promises *promises, const bt_secret *secret,
                               bt_secret_bounds *out, bauta_error *error)
{
    const bt_requirements *all = &promises->requirements;
    *out = (bt_secret_bounds){
        .share = bt_arena_array(&promises->arena, secret->values, sizeof *out->share),
        .gain = 2,
        .least = secret->spread ? secret->spread->least : 0};
    if (!out->share) return bt_fail_memory(error);
    for (uint32_t v = 0; v < secret->values; v++)
        out->share[v] = 1;
    for (size_t i = 0; i < all->count && !promises->persons; i++) {
        const char *only = all->items[i].column;
        if (only && strcmp(only, secret->column->manifest->name) != 0) continue;
        BT_TRY(bound_item(promises, &all->items[i], secret, out, error));
    }
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
