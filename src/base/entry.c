/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsing "name:option=value,…" in a recipe and in a manifest, and the arguments of calls.
 */
#include "base/entry.h"

#include "base/text.h"

#include <string.h>

static bauta_status unknown(const char *kind, const char *name, const void *const *registry,
                            size_t count, bt_entry_of entry_of, bt_arena *arena, bauta_error *error)
{
    const char **names = bt_arena_array(arena, count, sizeof *names);
    BT_OWN(bt_buffer_release) bt_buffer all = {0};
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < count; i++) {
        names[i] = entry_of(registry, i).name;
        BT_TRY(bt_buffer_print(&all, error, "%s%s", i ? ", " : "", names[i]));
    }
    const char *near = bt_text_nearest(name, names, count);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "there is no %s '%s'", kind, name);
    if (near)
        bt_error_hint(error, "did you mean '%s'?", near);
    else
        bt_error_hint(error, "there are: %s", all.bytes);
    return status;
}

static bauta_status spell_out(const bt_entry *entry, const bt_value *values, bt_arena *arena,
                              const char **out, bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    char before = ':';
    BT_TRY(bt_buffer_print(&text, error, "%s", entry->name));
    for (size_t i = 0; i < entry->param_count; i++) {
        const bt_param *param = &entry->params[i];
        const char *unsaid = param->unsaid ? param->unsaid : param->fallback;
        const char *value = values[i].text;
        if (param->quiet && strcmp(value, unsaid) == 0) continue;
        BT_TRY(bt_buffer_print(&text, error, "%c%s=%s", before, param->name, value));
        /* A backslash that keeps nothing would keep the comma that follows here. */
        if (bt_text_is_kept(value, strlen(value))) BT_TRY(bt_buffer_add(&text, "\\", 1, error));
        before = ',';
    }
    *out = bt_arena_copy(arena, text.bytes, text.length);
    return bt_arena_check(arena, error);
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

/* ---- manifests ---- */

bool bt_entry_is(const bt_entry *entry, const char *text, size_t length)
{
    return strlen(entry->name) == length && memcmp(entry->name, text, length) == 0;
}

/* The first parameter from `place` on that `text` begins with, before a '='. */
static size_t find_option(const bt_entry *entry, size_t place, const char *text)
{
    size_t length = strcspn(text, "=");
    while (place < entry->param_count && (strlen(entry->params[place].name) != length ||
                                          memcmp(entry->params[place].name, text, length) != 0))
        place++;
    return text[length] == '=' ? place : entry->param_count;
}

/* Commas are part of a list, up to one that a later option follows. */
static size_t value_length(const bt_entry *entry, size_t place, const char *text)
{
    size_t length = strcspn(text, ",");
    while (entry->params[place].list && text[length] &&
           find_option(entry, place + 1, text + length + 1) == entry->param_count)
        length += 1 + strcspn(text + length + 1, ",");
    return length;
}

static bauta_status read_defaults(const bt_entry *entry, bt_arena *arena, bt_value *values,
                                  bauta_error *error)
{
    for (size_t i = 0; i < entry->param_count; i++) {
        const bt_param *param = &entry->params[i];
        values[i] = (bt_value){0};
        const char *text = param->unsaid ? param->unsaid : param->fallback;
        if (text) BT_TRY(bt_param_parse(param, entry->name, text, arena, &values[i], error));
    }
    return BAUTA_OK;
}

static bauta_status read_options(const bt_entry *entry, const char *text, bt_arena *arena,
                                 bt_value *values, bt_entry_fault *fault, bauta_error *error)
{
    size_t place = 0;
    for (const char *at = text; *at; place++) {
        at++;
        place = find_option(entry, place, at);
        if (place == entry->param_count) {
            *fault = BT_ENTRY_NO_OPTION;
            return BAUTA_OK;
        }
        at += strlen(entry->params[place].name) + 1;
        size_t length = value_length(entry, place, at);
        const char *value = bt_arena_copy(arena, at, length);
        if (!value) return bt_fail_memory(error);
        bauta_status status =
            bt_param_parse(&entry->params[place], entry->name, value, arena, &values[place], error);
        if (status == BAUTA_INVALID) {
            *fault = BT_ENTRY_NO_VALUE;
            return BAUTA_OK;
        }
        if (status != BAUTA_OK) return status;
        at += length;
    }
    return BAUTA_OK;
}

bauta_status bt_entry_read(const bt_entry *entry, const char *text, bt_arena *arena,
                           const bt_value **values, bt_entry_fault *fault, bauta_error *error)
{
    bt_value *read = bt_arena_array(arena, entry->param_count, sizeof *read);
    *fault = BT_ENTRY_FINE;
    *values = read;
    if (!read) return bt_fail_memory(error);
    BT_TRY(read_defaults(entry, arena, read, error));
    BT_TRY(read_options(entry, text, arena, read, fault, error));
    return *fault == BT_ENTRY_FINE ? BAUTA_OK : read_defaults(entry, arena, read, error);
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
