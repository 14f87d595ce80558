/* SPDX-License-Identifier: Apache-2.0
 *
 * What the files of a release show by themselves: well-formed cells, canonical text, and what
 * the other columns single out.
 *
 * Cost: linear in classes and distinct texts.
 */
#include "audit/finding.h"

#include "base/text.h"

#include <string.h>

enum { COLUMNS_SHOWN = 10 };

/* ---- cells ---- */

static int64_t first_malformed(const bt_release *release, const bt_release_column *column)
{
    for (int64_t row = 0; row < release->files[column->file].rows; row++)
        if (!column->well_formed[bt_code_at(column->codes, column->width, row)])
            return bt_row_place(release, column->file, row);
    return BT_NO_ROW;
}

/* True: the column is fine. */
static bool check_column_cells(bt_audit_job *job, const bt_release_column *column)
{
    int64_t malformed = 0;
    for (uint32_t i = 0; column->values && i < column->values->count; i++)
        if (!column->well_formed[i]) malformed += column->values->rows[i];
    if (malformed == 0) return true;
    bool quasi = column->manifest->role == BT_ROLE_QUASI;
    bool listed = column->category || column->leaf;
    bt_finding_put(job, "cells", BT_FAILS, first_malformed(job->release, column),
                   "column '%s': %lld rows hold %s", column->manifest->name, (long long)malformed,
                   quasi && !column->values_shown ? "what is not a cell of this column"
                   : listed ? "a value that the manifest does not list, or not canonical"
                            : "a value that is not canonical for its type");
    return false;
}

static unsigned form_of(bt_type type)
{
    switch (type) {
    case BT_INTEGER: return BT_FORM_INTEGER;
    case BT_DECIMAL: return BT_FORM_DECIMAL;
    case BT_DATE: return BT_FORM_YMD | BT_FORM_DAY;
    case BT_TEXT: break;
    }
    return BT_FORM_ANY;
}

/* True: what is known of an other column fits its type. */
static bool check_column_type(bt_audit_job *job, const bt_release_column *column)
{
    unsigned wanted = form_of(column->manifest->type);
    if (!column->check || (column->check->forms & wanted) == wanted) return true;
    if (column->manifest->type == BT_TEXT) return true;
    bt_finding_put(job, "cells", BT_FAILS, BT_NO_ROW, "column '%s' holds what is not of type %s",
                   column->manifest->name, bt_type_name(column->manifest->type));
    return false;
}

static void check_shape(bt_audit_job *job, const bt_release_file *file)
{
    const bt_release_shape *shape = &file->shape;
    if (shape->bytes == shape->canonical && shape->ends_well)
        bt_finding_put(job, "canonical text", BT_HOLDS, BT_NO_ROW,
                       "%s has no needless byte in which the source could show", file->name);
    else
        bt_finding_put(job, "canonical text", BT_FAILS, BT_NO_ROW,
                       "%s has %lld bytes, its values take %lld%s", file->name,
                       (long long)shape->bytes, (long long)shape->canonical,
                       shape->ends_well ? "" : "; its last line does not end");
}

void bt_audit_cells(bt_audit_job *job)
{
    const bt_release *release = job->release;
    bool fine = true;
    for (size_t i = 0; i < release->column_count; i++) {
        fine &= check_column_cells(job, &release->columns[i]);
        fine &= check_column_type(job, &release->columns[i]);
    }
    if (fine)
        bt_finding_put(job, "cells", BT_HOLDS, BT_NO_ROW,
                       "every cell of %zu columns is well formed", release->column_count);
    for (size_t i = 0; i < release->file_count; i++)
        check_shape(job, &release->files[i]);
}

/* ---- categories ---- */

static const bt_release_column *find_column(const bt_release *release, const char *name)
{
    size_t i = 0;
    while (strcmp(release->columns[i].manifest->name, name) != 0)
        i++;
    return &release->columns[i];
}

static void check_companion(bt_audit_job *job, const bt_release_column *shown)
{
    const bt_release_column *values = find_column(job->release, shown->manifest->category_of);
    int64_t wrong = 0, first = BT_NO_ROW;
    for (int64_t row = bt_sensitive_rows(job->release); row-- > 0;) {
        uint32_t here = shown->category[bt_code_at(shown->codes, shown->width, row)];
        uint32_t there = values->category[bt_code_at(values->codes, values->width, row)];
        if (here == there) continue;
        wrong++;
        first = bt_row_place(job->release, shown->file, row);
    }
    if (wrong == 0)
        bt_finding_put(job, "categories", BT_HOLDS, BT_NO_ROW,
                       "column '%s' shows the category of each value of '%s'",
                       shown->manifest->name, values->manifest->name);
    else
        bt_finding_put(job, "categories", BT_FAILS, first,
                       "%lld rows of column '%s' do not show the category of the value in '%s'",
                       (long long)wrong, shown->manifest->name, values->manifest->name);
}

void bt_audit_categories(bt_audit_job *job)
{
    for (size_t i = 0; i < job->release->column_count; i++)
        if (bt_is_companion(job->release->columns[i].manifest))
            check_companion(job, &job->release->columns[i]);
}

/* ---- other columns ---- */

static const char *share(int64_t alone, int64_t rows, char *out)
{
    double part = rows > 0 ? (double)alone / (double)rows : 0;
    bt_share_print(part, out, BT_SHARE_TEXT);
    return out;
}

bauta_status bt_audit_other(bt_audit_job *job, bauta_error *error)
{
    const bt_release *release = job->release;
    bt_buffer text = {0};
    char part[BT_SHARE_TEXT];
    size_t found = 0;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < release->column_count && status == BAUTA_OK; i++) {
        const bt_release_column *column = &release->columns[i];
        if (!column->check || found++ >= COLUMNS_SHOWN) continue;
        status = bt_buffer_print(&text, error, "%s'%s' %s", found == 1 ? "" : ", ",
                                 column->manifest->name, share(column->alone, release->rows, part));
    }
    if (status == BAUTA_OK && found > COLUMNS_SHOWN)
        status = bt_buffer_print(&text, error, " and %zu more", found - COLUMNS_SHOWN);
    if (status == BAUTA_OK && found > 0)
        bt_finding_put(job, "other columns", BT_HOLDS, BT_NO_ROW,
                       "published unprotected; rows with a value of their own: %.*s; together "
                       "%s",
                       (int)text.length, text.bytes,
                       share(release->alone_together, release->rows, part));
    bt_buffer_release(&text);
    return status;
}
