/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a cell: refused, or exactly the text that writing the same values gives.
 *
 * The first byte chooses type and scale; the rest is the cell.
 */
#include "fuzz.h"

#include "recipe/cell.h"

#include <string.h>

/* A column whose codes 0..count-1 are the values of the cell, in their order. */
static void check_again(const bt_cell_format *format, const bt_cell *cell, const char *bytes,
                        size_t length)
{
    char printed[2][BT_NUMBER_TEXT + 1];
    const char *numbers[] = {printed[0], printed[1]};
    bt_column column = {.domain = {.reading = {.type = format->type}, .text = cell->text}};
    column.domain.size = (uint32_t)cell->count;
    if (format->type != BT_TEXT) {
        printed[0][bt_number_print(format->type, format->scale, cell->lo, printed[0])] = '\0';
        printed[1][bt_number_print(format->type, format->scale, cell->hi, printed[1])] = '\0';
        column.domain.text = numbers;
        column.domain.size = cell->kind == BT_CELL_VALUE ? 1 : 2;
    }
    bt_buffer out = {0};
    fuzz_check(bt_cell_write(&column, 0, column.domain.size - 1, NULL, &out, NULL) == BAUTA_OK,
               "memory");
    fuzz_check(out.length == length && memcmp(out.bytes, bytes, length) == 0,
               "a cell that is not canonical was read");
    bt_buffer_release(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    const bt_cell_format format = {.type = (bt_type)(data[0] & 3), .scale = (data[0] >> 2) % 19};
    const char *bytes = (const char *)data + 1;
    bt_arena arena = {0};
    bt_cell cell;
    bool memory;
    bool read = bt_cell_read(&format, bytes, size - 1, &arena, &cell, &memory);
    fuzz_check(!memory, "memory");
    if (read && cell.kind == BT_CELL_MISSING) fuzz_check(size == 1, "bytes for a missing value");
    if (read && cell.kind != BT_CELL_ALL && cell.kind != BT_CELL_MISSING)
        check_again(&format, &cell, bytes, size - 1);
    bt_arena_release(&arena);
    return 0;
}
