/* SPDX-License-Identifier: Apache-2.0
 *
 * Public databases: opening, reading and coding them with the domains of the microdata.
 *
 * Only the quasi columns and the key are read. The domain of a column is laid out over the values
 * of all tables, with the type that the microdata have.
 */
#include "job/load.h"
#include "recipe/label_map.h"

#include <string.h>

/* ---- what can be joined ------------------------------------------------------------------ */

static bauta_status refuse(const char *what, const char *hint, const char *column,
                           bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    if (column) bt_error_place(error, NULL, -1, column);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status check_roles(const bt_loaded *loaded, bauta_error *error)
{
    for (size_t i = 0; i < loaded->columns; i++)
        if (loaded->roles[i] == BT_ROLE_OTHER)
            return refuse("persons of the public table have no value here, and would show by it",
                          "leave the column out (--drop), or give it another role",
                          loaded->plan[i].name, error);
    return BAUTA_OK;
}

static bauta_status check_recipe(const bauta_recipe *recipe, const bt_loaded *loaded,
                                 bauta_error *error)
{
    if (!recipe->key && !recipe->key_none)
        return refuse("nothing says who is both in the table and in the public one",
                      "name the column that tells (--key COL); --key none says that nobody is",
                      NULL, error);
    if (recipe->key_none && recipe->publics.count > 1)
        return refuse("without a key nobody knows who is in several public tables",
                      "name the column that tells (--key COL), or give one public table", NULL,
                      error);
    if (recipe->subject.count > 0)
        return refuse("with a public table every person has one record",
                      "leave --subject out, or the public table", NULL, error);
    return check_roles(loaded, error);
}

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status find_column(const bt_public *from, const char *name, bool key, size_t *out,
                                bauta_error *error)
{
    const char *const *names = bt_input_names(from->input);
    size_t count = bt_input_columns(from->input);
    for (*out = 0; *out < count; ++*out)
        if (strcmp(names[*out], name) == 0) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "the public table has no column '%s'", name);
    bt_error_place(error, from->file, -1, NULL);
    const char *near = bt_text_nearest(name, names, count);
    if (near)
        bt_error_hint(error, "did you mean its column '%s'? Names must be the same in both", near);
    else
        bt_error_hint(error, key ? "the key names persons in both tables"
                                 : "it must have all quasi columns of the table");
    return status;
}

/* Opens and reads one; `options` are those of the microdata, but for the encoding of files. */
static bauta_status read_public(const bt_input_options *options, const bt_run *run,
                                bt_loaded *loaded, bt_public *out, bauta_error *error)
{
    bt_input_options own = *options;
    own.files = &out->file;
    own.count = 1;
    out->source = bt_arena_array(&loaded->arena, loaded->columns, sizeof *out->source);
    out->quasi = bt_arena_array(&loaded->arena, loaded->columns, sizeof *out->quasi);
    if (!out->source || !out->quasi) return bt_fail_memory(error);
    BT_TRY(bt_input_open(&own, run, &out->input, error));
    bt_use *uses =
        bt_arena_array(&loaded->arena, bt_input_columns(out->input), sizeof *uses); /* skip */
    if (!uses) return bt_fail_memory(error);
    for (size_t i = 0; i < loaded->columns; i++) {
        if (loaded->roles[i] != BT_ROLE_QUASI && i != loaded->key) continue;
        BT_TRY(find_column(out, loaded->plan[i].name, i == loaded->key, &out->source[i], error));
        uses[out->source[i]] = BT_USE_CODE;
    }
    BT_TRY(bt_input_read(out->input, uses, run, &out->raw, error));
    out->rows = bt_raw_rows(out->raw);
    if (out->rows < UINT32_MAX) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "more than 4,294,967,294 records in a public table");
}

bauta_status bt_publics_read(const bauta_recipe *recipe, const bt_run *run, bt_loaded *out,
                             bauta_error *error)
{
    if (recipe->publics.count == 0) return BAUTA_OK;
    BT_TRY(check_recipe(recipe, out, error));
    out->publics = bt_arena_array(&out->arena, recipe->publics.count, sizeof *out->publics);
    if (!out->publics) return bt_fail_memory(error);
    for (size_t i = 0; i < recipe->publics.count; i++) {
        out->publics[out->public_count++].file = recipe->publics.items[i];
        bt_input_options options = *bt_input_settings(out->input);
        options.encoding = recipe->has_encoding ? recipe->encoding : BT_UTF8;
        BT_TRY(read_public(&options, run, out, &out->publics[i], error));
    }
    return BAUTA_OK;
}

static void release_public(bt_public *public, size_t columns)
{
    for (size_t c = 0; public->quasi && c < columns; c++)
        free(public->quasi[c].codes);
    free(public->key.codes);
    bt_raw_free(public->raw);
    bt_input_close(public->input);
    *public = (bt_public){0};
}

