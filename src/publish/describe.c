/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises and columns in the manifest.
 */
#include "publish/describe.h"

#include "base/bitset.h"

#include <string.h>

bauta_status bt_describe_promises(const bt_form_job *job, bt_manifest *manifest, bauta_error *error)
{
    const bt_requirements *requirements = job->requirements;
    manifest->promise_count = requirements->count;
    manifest->promises =
        bt_arena_array(job->arena, requirements->count, sizeof *manifest->promises);
    if (!manifest->promises) return bt_fail_memory(error);
    for (size_t i = 0; i < requirements->count; i++) {
        const char *text = requirements->items[i].text, *equals = strchr(text, '=');
        const char *name = bt_arena_copy(job->arena, text, (size_t)(equals - text));
        if (!name) return bt_fail_memory(error);
        manifest->promises[i] = (bt_manifest_promise){name, equals + 1};
    }
    if (!requirements->size_only && requirements->people->columns > 1)
        manifest->joint = requirements->joint ? "pairwise" : "none";
    return BAUTA_OK;
}

/* Of the categories only the values that the published rows have: others may be those of rows that
 * were dropped. */
static bauta_status describe_categories(const bt_form_job *job, const bt_column *column,
                                        bt_manifest_column *to, bauta_error *error)
{
    const bt_grouping *grouping = job->grouping;
    const bt_categories *categories = column->categories;
    bt_category *list;
    uint64_t *shown = bt_array_zero(bt_bitset_words(column->domain.size), sizeof *shown);
    if (!shown) return bt_fail_memory(error);
    for (int64_t i = 0; i < grouping->kept; i++)
        bt_bitset_add(shown, bt_column_code(column, grouping->order[i]));
    bauta_status status =
        bt_categories_list(categories, &column->domain, shown, job->arena, &list, error);
    free(shown);
    to->categories = list;
    to->category_count = categories->count;
    return status;
}

static bauta_status describe_sensitive(const bt_form_job *job, const bt_sheet_column *from,
                                       bt_manifest_column *to, bauta_error *error)
{
    const bt_column *column = from->column;
    if (from->category) to->category_of = column->name;
    if (from->category && strcmp(from->name, column->name) != 0) { /* beside the values */
        to->type = BT_TEXT;
        to->scale = 0;
        return BAUTA_OK;
    }
    if (column->hierarchy && column->hierarchy->given && !from->category)
        to->hierarchy = column->hierarchy;
    return column->categories ? describe_categories(job, column, to, error) : BAUTA_OK;
}

bauta_status bt_describe_column(const bt_form_job *job, const bt_sheet_column *from,
                                bt_manifest_column *to, bauta_error *error)
{
    *to = (bt_manifest_column){.name = from->name};
    if (from->shown == BT_SHOW_TEXT) {
        to->role = BT_ROLE_OTHER;
        to->type = from->reading->type;
        return BAUTA_OK;
    }
    to->role = from->column->role;
    to->type = from->column->domain.reading.type;
    to->scale = from->column->domain.scale;
    return to->role == BT_ROLE_SENSITIVE ? describe_sensitive(job, from, to, error) : BAUTA_OK;
}
