/* SPDX-License-Identifier: Apache-2.0
 *
 * Who the records are about: persons by the columns that name them, and the question that is asked
 * where they seem to have several records and nothing is said of it.
 *
 * Persons are told apart exactly: by codes, of several columns by the tuple of these. Linear in
 * rows.
 */
#include "job/load.h"
#include "profile/subject.h"
#include "table/tuples.h"

/* ---- by the columns that name them ------------------------------------------------------- */

/* What is published as it is cannot name persons; what is generalized can only help to. */
static bauta_status check_roles(const bauta_recipe *recipe, const bt_loaded *out,
                                bauta_error *error)
{
    for (size_t i = 0; i < recipe->subject.count; i++) {
        bt_role role = out->roles[out->subject[i]];
        bool raw = role == BT_ROLE_SENSITIVE || role == BT_ROLE_OTHER;
        if (!raw && (role != BT_ROLE_QUASI || recipe->subject.count > 1)) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the column names persons%s and would be published as %s",
                    raw ? "" : " by itself", bt_role_name(role));
        bt_error_place(error, NULL, -1, out->plan[out->subject[i]].name);
        bt_error_hint(error, "make it an identifier");
        return status;
    }
    return BAUTA_OK;
}

static bauta_status refuse_nobody(const bt_loaded *out, const char *column, bauta_error *error)
{
    int64_t nameless = 0;
    for (int64_t row = 0; row < out->table.rows; row++)
        nameless += out->table.subject_of[row] == BT_NOBODY;
    if (nameless == 0) return BAUTA_OK;
    bauta_status status = bt_fail(
        error, BAUTA_INVALID, "%lld record%s not say which person %s about", (long long)nameless,
        nameless == 1 ? " does" : "s do", nameless == 1 ? "it is" : "they are");
    bt_error_place(error, NULL, -1, column);
    bt_error_hint(error, "'--missing drop' leaves them out");
    return status;
}

/* Puts a number for each record's person into table.subject_of. */
static bauta_status number_tuples(const bt_column *const *columns, size_t count, const bt_run *run,
                                  bt_table *table, bauta_error *error)
{
    bt_tuples tuples = {0};
    bt_codes *codes = bt_array(count, sizeof *codes);
    bauta_status status = codes ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < count && codes; i++)
        codes[i] = (bt_codes){columns[i]->codes, columns[i]->width, columns[i]->domain.size};
    if (status == BAUTA_OK)
        status = bt_tuples_number(codes, count, table->rows, run, &tuples, table->subject_of, NULL,
                                  error);
    table->subjects = tuples.count;
    bt_tuples_release(&tuples);
    free(codes);
    return status;
}

/* Whoever lacks a part of the name is nobody, or with nobody_is_one the same person as all others
 * who do. */
static void mark_nobody(const bauta_recipe *recipe, const bt_column *column, bt_table *table)
{
    uint32_t present = bt_domain_present(&column->domain);
    if (!column->domain.has_missing) return;
    for (int64_t row = 0; row < table->rows; row++)
        if (bt_column_code(column, row) >= present)
            table->subject_of[row] = recipe->nobody_is_one ? table->subjects : BT_NOBODY;
}

static bauta_status number_persons(const bauta_recipe *recipe, const bt_run *run,
                                   const bt_column *const *columns, bt_loaded *out,
                                   bauta_error *error)
{
    bt_table *table = &out->table;
    table->subject_of = bt_array((size_t)table->rows, sizeof *table->subject_of);
    if (!table->subject_of) return bt_fail_memory(error);
    if (recipe->subject.count > 1) {
        BT_TRY(number_tuples(columns, recipe->subject.count, run, table, error));
    } else {
        table->subjects = columns[0]->domain.size;
        for (int64_t row = 0; row < table->rows; row++)
            table->subject_of[row] = bt_column_code(columns[0], row);
    }
    for (size_t i = 0; i < recipe->subject.count; i++)
        mark_nobody(recipe, columns[i], table);
    table->subjects += recipe->nobody_is_one;
    return out->drops_missing ? BAUTA_OK : refuse_nobody(out, columns[0]->name, error);
}

/* The table's own column, if it is one of them. */
static const bt_column *find_coded(const bt_table *table, size_t source)
{
    for (size_t i = 0; i < table->count; i++)
        if (table->columns[i].source == source) return &table->columns[i];
    return NULL;
}

/* Only the numbers of persons are kept of columns that are not the table's: no form can publish
 * what it does not see. */
