/* SPDX-License-Identifier: Apache-2.0
 *
 * The groups that everything else is rolled up from: those of the records themselves.
 *
 * What is counted are distinct pairs of a key and a sensitive profile; joining the pairs of a key
 * is a roll-up from the node to itself. When there cannot be many pairs, incognito_cells.c counts
 * them. Else keys are made for blocks of rows and sorted into piles by their hashes, so that each
 * pile is small enough to be counted within a processor's cache, and by one worker.
 *
 * Cost: linear in rows times columns; memory 8 bytes per row of a block and word of a key, beside
 * the pairs.
 */
#include "group/incognito.h"

enum { CHUNK_ROWS = 1 << 14, BLOCK_CHUNKS = 64 };
enum { PILES_MOST = 256, PILE_ROWS = 1 << 13 };

typedef struct chunk { /* rows of a block, by pile */
    uint64_t *keys;    /* as they are made, then in the order of piles */
    uint64_t *sorted;
    uint32_t *values;
    uint64_t *times; /* how many records each stands for; NULL: one */
    uint32_t starts[PILES_MOST + 2];
} chunk;

typedef struct pile { /* distinct pairs */
    uint64_t *keys;
    uint64_t *counts;
    uint32_t *values, *slots;
    size_t keys_room, values_room, counts_room;
    unsigned bits;
    uint32_t count;
} pile;

typedef struct gatherer {
    const bt_count_job *job;
    const uint16_t *levels;
    chunk *chunks;
    size_t chunk_count; /* of the block */
    int64_t from;       /* first row of the block */
    pile *piles;
    size_t pile_count;
    unsigned pile_bits;
} gatherer;

/* ---- keys of rows ------------------------------------------------------------------------ */

#define PUT_FIELDS(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)scale->column->codes + from;                             \
        if (rung->lift)                                                                            \
            for (size_t i = 0; i < count; i++)                                                     \
                at[i * words] |= (uint64_t)(codes[i] ^ rung->lift[codes[i]]) << shift;             \
        else                                                                                       \
            for (size_t i = 0; i < count; i++)                                                     \
                at[i * words] |= (uint64_t)codes[i] << shift;                                      \
    } while (0)

void bt_keys_of_rows(const bt_lattice *lattice, const uint16_t *levels, int64_t from, int64_t to,
                     uint64_t *keys)
{
    size_t count = (size_t)(to - from), words = lattice->words;
    memset(keys, 0, count * words * sizeof *keys);
    for (size_t c = 0; c < lattice->columns; c++) {
        const bt_scale *scale = &lattice->scales[c];
        const bt_rung *rung = bt_rung_at(scale, levels[c]);
        uint64_t *at = keys + scale->word;
        unsigned shift = scale->shift;
        if (rung->top) continue;
        switch (scale->column->width) {
        case 1: PUT_FIELDS(uint8_t); break;
        case 2: PUT_FIELDS(uint16_t); break;
        default: PUT_FIELDS(uint32_t); break;
        }
    }
}

/* ---- into piles -------------------------------------------------------------------------- */

static uint32_t value_of_row(const bt_count_job *job, int64_t row)
{
    return job->counted == BT_COUNT_ROWS ? (uint32_t)row : job->people->profile_of[row];
}

static size_t pile_of(const gatherer *g, const uint64_t *key)
{
    return bt_key_hash(key, g->job->lattice->words) >> (63 - g->pile_bits) >> 1;
}

static bauta_status make_chunk(chunk *c, const bt_count_job *job, bauta_error *error)
{
    size_t keys = CHUNK_ROWS * job->lattice->words;
    if (!c->keys) c->keys = bt_array(keys, sizeof *c->keys);
    if (!c->sorted) c->sorted = bt_array(keys, sizeof *c->sorted);
    if (!c->values && job->counted != BT_COUNT_SIZES)
        c->values = bt_array(CHUNK_ROWS, sizeof *c->values);
    if (!c->times && job->people->counts) c->times = bt_array(CHUNK_ROWS, sizeof *c->times);
    bool made = c->keys && c->sorted && (c->values || job->counted == BT_COUNT_SIZES) &&
                (c->times || !job->people->counts);
    return made ? BAUTA_OK : bt_fail_memory(error);
}

