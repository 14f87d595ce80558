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
    size_t count = 0;
    const bt_memory_file *files = store ? bt_memory_files(store, &count) : NULL;
    return index < count ? files[index].name : NULL;
}

bauta_status bauta_store_bytes(bauta_store *store, const char *file, const void **bytes,
                               size_t *length, bauta_error *error)
{
    size_t count = 0;
    bt_error_clear(error);
    *bytes = NULL;
    *length = 0;
    if (!store || !file) return bt_fail(error, BAUTA_USAGE, "a store and a file are needed");
    const bt_memory_file *files = bt_memory_files(store, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(files[i].name, file) == 0) {
            *bytes = files[i].bytes;
            *length = files[i].length;
            return BAUTA_OK;
        }
    return bt_fail(error, BAUTA_INVALID, "there is no '%s' in the store", file);
}

/* ---- saving ------------------------------------------------------------------------------ */

/* The shelf with the longest name that a file begins with. */
static bt_shelf shelf_of(const char *file, const char **name)
{
    bt_shelf shelf = BT_SHELF_PUBLISH;
    for (bt_shelf s = BT_SHELF_PUBLISH; s <= BT_SHELF_TREES; s++)
        if (strncmp(file, bt_shelf_names[s], strlen(bt_shelf_names[s])) == 0) shelf = s;
    *name = file + strlen(bt_shelf_names[shelf]);
    return shelf;
}

static bauta_status save_files(const bt_memory_file *files, size_t count, bt_store *to,
                               bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        const char *name;
        bt_shelf shelf = shelf_of(files[i].name, &name);
        BT_TRY(bt_store_write(to, shelf, name, files[i].bytes, files[i].length, error));
    }
    BT_TRY(bt_store_settle(to, error));
    return bt_store_commit(to, error);
}

bauta_status bauta_store_save(bauta_store *store, const char *out, int replace, bauta_error *error)
{
    const bt_run run = {0};
    const bt_store_wish wish = {
        .force = replace != 0, .is_manifest = bt_manifest_is, .manifest_most = BT_MANIFEST_MOST};
    BT_OWN(bt_store_close) bt_store to = BT_STORE_NONE;
    size_t count = 0;
    bt_error_clear(error);
    if (!store || !out) return bt_fail(error, BAUTA_USAGE, "a store and a folder are needed");
    const bt_memory_file *files = bt_memory_files(store, &count);
    if (!files) return bt_fail(error, BAUTA_USAGE, "there is no release in the store's memory");
    BT_TRY(bt_store_begin(out, &wish, &run, &to, error));
    return save_files(files, count, &to, error);
}
