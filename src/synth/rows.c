/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows in blocks: each block has its own random stream and is made by whichever worker is
 * free; blocks are written in order. A worker that is done early waits for its turn, which is
 * short because blocks take about the same time.
 *
 * Memory: one block per worker.
 */
#include "synth/synth.h"

#include <pthread.h>

enum { BLOCK_ROWS = 16384, BLOCK_BYTES = 4 << 20 };

typedef struct rows_run {
    const bt_synth_job *job;
    const bt_synth_plan *plan;
    int64_t block_rows;
    char **buffers; /* per worker */
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t turn;   /* the block that may be written next */
    size_t failed; /* the lowest block that failed; SIZE_MAX: none */
} rows_run;

/* Depends on the plan alone, so that the streams do not depend on the machine. */
static int64_t rows_of_block(const bt_synth_plan *plan)
{
    int64_t fitting = (int64_t)(BLOCK_BYTES / plan->row_bytes);
    return fitting < 1 ? 1 : fitting < BLOCK_ROWS ? fitting : BLOCK_ROWS;
}

/* False: a block before this one failed, so this one must not be written. */
static bool wait_for_turn(rows_run *run, size_t block)
{
    pthread_mutex_lock(&run->lock);
    while (run->turn != block && run->failed > block)
        pthread_cond_wait(&run->moved, &run->lock);
    bool mine = run->turn == block;
    pthread_mutex_unlock(&run->lock);
    return mine;
}

static void pass_turn(rows_run *run, size_t block)
{
    pthread_mutex_lock(&run->lock);
    run->turn = block + 1;
    pthread_cond_broadcast(&run->moved);
    pthread_mutex_unlock(&run->lock);
}

static bauta_status note_failure(rows_run *run, size_t block, bauta_status status)
{
    pthread_mutex_lock(&run->lock);
    if (block < run->failed) run->failed = block;
    pthread_cond_broadcast(&run->moved);
    pthread_mutex_unlock(&run->lock);
    return status;
}

static bauta_status block_task(void *user, size_t block, unsigned worker, bauta_error *error)
{
    rows_run *run = user;
    const bt_synth_plan *plan = run->plan;
    if (!run->buffers[worker])
        run->buffers[worker] = bt_array((size_t)run->block_rows, plan->row_bytes);
    char *buffer = run->buffers[worker];
    if (!buffer) return note_failure(run, block, bt_fail_memory(error));
    int64_t first = (int64_t)block * run->block_rows, left = plan->rows - first;
    bt_stream stream;
    bt_stream_init(&stream, &run->job->seed, plan->label, block);
    char *end = plan->fill(plan->model, &stream, first,
                           left < run->block_rows ? left : run->block_rows, buffer);
    if (!wait_for_turn(run, block)) return BAUTA_OK; /* the failure before it is reported */
    bauta_status status = bt_sink_write(run->job->sink, buffer, (size_t)(end - buffer), error);
    if (status != BAUTA_OK) return note_failure(run, block, status);
    pass_turn(run, block);
    return BAUTA_OK;
}

bauta_status bt_synth_rows(const bt_synth_job *job, const bt_synth_plan *plan, bauta_error *error)
{
    BT_TRY(bt_sink_write(job->sink, plan->header, strlen(plan->header), error));
    rows_run run = {.job = job,
                    .plan = plan,
                    .block_rows = rows_of_block(plan),
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .moved = PTHREAD_COND_INITIALIZER,
                    .failed = SIZE_MAX};
    unsigned workers = bt_pool_size(job->pool);
    run.buffers = bt_array_zero(workers, sizeof *run.buffers);
    if (!run.buffers) return bt_fail_memory(error);
    size_t blocks = (size_t)(plan->rows / run.block_rows + (plan->rows % run.block_rows != 0));
    bauta_status status = bt_pool_run(job->pool, blocks, block_task, &run, error);
    for (unsigned i = 0; i < workers; i++)
        free(run.buffers[i]);
    free(run.buffers);
    return status;
}