static bauta_status fill_chunk(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const gatherer *g = user;
    chunk *c = &g->chunks[task];
    size_t words = g->job->lattice->words;
    int64_t from = g->from + (int64_t)task * CHUNK_ROWS, to = from + CHUNK_ROWS;
    if (to > g->job->lattice->rows) to = g->job->lattice->rows;
    BT_TRY(make_chunk(c, g->job, error));
    bt_keys_of_rows(g->job->lattice, g->levels, from, to, c->keys);
    memset(c->starts, 0, sizeof c->starts);
    for (int64_t i = 0; i < to - from; i++)
        c->starts[pile_of(g, c->keys + (size_t)i * words) + 2]++;
    for (size_t p = 0; p < PILES_MOST; p++)
        c->starts[p + 2] += c->starts[p + 1];
    for (int64_t i = 0; i < to - from; i++) {
        const uint64_t *key = c->keys + (size_t)i * words;
        uint32_t place = c->starts[pile_of(g, key) + 1]++;
        for (size_t w = 0; w < words; w++)
            c->sorted[place * words + w] = key[w];
        if (c->values) c->values[place] = value_of_row(g->job, from + i);
        if (c->times) c->times[place] = g->job->people->counts[from + i];
    }
    return BAUTA_OK;
}

/* ---- distinct pairs ---------------------------------------------------------------------- */

static uint64_t hash_pair(const uint64_t *key, size_t words, uint32_t value)
{
    return bt_hash_mix(bt_key_hash(key, words), value);
}

static void put_slot(const pile *p, size_t words, uint32_t pair)
{
    uint64_t mask = ((uint64_t)1 << p->bits) - 1;
    uint64_t slot =
        hash_pair(p->keys + pair * words, words, p->values ? p->values[pair] : 0) >> (64 - p->bits);
    while (p->slots[slot] != 0)
        slot = (slot + 1) & mask;
    p->slots[slot] = pair + 1;
}

static bauta_status grow_pile(pile *p, const bt_count_job *job, uint32_t more, bauta_error *error)
{
    size_t words = job->lattice->words, need = (size_t)p->count + more;
    BT_TRY(bt_array_grow(&p->keys, &p->keys_room, need * words, sizeof *p->keys, error));
    BT_TRY(bt_array_grow(&p->counts, &p->counts_room, need, sizeof *p->counts, error));
    if (job->counted != BT_COUNT_SIZES)
        BT_TRY(bt_array_grow(&p->values, &p->values_room, need, sizeof *p->values, error));
    if (job->counted == BT_COUNT_ROWS) return BAUTA_OK;
    if (p->slots && (size_t)1 << p->bits >= 2 * need) return BAUTA_OK;
    if (p->bits == 0) p->bits = 4;
    while ((size_t)1 << p->bits < 4 * need)
        p->bits++;
    free(p->slots);
    p->slots = bt_array_zero((size_t)1 << p->bits, sizeof *p->slots);
    if (!p->slots) return bt_fail_memory(error);
    for (uint32_t i = 0; i < p->count; i++)
        put_slot(p, words, i);
    return BAUTA_OK;
}

static void add_pair(pile *p, const uint64_t *key, size_t words, uint32_t value, uint64_t times)
{
    for (size_t w = 0; w < words; w++)
        p->keys[(size_t)p->count * words + w] = key[w];
    if (p->values) p->values[p->count] = value;
    p->counts[p->count++] = times;
}

static inline __attribute__((always_inline)) void count_pairs(pile *p, const uint64_t *keys,
                                                              const uint32_t *values,
                                                              const uint64_t *times, uint32_t count,
                                                              size_t words)
{
    uint64_t mask = ((uint64_t)1 << p->bits) - 1;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *key = keys + i * words;
        uint32_t value = values ? values[i] : 0;
        uint64_t slot = hash_pair(key, words, value) >> (64 - p->bits);
        for (; p->slots[slot] != 0; slot = (slot + 1) & mask) {
            uint32_t pair = p->slots[slot] - 1;
            if (bt_key_same(p->keys + pair * words, key, words) &&
                (!values || p->values[pair] == value))
                break;
        }
        if (p->slots[slot] != 0) {
            p->counts[p->slots[slot] - 1] += times ? times[i] : 1;
            continue;
        }
        p->slots[slot] = p->count + 1;
        add_pair(p, key, words, value, times ? times[i] : 1);
    }
}

static bauta_status fill_pile(void *user, size_t task, unsigned worker, bauta_error *error)
{
    (void)worker;
    const gatherer *g = user;
    pile *p = &g->piles[task];
    size_t words = g->job->lattice->words;
    for (size_t i = 0; i < g->chunk_count; i++) {
        const chunk *c = &g->chunks[i];
        uint32_t first = c->starts[task], count = c->starts[task + 1] - first;
        const uint64_t *keys = c->sorted + first * words;
        const uint32_t *values = c->values ? c->values + first : NULL;
        const uint64_t *times = c->times ? c->times + first : NULL;
        BT_TRY(grow_pile(p, g->job, count, error));
        if (values && g->job->counted == BT_COUNT_ROWS)
            for (uint32_t row = 0; row < count; row++)
                add_pair(p, keys + row * words, words, values[row], 1);
        else if (words == 1)
            count_pairs(p, keys, values, times, count, 1);
        else
            count_pairs(p, keys, values, times, count, words);
    }
    return BAUTA_OK;
}

