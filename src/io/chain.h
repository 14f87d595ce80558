/* SPDX-License-Identifier: Apache-2.0
 *
 * A digest of the values of a column in the order of their rows, whose text is not held: made block
 * by block while the file is read, and the same however the file was cut into blocks.
 *
 * A value is a number below 2^125: a text of up to 15 bytes is its bytes and its length; a longer
 * one is 120 bits of its SipHash-2-4 under a key of the seed, marked as such. The digest of values
 * x_1 … x_n is the polynomial x_1 r^(n-1) + … + x_n modulo the prime 2^127 - 1 at a secret place r
 * of 124 random bits (Carter and Wegman 1979). Two columns of n values that differ have the same
 * digest at no more than n - 1 places, so with a chance below n / 2^124; that two long texts have
 * the same hash adds 1 / 2^120. Joining two parts is one multiplication by a power of r. A digest
 * is secret: it is only hashed further (base/digest.h).
 *
 * What a value is depends on the type of its column, which is known when all was read: so there is
 * one digest for each way to read it, and these part only where a value is written otherwise than
 * its canonical text.
 */
#ifndef BT_CHAIN_H
#define BT_CHAIN_H

#include "base/hash.h"
#include "io/chain_key.h"
#include "table/value.h"

/* How a column may be read. */
typedef enum bt_way {
    BT_WAY_TEXT,
    BT_WAY_NUMBER,
    BT_WAY_YMD,
    BT_WAY_DMY,
    BT_WAY_MDY,
    BT_WAYS,
} bt_way;

bt_way bt_way_of(const bt_reading *reading);

typedef struct bt_chain { /* of the values of a block, in a zeroed one none */
    bt_element ways[BT_WAYS];
    unsigned apart; /* bit per way: it is no longer that of BT_WAY_TEXT */
} bt_chain;

/* A text of up to 15 bytes: BT_WORDS bytes are readable. */
static inline bt_element bt_element_short(bt_words words, uint32_t length)
{
    return (bt_element)words.second << 64 | words.first | (bt_element)length << 120;
}

enum { BT_ELEMENT_SHORT = 15 };

bt_element bt_element_of(const bt_chain_key *key, const char *text, size_t length);

/* What a digest becomes when a value follows: (r * sum + value) modulo 2^127 - 1, but for a
 * multiple of it. Both `sum` and what is returned are below 1.5 * 2^127, a place below 2^124, a
 * value below 2^125: so no sum of products overflows. */
static inline bt_element bt_chain_step(const bt_chain_key *key, bt_element sum, bt_element value)
{
    uint64_t r0 = (uint64_t)key->place, r1 = (uint64_t)(key->place >> 64);
    uint64_t s0 = (uint64_t)sum, s1 = (uint64_t)(sum >> 64);
    bt_element first = (bt_element)s0 * r0, middle = (bt_element)s1 * r0 + (bt_element)s0 * r1;
    bt_element low = first + (middle << 64);
    bt_element high = (bt_element)s1 * r1 + (middle >> 64) + (low < first);
    return (low << 1 >> 1) + (low >> 127) + (high << 1) + value; /* 2^127 is 1, and 2^128 is 2 */
}

/* Adds the value of a text in UTF-8, as each way reads it whose forms are among those (BT_FORM_*)
 * that may still be the column's. While no way is apart, bt_chain_step does the same for a text
 * that bt_is_plain. */
void bt_chain_add_read(bt_chain *chain, const bt_chain_key *key, const char *text, size_t length,
                       unsigned forms, bool decimal_comma);

static inline bt_element bt_chain_way(const bt_chain *chain, bt_way way)
{
    return chain->ways[chain->apart >> way & 1 ? way : BT_WAY_TEXT];
}

/* What `before` becomes when `count` values follow it whose digest is `after`. */
bt_element bt_chain_join(const bt_chain_key *key, bt_element before, bt_element after,
                         int64_t count);

/* The least number that stands for an element, in 16 bytes. */
void bt_element_write(bt_element element, unsigned char out[16]);

/* Whether the bytes of a value that fits `forms` are its canonical text however it is read. */
bool bt_is_plain(const char *text, size_t length, unsigned forms, bool decimal_comma);

#endif
