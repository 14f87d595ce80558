/* SPDX-License-Identifier: Apache-2.0
 *
 * A job up to what will be published: asking, loading, grouping, planning, and counting for the
 * report.
 */
#include "job/job.h"

#include "base/assert.h"
#include "class/steer.h"
#include "job/alone.h"
#include "job/check.h"
#include "job/fixed.h"
#include "job/previous.h"
#include "job/reveal.h"
#include "recipe/cell.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* ---- asking ------------------------------------------------------------------------------ */

/* What cannot be had where records are published one by one. */
static bauta_status check_ungrouped(const bauta_recipe *recipe, const char *require,
                                    const bt_form *form, bauta_error *error)
{
    const char *asked = require                             ? "a requirement"
                        : recipe->group                     ? "a grouping"
                        : recipe->suppress.top              ? "suppression"
                        : recipe->subject.count             ? "'subject'"
                        : recipe->publics.count             ? "a public table"
                        : recipe->keep_mapping              ? "'keep-mapping'"
                        : recipe->plan || recipe->save_plan ? "a plan"
                                                            : NULL;
    if (!asked) return BAUTA_OK;
    bauta_status status =
        bt_fail(error, BAUTA_INVALID, "%s does not go with '%s', which makes no classes", asked,
                form->name);
    bt_error_hint(error,
                  require
                      ? "'%s' is never k-anonymous; what it protects is reported when it is made"
                      : "leave it out, or publish another form than '%s'",
                  form->name);
    return status;
}

static bauta_status check_mitigations(const bauta_recipe *recipe, const bt_request *asked,
                                      bauta_error *error)
{
    const bt_method *method = asked->method;
    bool raised =
        method->minimal && asked->method_options[method->minimal - 1].integer == BT_MINIMAL_NO;
    if (!raised || recipe->publics.count == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "'minimal=no' does not go with a public table");
}

bauta_status bt_request_parse(const bauta_recipe *recipe, const char *require, bt_arena *arena,
                              bt_request *out, bauta_error *error)
{
    BT_TRY(bt_form_parse(recipe->publish, arena, &out->form, &out->form_options, &out->form_text,
                         error));
    if (out->form->ungrouped) {
        out->method_text = "none";
        return check_ungrouped(recipe, require, out->form, error);
    }
    if (!require) {
        bauta_status status = bt_fail(error, BAUTA_INVALID, "nothing is required of the release");
        bt_error_hint(error, "say for example --require k=5");
        return status;
    }
    BT_TRY(bt_requirements_ask(require, arena, &out->requirements, error));
    if (out->requirements.count == 0)
        return bt_fail(error, BAUTA_INVALID, "the list of requirements is empty");
    BT_TRY(bt_requirements_demanding(&out->requirements, error));
    out->requirements.joint = !recipe->joint_none;
    BT_TRY(bt_plan_open(recipe, arena, &out->plan, error));
    BT_TRY(bt_method_parse(bt_group_wanted(recipe), arena, &out->method, &out->method_options,
                           &out->method_text, error));
    BT_TRY(bt_join_request(recipe, &out->requirements, out->method, out->form, arena, &out->join,
                           error));
    BT_TRY(check_mitigations(recipe, out, error));
    size_t key = (size_t)(bt_recipe_find_key("publish") - bt_recipe_keys);
    const bt_form_request asked = {.requirements = &out->requirements,
                                   .method = out->method->name,
                                   .suppress = recipe->suppress,
                                   .subjects = recipe->subject.count > 0,
                                   .folder = recipe->places[key].line > 0 ? recipe->folder : NULL};
    return out->form->admit ? out->form->admit(&asked, out->form_options, arena, error) : BAUTA_OK;
}

/* ---- loading ----------------------------------------------------------------------------- */

/* Sets of texts show every text, and balanced nodes the first and last of theirs: one that few
 * records have leads back to them, as a name does. Few are fewer than every class has, and never
 * more than four. */
