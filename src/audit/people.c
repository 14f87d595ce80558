/* SPDX-License-Identifier: Apache-2.0
 *
 * From the sensitive columns of a release to people.
 */
#include "audit/people.h"

#include "class/weights.h"
#include "require/targets.h"

#include <string.h>

typedef struct people_parts { /* one entry per sensitive column of the release */
    bt_sensitive *sensitive;
    void **codes;
    unsigned *widths;
    size_t count;
} people_parts;

static bauta_status not_listed(const bt_release_column *column, bauta_error *error)
{
    return bt_fail(error, BAUTA_INVALID, "column '%s' holds values that the manifest does not list",
                   column->manifest->name);
}

/* Values without a hierarchy, laid out as the publisher did: numbers ranked. */
static bauta_status describe_values(const bt_release_column *column, bt_arena *arena,
                                    uint32_t *code_of, bt_sensitive *out, bauta_error *error)
{
    const bt_missing none = {0};
    bt_domain_options options = {.missing = &none,
                                 .has_type = true,
                                 .type = column->manifest->type,
                                 .column = column->manifest->name};
    bt_domain domain;
    BT_TRY(bt_domain_build(column->values, &options, arena, &domain, code_of, error));
    out->size = domain.size;
    out->text = domain.text;
    out->number = domain.number;
    return BAUTA_OK;
}

/* Values with a hierarchy, in the order of its leaves, whether they occur or not. */
static bauta_status describe_leaves(const bt_release_column *column, bt_arena *arena,
                                    uint32_t *code_of, bt_sensitive *out, bauta_error *error)
{
    const bt_hierarchy *tree = out->hierarchy = column->manifest->hierarchy;
    const bt_reading reading = bt_release_reading(column->manifest);
    const char **text = bt_arena_array(arena, tree->leaves, sizeof *text);
    int64_t *number = bt_arena_array(arena, tree->leaves, sizeof *number);
    if (!text || !number) return bt_fail_memory(error);
    for (uint32_t code = 0; code < tree->leaves; code++) {
        text[code] = tree->nodes[tree->leaf_node[code]].name;
        size_t length = strlen(text[code]);
        if (reading.type != BT_TEXT && length > 0 &&
            !bt_value_number(&reading, text[code], length, column->manifest->scale, &number[code]))
            return not_listed(column, error);
    }
    memcpy(code_of, column->leaf, column->values->count * sizeof *code_of);
    out->size = tree->leaves;
    out->text = text;
    out->number = reading.type != BT_TEXT ? number : NULL;
    return BAUTA_OK;
}

/* Only the categories are published: they take the place of the values. */
static bauta_status describe_categories(const bt_release_column *column, bt_arena *arena,
                                        uint32_t *code_of, bt_sensitive *out, bauta_error *error)
{
    const char **text = bt_arena_array(arena, column->category_count, sizeof *text);
    if (!text) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->category_count; i++)
        text[i] = column->categories[i].name;
    memcpy(code_of, column->category, column->values->count * sizeof *code_of);
    out->size = column->category_count;
    out->text = text;
    out->type = BT_TEXT;
    out->only_categories = true;
    return BAUTA_OK;
}

static bauta_status add_categories(const bt_release_column *column, const uint32_t *code_of,
                                   bt_arena *arena, bt_sensitive *out, bauta_error *error)
{
    bt_categories *categories = bt_arena_array(arena, 1, sizeof *categories);
    uint32_t *of_code = bt_arena_array(arena, out->size, sizeof *of_code);
    const char **names = bt_arena_array(arena, column->category_count, sizeof *names);
    if (!categories || !of_code || !names) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->category_count; i++)
        names[i] = column->categories[i].name;
    for (uint32_t i = 0; i < column->values->count; i++)
        of_code[code_of[i]] = column->category[i];
    *categories = (bt_categories){column->category_count, of_code, names};
    out->categories = categories;
    return BAUTA_OK;
}

static bauta_status describe(const bt_release_column *column, bt_arena *arena, uint32_t *code_of,
                             bt_sensitive *out, bauta_error *error)
{
    *out = (bt_sensitive){
        .name = column->manifest->name, .type = column->manifest->type, .published = true};
    for (uint32_t i = 0; i < column->values->count; i++)
        if ((column->category && column->category[i] == BT_NOT_KNOWN) ||
            (column->leaf && column->leaf[i] == BT_NOT_KNOWN))
            return not_listed(column, error);
    if (bt_shows_categories(column->manifest))
        BT_TRY(describe_categories(column, arena, code_of, out, error));
    else if (column->leaf)
        BT_TRY(describe_leaves(column, arena, code_of, out, error));
    else
        BT_TRY(describe_values(column, arena, code_of, out, error));
    return column->category ? add_categories(column, code_of, arena, out, error) : BAUTA_OK;
}

