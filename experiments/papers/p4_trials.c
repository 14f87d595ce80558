/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of experiment P4 and the runs of the library.
 */
#include "papers/adult.h"
#include "papers/p4.h"

#include <string.h>

const char *const ex_p4_names[EX_P4_SERIES] = {
    [EX_P4_RANDOMIZED] = "RA unbiased", [EX_P4_PERMUTED_5] = "permuted 5",
    [EX_P4_PERMUTED_7] = "permuted 7",  [EX_P4_DIVERSE_5] = "diverse 5",
    [EX_P4_DIVERSE_8] = "diverse 8",    [EX_P4_DIVERSE_10] = "diverse 10",
    [EX_P4_DIRECT] = "RA direct",
};

static const struct plan {
    const char *folder, *require, *group, *publish;
} plans[EX_P4_RELEASES] = {
    [EX_P4_RANDOMIZED] = {EX_TRIAL, "", "", "randomized"},
    [EX_P4_PERMUTED_5] = {EX_TRIAL_SECOND, "l=5", "anatomy:l=5", "two-tables"},
    [EX_P4_PERMUTED_7] = {EX_TRIAL_THIRD, "l=7", "anatomy:l=7", "two-tables"},
    [EX_P4_DIVERSE_5] = {EX_TRIAL_FOURTH, "entropy-l=5", "mondrian", "generalized"},
    [EX_P4_DIVERSE_8] = {EX_TRIAL_FIFTH, "entropy-l=8", "mondrian", "generalized"},
    [EX_P4_DIVERSE_10] = {EX_TRIAL_SIXTH, "entropy-l=10", "mondrian", "generalized"},
};
static const char spare[] = EX_TRIAL_SEVENTH; /* for other lambda, and for trying */

/* ---- the table ---- */

static const char table[] = "clean.csv";

static const char *const columns[] = {
    "education",    "race",           "sex",          "workclass",  "marital-status", "age",
    "relationship", "native-country", "salary-class", "occupation",
};
static const char quasi[] = "education,race,sex,workclass,marital-status,age,relationship,"
                            "native-country,salary-class";
static const char sensitive[] = "occupation";

bauta_status ex_p4_prepare(const ex_experiment_job *job, int64_t most, ex_p4_found *found,
                           bauta_error *error)
{
    ex_adult adult = {.experiment = "P4",
                      .columns = columns,
                      .count = sizeof columns / sizeof *columns,
                      .most = most};
    EX_TRY(ex_adult_clean(job, &adult, error));
    found->rows = adult.rows;
    found->dropped = adult.dropped;
    return BAUTA_OK;
}

/* ---- asking the library ---- */

