/* SPDX-License-Identifier: Apache-2.0
 *
 * The losses of paper 5, of the records of the microdata alone (R1 and R2 of the notes): the mean
 * over their cells of the normalized certainty penalty, the sum over them of the records of the
 * microdata in their class, and the sum of the perimeters of their boxes. A dropped record counts
 * as in the measures of a release.
 *
 * Cost: classes times quasi columns.
 */
#include "measure/perimeter.h"

typedef struct losses {
    double ncp; /* sum over columns, of means */
    bt_perimeter perimeter;
    size_t columns;
} losses;

static void add_column(const bt_measure_job *job, const bt_release_column *column,
                       const bt_original_column *original, const uint32_t *records, losses *sum)
{
    const bt_tuples *classes = &job->release->classes;
    uint64_t whole = bt_ncp_whole(column, original);
    unsigned __int128 penalty = (unsigned __int128)job->dropped * whole;
    unsigned __int128 length = (unsigned __int128)job->dropped *
                               ((uint64_t)original->greatest - (uint64_t)original->least);
    for (uint32_t c = 0; c < classes->count; c++) {
        uint32_t code = bt_code_at(column->codes, column->width, classes->row[c]);
        penalty += (unsigned __int128)records[c] * bt_ncp_part(column, code, original, whole);
        length += (unsigned __int128)records[c] * bt_cell_length(column, code, original);
    }
    sum->ncp += job->rows > 0 ? (double)penalty / ((double)whole * (double)job->rows) : 0;
    bt_perimeter_add(&sum->perimeter, original->scale, length);
    sum->columns++;
}

static void put_discernibility(const bt_measure_job *job, const uint32_t *records, bt_facts *facts,
                               json_t *at)
{
    unsigned __int128 sum = (unsigned __int128)job->dropped * (uint64_t)job->rows;
    for (uint32_t c = 0; c < job->release->classes.count; c++)
        sum += (uint64_t)records[c] * records[c];
    if (sum <= INT64_MAX)
        bt_put_int(facts, at, "discernibility", (int64_t)sum);
    else
        bt_put_real(facts, at, "discernibility", (double)sum);
}

bauta_status bt_measure_join(const bt_release *release, const bt_original_facts *original,
                             const uint32_t *records, bt_facts *facts, json_t *at,
                             bauta_error *error)
{
    const bt_measure_job job = {.release = release,
                                .original = original,
                                .rows = original->rows,
                                .dropped = release->manifest.dropped_rows};
    losses sum = {.perimeter = BT_PERIMETER_NONE};
    json_t *join = bt_put_object(facts, at, "join");
    for (size_t i = 0; i < release->column_count; i++)
        if (release->columns[i].manifest->role == BT_ROLE_QUASI)
            add_column(&job, &release->columns[i], &original->columns[sum.columns], records, &sum);
    bt_put_real(facts, join, "ncp", sum.columns > 0 ? sum.ncp / (double)sum.columns : 0);
    put_discernibility(&job, records, facts, join);
    if (bt_has_perimeter(release)) bt_perimeter_put(&sum.perimeter, facts, join);
    return bt_facts_check(facts, error);
}
