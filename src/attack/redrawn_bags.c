/* SPDX-License-Identifier: Apache-2.0
 *
 * Bags of units: for each set the rows are laid out unit by unit, and those of a unit that have one
 * value become an entry.
 */
#include "attack/redrawn_bags.h"

#include <string.h>

typedef struct filling {
    const bt_redrawn *redrawn;
    const bt_redrawn_items *items;
    bt_redrawn_bags *bags;
    size_t count, capacity;  /* entries */
    uint32_t *start, *order; /* of the set's units; items unit by unit */
    size_t *entry_of;        /* per value: its entry + 1, if that is of this unit */
} filling;

static void add_item(const filling *f, const bt_redrawn_set *set, uint32_t item,
                     bt_redrawn_entry *entry)
{
    const bt_redrawn_items *items = f->items;
    uint32_t row = items->row[item], size = items->size[item];
    entry->sum += size * bt_redrawn_term(f->redrawn, set, row);
    if (!items->weight) return;
    double chance = bt_redrawn_chance(f->redrawn, set, row);
    double credit = chance * size * items->weight[item];
    if (items->discount) chance /= items->discount[item];
    if (chance > entry->best * (1 + bt_redrawn_tie)) {
        entry->best = chance;
        entry->ties = size;
        entry->credit = credit;
    } else if (chance >= entry->best * (1 - bt_redrawn_tie)) {
        entry->ties += size;
        entry->credit += credit;
    }
}

static bauta_status fill_unit(filling *f, const bt_redrawn_set *set, uint32_t unit,
                              bauta_error *error)
{
    size_t before = f->count;
    for (uint32_t i = f->start[unit]; i < f->start[unit + 1]; i++) {
        uint32_t value = f->items->value[f->order[i]];
        size_t *entry = &f->entry_of[value];
        if (*entry <= before) {
            BT_TRY(bt_array_grow(&f->bags->entries, &f->capacity, f->count + 1,
                                 sizeof *f->bags->entries, error));
            f->bags->entries[f->count] = (bt_redrawn_entry){.value = value};
            *entry = ++f->count;
        }
        add_item(f, set, f->order[i], &f->bags->entries[*entry - 1]);
    }
    return BAUTA_OK;
}

/* The items unit by unit. */
static void lay_out(filling *f, const bt_redrawn_set *set)
{
    const bt_redrawn_items *items = f->items;
    uint32_t *next = f->start + 1; /* becomes `start` as places are taken */
    memset(f->start, 0, ((size_t)set->units + 2) * sizeof *f->start);
    for (uint32_t i = 0; i < items->count; i++)
        next[set->of_row[items->row[i]] + 1]++;
    for (uint32_t u = 0; u < set->units; u++)
        next[u + 1] += next[u];
    for (uint32_t i = 0; i < items->count; i++)
        f->order[next[set->of_row[items->row[i]]]++] = i;
}

static bauta_status fill_set(filling *f, size_t place, bauta_error *error)
{
    const bt_redrawn_set *set = &f->redrawn->sets[place];
    bt_redrawn_bags *bags = f->bags;
    bool empty = !f->items->weight && !bt_redrawn_counts(f->redrawn, set);
    if (!empty) lay_out(f, set);
    for (uint32_t unit = 0; unit < set->units; unit++) {
        if (!empty) BT_TRY(fill_unit(f, set, unit, error));
        bags->first[bags->base[place] + unit + 1] = f->count;
    }
    return BAUTA_OK;
}

bauta_status bt_redrawn_bags_make(const bt_redrawn *redrawn, const bt_redrawn_items *items,
                                  bt_redrawn_bags *out, bauta_error *error)
{
    size_t count = 0, most = 0;
    filling f = {.redrawn = redrawn, .items = items, .bags = out};
    *out = (bt_redrawn_bags){.base = bt_array(redrawn->set_count, sizeof *out->base)};
    if (!out->base) return bt_fail_memory(error);
    for (size_t i = 0; i < redrawn->set_count; i++) {
        size_t units = redrawn->sets[i].units;
        out->base[i] = count;
        count += units;
        if (units > most) most = units;
    }
    out->first = bt_array_zero(count + 1, sizeof *out->first);
    f.start = bt_array(most + 2, sizeof *f.start);
    f.order = bt_array(items->count, sizeof *f.order);
    f.entry_of = bt_array_zero(items->values, sizeof *f.entry_of);
    bauta_status status =
        out->first && f.start && f.order && f.entry_of ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < redrawn->set_count && status == BAUTA_OK; i++)
        status = fill_set(&f, i, error);
    free(f.start);
    free(f.order);
    free(f.entry_of);
    return status;
}

void bt_redrawn_bags_release(bt_redrawn_bags *bags)
{
    free(bags->base);
    free(bags->first);
    free(bags->entries);
    *bags = (bt_redrawn_bags){0};
}

bauta_status bt_redrawn_bags_of_rows(const bt_redrawn *redrawn, const uint32_t *group_of,
                                     const uint32_t *value_of, uint32_t values, int64_t rows,
                                     const bt_run *run, bt_redrawn_bags *out, bauta_error *error)
{
    bt_tuples pairs = {0};
    const bt_codes codes[] = {{group_of, 4, redrawn->rows.count}, {value_of, 4, values}};
    BT_TRY(bt_tuples_group(codes, 2, rows, run, &pairs, error));
    uint32_t *row = bt_array(pairs.count, sizeof *row);
    uint32_t *value = bt_array(pairs.count, sizeof *value);
    bauta_status status = row && value ? BAUTA_OK : bt_fail_memory(error);
    for (uint32_t p = 0; p < pairs.count && status == BAUTA_OK; p++) {
        row[p] = group_of[pairs.row[p]];
        value[p] = value_of[pairs.row[p]];
    }
    const bt_redrawn_items items = {
        .count = pairs.count, .row = row, .value = value, .size = pairs.size, .values = values};
    if (status == BAUTA_OK) status = bt_redrawn_bags_make(redrawn, &items, out, error);
    free(row);
    free(value);
    bt_tuples_release(&pairs);
    return status;
}
