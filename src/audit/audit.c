/* SPDX-License-Identifier: Apache-2.0
 *
 * The audit as a whole, and the checks that need only a line or two.
 */
#include "audit/audit.h"

#include "audit/finding.h"
#include "base/text.h"
#include "spec/basis.h"

#include <stdio.h>
#include <string.h>

enum { DETAIL_BYTES = 2048 };

void bt_finding_put(bt_audit_job *job, const char *promise, bt_verdict verdict, int64_t row,
                    const char *detail, ...)
{
    char text[DETAIL_BYTES];
    va_list arguments;
    va_start(arguments, detail);
    vsnprintf(text, sizeof text, detail, arguments);
    va_end(arguments);
    text[bt_utf8_valid_prefix(text, strlen(text))] = '\0'; /* names may have been cut */
    json_t *finding = bt_put_object(job->facts, job->findings, NULL);
    bt_put_text(job->facts, finding, "promise", promise);
    if (verdict == BT_UNVERIFIABLE)
        bt_put_text(job->facts, finding, "holds", "unverifiable");
    else
        bt_put_bool(job->facts, finding, "holds", verdict == BT_HOLDS);
    if (row == BT_NO_ROW)
        bt_put_null(job->facts, finding, "class");
    else
        bt_put_int(job->facts, finding, "class", row + 1);
    bt_put_text(job->facts, finding, "detail", text);
    if (verdict == BT_FAILS) job->holds = false;
}

int64_t bt_class_place(const bt_release *release, uint32_t class_number)
{
    if (release->form->pair) return (int64_t)release->bags.number[class_number] - 1;
    return release->classes.row[class_number];
}

int64_t bt_bag_place(const bt_release *release, uint32_t bag)
{
    const uint32_t *bag_of = release->bags.of_class;
    if (!bag_of) return bt_class_place(release, bag);
    for (uint32_t c = 0; c < release->classes.count; c++)
        if (bag_of[c] == bag) return release->classes.row[c];
    return BT_NO_ROW;
}

int64_t bt_row_place(const bt_release *release, size_t file, int64_t row)
{
    if (row == BT_NO_ROW || !release->form->pair) return row;
    return bt_class_place(release, release->files[file].bag_of[row]);
}

static void audit_experiment(bt_audit_job *job)
{
    if (!job->release->manifest.experiment) return;
    bool allowed = job->options->allow_experiment;
    bt_finding_put(job, "experiment", allowed ? BT_HOLDS : BT_FAILS, BT_NO_ROW,
                   allowed ? "made from a given seed: whoever knows the seed can undo the shuffling"
                           : "made from a given seed, for experiments: not to be handed out");
}

static void audit_rows(bt_audit_job *job)
{
    if (bt_records_hidden(job->release)) {
        bt_finding_put(job, "rows", BT_UNVERIFIABLE, BT_NO_ROW,
                       "%lld rows published; how many of them are records of the original is not",
                       (long long)job->release->rows);
        return;
    }
    long long rows = (long long)bt_release_records(job->release);
    long long dropped = (long long)job->release->manifest.dropped_rows;
    if (!job->options->original) {
        bt_finding_put(
            job, "rows", BT_UNVERIFIABLE, BT_NO_ROW,
            "%lld rows published, %lld said to be dropped: only the original can show it", rows,
            dropped);
        return;
    }
    long long original = (long long)job->options->original->rows;
    bt_finding_put(job, "rows", original - rows == dropped ? BT_HOLDS : BT_FAILS, BT_NO_ROW,
                   "%lld rows published and %lld dropped, of %lld original records", rows, dropped,
                   original);
}

/* distribution and randomized: where each person has one record, rows are persons. Where not,
 * several rows of randomized are drawn for themselves and undo each other; of distribution the
 * files do not say which rows of sensitive.csv, made-up ones among them, are whose. */
