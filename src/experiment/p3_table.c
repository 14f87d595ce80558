/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of experiment P3: seven columns of Adult without records that have unknown values, and
 * a random health condition. The paper names the heights of its trees (its table 9) but does not
 * show them; these are ours, with the same heights.
 */
#include "base/csv.h"
#include "experiment/p3.h"

#include <string.h>

static const char *const columns[BT_P3_QUASI] = {
    "age", "workclass", "education", "native-country", "marital-status", "race", "sex",
};

static const char values[] = "values=HIV,Cancer,Phthisis,Hepatitis,Obesity,Asthma,Flu,Indigestion";

/* Levels with the value itself and the top: 5, 3, 4, 3, 3, 3, 2. */
static const char recipe[] =
    "# The recipe of experiment P3: \"Enhanced P-Sensitive K-Anonymity Models for Privacy\n"
    "# Preserving Data Publishing\" on the Adult table. The paper does not show its trees: these\n"
    "# have the heights that it names.\n"
    "input: table.csv\n"
    "columns:\n"
    "  age: {role: quasi, type: integer, hierarchy: \"intervals:5,10,20\"}\n"
    "  workclass:\n"
    "    role: quasi\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        Government: [Federal-gov, Local-gov, State-gov]\n"
    "        Company: [Private]\n"
    "        Self-employed: [Self-emp-inc, Self-emp-not-inc]\n"
    "        Unpaid: [Without-pay, Never-worked]\n"
    "  education:\n"
    "    role: quasi\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        School:\n"
    "          Primary: [Preschool, 1st-4th, 5th-6th, 7th-8th]\n"
    "          Secondary: [9th, 10th, 11th, 12th, HS-grad]\n"
    "        College:\n"
    "          Some college: [Some-college, Assoc-voc, Assoc-acdm]\n"
    "          Undergraduate: [Bachelors]\n"
    "          Graduate: [Masters, Prof-school, Doctorate]\n"
    "  native-country:\n"
    "    role: quasi\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        North America: [United-States, Canada, Outlying-US(Guam-USVI-etc), Puerto-Rico]\n"
    "        Latin America: [Mexico, Guatemala, Honduras, El-Salvador, Nicaragua, Cuba, Jamaica,\n"
    "          Haiti, Dominican-Republic, Trinadad&Tobago, Columbia, Ecuador, Peru]\n"
    "        Europe: [England, Scotland, Ireland, Germany, France, Italy, Portugal, Greece,\n"
    "          Poland, Hungary, Yugoslavia, Holand-Netherlands]\n"
    "        Asia: [China, Hong, Taiwan, Japan, South, Philippines, Vietnam, Cambodia, Laos,\n"
    "          Thailand, India, Iran]\n"
    "  marital-status:\n"
    "    role: quasi\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        Married: [Married-civ-spouse, Married-AF-spouse, Married-spouse-absent]\n"
    "        Formerly married: [Divorced, Separated, Widowed]\n"
    "        Single: [Never-married]\n"
    "  race:\n"
    "    role: quasi\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        European origin: [White]\n"
    "        African origin: [Black]\n"
    "        Other origin: [Asian-Pac-Islander, Amer-Indian-Eskimo, Other]\n"
    "  sex: {role: quasi, hierarchy: flat}\n"
    "  health:\n"
    "    role: sensitive\n"
    "    categories:\n"
    "      Top Secret: [HIV, Cancer]\n"
    "      Secret: [Phthisis, Hepatitis]\n"
    "      Less Secret: [Obesity, Asthma]\n"
    "      Non Secret: [Flu, Indigestion]\n"
    "rest: drop\n"
    "group: {method: incognito, objective: distortion}\n";

const char *bt_p3_dropped(int size)
{
    static const char *const rest[BT_P3_QUASI + 1] = {
        [1] = "workclass,education,native-country,marital-status,race,sex",
        [2] = "education,native-country,marital-status,race,sex",
        [3] = "native-country,marital-status,race,sex",
        [4] = "marital-status,race,sex",
        [5] = "race,sex",
        [6] = "sex",
        [7] = "",
    };
    return rest[size];
}

/* ---- leaving out unknown values ---- */

typedef struct cleaning {
    const char *file;
    bt_csv csv;
    size_t columns;             /* of the file */
    size_t places[BT_P3_QUASI]; /* where ours are */
    bt_span *fields;
    bt_buffer scratch, out;
    int64_t row;
} cleaning;

static bauta_status fail_at(const cleaning *job, int64_t row, const char *column, const char *what,
                            bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INVALID, "%s", what);
    bt_error_place(error, job->file, row, column);
    return status;
}

static bool is_text(const bt_span *span, const char *text)
{
    return span->length == strlen(text) && memcmp(span->bytes, text, span->length) == 0;
}

