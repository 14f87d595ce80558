/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests of lists.
 */
#include "base/digest.h"

#include <string.h>

void bt_digest_init(bt_digest *digest, const bt_seed *seed, const char *label)
{
    crypto_generichash_init(&digest->state, seed->bytes, sizeof seed->bytes, BT_SEED_BYTES);
    bt_digest_text(digest, label);
}

void bt_digest_bytes(bt_digest *digest, const void *bytes, size_t length)
{
    if (length > 0) crypto_generichash_update(&digest->state, bytes, length);
}

void bt_digest_number(bt_digest *digest, uint64_t number)
{
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    bt_digest_bytes(digest, bytes, sizeof bytes);
}

void bt_digest_text(bt_digest *digest, const char *text)
{
    size_t length = text ? strlen(text) : 0;
    bt_digest_number(digest, text ? length : UINT64_MAX);
    bt_digest_bytes(digest, text, length);
}

void bt_digest_end(bt_digest *digest, bt_seed *out)
{
    crypto_generichash_final(&digest->state, out->bytes, sizeof out->bytes);
}

void bt_short_hash(const unsigned char key[BT_SHORT_HASH], const void *bytes, size_t length,
                   unsigned char out[BT_SHORT_HASH])
{
    crypto_shorthash_siphashx24(out, bytes, length, key);
}
