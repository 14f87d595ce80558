/* SPDX-License-Identifier: Apache-2.0
 *
 * Finding the types of left parts.
 *
 * Most conditions have small diagrams. Then a table for each slot says where every node goes on,
 * and itself where the slot is not its own, so that all left parts take the same steps: nothing
 * depends on what cannot be predicted.
 */
#include "query/types.h"

enum { JUMPS_MOST = 1 << 12 };

static bool is_small(const bt_question *question)
{
    const bt_predicate *predicate = &question->predicate;
    size_t jumps = 0;
    for (size_t s = 0; s < predicate->left_count; s++)
        jumps += (size_t)question->diagram.count * predicate->slots[s].signatures;
    return jumps <= JUMPS_MOST;
}

static void fill_jumps(const bt_diagram *diagram, uint32_t slot, uint32_t signatures,
                       uint32_t *jumps)
{
    for (uint32_t node = 0; node < diagram->count; node++)
        for (uint32_t s = 0; s < signatures; s++)
            *jumps++ = diagram->slot[node] == slot ? bt_diagram_step(diagram, node, s) : node;
}

static bauta_status jump(bt_question *question, uint32_t slot, size_t records, uint32_t *type_of,
                         bauta_error *error)
{
    const bt_slot *about = &question->predicate.slots[slot];
    const bt_query_column *column = about->column;
    uint32_t signatures = about->signatures, *signature_of;
    uint32_t jumps[JUMPS_MOST];
    fill_jumps(&question->diagram, slot, signatures, jumps);
    BT_TRY(bt_chances_exact(about, &question->predicate.arena, &signature_of, error));
    for (size_t i = 0; i < records; i++) {
        uint32_t code = bt_code_at(column->codes, column->width, (int64_t)i);
        type_of[i] = jumps[type_of[i] * signatures + signature_of[code]];
    }
    return BAUTA_OK;
}

bauta_status bt_types_make(const bt_queryable *queryable, bt_question *question, bt_types *out,
                           bauta_error *error)
{
    bt_predicate *predicate = &question->predicate;
    size_t records = queryable->left_starts[queryable->classes];
    uint32_t root = question->diagram.root;
    bool small = is_small(question);
    *out = (bt_types){.type_of = bt_arena_array(&predicate->arena, records, sizeof *out->type_of)};
    if (!out->type_of) return bt_fail_memory(error);
    while (out->ends < question->diagram.count &&
           question->diagram.slot[out->ends] >= predicate->left_count)
        out->ends++;
    BT_TRY(bt_steps_make(question, 0, &out->steps, error));
    for (size_t i = 0; i < records; i++)
        out->type_of[i] = small ? root : bt_walk(out->steps, root, i, out->ends);
    for (uint32_t s = 0; small && s < predicate->left_count; s++)
        BT_TRY(jump(question, s, records, out->type_of, error));
    return BAUTA_OK;
}

int64_t bt_types_match(const int64_t *counts, size_t types, int64_t rights, int64_t *by_set)
{
    size_t sets = (size_t)1 << types;
    int64_t *within = by_set, best = INT64_MAX;
    /* within[S]: right parts that satisfy only types of S */
    for (size_t t = 0; t < types; t++)
        for (size_t set = 0; set < sets; set++)
            if (set >> t & 1) within[set] += within[set ^ (size_t)1 << t];
    for (size_t set = 0; set < sets; set++) {
        int64_t others = 0;
        for (size_t t = 0; t < types; t++)
            others += set >> t & 1 ? 0 : counts[t];
        int64_t reached = rights - within[sets - 1 - set];
        if (others + reached < best) best = others + reached;
    }
    return best;
}
