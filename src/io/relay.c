/* SPDX-License-Identifier: Apache-2.0
 *
 * Coding texts, numbers and codes of dictionaries.
 */
#include "io/relay.h"

static bauta_status code_texts(bt_coder *coder, const bt_batch *batch, const bt_vector *vector,
                               uint32_t *codes, bauta_error *error)
{
    bt_span *field = vector->texts;
    size_t rows = batch->rows, step = vector->step;
    for (size_t r = 0; r < rows; r++, field += step) {
        if (field->doubled) BT_TRY(bt_span_text(field, batch->scratch, error));
        uint32_t code = bt_coder_count(coder, field->bytes, field->length, 1);
        if (code == BT_CODER_FULL)
            BT_TRY(bt_coder_add(coder, field->bytes, field->length, true, 1, &code, error));
        codes[r] = code;
    }
    return BAUTA_OK;
}

static bauta_status code_text(bt_coder *coder, const char *text, uint32_t length, int64_t rows,
                              uint32_t *code, bauta_error *error)
{
    *code = bt_coder_count(coder, text, length, rows);
    return *code == BT_CODER_FULL ? bt_coder_add(coder, text, length, true, rows, code, error)
                                  : BAUTA_OK;
}

static bauta_status code_numbers(bt_coder *coder, const bt_batch *batch, const bt_vector *vector,
                                 uint32_t *codes, bauta_error *error)
{
    static const char nothing[BT_WORDS];
    uint64_t kind = (uint64_t)vector->yields << 32 | (uint32_t)vector->scale;
    for (size_t r = 0; r < batch->rows; r++) {
        if (vector->missing && vector->missing[r]) {
            BT_TRY(code_text(coder, nothing, 0, 1, &codes[r], error));
            continue;
        }
        codes[r] = bt_coder_count_number(coder, vector->numbers[r], kind);
        if (codes[r] != BT_CODER_FULL) continue;
        char text[BT_NUMBER_TEXT];
        size_t length = bt_vector_print(vector, vector->numbers[r], batch->decimal_comma, text);
        BT_TRY(bt_coder_add_number(coder, vector->numbers[r], kind, text, (uint32_t)length,
                                   &codes[r], error));
    }
    return BAUTA_OK;
}

bauta_status bt_relay_settle(bt_relay *relay, bt_coder *coder, bauta_error *error)
{
    for (uint32_t i = 0; relay->dictionary && i <= relay->dictionary->count; i++) {
        const bt_span *text = &relay->dictionary->texts[i];
        uint32_t code;
        if (relay->rows[i] == 0) continue;
        BT_TRY(code_text(coder, text->bytes, text->length, relay->rows[i], &code, error));
        relay->rows[i] = 0;
    }
    return BAUTA_OK;
}

static bauta_status change_dictionary(bt_relay *relay, const bt_dictionary *dictionary,
                                      bt_coder *coder, bauta_error *error)
{
    BT_TRY(bt_relay_settle(relay, coder, error));
    bt_relay_release(relay);
    relay->code_of = bt_array_zero((size_t)dictionary->count + 1, sizeof *relay->code_of);
    relay->rows = bt_array_zero((size_t)dictionary->count + 1, sizeof *relay->rows);
    if (!relay->code_of || !relay->rows) return bt_fail_memory(error);
    relay->dictionary = dictionary;
    return BAUTA_OK;
}

static bauta_status code_codes(bt_relay *relay, bt_coder *coder, const bt_vector *vector,
                               size_t rows, uint32_t *codes, bauta_error *error)
{
    const bt_dictionary *dictionary = vector->dictionary;
    if (relay->dictionary != dictionary) BT_TRY(change_dictionary(relay, dictionary, coder, error));
    for (size_t r = 0; r < rows; r++) {
        uint32_t from = vector->codes[r];
        if (relay->code_of[from] == 0) {
            const bt_span *text = &dictionary->texts[from];
            BT_TRY(code_text(coder, text->bytes, text->length, 0, &codes[r], error));
            relay->code_of[from] = codes[r] + 1;
        }
        relay->rows[from]++;
        codes[r] = relay->code_of[from] - 1;
    }
    return BAUTA_OK;
}

bauta_status bt_relay_code(bt_relay *relay, bt_coder *coder, const bt_batch *batch, size_t column,
                           uint32_t *codes, bauta_error *error)
{
    const bt_vector *vector = &batch->columns[column];
    switch (vector->yields) {
    case BT_YIELD_TEXT: return code_texts(coder, batch, vector, codes, error);
    case BT_YIELD_CODES: return code_codes(relay, coder, vector, batch->rows, codes, error);
    case BT_YIELD_INTEGERS:
    case BT_YIELD_DECIMALS:
    case BT_YIELD_DATES: break;
    }
    return code_numbers(coder, batch, vector, codes, error);
}

void bt_relay_release(bt_relay *relay)
{
    free(relay->code_of);
    free(relay->rows);
    *relay = (bt_relay){0};
}
