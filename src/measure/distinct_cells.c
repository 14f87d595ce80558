/* SPDX-License-Identifier: Apache-2.0
 *
 * Distinct cells of each quasi column: how many different texts a reader sees.
 */
#include "measure/measure.h"

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    json_t *to = bt_put_object(facts, at, "distinct_cells");
    for (size_t i = 0; i < job->release->column_count; i++) {
        const bt_release_column *column = &job->release->columns[i];
        if (column->manifest->role == BT_ROLE_QUASI)
            bt_put_int(facts, to, column->manifest->name, column->values->count);
    }
}

const bt_measure bt_measure_distinct_cells = {
    .name = "distinct_cells",
    .summary = "number of different cells in each quasi column",
    .paper = NULL,
    .direction = BT_HIGHER_IS_BETTER,
    .release_only = true,
    .compute = compute,
};
