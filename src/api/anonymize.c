/* SPDX-License-Identifier: Apache-2.0
 *
 * bauta_anonymize and bauta_preview: read, group, publish, audit, hand over.
 */
#include "api/api.h"
#include "api/check.h"
#include "api/fixed.h"
#include "api/join.h"
#include "api/joined.h"
#include "api/previous.h"
#include "audit/audit.h"
#include "class/score.h"
#include "class/steer.h"
#include "class/subjects.h"
#include "measure/measure.h"
#include "publish/folder.h"
#include "recipe/words.h"
#include "release/release.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

/* What the recipe asks for, parsed. */
typedef struct request {
    bt_requirements requirements;
    const bt_method *method;
    bt_value *method_options;
    const char *method_text;
    const bt_form *form;
    bt_value *form_options;
    const char *form_text;
    bt_join_choice join; /* kind BT_JOIN_NONE: without a public table */
} request;

typedef struct job {
    const bauta_recipe *recipe;
    bt_arena arena;
    bt_run run;
    request request;
    bt_loaded loaded;
    bt_people people;
    bt_grouping grouping;
    bt_method_notes notes;
    void *plan;                /* of the form, if it makes one */
    const char *not_protected; /* as the manifest says it */
    int64_t rows, published, dropped, smallest;
    uint32_t classes;
    bt_subject_counts subjects;
    bt_score score;
    bt_join_score join_score;
    const bt_original_column *ranges; /* with a public table: of the microdata alone */
    bool weighed;                     /* losses have weights */
    double read, group, publish, audit, start;
} job;

/* ---- asking ------------------------------------------------------------------------------ */

/* What cannot be had where records are published one by one. */
static bauta_status check_ungrouped(const bauta_recipe *recipe, const char *require,
                                    const bt_form *form, bauta_error *error)
{
    const char *asked = require                 ? "a requirement"
                        : recipe->group         ? "a grouping"
                        : recipe->suppress.top  ? "suppression"
                        : recipe->subject       ? "'subject'"
                        : recipe->publics.count ? "a public table"
                        : recipe->keep_mapping  ? "'keep-mapping'"
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

static bauta_status check_mitigations(const bauta_recipe *recipe, const request *asked,
                                      bauta_error *error)
{
    const bt_method *method = asked->method;
    bool raised =
        method->minimal && asked->method_options[method->minimal - 1].integer == BT_MINIMAL_NO;
    if (!raised || recipe->publics.count == 0) return BAUTA_OK;
    return bt_fail(error, BAUTA_INVALID, "'minimal=no' does not go with a public table");
}

static bauta_status parse_request(const bauta_recipe *recipe, const char *require, bt_arena *arena,
                                  request *out, bauta_error *error)
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
    BT_TRY(bt_requirements_parse(require, arena, &out->requirements, error));
    if (out->requirements.count == 0)
        return bt_fail(error, BAUTA_INVALID, "the list of requirements is empty");
    out->requirements.joint = !recipe->joint_none;
    BT_TRY(bt_method_parse(bt_group_wanted(recipe), arena, &out->method, &out->method_options,
                           &out->method_text, error));
    BT_TRY(bt_join_request(recipe, &out->requirements, out->method, out->form, arena, &out->join,
                           error));
    BT_TRY(check_mitigations(recipe, out, error));
    size_t key = (size_t)(bt_recipe_find_key("publish") - bt_recipe_keys);
    const bt_form_request asked = {.requirements = &out->requirements,
                                   .method = out->method->name,
                                   .suppress = recipe->suppress,
                                   .subjects = recipe->subject != NULL,
                                   .folder = recipe->places[key].line > 0 ? recipe->folder : NULL};
    return out->form->admit ? out->form->admit(&asked, out->form_options, arena, error) : BAUTA_OK;
}

/* Whether the classes need not satisfy the requirements: what is published instead does. */
static bool takes_any_class(const request *asked)
{
    return asked->form->own_promise && asked->method->as_given;
}

static bool is_accepted(const bauta_recipe *recipe, const char *name)
{
    for (size_t i = 0; i < recipe->accept_other.count; i++)
        if (strcmp(recipe->accept_other.items[i], name) == 0) return true;
    return false;
}

