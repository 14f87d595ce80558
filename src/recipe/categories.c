/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading categories and matching them with the values of a column. Expected linear time.
 */
#include "recipe/categories.h"

#include "base/bitset.h"
#include "base/sort.h"
#include "recipe/csv_file.h"
#include "recipe/label_map.h"

#include <stdio.h>
#include <string.h>

enum { SCOPE_VALUES, SCOPE_NAMES }; /* of the label map */

typedef struct builder {
    const bt_categories_job *job;
    bt_label_map map; /* canonical values -> category, names -> category */
    const char **names;
    size_t capacity;
    uint32_t count;   /* categories */
    uint32_t values;  /* different ones that may be in the data */
    uint32_t foreign; /* values that are not even of the column's type */
} builder;

/* ---- collecting ---- */

/* Finds or adds a category. */
static bauta_status find_category(builder *b, const char *name, size_t length, uint32_t *out,
                                  bauta_error *error)
{
    bt_label_entry *entry;
    bool fresh;
    BT_TRY(bt_label_map_put(&b->map, SCOPE_NAMES, name, length, &entry, &fresh, error));
    if (fresh) {
        if (b->count == UINT32_MAX - 1)
            return bt_fail(error, BAUTA_INVALID, "there are too many categories");
        BT_TRY(
            bt_array_grow(&b->names, &b->capacity, (size_t)b->count + 1, sizeof *b->names, error));
        entry->text = b->names[b->count] = bt_arena_copy(b->job->arena, name, length);
        if (!entry->text) return bt_fail_memory(error);
        entry->value = b->count++;
    }
    *out = entry->value;
    return BAUTA_OK;
}

/* *twice: the value stands in another category already. */
static bauta_status put_value(builder *b, const char *text, size_t length, uint32_t category,
                              bool *twice, bauta_error *error)
{
    char printed[BT_NUMBER_TEXT];
    bt_label_entry *entry;
    bool fresh;
    *twice = false;
    if (bt_is_missing(b->job->missing, text, length)) {
        text = "";
        length = 0;
    } else if (!bt_domain_canonical(b->job->domain, &text, &length, printed)) {
        b->foreign++;
        return BAUTA_OK;
    }
    BT_TRY(bt_label_map_put(&b->map, SCOPE_VALUES, text, length, &entry, &fresh, error));
    *twice = !fresh && entry->value != category;
    if (!fresh) return BAUTA_OK;
    entry->text = bt_arena_copy(b->job->arena, text, length);
    if (!entry->text) return bt_fail_memory(error);
    entry->value = category;
    b->values++;
    return BAUTA_OK;
}

/* ---- from a file ---- */

static bauta_status put_row(void *user, const bt_csv_rows *rows, const bt_span *fields,
                            bauta_error *error)
{
    builder *b = user;
    uint32_t category;
    bool twice;
    if (fields[1].length == 0)
        return bt_csv_rows_fail(rows, "the category of this row has no name", NULL, error);
    BT_TRY(find_category(b, fields[1].bytes, fields[1].length, &category, error));
    BT_TRY(put_value(b, fields[0].bytes, fields[0].length, category, &twice, error));
    if (!twice) return BAUTA_OK;
    return bt_csv_rows_fail(rows, "the value of this row has another category in an earlier row",
                            "a value belongs to one category only", error);
}

/* ---- written down ---- */

static bauta_status put_items(builder *b, const bt_categories_source *source, bauta_error *error)
{
    for (size_t i = 0; i < source->count; i++) {
        const bt_category *item = &source->items[i];
        uint32_t category;
        BT_TRY(find_category(b, item->name, strlen(item->name), &category, error));
        for (size_t v = 0; v < item->count; v++) {
            bool twice;
            BT_TRY(put_value(b, item->values[v], strlen(item->values[v]), category, &twice, error));
            if (!twice) continue;
            bauta_status status =
                bt_fail(error, BAUTA_INVALID, "value %zu of category '%s' is in another one too",
                        v + 1, item->name);
            bt_error_place(error, NULL, -1, b->job->column);
            bt_error_hint(error, "a value belongs to one category only");
            return status;
        }
    }
    return BAUTA_OK;
}

/* ---- matching ---- */

static bauta_status refuse_lack(const builder *b, uint32_t lacking, uint32_t occurring,
                                uint32_t unknown, bauta_error *error)
{
    char more[64] = "";
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the categories of column '%s' lack %u of its %u distinct values",
                                  b->job->column, lacking, occurring);
    if (unknown)
        snprintf(more, sizeof more, "; and %u named values are not in the column", unknown);
    bt_error_hint(error,
                  "every value needs a category, also the missing one, which is the empty text%s",
                  more);
    return status;
}

