/* SPDX-License-Identifier: Apache-2.0
 *
 * Random streams: fixed by seed, label and index alone; uniform as far as fixed seeds can show.
 */
#include "support.h"

#include "base/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bt_seed seed_of(const char *hex)
{
    bt_seed seed;
    assert_true(bt_seed_parse(hex, &seed));
    return seed;
}

static void seeds_are_parsed(void **state)
{
    (void)state;
    bt_seed seed = seed_of("1");
    for (int i = 0; i < 31; i++)
        assert_int_equal(seed.bytes[i], 0);
    assert_int_equal(seed.bytes[31], 1);
    seed = seed_of("aBc");
    assert_int_equal(seed.bytes[30], 0x0a);
    assert_int_equal(seed.bytes[31], 0xbc);
    seed = seed_of("00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF");
    assert_int_equal(seed.bytes[0], 0);
    assert_int_equal(seed.bytes[1], 0x11);
    assert_int_equal(seed.bytes[31], 0xff);
    assert_false(bt_seed_parse("", &seed));
    assert_false(bt_seed_parse("g", &seed));
    assert_false(bt_seed_parse("0x1", &seed));
    assert_false(
        bt_seed_parse("00112233445566778899aabbccddeeff00112233445566778899AABBCCDDEEFF0", &seed));
}

static void fresh_seeds_differ(void **state)
{
    (void)state;
    bauta_error error;
    bt_seed a, b;
    assert_ok(bt_seed_fresh(&a, &error), &error);
    assert_ok(bt_seed_fresh(&b, &error), &error);
    assert_memory_not_equal(a.bytes, b.bytes, sizeof a.bytes);
}

static void write_file(const char *path, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t i = 0; i < bytes; i++)
        assert_int_not_equal(fputc((int)i, file), EOF);
    assert_int_equal(fclose(file), 0);
}

static void seed_files_hold_32_bytes(void **state)
{
    (void)state;
    char path[] = "/tmp/bauta-test-XXXXXX";
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    close(descriptor);
    bauta_error error;
    bt_run run = {0};
    write_file(path, 32);
    assert_ok(bt_run_load_seed(&run, path, &error), &error);
    for (int i = 0; i < 32; i++)
        assert_int_equal(run.seed.bytes[i], i);
    static const size_t wrong[] = {0, 31, 33, 100};
    for (size_t i = 0; i < 4; i++) {
        write_file(path, wrong[i]);
        assert_fails(bt_run_load_seed(&run, path, &error), BAUTA_INVALID, &error,
                     "exactly 32 bytes");
        assert_string_equal(error.file, path);
    }
    unlink(path);
    assert_fails(bt_run_load_seed(&run, path, &error), BAUTA_SYSTEM, &error, "cannot open");
    assert_fails(bt_run_load_seed(&run, "/", &error), BAUTA_SYSTEM, &error, "cannot read");
}

static void streams_depend_on_seed_label_and_index(void **state)
{
    (void)state;
    bt_seed one = seed_of("1"), two = seed_of("2");
    bt_stream a, b;
    bt_stream_init(&a, &one, "shuffle", 0);
    bt_stream_init(&b, &one, "shuffle", 0);
    uint64_t first = bt_stream_next(&a);
    assert_int_equal(first, bt_stream_next(&b));
    bt_stream_init(&b, &two, "shuffle", 0);
    assert_int_not_equal(first, bt_stream_next(&b));
    bt_stream_init(&b, &one, "shuffle", 1);
    assert_int_not_equal(first, bt_stream_next(&b));
    bt_stream_init(&b, &one, "shufflf", 0);
    assert_int_not_equal(first, bt_stream_next(&b));
    /* The number is hashed before the label: neither can be taken for a part of the other. */
    bt_stream_init(&a, &one, "a", 'b');
    bt_stream_init(&b, &one, "ab", 0);
    assert_int_not_equal(bt_stream_next(&a), bt_stream_next(&b));
}

/* The first words for a fixed seed: they may never change, or released seeds lose their meaning. */
static void streams_are_the_same_for_ever(void **state)
{
    (void)state;
    bt_seed seed = seed_of("2a");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "rows", 3);
    static const uint64_t expected[] = {0xc4f2240b5e642a90, 0x1dec41f5e7b6dcdc, 0x830239216f068c02,
                                        0x537ebf7dde90d25b};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(bt_stream_next(&stream), expected[i]);
}

static void words_can_be_had_in_any_order(void **state)
{
    (void)state;
    enum { COUNT = 500 };
    bt_seed seed = seed_of("7");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "x", 0);
    uint64_t words[COUNT];
    for (size_t i = 0; i < COUNT; i++)
        words[i] = bt_stream_next(&stream);
    for (size_t i = COUNT; i-- > 0;) {
        bt_stream_seek(&stream, i);
        assert_int_equal(bt_stream_next(&stream), words[i]);
    }
    bt_stream_seek(&stream, UINT64_C(1) << 40);
    uint64_t far = bt_stream_next(&stream);
    bt_stream_seek(&stream, UINT64_C(1) << 40);
    assert_int_equal(bt_stream_next(&stream), far);
}

