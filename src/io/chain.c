/* SPDX-License-Identifier: Apache-2.0
 *
 * Polynomials modulo 2^127 - 1.
 */
#include "io/chain.h"

#include "base/digest.h"

#define PRIME (((bt_element)1 << 127) - 1)

static inline bt_element fold(bt_element number)
{
    return (number & PRIME) + (number >> 127);
}

/* Both at most 2^127 - 1: so is the result. */
static inline bt_element multiply(bt_element a, bt_element b)
{
    uint64_t a0 = (uint64_t)a, a1 = (uint64_t)(a >> 64), b0 = (uint64_t)b, b1 = (uint64_t)(b >> 64);
    bt_element low = (bt_element)a0 * b0, middle = (bt_element)a1 * b0 + (bt_element)a0 * b1;
    bt_element sum = low + (middle << 64);
    bt_element high = (bt_element)a1 * b1 + (middle >> 64) + (sum < low);
    return fold(fold(fold(sum)) + fold(high << 1)); /* 2^128 is 2 */
}

void bt_chain_key_make(const bt_seed *seed, bt_chain_key *out)
{
    bt_stream stream;
    bt_stream_init(&stream, seed, "values in their order", 0);
    out->place = bt_stream_next(&stream) >> 4;
    out->place = out->place << 64 | bt_stream_next(&stream);
    for (size_t i = 0; i < sizeof out->text; i++)
        out->text[i] = (unsigned char)bt_stream_next(&stream);
}

bt_way bt_way_of(const bt_reading *reading)
{
    switch (reading->type) {
    case BT_INTEGER:
    case BT_DECIMAL: return BT_WAY_NUMBER;
    case BT_DATE:
        return reading->date_form == BT_FORM_YMD   ? BT_WAY_YMD
               : reading->date_form == BT_FORM_DMY ? BT_WAY_DMY
                                                   : BT_WAY_MDY;
    case BT_TEXT: break;
    }
    return BT_WAY_TEXT;
}

bt_element bt_element_of(const bt_chain_key *key, const char *text, size_t length)
{
    char bytes[BT_WORDS] = {0};
    if (length <= BT_ELEMENT_SHORT) {
        memcpy(bytes, text, length);
        return bt_element_short(bt_words_of(bytes, length), (uint32_t)length);
    }
    bt_short_hash(key->text, text, length, (unsigned char *)bytes);
    return bt_element_short(bt_words_of(bytes, BT_ELEMENT_SHORT), BT_ELEMENT_SHORT + 1);
}

/* ---- ways to read a value ---------------------------------------------------------------- */

static bt_reading reading_of(bt_way way, bool decimal_comma)
{
    static const unsigned date_forms[BT_WAYS] = {
        [BT_WAY_YMD] = BT_FORM_YMD, [BT_WAY_DMY] = BT_FORM_DMY, [BT_WAY_MDY] = BT_FORM_MDY};
    return (bt_reading){.type = way == BT_WAY_TEXT     ? BT_TEXT
                                : way == BT_WAY_NUMBER ? BT_DECIMAL
                                                       : BT_DATE,
                        .date_form = date_forms[way],
                        .timed = true,
                        .decimal_comma = decimal_comma};
}

static const unsigned forms_of[BT_WAYS] = {[BT_WAY_NUMBER] = BT_FORM_DECIMAL,
                                           [BT_WAY_YMD] = BT_FORM_YMD,
                                           [BT_WAY_DMY] = BT_FORM_DMY,
                                           [BT_WAY_MDY] = BT_FORM_MDY};

bool bt_is_plain(const char *text, size_t length, unsigned forms, bool decimal_comma)
{
    char number[BT_NUMBER_TEXT];
    size_t found;
    if (forms == 0) return true;
    /* Integers that begin with a digit have no other canonical form: see value.h. */
    if (forms & BT_FORM_INTEGER && text[0] != '+' && text[0] != '-') return true;
    for (unsigned way = 1; way < BT_WAYS; way++) {
        if (!(forms & forms_of[way])) continue;
        bt_reading reading = reading_of((bt_way)way, decimal_comma);
        const char *canonical = bt_value_canonical(&reading, text, length, number, &found);
        if (found != length || memcmp(canonical, text, length) != 0) return false;
    }
    return true;
}

void bt_chain_add_read(bt_chain *chain, const bt_chain_key *key, const char *text, size_t length,
                       unsigned forms, bool decimal_comma)
{
    bt_element own = bt_element_of(key, text, length);
    for (unsigned way = 1; way < BT_WAYS; way++) {
        char number[BT_NUMBER_TEXT];
        size_t found = 0;
        bt_reading reading = reading_of((bt_way)way, decimal_comma);
        const char *canonical = text;
        if (length > 0 && forms & forms_of[way])
            canonical = bt_value_canonical(&reading, text, length, number, &found);
        bt_element value = canonical == number ? bt_element_of(key, number, found) : own;
        if (value == own && !(chain->apart >> way & 1)) continue;
        chain->ways[way] = bt_chain_step(key, bt_chain_way(chain, (bt_way)way), value);
        chain->apart |= 1U << way;
    }
    chain->ways[BT_WAY_TEXT] = bt_chain_step(key, chain->ways[BT_WAY_TEXT], own);
}

/* ---- joining ----------------------------------------------------------------------------- */

bt_element bt_chain_join(const bt_chain_key *key, bt_element before, bt_element after,
                         int64_t count)
{
    bt_element power = key->place;
    before = fold(before);
    for (; count > 0; count >>= 1) {
        if (count & 1) before = multiply(before, power);
        power = multiply(power, power);
    }
    return fold(before + fold(after));
}

void bt_element_write(bt_element element, unsigned char out[16])
{
    element = fold(element);
    if (element >= PRIME) element -= PRIME;
    for (size_t i = 0; i < 16; i++)
        out[i] = (unsigned char)(element >> (8 * i));
}
