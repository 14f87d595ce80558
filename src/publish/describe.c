/* SPDX-License-Identifier: Apache-2.0
 *
 * Promises and columns in the manifest, and the files that follow from it.
 */
#include "publish/describe.h"

#include "base/bitset.h"
#include "spec/sql.h"

#include <string.h>

static bool about_values(const bt_requirements *requirements)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (bt_is_about_values(requirements->items[i].type)) return true;
    return false;
}

void bt_describe_promises(const bt_form_job *job, bt_manifest *manifest)
{
    const bt_requirements *requirements = job->requirements;
    manifest->promises = *requirements;
    if (about_values(requirements) && requirements->people->columns > 1)
        manifest->joint = requirements->joint ? BT_JOINT_PAIRWISE : BT_JOINT_NONE;
}

/* Decimals have the places that published values need. */
static int shown_scale(const bt_column *column, const bool *shown)
{
    int scale = 0;
    for (uint32_t code = 0; column->domain.reading.type == BT_DECIMAL && code < column->domain.size;
         code++) {
        const char *text = column->domain.text[code];
        int own = shown[code] ? bt_value_scale(text, strlen(text), false) : 0;
        if (own > scale) scale = own;
    }
    return scale;
}

/* Describes categories with only the values that the published rows show: none where categories
 * stand in their place, and else not those of rows that were dropped. */
static bauta_status describe_categories(const bt_form_job *job, const bt_column *column,
                                        const bool *shown, bool values, bt_manifest_column *to,
                                        bauta_error *error)
{
    const bt_categories *categories = column->categories;
    bt_category *list;
    BT_OWN(bt_free)
    uint64_t *listed = bt_array_zero(bt_bitset_words(column->domain.size), sizeof *listed);
    if (!listed) return bt_fail_memory(error);
    for (uint32_t code = 0; values && code < column->domain.size; code++)
        if (shown[code]) bt_bitset_add(listed, code);
    BT_TRY(bt_categories_list(categories, &column->domain, listed, job->arena, &list, error));
    to->categories = list;
    to->category_count = categories->count;
    return BAUTA_OK;
}

static bauta_status describe_sensitive(const bt_form_job *job, const bt_sheet_column *from,
                                       const bool *shown, bt_manifest_column *to,
                                       bauta_error *error)
{
    const bt_column *column = from->column;
    const bt_hierarchy *tree = column->hierarchy;
    if (from->category) to->category_of = column->name;
    if (from->category && strcmp(from->name, column->name) != 0) { /* beside the values */
        to->type = BT_TEXT;
        to->scale = 0;
        return BAUTA_OK;
    }
    if (tree && tree->given && !from->category) {
        bt_hierarchy *pruned = NULL;
        if (!tree->is_public)
            BT_TRY(bt_hierarchy_prune(tree, shown, column->name, job->arena, &pruned, error));
        to->hierarchy = pruned ? pruned : tree;
    }
    return column->categories ? describe_categories(job, column, shown, !from->category, to, error)
                              : BAUTA_OK;
}

static void describe_coded(const bt_sheet_column *from, bt_manifest_column *to)
{
    *to = (bt_manifest_column){
        .name = from->name, .role = from->column->role, .type = from->column->domain.reading.type};
}

bauta_status bt_describe_column(const bt_form_job *job, const bt_sheet_column *from,
                                bt_manifest_column *to, bauta_error *error)
{
    bool *shown;
    if (from->shown == BT_SHOW_TEXT) {
        *to = (bt_manifest_column){.name = from->name, .role = BT_ROLE_OTHER, .type = from->type};
        return BAUTA_OK;
    }
    describe_coded(from, to);
    BT_TRY(bt_codes_shown(job, from->column, &shown, error));
    if (!from->category)
        BT_TRY(bt_type_of_values(job, from->column, shown, &to->type, error));
    else if (!from->column->domain.reading.said)
        to->type = BT_TEXT;
    to->scale = shown_scale(from->column, shown);
    return to->role == BT_ROLE_SENSITIVE ? describe_sensitive(job, from, shown, to, error)
                                         : BAUTA_OK;
}

void bt_describe_others(const bt_sheet *sheet, bt_manifest *manifest)
{
    for (size_t i = 0; i < sheet->column_count; i++)
        for (size_t c = 0; c < manifest->column_count && sheet->columns[i].watched; c++)
            if (strcmp(manifest->columns[c].name, sheet->columns[i].name) == 0)
                manifest->columns[c].type = sheet->columns[i].type;
}

