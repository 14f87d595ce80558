/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of age and loss, as the evaluation of "Distribution-based Microdata Anonymization"
 * has them: one quasi column, age, uniform from 17 to 79, and one numeric sensitive column.
 */
#include "synth/synth.h"

bauta_status ex_loss_range(const ex_synth_job *job, int64_t low, int64_t high, uint64_t **weights,
                           size_t *count, bauta_error *error)
{
    if (high < low || high - low >= EX_SYNTH_DOMAIN)
        return ex_fail(error, BAUTA_USAGE, "'high' must be 'low' or up to %d above it",
                       EX_SYNTH_DOMAIN - 1);
    *count = (size_t)(high - low) + 1;
    *weights = ex_arena_array(job->arena, *count, sizeof **weights);
    return *weights ? BAUTA_OK : ex_fail_memory(error);
}

char *ex_loss_put(char *out, int64_t age, int64_t loss)
{
    out = ex_number_put(out, (uint64_t)age);
    *out++ = ',';
    out = ex_decimal_put(out, loss, 0);
    *out++ = '\n';
    return out;
}

static char *fill(const void *model, ex_stream *stream, int64_t first, int64_t rows, char *out)
{
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t years = ex_stream_below(stream, EX_LOSS_AGE_HIGH - EX_LOSS_AGE_LOW + 1);
        int64_t loss = ex_values_draw(model, ex_stream_next(stream));
        out = ex_loss_put(out, EX_LOSS_AGE_LOW + (int64_t)years, loss);
    }
    return out;
}

bauta_status ex_loss_table(const ex_synth_job *job, const char *label, int64_t low,
                           const uint64_t *weights, size_t count, bauta_error *error)
{
    ex_values_model model;
    EX_TRY(ex_values_build(job->arena, low, weights, count, &model, error));
    ex_synth_plan plan = {.label = label,
                          .header = EX_LOSS_HEADER,
                          .rows = job->values[EX_SYNTH_ROWS].integer,
                          .row_bytes = EX_LOSS_ROW,
                          .model = &model,
                          .fill = fill};
    return ex_synth_rows(job, &plan, error);
}
