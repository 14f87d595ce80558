/* SPDX-License-Identifier: Apache-2.0
 *
 * Independent uniform columns: UNI of "k-Anonymity in the Presence of External Databases" (four
 * columns in [0,1]), and, with an age before them, the uniform losses of Figures 7 and 10 of
 * "Distribution-based Microdata Anonymization"
 * (columns=1 names=loss low=1024 high=3072 digits=0 age=yes).
 *
 * A value is one of the multiples of 10^-digits from `low` to `high`, each equally likely.
 */
#include "synth/synth.h"

enum { COLUMNS = EX_SYNTH_OWN, DIGITS, LOW, HIGH, NAMES, AGE, ID };

static const ex_param params[] = {
    EX_SYNTH_COMMON_PARAMS,
    EX_SYNTH_ROWS_PARAM("1000000"),
    {.name = "columns",
     .type = EX_PARAM_INTEGER,
     .minimum = "1",
     .maximum = "100000",
     .fallback = "4",
     .help = "number of columns"},
    {.name = "digits",
     .type = EX_PARAM_INTEGER,
     .minimum = "0",
     .maximum = "9",
     .fallback = "6",
     .help = "decimal places"},
    {.name = "low",
     .type = EX_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "0",
     .help = "least value"},
    {.name = "high",
     .type = EX_PARAM_INTEGER,
     .minimum = "-1000000000",
     .maximum = "1000000000",
     .fallback = "1",
     .help = "largest value"},
    {.name = "names",
     .type = EX_PARAM_TEXT,
     .fallback = "",
     .help = "names of the columns, separated by commas (x1, x2, … if none are given)"},
    {.name = "age",
     .type = EX_PARAM_CHOICE,
     .choices = "no|yes",
     .fallback = "no",
     .help = "a column age before them, uniform from 17 to 79"},
    {.name = "id",
     .type = EX_PARAM_CHOICE,
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

static char *fill(const void *user, ex_stream *stream, int64_t first, int64_t rows, char *out)
{
    const uniform *model = user;
    for (int64_t row = first; row < first + rows; row++) {
        if (model->id) {
            out = ex_number_put(out, (uint64_t)row + 1);
            *out++ = ',';
        }
        if (model->age) {
            uint64_t years = ex_stream_below(stream, EX_LOSS_AGE_HIGH - EX_LOSS_AGE_LOW + 1);
            out = ex_number_put(out, EX_LOSS_AGE_LOW + years);
            *out++ = ',';
        }
        for (size_t i = 0; i < model->columns; i++) {
            int64_t value = model->least + (int64_t)ex_stream_below(stream, model->values);
            out = ex_decimal_put(out, value, model->digits);
            *out++ = ',';
        }
        out[-1] = '\n';
    }
    return out;
}

static bauta_status put_names(const ex_synth_job *job, ex_buffer *header, bauta_error *error)
{
    const ex_value *values = job->values;
    size_t columns = (size_t)values[COLUMNS].integer, given;
    char **names;
    EX_TRY(ex_split(job->arena, values[NAMES].text, ',', &names, &given, error));
    if (given && given != columns)
        return ex_fail(error, BAUTA_USAGE, "'names' of 'uniform' must name all %zu columns",
                       columns);
    ex_print(header, "%s%s", values[ID].integer ? "id," : "", values[AGE].integer ? "age," : "");
    for (size_t i = 0; i < columns; i++) {
        if (given)
            ex_csv_put(header, names[i], ",");
        else
            ex_print(header, "x%zu", i + 1);
        ex_print(header, i + 1 < columns ? "," : "\n");
    }
    return ex_buffer_check(header, error);
}

static bauta_status make(const ex_synth_job *job, bauta_error *error)
{
    const ex_value *values = job->values;
    int64_t low = values[LOW].integer, high = values[HIGH].integer, unit = 1;
    if (high < low)
        return ex_fail(error, BAUTA_USAGE, "'high' of 'uniform' must be at least 'low'");
    for (int64_t i = 0; i < values[DIGITS].integer; i++)
        unit *= 10;
    uniform model = {.columns = (size_t)values[COLUMNS].integer,
                     .digits = (unsigned)values[DIGITS].integer,
                     .least = low * unit,
                     .values = (uint64_t)(high - low) * (uint64_t)unit + 1,
                     .age = values[AGE].integer == 1,
                     .id = values[ID].integer == 1};
    ex_buffer header = {0};
    bauta_status status = put_names(job, &header, error);
    if (status == BAUTA_OK) {
        ex_synth_plan plan = {.label = "uniform",
                              .header = header.bytes,
                              .rows = values[EX_SYNTH_ROWS].integer,
                              .row_bytes = (model.columns + 2) * 24,
                              .model = &model,
                              .fill = fill};
        status = ex_synth_rows(job, &plan, error);
    }
    ex_buffer_release(&header);
    return status;
}

const ex_entry ex_synth_uniform = {
    .name = "uniform",
    .summary = "independent uniform columns in [0,1] or another range",
    .paper = "k-Anonymity in the Presence of External Databases",
    .params = params,
    .param_count = sizeof params / sizeof *params,
    .make = make,
};
