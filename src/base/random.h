/* SPDX-License-Identifier: Apache-2.0
 *
 * Random streams on libsodium: one 32-byte seed, any number of independent streams named by
 * a label and an index, so that results do not depend on which thread draws first.
 */
#ifndef BT_RANDOM_H
#define BT_RANDOM_H

#include "base/status.h"

enum { BT_SEED_BYTES = 32, BT_STREAM_BLOCK = 512 };

typedef struct bt_seed {
    unsigned char bytes[BT_SEED_BYTES];
} bt_seed;

/* Fresh from the system. */
BT_MUST_USE bauta_status bt_seed_fresh(bt_seed *seed, bauta_error *error);
/* From hexadecimal text of 1 to 64 digits (short ones are padded with zeros on the left). */
bool bt_seed_parse(const char *hex, bt_seed *seed);

/* Random words by position: word i of a stream can be had without the ones before. */
typedef struct bt_stream {
    unsigned char key[32];
    uint64_t words[BT_STREAM_BLOCK / 8]; /* the block that holds `position` */
    uint64_t position;                   /* next word */
    uint64_t block;                      /* number of the block in `words`; ~0: none */
} bt_stream;

void bt_stream_init(bt_stream *stream, const bt_seed *seed, const char *label, uint64_t index);
void bt_stream_seek(bt_stream *stream, uint64_t position); /* in words */
uint64_t bt_stream_next(bt_stream *stream);
uint64_t bt_stream_below(bt_stream *stream, uint64_t bound); /* uniform in 0..bound-1, bound > 0 */

/* Exchanges items[at] with a random one of items[at..count-1], and gives it. After calls for 0, 1
 * and so on the first items are a random choice of all, in random order. */
uint32_t bt_stream_pick(bt_stream *stream, uint32_t *items, size_t at, size_t count);

/* Puts items in random order, from the last one down. */
void bt_stream_shuffle(bt_stream *stream, uint32_t *items, size_t count);

/* Fills `out` with a random permutation of 0..count-1. */
void bt_stream_permutation(bt_stream *stream, uint32_t *out, uint32_t count);

#endif
