/* SPDX-License-Identifier: Apache-2.0
 *
 * `bauta anonymize`: read, group, publish, audit, hand over.
 */
#include "audit/audit.h"
#include "job/commands.h"
#include "job/job.h"
#include "job/joined.h"
#include "job/previous.h"
#include "job/whole.h"
#include "measure/measure.h"
#include "publish/sheet.h"
#include "reading/release.h"
#include "spec/basis.h"

#include <sodium.h>
#include <string.h>

static const char *random_id(bt_job *j)
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

/* A tree with exactly the values of the table says which these are, whatever the cells hide. */
static bauta_status notice_public(const bt_job *j, const bt_column *column, bauta_error *error)
{
    const bt_domain *domain = &column->domain;
    uint32_t present = bt_domain_present(domain), seen = 0;
    if (!column->hierarchy || !column->hierarchy->is_public || !j->recipe->notice) return BAUTA_OK;
    bool *occurs = bt_array_zero(domain->size, sizeof *occurs);
    if (!occurs) return bt_fail_memory(error);
    for (int64_t row = 0; row < j->loaded.table.rows; row++)
        occurs[bt_column_code(column, row)] = true;
    for (uint32_t code = 0; code < present; code++)
        seen += occurs[code];
    free(occurs);
    if (seen < present) return BAUTA_OK;
    char text[512];
    snprintf(text, sizeof text,
             "the hierarchy of column '%.200s' is said to be public, and its values are exactly "
             "those of the table: the manifest lists each of them",
             column->name);
    j->recipe->notice(j->recipe->notice_user, text);
    return BAUTA_OK;
}

/* Whether the classes show all that the method saw of sensitive values: none was made one with
 * another, nobody was dropped, and every record is a person whose values are published. */
static bool shows_what_it_saw(const bt_job *j, const bt_manifest *manifest)
{
    const bt_grouping *grouping = &j->grouping;
    if (j->loaded.join || j->request.form->beliefs || grouping->merged) return false;
    if (grouping->kept < grouping->rows || j->loaded.table.subject_of) return false;
    for (size_t i = 0; i < manifest->column_count; i++)
        if (manifest->columns[i].category_of && !bt_is_companion(&manifest->columns[i]))
            return false;
    return true;
}

/* By how much the method may multiply odds; 0: nothing is stated. */
static uint32_t odds_of(const bt_job *j, const bt_manifest *manifest, const bt_words_basis *basis)
{
    if (!basis->about_values) return 0;
    if (!bt_decides_by_values(manifest->method.type) || !shows_what_it_saw(j, manifest)) return 0;
    return bt_method_retrace(&manifest->method).factor;
}

static bauta_status publish(bt_job *j, bt_store *store, bt_facts *facts, bauta_error *error)
{
    double start = bt_seconds();
    bt_manifest manifest = {.format = BT_FORMAT_NEWEST,
                            .release = random_id(j),
                            .version = BT_VERSION,
                            .form = j->request.form_text,
                            .method = {.text = j->request.method_text,
                                       .type = j->request.method,
                                       .options = j->request.method_options},
                            .experiment = j->recipe->seed != NULL,
                            .spreadsheet_safe = j->recipe->spreadsheet_safe,
                            .dropped_rows = j->dropped,
                            .join = j->loaded.join ? j->request.join : (bt_join_choice){0}};
    bt_same_ids same;
    if (!manifest.release) return bt_fail_memory(error);
    BT_TRY(bt_note_same_id(j->recipe, manifest.release, &j->run, &same, &j->arena, error));
    bt_form_job asked = bt_job_form(j);
    asked.store = store;
    asked.facts = facts;
    asked.at = facts->root;
    BT_TRY(j->request.form->publish(&asked, &manifest, error));
    if (j->request.form->ungrouped) {
        j->dropped = manifest.dropped_rows;
        j->published = j->rows - j->dropped;
    }
    if (manifest.spreadsheet_safe) BT_TRY(bt_guard_tables(store, error));
    if (j->loaded.table.subject_of)
        manifest.persons = j->recipe->rows_together ? BT_COUNT_TOGETHER : BT_COUNT_APART;
    bt_words_basis basis;
    BT_TRY(bt_words_basis_of(&manifest, &j->arena, &basis, error));
    manifest.replayer = odds_of(j, &manifest, &basis);
    BT_TRY(bt_words_compose(&manifest, &basis, &j->arena, &j->words, error));
    manifest.protects = j->words.protects;
    manifest.not_protected = j->words.not_protected;
    manifest.remark = j->words.remark;
    bt_buffer text = {0};
    bauta_status status = bt_manifest_write(&manifest, &text, error);
    if (status == BAUTA_OK)
        status = bt_store_write(store, BT_SHELF_PUBLISH, "manifest.json", text.bytes, text.length,
                                error);
    bt_buffer_release(&text);
    if (status == BAUTA_OK) status = bt_check_same_id(&same, store, &j->run, error);
    j->publish = bt_seconds() - start;
    return status;
}

