/* SPDX-License-Identifier: Apache-2.0
 *
 * From the YAML tree to the recipe. Lists and maps are turned into the text that the flag of
 * the same name takes, so that there is one meaning for both; only `columns`, inline trees and
 * inline categories have no flag.
 */
#include "recipe/inline_categories.h"
#include "recipe/inline_tree.h"
#include "recipe/recipe.h"
#include "recipe/yaml.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* A setter's complaint becomes one about the file, with its place. */
static bauta_status located(const bt_yaml *node, bauta_status status, bauta_error *error)
{
    if (status != BAUTA_USAGE && status != BAUTA_INVALID) return status;
    if (error) error->status = BAUTA_INVALID;
    bt_yaml_place(error, node->line, node->column);
    return BAUTA_INVALID;
}

static const char *name_of(const bt_yaml *node)
{
    return node->key ? node->key : node->parent && node->parent->key ? node->parent->key : "item";
}

static bauta_status need_text(const bt_yaml *node, bauta_error *error)
{
    if (node->kind != BT_YAML_TEXT)
        return bt_yaml_fail(node, error, "'%s' must be text", name_of(node));
    if (node->text) return BAUTA_OK;
    bauta_status status = bt_yaml_fail(node, error, "'%s' needs a value", name_of(node));
    bt_error_hint(error, "put quotes around null, ~ or an empty text if that is meant");
    return status;
}

static bauta_status set_text(bauta_recipe *recipe, const bt_recipe_key *key, const bt_yaml *node,
                             const char *text, bauta_error *error)
{
    return located(node, key->set(recipe, key, text, error), error);
}

/* ---- composing the text of a flag ---- */

static bauta_status put_text(bt_buffer *out, const char *text, bauta_error *error)
{
    return bt_buffer_add(out, text, strlen(text), error);
}

static bauta_status put_escaped(bt_buffer *out, const char *text, const char *special,
                                bauta_error *error)
{
    for (const char *p = text; *p; p++) {
        if (strchr(special, *p)) BT_TRY(bt_buffer_add(out, "\\", 1, error));
        BT_TRY(bt_buffer_add(out, p, 1, error));
    }
    return BAUTA_OK;
}

/* Texts of a list, separated by commas. */
static bauta_status compose_list(const bt_yaml *list, const char *special, bt_buffer *out,
                                 bauta_error *error)
{
    for (const bt_yaml *item = list->first; item; item = item->next) {
        BT_TRY(need_text(item, error));
        if (item != list->first) BT_TRY(put_text(out, ",", error));
        BT_TRY(put_escaped(out, item->text, special, error));
    }
    return BAUTA_OK;
}

/* "name=value" of a map's entries, but for the key `without`, separated by commas. */
static bauta_status compose_pairs(const bt_yaml *map, const char *without, const char *special,
                                  bt_buffer *out, bauta_error *error)
{
    const char *separator = "";
    for (const bt_yaml *item = map->first; item; item = item->next) {
        if (without && strcmp(item->key, without) == 0) continue;
        bool list = without && item->kind == BT_YAML_LIST;
        if (!list) BT_TRY(need_text(item, error));
        BT_TRY(put_text(out, separator, error));
        BT_TRY(put_text(out, item->key, error));
        BT_TRY(put_text(out, "=", error));
        BT_TRY(list ? compose_list(item, special, out, error)
                    : put_escaped(out, item->text, special, error));
        separator = ",";
    }
    return BAUTA_OK;
}

/* Values of a list within a requirement or of one column, separated by '|'; the missing value alone
 * is "|". */
static bauta_status compose_values(const bt_yaml *list, const char *special, bt_buffer *out,
                                   bauta_error *error)
{
    const bt_yaml *only = list->first && !list->first->next ? list->first : NULL;
    if (only && only->kind == BT_YAML_TEXT && only->text && only->text[0] == '\0')
        return put_text(out, "|", error);
    for (const bt_yaml *item = list->first; item; item = item->next) {
        BT_TRY(need_text(item, error));
        if (item != list->first) BT_TRY(put_text(out, "|", error));
        BT_TRY(put_escaped(out, item->text, special, error));
    }
    return BAUTA_OK;
}

