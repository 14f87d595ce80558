/* SPDX-License-Identifier: Apache-2.0
 *
 * Asking the library, as experiments do: a recipe of a few settings, and facts for an answer.
 */
#include "papers/experiment.h"

#include <string.h>

bauta_status ex_trial_recipe(const ex_experiment_job *job, bauta_recipe **out, bauta_error *error)
{
    /* Papers publish their columns as they are, whoever stands out by them. */
    const ex_setting settings[] = {{"threads", job->values[EX_EXPERIMENT_THREADS].text},
                                   {"tmp", job->values[EX_EXPERIMENT_TMP].text},
                                   {"unique-limit", "1"}};
    EX_TRY(bauta_recipe_new(out, error));
    bauta_recipe_on_progress(*out, job->progress, job->progress_user);
    return ex_trial_set(*out, settings, 3, error);
}

bauta_status ex_trial_set(bauta_recipe *recipe, const ex_setting *settings, size_t count,
                          bauta_error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (!settings[i][1]) return ex_fail_memory(error);
        if (*settings[i][1])
            EX_TRY(bauta_recipe_set(recipe, settings[i][0], settings[i][1], error));
        if (strcmp(settings[i][0], "sensitive") == 0)
            EX_TRY(bauta_recipe_set(recipe, "accept", settings[i][1], error));
    }
    return BAUTA_OK;
}

bauta_status ex_report_read(const bauta_report *report, json_t **out, bauta_error *error)
{
    char *text = NULL;
    EX_TRY(bauta_report_json(report, &text, error));
    *out = json_loads(text, 0, NULL);
    bauta_text_free(text);
    return *out ? BAUTA_OK : ex_fail_memory(error);
}

bauta_status ex_trial_anonymize(const ex_experiment_job *job, const bauta_recipe *recipe,
                                const char *folder, json_t **facts, bauta_error *error)
{
    bauta_report *report = NULL;
    const char *out = ex_file_in(job, folder);
    if (!out) return ex_fail_memory(error);
    EX_TRY(bauta_anonymize(recipe, out, facts ? &report : NULL, error));
    bauta_status status = facts ? ex_report_read(report, facts, error) : BAUTA_OK;
    bauta_report_free(report);
    return status;
}

bauta_status ex_trial_preview(const bauta_recipe *recipe, json_t **facts, bauta_error *error)
{
    bauta_report *report = NULL;
    EX_TRY(bauta_preview(recipe, NULL, &report, error));
    bauta_status status = ex_report_read(report, facts, error);
    bauta_report_free(report);
    return status;
}

bauta_status ex_trial_measure(const ex_experiment_job *job, const char *const *folders,
                              size_t count, const ex_setting *settings, size_t setting_count,
                              json_t **facts, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_report *report = NULL;
    const char **publish = ex_arena_array(job->arena, count, sizeof *publish);
    if (!publish) return ex_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        publish[i] = ex_arena_print(job->arena, "%s/%s/publish", job->folder, folders[i]);
        if (!publish[i]) return ex_fail_memory(error);
    }
    bauta_status status = ex_trial_recipe(job, &recipe, error);
    if (status == BAUTA_OK) status = ex_trial_set(recipe, settings, setting_count, error);
    if (status == BAUTA_OK) status = bauta_measure(publish, count, recipe, &report, error);
    if (status == BAUTA_OK) status = ex_report_read(report, facts, error);
    bauta_report_free(report);
    bauta_recipe_free(recipe);
    return status;
}
