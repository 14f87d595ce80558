/* SPDX-License-Identifier: Apache-2.0
 *
 * Any bytes as a CSV block: the scanner agrees with its byte-by-byte twin, the number of columns
 * can be found out, and what a field holds survives writing and reading again.
 *
 * The first byte chooses delimiter and number of columns; the rest is the block.
 */
#include "fuzz.h"

#include "../tests/oracle/naive_csv.h"

static void check_round_trip(bt_span *field, bt_buffer *scratch)
{
    bt_buffer written = {0}, again = {0};
    fuzz_check(bt_span_text(field, scratch, NULL) == BAUTA_OK, "memory");
    fuzz_check(bt_csv_put(&written, field->bytes, field->length, NULL) == BAUTA_OK, "memory");
    size_t length = written.length;
    fuzz_check(bt_buffer_add(&written, ",x\n", 3, NULL) == BAUTA_OK, "memory");
    fuzz_check(bt_buffer_reserve(&written, BT_CSV_PADDING, NULL) == BAUTA_OK, "memory");
    memset(written.bytes + length + 3, '"', BT_CSV_PADDING);
    bt_csv csv;
    bt_span spans[2];
    bt_csv_open(&csv, written.bytes, length + 3, ',', 2);
    fuzz_check(bt_csv_next(&csv, spans), "a written field cannot be read");
    fuzz_check(bt_span_text(&spans[0], &again, NULL) == BAUTA_OK, "memory");
    fuzz_check(spans[0].length == field->length &&
                   (field->length == 0 || memcmp(spans[0].bytes, field->bytes, field->length) == 0),
               "a written field reads differently");
    bt_buffer_release(&written);
    bt_buffer_release(&again);
}

static void check_any(const char *block, size_t length, char delimiter)
{
    bt_csv csv;
    bt_span fields[4];
    bt_buffer scratch = {0};
    size_t count, rounds = 0;
    bt_csv_open(&csv, block, length, delimiter, 1);
    while ((count = bt_csv_any(&csv, fields, 4)) > 0) {
        fuzz_check(++rounds <= length, "the scanner does not advance");
        for (size_t i = 0; i < count && i < 4; i++)
            check_round_trip(&fields[i], &scratch);
    }
    bt_buffer_release(&scratch);
}

static void check_survey(const char *block, size_t length)
{
    bt_csv_census census = bt_csv_survey(block, length), naive = {0, false, false};
    for (size_t i = 0; i < length; i++) {
        naive.quotes += block[i] == '"';
        naive.nul |= block[i] == '\0';
        naive.high |= (unsigned char)block[i] > 127;
    }
    fuzz_check(census.quotes == naive.quotes && census.nul == naive.nul &&
                   census.high == naive.high,
               "the survey differs");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    char delimiter = ",;\t|"[data[0] & 3];
    size_t columns = 1 + (data[0] >> 2) % 16, length = size - 1;
    char *block = malloc(length + BT_CSV_PADDING);
    fuzz_check(block, "memory");
    memcpy(block, data + 1, length);
    for (size_t i = 0; i < BT_CSV_PADDING; i++)
        block[length + i] = "\"\n,"[i % 3];
    const char *difference = naive_compare(block, length, delimiter, columns);
    fuzz_check(!difference, difference);
    check_any(block, length, delimiter);
    check_survey(block, length);
    free(block);
    return 0;
}
