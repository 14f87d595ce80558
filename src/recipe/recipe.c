/* SPDX-License-Identifier: Apache-2.0
 *
 * Building a recipe: columns with role, type, hierarchy, categories and what steers their loss, and
 * lists.
 *
 * Flags and the recipe file end up here alike. Within one source a contradiction is an error;
 * between the two the flag stands, column by column.
 */
#include "recipe/recipe.h"

#include <string.h>

bauta_status bt_list_add(bauta_recipe *recipe, bt_list *list, const char *item, bauta_error *error)
{
    BT_TRY(
        bt_array_grow(&list->items, &list->capacity, list->count + 1, sizeof *list->items, error));
    const char *copy = bt_arena_copy(&recipe->arena, item, strlen(item));
    if (!copy) return bt_fail_memory(error);
    list->items[list->count++] = copy;
    return BAUTA_OK;
}

bauta_status bt_recipe_column(bauta_recipe *recipe, const char *name, bt_column_recipe **out,
                              bauta_error *error)
{
    uint32_t at;
    if (bt_names_find(&recipe->column_names, 0, name, &at)) {
        *out = &recipe->columns[at];
        return BAUTA_OK;
    }
    if (recipe->column_count >= UINT32_MAX)
        return bt_fail(error, BAUTA_INVALID, "the recipe names too many columns");
    BT_TRY(bt_array_grow(&recipe->columns, &recipe->column_capacity, recipe->column_count + 1,
                         sizeof *recipe->columns, error));
    const char *copy = bt_arena_copy(&recipe->arena, name, strlen(name));
    if (!copy) return bt_fail_memory(error);
    bool added;
    BT_TRY(bt_names_add(&recipe->column_names, 0, copy, (uint32_t)recipe->column_count, &added,
                        error));
    *out = &recipe->columns[recipe->column_count++];
    **out = (bt_column_recipe){.name = copy};
    return BAUTA_OK;
}

static bauta_status said_twice(const char *column, const char *what, bauta_error *error)
{
    return bt_fail(error, BAUTA_USAGE, "column '%s' is given two %s", column, what);
}

bauta_status bt_recipe_set_role(bauta_recipe *recipe, const char *column, bt_role role,
                                bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->role_given) return BAUTA_OK;
    if (entry->role != BT_ROLE_NONE && entry->role != role && !recipe->replacing) {
        bauta_status status = said_twice(column, "roles", error);
        bt_error_hint(error, "it is both %s and %s", bt_role_name(entry->role), bt_role_name(role));
        return status;
    }
    entry->role = role;
    entry->role_given = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_rest(bauta_recipe *recipe, bt_role role, bauta_error *error)
{
    if (recipe->loading && recipe->rest_given) return BAUTA_OK;
    if (recipe->rest != BT_ROLE_NONE && recipe->rest != role && !recipe->replacing) {
        bauta_status status =
            bt_fail(error, BAUTA_USAGE, "the columns that are left are given two roles");
        bt_error_hint(error, "they are both %s and %s", bt_role_name(recipe->rest),
                      bt_role_name(role));
        return status;
    }
    recipe->rest = role;
    recipe->rest_given = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_type(bauta_recipe *recipe, const char *column, const char *type,
                                bauta_error *error)
{
    static const char *const names[] = {"text", "integer", "decimal", "date"};
    bt_type parsed;
    if (!bt_type_parse(type, &parsed)) {
        bauta_status status = bt_fail(error, BAUTA_USAGE, "there is no type '%s'", type);
        bt_error_place(error, NULL, -1, column);
        const char *near = bt_text_nearest(type, names, sizeof names / sizeof *names);
        if (near)
            bt_error_hint(error, "did you mean '%s'?", near);
        else
            bt_error_hint(error, "types are text, integer, decimal and date");
        return status;
    }
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->type_given) return BAUTA_OK;
    if (entry->has_type && entry->type != parsed && !recipe->replacing)
        return said_twice(column, "types", error);
    entry->has_type = true;
    entry->type = parsed;
    entry->type_given = !recipe->loading;
    return BAUTA_OK;
}

