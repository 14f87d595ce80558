/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking the library, as experiments do: a recipe of a few settings, and facts for an answer.
 */
#include "experiment/experiment.h"

#include <string.h>

bauta_status bt_trial_recipe(const bt_experiment_job *job, bauta_recipe **out, bauta_error *error)
{
    /* Papers publish their columns as they are, whoever stands out by them. */
    const bt_setting settings[] = {{"threads", job->values[BT_EXPERIMENT_THREADS].text},
                                   {"tmp", job->values[BT_EXPERIMENT_TMP].text},
                                   {"unique-limit", "1"}};
    BT_TRY(bauta_recipe_new(out, error));
    bauta_recipe_on_progress(*out, job->progress, job->progress_user);
    return bt_trial_set(*out, settings, 3, error);
}

bauta_status bt_trial_set(bauta_recipe *recipe, const bt_setting *settings, size_t count,
                          bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!settings[i][1]) return bt_fail_memory(error);
        if (*settings[i][1])
            BT_TRY(bauta_recipe_set(recipe, settings[i][0], settings[i][1], error));
        if (strcmp(settings[i][0], "sensitive") == 0)
            BT_TRY(bauta_recipe_set(recipe, "accept", settings[i][1], error));
    }
    return BAUTA_OK;
}

bauta_status bt_report_read(const bauta_report *report, json_t **out, bauta_error *error)
{
    char *text = NULL;
    BT_TRY(bauta_report_json(report, &text, error));
    *out = json_loads(text, 0, NULL);
    bauta_text_free(text);
    return *out ? BAUTA_OK : bt_fail_memory(error);
}

bauta_status bt_trial_anonymize(const bt_experiment_job *job, const bauta_recipe *recipe,
                                const char *folder, json_t **facts, bauta_error *error)
{
    bauta_report *report = NULL;
    const char *out = bt_file_in(job, folder);
    if (!out) return bt_fail_memory(error);
    BT_TRY(bauta_anonymize(recipe, out, facts ? &report : NULL, error));
    bauta_status status = facts ? bt_report_read(report, facts, error) : BAUTA_OK;
    bauta_report_free(report);
    return status;
}

bauta_status bt_trial_preview(const bauta_recipe *recipe, json_t **facts, bauta_error *error)
{
    bauta_report *report = NULL;
    BT_TRY(bauta_preview(recipe, NULL, &report, error));
    bauta_status status = bt_report_read(report, facts, error);
    bauta_report_free(report);
    return status;
}

bauta_status bt_trial_measure(const bt_experiment_job *job, const char *const *folders,
                              size_t count, const bt_setting *settings, size_t setting_count,
                              json_t **facts, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    const char **publish = bt_arena_array(job->arena, count, sizeof *publish);
    if (!publish) return bt_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        publish[i] = bt_arena_print(job->arena, "%s/%s/publish", job->folder, folders[i]);
        if (!publish[i]) return bt_fail_memory(error);
    }
    bauta_status status = bt_trial_recipe(job, &recipe, error);
    if (status == BAUTA_OK) status = bt_trial_set(recipe, settings, setting_count, error);
    if (status == BAUTA_OK) status = bauta_measure(publish, count, recipe, &report, error);
    if (status == BAUTA_OK) status = bt_report_read(report, facts, error);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}

double bt_number_at(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}
