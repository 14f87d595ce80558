/* SPDX-License-Identifier: Apache-2.0
 *
 * The manifest from JSON, by anyone: every field is checked and unknown ones are refused.
 * manifest_write.c has the list of all fields.
 */
#include "spec/manifest.h"

#include "recipe/names.h"

#include <jansson.h>
#include <string.h>

enum { MOST_SCALE = 18, RELEASE_DIGITS = 32 };

typedef struct manifest_reader {
    bt_arena *arena;
    bauta_error *error;
    const char *where; /* the object being read: "a column", "the manifest" */
    bool old;          /* format 0 */
} manifest_reader;

static bauta_status wrong(const manifest_reader *reader, const char *field, const char *what)
{
    return bt_fail(reader->error, BAUTA_INVALID, "field '%s' of %s %s", field, reader->where, what);
}

static bauta_status unknown_field(const manifest_reader *reader, const json_t *object,
                                  const char *const *names, size_t count)
{
    const char *field = "";
    json_t *each = (json_t *)(uintptr_t)object; /* jansson's iterators are not const */
    for (void *at = json_object_iter(each); at; at = json_object_iter_next(each, at)) {
        field = json_object_iter_key(at);
        size_t i = 0;
        while (i < count && strcmp(names[i] + (names[i][0] == '?'), field) != 0)
            i++;
        if (i == count) break;
    }
    return wrong(reader, field, "is not known");
}

/* The object has these fields and no others; one with a question mark may be missing. */
static bauta_status check_fields(const manifest_reader *reader, const json_t *object,
                                 const char *const *names, size_t count)
{
    if (!json_is_object(object))
        return bt_fail(reader->error, BAUTA_INVALID, "%s is not an object", reader->where);
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        bool optional = names[i][0] == '?';
        bool present = json_object_get(object, names[i] + optional) != NULL;
        if (!present && !optional) return wrong(reader, names[i], "is missing");
        found += present;
    }
    return found == json_object_size(object) ? BAUTA_OK
                                             : unknown_field(reader, object, names, count);
}

static bauta_status read_text(const manifest_reader *reader, const json_t *object,
                              const char *field, const char **out)
{
    const json_t *value = json_object_get(object, field);
    if (!json_is_string(value)) return wrong(reader, field, "is not text");
    *out = bt_arena_copy(reader->arena, json_string_value(value), json_string_length(value));
    return *out ? BAUTA_OK : bt_fail_memory(reader->error);
}

static bauta_status read_integer(const manifest_reader *reader, const json_t *object,
                                 const char *field, int64_t most, int64_t *out)
{
    const json_t *value = json_object_get(object, field);
    *out = json_is_integer(value) ? json_integer_value(value) : -1;
    if (*out >= 0 && *out <= most) return BAUTA_OK;
    return wrong(reader, field, "is not a whole number in its range");
}

static bauta_status read_count(const manifest_reader *reader, const json_t *object,
                               const char *field, uint32_t *out)
{
    int64_t number = 0;
    BT_TRY(read_integer(reader, object, field, UINT32_MAX - 1, &number));
    *out = (uint32_t)number;
    return BAUTA_OK;
}

static bauta_status read_array(const manifest_reader *reader, const json_t *object,
                               const char *field, json_t **out, size_t *count)
{
    *out = json_object_get(object, field);
    if (!json_is_array(*out)) return wrong(reader, field, "is not a list");
    *count = json_array_size(*out);
    return BAUTA_OK;
}

/* A list of texts; `field` is where it stands. */
static bauta_status read_texts(const manifest_reader *reader, const json_t *list, const char *field,
                               const char *const **out, size_t *count)
{
    if (!json_is_array(list)) return wrong(reader, field, "holds something that is not a list");
    *count = json_array_size(list);
    const char **texts = bt_arena_array(reader->arena, *count, sizeof *texts);
    if (!texts) return bt_fail_memory(reader->error);
    for (size_t i = 0; i < *count; i++) {
        const json_t *text = json_array_get(list, i);
        if (!json_is_string(text)) return wrong(reader, field, "holds a name that is not text");
        texts[i] = bt_arena_copy(reader->arena, json_string_value(text), json_string_length(text));
        if (!texts[i]) return bt_fail_memory(reader->error);
    }
    *out = texts;
    return BAUTA_OK;
}

