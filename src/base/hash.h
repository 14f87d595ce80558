/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashing through xxhash (XXH3), inlined because most keys are a few bytes long. Hash values
 * never reach a published file and never decide an order that is published.
 */
#ifndef BT_HASH_H
#define BT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t bt_hash(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

/* A short text as two words: texts of up to 16 bytes with the same length are equal exactly
 * when their words are. Longer ones give their hash and 0. BT_WORDS bytes must be readable at
 * `text` whatever the length; those behind the text are masked out without a branch, since
 * the lengths of a column's texts cannot be predicted. */
enum { BT_WORDS = 16 };

typedef struct bt_words {
    uint64_t first, second;
} bt_words;

static inline bt_words bt_words_of(const char *text, size_t length)
{
    static const uint64_t masks[25] = {0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0,
                                       0xff,
                                       0xffff,
                                       0xffffff,
                                       0xffffffff,
                                       0xffffffffff,
                                       0xffffffffffff,
                                       0xffffffffffffff,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0,
                                       ~(uint64_t)0};
    if (length > BT_WORDS) return (bt_words){bt_hash(text, length), 0};
    bt_words words;
    memcpy(&words.first, text, 8);
    memcpy(&words.second, text + 8, 8);
    words.first &= masks[length + 8];
    words.second &= masks[length];
    return words;
}

/* Its high bits serve a hash table. */
static inline uint64_t bt_words_spread(bt_words words, size_t length)
{
    return (words.first ^ (uint64_t)length) * 0x9e3779b97f4a7c15u +
           words.second * 0xff51afd7ed558ccdu;
}

static inline uint64_t bt_words_hash(bt_words words, size_t length)
{
    uint64_t h = bt_words_spread(words, length);
    h = (h ^ (h >> 32)) * 0xc4ceb9fe1a85ec53u;
    return h ^ (h >> 32);
}

static inline uint64_t bt_hash_mix(uint64_t a, uint64_t b)
{
    uint64_t h = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xff51afd7ed558ccdu;
    return h ^ (h >> 32);
}

#endif
