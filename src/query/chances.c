/* SPDX-License-Identifier: Apache-2.0
 *
 * Cutting what a text may stand for into the segments of a query.
 *
 * Cost for a query: the distinct texts of a column, times the segments that each spans or the
 * members it has.
 */
#include "query/chances.h"

#include "query/segments.h"

#include <string.h>

/* ---- segments ---- */

/* Listed values and cuts are both ascending. */
bauta_status bt_pieces_open(const bt_slot *slot, bt_arena *arena, bt_pieces *out,
                            bauta_error *error)
{
    const bt_query_column *column = slot->column;
    uint32_t *segments = bt_arena_array(arena, column->value_count, sizeof *segments), cut = 0;
    if (!segments) return bt_fail_memory(error);
    for (uint32_t i = 0; i < column->value_count; i++) {
        int order = 1;
        for (; cut < slot->cuts; cut++) {
            if (column->type == BT_TEXT)
                order = strcmp(slot->texts[cut], column->texts[i]);
            else
                order = (slot->numbers[cut] > column->numbers[i]) -
                        (slot->numbers[cut] < column->numbers[i]);
            if (order >= 0) break;
        }
        segments[i] = 2 * cut + (cut < slot->cuts && order == 0);
    }
    *out = (bt_pieces){slot, segments};
    return BAUTA_OK;
}

/* Numbers from..to, which reach from one segment to another. Those in the hull weigh 1 each, the
 * others nothing. */
typedef struct number_range {
    int64_t from, to, hull_lo, hull_hi;
    uint32_t first, last;
} number_range;

static void visit_numbers(const bt_slot *slot, const number_range *range, bt_piece_visit visit,
                          void *user)
{
    int64_t lo, hi;
    for (uint32_t s = range->first; s <= range->last; s++) {
        if (!bt_segment_numbers(slot, s, range->from, range->to, &lo, &hi)) continue;
        if (lo < range->hull_lo || hi > range->hull_hi) visit(user, s, lo, hi, 0);
        if (lo < range->hull_lo) lo = range->hull_lo;
        if (hi > range->hull_hi) hi = range->hull_hi;
        if (lo <= hi) visit(user, s, lo, hi, (double)hi - (double)lo + 1);
    }
}

static number_range range_of(const bt_pieces *pieces, const bt_meaning *meaning)
{
    const uint32_t *ends = pieces->slot->column->members + meaning->first;
    return (number_range){meaning->lo,
                          meaning->hi,
                          meaning->lo,
                          meaning->hi,
                          pieces->segment_of_value[ends[0]],
                          pieces->segment_of_value[ends[1]]};
}

/* ---- kinds ---- */

static void visit_listed(const bt_pieces *pieces, const bt_meaning *meaning, bt_piece_visit visit,
                         void *user)
{
    const bt_query_column *column = pieces->slot->column;
    const uint32_t *members = column->members + meaning->first;
    for (uint32_t i = 0; i < meaning->count; i++) {
        if (members[i] == BT_MEMBER_MISSING) {
            visit(user, bt_slot_missing(pieces->slot), 0, 0, 1);
            continue;
        }
        int64_t number = column->numbers ? column->numbers[members[i]] : 0;
        visit(user, pieces->segment_of_value[members[i]], number, number, 1);
    }
}

static bool fits_mask(const bt_meaning *mask, const char *text)
{
    size_t shown = strlen(mask->from);
    uint32_t characters = 0;
    if (strncmp(text, mask->from, shown) != 0) return false;
    for (const char *p = text + shown; *p; p++)
        characters += ((unsigned char)*p & 0xC0) != 0x80;
    return characters == mask->hidden;
}

