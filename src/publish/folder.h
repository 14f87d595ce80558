/* SPDX-License-Identifier: Apache-2.0
 *
 * Safe writing: a release appears whole or not at all.
 *
 * Files are written to a hidden working folder inside OUT; after the audit they are synced and
 * the folder gets its name by one rename (with `force`, by one exchange with the release that
 * is there). An abandoned working folder of a killed run is removed by the next one.
 */
#ifndef BT_FOLDER_H
#define BT_FOLDER_H

#include "base/memory.h"

typedef struct bt_folder {
    char *out;         /* OUT */
    char *working;     /* OUT/.publish-XXXXXX */
    char *publish;     /* OUT/publish */
    char *private_dir; /* OUT/private */
    bool made_out;     /* OUT did not exist */
    bool replace;      /* a release is there and may be replaced */
    bool published;
    int lock; /* descriptor of the working folder, locked while the run lives */
} bt_folder;

/* Refuses (BAUTA_USAGE) when OUT/publish exists, unless `force`. */
BT_MUST_USE bauta_status bt_folder_open(const char *out, bool force, bt_folder *folder,
                                        bauta_error *error);

/* Writes a whole small file: publish = into the working folder, else into OUT/private (0600). */
BT_MUST_USE bauta_status bt_folder_write(const bt_folder *folder, bool publish, const char *name,
                                         const char *bytes, size_t length, bauta_error *error);

/* Syncs everything, gives all published files the same times, and renames. */
BT_MUST_USE bauta_status bt_folder_commit(bt_folder *folder, bauta_error *error);

/* Removes the working folder if it was not committed, and OUT if it was made and is empty. */
void bt_folder_close(bt_folder *folder);

/* Creates a file of a release for writing (0644); the caller closes the descriptor. */
BT_MUST_USE bauta_status bt_create_file(const char *folder, const char *name, bt_arena *arena,
                                        const char **path, int *descriptor, bauta_error *error);

#endif
