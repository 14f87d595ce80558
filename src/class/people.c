/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles of sensitive values.
 */
#include "class/people.h"

#include "base/hash.h"
#include "class/grouping.h"

typedef struct profile_table { /* profiles found so far, by hash */
    uint32_t *slots;           /* profile + 1; 0: free */
    size_t mask;
    size_t values_capacity;
} profile_table;

static uint64_t hash_values(const uint32_t *values, size_t columns)
{
    uint64_t hash = 0;
    for (size_t c = 0; c < columns; c++)
        hash = bt_hash_mix(hash, values[c]);
    return hash;
}

static bauta_status grow_table(const bt_people *people, profile_table *table, bauta_error *error)
{
    size_t size = table->slots ? (table->mask + 1) * 2 : 64;
    uint32_t *slots = bt_array_zero(size, sizeof *slots);
    if (!slots) return bt_fail_memory(error);
    free(table->slots);
    table->slots = slots;
    table->mask = size - 1;
    for (uint32_t p = 0; p < people->profiles; p++) {
        const uint32_t *values = people->profile_values + (size_t)p * people->columns;
        size_t slot = hash_values(values, people->columns) & table->mask;
        while (slots[slot] != 0)
            slot = (slot + 1) & table->mask;
        slots[slot] = p + 1;
    }
    return BAUTA_OK;
}

/* The profile with these values, made when it is new. */
static bauta_status find_profile(bt_people *people, profile_table *table, const uint32_t *values,
                                 uint32_t *out, bauta_error *error)
{
    size_t columns = people->columns;
    if (!table->slots || (size_t)people->profiles * 2 > table->mask)
        BT_TRY(grow_table(people, table, error));
    size_t slot = hash_values(values, columns) & table->mask;
    for (; table->slots[slot] != 0; slot = (slot + 1) & table->mask) {
        *out = table->slots[slot] - 1;
        const uint32_t *known = people->profile_values + (size_t)*out * columns;
        if (memcmp(known, values, columns * sizeof *values) == 0) return BAUTA_OK;
    }
    /* One more than needed, so that there is something to point at without columns too. */
    BT_TRY(bt_array_grow(&people->profile_values, &table->values_capacity,
                         ((size_t)people->profiles + 1) * columns + 1,
                         sizeof *people->profile_values, error));
    *out = people->profiles++;
    if (columns)
        memcpy(people->profile_values + (size_t)*out * columns, values, columns * sizeof *values);
    table->slots[slot] = *out + 1;
    return BAUTA_OK;
}

static void free_slots(profile_table *table)
{
    free(table->slots);
}

static bauta_status find_profiles(bt_people *people, const void *const *codes,
                                  const unsigned *widths, bauta_error *error)
{
    BT_OWN(free_slots) profile_table table = {0};
    uint32_t *values = bt_arena_array(&people->arena, people->columns, sizeof *values);
    BT_TRY(bt_arena_check(&people->arena, error));
    for (int64_t row = 0; row < people->rows; row++) {
        for (size_t c = 0; c < people->columns; c++)
            values[c] = bt_code_at(codes[c], widths[c], row);
        BT_TRY(find_profile(people, &table, values, &people->profile_of[row], error));
    }
    return BAUTA_OK;
}

/* The first profile that has the same values in columns a and b, for each profile. */
static bauta_status find_pair(const bt_people *people, size_t a, size_t b, uint32_t *pair_of,
                              bauta_error *error)
{
    size_t size = 64;
    while (size < 2 * (size_t)people->profiles)
        size *= 2;
    BT_OWN(bt_free) uint32_t *slots = bt_array_zero(size, sizeof *slots);
    if (!slots) return bt_fail_memory(error);
    for (uint32_t p = 0; p < people->profiles; p++) {
        const uint32_t *values = people->profile_values + (size_t)p * people->columns;
        size_t slot = bt_hash_mix(values[a], values[b]) & (size - 1);
        for (; slots[slot] != 0; slot = (slot + 1) & (size - 1)) {
            const uint32_t *other =
                people->profile_values + (size_t)(slots[slot] - 1) * people->columns;
            if (other[a] == values[a] && other[b] == values[b]) break;
        }
        if (slots[slot] == 0) slots[slot] = p + 1;
        pair_of[p] = slots[slot] - 1;
    }
    return BAUTA_OK;
}

static bauta_status find_pairs(bt_people *people, bauta_error *error)
{
    if (!bt_people_by_row(people) || people->columns < 3) return BAUTA_OK;
    people->pair_of = bt_arena_array(&people->arena, people->profiles,
                                     bt_pair_count(people->columns) * sizeof *people->pair_of);
    BT_TRY(bt_arena_check(&people->arena, error));
    for (size_t b = 1; b < people->columns; b++)
        for (size_t a = 0; a < b; a++)
            BT_TRY(find_pair(people, a, b,
                             people->pair_of + bt_pair_number(a, b) * people->profiles, error));
    return BAUTA_OK;
}

