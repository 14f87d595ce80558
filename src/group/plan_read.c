/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan from JSON, by anyone: every field is checked and unknown ones are refused. Whatever is
 * read is a plan that can be applied; what it makes of a table is judged as that of any grouping.
 */
#include "group/plan_json.h"

#include "recipe/hierarchy.h"
#include "recipe/names.h"

#include <string.h>

typedef struct reader {
    const char *file;
    bt_arena *arena;
    bauta_error *error;
    bt_plan *plan;
} reader;

static bauta_status wrong(const reader *r, const char *what)
{
    bauta_status status = bt_fail(r->error, BAUTA_INVALID, "this is no plan: %s", what);
    bt_error_place(r->error, r->file, -1, NULL);
    bt_error_hint(r->error, "--save-plan writes plans; a damaged one has to be made again");
    return status;
}

/* The object has these fields and no others; one with a question mark may be missing. */
static bauta_status check_fields(const reader *r, const json_t *object, const char *const *names)
{
    size_t found = 0;
    if (!json_is_object(object)) return wrong(r, "an object is missing");
    for (; *names; names++) {
        bool optional = (*names)[0] == '?';
        bool present = json_object_get(object, *names + optional) != NULL;
        if (!present && !optional) return wrong(r, "a field is missing");
        found += present;
    }
    return found == json_object_size(object) ? BAUTA_OK : wrong(r, "a field is not known");
}

static bauta_status read_text(const reader *r, const json_t *value, const char **out)
{
    if (!json_is_string(value)) return wrong(r, "a text is missing");
    if (strlen(json_string_value(value)) != json_string_length(value))
        return wrong(r, "a text has a zero byte");
    *out = bt_arena_copy(r->arena, json_string_value(value), json_string_length(value));
    return *out ? BAUTA_OK : bt_fail_memory(r->error);
}

static bauta_status read_number(const reader *r, const json_t *value, int64_t most, int64_t *out)
{
    *out = json_is_integer(value) ? json_integer_value(value) : -1;
    return *out >= 0 && *out <= most ? BAUTA_OK : wrong(r, "a number is not in its range");
}

static bauta_status read_texts(const reader *r, const json_t *list, const char *const **out,
                               size_t *count)
{
    if (!json_is_array(list)) return wrong(r, "a list is missing");
    *count = json_array_size(list);
    if (*count > UINT32_MAX / 4) return wrong(r, "a list is too long");
    const char **texts = bt_arena_array(r->arena, *count, sizeof *texts);
    if (!texts) return bt_fail_memory(r->error);
    for (size_t i = 0; i < *count; i++)
        BT_TRY(read_text(r, json_array_get(list, i), &texts[i]));
    *out = texts;
    return BAUTA_OK;
}

/* No text stands twice in the list, and none is empty. */
static bauta_status check_different(const reader *r, const char *const *texts, size_t count,
                                    bool may_be_empty)
{
    bt_names seen = {0};
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        bool fresh = true;
        if (!may_be_empty && texts[i][0] == '\0') status = wrong(r, "a value is empty");
        if (status == BAUTA_OK)
            status = bt_names_add(&seen, 0, texts[i], (uint32_t)i, &fresh, r->error);
        if (status == BAUTA_OK && !fresh) status = wrong(r, "a text stands twice in a list");
    }
    bt_names_release(&seen);
    return status;
}

/* ---- columns ----------------------------------------------------------------------------- */

static bauta_status read_paths(const reader *r, const json_t *list, bt_plan_column *out)
{
    if (!json_is_array(list)) return wrong(r, "a list is missing");
    out->path_count = json_array_size(list);
    const char *const **paths = bt_arena_array(r->arena, out->path_count, sizeof *paths);
    const char **leaves = bt_arena_array(r->arena, out->path_count, sizeof *leaves);
    out->path_lengths = bt_arena_array(r->arena, out->path_count, sizeof *out->path_lengths);
    if (!paths || !leaves || !out->path_lengths) return bt_fail_memory(r->error);
    for (size_t i = 0; i < out->path_count; i++) {
        BT_TRY(read_texts(r, json_array_get(list, i), &paths[i], &out->path_lengths[i]));
        if (out->path_lengths[i] == 0 || out->path_lengths[i] >= BT_LEVELS_MOST)
            return wrong(r, "a path has no leaf, or too many levels");
        leaves[i] = paths[i][0];
    }
    out->paths = paths;
    if (!out->values) { /* of levels: what the tree knows */
        out->values = leaves;
        out->value_count = (uint32_t)out->path_count;
    }
    return check_different(r, leaves, out->path_count, false);
}

