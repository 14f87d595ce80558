/* SPDX-License-Identifier: Apache-2.0
 *
 * Types and values of Arrow arrays.
 */
#include "io/arrow_column.h"

#include "base/hash.h"
#include "base/text.h"
#include "table/print.h"

#include <math.h>
#include <string.h>

typedef unsigned __int128 wide;

/* ---- types ------------------------------------------------------------------------------- */

enum { SECONDS_A_DAY = 86400 };

static const int64_t day_of_unit[] = {
    ['s'] = 86400, ['m'] = 86400000, ['u'] = 86400000000, ['n'] = 86400000000000};

/* Takes a number of up to four digits. */
static bool take_number(const char **text, int *out)
{
    const char *from = *text;
    for (*out = 0; **text >= '0' && **text <= '9' && *text < from + 4; ++*text)
        *out = *out * 10 + (**text - '0');
    return *text > from;
}

static bt_arrow_type date_type(unsigned width, int64_t part)
{
    return (bt_arrow_type){
        .layout = BT_LAYOUT_SIGNED, .yields = BT_YIELD_DATES, .width = width, .part = part};
}

static bauta_status parse_timestamp(const char *format, bt_arena *arena, bt_arrow_type *out,
                                    bauta_error *error)
{
    char unit = format[2];
    *out = (bt_arrow_type){.foreign = "values of an unknown type"};
    if ((unit != 's' && unit != 'm' && unit != 'u' && unit != 'n') || format[3] != ':')
        return BAUTA_OK;
    bt_arrow_type type = date_type(8, day_of_unit[(unsigned char)unit]);
    if (format[4] != '\0') {
        BT_TRY(bt_zone_find(format + 4, arena, &type.zone, error));
        if (!type.zone)
            type = (bt_arrow_type){.foreign = "timestamps of a time zone that is not "
                                              "known here"};
    }
    *out = type;
    return BAUTA_OK;
}

enum { FEW_DIGITS = 18 }; /* of a decimal in 64 bits */

static bt_arrow_type parse_decimal(const char *format)
{
    int precision, scale, bits = 128;
    const char *rest = format + 2;
    const bt_arrow_type unknown = {.foreign = "decimals of a kind that is not read"};
    if (!take_number(&rest, &precision) || *rest++ != ',' || !take_number(&rest, &scale))
        return unknown;
    if (*rest == ',' && (rest++, !take_number(&rest, &bits))) return unknown;
    if (*rest != '\0' || (bits != 32 && bits != 64 && bits != 128) || precision < 1 ||
        precision > BT_PRINT_DIGITS || scale > BT_PRINT_DIGITS)
        return unknown;
    bool few = precision <= FEW_DIGITS && scale <= FEW_DIGITS;
    return (bt_arrow_type){.layout = BT_LAYOUT_DECIMAL,
                           .yields = few ? BT_YIELD_DECIMALS : BT_YIELD_TEXT,
                           .width = (unsigned)bits / 8,
                           .scale = scale};
}

