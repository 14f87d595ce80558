/* SPDX-License-Identifier: Apache-2.0
 *
 * Discernibility (Bayardo and Agrawal 2005): each published row counts the size of its class,
 * each dropped one the number of original records.
 */
#include "measure/measure.h"

unsigned __int128 bt_discernibility(const bt_measure_job *job)
{
    unsigned __int128 sum = (unsigned __int128)job->dropped * (uint64_t)job->rows;
    for (uint32_t i = 0; i < job->classes; i++)
        sum += (uint64_t)job->sizes[i] * job->sizes[i];
    return sum;
}

void bt_discernibility_put(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    unsigned __int128 sum = bt_discernibility(job);
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
    .of_grouping = true,
    .compute = bt_discernibility_put,
};