static bool begins_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/* Whether a text of that meaning may be, or lie strictly between, the cuts that bound a segment. */
static bool may_fall(const bt_slot *slot, const bt_meaning *meaning, uint32_t segment)
{
    uint32_t cut = segment / 2;
    bool mask = meaning->kind == BT_MEANING_MASK;
    if (segment % 2 == 1) {
        const char *text = slot->texts[cut];
        return mask ? fits_mask(meaning, text)
                    : strcmp(text, meaning->from) >= 0 && strcmp(text, meaning->to) <= 0;
    }
    const char *before = cut > 0 ? slot->texts[cut - 1] : "";
    if (cut < slot->cuts && strcmp(slot->texts[cut], meaning->from) <= 0) return false;
    if (mask) return strcmp(before, meaning->from) < 0 || begins_with(before, meaning->from);
    return strcmp(before, meaning->to) < 0;
}

/* Where the manifest does not say how many values there were: of a mask as many as there are codes
 * of digits, else as many as are told apart. */
static double possible_texts(const bt_meaning *meaning, uint32_t told)
{
    double texts = 1;
    if (meaning->kind != BT_MEANING_MASK) return told;
    for (uint32_t i = 0; i < meaning->hidden && texts < 1e15; i++)
        texts *= 10;
    return texts;
}

/* Texts that are not listed: the cuts that are among them weigh 1 each, the rest is shared out
 * between the segments around them. */
static void visit_texts(const bt_slot *slot, const bt_meaning *meaning, bt_piece_visit visit,
                        void *user)
{
    uint32_t points = 0, gaps = 0;
    for (uint32_t s = 0; s <= bt_slot_last(slot); s++)
        if (may_fall(slot, meaning, s)) s % 2 ? points++ : gaps++;
    double leaves = meaning->leaves ? meaning->leaves : possible_texts(meaning, points + gaps);
    double rest = leaves > points ? leaves - points : 0;
    if (points == 0 && rest == 0) rest = 1;
    for (uint32_t s = 0; s <= bt_slot_last(slot); s++)
        if (may_fall(slot, meaning, s)) visit(user, s, 0, 0, s % 2 ? 1 : rest / gaps);
}

/* Anything: what the column shows elsewhere weighs, all else is possible. */
static bool visit_any(const bt_pieces *pieces, const bt_meaning *meaning, bt_piece_visit visit,
                      void *user)
{
    const bt_slot *slot = pieces->slot;
    const bt_query_column *column = slot->column;
    bool known = column->value_count > 0;
    if (column->type != BT_TEXT) {
        number_range all = {BT_LOWEST, BT_HIGHEST, 1, 0, 0, bt_slot_last(slot)};
        if (known) {
            all.hull_lo = column->numbers[0];
            all.hull_hi = column->numbers[column->value_count - 1];
        }
        visit_numbers(slot, &all, visit, user);
    } else {
        for (uint32_t s = 0; s <= bt_slot_last(slot); s++)
            visit(user, s, 0, 0, 0);
        for (uint32_t i = 0; i < column->value_count; i++)
            visit(user, pieces->segment_of_value[i], 0, 0, 1);
    }
    if (meaning->missing) visit(user, bt_slot_missing(slot), 0, 0, known ? 1 : 0);
    return known;
}

/* Whether a node that is not known whole may hold the value of a cut: what the manifest names is a
 * value where it stands, and nowhere else. */
static bool may_hold(const bt_slot *slot, const bt_meaning *meaning, uint32_t cut)
{
    const bt_query_column *column = slot->column;
    const bt_hierarchy *tree = column->tree;
    char number[BT_NUMBER_TEXT + 1];
    const char *text = number;
    if (column->type == BT_TEXT)
        text = slot->texts[cut];
    else
        number[bt_number_print(column->type, column->scale, slot->numbers[cut], number)] = '\0';
    uint32_t node = bt_hierarchy_find(tree, text, strlen(text));
    if (node == UINT32_MAX) return true;
    bool value = tree->nodes[node].level == 0;
    while (node != 0 && node != meaning->node)
        node = tree->nodes[node].parent;
    return value && node == meaning->node;
}

