/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_reproduce: the experiments of papers.
 */
#include "api/api.h"
#include "experiment/experiment.h"
#include "recipe/recipe.h"

bauta_status bauta_reproduce(const char *experiment, const char *const *arguments, size_t count,
                             const bauta_recipe *recipe, bauta_report **report, bauta_error *error)
{
    bt_error_clear(error);
    if (report) *report = NULL;
    if (!experiment || (count && !arguments))
        return bt_fail(error, BAUTA_USAGE, "the name of an experiment is needed");
    bt_facts facts;
    bt_facts_init(&facts);
    bt_experiment_job job = {.facts = &facts,
                             .progress = recipe ? recipe->progress : NULL,
                             .progress_user = recipe ? recipe->progress_user : NULL};
    bauta_status status = bt_experiment_run(experiment, arguments, count, &job, error);
    if (status == BAUTA_OK) return bt_report_give(BT_REPORT_REPRODUCE, &facts, report, error);
    bt_facts_release(&facts);
    return status;
}
