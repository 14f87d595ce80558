/* SPDX-License-Identifier: Apache-2.0
 *
 * Persons by the sequence of their classes: rows in the order of the table, each as the class that
 * it is in. Exact: a hash only says where to look. Linear in rows.
 */
#include "class/subjects.h"

#include "base/hash.h"

enum { NO_CLASS = UINT32_MAX };

typedef struct sequences {
    uint32_t *classes; /* of the rows, person by person */
    size_t *starts;    /* per person: a place in `classes` */
    size_t persons;
} sequences;

static size_t length_of(const sequences *s, size_t person)
{
    return s->starts[person + 1] - s->starts[person];
}

/* Lists the classes of the rows of each person. */
static bauta_status make_sequences(const bt_grouping *grouping, const bt_table *table,
                                   bt_arena *arena, sequences *out, bauta_error *error)
{
    uint32_t *class_of = bt_arena_array(arena, (size_t)table->rows, sizeof *class_of);
    *out = (sequences){.persons = table->subjects};
    out->classes = bt_arena_array(arena, (size_t)grouping->kept, sizeof *out->classes);
    out->starts = bt_arena_array(arena, out->persons + 2, sizeof *out->starts);
    BT_TRY(bt_arena_check(arena, error));
    for (int64_t row = 0; row < table->rows; row++)
        class_of[row] = NO_CLASS;
    for (uint32_t c = 0; c < grouping->classes; c++)
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++)
            class_of[grouping->order[i]] = c;
    /* starts[p + 1] walks through the sequence of p while it is filled in. */
    for (int64_t row = 0; row < table->rows; row++)
        if (class_of[row] != NO_CLASS) out->starts[table->subject_of[row] + 2]++;
    for (size_t p = 2; p <= out->persons; p++)
        out->starts[p] += out->starts[p - 1];
    for (int64_t row = 0; row < table->rows; row++)
        if (class_of[row] != NO_CLASS)
            out->classes[out->starts[table->subject_of[row] + 1]++] = class_of[row];
    return BAUTA_OK;
}

typedef struct same { /* persons with one sequence */
    uint32_t first;   /* + 1; 0: free */
    uint32_t count;
} same;

static bool are_same(const sequences *s, size_t a, size_t b)
{
    size_t length = length_of(s, a);
    return length == length_of(s, b) && memcmp(s->classes + s->starts[a], s->classes + s->starts[b],
                                               length * sizeof *s->classes) == 0;
}

static bauta_status count_alone(const sequences *s, bt_arena *arena, int64_t *out,
                                bauta_error *error)
{
    size_t size = 16;
    while (size < 2 * s->persons)
        size *= 2;
    same *slots = bt_arena_array(arena, size, sizeof *slots);
    BT_TRY(bt_arena_check(arena, error));
    *out = 0;
    for (size_t p = 0; p < s->persons; p++) {
        if (length_of(s, p) == 0) continue;
        size_t at = bt_hash(s->classes + s->starts[p], length_of(s, p) * sizeof *s->classes);
        for (at &= size - 1; slots[at].first != 0; at = (at + 1) & (size - 1))
            if (are_same(s, slots[at].first - 1, p)) break;
        slots[at].first = slots[at].first ? slots[at].first : (uint32_t)p + 1;
        /* The second one with a sequence takes the first one's loneliness too. */
        *out += slots[at].count == 0 ? 1 : slots[at].count == 1 ? -1 : 0;
        slots[at].count++;
    }
    return BAUTA_OK;
}

static bauta_status count_smallest(const bt_grouping *grouping, const bt_table *table,
                                   bt_arena *arena, int64_t *out, bauta_error *error)
{
    uint32_t *seen = bt_arena_array(arena, table->subjects, sizeof *seen); /* in which class, + 1 */
    BT_TRY(bt_arena_check(arena, error));
    *out = table->subjects;
    for (uint32_t c = 0; c < grouping->classes; c++) {
        int64_t persons = 0;
        for (uint32_t i = grouping->starts[c]; i < grouping->starts[c + 1]; i++) {
            uint32_t *mine = &seen[table->subject_of[grouping->order[i]]];
            persons += *mine != c + 1;
            *mine = c + 1;
        }
        if (persons < *out) *out = persons;
    }
    return BAUTA_OK;
}

bauta_status bt_subjects_count(const bt_grouping *grouping, const bt_table *table,
                               bt_subject_counts *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    sequences s;
    *out = (bt_subject_counts){0};
    BT_TRY(make_sequences(grouping, table, &scratch, &s, error));
    for (size_t p = 0; p < s.persons; p++) {
        out->persons += length_of(&s, p) > 0;
        out->several += length_of(&s, p) > 1;
    }
    BT_TRY(count_alone(&s, &scratch, &out->told_apart, error));
    return count_smallest(grouping, table, &scratch, &out->smallest, error);
}