static bauta_status add_column(const bt_release *release, const bt_release_column *column,
                               bt_arena *arena, people_parts *parts, bauta_error *error)
{
    bt_sensitive *sensitive = &parts->sensitive[parts->count];
    uint32_t *code_of = bt_arena_array(arena, column->values->count, sizeof *code_of);
    if (!code_of) return bt_fail_memory(error);
    BT_TRY(describe(column, arena, code_of, sensitive, error));
    unsigned width = bt_code_width(sensitive->size);
    int64_t rows = bt_sensitive_rows(release);
    char *codes = bt_array((size_t)rows, width);
    if (!codes) return bt_fail_memory(error);
    for (int64_t row = 0; row < rows; row++) {
        uint32_t code = code_of[bt_code_at(column->codes, column->width, row)];
        memcpy(codes + (size_t)row * width, &code, width);
    }
    parts->codes[parts->count] = codes;
    parts->widths[parts->count++] = width;
    return BAUTA_OK;
}

bauta_status bt_audit_people(const bt_release *release, const bt_row_persons *persons,
                             bt_arena *arena, bt_people *out, bauta_error *error)
{
    people_parts parts = {0};
    parts.sensitive = bt_arena_array(arena, release->column_count, sizeof *parts.sensitive);
    parts.codes = bt_arena_array(arena, release->column_count, sizeof *parts.codes);
    parts.widths = bt_arena_array(arena, release->column_count, sizeof *parts.widths);
    if (!parts.sensitive || !parts.codes || !parts.widths) return bt_fail_memory(error);
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < release->column_count && status == BAUTA_OK; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role == BT_ROLE_SENSITIVE && !bt_is_companion(column->manifest))
            status = add_column(release, column, arena, &parts, error);
    }
    if (status == BAUTA_OK)
        status = bt_people_make(parts.sensitive, (const void *const *)parts.codes, parts.widths,
                                parts.count, bt_sensitive_rows(release), persons->subject_of,
                                persons->subjects, out, error);
    for (size_t i = 0; i < parts.count; i++)
        free(parts.codes[i]);
    return status;
}

/* ---- distribution: every value of the domain once ---------------------------------------- */

static bauta_status categorize_leaves(const bt_manifest_column *column, bt_arena *arena,
                                      bt_sensitive *out, bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    bt_categories *categories = bt_arena_array(arena, 1, sizeof *categories);
    uint32_t *of_code = bt_arena_array(arena, tree->leaves, sizeof *of_code);
    const char **names = bt_arena_array(arena, column->category_count, sizeof *names);
    if (!categories || !of_code || !names) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->category_count; i++) {
        names[i] = column->categories[i].name;
        for (size_t v = 0; v < column->categories[i].count; v++) {
            const char *text = column->categories[i].values[v];
            uint32_t node = bt_hierarchy_find(tree, text, strlen(text));
            if (node != UINT32_MAX && tree->nodes[node].children == 0)
                of_code[tree->nodes[node].lo] = i;
        }
    }
    *categories = (bt_categories){column->category_count, of_code, names};
    out->categories = categories;
    return BAUTA_OK;
}

/* The domain as requirements see it. */
static bauta_status describe_domain(const bt_manifest_column *column, bt_arena *arena,
                                    bt_sensitive *out, bauta_error *error)
{
    const bt_hierarchy *tree = column->hierarchy;
    const char **text = bt_arena_array(arena, tree->leaves, sizeof *text);
    int64_t *numbers;
    if (!text) return bt_fail_memory(error);
    BT_TRY(bt_leaf_numbers(tree, column->type, column->scale, arena, &numbers, error));
    for (uint32_t code = 0; code < tree->leaves; code++)
        text[code] = tree->nodes[tree->leaf_node[code]].name;
    *out = (bt_sensitive){.name = column->name,
                          .size = tree->leaves,
                          .text = text,
                          .type = column->type,
                          .number = numbers,
                          .hierarchy = tree,
                          .published = true};
    return column->categories ? categorize_leaves(column, arena, out, error) : BAUTA_OK;
}

bauta_status bt_audit_believed(const bt_release *release, bt_arena *arena, bt_people *people,
                               bt_requirements *out, bauta_error *error)
{
    bt_sensitive column;
    if (release->manifest.unread)
        return bt_fail(error, BAUTA_INVALID, "not a promise that this version knows");
    BT_TRY(describe_domain(release->distribution.sensitive->manifest, arena, &column, error));
    return bt_target_requirements(&release->manifest.promises, &column, people, arena, out, error);
}