/* A tree whose leaves are known says that it is public, or how high it was before it was cut down
 * to the leaves that the release shows. */
static bauta_status read_height(const manifest_reader *reader, const json_t *object,
                                const bt_manifest_column *column, bt_hierarchy *tree)
{
    uint32_t levels;
    const json_t *public = json_object_get(object, "public");
    if (reader->old) return BAUTA_OK;
    if (public && !json_is_true(public)) return wrong(reader, "public", "is not true");
    if (!public && column->role == BT_ROLE_QUASI)
        return wrong(reader, "paths", "goes with a public hierarchy only");
    if ((public != NULL) == (json_object_get(object, "levels") != NULL))
        return wrong(reader, "levels", "must be there where the hierarchy is not public");
    tree->is_public = public != NULL;
    if (public) return BAUTA_OK;
    BT_TRY(read_count(reader, object, "levels", &levels));
    if (levels < tree->levels || levels > BT_LEVELS_MOST)
        return wrong(reader, "levels", "does not fit the paths");
    tree->levels = levels;
    tree->nodes[0].level = levels - 1;
    return BAUTA_OK;
}

static bauta_status read_paths(const manifest_reader *reader, const json_t *object,
                               bt_manifest_column *column)
{
    static const char *const fields[] = {"spec", "paths", "?public", "?levels"};
    BT_TRY(check_fields(reader, object, fields, reader->old ? 2 : 4));
    const char *spec;
    json_t *list;
    size_t count;
    BT_TRY(read_text(reader, object, "spec", &spec));
    BT_TRY(read_array(reader, object, "paths", &list, &count));
    const char *const **paths = bt_arena_array(reader->arena, count, sizeof *paths);
    size_t *lengths = bt_arena_array(reader->arena, count, sizeof *lengths);
    if (!paths || !lengths) return bt_fail_memory(reader->error);
    for (size_t i = 0; i < count; i++)
        BT_TRY(read_texts(reader, json_array_get(list, i), "paths", &paths[i], &lengths[i]));
    bt_hierarchy *hierarchy;
    BT_TRY(bt_hierarchy_from_paths(paths, lengths, count, spec, column->name, reader->arena,
                                   &hierarchy, reader->error));
    column->hierarchy = hierarchy;
    return read_height(reader, object, column, hierarchy);
}

static bauta_status read_node(const manifest_reader *reader, const json_t *object,
                              bt_manifest_node *out)
{
    static const char *const fields[] = {"label", "level", "?parent"};
    static const char *const old_fields[] = {"label", "level", "leaves"};
    BT_TRY(check_fields(reader, object, reader->old ? old_fields : fields, 3));
    BT_TRY(read_text(reader, object, "label", &out->label));
    BT_TRY(read_count(reader, object, "level", &out->level));
    if (reader->old) return read_count(reader, object, "leaves", &out->leaves);
    return json_object_get(object, "parent") ? read_text(reader, object, "parent", &out->parent)
                                             : BAUTA_OK;
}

static bauta_status read_nodes(const manifest_reader *reader, const json_t *object,
                               bt_manifest_column *column)
{
    static const char *const fields[] = {"spec", "nodes", "leaves", "levels"};
    BT_TRY(check_fields(reader, object, fields, reader->old ? 4 : 2));
    json_t *list;
    BT_TRY(read_text(reader, object, "spec", &column->partial));
    if (reader->old) {
        BT_TRY(read_count(reader, object, "leaves", &column->partial_leaves));
        BT_TRY(read_count(reader, object, "levels", &column->partial_levels));
        if (column->partial_leaves == 0) return wrong(reader, "leaves", "is 0");
    }
    BT_TRY(read_array(reader, object, "nodes", &list, &column->node_count));
    column->nodes = bt_arena_array(reader->arena, column->node_count, sizeof *column->nodes);
    if (!column->nodes) return bt_fail_memory(reader->error);
    for (size_t i = 0; i < column->node_count; i++)
        BT_TRY(read_node(reader, json_array_get(list, i), &column->nodes[i]));
    return BAUTA_OK;
}

