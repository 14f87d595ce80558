/* SPDX-License-Identifier: Apache-2.0
 *
 * Safe writing: a release appears whole or not at all.
 *
 * Files are written to hidden working folders, those to be published inside OUT, those of the
 * owner inside OUT/private. After the audit they are synced and what is published gets its name
 * by one rename (with `force`, by one exchange with the release that is there); then the owner's
 * files get theirs. A run locks OUT; another one that wants it is refused. Working folders that a
 * killed run left behind are removed by the next one, which knows them by the marks beside them.
 */
#ifndef BT_FOLDER_H
#define BT_FOLDER_H

#include "base/memory.h"

#include <dirent.h>

typedef struct bt_working {
    char *path;
    char *mark; /* a file that says that the folder is ours, there as long as it is */
    int folder; /* open; -1: it is not there */
} bt_working;

typedef struct bt_folder {
    char *out;                   /* OUT */
    char *publish;               /* OUT/publish */
    char *private_dir;           /* OUT/private */
    bt_working publishing;       /* OUT/.publish-XXXXXX: becomes OUT/publish */
    bt_working keeping;          /* OUT/private/.publish-XXXXXX: its files go to OUT/private */
    int lock;                    /* OUT, open and locked while the run lives; or -1 */
    bool made_out, made_private; /* OUT, OUT/private did not exist */
    bool published;
    DIR *replaced; /* `force`: the release that was there; NULL: there was none */
} bt_folder;

/* An empty one: bt_folder_close does nothing to it. */
#define BT_FOLDER_NONE ((bt_folder){.publishing.folder = -1, .keeping.folder = -1, .lock = -1})

/* Refuses (BAUTA_USAGE) when OUT/publish exists, unless `force` is given and it is a release: a
 * folder of plain files that releases have, with a manifest that can be read, or an empty one; and
 * when another run writes to OUT. Takes the rights of others to OUT/private away. */
BT_MUST_USE bauta_status bt_folder_open(const char *out, bool force, bt_folder *folder,
                                        bauta_error *error);

/* Writes a whole small file: to be published (0644), or for OUT/private (0600). */
BT_MUST_USE bauta_status bt_folder_write(const bt_folder *folder, bool publish, const char *name,
                                         const char *bytes, size_t length, bauta_error *error);

/* … for OUT/private/hierarchies (0600 in 0700). */
BT_MUST_USE bauta_status bt_folder_write_tree(const bt_folder *folder, const char *name,
                                              const char *bytes, size_t length, bauta_error *error);

/* Writes a whole small file to OUT/private, whatever becomes of the release. */
BT_MUST_USE bauta_status bt_folder_keep(const bt_folder *folder, const char *name,
                                        const char *bytes, size_t length, bauta_error *error);

/* Syncs everything, gives all published files the same times, and renames. After a failure
 * folder->published says whether the release has appeared. */
BT_MUST_USE bauta_status bt_folder_commit(bt_folder *folder, bauta_error *error);

/* Removes the working folders, the release that was replaced, and what was made in vain. */
void bt_folder_close(bt_folder *folder);

/* Creates a file of a release for writing (0644); the caller closes the descriptor. */
BT_MUST_USE bauta_status bt_create_file(const char *folder, const char *name, bt_arena *arena,
                                        const char **path, int *descriptor, bauta_error *error);

/* Writes the tables in a folder once more, with an apostrophe before each text that a spreadsheet
 * may take for a formula (guard.c). */
BT_MUST_USE bauta_status bt_guard_tables(const char *folder, bauta_error *error);

#endif
