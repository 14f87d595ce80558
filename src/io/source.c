/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain files, gzip (zlib, several members), zstd (several frames), pipes.
 */
#include "io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { SOURCE_BUFFER = 256 * 1024 };

typedef enum source_kind { SOURCE_PLAIN, SOURCE_GZIP, SOURCE_ZSTD } source_kind;

struct bt_source {
    const char *name;
    const bt_run *run;
    int descriptor;
    bool regular;
    int64_t size;
    source_kind kind;
    /* compressed or peeked bytes not yet used */
    unsigned char *buffer;
    size_t used, filled;
    bool ended;   /* the descriptor has nothing more */
    bool between; /* at the border of two gzip members or zstd frames */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DStream *zstd;
};

static bauta_status read_some(const bt_source *source, void *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    for (;;) {
        if (!source->regular)
            BT_TRY(bt_run_await(source->run, source->descriptor, source->name, error));
        ssize_t n = read(source->descriptor, bytes, room);
        if (n >= 0) {
            *got = (size_t)n;
            return BAUTA_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return bt_fail_errno(error, "cannot read", source->name);
    }
}

bauta_status bt_read_at(int descriptor, const char *name, int64_t offset, char *bytes,
                        size_t length, size_t *got, bauta_error *error)
{
    *got = 0;
    while (*got < length) {
        ssize_t n = pread(descriptor, bytes + *got, length - *got, (off_t)(offset + (int64_t)*got));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return bt_fail_errno(error, "cannot read", name);
        if (n == 0) break;
        *got += (size_t)n;
    }
    return BAUTA_OK;
}

static bauta_status refill(bt_source *source, bauta_error *error)
{
    if (source->used > 0) {
        memmove(source->buffer, source->buffer + source->used, source->filled - source->used);
        source->filled -= source->used;
        source->used = 0;
    }
    while (!source->ended && source->filled < SOURCE_BUFFER) {
        size_t got = 0;
        BT_TRY(read_some(source, source->buffer + source->filled, SOURCE_BUFFER - source->filled,
                         &got, error));
        source->filled += got;
        if (got == 0) source->ended = true;
        if (source->filled >= 4) break;
    }
    return BAUTA_OK;
}

static bauta_status recognise(bt_source *source, bauta_error *error)
{
    static const unsigned char gzip_magic[2] = {0x1f, 0x8b};
    static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    BT_TRY(refill(source, error));
    if (source->filled >= 2 && memcmp(source->buffer, gzip_magic, 2) == 0) {
        source->kind = SOURCE_GZIP;
        if (inflateInit2(&source->gzip, 15 + 16) != Z_OK) return bt_fail_memory(error);
        source->gzip_ready = true;
    } else if (source->filled >= 4 && memcmp(source->buffer, zstd_magic, 4) == 0) {
        source->kind = SOURCE_ZSTD;
        source->zstd = ZSTD_createDStream();
        if (!source->zstd || ZSTD_isError(ZSTD_initDStream(source->zstd)))
            return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

static bauta_status open_descriptor(const char *name, bt_source *source, bauta_error *error)
{
    bool standard_input = strcmp(name, "-") == 0;
    source->name = standard_input ? "standard input" : name;
    /* Without O_NONBLOCK a pipe that nobody writes to yet would be waited for here. */
    source->descriptor =
        standard_input ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (source->descriptor < 0) {
        bool absent = errno == ENOENT;
        bauta_status status = bt_fail_errno(error, "cannot open", source->name);
        if (!absent) return status;
        if (error) error->status = BAUTA_INVALID;
        return BAUTA_INVALID;
    }
    struct stat facts;
    if (fstat(source->descriptor, &facts) != 0)
        return bt_fail_errno(error, "cannot look at", source->name);
    if (S_ISDIR(facts.st_mode)) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "'%s' is a folder", source->name);
        bt_error_place(error, source->name, -1, NULL);
        bt_error_hint(error, "a table is a file: name one");
        return status;
    }
    source->regular = S_ISREG(facts.st_mode) && !standard_input;
    source->size = source->regular ? (int64_t)facts.st_size : -1;
    return BAUTA_OK;
}

bauta_status bt_source_open(const char *name, const bt_run *run, bt_source **out,
                            bauta_error *error)
{
    *out = NULL;
    bt_source *source = bt_array_zero(1, sizeof *source);
    if (!source) return bt_fail_memory(error);
    source->descriptor = -1;
    source->run = run;
    source->buffer = bt_array(SOURCE_BUFFER, 1);
    source->between = true;
    bauta_status status =
        source->buffer ? open_descriptor(name, source, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = recognise(source, error);
    if (status != BAUTA_OK) {
        bt_source_close(source);
        return status;
    }
    *out = source;
    return BAUTA_OK;
}

void bt_source_close(bt_source *source)
{
    if (!source) return;
    if (source->gzip_ready) inflateEnd(&source->gzip);
    ZSTD_freeDStream(source->zstd);
    if (source->descriptor >= 0) close(source->descriptor);
    free(source->buffer);
    free(source);
}

bool bt_source_plain(const bt_source *source, int *descriptor, int64_t *size)
{
    *descriptor = source->descriptor;
    *size = source->size;
    return source->regular && source->kind == SOURCE_PLAIN;
}

int64_t bt_source_bytes(const bt_source *source)
{
    return source->size;
}

static bauta_status corrupt(const bt_source *source, const char *format, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s data is cut off or corrupt", format);
    bt_error_place(error, source->name, -1, NULL);
    bt_error_hint(error, "copy the file once more; '%s -t FILE' says whether it is whole", format);
    return status;
}

/* One step of inflation; *got may stay 0 although more follows. */
static bauta_status step_gzip(bt_source *source, char *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    z_stream *z = &source->gzip;
    z->next_in = source->buffer + source->used;
    z->avail_in = (uInt)(source->filled - source->used);
    z->next_out = (Bytef *)bytes;
    z->avail_out = (uInt)(room < 1u << 30 ? room : 1u << 30);
    uInt before = z->avail_out;
    int result = inflate(z, Z_NO_FLUSH);
    source->used = source->filled - z->avail_in;
    *got = before - z->avail_out;
    source->between = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) return bt_fail_memory(error);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return corrupt(source, "gzip", error);
    if (result == Z_STREAM_END && inflateReset(z) != Z_OK) return corrupt(source, "gzip", error);
    return BAUTA_OK;
}

static bauta_status step_zstd(bt_source *source, char *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    ZSTD_inBuffer in = {source->buffer, source->filled, source->used};
    ZSTD_outBuffer out = {bytes, room, 0};
    size_t result = ZSTD_decompressStream(source->zstd, &out, &in);
    source->used = in.pos;
    *got = out.pos;
    if (ZSTD_isError(result)) return corrupt(source, "zstd", error);
    source->between = result == 0;
    return BAUTA_OK;
}

bauta_status bt_source_read(bt_source *source, char *bytes, size_t room, size_t *got,
                            bauta_error *error)
{
    *got = 0;
    while (*got == 0 && room > 0) {
        if (source->used == source->filled && !source->ended) BT_TRY(refill(source, error));
        bool empty = source->used == source->filled;
        if (source->kind == SOURCE_PLAIN) {
            if (empty) return BAUTA_OK;
            size_t left = source->filled - source->used;
            *got = left < room ? left : room;
            memcpy(bytes, source->buffer + source->used, *got);
            source->used += *got;
            return BAUTA_OK;
        }
        if (empty && source->between) return BAUTA_OK;
        const char *format = source->kind == SOURCE_GZIP ? "gzip" : "zstd";
        size_t used = source->used;
        BT_TRY(source->kind == SOURCE_GZIP ? step_gzip(source, bytes, room, got, error)
                                           : step_zstd(source, bytes, room, got, error));
        if (*got == 0 && source->used == used && source->ended && !source->between)
            return corrupt(source, format, error);
        if (*got == 0 && source->used == used && !source->ended) BT_TRY(refill(source, error));
    }
    return BAUTA_OK;
}