static void visit_unknown(const bt_slot *slot, const bt_meaning *meaning, bt_piece_visit visit,
                          void *user)
{
    int64_t lo = 0, hi = 0;
    for (uint32_t s = 0; s <= bt_slot_last(slot); s++) {
        if (s % 2 == 1 && !may_hold(slot, meaning, s / 2)) continue;
        if (slot->column->type != BT_TEXT &&
            !bt_segment_numbers(slot, s, BT_LOWEST, BT_HIGHEST, &lo, &hi))
            continue;
        visit(user, s, lo, hi, 0);
    }
}

bool bt_pieces_visit(const bt_pieces *pieces, const bt_meaning *meaning, bt_piece_visit visit,
                     void *user)
{
    const bt_slot *slot = pieces->slot;
    switch (meaning->kind) {
    case BT_MEANING_MISSING: visit(user, bt_slot_missing(slot), 0, 0, 1); break;
    case BT_MEANING_NUMBERS: {
        number_range range = range_of(pieces, meaning);
        visit_numbers(slot, &range, visit, user);
        break;
    }
    case BT_MEANING_LISTED: visit_listed(pieces, meaning, visit, user); break;
    case BT_MEANING_TEXTS:
    case BT_MEANING_MASK: visit_texts(slot, meaning, visit, user); break;
    case BT_MEANING_ANY:
        if (meaning->node == 0) return visit_any(pieces, meaning, visit, user);
        visit_unknown(slot, meaning, visit, user);
        return false;
    }
    return true;
}

/* ---- sums ---- */

typedef struct summing {
    const uint32_t *signature;
    bt_chances *out;
    size_t at; /* of the code */
    bool target;
} summing;

static double middle_of(int64_t lo, int64_t hi)
{
    if (lo == BT_LOWEST) return hi == BT_HIGHEST ? 0 : (double)hi;
    return hi == BT_HIGHEST ? (double)lo : ((double)lo + (double)hi) / 2;
}

static void add_piece(void *user, uint32_t segment, int64_t lo, int64_t hi, double weight)
{
    summing *sum = user;
    bt_chances *out = sum->out;
    size_t at = sum->at + sum->signature[segment];
    out->share[at] += weight;
    if (sum->target) {
        if (!out->can[at] || lo < out->lo[at]) out->lo[at] = lo;
        if (!out->can[at] || hi > out->hi[at]) out->hi[at] = hi;
        out->mean[at] += weight * middle_of(lo, hi);
    }
    out->can[at] = true;
}

/* A range: its first and its last segment, and what lies between from the sums. */
static void add_range(summing *sum, const bt_slot *slot, const bt_segment_sums *sums,
                      const number_range *range)
{
    uint32_t first = range->first, last = range->last;
    bt_chances *out = sum->out;
    bt_stretch inner;
    int64_t lo, hi;
    if (bt_segment_numbers(slot, first, range->from, range->to, &lo, &hi))
        add_piece(sum, first, lo, hi, (double)hi - (double)lo + 1);
    if (last > first && bt_segment_numbers(slot, last, range->from, range->to, &lo, &hi))
        add_piece(sum, last, lo, hi, (double)hi - (double)lo + 1);
    for (uint32_t s = 0; last > first + 1 && s < sums->signatures; s++) {
        size_t at = sum->at + s;
        if (!bt_segment_sum(slot, sums, first + 1, last - 1, s, &inner)) continue;
        out->share[at] += inner.count;
        if (sum->target) {
            if (!out->can[at] || inner.lo < out->lo[at]) out->lo[at] = inner.lo;
            if (!out->can[at] || inner.hi > out->hi[at]) out->hi[at] = inner.hi;
            out->mean[at] += inner.total;
        }
        out->can[at] = true;
    }
}

/* Shares add up to 1; where nothing is known every outcome weighs the same. Whether that is a guess
 * is the result: some of it hangs on what nobody knows. */
