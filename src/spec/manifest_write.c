/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest as JSON; manifest_read.c reads the same fields. docs/release-format.md explains
 * them.
 *
 *   format (not in format 0), release, version, form, method, experiment, dropped_rows,
 *   promises    [{name, value}], counts (where there are promises; not in format 0)
 *   joint (where it matters), persons (where they are counted), lambda (randomized), join (with a
 *   public table), protected (not in format 0), not_protected,
 *   remark (two-tables, distribution, join)
 *   columns     [{name, role, type, and if there are any: hierarchy, categories [{name, values}],
 *                 category_of, redrawn and merged (randomized), cut_points}]
 *     hierarchy of a quasi column: {spec, nodes: [{label, level, parent (not "*")}]}
 *     … a public one:              {spec, public: true, paths: [[leaf, level 1, …]]}, leaves in
 *                                  code order, "" where a path skips a level
 *     … of a sensitive column:     {spec, levels, paths}
 *   Format 0 also has: of decimals scale; of a given hierarchy {spec, paths}, of a derived one
 *   {spec, leaves, levels, nodes: [{label, level, leaves}]}.
 *   targets (distribution) [{groups (not when all), weights}], reference {weights} (for t)
 */
#include "spec/manifest.h"

#include "base/facts.h"

#include <string.h>

