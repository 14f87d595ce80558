/* SPDX-License-Identifier: Apache-2.0
 *
 * Plain files, bytes in memory or of a store, gzip (zlib, several members), zstd (several frames),
 * pipes, streams that are made on the way.
 */
#include "io/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { BUFFER_BYTES = 256 * 1024 };

typedef enum packing { PACKED_NOT, PACKED_GZIP, PACKED_ZSTD } packing;

struct bt_bytes {
    const char *name;
    char *own_name; /* the copy that `name` is, if it is one */
    const bt_run *run;
    const char *memory;   /* all bytes; NULL: they are somewhere else */
    bt_bytes_calls calls; /* what hands the bytes out; without memory, calls and flow they are read
                             from `descriptor` */
    bt_bytes_flow flow;   /* what makes them */
    size_t taken;         /* bytes of `memory` or of `calls` that went into `buffer` */
    void *own_memory;     /* memory that is freed with the bytes; NULL: it is somebody else's */
    int descriptor;
    bool regular;
    int64_t size;
    struct timespec changed; /* modification time when it was opened */
    packing packed;
    /* compressed or peeked bytes not yet used */
    unsigned char *buffer;
    size_t used, filled;
    bool ended;   /* the descriptor has nothing more */
    bool between; /* at the border of two gzip members or zstd frames */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DStream *zstd;
};

static bool by_descriptor(const bt_bytes *from)
{
    return !from->memory && !from->calls.read && !from->flow.next;
}

static bauta_status read_some(bt_bytes *from, void *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    while (by_descriptor(from)) {
        if (!from->regular) BT_TRY(bt_run_await(from->run, from->descriptor, from->name, error));
        ssize_t n = read(from->descriptor, bytes, room);
        if (n >= 0) {
            *got = (size_t)n;
            return BAUTA_OK;
        }
        if (errno != EINTR && errno != EAGAIN)
            return bt_fail_errno(error, "cannot read", from->name);
    }
    if (from->flow.next) return from->flow.next(from->flow.user, bytes, room, got, error);
    BT_TRY(bt_bytes_read_at(from, (int64_t)from->taken, bytes, room, got, error));
    from->taken += *got;
    return BAUTA_OK;
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

bauta_status bt_write_at(int descriptor, const char *name, int64_t offset, const char *bytes,
                         size_t length, bauta_error *error)
{
    while (length > 0) {
        ssize_t wrote = pwrite(descriptor, bytes, length, (off_t)offset);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote < 0) return bt_fail_errno(error, "cannot write", name);
        bytes += wrote;
        offset += wrote;
        length -= (size_t)wrote;
    }
    return BAUTA_OK;
}

bauta_status bt_bytes_read_at(const bt_bytes *from, int64_t offset, char *bytes, size_t length,
                              size_t *got, bauta_error *error)
{
    if (by_descriptor(from))
        return bt_read_at(from->descriptor, from->name, offset, bytes, length, got, error);
    size_t left = offset < from->size ? (size_t)(from->size - offset) : 0;
    size_t part = left < length ? left : length;
    *got = 0;
    if (part > 0 && from->memory)
        memcpy(bytes, from->memory + offset, part);
    else if (part > 0)
        BT_TRY(from->calls.read(from->calls.user, offset, bytes, part, error));
    *got = part;
    return BAUTA_OK;
}

static bauta_status refill(bt_bytes *from, bauta_error *error)
{
    if (from->used > 0) {
        memmove(from->buffer, from->buffer + from->used, from->filled - from->used);
        from->filled -= from->used;
        from->used = 0;
    }
    while (!from->ended && from->filled < BUFFER_BYTES) {
        size_t got = 0;
        BT_TRY(
            read_some(from, from->buffer + from->filled, BUFFER_BYTES - from->filled, &got, error));
        from->filled += got;
        if (got == 0) from->ended = true;
        if (from->filled >= 4) break;
    }
    return BAUTA_OK;
}

static bauta_status recognise(bt_bytes *from, bauta_error *error)
{
    static const unsigned char gzip_magic[2] = {0x1f, 0x8b};
    static const unsigned char zstd_magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    BT_TRY(refill(from, error));
    if (from->filled >= 2 && memcmp(from->buffer, gzip_magic, 2) == 0) {
        from->packed = PACKED_GZIP;
        if (inflateInit2(&from->gzip, 15 + 16) != Z_OK) return bt_fail_memory(error);
        from->gzip_ready = true;
    } else if (from->filled >= 4 && memcmp(from->buffer, zstd_magic, 4) == 0) {
        from->packed = PACKED_ZSTD;
        from->zstd = ZSTD_createDStream();
        if (!from->zstd || ZSTD_isError(ZSTD_initDStream(from->zstd))) return bt_fail_memory(error);
    }
    return BAUTA_OK;
}

