/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading the small CSV files of a recipe.
 */
#include "recipe/csv_file.h"

#include "base/foreign.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the file ---- */

static bauta_status read_all(int descriptor, const char *file, const char *failure, bt_buffer *out,
                             bauta_error *error)
{
    struct stat about;
    size_t step = 64 * 1024;
    /* One byte more than the file has, so that its end is seen without growing. */
    if (fstat(descriptor, &about) == 0 && S_ISREG(about.st_mode) && about.st_size > 0)
        step = (size_t)about.st_size + 1;
    for (;;) {
        BT_TRY(bt_buffer_reserve(out, step, error));
        ssize_t got = read(descriptor, out->bytes + out->length, step);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return bt_fail_errno(error, failure, file);
        if (got == 0) break;
        out->length += (size_t)got;
        step = 64 * 1024;
    }
    BT_TRY(bt_buffer_reserve(out, BT_CSV_PADDING, error));
    memset(out->bytes + out->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

/* A folder is left to whoever reads it. */
static bauta_status check_plain(int descriptor, const char *file, bauta_error *error)
{
    struct stat about;
    if (fstat(descriptor, &about) != 0) return bt_fail_errno(error, "cannot look at", file);
    if (S_ISREG(about.st_mode) || S_ISDIR(about.st_mode)) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID, "this is no plain file");
    bt_error_place(error, file, -1, NULL);
    bt_error_hint(error, "a pipe or a device may never end: write it to a file first");
    return status;
}

bauta_status bt_csv_file_read(const char *file, const char *kind, bt_buffer *out, bool *absent,
                              bauta_error *error)
{
    char failure[64];
    snprintf(failure, sizeof failure, "cannot open %s", kind);
    int descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    *absent = descriptor < 0 && errno == ENOENT;
    if (descriptor < 0) {
        bauta_status status = bt_fail_errno(error, failure, file);
        if (*absent && error) error->status = BAUTA_INVALID;
        return *absent ? BAUTA_INVALID : status;
    }
    snprintf(failure, sizeof failure, "cannot read %s", kind);
    bauta_status status = check_plain(descriptor, file, error);
    if (status == BAUTA_OK) status = read_all(descriptor, file, failure, out, error);
    close(descriptor);
    if (status != BAUTA_OK) return status;
    const char *foreign = bt_foreign_content(out->bytes, out->length, true);
    if (!foreign) return BAUTA_OK;
    status = bt_fail(error, BAUTA_INVALID, "the file is %s, not text", foreign);
    bt_error_place(error, file, -1, NULL);
    bt_error_hint(error, "%s", bt_foreign_hint);
    return status;
}

/* ---- rows ---- */

enum { SNIFFED_ROWS = 1000 };

static size_t rows_with_fields(const char *bytes, size_t length, char delimiter)
{
    bt_csv csv;
    bt_csv_open(&csv, bytes, length, delimiter, 0);
    size_t fields, split = 0;
    bt_span first;
    for (int i = 0; i < SNIFFED_ROWS && (fields = bt_csv_any(&csv, &first, 1)) > 0; i++)
        split += fields > 1;
    return split;
}

static char sniff(const char *bytes, size_t length)
{
    size_t semicolons = rows_with_fields(bytes, length, ';');
    return rows_with_fields(bytes, length, ',') > semicolons ? ',' : ';';
}

void bt_csv_rows_open(bt_csv_rows *rows, const char *bytes, size_t length, const char *file,
                      const char *column)
{
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    *rows = (bt_csv_rows){.file = file, .column = column, .census = bt_csv_survey(bytes, length)};
    bt_csv_open(&rows->csv, bytes, length, sniff(bytes, length), 0);
}

bauta_status bt_csv_rows_fail(const bt_csv_rows *rows, const char *what, const char *hint,
                              bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, rows->file, rows->row, rows->column);
    if (hint) bt_error_hint(error, "%s", hint);
    return status;
}

bauta_status bt_csv_rows_next(bt_csv_rows *rows, bt_span *fields, size_t most, size_t *count,
                              bauta_error *error)
{
    *count = bt_csv_any(&rows->csv, fields, most);
    if (rows->row == UINT32_MAX)
        return bt_csv_rows_fail(rows, "the file has too many rows", NULL, error);
    rows->row++;
    if (rows->csv.fault == BT_CSV_FINE) return BAUTA_OK;
    return bt_csv_rows_fail(rows, bt_csv_fault_text(rows->csv.fault), NULL, error);
}

bauta_status bt_csv_rows_text(const bt_csv_rows *rows, bt_span *field, bt_buffer *scratch,
                              bauta_error *error)
{
    BT_TRY(bt_span_text(field, scratch, error));
    if (rows->census.nul && memchr(field->bytes, '\0', field->length))
        return bt_csv_rows_fail(rows, "the row holds a zero byte", NULL, error);
    if (rows->census.high && bt_utf8_valid_prefix(field->bytes, field->length) != field->length)
        return bt_csv_rows_fail(rows, "the row is not valid UTF-8", "save the file as UTF-8",
                                error);
    return BAUTA_OK;
}

bauta_status bt_csv_rows_pairs(bt_csv_rows *rows, const char *form, bt_csv_pair take, void *user,
                               bauta_error *error)
{
    BT_OWN(bt_buffer_release) bt_buffer first = {0}, second = {0};
    for (;;) {
        bt_span fields[2];
        size_t count;
        BT_TRY(bt_csv_rows_next(rows, fields, 2, &count, error));
        if (count == 0) return BAUTA_OK;
        if (count != 2)
            return bt_csv_rows_fail(rows, "the row does not have two fields", form, error);
        BT_TRY(bt_csv_rows_text(rows, &fields[0], &first, error));
        BT_TRY(bt_csv_rows_text(rows, &fields[1], &second, error));
        BT_TRY(take(user, rows, fields, error));
    }
}
