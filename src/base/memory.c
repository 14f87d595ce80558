/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, arenas and buffers. Every size is checked before it reaches malloc.
 */
#include "base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { LARGE_PAGE = 2 << 20 };
enum { ARENA_BLOCK = 64 * 1024, ARENA_ALIGN = 16 };

typedef struct bt_arena_block {
    struct bt_arena_block *next;
    size_t used, size;
    _Alignas(ARENA_ALIGN) char bytes[];
} bt_arena_block;

void *bt_array(size_t count, size_t size)
{
    size_t bytes;
    if (!bt_size_mul(count, size, &bytes)) return NULL;
    return malloc(bytes ? bytes : 1);
}

void *bt_array_zero(size_t count, size_t size)
{
    return calloc(count ? count : 1, size ? size : 1);
}

void bt_memory_whole(void *block, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    uintptr_t start = ((uintptr_t)block + LARGE_PAGE - 1) & ~(uintptr_t)(LARGE_PAGE - 1);
    uintptr_t end = ((uintptr_t)block + bytes) & ~(uintptr_t)(LARGE_PAGE - 1);
    if (block && end > start)
        (void)madvise((char *)block + (start - (uintptr_t)block), end - start, MADV_HUGEPAGE);
#else
    (void)block, (void)bytes;
#endif
}

bauta_status bt_array_grow(void *items, size_t *capacity, size_t need, size_t size,
                           bauta_error *error)
{
    if (need <= *capacity) return BAUTA_OK;
    size_t wanted = *capacity < 8 ? 8 : *capacity, bytes;
    while (wanted < need)
        if (!bt_size_mul(wanted, 2, &wanted)) return bt_fail_memory(error);
    if (!bt_size_mul(wanted, size, &bytes)) return bt_fail_memory(error);
    void *old, *grown;
    memcpy(&old, items, sizeof old);
    grown = realloc(old, bytes);
    if (!grown) return bt_fail_memory(error);
    memcpy(items, &grown, sizeof grown);
    *capacity = wanted;
    return BAUTA_OK;
}

/* A block with so much room. Blocks for one large request may be asked for as zeros, which the
 * system has at hand. */
static bt_arena_block *new_block(size_t size, bool zeros)
{
    size_t total;
    if (!bt_size_add(size, sizeof(bt_arena_block), &total)) return NULL;
    bt_arena_block *block = zeros ? calloc(1, total) : malloc(total);
    if (!block) return NULL;
    block->used = 0;
    block->size = size;
    return block;
}

static void *fail(bt_arena *arena)
{
    arena->failed = true;
    return NULL;
}

static void *take(bt_arena *arena, size_t bytes, bool zeros)
{
    size_t rounded;
    if (arena->failed || !bt_size_add(bytes, ARENA_ALIGN - 1, &rounded)) return fail(arena);
    rounded &= ~(size_t)(ARENA_ALIGN - 1);
    bt_arena_block *block = arena->blocks;
    if (!block || block->size - block->used < rounded) {
        bool large = rounded > ARENA_BLOCK / 4;
        bt_arena_block *fresh = new_block(large ? rounded : ARENA_BLOCK, large && zeros);
        if (!fresh) return fail(arena);
        /* A block for one large request goes behind the current one, which still has room. */
        if (block && large) {
            fresh->next = block->next;
            block->next = fresh;
        } else {
            fresh->next = block;
            arena->blocks = fresh;
        }
        if (large) zeros = false;
        block = fresh;
    }
    void *result = block->bytes + block->used;
    block->used += rounded;
    if (zeros) memset(result, 0, bytes);
    return result;
}

void *bt_arena_alloc(bt_arena *arena, size_t bytes)
{
    return take(arena, bytes, false);
}

void *bt_arena_array(bt_arena *arena, size_t count, size_t size)
{
    size_t bytes;
    return bt_size_mul(count, size, &bytes) ? take(arena, bytes, true) : fail(arena);
}

char *bt_arena_copy(bt_arena *arena, const char *text, size_t length)
{
    size_t bytes;
    if (!bt_size_add(length, 1, &bytes)) return fail(arena);
    char *copy = take(arena, bytes, false);
    if (!copy) return NULL;
    if (length) memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *bt_arena_print(bt_arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? fail(arena) : take(arena, (size_t)length + 1, false);
    if (text) vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

void bt_arena_release(bt_arena *arena)
{
    for (bt_arena_block *block = arena->blocks, *next; block; block = next) {
        next = block->next;
        free(block);
    }
    *arena = (bt_arena){0};
}

bauta_status bt_buffer_grow(bt_buffer *buffer, size_t more, bauta_error *error)
{
    size_t need;
    if (!bt_size_add(buffer->length, more, &need)) return bt_fail_memory(error);
    return bt_array_grow(&buffer->bytes, &buffer->capacity, need, 1, error);
}

bauta_status bt_buffer_add(bt_buffer *buffer, const void *bytes, size_t length, bauta_error *error)
{
    BT_TRY(bt_buffer_reserve(buffer, length, error));
    if (length) memcpy(buffer->bytes + buffer->length, bytes, length);
    buffer->length += length;
    return BAUTA_OK;
}

bauta_status bt_buffer_vprint(bt_buffer *buffer, bauta_error *error, const char *format,
                              va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    bauta_status status = length < 0 ? bt_fail(error, BAUTA_INTERNAL, "cannot format text")
                                     : bt_buffer_reserve(buffer, (size_t)length + 1, error);
    if (status == BAUTA_OK) {
        vsnprintf(buffer->bytes + buffer->length, (size_t)length + 1, format, again);
        buffer->length += (size_t)length;
    }
    va_end(again);
    return status;
}

bauta_status bt_buffer_print(bt_buffer *buffer, bauta_error *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bauta_status status = bt_buffer_vprint(buffer, error, format, arguments);
    va_end(arguments);
    return status;
}

void bt_buffer_release(bt_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (bt_buffer){0};
}
