/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of requirements, and conjunctions of them.
 */
#include "require/requirement.h"

#include "base/text.h"

#include <string.h>

#define BT_REQUIREMENT(name) extern const bt_requirement bt_requirement_##name;
#include "require/requirements.def"
#undef BT_REQUIREMENT

const bt_requirement *const bt_requirement_registry[] = {
#define BT_REQUIREMENT(name) &bt_requirement_##name,
#include "require/requirements.def"
#undef BT_REQUIREMENT
};
const size_t bt_requirement_registry_count =
    sizeof bt_requirement_registry / sizeof *bt_requirement_registry;

static const bt_requirement *find(const char *name)
{
    for (size_t i = 0; i < bt_requirement_registry_count; i++)
        if (strcmp(bt_requirement_registry[i]->name, name) == 0) return bt_requirement_registry[i];
    return NULL;
}

static bauta_status unknown(const char *name, bt_arena *arena, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "there is no requirement '%s'", name);
    const char **names = bt_arena_array(arena, bt_requirement_registry_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < bt_requirement_registry_count; i++)
        names[i] = bt_requirement_registry[i]->name;
    const char *near = bt_text_nearest(name, names, bt_requirement_registry_count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta list requirements' names them");
    return status;
}

/* "name=value" or "name=value:argument". */
static bauta_status parse_one(char *text, bt_arena *arena, bt_requirement_instance *out,
                              bauta_error *error)
{
    char *equals = strchr(text, '=');
    if (!equals) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "requirement '%s' needs a value", text);
        bt_error_hint(error, "write it as '%s=5'", text);
        return status;
    }
    *equals = '\0';
    const bt_requirement *type = find(text);
    if (!type) return unknown(text, arena, error);
    char **parts;
    size_t count;
    BT_TRY(bt_text_split(arena, equals + 1, ':', &parts, &count, error));
    if (count > type->param_count)
        return bt_fail(error, BAUTA_INVALID, "requirement '%s' takes at most %zu values", text,
                       type->param_count);
    bt_value *values = bt_arena_array(arena, type->param_count, sizeof *values);
    if (!values) return bt_fail_memory(error);
    for (size_t i = 0; i < type->param_count; i++) {
        const bt_param *param = &type->params[i];
        const char *given = i < count ? parts[i] : param->fallback;
        if (!given)
            return bt_fail(error, BAUTA_INVALID, "requirement '%s' needs '%s'", text, param->name);
        BT_TRY(bt_param_parse(param, type->name, given, arena, &values[i], error));
    }
    const char *canonical = bt_arena_print(arena, "%s=%s", type->name, equals + 1);
    if (!canonical) return bt_fail_memory(error);
    *out = (bt_requirement_instance){type, values, canonical};
    return BAUTA_OK;
}

bauta_status bt_requirements_parse(const char *text, bt_arena *arena, bt_requirements *out,
                                   bauta_error *error)
{
    char **parts;
    *out = (bt_requirements){.size_only = true};
    BT_TRY(bt_text_split(arena, text, ',', &parts, &out->count, error));
    out->items = bt_arena_array(arena, out->count, sizeof *out->items);
    if (!out->items) return bt_fail_memory(error);
    for (size_t i = 0; i < out->count; i++) {
        BT_TRY(parse_one(parts[i], arena, &out->items[i], error));
        out->size_only = out->size_only && out->items[i].type->size_only;
        for (size_t j = 0; j < i; j++)
            if (out->items[j].type == out->items[i].type)
                return bt_fail(error, BAUTA_INVALID, "requirement '%s' is given twice",
                               out->items[i].type->name);
    }
    return BAUTA_OK;
}

bool bt_requirements_check(const bt_requirements *requirements, const bt_class_view *view)
{
    for (size_t i = 0; i < requirements->count; i++)
        if (!requirements->items[i].type->check(&requirements->items[i], view)) return false;
    return true;
}

int64_t bt_requirements_least_size(const bt_requirements *requirements)
{
    int64_t fails = 0, holds = 1;
    while (!bt_requirements_check(requirements, &(bt_class_view){holds}) && holds < INT64_MAX / 2) {
        fails = holds;
        holds *= 2;
    }
    while (holds - fails > 1) {
        int64_t middle = fails + (holds - fails) / 2;
        if (bt_requirements_check(requirements, &(bt_class_view){middle}))
            holds = middle;
        else
            fails = middle;
    }
    return holds;
}

bauta_status bt_requirements_feasible(const bt_requirements *requirements,
                                      const bt_class_view *table, bauta_error *error)
{
    for (size_t i = 0; i < requirements->count; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        if (item->type->check(item, table)) continue;
        bauta_status status = bt_fail(
            error, BAUTA_NO, "the whole table as one class does not satisfy '%s'", item->text);
        item->type->explain(item, table, error);
        return status;
    }
    return BAUTA_OK;
}
