/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinct rows and distinct records are compared, set of columns by set of columns: those that
 * agree in all columns outside of the set are in one bucket. A pair that differs in fewer columns
 * than the set has meets in the buckets of several sets and is counted in the first.
 */
#include "audit/drawn.h"

#include "audit/flow.h"

enum { MOST_PAIRS = 1 << 23 };

typedef struct side { /* rows, or records */
    bt_tuples tuples;
    bt_codes *columns; /* per column: the codes of the tuples */
} side;

typedef struct pairs { /* a record and a row that may be drawn from it */
    uint32_t *record, *row;
    size_t count, record_room, row_room;
    bool many; /* too many: they are not all there */
} pairs;

typedef struct search {
    const bt_compared *compared;
    const bt_mechanism *mechanism;
    const bt_run *run;
    bt_arena arena;
    side rows, records;
    pairs pairs;
    double **share; /* per quasi column and code: of the records */
    bt_drawn *out;
} search;

typedef struct buckets { /* of rows, by the columns outside of a set */
    bt_codes *outside;
    size_t count;
    bt_tuples tuples;
    bt_tuple_index *index;
    uint32_t *of;            /* per row tuple */
    uint32_t *order, *start; /* row tuples bucket by bucket */
} buckets;

/* ---- both sides -------------------------------------------------------------------------- */

static bauta_status take_side(search *s, const bt_codes *codes, int64_t rows, side *out,
                              bauta_error *error)
{
    size_t count = s->compared->count;
    if (!codes) return bt_fail_memory(error);
    BT_TRY(bt_tuples_group(codes, count, rows, s->run, &out->tuples, error));
    out->columns = bt_arena_array(&s->arena, count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        uint32_t *own = bt_arena_array(&s->arena, out->tuples.count, sizeof *own);
        if (!own) return bt_fail_memory(error);
        for (uint32_t t = 0; t < out->tuples.count; t++)
            own[t] = bt_code_at(codes[i].codes, codes[i].width, out->tuples.row[t]);
        out->columns[i] = (bt_codes){own, sizeof *own, codes[i].count};
    }
    return BAUTA_OK;
}

static uint32_t code_of(const side *from, size_t column, uint32_t tuple)
{
    return ((const uint32_t *)from->columns[column].codes)[tuple];
}

static bauta_status take_shares(search *s, bauta_error *error)
{
    const bt_compared *compared = s->compared;
    s->share = bt_arena_array(&s->arena, compared->quasi, sizeof *s->share);
    if (!s->share) return bt_fail_memory(error);
    for (size_t i = 0; i < compared->quasi; i++) {
        s->share[i] = bt_arena_array(&s->arena, compared->columns[i].size, sizeof **s->share);
        if (!s->share[i]) return bt_fail_memory(error);
        for (uint32_t t = 0; t < s->records.tuples.count; t++)
            s->share[i][code_of(&s->records, i, t)] +=
                s->records.tuples.size[t] / (double)compared->record_count;
    }
    return BAUTA_OK;
}

/* ---- sets of columns --------------------------------------------------------------------- */

/* The first set of lambda columns in which all that differ are. */
static uint64_t first_set(const search *s, uint32_t row, uint32_t record)
{
    uint64_t set = 0;
    uint32_t used = 0;
    for (size_t i = 0; i < s->compared->quasi; i++)
        if (code_of(&s->rows, i, row) != code_of(&s->records, i, record)) {
            set |= (uint64_t)1 << i;
            used++;
        }
    for (size_t i = 0; used < s->mechanism->lambda; i++)
        if (!(set >> i & 1)) {
            set |= (uint64_t)1 << i;
            used++;
        }
    return set;
}

static size_t columns_outside(const search *s, uint64_t set, const side *from, bt_codes *out)
{
    size_t count = 0;
    for (size_t i = 0; i < s->compared->count; i++)
        if (i >= s->compared->quasi || !(set >> i & 1)) out[count++] = from->columns[i];
    return count;
}

/* The bucket of a tuple of either side; BT_TUPLE_NONE: no row is in it. */
static uint32_t find_bucket(const search *s, uint64_t set, const side *from, uint32_t tuple,
                            const buckets *b, uint32_t *codes)
{
    size_t count = 0;
    for (size_t i = 0; i < s->compared->count; i++)
        if (i >= s->compared->quasi || !(set >> i & 1)) codes[count++] = code_of(from, i, tuple);
    return bt_tuple_index_find(b->index, codes);
}

