/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts by linked classes, and the difference of their rows.
 */
#include "attack/changes.h"

#include <string.h>

bauta_status bt_changes_open(const bt_changes_side *here, const bt_changes_side *there,
                             bt_changes *out, bauta_error *error)
{
    size_t units = (size_t)here->units + there->units;
    *out = (bt_changes){.sides = {*here, *there}, .parent = bt_array(units, sizeof *out->parent)};
    if (!out->parent) return bt_fail_memory(error);
    for (size_t u = 0; u < units; u++)
        out->parent[u] = (uint32_t)u;
    return BAUTA_OK;
}

void bt_changes_close(bt_changes *changes)
{
    free(changes->parent);
    free(changes->list);
    *changes = (bt_changes){0};
}

static uint32_t root_of(bt_changes *changes, uint32_t unit)
{
    uint32_t *parent = changes->parent;
    while (parent[unit] != unit) {
        parent[unit] = parent[parent[unit]];
        unit = parent[unit];
    }
    return unit;
}

void bt_changes_link(bt_changes *changes, uint32_t here, uint32_t there)
{
    uint32_t a = root_of(changes, here);
    uint32_t b = root_of(changes, changes->sides[BT_HERE].units + there);
    changes->parent[a > b ? a : b] = a > b ? b : a; /* the least is the root */
}

typedef struct rows { /* of both releases, those here first */
    uint32_t *part, *value, *pair_of;
    int64_t *more; /* per pair of part and value: rows here less those there */
    bt_tuples pairs;
} rows;

/* A part of both has a root here, since units here come first, and a unit there. */
static bauta_status find_parts(bt_changes *changes, rows *r, bool *of_both, bauta_error *error)
{
    uint32_t here = changes->sides[BT_HERE].units, all = here + changes->sides[BT_THERE].units;
    int64_t next = 0;
    if (!r->part || !r->value || !r->pair_of || !of_both) return bt_fail_memory(error);
    for (uint32_t u = here; u < all; u++)
        of_both[root_of(changes, u)] = root_of(changes, u) < here;
    for (int s = BT_HERE; s <= BT_THERE; s++)
        for (int64_t i = 0; i < changes->sides[s].rows; i++) {
            uint32_t unit = changes->sides[s].unit_of[i] + (s == BT_THERE ? here : 0);
            r->part[next] = root_of(changes, unit);
            r->value[next++] = changes->sides[s].value[i];
        }
    return BAUTA_OK;
}

static int compare_changes(const void *left, const void *right)
{
    const bt_change *a = left, *b = right;
    if (a->part != b->part) return a->part < b->part ? -1 : 1;
    if (a->side != b->side) return a->side - b->side;
    return (a->value > b->value) - (a->value < b->value);
}

static bauta_status list_changes(bt_changes *changes, const rows *r, const bool *of_both,
                                 bauta_error *error)
{
    int64_t here = changes->sides[BT_HERE].rows;
    changes->list = bt_array(r->pairs.count, sizeof *changes->list);
    if (!changes->list) return bt_fail_memory(error);
    for (uint32_t p = 0; p < r->pairs.count; p++) {
        uint32_t row = r->pairs.row[p];
        int side = r->more[p] > 0 ? BT_HERE : BT_THERE;
        if (r->more[p] == 0 || !of_both[r->part[row]]) continue;
        changes->list[changes->count++] =
            (bt_change){.part = r->part[row],
                        .value = r->value[row],
                        .row = side == BT_THERE ? row - (uint32_t)here : row,
                        .count = (uint32_t)(side == BT_HERE ? r->more[p] : -r->more[p]),
                        .side = side};
    }
    qsort(changes->list, changes->count, sizeof *changes->list, compare_changes);
    return BAUTA_OK;
}

/* The last row of each pair on the side that has more. */
static void find_rows(bt_changes *changes, rows *r)
{
    int64_t here = changes->sides[BT_HERE].rows, all = here + changes->sides[BT_THERE].rows;
    for (int64_t i = 0; i < all; i++)
        r->more[r->pair_of[i]] += i < here ? 1 : -1;
    for (int64_t i = 0; i < all; i++)
        if ((r->more[r->pair_of[i]] > 0) == (i < here)) r->pairs.row[r->pair_of[i]] = (uint32_t)i;
}

bauta_status bt_changes_find(bt_changes *changes, uint32_t values, const bt_run *run,
                             bauta_error *error)
{
    uint32_t units = changes->sides[BT_HERE].units + changes->sides[BT_THERE].units;
    int64_t all = changes->sides[BT_HERE].rows + changes->sides[BT_THERE].rows;
    rows r = {.part = bt_array((size_t)all, sizeof *r.part),
              .value = bt_array((size_t)all, sizeof *r.value),
              .pair_of = bt_array((size_t)all, sizeof *r.pair_of)};
    bool *of_both = bt_array_zero(units, sizeof *of_both);
    bauta_status status = find_parts(changes, &r, of_both, error);
    const bt_codes codes[] = {{r.part, 4, units}, {r.value, 4, values}};
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, 2, all, run, &r.pairs, r.pair_of, NULL, error);
    if (status == BAUTA_OK) {
        r.more = bt_array_zero(r.pairs.count, sizeof *r.more);
        if (!r.more) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK) {
        find_rows(changes, &r);
        status = list_changes(changes, &r, of_both, error);
    }
    bt_tuples_release(&r.pairs);
    free(r.part);
    free(r.value);
    free(r.pair_of);
    free(r.more);
    free(of_both);
    return status;
}

size_t bt_changes_end(const bt_changes *changes, size_t from)
{
    size_t end = from;
    while (end < changes->count && changes->list[end].part == changes->list[from].part &&
           changes->list[end].side == changes->list[from].side)
        end++;
    return end;
}