/* An `other` column in which most rows have a value of their own leads back to people. */
static bauta_status check_other(const job *j, bauta_error *error)
{
    const bt_loaded *loaded = &j->loaded;
    bt_rational limit = j->recipe->unique_limit;
    bool all_accepted = true;
    for (size_t i = 0; i < loaded->columns; i++) {
        if (loaded->roles[i] != BT_ROLE_OTHER) continue;
        const char *name = loaded->plan[i].name;
        bool accepted = is_accepted(j->recipe, name);
        all_accepted = all_accepted && accepted;
        int64_t unique = bt_raw_check(loaded->raw, i)->unique;
        if (accepted || bt_ratio_compare(unique, loaded->input_rows, limit) <= 0) continue;
        bauta_status status = bt_fail(error, BAUTA_INVALID,
                                      "about %lld of %lld records have a value of their own here, "
                                      "and the column would be published as it is",
                                      (long long)unique, (long long)loaded->input_rows);
        bt_error_place(error, NULL, -1, name);
        bt_error_hint(error, "drop it (--drop), or accept it (--accept-other)");
        return status;
    }
    int64_t together = bt_raw_unique_together(loaded->raw);
    if (all_accepted || bt_ratio_compare(together, loaded->input_rows, limit) <= 0) return BAUTA_OK;
    bauta_status status = bt_fail(error, BAUTA_INVALID,
                                  "the columns published as they are, taken together, single out "
                                  "about %lld of %lld records",
                                  (long long)together, (long long)loaded->input_rows);
    bt_error_hint(error, "drop some of them (--drop), accept each (--accept-other), or raise "
                         "--unique-limit");
    return status;
}

/* Whether what would be published can be. */
static bauta_status check_form(job *j, bauta_error *error)
{
    const bt_form *form = j->request.form;
    BT_TRY(check_other(j, error));
    if (j->request.method) BT_TRY(bt_check_fixed(j->request.method, form, &j->loaded, error));
    if (!form->check) return BAUTA_OK;
    return form->check(&j->loaded.table, bt_input_names(j->loaded.input), j->loaded.columns,
                       j->request.form_options, &j->arena, error);
}

static bauta_status load(job *j, bauta_error *error)
{
    BT_TRY(bt_load(j->recipe, &j->run, false, &j->loaded, error));
    j->read = j->loaded.seconds;
    j->rows = j->loaded.input_rows;
    j->weighed = bt_any_weight(&j->loaded.table);
    bt_run_fit(&j->run, j->recipe, j->rows);
    for (size_t i = 0; i < j->loaded.table.count; i++)
        if (j->loaded.table.columns[i].role == BT_ROLE_QUASI) return check_form(j, error);
    bauta_status status = bt_fail(error, BAUTA_INVALID, "no column is quasi");
    bt_error_hint(error, "name the columns that others may know of a person with --quasi");
    return status;
}

/* Reduces the records to what the requirements see of them, and binds the requirements. */
static bauta_status bind(job *j, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    bt_requirements *requirements = &j->request.requirements;
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
static bauta_status unite(job *j, bauta_error *error)
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
static void notice_few_persons(const job *j)
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
static bauta_status check_previous(job *j, const bt_grouping *grouping,
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
static bauta_status group_joined(job *j, const bt_method_job *asked, bauta_error *error)
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

static bauta_status group_alone(job *j, const bt_method_job *asked, bauta_error *error)
{
    const bt_table *table = &j->loaded.table;
    BT_TRY(bt_group(j->request.method, asked, &j->grouping, error));
    BT_TRY(unite(j, error));
    j->classes = j->grouping.classes;
    j->published = j->grouping.kept;
    j->dropped = j->rows - j->published;
    j->smallest = j->grouping.kept;
    for (uint32_t i = 0; i < j->classes; i++)
        if (bt_class_size(&j->grouping, i) < j->smallest)
            j->smallest = bt_class_size(&j->grouping, i);
    if (!takes_any_class(&j->request))
        BT_TRY(bt_check_grouping(table, &j->grouping, &j->request.requirements, &j->run, error));
    if (!j->request.form->beliefs)
        BT_TRY(check_previous(j, &j->grouping, &j->request.requirements, error));
    return table->subject_of ? bt_subjects_count(&j->grouping, table, &j->subjects, error)
                             : BAUTA_OK;
}

static bauta_status group(job *j, bauta_error *error)
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
                           .run = &j->run,
                           .notes = &j->notes};
    if (j->recipe->time.bottom) asked.seconds = bt_rational_double(j->recipe->time);
    BT_TRY((j->loaded.join ? group_joined : group_alone)(j, &asked, error));
    j->group = bt_seconds() - start;
    return BAUTA_OK;
}

