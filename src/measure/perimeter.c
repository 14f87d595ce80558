/* SPDX-License-Identifier: Apache-2.0
 *
 * Perimeter, which paper 5 calls NCP and prints without dividing by anything: of a row twice the
 * sum of the lengths of its box's sides, of a release the sum over all rows; a dropped row has the
 * box of all values. Lengths are those of numbers, or days; where a quasi column has none of these
 * there is no perimeter.
 *
 * Cost: one step per distinct cell.
 */
#include "measure/measure.h"

static bool has_perimeter(const bt_measure_job *job)
{
    for (size_t i = 0; i < job->column_count; i++) {
        const bt_measure_column *column = &job->columns[i];
        if (column->type == BT_TEXT || column->hierarchy || column->values_shown) return false;
    }
    return true;
}

/* The lengths of one column, of all rows. */
static unsigned __int128 length_of(const bt_measure_job *job, const bt_measure_column *column)
{
    const bt_original_column *original = &column->original;
    uint64_t whole = (uint64_t)original->greatest - (uint64_t)original->least;
    unsigned __int128 length = (unsigned __int128)job->dropped * whole;
    for (uint32_t i = 0; i < column->cells; i++) {
        bt_cell cell;
        int64_t rows = column->cell(column, i, &cell);
        if (cell.kind == BT_CELL_ALL) length += (unsigned __int128)rows * whole;
        if (cell.kind == BT_CELL_RANGE)
            length += (unsigned __int128)rows * bt_range_length(column, &cell);
    }
    return length;
}

void bt_perimeter_put(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    unsigned __int128 whole = 0;
    double sum = 0;
    bool exact = true; /* `whole` is the sum */
    if (!has_perimeter(job)) return;
    for (size_t i = 0; i < job->column_count; i++) {
        unsigned __int128 length = length_of(job, &job->columns[i]);
        int scale = job->columns[i].original.scale;
        double real = 2 * (double)length;
        for (int digit = 0; digit < scale; digit++)
            real /= 10;
        exact &= scale == 0 && !__builtin_add_overflow(whole, 2 * length, &whole);
        sum += real;
    }
    if (exact && whole <= INT64_MAX)
        bt_put_int(facts, at, "perimeter", (int64_t)whole);
    else
        bt_put_real(facts, at, "perimeter", sum);
}

const bt_measure bt_measure_perimeter = {
    .name = "perimeter",
    .summary = "sum of the perimeters of all rows' boxes, where all quasi columns are numbers",
    .paper = "paper 5",
    .direction = BT_LOWER_IS_BETTER,
    .compute = bt_perimeter_put,
};