/* What a descriptor is of. */
static bauta_status look_at(bt_bytes *from, bool standard_input, bauta_error *error)
{
    struct stat facts;
    if (fstat(from->descriptor, &facts) != 0)
        return bt_fail_errno(error, "cannot look at", from->name);
    if (S_ISDIR(facts.st_mode)) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "'%s' is a folder", from->name);
        bt_error_place(error, from->name, -1, NULL);
        bt_error_hint(error, "a table is a file: name one");
        return status;
    }
    from->regular = S_ISREG(facts.st_mode) && !standard_input;
    from->size = from->regular ? (int64_t)facts.st_size : -1;
    from->changed = facts.st_mtim;
    return BAUTA_OK;
}

static bauta_status open_descriptor(const char *name, bt_bytes *from, bauta_error *error)
{
    bool standard_input = strcmp(name, "-") == 0;
    from->name = standard_input ? "standard input" : name;
    /* Without O_NONBLOCK a pipe that nobody writes to yet would be waited for here. */
    from->descriptor =
        standard_input ? dup(STDIN_FILENO) : open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (from->descriptor < 0) {
        bool absent = errno == ENOENT;
        bauta_status status = bt_fail_errno(error, "cannot open", from->name);
        if (!absent) return status;
        if (error) error->status = BAUTA_INVALID;
        return BAUTA_INVALID;
    }
    return look_at(from, standard_input, error);
}

static bt_bytes *make_bytes(const bt_run *run)
{
    bt_bytes *from = bt_array_zero(1, sizeof *from);
    if (!from) return NULL;
    from->descriptor = -1;
    from->run = run;
    from->buffer = bt_array(BUFFER_BYTES, 1);
    from->between = true;
    if (from->buffer) return from;
    free(from);
    return NULL;
}

/* Hands out bytes that were opened, or closes them. */
static bauta_status hand_out(bt_bytes *from, bauta_status status, bt_bytes **out,
                             bauta_error *error)
{
    if (status == BAUTA_OK) status = recognise(from, error);
    if (status == BAUTA_OK)
        *out = from;
    else
        bt_bytes_close(from);
    return status;
}

bauta_status bt_bytes_open(const char *name, const bt_run *run, bt_bytes **out, bauta_error *error)
{
    *out = NULL;
    bt_bytes *from = make_bytes(run);
    if (!from) return bt_fail_memory(error);
    return hand_out(from, open_descriptor(name, from, error), out, error);
}

bauta_status bt_bytes_take(int descriptor, const char *name, bt_bytes **out, bauta_error *error)
{
    *out = NULL;
    bt_bytes *from = make_bytes(NULL);
    if (!from) {
        close(descriptor);
        return bt_fail_memory(error);
    }
    from->descriptor = descriptor;
    from->name = from->own_name = strdup(name);
    return hand_out(from, from->name ? look_at(from, false, error) : bt_fail_memory(error), out,
                    error);
}

bauta_status bt_bytes_in_memory(const char *bytes, size_t length, void *own, const char *name,
                                bt_bytes **out, bauta_error *error)
{
    *out = NULL;
    bt_bytes *from = make_bytes(NULL);
    if (!from) {
        free(own);
        return bt_fail_memory(error);
    }
    from->memory = bytes;
    from->own_memory = own;
    from->size = (int64_t)length;
    from->regular = true;
    from->name = from->own_name = strdup(name);
    return hand_out(from, from->name ? BAUTA_OK : bt_fail_memory(error), out, error);
}

bauta_status bt_bytes_by_calls(const bt_bytes_calls *calls, int64_t length, const char *name,
                               bt_bytes **out, bauta_error *error)
{
    *out = NULL;
    bt_bytes *from = make_bytes(NULL);
    if (!from) {
        calls->close(calls->user);
        return bt_fail_memory(error);
    }
    from->calls = *calls;
    from->size = length;
    from->regular = true;
    from->name = from->own_name = strdup(name);
    return hand_out(from, from->name ? BAUTA_OK : bt_fail_memory(error), out, error);
}

