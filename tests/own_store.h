/* SPDX-License-Identifier: Apache-2.0
 *
 * A store of a caller's own, for tests: two lists of files, that of the release and that of one
 * being written. It can be told to fail, to give little at a time, and to lie.
 */
#ifndef BT_TEST_OWN_STORE_H
#define BT_TEST_OWN_STORE_H

#include "support.h"

#include <bauta.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { OWN_FILES = 24 };

typedef struct own_shelf {
    struct {
        char name[64];
        char *bytes;
        int64_t length;
    } files[OWN_FILES];
    int count;
} own_shelf;

typedef struct own_store {
    own_shelf shelves[2]; /* the release, and what is being written */
    bool writing;
    int commits, cancels, frees;
    char *room; /* where files are instead of in memory of their own; NULL: nowhere */
    size_t room_left;
    /* troubles */
    int fail_in;       /* 1: the next call fails, and so on; 0: none does */
    int failed;        /* calls that did */
    size_t at_a_time;  /* reads give no more than this; 0: all that is asked for */
    int64_t too_long;  /* added to every length */
    bool too_much;     /* reads say that they gave more than was asked for */
    bool fail_commits; /* each does */
} own_store;

static inline int own_trouble(own_store *own)
{
    if (own->fail_in == 0 || --own->fail_in > 0) return 0;
    own->failed++;
    return 77;
}

static inline void own_empty(const own_store *own, own_shelf *shelf)
{
    for (int i = 0; i < shelf->count && !own->room; i++)
        free(shelf->files[i].bytes);
    shelf->count = 0;
}

static inline char *own_grow(own_store *own, char *bytes, int64_t length, int64_t end)
{
    if (!own->room) return realloc(bytes, (size_t)end);
    if (own->room_left < (size_t)end) return NULL;
    char *more = own->room;
    if (length > 0) memcpy(more, bytes, (size_t)length);
    own->room += end;
    own->room_left -= (size_t)end;
    return more;
}

static inline int own_find(const own_store *own, const char *file)
{
    const own_shelf *shelf = &own->shelves[own->writing];
    int i = 0;
    while (i < shelf->count && strcmp(shelf->files[i].name, file) != 0)
        i++;
    return i < shelf->count ? i : -1;
}

static inline int own_create(void *user, const char *file)
{
    own_store *own = user;
    if (own_trouble(own)) return 77;
    own->writing = true;
    if (own_find(own, file) >= 0 || own->shelves[1].count == OWN_FILES) return 17;
    int at = own->shelves[1].count++;
    snprintf(own->shelves[1].files[at].name, sizeof own->shelves[1].files[at].name, "%s", file);
    own->shelves[1].files[at].bytes = NULL;
    own->shelves[1].files[at].length = 0;
    return 0;
}

static inline int own_write(void *user, const char *file, int64_t offset, const void *bytes,
                            size_t length)
{
    own_store *own = user;
    int at = own_find(own, file);
    int64_t end = offset + (int64_t)length;
    if (own_trouble(own) || at < 0 || !own->writing) return 77;
    if (end > own->shelves[1].files[at].length) {
        char *more =
            own_grow(own, own->shelves[1].files[at].bytes, own->shelves[1].files[at].length, end);
        if (!more) return 12;
        own->shelves[1].files[at].bytes = more;
        own->shelves[1].files[at].length = end;
    }
    memcpy(own->shelves[1].files[at].bytes + offset, bytes, length);
    return 0;
}

static inline int own_rename(void *user, const char *from, const char *to)
{
    own_store *own = user;
    own_shelf *shelf = &own->shelves[1];
    if (own_trouble(own)) return 77;
    int gone = own_find(own, to);
    if (gone >= 0) {
        if (!own->room) free(shelf->files[gone].bytes);
        shelf->files[gone] = shelf->files[--shelf->count];
    }
    int at = own_find(own, from);
    if (at < 0) return 2;
    snprintf(shelf->files[at].name, sizeof shelf->files[at].name, "%s", to);
    return 0;
}

static inline int own_commit(void *user)
{
    own_store *own = user;
    if (own_trouble(own) || own->fail_commits) return 77;
    own_empty(own, &own->shelves[0]);
    own->shelves[0] = own->shelves[1];
    own->shelves[1].count = 0;
    own->writing = false;
    own->commits++;
    return 0;
}

static inline void own_cancel(void *user)
{
    own_store *own = user;
    own_empty(own, &own->shelves[1]);
    own->writing = false;
    own->cancels++;
}

static inline int own_length(void *user, const char *file, int64_t *length)
{
    own_store *own = user;
    int at = own_find(own, file);
    if (own_trouble(own)) return 77;
    *length = at < 0 ? -1 : own->shelves[own->writing].files[at].length + own->too_long;
    return 0;
}

static inline int own_read(void *user, const char *file, int64_t offset, void *bytes, size_t length,
                           size_t *got)
{
    own_store *own = user;
    int at = own_find(own, file);
    if (own_trouble(own) || at < 0) return 77;
    int64_t left = own->shelves[own->writing].files[at].length - offset;
    if (left < 0) left = 0;
    if (own->at_a_time > 0 && length > own->at_a_time) length = own->at_a_time;
    *got = (uint64_t)left < length ? (size_t)left : length;
    if (*got > 0) memcpy(bytes, own->shelves[own->writing].files[at].bytes + offset, *got);
    if (own->too_much) *got = length + 1;
    return 0;
}

static inline void own_free(void *user)
{
    own_store *own = user;
    own_empty(own, &own->shelves[0]);
    own_empty(own, &own->shelves[1]);
    own->frees++;
}

static const bauta_store_calls own_calls = {.size = sizeof own_calls,
                                            .create = own_create,
                                            .write = own_write,
                                            .rename = own_rename,
                                            .commit = own_commit,
                                            .cancel = own_cancel,
                                            .length = own_length,
                                            .read = own_read,
                                            .free = own_free};

#endif
