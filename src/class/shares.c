/* SPDX-License-Identifier: Apache-2.0
 *
 * A common total for exact probabilities.
 *
 * The least total of a tree is found from the leaves up and used while it fits a word. Otherwise
 * the total is a product over the levels of the tree, each factor divisible by all sums of weights
 * there: larger, but found without dividing long numbers by long ones.
 */
#include "class/shares.h"

#include "base/natural.h"

#include <string.h>

enum {
    SPARE_WORDS = BT_SHARES_ROOM - BT_SHARES_WORDS_MOST
}; /* room to multiply by a threshold, by ranks and levels */

typedef unsigned __int128 wide;

/* *a becomes the least common multiple; false when it reaches 2^62. */
static bool raise(uint64_t *a, uint64_t b)
{
    wide multiple = (wide)*a * (b / bt_common_divisor(*a, b));
    *a = (uint64_t)multiple;
    return multiple >> 62 == 0;
}

/* The least total for which all probabilities are whole numbers; false when it reaches 2^62.
 * `whole` has room for a number per node. */
static bool least_total(const bt_target *target, uint64_t *whole, uint64_t *total)
{
    for (uint32_t node = target->count; node-- > 0;) {
        const bt_target_node *here = &target->nodes[node];
        uint64_t unit = 1;
        for (uint32_t i = here->first; i < here->first + here->children; i++)
            if (!raise(&unit, whole[i] / bt_common_divisor(whole[i], target->nodes[i].weight)))
                return false;
        wide here_total = (wide)unit * (here->children > 0 ? here->sum : 1);
        if (here_total >> 62 != 0) return false;
        whole[node] = (uint64_t)here_total;
    }
    return raise(total, whole[0]);
}

/* ---- totals of many words ---- */

typedef struct levels { /* walking over all targets level by level */
    const bt_target *const *targets;
    size_t count;
    uint32_t *from, *to; /* per target: the nodes of the level */
} levels;

/* Makes *factor divisible by all sums of the level; its words, or 0 when it has not room enough. */
static size_t level_factor(const levels *l, uint64_t *factor)
{
    size_t words = 1;
    bt_natural_set(factor, BT_SHARES_WORDS_MOST, 1);
    for (size_t t = 0; t < l->count; t++)
        for (uint32_t node = l->from[t]; node < l->to[t]; node++) {
            uint64_t sum = l->targets[t]->nodes[node].sum;
            uint64_t rest = sum > 0 ? bt_natural_remainder(factor, sum, words) : 0;
            if (rest == 0) continue;
            if (words == BT_SHARES_WORDS_MOST) return 0;
            bt_natural_multiply(factor, sum / bt_common_divisor(sum, rest), words + 1);
            words += factor[words] > 0;
        }
    return words;
}

/* The children of the nodes from..to-1 are a run of nodes too. */
static void next_level(const bt_target *target, uint32_t *from, uint32_t *to)
{
    uint32_t first = *to, children = 0;
    for (uint32_t node = *from; node < *to; node++)
        children += target->nodes[node].children;
    *from = first;
    *to = first + children;
}

/* total *= factor, school method; false when it has not room enough. */
static bool multiply_long(uint64_t *total, size_t *total_words, const uint64_t *factor,
                          size_t words, uint64_t *scratch)
{
    if (*total_words + words > BT_SHARES_WORDS_MOST) return false;
    bt_natural_set(scratch, BT_SHARES_WORDS_MOST, 0);
    for (size_t i = 0; i < words; i++) {
        uint64_t carry = 0;
        for (size_t j = 0; j < *total_words; j++) {
            wide sum = (wide)total[j] * factor[i] + scratch[i + j] + carry;
            scratch[i + j] = (uint64_t)sum;
            carry = (uint64_t)(sum >> 64);
        }
        scratch[i + *total_words] = carry;
    }
    *total_words += words;
    memcpy(total, scratch, *total_words * sizeof *total);
    while (*total_words > 1 && total[*total_words - 1] == 0)
        (*total_words)--;
    return true;
}