static bauta_status spell_mapping(const bt_job *j, const uint32_t *numbers, bt_buffer *out,
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
static bauta_status write_mapping(const bt_job *j, bt_store *store, bauta_error *error)
{
    bt_buffer text = {0};
    uint32_t *numbers = NULL;
    bauta_status status = BAUTA_OK;
    if (j->request.form->shows_values)
        status = bt_form_numbers(&j->run, &j->grouping, &numbers, error);
    if (status == BAUTA_OK)
        status = j->loaded.join ? bt_joined_mapping(&j->loaded, &j->run, &text, error)
                                : spell_mapping(j, numbers, &text, error);
    if (status == BAUTA_OK)
        status =
            bt_store_write(store, BT_SHELF_PRIVATE, "mapping.csv", text.bytes, text.length, error);
    bt_buffer_release(&text);
    free(numbers);
    return status;
}

/* The measures need the trees that the release does not publish. */
static bauta_status complete(const bt_job *j, bt_release *release, bauta_error *error)
{
    for (size_t i = 0; i < release->column_count; i++) {
        if (!bt_release_lacks_tree(&release->columns[i])) continue;
        const char *name = release->columns[i].manifest->name;
        BT_TRY(bt_release_complete(release, i, bt_table_find(&j->loaded.table, name)->hierarchy,
                                   error));
    }
    return BAUTA_OK;
}

static void put_seconds(const bt_job *j, bt_facts *facts, json_t *at)
{
    json_t *seconds = bt_put_object(facts, at, "seconds");
    bt_put_real(facts, seconds, "read", j->read);
    bt_put_real(facts, seconds, "group", j->group);
    bt_put_real(facts, seconds, "publish", j->publish);
    bt_put_real(facts, seconds, "audit", j->audit);
    bt_put_real(facts, seconds, "total", bt_seconds() - j->start);
}

/* Says what was broken: where chance was, another seed helps. */
static void hint_at_broken(const json_t *facts, bauta_error *error)
{
    const json_t *findings = json_object_get(facts, "findings");
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *one = json_array_get(findings, i);
        if (!json_is_false(json_object_get(one, "holds"))) continue;
        bt_error_hint(error, "%s: %s", json_string_value(json_object_get(one, "promise")),
                      json_string_value(json_object_get(one, "detail")));
        return;
    }
}

/* Opens the written files cold, audits them and measures what was lost. */
static bauta_status audit(bt_job *j, bt_store *store, bt_facts *facts, bauta_error *error)
{
    double start = bt_seconds();
    bt_release release = {0};
    bt_facts findings;
    bt_facts_init(&findings);
    bool holds = false;
    bt_audit_options options = {.run = &j->run, .allow_experiment = true};
    bauta_status status = bt_store_settle(store, error);
    if (status == BAUTA_OK) status = bt_release_open_store(store, &j->run, &release, error);
    if (status == BAUTA_OK) status = bt_audit(&release, &options, &findings, &holds, error);
    if (status == BAUTA_OK && !holds) {
        status = bt_fail(error, BAUTA_INTERNAL,
                         "the audit of the written files failed: nothing "
                         "is published");
        hint_at_broken(findings.root, error);
    }
    if (status == BAUTA_OK && !j->request.form->ungrouped) {
        bt_original_facts original;
        status = complete(j, &release, error);
        if (status == BAUTA_OK)
            status = bt_original_describe(&release, &j->loaded.table, j->rows, &j->arena, &original,
                                          error);
        if (j->ranges) original.columns = j->ranges;
        json_t *measures = bt_put_object(facts, facts->root, "measures");
        if (status == BAUTA_OK)
            status = bt_measure_all(&release, &original, &j->run, facts, measures, error);
    }
    bt_release_close(&release);
    bt_facts_release(&findings);
    j->audit = bt_seconds() - start;
    return status;
}

