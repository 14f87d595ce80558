/* SPDX-License-Identifier: Apache-2.0
 *
 * Hashing for tables in memory, under a key that each process draws for itself: whoever wrote the
 * input cannot know which values fall on one place. Hash values never reach a published file and
 * decide nothing that anyone sees; what has the same hash is compared before it passes for equal.
 *
 * Short keys, of which there are many, are two words: the two halves of the product of both, each
 * under a secret mask, make the hash (as in the maps of the Go runtime). Texts of more than 16
 * bytes go through NH first (Black, Halevi, Krawczyk, Krovetz and Rogaway, UMAC, 1999), a sum of
 * such products; all else is SipHash-2-4.
 */
#ifndef BT_HASH_H
#define BT_HASH_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BT_NH_BYTES = 128 }; /* the longest text that NH takes */

typedef struct bt_hash_keys {
    uint64_t mix[2];
    uint64_t nh[BT_NH_BYTES / 8];
    uint64_t length;
    unsigned char bytes[16];
} bt_hash_keys;

/* Drawn when the library is loaded; nothing changes it later. */
extern bt_hash_keys bt_hash_key;

uint64_t bt_hash(const void *bytes, size_t length);

static inline uint64_t bt_hash_mix(uint64_t a, uint64_t b)
{
    unsigned __int128 product =
        (unsigned __int128)(a ^ bt_hash_key.mix[0]) * (b ^ bt_hash_key.mix[1]);
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* A hash that is equal in every process, under no key: for names of files, not for tables. */
uint64_t bt_hash_fixed(const void *bytes, size_t length);

/* A text as two words. Those of a text of up to 16 bytes are its bytes, which no other text without
 * NUL bytes has; those of a longer one are a hash. BT_WORDS bytes must be readable at `text`
 * whatever the length; those behind the text are masked out without a branch, since the lengths of
 * a column's texts cannot be predicted. */
enum { BT_WORDS = 16 };

typedef struct bt_words {
    uint64_t first, second;
} bt_words;

/* The words of a text of more than BT_NH_BYTES. */
bt_words bt_words_of_more(const char *text, size_t length);

static inline unsigned __int128 bt_nh_part(const char *text, const uint64_t *key)
{
    uint64_t first, second;
    memcpy(&first, text, sizeof first);
    memcpy(&second, text + sizeof first, sizeof second);
    return (unsigned __int128)(first + key[0]) * (second + key[1]);
}

/* The last 16 bytes may overlap those before. Two texts have the same words with a chance of
 * 2^-64. */
static inline bt_words bt_words_of_long(const char *text, size_t length)
{
    if (length > BT_NH_BYTES) return bt_words_of_more(text, length);
    const uint64_t *key = bt_hash_key.nh;
    unsigned __int128 sum = (unsigned __int128)bt_hash_key.length * length + bt_nh_part(text, key) +
                            bt_nh_part(text + length - BT_WORDS, key + 2);
    for (size_t at = BT_WORDS; at + BT_WORDS < length; at += BT_WORDS)
        sum += bt_nh_part(text + at, key + 2 * (at / BT_WORDS + 1));
    return (bt_words){(uint64_t)sum, (uint64_t)(sum >> 64)};
}

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
    if (length > BT_WORDS) return bt_words_of_long(text, length);
    bt_words words;
    memcpy(&words.first, text, 8);
    memcpy(&words.second, text + 8, 8);
    words.first &= masks[length + 8];
    words.second &= masks[length];
    return words;
}

/* All its bits serve a hash table; two texts have the same one with a chance of about 2^-64. */
static inline uint64_t bt_words_hash(bt_words words)
{
    return bt_hash_mix(words.first, words.second);
}

#endif