/* How many persons of the whole table have each value. */
static bauta_status count_values(bt_people *people, bauta_error *error)
{
    BT_OWN(bt_tally_drop) bt_tally *tally = NULL;
    BT_TRY(bt_tally_new(people, &tally, error));
    for (int64_t row = 0; row < people->rows; row++)
        BT_TRY(bt_tally_add_row(tally, (uint32_t)row, error));
    people->persons = bt_tally_size(tally);
    for (size_t c = 0; c < people->columns; c++) {
        bt_sensitive *column = &people->sensitive[c];
        bt_bag bag = bt_tally_bag(tally, c);
        column->counts = bt_arena_array(&people->arena, column->size, sizeof *column->counts);
        BT_TRY(bt_arena_check(&people->arena, error));
        for (uint32_t code = 0; code < column->size; code++)
            column->counts[code] = (int64_t)bag.counts[code];
        column->total = bag.total;
    }
    return BAUTA_OK;
}

/* Gives away what a function made whole; what is left releases nothing. */
static bauta_status hand_over(bt_people *made, bt_people *out)
{
    *out = *made;
    *made = (bt_people){0};
    return BAUTA_OK;
}

/* Fills people of whom the number of rows, the columns, and who or how many each row stands for are
 * known. */
static bauta_status make_people(const bt_sensitive *sensitive, const void *const *codes,
                                const unsigned *widths, bt_people *made, bt_people *out,
                                bauta_error *error)
{
    size_t columns = made->columns;
    made->sensitive = bt_arena_array(&made->arena, columns, sizeof *made->sensitive);
    made->profile_of = bt_arena_array(&made->arena, (size_t)made->rows, sizeof *made->profile_of);
    BT_TRY(bt_arena_check(&made->arena, error));
    if (columns) memcpy(made->sensitive, sensitive, columns * sizeof *sensitive);
    BT_TRY(find_profiles(made, codes, widths, error));
    BT_TRY(find_pairs(made, error));
    BT_TRY(count_values(made, error));
    return hand_over(made, out);
}

bauta_status bt_people_make(const bt_sensitive *sensitive, const void *const *codes,
                            const unsigned *widths, size_t columns, int64_t rows,
                            const uint32_t *subject_of, uint32_t subjects, bt_people *out,
                            bauta_error *error)
{
    BT_OWN(bt_people_release)
    bt_people made = {
        .rows = rows, .columns = columns, .subject_of = subject_of, .subjects = subjects};
    *out = (bt_people){0};
    return make_people(sensitive, codes, widths, &made, out, error);
}

bt_people bt_people_plain(int64_t rows)
{
    return (bt_people){.rows = rows, .persons = rows};
}

bauta_status bt_people_counted(const bt_table *table, bt_people *out, bauta_error *error)
{
    *out = bt_people_plain(table->rows);
    if (!table->subject_of) return BAUTA_OK;
    return bt_people_make(NULL, NULL, NULL, 0, table->rows, table->subject_of, table->subjects, out,
                          error);
}

/* The sensitive columns of a table, for people of whom all else is known. */
static bauta_status people_of_columns(const bt_table *table, bt_people *made, bt_people *out,
                                      bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    BT_OWN(bt_free) const bt_column **columns = NULL;
    size_t count;
    BT_TRY(bt_table_select(table, BT_ROLE_SENSITIVE, &columns, &count, error));
    bt_sensitive *sensitive = bt_arena_array(&scratch, count, sizeof *sensitive);
    const void **codes = bt_arena_array(&scratch, count, sizeof *codes);
    unsigned *widths = bt_arena_array(&scratch, count, sizeof *widths);
    BT_TRY(bt_arena_check(&scratch, error));
    for (size_t c = 0; c < count; c++) {
        const bt_domain *domain = &columns[c]->domain;
        sensitive[c] = (bt_sensitive){.name = columns[c]->name,
                                      .size = domain->size,
                                      .text = domain->text,
                                      .type = domain->reading.type,
                                      .number = domain->number,
                                      .hierarchy = columns[c]->hierarchy,
                                      .categories = columns[c]->categories};
        codes[c] = columns[c]->codes;
        widths[c] = columns[c]->width;
    }
    made->columns = count;
    return make_people(sensitive, codes, widths, made, out, error);
}

bauta_status bt_people_of_table(const bt_table *table, bt_people *out, bauta_error *error)
{
    BT_OWN(bt_people_release)
    bt_people made = {
        .rows = table->rows, .subject_of = table->subject_of, .subjects = table->subjects};
    *out = (bt_people){0};
    return people_of_columns(table, &made, out, error);
}

bauta_status bt_people_of_tuples(const bt_table *table, const uint64_t *counts, bool sizes,
                                 bt_people *out, bauta_error *error)
{
    BT_OWN(bt_people_release) bt_people made = {.rows = table->rows, .counts = counts};
    *out = (bt_people){0};
    for (int64_t row = 0; row < table->rows; row++)
        made.persons += (int64_t)counts[row];
    return sizes ? hand_over(&made, out) : people_of_columns(table, &made, out, error);
}