/* The parameters of a requirement: text, or a list of texts and of lists of values, "0.5:a|b". */
static bauta_status compose_parameters(const bt_yaml *node, bt_buffer *out, bauta_error *error)
{
    if (node->kind != BT_YAML_LIST) {
        BT_TRY(need_text(node, error));
        return put_text(out, node->text, error);
    }
    for (const bt_yaml *item = node->first; item; item = item->next) {
        if (item != node->first) BT_TRY(put_text(out, ":", error));
        if (item->kind == BT_YAML_LIST) {
            BT_TRY(compose_values(item, "\\,:|", out, error));
            continue;
        }
        BT_TRY(need_text(item, error));
        BT_TRY(put_text(out, item->text, error));
    }
    return BAUTA_OK;
}

/* Requirements as a map of names, or a list of texts and of such maps. */
static bauta_status compose_requirements(const bt_yaml *node, bt_buffer *out, bauta_error *error)
{
    for (const bt_yaml *item = node->first; item; item = item->next) {
        if (item != node->first) BT_TRY(put_text(out, ",", error));
        if (node->kind == BT_YAML_LIST && item->kind == BT_YAML_TEXT) {
            BT_TRY(need_text(item, error));
            BT_TRY(put_text(out, item->text, error));
            continue;
        }
        const bt_yaml *named = node->kind == BT_YAML_LIST ? item->first : item;
        if (!named || (named != item && (item->kind != BT_YAML_MAP || named->next)))
            return bt_yaml_fail(item, error, "a requirement must be text or a name with a value");
        BT_TRY(put_text(out, named->key, error));
        BT_TRY(put_text(out, "=", error));
        BT_TRY(compose_parameters(named, out, error));
    }
    return BAUTA_OK;
}

static bauta_status compose_choice(const bt_recipe_key *key, const bt_yaml *map, bt_buffer *out,
                                   bauta_error *error)
{
    const bt_yaml *chosen = map->first;
    while (chosen && strcmp(chosen->key, key->chooses) != 0)
        chosen = chosen->next;
    if (!chosen) return bt_yaml_fail(map, error, "'%s' needs the key '%s'", map->key, key->chooses);
    BT_TRY(need_text(chosen, error));
    BT_TRY(put_text(out, chosen->text, error));
    if (map->first->next) BT_TRY(put_text(out, ":", error));
    return compose_pairs(map, key->chooses, ",\\", out, error);
}

static bauta_status compose(const bt_recipe_key *key, const bt_yaml *node, bt_buffer *out,
                            bauta_error *error)
{
    if (node->kind == BT_YAML_LIST && (key->kind == BT_KEY_LIST || key->kind == BT_KEY_MARKS))
        return compose_list(node, "\\,=| \t", out, error);
    if (node->kind != BT_YAML_TEXT && key->kind == BT_KEY_REQUIRE)
        return compose_requirements(node, out, error);
    if (node->kind == BT_YAML_MAP && key->kind == BT_KEY_CHOICE)
        return compose_choice(key, node, out, error);
    if (node->kind == BT_YAML_MAP && key->kind == BT_KEY_LIST)
        return bt_yaml_fail(node, error, "'%s' must be text or a list", node->key);
    BT_TRY(need_text(node, error));
    return put_text(out, node->text, error);
}

static bauta_status set_composed(bauta_recipe *recipe, const bt_recipe_key *key,
                                 const bt_yaml *node, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    BT_TRY(compose(key, node, &text, error));
    BT_TRY(bt_buffer_add(&text, "", 1, error));
    return set_text(recipe, key, node, text.bytes, error);
}

/* ---- columns ---- */

static bauta_status unknown_word(const bt_yaml *node, const char *what, const char *word,
                                 const char *const *known, size_t count, bauta_error *error)
{
    bauta_status status = bt_yaml_fail(node, error, "there is no %s '%s'", what, word);
    const char *near = bt_text_nearest(word, known, count);
    if (near) bt_error_hint(error, "did you mean '%s'?", near);
    return status;
}

static bauta_status load_role(bauta_recipe *recipe, const char *column, const bt_yaml *node,
                              bauta_error *error)
{
    static const char *const names[] = {"identifier", "quasi",   "sensitive",
                                        "other",      "dropped", "drop"};
    static const bt_role roles[] = {BT_ROLE_IDENTIFIER, BT_ROLE_QUASI,   BT_ROLE_SENSITIVE,
                                    BT_ROLE_OTHER,      BT_ROLE_DROPPED, BT_ROLE_DROPPED};
    BT_TRY(need_text(node, error));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], node->text) == 0)
            return located(node, bt_recipe_set_role(recipe, column, roles[i], error), error);
    return unknown_word(node, "role", node->text, names, sizeof names / sizeof *names, error);
}