static void audit_single_persons(bt_audit_job *job)
{
    const bt_table *table = job->options->original->table;
    long long persons = table->subjects;
    bool drawn = job->release->form->redrawn;
    bool all = bt_release_records(job->release) == table->rows;
    if (persons == table->rows)
        bt_finding_put(job, "persons", BT_HOLDS, BT_NO_ROW,
                       "each of %lld persons has one record: to count rows is to count persons",
                       persons);
    else if (drawn && all)
        bt_finding_put(job, "persons", BT_FAILS, BT_NO_ROW,
                       "%lld persons have %lld rows: several rows of a person are drawn each for "
                       "itself, and what most of them agree on is true",
                       persons, (long long)table->rows);
    else
        bt_finding_put(job, "persons", BT_UNVERIFIABLE, BT_NO_ROW,
                       "%lld persons have %lld records, and %s", persons, (long long)table->rows,
                       drawn ? "some records were dropped: whose rows are left cannot be told"
                             : "whose the rows of sensitive.csv are cannot be told");
}

/* Rows were counted and the original names persons: where these could not be counted that is said.
 */
static void audit_persons(bt_audit_job *job)
{
    const bt_audit_original *original = job->options->original;
    const bt_release *release = job->release;
    bool single = release->form->parts || release->form->redrawn;
    if (!original || !original->table->subject_of || release->manifest.persons) return;
    if (single)
        audit_single_persons(job);
    else if (!job->persons.subject_of)
        bt_finding_put(job, "persons", BT_UNVERIFIABLE, BT_NO_ROW,
                       "whose the rows are cannot be told: they do not match the original");
}

bool bt_audit_lacks_tree(const bt_audit_job *job, const bt_release_column *column)
{
    if (!bt_release_lacks_tree(column)) return false;
    const bt_column *original =
        bt_table_find(job->options->original->table, column->manifest->name);
    return !original || !original->hierarchy;
}

/* Columns whose nodes may hold any value for all that is known: the rest was compared. */
static void audit_trees(bt_audit_job *job)
{
    for (size_t i = 0; i < job->release->column_count; i++) {
        const bt_release_column *column = &job->release->columns[i];
        if (bt_release_lacks_categories(column))
            bt_finding_put(job, "hierarchies", BT_UNVERIFIABLE, BT_NO_ROW,
                           "column '%s': which values have which category is neither in "
                           "../private/hierarchies nor in a recipe (-r)",
                           column->manifest->name);
        if (!bt_audit_lacks_tree(job, column)) continue;
        bt_finding_put(job, "hierarchies", BT_UNVERIFIABLE, BT_NO_ROW,
                       "column '%s': whether its nodes cover the records only the whole hierarchy "
                       "can show, which is neither in ../private/hierarchies nor in a recipe (-r)",
                       column->manifest->name);
    }
}

/* ---- forms ------------------------------------------------------------------------------- */

#define BT_AUDIT_FORM(name)                                                                        \
    extern const bt_audit_form bt_audit_form_##name;                                               \
    extern const bt_reading_form bt_reading_##name;
#include "audit/forms.def"
#undef BT_AUDIT_FORM

