/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta anonymize --dry-run` and `--try`: what a recipe would come to, or each of several like it,
 * without publishing.
 */
#include "job/commands.h"
#include "job/job.h"
#include "job/previous.h"
#include "measure/measure.h"

#include <string.h>

/* What the grouping loses, before anything is published. */
static bauta_status put_measures(const bt_job *j, bt_facts *facts, json_t *at, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    const bt_join *join = j->loaded.join;
    const bt_grouping *grouping = join ? &join->grouping : &j->grouping;
    BT_TRY(bt_table_select(join ? &join->table : &j->loaded.table, BT_ROLE_QUASI, &quasi, &count,
                           error));
    const bt_measured_grouping asked = {.grouping = grouping,
                                        .quasi = quasi,
                                        .records = join ? grouping->kept + j->dropped : j->rows,
                                        .least =
                                            bt_requirements_least_size(&j->request.requirements),
                                        .values_shown = j->request.form->shows_values};
    bauta_status status =
        bt_measure_grouping(&asked, facts, bt_put_object(facts, at, "measures"), error);
    free(quasi);
    return status;
}

/* The chance to pick the record of someone whose quasi values are known, for whoever is hit worst:
 * certain where these are published as they are. */
static void put_risk(const bt_job *j, bt_facts *facts, json_t *at)
{
    int64_t persons = j->loaded.table.subject_of ? j->subjects.smallest : j->smallest;
    bool shown = j->request.form->shows_values || persons < 1;
    bt_put_real(facts, at, "risk", shown ? 1 : 1 / (double)persons);
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
    BT_TRY(put_measures(j, facts, at, error));
    put_risk(j, facts, at);
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
    return status;
}

/* What is tried: a requirement of the recipe, or a key, and its values. */
typedef struct axis {
    const char *name;         /* "k", "group" */
    const bt_recipe_key *key; /* NULL: it is a requirement */
    char **values;
    size_t count;
} axis;

enum { AXES_MOST = 8, TRIES_MOST = 100 };

typedef struct comparison {
    axis axes[AXES_MOST];
    size_t axis_count;
    size_t count;    /* settings: each value of each with each of the others */
    bool keys_alike; /* only requirements are tried: the table is read once */
} comparison;

static bauta_status wrong_try(const char *what, bauta_error *error)
{
    bauta_status status = bt_fail(error, BAUTA_USAGE, "%s", what);
    bt_error_hint(error, "say for example --try k=3,5,10 or --try group=mondrian,incognito");
    return status;
}

/* "k=3,5,10": a backslash keeps a comma of a value. */
static bauta_status parse_axis(bt_job *j, const char *text, axis *out, bauta_error *error)
{
    const char *equals = strchr(text, '=');
    *out = (axis){0};
    if (equals && equals != text)
        BT_TRY(bt_text_split(&j->arena, equals + 1, ',', &out->values, &out->count, error));
    if (out->count == 0) return wrong_try("a try needs a requirement or a key, and values", error);
    out->name = bt_arena_copy(&j->arena, text, (size_t)(equals - text));
    if (!out->name) return bt_fail_memory(error);
    size_t length = strcspn(out->name, "(");
    out->key = bt_recipe_find_key(out->name);
    if (out->key && strchr(out->values[0], '=')) return BAUTA_OK; /* weight=COL=2, not weight=2 */
    for (size_t i = 0; i < bt_requirement_registry_count; i++) {
        const char *name = bt_requirement_registry[i]->name;
        if (strlen(name) == length && strncmp(name, out->name, length) == 0) out->key = NULL;
    }
    return BAUTA_OK; /* a name that is neither is refused as a requirement */
}

/* One try in each line. */
static bauta_status parse_tries(bt_job *j, const char *text, comparison *out, bauta_error *error)
{
    char **lines;
    size_t count;
    *out = (comparison){.count = 1, .keys_alike = true};
    BT_TRY(bt_text_split(&j->arena, text, '\n', &lines, &count, error));
    if (count == 0) return wrong_try("a try needs a requirement or a key, and values", error);
    if (count > AXES_MOST) return wrong_try("too many keys are tried at once", error);
    for (size_t i = 0; i < count; i++) {
        axis *one = &out->axes[out->axis_count++];
        BT_TRY(parse_axis(j, lines[i], one, error));
        out->keys_alike = out->keys_alike && !one->key;
        if (one->count > TRIES_MOST / out->count)
            return bt_fail(error, BAUTA_USAGE, "more than %d settings are tried", TRIES_MOST);
        out->count *= one->count;
    }
    return BAUTA_OK;
}

/* The value of each axis in a setting; the last axis changes first. */
static const char *value_at(const comparison *t, size_t setting, size_t axis_number)
{
    for (size_t i = t->axis_count; i-- > axis_number + 1;)
        setting /= t->axes[i].count;
    return t->axes[axis_number].values[setting % t->axes[axis_number].count];
}

/* The requirements of a recipe with those that are tried in place of the ones that begin alike. */
static bauta_status require_at(bt_job *j, const comparison *t, size_t setting, const char *given,
                               const char **out, bauta_error *error)
{
    *out = given;
    for (size_t i = 0; i < t->axis_count; i++) {
        const axis *one = &t->axes[i];
        char **parts;
        size_t count;
        if (one->key) continue;
        const char *tried = bt_arena_print(&j->arena, "%s=%s", one->name, value_at(t, setting, i));
        if (!tried) return bt_fail_memory(error);
        BT_TRY(bt_text_split(&j->arena, *out ? *out : "", ',', &parts, &count, error));
        BT_TRY(make_try(j, tried, strlen(one->name) + 1, parts, count, out, error));
    }
    return BAUTA_OK;
}

/* The recipe with the keys that are tried. */
static bauta_status recipe_at(const bauta_recipe *recipe, const comparison *t, size_t setting,
                              bauta_recipe **out, bauta_error *error)
{
    bauta_status status = bt_recipe_copy(recipe, out, error);
    for (size_t i = 0; i < t->axis_count && status == BAUTA_OK; i++) {
        const bt_recipe_key *key = t->axes[i].key;
        if (!key) continue;
        status = bt_recipe_replace(*out, key->key.name, value_at(t, setting, i), error);
    }
    return status;
}

/* What is tried, by name, in the order in which it was asked for. */
static void put_setting(const comparison *t, size_t setting, bt_facts *facts, json_t *at)
{
    json_t *to = bt_put_object(facts, at, "setting");
    for (size_t i = 0; i < t->axis_count; i++)
        bt_put_text(facts, to, t->axes[i].name, value_at(t, setting, i));
}

/* One setting of keys, from the beginning: a key may change how the table is read. */
static bauta_status try_keys(const bt_job *whole, const comparison *t, size_t setting,
                             bt_facts *facts, json_t *list, bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bauta_error reason;
    bt_job j = {.start = whole->start};
    const char *require = NULL;
    size_t place = json_array_size(list);
    bauta_status status = recipe_at(whole->recipe, t, setting, &recipe, &reason);
    j.recipe = recipe;
    if (status == BAUTA_OK) status = require_at(&j, t, setting, recipe->require, &require, &reason);
    if (status == BAUTA_OK)
        status = bt_request_parse(recipe, require, &j.arena, &j.request, &reason);
    if (status == BAUTA_OK) status = bt_run_open(recipe, &j.run, &reason);
    if (status == BAUTA_OK) status = bt_job_load(&j, &reason);
    if (status == BAUTA_OK)
        status = j.request.form->ungrouped ? try_ungrouped(&j, facts, list, &reason)
                                           : try_one(&j, require, true, facts, list, &reason);
    bool refused = status == BAUTA_NO || status == BAUTA_INVALID;
    if (refused && json_array_size(list) == place)
        bt_put_text(facts, bt_put_object(facts, list, NULL), "refused", reason.message);
    else if (refused)
        bt_put_text(facts, json_array_get(list, place), "refused", reason.message);
    json_t *at = json_array_get(list, place);
    if (at) put_setting(t, setting, facts, at);
    bt_job_release(&j);
    bauta_recipe_free(recipe);
    if (status == BAUTA_OK || refused) return BAUTA_OK;
    if (error) *error = reason;
    return status;
}

/* What is misspelt is an error; what cannot be had is shown among the others. */
static bauta_status check_spelling(bt_job *j, const comparison *t, size_t setting,
                                   bauta_error *error)
{
    bauta_recipe *recipe = NULL;
    bt_request parsed = {0};
    const char *require, *text;
    bauta_status status = recipe_at(j->recipe, t, setting, &recipe, error);
    if (status == BAUTA_OK) status = require_at(j, t, setting, recipe->require, &require, error);
    if (status == BAUTA_OK && require)
        status = bt_requirements_parse(require, &j->arena, &parsed.requirements, error);
    if (status == BAUTA_OK)
        status = bt_form_parse(recipe->publish, &j->arena, &parsed.form, &parsed.form_options,
                               &text, error);
    if (status == BAUTA_OK)
        status = bt_method_parse(recipe->group, &j->arena, &parsed.method, &parsed.method_options,
                                 &text, error);
    bauta_recipe_free(recipe);
    return status;
}

static bauta_status compare(bt_job *j, const char *text, bt_facts *facts, bauta_error *error)
{
    comparison t;
    const char **require;
    BT_TRY(parse_tries(j, text, &t, error));
    if (!t.keys_alike) {
        json_t *at = bt_put_array(facts, facts->root, "tries");
        for (size_t i = 0; i < t.count; i++)
            BT_TRY(check_spelling(j, &t, i, error));
        for (size_t i = 0; i < t.count; i++)
            BT_TRY(try_keys(j, &t, i, facts, at, error));
        return BAUTA_OK;
    }
    require = bt_arena_array(&j->arena, t.count, sizeof *require);
    if (!require) return bt_fail_memory(error);
    for (size_t i = 0; i < t.count; i++) {
        BT_TRY(require_at(j, &t, i, j->recipe->require, &require[i], error));
        /* A slip is reported before the table is read. */
        BT_TRY(bt_request_parse(j->recipe, require[i], &j->arena, &j->request, error));
    }
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_job_load(j, error));
    json_t *at = bt_put_array(facts, facts->root, "tries");
    for (size_t i = 0; i < t.count; i++)
        BT_TRY(try_one(j, require[i], true, facts, at, error));
    return BAUTA_OK;
}

static bauta_status preview(bt_job *j, bt_facts *facts, bauta_error *error)
{
    const char *asked = j->recipe->require;
    BT_TRY(bt_request_parse(j->recipe, asked, &j->arena, &j->request, error));
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(bt_job_load(j, error));
    json_t *at = bt_put_array(facts, facts->root, "tries");
    if (j->request.form->ungrouped) return try_ungrouped(j, facts, at, error);
    return try_one(j, asked, false, facts, at, error);
}

bauta_status bt_do_preview(const bauta_recipe *recipe, const char *tries, bt_facts *facts,
                           bauta_error *error)
{
    bt_job j = {.recipe = recipe, .start = bt_seconds()};
    bauta_status status = tries ? compare(&j, tries, facts, error) : preview(&j, facts, error);
    bt_job_release(&j);
    return status;
}
