/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbering records by what tells them apart.
 */
#include "job/previous_alike.h"

typedef struct alike { /* of tuples of places */
    bt_codes *codes;
    size_t count;
} alike;

static uint32_t *add_column(const bt_beside *b, alike *to, uint32_t count)
{
    uint32_t *codes = bt_array((size_t)b->grouping->kept, sizeof *codes);
    if (codes) to->codes[to->count++] = (bt_codes){codes, sizeof *codes, count};
    return codes;
}

static void free_columns(alike *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free((void *)(uintptr_t)columns->codes[i].codes);
    free(columns->codes);
}

static bool add_classes(const bt_beside *b, alike *to)
{
    const bt_grouping *grouping = b->grouping;
    uint32_t *codes = add_column(b, to, grouping->classes);
    for (uint32_t c = 0; codes && c < grouping->classes; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            codes[i] = c;
    return codes != NULL;
}

/* The sensitive values of each record, as an earlier release has them. */
static bool add_values(const bt_beside *b, const bt_earlier *one, alike *to)
{
    for (size_t s = 0; s < one->secret_count; s++) {
        const bt_secret *secret = &one->secrets[s];
        uint32_t *codes = add_column(b, to, secret->values + 1);
        if (!codes) return false;
        for (uint32_t i = 0; i < b->grouping->kept; i++) {
            uint32_t value = secret->actual[bt_beside_row(b, i)];
            codes[i] = value == BT_NOT_KNOWN ? secret->values : value;
        }
    }
    return true;
}

/* The classes there that may hold each record. */
static bool add_sets(const bt_beside *b, const bt_earlier *one, alike *to)
{
    uint32_t *codes = add_column(b, to, one->sets);
    for (uint32_t i = 0; codes && i < b->grouping->kept; i++)
        codes[i] = one->set_of[one->view.target_of[bt_beside_row(b, i)]];
    return codes != NULL;
}

/* What requirements tell apart: values that the earlier releases do not have may differ, and where
 * persons have several rows all rows do. */
static bool add_profiles(const bt_beside *b, alike *to)
{
    const bt_people *people = b->kept->requirements.people;
    bool by_row = bt_people_by_row(people);
    uint32_t *codes = add_column(b, to, by_row ? (uint32_t)b->grouping->kept : people->profiles);
    for (uint32_t i = 0; codes && i < b->grouping->kept; i++)
        codes[i] = by_row ? i : people->profile_of[b->kept->order[i]];
    return codes != NULL;
}

bauta_status bt_alike_beside(const bt_beside *beside, bt_tuples *out, uint32_t **number_of,
                             bauta_error *error)
{
    alike all = {bt_array(1 + beside->count + beside->witnesses, sizeof *all.codes), 0};
    bool made = all.codes && add_classes(beside, &all);
    for (size_t p = 0; p < beside->count && made; p++)
        if (!beside->list[p].view.redrawn)
            made = add_sets(beside, &beside->list[p], &all) &&
                   add_values(beside, &beside->list[p], &all);
    if (number_of) {
        *number_of = bt_array((size_t)beside->grouping->kept, sizeof **number_of);
        made = made && *number_of;
    }
    bauta_status status = made ? BAUTA_OK : bt_fail_memory(error);
    if (made)
        status = bt_tuples_number(all.codes, all.count, beside->grouping->kept, beside->run, out,
                                  number_of ? *number_of : NULL, NULL, error);
    free_columns(&all);
    return status;
}

bauta_status bt_alike_within(const bt_beside *beside, bool profiles, bt_tuples *out,
                             bauta_error *error)
{
    alike all = {bt_array(2 + beside->witnesses, sizeof *all.codes), 0};
    bool made = all.codes && add_classes(beside, &all);
    if (made && profiles) made = add_profiles(beside, &all);
    for (size_t p = 0; p < beside->count && made; p++)
        if (!beside->list[p].view.redrawn) made = add_values(beside, &beside->list[p], &all);
    bauta_status status = made ? BAUTA_OK : bt_fail_memory(error);
    if (made)
        status =
            bt_tuples_group(all.codes, all.count, beside->grouping->kept, beside->run, out, error);
    free_columns(&all);
    return status;
}
