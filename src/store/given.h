/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores that a caller makes and gives to recipes: what is behind bauta_store. Only src/store and
 * src/api include this.
 */
#ifndef BT_GIVEN_H
#define BT_GIVEN_H

#include "store/store.h"

#include <pthread.h>

struct bauta_store {
    const bt_store_type *type;
    void *state; /* the type's own, shared by all who hold the store */
    pthread_mutex_t lock;
    size_t holders; /* changed under the lock */
};

/* Takes `state` over, also on failure. */
BT_MUST_USE bauta_status bt_given_new(const bt_store_type *type, void *state, bauta_store **out,
                                      bauta_error *error);
bauta_store *bt_given_hold(bauta_store *given);
void bt_given_drop(bauta_store *given); /* the last holder frees it; NULL is none */

typedef struct bt_stores { /* those of a recipe, by their names */
    struct bt_named_store {
        char *name;
        bauta_store *given;
    } * items;
    size_t count, capacity;
} bt_stores;

/* Holds the store. Refuses a name that is empty or taken. */
BT_MUST_USE bauta_status bt_stores_add(bt_stores *stores, const char *name, bauta_store *given,
                                       bauta_error *error);
void bt_stores_free(bt_stores *stores);

/* The store that store:NAME names, held for whoever asks; NULL: there is none, as where `stores` is
 * NULL. */
bauta_store *bt_stores_find(const bt_stores *stores, const char *name);

/* Why nothing is begun: another one writes, or a release is there. */
BT_MUST_USE bauta_status bt_store_refuse_second(const bt_store *store, bauta_error *error);
BT_MUST_USE bauta_status bt_store_refuse_existing(const bt_store *store, bauta_error *error);

/* ---- a store in memory ---- */

BT_MUST_USE bauta_status bt_memory_new(bauta_store **out, bauta_error *error);

/* The names ("publish/data.csv") of the files of the release that is committed in it, in the order
 * of their bytes; there until another one is committed or the store is freed. NULL after the last;
 * none of another kind of store. */
const char *bt_memory_name(bauta_store *given, size_t number);

/* The bytes of a file, which are there as long; made now where the file is a table. */
BT_MUST_USE bauta_status bt_memory_bytes(bauta_store *given, size_t number, const char **bytes,
                                         size_t *length, bauta_error *error);

/* Writes the release that is committed in it to a store that was begun. */
BT_MUST_USE bauta_status bt_memory_copy(bauta_store *given, bt_store *to, bauta_error *error);

/* ---- a store of the caller's own ---- */

BT_MUST_USE bauta_status bt_own_new(const bauta_store_calls *calls, void *user, bauta_store **out,
                                    bauta_error *error);

#endif
