/* SPDX-License-Identifier: Apache-2.0
 *
 * The dictionary that a column is coded with while it is read: text to code in order of first
 * appearance, one per worker and column. Written by hand because this lookup is the hot spot
 * of reading: texts of up to 16 bytes are their own key, so that most fields cost two loads, a few
 * multiplications and one comparison.
 */
#ifndef BT_CODER_H
#define BT_CODER_H

#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

typedef struct bt_coder_slot {
    bt_words words;
    uint32_t length;
    uint32_t code; /* + 1; 0: free */
    int64_t rows;  /* beside the key, so that counting touches no further cache line */
} bt_coder_slot;

typedef struct bt_coder {
    bt_coder_slot *slots;
    unsigned shift; /* 64 - log2(number of slots) */
    uint32_t count;
    size_t capacity; /* of the arrays below */
    const char **text;
    uint32_t *length;
    bt_arena arena; /* texts */
} bt_coder;

enum { BT_CODER_FULL = UINT32_MAX };

/* A zeroed bt_coder is empty and usable. */
void bt_coder_release(bt_coder *coder);

/* The slow path: adds the text with `rows` rows. With `copy` false the text is borrowed. Here and
 * below BT_WORDS bytes must be readable at `text`. */
BT_MUST_USE bauta_status bt_coder_add(bt_coder *coder, const char *text, uint32_t length, bool copy,
                                      int64_t rows, uint32_t *code, bauta_error *error);

/* Numbers are keys of their own, of a length that no text has, so that their text is made once for
 * each of them. `kind` tells apart what the same number may be: an integer, a day, a decimal. */
enum { BT_CODER_NUMBER = UINT32_MAX };

/* Adds a number that was not seen before; its text is copied. */
BT_MUST_USE bauta_status bt_coder_add_number(bt_coder *coder, int64_t number, uint64_t kind,
                                             const char *text, uint32_t length, uint32_t *code,
                                             bauta_error *error);

/* The number of rows of every code: out[code]. */
void bt_coder_rows(const bt_coder *coder, int64_t *out);

static inline bool bt_coder_matches(const bt_coder *coder, const bt_coder_slot *slot,
                                    bt_words words, const char *text, uint32_t length)
{
    /* One branch for all three: which of them differs is of no interest. */
    uint64_t differs = (slot->words.first ^ words.first) | (slot->words.second ^ words.second) |
                       (slot->length ^ length);
    return differs == 0 && slot->code != 0 &&
           (length <= BT_WORDS || memcmp(coder->text[slot->code - 1], text, length) == 0);
}

/* Goes on looking after the first place. */
uint32_t bt_coder_probe(bt_coder *coder, bt_words words, const char *text, uint32_t length,
                        int64_t rows);

/* The code of a text that was seen before, counting `rows` more rows of it; BT_CODER_FULL when
 * it is new. */
static inline uint32_t bt_coder_count(bt_coder *coder, const char *text, uint32_t length,
                                      int64_t rows)
{
    if (!coder->slots) return BT_CODER_FULL;
    bt_words words = bt_words_of(text, length);
    bt_coder_slot *slot = &coder->slots[bt_words_hash(words) >> coder->shift];
    if (!bt_coder_matches(coder, slot, words, text, length))
        return bt_coder_probe(coder, words, text, length, rows);
    slot->rows += rows;
    return slot->code - 1;
}

/* The code of a number that was seen before, counting one more row of it; BT_CODER_FULL when it is
 * new. */
static inline uint32_t bt_coder_count_number(bt_coder *coder, int64_t number, uint64_t kind)
{
    if (!coder->slots) return BT_CODER_FULL;
    const bt_words words = {(uint64_t)number, kind};
    size_t mask = ((size_t)1 << (64 - coder->shift)) - 1;
    size_t i = bt_words_hash(words) >> coder->shift;
    for (; coder->slots[i].code != 0; i = (i + 1) & mask) {
        bt_coder_slot *slot = &coder->slots[i];
        if (slot->words.first != words.first || slot->words.second != words.second ||
            slot->length != BT_CODER_NUMBER)
            continue;
        slot->rows++;
        return slot->code - 1;
    }
    return BT_CODER_FULL;
}

#endif