static bauta_status refuse_unknown(const builder *b, uint32_t unknown, bool file,
                                   bauta_error *error)
{
    bauta_status status =
        unknown == 1 ? bt_fail(error, BAUTA_INVALID,
                               "the categories of column '%s' name a value that it does not have",
                               b->job->column)
                     : bt_fail(error, BAUTA_INVALID,
                               "the categories of column '%s' name %u values that it does not have",
                               b->job->column, unknown);
    bt_error_hint(error, "leave out what is not in the data%s", file ? ", and a header" : "");
    return status;
}

static bauta_status match(const builder *b, const char *file, uint32_t *of_code, bauta_error *error)
{
    const bt_domain *domain = b->job->domain;
    uint32_t found = 0, lacking = 0, occurring = 0;
    for (uint32_t code = 0; code < domain->size; code++) {
        const char *text = domain->text[code];
        const bt_label_entry *entry = bt_label_map_find(&b->map, SCOPE_VALUES, text, strlen(text));
        bool occurs = !b->job->occurs || bt_bitset_has(b->job->occurs, code);
        occurring += occurs;
        lacking += occurs && !entry;
        found += entry != NULL;
        of_code[code] = entry ? entry->value : b->job->may_lack ? UINT32_MAX : 0;
    }
    uint32_t unknown = b->job->may_exceed ? 0 : b->values - found + b->foreign;
    if (b->job->may_lack) lacking = 0;
    if (lacking == 0 && unknown == 0) return BAUTA_OK;
    bauta_status status = lacking ? refuse_lack(b, lacking, occurring, unknown, error)
                                  : refuse_unknown(b, unknown, file != NULL, error);
    bt_error_place(error, file, -1, b->job->column);
    return status;
}

static void builder_release(builder *b)
{
    bt_label_map_release(&b->map);
    free(b->names);
}

/* Matches what was collected, when that went well; `file` may be NULL. */
static bauta_status finish(builder *b, const char *file, bt_categories **out, bauta_error *error)
{
    const bt_categories_job *job = b->job;
    bt_categories *made = *out = bt_arena_array(job->arena, 1, sizeof *made);
    uint32_t *of_code = bt_arena_array(job->arena, job->domain->size, sizeof *of_code);
    const char **names = bt_arena_array(job->arena, b->count, sizeof *names);
    BT_TRY(bt_arena_check(job->arena, error));
    if (b->count) memcpy(names, b->names, b->count * sizeof *names);
    *made = (bt_categories){b->count, of_code, names};
    return match(b, file, of_code, error);
}

bauta_status bt_categories_from_csv(const bt_categories_job *job, const char *file,
                                    const char *bytes, size_t length, bt_categories **out,
                                    bauta_error *error)
{
    BT_OWN(builder_release) builder b = {.job = job};
    bt_csv_rows rows;
    bt_csv_rows_open(&rows, bytes, length, file, job->column);
    BT_TRY(bt_csv_rows_pairs(&rows, "each row is a value and its category: HIV;severe", put_row, &b,
                             error));
    return finish(&b, file, out, error);
}

static bauta_status build_from_file(const bt_categories_job *job, const char *file,
                                    bt_categories **out, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    bool absent;
    BT_TRY(bt_csv_file_read(file, "categories", &text, &absent, error));
    return bt_categories_from_csv(job, file, text.bytes, text.length, out, error);
}

bauta_status bt_categories_build(const bt_categories_job *job, const bt_categories_source *source,
                                 bt_categories **out, bauta_error *error)
{
    if (source->text)
        return bt_categories_from_csv(job, source->file, source->text, source->length, out, error);
    if (source->file) return build_from_file(job, source->file, out, error);
    BT_OWN(builder_release) builder b = {.job = job};
    BT_TRY(put_items(&b, source, error));
    return finish(&b, NULL, out, error);
}

/* ---- for a release ---- */

bauta_status bt_categories_list(const bt_categories *categories, const bt_domain *domain,
                                const uint64_t *shown, bt_arena *arena, bt_category **out,
                                bauta_error *error)
{
    bt_category *items = *out = bt_arena_array(arena, categories->count, sizeof *items);
    const char ***values = bt_arena_array(arena, categories->count, sizeof *values);
    if (!items || !values) return bt_fail_memory(error);
    for (uint32_t code = 0; code < domain->size; code++)
        if (categories->of_code[code] < categories->count)
            items[categories->of_code[code]].count += bt_bitset_has(shown, code);
    for (uint32_t i = 0; i < categories->count; i++) {
        items[i].name = categories->names[i];
        items[i].values = values[i] = bt_arena_array(arena, items[i].count, sizeof **values);
        if (!values[i]) return bt_fail_memory(error);
        items[i].count = 0;
    }
    for (uint32_t code = 0; code < domain->size; code++) {
        uint32_t category = categories->of_code[code];
        if (!bt_bitset_has(shown, code) || category >= categories->count) continue;
        values[category][items[category].count++] = domain->text[code];
    }
    for (uint32_t i = 0; i < categories->count; i++)
        qsort(values[i], items[i].count, sizeof **values, bt_compare_texts);
    return BAUTA_OK;
}
