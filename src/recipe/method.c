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

bauta_status bt_method_read(const char *text, bt_arena *arena, bt_named_method *out,
                            bauta_error *error)
{
    size_t name = strcspn(text, ":");
    bt_entry_fault fault;
    *out = (bt_named_method){.text = text, .fault = "it names a grouping method that there is not"};
    for (size_t i = 0; i < bt_method_registry_count; i++) {
        const bt_entry entry = entry_of((const void *const *)bt_method_registry, i);
        if (!bt_entry_is(&entry, text, name)) continue;
        BT_TRY(bt_entry_read(&entry, text + name, arena, &out->options, &fault, error));
        out->type = fault == BT_ENTRY_FINE ? bt_method_registry[i] : NULL;
        out->fault = fault == BT_ENTRY_FINE ? NULL
                     : fault == BT_ENTRY_NO_OPTION
                         ? "it names an option that the grouping method does not have"
                         : "an option of the grouping method has a value that it cannot have";
    }
    return BAUTA_OK;
}

bt_retrace bt_method_retrace(const bt_named_method *method)
{
    if (method->type) return method->type->retrace(method->options);
    return (bt_retrace){.why = "the method is not one that this version knows"};
}
