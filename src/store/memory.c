/* SPDX-License-Identifier: Apache-2.0
 *
 * A store in memory: a release is a list of files, and a commit puts one list in the place of
 * another. Tables are held column by column, and are read so; their bytes are made only for those
 * who ask for them.
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
    bt_coded_table *table; /* that the file stands for: `bytes` are made of it when someone asks for
                              them; NULL: they are there */
    bt_shelf shelf;
    char name[]; /* "publish/data.csv" */
} memory_file;

typedef struct memory_release {
    memory_file **files;
    memory_file **shown; /* once it is committed: the files in the order of their names */
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
    bt_coded_free(file->table);
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
    file->shelf = shelf;
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

/* The bytes of a file. Those of a table are made by the first who asks. */
static bauta_status show_bytes(memory_file *file, const char **bytes, size_t *length,
                               bauta_error *error)
{
    bauta_status status = BAUTA_OK;
    pthread_rwlock_wrlock(&file->moving);
    if (file->table && !file->bytes) {
        bt_buffer text = {0};
        status = bt_coded_print_names(file->table, &text, error);
        for (size_t p = 0; status == BAUTA_OK && p < file->table->part_count; p++)
            status = bt_coded_print(file->table, p, &text, error);
        if (status == BAUTA_OK) {
            file->bytes = text.bytes;
            file->length = file->capacity = text.length;
        } else {
            bt_buffer_release(&text);
        }
    }
    *bytes = file->bytes ? file->bytes : "";
    *length = file->length;
    pthread_rwlock_unlock(&file->moving);
    return status;
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
    const memory_file *const *one = a, *const *other = b;
    return strcmp((*one)->name, (*other)->name);
}

static bauta_status add_file(bt_store *store, bt_shelf shelf, const char *name, memory_file **out,
                             bauta_error *error)
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
    *out = file;
    return BAUTA_OK;
}

static bauta_status memory_create(bt_store *store, bt_shelf shelf, const char *name,
                                  bt_store_file *out, bauta_error *error)
{
    memory_file *file;
    BT_TRY(add_file(store, shelf, name, &file, error));
    out->state = file;
    return BAUTA_OK;
}

static bauta_status memory_hold(bt_store *store, const char *name, bt_coded_table *table,
                                bauta_error *error)
{
    memory_file *file;
    bauta_status status = add_file(store, BT_SHELF_PUBLISH, name, &file, error);
    if (status == BAUTA_OK)
        file->table = table;
    else
        bt_coded_free(table);
    return status;
}

static const bt_coded_table *memory_held(const bt_store *store, const char *name)
{
    const memory_release *release = store->state;
    size_t at = release ? find_file(release, BT_SHELF_PUBLISH, name) : 0;
    return release && at < release->count ? release->files[at]->table : NULL;
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
    file->table = release->files[old]->table;
    release->files[old]->bytes = NULL;
    release->files[old]->table = NULL;
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
    const char *bytes;
    size_t length;
    BT_TRY(show_bytes(release->files[at], &bytes, &length, error));
    return bt_bytes_in_memory(bytes, length, NULL, release->files[at]->name, out, error);
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
    memcpy(release->shown, release->files, release->count * sizeof *release->shown);
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
    .hold = memory_hold,
    .held = memory_held,
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

/* The release that is committed in a store of memory; NULL: there is none. It stays as long as no
 * other one is committed. */
static const memory_release *committed_in(bauta_store *given)
{
    if (given->type != &bt_store_memory) return NULL;
    const memory_state *state = given->state;
    pthread_mutex_lock(&given->lock);
    const memory_release *release = state->committed;
    pthread_mutex_unlock(&given->lock);
    return release;
}

const char *bt_memory_name(bauta_store *given, size_t number)
{
    const memory_release *release = committed_in(given);
    return release && number < release->count ? release->shown[number]->name : NULL;
}

bauta_status bt_memory_bytes(bauta_store *given, size_t number, const char **bytes, size_t *length,
                             bauta_error *error)
{
    return show_bytes(committed_in(given)->shown[number], bytes, length, error);
}

/* A table is printed part by part. */
static bauta_status copy_table(const bt_coded_table *table, const bt_store_file *to,
                               bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer text = {0};
    int64_t written = 0;
    BT_TRY(bt_coded_print_names(table, &text, error));
    for (size_t p = 0; p < table->part_count; p++) {
        BT_TRY(bt_coded_print(table, p, &text, error));
        BT_TRY(bt_store_put(to, written, text.bytes, text.length, error));
        written += (int64_t)text.length;
        text.length = 0;
    }
    return BAUTA_OK;
}

bauta_status bt_memory_copy(bauta_store *given, bt_store *to, bauta_error *error)
{
    const memory_release *release = committed_in(given);
    for (size_t i = 0; i < release->count; i++) {
        memory_file *file = release->shown[i];
        const char *name = file->name + strlen(bt_shelf_names[file->shelf]), *bytes;
        size_t length;
        bt_store_file made;
        if (!file->table) {
            BT_TRY(show_bytes(file, &bytes, &length, error));
            BT_TRY(bt_store_write(to, file->shelf, name, bytes, length, error));
            continue;
        }
        BT_TRY(bt_store_create(to, file->shelf, name, &made, error));
        BT_TRY(bt_store_finish(&made, copy_table(file->table, &made, error), error));
    }
    return BAUTA_OK;
}
