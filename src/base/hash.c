/* SPDX-License-Identifier: Apache-2.0
 *
 * The key of this process's hash tables.
 */
#include "base/hash.h"

#include <sodium.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

bt_hash_keys bt_hash_key;

/* A system without randomness gives no seed either: there every run fails before it reads. */
__attribute__((constructor)) static void draw_key(void)
{
    _Static_assert(sizeof bt_hash_key <= 256, "getentropy gives no more at once");
    if (getentropy(&bt_hash_key, sizeof bt_hash_key) != 0)
        memset(&bt_hash_key, 0x5b, sizeof bt_hash_key);
}

uint64_t bt_hash(const void *bytes, size_t length)
{
    uint64_t hash;
    _Static_assert(sizeof hash == crypto_shorthash_siphash24_BYTES, "a hash is one word");
    _Static_assert(sizeof bt_hash_key.bytes == crypto_shorthash_siphash24_KEYBYTES, "a key");
    crypto_shorthash_siphash24((unsigned char *)&hash, bytes, length, bt_hash_key.bytes);
    return hash;
}

uint64_t bt_hash_fixed(const void *bytes, size_t length)
{
    return XXH3_64bits(bytes, length);
}

bt_words bt_words_of_more(const char *text, size_t length)
{
    bt_words words;
    _Static_assert(sizeof words == crypto_shorthash_siphashx24_BYTES, "a hash is two words");
    crypto_shorthash_siphashx24((unsigned char *)&words, (const unsigned char *)text, length,
                                bt_hash_key.bytes);
    return words;
}
