/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting the persons of a class by their sensitive values.
 *
 * A histogram keeps counts by code and the list of codes that occur, so that clearing and
 * judging cost what occurs, not what could. With subjects a person is counted once for each
 * value; how many records stand behind each (person, value) pair is kept in a hash table. What
 * one known value selects is found through lists of the profiles that have each value of a
 * column, made when the column is first asked about.
 */
#include "class/people.h"

#include "base/assert.h"
#include "base/hash.h"

typedef struct histogram {
    uint64_t *counts; /* by code */
    uint32_t *codes;  /* codes that occur */
    uint32_t *place;  /* by code: its place in `codes` */
    uint32_t distinct;
    int64_t total;
} histogram;

typedef struct seen_slot {
    uint32_t column; /* + 1; 0: free */
    uint32_t records;
    uint64_t person; /* and value */
} seen_slot;

typedef struct seen_set { /* (column, person, value) triples */
    seen_slot *slots;
    size_t mask, used;
} seen_set;

struct bt_tally {
    const bt_people *people;
    int64_t size;
    int64_t external; /* persons who are only in a public table */
    histogram *columns;
    histogram profiles;
    histogram *known; /* scratch for bt_tally_known, one per column */
    size_t listed;    /* the column whose lists are in `first` and `next`, or NOT_LISTED */
    uint32_t *first;  /* by code of that column: a place in profiles.codes, or NO_PLACE */
    uint32_t *next;   /* by place in profiles.codes: the next one of its list, or NO_PLACE */
    uint32_t *pairs;  /* parallel to people->pair_of; by pair of values: persons who have it */
    seen_set seen;
};

#define NOT_LISTED SIZE_MAX
#define NO_PLACE UINT32_MAX

/* ---- histograms ---- */

static bool make_histogram(histogram *h, uint32_t size)
{
    h->counts = bt_array_zero(size, sizeof *h->counts);
    h->codes = bt_array(size, sizeof *h->codes);
    h->place = bt_array(size, sizeof *h->place);
    return h->counts && h->codes && h->place;
}

static void free_histogram(histogram *h)
{
    free(h->counts);
    free(h->codes);
    free(h->place);
}

static inline void add_to(histogram *h, uint32_t code, uint64_t count)
{
    if (h->counts[code] == 0) {
        h->place[code] = h->distinct;
        h->codes[h->distinct++] = code;
    }
    h->counts[code] += count;
    h->total += (int64_t)count;
}

static inline void take_from(histogram *h, uint32_t code, uint64_t count)
{
    BT_ASSERT(h->counts[code] >= count && h->distinct > 0);
    h->counts[code] -= count;
    h->total -= (int64_t)count;
    if (h->counts[code] != 0) return;
    uint32_t last = h->codes[--h->distinct];
    h->codes[h->place[code]] = last;
    h->place[last] = h->place[code];
}

static void clear_histogram(histogram *h)
{
    for (uint32_t i = 0; i < h->distinct; i++)
        h->counts[h->codes[i]] = 0;
    h->distinct = 0;
    h->total = 0;
}

/* ---- persons counted already ---- */

/* The slot of a triple, or the free one where it belongs. */
static seen_slot *find_seen(const seen_set *seen, uint32_t column, uint64_t person)
{
    size_t at = bt_hash_mix(column, person) & seen->mask;
    while (seen->slots[at].column != 0 &&
           (seen->slots[at].column != column || seen->slots[at].person != person))
        at = (at + 1) & seen->mask;
    return &seen->slots[at];
}

static bauta_status grow_seen(seen_set *seen, bauta_error *error)
{
    if (seen->slots && seen->used * 4 <= seen->mask * 3) return BAUTA_OK;
    size_t old = seen->slots ? seen->mask + 1 : 0, size = old ? old * 2 : 64;
    seen_slot *slots = seen->slots;
    seen->slots = bt_array_zero(size, sizeof *seen->slots);
    if (!seen->slots) {
        seen->slots = slots;
        return bt_fail_memory(error);
    }
    seen->mask = size - 1;
    for (size_t i = 0; i < old; i++)
        if (slots[i].column != 0) *find_seen(seen, slots[i].column, slots[i].person) = slots[i];
    free(slots);
    return BAUTA_OK;
}

