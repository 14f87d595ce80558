/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing bounds.csv. Cost: linear in the distinct lows and highs of a group.
 */
#include "class/bounds_text.h"

#include "base/csv.h"

#include <string.h>

bauta_status bt_bounds_head(const bt_bounds_format *format, bt_buffer *out, bauta_error *error)
{
    BT_TRY(bt_csv_put(out, format->group_name, strlen(format->group_name), error));
    return bt_buffer_print(out, error, ",selected,until%s,min_low,min_high,max_low,max_high\n",
                           format->type == BT_DATE ? "" : ",sum_low,sum_high");
}

static bauta_status put_number(const bt_bounds_format *format, int64_t number, bt_buffer *out,
                               bauta_error *error)
{
    char text[BT_NUMBER_TEXT];
    size_t length = bt_number_print(format->type, format->scale, number, text);
    BT_TRY(bt_buffer_add(out, ",", 1, error));
    return bt_buffer_add(out, text, length, error);
}

/* A sum may take more than 64 bits: digits from behind, without needless zeros after the point. */
static bauta_status put_sum(const bt_bounds_format *format, __int128 sum, bt_buffer *out,
                            bauta_error *error)
{
    char text[64], *at = text + sizeof text;
    int digits = 0;
    bool negative = sum < 0, shown = false;
    unsigned __int128 rest = negative ? -(unsigned __int128)sum : (unsigned __int128)sum;
    for (; rest > 0 || digits <= format->scale; rest /= 10, digits++) {
        char digit = (char)('0' + (int)(rest % 10));
        if (digits == format->scale && shown) *--at = '.';
        shown = shown || digit != '0' || digits >= format->scale;
        if (shown) *--at = digit;
    }
    if (negative) *--at = '-';
    *--at = ',';
    return bt_buffer_add(out, at, (size_t)(text + sizeof text - at), error);
}

/* How many nodes there are up to and with run i. */
static uint64_t end_of(const bt_edge *runs, size_t count, size_t i, uint64_t total)
{
    return i + 1 < count ? runs[i + 1].before : total;
}

bauta_status bt_bounds_rows(const bt_bounds_format *format, uint32_t number, uint64_t records,
                            const bt_subdomains *group, bt_buffer *out, bauta_error *error)
{
    size_t low = 0, high = 0;
    for (uint64_t selected = 1, until; selected <= records; selected = until + 1) {
        while (end_of(group->lows, group->low_count, low, group->total) < selected)
            low++;
        while (end_of(group->highs, group->high_count, high, group->total) < selected)
            high++;
        uint64_t next_low = end_of(group->lows, group->low_count, low, group->total);
        uint64_t next_high = end_of(group->highs, group->high_count, high, group->total);
        until = next_low < next_high ? next_low : next_high;
        if (until > records) until = records;
        bt_aggregates bounds = bt_subdomains_select(group, selected);
        BT_TRY(bt_buffer_print(out, error, "%u,%llu,%llu", number, (unsigned long long)selected,
                               (unsigned long long)until));
        if (format->type != BT_DATE) {
            BT_TRY(put_sum(format, bounds.sum_low, out, error));
            BT_TRY(put_sum(format, bounds.sum_high, out, error));
        }
        BT_TRY(put_number(format, bounds.min_low, out, error));
        BT_TRY(put_number(format, bounds.min_high, out, error));
        BT_TRY(put_number(format, bounds.max_low, out, error));
        BT_TRY(put_number(format, bounds.max_high, out, error));
        BT_TRY(bt_buffer_add(out, "\n", 1, error));
    }
    return BAUTA_OK;
}