static bauta_status read_tree(const reader *r, const json_t *object, bt_plan_column *out)
{
    static const char *const fields[] = {"spec", "public", "?paths", NULL};
    BT_TRY(check_fields(r, object, fields));
    BT_TRY(read_text(r, json_object_get(object, "spec"), &out->spec));
    const json_t *public = json_object_get(object, "public");
    if (!json_is_boolean(public)) return wrong(r, "'public' is neither true nor false");
    out->is_public = json_is_true(public);
    const json_t *paths = json_object_get(object, "paths");
    if (paths) return read_paths(r, paths, out);
    return bt_hierarchy_is_derived(out->spec) ? BAUTA_OK : wrong(r, "a tree has no paths");
}

static bauta_status read_column(const reader *r, const json_t *object, bt_plan_column *out)
{
    static const char *const of_boxes[] = {"name",   "type",    "?hierarchy", "?cut_points",
                                           "values", "missing", "cells",      NULL};
    static const char *const of_levels[] = {"name", "type", "?hierarchy", "level", NULL};
    bool boxes = r->plan->kind == BT_PLAN_BOXES;
    const char *type;
    size_t count = 0;
    int64_t level = 0;
    BT_TRY(check_fields(r, object, boxes ? of_boxes : of_levels));
    BT_TRY(read_text(r, json_object_get(object, "name"), &out->name));
    BT_TRY(read_text(r, json_object_get(object, "type"), &type));
    if (!bt_type_parse(type, &out->type)) return wrong(r, "a type is not known");
    if (boxes) {
        BT_TRY(read_texts(r, json_object_get(object, "values"), &out->values, &count));
        BT_TRY(check_different(r, out->values, count, false));
        out->value_count = (uint32_t)count;
        out->has_missing = json_is_true(json_object_get(object, "missing"));
        if (!json_is_boolean(json_object_get(object, "missing")))
            return wrong(r, "'missing' is neither true nor false");
        if (out->value_count + out->has_missing == 0) return wrong(r, "a column has no values");
        BT_TRY(read_texts(r, json_object_get(object, "cells"), &out->cells, &count));
        BT_TRY(check_different(r, out->cells, count, true));
        out->cell_count = (uint32_t)count;
    } else {
        BT_TRY(read_number(r, json_object_get(object, "level"), BT_LEVELS_MOST, &level));
        out->level = (uint32_t)level;
    }
    const json_t *tree = json_object_get(object, "hierarchy");
    const json_t *cuts = json_object_get(object, "cut_points");
    if (tree) BT_TRY(read_tree(r, tree, out));
    if (cuts) BT_TRY(read_text(r, cuts, &out->cut_points));
    return tree && cuts ? wrong(r, "a column with a hierarchy has cut points") : BAUTA_OK;
}

static bauta_status read_columns(const reader *r, const json_t *list)
{
    bt_plan *plan = r->plan;
    if (!json_is_array(list) || json_array_size(list) == 0) return wrong(r, "there is no column");
    plan->column_count = json_array_size(list);
    plan->columns = bt_arena_array(r->arena, plan->column_count, sizeof *plan->columns);
    const char **names = bt_arena_array(r->arena, plan->column_count, sizeof *names);
    if (!plan->columns || !names) return bt_fail_memory(r->error);
    for (size_t c = 0; c < plan->column_count; c++) {
        BT_TRY(read_column(r, json_array_get(list, c), &plan->columns[c]));
        names[c] = plan->columns[c].name;
    }
    return check_different(r, names, plan->column_count, true);
}

/* ---- classes ----------------------------------------------------------------------------- */

/* Above the records of any table: sums of numbers below fit 64 bits. */
#define NUMBER_MOST ((uint64_t)1 << 60)

