/* SPDX-License-Identifier: Apache-2.0
 *
 * BT_ASSERT: what must hold whatever the input is, so that only a fault of Bauta can break it.
 * Every build but a release build stops where it does not (debug, sanitizers, coverage, fuzzing,
 * and any with -Db_ndebug=false). In a release build the condition is compiled and never evaluated:
 * it costs nothing and must have no side effects. Input that may be wrong is refused with a status
 * instead.
 */
#ifndef BT_ASSERT_H
#define BT_ASSERT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef NDEBUG
enum { BT_ASSERTIONS = 0 };
#else
enum { BT_ASSERTIONS = 1 };
#endif

#define BT_ASSERT(condition)                                                                       \
    do {                                                                                           \
        if (BT_ASSERTIONS && !(condition)) bt_assert_stop(#condition, __FILE__, __LINE__);         \
    } while (0)

__attribute__((noreturn)) static inline void bt_assert_stop(const char *condition, const char *file,
                                                            int line)
{
    dprintf(2, "%s:%d: not so: %s\n", file, line, condition);
    __builtin_trap();
}

/* Whether numbers ascend, none twice. */
static inline bool bt_ascend(const uint32_t *numbers, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (numbers[i] <= numbers[i - 1]) return false;
    return true;
}

/* Whether places where runs begin, count + 1 of them, go from 0 to `total` and never back. */
static inline bool bt_starts_fit(const uint32_t *starts, size_t count, uint64_t total)
{
    for (size_t i = 0; i < count; i++)
        if (starts[i] > starts[i + 1]) return false;
    return starts[0] == 0 && starts[count] == total;
}

#endif