static bauta_status make_release(const ex_experiment_job *job, const struct plan *plan,
                                 const char *seed, json_t **facts, bauta_error *error)
{
    const ex_setting settings[] = {
        {"input", ex_file_in(job, table)},
        {"quasi", quasi},
        {"sensitive", sensitive},
        {"require", plan->require},
        {"group", plan->group},
        {"publish", plan->publish},
        {"seed", seed},
        {"force", "yes"},
    };
    bauta_recipe *made = NULL;
    bauta_status status = ex_trial_recipe(job, &made, error);
    if (status == BAUTA_OK)
        status = ex_trial_set(made, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = ex_trial_anonymize(job, made, plan->folder, facts, error);
    bauta_recipe_free(made);
    return status;
}

/* ---- errors of queries ---- */

static ex_p4_answers answers_of(const json_t *facts)
{
    return (ex_p4_answers){.mean_error = ex_number_at(facts, "mean_error"),
                           .median_error = ex_number_at(facts, "median_error"),
                           .contained = ex_number_at(facts, "contained")};
}

static bauta_status ask(const ex_experiment_job *job, const ex_p4_found *found, int asked,
                        const char *seed, ex_p4_trial *out, bauta_error *error)
{
    char workload[32];
    const char *folders[EX_P4_RELEASES];
    json_t *facts = NULL;
    const ex_setting wanted[] = {{"input", ex_file_in(job, table)},
                                 {"workload", workload},
                                 {"queries", found->queries},
                                 {"seed", seed}};
    snprintf(workload, sizeof workload, "paper4:j=%d", asked);
    for (size_t i = 0; i < EX_P4_RELEASES; i++)
        folders[i] = plans[i].folder;
    EX_TRY(ex_trial_measure(job, folders, EX_P4_RELEASES, wanted, 4, &facts, error));
    const json_t *list = json_object_get(facts, "releases");
    for (size_t i = 0; i < EX_P4_RELEASES; i++) {
        const json_t *one = json_object_get(json_array_get(list, i), "workload");
        out->of[i] = answers_of(one);
        out->empty = (int64_t)ex_number_at(one, "empty");
        if (i == EX_P4_RANDOMIZED)
            out->of[EX_P4_DIRECT] = answers_of(json_object_get(one, "direct"));
    }
    json_decref(facts);
    return BAUTA_OK;
}

/* ---- associations ---- */

static ex_p4_rules rules_of(const json_t *facts)
{
    return (ex_p4_rules){.original = (int64_t)ex_number_at(facts, "original"),
                         .recovered = (int64_t)ex_number_at(facts, "recovered"),
                         .artificial = (int64_t)ex_number_at(facts, "artificial")};
}

static bauta_status mine(const ex_experiment_job *job, const char *folder, const char *from,
                         const char *seed, ex_p4_mined *out, bauta_error *error)
{
    char text[80], length[16];
    json_t *facts = NULL;
    const ex_setting wanted[] = {
        {"input", ex_file_in(job, table)}, {"associations", text}, {"seed", seed}};
    snprintf(text, sizeof text, "support=0.08,confidence=0.15,from=%s", from);
    EX_TRY(ex_trial_measure(job, &folder, 1, wanted, 3, &facts, error));
    out->all = rules_of(json_object_get(facts, "associations"));
    const json_t *lengths = json_object_get(facts, "associations_by_length");
    for (int i = 0; i < EX_P4_LENGTHS; i++) {
        snprintf(length, sizeof length, "%d", i + 1);
        out->by_length[i] = rules_of(json_object_get(lengths, length));
    }
    json_decref(facts);
    return BAUTA_OK;
}

static bauta_status randomize(const ex_experiment_job *job, int lambda, const char *seed,
                              ex_p4_randomized *out, bauta_error *error)
{
    char form[32];
    json_t *facts = NULL;
    const struct plan plan = {.folder = spare, .require = "", .group = "", .publish = form};
    snprintf(form, sizeof form, "randomized:lambda=%d", lambda);
    EX_TRY(make_release(job, &plan, seed, &facts, error));
    out->anonymity = ex_number_at(facts, "probabilistic_anonymity");
    out->linkage = ex_number_at(facts, "linkage_rate");
    out->linkage_knowing_all = ex_number_at(json_object_get(facts, "linkage"), "rate_knowing_all");
    json_decref(facts);
    return mine(job, spare, "expected", seed, &out->mined, error);
}

/* ---- a run ---- */

bauta_status ex_p4_try(const ex_experiment_job *job, const ex_p4_found *found, const char *seed,
                       ex_p4_run *out, bauta_error *error)
{
    for (size_t i = 0; i < EX_P4_RELEASES; i++) {
        json_t *facts = NULL;
        EX_TRY(make_release(job, &plans[i], seed, &facts, error));
        out->classes[i] = (int64_t)ex_number_at(facts, "classes");
        json_decref(facts);
    }
    for (int asked = 1; asked <= EX_P4_ASKED; asked++)
        EX_TRY(ask(job, found, asked, seed, &out->asked[asked - 1], error));
    for (size_t i = 0; i < EX_P4_LAMBDAS; i++)
        EX_TRY(randomize(job, ex_p4_lambda(i), seed, &out->randomized[i], error));
    for (size_t i = 0; i < EX_P4_PERMUTED; i++) {
        const char *folder = plans[EX_P4_PERMUTED_5 + i].folder;
        EX_TRY(mine(job, folder, "expected", seed, &out->expected[i], error));
        EX_TRY(mine(job, folder, "permuted-sample", seed, &out->sampled[i], error));
    }
    return BAUTA_OK;
}

/* ---- the original ---- */

static bauta_status keep_pairs(const ex_experiment_job *job, const json_t *pairs,
                               ex_p4_found *found, bauta_error *error)
{
    const char *name;
    json_t *value;
    found->pairs = ex_arena_array(job->arena, json_object_size(pairs) + 1, sizeof *found->pairs);
    if (!found->pairs) return ex_fail_memory(error);
    json_object_foreach((json_t *)(uintptr_t)pairs, name, value)
    {
        if (strstr(name, sensitive)) found->pairs[found->pair_count++] = json_number_value(value);
    }
    return BAUTA_OK;
}

bauta_status ex_p4_look(const ex_experiment_job *job, const char *seed, ex_p4_found *found,
                        bauta_error *error)
{
    const ex_setting wanted[] = {{"input", ex_file_in(job, table)}, {"pairs", "yes"}};
    const char *folder = plans[EX_P4_RANDOMIZED].folder;
    json_t *facts = NULL;
    EX_TRY(ex_trial_measure(job, &folder, 1, wanted, 2, &facts, error));
    bauta_status status = keep_pairs(job, json_object_get(facts, "pairs_original"), found, error);
    json_decref(facts);
    for (int l = 7; l <= 10 && status == BAUTA_OK; l++) {
        char require[16], group[16];
        const struct plan plan = {spare, require, group, "two-tables"};
        snprintf(require, sizeof require, "l=%d", l);
        snprintf(group, sizeof group, "anatomy:l=%d", l);
        facts = NULL;
        status = make_release(job, &plan, seed, &facts, error);
        json_decref(facts);
        found->permuted[l] = status == BAUTA_OK;
        /* That it is refused is an answer. */
        if (status == BAUTA_NO || status == BAUTA_INVALID) status = BAUTA_OK;
    }
    return status;
}
