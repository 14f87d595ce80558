/* SPDX-License-Identifier: Apache-2.0
 *
 * A store in memory: a release is a list of files, and a commit puts one list in the place of
 * another.
 *
 * Whoever reads holds the list that was there when the store was opened, so that a release that
 * replaces it meanwhile takes nothing away. A file grows while several threads write to it: they
 * copy their bytes side by side, and wait only while the block is moved. What is private may hold
 * the seed: it is overwritten before its memory is given back, also when it is moved.
 */
#include "store/given.h"

#include "base/assert.h"

#include <stdatomic.h>
#include <string.h>

typedef struct memory_file {
    char *bytes;
    size_t length, capacity;
    pthread_rwlock_t moving; /* held for writing while `bytes` is moved or `length` changed */
    bool secret;
    char name[]; /* "publish/data.csv" */
} memory_file;

typedef struct memory_release {
    memory_file **files;
    bt_memory_file *shown; /* once it is committed: the files in the order of their names */
    size_t count, capacity;
    _Atomic size_t holders;
} memory_release;

typedef struct memory_state {  /* of a given store; its lock is held for each change */
    memory_release *committed; /* NULL: there is none */
    bool writing;              /* somebody does */
} memory_state;

/* The state of a bt_store is the release that is written or read. */

/* ---- files ------------------------------------------------------------------------------- */

static void free_block(const memory_file *file)
{
    if (file->secret && file->bytes) explicit_bzero(file->bytes, file->capacity);
    free(file->bytes);
}

static void free_file(memory_file *file)
{
    free_block(file);
    pthread_rwlock_destroy(&file->moving);
    free(file);
}

static memory_file *make_file(bt_shelf shelf, const char *name)
{
    size_t prefix = strlen(bt_shelf_names[shelf]), length = strlen(name) + 1;
    memory_file *file = bt_array_zero(1, sizeof *file + prefix + length);
    if (!file) return NULL;
    memcpy(file->name, bt_shelf_names[shelf], prefix);
    memcpy(file->name + prefix, name, length);
    file->secret = shelf != BT_SHELF_PUBLISH;
    if (pthread_rwlock_init(&file->moving, NULL) == 0) return file;
    free(file);
    return NULL;
}

/* Gives the block of a file another size, which its bytes fit. */
static bool resize(memory_file *file, size_t capacity)
{
    char *block = file->secret ? bt_array(capacity, 1) : realloc(file->bytes, capacity);
    if (!block) return false;
    if (file->secret) {
        if (file->length > 0) memcpy(block, file->bytes, file->length);
        free_block(file);
    }
    file->bytes = block;
    file->capacity = capacity;
    return true;
}

/* Makes a file `end` bytes long, if it is shorter. */
static bauta_status extend(memory_file *file, size_t end, bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    pthread_rwlock_wrlock(&file->moving);
    if (end > file->capacity) {
        size_t capacity = file->capacity < SIZE_MAX / 2 ? 2 * file->capacity : end;
        if (!resize(file, capacity > end ? capacity : end)) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK && end > file->length) {
        /* What nobody writes is as in a file of a folder. */
        memset(file->bytes + file->length, 0, end - file->length);
        file->length = end;
    }
    pthread_rwlock_unlock(&file->moving);
    return status;
}

static bauta_status memory_write(const bt_store_file *made, int64_t offset, const char *bytes,
                                 size_t length, bauta_error *error)
{
    memory_file *file = made->state;
    size_t end;
    if (length == 0) return BAUTA_OK;
    if (!bt_size_add((size_t)offset, length, &end)) return bt_fail_memory(error);
    pthread_rwlock_rdlock(&file->moving);
    while (end > file->length) {
        pthread_rwlock_unlock(&file->moving);
        BT_TRY(extend(file, end, error));
        pthread_rwlock_rdlock(&file->moving);
    }
    memcpy(file->bytes + offset, bytes, length);
    pthread_rwlock_unlock(&file->moving);
    return BAUTA_OK;
}

