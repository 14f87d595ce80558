/* SPDX-License-Identifier: Apache-2.0
 *
 * Rounding of a target's weights, node by node: among all ways to write the weights of a node's
 * children as whole numbers from 1 on with a sum of at most the cap, one with the least sum of
 * absolute differences between the shares, and of those one with the least sum.
 *
 * For each sum the best whole numbers are found by the method of the greatest remainder; sums are
 * compared exactly. Small weights are what makes small groups useful: a node's children take
 * records only in multiples of their weights.
 */
#include "class/target.h"

typedef unsigned __int128 wide;

enum { CAP_MOST = 4096 };

typedef struct child {
    uint64_t weight; /* wanted */
    uint64_t parts;  /* in the sum that is tried */
    wide rest;       /* what is wanted beyond `parts`, or what is too much */
    uint32_t place;
} child;

static int by_rest(const void *left, const void *right) /* descending, then by place */
{
    const child *a = left, *b = right;
    if (a->rest != b->rest) return a->rest > b->rest ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

/* Few children are the rule: then a call for each comparison costs more than the sorting. */
static void sort_by_rest(child *children, uint32_t count)
{
    enum { FEW = 16 };
    if (count > FEW) {
        qsort(children, count, sizeof *children, by_rest);
        return;
    }
    for (uint32_t i = 1; i < count; i++) {
        child moved = children[i];
        uint32_t place = i;
        for (; place > 0 && by_rest(&children[place - 1], &moved) > 0; place--)
            children[place] = children[place - 1];
        children[place] = moved;
    }
}

/* Shares of the sum `parts` for the children, each at least one, parts >= count. Returns the sum of
 * the absolute differences, over parts * total. */
static wide apportion(child *children, uint32_t count, uint64_t total, uint64_t parts)
{
    uint64_t given = 0;
    for (uint32_t i = 0; i < count; i++) {
        wide exact = (wide)children[i].weight * parts;
        children[i].parts = (uint64_t)(exact / total);
        children[i].rest = exact % total;
        if (children[i].parts == 0) {
            children[i].parts = 1;
            children[i].rest = 0;
        }
        given += children[i].parts;
    }
    sort_by_rest(children, count);
    for (uint32_t i = 0; given < parts; i++, given++) /* fewer are left than children */
        children[i].parts++;
    while (given > parts) /* those that had to have one took it from the others */
        for (uint32_t i = count; i-- > 0 && given > parts;)
            if (children[i].parts > 1) {
                children[i].parts--;
                given--;
            }
    wide difference = 0;
    for (uint32_t i = 0; i < count; i++) {
        wide here = (wide)children[i].parts * total, there = (wide)children[i].weight * parts;
        difference += here > there ? here - there : there - here;
    }
    return difference;
}

static void round_node(bt_target *target, uint32_t node, uint64_t cap, child *children,
                       uint64_t *best)
{
    bt_target_node *above = &target->nodes[node], *first = target->nodes + above->first;
    uint64_t total = above->sum, best_sum = 0;
    wide best_difference = 0;
    for (uint64_t parts = above->children; parts == above->children || parts <= cap; parts++) {
        for (uint32_t i = 0; i < above->children; i++)
            children[i] = (child){.weight = first[i].weight, .place = i};
        wide difference = apportion(children, above->children, total, parts);
        if (best_sum > 0 && difference * best_sum >= best_difference * parts) continue;
        best_sum = parts;
        best_difference = difference;
        for (uint32_t i = 0; i < above->children; i++)
            best[children[i].place] = children[i].parts;
        if (difference == 0) break;
    }
    for (uint32_t i = 0; i < above->children; i++)
        first[i].weight = best[i];
    bt_target_reduce(target, node);
}

bauta_status bt_target_round(bt_target *target, uint64_t cap, bauta_error *error)
{
    uint32_t widest = 1;
    if (cap == 0) return BAUTA_OK;
    if (cap > CAP_MOST) return bt_fail(error, BAUTA_INVALID, "'weight-cap' is above %d", CAP_MOST);
    for (uint32_t node = 0; node < target->count; node++)
        if (target->nodes[node].children > widest) widest = target->nodes[node].children;
    BT_OWN(bt_arena_release) bt_arena scratch = {0};
    child *children = bt_arena_array(&scratch, widest, sizeof *children);
    uint64_t *best = bt_arena_array(&scratch, widest, sizeof *best);
    BT_TRY(bt_arena_check(&scratch, error));
    for (uint32_t node = 0; node < target->count; node++)
        if (target->nodes[node].sum > cap && target->nodes[node].sum > target->nodes[node].children)
            round_node(target, node, cap, children, best);
    return BAUTA_OK;
}

double bt_target_distance(const bt_target *target, const uint64_t *weights)
{
    BT_OWN(bt_free) double *chance = bt_array(target->count, sizeof *chance);
    double total = 0, sum = 0;
    if (!chance) return -1;
    bt_target_chances(target, chance);
    for (uint32_t code = 0; code < target->codes; code++)
        total += (double)weights[code];
    for (uint32_t code = 0; code < target->codes; code++) {
        double here = target->leaf_of[code] == BT_NO_NODE ? 0 : chance[target->leaf_of[code]];
        double difference = here - (double)weights[code] / total;
        sum += difference < 0 ? -difference : difference;
    }
    return sum / 2;
}