static bauta_status make_buckets(const search *s, uint64_t set, const side *from, buckets *b,
                                 bauta_error *error)
{
    uint32_t tuples = from->tuples.count;
    b->outside = bt_array(s->compared->count, sizeof *b->outside);
    b->of = bt_array(tuples, sizeof *b->of);
    b->order = bt_array(tuples, sizeof *b->order);
    if (!b->outside || !b->of || !b->order) return bt_fail_memory(error);
    b->count = columns_outside(s, set, from, b->outside);
    BT_TRY(bt_tuples_group(b->outside, b->count, tuples, s->run, &b->tuples, error));
    BT_TRY(bt_tuple_index_new(b->outside, b->count, &b->tuples, s->run, &b->index, error));
    BT_TRY(bt_tuple_index_number(b->index, b->outside, tuples, s->run, b->of, error));
    b->start = bt_array_zero((size_t)b->tuples.count + 2, sizeof *b->start);
    if (!b->start) return bt_fail_memory(error);
    /* start[i + 1] walks through bucket i while it is filled, and ends where i + 1 starts. */
    for (uint32_t t = 0; t < tuples; t++)
        b->start[(size_t)b->of[t] + 2]++;
    for (size_t i = 2; i <= (size_t)b->tuples.count + 1; i++)
        b->start[i] += b->start[i - 1];
    for (uint32_t t = 0; t < tuples; t++)
        b->order[b->start[(size_t)b->of[t] + 1]++] = t;
    return BAUTA_OK;
}

static void release_buckets(buckets *b)
{
    bt_tuple_index_free(b->index);
    bt_tuples_release(&b->tuples);
    free(b->outside);
    free(b->of);
    free(b->order);
    free(b->start);
    *b = (buckets){0};
}

/* ---- pairs ------------------------------------------------------------------------------- */

static bauta_status add_pair(pairs *all, uint32_t record, uint32_t row, bauta_error *error)
{
    BT_TRY(
        bt_array_grow(&all->record, &all->record_room, all->count + 1, sizeof *all->record, error));
    BT_TRY(bt_array_grow(&all->row, &all->row_room, all->count + 1, sizeof *all->row, error));
    all->record[all->count] = record;
    all->row[all->count++] = row;
    all->many = all->count >= MOST_PAIRS;
    return BAUTA_OK;
}

static bauta_status add_pairs(search *s, uint64_t set, const buckets *b, uint32_t *codes,
                              bauta_error *error)
{
    for (uint32_t record = 0; record < s->records.tuples.count; record++) {
        uint32_t bucket = find_bucket(s, set, &s->records, record, b, codes);
        if (bucket == BT_TUPLE_NONE) continue;
        for (uint32_t i = b->start[bucket]; i < b->start[bucket + 1] && !s->pairs.many; i++)
            if (first_set(s, b->order[i], record) == set)
                BT_TRY(add_pair(&s->pairs, record, b->order[i], error));
    }
    return BAUTA_OK;
}

static bauta_status match(search *s, bauta_error *error)
{
    const bt_tuples *rows = &s->rows.tuples, *records = &s->records.tuples;
    size_t *first = bt_array_zero((size_t)records->count + 2, sizeof *first);
    uint32_t *row_of = bt_array(s->pairs.count, sizeof *row_of);
    uint32_t *lacking = bt_array(rows->count, sizeof *lacking);
    bauta_status status = first && row_of && lacking ? BAUTA_OK : bt_fail_memory(error);
    /* first[r + 1] walks through record r while it is filled, and ends where r + 1 starts. */
    for (size_t i = 0; status == BAUTA_OK && i < s->pairs.count; i++)
        first[(size_t)s->pairs.record[i] + 2]++;
    for (size_t r = 2; status == BAUTA_OK && r <= (size_t)records->count + 1; r++)
        first[r] += first[r - 1];
    for (size_t i = 0; status == BAUTA_OK && i < s->pairs.count; i++)
        row_of[first[(size_t)s->pairs.record[i] + 1]++] = s->pairs.row[i];
    if (status == BAUTA_OK) {
        const bt_flow flow = {rows->count,   records->count, rows->size,
                              records->size, first,          row_of};
        status = bt_flow_run(&flow, s->run, lacking, error);
    }
    for (uint32_t t = rows->count; status == BAUTA_OK && t-- > 0;) {
        s->out->lacking += lacking[t];
        if (lacking[t] > 0) s->out->first = rows->row[t];
    }
    s->out->matched = status == BAUTA_OK;
    free(first);
    free(row_of);
    free(lacking);
    return status;
}