/* The rest of a block is not needed any more; where it cannot be given back it stays. */
static bauta_status memory_finish(bt_store_file *made, bauta_error *error)
{
    (void)error;
    memory_file *file = made->state;
    if (file && !file->secret && file->length > 0 && file->length < file->capacity)
        (void)resize(file, file->length);
    return BAUTA_OK;
}

/* ---- releases ---------------------------------------------------------------------------- */

static void drop_release(memory_release *release)
{
    if (!release || atomic_fetch_sub(&release->holders, 1) > 1) return;
    for (size_t i = 0; i < release->count; i++)
        free_file(release->files[i]);
    free(release->files);
    free(release->shown);
    free(release);
}

/* The place of a file among the files of a release; `count`: there is none. */
static size_t find_file(const memory_release *release, bt_shelf shelf, const char *name)
{
    const char *prefix = bt_shelf_names[shelf];
    size_t length = strlen(prefix), i = 0;
    while (i < release->count && (strncmp(release->files[i]->name, prefix, length) != 0 ||
                                  strcmp(release->files[i]->name + length, name) != 0))
        i++;
    return i;
}

static int compare_names(const void *a, const void *b)
{
    const bt_memory_file *one = a, *other = b;
    return strcmp(one->name, other->name);
}

static bauta_status memory_create(bt_store *store, bt_shelf shelf, const char *name,
                                  bt_store_file *out, bauta_error *error)
{
    memory_release *release = store->state;
    if (find_file(release, shelf, name) < release->count)
        return bt_fail(error, BAUTA_SYSTEM, "cannot create '%s%s' of '%s': it exists",
                       bt_shelf_names[shelf], name, store->name);
    BT_TRY(bt_array_grow(&release->files, &release->capacity, release->count + 1,
                         sizeof *release->files, error));
    memory_file *file = make_file(shelf, name);
    if (!file) return bt_fail_memory(error);
    release->files[release->count++] = file;
    out->state = file;
    return BAUTA_OK;
}

static bauta_status memory_rename(bt_store *store, const char *from, const char *to,
                                  bauta_error *error)
{
    memory_release *release = store->state;
    size_t old = find_file(release, BT_SHELF_PUBLISH, from), gone;
    if (old == release->count)
        return bt_fail(error, BAUTA_SYSTEM, "cannot rename '%s' of '%s': it is not there", from,
                       store->name);
    memory_file *file = make_file(BT_SHELF_PUBLISH, to);
    if (!file) return bt_fail_memory(error);
    gone = find_file(release, BT_SHELF_PUBLISH, to);
    file->bytes = release->files[old]->bytes;
    file->length = release->files[old]->length;
    file->capacity = release->files[old]->capacity;
    release->files[old]->bytes = NULL;
    free_file(release->files[old]);
    release->files[old] = file;
    if (gone == release->count || gone == old) return BAUTA_OK;
    free_file(release->files[gone]);
    release->files[gone] = release->files[--release->count];
    return BAUTA_OK;
}

static bauta_status memory_read(const bt_store *store, bt_shelf shelf, const char *name,
                                bt_bytes **out, bauta_error *error)
{
    const memory_release *release = store->state;
    size_t at = release ? find_file(release, shelf, name) : 0;
    if (!release || at == release->count) return BAUTA_OK;
    const memory_file *file = release->files[at];
    return bt_bytes_in_memory(file->bytes ? file->bytes : "", file->length, NULL, file->name, out,
                              error);
}

static bauta_status memory_each(const bt_store *store, bt_store_visit visit, void *user,
                                bauta_error *error)
{
    const memory_release *release = store->state;
    size_t prefix = strlen(bt_shelf_names[BT_SHELF_PUBLISH]);
    for (size_t i = 0; release && i < release->count; i++)
        if (strncmp(release->files[i]->name, bt_shelf_names[BT_SHELF_PUBLISH], prefix) == 0)
            BT_TRY(visit(user, release->files[i]->name + prefix, true, error));
    return BAUTA_OK;
}

