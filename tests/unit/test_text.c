/* SPDX-License-Identifier: Apache-2.0
 *
 * Names, lists, numbers and encodings, against naive twins where there is one.
 */
#include "support.h"

#include "base/text.h"

#include <stdio.h>
#include <string.h>

static void the_nearest_name_is_found(void **state)
{
    (void)state;
    static const char *const names[] = {"age", "zip", "sex", "disease", "marital-status"};
    assert_string_equal(bt_text_nearest("agee", names, 5), "age");
    assert_string_equal(bt_text_nearest("AGE", names, 5), "age");
    assert_string_equal(bt_text_nearest("marital_status", names, 5), "marital-status");
    assert_string_equal(bt_text_nearest("diseese", names, 5), "disease");
    assert_null(bt_text_nearest("temperature", names, 5));
    assert_null(bt_text_nearest("age", names, 0));
    char endless[5000];
    memset(endless, 'z', sizeof endless);
    endless[sizeof endless - 1] = '\0';
    const char *const only[] = {endless};
    assert_ptr_equal(bt_text_nearest(endless, only, 1), endless);
    assert_null(bt_text_nearest("age", only, 1));
}

static void check_split(const char *text, char separator, const char *const *expected, size_t count)
{
    bauta_error error;
    bt_arena arena = {0};
    char **parts;
    size_t found;
    assert_ok(bt_text_split(&arena, text, separator, &parts, &found, &error), &error);
    assert_int_equal(found, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(parts[i], expected[i]);
    bt_arena_release(&arena);
}

static void lists_are_split(void **state)
{
    (void)state;
    check_split("", ',', NULL, 0);
    check_split("a", ',', (const char *const[]){"a"}, 1);
    check_split("a,b,,c", ',', (const char *const[]){"a", "b", "", "c"}, 4);
    check_split(",", ',', (const char *const[]){"", ""}, 2);
    check_split(" a ,\tb c\t", ',', (const char *const[]){"a", "b c"}, 2);
    check_split("a\\,b,c", ',', (const char *const[]){"a,b", "c"}, 2);
    check_split("a\\:b,c", ',', (const char *const[]){"a\\:b", "c"}, 2);
    check_split("a,b\\\\", ',', (const char *const[]){"a", "b\\\\"}, 2);
    check_split("a\\ , b\\\\ ", ',', (const char *const[]){"a\\ ", "b\\\\"}, 2);
    check_split("a\\\\,b", ',', (const char *const[]){"a\\\\", "b"}, 2);
    check_split("a\\", ',', (const char *const[]){"a\\"}, 1);
    check_split("k=5:x|y", ':', (const char *const[]){"k=5", "x|y"}, 2);
}

static void backslashes_keep_what_follows(void **state)
{
    (void)state;
    assert_false(bt_text_is_kept("", 0));
    assert_false(bt_text_is_kept("a", 1));
    assert_true(bt_text_is_kept("a\\", 2));
    assert_true(bt_text_is_kept("\\,", 1));
    assert_false(bt_text_is_kept("a\\\\", 3));
    assert_true(bt_text_is_kept("a\\\\\\b", 4));
}

static void integers_are_parsed(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int64_t value;
    } good[] = {{"0", 0},
                {"-0", 0},
                {"+7", 7},
                {"007", 7},
                {"9223372036854775807", INT64_MAX},
                {"-9223372036854775808", INT64_MIN}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        int64_t value = 1;
        assert_true(bt_text_integer(good[i].text, &value));
        assert_int_equal(value, good[i].value);
    }
    static const char *const bad[] = {"",
                                      "-",
                                      "+",
                                      "1.0",
                                      " 1",
                                      "1 ",
                                      "0x10",
                                      "9223372036854775808",
                                      "+-1",
                                      "1e3",
                                      "-9223372036854775809"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int64_t value;
        if (bt_text_integer(bad[i], &value)) fail_msg("'%s' was accepted", bad[i]);
    }
}