static bauta_status read_hierarchy(manifest_reader *reader, const json_t *object,
                                   bt_manifest_column *column)
{
    if (!object) return BAUTA_OK;
    if (column->role == BT_ROLE_OTHER)
        return wrong(reader, "hierarchy", "does not go with the role 'other'");
    const char *where = reader->where;
    reader->where = "a hierarchy";
    bool paths = json_object_get(object, "paths") != NULL;
    if (!paths && column->role == BT_ROLE_SENSITIVE)
        return wrong(reader, "paths", "must be there in a sensitive column");
    BT_TRY(paths ? read_paths(reader, object, column) : read_nodes(reader, object, column));
    reader->where = where;
    return BAUTA_OK;
}

enum { SCOPE_CATEGORIES, SCOPE_VALUES }; /* of the names in a list of categories */

static bauta_status read_category(const manifest_reader *reader, const json_t *object,
                                  bt_names *known, bt_category *out)
{
    static const char *const fields[] = {"name", "values"};
    bool added;
    BT_TRY(check_fields(reader, object, fields, 2));
    BT_TRY(read_text(reader, object, "name", &out->name));
    if (out->name[0] == '\0') return wrong(reader, "name", "is empty");
    BT_TRY(bt_names_add(known, SCOPE_CATEGORIES, out->name, 0, &added, reader->error));
    if (!added) return wrong(reader, "name", "is that of another one");
    BT_TRY(
        read_texts(reader, json_object_get(object, "values"), "values", &out->values, &out->count));
    for (size_t i = 0; i < out->count; i++) {
        BT_TRY(bt_names_add(known, SCOPE_VALUES, out->values[i], 0, &added, reader->error));
        if (!added) return wrong(reader, "values", "holds a value for the second time");
    }
    return BAUTA_OK;
}

static bauta_status read_category_list(manifest_reader *reader, const json_t *column,
                                       bt_manifest_column *out)
{
    json_t *list;
    size_t count;
    BT_OWN(bt_names_release) bt_names known = {0};
    BT_TRY(read_array(reader, column, "categories", &list, &count));
    if (count == 0 || count >= UINT32_MAX) return wrong(reader, "categories", "is empty");
    bt_category *items = bt_arena_array(reader->arena, count, sizeof *items);
    if (!items) return bt_fail_memory(reader->error);
    const char *where = reader->where;
    bauta_status status = BAUTA_OK;
    reader->where = "a category";
    for (size_t i = 0; i < count && status == BAUTA_OK; i++)
        status = read_category(reader, json_array_get(list, i), &known, &items[i]);
    reader->where = where;
    out->categories = items;
    out->category_count = (uint32_t)count;
    return status;
}

static bauta_status read_categories(manifest_reader *reader, const json_t *object,
                                    bt_manifest_column *out)
{
    static const char *const fields[] = {"categories", "category_of"};
    for (size_t i = 0; i < 2; i++)
        if (json_object_get(object, fields[i]) && out->role != BT_ROLE_SENSITIVE)
            return wrong(reader, fields[i], "goes with the role 'sensitive' only");
    if (json_object_get(object, "categories")) BT_TRY(read_category_list(reader, object, out));
    if (!json_object_get(object, "category_of")) return BAUTA_OK;
    return read_text(reader, object, "category_of", &out->category_of);
}

