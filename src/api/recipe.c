/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_recipe_…: making, filling and freeing a recipe.
 */
#include "recipe/recipe.h"

#include "group/method.h"
#include "publish/form.h"
#include "recipe/yaml.h"
#include "require/requirement.h"
#include "store/given.h"

#include <string.h>

bauta_status bauta_recipe_new(bauta_recipe **out, bauta_error *error)
{
    *out = bt_array_zero(1, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    (*out)->suppress = (bt_rational){0, 1};
    (*out)->unique_limit = (bt_rational){1, 20};
    (*out)->risk_threshold = (bt_rational){1, 5};
    return BAUTA_OK;
}

bauta_status bauta_recipe_set(bauta_recipe *recipe, const char *key, const char *value,
                              bauta_error *error)
{
    if (!recipe || !key || !value)
        return bt_fail(error, BAUTA_USAGE, "a recipe, a key and a value are needed");
    const bt_recipe_key *entry = bt_recipe_find_key(key);
    if (!entry) return bt_recipe_unknown_key(key, error);
    size_t length = strlen(value);
    bool path = entry->kind == BT_KEY_FILE || entry->kind == BT_KEY_FILES; /* any bytes */
    if (!path && bt_utf8_valid_prefix(value, length) != length)
        return bt_fail(error, BAUTA_USAGE, "the value of '%s' is not UTF-8", key);
    BT_TRY(entry->set(recipe, entry, value, error));
    recipe->given |= UINT64_C(1) << (entry - bt_recipe_keys);
    return BAUTA_OK;
}

bauta_status bauta_recipe_add_stream(bauta_recipe *recipe, const char *name,
                                     struct ArrowArrayStream *stream, bauta_error *error)
{
    if (!recipe || !name || !stream)
        return bt_fail(error, BAUTA_USAGE, "a recipe, a name and a stream are needed");
    if (!recipe->streams) recipe->streams = bt_array_zero(1, sizeof *recipe->streams);
    if (recipe->streams) return bt_streams_add(recipe->streams, name, stream, error);
    if (stream->release) stream->release(stream);
    stream->release = NULL;
    return bt_fail_memory(error);
}

bauta_status bauta_recipe_add_store(bauta_recipe *recipe, const char *name, bauta_store *store,
                                    bauta_error *error)
{
    if (!recipe || !name || !store)
        return bt_fail(error, BAUTA_USAGE, "a recipe, a name and a store are needed");
    if (!recipe->stores) recipe->stores = bt_array_zero(1, sizeof *recipe->stores);
    return recipe->stores ? bt_stores_add(recipe->stores, name, store, error)
                          : bt_fail_memory(error);
}

/* ---- what a file says of requirements, method and form is checked while its place is known ----
 */

static bauta_status check_require(const char *text, bt_arena *arena, bauta_error *error)
{
    bt_requirements parsed;
    return bt_requirements_ask(text, arena, &parsed, error);
}

static bauta_status check_group(const char *text, bt_arena *arena, bauta_error *error)
{
    const bt_method *method;
    bt_value *options;
    const char *canonical;
    return bt_method_parse(text, arena, &method, &options, &canonical, error);
}

static bauta_status check_publish(const char *text, bt_arena *arena, bauta_error *error)
{
    const bt_form *form;
    bt_value *options;
    const char *canonical;
    return bt_form_parse(text, arena, &form, &options, &canonical, error);
}

static bauta_status check_loaded(const bauta_recipe *recipe, const char *file, bauta_error *error)
{
    const struct {
        const char *key, *text;
        bauta_status (*check)(const char *text, bt_arena *arena, bauta_error *error);
    } settings[] = {{"require", recipe->require, check_require},
                    {"group", recipe->group, check_group},
                    {"publish", recipe->publish, check_publish}};
    bt_arena arena = {0};
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings && status == BAUTA_OK; i++) {
        size_t key = (size_t)(bt_recipe_find_key(settings[i].key) - bt_recipe_keys);
        int line = recipe->places[key].line;
        if (line == 0 || !settings[i].text) continue;
        status = settings[i].check(settings[i].text, &arena, error);
        if (status != BAUTA_INVALID) continue;
        bt_yaml_place(error, line, recipe->places[key].column);
        bt_error_place(error, file, -1, NULL);
    }
    bt_arena_release(&arena);
    return status;
}

bauta_status bauta_recipe_load(bauta_recipe *recipe, const char *file, bauta_error *error)
{
    if (!recipe || !file) return bt_fail(error, BAUTA_USAGE, "a recipe and a file are needed");
    BT_TRY(bt_recipe_load(recipe, file, error));
    return check_loaded(recipe, file, error);
}

bauta_status bauta_recipe_load_text(bauta_recipe *recipe, const char *text, size_t length,
                                    const char *name, bauta_error *error)
{
    if (!recipe || !text) return bt_fail(error, BAUTA_USAGE, "a recipe and its text are needed");
    if (!name) name = "recipe";
    BT_TRY(bt_recipe_load_text(recipe, name, text, length, error));
    return check_loaded(recipe, name, error);
}

/* A copy, which the scanner of CSV may read beyond. */
static const char *copy_text(bauta_recipe *recipe, const char *text, size_t length)
{
    size_t room;
    char *copy =
        bt_size_add(length, BT_CSV_PADDING, &room) ? bt_arena_array(&recipe->arena, room, 1) : NULL;
    if (copy && length > 0) memcpy(copy, text, length);
    return copy;
}

