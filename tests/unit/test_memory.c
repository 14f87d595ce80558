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
    bt_arena_release(&arena);
    assert_null(bt_arena_alloc(&arena, SIZE_MAX - 20));
    bt_arena_release(&arena);
    assert_null(bt_arena_array(&arena, SIZE_MAX / 2, 3));
    bt_arena_release(&arena);
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
    zeros = bt_arena_array(&arena, 100000, sizeof *zeros); /* in a block of its own */
    for (size_t i = 0; i < 100000; i++)
        assert_int_equal(zeros[i], 0);
    assert_string_equal(bt_arena_copy(&arena, "abcdef", 3), "abc");
    assert_string_equal(bt_arena_copy(&arena, NULL, 0), "");
    assert_string_equal(bt_arena_print(&arena, "%s=%d", "k", 5), "k=5");
    bt_arena_release(&arena);
}

static void the_first_failure_of_an_arena_sticks(void **state)
{
    (void)state;
    bauta_error error;
    bt_arena arena = {0};
    assert_non_null(bt_arena_alloc(&arena, 10));
    assert_ok(bt_arena_check(&arena, &error), &error);
    assert_null(bt_arena_array(&arena, SIZE_MAX / 2, 3));
    assert_null(bt_arena_alloc(&arena, 10));
    assert_null(bt_arena_array(&arena, 1, 1));
    assert_null(bt_arena_copy(&arena, "a", 1));
    assert_null(bt_arena_print(&arena, "a"));
    assert_fails(bt_arena_check(&arena, &error), BAUTA_SYSTEM, &error, "out of memory");
    bt_arena_release(&arena);
    assert_ok(bt_arena_check(&arena, &error), &error);
    assert_non_null(bt_arena_alloc(&arena, 10));
    bt_arena_release(&arena);
}

static int released;

static void count_release(const int *number)
{
    released += *number;
}

static bauta_status own_two(bauta_status result)
{
    BT_OWN(count_release) int first = 1;
    BT_TRY(result);
    BT_OWN(count_release) int second = 10;
    (void)first, (void)second;
    return BAUTA_OK;
}

static void what_is_owned_is_released_wherever_a_function_returns(void **state)
{
    (void)state;
    assert_int_equal(own_two(BAUTA_NO), BAUTA_NO);
    assert_int_equal(released, 1);
    assert_int_equal(own_two(BAUTA_OK), BAUTA_OK);
    assert_int_equal(released, 12);
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

static uint64_t inverse_of(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* Texts made for a hash whose multipliers are known fall on one place under it, and on as many as
 * any others under a secret key. */
static void crafted_texts_are_spread(void **state)
{
    (void)state;
    enum { TEXTS = 20000, BITS = 16 };
    static const uint64_t first = 0x9e3779b97f4a7c15u, second = 0xff51afd7ed558ccdu;
    static bool taken[1 << BITS];
    size_t places = 0;
    for (uint64_t i = 0; i < TEXTS; i++) {
        uint64_t words[2] = {i * first, 0};
        words[1] = (0 - (words[0] ^ BT_WORDS) * first) * inverse_of(second);
        assert_int_equal((words[0] ^ BT_WORDS) * first + words[1] * second, 0);
        size_t place = bt_words_hash(bt_words_of((const char *)words, BT_WORDS)) >> (64 - BITS);
        places += !taken[place];
        taken[place] = true;
    }
    assert_true(places > 16800 && places < 17700); /* of 65,536: 17,235 on average, 45 around */
}

/* Words of long texts depend on every byte and on the length. */
static void words_depend_on_every_byte(void **state)
{
    (void)state;
    char text[300];
    memset(text, 'a', sizeof text);
    bt_words last = {0, 0};
    for (size_t length = BT_WORDS + 1; length < sizeof text; length++) {
        bt_words words = bt_words_of(text, length);
        assert_true(words.first != last.first || words.second != last.second);
        last = words;
        for (size_t i = 0; i < length; i++) {
            text[i] = 'b';
            bt_words other = bt_words_of(text, length);
            text[i] = 'a';
            assert_true(words.first != other.first || words.second != other.second);
        }
    }
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
        cmocka_unit_test(the_first_failure_of_an_arena_sticks),
        cmocka_unit_test(what_is_owned_is_released_wherever_a_function_returns),
        cmocka_unit_test(buffer_appends),
        cmocka_unit_test(bitset_holds_what_was_added),
        cmocka_unit_test(hash_depends_on_every_byte),
        cmocka_unit_test(crafted_texts_are_spread),
        cmocka_unit_test(words_depend_on_every_byte),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
