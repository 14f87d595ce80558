/* SPDX-License-Identifier: Apache-2.0
 *
 * The quasi columns that a grouping method names.
 */
#include "audit/method.h"

#include <string.h>

static bool is_text(const char *text, size_t length, const char *wanted, size_t wanted_length)
{
    return length == wanted_length && memcmp(text, wanted, length) == 0;
}

/* "age@2": a level may follow the name. */
static bool is_column(const bt_manifest *manifest, const char *item, size_t length)
{
    size_t name = length;
    while (name > 0 && item[name - 1] != '@')
        name--;
    for (size_t i = 0; i < manifest->column_count; i++) {
        const bt_manifest_column *column = &manifest->columns[i];
        size_t wanted = strlen(column->name);
        if (column->role != BT_ROLE_QUASI) continue;
        if (is_text(item, length, column->name, wanted)) return true;
        if (name > 0 && is_text(item, name - 1, column->name, wanted)) return true;
    }
    return false;
}

/* "age@2,sex", or none. Names with a backslash before what separates are not taken apart. */
static bool are_columns(const bt_manifest *manifest, const char *text, size_t length)
{
    if (length == 0 || memchr(text, '\\', length)) return true;
    for (size_t at = 0, item; at <= length; at += item + 1) {
        item = strcspn(text + at, ",");
        if (!is_column(manifest, text + at, item)) return false;
    }
    return true;
}

const char *bt_method_fault(const bt_manifest *manifest)
{
    const bt_named_method *method = &manifest->method;
    for (size_t i = 0; method->type && i < method->type->param_count; i++) {
        const char *text = method->options[i].text;
        if (method->type->params[i].list && !are_columns(manifest, text, strlen(text)))
            return "an option of the grouping method has a value that it cannot have";
    }
    return method->fault;
}
