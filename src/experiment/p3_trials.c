/* SPDX-License-Identifier: Apache-2.0
 *
 * The runs of experiment P3: the library is asked through bauta.h, and its answers are read from
 * reports and from private/lattice.csv.
 */
#include "base/csv.h"
#include "base/text.h"
#include "experiment/p3.h"

#include <string.h>

const char *const bt_p3_model_names[BT_P3_MODELS] = {
    [BT_P3_SENSITIVE] = "p-sensitive",
    [BT_P3_ALPHA] = "(p,alpha)",
    [BT_P3_PLUS] = "(p+,alpha)",
};

enum { REQUIRE = 64 }; /* "k=4,p=2,weight=2" */

static void spell_require(bt_p3_model model, const bt_p3_setting *setting, char out[REQUIRE])
{
    char weight[32] = "";
    if (model != BT_P3_SENSITIVE) snprintf(weight, sizeof weight, ",weight=%d", setting->alpha);
    snprintf(out, REQUIRE, "k=%d,%s=%d%s", BT_P3_K, model == BT_P3_PLUS ? "p-categories" : "p",
             setting->p, weight);
}

/* ---- asking ---- */

/* The recipe of the experiment with what a setting changes, and with `method` in place of its own
 * if that is not "". Released by the caller, also after a failure. */
static bauta_status open_recipe(const bt_experiment_job *job, bt_p3_model model,
                                const bt_p3_setting *setting, const char *method,
                                bauta_recipe **recipe, bauta_error *error)
{
    char require[REQUIRE];
    spell_require(model, setting, require);
    const bt_setting settings[] = {
        {"drop", bt_p3_dropped(setting->size)},
        {"require", require},
        {"group", method},
        {"force", "yes"},
    };
    const char *file = bt_file_in(job, "recipe.yaml");
    if (!file) return bt_fail_memory(error);
    BT_TRY(bt_trial_recipe(job, recipe, error));
    BT_TRY(bt_trial_set(*recipe, settings, sizeof settings / sizeof *settings, error));
    return bauta_recipe_load(*recipe, file, error);
}

static double number_at(const json_t *facts, const char *object, const char *key)
{
    return bt_number_at(json_object_get(facts, object), key);
}

/* ---- minimal nodes ---- */

/* The column of private/lattice.csv that counts; its rows are the minimal nodes. */
static const char wanted[] = "similar_records:health";

static bauta_status strange_lattice(const char *file, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_INTERNAL,
                                  "the list of minimal nodes is not as "
                                  "this experiment expects it");
    bt_error_place(error, file, -1, NULL);
    return status;
}

static bool number_of(const bt_span *span, int64_t *out)
{
    char text[32];
    snprintf(text, sizeof text, "%.*s", (int)(span->length < 31 ? span->length : 31), span->bytes);
    return bt_text_integer(text, out);
}

/* Opens what follows the header; *place is the wanted column. */
static bauta_status open_nodes(const bt_buffer *text, const char *file, bt_arena *arena,
                               bt_csv *rows, bt_span **fields, size_t *place, bauta_error *error)
{
    bt_csv csv;
    bt_csv_open(&csv, text->bytes, text->length, ',', 1);
    bt_csv head = csv;
    size_t columns = bt_csv_any(&head, NULL, 0);
    *fields = bt_arena_array(arena, columns, sizeof **fields);
    if (!*fields) return bt_fail_memory(error);
    bt_csv_any(&csv, *fields, columns);
    for (*place = 0; *place < columns; ++*place) {
        const bt_span *name = &(*fields)[*place];
        if (name->length == sizeof wanted - 1 && memcmp(name->bytes, wanted, name->length) == 0)
            break;
    }
    if (*place == columns) return strange_lattice(file, error);
    bt_csv_open(rows, csv.at, (size_t)(csv.end - csv.at), ',', columns);
    return BAUTA_OK;
}

static bauta_status count_nodes(const bt_buffer *text, const char *file, bt_arena *arena,
                                bt_p3_attack *out, bauta_error *error)
{
    bt_csv rows;
    bt_span *fields;
    size_t place;
    int64_t records;
    BT_TRY(open_nodes(text, file, arena, &rows, &fields, &place, error));
    while (bt_csv_next(&rows, fields)) {
        if (!number_of(&fields[place], &records)) return strange_lattice(file, error);
        out->minimal++;
        if (records > 0) out->vulnerable++;
        if (records > out->most_records) out->most_records = records;
    }
    return rows.fault == BT_CSV_FINE ? BAUTA_OK : strange_lattice(file, error);
}

