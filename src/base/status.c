/* SPDX-License-Identifier: Apache-2.0
 *
 * Filling a caller-owned error without allocating.
 */
#include "base/status.h"

#include "base/assert.h"

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

/* Prints into `field`; what does not fit is left out, whole characters at a time. */
static void print_field(char *field, size_t size, const char *format, va_list arguments)
{
    int length = vsnprintf(field, size, format, arguments);
    if (length < 0 || (size_t)length < size) return;
    size_t end = size - 1, start = end;
    while (start > 0 && end - start < 3 && ((unsigned char)field[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0 || ((unsigned char)field[start - 1] & 0xC0) != 0xC0) return;
    unsigned char lead = (unsigned char)field[start - 1];
    size_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (end - start < wanted) field[start - 1] = '\0';
}

static void set_field(char *field, size_t size, const char *format, ...) BT_PRINTF(3, 4);

static void set_field(char *field, size_t size, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_field(field, size, format, arguments);
    va_end(arguments);
}

void bt_error_set(bauta_error *error, bauta_status code, const char *format, ...)
{
    if (!error) return;
    bt_error_clear(error);
    error->status = code;
    va_list arguments;
    va_start(arguments, format);
    print_field(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
}

void bt_error_set_errno(bauta_error *error, const char *what, const char *file)
{
    char scratch[128];
    int code = errno;
#if defined(__GLIBC__) && defined(_GNU_SOURCE)
    const char *reason = strerror_r(code, scratch, sizeof scratch);
#else
    const char *reason = scratch;
    if (strerror_r(code, scratch, sizeof scratch) != 0)
        snprintf(scratch, sizeof scratch, "error %d", code);
#endif
    bt_error_set(error, BAUTA_SYSTEM, "%s '%s': %s", what, file, reason);
    bt_error_place(error, file, -1, NULL);
}

void bt_error_place(bauta_error *error, const char *file, int64_t row, const char *column)
{
    BT_ASSERT(row >= -1);
    if (!error) return;
    error->row = row;
    if (file) set_field(error->file, sizeof error->file, "%s", file);
    if (column) set_field(error->column, sizeof error->column, "%s", column);
}

void bt_error_hint(bauta_error *error, const char *format, ...)
{
    if (!error) return;
    va_list arguments;
    va_start(arguments, format);
    print_field(error->hint, sizeof error->hint, format, arguments);
    va_end(arguments);
}