bauta_status bt_load_subjects(const bauta_recipe *recipe, const bt_run *run, bool all_columns,
                              bt_loaded *out, bauta_error *error)
{
    size_t count = recipe->subject.count;
    if (count == 0) return BAUTA_OK;
    if (!all_columns) BT_TRY(check_roles(recipe, out, error));
    bt_column *own = bt_array_zero(count, sizeof *own);
    const bt_column **columns = bt_array_zero(count, sizeof *columns);
    bauta_status status = own && columns ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        columns[i] = find_coded(&out->table, out->subject[i]);
        if (columns[i]) continue;
        status = bt_encode_column(out, run, out->subject[i], &own[i], error);
        if (status == BAUTA_OK && out->keyed)
            status = bt_load_digest_column(out, &own[i], out->input_rows, run, error);
        columns[i] = &own[i];
    }
    if (status == BAUTA_OK) status = number_persons(recipe, run, columns, out, error);
    for (size_t i = 0; own && i < count; i++)
        free(own[i].codes);
    free(own);
    free(columns);
    return status;
}

/* ---- where nothing is said --------------------------------------------------------------- */

bool bt_watches_repeats(const bauta_recipe *recipe, const bt_column_recipe *column)
{
    if (recipe->subject_none || recipe->subject.count > 0) return false;
    return bt_seems_to_name(column->name, column->role);
}

static bt_repeats count_coded(const bt_values *values, const bt_missing *missing)
{
    bt_repeats counted = {0};
    for (uint32_t i = 0; i < values->count; i++) {
        if (bt_is_missing(missing, values->text[i], values->length[i])) continue;
        counted.present += values->rows[i];
        counted.distinct++;
        counted.sharing += values->rows[i] > 1 ? values->rows[i] : 0;
    }
    return counted;
}

static bt_repeats look_at(const bt_loaded *loaded, size_t column)
{
    bt_role role = loaded->roles[column];
    bool coded = role == BT_ROLE_QUASI || role == BT_ROLE_SENSITIVE;
    return coded ? count_coded(bt_raw_values(loaded->raw, column),
                               bt_input_missing(bt_input_settings(loaded->input), column))
                 : *bt_raw_repeats(loaded->raw, column);
}

static bauta_status ask(const bt_loaded *loaded, size_t column, const bt_repeats *found,
                        bauta_error *error)
{
    const char *name = loaded->plan[column].name;
    bauta_status status = bt_fail(
        error, BAUTA_INVALID,
        "%s%lld of %lld records share their value here with another one: a person may have several",
        loaded->roles[column] == BT_ROLE_IDENTIFIER ? "" : "the column seems to name persons, and ",
        (long long)found->sharing, (long long)found->present);
    bt_error_place(error, NULL, -1, name);
    bt_error_hint(error,
                  "if an equal value means the same person, say --subject '%s', and persons are "
                  "counted instead of records (several columns together: --subject COL,COL); if "
                  "every record is another person all the same, say --subject none",
                  name);
    return status;
}

bauta_status bt_refuse_repeats(const bauta_recipe *recipe, const bt_loaded *loaded,
                               bauta_error *error)
{
    bt_repeats worst = {0};
    enum { NONE, SEEMS, SAID, NUMBER }; /* how surely a column names persons */
    unsigned best = NONE;
    size_t asked = 0;
    bool one_each = false; /* a number given to persons is different in every record */
    for (size_t i = 0; i < loaded->columns && best < NUMBER; i++) {
        /* A key that repeats is refused where the tables are joined. */
        if (i == loaded->key || !bt_watches_repeats(recipe, &loaded->plan[i])) continue;
        const char *name = loaded->plan[i].name;
        bool said = loaded->roles[i] == BT_ROLE_IDENTIFIER;
        bt_repeats found = look_at(loaded, i);
        if (!bt_names_persons(name, loaded->roles[i], found.present, found.distinct)) continue;
        one_each = one_each || (found.sharing == 0 && found.present == loaded->input_rows &&
                                bt_numbers_each_person(name));
        unsigned sure = bt_numbers_persons(name) ? NUMBER : said ? SAID : SEEMS;
        if (found.sharing == 0 || sure <= best) continue;
        worst = found;
        asked = i;
        best = sure;
    }
    if (best == NONE || (best == SEEMS && one_each)) return BAUTA_OK;
    return ask(loaded, asked, &worst, error);
}
