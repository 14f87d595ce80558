/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts of what a batch holds as something else.
 */
#include "io/batch.h"

#include "base/hash.h"

bauta_status bt_vector_reserve(bt_vector *vector, size_t rows, bauta_error *error)
{
    bt_room *room = &vector->room;
    if (room->slots) return BAUTA_OK;
    bt_vector_release(vector);
    room->texts = bt_array_zero(rows, sizeof *room->texts);
    room->numbers = bt_array_zero(rows, sizeof *room->numbers);
    room->codes = bt_array_zero(rows, sizeof *room->codes);
    room->missing = bt_array_zero(rows, sizeof *room->missing);
    room->slots = bt_array_zero(rows, BT_SLOT);
    if (!room->texts || !room->numbers || !room->codes || !room->missing || !room->slots)
        return bt_fail_memory(error);
    return BAUTA_OK;
}

void bt_vector_release(bt_vector *vector)
{
    free(vector->room.texts);
    free(vector->room.numbers);
    free(vector->room.codes);
    free(vector->room.missing);
    free(vector->room.slots);
    vector->room = (bt_room){0};
}

size_t bt_vector_print(const bt_vector *vector, int64_t number, bool decimal_comma, char *out)
{
    bt_type type = vector->yields == BT_YIELD_DATES      ? BT_DATE
                   : vector->yields == BT_YIELD_DECIMALS ? BT_DECIMAL
                                                         : BT_INTEGER;
    size_t length = bt_number_print(type, vector->scale, number, out);
    char *point = decimal_comma && type == BT_DECIMAL ? memchr(out, '.', length) : NULL;
    if (point) *point = ',';
    return length;
}

void bt_batch_make_texts(const bt_batch *batch, bt_vector *vector)
{
    _Static_assert(BT_SLOT >= BT_NUMBER_TEXT + BT_WORDS, "a slot is too small");
    bt_span *texts = vector->room.texts;
    for (size_t r = 0; r < batch->rows; r++) {
        char *slot = vector->room.slots + r * BT_SLOT;
        if (vector->codes)
            texts[r] = vector->dictionary->texts[vector->codes[r]];
        else if (vector->missing && vector->missing[r])
            texts[r] = (bt_span){.bytes = slot};
        else
            texts[r] = (bt_span){.bytes = slot,
                                 .length = (uint32_t)bt_vector_print(vector, vector->numbers[r],
                                                                     batch->decimal_comma, slot)};
    }
    vector->texts = texts;
    vector->step = 1;
}
