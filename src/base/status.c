/* SPDX-License-Identifier: Apache-2.0
 *
 * Filling a caller-owned error without allocating.
 */
#include "base/status.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

void bt_error_clear(bauta_error *error)
{
    if (!error) return;
    error->status = BAUTA_OK;
    error->row = -1;
    error->file[0] = error->column[0] = error->message[0] = error->hint[0] = '\0';
}

bauta_status bt_fail(bauta_error *error, bauta_status status, const char *format, ...)
{
    if (!error) return status;
    bt_error_clear(error);
    error->status = status;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return status;
}

bauta_status bt_fail_memory(bauta_error *error)
{
    return bt_fail(error, BAUTA_SYSTEM, "out of memory");
}

bauta_status bt_fail_errno(bauta_error *error, const char *what, const char *file)
{
    char reason[128];
    int code = errno;
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    snprintf(reason, sizeof reason, "%s", strerror_r(code, reason, sizeof reason));
#else
    if (strerror_r(code, reason, sizeof reason) != 0)
        snprintf(reason, sizeof reason, "error %d", code);
#endif
    bauta_status status = bt_fail(error, BAUTA_SYSTEM, "%s '%s': %s", what, file, reason);
    bt_error_place(error, file, -1, NULL);
    return status;
}

void bt_error_place(bauta_error *error, const char *file, int64_t row, const char *column)
{
    if (!error) return;
    error->row = row;
    if (file) snprintf(error->file, sizeof error->file, "%s", file);
    if (column) snprintf(error->column, sizeof error->column, "%s", column);
}

void bt_error_hint(bauta_error *error, const char *format, ...)
{
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}
