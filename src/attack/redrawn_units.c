/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows that are alike outside a set of columns, and the people who are alike with them.
 *
 * Where the codes of a combination fit one word (mixed radix), leaving columns out is a
 * subtraction, and one hash table serves a set; else tuples (table/tuples.h) do the same more
 * slowly.
 */
#include "attack/redrawn.h"

#include "base/hash.h"

#include <string.h>

/* ---- one word ---------------------------------------------------------------------------- */

typedef struct slot {
    uint64_t key;
    uint64_t unit; /* + 1; 0: the slot is free */
} slot;

typedef struct words {
    const bt_redrawn_plan *plan;
    uint64_t *step;         /* per column: what one more of its code adds */
    uint64_t *row, *person; /* per combination */
    uint64_t *unknown;      /* per combination of people: columns with a value that no row has, as
                               bits; the last for all that are never drawn anew */
    slot *slots;
    size_t mask;
} words;

static bool fits(const bt_redrawn_plan *plan, uint64_t *step)
{
    uint64_t all = 1;
    for (size_t c = 0; c < plan->columns; c++) {
        step[c] = all;
        if (__builtin_mul_overflow(all, (uint64_t)plan->rows.codes[c].count, &all)) return false;
    }
    return plan->drawn < 64;
}

static bauta_status pack(words *w, bauta_error *error)
{
    const bt_redrawn_plan *plan = w->plan;
    size_t capacity = 16;
    while (capacity < 2 * (size_t)plan->rows.count)
        capacity *= 2;
    w->mask = capacity - 1;
    w->slots = bt_array(capacity, sizeof *w->slots);
    w->row = bt_array_zero(plan->rows.count, sizeof *w->row);
    w->person = bt_array_zero(plan->people.count, sizeof *w->person);
    w->unknown = bt_array_zero(plan->people.count, sizeof *w->unknown);
    if (!w->slots || !w->row || !w->person || !w->unknown) return bt_fail_memory(error);
    for (size_t c = 0; c < plan->columns; c++) {
        const bt_codes *rows = &plan->rows.codes[c], *people = &plan->people.codes[c];
        uint64_t bit = (uint64_t)1 << (c < plan->drawn ? c : plan->drawn);
        for (uint32_t k = 0; k < plan->rows.count; k++)
            w->row[k] += w->step[c] * bt_code_at(rows->codes, rows->width, k);
        for (uint32_t k = 0; k < plan->people.count; k++) {
            uint32_t code = bt_code_at(people->codes, people->width, k);
            if (code < rows->count)
                w->person[k] += w->step[c] * code;
            else
                w->unknown[k] |= bit;
        }
    }
    return BAUTA_OK;
}

/* What the columns of a set add to the word of a combination; unknown values add nothing. */
static inline uint64_t word_of(const words *w, const bt_redrawn_side *side, uint64_t columns,
                               uint32_t place)
{
    uint64_t word = 0;
    for (; columns; columns &= columns - 1) {
        size_t c = (size_t)__builtin_ctzll(columns);
        const bt_codes *codes = &side->codes[c];
        word += w->step[c] * bt_code_at(codes->codes, codes->width, place);
    }
    return word;
}

static inline slot *find_slot(const words *w, uint64_t key)
{
    size_t place = (size_t)bt_hash_mix(0, key) & w->mask;
    while (w->slots[place].unit != 0 && w->slots[place].key != key)
        place = (place + 1) & w->mask;
    return &w->slots[place];
}

static void group_words(const words *w, bt_redrawn_set *set)
{
    const bt_redrawn_plan *plan = w->plan;
    memset(w->slots, 0, (w->mask + 1) * sizeof *w->slots);
    set->units = 0;
    for (uint32_t k = 0; k < plan->rows.count; k++) {
        uint64_t key = w->row[k] - word_of(w, &plan->rows, set->columns, k);
        slot *at = find_slot(w, key);
        if (at->unit == 0) *at = (slot){key, ++set->units};
        set->of_row[k] = (uint32_t)(at->unit - 1);
    }
    for (uint32_t k = 0; k < plan->people.count; k++) {
        uint64_t left_out = set->columns & ~w->unknown[k];
        set->of_person[k] = BT_TUPLE_NONE;
        if (w->unknown[k] & ~set->columns) continue;
        const slot *at = find_slot(w, w->person[k] - word_of(w, &plan->people, left_out, k));
        if (at->unit != 0) set->of_person[k] = (uint32_t)(at->unit - 1);
    }
}

