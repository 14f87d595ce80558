/* SPDX-License-Identifier: Apache-2.0
 *
 * Levels and cut points of a recipe: whether they can do what whoever declares them counts on.
 */
#include "job/fixed.h"

#include <string.h>

const char *bt_group_wanted(const bauta_recipe *recipe)
{
    if (recipe->plan) return "plan";
    for (size_t i = 0; i < recipe->column_count && !recipe->group; i++)
        if (recipe->columns[i].steers[BT_STEER_LEVEL].bottom != 0) return "levels";
    return recipe->group;
}

static bauta_status refuse(const char *column, const char *what, const char *hint,
                           bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, NULL, -1, column);
    bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status check_level(const bt_method *method, const bt_column *column, bool given,
                                bauta_error *error)
{
    if (method->planned) return BAUTA_OK; /* binding it compares levels */
    if (given && !method->fixed)
        return refuse(column->name, "'levels' leave a grouping method nothing to choose",
                      "leave out --group, or say --group levels", error);
    if (!method->fixed) return BAUTA_OK;
    if (!given)
        return refuse(column->name, "method 'levels' needs a level of every quasi column",
                      "give it with --levels; a column without a hierarchy needs one first", error);
    if (strncmp(column->hierarchy->spec, "balanced", 8) == 0)
        return refuse(column->name,
                      "a balanced hierarchy is made from the data, so its levels fix "
                      "nothing",
                      "give a tree or intervals", error);
    return BAUTA_OK;
}

bauta_status bt_check_fixed(const bt_method *method, const bt_form *form, const bt_loaded *loaded,
                            bauta_error *error)
{
    for (size_t c = 0; c < loaded->table.count; c++) {
        const bt_column *column = &loaded->table.columns[c];
        if (column->role != BT_ROLE_QUASI) continue;
        bool given = loaded->plan[column->source].steers[BT_STEER_LEVEL].bottom != 0;
        BT_TRY(check_level(method, column, given, error));
        if (column->cuts && loaded->join)
            return refuse(column->name, "cut points do not go with a public table",
                          "give the column a hierarchy instead", error);
        if (column->cuts && form->shows_values)
            return refuse(column->name,
                          "cut points are declared, but values are published as they "
                          "are",
                          "say --publish generalized:box=grid", error);
    }
    return BAUTA_OK;
}