bauta_status bauta_recipe_set_text(bauta_recipe *recipe, const char *key, const char *column,
                                   const char *text, size_t length, bauta_error *error)
{
    if (!recipe || !key || !column || !text)
        return bt_fail(error, BAUTA_USAGE, "a recipe, a key, a column and a text are needed");
    const bt_recipe_key *entry = bt_recipe_find_key(key);
    if (!entry) return bt_recipe_unknown_key(key, error);
    if (bt_utf8_valid_prefix(column, strlen(column)) != strlen(column))
        return bt_fail(error, BAUTA_USAGE, "the name of a column is not UTF-8");
    const char *copy = copy_text(recipe, text, length);
    const char *name = bt_arena_print(&recipe->arena, "%s of %s", entry->key.name, column);
    if (!copy || !name) return bt_fail_memory(error);
    if (entry->set_text) return entry->set_text(recipe, column, name, copy, length, error);
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' names no file of a column", key);
    bt_error_hint(error, "what can be given as text are hierarchies and categories");
    return status;
}

/* Every list of a recipe, of which each copy has its own, and its key. */
static const struct {
    const char *key;
    size_t at;
} lists[] = {
    {"input", offsetof(bauta_recipe, inputs)},
    {"public", offsetof(bauta_recipe, publics)},
    {"missing-values", offsetof(bauta_recipe, missing_values)},
    {"accept", offsetof(bauta_recipe, accept)},
    {"previous", offsetof(bauta_recipe, previous)},
    {"subject", offsetof(bauta_recipe, subject)},
};
enum { LISTS = sizeof lists / sizeof *lists };

static bt_list *list_of(bauta_recipe *recipe, size_t number)
{
    return (bt_list *)(void *)((char *)recipe + lists[number].at);
}

bauta_status bt_recipe_replace(bauta_recipe *recipe, const char *key, const char *value,
                               bauta_error *error)
{
    for (size_t i = 0; i < LISTS; i++)
        if (strcmp(lists[i].key, key) == 0) list_of(recipe, i)->count = 0;
    bt_role role = bt_recipe_find_key(key)->role;
    for (size_t i = 0; i < recipe->column_count; i++) /* what is not named any more is dropped */
        if (role != BT_ROLE_NONE && recipe->columns[i].role == role)
            recipe->columns[i].role = BT_ROLE_DROPPED;
    if (strcmp(key, "require") == 0) recipe->require = NULL;
    if (strcmp(key, "subject") == 0) recipe->subject_none = false;
    recipe->replacing = true;
    bauta_status status = bauta_recipe_set(recipe, key, value, error);
    recipe->replacing = false;
    return status;
}

static bauta_status copy_columns(const bauta_recipe *recipe, bauta_recipe *to, bauta_error *error)
{
    bool added;
    BT_TRY(bt_array_grow(&to->columns, &to->column_capacity, recipe->column_count + 1,
                         sizeof *to->columns, error));
    for (size_t i = 0; i < recipe->column_count; i++) {
        to->columns[to->column_count++] = recipe->columns[i];
        BT_TRY(bt_names_add(&to->column_names, 0, recipe->columns[i].name, (uint32_t)i, &added,
                            error));
    }
    return BAUTA_OK;
}

bauta_status bt_recipe_copy(const bauta_recipe *recipe, bauta_recipe **out, bauta_error *error)
{
    bauta_recipe *to = *out = bt_array_zero(1, sizeof *to);
    if (!to) return bt_fail_memory(error);
    *to = *recipe;
    to->streams_borrowed = true;
    to->arena = (bt_arena){0};
    to->columns = NULL;
    to->column_names = (bt_names){0};
    to->column_count = to->column_capacity = 0;
    for (size_t i = 0; i < LISTS; i++)
        *list_of(to, i) = (bt_list){0};
    bauta_status status = copy_columns(recipe, to, error);
    for (size_t i = 0; i < LISTS && status == BAUTA_OK; i++) {
        const bt_list *from = list_of((bauta_recipe *)recipe, i);
        for (size_t n = 0; n < from->count && status == BAUTA_OK; n++)
            status = bt_list_add(to, list_of(to, i), from->items[n], error);
    }
    if (status == BAUTA_OK) return BAUTA_OK;
    bauta_recipe_free(to);
    *out = NULL;
    return status;
}

void bauta_recipe_free(bauta_recipe *recipe)
{
    if (!recipe) return;
    if (recipe->streams && !recipe->streams_borrowed) {
        bt_streams_free(recipe->streams);
        free(recipe->streams);
    }
    if (recipe->stores && !recipe->streams_borrowed) {
        bt_stores_free(recipe->stores);
        free(recipe->stores);
    }
    for (size_t i = 0; i < LISTS; i++)
        free(list_of(recipe, i)->items);
    free(recipe->columns);
    bt_names_release(&recipe->column_names);
    bt_arena_release(&recipe->arena);
    free(recipe);
}

void bauta_recipe_on_progress(bauta_recipe *recipe, bauta_progress callback, void *user)
{
    recipe->progress = callback;
    recipe->progress_user = user;
}

void bauta_recipe_on_notice(bauta_recipe *recipe, bauta_notice callback, void *user)
{
    if (!recipe) return;
    recipe->notice = callback;
    recipe->notice_user = user;
}

const bauta_key *bauta_recipe_key(size_t index)
{
    return index < bt_recipe_key_count ? &bt_recipe_keys[index].key : NULL;
}