/* ---- cells ---- */

/* The highest first, then by their bytes: the order of the tree may follow from values that are not
 * shown. */
static int compare_nodes(const void *left, const void *right)
{
    const bt_manifest_node *a = left, *b = right;
    if (a->level != b->level) return a->level > b->level ? -1 : 1;
    return strcmp(a->label, b->label);
}

/* Marks the nodes that occur in cells, and those above them unless their labels may end at values
 * that no cell shows. */
static void mark_nodes(const bt_hierarchy *tree, const bt_cell_texts *texts, bool *cells,
                       bool *listed)
{
    for (uint32_t i = 0; i < texts->count; i++) {
        uint32_t node = texts->nodes[i];
        cells[node] = true;
        for (bool first = true;
             node != 0 && !listed[node] && (first || !bt_spec_shows_values(tree->spec));
             node = tree->nodes[node].parent, first = false)
            listed[node] = true;
    }
}

static void list_nodes(const bt_hierarchy *tree, const bool *listed, const uint32_t *levels,
                       bt_manifest_column *out)
{
    for (uint32_t i = 1; i < tree->count; i++) {
        uint32_t parent = tree->nodes[i].parent;
        if (!listed[i] || tree->nodes[i].label[0] == '\0') continue;
        out->nodes[out->node_count++] = (bt_manifest_node){
            .label = tree->nodes[i].label,
            .level = levels[i],
            .parent = parent != 0 && listed[parent] ? tree->nodes[parent].label : NULL};
    }
    qsort(out->nodes, out->node_count, sizeof *out->nodes, compare_nodes);
}

/* Describes a hierarchy that is not public by the nodes that occur in cells and those above: no
 * count of values, and no value that no cell shows. Where all cells are "*" nothing is said of a
 * hierarchy that was chosen by the values. */
static bauta_status describe_nodes(const bt_hierarchy *tree, const bt_cell_texts *texts,
                                   bt_arena *arena, bt_manifest_column *out, bauta_error *error)
{
    bool *cells = bt_arena_array(arena, tree->count, sizeof *cells);
    bool *listed = bt_arena_array(arena, tree->count, sizeof *listed);
    uint32_t *levels = bt_arena_array(arena, tree->count, sizeof *levels);
    if (!cells || !listed || !levels) return bt_fail_memory(error);
    mark_nodes(tree, texts, cells, listed);
    bt_hierarchy_levels(tree, cells, levels);
    size_t count = 0;
    for (uint32_t i = 0; i < tree->count; i++)
        count += listed[i];
    out->nodes = bt_arena_array(arena, count, sizeof *out->nodes);
    if (!out->nodes) return bt_fail_memory(error);
    list_nodes(tree, listed, levels, out);
    if (out->node_count > 0 || !tree->chosen) out->partial = tree->spec;
    return BAUTA_OK;
}

bauta_status bt_describe_cells(const bt_form_job *job, const bt_sheet_column *from, bt_cells *cells,
                               bt_manifest_column *to, bauta_error *error)
{
    const bt_hierarchy *tree = from->column->hierarchy;
    const bt_cell_texts *texts = &cells->texts[from->place];
    describe_coded(from, to);
    BT_TRY(bt_type_of_cells(job, from->column, from->place, cells, &to->type, error));
    if (tree && !tree->is_public) return describe_nodes(tree, texts, job->arena, to, error);
    to->hierarchy = tree;
    to->scale = from->column->domain.scale; /* that of the cut points */
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
    BT_OWN(bt_free) const char **names = bt_array(count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (job->roles[i] == BT_ROLE_QUASI || job->roles[i] == BT_ROLE_SENSITIVE ||
            job->roles[i] == BT_ROLE_OTHER)
            names[published++] = bt_input_names(job->input)[i];
    *out = choose(names, published, job->arena);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

/* ---- files ---- */

bauta_status bt_sql_publish(const bt_form_job *job, const bt_manifest *manifest, bauta_error *error)
{
    bt_buffer texts[BT_SQL_FILES] = {{0}};
    bauta_status status = bt_sql_write(manifest, texts, error);
    for (size_t i = 0; i < BT_SQL_FILES; i++) {
        if (status == BAUTA_OK)
            status = bt_store_write(job->store, BT_SHELF_PUBLISH, bt_sql_names[i], texts[i].bytes,
                                    texts[i].length, error);
        bt_buffer_release(&texts[i]);
    }
    return status;
}
