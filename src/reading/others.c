/* SPDX-License-Identifier: Apache-2.0
 *
 * The texts of `other` columns. Opening a release only checks them, since audit and measures need
 * no more; questions do, and read the file once more for them.
 */
#include "reading/parts.h"

static bool wanted(const bt_release_column *column, size_t file)
{
    return column->file == file && column->manifest->role == BT_ROLE_OTHER && !column->values;
}

static bauta_status take_column(bt_release *release, bt_release_column *column, const bt_run *run,
                                bauta_error *error)
{
    bt_release_file *file = &release->files[column->file];
    bt_column coded;
    bauta_status status = bt_release_encode(file->others, column->place, run, &coded, error);
    column->codes = coded.codes;
    column->width = coded.width;
    column->values = bt_raw_values(file->others, column->place);
    BT_TRY(status);
    return bt_release_find_scale(release, column, error);
}

static bauta_status read_file(bt_release *release, size_t number, const bt_run *run,
                              bauta_error *error)
{
    bt_release_file *file = &release->files[number];
    BT_OWN(bt_free) bt_use *uses = bt_array_zero(bt_input_columns(file->input), sizeof *uses);
    bool any = false;
    if (!uses) return bt_fail_memory(error);
    for (size_t i = 0; i < release->column_count; i++) {
        if (!wanted(&release->columns[i], number)) continue;
        uses[release->columns[i].place] = BT_USE_CODE;
        any = true;
    }
    if (!any) return BAUTA_OK;
    BT_TRY(bt_input_read(file->input, uses, run, &file->others, error));
    if (bt_raw_rows(file->others) != file->rows)
        return bt_fail(error, BAUTA_INVALID, "'%s' changed while it was read", file->name);
    for (size_t i = 0; i < release->column_count; i++)
        if (wanted(&release->columns[i], number))
            BT_TRY(take_column(release, &release->columns[i], run, error));
    return BAUTA_OK;
}

bauta_status bt_release_code_others(bt_release *release, const bt_run *run, bauta_error *error)
{
    for (size_t i = 0; i < release->file_count; i++)
        BT_TRY(read_file(release, i, run, error));
    return BAUTA_OK;
}
