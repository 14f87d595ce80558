/* SPDX-License-Identifier: Apache-2.0
 *
 * Filling the caller's error.
 */
#include "kit/kit.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

void ex_error_set(bauta_error *error, bauta_status code, const char *format, ...)
{
    if (!error) return;
    *error = (bauta_error){.status = code, .row = -1};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

bauta_status ex_fail_memory(bauta_error *error)
{
    return ex_fail(error, BAUTA_SYSTEM, "out of memory");
}

bauta_status ex_fail_errno(bauta_error *error, const char *what, const char *file)
{
    char scratch[128];
    const char *reason = strerror_r(errno, scratch, sizeof scratch);
    ex_error_set(error, BAUTA_SYSTEM, "%s '%s': %s", what, file, reason);
    ex_error_place(error, file, -1, NULL);
    return BAUTA_SYSTEM;
}

void ex_error_place(bauta_error *error, const char *file, int64_t row, const char *column)
{
    if (!error) return;
    error->row = row;
    if (file) snprintf(error->file, sizeof error->file, "%s", file);
    if (column) snprintf(error->column, sizeof error->column, "%s", column);
}

void ex_error_hint(bauta_error *error, const char *format, ...)
{
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}
