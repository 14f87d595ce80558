/* SPDX-License-Identifier: Apache-2.0
 *
 * The interface of a store: where the bytes of a release live while they are written, audited and
 * committed. One file per store, one line in stores.def.
 *
 * A store has three shelves with files by name: what is to be handed out ("publish/data.csv"), what
 * is the owner's ("private/summary.json"), and among that whole hierarchies
 * ("private/hierarchies/age.csv"). A release is written in this order: it is begun;
 * files are created, each written by position, by several threads at once, and finished; the store
 * is settled, and from then on what is read is what it really holds, which is what the audit sees;
 * some more of the owner's files; commit. Commit is all or nothing. A store that is closed before
 * is as if nothing had been begun.
 *
 * Whoever reads a release opens the store that its name stands for and reads files in the same way.
 *
 * A name is a path, or store:NAME for a store that somebody gave to the recipe (bauta_store): one
 * in memory, or of the caller's own. It is shared: whoever opens it holds it until it is closed.
 */
#ifndef BT_STORE_H
#define BT_STORE_H

#include "io/bytes.h"
#include "io/coded.h"

typedef enum bt_shelf { BT_SHELF_PUBLISH, BT_SHELF_PRIVATE, BT_SHELF_TREES } bt_shelf;

extern const char *const bt_shelf_names[]; /* "publish/", "private/", "private/hierarchies/" */

/* All files that releases of any form have, to be handed out; NULL after the last. */
extern const char *const bt_published_names[];

struct bt_store_type;

typedef struct bt_store { /* one opened by somebody who writes or reads a release */
    const struct bt_store_type *type;
    bauta_store *given; /* held; NULL: the name is a path */
    char *name;         /* of the release, as errors and reports name it: "out/publish" */
    void *state;        /* the type's own */
    bool writing;       /* begun: what is read is what is being written */
    bool committed;
} bt_store;

/* An empty one: bt_store_close does nothing to it. */
#define BT_STORE_NONE ((bt_store){.type = NULL})

typedef struct bt_store_wish {
    bool force; /* a release that is there is replaced; else it is in the way */
    /* Whether a text is the manifest of a release, without which no folder is replaced; fails when
     * the system does. It has `manifest_most` bytes at most. */
    int64_t manifest_most;
    bauta_status (*is_manifest)(const char *text, size_t length, bool *is, bauta_error *error);
} bt_store_wish;

/* Whether a name is that of a given store (given.h), not a path. */
bool bt_store_is_given(const char *name);

/* ---- opening ---- */

/* Begins a release in the store that `out` names: a folder, or one of run->stores. */
BT_MUST_USE bauta_status bt_store_begin(const char *out, const bt_store_wish *wish,
                                        const bt_run *run, bt_store *store, bauta_error *error);

/* Opens the store of a release for reading: the folder that holds its files, or one of run->stores.
 */
BT_MUST_USE bauta_status bt_store_open(const char *release, const bt_run *run, bt_store *store,
                                       bauta_error *error);

/* Leaves nothing behind of what was not committed. */
void bt_store_close(bt_store *store);

/* ---- writing ---- */

typedef struct bt_store_file { /* being written */
    const struct bt_store_type *type;
    char *path;     /* as errors name it */
    int descriptor; /* of a file in a folder */
    void *state;    /* what else the type has of it */
} bt_store_file;

BT_MUST_USE bauta_status bt_store_create(bt_store *store, bt_shelf shelf, const char *name,
                                         bt_store_file *out, bauta_error *error);
/* Writes bytes at a position, from any thread; no byte is written twice. */
BT_MUST_USE bauta_status bt_store_put(const bt_store_file *file, int64_t offset, const char *bytes,
                                      size_t length, bauta_error *error);
/* Closes a file that was written with `status`, which is the result unless closing fails. */
BT_MUST_USE bauta_status bt_store_finish(bt_store_file *file, bauta_status status,
                                         bauta_error *error);
/* Writes a whole small file. */
BT_MUST_USE bauta_status bt_store_write(bt_store *store, bt_shelf shelf, const char *name,
                                        const char *bytes, size_t length, bauta_error *error);
/* Gives a finished file to be handed out the name of another one, which goes. */
BT_MUST_USE bauta_status bt_store_rename(bt_store *store, const char *from, const char *to,
                                         bauta_error *error);
/* Writes a whole small file of the owner's that stays whatever becomes of the release. */
BT_MUST_USE bauta_status bt_store_keep(bt_store *store, const char *name, const char *bytes,
                                       size_t length, bauta_error *error);