static bauta_status check_rare_texts(const bt_job *j, bauta_error *error)
{
    const bt_loaded *loaded = &j->loaded;
    int64_t enough = bt_requirements_least_size(&j->request.requirements);
    if (enough == 1 || enough > BT_ENOUGH_RECORDS) enough = BT_ENOUGH_RECORDS;
    for (size_t c = 0; c < loaded->table.count; c++) {
        const bt_column *column = &loaded->table.columns[c];
        const bt_values *values = bt_raw_values(loaded->raw, column->source);
        const bt_missing *missing =
            bt_input_missing(bt_input_settings(loaded->input), column->source);
        int64_t rare = 0;
        bool hidden = column->hierarchy && !bt_spec_shows_values(column->hierarchy->spec);
        if (column->role != BT_ROLE_QUASI || hidden || column->domain.reading.type != BT_TEXT ||
            bt_is_accepted(j->recipe, column->name))
            continue;
        for (uint32_t i = 0; i < values->count; i++)
            if (values->rows[i] < enough &&
                !bt_is_missing(missing, values->text[i], values->length[i]))
                rare += values->rows[i];
        if (bt_ratio_compare(rare, loaded->input_rows, j->recipe->unique_limit) <= 0) continue;
        bauta_status status =
            bt_fail(error, BAUTA_INVALID,
                    "%lld of %lld records have a text here that fewer than %lld records have, and "
                    "%s",
                    (long long)rare, (long long)loaded->input_rows, (long long)enough,
                    column->hierarchy ? "cells of a balanced hierarchy show texts"
                                      : "without a hierarchy classes show all their texts");
        bt_error_place(error, NULL, -1, column->name);
        bt_error_hint(error,
                      "give it a hierarchy (--hierarchy %s=mask, =flat or =FILE), drop it, or "
                      "publish texts of it all the same: --accept %s",
                      column->name, column->name);
        return status;
    }
    return BAUTA_OK;
}

static bt_sensitive_shown shows_sensitive(const bt_job *j)
{
    const bt_form *form = j->request.form;
    return form->shows_sensitive ? form->shows_sensitive(j->request.form_options)
                                 : BT_SENSITIVE_HIDDEN;
}

bauta_status bt_job_check_revealed(bt_job *j, bauta_error *error)
{
    const bt_form *form = j->request.form;
    const bt_grouping *grouping = form->ungrouped ? NULL : &j->grouping;
    const bt_reveal_request asked = {.recipe = j->recipe,
                                     .loaded = &j->loaded,
                                     .form = form,
                                     .shown = shows_sensitive(j),
                                     .grouping = grouping,
                                     .redrawn =
                                         grouping ? 0 : form->redrawn(j->request.form_options),
                                     .run = &j->run};
    return bt_check_revealed(&asked, &j->revealed, error);
}

/* Whether what would be published can be. */
static bauta_status check_form(bt_job *j, bauta_error *error)
{
    const bt_form *form = j->request.form;
    BT_TRY(bt_check_alone(j->recipe, &j->loaded, &j->run, error));
    if (!form->shows_values) BT_TRY(check_rare_texts(j, error));
    if (form->ungrouped) BT_TRY(bt_job_check_revealed(j, error));
    if (j->request.method) BT_TRY(bt_check_fixed(j->request.method, form, &j->loaded, error));
    if (!form->check) return BAUTA_OK;
    return form->check(&j->loaded.table, bt_input_names(j->loaded.input), j->loaded.columns,
                       j->request.form_options, &j->arena, error);
}

static void notice_time(const bt_job *j, const char *column)
{
    char text[256];
    snprintf(text, sizeof text,
             "column '%.100s' has times of day, which are cut off: its values are dates", column);
    j->recipe->notice(j->recipe->notice_user, text);
}

/* A time of day singles people out, so none is published; whoever counts on it is told. */
static void notice_times(const bt_job *j)
{
    const bt_loaded *loaded = &j->loaded;
    if (!j->recipe->notice) return;
    for (size_t i = 0; i < loaded->table.count; i++)
        if (loaded->table.columns[i].domain.reading.timed)
            notice_time(j, loaded->table.columns[i].name);
    for (size_t i = 0; i < loaded->columns; i++)
        if (loaded->roles[i] == BT_ROLE_OTHER && loaded->readings[i].timed)
            notice_time(j, loaded->plan[i].name);
}

bauta_status bt_job_load(bt_job *j, bauta_error *error)
{
    j->seed = j->run.seed;
    /* What is derived is published, and must not follow from records that may be dropped. */
    bool derives = j->request.method && j->request.method->trees && j->recipe->suppress.top == 0;
    if (j->request.plan) BT_TRY(bt_plan_recipe(j->recipe, j->request.plan, &j->planned, error));
    BT_TRY(bt_load_release(j->planned ? j->planned : j->recipe, &j->run, shows_sensitive(j),
                           derives, &j->loaded, error));
    j->read = j->loaded.seconds;
    j->rows = j->loaded.input_rows;
    notice_times(j);
    bt_run_fit(&j->run, j->recipe, j->rows);
    for (size_t i = 0; i < j->loaded.table.count; i++)
        if (j->loaded.table.columns[i].role == BT_ROLE_QUASI) return check_form(j, error);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "no column is quasi");
    bt_error_hint(error, "name the columns that others may know of a person with --quasi");
    return status;
}

