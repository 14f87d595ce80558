/* SPDX-License-Identifier: Apache-2.0
 *
 * Which store a name stands for, and what stores share.
 */
#include "store/given.h"

#include <string.h>

#define BT_STORE(name) extern const bt_store_type bt_store_##name;
#include "store/stores.def"
#undef BT_STORE

const bt_store_type *const bt_store_registry[] = {
#define BT_STORE(name) &bt_store_##name,
#include "store/stores.def"
#undef BT_STORE
};
const size_t bt_store_registry_count = sizeof bt_store_registry / sizeof *bt_store_registry;

const char *const bt_shelf_names[] = {
    [BT_SHELF_PUBLISH] = "publish/",
    [BT_SHELF_PRIVATE] = "private/",
    [BT_SHELF_TREES] = "private/hierarchies/",
};

const char *const bt_published_names[] = {"manifest.json", "data.csv",   "quasi.csv",
                                          "sensitive.csv", "bounds.csv", "query.sql",
                                          "load.sqlite",   "load.psql",  NULL};

/* ---- opening ----------------------------------------------------------------------------- */

static bauta_status open_named(const char *name, const bt_run *run, bt_store *store,
                               bauta_error *error)
{
    store->type = &bt_store_folder;
    if (bt_store_is_given(name)) {
        store->given = bt_stores_find(run->stores, name);
        if (!store->given) {
            *store = BT_STORE_NONE;
            bauta_status status =
                bt_fail(error, BAUTA_USAGE, "the recipe has no store of the name '%s'", name);
            bt_error_hint(error, "a folder of that name is './%s'", name);
            return status;
        }
        store->type = store->given->type;
        store->name = strdup(name);
        if (!store->name) return bt_fail_memory(error);
    }
    return store->type->open(store, name, error);
}

bauta_status bt_store_begin(const char *out, const bt_store_wish *wish, const bt_run *run,
                            bt_store *store, bauta_error *error)
{
    *store = (bt_store){.writing = true};
    bauta_status status = open_named(out, run, store, error);
    if (status == BAUTA_OK) status = store->type->begin(store, wish, error);
    if (status != BAUTA_OK) bt_store_close(store);
    return status;
}

bauta_status bt_store_open(const char *release, const bt_run *run, bt_store *store,
                           bauta_error *error)
{
    *store = BT_STORE_NONE;
    bauta_status status = open_named(release, run, store, error);
    if (status != BAUTA_OK) bt_store_close(store);
    return status;
}

void bt_store_close(bt_store *store)
{
    if (store->type) store->type->close(store);
    bt_given_drop(store->given);
    free(store->name);
    *store = BT_STORE_NONE;
}

/* ---- writing ----------------------------------------------------------------------------- */

bauta_status bt_store_create(bt_store *store, bt_shelf shelf, const char *name, bt_store_file *out,
                             bauta_error *error)
{
    *out = (bt_store_file){.type = store->type, .descriptor = -1};
    bauta_status status = store->type->create(store, shelf, name, out, error);
    return status == BAUTA_OK ? status : bt_store_finish(out, status, error);
}

bauta_status bt_store_put(const bt_store_file *file, int64_t offset, const char *bytes,
                          size_t length, bauta_error *error)
{
    return file->type->write(file, offset, bytes, length, error);
}

bauta_status bt_store_finish(bt_store_file *file, bauta_status status, bauta_error *error)
{
    bauta_status finished = file->type->finish(file, status == BAUTA_OK ? error : NULL);
    free(file->path);
    *file = (bt_store_file){.descriptor = -1};
    return status == BAUTA_OK ? finished : status;
}

bauta_status bt_store_write(bt_store *store, bt_shelf shelf, const char *name, const char *bytes,
                            size_t length, bauta_error *error)
{
    bt_store_file file;
    BT_TRY(bt_store_create(store, shelf, name, &file, error));
    return bt_store_finish(&file, bt_store_put(&file, 0, bytes, length, error), error);
}

