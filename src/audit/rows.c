/* SPDX-License-Identifier: Apache-2.0
 *
 * An index of the rows of quasi.csv.
 */
#include "audit/rows.h"

struct bt_rows {
    bt_tuples distinct;
    bt_tuple_index *index;
    uint32_t *of_row;  /* its combination */
    size_t *first;     /* per combination, and one behind: its part of `classes` */
    uint32_t *classes; /* each once in a part */
};

/* Lists the classes of each combination: pairs are in the order of their first rows. */
static bauta_status list_classes(bt_rows *rows, const bt_tuples *pairs, const uint32_t *class_of,
                                 bauta_error *error)
{
    const uint32_t *of_row = rows->of_row;
    uint32_t count = rows->distinct.count;
    rows->first = bt_array_zero((size_t)count + 2, sizeof *rows->first);
    rows->classes = bt_array(pairs->count, sizeof *rows->classes);
    if (!rows->first || !rows->classes) return bt_fail_memory(error);
    for (uint32_t p = 0; p < pairs->count; p++)
        rows->first[(size_t)of_row[pairs->row[p]] + 2]++;
    for (size_t i = 2; i <= (size_t)count + 1; i++)
        rows->first[i] += rows->first[i - 1];
    for (uint32_t p = 0; p < pairs->count; p++)
        rows->classes[rows->first[(size_t)of_row[pairs->row[p]] + 1]++] = class_of[pairs->row[p]];
    return BAUTA_OK;
}

static bauta_status make(const bt_release *release, const bt_codes *columns, size_t count,
                         const bt_run *run, bt_rows *rows, bauta_error *error)
{
    const bt_release_file *file = &release->files[BT_QUASI_FILE];
    bt_tuples pairs = {0};
    rows->of_row = bt_array((size_t)file->rows, sizeof *rows->of_row);
    if (!rows->of_row) return bt_fail_memory(error);
    BT_TRY(bt_tuples_number(columns, count, file->rows, run, &rows->distinct, rows->of_row,
                            &rows->index, error));
    const bt_codes both[] = {{rows->of_row, 4, rows->distinct.count},
                             {file->bag_of, 4, release->classes.count}};
    bauta_status status = bt_tuples_group(both, 2, file->rows, run, &pairs, error);
    if (status == BAUTA_OK) status = list_classes(rows, &pairs, file->bag_of, error);
    bt_tuples_release(&pairs);
    return status;
}

bauta_status bt_rows_new(const bt_release *release, const uint32_t *texts, uint32_t text_count,
                         const bt_run *run, bt_rows **out, bauta_error *error)
{
    size_t count = 0;
    *out = NULL;
    bt_rows *rows = bt_array_zero(1, sizeof *rows);
    bt_codes *columns = bt_array(release->column_count + 1, sizeof *columns);
    bauta_status status = rows && columns ? BAUTA_OK : bt_fail_memory(error);
    for (size_t i = 0; status == BAUTA_OK && i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role == BT_ROLE_QUASI)
            columns[count++] = (bt_codes){column->codes, column->width, column->values->count};
    }
    if (status == BAUTA_OK && texts) columns[count++] = (bt_codes){texts, 4, text_count};
    if (status == BAUTA_OK) status = make(release, columns, count, run, rows, error);
    free(columns);
    if (status == BAUTA_OK)
        *out = rows;
    else
        bt_rows_free(rows);
    return status;
}

void bt_rows_free(bt_rows *rows)
{
    if (!rows) return;
    bt_tuples_release(&rows->distinct);
    bt_tuple_index_free(rows->index);
    free(rows->of_row);
    free(rows->first);
    free(rows->classes);
    free(rows);
}

void bt_rows_find(const bt_rows *rows, const uint32_t *codes, size_t count, uint32_t *numbers)
{
    bt_tuple_index_find_all(rows->index, codes, count, numbers);
}

bauta_status bt_rows_at(const bt_rows *rows, uint32_t number, bt_box_found found, void *user,
                        bauta_error *error)
{
    for (size_t i = rows->first[number]; i < rows->first[number + 1]; i++)
        BT_TRY(found(user, rows->classes[i], error));
    return BAUTA_OK;
}

const bt_tuples *bt_rows_all(const bt_rows *rows)
{
    return &rows->distinct;
}

const uint32_t *bt_rows_numbers(const bt_rows *rows)
{
    return rows->of_row;
}
