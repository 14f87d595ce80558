/* SPDX-License-Identifier: Apache-2.0
 *
 * Thread pool on POSIX threads. A run is a counter that workers draw task numbers from; a
 * failure stops the counter and keeps the error of the lowest task.
 */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

typedef struct worker_start {
    bt_pool *pool;
    unsigned worker;
} worker_start;

struct bt_pool {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    pthread_t *threads;
    worker_start *starts;
    unsigned size, running; /* threads beside the caller; those still in the current run */
    uint64_t generation;
    bool stop;
    /* the current run */
    bt_task task;
    void *user;
    size_t tasks, next, failed_task;
    bauta_status status;
    bauta_error error;
};

static void work(bt_pool *pool, unsigned worker)
{
    pthread_mutex_lock(&pool->lock);
    while (pool->next < pool->tasks) {
        size_t task = pool->next++;
        pthread_mutex_unlock(&pool->lock);
        bauta_error error;
        bt_error_clear(&error);
        bauta_status status = pool->task(pool->user, task, worker, &error);
        pthread_mutex_lock(&pool->lock);
        if (status != BAUTA_OK && task < pool->failed_task) {
            pool->failed_task = task;
            pool->status = status;
            pool->error = error;
            pool->tasks = 0;
        }
    }
    pthread_mutex_unlock(&pool->lock);
}

static void *worker_main(void *argument)
{
    worker_start *start = argument;
    bt_pool *pool = start->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->generation == seen && !pool->stop)
            pthread_cond_wait(&pool->wake, &pool->lock);
        if (pool->stop) break;
        seen = pool->generation;
        pthread_mutex_unlock(&pool->lock);
        work(pool, start->worker);
        pthread_mutex_lock(&pool->lock);
        if (--pool->running == 0) pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

bauta_status bt_pool_new(unsigned threads, bt_pool **out, bauta_error *error)
{
    *out = NULL;
    if (threads == 0) {
        long online = sysconf(_SC_NPROCESSORS_ONLN);
        threads = online < 1 ? 1 : (unsigned)online;
    }
    bt_pool *pool = bt_array_zero(1, sizeof *pool);
    if (!pool) return bt_fail_memory(error);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->threads = bt_array(threads, sizeof *pool->threads);
    pool->starts = bt_array(threads, sizeof *pool->starts);
    if (!pool->threads || !pool->starts) {
        bt_pool_free(pool);
        return bt_fail_memory(error);
    }
    for (unsigned i = 0; i + 1 < threads; i++) {
        pool->starts[i] = (worker_start){pool, i + 1};
        if (pthread_create(&pool->threads[i], NULL, worker_main, &pool->starts[i]) != 0) {
            bt_pool_free(pool);
            return bt_fail(error, BAUTA_SYSTEM, "cannot start a thread");
        }
        pool->size++;
    }
    *out = pool;
    return BAUTA_OK;
}

void bt_pool_free(bt_pool *pool)
{
    if (!pool) return;
    pthread_mutex_lock(&pool->lock);
    pool->stop = true;
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->size; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->wake);
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool->starts);
    free(pool);
}

unsigned bt_pool_size(const bt_pool *pool)
{
    return pool->size + 1;
}

bauta_status bt_pool_run(bt_pool *pool, size_t tasks, bt_task task, void *user, bauta_error *error)
{
    pthread_mutex_lock(&pool->lock);
    pool->task = task;
    pool->user = user;
    pool->tasks = tasks;
    pool->next = 0;
    pool->failed_task = SIZE_MAX;
    pool->status = BAUTA_OK;
    bool shared = tasks > 1 && pool->size > 0;
    if (shared) {
        pool->running = pool->size;
        pool->generation++;
        pthread_cond_broadcast(&pool->wake);
    }
    pthread_mutex_unlock(&pool->lock);
    work(pool, 0);
    pthread_mutex_lock(&pool->lock);
    while (shared && pool->running > 0)
        pthread_cond_wait(&pool->done, &pool->lock);
    bauta_status status = pool->status;
    if (status != BAUTA_OK && error) *error = pool->error;
    pthread_mutex_unlock(&pool->lock);
    return status;
}

/* ---- worklist ---- */

struct bt_worklist {
    pthread_mutex_t lock;
    pthread_cond_t more;
    char *items;
    size_t item_size, count, capacity;
    size_t busy; /* items taken and not yet visited to the end */
    bool failed;
    bt_visit visit;
    void *user;
};

bauta_status bt_worklist_push(bt_worklist *list, const void *item, bauta_error *error)
{
    pthread_mutex_lock(&list->lock);
    bauta_status status =
        bt_array_grow(&list->items, &list->capacity, list->count + 1, list->item_size, error);
    if (status == BAUTA_OK) {
        memcpy(list->items + list->count++ * list->item_size, item, list->item_size);
        pthread_cond_signal(&list->more);
    }
    pthread_mutex_unlock(&list->lock);
    return status;
}

/* Takes the newest item; false when the list is done or has failed. */
static bool take(bt_worklist *list, void *item)
{
    pthread_mutex_lock(&list->lock);
    while (list->count == 0 && list->busy > 0 && !list->failed)
        pthread_cond_wait(&list->more, &list->lock);
    bool got = list->count > 0 && !list->failed;
    if (got) {
        memcpy(item, list->items + --list->count * list->item_size, list->item_size);
        list->busy++;
    }
    pthread_mutex_unlock(&list->lock);
    return got;
}

static bauta_status visit_items(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)task;
    bt_worklist *list = user;
    bauta_status status = BAUTA_OK;
    void *item = bt_array(1, list->item_size);
    if (!item) status = bt_fail_memory(error);
    while (status == BAUTA_OK && take(list, item)) {
        status = list->visit(list->user, list, item, worker, error);
        pthread_mutex_lock(&list->lock);
        list->busy--;
        if (list->busy == 0 && list->count == 0) pthread_cond_broadcast(&list->more);
        pthread_mutex_unlock(&list->lock);
    }
    if (status != BAUTA_OK) {
        pthread_mutex_lock(&list->lock);
        list->failed = true;
        pthread_cond_broadcast(&list->more);
        pthread_mutex_unlock(&list->lock);
    }
    free(item);
    return status;
}

bauta_status bt_worklist_run(bt_pool *pool, const void *first, size_t item_size, bt_visit visit,
                             void *user, bauta_error *error)
{
    bt_worklist list = {.item_size = item_size, .visit = visit, .user = user};
    pthread_mutex_init(&list.lock, NULL);
    pthread_cond_init(&list.more, NULL);
    bauta_status status = bt_worklist_push(&list, first, error);
    if (status == BAUTA_OK)
        status = bt_pool_run(pool, bt_pool_size(pool), visit_items, &list, error);
    pthread_cond_destroy(&list.more);
    pthread_mutex_destroy(&list.lock);
    free(list.items);
    return status;
}
