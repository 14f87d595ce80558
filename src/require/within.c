/* SPDX-License-Identifier: Apache-2.0
 *
 * A target of which only some values are still possible: exact like the whole, over the sum of what
 * is left.
 */
#include "require/targets.h"

#include "base/natural.h"

#include <string.h>

/* The shares and the target without what is impossible. */
static bauta_status leave_possible(const bt_target *target, const bool *possible,
                                   const bt_shares *whole, bt_arena *arena, bt_target *left,
                                   bt_shares *shares, bauta_error *error)
{
    size_t words = whole->words;
    uint64_t *total = bt_arena_array(arena, words, sizeof *total);
    uint64_t *share = bt_arena_array(arena, whole->codes * words, sizeof *share);
    uint32_t *leaf_of = bt_arena_array(arena, target->codes, sizeof *leaf_of);
    if (!total || !share || !leaf_of) return bt_fail_memory(error);
    *left = *target;
    left->leaf_of = leaf_of;
    left->leaves = 0;
    for (uint32_t code = 0; code < target->codes; code++) {
        leaf_of[code] = possible[code] ? target->leaf_of[code] : BT_NO_NODE;
        if (leaf_of[code] == BT_NO_NODE) continue;
        left->leaves++;
        memcpy(share + code * words, bt_share(whole, code), words * sizeof *share);
        bt_natural_add(total, bt_share(whole, code), words);
    }
    *shares = (bt_shares){whole->codes, words, total, share};
    return BAUTA_OK;
}

bauta_status bt_target_judge_within(const bt_requirements *requirements, const bt_target *target,
                                    const bool *possible, const bt_requirement_instance **failed,
                                    bauta_error *error)
{
    bt_arena arena = {0};
    bt_shares whole, shares;
    bt_target left;
    bool holds = true;
    *failed = NULL;
    bauta_status status = bt_shares_make(&target, 1, &arena, &whole, error);
    if (status == BAUTA_OK)
        status = leave_possible(target, possible, &whole, &arena, &left, &shares, error);
    bt_belief belief = {&requirements->people->sensitive[0], &left, &shares, NULL};
    for (size_t i = 0; i < requirements->count && status == BAUTA_OK && !*failed; i++) {
        const bt_requirement_instance *item = &requirements->items[i];
        holds = item->type->scope == BT_SCOPE_CLASS; /* what it compares with has another total */
        if (holds) status = item->type->believe(item, item->prepared[0], &belief, &holds, error);
        if (status == BAUTA_OK && !holds) *failed = item;
    }
    bt_arena_release(&arena);
    return status;
}
