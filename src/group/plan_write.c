/* SPDX-License-Identifier: Apache-2.0
 *
 * A plan as JSON. docs/plan-format.md lists the fields; plan_read.c reads them.
 */
#include "group/plan_json.h"

#include "base/digest.h"

#include <stdio.h>
#include <string.h>

static void put_texts(bt_facts *facts, json_t *at, const char *key, const char *const *texts,
                      size_t count)
{
    json_t *list = bt_put_array(facts, at, key);
    for (size_t i = 0; i < count; i++)
        bt_put_text(facts, list, NULL, texts[i]);
}

static void put_tree(bt_facts *facts, json_t *at, const bt_plan_column *column)
{
    json_t *tree = bt_put_object(facts, at, "hierarchy");
    bt_put_text(facts, tree, "spec", column->spec);
    bt_put_bool(facts, tree, "public", column->is_public);
    if (!column->paths) return;
    json_t *paths = bt_put_array(facts, tree, "paths");
    for (size_t i = 0; i < column->path_count; i++)
        put_texts(facts, paths, NULL, column->paths[i], column->path_lengths[i]);
}

static void put_column(bt_facts *facts, json_t *list, const bt_plan *plan,
                       const bt_plan_column *column)
{
    json_t *at = bt_put_object(facts, list, NULL);
    bool boxes = plan->kind == BT_PLAN_BOXES;
    bt_put_text(facts, at, "name", column->name);
    bt_put_text(facts, at, "type", bt_type_name(column->type));
    if (column->spec) put_tree(facts, at, column);
    if (column->cut_points) bt_put_text(facts, at, "cut_points", column->cut_points);
    if (!boxes) bt_put_int(facts, at, "level", column->level);
    if (boxes) put_texts(facts, at, "values", column->values, column->value_count);
    if (boxes) bt_put_bool(facts, at, "missing", column->has_missing);
    if (boxes) put_texts(facts, at, "cells", column->cells, column->cell_count);
}

/* Numbers with blanks between them: lists of lists of numbers would take many times the room. */
static void put_numbers(bt_facts *facts, json_t *list, bt_buffer *text)
{
    bt_put_text(facts, list, NULL, text->bytes);
    text->length = 0;
}

static bauta_status put_classes(bt_facts *facts, const bt_plan *plan, bauta_error *error)
{
    size_t columns = plan->column_count;
    bt_buffer text = {0};
    bauta_status status = BAUTA_OK;
    json_t *classes = bt_put_array(facts, facts->root, "classes");
    for (uint32_t i = 0; i < plan->class_count && status == BAUTA_OK; i++) {
        status = bt_buffer_print(&text, error, "%llu", (unsigned long long)plan->sizes[i]);
        for (size_t c = 0; c < columns && status == BAUTA_OK; c++) {
            const bt_box *box = &plan->boxes[i * columns + c];
            status = bt_buffer_print(&text, error, " %u %u %u", box->lo, box->hi,
                                     plan->cells[i * columns + c]);
        }
        if (status == BAUTA_OK) put_numbers(facts, classes, &text);
    }
    json_t *tuples = bt_put_array(facts, facts->root, "tuples");
    for (uint32_t i = 0; i < plan->tuple_count && status == BAUTA_OK; i++) {
        status = bt_buffer_print(&text, error, "%u", plan->class_of[i]);
        for (size_t c = 0; c < columns && status == BAUTA_OK; c++)
            status = bt_buffer_print(&text, error, " %u", plan->tuples[i * columns + c]);
        if (status == BAUTA_OK) put_numbers(facts, tuples, &text);
    }
    bt_buffer_release(&text);
    return status;
}

const char *const bt_plan_kinds[2] = {[BT_PLAN_BOXES] = "boxes", [BT_PLAN_LEVELS] = "levels"};

bauta_status bt_plan_digest(const json_t *root, char *digest, bauta_error *error)
{
    const bt_seed none = {{0}};
    bt_seed end;
    bt_digest state;
    json_t *bare = json_copy((json_t *)(uintptr_t)root); /* it is only read */
    if (bare) json_object_del(bare, "digest");
    char *text = bare ? json_dumps(bare, JSON_COMPACT | JSON_SORT_KEYS) : NULL;
    json_decref(bare);
    if (!text) return bt_fail_memory(error);
    bt_digest_init(&state, &none, "plan");
    bt_digest_text(&state, text);
    bt_digest_end(&state, &end);
    free(text);
    for (size_t i = 0; i < BT_PLAN_DIGEST / 2; i++)
        snprintf(digest + 2 * i, 3, "%02x", end.bytes[i]);
    return BAUTA_OK;
}

static bauta_status put_digest(bt_facts *facts, bauta_error *error)
{
    char digest[BT_PLAN_DIGEST + 1];
    BT_TRY(bt_facts_check(facts, error));
    BT_TRY(bt_plan_digest(facts->root, digest, error));
    bt_put_text(facts, facts->root, "digest", digest);
    return bt_facts_check(facts, error);
}

static bauta_status put_plan(bt_facts *facts, const bt_plan *plan, bauta_error *error)
{
    bt_put_int(facts, facts->root, "bauta_plan", BT_PLAN_FORMAT);
    bt_put_text(facts, facts->root, "kind", bt_plan_kinds[plan->kind]);
    bt_put_text(facts, facts->root, "method", plan->method);
    bt_put_int(facts, facts->root, "records", plan->records);
    json_t *requirements = bt_put_array(facts, facts->root, "requirements");
    for (size_t i = 0; i < plan->requirement_count; i++) {
        json_t *at = bt_put_object(facts, requirements, NULL);
        bt_put_text(facts, at, "text", plan->requirements[i]);
        bt_put_text(facts, at, "saw", plan->saw[i]);
    }
    json_t *columns = bt_put_array(facts, facts->root, "columns");
    for (size_t c = 0; c < plan->column_count; c++)
        put_column(facts, columns, plan, &plan->columns[c]);
    if (plan->kind == BT_PLAN_BOXES) BT_TRY(put_classes(facts, plan, error));
    return put_digest(facts, error);
}

bauta_status bt_plan_write(const bt_plan *plan, bt_buffer *out, bauta_error *error)
{
    bt_facts facts;
    bt_facts_init(&facts);
    bauta_status status = put_plan(&facts, plan, error);
    char *text = status == BAUTA_OK ? json_dumps(facts.root, JSON_INDENT(1)) : NULL;
    if (status == BAUTA_OK && !text) status = bt_fail_memory(error);
    if (status == BAUTA_OK) status = bt_buffer_print(out, error, "%s\n", text);
    free(text);
    bt_facts_release(&facts);
    return status;
}
