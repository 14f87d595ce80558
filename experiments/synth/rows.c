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
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK_ROWS = 16384, BLOCK_BYTES = 4 << 20, MOST_WORKERS = 1024 };

typedef struct rows_run {
    const ex_synth_job *job;
    const ex_synth_plan *plan;
    size_t block_rows, blocks;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    size_t next;   /* the block that is taken next */
    size_t turn;   /* the block that may be written next */
    size_t failed; /* the lowest block that failed; SIZE_MAX: none */
    bauta_error error;
} rows_run;

/* Depends on the plan alone, so that the streams do not depend on the machine. */
static size_t rows_of_block(const ex_synth_plan *plan)
{
    size_t fitting = BLOCK_BYTES / plan->row_bytes;
    return fitting < 1 ? 1 : fitting < BLOCK_ROWS ? fitting : BLOCK_ROWS;
}

/* False: there is none left, or one has failed, behind which nothing is written. */
static bool take_block(rows_run *run, size_t *block)
{
    pthread_mutex_lock(&run->lock);
    bool more = run->next < run->blocks && run->failed == SIZE_MAX;
    *block = more ? run->next++ : run->next;
    pthread_mutex_unlock(&run->lock);
    return more;
}

static bauta_status write_in_turn(rows_run *run, size_t block, const char *bytes, size_t length,
                                  bauta_error *error)
{
    pthread_mutex_lock(&run->lock);
    while (run->turn != block && run->failed > block)
        pthread_cond_wait(&run->moved, &run->lock);
    bool mine = run->turn == block;
    pthread_mutex_unlock(&run->lock);
    return mine ? ex_sink_write(run->job->sink, bytes, length, error) : BAUTA_OK;
}

/* Passes the turn on, or notes what went wrong. */
static void end_block(rows_run *run, size_t block, bauta_status status, const bauta_error *error)
{
    pthread_mutex_lock(&run->lock);
    if (status == BAUTA_OK && run->turn == block) run->turn++;
    if (status != BAUTA_OK && block < run->failed) {
        run->failed = block;
        run->error = *error;
    }
    pthread_cond_broadcast(&run->moved);
    pthread_mutex_unlock(&run->lock);
}

static void *work(void *user)
{
    rows_run *run = user;
    const ex_synth_plan *plan = run->plan;
    char *buffer = calloc(run->block_rows, plan->row_bytes);
    bauta_error error;
    for (size_t block; take_block(run, &block);) {
        bauta_status status = buffer ? BAUTA_OK : ex_fail_memory(&error);
        if (buffer) {
            int64_t first = (int64_t)(block * run->block_rows), left = plan->rows - first;
            int64_t rows = left < (int64_t)run->block_rows ? left : (int64_t)run->block_rows;
            ex_stream stream;
            ex_stream_init(&stream, &run->job->seed, plan->label, block);
            char *end = plan->fill(plan->model, &stream, first, rows, buffer);
            status = write_in_turn(run, block, buffer, (size_t)(end - buffer), &error);
        }
        end_block(run, block, status, &error);
    }
    free(buffer);
    return NULL;
}

bauta_status ex_synth_rows(const ex_synth_job *job, const ex_synth_plan *plan, bauta_error *error)
{
    EX_TRY(ex_sink_write(job->sink, plan->header, strlen(plan->header), error));
    size_t rows = (size_t)plan->rows, in_block = rows_of_block(plan);
    rows_run run = {.job = job,
                    .plan = plan,
                    .block_rows = in_block,
                    .blocks = rows / in_block + (rows % in_block != 0),
                    .lock = PTHREAD_MUTEX_INITIALIZER,
                    .moved = PTHREAD_COND_INITIALIZER,
                    .failed = SIZE_MAX};
    long wanted = (long)job->values[EX_SYNTH_THREADS].integer;
    if (wanted == 0) wanted = sysconf(_SC_NPROCESSORS_ONLN);
    pthread_t workers[MOST_WORKERS];
    size_t started = 0;
    /* This thread works too, and alone where no other can be started. */
    while ((long)started + 1 < wanted && started + 1 < run.blocks && started < MOST_WORKERS &&
           pthread_create(&workers[started], NULL, work, &run) == 0)
        started++;
    work(&run);
    for (size_t i = 0; i < started; i++)
        pthread_join(workers[i], NULL);
    if (run.failed == SIZE_MAX) return BAUTA_OK;
    if (error) *error = run.error;
    return run.error.status;
}