/* Costs what was seen, not what a larger class made room for. */
static void clear_seen(seen_set *seen)
{
    if (!seen->slots) return;
    if (seen->mask / 8 > seen->used) {
        free(seen->slots);
        *seen = (seen_set){0};
        return;
    }
    memset(seen->slots, 0, (seen->mask + 1) * sizeof *seen->slots);
    seen->used = 0;
}

/* *fresh: this person was not yet counted for this value of this column. */
static bauta_status see(seen_set *seen, size_t column, uint32_t subject, uint32_t value,
                        bool *fresh, bauta_error *error)
{
    BT_TRY(grow_seen(seen, error));
    uint64_t person = (uint64_t)subject << 32 | value;
    seen_slot *slot = find_seen(seen, (uint32_t)column + 1, person);
    seen->used += slot->column == 0;
    slot->column = (uint32_t)column + 1;
    slot->person = person;
    *fresh = slot->records++ == 0;
    return BAUTA_OK;
}

/* Whether no record stands behind the triple any more. */
static bool unsee(seen_set *seen, size_t column, uint32_t subject, uint32_t value)
{
    return --find_seen(seen, (uint32_t)column + 1, (uint64_t)subject << 32 | value)->records == 0;
}

/* ---- the tally ---- */

static bool make_lists(bt_tally *tally)
{
    const bt_people *people = tally->people;
    uint32_t largest = 0;
    size_t pairs = 0;
    tally->listed = NOT_LISTED;
    if (people->columns < 2) return true;
    for (size_t c = 0; c < people->columns; c++)
        if (people->sensitive[c].size > largest) largest = people->sensitive[c].size;
    tally->first = bt_array(largest, sizeof *tally->first);
    tally->next = bt_array(people->profiles, sizeof *tally->next);
    if (!tally->first || !tally->next) return false;
    if (!people->pair_of) return true;
    if (!bt_size_mul(bt_pair_count(people->columns), people->profiles, &pairs)) return false;
    tally->pairs = bt_array_zero(pairs, sizeof *tally->pairs);
    return tally->pairs != NULL;
}

bauta_status bt_tally_new(const bt_people *people, bt_tally **out, bauta_error *error)
{
    *out = NULL;
    bt_tally *tally = bt_array_zero(1, sizeof *tally);
    if (!tally) return bt_fail_memory(error);
    tally->people = people;
    tally->columns = bt_array_zero(people->columns, sizeof *tally->columns);
    tally->known = bt_array_zero(people->columns, sizeof *tally->known);
    bool made = tally->columns && tally->known &&
                make_histogram(&tally->profiles, people->profiles) && make_lists(tally);
    for (size_t c = 0; c < people->columns && made; c++)
        made = make_histogram(&tally->columns[c], people->sensitive[c].size) &&
               make_histogram(&tally->known[c], people->sensitive[c].size);
    if (!made) {
        bt_tally_free(tally);
        return bt_fail_memory(error);
    }
    *out = tally;
    return BAUTA_OK;
}

size_t bt_tally_bytes(const bt_people *people)
{
    size_t codes = people->profiles;
    for (size_t c = 0; c < people->columns; c++)
        codes += 2 * (size_t)people->sensitive[c].size;
    if (people->pair_of) codes += bt_pair_count(people->columns) * people->profiles;
    return (sizeof(uint64_t) + 2 * sizeof(uint32_t)) * codes;
}

void bt_tally_free(bt_tally *tally)
{
    if (!tally) return;
    for (size_t c = 0; c < tally->people->columns; c++) {
        if (tally->columns) free_histogram(&tally->columns[c]);
        if (tally->known) free_histogram(&tally->known[c]);
    }
    free_histogram(&tally->profiles);
    free(tally->columns);
    free(tally->known);
    free(tally->first);
    free(tally->next);
    free(tally->pairs);
    free(tally->seen.slots);
    free(tally);
}

/* Where the persons are counted who have a profile's values in a pair of columns. */
static uint32_t *pair_counter(const bt_tally *tally, size_t pair, uint32_t profile)
{
    const bt_people *people = tally->people;
    size_t start = pair * people->profiles;
    return &tally->pairs[start + people->pair_of[start + profile]];
}

