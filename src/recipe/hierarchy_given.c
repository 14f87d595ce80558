/* SPDX-License-Identifier: Apache-2.0
 *
 * Given trees: from the paths of the leaves (rows of a file, of an inline tree or of a
 * manifest) to a hierarchy and the domain it defines. Expected linear time.
 */
#include "recipe/given.h"

#include "recipe/tree.h"

#include <string.h>

/* Scope of the leaves in the label map; other scopes are the parents of inner nodes. */
enum { SCOPE_LEAVES = UINT32_MAX };

/* ---- rows ---- */

static bauta_status fail_row(const bt_given *given, uint32_t row, const char *what,
                             const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, given->tree.file, row, given->tree.column);
    bt_error_hint(error, "%s", hint);
    return status;
}

/* Walks from the top to the parent of the leaf, adding what is not there yet. */
static bauta_status grow_path(bt_given *given, const bt_label *labels, size_t count, uint32_t row,
                              uint32_t *parent, bauta_error *error)
{
    bt_tree *tree = &given->tree;
    *parent = 0;
    for (size_t level = count; level-- > 1;) {
        const bt_label *label = &labels[level];
        if (label->length == 0) continue;
        if (label->length == 1 && label->bytes[0] == '*')
            return fail_row(given, row, "a '*' stands below another label",
                            "'*' is the top of the tree and stands only at the end of a row",
                            error);
        bt_label_entry *entry;
        bool fresh;
        BT_TRY(bt_label_map_put(&given->map, *parent, label->bytes, label->length, &entry, &fresh,
                                error));
        if (fresh) {
            entry->text = bt_arena_copy(tree->arena, label->bytes, label->length);
            if (!entry->text) return bt_fail_memory(error);
            BT_TRY(bt_tree_add(tree, *parent, (uint32_t)level, entry->text, &entry->value, error));
            tree->nodes[entry->value].row = row;
        }
        *parent = entry->value;
        if (tree->nodes[*parent].level < level) tree->nodes[*parent].level = (uint32_t)level;
    }
    return BAUTA_OK;
}

static bauta_status put_leaf(bt_given *given, const char *text, size_t length, uint32_t parent,
                             uint32_t row, bauta_error *error)
{
    bt_tree *tree = &given->tree;
    bt_label_entry *entry;
    bool fresh;
    BT_TRY(bt_label_map_put(&given->map, SCOPE_LEAVES, text, length, &entry, &fresh, error));
    if (!fresh) {
        if (tree->nodes[entry->value].parent == parent) return BAUTA_OK;
        return fail_row(given, row, "the value of this row has another path in an earlier row",
                        "a value may stand in one place of the tree only", error);
    }
    entry->text = bt_arena_copy(tree->arena, text, length);
    if (!entry->text) return bt_fail_memory(error);
    entry->value = (uint32_t)tree->count;
    BT_TRY(bt_tree_leaf(tree, parent, entry->text, error));
    tree->nodes[tree->count - 1].row = row;
    return BAUTA_OK;
}

bauta_status bt_given_row(bt_given *given, const bt_label *labels, size_t count, uint32_t row,
                          bauta_error *error)
{
    while (count > 1 && (labels[count - 1].length == 0 ||
                         (labels[count - 1].length == 1 && labels[count - 1].bytes[0] == '*')))
        count--;
    if (count > BT_LEVELS_MOST - 1)
        return fail_row(given, row, "the row has too many levels",
                        "hierarchies have at most 1000 levels, '*' included", error);
    if (count == 0 || labels[0].length == 0) {
        /* Where there is no domain, an empty leaf says that there is a missing value. */
        given->missing |= !given->domain;
        return BAUTA_OK;
    }
    char printed[BT_NUMBER_TEXT];
    const char *leaf = labels[0].bytes;
    size_t length = labels[0].length;
    /* Canonical texts too, so that a hierarchy that was written can be read again. */
    if (given->domain && !bt_domain_canonical(given->domain, &leaf, &length, printed)) {
        bauta_status status =
            bt_fail(error, BAUTA_INVALID, "the value of this row is not of type %s, as column '%s'",
                    bt_type_name(given->domain->reading.type), given->tree.column);
        bt_error_place(error, given->tree.file, row, given->tree.column);
        bt_error_hint(error, "the first field of a row is a value of the column; a header and a "
                             "row for the missing value are not needed");
        return status;
    }
    uint32_t parent;
    BT_TRY(grow_path(given, labels, count, row, &parent, error));
    return put_leaf(given, leaf, length, parent, row, error);
}

