/* SPDX-License-Identifier: Apache-2.0
 *
 * Drawing values anew.
 *
 * A value is drawn by Walker's alias method in whole numbers: n records with d different values
 * are dealt into d boxes of n slips each, at most two values to a box, so that a value held by c
 * records is on c * d of the n * d slips. One number below n * d is then one value.
 *
 * Cost: linear in rows times columns for copying, a constant for each value that is drawn.
 */
#include "publish/redraw.h"

#include "base/bitset.h"

#include <string.h>

enum { ROWS_PER_TASK = 1 << 14 };

typedef struct alias {
    uint32_t count; /* boxes */
    uint64_t slips; /* in a box: records */
    struct box {
        uint64_t own; /* slips of the value the box is named after; the others are of `other` */
        uint32_t value, other;
    } * boxes;
} alias;

typedef struct redraw_job {
    const bt_mechanism *mechanism;
    const bt_column *const *from;
    bt_column *const *to;
    int64_t rows;
    const uint64_t *dropped;
    const bt_run *run;
    int64_t *starts; /* per task: its first row; and where the last one ends */
    alias *aliases;  /* per column */
    uint32_t *order; /* per worker: the columns, in any order */
} redraw_job;

/* ---- distributions ----------------------------------------------------------------------- */

bauta_status bt_redraw_count(const bt_column *column, int64_t rows, const uint64_t *dropped,
                             int64_t **out, bauta_error *error)
{
    *out = bt_array_zero(column->domain.size, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (int64_t row = 0; row < rows; row++)
        (*out)[bt_column_code(column, row)] += !bt_bitset_has(dropped, (size_t)row);
    return BAUTA_OK;
}

/* Fills a box that has too few slips from one that has too many, until none has too few. `rest`
 * holds the slips of each value that are not dealt yet, of which box i gets its own first; `few`
 * and `many` have room for all boxes. All numbers are whole, so in the end every box is full. */
static void deal(alias *out, uint64_t *rest, uint32_t *few, uint32_t *many)
{
    size_t lacking = 0, having = 0;
    for (uint32_t i = 0; i < out->count; i++) {
        out->boxes[i].own = out->slips;
        if (rest[i] < out->slips)
            few[lacking++] = i;
        else
            many[having++] = i;
    }
    while (lacking > 0 && having > 0) {
        uint32_t to = few[--lacking], giver = many[having - 1];
        out->boxes[to].own = rest[to];
        out->boxes[to].other = out->boxes[giver].value;
        rest[giver] -= out->slips - rest[to];
        if (rest[giver] >= out->slips) continue;
        having--;
        few[lacking++] = giver;
    }
}

static bauta_status make_alias(const int64_t *held, uint32_t size, bt_arena *arena, alias *out,
                               bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    for (uint32_t code = 0; code < size; code++) {
        out->count += held[code] > 0;
        out->slips += (uint64_t)held[code];
    }
    out->boxes = bt_arena_array(arena, out->count, sizeof *out->boxes);
    uint64_t *rest = bt_arena_array(&scratch, out->count, sizeof *rest);
    uint32_t *places = bt_arena_array(&scratch, (size_t)out->count * 2, sizeof *places);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t code = 0, i = 0; code < size; code++) {
        if (held[code] == 0) continue;
        rest[i] = (uint64_t)held[code] * out->count; /* both are below 2^32 */
        out->boxes[i++] = (struct box){.value = code};
    }
    deal(out, rest, places, places + out->count);
    return BAUTA_OK;
}

static inline uint32_t draw_value(const alias *values, bt_stream *stream)
{
    uint64_t slip = bt_stream_below(stream, values->slips * values->count);
    const struct box *box = &values->boxes[slip / values->slips];
    return slip % values->slips < box->own ? box->value : box->other;
}

/* ---- records ----------------------------------------------------------------------------- */

static inline void put_code(bt_column *column, int64_t row, uint32_t code)
{
    switch (column->width) {
    case 1: ((uint8_t *)column->codes)[row] = (uint8_t)code; break;
    case 2: ((uint16_t *)column->codes)[row] = (uint16_t)code; break;
    default: ((uint32_t *)column->codes)[row] = code; break;
    }
}

