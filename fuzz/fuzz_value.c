/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a number, a date, a share, or cut points. A text that fits a type has a canonical
 * one that fits too and means the same; a share reads back as itself; cut points ascend and hold
 * every value of their column.
 *
 * The first byte has the decimal separator, the second the scale; the rest is the text.
 */
#include "fuzz.h"

#include "base/rational.h"
#include "base/text.h"
#include "recipe/cuts.h"

#include <inttypes.h>
#include <string.h>

static void check_reading(const bt_reading *reading, const char *bytes, size_t length, int scale)
{
    char text[BT_NUMBER_TEXT];
    size_t canonical;
    int64_t number, again;
    const bt_reading plain = {.type = reading->type, .date_form = BT_FORM_YMD};
    if (!bt_value_number(reading, bytes, length, scale, &number)) return;
    canonical = bt_number_print(reading->type, scale, number, text);
    fuzz_check(canonical < sizeof text, "a text that is too long");
    fuzz_check(bt_value_number(&plain, text, canonical, scale, &again), "not read back");
    fuzz_check(again == number, "reads differently");
}

static void check_forms(const char *bytes, size_t length, bool comma)
{
    unsigned forms = bt_value_forms(bytes, length, comma);
    bt_reading reading = bt_reading_of(forms, comma, true);
    char text[BT_NUMBER_TEXT];
    size_t canonical;
    if (length == 0 || reading.type == BT_TEXT) return;
    const char *out = bt_value_canonical(&reading, bytes, length, text, &canonical);
    unsigned after = bt_value_forms(out, canonical, false);
    fuzz_check(bt_reading_of(after, false, true).type != BT_TEXT,
               "the canonical text is no number");
}

static void check_share(const char *text)
{
    bt_rational share, again;
    char printed[64];
    int64_t number;
    if (!bt_rational_parse(text, &share)) {
        fuzz_check(!bt_text_integer(text, &number), "a whole number is refused");
        return;
    }
    fuzz_check(share.bottom > 0, "a denominator below 1");
    snprintf(printed, sizeof printed, "%" PRId64 "/%" PRId64, share.top, share.bottom);
    fuzz_check(bt_rational_parse(printed, &again) && bt_rational_compare(share, again) == 0,
               "a share reads differently");
}

static void make_column(unsigned kind, bt_arena *arena, bt_column *out)
{
    static const char *const texts[][3] = {
        {"1", "20", "-3"}, {"1.5", "20.25", "-3"}, {"2024-02-29", "1999-12-31", "2000-01-01"}};
    uint32_t lengths[3], codes[3];
    static const int64_t rows[] = {1, 1, 1};
    const bt_missing missing = {0};
    const bt_domain_options options = {.missing = &missing, .column = "c"};
    for (size_t i = 0; i < 3; i++)
        lengths[i] = (uint32_t)strlen(texts[kind][i]);
    const bt_values values = {3, (const char **)(uintptr_t)texts[kind], lengths,
                              (int64_t *)(uintptr_t)rows};
    *out = (bt_column){.name = "c", .role = BT_ROLE_QUASI};
    fuzz_check(bt_domain_build(&values, &options, arena, &out->domain, codes, NULL) == BAUTA_OK,
               "memory");
}

static void check_cuts(const char *text, unsigned kind)
{
    bt_arena arena = {0};
    bt_column column;
    bt_cuts *cuts;
    bauta_error error = {0};
    make_column(kind, &arena, &column);
    bauta_status status = bt_cuts_build(text, &column, &arena, &cuts, &error);
    fuzz_check(status == BAUTA_OK || (status == BAUTA_INVALID && error.message[0]),
               "cut points fail oddly");
    for (size_t i = 1; status == BAUTA_OK && i < cuts->count; i++) {
        fuzz_check(cuts->number[i - 1] < cuts->number[i], "cut points that do not ascend");
        fuzz_check(bt_cuts_find(cuts, cuts->number[i - 1]) == i - 1, "a cut in another cell");
    }
    bt_arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const bt_type types[] = {BT_INTEGER, BT_DECIMAL, BT_DATE, BT_DATE, BT_DATE};
    static const unsigned forms[] = {0, 0, BT_FORM_YMD, BT_FORM_DMY, BT_FORM_MDY};
    if (size < 2) return 0;
    size_t length = size - 2;
    bool comma = data[0] & 1;
    char *text = malloc(length + 1);
    fuzz_check(text, "memory");
    memcpy(text, data + 2, length);
    text[length] = '\0';
    for (size_t i = 0; i < 5; i++) {
        const bt_reading reading = {
            .type = types[i], .date_form = forms[i], .decimal_comma = comma};
        check_reading(&reading, text, length, types[i] == BT_DECIMAL ? data[1] % 19 : 0);
    }
    check_forms(text, length, comma);
    check_share(text);
    check_cuts(text, data[1] % 3);
    free(text);
    return 0;
}
