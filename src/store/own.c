/* SPDX-License-Identifier: Apache-2.0
 *
 * A store of the caller's own: a few calls (bauta_store_calls), made under one lock.
 *
 * What they say is not believed: bytes that are promised must come, and no more of them. One who
 * reads sees one release: once the first file of another one is made, nothing more is read for him.
 */
#include "store/given.h"

#include <stdio.h>
#include <string.h>

typedef struct own_state { /* of a given store; its lock is held for each call */
    bauta_store_calls calls;
    void *user;
    bool writing;     /* somebody has begun a release */
    bool created;     /* and made a file of it: from then on, that is what is read */
    uint64_t started; /* releases of which a file was made */
} own_state;

typedef struct own_view { /* the state of a bt_store */
    bauta_store *given;
    const char *store; /* its name */
    uint64_t started;  /* as the store says while what is seen is there */
    bool writing;      /* what is seen is what is written */
} own_view;

typedef struct own_file { /* one that is written or read */
    own_view view;
    char name[];
} own_file;

/* ---- calling ----------------------------------------------------------------------------- */

static bauta_status fail_call(const own_view *view, const char *what, const char *file, int code,
                              bauta_error *error)
{
    return bt_fail(error, BAUTA_SYSTEM, "'%s' failed to %s '%s' (%d)", view->store, what, file,
                   code);
}

/* Takes the lock, if what is seen is still there. */
static bauta_status enter(const own_view *view, bauta_error *error)
{
    const own_state *state = view->given->state;
    pthread_mutex_lock(&view->given->lock);
    if (view->writing || (state->started == view->started && !state->created)) return BAUTA_OK;
    pthread_mutex_unlock(&view->given->lock);
    return bt_fail(error, BAUTA_SYSTEM, "the release in '%s' is being replaced, or was",
                   view->store);
}

static void leave(const own_view *view)
{
    pthread_mutex_unlock(&view->given->lock);
}

static own_file *make_file(const own_view *view, bt_shelf shelf, const char *name)
{
    size_t length = strlen(bt_shelf_names[shelf]) + strlen(name) + 1;
    own_file *file = bt_array_zero(1, sizeof *file + length);
    if (!file) return NULL;
    file->view = *view;
    snprintf(file->name, length, "%s%s", bt_shelf_names[shelf], name);
    return file;
}

/* ---- writing ----------------------------------------------------------------------------- */

static bauta_status own_create(bt_store *store, bt_shelf shelf, const char *name,
                               bt_store_file *out, bauta_error *error)
{
    const own_view *view = store->state;
    own_state *state = view->given->state;
    own_file *file = out->state = make_file(view, shelf, name);
    if (!file) return bt_fail_memory(error);
    BT_TRY(enter(view, error));
    state->started += !state->created;
    state->created = true;
    int code = state->calls.create(state->user, file->name);
    leave(view);
    return code == 0 ? BAUTA_OK : fail_call(view, "create", file->name, code, error);
}

static bauta_status own_write(const bt_store_file *made, int64_t offset, const char *bytes,
                              size_t length, bauta_error *error)
{
    const own_file *file = made->state;
    const own_state *state = file->view.given->state;
    if (length == 0) return BAUTA_OK;
    BT_TRY(enter(&file->view, error));
    int code = state->calls.write(state->user, file->name, offset, bytes, length);
    leave(&file->view);
    return code == 0 ? BAUTA_OK : fail_call(&file->view, "write", file->name, code, error);
}

static bauta_status own_finish(bt_store_file *made, bauta_error *error)
{
    (void)error;
    free(made->state);
    return BAUTA_OK;
}

