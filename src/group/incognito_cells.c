/* SPDX-License-Identifier: Apache-2.0
 *
 * Counting records where there cannot be many pairs of a key and a sensitive profile: each pair has
 * a cell of its own. Its number is a sum over columns, so that a record costs a look into a table
 * for each column and no search.
 *
 * Cost: linear in rows times columns that are not at the top.
 */
#include "group/incognito.h"

enum { CHUNK_ROWS = 1 << 14, ROWS_AT_ONCE = 512 };
enum { CELLS_FOR_ROW = 4 }; /* at most: else too many are empty */

/* Where the codes of a column lead among the cells. */
typedef struct dial {
    const bt_column *column;
    uint32_t *step;  /* by code: what it adds to the number of the cell */
    uint32_t *first; /* by place of its node among those that occur: the first code */
    uint32_t nodes, stride;
} dial;

typedef struct board {
    const bt_count_job *job;
    size_t columns; /* columns that are not at the top */
    dial *dials;
    size_t *places;     /* among the columns of the lattice */
    uint32_t profiles;  /* of each key; 1 if these do not matter */
    uint32_t cells;     /* of all keys */
    uint64_t **counted; /* per worker, made when needed */
    bt_arena arena;
} board;

static bauta_status make_dial(board *b, const bt_scale *scale, const bt_rung *rung, dial *out,
                              bauta_error *error)
{
    uint32_t size = scale->column->domain.size, last = UINT32_MAX;
    *out = (dial){.column = scale->column, .stride = b->cells};
    out->step = bt_arena_array(&b->arena, size, sizeof *out->step);
    out->first = bt_arena_array(&b->arena, rung->nodes, sizeof *out->first);
    if (!out->step || !out->first) return bt_fail_memory(error);
    for (uint32_t code = 0; code < size; code++) {
        uint32_t first = rung->lift ? code ^ rung->lift[code] : code;
        if (scale->counts[code] == 0) continue;
        if (first != last) out->first[out->nodes++] = last = first;
        out->step[code] = (out->nodes - 1) * out->stride;
    }
    b->cells *= out->nodes;
    return BAUTA_OK;
}

static bauta_status make_board(const bt_count_job *job, const uint16_t *levels, board *out,
                               bauta_error *error)
{
    const bt_lattice *lattice = job->lattice;
    unsigned workers = bt_pool_size(job->run->pool);
    *out = (board){.job = job, .profiles = 1};
    if (job->counted == BT_COUNT_PROFILES) out->profiles = job->people->profiles;
    out->cells = out->profiles;
    out->dials = bt_arena_array(&out->arena, lattice->columns, sizeof *out->dials);
    out->places = bt_arena_array(&out->arena, lattice->columns, sizeof *out->places);
    out->counted = bt_arena_array(&out->arena, workers, sizeof *out->counted);
    if (!out->dials || !out->places || !out->counted) return bt_fail_memory(error);
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        const bt_rung *rung = bt_rung_at(scale, levels[c]);
        if (rung->top) continue;
        out->places[out->columns] = c;
        BT_TRY(make_dial(out, scale, rung, &out->dials[out->columns++], error));
    }
    return BAUTA_OK;
}

#define TURN(type)                                                                                 \
    do {                                                                                           \
        const type *codes = (const type *)d->column->codes + from;                                 \
        for (size_t i = 0; i < count; i++)                                                         \
            cell[i] += d->step[codes[i]];                                                          \
    } while (0)

static void count_some(const board *b, int64_t from, size_t count, uint64_t *counted)
{
    uint32_t cell[ROWS_AT_ONCE];
    const uint64_t *times = b->job->people->counts;
    const uint32_t *profile_of = b->job->people->profile_of;
    if (b->job->counted == BT_COUNT_PROFILES)
        memcpy(cell, profile_of + from, count * sizeof *cell);
    else
        memset(cell, 0, count * sizeof *cell);
    for (size_t c = 0; c < b->columns; c++) {
        const dial *d = &b->dials[c];
        switch (d->column->width) {
        case 1: TURN(uint8_t); break;
        case 2: TURN(uint16_t); break;
        default: TURN(uint32_t); break;
        }
    }
    if (times)
        for (size_t i = 0; i < count; i++)
            counted[cell[i]] += times[from + (int64_t)i];
    else
        for (size_t i = 0; i < count; i++)
            counted[cell[i]]++;
}

