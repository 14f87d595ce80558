/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: checked sizes, arenas by lifetime, and one growable byte buffer.
 *
 * An arena is freed as a whole, so code that builds structures needs no frees and no cleanup
 * paths. Large arrays whose lifetime is shorter use bt_array / bt_array_grow and free.
 */
#ifndef BT_MEMORY_H
#define BT_MEMORY_H

#include "base/status.h"

#include <stdarg.h>
#include <stdlib.h>

/* ---- checked sizes ---- */

static inline bool bt_size_mul(size_t a, size_t b, size_t *out)
{
    return !__builtin_mul_overflow(a, b, out);
}

static inline bool bt_size_add(size_t a, size_t b, size_t *out)
{
    return !__builtin_add_overflow(a, b, out);
}

/* ---- plain arrays: NULL means out of memory or overflow; count 0 gives a valid pointer ---- */

void *bt_array(size_t count, size_t size);
void *bt_array_zero(size_t count, size_t size);

/* Tells the system that a block will be written whole: where it is large, large pages make it there
 * at once instead of page by page. Nothing but time depends on it. */
void bt_memory_whole(void *block, size_t bytes);

/* Grows *items (capacity in *capacity) so that `need` items fit, at least doubling. */
BT_MUST_USE bauta_status bt_array_grow(void *items, size_t *capacity, size_t need, size_t size,
                                       bauta_error *error);

/* ---- arena ---- */

typedef struct bt_arena {
    struct bt_arena_block *blocks; /* newest first */
} bt_arena;

/* A zeroed bt_arena is empty and usable. */
void *bt_arena_alloc(bt_arena *arena, size_t bytes);              /* 16-byte aligned, or NULL */
void *bt_arena_array(bt_arena *arena, size_t count, size_t size); /* zeroed, or NULL */
char *bt_arena_copy(bt_arena *arena, const char *text, size_t length); /* adds a zero byte */
char *bt_arena_print(bt_arena *arena, const char *format, ...) BT_PRINTF(2, 3);
void bt_arena_release(bt_arena *arena); /* frees all; the arena is empty again */

/* ---- buffer ---- */

typedef struct bt_buffer {
    char *bytes;
    size_t length, capacity;
} bt_buffer;

/* A zeroed bt_buffer is empty and usable. */
BT_MUST_USE bauta_status bt_buffer_grow(bt_buffer *buffer, size_t more, bauta_error *error);

/* Makes room for `more` bytes; inline, since it is asked before every write. */
static inline BT_MUST_USE bauta_status bt_buffer_reserve(bt_buffer *buffer, size_t more,
                                                         bauta_error *error)
{
    return buffer->capacity - buffer->length >= more && buffer->bytes
               ? BAUTA_OK
               : bt_buffer_grow(buffer, more, error);
}
BT_MUST_USE bauta_status bt_buffer_add(bt_buffer *buffer, const void *bytes, size_t length,
                                       bauta_error *error);
BT_MUST_USE bauta_status bt_buffer_print(bt_buffer *buffer, bauta_error *error, const char *format,
                                         ...) BT_PRINTF(3, 4);
BT_MUST_USE bauta_status bt_buffer_vprint(bt_buffer *buffer, bauta_error *error, const char *format,
                                          va_list arguments) BT_PRINTF(3, 0);
void bt_buffer_release(bt_buffer *buffer);

#endif
