/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of age and loss, as the evaluation of "Distribution-based Microdata Anonymization"
 * has them: one quasi column, age, uniform from 17 to 79, and one numeric sensitive column.
 */
#include "synth/synth.h"

bauta_status bt_loss_range(const bt_synth_job *job, int64_t low, int64_t high, uint64_t **weights,
                           size_t *count, bauta_error *error)
{
    if (high < low || high - low >= BT_SYNTH_DOMAIN) {
        bauta_status status = bt_fail(
            error, BAUTA_USAGE, "'high' must be 'low' or up to %d above it", BT_SYNTH_DOMAIN - 1);
        return status;
    }
    *count = (size_t)(high - low) + 1;
    *weights = bt_arena_array(job->arena, *count, sizeof **weights);
    return *weights ? BAUTA_OK : bt_fail_memory(error);
}

char *bt_loss_put(char *out, int64_t age, int64_t loss)
{
    out = bt_number_put(out, (uint64_t)age);
    *out++ = ',';
    out = bt_decimal_put(out, loss, 0);
    *out++ = '\n';
    return out;
}

static char *fill(const void *model, bt_stream *stream, int64_t first, int64_t rows, char *out)
{
    (void)first;
    for (int64_t i = 0; i < rows; i++) {
        uint64_t years = bt_stream_below(stream, BT_LOSS_AGE_HIGH - BT_LOSS_AGE_LOW + 1);
        int64_t loss = bt_values_draw(model, bt_stream_next(stream));
        out = bt_loss_put(out, BT_LOSS_AGE_LOW + (int64_t)years, loss);
    }
    return out;
}

bauta_status bt_loss_table(const bt_synth_job *job, const char *label, int64_t low,
                           const uint64_t *weights, size_t count, bauta_error *error)
{
    bt_values_model model;
    BT_TRY(bt_values_build(job->arena, low, weights, count, &model, error));
    bt_synth_plan plan = {.label = label,
                          .header = BT_LOSS_HEADER,
                          .rows = job->values[BT_SYNTH_ROWS].integer,
                          .row_bytes = BT_LOSS_ROW,
                          .model = &model,
                          .fill = fill};
    return bt_synth_rows(job, &plan, error);
}