static void below_stays_below_and_is_uniform(void **state)
{
    (void)state;
    bt_seed seed = seed_of("c0ffee");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "below", 0);
    assert_int_equal(bt_stream_below(&stream, 1), 0);
    static const uint64_t bounds[] = {2, 3, 10, 97, 1000};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        enum { DRAWS = 200000 };
        int64_t counts[1000] = {0};
        for (int i = 0; i < DRAWS; i++) {
            uint64_t drawn = bt_stream_below(&stream, bounds[b]);
            assert_true(drawn < bounds[b]);
            counts[drawn]++;
        }
        double expected = (double)DRAWS / (double)bounds[b], square = 0;
        for (size_t i = 0; i < bounds[b]; i++)
            square += ((double)counts[i] - expected) * ((double)counts[i] - expected) / expected;
        /* Mean f, deviation sqrt(2f): five deviations away would be a fault. */
        double freedom = (double)bounds[b] - 1;
        assert_true(square < freedom + 5 * (freedom < 2 ? 1.5 : freedom / 2 + 2));
    }
    uint64_t large = (UINT64_C(1) << 63) + 1; /* half of the draws are rejected */
    for (int i = 0; i < 1000; i++)
        assert_true(bt_stream_below(&stream, large) < large);
}

static void words_fill_the_interval(void **state)
{
    (void)state;
    bt_seed seed = seed_of("5");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "unit", 0);
    double sum = 0;
    for (int i = 0; i < 100000; i++) {
        double unit = (double)(bt_stream_next(&stream) >> 11) * 0x1p-53;
        assert_true(unit >= 0 && unit < 1);
        sum += unit;
    }
    assert_true(sum / 100000 > 0.495 && sum / 100000 < 0.505);
}

static void permutations_are_permutations(void **state)
{
    (void)state;
    bt_seed seed = seed_of("9");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "permutation", 0);
    static const uint32_t sizes[] = {0, 1, 2, 3, 100, 10000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t count = sizes[s];
        uint32_t *order = calloc((size_t)count + 1, sizeof *order);
        unsigned char *seen = calloc((size_t)count + 1, 1);
        assert_non_null(order);
        assert_non_null(seen);
        bt_stream_permutation(&stream, order, count);
        for (uint32_t i = 0; i < count; i++) {
            assert_true(order[i] < count);
            assert_int_equal(seen[order[i]]++, 0);
        }
        free(order);
        free(seen);
    }
}

/* All 24 orders of four things are equally likely: chi-square with 23 degrees of freedom. */
static void permutations_are_uniform(void **state)
{
    (void)state;
    enum { DRAWS = 240000 };
    bt_seed seed = seed_of("beef");
    bt_stream stream;
    bt_stream_init(&stream, &seed, "permutation", 1);
    int64_t counts[256] = {0};
    for (int i = 0; i < DRAWS; i++) {
        uint32_t order[4];
        bt_stream_permutation(&stream, order, 4);
        counts[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]]++;
    }
    double square = 0;
    int orders = 0;
    for (int i = 0; i < 256; i++) {
        if (counts[i] == 0) continue;
        orders++;
        double difference = (double)counts[i] - DRAWS / 24.0;
        square += difference * difference / (DRAWS / 24.0);
    }
    assert_int_equal(orders, 24);
    assert_true(square > 5 && square < 53); /* one in ten thousand on either side */
}

/* Which of the 24 orders of four items, or the 12 of two of them, comes out. */
static size_t place_of(const uint32_t *items, size_t shown)
{
    size_t place = 0;
    for (size_t i = 0; i < shown; i++)
        place = place * 4 + items[i];
    return place;
}

static void choices_and_shuffles_are_uniform(void **state)
{
    (void)state;
    enum { ROUNDS = 48000 };
    bt_seed seed = seed_of("5");
    bt_stream stream;
    size_t chosen[16] = {0}, orders[256] = {0}, choices = 0, kinds = 0;
    bt_stream_init(&stream, &seed, "choices", 0);
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t items[] = {0, 1, 2, 3};
        for (size_t i = 0; i < 2; i++) {
            uint32_t picked = bt_stream_pick(&stream, items, i, 4);
            assert_int_equal(picked, items[i]);
        }
        chosen[place_of(items, 2)]++;
        bt_stream_shuffle(&stream, items, 4);
        assert_int_equal(1u << items[0] | 1u << items[1] | 1u << items[2] | 1u << items[3], 15);
        orders[place_of(items, 4)]++;
    }
    for (size_t i = 0; i < 16; i++) {
        choices += chosen[i] > 0;
        if (chosen[i]) assert_in_range(chosen[i], ROUNDS / 12 - 300, ROUNDS / 12 + 300);
    }
    for (size_t i = 0; i < 256; i++) {
        kinds += orders[i] > 0;
        if (orders[i]) assert_in_range(orders[i], ROUNDS / 24 - 200, ROUNDS / 24 + 200);
    }
    assert_int_equal(choices, 12);
    assert_int_equal(kinds, 24);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(seeds_are_parsed),
        cmocka_unit_test(fresh_seeds_differ),
        cmocka_unit_test(seed_files_hold_32_bytes),
        cmocka_unit_test(streams_depend_on_seed_label_and_index),
        cmocka_unit_test(streams_are_the_same_for_ever),
        cmocka_unit_test(words_can_be_had_in_any_order),
        cmocka_unit_test(below_stays_below_and_is_uniform),
        cmocka_unit_test(words_fill_the_interval),
        cmocka_unit_test(permutations_are_permutations),
        cmocka_unit_test(permutations_are_uniform),
        cmocka_unit_test(choices_and_shuffles_are_uniform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
