/* SPDX-License-Identifier: Apache-2.0
 *
 * Perimeter, which paper 5 calls NCP and prints without dividing by anything: of a row twice the
 * sum of the lengths of its box's sides, of a release the sum over all rows; a dropped row has the
 * box of all values. Lengths are those of numbers, or days; where a quasi column has none of these
 * there is no perimeter.
 *
 * Cost: one step per distinct cell.
 */
#include "measure/perimeter.h"

static unsigned __int128 whole_length(const bt_original_column *original)
{
    return (unsigned __int128)((uint64_t)original->greatest - (uint64_t)original->least);
}

bool bt_has_perimeter(const bt_release *release)
{
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        if (column->manifest->type == BT_TEXT || column->format.hierarchy || column->values_shown)
            return false;
    }
    return true;
}

uint64_t bt_cell_length(const bt_release_column *column, uint32_t code,
                        const bt_original_column *original)
{
    const bt_cell *cell = &column->cells[code];
    if (!column->well_formed[code] || cell->kind == BT_CELL_ALL)
        return (uint64_t)whole_length(original);
    return cell->kind == BT_CELL_RANGE ? bt_range_length(column, cell, original) : 0;
}

void bt_perimeter_add(bt_perimeter *sum, int scale, unsigned __int128 length)
{
    double real = 2 * (double)length;
    for (int i = 0; i < scale; i++)
        real /= 10;
    sum->exact &= scale == 0 && !__builtin_add_overflow(sum->whole, 2 * length, &sum->whole);
    sum->real += real;
}

void bt_perimeter_put(const bt_perimeter *sum, bt_facts *facts, json_t *at)
{
    if (sum->exact && sum->whole <= INT64_MAX)
        bt_put_int(facts, at, "perimeter", (int64_t)sum->whole);
    else
        bt_put_real(facts, at, "perimeter", sum->real);
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    const bt_release *release = job->release;
    bt_perimeter sum = BT_PERIMETER_NONE;
    size_t count = 0;
    if (!bt_has_perimeter(release)) return;
    for (size_t i = 0; i < release->column_count; i++) {
        const bt_release_column *column = &release->columns[i];
        if (column->manifest->role != BT_ROLE_QUASI) continue;
        const bt_original_column *original = &job->original->columns[count++];
        unsigned __int128 length = (unsigned __int128)job->dropped * whole_length(original);
        for (uint32_t v = 0; v < column->values->count; v++)
            length +=
                (unsigned __int128)column->values->rows[v] * bt_cell_length(column, v, original);
        bt_perimeter_add(&sum, original->scale, length);
    }
    bt_perimeter_put(&sum, facts, at);
}

const bt_measure bt_measure_perimeter = {
    .name = "perimeter",
    .summary = "sum of the perimeters of all rows' boxes, where all quasi columns are numbers",
    .paper = "paper 5",
    .direction = BT_LOWER_IS_BETTER,
    .compute = compute,
};
