/* SPDX-License-Identifier: Apache-2.0
 *
 * Looking at runs of records, and putting them into another order.
 */
#include "class/runs.h"

#include "base/assert.h"
#include "base/sort.h"

#include <string.h>

bauta_status bt_runs_make(int64_t rows, const bt_column *const *quasi, size_t columns,
                          const uint32_t *profile_of, const uint64_t *counts, bt_runs *out,
                          bauta_error *error)
{
    size_t count = (size_t)rows;
    *out = (bt_runs){.columns = columns, .quasi = quasi};
    out->codes = bt_arena_array(&out->arena, columns, sizeof *out->codes);
    out->rows = bt_array(count, sizeof *out->rows);
    if (profile_of) out->profiles = bt_arena_array(&out->arena, count, sizeof *out->profiles);
    if (counts) out->times = bt_arena_array(&out->arena, count, sizeof *out->times);
    if (out->arena.failed || !out->rows) return bt_fail_memory(error);
    if (counts) memcpy(out->times, counts, count * sizeof *counts);
    for (size_t i = 0; i < count; i++)
        out->rows[i] = (uint32_t)i;
    if (profile_of) memcpy(out->profiles, profile_of, count * sizeof *out->profiles);
    for (size_t c = 0; c < columns; c++) {
        out->codes[c] = bt_arena_array(&out->arena, count, quasi[c]->width);
        BT_TRY(bt_arena_check(&out->arena, error));
        memcpy(out->codes[c], quasi[c]->codes, count * quasi[c]->width);
    }
    return BAUTA_OK;
}

void bt_runs_release(bt_runs *runs)
{
    free(runs->rows);
    bt_arena_release(&runs->arena);
    *runs = (bt_runs){0};
}

/* ---- looking ----------------------------------------------------------------------------- */

#define FIND_RANGE(type)                                                                           \
    do {                                                                                           \
        const type *codes = (const type *)runs->codes[column] + from;                              \
        type least = codes[0], most = codes[0];                                                    \
        for (uint32_t i = 1; i < size; i++) {                                                      \
            least = codes[i] < least ? codes[i] : least;                                           \
            most = codes[i] > most ? codes[i] : most;                                              \
        }                                                                                          \
        range.lo = least;                                                                          \
        range.hi = most;                                                                           \
    } while (0)

bt_box bt_runs_range(const bt_runs *runs, size_t column, uint32_t from, uint32_t to)
{
    BT_ASSERT(from < to);
    uint32_t size = to - from;
    bt_box range;
    switch (runs->quasi[column]->width) {
    case 1: FIND_RANGE(uint8_t); break;
    case 2: FIND_RANGE(uint16_t); break;
    default: FIND_RANGE(uint32_t); break;
    }
    return range;
}

#define COUNT_CODES(type)                                                                          \
    do {                                                                                           \
        const type *codes = (const type *)runs->codes[column] + from;                              \
        if (times)                                                                                 \
            for (uint32_t i = 0; i < size; i++)                                                    \
                zeros[codes[i]] += times[i];                                                       \
        else                                                                                       \
            for (uint32_t i = 0; i < size; i++)                                                    \
                zeros[codes[i]]++;                                                                 \
    } while (0)

void bt_runs_count_range(const bt_runs *runs, size_t column, uint32_t from, uint32_t to,
                         bt_box range, uint64_t *zeros, bt_code_counts *out)
{
    uint32_t size = to - from;
    const uint64_t *times = runs->times ? runs->times + from : NULL;
    switch (runs->quasi[column]->width) {
    case 1: COUNT_CODES(uint8_t); break;
    case 2: COUNT_CODES(uint16_t); break;
    default: COUNT_CODES(uint32_t); break;
    }
    out->distinct = 0;
    for (uint32_t code = range.lo;; code++) {
        if (zeros[code]) {
            out->codes[out->distinct] = code;
            out->counts[out->distinct++] = zeros[code];
            zeros[code] = 0;
        }
        if (code == range.hi) break;
    }
}

static void sort_codes(uint32_t *codes, uint32_t count)
{
    if (count > 64) {
        qsort(codes, count, sizeof *codes, bt_compare_uint32);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        uint32_t code = codes[i], place = i;
        for (; place > 0 && codes[place - 1] > code; place--)
            codes[place] = codes[place - 1];
        codes[place] = code;
    }
}

/* Few records over a wide range: sorting what occurs is cheaper than walking over the range. */
static void count_by_sorting(const bt_runs *runs, size_t column, uint32_t from, uint32_t to,
                             uint64_t *zeros, bt_code_counts *out)
{
    out->distinct = 0;
    for (uint32_t place = from; place < to; place++) {
        uint32_t code = bt_runs_code(runs, column, place);
        if (zeros[code] == 0) out->codes[out->distinct++] = code;
        zeros[code] += runs->times ? runs->times[place] : 1;
    }
    sort_codes(out->codes, out->distinct);
    for (uint32_t i = 0; i < out->distinct; i++) {
        out->counts[i] = zeros[out->codes[i]];
        zeros[out->codes[i]] = 0;
    }
}

void bt_runs_count(const bt_runs *runs, size_t column, uint32_t from, uint32_t to, uint64_t *zeros,
                   bt_code_counts *out)
{
    bt_box range = {0, runs->quasi[column]->domain.size - 1};
    if (range.hi / 2 > to - from) range = bt_runs_range(runs, column, from, to);
    if ((range.hi - range.lo) / 4 > to - from)
        count_by_sorting(runs, column, from, to, zeros, out);
    else
        bt_runs_count_range(runs, column, from, to, range, zeros, out);
    BT_ASSERT(out->distinct > 0 && bt_ascend(out->codes, out->distinct));
}

/* ---- arranging --------------------------------------------------------------------------- */

#define ARRANGE(type, array)                                                                       \
    do {                                                                                           \
        type *items = (type *)(array) + from, *moved = (type *)aside;                              \
        for (uint32_t i = 0; i < count; i++)                                                       \
            moved[i] = items[order[i]];                                                            \
        memcpy(items, moved, count * sizeof *items);                                               \
    } while (0)

void bt_runs_arrange(const bt_runs *runs, uint32_t from, uint32_t count, const uint32_t *order,
                     void *aside)
{
    for (size_t c = 0; c < runs->columns; c++)
        switch (runs->quasi[c]->width) {
        case 1: ARRANGE(uint8_t, runs->codes[c]); break;
        case 2: ARRANGE(uint16_t, runs->codes[c]); break;
        default: ARRANGE(uint32_t, runs->codes[c]); break;
        }
    ARRANGE(uint32_t, runs->rows);
    if (runs->profiles) ARRANGE(uint32_t, runs->profiles);
    if (runs->times) ARRANGE(uint64_t, runs->times);
}
