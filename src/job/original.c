/* SPDX-License-Identifier: Apache-2.0
 *
 * From a manifest and the name of the original to its records.
 */
#include "job/original.h"

#include "job/misfit.h"
#include "job/whole.h"
#include "spec/words.h"

#include <string.h>

/* Whether what is compared with cells needs the trees of columns. */
static bool needs_trees(bt_original_need need)
{
    return need != BT_NEED_VALUES && need != BT_NEED_DOMAINS && need != BT_NEED_CODED;
}

/* The hierarchy that a column is read with: one that the release lacks, from the recipe if that has
 * it, or as the scheme says that the manifest names. A manifest comes from anywhere: it must not
 * make a reader open files. */
static bauta_status plan_tree(bauta_recipe *plan, const bauta_recipe *recipe,
                              const bt_release *release, const bt_manifest_column *column,
                              bt_original_need need, bauta_error *error)
{
    const bt_hierarchy_source *given = bt_whole_given(recipe, column->name);
    const bt_hierarchy_source scheme = {.spec = column->partial};
    bool old = release->manifest.format == 0;
    if (bt_whole_follows(&release->manifest, column) && (need != BT_NEED_TREES || !given)) {
        if (bt_hierarchy_is_derived(column->partial))
            return bt_recipe_set_hierarchy(plan, column->name, &scheme, error);
        return bt_fail(error, BAUTA_INVALID,
                       "the manifest derives column '%s' by a scheme that this version does not "
                       "know",
                       column->name);
    }
    if (!given || old) return BAUTA_OK;
    return bt_recipe_set_hierarchy(plan, column->name, given, error);
}

/* Puts the codes of a randomized release in the order that they had when values were drawn, which
 * only the owner's own copy of a hierarchy tells. Where that copy merged rare values, the recipe's
 * hierarchy may serve too. */
static bauta_status plan_order(bauta_recipe *plan, const bauta_recipe *recipe, bt_release *release,
                               const bt_manifest_column *column, bauta_error *error)
{
    const bt_hierarchy_source *given = bt_whole_given(recipe, column->name);
    bt_whole_file kept;
    BT_TRY(bt_whole_tree(release, column->name, &kept, error));
    const bt_hierarchy_source source = {
        .spec = kept.name, .text = kept.text, .length = kept.length};
    if (kept.text) return bt_recipe_set_hierarchy(plan, column->name, &source, error);
    if (!given || column->merged != BT_MERGED_HIERARCHY) return BAUTA_OK;
    return bt_recipe_set_hierarchy(plan, column->name, given, error);
}

/* Which values have which category, where a release shows nothing else: from the file beside it, or
 * from the recipe. */
static bauta_status plan_categories(bauta_recipe *plan, const bauta_recipe *recipe,
                                    bt_release *release, const bt_manifest_column *column,
                                    bauta_error *error)
{
    bt_whole_file kept;
    BT_TRY(bt_whole_categories(release, column->name, &kept, error));
    const bt_categories_source source = {
        .file = kept.name, .text = kept.text, .length = kept.length};
    plan->loose_categories = true;
    if (kept.text) return bt_recipe_set_categories(plan, column->name, &source, error);
    for (size_t i = 0; i < recipe->column_count; i++)
        if (recipe->columns[i].has_categories && strcmp(recipe->columns[i].name, column->name) == 0)
            return bt_recipe_set_categories(plan, column->name, &recipe->columns[i].categories,
                                            error);
    return BAUTA_OK;
}

/* The rows of which the cells of a column say nothing: their values may be of any type. */
static int64_t count_untold(const bt_release_column *column)
{
    bool cells = column->manifest->role == BT_ROLE_QUASI && !column->values_shown;
    for (uint32_t i = 0; cells && i < column->values->count; i++)
        if (column->values->length[i] == 1 && column->values->text[i][0] == '*')
            return column->values->rows[i];
    return 0;
}

/* The type that the values of a column are read with. Where whole numbers are published the table
 * may have them as decimals ("1.0"): of `other` columns only the texts count, which are the same.
 */
static bauta_status plan_type(bauta_recipe *plan, const bt_release_column *from, bauta_error *error)
{
    const bt_manifest_column *column = from->manifest;
    bool decimal = column->role == BT_ROLE_OTHER && column->type == BT_INTEGER;
    const char *type = bt_type_name(decimal ? BT_DECIMAL : column->type);
    bt_column_recipe *to;
    BT_TRY(bt_recipe_set_type(plan, column->name, type, error));
    BT_TRY(bt_recipe_column(plan, column->name, &to, error));
    to->misfits_more = count_untold(from);
    return BAUTA_OK;
}

