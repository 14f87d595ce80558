/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of experiment P1 and the runs of the library. The paper names the heights of its trees
 * (its table 8) but does not show them; these are ours, with the same heights.
 */
#include "base/csv.h"
#include "base/random.h"
#include "experiment/adult.h"
#include "experiment/p1.h"

const char *const bt_p1_method_names[BT_P1_METHODS] = {
    [BT_P1_LOSSY] = "two-tables",
    [BT_P1_ANATOMY] = "anatomy",
    [BT_P1_GENERALIZED] = "generalized",
};

static const char *const folders[BT_P1_METHODS] = {
    [BT_P1_LOSSY] = BT_TRIAL,
    [BT_P1_ANATOMY] = BT_TRIAL_SECOND,
    [BT_P1_GENERALIZED] = BT_TRIAL_THIRD,
};

/* ---- the table ---- */

static const char *const columns[] = {
    "age", "workclass",      "education",    "marital-status", "race",
    "sex", "native-country", "salary-class", "occupation",
};

/* Levels above the value: 4, 3, 4, 3, 2, 1, 3, 1. */
static const char recipe[] =
    "# The recipe of experiment P1: \"(alpha,k)-anonymity by lossy join\" on the Adult table. The\n"
    "# paper does not show its trees: these have the heights that it names.\n"
    "input: table.csv\n"
    "columns:\n"
    "  age: {role: quasi, type: integer, hierarchy: \"intervals:5,10,20\"}\n"
    "  workclass:\n"
    "    role: quasi\n"
    "    public: yes\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        Employed by others:\n"
    "          Government: [Federal-gov, Local-gov, State-gov]\n"
    "          Company: [Private]\n"
    "        On their own:\n"
    "          Self-employed: [Self-emp-inc, Self-emp-not-inc]\n"
    "          Unpaid: [Without-pay, Never-worked]\n"
    "  education:\n"
    "    role: quasi\n"
    "    public: yes\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        School:\n"
    "          Primary:\n"
    "            Lower primary: [Preschool, 1st-4th]\n"
    "            Upper primary: [5th-6th, 7th-8th]\n"
    "          Secondary:\n"
    "            Left early: [9th, 10th, 11th, 12th]\n"
    "            Finished: [HS-grad]\n"
    "        College:\n"
    "          Undergraduate:\n"
    "            Some college: [Some-college]\n"
    "            Associate: [Assoc-voc, Assoc-acdm]\n"
    "            Bachelor: [Bachelors]\n"
    "          Graduate:\n"
    "            Master: [Masters]\n"
    "            Professional: [Prof-school, Doctorate]\n"
    "  marital-status:\n"
    "    role: quasi\n"
    "    public: yes\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        Is or was married:\n"
    "          Together: [Married-civ-spouse, Married-AF-spouse]\n"
    "          Apart: [Married-spouse-absent, Separated]\n"
    "          No longer: [Divorced, Widowed]\n"
    "        Not married:\n"
    "          Single: [Never-married]\n"
    "  race:\n"
    "    role: quasi\n"
    "    public: yes\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        European origin: [White]\n"
    "        African origin: [Black]\n"
    "        Other origin: [Asian-Pac-Islander, Amer-Indian-Eskimo, Other]\n"
    "  sex: {role: quasi, hierarchy: flat}\n"
    "  native-country:\n"
    "    role: quasi\n"
    "    public: yes\n"
    "    hierarchy:\n"
    "      tree:\n"
    "        America:\n"
    "          North America: [United-States, Canada, Outlying-US(Guam-USVI-etc), Puerto-Rico]\n"
    "          Latin America: [Mexico, Guatemala, Honduras, El-Salvador, Nicaragua, Cuba,\n"
    "            Jamaica, Haiti, Dominican-Republic, Trinadad&Tobago, Columbia, Ecuador, Peru]\n"
    "        Europe and Asia:\n"
    "          Europe: [England, Scotland, Ireland, Germany, France, Italy, Portugal, Greece,\n"
    "            Poland, Hungary, Yugoslavia, Holand-Netherlands]\n"
    "          Asia: [China, Hong, Taiwan, Japan, South, Philippines, Vietnam, Cambodia, Laos,\n"
    "            Thailand, India, Iran]\n"
    "  salary-class: {role: quasi, hierarchy: flat}\n"
    "  occupation: {role: sensitive}\n"
    "rest: drop\n"
    "require: \"k=2,alpha=0.33\"\n";

bauta_status bt_p1_prepare(const bt_experiment_job *job, const char *wanted, bt_p1_found *found,
                           bauta_error *error)
{
    const char *file = bt_file_in(job, "recipe.yaml");
    if (!file) return bt_fail_memory(error);
    BT_TRY(bt_file_write(file, recipe, sizeof recipe - 1, error));
    if (*wanted) BT_TRY(bt_file_write(wanted, recipe, sizeof recipe - 1, error));
    bt_adult adult = {
        .experiment = "P1", .columns = columns, .count = sizeof columns / sizeof *columns};
    BT_TRY(bt_adult_clean(job, &adult, error));
    found->rows = adult.rows;
    found->dropped = adult.dropped;
    return BAUTA_OK;
}