/* A value of a COL=VALUE key, given apart from its column. */
static bauta_status load_pair(bauta_recipe *recipe, const char *key_name, const char *column,
                              const bt_yaml *node, bauta_error *error)
{
    const bt_recipe_key *key = bt_recipe_find_key(key_name);
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    BT_TRY(need_text(node, error));
    BT_TRY(put_escaped(&text, column, "\\=", error));
    BT_TRY(put_text(&text, "=", error));
    BT_TRY(bt_buffer_add(&text, node->text, strlen(node->text) + 1, error));
    return set_text(recipe, key, node, text.bytes, error);
}

/* The text or the texts that mean missing in one column. */
static bauta_status load_missing(bauta_recipe *recipe, const char *column, const bt_yaml *node,
                                 bauta_error *error)
{
    static const char special[] = "\\,=| \t";
    const bt_recipe_key *key = bt_recipe_find_key("missing-values");
    bool list = node->kind == BT_YAML_LIST;
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    if (!list) BT_TRY(need_text(node, error));
    BT_TRY(put_escaped(&text, column, special, error));
    BT_TRY(put_text(&text, "=", error));
    BT_TRY(list ? compose_values(node, special, &text, error)
                : put_escaped(&text, node->text, special, error));
    BT_TRY(bt_buffer_add(&text, "", 1, error));
    return set_text(recipe, key, node, text.bytes, error);
}

static bauta_status load_hierarchy(bauta_recipe *recipe, const char *column, const bt_yaml *node,
                                   bauta_error *error)
{
    if (node->kind != BT_YAML_MAP) return load_pair(recipe, "hierarchy", column, node, error);
    const bt_yaml *tree = node->first;
    if (!tree || tree->next || strcmp(tree->key, "tree") != 0)
        return bt_yaml_fail(node, error, "a hierarchy is a text or a map with the one key 'tree'");
    bt_hierarchy_source source;
    BT_TRY(bt_inline_tree(tree, &recipe->arena, &source, error));
    return located(node, bt_recipe_set_hierarchy(recipe, column, &source, error), error);
}

static bauta_status load_categories(bauta_recipe *recipe, const char *column, const bt_yaml *node,
                                    bauta_error *error)
{
    if (node->kind == BT_YAML_TEXT) return load_pair(recipe, "categories", column, node, error);
    bt_categories_source source;
    BT_TRY(bt_inline_categories(node, &recipe->arena, &source, error));
    return located(node, bt_recipe_set_categories(recipe, column, &source, error), error);
}

/* `public` beside a hierarchy: yes or no. */
static bauta_status load_public(bauta_recipe *recipe, const char *column, const bt_yaml *node,
                                bauta_error *error)
{
    BT_TRY(need_text(node, error));
    bool yes = strcmp(node->text, "yes") == 0 || strcmp(node->text, "true") == 0;
    if (!yes && strcmp(node->text, "no") != 0 && strcmp(node->text, "false") != 0)
        return bt_yaml_fail(node, error, "'public' of a column must be yes or no");
    return yes ? located(node, bt_recipe_set_public(recipe, column, error), error) : BAUTA_OK;
}

static bool is_one_of(const char *word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0) return true;
    return false;
}

static bauta_status load_column(bauta_recipe *recipe, const bt_yaml *column, bauta_error *error)
{
    static const char *const names[] = {"role",           "type",      "hierarchy", "categories",
                                        "weight",         "min-level", "max-level", "cut-points",
                                        "missing-values", "public"};
    if (column->kind == BT_YAML_TEXT) return load_role(recipe, column->key, column, error);
    if (column->kind != BT_YAML_MAP)
        return bt_yaml_fail(column, error, "column '%s' needs a role or a map", column->key);
    for (const bt_yaml *item = column->first; item; item = item->next) {
        if (strcmp(item->key, "role") == 0)
            BT_TRY(load_role(recipe, column->key, item, error));
        else if (strcmp(item->key, "hierarchy") == 0)
            BT_TRY(load_hierarchy(recipe, column->key, item, error));
        else if (strcmp(item->key, "categories") == 0)
            BT_TRY(load_categories(recipe, column->key, item, error));
        else if (strcmp(item->key, "missing-values") == 0)
            BT_TRY(load_missing(recipe, column->key, item, error));
        else if (strcmp(item->key, "public") == 0)
            BT_TRY(load_public(recipe, column->key, item, error));
        else if (is_one_of(item->key, names, sizeof names / sizeof *names))
            BT_TRY(load_pair(recipe, item->key, column->key, item, error));
        else
            return unknown_word(item, "column key", item->key, names, sizeof names / sizeof *names,
                                error);
    }
    return BAUTA_OK;
}