static void redraw_one(const redraw_job *job, size_t column, int64_t row, bt_stream *stream)
{
    put_code(job->to[column], row, draw_value(&job->aliases[column], stream));
}

/* lambda = 1: the column whose part of 0..total-1 a number falls into. */
static inline size_t draw_column(const bt_mechanism *mechanism, bt_stream *stream)
{
    uint64_t number = bt_stream_below(stream, mechanism->total);
    size_t column = 0;
    while (number >= mechanism->weight[column])
        number -= mechanism->weight[column++];
    return column;
}

/* The first lambda of `order` are exchanged with any that follow. */
static void redraw_several(const redraw_job *job, uint32_t *order, int64_t row, bt_stream *stream)
{
    const bt_mechanism *mechanism = job->mechanism;
    for (uint32_t i = 0; i < mechanism->lambda; i++)
        redraw_one(job, bt_stream_pick(stream, order, i, mechanism->columns), row, stream);
}

static bauta_status redraw_rows(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const redraw_job *job = user;
    const bt_mechanism *mechanism = job->mechanism;
    int64_t start = job->starts[task], end = job->starts[task + 1];
    uint32_t *order = job->order + worker * mechanism->columns;
    for (size_t i = 0; i < mechanism->columns; i++) {
        size_t width = job->from[i]->width, offset = (size_t)start * width;
        memcpy((char *)job->to[i]->codes + offset, (const char *)job->from[i]->codes + offset,
               (size_t)(end - start) * width);
        order[i] = (uint32_t)i;
    }
    bt_stream stream;
    bt_stream_init(&stream, &job->run->seed, "randomized", task);
    for (int64_t row = start; row < end; row++)
        if (bt_bitset_has(job->dropped, (size_t)row))
            continue;
        else if (mechanism->lambda == 1)
            redraw_one(job, draw_column(mechanism, &stream), row, &stream);
        else
            redraw_several(job, order, row, &stream);
    return bt_run_progress(job->run, worker, "randomizing", end, job->rows, error);
}

/* Tasks have the same number of records that are not dropped: those do not count. */
static bauta_status divide(redraw_job *job, bt_arena *arena, size_t *tasks, bauta_error *error)
{
    int64_t kept = 0;
    job->starts = bt_arena_array(arena, (size_t)job->rows / ROWS_PER_TASK + 2, sizeof *job->starts);
    BT_TRY(bt_arena_check(arena, error));
    *tasks = 0;
    for (int64_t row = 0; row < job->rows; row++) {
        if (bt_bitset_has(job->dropped, (size_t)row)) continue;
        if (kept++ % ROWS_PER_TASK > 0) continue;
        job->starts[*tasks] = *tasks > 0 ? row : 0;
        (*tasks)++;
    }
    job->starts[*tasks] = job->rows;
    return BAUTA_OK;
}

static bauta_status prepare(redraw_job *job, bt_arena *arena, bauta_error *error)
{
    size_t columns = job->mechanism->columns;
    job->aliases = bt_arena_array(arena, columns, sizeof *job->aliases);
    job->order = bt_arena_array(arena, columns * bt_pool_size(job->run->pool), sizeof *job->order);
    BT_TRY(bt_arena_check(arena, error));
    for (size_t i = 0; i < columns; i++) {
        BT_OWN(bt_free) int64_t *held = NULL;
        uint32_t size = job->from[i]->domain.size;
        BT_TRY(bt_redraw_count(job->from[i], job->rows, job->dropped, &held, error));
        BT_TRY(make_alias(held, size, arena, &job->aliases[i], error));
    }
    return BAUTA_OK;
}

bauta_status bt_redraw(const bt_mechanism *mechanism, const bt_column *const *from,
                       bt_column *const *to, int64_t rows, const uint64_t *dropped,
                       const bt_run *run, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    redraw_job job = {mechanism, from, to, rows, dropped, run, NULL, NULL, NULL};
    size_t tasks;
    BT_TRY(prepare(&job, &scratch, error));
    BT_TRY(divide(&job, &scratch, &tasks, error));
    return bt_pool_run(run->pool, tasks, redraw_rows, &job, error);
}
