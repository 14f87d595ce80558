/* SPDX-License-Identifier: Apache-2.0
 *
 * Profiles of sensitive values.
 */
#include "class/people.h"

#include "base/hash.h"

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

static bauta_status find_profiles(bt_people *people, const void *const *codes,
                                  const unsigned *widths, bauta_error *error)
{
    profile_table table = {0};
    uint32_t *values = bt_array(people->columns, sizeof *values);
    bauta_status status = values ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t row = 0; row < people->rows && status == BAUTA_OK; row++) {
        for (size_t c = 0; c < people->columns; c++)
            values[c] = bt_code_at(codes[c], widths[c], row);
        status = find_profile(people, &table, values, &people->profile_of[row], error);
    }
    free(values);
    free(table.slots);
    return status;
}

/* The first profile that has the same values in columns a and b, for each profile. */
static bauta_status find_pair(const bt_people *people, size_t a, size_t b, uint32_t *pair_of,
                              bauta_error *error)
{
    size_t size = 64;
    while (size < 2 * (size_t)people->profiles)
        size *= 2;
    uint32_t *slots = bt_array_zero(size, sizeof *slots);
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
    free(slots);
    return BAUTA_OK;
}

static bauta_status find_pairs(bt_people *people, bauta_error *error)
{
    size_t cells;
    if (!bt_people_by_row(people) || people->columns < 3) return BAUTA_OK;
    if (!bt_size_mul(bt_pair_count(people->columns), people->profiles, &cells))
        return bt_fail_memory(error);
    people->pair_of = bt_array(cells, sizeof *people->pair_of);
    if (!people->pair_of) return bt_fail_memory(error);
    for (size_t b = 1; b < people->columns; b++)
        for (size_t a = 0; a < b; a++)
            BT_TRY(find_pair(people, a, b,
                             people->pair_of + bt_pair_number(a, b) * people->profiles, error));
    return BAUTA_OK;
}

/* How many persons of the whole table have each value. */
static bauta_status count_values(bt_people *people, bauta_error *error)
{
    bt_tally *tally;
    BT_TRY(bt_tally_new(people, &tally, error));
    bauta_status status = BAUTA_OK;
    for (int64_t row = 0; row < people->rows && status == BAUTA_OK; row++)
        status = bt_tally_add_row(tally, (uint32_t)row, error);
    people->persons = bt_tally_size(tally);
    for (size_t c = 0; c < people->columns && status == BAUTA_OK; c++) {
        bt_sensitive *column = &people->sensitive[c];
        bt_bag bag = bt_tally_bag(tally, c);
        column->counts = bt_arena_array(&people->arena, column->size, sizeof *column->counts);
        if (!column->counts) status = bt_fail_memory(error);
        for (uint32_t code = 0; code < column->size && status == BAUTA_OK; code++)
            column->counts[code] = bag.counts[code];
        column->total = bag.total;
    }
    bt_tally_free(tally);
    return status;
}

bauta_status bt_people_make(const bt_sensitive *sensitive, const void *const *codes,
                            const unsigned *widths, size_t columns, int64_t rows,
                            const uint32_t *subject_of, uint32_t subjects, bt_people *out,
                            bauta_error *error)
{
    *out = (bt_people){
        .rows = rows, .columns = columns, .subject_of = subject_of, .subjects = subjects};
    out->sensitive = bt_arena_array(&out->arena, columns, sizeof *out->sensitive);
    out->profile_of = bt_array((size_t)rows, sizeof *out->profile_of);
    bauta_status status = out->sensitive && out->profile_of ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        if (columns) memcpy(out->sensitive, sensitive, columns * sizeof *sensitive);
        status = find_profiles(out, codes, widths, error);
    }
    if (status == BAUTA_OK) status = find_pairs(out, error);
    if (status == BAUTA_OK) status = count_values(out, error);
    if (status != BAUTA_OK) bt_people_release(out);
    return status;
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

