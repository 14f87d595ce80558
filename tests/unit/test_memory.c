/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, arenas, buffers and bitsets: sizes are checked, contents survive growth.
 */
#include "support.h"

#include "base/bitset.h"
#include "base/hash.h"
#include "base/memory.h"

#include <string.h>

static void sizes_are_checked(void **state)
{
    (void)state;
    size_t out;
    assert_true(bt_size_mul(3, 4, &out));
    assert_int_equal(out, 12);
    assert_false(bt_size_mul(SIZE_MAX / 2, 3, &out));
    assert_true(bt_size_add(SIZE_MAX - 1, 1, &out));
    assert_false(bt_size_add(SIZE_MAX, 1, &out));
}

static void arrays_of_impossible_size_are_null(void **state)
{
    (void)state;
    assert_null(bt_array(SIZE_MAX / 2, 3));
    assert_null(bt_array_zero(SIZE_MAX / 2, 3));
    bt_arena arena = {0};
    assert_null(bt_arena_alloc(&arena, SIZE_MAX));
    assert_null(bt_arena_alloc(&arena, SIZE_MAX - 20));
    assert_null(bt_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_null(bt_arena_copy(&arena, "", SIZE_MAX));
    bt_arena_release(&arena);
}

static void empty_arrays_are_valid(void **state)
{
    (void)state;
    void *plain = bt_array(0, 8), *zero = bt_array_zero(0, 8);
    assert_non_null(plain);
    assert_non_null(zero);
    free(plain);
    free(zero);
    unsigned char *bytes = bt_array_zero(100, 1);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(bytes[i], 0);
    free(bytes);
}

static void growth_doubles_and_keeps_contents(void **state)
{
    (void)state;
    bauta_error error;
    uint32_t *items = NULL;
    size_t capacity = 0, reallocations = 0;
    for (uint32_t i = 0; i < 10000; i++) {
        size_t before = capacity;
        assert_ok(bt_array_grow(&items, &capacity, (size_t)i + 1, sizeof *items, &error), &error);
        reallocations += capacity != before;
        items[i] = i;
    }
    for (uint32_t i = 0; i < 10000; i++)
        assert_int_equal(items[i], i);
    assert_true(reallocations < 16);
    assert_fails(bt_array_grow(&items, &capacity, SIZE_MAX, sizeof *items, &error), BAUTA_SYSTEM,
                 &error, "out of memory");
    assert_fails(bt_array_grow(&items, &capacity, SIZE_MAX / 4, 8, &error), BAUTA_SYSTEM, &error,
                 "out of memory");
    assert_int_equal(items[9999], 9999);
    free(items);
}

static void arena_gives_aligned_separate_memory(void **state)
{
    (void)state;
    bt_arena arena = {0};
    enum { COUNT = 2000 };
    static struct {
        unsigned char *bytes;
        size_t length;
    } pieces[COUNT];
    uint64_t random = 1;
    for (size_t i = 0; i < COUNT; i++) {
        /* Now and then one that needs a block of its own, or exactly fills one. */
        size_t length = i % 97 == 0 ? 40000 : i % 101 == 0 ? 65536 : test_below(&random, 300);
        pieces[i].bytes = bt_arena_alloc(&arena, length);
        pieces[i].length = length;
        assert_non_null(pieces[i].bytes);
        assert_int_equal((uintptr_t)pieces[i].bytes % 16, 0);
        memset(pieces[i].bytes, (int)(i % 251), length);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < pieces[i].length; j++)
            assert_int_equal(pieces[i].bytes[j], i % 251);
    bt_arena_release(&arena);
    assert_null(arena.blocks);
    assert_non_null(bt_arena_alloc(&arena, 10)); /* usable again */
    bt_arena_release(&arena);
}

static void arena_helpers(void **state)
{
    (void)state;
    bt_arena arena = {0};
    memset(bt_arena_alloc(&arena, 64), 'x', 64);
    uint64_t *zeros = bt_arena_array(&arena, 100, sizeof *zeros);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(zeros[i], 0);
    assert_string_equal(bt_arena_copy(&arena, "abcdef", 3), "abc");
    assert_string_equal(bt_arena_copy(&arena, NULL, 0), "");
    assert_string_equal(bt_arena_print(&arena, "%s=%d", "k", 5), "k=5");
    bt_arena_release(&arena);
}

static void buffer_appends(void **state)
{
    (void)state;
    bauta_error error;
    bt_buffer buffer = {0};
    for (int i = 0; i < 1000; i++) {
        assert_ok(bt_buffer_print(&buffer, &error, "%d,", i), &error);
        assert_ok(bt_buffer_add(&buffer, "ab", 2, &error), &error);
        assert_ok(bt_buffer_add(&buffer, NULL, 0, &error), &error);
    }
    assert_memory_equal(buffer.bytes, "0,ab1,ab2,ab", 12);
    assert_int_equal(buffer.length, 10 * 2 + 90 * 3 + 900 * 4 + 2000);
    assert_fails(bt_buffer_reserve(&buffer, SIZE_MAX, &error), BAUTA_SYSTEM, &error,
                 "out of memory");
    bt_buffer_release(&buffer);
    assert_null(buffer.bytes);
    bt_buffer_release(&buffer);
}

static void bitset_holds_what_was_added(void **state)
{
    (void)state;
    assert_int_equal(bt_bitset_words(0), 0);
    assert_int_equal(bt_bitset_words(64), 1);
    assert_int_equal(bt_bitset_words(65), 2);
    uint64_t set[4] = {0};
    for (size_t bit = 0; bit < 256; bit += 3)
        bt_bitset_add(set, bit);
    size_t members = 0;
    for (size_t bit = 0; bit < 256; bit++) {
        assert_int_equal(bt_bitset_has(set, bit), bit % 3 == 0);
        members += bt_bitset_has(set, bit);
    }
    assert_int_equal(members, 86);
}

static void hash_depends_on_every_byte(void **state)
{
    (void)state;
    char text[200] = {0};
    for (size_t length = 1; length < sizeof text; length++) {
        uint64_t before = bt_hash(text, length);
        assert_int_equal(before, bt_hash(text, length));
        text[length - 1] = 1;
        assert_int_not_equal(before, bt_hash(text, length));
        text[length - 1] = 0;
    }
    assert_int_not_equal(bt_hash_mix(1, 2), bt_hash_mix(2, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_checked),
        cmocka_unit_test(arrays_of_impossible_size_are_null),
        cmocka_unit_test(empty_arrays_are_valid),
        cmocka_unit_test(growth_doubles_and_keeps_contents),
        cmocka_unit_test(arena_gives_aligned_separate_memory),
        cmocka_unit_test(arena_helpers),
        cmocka_unit_test(buffer_appends),
        cmocka_unit_test(bitset_holds_what_was_added),
        cmocka_unit_test(hash_depends_on_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