static bauta_status load_columns(bauta_recipe *recipe, const bt_yaml *node, bauta_error *error)
{
    if (node->kind != BT_YAML_MAP)
        return bt_yaml_fail(node, error, "'columns' must be a map of column names");
    for (const bt_yaml *column = node->first; column; column = column->next)
        BT_TRY(load_column(recipe, column, error));
    return BAUTA_OK;
}

static bauta_status load_rest(bauta_recipe *recipe, const bt_yaml *node, bauta_error *error)
{
    BT_TRY(need_text(node, error));
    bool other = strcmp(node->text, "other") == 0;
    if (!other && strcmp(node->text, "drop") != 0)
        return bt_yaml_fail(node, error, "'rest' must be 'drop' or 'other'");
    return located(node, bt_recipe_set_rest(recipe, other ? BT_ROLE_OTHER : BT_ROLE_DROPPED, error),
                   error);
}

/* ---- keys ---- */

/* `hierarchy`, `categories`, `type` and their like: COL=VALUE, a list of them, or a map. */
static bauta_status load_pairs(bauta_recipe *recipe, const bt_recipe_key *key, const bt_yaml *node,
                               bauta_error *error)
{
    bool is_hierarchy = strcmp(key->key.name, "hierarchy") == 0;
    bool is_categories = strcmp(key->key.name, "categories") == 0;
    if (node->kind == BT_YAML_TEXT) return set_composed(recipe, key, node, error);
    for (const bt_yaml *item = node->first; item; item = item->next) {
        if (!item->key)
            BT_TRY(set_composed(recipe, key, item, error));
        else if (is_hierarchy)
            BT_TRY(load_hierarchy(recipe, item->key, item, error));
        else if (is_categories)
            BT_TRY(load_categories(recipe, item->key, item, error));
        else
            BT_TRY(load_pair(recipe, key->key.name, item->key, item, error));
    }
    return BAUTA_OK;
}

static bauta_status load_marks(bauta_recipe *recipe, const bt_recipe_key *key, const bt_yaml *node,
                               bauta_error *error)
{
    if (node->kind != BT_YAML_MAP) return set_composed(recipe, key, node, error);
    for (const bt_yaml *item = node->first; item; item = item->next)
        BT_TRY(load_missing(recipe, item->key, item, error));
    return BAUTA_OK;
}

static bauta_status load_repeated(bauta_recipe *recipe, const bt_recipe_key *key,
                                  const bt_yaml *node, bauta_error *error)
{
    if (node->kind != BT_YAML_LIST) return set_composed(recipe, key, node, error);
    for (const bt_yaml *item = node->first; item; item = item->next)
        BT_TRY(set_composed(recipe, key, item, error));
    return BAUTA_OK;
}

/* A flag replaces what the file says, but for keys about columns, where it does so column by
 * column. The two seed keys exclude each other. */
static bool replaced_by_flag(const bauta_recipe *recipe, const bt_recipe_key *key)
{
    bool by_column = key->kind == BT_KEY_PAIR || key->kind == BT_KEY_MARKS;
    if (by_column || key->role != BT_ROLE_NONE) return false;
    for (size_t i = 0; i < bt_recipe_key_count; i++) {
        const bt_recipe_key *other = &bt_recipe_keys[i];
        bool same =
            other == key || (other->excludes && strcmp(other->excludes, key->key.name) == 0);
        if (same && (recipe->given >> i & 1)) return true;
    }
    return false;
}

