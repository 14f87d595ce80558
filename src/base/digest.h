/* SPDX-License-Identifier: Apache-2.0
 *
 * Digests that random streams are keyed by: BLAKE2b under the seed. Whatever is added is set off
 * from what follows, so that two different lists never look alike.
 */
#ifndef BT_DIGEST_H
#define BT_DIGEST_H

#include "base/random.h"

#include <sodium.h>

typedef struct bt_digest {
    crypto_generichash_state state;
} bt_digest;

/* `label` says what is digested: digests of different things have nothing in common. */
void bt_digest_init(bt_digest *digest, const bt_seed *seed, const char *label);
void bt_digest_bytes(bt_digest *digest, const void *bytes, size_t length); /* not set off */
void bt_digest_number(bt_digest *digest, uint64_t number);
void bt_digest_text(bt_digest *digest, const char *text); /* NULL: none, which is not "" */
void bt_digest_end(bt_digest *digest, bt_seed *out);

/* A hash of 16 bytes under a key of as many (SipHash-2-4): for what is too many for a digest each.
 */
enum { BT_SHORT_HASH = 16 };
void bt_short_hash(const unsigned char key[BT_SHORT_HASH], const void *bytes, size_t length,
                   unsigned char out[BT_SHORT_HASH]);

#endif
