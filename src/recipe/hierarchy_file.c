/* SPDX-License-Identifier: Apache-2.0
 *
 * The usual CSV form of a hierarchy: leaf;level1;…;* with ';' or ',', no header, rows may be
 * shorter than others, the '*' at the end may be left out.
 */
#include "base/csv.h"
#include "base/text.h"
#include "recipe/given.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the delimiter ---- */

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

/* The one that splits more of the first rows; labels such as [20,24] make ';' win ties. */
static char sniff(const char *bytes, size_t length)
{
    size_t semicolons = rows_with_fields(bytes, length, ';');
    return rows_with_fields(bytes, length, ',') > semicolons ? ',' : ';';
}

/* ---- rows ---- */

typedef struct reader {
    bt_given given;
    bt_csv csv;
    bt_csv_census census;
    bt_buffer scratch[BT_LEVELS_MOST]; /* for labels with doubled quotes */
    bt_span fields[BT_LEVELS_MOST];
    bt_label labels[BT_LEVELS_MOST];
    uint32_t row;
} reader;

static bauta_status fail_at(const reader *r, const char *what, const char *hint, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, r->given.tree.file, r->row, r->given.tree.column);
    if (hint) bt_error_hint(error, "%s", hint);
    return status;
}

static bauta_status take_field(reader *r, size_t i, bauta_error *error)
{
    bt_span *field = &r->fields[i];
    BT_TRY(bt_span_text(field, &r->scratch[i], error));
    if (r->census.nul && memchr(field->bytes, '\0', field->length))
        return fail_at(r, "the row holds a zero byte", NULL, error);
    if (r->census.high && bt_utf8_valid_prefix(field->bytes, field->length) != field->length)
        return fail_at(r, "the row is not valid UTF-8", "save the hierarchy as UTF-8", error);
    r->labels[i] = (bt_label){field->bytes, field->length};
    return BAUTA_OK;
}

static bauta_status read_rows(reader *r, bauta_error *error)
{
    for (;;) {
        size_t count = bt_csv_any(&r->csv, r->fields, BT_LEVELS_MOST);
        if (r->row == UINT32_MAX) return fail_at(r, "the file has too many rows", NULL, error);
        r->row++;
        if (r->csv.fault != BT_CSV_FINE)
            return fail_at(r, bt_csv_fault_text(r->csv.fault), NULL, error);
        if (count == 0) return BAUTA_OK;
        if (count > BT_LEVELS_MOST)
            return fail_at(r, "the row has too many levels",
                           "hierarchies have at most 1000 levels, '*' included", error);
        for (size_t i = 0; i < count; i++)
            BT_TRY(take_field(r, i, error));
        BT_TRY(bt_given_row(&r->given, r->labels, count, r->row, error));
    }
}

bauta_status bt_hierarchy_from_csv(const bt_hierarchy_job *job, const char *file, const char *bytes,
                                   size_t length, bauta_error *error)
{
    if (length >= 3 && memcmp(bytes, "\xEF\xBB\xBF", 3) == 0) {
        bytes += 3;
        length -= 3;
    }
    reader *r = bt_array_zero(1, sizeof *r);
    if (!r) return bt_fail_memory(error);
    r->census = bt_csv_survey(bytes, length);
    bt_csv_open(&r->csv, bytes, length, sniff(bytes, length), 0);
    bauta_status status =
        bt_given_init(&r->given, job->domain, job->arena, job->column, file, error);
    if (status == BAUTA_OK) status = read_rows(r, error);
    if (status == BAUTA_OK) status = bt_given_finish(&r->given, job, "file", error);
    bt_given_release(&r->given);
    for (size_t i = 0; i < BT_LEVELS_MOST; i++)
        bt_buffer_release(&r->scratch[i]);
    free(r);
    return status;
}

/* ---- the file ---- */

static bauta_status open_file(const char *file, int *descriptor, bauta_error *error)
{
    *descriptor = open(file, O_RDONLY | O_CLOEXEC);
    if (*descriptor >= 0) return BAUTA_OK;
    int code = errno;
    bauta_status status = bt_fail_errno(error, "cannot open hierarchy", file);
    if (code == ENOENT)
        bt_error_hint(error, "a hierarchy is a file, or one of intervals:5,10, mask, balanced:2, "
                             "date, flat");
    return status;
}

static bauta_status read_all(int descriptor, const char *file, bt_buffer *out, bauta_error *error)
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
        if (got < 0) return bt_fail_errno(error, "cannot read hierarchy", file);
        if (got == 0) break;
        out->length += (size_t)got;
        step = 64 * 1024;
    }
    BT_TRY(bt_buffer_reserve(out, BT_CSV_PADDING, error));
    memset(out->bytes + out->length, 0, BT_CSV_PADDING);
    return BAUTA_OK;
}

bauta_status bt_hierarchy_from_file(const bt_hierarchy_job *job, const char *file,
                                    bauta_error *error)
{
    int descriptor;
    bt_buffer text = {0};
    BT_TRY(open_file(file, &descriptor, error));
    bauta_status status = read_all(descriptor, file, &text, error);
    if (status == BAUTA_OK)
        status = bt_hierarchy_from_csv(job, file, text.bytes, text.length, error);
    close(descriptor);
    bt_buffer_release(&text);
    return status;
}
