/* SPDX-License-Identifier: Apache-2.0
 *
 * Age and a loss that grows with it, as in "Distribution-based Microdata Anonymization": either
 * the loss is normal with a mean that rises from the youngest to the oldest (Figures 5 and 12),
 * or it is Zipf and the age follows it within `spread` years (Figure 9).
 */
#include "synth/synth.h"

enum { LOW = BT_SYNTH_OWN, HIGH, LOSS, FROM, TO, DEVIATION, S, SPREAD };
enum { NORMAL, ZIPF };
enum { AGES = BT_LOSS_AGE_HIGH - BT_LOSS_AGE_LOW + 1 };

static const bt_param params[] = {
    BT_SYNTH_COMMON_PARAMS,
    BT_SYNTH_ROWS_PARAM("10000"),
    BT_LOSS_PARAMS,
    {.name = "loss",
     .type = BT_PARAM_CHOICE,
     .choices = "normal|zipf",
     .fallback = "normal",
     .help = "distribution of the loss"},
    {.name = "from",
     .type = BT_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "1324",
     .help = "normal: mean of the loss at age 17"},
    {.name = "to",
     .type = BT_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "2772",
     .help = "normal: mean of the loss at age 79"},
    {.name = "deviation",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "1000000",
     .fallback = "150",
     .help = "normal: standard deviation at each age"},
    {.name = "s",
     .type = BT_PARAM_RATIONAL,
     .minimum = "0",
     .maximum = "10",
     .fallback = "0.1",
     .help = "zipf: skew; 0 is uniform"},
    {.name = "spread",
     .type = BT_PARAM_INTEGER,
     .minimum = "0",
     .maximum = "62",
     .fallback = "5",
     .help = "zipf: years by which the age may differ from what the loss says"},
};

/* ---- the loss follows the age ---- */

static char *fill_normal(const void *model, bt_stream *stream, int64_t first, int64_t rows,
                         char *out)
{
    const bt_values_model *losses = model;
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t years = bt_stream_below(stream, AGES);
        int64_t loss = bt_values_draw(&losses[years], bt_stream_next(stream));
        out = bt_loss_put(out, BT_LOSS_AGE_LOW + (int64_t)years, loss);
    }
    return out;
}

static bauta_status plan_normal(const bt_synth_job *job, uint64_t *weights, size_t count,
                                bt_synth_plan *plan, bauta_error *error)
{
    const bt_value *values = job->values;
    bt_values_model *losses = bt_arena_array(job->arena, AGES, sizeof *losses);
    if (!losses) return bt_fail_memory(error);
    int64_t low = values[LOW].integer, from = values[FROM].integer;
    int64_t rise = values[TO].integer - from;
    for (int64_t years = 0; years < AGES; years++) {
        int64_t mean = from + rise * years / (AGES - 1);
        bt_weights_normal(low, count, mean, values[DEVIATION].integer, weights);
        BT_TRY(bt_values_build(job->arena, low, weights, count, &losses[years], error));
    }
    plan->model = losses;
    plan->fill = fill_normal;
    return BAUTA_OK;
}

/* ---- the age follows the loss ---- */

typedef struct zipf_model {
    bt_values_model loss;
    int64_t range, spread;
} zipf_model;

static char *fill_zipf(const void *model, bt_stream *stream, int64_t first, int64_t rows, char *out)
{
    const zipf_model *zipf = model;
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        int64_t loss = bt_values_draw(&zipf->loss, bt_stream_next(stream));
        int64_t years = zipf->range ? (loss - zipf->loss.low) * (AGES - 1) / zipf->range : 0;
        years += (int64_t)bt_stream_below(stream, (uint64_t)(2 * zipf->spread + 1)) - zipf->spread;
        years = years < 0 ? 0 : years < AGES ? years : AGES - 1;
        out = bt_loss_put(out, BT_LOSS_AGE_LOW + years, loss);
    }
    return out;
}

static bauta_status plan_zipf(const bt_synth_job *job, uint64_t *weights, size_t count,
                              bt_synth_plan *plan, bauta_error *error)
{
    const bt_value *values = job->values;
    zipf_model *model = bt_arena_array(job->arena, 1, sizeof *model);
    if (!model) return bt_fail_memory(error);
    bt_weights_zipf(count, values[S].rational, weights);
    BT_TRY(bt_values_build(job->arena, values[LOW].integer, weights, count, &model->loss, error));
    model->range = (int64_t)count - 1;
    model->spread = values[SPREAD].integer;
    plan->model = model;
    plan->fill = fill_zipf;
    return BAUTA_OK;
}

static bauta_status make(const bt_synth_job *job, bauta_error *error)
{
    const bt_value *values = job->values;
    uint64_t *weights;
    size_t count;
    bt_synth_plan plan = {.label = "correlated",
                          .header = BT_LOSS_HEADER,
                          .rows = values[BT_SYNTH_ROWS].integer,
                          .row_bytes = BT_LOSS_ROW};
    BT_TRY(bt_loss_range(job, values[LOW].integer, values[HIGH].integer, &weights, &count, error));
    if (values[LOSS].integer == NORMAL)
        BT_TRY(plan_normal(job, weights, count, &plan, error));
    else
        BT_TRY(plan_zipf(job, weights, count, &plan, error));
    return bt_synth_rows(job, &plan, error);
}

const bt_synth_kind bt_synth_correlated = {
    .name = "correlated",
    .summary = "age and a loss that grows with it",
    .paper = "Distribution-based Microdata Anonymization",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
