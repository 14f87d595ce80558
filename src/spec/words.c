/* SPDX-License-Identifier: Apache-2.0
 *
 * What the options of a form or a method say.
 */
#include "spec/words.h"

#include <string.h>

const char *bt_form_option(const char *form, const char *name, size_t *length)
{
    size_t wanted = strlen(name);
    const char *at = strchr(form, ':');
    while (at) {
        at++;
        size_t item = strcspn(at, ",");
        if (item > wanted && strncmp(at, name, wanted) == 0 && at[wanted] == '=') {
            *length = item - wanted - 1;
            return at + wanted + 1;
        }
        at = at[item] == ',' ? at + item : NULL;
    }
    return NULL;
}

bool bt_form_says(const char *form, const char *name, const char *value)
{
    size_t length = 0;
    const char *found = bt_form_option(form, name, &length);
    return found && length == strlen(value) && strncmp(found, value, length) == 0;
}

uint64_t bt_form_number(const char *form, const char *name)
{
    size_t length = 0;
    uint64_t number = 0;
    const char *text = bt_form_option(form, name, &length);
    for (size_t i = 0; i < length && text[i] >= '0' && text[i] <= '9' && number < UINT32_MAX; i++)
        number = 10 * number + (uint64_t)(text[i] - '0');
    return number;
}

/* ---- cells ------------------------------------------------------------------------------- */

bool bt_cells_are_tight(const bt_manifest *manifest, const bt_manifest_column *column)
{
    const bt_named_method *method = &manifest->method;
    if (column->cuts) return manifest->format == 0;
    if (method->type && method->type->planned) return false; /* they are those of other records */
    if (!column->hierarchy && !column->partial) return true;
    return method->type && method->type->lowest && !bt_method_retrace(method).coins;
}
