/* SPDX-License-Identifier: Apache-2.0
 *
 * Naming a grouping method: in a recipe, where mistakes are explained, and in a manifest, where
 * they are findings.
 */
#include "recipe/method.h"

#include "base/entry.h"

#include <string.h>

static bt_entry entry_of(const void *const *registry, size_t i)
{
    const bt_method *method = ((const bt_method *const *)registry)[i];
    return (bt_entry){method->name, method->params, method->param_count};
}

bauta_status bt_method_parse(const char *text, bt_arena *arena, const bt_method **out,
                             bt_value **options, const char **canonical, bauta_error *error)
{
    size_t found;
    BT_TRY(bt_entry_parse("grouping method", text, (const void *const *)bt_method_registry,
                          bt_method_registry_count, entry_of, arena, &found, options, canonical,
                          error));
    *out = bt_method_registry[found];
    return BAUTA_OK;
}

/* ---- as a release names it --------------------------------------------------------------- */

static const bt_method *find(const char *name, size_t length)
{
    for (size_t i = 0; i < bt_method_registry_count; i++) {
        const bt_method *method = bt_method_registry[i];
        if (strlen(method->name) == length && memcmp(method->name, name, length) == 0)
            return method;
    }
    return NULL;
}

/* The first parameter from `place` on that `text` begins with, before a '='. */
static size_t find_option(const bt_method *method, size_t place, const char *text)
{
    size_t length = strcspn(text, "=");
    while (place < method->param_count && (strlen(method->params[place].name) != length ||
                                           memcmp(method->params[place].name, text, length) != 0))
        place++;
    return text[length] == '=' ? place : method->param_count;
}

static bauta_status read_value(const bt_method *method, size_t place, const char *text,
                               size_t length, bt_arena *arena, bt_named_method *out,
                               bt_value *values, bauta_error *error)
{
    const char *value = bt_arena_copy(arena, text, length);
    if (!value) return bt_fail_memory(error);
    bauta_status status =
        bt_param_parse(&method->params[place], method->name, value, arena, &values[place], error);
    if (status != BAUTA_INVALID && status != BAUTA_USAGE) return status;
    out->fault = "an option of the grouping method has a value that it cannot have";
    return BAUTA_OK;
}

static bauta_status read_options(const bt_method *method, const char *text, bt_arena *arena,
                                 bt_named_method *out, bt_value *values, bauta_error *error)
{
    size_t place = 0;
    for (size_t i = 0; i < method->param_count; i++)
        BT_TRY(bt_param_parse(&method->params[i], method->name, method->params[i].fallback, arena,
                              &values[i], error));
    for (const char *at = text; *at && !out->fault;) {
        at++;
        place = find_option(method, place, at);
        if (place == method->param_count) {
            out->fault = "it names an option that the grouping method does not have";
            break;
        }
        const bt_param *param = &method->params[place];
        at += strlen(param->name) + 1;
        size_t length = param->list ? strlen(at) : strcspn(at, ","); /* commas are part of a list */
        BT_TRY(read_value(method, place, at, length, arena, out, values, error));
        at += length;
        place++;
    }
    return BAUTA_OK;
}

bauta_status bt_method_read(const char *text, bt_arena *arena, bt_named_method *out,
                            bauta_error *error)
{
    size_t name = strcspn(text, ":");
    const bt_method *method = find(text, name);
    *out = (bt_named_method){.text = text};
    if (!method) {
        out->fault = "it names a grouping method that there is not";
        return BAUTA_OK;
    }
    bt_value *values = bt_arena_array(arena, method->param_count, sizeof *values);
    if (!values) return bt_fail_memory(error);
    BT_TRY(read_options(method, text + name, arena, out, values, error));
    if (out->fault) return BAUTA_OK;
    out->type = method;
    out->options = values;
    return BAUTA_OK;
}

bt_retrace bt_method_retrace(const bt_named_method *method)
{
    if (method->type) return method->type->retrace(method->options);
    return (bt_retrace){.why = "the method is not one that this version knows"};
}
