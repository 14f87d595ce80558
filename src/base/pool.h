/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread pool: the calling thread is worker 0, the others sleep between runs.
 */
#ifndef BT_POOL_H
#define BT_POOL_H

#include "base/status.h"

typedef struct bt_pool bt_pool;

/* threads 0: as many as the machine has processors. */
BT_MUST_USE bauta_status bt_pool_new(unsigned threads, bt_pool **out, bauta_error *error);
void bt_pool_free(bt_pool *pool);
unsigned bt_pool_size(const bt_pool *pool);

typedef bauta_status (*bt_task)(void *user, size_t task, unsigned worker, bauta_error *error);

/* Runs tasks 0..tasks-1, handed out in ascending order. When one fails no further ones start,
 * and the error of the lowest failing task is returned: the same for any number of threads. */
BT_MUST_USE bauta_status bt_pool_run(bt_pool *pool, size_t tasks, bt_task task, void *user,
                                     bauta_error *error);

/* ---- work that makes more work ---- */

/* A stack of fixed-size items. `visit` may push further items; bt_worklist_run returns when
 * nothing is left. The order of visits is not fixed, so results must not depend on it. */
typedef struct bt_worklist bt_worklist;
typedef bauta_status (*bt_visit)(void *user, bt_worklist *list, const void *item, unsigned worker,
                                 bauta_error *error);

BT_MUST_USE bauta_status bt_worklist_run(bt_pool *pool, const void *first, size_t item_size,
                                         bt_visit visit, void *user, bauta_error *error);
BT_MUST_USE bauta_status bt_worklist_push(bt_worklist *list, const void *item, bauta_error *error);

#endif