/* ---- all of them ------------------------------------------------------------------------- */

static bauta_status gather(gatherer *g, bauta_error *error)
{
    int64_t rows = g->job->lattice->rows, chunks = (rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
    for (int64_t first = 0; first < chunks; first += BLOCK_CHUNKS) {
        g->from = first * CHUNK_ROWS;
        g->chunk_count = (size_t)(chunks - first < BLOCK_CHUNKS ? chunks - first : BLOCK_CHUNKS);
        BT_TRY(bt_run_progress(g->job->run, 0, "grouping", g->from, rows, error));
        BT_TRY(bt_pool_run(g->job->run->pool, g->chunk_count, fill_chunk, g, error));
        BT_TRY(bt_pool_run(g->job->run->pool, g->pile_count, fill_pile, g, error));
    }
    return BAUTA_OK;
}

/* Puts the pairs of all piles one behind the other. */
static bauta_status join_piles(const gatherer *g, bt_counts *out, bauta_error *error)
{
    size_t words = g->job->lattice->words, total = 0;
    for (size_t i = 0; i < g->pile_count; i++)
        total += g->piles[i].count;
    BT_TRY(bt_counts_new(g->job, g->levels, total, total, out, error));
    for (size_t i = 0; i < g->pile_count; i++) {
        const pile *p = &g->piles[i];
        if (p->count == 0) continue;
        memcpy(out->keys + out->groups * words, p->keys, p->count * words * sizeof *p->keys);
        memcpy(out->sizes + out->groups, p->counts, p->count * sizeof *p->counts);
        if (out->values) memcpy(out->values + out->groups, p->values, p->count * sizeof *p->values);
        out->groups += p->count;
    }
    return BAUTA_OK;
}

/* Makes one group of the pairs with the same key. */
static bauta_status join_pairs(const bt_count_job *job, bt_counts *pairs, bt_counts *out,
                               bauta_error *error)
{
    bt_roller roller = {0};
    for (uint32_t i = 0; i <= pairs->groups; i++)
        pairs->starts[i] = i;
    if (pairs->counts) memcpy(pairs->counts, pairs->sizes, pairs->groups * sizeof *pairs->sizes);
    bauta_status status = bt_counts_roll(job, pairs, pairs->levels, &roller, out, error);
    bt_roller_release(&roller);
    return status;
}

static void release(gatherer *g)
{
    for (size_t i = 0; g->chunks && i < BLOCK_CHUNKS; i++) {
        free(g->chunks[i].keys);
        free(g->chunks[i].sorted);
        free(g->chunks[i].values);
        free(g->chunks[i].times);
    }
    for (size_t i = 0; g->piles && i < g->pile_count; i++) {
        free(g->piles[i].keys);
        free(g->piles[i].values);
        free(g->piles[i].counts);
        free(g->piles[i].slots);
    }
    free(g->chunks);
    free(g->piles);
}

static bauta_status gather_pairs(const bt_count_job *job, const uint16_t *levels, bt_counts *out,
                                 bauta_error *error)
{
    gatherer g = {.job = job, .levels = levels};
    while (((int64_t)PILE_ROWS << g.pile_bits) < job->lattice->rows &&
           1 << g.pile_bits < PILES_MOST)
        g.pile_bits++;
    g.pile_count = (size_t)1 << g.pile_bits;
    g.chunks = bt_array_zero(BLOCK_CHUNKS, sizeof *g.chunks);
    g.piles = bt_array_zero(g.pile_count, sizeof *g.piles);
    bauta_status status = g.chunks && g.piles ? gather(&g, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = join_piles(&g, out, error);
    release(&g);
    return status;
}

bauta_status bt_counts_make(const bt_count_job *job, const uint16_t *levels, bt_counts *out,
                            bauta_error *error)
{
    bt_counts pairs = {0};
    *out = (bt_counts){0};
    if (bt_cells_fit(job, levels)) return bt_cells_count(job, levels, out, error);
    if (job->counted == BT_COUNT_SIZES) return gather_pairs(job, levels, out, error);
    bauta_status status = gather_pairs(job, levels, &pairs, error);
    if (status == BAUTA_OK) status = join_pairs(job, &pairs, out, error);
    bt_counts_release(&pairs);
    return status;
}