/* Types that are not read, by the beginning of their format. */
static const char *foreign_words(const char *format)
{
    static const struct {
        const char *start, *words;
    } kinds[] = {
        {"e", "half-precision numbers"},
        {"z", "binary"},
        {"Z", "binary"},
        {"vz", "binary"},
        {"w:", "binary"},
        {"tt", "times of day"},
        {"tD", "durations"},
        {"ti", "intervals"},
        {"+l", "lists"},
        {"+L", "lists"},
        {"+vl", "lists"},
        {"+vL", "lists"},
        {"+w", "lists"},
        {"+s", "structures"},
        {"+m", "maps"},
        {"+u", "unions"},
        {"+r", "run-end encoded"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strncmp(format, kinds[i].start, strlen(kinds[i].start)) == 0) return kinds[i].words;
    return "values of an unknown type";
}

static bauta_status parse_format(const char *format, bt_arena *arena, bt_arrow_type *out,
                                 bauta_error *error)
{
    static const struct {
        const char *format;
        bt_arrow_type type;
    } simple[] = {
        {"n", {.layout = BT_LAYOUT_NULL}},
        {"b", {.layout = BT_LAYOUT_BOOLEAN, .yields = BT_YIELD_CODES}},
        {"c", {.layout = BT_LAYOUT_SIGNED, .yields = BT_YIELD_INTEGERS, .width = 1}},
        {"C", {.layout = BT_LAYOUT_UNSIGNED, .yields = BT_YIELD_INTEGERS, .width = 1}},
        {"s", {.layout = BT_LAYOUT_SIGNED, .yields = BT_YIELD_INTEGERS, .width = 2}},
        {"S", {.layout = BT_LAYOUT_UNSIGNED, .yields = BT_YIELD_INTEGERS, .width = 2}},
        {"i", {.layout = BT_LAYOUT_SIGNED, .yields = BT_YIELD_INTEGERS, .width = 4}},
        {"I", {.layout = BT_LAYOUT_UNSIGNED, .yields = BT_YIELD_INTEGERS, .width = 4}},
        {"l", {.layout = BT_LAYOUT_SIGNED, .yields = BT_YIELD_INTEGERS, .width = 8}},
        {"L", {.layout = BT_LAYOUT_UNSIGNED, .yields = BT_YIELD_TEXT, .width = 8}},
        {"f", {.layout = BT_LAYOUT_FLOAT, .width = 4}},
        {"g", {.layout = BT_LAYOUT_DOUBLE, .width = 8}},
        {"u", {.layout = BT_LAYOUT_TEXT, .width = 4}},
        {"U", {.layout = BT_LAYOUT_TEXT, .width = 8}},
        {"vu", {.layout = BT_LAYOUT_VIEW, .width = 16}},
    };
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++)
        if (strcmp(format, simple[i].format) == 0) return *out = simple[i].type, BAUTA_OK;
    if (strncmp(format, "ts", 2) == 0) return parse_timestamp(format, arena, out, error);
    if (strcmp(format, "tdD") == 0)
        *out = date_type(4, 1);
    else if (strcmp(format, "tdm") == 0)
        *out = date_type(8, day_of_unit['m']);
    else if (strncmp(format, "d:", 2) == 0)
        *out = parse_decimal(format);
    else
        *out = (bt_arrow_type){.foreign = foreign_words(format)};
    return BAUTA_OK;
}

static bool is_integer(const bt_arrow_type *type)
{
    return (type->layout == BT_LAYOUT_SIGNED && type->yields == BT_YIELD_INTEGERS) ||
           type->layout == BT_LAYOUT_UNSIGNED;
}

bauta_status bt_arrow_type_read(const struct ArrowSchema *schema, bt_arena *arena,
                                bt_arrow_type *out, bauta_error *error)
{
    const struct ArrowSchema *values = schema->dictionary;
    BT_TRY(parse_format(schema->format, arena, out, error));
    if (!values) return BAUTA_OK;
    bt_arrow_type value = {.foreign = "dictionaries of dictionaries"};
    if (values->format && !values->dictionary)
        BT_TRY(parse_format(values->format, arena, &value, error));
    if (value.foreign || !is_integer(out)) {
        *out =
            (bt_arrow_type){.foreign = value.foreign ? value.foreign : "values of an unknown type"};
        return BAUTA_OK;
    }
    out->yields = BT_YIELD_CODES;
    out->value = bt_arena_array(arena, 1, sizeof *out->value);
    if (!out->value) return bt_fail_memory(error);
    *out->value = value;
    return BAUTA_OK;
}

/* ---- values ------------------------------------------------------------------------------ */

static bool is_valid(const unsigned char *bits, int64_t place)
{
    return !bits || (bits[place >> 3] >> (place & 7) & 1);
}

/* The bitmap of an array with missing values; NULL: it has none. */
static const unsigned char *validity(const struct ArrowArray *array)
{
    return array->null_count == 0 || array->n_buffers < 1 ? NULL : array->buffers[0];
}