/* A column that shows categories shows its own, or stands beside a column that has some. */
static bauta_status check_category_of(const manifest_reader *reader, const bt_manifest *manifest,
                                      const bt_names *names, const bt_manifest_column *column)
{
    uint32_t at;
    if (!column->category_of) return BAUTA_OK;
    bool own = strcmp(column->category_of, column->name) == 0;
    if (own && column->categories && !column->hierarchy) return BAUTA_OK;
    if (own || column->categories || column->hierarchy || column->type != BT_TEXT ||
        !bt_names_find(names, 0, column->category_of, &at) || !manifest->columns[at].categories ||
        manifest->columns[at].category_of)
        return wrong(reader, "category_of", "does not lead to categories");
    return BAUTA_OK;
}

/* Decimals have the places that their texts need. */
static void need_scale(const char *text, int *scale)
{
    int own = bt_value_scale(text, strlen(text), false);
    if (own > *scale && own <= MOST_SCALE) *scale = own;
}

static void need_scale_of_leaves(bt_manifest_column *column)
{
    const bt_hierarchy *tree = column->hierarchy;
    for (uint32_t code = 0; tree && code < tree->leaves; code++)
        need_scale(tree->nodes[tree->leaf_node[code]].name, &column->scale);
    for (size_t i = 0; column->partial && i < column->node_count; i++)
        if (column->nodes[i].level == 0) need_scale(column->nodes[i].label, &column->scale);
}

static bauta_status read_cuts(const manifest_reader *reader, const json_t *object,
                              bt_manifest_column *out)
{
    const char *const *texts;
    size_t count;
    const bt_reading canonical = {.type = out->type, .date_form = BT_FORM_YMD};
    BT_TRY(read_texts(reader, json_object_get(object, "cut_points"), "cut_points", &texts, &count));
    if (out->role != BT_ROLE_QUASI || out->type == BT_TEXT || json_object_get(object, "hierarchy"))
        return wrong(reader, "cut_points", "does not go with such a column");
    for (size_t i = 0; !reader->old && out->type == BT_DECIMAL && i < count; i++)
        need_scale(texts[i], &out->scale);
    int64_t *numbers = bt_arena_array(reader->arena, count, sizeof *numbers);
    bt_cuts *cuts = bt_arena_alloc(reader->arena, sizeof *cuts);
    if (!numbers || !cuts) return bt_fail_memory(reader->error);
    bool good = count >= 2 && count <= BT_CUTS_MOST;
    for (size_t i = 0; i < count && good; i++)
        good = bt_value_number(&canonical, texts[i], strlen(texts[i]), out->scale, &numbers[i]) &&
               (i == 0 || numbers[i - 1] < numbers[i]);
    if (!good) return wrong(reader, "cut_points", "is not a list of ascending values");
    *cuts = (bt_cuts){.count = count, .number = numbers};
    out->cuts = cuts;
    return BAUTA_OK;
}

static bauta_status read_role(const manifest_reader *reader, const json_t *object, bt_role *out)
{
    static const bt_role roles[] = {BT_ROLE_QUASI, BT_ROLE_SENSITIVE, BT_ROLE_OTHER};
    const char *name = json_string_value(json_object_get(object, "role"));
    for (size_t i = 0; i < 3; i++)
        if (name && strcmp(bt_role_name(roles[i]), name) == 0) {
            *out = roles[i];
            return BAUTA_OK;
        }
    return wrong(reader, "role", "is not quasi, sensitive or other");
}

static bauta_status read_redrawn(const manifest_reader *reader, const json_t *object,
                                 bt_manifest_column *out)
{
    const char *text;
    if (!json_object_get(object, "redrawn")) return BAUTA_OK;
    if (out->role != BT_ROLE_QUASI)
        return wrong(reader, "redrawn", "goes with the role 'quasi' only");
    BT_TRY(read_text(reader, object, "redrawn", &text));
    if (strchr(text, '/') && bt_rational_parse(text, &out->redrawn)) return BAUTA_OK;
    return wrong(reader, "redrawn", "is not a fraction");
}

