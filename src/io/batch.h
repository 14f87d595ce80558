/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches: some rows of a table as typed columns, which is what a source hands out (source.h).
 *
 * A column yields what its source holds it as: spans of text, codes of a dictionary, 64-bit
 * integers, decimals or dates. What a value is follows from its text whatever it was held as, so
 * that a table is the same from any source. Its text is its canonical one (table/value.h), made
 * where someone asks for it: whoever codes a column asks once for each distinct value.
 */
#ifndef BT_BATCH_H
#define BT_BATCH_H

#include "base/csv.h"
#include "table/value.h"

typedef enum bt_yield {
    BT_YIELD_TEXT,
    BT_YIELD_CODES,
    BT_YIELD_INTEGERS,
    BT_YIELD_DECIMALS,
    BT_YIELD_DATES, /* days since 1970-01-01, in the years 1 to 9999 */
} bt_yield;

/* The texts of codes; the last one, of the code `count`, is that of a missing value: empty. Here
 * and in batches BT_WORDS bytes are readable at every text. */
typedef struct bt_dictionary {
    const bt_span *texts;
    uint32_t count;
} bt_dictionary;

enum { BT_SLOT = 64 }; /* room for the text of a number, and BT_WORDS readable bytes behind it */

/* Where a source that does not hold a column as it is handed out puts it: for the rows of a batch
 * one of each. */
typedef struct bt_room {
    bt_span *texts;
    int64_t *numbers;
    uint32_t *codes;
    bool *missing;
    char *slots; /* of BT_SLOT bytes */
} bt_room;

typedef struct bt_vector { /* a column of a batch */
    bt_yield yields;
    bt_span *texts; /* of row r: texts[r * step]; a missing one is empty. NULL: not made yet */
    size_t step;
    const uint32_t *codes;
    const bt_dictionary *dictionary; /* while a file is read no other one has its address */
    const int64_t *numbers;          /* integers, days, decimals times 10^scale */
    int scale;
    const bool *missing; /* of numbers; NULL: none is */
    bt_room room;
} bt_vector;

typedef struct bt_batch {
    bt_vector *columns;
    size_t rows;
    /* The byte that stands between two texts of a row which lie side by side in one buffer, where
     * they do; 0: this is no such source. */
    char between;
    bool decimal_comma; /* how decimals are written as text */
    bt_buffer *scratch; /* for doubled quotes */
} bt_batch;

/* Makes room for the rows of a batch, once. */
BT_MUST_USE bauta_status bt_vector_reserve(bt_vector *vector, size_t rows, bauta_error *error);
void bt_vector_release(bt_vector *vector);

/* The canonical text of a number that a vector yields, but for a decimal comma where one is
 * wanted; `out` has room for BT_NUMBER_TEXT. */
size_t bt_vector_print(const bt_vector *vector, int64_t number, bool decimal_comma, char *out);

/* Makes the texts of a column that yields something else. */
void bt_batch_make_texts(const bt_batch *batch, bt_vector *vector);

/* The texts of a column, which then has them. */
static inline bt_vector *bt_batch_texts(const bt_batch *batch, size_t column)
{
    bt_vector *vector = &batch->columns[column];
    if (!vector->texts) bt_batch_make_texts(batch, vector);
    return vector;
}

/* The text of a cell, valid until the next one is asked for. */
static inline BT_MUST_USE bauta_status bt_batch_text(const bt_batch *batch, size_t column,
                                                     size_t row, bt_span *text, bauta_error *error)
{
    const bt_vector *vector = bt_batch_texts(batch, column);
    *text = vector->texts[row * vector->step];
    return text->doubled ? bt_span_text(text, batch->scratch, error) : BAUTA_OK;
}

/* Whether the texts of `count` columns from `column` on stand in the source as they would in a
 * release, nothing but a comma between each: then *text is all of them. */
static inline bool bt_batch_unbroken(const bt_batch *batch, size_t column, size_t count, size_t row,
                                     bt_span *text)
{
    const bt_vector *vector = &batch->columns[column];
    if (batch->between != ',') return false;
    const bt_span *first = &vector->texts[row * vector->step], *last = first;
    bool unbroken = true;
    for (size_t i = 1; i < count; i++) {
        vector++;
        const bt_span *next = &vector->texts[row * vector->step];
        unbroken &= last->bytes + last->length + 1 == next->bytes;
        last = next;
    }
    size_t length = (size_t)(last->bytes - first->bytes) + last->length;
    *text = (bt_span){first->bytes, (uint32_t)length, false, false};
    return unbroken && length <= UINT32_MAX;
}

#endif
