/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes of equal tuples, counted by their sizes.
 */
#include "profile/risk.h"

#include "base/memory.h"
#include "table/tuples.h"

/* Groups records by all columns but one; without: `count` leaves none out. */
static bauta_status group_without(const bt_column *const *columns, size_t count, size_t without,
                                  int64_t rows, const bt_run *run, bt_tuples *out,
                                  bauta_error *error)
{
    size_t used = 0;
    BT_OWN(bt_free) bt_codes *codes = bt_array(count, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        if (i != without)
            codes[used++] =
                (bt_codes){columns[i]->codes, columns[i]->width, columns[i]->domain.size};
    return bt_tuples_group(codes, used, rows, run, out, error);
}

bauta_status bt_risk_measure(const bt_column *const *columns, size_t count, int64_t rows,
                             const bt_run *run, bt_risk *out, bauta_error *error)
{
    BT_OWN(bt_tuples_release) bt_tuples tuples = {0};
    *out = (bt_risk){0};
    BT_TRY(group_without(columns, count, count, rows, run, &tuples, error));
    out->classes = tuples.count;
    for (uint32_t i = 0; i < tuples.count; i++) {
        out->unique += tuples.size[i] == 1;
        if (i == 0 || tuples.size[i] < out->smallest) out->smallest = tuples.size[i];
    }
    return BAUTA_OK;
}

/* ---- sizes ---- */

static bauta_status count_sizes(const bt_tuples *tuples, bt_size_counts *out, bauta_error *error)
{
    uint32_t largest = 0;
    size_t distinct = 0;
    for (uint32_t i = 0; i < tuples->count; i++)
        if (tuples->size[i] > largest) largest = tuples->size[i];
    BT_OWN(bt_free) uint32_t *of_size = bt_array_zero((size_t)largest + 1, sizeof *of_size);
    if (!of_size) return bt_fail_memory(error);
    for (uint32_t i = 0; i < tuples->count; i++)
        distinct += of_size[tuples->size[i]]++ == 0;
    out->classes = tuples->count;
    out->size = bt_array(distinct, sizeof *out->size);
    out->classes_of = bt_array(distinct, sizeof *out->classes_of);
    if (!out->size || !out->classes_of) return bt_fail_memory(error);
    for (size_t size = 1; size <= largest; size++)
        if (of_size[size] > 0) {
            out->size[out->count] = (uint32_t)size;
            out->classes_of[out->count++] = of_size[size];
        }
    return BAUTA_OK;
}

bauta_status bt_size_counts_make(const bt_column *const *columns, size_t count, size_t without,
                                 int64_t rows, const bt_run *run, bt_size_counts *out,
                                 bauta_error *error)
{
    BT_OWN(bt_tuples_release) bt_tuples tuples = {0};
    *out = (bt_size_counts){.rows = rows};
    BT_TRY(group_without(columns, count, without, rows, run, &tuples, error));
    bauta_status status = count_sizes(&tuples, out, error);
    if (status != BAUTA_OK) bt_size_counts_release(out);
    return status;
}

void bt_size_counts_release(bt_size_counts *counts)
{
    free(counts->size);
    free(counts->classes_of);
    *counts = (bt_size_counts){0};
}

int64_t bt_size_counts_of(const bt_size_counts *counts, uint32_t size)
{
    for (size_t i = 0; i < counts->count && counts->size[i] <= size; i++)
        if (counts->size[i] == size) return counts->classes_of[i];
    return 0;
}