/* `count` numbers with single blanks between them, each canonical. */
static bauta_status read_numbers(const reader *r, const json_t *item, size_t count, uint64_t *out)
{
    const char *at = json_is_string(item) ? json_string_value(item) : "";
    for (size_t i = 0; i < count; i++) {
        uint64_t number = 0;
        const char *first = at;
        for (; *at >= '0' && *at <= '9' && number < NUMBER_MOST; at++)
            number = 10 * number + (uint64_t)(*at - '0');
        bool padded = *first == '0' && at - first > 1;
        if (at == first || padded || number >= NUMBER_MOST || *at != (i + 1 < count ? ' ' : '\0'))
            return wrong(r, "a list of numbers is not one");
        at++;
        out[i] = number;
    }
    return BAUTA_OK;
}

static bauta_status read_list(const reader *r, const json_t *list, uint32_t *count)
{
    if (!json_is_array(list)) return wrong(r, "a list is missing");
    if (json_array_size(list) > UINT32_MAX / 4) return wrong(r, "a list is too long");
    *count = (uint32_t)json_array_size(list);
    return BAUTA_OK;
}

static uint32_t codes_of(const bt_plan_column *column)
{
    return column->value_count + column->has_missing;
}

static bauta_status read_class(const reader *r, const json_t *item, uint32_t number,
                               uint64_t *numbers)
{
    bt_plan *plan = r->plan;
    BT_TRY(read_numbers(r, item, 1 + 3 * plan->column_count, numbers));
    plan->sizes[number] = numbers[0];
    if (numbers[0] == 0) return wrong(r, "a class is empty");
    for (size_t c = 0; c < plan->column_count; c++) {
        const uint64_t *of = numbers + 1 + 3 * c;
        size_t at = number * plan->column_count + c;
        if (of[0] > of[1] || of[1] >= codes_of(&plan->columns[c]) ||
            of[2] >= plan->columns[c].cell_count)
            return wrong(r, "a class is not within the columns");
        plan->boxes[at] = (bt_box){(uint32_t)of[0], (uint32_t)of[1]};
        plan->cells[at] = (uint32_t)of[2];
    }
    return BAUTA_OK;
}

/* Tuples ascend, so that each stands there once. */
static bool ascends(const uint32_t *before, const uint32_t *after, size_t count)
{
    size_t c = 0;
    while (c < count && before[c] == after[c])
        c++;
    return c < count && before[c] < after[c];
}

static bauta_status read_tuple(const reader *r, const json_t *item, uint32_t number,
                               uint64_t *numbers)
{
    bt_plan *plan = r->plan;
    size_t columns = plan->column_count;
    uint32_t *tuple = plan->tuples + number * columns;
    BT_TRY(read_numbers(r, item, 1 + columns, numbers));
    if (numbers[0] >= plan->class_count) return wrong(r, "a tuple has no class");
    plan->class_of[number] = (uint32_t)numbers[0];
    for (size_t c = 0; c < columns; c++) {
        if (numbers[1 + c] >= codes_of(&plan->columns[c]))
            return wrong(r, "a tuple is not within the columns");
        tuple[c] = (uint32_t)numbers[1 + c];
    }
    if (number > 0 && !ascends(tuple - columns, tuple, columns))
        return wrong(r, "tuples do not ascend");
    return BAUTA_OK;
}

