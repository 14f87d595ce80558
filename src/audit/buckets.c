/* SPDX-License-Identifier: Apache-2.0
 *
 * Tuples and what they agree in.
 */
#include "audit/buckets.h"

bauta_status bt_distinct_take(const bt_compared *compared, const bt_codes *codes, int64_t rows,
                              const bt_run *run, bt_arena *arena, bt_distinct *out,
                              bauta_error *error)
{
    *out = (bt_distinct){.quasi = compared->quasi, .count = compared->count};
    if (!codes) return bt_fail_memory(error);
    BT_TRY(bt_tuples_group(codes, out->count, rows, run, &out->tuples, error));
    out->columns = bt_arena_array(arena, out->count, sizeof *out->columns);
    if (!out->columns) return bt_fail_memory(error);
    for (size_t i = 0; i < out->count; i++) {
        uint32_t *own = bt_arena_array(arena, out->tuples.count, sizeof *own);
        if (!own) return bt_fail_memory(error);
        for (uint32_t t = 0; t < out->tuples.count; t++)
            own[t] = bt_code_at(codes[i].codes, codes[i].width, out->tuples.row[t]);
        out->columns[i] = (bt_codes){own, sizeof *own, codes[i].count};
    }
    return BAUTA_OK;
}

static bool is_outside(const bt_distinct *side, uint64_t set, size_t column)
{
    return column >= side->quasi || !(set >> column & 1);
}

bauta_status bt_buckets_make(const bt_distinct *side, uint64_t set, const bt_run *run,
                             bt_buckets *out, bauta_error *error)
{
    size_t count = 0;
    *out = (bt_buckets){.of = bt_array(side->tuples.count, sizeof *out->of)};
    bt_codes *outside = bt_array(side->count, sizeof *outside);
    bauta_status status = out->of && outside ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; i < side->count && outside; i++)
        if (is_outside(side, set, i)) outside[count++] = side->columns[i];
    if (status == BAUTA_OK)
        status = bt_tuples_number(outside, count, side->tuples.count, run, &out->tuples, out->of,
                                  &out->index, error);
    free(outside);
    return status;
}

void bt_buckets_release(bt_buckets *buckets)
{
    bt_tuple_index_free(buckets->index);
    bt_tuples_release(&buckets->tuples);
    free(buckets->of);
    *buckets = (bt_buckets){0};
}

uint32_t bt_buckets_find(const bt_buckets *buckets, const bt_distinct *from, uint64_t set,
                         uint32_t tuple, uint32_t *codes)
{
    size_t count = 0;
    for (size_t i = 0; i < from->count; i++)
        if (is_outside(from, set, i)) codes[count++] = bt_distinct_code(from, i, tuple);
    return bt_tuple_index_find(buckets->index, codes);
}
