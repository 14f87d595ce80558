/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_store_…: stores that a caller makes, what is in them, and saving one to a folder.
 */
#include "store/given.h"

#include "spec/manifest.h"

#include <string.h>

bauta_status bauta_store_memory(bauta_store **out, bauta_error *error)
{
    bt_error_clear(error);
    return bt_memory_new(out, error);
}

bauta_status bauta_store_own(const bauta_store_calls *calls, void *user, bauta_store **out,
                             bauta_error *error)
{
    bt_error_clear(error);
    *out = NULL;
    if (!calls) return bt_fail(error, BAUTA_USAGE, "the calls of the store are needed");
    return bt_own_new(calls, user, out, error);
}

void bauta_store_free(bauta_store *store)
{
    bt_given_drop(store);
}

const char *bauta_store_file(bauta_store *store, size_t index)
{
    return store ? bt_memory_name(store, index) : NULL;
}

bauta_status bauta_store_bytes(bauta_store *store, const char *file, const void **bytes,
                               size_t *length, bauta_error *error)
{
    bt_error_clear(error);
    *bytes = NULL;
    *length = 0;
    if (!store || !file) return bt_fail(error, BAUTA_USAGE, "a store and a file are needed");
    const char *name, *found = NULL;
    for (size_t i = 0; (name = bt_memory_name(store, i)); i++)
        if (strcmp(name, file) == 0) {
            BT_TRY(bt_memory_bytes(store, i, &found, length, error));
            *bytes = found;
            return BAUTA_OK;
        }
    return bt_fail(error, BAUTA_INVALID, "there is no '%s' in the store", file);
}

bauta_status bauta_store_save(bauta_store *store, const char *out, int replace, bauta_error *error)
{
    const bt_run run = {0};
    const bt_store_wish wish = {
        .force = replace != 0, .is_manifest = bt_manifest_is, .manifest_most = BT_MANIFEST_MOST};
    BT_OWN(bt_store_close) bt_store to = BT_STORE_NONE;
    bt_error_clear(error);
    if (!store || !out) return bt_fail(error, BAUTA_USAGE, "a store and a folder are needed");
    if (!bt_memory_name(store, 0))
        return bt_fail(error, BAUTA_USAGE, "there is no release in the store's memory");
    BT_TRY(bt_store_begin(out, &wish, &run, &to, error));
    BT_TRY(bt_memory_copy(store, &to, error));
    BT_TRY(bt_store_settle(&to, error));
    return bt_store_commit(&to, error);
}
