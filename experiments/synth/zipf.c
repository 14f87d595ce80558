/* SPDX-License-Identifier: Apache-2.0
 *
 * Age and a skewed loss: the k-th smallest loss weighs (1/k)^s (Zipf), as in Figure 8 of
 * "Distribution-based Microdata Anonymization".
 */
#include "synth/synth.h"

enum { LOW = EX_SYNTH_OWN, HIGH, S };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("10000"),
    EX_LOSS_PARAMS,
    {.name = "s",
     .type = EX_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "10",
     .fallback = "0.1",
     .help = "skew; 0 is uniform"},
};

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    const ex_value *values = job->values;
    uint64_t *weights;
    size_t count;
    EX_TRY(ex_loss_range(job, values[LOW].integer, values[HIGH].integer, &weights, &count, error));
    ex_weights_zipf(count, values[S].rational, weights);
    return ex_loss_table(job, "zipf", values[LOW].integer, weights, count, error);
}

const ex_entry ex_synth_zipf = {
    .name = "zipf",
    .summary = "age and an independent loss with a Zipf distribution",
    .paper = "Distribution-based Microdata Anonymization",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
