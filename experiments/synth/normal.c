/* SPDX-License-Identifier: Apache-2.0
 *
 * Age and a normal loss, independent of each other: the uncorrelated table of Figure 5 of
 * "Distribution-based Microdata Anonymization". The density is taken at whole numbers and cut
 * off at `low` and `high`.
 */
#include "synth/synth.h"

enum { LOW = EX_SYNTH_OWN, HIGH, MEAN, DEVIATION };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("10000"),
    EX_LOSS_PARAMS,
    {.name = "mean",
     .type = EX_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "2048",
     .help = "mean of the loss"},
    {.name = "deviation",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "341",
     .help = "standard deviation of the loss"},
};

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    const ex_value *values = job->values;
    uint64_t *weights;
    size_t count;
    EX_TRY(ex_loss_range(job, values[LOW].integer, values[HIGH].integer, &weights, &count, error));
    ex_weights_normal(values[LOW].integer, count, values[MEAN].integer, values[DEVIATION].integer,
                      weights);
    return ex_loss_table(job, "normal", values[LOW].integer, weights, count, error);
}

const ex_entry ex_synth_normal = {
    .name = "normal",
    .summary = "age and an independent loss with a normal distribution",
    .paper = "Distribution-based Microdata Anonymization",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
