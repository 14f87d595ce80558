/* SPDX-License-Identifier: Apache-2.0
 *
 * Age and a loss that grows with it, as in "Distribution-based Microdata Anonymization": either
 * the loss is normal with a mean that rises from the youngest to the oldest (Figures 5 and 12),
 * or it is Zipf and the age follows it within `spread` years (Figure 9).
 */
#include "synth/synth.h"

enum { LOW = EX_SYNTH_OWN, HIGH, LOSS, FROM, TO, DEVIATION, S, SPREAD };
enum { NORMAL, ZIPF };
enum { AGES = EX_LOSS_AGE_HIGH - EX_LOSS_AGE_LOW + 1 };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("10000"),
    EX_LOSS_PARAMS,
    {.name = "loss",
     .type = EX_PARAM_CHOICE,
     .choices = "normal|zipf",
     .fallback = "normal",
     .help = "distribution of the loss"},
    {.name = "from",
     .type = EX_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "1324",
     .help = "normal: mean of the loss at age 17"},
    {.name = "to",
     .type = EX_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "2772",
     .help = "normal: mean of the loss at age 79"},
    {.name = "deviation",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "150",
     .help = "normal: standard deviation at each age"},
    {.name = "s",
     .type = EX_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "10",
     .fallback = "0.1",
     .help = "zipf: skew; 0 is uniform"},
    {.name = "spread",
     .type = EX_PARAM_INTEGER,
     .minimum = "0",
     .maximum = "62",
     .fallback = "5",
     .help = "zipf: years by which the age may differ from what the loss says"},
};

/* ---- the loss follows the age ---- */

static char *fill_normal(const void *model, ex_stream *stream, int64_t first, int64_t rows,
                         char *out)
{
    const ex_values_model *losses = model;
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t years = ex_stream_below(stream, AGES);
        int64_t loss = ex_values_draw(&losses[years], ex_stream_next(stream));
        out = ex_loss_put(out, EX_LOSS_AGE_LOW + (int64_t)years, loss);
    }
    return out;
}

static bauta_status plan_normal(const ex_synth_job *job, uint64_t *weights, size_t count,
                                ex_synth_plan *plan, bauta_error *error)
{
    const ex_value *values = job->values;
    ex_values_model *losses = ex_arena_array(job->arena, AGES, sizeof *losses);
    if (!losses) return ex_fail_memory(error);
    int64_t low = values[LOW].integer, from = values[FROM].integer;
    int64_t rise = values[TO].integer - from;
    for (int64_t years = 0; years < AGES; years++) {
        int64_t mean = from + rise * years / (AGES - 1);
        ex_weights_normal(low, count, mean, values[DEVIATION].integer, weights);
        EX_TRY(ex_values_build(job->arena, low, weights, count, &losses[years], error));
    }
    plan->model = losses;
    plan->fill = fill_normal;
    return BAUTA_OK;
}

/* ---- the age follows the loss ---- */

typedef struct zipf_model {
    ex_values_model loss;
    int64_t range, spread;
} zipf_model;

static char *fill_zipf(const void *model, ex_stream *stream, int64_t first, int64_t rows, char *out)
{
    const zipf_model *zipf = model;
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        int64_t loss = ex_values_draw(&zipf->loss, ex_stream_next(stream));
        int64_t years = zipf->range ? (loss - zipf->loss.low) * (AGES - 1) / zipf->range : 0;
        years += (int64_t)ex_stream_below(stream, (uint64_t)(2 * zipf->spread + 1)) - zipf->spread;
        years = years < 0 ? 0 : years < AGES ? years : AGES - 1;
        out = ex_loss_put(out, EX_LOSS_AGE_LOW + years, loss);
    }
    return out;
}

static bauta_status plan_zipf(const ex_synth_job *job, uint64_t *weights, size_t count,
                              ex_synth_plan *plan, bauta_error *error)
{
    const ex_value *values = job->values;
    zipf_model *model = ex_arena_array(job->arena, 1, sizeof *model);
    if (!model) return ex_fail_memory(error);
    ex_weights_zipf(count, values[S].rational, weights);
    EX_TRY(ex_values_build(job->arena, values[LOW].integer, weights, count, &model->loss, error));
    model->range = (int64_t)count - 1;
    model->spread = values[SPREAD].integer;
    plan->model = model;
    plan->fill = fill_zipf;
    return BAUTA_OK;
}

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    const ex_value *values = job->values;
    uint64_t *weights;
    size_t count;
    ex_synth_plan plan = {.label = "correlated",
                          .header = EX_LOSS_HEADER,
                          .rows = values[EX_SYNTH_ROWS].integer,
                          .row_bytes = EX_LOSS_ROW};
    EX_TRY(ex_loss_range(job, values[LOW].integer, values[HIGH].integer, &weights, &count, error));
    if (values[LOSS].integer == NORMAL)
        EX_TRY(plan_normal(job, weights, count, &plan, error));
    else
        EX_TRY(plan_zipf(job, weights, count, &plan, error));
    return ex_synth_rows(job, &plan, error);
}

const ex_entry ex_synth_correlated = {
    .name = "correlated",
    .summary = "age and a loss that grows with it",
    .paper = "Distribution-based Microdata Anonymization",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
