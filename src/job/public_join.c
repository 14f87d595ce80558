/* SPDX-License-Identifier: Apache-2.0
 *
 * The full outer join of the microdata with public databases: every person once.
 *
 * A person of the microdata who is in a public table too must be told the same of by both, or
 * whoever has the public table would look for the person in another class. Persons who are only in
 * public tables and of whom these tell different things are left out.
 *
 * Linear in the records of all tables; 8 bytes for each person.
 */
#include "base/bitset.h"
#include "job/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NOBODY = UINT32_MAX };

typedef struct external { /* a person who is in public tables alone */
    uint32_t table, row;  /* where first */
    bool disagreed;
} external;

typedef struct joiner {
    const bauta_recipe *recipe;
    bt_loaded *loaded;
    bt_join *join;
    size_t *quasi; /* the input columns of the joined table's columns */
    size_t columns;
    uint32_t persons, present; /* codes of the key; those below `present` name somebody */
    uint32_t *record_of;       /* per person: the record of the microdata, or NOBODY */
    uint32_t *external_of;     /* per person: place in `externals`, or NOBODY */
    uint64_t *met;             /* bit per person: the table in hand has a record of the person */
    uint64_t *shared;          /* bit per person: microdata and some public table have a record */
    external *externals;
    size_t external_count, external_capacity;
    int64_t conflicts;
} joiner;

/* ---- comparing --------------------------------------------------------------------------- */

static bool is_complete(const joiner *j, const bt_public *from, uint32_t row)
{
    for (size_t c = 0; c < j->columns; c++) {
        const bt_column *column = &from->quasi[j->quasi[c]];
        if (bt_column_code(column, row) >= bt_domain_present(&column->domain)) return false;
    }
    return true;
}

static bool same_as_record(const joiner *j, uint32_t record, const bt_public *from, uint32_t row)
{
    for (size_t c = 0; c < j->columns; c++)
        if (bt_column_code(&j->join->table.columns[c], record) !=
            bt_column_code(&from->quasi[j->quasi[c]], row))
            return false;
    return true;
}

static bool same_as_external(const joiner *j, const external *e, const bt_public *from,
                             uint32_t row)
{
    const bt_public *first = &j->loaded->publics[e->table];
    for (size_t c = 0; c < j->columns; c++)
        if (bt_column_code(&first->quasi[j->quasi[c]], e->row) !=
            bt_column_code(&from->quasi[j->quasi[c]], row))
            return false;
    return true;
}

/* ---- who is in the microdata ------------------------------------------------------------- */

static bauta_status refuse_keys(const char *file, const char *column, int64_t row, int64_t records,
                                bool missing, bauta_error *error)
{
    bauta_status status =
        missing ? bt_fail(error, BAUTA_INVALID,
                          "%lld record%s not say who %s about, so nobody knows who is in both "
                          "tables",
                          (long long)records, records == 1 ? " does" : "s do",
                          records == 1 ? "it is" : "they are")
                : bt_fail(error, BAUTA_INVALID, "%lld record%s of a person who has one already",
                          (long long)records, records == 1 ? " is" : "s are");
    bt_error_place(error, file, row, column);
    bt_error_hint(error, missing ? "fill the key in, or leave them out"
                                 : "every person has one record: leave the others out");
    return status;
}

static bauta_status place_records(joiner *j, bauta_error *error)
{
    const bt_loaded *loaded = j->loaded;
    int64_t twice = 0, missing = 0, first_twice = -1, first_missing = -1;
    for (int64_t i = 0; i < loaded->table.rows; i++) {
        int64_t row = loaded->row_map ? loaded->row_map[i] : i;
        uint32_t person = bt_column_code(&loaded->key_codes, row);
        if (person >= j->present) {
            if (missing++ == 0) first_missing = row + 1;
            continue;
        }
        if (j->record_of[person] != NOBODY && twice++ == 0) first_twice = row + 1;
        j->record_of[person] = (uint32_t)i;
    }
    if (missing == 0 && twice == 0) return BAUTA_OK;
    return refuse_keys(j->recipe->inputs.items[0], j->recipe->key,
                       missing ? first_missing : first_twice, missing ? missing : twice,
                       missing > 0, error);
}

/* ---- who is in a public table ------------------------------------------------------------ */

static bauta_status add_external(joiner *j, uint32_t table, uint32_t row, bauta_error *error)
{
    BT_TRY(bt_array_grow(&j->externals, &j->external_capacity, j->external_count + 1,
                         sizeof *j->externals, error));
    j->externals[j->external_count++] = (external){table, row, false};
    return BAUTA_OK;
}

