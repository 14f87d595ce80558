/* SPDX-License-Identifier: Apache-2.0
 *
 * From a manifest and the name of the original to its records.
 */
#include "api/original.h"

#include "api/misfit.h"

#include <string.h>

/* A manifest comes from anywhere: it must not make a reader open files. */
static bool is_scheme(const char *spec)
{
    static const char *const schemes[] = {"intervals:", "mask", "balanced:", "date", "flat"};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t length = strlen(schemes[i]);
        bool argument = schemes[i][length - 1] == ':';
        if (argument ? strncmp(spec, schemes[i], length) == 0 : strcmp(spec, schemes[i]) == 0)
            return true;
    }
    return false;
}

static bauta_status plan_column(bauta_recipe *plan, const bt_manifest_column *column,
                                bt_original_need need, bauta_error *error)
{
    bool hierarchy = column->hierarchy || column->derived;
    if (bt_is_companion(column)) return BAUTA_OK;
    if (need == BT_NEED_DOMAINS && (column->role != BT_ROLE_QUASI || hierarchy)) return BAUTA_OK;
    if ((need == BT_NEED_QUASI || need == BT_NEED_JOINED) && column->role != BT_ROLE_QUASI)
        return BAUTA_OK;
    BT_TRY(bt_recipe_set_role(plan, column->name, column->role, error));
    BT_TRY(bt_recipe_set_type(plan, column->name, bt_type_name(column->type), error));
    if (need == BT_NEED_VALUES || !column->derived || column->role != BT_ROLE_QUASI)
        return BAUTA_OK;
    if (!is_scheme(column->derived))
        return bt_fail(error, BAUTA_INVALID,
                       "the manifest derives column '%s' by a scheme that "
                       "this version does not know",
                       column->name);
    const bt_hierarchy_source source = {.spec = column->derived};
    return bt_recipe_set_hierarchy(plan, column->name, &source, error);
}

static bauta_status copy_list(bauta_recipe *plan, bt_list *to, const bt_list *from,
                              bauta_error *error)
{
    for (size_t i = 0; i < from->count; i++)
        BT_TRY(bt_list_add(plan, to, from->items[i], error));
    return BAUTA_OK;
}

/* The public tables that a release was joined with. */
static bauta_status plan_public(const bauta_recipe *recipe, bauta_recipe *plan, bauta_error *error)
{
    plan->key_none = recipe->key_none;
    plan->any_public_value = true; /* the release's own hierarchies have them */
    plan->exclude_public = recipe->exclude_public;
    BT_TRY(copy_list(plan, &plan->publics, &recipe->publics, error));
    return recipe->key ? bauta_recipe_set(plan, "key", recipe->key, error) : BAUTA_OK;
}

static bauta_status make_plan(const bauta_recipe *recipe, const bt_manifest *manifest,
                              bt_original_need need, bauta_recipe *plan, bauta_error *error)
{
    plan->has_encoding = recipe->has_encoding;
    plan->encoding = recipe->encoding;
    plan->decimal_comma = recipe->decimal_comma;
    plan->delimiter = recipe->delimiter;
    plan->has_header = recipe->has_header;
    plan->no_header = recipe->no_header;
    BT_TRY(copy_list(plan, &plan->inputs, &recipe->inputs, error));
    BT_TRY(bt_recipe_set_rest(plan, BT_ROLE_DROPPED, error));
    for (size_t i = 0; i < manifest->column_count; i++)
        BT_TRY(plan_column(plan, &manifest->columns[i], need, error));
    if ((manifest->join && need == BT_NEED_ALL) || need == BT_NEED_JOINED)
        BT_TRY(plan_public(recipe, plan, error));
    bool all = need == BT_NEED_ALL || need == BT_NEED_RECORDS || need == BT_NEED_EARLIER;
    plan->nobody_is_one = true;
    plan->subject_none =
        recipe->subject.count == 0 || !all || (need == BT_NEED_EARLIER && !manifest->persons);
    for (size_t i = 0; i < recipe->subject.count && !plan->subject_none; i++) {
        bt_column_recipe *column;
        BT_TRY(bt_recipe_column(plan, recipe->subject.items[i], &column, error));
        BT_TRY(bt_list_add(plan, &plan->subject, recipe->subject.items[i], error));
    }
    return BAUTA_OK;
}

bauta_status bt_original_load(const bauta_recipe *recipe, const bt_manifest *manifest,
                              bt_original_need need, const bt_run *run, bt_original *out,
                              bauta_error *error)
{
    *out = (bt_original){0};
    BT_TRY(bauta_recipe_new(&out->plan, error));
    BT_TRY(make_plan(recipe, manifest, need, out->plan, error));
    BT_TRY(bt_recipe_copy_missing(recipe, false, out->plan, error));
    bauta_status status = bt_load(out->plan, run, false, &out->loaded, error);
    if (status != BAUTA_INVALID) return status;
    return bt_explain_misfit(manifest, need, out, error);
}

void bt_original_release(bt_original *original)
{
    bt_loaded_release(&original->loaded);
    bauta_recipe_free(original->plan);
    *original = (bt_original){0};
}

bauta_status bt_original_fits(const bt_manifest *manifest, const char *folder, bauta_error *error)
{
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        if (column->role != BT_ROLE_QUASI || !column->derived ||
            strncmp(column->derived, "balanced", 8) != 0)
            continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "other records cannot be compared with the release: its "
                                      "hierarchy was made from its data");
        bt_error_place(error, folder, -1, column->name);
        return status;
    }
    return BAUTA_OK;
}
