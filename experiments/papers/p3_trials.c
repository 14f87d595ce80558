/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of experiment P3: the library is asked through bauta.h, and its answers are read from
 * reports and from private/lattice.csv.
 */
#include "papers/p3.h"

const char *const ex_p3_model_names[EX_P3_MODELS] = {
    [EX_P3_SENSITIVE] = "p-sensitive",
    [EX_P3_ALPHA] = "(p,alpha)",
    [EX_P3_PLUS] = "(p+,alpha)",
};

enum { REQUIRE = 64 }; /* "k=4,p=2,weight=2" */

static void spell_require(ex_p3_model model, const ex_p3_setting *setting, char out[REQUIRE])
{
    char weight[32] = "";
    if (model != EX_P3_SENSITIVE) snprintf(weight, sizeof weight, ",weight=%d", setting->alpha);
    snprintf(out, REQUIRE, "k=%d,%s=%d%s", EX_P3_K, model == EX_P3_PLUS ? "p-categories" : "p",
             setting->p, weight);
}

/* ---- asking ---- */

/* The recipe of the experiment with what a setting changes, and with `method` in place of its own
 * if that is not "". Released by the caller, also after a failure. */
static bauta_status open_recipe(const ex_experiment_job *job, ex_p3_model model,
                                const ex_p3_setting *setting, const char *method,
                                bauta_recipe **recipe, bauta_error *error)
{
    char require[REQUIRE];
    spell_require(model, setting, require);
    const ex_setting settings[] = {
        {"drop", ex_p3_dropped(setting->size)},
        {"require", require},
        {"group", method},
        {"force", "yes"},
    };
    const char *file = ex_file_in(job, "recipe.yaml");
    if (!file) return ex_fail_memory(error);
    EX_TRY(ex_trial_recipe(job, recipe, error));
    EX_TRY(ex_trial_set(*recipe, settings, sizeof settings / sizeof *settings, error));
    return bauta_recipe_load(*recipe, file, error);
}

static double number_at(const json_t *facts, const char *object, const char *key)
{
    return ex_number_at(json_object_get(facts, object), key);
}

/* ---- minimal nodes ---- */

/* The column of private/lattice.csv that counts; its rows are the minimal nodes. */
static const char wanted[] = "similar_records:health";

static bauta_status strange_lattice(const char *file, bauta_error *error)
{
    bauta_status status = ex_fail(error, BAUTA_INTERNAL,
                                  "the list of minimal nodes is not as "
                                  "this experiment expects it");
    ex_error_place(error, file, -1, NULL);
    return status;
}

static bauta_status count_nodes(ex_csv *csv, ex_p3_attack *out, bauta_error *error)
{
    size_t place = ex_csv_column(csv, wanted);
    if (place == csv->columns) return strange_lattice(csv->name, error);
    for (bool more = true;;) {
        int64_t records;
        EX_TRY(ex_csv_next(csv, &more, error));
        if (!more) return BAUTA_OK;
        if (!ex_integer(csv->fields[place], &records)) return strange_lattice(csv->name, error);
        out->minimal++;
        if (records > 0) out->vulnerable++;
        if (records > out->most_records) out->most_records = records;
    }
}

static bauta_status read_nodes(const ex_experiment_job *job, ex_p3_attack *out, bauta_error *error)
{
    ex_csv csv;
    bauta_status status =
        ex_csv_open(&csv, ex_file_in(job, EX_TRIAL "/private/lattice.csv"), ',', error);
    if (status == BAUTA_OK) status = count_nodes(&csv, out, error);
    ex_csv_close(&csv);
    return status;
}

/* Makes the release of the moment, by the recipe's method or by `method`. */
static bauta_status make_release(const ex_experiment_job *job, ex_p3_model model,
                                 const ex_p3_setting *setting, const char *method, json_t **facts,
                                 bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_status status = open_recipe(job, model, setting, method, &recipe, error);
    if (status == BAUTA_OK) status = ex_trial_anonymize(job, recipe, EX_TRIAL, facts, error);
    bauta_recipe_free(recipe);
    return status;
}