/* Buffers need not be aligned. */
static uint64_t load_unsigned(const unsigned char *bytes, unsigned width)
{
    uint8_t one;
    uint16_t two;
    uint32_t four;
    uint64_t eight;
    switch (width) {
    case 1: return memcpy(&one, bytes, sizeof one), one;
    case 2: return memcpy(&two, bytes, sizeof two), two;
    case 4: return memcpy(&four, bytes, sizeof four), four;
    default: return memcpy(&eight, bytes, sizeof eight), eight;
    }
}

static int64_t load_signed(const unsigned char *bytes, unsigned width)
{
    uint64_t value = load_unsigned(bytes, width);
    unsigned unused = 64 - width * 8;
    return (int64_t)(value << unused) >> unused;
}

/* ---- decoding ---------------------------------------------------------------------------- */

static bool fail_at(bt_arrow_part *p, size_t row, const char *message)
{
    p->fault = row;
    p->message = message;
    return false;
}

static const unsigned char *value_at(const bt_arrow_part *p, size_t row)
{
    const unsigned char *values = p->array->buffers[1];
    return values + (size_t)(p->first + (int64_t)row) * p->type->width;
}

/* Marks missing values; whether there are any. */
static bool mark_missing(const bt_arrow_part *p, bt_vector *vector)
{
    const unsigned char *bits = validity(p->array);
    bool any = false;
    for (size_t r = 0; bits && r < p->rows; r++)
        any |= vector->room.missing[r] = !is_valid(bits, p->first + (int64_t)r);
    return any;
}

static bool decode_days(bt_arrow_part *p, bt_vector *vector)
{
    for (size_t r = 0; r < p->rows; r++) {
        int64_t time = load_signed(value_at(p, r), p->type->width), day;
        if (vector->missing && vector->missing[r]) continue;
        day = time / p->type->part - (time % p->type->part < 0);
        if (p->type->zone && day >= BT_FIRST_DAY - 1 && day <= BT_LAST_DAY + 1) {
            int64_t unit = p->type->part / SECONDS_A_DAY, second = time / unit - (time % unit < 0);
            second += bt_zone_ahead(p->type->zone, second);
            day = second / SECONDS_A_DAY - (second % SECONDS_A_DAY < 0);
        }
        if (day < BT_FIRST_DAY || day > BT_LAST_DAY)
            return fail_at(p, r, "the date is not in the years 1 to 9999");
        vector->room.numbers[r] = day;
    }
    return true;
}

/* A decimal of any width, as a magnitude and a sign. */
static wide load_decimal(const bt_arrow_part *p, size_t row, bool *negative)
{
    const unsigned char *bytes = value_at(p, row);
    if (p->type->width < 16) {
        int64_t value = load_signed(bytes, p->type->width);
        *negative = value < 0;
        return value < 0 ? (wide)0 - (wide)value : (wide)value;
    }
    wide value = (wide)load_unsigned(bytes + 8, 8) << 64 | load_unsigned(bytes, 8);
    *negative = value >> 127;
    return *negative ? (wide)0 - value : value;
}

static bool decode_decimals(bt_arrow_part *p, bt_vector *vector)
{
    wide most = 1;
    for (int i = 0; i < (p->type->yields == BT_YIELD_TEXT ? BT_PRINT_DIGITS : FEW_DIGITS); i++)
        most *= 10;
    for (size_t r = 0; r < p->rows; r++) {
        bool negative;
        wide magnitude = load_decimal(p, r, &negative);
        char *slot = vector->room.slots + r * BT_SLOT;
        if (vector->missing && vector->missing[r]) {
            vector->room.texts[r] = (bt_span){.bytes = slot};
            continue;
        }
        if (magnitude >= most) return fail_at(p, r, "the decimal has more digits than its type");
        if (p->type->yields == BT_YIELD_DECIMALS) {
            vector->room.numbers[r] = negative ? -(int64_t)magnitude : (int64_t)magnitude;
            continue;
        }
        size_t length = bt_print_scaled(magnitude, negative, p->type->scale, p->comma, slot);
        vector->room.texts[r] = (bt_span){.bytes = slot, .length = (uint32_t)length};
    }
    return true;
}