static bauta_status read_header(cleaning *job, bt_arena *arena, bauta_error *error)
{
    bt_csv header = job->csv;
    job->columns = bt_csv_any(&header, NULL, 0);
    if (header.fault != BT_CSV_FINE)
        return fail_at(job, 0, NULL, bt_csv_fault_text(header.fault), error);
    job->fields = bt_arena_array(arena, job->columns, sizeof *job->fields);
    if (!job->fields) return bt_fail_memory(error);
    bt_csv_any(&job->csv, job->fields, job->columns);
    for (size_t i = 0; i < BT_P3_QUASI; i++) {
        size_t place = 0;
        while (place < job->columns && !is_text(&job->fields[place], columns[i]))
            place++;
        job->places[i] = place;
        if (place < job->columns) continue;
        bauta_status status = fail_at(job, 0, columns[i], "the table has no such column", error);
        bt_error_hint(error, "P3 needs the Adult table with a header that names age, workclass, "
                             "education, native-country, marital-status, race and sex");
        return status;
    }
    return BAUTA_OK;
}

static bauta_status put_row(cleaning *job, bauta_error *error)
{
    for (size_t i = 0; i < BT_P3_QUASI; i++) {
        bt_span field = job->fields[job->places[i]];
        job->scratch.length = 0;
        BT_TRY(bt_span_text(&field, &job->scratch, error));
        if (i > 0) BT_TRY(bt_buffer_add(&job->out, ",", 1, error));
        BT_TRY(bt_csv_put(&job->out, field.bytes, field.length, error));
    }
    return bt_buffer_add(&job->out, "\n", 1, error);
}

/* "We eliminated the records with unknown values": in any column of the table. */
static bool has_unknown(const cleaning *job)
{
    for (size_t i = 0; i < job->columns; i++)
        if (is_text(&job->fields[i], "?") || job->fields[i].length == 0) return true;
    return false;
}

static bauta_status clean_rows(cleaning *job, bt_arena *arena, bt_p3_found *found,
                               bauta_error *error)
{
    BT_TRY(read_header(job, arena, error));
    BT_TRY(put_row(job, error)); /* the header */
    bt_csv rows;
    bt_csv_open(&rows, job->csv.at, (size_t)(job->csv.end - job->csv.at), ',', job->columns);
    while (bt_csv_next(&rows, job->fields)) {
        job->row++;
        if (has_unknown(job)) {
            found->dropped++;
            continue;
        }
        BT_TRY(put_row(job, error));
        found->rows++;
    }
    if (rows.fault != BT_CSV_FINE)
        return fail_at(job, job->row + 1, NULL, bt_csv_fault_text(rows.fault), error);
    if (found->rows == 0) return fail_at(job, -1, NULL, "the table has no records", error);
    return BAUTA_OK;
}

static bauta_status clean(const bt_experiment_job *job, bt_p3_found *found, bauta_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF";
    cleaning work = {.file = job->values[BT_EXPERIMENT_DATA].text};
    bt_buffer text = {0};
    const char *file = bt_file_in(job, "clean.csv");
    bauta_status status = file ? bt_file_read(work.file, &text, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) {
        size_t skip = text.length >= 3 && memcmp(text.bytes, mark, 3) == 0 ? 3 : 0;
        bt_csv_open(&work.csv, text.bytes + skip, text.length - skip, ',', 1);
        status = clean_rows(&work, job->arena, found, error);
    }
    if (status == BAUTA_OK) status = bt_file_write(file, work.out.bytes, work.out.length, error);
    bt_buffer_release(&text);
    bt_buffer_release(&work.scratch);
    bt_buffer_release(&work.out);
    return status;
}

/* ---- files ---- */

bauta_status bt_p3_prepare(const bt_experiment_job *job, const char *wanted, bt_p3_found *found,
                           bauta_error *error)
{
    const char *file = bt_file_in(job, "recipe.yaml");
    if (!file) return bt_fail_memory(error);
    BT_TRY(bt_file_write(file, recipe, sizeof recipe - 1, error));
    if (*wanted) BT_TRY(bt_file_write(wanted, recipe, sizeof recipe - 1, error));
    return clean(job, found, error);
}

bauta_status bt_p3_assign(const bt_experiment_job *job, const char *seed, bauta_error *error)
{
    const char *table = bt_arena_print(job->arena, "table=%s/clean.csv", job->folder);
    const char *out = bt_file_in(job, "table.csv");
    const char *seeded = bt_arena_print(job->arena, "seed=%s", seed);
    if (!table || !out || !seeded) return bt_fail_memory(error);
    const char *arguments[] = {table, "column=health", values, seeded, "delimiter=comma"};
    return bauta_synth("attach", arguments, sizeof arguments / sizeof *arguments, out, error);
}

bauta_status bt_p3_write_example(const bt_experiment_job *job, bauta_error *error)
{
    static const char table[] = "zipcode,disease\n4351,HIV\n4351,Flu\n4351,HIV\n4352,Flu\n";
    static const char categories[] = "HIV;Top Secret\nFlu;Non Secret\n";
    const char *file = bt_file_in(job, "example.csv");
    const char *second = bt_file_in(job, "example_categories.csv");
    if (!file || !second) return bt_fail_memory(error);
    BT_TRY(bt_file_write(file, table, sizeof table - 1, error));
    return bt_file_write(second, categories, sizeof categories - 1, error);
}