static bauta_status note_conflict(joiner *j, uint32_t record, uint32_t table, uint32_t row,
                                  bauta_error *error)
{
    int64_t *map = j->loaded->row_map;
    j->join->counts.excluded++;
    if (j->recipe->exclude_public) return BAUTA_OK;
    if (j->conflicts++ == 0)
        BT_TRY(bt_buffer_print(&j->loaded->conflicts, error, "row,public,public_row\n"));
    return bt_buffer_print(&j->loaded->conflicts, error, "%" PRId64 ",%u,%u\n",
                           (map ? map[record] : (int64_t)record) + 1, table + 1, row + 1);
}

static bauta_status place_person(joiner *j, uint32_t person, uint32_t table, uint32_t row,
                                 bauta_error *error)
{
    const bt_public *from = &j->loaded->publics[table];
    uint32_t record = j->record_of[person];
    if (record != NOBODY) {
        if (!same_as_record(j, record, from, row))
            return note_conflict(j, record, table, row, error);
        bt_bitset_add(j->shared, person);
        return BAUTA_OK;
    }
    if (!j->externals || j->external_of[person] == NOBODY) {
        j->external_of[person] = (uint32_t)j->external_count;
        return add_external(j, table, row, error);
    }
    external *e = &j->externals[j->external_of[person]];
    if (!same_as_external(j, e, from, row)) e->disagreed = true;
    return BAUTA_OK;
}

static bauta_status place_public(joiner *j, uint32_t table, bauta_error *error)
{
    const bt_public *from = &j->loaded->publics[table];
    int64_t twice = 0, missing = 0, first_twice = -1, first_missing = -1;
    bool drops = j->loaded->drops_missing;
    memset(j->met, 0, bt_bitset_words(j->persons) * sizeof *j->met);
    j->join->counts.public_rows += from->rows;
    for (uint32_t row = 0; row < from->rows; row++) {
        uint32_t person = j->recipe->key ? bt_column_code(&from->key, row) : 0;
        bool nameless = j->recipe->key && person >= j->present;
        if (drops && (nameless || !is_complete(j, from, row))) {
            j->join->counts.missing++;
            continue;
        }
        if (!j->recipe->key) {
            BT_TRY(add_external(j, table, row, error));
        } else if (nameless) {
            if (missing++ == 0) first_missing = (int64_t)row + 1;
        } else if (bt_bitset_has(j->met, person)) {
            if (twice++ == 0) first_twice = (int64_t)row + 1;
        } else {
            bt_bitset_add(j->met, person);
            BT_TRY(place_person(j, person, table, row, error));
        }
    }
    if (missing == 0 && twice == 0) return BAUTA_OK;
    return refuse_keys(from->file, j->recipe->key, missing ? first_missing : first_twice,
                       missing ? missing : twice, missing > 0, error);
}

/* ---- what comes of it -------------------------------------------------------------------- */

/* Names as many of the records as there is room for; runs of rows as 3-9. */
static bauta_status refuse_conflicts(joiner *j, bauta_error *error)
{
    char list[256] = "";
    size_t length = 0;
    int64_t listed = 0;
    const char *at = strchr(j->loaded->conflicts.bytes, '\n') + 1;
    const char *end = j->loaded->conflicts.bytes + j->loaded->conflicts.length;
    for (; at < end && length + 24 < sizeof list; listed++) {
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%.*s",
                                   listed ? ", " : "", (int)strcspn(at, ","), at);
        at = (const char *)memchr(at, '\n', (size_t)(end - at)) + 1;
    }
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "the public table has other quasi values than the table for %" PRId64
                " person%s, in row%s %s%s",
                j->conflicts, j->conflicts == 1 ? "" : "s", j->conflicts == 1 ? "" : "s", list,
                listed < j->conflicts ? " and others" : "");
    bt_error_place(error, j->recipe->inputs.items[0], -1, NULL);
    bt_error_hint(error, "whoever has the public table looks for them in other classes: correct "
                         "one of the two, or use the records of the table alone for them "
                         "(--on-conflict exclude-public)");
    return status;
}

static bauta_status make_columns(joiner *j, bauta_error *error)
{
    bt_table *from = &j->loaded->table, *to = &j->join->table;
    j->quasi = bt_array(from->count, sizeof *j->quasi);
    to->columns = bt_arena_array(&to->arena, from->count, sizeof *to->columns);
    if (!j->quasi || !to->columns) return bt_fail_memory(error);
    for (size_t c = 0; c < from->count; c++) {
        if (from->columns[c].role != BT_ROLE_QUASI) continue;
        j->quasi[j->columns++] = from->columns[c].source;
        to->columns[to->count] = from->columns[c];
        to->columns[to->count].codes = NULL;
        to->count++;
    }
    return BAUTA_OK;
}