bauta_status bt_given_init(bt_given *given, const bt_domain *domain, bt_arena *arena,
                           const char *column, const char *file, bauta_error *error)
{
    *given = (bt_given){.domain = domain};
    return bt_tree_init(&given->tree, arena, column, file, error);
}

void bt_given_release(bt_given *given)
{
    bt_tree_release(&given->tree);
    bt_label_map_release(&given->map);
}

/* ---- the domain ---- */

/* Fails when a value of the data is no leaf; else fills old_leaf[old code]. */
static bauta_status match_domain(const bt_given *given, uint32_t *old_leaf, bauta_error *error)
{
    const bt_domain *domain = given->domain;
    const bt_tree *tree = &given->tree;
    uint32_t present = bt_domain_present(domain), absent = 0;
    for (uint32_t code = 0; code < present; code++) {
        const char *text = domain->text[code];
        const bt_label_entry *entry =
            bt_label_map_find(&given->map, SCOPE_LEAVES, text, strlen(text));
        absent += entry == NULL;
        old_leaf[code] = entry ? tree->nodes[entry->value].leaf : 0;
    }
    if (domain->has_missing) old_leaf[present] = tree->leaves - 1;
    if (absent == 0) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the hierarchy of column '%s' lacks %u of its %u distinct values",
                                  tree->column, absent, present);
    bt_error_place(error, tree->file, -1, tree->column);
    bt_error_hint(error, "add a row to the %s for each value that is not there yet",
                  tree->file ? "file" : "tree");
    return status;
}

/* The numbers of the leaves, at the scale that all of them need. */
static bauta_status read_numbers(const bt_given *given, int *scale, int64_t *numbers,
                                 bauta_error *error)
{
    const bt_tree *tree = &given->tree;
    const bt_reading reading = {.type = given->domain->reading.type, .date_form = BT_FORM_YMD};
    for (size_t i = 1; reading.type == BT_DECIMAL && i < tree->count; i++) {
        const char *name = tree->nodes[i].name;
        if (tree->nodes[i].leaf == BT_NO_LEAF) continue;
        int own = bt_value_scale(name, strlen(name), false);
        if (own > *scale) *scale = own;
    }
    for (size_t i = 1; i < tree->count; i++) {
        const bt_tree_node *node = &tree->nodes[i];
        if (node->leaf == BT_NO_LEAF) continue;
        if (node->name[0] == '\0')
            numbers[node->leaf] = INT64_MAX; /* the missing value: behind all others */
        else if (!bt_value_number(&reading, node->name, strlen(node->name), *scale,
                                  &numbers[node->leaf]))
            return fail_row(given, node->row, "the values of the hierarchy need too many digits",
                            "numbers have 18 digits at most, at the finest scale that is used",
                            error);
    }
    return BAUTA_OK;
}

static bauta_status replace_domain(const bt_given *given, int scale, const int64_t *numbers,
                                   const uint32_t *code_of_leaf, bt_domain *domain,
                                   bauta_error *error)
{
    const bt_tree *tree = &given->tree;
    const char **text = bt_arena_array(tree->arena, tree->leaves, sizeof *text);
    int64_t *number = numbers ? bt_arena_array(tree->arena, tree->leaves, sizeof *number) : NULL;
    if (!text || (numbers && !number)) return bt_fail_memory(error);
    for (size_t i = 1; i < tree->count; i++) {
        const bt_tree_node *node = &tree->nodes[i];
        if (node->leaf == BT_NO_LEAF) continue;
        uint32_t code = code_of_leaf[node->leaf];
        text[code] = node->name;
        if (number) number[code] = node->name[0] ? numbers[node->leaf] : 0;
    }
    domain->size = tree->leaves;
    domain->text = text;
    domain->number = number;
    domain->scale = scale;
    return BAUTA_OK;
}

