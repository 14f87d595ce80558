/* SPDX-License-Identifier: Apache-2.0
 *
 * Targets for tests: random trees of any arity with random weights, and balanced ones.
 */
#ifndef BT_TEST_TREES_H
#define BT_TEST_TREES_H

#include "class/target.h"

#include "support.h"

enum { TREE_LEAVES = 64, TREE_NODES = 2 * TREE_LEAVES };

typedef struct tree_shape { /* what bt_target_restore takes */
    uint32_t children[TREE_NODES];
    uint64_t weights[TREE_NODES];
    int64_t numbers[TREE_LEAVES];
    size_t count;
} tree_shape;

static inline uint64_t tree_divisor(uint64_t a, uint64_t b)
{
    return b == 0 ? a : tree_divisor(b, a % b);
}

/* Weights of the children that begin at node `first`, without a common divisor. */
static inline void tree_reduce(tree_shape *shape, size_t first, uint32_t children)
{
    uint64_t divisor = 0;
    for (uint32_t i = 0; i < children; i++)
        divisor = tree_divisor(shape->weights[first + i], divisor);
    for (uint32_t i = 0; i < children; i++)
        shape->weights[first + i] /= divisor;
}

static inline void tree_restore(const tree_shape *shape, uint32_t leaves, bool numbers,
                                bt_arena *arena, bt_target *out)
{
    bauta_error error = {0};
    bt_target_shape given = {.count = shape->count,
                             .children = shape->children,
                             .weights = shape->weights,
                             .codes = leaves,
                             .numbers = numbers ? shape->numbers : NULL};
    assert_ok(bt_target_restore(&given, arena, out, &error), &error);
}

/* A tree over `leaves` values with weights up to `heaviest`; numbers ascend by 1 to 5. */
static inline void tree_random(uint64_t *random, uint32_t leaves, uint64_t heaviest,
                               tree_shape *shape)
{
    uint32_t under[TREE_NODES] = {leaves};
    *shape = (tree_shape){.count = 1, .weights = {1}};
    for (uint32_t i = 1; i < leaves; i++)
        shape->numbers[i] = shape->numbers[i - 1] + 1 + (int64_t)test_below(random, 5);
    for (size_t node = 0; node < shape->count; node++) {
        size_t first = shape->count;
        uint32_t left = under[node];
        if (left == 1) continue;
        while (left > 0) {
            uint32_t most = left == under[node] ? left - 1 : left;
            uint32_t here = 1 + (uint32_t)test_below(random, most);
            under[shape->count] = here;
            shape->weights[shape->count++] = 1 + test_below(random, heaviest);
            shape->children[node]++;
            left -= here;
        }
        tree_reduce(shape, first, shape->children[node]);
    }
}

/* The uniform distribution on a balanced tree of `ways` children, over first, first + step, …;
 * `leaves` is a power of `ways`. */
static inline void tree_balanced(uint32_t leaves, uint32_t ways, int64_t first, int64_t step,
                                 tree_shape *shape)
{
    *shape = (tree_shape){.count = 1, .weights = {1}};
    for (uint32_t i = 0; i < leaves; i++)
        shape->numbers[i] = first + i * step;
    for (uint32_t level = 1; level < leaves; level *= ways)
        for (uint32_t node = 0; node < level; node++) {
            shape->children[shape->count - level - node * (ways - 1)] = ways;
            for (uint32_t i = 0; i < ways; i++)
                shape->weights[shape->count++] = 1;
        }
}

#endif