/* What was written is handed over: it is read from now on as the store holds it. */
BT_MUST_USE bauta_status bt_store_settle(bt_store *store, bauta_error *error);
/* After a failure store->committed says whether the release has appeared. */
BT_MUST_USE bauta_status bt_store_commit(bt_store *store, bauta_error *error);

/* Whether the store keeps tables column by column, so that bt_store_hold can be called. */
bool bt_store_holds_columns(const bt_store *store);
/* Gives the store a table, which stands for a file to be handed out; taken over, also on failure.
 */
BT_MUST_USE bauta_status bt_store_hold(bt_store *store, const char *name, bt_coded_table *table,
                                       bauta_error *error);

/* ---- reading ---- */

/* The table that stands for a file to be handed out, borrowed; NULL: there is none, the file is
 * bytes. It can be read as bytes too. */
const bt_coded_table *bt_store_held(const bt_store *store, const char *name);

/* Opens a plain file; *out is NULL when there is none of that name, or none of the owner's that may
 * be seen. */
BT_MUST_USE bauta_status bt_store_read(const bt_store *store, bt_shelf shelf, const char *name,
                                       bt_bytes **out, bauta_error *error);
/* Reads a file to be handed out that must be there: BAUTA_INVALID when it is not. */
BT_MUST_USE bauta_status bt_store_need(const bt_store *store, const char *name, bt_bytes **out,
                                       bauta_error *error);
/* Reads a whole file of at most `most` bytes as it is; *found: it is there. */
BT_MUST_USE bauta_status bt_store_text(const bt_store *store, bt_shelf shelf, const char *name,
                                       size_t most, bt_buffer *out, bool *found,
                                       bauta_error *error);
/* How errors name a file: from the arena, NULL when out of memory. */
const char *bt_store_path(const bt_store *store, bt_shelf shelf, const char *name, bt_arena *arena);

typedef bauta_status (*bt_store_visit)(void *user, const char *name, bool plain,
                                       bauta_error *error);

/* ---- what a store is ---- */

typedef struct bt_store_type {
    const char *name, *summary;
    const char *place; /* what errors call it: "folder" */
    /* Makes the state of a store that is to be written or read. `name` is a path, and then sets
     * store->name; or the store is given. It is closed also after a failure. */
    bauta_status (*open)(bt_store *store, const char *name, bauta_error *error);
    bauta_status (*begin)(bt_store *store, const bt_store_wish *wish, bauta_error *error);
    /* Fills `out`, of which `path` is freed by whoever called. */
    bauta_status (*create)(bt_store *store, bt_shelf shelf, const char *name, bt_store_file *out,
                           bauta_error *error);
    /* Writes at a position, from several threads at once. */
    bauta_status (*write)(const bt_store_file *file, int64_t offset, const char *bytes,
                          size_t length, bauta_error *error);
    /* Ends a file, also one whose creating or writing failed. */
    bauta_status (*finish)(bt_store_file *file, bauta_error *error);
    bauta_status (*rename)(bt_store *store, const char *from, const char *to, bauta_error *error);
    /* A file of the owner's that was created becomes one that stays. NULL: nothing stays but what
     * is committed. */
    bauta_status (*keep)(bt_store *store, const char *name, bauta_error *error);
    bauta_status (*settle)(bt_store *store, bauta_error *error); /* NULL: nothing is to be done */
    bauta_status (*commit)(bt_store *store, bauta_error *error);
    bauta_status (*read)(const bt_store *store, bt_shelf shelf, const char *name, bt_bytes **out,
                         bauta_error *error);
    /* Takes over a table that stands for a file to be handed out, also on failure. NULL: files are
     * bytes. */
    bauta_status (*hold)(bt_store *store, const char *name, bt_coded_table *table,
                         bauta_error *error);
    /* That table; NULL: there is none. Where there is `hold`. */
    const bt_coded_table *(*held)(const bt_store *store, const char *name);
    /* All files to be handed out, in any order. NULL: the store cannot tell. */
    bauta_status (*each)(const bt_store *store, bt_store_visit visit, void *user,
                         bauta_error *error);
    /* When a file to be handed out was changed; false: nobody can tell. NULL: never. */
    bool (*changed)(const bt_store *store, const char *name, struct timespec *out);
    /* There is no manifest, and the error says so: says more where it can. NULL: it cannot. */
    bauta_status (*explain)(const bt_store *store, bauta_status status, bauta_error *error);
    /* Ends writing, undoes what was not committed, and lets go of `state`, which may be NULL. */
    void (*close)(bt_store *store);
    void (*forget)(void *given_state); /* frees the state of a given store; NULL: none is given */
} bt_store_type;

extern const bt_store_type *const bt_store_registry[];
extern const size_t bt_store_registry_count;

extern const bt_store_type bt_store_folder; /* of a name that is a path */

#endif
