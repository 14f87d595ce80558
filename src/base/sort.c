/* SPDX-License-Identifier: Apache-2.0
 *
 * Radix sort, and orders.
 */
#include "base/sort.h"

#include "base/assert.h"

#include <string.h>

void bt_sort_numbers(uint32_t *numbers, uint32_t *spare, uint32_t count, uint32_t most)
{
    uint32_t *from = numbers, *to = spare;
    for (unsigned shift = 0; shift < 32 && most >> shift != 0; shift += 8) {
        uint32_t starts[257] = {0};
        for (uint32_t i = 0; i < count; i++)
            starts[(from[i] >> shift & 255) + 1]++;
        for (int i = 0; i < 256; i++)
            starts[i + 1] += starts[i];
        for (uint32_t i = 0; i < count; i++)
            to[starts[from[i] >> shift & 255]++] = from[i];
        uint32_t *other = from;
        from = to;
        to = other;
    }
    if (from != numbers) memcpy(numbers, from, count * sizeof *numbers);
    BT_ASSERT(count == 0 || numbers[count - 1] <= most);
}

int bt_compare_uint32(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

int bt_compare_int64(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

int bt_compare_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}