bauta_status ex_p3_attack_nodes(const ex_experiment_job *job, ex_p3_model model,
                                const ex_p3_setting *setting, ex_p3_attack *out, bauta_error *error)
{
    json_t *facts = NULL;
    *out = (ex_p3_attack){0};
    bauta_status status = make_release(job, model, setting, "", &facts, error);
    if (status == BAUTA_OK) status = read_nodes(job, out, error);
    if (status == BAUTA_OK) out->distortion = number_at(facts, "measures", "distortion_ratio");
    json_decref(facts);
    return status;
}

/* ---- classes of local recoding ---- */

bauta_status ex_p3_attack_classes(const ex_experiment_job *job, ex_p3_model model,
                                  const ex_p3_setting *setting, ex_p3_local *out,
                                  bauta_error *error)
{
    static const char *const folder = EX_TRIAL;
    static const ex_setting similarity = {"similarity", "yes"};
    json_t *made = NULL, *facts = NULL;
    bauta_status status = make_release(job, model, setting, "top-down", &made, error);
    if (status == BAUTA_OK)
        status = ex_trial_measure(job, &folder, 1, &similarity, 1, &facts, error);
    const json_t *found = json_object_get(facts, "similarity");
    *out = (ex_p3_local){(int64_t)number_at(found, "health", "classes"),
                         (int64_t)number_at(found, "health", "similar_classes"),
                         (int64_t)number_at(found, "health", "similar_records")};
    json_decref(facts);
    json_decref(made);
    return status;
}

/* ---- time and distortion ---- */

bauta_status ex_p3_measure(const ex_experiment_job *job, ex_p3_model model,
                           const ex_p3_setting *setting, ex_p3_point *out, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    json_t *facts = NULL;
    *out = (ex_p3_point){0};
    bauta_status status = open_recipe(job, model, setting, "", &recipe, error);
    if (status == BAUTA_OK) status = ex_trial_preview(recipe, &facts, error);
    if (status == BAUTA_OK) {
        const json_t *found = json_array_get(json_object_get(facts, "tries"), 0);
        *out = (ex_p3_point){.seconds = number_at(found, "seconds", "group"),
                             .nodes = (int64_t)number_at(found, "lattice", "nodes"),
                             .evaluated = (int64_t)number_at(found, "lattice", "evaluated"),
                             .distortion = number_at(found, "measures", "distortion_ratio")};
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
    return status;
}

/* ---- table 8 ---- */

bauta_status ex_p3_example(const ex_experiment_job *job, int alpha, int64_t *classes,
                           bauta_error *error)
{
    char require[REQUIRE];
    snprintf(require, sizeof require, "k=2,p=2,weight=%d", alpha);
    const char *table = ex_file_in(job, "example.csv");
    const char *categories =
        ex_arena_print(job->arena, "disease=%s/example_categories.csv", job->folder);
    if (!table || !categories) return ex_fail_memory(error);
    const ex_setting settings[] = {
        {"input", table},         {"quasi", "zipcode"},          {"sensitive", "disease"},
        {"type", "zipcode=text"}, {"hierarchy", "zipcode=mask"}, {"categories", categories},
        {"require", require},     {"group", "top-down"},
    };
    bauta_recipe *recipe = NULL;
    json_t *facts = NULL;
    bauta_status status = ex_trial_recipe(job, &recipe, error);
    if (status == BAUTA_OK)
        status = ex_trial_set(recipe, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = ex_trial_preview(recipe, &facts, error);
    if (status == BAUTA_OK) {
        const json_t *found = json_array_get(json_object_get(facts, "tries"), 0);
        *classes = json_integer_value(json_object_get(found, "classes"));
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
    return status;
}