void bt_publics_release(bt_loaded *loaded)
{
    for (size_t i = 0; i < loaded->public_count; i++)
        release_public(&loaded->publics[i], loaded->columns);
    loaded->public_count = 0;
    free(loaded->key_codes.codes);
    loaded->key_codes.codes = NULL;
}

/* ---- domains ----------------------------------------------------------------------------- */

static const bt_values *values_of(const bt_public *from, size_t column)
{
    return bt_raw_values(from->raw, from->source[column]);
}

/* Appends a value, or finds where it is: texts are different, while the same number in two forms
 * has one code anyway. */
static bauta_status put_value(const bt_values *from, uint32_t i, bt_label_map *map, bt_values *all,
                              uint32_t *place, bauta_error *error)
{
    bt_label_entry *entry = NULL;
    bool fresh = true;
    if (map)
        BT_TRY(bt_label_map_put(map, 0, from->text[i], from->length[i], &entry, &fresh, error));
    if (fresh && entry) entry->value = all->count;
    *place = entry ? entry->value : all->count;
    if (!fresh) { /* it keeps the number of records that the microdata have of it, if they do */
        if (all->rows[*place] == 0) all->rows[*place] = from->rows[i];
        return BAUTA_OK;
    }
    all->text[all->count] = from->text[i];
    all->length[all->count] = from->length[i];
    all->rows[all->count++] = from->rows[i];
    return BAUTA_OK;
}

/* Puts the values of all tables one after the other. */
static bauta_status list_values(const bt_loaded *loaded, size_t column, bool text,
                                bt_shared_values *out, bauta_error *error)
{
    const bt_values *mine = bt_raw_values(loaded->raw, column);
    bt_label_map map = {0}, *found = text ? &map : NULL;
    bauta_status status = BAUTA_OK;
    uint32_t place;
    for (uint32_t i = 0; i < mine->count && status == BAUTA_OK; i++)
        status = put_value(mine, i, found, &out->all, &place, error);
    for (size_t p = 0; p < loaded->public_count; p++) {
        const bt_values *theirs = values_of(&loaded->publics[p], column);
        for (uint32_t i = 0; i < theirs->count && status == BAUTA_OK; i++)
            status = put_value(theirs, i, found, &out->all, &out->place[p][i], error);
    }
    bt_label_map_release(&map);
    return status;
}

/* The type of the microdata alone. */
static bauta_status find_reading(const bt_values *values, const bt_domain_options *options,
                                 bt_reading *out, bauta_error *error)
{
    bt_arena arena = {0};
    bt_domain domain;
    uint32_t *code_of = bt_array(values->count, sizeof *code_of);
    bauta_status status = code_of
                              ? bt_domain_build(values, options, &arena, &domain, code_of, error)
                              : bt_fail_memory(error);
    if (status == BAUTA_OK) *out = domain.reading;
    if (status == BAUTA_OK) out->timed = true; /* a time of day is cut off wherever one stands */
    bt_arena_release(&arena);
    free(code_of);
    return status;
}

static bool fits(const bt_reading *reading, const char *text, uint32_t length)
{
    int64_t number;
    int scale =
        reading->type == BT_DECIMAL ? bt_value_scale(text, length, reading->decimal_comma) : 0;
    return bt_value_number(reading, text, length, scale, &number);
}

static bauta_status refuse_values(const bt_public *from, const char *column, int64_t records,
                                  const bt_reading *reading, bauta_error *error)
{
    bool text = reading->type == BT_TEXT;
    bauta_status status =
        text ? bt_fail(error, BAUTA_INVALID,
                       "%lld record%s of the public table %s a value here that the table has not",
                       (long long)records, records == 1 ? "" : "s", records == 1 ? "has" : "have")
             : bt_fail(error, BAUTA_INVALID,
                       "%lld record%s of the public table %s a value here that is not of type %s, "
                       "as those of the table are",
                       (long long)records, records == 1 ? "" : "s", records == 1 ? "has" : "have",
                       bt_type_name(reading->type));
    bt_error_place(error, from->file, -1, column);
    bt_error_hint(error, text ? "leave these records out of the public table, or give the column a "
                                "hierarchy that has all values (--hierarchy)"
                              : "leave these records out of the public table, or say another type "
                                "(--type)");
    return status;
}

static int64_t count_misfits(const bt_values *values, const bt_domain_options *options,
                             const bt_reading *reading)
{
    int64_t records = 0;
    for (uint32_t i = 0; i < values->count; i++)
        if (!bt_is_missing(options->missing, values->text[i], values->length[i]) &&
            !fits(reading, values->text[i], values->length[i]))
            records += values->rows[i];
    return records;
}