static bauta_status read_merged(const manifest_reader *reader, const json_t *object,
                                bt_manifest_column *out)
{
    const char *text;
    if (!json_object_get(object, "merged")) return BAUTA_OK;
    if (!out->redrawn.bottom) return wrong(reader, "merged", "goes with 'redrawn' only");
    BT_TRY(read_text(reader, object, "merged", &text));
    for (out->merged = BT_MERGED_HIERARCHY; out->merged != BT_MERGED_NONE; out->merged--)
        if (strcmp(text, bt_merging_name(out->merged)) == 0) break;
    if (out->merged == BT_MERGED_NONE)
        return wrong(reader, "merged", "is not neighbours or hierarchy");
    if (out->merged == BT_MERGED_NEIGHBOURS && out->type == BT_TEXT)
        return wrong(reader, "merged", "says neighbours of a text");
    return BAUTA_OK;
}

static bauta_status read_column(manifest_reader *reader, const json_t *object,
                                bt_manifest_column *out)
{
    static const char *const fields[] = {"name",       "role",        "type",         "?scale",
                                         "?hierarchy", "?categories", "?category_of", "?redrawn",
                                         "?merged",    "?cut_points"};
    int64_t scale = 0;
    BT_TRY(check_fields(reader, object, fields, sizeof fields / sizeof *fields));
    BT_TRY(read_text(reader, object, "name", &out->name));
    BT_TRY(read_role(reader, object, &out->role));
    const char *type = json_string_value(json_object_get(object, "type"));
    if (!type || !bt_type_parse(type, &out->type))
        return wrong(reader, "type", "is not text, integer, decimal or date");
    bool has_scale = json_object_get(object, "scale") != NULL;
    if (has_scale != (reader->old && out->type == BT_DECIMAL))
        return wrong(reader, "scale", "goes with decimals of format 0, and only with them");
    if (has_scale) BT_TRY(read_integer(reader, object, "scale", MOST_SCALE, &scale));
    out->scale = (int)scale;
    BT_TRY(read_categories(reader, object, out));
    BT_TRY(read_redrawn(reader, object, out));
    BT_TRY(read_merged(reader, object, out));
    if (json_object_get(object, "cut_points")) BT_TRY(read_cuts(reader, object, out));
    BT_TRY(read_hierarchy(reader, json_object_get(object, "hierarchy"), out));
    if (!reader->old && out->type == BT_DECIMAL) need_scale_of_leaves(out);
    return BAUTA_OK;
}

