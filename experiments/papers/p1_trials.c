/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of experiment P1 and the runs of the library. The paper names the heights of its trees
 * (its table 8) but does not show them; these are ours, with the same heights.
 */
#include "papers/adult.h"
#include "papers/p1.h"

const char *const ex_p1_method_names[EX_P1_METHODS] = {
    [EX_P1_LOSSY] = "two-tables",
    [EX_P1_ANATOMY] = "anatomy",
    [EX_P1_GENERALIZED] = "generalized",
};

static const char *const folders[EX_P1_METHODS] = {
    [EX_P1_LOSSY] = EX_TRIAL,
    [EX_P1_ANATOMY] = EX_TRIAL_SECOND,
    [EX_P1_GENERALIZED] = EX_TRIAL_THIRD,
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

bauta_status ex_p1_prepare(const ex_experiment_job *job, const char *wanted, ex_p1_found *found,
                           bauta_error *error)
{
    EX_TRY(ex_file_write(ex_file_in(job, "recipe.yaml"), recipe, sizeof recipe - 1, error));
    if (*wanted) EX_TRY(ex_file_write(wanted, recipe, sizeof recipe - 1, error));
    ex_adult adult = {
        .experiment = "P1", .columns = columns, .count = sizeof columns / sizeof *columns};
    EX_TRY(ex_adult_clean(job, &adult, error));
    found->rows = adult.rows;
    found->dropped = adult.dropped;
    return BAUTA_OK;
}

/* Adds `wanted` random ones of `rows` records behind the header, in their order. */
static bauta_status pick(ex_csv *csv, int64_t rows, int64_t wanted, const char *seed,
                         ex_buffer *out, bauta_error *error)
{
    ex_seed key;
    ex_stream stream;
    if (!ex_seed_parse(seed, &key)) return ex_fail(error, BAUTA_USAGE, "the seed is too long");
    ex_stream_init(&stream, &key, "records", 0);
    ex_add(out, csv->text, csv->length);
    for (bool more = true;;) {
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) return BAUTA_OK;
        if ((int64_t)ex_stream_below(&stream, (uint64_t)rows--) >= wanted) continue;
        ex_add(out, csv->text, csv->length);
        wanted--;
    }
}

/* table.csv: so many records of clean.csv. */
static bauta_status write_table(const ex_experiment_job *job, const ex_p1_found *found,
                                int64_t rows, const char *seed, bauta_error *error)
{
    ex_csv csv;
    ex_buffer out = {0};
    bauta_status status = ex_csv_open(&csv, ex_file_in(job, "clean.csv"), ',', error);
    if (status == BAUTA_OK)
        status = pick(&csv, found->rows, rows ? rows : found->rows, seed, &out, error);
    if (status == BAUTA_OK) status = ex_file_put(ex_file_in(job, "table.csv"), &out, error);
    ex_csv_close(&csv);
    ex_buffer_release(&out);
    return status;
}

/* ---- asking the library ---- */

/* Columns behind the first `count` quasi ones, which are dropped. */
static bauta_status name_dropped(int count, char *out, size_t room, bauta_error *error)
{
    size_t length = 0;
    out[0] = '\0';
    for (int i = count; i < EX_P1_QUASI; i++) {
        int more = snprintf(out + length, room - length, "%s%s", i > count ? "," : "", columns[i]);
        if (more < 0 || (size_t)more >= room - length)
            return ex_fail(error, BAUTA_INTERNAL, "the names of columns are too long");
        length += (size_t)more;
    }
    return BAUTA_OK;
}

static bauta_status make_release(const ex_experiment_job *job, ex_p1_method method,
                                 const ex_p1_setting *setting, const char *seed, bauta_error *error)
{
    char dropped[128];
    const ex_setting settings[] = {
        {"drop", dropped},
        {"group", method == EX_P1_ANATOMY ? "anatomy:l=4" : "top-down"},
        {"publish", method == EX_P1_GENERALIZED ? "generalized" : "two-tables"},
        {"seed", seed},
        {"force", "yes"},
    };
    bauta_recipe *made = NULL;
    const char *file = ex_file_in(job, "recipe.yaml");
    EX_TRY(name_dropped(setting->quasi, dropped, sizeof dropped, error));
    bauta_status status = file ? ex_trial_recipe(job, &made, error) : ex_fail_memory(error);
    if (status == BAUTA_OK)
        status = ex_trial_set(made, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = bauta_recipe_load(made, file, error);
    if (status == BAUTA_OK) status = ex_trial_anonymize(job, made, folders[method], NULL, error);
    bauta_recipe_free(made);
    return status;
}

static bauta_status measure(const ex_experiment_job *job, const ex_p1_found *found,
                            const ex_p1_setting *setting, const char *seed, json_t **facts,
                            bauta_error *error)
{
    char workload[64];
    snprintf(workload, sizeof workload, "paper1:qd=%d,s=%d%%", setting->asked, setting->percent);
    const ex_setting settings[] = {{"input", ex_file_in(job, "table.csv")},
                                   {"workload", workload},
                                   {"queries", found->queries},
                                   {"seed", seed}};
    return ex_trial_measure(job, folders, EX_P1_METHODS, settings, 4, facts, error);
}

bauta_status ex_p1_try(const ex_experiment_job *job, const ex_p1_found *found,
                       const ex_p1_setting *setting, const char *seed, ex_p1_trial *out,
                       bauta_error *error)
{
    json_t *facts = NULL;
    EX_TRY(write_table(job, found, setting->rows, seed, error));
    for (ex_p1_method method = 0; method < EX_P1_METHODS; method++)
        EX_TRY(make_release(job, method, setting, seed, error));
    EX_TRY(measure(job, found, setting, seed, &facts, error));
    const json_t *list = json_object_get(facts, "releases");
    for (ex_p1_method method = 0; method < EX_P1_METHODS; method++) {
        const json_t *one = json_object_get(json_array_get(list, method), "workload");
        out->of[method] = (ex_p1_answers){
            .mean_error = ex_number_at(one, "mean_error"),
            .median_error = ex_number_at(one, "median_error"),
            .mean_width = ex_number_at(one, "mean_width"),
            .contained = ex_number_at(one, "contained"),
        };
        out->empty = (int64_t)ex_number_at(one, "empty");
    }
    json_decref(facts);
    return BAUTA_OK;
}
