/* SPDX-License-Identifier: Apache-2.0
 *
 * Discernibility (Bayardo and Agrawal 2005): each published row counts the size of its class,
 * each dropped one the number of original records.
 */
#include "measure/measure.h"

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    const bt_tuples *classes = &job->release->classes;
    unsigned __int128 sum = (unsigned __int128)job->dropped * (uint64_t)job->rows;
    for (uint32_t i = 0; i < classes->count; i++)
        sum += (uint64_t)classes->size[i] * classes->size[i];
    if (sum <= INT64_MAX)
        bt_put_int(facts, at, "discernibility", (int64_t)sum);
    else
        bt_put_real(facts, at, "discernibility", (double)sum);
}

const bt_measure bt_measure_discernibility = {
    .name = "discernibility",
    .summary = "sum of squared class sizes; a dropped row counts all rows",
    .paper = "Bayardo and Agrawal 2005",
    .direction = BT_LOWER_IS_BETTER,
    .compute = compute,
};