/* ---- grouping ---------------------------------------------------------------------------- */

/* Whether the classes need not satisfy the requirements: what is published instead does. */
static bool takes_any_class(const bt_request *asked)
{
    return asked->form->own_promise && asked->method->as_given;
}

/* Reduces the records to what the requirements see of them, and binds the requirements. */
static bauta_status bind(bt_job *j, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    bt_requirements *requirements = &j->request.requirements;
    BT_TRY(bt_requirements_settle(requirements, table, &j->arena, error));
    bt_people_release(&j->people);
    if (takes_any_class(&j->request)) { /* nothing is asked of the records */
        j->people = bt_people_plain(table->rows);
        j->people.together = j->recipe->rows_together;
        requirements->people = &j->people;
        return BAUTA_OK;
    }
    BT_TRY(requirements->size_only ? bt_people_counted(table, &j->people, error)
                                   : bt_people_of_table(table, &j->people, error));
    j->people.together = j->recipe->rows_together;
    BT_TRY(bt_requirements_bind(requirements, &j->people, &j->arena, error));
    /* A method that drops classes may find some that satisfy what the whole table does not. */
    if (!j->request.method->divides && j->recipe->suppress.top > 0) return BAUTA_OK;
    /* Nor need the table by itself where all persons of the join are counted. */
    if (j->loaded.join &&
        (j->request.join.kind == BT_JOIN_DIRECT || bt_requirements_public(requirements)))
        return BAUTA_OK;
    return bt_requirements_feasible(requirements, error);
}

/* Classes that a form does not tell apart are one class. */
static bauta_status unite(bt_job *j, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    if (!j->request.method->overlaps || j->request.form->shows_values) return BAUTA_OK;
    BT_TRY(bt_table_select(&j->loaded.table, BT_ROLE_QUASI, &quasi, &count, error));
    bauta_status status = bt_grouping_unite(&j->grouping, quasi, &j->run, error);
    free(quasi);
    return status;
}

/* A public table of few persons is no fault, but whoever names one counts on it. */
static void notice_few_persons(const bt_job *j)
{
    const bt_join *join = j->loaded.join;
    char text[160];
    int64_t persons = join->counts.shared + join->counts.external;
    if (!j->recipe->notice || persons >= join->microdata) return;
    snprintf(text, sizeof text,
             "the public table has %lld persons, fewer than the %lld records of the table: it can "
             "hide few of them",
             (long long)persons, (long long)join->microdata);
    j->recipe->notice(j->recipe->notice_user, text);
}

/* The intersection with earlier releases: of classes, or of what the form's plan lets people
 * believe. */
static bauta_status check_previous(bt_job *j, const bt_grouping *grouping,
                                   const bt_requirements *requirements, bauta_error *error)
{
    const bt_previous_request asked = {.recipe = j->recipe,
                                       .loaded = &j->loaded,
                                       .grouping = grouping,
                                       .requirements = requirements,
                                       .beliefs = j->request.form->beliefs,
                                       .plan = j->plan,
                                       .presence =
                                           bt_requirements_public(&j->request.requirements) != NULL,
                                       .run = &j->run};
    return bt_check_previous(&asked, j->notes.facts, j->notes.at, error);
}

/* With a public table: classes have persons of both, and sensitive groups have the records. */
static bauta_status group_joined(bt_job *j, const bt_method_job *asked, bauta_error *error)
{
    bt_join *join = j->loaded.join;
    bt_requirements own, *requirements = &own;
    BT_TRY(bt_requirements_of_records(&j->request.requirements, &j->arena, &own, error));
    notice_few_persons(j);
    BT_TRY(bt_join_group(j->request.method, asked, &j->request.join, join, error));
    if (join->kind == BT_JOIN_REFINE)
        BT_TRY(bt_check_grouping(asked->table, &join->sensitive, requirements, &j->run, error));
    BT_TRY(bt_check_presence(join, &j->request.requirements, error));
    j->classes = join->grouping.classes;
    j->smallest = join->grouping.kept;
    for (uint32_t i = 0; i < j->classes; i++)
        if (bt_class_size(&join->grouping, i) < j->smallest)
            j->smallest = bt_class_size(&join->grouping, i);
    if (j->smallest < bt_requirements_least_size(requirements))
        return bt_fail(error, BAUTA_INTERNAL, "the grouping does not satisfy the requirements");
    j->published = join->microdata;
    j->dropped = j->rows - j->published;
    BT_TRY(check_previous(j, &join->sensitive, requirements, error));
    return bt_join_measure(join, &j->join_score, error);
}