static bauta_status read_classes(const reader *r, const json_t *root)
{
    bt_plan *plan = r->plan;
    const json_t *classes = json_object_get(root, "classes");
    const json_t *tuples = json_object_get(root, "tuples");
    BT_TRY(read_list(r, classes, &plan->class_count));
    BT_TRY(read_list(r, tuples, &plan->tuple_count));
    size_t sides = plan->class_count * plan->column_count;
    uint64_t *numbers = bt_arena_array(r->arena, 1 + 3 * plan->column_count, sizeof *numbers);
    plan->boxes = bt_arena_array(r->arena, sides, sizeof *plan->boxes);
    plan->cells = bt_arena_array(r->arena, sides, sizeof *plan->cells);
    plan->sizes = bt_arena_array(r->arena, plan->class_count, sizeof *plan->sizes);
    plan->tuples = bt_arena_array(r->arena, (size_t)plan->tuple_count * plan->column_count,
                                  sizeof *plan->tuples);
    plan->class_of = bt_arena_array(r->arena, plan->tuple_count, sizeof *plan->class_of);
    BT_TRY(bt_arena_check(r->arena, r->error));
    for (uint32_t i = 0; i < plan->class_count; i++)
        BT_TRY(read_class(r, json_array_get(classes, i), i, numbers));
    for (uint32_t i = 0; i < plan->tuple_count; i++)
        BT_TRY(read_tuple(r, json_array_get(tuples, i), i, numbers));
    return plan->class_count > 0 ? BAUTA_OK : wrong(r, "there is no class");
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status read_requirements(const reader *r, const json_t *list)
{
    static const char *const fields[] = {"text", "saw", NULL};
    bt_plan *plan = r->plan;
    if (!json_is_array(list)) return wrong(r, "a list is missing");
    plan->requirement_count = json_array_size(list);
    const char **texts = bt_arena_array(r->arena, plan->requirement_count, sizeof *texts);
    const char **saw = bt_arena_array(r->arena, plan->requirement_count, sizeof *saw);
    BT_TRY(bt_arena_check(r->arena, r->error));
    for (size_t i = 0; i < plan->requirement_count; i++) {
        const json_t *item = json_array_get(list, i);
        BT_TRY(check_fields(r, item, fields));
        BT_TRY(read_text(r, json_object_get(item, "text"), &texts[i]));
        BT_TRY(read_text(r, json_object_get(item, "saw"), &saw[i]));
    }
    plan->requirements = texts;
    plan->saw = saw;
    return BAUTA_OK;
}

static bauta_status check_digest(const reader *r, const json_t *root)
{
    const char *text;
    BT_TRY(read_text(r, json_object_get(root, "digest"), &text));
    BT_TRY(bt_plan_digest(root, r->plan->digest, r->error));
    if (strcmp(text, r->plan->digest) == 0) return BAUTA_OK;
    return wrong(r, "it was changed after it was written");
}

static bauta_status read_plan(const reader *r, const json_t *root)
{
    static const char *const of_boxes[] = {"bauta_plan",   "kind",    "method",  "records",
                                           "requirements", "columns", "classes", "tuples",
                                           "digest",       NULL};
    static const char *const of_levels[] = {"bauta_plan",   "kind",    "method", "records",
                                            "requirements", "columns", "digest", NULL};
    const char *kind;
    int64_t format = 0;
    if (!json_is_object(root)) return wrong(r, "it is not an object");
    BT_TRY(read_number(r, json_object_get(root, "bauta_plan"), INT32_MAX, &format));
    if (format != BT_PLAN_FORMAT) return wrong(r, "its format is of another version");
    BT_TRY(check_digest(r, root));
    BT_TRY(read_text(r, json_object_get(root, "kind"), &kind));
    while (strcmp(bt_plan_kinds[r->plan->kind], kind) != 0)
        if (++r->plan->kind > BT_PLAN_LEVELS) return wrong(r, "its kind is not known");
    bool boxes = r->plan->kind == BT_PLAN_BOXES;
    BT_TRY(check_fields(r, root, boxes ? of_boxes : of_levels));
    BT_TRY(read_text(r, json_object_get(root, "method"), &r->plan->method));
    BT_TRY(read_number(r, json_object_get(root, "records"), INT64_MAX, &r->plan->records));
    BT_TRY(read_requirements(r, json_object_get(root, "requirements")));
    BT_TRY(read_columns(r, json_object_get(root, "columns")));
    return boxes ? read_classes(r, root) : BAUTA_OK;
}

bauta_status bt_plan_read(const char *file, const char *text, size_t length, bt_arena *arena,
                          bt_plan *out, bauta_error *error)
{
    const reader r = {file, arena, error, out};
    json_error_t fault;
    *out = (bt_plan){0};
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &fault);
    if (!root && json_error_code(&fault) == json_error_out_of_memory) return bt_fail_memory(error);
    bauta_status status = root ? read_plan(&r, root) : wrong(&r, "it is not JSON");
    json_decref(root);
    return status;
}