static bauta_status read_columns(manifest_reader *reader, const json_t *root, bt_manifest *out)
{
    json_t *list;
    BT_OWN(bt_names_release) bt_names names = {0};
    reader->where = "the manifest";
    BT_TRY(read_array(reader, root, "columns", &list, &out->column_count));
    out->columns = bt_arena_array(reader->arena, out->column_count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(reader->error);
    reader->where = "a column";
    for (size_t i = 0; i < out->column_count; i++) {
        const bt_manifest_column *column = &out->columns[i];
        bool added;
        BT_TRY(read_column(reader, json_array_get(list, i), &out->columns[i]));
        BT_TRY(bt_names_add(&names, 0, column->name, (uint32_t)i, &added, reader->error));
        if (!added)
            return bt_fail(reader->error, BAUTA_INVALID, "column '%s' is listed twice",
                           column->name);
    }
    for (size_t i = 0; i < out->column_count; i++)
        BT_TRY(check_category_of(reader, out, &names, &out->columns[i]));
    return BAUTA_OK;
}

static bauta_status read_groups(const manifest_reader *reader, const json_t *object,
                                bt_manifest_target *out)
{
    json_t *list;
    if (!json_object_get(object, "groups")) return BAUTA_OK;
    BT_TRY(read_array(reader, object, "groups", &list, &out->group_count));
    uint32_t *groups = bt_arena_array(reader->arena, out->group_count, sizeof *groups);
    if (!groups) return bt_fail_memory(reader->error);
    for (size_t i = 0; i < out->group_count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t value = json_is_integer(number) ? json_integer_value(number) : 0;
        if (value < 1 || value >= UINT32_MAX)
            return wrong(reader, "groups", "holds something that is not the number of a group");
        groups[i] = (uint32_t)value;
    }
    out->groups = groups;
    return BAUTA_OK;
}

static bauta_status read_target(const manifest_reader *reader, const json_t *object,
                                bt_manifest_target *out)
{
    static const char *const fields[] = {"?groups", "weights"};
    json_t *list;
    BT_TRY(check_fields(reader, object, fields, 2));
    BT_TRY(read_groups(reader, object, out));
    BT_TRY(read_array(reader, object, "weights", &list, &out->weight_count));
    uint64_t *weights = bt_arena_array(reader->arena, out->weight_count, sizeof *weights);
    if (!weights) return bt_fail_memory(reader->error);
    for (size_t i = 0; i < out->weight_count; i++) {
        const json_t *number = json_array_get(list, i);
        json_int_t value = json_is_integer(number) ? json_integer_value(number) : -1;
        if (value < 0) return wrong(reader, "weights", "holds something that is not a weight");
        weights[i] = (uint64_t)value;
    }
    out->weights = weights;
    return BAUTA_OK;
}

static bauta_status read_targets(manifest_reader *reader, const json_t *root, bt_manifest *out)
{
    json_t *list;
    if (!json_object_get(root, "targets")) return BAUTA_OK;
    reader->where = "the manifest";
    BT_TRY(read_array(reader, root, "targets", &list, &out->target_count));
    out->targets = bt_arena_array(reader->arena, out->target_count, sizeof *out->targets);
    if (!out->targets) return bt_fail_memory(reader->error);
    reader->where = "a target";
    for (size_t i = 0; i < out->target_count; i++)
        BT_TRY(read_target(reader, json_array_get(list, i), &out->targets[i]));
    const json_t *reference = json_object_get(root, "reference");
    if (!reference) return BAUTA_OK;
    reader->where = "the reference";
    out->reference = bt_arena_array(reader->arena, 1, sizeof *out->reference);
    if (!out->reference) return bt_fail_memory(reader->error);
    return read_target(reader, reference, out->reference);
}

/* The promises as one conjunction, "k=5,alpha(disease)=0.5"; commas in values are escaped. */
static bauta_status join_promises(manifest_reader *reader, const json_t *root, bt_buffer *out)
{
    static const char *const fields[] = {"name", "value"};
    json_t *list;
    size_t count;
    BT_TRY(read_array(reader, root, "promises", &list, &count));
    reader->where = "a promise";
    for (size_t i = 0; i < count; i++) {
        const json_t *object = json_array_get(list, i);
        const char *name, *value;
        BT_TRY(check_fields(reader, object, fields, 2));
        BT_TRY(read_text(reader, object, "name", &name));
        BT_TRY(read_text(reader, object, "value", &value));
        BT_TRY(bt_buffer_print(out, reader->error, "%s%s=%s", i > 0 ? "," : "", name, value));
    }
    return bt_buffer_add(out, "", 1, reader->error);
}

/* Promises of which this version does not know one are all left unread: the audit says so. */
static bauta_status read_promises(manifest_reader *reader, const json_t *root, bt_manifest *out)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    BT_TRY(join_promises(reader, root, &text));
    if (text.length > 1) {
        bauta_status status =
            bt_requirements_parse(text.bytes, reader->arena, &out->promises, reader->error);
        if (status != BAUTA_INVALID && status != BAUTA_USAGE) {
            BT_TRY(status);
        } else {
            out->promises = (bt_requirements){0};
            out->unread = bt_arena_copy(reader->arena, text.bytes, text.length - 1);
        }
    }
    out->promises.joint = out->joint != BT_JOINT_NONE;
    return bt_arena_check(reader->arena, reader->error);
}

/* A field that may be missing and is one of two words, which stand behind the name of its not being
 * there. */
