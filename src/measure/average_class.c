/* SPDX-License-Identifier: Apache-2.0
 *
 * Average class size ratio (LeFevre, DeWitt and Ramakrishnan 2006): rows per class over the k
 * that was promised; 1 is the best that any grouping can reach.
 */
#include "base/text.h"
#include "measure/measure.h"

#include <string.h>

static int64_t promised_k(const bt_manifest *manifest)
{
    int64_t k;
    for (size_t i = 0; i < manifest->promise_count; i++)
        if (strcmp(manifest->promises[i].name, "k") == 0 &&
            bt_text_integer(manifest->promises[i].value, &k) && k > 0)
            return k;
    return 1;
}

static void compute(const bt_measure_job *job, bt_facts *facts, json_t *at)
{
    const bt_release *release = job->release;
    double best = (double)release->classes.count * (double)promised_k(&release->manifest);
    bt_put_real(facts, at, "average_class", best > 0 ? (double)release->rows / best : 0);
}

const bt_measure bt_measure_average_class = {
    .name = "average_class",
    .summary = "average class size over k, 1 at best",
    .paper = "LeFevre, DeWitt and Ramakrishnan 2006",
    .direction = BT_LOWER_IS_BETTER,
    .compute = compute,
};