/* Sets that became "*" are no fault, but whoever wants to read them has to say how. */
static bauta_status notice_wide_sets(const bt_job *j, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    char text[320];
    if (!j->recipe->notice || j->request.form->shows_values) return BAUTA_OK;
    BT_TRY(bt_table_select(&j->loaded.table, BT_ROLE_QUASI, &quasi, &count, error));
    for (size_t c = 0; c < count; c++) {
        int64_t records = 0;
        uint32_t classes = 0;
        for (uint32_t i = 0; i < j->grouping.classes; i++)
            if (bt_set_is_wide(&j->grouping, quasi[c], c, i)) {
                classes++;
                records += bt_class_size(&j->grouping, i);
            }
        if (classes == 0) continue;
        snprintf(text, sizeof text,
                 "column '%.128s' is published as * in %u of %u classes (%lld records): they hold "
                 "more than %d different texts; a hierarchy would keep more",
                 quasi[c]->name, classes, j->grouping.classes, (long long)records, BT_SET_MOST);
        j->recipe->notice(j->recipe->notice_user, text);
    }
    free(quasi);
    return BAUTA_OK;
}

static bauta_status group_alone(bt_job *j, const bt_method_job *asked, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    BT_TRY(bt_group(j->request.method, asked, &j->grouping, error));
    BT_TRY(unite(j, error));
    BT_TRY(notice_wide_sets(j, error));
    j->classes = j->grouping.classes;
    j->published = j->grouping.kept;
    j->dropped = j->rows - j->published;
    j->smallest = j->grouping.kept;
    for (uint32_t i = 0; i < j->classes; i++)
        if (bt_class_size(&j->grouping, i) < j->smallest)
            j->smallest = bt_class_size(&j->grouping, i);
    if (!takes_any_class(&j->request))
        BT_TRY(bt_check_grouping(table, &j->grouping, &j->request.requirements, &j->run, error));
    BT_TRY(bt_job_check_revealed(j, error));
    if (!j->request.form->beliefs)
        BT_TRY(check_previous(j, &j->grouping, &j->request.requirements, error));
    return table->subject_of ? bt_subjects_count(&j->grouping, table, &j->subjects, error)
                             : BAUTA_OK;
}

bauta_status bt_job_group(bt_job *j, bauta_error *error)
{
    double start = bt_seconds();
    BT_TRY(bind(j, error));
    bt_method_job asked = {.table = &j->loaded.table,
                           .requirements = &j->request.requirements,
                           .options = j->request.method_options,
                           .suppress = j->recipe->suppress,
                           .records = j->rows,
                           .nodes = j->recipe->nodes,
                           .unchecked = takes_any_class(&j->request),
                           .values_shown = j->request.form->shows_values,
                           .run = &j->run,
                           .notes = &j->notes};
    if (j->recipe->time.bottom) asked.seconds = bt_rational_double(j->recipe->time);
    bt_bound_plan *bound = NULL;
    if (j->request.plan)
        BT_TRY(bt_plan_bind(j->request.plan, &j->loaded.table, asked.values_shown, &j->run, &bound,
                            error));
    asked.plan = bound;
    bauta_status status = (j->loaded.join ? group_joined : group_alone)(j, &asked, error);
    bt_bound_plan_free(bound);
    if (status != BAUTA_OK) return status;
    BT_ASSERT(j->loaded.join || bt_grouping_is_sound(&j->grouping));
    j->group = bt_seconds() - start;
    return BAUTA_OK;
}

/* ---- planning ---------------------------------------------------------------------------- */

bt_form_job bt_job_form(bt_job *j)
{
    return (bt_form_job){.table = &j->loaded.table,
                         .grouping = j->loaded.join ? &j->loaded.join->sensitive : &j->grouping,
                         .join = j->loaded.join,
                         .requirements = &j->request.requirements,
                         .input = j->loaded.input,
                         .roles = j->loaded.roles,
                         .readings = j->loaded.readings,
                         .verbatim = j->loaded.verbatim,
                         .options = j->request.form_options,
                         .plan = j->plan,
                         .run = &j->run,
                         .arena = &j->arena,
                         .row_map = j->loaded.row_map,
                         .input_rows = j->loaded.input_rows};
}

