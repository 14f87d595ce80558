/* SPDX-License-Identifier: Apache-2.0
 *
 * Status and error: how every fallible function of the library reports.
 *
 * A function that can fail returns bauta_status and takes a caller-owned bauta_error last
 * (may be NULL). BT_TRY is the one macro that hides a return; what a function owns is declared
 * with BT_OWN (memory.h), which releases it there too.
 */
#ifndef BT_STATUS_H
#define BT_STATUS_H

#include <bauta.h>
#include <stdarg.h>
#include <stdbool.h>

#define BT_MUST_USE BAUTA_MUST_USE
#define BT_PRINTF(text, first) __attribute__((format(printf, text, first)))

#define BT_TRY(call)                                                                               \
    do {                                                                                           \
        bauta_status bt_try_status = (call);                                                       \
        if (bt_try_status != BAUTA_OK) return bt_try_status;                                       \
    } while (0)

/* Whether a failure says nothing about what was looked at: whoever turns failures into findings
 * passes these on. */
static inline bool bt_is_stop(bauta_status status)
{
    return status == BAUTA_SYSTEM || status == BAUTA_CANCELLED;
}

/* Fills `error` (place and hint are cleared) and is `code`, so that a failing function can say
 * `return bt_fail(error, BAUTA_INVALID, "…")`. A macro, so that compilers and static analyzers
 * see that the result is a failure. */
#define bt_fail(error, code, ...) (bt_error_set((error), (code), __VA_ARGS__), (code))
void bt_error_set(bauta_error *error, bauta_status code, const char *format, ...) BT_PRINTF(3, 4);

/* BAUTA_SYSTEM with "out of memory". */
BT_MUST_USE static inline bauta_status bt_fail_memory(bauta_error *error)
{
    return bt_fail(error, BAUTA_SYSTEM, "out of memory");
}

/* BAUTA_SYSTEM with "<what> 'file': <text of errno>". */
void bt_error_set_errno(bauta_error *error, const char *what, const char *file);
BT_MUST_USE static inline bauta_status bt_fail_errno(bauta_error *error, const char *what,
                                                     const char *file)
{
    bt_error_set_errno(error, what, file);
    return BAUTA_SYSTEM;
}

/* Add the place or the hint to an error already filled. */
void bt_error_place(bauta_error *error, const char *file, int64_t row, const char *column);
void bt_error_hint(bauta_error *error, const char *format, ...) BT_PRINTF(2, 3);

void bt_error_clear(bauta_error *error);

#endif