static bauta_status read_choice(const manifest_reader *reader, const json_t *root,
                                const char *field, const char *const *names, int *out)
{
    const char *text;
    *out = 0;
    if (!json_object_get(root, field)) return BAUTA_OK;
    BT_TRY(read_text(reader, root, field, &text));
    for (*out = 1; *out <= 2; ++*out)
        if (strcmp(text, names[*out]) == 0) return BAUTA_OK;
    return bt_fail(reader->error, BAUTA_INVALID, "field '%s' of %s is not %s or %s", field,
                   reader->where, names[1], names[2]);
}

/* "direct" or "refine", and then perhaps options. */
static bauta_status read_join(const manifest_reader *reader, const json_t *root,
                              bt_join_choice *out)
{
    const char *text;
    if (!json_object_get(root, "join")) return BAUTA_OK;
    BT_TRY(read_text(reader, root, "join", &text));
    BT_TRY(bt_join_read(text, reader->arena, out, reader->error));
    return out->kind ? BAUTA_OK : wrong(reader, "join", "is not direct or refine");
}

static bool is_release_id(const char *text)
{
    return strlen(text) == RELEASE_DIGITS && strspn(text, "0123456789abcdef") == RELEASE_DIGITS;
}

/* A format of a later version is refused before its fields are looked at. */
static bauta_status read_format(const manifest_reader *reader, const json_t *root, uint32_t *out)
{
    if (!json_object_get(root, "format")) return BAUTA_OK;
    BT_TRY(read_count(reader, root, "format", out));
    if (*out == 0) return wrong(reader, "format", "is 0, which is not written");
    if (*out <= BT_FORMAT_NEWEST) return BAUTA_OK;
    bauta_status status = bt_fail(reader->error, BAUTA_INVALID,
                                  "the manifest has format %u, and this version of Bauta reads "
                                  "formats up to %d",
                                  *out, BT_FORMAT_NEWEST);
    bt_error_hint(reader->error, "use the version of Bauta that wrote the release, or a later one");
    return status;
}

/* What the promises count follows from `persons`; format 0 says it there alone. */
static bauta_status check_counts(const manifest_reader *reader, const json_t *root,
                                 const bt_manifest *manifest)
{
    const char *wanted = manifest->persons ? "persons" : "rows", *found = NULL;
    bool said = json_object_get(root, "counts");
    if (manifest->format == 0 && said) return wrong(reader, "counts", "is not known");
    bool promises = json_array_size(json_object_get(root, "promises")) > 0;
    if (!said && (manifest->format == 0 || !promises)) return BAUTA_OK;
    if (!said) return wrong(reader, "counts", "is missing");
    BT_TRY(read_text(reader, root, "counts", &found));
    if (strcmp(found, wanted) == 0) return BAUTA_OK;
    return wrong(reader, "counts", "does not agree with 'persons'");
}

/* What a reader and whoever replays the method may multiply odds by. */
static bauta_status read_odds(const manifest_reader *reader, const json_t *root, bt_manifest *out)
{
    static const char *const fields[] = {"reader", "replayer"};
    const json_t *odds = json_object_get(root, "odds");
    uint32_t of_reader;
    if (!odds) return BAUTA_OK;
    if (reader->old) return wrong(reader, "odds", "is not known");
    BT_TRY(check_fields(reader, odds, fields, sizeof fields / sizeof *fields));
    BT_TRY(read_count(reader, odds, "reader", &of_reader));
    BT_TRY(read_count(reader, odds, "replayer", &out->replayer));
    if (of_reader != 1) return wrong(reader, "reader", "is something else than 1");
    if (out->replayer == 0) return wrong(reader, "replayer", "is 0");
    return BAUTA_OK;
}

