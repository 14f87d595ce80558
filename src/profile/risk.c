/* SPDX-License-Identifier: Apache-2.0
 *
 * Classes of equal tuples, counted by their sizes.
 */
#include "profile/risk.h"

#include "table/tuples.h"

bauta_status bt_risk_measure(const bt_column *const *columns, size_t count, int64_t rows,
                             const bt_run *run, bt_risk *out, bauta_error *error)
{
    *out = (bt_risk){0};
    bt_codes *codes = bt_array(count, sizeof *codes);
    if (!codes) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++)
        codes[i] = (bt_codes){columns[i]->codes, columns[i]->width, columns[i]->domain.size};
    bt_tuples tuples;
    bauta_status status = bt_tuples_group(codes, count, rows, run, &tuples, error);
    free(codes);
    if (status != BAUTA_OK) return status;
    out->classes = tuples.count;
    for (uint32_t i = 0; i < tuples.count; i++) {
        out->unique += tuples.size[i] == 1;
        if (i == 0 || tuples.size[i] < out->smallest) out->smallest = tuples.size[i];
    }
    bt_tuples_release(&tuples);
    return BAUTA_OK;
}
