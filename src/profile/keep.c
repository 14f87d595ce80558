/* SPDX-License-Identifier: Apache-2.0
 *
 * Choosing columns that make few rows unique.
 */
#include "profile/keep.h"

#include "profile/partition.h"

static bool tells_less(const bt_codes *columns, const bt_kept_column *found, size_t a, size_t b)
{
    if (found[a].alone != found[b].alone) return found[a].alone < found[b].alone;
    return columns[a].count < columns[b].count;
}

/* Columns are few. */
static void sort(const bt_codes *columns, const bt_kept_column *found, size_t count, size_t *order)
{
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && tells_less(columns, found, i, order[at - 1]); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static uint32_t largest_count(const bt_codes *columns, size_t count)
{
    uint32_t largest = 1;
    for (size_t i = 0; i < count; i++)
        if (columns[i].count > largest) largest = columns[i].count;
    return largest;
}

bauta_status bt_count_alone(const bt_codes *columns, size_t count, int64_t rows, int64_t *out,
                            bauta_error *error)
{
    BT_OWN(bt_partition_release) bt_partition partition = {0};
    BT_TRY(bt_partition_init(&partition, rows, largest_count(columns, count), error));
    for (size_t i = 0; i < count; i++)
        bt_partition_split(&partition, &columns[i]);
    *out = partition.unique;
    return BAUTA_OK;
}

bauta_status bt_keep_columns(const bt_codes *columns, size_t count, int64_t rows, int64_t most,
                             bt_kept_column *out, bauta_error *error)
{
    BT_OWN(bt_partition_release) bt_partition partition = {0};
    BT_OWN(bt_free) size_t *order = bt_array(count, sizeof *order);
    if (!order) return bt_fail_memory(error);
    BT_TRY(bt_partition_init(&partition, rows, largest_count(columns, count), error));
    for (size_t i = 0; i < count; i++)
        out[i] = (bt_kept_column){bt_partition_look(&partition, &columns[i]).unique, false};
    sort(columns, out, count, order);
    for (size_t i = 0; i < count; i++) {
        const bt_codes *next = &columns[order[i]];
        out[order[i]].kept = bt_partition_look(&partition, next).unique <= most;
        if (out[order[i]].kept) bt_partition_split(&partition, next);
    }
    return BAUTA_OK;
}