/* Numbers that are handed out as text. A floating point number that is no decimal of a table would
 * make the column one of words, which is not what it means. */
static bool print_numbers(bt_arrow_part *p, bt_vector *vector)
{
    for (size_t r = 0; r < p->rows; r++) {
        char *slot = vector->room.slots + r * BT_SLOT;
        size_t length = 0;
        float single;
        double value;
        bool missing = vector->missing && vector->missing[r];
        if (!missing && p->type->layout == BT_LAYOUT_UNSIGNED) {
            length = bt_print_scaled(load_unsigned(value_at(p, r), 8), false, 0, false, slot);
        } else if (!missing && p->type->layout == BT_LAYOUT_FLOAT) {
            memcpy(&single, value_at(p, r), sizeof single);
            if (!isnan(single)) length = bt_print_float((double)single, true, p->comma, slot);
        } else if (!missing) {
            memcpy(&value, value_at(p, r), sizeof value);
            if (!isnan(value)) length = bt_print_float(value, false, p->comma, slot);
        }
        if (length > 0 && p->type->layout != BT_LAYOUT_UNSIGNED &&
            !(bt_value_forms(slot, length, p->comma) & BT_FORM_DECIMAL))
            return fail_at(p, r, "the number is no decimal of up to 18 digits");
        vector->room.texts[r] = (bt_span){.bytes = slot, .length = (uint32_t)length};
    }
    return true;
}

/* Hands a text out where it lies; if fewer than BT_WORDS bytes are known to be readable there, a
 * copy. */
static bt_span span_of(const char *bytes, size_t length, size_t readable, char *slot)
{
    if (readable >= BT_WORDS) return (bt_span){.bytes = bytes, .length = (uint32_t)length};
    if (length > 0) memcpy(slot, bytes, length);
    return (bt_span){.bytes = slot, .length = (uint32_t)length};
}

/* Refuses what a CSV file could not hold either. */
static bool check_texts(bt_arrow_part *p, const bt_vector *vector)
{
    for (size_t r = 0; r < p->rows; r++) {
        const bt_span *text = &vector->room.texts[r];
        bt_csv_census census = bt_csv_survey(text->bytes, text->length);
        if (census.nul) return fail_at(p, r, "the text holds a NUL byte");
        if (census.high && bt_utf8_valid_prefix(text->bytes, text->length) != text->length)
            return fail_at(p, r, "the text is not valid UTF-8");
    }
    return true;
}

static bool decode_texts(bt_arrow_part *p, bt_vector *vector)
{
    const struct ArrowArray *array = p->array;
    const unsigned char *offsets = array->buffers[1];
    const char *bytes = array->buffers[2];
    unsigned width = p->type->width;
    int64_t end = load_signed(offsets + (size_t)(array->offset + array->length) * width, width);
    offsets += (size_t)p->first * width;
    int64_t from, to = load_signed(offsets, width), before = to;
    if (end > 0 && !bytes) return fail_at(p, 0, "the column has no text");
    for (size_t r = 0; r < p->rows; r++) {
        char *slot = vector->room.slots + r * BT_SLOT;
        from = to;
        to = load_signed(offsets + (r + 1) * width, width);
        if (from < 0 || to < from || to > end)
            return fail_at(p, r, "the offsets of texts are out of order");
        if (to - from >= UINT32_MAX) return fail_at(p, r, "the text is longer than 4 GiB");
        bool missing = vector->missing && vector->missing[r];
        vector->room.texts[r] = missing || to == from ? span_of(NULL, 0, 0, slot)
                                                      : span_of(bytes + from, (size_t)(to - from),
                                                                (size_t)(end - from), slot);
    }
    /* One look at all of them is enough where they are plain. */
    bt_csv_census census = bt_csv_survey(bytes ? bytes + before : "", (size_t)(to - before));
    return (!census.nul && !census.high) || check_texts(p, vector);
}

