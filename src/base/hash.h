/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashing through xxhash (XXH3), inlined because most keys are a few bytes long. Hash values
 * never reach a published file and never decide an order that is published.
 */
#ifndef BT_HASH_H
#define BT_HASH_H

#include <stddef.h>
#include <stdint.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t bt_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

static inline uint64_t bt_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 32);
}

#endif