static bauta_status group_all(words *w, const bt_run *run, bt_redrawn_set *sets, size_t count,
                              bauta_error *error)
{
    BT_TRY(pack(w, error));
    for (size_t i = 0; i < count; i++) {
        group_words(w, &sets[i]);
        BT_TRY(bt_run_progress(run, 0, "match", (int64_t)i, (int64_t)count, error));
    }
    return BAUTA_OK;
}

/* ---- tuples ------------------------------------------------------------------------------ */

static void find_people(const bt_redrawn_side *people, const size_t *places, size_t count,
                        const bt_tuple_index *index, uint32_t *point, uint32_t *out)
{
    for (uint32_t person = 0; person < people->count; person++) {
        for (size_t i = 0; i < count; i++) {
            const bt_codes *codes = &people->codes[places[i]];
            point[i] = bt_code_at(codes->codes, codes->width, person);
        }
        out[person] = bt_tuple_index_find(index, point);
    }
}

typedef struct scratch { /* the columns outside a set */
    bt_codes *codes;
    size_t *places;
    uint32_t *point;
} scratch;

static bauta_status group_set(const bt_redrawn_plan *plan, const scratch *s, const bt_run *run,
                              bt_redrawn_set *set, bauta_error *error)
{
    size_t count = 0;
    bt_tuples tuples = {0};
    bt_tuple_index *index = NULL;
    for (size_t c = 0; c < plan->columns; c++) {
        if (c < plan->drawn && (set->columns >> c & 1)) continue;
        s->places[count] = c;
        s->codes[count++] = plan->rows.codes[c];
    }
    set->units = 1; /* without other columns all are alike */
    if (count == 0) return BAUTA_OK;
    BT_TRY(bt_tuples_number(s->codes, count, plan->rows.count, run, &tuples, set->of_row, &index,
                            error));
    set->units = tuples.count;
    find_people(&plan->people, s->places, count, index, s->point, set->of_person);
    bt_tuple_index_free(index);
    bt_tuples_release(&tuples);
    return BAUTA_OK;
}

static bauta_status group_tuples(const bt_redrawn_plan *plan, const bt_run *run,
                                 bt_redrawn_set *sets, size_t count, bauta_error *error)
{
    scratch s = {.codes = bt_array(plan->columns, sizeof *s.codes),
                 .places = bt_array(plan->columns, sizeof *s.places),
                 .point = bt_array(plan->columns, sizeof *s.point)};
    bauta_status status = s.codes && s.places && s.point ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        status = group_set(plan, &s, run, &sets[i], error);
        if (status == BAUTA_OK)
            status = bt_run_progress(run, 0, "match", (int64_t)i, (int64_t)count, error);
    }
    free(s.codes);
    free(s.places);
    free(s.point);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_redrawn_find_units(const bt_redrawn_plan *plan, const bt_run *run,
                                   bt_redrawn_set *sets, size_t count, bauta_error *error)
{
    words w = {.plan = plan, .step = bt_array(plan->columns, sizeof *w.step)};
    bauta_status status = w.step ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        sets[i].of_row = bt_array_zero(plan->rows.count, sizeof *sets[i].of_row);
        sets[i].of_person = bt_array_zero(plan->people.count, sizeof *sets[i].of_person);
        if (!sets[i].of_row || !sets[i].of_person) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK)
        status = fits(plan, w.step) ? group_all(&w, run, sets, count, error)
                                    : group_tuples(plan, run, sets, count, error);
    free(w.step);
    free(w.row);
    free(w.person);
    free(w.unknown);
    free(w.slots);
    return status;
}
