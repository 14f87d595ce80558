/* SPDX-License-Identifier: Apache-2.0
 *
 * What every test program includes: cmocka with the headers it wants, shorthands for statuses,
 * and a small fixed random sequence.
 */
#ifndef BT_TEST_SUPPORT_H
#define BT_TEST_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/status.h"

#define assert_ok(call, error)                                                                     \
    do {                                                                                           \
        if ((call) != BAUTA_OK) fail_msg("%s (%s)", (error)->message, (error)->hint);              \
    } while (0)

/* The call fails with `expected` and a message that holds `text`. */
#define assert_fails(call, expected, error, text)                                                  \
    do {                                                                                           \
        bt_error_clear(error);                                                                     \
        assert_int_equal((call), (expected));                                                      \
        assert_int_equal((error)->status, (expected));                                             \
        if (!strstr((error)->message, (text))) fail_msg("message '%s'", (error)->message);         \
    } while (0)

/* SplitMix64: the same sequence everywhere. */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline uint64_t test_below(uint64_t *state, uint64_t bound)
{
    return test_random(state) % bound;
}

#endif
