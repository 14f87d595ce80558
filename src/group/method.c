/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of grouping methods.
 */
#include "group/method.h"

#include "base/entry.h"

#define BT_METHOD(name) extern const bt_method bt_method_##name;
#include "group/methods.def"
#undef BT_METHOD

const bt_method *const bt_method_registry[] = {
#define BT_METHOD(name) &bt_method_##name,
#include "group/methods.def"
#undef BT_METHOD
};
const size_t bt_method_registry_count = sizeof bt_method_registry / sizeof *bt_method_registry;

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
