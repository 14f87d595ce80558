/* SPDX-License-Identifier: Apache-2.0
 *
 * A set of small integers, one bit each.
 */
#ifndef BT_BITSET_H
#define BT_BITSET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bt_bitset_words(size_t bits)
{
    return bits / 64 + (bits % 64 != 0);
}

static inline void bt_bitset_add(uint64_t *set, size_t bit)
{
    set[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static inline bool bt_bitset_has(const uint64_t *set, size_t bit)
{
    return set[bit / 64] >> (bit % 64) & 1;
}

#endif