static void clear_pairs(bt_tally *tally)
{
    for (size_t pair = 0; pair < bt_pair_count(tally->people->columns); pair++)
        for (uint32_t i = 0; i < tally->profiles.distinct; i++)
            *pair_counter(tally, pair, tally->profiles.codes[i]) = 0;
}

void bt_tally_clear(bt_tally *tally)
{
    for (size_t c = 0; c < tally->people->columns; c++)
        clear_histogram(&tally->columns[c]);
    if (tally->pairs) clear_pairs(tally);
    clear_histogram(&tally->profiles);
    clear_seen(&tally->seen);
    tally->listed = NOT_LISTED;
    tally->size = tally->external = 0;
}

/* Whether a profile is that of persons who are only in a public table. */
static inline bool is_external(const bt_people *people, uint32_t profile)
{
    return people->joined && profile == people->profiles - 1;
}

/* Adds persons of the public table alone, who have no sensitive values. */
static void add_external(bt_tally *tally, int64_t count)
{
    tally->external += count;
    if (tally->people->sized_by_all) tally->size += count;
}

void bt_tally_add(bt_tally *tally, uint32_t profile, uint64_t count)
{
    const bt_people *people = tally->people;
    const uint32_t *values = people->profile_values + (size_t)profile * people->columns;
    if (is_external(people, profile)) {
        add_external(tally, (int64_t)count);
        return;
    }
    tally->size += (int64_t)count;
    tally->listed = NOT_LISTED;
    add_to(&tally->profiles, profile, count);
    for (size_t c = 0; c < people->columns; c++)
        add_to(&tally->columns[c], values[c], count);
}

void bt_tally_remove(bt_tally *tally, uint32_t profile, uint64_t count)
{
    const bt_people *people = tally->people;
    const uint32_t *values = people->profile_values + (size_t)profile * people->columns;
    if (is_external(people, profile)) {
        add_external(tally, -(int64_t)count);
        return;
    }
    tally->size -= (int64_t)count;
    tally->listed = NOT_LISTED;
    take_from(&tally->profiles, profile, count);
    for (size_t c = 0; c < people->columns; c++)
        take_from(&tally->columns[c], values[c], count);
}

static bauta_status add_pairs(bt_tally *tally, uint32_t subject, uint32_t profile,
                              bauta_error *error)
{
    const bt_people *people = tally->people;
    for (size_t pair = 0; pair < bt_pair_count(people->columns); pair++) {
        bool fresh;
        BT_TRY(see(&tally->seen, people->columns + 2 + pair, subject,
                   people->pair_of[pair * people->profiles + profile], &fresh, error));
        *pair_counter(tally, pair, profile) += fresh;
    }
    return BAUTA_OK;
}

/* A record of `subject` that has this profile. */
static bauta_status add_person(bt_tally *tally, uint32_t subject, uint32_t profile,
                               bauta_error *error)
{
    const bt_people *people = tally->people;
    const uint32_t *values = people->profile_values + (size_t)profile * people->columns;
    bool fresh;
    BT_TRY(see(&tally->seen, people->columns, subject, 0, &fresh, error));
    tally->size += fresh;
    if (people->columns > 1) { /* else nobody asks which values go together */
        BT_TRY(see(&tally->seen, people->columns + 1, subject, profile, &fresh, error));
        if (fresh) add_to(&tally->profiles, profile, 1);
    }
    for (size_t c = 0; c < people->columns; c++) {
        BT_TRY(see(&tally->seen, c, subject, values[c], &fresh, error));
        if (fresh) add_to(&tally->columns[c], values[c], 1);
    }
    return tally->pairs ? add_pairs(tally, subject, profile, error) : BAUTA_OK;
}

bauta_status bt_tally_add_row(bt_tally *tally, uint32_t row, bauta_error *error)
{
    const bt_people *people = tally->people;
    tally->listed = NOT_LISTED;
    if (!bt_people_by_row(people))
        bt_tally_add(tally, people->profile_of[row], bt_people_records(people, row));
    else if (people->subject_of)
        return add_person(tally, people->subject_of[row], people->profile_of[row], error);
    else
        for (size_t i = people->unit_starts[row]; i < people->unit_starts[row + 1]; i++)
            BT_TRY(add_person(tally, row, people->unit_profiles[i], error));
    return BAUTA_OK;
}