static bool finish_code(const summing *sum, bool known)
{
    bt_chances *out = sum->out;
    double total = 0;
    uint32_t possible = 0;
    for (size_t at = sum->at; at < sum->at + out->signatures; at++) {
        total += out->share[at];
        possible += out->can[at];
    }
    known = known && total > 0;
    for (size_t at = sum->at; at < sum->at + out->signatures; at++) {
        if (!out->can[at]) continue;
        if (sum->target && out->share[at] > 0)
            out->mean[at] /= out->share[at];
        else if (sum->target)
            out->mean[at] = middle_of(out->lo[at], out->hi[at]);
        out->share[at] = known ? out->share[at] / total : 1.0 / possible;
    }
    return !known && (possible > 1 || sum->target);
}

bauta_status bt_chances_make(const bt_slot *slot, bool target, bt_arena *arena, bt_chances *out,
                             bauta_error *error)
{
    const bt_query_column *column = slot->column;
    bt_pieces pieces;
    bt_segment_sums sums;
    size_t cells;
    *out = (bt_chances){.signatures = slot->signatures};
    BT_TRY(bt_pieces_open(slot, arena, &pieces, error));
    BT_TRY(bt_segment_sums_make(slot, arena, &sums, error));
    if (!bt_size_mul(column->meaning_count, slot->signatures, &cells)) return bt_fail_memory(error);
    out->share = bt_arena_array(arena, cells, sizeof *out->share);
    out->can = bt_arena_array(arena, cells, sizeof *out->can);
    if (column->unknown)
        out->guessed = bt_arena_array(arena, column->meaning_count, sizeof *out->guessed);
    if (target) {
        out->lo = bt_arena_array(arena, cells, sizeof *out->lo);
        out->hi = bt_arena_array(arena, cells, sizeof *out->hi);
        out->mean = bt_arena_array(arena, cells, sizeof *out->mean);
    }
    if (!out->share || !out->can || (column->unknown && !out->guessed) ||
        (target && (!out->lo || !out->hi || !out->mean)))
        return bt_fail_memory(error);
    summing sum = {.signature = slot->signature, .out = out, .target = target};
    for (uint32_t code = 0; code < column->meaning_count; code++) {
        const bt_meaning *meaning = &column->meanings[code];
        bool known = true;
        if (sums.count && meaning->kind == BT_MEANING_NUMBERS) {
            number_range range = range_of(&pieces, meaning);
            add_range(&sum, slot, &sums, &range);
        } else {
            known = bt_pieces_visit(&pieces, meaning, add_piece, &sum);
        }
        bool guessed = finish_code(&sum, known);
        if (out->guessed) out->guessed[code] = guessed;
        sum.at += slot->signatures;
        out->loose |= meaning->loose || (meaning->kind == BT_MEANING_MASK && slot->ordered);
    }
    return BAUTA_OK;
}

/* ---- exact columns ---- */

static void keep_signature(void *user, uint32_t segment, int64_t lo, int64_t hi, double weight)
{
    (void)lo;
    (void)hi;
    (void)weight;
    *(uint32_t *)user = segment;
}

bauta_status bt_chances_exact(const bt_slot *slot, bt_arena *arena, uint32_t **out,
                              bauta_error *error)
{
    const bt_query_column *column = slot->column;
    bt_pieces pieces;
    BT_TRY(bt_pieces_open(slot, arena, &pieces, error));
    *out = bt_arena_array(arena, column->meaning_count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (uint32_t code = 0; code < column->meaning_count; code++) {
        uint32_t segment = 0;
        bt_pieces_visit(&pieces, &column->meanings[code], keep_signature, &segment);
        (*out)[code] = slot->signature[segment];
    }
    return BAUTA_OK;
}

int64_t bt_column_number(const bt_query_column *column, uint32_t code)
{
    const bt_meaning *meaning = &column->meanings[code];
    if (meaning->kind == BT_MEANING_NUMBERS) return meaning->lo;
    if (meaning->kind != BT_MEANING_LISTED || !column->numbers) return 0;
    uint32_t member = column->members[meaning->first];
    return member == BT_MEMBER_MISSING ? 0 : column->numbers[member];
}
