/* SPDX-License-Identifier: Apache-2.0
 *
 * ChaCha20 streams keyed by BLAKE2b(seed; label, index).
 */
#include "kit/kit.h"

#include <sodium.h>
#include <string.h>

bool ex_seed_parse(const char *hex, ex_seed *seed)
{
    char digits[2 * sizeof seed->bytes + 1];
    size_t given = strlen(hex), read;
    if (given == 0 || given >= sizeof digits) return false;
    if (sodium_init() < 0) return false; /* also chooses the fastest code for this processor */
    memset(digits, '0', sizeof digits - 1);
    memcpy(digits + sizeof digits - 1 - given, hex, given + 1);
    return sodium_hex2bin(seed->bytes, sizeof seed->bytes, digits, sizeof digits - 1, NULL, &read,
                          NULL) == 0 &&
           read == sizeof seed->bytes;
}

void ex_stream_init(ex_stream *stream, const ex_seed *seed, const char *label, uint64_t index)
{
    unsigned char number[8];
    for (int i = 0; i < 8; i++)
        number[i] = (unsigned char)(index >> (8 * i));
    crypto_generichash_state state;
    crypto_generichash_init(&state, seed->bytes, sizeof seed->bytes, sizeof stream->key);
    crypto_generichash_update(&state, number, sizeof number);
    crypto_generichash_update(&state, (const unsigned char *)label, strlen(label));
    crypto_generichash_final(&state, stream->key, sizeof stream->key);
    stream->blocks = 0;
    stream->used = sizeof stream->words / sizeof *stream->words;
}

uint64_t ex_stream_next(ex_stream *stream)
{
    static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] = {0};
    if (stream->used == sizeof stream->words / sizeof *stream->words) {
        memset(stream->words, 0, sizeof stream->words);
        unsigned char *bytes = (unsigned char *)stream->words;
        /* ChaCha20 counts blocks of 64 bytes. */
        crypto_stream_chacha20_xor_ic(bytes, bytes, sizeof stream->words, nonce,
                                      stream->blocks++ * (sizeof stream->words / 64), stream->key);
        stream->used = 0;
    }
    return stream->words[stream->used++];
}

uint64_t ex_stream_below(ex_stream *stream, uint64_t bound)
{
    /* Lemire's multiplication with rejection: exact uniformity, seldom a second draw. */
    unsigned __int128 product = (unsigned __int128)ex_stream_next(stream) * bound;
    if ((uint64_t)product < bound) {
        uint64_t threshold = (0 - bound) % bound;
        while ((uint64_t)product < threshold)
            product = (unsigned __int128)ex_stream_next(stream) * bound;
    }
    return (uint64_t)(product >> 64);
}
