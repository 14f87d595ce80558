/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: who owns it, checked sizes, arenas by lifetime, and one growable byte buffer.
 *
 * What a function owns is declared with the call that releases it, and is released wherever the
 * function returns; so BT_TRY may stand anywhere, and no path has to clean up. Arrays of a function
 * come from a scratch arena. Its first failure sticks, so it is asked once, after the last of them:
 *
 *     BT_OWN(bt_arena_release) bt_arena scratch = {0};
 *     uint32_t *sizes = bt_arena_array(&scratch, classes, sizeof *sizes);
 *     double *shares = bt_arena_array(&scratch, values, sizeof *shares);
 *     BT_TRY(bt_arena_check(&scratch, error));
 *
 * What outlives the function is put into an arena of its caller, or is a block of its own
 * (bt_array, bt_array_grow) that the caller frees.
 */
#ifndef BT_MEMORY_H
#define BT_MEMORY_H

#include "base/status.h"

#include <stdarg.h>
#include <stdlib.h>

/* Before a variable: `release(&variable)` is called when the variable goes out of scope. */
#define BT_OWN(release) __attribute__((cleanup(release)))

/* BT_OWN(bt_free) uint32_t *numbers = NULL: a block that another function gave us. */
static inline void bt_free(void *pointer)
{
    free(*(void **)pointer);
}

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
    bool failed;                   /* a request could not be met; later ones are not met either */
} bt_arena;

/* A zeroed bt_arena is empty and usable. */
void *bt_arena_alloc(bt_arena *arena, size_t bytes);              /* 16-byte aligned, or NULL */
void *bt_arena_array(bt_arena *arena, size_t count, size_t size); /* zeroed, or NULL */
char *bt_arena_copy(bt_arena *arena, const char *text, size_t length); /* adds a zero byte */
char *bt_arena_print(bt_arena *arena, const char *format, ...) BT_PRINTF(2, 3);
void bt_arena_release(bt_arena *arena); /* frees all; the arena is empty and usable again */

/* Whether all that was asked for is there. */
static inline BT_MUST_USE bauta_status bt_arena_check(const bt_arena *arena, bauta_error *error)
{
    return arena->failed ? bt_fail_memory(error) : BAUTA_OK;
}

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
