/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing whole hierarchies for the owner, and finding them again.
 */
#include "job/whole.h"

#include "base/facts.h"
#include "base/hash.h"

#include <stdio.h>
#include <string.h>

const char bt_whole_folder[] = "../private/hierarchies";

enum { LONGEST_NAME = 200 };
static const char tree_end[] = ".csv", categories_end[] = "~categories.csv";

/* The file of a column: its name, with bytes that a name of a file may not have as %XX; of a long
 * one the beginning and a hash. NULL: out of memory. */
static const char *file_name(const char *column, const char *end, bt_arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = 0;
    char *name = bt_arena_alloc(arena, 3 * strlen(column) + 1);
    if (!name) return NULL;
    for (const char *at = column; *at; at++) {
        bool kept =
            ((unsigned char)*at >= 0x80 || strchr(plain, *at)) && (*at != '.' || length > 0);
        if (kept)
            name[length++] = *at;
        else
            length += (size_t)snprintf(name + length, 4, "%%%02X", (unsigned char)*at);
    }
    name[length] = '\0';
    if (length <= LONGEST_NAME) return bt_arena_print(arena, "%s%s", name, end);
    return bt_arena_print(arena, "%.*s~%016llx%s", LONGEST_NAME, name,
                          (unsigned long long)bt_hash_fixed(column, strlen(column)), end);
}

/* Always quoted, so that the separator is never in doubt. */
static bauta_status put_quoted(bt_buffer *out, const char *text, bauta_error *error)
{
    BT_TRY(bt_buffer_add(out, "\"", 1, error));
    for (; *text; text++) {
        if (*text == '"') BT_TRY(bt_buffer_add(out, "\"", 1, error));
        BT_TRY(bt_buffer_add(out, text, 1, error));
    }
    return bt_buffer_add(out, "\"", 1, error);
}

/* As a categories file has them: a value and its category in each row. */
static bauta_status spell_categories(const bt_column *column, bt_buffer *out, bauta_error *error)
{
    const bt_categories *categories = column->categories;
    for (uint32_t c = 0; c < categories->count; c++)
        for (uint32_t code = 0; code < column->domain.size; code++) {
            const char *text = column->domain.text[code], *name = categories->names[c];
            if (categories->of_code[code] != c) continue;
            BT_TRY(put_quoted(out, text, error));
            BT_TRY(bt_buffer_add(out, ";", 1, error));
            BT_TRY(put_quoted(out, name, error));
            BT_TRY(bt_buffer_add(out, "\n", 1, error));
        }
    return BAUTA_OK;
}

static bauta_status keep_column(const bt_column *column, bt_store *store, bool categories,
                                bt_arena *arena, bauta_error *error)
{
    bt_buffer text = {0};
    const char *name = file_name(column->name, categories ? categories_end : tree_end, arena);
    if (!name) return bt_fail_memory(error);
    bauta_status status = categories ? spell_categories(column, &text, error)
                                     : bt_hierarchy_write(column->hierarchy, true, &text, error);
    if (status == BAUTA_OK)
        status = bt_store_write(store, BT_SHELF_TREES, name, text.bytes, text.length, error);
    bt_buffer_release(&text);
    return status;
}

bauta_status bt_whole_keep(const bt_table *table, bt_store *store, bauta_error *error)
{
    bt_arena arena = {0};
    bauta_status status = BAUTA_OK;
    for (size_t c = 0; c < table->count && status == BAUTA_OK; c++) {
        const bt_column *column = &table->columns[c];
        if (column->hierarchy) status = keep_column(column, store, false, &arena, error);
        if (status == BAUTA_OK && column->categories)
            status = keep_column(column, store, true, &arena, error);
    }
    bt_arena_release(&arena);
    return status;
}

bool bt_whole_follows(const bt_manifest *manifest, const bt_manifest_column *column)
{
    return manifest->format == 0 ||
           (bt_hierarchy_is_derived(column->partial) && !bt_spec_shows_values(column->partial));
}

static const bt_hierarchy_source *source_of(const bauta_recipe *recipe, const char *column)
{
    for (size_t i = 0; i < recipe->column_count; i++) {
        const bt_column_recipe *entry = &recipe->columns[i];
        if (bt_plans_tree(entry) && strcmp(entry->name, column) == 0) return &entry->hierarchy;
    }
    return NULL;
}

bool bt_recipe_has_tree(const bauta_recipe *recipe, const char *column)
{
    return source_of(recipe, column) != NULL;
}

const bt_hierarchy_source *bt_whole_given(const bauta_recipe *recipe, const char *column)
{
    const bt_hierarchy_source *source = source_of(recipe, column);
    return source && (source->paths || !bt_hierarchy_is_derived(source->spec)) ? source : NULL;
}

