/* SPDX-License-Identifier: Apache-2.0
 *
 * Merging rare values once more.
 */
#include "audit/merging.h"

#include "recipe/hierarchy.h"

#include <stdlib.h>
#include <string.h>

enum { DROPPED = UINT32_MAX, NOT_SOUGHT = UINT32_MAX };

/* A column and what becomes of its values. */
typedef struct values {
    const bt_column *column;
    int64_t least;
    int64_t *held;       /* per code: records that hold it */
    uint32_t *into;      /* per code: what it becomes; itself, or DROPPED */
    int64_t *below;      /* per code, and one more: records with lower codes, as the round began */
    uint32_t *commonest; /* per node: its commonest value as the round began, or NOT_SOUGHT */
} values;

static bool is_rare(const values *v, uint32_t code)
{
    return v->held[code] > 0 && v->held[code] < v->least;
}

static void become(values *v, uint32_t code, uint32_t other)
{
    v->held[other] += v->held[code];
    v->held[code] = 0;
    v->into[code] = other;
}

/* ---- a hierarchy ------------------------------------------------------------------------- */

static int64_t held_at_first(const values *v, uint32_t code)
{
    return v->below[code + 1] - v->below[code];
}

static uint32_t commonest_under(const values *v, uint32_t number)
{
    const bt_node *node = &v->column->hierarchy->nodes[number];
    uint32_t *best = &v->commonest[number];
    if (*best != NOT_SOUGHT) return *best;
    *best = node->lo;
    for (uint32_t code = node->lo + 1; code < node->hi; code++)
        if (held_at_first(v, code) > held_at_first(v, *best)) *best = code;
    return *best;
}

/* Whether any value became another one. */
static bool merge_once(values *v)
{
    const bt_hierarchy *tree = v->column->hierarchy;
    bool merged = false;
    for (uint32_t code = 0; code < tree->leaves; code++)
        v->below[code + 1] = v->below[code] + v->held[code];
    memset(v->commonest, 0xff, tree->count * sizeof *v->commonest);
    for (uint32_t code = 0; code < tree->leaves; code++) {
        if (!is_rare(v, code)) continue;
        uint32_t node = tree->leaf_node[code];
        while (node > 0 &&
               v->below[tree->nodes[node].hi] - v->below[tree->nodes[node].lo] < v->least)
            node = tree->nodes[node].parent;
        uint32_t other = node > 0 ? commonest_under(v, node) : code;
        if (other == code) continue;
        become(v, code, other);
        merged = true;
    }
    return merged;
}

static bauta_status merge_under_nodes(values *v, bauta_error *error)
{
    const bt_hierarchy *tree = v->column->hierarchy;
    v->below = bt_array_zero((size_t)tree->leaves + 1, sizeof *v->below);
    v->commonest = bt_array(tree->count, sizeof *v->commonest);
    bauta_status status = v->below && v->commonest ? BAUTA_OK : bt_fail_memory(error);
    while (status == BAUTA_OK && merge_once(v))
        continue;
    free(v->below);
    free(v->commonest);
    return status;
}

/* ---- neighbours -------------------------------------------------------------------------- */

static void merge_neighbours(values *v)
{
    uint32_t present = bt_domain_present(&v->column->domain);
    uint32_t best = DROPPED; /* of the run before */
    for (uint32_t from = 0, to; from < present; from = to) {
        int64_t sum = 0;
        for (to = from; to < present && sum < v->least; to++)
            sum += v->held[to];
        if (sum < v->least && best == DROPPED) return;
        if (sum >= v->least) best = from;
        for (uint32_t code = from; code < to && sum >= v->least; code++)
            if (v->held[code] > v->held[best]) best = code;
        for (uint32_t code = from; code < to; code++)
            if (code != best && is_rare(v, code)) become(v, code, best);
    }
}

/* ---- a column ---------------------------------------------------------------------------- */

