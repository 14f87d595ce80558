/* SPDX-License-Identifier: Apache-2.0
 *
 * Average class size ratio (LeFevre, DeWitt and Ramakrishnan 2006): rows per class over the k
 * that was promised; 1 is the best that any grouping can reach.
 */
#include "measure/measure.h"

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    double best = (double)job->classes * (double)job->least;
    double published = (double)(job->rows - job->dropped);
    bt_put_real(facts, at, "average_class", best > 0 ? published / best : 0);
}

const bt_measure bt_measure_average_class = {
    .name = "average_class",
    .summary = "average class size over k, 1 at best",
    .paper = "LeFevre, DeWitt and Ramakrishnan 2006",
    .direction = BT_LOWER_IS_BETTER,
    .of_grouping = true,
    .compute = compute,
};