/* Records of a public table whose value the column cannot have. */
static int64_t count_wrong(const bt_loaded *loaded, size_t p, size_t column,
                           const bt_domain_options *options, const bt_reading *reading,
                           const bt_shared_values *values)
{
    const bt_values *theirs = values_of(&loaded->publics[p], column);
    uint32_t known = bt_raw_values(loaded->raw, column)->count;
    int64_t records = 0;
    if (reading->type != BT_TEXT) return count_misfits(theirs, options, reading);
    for (uint32_t i = 0; i < theirs->count; i++)
        if (values->place[p][i] >= known &&
            !bt_is_missing(options->missing, theirs->text[i], theirs->length[i]))
            records += theirs->rows[i];
    return records;
}

static bauta_status check_values(const bt_loaded *loaded, size_t column,
                                 const bt_domain_options *options, const bt_reading *reading,
                                 const bt_shared_values *values, bauta_error *error)
{
    for (size_t p = 0; p < loaded->public_count; p++) {
        int64_t records = count_wrong(loaded, p, column, options, reading, values);
        if (records > 0)
            return refuse_values(&loaded->publics[p], loaded->plan[column].name, records, reading,
                                 error);
    }
    return BAUTA_OK;
}

void bt_shared_values_release(const bt_loaded *loaded, bt_shared_values *values)
{
    for (size_t p = 0; values->place && p < loaded->public_count; p++)
        free(values->place[p]);
    free(values->place);
    free(values->all.text);
    free(values->all.length);
    free(values->all.rows);
    *values = (bt_shared_values){0};
}

static bauta_status make_room(const bt_loaded *loaded, size_t column, bt_shared_values *out,
                              bauta_error *error)
{
    size_t most = bt_raw_values(loaded->raw, column)->count;
    out->place = bt_array_zero(loaded->public_count, sizeof *out->place);
    if (!out->place) return bt_fail_memory(error);
    for (size_t p = 0; p < loaded->public_count; p++) {
        uint32_t count = values_of(&loaded->publics[p], column)->count;
        most += count;
        out->place[p] = bt_array(count, sizeof *out->place[p]);
        if (!out->place[p]) return bt_fail_memory(error);
    }
    if (most >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "more than 4,294,967,294 distinct values");
    out->all.text = bt_array(most, sizeof *out->all.text);
    out->all.length = bt_array(most, sizeof *out->all.length);
    out->all.rows = bt_array(most, sizeof *out->all.rows);
    return out->all.text && out->all.length && out->all.rows ? BAUTA_OK : bt_fail_memory(error);
}

/* Any value may name a person: names that are not all numbers are texts. */
static void read_names(const bt_loaded *loaded, const bt_domain_options *options,
                       bt_reading *reading)
{
    for (size_t p = 0; p < loaded->public_count && reading->type != BT_TEXT; p++)
        if (count_misfits(values_of(&loaded->publics[p], loaded->key), options, reading) > 0)
            reading->type = BT_TEXT;
}

bauta_status bt_publics_values(const bt_loaded *loaded, size_t column, bool given,
                               bt_domain_options *options, bt_shared_values *out,
                               bauta_error *error)
{
    bt_reading reading;
    bool key = column == loaded->key;
    *out = (bt_shared_values){0};
    BT_TRY(make_room(loaded, column, out, error));
    BT_TRY(find_reading(bt_raw_values(loaded->raw, column), options, &reading, error));
    if (key) read_names(loaded, options, &reading);
    bool text = reading.type == BT_TEXT;
    BT_TRY(list_values(loaded, column, text, out, error));
    if (!key && (!text || !given))
        BT_TRY(check_values(loaded, column, options, &reading, out, error));
    options->has_type = true;
    options->type = reading.type;
    return BAUTA_OK;
}

bauta_status bt_publics_encode(bt_loaded *loaded, size_t source, const bt_shared_values *values,
                               const uint32_t *code_of, const bt_column *column, const bt_run *run,
                               bauta_error *error)
{
    for (size_t p = 0; p < loaded->public_count; p++) {
        bt_public *public = &loaded->publics[p];
        bt_column *to = source == loaded->key ? &public->key : &public->quasi[source];
        uint32_t count = values_of(public, source)->count;
        *to = *column;
        to->codes = NULL;
        uint32_t *own = bt_array(count, sizeof *own);
        if (!own) return bt_fail_memory(error);
        for (uint32_t i = 0; i < count; i++)
            own[i] = code_of[values->place[p][i]];
        bauta_status status =
            bt_raw_encode(public->raw, public->source[source], own, run, to, error);
        free(own);
        if (status != BAUTA_OK) return status;
    }
    return BAUTA_OK;
}
