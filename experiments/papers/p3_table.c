/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of experiment P3: seven columns of Adult without records that have unknown values, and
 * a random health condition. The paper names the heights of its trees (its table 9) but does not
 * show them; these are ours, with the same heights.
 */
#include "papers/adult.h"
#include "papers/p3.h"

static const char *const columns[EX_P3_QUASI] = {
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

const char *ex_p3_dropped(int size)
{
    static const char *const rest[EX_P3_QUASI + 1] = {
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

/* ---- files ---- */

bauta_status ex_p3_prepare(const ex_experiment_job *job, const char *wanted, ex_p3_found *found,
                           bauta_error *error)
{
    EX_TRY(ex_file_write(ex_file_in(job, "recipe.yaml"), recipe, sizeof recipe - 1, error));
    if (*wanted) EX_TRY(ex_file_write(wanted, recipe, sizeof recipe - 1, error));
    ex_adult adult = {.experiment = "P3", .columns = columns, .count = EX_P3_QUASI};
    EX_TRY(ex_adult_clean(job, &adult, error));
    found->rows = adult.rows;
    found->dropped = adult.dropped;
    return BAUTA_OK;
}

bauta_status ex_p3_assign(const ex_experiment_job *job, const char *seed, bauta_error *error)
{
    const char *table = ex_arena_print(job->arena, "table=%s/clean.csv", job->folder);
    const char *out = ex_file_in(job, "table.csv");
    const char *seeded = ex_arena_print(job->arena, "seed=%s", seed);
    if (!table || !out || !seeded) return ex_fail_memory(error);
    const char *arguments[] = {table, "column=health", values, seeded, "delimiter=comma"};
    return ex_synth("attach", arguments, sizeof arguments / sizeof *arguments, out, error);
}

bauta_status ex_p3_write_example(const ex_experiment_job *job, bauta_error *error)
{
    static const char table[] = "zipcode,disease\n4351,HIV\n4351,Flu\n4351,HIV\n4352,Flu\n";
    static const char categories[] = "HIV;Top Secret\nFlu;Non Secret\n";
    EX_TRY(ex_file_write(ex_file_in(job, "example.csv"), table, sizeof table - 1, error));
    return ex_file_write(ex_file_in(job, "example_categories.csv"), categories,
                         sizeof categories - 1, error);
}