bauta_status bt_store_rename(bt_store *store, const char *from, const char *to, bauta_error *error)
{
    return store->type->rename(store, from, to, error);
}

bauta_status bt_store_keep(bt_store *store, const char *name, const char *bytes, size_t length,
                           bauta_error *error)
{
    if (!store->type->keep)
        return bt_fail(error, BAUTA_SYSTEM, "'%s' keeps nothing but releases", store->name);
    BT_TRY(bt_store_write(store, BT_SHELF_PRIVATE, name, bytes, length, error));
    return store->type->keep(store, name, error);
}

bauta_status bt_store_settle(bt_store *store, bauta_error *error)
{
    return store->type->settle ? store->type->settle(store, error) : BAUTA_OK;
}

bauta_status bt_store_commit(bt_store *store, bauta_error *error)
{
    return store->type->commit(store, error);
}

bool bt_store_holds_columns(const bt_store *store)
{
    return store->type->hold != NULL;
}

bauta_status bt_store_hold(bt_store *store, const char *name, bt_coded_table *table,
                           bauta_error *error)
{
    return store->type->hold(store, name, table, error);
}

const bt_coded_table *bt_store_held(const bt_store *store, const char *name)
{
    return store->type->held ? store->type->held(store, name) : NULL;
}

/* ---- reading ----------------------------------------------------------------------------- */

bauta_status bt_store_read(const bt_store *store, bt_shelf shelf, const char *name, bt_bytes **out,
                           bauta_error *error)
{
    *out = NULL;
    return store->type->read(store, shelf, name, out, error);
}

const char *bt_store_path(const bt_store *store, bt_shelf shelf, const char *name, bt_arena *arena)
{
    if (store->given)
        return bt_arena_print(arena, "%s/%s%s", store->name, bt_shelf_names[shelf], name);
    if (shelf == BT_SHELF_PUBLISH) return bt_arena_print(arena, "%s/%s", store->name, name);
    return bt_arena_print(arena, "%s/../%s%s", store->name, bt_shelf_names[shelf], name);
}

bauta_status bt_store_need(const bt_store *store, const char *name, bt_bytes **out,
                           bauta_error *error)
{
    bt_arena arena = {0};
    BT_TRY(bt_store_read(store, BT_SHELF_PUBLISH, name, out, error));
    if (*out) return BAUTA_OK;
    const char *path = bt_store_path(store, BT_SHELF_PUBLISH, name, &arena);
    bauta_status status =
        path ? bt_fail(error, BAUTA_INVALID, "there is no '%s'", path) : bt_fail_memory(error);
    bt_arena_release(&arena);
    return status;
}

bauta_status bt_store_text(const bt_store *store, bt_shelf shelf, const char *name, size_t most,
                           bt_buffer *out, bool *found, bauta_error *error)
{
    bt_bytes *bytes;
    int64_t size;
    size_t got = 0;
    BT_TRY(bt_store_read(store, shelf, name, &bytes, error));
    *found = bytes != NULL;
    if (!bytes) return BAUTA_OK;
    bauta_status status = BAUTA_OK;
    if (!bt_bytes_plain(bytes, &size))
        status = bt_fail(error, BAUTA_INVALID, "'%s%s' of the release is compressed",
                         bt_shelf_names[shelf], name);
    else if ((uint64_t)size > most)
        status = bt_fail(error, BAUTA_INVALID, "'%s%s' of the release is longer than %zu bytes",
                         bt_shelf_names[shelf], name, most);
    if (status == BAUTA_OK) status = bt_buffer_reserve(out, (size_t)size + 1, error);
    if (status == BAUTA_OK)
        status = bt_bytes_read_at(bytes, 0, out->bytes + out->length, (size_t)size, &got, error);
    out->length += got;
    bt_bytes_close(bytes);
    return status;
}
