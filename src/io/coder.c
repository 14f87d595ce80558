/* SPDX-License-Identifier: Apache-2.0
 *
 * Growing the dictionary of a column that is being read.
 */
#include "io/coder.h"

/* A small table is kept sparse, so that hardly any value is off its place. */
enum { FIRST_BITS = 8, SMALL = 1 << 12 };

void bt_coder_release(bt_coder *coder)
{
    free(coder->slots);
    free(coder->text);
    free(coder->length);
    bt_arena_release(&coder->arena);
    *coder = (bt_coder){0};
}

static void place_slot(bt_coder *coder, bt_coder_slot slot)
{
    size_t mask = ((size_t)1 << (64 - coder->shift)) - 1;
    size_t i = bt_words_hash(slot.words) >> coder->shift;
    while (coder->slots[i].code != 0)
        i = (i + 1) & mask;
    coder->slots[i] = slot;
}

static bauta_status grow_slots(bt_coder *coder, bauta_error *error)
{
    size_t old = coder->slots ? (size_t)1 << (64 - coder->shift) : 0;
    if (coder->slots && (size_t)coder->count * (old < SMALL ? 4 : 2) < old) return BAUTA_OK;
    unsigned bits = coder->slots ? 64 - coder->shift + 1 : FIRST_BITS;
    bt_coder_slot *slots = coder->slots;
    coder->slots = bt_array_zero((size_t)1 << bits, sizeof *coder->slots);
    if (!coder->slots) {
        coder->slots = slots;
        return bt_fail_memory(error);
    }
    coder->shift = 64 - bits;
    for (size_t i = 0; i < old; i++)
        if (slots[i].code != 0) place_slot(coder, slots[i]);
    free(slots);
    return BAUTA_OK;
}

static bauta_status grow_values(bt_coder *coder, bauta_error *error)
{
    size_t capacity = coder->capacity, text = capacity, length = capacity;
    size_t need = (size_t)coder->count + 1;
    BT_TRY(bt_array_grow(&coder->text, &text, need, sizeof *coder->text, error));
    BT_TRY(bt_array_grow(&coder->length, &length, need, sizeof *coder->length, error));
    coder->capacity = length;
    return BAUTA_OK;
}

/* Gives the text the next code; its place is left to the caller. */
static bauta_status append(bt_coder *coder, const char *text, uint32_t length, bool copy,
                           uint32_t *code, bauta_error *error)
{
    if (coder->count >= UINT32_MAX - 1)
        return bt_fail(error, BAUTA_INVALID, "the column has more than 4 billion distinct values");
    BT_TRY(grow_slots(coder, error));
    BT_TRY(grow_values(coder, error));
    if (copy) {
        char *fresh = bt_arena_alloc(&coder->arena, (size_t)length + BT_WORDS);
        if (!fresh) return bt_fail_memory(error);
        memcpy(fresh, text, length);
        memset(fresh + length, 0, BT_WORDS);
        text = fresh;
    }
    *code = coder->count++;
    coder->text[*code] = text;
    coder->length[*code] = length;
    return BAUTA_OK;
}

bauta_status bt_coder_add(bt_coder *coder, const char *text, uint32_t length, bool copy,
                          int64_t rows, uint32_t *code, bauta_error *error)
{
    BT_TRY(append(coder, text, length, copy, code, error));
    bt_words words = bt_words_of(coder->text[*code], length);
    place_slot(coder, (bt_coder_slot){words, length, *code + 1, rows});
    return BAUTA_OK;
}

bauta_status bt_coder_add_number(bt_coder *coder, int64_t number, uint64_t kind, const char *text,
                                 uint32_t length, uint32_t *code, bauta_error *error)
{
    BT_TRY(append(coder, text, length, true, code, error));
    const bt_words words = {(uint64_t)number, kind};
    place_slot(coder, (bt_coder_slot){words, BT_CODER_NUMBER, *code + 1, 1});
    return BAUTA_OK;
}

void bt_coder_rows(const bt_coder *coder, int64_t *out)
{
    size_t size = coder->slots ? (size_t)1 << (64 - coder->shift) : 0;
    for (size_t i = 0; i < size; i++)
        if (coder->slots[i].code != 0) out[coder->slots[i].code - 1] = coder->slots[i].rows;
}

uint32_t bt_coder_probe(bt_coder *coder, bt_words words, const char *text, uint32_t length,
                        int64_t rows)
{
    size_t mask = ((size_t)1 << (64 - coder->shift)) - 1;
    size_t i = bt_words_hash(words) >> coder->shift;
    for (; coder->slots[i].code != 0; i = (i + 1) & mask) {
        bt_coder_slot *slot = &coder->slots[i];
        if (!bt_coder_matches(coder, slot, words, text, length)) continue;
        slot->rows += rows;
        return slot->code - 1;
    }
    return BT_CODER_FULL;
}