/* Adds `wanted` random ones of `rows` records behind the header, in their order. */
static bauta_status pick(const bt_buffer *text, int64_t rows, int64_t wanted, const char *seed,
                         bt_buffer *out, bauta_error *error)
{
    enum { COLUMNS = sizeof columns / sizeof *columns };
    bt_seed key;
    bt_stream stream;
    bt_csv csv;
    bt_span fields[COLUMNS];
    if (!bt_seed_parse(seed, &key)) return bt_fail(error, BAUTA_USAGE, "the seed is too long");
    bt_stream_init(&stream, &key, "records", 0);
    bt_csv_open(&csv, text->bytes, text->length, ',', COLUMNS);
    bool header = bt_csv_next(&csv, fields);
    BT_TRY(bt_buffer_add(out, text->bytes, (size_t)(csv.at - text->bytes), error));
    for (const char *from = csv.at; header && bt_csv_next(&csv, fields); from = csv.at) {
        bool taken = (int64_t)bt_stream_below(&stream, (uint64_t)rows--) < wanted;
        if (!taken) continue;
        BT_TRY(bt_buffer_add(out, from, (size_t)(csv.at - from), error));
        wanted--;
    }
    return BAUTA_OK;
}

/* table.csv: so many records of clean.csv. */
static bauta_status write_table(const bt_experiment_job *job, const bt_p1_found *found,
                                int64_t rows, const char *seed, bauta_error *error)
{
    bt_buffer text = {0}, out = {0};
    const char *from = bt_file_in(job, "clean.csv"), *to = bt_file_in(job, "table.csv");
    bauta_status status = from && to ? bt_file_read(from, &text, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = pick(&text, found->rows, rows ? rows : found->rows, seed, &out, error);
    if (status == BAUTA_OK) status = bt_file_write(to, out.bytes, out.length, error);
    bt_buffer_release(&text);
    bt_buffer_release(&out);
    return status;
}

/* ---- asking the library ---- */

/* Columns behind the first `count` quasi ones, which are dropped. */
static bauta_status name_dropped(int count, char *out, size_t room, bauta_error *error)
{
    size_t length = 0;
    out[0] = '\0';
    for (int i = count; i < BT_P1_QUASI; i++) {
        int more = snprintf(out + length, room - length, "%s%s", i > count ? "," : "", columns[i]);
        if (more < 0 || (size_t)more >= room - length)
            return bt_fail(error, BAUTA_INTERNAL, "the names of columns are too long");
        length += (size_t)more;
    }
    return BAUTA_OK;
}

static bauta_status make_release(const bt_experiment_job *job, bt_p1_method method,
                                 const bt_p1_setting *setting, const char *seed, bauta_error *error)
{
    char dropped[128];
    const bt_setting settings[] = {
        {"drop", dropped},
        {"group", method == BT_P1_ANATOMY ? "anatomy:l=4" : "top-down"},
        {"publish", method == BT_P1_GENERALIZED ? "generalized" : "two-tables"},
        {"seed", seed},
        {"force", "yes"},
    };
    bauta_recipe *made = NULL;
    const char *file = bt_file_in(job, "recipe.yaml");
    BT_TRY(name_dropped(setting->quasi, dropped, sizeof dropped, error));
    bauta_status status = file ? bt_trial_recipe(job, &made, error) : bt_fail_memory(error);
    if (status == BAUTA_OK)
        status = bt_trial_set(made, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = bauta_recipe_load(made, file, error);
    if (status == BAUTA_OK) status = bt_trial_anonymize(job, made, folders[method], NULL, error);
    bauta_recipe_free(made);
    return status;
}

static bauta_status measure(const bt_experiment_job *job, const bt_p1_found *found,
                            const bt_p1_setting *setting, const char *seed, json_t **facts,
                            bauta_error *error)
{
    char workload[64];
    snprintf(workload, sizeof workload, "paper1:qd=%d,s=%d%%", setting->asked, setting->percent);
    const bt_setting settings[] = {{"input", bt_file_in(job, "table.csv")},
                                   {"workload", workload},
                                   {"queries", found->queries},
                                   {"seed", seed}};
    return bt_trial_measure(job, folders, BT_P1_METHODS, settings, 4, facts, error);
}

bauta_status bt_p1_try(const bt_experiment_job *job, const bt_p1_found *found,
                       const bt_p1_setting *setting, const char *seed, bt_p1_trial *out,
                       bauta_error *error)
{
    json_t *facts = NULL;
    BT_TRY(write_table(job, found, setting->rows, seed, error));
    for (bt_p1_method method = 0; method < BT_P1_METHODS; method++)
        BT_TRY(make_release(job, method, setting, seed, error));
    BT_TRY(measure(job, found, setting, seed, &facts, error));
    const json_t *list = json_object_get(facts, "releases");
    for (bt_p1_method method = 0; method < BT_P1_METHODS; method++) {
        const json_t *one = json_object_get(json_array_get(list, method), "workload");
        out->of[method] = (bt_p1_answers){
            .mean_error = bt_number_at(one, "mean_error"),
            .median_error = bt_number_at(one, "median_error"),
            .mean_width = bt_number_at(one, "mean_width"),
            .contained = bt_number_at(one, "contained"),
        };
        out->empty = (int64_t)bt_number_at(one, "empty");
    }
    json_decref(facts);
    return BAUTA_OK;
}