/* What the grouping loses, before anything is published. */
static bauta_status score(job *j, bauta_error *error)
{
    const bt_column **quasi;
    size_t count;
    const bt_join *join = j->loaded.join;
    const bt_table *table = join ? &join->table : &j->loaded.table;
    const bt_grouping *grouping = join ? &join->grouping : &j->grouping;
    int64_t records = join ? grouping->kept + j->dropped : j->rows;
    BT_TRY(bt_table_select(table, BT_ROLE_QUASI, &quasi, &count, error));
    bauta_status status = bt_grouping_score(grouping, quasi, records, &j->score, error);
    if (j->request.form->shows_values) /* nothing is lost but what is dropped */
        j->score.ncp = j->score.weighted_ncp = j->score.distortion_ratio =
            (double)(j->rows - j->published) / (double)j->rows;
    free(quasi);
    return status;
}

/* ---- publishing -------------------------------------------------------------------------- */

static bt_form_job form_job(job *j)
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

static void forget_plan(job *j)
{
    if (j->plan) j->request.form->forget(j->plan);
    j->plan = NULL;
}

/* What the form will publish is told before anything is written. */
static bauta_status plan(job *j, bt_facts *facts, json_t *at, bauta_error *error)
{
    const char *notice = NULL;
    double start = bt_seconds();
    if (!j->request.form->plan) return BAUTA_OK;
    bt_form_job asked = form_job(j);
    BT_TRY(j->request.form->plan(&asked, facts, at, &notice, &j->plan, error));
    if (notice && j->recipe->notice) j->recipe->notice(j->recipe->notice_user, notice);
    if (j->request.form->beliefs)
        BT_TRY(check_previous(j, &j->grouping, &j->request.requirements, error));
    j->group += bt_seconds() - start;
    return BAUTA_OK;
}

static const char *random_id(job *j)
{
    unsigned char bytes[16];
    char *text = bt_arena_alloc(&j->arena, 2 * sizeof bytes + 1);
    bt_stream stream;
    bt_stream_init(&stream, &j->run.seed, "release id", 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)bt_stream_next(&stream);
    if (text) sodium_bin2hex(text, 2 * sizeof bytes + 1, bytes, sizeof bytes);
    return text;
}

static bauta_status publish(job *j, const bt_folder *folder, bt_facts *facts, bauta_error *error)
{
    double start = bt_seconds();
    bt_manifest manifest = {.release = random_id(j),
                            .version = BT_VERSION,
                            .form = j->request.form_text,
                            .method = j->request.method_text,
                            .experiment = j->recipe->seed != NULL,
                            .dropped_rows = j->dropped,
                            .join = j->loaded.join ? j->request.join.text : NULL};
    if (!manifest.release) return bt_fail_memory(error);
    bt_form_job asked = form_job(j);
    asked.folder = folder->working;
    asked.facts = facts;
    asked.at = facts->root;
    BT_TRY(j->request.form->publish(&asked, &manifest, error));
    if (j->request.form->ungrouped) {
        j->dropped = manifest.dropped_rows;
        j->published = j->rows - j->dropped;
    }
    if (j->loaded.table.subject_of)
        manifest.persons = j->recipe->rows_together ? "together" : "apart";
    BT_TRY(bt_words_remark(&manifest, &j->arena, &manifest.remark, error));
    manifest.not_protected = j->not_protected = bt_words_not_protected(&manifest, &j->arena);
    if (!manifest.not_protected) return bt_fail_memory(error);
    bt_buffer text = {0};
    bauta_status status = bt_manifest_write(&manifest, &text, error);
    if (status == BAUTA_OK)
        status = bt_folder_write(folder, true, "manifest.json", text.bytes, text.length, error);
    bt_buffer_release(&text);
    j->publish = bt_seconds() - start;
    return status;
}