static bauta_status load_key(bauta_recipe *recipe, const bt_yaml *node, uint64_t *loaded,
                             bauta_error *error)
{
    if (strcmp(node->key, "columns") == 0) return load_columns(recipe, node, error);
    if (strcmp(node->key, "rest") == 0) return load_rest(recipe, node, error);
    const bt_recipe_key *key = bt_recipe_find_key(node->key);
    if (!key) return located(node, bt_recipe_unknown_key(node->key, error), error);
    if (replaced_by_flag(recipe, key)) return BAUTA_OK;
    *loaded |= UINT64_C(1) << (key - bt_recipe_keys);
    recipe->places[key - bt_recipe_keys].line = node->line;
    recipe->places[key - bt_recipe_keys].column = node->column;
    switch (key->kind) {
    case BT_KEY_PAIR: return load_pairs(recipe, key, node, error);
    case BT_KEY_MARKS: return load_marks(recipe, key, node, error);
    case BT_KEY_FILES: return load_repeated(recipe, key, node, error);
    default: return set_composed(recipe, key, node, error);
    }
}

static bauta_status load_root(bauta_recipe *recipe, const bt_yaml *root, uint64_t *loaded,
                              bauta_error *error)
{
    if (!root) return BAUTA_OK;
    if (root->kind == BT_YAML_TEXT && !root->text) return BAUTA_OK;
    if (root->kind != BT_YAML_MAP) {
        bauta_status status = bt_yaml_fail(root, error, "a recipe is a map of keys to values");
        bt_error_hint(error, "'bauta init FILE' writes one");
        return status;
    }
    for (const bt_yaml *node = root->first; node; node = node->next)
        BT_TRY(load_key(recipe, node, loaded, error));
    return BAUTA_OK;
}

/* What the file said now counts as given, so that a second file does not change it. */
static void settle(bauta_recipe *recipe, uint64_t loaded)
{
    recipe->given |= loaded;
    recipe->rest_given = recipe->rest != BT_ROLE_NONE;
    recipe->missing_values_given = recipe->missing_values.count > 0;
    for (size_t i = 0; i < recipe->column_count; i++) {
        bt_column_recipe *column = &recipe->columns[i];
        column->role_given = column->role != BT_ROLE_NONE;
        column->type_given = column->has_type;
        column->hierarchy_given = column->has_hierarchy;
        column->categories_given = column->has_categories;
        column->cut_points_given = column->cut_points != NULL;
        column->missing_given = column->missing_count > 0;
        for (size_t s = 0; s < BT_STEERS; s++)
            column->steers_given[s] = column->steers[s].bottom != 0;
    }
}

/* ---- the file ---- */

bauta_status bt_recipe_load_text(bauta_recipe *recipe, const char *file, const char *text,
                                 size_t length, bauta_error *error)
{
    bt_yaml *root;
    uint64_t loaded = 0;
    const char *slash = strrchr(file, '/');
    recipe->folder = bt_arena_copy(&recipe->arena, file, slash ? (size_t)(slash - file) + 1 : 0);
    recipe->file = bt_arena_copy(&recipe->arena, file, strlen(file));
    if (!recipe->folder || !recipe->file) return bt_fail_memory(error);
    bauta_status status = bt_yaml_parse(text, length, &recipe->arena, &root, error);
    recipe->loading = true;
    if (status == BAUTA_OK) status = load_root(recipe, root, &loaded, error);
    recipe->loading = false;
    if (status == BAUTA_OK)
        settle(recipe, loaded);
    else if (status == BAUTA_INVALID)
        bt_error_place(error, file, -1, NULL);
    return status;
}

static bauta_status read_file(const char *file, bt_buffer *out, bauta_error *error)
{
    int descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        bool absent = errno == ENOENT; /* the wrong name, not a fault of the system */
        bauta_status failed = bt_fail_errno(error, "cannot open recipe", file);
        if (absent && error) error->status = BAUTA_INVALID;
        return absent ? BAUTA_INVALID : failed;
    }
    bauta_status status = BAUTA_OK;
    ssize_t got = 1;
    while (status == BAUTA_OK && got != 0 && out->length <= BT_YAML_BYTES) {
        status = bt_buffer_reserve(out, 64 * 1024, error);
        if (status != BAUTA_OK) break;
        got = read(descriptor, out->bytes + out->length, 64 * 1024);
        if (got > 0) out->length += (size_t)got;
        if (got < 0 && errno != EINTR) status = bt_fail_errno(error, "cannot read recipe", file);
    }
    close(descriptor);
    return status;
}

bauta_status bt_recipe_load(bauta_recipe *recipe, const char *file, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    BT_TRY(read_file(file, &text, error));
    return bt_recipe_load_text(recipe, file, text.bytes, text.length, error);
}
