/* SPDX-License-Identifier: Apache-2.0
 *
 * The records and the people of public tables, each once.
 *
 * Cost: linear in the records of all tables.
 */
#include "job/everyone.h"

#include "table/tuples.h"

#include <string.h>

/* ---- people alike ------------------------------------------------------------------------ */

/* Keeps the external people of a list, which ascends. */
static void keep_people(bt_join *join, const uint32_t *kept, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        join->origin[i] = join->origin[kept[i]];
    for (size_t c = 0; c < join->table.count; c++) {
        bt_column *column = &join->table.columns[c];
        char *codes = (char *)column->codes + (size_t)join->microdata * column->width;
        for (int64_t i = 0; i < count; i++)
            memmove(codes + (size_t)i * column->width, codes + (size_t)kept[i] * column->width,
                    column->width);
    }
    join->counts.external = count;
    join->table.rows = join->microdata + count;
}

/* Leaves out an external person for each record with the same values. `left` counts these. */
static int64_t choose_people(const bt_join *join, const uint32_t *tuple_of, uint32_t *left,
                             uint32_t *kept)
{
    int64_t count = 0;
    for (int64_t row = 0; row < join->microdata; row++)
        left[tuple_of[row]]++;
    for (int64_t i = 0; i < join->counts.external; i++) {
        uint32_t tuple = tuple_of[join->microdata + i];
        if (left[tuple] > 0)
            left[tuple]--;
        else
            kept[count++] = (uint32_t)i;
    }
    return count;
}

static bauta_status unite_alike(bt_join *join, const bt_run *run, bauta_error *error)
{
    size_t rows = (size_t)join->table.rows, columns = join->table.count;
    bt_tuples tuples = {0};
    uint32_t *left = NULL, *tuple_of = bt_array(rows, sizeof *tuple_of);
    uint32_t *kept = bt_array((size_t)join->counts.external, sizeof *kept);
    bt_codes *codes = bt_array(columns, sizeof *codes);
    bauta_status status = tuple_of && kept && codes ? BAUTA_OK : bt_fail_memory(error);
    for (size_t c = 0; status == BAUTA_OK && c < columns; c++) {
        const bt_column *column = &join->table.columns[c];
        codes[c] = (bt_codes){column->codes, column->width, column->domain.size};
    }
    if (status == BAUTA_OK)
        status =
            bt_tuples_number(codes, columns, join->table.rows, run, &tuples, tuple_of, NULL, error);
    if (status == BAUTA_OK) left = bt_array_zero(tuples.count, sizeof *left);
    if (status == BAUTA_OK && !left) status = bt_fail_memory(error);
    if (status == BAUTA_OK) keep_people(join, kept, choose_people(join, tuple_of, left, kept));
    bt_tuples_release(&tuples);
    free(codes);
    free(left);
    free(kept);
    free(tuple_of);
    return status;
}

/* ------------------------------------------------------------------------------------------ */

bauta_status bt_everyone_load(const bauta_recipe *recipe, const char *file, bt_release *release,
                              const bt_run *run, bt_original *out, bauta_error *error)
{
    bauta_recipe asked = *recipe; /* only read: what it holds stays the recipe's */
    bool named = recipe->key || recipe->key_none;
    if (file) asked.publics = (bt_list){&file, 1, 1};
    asked.key_none = !recipe->key;
    BT_TRY(bt_original_load(&asked, release, BT_NEED_JOINED, run, out, error));
    if (named || !out->loaded.join) return BAUTA_OK;
    return unite_alike(out->loaded.join, run, error);
}

const bt_table *bt_everyone_table(const bt_original *everyone)
{
    return everyone->loaded.join ? &everyone->loaded.join->table : &everyone->loaded.table;
}

static bool comes_before(bt_join_origin a, bt_join_origin b)
{
    return a.table != b.table ? a.table < b.table : a.row < b.row;
}

/* External people are in the order in which public tables have them. */
void bt_everyone_match(const bt_join *from, const bt_original *to, uint32_t *out)
{
    const bt_join *other = to->loaded.join;
    int64_t next = 0, count = other ? other->counts.external : 0;
    for (int64_t i = 0; i < from->counts.external; i++) {
        while (next < count && comes_before(other->origin[next], from->origin[i]))
            next++;
        bool same = next < count && !comes_before(from->origin[i], other->origin[next]);
        out[i] = same ? (uint32_t)(other->microdata + next) : UINT32_MAX;
    }
}
