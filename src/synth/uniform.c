/* SPDX-License-Identifier: Apache-2.0
 *
 * Independent uniform columns: UNI of "k-Anonymity in the Presence of External Databases" (four
 * columns in [0,1]), and, with an age before them, the uniform losses of Figures 7 and 10 of
 * "Distribution-based Microdata Anonymization"
 * (columns=1 names=loss low=1024 high=3072 digits=0 age=yes).
 *
 * A value is one of the multiples of 10^-digits from `low` to `high`, each equally likely.
 */
#include "base/csv.h"
#include "base/text.h"
#include "synth/synth.h"

enum { COLUMNS = BT_SYNTH_OWN, DIGITS, LOW, HIGH, NAMES, AGE, ID };

static const bt_param params[] = {
    BT_SYNTH_COMMON_PARAMS,
    BT_SYNTH_ROWS_PARAM("1000000"),
    {.name = "columns",
     .type = BT_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "100000",
     .fallback = "4",
     .help = "number of columns"},
    {.name = "digits",
     .type = BT_PARAM_INTEGER,
     .minimum = "0",
     .maximum = "9",
     .fallback = "6",
     .help = "decimal places"},
    {.name = "low",
     .type = BT_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "0",
     .help = "least value"},
    {.name = "high",
     .type = BT_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "1",
     .help = "largest value"},
    {.name = "names",
     .type = BT_PARAM_TEXT,
     .fallback = "",
     .help = "names of the columns, separated by commas (x1, x2, … if none are given)"},
    {.name = "age",
     .type = BT_PARAM_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .help = "a column age before them, uniform from 17 to 79"},
    {.name = "id",
     .type = BT_PARAM_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .help = "a first column id: 1, 2, 3 …"},
};

typedef struct uniform {
    size_t columns;
    unsigned digits;
    int64_t least;   /* in units of 10^-digits */
    uint64_t values; /* how many there are */
    bool age, id;
} uniform;

static char *fill(const void *user, bt_stream *stream, int64_t first, int64_t rows, char *out)
{
    const uniform *model = user;
    for (int64_t row = first; row < first + rows; row++) {
        if (model->id) {
            out = bt_number_put(out, (uint64_t)row + 1);
            *out++ = ',';
        }
        if (model->age) {
            uint64_t years = bt_stream_below(stream, BT_LOSS_AGE_HIGH - BT_LOSS_AGE_LOW + 1);
            out = bt_number_put(out, BT_LOSS_AGE_LOW + years);
            *out++ = ',';
        }
        for (size_t i = 0; i < model->columns; i++) {
            int64_t value = model->least + (int64_t)bt_stream_below(stream, model->values);
            out = bt_decimal_put(out, value, model->digits);
            *out++ = ',';
        }
        out[-1] = '\n';
    }
    return out;
}

static bauta_status put_names(const bt_synth_job *job, bt_buffer *header, bauta_error *error)
{
    const bt_value *values = job->values;
    size_t columns = (size_t)values[COLUMNS].integer, given;
    char **names;
    BT_TRY(bt_text_split(job->arena, values[NAMES].text, ',', &names, &given, error));
    if (given && given != columns)
        return bt_fail(error, BAUTA_USAGE, "'names' of 'uniform' must name all %zu columns",
                       columns);
    if (values[ID].integer) BT_TRY(bt_buffer_print(header, error, "id,"));
    if (values[AGE].integer) BT_TRY(bt_buffer_print(header, error, "age,"));
    for (size_t i = 0; i < columns; i++) {
        if (given)
            BT_TRY(bt_csv_put(header, names[i], strlen(names[i]), error));
        else
            BT_TRY(bt_buffer_print(header, error, "x%zu", i + 1));
        BT_TRY(bt_buffer_print(header, error, i + 1 < columns ? "," : "\n"));
    }
    return BAUTA_OK;
}

static bauta_status make(const bt_synth_job *job, bauta_error *error)
{
    const bt_value *values = job->values;
    int64_t low = values[LOW].integer, high = values[HIGH].integer, unit = 1;
    if (high < low)
        return bt_fail(error, BAUTA_USAGE, "'high' of 'uniform' must be at least 'low'");
    for (int64_t i = 0; i < values[DIGITS].integer; i++)
        unit *= 10;
    uniform model = {.columns = (size_t)values[COLUMNS].integer,
                     .digits = (unsigned)values[DIGITS].integer,
                     .least = low * unit,
                     .values = (uint64_t)(high - low) * (uint64_t)unit + 1,
                     .age = values[AGE].integer == 1,
                     .id = values[ID].integer == 1};
    bt_buffer header = {0};
    bauta_status status = put_names(job, &header, error);
    if (status == BAUTA_OK) {
        bt_synth_plan plan = {.label = "uniform",
                              .header = header.bytes,
                              .rows = values[BT_SYNTH_ROWS].integer,
                              .row_bytes = (model.columns + 2) * 24,
                              .model = &model,
                              .fill = fill};
        status = bt_synth_rows(job, &plan, error);
    }
    bt_buffer_release(&header);
    return status;
}

const bt_synth_kind bt_synth_uniform = {
    .name = "uniform",
    .summary = "independent uniform columns in [0,1] or another range",
    .paper = "k-Anonymity in the Presence of External Databases",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