bauta_status bt_people_of_table(const bt_table *table, bt_people *out, bauta_error *error)
{
    const bt_column **columns;
    size_t count;
    *out = (bt_people){0};
    BT_TRY(bt_table_select(table, BT_ROLE_SENSITIVE, &columns, &count, error));
    bt_sensitive *sensitive = bt_array_zero(count, sizeof *sensitive);
    const void **codes = bt_array(count, sizeof *codes);
    unsigned *widths = bt_array(count, sizeof *widths);
    bauta_status status = sensitive && codes && widths ? BAUTA_OK : bt_fail_memory(error);
    for (size_t c = 0; c < count && status == BAUTA_OK; c++) {
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
    if (status == BAUTA_OK)
        status = bt_people_make(sensitive, codes, widths, count, table->rows, table->subject_of,
                                table->subjects, out, error);
    free(sensitive);
    free(codes);
    free(widths);
    free(columns);
    return status;
}

/* ---- persons as records ------------------------------------------------------------------ */

/* Lists the profiles of each person in the order of the rows, then drops those that came before. */
static bauta_status list_profiles(const bt_people *people, bt_people *out, bauta_error *error)
{
    size_t persons = people->subjects, kept = 0;
    uint32_t *seen = bt_array_zero(people->profiles, sizeof *seen); /* person + 1 */
    size_t *next = bt_array_zero(persons + 2, sizeof *next);
    out->unit_profiles = bt_array((size_t)people->rows, sizeof *out->unit_profiles);
    if (!seen || !next || !out->unit_profiles) {
        free(seen);
        free(next);
        return bt_fail_memory(error);
    }
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
    free(seen);
    free(next);
    return BAUTA_OK;
}

bauta_status bt_people_whole(const bt_people *people, bt_people *out, bauta_error *error)
{
    size_t columns = people->columns, values = (size_t)people->profiles * columns;
    *out = (bt_people){.rows = people->persons,
                       .persons = people->persons,
                       .columns = columns,
                       .profiles = people->profiles};
    out->sensitive = bt_arena_array(&out->arena, columns, sizeof *out->sensitive);
    out->profile_of = bt_array((size_t)people->persons, sizeof *out->profile_of);
    out->profile_values = bt_array(values, sizeof *out->profile_values);
    out->unit_starts = bt_array((size_t)people->persons + 1, sizeof *out->unit_starts);
    bool made = out->sensitive && out->profile_of && out->profile_values && out->unit_starts;
    bauta_status status = made ? list_profiles(people, out, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        if (columns) memcpy(out->sensitive, people->sensitive, columns * sizeof *out->sensitive);
        if (values) memcpy(out->profile_values, people->profile_values, values * sizeof(uint32_t));
        status = find_pairs(out, error);
    }
    if (status != BAUTA_OK) bt_people_release(out);
    return status;
}

/* ---- with a public table ----------------------------------------------------------------- */

bauta_status bt_people_joined(const bt_people *values, int64_t records, const uint32_t *rows,
                              int64_t picked, bt_people *out, bauta_error *error)
{
    size_t columns = values ? values->columns : 0;
    uint32_t external = values && values->profile_of ? values->profiles : 1;
    size_t cells = external * columns;
    *out = (bt_people){.rows = picked,
                       .columns = columns,
                       .profiles = external + 1,
                       .joined = true,
                       .sized_by_all = !values};
    out->sensitive = bt_arena_array(&out->arena, columns, sizeof *out->sensitive);
    out->profile_of = bt_array((size_t)picked, sizeof *out->profile_of);
    /* Nobody asks for the values of the last profile. */
    out->profile_values = bt_array_zero(cells + columns + 1, sizeof *out->profile_values);
    if (!out->sensitive || !out->profile_of || !out->profile_values) {
        bt_people_release(out);
        return bt_fail_memory(error);
    }
    if (columns) memcpy(out->sensitive, values->sensitive, columns * sizeof *out->sensitive);
    if (cells) memcpy(out->profile_values, values->profile_values, cells * sizeof(uint32_t));
    for (int64_t i = 0; i < picked; i++) {
        int64_t row = rows ? rows[i] : i;
        bool own = row < records;
        out->profile_of[i] = !own ? external : external > 1 ? values->profile_of[row] : 0;
        out->persons += own || !values;
    }
    return BAUTA_OK;
}

void bt_people_release(bt_people *people)
{
    free(people->unit_starts);
    free(people->unit_profiles);
    free(people->profile_of);
    free(people->profile_values);
    free(people->pair_of);
    bt_arena_release(&people->arena);
    *people = (bt_people){0};
}