/* What the form will publish is told before anything is written. */
bauta_status bt_job_plan(bt_job *j, bt_facts *facts, json_t *at, bauta_error *error)
{
    const char *notice = NULL;
    double start = bt_seconds();
    if (!j->request.form->plan) return BAUTA_OK;
    bt_form_job asked = bt_job_form(j);
    BT_TRY(j->request.form->plan(&asked, facts, at, &notice, &j->plan, error));
    if (notice && j->recipe->notice) j->recipe->notice(j->recipe->notice_user, notice);
    if (j->request.form->beliefs)
        BT_TRY(check_previous(j, &j->grouping, &j->request.requirements, error));
    j->group += bt_seconds() - start;
    return BAUTA_OK;
}

void bt_job_forget_plan(bt_job *j)
{
    if (j->plan) j->request.form->forget(j->plan);
    j->plan = NULL;
}

/* ---- telling ----------------------------------------------------------------------------- */

/* Whether the records of the one class had different quasi values. */
static bool loses(const bt_job *j)
{
    for (size_t c = 0; c < j->grouping.columns; c++)
        if (bt_class_box(&j->grouping, 0)[c].lo != bt_class_box(&j->grouping, 0)[c].hi) return true;
    return false;
}

/* All records in one class: what every requirement has to do with it, and what helps. */
static bauta_status tell_one_class(const bt_job *j, bt_facts *facts, json_t *list,
                                   bauta_error *error)
{
    const bt_requirements *requirements = &j->request.requirements;
    bt_buffer text = {0};
    bt_arena arena = {0};
    bt_figure *figures;
    size_t count = 0;
    bauta_status status = bt_buffer_print(
        &text, error,
        "all %lld records are one class: of quasi values is left what all have in common",
        (long long)j->published);
    if (status == BAUTA_OK)
        status = bt_requirements_figures(requirements, &arena, &figures, &count, error);
    for (size_t i = 0; i < count && status == BAUTA_OK; i++)
        status = bt_buffer_print(&text, error, "%s%s%s%s", i ? "; " : " (", figures[i].text,
                                 figures[i].column ? " in " : "",
                                 figures[i].column ? figures[i].column : "");
    if (status == BAUTA_OK)
        status = bt_buffer_print(&text, error,
                                 "%s. Less may be lost with weaker requirements, fewer quasi "
                                 "columns, 'suppress' or another method: --try compares",
                                 count ? ")" : "");
    if (status == BAUTA_OK) bt_put_text(facts, list, NULL, text.bytes);
    bt_arena_release(&arena);
    bt_buffer_release(&text);
    return status;
}

/* Why nothing was dropped although it was allowed. */
static const char *why_none_dropped(const bt_job *j)
{
    if (bt_rational_floor_times(j->recipe->suppress, j->rows) == 0)
        return "'suppress' changes nothing: so small a share of the records is less than one "
               "record";
    if (j->request.method->divides && !bt_parts_needed(&j->loaded.table))
        return "'suppress' changes nothing: the method divides classes only into such that satisfy "
               "the requirements, and drops only what 'max-level' keeps apart; 'incognito' drops "
               "records where that keeps levels low";
    return "'suppress' changes nothing: no class has to be dropped, and as few records as may be "
           "dropped do not make anything better possible";
}

/* Hierarchies that the recipe did not name. */
static bauta_status tell_derived(const bt_job *j, bt_facts *facts, json_t *list, bauta_error *error)
{
    bt_buffer text = {0};
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < j->loaded.columns && status == BAUTA_OK; i++) {
        const bt_column_recipe *plan = &j->loaded.plan[i];
        if (!j->loaded.derived[i]) continue;
        text.length = 0;
        status =
            bt_buffer_print(&text, error,
                            "column '%s' has no hierarchy: '%s' uses %s, as 'bauta init' would "
                            "write; --hierarchy %s=none goes without",
                            plan->name, j->request.method->name, plan->hierarchy.spec, plan->name);
        if (status == BAUTA_OK) bt_put_text(facts, list, NULL, text.bytes);
    }
    bt_buffer_release(&text);
    return status;
}

static bool has_derived(const bt_loaded *loaded)
{
    for (size_t i = 0; loaded->derived && i < loaded->columns; i++)
        if (loaded->derived[i]) return true;
    return false;
}

/* Whether a method that goes along hierarchies had none for a column, and derived none, since
 * records may be dropped. */
