/* SPDX-License-Identifier: Apache-2.0
 *
 * Common codes of a release and the original.
 */
#include "reading/compared.h"

#include "recipe/names.h"

#include <string.h>

bauta_status bt_original_find(const bt_table *original, const char *name, const bt_column **out,
                              bauta_error *error)
{
    *out = bt_table_find(original, name);
    return *out ? BAUTA_OK : bt_fail(error, BAUTA_INVALID, "the original has no column '%s'", name);
}

/* Finds the codes of published values in the original; those that it does not have get new ones. */
static bauta_status find_values(bt_compared_column *column, const bt_names *names,
                                bauta_error *error)
{
    const bt_values *values = column->published->values;
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    for (uint32_t i = 0; i < values->count; i++) {
        text.length = 0;
        BT_TRY(bt_buffer_add(&text, values->text[i], values->length[i], error));
        BT_TRY(bt_buffer_add(&text, "", 1, error));
        if (!bt_names_find(names, 0, text.bytes, &column->of_value[i]))
            column->of_value[i] = column->size++;
    }
    return BAUTA_OK;
}

static bauta_status join_column(bt_compared_column *column, int64_t rows, bt_arena *arena,
                                bauta_error *error)
{
    const bt_release_column *published = column->published;
    const bt_domain *domain = &column->original->domain;
    BT_OWN(bt_names_release) bt_names names = {0};
    bool added;
    column->size = domain->size;
    column->of_value = bt_arena_array(arena, published->values->count, sizeof *column->of_value);
    column->rows = bt_arena_array(arena, (size_t)rows, sizeof *column->rows);
    BT_TRY(bt_arena_check(arena, error));
    for (uint32_t code = 0; code < domain->size; code++)
        BT_TRY(bt_names_add(&names, 0, domain->text[code], code, &added, error));
    BT_TRY(find_values(column, &names, error));
    for (int64_t row = 0; row < rows; row++)
        column->rows[row] = column->of_value[bt_code_at(published->codes, published->width, row)];
    return BAUTA_OK;
}

static bauta_status join_role(const bt_release *release, const bt_table *original, bt_role role,
                              bt_compared *out, bauta_error *error)
{
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *published = &release->columns[i];
        if (published->manifest->role != role || published->manifest->category_of) continue;
        bt_compared_column *column = &out->columns[out->count++];
        column->published = published;
        BT_TRY(bt_original_find(original, published->manifest->name, &column->original, error));
        BT_TRY(join_column(column, release->files[published->file].rows, &out->arena, error));
    }
    return BAUTA_OK;
}

bauta_status bt_compared_make(const bt_release *release, const bt_table *original, bt_compared *out,
                              bauta_error *error)
{
    *out = (bt_compared){.record_count = original->rows};
    out->columns = bt_arena_array(&out->arena, release->column_count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    BT_TRY(join_role(release, original, BT_ROLE_QUASI, out, error));
    out->quasi = out->count;
    return join_role(release, original, BT_ROLE_SENSITIVE, out, error);
}

void bt_compared_release(bt_compared *compared)
{
    bt_arena_release(&compared->arena);
    *compared = (bt_compared){0};
}

bt_codes *bt_compared_records(bt_compared *compared, size_t from, size_t to)
{
    bt_codes *codes = bt_arena_array(&compared->arena, to - from, sizeof *codes);
    for (size_t i = from; codes && i < to; i++) {
        const bt_column *column = compared->columns[i].original;
        codes[i - from] = (bt_codes){column->codes, column->width, compared->columns[i].size};
    }
    return codes;
}

bt_codes *bt_compared_rows(bt_compared *compared, size_t from, size_t to)
{
    bt_codes *codes = bt_arena_array(&compared->arena, to - from, sizeof *codes);
    for (size_t i = from; codes && i < to; i++)
        codes[i - from] = (bt_codes){compared->columns[i].rows, 4, compared->columns[i].size};
    return codes;
}

/* ---- kinds ------------------------------------------------------------------------------- */

/* Moves the columns with the most values to the front; all lists are in one order. */
static void sort_columns(bt_codes *records, bt_codes *rows, double *drawn, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t most = i;
        for (size_t c = i + 1; c < count; c++)
            if (rows[c].count > rows[most].count) most = c;
        bt_codes record = records[most], row = rows[most];
        double chance = drawn[most];
        records[most] = records[i];
        rows[most] = rows[i];
        records[i] = record;
        rows[i] = row;
        drawn[most] = drawn[i];
        drawn[i] = chance;
    }
}