static bauta_status spell_mapping(const job *j, const uint32_t *numbers, bt_buffer *out,
                                  bauta_error *error)
{
    BT_TRY(bt_buffer_print(out, error, "row,class\n"));
    for (uint32_t c = 0; c < j->grouping.classes; c++)
        for (uint32_t i = j->grouping.starts[c]; i < j->grouping.starts[c + 1]; i++) {
            int64_t row = j->grouping.order[i];
            if (j->loaded.row_map) row = j->loaded.row_map[row];
            BT_TRY(bt_buffer_print(out, error, "%lld,%u\n", (long long)row + 1,
                                   numbers ? numbers[c] : c + 1));
        }
    return BAUTA_OK;
}

/* For the owner, on request: which record went into which class. */
static bauta_status write_mapping(const job *j, const bt_folder *folder, bauta_error *error)
{
    bt_buffer text = {0};
    uint32_t *numbers = NULL;
    bauta_status status = BAUTA_OK;
    if (j->request.form->shows_values)
        status = bt_form_numbers(&j->run, j->grouping.classes, &numbers, error);
    if (status == BAUTA_OK)
        status = j->loaded.join ? bt_joined_mapping(&j->loaded, &j->run, &text, error)
                                : spell_mapping(j, numbers, &text, error);
    if (status == BAUTA_OK)
        status = bt_folder_write(folder, false, "mapping.csv", text.bytes, text.length, error);
    bt_buffer_release(&text);
    free(numbers);
    return status;
}

/* ---- telling ----------------------------------------------------------------------------- */

static void put_subjects(const job *j, bt_facts *facts, json_t *at)
{
    json_t *to = bt_put_object(facts, at, "subjects");
    bt_put_int(facts, to, "persons", j->subjects.persons);
    bt_put_int(facts, to, "several_rows", j->subjects.several);
    bt_put_int(facts, to, "smallest_class", j->subjects.smallest);
    bt_put_bool(facts, to, "together", j->recipe->rows_together);
    if (!j->recipe->rows_together) bt_put_int(facts, to, "told_apart", j->subjects.told_apart);
}

static void put_counts(const job *j, bt_facts *facts, json_t *at)
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

static void put_seconds(const job *j, bt_facts *facts, json_t *at)
{
    json_t *seconds = bt_put_object(facts, at, "seconds");
    bt_put_real(facts, seconds, "read", j->read);
    bt_put_real(facts, seconds, "group", j->group);
    bt_put_real(facts, seconds, "publish", j->publish);
    bt_put_real(facts, seconds, "audit", j->audit);
    bt_put_real(facts, seconds, "total", bt_seconds() - j->start);
}

/* Opens the written files cold, audits them and measures what was lost. */
static bauta_status audit(job *j, const bt_folder *folder, bt_facts *facts, bauta_error *error)
{
    double start = bt_seconds();
    bt_release release = {0};
    bt_facts findings;
    bt_facts_init(&findings);
    bool holds = false;
    bt_audit_options options = {.run = &j->run, .allow_experiment = true};
    bauta_status status = bt_release_open(folder->working, &j->run, &release, error);
    if (status == BAUTA_OK) status = bt_audit(&release, &options, &findings, &holds, error);
    if (status == BAUTA_OK && !holds)
        status = bt_fail(error, BAUTA_INTERNAL,
                         "the audit of the written files failed: nothing "
                         "is published");
    if (status == BAUTA_OK && !j->request.form->ungrouped) {
        bt_original_facts original;
        status =
            bt_original_describe(&release, &j->loaded.table, j->rows, &j->arena, &original, error);
        if (j->ranges) original.columns = j->ranges;
        json_t *measures = bt_put_object(facts, facts->root, "measures");
        if (status == BAUTA_OK)
            status = bt_measure_all(&release, &original, &j->run, facts, measures, error);
        if (j->weighed) bt_put_real(facts, measures, "weighted_ncp", j->score.weighted_ncp);
    }
    bt_release_close(&release);
    bt_facts_release(&findings);
    j->audit = bt_seconds() - start;
    return status;
}