static bauta_status find_file(bt_release *release, const char *column, const char *end,
                              bt_whole_file *out, bauta_error *error)
{
    bt_buffer text = {0};
    bool found = false;
    *out = (bt_whole_file){0};
    const char *name = file_name(column, end, &release->arena);
    if (!name) return bt_fail_memory(error);
    bauta_status status = bt_store_text(release->store, BT_SHELF_TREES, name,
                                        SIZE_MAX - BT_CSV_PADDING, &text, &found, error);
    if (status == BAUTA_OK && found) {
        char *copy = bt_arena_alloc(&release->arena, text.length + BT_CSV_PADDING);
        out->name = bt_store_path(release->store, BT_SHELF_TREES, name, &release->arena);
        if (copy) {
            memcpy(copy, text.bytes, text.length);
            memset(copy + text.length, 0, BT_CSV_PADDING);
        }
        out->text = copy;
        out->length = text.length;
        if (!copy || !out->name) status = bt_fail_memory(error);
    }
    bt_buffer_release(&text);
    return status;
}

bauta_status bt_whole_tree(bt_release *release, const char *column, bt_whole_file *out,
                           bauta_error *error)
{
    return find_file(release, column, tree_end, out, error);
}

bauta_status bt_whole_categories(bt_release *release, const char *column, bt_whole_file *out,
                                 bauta_error *error)
{
    return find_file(release, column, categories_end, out, error);
}

static bauta_status take_tree(bt_release *release, size_t column, bauta_error *error)
{
    const bt_manifest_column *manifest = release->columns[column].manifest;
    bt_whole_file file;
    bt_hierarchy *tree;
    BT_TRY(find_file(release, manifest->name, tree_end, &file, error));
    if (!file.text) return BAUTA_OK;
    BT_TRY(bt_hierarchy_read(file.name, file.text, file.length, manifest->partial, manifest->name,
                             &release->arena, &tree, error));
    bauta_status status = bt_release_complete(release, column, tree, error);
    if (status == BAUTA_INVALID) bt_error_place(error, file.name, -1, manifest->name);
    return status;
}

bauta_status bt_whole_find(bt_release *release, bool all, bauta_error *error)
{
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (!bt_release_lacks_tree(column) || release->manifest.format == 0) continue;
        if (all || !bt_whole_follows(&release->manifest, column->manifest))
            BT_TRY(take_tree(release, i, error));
    }
    return BAUTA_OK;
}

/* The owner's summary; NULL: there is none that can be read. */
static bauta_status load_summary(bt_release *release, json_t **out, bauta_error *error)
{
    enum { MOST = 1 << 30 };
    bt_buffer text = {0};
    bool found = false;
    *out = NULL;
    bauta_status status =
        bt_store_text(release->store, BT_SHELF_PRIVATE, "summary.json", MOST, &text, &found, error);
    if (status == BAUTA_OK && found) {
        json_error_t problem;
        *out = json_loadb(text.bytes, text.length, 0, &problem);
        if (!*out && json_error_code(&problem) == json_error_out_of_memory)
            status = bt_fail_memory(error);
    }
    bt_buffer_release(&text);
    return status;
}

bauta_status bt_whole_key(bt_release *release, bt_seed *out, bool *found, bauta_error *error)
{
    json_t *summary;
    *found = false;
    BT_TRY(load_summary(release, &summary, error));
    const char *key = json_string_value(json_object_get(summary, "stream_key"));
    *found = key && strlen(key) == 2 * BT_SEED_BYTES && bt_seed_parse(key, out);
    json_decref(summary);
    return BAUTA_OK;
}

bauta_status bt_whole_drops_missing(bt_release *release, bool *out, bauta_error *error)
{
    json_t *summary;
    BT_TRY(load_summary(release, &summary, error));
    *out = json_integer_value(json_object_get(summary, "missing_dropped")) > 0;
    json_decref(summary);
    return BAUTA_OK;
}

bool bt_whole_absent(const bt_release_column *column, const bt_table *table)
{
    if (!bt_release_lacks_tree(column)) return false;
    const bt_column *original = bt_table_find(table, column->manifest->name);
    return !original || !original->hierarchy;
}

bauta_status bt_whole_lacking(const bt_release *release, const char *column, const char *what,
                              bauta_error *error)
{
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "%s needs the whole hierarchy, of which the release has only the nodes that occur "
                "in cells",
                what);
    bt_error_place(error, release->manifest.folder, -1, column);
    bt_error_hint(error, "it was looked for in %s/%s; or name the recipe that has it (-r RECIPE)",
                  release->manifest.folder, bt_whole_folder);
    return status;
}