static bauta_status read_nodes(const bt_experiment_job *job, bt_p3_attack *out, bauta_error *error)
{
    bt_buffer text = {0};
    const char *file = bt_file_in(job, BT_TRIAL "/private/lattice.csv");
    bauta_status status = file ? bt_file_read(file, &text, error) : bt_fail_memory(error);
    if (status == BAUTA_OK) status = count_nodes(&text, file, job->arena, out, error);
    bt_buffer_release(&text);
    return status;
}

/* Makes the release of the moment, by the recipe's method or by `method`. */
static bauta_status make_release(const bt_experiment_job *job, bt_p3_model model,
                                 const bt_p3_setting *setting, const char *method, json_t **facts,
                                 bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_status status = open_recipe(job, model, setting, method, &recipe, error);
    if (status == BAUTA_OK) status = bt_trial_anonymize(job, recipe, BT_TRIAL, facts, error);
    bauta_recipe_free(recipe);
    return status;
}

bauta_status bt_p3_attack_nodes(const bt_experiment_job *job, bt_p3_model model,
                                const bt_p3_setting *setting, bt_p3_attack *out, bauta_error *error)
{
    json_t *facts = NULL;
    *out = (bt_p3_attack){0};
    bauta_status status = make_release(job, model, setting, "", &facts, error);
    if (status == BAUTA_OK) status = read_nodes(job, out, error);
    if (status == BAUTA_OK) out->distortion = number_at(facts, "measures", "distortion_ratio");
    json_decref(facts);
    return status;
}

/* ---- classes of local recoding ---- */

bauta_status bt_p3_attack_classes(const bt_experiment_job *job, bt_p3_model model,
                                  const bt_p3_setting *setting, bt_p3_local *out,
                                  bauta_error *error)
{
    static const char *const folder = BT_TRIAL;
    static const bt_setting similarity = {"similarity", "yes"};
    json_t *made = NULL, *facts = NULL;
    bauta_status status = make_release(job, model, setting, "top-down", &made, error);
    if (status == BAUTA_OK)
        status = bt_trial_measure(job, &folder, 1, &similarity, 1, &facts, error);
    const json_t *found = json_object_get(facts, "similarity");
    *out = (bt_p3_local){(int64_t)number_at(found, "health", "classes"),
                         (int64_t)number_at(found, "health", "similar_classes"),
                         (int64_t)number_at(found, "health", "similar_records")};
    json_decref(facts);
    json_decref(made);
    return status;
}

/* ---- time and distortion ---- */

bauta_status bt_p3_measure(const bt_experiment_job *job, bt_p3_model model,
                           const bt_p3_setting *setting, bt_p3_point *out, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    json_t *facts = NULL;
    *out = (bt_p3_point){0};
    bauta_status status = open_recipe(job, model, setting, "", &recipe, error);
    if (status == BAUTA_OK) status = bt_trial_preview(recipe, &facts, error);
    if (status == BAUTA_OK) {
        const json_t *found = json_array_get(json_object_get(facts, "tries"), 0);
        *out = (bt_p3_point){.seconds = number_at(found, "seconds", "group"),
                             .nodes = (int64_t)number_at(found, "lattice", "nodes"),
                             .evaluated = (int64_t)number_at(found, "lattice", "evaluated"),
                             .distortion = number_at(found, "measures", "distortion_ratio")};
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
    return status;
}

/* ---- table 8 ---- */

bauta_status bt_p3_example(const bt_experiment_job *job, int alpha, int64_t *classes,
                           bauta_error *error)
{
    char require[REQUIRE];
    snprintf(require, sizeof require, "k=2,p=2,weight=%d", alpha);
    const char *table = bt_file_in(job, "example.csv");
    const char *categories =
        bt_arena_print(job->arena, "disease=%s/example_categories.csv", job->folder);
    if (!table || !categories) return bt_fail_memory(error);
    const bt_setting settings[] = {
        {"input", table},         {"quasi", "zipcode"},          {"sensitive", "disease"},
        {"type", "zipcode=text"}, {"hierarchy", "zipcode=mask"}, {"categories", categories},
        {"require", require},     {"group", "top-down"},
    };
    bauta_recipe *recipe = NULL;
    json_t *facts = NULL;
    bauta_status status = bt_trial_recipe(job, &recipe, error);
    if (status == BAUTA_OK)
        status = bt_trial_set(recipe, settings, sizeof settings / sizeof *settings, error);
    if (status == BAUTA_OK) status = bt_trial_preview(recipe, &facts, error);
    if (status == BAUTA_OK) {
        const json_t *found = json_array_get(json_object_get(facts, "tries"), 0);
        *classes = json_integer_value(json_object_get(found, "classes"));
    }
    json_decref(facts);
    bauta_recipe_free(recipe);
    return status;
}
