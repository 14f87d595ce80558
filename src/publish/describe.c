/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises and columns in the manifest, and the files that follow from it.
 */
#include "publish/describe.h"

#include "base/bitset.h"
#include "publish/folder.h"
#include "publish/shuffle.h"
#include "recipe/sql.h"

#include <string.h>
#include <unistd.h>

static bool about_values(const bt_requirements *requirements)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (bt_is_about_values(requirements->items[i].type)) return true;
    return false;
}

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
    if (about_values(requirements) && requirements->people->columns > 1)
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

/* ---- cells ---- */

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Of a derived hierarchy only the nodes that occur in cells are published. */
static bauta_status describe_derived(const bt_column *column, bt_cell_texts *texts, bt_arena *arena,
                                     bt_manifest_column *out, bauta_error *error)
{
    const bt_hierarchy *hierarchy = column->hierarchy;
    out->derived = hierarchy->spec;
    out->derived_leaves = hierarchy->leaves;
    out->derived_levels = hierarchy->levels;
    out->nodes = bt_arena_array(arena, texts->count, sizeof *out->nodes);
    if (!out->nodes) return bt_fail_memory(error);
    qsort(texts->nodes, texts->count, sizeof *texts->nodes, compare_numbers);
    for (uint32_t i = 0; i < texts->count; i++) {
        const bt_node *node = &hierarchy->nodes[texts->nodes[i]];
        out->nodes[out->node_count++] =
            (bt_manifest_node){node->label, node->hi - node->lo, node->level};
    }
    return BAUTA_OK;
}

bauta_status bt_describe_cells(const bt_form_job *job, const bt_sheet_column *from, bt_cells *cells,
                               bt_manifest_column *to, bauta_error *error)
{
    const bt_hierarchy *tree = from->column->hierarchy;
    BT_TRY(bt_describe_column(job, from, to, error));
    if (tree && !tree->given)
        return describe_derived(from->column, &cells->texts[from->place], job->arena, to, error);
    to->hierarchy = tree;
    if (!tree) to->cuts = from->column->cuts;
    return BAUTA_OK;
}

/* ---- sensitive columns of generalized ---- */

const char *bt_companion_name(const char *column, bt_arena *arena)
{
    return bt_arena_print(arena, "%s_category", column);
}

bauta_status bt_sheet_add_sensitive(bt_sheet *sheet, const bt_column *column, int64_t show,
                                    bauta_error *error)
{
    bool category = show == BT_PUBLISH_CATEGORY;
    BT_TRY(bt_sheet_add_value(sheet, column, column->name, category, error));
    if (show != BT_PUBLISH_BOTH) return BAUTA_OK;
    const char *name = bt_companion_name(column->name, sheet->job->arena);
    if (!name) return bt_fail_memory(error);
    return bt_sheet_add_value(sheet, column, name, true, error);
}

bauta_status bt_describe_class(const bt_form_job *job,
                               const char *(*choose)(const char *const *names, size_t count,
                                                     bt_arena *arena),
                               const char **out, bauta_error *error)
{
    size_t count = bt_input_columns(job->input), published = 0;
    const char **names = bt_array(count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (job->roles[i] == BT_ROLE_QUASI || job->roles[i] == BT_ROLE_SENSITIVE ||
            job->roles[i] == BT_ROLE_OTHER)
            names[published++] = bt_input_names(job->input)[i];
    *out = choose(names, published, job->arena);
    free(names);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- files ---- */

bauta_status bt_file_publish(const bt_form_job *job, const char *name, const bt_buffer *text,
                             bauta_error *error)
{
    const char *path;
    int descriptor;
    BT_TRY(bt_create_file(job->folder, name, job->arena, &path, &descriptor, error));
    bauta_status status = bt_write_at(descriptor, path, 0, text->bytes, text->length, error);
    if (close(descriptor) != 0 && status == BAUTA_OK)
        status = bt_fail_errno(error, "cannot close", path);
    return status;
}

bauta_status bt_sql_publish(const bt_form_job *job, const bt_manifest *manifest, bauta_error *error)
{
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_status status = bt_sql_write(manifest, texts, error);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        if (status == BAUTA_OK) status = bt_file_publish(job, bt_sql_names[i], &texts[i], error);
        bt_buffer_release(&texts[i]);
    }
    return status;
}