static bauta_status decide(values *v, bt_merging merging, bauta_error *error)
{
    uint32_t size = v->column->domain.size, rare = 0;
    for (uint32_t code = 0; code < size; code++) {
        v->into[code] = code;
        rare += is_rare(v, code);
    }
    if (rare == 0) return BAUTA_OK;
    if (merging == BT_MERGED_HIERARCHY) BT_TRY(merge_under_nodes(v, error));
    if (merging == BT_MERGED_NEIGHBOURS) merge_neighbours(v);
    for (uint32_t code = 0; code < size; code++)
        if (is_rare(v, code)) v->into[code] = DROPPED;
    return BAUTA_OK;
}

/* A value may become one that became another in a later round. */
static uint32_t follow(const values *v, uint32_t code)
{
    while (code != DROPPED && v->into[code] != code)
        code = v->into[code];
    return code;
}

/* `codes` are those of the records, some of which `dropped` marks. */
static bauta_status treat(const bt_compared_column *from, int64_t least, int64_t records,
                          uint32_t *codes, bool *dropped, bool *more, bauta_error *error)
{
    uint32_t size = from->original->domain.size;
    values v = {.column = from->original,
                .least = least,
                .held = bt_array_zero(size, sizeof *v.held),
                .into = bt_array(size, sizeof *v.into)};
    bauta_status status = v.held && v.into ? BAUTA_OK : bt_fail_memory(error);
    for (int64_t r = 0; r < records && status == BAUTA_OK; r++)
        v.held[codes[r]] += !dropped[r];
    if (status == BAUTA_OK) status = decide(&v, from->published->manifest->merged, error);
    for (int64_t r = 0; r < records && status == BAUTA_OK; r++) {
        if (dropped[r]) continue;
        uint32_t code = follow(&v, codes[r]);
        dropped[r] = code == DROPPED;
        *more |= dropped[r];
        if (!dropped[r]) codes[r] = code;
    }
    free(v.held);
    free(v.into);
    return status;
}

/* ---- all columns ------------------------------------------------------------------------- */

const char *bt_merging_lacks(const bt_compared *compared)
{
    for (size_t i = 0; i < compared->quasi; i++) {
        const bt_compared_column *column = &compared->columns[i];
        if (column->published->manifest->merged == BT_MERGED_HIERARCHY &&
            !column->original->hierarchy)
            return column->published->manifest->name;
    }
    return NULL;
}

/* Copies of the columns, whose codes can be changed. */
static bauta_status copy_columns(bt_compared *compared, uint32_t **codes, bauta_error *error)
{
    for (size_t i = 0; i < compared->count; i++) {
        bt_compared_column *column = &compared->columns[i];
        bt_column *copy = bt_arena_alloc(&compared->arena, sizeof *copy);
        codes[i] = bt_arena_array(&compared->arena, (size_t)compared->record_count, sizeof **codes);
        if (!copy || !codes[i]) return bt_fail_memory(error);
        for (int64_t r = 0; r < compared->record_count; r++)
            codes[i][r] = bt_compared_record(column, r);
        *copy = *column->original;
        copy->width = sizeof **codes;
        copy->codes = codes[i];
        column->original = copy;
    }
    return BAUTA_OK;
}

bauta_status bt_merging_replay(bt_compared *compared, int64_t least, bauta_error *error)
{
    int64_t kept = 0;
    uint32_t **codes = bt_arena_array(&compared->arena, compared->count, sizeof *codes);
    bool *dropped =
        bt_arena_array(&compared->arena, (size_t)compared->record_count, sizeof *dropped);
    if (!codes || !dropped) return bt_fail_memory(error);
    BT_TRY(copy_columns(compared, codes, error));
    for (bool more = true; more;) {
        more = false;
        for (size_t i = 0; i < compared->quasi; i++)
            BT_TRY(treat(&compared->columns[i], least, compared->record_count, codes[i], dropped,
                         &more, error));
    }
    for (int64_t r = 0; r < compared->record_count; r++) {
        if (dropped[r]) continue;
        for (size_t i = 0; i < compared->count; i++)
            codes[i][kept] = codes[i][r];
        kept++;
    }
    compared->record_count = kept;
    return BAUTA_OK;
}