static bauta_status write_summary(const bt_job *j, bt_store *store, const bt_facts *facts,
                                  bauta_error *error)
{
    char seed[2 * BT_SEED_BYTES + 1], key[2 * BT_SEED_BYTES + 1];
    sodium_bin2hex(seed, sizeof seed, j->seed.bytes, BT_SEED_BYTES);
    sodium_bin2hex(key, sizeof key, j->run.seed.bytes, BT_SEED_BYTES);
    bt_facts summary = {.root = json_deep_copy(facts->root)};
    summary.failed = facts->failed || !summary.root;
    bt_put_text(&summary, summary.root, "seed", seed);
    bt_put_text(&summary, summary.root, "stream_key", key);
    bauta_status status = bt_facts_check(&summary, error);
    char *text = NULL;
    if (status == BAUTA_OK) {
        text = json_dumps(summary.root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
        if (!text) status = bt_fail_memory(error);
    }
    if (status == BAUTA_OK)
        status = bt_store_write(store, BT_SHELF_PRIVATE, "summary.json", text, strlen(text), error);
    free(text);
    bt_facts_release(&summary);
    sodium_memzero(seed, sizeof seed);
    sodium_memzero(key, sizeof key);
    return status;
}

/* The codes are not needed once the files are written; their memory is, by the audit. */
static void free_codes(bt_job *j)
{
    if (j->loaded.join) bt_join_release(j->loaded.join);
    for (size_t i = 0; i < j->loaded.table.count; i++) {
        free(j->loaded.table.columns[i].codes);
        j->loaded.table.columns[i].codes = NULL;
    }
    bt_grouping_release(&j->grouping);
}

/* What was asked for, and where it is. */
static void put_request(const bt_job *j, bt_store *store, bt_facts *facts)
{
    json_t *list = bt_put_array(facts, facts->root, "requirements");
    for (size_t i = 0; i < j->request.requirements.count; i++)
        bt_put_text(facts, list, NULL, j->request.requirements.items[i].text);
    bt_put_text(facts, facts->root, "method", j->request.method_text);
    bt_put_text(facts, facts->root, "form", j->request.form_text);
    bt_put_bool(facts, facts->root, "experiment", j->recipe->seed != NULL);
    bt_put_text(facts, facts->root, "publish", store->name);
}

/* A name as it can be typed into a shell; one that would need quotes is left to the reader. */
static const char *typed(const char *name)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,:=+@-";
    return name[0] != '-' && strspn(name, plain) == strlen(name) ? name : "NAME";
}

/* " --subject A,B", or nothing; NULL: out of memory. */
static const char *typed_subject(bt_job *j)
{
    const bt_list *subject = &j->recipe->subject;
    const char *text = "";
    for (size_t i = 0; i < subject->count && text; i++) {
        const char *name = strchr(subject->items[i], ',') ? "NAME" : typed(subject->items[i]);
        text = bt_arena_print(&j->arena, "%s%s%s", text, i > 0 ? "," : " --subject ", name);
    }
    return text;
}

/* A text that means missing, as it can be typed between single quotes. */
static const char *typed_token(const char *text)
{
    return *text && !strpbrk(text, "',\\=|\n\r") ? text : "TEXT";
}

/* " --missing-values '?,age=97|98'", or nothing; NULL: out of memory. */
static const char *typed_missing(bt_job *j)
{
    const bauta_recipe *recipe = j->recipe;
    const char *list = "";
    for (size_t i = 0; i < recipe->missing_values.count && list; i++)
        list = bt_arena_print(&j->arena, "%s%s%s", list, *list ? "," : "",
                              typed_token(recipe->missing_values.items[i]));
    for (size_t c = 0; c < recipe->column_count; c++) {
        const bt_column_recipe *column = &recipe->columns[c];
        for (size_t i = 0; i < column->missing_count && list; i++)
            list = i == 0
                       ? bt_arena_print(&j->arena, "%s%s%s=%s", list, *list ? "," : "",
                                        typed_token(column->name), typed_token(column->missing[0]))
                       : bt_arena_print(&j->arena, "%s|%s", list, typed_token(column->missing[i]));
    }
    if (!list || !*list) return list;
    return bt_arena_print(&j->arena, " --missing-values '%s'", list);
}

/* How the table was read, as the recipe or flags say it again. */
static const char *typed_reading(bt_job *j)
{
    const bauta_recipe *recipe = j->recipe;
    char delimiter[32] = "";
    if (recipe->file) return bt_arena_print(&j->arena, " -r %s", typed(recipe->file));
    if (recipe->delimiter)
        snprintf(delimiter, sizeof delimiter, recipe->delimiter == '\t' ? "tab" : "'%c'",
                 recipe->delimiter);
    const char *missing = typed_missing(j);
    if (!missing) return NULL;
    return bt_arena_print(&j->arena, "%s%s%s%s%s%s%s",
                          !recipe->has_header ? ""
                          : recipe->no_header ? " --header no"
                                              : " --header yes",
                          *delimiter ? " --delimiter " : "", delimiter,
                          recipe->has_encoding ? " --encoding " : "",
                          recipe->has_encoding ? bt_encoding_name(recipe->encoding) : "",
                          recipe->decimal_comma ? " --decimal comma" : "", missing);
}