static bauta_status count_cells(void *user, size_t task, unsigned worker, bauta_error *error)
{
    const board *b = user;
    int64_t from = (int64_t)task * CHUNK_ROWS, end = from + CHUNK_ROWS;
    if (end > b->job->lattice->rows) end = b->job->lattice->rows;
    if (!b->counted[worker]) b->counted[worker] = bt_array_zero(b->cells, sizeof **b->counted);
    if (!b->counted[worker]) return bt_fail_memory(error);
    for (; from < end; from += ROWS_AT_ONCE)
        count_some(b, from, end - from < ROWS_AT_ONCE ? (size_t)(end - from) : ROWS_AT_ONCE,
                   b->counted[worker]);
    return BAUTA_OK;
}

/* Adds up what workers have counted, in b->counted[0]. */
static bauta_status add_cells(const board *b, bauta_error *error)
{
    uint64_t *sum = b->counted[0];
    if (!sum) sum = b->counted[0] = bt_array_zero(b->cells, sizeof *sum);
    if (!sum) return bt_fail_memory(error);
    for (unsigned w = 1; w < bt_pool_size(b->job->run->pool); w++)
        for (uint32_t i = 0; b->counted[w] && i < b->cells; i++)
            sum[i] += b->counted[w][i];
    return BAUTA_OK;
}

static uint64_t records_of_key(const board *b, uint32_t cell)
{
    uint64_t records = 0;
    for (uint32_t i = 0; i < b->profiles; i++)
        records += b->counted[0][cell + i];
    return records;
}

static void put_key(const board *b, uint32_t cell, uint64_t *key)
{
    const bt_lattice *lattice = b->job->lattice;
    memset(key, 0, lattice->words * sizeof *key);
    for (size_t c = 0; c < b->columns; c++) {
        const dial *d = &b->dials[c];
        const bt_scale *scale = &lattice->scales[b->places[c]];
        key[scale->word] |= (uint64_t)d->first[cell / d->stride % d->nodes] << scale->shift;
    }
}

/* The profiles of a key, behind those of the ones before. */
static void put_values(const board *b, uint32_t cell, bt_counts *out)
{
    uint32_t next = out->starts[out->groups];
    for (uint32_t i = 0; i < b->profiles; i++) {
        if (b->counted[0][cell + i] == 0) continue;
        out->values[next] = i;
        out->counts[next++] = b->counted[0][cell + i];
    }
    out->starts[out->groups + 1] = next;
}

static bauta_status list_groups(const board *b, const uint16_t *levels, bt_counts *out,
                                bauta_error *error)
{
    size_t groups = 0, entries = 0, words = b->job->lattice->words;
    BT_TRY(add_cells(b, error));
    for (uint32_t i = 0; i < b->cells; i++)
        entries += b->counted[0][i] > 0;
    for (uint32_t i = 0; i < b->cells; i += b->profiles)
        groups += records_of_key(b, i) > 0;
    BT_TRY(bt_counts_new(b->job, levels, groups, entries, out, error));
    if (out->starts) out->starts[0] = 0;
    for (uint32_t i = 0; i < b->cells; i += b->profiles) {
        uint64_t records = records_of_key(b, i);
        if (records == 0) continue;
        put_key(b, i, out->keys + out->groups * words);
        out->sizes[out->groups] = records;
        if (out->starts) put_values(b, i, out);
        out->groups++;
    }
    return BAUTA_OK;
}

bauta_status bt_cells_count(const bt_count_job *job, const uint16_t *levels, bt_counts *out,
                            bauta_error *error)
{
    board b;
    bt_pool *pool = job->run->pool;
    size_t chunks = (size_t)((job->lattice->rows + CHUNK_ROWS - 1) / CHUNK_ROWS);
    bauta_status status = make_board(job, levels, &b, error);
    if (status == BAUTA_OK) status = bt_pool_run(pool, chunks, count_cells, &b, error);
    if (status == BAUTA_OK) status = list_groups(&b, levels, out, error);
    for (unsigned w = 0; b.counted && w < bt_pool_size(pool); w++)
        free(b.counted[w]);
    bt_arena_release(&b.arena);
    return status;
}

bool bt_cells_fit(const bt_count_job *job, const uint16_t *levels)
{
    const bt_lattice *lattice = job->lattice;
    size_t pairs = job->counted == BT_COUNT_PROFILES ? job->people->profiles : 1;
    if (job->counted == BT_COUNT_ROWS) return false;
    for (size_t c = 0; c < lattice->columns; c++)
        if (!bt_size_mul(pairs, bt_rung_at(&lattice->scales[c], levels[c])->nodes, &pairs))
            return false;
    return pairs <= BT_CELLS_MOST && pairs / CELLS_FOR_ROW <= (size_t)lattice->rows;
}
