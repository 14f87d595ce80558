/* SPDX-License-Identifier: Apache-2.0
 *
 * ChaCha20 streams keyed by BLAKE2b(seed; label, index).
 */
#include "base/random.h"

#include "base/assert.h"

#include <sodium.h>
#include <string.h>

bauta_status bt_seed_fresh(bt_seed *seed, bauta_error *error)
{
    if (sodium_init() < 0) return bt_fail(error, BAUTA_SYSTEM, "no source of randomness");
    randombytes_buf(seed->bytes, sizeof seed->bytes);
    return BAUTA_OK;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

bool bt_seed_parse(const char *hex, bt_seed *seed)
{
    size_t digits = strlen(hex);
    if (digits == 0 || digits > 2 * BT_SEED_BYTES) return false;
    if (sodium_init() < 0) return false; /* also chooses the fastest code for this processor */
    memset(seed, 0, sizeof *seed);
    for (size_t i = 0; i < digits; i++) {
        int value = hex_digit(hex[digits - 1 - i]);
        if (value < 0) return false;
        seed->bytes[BT_SEED_BYTES - 1 - i / 2] |= (unsigned char)(value << (i % 2 * 4));
    }
    return true;
}

void bt_stream_init(bt_stream *stream, const bt_seed *seed, const char *label, uint64_t index)
{
    unsigned char number[8];
    for (int i = 0; i < 8; i++)
        number[i] = (unsigned char)(index >> (8 * i));
    crypto_generichash_state state;
    crypto_generichash_init(&state, seed->bytes, sizeof seed->bytes, sizeof stream->key);
    crypto_generichash_update(&state, number, sizeof number);
    crypto_generichash_update(&state, (const unsigned char *)label, strlen(label));
    crypto_generichash_final(&state, stream->key, sizeof stream->key);
    stream->position = 0;
    stream->block = ~(uint64_t)0;
}

void bt_stream_seek(bt_stream *stream, uint64_t position)
{
    stream->position = position;
}

uint64_t bt_stream_next(bt_stream *stream)
{
    static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] = {0};
    enum { WORDS = BT_STREAM_BLOCK / 8 };
    uint64_t block = stream->position / WORDS;
    if (block != stream->block) {
        memset(stream->words, 0, sizeof stream->words);
        unsigned char *bytes = (unsigned char *)stream->words;
        /* ChaCha20 counts blocks of 64 bytes. */
        crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof stream->words, nonce,
                                      block * (BT_STREAM_BLOCK / 64), stream->key);
        stream->block = block;
    }
    return stream->words[stream->position++ % WORDS];
}

uint64_t bt_stream_below(bt_stream *stream, uint64_t bound)
{
    BT_ASSERT(bound > 0);
    /* Lemire's multiplication with rejection: exact uniformity, seldom a second draw. */
    unsigned __int128 product = (unsigned __int128)bt_stream_next(stream) * bound;
    if ((uint64_t)product < bound) {
        uint64_t threshold = (0 - bound) % bound;
        while ((uint64_t)product < threshold)
            product = (unsigned __int128)bt_stream_next(stream) * bound;
    }
    return (uint64_t)(product >> 64);
}

uint32_t bt_stream_pick(bt_stream *stream, uint32_t *items, size_t at, size_t count)
{
    size_t other = at + (size_t)bt_stream_below(stream, count - at);
    uint32_t item = items[other];
    items[other] = items[at];
    return items[at] = item;
}

void bt_stream_shuffle(bt_stream *stream, uint32_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t other = (size_t)bt_stream_below(stream, i);
        uint32_t item = items[i - 1];
        items[i - 1] = items[other];
        items[other] = item;
    }
}

void bt_stream_permutation(bt_stream *stream, uint32_t *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = (uint32_t)bt_stream_below(stream, (uint64_t)i + 1);
        out[i] = out[j];
        out[j] = i;
    }
}
