/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of grouping methods.
 */
#include "group/method.h"

#define BT_METHOD(name) extern const bt_method bt_method_##name;
#include "group/methods.def"
#undef BT_METHOD

const bt_method *const bt_method_registry[] = {
#define BT_METHOD(name) &bt_method_##name,
#include "group/methods.def"
#undef BT_METHOD
};
const size_t bt_method_registry_count = sizeof bt_method_registry / sizeof *bt_method_registry;
