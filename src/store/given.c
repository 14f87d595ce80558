/* SPDX-License-Identifier: Apache-2.0
 *
 * Stores that are given, and their names.
 */
#include "store/given.h"

#include <string.h>

static const char scheme[] = "store:";

bauta_status bt_given_new(const bt_store_type *type, void *state, bauta_store **out,
                          bauta_error *error)
{
    bauta_store *given = *out = bt_array_zero(1, sizeof *given);
    if (given && pthread_mutex_init(&given->lock, NULL) == 0) {
        given->type = type;
        given->state = state;
        given->holders = 1;
        return BAUTA_OK;
    }
    *out = NULL;
    free(given);
    type->forget(state);
    return bt_fail_memory(error);
}

bauta_store *bt_given_hold(bauta_store *given)
{
    pthread_mutex_lock(&given->lock);
    given->holders++;
    pthread_mutex_unlock(&given->lock);
    return given;
}

void bt_given_drop(bauta_store *given)
{
    if (!given) return;
    pthread_mutex_lock(&given->lock);
    size_t left = --given->holders;
    pthread_mutex_unlock(&given->lock);
    if (left > 0) return;
    given->type->forget(given->state);
    pthread_mutex_destroy(&given->lock);
    free(given);
}

static struct bt_named_store *find_named(const bt_stores *stores, const char *name)
{
    for (size_t i = 0; stores && i < stores->count; i++)
        if (strcmp(stores->items[i].name, name) == 0) return &stores->items[i];
    return NULL;
}

bauta_status bt_stores_add(bt_stores *stores, const char *name, bauta_store *given,
                           bauta_error *error)
{
    if (name[0] == '\0') return bt_fail(error, BAUTA_USAGE, "the name of a store is empty");
    if (find_named(stores, name))
        return bt_fail(error, BAUTA_USAGE, "there is a store '%s' already", name);
    BT_TRY(bt_array_grow(&stores->items, &stores->capacity, stores->count + 1,
                         sizeof *stores->items, error));
    char *own = strdup(name);
    if (!own) return bt_fail_memory(error);
    stores->items[stores->count++] = (struct bt_named_store){own, bt_given_hold(given)};
    return BAUTA_OK;
}

void bt_stores_free(bt_stores *stores)
{
    for (size_t i = 0; i < stores->count; i++) {
        free(stores->items[i].name);
        bt_given_drop(stores->items[i].given);
    }
    free(stores->items);
    *stores = (bt_stores){0};
}

bool bt_store_is_given(const char *name)
{
    return strncmp(name, scheme, sizeof scheme - 1) == 0;
}

bauta_store *bt_stores_find(const bt_stores *stores, const char *name)
{
    const struct bt_named_store *named = find_named(stores, name + sizeof scheme - 1);
    return named ? bt_given_hold(named->given) : NULL;
}

bauta_status bt_store_refuse_second(const bt_store *store, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "another run writes to '%s'", store->name);
    bt_error_hint(error, "wait until it is done, or use another store");
    return status;
}

bauta_status bt_store_refuse_existing(const bt_store *store, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "'%s' holds a release", store->name);
    bt_error_hint(error, "use another store, or replace the release with 'force'");
    return status;
}
