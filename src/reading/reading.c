/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of forms that can be read.
 */
#include "reading/reading.h"

#include <string.h>

#define BT_READING(name) extern const bt_reading_form bt_reading_##name;
#include "reading/readings.def"
#undef BT_READING

const bt_reading_form *const bt_reading_registry[] = {
#define BT_READING(name) &bt_reading_##name,
#include "reading/readings.def"
#undef BT_READING
};
const size_t bt_reading_registry_count = sizeof bt_reading_registry / sizeof *bt_reading_registry;

const bt_reading_form *bt_reading_find(const bt_manifest *manifest)
{
    for (size_t i = 0; i < bt_reading_registry_count; i++)
        if (bt_form_is(manifest->form, bt_reading_registry[i]->name) &&
            bt_reading_registry[i]->join == (manifest->join.kind != BT_JOIN_NONE))
            return bt_reading_registry[i];
    return NULL;
}