/* The command that tries what others could find out. */
static void put_next(bt_job *j, bt_store *store, bt_facts *facts)
{
    const bauta_recipe *recipe = j->recipe;
    bool one = recipe->inputs.count == 1 && bt_input_is_file(recipe->inputs.items[0]);
    const char *file = one ? typed(recipe->inputs.items[0]) : "NAME";
    bool joined = recipe->publics.count == 1 && recipe->key;
    const char *public = joined
                             ? bt_arena_print(&j->arena, " --public %s --key %s",
                                              typed(recipe->publics.items[0]), typed(recipe->key))
                             : "";
    const char *subject = typed_subject(j);
    const char *reading = typed_reading(j);
    const char *text = public && subject && reading
                           ? bt_arena_print(&j->arena, "bauta attack %s --original %s%s%s%s",
                                            store->given ? "NAME" : typed(store->name), file,
                                            reading, public, subject)
                           : NULL;
    bt_put_text(facts, facts->root, "next", text);
}

static bauta_status make_release(bt_job *j, bt_store *store, bt_facts *facts, bauta_error *error)
{
    BT_TRY(bt_job_load(j, error));
    BT_TRY(bt_job_key(j, error));
    j->notes = (bt_method_notes){.facts = facts,
                                 .at = facts->root,
                                 .notice = j->recipe->notice,
                                 .notice_user = j->recipe->notice_user};
    BT_TRY(j->request.form->ungrouped
               ? bt_check_apart(j->recipe, &j->loaded, &j->run, facts, facts->root, error)
               : bt_job_group(j, error));
    BT_TRY(bt_job_plan(j, facts, facts->root, error));
    if (j->notes.lattice.length > 0)
        BT_TRY(bt_store_write(store, BT_SHELF_PRIVATE, "lattice.csv", j->notes.lattice.bytes,
                              j->notes.lattice.length, error));
    bt_job_put_counts(j, facts,
                      facts->root); /* they come first; what publishing changes is put again */
    for (size_t i = 0; i < j->loaded.table.count; i++)
        BT_TRY(notice_public(j, &j->loaded.table.columns[i], error));
    BT_TRY(bt_job_tell(j, facts, facts->root, error));
    BT_TRY(publish(j, store, facts, error));
    bt_job_forget_plan(j);
    BT_TRY(bt_whole_keep(&j->loaded.table, store, error));
    BT_TRY(bt_plan_spell(j, error));
    if (j->recipe->keep_mapping) BT_TRY(write_mapping(j, store, error));
    if (j->loaded.join) BT_TRY(bt_joined_ranges(&j->loaded.table, &j->arena, &j->ranges, error));
    bt_job_put_counts(j, facts, facts->root);
    free_codes(j);
    BT_TRY(audit(j, store, facts, error));
    put_seconds(j, facts, facts->root);
    put_request(j, store, facts);
    bt_put_text(facts, facts->root, "protected", j->words.protects);
    bt_put_text(facts, facts->root, "not_protected", j->words.not_protected);
    put_next(j, store, facts);
    BT_TRY(write_summary(j, store, facts, error));
    BT_TRY(bt_plan_save(j, error));
    return bt_store_commit(store, error);
}

/* A run that stops because of records that public tables tell otherwise leaves a list of them all:
 * an error has no room for it. */
static void keep_conflicts(const bt_job *j, const char *out, bt_store *store, bauta_error *error)
{
    const bt_buffer *list = &j->loaded.conflicts;
    if (list->length == 0) return;
    bauta_error ignored;
    if (bt_store_keep(store, "conflicts.csv", list->bytes, list->length, &ignored) == BAUTA_OK)
        bt_error_hint(
            error,
            "all are in %s/private/conflicts.csv, by row number: correct one of the two tables, "
            "or use the records of the table alone for them (--on-conflict "
            "exclude-public)",
            out);
}

bauta_status bt_do_anonymize(const bauta_recipe *recipe, const char *out, bt_facts *facts,
                             bauta_error *error)
{
    bt_job j = {.recipe = recipe, .start = bt_seconds()};
    bt_store store = BT_STORE_NONE;
    const bt_store_wish wish = {
        .force = recipe->force, .is_manifest = bt_manifest_is, .manifest_most = BT_MANIFEST_MOST};
    bauta_status status = bt_request_parse(recipe, recipe->require, &j.arena, &j.request, error);
    if (status == BAUTA_OK) status = bt_run_open(recipe, &j.run, error);
    if (status == BAUTA_OK && !bt_store_is_given(out))
        status = bt_check_output_folder(recipe, out, error);
    if (status == BAUTA_OK) status = bt_plan_check_file(recipe, error);
    if (status == BAUTA_OK) status = bt_store_begin(out, &wish, &j.run, &store, error);
    if (status == BAUTA_OK) status = make_release(&j, &store, facts, error);
    if (status != BAUTA_OK) keep_conflicts(&j, out, &store, error);
    bt_store_close(&store);
    bt_job_release(&j);
    return status;
}