static bauta_status plan_column(bauta_recipe *plan, const bauta_recipe *recipe, bt_release *release,
                                const bt_release_column *from, bt_original_need need,
                                bauta_error *error)
{
    const bt_manifest_column *column = from->manifest;
    bool hierarchy = column->hierarchy || column->partial;
    if (bt_is_companion(column)) return BAUTA_OK;
    if (need == BT_NEED_DOMAINS && (column->role != BT_ROLE_QUASI || hierarchy)) return BAUTA_OK;
    if ((need == BT_NEED_QUASI || need == BT_NEED_JOINED) && column->role != BT_ROLE_QUASI)
        return BAUTA_OK;
    bool known = column->role == BT_ROLE_OTHER && from->values_shown; /* to an attacker */
    bt_role role = known && need != BT_NEED_CODED ? BT_ROLE_QUASI : column->role;
    BT_TRY(bt_recipe_set_role(plan, column->name, role, error));
    BT_TRY(plan_type(plan, from, error));
    if (!needs_trees(need)) return BAUTA_OK;
    if (release->form->redrawn && need == BT_NEED_ALL)
        return plan_order(plan, recipe, release, column, error);
    if (bt_release_lacks_categories(from))
        return plan_categories(plan, recipe, release, column, error);
    if (!bt_release_lacks_tree(from)) return BAUTA_OK;
    return plan_tree(plan, recipe, release, column, need, error);
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

/* Whether records were dropped for what is missing in them: randomized drops none but these and
 * those with rare values; where it may be either, the owner's summary tells, or the recipe. */
static bauta_status find_dropped(const bauta_recipe *recipe, bt_release *release, bool *out,
                                 bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    *out = release->form->redrawn && manifest->dropped_rows > 0;
    if (!*out || bt_form_number(manifest->form, "rare") < 2) return BAUTA_OK;
    BT_TRY(bt_whole_drops_missing(release, out, error));
    *out |= recipe->missing_drop;
    return BAUTA_OK;
}

static bauta_status make_plan(const bauta_recipe *recipe, bt_release *release,
                              bt_original_need need, bauta_recipe *plan, bauta_error *error)
{
    const bt_manifest *manifest = &release->manifest;
    bool dropped = false;
    if (need == BT_NEED_ALL) BT_TRY(find_dropped(recipe, release, &dropped, error));
    plan->streams = recipe->streams;
    plan->streams_borrowed = true;
    plan->has_encoding = recipe->has_encoding;
    plan->encoding = recipe->encoding;
    plan->decimal_comma = recipe->decimal_comma;
    plan->delimiter = recipe->delimiter;
    plan->has_header = recipe->has_header;
    plan->no_header = recipe->no_header;
    BT_TRY(copy_list(plan, &plan->inputs, &recipe->inputs, error));
    BT_TRY(bt_recipe_set_rest(plan, BT_ROLE_DROPPED, error));
    plan->missing_drop = dropped || (need == BT_NEED_TREES && recipe->missing_drop);
    plan->misfits_most = manifest->dropped_rows;
    plan->whole_decimals = true;
    for (size_t i = 0; i < release->column_count; i++)
        BT_TRY(plan_column(plan, recipe, release, &release->columns[i], need, error));
    if ((manifest->join.kind && need == BT_NEED_ALL) || need == BT_NEED_JOINED)
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

/* Gives the release the trees that columns were read with, where it lacks them and they do not
 * follow from values. */
static bauta_status complete(bt_release *release, const bt_table *table, bool all,
                             bauta_error *error)
{
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_manifest_column *column = release->columns[i].manifest;
        const bt_column *from = bt_table_find(table, column->name);
        if (from && from->categories && bt_release_lacks_categories(&release->columns[i]))
            BT_TRY(bt_release_complete_categories(release, i, from, error));
        if (!bt_release_lacks_tree(&release->columns[i]) || !from || !from->hierarchy) continue;
        if (all || !bt_whole_follows(&release->manifest, column))
            BT_TRY(bt_release_complete(release, i, from->hierarchy, error));
    }
    return BAUTA_OK;
}

bauta_status bt_original_load(const bauta_recipe *recipe, bt_release *release,
                              bt_original_need need, const bt_run *run, bt_original *out,
                              bauta_error *error)
{
    *out = (bt_original){0};
    BT_TRY(bauta_recipe_new(&out->plan, error));
    if (needs_trees(need)) BT_TRY(bt_whole_find(release, need == BT_NEED_TREES, error));
    BT_TRY(make_plan(recipe, release, need, out->plan, error));
    BT_TRY(bt_recipe_copy_missing(recipe, false, out->plan, error));
    bauta_status status = bt_load(out->plan, run, need == BT_NEED_CODED, &out->loaded, error);
    if (status == BAUTA_INVALID) return bt_explain_misfit(&release->manifest, need, out, error);
    if (status != BAUTA_OK || !needs_trees(need)) return status;
    return complete(release, &out->loaded.table, need == BT_NEED_TREES, error);
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
        const char *spec = column->hierarchy ? column->hierarchy->spec : column->partial;
        if (column->role != BT_ROLE_QUASI || !spec || !bt_spec_shows_values(spec)) continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "other records cannot be compared with the release: its "
                                      "hierarchy was made from its data");
        bt_error_place(error, folder, -1, column->name);
        return status;
    }
    return BAUTA_OK;
}