static bauta_status write_summary(const job *j, const bt_folder *folder, const bt_facts *facts,
                                  bauta_error *error)
{
    char seed[2 * BT_SEED_BYTES + 1];
    sodium_bin2hex(seed, sizeof seed, j->run.seed.bytes, BT_SEED_BYTES);
    bt_facts summary = {.root = json_deep_copy(facts->root)};
    summary.failed = facts->failed || !summary.root;
    bt_put_text(&summary, summary.root, "seed", seed);
    bauta_status status = bt_facts_check(&summary, error);
    char *text = NULL;
    if (status == BAUTA_OK) {
        text = json_dumps(summary.root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        if (!text) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK)
        status = bt_folder_write(folder, false, "summary.json", text, strlen(text), error);
    free(text);
    bt_facts_release(&summary);
    sodium_memzero(seed, sizeof seed);
    return status;
}

/* The codes are not needed once the files are written; their memory is, by the audit. */
static void free_codes(job *j)
{
    if (j->loaded.join) bt_join_release(j->loaded.join);
    for (size_t i = 0; i < j->loaded.table.count; i++) {
        free(j->loaded.table.columns[i].codes);
        j->loaded.table.columns[i].codes = NULL;
    }
    bt_grouping_release(&j->grouping);
}

/* What was asked for, and where it is. */
static void put_request(const job *j, const bt_folder *folder, bt_facts *facts)
{
    json_t *list = bt_put_array(facts, facts->root, "requirements");
    for (size_t i = 0; i < j->request.requirements.count; i++)
        bt_put_text(facts, list, NULL, j->request.requirements.items[i].text);
    bt_put_text(facts, facts->root, "method", j->request.method_text);
    bt_put_text(facts, facts->root, "form", j->request.form_text);
    bt_put_bool(facts, facts->root, "experiment", j->recipe->seed != NULL);
    bt_put_text(facts, facts->root, "publish", folder->publish);
}

static bauta_status make_release(job *j, bt_folder *folder, bt_facts *facts, bauta_error *error)
{
    BT_TRY(load(j, error));
    j->notes = (bt_method_notes){.facts = facts, .at = facts->root};
    BT_TRY(j->request.form->ungrouped
               ? bt_check_apart(j->recipe, &j->loaded, &j->run, facts, facts->root, error)
               : group(j, error));
    BT_TRY(plan(j, facts, facts->root, error));
    if (j->notes.lattice.length > 0)
        BT_TRY(bt_folder_write(folder, false, "lattice.csv", j->notes.lattice.bytes,
                               j->notes.lattice.length, error));
    put_counts(j, facts, facts->root); /* they come first; what publishing changes is put again */
    BT_TRY(publish(j, folder, facts, error));
    forget_plan(j);
    if (j->recipe->keep_mapping) BT_TRY(write_mapping(j, folder, error));
    if (j->weighed && !j->request.form->ungrouped) BT_TRY(score(j, error));
    if (j->loaded.join) BT_TRY(bt_joined_ranges(&j->loaded.table, &j->arena, &j->ranges, error));
    put_counts(j, facts, facts->root);
    free_codes(j);
    BT_TRY(audit(j, folder, facts, error));
    put_seconds(j, facts, facts->root);
    put_request(j, folder, facts);
    bt_put_text(facts, facts->root, "not_protected", j->not_protected);
    BT_TRY(write_summary(j, folder, facts, error));
    return bt_folder_commit(folder, error);
}

/* A run that stops because of records that public tables tell otherwise leaves a list of them all:
 * an error has no room for it. */
static void keep_conflicts(const job *j, const bt_folder *folder, bauta_error *error)
{
    const bt_buffer *list = &j->loaded.conflicts;
    if (list->length == 0) return;
    bauta_error ignored;
    if (bt_folder_keep(folder, "conflicts.csv", list->bytes, list->length, &ignored) == BAUTA_OK)
        bt_error_hint(error,
                      "all are in %s/conflicts.csv, by row number: correct one of the two tables, "
                      "or use the records of the table alone for them (--on-conflict "
                      "exclude-public)",
                      folder->private_dir);
}

static void release_job(job *j)
{
    forget_plan(j);
    bt_grouping_release(&j->grouping);
    bt_people_release(&j->people);
    bt_buffer_release(&j->notes.lattice);
    bt_loaded_release(&j->loaded);
    bt_run_close(&j->run);
    bt_arena_release(&j->arena);
}

bauta_status bauta_anonymize(const bauta_recipe *recipe, const char *out, bauta_report **report,
                             bauta_error *error)
{
    bt_error_clear(error);
    if (report) *report = NULL;
    if (!recipe || !out) return bt_fail(error, BAUTA_USAGE, "a recipe and a folder are needed");
    job j = {.recipe = recipe, .start = bt_seconds()};
    bt_folder folder = BT_FOLDER_NONE;
    bt_facts facts;
    bt_facts_init(&facts);
    bauta_status status = parse_request(recipe, recipe->require, &j.arena, &j.request, error);
    if (status == BAUTA_OK) status = bt_run_open(recipe, &j.run, error);
    if (status == BAUTA_OK) status = bt_folder_open(out, recipe->force, &folder, error);
    if (status == BAUTA_OK) status = make_release(&j, &folder, &facts, error);
    if (status != BAUTA_OK) keep_conflicts(&j, &folder, error);
    bt_folder_close(&folder);
    release_job(&j);
    if (status == BAUTA_OK) return bt_report_give(BT_REPORT_ANONYMIZE, &facts, report, error);
    bt_facts_release(&facts);
    return status;
}

/* ---- previewing -------------------------------------------------------------------------- */

static void put_score(const job *j, bt_facts *facts, json_t *at)
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
static bauta_status try_one(job *j, const char *require, bool compare, bt_facts *facts,
                            json_t *tries, bauta_error *error)
{
    forget_plan(j);
    BT_TRY(parse_request(j->recipe, require, &j->arena, &j->request, error));
    json_t *at = bt_put_object(facts, tries, NULL);
    bt_put_text(facts, at, "require", require);
    bt_grouping_release(&j->grouping);
    bt_buffer_release(&j->notes.lattice);
    j->notes = (bt_method_notes){.facts = facts, .at = at};
    bauta_error reason;
    bauta_status status = group(j, &reason);
    if (status == BAUTA_OK) status = plan(j, facts, at, &reason);
    if (status == BAUTA_NO && compare) {
        bt_put_text(facts, at, "refused", reason.message);
        return BAUTA_OK;
    }
    if (status != BAUTA_OK) {
        if (error) *error = reason;
        return status;
    }
    put_counts(j, facts, at);
    BT_TRY(score(j, error));
    put_score(j, facts, at);
    json_t *seconds = bt_put_object(facts, at, "seconds");
    bt_put_real(facts, seconds, "read", j->read);
    bt_put_real(facts, seconds, "group", j->group);
    return BAUTA_OK;
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
static bauta_status make_try(job *j, const char *tried, size_t name, char *const *given,
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
    if (status == BAUTA_OK) status = parse_request(j->recipe, *out, &j->arena, &j->request, error);
    return status;
}

/* "k=3,5,10": the requirement of the recipe replaced by each value in turn. */
static bauta_status list_tries(job *j, const char *tries, const char ***out, size_t *count,
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

static bauta_status preview(job *j, const char *tries, bt_facts *facts, bauta_error *error)
{
    const char *asked = j->recipe->require, **list = &asked;
    size_t count = 1;
    if (tries)
        BT_TRY(list_tries(j, tries, &list, &count, error));
    else
        BT_TRY(parse_request(j->recipe, asked, &j->arena, &j->request, error));
    if (j->request.form->ungrouped)
        return bt_fail(error, BAUTA_INVALID, "a preview shows classes, and '%s' makes none",
                       j->request.form->name);
    BT_TRY(bt_run_open(j->recipe, &j->run, error));
    BT_TRY(load(j, error));
    json_t *at = bt_put_array(facts, facts->root, "tries");
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
    job j = {.recipe = recipe, .start = bt_seconds()};
    bt_facts facts;
    bt_facts_init(&facts);
    bauta_status status = preview(&j, tries, &facts, error);
    release_job(&j);
    if (status == BAUTA_OK) return bt_report_give(BT_REPORT_PREVIEW, &facts, report, error);
    bt_facts_release(&facts);
    return status;
}
