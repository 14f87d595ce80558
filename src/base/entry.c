/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsing "name:option=value,…", and the arguments of calls.
 */
#include "base/entry.h"

#include "base/text.h"

#include <string.h>

static bauta_status unknown(const char *kind, const char *name, const void *const *registry,
                            size_t count, bt_entry_of entry_of, bt_arena *arena, bauta_error *error)
{
    const char **names = bt_arena_array(arena, count, sizeof *names);
    bt_buffer all = {0};
    bauta_status status = names ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++) {
        names[i] = entry_of(registry, i).name;
        status = bt_buffer_print(&all, error, "%s%s", i ? ", " : "", names[i]);
    }
    if (status == BAUTA_OK) {
        const char *near = bt_text_nearest(name, names, count);
        status = bt_fail(error, BAUTA_INVALID, "there is no %s '%s'", kind, name);
        if (near)
            bt_error_hint(error, "did you mean '%s'?", near);
        else
            bt_error_hint(error, "there are: %s", all.bytes);
    }
    bt_buffer_release(&all);
    return status;
}

static bauta_status spell_out(const bt_entry *entry, const bt_value *values, bt_arena *arena,
                              const char **out, bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = bt_buffer_print(&text, error, "%s", entry->name);
    char before = ':';
    for (size_t i = 0; i < entry->param_count && status == BAUTA_OK; i++) {
        const bt_param *param = &entry->params[i];
        if (param->quiet && strcmp(values[i].text, param->fallback) == 0) continue;
        const char *value = values[i].text;
        status = bt_buffer_print(&text, error, "%c%s=%s", before, param->name, value);
        /* A backslash that keeps nothing would keep the comma that follows here. */
        if (status == BAUTA_OK && bt_text_is_kept(value, strlen(value)))
            status = bt_buffer_add(&text, "\\", 1, error);
        before = ',';
    }
    if (status == BAUTA_OK) {
        *out = bt_arena_copy(arena, text.bytes, text.length);
        if (!*out) status = bt_fail_memory(error);
    }
    bt_buffer_release(&text);
    return status;
}

bauta_status bt_entry_parse(const char *kind, const char *text, const void *const *registry,
                            size_t count, bt_entry_of entry_of, bt_arena *arena, size_t *found,
                            bt_value **options, const char **canonical, bauta_error *error)
{
    const char *rest = text ? strchr(text, ':') : NULL;
    size_t length = !text ? 0 : rest ? (size_t)(rest - text) : strlen(text);
    const char *name = text ? bt_arena_copy(arena, text, length) : entry_of(registry, 0).name;
    if (!name) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        bt_entry entry = entry_of(registry, i);
        if (strcmp(entry.name, name) != 0) continue;
        *found = i;
        BT_TRY(bt_params_parse(entry.params, entry.param_count, entry.name, rest ? rest + 1 : NULL,
                               arena, options, error));
        return spell_out(&entry, *options, arena, canonical, error);
    }
    return unknown(kind, name, registry, count, entry_of, arena, error);
}

/* ---- calls ---- */

static bauta_status unknown_argument(const bt_entry *entry, const char *command, const char *name,
                                     bt_arena *arena, bauta_error *error)
{
    const char **names = bt_arena_array(arena, entry->param_count, sizeof *names);
    if (!names) return bt_fail_memory(error);
    for (size_t i = 0; i < entry->param_count; i++)
        names[i] = entry->params[i].name;
    bauta_status status =
        bt_fail(error, BAUTA_USAGE, "'%s' has no parameter '%s'", entry->name, name);
    const char *near = bt_text_nearest(name, names, entry->param_count);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "'bauta %s %s --help' lists them", command, entry->name);
    return status;
}

/* What is wrong with a parameter here is wrong with the call, not with a recipe. */
static bauta_status parse_value(const bt_entry *entry, size_t index, const char *text,
                                bt_arena *arena, bt_value *out, bauta_error *error)
{
    bauta_status status =
        bt_param_parse(&entry->params[index], entry->name, text, arena, out, error);
    if (status != BAUTA_INVALID) return status;
    if (error) error->status = BAUTA_USAGE;
    return BAUTA_USAGE;
}

static bauta_status parse_argument(const bt_entry *entry, const char *command, const char *argument,
                                   bt_arena *arena, bt_value *values, bauta_error *error)
{
    const char *equals = strchr(argument, '=');
    if (!equals)
        return bt_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' needs '=value'", argument,
                       entry->name);
    const char *name = bt_arena_copy(arena, argument, (size_t)(equals - argument));
    if (!name) return bt_fail_memory(error);
    for (size_t i = 0; i < entry->param_count; i++)
        if (strcmp(entry->params[i].name, name) == 0) {
            if (values[i].text)
                return bt_fail(error, BAUTA_USAGE, "parameter '%s' of '%s' is given twice", name,
                               entry->name);
            return parse_value(entry, i, equals + 1, arena, &values[i], error);
        }
    return unknown_argument(entry, command, name, arena, error);
}

bauta_status bt_entry_arguments(const bt_entry *entry, const char *command,
                                const char *const *arguments, size_t count, bt_arena *arena,
                                bt_value **values, bauta_error *error)
{
    *values = bt_arena_array(arena, entry->param_count, sizeof **values);
    if (!*values) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        BT_TRY(parse_argument(entry, command, arguments[i], arena, *values, error));
    for (size_t i = 0; i < entry->param_count; i++) {
        const bt_param *param = &entry->params[i];
        if ((*values)[i].text) continue;
        if (!param->fallback)
            return bt_fail(error, BAUTA_USAGE, "'%s' needs the parameter '%s'", entry->name,
                           param->name);
        BT_TRY(parse_value(entry, i, param->fallback, arena, &(*values)[i], error));
    }
    return BAUTA_OK;
}
