/* SPDX-License-Identifier: Apache-2.0
 *
 * The names of databases' tables, taken apart; and streams that are made on the way.
 */
#include "support.h"

#include "io/address.h"
#include "io/bytes.h"

typedef struct example {
    const char *name, *place, *query; /* place NULL: it is refused */
} example;

static void test_addresses(void **state)
{
    (void)state;
    static const example examples[] = {
        {"sqlite:a.db?table=t", "a.db", "SELECT * FROM \"t\""},
        {"sqlite:a.db?table=s.t", "a.db", "SELECT * FROM \"s\".\"t\""},
        {"sqlite:a.db?table=x\"; DROP", "a.db", "SELECT * FROM \"x\"\"; DROP\""},
        {"x:a?query=SELECT a&b=c?d", "a", "SELECT a&b=c?d"},
        {"x://h/d?m=1&table=t&n=2", "//h/d?m=1&n=2", "SELECT * FROM \"t\""},
        {"x:?table=t", "", "SELECT * FROM \"t\""},
        {"x:a?tables=t&table=u", "a?tables=t", "SELECT * FROM \"u\""},
        {"x:a", NULL, NULL},
        {"x:a?", NULL, NULL},
        {"x:a?table=", NULL, NULL},
        {"x:a?query=", NULL, NULL},
        {"x:a?table=t&table=u", NULL, NULL},
        {"x:a?table=t&query=SELECT 1", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        const example *e = &examples[i];
        bt_arena arena = {0};
        bt_address address;
        bauta_error error = {0};
        bauta_status status = bt_address_read(e->name, &arena, &address, &error);
        if (e->place) {
            assert_int_equal(status, BAUTA_OK);
            assert_string_equal(address.place, e->place);
            assert_string_equal(address.query, e->query);
        } else {
            assert_int_equal(status, BAUTA_USAGE);
        }
        bt_arena_release(&arena);
    }
}

typedef struct flow { /* "0123456789", a few bytes at a time */
    int left, closed;
} flow;

static bauta_status next_digits(void *user, char *bytes, size_t room, size_t *got,
                                bauta_error *error)
{
    (void)error;
    flow *f = user;
    *got = 0;
    while (*got < room && *got < 3 && f->left > 0)
        bytes[(*got)++] = (char)('0' + 10 - f->left--);
    return BAUTA_OK;
}

static void close_digits(void *user)
{
    ((flow *)user)->closed++;
}

static void test_stream(void **state)
{
    (void)state;
    flow f = {.left = 10};
    bt_bytes *bytes;
    char text[16];
    size_t length = 0, got;
    int64_t size;
    assert_int_equal(
        bt_bytes_stream(&(bt_bytes_flow){next_digits, close_digits, &f}, "digits", &bytes, NULL),
        BAUTA_OK);
    assert_false(bt_bytes_plain(bytes, &size));
    assert_int_equal(bt_bytes_on_disk(bytes), -1);
    do {
        assert_int_equal(bt_bytes_read(bytes, text + length, 16 - length, &got, NULL), BAUTA_OK);
        length += got;
    } while (got > 0);
    assert_int_equal(length, 10);
    assert_memory_equal(text, "0123456789", 10);
    bt_bytes_close(bytes);
    assert_int_equal(f.closed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