static bauta_status number_kinds(const bt_codes *records, int64_t record_count,
                                 const bt_codes *rows, int64_t row_count, size_t columns,
                                 const bt_run *run, bt_kinds *out, bauta_error *error)
{
    BT_OWN(bt_tuples_release) bt_tuples kinds = {0};
    BT_OWN(bt_tuple_index_drop) bt_tuple_index *index = NULL;
    BT_OWN(bt_free) uint32_t *codes = bt_array(columns, sizeof *codes);
    out->row_kind = bt_array((size_t)row_count, sizeof *out->row_kind);
    out->record_kind = bt_array((size_t)record_count, sizeof *out->record_kind);
    if (!codes || !out->row_kind || !out->record_kind) return bt_fail_memory(error);
    BT_TRY(bt_tuples_number(rows, columns, row_count, run, &kinds, out->row_kind, &index, error));
    for (int64_t r = 0; r < record_count; r++) {
        for (size_t c = 0; c < columns; c++)
            codes[c] = bt_code_at(records[c].codes, records[c].width, r);
        out->record_kind[r] = bt_tuple_index_find(index, codes);
    }
    out->count = kinds.count;
    return BAUTA_OK;
}

/* The share of records of which none of the first `chosen` columns is drawn anew; of one column it
 * is drawn[i]. */
static double keep_share(const bt_mechanism *mechanism, const double *drawn, size_t chosen)
{
    double kept = 1, columns = (double)mechanism->columns;
    for (size_t i = 0; i < chosen && mechanism->lambda == 1; i++)
        kept -= drawn[i];
    for (uint32_t i = 0; i < mechanism->lambda && mechanism->lambda > 1; i++)
        kept *= (columns - (double)chosen - i) / (columns - i);
    return kept > 0 ? kept : 0;
}

bauta_status bt_kinds_make(const bt_release *release, bt_compared *compared, const bt_run *run,
                           bt_kinds *out, bauta_error *error)
{
    /* Lambda of d columns are drawn anew: one in lambda + 1 of the columns all keep their values
     * often. */
    size_t quasi = compared->quasi, chosen = quasi / (release->mechanism.lambda + 1);
    size_t sensitive = compared->count - quasi;
    bt_codes *records = bt_compared_records(compared, 0, compared->count);
    bt_codes *rows = bt_compared_rows(compared, 0, compared->count);
    double *drawn = bt_arena_array(&compared->arena, quasi, sizeof *drawn);
    *out = (bt_kinds){0};
    if (!records || !rows || !drawn) return bt_fail_memory(error);
    if (chosen == 0) chosen = 1;
    for (size_t i = 0; i < quasi; i++)
        drawn[i] = bt_rational_double(release->mechanism.redrawn[i]);
    sort_columns(records, rows, drawn, quasi);
    out->kept = keep_share(&release->mechanism, drawn, chosen);
    memmove(records + chosen, records + quasi, sensitive * sizeof *records);
    memmove(rows + chosen, rows + quasi, sensitive * sizeof *rows);
    return number_kinds(records, compared->record_count, rows, release->rows, chosen + sensitive,
                        run, out, error);
}

void bt_kinds_release(bt_kinds *kinds)
{
    free(kinds->row_kind);
    free(kinds->record_kind);
    *kinds = (bt_kinds){0};
}