/* ---- rows that equal a record ------------------------------------------------------------ */

/* The probability that exactly these columns are drawn anew. */
static double chance_of(const search *s, uint64_t set)
{
    const bt_mechanism *mechanism = s->mechanism;
    if (mechanism->lambda == 1) return bt_rational_double(mechanism->redrawn[__builtin_ctzll(set)]);
    double chance = 1;
    for (uint32_t i = 0; i < mechanism->lambda; i++)
        chance *= (i + 1) / (double)(mechanism->columns - i);
    return chance;
}

/* A record becomes one of those in its bucket, itself among them, when its values are drawn. */
static bauta_status expect_equal(search *s, uint64_t set, bauta_error *error)
{
    buckets b = {0};
    double *sum = NULL;
    bauta_status status = make_buckets(s, set, &s->records, &b, error);
    if (status == BAUTA_OK) sum = bt_array_zero(b.tuples.count, sizeof *sum);
    if (status == BAUTA_OK && !sum) status = bt_fail_memory(error);
    for (uint32_t t = 0; status == BAUTA_OK && t < s->records.tuples.count; t++) {
        double chance = chance_of(s, set);
        for (size_t i = 0; i < s->compared->quasi; i++)
            if (set >> i & 1) chance *= s->share[i][code_of(&s->records, i, t)];
        sum[b.of[t]] += chance;
    }
    for (uint32_t t = 0; status == BAUTA_OK && t < s->records.tuples.count; t++)
        s->out->expected += s->records.tuples.size[t] * sum[b.of[t]];
    release_buckets(&b);
    free(sum);
    return status;
}

static bauta_status count_equal(search *s, uint32_t *codes, bauta_error *error)
{
    bt_tuple_index *index = NULL;
    bt_tuples all = {0};
    const side *records = &s->records;
    bauta_status status = bt_tuples_group(records->columns, s->compared->count,
                                          records->tuples.count, s->run, &all, error);
    if (status == BAUTA_OK)
        status =
            bt_tuple_index_new(records->columns, s->compared->count, &all, s->run, &index, error);
    for (uint32_t t = 0; status == BAUTA_OK && t < s->rows.tuples.count; t++) {
        for (size_t i = 0; i < s->compared->count; i++)
            codes[i] = code_of(&s->rows, i, t);
        if (bt_tuple_index_find(index, codes) != BT_TUPLE_NONE)
            s->out->equal += s->rows.tuples.size[t];
    }
    bt_tuple_index_free(index);
    bt_tuples_release(&all);
    return status;
}

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status look_at_set(search *s, uint64_t set, uint32_t *codes, bauta_error *error)
{
    buckets b = {0};
    BT_TRY(expect_equal(s, set, error));
    if (s->pairs.many) return BAUTA_OK;
    bauta_status status = make_buckets(s, set, &s->rows, &b, error);
    if (status == BAUTA_OK) status = add_pairs(s, set, &b, codes, error);
    release_buckets(&b);
    return status;
}

static bauta_status find(search *s, bt_compared *compared, int64_t rows, bauta_error *error)
{
    const bt_mechanism *mechanism = s->mechanism;
    size_t count = compared->count;
    uint64_t end = (uint64_t)1 << mechanism->columns;
    uint32_t *codes = bt_arena_array(&s->arena, count, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    BT_TRY(take_side(s, bt_compared_rows(compared, 0, count), rows, &s->rows, error));
    BT_TRY(take_side(s, bt_compared_records(compared, 0, count), compared->record_count,
                     &s->records, error));
    BT_TRY(take_shares(s, error));
    for (uint64_t set = ((uint64_t)1 << mechanism->lambda) - 1; set < end; set = bt_set_next(set))
        BT_TRY(look_at_set(s, set, codes, error));
    BT_TRY(count_equal(s, codes, error));
    return s->pairs.many ? BAUTA_OK : match(s, error);
}

bauta_status bt_drawn_find(bt_compared *compared, const bt_mechanism *mechanism, int64_t rows,
                           const bt_run *run, bt_drawn *out, bauta_error *error)
{
    search s = {.compared = compared, .mechanism = mechanism, .run = run, .out = out};
    *out = (bt_drawn){0};
    bauta_status status = find(&s, compared, rows, error);
    bt_tuples_release(&s.rows.tuples);
    bt_tuples_release(&s.records.tuples);
    free(s.pairs.record);
    free(s.pairs.row);
    bt_arena_release(&s.arena);
    return status;
}
