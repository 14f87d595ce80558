/* SPDX-License-Identifier: Apache-2.0
 *
 * The CSV scanner against its byte-by-byte twin on random text.
 */
#include "support.h"

#include "naive_csv.h"

#include <stdlib.h>

/* Text made of pieces that matter to the scanner; lengths around the 64 bytes of its window. */
static size_t make_text(uint64_t *random, char delimiter, char *out, size_t most, unsigned clean)
{
    static const char alphabet[] = "ab \t\r\n\"\"\n,;|";
    size_t length = test_below(random, most), i = 0;
    while (i < length) {
        uint64_t draw = test_below(random, 100);
        if (draw < clean)
            out[i++] = draw % 4 == 0 ? delimiter : draw % 23 == 0 ? '\n' : 'x';
        else
            out[i++] = alphabet[test_below(random, sizeof alphabet - 1)];
    }
    return length;
}

static void compare(const char *text, size_t length, char delimiter, size_t columns)
{
    /* An exact copy, so that the address sanitizer sees a read beyond the padding; the padding
     * itself holds structural bytes that must not count. */
    char *block = malloc(length + BT_CSV_PADDING);
    assert_non_null(block);
    memcpy(block, text, length);
    for (size_t i = 0; i < BT_CSV_PADDING; i++)
        block[length + i] = "\",\n"[i % 3];
    const char *difference = naive_compare(block, length, delimiter, columns);
    if (difference) {
        print_message("# columns %zu, delimiter %d, text:\n# ", columns, delimiter);
        for (size_t i = 0; i < length; i++)
            print_message("%02x ", (unsigned char)text[i]);
        print_message("\n");
        free(block);
        fail_msg("scanner and twin differ in the %s", difference);
    }
    free(block);
}

static void scanner_and_twin_agree_on_random_text(void **state)
{
    (void)state;
    static const char delimiters[] = {',', ';', '\t', '|'};
    uint64_t random = 11;
    for (int round = 0; round < 60000; round++) {
        char text[400];
        char delimiter = delimiters[test_below(&random, 4)];
        size_t most = round % 10 == 0 ? 400 : 40;
        size_t length =
            make_text(&random, delimiter, text, most, (unsigned)test_below(&random, 101));
        compare(text, length, delimiter, 1 + test_below(&random, 4));
    }
}

/* Well-formed tables, so that long stretches are compared and not only the first fault. */
static void scanner_and_twin_agree_on_tables(void **state)
{
    (void)state;
    uint64_t random = 12;
    for (int round = 0; round < 3000; round++) {
        char text[8000];
        size_t length = 0, columns = 1 + test_below(&random, 9);
        for (size_t rows = test_below(&random, 30); rows > 0; rows--) {
            for (size_t column = 0; column < columns; column++) {
                if (column > 0) text[length++] = ',';
                bool quoted = test_below(&random, 5) == 0;
                if (quoted) text[length++] = '"';
                for (size_t n = test_below(&random, 12); n > 0; n--) {
                    char c = quoted ? "a,\n\"b"[test_below(&random, 5)] : 'c';
                    text[length++] = c;
                    if (c == '"') text[length++] = '"';
                }
                if (quoted) text[length++] = '"';
            }
            if (test_below(&random, 2)) text[length++] = '\r';
            text[length++] = '\n';
        }
        compare(text, length, ',', columns);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scanner_and_twin_agree_on_random_text),
        cmocka_unit_test(scanner_and_twin_agree_on_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