bool bt_plans_tree(const bt_column_recipe *column)
{
    return column->has_hierarchy && !bt_hierarchy_is_none(&column->hierarchy);
}

bauta_status bt_recipe_set_hierarchy(bauta_recipe *recipe, const char *column,
                                     const bt_hierarchy_source *source, bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->hierarchy_given) return BAUTA_OK;
    if (entry->has_hierarchy && !recipe->replacing) return said_twice(column, "hierarchies", error);
    entry->has_hierarchy = true;
    entry->hierarchy = *source;
    entry->hierarchy_given = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_public(bauta_recipe *recipe, const char *column, bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    entry->is_public = true;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_categories(bauta_recipe *recipe, const char *column,
                                      const bt_categories_source *source, bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->categories_given) return BAUTA_OK;
    if (entry->has_categories && !recipe->replacing)
        return said_twice(column, "lists of categories", error);
    entry->has_categories = true;
    entry->categories = *source;
    entry->categories_given = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_steer(bauta_recipe *recipe, const char *column, bt_steer which,
                                 bt_rational value, bauta_error *error)
{
    static const char *const what[BT_STEERS] = {"weights", "least levels", "greatest levels",
                                                "levels"};
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->steers_given[which]) return BAUTA_OK;
    bool said = entry->steers[which].bottom != 0 && !recipe->replacing;
    if (said && bt_rational_compare(entry->steers[which], value) != 0)
        return said_twice(column, what[which], error);
    entry->steers[which] = value;
    entry->steers_given[which] = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_set_cut_points(bauta_recipe *recipe, const char *column, const char *text,
                                      bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->cut_points_given) return BAUTA_OK;
    if (entry->cut_points && strcmp(entry->cut_points, text) != 0 && !recipe->replacing)
        return said_twice(column, "lists of cut points", error);
    entry->cut_points = text;
    entry->cut_points_given = !recipe->loading;
    return BAUTA_OK;
}

static bauta_status add_missing_of(bauta_recipe *recipe, const char *column, const char *text,
                                   bauta_error *error)
{
    bt_column_recipe *entry;
    BT_TRY(bt_recipe_column(recipe, column, &entry, error));
    if (recipe->loading && entry->missing_given) return BAUTA_OK;
    const char **all =
        bt_arena_array(&recipe->arena, entry->missing_count + 1, sizeof *entry->missing);
    const char *copy = bt_arena_copy(&recipe->arena, text, strlen(text));
    if (!all || !copy) return bt_fail_memory(error);
    for (size_t i = 0; i < entry->missing_count; i++)
        all[i] = entry->missing[i];
    all[entry->missing_count++] = copy;
    entry->missing = all;
    entry->missing_given = !recipe->loading;
    return BAUTA_OK;
}

bauta_status bt_recipe_add_missing(bauta_recipe *recipe, const char *column, const char *text,
                                   bauta_error *error)
{
    if (column) return add_missing_of(recipe, column, text, error);
    if (recipe->loading && recipe->missing_values_given) return BAUTA_OK;
    recipe->missing_values_given = !recipe->loading;
    return bt_list_add(recipe, &recipe->missing_values, text, error);
}

bauta_status bt_recipe_copy_missing(const bauta_recipe *from, bool any_column, bauta_recipe *to,
                                    bauta_error *error)
{
    uint32_t at;
    for (size_t i = 0; i < from->missing_values.count; i++)
        BT_TRY(bt_recipe_add_missing(to, NULL, from->missing_values.items[i], error));
    for (size_t i = 0; i < from->column_count; i++) {
        const bt_column_recipe *column = &from->columns[i];
        if (!any_column && !bt_names_find(&to->column_names, 0, column->name, &at)) continue;
        for (size_t m = 0; m < column->missing_count; m++)
            BT_TRY(bt_recipe_add_missing(to, column->name, column->missing[m], error));
    }
    return BAUTA_OK;
}

const char *bt_encoding_name(bt_encoding encoding)
{
    return encoding == BT_LATIN1        ? "latin-1"
           : encoding == BT_WINDOWS1252 ? "windows-1252"
                                        : "utf-8";
}
