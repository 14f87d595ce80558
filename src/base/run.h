/* SPDX-License-Identifier: Apache-2.0
 *
 * What every long step needs beside its data: threads, seed, progress, budget, folder for
 * temporary files.
 */
#ifndef BT_RUN_H
#define BT_RUN_H

#include "base/pool.h"
#include "base/random.h"

struct bt_stores; /* store/given.h */

typedef struct bt_run {
    bt_pool *pool;
    bt_seed seed;
    size_t memory;                  /* bytes that buffers may hold before they spill to `tmp` */
    bool memory_given;              /* `memory` was asked for: it does not grow with the table */
    const char *tmp;                /* folder for unlinked temporary files */
    const struct bt_stores *stores; /* what store:NAME names; NULL: nothing */
    bauta_progress progress;
    void *progress_user;
} bt_run;

/* Reports progress from worker 0 (others: no effect); BAUTA_CANCELLED when the caller asks to
 * stop. */
BT_MUST_USE bauta_status bt_run_progress(const bt_run *run, unsigned worker, const char *stage,
                                         int64_t done, int64_t total, bauta_error *error);

/* Waits until a pipe has something to read, or ends; reports progress meanwhile, so that the caller
 * can stop it. `name` is what it reads. */
BT_MUST_USE bauta_status bt_run_await(const bt_run *run, int descriptor, const char *name,
                                      bauta_error *error);

/* Takes the seed from a file, or a pipe, of exactly 32 bytes that others cannot read. */
BT_MUST_USE bauta_status bt_run_load_seed(bt_run *run, const char *file, bauta_error *error);

/* An unlinked temporary file, mode 0600, in run->tmp. */
BT_MUST_USE bauta_status bt_run_temporary(const bt_run *run, int *descriptor, bauta_error *error);

/* Seconds from a steady clock. */
double bt_seconds(void);

#endif
