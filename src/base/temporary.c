/* SPDX-License-Identifier: Apache-2.0
 *
 * Enciphered temporary files. The stream of a file is as long as the file, so that any part of it
 * can be read by itself.
 */
#include "base/temporary.h"

#include <errno.h>
#include <sodium.h>
#include <unistd.h>

enum { CIPHER_BLOCK = 64 };

/* Combines bytes with the stream from `offset` on: the same call enciphers and deciphers. */
static void combine(const bt_seed *key, int64_t offset, char *bytes, size_t length)
{
    static const unsigned char nonce[crypto_stream_chacha20_NONCEBYTES] = {0};
    unsigned char *at = (unsigned char *)bytes;
    uint64_t block = (uint64_t)offset / CIPHER_BLOCK;
    size_t inside = (size_t)((uint64_t)offset % CIPHER_BLOCK);
    if (inside > 0) {
        unsigned char stream[CIPHER_BLOCK] = {0};
        size_t head = CIPHER_BLOCK - inside < length ? CIPHER_BLOCK - inside : length;
        crypto_stream_chacha20_xor_ic(stream, stream, sizeof stream, nonce, block, key->bytes);
        for (size_t i = 0; i < head; i++)
            at[i] ^= stream[inside + i];
        at += head;
        length -= head;
        block++;
    }
    if (length > 0) crypto_stream_chacha20_xor_ic(at, at, length, nonce, block, key->bytes);
}

bauta_status bt_temporary_open(const bt_run *run, bt_temporary *out, bauta_error *error)
{
    out->descriptor = -1;
    BT_TRY(bt_seed_fresh(&out->key, error));
    return bt_run_temporary(run, &out->descriptor, error);
}

void bt_temporary_close(bt_temporary *file)
{
    if (file->descriptor >= 0) close(file->descriptor);
    file->descriptor = -1;
    sodium_memzero(&file->key, sizeof file->key);
}

bauta_status bt_temporary_write(const bt_temporary *file, int64_t offset, char *bytes,
                                size_t length, bauta_error *error)
{
    combine(&file->key, offset, bytes, length);
    while (length > 0) {
        ssize_t wrote = pwrite(file->descriptor, bytes, length, (off_t)offset);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return bt_fail_errno(error, "cannot write", "temporary file");
        bytes += wrote;
        offset += wrote;
        length -= (size_t)wrote;
    }
    return BAUTA_OK;
}

bauta_status bt_temporary_read(const bt_temporary *file, int64_t offset, char *bytes, size_t length,
                               size_t *got, bauta_error *error)
{
    *got = 0;
    while (*got < length) {
        ssize_t n =
            pread(file->descriptor, bytes + *got, length - *got, (off_t)(offset + (int64_t)*got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return bt_fail_errno(error, "cannot read back", "temporary file");
        if (n == 0) break;
        *got += (size_t)n;
    }
    combine(&file->key, offset, bytes, *got);
    return BAUTA_OK;
}