static void remove_pairs(bt_tally *tally, uint32_t subject, uint32_t profile)
{
    const bt_people *people = tally->people;
    for (size_t pair = 0; pair < bt_pair_count(people->columns); pair++)
        if (unsee(&tally->seen, people->columns + 2 + pair, subject,
                  people->pair_of[pair * people->profiles + profile]))
            --*pair_counter(tally, pair, profile);
}

static void remove_person(bt_tally *tally, uint32_t subject, uint32_t profile)
{
    const bt_people *people = tally->people;
    const uint32_t *values = people->profile_values + (size_t)profile * people->columns;
    if (tally->pairs) remove_pairs(tally, subject, profile);
    tally->size -= unsee(&tally->seen, people->columns, subject, 0);
    if (people->columns > 1 && unsee(&tally->seen, people->columns + 1, subject, profile))
        take_from(&tally->profiles, profile, 1);
    for (size_t c = 0; c < people->columns; c++)
        if (unsee(&tally->seen, c, subject, values[c])) take_from(&tally->columns[c], values[c], 1);
}

void bt_tally_remove_row(bt_tally *tally, uint32_t row)
{
    const bt_people *people = tally->people;
    tally->listed = NOT_LISTED;
    if (!bt_people_by_row(people))
        bt_tally_remove(tally, people->profile_of[row], bt_people_records(people, row));
    else if (people->subject_of)
        remove_person(tally, people->subject_of[row], people->profile_of[row]);
    else
        for (size_t i = people->unit_starts[row]; i < people->unit_starts[row + 1]; i++)
            remove_person(tally, row, people->unit_profiles[i]);
}

int64_t bt_tally_size(const bt_tally *tally)
{
    return tally->size;
}

bt_bag bt_tally_numbers(const bt_tally *tally)
{
    return (bt_bag){.size = tally->size,
                    .of_subjects = bt_people_by_row(tally->people),
                    .external = tally->external,
                    .sized_by_all = tally->people->sized_by_all};
}

static bt_bag bag_of(const bt_tally *tally, const histogram *h, size_t column, int64_t size)
{
    return (bt_bag){.size = size,
                    .of_subjects = bt_people_by_row(tally->people),
                    .of = &tally->people->sensitive[column],
                    .column = column,
                    .distinct = h->distinct,
                    .codes = h->codes,
                    .counts = h->counts,
                    .total = h->total};
}

bt_bag bt_tally_bag(const bt_tally *tally, size_t column)
{
    return bag_of(tally, &tally->columns[column], column, tally->size);
}

static uint32_t value_of(const bt_people *people, uint32_t profile, size_t column)
{
    return people->profile_values[(size_t)profile * people->columns + column];
}

static void list_profiles(bt_tally *tally, size_t column)
{
    const histogram *values = &tally->columns[column], *profiles = &tally->profiles;
    for (uint32_t i = 0; i < values->distinct; i++)
        tally->first[values->codes[i]] = NO_PLACE;
    for (uint32_t i = 0; i < profiles->distinct; i++) {
        uint32_t code = value_of(tally->people, profiles->codes[i], column);
        tally->next[i] = tally->first[code];
        tally->first[code] = i;
    }
    tally->listed = column;
}

bt_bag bt_tally_known(bt_tally *tally, size_t known, uint32_t code, size_t column)
{
    const bt_people *people = tally->people;
    histogram *h = &tally->known[column];
    clear_histogram(h);
    if (tally->listed != known) list_profiles(tally, known);
    bool occurs = tally->columns[known].counts[code] > 0;
    for (uint32_t i = occurs ? tally->first[code] : NO_PLACE; i != NO_PLACE; i = tally->next[i]) {
        uint32_t profile = tally->profiles.codes[i], value = value_of(people, profile, column);
        if (!tally->pairs)
            add_to(h, value, tally->profiles.counts[profile]);
        else if (h->counts[value] == 0) /* several profiles may have this pair of values */
            add_to(h, value, *pair_counter(tally, bt_pair_number(known, column), profile));
    }
    return bag_of(tally, h, column, (int64_t)tally->columns[known].counts[code]);
}
