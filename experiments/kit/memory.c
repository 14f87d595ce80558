/* SPDX-License-Identifier: Apache-2.0
 *
 * Arenas and buffers.
 */
#include "kit/kit.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct ex_block {
    struct ex_block *next;
    _Alignas(16) char bytes[];
};

void *ex_arena_array(ex_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        __builtin_add_overflow(bytes, sizeof(struct ex_block), &bytes))
        return NULL;
    struct ex_block *block = calloc(1, bytes);
    if (!block) return NULL;
    block->next = arena->blocks;
    arena->blocks = block;
    return block->bytes;
}

char *ex_arena_print(ex_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : ex_arena_array(arena, (size_t)length + 1, 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    va_end(arguments);
    return text;
}

void ex_arena_release(ex_arena *arena)
{
    for (struct ex_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    arena->blocks = NULL;
}

/* ---- buffers ---- */

static bool reserve(ex_buffer *buffer, size_t more)
{
    size_t need, capacity = buffer->capacity > 512 ? buffer->capacity : 512;
    if (buffer->failed) return false;
    if (buffer->capacity - buffer->length >= more && buffer->bytes) return true;
    buffer->failed = __builtin_add_overflow(buffer->length, more, &need) || need > SIZE_MAX / 2;
    if (buffer->failed) return false;
    while (capacity < need)
        capacity *= 2;
    char *grown = realloc(buffer->bytes, capacity);
    buffer->failed = !grown;
    if (!grown) return false;
    buffer->bytes = grown;
    buffer->capacity = capacity;
    return true;
}

void ex_add(ex_buffer *buffer, const void *bytes, size_t length)
{
    if (length == 0 || !reserve(buffer, length)) return;
    memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
}

void ex_print(ex_buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(buffer, (size_t)length + 1)) {
        vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

bauta_status ex_buffer_check(const ex_buffer *buffer, bauta_error *error)
{
    return buffer->failed ? ex_fail_memory(error) : BAUTA_OK;
}

void ex_buffer_release(ex_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (ex_buffer){0};
}
