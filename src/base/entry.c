/* SPDX-License-Identifier: Apache-2.0
 *
 * Parsing "name:option=value,…".
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
    for (size_t i = 0; i < entry->param_count && status == BAUTA_OK; i++)
        status = bt_buffer_print(&text, error, "%c%s=%s", i ? ',' : ':', entry->params[i].name,
                                 values[i].text);
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