bauta_status bt_bytes_stream(const bt_bytes_flow *flow, const char *name, bt_bytes **out,
                             bauta_error *error)
{
    *out = NULL;
    bt_bytes *from = make_bytes(NULL);
    if (!from) {
        flow->close(flow->user);
        return bt_fail_memory(error);
    }
    from->flow = *flow;
    from->size = -1;
    from->name = from->own_name = strdup(name);
    if (from->name) {
        *out = from;
        return BAUTA_OK;
    }
    bt_bytes_close(from);
    return bt_fail_memory(error);
}

void bt_bytes_close(bt_bytes *from)
{
    if (!from) return;
    if (from->gzip_ready) inflateEnd(&from->gzip);
    ZSTD_freeDStream(from->zstd);
    if (from->descriptor >= 0) close(from->descriptor);
    if (from->calls.close) from->calls.close(from->calls.user);
    if (from->flow.close) from->flow.close(from->flow.user);
    free(from->own_memory);
    free(from->own_name);
    free(from->buffer);
    free(from);
}

bool bt_bytes_plain(const bt_bytes *from, int64_t *size)
{
    *size = from->size;
    return from->regular && from->packed == PACKED_NOT;
}

int64_t bt_bytes_on_disk(const bt_bytes *from)
{
    return from->size;
}

bauta_status bt_bytes_unchanged(const bt_bytes *from, bauta_error *error)
{
    struct stat facts;
    if (!by_descriptor(from)) return BAUTA_OK;
    if (fstat(from->descriptor, &facts) != 0)
        return bt_fail_errno(error, "cannot look at", from->name);
    if ((int64_t)facts.st_size == from->size && facts.st_mtim.tv_sec == from->changed.tv_sec &&
        facts.st_mtim.tv_nsec == from->changed.tv_nsec)
        return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "the file changed while it was read");
    bt_error_place(error, from->name, -1, NULL);
    return status;
}

static bauta_status corrupt(const bt_bytes *from, const char *format, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s data is cut off or corrupt", format);
    bt_error_place(error, from->name, -1, NULL);
    bt_error_hint(error, "copy the file once more; '%s -t FILE' says whether it is whole", format);
    return status;
}

/* One step of inflation; *got may stay 0 although more follows. */
static bauta_status step_gzip(bt_bytes *from, char *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    z_stream *z = &from->gzip;
    z->next_in = from->buffer + from->used;
    z->avail_in = (uInt)(from->filled - from->used);
    z->next_out = (Bytef *)bytes;
    z->avail_out = (uInt)(room < 1u << 30 ? room : 1u << 30);
    uInt before = z->avail_out;
    int result = inflate(z, Z_NO_FLUSH);
    from->used = from->filled - z->avail_in;
    *got = before - z->avail_out;
    from->between = result == Z_STREAM_END;
    if (result == Z_MEM_ERROR) return bt_fail_memory(error);
    if (result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR)
        return corrupt(from, "gzip", error);
    if (result == Z_STREAM_END && inflateReset(z) != Z_OK) return corrupt(from, "gzip", error);
    return BAUTA_OK;
}

static bauta_status step_zstd(bt_bytes *from, char *bytes, size_t room, size_t *got,
                              bauta_error *error)
{
    ZSTD_inBuffer in = {from->buffer, from->filled, from->used};
    ZSTD_outBuffer out = {bytes, room, 0};
    size_t result = ZSTD_decompressStream(from->zstd, &out, &in);
    from->used = in.pos;
    *got = out.pos;
    if (ZSTD_isError(result)) return corrupt(from, "zstd", error);
    from->between = result == 0;
    return BAUTA_OK;
}

bauta_status bt_bytes_read(bt_bytes *from, char *bytes, size_t room, size_t *got,
                           bauta_error *error)
{
    *got = 0;
    while (*got == 0 && room > 0) {
        if (from->used == from->filled && !from->ended) BT_TRY(refill(from, error));
        bool empty = from->used == from->filled;
        if (from->packed == PACKED_NOT) {
            if (empty) return BAUTA_OK;
            size_t left = from->filled - from->used;
            *got = left < room ? left : room;
            memcpy(bytes, from->buffer + from->used, *got);
            from->used += *got;
            return BAUTA_OK;
        }
        if (empty && from->between) return BAUTA_OK;
        const char *format = from->packed == PACKED_GZIP ? "gzip" : "zstd";
        size_t used = from->used;
        BT_TRY(from->packed == PACKED_GZIP ? step_gzip(from, bytes, room, got, error)
                                           : step_zstd(from, bytes, room, got, error));
        if (*got == 0 && from->used == used && from->ended && !from->between)
            return corrupt(from, format, error);
        if (*got == 0 && from->used == used && !from->ended) BT_TRY(refill(from, error));
    }
    return BAUTA_OK;
}