/* A form that asks for nothing of its own is audited by the promises to its classes. */
static const bt_audit_form *find_form(const bt_reading_form *form)
{
    static const bt_audit_form plain = {.promises = bt_audit_promises};
    static const struct {
        const bt_reading_form *form;
        const bt_audit_form *audit;
    } forms[] = {
#define BT_AUDIT_FORM(name) {&bt_reading_##name, &bt_audit_form_##name},
#include "audit/forms.def"
#undef BT_AUDIT_FORM
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (forms[i].form == form) return forms[i].audit;
    return &plain;
}

static bool is_matched(const bt_audit_job *job)
{
    return job->options->original && job->form->matched && !bt_join_needs_public(job);
}

static bauta_status audit_all(bt_audit_job *job, const bt_words *words, bauta_error *error)
{
    const bt_audit_form *form = job->form;
    bool match = is_matched(job);
    if (form->prepare) BT_TRY(form->prepare(job, error));
    if (match) BT_TRY(bt_audit_match(job, error));
    BT_TRY(form->promises(job, error));
    BT_TRY(bt_audit_shuffled(job, error));
    BT_TRY(bt_audit_manifest(job, words, error));
    bt_audit_cells(job);
    bt_audit_grid(job);
    bt_audit_categories(job);
    BT_TRY(bt_audit_other(job, error));
    audit_experiment(job);
    audit_rows(job);
    audit_persons(job);
    if (match) form->matched(job);
    if (job->options->original) audit_trees(job);
    if (job->options->original && form->original) BT_TRY(form->original(job, error));
    bt_audit_linked(job);
    return BAUTA_OK;
}

static bool is_broken(const json_t *findings, const char *promise)
{
    for (size_t i = 0; i < json_array_size(findings); i++) {
        const json_t *one = json_array_get(findings, i);
        if (json_is_false(json_object_get(one, "holds")) &&
            strcmp(json_string_value(json_object_get(one, "promise")), promise) == 0)
            return true;
    }
    return false;
}

/* A promise that is checked file by file, or column by column, holds where all of them keep it:
 * where one does not, nothing is said of the others. */
static void drop_contradictions(json_t *findings)
{
    for (size_t i = json_array_size(findings); i-- > 0;) {
        const json_t *one = json_array_get(findings, i);
        if (json_is_true(json_object_get(one, "holds")) &&
            is_broken(findings, json_string_value(json_object_get(one, "promise"))))
            json_array_remove(findings, i);
    }
}

bauta_status bt_audit(const bt_release *release, const bt_audit_options *options, bt_facts *facts,
                      bool *holds, bauta_error *error)
{
    bt_audit_job job = {.release = release,
                        .form = find_form(release->form),
                        .options = options,
                        .facts = facts,
                        .holds = true};
    /* What follows from the manifest, whatever stands there. */
    bt_words_basis basis;
    bt_words words = {0};
    bauta_status status = bt_words_basis_of(&release->manifest, &job.arena, &basis, error);
    if (status == BAUTA_OK)
        status = bt_words_compose(&release->manifest, &basis, &job.arena, &words, error);
    *holds = false;
    if (words.not_protected) bt_put_text(facts, facts->root, "not_protected", words.not_protected);
    bt_put_text(facts, facts->root, "form", release->manifest.form);
    if (release->form->pair) bt_put_text(facts, facts->root, "class_column", release->bags.name);
    bt_put_bool(facts, facts->root, "holds", false);
    job.findings = bt_put_array(facts, facts->root, "findings");
    if (status == BAUTA_OK) status = audit_all(&job, &words, error);
    bt_row_persons_release(&job.persons);
    bt_arena_release(&job.arena);
    if (status != BAUTA_OK) return status;
    bt_put_bool(facts, facts->root, "holds", job.holds);
    BT_TRY(bt_facts_check(facts, error));
    drop_contradictions(job.findings);
    *holds = job.holds;
    return BAUTA_OK;
}

bauta_status bt_links_of(const bt_release *release, const bt_audit_options *options, bt_links *out,
                         bauta_error *error)
{
    bt_audit_job job = {.release = release, .form = find_form(release->form), .options = options};
    bauta_status status = job.form->prepare ? job.form->prepare(&job, error) : BAUTA_OK;
    if (status == BAUTA_OK && is_matched(&job)) status = bt_audit_match(&job, error);
    for (size_t file = 0; bt_sensitive_apart(release) && file < release->file_count; file++)
        if (status == BAUTA_OK)
            status = bt_links_numbers(release->bags.number, release->bags.count,
                                      release->files[file].bag_of, release->files[file].rows,
                                      &job.links.numbers, error);
    bt_row_persons_release(&job.persons);
    bt_arena_release(&job.arena);
    *out = job.links;
    return status;
}