static bauta_status read_all(manifest_reader *reader, const json_t *root, bt_manifest *out)
{
    static const char *const fields[] = {
        "release",    "version",       "form",       "method",       "experiment",
        "promises",   "not_protected", "columns",    "dropped_rows", "?joint",
        "?persons",   "?remark",       "?lambda",    "?join",        "?targets",
        "?reference", "?format",       "?protected", "?counts",      "?spreadsheet_safe",
        "?odds"};
    BT_TRY(read_format(reader, root, &out->format));
    reader->old = out->format == 0;
    BT_TRY(check_fields(reader, root, fields, sizeof fields / sizeof *fields));
    BT_TRY(read_text(reader, root, "release", &out->release));
    if (!is_release_id(out->release))
        return wrong(reader, "release", "is not 32 hexadecimal digits");
    BT_TRY(read_text(reader, root, "version", &out->version));
    BT_TRY(read_text(reader, root, "form", &out->form));
    BT_TRY(read_text(reader, root, "method", &out->method.text));
    BT_TRY(bt_method_read(out->method.text, reader->arena, &out->method, reader->error));
    if (out->format > 0) BT_TRY(read_text(reader, root, "protected", &out->protects));
    BT_TRY(read_text(reader, root, "not_protected", &out->not_protected));
    if (json_object_get(root, "remark")) BT_TRY(read_text(reader, root, "remark", &out->remark));
    const json_t *experiment = json_object_get(root, "experiment");
    if (!json_is_boolean(experiment)) return wrong(reader, "experiment", "is not true or false");
    out->experiment = json_is_true(experiment);
    const json_t *safe = json_object_get(root, "spreadsheet_safe");
    if (safe && reader->old) return wrong(reader, "spreadsheet_safe", "is not known");
    if (safe && !json_is_true(safe))
        return wrong(reader, "spreadsheet_safe", "is something else than true");
    out->spreadsheet_safe = safe != NULL;
    BT_TRY(read_integer(reader, root, "dropped_rows", INT64_MAX, &out->dropped_rows));
    int choice;
    BT_TRY(read_choice(reader, root, "joint", bt_joint_names, &choice));
    out->joint = (bt_joint)choice;
    BT_TRY(read_choice(reader, root, "persons", bt_counting_names, &choice));
    out->persons = (bt_counting)choice;
    if (json_object_get(root, "lambda")) BT_TRY(read_count(reader, root, "lambda", &out->lambda));
    BT_TRY(read_odds(reader, root, out));
    BT_TRY(read_join(reader, root, &out->join));
    BT_TRY(check_counts(reader, root, out));
    BT_TRY(read_promises(reader, root, out));
    BT_TRY(read_columns(reader, root, out));
    return read_targets(reader, root, out);
}

/* jansson quotes the text near a fault; what it says before that is enough. */
static bauta_status not_json(const json_error_t *fault, bauta_error *error)
{
    /* jansson says nothing at all where it ran out of memory while parsing. */
    if (json_error_code(fault) == json_error_out_of_memory || fault->text[0] == '\0')
        return bt_fail_memory(error);
    const char *near = strstr(fault->text, " near ");
    int length = near ? (int)(near - fault->text) : (int)strlen(fault->text);
    return bt_fail(error, BAUTA_INVALID, "line %d, column %d: not a manifest: %.*s", fault->line,
                   fault->column, length, fault->text);
}

bauta_status bt_manifest_read(const char *text, size_t length, bt_arena *arena, bt_manifest *out,
                              bauta_error *error)
{
    *out = (bt_manifest){0};
    if (length > BT_MANIFEST_MOST)
        return bt_fail(error, BAUTA_INVALID, "the manifest is larger than %d bytes",
                       BT_MANIFEST_MOST);
    json_error_t fault;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    if (!root) return not_json(&fault, error);
    manifest_reader reader = {.arena = arena, .error = error, .where = "the manifest"};
    bauta_status status = read_all(&reader, root, out);
    json_decref(root);
    return status;
}

bauta_status bt_manifest_is(const char *text, size_t length, bool *is, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena arena = {0};
    bt_manifest manifest;
    bauta_status status = bt_manifest_read(text, length, &arena, &manifest, error);
    *is = status == BAUTA_OK;
    return bt_is_stop(status) ? status : BAUTA_OK;
}