/* A view is a length and, of up to 12 bytes, the text itself; else its first four bytes, the number
 * of a buffer and a place in it. The last buffer has the sizes of those. */
static bool decode_views(bt_arrow_part *p, bt_vector *vector)
{
    const struct ArrowArray *array = p->array;
    int64_t variadic = array->n_buffers - 3;
    const unsigned char *sizes = array->buffers[array->n_buffers - 1];
    for (size_t r = 0; r < p->rows; r++) {
        char *slot = vector->room.slots + r * BT_SLOT;
        const unsigned char *view = value_at(p, r);
        int64_t length = load_signed(view, 4), buffer = load_signed(view + 8, 4),
                from = load_signed(view + 12, 4), size;
        if (vector->missing && vector->missing[r]) length = 0;
        if (length < 0) return fail_at(p, r, "the length of a text is below 0");
        if (length <= 12) {
            vector->room.texts[r] = span_of((const char *)view + 4, (size_t)length, 0, slot);
            continue;
        }
        if (buffer < 0 || buffer >= variadic || !array->buffers[2 + buffer] || !sizes)
            return fail_at(p, r, "the text is in no buffer");
        size = load_signed(sizes + (size_t)buffer * 8, 8);
        if (from < 0 || from > size || length > size - from)
            return fail_at(p, r, "the text is not in its buffer");
        vector->room.texts[r] = span_of((const char *)array->buffers[2 + buffer] + from,
                                        (size_t)length, (size_t)(size - from), slot);
    }
    return true;
}

/* Codes of 8 to 32 bits that are not missing; false: some are not in the dictionary. */
static bool load_codes(const bt_arrow_part *p, uint32_t most, uint32_t *codes)
{
    const unsigned char *values = value_at(p, 0);
    uint32_t highest = 0;
    for (size_t r = 0; r < p->rows && p->type->width == 1; r++)
        codes[r] = values[r];
    for (size_t r = 0; r < p->rows && p->type->width == 2; r++) {
        uint16_t code;
        memcpy(&code, values + r * sizeof code, sizeof code);
        codes[r] = code;
    }
    if (p->type->width == 4) memcpy(codes, values, p->rows * sizeof *codes);
    for (size_t r = 0; r < p->rows; r++)
        highest = codes[r] > highest ? codes[r] : highest;
    /* Of types with a sign the upper half is below 0. */
    uint32_t last = p->type->layout == BT_LAYOUT_UNSIGNED ? UINT32_MAX
                                                          : UINT32_MAX >> (33 - p->type->width * 8);
    return highest < most && highest <= last;
}

static bool decode_codes(bt_arrow_part *p, bt_vector *vector)
{
    static const char words[][2 * BT_WORDS] = {"false", "true", ""};
    static const bt_span texts[] = {
        {words[0], 5, false, false}, {words[1], 4, false, false}, {words[2], 0, false, false}};
    static const bt_dictionary booleans = {texts, 2};
    const bt_dictionary *dictionary = p->type->value ? p->dictionary : &booleans;
    const unsigned char *bits = p->array->buffers[1];
    vector->codes = vector->room.codes;
    vector->dictionary = dictionary;
    if (!vector->missing && p->type->value && p->type->width <= 4 &&
        load_codes(p, dictionary->count, vector->room.codes))
        return true;
    for (size_t r = 0; r < p->rows; r++) {
        uint64_t code = dictionary->count;
        bool missing = vector->missing && vector->missing[r];
        if (!missing && p->type->layout == BT_LAYOUT_BOOLEAN)
            code = is_valid(bits, p->first + (int64_t)r);
        else if (!missing && p->type->layout == BT_LAYOUT_UNSIGNED)
            code = load_unsigned(value_at(p, r), p->type->width);
        else if (!missing)
            code = (uint64_t)load_signed(value_at(p, r), p->type->width);
        if (!missing && code >= dictionary->count)
            return fail_at(p, r, "the code is not in the dictionary");
        vector->room.codes[r] = (uint32_t)code;
    }
    return true;
}

