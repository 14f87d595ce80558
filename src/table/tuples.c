/* SPDX-License-Identifier: Apache-2.0
 *
 * Grouping by tuples of codes. Each worker fills an open-addressing table of its own; slots are
 * ordered by hash, so that merging one table into another walks both from front to back.
 */
#include "table/tuples.h"

#include "base/assert.h"
#include "base/bitset.h"
#include "base/hash.h"

#include <string.h>

enum { BLOCK = 128, TASK_ROWS = 1 << 16, FIRST_CAPACITY = 1024 };

/* ---- packing ---- */

typedef struct tuple_part { /* a column's place in the packed tuple */
    uint64_t radix;
    size_t word;
} tuple_part;

typedef struct tuple_packing {
    size_t columns, words;
    tuple_part *parts;
    uint64_t key[2]; /* of the hash: unknown to whoever made the data */
} tuple_packing;

static bauta_status packing_make(const bt_codes *columns, size_t count, const bt_run *run,
                                 tuple_packing *out, bauta_error *error)
{
    *out =
        (tuple_packing){.columns = count, .words = 1, .parts = bt_array(count, sizeof *out->parts)};
    if (!out->parts) return bt_fail_memory(error);
    uint64_t used = 1;
    for (size_t i = 0; i < count; i++) {
        uint64_t radix = columns[i].count ? columns[i].count : 1;
        BT_ASSERT(columns[i].width == 1 || columns[i].width == 2 || columns[i].width == 4);
        if (__builtin_mul_overflow(used, radix, &used)) {
            out->words++;
            used = radix;
        }
        out->parts[i] = (tuple_part){radix, out->words - 1};
    }
    memcpy(out->key, run->seed.bytes, sizeof out->key);
    out->key[0] ^= bt_hash_key.mix[0]; /* a seed may be known */
    out->key[1] ^= bt_hash_key.mix[1];
    return BAUTA_OK;
}

/* Packs rows first..first+count-1: word w of row i goes to words[w * BLOCK + i]. */
static void pack_block(const tuple_packing *packing, const bt_codes *columns, int64_t first,
                       size_t count, uint64_t *words)
{
    memset(words, 0, packing->words * BLOCK * sizeof *words);
    for (size_t c = 0; c < packing->columns; c++) {
        uint64_t *to = words + packing->parts[c].word * BLOCK, radix = packing->parts[c].radix;
        if (columns[c].width == 1) {
            const uint8_t *codes = (const uint8_t *)columns[c].codes + first;
            for (size_t i = 0; i < count; i++)
                to[i] = to[i] * radix + codes[i];
        } else if (columns[c].width == 2) {
            const uint16_t *codes = (const uint16_t *)columns[c].codes + first;
            for (size_t i = 0; i < count; i++)
                to[i] = to[i] * radix + codes[i];
        } else {
            const uint32_t *codes = (const uint32_t *)columns[c].codes + first;
            for (size_t i = 0; i < count; i++)
                to[i] = to[i] * radix + codes[i];
        }
    }
}

/* The word of a tuple that begins with column *column, which moves on to the next word. */
static inline uint64_t pack_word(const tuple_packing *packing, const uint32_t *codes,
                                 size_t *column)
{
    uint64_t word = 0;
    size_t number = *column < packing->columns ? packing->parts[*column].word : 0;
    for (; *column < packing->columns && packing->parts[*column].word == number; ++*column)
        word = word * packing->parts[*column].radix + codes[*column];
    return word;
}