static bauta_status write_paths(bt_facts *facts, json_t *at, const bt_hierarchy *hierarchy,
                                bauta_error *error)
{
    json_t *paths = bt_put_array(facts, at, "paths");
    BT_OWN(bt_free) const char **names = bt_array(hierarchy->levels, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (uint32_t code = 0; code < hierarchy->leaves; code++) {
        json_t *path = bt_put_array(facts, paths, NULL);
        size_t count = bt_hierarchy_path(hierarchy, code, names);
        for (size_t i = 0; i < count; i++)
            bt_put_text(facts, path, NULL, names[i]);
    }
    return BAUTA_OK;
}

/* JSON is indented by two: the names of a path stand at depth 6, the weights of a target at 4. */
uint64_t bt_manifest_domain_bytes(const bt_hierarchy *hierarchy, uint64_t targets)
{
    enum { ROUND_PATH = 24, ROUND_NAME = 16, ROUND_WEIGHT = 11 };
    uint64_t bytes = (uint64_t)hierarchy->leaves * ROUND_PATH;
    for (uint32_t i = 1; i < hierarchy->count; i++) {
        const bt_node *node = &hierarchy->nodes[i];
        bytes += (uint64_t)(node->hi - node->lo) * (strlen(node->label) + ROUND_NAME);
    }
    return bytes + targets * hierarchy->count * ROUND_WEIGHT;
}

static void write_nodes(bt_facts *facts, json_t *at, const bt_manifest_column *column, bool old)
{
    if (old) bt_put_int(facts, at, "leaves", column->partial_leaves);
    if (old) bt_put_int(facts, at, "levels", column->partial_levels);
    json_t *nodes = bt_put_array(facts, at, "nodes");
    for (size_t i = 0; i < column->node_count; i++) {
        json_t *node = bt_put_object(facts, nodes, NULL);
        bt_put_text(facts, node, "label", column->nodes[i].label);
        bt_put_int(facts, node, "level", column->nodes[i].level);
        if (old) bt_put_int(facts, node, "leaves", column->nodes[i].leaves);
        if (column->nodes[i].parent) bt_put_text(facts, node, "parent", column->nodes[i].parent);
    }
}

static void write_categories(bt_facts *facts, json_t *at, const bt_manifest_column *column)
{
    if (column->categories) {
        json_t *list = bt_put_array(facts, at, "categories");
        for (uint32_t i = 0; i < column->category_count; i++) {
            json_t *category = bt_put_object(facts, list, NULL);
            bt_put_text(facts, category, "name", column->categories[i].name);
            json_t *values = bt_put_array(facts, category, "values");
            for (size_t v = 0; v < column->categories[i].count; v++)
                bt_put_text(facts, values, NULL, column->categories[i].values[v]);
        }
    }
    if (column->category_of) bt_put_text(facts, at, "category_of", column->category_of);
}

static void write_cuts(bt_facts *facts, json_t *at, const bt_manifest_column *column)
{
    char text[BT_NUMBER_TEXT + 1];
    json_t *list = bt_put_array(facts, at, "cut_points");
    for (size_t i = 0; i < column->cuts->count; i++) {
        text[bt_number_print(column->type, column->scale, column->cuts->number[i], text)] = '\0';
        bt_put_text(facts, list, NULL, text);
    }
}

static bauta_status write_hierarchy(bt_facts *facts, json_t *column_at,
                                    const bt_manifest_column *column, bool old, bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    if (!tree && !column->partial) return BAUTA_OK;
    json_t *at = bt_put_object(facts, column_at, "hierarchy");
    bt_put_text(facts, at, "spec", tree ? tree->spec : column->partial);
    if (!tree) {
        write_nodes(facts, at, column, old);
        return BAUTA_OK;
    }
    if (!old && tree->is_public) bt_put_bool(facts, at, "public", true);
    if (!old && !tree->is_public) bt_put_int(facts, at, "levels", tree->levels);
    return write_paths(facts, at, tree, error);
}

/* `old`: format 0. */
static bauta_status write_column(bt_facts *facts, json_t *columns, const bt_manifest_column *column,
                                 bool old, bauta_error *error)
{
    json_t *at = bt_put_object(facts, columns, NULL);
    bt_put_text(facts, at, "name", column->name);
    bt_put_text(facts, at, "role", bt_role_name(column->role));
    bt_put_text(facts, at, "type", bt_type_name(column->type));
    if (old && column->type == BT_DECIMAL) bt_put_int(facts, at, "scale", column->scale);
    if (column->cuts) write_cuts(facts, at, column);
    write_categories(facts, at, column);
    if (column->redrawn.bottom) {
        char share[2 * BT_NUMBER_TEXT];
        snprintf(share, sizeof share, "%lld/%lld", (long long)column->redrawn.top,
                 (long long)column->redrawn.bottom);
        bt_put_text(facts, at, "redrawn", share);
    }
    if (column->merged != BT_MERGED_NONE)
        bt_put_text(facts, at, "merged", bt_merging_name(column->merged));
    return write_hierarchy(facts, at, column, old, error);
}

static void write_target(bt_facts *facts, json_t *object, const bt_manifest_target *target)
{
    json_t *groups = target->groups ? bt_put_array(facts, object, "groups") : NULL;
    for (size_t g = 0; g < target->group_count && groups; g++)
        bt_put_int(facts, groups, NULL, target->groups[g]);
    json_t *weights = bt_put_array(facts, object, "weights");
    for (size_t w = 0; w < target->weight_count; w++)
        bt_put_int(facts, weights, NULL, (int64_t)target->weights[w]);
}

static void write_targets(bt_facts *facts, json_t *at, const bt_manifest *manifest)
{
    if (manifest->target_count == 0) return;
    json_t *targets = bt_put_array(facts, at, "targets");
    for (size_t i = 0; i < manifest->target_count; i++)
        write_target(facts, bt_put_object(facts, targets, NULL), &manifest->targets[i]);
    if (manifest->reference)
        write_target(facts, bt_put_object(facts, at, "reference"), manifest->reference);
}

static bauta_status write_promises(bt_facts *facts, json_t *root, const bt_requirements *promises,
                                   bauta_error *error)
{
    json_t *list = bt_put_array(facts, root, "promises");
    BT_OWN(bt_buffer_release) bt_buffer name = {0};
    for (size_t i = 0; i < promises->count; i++) {
        const char *text = promises->items[i].text, *value = bt_requirement_value(text);
        json_t *promise = bt_put_object(facts, list, NULL);
        name.length = 0;
        BT_TRY(bt_buffer_print(&name, error, "%.*s", (int)(value - text - 1), text));
        bt_put_text(facts, promise, "name", name.bytes);
        bt_put_text(facts, promise, "value", value);
    }
    return BAUTA_OK;
}

static bauta_status write_all(const bt_manifest *manifest, bt_facts *facts, bauta_error *error)
{
    json_t *root = facts->root;
    if (manifest->unread)
        return bt_fail(error, BAUTA_INVALID, "the manifest has promises that are not known");
    if (manifest->format > 0) bt_put_int(facts, root, "format", manifest->format);
    bt_put_text(facts, root, "release", manifest->release);
    bt_put_text(facts, root, "version", manifest->version);
    bt_put_text(facts, root, "form", manifest->form);
    bt_put_text(facts, root, "method", manifest->method.text);
    bt_put_bool(facts, root, "experiment", manifest->experiment);
    if (manifest->spreadsheet_safe) bt_put_bool(facts, root, "spreadsheet_safe", true);
    bt_put_int(facts, root, "dropped_rows", manifest->dropped_rows);
    BT_TRY(write_promises(facts, root, &manifest->promises, error));
    if (manifest->format > 0 && manifest->promises.count > 0)
        bt_put_text(facts, root, "counts", manifest->persons ? "persons" : "rows");
    if (manifest->joint) bt_put_text(facts, root, "joint", bt_joint_names[manifest->joint]);
    if (manifest->persons)
        bt_put_text(facts, root, "persons", bt_counting_names[manifest->persons]);
    if (manifest->lambda) bt_put_int(facts, root, "lambda", manifest->lambda);
    if (manifest->replayer) {
        json_t *odds = bt_put_object(facts, root, "odds");
        bt_put_int(facts, odds, "reader", 1);
        bt_put_int(facts, odds, "replayer", manifest->replayer);
    }
    if (manifest->join.text) bt_put_text(facts, root, "join", manifest->join.text);
    if (manifest->protects) bt_put_text(facts, root, "protected", manifest->protects);
    bt_put_text(facts, root, "not_protected", manifest->not_protected);
    if (manifest->remark) bt_put_text(facts, root, "remark", manifest->remark);
    json_t *columns = bt_put_array(facts, root, "columns");
    for (size_t i = 0; i < manifest->column_count; i++)
        BT_TRY(write_column(facts, columns, &manifest->columns[i], manifest->format == 0, error));
    write_targets(facts, root, manifest);
    return bt_facts_check(facts, error);
}

bauta_status bt_manifest_write(const bt_manifest *manifest, bt_buffer *out, bauta_error *error)
{
    BT_OWN(bt_facts_release) bt_facts facts;
    bt_facts_init(&facts);
    BT_TRY(write_all(manifest, &facts, error));
    BT_OWN(bt_free) char *text = json_dumps(facts.root, JSON_INDENT(2));
    if (!text) return bt_fail_memory(error);
    BT_TRY(bt_buffer_add(out, text, strlen(text), error));
    return bt_buffer_add(out, "\n", 1, error);
}