int64_t bt_class_records(const bt_grouping *grouping, const bt_people *people,
                         uint32_t class_number)
{
    uint64_t records = 0;
    if (!people->counts) return bt_class_size(grouping, class_number);
    for (uint32_t i = grouping->starts[class_number]; i < grouping->starts[class_number + 1]; i++)
        records += people->counts[grouping->order[i]];
    return (int64_t)records;
}

/* ---- persons as records ------------------------------------------------------------------ */

/* Lists the profiles of each person in the order of the rows, then drops those that came before. */
static bauta_status list_profiles(const bt_people *people, bt_people *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t persons = people->subjects, kept = 0;
    uint32_t *seen = bt_arena_array(&scratch, people->profiles, sizeof *seen); /* person + 1 */
    size_t *next = bt_arena_array(&scratch, persons + 2, sizeof *next);
    BT_TRY(bt_arena_check(&scratch, error));
    for (int64_t row = 0; row < people->rows; row++)
        next[people->subject_of[row] + 2]++;
    for (size_t i = 2; i <= persons; i++)
        next[i] += next[i - 1];
    for (int64_t row = 0; row < people->rows; row++)
        out->unit_profiles[next[people->subject_of[row] + 1]++] = people->profile_of[row];
    for (size_t i = 0; i < persons; i++) {
        out->unit_starts[i] = kept;
        out->profile_of[i] = out->unit_profiles[next[i]];
        for (size_t at = next[i]; at < next[i + 1]; at++) {
            uint32_t profile = out->unit_profiles[at];
            if (seen[profile] != i + 1) out->unit_profiles[kept++] = profile;
            seen[profile] = (uint32_t)i + 1;
        }
    }
    out->unit_starts[persons] = kept;
    return BAUTA_OK;
}

bauta_status bt_people_whole(const bt_people *people, bt_people *out, bauta_error *error)
{
    size_t columns = people->columns, values = (size_t)people->profiles * columns;
    size_t persons = (size_t)people->persons;
    BT_OWN(bt_people_release)
    bt_people made = {.rows = people->persons,
                      .persons = people->persons,
                      .columns = columns,
                      .profiles = people->profiles};
    *out = (bt_people){0};
    made.sensitive = bt_arena_array(&made.arena, columns, sizeof *made.sensitive);
    made.profile_of = bt_arena_array(&made.arena, persons, sizeof *made.profile_of);
    made.unit_starts = bt_arena_array(&made.arena, persons + 1, sizeof *made.unit_starts);
    made.unit_profiles =
        bt_arena_array(&made.arena, (size_t)people->rows, sizeof *made.unit_profiles);
    made.profile_values = bt_array(values, sizeof *made.profile_values);
    if (made.arena.failed || !made.profile_values) return bt_fail_memory(error);
    BT_TRY(list_profiles(people, &made, error));
    if (columns) memcpy(made.sensitive, people->sensitive, columns * sizeof *made.sensitive);
    if (values) memcpy(made.profile_values, people->profile_values, values * sizeof(uint32_t));
    BT_TRY(find_pairs(&made, error));
    return hand_over(&made, out);
}

/* ---- with a public table ----------------------------------------------------------------- */

bauta_status bt_people_joined(const bt_people *values, int64_t records, const uint32_t *rows,
                              int64_t picked, bt_people *out, bauta_error *error)
{
    size_t columns = values ? values->columns : 0;
    uint32_t external = values && values->profile_of ? values->profiles : 1;
    size_t cells = external * columns;
    BT_OWN(bt_people_release)
    bt_people made = {.rows = picked,
                      .columns = columns,
                      .profiles = external + 1,
                      .joined = true,
                      .sized_by_all = !values};
    *out = (bt_people){0};
    made.sensitive = bt_arena_array(&made.arena, columns, sizeof *made.sensitive);
    made.profile_of = bt_arena_array(&made.arena, (size_t)picked, sizeof *made.profile_of);
    /* Nobody asks for the values of the last profile. */
    made.profile_values = bt_array_zero(cells + columns + 1, sizeof *made.profile_values);
    if (made.arena.failed || !made.profile_values) return bt_fail_memory(error);
    if (columns) memcpy(made.sensitive, values->sensitive, columns * sizeof *made.sensitive);
    if (cells) memcpy(made.profile_values, values->profile_values, cells * sizeof(uint32_t));
    for (int64_t i = 0; i < picked; i++) {
        int64_t row = rows ? rows[i] : i;
        bool own = row < records;
        made.profile_of[i] = !own ? external : external > 1 ? values->profile_of[row] : 0;
        made.persons += own || !values;
    }
    return hand_over(&made, out);
}

void bt_people_release(bt_people *people)
{
    free(people->profile_values);
    bt_arena_release(&people->arena);
    *people = (bt_people){0};
}
