/* SPDX-License-Identifier: Apache-2.0
 *
 * Temporary files that nobody else can read: they have no name, and what is in them is enciphered
 * (ChaCha20) under a key that only the memory of this process holds. Whatever the disk keeps of
 * them, after a crash too, tells nothing.
 */
#ifndef BT_TEMPORARY_H
#define BT_TEMPORARY_H

#include "base/random.h"
#include "base/run.h"

typedef struct bt_temporary {
    int descriptor; /* -1: not open */
    bt_seed key;
} bt_temporary;

BT_MUST_USE bauta_status bt_temporary_open(const bt_run *run, bt_temporary *out,
                                           bauta_error *error);
void bt_temporary_close(bt_temporary *file);

/* Enciphers `bytes` in place and writes them. Every byte of the file is written once: what is
 * enciphered with the same part of the stream twice could be told from the difference. */
BT_MUST_USE bauta_status bt_temporary_write(const bt_temporary *file, int64_t offset, char *bytes,
                                            size_t length, bauta_error *error);

/* *got is less than `length` at the end of the file only. */
BT_MUST_USE bauta_status bt_temporary_read(const bt_temporary *file, int64_t offset, char *bytes,
                                           size_t length, size_t *got, bauta_error *error);

#endif