static inline uint64_t fold(uint64_t a, uint64_t b)
{
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t hash_word(const tuple_packing *packing, uint64_t hash, uint64_t word)
{
    return fold(word ^ hash, packing->key[1] | 1) + packing->key[0];
}

static inline uint64_t hash_end(uint64_t hash)
{
    return fold(hash, 0xa0761d6478bd642fu);
}

/* `step` is the distance between the words of a tuple. */
static inline uint64_t tuple_hash(const tuple_packing *packing, const uint64_t *words, size_t step,
                                  size_t width)
{
    uint64_t hash = packing->key[0];
    for (size_t w = 0; w < width; w++)
        hash = hash_word(packing, hash, words[w * step]);
    return hash_end(hash);
}

/* ---- table ---- */

/* A slot holds the words of a tuple and one word more: its count in the upper half (0: the slot
 * is free) and its first row, or its number, in the lower. */
typedef struct tuple_table {
    size_t words; /* of a tuple */
    size_t capacity, used;
    uint64_t *slots;
} tuple_table;

static inline uint64_t *slot_at(const tuple_table *table, size_t place)
{
    return table->slots + place * (table->words + 1);
}

static inline size_t place_of(const tuple_table *table, uint64_t hash)
{
    return (size_t)(((unsigned __int128)hash * table->capacity) >> 64);
}

static bauta_status table_make(tuple_table *table, size_t words, size_t capacity,
                               bauta_error *error)
{
    size_t bytes;
    table->words = words;
    table->capacity = capacity;
    table->used = 0;
    table->slots = NULL;
    if (bt_size_mul(words + 1, sizeof *table->slots, &bytes))
        table->slots = bt_array_zero(capacity, bytes);
    return table->slots ? BAUTA_OK : bt_fail_memory(error);
}

/* The slot of a tuple of `width` words, or the free one where it belongs. */
static inline uint64_t *find_slot(const tuple_table *table, uint64_t hash, const uint64_t *words,
                                  size_t step, size_t width)
{
    uint64_t *slot = table->slots + place_of(table, hash) * (width + 1);
    uint64_t *end = table->slots + table->capacity * (width + 1);
    for (;;) {
        uint64_t differ = 0;
        if (slot[width] == 0) return slot;
        for (size_t w = 0; w < width; w++)
            differ |= slot[w] ^ words[w * step];
        if (differ == 0) return slot;
        slot += width + 1;
        if (slot == end) slot = table->slots;
    }
}

static uint64_t *table_find(const tuple_table *table, uint64_t hash, const uint64_t *words,
                            size_t step)
{
    return find_slot(table, hash, words, step, table->words);
}

static bauta_status table_double(tuple_table *old, const tuple_packing *packing, bauta_error *error)
{
    tuple_table grown;
    size_t capacity;
    if (!bt_size_mul(old->capacity, 2, &capacity)) return bt_fail_memory(error);
    BT_TRY(table_make(&grown, old->words, capacity, error));
    for (size_t i = 0; i < old->capacity; i++) {
        const uint64_t *slot = slot_at(old, i);
        if (slot[old->words] == 0) continue;
        uint64_t *to = table_find(&grown, tuple_hash(packing, slot, 1, old->words), slot, 1);
        memcpy(to, slot, (old->words + 1) * sizeof *slot);
    }
    grown.used = old->used;
    free(old->slots);
    *old = grown;
    return BAUTA_OK;
}

/* Makes room for `more` tuples. */
static inline bauta_status table_room(tuple_table *table, size_t more, const tuple_packing *packing,
                                      bauta_error *error)
{
    while (table->used + more > table->capacity / 10 * 7)
        BT_TRY(table_double(table, packing, error));
    return BAUTA_OK;
}

/* ---- grouping ---- */

typedef struct group_worker {
    tuple_table table;
    uint64_t *words; /* a block of packed tuples */
} group_worker;

typedef struct group_job {
    const bt_codes *columns;
    int64_t rows;
    uint32_t *tuple_of; /* NULL, or at first of each row an earlier one with its tuple, or itself */
    tuple_packing packing;
    group_worker *workers;
    unsigned worker_count;
    const bt_run *run;
} group_job;

/* Inlined with a constant `width` for the usual widths. */
static inline void count_tuples(const group_job *job, group_worker *worker, int64_t first,
                                size_t count, size_t width)
{
    tuple_table table = worker->table;
    uint32_t *tuple_of = job->tuple_of ? job->tuple_of + first : NULL;
    const uint64_t *words = worker->words;
    uint64_t hash[BLOCK];
    for (size_t i = 0; i < count; i++) {
        hash[i] = tuple_hash(&job->packing, words + i, BLOCK, width);
        __builtin_prefetch(table.slots + place_of(&table, hash[i]) * (width + 1), 1);
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t *slot = find_slot(&table, hash[i], words + i, BLOCK, width);
        uint32_t row = (uint32_t)(first + (int64_t)i);
        if (slot[width] == 0) {
            for (size_t w = 0; w < width; w++)
                slot[w] = words[w * BLOCK + i];
            slot[width] = row;
            worker->table.used++;
        }
        slot[width] += (uint64_t)1 << 32; /* rows come in ascending order: the first stays */
        if (tuple_of) tuple_of[i] = (uint32_t)slot[width];
    }
}

static void count_block(const group_job *job, group_worker *worker, int64_t first, size_t count)
{
    switch (job->packing.words) {
    case 1: count_tuples(job, worker, first, count, 1); break;
    case 2: count_tuples(job, worker, first, count, 2); break;
    default: count_tuples(job, worker, first, count, job->packing.words);
    }
}

static bauta_status group_rows(void *user, size_t task, unsigned number, bauta_error *error)
{
    group_job *job = user;
    group_worker *worker = &job->workers[number];
    int64_t first = (int64_t)task * TASK_ROWS;
    int64_t end = first + TASK_ROWS < job->rows ? first + TASK_ROWS : job->rows;
    BT_TRY(bt_run_progress(job->run, number, "regroup", first, job->rows, error));
    for (; first < end; first += BLOCK) {
        size_t count = end - first < BLOCK ? (size_t)(end - first) : BLOCK;
        BT_TRY(table_room(&worker->table, count, &job->packing, error));
        pack_block(&job->packing, job->columns, first, count, worker->words);
        count_block(job, worker, first, count);
    }
    return BAUTA_OK;
}

/* What comes in the order of hashes would fill the front of a table that has room only on the
 * whole, and be looked for there slot by slot: so there is room, every now and then, for as many
 * new ones as those so far let expect. */
static bauta_status merge_table(const group_job *job, const tuple_table *from, tuple_table *into,
                                bauta_error *error)
{
    enum { OFTEN = 1 << 12 };
    const tuple_packing *packing = &job->packing;
    size_t before = into->used;
    for (size_t place = 0; place < from->capacity; place++) {
        const uint64_t *slot = slot_at(from, place);
        if (place % OFTEN == 0 && place > 0) {
            double each = (double)(into->used - before) / (double)place;
            size_t more = (size_t)(each * (double)(from->capacity - place));
            BT_TRY(table_room(into, more, packing, error));
        }
        if (slot[from->words] == 0) continue;
        BT_TRY(table_room(into, 1, packing, error));
        uint64_t *to = table_find(into, tuple_hash(packing, slot, 1, into->words), slot, 1);
        uint64_t found = slot[from->words];
        if (to[into->words] == 0) {
            memcpy(to, slot, (into->words + 1) * sizeof *to);
            into->used++;
        } else {
            uint32_t one = (uint32_t)to[into->words], other = (uint32_t)found;
            uint32_t first = one < other ? one : other;
            if (job->tuple_of) job->tuple_of[one < other ? other : one] = first;
            to[into->words] = ((to[into->words] >> 32) + (found >> 32)) << 32 | first;
        }
    }
    return BAUTA_OK;
}

/* All tables into the first, each time the smaller one into the larger. */
static bauta_status merge_tables(group_job *job, bauta_error *error)
{
    tuple_table *into = &job->workers[0].table;
    for (unsigned i = 1; i < job->worker_count; i++) {
        tuple_table *from = &job->workers[i].table;
        if (from->used > into->used) {
            tuple_table smaller = *into;
            *into = *from;
            *from = smaller;
        }
        BT_TRY(merge_table(job, from, into, error));
        free(from->slots);
        from->slots = NULL;
    }
    return BAUTA_OK;
}

/* Numbers the tuples by first row: the rank of its bit in a set of all first rows. A slot holds the
 * number from then on. */
static bauta_status number_tuples(const group_job *job, bt_tuples *out, bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    const tuple_table *table = &job->workers[0].table;
    size_t words = bt_bitset_words((size_t)job->rows);
    uint64_t *firsts = bt_arena_array(&scratch, words, sizeof *firsts);
    uint32_t *before = bt_arena_array(&scratch, words, sizeof *before);
    out->size = bt_array(table->used, sizeof *out->size);
    out->row = bt_array(table->used, sizeof *out->row);
    if (scratch.failed || !out->size || !out->row) return bt_fail_memory(error);
    for (size_t i = 0; i < table->capacity; i++) {
        uint64_t last = slot_at(table, i)[table->words];
        if (last != 0) bt_bitset_add(firsts, (uint32_t)last);
    }
    for (size_t i = 0; i < words; i++) {
        before[i] = out->count;
        out->count += (uint32_t)__builtin_popcountll(firsts[i]);
    }
    for (size_t i = 0; i < table->capacity; i++) {
        uint64_t *last = slot_at(table, i) + table->words;
        if (*last == 0) continue;
        uint32_t row = (uint32_t)*last;
        uint64_t below = firsts[row / 64] & (((uint64_t)1 << row % 64) - 1);
        uint32_t number = before[row / 64] + (uint32_t)__builtin_popcountll(below);
        out->row[number] = row;
        out->size[number] = (uint32_t)(*last >> 32);
        *last = *last >> 32 << 32 | number;
    }
    return BAUTA_OK;
}

static bauta_status make_workers(group_job *job, bauta_error *error)
{
    job->worker_count = bt_pool_size(job->run->pool);
    job->workers = bt_array_zero(job->worker_count, sizeof *job->workers);
    if (!job->workers) return bt_fail_memory(error);
    for (unsigned i = 0; i < job->worker_count; i++) {
        group_worker *worker = &job->workers[i];
        BT_TRY(table_make(&worker->table, job->packing.words, FIRST_CAPACITY, error));
        worker->words = bt_array(job->packing.words, BLOCK * sizeof *worker->words);
        if (!worker->words) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

/* A first row takes the next number, any other that of an earlier one. */
static void number_rows(int64_t rows, uint32_t *tuple_of)
{
    uint32_t next = 0;
    for (int64_t row = 0; row < rows; row++)
        tuple_of[row] = tuple_of[row] == row ? next++ : tuple_of[tuple_of[row]];
}

struct bt_tuple_index {
    tuple_packing packing;
    tuple_table table; /* with numbers in the lower halves */
};

/* The table of all tuples is the index. */
static bauta_status keep_index(group_job *job, bt_tuple_index **out, bauta_error *error)
{
    *out = bt_array(1, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    **out = (bt_tuple_index){job->packing, job->workers[0].table};
    job->packing.parts = NULL;
    job->workers[0].table.slots = NULL;
    return BAUTA_OK;
}

static void group_job_release(group_job *job)
{
    for (unsigned i = 0; job->workers && i < job->worker_count; i++) {
        free(job->workers[i].table.slots);
        free(job->workers[i].words);
    }
    free(job->workers);
    free(job->packing.parts);
}

bauta_status bt_tuples_number(const bt_codes *columns, size_t count, int64_t rows,
                              const bt_run *run, bt_tuples *out, uint32_t *tuple_of,
                              bt_tuple_index **index, bauta_error *error)
{
    BT_OWN(group_job_release)
    group_job job = {.columns = columns, .rows = rows, .tuple_of = tuple_of, .run = run};
    BT_OWN(bt_tuples_release) bt_tuples made = {0};
    size_t tasks = (size_t)((rows + TASK_ROWS - 1) / TASK_ROWS);
    *out = made;
    if (index) *index = NULL;
    if (rows > UINT32_MAX) return bt_fail(error, BAUTA_INVALID, "there are more than 2^32 rows");
    BT_TRY(packing_make(columns, count, run, &job.packing, error));
    BT_TRY(make_workers(&job, error));
    BT_TRY(bt_pool_run(run->pool, tasks, group_rows, &job, error));
    BT_TRY(merge_tables(&job, error));
    BT_TRY(number_tuples(&job, &made, error));
    if (tuple_of) number_rows(rows, tuple_of);
    if (index) BT_TRY(keep_index(&job, index, error));
    *out = made;
    made = (bt_tuples){0};
    return BAUTA_OK;
}

bauta_status bt_tuples_group(const bt_codes *columns, size_t count, int64_t rows, const bt_run *run,
                             bt_tuples *out, bauta_error *error)
{
    return bt_tuples_number(columns, count, rows, run, out, NULL, NULL, error);
}

void bt_tuples_release(bt_tuples *tuples)
{
    free(tuples->size);
    free(tuples->row);
    *tuples = (bt_tuples){0};
}

void bt_tuples_gather(const bt_tuples *tuples, const uint32_t *unit_of, uint32_t units,
                      size_t *first, uint32_t *list)
{
    size_t *next = first + 1; /* becomes `first` as places are taken */
    memset(first, 0, ((size_t)units + 2) * sizeof *first);
    for (uint32_t i = 0; i < tuples->count; i++) {
        BT_ASSERT(unit_of[tuples->row[i]] < units);
        next[unit_of[tuples->row[i]] + 1]++;
    }
    for (uint32_t u = 0; u < units; u++)
        next[u + 1] += next[u];
    for (uint32_t i = 0; i < tuples->count; i++)
        list[next[unit_of[tuples->row[i]]]++] = i;
    BT_ASSERT(first[0] == 0 && first[units] == tuples->count);
}

/* ---- index ---- */

void bt_tuple_index_free(bt_tuple_index *index)
{
    if (!index) return;
    free(index->packing.parts);
    free(index->table.slots);
    free(index);
}

static bool slot_holds(const bt_tuple_index *index, const uint64_t *slot, const uint32_t *codes)
{
    size_t column = 0;
    for (size_t w = 0; w < index->packing.words; w++)
        if (slot[w] != pack_word(&index->packing, codes, &column)) return false;
    return true;
}

/* The slot of a tuple, or the free one where it would be; NULL: it cannot be there. */
static const uint64_t *probe(const bt_tuple_index *index, const uint32_t *codes, uint64_t hash)
{
    const tuple_table *table = &index->table;
    size_t place = place_of(table, hash);
    for (size_t i = 0; i < index->packing.columns; i++)
        if (codes[i] >= index->packing.parts[i].radix) return NULL;
    for (;;) {
        const uint64_t *slot = slot_at(table, place);
        if (slot[table->words] == 0 || slot_holds(index, slot, codes)) return slot;
        if (++place == table->capacity) place = 0;
    }
}

void bt_tuple_index_find_all(const bt_tuple_index *index, const uint32_t *codes, size_t count,
                             uint32_t *numbers)
{
    const tuple_packing *packing = &index->packing;
    const tuple_table *table = &index->table;
    uint64_t hashes[BT_TUPLES_AT_ONCE];
    BT_ASSERT(count <= BT_TUPLES_AT_ONCE);
    for (size_t i = 0; i < count; i++) {
        uint64_t hash = packing->key[0];
        size_t column = 0;
        for (size_t w = 0; w < packing->words; w++)
            hash =
                hash_word(packing, hash, pack_word(packing, codes + i * packing->columns, &column));
        hashes[i] = hash_end(hash);
        __builtin_prefetch(slot_at(table, place_of(table, hashes[i])));
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t *slot = probe(index, codes + i * packing->columns, hashes[i]);
        numbers[i] = slot && slot[table->words] ? (uint32_t)slot[table->words] : BT_TUPLE_NONE;
    }
}

uint32_t bt_tuple_index_find(const bt_tuple_index *index, const uint32_t *codes)
{
    uint32_t number;
    bt_tuple_index_find_all(index, codes, 1, &number);
    return number;
}
