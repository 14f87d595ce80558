/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinct rows and distinct records are compared, set of columns by set of columns: those that
 * agree in all columns outside of the set are in one bucket. A pair that differs in fewer columns
 * than the set has meets in the buckets of several sets and is counted in the first.
 */
#include "audit/drawn.h"

#include "audit/flow.h"

enum { MOST_PAIRS = 1 << 23 };

typedef struct pairs { /* a record and a row that may be drawn from it */
    uint32_t *record, *row;
    size_t count, record_room, row_room;
    bool many; /* too many: they are not all there */
} pairs;

typedef struct search {
    const bt_distinct *rows, *records;
    const bt_mechanism *mechanism;
    const bt_run *run;
    pairs pairs;
    bt_drawn *out;
} search;

/* ---- sets of columns --------------------------------------------------------------------- */

/* The first set of lambda columns in which all that differ are. */
static uint64_t first_set(const search *s, uint32_t row, uint32_t record)
{
    uint64_t set = 0;
    uint32_t used = 0;
    for (size_t i = 0; i < s->rows->quasi; i++)
        if (bt_distinct_code(s->rows, i, row) != bt_distinct_code(s->records, i, record)) {
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

/* Lists the tuples bucket by bucket: those of bucket b are order[start[b]..start[b + 1]). `start`
 * has room for two more than there are buckets. */
static void list_buckets(const bt_buckets *b, uint32_t tuples, uint32_t *order, uint32_t *start)
{
    /* start[i + 1] walks through bucket i while it is filled, and ends where i + 1 starts. */
    for (uint32_t t = 0; t < tuples; t++)
        start[(size_t)b->of[t] + 2]++;
    for (size_t i = 2; i <= (size_t)b->tuples.count + 1; i++)
        start[i] += start[i - 1];
    for (uint32_t t = 0; t < tuples; t++)
        order[start[(size_t)b->of[t] + 1]++] = t;
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

static bauta_status add_pairs(search *s, uint64_t set, const bt_buckets *b, uint32_t *codes,
                              bauta_error *error)
{
    uint32_t *order = bt_array(s->rows->tuples.count, sizeof *order);
    uint32_t *start = bt_array_zero((size_t)b->tuples.count + 2, sizeof *start);
    bauta_status status = order && start ? BAUTA_OK : bt_fail_memory(error);
    if (status == BAUTA_OK) list_buckets(b, s->rows->tuples.count, order, start);
    for (uint32_t record = 0; status == BAUTA_OK && record < s->records->tuples.count; record++) {
        uint32_t bucket = bt_buckets_find(b, s->records, set, record, codes);
        if (bucket == BT_TUPLE_NONE) continue;
        for (uint32_t i = start[bucket];
             i < start[bucket + 1] && !s->pairs.many && status == BAUTA_OK; i++)
            if (first_set(s, order[i], record) == set)
                status = add_pair(&s->pairs, record, order[i], error);
    }
    free(order);
    free(start);
    return status;
}

static bauta_status match(search *s, bauta_error *error)
{
    const bt_tuples *rows = &s->rows->tuples, *records = &s->records->tuples;
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

/* ---- the whole --------------------------------------------------------------------------- */

static bauta_status find(search *s, uint32_t *codes, bauta_error *error)
{
    for (uint64_t set = bt_set_first(s->mechanism); set && !s->pairs.many;
         set = bt_set_next(set, s->mechanism)) {
        bt_buckets b;
        bauta_status status = bt_buckets_make(s->rows, set, s->run, &b, error);
        if (status == BAUTA_OK) status = add_pairs(s, set, &b, codes, error);
        bt_buckets_release(&b);
        if (status != BAUTA_OK) return status;
    }
    return s->pairs.many ? BAUTA_OK : match(s, error);
}

bauta_status bt_drawn_find(const bt_distinct *rows, const bt_distinct *records,
                           const bt_mechanism *mechanism, const bt_run *run, bt_drawn *out,
                           bauta_error *error)
{
    search s = {.rows = rows, .records = records, .mechanism = mechanism, .run = run, .out = out};
    uint32_t *codes = bt_array(rows->count, sizeof *codes);
    *out = (bt_drawn){0};
    bauta_status status = codes ? find(&s, codes, error) : bt_fail_memory(error);
    free(s.pairs.record);
    free(s.pairs.row);
    free(codes);
    return status;
}
