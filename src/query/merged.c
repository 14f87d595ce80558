/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of codes by what they may have been.
 *
 * Cost: the codes times the kinds, and the segments between each and the next.
 */
#include "query/merged.h"

#include "query/segments.h"

#include <math.h>

typedef struct making {
    const bt_slot *slot;
    bt_pieces pieces;
    bt_merged *out;
    uint64_t anything; /* signatures of values that no row shows */
} making;

static uint64_t bit(const bt_slot *slot, uint32_t segment)
{
    return (uint64_t)1 << slot->signature[segment];
}

/* ---- values that no row shows ---- */

/* How many a segment has. Shown values are `shown`. */
static double count_unshown(const bt_slot *slot, uint32_t segment, uint32_t shown)
{
    int64_t lo, hi;
    if (segment % 2 == 1) return shown ? 0 : 1;
    if (slot->column->type == BT_TEXT) return INFINITY;
    if (!bt_segment_numbers(slot, segment, BT_LOWEST, BT_HIGHEST, &lo, &hi)) return 0;
    if (lo == BT_LOWEST || hi == BT_HIGHEST) return INFINITY;
    return (double)(hi - lo + 1 - shown);
}

static void find_unshown(making *m)
{
    const bt_slot *slot = m->slot;
    uint32_t value = 0;
    for (uint32_t s = 0; s <= bt_slot_last(slot); s++) {
        uint32_t shown = 0;
        for (; value < slot->column->value_count && m->pieces.segment_of_value[value] == s; value++)
            shown++;
        double unshown = count_unshown(slot, s, shown);
        m->out->unshown[slot->signature[s]] += unshown;
        if (unshown > 0) m->anything |= bit(slot, s);
    }
}

/* ---- what codes may have been ---- */

/* The segments of the numbers strictly between the shown values around one. */
static uint64_t between_neighbours(const making *m, uint32_t value)
{
    const bt_query_column *column = m->slot->column;
    const uint32_t *segment_of = m->pieces.segment_of_value;
    bool first = value == 0, last = value + 1 == column->value_count;
    int64_t from = first ? BT_LOWEST : column->numbers[value - 1] + 1, lo;
    int64_t to = last ? BT_HIGHEST : column->numbers[value + 1] - 1, hi;
    uint32_t end = last ? bt_slot_last(m->slot) : segment_of[value + 1];
    uint64_t set = 0;
    for (uint32_t s = first ? 0 : segment_of[value - 1]; s <= end; s++)
        if (bt_segment_numbers(m->slot, s, from, to, &lo, &hi)) set |= bit(m->slot, s);
    return set;
}

static void add_kind(making *m, uint32_t code, uint32_t own, uint64_t may)
{
    bt_merged *out = m->out;
    uint32_t kind = 0;
    while (kind < out->kinds && (out->own[kind] != own || out->may[kind] != may))
        kind++;
    out->own[kind] = own;
    out->may[kind] = may;
    out->kind[code] = kind;
    if (kind == out->kinds) out->kinds++;
}

static void find_kinds(making *m, bt_merging merging)
{
    const bt_slot *slot = m->slot;
    const bt_query_column *column = slot->column;
    for (uint32_t code = 0; code < column->meaning_count; code++) {
        const bt_meaning *meaning = &column->meanings[code];
        if (meaning->kind == BT_MEANING_MISSING) {
            uint32_t missing = bt_slot_missing(slot);
            add_kind(m, code, slot->signature[missing], bit(slot, missing));
            continue;
        }
        uint32_t value = column->members[meaning->first];
        uint32_t segment = m->pieces.segment_of_value[value];
        uint64_t others =
            merging == BT_MERGED_NEIGHBOURS ? between_neighbours(m, value) : m->anything;
        add_kind(m, code, slot->signature[segment], bit(slot, segment) | others);
    }
}

bauta_status bt_merged_make(const bt_slot *slot, bt_merging merging, bt_arena *arena,
                            bt_merged *out, bauta_error *error)
{
    making m = {.slot = slot, .out = out};
    size_t codes = slot->column->meaning_count;
    *out = (bt_merged){0};
    out->unshown = bt_arena_array(arena, slot->signatures, sizeof *out->unshown);
    if (!out->unshown) return bt_fail_memory(error);
    if (merging == BT_MERGED_NONE) {
        out->kinds = slot->signatures;
        return bt_chances_exact(slot, arena, &out->kind, error);
    }
    if (slot->signatures > BT_MERGED_SIGNATURES)
        return bt_fail(error, BAUTA_INVALID,
                       "the condition names column '%s', whose rare values were merged, in too "
                       "many ways",
                       slot->column->name);
    BT_TRY(bt_pieces_open(slot, arena, &m.pieces, error));
    out->kind = bt_arena_array(arena, codes, sizeof *out->kind);
    out->own = bt_arena_array(arena, codes + 1, sizeof *out->own);
    out->may = bt_arena_array(arena, codes + 1, sizeof *out->may);
    if (!out->kind || !out->own || !out->may) return bt_fail_memory(error);
    find_unshown(&m);
    find_kinds(&m, merging);
    if (out->kinds == 0) out->kinds = 1; /* there is no row */
    return BAUTA_OK;
}