/* ---- the store --------------------------------------------------------------------------- */

/* Whoever reads sees the release that is there now, and no other. */
static bauta_status memory_open(bt_store *store, const char *name, bauta_error *error)
{
    (void)name;
    (void)error;
    if (store->writing) return BAUTA_OK;
    memory_state *state = store->given->state;
    pthread_mutex_lock(&store->given->lock);
    if (state->committed) atomic_fetch_add(&state->committed->holders, 1);
    store->state = state->committed;
    pthread_mutex_unlock(&store->given->lock);
    return BAUTA_OK;
}

static bauta_status memory_begin(bt_store *store, const bt_store_wish *wish, bauta_error *error)
{
    memory_state *state = store->given->state;
    bauta_status status = BAUTA_OK;
    memory_release *release = bt_array_zero(1, sizeof *release);
    if (!release) return bt_fail_memory(error);
    release->holders = 1;
    pthread_mutex_lock(&store->given->lock);
    if (state->writing)
        status = bt_store_refuse_second(store, error);
    else if (state->committed && !wish->force)
        status = bt_store_refuse_existing(store, error);
    else
        state->writing = true;
    pthread_mutex_unlock(&store->given->lock);
    if (status == BAUTA_OK)
        store->state = release;
    else
        free(release);
    return status;
}

static bauta_status memory_commit(bt_store *store, bauta_error *error)
{
    memory_state *state = store->given->state;
    memory_release *release = store->state, *before;
    release->shown = bt_array(release->count, sizeof *release->shown);
    if (!release->shown) return bt_fail_memory(error);
    for (size_t i = 0; i < release->count; i++) {
        const memory_file *file = release->files[i];
        release->shown[i] =
            (bt_memory_file){file->name, file->bytes ? file->bytes : "", file->length};
    }
    qsort(release->shown, release->count, sizeof *release->shown, compare_names);
    atomic_fetch_add(&release->holders, 1);
    pthread_mutex_lock(&store->given->lock);
    BT_ASSERT(state->writing);
    before = state->committed;
    state->committed = release;
    pthread_mutex_unlock(&store->given->lock);
    drop_release(before);
    store->committed = true;
    return BAUTA_OK;
}

static void memory_close(bt_store *store)
{
    memory_state *state = store->given->state;
    if (store->writing && store->state) {
        pthread_mutex_lock(&store->given->lock);
        state->writing = false;
        pthread_mutex_unlock(&store->given->lock);
    }
    drop_release(store->state);
}

static void memory_forget(void *given_state)
{
    memory_state *state = given_state;
    drop_release(state->committed);
    free(state);
}

const bt_store_type bt_store_memory = {
    .name = "memory",
    .place = "store",
    .summary = "memory of the caller's process, for those who call the library",
    .open = memory_open,
    .begin = memory_begin,
    .create = memory_create,
    .write = memory_write,
    .finish = memory_finish,
    .rename = memory_rename,
    .commit = memory_commit,
    .read = memory_read,
    .each = memory_each,
    .close = memory_close,
    .forget = memory_forget,
};

bauta_status bt_memory_new(bauta_store **out, bauta_error *error)
{
    *out = NULL;
    memory_state *state = bt_array_zero(1, sizeof *state);
    return state ? bt_given_new(&bt_store_memory, state, out, error) : bt_fail_memory(error);
}

const bt_memory_file *bt_memory_files(bauta_store *given, size_t *count)
{
    const bt_memory_file *files = NULL;
    *count = 0;
    if (given->type != &bt_store_memory) return NULL;
    memory_state *state = given->state;
    pthread_mutex_lock(&given->lock);
    if (state->committed) {
        files = state->committed->shown;
        *count = state->committed->count;
    }
    pthread_mutex_unlock(&given->lock);
    return files;
}
