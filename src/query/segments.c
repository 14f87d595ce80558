/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums over segments, from the first to the last and from the last to the first.
 */
#include "query/segments.h"

enum { NONE = UINT32_MAX, FEW = 16, SUMS_MOST = 1 << 20 };

bool bt_segment_numbers(const bt_slot *slot, uint32_t segment, int64_t from, int64_t to,
                        int64_t *lo, int64_t *hi)
{
    uint32_t cut = segment / 2;
    *lo = from;
    *hi = to;
    if (segment % 2 == 1) {
        *lo = *hi = slot->numbers[cut];
        return from <= *lo && *hi <= to;
    }
    if (cut > 0 && slot->numbers[cut - 1] >= from) *lo = slot->numbers[cut - 1] + 1;
    if (cut < slot->cuts && slot->numbers[cut] <= to) *hi = slot->numbers[cut] - 1;
    return *lo <= *hi;
}

static void sum_up(const bt_slot *slot, bt_segment_sums *sums)
{
    size_t width = sums->signatures;
    int64_t lo, hi;
    for (uint32_t s = 1; s < bt_slot_last(slot); s++) {
        size_t at = s * width;
        for (size_t i = at; i < at + width; i++) {
            sums->count[i + width] = sums->count[i];
            sums->total[i + width] = sums->total[i];
            sums->last[i] = sums->last[i - width];
        }
        if (!bt_segment_numbers(slot, s, INT64_MIN, INT64_MAX, &lo, &hi)) continue;
        double count = (double)hi - (double)lo + 1;
        at += slot->signature[s];
        sums->count[at + width] += count;
        sums->total[at + width] += count * (((double)lo + (double)hi) / 2);
        sums->last[at] = s;
    }
    for (uint32_t s = bt_slot_last(slot); s-- > 1;) {
        size_t at = s * width;
        for (size_t i = at; i < at + width; i++)
            sums->next[i] = sums->next[i + width];
        if (bt_segment_numbers(slot, s, INT64_MIN, INT64_MAX, &lo, &hi))
            sums->next[at + slot->signature[s]] = s;
    }
}

bauta_status bt_segment_sums_make(const bt_slot *slot, bt_arena *arena, bt_segment_sums *out,
                                  bauta_error *error)
{
    size_t places = (size_t)bt_slot_last(slot) + 1, cells = places * slot->signatures;
    *out = (bt_segment_sums){.signatures = slot->signatures};
    if (slot->column->type == BT_TEXT || places < FEW || cells > SUMS_MOST) return BAUTA_OK;
    out->count = bt_arena_array(arena, cells, sizeof *out->count);
    out->total = bt_arena_array(arena, cells, sizeof *out->total);
    out->next = bt_arena_alloc(arena, cells * sizeof *out->next);
    out->last = bt_arena_alloc(arena, cells * sizeof *out->last);
    if (!out->count || !out->total || !out->next || !out->last) return bt_fail_memory(error);
    for (size_t i = 0; i < cells; i++)
        out->next[i] = out->last[i] = NONE;
    sum_up(slot, out);
    return BAUTA_OK;
}

bool bt_segment_sum(const bt_slot *slot, const bt_segment_sums *sums, uint32_t from, uint32_t to,
                    uint32_t signature, bt_stretch *out)
{
    size_t first = (size_t)from * sums->signatures + signature;
    size_t behind = ((size_t)to + 1) * sums->signatures + signature;
    int64_t other;
    uint32_t next = sums->next[first];
    if (next == NONE || next > to) return false;
    out->count = sums->count[behind] - sums->count[first];
    out->total = sums->total[behind] - sums->total[first];
    bt_segment_numbers(slot, next, INT64_MIN, INT64_MAX, &out->lo, &other);
    bt_segment_numbers(slot, sums->last[behind - sums->signatures], INT64_MIN, INT64_MAX, &other,
                       &out->hi);
    return true;
}