bauta_status bt_given_finish(bt_given *given, const bt_hierarchy_job *job, const char *spec,
                             bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    bt_domain *domain = job->domain;
    bt_tree *tree = &given->tree;
    if (domain->has_missing) BT_TRY(bt_tree_leaf(tree, 0, "", error));
    int scale = domain->scale;
    uint32_t *code_of_leaf = bt_arena_array(&scratch, tree->leaves, sizeof *code_of_leaf);
    int64_t *numbers = NULL;
    if (domain->reading.type != BT_TEXT)
        numbers = bt_arena_array(&scratch, tree->leaves, sizeof *numbers);
    BT_TRY(bt_arena_check(&scratch, error));
    BT_TRY(match_domain(given, job->new_code, error));
    if (numbers) BT_TRY(read_numbers(given, &scale, numbers, error));
    BT_TRY(bt_tree_lay_out(tree, numbers, spec, true, code_of_leaf, job->out, error));
    for (uint32_t old = 0; old < domain->size; old++)
        job->new_code[old] = code_of_leaf[job->new_code[old]];
    return replace_domain(given, scale, numbers, code_of_leaf, domain, error);
}

/* ---- rows that are not in a file ---- */

static bauta_status put_path(bt_given *given, const char *const *path, size_t length, uint32_t row,
                             bauta_error *error)
{
    bt_label labels[BT_LEVELS_MOST];
    if (length > BT_LEVELS_MOST)
        return fail_row(given, row, "the row has too many levels",
                        "hierarchies have at most 1000 levels, '*' included", error);
    for (size_t i = 0; i < length; i++) {
        size_t bytes = strlen(path[i]);
        if (bytes > UINT32_MAX)
            return fail_row(given, row, "a label is longer than 4 GiB", "shorten it", error);
        labels[i] = (bt_label){path[i], (uint32_t)bytes};
    }
    return bt_given_row(given, labels, length, row, error);
}

static bauta_status put_paths(bt_given *given, const char *const *const *paths,
                              const size_t *lengths, size_t count, bauta_error *error)
{
    if (count > UINT32_MAX / 4) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        BT_TRY(put_path(given, paths[i], lengths[i], (uint32_t)i + 1, error));
    return BAUTA_OK;
}

/* Values of the data that no row has. */
static bauta_status put_strangers(bt_given *given, bauta_error *error)
{
    for (uint32_t code = 0; code < bt_domain_present(given->domain); code++) {
        const char *text = given->domain->text[code];
        if (!bt_label_map_find(&given->map, SCOPE_LEAVES, text, strlen(text)))
            BT_TRY(put_leaf(given, text, strlen(text), 0, 0, error));
    }
    return BAUTA_OK;
}

bauta_status bt_hierarchy_from_rows(const bt_hierarchy_job *job, const bt_hierarchy_source *source,
                                    bauta_error *error)
{
    BT_OWN(bt_given_release) bt_given given = {0};
    BT_TRY(bt_given_init(&given, job->domain, job->arena, job->column, NULL, error));
    BT_TRY(put_paths(&given, source->paths, source->path_lengths, source->path_count, error));
    if (source->loose) BT_TRY(put_strangers(&given, error));
    return bt_given_finish(&given, job, "tree", error);
}

bauta_status bt_given_lay_out(bt_given *given, const char *spec, bt_hierarchy **out,
                              bauta_error *error)
{
    if (given->missing) BT_TRY(bt_tree_leaf(&given->tree, 0, "", error));
    BT_OWN(bt_free) uint32_t *code_of_leaf = bt_array(given->tree.leaves, sizeof *code_of_leaf);
    if (!code_of_leaf) return bt_fail_memory(error);
    return bt_tree_lay_out(&given->tree, NULL, spec, true, code_of_leaf, out, error);
}

bauta_status bt_hierarchy_from_paths(const char *const *const *paths, const size_t *path_lengths,
                                     size_t path_count, const char *spec, const char *column,
                                     bt_arena *arena, bt_hierarchy **out, bauta_error *error)
{
    BT_OWN(bt_given_release) bt_given given = {0};
    BT_TRY(bt_given_init(&given, NULL, arena, column, NULL, error));
    BT_TRY(put_paths(&given, paths, path_lengths, path_count, error));
    return bt_given_lay_out(&given, spec, out, error);
}