static bool long_total(levels *l, uint64_t *total, uint64_t *factor, uint64_t *scratch)
{
    bool more = true;
    size_t total_words = 1;
    bt_natural_set(total, BT_SHARES_WORDS_MOST, 1);
    for (size_t t = 0; t < l->count; t++) {
        l->from[t] = 0;
        l->to[t] = 1;
    }
    while (more) {
        size_t words = level_factor(l, factor);
        more = false;
        if (words == 0 || !multiply_long(total, &total_words, factor, words, scratch)) return false;
        for (size_t t = 0; t < l->count; t++) {
            next_level(l->targets[t], &l->from[t], &l->to[t]);
            more = more || l->to[t] > l->from[t];
        }
    }
    return true;
}

/* ---- */

static bauta_status find_total(const bt_target *const *targets, size_t count, uint64_t *total,
                               bauta_error *error)
{
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    size_t nodes = 1;
    for (size_t t = 0; t < count; t++)
        if (targets[t]->count > nodes) nodes = targets[t]->count;
    uint64_t *whole = bt_arena_array(&scratch, nodes, sizeof *whole), single = 1;
    uint64_t *factor = bt_arena_array(&scratch, BT_SHARES_WORDS_MOST, 2 * sizeof *factor);
    uint32_t *runs = bt_arena_array(&scratch, count, 2 * sizeof *runs);
    BT_TRY(bt_arena_check(&scratch, error));
    bool fits = true;
    for (size_t t = 0; t < count && fits; t++)
        fits = least_total(targets[t], whole, &single);
    bt_natural_set(total, BT_SHARES_WORDS_MOST, single);
    levels l = {targets, count, runs, runs + count};
    if (fits || long_total(&l, total, factor, factor + BT_SHARES_WORDS_MOST)) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID,
                "the probabilities of the target are too fine to be compared exactly");
    bt_error_hint(error, "set a smaller weight-cap");
    return status;
}

/* From the root down: a child's share is that of its parent over the sum of weights, times its
 * own. `of_node` has room for a number per node. */
static void fill(const bt_target *target, const uint64_t *total, size_t words, uint64_t *of_node,
                 uint64_t *share)
{
    for (size_t i = 0; i < words; i++)
        of_node[i] = total[i];
    for (uint32_t node = 0; node < target->count; node++) {
        const bt_target_node *here = &target->nodes[node];
        uint64_t *own = of_node + (size_t)node * words;
        for (size_t i = 0; here->children == 0 && i < words; i++)
            share[(size_t)here->low * words + i] = own[i];
        if (here->children > 0) bt_natural_divide(own, here->sum, words);
        for (uint32_t i = here->first; i < here->first + here->children; i++) {
            uint64_t *child = of_node + (size_t)i * words;
            for (size_t j = 0; j < words; j++)
                child[j] = own[j];
            bt_natural_multiply(child, target->nodes[i].weight, words);
        }
    }
}

bauta_status bt_shares_make(const bt_target *const *targets, size_t count, bt_arena *arena,
                            bt_shares *out, bauta_error *error)
{
    uint64_t *total = bt_arena_array(arena, BT_SHARES_ROOM, sizeof *total);
    BT_TRY(bt_arena_check(arena, error));
    BT_TRY(find_total(targets, count, total, error));
    size_t words = (bt_natural_bits(total, BT_SHARES_WORDS_MOST) + 63) / 64 + SPARE_WORDS;
    for (size_t t = 0; t < count; t++) {
        BT_OWN(bt_arena_release) bt_arena scratch = {0};
        const bt_target *target = targets[t];
        uint64_t *share = bt_arena_array(arena, target->codes, words * sizeof *share);
        uint64_t *of_node = bt_arena_array(&scratch, target->count, words * sizeof *of_node);
        BT_TRY(bt_arena_check(arena, error));
        BT_TRY(bt_arena_check(&scratch, error));
        fill(target, total, words, of_node, share);
        out[t] = (bt_shares){target->codes, words, total, share};
    }
    return BAUTA_OK;
}