static bool lacks_hierarchy(const bt_job *j, const bt_column *column)
{
    bool named = j->loaded.plan[column->source].has_hierarchy || column->cuts;
    return j->request.method && j->request.method->trees && j->recipe->suppress.top > 0 &&
           column->role == BT_ROLE_QUASI && !named;
}

static bauta_status tell_lacking(const bt_job *j, size_t count, bt_facts *facts, json_t *list,
                                 bauta_error *error)
{
    bt_buffer text = {0};
    size_t told = 0;
    bauta_status status = BAUTA_OK;
    for (size_t i = 0; i < j->loaded.table.count && status == BAUTA_OK; i++) {
        const bt_column *column = &j->loaded.table.columns[i];
        if (!lacks_hierarchy(j, column)) continue;
        const char *before = told > 0    ? told + 1 == count ? " and " : ", "
                             : count > 1 ? "columns "
                                         : "column ";
        status = bt_buffer_print(&text, error, "%s'%s'", before, column->name);
        told++;
    }
    if (status == BAUTA_OK)
        status = bt_buffer_print(&text, error,
                                 " %s no hierarchy, and with 'suppress' none is derived, since "
                                 "records that are dropped would have a part in it: name one with "
                                 "--hierarchy",
                                 count > 1 ? "have" : "has");
    if (status == BAUTA_OK) bt_put_text(facts, list, NULL, text.bytes);
    bt_buffer_release(&text);
    return status;
}

bauta_status bt_job_tell(const bt_job *j, bt_facts *facts, json_t *at, bauta_error *error)
{
    bool suppresses = j->recipe->suppress.top > 0 && j->dropped == j->loaded.missing_dropped;
    bool one = j->classes == 1 && j->published > 1 && !j->request.form->shows_values &&
               !j->loaded.join && !takes_any_class(&j->request);
    bool derived = has_derived(&j->loaded);
    size_t lacking = 0;
    for (size_t i = 0; i < j->loaded.table.count; i++)
        lacking += lacks_hierarchy(j, &j->loaded.table.columns[i]);
    if (j->request.form->ungrouped || (!suppresses && !one && !derived && lacking == 0))
        return BAUTA_OK;
    json_t *list = bt_put_array(facts, at, "notices");
    if (derived) BT_TRY(tell_derived(j, facts, list, error));
    if (lacking > 0) BT_TRY(tell_lacking(j, lacking, facts, list, error));
    if (one && !loses(j))
        bt_put_text(facts, list, NULL,
                    "all records are one class: their quasi values are the same");
    else if (one)
        BT_TRY(tell_one_class(j, facts, list, error));
    if (suppresses) bt_put_text(facts, list, NULL, why_none_dropped(j));
    return BAUTA_OK;
}

static void put_subjects(const bt_job *j, bt_facts *facts, json_t *at)
{
    json_t *to = bt_put_object(facts, at, "subjects");
    bt_put_int(facts, to, "persons", j->subjects.persons);
    bt_put_int(facts, to, "several_rows", j->subjects.several);
    bt_put_int(facts, to, "smallest_class", j->subjects.smallest);
    bt_put_bool(facts, to, "together", j->recipe->rows_together);
    if (!j->recipe->rows_together) bt_put_int(facts, to, "told_apart", j->subjects.told_apart);
}

void bt_job_put_counts(const bt_job *j, bt_facts *facts, json_t *at)
{
    bt_put_int(facts, at, "rows", j->rows);
    bt_put_int(facts, at, "published", j->published);
    bt_put_int(facts, at, "suppressed", j->dropped - j->loaded.missing_dropped);
    if (j->loaded.missing_dropped)
        bt_put_int(facts, at, "missing_dropped", j->loaded.missing_dropped);
    if (j->request.form->ungrouped) return;
    bt_put_int(facts, at, "classes", j->classes);
    bt_put_int(facts, at, "smallest_class", j->smallest);
    if (j->loaded.table.subject_of) put_subjects(j, facts, at);
    if (j->loaded.join) bt_join_put(j->loaded.join, &j->request.join, &j->join_score, facts, at);
}

void bt_job_release(bt_job *j)
{
    bt_job_forget_plan(j);
    bt_grouping_release(&j->grouping);
    bt_people_release(&j->people);
    bt_buffer_release(&j->notes.lattice);
    bt_loaded_release(&j->loaded);
    bt_buffer_release(&j->plan_text);
    bauta_recipe_free(j->planned);
    bt_run_close(&j->run);
    sodium_memzero(&j->seed, sizeof j->seed);
    bt_arena_release(&j->arena);
}
