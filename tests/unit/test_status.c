/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors are filled without allocation, cut where they must be, and NULL is accepted.
 */
#include "support.h"

#include <errno.h>
#include <string.h>

static void fail_fills_all_fields(void **state)
{
    (void)state;
    bauta_error error;
    memset(&error, 'x', sizeof error);
    assert_int_equal(bt_fail(&error, BAUTA_INVALID, "column '%s' is odd", "age"), BAUTA_INVALID);
    assert_int_equal(error.status, BAUTA_INVALID);
    assert_string_equal(error.message, "column 'age' is odd");
    assert_string_equal(error.file, "");
    assert_string_equal(error.column, "");
    assert_string_equal(error.hint, "");
    assert_int_equal(error.row, -1);
}

static void place_and_hint_are_added(void **state)
{
    (void)state;
    bauta_error error;
    assert_int_equal(bt_fail(&error, BAUTA_NO, "no"), BAUTA_NO);
    bt_error_place(&error, "a.csv", 7, "zip");
    bt_error_hint(&error, "try %d", 5);
    assert_string_equal(error.message, "no");
    assert_string_equal(error.file, "a.csv");
    assert_string_equal(error.column, "zip");
    assert_string_equal(error.hint, "try 5");
    assert_int_equal(error.row, 7);
    bt_error_place(&error, NULL, 8, NULL);
    assert_string_equal(error.file, "a.csv");
    assert_string_equal(error.column, "zip");
    assert_int_equal(error.row, 8);
}

static void a_failure_forgets_the_one_before(void **state)
{
    (void)state;
    bauta_error error;
    assert_int_equal(bt_fail(&error, BAUTA_NO, "first"), BAUTA_NO);
    bt_error_place(&error, "a.csv", 7, "zip");
    bt_error_hint(&error, "advice");
    assert_int_equal(bt_fail_memory(&error), BAUTA_SYSTEM);
    assert_string_equal(error.message, "out of memory");
    assert_string_equal(error.file, "");
    assert_string_equal(error.hint, "");
}

static void errno_is_explained(void **state)
{
    (void)state;
    bauta_error error;
    errno = ENOENT;
    assert_int_equal(bt_fail_errno(&error, "cannot open", "x.csv"), BAUTA_SYSTEM);
    assert_string_equal(error.message, "cannot open 'x.csv': No such file or directory");
    assert_string_equal(error.file, "x.csv");
    errno = 12345; /* a number without a name: the text is made in a buffer */
    assert_int_equal(bt_fail_errno(&error, "cannot open", "x.csv"), BAUTA_SYSTEM);
    assert_non_null(strstr(error.message, "12345"));
}

static void long_texts_are_cut(void **state)
{
    (void)state;
    bauta_error error;
    char text[2000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    assert_int_equal(bt_fail(&error, BAUTA_NO, "%s", text), BAUTA_NO);
    bt_error_place(&error, text, 1, text);
    bt_error_hint(&error, "%s", text);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_int_equal(strlen(error.column), sizeof error.column - 1);
    assert_int_equal(strlen(error.hint), sizeof error.hint - 1);
}

/* Cutting must not leave half a character: the text goes to terminals and into JSON. */
static void cuts_keep_characters_whole(void **state)
{
    (void)state;
    bauta_error error;
    bt_error_clear(&error);
    char text[2000];
    for (size_t shift = 0; shift < 3; shift++) {
        memset(text, 'a', shift);
        for (size_t i = shift; i + 3 < sizeof text; i += 3)
            memcpy(text + i, "\xE2\x82\xAC", 4);
        assert_int_equal(bt_fail(&error, BAUTA_NO, "%s", text), BAUTA_NO);
        bt_error_place(&error, text, 1, text);
        bt_error_hint(&error, "%s", text);
        assert_int_equal((strlen(error.message) - shift) % 3, 0);
        assert_int_equal((strlen(error.file) - shift) % 3, 0);
        assert_int_equal((strlen(error.column) - shift) % 3, 0);
        assert_int_equal((strlen(error.hint) - shift) % 3, 0);
    }
}

static void null_is_accepted(void **state)
{
    (void)state;
    assert_int_equal(bt_fail(NULL, BAUTA_USAGE, "ignored"), BAUTA_USAGE);
    assert_int_equal(bt_fail_memory(NULL), BAUTA_SYSTEM);
    assert_int_equal(bt_fail_errno(NULL, "cannot", "x"), BAUTA_SYSTEM);
    bt_error_place(NULL, "a", 1, "b");
    bt_error_hint(NULL, "c");
    bt_error_clear(NULL);
}

static bauta_status tries(bauta_status status)
{
    BT_TRY(status);
    return BAUTA_INTERNAL;
}

static void try_passes_failures_on(void **state)
{
    (void)state;
    assert_int_equal(tries(BAUTA_NO), BAUTA_NO);
    assert_int_equal(tries(BAUTA_OK), BAUTA_INTERNAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fail_fills_all_fields),
        cmocka_unit_test(place_and_hint_are_added),
        cmocka_unit_test(a_failure_forgets_the_one_before),
        cmocka_unit_test(errno_is_explained),
        cmocka_unit_test(long_texts_are_cut),
        cmocka_unit_test(cuts_keep_characters_whole),
        cmocka_unit_test(null_is_accepted),
        cmocka_unit_test(try_passes_failures_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
