/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of the library in experiment P5: each method alone, on the joined table, and refined.
 */
#include "papers/p5.h"

const char *const ex_p5_method_names[EX_P5_METHODS] = {
    [EX_P5_MONDRIAN] = "mondrian",
    [EX_P5_CLUSTER] = "cluster",
};

const char *const ex_p5_variant_names[EX_P5_VARIANTS] = {
    [EX_P5_PLAIN] = "plain",
    [EX_P5_DIRECT] = "direct",
    [EX_P5_REFINE] = "refine",
};

const int ex_p5_ranges[EX_P5_RANGES] = {2, 5, 10, 20, 50};

static const char *const groups[EX_P5_METHODS] = {"mondrian:order=round-robin", "cluster"};
static const char *const folders[EX_P5_VARIANTS] = {EX_TRIAL, EX_TRIAL_SECOND, EX_TRIAL_THIRD};
static const char microdata_file[] = "microdata.csv", public_file[] = "public.csv";

/* The first `d` columns by name. */
static bauta_status name_quasi(const ex_experiment_job *job, const ex_p5_found *found, int64_t d,
                               const char **out, bauta_error *error)
{
    *out = found->names[0];
    for (int64_t i = 1; i < d && *out; i++)
        *out = ex_arena_print(job->arena, "%s,%s", *out, found->names[i]);
    return *out ? BAUTA_OK : ex_fail_memory(error);
}

static bauta_status describe_release(const ex_experiment_job *job, const ex_p5_found *found,
                                     const ex_p5_setting *setting, ex_p5_method method,
                                     ex_p5_variant variant, const char *seed, bauta_recipe *to,
                                     bauta_error *error)
{
    char require[32];
    const char *quasi;
    EX_TRY(name_quasi(job, found, setting->d, &quasi, error));
    snprintf(require, sizeof require, "k=%lld", (long long)setting->k);
    const ex_setting settings[] = {
        {"input", ex_file_in(job, microdata_file)},
        {"quasi", quasi},
        {"drop", "rest"},
        {"require", require},
        {"group", groups[method]},
        {"seed", seed},
        {"force", "yes"},
        {"keep-mapping", "yes"},
    };
    const ex_setting joined[] = {{"public", ex_file_in(job, public_file)},
                                 {"key", "id"},
                                 {"join", ex_p5_variant_names[variant]}};
    EX_TRY(ex_trial_set(to, settings, sizeof settings / sizeof *settings, error));
    if (variant == EX_P5_PLAIN) return BAUTA_OK;
    return ex_trial_set(to, joined, sizeof joined / sizeof *joined, error);
}

/* *seconds: of grouping. */
static bauta_status make_release(const ex_experiment_job *job, const ex_p5_found *found,
                                 const ex_p5_setting *setting, ex_p5_method method,
                                 ex_p5_variant variant, const char *seed, double *seconds,
                                 bauta_error *error)
{
    bauta_recipe *made = NULL;
    json_t *facts = NULL;
    bauta_status status = ex_trial_recipe(job, &made, error);
    if (status == BAUTA_OK)
        status = describe_release(job, found, setting, method, variant, seed, made, error);
    if (status == BAUTA_OK) status = ex_trial_anonymize(job, made, folders[variant], &facts, error);
    if (status == BAUTA_OK) *seconds = ex_number_at(json_object_get(facts, "seconds"), "group");
    json_decref(facts);
    bauta_recipe_free(made);
    return status;
}

/* Measures some releases; with a range (not 0) asks them too. */
static bauta_status measure(const ex_experiment_job *job, const ex_p5_found *found,
                            const ex_p5_variant *variants, size_t count, int range,
                            const char *seed, json_t **facts, bauta_error *error)
{
    char workload[64];
    const char *of[EX_P5_VARIANTS];
    for (size_t i = 0; i < count; i++)
        of[i] = folders[variants[i]];
    snprintf(workload, sizeof workload, "paper5:range=%d%%", range);
    const ex_setting settings[] = {{"input", ex_file_in(job, microdata_file)},
                                   {"seed", seed},
                                   {"workload", range ? workload : ""},
                                   {"queries", range ? found->queries : ""}};
    return ex_trial_measure(job, of, count, settings, 4, facts, error);
}

/* The losses of the microdata; a public table without external persons makes a plain release. */
static void take_losses(const json_t *facts, ex_p5_loss *out)
{
    const json_t *join = json_object_get(facts, "join");
    out->ncp = ex_number_at(join ? join : facts, "ncp");
    out->dm = ex_number_at(join ? join : facts, "discernibility");
}

static bauta_status measure_direct(const ex_experiment_job *job, const ex_p5_found *found,
                                   const char *seed, ex_p5_loss *out, bauta_error *error)
{
    static const ex_p5_variant variant = EX_P5_DIRECT;
    json_t *facts = NULL;
    EX_TRY(measure(job, found, &variant, 1, 0, seed, &facts, error));
    take_losses(facts, out);
    json_decref(facts);
    return BAUTA_OK;
}

/* Asks all releases that answer queries the same queries. */
static bauta_status ask(const ex_experiment_job *job, const ex_p5_found *found, size_t range,
                        const char *seed, ex_p5_loss *of, bauta_error *error)
{
    static const ex_p5_variant variants[] = {EX_P5_PLAIN, EX_P5_REFINE};
    json_t *facts = NULL;
    EX_TRY(measure(job, found, variants, 2, ex_p5_ranges[range], seed, &facts, error));
    for (size_t i = 0; i < 2; i++) {
        const json_t *one = json_array_get(json_object_get(facts, "releases"), i);
        const json_t *answers = json_object_get(one, "workload");
        ex_p5_loss *out = &of[variants[i]];
        double contained = ex_number_at(answers, "contained");
        take_losses(one, out);
        out->error[range] = ex_number_at(answers, "mean_error");
        if (contained < out->contained) out->contained = contained;
    }
    json_decref(facts);
    return BAUTA_OK;
}

static bauta_status try_method(const ex_experiment_job *job, const ex_p5_found *found,
                               const ex_p5_setting *setting, ex_p5_method method, bool ranges,
                               const char *seed, ex_p5_loss *of, bauta_error *error)
{
    for (ex_p5_variant variant = 0; variant < EX_P5_VARIANTS; variant++) {
        of[variant] = (ex_p5_loss){.contained = 1};
        EX_TRY(
            make_release(job, found, setting, method, variant, seed, &of[variant].seconds, error));
    }
    for (size_t range = 0; range < EX_P5_RANGES; range++)
        if (ranges || range == EX_P5_RANGE) EX_TRY(ask(job, found, range, seed, of, error));
    return measure_direct(job, found, seed, &of[EX_P5_DIRECT], error);
}

bauta_status ex_p5_try(const ex_experiment_job *job, const ex_p5_found *found,
                       const ex_p5_setting *setting, bool ranges, const char *seed,
                       ex_p5_trial *out, bauta_error *error)
{
    EX_TRY(ex_p5_take(job, found->microdata, microdata_file, error));
    EX_TRY(ex_p5_take(job, found->microdata * setting->ratio, public_file, error));
    for (ex_p5_method method = 0; method < EX_P5_METHODS; method++)
        if (found->tried[method])
            EX_TRY(try_method(job, found, setting, method, ranges, seed, out->of[method], error));
    return BAUTA_OK;
}