/* Decodes by the definition: shortest form, no surrogates, at most U+10FFFF. */
static size_t naive_valid_prefix(const unsigned char *p, size_t length)
{
    size_t i = 0;
    while (i < length) {
        size_t more = p[i] < 0x80 ? 0 : p[i] >= 0xF8 ? 9 : p[i] >= 0xF0 ? 3 : p[i] >= 0xE0 ? 2 : 1;
        if (p[i] >= 0x80 && p[i] < 0xC0) return i;
        if (more == 9 || i + more >= length) return i;
        static const unsigned least[] = {0, 0x80, 0x800, 0x10000};
        unsigned code = more == 0 ? p[i] : p[i] & (0x3Fu >> more);
        for (size_t j = 1; j <= more; j++) {
            if ((p[i + j] & 0xC0) != 0x80) return i;
            code = code << 6 | (p[i + j] & 0x3F);
        }
        if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return i;
        i += more + 1;
    }
    return length;
}

static void utf8_of_all_short_sequences(void **state)
{
    (void)state;
    /* Every sequence of three bytes, followed by one that continues and one that does not. */
    for (unsigned bits = 0; bits < 1u << 24; bits += bits < 0x80 ? 1 : 1 + bits % 3) {
        unsigned char bytes[5] = {(unsigned char)(bits >> 16), (unsigned char)(bits >> 8),
                                  (unsigned char)bits, 0x80, 'a'};
        size_t naive = naive_valid_prefix(bytes, 5);
        if (bt_utf8_valid_prefix((const char *)bytes, 5) != naive) fail_msg("%06x", bits);
    }
}

static void utf8_of_random_text(void **state)
{
    (void)state;
    uint64_t random = 3;
    static const char *const pieces[] = {"a",
                                         "abcdefgh",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xEF\xBF\xBF",
                                         "\xF0\x9F\x98\x80",
                                         "\xF4\x8F\xBF\xBF",
                                         "\xED\xA0\x80",
                                         "\xC0\x80",
                                         "\xFF",
                                         "\xE2\x82",
                                         "\x80"};
    for (int round = 0; round < 20000; round++) {
        char text[400];
        size_t length = 0;
        size_t kinds = round % 4 == 0 ? 12 : 7;
        for (size_t n = test_below(&random, 40); n > 0; n--) {
            const char *piece = pieces[test_below(&random, kinds)];
            memcpy(text + length, piece, strlen(piece));
            length += strlen(piece);
        }
        size_t naive = naive_valid_prefix((const unsigned char *)text, length);
        assert_int_equal(bt_utf8_valid_prefix(text, length), naive);
        if (kinds == 7) assert_int_equal(naive, length);
    }
}

static void single_bytes_become_utf8(void **state)
{
    (void)state;
    char all[256], out[3 * 256];
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    size_t length = bt_encoding_to_utf8(BT_LATIN1, all, 256, out);
    assert_int_equal(length, 128 + 2 * 128);
    assert_int_equal(bt_utf8_valid_prefix(out, length), length);
    assert_memory_equal(out + 128 + 2 * (0xE9 - 0x80), "\xC3\xA9", 2);
    length = bt_encoding_to_utf8(BT_WINDOWS1252, all, 256, out);
    assert_int_equal(bt_utf8_valid_prefix(out, length), length);
    assert_memory_equal(out + 128, "\xE2\x82\xAC", 3); /* 0x80 is the euro sign */
    assert_memory_equal(out + 131, "\xC2\x81", 2);     /* 0x81 is undefined */
    char one[3];
    assert_int_equal(bt_encoding_to_utf8(BT_WINDOWS1252, "\x9F", 1, one), 2);
    assert_memory_equal(one, "\xC5\xB8", 2);
    assert_int_equal(bt_encoding_to_utf8(BT_UTF8, "\xC3\xA9", 2, one), 2);
    assert_memory_equal(one, "\xC3\xA9", 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_name_is_found),     cmocka_unit_test(lists_are_split),
        cmocka_unit_test(backslashes_keep_what_follows), cmocka_unit_test(integers_are_parsed),
        cmocka_unit_test(utf8_of_all_short_sequences),   cmocka_unit_test(utf8_of_random_text),
        cmocka_unit_test(single_bytes_become_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
