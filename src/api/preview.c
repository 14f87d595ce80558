/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_preview: what a recipe would come to, or each of several like it, without publishing.
 */
#include "api/job.h"
#include "api/previous.h"

#include <string.h>

static void put_score(const bt_job *j, bt_facts *facts, json_t *at)
{
    const bt_score *score = &j->score;
    int64_t k = 1;
    for (size_t i = 0; i < j->request.requirements.count; i++)
        if (strcmp(j->request.requirements.items[i].type->name, "k") == 0)
            k = j->request.requirements.items[i].values[0].integer;
    json_t *measures = bt_put_object(facts, at, "measures");
    bt_put_real(facts, measures, "ncp", score->ncp);
    bt_put_int(facts, measures, "discernibility", score->discernibility);
    bt_put_real(facts, measures, "average_class", score->mean_class / (double)k);
    bt_put_real(facts, measures, "distortion_ratio", score->distortion_ratio);
    if (j->weighed) bt_put_real(facts, measures, "weighted_ncp", score->weighted_ncp);
}

/* One setting. With `compare` a requirement that cannot be met is an answer, not a failure. */
static bauta_status try_one(bt_job *j, const char *require, bool compare, bt_facts *facts,
                            json_t *tries, bauta_error *error)
{
    bt_job_forget_plan(j);
    BT_TRY(bt_request_parse(j->recipe, require, &j->arena, &j->request, error));
    json_t *at = bt_put_object(facts, tries, NULL);
    bt_put_text(facts, at, "require", require);
    bt_grouping_release(&j->grouping);
    bt_buffer_release(&j->notes.lattice);
    j->notes = (bt_method_notes){.facts = facts, .at = at};
    bauta_error reason;
    bauta_status status = bt_job_key(j, &reason);
    if (status == BAUTA_OK) status = bt_job_group(j, &reason);
    if (status == BAUTA_OK) status = bt_job_plan(j, facts, at, &reason);
    if (status == BAUTA_NO && compare) {
        bt_put_text(facts, at, "refused", reason.message);
        return BAUTA_OK;
    }
    if (status != BAUTA_OK) {
        if (error) *error = reason;
        return status;
    }
    bt_job_put_counts(j, facts, at);
    BT_TRY(bt_job_tell(j, facts, at, error));
    BT_TRY(bt_job_score(j, error));
    put_score(j, facts, at);
    json_t *seconds = bt_put_object(facts, at, "seconds");
    bt_put_real(facts, seconds, "read", j->read);
    bt_put_real(facts, seconds, "group", j->group);
    return BAUTA_OK;
}

/* Where records are published one by one there are no classes to show: what is known before values
 * are merged and drawn, and whether earlier releases allow it. */
static bauta_status try_ungrouped(bt_job *j, bt_facts *facts, json_t *tries, bauta_error *error)
{
    json_t *at = bt_put_object(facts, tries, NULL);
    bt_put_text(facts, at, "method", j->request.method_text);
    bt_put_text(facts, at, "form", j->request.form_text);
    bt_put_int(facts, at, "rows", j->rows);
    if (j->loaded.missing_dropped)
        bt_put_int(facts, at, "missing_dropped", j->loaded.missing_dropped);
    return bt_check_apart(j->recipe, &j->loaded, &j->run, facts, at, error);
}

/* Appends a requirement to a list of them; splitting took the backslash before a comma away. */
static bauta_status add_requirement(bt_buffer *list, const char *text, bauta_error *error)
{
    if (list->length > 0) BT_TRY(bt_buffer_add(list, ",", 1, error));
    for (const char *comma; (comma = strchr(text, ',')); text = comma + 1)
        BT_TRY(bt_buffer_print(list, error, "%.*s\\,", (int)(comma - text), text));
    return bt_buffer_print(list, error, "%s", text);
}

/* The recipe's requirements with `tried` in place of the one that begins like it. */
static bauta_status make_try(bt_job *j, const char *tried, size_t name, char *const *given,
                             size_t given_count, const char **out, bauta_error *error)
{
    bt_buffer list = {0};
    bauta_status status = add_requirement(&list, tried, error);
    for (size_t i = 0; i < given_count && status == BAUTA_OK; i++)
        if (strncmp(given[i], tried, name) != 0) status = add_requirement(&list, given[i], error);
    if (status == BAUTA_OK) {
        *out = bt_arena_copy(&j->arena, list.bytes, list.length);
        if (!*out) status = bt_fail_memory(error);
    }
    bt_buffer_release(&list);
    /* A slip is reported before the table is read. */
    if (status == BAUTA_OK)
        status = bt_request_parse(j->recipe, *out, &j->arena, &j->request, error);
    return status;
}

/* "k=3,5,10": the requirement of the recipe replaced by each value in turn. */
static bauta_status list_tries(bt_job *j, const char *tries, const char ***out, size_t *count,
                               bauta_error *error)
{
    const char *equals = strchr(tries, '='), *require = j->recipe->require;
    char **values = NULL, **given;
    size_t given_count;
    *count = 0;
    if (equals && equals != tries)
        BT_TRY(bt_text_split(&j->arena, equals + 1, ',', &values, count, error));
    if (*count == 0) {
        bauta_status status = bt_fail(error, BAUTA_USAGE, "a try needs a requirement and values");
        bt_error_hint(error, "say for example --try k=3,5,10");
        return status;
    }
    size_t name = (size_t)(equals + 1 - tries);
    BT_TRY(bt_text_split(&j->arena, require ? require : "", ',', &given, &given_count, error));
    *out = bt_arena_array(&j->arena, *count, sizeof **out);
    if (!*out) return bt_fail_memory(error);
    for (size_t i = 0; i < *count; i++) {
        const char *tried = bt_arena_print(&j->arena, "%.*s%s", (int)name, tries, values[i]);
        if (!tried) return bt_fail_memory(error);
        BT_TRY(make_try(j, tried, name, given, given_count, &(*out)[i], error));
    }
    return BAUTA_OK;
}

static bauta_status preview(bt_job *j, const char *tries, bt_facts *facts, bauta_error *error)
{
    const char *asked = j->recipe->require, **list = &asked;
    size_t count = 1;
    if (tries)
        BT_TRY(list_tries(j, tries, &list, &count, error));
    else
        BT_TRY(bt_request_parse(j->recipe, asked, &j->arena, &j->request, error));
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_job_load(j, error));
    json_t *at = bt_put_array(facts, facts->root, "tries");
    if (j->request.form->ungrouped) return try_ungrouped(j, facts, at, error);
    for (size_t i = 0; i < count; i++)
        BT_TRY(try_one(j, list[i], tries != NULL, facts, at, error));
    return BAUTA_OK;
}

bauta_status bauta_preview(const bauta_recipe *recipe, const char *tries, bauta_report **report,
                           bauta_error *error)
{
    bt_error_clear(error);
    if (report) *report = NULL;
    if (!recipe) return bt_fail(error, BAUTA_USAGE, "a recipe is needed");
    bt_job j = {.recipe = recipe, .start = bt_seconds()};
    bt_facts facts;
    bt_facts_init(&facts);
    bauta_status status = preview(&j, tries, &facts, error);
    bt_job_release(&j);
    if (status == BAUTA_OK) return bt_report_give(BT_REPORT_PREVIEW, &facts, report, error);
    bt_facts_release(&facts);
    return status;
}
