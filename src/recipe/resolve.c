/* SPDX-License-Identifier: Apache-2.0
 *
 * The recipe meets the columns of an input: every name must exist and every column must have a
 * role, so that nothing is published by accident.
 */
#include "recipe/recipe.h"

#include <stdio.h>
#include <string.h>

static bauta_status no_such_column(const char *wanted, const char *const *names, size_t count,
                                   bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the input has no column '%s'", wanted);
    const char *near = bt_text_nearest(wanted, names, count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta describe FILE' names the columns");
    return status;
}

static bauta_status index_names(const char *const *names, size_t count, bt_names *index,
                                bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        bool added;
        BT_TRY(bt_names_add(index, 0, names[i], (uint32_t)i, &added, error));
    }
    return BAUTA_OK;
}

static bool names_persons(const bauta_recipe *recipe, const char *column)
{
    for (size_t i = 0; i < recipe->subject.count; i++)
        if (strcmp(recipe->subject.items[i], column) == 0) return true;
    return false;
}

static bauta_status match(const bauta_recipe *recipe, const char *const *names, size_t count,
                          const bt_names *index, bt_column_recipe *out, bauta_error *error)
{
    uint32_t at;
    for (size_t i = 0; i < count; i++)
        out[i] = (bt_column_recipe){.name = names[i], .role = recipe->rest};
    for (size_t i = 0; i < recipe->column_count; i++) {
        const bt_column_recipe *column = &recipe->columns[i];
        if (!bt_names_find(index, 0, column->name, &at))
            return no_such_column(column->name, names, count, error);
        out[at] = *column;
        out[at].name = names[at];
        if (column->role == BT_ROLE_NONE)
            out[at].role = names_persons(recipe, column->name) ? BT_ROLE_IDENTIFIER : recipe->rest;
    }
    for (size_t i = 0; i < recipe->accept.count; i++)
        if (!bt_names_find(index, 0, recipe->accept.items[i], &at))
            return no_such_column(recipe->accept.items[i], names, count, error);
    return BAUTA_OK;
}

bauta_status bt_recipe_match(const bauta_recipe *recipe, const char *const *names, size_t count,
                             bt_arena *arena, bt_column_recipe **out, bauta_error *error)
{
    BT_OWN(bt_names_release) bt_names index = {0};
    *out = bt_arena_array(arena, count, sizeof **out);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(index_names(names, count, &index, error));
    return match(recipe, names, count, &index, *out, error);
}

enum { MOST_NAMED = 6 }; /* columns that the error lists */

static bauta_status without_role(const bt_column_recipe *columns, size_t count, bauta_error *error)
{
    char list[384] = "";
    size_t used = 0, missing = 0, named = 0;
    for (size_t i = 0; i < count; i++) {
        if (columns[i].role != BT_ROLE_NONE) continue;
        missing++;
        size_t need = strlen(columns[i].name) + 4;
        if (named != missing - 1 || named == MOST_NAMED || used + need >= sizeof list) continue;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s'%s'", named ? ", " : "",
                                 columns[i].name);
        named++;
    }
    bauta_status status = missing == 1
                              ? bt_fail(error, BAUTA_INVALID, "a column has no role: %s", list)
                              : bt_fail(error, BAUTA_INVALID, "%zu columns have no role: %s%s",
                                        missing, list, named < missing ? ", ..." : "");
    bt_error_hint(error,
                  "name %s with --quasi, --sensitive, --identifier, --other or --drop; "
                  "'--drop rest' or '--other rest' names all that are left",
                  missing == 1 ? "it" : "them");
    return status;
}

bauta_status bt_recipe_resolve(const bauta_recipe *recipe, const char *const *names, size_t count,
                               bt_arena *arena, bt_column_recipe **out, bauta_error *error)
{
    BT_TRY(bt_recipe_match(recipe, names, count, arena, out, error));
    for (size_t i = 0; i < count; i++)
        if ((*out)[i].role == BT_ROLE_NONE) return without_role(*out, count, error);
    return BAUTA_OK;
}