/* One loop for each type, so that the compiler can make each of them tight. */
#define LOAD_ALL(type)                                                                             \
    for (size_t r = 0; r < p->rows; r++) {                                                         \
        type number;                                                                               \
        memcpy(&number, values + r * sizeof number, sizeof number);                                \
        numbers[r] = (int64_t)number;                                                              \
    }

static void decode_numbers(const bt_arrow_part *p, bt_vector *vector)
{
    const unsigned char *values = value_at(p, 0);
    int64_t *numbers = vector->room.numbers;
    switch ((int)p->type->width * (p->type->layout == BT_LAYOUT_UNSIGNED ? -1 : 1)) {
    case 1: LOAD_ALL(int8_t) break;
    case 2: LOAD_ALL(int16_t) break;
    case 4: LOAD_ALL(int32_t) break;
    case 8: LOAD_ALL(int64_t) break;
    case -1: LOAD_ALL(uint8_t) break;
    case -2: LOAD_ALL(uint16_t) break;
    case -4: LOAD_ALL(uint32_t) break;
    default: break; /* integers of 64 bits without a sign are text */
    }
}

bool bt_arrow_decode(bt_arrow_part *p, bt_vector *vector)
{
    *vector = (bt_vector){
        .yields = p->type->yields, .scale = p->type->scale, .step = 1, .room = vector->room};
    bool fine = true;
    if (p->type->layout != BT_LAYOUT_NULL && p->type->layout != BT_LAYOUT_FOREIGN &&
        mark_missing(p, vector))
        vector->missing = vector->room.missing;
    switch (p->type->yields) {
    case BT_YIELD_CODES: return decode_codes(p, vector);
    case BT_YIELD_DATES: fine = decode_days(p, vector); break;
    case BT_YIELD_DECIMALS: fine = decode_decimals(p, vector); break;
    case BT_YIELD_INTEGERS: decode_numbers(p, vector); break;
    case BT_YIELD_TEXT:
        vector->texts = vector->room.texts;
        if (p->type->layout == BT_LAYOUT_TEXT) return decode_texts(p, vector);
        if (p->type->layout == BT_LAYOUT_VIEW)
            return decode_views(p, vector) && check_texts(p, vector);
        if (p->type->layout == BT_LAYOUT_DECIMAL) return decode_decimals(p, vector);
        if (p->type->layout == BT_LAYOUT_NULL || p->type->layout == BT_LAYOUT_FOREIGN)
            for (size_t r = 0; r < p->rows; r++)
                vector->room.texts[r] = (bt_span){.bytes = vector->room.slots};
        else
            return print_numbers(p, vector);
        return true;
    }
    vector->numbers = vector->room.numbers;
    return fine;
}

/* ---- arrays ------------------------------------------------------------------------------ */

const char *bt_arrow_fault(const bt_arrow_type *type, const struct ArrowArray *array, int64_t rows)
{
    const int64_t most = INT64_MAX / 64; /* times any width: no overflow */
    if (!array) return "a batch lacks the column";
    if (array->length < 0 || array->offset < 0 || array->length > most || array->offset > most)
        return "the length of a batch cannot be";
    if (array->length < rows) return "the column is shorter than its batch";
    if (type->layout == BT_LAYOUT_NULL || array->length == 0) return NULL;
    int64_t wanted = type->layout == BT_LAYOUT_TEXT || type->layout == BT_LAYOUT_VIEW ? 3 : 2;
    bool any = type->layout == BT_LAYOUT_VIEW;
    if (array->n_buffers < wanted || (!any && array->n_buffers != wanted) || !array->buffers)
        return "the column has not as many buffers as its type";
    if (!array->buffers[1]) return "the column lacks a buffer";
    if (array->null_count > 0 && !array->buffers[0])
        return "the column lacks the buffer that says what is missing";
    return NULL;
}