/* The records of the microdata, to compare with. */
static bauta_status copy_records(joiner *j, bauta_error *error)
{
    bt_table *from = &j->loaded->table, *to = &j->join->table;
    size_t next = 0, rows = (size_t)from->rows;
    j->join->microdata = to->rows = from->rows;
    for (size_t c = 0; c < from->count; c++) {
        if (from->columns[c].role != BT_ROLE_QUASI) continue;
        bt_column *column = &to->columns[next++];
        column->codes = bt_array(rows, column->width);
        if (!column->codes) return bt_fail_memory(error);
        memcpy(column->codes, from->columns[c].codes, rows * column->width);
    }
    return BAUTA_OK;
}

/* Appends the external persons. */
static bauta_status append_externals(joiner *j, bauta_error *error)
{
    bt_table *to = &j->join->table;
    bt_join_counts *counts = &j->join->counts;
    for (size_t i = 0; i < j->external_count; i++)
        counts->disagreed += j->externals[i].disagreed;
    counts->external = (int64_t)j->external_count - counts->disagreed;
    if (to->rows + counts->external >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "more than 4,294,967,294 persons");
    j->join->origin = bt_array((size_t)counts->external, sizeof *j->join->origin);
    if (!j->join->origin) return bt_fail_memory(error);
    for (size_t i = 0, next = 0; i < j->external_count; i++)
        if (!j->externals[i].disagreed)
            j->join->origin[next++] = (bt_join_origin){j->externals[i].table, j->externals[i].row};
    for (size_t c = 0; c < to->count; c++) {
        bt_column *column = &to->columns[c];
        size_t width = column->width, next = (size_t)to->rows;
        char *codes = bt_array((size_t)(to->rows + counts->external), width);
        if (!codes) return bt_fail_memory(error);
        memcpy(codes, column->codes, next * width);
        for (size_t i = 0; i < j->external_count; i++) {
            const external *e = &j->externals[i];
            const char *theirs = j->loaded->publics[e->table].quasi[j->quasi[c]].codes;
            if (!e->disagreed) memcpy(codes + next++ * width, theirs + e->row * width, width);
        }
        free(column->codes);
        column->codes = codes;
    }
    to->rows += counts->external;
    return BAUTA_OK;
}

static bauta_status prepare(joiner *j, bauta_error *error)
{
    const bt_domain *key = &j->loaded->key_codes.domain;
    j->persons = j->recipe->key ? key->size : 0;
    j->present = j->recipe->key ? bt_domain_present(key) : 0;
    j->record_of = bt_array(j->persons, sizeof *j->record_of);
    j->external_of = bt_array(j->persons, sizeof *j->external_of);
    j->met = bt_array_zero(bt_bitset_words(j->persons), sizeof *j->met);
    j->shared = bt_array_zero(bt_bitset_words(j->persons), sizeof *j->shared);
    if (!j->record_of || !j->external_of || !j->met || !j->shared) return bt_fail_memory(error);
    for (uint32_t i = 0; i < j->persons; i++)
        j->record_of[i] = j->external_of[i] = NOBODY;
    BT_TRY(make_columns(j, error));
    BT_TRY(copy_records(j, error));
    return j->recipe->key ? place_records(j, error) : BAUTA_OK;
}

static bauta_status join_all(joiner *j, bauta_error *error)
{
    BT_TRY(prepare(j, error));
    for (size_t p = 0; p < j->loaded->public_count; p++)
        BT_TRY(place_public(j, (uint32_t)p, error));
    if (j->conflicts > 0) return refuse_conflicts(j, error);
    for (uint32_t i = 0; i < j->persons; i++)
        j->join->counts.shared += bt_bitset_has(j->shared, i);
    return append_externals(j, error);
}

bauta_status bt_publics_join(const bauta_recipe *recipe, bt_loaded *loaded, bauta_error *error)
{
    int64_t rows = 0;
    for (size_t p = 0; p < loaded->public_count; p++)
        rows += loaded->publics[p].rows;
    if (rows == 0) { /* there is nothing to join: everything is as without */
        if (loaded->public_count > 0 && recipe->notice)
            recipe->notice(recipe->notice_user, "the public table has no records: it hides nobody");
        bt_publics_release(loaded);
        return BAUTA_OK;
    }
    loaded->join = calloc(1, sizeof *loaded->join);
    if (!loaded->join) return bt_fail_memory(error);
    joiner j = {.recipe = recipe, .loaded = loaded, .join = loaded->join};
    bauta_status status = join_all(&j, error);
    free(j.quasi);
    free(j.record_of);
    free(j.external_of);
    free(j.met);
    free(j.shared);
    free(j.externals);
    if (status == BAUTA_OK) bt_publics_release(loaded);
    return status;
}