static bauta_status own_rename(bt_store *store, const char *from, const char *to,
                               bauta_error *error)
{
    const own_view *view = store->state;
    const own_state *state = view->given->state;
    if (!state->calls.rename)
        return bt_fail(error, BAUTA_USAGE, "'%s' cannot rename files, as 'spreadsheet-safe' needs",
                       view->store);
    own_file *old = make_file(view, BT_SHELF_PUBLISH, from),
             *fresh = make_file(view, BT_SHELF_PUBLISH, to);
    bauta_status status = old && fresh ? enter(view, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        int code = state->calls.rename(state->user, old->name, fresh->name);
        leave(view);
        if (code != 0) status = fail_call(view, "rename", old->name, code, error);
    }
    free(old);
    free(fresh);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------- */

static bauta_status find_length(const own_view *view, const char *file, int64_t *out,
                                bauta_error *error)
{
    const own_state *state = view->given->state;
    *out = -1;
    BT_TRY(enter(view, error));
    int code = state->calls.length(state->user, file, out);
    leave(view);
    return code == 0 ? BAUTA_OK : fail_call(view, "find", file, code, error);
}

/* Asks until all bytes are there. */
static bauta_status read_part(void *user, int64_t offset, char *bytes, size_t length,
                              bauta_error *error)
{
    const own_file *file = user;
    const own_state *state = file->view.given->state;
    int code = 0;
    size_t got = 1;
    BT_TRY(enter(&file->view, error));
    while (length > 0 && code == 0 && got > 0) {
        got = 0;
        code = state->calls.read(state->user, file->name, offset, bytes, length, &got);
        if (code != 0 || got > length) break;
        bytes += got;
        offset += (int64_t)got;
        length -= got;
    }
    leave(&file->view);
    if (code != 0) return fail_call(&file->view, "read", file->name, code, error);
    if (length == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_SYSTEM, "'%s' gave %s bytes of '%s' than it was asked for",
                   file->view.store, got > 0 ? "more" : "fewer", file->name);
}

static bauta_status own_read(const bt_store *store, bt_shelf shelf, const char *name,
                             bt_bytes **out, bauta_error *error)
{
    const own_view *view = store->state;
    own_file *file = make_file(view, shelf, name);
    int64_t length = -1;
    bauta_status status =
        file ? find_length(view, file->name, &length, error) : bt_fail_memory(error);
    const bt_bytes_calls calls = {.read = read_part, .close = free, .user = file};
    if (status == BAUTA_OK && length >= 0)
        return bt_bytes_by_calls(&calls, length, file->name, out, error);
    free(file);
    return status;
}

/* Of the files that releases have, those that are there. */
static bauta_status own_each(const bt_store *store, bt_store_visit visit, void *user,
                             bauta_error *error)
{
    const own_view *view = store->state;
    for (size_t i = 0; bt_published_names[i]; i++) {
        int64_t length;
        own_file *file = make_file(view, BT_SHELF_PUBLISH, bt_published_names[i]);
        if (!file) return bt_fail_memory(error);
        bauta_status status = find_length(view, file->name, &length, error);
        free(file);
        if (status == BAUTA_OK && length >= 0)
            status = visit(user, bt_published_names[i], true, error);
        BT_TRY(status);
    }
    return BAUTA_OK;
}

/* ---- the store --------------------------------------------------------------------------- */

static bauta_status own_open(bt_store *store, const char *name, bauta_error *error)
{
    (void)name;
    own_view *view = store->state = bt_array_zero(1, sizeof *view);
    if (!view) return bt_fail_memory(error);
    const own_state *state = store->given->state;
    pthread_mutex_lock(&store->given->lock);
    *view = (own_view){.given = store->given, .store = store->name, .started = state->started};
    pthread_mutex_unlock(&store->given->lock);
    return BAUTA_OK;
}

static bauta_status own_begin(bt_store *store, const bt_store_wish *wish, bauta_error *error)
{
    own_view *view = store->state;
    own_state *state = store->given->state;
    int64_t length = -1;
    int code = 0;
    bauta_status status = BAUTA_OK;
    pthread_mutex_lock(&store->given->lock);
    if (state->writing)
        status = bt_store_refuse_second(store, error);
    else
        code = state->calls.length(state->user, "publish/manifest.json", &length);
    if (code != 0)
        status = fail_call(view, "find", "publish/manifest.json", code, error);
    else if (length >= 0 && !wish->force)
        status = bt_store_refuse_existing(store, error);
    if (status == BAUTA_OK) state->writing = view->writing = true;
    pthread_mutex_unlock(&store->given->lock);
    return status;
}

static bauta_status own_commit(bt_store *store, bauta_error *error)
{
    const own_view *view = store->state;
    const own_state *state = view->given->state;
    BT_TRY(enter(view, error));
    int code = state->calls.commit(state->user);
    store->committed = code == 0;
    leave(view);
    return code == 0 ? BAUTA_OK : fail_call(view, "commit", store->name, code, error);
}

static void own_close(bt_store *store)
{
    own_view *view = store->state;
    if (!view) return;
    own_state *state = view->given->state;
    if (view->writing) {
        pthread_mutex_lock(&view->given->lock);
        if (state->created && !store->committed) state->calls.cancel(state->user);
        state->writing = state->created = false;
        pthread_mutex_unlock(&view->given->lock);
    }
    free(view);
}

static void own_forget(void *given_state)
{
    own_state *state = given_state;
    if (state->calls.free) state->calls.free(state->user);
    free(state);
}

const bt_store_type bt_store_own = {
    .name = "own",
    .place = "store",
    .summary = "calls of the caller's own, for those who call the library",
    .open = own_open,
    .begin = own_begin,
    .create = own_create,
    .write = own_write,
    .finish = own_finish,
    .rename = own_rename,
    .commit = own_commit,
    .read = own_read,
    .each = own_each,
    .close = own_close,
    .forget = own_forget,
};

bauta_status bt_own_new(const bauta_store_calls *calls, void *user, bauta_store **out,
                        bauta_error *error)
{
    *out = NULL;
    if (calls->size < sizeof *calls)
        return bt_fail(error, BAUTA_USAGE, "the calls of a store are %zu bytes, not %zu",
                       sizeof *calls, calls->size);
    if (!calls->create || !calls->write || !calls->commit || !calls->cancel || !calls->length ||
        !calls->read)
        return bt_fail(error, BAUTA_USAGE, "a store needs all calls but 'rename' and 'free'");
    own_state *state = bt_array_zero(1, sizeof *state);
    if (!state) return bt_fail_memory(error);
    BT_TRY(bt_given_new(&bt_store_own, state, out, error));
    *state = (own_state){.calls = *calls, .user = user}; /* the user's from here on */
    return BAUTA_OK;
}
